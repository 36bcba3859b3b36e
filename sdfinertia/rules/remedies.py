"""What to do about numbers that are wrong: only what makes the body better when it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.harm import harm_of
from sdfinertia.links.study import Study
from sdfinertia.robot.values import COLLISION, VISUAL, Command, SolidKind
from sdfinertia.shapes import bounds_around

if TYPE_CHECKING:
    from sdfinertia.rules.rule import LinkFacts, Why
    from sdfinertia.shapes import Bounds

# Of the edges of boxes: collisions that differ more from the visuals, either way, stand in for the part.
_ALIKE = 1.5
# Of the diagonal: an edge below it is that of a sheet, whose thickness nobody draws.
_SHEET = 0.01
# kg/m³ at the written mass: hollow parts have 50 and more, and no metal has more than the last; what is lighter than
# any foam has the wrong mass.
_LIGHTEST_FOAM, _LIGHTEST, _DENSEST = 10.0, 50.0, 25_000.0
# Diagonal of a box (m): what is smaller marks a place.
_MARKER = 0.005
# Of the mass that it is fixed to: what a frame was given so that parsers accept it.
_NOMINAL = 0.01
# Causes that are no mistake of anybody's: the numbers stay.
_RIGHT = frozenset({"identified-parameters"})

WRITE_TENSOR = "write the tensor of the part into its <inertia>, in kg·m²"
REPAIR = ("sdfinertia", "repair")


def for_numbers(facts: LinkFacts) -> str | Command:
    """What to do about written numbers by the geometry alone; see `for_cause`."""
    if facts.provenance is not None:
        # It was filled from these collisions; what was edited is its author's also under --all.
        option = "--overwrite-edited" if facts.study.is_edited else "--all"
        return facts.fill_advice(option, otherwise=WRITE_TENSOR)
    mass = facts.written.inertia.mass if facts.written is not None and facts.link.mass_text() is not None else None
    if mass is not None and not mass > 0.0:
        return "write the mass and the tensor of the part"
    if mass is not None and _is_frame(facts, mass):
        return "delete its <inertial>: it is a frame, and what it is fixed to has the mass"
    if not facts.link.has_solids(COLLISION):
        return _from_visuals(facts, mass)
    if not facts.has_volume:
        return WRITE_TENSOR
    if facts.obstacle is not None:
        return facts.fill_advice(otherwise=WRITE_TENSOR)
    doubt = (
        _doubt_of_shape(facts)
        or _doubt_of_density(facts.study, mass, "collisions")
        or _doubt_of_result(facts.study, "collisions")
    )
    return doubt or facts.command("fill", "--all")


def for_overlaps(facts: LinkFacts) -> str | Command:
    """What to do about volume that counts twice; a hand-written tensor is replaced only for the better."""
    advice = for_numbers(facts) if not facts.is_auto else facts.command("fill")
    if not isinstance(advice, Command):
        return advice
    return advice._replace(words=(*advice.words, "--overlaps", "union"))


def for_cause(facts: LinkFacts, advice: str | Command, why: Why) -> str | Command:
    """What to do once the numbers were searched for a cause, `advice` where that says nothing."""
    if not why.obstacle:
        return facts.command(*REPAIR[1:])
    likeliest = why.explanations[0] if why.explanations else None
    if likeliest is None or not likeliest.is_likely:
        return advice
    if likeliest.cause in _RIGHT:
        return ""
    return "correct the geometry, not the numbers" if likeliest.source == "elsewhere" else advice


def _is_frame(facts: LinkFacts, mass: float) -> bool:
    """Whether a link only marks a place on another, and its mass is nominal."""
    try:
        box = facts.study.bounds
    except SdfInertiaError:
        return False
    is_drawn = facts.link.has_solids(COLLISION) or facts.link.has_solids(VISUAL)
    is_marker = box.diagonal <= _MARKER if box is not None else not is_drawn
    return is_marker and mass <= _NOMINAL * facts.link.mass_of_others_merged()


def _from_visuals(facts: LinkFacts, mass: float | None) -> str | Command:
    """`fill` takes visuals only where there are no collisions."""
    if not facts.link.has_solids(VISUAL):
        return WRITE_TENSOR
    study = Study(facts.link, facts.options.replaced({"geometry": "visual"}), facts.context)
    try:
        # What cannot be computed is not filled either.
        study.computed.text()
    except SdfInertiaError:
        return WRITE_TENSOR
    finally:
        facts.context.forget_contents()
    doubt = (
        _doubt_of_size(_box(study, VISUAL), "visuals")
        or _doubt_of_density(study, mass, "visuals")
        or _doubt_of_result(study, "visuals")
    )
    return doubt or facts.command("fill", "--all", "--geometry", "visual")


def _doubt_of_shape(facts: LinkFacts) -> str:
    """Why the collisions are not the shape of the part; "" where they may be."""
    collisions = _box(facts.study, COLLISION)
    doubt = _doubt_of_size(collisions, "collisions")
    if doubt or collisions is None or not facts.link.has_solids(VISUAL):
        return doubt
    drawn = _box(facts.study, VISUAL)
    if drawn is None:
        return "take its tensor from CAD: its visuals cannot be read, and its collisions may be a stand-in"
    factor = _largest_factor(collisions, drawn)
    if factor <= _ALIKE:
        return ""
    return f"take its tensor from CAD: its collisions are a stand-in, off its visuals by a factor of {factor:.3g}"


def _doubt_of_size(box: Bounds | None, what: str) -> str:
    if box is None:
        return WRITE_TENSOR
    if box.diagonal <= _MARKER:
        return f"take its mass and tensor from CAD: its {what} are a marker of {1000 * box.diagonal:.2g} mm"
    return ""


def _doubt_of_density(study: Study, mass: float | None, what: str) -> str:
    if mass is None:
        return ""
    density = mass / study.computed.volume
    if _LIGHTEST <= density <= _DENSEST:
        return ""
    if density < _LIGHTEST_FOAM:
        return f"correct its mass: {mass:.4g} kg in its {what} is {density:.2g} kg/m³, less than any foam"
    why = f"at {mass:.4g} kg its {what} have {density:.4g} kg/m³, and are a stand-in"
    return f"take its tensor from CAD: {why}"


def _doubt_of_result(study: Study, what: str) -> str:
    """Why what is computed is worse than what is written; "" where it is not."""
    problem = harm_of(study, study.computed.inertia, lambda link: Study(link, study.options, study.context))
    return f"take its tensor from CAD: from its {what}, {problem}" if problem else ""


def _largest_factor(one: Bounds, other: Bounds) -> float:
    """By how much the edges of the box round both exceed those of either, at most."""
    around = bounds_around((one, other))
    least = _SHEET * around.diagonal
    return max(
        max(whole, least) / max(size, least)
        for box in (one, other)
        for whole, size in zip(around.sizes, box.sizes, strict=True)
    )


def _box(study: Study, kind: SolidKind) -> Bounds | None:
    try:
        return study.bounds_of(kind)
    except SdfInertiaError:
        return None


def is_repair(advice: str | Command) -> bool:
    return isinstance(advice, Command) and advice.words[:2] == REPAIR
