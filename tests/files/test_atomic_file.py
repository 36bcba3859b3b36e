import errno
import os
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from builders.documents import BOX_FILE as BOX
from builders.failures import refusing

from sdfinertia.documents.link_results import fill_links
from sdfinertia.errors import WriteError
from sdfinertia.files.atomic_file import remove_leftovers, replace_file, write_file


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "m.sdf"
    path.write_bytes(b"old")
    return path


def replace(path: Path, content: bytes = b"new") -> list[str]:
    return replace_file(str(path), content, expected=b"old")


def write(path: Path, content: bytes = b"new") -> list[str]:
    write_file(str(path), content)
    return []


WRITERS = pytest.mark.parametrize("writer", [replace, write])


@WRITERS
def test_the_content_is_replaced_and_nothing_else_is_left(old: Path, writer) -> None:
    assert writer(old) == []
    assert old.read_bytes() == b"new"
    assert os.listdir(old.parent) == ["m.sdf"]


@WRITERS
@pytest.mark.parametrize("mode", [0o644, 0o600, 0o664, 0o755, 0o640])
def test_the_mode_is_kept(old: Path, writer, mode: int) -> None:
    old.chmod(mode)
    writer(old)
    assert stat.S_IMODE(old.stat().st_mode) == mode


def test_a_new_file_has_the_mode_that_the_umask_gives(tmp_path: Path) -> None:
    mask = os.umask(0o027)
    try:
        write_file(str(tmp_path / "new.sdf"), b"new")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "new.sdf").stat().st_mode) == 0o640


@WRITERS
def test_a_symbolic_link_stays_one_and_its_target_is_written(old: Path, tmp_path: Path, writer) -> None:
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "link.sdf"
    link.symlink_to("../m.sdf")
    writer(link)
    assert os.readlink(link) == "../m.sdf"
    assert (old.read_bytes(), old.is_symlink()) == (b"new", False)
    assert os.listdir(link.parent) == ["link.sdf"]


def test_a_hard_link_is_broken_and_that_is_said(old: Path, tmp_path: Path) -> None:
    os.link(old, tmp_path / "other.sdf")
    notes = replace(old)
    assert len(notes) == 1
    assert "hard link" in notes[0]
    assert str(old) in notes[0]
    assert (old.read_bytes(), (tmp_path / "other.sdf").read_bytes()) == (b"new", b"old")


def test_the_time_is_that_of_now(old: Path) -> None:
    """As make and colcon look at it."""
    os.utime(old, (1, 1))
    assert replace(old) == []
    assert old.stat().st_mtime > 1e9


# What changed meanwhile -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("now", [b"", b"older", b"ol", b"old\n"])
def test_a_file_that_changed_on_disk_is_not_overwritten(old: Path, now: bytes) -> None:
    old.write_bytes(now)
    with pytest.raises(WriteError, match="changed on disk"):
        replace(old)
    assert old.read_bytes() == now
    assert os.listdir(old.parent) == ["m.sdf"]


def test_a_file_that_is_gone_is_not_made_again(old: Path) -> None:
    old.unlink()
    with pytest.raises(WriteError) as caught:
        replace(old)
    assert caught.value.file == str(old)
    assert os.listdir(old.parent) == []


def test_the_command_does_not_overwrite_what_an_editor_saved_meanwhile(command, project, monkeypatch):
    path = project / "m.sdf"
    path.write_text(BOX)
    compute = fill_links

    def fill_while_an_editor_saves(*arguments: Any, **keywords: Any) -> Any:
        result = compute(*arguments, **keywords)
        path.write_text("saved meanwhile")
        return result

    monkeypatch.setattr("sdfinertia.documents.filling.fill_links", fill_while_an_editor_saves)
    outcome = command("fill", "m.sdf")
    assert outcome.status == 2
    assert "m.sdf: changed on disk" in outcome.messages
    assert path.read_text() == "saved meanwhile"


# Failures -------------------------------------------------------------------------------------------------------------


@WRITERS
@pytest.mark.parametrize("function", ["fsync", "replace", "open", "chmod", "write", "utime"])
@pytest.mark.parametrize("reason", [errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS])
def test_whatever_fails_the_old_file_is_whole_and_no_temporary_is_left(old, monkeypatch, writer, function, reason):
    monkeypatch.setattr(os, function, refusing(reason))
    with pytest.raises(WriteError) as caught:
        writer(old)
    monkeypatch.undo()
    assert os.strerror(reason) in caught.value.problem
    assert caught.value.file == str(old)
    assert old.read_bytes() == b"old"
    assert os.listdir(old.parent) == ["m.sdf"]


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may write everywhere")
@pytest.mark.parametrize("locked", ["directory", "file"])
def test_what_may_not_be_written_is_left_and_named(old: Path, locked: str) -> None:
    path = old.parent if locked == "directory" else old
    path.chmod(0o555)
    try:
        with pytest.raises(WriteError) as caught:
            replace(old)
    finally:
        path.chmod(0o755)
    assert caught.value.file == str(old)
    assert old.read_bytes() == b"old"


def test_the_data_is_on_disk_before_it_takes_the_place_of_the_old(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []
    fsync, rename = os.fsync, os.replace

    def watched_fsync(descriptor: int) -> None:
        calls.append(f"fsync {os.fstat(descriptor).st_size}")
        fsync(descriptor)

    def watched_replace(source: str, target: str, **keywords: Any) -> None:
        calls.append(f"replace {Path(source).parent == Path(target).parent}")
        rename(source, target, **keywords)

    monkeypatch.setattr(os, "fsync", watched_fsync)
    monkeypatch.setattr(os, "replace", watched_replace)
    replace(old)
    assert calls[:2] == ["fsync 3", "replace True"]


def test_a_private_file_is_never_open_to_others_while_it_is_written(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    real_open = os.open

    def watched(path: Any, flags: int, *rest: Any, **keywords: Any) -> int:
        descriptor = real_open(path, flags, *rest, **keywords)
        if flags & os.O_CREAT:
            seen.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        return descriptor

    old.chmod(0o600)
    monkeypatch.setattr(os, "open", watched)
    replace(old, b"x" * 1_000_000)
    assert seen, "the temporary file is made with os.open"
    assert [mode & 0o077 for mode in seen] == [0]


# Devices --------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="there is no /dev/null here")
def test_a_device_is_written_to_and_not_replaced() -> None:
    write_file("/dev/null", b"new")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_directory_is_not_written_to(tmp_path: Path) -> None:
    with pytest.raises(WriteError):
        write_file(str(tmp_path), b"new")
    assert os.listdir(tmp_path) == []


# Leftovers ------------------------------------------------------------------------------------------------------------


def leftover_of(path: Path, process: object, host: str | None = None) -> Path:
    """A temporary file as a run on that host, in that process, would have left it."""
    left, names, rename = path.parent / "left", list[str](), os.replace

    def keep(source: str, _: str) -> None:
        names.append(os.path.basename(source))
        rename(source, left)

    try:
        os.replace = keep  # type: ignore[assignment]
        write_file(str(path), b"partial")
    finally:
        os.replace = rename
    (name,) = names
    named = name.replace(f"-{os.getpid()}-", f"-{process}-").replace(socket.gethostname(), host or socket.gethostname())
    return left.rename(left.with_name(named))


@pytest.fixture
def dead_process() -> int:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


@pytest.fixture
def live_process() -> Iterator[int]:
    running = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert running.stdin is not None
    yield running.pid
    running.stdin.close()
    running.wait()


def test_a_temporary_name_carries_host_and_process(old: Path) -> None:
    name = leftover_of(old, os.getpid()).name
    assert socket.gethostname() in name
    assert str(os.getpid()) in name
    assert name.startswith("."), "a walk passes it over"


def test_the_leftovers_of_a_dead_process_of_this_host_are_removed(old: Path, dead_process: int) -> None:
    leftover_of(old, dead_process)
    remove_leftovers(str(old.parent))
    assert os.listdir(old.parent) == ["m.sdf"]


def test_the_temporary_files_of_a_live_process_and_of_this_one_are_left(old: Path, live_process: int) -> None:
    others, own = leftover_of(old, live_process), leftover_of(old, os.getpid())
    remove_leftovers(str(old.parent))
    assert others.exists()
    assert own.exists()


@pytest.mark.parametrize("host", ["another-host", "other-1", "x"])
def test_the_temporary_files_of_another_host_are_left(old: Path, dead_process: int, host: str) -> None:
    left = leftover_of(old, dead_process, host)
    remove_leftovers(str(old.parent))
    assert left.exists()


def test_the_temporary_files_of_a_process_of_another_user_are_left(old, dead_process, monkeypatch):
    """Such a process may not be asked whether it lives, and does."""
    path = leftover_of(old, dead_process)

    monkeypatch.setattr(os, "kill", refusing(errno.EPERM))
    remove_leftovers(str(old.parent))
    assert path.exists()


@pytest.mark.slow
def test_a_killed_run_leaves_the_file_whole_and_the_next_run_cleans_up(process, project: Path) -> None:
    path = project / "m.sdf"
    path.write_text(BOX)
    program = (
        "import os, signal; os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)\n"
        "from sdfinertia.cli import main; main(['fill', 'm.sdf'])"
    )
    killed = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=project)
    assert killed.returncode < 0
    assert path.read_text() == BOX
    assert len(os.listdir(project)) == 3, "the temporary file is left behind"
    assert process("fill", "m.sdf").status == 0
    assert sorted(os.listdir(project)) == [".git", "m.sdf"]


# Races ----------------------------------------------------------------------------------------------------------------


def at_the_last_moment(monkeypatch: pytest.MonkeyPatch, path: Path, theirs: Callable[[], None]) -> None:
    """Has another process work right after the last reading of a file."""
    import sdfinertia.files.atomic_file as module

    look, looks = module._read_from_disk, []

    def look_and_work(*arguments: Any) -> Any:
        seen = look(*arguments)
        looks.append(seen)
        if len(looks) == 2:
            theirs()
        return seen

    monkeypatch.setattr(module, "_read_from_disk", look_and_work)


@pytest.mark.parametrize("way", ["size and time set back", "another file in its place"])
def test_what_is_written_after_the_last_look_is_seen(old, monkeypatch, way):
    before = old.stat()

    def theirs() -> None:
        if way == "another file in its place":
            (old.parent / "theirs").write_bytes(b"bad")
            os.replace(old.parent / "theirs", old)
        else:
            old.write_bytes(b"bad")
            os.utime(old, ns=(before.st_atime_ns, before.st_mtime_ns))

    at_the_last_moment(monkeypatch, old, theirs)
    with pytest.raises(WriteError, match="changed on disk"):
        replace(old)
    assert old.read_bytes() == b"bad"


def test_a_file_that_never_stays_the_same_is_left_alone(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import sdfinertia.files.atomic_file as module

    look = module._read_from_disk

    def look_and_touch(*arguments: Any) -> Any:
        seen = look(*arguments)
        old.chmod(0o600 if old.stat().st_mode & 0o044 else 0o644)
        return seen

    monkeypatch.setattr(module, "_read_from_disk", look_and_touch)
    with pytest.raises(WriteError, match="keeps changing"):
        replace(old)
    assert (old.read_bytes(), os.listdir(old.parent)) == (b"old", ["m.sdf"])
