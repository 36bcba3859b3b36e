"""What a file has besides its content stays with it, and nobody may do more with it afterwards than before."""

import errno
import os
import stat
import struct
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from builders.failures import refusing

from sdfinertia.errors import WriteError
from sdfinertia.files.atomic_file import replace_file, write_file

pytestmark = pytest.mark.skipif(not hasattr(os, "setxattr"), reason="Python knows of extended attributes on Linux only")

ACCESS, DEFAULT = "system.posix_acl_access", "system.posix_acl_default"
NOBODY, SOMEONE = 65534, 4321
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0
only_root = pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")

USER, NAMED_USER, GROUP, MASK, OTHERS = 0x01, 0x02, 0x04, 0x10, 0x20
Entries = dict[tuple[int, int], int]
NO_ID = 0xFFFFFFFF


def packed(entries: Entries) -> bytes:
    listed = sorted(entries.items())
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", tag, rights, who) for (tag, who), rights in listed)


def acl_of(path: Path) -> Entries:
    value = os.getxattr(path, ACCESS)
    return {(tag, who): rights for tag, rights, who in struct.iter_unpack("<HHI", value[4:])}


# Someone may write; the group, whose rights the mode does not show, may only read.
SHARED: Entries = {(USER, NO_ID): 6, (NAMED_USER, SOMEONE): 6, (GROUP, NO_ID): 4, (MASK, NO_ID): 6, (OTHERS, NO_ID): 0}


WIDE: Entries = {**SHARED, (NAMED_USER, NOBODY): 6, (GROUP, NO_ID): 6, (OTHERS, NO_ID): 4}


def set_or_skip(path: Path, name: str, value: bytes) -> None:
    try:
        os.setxattr(path, name, value)
    except OSError as error:
        if error.errno in (errno.ENOTSUP, errno.EPERM):
            pytest.skip(f"the file system of the tests does not take {name}")
        raise


@pytest.fixture
def old(tmp_path: Path) -> Path:
    path = tmp_path / "m.sdf"
    path.write_bytes(b"old")
    return path


def replace(path: Path) -> list[str]:
    return replace_file(str(path), b"new", expected=b"old")


def write(path: Path) -> list[str]:
    return write_file(str(path), b"new")


WRITERS = pytest.mark.parametrize("writer", [replace, write])


@WRITERS
def test_an_access_control_list_is_kept(old: Path, writer: Callable[[Path], list[str]]) -> None:
    set_or_skip(old, ACCESS, packed(SHARED))
    assert writer(old) == []
    assert old.read_bytes() == b"new"
    assert acl_of(old) == SHARED
    assert stat.S_IMODE(old.stat().st_mode) == 0o660


@WRITERS
@pytest.mark.parametrize("name", ["user.note", "trusted.note", "security.note"])
def test_extended_attributes_are_kept(old: Path, writer: Callable[[Path], list[str]], name: str) -> None:
    set_or_skip(old, name, b"value\0")
    assert writer(old) == []
    assert os.getxattr(old, name) == b"value\0"


@WRITERS
def test_the_list_that_a_directory_gives_to_new_files_widens_nothing(old, writer):
    set_or_skip(old.parent, DEFAULT, packed({**SHARED, (OTHERS, NO_ID): 6}))
    old.chmod(0o660)
    assert writer(old) == []
    assert ACCESS not in os.listxattr(old)
    assert stat.S_IMODE(old.stat().st_mode) == 0o660


def test_a_list_that_cannot_be_kept_leaves_the_file(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_or_skip(old, ACCESS, packed(SHARED))

    monkeypatch.setattr(os, "setxattr", refusing(errno.ENOTSUP))
    with pytest.raises(WriteError, match="access control list cannot be kept") as caught:
        replace(old)
    assert caught.value.file == str(old)
    assert (old.read_bytes(), os.listdir(old.parent)) == (b"old", ["m.sdf"])


@pytest.mark.parametrize(("call", "number"), [("setxattr", errno.ENOSPC), ("getxattr", errno.EACCES)])
def test_attributes_that_cannot_be_kept_are_said(call, number, old, monkeypatch):
    set_or_skip(old, "user.note", b"value")

    monkeypatch.setattr(os, call, refusing(number))
    assert replace(old) == [f"{old}: its extended attributes user.note could not be kept"]
    assert old.read_bytes() == b"new"


def test_an_attribute_that_the_system_gives_to_every_file_need_not_be_set_nor_any_without_some(old, monkeypatch):
    """As SELinux labels each new file, and often lets nobody set a label."""
    monkeypatch.setattr(os, "listxattr", lambda _: ["security.selinux"])
    monkeypatch.setattr(os, "getxattr", lambda *_: b"a label")

    monkeypatch.setattr(os, "setxattr", refusing(errno.EPERM))
    assert replace(old) == []
    assert old.read_bytes() == b"new"
    old.write_bytes(b"old")
    monkeypatch.setattr(os, "listxattr", refusing(errno.ENOTSUP))
    assert replace(old) == []
    assert old.read_bytes() == b"new"


@pytest.mark.parametrize("is_there", [True, False])
def test_a_system_without_owners_modes_and_attributes_of_open_files_has_its_files_written(old, is_there, monkeypatch):
    """As Windows; what a file has there is the directory's."""
    for name in ("fchown", "fchmod", "listxattr"):
        monkeypatch.delattr(os, name)
    path = old if is_there else old.parent / "other"
    assert write(path) == []
    assert path.read_bytes() == b"new"


# The file of another --------------------------------------------------------------------------------------------------

PROGRAM = """
import os, sys
from sdfinertia.files.atomic_file import replace_file
os.setgroups({groups!r}); os.setgid({nobody}); os.setuid({nobody})
print(*replace_file("m.sdf", b"new", expected=b"old"), sep="\\n")
"""


@pytest.fixture
def shared() -> Iterator[Path]:
    """A file of root's in a directory that everybody may write to."""
    directory = Path(tempfile.mkdtemp(prefix="sdfinertia-attributes-"))
    directory.chmod(0o777)
    (directory / "m.sdf").write_bytes(b"old")
    os.chown(directory / "m.sdf", 0, SOMEONE)
    yield directory / "m.sdf"
    subprocess.run(["rm", "-r", directory], check=True)


def replaced_by_nobody(path: Path, groups: list[int]) -> str:
    program = PROGRAM.format(groups=groups, nobody=NOBODY)
    done = subprocess.run([sys.executable, "-c", program], cwd=path.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert path.read_bytes() == b"new"
    return done.stdout.strip()


@only_root
@pytest.mark.parametrize(
    ("mode", "left"),
    [(0o666, 0o666), (0o676, 0o666), (0o667, 0o666), (0o4666, 0o666), (0o2676, 0o666), (0o6777, 0o777)],
    ids=oct,
)
def test_a_file_that_changes_hands_gives_no_group_more_than_it_had(shared: Path, mode: int, left: int) -> None:
    shared.chmod(mode)
    assert replaced_by_nobody(shared, groups=[]) == "m.sdf: its owner and group could not be kept"
    assert stat.S_IMODE(shared.stat().st_mode) == left


@only_root
def test_the_group_is_kept_where_the_owner_cannot_be(shared: Path) -> None:
    shared.chmod(0o664)
    assert replaced_by_nobody(shared, groups=[SOMEONE]) == "m.sdf: its owner could not be kept"
    found = shared.stat()
    assert (found.st_uid, found.st_gid, stat.S_IMODE(found.st_mode)) == (NOBODY, SOMEONE, 0o664)


@only_root
def test_a_list_of_a_file_that_changes_hands_gives_its_new_group_no_more_than_others_had(shared: Path) -> None:
    set_or_skip(shared, ACCESS, packed(WIDE))
    assert replaced_by_nobody(shared, groups=[]) == "m.sdf: its owner and group could not be kept"
    assert acl_of(shared) == {**WIDE, (GROUP, NO_ID): 4, (OTHERS, NO_ID): 4}


@only_root
@pytest.mark.parametrize(
    ("owner", "group", "lost"), [(0, SOMEONE, "group"), (SOMEONE, 0, "owner"), (SOMEONE, SOMEONE, "owner and group")]
)
def test_where_the_owner_or_the_group_cannot_be_kept_it_is_said_which_and_nobody_may_more(
    old: Path, monkeypatch: pytest.MonkeyPatch, owner: int, group: int, lost: str
) -> None:
    set_or_skip(old, ACCESS, packed(WIDE))
    os.chown(old, owner, group)

    monkeypatch.setattr(os, "fchown", refusing(errno.EPERM))
    assert replace(old) == [f"{old}: its {lost} could not be kept"]
    assert acl_of(old) == (WIDE if lost == "owner" else {**WIDE, (GROUP, NO_ID): 4, (OTHERS, NO_ID): 4})


@only_root
def test_a_list_of_a_kind_that_is_not_known_leaves_the_file_where_it_would_have_to_be_narrowed(old, monkeypatch):
    os.chown(old, 0, SOMEONE)
    monkeypatch.setattr(os, "listxattr", lambda _: [ACCESS])
    monkeypatch.setattr(os, "getxattr", lambda *_: struct.pack("<I", 3))

    monkeypatch.setattr(os, "fchown", refusing(errno.EPERM))
    with pytest.raises(WriteError, match="access control list is of version 3, and cannot be kept"):
        replace(old)
    assert (old.read_bytes(), os.listdir(old.parent)) == (b"old", ["m.sdf"])


# Names that another process moves about -------------------------------------------------------------------------------


@WRITERS
@pytest.mark.parametrize("function", ["fchown", "fchmod", "fsync"])
def test_a_link_put_in_the_place_of_the_temporary_file_is_not_followed(old, tmp_path, writer, function, monkeypatch):
    """Whoever owns the directory may swap what is in it, and must not get at what root may change elsewhere."""
    victim = tmp_path.parent / f"victim-{os.getpid()}"
    victim.write_bytes(b"of another")
    victim.chmod(0o600)
    before = victim.stat()
    if IS_ROOT:
        os.chown(old, SOMEONE, SOMEONE)
    old.chmod(0o666)
    real = getattr(os, function)

    def swap(*arguments: Any) -> None:
        (temporary,) = (name for name in os.listdir(old.parent) if name.startswith(".sdfinertia"))
        (old.parent / temporary).unlink()
        (old.parent / temporary).symlink_to(victim)
        monkeypatch.setattr(os, function, real)
        real(*arguments)

    monkeypatch.setattr(os, function, swap)
    try:
        if function == "fchown" and not IS_ROOT:
            pytest.skip("only root can give files away")
        writer(old)
        after = victim.stat()
        assert victim.read_bytes() == b"of another"
        assert (after.st_uid, after.st_gid, after.st_mode) == (before.st_uid, before.st_gid, before.st_mode)
    finally:
        victim.unlink()


@WRITERS
def test_a_directory_swapped_for_a_link_is_not_entered(tmp_path, writer, monkeypatch):
    """Between the resolving of a path and the opening of its directory, that directory may be moved away."""
    for name in ("models/deep", "elsewhere/deep"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "m.sdf").write_bytes(b"old")
    resolve = os.path.realpath

    def resolve_and_swap(path: Any, **keywords: Any) -> str:
        resolved = resolve(path, **keywords)
        if not (tmp_path / "moved").exists():
            (tmp_path / "models").rename(tmp_path / "moved")
            (tmp_path / "models").symlink_to(tmp_path / "elsewhere")
        return str(resolved)

    monkeypatch.setattr(os.path, "realpath", resolve_and_swap)
    with pytest.raises(WriteError):
        writer(tmp_path / "models/deep/m.sdf")
    assert (tmp_path / "elsewhere/deep/m.sdf").read_bytes() == b"old"


@pytest.mark.parametrize("swapped", ["link", "pipe"])
def test_a_file_swapped_for_something_else_is_neither_followed_nor_waited_for(old, tmp_path, monkeypatch, swapped):
    (tmp_path / "other").write_bytes(b"old")
    fsync = os.fsync

    def swap(descriptor: int) -> None:
        old.unlink()
        if swapped == "link":
            old.symlink_to("other")
        else:
            os.mkfifo(old)
        fsync(descriptor)

    monkeypatch.setattr(os, "fsync", swap)
    with pytest.raises(WriteError) as caught:
        replace(old)
    assert caught.value.file == str(old)
    assert (tmp_path / "other").read_bytes() == b"old"
    assert sorted(os.listdir(tmp_path)) == ["m.sdf", "other"]
