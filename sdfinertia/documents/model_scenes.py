"""Root models and mesh files as scenes to be looked at; what cannot be shown becomes a note."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sdfinertia.description.facts import COLLISION
from sdfinertia.description.pose_path import product
from sdfinertia.description.protocols import Assembly, PlacedLink
from sdfinertia.documents.opened import OpenDocument
from sdfinertia.documents.scene import Scene, SceneLink, SceneShape, Standing, Triangles
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.result import LinkResult
from sdfinertia.links.study import LinkStudy
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.mesh.store import NO_SCALE, Factors, MeshSource
from sdfinertia.shapes.mesh import mesh_source
from sdfinertia.shapes.shape import MeshShape, NoVolume, Polyline, Primitive, assert_never
from sdfinertia.shapes.solid import solid_surface

if TYPE_CHECKING:
    from sdfinertia.description.protocols import LinkDescription, SolidDescription

# Triangles kept of a mesh: enough for its shape to be known at the size of a page.
MESH_LIMIT = 4000
# Primitives that the page of a report draws from their dimensions; of any other it is given the triangles.
DRAWN_BY_THE_PAGE = frozenset({"box", "sphere", "cylinder", "capsule", "cone", "ellipsoid"})


def scenes_of(
    document: OpenDocument, results: Sequence[LinkResult] = (), around: Surroundings | None = None
) -> list[Scene]:
    """The root models of a document, each with all its links and those of the models it includes.

    What a world includes is a scene of its own, once however often it is included.

    Args:
        results: what became of links in a run on the same bytes; of others the inertia is the one that is written, or
            is computed for links that ask for it.
        around: where included files are looked for, if not where the document was studied: they may have changed since.
    """
    by_place = {(result.name, result.line): result for result in results}
    scenes: list[Scene] = []
    for found in document.robot.assemblies(around or document.surroundings):
        if isinstance(found, Assembly):
            scenes.append(_scene(found, by_place, document))
        else:
            scenes.append(Scene(found.name, document.robot.path, (), (_problem(found.error),)))
    return scenes


def mesh_scene(path: str, inertia: SpatialInertia | None, surroundings: Surroundings) -> Scene:
    """A mesh file, drawn as one link of its name with its inertia in the frame of the mesh.

    Raises:
        SdfInertiaError: the file cannot be read.
    """
    triangles = _triangles(MeshSource(path), NO_SCALE, surroundings)
    shape = SceneShape(os.path.basename(path), IDENTITY, "mesh", triangles=triangles)
    status = Standing.COMPUTED if inertia is not None else Standing.UNKNOWN
    return Scene(path, path, (SceneLink(os.path.basename(path), shapes=(shape,), inertia=inertia, status=status),))


def _scene(assembly: Assembly, results: Mapping[tuple[str, int], LinkResult], document: OpenDocument) -> Scene:
    links: list[SceneLink] = []
    for placed in assembly.links:
        link = placed.link
        result = results.get((link.scoped_name, link.line)) if placed.is_own else None
        shown = _with_inertia(document.study(link), result)
        links.append(_placed(replace(shown, name=placed.name), placed, document.surroundings))
        document.surroundings.forget_contents()
    notes = tuple(dict.fromkeys(f"an included model is missing: {_problem(error)}" for error in assembly.problems))
    return Scene(assembly.name, assembly.file, tuple(links), notes)


def _placed(shown: SceneLink, placed: PlacedLink, surroundings: Surroundings) -> SceneLink:
    """The link where the outermost model has its frame, with the shapes of its collisions."""
    notes = list(shown.notes)
    X_ML = IDENTITY
    if isinstance(placed.pose, SdfInertiaError):
        notes.append(_note("is drawn at the origin of its model", placed.pose, notes))
    else:
        X_ML = placed.pose
    shapes = tuple(_shapes(placed.link, surroundings, notes))
    return replace(shown, X_ML=X_ML, shapes=shapes, notes=tuple(notes))


def _with_inertia(study: LinkStudy, result: LinkResult | None) -> SceneLink:
    """The link with its inertia and status: as a run found them, else as they stand in the file."""
    name = study.link.scoped_name
    if result is not None and result.error is not None:
        return SceneLink(name, status=result.status, notes=(*result.remarks, _problem(result.error)))
    if result is not None and result.inertia is not None:
        return SceneLink(
            name,
            inertia=result.inertia,
            before=result.before,
            status=result.status,
            parts=result.collisions,
            notes=result.remarks,
        )
    standing = _standing(study)
    if result is None:
        return standing
    return replace(standing, status=result.status, notes=(*result.remarks, *standing.notes))


def _standing(study: LinkStudy) -> SceneLink:
    """The link with its inertia and status as they stand in the file."""
    name = study.link.scoped_name
    try:
        if study.written is None:
            return SceneLink(name, status=Standing.NOTHING)
        if not study.is_auto:
            return SceneLink(name, inertia=study.written.inertia, status=Standing.WRITTEN)
        computed = study.computation.inertia
        parts, notes = computed.collisions, computed.notes
        return SceneLink(name, inertia=computed.inertia, status=Standing.COMPUTED, parts=parts, notes=notes)
    except SdfInertiaError as error:
        return SceneLink(name, status=Standing.UNKNOWN, notes=(_problem(error),))


def _shapes(link: LinkDescription, surroundings: Surroundings, notes: list[str]) -> Iterator[SceneShape]:
    """The collisions that can be drawn; of the others it is noted why they cannot."""
    try:
        collisions = link.solids(COLLISION)
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


def _scene_shape(collision: SolidDescription, surroundings: Surroundings) -> SceneShape | None:
    shape = collision.shape()
    if isinstance(shape, NoVolume):
        return None
    X_LG: RigidTransform = product(collision.placement(surroundings))
    match shape:
        case Primitive(kind, dimensions) if kind in DRAWN_BY_THE_PAGE:
            return SceneShape(collision.name, X_LG, kind, dimensions)
        case Primitive() | Polyline():
            triangles = Triangles(*solid_surface(shape))
        case MeshShape():
            path = surroundings.resources.find(shape.uri, collision.file)
            triangles = _triangles(mesh_source(shape, path), shape.scale, surroundings)
        case _:
            assert_never(shape)
    return SceneShape(collision.name, X_LG, "mesh", triangles=triangles)


def _triangles(source: MeshSource, scale: Factors, surroundings: Surroundings) -> Triangles:
    # Loaded with the first mesh: it needs numpy.
    from sdfinertia.mesh.surface.vertex_clustering import clustered

    mesh = surroundings.meshes.mesh(source).scaled(scale)
    return Triangles(*clustered(mesh.vertices, mesh.faces, MESH_LIMIT))


def _problem(error: SdfInertiaError) -> str:
    """What is wrong and what to do, without the place, which the table gives."""
    return error.problem + (f"; {error.remedy}" if error.remedy else "")


def _note(fact: str, error: SdfInertiaError, notes: Sequence[str]) -> str:
    """The fact with its reason, unless the notes give that already."""
    problem = _problem(error)
    return fact if any(problem in note for note in notes) else f"{fact}: {problem}"
