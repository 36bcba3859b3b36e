"""Work on a file grows as the file does: a world of a hundred thousand links is no other task than one of ten."""

from __future__ import annotations

import cProfile
import gc
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from sdfinertia.commands.fill import FillAndReport, FillRequest
from sdfinertia.documents.checking import check_document
from sdfinertia.documents.filling import fill
from sdfinertia.documents.opened import open_document
from sdfinertia.links.context import SharedContext
from sdfinertia.options import Options
from sdfinertia.runs.work import FileTask, Fill

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


def filled(links: int, piece: str = LINK) -> bytes:
    return fill(world(links, piece)).content


def fill_and_report(data: bytes) -> object:
    return FillAndReport(Fill(SharedContext()), FillRequest())(FileTask("w.sdf", Options(), data=data))


def check(data: bytes) -> object:
    return check_document(open_document(data, Options(), filename="w.sdf"))


WORK = [
    pytest.param(fill_and_report, world, id="fill"),
    pytest.param(fill_and_report, filled, id="fill what is filled"),
    pytest.param(check, world, id="check what is not filled"),
    pytest.param(check, filled, id="check what is filled"),
    pytest.param(fill_and_report, lambda links: world(links, LINK + JOINT), id="fill with joints"),
    pytest.param(check, lambda links: filled(links, LINK + JOINT), id="check with joints"),
    pytest.param(fill_and_report, chained, id="fill with a chain of frames"),
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


@pytest.mark.timing
@pytest.mark.parametrize(("work", "document"), WORK)
def test_time_grows_as_links_do(work: Callable[[bytes], object], document: Callable[[int], bytes]) -> None:
    def seconds(data: bytes) -> float:
        started = process_time()
        work(data)
        return process_time() - started

    few, many = document(100), document(3200)
    work(few)
    # Whatever is quadratic comes near 32 times as much for each link.
    assert seconds(many) < 6 * 32 * min(seconds(few) for _ in range(5))


def test_memory_is_a_small_multiple_of_the_file() -> None:
    data = world(200)
    fill_and_report(data)
    tracemalloc.start()
    try:
        fill_and_report(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 50 * len(data)


def test_a_run_over_many_files_keeps_no_tree(tmp_path: Path) -> None:
    """What the run keeps of a file is less than its tree takes."""
    path = tmp_path / "m.sdf"
    path.write_bytes(world(50, LINK.replace("<geometry>", IN_MODEL_FRAME + "<geometry>")))
    filling = FillAndReport(Fill(SharedContext()), FillRequest(verbosity=-1))
    task = FileTask(os.fspath(path), Options())
    # What is loaded and compiled by the first ones is not the file's.
    for _ in range(3):
        filling(task)
    tracemalloc.start()
    try:
        for _ in range(3):
            filling(task)
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < path.stat().st_size
