"""What work looks at is recorded, in one place that no room goes around."""

import ast
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import sdfinertia
from sdfinertia.files import observations
from sdfinertia.files.observations import Kept, Record, facts_of, include, on_behalf_of, recorded
from sdfinertia.files.present import Present

PACKAGE = Path(sdfinertia.__file__).parent
# The rooms that the work on a file goes through.
ROOMS = ("files", "mesh", "markup", "robot", "sdf", "urdf", "mjcf", "xacro", "links", "causes", "rules", "documents")
ASKING = {
    *(
        "exists",
        "lexists",
        "isfile",
        "isdir",
        "islink",
        "getsize",
        "getmtime",
        "samefile",
        "scandir",
        "listdir",
        "walk",
    ),
    *("stat", "lstat", "access", "readlink", "listdir", "walk", "glob", "iglob", "open", "environ", "getenv"),
    *("read_text", "read_bytes"),
}
# Why others ask the system themselves.
REASONS = {
    "files/observations.py": "the place where it is asked",
    "files/present.py": "compares with what was recorded",
    "files/regular_file.py": "records what it reads, and gives up what it cannot; directories held open are written to",
    "files/atomic_file.py": "writes",
    "files/temporary_file.py": "writes",
    "files/child_process.py": "the environment of a process, which says what it reads",
    "files/standard_streams.py": "streams of the process",
    "files/cache_file.py": "the cache itself",
    "files/copies.py": "copies of a model, compared: what rests on that is not remembered",
    "files/finder.py": "the environment of a search, which a run that is remembered notes by itself",
    "files/walk.py": "entries of a directory that is recorded",
    "files/revisions.py": "files of another revision, which nothing that is remembered rests on",
    "mesh/cache.py": "the program itself",
    "mesh/store.py": "the size of a buffer, which gives up where it is refused",
    "mesh/readers/step.py": "the program of another process, which gets bytes",
    "mesh/readers/threemf_package.py": "an archive in memory",
    "xacro/expansion.py": "the environment of a process, which says what it reads",
    "xacro/sandbox.py": "refuses, whatever is there",
    "xacro/uses.py": "what filling xacro rests on is not remembered",
    "links/context.py": "the environment, which is in the key of what is remembered",
    "rules/baseline.py": "a baseline, which is read by the run",
    "documents/opened.py": "the file itself, which is read then",
    "documents/meshes.py": "meshes by themselves are not remembered",
    "documents/xacro_robots.py": "what filling xacro rests on is not remembered",
}


def asked_in(path: Path) -> Iterator[str]:
    """What a module asks of the system by itself."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and node.attr in ASKING:
            owner = ast.unparse(node.value)
            if owner in ("os", "os.path", "glob", "shutil", "io") or node.attr.startswith("read_"):
                yield f"{owner}.{node.attr}"
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open":
            yield "open"


def test_rooms_ask_the_system_in_one_place() -> None:
    found = {
        str(path.relative_to(PACKAGE)): sorted(set(asked_in(path)))
        for room in ROOMS
        for path in sorted((PACKAGE / room).rglob("*.py"))
    }
    others = {name: asked for name, asked in found.items() if asked and name not in REASONS}
    assert others == {}, "ask sdfinertia.files.observations, or say why not"


LOOKS: dict[str, Callable[[str], Any]] = {
    "is_file": observations.is_file,
    "is_directory": observations.is_directory,
    "exists": observations.exists,
    "is_link": observations.is_link,
    "size_of": observations.size_of,
    "real_path": observations.real_path,
    "sorted_names": observations.sorted_names,
    "sorted_entries": observations.sorted_entries,
    "head_of": lambda path: observations.head_of(path, 4),
}


def facts(look: Callable[[str], Any], path: Path) -> tuple[Any, Any]:
    with recorded() as record:
        try:
            found = look(str(path))
        except OSError:
            found = "refused"
    return found, facts_of(record)


def make(path: Path, kind: str) -> None:
    if kind in ("file", "other file"):
        path.write_text("content" if kind == "file" else "another")
    elif kind in ("directory", "other directory"):
        path.mkdir()
        (path / "below").mkdir() if kind == "other directory" else (path / "package.xml").write_text("")
    elif kind != "nothing":
        path.symlink_to(path.parent / ("target" if kind == "link" else "nothing"))


KINDS = ("nothing", "file", "other file", "directory", "other directory", "link", "lost link")


@pytest.mark.parametrize("name", LOOKS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_look_that_would_find_something_else_does_not_hold(tmp_path: Path, name: str, kind: str) -> None:
    (tmp_path / "target").write_text("content")
    make(tmp_path / "it", kind)
    found, listed = facts(LOOKS[name], tmp_path / "it")
    if listed is None:
        # What rests on a file that cannot be opened is not remembered.
        assert (name, found) == ("head_of", "refused")
        return
    assert all(Present().still(fact) is not None for fact in listed)
    for number, other in enumerate(KINDS):
        (tmp_path / "it").rename(tmp_path / f"before{number}") if os.path.lexists(tmp_path / "it") else None
        make(tmp_path / "it", other)
        holds = all(Present().still(fact) is not None for fact in listed)
        again = facts(LOOKS[name], tmp_path / "it")[0]
        if holds:
            assert shown(again) == shown(found)
        if other == kind:
            assert holds


def shown(found: Any) -> Any:
    return [entry.name for entry in found] if isinstance(found, list) and found and hasattr(found[0], "name") else found


def test_what_is_young_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("content")
    _, (young,) = facts(LOOKS["head_of"], path)
    assert young[3] == ""
    os.utime(path, (1e9, 1e9))
    # The time of the last change of state cannot be set back.
    _, (young,) = facts(LOOKS["head_of"], path)
    assert young[3] == ""
    assert observations.stamp_of(path.stat(), time.time() + 3) != ""
    assert observations.stamp_of(path.stat(), time.time() + 1) == ""


def test_the_stamp_of_what_is_the_same_elsewhere_is_renewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observations, "_SETTLED", -60.0)
    path = tmp_path / "file"
    path.write_text("content")
    _, (fact,) = facts(LOOKS["head_of"], path)
    assert Present().still(fact) == fact
    (tmp_path / "new").write_text("content")
    (tmp_path / "new").replace(path)
    still = Present().still(fact) or fact
    assert still[3] != fact[3]
    assert still[:3] == fact[:3]
    path.write_text("different")
    assert Present().still(still) is None


def test_what_is_kept_brings_its_facts_to_all_that_ask(tmp_path: Path) -> None:
    kept = Kept(lambda name: observations.exists(str(tmp_path / name)))
    for _ in range(2):
        _, (fact,) = facts(kept, Path("a"))
        assert fact[1] == str(tmp_path / "a")


def test_what_nobody_recorded_or_changes_between_two_looks_cannot_be_relied_on(tmp_path: Path) -> None:
    kept = Kept(lambda name: observations.exists(str(tmp_path / name)))
    kept("a")
    with recorded() as record:
        kept("a")
    assert facts_of(record) is None
    of_file = Record()
    with on_behalf_of(of_file):
        observations.exists(str(tmp_path))
    with recorded() as record:
        include(of_file)
    assert facts_of(record) is None
    with recorded() as record:
        observations.exists(str(tmp_path / "a"))
        (tmp_path / "a").write_text("")
        observations.exists(str(tmp_path / "a"))
    assert facts_of(record) is None


def test_records_may_include_each_other(tmp_path: Path) -> None:
    one, other = Record(), Record()
    with recorded() as record:
        with on_behalf_of(one), on_behalf_of(other):
            observations.exists(str(tmp_path / "a"))
        with on_behalf_of(other), on_behalf_of(one):
            observations.exists(str(tmp_path / "b"))
    assert {fact[1] for fact in facts_of(record) or ()} == {str(tmp_path / "a"), str(tmp_path / "b")}
