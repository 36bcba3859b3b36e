"""The fixtures as a user's repository: known numbers, untouched bytes, and one clear error for each fault."""

from __future__ import annotations

import re
import struct
from functools import cache
from math import pi, radians, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt
import pytest
from builders.rigid_bodies import (
    Body,
    body_of,
    box,
    capsule,
    cone,
    cylinder,
    ellipsoid,
    obj_triangles,
    placed,
    pose,
    prism,
    sphere,
    total,
    triangles_body,
    weighing,
)

from sdfinertia.documents.filling import FillResult, fill
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
DEFECTIVE = FIXTURES / "defective"
MESHES = FIXTURES / "rover" / "meshes"

Array = npt.NDArray[np.float64]


# Mesh files, each read in a few lines --------------------------------------------------------------------------------


@cache
def stl_triangles(path: Path) -> Array:
    data = path.read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    rows = [struct.unpack_from("<12f", data, 84 + 50 * index) for index in range(count)]
    return np.array(rows).reshape(count, 4, 3)[:, 1:]


@cache
def collada_triangles(path: Path) -> Array:
    """The triangles of a file with one position source, in the file's own unit and before its node's transform."""
    tree = ElementTree.parse(path)
    space = {"c": "http://www.collada.org/2005/11/COLLADASchema"}
    vertices = np.array((tree.findtext(".//c:float_array", "", space)).split(), float).reshape(-1, 3)
    indices = [int(index) for p in tree.iterfind(".//c:triangles/c:p", space) for index in (p.text or "").split()]
    return vertices[indices].reshape(-1, 3, 3)


def pedestal_triangles() -> Array:
    """In metres: centimetres, translated by 2 0 1 and turned by 30 degrees, as the file's node says."""
    node = pose(2, 0, 1, 0, 0, radians(30))
    return (collada_triangles(MESHES / "mast_pedestal.dae") @ node[:3, :3].T + node[:3, 3]) * 0.01


def mirrored(triangles: Array) -> Array:
    return (triangles * np.array([1, -1, 1]))[:, ::-1]


# What each good fixture must come to ---------------------------------------------------------------------------------


def cable_plug() -> dict[str, Body]:
    """Fifteen boxes, of which the latch is pitched."""
    boxes = []
    for collision in ElementTree.parse(FIXTURES / "cable_plug/model.sdf").iterfind(".//collision[pose]"):
        sizes = map(float, collision.findtext("geometry/box/size", "").split())
        place = pose(*map(float, collision.findtext("pose", "").split()))
        boxes.append(placed(box(*sizes, float(collision.findtext("density", "1200"))), place))
    assert len(boxes) == 15
    return {"cable_plug::plug": weighing(0.00284, total(*boxes))}


def bracket() -> dict[str, Body]:
    tree = ElementTree.parse(FIXTURES / "bracket/model.sdf")
    loops = [
        [list(map(float, (point.text or "").split())) for point in polyline.iterfind("point")]
        for polyline in tree.iterfind(".//collision/geometry/polyline")
    ]
    outline, hole, gusset = loops
    return {
        "bracket::bracket": total(
            prism(outline, [hole], 0.006, 2700),
            placed(prism(gusset, [], 0.004, 2700), pose(-0.05, 0.026, 0.006, pi / 2)),
            placed(cylinder(0.0125, 0.02, 2700), pose(0.03, 0, 0.016)),
        )
    }


def pendulum() -> dict[str, Body]:
    return {"pendulum::rod": placed(cylinder(0.006, 0.8, 1600), pose(0, 0, -0.4)), "pendulum::bob": sphere(0.04, 7850)}


def arm() -> dict[str, Body]:
    # The pose of an include is that of its placement frame: the wall face of the bracket, the flange of the gripper.
    upper_arm_to_bracket = pose(0.044775, 0.004493, 0.16, 0, -pi / 2, 0.1) @ np.linalg.inv(
        pose(-0.05, 0, 0, 0, -pi / 2)
    )
    boss_top = upper_arm_to_bracket @ pose(0.03, 0, 0.026)
    cable_port = pose(0.33, 0, 0, 0, pi / 2) @ pose(yaw=0.2) @ pose(0.045, 0, 0.01, 0, 0, pi / 2)
    return {
        "bench_arm::upper_arm": total(
            placed(capsule(0.045, 0.27, 1850), pose(0, 0, 0.18)),
            placed(box(0.09, 0.025, 0.025, 1300), boss_top @ pose(0, 0, 0.0125, 0, 0, 0.3)),
        ),
        "bench_arm::forearm": total(
            placed(cylinder(0.038, 0.3, 1850), pose(0.15, 0, 0, 0, pi / 2)),
            placed(ellipsoid(0.015, 0.045, 0.04, 1850), pose(0.315)),
            placed(cone(0.012, 0.04, 1150), cable_port @ pose(0, 0, -0.05)),
        ),
    }


def arm_gripper() -> dict[str, Body]:
    finger = total(
        placed(box(0.02, 0.012, 0.08, 1000), pose(0, 0.006, -0.04)),
        placed(box(0.02, 0.003, 0.024, 950), pose(0, -0.0015, -0.012)),
    )
    return {
        "arm_gripper::palm": box(0.08, 0.11, 0.06, 2700),
        "arm_gripper::left_finger": weighing(0.065, finger),
        "arm_gripper::right_finger": weighing(0.065, finger),
    }


def drone() -> dict[str, Body]:
    frame = total(
        box(0.18, 0.12, 0.05, 900),
        placed(ellipsoid(0.08, 0.055, 0.02, 250), pose(0, 0, 0.045)),
        placed(box(0.52, 0.02, 0.02, 900), pose(0, 0, -0.035, 0, 0, pi / 4)),
        placed(box(0.52, 0.02, 0.02, 900), pose(0, 0, -0.055, 0, 0, -pi / 4)),
    )
    rotor = cylinder(0.12, 0.008, 40)
    return {
        "survey_quad::frame": weighing(1.36, frame),
        "survey_quad::rotor_0": rotor,
        "survey_quad::rotor_1": rotor,
        "survey_quad::rotor_2": rotor,
        "survey_quad::rotor_3": weighing(0.0145, rotor),
    }


def rover() -> dict[str, Body]:
    front_axle, rear_axle = pose(0.19, 0, -0.085), pose(-0.19, 0, -0.085)
    axle = placed(cylinder(0.012, 0.38, 7850), pose(roll=pi / 2))
    fender = obj_triangles(MESHES / "fender.obj")
    mast = pose(0.08, 0, 0.13) @ np.linalg.inv(pose(0, 0, -0.02))
    cable_exit = mast @ pose(0, 0, -0.02) @ pose(-0.03, 0, 0.01, 0, 0, pi)
    chassis = total(
        triangles_body(stl_triangles(MESHES / "chassis.stl"), 320),
        placed(box(0.16, 0.2, 0.06, 2100), pose(-0.15, 0, 0.11)),
        placed(triangles_body(pedestal_triangles(), 2700), pose(0.06, 0, 0.07)),
        placed(axle, front_axle),
        placed(axle, rear_axle),
        placed(triangles_body(fender, 1050), front_axle @ pose(0, 0.17)),
        placed(triangles_body(mirrored(fender), 1050), front_axle @ pose(0, -0.17)),
        placed(box(0.1, 0.02, 0.015, 1150), cable_exit @ pose(0.06, 0, 0, 0, 0.25)),
    )
    wheel = obj_triangles(MESHES / "wheel.obj")
    tyre, motor = cylinder(0.11, 0.08, 640), cylinder(0.03, 0.03, 5200)
    lens_mount = pose(0.05, 0, 0.03, 0, pi / 2)
    return {
        "rover::chassis": chassis,
        "rover::front_left_wheel": weighing(1.85, triangles_body(wheel, 1000)),
        "rover::front_right_wheel": weighing(1.85, triangles_body(mirrored(wheel), 1000)),
        "rover::rear_left_wheel": total(tyre, placed(motor, pose(0, 0, -0.055))),
        "rover::rear_right_wheel": total(tyre, placed(motor, pose(0, 0, 0.055))),
        "rover::pan_tilt_mast::pan_link": total(
            placed(cylinder(0.016, 0.25, 1900), pose(0, 0, 0.125)),
            placed(box(0.04, 0.03, 0.04, 3400), pose(0, 0, 0.27) @ pose(0, -0.035)),
        ),
        "rover::pan_tilt_mast::tilt_link": weighing(
            0.42,
            total(
                placed(box(0.08, 0.05, 0.06, 1400), pose(0.01, 0, 0.03)),
                placed(cylinder(0.02, 0.03, 2500), lens_mount @ pose(0, 0, 0.015)),
            ),
        ),
    }


EXPECTED = {
    "arm/model.sdf": arm,
    "arm_gripper/model.sdf": arm_gripper,
    "bracket/model.sdf": bracket,
    "cable_plug/model.sdf": cable_plug,
    "drone/model.sdf": drone,
    "pendulum/pendulum.world": pendulum,
    "rover/model.sdf": rover,
}

good_fixtures = pytest.mark.parametrize("name", EXPECTED)


@cache
def filled(name: str) -> FillResult:
    return fill(FIXTURES / name)


def assert_agrees(inertia: SpatialInertia, expected: Body) -> None:
    size = max(float(np.linalg.norm(expected.com)), sqrt(np.trace(expected.tensor) / expected.mass))
    found = body_of(inertia)
    assert found.mass == pytest.approx(expected.mass, rel=1e-9)
    assert found.com == pytest.approx(expected.com, abs=1e-9 * size)
    assert found.tensor == pytest.approx(expected.tensor, abs=1e-9 * float(np.trace(expected.tensor)))


def inertial_span(content: bytes, scoped_name: str) -> tuple[int, int]:
    """Span of the first `<inertial>` after the first link of that name, comments passed over."""
    link = scoped_name.rpartition("::")[2]
    opening = re.compile(rf"<link name=(['\"]){link}\1[^>]*>".encode()).search(content)
    pattern = re.compile(rb"<!--.*?-->|(<inertial\b[^>]*?/>|<inertial\b.*?</inertial>)", re.DOTALL)
    return next(match.span() for match in pattern.finditer(content, opening.end()) if match[1])


def inertial_of(content: bytes, scoped_name: str) -> str:
    start, stop = inertial_span(content, scoped_name)
    return content[start:stop].decode()


def written_inertia(block: str) -> SpatialInertia:
    """What a reader finds in a filled block, which has no rotation."""
    text = re.sub(r"<!--.*?-->", "", block, flags=re.DOTALL)

    def numbers(name: str) -> list[float]:
        (content,) = re.findall(rf"<{name}>([^<]*)</{name}>", text)
        return [float(number) for number in content.split()]

    x, y, z, *angles = numbers("pose")
    assert angles == [0.0, 0.0, 0.0]
    tensor = InertiaTensor(**{entry: numbers(entry)[0] for entry in InertiaTensor._fields})
    return SpatialInertia(numbers("mass")[0], (x, y, z), tensor)


def without_blocks(content: bytes, scoped_names: Sequence[str]) -> bytes:
    for start, stop in sorted((inertial_span(content, name) for name in scoped_names), reverse=True):
        content = content[:start] + b"(block)" + content[stop:]
    return content


# Good fixtures -------------------------------------------------------------------------------------------------------


@good_fixtures
def test_exactly_the_links_with_auto_are_filled_once(name: str) -> None:
    result = filled(name)
    assert {link.name: link.status for link in result.links} == dict.fromkeys(EXPECTED[name](), "filled")
    assert (result.errors, result.changed) == ((), True)
    for link in EXPECTED[name]():
        assert "auto" not in inertial_of(result.content, link).partition(">")[0]
    again = fill(result.content, filename=str(FIXTURES / name))
    assert again.content == result.content
    assert (again.changed, again.errors, again.links) == (False, (), ())


@good_fixtures
def test_the_inertia_and_its_text_are_what_hand_formulas_give(name: str) -> None:
    inertias = {link.name: link.inertia for link in filled(name).links}
    expected = EXPECTED[name]()
    assert inertias.keys() == expected.keys()
    for link, inertia in inertias.items():
        assert_agrees(inertia, expected[link])
        assert_agrees(written_inertia(inertial_of(filled(name).content, link)), expected[link])


@good_fixtures
def test_bytes_outside_the_filled_blocks_stay(name: str) -> None:
    result, links = filled(name), list(EXPECTED[name]())
    assert result.original == (FIXTURES / name).read_bytes()
    assert without_blocks(result.content, links) == without_blocks(result.original, links)


@pytest.mark.parametrize(
    ("name", "link"),
    [
        ("arm/model.sdf", "bench_arm::base"),
        ("drone/model.sdf", "survey_quad::gimbal"),
        ("rover/model.sdf", "rover::imu_link"),
        ("rover/model.sdf", "rover::lidar_link"),
    ],
)
def test_an_explicit_inertial_stays(name: str, link: str) -> None:
    result = filled(name)
    assert inertial_of(result.content, link) == inertial_of(result.original, link)
    assert "<ixx>" in inertial_of(result.original, link)


# Defective files -----------------------------------------------------------------------------------------------------


class Fault(NamedTuple):
    """A defective file, the words its error must have, and a text on the line it must point to."""

    file: str
    words: str
    line: str | None


# The file's own text cannot be read, or it is no SDF: an error is raised.
UNREADABLE = [
    Fault("ancient_version.sdf", "1.0|older than 1.2", '<sdf version="1.0">'),
    Fault("binary_garbage.sdf", "NUL bytes|not text", None),
    Fault("doctype.sdf", "DOCTYPE|not allowed|remove it", "<!DOCTYPE"),
    Fault("empty.sdf", "empty|no <sdf>, <robot> or <mujoco> root", None),
    Fault("mismatched_tag.sdf", "</geometery>|<geometry>|line 7", "</geometery>"),
    Fault("launch_named.sdf", "ROS launch file", "<?xml"),
    Fault("template.sdf.erb", ".erb|template|sdfinertia fill -", None),
    Fault("truncated.sdf", "ends before|<size>", "<size>"),
    Fault("unquoted_attribute.sdf", "not well-formed", "auto=true"),
    Fault("word_version.sdf", "'latest'|not an SDFormat version", '<sdf version="latest">'),
]

# A link cannot be computed: the error is in the result, and the content is as it was.
UNFILLABLE = [
    Fault("auto_yes.sdf", "auto|true, false, 1 or 0|'yes'", "yes"),
    Fault("comma_number.sdf", "<mass>|a number|'0,5'", "0,5"),
    Fault("crossing_polyline.sdf", "plate_collision|crosses itself|(-0.1, -0.05)", "plate_collision"),
    Fault("cut_short_mesh.sdf", "cut_short.stl|bin_collision|cut off|9 of 12 facets", "bin_collision"),
    Fault("degrees_quaternion.sdf", "degrees|quat_xyzw", "<pose"),
    Fault("duplicate_collisions.sdf", "two collisions|'collision'", None),
    Fault("duplicate_links.sdf", "two links|'wheel'|'cart'", '<link name="wheel">'),
    Fault("empty_geometry.sdf", "floor_collision|empty|no volume|--skip-unsupported", "floor_collision"),
    Fault("empty_mass.sdf", "<mass>|a number|empty", "<mass>"),
    Fault("five_number_pose.sdf", "<pose>|6 numbers|5", "<pose>"),
    Fault(
        "frame_cycle.sdf", "cycle|screw_1 -> screw_2 -> pin -> screw_1|leaf_collision", '<pose relative_to="screw_1">'
    ),
    Fault("include_without_pose.sdf", "<placement_frame>|<pose>", "<include>"),
    Fault("lfs_pointer.sdf", "lfs_pointer.stl|Git LFS pointer|git lfs pull|lfs: true", "housing_collision"),
    Fault("mass_with_unit.sdf", "crate::crate|<mass>|a number|'10kg'", "10kg"),
    Fault("missing_include.sdf", "model://bench_vise_mk3|not found|tried", "<include>"),
    Fault("missing_length.sdf", "<cylinder>|no <length>", "<cylinder>"),
    Fault("missing_mesh.sdf", "parts_bin::bin|meshes/parts_bin_v2.stl|not found|tried", "bin_collision"),
    Fault("nan_density.sdf", "<density>|'nan'", "nan"),
    Fault("nan_vertex.sdf", "nan_vertex.obj|line 6|'nan'", "wedge_collision"),
    Fault("negative_density.sdf", "<density>|-7850", "-7850"),
    Fault("negative_mass.sdf", "crate::crate|<mass>|-3.2|above zero", "-3.2"),
    Fault("negative_radius.sdf", "roller_collision|cylinder|radius|-0.05|positive", "<radius>-0.05</radius>"),
    Fault("no_collision.sdf", "beacon::lamp|no collisions", '<link name="lamp">'),
    Fault("open_mesh.sdf", "open_box.stl|bin_collision|not closed|4 open edges|(0, -0.15, 0.2)", "bin_collision"),
    Fault("plane_only.sdf", "floor_collision|plane|no volume|--skip-unsupported", "floor_collision"),
    Fault("polyline_heights.sdf", "plate_collision|differ in height", "plate_collision"),
    Fault("two_point_polyline.sdf", "plate_collision|2 different points|3", "plate_collision"),
    Fault("two_shapes.sdf", "one <geometry>|<cylinder> and <sphere>", "<sphere>"),
    Fault(
        "unknown_frame.sdf",
        "no frame 'table_top_center'|work_cell|table_collision",
        '<pose relative_to="table_top_center">',
    ),
    Fault("unknown_mesh_format.sdf", "gearbox.blend|.blend|not read|.stl|.obj|.dae", "housing_collision"),
    Fault("unknown_submesh.sdf", "two_parts.obj|'Housing'|'housing', 'cover'", "housing_collision"),
    Fault("wrong_case_mesh.sdf", "meshes/Open_Box.STL|not found|open_box.stl|case", "bin_collision"),
    Fault("zero_box.sdf", "crate_collision|box|0|positive", "<size>0.4 0 0.2</size>"),
    Fault("zero_density.sdf", "marker::ghost|density zero", '<link name="ghost">'),
    Fault("zero_mass.sdf", "<mass>|0.0|above zero", "0.0"),
    Fault("zero_scale.sdf", "<scale>|zero", "<scale>"),
]

faults = pytest.mark.parametrize("fault", [*UNREADABLE, *UNFILLABLE], ids=lambda fault: fault.file)


def error_of(fault: Fault) -> SdfInertiaError:
    """The one error of a defective file, raised or reported."""
    path = DEFECTIVE / fault.file
    if fault in UNREADABLE:
        with pytest.raises(SdfInertiaError) as raised:
            fill(path)
        return raised.value
    result = fill(path)
    assert result.content == result.original == path.read_bytes()
    assert not result.changed
    (error,) = result.errors
    return error


@faults
def test_a_defective_file_gives_one_error_that_says_what_is_wrong_and_where(fault: Fault) -> None:
    error, path = error_of(fault), DEFECTIVE / fault.file
    message = str(error)
    assert message.startswith(str(path))
    assert [words for words in fault.words.split("|") if words not in message] == []
    if fault.line is not None:
        assert fault.line in path.read_text().splitlines()[error.location.line - 1]
    if fault in UNFILLABLE:
        (failed,) = (link for link in fill(path).links if link.status == "failed")
        assert failed.error.link == failed.name
        assert f"link {failed.name!r}" in str(failed.error)


@pytest.mark.parametrize(
    ("file", "bad"),
    [
        ("mass_with_unit.sdf", "crate"),
        ("missing_mesh.sdf", "bin"),
        ("negative_mass.sdf", "crate"),
        ("open_mesh.sdf", "bin"),
        ("zero_box.sdf", "crate"),
    ],
)
def test_keep_going_fills_the_sound_link_and_leaves_the_bad_one(file: str, bad: str) -> None:
    result = fill(DEFECTIVE / file, Options(keep_going=True))
    assert len(result.errors) == 1
    assert inertial_of(result.content, bad) == inertial_of(result.original, bad)
    assert_agrees(written_inertia(inertial_of(result.content, "lid")), box(0.4, 0.3, 0.01, 950))


def test_every_defective_file_is_in_the_tables() -> None:
    there = {path.name for path in DEFECTIVE.iterdir() if path.is_file()}
    assert there == {fault.file for fault in [*UNREADABLE, *UNFILLABLE]}
