"""A tree of models with every kind of file that a run reports on."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from builders.meshes import cube, obj, without

BOX = """\
<sdf version="1.12">
  <model name="NAME">
    <link name="body">
      <inertial auto="true"/>
      <collision name="c"><geometry><box><size>1 2 3</size></box></geometry></collision>
    </link>
    EXTRA
  </model>
</sdf>
"""
MESH = """<link name="cube"><inertial auto="true"/>
      <collision name="c"><geometry><mesh><uri>../cube.obj</uri></mesh></geometry></collision></link>"""
OPEN = """<link name="open"><inertial auto="true"/>
      <collision name="c"><geometry><mesh><uri>../open.obj</uri></mesh></geometry></collision></link>"""
HEAVY = '<link name="heavy"><inertial><mass>-1</mass></inertial></link>'
MISSING = (
    '<link name="bare"><collision name="c"><geometry><sphere><radius>1</radius></sphere></geometry></collision></link>'
)


def lay_out(project: Path) -> None:
    """A tree with every kind of file that a run reports on."""

    def write(name: str, text: str) -> None:
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    write("cube.obj", obj(cube()))
    write("open.obj", obj(without(cube(), 11)))
    for number in range(12):
        write(f"boxes/m{number:02}.sdf", BOX.replace("NAME", f"m{number}").replace("EXTRA", ""))
    for number in range(6):
        write(f"meshes/m{number}.sdf", BOX.replace("NAME", f"m{number}").replace("EXTRA", MESH))
    write("bad/broken.sdf", "<sdf version='1.9'><model>")
    write("bad/heavy.sdf", BOX.replace("NAME", "heavy").replace("EXTRA", HEAVY))
    write("bad/missing.sdf", BOX.replace("NAME", "missing").replace("EXTRA", MISSING))
    write("bad/open.sdf", BOX.replace("NAME", "open").replace("EXTRA", OPEN))
    write("configured/sdfinertia.toml", "digits = 5\ndensity = 7.0\n")
    write("configured/m.sdf", BOX.replace("NAME", "m").replace("EXTRA", ""))
    write("misconfigured/sdfinertia.toml", "digit = 5\n")
    for name in ("a", "b"):
        write(f"misconfigured/{name}.sdf", BOX.replace("NAME", name).replace("EXTRA", ""))
    includes = "".join(
        f"<include><uri>{uri}</uri></include>" for uri in ("../included/x", "../nowhere", "../boxes/m00.sdf")
    )
    write("worlds/w.sdf", BOX.replace("NAME", "w").replace("EXTRA", includes))
    write("included/x/model.sdf", BOX.replace("NAME", "x").replace("EXTRA", ""))
    write("included/x/model.config", "<model><name>x</name><sdf version='1.12'>model.sdf</sdf></model>")
    os.symlink("m.sdf", project / "configured" / "same.sdf")


def lay_out_anew(project: Path) -> None:
    """The tree without what runs left in it."""
    for path in sorted(project.rglob("*"), reverse=True):
        if path.name != ".git":
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
    lay_out(project)


def contents(project: Path) -> dict[str, bytes]:
    files = sorted(path for path in project.rglob("*") if path.is_file())
    return {str(path.relative_to(project)): path.read_bytes() for path in files}


def without_times(messages: str) -> str:
    return re.sub(r"(?m)^(.* files in .* files/s\)|slowest: .*)\n", "", messages)


# Runs over such a tree that print, write or report on each kind of its files.
REPORTS = ("--report", "r.json", "--report", "r.md")
RUNS = (
    ("fill", ".", "-v"),
    ("fill", ".", "--diff", "--check", *REPORTS),
    ("fill", ".", "--keep-going", *REPORTS, "--report", "r.html"),
    ("fill", "worlds", "boxes", "--recursive", "--exclude", "m0[3-6].sdf"),
    ("fill", "boxes/m03.sdf", "meshes", "boxes", "no_such.sdf", "--open-mesh", "convex_hull"),
    ("check", ".", "-v", "--select", "ALL"),
    ("check", ".", "--format", "json", "--report", "r.sarif", "--report", "r.xml"),
    ("check", "boxes", "worlds", "configured", "--fix", "-v"),
)


class Ended(NamedTuple):
    """The outcome of a run: its status and messages, without times, and its files."""

    status: int
    output: str
    messages: str
    contents: dict[str, bytes]


def ended(project: Path, *arguments: str) -> Ended:
    """A run over the tree, laid out anew, in a process of its own."""
    lay_out_anew(project)
    program = [sys.executable, "-m", "sdfinertia", *arguments]
    done = subprocess.run(program, input=BOX, capture_output=True, text=True, cwd=project, timeout=120)
    assert "Traceback" not in done.stderr, done.stderr
    assert "No module" not in done.stderr, done.stderr
    return Ended(done.returncode, done.stdout, without_times(done.stderr), contents(project))
