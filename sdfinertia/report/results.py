"""The results of a run as lines of text and as a unified diff."""

from __future__ import annotations

import math
import os
from collections import Counter
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import Location, counted, noted, printable
from sdfinertia.links.inputs import DensitySource
from sdfinertia.links.provenance import Status
from sdfinertia.markup.document import Edit, splice
from sdfinertia.report.quantities import centre_of, mass_of, principal_moments_of
from sdfinertia.robot.numbers import number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sdfinertia.documents.filling import ChangedFile, FillResult
    from sdfinertia.documents.scaling import ScaleResult
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.filling import LinkResult
    from sdfinertia.links.inputs import Body

# Lines in which the end of a difference is searched; a block has some ten.
_WINDOW = 64
# Smaller relative changes are rounding: written numbers have twelve digits.
SAME = 1e-9
_SOURCES = {
    DensitySource.COLLISION: "of the collision",
    DensitySource.LINK: "of the link",
    DensitySource.OPTION: "by --density",
    DensitySource.DEFAULT: "by default",
}


def report_lines(result: FillResult, *, verbose: bool = False, writes: bool = True) -> Iterator[str]:
    yield from warning_lines(result)
    if result.errors and not result.changed:
        yield from (f"{result.path}: {noted(note)}" for note in result.notes)
        yield _nothing_written(result)
        return
    said = [link for link in result.links if link.status is not Status.FAILED]
    if not said and not result.notes:
        return
    yield result.path
    for note in result.notes:
        yield f"  {noted(note)}"
    guesses = result.guesses() if verbose else {}
    for link in said:
        yield from _link_lines(link, verbose=verbose, writes=writes)
        if (link.name, link.number) in guesses:
            yield f"    {'note':<10}{guesses[link.name, link.number]}"


def brief_lines(result: FillResult) -> Iterator[str]:
    """One line on a file, for hooks."""
    statuses = Counter(link.status for link in result.links if link.status is not Status.FAILED)
    if result.errors and not result.changed:
        yield _nothing_written(result)
    elif statuses:
        (first, count), *others = statuses.items()
        told = [f"{counted(count, 'link')} {first}", *(f"{count:,} {status}" for status, count in others)]
        yield f"{result.path}: {', '.join(told)}"


def _nothing_written(result: FillResult) -> str:
    return f"{result.path}: not written, since {counted(len(result.errors), 'link')} failed"


def warning_lines(result: FillResult) -> Iterator[str]:
    """One line for each warning, also where little is printed."""
    for link in result.links:
        for warning in link.warnings:
            place = warning.location or Location(result.path, link.line, 1)
            yield printable(f"{place}: warning: link {link.name!r}: {warning}")


def _link_lines(link: LinkResult, *, verbose: bool, writes: bool) -> Iterator[str]:
    would = "" if writes or link.status not in (Status.FILLED, Status.REFILLED, Status.REPAIRED) else "would be "
    notes = list(link.notes)
    is_left = link.status in (Status.LEFT, Status.EDITED, Status.STALE) and notes
    yield f"  {link.name}  {notes.pop(0) if is_left else f'{would}{link.status}'}"
    if link.inertia is not None:
        yield from (f"    {label:<10}{value}" for label, value in quantities(link))
    if verbose or link.inertia is not None:
        for part in described_parts(link.collisions, link.inertia):
            yield f"    {'from':<10}{part}"
    for note in notes:
        yield f"    {'note':<10}{note}"


def quantities(link: LinkResult) -> list[tuple[str, str]]:
    """Mass, centre and principal moments with the former ones, as label and text; moments in the order of the axes
    nearest x, y, z.
    """
    new, old = link.inertia, link.before
    if new is None:
        return []
    mass = mass_of(new).text + (" (given)" if link.mass_given else "")
    centre = centre_of(new).text
    moments = principal_moments_of(new).text
    if old is not None:
        same = abs(new.mass - old.mass) <= SAME * new.mass
        mass += "   unchanged" if same else f"   was {mass_of(old).text}{_relative(new.mass, old.mass)}"
        moved = math.dist(new.p_BoBcm_B, old.p_BoBcm_B)
        same = moved <= SAME * max(1e-300, new.gyradius)
        before = centre_of(old)._replace(scale=new.gyradius)
        centre += "   unchanged" if same else f"   was {before.text}, moved by {number(moved)} m"
        change = tensor_change(new, old)
        if change <= 100.0 * SAME:
            moments += "   unchanged"
        elif math.isinf(change):
            moments += "   was zero"
        else:
            moments += f"   was {principal_moments_of(old).text}, tensor changed by {change:.3g} % of its largest"
    return [("mass", mass), ("centre", centre), ("principal", moments)]


def described_parts(parts: Sequence[Body], inertia: SpatialInertia | None) -> Iterator[str]:
    """A line on each collision of a link: its shape, method, density and volume.

    Where the mass of the link was given, the densities that give this mass are added.
    """
    total = sum(part.inertia.mass for part in parts)
    scale = inertia.mass / total if inertia is not None and total else 1.0
    for part in parts:
        faces = f" of {part.faces:,} faces" if part.faces else ""
        method = "" if part.method == "exact" and not part.faces else f", {part.method}"
        density = f"{number(part.density)} kg/m³ {_SOURCES[part.density_source]}"
        if abs(scale - 1.0) > SAME:
            own = "" if part.density_source is DensitySource.DEFAULT else f"{density}, "
            density = f"{own}{number(part.density * scale)} kg/m³ by the given mass"
        yield f"{part.name}: {part.shape}{faces}{method}, {density}, {number(part.inertia.mass / part.density)} m³"


def tensor_change(new: SpatialInertia, old: SpatialInertia) -> float:
    """The largest change of an entry, in per cent of the largest old one; infinite where that is zero."""
    scale = max(abs(value) for value in old.I_BBcm_B)
    if scale == 0.0:
        return math.inf
    return 100.0 * max(abs(a - b) for a, b in zip(new.I_BBcm_B, old.I_BBcm_B, strict=True)) / scale


def _relative(new: float, old: float) -> str:
    if old == 0.0:
        return ""
    return f" ({100.0 * (new - old) / old:+.3g} %)"


_CONTEXT = 3
_NO_NEWLINE = b"\n\\ No newline at end of file\n"


class _Change(NamedTuple):
    start: int
    old: list[bytes]
    new: list[bytes]


def result_diff(result: FillResult | ScaleResult, shown: Callable[[str], str] = str) -> bytes:
    """The unified diff of a file and of others that change with it; `shown` gives the paths."""
    files: list[ChangedFile] = [result, *result.others]
    return b"".join(unified_diff(shown(each.path), each.original, each.edits) for each in files)


def unified_diff(path: str, original: bytes, edits: Sequence[Edit]) -> bytes:
    """A unified diff in the file's own bytes, as `patch` and `git apply` read it; linear in the file's size."""
    name = _quoted(os.fsencode(os.path.normpath(path).replace(os.sep, "/")))
    if b" " in name and not name.startswith(b'"'):
        # By convention a tab ends a name that has blanks in it.
        name += b"\t"
    lines = _lines(original)
    changes = list(_changes(original, lines, edits))
    if not changes:
        return b""
    return b"--- " + name + b"\n+++ " + name + b"\n" + b"".join(_hunks(lines, changes))


def line_edits(old: bytes, new: bytes) -> list[Edit]:
    """Edits of whole lines that turn one text into the other, in time that grows linearly with them."""
    before, after = old.splitlines(keepends=True), new.splitlines(keepends=True)
    edits: list[Edit] = []
    i = j = offset = 0
    while i < len(before) or j < len(after):
        if before[i : i + 1] == after[j : j + 1]:
            removed, added = 1, 1
        else:
            a, b = before[i : i + _WINDOW], after[j : j + _WINDOW]
            removed, added, _ = SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()[0]
            edits.append(Edit(offset, offset + sum(map(len, a[:removed])), b"".join(b[:added])))
        offset += sum(map(len, before[i : i + removed]))
        i, j = i + removed, j + added
    return edits


def _quoted(name: bytes) -> bytes:
    """A name as git writes it in a diff: quoted with octal escapes if necessary."""
    # Beyond ASCII only invisible characters, and those that direct text, are quoted: other names stay readable.
    text = name.decode("utf-8", "surrogateescape")
    if text.isprintable() and not any(mark in text for mark in '"\\'):
        return name
    plain = (bytes((byte,)) if 0x20 <= byte < 0x7F and byte not in b'"\\' else b"\\%03o" % byte for byte in name)
    return b'"' + b"".join(plain) + b'"'


def _lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def _changes(original: bytes, lines: list[bytes], edits: Sequence[Edit]) -> Iterator[_Change]:
    """The changed lines, in order; edits of one line are one change."""
    ordered = sorted(edits, key=lambda edit: edit.start)
    line, offset, index = 0, 0, 0
    while index < len(ordered):
        while line < len(lines) and offset + len(lines[line]) <= ordered[index].start:
            offset += len(lines[line])
            line += 1
        first, begin = line, offset
        of_these: list[Edit] = []
        # An edit belongs to the lines it touches, and so do those that begin in these.
        while index < len(ordered) and (not of_these or ordered[index].start < offset):
            of_these.append(ordered[index])
            while line < len(lines) and offset < max(ordered[index].stop, ordered[index].start + 1):
                offset += len(lines[line])
                line += 1
            index += 1
        moved = [Edit(edit.start - begin, edit.stop - begin, edit.replacement) for edit in of_these]
        new = _lines(splice(original[begin:offset], moved))
        yield _trimmed(_Change(first, lines[first:line], new))


def _trimmed(change: _Change) -> _Change:
    start, old, new = change
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return _Change(start + head, old[head : len(old) - tail], new[head : len(new) - tail])


def _hunks(lines: list[bytes], changes: list[_Change]) -> Iterator[bytes]:
    shift = 0
    group: list[_Change] = []
    for change in [*changes, None]:
        if group and (change is None or change.start - (group[-1].start + len(group[-1].old)) > 2 * _CONTEXT):
            yield _hunk(lines, group, shift)
            shift += sum(len(each.new) - len(each.old) for each in group)
            group = []
        if change is not None:
            group.append(change)


def _hunk(lines: list[bytes], group: list[_Change], shift: int) -> bytes:
    begin = max(0, group[0].start - _CONTEXT)
    end = min(len(lines), group[-1].start + len(group[-1].old) + _CONTEXT)
    body: list[bytes] = []
    position = begin
    added = 0
    for change in group:
        body += (_shown(b" ", line) for line in lines[position : change.start])
        body += (_shown(b"-", line) for line in change.old)
        body += (_shown(b"+", line) for line in change.new)
        position = change.start + len(change.old)
        added += len(change.new) - len(change.old)
    body += (_shown(b" ", line) for line in lines[position:end])
    count = end - begin
    old = b"%d,%d" % (begin + (count > 0), count)
    new = b"%d,%d" % (begin + shift + (count + added > 0), count + added)
    return b"@@ -" + old + b" +" + new + b" @@\n" + b"".join(body)


def _shown(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + _NO_NEWLINE
