"""Sizes, depths and counts beyond any model are refused by name, before memory and time are spent on them."""

from __future__ import annotations

import importlib
import math
import os
import signal
import sys
import time
from typing import TYPE_CHECKING

import pytest
from builders.documents import asking, asking_mesh
from builders.meshes import OBJ_TETRAHEDRON

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECONDS = 20.0


@pytest.mark.skipif(sys.platform != "linux", reason="needs files with holes")
@pytest.mark.parametrize("name", ["m.sdf", "a.obj"])
def test_without_the_option_no_file_beyond_a_gibibyte_is_read(process, project, name):
    (project / "m.sdf").write_text(asking_mesh("a.obj"))
    (project / name).touch()
    os.truncate(project / name, (1 << 30) + 1)
    outcome = process("fill", "-q", "m.sdf")
    assert outcome.status == 2
    assert f"{name}: is 1,073,741,825 bytes long, and the limit is 1,073,741,824" in outcome.messages


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs an endless stream")
@pytest.mark.parametrize("arguments", [["fill", "-"], ["check", "-"], ["scale", "-", "--link", "*", "--mass", "1"]])
def test_an_endless_stream_ends_in_an_error(command, monkeypatch, arguments):
    import sdfinertia.files

    monkeypatch.setattr(sdfinertia.files, "MAXIMUM_BYTES", 5_000_000)
    outcome = command(*arguments, stdin=bytes(6_000_000))
    assert outcome.status == 2
    assert "<stdin>: is longer than the limit of 5,000,000 bytes" in outcome.messages


def star(points: int) -> str:
    """A polyline each of whose edges lies beside half of the others, whichever way it is cut."""
    turn = 2 * math.pi / points
    corners = [(1 + n % 2, n * turn) for n in range(points)]
    text = "".join(f"<point>{r * math.cos(a)!r} {r * math.sin(a)!r}</point>" for r, a in corners)
    return f"<polyline>{text}<height>1</height></polyline>"


def nested_squares(count: int) -> str:
    return "".join(
        f"<polyline><point>-{n} -{n}</point><point>{n} -{n}</point><point>{n} {n}</point><point>-{n} {n}</point>"
        "<height>1</height></polyline>"
        for n in range(1, count + 1)
    )


HOSTILE = {
    "elements nested too deep": (lambda: asking("<a>" * 1001 + "</a>" * 1001), "deeper than 1000"),
    "too many elements": (lambda: asking("<a/>" * 10_000_001), "more than 10,000,000 tags"),
    "a star of edges": (lambda: asking(star(20_000)), "too many points or loops side by side"),
    "a nest of loops": (lambda: asking(nested_squares(3000)), "too many points or loops side by side"),
}


@pytest.mark.timing
@pytest.mark.parametrize(("make", "said"), HOSTILE.values(), ids=HOSTILE.keys())
def test_a_document_made_to_hurt_ends_soon_in_one_error(command, project, make, said):
    (project / "m.sdf").write_text(make())
    started = time.process_time()
    outcome = command("fill", "-q", "m.sdf")
    assert time.process_time() - started < SECONDS
    assert (outcome.status, len(outcome.messages.splitlines())) == (2, 1)
    assert said in outcome.messages


VOXEL = (
    "<auto_inertia_params><sdfinertia:method>voxel</sdfinertia:method><sdfinertia:voxel_size>0.0008"
    "</sdfinertia:voxel_size></auto_inertia_params><geometry>"
)
SPHERES = "".join(
    f'<collision name="c{n}"><pose>{n / 100} {math.sin(n) / 10} 0 0 0 0</pose>'
    "<geometry><sphere><radius>1</radius></sphere></geometry></collision>"
    for n in range(40)
)


def test_voxels_that_a_file_makes_too_small_are_refused(command, project: Path) -> None:
    pytest.importorskip("igl", exc_type=ImportError)
    (project / "a.obj").write_text(OBJ_TETRAHEDRON)
    (project / "m.sdf").write_text(asking_mesh("a.obj").replace("<geometry>", VOXEL))
    outcome = command("fill", "-q", "m.sdf")
    assert outcome.status == 2
    assert "3,696,915 would cover its surface, and the limit is 250,000; choose a voxel size of" in outcome.messages


@pytest.mark.slow
def test_a_union_that_would_take_long_is_refused(command, project, monkeypatch):
    pytest.importorskip("manifold3d", exc_type=ImportError)
    monkeypatch.setattr(importlib.import_module("sdfinertia.mesh.boolean_union"), "_MAX_WORK", 500_000)
    link = '<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/>'
    (project / "m.sdf").write_text(f"{link}{SPHERES}</link></model></sdf>")
    outcome = command("fill", "-q", "--overlaps", "union", "m.sdf")
    assert outcome.status == 2
    assert "uniting its 40 solids takes too long: after 3 of them the limit is reached" in outcome.messages


@pytest.mark.slow
def test_a_large_model_that_is_included_often_is_refused(command, project: Path) -> None:
    links = "".join(f'<link name="l{n}"/>' for n in range(20_000))
    (project / "b.sdf").write_text(f'<sdf version="1.12"><model name="b">{links}</model></sdf>')
    includes = "".join(f"<include><name>i{n}</name><uri>b.sdf</uri></include>" for n in range(30))
    poses = "".join(f'<frame name="f{n}"><pose relative_to="i{n}::l1"/></frame>' for n in range(30))
    chain = "".join(
        f'<collision name="c{n}"><pose relative_to="f{n}"/><geometry><sphere><radius>1</radius></sphere></geometry>'
        "</collision>"
        for n in range(30)
    )
    link = f'<link name="l"><inertial auto="true"/>{chain}</link>'
    (project / "m.sdf").write_text(f'<sdf version="1.12"><model name="m">{link}{includes}{poses}</model></sdf>')
    outcome = command("fill", "-q", "m.sdf")
    assert outcome.status == 2
    assert "more than 500,000 links, joints and frames" in outcome.messages


GLTF = '{"asset": {"version": "2.0"}, "buffers": [{"uri": "pipe", "byteLength": 4}]}'
INCLUDES = '<sdf version="1.12"><model name="m"><include><uri>pipe</uri></include></model></sdf>'
# What is read of a pipe, and what is there beside it.
PIPES = {
    "model": (("check", "pipe.sdf"), {}),
    "model of MuJoCo": (("check", "pipe.xml"), {}),
    "mesh": (("fill", "m.sdf"), {"m.sdf": asking_mesh("pipe")}),
    "mesh by itself": (("mesh", "pipe.stl"), {}),
    "buffer of a mesh": (("fill", "m.sdf"), {"m.sdf": asking_mesh("a.gltf"), "a.gltf": GLTF}),
    "included model": (("fill", "--recursive", "m.sdf"), {"m.sdf": INCLUDES}),
    "configuration": (("fill", "m.sdf"), {"m.sdf": asking_mesh("a.obj"), "sdfinertia.toml": None}),
    "baseline": (("check", "--baseline", "pipe", "m.sdf"), {"m.sdf": asking_mesh("a.obj")}),
    "report on meshes": (("mesh", "--report", "pipe.jsonl", "a.obj"), {"a.obj": OBJ_TETRAHEDRON}),
    "model to compare with": (("compare", "pipe.sdf", "m.sdf"), {"m.sdf": asking_mesh("a.obj")}),
}


@pytest.fixture
def soon() -> Iterator[None]:
    """Ends all where a test waits for ever."""
    signal.alarm(100)
    yield
    signal.alarm(0)


@pytest.mark.usefixtures("soon")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize(("words", "files"), PIPES.values(), ids=list(PIPES))
def test_a_pipe_is_never_waited_for(command, project, words, files):
    for name in ("pipe", "pipe.sdf", "pipe.xml", "pipe.stl", "pipe.jsonl"):
        os.mkfifo(project / name)
    for name, text in files.items():
        os.mkfifo(project / name) if text is None else (project / name).write_text(text)
    outcome = command(*words)
    assert outcome.status == 2
    assert "pipe" in outcome.messages + outcome.output.decode() or None in files.values()


@pytest.mark.usefixtures("soon")
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("name", ["package.xml", "model.config", ".gitignore", "sdfinertia.toml", "pyproject.toml"])
def test_a_pipe_in_the_place_of_a_file_that_is_looked_for_is_not_waited_for(command, project, name):
    (project / "m.sdf").write_text(asking_mesh("package://robot/a.obj"))
    os.mkfifo(project / name)
    assert command("fill", "-q", ".").status == 2
