"""SDI201 to SDI302: numbers that are possible, and improbable for this link or simulation."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf, prod, sqrt

from sdfinertia.errors import InertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia import spin_stability as spins
from sdfinertia.inertia.nearest_valid import largest_factor, relative_moments
from sdfinertia.links import Study
from sdfinertia.links.body import Computed
from sdfinertia.links.solids import weighs_by_default
from sdfinertia.robot import VISUAL, attempt, known
from sdfinertia.robot.inertial import MASS, POSE
from sdfinertia.robot.numbers import number, parse_number
from sdfinertia.robot.problems import Problem
from sdfinertia.rules.remedies import tensor_problem
from sdfinertia.rules.rule import COMPUTE_IT, rule
from sdfinertia.shapes import Bounds

# Of the diagonal: a centre of mass may lie on the surface, and the surface is drawn as roughly as this.
_OUTSIDE = 0.01
# Ratio to the bounding radius, which a gyradius never exceeds: visuals lack inner parts, not protruding ones.
_TOO_HEAVY_TO_TURN = 2.0
# kg/m³: below it lies aerogel, above it the densest metals.
_LIGHTEST, DENSEST = 1.0, 25_000.0
_OTHER_UNITS = "are lengths in millimetres, or masses in grams"
_LARGEST_MASS_RATIO = 100.0
# Ratio to half the diagonal: a solid ball has 0.37, a mass in the middle of a long link 0.1. On real links all below
# this are mistakes, and at 1/10 some are not.
_TOO_LIGHT_TO_TURN = 1 / 20
# Factor of lengths, and padding: shapes are drawn roughly, and below a factor of 1.5 right links are found too.
_SLACK, _PADDING = 2.0, 0.05
# Of the diagonal, so that three digits of the two moments of a thin plate that nearly cancel are no thickness.
_LEAST_PADDING = 0.01
# kg/m³ of the whole box at the written mass: four fifths of steel. Denser links are drawn only in part, as motors
# behind a cover are; links that are drawn whole have some 100 to 2,000.
_DENSEST_BOX = 6_200.0
# Part of the diagonal below which an edge is flat.
_FLAT = 1e-3
# Of the diagonal; boxes of a smaller diagonal (m) are those of frames, drawn as a dot.
_FAR_OUTSIDE, _OMITTED, _DOT = 0.5, 0.1, 0.005
# Factor of moments, either way: parts are hollow, and drawn simpler than they are; below it too many right ones differ.
FAR = 3.0
# Factor of moments that are too small: a propeller with its motor has a sixth of the moment of its blades at that mass.
FAR_LIGHTER = 7.0
# Part of the largest moment that a slender part may have more about its long axis.
_THICKER = 0.03
# From this factor on messages show the numbers themselves.
NO_FACTOR = 1e3
_MOMENTS = ("ixx", "iyy", "izz")


@rule(
    "SDI201",
    is_default=False,
    what="A centre of mass lies outside the box of the link's collisions and visuals by more than 1 % of its diagonal.",
    why="The pose is often in another frame, or in millimetres; the body swings about a point in the air.",
    example="<pose>12 0 3 0 0 0</pose> in a link 0.1 m long",
    fix="Give the pose in the link's frame, in metres.",
)
def centre_outside_shape(study: Study) -> Iterator[Problem]:
    inertia = study.hand_written
    if inertia is not None and study.box is not None:
        yield from _outside(study, inertia, study.box, _OUTSIDE)


@rule(
    "SDI208",
    what="A centre of mass lies outside the box of collisions and visuals by more than half of its diagonal, or by a "
    "tenth where no place of it is written. Selected by its code, also where that box would be a block of steel, as "
    "links drawn only in part.",
    why="The pose is in millimetres, or in the frame of the model; the body swings about a point in the air.",
    example="<pose>12 0 3 0 0 0</pose> in a link 0.1 m long",
    fix="Give the pose in the link's frame, in metres.",
)
def centre_far_outside(study: Study) -> Iterator[Problem]:
    for inertia, bounds in _turning(study):
        is_drawn = study.is_selected_by_name("SDI208") or not _is_drawn_in_part(inertia, bounds)
        if is_drawn and not bounds.diagonal < _DOT:
            also = f", {bounds.diagonal:.3g} m across"
            is_written = study.link.inertial is not None and study.link.inertial.pose_element is not None
            yield from _outside(study, inertia, bounds, _FAR_OUTSIDE if is_written else _OMITTED, also)


def _outside(study: Study, inertia: SpatialInertia, bounds: Bounds, part: float, also: str = "") -> Iterator[Problem]:
    distance = bounds.distance_outside(inertia.p_BoBcm_B)
    # A missing visual may be at the centre.
    if distance > part * bounds.diagonal and not study.unreadable(VISUAL):
        message = f"centre of mass {distance:.3g} m outside the box of its shapes{also}"
        remedy = f"the {study.link.phrases.inertial_pose} of an <inertial> is in the link's frame, in metres"
        yield Problem(message, remedy, study.link.inertial_location(POSE))


def _turning(study: Study) -> Iterator[tuple[SpatialInertia, Bounds]]:
    inertia = study.hand_written
    if inertia is not None and not study.is_static and inertia.gyradius > 0.0 and study.box is not None:
        yield inertia, study.box


def _is_drawn_in_part(inertia: SpatialInertia, bounds: Bounds) -> bool:
    return inertia.mass > _DENSEST_BOX * box_volume(bounds)


def box_volume(bounds: Bounds, least: float = _LEAST_PADDING) -> float:
    """The volume (m³) where no edge is shorter than a part of the diagonal."""
    return prod(max(size, least * bounds.diagonal) for size in bounds.sizes)


@rule(
    "SDI202",
    what="A radius of gyration is more than twice the bounding radius of the link's collisions and visuals.",
    why="Physically impossible for a body of that size; the tensor is a default, or in other units.",
    example="<ixx>1</ixx> at 0.01 kg in a box of 0.1 m",
    fix=COMPUTE_IT,
)
def inertia_beyond_shape(study: Study) -> Iterator[Problem]:
    for inertia, bounds in _turning(study):
        radius, size = inertia.gyradius, bounds.diagonal
        if radius > _TOO_HEAVY_TO_TURN * size / 2:
            yield tensor_problem(study, f"radius of gyration {radius:.3g} m exceeds the part's {size:.3g} m")


@rule(
    "SDI207",
    what="A radius of gyration is below a twentieth of the bounding radius of the link's collisions and visuals.",
    why="As if all mass were at one point; the tensor is a placeholder, in other units, or of another mass.",
    example="<ixx>1e-6</ixx> at 1 kg in a box of 0.1 m",
    fix=COMPUTE_IT,
)
def inertia_below_shape(study: Study) -> Iterator[Problem]:
    for inertia, bounds in _turning(study):
        radius, size = inertia.gyradius, bounds.diagonal
        if study.is_nearly_a_body and radius < _TOO_LIGHT_TO_TURN * size / 2:
            message = f"too little inertia: radius of gyration {radius:.3g} m in a part of {size:.3g} m"
            yield tensor_problem(study, message)


@rule(
    "SDI205",
    what="A tensor needs mass spread along an axis more than twice as far as the box of the link's collisions and "
    "visuals allows. Selected by its code, also where only a part is drawn: the centre lies outside the box, or it "
    "would be a block of steel.",
    why="However its mass is placed in that box, the part has less inertia; often units or one entry are wrong.",
    example="<izz>0.01</izz> at 1 kg in a box 0.3 × 0.02 × 0.02 m, whose long axis is z",
    fix="Look for the entry that is too large, or compute it with `fill --all` where collisions have the shape.",
)
def tensor_beyond_box(study: Study) -> Iterator[Problem]:
    for inertia, bounds in _turning(study):
        if not study.is_nearly_a_body:
            return
        # A centre that lies outside is SDI208's, and no reason to doubt the tensor.
        centre = bounds.nearest(inertia.p_BoBcm_B)
        if not study.is_selected_by_name("SDI205"):
            # One finding for one mistake: a gyradius beyond the shape is beyond the box too. And where the mass is not
            # in the drawn shape, the box is no evidence: on real robots half of such tensors are right.
            is_elsewhere = centre != inertia.p_BoBcm_B or _is_drawn_in_part(inertia, bounds)
            if is_elsewhere or inertia_beyond_shape.finds(study):
                return
            # Near a side it leaves little room, and on real robots more of the mass is beyond that side, not drawn.
            centre = bounds.middle
        limits = bounds.padded(_PADDING, _LEAST_PADDING * bounds.diagonal).variance_limits(centre)
        # The drawing of a sheet is no evidence of its thickness; nor is one so small that its square is zero.
        ratios = (
            (variance / limit, axis)
            for variance, limit, size, axis in zip(inertia.variances, limits, bounds.sizes, "xyz", strict=True)
            if size > _FLAT * bounds.diagonal and limit > 0.0
        )
        excess = max(ratios, default=(0.0, ""))
        if excess[0] > _SLACK**2:
            message = f"too much inertia: {sqrt(excess[0]):.3g} × the spread its box allows along {excess[1]}"
            yield tensor_problem(study, message)


def with_geometry(study: Study) -> Iterator[tuple[SpatialInertia, Computed]]:
    """The hand-written inertia of a mass above zero, and that of its collisions, if there are both."""
    inertia = study.hand_written
    computation = study.only_geometry if inertia is not None and inertia.mass > 0.0 else None
    if inertia is not None and computation is not None:
        yield inertia, computation


@rule(
    "SDI203",
    what="A mass in the box of its and its fixed links' shapes (over 5 mm) gives more than 25,000 kg/m³; selected by "
    "its code, a density of the collisions outside 1 to 25,000 kg/m³.",
    why="Lengths may be in millimetres, or masses in grams: no part that fits into its box is so heavy.",
    example="<mass>867</mass> in a box of 0.1 m",
    fix="Correct the unit.",
)
def implausible_density(study: Study) -> Iterator[Problem]:
    is_selected = study.is_selected_by_name("SDI203")
    for written, computation in with_geometry(study) if is_selected else ():
        mass, volume = written.mass, computation.volume
        if not _LIGHTEST <= mass / volume <= DENSEST:
            message = f"density of {mass / volume:.3g} kg/m³: {mass:.4g} kg in {volume:.4g} m³ of collisions"
            yield Problem(message, f"{_OTHER_UNITS}?", study.link.inertial_location(MASS))
    if is_selected:
        return
    # A mass that no part has which fits into the box of its shapes.
    inertia, bounds = study.hand_written, None
    if not study.is_static and inertia is not None:
        bounds = study.box
    elif not study.is_static and study.alone is study and study.link.is_inferred and not study.is_requested:
        is_default = known(attempt(weighs_by_default, study.link))
        inertia, bounds = (known(study.simulated), known(study.known_bounds)) if is_default else (None, None)
    if inertia is None or bounds is None or bounds.diagonal <= _DOT:
        return
    density = inertia.mass / box_volume(bounds)
    if density > DENSEST:
        message = f"denser than any metal: {density:.3g} kg/m³ at least; {inertia.mass:.4g} kg in a box of {bounds}"
        yield Problem(message, f"{_OTHER_UNITS}, or the shapes a stand-in?", study.link.inertial_location(MASS))


@rule(
    "SDI301",
    is_default=False,
    what="Turning freely, the body gains more than 1 % energy in 10 s under ODE's explicit gyroscopic step.",
    why="Such bodies spin faster and faster until the simulation breaks.",
    example="a slender rotor at a step of 1 ms and 100 rad/s",
    fix="Take a smaller max_step_size, or an engine with an implicit step.",
)
def spin_instability(study: Study) -> Iterator[Problem]:
    inertia, step = study.body, study.link.model.simulation_step(study.link, study.options.step)
    if inertia is None or step is None or study.is_static or not inertia.is_physically_valid():
        return
    moments, rate = inertia.principal_moments(), study.options.spin
    duration = min(spins.DURATION, spins.MAX_STEPS * step)
    try:
        turn = (rate * spins.DIRECTION[0], rate * spins.DIRECTION[1], rate * spins.DIRECTION[2])
        gain = spins.energy_gain(moments, turn, step, duration)
        if gain <= spins.GAIN:
            return
        stable = spins.largest_stable_rate(moments, spins.DIRECTION, step, duration)
        implicit = spins.energy_gain(moments, turn, step, duration, scheme="implicit")
    except InertiaError:
        # A rod has no moment about its own axis, and without tumbling any step is stable.
        return
    grown = f"{100 * gain:.3g} %" if gain < 1e6 else "without bound"
    message = (
        f"unstable spin: turning freely at {rate:g} rad/s, it gains {grown} energy in {duration:g} s under the "
        f"explicit gyroscopic step (ODE's) of {step:g} s; below {100 * spins.GAIN:g} % up to {stable:.3g} rad/s "
        f"(implicit step: {100 * implicit:.2g} %)"
    )
    yield Problem(message, "take a smaller max_step_size, or an engine with an implicit step")


@rule(
    "SDI302",
    is_default=False,
    what="Two links that a joint, not a fixed one, connects differ in mass by more than a factor of 100.",
    why="Iterative solvers converge badly, and the joint stretches.",
    example="a 50 kg arm on a 0.1 kg bracket",
    fix="Share the masses out more evenly, or merge the links.",
)
def mass_ratio_across_joint(study: Study) -> Iterator[Problem]:
    own = parse_number(study.link.mass_text() or "")
    if own is None or not own > 0.0:
        return
    for joint in study.link.model.parent_joints(study.link, study.context):
        other = joint.parent_mass
        # Fixed links are one body, or their joint is so stiff that no solver's step depends on it.
        if other is None or joint.is_fixed:
            continue
        if max(own, other) > _LARGEST_MASS_RATIO * min(own, other):
            message = f"mass ratio above {_LARGEST_MASS_RATIO:g}, where solvers lose accuracy: {own:.4g} kg, and its "
            message += f"parent at joint {joint.name!r} {other:.4g} kg"
            remedy = "share the masses out more evenly, or merge the links"
            yield Problem(message, remedy, study.link.inertial_location(MASS))


OF_SIZE = (inertia_beyond_shape, tensor_beyond_box, inertia_below_shape)
# Those that judge numbers by a box alone, which may be that of a group.
OF_BOXES = (inertia_beyond_shape, implausible_density, tensor_beyond_box, inertia_below_shape, centre_far_outside)


# Moments beside those of a geometry -----------------------------------------------------------------------------------


def is_far(
    inertia: SpatialInertia,
    geometry: SpatialInertia,
    *,
    slender: float = 0.0,
    heavier: float = FAR,
    lighter: float = FAR_LIGHTER,
) -> bool:
    """Whether a moment is so far from that of a geometry that hollow parts and simple drawings do not explain it.

    Args:
        slender: by how much a moment may be too small, as a part of the largest.
        heavier, lighter: the largest allowed factors.
    """
    written, expected = inertia.I_BBcm_B, geometry.scaled_to_mass(inertia.mass).I_BBcm_B
    largest = max(expected[:3])
    if relative_moments(written, _thickened(expected, _THICKER * largest))[2] > heavier:
        return True
    return relative_moments(_thickened(written, slender * largest), expected)[0] < 1.0 / lighter


def _thickened(tensor: InertiaTensor, more: float) -> InertiaTensor:
    xx, yy, zz, *products = tensor
    return InertiaTensor(xx + more, yy + more, zz + more, *products)


def off_words(inertia: SpatialInertia, geometry: SpatialInertia, of: str) -> str:
    """The deviation of moments from those of a geometry in words, at equal mass."""
    expected = geometry.scaled_to_mass(inertia.mass).I_BBcm_B
    low, _, high = relative_moments(inertia.I_BBcm_B, expected)
    is_little = low * high < 1.0
    what = "too little inertia" if is_little else "too much inertia"
    factor = high if not is_little else 1.0 / low if low > 0.0 else inf
    if factor < NO_FACTOR:
        times = f"1/{factor:.3g} of" if is_little else f"{factor:.3g} times"
        return f"{what}: a moment is {times} that of {of}"
    choose = min if is_little else max
    k = choose(range(3), key=lambda k: inertia.I_BBcm_B[k] / expected[k])
    return f"{what}: {_MOMENTS[k]} is {number(inertia.I_BBcm_B[k])}; {of} would have {number(expected[k])}"


def factor_off(inertia: SpatialInertia, geometry: SpatialInertia) -> float:
    return largest_factor(inertia.I_BBcm_B, geometry.scaled_to_mass(inertia.mass).I_BBcm_B)
