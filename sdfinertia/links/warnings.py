"""What makes one doubt that a link is what its author meant: units that are near certainly others, and stand-ins."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.number_text import format_number
from sdfinertia.robot.values import COLLISION, VISUAL, Problem, SolidKind
from sdfinertia.shapes.reach import largest_dimension, reach_of
from sdfinertia.shapes.shape import MeshShape, Polyline, Primitive

if TYPE_CHECKING:
    from sdfinertia.errors import Location
    from sdfinertia.links.computed import Computed
    from sdfinertia.links.study import Study
    from sdfinertia.robot.link import Solid
    from sdfinertia.shapes.reach import Bounds

# Robots with meshes of this size (m) or mass (kg) are files in millimetres.
_LARGEST, _HEAVIEST = 50.0, 1e6
# How much larger a body drawn in another unit is, how far the ratio of two drawings may be from it, and the unit: boxes
# of collisions and visuals differ by more than a few per cent unless they are the same drawing.
_FACTORS = ((1000.0, 0.1, "millimetres"), (25.4, 0.01, "millimetres or inches"), (39.37, 0.01, "inches"))
# g/cm³ of the densest metals and more (kg/m³); a solid of less is lighter than the lightest foam.
_LIGHTEST = 10.0
# Water in g/cm³ is the default, which needs no saying: who writes 1 wants a body that weighs next to nothing.
_WEIGHTLESS = 1.0
# 2π rounded up to two digits (rad).
_FULL_TURN = 6.3
# kg/m³: forty times the densest metal.
_DENSEST_GIVEN = 1e6
_LARGEST_VISUAL = 20.0


def number_warnings(study: Study) -> Iterator[Problem]:
    """The densities and angles of a link that are near certainly not in kg/m³ and radians.

    Beside a mass that is given densities are weights, in whatever unit.
    """
    link = study.link
    is_weight = study.mass_given and link.mass_text() is not None
    for density, locate in link.given_densities() if not is_weight else ():
        if 0.0 < density < _LIGHTEST and density != _WEIGHTLESS:
            meant = format_number(1000.0 * density, 12)
            yield Problem(
                f"gives a density of {density:g} kg/m³, which hardly any solid has",
                f"write {meant} if it is in g/cm³",
                locate(),
            )
    for angle, locate in link.angles_above(_FULL_TURN):
        yield Problem(
            f"is turned by {angle:g} rad, more than a full turn",
            f"write {format_number(math.radians(angle), 6)} if it is in degrees",
            locate(),
        )


def scale_warnings(study: Study, computed: Computed | None) -> Iterator[Problem]:
    """Whether a mesh of a link is near certainly not in metres."""
    try:
        if not study.link.is_static:
            yield from _scale_warnings(study, computed)
    except SdfInertiaError:
        # What cannot be read is told by those who need it.
        return


def _scale_warnings(study: Study, computed: Computed | None) -> Iterator[Problem]:
    collisions = study.link.solids(study.solids_kind)
    visuals = study.link.solids(VISUAL) if study.solids_kind == COLLISION else ()
    location = _first_mesh(collisions)
    if location is None and _first_mesh(visuals) is None:
        return
    size = 0.0
    if visuals or not _is_surely_small(collisions, computed):
        box = _box(study, study.solids_kind)
        if box is None:
            return
        drawn = _box(study, VISUAL) if visuals else None
        ratio = box.diagonal / drawn.diagonal if drawn is not None and drawn.diagonal > 0.0 else 1.0
        for factor, slack, unit in _FACTORS:
            large, small = (ratio, "visuals") if ratio > 1.0 else (1.0 / ratio if ratio else 1.0, "collisions")
            if abs(large / factor - 1.0) <= slack:
                other = "collisions" if small == "visuals" else "visuals"
                place = _first_mesh(collisions if other == "collisions" else visuals)
                yield Problem(
                    f"has {other} {large:.4g} times as large as its {small}: one of them is in {unit}",
                    _scale_remedy(study, factor),
                    place or location or _first_mesh(visuals),
                )
                return
        size = max(box.sizes)
    if location is None:
        return
    mass = _mass(study, computed)
    if size > _LARGEST or mass > _HEAVIEST:
        what = f"{size:.4g} m long" if size > _LARGEST else f"{mass:.4g} kg heavy"
        yield Problem(f"is {what}: a mesh of it is in millimetres", _scale_remedy(study, 1000.0), location)


def _is_surely_small(solids: Sequence[Solid], computed: Computed | None) -> bool:
    """Whether a link of one solid was computed and is too small for a doubt, wherever and however the solid lies.

    A box along the axes of a link has no edge longer than √3 of a solid's largest dimension.
    """
    return len(solids) == 1 and computed is not None and 2.0 * computed.parts[0].extent <= _LARGEST


def _scale_remedy(study: Study, factor: float) -> str:
    scale = study.link.phrases.scale.format(format_number(1.0 / factor, 4))
    return f"give the mesh {scale}, or export it in metres"


def _mass(study: Study, computed: Computed | None) -> float:
    if computed is not None:
        return computed.inertia.mass
    return study.explicit.mass if study.explicit is not None else 0.0


def _first_mesh(solids: Sequence[Solid]) -> Location | None:
    """Where the first mesh among solids is named."""
    for solid in solids:
        if isinstance(solid.shape(), MeshShape):
            return solid.location()
    return None


def _box(study: Study, kind: SolidKind) -> Bounds | None:
    try:
        return study.bounds_of(kind)
    except SdfInertiaError:
        return None


def stand_in_notes(study: Study, computed: Computed) -> Iterator[str]:
    """Whether the collisions of a link seem to stand in for its shape, so that the tensor is another body's."""
    mass, volume = computed.inputs.mass, computed.volume
    ending = "they seem to stand in for its shape, and the tensor is theirs"
    if mass is not None and mass > _DENSEST_GIVEN * volume:
        yield f"the given mass makes its collisions weigh {mass / volume:.3g} kg/m³: {ending}"
        return
    try:
        if study.solids_kind != COLLISION or not study.link.has_solids(VISUAL):
            return
        if _is_plainly_small(study.link.solids(VISUAL), max(part.extent for part in computed.parts)):
            return
    except SdfInertiaError:
        return
    box, drawn = _box(study, COLLISION), _box(study, VISUAL)
    if box is not None and drawn is not None and drawn.diagonal > _LARGEST_VISUAL * box.diagonal:
        yield f"its visuals are {drawn.diagonal / box.diagonal:.3g} times as large as its collisions: {ending}"


def _is_plainly_small(visuals: Sequence[Solid], extent: float) -> bool:
    """Whether what is drawn is too small for a note, by its largest dimension alone, which says it of most links.

    A box along the axes of a link has at most √3 of a solid's diameter for diagonal, and that at most √3 of its largest
    dimension; the box round the collisions has at least their extent.
    """
    shape = visuals[0].shape() if len(visuals) == 1 else None
    if not isinstance(shape, Primitive | Polyline):
        return False
    return 3.0 * largest_dimension(reach_of(shape)) <= _LARGEST_VISUAL * extent
