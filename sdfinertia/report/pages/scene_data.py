"""Scenes as the data that the page of a report draws: JSON, with triangles as binary numbers in base64."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.documents.scene import Scene, SceneLink, SceneShape
from sdfinertia.errors import InertiaError
from sdfinertia.inertia.equivalents import equivalent_box, equivalent_ellipsoid
from sdfinertia.inertia.principal_axes import PrincipalAxes
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.report.findings.wording import unicode_text

if TYPE_CHECKING:
    from sdfinertia.documents.scene import Triangles

# Triangles of all surfaces of a page: at some fifteen bytes each they stay below two megabytes.
_PAGE_LIMIT = 120_000
# A surface is recognized by so many triangles, however many share the page.
_LEAST = 200
# The page draws in 32-bit floats, whose squares must stay in their range (3.4e38) too.
_LARGEST = 1e18


class Equivalents(NamedTuple):
    """What is drawn for an inertia.

    Attributes:
        axes: principal moments (kg·m²), and the rotation from the link frame to their axes.
        box: edges of the uniform box of the same mass and tensor, along these axes (m).
        ellipsoid: radii of such an ellipsoid (m).
    """

    axes: PrincipalAxes
    box: Vector3
    ellipsoid: Vector3


def equivalents(inertia: SpatialInertia | None) -> Equivalents | None:
    """The solids equivalent to an inertia; None where there is none, or no body can have it."""
    if inertia is None:
        return None
    axes = inertia.principal()
    try:
        box = equivalent_box(inertia.mass, axes.moments)
        return Equivalents(axes, box, equivalent_ellipsoid(inertia.mass, axes.moments))
    except InertiaError:
        return None


def scene_data(scenes: Sequence[Scene]) -> dict[str, Any]:
    """The scenes as JSON holds them; links are numbered through all scenes, and equal surfaces are there once."""
    surfaces = _Surfaces(scenes)
    listed: list[dict[str, Any]] = []
    number = 0
    for scene in scenes:
        links = []
        for link in scene.links:
            links.append({"id": number, **_link(link, surfaces)})
            number += 1
        listed.append({"model": unicode_text(scene.model), "links": links})
    return {"scenes": listed, "surfaces": surfaces.encoded}


class _Surfaces:
    """The surfaces of a page, each once, coarse enough for all together to stay within the limit."""

    def __init__(self, scenes: Sequence[Scene]) -> None:
        self.encoded: list[dict[str, str]] = []
        self._index_of: dict[tuple[bytes, bytes], int] = {}
        meshes = [s.triangles for scene in scenes for link in scene.links for s in link.shapes if s.triangles]
        distinct = {(t.vertices.tobytes(), t.faces.tobytes()): len(t.faces) for t in meshes}
        self._limit = max(distinct.values(), default=0)
        if sum(distinct.values()) > _PAGE_LIMIT:
            self._limit = max(_LEAST, _PAGE_LIMIT // len(distinct))

    def number(self, triangles: Triangles) -> int:
        """The place of a surface in the list."""
        key = (triangles.vertices.tobytes(), triangles.faces.tobytes())
        if key not in self._index_of:
            self._index_of[key] = len(self.encoded)
            self.encoded.append(self._encode(triangles))
        return self._index_of[key]

    def _encode(self, triangles: Triangles) -> dict[str, str]:
        from sdfinertia.mesh.surface.vertex_clustering import clustered

        vertices, faces = triangles
        if len(faces) > self._limit:
            vertices, faces = clustered(vertices, faces, self._limit)
        # Two bytes count to 65,535, which is more than the vertices that are left of a mesh.
        width = "<u2" if len(vertices) <= 0xFFFF else "<u4"
        return {
            "positions": _base64(vertices.astype("<f4").tobytes()),
            "indices": _base64(faces.astype(width).tobytes()),
            "width": width[-1],
        }


def _link(link: SceneLink, surfaces: _Surfaces) -> dict[str, Any]:
    X_ML = link.X_ML if _is_moderate(_matrix(link.X_ML)) else IDENTITY
    data: dict[str, Any] = {
        "name": unicode_text(link.name),
        "pose": _matrix(X_ML),
        "shapes": [_shape(shape, surfaces) for shape in link.shapes if _is_drawable(shape)],
    }
    inertia = link.inertia
    if inertia is not None and _is_moderate(inertia.p_BoBcm_B):
        data["com"] = list(inertia.p_BoBcm_B)
        data |= _equivalent(inertia)
    besides = [
        {"label": label, "com": list(other.p_BoBcm_B), **drawn}
        for label, other in link.besides
        if _is_moderate(other.p_BoBcm_B) and (drawn := _equivalent(other))
    ]
    return {**data, "besides": besides} if besides else data


def _equivalent(inertia: SpatialInertia) -> dict[str, Any]:
    """The axes and sizes of the solids equivalent to an inertia; nothing where there are none to be drawn."""
    drawn = equivalents(inertia)
    if drawn is None or not _is_moderate(drawn.box):
        return {}
    return {"axes": list(drawn.axes.rotation), "box": list(drawn.box), "ellipsoid": list(drawn.ellipsoid)}


def _shape(shape: SceneShape, surfaces: _Surfaces) -> dict[str, Any]:
    data: dict[str, Any] = {"name": unicode_text(shape.name), "kind": shape.kind, "pose": _matrix(shape.X_LG)}
    if shape.triangles is not None:
        return {**data, "surface": surfaces.number(shape.triangles)}
    return {**data, "dimensions": list(shape.dimensions)}


def _is_drawable(shape: SceneShape) -> bool:
    if not _is_moderate(_matrix(shape.X_LG)):
        return False
    if shape.triangles is not None:
        return len(shape.triangles.faces) > 0 and bool((abs(shape.triangles.vertices) < _LARGEST).all())
    return _is_moderate(shape.dimensions) and all(value > 0.0 for value in shape.dimensions)


def _is_moderate(values: Iterable[float]) -> bool:
    """Whether no number is infinite, none, or too large to be drawn."""
    return all(abs(value) < _LARGEST for value in values)


def _matrix(X_AB: RigidTransform) -> list[float]:
    """The upper three rows of the 4 × 4 matrix."""
    r, t = X_AB
    return [*r[0:3], t[0], *r[3:6], t[1], *r[6:9], t[2]]


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")
