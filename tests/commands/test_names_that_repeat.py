"""Links that share a scoped name, in two worlds, models or files: each keeps what is its own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from builders.documents import AUTO, collision, inertial, link, model, sdf

import sdfinertia
from sdfinertia.editing.changes import Compute, SetMass
from sdfinertia.editing.draft import open_draft

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run

NO_PRODUCTS = (0, 0, 0)
GOOD, TWICE = inertial(12, (13, 10, 5, *NO_PRODUCTS)), inertial(24, (26, 20, 10, *NO_PRODUCTS))
BAD, BAD_TWICE = inertial(12, (1, 1, 30, *NO_PRODUCTS)), inertial(24, (1, 1, 70, *NO_PRODUCTS))
# 10 epsilons of rounding are missing: `--fix` moves the last digit.
ROUNDED = inertial(12, (1.0, 1.0, 2.0000000001, *NO_PRODUCTS))


def world(name: str, *inside: str) -> str:
    return f"<world name='{name}'>" + "".join(inside) + "</world>"


def part(*inside: str, name: str = "l") -> str:
    return model(link(*inside, collision(), name=name))


def two_worlds(one: str, other: str) -> bytes:
    return sdf(world("a", part(one)), world("b", part(other)))


def on_one_line(one: str, other: str) -> bytes:
    return two_worlds(one, other).replace(b"\n", b"")


def two_models(one: str, other: str) -> bytes:
    return sdf(part(one), part(other))


def two_in_a_world(one: str, other: str) -> bytes:
    return sdf(world("a", part(one), part(other)))


def two_nested(one: str, other: str) -> bytes:
    return sdf(model(part(one), part(other), name="outer"))


Layout = Callable[[str, str], bytes]
APART = pytest.mark.parametrize("layout", [two_worlds, on_one_line])
SIDE_BY_SIDE = pytest.mark.parametrize(
    ("layout", "told"),
    [
        (two_models, "2 models of the file are named 'm'"),
        (two_in_a_world, "2 models of world 'a' are named 'm'"),
        (two_nested, "2 models of model 'outer' are named 'm'"),
    ],
)


def numbers(path: Path) -> list[tuple[float, ...]]:
    """Mass and moments of each link, in the order of the file."""
    text = path.read_text()
    found = (re.findall(f"<{name}>([^<]*)</{name}>", text) for name in ("mass", "ixx", "iyy", "izz"))
    return [tuple(map(float, each)) for each in zip(*found, strict=True)]


def written(project: Path, content: bytes, name: str = "m.sdf") -> Path:
    path = project / name
    path.write_bytes(content)
    return path


# Worlds, which are scopes of their own --------------------------------------------------------------------------------


@APART
@pytest.mark.parametrize(
    ("by", "first", "moments"),
    [
        ("nearest", BAD, [(10.3333, 10.3333, 20.6666), (23.6666, 23.6666, 47.3332)]),
        ("geometry", BAD, [(13, 10, 5), (26, 20, 10)]),
        ("geometry", GOOD, [(13, 10, 5), (26, 20, 10)]),
    ],
)
def test_repair_gives_each_link_its_own_numbers(project, command, layout, by, first, moments):
    path = written(project, layout(first, BAD_TWICE))
    assert command("repair", "--by", by, "m.sdf").status == 0
    assert [row[0] for row in numbers(path)] == [12, 24]
    assert [row[1:] for row in numbers(path)] == [pytest.approx(each, abs=2e-4) for each in moments]
    assert path.read_text().count("sdfinertia:") == (1 if first is GOOD else 2)


@APART
def test_fixing_fills_one_link_and_nudges_its_namesake(project: Path, command: Run, layout: Layout) -> None:
    path = written(project, layout(AUTO, ROUNDED))
    assert command("check", "--fix", "--ignore", "SDI204", "m.sdf").status == 0
    filled, nudged = numbers(path)
    assert filled == (6000, 6500, 5000, 2500)
    assert nudged[1] + nudged[2] >= nudged[3]


@APART
def test_a_baseline_hides_no_finding_of_a_namesake(project: Path, command: Run, layout: Layout) -> None:
    path = written(project, layout(GOOD, BAD_TWICE))
    command("check", "m.sdf", "--write-baseline", "known.json")
    (entry,) = json.loads((project / "known.json").read_text())["findings"]
    assert entry == {"path": "m.sdf", "link": "m::l", "code": "SDI103", "number": 2}
    known = ("check", "m.sdf", "--baseline", "known.json")
    assert command(*known).status == 0
    path.write_bytes(layout(BAD, BAD_TWICE).replace(b"<world", b"\n\n<!-- moved -->\n<world"))
    (finding,) = json.loads(command(*known, "--format", "json").output)["findings"]
    assert finding["message"].startswith("physically impossible: moments 1 + 1 < 30 ")
    path.write_bytes(layout(GOOD, TWICE))
    assert "fixed since the baseline: m.sdf m::l#2 SDI103" in command(*known, "-v").messages


@APART
def test_the_command_that_is_advised_touches_its_link_alone(project: Path, command: Run, layout: Layout) -> None:
    # As dense as stone, so that the tensor is the mistake and not the mass.
    path = written(project, layout(inertial(24e3, (25e3, 20e3, 10e3)), inertial(12e3, (1e3, 1e3, 30e3))))
    (finding,) = json.loads(command("check", "--format", "json", "m.sdf").output)["findings"]
    assert "fill --all --link 'm::l#2' m.sdf" in finding["remedy"]
    assert command("fill", "--all", "--link", "m::l#2", "m.sdf").status == 0
    assert numbers(path) == [(24e3, 25e3, 20e3, 10e3), (12e3, 13e3, 10e3, 5e3)]


@APART
def test_a_draft_changes_the_namesake_that_is_meant(layout: Layout) -> None:
    draft = open_draft(layout(GOOD, TWICE)).changed(SetMass("m::l#2", 48.0)).changed(SetMass("m::l", 6.0))
    found = sdfinertia.inertials(draft.content)
    assert [(body.mass, round(body.I_BBcm_B.ixx, 9)) for body in found.values()] == [(6.0, 6.5), (48.0, 52.0)]
    computed = draft.changed(SetMass("m::l#2", 1.0, is_linked=False)).changed(Compute("m::l#2"))
    assert sdfinertia.inertials(computed.content)["m::l#2"].I_BBcm_B.ixx == pytest.approx(13 / 12)
    broken = open_draft(layout(BAD, GOOD))
    assert [finding.code for finding in broken.findings("m::l")] == ["SDI103"]
    assert broken.findings("m::l#2") == []


# Models side by side, which readers refuse ----------------------------------------------------------------------------


@SIDE_BY_SIDE
@pytest.mark.parametrize("pair", [(AUTO, AUTO), (AUTO, GOOD), (BAD, BAD_TWICE), (GOOD, TWICE)])
@pytest.mark.parametrize("doing", [["fill"], ["fill", "--all"], ["repair"], ["repair", "--by", "geometry"]])
def test_models_of_one_name_are_refused_in_one_line(project, command, layout, told, pair, doing):
    path = written(project, layout(*pair))
    outcome = command(*doing, "m.sdf")
    assert outcome.status == 2
    assert path.read_bytes() == layout(*pair)
    assert outcome.messages.count(told) == 1
    assert "unchanged" not in outcome.messages


# Patterns -------------------------------------------------------------------------------------------------------------

COMMANDS = pytest.mark.parametrize(
    "doing",
    [["fill", "--check"], ["check"], ["repair", "--check"], ["show"], ["scale", "--mass", "3"]],
    ids=lambda doing: doing[0],
)


@COMMANDS
@pytest.mark.parametrize("pattern", ["whel"])
def test_patterns_that_match_nothing_are_refused_with_the_nearest_names(project, command, doing, pattern):
    written(project, sdf(model(link(GOOD, name="base"), link(GOOD, name="wheel"))))
    outcome = command(*doing, "--link", pattern, "m.sdf")
    assert outcome.status == 2
    assert f"no link matches --link {pattern}; there are m::wheel, m::base" in outcome.messages


@COMMANDS
@pytest.mark.parametrize("pattern", ["wheel", "wheel#1"])
def test_a_pattern_without_colons_matches_the_last_part(project, command, doing, pattern):
    written(project, sdf(model(link(GOOD, collision(), name="base"), link(GOOD, collision(), name="wheel"))))
    outcome = command(*doing, "--link", pattern, "m.sdf")
    assert outcome.status == 0
    assert b"base" not in outcome.output
    assert "base" not in outcome.messages
