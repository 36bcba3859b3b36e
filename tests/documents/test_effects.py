"""What matters first: the effect of a finding, what is minor, and one finding for one block."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sdfinertia import Options
from sdfinertia.documents.checking import check
from sdfinertia.rules import rank_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from builders.commands import Run

# Of a cube of 0.2 m and 1 kg.
CUBE = 1.0 * (0.2**2 + 0.2**2) / 12.0


def link(
    name: str, mass: float, moment: float, *, side: float = 0.2, at: str = "0 0 0", last: float | None = None
) -> str:
    origin = f'<origin xyz="{at}"/>'
    moments = f'ixx="{moment!r}" iyy="{moment!r}" izz="{moment if last is None else last!r}" ixy="0" ixz="0" iyz="0"'
    return (
        f'<link name="{name}"><inertial>{origin}<mass value="{mass!r}"/><inertia {moments}/></inertial>'
        f'<collision>{origin}<geometry><box size="{side} {side} {side}"/></geometry></collision></link>\n'
    )


def joint(parent: str, child: str, kind: str = "revolute", at: str = "0 0 0") -> str:
    return (
        f'<joint name="{child}" type="{kind}"><origin xyz="{at}"/><parent link="{parent}"/><child link="{child}"/>'
        '<axis xyz="0 0 1"/></joint>\n'
    )


def robot(*parts: str) -> bytes:
    return f'<robot name="r">{"".join(parts)}</robot>'.encode()


BASE = link("base", 9.0, 9.0 * CUBE)
WRONG = (BASE, link("arm", 1.0, 10.0 * CUBE))


def test_an_effect_is_the_share_of_the_mass_and_the_change_about_the_joint() -> None:
    (found,) = check(robot(*WRONG, joint("base", "arm")), filename="r.urdf")
    assert found.effect.share == pytest.approx(0.1)
    assert found.effect.change == pytest.approx(0.9)
    assert rank_of(found) == pytest.approx(30.0)
    # 1 kg at 1 m: that about the axis is 1 kg·m² and its own.
    hand = link("hand", 1.0, CUBE)
    (found,) = check(robot(*WRONG, hand, joint("base", "arm"), joint("arm", "hand", at="1 0 0")), filename="r.urdf")
    assert found.effect.change == pytest.approx(9.0 * CUBE / (1.0 + 11.0 * CUBE))


def test_a_light_link_on_a_fixed_joint_is_minor() -> None:
    sensor = link("sensor", 0.01, 1e-4, side=0.02)
    parts = (BASE, link("arm", 1.0, CUBE), sensor)
    data = robot(*parts, joint("base", "arm"), joint("base", "sensor", "fixed"))
    (found,) = check(data, filename="r.urdf")
    assert found.link == "r::sensor"
    assert found.is_minor
    (found,) = check(data, Options(strict=True), filename="r.urdf")
    assert not found.is_minor
    assert not any(each.is_minor for each in check(data, Options(select=(found.code,)), filename="r.urdf"))


def test_a_light_link_that_a_joint_turns_or_whose_tensor_is_impossible_is_not_minor() -> None:
    finger = link("finger", 0.01, 0.01, side=0.02)
    (found,) = check(robot(BASE, finger, joint("base", "finger")), filename="r.urdf")
    assert found.effect.share is not None
    assert found.effect.share < 0.005
    assert not found.is_minor
    sensor = link("sensor", 1e-4, 1e-9, side=0.02, last=1e-7)
    (found,) = check(robot(BASE, sensor, joint("base", "sensor", "fixed")), filename="r.urdf")
    assert (found.code, found.is_minor) == ("SDI103", False)


def test_what_matters_most_comes_first() -> None:
    parts = (BASE, link("finger", 0.1, 1.0 * CUBE), link("arm", 5.0, 100.0 * CUBE))
    found = check(robot(*parts, joint("base", "finger"), joint("base", "arm")), filename="r.urdf")
    assert [each.link for each in found] == ["r::arm", "r::finger"]


def test_links_on_a_cycle_of_joints_are_judged_too() -> None:
    parts = (*WRONG, joint("base", "arm", "fixed"), joint("arm", "base", "fixed"))
    assert [each.effect is not None for each in check(robot(*parts), filename="r.urdf") if each.link] == [True]


# One block, one finding -----------------------------------------------------------------------------------------------


def test_of_several_rules_that_the_same_numbers_break_the_most_telling_names_the_others() -> None:
    data = robot(link("arm", 1.0, 0.1, last=10.0))
    (found,) = check(data, filename="r.urdf")
    assert found.codes == ("SDI103", "SDI202")
    assert found.also == ("SDI202",)
    asked = check(data, Options(select=("SDI103", "SDI202")), filename="r.urdf")
    assert sorted(each.code for each in asked) == ["SDI103", "SDI202"]


@pytest.fixture
def variants(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    monkeypatch.chdir(tmp_path)

    def make(number: int) -> None:
        for index in range(number):
            extra = link(f"tool{index}", 1.0 + index, (1.0 + index) * CUBE)
            data = robot(*WRONG, extra, joint("base", "arm"), joint("arm", f"tool{index}"))
            Path(f"{index}.urdf").write_bytes(data)

    return make


def test_a_block_that_several_files_have_is_one_finding(command: Run, variants: Callable[[int], None]) -> None:
    variants(3)
    run = command("check", ".")
    assert run.status == 1
    assert run.output.count(b" SDI") == 1
    assert b" and 2 more links in 3 files: " in run.output
    assert "1 finding in 3 files (3 files checked)" in run.messages
    told = command("check", "-v", ".").output
    assert told.count(b"  also ./") == 2
    document = json.loads(command("check", "--format", "json", ".").output)
    assert document["counts"]["findings"] == 1
    assert len(document["findings"][0]["also_in"]) == 2
    assert command("check", "--jobs", "2", ".") == run


def test_a_known_block_is_known_in_each_file(command: Run, variants: Callable[[int], None]) -> None:
    variants(2)
    command("check", "--write-baseline", "known.json", ".")
    assert command("check", "--baseline", "known.json", ".").status == 0
    variants(3)
    run = command("check", "--baseline", "known.json", ".")
    assert run.status == 1
    assert "1 finding in 1 file" in run.messages


def test_minor_findings_are_counted_and_fail_no_run(command: Run, tmp_path: Path) -> None:
    path = tmp_path / "r.urdf"
    sensor = link("sensor", 0.01, 1e-4, side=0.02)
    path.write_bytes(robot(BASE, sensor, joint("base", "sensor", "fixed")))
    run = command("check", str(path))
    assert run.status == 0
    assert "1 minor finding on 1 link: -v lists them" in run.messages
    assert not run.output
    assert b"SDI" in command("check", "-v", str(path)).output
    assert command("check", "--strict", str(path)).status == 1
    document = json.loads(command("check", "--format", "json", str(path)).output)
    assert document["counts"]["minor"] == 1
    assert document["findings"][0]["minor"] is True


# A file without inertials ---------------------------------------------------------------------------------------------


def test_a_file_in_which_no_link_has_an_inertial_is_one_finding_at_its_root(command: Run, tmp_path: Path) -> None:
    path = tmp_path / "r.urdf"
    bare = '<link name="{}"><collision><geometry><box size="1 1 1"/></geometry></collision></link>'
    path.write_bytes(robot(bare.format("a"), bare.format("b"), joint("a", "b")))
    (found,) = check(path)
    assert (found.code, found.link, found.location.line, found.effect) == ("SDI104", "", 1, None)
    assert "2 of 2 need one" in found.message
    command("fill", "--missing", str(path))
    assert path.read_bytes().count(b"<inertial>") == 2
    assert not check(path)


# Pages ----------------------------------------------------------------------------------------------------------------


def test_a_page_begins_with_the_worst_robot_and_ends_with_an_empty_one(command: Run, project: Path) -> None:
    for name, parts in (("a", ()), ("b", (BASE,)), ("c", (*WRONG, joint("base", "arm")))):
        data = robot(*parts).replace(b'name="r"', f'name="{name}"'.encode())
        (project / f"{name}.urdf").write_bytes(data)
    command("check", ".", "--report", "found.html")
    page = (project / "found.html").read_text()
    assert re.findall(r'<option value="[0-9]">([abc])</option>', page) == ["c", "b", "a"]
    assert "10 % of the mass, inertia 90 % off" in page
