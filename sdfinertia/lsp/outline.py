"""The symbols of a document, the files that it names, and the links that ask to be filled."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol.types import DocumentSymbol, Range, SymbolKind

from sdfinertia.errors import SdfInertiaError, unicode_text
from sdfinertia.lsp.session import Version
from sdfinertia.lsp.text import EditorText
from sdfinertia.markup.document import Element
from sdfinertia.named_tuple import NamedTuple

_KINDS = {
    "world": SymbolKind.Namespace,
    "model": SymbolKind.Class,
    "robot": SymbolKind.Class,
    "xacro:macro": SymbolKind.Function,
    "include": SymbolKind.Module,
    "link": SymbolKind.Object,
    "joint": SymbolKind.Interface,
}
# Elements around them that are no symbols.
_TRANSPARENT = frozenset({"sdf", "xacro:if", "xacro:unless"})


def symbols(version: Version) -> list[DocumentSymbol]:
    return [symbol for root in version.roots for symbol in _symbols(root, version.text)]


def _symbols(element: Element, text: EditorText) -> Iterator[DocumentSymbol]:
    kind = _KINDS.get(element.name)
    if kind is None and element.name not in _TRANSPARENT:
        return
    inner = [symbol for child in element.children for symbol in _symbols(child, text)]
    if kind is None:
        yield from inner
        return
    name = element.attribute("name") or element.child_text("name") or element.child_text("uri")
    whole, tag = text.range(element.start, element.end), text.range(element.start, element.inner_start)
    yield DocumentSymbol(
        unicode_text(name) or f"<{element.name}>", kind, whole, tag, detail=element.name, children=inner or None
    )


class NamedFile(NamedTuple):
    """A file that a mesh or an include names; `start` and `stop` are the span of its uri."""

    uri: str
    start: int
    stop: int
    owner: Element

    @property
    def is_mesh(self) -> bool:
        return self.owner.name == "mesh"

    def path(self, version: Version) -> str:
        resources = version.context.resources
        if self.is_mesh:
            return resources.find(self.uri, version.path)
        from sdfinertia.sdf.root import find_model

        return find_model(resources, self.uri, version.path)


def named_files(version: Version) -> Iterator[NamedFile]:
    """The meshes and models that it names, in the order of the text."""
    pending = list(reversed(version.roots))
    while pending:
        element = pending.pop()
        pending += reversed(element.children)
        if element.name not in ("mesh", "include"):
            continue
        uri, span = element.child("uri"), element.attribute_span("filename")
        if uri is not None and uri.text():
            yield NamedFile(uri.text(), uri.inner_start, uri.inner_end, element)
        elif span is not None and (name := element.attribute("filename")):
            yield NamedFile(name, span[2], span[3], element)


def named_file_at(version: Version, offset: int) -> NamedFile | None:
    return next((each for each in named_files(version) if each.start <= offset <= each.stop), None)


def asking_links(version: Version) -> Iterator[tuple[str, Range]]:
    """The labels of links that ask to be filled, and where they ask."""
    for link in version.links():
        try:
            asks = link.asks_to_be_filled()
        except SdfInertiaError:
            continue
        if asks:
            element = link.inertial or link.element
            yield link.key.label, version.text.range(element.start, element.inner_start)
