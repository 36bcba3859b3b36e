"""Doubts about a link: probably wrong units, stand-in collisions, and the lack of an inertial."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import NamedTuple

from sdfinertia.errors import GeometryError, Location
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.inertial_text import format_number
from sdfinertia.links import Study
from sdfinertia.links.body import Computed
from sdfinertia.links.groups import SLACK_OF_BOX, group_of, solid_box, worse, written_inertia
from sdfinertia.links.inputs import Body, DensitySource
from sdfinertia.options import Options
from sdfinertia.robot import COLLISION, VISUAL, Solid, attempt, known
from sdfinertia.robot.poses import Pose
from sdfinertia.robot.problems import Problem
from sdfinertia.shapes import MeshShape

# Robots with meshes of this size (m) or mass (kg) are files in millimetres.
_LARGEST, _HEAVIEST = 50.0, 1e6
# Triangles of a box.
_BLOCK_FACES = 12
# Factor of a body drawn in another unit, tolerance of the ratio of two drawings, and the unit: boxes of collisions and
# visuals differ by more than a few per cent unless they are the same drawing.
_FACTORS = ((1000.0, 0.1, "millimetres"), (25.4, 0.01, "millimetres or inches"), (39.37, 0.01, "inches"))
# 2π rounded up to two digits (rad).
_FULL_TURN = 6.3
# g/cm³ of the densest metals and more (kg/m³); a solid of less is lighter than the lightest foam.
_LIGHTEST = 10.0
# 1 kg/m³ is not water in g/cm³: water is the default, so 1 means next to nothing.
_WEIGHTLESS = 1.0
# kg/m³: forty times the densest metal.
_DENSEST_GIVEN = 1e6
_LARGEST_VISUAL = 20.0
# Ratio of the edges of two boxes above which collisions do not stand for the part that is drawn.
_ALIKE = 1.5

# A solid and the scale of its mesh.
_Mesh = tuple[Solid, tuple[float, float, float]]


def number_warnings(study: Study) -> Iterator[Problem]:
    """Densities and angles that are almost certainly not in kg/m³ and radians.

    Beside a given mass densities are only weights, in any unit.
    """
    link = study.link
    if not (study.mass_given and link.mass_text() is not None):
        for density, start in link.model.format.densities(link):
            if isinstance(density, float) and 0.0 < density < _LIGHTEST:
                yield from _too_light(density, "", link.element.document.location(start))
        # Unreadable values are reported where they are needed.
        options = known(study.options_in_force)
        is_computed = study.is_requested or study.provenance is not None or not link.has_inertial
        density = options.density if options is not None and is_computed else None
        if density is not None and density < _LIGHTEST:
            inputs = known(study.inputs)
            parts = inputs.counting() if inputs is not None else ()
            if any(part.density_source is DensitySource.OPTION for part in parts):
                yield from _too_light(density, " by --density or the configuration", None)
    for pose, element in link.model.format.poses(link):
        if not isinstance(pose, Pose) or pose.form != "rpy":
            continue
        angle = max(map(abs, pose.numbers[3:] or (0.0,)))
        if angle > _FULL_TURN:
            meant = f"write {format_number(math.radians(angle), 6)} if it is in degrees"
            yield Problem(f"turned by {angle:g} rad, more than a full turn", meant, element.location())


def _too_light(density: float, source: str, place: Location | None) -> Iterator[Problem]:
    if density != _WEIGHTLESS:
        meant = f"write {format_number(1000.0 * density, 12)} if it is in g/cm³"
        yield Problem(f"density of {density:g} kg/m³{source}: hardly any solid is so light", meant, place)


class SizeDoubt(NamedTuple):
    problem: Problem
    is_filled_from: bool  # whether the link is filled from that mesh


def require_likely_size(doubt: SizeDoubt | None, options: Options) -> None:
    if doubt is not None and doubt.is_filled_from and not options.accept_size:
        problem, remedy, location, *_ = doubt.problem
        remedy = f"{remedy}; --accept-size takes it as it is"
        raise GeometryError(f"{problem}, and nothing is filled from it", remedy=remedy, location=location)


def size_doubt(study: Study, computed: Computed | None) -> SizeDoubt | None:
    """None for links that never move; without a computation the written mass counts."""
    solids = (*(known(study.link.collisions) or ()), *(known(study.link.visuals) or ()))
    if not any(isinstance(solid.own_shape, MeshShape) for solid in solids):
        return None
    # Unreadable values are reported where they are needed.
    return known(attempt(_size_doubt, study, computed))


def _size_doubt(study: Study, computed: Computed | None) -> SizeDoubt | None:
    if study.link.is_static:
        return None
    kind = study.solids_kind
    collisions = study.link.solids(kind)
    visuals = study.link.solids(VISUAL) if kind is COLLISION else ()
    mesh, drawn_mesh = _largest_scaled_mesh(collisions), _largest_scaled_mesh(visuals)
    size = 0.0
    # A box along the link's axes has no edge longer than √3 of a solid's largest dimension.
    is_small = len(collisions) == 1 and computed is not None and 2.0 * computed.parts[0].extent <= _LARGEST
    if visuals or not is_small:
        box = known(study.bounds(kind))
        if box is None:
            return None
        drawn = known(study.bounds(VISUAL)) if visuals else None
        ratio = box.diagonal / drawn.diagonal if drawn is not None and drawn.diagonal > 0.0 else 1.0
        large, small = (ratio, "visuals") if ratio > 1.0 else (1.0 / ratio if ratio else 1.0, "collisions")
        for factor, slack, unit in _FACTORS:
            if abs(large / factor - 1.0) <= slack:
                other, own = ("collisions", mesh) if small == "visuals" else ("visuals", drawn_mesh)
                what = f"{other} {large:.4g} times as large as its {small}"
                problem = _of_scale(study, own or mesh or drawn_mesh, what, f"one of them is in {unit}", factor)
                return SizeDoubt(problem, other == "collisions" and mesh is not None)
        size = max(box.sizes)
    has_mass, parts = (computed.inputs.mass is not None, computed.parts) if computed is not None else (False, ())
    body = computed.inertia if computed is not None else study.explicit
    mass = body.mass if body is not None and not has_mass else 0.0
    if mesh is not None and (size > _LARGEST or mass > _HEAVIEST):
        what = f"{size:.4g} m long" if size > _LARGEST else f"{mass:.4g} kg heavy"
        is_filled_from = any(_is_too_large(part, has_mass=has_mass) for part in parts)
        return SizeDoubt(_of_scale(study, mesh, what, "a mesh of it is in millimetres", 1000.0), is_filled_from)
    return None


def _is_too_large(part: Body, *, has_mass: bool) -> bool:
    is_block = part.faces <= _BLOCK_FACES and part.density_source in (DensitySource.COLLISION, DensitySource.LINK)
    is_heavy = not has_mass and part.inertia.mass > _HEAVIEST
    return part.faces > 0 and not is_block and (part.extent > _LARGEST or is_heavy)


def _of_scale(study: Study, mesh: _Mesh | None, what: str, why: str, factor: float) -> Problem:
    assert mesh is not None, "a mesh is what is doubted"
    solid, scale = mesh
    if max(map(abs, scale)) > 1.0:
        shown = " ".join(f"{value:g}" for value in scale)
        return Problem(f"{what}: a mesh of it has the scale {shown}", "correct that scale", solid.location())
    said = study.link.phrases.scale.format(format_number(1.0 / factor, 4))
    return Problem(f"{what}: {why}", f"give the mesh {said}, or export it in metres", solid.location())


def _largest_scaled_mesh(solids: Sequence[Solid]) -> _Mesh | None:
    shapes = ((solid, solid.shape()) for solid in solids)
    meshes = [(solid, shape.scale) for solid, shape in shapes if isinstance(shape, MeshShape)]
    return max(meshes, key=lambda mesh: max(map(abs, mesh[1])), default=None)


def stand_in_warnings(study: Study, after: SpatialInertia) -> Iterator[Problem]:
    """The harm of computing a link that does not request it, by the boxes of its collisions and visuals alone."""
    if not study.is_hand_written or study.solids_kind != COLLISION:
        return
    box, drawn = (known(study.bounds(kind)) for kind in (COLLISION, VISUAL))
    if box is None or drawn is None:
        return
    if all(max(a, b) <= _ALIKE * min(a, b) for a, b in zip(box.sizes, drawn.sizes, strict=True)):
        return
    before, axis = written_inertia(study), group_of(study).axis_of(study)
    name = "a solid that fills the box of its visuals"
    problem = worse(before, after, solid_box(drawn), axis, name, SLACK_OF_BOX)
    if problem:
        yield Problem(f"collisions of {box} stand in for visuals of {drawn}: {problem}", "take its tensor from CAD")


def stand_in_notes(study: Study, computed: Computed) -> Iterator[str]:
    mass, volume = computed.inputs.mass, computed.volume
    ending = "they seem to stand in for its shape, and the tensor is theirs"
    if mass is not None and mass > _DENSEST_GIVEN * volume:
        yield f"the given mass makes its collisions weigh {mass / volume:.3g} kg/m³: {ending}"
        return
    if study.solids_kind != COLLISION or not study.link.has_solids(VISUAL):
        return
    box, drawn = (known(study.bounds(kind)) for kind in (COLLISION, VISUAL))
    if box is not None and drawn is not None and drawn.diagonal > _LARGEST_VISUAL * box.diagonal:
        yield f"its visuals are {drawn.diagonal / box.diagonal:.3g} times as large as its collisions: {ending}"


# Links without an inertial -------------------------------------------------------------------------------------------


class Lack(Enum):
    """The kind of a link without an inertial; the values are the words of notes, for one and for several."""

    INERTIAL = "part", "parts"
    FRAME = "frame without collisions", "frames without collisions"
    MARKER = "fixed marker smaller than 5 mm", "fixed markers smaller than 5 mm"
    IN_GROUP = "link fixed to others that have the mass", "links fixed to others that have the mass"


def lack(study: Study) -> Lack | None:
    """The kind of a link without an inertial, for both `fill --missing` and SDI104.

    None for one that has an inertial, asks for it, or needs none by its format; see also `is_static`.
    """
    link = study.link
    if link.has_inertial or link.asks_to_be_filled() or not link.model.needs_inertial(link, study.context):
        return None
    if not study.has_solids:
        return Lack.FRAME
    if link.model.lump(link).has_mass:
        return Lack.IN_GROUP
    box = known(study.bounds())
    is_marker = box is not None and box.is_marker and not group_of(study).is_alone
    return Lack.MARKER if is_marker else Lack.INERTIAL
