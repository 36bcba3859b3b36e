"""Scaling the explicit inertial of a link."""

from __future__ import annotations

from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.solids import rescaled_in_size, rescaled_to_density, rescaled_to_mass
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.study import Study
from sdfinertia.markup.document import Edit
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.values import CHECK_TELLS_WHY


class Scaling(NamedTuple):
    """What is asked for: one of the three.

    Attributes:
        mass: kg.
        density: mean density of the collisions (kg/m³).
        size: factors along the axes of the link.
    """

    mass: float | None = None
    density: float | None = None
    size: Vector3 | None = None


class ScaledLink(NamedTuple):
    """Inertias are in the link frame."""

    name: str
    before: SpatialInertia
    after: SpatialInertia
    was_managed: bool
    edits: list[Edit]

    def _row(self) -> dict[str, object]:
        return {"link": self.name, "mass before, kg": self.before.mass, "mass, kg": self.after.mass}


def scale_link(study: Study, scaling: Scaling) -> ScaledLink:
    """The tensor keeps its author's axes, equal numbers their text."""
    try:
        return _scaled(study, scaling)
    except SdfInertiaError as error:
        raise error.within(location=study.link.location(), link=study.link.scoped_name) from None


def _scaled(study: Study, scaling: Scaling) -> ScaledLink:
    link = study.link
    link.require_own_name()
    before = link.scalable_inertia()
    if not before.is_physically_valid():
        raise InertiaError("the written mass and tensor are physically impossible", remedy=CHECK_TELLS_WHY)
    after = _rescaled(before, study, scaling)
    if not after.is_physically_valid():
        raise InertiaError(
            f"scaled, its mass is {after.mass:g} kg and its tensor physically impossible", remedy=CHECK_TELLS_WHY
        )
    comment = study.provenance_comment
    edits = link.scale_edits(after, comment, digits=study.options.digits) if after != before else []
    return ScaledLink(link.scoped_name, before, after, comment is not None and bool(edits), edits)


def _rescaled(before: SpatialInertia, study: Study, scaling: Scaling) -> SpatialInertia:
    if scaling.mass is not None:
        return rescaled_to_mass(before, scaling.mass)
    if scaling.size is not None:
        return rescaled_in_size(before, scaling.size)
    if scaling.density is not None:
        return rescaled_to_density(before, scaling.density, _volume(study))
    return before


def _volume(study: Study) -> float:
    """m³."""
    if not study.has_solids:
        raise InertiaError("it has no collisions, and so no volume for a density", remedy="use --mass")
    return study.computed.volume
