"""What the inertia of a link is computed from, as the file and the options say it, before anything is computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from sdfinertia.errors import GeometryError, InertiaError, SdfInertiaError
from sdfinertia.options import Options
from sdfinertia.provenance import digest
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.geometry import MeshShape, NoVolume, Polyline, Primitive, Shape, read_shape
from sdfinertia.sdf.inertial import read_given_mass
from sdfinertia.sdf.model import DEFAULT_DENSITY, Collision, Link, read_density
from sdfinertia.sdf.parameters import InertiaParameters, read_parameters
from sdfinertia.sdf.pose_path import Placement, PosePath, PoseStep
from sdfinertia.surroundings import Surroundings


class CollisionInput(NamedTuple):
    """One collision: its shape, where it is, and of what density.

    Attributes:
        element: the `<collision>`, which knows its place in the file.
        density_source: "collision", "link", "option" or "default": who gave the density (kg/m³).
        placement: the paths whose product is X_LG, the pose of the geometry in the link frame.
        method: "exact" or "convex_hull".
        mesh_path, mesh_digest: the mesh file and the digest of its content, for a mesh.
        is_skipped: whether it has no volume and is passed over as asked.
    """

    name: str
    element: Element
    shape: Shape
    density: float
    density_source: str
    placement: Placement
    method: str
    mesh_path: str = ""
    mesh_digest: str = ""
    is_skipped: bool = False

    @property
    def counts(self) -> bool:
        """Whether it adds to the mass."""
        return self.density > 0.0 and not self.is_skipped

    def digest_parts(self) -> Iterator[object]:
        """What of it shapes the result; names, places and paths do not."""
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
            yield from ("mesh", self.mesh_digest, *shape.scale, shape.submesh, shape.center, self.method)
        yield self.density
        for path in self.placement:
            yield path.text


class LinkInputs(NamedTuple):
    """All that shapes the inertia of a link.

    Attributes:
        mass: the mass that was given (kg), or None.
        mass_text: as it was written.
    """

    collisions: tuple[CollisionInput, ...]
    mass: float | None
    mass_text: str | None
    notes: tuple[str, ...]

    def digest(self) -> str:
        """The digest of everything here that shapes the result."""
        parts: list[object] = ["mass", self.mass]
        for collision in self.collisions:
            parts.append("collision")
            parts += collision.digest_parts()
        return digest(parts)

    def shaping_options(self, options: Options) -> dict[str, str]:
        """The options that shaped the result, by long name: what a recomputation must be told."""
        used: dict[str, str] = {}
        if any(collision.counts and collision.density_source == "option" for collision in self.collisions):
            used["density"] = _plain(options.density)
        if any(collision.is_skipped for collision in self.collisions):
            used["skip-unsupported"] = "true"
        return used


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
    collisions: list[CollisionInput] = []
    for collision in link.collisions():
        try:
            parameters = read_parameters(collision.parameters or link_parameters)
            notes += (f"collision {collision.name!r}: {note}" for note in parameters.notes)
            collisions.append(_read_collision(collision, link_density, parameters, options, surroundings))
        except SdfInertiaError as error:
            raise error.within(location=collision.element.location(), collision=collision.name) from None
    if not collisions:
        raise InertiaError(
            "the link has no collisions to compute an inertia from", remedy="add one, or set auto to false"
        )
    _require_mass(collisions)
    notes += _exclusions(collisions)
    value, text = mass if mass is not None else (None, None)
    return LinkInputs(tuple(collisions), value, text, tuple(notes))


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
    if is_skipped or density == 0.0:
        return CollisionInput(
            collision.name, collision.element, shape, density, source, (), "exact", is_skipped=is_skipped
        )
    if source == "default" and options.require_density:
        raise InertiaError(
            "no density is given", remedy="add a <density> to the collision or the link, or use --density"
        )
    path, content = "", ""
    if isinstance(shape, MeshShape):
        path = surroundings.resources.find(shape.uri, collision.element.document.path)
        content = surroundings.meshes.digest(path)
    placement = _placement_of(collision, surroundings)
    method = _method_of(shape, parameters)
    return CollisionInput(collision.name, collision.element, shape, density, source, placement, method, path, content)


def _density_of(collision: Collision, link_density: float | None, options: Options) -> tuple[float, str]:
    own = collision.density()
    if own is not None:
        return own, "collision"
    if link_density is not None:
        return link_density, "link"
    if options.density is not None:
        return options.density, "option"
    return DEFAULT_DENSITY, "default"


def _placement_of(collision: Collision, surroundings: Surroundings) -> Placement:
    """The way from the link's frame to the geometry's; the frames of the model are looked at only where named."""
    pose = collision.pose()
    own = PosePath((PoseStep(pose),))
    if not pose.relative_to or pose.relative_to == collision.link.name:
        return (own,)
    graph = surroundings.pose_graph_of(collision.link.model)
    return (*graph.placement(collision.link.name, pose.relative_to), own)


def _method_of(shape: Shape, parameters: InertiaParameters) -> str:
    if not isinstance(shape, MeshShape):
        return "exact"
    if parameters.method is not None:
        return parameters.method
    if shape.optimization == "convex_decomposition":
        raise GeometryError(
            "optimization='convex_decomposition' is not computed",
            remedy="ask for another <sdfinertia:method> in <auto_inertia_params>, such as exact or convex_hull",
        )
    return shape.optimization or "exact"


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


def _plain(value: float | None) -> str:
    return f"{value!r}".removesuffix(".0")
