"""glTF 2.0 and GLB: the default scene's triangles, every node in its place, with no change of axes."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.mesh.kernel import Indices, Points, on_used_rows
from sdfinertia.mesh.readers.gltf_buffers import (
    Accessors,
    Object,
    asset,
    check_version,
    child_object,
    item,
    items,
    whole,
)
from sdfinertia.mesh.readers.instances import (
    IDENTITY,
    MAX_DEPTH,
    Affine,
    Geometry,
    Instance,
    compose,
    place,
    refuse_too_many_triangles,
    rotation_from_quaternion,
    scaling,
    translation,
)
from sdfinertia.mesh.triangle_mesh import Colour, TriangleMesh, strip

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator

# Extensions that change materials or metadata of a surface, not its place; quantization changes component types only.
_HARMLESS = re.compile(
    "KHR_(materials_|techniques?_webgl|texture_|lights_|xmp|animation_pointer|mesh_quantization)"
    "|EXT_(texture_|lights_|mesh_features|structural_metadata)|MSFT_texture_dds|ADOBE_materials_"
)

# Modes of primitives (glTF 2.0, section 3.7.2.1); 0 to 3 are points and lines.
_TRIANGLES, _STRIP, _FAN = 4, 5, 6


def read_gltf(data: bytes, open_buffer: Callable[[str], bytes]) -> TriangleMesh:
    content = asset(data)
    document = content.json
    check_version(document)
    for name in items(document, "extensionsRequired"):
        if not _HARMLESS.match(str(name)):
            raise MeshError(
                f"the glTF requires the extension {str(name)[:80]!r}, which is not read",
                remedy="export the mesh without it",
            )
    notes = dict.fromkeys(content.notes)
    accessors = Accessors(content, open_buffer)

    def held() -> int:
        return len(data) + accessors.external_bytes

    def geometry(index: Hashable) -> Geometry:
        return _mesh(document, index, accessors, held, notes)

    mesh = place(_instances(document, notes), geometry, held, colour_of=lambda key: colour_of(document, key))
    return replace(mesh, notes=tuple(notes))


class _Visit(NamedTuple):
    node: object
    to_scene: Affine
    names: tuple[str, ...]
    depth: int


def _instances(document: Object, notes: dict[str, None]) -> Iterator[Instance]:
    if not items(document, "nodes"):
        notes["the glTF has no nodes, so each of its meshes is read once, without transforms"] = None
        for index, mesh in enumerate(items(document, "meshes")):
            yield Instance(index, IDENTITY, _name(mesh))
        return
    waiting = [_Visit(root, IDENTITY, (), 1) for root in reversed(_roots(document))]
    passed: set[int] = set()
    while waiting:
        visit = waiting.pop()
        node, number = item(document, "nodes", visit.node, "the scene")
        if number in passed:
            raise MeshError(f"node {number} of the glTF is reached twice: nodes must form a tree")
        passed.add(number)
        if visit.depth > MAX_DEPTH:
            raise MeshError(f"node {number} of the glTF is deeper than {MAX_DEPTH} nodes")
        to_scene = compose(visit.to_scene, _transform(node, number))
        names = visit.names + _name(node)
        if "mesh" in node:
            if "EXT_mesh_gpu_instancing" in child_object(node, "extensions", f"node {number}"):
                raise MeshError(f"node {number} of the glTF uses EXT_mesh_gpu_instancing, which is not read")
            if "skin" in node:
                notes["a glTF skin is read in its bind pose under its own node, its joints are not applied"] = None
            mesh, index = item(document, "meshes", node["mesh"], f"node {number}")
            yield Instance(index, to_scene, tuple(dict.fromkeys(names + _name(mesh))))
        children = items(node, "children", f"node {number}")
        waiting.extend(_Visit(child, to_scene, names, visit.depth + 1) for child in reversed(children))


def _roots(document: Object) -> list[object]:
    if "scene" in document or items(document, "scenes"):
        scene, number = item(document, "scenes", document.get("scene", 0), "the top")
        return list(items(scene, "nodes", f"scene {number}"))
    nodes = [item(document, "nodes", index, "the top")[0] for index in range(len(items(document, "nodes")))]
    children = {child for node in nodes for child in items(node, "children", "a node") if isinstance(child, int)}
    roots: list[object] = [index for index in range(len(nodes)) if index not in children]
    if not roots:
        raise MeshError("every node of the glTF is the child of another: nodes must form a tree")
    return roots


def _name(declared: object) -> tuple[str, ...]:
    name = declared.get("name") if isinstance(declared, dict) else None
    return (name.strip(),) if isinstance(name, str) and name.strip() else ()


def _transform(node: Object, number: int) -> Affine:
    if "matrix" in node:
        m = _floats(node, "matrix", 16, number)  # column after column
        if m[3::4] != [0.0, 0.0, 0.0, 1.0]:
            raise MeshError(f"the matrix of node {number} of the glTF is not affine: its last row is not 0 0 0 1")
        return (m[0], m[4], m[8], m[12]), (m[1], m[5], m[9], m[13]), (m[2], m[6], m[10], m[14])
    transform = IDENTITY
    if "translation" in node:
        x, y, z = _floats(node, "translation", 3, number)
        transform = translation(x, y, z)
    if "rotation" in node:
        x, y, z, w = _floats(node, "rotation", 4, number)
        if not any((x, y, z, w)):
            raise MeshError(f"the rotation of node {number} of the glTF is a quaternion of length zero")
        transform = compose(transform, rotation_from_quaternion(x, y, z, w))
    if "scale" in node:
        x, y, z = _floats(node, "scale", 3, number)
        transform = compose(transform, scaling(x, y, z))
    return transform


def _floats(node: Object, key: str, count: int, number: int) -> list[float]:
    values = items(node, key, f"node {number}")
    plain = all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)
    # A whole number of more than 308 digits is no float.
    if not plain or len(values) != count or any(abs(value) > sys.float_info.max for value in values):
        raise MeshError(f"{key!r} of node {number} of the glTF needs {count} finite numbers")
    return [float(value) for value in values]


def _mesh(
    document: Object, index: object, accessors: Accessors, held: Callable[[], int], notes: dict[str, None]
) -> Geometry:
    mesh, number = item(document, "meshes", index, "a node")
    vertices: list[Points] = [np.empty((0, 3))]
    faces: list[Indices] = [np.empty((0, 3), dtype=np.int64)]
    materials: list[tuple[Hashable, int]] = []
    first_vertex = total = 0
    for place_in_mesh, primitive in enumerate(items(mesh, "primitives", f"mesh {number}")):
        what = f"primitive {place_in_mesh} of mesh {number}"
        if not isinstance(primitive, dict):
            raise MeshError(f"{what} of the glTF is not an object")
        mode = whole(primitive, "mode", what, _TRIANGLES)
        if mode < _TRIANGLES:
            continue
        position = child_object(primitive, "attributes", what).get("POSITION")
        if position is None:
            notes["primitives of the glTF without positions are left out"] = None
            continue
        if "targets" in primitive:
            notes["the morph targets of the glTF are not applied"] = None
        positions = accessors.accessor(position, what)
        available = len(positions.base)
        if positions.base.shape[1] != 3:
            raise MeshError(f"{what} of the glTF has positions that are not VEC3")
        indices = primitive.get("indices")
        count = available if indices is None else len(accessors.accessor(indices, what).base)
        # Before anything is copied: many primitives may use one accessor.
        total += count // 3 if mode == _TRIANGLES else count
        refuse_too_many_triangles(total, held())
        corners = np.arange(count) if indices is None else _indices(accessors, indices, available, what)
        triangles = _triangles(mode, corners, what)
        used, renumbered = on_used_rows(triangles, available)
        vertices.append(positions.rows(used))
        faces.append(renumbered + first_vertex)
        material = primitive.get("material")
        materials.append((material if type(material) is int else None, len(renumbered)))
        first_vertex += len(used)
    return Geometry(np.concatenate(vertices), np.concatenate(faces), tuple(materials))


def _indices(accessors: Accessors, index: object, vertices: int, what: str) -> Indices:
    accessor = accessors.accessor(index, what)
    if accessor.base.shape[1] != 1 or accessor.base.dtype.kind != "u":
        raise MeshError(f"{what} of the glTF has indices that are not unsigned whole numbers")
    corners = accessor.base[:, 0].astype(np.int64)
    if len(corners) and int(corners.max()) >= vertices:
        raise MeshError(f"{what} of the glTF refers to vertex {corners.max()}, but there are {vertices}")
    return corners


def _triangles(mode: int, corners: Indices, what: str) -> Indices:
    if mode == _TRIANGLES:
        if len(corners) % 3:
            raise MeshError(f"{what} of the glTF has {len(corners)} corners, which is not a multiple of 3")
        return corners.reshape(-1, 3)
    if mode == _STRIP:
        return strip(corners)
    if mode == _FAN:
        return np.column_stack((np.broadcast_to(corners[:1], (max(len(corners) - 2, 0),)), corners[1:-1], corners[2:]))
    raise MeshError(f"{what} of the glTF has the mode {mode}, which does not exist")


def colour_of(document: Object, index: Hashable) -> Colour | None:
    """The base colour of a material in sRGB, and its opacity; None where it is an image, or given another way."""
    materials = document.get("materials")
    if not isinstance(materials, list) or not isinstance(index, int) or not 0 <= index < len(materials):
        return None
    material = materials[index]
    surface = material.get("pbrMetallicRoughness") if isinstance(material, dict) else None
    if not isinstance(surface, dict) or "baseColorTexture" in surface:
        return None
    factors = surface.get("baseColorFactor", [1.0, 1.0, 1.0, 1.0])
    if not isinstance(factors, list) or len(factors) != 4 or not all(_is_fraction(each) for each in factors):
        return None
    red, green, blue = (_srgb(float(factor)) for factor in factors[:3])
    return red, green, blue, float(factors[3]) if material.get("alphaMode") == "BLEND" else 1.0


def _is_fraction(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0


def _srgb(linear: float) -> float:
    """IEC 61966-2-1; a full component is 1 to the bit."""
    return 12.92 * linear if linear <= 0.0031308 else round(1.055 * linear ** (1.0 / 2.4) - 0.055, 9)
