from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from builders.robots import ANYHOW, ENTRIES, LOST, MOTOR, POINT, SOUND, ZEROS, Written, sdf, urdf

from sdfinertia.documents import open_document
from sdfinertia.documents.checking import check
from sdfinertia.documents.corrections import repaired_text
from sdfinertia.documents.filling import fill
from sdfinertia.documents.link_results import LinkResult
from sdfinertia.documents.repairing import BY, RepairResult, in_axes_of, repair
from sdfinertia.errors import InertiaError
from sdfinertia.inertia import InertiaTensor
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.links.written_block import WrittenBlock
from sdfinertia.options import Options

if TYPE_CHECKING:
    from sdfinertia.causes.case import Explanation

Format = Callable[..., bytes]
FORMATS = pytest.mark.parametrize("written_as", [urdf, sdf], ids=["URDF", "SDF"])

# One moment alone.
ALONE = Written("body", "850.6", ("0", "0", "0", "0", "0", "108.5602"), (88.6, 0.0, 0.0, 301.0, 0.0, 354.0))


def foot(written_as: Format) -> bytes:
    """A foot of zeros on a ball of 22 mm."""
    text = written_as(Written("foot", "0.02", ZEROS, (1.0, 0.0, 0.0, 1.0, 0.0, 1.0)))
    ball = b'<sphere radius="0.022"/>' if written_as is urdf else b"<sphere><radius>0.022</radius></sphere>"
    return re.sub(rb"<box.*?(?:/>|</box>)", ball, text)


def only(result: RepairResult) -> LinkResult:
    (found,) = result.links
    return found


def likeliest(content: bytes) -> Explanation:
    return only(repair(content)).why.explanations[0]


def numbers_in(content: bytes) -> dict[str, dict[str, str]]:
    """The entries of each link as they stand."""
    document = open_document(content, Options())
    found = {}
    for link in document.links():
        texts = link.written_texts()
        found[link.name] = dict(zip(ENTRIES, texts.tensor, strict=True))
    return found


# Known answers --------------------------------------------------------------------------------------------------------


@FORMATS
def test_a_decimal_point_that_is_missing_is_put_where_it_was(written_as: Format) -> None:
    before = written_as(POINT)
    result = repair(before)
    assert (only(result).status, only(result).cause) == ("repaired", "decimal-point")
    comment = re.search(rb"\n *<!-- sdfinertia: repaired=decimal-point -->", result.content)
    # Nothing else is another byte.
    assert result.content.replace(comment[0], b"") == before.replace(b"1676359E-6", b"1676.359E-6")


@FORMATS
def test_zeros_and_one_moment_alone_were_never_filled_in_and_the_collision_stands_in(written_as: Format) -> None:
    best = likeliest(foot(written_as))
    assert (best.cause, best.source) == ("zeros", "geometry")
    assert best.proposal.tensor[:3] == pytest.approx((3.872e-6,) * 3)
    best = likeliest(written_as(ALONE))
    assert (best.group, best.source) == ("unpopulated", "geometry")
    # They are left until the geometry is asked for.
    assert not repair(foot(written_as)).changed
    assert repair(foot(written_as), by="geometry").changed


def test_of_two_explanations_of_a_link_the_likelier_is_the_one_that_is_told() -> None:
    # A unit tensor, and a centre in millimetres that is found first and explained at less than 50 %.
    content = sdf(
        Written("a", "3", ("1", "0", "0", "1", "0", "1"), (0.0125, 0, 0, 0.025, 0, 0.0325), "0.12 0.035 0.02")
    )
    wrong = content.replace(b"0.12 0.035 0.02", b"120 35 20", 1)
    assert {finding.code for finding in only(repair(wrong)).findings} >= {"SDI105", "SDI208"}
    assert likeliest(wrong).cause == "unit-tensor"


@FORMATS
def test_products_of_a_cad_program_are_told_by_the_geometry_and_are_not_barely_a_body(written_as: Format) -> None:
    found = only(repair(written_as(MOTOR)))
    best = found.why.explanations[0]
    assert best.group == "signs"
    assert best.proposal.entry_texts.ixy == "-.000052"
    assert not any(each.group == "barely" and each.is_certain for each in found.why.explanations)


@FORMATS
def test_what_was_rounded_away_is_told_by_the_twin(written_as: Format) -> None:
    shape = (1.97677e-06, 0.0, 0.0, 1.9e-06, 9.34866e-07, 1.89787e-06)
    mirrored = (1.97677e-06, 0.0, 0.0, 1.9e-06, -9.34866e-07, 1.89787e-06)
    tensor = ("2e-06", "0.0", "-0.0", "1e-06", "1e-06", "2e-06")
    right = ("2e-06", "0.0", "0.0", "2e-06", "-1e-06", "2e-06")
    content = written_as(
        Written("left_tip", "0.02316990761545859", tensor, shape, "0.009 0.004 0.007"),
        Written("right_tip", "0.02316990761545859", right, mirrored, "0.009 -0.004 0.007"),
    )
    result = repair(content, by="twin")
    assert only(result).status == "repaired"
    assert numbers_in(result.content)["left_tip"]["iyy"] == "2e-06"
    assert numbers_in(result.content)["left_tip"]["iyz"] == "1e-06"


# What is touched ------------------------------------------------------------------------------------------------------


@FORMATS
@pytest.mark.parametrize("by", BY)
def test_a_link_without_findings_keeps_every_byte(written_as: Format, by: str) -> None:
    before = written_as(SOUND)
    result = repair(before, by=by)  # type: ignore[arg-type]
    assert result.content == before
    assert result.links == ()
    both = repair(written_as(SOUND, POINT), by=by)  # type: ignore[arg-type]
    assert numbers_in(both.content)["sound"] == numbers_in(before)["sound"]


@FORMATS
@pytest.mark.parametrize("by", BY)
@pytest.mark.parametrize("wrong", [POINT, ALONE, MOTOR])
def test_a_second_run_changes_nothing(written_as: Format, by: str, wrong: Written) -> None:
    once = repair(written_as(wrong, SOUND), by=by).content  # type: ignore[arg-type]
    assert repair(once, by=by).content == once  # type: ignore[arg-type]


@FORMATS
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (MOTOR._replace(shape=None), "not repaired: no likely cause"),
        (ANYHOW, "not repaired: no mistake that is known explains these numbers"),
        (LOST, "; the original number is lost"),
    ],
    ids=["unlikely", "unexplained", "lost"],
)
def test_what_is_not_certain_is_said_and_left(written_as: Format, wrong: Written, said: str) -> None:
    result = repair(written_as(wrong))
    assert (result.changed, only(result).status) == (False, "left")
    (note,) = only(result).notes
    assert note.endswith(said)


@FORMATS
def test_a_pattern_chooses_the_links(written_as: Format) -> None:
    content = written_as(POINT, POINT._replace(name="Link2"))
    result = repair(content, Options(link=("*Link2",)))
    found = numbers_in(result.content)
    assert (found["Link1"]["izz"], found["Link2"]["izz"]) == ("1676359E-6", "1676.359E-6")


def test_blocks_that_are_suppressed_or_were_filled_are_left() -> None:
    comment = b"<inertial><!-- sdfinertia: ignore SDI103, SDI202, SDI205, SDI204 because known -->"
    content = sdf(POINT).replace(b"<inertial>", comment)
    assert repair(content).content == content
    filled = fill(sdf(SOUND), Options(all=True)).content
    edited = re.sub(rb"<izz>[^<]*</izz>", b"<izz>40</izz>", filled)
    result = repair(edited)
    assert result.content == edited
    assert "fill --overwrite-edited" in only(result).notes[0]


# The ways -------------------------------------------------------------------------------------------------------------


@FORMATS
def test_the_nearest_tensor_keeps_mass_centre_and_axes(written_as: Format) -> None:
    result = repair(written_as(MOTOR), by="nearest")
    found = only(result)
    assert (found.status, found.cause) == ("repaired", "nearest")
    assert "% of its size" in found.notes[0]
    before, after = found.before, found.inertia
    assert after.is_physically_valid(rtol=0.0)
    assert (after.mass, after.p_BoBcm_B) == (before.mass, before.p_BoBcm_B)
    assert not [finding for finding in check(result.content) if finding.code in ("SDI102", "SDI103", "SDI107")]


@FORMATS
def test_zeros_have_no_nearest_tensor(written_as: Format) -> None:
    result = repair(foot(written_as), by="nearest")
    assert not result.changed
    assert "no physically valid tensor is near" in only(result).notes[0]


LEFT = Written("l_leg", "1.5", ("0.01", "1e-4", "-2e-4", "0.012", "3e-4", "0.004"), None, "0.01 0.02 -0.1")


@FORMATS
@pytest.mark.parametrize(
    ("centre", "expected"), [("0 0 0", (0.01, -0.02, -0.1)), ("0.01 -0.021 -0.1", (0.01, -0.021, -0.1))]
)
def test_the_twin_gives_its_digits_in_the_mirror_and_its_centre_where_there_is_none(written_as, centre, expected):
    result = repair(written_as(LEFT, Written("r_leg", "1.5", ZEROS, None, centre)), by="twin")
    assert only(result).cause == "twin"
    assert only(result).inertia.p_BoBcm_B == expected
    assert tuple(numbers_in(result.content)["r_leg"].values()) == ("0.01", "-1e-4", "-2e-4", "0.012", "-3e-4", "0.004")


@FORMATS
@pytest.mark.parametrize(
    ("twin", "why"),
    [
        pytest.param(LEFT._replace(mass="1.6"), "has a different mass", id="another mass"),
        pytest.param(
            LEFT._replace(tensor=("1", "0", "0", "1", "0", "9")), "physically impossible tensor too", id="impossible"
        ),
        pytest.param(LEFT._replace(name="knee"), "has no twin", id="no twin"),
        # A tenth of a metre, and turns like two metres.
        pytest.param(
            LEFT._replace(tensor=("1", "0", "0", "1.2", "0", "1.4"), shape=(0.01, 0.0, 0.0, 0.012, 0.0, 0.004)),
            "does not fit its own geometry",
            id="far from its geometry",
        ),
        pytest.param(LEFT._replace(tensor=("1", "0", "0", "1", "0", "1")), "has wrong numbers too", id="in doubt"),
    ],
)
def test_a_twin_that_does_not_count_is_told(written_as: Format, twin: Written, why: str) -> None:
    result = repair(written_as(twin, Written("r_leg", "1.5", ZEROS)), by="twin")
    (note,) = (each.notes[0] for each in result.links if each.name.endswith("r_leg"))
    assert why in note
    assert numbers_in(result.content)["r_leg"]["ixx"] == "0"


@FORMATS
def test_the_geometry_is_written_as_fill_would_and_is_verified_from_then_on(written_as: Format) -> None:
    before = written_as(POINT)
    result = repair(before, by="geometry")
    assert result.content == fill(before, Options(all=True)).content
    assert check(result.content) == []


@FORMATS
@pytest.mark.parametrize(("radius", "is_changed"), [("0.022", True), ("0.002", False)])
def test_nothing_is_computed_from_a_marker(written_as: Format, radius: str, is_changed: bool) -> None:
    result = repair(foot(written_as).replace(b"0.022", radius.encode()), by="geometry")
    assert result.changed is is_changed
    if not is_changed:
        assert only(result).notes == (
            "not repaired: its geometry is too small for a body of its mass, and stands in for it",
        )


def test_what_cannot_be_computed_fails_the_file_unless_it_is_to_go_on() -> None:
    content = sdf(POINT, POINT._replace(name="Link2")).replace(
        b"<geometry><box>", b"<geometry><mesh><uri>gone.stl</uri></mesh></geometry><geometry><box>", 1
    )
    stopped = repair(content, by="geometry")
    assert stopped.errors
    assert not stopped.changed
    assert [each.status for each in stopped.links] == ["failed", "withheld"]
    going = repair(content, Options(keep_going=True), by="geometry")
    assert [each.status for each in going.links] == ["failed", "repaired"]
    assert going.changed


# Forms ----------------------------------------------------------------------------------------------------------------


def test_an_entry_that_is_omitted_is_put_in_beside_the_others() -> None:
    # An entry that is omitted is 1.
    wrong = Written("l", "2", ("0.4", "0", "0", "0.5", "0", ""), (0.42, 0.0, 0.0, 0.53, 0.0, 0.94))
    written = repair(sdf(wrong), by="nearest")
    assert re.search(rb"\n          <izz>[^<]+</izz>\n        </inertia>", written.content)


def test_only_the_text_of_numbers_is_replaced() -> None:
    content = sdf(POINT).replace(b"<pose>0.488E-3", b'<pose degrees="true">0.488E-3', 1)
    result = repair(content)
    assert b'<pose degrees="true">0.488E-3' in result.content
    assert b"1676.359E-6" in result.content
    # Text in two pieces: libsdformat takes the first, and the comment between them stays.
    content = sdf(POINT).replace(b"1676359E-6", b"1676359E-6<!-- a -->")
    result = repair(content)
    assert not result.errors
    assert b"1676.359E-6<!-- a -->" in result.content


def test_a_repaired_block_is_neither_stale_nor_to_be_filled_and_loses_its_comment_to_another_repair() -> None:
    repaired = repair(sdf(POINT)).content
    assert check(repaired) == []
    assert fill(repaired).content == repaired
    once = repair(sdf(MOTOR), by="nearest").content
    again = fill(once, Options(all=True)).content
    assert b"repaired=" not in again
    assert again.count(b"<!-- sdfinertia:") == 1


@pytest.mark.parametrize("newline", [b"\r\n", b"\n"])
def test_line_endings_stay(newline: bytes) -> None:
    content = sdf(POINT).replace(b"\n", newline)
    after = repair(content).content
    assert after.count(newline) == content.count(newline) + 1
    assert after.replace(newline, b"").count(b"\n") == 0


def test_what_would_not_read_back_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    from sdfinertia.robot import Link

    monkeypatch.setattr(Link, "edits", lambda *_: [])
    (left,) = repair(sdf(MOTOR), by="nearest").links
    assert left.status == "left"
    assert "parsers would not read" in left.notes[0]


@FORMATS
def test_a_link_that_shares_its_name_is_left(written_as: Format) -> None:
    result = repair(written_as(POINT, POINT))
    assert not result.changed
    assert ["are named 'Link1'" in note for each in result.links for note in each.notes] == [True, True]


def test_numbers_that_cannot_be_read_are_not_mended() -> None:
    content = sdf(POINT).replace(b"<mass>1.559", b"<mass>heavy")
    for by in BY:
        result = repair(content, by=by)
        assert not result.changed, by
        assert [error.problem for error in result.errors] == ["<mass> is 'heavy': write a number"]


def test_a_tensor_of_a_twin_is_written_in_the_axes_that_are_there() -> None:
    quarter = (0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
    written = WrittenBlock(2.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 1.0), rotation=quarter)
    twin = WrittenBlock(2.0, (0.1, 0.0, 0.0), InertiaTensor(0.02, 0.03, 0.04))
    taken = in_axes_of(written, twin)
    assert taken.rotation == quarter
    assert taken.tensor == pytest.approx((0.03, 0.02, 0.04, 0.0, 0.0, 0.0), abs=1e-15)
    assert taken.inertia.I_BBcm_B == pytest.approx(twin.inertia.I_BBcm_B, abs=1e-15)
    assert taken.centre == (0.1, 0.0, 0.0)


def test_a_tensor_that_needs_more_digits_is_an_error_that_says_so() -> None:
    """A thin rod, askew, whose third moment is rounding."""
    thin = InertiaTensor(1e-3, 1e-3, 1e-12).rotated(rotation_from_rpy(0.3, 0.4, 0.5))
    written = WrittenBlock(2.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 1.0))
    proposal = WrittenBlock(2.0, (0.0, 0.0, 0.0), thin)
    with pytest.raises(InertiaError, match="with 9 digits") as caught:
        repaired_text(written, proposal, 9)
    assert caught.value.remedy == "write more --digits"
    assert repaired_text(written, proposal, 8).tensor


# What evidence a repair needs -----------------------------------------------------------------------------------------

# A link of PR2 whose visual is a marker: "bogus values for visual aesthetics".
MARKER = """<robot name="pr2"><link name="high_def_optical_frame">
  <inertial><mass value="0.01"/><origin xyz="0 0 0"/>
    <inertia ixx="0.001" ixy="0.0" ixz="0.0" iyy="0.001" iyz="0.0" izz="0.001"/></inertial>
  <visual><origin xyz="0 0 0"/><geometry><cylinder radius="0.02" length="0.05"/></geometry></visual>
</link></robot>"""


def test_a_placeholder_beside_a_marker_is_told_and_left() -> None:
    """0.001 about every axis became 3.08e-6, the tensor of the marker."""
    result = repair(MARKER.encode())
    assert result.content == MARKER.encode()
    (note,) = only(result).notes
    assert "probably a placeholder: " in note
    assert note.endswith("placeholders are replaced on request only: `sdfinertia repair --by geometry`")


@pytest.mark.parametrize("harm", ["", "it would be worse"])
def test_check_announces_what_repair_writes(harm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sdfinertia.documents.corrections.harm_of", lambda *_: harm)
    (finding,) = check(sdf(POINT), filename="r.sdf")
    (done,) = repair(sdf(POINT), filename="r.sdf").links
    assert ("sdfinertia repair" in finding.remedy) is (done.status == "repaired") is (not harm)


def test_a_block_with_a_quaternion_is_repaired_in_mjcf() -> None:
    geom = '<geom type="mesh" mesh="b"/>'
    corners = " ".join(f"{x} {y} {z}" for x in (0, 0.1) for y in (0, 0.1) for z in (0, 0.1))
    numbers = 'quat="0.8880738 -0.3250576 0.3250576 0" mass="1" diaginertia="0.00916667 0.00916667 0.00166667"'
    body = f'<body name="a"><joint/><inertial pos="0.05 0.05 0.05" {numbers}/>{geom}</body>'
    asset = f'<asset><mesh name="b" vertex="{corners}" inertia="exact"/></asset>'
    model = f"<mujoco>{asset}<worldbody>{body}</worldbody></mujoco>".encode()
    (done,) = repair(model, by="geometry", filename="m.xml").links
    assert done.status == "repaired"
