"""The defective fixtures: one clear error for each fault."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from sdfinertia.documents.filling import fill
from sdfinertia.errors import SdfInertiaError

DEFECTIVE = Path(__file__).resolve().parents[2] / "fixtures" / "defective"


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


def test_every_defective_file_is_in_the_tables() -> None:
    there = {path.name for path in DEFECTIVE.iterdir() if path.is_file()}
    assert there == {fault.file for fault in [*UNREADABLE, *UNFILLABLE]}
