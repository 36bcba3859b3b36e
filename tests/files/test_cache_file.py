"""The file that is kept from run to run: shared by processes, bounded, never believed when it should not be."""

import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from builders.thoroughness import trials

from sdfinertia.files import cache_file
from sdfinertia.files.cache_file import NAME, CacheFile

pytestmark = pytest.mark.skipif(os.name != "posix", reason="owners, modes and links are those of POSIX")


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def value(number: int) -> dict[str, object]:
    return {"number": number, "text": f"{number} " * 50}


def kept(directory: Path, numbers: range = range(40)) -> Path:
    """A cache with so many values; its file."""
    file = CacheFile(str(directory))
    file.put((key(number), value(number)) for number in numbers)
    file.close()
    assert file.problem == ""
    return directory / NAME


def found(directory: Path, numbers: range = range(40)) -> tuple[int, str]:
    """How many of the values are found, none of them wrong, and the problem."""
    file = CacheFile(str(directory))
    values = {number: file.get(key(number)) for number in numbers}
    file.close()
    assert all(each in (None, value(number)) for number, each in values.items())
    return sum(each is not None for each in values.values()), file.problem


def test_what_is_kept_is_found_by_its_key_alone_and_replaced(tmp_path: Path) -> None:
    kept(tmp_path / "cache")
    assert found(tmp_path / "cache") == (40, "")
    assert CacheFile(str(tmp_path / "cache")).get(key(41)) is None
    kept(tmp_path)
    file = CacheFile(str(tmp_path))
    file.put([(key(1), "new")])
    assert file.get(key(1)) == "new"


def test_nothing_is_made_where_nothing_is_kept_and_a_directory_that_cannot_be_is_noted(tmp_path: Path) -> None:
    file = CacheFile(str(tmp_path / "cache"))
    assert file.get(key(1)) is None
    file.put([])
    assert os.listdir(tmp_path) == []
    assert file.problem == ""
    (tmp_path / "cache").write_text("")
    file = CacheFile(str(tmp_path / "cache"))
    file.put([(key(1), "new")])
    assert file.get(key(1)) is None
    assert file.problem != ""


def test_nobody_else_may_read_what_is_kept_and_backups_pass_it_over(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        path = kept(tmp_path / "cache")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert path.with_name("CACHEDIR.TAG").read_bytes().startswith(b"Signature: 8a477f597d28d172789f06886806bc55")
    assert sorted(os.listdir(path.parent)) == ["CACHEDIR.TAG", NAME]


def test_a_value_that_is_too_long_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_file, "_MAX_CONTENT", 100)
    file = CacheFile(str(tmp_path))
    file.put([(key(1), "a" * 100), (key(2), "a" * 90)])
    assert file.get(key(1)) is None
    assert file.get(key(2)) is not None


# What is not believed -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["directory", "file", "journal"])
@pytest.mark.parametrize("kind", ["writable by all", "writable by the group", "of another user"])
def test_what_others_may_have_written_to_is_not_used_and_that_is_noted(tmp_path: Path, what: str, kind: str) -> None:
    if kind == "of another user" and os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    path = kept(tmp_path / "cache")
    place = {"directory": path.parent, "file": path, "journal": path.with_name(f"{NAME}-journal")}[what]
    if what == "journal":
        place.write_bytes(b"")
    if kind == "of another user":
        os.chown(place, 12345, 12345)
    else:
        place.chmod(place.stat().st_mode | (0o002 if kind.endswith("all") else 0o020))
    before = path.read_bytes()
    number, problem = found(path.parent)
    assert number == 0
    assert f"{place} must be yours" in problem
    file = CacheFile(str(path.parent))
    file.put([(key(1), "new")])
    assert "chmod go-w" in file.problem
    assert path.read_bytes() == before


@pytest.mark.parametrize("kind", ["a link", "a pipe", "a directory"])
def test_what_is_no_file_of_ours_is_not_opened(tmp_path: Path, kind: str) -> None:
    path = kept(tmp_path / "cache")
    outside = tmp_path / "outside"
    path.rename(outside)
    before = outside.read_bytes()
    if kind == "a link":
        path.symlink_to(outside)
    elif kind == "a pipe":
        os.mkfifo(path, 0o600)
    else:
        path.mkdir(0o700)
    number, problem = found(path.parent)
    assert number == 0
    assert "is not fully used" in problem
    CacheFile(str(path.parent)).put([(key(1), "new")])
    assert outside.read_bytes() == before


def test_content_that_does_not_repeat_its_digest_is_none(tmp_path: Path) -> None:
    path = kept(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE entries SET content = ? WHERE key = ?", (b'"lie"', key(1)))
        connection.execute("UPDATE entries SET content = 'text' WHERE key = ?", (key(2),))
        connection.execute("UPDATE entries SET key = ? WHERE key = ?", (key(99), key(3)))
        connection.commit()
    file = CacheFile(str(tmp_path))
    assert [file.get(key(number)) for number in (1, 2, 3, 99)] == [None] * 4
    assert file.get(key(4)) == value(4)


def overwritten(place: int, length: int) -> Callable[[bytes], bytes]:
    return lambda data: data[:place] + random.Random(place).randbytes(length) + data[place + length :]


DAMAGES = {
    "empty": lambda data: b"",
    "cut short": lambda data: data[: len(data) // 2],
    "cut within a page": lambda data: data[:-1000],
    "one page": lambda data: data[:4096],
    "no database": lambda data: b"no database" * 1000,
    "longer": lambda data: data + b"a" * 5000,
    "doubled": lambda data: data + data,
    "an earlier format": lambda data: data[:60] + bytes(4) + data[64:],
    **{f"overwritten at {place}": overwritten(place, 700) for place in (0, 20, 100, 4096, 4200, 8192, 9000, 14_000)},
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
def test_a_damaged_file_is_not_believed_and_begins_anew(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    path = kept(tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    # It may be noticed by who reads, or by who writes; after that it is whole.
    for _ in range(3):
        found(tmp_path)
        CacheFile(str(tmp_path)).put((key(number), value(number)) for number in range(40))
    assert found(tmp_path) == (40, "")


def test_any_bytes_that_change_are_noticed(tmp_path: Path) -> None:
    path = kept(tmp_path)
    sound = path.read_bytes()
    rng = random.Random(7)
    for _ in range(60):
        data = bytearray(sound)
        for _ in range(rng.randrange(1, 30)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        path.write_bytes(data)
        found(tmp_path)


def test_a_file_of_a_later_version_is_left_as_it_is(tmp_path: Path) -> None:
    path = kept(tmp_path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    number, problem = found(tmp_path)
    assert number == 0
    assert "later version" in problem
    file = CacheFile(str(tmp_path))
    file.put([(key(1), "new")])
    assert "later version" in file.problem
    assert path.read_bytes() == before


# Room, time and others ------------------------------------------------------------------------------------------------


def test_its_size_is_bounded_and_what_was_used_last_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_file, "_MAX_BYTES", 400_000)
    day = 0
    monkeypatch.setattr(cache_file, "_today", lambda: day)
    file = CacheFile(str(tmp_path))
    for day in range(100):
        file.put((key(100 * day + number), value(number)) for number in range(20))
        assert file.get(key(1)) == value(1)
        assert file.problem == ""
    assert (tmp_path / NAME).stat().st_size <= 400_000
    assert file.get(key(9900)) == value(0)
    assert file.get(key(100)) is None


def test_what_is_used_is_renewed_once_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    today, writings = 6, 0
    renew = cache_file._renew

    def renewed(*arguments: Any) -> None:
        nonlocal writings
        writings += 1
        renew(*arguments)

    monkeypatch.setattr(cache_file, "_today", lambda: today)
    monkeypatch.setattr(cache_file, "_renew", renewed)
    file = CacheFile(str(tmp_path))
    file.put([(key(1), value(1)), (key(2), value(2))])
    for _ in range(3):
        today += 1
        assert file.get(key(1)) == file.get(key(1)) == value(1)
    assert writings == 3
    file.close()
    with closing(sqlite3.connect(tmp_path / NAME)) as connection:
        assert dict(connection.execute("SELECT key, day FROM entries")) == {key(1): 9, key(2): 6}


def program(directory: Path, before: str = "") -> list[str]:
    """Writes values, and reads them, over and over; fails where one is wrong."""
    code = f"""
import sys
{before}
from sdfinertia.files.cache_file import CacheFile
for turn in range(int(sys.argv[1])):
    file = CacheFile({str(directory)!r})
    for number in range(20):
        found = file.get(number.to_bytes(32, "big"))
        assert found is None or found == {{"number": number, "text": f"{{number}} " * 50}}, found
    file.put((number.to_bytes(32, "big"), {{"number": number, "text": f"{{number}} " * 50}}) for number in range(20))
    file.close()
print(file.problem)
"""
    return [sys.executable, "-c", code]


def test_processes_share_it(tmp_path: Path) -> None:
    running = [
        subprocess.Popen([*program(tmp_path), "20"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for _ in range(3)
    ]
    assert [process.communicate() for process in running] == [(b"\n", b"")] * 3
    assert found(tmp_path, range(20)) == (20, "")


@pytest.mark.parametrize("limit", [0, 100, 4096, 5000, 8192, 12_000, 20_000])
def test_a_disk_that_is_full_stops_nothing(tmp_path: Path, limit: int) -> None:
    # Python ignores the signal, so that the write fails as on a full disk.
    before = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {resource.RLIM_INFINITY}))"
    # What measures coverage would write a file of its own, and meet the same limit.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
    done = subprocess.run([*program(tmp_path, before), "3"], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stderr) == (0, "")
    found(tmp_path)
    kept(tmp_path)
    assert found(tmp_path) == (40, "")


@pytest.mark.slow
def test_runs_that_are_killed_leave_nothing_wrong(tmp_path: Path) -> None:
    rng = random.Random(3)
    for _ in range(trials(20, 200)):
        process = subprocess.Popen([*program(tmp_path), "100000"], stderr=subprocess.PIPE)
        time.sleep(0.15 + rng.random() * 0.3)
        process.send_signal(signal.SIGKILL)
        _, errors = process.communicate()
        assert errors == b""
        _, problem = found(tmp_path, range(20))
        assert problem == ""
    kept(tmp_path)
    assert found(tmp_path) == (40, "")
