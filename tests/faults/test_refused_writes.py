"""Full disks, read-only directories, files that change hands: the old file stays as it is, and that is said."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from builders.documents import AUTO, collision, one_link

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the faults are made with the means of Linux"),
]

IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
NOBODY = 65534


OLD = one_link(AUTO, collision()).decode().replace("</sdf>", f"<!-- {'padding ' * 5000} --></sdf>\n")

# Fills a file once, so that all is loaded, does what a test asks for, and then fills the files that it names.
PROGRAM = """
import os, resource, subprocess, sys
from sdfinertia.cli import main

def fill(*names):
    try:
        main(["fill", "--quiet", *names])
    except SystemExit as stopped:
        return stopped.code

assert fill(sys.argv[1]) == 0
{fault}
sys.exit(fill(*sys.argv[2:]))
"""
RUN_AS_NOBODY = f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})" if IS_ROOT else ""


class Ended(NamedTuple):
    status: int
    messages: str


Fill = Callable[..., Ended]


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that every user may enter; pytest's own are closed to others."""
    directory = Path(tempfile.mkdtemp(prefix="sdfinertia-faults-"))
    directory.chmod(0o755)
    yield directory
    for path in directory.rglob("*"):
        path.chmod(0o755)
    shutil.rmtree(directory)


@pytest.fixture
def fill(tmp_path: Path) -> Fill:
    """Fills files in a process of its own, where a fault, a line of Python, has happened."""

    def run(directory: Path, *names: str, fault: str = "") -> Ended:
        first = tmp_path / "first.sdf"
        first.write_text(OLD)
        command = [sys.executable, "-c", PROGRAM.format(fault=fault), str(first), *names]
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=120)
        assert "Traceback" not in done.stderr, done.stderr
        return Ended(done.returncode, done.stderr)

    return run


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Callable[..., Path]]:
    """Mounts a small file system in memory, where the tests may."""
    directory = tmp_path / "mounted"
    directory.mkdir()
    mounts = 0

    def mount(options: str) -> Path:
        nonlocal mounts
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", directory], capture_output=True)
        if done.returncode:
            pytest.skip("mounting a file system takes rights that these tests do not have")
        mounts += 1
        return directory

    yield mount
    for _ in range(mounts):
        subprocess.run(["umount", directory], check=True)


def assert_left_alone(directory: Path, ended: Ended, name: str, *said: str) -> None:
    """Holds that one line says why a file was not written, that it is as it was, and that nothing lies beside it."""
    assert ended.status == 2
    assert ended.messages.startswith(f"{name}: ")
    assert len(ended.messages.splitlines()) == 1
    assert all(words in ended.messages for words in said)
    assert (directory / name).read_text() == OLD
    assert not [entry for entry in os.listdir(directory) if entry.startswith(".sdfinertia")]


# Disks ----------------------------------------------------------------------------------------------------------------


def test_a_full_disk_leaves_the_old_file(fill: Fill, mounted: Callable[..., Path]) -> None:
    directory = mounted(f"size={len(OLD) * 3 // 2}")
    (directory / "m.sdf").write_text(OLD)
    assert_left_alone(directory, fill(directory, "m.sdf"), "m.sdf", "No space left on device")


def test_a_limit_on_the_size_of_files_leaves_the_old_file(fill: Fill, place: Path) -> None:
    (place / "m.sdf").write_text(OLD)
    fault = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({len(OLD)}, {len(OLD)}))"
    assert_left_alone(place, fill(place, "m.sdf", fault=fault), "m.sdf", "File too large")


def test_a_read_only_file_system_leaves_the_old_file(fill: Fill, mounted: Callable[..., Path]) -> None:
    directory = mounted("size=1m")
    (directory / "m.sdf").write_text(OLD)
    subprocess.run(["mount", "-o", "remount,ro", directory], check=True, capture_output=True)
    ended = fill(directory, "m.sdf")
    assert_left_alone(directory, ended, "m.sdf", "m.sdf: ")
    assert "Read-only file system" in ended.messages or "not writable" in ended.messages


# Rights ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mode_of_directory", "mode_of_file", "said"),
    [
        pytest.param(0o555, 0o644, "Permission denied", id="directory"),
        pytest.param(0o777, 0o444, "not writable", id="file"),
        pytest.param(0o555, 0o444, "Permission denied", id="both"),
    ],
)
def test_what_may_not_be_written_stays_as_it_is(fill, place, mode_of_directory, mode_of_file, said):
    directory = place / "models"
    directory.mkdir()
    path = directory / "m.sdf"
    path.write_text(OLD)
    if IS_ROOT:
        os.chown(path, NOBODY, NOBODY)
        os.chown(directory, NOBODY, NOBODY)
    path.chmod(mode_of_file)
    directory.chmod(mode_of_directory)
    assert_left_alone(directory, fill(directory, "m.sdf", fault=RUN_AS_NOBODY), "m.sdf", said)
    assert stat.S_IMODE(path.stat().st_mode) == mode_of_file


# What another process does between reading and writing ----------------------------------------------------------------

# The command runs when the new content lies in the temporary file and is yet to take the place of the old.
MEANWHILE = """
fsync = os.fsync
def fsync_while_another_works(descriptor):
    subprocess.run(["sh", "-c", {command!r}], check=True)
    fsync(descriptor)
os.fsync = fsync_while_another_works
"""
CHANGES = {
    "replaced": ("mv theirs m.sdf", "theirs"),
    "written to": ("cat theirs > m.sdf", "theirs"),
    "appended to": ("printf x >> m.sdf", OLD + "x"),
    "emptied": (": > m.sdf", ""),
    "as long as before": ("tr p q < m.sdf > m && mv m m.sdf", OLD.replace("p", "q")),
}


@pytest.mark.parametrize(("command", "left"), CHANGES.values(), ids=CHANGES.keys())
def test_what_another_process_wrote_meanwhile_is_not_overwritten(fill, place, command, left):
    (place / "m.sdf").write_text(OLD)
    (place / "theirs").write_text("theirs")
    ended = fill(place, "m.sdf", fault=MEANWHILE.format(command=command))
    assert ended.status == 2
    assert ended.messages == "m.sdf: changed on disk since it was read; not written; run again\n"
    assert (place / "m.sdf").read_text() == left
    assert not [name for name in os.listdir(place) if name.startswith(".")]
