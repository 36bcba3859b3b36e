"""What the benchmark works on is what it is taken for, and is made once."""

import os
import statistics
from pathlib import Path

import pytest

from benchmarks.mesh_files import WRITERS
from benchmarks.surfaces import bumpy_torus
from benchmarks.workloads import Workloads, tree_meshes
from sdfinertia import Options, fill, mesh_moments
from sdfinertia.mesh.closed_solid import closed_solid
from sdfinertia.mesh.readers.formats import read_mesh

TRIANGLES = 3200


@pytest.fixture
def workloads(tmp_path: Path) -> Workloads:
    return Workloads(tmp_path)


@pytest.mark.parametrize("kind", WRITERS)
def test_a_mesh_file_holds_one_closed_body_that_needs_no_repair(workloads: Workloads, kind: str) -> None:
    path = workloads.mesh(TRIANGLES, kind)
    mesh = read_mesh(str(path), path.read_bytes())
    solid = closed_solid(mesh.vertices, mesh.faces)
    assert (len(solid.faces), solid.bodies, solid.cavities, solid.notes) == (TRIANGLES, 1, 0, ())
    surface = bumpy_torus(TRIANGLES)
    exact = mesh_moments(surface.vertices, surface.faces).volume
    assert mesh_moments(solid.vertices, solid.faces).volume == pytest.approx(exact, rel=1e-5)  # six digits are written


def test_the_same_is_made_each_time_and_once(tmp_path):
    old, foreign = tmp_path / "workloads-0123456789ab", tmp_path / "notes"
    old.mkdir()
    foreign.mkdir()
    one, other = Workloads(tmp_path), Workloads(tmp_path / "other")
    assert (old.exists(), foreign.exists()) == (False, True), "what other makers have made is removed"
    for kind in WRITERS:
        assert one.mesh(TRIANGLES, kind).read_bytes() == other.mesh(TRIANGLES, kind).read_bytes()
    assert one.world(1000).read_bytes() == other.world(1000).read_bytes()
    assert one.world(1000).stat().st_size == pytest.approx(500 * 1000, rel=0.1)
    os.utime(one.world(1000), (0, 0))
    assert Workloads(tmp_path).world(1000).stat().st_mtime == 0


@pytest.mark.parametrize(
    ("links", "make"),
    [
        (3, Workloads.primitives_model),
        (1, lambda workloads: workloads.mesh_model(TRIANGLES, "obj")),
        (25, lambda workloads: workloads.world(25)),
    ],
)
def test_every_link_of_a_model_can_be_filled(workloads, links, make):
    result = fill(make(workloads))
    assert not result.errors
    assert [link.inertia is not None for link in result.links] == [True] * links


@pytest.mark.parametrize("make", [Workloads.primitives_library, Workloads.robots_library, Workloads.mesh_library])
def test_the_models_of_a_library_differ_and_can_be_filled(workloads, make):
    files = sorted(path for path in make(workloads, 4).rglob("*") if path.suffix in (".sdf", ".urdf"))
    assert len({link.inertia for file in files for link in fill(file).links[:1]}) == 4


def test_the_twins_of_a_library_are_the_same_bodies(workloads: Workloads) -> None:
    models, robots = (
        fill(make(1) / f"robot_0.{kind}").links
        for make, kind in ((workloads.primitives_library, "sdf"), (workloads.robots_library, "urdf"))
    )
    assert [link.inertia for link in models] == [link.inertia for link in robots]
    assert len(models) == 3


def test_what_lies_in_memory_is_removed_at_the_end(workloads: Workloads) -> None:
    memory = workloads.memory
    if memory is None:
        pytest.skip("there is no file system in memory")
    assert memory.is_dir()
    workloads.close()
    assert not memory.exists()


def test_the_meshes_of_a_tree_are_of_the_sizes_and_formats_that_are_published() -> None:
    meshes = tree_meshes(800)
    assert statistics.median(mesh.faces for mesh in meshes) == pytest.approx(472, rel=0.02)
    assert max(mesh.faces for mesh in meshes) == 88_740
    shares = {kind: sum(mesh.kind == kind for mesh in meshes) / 800 for kind in ("dae", "binary.stl", "obj")}
    assert shares == pytest.approx({"dae": 0.70, "binary.stl": 0.23, "obj": 0.07}, abs=0.01)
    assert sum(mesh.is_closed for mesh in meshes) == 400
    assert sum(not mesh.is_own for mesh in meshes) == pytest.approx(80, abs=1)
    assert len({mesh.is_closed for mesh in meshes if mesh.kind == "obj"}) == 2


def test_closed_meshes_of_a_tree_are_filled_and_open_ones_refused(workloads: Workloads) -> None:
    meshes = [mesh for mesh in tree_meshes(12) if mesh.is_own]
    taken = [mesh if mesh.is_own else tree_meshes(12)[0] for mesh in tree_meshes(12)]
    tree = workloads.robots_tree(3)
    results = [fill(tree / f"robot_{i}" / "model.sdf", Options(missing=True, all=True)) for i in range(3)]
    assert sorted(link.error is None for result in results for link in result.links) == sorted(
        mesh.is_closed for mesh in taken
    )
    assert len(meshes) == len(set(map(str, (tree.rglob("part_*")))))
