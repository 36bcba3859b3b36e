"""Whatever is written as JSON is JSON: its text is UTF-8, and its numbers are finite or null."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import pytest

from sdfinertia.report.json_records import json_of
from sdfinertia.report.link_table import html_text

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run

INERTIAL = (
    "<inertial><mass>{mass}</mass><inertia><ixx>{entry}</ixx><ixy>{entry}</ixy><ixz>0</ixz><iyy>{entry}</iyy>"
    "<iyz>0</iyz><izz>{entry}</izz></inertia></inertial>"
)
MODEL = (
    '<sdf version="1.12"><model name="m"><link name="l\udcff">{inertial}<collision name="c\udcff"><geometry><box>'
    "<size>{size} {size} {size}</size></box></geometry></collision></link></model></sdf>"
)
# Mass, entries of the tensor, and sides of the box.
NUMBERS = {
    "a mass and entries near the largest float": ("1e308", "1e308", "1"),
    "a mass near zero": ("1e-320", "1e308", "1"),
    "entries near zero": ("1e308", "1e-320", "1"),
    "a geometry beyond double precision": ("1", "1", "1e120"),
}
RUNS = [
    ("fill", "--all", "--diff", "--report", "r.json"),
    ("check", "--select", "ALL", "--report", "r.json"),
    ("check", "--select", "ALL", "--report", "r.sarif"),
    ("show", "--format", "json", "--computed"),
    ("show", "--format", "json", "--lumped"),
]
EXPLAINED = [
    ("check", "--why", "--select", "ALL", "--report", "r.json"),
    ("check", "--why", "--select", "ALL", "--report", "r.sarif"),
    ("repair", "--diff", "--report", "r.json"),
    ("repair", "--diff", "--by", "nearest", "--report", "r.json"),
]
CASES = [
    *((run, numbers) for run in RUNS for numbers in NUMBERS.values()),
    *((run, NUMBERS["a geometry beyond double precision"]) for run in EXPLAINED),
]


def refuse(word: str) -> Any:
    raise AssertionError(f"{word} is no JSON")


@pytest.mark.parametrize(("arguments", "numbers"), CASES, ids=" ".join)
def test_numbers_beyond_double_precision_are_null(command, project, arguments, numbers):
    mass, entry, size = numbers
    text = MODEL.format(inertial=INERTIAL.format(mass=mass, entry=entry), size=size)
    (project / "m.sdf").write_bytes(text.encode("utf-8", "surrogateescape"))
    outcome = command(*arguments, "m.sdf")
    written = next(project.glob("r.*"), None)
    output = written.read_bytes() if written is not None else outcome.output
    assert json.loads(output.decode("utf-8"), parse_constant=refuse)


def test_a_moment_beyond_double_precision_is_null(command: Run, project: Path) -> None:
    text = MODEL.format(inertial=INERTIAL.format(mass="1", entry="1e308"), size="1")
    (project / "m.sdf").write_bytes(text.encode("utf-8", "surrogateescape"))
    body = json.loads(command("show", "--format", "json", "m.sdf").output)[0]["bodies"][0]
    assert body["inertia"]["ixx"] == 1e308
    assert body["inertia"]["principal_moments"][2] is None


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({"a\udce4": [math.inf, (-math.inf, {"b": math.nan})]}, '{"a\ufffd": [null, [null, {"b": null}]]}'),
        ([1.5, 10**400, True, None], f"[1.5, 1{'0' * 400}, true, null]"),
        ({"k\udcff": "v\udcc3\udca9\ud800"}, '{"k\ufffd": "vé\ufffd"}'),
        (["a\nb\u202e##[x"], '["a\\nb\\u202e#\\u0023[x"]'),
    ],
)
def test_every_string_and_number_of_a_document_is_one_that_json_has(value: object, text: str) -> None:
    assert json_of(value) == text


def test_a_text_of_a_page_is_on_one_line_of_its_source_and_reads_as_it_is() -> None:
    assert html_text("a\n::error::b\udcff<") == "a&#10;::error::b\ufffd&lt;"
