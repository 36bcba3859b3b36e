from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import trimesh
from builders.documents import AUTO, one_link
from builders.documents import mesh as mesh_of
from builders.documents import solid as placed
from builders.findings import codes as codes_of
from builders.meshes import box, inverted, joined, obj, prism, without

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.options import Options

if TYPE_CHECKING:
    from pathlib import Path


def stl(mesh: Any) -> str:
    return str(trimesh.Trimesh(mesh[0], mesh[1], process=False).export(file_type="stl_ascii"))


MESHES = {
    "closed.obj": obj(box()),
    "closed.stl": stl(box()),
    "open.obj": obj(without(box(), 10, 11)),
    "open.stl": stl(without(box(), 11)),
    "sheet.obj": obj(without(box(), range(2, 12))),
    "inside_out.obj": obj(inverted(box())),
    "inside_out.stl": stl(inverted(box())),
    "one_of_two.obj": obj(joined(box(), inverted(box(corner=(3, 0, 0))))),
    "hollow.obj": obj(joined(box(), inverted(box((0.5,) * 3, (0.25,) * 3)))),
    "two.obj": obj(joined(box(), box(corner=(3, 0, 0)))),
    "overlapping.obj": obj(joined(box(), box(corner=(0.5, 0, 0)))),
    "touching.obj": obj(joined(box(), box((2, 2, 2), (1, 0, 0)))),
}
BOX = "<box><size>1 1 1</size></box>"
HAND = "<inertial><mass>6</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1.01</izz></inertia></inertial>"


def solid(shape: str, x: float = 0.0, name: str = "c", more: str = "") -> str:
    return placed(shape, f"{x} 0 0 0 0 0", name, more=more)


def mesh(uri: str, scale: str = "1 1 1") -> str:
    return mesh_of(uri, f"<scale>{scale}</scale>")


@pytest.fixture
def meshes(project: Path) -> Path:
    for name, text in MESHES.items():
        (project / name).write_text(text)
    return project


def codes(directory: Path, content: bytes, *select: str) -> list[str]:
    return codes_of(content, *select, file=directory / "m.sdf")


# By default: of links that are to be computed -------------------------------------------------------------------------

DEFAULTS = {
    "closed": (solid(mesh("closed.obj")), []),
    "open": (solid(mesh("open.obj")), ["SDI401"]),
    "open by one face": (solid(mesh("open.stl")), ["SDI401"]),
    "a sheet": (solid(mesh("sheet.obj")), ["SDI401"]),
    "open and mirrored": (solid(mesh("open.obj", "1 -1 1")), ["SDI401"]),
    "two open ones": (solid(mesh("open.obj")) + solid(mesh("sheet.obj"), 5, "d"), ["SDI401", "SDI401"]),
    "an open one beside a box": (solid(BOX) + solid(mesh("open.obj"), 5, "d"), ["SDI401"]),
    "inside out": (solid(mesh("inside_out.obj")), ["SDI402"]),
    "inside out as text STL": (solid(mesh("inside_out.stl")), ["SDI402"]),
    "inside out and mirrored": (solid(mesh("inside_out.obj", "-2 2 2")), ["SDI402"]),
    "one of two inside out": (solid(mesh("one_of_two.obj")), ["SDI402"]),
    "mirrored": (solid(mesh("closed.stl", "1 -1 1")), []),
    "mirrored thrice": (solid(mesh("closed.obj", "-1 -1 -1")), []),
    "with a cavity": (solid(mesh("hollow.obj")), []),
    "of two bodies": (solid(mesh("two.obj")), []),
    "no mesh": (solid(BOX), []),
}


@pytest.mark.parametrize(("solids", "expected"), DEFAULTS.values(), ids=DEFAULTS.keys())
def test_meshes_of_links_to_be_computed_are_judged(meshes: Path, solids: str, expected: list[str]) -> None:
    assert codes(meshes, one_link(AUTO, solids)) == (expected if "SDI401" in expected else ["SDI001", *expected])


@pytest.mark.parametrize("solids", [solids for solids, _ in DEFAULTS.values()], ids=DEFAULTS.keys())
def test_meshes_of_hand_written_links_are_judged_only_where_that_is_asked_for(meshes: Path, solids: str) -> None:
    assert {*codes(meshes, one_link(HAND, solids))} <= {"SDI210"}  # a centre at 0 0 0
    assert codes(meshes, one_link(AUTO, solids), "SDI4") == codes(meshes, one_link(HAND, solids), "SDI401", "SDI402")


def test_the_finding_names_the_collision_and_counts_the_edges(meshes: Path) -> None:
    content = one_link(AUTO, solid(BOX, name="box"), solid(mesh("open.obj"), 3.0, name="tub"))
    [finding] = check(content, Options(select=("SDI401",)), filename=str(meshes / "m.sdf"))
    assert finding.link == "m::l"
    assert "'tub'" in finding.message
    assert "4 open edges" in finding.message


@pytest.mark.parametrize("name", ["inside_out.obj", "one_of_two.obj", "hollow.obj", "two.obj", "closed.stl"])
def test_meshes_of_a_link_that_was_filled_are_no_finding(meshes: Path, name: str) -> None:
    result = fill(one_link(AUTO, solid(mesh(name))), filename=str(meshes / "m.sdf"))
    assert result.changed
    assert codes(meshes, result.content) == []


def test_a_mesh_that_was_opened_after_its_link_was_filled_is_a_finding(meshes: Path) -> None:
    filled = fill(one_link(AUTO, solid(mesh("closed.obj"))), filename=str(meshes / "m.sdf")).content
    (meshes / "closed.obj").write_text(MESHES["open.obj"])
    assert codes(meshes, filled) == ["SDI401"]


# Overlaps -------------------------------------------------------------------------------------------------------------

OVERLAPS = {
    "half of a box": (solid(BOX) + solid(BOX, 0.5, "d"), 1),
    "two per cent of the sum": (solid(BOX) + solid(BOX, 0.95, "d"), 1),
    "a box in a box": (solid(BOX) + solid("<box><size>.5 .5 .5</size></box>", 0, "d"), 1),
    "a ball in a box": (solid(BOX) + solid("<sphere><radius>.4</radius></sphere>", 0, "d"), 1),
    "bodies of one mesh": (solid(mesh("overlapping.obj")), 1),
    "a mesh and a box": (solid(mesh("closed.obj")) + solid(BOX, 0.3, "d"), 1),
    "one box": (solid(BOX), 0),
    "boxes apart": (solid(BOX) + solid(BOX, 3, "d"), 0),
    "boxes that touch": (solid(BOX) + solid(BOX, 1, "d"), 0),
    "boxes that all but touch": (solid(BOX) + solid(BOX, 0.99, "d"), 0),
    "a cavity": (solid(mesh("hollow.obj")), 0),
    "bodies that touch": (solid(mesh("touching.obj")), 0),
    "what weighs nothing": (solid(BOX) + solid(BOX, 0.5, "d", "<density>0</density>"), 0),
    "balls that touch": (
        solid("<sphere><radius>1</radius></sphere>") + solid("<sphere><radius>1</radius></sphere>", 2, "d"),
        0,
    ),
    "no collision": ("", 0),
}


@pytest.mark.parametrize(("solids", "count"), OVERLAPS.values(), ids=OVERLAPS.keys())
@pytest.mark.parametrize("inertial", [AUTO, HAND], ids=["auto", "hand-written"])
def test_shared_volume_above_one_per_cent_is_a_finding(meshes: Path, solids: str, count: int, inertial: str) -> None:
    pytest.importorskip("manifold3d")
    assert codes(meshes, one_link(inertial, solids), "SDI403") == ["SDI403"] * count


def test_a_surface_that_crosses_itself_counts_volume_twice(meshes: Path) -> None:
    pytest.importorskip("manifold3d")
    angles = np.linspace(0, 2 * np.pi, 240, endpoint=False)
    radii = 1 + 2 * np.cos(angles)
    limacon = prism(np.c_[radii * np.cos(angles), radii * np.sin(angles)])
    (meshes / "limacon.obj").write_text(obj(limacon))
    path = meshes / "m.sdf"
    path.write_bytes(one_link(AUTO, solid(mesh("limacon.obj"))))
    [finding] = check(str(path), Options(select=("SDI403",)))
    assert "a part of its volume counts twice" in finding.message
    assert finding.remedy.endswith("in a modelling program, or choose voxel for <sdfinertia:method>")


def test_overlaps_that_count_once_are_no_finding(meshes: Path) -> None:
    pytest.importorskip("manifold3d")
    result = fill(
        one_link(AUTO, OVERLAPS["half of a box"][0]), Options(overlaps="union"), filename=str(meshes / "m.sdf")
    )
    assert b"<mass>1500</mass>" in result.content
    assert codes(meshes, result.content, "SDI403") == []


@pytest.mark.parametrize("kind", ["auto", "managed", "hand-written"])
def test_the_command_of_an_overlap_mends_it(project: Path, command, kind: str) -> None:
    pytest.importorskip("manifold3d")
    content = one_link(HAND.replace(">6<", ">600<") if kind == "hand-written" else AUTO, OVERLAPS["half of a box"][0])
    if kind == "managed":
        content = fill(content, filename="m.sdf").content
    (project / "m.sdf").write_bytes(content)
    [finding] = check("m.sdf", Options(select=("SDI403",)))
    assert command(*shlex.split(finding.remedy)[1:]).status == 0
    assert check("m.sdf", Options(select=("SDI403",))) == []
