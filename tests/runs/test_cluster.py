"""A Dask cluster gives what one process gives, and costs no file when a worker is lost."""

from __future__ import annotations

import gc
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from builders.commands import Run
from builders.library import BOX, RUNS, ended
from builders.meshes import cube, obj

pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

from sdfinertia.errors import ClusterError
from sdfinertia.options import Options
from sdfinertia.runs import cluster as cluster_module
from sdfinertia.runs.cluster import cluster_jobs
from sdfinertia.runs.work import FileTask

DASK = shutil.which("dask", path=os.path.dirname(sys.executable)) or shutil.which("dask")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(DASK is None, reason="there is no command dask"),
    pytest.mark.skipif(sys.platform == "win32", reason="processes are stopped as POSIX has it"),
]
PATIENCE = 90.0


class Cluster:
    """A scheduler and workers of one thread each, all on this machine."""

    def __init__(self, directory: Path, number: int, preload: str = "", *options: str, failures: int = 3) -> None:
        self._directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        self._file = directory / "scheduler.json"
        self._environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")])),
            "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": str(failures),
        }
        self._processes: list[subprocess.Popen[bytes]] = []
        self._start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(self._file))
        self.address = self._address()
        more = list(options or ("--no-nanny",))
        if preload:
            (directory / "preload.py").write_text(preload)
            more += ["--preload", str(directory / "preload.py")]
        for _ in range(number):
            self._start("worker", self.address, "--nthreads", "1", "--local-directory", str(directory), *more)
        if number:
            from distributed import Client

            try:
                with Client(self.address, set_as_default=False) as client:
                    client.wait_for_workers(number, timeout=PATIENCE)
            except BaseException:
                self.close()
                raise

    def _address(self) -> str:
        """The address that the scheduler writes down; its file is there before that is written into it."""
        deadline = time.monotonic() + PATIENCE
        while True:
            with suppress(FileNotFoundError, json.JSONDecodeError):
                address: str = json.loads(self._file.read_text())["address"]
                return address
            assert time.monotonic() < deadline, "the scheduler did not start"
            time.sleep(0.05)

    def _start(self, what: str, *arguments: str) -> None:
        assert DASK is not None
        with open(self._directory / f"{what}-{len(self._processes)}.log", "wb") as log:
            process = subprocess.Popen(
                [DASK, what, *arguments, "--no-dashboard"],
                stdout=log,
                stderr=log,
                cwd=self._directory,
                env=self._environment,
                start_new_session=True,
            )
        self._processes.append(process)

    def kill(self, number: int) -> None:
        """Kills a worker, by its number from 1."""
        self._processes[number].kill()
        self._processes[number].wait()

    def close(self) -> None:
        """Ends all as their users end them, so that what measures coverage in them writes it down."""
        for process in reversed(self._processes):
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(60.0)
        self.lose()

    def lose(self) -> None:
        """Kills all at once."""
        for process in reversed(self._processes):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    started = Cluster(tmp_path_factory.mktemp("cluster"), 2)
    yield started
    started.close()


@pytest.fixture
def another(tmp_path: Path) -> Iterator[Callable[..., Cluster]]:
    """Starts clusters of a test's own, whose workers run a text first."""
    started: list[Cluster] = []

    def start(number: int, preload: str = "", *options: str, failures: int = 3) -> Cluster:
        started.append(Cluster(tmp_path / f"cluster-{len(started)}", number, preload, *options, failures=failures))
        return started[-1]

    yield start
    for each in started:
        each.close()


def run(project: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "sdfinertia", *arguments],
        cwd=project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


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


# The same ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", RUNS, ids=" ".join)
def test_a_cluster_gives_the_same_bytes_reports_and_order(project, cluster, arguments):
    assert ended(project, *arguments, "--cluster", cluster.address) == ended(project, *arguments, "--jobs", "1")


def test_a_report_on_meshes_is_the_same(project: Path, cluster: Cluster) -> None:
    arguments = ("mesh", ".", "no_such.stl", "--report", "t.jsonl")
    assert ended(project, *arguments, "--cluster", cluster.address) == ended(project, *arguments)


def test_one_file_is_worked_on_there_too(project: Path, cluster: Cluster, command: Run) -> None:
    (path,) = boxes(project, 1)
    outcome = command("fill", path.name, "--cluster", cluster.address, "-v")
    assert outcome.status == 0, outcome.messages
    assert is_filled(path)


def test_workers_look_where_the_caller_would(project: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variables and the directory of this process count, and not theirs."""
    (project.parent / "elsewhere/part").mkdir(parents=True)
    (project.parent / "elsewhere/part/cube.obj").write_text(obj(cube()))
    model = BOX.replace("<box><size>1 2 3</size></box>", "<mesh><uri>model://part/cube.obj</uri></mesh>")
    (project / "m.sdf").write_text(model.replace("EXTRA", ""))
    monkeypatch.setenv("GZ_SIM_RESOURCE_PATH", "~/elsewhere")
    status, messages = ran(project, "fill", "m.sdf", "--cluster", cluster.address)
    assert status == 0, messages
    assert "<mass>1000</mass>" in (project / "m.sdf").read_text()


def test_an_executor_of_dask_does_for_the_function(project: Path, cluster: Cluster) -> None:
    from distributed import Client

    from sdfinertia import fill_many

    paths = boxes(project, 30)
    with Client(cluster.address, set_as_default=False) as client:
        results = list(fill_many(paths, executor=client.get_executor(pure=False), write="worker", workers=2))
    assert [result.path for result in results] == [str(path) for path in paths]
    assert all(map(is_filled, paths))


# What is lost --------------------------------------------------------------------------------------------------------


def test_a_worker_that_is_killed_costs_no_file(project: Path, another: Callable[..., Cluster]) -> None:
    paths = boxes(project, 600)
    started = another(2)
    filling = run(project, "fill", ".", "-q", "--cluster", started.address)
    deadline = time.monotonic() + PATIENCE
    while sum(map(is_filled, paths[:100])) < 50:
        assert time.monotonic() < deadline
        assert filling.poll() is None, filling.communicate()
        time.sleep(0.01)
    started.kill(1)
    assert not all(map(is_filled, paths)), "it was killed in the middle"
    _, messages = filling.communicate(timeout=PATIENCE)
    assert (filling.returncode, messages) == (0, "")
    by_cluster = [path.read_bytes() for path in paths]
    boxes(project, 600)
    assert subprocess.run([sys.executable, "-m", "sdfinertia", "fill", "-q", "."], cwd=project).returncode == 0
    assert [path.read_bytes() for path in paths] == by_cluster


DEADLY = """
import os, signal
import sdfinertia.documents.opened as opened
# Which stays what it was when Dask loads this again.
from sdfinertia.documents.filling import open_document as real
def deadly(source, *given, **named):
    if str(source).endswith("m0007.sdf"):
        os.kill(os.getpid(), signal.SIGKILL)
    return real(source, *given, **named)
opened.open_document = deadly
"""


def test_a_file_that_workers_die_of_is_an_error_of_its_own(project: Path, another: Callable[..., Cluster]) -> None:
    paths = boxes(project, 40)
    started = another(2, DEADLY, "--nanny", failures=0)
    status, messages = ran(project, "fill", ".", "--cluster", started.address)
    assert status == 2, messages
    died = re.findall(r"(?m)^\S*(m\d+\.sdf): its worker process died", messages)
    assert died == ["m0007.sdf"], messages
    assert [path for path in paths if not is_filled(path)] == [paths[7]]


SLOW = """
import time
import sdfinertia.documents.opened as opened
# Which stays what it was when Dask loads this again.
from sdfinertia.documents.filling import open_document as real
def slow(source, *given, **named):
    time.sleep(0.2)
    return real(source, *given, **named)
opened.open_document = slow
"""


def wait_until_one_is_filled(filling: subprocess.Popen[str], paths: list[Path]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not any(map(is_filled, paths)):
        assert time.monotonic() < deadline
        assert filling.poll() is None, filling.communicate()
        time.sleep(0.02)


def test_ctrl_c_cancels_what_has_not_begun(project: Path, another: Callable[..., Cluster]) -> None:
    paths = boxes(project, 600)
    started = another(2, SLOW)
    filling = run(project, "fill", ".", "-q", "--cluster", started.address)
    wait_until_one_is_filled(filling, paths[:40])
    filling.send_signal(signal.SIGINT)
    _, messages = filling.communicate(timeout=PATIENCE)
    assert filling.returncode == 130, messages
    assert messages == "interrupted; each file is either unchanged or filled\n"
    # What had begun are two batches of 16 files at most.
    time.sleep(16 * 0.2 + 2)
    done = sum(map(is_filled, paths))
    assert done < 150
    time.sleep(1.0)
    assert sum(map(is_filled, paths)) == done
    assert not list(project.glob(".sdfinertia-*"))


def test_a_cluster_that_is_lost_ends_the_run_with_one_line(project: Path, another: Callable[..., Cluster]) -> None:
    paths = boxes(project, 600)
    started = another(1, SLOW)
    filling = run(project, "fill", ".", "-q", "--cluster", started.address)
    wait_until_one_is_filled(filling, paths[:40])
    started.lose()
    _, messages = filling.communicate(timeout=2 * PATIENCE)
    assert filling.returncode == 2, messages
    assert messages.count("\n") == 1, messages
    assert "is lost" in messages


UNSEEING = """
import os, posix
real = posix.stat
def unseeing(path, *given, **named):
    if "unseen" in str(path):
        raise FileNotFoundError(2, "No such file or directory", path)
    return real(path, *given, **named)
os.stat = unseeing
lreal = posix.lstat
def lunseeing(path, *given, **named):
    if "unseen" in str(path):
        raise FileNotFoundError(2, "No such file or directory", path)
    return lreal(path, *given, **named)
os.lstat = lunseeing
"""


def test_a_worker_that_does_not_see_a_file_says_which_and_where(project: Path, another: Callable[..., Cluster]) -> None:
    paths = [*boxes(project, 2), project / "unseen.sdf", project / "mesh.sdf"]
    paths[2].write_text(BOX.replace("EXTRA", ""))
    paths[3].write_text(
        BOX.replace("EXTRA", "").replace("<box><size>1 2 3</size></box>", "<mesh><uri>unseen.obj</uri></mesh>")
    )
    (project / "unseen.obj").write_text("v 0 0 0\n")
    started = another(1, UNSEEING)
    for name in ("fill", "check"):
        status, messages = ran(project, name, "unseen.sdf", "mesh.sdf", "m0000.sdf", "--cluster", started.address)
        assert status == 2, messages
        worker = r"worker tcp://127\.0\.0\.1:\d+ on \S+ does not see"
        assert re.search(rf"(?m)^unseen\.sdf: {worker} unseen\.sdf, which exists here", messages), messages
        assert re.search(
            rf"(?m)^mesh\.sdf: {worker} {re.escape(str(project))}/unseen\.obj, which exists here", messages
        )
    assert is_filled(paths[0])


# What is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("package", "python"), [("9.9.9-0", None), (None, "2.7")], ids=["another version", "another Python"]
)
def test_workers_with_another_program_are_refused_in_one_sentence(project, another, package, python):
    (path,) = boxes(project, 1)
    preload = f"""
import sys
import threading
import sdfinertia.runs.cluster as cluster
mine = cluster.Program(cluster.program_digest(), "%d.%d" % sys.version_info[:2])
cluster.this_program = lambda: cluster.Program({package!r} or mine.package, {python!r} or mine.python)
"""
    # A function is sent by its name, so that the one there is asked.
    started = another(1, preload)
    status, messages = ran(project, "fill", ".", "--cluster", started.address)
    assert (status, messages.count("\n")) == (2, 1)
    assert re.match(
        r"this run needs sdfinertia \S+ on Python \S+, but worker tcp://\S+ runs sdfinertia \S+ on Python ", messages
    )
    assert (package or python or "") in messages
    assert not is_filled(path)


def test_workers_without_the_package_are_refused(project: Path, another: Callable[..., Cluster]) -> None:
    boxes(project, 1)
    started = another(
        1, "import sys\nsys.modules['sdfinertia'] = None\nsys.modules['sdfinertia.runs.cluster'] = None\n"
    )
    status, messages = ran(project, "fill", ".", "--cluster", started.address)
    assert (status, messages.count("\n")) == (2, 1)
    assert "has no sdfinertia of this version installed" in messages


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:1", "nonsense://x", "", "127.0.0.1:notaport", "ucx://h:1", "tls://h:1"]
)
def test_a_cluster_that_is_not_there_is_refused_before_any_work(command, project, monkeypatch, address):
    monkeypatch.setattr("sdfinertia.runs.cluster._ANSWERS_WITHIN", 0.5)
    (path,) = boxes(project, 1)
    outcome = command("fill", ".", "--cluster", address)
    # A client that did not come about is closed when it is collected: for ever, if that is while another begins.
    gc.collect()
    assert outcome.status == 2
    assert outcome.messages.startswith(f"the cluster at {address} does not answer")
    assert outcome.messages.count("\n") == 1
    assert not is_filled(path)


def test_a_scheduler_that_says_nothing_is_not_waited_for(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"tcp://127.0.0.1:{silent.getsockname()[1]}"
        program = (
            "import sys, sdfinertia.runs.cluster as cluster\n"
            "cluster._ANSWERS_WITHIN = 0.2\n"
            "from sdfinertia.cli import main\n"
            "main(sys.argv[1:])\n"
        )
        boxes(project, 1)
        done = subprocess.run(
            [sys.executable, "-c", program, "fill", ".", "--cluster", address],
            capture_output=True,
            cwd=project,
            text=True,
            timeout=PATIENCE,
        )
    assert done.returncode == 2
    assert done.stderr.startswith(f"the cluster at {address} does not answer within 0.3 s; check that its scheduler")
    assert done.stderr.count("\n") == 1


def test_workers_that_do_not_say_their_version_are_not_waited_for(another, monkeypatch):
    from distributed import Client

    monkeypatch.setattr(Client, "run", lambda *_, **__: threading.Event().wait())
    monkeypatch.setattr("sdfinertia.runs.cluster._PATIENCE", 0.05)
    started = another(1)
    with pytest.raises(ClusterError, match=r"does not answer within 0\.5 s"), cluster_jobs(started.address):
        pass


def test_a_cluster_without_workers_is_refused(another: Callable[..., Cluster], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sdfinertia.runs.cluster._COMES_WITHIN", 0.5)
    started = another(0)
    with pytest.raises(ClusterError, match="has no workers"), cluster_jobs(started.address):
        pass


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


@pytest.fixture
def on_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "_place", lambda: "number 1")


TASKS = [FileTask("a.sdf", Options()), FileTask("b.sdf", Options())]


@pytest.mark.usefixtures("on_worker")
def test_a_worker_goes_to_the_directory_of_the_run_and_back(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "a.sdf").touch()
    before = os.getcwd()
    done = cluster_module.done_on_worker(cluster_module.this_program(), str(tmp_path / "run"), name_of, TASKS)
    assert os.getcwd() == before
    assert [(outcome.result, missed) for outcome, missed in done.outcomes] == [
        ("run/a.sdf", ()),
        ("run/b.sdf", ("b.sdf",)),
    ]


@pytest.mark.usefixtures("on_worker")
def test_a_worker_without_the_directory_of_the_run_says_so_of_each_file(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone")
    done = cluster_module.done_on_worker(cluster_module.this_program(), gone, name_of, TASKS)
    assert [(str(outcome.result), missed) for outcome, missed in done.outcomes] == [
        ("a.sdf: the working directory does not exist on the worker", (gone,)),
        ("b.sdf: the working directory does not exist on the worker", (gone,)),
    ]


@pytest.mark.usefixtures("on_worker")
def test_a_worker_that_came_later_with_another_program_does_nothing(tmp_path: Path) -> None:
    other = cluster_module.Program("9.9.9-0", "3.99")
    told = r"^this run needs sdfinertia 9.9.9-0 on Python 3.99, but worker number 1 runs sdfinertia "
    with pytest.raises(ClusterError, match=told):
        cluster_module.done_on_worker(other, str(tmp_path), name_of, TASKS[:1])
