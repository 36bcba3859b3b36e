"""The macros of xacro files by their text alone, and whether a file is xacro at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.markup.document import Document, Element
from sdfinertia.robot.link import walked
from sdfinertia.robot.marks import URDF_SUFFIXES, XACRO_MARKS, XACRO_SUFFIX
from sdfinertia.xacro.texts import parse_macro_arg

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_, *_MARKS = XACRO_MARKS
# Elements of robots; the content of others is for other programs.
_READ = ("robot", "link", "joint", "material")


class Macro(NamedTuple):
    """A macro at the top of a file.

    Attributes:
        given: the parameters without a default, blocks with their stars.
        calls: the names of the macros that it calls.
        makes_links: whether it has a link.
    """

    name: str
    given: tuple[str, ...]
    calls: frozenset[str]
    makes_links: bool


def is_xacro(path: str, data: bytes) -> bool:
    """Whether a file is to be expanded: by its name, or a URDF file by elements or values of xacro."""
    name = path.lower()
    if name.endswith(XACRO_SUFFIX):
        return True
    if not name.endswith(URDF_SUFFIXES) or not any(mark in data for mark in XACRO_MARKS):
        return False
    roots = Document(data, path).roots
    if any(each.name.startswith("xacro:") for each in walked(roots, lambda element: element.children)):
        return True
    read = (each for root in roots for each in (root, *walked(_read_in(root), lambda element: element.children)))
    return any(mark in each.raw_attributes for each in read for mark in _MARKS)


def _read_in(root: Element) -> list[Element]:
    return [each for each in root.children if each.name in _READ]


def macros_in(document: Document) -> list[Macro]:

    def parameters_of(text: str) -> Iterator[tuple[str, bool]]:
        while text.strip():
            name, default, text = parse_macro_arg(text)
            yield name, default is not None and default[1] is not None

    found: list[Macro] = []
    for macro in (each for root in document.roots for each in root.children_named("xacro:macro")):
        inside = [each.name for each in walked(macro.children, lambda element: element.children)]
        given = tuple(name for name, has_default in parameters_of(macro.attribute("params") or "") if not has_default)
        calls = frozenset(name[6:] for name in inside if name.startswith("xacro:"))
        found.append(Macro((macro.attribute("name") or "").removeprefix("xacro:"), given, calls, "link" in inside))
    return found


def callable_by_default(macros: Sequence[Macro]) -> list[str]:
    """The macros whose parameters all have defaults, but for those that such a one calls."""
    ready = [macro for macro in macros if not macro.given and macro.name]
    called = {name for macro in ready for name in macro.calls if name != macro.name}
    return [macro.name for macro in ready if macro.name not in called]
