"""Trees of elements, as values."""

from typing import Any

from sdfinertia.markup.document import Element


def tree(element: Element) -> tuple[Any, ...]:
    own = (element.name, element.start, element.inner_start, element.inner_end, element.end, element.raw_attributes)
    return (*own, [tree(child) for child in element.children])
