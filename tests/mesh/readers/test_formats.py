from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdfinertia.errors import MeshError, ResourceError
from sdfinertia.mesh.readers.formats import EXTENSIONS, companion_files, read_mesh

TRIANGLE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


@pytest.mark.parametrize("name", ["a.obj", "a.OBJ", "dir.stl/a.b.Obj"])
def test_the_extension_decides_in_any_letter_case(name: str) -> None:
    assert len(read_mesh(name, TRIANGLE).faces) == 1
    assert len(read_mesh(name, memoryview(TRIANGLE)).faces) == 1


def test_a_file_is_read_from_its_path(tmp_path: Path) -> None:
    (tmp_path / "a.obj").write_bytes(TRIANGLE)
    assert len(read_mesh(str(tmp_path / "a.obj")).faces) == 1
    with pytest.raises(ResourceError, match="No such file"):
        read_mesh(str(tmp_path / "b.obj"))


@pytest.mark.parametrize(("name", "extension"), [("a.blend", ".blend"), ("a.STEP", ".step"), ("noext", "")])
def test_other_formats_are_refused_by_name(name: str, extension: str) -> None:
    with pytest.raises(MeshError) as caught:
        read_mesh(name, b"x")
    assert f"mesh format {extension!r} is not read" in str(caught.value)
    assert ".stl, .obj, .dae, .gltf, .glb, .ply, .off" in str(caught.value)


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_a_git_lfs_pointer_is_named_with_its_remedy(extension: str) -> None:
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 5\n"
    with pytest.raises(MeshError, match=r"git lfs pull.*lfs: true"):
        read_mesh("a" + extension, pointer)


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_an_empty_file_is_an_error(extension: str) -> None:
    with pytest.raises(MeshError, match="empty"):
        read_mesh("a" + extension, b"")


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        ("a.obj", b"v 0 0 0\n", "holds no triangles"),
        ("a.stl", bytes(84), "holds no triangles"),
        ("a.stl", bytes(80) + b"\1\0\0\0" + bytes(12) + b"\0\0\xc0\x7f" + bytes(34), "not finite"),
        ("a.stl", bytes(80) + b"\1\0\0\0" + bytes(12) + b"\0\0\x80\xff" + bytes(34), "not finite"),
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
    with pytest.raises(MeshError) as caught:
        read_mesh(name, data)
    assert problem in str(caught.value)


def test_vertices_that_no_face_uses_may_be_anything() -> None:
    head = b"ply\nformat binary_little_endian 1.0\nelement vertex 4\n"
    head += b"property float x\nproperty float y\nproperty float z\n"
    face = b"element face 1\nproperty list uchar uchar vertex_index\nend_header\n"
    assert len(read_mesh("a.ply", head + face + bytes(36) + b"\0\0\xc0\x7f" * 3 + b"\3\0\1\2").faces) == 1


def test_only_gltf_has_companion_files() -> None:
    gltf = b'{"asset": {"version": "2.0"}, "buffers": [{"uri": "b.bin"}, {"uri": "data:,x"}, {"uri": "b.bin"}, {}]}'
    assert companion_files("meshes/a.GLTF", gltf) == [str(Path("meshes", "b.bin"))]
    assert companion_files("a.obj", gltf) == []
    with pytest.raises(MeshError):
        companion_files("a.gltf", b"damaged")


def test_companion_files_cost_no_import_of_numpy() -> None:
    code = "from sdfinertia.mesh.readers.formats import companion_files; companion_files('a.gltf', b'{}')"
    code += "; import sys; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


STARTS = (
    b"",
    b"solid x\nfacet normal 0 0 1 ",
    b"v 0 0 0\nf 1 ",
    b"<COLLADA>",
    b"glTF\2\0\0\0",
    b'{"asset": ',
    b"ply\nformat ascii 1.0\n",
    b"OFF\n3 1 0\n",
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(EXTENSIONS), st.sampled_from(STARTS), st.binary(max_size=120))
def test_any_bytes_end_in_a_mesh_or_in_one_clear_error(extension: str, start: bytes, rest: bytes) -> None:
    try:
        mesh = read_mesh("a" + extension, start + rest)
    except MeshError:
        return
    assert len(mesh.faces)
