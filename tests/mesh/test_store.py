import json
import struct
import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from builders.gltf import asset
from builders.meshes import ball, stl, torus

from sdfinertia.errors import ResourceError
from sdfinertia.inertia import polyhedron
from sdfinertia.mesh import MeshSource, MeshTreatment, Method, pipeline, store
from sdfinertia.mesh import readers as formats
from sdfinertia.mesh.pipeline import Pipeline
from sdfinertia.mesh.store import MeshStore

POINTS = struct.pack("<9f3H", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2)


@pytest.fixture
def gltf(tmp_path: Path) -> Path:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "points.bin").write_bytes(POINTS)
    (tmp_path / "mesh.gltf").write_text(
        json.dumps(asset(3, 3, buffers=[{"byteLength": 42, "uri": "parts/points.bin"}]))
    )
    return tmp_path / "mesh.gltf"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were read."""
    found: list[str] = []
    read = store.read_regular_file
    monkeypatch.setattr(
        store, "read_regular_file", lambda path, *rest, **how: found.append(path) or read(path, *rest, **how)
    )
    return found


@pytest.mark.parametrize("digest_first", [True, False])
def test_a_mesh_file_and_the_one_beside_it_are_opened_once_each(gltf, digest_first, opened):
    meshes = MeshStore()
    uses = [lambda: meshes.digest(str(gltf)), lambda: meshes.mesh(MeshSource(str(gltf)))]
    for use in uses if digest_first else reversed(uses):
        use()
    assert sorted(opened) == [str(gltf), str(gltf.parent / "parts" / "points.bin")]


def test_each_file_is_read_and_integrated_once_whatever_its_scales_and_poses(tmp_path, monkeypatch, opened):
    path = tmp_path / "torus.stl"
    vertices, faces = torus(0.3)
    vertices = vertices.astype(np.float32).astype(np.float64)
    path.write_bytes(stl((vertices, faces)))
    integrated: list[int] = []
    by = Pipeline.by
    monkeypatch.setattr(Pipeline, "by", lambda *a: integrated.append(1) or by(*a))
    meshes = MeshStore()
    source = MeshSource(str(path))
    solids = []
    for scale in ((1.0, 1.0, 1.0), (2.0, 1.0, 0.5), (-1.0, 1.0, 1.0), (1.0, 1.0, 1.0)):
        meshes.digest(str(path))
        solids.append(meshes.solid(source, MeshTreatment(), scale))
        meshes.bounds(source)
        expected = polyhedron.moments(vertices * scale, faces[:, ::-1] if scale[0] < 0 else faces)
        assert solids[-1].moments.volume == pytest.approx(expected.volume, rel=1e-12)
        assert solids[-1].moments.second == pytest.approx(expected.second, rel=1e-9, abs=1e-12)
        meshes.forget_contents()
    assert (len(opened), len(integrated)) == (1, 1)
    assert solids[0] == solids[-1]


def test_the_digest_of_a_mesh_is_sha256_by_which_comments_in_files_name_it_and_counts_what_lies_beside(
    gltf: Path, tmp_path: Path
) -> None:
    (tmp_path / "part.stl").write_bytes(b"solid part")
    assert MeshStore().digest(str(tmp_path / "part.stl")) == sha256(b"solid part").hexdigest()
    before = MeshStore().digest(str(gltf))
    (gltf.parent / "parts" / "points.bin").write_bytes(POINTS[::-1])
    assert MeshStore().digest(str(gltf)) != before


def test_a_file_beside_a_mesh_is_bound_by_the_same_limits(gltf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = MeshSource(str(gltf))
    size = gltf.stat().st_size
    (gltf.parent / "parts" / "points.bin").write_bytes(POINTS + bytes(size))
    monkeypatch.setattr(sys.modules[MeshStore.__module__], "MAXIMUM_BYTES", size)
    with pytest.raises(ResourceError, match=f"the limit is {size}"):
        MeshStore().mesh(source)
    monkeypatch.undo()
    tree = gltf.parent / "tree"
    tree.mkdir()
    with pytest.raises(ResourceError, match=r"mesh.gltf: is outside"):
        MeshStore(confine=str(tree)).mesh(source)
    (tree / "mesh.gltf").write_text(gltf.read_text())
    (tree / "parts").symlink_to(gltf.parent / "parts", target_is_directory=True)
    with pytest.raises(ResourceError, match=r"its buffer .* is outside"):
        MeshStore(confine=str(tree)).mesh(MeshSource(str(tree / "mesh.gltf")))
    assert len(MeshStore(confine=str(gltf.parent)).mesh(source).faces) == 1


def test_a_file_that_is_not_beside_a_mesh_is_an_error_with_its_place(gltf: Path) -> None:
    (gltf.parent / "parts" / "points.bin").unlink()
    for ask in (MeshStore().digest, lambda path: MeshStore().mesh(MeshSource(path))):
        with pytest.raises(ResourceError, match=r"mesh\.gltf: buffer not found: .*points\.bin") as caught:
            ask(str(gltf))
        assert caught.value.uri == str(gltf.parent / "parts" / "points.bin")


def test_copies_of_a_mesh_are_read_and_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / f"{name}.stl" for name in ("one", "other")]
    for path in paths:
        path.write_bytes(stl(ball()))
    read: list[str] = []
    monkeypatch.setattr(store, "read_mesh", lambda path, *rest: read.append(path) or formats.read_mesh(path, *rest))
    meshes = MeshStore()
    one, other = (meshes.solid(MeshSource(str(path)), MeshTreatment()) for path in paths)
    assert one == other
    assert read == [str(paths[0])]


def test_an_open_mesh_is_closed_and_hulled_once_for_all_that_it_may_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vertices, faces = ball()
    path = tmp_path / "open.stl"
    path.write_bytes(stl((vertices, faces[:-5])))
    calls: list[str] = []
    for name in ("repaired", "convex_hull"):
        own = getattr(pipeline, name)
        monkeypatch.setattr(pipeline, name, lambda *given, own=own, name=name: calls.append(name) or own(*given))
    meshes = MeshStore()
    meshes.solid(MeshSource(str(path)), MeshTreatment(Method.EXACT, Method.DIVERGENCE))
    meshes.solid(MeshSource(str(path)), MeshTreatment(Method.CONVEX_HULL))
    assert sorted(calls) == ["convex_hull", "repaired"]
