"""A child never outlives the process that started it, whatever ends that."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from builders.processes import is_alive

from sdfinertia.files.child_process import child_process

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

# What runs in the background ignores some signals, and so would what it starts.
STARTS = """
import signal, sys
if {ending} != signal.SIGKILL:
    signal.signal({ending}, signal.default_int_handler if {ending} == signal.SIGINT else signal.SIG_DFL)
from sdfinertia.files.child_process import child_process
with child_process("import os, time\\nprint(os.getpid(), flush=True)\\n{busy}") as process:
    print(process.stdout.readline().decode(), flush=True)
    process.wait()
"""
BUSY = {"asleep": "time.sleep(60)", "computing": "while True: pass", "in native code": "sum(range(10**12))"}


@pytest.mark.parametrize(
    ("kind", "ending"),
    [
        ("asleep", signal.SIGTERM),
        ("asleep", signal.SIGINT),
        ("computing", signal.SIGHUP),
        ("in native code", signal.SIGKILL),
    ],
)
def test_a_child_ends_with_its_parent(kind: str, ending: signal.Signals) -> None:
    if kind == "in native code" and sys.platform != "linux":
        pytest.skip("nothing but the kernel ends native code")
    with subprocess.Popen(
        [sys.executable, "-c", STARTS.format(busy=BUSY[kind], ending=int(ending))],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_alive(child)
        parent.send_signal(ending)
        parent.wait(60)
        deadline = time.monotonic() + 60
        while is_alive(child):
            assert time.monotonic() < deadline, "the child runs on"
            time.sleep(0.01)


def test_a_child_is_ended_by_an_error_of_its_parent() -> None:
    with pytest.raises(KeyError), child_process("import time; time.sleep(60)") as process:
        raise KeyError
    assert process.returncode == -signal.SIGKILL


def test_every_child_of_the_package_is_started_in_one_place() -> None:
    import sdfinertia

    package = Path(sdfinertia.__file__).parent
    starting = {
        path.name
        for path in package.rglob("*.py")
        if "Popen(" in path.read_text() or "subprocess.run" in path.read_text()
    }
    assert starting == {"child_process.py"}
