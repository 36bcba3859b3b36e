"""The numbers of a link that a page lets its user change, and its meshes."""

from __future__ import annotations

import math
import os
from hashlib import sha256
from typing import Any

from sdfinertia.documents.scene import MESH_LIMIT, ScaledMesh, SceneLink, limit_of_each, triangles_of
from sdfinertia.editing.applying import study_named
from sdfinertia.editing.changes import NOT_JUDGED, why_no_body
from sdfinertia.editing.draft import Draft
from sdfinertia.errors import MeshError, SdfInertiaError
from sdfinertia.inertia.rigid_transform import Vector3, rpy_from_rotation
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.context import Context
from sdfinertia.report.quantities import equivalents_of
from sdfinertia.report.scene_data import is_drawable, surface_bytes
from sdfinertia.robot.solid_kinds import COLLISION
from sdfinertia.robot.twin_names import twin_names
from sdfinertia.shapes import Primitive


def editable_numbers(draft: Draft, link: SceneLink) -> dict[str, Any]:
    """Mass, density, centre, tensor, axes, moments, solids and simple shapes of a link, in SI units.

    `twin` is the link whose mirror image it may be. Unknown values are left out. `problem` says why no number is
    known, `unphysical` why the numbers are physically impossible; `outline` then has the solids, flat where their size
    is not a number.
    """
    name = link.key.label
    numbers: dict[str, Any] = {"name": name, "shapes": []}
    if twin := _twin(draft, link):
        numbers["twin"] = twin
    try:
        study = study_named(draft.document, name)
        for solid in study.link.solids(COLLISION):
            shape = solid.shape()
            if isinstance(shape, Primitive):
                numbers["shapes"].append({"name": solid.name, "kind": shape.kind, "dimensions": list(shape.dimensions)})
        body = draft.inertia(name)
    except SdfInertiaError as error:
        return {**numbers, "problem": error.problem}
    if not body.can_be_judged:
        return {**numbers, "problem": NOT_JUDGED}
    return numbers | _numbers_of(body, link.volume)


def _numbers_of(body: SpatialInertia, volume: float | None) -> dict[str, Any]:
    axes = body.principal()
    numbers: dict[str, Any] = {
        "mass": body.mass,
        "centre": list(body.p_BoBcm_B),
        "tensor": list(body.I_BBcm_B),
        "moments": list(axes.moments),
        "rpy": list(rpy_from_rotation(axes.rotation)),
        "rotation": list(axes.rotation),
    }
    if volume:
        numbers["density"] = body.mass / volume
    drawn = equivalents_of(body)
    if drawn is not None:
        numbers |= {"box": list(drawn.box), "ellipsoid": list(drawn.ellipsoid)}
    problem = why_no_body(body)
    if problem:
        numbers["unphysical"] = problem
        if body.mass > 0.0:
            numbers["outline"] = _outline(body.mass, axes.moments)
    return numbers


def _twin(draft: Draft, link: SceneLink) -> dict[str, str]:
    """The link on the other side, by its name, and across which axis it lies; empty where there is none."""
    outer, colons, own = link.key.name.rpartition("::")
    for twin in twin_names(own):
        name = outer + colons + twin.name
        if name in draft.document.links_by_label and twin.is_across != twin.is_along:
            return {"name": name, "axis": "y" if twin.is_across else "x"}
    return {}


def _outline(mass: float, moments: Vector3) -> dict[str, list[float]]:
    """The solids of a physically impossible inertia: flat along axes where the square of a size is none."""
    x, y, z = moments
    squares = [max((b + c - a) / (2.0 * mass), 0.0) for a, b, c in ((x, y, z), (y, x, z), (z, x, y))]
    return {
        "box": [math.sqrt(12.0 * square) for square in squares],
        "ellipsoid": [math.sqrt(5.0 * square) for square in squares],
    }


def mesh_name(mesh: ScaledMesh, context: Context) -> str:
    """The name of a mesh in requests of a page: a digest of all that its triangles depend on."""
    path = mesh.source.path
    what = (context.meshes.digest(path), os.path.splitext(path)[1].lower(), *mesh.source[1:], mesh.scale)
    return sha256(repr(what).encode()).hexdigest()


def mesh_content(mesh: ScaledMesh, context: Context, meshes: int) -> bytes:
    """The triangles of one of some meshes, as many as a page draws; see `surface_bytes`."""
    triangles = triangles_of(mesh, context, limit_of_each([MESH_LIMIT] * meshes))
    context.forget_contents()
    if not is_drawable(triangles):
        raise MeshError("its triangles are too large to draw, or have no size", file=mesh.source.path)
    return surface_bytes(triangles)
