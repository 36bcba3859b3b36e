"""The inertia of a link in a simulator, which infers it from solids, bounds it, or scales it to a total mass."""

from __future__ import annotations

from contextlib import suppress
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.body import compute
from sdfinertia.links.inputs import DensitySource, Part, read_inputs
from sdfinertia.links.solids import box_of
from sdfinertia.links.study import Study
from sdfinertia.mesh.method import MeshSource, MeshTreatment, Method
from sdfinertia.robot.inertial import DEFAULT_DENSITY
from sdfinertia.robot.link import COLLISION, attempt, known
from sdfinertia.shapes import Bounds, MeshShape, NoVolume, bounds_around

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.context import Context
    from sdfinertia.mesh.store import MeshStore
    from sdfinertia.robot.link import Solid

# Options of `fill` alone, at their defaults.
_OF_FILLING = {"density": None, "require_density": False, "overlaps": "sum", "geometry": "collision"}


def simulated(study: Study) -> SpatialInertia | None:
    """The inertia that is simulated (link frame); None where the link has none.

    Raises:
        SdfInertiaError: it, or that of a link that counts in a total mass, cannot be computed or read.
    """
    inertia = _own(study)
    model = study.link.model
    if inertia is None or model.total_mass is None:
        return inertia
    totals = study.context.total_masses
    if model.key not in totals:
        others = (_own(Study(link, study.options, study.context)) for link in model.all_links())
        totals[model.key] = sum(other.mass for other in others if other is not None)
    return inertia.scaled_to_mass(inertia.mass * model.total_mass / totals[model.key])


def _own(study: Study) -> SpatialInertia | None:
    link = study.link
    inertia = inferred(study) if link.is_inferred and link.has_solids(COLLISION) else None
    if inertia is None and study.written is not None:
        inertia = study.written.inertia
    return link.model.compiled(inertia) if inertia is not None else None


def inferred(study: Study) -> SpatialInertia:
    options = study.options.replaced(_OF_FILLING)
    inputs = read_inputs(study.link, options, study.context, mass_given=False)
    parts = tuple(map(_as_simulated, inputs.parts))
    return compute(inputs._replace(parts=parts), options, study.context).inertia


def _as_simulated(part: Part) -> Part:
    if part.density_source is not DensitySource.COLLISION:
        part = part._replace(density=DEFAULT_DENSITY)
    if not isinstance(part.shape, MeshShape):
        return part
    method = part.solid.compiled_method
    return part._replace(treatment=MeshTreatment(Method(method) if method is not None else Method.EXACT))


def is_changed(study: Study) -> bool:
    written = study.written_if_known if study.link.adjusted_by else None
    found = known(attempt(simulated, study)) if written is not None else None
    return written is not None and found is not None and differ(written.inertia, found)


# Rounding of the notation, as a part of the mass, of the size of the body, and of its largest moment.
_ROUNDING = 1e-6


def differ(first: SpatialInertia, second: SpatialInertia) -> bool:
    length = _ROUNDING * max(first.gyradius, second.gyradius)
    moment = _ROUNDING * max(first.I_BBcm_B.trace, second.I_BBcm_B.trace)
    return (
        abs(first.mass - second.mass) > _ROUNDING * max(first.mass, second.mass)
        or any(abs(a - b) > length for a, b in zip(first.p_BoBcm_B, second.p_BoBcm_B, strict=True))
        or any(abs(a - b) > moment for a, b in zip(first.I_BBcm_B, second.I_BBcm_B, strict=True))
    )


# The solids in a simulator --------------------------------------------------------------------------------------------


class Overcount(NamedTuple):
    solid: Solid
    share: float  # by how much of the volume; an open mesh has none but that of its hull, which is at least as large
    inertia: str  # the word of `<mesh inertia>` that comes nearest to it
    is_sound: bool  # whether MuJoCo takes the faces for that as they are


def overcounted(study: Study, least: float) -> Iterator[Overcount]:
    for solid in study.link.solids(COLLISION):
        with suppress(SdfInertiaError):
            shape = solid.shape()
            if solid.compiled_method == Method.LEGACY and isinstance(shape, MeshShape):
                source = shape.source(solid.mesh_path(shape.uri, study.context))
                share, inertia, is_sound = _overcount(shape.scale, source, study.context.meshes, least)
                if share > least:
                    yield Overcount(solid, share, inertia, is_sound)
        study.context.forget_contents()


def _overcount(
    scale: tuple[float, float, float], source: MeshSource, meshes: MeshStore, least: float
) -> tuple[float, str, bool]:
    def volume(method: Method) -> float:
        return meshes.solid(source, MeshTreatment(method), scale).moments.volume

    def summed() -> float:
        from sdfinertia.links.surfaces import volume_in_mujoco

        return volume_in_mujoco(source, meshes) * abs(prod(scale))

    legacy = volume(Method.LEGACY)
    try:
        exact = volume(Method.EXACT)
    except SdfInertiaError:
        hull = volume(Method.CONVEX_HULL)
        share, inertia = legacy / hull - 1.0, "convex"
        if share > least:
            with suppress(SdfInertiaError):
                closed = volume(Method.FILL_HOLES)
                inertia = "exact" if abs(summed() - closed) < hull - closed else "convex"
        return share, inertia, True
    share = legacy / exact - 1.0
    return share, "exact", share <= least or abs(summed() - exact) <= least * exact


def weighs_by_default(study: Study) -> bool:
    return all(solid.weighing()[1:] == (None, None) for solid in study.link.solids(COLLISION))


def weighed_twice(study: Study, share: float) -> Solid | None:
    """The first visual geom, where the visual ones fill the place of those with contacts.

    Both have mass by default: where an author gives a mass or a density, both are meant.
    """
    return _visual_in_place(study, share) if weighs_by_default(study) else None


def weighs_visuals_too(study: Study) -> bool:
    """Whether computing it would count visual geoms and those with contacts in the same place."""
    try:
        return _visual_in_place(study, 0.0) is not None
    except SdfInertiaError:
        return False


def _visual_in_place(study: Study, share: float) -> Solid | None:
    solids = study.link.solids(COLLISION)
    seen = [solid for solid in solids if solid.is_visual]
    touched = [solid for solid in solids if not solid.is_visual]
    if not (seen and touched):
        return None
    boxes = [_box_around(each, study.context) for each in (seen, touched)]
    return seen[0] if _shared(*boxes) > share else None


def _box_around(solids: Iterable[Solid], context: Context) -> Bounds:
    shapes = ((solid, solid.shape()) for solid in solids)
    return bounds_around([box_of(solid, shape, context) for solid, shape in shapes if not isinstance(shape, NoVolume)])


def _shared(first: Bounds, second: Bounds) -> float:
    common = [
        max(0.0, min(b, d) - max(a, c))
        for a, b, c, d in zip(first.lower, first.upper, second.lower, second.upper, strict=True)
    ]
    both = prod(common)
    together = prod(first.sizes) + prod(second.sizes) - both
    return both / together if together > 0.0 else 0.0
