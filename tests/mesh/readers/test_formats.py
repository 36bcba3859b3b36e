import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import MeshError
from sdfinertia.mesh import METHODS, OPEN_MESH_POLICIES, MeshSource, MeshTreatment, Method, policy_named
from sdfinertia.mesh.readers import EXTENSIONS, buffer_files, read_mesh
from sdfinertia.mesh.store import MeshStore

TRIANGLE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


@pytest.mark.parametrize("name", ["a.obj", "a.OBJ", "dir.stl/a.b.Obj"])
def test_the_extension_decides_in_any_letter_case(name: str) -> None:
    assert len(read_mesh(name, TRIANGLE).faces) == 1
    assert len(read_mesh(name, memoryview(TRIANGLE)).faces) == 1


@pytest.mark.parametrize(
    ("name", "extension"),
    [("a.blend", ".blend"), ("a.FBX", ".fbx"), ("a.off", ".off"), ("a.3mf", ".3mf"), ("noext", "")],
)
def test_other_formats_are_refused_by_name(name: str, extension: str) -> None:
    with pytest.raises(MeshError) as caught:
        read_mesh(name, b"x")
    assert f"mesh format {extension!r} is not read" in str(caught.value)
    assert ".stl, .obj, .dae, .gltf, .glb, .ply, .step" in str(caught.value)


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_an_empty_file_and_a_git_lfs_pointer_are_errors(extension: str) -> None:
    with pytest.raises(MeshError, match="empty"):
        read_mesh("a" + extension, b"")
    with pytest.raises(MeshError, match=r"git lfs pull.*lfs: true"):
        read_mesh("a" + extension, b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n")


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("a.obj", b"# nothing\n", "holds no triangles"),
        ("a.ply", b"ply\nformat ascii 1.0\nend_header\n", "holds no triangles"),
        ("a.stl", bytes(84), "holds no triangles"),
        ("a.stl", bytes(80) + b"\1\0\0\0" + bytes(12) + b"\0\0\xc0\x7f" + bytes(34), "not finite"),
        ("a.stl", bytes(80) + b"\1\0\0\0" + bytes(12) + b"\1\0\x80\x7f" + bytes(34), "not finite"),  # signalling
        (
            "a.ply",
            b"ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int y\nproperty int z\n"
            b"element face 1\nproperty list int int vertex_index\nend_header\n0 0 0\n3 0 0 1\n",
            "a face refers to vertex 1, but there are 1",
        ),
    ],
)
def test_every_mesh_has_triangles_of_finite_coordinates(name: str, data: bytes, problem: str) -> None:
    with pytest.raises(MeshError, match=re.escape(problem)):
        read_mesh(name, data)


def test_vertices_that_no_face_uses_may_be_anything() -> None:
    head = b"ply\nformat binary_little_endian 1.0\nelement vertex 4\n"
    head += b"property float x\nproperty float y\nproperty float z\n"
    face = b"element face 1\nproperty list uchar uchar vertex_index\nend_header\n"
    assert len(read_mesh("a.ply", head + face + bytes(36) + b"\0\0\xc0\x7f" * 3 + b"\3\0\1\2").faces) == 1


def test_only_gltf_has_buffer_files_and_none_is_opened_unless_that_is_given() -> None:
    gltf = b'{"asset": {"version": "2.0"}, "buffers": [{"uri": "b.bin"}, {"uri": "data:,x"}, {"uri": "b.bin"}, {}]}'
    assert buffer_files("meshes/a.GLTF", gltf) == ["b.bin"]
    assert buffer_files("a.obj", gltf) == []
    with pytest.raises(MeshError):
        buffer_files("a.gltf", b"damaged")
    with pytest.raises(MeshError, match=r"glTF version '1\.0' is not read; export the mesh as glTF 2\.0"):
        buffer_files("a.gltf", b'{"asset": {"version": "1.0"}, "buffers": {"b": {"uri": "b.bin"}}}')
    gltf = b'{"asset": {"version": "2.0"}, "buffers": [{"byteLength": 9, "uri": "b.bin"}], '
    gltf += b'"bufferViews": [{"buffer": 0}], '
    gltf += b'"accessors": [{"bufferView": 0, "componentType": 5126, "count": 1, "type": "VEC3"}], '
    gltf += b'"meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}]}'
    with pytest.raises(MeshError, match=r"the buffer 'b\.bin' of the glTF is not opened"):
        read_mesh("a.gltf", gltf)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.obj", b"v 0 0 0\nv 2 0 0\nv 0 3 0\nv 0 0 4\nv 1 0 0\n"),
        (
            "a.ply",
            b"ply\nformat ascii 1.0\nelement vertex 4\nproperty int x\nproperty int y\nproperty int z\nend_header\n"
            b"0 0 0\n2 0 0\n0 3 0\n0 0 4\n",
        ),
    ],
)
def test_vertices_alone_stand_for_their_hull_and_for_nothing_else(name: str, data: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(data)
    source = MeshSource(str(tmp_path / name))
    solid = MeshStore().solid(source, MeshTreatment(Method.CONVEX_HULL))
    assert solid.moments.volume == pytest.approx(4.0)
    assert MeshStore().bounds(source) == ((0.0, 0.0, 0.0), (2.0, 3.0, 4.0))
    centred = MeshStore().solid(source._replace(center=True), MeshTreatment(Method.CONVEX_HULL))
    assert centred.moments.volume == pytest.approx(4.0)
    for treatment in [
        *(MeshTreatment(Method(each)) for each in METHODS),
        *(MeshTreatment(open_mesh=policy_named(each)) for each in OPEN_MESH_POLICIES),
    ]:
        if treatment.method is not Method.CONVEX_HULL:
            with pytest.raises(MeshError, match="the mesh file holds no triangles"):
                MeshStore().solid(source, treatment)


STARTS = (
    *(b"", b"solid x\nfacet normal 0 0 1 ", b"v 0 0 0\nf 1 ", b"<COLLADA>", b"glTF\2\0\0\0", b'{"asset": '),
    b"ply\nformat ascii 1.0\n",
)


@given(st.sampled_from(EXTENSIONS), st.sampled_from(STARTS), st.binary(max_size=120))
def test_any_bytes_end_in_a_mesh_or_in_one_clear_error(extension: str, start: bytes, rest: bytes) -> None:
    try:
        mesh = read_mesh("a" + extension, start + rest)
    except MeshError:
        return
    assert len(mesh.vertices)
