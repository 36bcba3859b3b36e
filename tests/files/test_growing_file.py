"""A file that is written piece by piece is as it was until it is complete, whatever fails."""

import errno
import os
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from sdfinertia.errors import WriteError
from sdfinertia.files.atomic_file import GrowingFile, growing_file


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_bytes(b"old")
    return path


def growing(path: Path) -> AbstractContextManager[GrowingFile]:
    return growing_file(str(path))


def full(*_: object, **__: object) -> Any:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def write_and_fail(path: Path, error: BaseException) -> None:
    with growing(path) as file:
        file.stream.write(b"half")
        raise error


def write_whole(path: Path) -> None:
    with growing(path) as file:
        file.stream.write(b"new")
        file.put_in_place()


@pytest.mark.parametrize("is_there", [True, False])
def test_it_takes_its_place_once_it_is_complete(old: Path, is_there: bool) -> None:
    old.chmod(0o640)
    if not is_there:
        old.unlink()
    with growing(old) as file:
        for piece in (b"one\n", b"two\n"):
            file.stream.write(piece)
        assert old.exists() == is_there
        assert not is_there or old.read_bytes() == b"old"
        assert file.put_in_place() == []
    assert (old.read_bytes(), os.listdir(old.parent)) == (b"one\ntwo\n", ["table.csv"])
    assert not is_there or old.stat().st_mode & 0o777 == 0o640


def test_what_is_given_up_leaves_nothing_and_a_directory_that_is_not_there_is_told(old: Path, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        write_and_fail(old, KeyboardInterrupt())
    assert (old.read_bytes(), os.listdir(old.parent)) == (b"old", ["table.csv"])
    with pytest.raises(WriteError, match="cannot be written: No such file") as caught:
        write_whole(tmp_path / "gone" / "table.csv")
    assert caught.value.file == str(tmp_path / "gone" / "table.csv")


@pytest.mark.parametrize("method", ["open", "replace"])
def test_a_disk_that_is_full_leaves_the_old_file(old: Path, method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, method, full)
    with pytest.raises(WriteError, match="cannot be written: No space left"):
        write_whole(old)
    monkeypatch.undo()
    assert (old.read_bytes(), os.listdir(old.parent)) == (b"old", ["table.csv"])
