"""What is remembered of earlier runs: the same bytes as without, and nothing that changed is overlooked."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders.commands import Run
from builders.documents import BOX, BOX_FILE
from builders.meshes import OBJ_BOX, OBJ_OPEN
from builders.thoroughness import trials

import sdfinertia
from sdfinertia.commands import file_run
from sdfinertia.files import observations
from sdfinertia.files.cache_file import NAME, default_directory
from sdfinertia.links.context import SharedContext
from sdfinertia.options import Options
from sdfinertia.runs import memory
from sdfinertia.runs.work import Check, file_task

BLOCK = "<mass>6</mass><inertia><ixx>6.5</ixx><iyy>5</iyy><izz>2.5</izz></inertia>"
MESH = "<geometry><mesh><uri>{}</uri></mesh></geometry>"
SDF = """<sdf version="1.9"><model name="{name}"><link name="l"><inertial><pose>0.5 1 1.5 0 0 0</pose>{block}</inertial>
<collision name="c">{mesh}</collision></link></model></sdf>"""
INCLUDING = """<sdf version="1.9"><model name="{name}"><include><uri>{uri}</uri></include>
<link name="l"><pose relative_to="{frame}"/><inertial>
<mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial></link></model></sdf>"""
URDF = """<robot name="{name}"><link name="l"><inertial><origin xyz="0.5 1 1.5"/><mass value="6"/>
<inertia ixx="6.5" iyy="5" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><mesh filename="{uri}"/></geometry></collision>
</link></robot>"""
XACRO = """<robot name="x" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="part.xacro"/>
<xacro:part mass="$(optenv PART_MASS 6)"/></robot>"""
PART = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:macro name="part" params="mass"><link name="l"><inertial>
<origin xyz="0.5 1 1.5"/><mass value="${mass}"/>
<inertia ixx="6.5" iyy="5" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><origin xyz="0.5 1 1.5"/><geometry><box size="1 2 3"/></geometry></collision></link>
</xacro:macro></robot>"""
ARM = """<robot name="{name}"><link name="base"><inertial><mass value="6"/>
<inertia ixx="{scale}" iyy="5" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="1 2 3"/></geometry></collision></link>
<link name="arm"><inertial><mass value="6"/><inertia ixx="6.5" iyy="5" izz="2.5" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="1 2 3"/></geometry></collision></link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/></joint></robot>"""
MJCF = """<mujoco model="{name}"><compiler settotalmass="3"/><include file="part.xml"/>
<worldbody><body name="b"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><geom type="mesh" mesh="box"/></body>
<body name="c" pos="0 0 9"><geom type="mesh" mesh="box"/></body></worldbody></mujoco>"""
ASSET = '<mujoco><asset><mesh name="box" file="box.obj"/></asset></mujoco>'
CONFIG = '<model><name>{}</name><sdf version="1.9">model.sdf</sdf></model>'
PACKAGE = "<package><name>{}</name></package>"
DEEP = OBJ_BOX.replace("3\n", "7\n")

TREE = {
    "plain/model.sdf": SDF.format(name="plain", block=BLOCK, mesh=MESH.format("box.obj")),
    "plain/box.obj": OBJ_BOX,
    "worlds/a.sdf": INCLUDING.format(name="a", uri="model://part", frame="part::l"),
    "worlds/b.sdf": INCLUDING.format(name="b", uri="model://part", frame="part::l"),
    "parts/part_v1/model.config": CONFIG.format("part"),
    "parts/part_v1/model.sdf": SDF.format(name="part", block=BLOCK, mesh=MESH.format("model://stock/box.obj")),
    "parts/stock/model.config": CONFIG.format("stock"),
    "parts/stock/model.sdf": SDF.format(name="stock", block=BLOCK, mesh=MESH.format("box.obj")),
    "parts/stock/box.obj": OBJ_BOX,
    "ros/arm_description/package.xml": PACKAGE.format("arm"),
    "ros/arm_description/arm.urdf": URDF.format(name="arm", uri="package://arm/meshes/box.obj"),
    "ros/arm_description/meshes/box.obj": OBJ_BOX,
    "ros/lost.urdf": URDF.format(name="lost", uri="package://arm/meshes/Lost.obj"),
    "ros/open.urdf": URDF.format(name="open", uri="open.obj"),
    "ros/open.obj": OBJ_OPEN,
    "bad/empty.sdf": "",
    "bad/unfilled.sdf": '<sdf version="1.9"><model name="u"><link name="l"/></model></sdf>',
    "m/robot.xml": MJCF.format(name="m"),
    "m/part.xml": ASSET,
    "m/box.obj": OBJ_BOX,
    "v/one/robot.urdf": ARM.format(name="one", scale=1e3),
    "v/two/robot.urdf": ARM.format(name="two", scale=1),
    ".gitignore": "ignored/\n",
}
# Each run that expands them starts a process for it.
XACROS = {"x/robot.urdf.xacro": XACRO, "x/part.xacro": PART, "x/mixed.urdf": XACRO.replace('name="x"', 'name="mixed"')}


@pytest.fixture
def tree(project: Path, quick_xacro: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Robots of all kinds but xacro, which a run remembers however few they are."""
    monkeypatch.setattr(file_run, "_WORTH_MEMORY", -1.0)
    put_all(TREE)(project)
    return project


@pytest.fixture
def xacro_tree(tree: Path) -> Path:
    put_all(XACROS)(tree)
    return tree


def put_all(files: dict[str, str]) -> Callable[[Path], None]:
    def change(tree: Path) -> None:
        for name, text in files.items():
            write(tree / name, text)

    return change


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def settle(directory: Path) -> None:
    """As though the files were there for long."""
    for path in [directory, *directory.rglob("*")]:
        os.utime(path, (1e9, 1e9), follow_symlinks=False)


CHECK = ("check", ".", "--jobs", "1")


def same(command: Run, *arguments: str) -> Any:
    """The outcome of a run, which is that of a run without the cache."""
    outcome = command(*arguments)
    without = command(*arguments, "--no-cache")
    assert outcome == without
    return outcome


def unchanged(command: Run, *arguments: str) -> tuple[int, int]:
    """How many files a run remembers, of how many."""
    messages = command(*(arguments or CHECK), "-v").messages
    (line,) = [line for line in messages.splitlines() if "unchanged since" in line]
    words = line.split()
    return int(words[0]), int(words[2])


@pytest.mark.parametrize(
    ("words", "jobs"),
    [
        *(((), jobs) for jobs in ("1", "2")),
        *((words, "1") for words in (("--format", "json"), ("--select", "SDI2"), ("-q",))),
    ],
)
def test_a_second_run_prints_the_same_bytes(command: Run, tree: Path, words: tuple[str, ...], jobs: str) -> None:
    if words == ("--format", "json"):
        put_all(XACROS)(tree)
    arguments = ("check", ".", "--jobs", jobs, *words)
    first = same(command, *arguments)
    assert command(*arguments) == first
    assert first.status == 2


def test_all_is_remembered(command: Run, xacro_tree: Path) -> None:
    assert unchanged(command) == (0, 15)
    assert unchanged(command) == (15, 15)


@pytest.mark.parametrize("command_name", ["fill", "repair"])
def test_what_has_nothing_to_be_done_is_not_done_again(command: Run, xacro_tree: Path, command_name: str) -> None:
    tree = xacro_tree
    shutil.rmtree(tree / "bad")
    arguments = (command_name, ".", "--keep-going", "--jobs", "1")
    command(*arguments)
    for path in tree.rglob("open*"):
        path.unlink()
    first = same(command, *arguments)
    assert command(*arguments) == first
    command(*arguments, "-v")
    number, of = unchanged(command, *arguments)
    # What is lost is refused again, xacro is filled for the robots that share it, and causes are looked for everywhere.
    assert number >= (of - 3 if command_name == "fill" else of / 2)


def test_what_was_filled_is_not_taken_for_what_it_was(command: Run, tree: Path) -> None:
    write(tree / "bad/unfilled.sdf", SDF.format(name="u", block="", mesh=BOX))
    before = command(*CHECK)
    command("fill", "bad", "--all", "--jobs", "1")
    assert b"SDI" in before.output
    assert same(command, *CHECK).output != before.output


def test_fixes_are_made_from_what_is_remembered(command: Run, tree: Path) -> None:
    write(tree / "bad/unfilled.sdf", BOX_FILE)
    command(*CHECK)
    outcome = command(*CHECK, "--fix")
    assert "fixed 1 finding in 1 file" in outcome.messages
    assert b"SDI001" not in same(command, *CHECK).output


def edit(name: str, old: str, new: str) -> Callable[[Path], None]:
    def change(tree: Path) -> None:
        text = (tree / name).read_text()
        assert old in text
        (tree / name).write_text(text.replace(old, new))

    return change


def put(name: str, text: str) -> Callable[[Path], None]:
    return lambda tree: write(tree / name, text)


def in_silence(name: str, old: str, new: str) -> Callable[[Path], None]:
    """A change after which size and time are what they were."""

    def change(tree: Path) -> None:
        state = (tree / name).stat()
        edit(name, old, new)(tree)
        os.utime(tree / name, ns=(state.st_atime_ns, state.st_mtime_ns))
        assert (tree / name).stat().st_size == state.st_size

    return change


CHANGES = {
    "a file": edit("plain/model.sdf", "<mass>6<", "<mass>0<"),
    "a file of the same size and time": in_silence("plain/model.sdf", "<mass>6<", "<mass>0<"),
    "a mesh": put("plain/box.obj", DEEP),
    "a mesh that is gone": lambda tree: (tree / "plain/box.obj").unlink(),
    "a mesh of an included file": put("parts/stock/box.obj", DEEP),
    "an included file": edit("parts/part_v1/model.sdf", 'link name="l"', 'link name="k"'),
    "an included file that is gone": lambda tree: (tree / "parts/part_v1/model.sdf").unlink(),
    "the name in a model.config": edit("parts/part_v1/model.config", "<name>part<", "<name>other<"),
    "another model of that name": lambda tree: shutil.copytree(tree / "parts/stock", tree / "worlds/part"),
    "a directory that is found first": put("worlds/part/model.config", CONFIG.format("part")),
    "a package": edit("ros/arm_description/package.xml", "arm", "leg"),
    "another package": put("ros/a/package.xml", PACKAGE.format("arm")),
    "what was missing": put("ros/arm_description/meshes/Lost.obj", OBJ_BOX),
    "what was missing by its case": put("ros/arm_description/meshes/lost.obj", OBJ_BOX),
    "a configuration": put("sdfinertia.toml", 'ignore = ["SDI204"]\n'),
    "a configuration nearer by": put("plain/sdfinertia.toml", "tolerance = 0.9\n"),
    "a table in pyproject.toml": put("pyproject.toml", '[tool.sdfinertia]\nselect = ["SDI1"]\n'),
    "what git ignores": put(".gitignore", "part_v1/\n"),
    "what git ignores of meshes": put("parts/.gitignore", "*\n"),
    "a new file": put("plain/new.urdf", URDF.format(name="n", uri="none.obj")),
    "a file that is gone": lambda tree: (tree / "ros/open.urdf").unlink(),
    "a directory in the place of a mesh": lambda tree: ((path := tree / "plain/box.obj").unlink(), path.mkdir()),
    "a link in the place of a directory": lambda tree: (
        shutil.rmtree(tree / "parts/stock"),
        (tree / "parts/stock").symlink_to(tree / "plain"),
    ),
    "another version of a robot": edit("v/two/robot.urdf", 'ixx="1"', 'ixx="6.5"'),
    "another version that is new": put("v/three/robot.urdf", ARM.format(name="three", scale=6.5)),
    "another version that is gone": lambda tree: (tree / "v/two/robot.urdf").unlink(),
    "a part of xacro": (put_all(XACROS), edit("x/part.xacro", 'ixx="6.5"', 'ixx="0.1"')),
    "an included part of MJCF": edit("m/part.xml", 'file="box.obj"', 'file="box.obj" scale="1 2 3"'),
    "an included part that is gone": lambda tree: (tree / "m/part.xml").unlink(),
    "a mesh of MJCF": put("m/box.obj", DEEP),
    "notes beside a robot": put("plain/notes.yaml", "mass: 60 # guessed, in pounds\n"),
    "the repository": lambda tree: shutil.rmtree(tree / ".git"),
}


@pytest.mark.parametrize(
    "is_settled", [True, pytest.param(False, marks=pytest.mark.slow)], ids=["old files", "new files"]
)
@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_a_change_is_seen(command: Run, tree: Path, change: Any, is_settled: bool) -> None:
    prepare, change = change if isinstance(change, tuple) else (None, change)
    if prepare is not None:
        prepare(tree)
    if is_settled:
        settle(tree)
    before = command(*CHECK)
    remembered, of = unchanged(command)
    assert remembered == of >= 10
    change(tree)
    after = same(command, *CHECK)
    assert command(*CHECK) == after
    if change is CHANGES["a file"]:
        assert after != before


def test_variables_of_the_environment_count(command: Run, xacro_tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = command(*CHECK)
    write(xacro_tree.parent / "elsewhere/part/model.config", CONFIG.format("part"))
    for variable, text in (("GZ_SIM_RESOURCE_PATH", str(xacro_tree.parent / "elsewhere")), ("PART_MASS", "100")):
        monkeypatch.setenv(variable, text)
        second = same(command, *CHECK)
        assert second != first or variable != "PART_MASS"
        first = second


@pytest.mark.parametrize(
    "option", [("--tolerance", "0.9"), ("--ignore", "SDI4"), ("--resource-path", "plain"), None], ids=str
)
def test_options_and_the_program_count(command, tree, monkeypatch, option):
    command(*CHECK)
    if option is None:
        monkeypatch.setattr(memory, "__version__", "99.0")
    assert unchanged(command, *CHECK, *(option or ()))[0] == 0
    same(command, *CHECK, *(option or ()))


def test_the_program_of_a_checkout_is_the_state_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "checkout/sdfinertia"
    shutil.copytree(Path(sdfinertia.__file__).parent / "runs", package / "runs")
    monkeypatch.setattr(memory, "__file__", str(package / "runs/memory.py"))
    first = memory.program_state()
    assert memory.program_state() == first
    with (package / "runs/work.py").open("a") as file:
        file.write("\n")
    second = memory.program_state()
    assert second != first
    # What is installed does not change by itself, and is installed anew at each run of CI.
    (tmp_path / "checkout/sdfinertia-1.0.dist-info").mkdir()
    first = memory.program_state()
    with (package / "runs/work.py").open("a") as file:
        file.write("\n")
    assert memory.program_state() == first


@pytest.mark.parametrize("words", [("--no-cache",), ("--confine", ".")])
def test_a_run_without_a_cache_remembers_nothing(command: Run, tree: Path, words: tuple[str, ...]) -> None:
    command(*CHECK, *words)
    command(*CHECK, *words)
    assert not os.path.exists(default_directory())


def test_a_named_cache_takes_it(command: Run, tree: Path) -> None:
    arguments = (*CHECK, "--cache", "../kept")
    assert unchanged(command, *arguments)[0] == 0
    assert unchanged(command, *arguments) == (13, 13)
    assert not os.path.exists(default_directory())


def test_one_small_file_asks_no_memory(process: Run, project: Path) -> None:
    write(project / "m.sdf", TREE["bad/unfilled.sdf"])
    process("check", "m.sdf")
    assert not os.path.exists(default_directory())


def _mutations(tree: Path, rng: random.Random) -> Callable[[], object]:
    """A change of the tree at random."""
    files = sorted(path for path in tree.rglob("*") if path.is_file() and ".git/" not in str(path))
    directories = sorted({path.parent for path in files})
    path, directory = rng.choice(files), rng.choice(directories)
    other = rng.choice(files)
    text = path.read_text()
    digits = [place for place, character in enumerate(text) if character.isdigit()]
    place = rng.choice(digits) if digits else 0
    changes: list[Callable[[], object]] = [
        lambda: path.write_text(text[:place] + str(rng.randrange(10)) + text[place + 1 :]),
        lambda: path.write_text(text.replace("part", "trap").replace("arm", "leg")),
        path.unlink,
        lambda: path.write_text(other.read_text()),
        lambda: write(directory / path.name, text),
        lambda: write(directory / "part/model.config", CONFIG.format(rng.choice(("part", "stock")))),
        lambda: write(directory / "package.xml", PACKAGE.format(rng.choice(("arm", "stock")))),
        lambda: write(directory / "sdfinertia.toml", f'ignore = ["SDI{rng.randrange(1, 5)}"]\n'),
        lambda: write(directory / ".gitignore", f"{path.name}\n"),
        lambda: write(directory / "meshes/box.obj", DEEP),
        lambda: path.rename(directory / f"moved-{path.name}"),
        lambda: settle(tree),
    ]
    return rng.choice(changes)


@pytest.mark.parametrize("seed", range(trials(2, 60)))
def test_whatever_changes_at_random_is_seen(command: Run, tree: Path, seed: int) -> None:
    rng = random.Random(seed)
    if seed % 4 == 0:
        put_all(XACROS)(tree)
    settle(tree)
    command(*CHECK)
    for _ in range(12):
        for _ in range(rng.choice((1, 1, 2))):
            _mutations(tree, rng)()
        same(command, *CHECK)


def test_results_are_read_as_they_were_written(xacro_tree: Path) -> None:
    tree = xacro_tree
    edit("x/part.xacro", 'ixx="6.5"', 'ixx="0.1"')(tree)
    work, has_calls = Check(SharedContext()), False
    for path in sorted(path for path in tree.rglob("*") if path.suffix in (".sdf", ".urdf", ".xacro", ".xml")):
        checked = work(file_task(str(path), Options()))
        record = json.loads(json.dumps(memory._record_of_result(checked)))
        assert memory._result_from(record, work) == checked
        has_calls |= bool(checked.result.calls)
    assert has_calls


def test_variants_of_a_file_are_remembered_each_by_itself(command: Run, xacro_tree: Path) -> None:
    tree = xacro_tree
    declared = XACRO.replace("<xacro:include", '<xacro:arg name="mass" default="6"/><xacro:include')
    write(tree / "x/robot.urdf.xacro", declared.replace("$(optenv PART_MASS 6)", "$(arg mass)"))
    variants = '[[xacro-variant]]\nname = "{}"\nfile = "x/robot.urdf.xacro"\nargs = {{ mass = "{}" }}\n'
    write(tree / "sdfinertia.toml", variants.format("light", 6) + variants.format("heavy", 7))
    first = same(command, *CHECK)
    assert unchanged(command) == (15, 15)
    assert same(command, *CHECK) == first
    write(tree / "sdfinertia.toml", variants.format("light", 6) + variants.format("heavy", 600))
    assert same(command, *CHECK) != first


# Nothing is forgotten -------------------------------------------------------------------------------------------------


def test_a_file_checked_after_others_rests_on_all_that_it_rests_on_alone(command: Run, xacro_tree: Path) -> None:
    """What is kept from one file to the next, in whatever memory, does not hide what was looked at."""

    def facts(context: SharedContext, path: Path) -> set[tuple[str, str, str]]:
        with observations.recorded() as record:
            Check(context)(file_task(str(path), Options()))
        found = observations.facts_of(record)
        assert found is not None
        return {fact[:3] for fact in found}

    paths = sorted(
        path for path in xacro_tree.rglob("*") if path.suffix in (".sdf", ".urdf") or path.name == "robot.xml"
    )
    shared = SharedContext(keeps=True)
    for _ in range(2):
        for path in [*paths, *reversed(paths)]:
            assert facts(SharedContext(keeps=True), path) <= facts(shared, path), path


def test_all_that_is_looked_at_is_recorded(xacro_tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the work on a file asks the system for below the tree is a fact of it."""
    asked: set[str] = set()

    def watched(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any, *rest: Any, **others: Any) -> Any:
            if isinstance(path, str):
                asked.add(os.path.abspath(path))
            return function(path, *rest, **others)

        return call

    # Lists of what is listed hold the rest; where a path leads is asked for all of its parts.
    for name in ("stat", "listdir", "scandir", "open"):
        monkeypatch.setattr(os, name, watched(getattr(os, name)))
    monkeypatch.setattr("builtins.open", watched(open))
    for path in sorted(
        path for path in xacro_tree.rglob("*") if path.suffix in (".sdf", ".urdf") or path.name == "robot.xml"
    ):
        asked.clear()
        with observations.recorded() as record:
            Check(SharedContext(keeps=True))(file_task(str(path), Options(no_cache=True)))
        facts = observations.facts_of(record)
        assert facts is not None
        known = {os.path.abspath(fact[1]) for fact in facts}
        assert {each for each in asked if each.startswith(str(xacro_tree))} <= known, path


# Others, and failures -------------------------------------------------------------------------------------------------


def _cache(tree: Path) -> Path:
    return Path(default_directory()) / NAME


FAILURES = {
    "damaged": lambda path: path.write_bytes(b"no database" * 999),
    "cut short": lambda path: os.truncate(path, path.stat().st_size // 2),
    "empty": lambda path: path.write_bytes(b""),
    "writable by all": lambda path: path.chmod(0o666),
    "a directory": lambda path: (path.unlink(), path.mkdir()),
    "gone": lambda path: path.unlink(),
    "in a directory of all": lambda path: path.parent.chmod(0o777),
}


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
@pytest.mark.parametrize("damage", FAILURES.values(), ids=list(FAILURES))
def test_a_cache_that_fails_changes_no_result(command: Run, tree: Path, damage: Callable[[Path], None]) -> None:
    expected = command(*CHECK, "--no-cache")
    command(*CHECK)
    damage(_cache(tree))
    for _ in range(3):
        outcome = command(*CHECK)
        assert (outcome.status, outcome.output) == (expected.status, expected.output)


def start(tree: Path, *words: str) -> subprocess.Popen[bytes]:
    program = f"""
import sys
from sdfinertia.commands import file_run
file_run._WORTH_MEMORY = -1.0
from sdfinertia.cli import main
main({[*CHECK, *words]!r})
"""
    return subprocess.Popen([sys.executable, "-c", program], cwd=tree, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_two_runs_at_once_find_the_same(tree: Path) -> None:
    outputs = {process.communicate()[0] for process in [start(tree) for _ in range(3)]}
    outputs |= {process.communicate()[0] for process in [start(tree), start(tree, "--no-cache")]}
    assert len(outputs) == 1


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="there is no SIGKILL here")
def test_runs_that_are_killed_leave_nothing_wrong_behind(tree: Path) -> None:
    rng = random.Random(11)
    expected = start(tree, "--no-cache").communicate()
    started = time.perf_counter()
    start(tree).communicate()
    duration = time.perf_counter() - started
    for turn in range(trials(10, 200)):
        if turn % 5 == 0:
            shutil.rmtree(_cache(tree).parent, ignore_errors=True)
        process = start(tree)
        time.sleep(duration * (0.3 + 0.7 * rng.random()))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        if turn % 10 == 9:
            assert start(tree).communicate() == expected


# Files of people ------------------------------------------------------------------------------------------------------

FIXTURES = Path(sdfinertia.__file__).parents[1] / "fixtures"
REAL = Path(sdfinertia.__file__).parents[2] / "shared/real"


@pytest.mark.parametrize(
    "source", [FIXTURES, pytest.param(REAL, marks=pytest.mark.slow)], ids=["fixtures", "models of people"]
)
def test_files_of_people_are_found_the_same(command: Run, tree: Path, source: Path) -> None:
    if not source.exists():
        pytest.skip(f"{source.name} is not here")
    shutil.copytree(source, tree / "copy")
    arguments = ("check", "copy", "--format", "json")
    first = same(command, *arguments)
    assert command(*arguments) == first
    command(*arguments, "-v")
    number, of = unchanged(command, "check", "copy")
    assert number > 0.9 * of
