"""The rules of a `.gitignore`, as git reads them (gitignore(5) and git's own wildmatch), in bounded time.

A star is matched by going back to the last one only, for what an earlier one could take the later one can take as well;
so a pattern of m bytes takes at most m times n steps on a name of n. As in git, names are bytes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from sdfinertia.named_tuple import NamedTuple

_CLASSES: dict[bytes, bytes] = {
    b"alnum": rb"0-9A-Za-z",
    b"alpha": rb"A-Za-z",
    b"blank": rb" \t",
    b"cntrl": rb"\x00-\x1f\x7f",
    b"digit": rb"0-9",
    b"graph": rb"!-~",
    b"lower": rb"a-z",
    b"print": rb" -~",
    b"punct": rb"!-/:-@\[-`{-~",
    b"space": rb" \t\n\v\f\r",
    b"upper": rb"A-Z",
    b"xdigit": rb"0-9A-Fa-f",
}
_STAR, _DOUBLE_STAR = "*", "**"
# The bytes that one place of a pattern allows, bit by bit, or a star.
_Part = int | str
_ANY = (1 << 256) - 1


class _Rule(NamedTuple):
    """A line: patterns of the folders of a path, "**" for any number of them."""

    folders: tuple[Sequence[_Part] | str, ...]
    is_negated: bool
    for_directories: bool
    is_anchored: bool


class IgnoreRules:
    def __init__(self, content: bytes) -> None:
        lines = content.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        rules = (_rule(line.removesuffix(b"\r")) for line in lines)
        self._rules = [rule for rule in rules if rule is not None]

    def verdict(self, path: str, *, is_directory: bool) -> bool | None:
        """Whether git ignores a relative path with forward slashes; None where no rule matches."""
        parts = os.fsencode(path).split(b"/")
        for rule in reversed(self._rules):
            if rule.for_directories and not is_directory:
                continue
            if _matches(rule.folders, parts if rule.is_anchored else parts[-1:]):
                return not rule.is_negated
        return None


def _rule(line: bytes) -> _Rule | None:
    """The rule of a line; None for a comment and for what git ignores as meaningless."""
    # Blanks at the end do not count, but for one after a backslash.
    stripped = line.rstrip(b" ")
    backslashes = len(stripped) - len(stripped.rstrip(b"\\"))
    line = line[: len(stripped) + 1] if backslashes % 2 else stripped
    if line.startswith(b"#"):
        return None
    is_negated = line.startswith(b"!")
    line = line[1:] if is_negated else line
    for_directories = line.endswith(b"/")
    line = line[:-1] if for_directories else line
    is_anchored = b"/" in line
    line = line[1:] if line.startswith(b"/") else line
    if not line:
        return None
    folders: list[Sequence[_Part] | str] = []
    for folder in line.split(b"/") if is_anchored else [line]:
        is_double = is_anchored and len(folder) > 1 and not folder.strip(b"*")
        parts = _DOUBLE_STAR if is_double else _parts(folder)
        if parts is None:
            return None
        folders.append(parts)
    return _Rule(tuple(folders), is_negated, for_directories, is_anchored)


def _parts(pattern: bytes) -> list[_Part] | None:
    """What each place of a pattern allows; None for a pattern that matches nothing."""
    parts: list[_Part] = []
    at = 0
    while at < len(pattern):
        byte = pattern[at : at + 1]
        at += 1
        if byte == b"*":
            if not parts or parts[-1] != _STAR:
                parts.append(_STAR)
        elif byte == b"?":
            parts.append(_ANY)
        elif byte == b"[":
            found = _bracket(pattern, at)
            if found is None:
                return None
            allowed, at = found
            parts.append(allowed)
        elif byte == b"\\":
            if at == len(pattern):
                return None
            parts.append(1 << pattern[at])
            at += 1
        else:
            parts.append(1 << byte[0])
    return parts


def _bracket(pattern: bytes, at: int) -> tuple[int, int] | None:
    """The bytes that a bracket allows, and where it ends; None if it is malformed."""
    is_negated = pattern[at : at + 1] in (b"!", b"^")
    at += is_negated
    allowed = 0
    start, previous = at, -1
    while at == start or pattern[at : at + 1] != b"]":
        if at >= len(pattern):
            return None
        named = re.compile(rb"\[:([^\]]*?):\]").match(pattern, at)
        if named is not None:
            if named[1] not in _CLASSES:
                return None
            of_class = re.compile(b"[" + _CLASSES[named[1]] + b"]")
            allowed |= sum(1 << byte for byte in range(256) if of_class.match(bytes((byte,))))
            at, previous = named.end(), -1
            continue
        if pattern[at : at + 1] == b"-" and previous >= 0 and pattern[at + 1 : at + 2] not in (b"]", b""):
            at += 1
            at += pattern[at : at + 1] == b"\\"
            if at >= len(pattern):
                return None
            allowed |= sum(1 << byte for byte in range(previous, pattern[at] + 1))
            at, previous = at + 1, -1
            continue
        at += pattern[at : at + 1] == b"\\"
        if at >= len(pattern):
            return None
        previous = pattern[at]
        allowed |= 1 << previous
        at += 1
    return _ANY ^ allowed if is_negated else allowed, at + 1


def _matches(folders: Sequence[Sequence[_Part] | str], names: Sequence[bytes]) -> bool:
    """Whether patterns match the folders of a path, as `_matches_name` does bytes."""
    place = at = back = 0
    star = -1
    while at < len(names):
        folder = folders[place] if place < len(folders) else None
        if folder == _DOUBLE_STAR:
            star, back = place, at
            place += 1
            if place == len(folders):
                return True
        elif folder is not None and _matches_name(folder, names[at]):
            place, at = place + 1, at + 1
        elif star >= 0:
            back += 1
            place, at = star + 1, back
        else:
            return False
    # Two stars at the end match the contents of a directory, not itself.
    return place == len(folders)


def _matches_name(parts: Sequence[_Part], name: bytes) -> bool:
    place = at = back = 0
    star = -1
    while at < len(name):
        part = parts[place] if place < len(parts) else None
        if part == _STAR:
            star, back = place, at
            place += 1
        elif isinstance(part, int) and part >> name[at] & 1:
            place, at = place + 1, at + 1
        elif star >= 0:
            back += 1
            place, at = star + 1, back
        else:
            return False
    return all(part == _STAR for part in parts[place:])
