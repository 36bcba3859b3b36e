"""What the inertia of a link is computed from, as the file and the options say it, before anything is computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sdfinertia.errors import GeometryError, InertiaError, SdfInertiaError
from sdfinertia.links.provenance import digest
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.mesh.treatment import EXACT, MeshTreatment
from sdfinertia.options import Options
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.geometry import read_shape
from sdfinertia.sdf.inertial import read_given_mass
from sdfinertia.sdf.model import DEFAULT_DENSITY, Collision, Link, read_density
from sdfinertia.sdf.parameters import InertiaParameters, read_parameters
from sdfinertia.sdf.pose_path import Placement, PosePath, PoseStep
from sdfinertia.shapes.shape import MeshShape, NoVolume, Polyline, Primitive, Shape


class CollisionInput(NamedTuple):
    """One collision: its shape, where it is, and of what density.

    Attributes:
        element: the `<collision>`, which knows its place in the file.
        density_source: "collision", "link", "option" or "default": who gave the density (kg/m³).
        placement: the paths whose product is X_LG, the pose of the geometry in the link frame.
        parameters: what the file says of how it is to be computed.
        treatment: how a mesh is taken, by file and options.
        mesh_path, mesh_digest: the mesh file and the digest of its content, for a mesh.
        is_skipped: whether it has no volume and is passed over as asked.
    """

    name: str
    element: Element
    shape: Shape
    density: float
    density_source: str
    placement: Placement = ()
    parameters: InertiaParameters = InertiaParameters()
    treatment: MeshTreatment = MeshTreatment()
    mesh_path: str = ""
    mesh_digest: str = ""
    is_skipped: bool = False

    @property
    def counts(self) -> bool:
        """Whether it adds to the mass."""
        return self.density > 0.0 and not self.is_skipped

    def digest_parts(self) -> Iterator[object]:
        """What the file says of it that shapes the result; names, places and paths do not."""
        if not self.counts:
            yield "without mass"
            return
        shape = self.shape
        if isinstance(shape, Primitive):
            yield from (shape.kind, *shape.dimensions)
        elif isinstance(shape, Polyline):
            yield from ("polyline", *shape.heights)
            for loop in shape.loops:
                yield len(loop)
                for point in loop:
                    yield from point
        elif isinstance(shape, MeshShape):
            yield from ("mesh", self.mesh_digest, *shape[1:], *self.parameters._replace(notes=()))
        yield self.density if self.density_source in ("collision", "link") else None
        for path in self.placement:
            yield path.text


class LinkInputs(NamedTuple):
    """All that shapes the inertia of a link.

    Attributes:
        mass: the mass that was given (kg), or None.
        mass_text: as it was written.
        overlaps: whether volume that collisions share counts for each ("sum") or once ("union").
        overlaps_by_option: whether an option says so, and not the file.
        uses_visuals: whether visuals stand in for collisions.
    """

    collisions: tuple[CollisionInput, ...]
    mass: float | None
    mass_text: str | None
    overlaps: str
    overlaps_by_option: bool
    uses_visuals: bool
    notes: tuple[str, ...]

    def counting(self) -> list[CollisionInput]:
        """The collisions that add to the mass."""
        return [collision for collision in self.collisions if collision.counts]

    def digest(self, recorded_options: Mapping[str, str]) -> str:
        """The digest of everything that shapes the result.

        Args:
            recorded_options: those that the provenance records: what shapes the result beyond the file's elements.
        """
        parts: list[object] = ["mass", self.mass]
        for collision in self.collisions:
            parts.append("collision")
            parts += collision.digest_parts()
        parts += (f"{name}={value}" for name, value in sorted(recorded_options.items()))
        return digest(parts)


def read_link_inputs(link: Link, options: Options, surroundings: Surroundings, *, mass_given: bool) -> LinkInputs:
    """What the inertia of a link is computed from.

    Args:
        mass_given: whether a `<mass>` in the block is its author's.

    Raises:
        SdfInertiaError: something in the link is malformed, missing or without volume.
    """
    inertial = link.inertial
    link_density, link_parameters, mass = None, None, None
    if inertial is not None:
        link_density = read_density(inertial.child("density"))
        link_parameters = inertial.child("auto_inertia_params")
        mass = read_given_mass(inertial.child("mass")) if mass_given else None
    notes: list[str] = []
    solids = link.collisions()
    uses_visuals = not solids and options.geometry == "visual"
    if uses_visuals:
        solids = link.visuals()
        notes.append("has no collisions; its visuals are used")
    collisions: list[CollisionInput] = []
    for solid in solids:
        try:
            parameters = read_parameters(solid.parameters or link_parameters)
            notes += (f"collision {solid.name!r}: {note}" for note in parameters.notes)
            collisions.append(_read_collision(solid, link_density, parameters, options, surroundings))
        except SdfInertiaError as error:
            raise error.within(location=solid.element.location(), collision=solid.name) from None
    if not collisions:
        what = "collisions" if options.geometry == "collision" else "collisions and no visuals"
        raise InertiaError(f"the link has no {what} to compute an inertia from", remedy="add one, or set auto to false")
    _require_mass(collisions)
    notes += _exclusions(collisions)
    value, text = mass if mass is not None else (None, None)
    overlaps = read_parameters(link_parameters).overlaps
    return LinkInputs(
        tuple(collisions), value, text, overlaps or options.overlaps, overlaps is None, uses_visuals, tuple(notes)
    )


def _read_collision(
    collision: Collision,
    link_density: float | None,
    parameters: InertiaParameters,
    options: Options,
    surroundings: Surroundings,
) -> CollisionInput:
    density, source = _density_of(collision, link_density, options)
    shape = read_shape(collision.element)
    is_skipped = isinstance(shape, NoVolume) and options.skip_unsupported
    if isinstance(shape, NoVolume) and density > 0.0 and not is_skipped:
        raise GeometryError(f"{shape.kind} has no volume", remedy="use --skip-unsupported to leave it out of the mass")
    result = CollisionInput(collision.name, collision.element, shape, density, source, is_skipped=is_skipped)
    if not result.counts:
        return result
    if source == "default" and options.require_density:
        raise InertiaError(
            "no density is given", remedy="add a <density> to the collision or the link, or use --density"
        )
    result = result._replace(placement=placement_of(collision, surroundings), parameters=parameters)
    if isinstance(shape, MeshShape):
        path = surroundings.resources.find(shape.uri, collision.element.document.path)
        content = surroundings.meshes.digest(path)
        treatment = _treatment_of(shape, parameters, options)
        result = result._replace(treatment=treatment, mesh_path=path, mesh_digest=content)
    return result


def _density_of(collision: Collision, link_density: float | None, options: Options) -> tuple[float, str]:
    own = collision.density()
    if own is not None:
        return own, "collision"
    if link_density is not None:
        return link_density, "link"
    if options.density is not None:
        return options.density, "option"
    return DEFAULT_DENSITY, "default"


def placement_of(collision: Collision, surroundings: Surroundings) -> Placement:
    """The way from the link's frame to the geometry's; the frames of the model are looked at only where named."""
    pose = collision.pose()
    own = PosePath((PoseStep(pose),))
    if not pose.relative_to or pose.relative_to == collision.link.name:
        return (own,)
    graph = surroundings.pose_graph_of(collision.link.model)
    return (*graph.placement(collision.link.name, pose.relative_to), own)


def _treatment_of(mesh: MeshShape, parameters: InertiaParameters, options: Options) -> MeshTreatment:
    """How a mesh is taken: the file's own elements win over the options."""
    return MeshTreatment(
        method=parameters.method or mesh.optimization or EXACT,
        open_mesh=parameters.open_mesh or options.open_mesh,
        voxel_size=parameters.voxel_size or options.voxel_size,
        thickness=parameters.thickness or options.thickness,
        overlaps=parameters.overlaps or options.overlaps,
        max_convex_hulls=mesh.max_convex_hulls,
        voxel_resolution=mesh.voxel_resolution,
    )


def _require_mass(collisions: list[CollisionInput]) -> None:
    if any(collision.counts for collision in collisions):
        return
    if all(collision.is_skipped for collision in collisions):
        raise GeometryError("no collision of the link has a volume")
    raise InertiaError("every collision of the link has density zero, so it has no mass")


def _exclusions(collisions: list[CollisionInput]) -> Iterator[str]:
    for collision in collisions:
        if collision.is_skipped and isinstance(collision.shape, NoVolume):
            yield f"collision {collision.name!r} is skipped: {collision.shape.kind} has no volume"
        elif collision.density == 0.0:
            yield f"collision {collision.name!r} has density zero and adds no mass"
