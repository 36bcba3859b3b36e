from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders.meshes import prism

from sdfinertia.documents.checking import check, check_document
from sdfinertia.documents.filling import fill
from sdfinertia.documents.opened import open_document
from sdfinertia.options import Options

CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
# Each face of the unit cube, wound outward, as two triangles over CORNERS.
TRIANGLES = [
    triangle
    for a, b, c, d in ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    for triangle in ((a, b, c), (a, c, d))
]
Points = Sequence[tuple[float, float, float]]


def cube(size: float = 1.0, x: float = 0.0, *, faces: int = 12, inward: bool = False) -> list[Points]:
    """The triangles of a cube, or of a cube without its last faces, centred at a place on the x axis."""
    triangles = [
        [(x + size * (p - 0.5), size * (q - 0.5), size * (r - 0.5)) for p, q, r in (CORNERS[i] for i in triangle)]
        for triangle in TRIANGLES[:faces]
    ]
    return [triangle[::-1] if inward else triangle for triangle in triangles]


def obj(triangles: Sequence[Points]) -> str:
    points = "".join("v {!r} {!r} {!r}\n".format(*point) for triangle in triangles for point in triangle)
    return points + "".join(f"f {3 * i + 1} {3 * i + 2} {3 * i + 3}\n" for i in range(len(triangles)))


def stl(triangles: Sequence[Points]) -> str:
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join("vertex {!r} {!r} {!r}\n".format(*point) for point in triangle)
        + "endloop\nendfacet\n"
        for triangle in triangles
    )
    return f"solid s\n{facets}endsolid s\n"


MESHES = {
    "closed.obj": obj(cube()),
    "closed.stl": stl(cube()),
    "open.obj": obj(cube(faces=10)),
    "open.stl": stl(cube(faces=11)),
    "sheet.obj": obj(cube(faces=2)),
    "inside_out.obj": obj(cube(inward=True)),
    "inside_out.stl": stl(cube(inward=True)),
    "one_of_two.obj": obj(cube() + cube(x=3.0, inward=True)),
    "hollow.obj": obj(cube() + cube(0.5, inward=True)),
    "two.obj": obj(cube() + cube(x=3.0)),
    "overlapping.obj": obj(cube() + cube(x=0.5)),
    "touching.obj": obj(cube() + cube(x=1.5, size=2.0)),
}
BOX = "<box><size>1 1 1</size></box>"
AUTO = "<inertial auto='true'/>"
HAND = "<inertial><mass>6</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1.01</izz></inertia></inertial>"


@pytest.fixture
def meshes(project: Path) -> Path:
    for name, text in MESHES.items():
        (project / name).write_text(text)
    return project


def solid(shape: str, x: float = 0.0, name: str = "c", more: str = "") -> str:
    return f"<collision name='{name}'>{more}<pose>{x} 0 0 0 0 0</pose><geometry>{shape}</geometry></collision>"


def mesh(name: str, scale: str = "1 1 1") -> str:
    return f"<mesh><uri>{name}</uri><scale>{scale}</scale></mesh>"


def sdf(inertial: str, *solids: str) -> bytes:
    link = f"<link name='l'>{inertial}{''.join(solids)}</link>"
    return f"<sdf version='1.11'><model name='m'>{link}</model></sdf>".encode()


def codes(directory: Path, content: bytes, *select: str, **options: Any) -> list[str]:
    path = str(directory / "m.sdf")
    return [finding.code for finding in check(content, Options(select=select, **options), filename=path)]


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
    assert codes(meshes, sdf(AUTO, solids)) == (expected if "SDI401" in expected else ["SDI001", *expected])


@pytest.mark.parametrize("solids", [solids for solids, _ in DEFAULTS.values()], ids=DEFAULTS.keys())
def test_meshes_of_hand_written_links_are_judged_only_where_that_is_asked_for(meshes: Path, solids: str) -> None:
    assert codes(meshes, sdf(HAND, solids)) == []
    assert codes(meshes, sdf(AUTO, solids), "SDI4") == codes(meshes, sdf(HAND, solids), "SDI401", "SDI402")


def test_all_rules_are_all_that_can_be_selected_by_their_codes(meshes: Path) -> None:
    content = sdf(HAND, solid(mesh("open.obj")))
    assert "SDI401" in codes(meshes, content, "SDI")
    assert codes(meshes, content, "ALL") == codes(meshes, content, "SDI")


def test_the_finding_names_the_collision_and_counts_the_edges(meshes: Path) -> None:
    content = sdf(AUTO, solid(BOX, name="box"), solid(mesh("open.obj"), 3.0, name="tub"))
    [finding] = check(content, Options(select=("SDI401",)), filename=str(meshes / "m.sdf"))
    assert finding.link == "m::l"
    assert "'tub'" in finding.message
    assert "4 open edges" in finding.message


@pytest.mark.parametrize("select", ["SDI401", "SDI402", "SDI403"])
def test_a_mesh_that_is_gone_is_skipped_and_counted_on_hand_written_links(project: Path, select: str) -> None:
    options = Options(select=(select,))
    content = sdf(HAND, solid(mesh("gone.obj")))
    result = check_document(open_document(content, options, filename=str(project / "m.sdf")))
    assert (result.findings, len(result.unjudged)) == ((), 1)


def test_a_mesh_that_is_gone_is_a_finding_and_not_skipped_where_it_is_to_be_computed_from(project: Path) -> None:
    content = sdf(AUTO, solid(mesh("gone.obj")))
    result = check_document(open_document(content, Options(), filename=str(project / "m.sdf")))
    assert [finding.code for finding in result.findings] == ["SDI901"]
    assert result.unjudged == ()


@pytest.mark.parametrize("name", ["inside_out.obj", "one_of_two.obj", "hollow.obj", "two.obj", "closed.stl"])
def test_meshes_of_a_link_that_was_filled_are_no_finding(meshes: Path, name: str) -> None:
    result = fill(sdf(AUTO, solid(mesh(name))), filename=str(meshes / "m.sdf"))
    assert result.changed
    assert codes(meshes, result.content) == []


@pytest.mark.parametrize("policy", ["convex_hull", "fill_holes", "divergence"])
def test_an_open_mesh_that_was_filled_by_a_policy_is_no_finding(meshes: Path, policy: str) -> None:
    result = fill(sdf(AUTO, solid(mesh("open.obj"))), Options(open_mesh=policy), filename=str(meshes / "m.sdf"))
    assert result.changed
    assert codes(meshes, result.content) == []


def test_a_mesh_that_was_opened_after_its_link_was_filled_is_a_finding(meshes: Path) -> None:
    filled = fill(sdf(AUTO, solid(mesh("closed.obj"))), filename=str(meshes / "m.sdf")).content
    (meshes / "closed.obj").write_text(MESHES["open.obj"])
    found = codes(meshes, filled)
    assert len(found) == 1
    assert found[0] in ("SDI401", "SDI901", "SDI002")


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
    assert codes(meshes, sdf(inertial, solids), "SDI403") == ["SDI403"] * count


def test_a_surface_that_crosses_itself_counts_volume_twice(meshes: Path) -> None:
    pytest.importorskip("manifold3d")
    angles = np.linspace(0, 2 * np.pi, 240, endpoint=False)
    radii = 1 + 2 * np.cos(angles)
    vertices, faces = prism(np.c_[radii * np.cos(angles), radii * np.sin(angles)])
    (meshes / "limacon.obj").write_text(obj(np.asarray(vertices)[np.asarray(faces)].tolist()))
    path = meshes / "m.sdf"
    path.write_bytes(sdf(AUTO, solid(mesh("limacon.obj"))))
    [finding] = check(str(path), Options(select=("SDI403",)))
    assert "winds 2 times round a part of its volume" in finding.message


def test_overlaps_that_count_once_are_no_finding(meshes: Path) -> None:
    pytest.importorskip("manifold3d")
    result = fill(sdf(AUTO, OVERLAPS["half of a box"][0]), Options(overlaps="union"), filename=str(meshes / "m.sdf"))
    assert b"<mass>1500</mass>" in result.content
    assert codes(meshes, result.content, "SDI403") == []


@pytest.mark.parametrize("kind", ["auto", "managed", "hand-written"])
def test_the_command_of_an_overlap_mends_it(project: Path, command: Callable[..., Any], kind: str) -> None:
    pytest.importorskip("manifold3d")
    content = sdf(HAND if kind == "hand-written" else AUTO, OVERLAPS["half of a box"][0])
    if kind == "managed":
        content = fill(content, filename="m.sdf").content
    (project / "m.sdf").write_bytes(content)
    [finding] = check("m.sdf", Options(select=("SDI403",)))
    assert command(*shlex.split(finding.remedy)[1:]).status == 0
    assert check("m.sdf", Options(select=("SDI403",))) == []
