"""SDI201 to SDI302: numbers that a body could have, and this one hardly has."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.description.numbers import parse_numbers
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.rules.facts import LinkFacts
from sdfinertia.rules.rule import Fault, Level, Mender, Rule

# Of the diagonal: a centre of mass may lie on the surface, and the surface is drawn as roughly as this.
_OUTSIDE = 0.01
# Of the bounding radius: a gyradius is never above it; visuals leave out what is inside, not what reaches out.
_TOO_HEAVY_TO_TURN = 2.0
# kg/m³: below it lies aerogel, above it the densest metals.
_LIGHTEST, _DENSEST = 1.0, 25_000.0
_LARGEST_MASS_RATIO = 100.0


def _hand_written(facts: LinkFacts) -> SpatialInertia | None:
    """The explicit inertia, if it was not computed by us: what was is what its geometry gives."""
    return facts.explicit if facts.provenance is None else None


def _centre_outside(facts: LinkFacts) -> Iterator[Fault]:
    inertia = _hand_written(facts)
    bounds = facts.bounds if inertia is not None else None
    if inertia is None or bounds is None:
        return
    distance = bounds.distance_outside(inertia.p_BoBcm_B)
    if distance > _OUTSIDE * bounds.diagonal:
        yield Fault(
            f"has its centre of mass {distance:.3g} m outside the box of its collisions and visuals",
            "the pose of an <inertial> is in the link's frame, in metres",
        )


def _gyradius(facts: LinkFacts) -> Iterator[Fault]:
    inertia = _hand_written(facts)
    if inertia is None or facts.is_static or not inertia.gyradius > 0.0:
        return
    bounds = facts.bounds
    if bounds is not None and inertia.gyradius > _TOO_HEAVY_TO_TURN * bounds.diagonal / 2:
        yield Fault(
            f"has a gyradius of {inertia.gyradius:.3g} m, and its collisions and visuals a bounding radius of "
            f"{bounds.diagonal / 2:.3g} m: no body of that size turns so heavily",
            facts.fill_command("--all") if facts.has_volume else "measure its tensor again; its unit is kg·m²",
        )


def _density(facts: LinkFacts) -> Iterator[Fault]:
    inertia, computation = _hand_written(facts), None
    if inertia is not None and inertia.mass > 0.0:
        computation = facts.geometry
    if inertia is None or computation is None:
        return
    volume = computation.volume
    density = inertia.mass / volume
    if not _LIGHTEST <= density <= _DENSEST:
        yield Fault(
            f"has a mass of {inertia.mass:.4g} kg in {volume:.4g} m³ of collisions, a density of {density:.3g} kg/m³",
            "are lengths in millimetres, or masses in grams?",
        )


def _tensor(facts: LinkFacts) -> Iterator[Fault]:
    inertia = _hand_written(facts)
    computation = facts.geometry if inertia is not None and inertia.mass > 0.0 else None
    if inertia is None or computation is None:
        return
    expected = computation.inertia.inertia.scaled_to_mass(inertia.mass).I_BBcm_B
    largest = max(expected[:3])
    difference = max(abs(a - b) for a, b in zip(inertia.I_BBcm_B, expected, strict=True)) / largest
    if difference > facts.options.tolerance:
        yield Fault(
            f"has a tensor that differs by {100 * difference:.3g} % of the largest moment from that of its collisions "
            "at the same mass",
            facts.fill_command("--all"),
        )


def _spin(facts: LinkFacts) -> Iterator[Fault]:
    from sdfinertia.inertia.spin_stability import (
        DIRECTION,
        DURATION,
        GAIN,
        MOST_STEPS,
        energy_gain,
        largest_stable_rate,
    )

    inertia, step = facts.explicit, facts.step
    if inertia is None or step is None or facts.is_static or not inertia.is_physically_valid():
        return
    moments, rate = inertia.principal_moments(), facts.options.spin
    duration = min(DURATION, MOST_STEPS * step)
    try:
        turn = (rate * DIRECTION[0], rate * DIRECTION[1], rate * DIRECTION[2])
        gain = energy_gain(moments, turn, step, duration)
        if gain <= GAIN:
            return
        stable = largest_stable_rate(moments, DIRECTION, step, duration)
        implicit = energy_gain(moments, turn, step, duration, scheme="implicit")
    except SdfInertiaError:
        return
    grown = f"{100 * gain:.3g} %" if gain < 1e6 else "without bound"
    yield Fault(
        f"turning freely at {rate:g} rad/s, gains {grown} energy in {duration:g} s under the explicit gyroscopic step "
        f"(ODE's) of {step:g} s; it stays below {100 * GAIN:g} % up to {stable:.3g} rad/s (the implicit step changes "
        f"it by {100 * implicit:.2g} %)",
        "take a smaller max_step_size, or an engine with an implicit step",
    )


def _mass_ratio(facts: LinkFacts) -> Iterator[Fault]:
    own = _stated_mass(facts)
    for joint, other in facts.link.parent_joints(facts.surroundings) if own is not None else ():
        if own is not None and other is not None and max(own, other) > _LARGEST_MASS_RATIO * min(own, other):
            yield Fault(
                f"has {own:.4g} kg, and its parent at joint {joint!r} {other:.4g} kg: solvers lose accuracy above a "
                f"ratio of {_LARGEST_MASS_RATIO:g}",
                "share the masses out more evenly, or merge the links",
            )


def _stated_mass(facts: LinkFacts) -> float | None:
    numbers = parse_numbers(facts.link.mass_text() or "")
    return numbers[0] if numbers is not None and len(numbers) == 1 and numbers[0] > 0.0 else None


RULES = (
    Rule(
        code="SDI201",
        name="centre-outside-shape",
        level=Level.WARNING,
        is_default=False,
        mender=Mender.NONE,
        fails_run=False,
        tags=("plausibility",),
        what=(
            "A centre of mass lies outside the box of the link's collisions and visuals by more than 1 % of its "
            "diagonal."
        ),
        why="The pose is often in another frame, or in millimetres; the body swings about a point in the air.",
        example="<pose>12 0 3 0 0 0</pose> in a link 0.1 m long",
        fix="Give the pose in the link's frame, in metres.",
        find=_centre_outside,
    ),
    Rule(
        code="SDI202",
        name="gyradius-beyond-shape",
        level=Level.WARNING,
        is_default=True,
        mender=Mender.NONE,
        fails_run=False,
        tags=("plausibility",),
        what="A gyradius is more than twice the bounding radius of the link's collisions and visuals.",
        why="No body of that size turns so heavily; the tensor is a default, or in other units.",
        example="<ixx>1</ixx> at 0.01 kg in a box of 0.1 m",
        fix="Compute it with `sdfinertia fill --all`.",
        find=_gyradius,
    ),
    Rule(
        code="SDI203",
        name="implausible-density",
        level=Level.WARNING,
        is_default=False,
        mender=Mender.NONE,
        fails_run=False,
        tags=("plausibility",),
        what="The mass and the volume of the collisions give a density outside 1 to 25,000 kg/m³.",
        why="Lengths may be in millimetres, or masses in grams.",
        example="<mass>2000</mass> in a box of 0.1 m",
        fix="Mend the unit.",
        find=_density,
    ),
    Rule(
        code="SDI204",
        name="tensor-differs-from-geometry",
        level=Level.WARNING,
        is_default=False,
        mender=Mender.NONE,
        fails_run=False,
        tags=("plausibility",),
        what="A tensor differs from that of the collisions at the same mass by more than the tolerance (10 %).",
        why="Collisions are often simpler than the part; a large difference is often a mistake.",
        example="the tensor of a box in a link whose collision is a ball",
        fix="Compute it with `sdfinertia fill --all`, or allow more with --tolerance.",
        find=_tensor,
    ),
    Rule(
        code="SDI301",
        name="spin-instability",
        level=Level.WARNING,
        is_default=False,
        mender=Mender.NONE,
        fails_run=False,
        tags=("simulation",),
        what="Turning freely, the body gains more than 1 % energy in 10 s under ODE's explicit gyroscopic step.",
        why="Such bodies spin faster and faster until the simulation breaks.",
        example="a slender rotor at a step of 1 ms and 100 rad/s",
        fix="Take a smaller max_step_size, or an engine with an implicit step.",
        find=_spin,
    ),
    Rule(
        code="SDI302",
        name="mass-ratio-across-joint",
        level=Level.WARNING,
        is_default=False,
        mender=Mender.NONE,
        fails_run=False,
        tags=("simulation",),
        what="Two links that a joint connects differ in mass by more than a factor of 100.",
        why="Iterative solvers converge badly, and the joint stretches.",
        example="a 50 kg arm on a 0.1 kg bracket",
        fix="Share the masses out more evenly, or merge the links.",
        find=_mass_ratio,
    ),
)
