"""Links of scenes, as pages draw them."""

from __future__ import annotations

from typing import Any

from sdfinertia.documents.link_results import LinkResult
from sdfinertia.documents.scene import DrawnLink
from sdfinertia.links.inputs import Status

_OF_LINK = ("X_ML", "shapes", "visuals", "is_own")


def drawn_link(name: str, scoped_name: str = "", **values: Any) -> DrawnLink:
    """A link with values of it, and of its result."""
    drawn = {key: values.pop(key) for key in _OF_LINK if key in values}
    return DrawnLink(
        name, LinkResult(**{"name": scoped_name or name, "status": Status.NOTHING, "line": 0, **values}), **drawn
    )
