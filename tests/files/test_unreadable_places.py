"""What may not be read is as if it were empty where something is only looked for, and an error where it was asked for.

Root may read everything, so that it is the calls that refuse.
"""

import builtins
import errno
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from builders.documents import BOX_FILE

from sdfinertia import Options, fill_many
from sdfinertia.errors import ResourceError
from sdfinertia.files.finder import Finder
from sdfinertia.runs.source_files import source_files
from sdfinertia.sdf.root import find_model

Close = Callable[[Path], None]


@pytest.fixture
def close(monkeypatch: pytest.MonkeyPatch) -> Close:
    """Has a file or a directory be one that may not be read or listed."""
    closed: set[str] = set()

    def guarded(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(path: Any = ".", *given: Any, **named: Any) -> Any:
            if not isinstance(path, int) and os.path.abspath(os.fsdecode(path)) in closed:
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
            return real(path, *given, **named)

        return call

    for module, name in ((os, "scandir"), (os, "listdir"), (os, "open"), (builtins, "open")):
        monkeypatch.setattr(module, name, guarded(getattr(module, name)))
    return lambda path: closed.add(str(path))


def touch(path: Path, text: str = "x") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def finder(**variables: Path) -> Finder:
    return Finder(environment={name: str(path) for name, path in variables.items()})


# Looked for -----------------------------------------------------------------------------------------------------------


def test_the_index_of_a_repository_goes_on_beside_a_directory_that_cannot_be_listed(project, close):
    mesh = touch(project / "open" / "deep" / "robot" / "a.stl")
    touch(project / "closed" / "deep" / "other" / "a.stl")
    close(project / "closed")
    assert finder().find("model://robot/a.stl", str(project / "w.sdf")) == str(mesh)
    with pytest.raises(ResourceError):
        finder().find("model://other/a.stl", str(project / "w.sdf"))


def test_a_crawl_for_packages_passes_over_what_cannot_be_listed(tmp_path: Path, close: Close) -> None:
    for name in ("leg", "foot"):
        touch(tmp_path / f"in_{name}" / name / "package.xml", f"<package><name>{name}</name></package>")
        touch(tmp_path / f"in_{name}" / name / "a.stl")
    close(tmp_path / "in_foot")
    found = finder(ROS_PACKAGE_PATH=tmp_path)
    assert found.find("package://leg/a.stl", "/nowhere/r.urdf") == str(tmp_path / "in_leg" / "leg" / "a.stl")
    with pytest.raises(ResourceError):
        found.find("package://foot/a.stl", "/nowhere/r.urdf")


def test_a_crawl_for_packages_goes_in_no_circle_and_not_out_of_the_confinement(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for place, name in ((inside, "leg"), (outside, "foot")):
        touch(place / name / "package.xml", f"<package><name>{name}</name></package>")
        touch(place / name / "a.stl")
    (inside / "again").symlink_to(inside)
    (inside / "beyond").symlink_to(outside)
    found = Finder([], str(inside), {"ROS_PACKAGE_PATH": str(inside)})
    assert found.find("package://leg/a.stl", str(inside / "r.urdf")) == str(inside / "leg" / "a.stl")
    with pytest.raises(ResourceError):
        found.find("package://foot/a.stl", str(inside / "r.urdf"))


def test_a_directory_without_model_config_is_told_of_also_where_it_cannot_be_listed(project, close):
    touch(project / "robot" / "model.config.in")
    close(project / "robot")
    with pytest.raises(ResourceError, match=r"robot \(has no model\.config\)"):
        find_model(finder(), "model://robot", str(project / "w.sdf"))


# Asked for ------------------------------------------------------------------------------------------------------------


def test_a_directory_that_cannot_be_listed_is_an_error_of_its_own(project: Path, close: Close) -> None:
    touch(project / "open" / "m.sdf", BOX_FILE)
    (project / "closed").mkdir()
    touch(project / "half" / "m.sdf", BOX_FILE)
    (project / "half" / "closed").mkdir()
    close(project / "closed")
    close(project / "half" / "closed")
    results = list(fill_many(["closed", "half", "open"]))
    assert [(result.path, result.error and result.error.problem) for result in results] == [
        ("closed", "cannot be read: Permission denied"),
        ("half/m.sdf", None),
        ("half/closed", "cannot be read: Permission denied"),
        ("open/m.sdf", None),
    ]
    with pytest.raises(ResourceError, match="half/closed: cannot be read: Permission denied"):
        source_files("half")


def test_a_directory_outside_the_confinement_is_an_error_of_its_own(project: Path) -> None:
    touch(project / "inside" / "m.sdf", BOX_FILE)
    touch(project / "outside" / "m.sdf", BOX_FILE)
    results = list(fill_many(["outside", "inside"], Options(confine=str(project / "inside")), write=None))
    assert [result.path for result in results] == ["outside", "inside/m.sdf"]
    assert "outside: is outside" in str(results[0].error)
    assert results[1].error is None


def test_a_directory_of_meshes_that_cannot_be_listed_is_told_and_the_others_are_weighed(command, project, close):
    cube = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    touch(project / "meshes" / "a.obj", cube + "f 1 2 4 3\nf 5 7 8 6\nf 1 5 6 2\nf 3 4 8 7\nf 1 3 7 5\nf 2 6 8 4\n")
    (project / "meshes" / "closed").mkdir()
    close(project / "meshes" / "closed")
    (project / "meshes" / "loop.obj").symlink_to("loop.obj")
    outcome = command("mesh", "meshes", "--report", "t.jsonl")
    assert outcome.status == 2
    assert "meshes/closed: cannot be read: Permission denied" in outcome.messages
    assert [json.loads(line)["path"] for line in (project / "t.jsonl").read_text().splitlines()] == ["meshes/a.obj"]
