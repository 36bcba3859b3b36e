"""Work on a file grows as the file does: a world of a hundred thousand links is no other task than one of ten."""

from __future__ import annotations

import cProfile
import gc
import os
import tracemalloc
from typing import TYPE_CHECKING

import pytest

from sdfinertia.documents import open_document
from sdfinertia.documents.checking import check_document
from sdfinertia.documents.filling import fill
from sdfinertia.documents.repairing import repair
from sdfinertia.documents.showing import shown_bodies
from sdfinertia.links.context import SharedContext
from sdfinertia.options import Options
from sdfinertia.report.results import report_lines
from sdfinertia.runs import Fill
from sdfinertia.runs.source_files import FileTask

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.slow

LINK = """\
    <link name="link_NUMBER">
      <pose>NUMBER 0 0.5 0 0 0</pose>
      <inertial auto="true"/>
      <collision name="c">
        <geometry><box><size>0.1 0.2 0.3</size></box></geometry>
      </collision>
      <!-- as much as worlds have between their links -->
    </link>
"""
UNFILLED = LINK.replace('<inertial auto="true"/>', "")
# A pose that needs the frames of the model, which are kept while its links are worked on.
IN_MODEL_FRAME = '<pose relative_to="__model__">0 0 0 0 0 0</pose>'
JOINT = '<joint name="j_NUMBER" type="fixed"><parent>link_0</parent><child>link_NUMBER</child></joint>\n'


def world(links: int, piece: str = LINK) -> bytes:
    pieces = "".join(piece.replace("NUMBER", str(number)) for number in range(links))
    return f'<sdf version="1.11"><world name="w"><model name="m">\n{pieces}</model></world></sdf>\n'.encode()


def chained(links: int) -> bytes:
    """Each link has its collision in the last of as many frames, each of which hangs on the next."""
    frame = '<frame name="f_{}" attached_to="f_{}"><pose>1 0 0 0 0 0</pose></frame>'
    frames = "".join(frame.format(number, number + 1) for number in range(links))
    posed = world(links, LINK.replace("<geometry>", '<pose relative_to="f_0"/><geometry>'))
    return posed.replace(b"</model>", f'{frames}<frame name="f_{links}"/></model>'.encode())


def apart(links: int) -> bytes:
    """Each link hangs on a frame of its own in a long chain, and has its collision in the frame of the model."""
    frame = '<frame name="f_{}"><pose relative_to="{}">0.1 0 0 0.1 0 0</pose></frame>'
    names = ["__model__", *(f"f_{number}" for number in range(6 * links))]
    frames = "".join(frame.format(number, names[number]) for number in range(6 * links))
    hung = LINK.replace("<pose>", '<pose relative_to="f_NUMBER5">').replace("<geometry>", IN_MODEL_FRAME + "<geometry>")
    for number in range(links):
        frames += hung.replace("f_NUMBER5", f"f_{6 * number + 5}").replace("NUMBER", str(number))
    return world(0).replace(b"</model>", f"{frames}</model>".encode())


# A box that turns like a far larger one, on which each link has a finding; and one without an inertial.
INERTIAL = '<inertial><mass value="1"/><inertia ixx="5" iyy="5" izz="5" ixy="0" ixz="0" iyz="0"/></inertial>'
SIZED = '<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>'


def fixed(links: int, inertial: str = INERTIAL) -> bytes:
    """A chain of links that fixed joints make one body."""
    joint = '<joint name="j{}" type="fixed"><parent link="l{}"/><child link="l{}"/><origin xyz="0.1 0 0"/></joint>'
    pieces = [f'<link name="l{number}">{inertial}{SIZED}</link>' for number in range(links)]
    pieces += [joint.format(number, number - 1, number) for number in range(1, links)]
    return f'<robot name="r">{"".join(pieces)}</robot>'.encode()


def fixed_bodies(links: int) -> bytes:
    body = '<body><inertial pos="0.1 0 0" mass="1" diaginertia="5 5 5"/><geom type="box" size=".05 .05 .05"/></body>'
    return f'<mujoco><worldbody><body name="b"><freejoint/>{body * links}</body></worldbody></mujoco>'.encode()


def classes(count: int) -> bytes:
    """A class of many attributes, classes in it, and geoms."""
    attributes = " ".join(f'a{number}="1"' for number in range(count))
    inner = "".join(f'<default class="c{number}"><geom x="1"/></default>' for number in range(count))
    bodies = '<body><geom size="1"/></body>' * count
    default = f"<default><geom {attributes}/>{inner}</default>"
    return f"<mujoco>{default}<worldbody>{bodies}</worldbody></mujoco>".encode()


def filled(links: int, piece: str = LINK) -> bytes:
    return fill(world(links, piece)).content


def fill_and_report(data: bytes) -> object:
    return list(report_lines(Fill(SharedContext())(FileTask("w.sdf", Options(), data=data)).result))


def check(data: bytes) -> object:
    return check_document(open_document(data, Options(), filename="w.sdf"))


def show(data: bytes) -> object:
    document = open_document(data, Options(), filename="m.xml")
    return [shown_bodies(document.study(link), with_computed=True) for link in document.links()]


def repair_by_geometry(data: bytes) -> object:
    return repair(data, by="geometry", filename="r.urdf")


WORK = [
    pytest.param(fill_and_report, world, id="fill"),
    pytest.param(fill_and_report, filled, id="fill what is filled"),
    pytest.param(check, world, id="check what is not filled"),
    pytest.param(check, filled, id="check what is filled"),
    pytest.param(fill_and_report, lambda links: world(links, LINK + JOINT), id="fill with joints"),
    pytest.param(check, lambda links: filled(links, LINK + JOINT), id="check with joints"),
    pytest.param(fill_and_report, chained, id="fill with a chain of frames"),
    pytest.param(check, fixed, id="check a group of fixed links"),
    pytest.param(check, fixed_bodies, id="check a group of fixed bodies"),
    pytest.param(check, lambda links: fixed(links, ""), id="check fixed links without inertials"),
    pytest.param(check, lambda links: world(links, UNFILLED + JOINT), id="check fixed links of SDF without inertials"),
    pytest.param(repair_by_geometry, fixed, id="repair a group of fixed links"),
    pytest.param(fill_and_report, lambda links: world(links, LINK.replace("link_NUMBER", "l")), id="links of one name"),
    pytest.param(
        fill_and_report,
        lambda links: (
            b"<sdf version='1.11'>%b</sdf>" % b"".join(b"<model name='%06d'>\r</model>" % i for i in range(links))
        ),
        id="fill many models",
    ),
]


def calls_in(work: Callable[[], object]) -> int:
    """How many functions, those of the interpreter too, a piece of work calls."""
    profile = cProfile.Profile()
    profile.runcall(work)
    return sum(entry.callcount for entry in profile.getstats())


@pytest.mark.parametrize(("work", "document"), WORK)
def test_steps_grow_as_links_do(work: Callable[[bytes], object], document: Callable[[int], bytes]) -> None:
    few, many = document(25), document(200)
    # What is loaded and compiled by the first run is not the file's.
    work(few)
    assert calls_in(lambda: work(many)) < 1.2 * 8 * calls_in(lambda: work(few))


@pytest.mark.parametrize(
    ("work", "document", "count"),
    [
        pytest.param(check, classes, 500, id="classes"),
        pytest.param(show, classes, 500, id="geoms of classes"),
        pytest.param(check, apart, 100, id="long ways between frames"),
    ],
)
def test_memory_grows_as_the_file_does(
    work: Callable[[bytes], object], document: Callable[[int], bytes], count: int
) -> None:
    def peak(data: bytes) -> int:
        tracemalloc.start()
        try:
            work(data)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    few, many = document(count), document(2 * count)
    work(few)
    assert peak(many) < 2.4 * peak(few)


def test_a_run_over_many_files_keeps_no_tree(tmp_path: Path) -> None:
    """What the run keeps of a file is less than its tree takes."""
    path = tmp_path / "m.sdf"
    path.write_bytes(world(50, LINK.replace("<geometry>", IN_MODEL_FRAME + "<geometry>")))
    filling = Fill(SharedContext())
    task = FileTask(os.fspath(path), Options())
    # What is loaded and compiled by the first ones is not the file's.
    for _ in range(3):
        filling(task)
    tracemalloc.start()
    try:
        for _ in range(3):
            filling(task)
        gc.collect()
        kept, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # Names that are interned stay, whatever the number of files.
    assert kept < peak / 20
