"""The identity of a link in its file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class LinkKey(NamedTuple):
    """The identity of a link in any version of its file; two worlds may each have one of its scoped name."""

    file: str
    name: str
    # Among the links of that name in the file, from 1.
    number: int = 1

    @property
    def label(self) -> str:
        return self.name if self.number == 1 else self.numbered

    @property
    def numbered(self) -> str:
        """The name with `#` and its number, as patterns name one of several."""
        return f"{self.name}#{self.number}"


def numbers_of_namesakes(links: Iterable[tuple[str, int]]) -> dict[int, int]:
    """The number of each link among those of its scoped name, from 1, by its start; unique names are left out."""
    links = list(links)
    if len(dict(links)) == len(links):
        return {}
    starts: dict[str, list[int]] = {}
    for name, start in links:
        starts.setdefault(name, []).append(start)
    return {start: number for each in starts.values() if len(each) > 1 for number, start in enumerate(each, start=1)}
