"""Which files a description may read, by the names in its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sdfinertia.errors import ResourceError
from sdfinertia.files.revisions import reached

if TYPE_CHECKING:
    from collections.abc import Iterable

FILES = {
    "a/one.sdf": "",
    "a/my one.sdf": "",
    "left_arm.xacro": "",
    "arm.xacro": "",
    "p.yaml": "q.yaml",
    "q.yaml": "",
    "models/first/model.config": "<model><name>First</name><sdf>model.sdf</sdf></model>",
    "models/first/model.sdf": "",
    "models/second/model.config": "<model><name>other</name><sdf>model.sdf</sdf></model>",
    "models/second/model.sdf": "",
}
CONFIGS = {"models/first/model.config", "models/second/model.config"}


def reached_from(text: str, files: dict[str, str]) -> set[str]:
    every = {"r.sdf": text, **files}

    def read(paths: Iterable[str], _: bool) -> dict[str, bytes]:
        return {path: every[path].encode() for path in paths}

    return set(reached("r.sdf", every, read)) - {"r.sdf"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", set()),
        ('<include file="one.sdf"/>', {"a/one.sdf"}),
        ("<include file='../x/one.sdf'/>", {"a/one.sdf"}),
        ('<include file="a\\one.sdf"/>', {"a/one.sdf"}),
        ('<include file="my%20one.sdf"/>', {"a/one.sdf", "a/my one.sdf"}),
        ('<include file="arm.xacro"/>', {"arm.xacro"}),
        ('<include file="${side}arm.xacro"/>', {"arm.xacro", "left_arm.xacro"}),
        ('<include file="${side}_arm.xacro"/>', {"left_arm.xacro"}),
        ('<include file="*.xacro"/>', {"arm.xacro", "left_arm.xacro"}),
        ("${load_yaml('p.yaml')}", {"p.yaml", "q.yaml"}),
        ("<uri>model://first</uri>", CONFIGS | {"models/first/model.sdf"}),
        ("<uri>model://other</uri>", CONFIGS | {"models/second/model.sdf"}),
    ],
)
def test_a_file_is_reached_by_its_name(text: str, expected: set[str]) -> None:
    assert reached_from(text, FILES) == expected


@pytest.mark.parametrize("files", [{f"n{k}.sdf": f"n{k + 1}.sdf" for k in range(200)}, {"n0.sdf": " " * 100}])
def test_what_reaches_too_much_is_one_error(files: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sdfinertia.files.revisions._MAX_BYTES", 100 if len(files) == 1 else 1 << 20)
    with pytest.raises(ResourceError, match="more than"):
        reached_from("n0.sdf", files)
