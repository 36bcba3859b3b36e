import json
import re
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders.gltf import FLOAT, UINT, USHORT, asset, data_uri
from builders.gltf import glb as glb_of
from builders.meshes import signed_volume

from sdfinertia.errors import MeshError, ResourceError
from sdfinertia.mesh import MeshSource
from sdfinertia.mesh.readers.gltf import buffer_files
from sdfinertia.mesh.readers.gltf import read_gltf as read_gltf_with
from sdfinertia.mesh.store import MeshStore
from sdfinertia.mesh.triangle_mesh import TriangleMesh

# A tetrahedron of volume 1/6 with its right angle at the origin.
POINTS = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
CORNERS = (0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3)
CONTENT = POINTS + struct.pack("<12H", *CORNERS)
BILLION = {"componentType": FLOAT, "count": 10**9, "type": "VEC3"}


def read_gltf(data: bytes) -> TriangleMesh:
    """The mesh of a file with no others beside it."""

    def open_none(name: str) -> bytes:
        raise AssertionError(f"{name} is asked for")

    return read_gltf_with(data, open_none)


def glb(document: dict[str, Any] | bytes, content: bytes = CONTENT) -> bytes:
    return glb_of(document, content)


def edited(path: str, value: Any) -> dict[str, Any]:
    """The asset with one value replaced; the path's parts are keys and numbers."""
    document = asset()
    *parts, last = path.split(".")
    place: Any = document
    for part in parts:
        place = place[int(part)] if isinstance(place, list) else place[part]
    place[int(last) if isinstance(place, list) else last] = value
    return document


def test_a_glb_is_read_with_the_names_of_nodes_and_meshes_which_come_down_from_ancestors() -> None:
    mesh = read_gltf(glb(asset()))
    assert mesh.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert mesh.faces.ravel().tolist() == list(CORNERS)
    assert mesh.parts == ((("body", "tetra"), 0, 4),)
    assert mesh.notes == ()
    nodes = [
        {"name": "arm", "children": [1, 2], "translation": [0, 0, 1]},
        {"name": "left", "mesh": 0, "translation": [1, 0, 0]},
        {"name": "right", "mesh": 0},
    ]
    mesh = read_gltf(glb(asset(nodes=nodes)))
    assert [len(mesh.submesh(name).faces) for name in ("arm", "left", "right", "tetra")] == [8, 4, 4, 8]
    assert mesh.submesh("left").vertices.min(axis=0).tolist() == [1, 0, 1]


@pytest.mark.parametrize(
    ("uri", "name"),
    [
        (data_uri(CONTENT), None),
        ("data:," + "".join(f"%{byte:02x}" for byte in CONTENT), None),
        ("part.bin", "part.bin"),
        ("./a%20b/../a%20b/part%231.bin", "a b/part#1.bin"),
    ],
)
def test_buffers_are_found_in_uris_and_beside_the_file(tmp_path: Path, uri: str, name: str | None) -> None:
    data = b"\xef\xbb\xbf" + json.dumps(edited("buffers.0.uri", uri)).encode()
    if name:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(CONTENT + b"padding")
    path = tmp_path / "mesh.gltf"
    path.write_bytes(data)
    assert signed_volume(MeshStore().mesh(MeshSource(str(path)))) == pytest.approx(1 / 6, rel=1e-15)
    assert buffer_files(data) == ([name] if name else [])


@pytest.mark.parametrize(
    ("uri", "problem"),
    [
        ("http://example.invalid/x.bin", "is not in a file beside it"),
        ("file:///etc/passwd", "is not in a file beside it"),
        ("/etc/passwd", "outside the directory"),
        ("../x.bin", "outside the directory"),
        ("a/%2e%2e/../x.bin", "outside the directory"),
        *[("a\\x.bin", "names no file"), ("%00", "names no file"), ("", "names no file"), (".", "names no file")],
        *[("missing.bin", "buffer not found"), ("data:;base64,@@@@", "is not base64")],
        ("data:;base64,AAAA", "cut off: 3 of 72 bytes"),
        ("short.bin", "cut off: 5 of 72 bytes"),
        ("pointer.bin", "Git LFS pointer"),
        (7, "is not a text"),
    ],
)
def test_buffers_elsewhere_are_refused(tmp_path: Path, uri, problem: str) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "x.bin").write_bytes(CONTENT)
    (tmp_path / "inner" / "short.bin").write_bytes(b"short")
    (tmp_path / "inner" / "pointer.bin").write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
    path = tmp_path / "inner" / "mesh.gltf"
    path.write_text(json.dumps(edited("buffers.0.uri", uri)))
    with pytest.raises(ResourceError if uri == "missing.bin" else MeshError) as caught:
        MeshStore().mesh(MeshSource(str(path)))
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        ({"translation": [1, 2, 3]}, (2, 2, 3)),
        ({"rotation": [0, 0, 1, 1]}, (0, 1, 0)),
        ({"scale": [2, 1, 1], "rotation": [0, 0, 0.5, 0.5], "translation": [0, 0, 7]}, (0, 2, 7)),
        ({"scale": [-1, 1, 1]}, (-1, 0, 0)),
        ({"matrix": [0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1]}, (5, 7, 7)),
    ],
)
def test_node_transforms_apply_and_mirrors_turn_the_winding(node: dict[str, Any], expected: tuple) -> None:
    mesh = read_gltf(glb(edited("nodes.0", {"mesh": 0, **node})))
    assert mesh.vertices[1].tolist() == list(expected)
    assert signed_volume(mesh.centered()) > 0


@pytest.mark.parametrize(
    ("change", "copies"),
    [
        ({"scene": 1, "scenes": [{}, {"nodes": [0, 1]}]}, 2),
        ({"scene": None, "scenes": [{"nodes": [1]}, {"nodes": [0, 1]}]}, 1),
        ({"scene": None, "scenes": None}, 2),
        ({"scene": None, "scenes": None, "nodes": None}, 1),
    ],
)
def test_the_scene_is_the_default_or_the_first_or_all(change: dict[str, Any], copies: int) -> None:
    document = asset(**{"nodes": [{"mesh": 0}, {"mesh": 0}], **change})
    assert len(read_gltf(glb({key: value for key, value in document.items() if value is not None})).faces) == 4 * copies


@pytest.mark.parametrize(
    ("mode", "corners", "triangles"),
    [
        (4, (0, 2, 1), [[0, 2, 1]]),
        (5, (0, 2, 1, 3), [[0, 2, 1], [1, 2, 3]]),
        (6, (0, 2, 1, 3), [[0, 2, 1], [0, 1, 3]]),
        (4.0, (0, 2, 1), [[0, 2, 1]]),
    ],
)
@pytest.mark.parametrize(("component", "code"), [(5121, "B"), (USHORT, "H"), (UINT, "I")])
def test_modes_of_triangles_are_read_with_every_index_type(mode, corners, triangles, component, code):
    content = POINTS + struct.pack(f"<{len(corners)}{code}", *corners)
    document = edited("meshes.0.primitives.0.mode", mode)
    document["accessors"][1].update(componentType=component, count=len(corners))
    document["bufferViews"][1]["byteLength"] = document["buffers"][0]["byteLength"] = len(content) - 48
    document["buffers"][0]["byteLength"] = len(content)
    mesh = read_gltf(glb(document, content))
    there = np.frombuffer(POINTS, "<f4").reshape(-1, 3)
    assert mesh.vertices[mesh.faces].tolist() == there[triangles].tolist()


def test_points_and_lines_are_no_surface_and_primitives_without_indices_take_their_vertices_in_order() -> None:
    document = asset()
    document["accessors"][0]["count"] = 3
    attributes = {"POSITION": 0}
    modes = [{"attributes": attributes, "mode": mode} for mode in (0, 1, 2, 3)]
    document["meshes"][0]["primitives"] = [*modes, {"attributes": attributes}, {"attributes": {}}]
    mesh = read_gltf(glb(document))
    assert mesh.vertices[mesh.faces].tolist() == [[[0, 0, 0], [1, 0, 0], [0, 1, 0]]]
    assert "without positions" in mesh.notes[0]


@pytest.mark.parametrize(
    ("component", "dtype", "normalized", "largest"),
    [(5120, "<i1", True, 127), (5121, "<u1", True, 255), (5122, "<i2", True, 32767), (5123, "<u2", False, 1)],
)
def test_quantized_positions_with_a_stride_are_read(component: int, dtype: str, normalized: bool, largest: int) -> None:
    points = np.zeros((4, 4), dtype=dtype)
    points[[1, 2, 3], [0, 1, 2]] = largest
    content = points.tobytes() + struct.pack("<12H", *CORNERS)
    size = points.nbytes
    document = asset(extensionsRequired=["KHR_mesh_quantization"], buffers=[{"byteLength": len(content)}])
    document["accessors"][0].update(componentType=component, normalized=normalized)
    document["bufferViews"] = [
        {"buffer": 0, "byteLength": size, "byteStride": size // 4},
        {"buffer": 0, "byteOffset": size, "byteLength": 24},
    ]
    assert signed_volume(read_gltf(glb(document, content))) == pytest.approx(1 / 6, rel=1e-15)


def test_what_is_passed_over_is_noted() -> None:
    document = edited("nodes.0.skin", 0)
    document["meshes"][0]["primitives"][0]["targets"] = [{}]
    notes = " ".join(read_gltf(glb(document)).notes)
    assert "skin" in notes
    assert "morph" in notes
    assert "3 bytes after" in read_gltf(glb(asset()) + b"abc").notes[0]


def test_required_extensions_are_refused_by_name_unless_they_are_of_looks() -> None:
    for name in ("KHR_draco_mesh_compression", "EXT_mesh_gpu_instancing", "VENDOR_unknown"):
        with pytest.raises(MeshError, match=name):
            read_gltf(glb(asset(extensionsRequired=["KHR_materials_unlit", name])))
    looks = ["KHR_materials_unlit", "KHR_texture_transform", "KHR_lights_punctual", "KHR_techniques_webgl"]
    assert len(read_gltf(glb(asset(extensionsRequired=looks))).faces) == 4


@pytest.mark.parametrize(
    ("path", "value", "problem"),
    [
        ("asset.version", "1.0", "glTF version '1.0'"),
        ("scene", 1, "refers to number 1 of scenes, but there are 1"),
        ("scenes.0.nodes", [0, 0], "reached twice"),
        ("scenes.0.nodes", [True], "number True of nodes"),
        ("scenes.0.nodes", {}, "is not a list"),
        ("nodes.0.children", [0], "reached twice"),
        ("nodes.0.mesh", 3, "number 3 of meshes"),
        ("nodes.0.extensions", {"EXT_mesh_gpu_instancing": {}}, "EXT_mesh_gpu_instancing"),
        ("nodes.0.rotation", [0, 0, 0, 0], "length zero"),
        ("nodes.0.scale", [1, 1], "needs 3 finite numbers"),
        ("nodes.0.scale", [1, 1, 10**400], "needs 3 finite numbers"),
        ("nodes.0.matrix", [1] * 16, "not affine"),
        ("nodes.0", 5, "number 0 of nodes of the glTF is not an object"),
        ("meshes.0.primitives.0", [], "is not an object"),
        ("meshes.0.primitives.0.mode", 7, "the mode 7"),
        ("meshes.0.primitives.0.mode", "4", "needs a whole number 'mode'"),
        ("meshes.0.primitives.0.indices", -1, "number -1 of accessors"),
        ("meshes.0.primitives.0.indices", 0, "indices that are not unsigned"),
        ("meshes.0.primitives.0.attributes.POSITION", 1, "not VEC3"),
        ("accessors.0.count", 3, "refers to vertex 3, but there are 3"),
        ("accessors.0.count", 3_000_000_000, "needs 36000000000 bytes, but its bufferView has 48"),
        ("accessors.0.count", 2.5, "needs a whole number 'count'"),
        ("accessors.0.byteOffset", 1, "needs 49 bytes"),
        ("accessors.0.type", "VEC9", "no known type"),
        ("accessors.0.componentType", 1, "no known componentType"),
        ("accessors.1.count", 11, "not a multiple of 3"),
        ("buffers", 5, "is not a list"),
        ("accessors.0", BILLION, "may be compressed"),
        ("bufferViews.0.byteLength", 100, "ends at byte 100, but its buffer at 72"),
        ("bufferViews.0.byteStride", 4, "byteStride of 4"),
        ("bufferViews.0.buffer", 1, "number 1 of buffers"),
        ("buffers.0.byteLength", 73, "cut off: 72 of 73 bytes"),
        ("buffers.0.byteLength", "72", "has no byteLength"),
        ("asset", [], "'asset' of the top of the glTF is not an object"),
        ("accessors.0.sparse", {}, "accessor 0 of the glTF is sparse, which is not read"),
    ],
)
def test_lying_numbers_are_errors(path: str, value, problem: str) -> None:
    with pytest.raises(MeshError, match=re.escape(problem)):
        read_gltf(glb(edited(path, value)))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (glb(asset())[:-1], "cut off"),
        (b"glTF\2\0\0\0", "of the 20 bytes of a GLB's header"),
        (glb(asset()).replace(b"\2\0\0\0", b"\1\0\0\0", 1), "GLB version 1"),
        (glb(asset()).replace(b"JSON", b"NOSJ", 1), "is not JSON"),
        (glb(b'{"asset": NaN}'), "NaN is not a JSON number"),
        (glb(b"\xff"), "not UTF-8"),
        (glb(asset())[:12] + b"\xff\xff\xff\xff" + glb(asset())[16:], "of 4,294,967,295 bytes of a GLB chunk"),
        (b"{", "not valid JSON"),
        (b"[]", "not an object"),
        (b"[" * 200_000, "JSON"),
        (json.dumps(asset()).encode(), "neither a uri nor the binary chunk"),
    ],
)
def test_damaged_files_are_errors(data: bytes, problem: str) -> None:
    with pytest.raises(MeshError, match=re.escape(problem)):
        read_gltf(data)


def test_instances_and_primitives_that_multiply_one_accessor_are_refused() -> None:
    count = 30_000
    content = POINTS + bytes(3 * 2 * count)
    document = asset(corners=3 * count)
    by_nodes = document | {"nodes": [{"mesh": 0}] * 1000, "scenes": [{"nodes": list(range(1000))}]}
    by_primitives = document | {"meshes": [{"primitives": document["meshes"][0]["primitives"] * 1000}]}
    for multiplied in (by_nodes, by_primitives):
        with pytest.raises(MeshError, match="more than 500000 triangles, but its file has"):
            read_gltf(glb(multiplied, content))


@pytest.mark.parametrize("declared", [5, {}])
def test_buffers_of_a_wrong_kind_stand_for_no_files(declared) -> None:
    with pytest.raises(MeshError, match="'buffers' of the top of the glTF is not a list"):
        list(buffer_files(glb(edited("buffers", declared))))


def test_nodes_in_a_circle_or_in_a_chain_too_deep_are_refused() -> None:
    document = edited("nodes", [{"children": [1], "mesh": 0}, {"children": [0]}])
    del document["scene"], document["scenes"]
    with pytest.raises(MeshError, match="every node of the glTF is the child of another"):
        read_gltf(glb(document))
    chain: list[dict[str, Any]] = [{"children": [number + 1]} for number in range(5000)]
    with pytest.raises(MeshError, match="is deeper than"):
        read_gltf(glb(edited("nodes", [*chain, {"mesh": 0}])))
