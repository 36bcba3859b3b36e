"""The command `show`: mass properties in words, as JSON, and in other notations."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run

COLLISION = "<collision name='c'><density>1000</density><geometry><box><size>1 2 3</size></box></geometry></collision>"
WRITTEN = (
    "<inertial><pose>1 0 0 0 0 0</pose><mass>12</mass><inertia><ixx>13</ixx><ixy>0</ixy><ixz>0</ixz>"
    "<iyy>10</iyy><iyz>0</iyz><izz>5</izz></inertia></inertial>"
)


@pytest.fixture
def model(project: Path) -> Path:
    path = project / "m.sdf"
    path.write_text(
        "<sdf version='1.11'><model name='m'>"
        f"<link name='a'>{WRITTEN}{COLLISION}</link><link name='b'><inertial auto='true'/>{COLLISION}</link>"
        "<link name='bad'><inertial auto='true'/></link></model></sdf>"
    )
    return path


def shown(command: Run, *arguments: str) -> dict[str, Any]:
    outcome = command("show", "m.sdf", "--format", "json", *arguments)
    assert outcome.status == 0
    (document,) = json.loads(outcome.output)
    return {body["name"]: body for body in document["bodies"]}


def test_what_is_written_goes_before_what_could_be_computed(command: Run, model: Path) -> None:
    bodies = shown(command)
    assert bodies["m::a"]["origin"] == "written"
    assert bodies["m::a"]["inertia"]["mass"] == 12
    assert bodies["m::a"]["inertia"]["com"] == [1, 0, 0]
    assert bodies["m::b"]["origin"] == "computed"
    assert bodies["m::b"]["inertia"]["mass"] == pytest.approx(6000)
    assert bodies["m::b / c"]["inertia"]["principal_moments"] == pytest.approx([6500, 5000, 2500])


def test_computed_stands_beside_what_is_written(command: Run, model: Path) -> None:
    model.write_text(model.read_text().replace("<izz>5<", "<izz>8<"))
    assert shown(command)["m::a"]["computed"] is None
    assert shown(command, "--computed")["m::a"]["computed"]["com"] == [0, 0, 0]
    text = command("show", "m.sdf", "--computed", "--link", "m::a").output.decode()
    rows = [line.split() for line in text.splitlines()]
    place = rows.index(["centre", "of", "mass", "1", "0", "0", "m"])
    assert rows[place + 1] == ["computed", "0", "0", "0"]
    assert "the written tensor differs from the computed one by 23.1 %" in text


def test_the_table_tells_every_quantity_of_a_box(command: Run, model: Path) -> None:
    text = command("show", "m.sdf", "--link", "m::b").output.decode()
    rows = [" ".join(line.split()) for line in text.split("m::b / c")[0].splitlines()]
    assert rows[0] == "m.sdf"
    assert [row for row in rows[2:] if row and not row.startswith("─")] == [
        "x y z unit",
        "mass 6000 kg",
        "centre of mass 0 0 0 m",
        "moments xx yy zz 6500 5000 2500 kg·m²",
        "products xy xz yz 0 0 0 kg·m²",
        "principal moments 6500 5000 2500 kg·m²",
        "principal axes, rpy 0 0 0 °",
        "equivalent box 1 2 3 m",
        "ellipsoid, radii 0.645497 1.29099 1.93649 m",
        "radius of gyration 1.08012 m",
        "volume 6 m³",
        "density 1000 kg/m³",
    ]


def test_an_inertia_that_no_body_has_is_shown_without_a_box_and_has_no_theta(command: Run, model: Path) -> None:
    model.write_text(model.read_text().replace("<izz>5<", "<izz>50<"))
    text = command("show", "m.sdf", "--link", "m::a").output.decode().split("m::a / c")[0]
    assert "radius of gyration" in text
    assert "equivalent box" not in text
    assert "note: physically impossible: " in text
    inertia = shown(command)["m::a"]["inertia"]
    assert (inertia["izz"], inertia["equivalent_box"], inertia["equivalent_ellipsoid"]) == (50, None, None)
    outcome = command("show", "m.sdf", "--as", "theta", "--link", "m::a")
    assert outcome.status == 2
    assert "theta is defined for physically valid inertias only" in outcome.messages


def test_tables_are_written_in_the_encoding_of_standard_output(model: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    run = [sys.executable, "-m", "sdfinertia", "show", str(model)]
    outcome = subprocess.run(run, env=environment, capture_output=True, check=True)
    assert b"kg?m?" in outcome.stdout
    assert outcome.stdout.isascii()


NOTATIONS = {
    "pi_cm": "m::a: 12 12 0 0 13 10 5 0 0 0",
    "pi_o": "m::a: 12 12 0 0 13 22 17 0 0 0",
    "mjcf": 'm::a: <inertial pos="1 0 0" mass="12" fullinertia="13 10 5 0 0 0"/>',
    "urdf": 'm::a: <inertial><origin xyz="1 0 0" rpy="0 0 0"/><mass value="12"/>'
    '<inertia ixx="13" ixy="0" ixz="0" iyy="10" iyz="0" izz="5"/></inertial>',
    "theta": "m::a: ",
    "drake": "m::a: ",
    "scalars": "m::a: ",
}


@pytest.mark.parametrize(("notation", "line"), NOTATIONS.items())
def test_other_notations_are_one_line_a_body(command: Run, model: Path, notation: str, line: str) -> None:
    first, *_ = command("show", "m.sdf", "--as", notation, "--link", "m::a").output.decode().splitlines()
    assert first == line or (first.startswith(line) and line == "m::a: ")


def test_the_page_shows_every_link_and_with_computed_what_fill_would_write(command: Run, model: Path) -> None:
    assert command("show", "m.sdf", "--computed", "--report", "page.html").status == 0
    page = (model.parent / "page.html").read_text(encoding="utf-8")
    assert all(f">{name}<" in page for name in ("a", "b", "bad"))
    assert 'class="status filled-now"' not in page
    assert model.read_text().count("<mass>") == 1
