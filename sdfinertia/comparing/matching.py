"""Which links of two descriptions correspond, by their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from os.path import commonprefix

from sdfinertia.errors import ConfigurationError

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


def renamed(
    first: Sequence[str], second: Sequence[str], renames: Sequence[str] = ()
) -> tuple[Sequence[str], Sequence[str], list[str]]:
    """The names by which links are matched, and what was done to them, in words.

    What the links without a match on one side all begin or end with is taken off where that gives more matches.

    Args:
        renames: OLD=NEW, of links of the first side, with `*` for any part.
    """
    names = [list(first), list(second)]
    for rename in renames:
        names[0] = _renamed(names[0], rename)
    said: list[str] = []
    for side, which in enumerate(("first", "second")):
        for is_suffix, what in enumerate(("prefix", "suffix")):
            pairs = matched(*names)
            alone = set(range(len(names[side]))) - {pair[side] for pair in pairs}
            affix = _affix([_last(names[side][place]) for place in sorted(alone)], is_suffix=bool(is_suffix))
            if not affix:
                continue
            cut = str.removesuffix if is_suffix else str.removeprefix
            tried = list(names)
            tried[side] = [
                name[: len(name) - len(_last(name))] + cut(_last(name), affix) if place in alone else name
                for place, name in enumerate(names[side])
            ]
            if len(matched(*tried)) > len(pairs):
                names = tried
                said.append(f"links are matched without the {what} {affix!r} of the {which}")
    return names[0], names[1], said


def _affix(names: Sequence[str], *, is_suffix: bool) -> str:
    """What all names begin or end with, up to a _, - or /."""
    if len(names) < 2:
        return ""
    turn = -1 if is_suffix else 1
    match = re.match(r".*[_\-/]", commonprefix([name[::turn] for name in names]))  # noqa: RUF071
    affix = match[0][::turn] if match is not None else ""
    return affix if all(len(name) > len(affix) for name in names) else ""


def _renamed(names: Sequence[str], rename: str) -> list[str]:
    old, equals, new = rename.partition("=")
    if not (old and equals and new) or old.count("*") < new.count("*"):
        raise ConfigurationError(f"--rename takes OLD=NEW, not {rename!r}", remedy="a * of NEW is one of OLD")
    pattern = re.compile("(.*)".join(map(re.escape, old.split("*"))))
    found: list[str] = []
    for name in names:
        own = name if "::" in old else _last(name)
        match = pattern.fullmatch(own)
        if match is not None:
            first, *rest = new.split("*")
            name = name[: -len(own)] + first + "".join(map("".join, zip(match.groups(), rest, strict=False)))
        found.append(name)
    if found == list(names):
        raise ConfigurationError(f"--rename {rename}: the first has no such link", remedy="name one of its links")
    return found


def _unique(names: Sequence[str], places: Sequence[int], key: Key) -> dict[str, int]:
    found: dict[str, int] = {}
    repeated: set[str] = set()
    for place in places:
        name = key(names[place])
        if name in found:
            repeated.add(name)
        found[name] = place
    return {name: place for name, place in found.items() if name not in repeated}
