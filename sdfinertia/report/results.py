"""Results of `fill`, `repair`, `scale` and `mesh` as lines of text, and as counts with an exit status."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from sdfinertia.errors import Location, counted, noted, printable
from sdfinertia.inertia import SpatialInertia
from sdfinertia.links.inputs import Body, DensitySource, Status
from sdfinertia.options import Options
from sdfinertia.report import ExitStatus
from sdfinertia.report.quantities import SAME, centre_of, mass_of, principal_moments_of, tensor_change
from sdfinertia.robot.numbers import number, numbers

if TYPE_CHECKING:
    from sdfinertia.documents.filling import FillResult
    from sdfinertia.documents.link_results import LinkResult
    from sdfinertia.documents.meshes import MeshFacts

_SOURCES = {
    DensitySource.COLLISION: "of the collision",
    DensitySource.LINK: "of the link",
    DensitySource.OPTION: "by --density",
    DensitySource.DEFAULT: "by default",
}


def result_lines(result: FillResult, verbosity: int, *, brief: bool, writes: bool) -> Iterator[str]:
    if verbosity >= 0 and not brief and (result.links or result.notes):
        return report_lines(result, verbose=verbosity > 0, writes=writes)
    return chain(brief_lines(result) if brief else (), warning_lines(result))


def report_lines(result: FillResult, *, verbose: bool = False, writes: bool = True) -> Iterator[str]:
    yield from warning_lines(result)
    if result.errors and not result.changed:
        yield from (f"{result.path}: {noted(note)}" for note in result.notes)
        yield _nothing_written(result)
        return
    said = [link for link in result.links if link.status is not Status.FAILED]
    if said or result.notes:
        yield result.path
    yield from (f"  {noted(note)}" for note in result.notes)
    for link in said:
        yield from _link_lines(link, verbose=verbose, writes=writes)


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
    for link in result.links:
        for warning in link.warnings:
            place = warning.location or Location(result.path, link.line, 1)
            yield printable(f"{place}: warning: link {link.name!r}: {warning}")


def _link_lines(link: LinkResult, *, verbose: bool, writes: bool) -> Iterator[str]:
    would = "" if writes or link.status not in (Status.FILLED, Status.REFILLED, Status.REPAIRED) else "would be "
    notes = list(link.notes)
    best = link.why.explanations[0] if link.why is not None and link.why.explanations else None
    if verbose and best is not None and not best.is_likely and link.status is Status.LEFT:
        notes.append(f"best guess: {best.cause}, {best.sureness}")
    is_left = link.status in (Status.LEFT, Status.EDITED, Status.STALE) and bool(link.notes)
    yield f"  {link.name}  {notes.pop(0) if is_left else f'{would}{link.status}'}"
    lines = quantities(link)
    if verbose or link.inertia is not None:
        lines += (("from", part) for part in described_parts(link.collisions, link.inertia))
    lines += (("note", note) for note in notes)
    yield from (f"    {label:<10}{value}" for label, value in lines)


def quantities(link: LinkResult) -> list[tuple[str, str]]:
    """Mass, centre and principal moments (by axis, nearest x, y, z) with the former ones, as label and text."""
    new, old = link.inertia, link.before
    if new is None:
        return []
    mass = mass_of(new).text + (" (given)" if link.mass_given else "")
    centre, moments = centre_of(new).text, principal_moments_of(new).text
    if old is not None:
        by = f" ({100.0 * (new.mass - old.mass) / old.mass:+.3g} %)" if old.mass else ""
        moved = math.dist(new.p_BoBcm_B, old.p_BoBcm_B)
        before = centre_of(old)._replace(scale=new.gyradius).text
        change = tensor_change(new, old)
        changed = f"was {principal_moments_of(old).text}, tensor changed by {change:.3g} % of its largest"
        mass += _was(f"was {mass_of(old).text}{by}", is_same=abs(new.mass - old.mass) <= SAME * new.mass)
        centre += _was(f"was {before}, moved by {number(moved)} m", is_same=moved <= SAME * max(1e-300, new.gyradius))
        moments += _was("was zero" if math.isinf(change) else changed, is_same=change <= 100.0 * SAME)
    return [("mass", mass), ("centre", centre), ("principal", moments)]


def _was(words: str, *, is_same: bool) -> str:
    return "   unchanged" if is_same else f"   {words}"


def described_parts(parts: Sequence[Body], inertia: SpatialInertia | None) -> Iterator[str]:
    """A line on each collision: its shape, method, density (that of the given mass of the link too) and volume."""
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


def scaled_line(link: LinkResult) -> str:
    before, after = link.before, link.inertia
    if link.status is Status.LEFT or before is None or after is None:
        return f"{link.name}: unchanged"
    moments = [" ".join(f"{moment:.6g}" for moment in body.principal().moments) for body in (before, after)]
    change = f"{link.name}: {before.mass:.6g} → {after.mass:.6g} kg, {moments[0]} → {moments[1]} kg·m²"
    return "; ".join((change, *link.notes))


# Counts ---------------------------------------------------------------------------------------------------------------

_DONE = (Status.FILLED, Status.REFILLED, Status.REPAIRED)


def counts_of(result: FillResult) -> Counter[str]:
    """The results for a file; the counts of several files can be added."""
    counts = Counter("filled" if link.status in _DONE else str(link.status) for link in result.links)
    counts["default_densities"] = sum(link.assumes_density for link in result.links)
    counts["matched"] = result.untouched + len(result.links)
    counts["changed"] = sum(file.changed for file in (result, *result.others))
    counts["refused"] = int(bool(result.errors))
    counts["unchanged"] = int(not counts["changed"] and not counts["refused"])
    counts["unwritten"] = result.unwritten
    return +counts


def status_of(counts: Counter[str], *, fails_on_change: bool) -> ExitStatus:
    if counts["refused"] or counts["unwritten"]:
        return ExitStatus.REFUSED
    return ExitStatus.FINDINGS if fails_on_change and counts["changed"] else ExitStatus.DONE


def lines_of_counts(
    counts: Counter[str], done: str, notes: Iterable[str], options: Options | None, *, writes: bool
) -> Iterator[str]:
    """`done` is the verb of the last line, "" for none; with `options`, advice on how links are chosen."""
    if number := counts["default_densities"]:
        filled = f"{counted(number, 'link')} filled at the default density, 1000 kg/m³"
        yield f"{filled}: give <density> in the file, or --density (--require-density refuses the default)."
    yield from notes
    if options is not None:
        yield from _asking_lines(counts, options)
    if not done:
        return
    would = "" if writes else "would be "
    parts = (
        ("changed", f"{counted(counts['filled'], 'link')} {would}{done} in {counted(counts['changed'], 'file')}"),
        ("unchanged", f"{counted(counts['unchanged'], 'file')} {would}unchanged"),
        ("edited", f"{counted(counts['edited'], 'edited link')} kept"),
        ("stale", f"{counted(counts['stale'], 'stale link')} kept"),
        ("failed", f"{counted(counts['failed'], 'link')} failed"),
        ("unwritten", f"{counted(counts['unwritten'], 'block')} to paste by hand"),
        ("refused", f"{counted(counts['refused'], 'file')} refused"),
    )
    yield (", ".join(text for what, text in parts if counts[what]) or "nothing to do") + "."


def _asking_lines(counts: Counter[str], options: Options) -> Iterator[str]:
    """How links are chosen, where none requested to be filled and none was filled before."""
    if any(counts[name] for name in ("filled", "edited", "stale", "failed", "refused", "unwritten", "managed")):
        return
    missing = 0 if options.missing else counts["missing"]
    written = 0 if options.all else counts["all"]
    ways = [f"--missing fills {counted(missing, 'link')} without <inertial>"] if missing else []
    if written:
        ways.append(f"--all computes {counted(written, 'hand-written inertial')} again, keeping the masses")
    if ways:
        request = 'write <inertial auto="true"> (SDF) or <!-- sdfinertia: auto --> (URDF, MJCF) in a link'
        yield f"no link asks to be filled: {request}; {'; '.join(ways)}"


# Mesh files -----------------------------------------------------------------------------------------------------------


def mesh_lines(facts: MeshFacts) -> Iterator[str]:
    yield facts.path
    yield from (f"  {label:<14}{text}" for label, text in (*_form(facts), *_faults(facts), *_mass_properties(facts)))
    yield from (f"  {line}" for line in facts.refusal.splitlines())
    yield from (f"  {'note':<14}{note}" for note in facts.notes)


def weighed_line(facts: Sequence[MeshFacts], refused: int) -> str:
    weighed = sum(each.inertia is not None for each in facts)
    counts = {"weighed": weighed, "without a mass": len(facts) - weighed, "refused": refused}
    told = (f"{count:,} {name}" for name, count in counts.items() if count)
    return f"{counted(sum(counts.values()), 'file')}: {', '.join(told)}."


def _form(facts: MeshFacts) -> Iterator[tuple[str, str]]:
    found = facts.diagnosis
    size = tuple(high - low for low, high in zip(found.lower, found.upper, strict=True))
    suspicion = ", which may be millimetres" if found.may_be_millimetres else ""
    volume = "not defined" if found.volume is None else f"{number(found.volume)} m³"
    hull = "flat" if found.hull_volume is None else f"{number(found.hull_volume)} m³"
    yield "faces", f"{found.faces:,} on {found.vertices:,} vertices"
    yield "bodies", f"{found.bodies}" + (f", {found.cavities} cavities" if found.cavities else "")
    yield "bounds", f"{numbers(found.lower)} to {numbers(found.upper)} m, size {numbers(size)} m{suspicion}"
    yield "area", f"{number(found.surface_area)} m²"
    yield "volume", f"{volume}, convex hull {hull}"


def _faults(facts: MeshFacts) -> Iterator[tuple[str, str]]:
    found = facts.diagnosis
    if found.open_edges:
        places = ", ".join(f"({numbers(place)})" for place in found.open_positions)
        yield "open edges", f"{found.open_edges:,} around {counted(found.boundary_loops, 'hole')}, at {places}"
    counts = (
        ("non-manifold", found.non_manifold_edges, "edges with more than two faces"),
        ("winding", found.inconsistent_faces, "faces disagree with their neighbours"),
        ("inside out", found.inside_out_bodies, "bodies face inward"),
        ("degenerate", found.degenerate_faces, "faces have no area"),
        ("repeated", found.duplicate_faces, "faces are listed twice"),
    )
    yield from ((label, f"{count:,} {what}") for label, count, what in counts if count)
    if found.double_sided_share:
        yield "double-sided", f"{100 * found.double_sided_share:.3g} % of the faces"
    if found.one_sided:
        yield "one-sided", "a part has only one side, like a Möbius strip"


def _mass_properties(facts: MeshFacts) -> Iterator[tuple[str, str]]:
    inertia = facts.inertia
    if inertia is None:
        return
    tensor = inertia.I_BBcm_B
    entries = [*map(number, tensor[:3]), *numbers(tensor[3:], size=tensor.trace).split(" ")]
    yield "mass", f"{mass_of(inertia).text} at {number(facts.density)} kg/m³, {facts.method}"
    yield "centre", centre_of(inertia).text
    yield from ((name, f"{value} kg·m²") for name, value in zip(tensor._fields, entries, strict=True))
    yield "principal", principal_moments_of(inertia).text
