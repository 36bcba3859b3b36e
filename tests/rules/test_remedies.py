"""A remedy is printed only where following it makes the numbers better."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from builders.documents import inertial, link, model, sdf, solid

from sdfinertia.causes.case import Explanation
from sdfinertia.documents.checking import check
from sdfinertia.inertia import InertiaTensor
from sdfinertia.links.written_block import WrittenBlock
from sdfinertia.options import Options
from sdfinertia.rules.remedies import for_cause
from sdfinertia.rules.rule import Finding, Why


def box(*sizes: float) -> str:
    return f"<box><size>{' '.join(map(str, sizes))}</size></box>"


PART = box(0.1, 0.1, 0.1)
CAD = "take its tensor from CAD: its collisions "


def remedy(mass: float, *solids: str) -> str:
    """What is advised for a tensor that breaks the triangle inequality."""
    content = sdf(model(link(inertial(mass, (1.0, 1.0, 9.0)), *solids)))
    [finding] = check(content, Options(select=("SDI103",)), filename="m.sdf")
    return finding.remedy


@pytest.mark.parametrize(
    ("mass", "solids", "expected"),
    [
        (1.0, [solid(PART)], "sdfinertia fill --all --link m::l m.sdf"),
        (1.0, [solid(PART), solid(box(0.1, 0.1, 0.14), kind="visual")], "sdfinertia fill --all --link m::l m.sdf"),
        (1.0, [solid(PART), solid(box(0.1, 0.1, 0.16), kind="visual")], "× off its visuals; take its tensor from CAD"),
        (
            1.0,
            [solid(PART), solid(PART, "0.06 0 0 0 0 0", kind="visual")],
            "× off its visuals; take its tensor from CAD",
        ),
        (0.0101, [solid(PART)], "sdfinertia fill --all --link m::l m.sdf"),
        (0.0101, [solid(PART), solid(PART, kind="visual")], "sdfinertia fill --all --link m::l m.sdf"),
        (25.1, [solid(PART), solid(PART, kind="visual")], "correct its mass: 25.1 kg in its collisions is"),
        (24.9, [solid(PART)], "sdfinertia fill --all --link m::l m.sdf"),
        (25.1, [solid(PART)], "at 25.1 kg its collisions have 2.51e+04 kg/m³"),
        (0.0099, [solid(PART)], "correct its mass: 0.0099 kg in its collisions is 9.9 kg/m³, less than any foam"),
        (1e-8, [solid(PART)], "correct its mass: 1e-08 kg"),
        (1e-4, [solid(box(0.0049, 0.0049, 0.0049))], "their size is 4.9 mm"),
        (1e-4, [solid(box(0.005, 0.005, 0.005))], "sdfinertia fill --all --link m::l m.sdf"),
        (1.0, [solid(PART, kind="visual")], "sdfinertia fill --all --geometry visual --link m::l m.sdf"),
        (1e-8, [solid(PART, kind="visual")], "correct its mass: 1e-08 kg in its visuals"),
        (1.0, [], "take its tensor from CAD"),
    ],
)
def test_only_a_geometry_that_can_be_the_part_is_computed_from(mass: float, solids: list[str], expected: str) -> None:
    found = remedy(mass, *solids)
    if expected == "their size is 4.9 mm":
        expected = "take its mass and tensor from CAD: its collisions are a marker of 4.9 mm"
    assert expected in found
    assert ("sdfinertia fill" in found) == ("sdfinertia fill" in expected)


def test_what_would_come_further_from_the_visuals_is_not_advised() -> None:
    """Boxes of nearly one size, but the centre, which is right as written, would move."""
    bar = box(0.1, 0.1, 0.3)
    found = remedy(1.0, solid(bar, kind="visual"), solid(bar, "0 0 0.04 0 0 0"))
    assert found.startswith("don't refill: by its collisions, its centre of mass would be 40 mm off")
    assert "sdfinertia fill --all" in remedy(1.0, solid(bar, kind="visual"), solid(bar, "0 0 0.004 0 0 0"))


def robot(mass: float, parent: float, kind: str = "fixed") -> bytes:
    block = "<inertial><mass value='{}'/><inertia ixx='{}' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    return (
        f"<robot name='r'><link name='base'>{block.format(parent, 1.5)}</link>"
        f"<link name='imu'>{block.format(mass, 9)}</link>"
        f"<joint name='j' type='{kind}'><parent link='base'/><child link='imu'/></joint></robot>"
    ).encode()


@pytest.mark.parametrize(
    ("content", "is_frame"),
    [
        (robot(0.001, 5), True),
        (robot(0.1, 5), False),
        (robot(0.001, 5, "continuous"), False),
        (robot(0.001, 0.001), False),
    ],
    ids=["a nominal mass", "a mass that counts", "a link that moves", "on nothing that weighs"],
)
def test_a_frame_loses_its_inertial_only_where_another_link_has_the_mass(content: bytes, is_frame: bool) -> None:
    [finding] = [each for each in check(content, Options(select=("SDI103",))) if each.link == "r::imu"]
    assert finding.remedy.startswith("delete its <inertial>") == is_frame


POINT = (
    b"<robot name='r'><link name='l'><inertial><origin xyz='0 0 0.15'/><mass value='1.559'/>"
    b"<inertia ixx='12.3419E-3' ixy='0' ixz='0' iyy='12.0171E-3' iyz='0' izz='1364126E-6'/></inertial>"
    b"<collision><origin xyz='0 0 0.15'/><geometry><cylinder radius='0.04' length='0.3'/></geometry></collision>"
    b"</link></robot>"
)


@pytest.mark.parametrize(("why", "does"), [(False, "fill --all"), (True, "repair")])
def test_a_certain_cause_is_repaired_unless_causes_are_left_out(why: bool, does: str) -> None:
    (finding,) = check(POINT, why=why, filename="r.urdf")
    assert finding.codes == ("SDI103", "SDI202")
    assert finding.remedy == f"sdfinertia {does} --link r::l r.urdf"
    assert (finding.why is not None) == why


@pytest.mark.parametrize("form", ["json", "sarif", "github", "junit"])
def test_every_format_says_repair_where_the_text_does(command, project, form: str) -> None:
    (project / "r.urdf").write_bytes(POINT)
    output = command("check", "--format", form, "r.urdf").output.decode()
    assert output.count("sdfinertia repair --link r::l r.urdf") >= 1
    if form == "json":
        assert {each["fix"] for each in json.loads(output)["findings"]} == {"repair"}
    if form == "sarif":
        assert {each["properties"]["fix"] for each in json.loads(output)["runs"][0]["results"]} == {"repair"}


BLOCK = WrittenBlock(1.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 1.0))


def explained(cause: str, source: str, share: float) -> Why:
    explanation = Explanation(cause, "group", "sentence", None, 0.0, share, False, (), 0, source)
    return Why(BLOCK, (explanation,), None, "an obstacle")


@pytest.mark.parametrize(
    ("why", "expected"),
    [
        (explained("tensor-units", "digits", 0.9), "advice"),
        (explained("geometry-is-the-bogus-one", "elsewhere", 0.6), "correct the geometry, not the numbers"),
        (Why(BLOCK, (), None, ""), "sdfinertia repair --link m::l m.sdf"),
        (Why(BLOCK, (), None, "none is known"), "advice"),
    ],
)
def test_the_cause_changes_what_is_advised(why: Why, expected: str) -> None:
    study: Any = SimpleNamespace(
        link=SimpleNamespace(own_name="m::l", element=SimpleNamespace(document=SimpleNamespace(path="m.sdf")))
    )
    assert str(for_cause(study, "advice", why)) == expected


def test_one_command_does_for_all_links_of_a_file() -> None:
    from sdfinertia.report import FindingsReport
    from sdfinertia.report.text import findings_text

    links = "".join(
        link(inertial(1.0, (1.0, 1.0, 9.0)), solid(PART)).replace("name='l'", f"name='l{number}'")
        for number in range(9)
    )
    findings: list[Finding] = check(sdf(model(links)), Options(select=("SDI103",)), filename="m.sdf")
    [fix] = [line for line in findings_text(FindingsReport(findings)).splitlines() if line.startswith("  fix: ")]
    assert fix.count("--link") == 4
    assert fix.endswith("(-v names 5 more links)")
    assert "each of these" not in fix


MOMENTS = "<ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz>"
FAMILY = "<link name='{}'>{}<inertial><mass>1</mass><inertia>" + MOMENTS + "</inertia></inertial>{}</link>"


@pytest.mark.parametrize(
    ("count", "comment", "readme", "why"),
    [
        (5, "", "", "5 links have it"),
        (1, "<!-- raised for a stable simulation -->", "", "a comment says so"),
        (1, "", "The inertias were increased so that it is stable.", "the README says so"),
        (4, "<!-- the arm -->", "A robot.", ""),
    ],
)
def test_a_placeholder_that_may_be_meant_is_not_advised_to_be_replaced(
    count: int, comment: str, readme: str, why: str, tmp_path: Path
) -> None:
    (tmp_path / "README.md").write_text(readme)
    links = "".join(FAMILY.format(f"l{k}", comment, solid(PART)) for k in range(count))
    content = f"<sdf version='1.9'><model name='m'>{links}</model></sdf>".encode()
    found = check(content, Options(select=("SDI209",)), filename=str(tmp_path / "m.sdf"))
    assert len(found) == count
    assert all(("perhaps meant: " + why in each.message) is bool(why) for each in found)
    advice = "look whether that is meant" if why else "sdfinertia fill --all"
    assert all(each.remedy.startswith(advice) for each in found)


def test_geoms_that_are_drawn_and_touch_are_not_weighed_twice() -> None:
    block = '<inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>'
    geoms = '<geom type="box" size=".05 .05 .05"/><geom type="box" size=".05 .05 .05" contype="0" conaffinity="0"/>'
    model = f"<mujoco><worldbody><body name='b'><joint/>{block}{geoms}</body></worldbody></mujoco>".encode()
    assert all("visual geoms" in each.remedy for each in check(model, filename="m.xml"))
