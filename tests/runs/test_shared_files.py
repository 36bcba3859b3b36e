"""Blocks that several documents of a run share are written where the documents agree, and else refused with both."""

from pathlib import Path

import pytest
from builders.xacros import HEAD, robot

import sdfinertia
from sdfinertia.options import Options
from sdfinertia.runs import sharing
from sdfinertia.runs.source_files import file_task

pytestmark = pytest.mark.usefixtures("quick_xacro")

PART = (
    '<mujocoinclude><worldbody>\n<body name="arm">\n<!-- sdfinertia: auto -->\n'
    '<geom type="box" size="0.5 1 1.5"/><freejoint/></body></worldbody></mujocoinclude>\n'
)
MODEL = '<mujoco model="{}"><default><geom density="{}"/></default><include file="part.xml"/></mujoco>'
MACRO = (
    '<xacro:macro name="m" params="v">\n<link name="l">\n<!-- sdfinertia: auto density=2700 -->\n'
    '<collision><geometry><box size="${v} 0.1 0.1"/></geometry></collision></link></xacro:macro></robot>'
)


def mjcf(densities: dict[str, float]) -> Path:
    Path("part.xml").write_text(PART)
    for name, density in densities.items():
        Path(f"{name}.xml").write_text(MODEL.format(name, density))
    return Path("part.xml")


def xacro(sizes: dict[str, float]) -> Path:
    pytest.importorskip("xacro")
    Path("part.xacro").write_text(HEAD.replace(' name="r"', "") + MACRO)
    for name, size in sizes.items():
        robot(f'<xacro:include filename="part.xacro"/><xacro:m v="{size}"/>', f"{name}.urdf.xacro")
    return Path("part.xacro")


@pytest.mark.parametrize(("build", "suffix", "masses"), [(mjcf, "xml", (12, 24)), (xacro, "urdf.xacro", (54, 108))])
@pytest.mark.parametrize("arguments", [("fill",), ("fill", "--jobs", "2")])
def test_documents_that_differ_are_refused_with_both_numbers(command, project, build, suffix, masses, arguments):
    part = build({"a": 2, "b": 4})
    before = part.read_text()
    for paths in ((f"b.{suffix}", f"a.{suffix}"), (".",)):
        outcome = command(*arguments, *paths)
        assert outcome.status == 2
        assert outcome.messages.count(f"a.{suffix} gives this block {masses[0]} kg, and ") == 1
        assert outcome.messages.count(f"b.{suffix} gives this block {masses[1]} kg, and ") == 1
        assert part.read_text() == before


@pytest.mark.parametrize(("build", "suffix"), [(mjcf, "xml"), (xacro, "urdf.xacro")])
def test_a_block_that_was_filled_for_one_document_is_not_filled_again_for_another(command, project, build, suffix):
    pair = f"a.{suffix}", f"b.{suffix}"
    part = build({"a": 2})
    assert command("fill", pair[0]).status == 0
    before = part.read_text()
    build({"b": 4})
    part.write_text(before)
    for _ in range(2):
        outcome = command("fill", *pair)
        assert outcome.status == 2
        assert f"b.{suffix} gives this block " in outcome.messages
        assert f"a.{suffix} gives this block " not in outcome.messages
        assert part.read_text() == before


def test_check_says_so_and_its_fix_leaves_it(command, project: Path) -> None:
    part = mjcf({"a": 2, "b": 4})
    outcome = command("check", "--fix", "a.xml", "b.xml")
    assert outcome.status == 2
    assert "a.xml gives this block 12 kg, and b.xml 24 kg: one block cannot hold both" in outcome.messages
    assert part.read_text() == PART
    command("fill", "a.xml")
    before = part.read_text()
    for arguments in (("check",), ("check", "--fix")):
        outcome = command(*arguments, "a.xml", "b.xml")
        assert outcome.status == 1
        assert b"SDI002 b::arm: stale" in outcome.output
        assert (
            b"it is as filled for a.xml, and one block cannot hold both"
            in command(*arguments, "-v", "a.xml", "b.xml").output
        )
        assert b"fix: give each its own copy" in outcome.output
        assert "1 needs you" in outcome.messages
        assert part.read_text() == before


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(("build", "suffix"), [(mjcf, "xml"), (xacro, "urdf.xacro")])
def test_documents_that_agree_write_a_block_once(command, project, build, suffix, jobs):
    part = build({"a": 2, "b": 2, "c": 2})
    outcome = command("fill", "--jobs", jobs, ".")
    assert outcome.status == 0
    assert "1 link filled in 1 file, 2 files unchanged." in outcome.messages
    assert part.read_text().count("<inertial") == 1
    assert command("fill", "--check", ".").status == 0


@pytest.mark.parametrize("write", ["caller", "worker", None])
def test_many_files_in_python(project: Path, write) -> None:
    part = mjcf({"a": 2, "b": 4})
    results = [each.result for each in sdfinertia.fill_many(iter(["a.xml", "b.xml"]), write=write)]
    assert [len(each.errors) if each is not None else None for each in results] == [1, 1]
    assert part.read_text() == PART


def test_documents_that_share_nothing_are_filled_side_by_side(project: Path) -> None:
    mjcf({"a": 2})
    Path("b.xml").write_text('<mujoco model="b"><worldbody/></mujoco>')
    assert sharing([file_task(path, Options()) for path in ("a.xml", "b.xml")]) == []
    mjcf({"c": 2})
    found = sharing([file_task(path, Options()) for path in ("a.xml", "b.xml", "./c.xml")])
    assert [task.path for task in found] == ["a.xml", "./c.xml"]
