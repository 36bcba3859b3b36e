"""SDI204 by default, and SDI209: where the geometry of a link is evidence against its numbers, and where it is none."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from builders.documents import inertial as block
from builders.documents import mesh, one_link, solid
from builders.findings import codes, findings
from builders.gltf import asset, data_uri
from builders.meshes import box, obj

if TYPE_CHECKING:
    from pathlib import Path

Moments = tuple[float, ...]

CUBE = "<box><size>1 1 1</size></box>"
ROD = "<box><size>2 0.1 0.1</size></box>"
BALL = "<sphere><radius>0.5</radius></sphere>"


# At 60 kg a cube of 1 m has 10 10 10; a rod of 2 × 0.1 × 0.1 m has 0.1 20.05 20.05.
FAR = {
    "four times": (block(60.0, (40.0, 41.0, 42.0)), CUBE),
    "a tenth": (block(60.0, (1.0, 1.01, 1.02)), CUBE),
    "one moment": (block(60.0, (20.0, 39.0, 39.0)), CUBE),
    "axes exchanged": (block(60.0, (20.05, 0.1, 20.05)), "<box><size>1 0.1 0.1</size></box>"),
    "in the axes of its pose": (block(60.0, (0.1, 20.05, 20.05), "0 0 0 0 0 0.7"), ROD),
    "a ball": (block(60.0, (20.1, 20.2, 20.3)), BALL),
}
NEAR = {
    "what it gives": (block(60.0, (10.0, 10.0, 10.0)), CUBE),
    "2.9 times": (block(60.0, (28.0, 28.5, 29.0)), CUBE),
    "a hollow cube": (block(60.0, (16.7, 16.7, 16.7)), CUBE),
    "a thin rod to four digits": (block(60.0, (0.1, 20.05, 20.05)), ROD),
    "lighter than foam, a zone": (block(5.0, (4.0, 4.1, 4.2)), CUBE),
    "denser than lead, a dot": (block(13000.0, (9e3, 9e3, 9.1e3)), CUBE),
    "with its centre where nothing is drawn": (block(60.0, (40.0, 41.0, 42.0), "0 0 0.52 0 0 0"), CUBE),
    "no tensor, which is another rule's": ("<inertial><mass>60</mass></inertial>", CUBE),
    "no body, which is another rule's": (block(60.0, (40.0, 10.0, 10.0)), CUBE),
}


@pytest.mark.parametrize(("written", "shape"), FAR.values(), ids=FAR.keys())
def test_a_tensor_far_from_a_solid_that_can_be_trusted_is_found(written: str, shape: str) -> None:
    assert set(codes(one_link(written, solid(shape)))) <= {"SDI204", "SDI205"}
    assert (
        codes(one_link(written, solid(shape)))
        == codes(one_link(written, solid(shape), solid(shape, kind="visual")))
        != []
    )


@pytest.mark.parametrize(("written", "shape"), NEAR.values(), ids=NEAR.keys())
def test_what_may_be_meant_is_left_alone(written: str, shape: str) -> None:
    assert "SDI204" not in codes(one_link(written, solid(shape)))


# At 60 kg; each side of a seventh, of 3 % of the largest moment above three times the small one, and of 6,200 kg/m³.
LIMITS = {
    "below a seventh": (block(60.0, (1.40, 1.41, 1.42)), CUBE, True),
    "above a seventh": (block(60.0, (1.45, 1.46, 1.47)), CUBE, False),
    "a rod more than three times as thick, and 3 % of its length": (block(60.0, (2.2, 20.05, 20.05)), ROD, True),
    "a rod less than three times as thick, and 3 % of its length": (block(60.0, (2.0, 20.05, 20.05)), ROD, False),
    "lighter than a block of steel": (block(6100.0, (4066.0, 4070.0, 4080.0)), CUBE, True),
    "as heavy as a block of steel": (block(6300.0, (4200.0, 4210.0, 4220.0)), CUBE, False),
}


@pytest.mark.parametrize(("written", "shape", "is_found"), LIMITS.values(), ids=LIMITS.keys())
def test_each_limit_has_two_sides(written: str, shape: str, is_found: bool) -> None:
    assert ("SDI204" in codes(one_link(written, solid(shape)))) == is_found


OFF = block(60.0, (40.0, 41.0, 42.0))
STAND_INS = {
    "a visual of more than twice its box": (solid(CUBE), solid("<box><size>1 1 2.1</size></box>", kind="visual")),
    "a visual of less than half its box": (solid(CUBE), solid("<box><size>1 1 0.45</size></box>", kind="visual")),
    "a visual beside it": (solid(CUBE), solid(CUBE, "1.1 0 0 0 0 0", kind="visual")),
    "a visual without end": (solid(CUBE), solid("<plane/>", kind="visual")),
    "a visual without volume": (solid(CUBE), solid("<empty/>", kind="visual")),
    "no collision": (solid(CUBE, kind="visual"),),
    "a collision that is not found": (solid(mesh("gone.obj")), solid(CUBE, kind="visual")),
}


# At 60 kg a ball of 0.5 m has 6 6 6; what is at its ends weighs nothing, and makes room for more.
@pytest.mark.parametrize(
    ("moments", "is_found"),
    [((54.0, 54.0, 55.0), False), ((70.0, 70.0, 71.0), True)],
    ids=["9 times, as of a part that reaches farther", "12 times"],
)
def test_collisions_decide_where_a_visual_is_missing(moments: Moments, is_found: bool) -> None:
    ends = (" ".join(f"{sign if k == axis else 0}" for k in range(3)) for axis in range(3) for sign in (-3, 3))
    dot = "<sphere><radius>0.01</radius></sphere>"
    dots = [solid(dot, f"{end} 0 0 0").replace("'c'", f"'{end}'") for end in ends]
    missing = solid(mesh("gone.obj"), kind="visual")
    assert ("SDI204" in codes(one_link(block(60.0, moments), solid(BALL), *dots, missing))) == is_found


def test_they_decide_where_a_part_that_reaches_farther_would_have_more() -> None:
    little = block(60.0, (1.0, 1.01, 1.02))
    assert "SDI204" in codes(one_link(little, solid(CUBE), solid(mesh("gone.obj"), kind="visual")))


def test_a_mesh_decides_alone_where_a_visual_is_missing(project: Path) -> None:
    wing(project / "wing.obj")
    far = block(1.0, (0.0135, 1.34, 1.35))
    solids = solid(mesh("wing.obj")), solid(mesh("gone.obj"), kind="visual")
    assert "SDI204" in codes(one_link(far, *solids), file=project / "m.sdf")


@pytest.mark.parametrize("solids", STAND_INS.values(), ids=STAND_INS.keys())
def test_what_stands_in_for_a_part_is_no_evidence(solids: tuple[str, ...]) -> None:
    assert "SDI204" not in codes(one_link(OFF, *solids))


def test_where_visuals_agree_the_collisions_are_wrong_and_that_is_minor() -> None:
    places = [f"{x} {y} {z} 0 0 0" for x in (-0.45, 0.45) for y in (-0.45, 0.45) for z in (-0.45, 0.45)]
    corners = [solid("<box><size>0.1 0.1 0.1</size></box>", place, f"v{place}", "visual") for place in places]
    # At 60 kg the corners have 24.4 about each axis, and the ball that stands in for them 6.
    for moment, is_minor in ((24.0, True), (20.0, True), (48.0, False)):
        content = one_link(block(60.0, (moment, moment + 0.1, moment + 0.2)), solid(BALL), *corners)
        (found,) = findings(content)
        assert (found.code, found.is_minor) == ("SDI204", is_minor)
        assert found.message.startswith("the collisions are wrong, for the tensor agrees with") == is_minor
    right = one_link(block(60.0, (24.0, 24.1, 24.2)), solid(BALL), *corners)
    assert [each.is_minor for each in findings(right, strict=True)] == [False]


def test_links_that_never_move_are_not_judged() -> None:
    assert codes(one_link(OFF, solid(CUBE), before="<static>true</static>")) == []


def test_by_its_code_it_finds_what_is_above_the_tolerance_whatever_the_collisions_are() -> None:
    content = one_link(block(60.0, (11.5, 10.0, 10.0)), solid(CUBE), solid(ROD, kind="visual"))
    assert codes(content) == []
    for select in ("SDI204", "SDI2", "tensor-differs-from-geometry"):
        assert codes(content, select) == ["SDI204"]


# Meshes ---------------------------------------------------------------------------------------------------------------


# A closed box of 2 × 0.2 × 0.02 m.
WING = box((2.0, 0.2, 0.02), (-1.0, -0.1, -0.01))


def wing(path: Path) -> None:
    path.write_text(obj(WING))


# At 1 kg it has 0.00337 0.33337 0.33667 solid; its skin has 0.00546 about its span.
@pytest.mark.parametrize(
    ("moments", "expected"),
    [
        ((0.00337, 0.3334, 0.3367), []),
        ((0.0119, 0.3334, 0.3453), []),
        ((0.0135, 1.34, 1.35), ["SDI204"]),
        ((0.00028, 0.0277, 0.0279), ["SDI204"]),
    ],
    ids=["as it is", "hollow about its span", "4 times", "a twelfth"],
)
def test_a_closed_mesh_is_evidence_solid_and_hollow(project: Path, moments: Moments, expected: list[str]) -> None:
    wing(project / "wing.obj")
    assert codes(one_link(block(1.0, moments), solid(mesh("wing.obj"))), file=project / "m.sdf") == expected


def test_an_open_mesh_is_no_evidence(project: Path) -> None:
    wing(project / "wing.obj")
    lines = (project / "wing.obj").read_text().splitlines()
    (project / "wing.obj").write_text("\n".join(lines[:-1]) + "\n")
    content = one_link(block(1.0, (0.0135, 1.34, 1.35)), solid(mesh("wing.obj")))
    assert codes(content, file=project / "m.sdf") == []


def gltf_wing(path: Path) -> None:
    """The same box, as glTF."""
    vertices, faces = WING
    content = vertices.astype("<f4").tobytes() + faces.astype("<u2").tobytes()
    document = asset(8, 36, buffers=[{"byteLength": len(content), "uri": data_uri(content)}])
    path.write_text(json.dumps(document))


@pytest.mark.parametrize(("name", "write", "expected"), [("w.obj", wing, ["SDI204"]), ("w.GLTF", gltf_wing, [])])
def test_a_mesh_whose_upright_axis_depends_on_the_reader_is_no_evidence(project, name, write, expected):
    write(project / name)
    content = one_link(block(1.0, (0.0135, 1.34, 1.35)), solid(mesh(name)))
    assert codes(content, file=project / "m.sdf") == expected
    assert codes(content, "SDI204", file=project / "m.sdf") == ["SDI204"]


# Placeholders ---------------------------------------------------------------------------------------------------------

PLACEHOLDERS = {
    "a power of ten": (block(100.0, (10.0, 10.0, 10.0)), solid("<sphere><radius>0.2</radius></sphere>")),
    "a small one": (block(60.0, (0.1, 0.1, 0.1)), solid(CUBE)),
    "any number on a rod": (block(60.0, (7.0, 7.0, 7.0)), solid(ROD)),
    "any number on a visual": (block(60.0, (7.0, 7.0, 7.0)), solid(ROD, kind="visual")),
    "in turned axes": (block(60.0, (7.0, 7.0, 7.0), "0 0 0 0.1 0.2 0.3"), solid(ROD)),
    "on a sheet": (block(60.0, (70.0, 70.0, 70.0)), solid("<box><size>1 1 0.0000001</size></box>")),
}
MEASURED = {
    "a cube": (block(60.0, (10.0, 10.0, 10.0)), solid(CUBE)),
    "a ball of a round number": (block(1.0, (0.1, 0.1, 0.1)), solid(BALL)),
    "a cube within a factor of three": (block(22.0, (10.0, 10.0, 10.0)), solid(CUBE)),
    "another number on a cube, which is another rule's": (block(60.0, (40.0, 40.0, 40.0)), solid(CUBE)),
    "a short rod": (block(60.0, (8.0, 8.0, 8.0)), solid("<box><size>1.6 1 1</size></box>")),
    "products": (block(60.0, (7.0, 7.0, 7.0, 0.1)), solid(ROD)),
    "the default, which is another rule's": (block(60.0, (1.0, 1.0, 1.0)), solid(ROD)),
    "zeros, which are another rule's": (block(60.0, (0.0, 0.0, 0.0)), solid(ROD)),
    "without shapes": (block(60.0, (0.1, 0.1, 0.1)), ""),
    "what nearly fills its box no less than its collisions": (
        block(60.0, (10.0, 10.0, 10.0)),
        solid("<box><size>0.9 0.9 0.9</size></box>") + solid("<box><size>3 1 1</size></box>", kind="visual"),
    ),
}


@pytest.mark.parametrize(("written", "solids"), PLACEHOLDERS.values(), ids=PLACEHOLDERS.keys())
def test_one_number_for_all_axes_far_from_the_geometry_is_a_placeholder(written: str, solids: str) -> None:
    assert codes(one_link(written, solids), "SDI209") == ["SDI209"]
    assert "SDI209" in codes(one_link(written, solids))
    assert "SDI204" not in codes(one_link(written, solids))


@pytest.mark.parametrize(("written", "solids"), MEASURED.values(), ids=MEASURED.keys())
def test_a_tensor_that_a_part_may_have_is_no_placeholder(written: str, solids: str) -> None:
    assert codes(one_link(written, solids), "SDI209") == []


def test_a_placeholder_names_the_number_and_the_factor() -> None:
    [finding] = findings(one_link(*PLACEHOLDERS["a power of ten"]), "SDI209")
    assert finding.message == ("placeholder: 10 kg·m² about every axis, up to a factor of 6.25 off its collisions")
    assert finding.remedy.startswith("sdfinertia fill --all")
    [finding] = findings(one_link(*PLACEHOLDERS["any number on a visual"]), "SDI209")
    assert "a body that fills its box" in finding.message
    assert finding.remedy.startswith("sdfinertia fill --all --geometry visual --link m::l")
    [finding] = findings(one_link(block(6.0, (1e-6, 1e-6, 1e-6)), solid(CUBE)), "SDI209")
    assert finding.message == "placeholder: 1e-06 kg·m² about every axis; its collisions would have up to 1"
