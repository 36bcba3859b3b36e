"""How much time the processor takes for a change, beside `check` of the same file, and that memory does not grow."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

WHEEL = Path(__file__).parents[2] / "fixtures" / "rover" / "meshes" / "wheel.obj"
NUMBERS = "<mass>1.5</mass><inertia><ixx>0.01</ixx><ixy>0</ixy><ixz>0</ixz><iyy>0.012</iyy><iyz>0</iyz><izz>0.013</izz>"
BOX = "<box><size>0.2 0.1 0.3</size></box>"
CHANGES = 1000

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="/proc is not there")


def link(number: int, inertial: str, shape: str) -> str:
    solids = "".join(
        f'<{kind} name="{kind}"><geometry>{shape}</geometry></{kind}>\n' for kind in ("collision", "visual")
    )
    return f'<link name="l{number}">\n<pose>0 0 {number} 0 0 0</pose>\n{inertial}\n{solids}</link>\n'


def joint(number: int) -> str:
    ends = f"<parent>l{number - 1}</parent><child>l{number}</child>"
    return f'<joint name="j{number}" type="revolute">{ends}<axis><xyz>0 0 1</xyz></axis></joint>\n' if number else ""


def model(name: str, links: int, inertial: str, shapes: list[str]) -> str:
    parts = (link(n, inertial, shapes[n % len(shapes)]) + joint(n) for n in range(links))
    return f'<model name="{name}">\n{"".join(parts)}</model>\n'


@pytest.fixture
def meshes(tmp_path: Path) -> list[str]:
    """Ten meshes, no two the same, as geometries."""
    (tmp_path / ".git").mkdir()
    for number in range(10):
        (tmp_path / f"{number}.obj").write_text(f"# {number}\n{WHEEL.read_text()}")
    return [f"<mesh><uri>{number}.obj</uri></mesh>" for number in range(10)]


def with_children(process_id: int) -> list[int]:
    """A process and those that it started, which work on the texts."""
    children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()
    return [process_id, *map(int, children)]


def seconds_of(process_id: int) -> float:
    """The processor time that a server and its processes have taken."""
    return sum(map(seconds_of_one, with_children(process_id)))


def seconds_of_one(process_id: int) -> float:
    fields = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seconds_of_check(path: Path, environment: dict[str, str]) -> float:
    """The processor time of a run of `check` on a file that has changed, the least of three."""
    text, found = path.read_text(), []
    for number in range(3):
        path.write_text(text + " " * number)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        words = [sys.executable, "-m", "sdfinertia", "check", "--quiet", path.name]
        subprocess.run(words, cwd=path.parent, env=environment, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found)


def seconds_of_change(editor, path: Path) -> float:
    """The processor time from a change to its diagnostics, the least of five."""
    text = path.read_text()
    editor.open(path)
    found = []
    for number in range(1, 6):
        before = seconds_of(editor.process_id)
        editor.change(path, text + " " * number)
        found.append(seconds_of(editor.process_id) - before)
        # Answered by the same thread, once it has cleared away.
        editor.ask("code_lens", path)
    editor.shut(path)
    return min(found)


@needs_proc
@pytest.mark.timing
@pytest.mark.parametrize("inertial", [f"<inertial>{NUMBERS}</inertia></inertial>", '<inertial auto="true"/>'])
def test_a_robot_of_fifty_links_is_checked_at_once(editor, tmp_path: Path, meshes: list[str], inertial: str) -> None:
    path = tmp_path / "robot.sdf"
    path.write_text(f'<sdf version="1.9">\n{model("robot", 50, inertial, meshes)}</sdf>\n')
    seconds = seconds_of_change(editor, path)
    print(f"{seconds:.3f} s")
    assert seconds < 0.15


@needs_proc
@pytest.mark.timing
def test_a_world_of_three_thousand_links_takes_as_long_as_check(editor, tmp_path: Path, meshes: list[str]) -> None:
    path = tmp_path / "big.world"
    inertial = f"<inertial>{NUMBERS}</inertia></inertial>"
    models = "".join(model(f"m{number}", 30, inertial, [meshes[number % 10], BOX, BOX]) for number in range(100))
    path.write_text(f'<sdf version="1.9">\n<world name="w">\n{models}</world>\n</sdf>\n')
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    expected = seconds_of_check(path, environment)
    seconds = seconds_of_change(editor, path)
    print(f"{seconds:.3f} s, check {expected:.3f} s")
    assert seconds < 1.5
    assert seconds < 1.2 * expected


def bytes_of(process_id: int) -> int:
    """The memory that a server and its processes hold."""
    pages = (int(Path(f"/proc/{each}/statm").read_text().split()[1]) for each in with_children(process_id))
    return sum(pages) * os.sysconf("SC_PAGE_SIZE")


@needs_proc
@pytest.mark.slow
def test_memory_does_not_grow_over_a_thousand_changes(editors, tmp_path, meshes, project):
    shutil.copytree(tmp_path, project, dirs_exist_ok=True, ignore=shutil.ignore_patterns("project", ".git"))
    path = project / "robot.sdf"
    inertial = f"<inertial>{NUMBERS}</inertia></inertial>"
    text = f'<sdf version="1.9">\n{model("robot", 50, inertial, meshes)}</sdf>\n'
    editor = editors("vscode", "--select", "SDI1,SDI2")
    editor.open(path, text)
    held = []
    for number in range(CHANGES):
        editor.change(path, text.replace("1.5<", f"1.5{number}<"), waits=False)
        # Each is opened, and its numbers are computed.
        assert f"1.5{number} kg" in editor.hover(path, "<mass>") or number % 10 == 0
        if number % 100 == 99:
            editor.diagnostics(path)
            editor.ask("code_lens", path)
            held.append(bytes_of(editor.process_id))
    print([size >> 20 for size in held])
    assert max(held[5:]) < 1.05 * max(held[:5])
