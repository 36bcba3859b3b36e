"""Calculators: given to the API, and brought by an installed package."""

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import sdfinertia
from sdfinertia.calculators import ENTRY_POINT_GROUP, CalculatorMesh
from sdfinertia.errors import SdfInertiaError

PLUGIN = Path(__file__).with_name("calculator_plugin")
# A box 1 by 2 by 3 that lacks one of its faces: no exact method takes it.
OPEN_BOX = """v 0 0 0\nv 1 0 0\nv 1 2 0\nv 0 2 0\nv 0 0 3\nv 1 0 3\nv 1 2 3\nv 0 2 3
f 4 3 2 1\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "box.obj").write_text(OPEN_BOX)
    path = tmp_path / "model.sdf"
    path.write_text(
        "<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'><auto_inertia_params>"
        "<sdfinertia:calculator>bounding_box</sdfinertia:calculator><my:fill>0.5</my:fill></auto_inertia_params>"
        "</inertial><collision name='c'><density>10</density><geometry><mesh><uri>box.obj</uri><scale>2 1 1</scale>"
        "</mesh></geometry></collision></link></model></sdf>"
    )
    return path


def test_a_calculator_given_to_the_api_gets_density_mesh_and_parameters(model: Path) -> None:
    asked: list[tuple[float, CalculatorMesh, Mapping[str, str]]] = []

    def calculator(
        density: float, mesh: CalculatorMesh, parameters: Mapping[str, str]
    ) -> sdfinertia.SpatialInertia | None:
        asked.append((density, mesh, parameters))
        return sdfinertia.box((1.0, 1.0, 1.0), 5.0)

    (link,) = sdfinertia.fill(model, calculators={"bounding_box": calculator}).links
    assert link.inertia is not None
    assert link.inertia.mass == 5.0
    ((density, mesh, parameters),) = asked
    assert density == 10.0
    assert (mesh.vertices.shape, mesh.faces.shape) == ((8, 3), (10, 3))
    assert (mesh.uri, mesh.scale) == ("box.obj", (2.0, 1.0, 1.0))
    assert parameters == {"fill": "0.5"}


def test_what_a_calculator_gives_is_told_with_its_name_and_the_size_of_the_mesh(model: Path) -> None:
    (model.parent / "box.obj").write_text(OPEN_BOX.replace("v 1 2 3", "v 1 2 -7"))
    body = sdfinertia.box((1.0, 1.0, 1.0), 5.0)
    (link,) = sdfinertia.fill(model, calculators={"bounding_box": lambda density, mesh, parameters: body}).links
    (part,) = link.collisions
    assert (part.name, part.shape, part.method, part.faces) == ("c", "mesh", "calculator:bounding_box", 10)
    assert (part.inertia, part.density) == (body, 10.0)
    assert part.extent == 10.0, "from -7 to 3 along z; along x it is stretched to 2"
    assert any("computed by the calculator 'bounding_box'" in note for note in part.notes)


@pytest.mark.parametrize(("scale", "extent"), [("2 1 1", 3.0), ("-5 1 1", 5.0), ("1 4 1", 8.0)])
def test_the_extent_of_a_calculated_mesh_is_as_it_is_scaled(model: Path, scale: str, extent: float) -> None:
    model.write_text(model.read_text().replace("2 1 1", scale))
    body = sdfinertia.box((1.0, 1.0, 1.0), 5.0)
    (link,) = sdfinertia.fill(model, calculators={"bounding_box": lambda density, mesh, parameters: body}).links
    assert [part.extent for part in link.collisions] == [extent]


def nothing(density: float, mesh: CalculatorMesh, parameters: Mapping[str, str]) -> None:
    return None


def failing(density: float, mesh: CalculatorMesh, parameters: Mapping[str, str]) -> None:
    raise RuntimeError("out of cheese")


def impossible(density: float, mesh: CalculatorMesh, parameters: Mapping[str, str]) -> sdfinertia.SpatialInertia:
    return sdfinertia.SpatialInertia(1.0, (0.0, 0.0, 0.0), sdfinertia.InertiaTensor(10.0, 4.0, 2.0))


@pytest.mark.parametrize(
    ("calculator", "words"),
    [(nothing, "gives no inertia"), (failing, "RuntimeError: out of cheese"), (impossible, "physically impossible")],
)
def test_a_calculator_that_gives_nothing_of_use_is_an_error_of_the_collision(model, calculator, words):
    (error,) = sdfinertia.fill(model, calculators={"bounding_box": calculator}).errors  # type: ignore[dict-item]
    assert words in str(error)
    assert "the calculator 'bounding_box' " in str(error)
    assert "collision 'c'" in str(error)


def test_a_calculator_that_is_unknown_or_cannot_be_loaded_is_an_error_of_the_collision(model, monkeypatch):
    (error,) = sdfinertia.fill(model, calculators={"other": nothing}).errors
    assert isinstance(error, SdfInertiaError)
    assert "no calculator is named 'bounding_box'" in str(error)
    assert "other" in str(error)
    broken = EntryPoint("bounding_box", "sdfinertia.no_such_module:calculator", ENTRY_POINT_GROUP)
    monkeypatch.setattr("sdfinertia.calculators.entry_points", lambda *, group: [broken])
    (error,) = sdfinertia.fill(model).errors
    assert "the calculator 'bounding_box' cannot be loaded" in str(error)
    assert "no_such_module" in str(error)


def test_the_calculator_of_an_installed_package_is_found_and_named_in_the_results(model, tmp_path, monkeypatch):
    build = pytest.importorskip("hatchling.build", reason="builds the example package")
    monkeypatch.chdir(PLUGIN)
    wheel = build.build_wheel(os.fspath(tmp_path))
    # What pip does with a wheel of plain modules.
    installed = tmp_path / "installed"
    with zipfile.ZipFile(tmp_path / wheel) as content:
        content.extractall(installed)
    environment = {**os.environ, "PYTHONPATH": str(installed)}
    command = [sys.executable, "-m", "sdfinertia", "fill", str(model), "--report", str(tmp_path / "report.json")]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    report = json.loads((tmp_path / "report.json").read_text())
    (link,) = report["files"][0]["links"]
    # A box of 2 by 2 by 3 metres, half full, of density 10.
    assert link["after"]["mass"] == pytest.approx(60.0, rel=1e-12)
    assert link["after"]["com"] == pytest.approx([1.0, 1.0, 1.5], rel=1e-12)
    assert link["collisions"][0]["method"] == "calculator:bounding_box"
    assert "bounding_box" in done.stderr
    assert "method=calculator:bounding_box" in model.read_text()
