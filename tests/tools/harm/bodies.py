"""Volume, centre and spread of shapes and meshes, read with trimesh and ElementTree and nothing of the package."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.etree import ElementTree

import numpy as np
import trimesh
from builders import rigid_bodies

if TYPE_CHECKING:
    from pathlib import Path


class UnreadError(Exception):
    """This reader cannot follow the file: its link is unknown, not right."""


class Solid(NamedTuple):
    """A body of uniform density: its volume (m³), centre (m) and covariance of positions about that (m²)."""

    volume: float
    centre: Any
    spread: Any
    is_exact: bool = True

    def moved(self, linear: Any, offset: Any) -> Solid:
        volume = self.volume * abs(float(np.linalg.det(linear)))
        return Solid(volume, linear @ self.centre + offset, linear @ self.spread @ linear.T, self.is_exact)


def joined(solids: list[Solid]) -> Solid:
    """All solids as one; volume that they share counts for each."""
    volume = sum(solid.volume for solid in solids)
    centre = sum(solid.volume * solid.centre for solid in solids) / volume
    apart = [np.outer(solid.centre - centre, solid.centre - centre) for solid in solids]
    spread = sum(solid.volume * (solid.spread + far) for solid, far in zip(solids, apart, strict=True)) / volume
    return Solid(volume, centre, spread, all(solid.is_exact for solid in solids))


def primitive(name: str, *sizes: float) -> Solid:
    body: rigid_bodies.Body = getattr(rigid_bodies, name)(*sizes, 1.0)
    return Solid(body.mass, body.com, (np.eye(3) * np.trace(body.tensor) / 2 - body.tensor) / body.mass)


@cache
def mesh(path: Path) -> Solid:
    """The solid inside a closed mesh, else inside its hull."""
    try:
        surface: Any = _collada(path) if path.suffix.lower() == ".dae" else _loaded(path)
        # As the file has them, then within a ten-millionth of its size, to which single precision rounds.
        digits = 7 - round(float(np.log10(max(*surface.extents, 1e-9))))
        for precision in (None, digits):
            surface.merge_vertices(digits_vertex=precision)
            if _is_closed(surface) and (found := _solid(surface, is_exact=True)) is not None:
                return found
        found = _solid(surface.convex_hull, is_exact=False)
    except UnreadError:
        raise
    except Exception as error:  # trimesh and Qhull end in errors of all kinds
        raise UnreadError(f"mesh {path.name}: {type(error).__name__}") from error
    if found is None:
        raise UnreadError(f"mesh {path.name}: flat")
    return found


def _is_closed(surface: Any) -> bool:
    """Whether the triangles at each edge run along it as often one way as the other, also where bodies touch."""
    ends = surface.edges[surface.edges[:, 0] != surface.edges[:, 1]]
    ways = np.sign(ends[:, 1] - ends[:, 0])
    _, edges = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True)
    return not np.bincount(edges.ravel(), weights=ways).any()


def _loaded(path: Path) -> Any:
    """All of a file as triangles alone: textures shape nothing, and want libraries."""
    library: Any = trimesh
    scene, parts = library.load(path, force="scene"), []
    for name in scene.graph.nodes_geometry:
        X, geometry = scene.graph[name]
        part = scene.geometry[geometry]
        parts.append(trimesh.Trimesh(part.vertices @ X[:3, :3].T + X[:3, 3], part.faces))
    return trimesh.util.concatenate(parts)


def _solid(surface: Any, *, is_exact: bool) -> Solid | None:
    volume = float(surface.volume)
    if volume < 0.0:
        surface.invert()
        volume = float(surface.volume)
    if not volume > 1e-9 * float(np.prod(surface.extents)):
        return None
    moments = surface.moment_inertia / volume / surface.density
    spread = np.eye(3) * np.trace(moments) / 2 - moments
    if np.linalg.eigvalsh(spread)[0] <= 0.0:
        return None  # parts of it are turned inside out
    return Solid(volume, np.array(surface.center_mass), spread, is_exact)


def _collada(path: Path) -> Any:
    """The visual scene of a COLLADA file, in metres; <up_axis> is not applied, as in Gazebo."""
    root = ElementTree.parse(path).getroot()
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    ids = {f"#{element.get('id')}": element for element in root.iter() if element.get("id")}
    unit = root.find("asset/unit")
    scale = float(unit.get("meter", 1.0)) if unit is not None else 1.0
    parts: list[tuple[Any, Any]] = []
    for instance in root.iterfind("scene/instance_visual_scene"):
        for node in ids[instance.get("url", "")].iterfind("node"):
            _place(node, np.diag([scale, scale, scale, 1.0]), ids, parts)
    if not parts:
        raise UnreadError(f"mesh {path.name}: no scene")
    return trimesh.util.concatenate([trimesh.Trimesh(points, faces) for points, faces in parts])


def _place(node: Any, X: Any, ids: dict[str, Any], parts: list[tuple[Any, Any]]) -> None:
    for child in node:
        if child.tag == "instance_controller":
            raise UnreadError("mesh: a skin")
        if child.tag in ("matrix", "translate", "rotate", "scale"):
            X = X @ _step(child.tag, np.array(child.text.split(), dtype=float))
    for child in node:
        if child.tag == "node":
            _place(child, X, ids, parts)
        elif child.tag == "instance_node":
            _place(ids[child.get("url")], X, ids, parts)
        elif child.tag == "instance_geometry":
            for points, faces in _triangles(ids[child.get("url")], ids):
                parts.append((points @ X[:3, :3].T + X[:3, 3], faces))


def _step(tag: str, numbers: Any) -> Any:
    if tag == "matrix":
        return numbers.reshape(4, 4)
    if tag == "scale":
        return np.diag([*numbers, 1.0])
    transformations: Any = trimesh.transformations
    if tag == "translate":
        return transformations.translation_matrix(numbers)
    return transformations.rotation_matrix(np.radians(numbers[3]), numbers[:3])


def _triangles(geometry: Any, ids: dict[str, Any]) -> Any:
    for group in geometry.find("mesh"):
        if group.tag in ("tristrips", "trifans", "polygons"):
            raise UnreadError(f"mesh: <{group.tag}>")
        if group.tag not in ("triangles", "polylist") or group.find("p") is None:
            continue
        inputs = group.findall("input")
        stride = 1 + max(int(one.get("offset", 0)) for one in inputs)
        vertex = next(one for one in inputs if one.get("semantic") == "VERTEX")
        position = next(one for one in ids[vertex.get("source")] if one.get("semantic") == "POSITION")
        points = np.array(ids[position.get("source")].find("float_array").text.split(), dtype=float).reshape(-1, 3)
        corners = np.array((group.find("p").text or "").split(), dtype=int)[int(vertex.get("offset", 0)) :: stride]
        if group.tag == "triangles":
            yield points, corners.reshape(-1, 3)
            continue
        counts = np.array(group.find("vcount").text.split(), dtype=int)
        starts = np.cumsum(counts) - counts
        fans = [
            (corners[start], corners[start + k], corners[start + k + 1])
            for start, count in zip(starts, counts, strict=True)
            for k in range(1, count - 1)
        ]
        yield points, np.array(fans)
