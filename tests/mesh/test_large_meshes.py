"""Meshes of many triangles: pieces of any size meet without a seam, in bounded memory, always with the same bits."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from benchmarks.mesh_files import binary_stl
from benchmarks.surfaces import Surface
from builders.meshes import torus as torus_of

from sdfinertia.inertia import polyhedron
from sdfinertia.mesh import store
from sdfinertia.mesh.method import MeshSolid, MeshSource, MeshTreatment
from sdfinertia.mesh.readers.formats import read_mesh
from sdfinertia.mesh.store import MeshStore
from sdfinertia.mesh.surface import separate_bodies
from sdfinertia.mesh.surface.closed_solid import closed_solid
from sdfinertia.mesh.surface.separate_bodies import signed_volumes

_CHUNKS = (polyhedron._CHUNK, separate_bodies._CHUNK)


def torus(triangles: int) -> tuple[np.ndarray, np.ndarray]:
    """A torus of about so many triangles, in float32 numbers."""
    side = round((triangles / 2) ** 0.5)
    vertices, faces = torus_of(0.3, side, side)
    return vertices.astype(np.float32).astype(np.float64), faces


def stl(vertices: np.ndarray, faces: np.ndarray) -> bytes:
    return binary_stl(Surface(vertices, faces))


@pytest.fixture
def reads(monkeypatch):
    """The files that were read."""
    found: list[str] = []
    read = store.read_regular_file
    monkeypatch.setattr(
        store, "read_regular_file", lambda path, *rest, **how: found.append(path) or read(path, *rest, **how)
    )
    return found


def fan(faces: int) -> tuple[np.ndarray, np.ndarray]:
    """A double cone over a polygon, of an even number of faces, far from the origin."""
    sides = faces // 2
    angle = 2 * np.pi * np.arange(sides) / sides
    ring = np.stack((np.cos(angle), np.sin(angle), np.zeros(sides)), axis=1)
    vertices = np.vstack([ring, [[0, 0, 1], [0, 0, -1]]])
    vertices[:, 0] += 1000.0
    here = np.arange(sides)
    after = (here + 1) % sides
    top, bottom = np.full(sides, sides), np.full(sides, sides + 1)
    return vertices, np.vstack([np.stack((here, after, top), axis=1), np.stack((after, here, bottom), axis=1)])


@pytest.mark.parametrize("faces", [n + d for n in _CHUNKS for d in (-2, 0, 2)] + [2 * max(_CHUNKS) + 2])
def test_moments_do_not_feel_where_a_chunk_ends(faces: int) -> None:
    vertices, triangles = fan(faces)
    solid = polyhedron.moments(vertices, triangles)
    sides = faces // 2
    area = sides / 2 * np.sin(2 * np.pi / sides)
    assert solid.volume == pytest.approx(area * 2 / 3, rel=1e-12)
    assert solid.centroid == pytest.approx((1000.0, 0.0, 0.0), abs=1e-12)
    soup = polyhedron.moments(np.ascontiguousarray(vertices[triangles].reshape(-1, 3)))
    assert soup == solid
    volume, surface = signed_volumes(vertices, triangles, np.zeros(faces, np.int64), 1)
    assert volume[0] == pytest.approx(solid.volume, rel=1e-12)
    # Two equal cones' surfaces, from the slant height.
    chord, apothem = 2 * np.sin(np.pi / sides), np.cos(np.pi / sides)
    assert surface[0] == pytest.approx(faces * chord * np.hypot(1, apothem) / 2, rel=1e-9)


@pytest.mark.parametrize("missing", [separate_bodies._CHUNK - 1, separate_bodies._CHUNK, separate_bodies._CHUNK + 1])
def test_volumes_of_bodies_do_not_feel_where_a_chunk_ends(missing: int) -> None:
    first, second = fan(missing // 2 * 2), fan(100)
    vertices = np.vstack([first[0], second[0] + 5.0])
    faces = np.vstack([first[1], second[1] + len(first[0])])
    body = np.repeat([0, 1], [len(first[1]), len(second[1])])
    volume, area = signed_volumes(vertices, faces, body, 2)
    for number, one in enumerate((first, second)):
        alone = signed_volumes(*one, np.zeros(len(one[1]), np.int64), 1)
        assert (volume[number], area[number]) == pytest.approx((alone[0][0], alone[1][0]), rel=1e-11)


def test_a_mesh_of_200_000_triangles_needs_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "torus.stl"
    path.write_bytes(stl(*torus(200_000)))
    size = path.stat().st_size
    store = MeshStore()
    tracemalloc.start()
    try:
        store.digest(str(path))
        store.solid(MeshSource(str(path)), MeshTreatment())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # The file itself, its float32 corners with two tables, then the edges of the welded mesh.
    assert peak < 5 * size


@pytest.mark.parametrize("order", ["as modelled", "shuffled"])
def test_the_same_mesh_gives_the_same_bits_however_it_is_stored(order: str, tmp_path: Path) -> None:
    vertices, faces = torus(60_000)
    if order == "shuffled":
        faces = np.random.default_rng(7).permutation(faces)
    path = tmp_path / "torus.stl"
    path.write_bytes(stl(vertices, faces))
    mesh = read_mesh(str(path), path.read_bytes())
    read = closed_solid(mesh.vertices, mesh.faces)
    given = closed_solid(vertices, faces)
    soup = closed_solid(vertices[faces].reshape(-1, 3), np.arange(faces.size).reshape(-1, 3))
    moments = [polyhedron.moments(solid.vertices, solid.faces) for solid in (read, given, soup, given)]
    assert moments[0] == moments[1] == moments[2] == moments[3]
    assert (read.bodies, read.cavities, read.notes) == (1, 0, ())
    assert (soup.vertices == read.vertices).all()
    assert (soup.faces == read.faces).all()


def test_each_file_is_read_and_integrated_once_whatever_its_scales_and_poses(tmp_path, monkeypatch, reads):
    path = tmp_path / "torus.stl"
    vertices, faces = torus(1000)
    path.write_bytes(stl(vertices, faces))
    integrated: list[int] = []
    from sdfinertia.mesh import solid_moments

    solid_of = solid_moments.solid_of
    monkeypatch.setattr(solid_moments, "solid_of", lambda *a: integrated.append(1) or solid_of(*a))
    meshes = MeshStore()
    source = MeshSource(str(path))
    solids: list[MeshSolid] = []
    for scale in ((1.0, 1.0, 1.0), (2.0, 1.0, 0.5), (-1.0, 1.0, 1.0), (1.0, 1.0, 1.0)):
        meshes.digest(str(path))
        solids.append(meshes.solid(source, MeshTreatment(), scale))
        meshes.bounds(source)
        expected = polyhedron.moments(vertices * scale, faces[:, ::-1] if scale[0] < 0 else faces)
        assert solids[-1].moments.volume == pytest.approx(expected.volume, rel=1e-12)
        assert solids[-1].moments.second == pytest.approx(expected.second, rel=1e-9, abs=1e-12)
        meshes.forget_contents()
    assert len(reads) == 1
    assert len(integrated) == 1
    assert solids[0] == solids[-1]


@pytest.mark.parametrize(("most_kept", "reads_expected"), [(1 << 26, 1), (0, 3)])
def test_a_file_is_read_once_for_submeshes_in_several_links_while_it_is_small(
    tmp_path, monkeypatch, reads, most_kept, reads_expected
):
    path = tmp_path / "parts.obj"
    part = "v 0 0 {0}\nv 1 0 {0}\nv 0 1 {0}\nv 0 0 -{0}\nf -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -2 -4 -1\n"
    path.write_text("".join(f"o part{k}\n" + part.format(k) for k in (1, 2, 3)))
    monkeypatch.setattr(store, "_MAX_KEPT", most_kept)
    meshes = MeshStore()
    for k in (1, 2, 3):
        meshes.digest(str(path))
        solid = meshes.solid(MeshSource(str(path), f"part{k}"), MeshTreatment())
        assert solid.moments.volume == pytest.approx(k / 3)
        meshes.forget_contents()
    assert len(reads) == reads_expected
