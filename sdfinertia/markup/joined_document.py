"""Several files as one document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from sdfinertia.errors import Location
from sdfinertia.markup import Document, Edit, elements_named


class JoinedDocument(Document):
    """The bytes of several files one after the other, the main file first.

    `name` is that of the elements that include a file, `targets` for each file the numbers of those that it includes;
    `included` has the root that an element includes, by the start of that element.
    """

    def __init__(self, documents: Sequence[Document], name: str, targets: Sequence[Sequence[int]]) -> None:
        self._documents, self._name, self._targets = documents, name, targets
        self._starts = [0]
        for document in documents[:-1]:
            self._starts.append(self._starts[-1] + len(document.data) + 1)
        super().__init__(b"\n".join(document.data for document in documents), documents[0].path)
        roots = {root.start: root for root in self.roots}
        self.included = {
            self._starts[file] + element.start: roots[self._starts[target] + documents[target].roots[0].start]
            for file, (document, own) in enumerate(zip(documents, targets, strict=True))
            for element, target in zip(elements_named(name, document), own, strict=True)
        }

    def _part(self, offset: int) -> tuple[Document, int]:
        number = bisect_right(self._starts, offset) - 1
        return self._documents[number], self._starts[number]

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(document.path for document in self._documents)

    def path_at(self, offset: int) -> str:
        return self._part(offset)[0].path

    def location(self, offset: int) -> Location:
        document, start = self._part(offset)
        return document.location(offset - start)

    def line(self, offset: int) -> int:
        document, start = self._part(offset)
        return document.line(offset - start)

    def line_start(self, offset: int) -> int:
        document, start = self._part(offset)
        return start + document.line_start(offset - start)

    def divided(self, edits: Sequence[Edit]) -> list[tuple[Document, Sequence[Edit]]]:
        found: list[tuple[Document, Sequence[Edit]]] = []
        for document, start in zip(self._documents, self._starts, strict=True):
            own = [edit for edit in edits if start <= edit.start <= start + len(document.data)]
            found.append((document, [Edit(begin - start, end - start, new) for begin, end, new in own]))
        return found

    def gathered(self, parts: Sequence[Sequence[Edit]]) -> list[Edit]:
        return [
            Edit(begin + start, end + start, new)
            for start, own in zip(self._starts, parts, strict=True)
            for begin, end, new in own
        ]

    def edited(self, edits: Sequence[Edit]) -> JoinedDocument:
        return JoinedDocument(
            [document.edited(own) for document, own in self.divided(edits)], self._name, self._targets
        )
