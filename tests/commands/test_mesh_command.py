"""The command `mesh`: diagnosis and mass properties of bare mesh files."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from builders.meshes import OBJ_BOX, OBJ_CORNERS, OBJ_OPEN, ball, cube, inverted, joined, obj
from builders.meshes import box as mesh_box
from builders.step import step_cylinder

from sdfinertia import SpatialInertia, cylinder
from sdfinertia.cli import MESH_NOTATIONS, NOTATIONS
from sdfinertia.report.json_records import NOTATIONS as BODY_NOTATIONS

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run


def rounded(mesh: Any) -> str:
    """As exporters write it."""
    return obj((np.round(mesh[0], 6), mesh[1]))


@pytest.fixture
def box(project: Path) -> Path:
    path = project / "box.obj"
    path.write_text(OBJ_BOX.replace("f", "o post\nf", 1))
    return path


@pytest.fixture
def open_box(project: Path) -> Path:
    path = project / "open.obj"
    path.write_text(OBJ_OPEN)
    return path


def test_a_closed_mesh_is_weighed_and_json_tells_the_same(command: Run, box: Path) -> None:
    outcome = command("mesh", "box.obj", "--density", "10")
    assert outcome.status == 0
    text = outcome.output.decode()
    for words in (
        "12 on 8 vertices",
        "volume        6 m³",
        "60 kg at 10 kg/m³, exact",
        "0.5 1 1.5 m",
        "65 50 25 kg·m²",
    ):
        assert words in text
    outcome = command("mesh", "box.obj", "box.obj", "--format", "json")
    first, second = json.loads(outcome.output)
    assert first == second
    assert (first["diagnosis"]["volume"], first["inertia"]["mass"]) == pytest.approx((6.0, 6000.0))
    assert first["inertia"]["com"] == pytest.approx([0.5, 1.0, 1.5])
    assert first["method"] == "exact"


def test_what_rounding_leaves_of_a_symmetric_mesh_is_zero(command: Run, project: Path) -> None:
    (project / "ball.obj").write_text(rounded(ball(12, 24)))
    text = command("mesh", "ball.obj").output.decode()
    assert "  centre        0 0 0 m\n" in text
    for name in ("ixy", "ixz", "iyz"):
        assert f"  {name}           0 kg·m²\n" in text
    # A turn by 1e-8, in all digits.
    corners = [(x - 1e-8 * y, y + 1e-8 * x, z) for z in (0, 3) for y in (0, 2) for x in (0, 1)]
    vertices = "".join(f"v {x!r} {y!r} {z!r}\n" for x, y, z in corners)
    (project / "turned.obj").write_text(vertices + OBJ_BOX.removeprefix(OBJ_CORNERS))
    text = command("mesh", "turned.obj").output.decode()
    assert "  ixy           0 kg·m²\n" not in text, "a product that is there"


def test_what_the_diagnosis_found_or_left_out_is_told_of_a_closed_mesh_too(command: Run, project: Path) -> None:
    # So many long faces that the solid is integrated without looking for crossings, and overlaps are sampled.
    cubes = joined(*(cube((k / 2400,) * 3, 1 - k / 1200) for k in range(600)))
    (project / "nested.obj").write_text(rounded(cubes))
    text = command("mesh", "nested.obj").output.decode()
    assert "the shared volume counts 5" in text


def test_submeshes_are_listed_and_chosen(command: Run, box: Path) -> None:
    assert "post  12 faces" in command("mesh", "--list", "box.obj").output.decode()
    assert command("mesh", "--submesh", "post", "box.obj").status == 0
    outcome = command("mesh", "--submesh", "base", "box.obj")
    assert outcome.status == 2
    assert "'post'" in outcome.messages


def test_an_open_mesh_is_told_with_what_each_way_to_take_it_gives_and_what_is_left_out(command, open_box):
    outcome = command("mesh", "open.obj")
    assert outcome.status == 0, "a diagnosis is what was asked for"
    text = outcome.output.decode()
    assert "volume        not defined" in text
    assert "4 around 1 hole" in text
    for policy in (
        "convex_hull  6000 kg",
        "fill_holes   6000 kg",
        "shell        a shell needs a thickness",
    ):
        assert policy in text
    text = command("mesh", "open.obj", "--voxel-size", "0.001").output.decode()
    assert "voxel        left out: voxels of 0.001 m are too many to compare" in text
    assert "convex_hull  6000 kg" in text


@pytest.mark.parametrize(
    ("arguments", "mass"),
    [
        (("--open-mesh", "fill_holes"), 6000),
        (("--open-mesh", "convex_hull"), 6000),
        (("--method", "convex_hull"), 6000),
        # Five walls one millimetre thick: 1·2 + 2 (1·3) + 2 (2·3) square metres.
        (("--open-mesh", "shell", "--thickness", "0.001"), 20),
    ],
)
def test_an_open_mesh_is_taken_as_asked(command: Run, open_box: Path, arguments: tuple[str, ...], mass: float) -> None:
    (facts,) = json.loads(command("mesh", "open.obj", "--format", "json", *arguments).output)
    assert facts["inertia"]["mass"] == pytest.approx(mass)
    assert facts["method"] == arguments[1]


@pytest.mark.parametrize(
    ("notation", "expected"),
    [
        ("mjcf", '<inertial pos="0.5 1 1.5" mass="60" fullinertia="65 50 25 0 0 0"/>\n'),
        ("pi_cm", "60 30 60 90 65 50 25 0 0 0\n"),
    ],
)
def test_the_body_alone_is_printed_in_a_notation(command: Run, box: Path, notation: str, expected: str) -> None:
    outcome = command("mesh", "box.obj", "--density", "10", "--as", notation)
    assert (outcome.status, outcome.output.decode()) == (0, expected)


def test_an_inertial_of_sdf_is_printed_on_its_lines_and_notes_beside_it(command: Run, box: Path) -> None:
    box.write_text(obj(inverted(mesh_box((1.0, 2.0, 3.0)))))
    outcome = command("mesh", "box.obj", "--as", "sdf")
    lines = outcome.output.decode().splitlines()
    assert (lines[0], lines[2], lines[-1]) == ("<inertial>", "  <mass>6000</mass>", "</inertial>")
    assert "box.obj: note: the surface was inside out" in outcome.messages


def test_a_notation_of_an_open_mesh_is_refused_with_the_ways_to_take_it(command: Run, open_box: Path) -> None:
    outcome = command("mesh", "open.obj", "--as", "urdf")
    assert (outcome.status, outcome.output) == (2, b"")
    assert "choose --open-mesh: convex_hull" in outcome.messages
    filled = command("mesh", "open.obj", "--as", "urdf", "--open-mesh", "fill_holes")
    assert filled.output.startswith(b'<inertial><origin xyz="0.5 1 1.5"')


def test_the_notations_are_those_that_bodies_have() -> None:
    assert ["sdf", *NOTATIONS] == MESH_NOTATIONS
    assert set(NOTATIONS) == set(BODY_NOTATIONS)


def test_a_step_file_becomes_a_link(command: Run, project: Path) -> None:
    pytest.importorskip("cascadio", reason="cascadio is not installed: pip install -e .[cad]")
    (project / "pin.step").write_bytes(step_cylinder(10, 30))
    outcome = command("mesh", "pin.step", "--density", "2700", "--as", "urdf")
    assert outcome.status == 0
    body = SpatialInertia.from_urdf(outcome.output.decode())
    assert body.is_close(cylinder(0.01, 0.03, 2700.0).shifted((0, 0, 0.015)), rtol=1e-4)
    assert "pin.step: note: read by Open CASCADE" in outcome.messages
