"""Agreement with Drake and MuJoCo on URDF: what they read in filled documents, and what they make of the collisions.

What is left out, and why:

* Drake reads without a scene graph: it then takes the inertials and no geometry, so that no mesh has to be one that it
  opens (it opens OBJ, glTF and VTK).
* MuJoCo reads a filled document without its collisions and visuals: it opens neither COLLADA nor text STL nor
  `package://`. Links without a joint that moves are one with its world unless it is told otherwise (`fusestatic`).
* What they compute themselves are primitives of one density: neither reads `quat_xyzw` nor the comments that say a
  density, and MuJoCo keeps vertices as 32-bit floats. Both kinds of number, and meshes, are held to a straightforward
  evaluation in tests/differential, meshes to Drake and MuJoCo in the files beside this one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree

import pytest
from builders.mjcf import compiled_body
from builders.thoroughness import trials
from random_models import write_meshes
from random_robots import Robots

from sdfinertia.documents.filling import fill

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.oracle

DOCUMENTS = range(trials(30, 200))
DENSITY = 1000.0


@pytest.fixture(scope="module")
def meshes(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Mesh files, and the directory that documents go to, so that their names resolve."""
    return write_meshes(tmp_path_factory.mktemp("robots"), seed=0)


@pytest.fixture
def document(meshes: list[Path], seed: int) -> Path:
    """A robot in which every link asks to be filled."""
    path = meshes[0].with_name("robot.urdf")
    path.write_text(Robots(meshes).document(seed), encoding="utf-8")
    return path


@pytest.fixture
def primitives(tmp_path: Path, seed: int) -> Path:
    """The same with primitives alone, and nothing that other readers pass over."""
    path = tmp_path / "robot.urdf"
    path.write_text(Robots((), extensions=False).document(seed), encoding="utf-8")
    return path


def filled(path: Path) -> Path:
    """The file that filling gives, beside the first."""
    target = path.with_name("filled.urdf")
    fill(path).write(target)
    return target


def links_of(path: Path) -> list[str]:
    """The scoped names of its links."""
    return [f"r::{link.get('name')}" for link in ElementTree.parse(path).iter("link")]


def without(path: Path, *names: str) -> ElementTree.Element:
    """The robot of a document, its links without elements of such names."""
    robot = ElementTree.parse(path).getroot()
    for link in robot.iter("link"):
        for child in [child for child in link if child.tag in names]:
            link.remove(child)
    return robot


def has_given_mass(path: Path, name: str) -> bool:
    return any(
        f"r::{link.get('name')}" == name and link.find("inertial/mass") is not None
        for link in ElementTree.parse(path).iter("link")
    )


# What they read ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", DOCUMENTS)
def test_drake_reads_what_was_written_of_every_link(readers: Any, document: Path) -> None:
    pytest.importorskip("pydrake", reason="Drake is not installed: pip install -e .[oracle]")
    ours, theirs = readers.ours(document), readers.drake(filled(document))
    assert sorted(theirs) == sorted(ours) == sorted(links_of(document))
    for name, reading in ours.items():
        readers.assert_agree(reading, theirs[name])


@pytest.mark.parametrize("seed", DOCUMENTS)
def test_mujoco_reads_what_was_written_of_every_link(readers: Any, document: Path) -> None:
    theirs = read_by_mujoco(without(filled(document), "collision", "visual"), {"fusestatic": "false"})
    ours = readers.ours(document)
    assert sorted(theirs) == sorted(ours) == sorted(links_of(document))
    for name, reading in ours.items():
        readers.assert_agree(reading, theirs[name])


def read_by_mujoco(robot: ElementTree.Element, settings: dict[str, str]) -> dict[str, Any]:
    """Every link by its scoped name, as MuJoCo compiles it with some settings."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install -e .[oracle]")
    ElementTree.SubElement(ElementTree.SubElement(robot, "mujoco"), "compiler", settings)
    model = mujoco.MjModel.from_xml_string(ElementTree.tostring(robot, encoding="unicode"))
    return {f"r::{model.body(body).name}": compiled_body(model, body) for body in range(1, model.nbody)}


# What they compute ---------------------------------------------------------------------------------------------------


def assert_same_body(readers: Any, path: Path, theirs: dict[str, Any]) -> None:
    """Holds what they make of the collisions at the default density to ours, which has the mass that is given."""
    ours = readers.ours(path)
    assert sorted(theirs) == sorted(ours) == sorted(links_of(path))
    for name, reading in ours.items():
        other = theirs[name]
        if has_given_mass(path, name):
            other = readers.reading(reading.mass, other.com, other.tensor * (reading.mass / other.mass))
        readers.assert_agree(reading, other)


@pytest.mark.parametrize("seed", DOCUMENTS)
def test_drake_makes_the_same_bodies_of_primitives(readers: Any, primitives: Path) -> None:
    """It reads shapes and poses into a scene graph; each is weighed as it weighs a solid, and all are added up."""
    drake = pytest.importorskip("pydrake.all", reason="Drake is not installed: pip install -e .[oracle]")
    plant, scene = drake.AddMultibodyPlantSceneGraph(drake.DiagramBuilder(), 0.0)
    drake.Parser(plant).AddModels(str(primitives))
    inspector, theirs = scene.model_inspector(), {}
    for index in range(1, plant.num_bodies()):  # 0 is the world
        body = plant.get_body(drake.BodyIndex(index))
        whole = drake.SpatialInertia.Zero()
        for geometry in plant.GetCollisionGeometriesForBody(body):
            X = inspector.GetPoseInFrame(geometry)
            solid = drake.CalcSpatialInertia(inspector.GetShape(geometry), DENSITY)
            whole += solid.ReExpress(X.rotation()).Shift(-X.translation())
        theirs[str(body.scoped_name())] = readers.from_drake(whole)
    assert_same_body(readers, primitives, theirs)


@pytest.mark.parametrize("seed", DOCUMENTS)
def test_mujoco_makes_the_same_bodies_of_primitives(readers: Any, primitives: Path) -> None:
    settings = {"fusestatic": "false", "inertiafromgeom": "true"}
    # It refuses an inertial without mass or tensor, although it would not use it.
    robot = without(primitives, "inertial", "visual")
    assert_same_body(readers, primitives, read_by_mujoco(robot, settings))
