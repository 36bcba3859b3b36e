"""Which links of two descriptions correspond, by their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Key = Callable[[str], str]


def _inner(name: str) -> str:
    """Without the name of the root model."""
    return name.partition("::")[2] or name


def _last(name: str) -> str:
    return name.rpartition("::")[2]


def _folded(name: str) -> str:
    """Regardless of case, and of - and _."""
    return name.casefold().replace("-", "").replace("_", "")


# One after the other; each matches the remaining links whose key is unique on both sides.
_KEYS: tuple[Key, ...] = (
    str,
    _inner,
    _last,
    lambda name: _folded(_inner(name)),
    lambda name: _folded(_last(name)),
)


def matched(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs of places of links that correspond, in the order of the first; names are scoped, and unique."""
    left, right = list(range(len(first))), list(range(len(second)))
    pairs: list[tuple[int, int]] = []
    for key in _KEYS:
        ours, theirs = _unique(first, left, key), _unique(second, right, key)
        pairs += [(place, theirs[name]) for name, place in ours.items() if name in theirs]
        taken, given = {one for one, _ in pairs}, {other for _, other in pairs}
        left = [place for place in left if place not in taken]
        right = [place for place in right if place not in given]
        if not left or not right:
            break
    return sorted(pairs)


def _unique(names: Sequence[str], places: Sequence[int], key: Key) -> dict[str, int]:
    """The places by name, without those whose name others have too."""
    found: dict[str, int] = {}
    repeated: set[str] = set()
    for place in places:
        name = key(names[place])
        if name in found:
            repeated.add(name)
        found[name] = place
    return {name: place for name, place in found.items() if name not in repeated}
