"""What the documentation says of JSON documents is what commands write."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from builders.invocation import invoke
from format_pages import DOCUMENTS, SCHEMA, json_page

from sdfinertia.report import FORMATS

ROOT = Path(__file__).parents[2]
PUBLISHED: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))

Said = Callable[..., Any]


def closed(part: Any) -> Any:
    """The schema where it allows no key that it does not tell of: those that come are told too."""
    if isinstance(part, dict):
        found = {key: closed(value) for key, value in part.items()}
        return {"additionalProperties": False, **found} if "properties" in found else found
    return [closed(value) for value in part] if isinstance(part, list) else part


def require_valid(name: str, document: Any) -> None:
    schema = closed(copy.deepcopy(PUBLISHED)) | {"$ref": f"#/$defs/{name}"}
    jsonschema.Draft202012Validator(schema).validate(document)


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    """What a command prints, or writes to the report that it names, among copies of the fixtures."""
    shutil.copytree(ROOT / "fixtures", tmp_path / "fixtures")
    shutil.copy(ROOT / "docs" / "examples" / "mistakes" / "forearm.urdf", tmp_path)
    # Moments that a double holds, of a tensor whose principal moments none does.
    six = " ".join(f'{name}="1e308"' for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    link = f'<link name="l"><inertial><mass value="1"/><inertia {six}/></inertial>'
    box = '<collision><geometry><box size="1 1 1"/></geometry></collision></link>'
    (tmp_path / "huge.urdf").write_text(f'<robot name="r">{link}{box}</robot>')
    numbers = '<mass value="1"/><inertia ixx="1" iyy="1.5" izz="2" ixy="0" ixz="0" iyz="0"/>'
    arms = (f'<link name="{side}_arm"><inertial>{numbers}</inertial></link>' for side in ("left", "right"))
    (tmp_path / "twins.urdf").write_text(f'<robot name="r">{"".join(arms)}</robot>')
    spoilt = (tmp_path / "twins.urdf").read_text().replace('izz="2"', 'izz="2.1"', 1)
    (tmp_path / "spoilt.urdf").write_text(spoilt)
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Any:
        done = invoke(arguments)
        report = next((word for word in arguments if word.endswith(".json")), None)
        return json.loads(Path(report).read_text(encoding="utf-8") if report else done.stdout)

    return run


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("check", ["check", "--format", "json", "--why", "--select", "ALL", "forearm.urdf", "fixtures/defective"]),
        ("fill", ["fill", "--report", "out.json", "--keep-going", "fixtures/rover", "fixtures/defective"]),
        ("fill", ["fill", "--report", "out.json", "--all", "--open-mesh", "convex_hull", "fixtures/defective"]),
        ("repair", ["repair", "--report", "out.json", "forearm.urdf"]),
        ("repair", ["repair", "--diff", "--report", "out.json", "--by", "nearest", "--link", "*", "forearm.urdf"]),
        (
            "show",
            [
                "show",
                "--format",
                "json",
                "--computed",
                "forearm.urdf",
                "fixtures/rover",
                "fixtures/rover/meshes/wheel.obj",
            ],
        ),
        ("check", ["check", "--format", "json", "--why", "--select", "ALL", "huge.urdf"]),
        ("fill", ["fill", "--report", "out.json", "--all", "huge.urdf"]),
        ("repair", ["repair", "--report", "out.json", "--by", "nearest", "huge.urdf"]),
        ("show", ["show", "--format", "json", "--computed", "huge.urdf"]),
        ("show", ["show", "--format", "json", "--lumped", "fixtures/rover"]),
        ("compare", ["compare", "--format", "json", "forearm.urdf", "huge.urdf"]),
        ("compare", ["compare", "--report", "out.json", "twins.urdf", "spoilt.urdf"]),
        ("compare", ["compare", "--report", "out.json", "huge.urdf", "huge.urdf"]),
        ("mesh", ["mesh", "--format", "json", "fixtures/rover/meshes", "fixtures/defective/meshes/open_box.stl"]),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(value[1:4]),
)
def test_a_document_is_as_its_schema_says(name: str, arguments: list[str], said: Said) -> None:
    document = said(*arguments)
    assert document
    require_valid(name, document)


def test_every_json_report_has_a_schema() -> None:
    (form,) = (form for form in FORMATS if form.name == "json")
    assert form.contents == ("findings", "results", "comparison")
    assert {"check", "fill", "repair", "compare"} <= set(DOCUMENTS) <= set(PUBLISHED["$defs"])


def links_in(page: str) -> Iterator[str]:
    for word in page.split("](#")[1:]:
        yield word.partition(")")[0]


def test_the_page_has_every_part_of_the_schema() -> None:
    page = json_page()
    names = {line.removeprefix("## ") for line in page.splitlines() if line.startswith("## ")}
    assert names == set(PUBLISHED["$defs"])
    assert set(links_in(page)) <= names
