"""Root models and mesh files as scenes to be looked at; what cannot be shown becomes a note."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sdfinertia.documents.filling import read_root
from sdfinertia.documents.scene import COMPUTED, NOTHING, UNKNOWN, WRITTEN, Scene, SceneLink, SceneShape, Triangles
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.inputs import placement_of
from sdfinertia.links.provenance import find_provenance
from sdfinertia.links.result import LinkResult
from sdfinertia.links.selection import is_auto
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.mesh.store import NO_SCALE, Factors, MeshSource
from sdfinertia.options import Options
from sdfinertia.sdf.assembly import assembled_links
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.geometry import read_shape
from sdfinertia.sdf.inertial import read_inertial
from sdfinertia.sdf.model import Collision, Link, Model
from sdfinertia.sdf.pose_path import product
from sdfinertia.shapes.mesh import mesh_source
from sdfinertia.shapes.shape import MeshShape, NoVolume, Polyline, Primitive, assert_never
from sdfinertia.shapes.solid import solid_surface

# Triangles kept of a mesh: enough for its shape to be known at the size of a page.
MESH_LIMIT = 4000
# Primitives that the page of a report draws from their dimensions; of any other it is given the triangles.
DRAWN_BY_THE_PAGE = frozenset({"box", "sphere", "cylinder", "capsule", "cone", "ellipsoid"})


def scenes_of(
    source: str | os.PathLike[str] | bytes,
    options: Options,
    surroundings: Surroundings,
    *,
    filename: str = "<bytes>",
    results: Sequence[LinkResult] = (),
) -> list[Scene]:
    """The root models of a file, each with all its links and those of the models it includes.

    What a world includes is a scene of its own, once however often it is included.

    Args:
        source: path of an SDF file, or its content.
        filename: the place that content given as bytes has.
        results: what became of links in a run on the same bytes; of others the inertia is the one that is written, or
            is computed for links that ask for it.

    Raises:
        SdfInertiaError: the file cannot be read as SDF.
    """
    root = read_root(source, filename)
    by_place = {(result.name, result.line): result for result in results}
    scenes = [_scene(model, by_place, options, surroundings) for model in root.models()]
    seen: set[str] = set()
    for world in root.element.children_named("world"):
        for include in world.children_named("include"):
            try:
                included = surroundings.resources.load_include(include)
            except SdfInertiaError as error:
                scenes.append(Scene(_name_of(include), root.document.path, (), (_problem(error),)))
                continue
            if included.path not in seen:
                seen.add(included.path)
                scenes.append(_scene(Model(included.root, included.element, None), {}, options, surroundings))
    return scenes


def mesh_scene(path: str, inertia: SpatialInertia | None, surroundings: Surroundings) -> Scene:
    """A mesh file, drawn as one link of its name with its inertia in the frame of the mesh.

    Raises:
        SdfInertiaError: the file cannot be read.
    """
    triangles = _triangles(MeshSource(path), NO_SCALE, surroundings)
    shape = SceneShape(os.path.basename(path), IDENTITY, "mesh", triangles=triangles)
    status = COMPUTED if inertia is not None else UNKNOWN
    return Scene(path, path, (SceneLink(os.path.basename(path), shapes=(shape,), inertia=inertia, status=status),))


def _scene(
    model: Model,
    results: Mapping[tuple[str, int], LinkResult],
    options: Options,
    surroundings: Surroundings,
) -> Scene:
    links: list[SceneLink] = []
    failed: list[SdfInertiaError] = []
    for link, frame in assembled_links(model, surroundings.resources.load_include, failed):
        is_own = link.model.root is model.root
        result = results.get((link.scoped_name, link.element.location().line)) if is_own else None
        shown = _with_inertia(link, result, options, surroundings)
        links.append(_placed(replace(shown, name=f"{model.name}::{frame}"), link, frame, model, surroundings))
        surroundings.forget_contents()
    notes = tuple(dict.fromkeys(f"an included model is missing: {_problem(error)}" for error in failed))
    return Scene(model.name, model.root.document.path, tuple(links), notes)


def _placed(shown: SceneLink, link: Link, frame: str, outermost: Model, surroundings: Surroundings) -> SceneLink:
    """The link where the outermost model has its frame, with the shapes of its collisions."""
    notes = list(shown.notes)
    X_ML = IDENTITY
    try:
        X_ML = surroundings.pose_graph_of(outermost).path_to(frame).transform
    except SdfInertiaError as error:
        notes.append(_note("is drawn at the origin of its model", error, notes))
    shapes = tuple(_shapes(link, surroundings, notes))
    return replace(shown, X_ML=X_ML, shapes=shapes, notes=tuple(notes))


def _with_inertia(link: Link, result: LinkResult | None, options: Options, surroundings: Surroundings) -> SceneLink:
    """The link with its inertia and status: as a run found them, else as they stand in the file."""
    name = link.scoped_name
    if result is not None and result.error is not None:
        return SceneLink(name, status=result.status, notes=(*result.notes, _problem(result.error)))
    if result is not None and result.inertia is not None:
        return SceneLink(
            name,
            inertia=result.inertia,
            before=result.before,
            status=result.status,
            parts=result.collisions,
            notes=result.notes,
        )
    standing = _standing(link, options, surroundings)
    if result is None:
        return standing
    return replace(standing, status=result.status, notes=(*result.notes, *standing.notes))


def _standing(link: Link, options: Options, surroundings: Surroundings) -> SceneLink:
    """The link with its inertia and status as they stand in the file."""
    name, inertial = link.scoped_name, link.inertial
    if inertial is None:
        return SceneLink(name, status=NOTHING)
    try:
        if not is_auto(inertial):
            return SceneLink(name, inertia=read_inertial(inertial), status=WRITTEN)
        # Loaded where a link asks to be computed.
        from sdfinertia.links.computation import compute

        _, _, provenance = find_provenance(inertial) or (0, 0, None)
        if provenance is not None:
            options = provenance.completing(options)
        mass_given = provenance is None or provenance.mass_given
        inertia, parts, notes = compute(link, options, surroundings, mass_given=mass_given).inertia
        return SceneLink(name, inertia=inertia, status=COMPUTED, parts=parts, notes=notes)
    except SdfInertiaError as error:
        return SceneLink(name, status=UNKNOWN, notes=(_problem(error),))


def _shapes(link: Link, surroundings: Surroundings, notes: list[str]) -> Iterator[SceneShape]:
    """The collisions that can be drawn; of the others it is noted why they cannot."""
    try:
        collisions = link.collisions()
    except SdfInertiaError as error:
        notes.append(_note("its collisions are not drawn", error, notes))
        return
    for collision in collisions:
        try:
            shape = _scene_shape(collision, surroundings)
        except SdfInertiaError as error:
            notes.append(_note(f"collision {collision.name!r} is not drawn", error, notes))
        else:
            if shape is not None:
                yield shape


def _scene_shape(collision: Collision, surroundings: Surroundings) -> SceneShape | None:
    shape = read_shape(collision.element)
    if isinstance(shape, NoVolume):
        return None
    X_LG: RigidTransform = product(placement_of(collision, surroundings))
    match shape:
        case Primitive(kind, dimensions) if kind in DRAWN_BY_THE_PAGE:
            return SceneShape(collision.name, X_LG, kind, dimensions)
        case Primitive() | Polyline():
            triangles = Triangles(*solid_surface(shape))
        case MeshShape():
            path = surroundings.resources.find(shape.uri, collision.element.document.path)
            triangles = _triangles(mesh_source(shape, path), shape.scale, surroundings)
        case _:
            assert_never(shape)
    return SceneShape(collision.name, X_LG, "mesh", triangles=triangles)


def _triangles(source: MeshSource, scale: Factors, surroundings: Surroundings) -> Triangles:
    # Loaded with the first mesh: it needs numpy.
    from sdfinertia.mesh.surface.vertex_clustering import clustered

    mesh = surroundings.meshes.mesh(source).scaled(scale)
    return Triangles(*clustered(mesh.vertices, mesh.faces, MESH_LIMIT))


def _name_of(include: Element) -> str:
    name = include.child("name") or include.child("uri")
    return name.text() if name is not None else ""


def _problem(error: SdfInertiaError) -> str:
    """What is wrong and what to do, without the place, which the table gives."""
    return error.problem + (f"; {error.remedy}" if error.remedy else "")


def _note(fact: str, error: SdfInertiaError, notes: Sequence[str]) -> str:
    """The fact with its reason, unless the notes give that already."""
    problem = _problem(error)
    return fact if any(problem in note for note in notes) else f"{fact}: {problem}"
