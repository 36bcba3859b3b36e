"""A Dask cluster gives what one process gives, and costs no file when a worker is lost."""

from __future__ import annotations

import gc
import os
import re
import subprocess
import sys
import time
from functools import partial

import pytest
from builders.dask_cluster import LocalCluster
from builders.library import BOX, RUNS, ended
from builders.meshes import cube, obj

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

from typing import TYPE_CHECKING

from sdfinertia.options import Options
from sdfinertia.runs import outcome_there
from sdfinertia.runs.executors import in_directory
from sdfinertia.runs.source_files import FileTask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from builders.commands import Run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(LocalCluster.missing() is not None, reason="there is no command dask"),
    pytest.mark.skipif(sys.platform == "win32", reason="processes are stopped as POSIX has it"),
]
PATIENCE = 90.0


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalCluster]:
    started = LocalCluster(tmp_path_factory.mktemp("cluster") / "shared", 2)
    yield started
    started.close()


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Callable[..., LocalCluster]]:
    started: list[LocalCluster] = []

    def start(number: int, preload: str = "", *options: str) -> LocalCluster:
        started.append(LocalCluster(tmp_path / "cluster", number, preload, *options))
        return started[-1]

    yield start
    for each in started:
        each.close()


def run(project: Path, *arguments: str) -> subprocess.Popen[str]:
    program = [sys.executable, "-m", "sdfinertia", *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(program, cwd=project, stdout=pipe, stderr=pipe, text=True, start_new_session=True)


def ran(project: Path, *arguments: str) -> tuple[int, str]:
    """The status and the messages of a run."""
    running = run(project, *arguments)
    _, messages = running.communicate(timeout=2 * PATIENCE)
    return running.returncode, messages


def boxes(project: Path, number: int) -> list[Path]:
    paths = [project / f"m{index:04}.sdf" for index in range(number)]
    for path in paths:
        path.write_text(BOX.replace("NAME", path.stem).replace("EXTRA", ""))
    return paths


def is_filled(path: Path) -> bool:
    return "<mass>6000</mass>" in path.read_text()


def wait_until_filled(filling: subprocess.Popen[str], paths: list[Path], number: int = 1) -> None:
    deadline = time.monotonic() + PATIENCE
    while sum(map(is_filled, paths)) < number:
        assert time.monotonic() < deadline
        assert filling.poll() is None, filling.communicate()
        time.sleep(0.01)


@pytest.mark.parametrize("arguments", RUNS, ids=" ".join)
def test_a_cluster_gives_the_same_bytes_reports_and_order(project, cluster, arguments):
    assert ended(project, *arguments, "--cluster", cluster.address) == ended(project, *arguments, "--jobs", "1")


def test_workers_look_where_the_caller_would(
    project: Path, cluster: LocalCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The variables and the directory of this process count, and not theirs."""
    (project.parent / "elsewhere/part").mkdir(parents=True)
    (project.parent / "elsewhere/part/cube.obj").write_text(obj(cube()))
    model = BOX.replace("<box><size>1 2 3</size></box>", "<mesh><uri>model://part/cube.obj</uri></mesh>")
    (project / "m.sdf").write_text(model.replace("EXTRA", ""))
    monkeypatch.setenv("GZ_SIM_RESOURCE_PATH", "~/elsewhere")
    status, messages = ran(project, "fill", "m.sdf", "--cluster", cluster.address)
    assert status == 0, messages
    assert "<mass>1000</mass>" in (project / "m.sdf").read_text()


def test_an_executor_of_dask_does_for_the_function(project: Path, cluster: LocalCluster) -> None:
    from distributed import Client

    from sdfinertia import fill_many

    paths = boxes(project, 30)
    with Client(cluster.address, set_as_default=False) as client:
        results = list(fill_many(paths, executor=client.get_executor(pure=False), write="worker", workers=2))
    assert [result.path for result in results] == [str(path) for path in paths]
    assert all(map(is_filled, paths))


# What is lost --------------------------------------------------------------------------------------------------------


def test_a_worker_that_is_killed_costs_no_file(project: Path, another: Callable[..., LocalCluster]) -> None:
    paths = boxes(project, 200)
    started = another(2)
    filling = run(project, "fill", ".", "-q", "--cluster", started.address)
    wait_until_filled(filling, paths, 20)
    started.kill(1)
    assert not all(map(is_filled, paths)), "it was killed in the middle"
    _, messages = filling.communicate(timeout=PATIENCE)
    assert (filling.returncode, messages) == (0, "")
    by_cluster = [path.read_bytes() for path in paths]
    boxes(project, 200)
    assert ran(project, "fill", "-q", ".") == (0, "")
    assert [path.read_bytes() for path in paths] == by_cluster


DEADLY = """
import os, signal
import sdfinertia.documents as opened
# Which stays what it was when Dask loads this again.
from sdfinertia.documents.filling import open_document as real
def deadly(source, *given, **named):
    if str(source).endswith("m0007.sdf"):
        os.kill(os.getpid(), signal.SIGKILL)
    return real(source, *given, **named)
opened.open_document = deadly
"""


SLOW = DEADLY.replace("os.kill(os.getpid(), signal.SIGKILL)", "pass").replace(
    "if str", "__import__('time').sleep(0.2)\n    if str"
)


@pytest.mark.parametrize("lose", [LocalCluster.lose, lambda cluster: cluster.kill(0)], ids=["all", "the scheduler"])
def test_a_cluster_that_is_lost_ends_the_run_within_seconds_with_one_line(project, another, lose):
    paths = boxes(project, 200)
    before = {path: path.read_text() for path in paths}
    started = another(1, SLOW)
    filling = run(project, "fill", ".", "-q", "--cluster", started.address)
    wait_until_filled(filling, paths)
    lose(started)
    _, messages = filling.communicate(timeout=20)
    assert all(is_filled(path) or path.read_text() == before[path] for path in paths)
    lost = "the connection to the workers is lost; each file is either unchanged or done; "
    assert (filling.returncode, messages) == (2, f"{lost}run again; files that are done are skipped\n")


# What is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "version"), [("sdfinertia", "9.9.9-0"), ("Python", "2.7"), ("numpy", "0.1")])
def test_workers_with_other_versions_are_refused_in_one_sentence(project, another, name, version):
    (path,) = boxes(project, 1)
    # A function is sent by its name, so that the one there is asked.
    started = another(
        1,
        f"import sdfinertia.runs.executors as cluster\nmine = cluster.versions()\n"
        f"cluster.versions = lambda: {{**mine, {name!r}: {version!r}}}\n",
    )
    status, messages = ran(project, "fill", ".", "--cluster", started.address)
    assert (status, messages.count("\n")) == (2, 1)
    told = rf"{name} is {version} on worker tcp://\S+, and \S+ here; install the same versions everywhere\n"
    assert re.fullmatch(told, messages), messages
    assert not is_filled(path)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:1", "nonsense://x", "", "127.0.0.1:notaport", "tls://h:1"])
def test_a_cluster_that_is_not_there_is_refused_before_any_work(command, project, monkeypatch, address):
    monkeypatch.setattr("sdfinertia.runs.executors._ANSWERS_WITHIN", 0.5)
    (path,) = boxes(project, 1)
    outcome = command("fill", ".", "--cluster", address)
    # A client that did not come about is closed when it is collected: for ever, if that is while another begins.
    gc.collect()
    assert outcome.status == 2
    assert outcome.messages.startswith(f"the cluster at {address} does not answer")
    assert outcome.messages.count("\n") == 1
    assert not is_filled(path)


def test_a_cluster_goes_not_with_jobs(command: Run, project: Path) -> None:
    boxes(project, 1)
    (project / "a.obj").write_text("v 0 0 0\n")
    for words, said in (("fill . --jobs 2", "--cluster"), ("mesh a.obj", "--report")):
        outcome = command(*words.split(), "--cluster", "tcp://127.0.0.1:1")
        assert outcome.status == 2
        assert said in outcome.messages


def test_without_the_libraries_it_is_said_what_to_install(command, project, monkeypatch):
    (path,) = boxes(project, 1)
    monkeypatch.setitem(sys.modules, "distributed", None)
    outcome = command("fill", ".", "--cluster", "tcp://127.0.0.1:1")
    assert outcome.status == 2
    assert "--cluster needs the libraries dask and distributed" in outcome.messages
    assert "[cluster]'`" in outcome.messages
    assert not is_filled(path)


# On a worker ----------------------------------------------------------------------------------------------------------


def name_of(task: FileTask) -> str:
    return f"{os.path.basename(os.getcwd())}/{task.path}"


@pytest.mark.parametrize(
    ("directory", "name", "told"),
    [
        ("run", "a.sdf", "run/a.sdf"),
        ("run", "b.sdf", "b.sdf: worker here does not see it; mount the same file system at the same path"),
        ("gone", "a.sdf", "a.sdf: worker here does not see it; mount the same file system at the same path"),
    ],
)
def test_a_worker_works_in_the_directory_of_the_run_or_says_what_it_does_not_see(
    tmp_path, monkeypatch, directory, name, told
):
    monkeypatch.setattr("platform.node", lambda: "here")
    (tmp_path / "run").mkdir()
    (tmp_path / "run/a.sdf").touch()
    before = os.getcwd()
    done = in_directory(
        str(tmp_path / directory), partial(outcome_there, name_of), FileTask(name, Options(), exists=True)
    )
    assert os.getcwd() == before
    assert str(done.result).startswith(told)
