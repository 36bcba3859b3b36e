"""What a run did, as lines of plain text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sdfinertia.documents.filling import FillResult
from sdfinertia.errors import Location, printable
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.body import Body
from sdfinertia.links.result import LinkResult, Status

if TYPE_CHECKING:
    from sdfinertia.links.inputs import DensitySource

# Beside a number this much larger, a small one is rounding.
_NOISE = 1e-12
# What is written has twelve digits; a change below this is none.
_SAME = 1e-9


def _source(source: DensitySource) -> str:
    # Loaded where a collision is told of, which has loaded it.
    from sdfinertia.links.inputs import DensitySource

    match source:
        case DensitySource.COLLISION:
            return "of the collision"
        case DensitySource.LINK:
            return "of the link"
        case DensitySource.OPTION:
            return "by --density"
        case DensitySource.DEFAULT:
            return "by default"


def report_lines(result: FillResult, *, verbose: bool = False) -> Iterator[str]:
    """The lines on one file: a heading, then each link that was filled or that something is to be said of."""
    yield from warning_lines(result)
    if result.errors and not result.changed:
        yield from (f"{result.path}: note: {note}" for note in result.notes)
        yield f"{result.path}: nothing is written, since {len(result.errors)} of its links failed"
        return
    said = [link for link in result.links if link.status is not Status.FAILED]
    if not said and not result.notes:
        return
    yield result.path
    for note in result.notes:
        yield f"  note: {note}"
    for link in said:
        yield from _link_lines(link, verbose=verbose)


def brief_lines(result: FillResult) -> Iterator[str]:
    """One line on one file: how many links were filled, or left although something is to be said of them."""
    statuses = Counter(link.status for link in result.links if link.status is not Status.FAILED)
    if result.errors and not result.changed:
        yield f"{result.path}: nothing is written, since {len(result.errors)} of its links failed"
    elif statuses:
        (first, count), *others = statuses.items()
        told = [f"{count} link{'' if count == 1 else 's'} {first}", *(f"{count} {status}" for status, count in others)]
        yield f"{result.path}: {', '.join(told)}"


def warning_lines(result: FillResult) -> Iterator[str]:
    """A line for each thing of the file that is near certainly wrong, which is said even where little is."""
    for link in result.links:
        for warning in link.warnings:
            place = warning.location or Location(result.path, link.line, 1)
            yield printable(f"{place}: warning: link {link.name!r}: {warning}")


def _link_lines(link: LinkResult, *, verbose: bool) -> Iterator[str]:
    yield f"  {link.name}  {link.status}"
    if link.inertia is not None:
        yield from (f"    {label:<10}{value}" for label, value in quantities(link))
    if verbose or link.inertia is not None:
        for part in link.collisions:
            yield f"    {'from':<10}{describe_part(part)}"
    for note in link.notes:
        yield f"    {'note':<10}{note}"


def quantities(link: LinkResult) -> list[tuple[str, str]]:
    """Mass, centre and principal moments of a link, each with what it was before, as label and text.

    Moments stand by axis, that nearest x first, here as in every report, where equivalent boxes stand by axis too.
    """
    new, old = link.inertia, link.before
    if new is None:
        return []
    mass = f"{number(new.mass)} kg" + (" (given)" if link.mass_given else "")
    centre = numbers(new.p_BoBcm_B) + " m"
    moments = numbers(new.principal().moments) + " kg·m²"
    if old is not None:
        same = abs(new.mass - old.mass) <= _SAME * new.mass
        mass += "   as before" if same else f"   was {number(old.mass)}{_relative(new.mass, old.mass)}"
        moved = _distance(new, old)
        same = moved <= _SAME * max(1e-300, new.gyradius)
        centre += "   as before" if same else f"   was {numbers(old.p_BoBcm_B)}, moved {number(moved)} m"
        change = tensor_change(new, old)
        if change <= 100.0 * _SAME:
            moments += "   as before"
        elif math.isinf(change):
            moments += "   was zero"
        else:
            moments += f"   was {numbers(old.principal().moments)}, tensor changed by {change:.3g} % of the largest"
    return [("mass", mass), ("centre", centre), ("principal", moments)]


def describe_part(part: Body) -> str:
    """One line on what a collision adds, by which method, and where its density came from."""
    faces = f" of {part.faces:,} faces" if part.faces else ""
    method = "" if part.method == "exact" and not part.faces else f", {part.method}"
    return (
        f"{part.name}: {part.shape}{faces}{method}, "
        f"{number(part.density)} kg/m³ {_source(part.density_source)}, {number(part.inertia.mass / part.density)} m³"
    )


def tensor_change(new: SpatialInertia, old: SpatialInertia) -> float:
    """The largest change of an entry of the tensor, in per cent of the largest old one; infinite where that is zero."""
    scale = max(abs(value) for value in old.I_BBcm_B)
    if scale == 0.0:
        return math.inf
    return 100.0 * max(abs(a - b) for a, b in zip(new.I_BBcm_B, old.I_BBcm_B, strict=True)) / scale


def _distance(new: SpatialInertia, old: SpatialInertia) -> float:
    return math.sqrt(math.fsum((a - b) ** 2 for a, b in zip(new.p_BoBcm_B, old.p_BoBcm_B, strict=True)))


def _relative(new: float, old: float) -> str:
    if old == 0.0:
        return ""
    return f" ({100.0 * (new - old) / old:+.3g} %)"


def number(value: float) -> str:
    """A number as reports show it."""
    return f"{value:.6g}" if value else "0"


def numbers(values: tuple[float, ...]) -> str:
    """Numbers side by side; what is rounding beside the largest is shown as zero."""
    noise = _NOISE * max(abs(value) for value in values)
    return " ".join(number(value if abs(value) > noise else 0.0) for value in values)
