"""Meshes of many triangles: pieces of any size meet without a seam, in bounded memory, always with the same bits."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from builders.meshes import stl
from builders.meshes import torus as torus_of

from sdfinertia.inertia import polyhedron
from sdfinertia.mesh import MeshSource, MeshTreatment
from sdfinertia.mesh.closed_solid import closed_solid
from sdfinertia.mesh.readers import read_mesh
from sdfinertia.mesh.store import MeshStore
from sdfinertia.mesh.topology import signed_volumes

_CHUNKS = (polyhedron._CHUNK, 8192)


def torus(triangles: int) -> tuple[np.ndarray, np.ndarray]:
    """A torus of about so many triangles, in float32 numbers."""
    side = round((triangles / 2) ** 0.5)
    vertices, faces = torus_of(0.3, side, side)
    return vertices.astype(np.float32).astype(np.float64), faces


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


def test_a_mesh_of_200_000_triangles_needs_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "torus.stl"
    path.write_bytes(stl(torus(200_000)))
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
    path.write_bytes(stl((vertices, faces)))
    mesh = read_mesh(str(path), path.read_bytes())
    read = closed_solid(mesh.vertices, mesh.faces)
    given = closed_solid(vertices, faces)
    soup = closed_solid(vertices[faces].reshape(-1, 3), np.arange(faces.size).reshape(-1, 3))
    moments = [polyhedron.moments(solid.vertices, solid.faces) for solid in (read, given, soup, given)]
    assert moments[0] == moments[1] == moments[2] == moments[3]
    assert (read.bodies, read.cavities, read.notes) == (1, 0, ())
    assert (soup.vertices == read.vertices).all()
    assert (soup.faces == read.faces).all()
