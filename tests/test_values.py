"""Habits of values that hold all through the package: errors stay as raised, and enums read as the words they are."""

import ast
import copy
import copyreg
import json
import pickle
from collections.abc import Iterator
from enum import Enum
from pathlib import Path

import pytest

import sdfinertia
from sdfinertia.errors import Location, OpenMeshError
from sdfinertia.links.inputs import DensitySource
from sdfinertia.links.status import Status
from sdfinertia.mesh.method import METHODS, OPEN_MESH_POLICIES, Method, policy_named

PACKAGE = Path(sdfinertia.__file__).parent
WORDS = [Method, Status, DensitySource]


def changes_of_caught(tree: ast.AST) -> Iterator[int]:
    """The lines that set something on an error that was caught."""
    for handler in ast.walk(tree):
        if isinstance(handler, ast.ExceptHandler) and handler.name is not None:
            for node in ast.walk(handler):
                for target in node.targets if isinstance(node, ast.Assign) else ():
                    if isinstance(target, ast.Attribute) and getattr(target.value, "id", None) == handler.name:
                        yield node.lineno


def test_no_error_is_changed_once_it_is_caught_and_such_a_change_would_be_seen() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line in changes_of_caught(ast.parse(path.read_bytes()))
    ]
    assert found == []
    code = "try:\n    pass\nexcept ValueError as error:\n    other.file = 'a'\n    error.file = 'b'\n    raise\n"
    assert list(changes_of_caught(ast.parse(code))) == [5]


def test_another_remedy_makes_another_error() -> None:
    found = OpenMeshError("is open", remedy="choose --open-mesh", one_sided=True)
    error = found.within(location=Location("a.sdf", 1, 2), link="m::l")
    other = error.with_remedy("close it")
    assert "choose --open-mesh" in error.remedy
    assert str(other) == "a.sdf:1:2: link 'm::l': is open; close it"
    assert isinstance(other, OpenMeshError)
    assert other.one_sided


def test_an_error_is_copied_whatever_is_said_of_pickling_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def shared(attributes: dict[str, object]) -> OpenMeshError:
        copied = OpenMeshError("is open")
        copied.__dict__ = attributes
        return copied

    # As tblib has it, which Dask loads.
    monkeypatch.setitem(copyreg.dispatch_table, OpenMeshError, lambda error: (shared, (vars(error),)))
    error = OpenMeshError("is open", one_sided=True)
    copy.copy(error).remedy = "close it"
    assert error.remedy == "close it", "what is to be held against is there"
    other = error.with_remedy("leave it").within(link="m::l")
    assert (error.remedy, error.link) == ("close it", None)
    assert (other.remedy, other.link, other.args) == ("leave it", "m::l", ("is open",))


@pytest.mark.parametrize("words", WORDS)
def test_what_stands_in_reports_is_the_word_however_it_is_written(words: type[Enum]) -> None:
    for member in words:
        assert isinstance(member.value, str)
        assert f"{member}|{member:<12}|{member!s}" == f"{member.value}|{member.value:<12}|{member.value}"
        assert json.dumps([member], indent=1) == json.dumps([member.value], indent=1)
        assert pickle.loads(pickle.dumps(member)) is member


def test_every_word_of_files_and_options_is_a_method_and_every_method_can_be_asked_for() -> None:
    # A mesh asset of MuJoCo asks for two, and what explains numbers for the third.
    others = {Method.LEGACY, Method.SURFACE, Method.DIVERGENCE}
    assert {*map(Method, METHODS), *map(policy_named, OPEN_MESH_POLICIES), *others} == {*Method, None}
