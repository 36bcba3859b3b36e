"""Models of MuJoCo in an editor: findings, numbers and actions as for other formats; other XML is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from builders.mjcf import ARM_AND_HAND as TEXT

pytest.importorskip("pygls", reason="pygls is not installed")

HAND = """\
<mujocoinclude>
  <body name="hand">
    <!-- sdfinertia: auto -->
    <freejoint/>
    <geom size="0.1"/>
  </body>
</mujocoinclude>
"""
MAIN = '<mujoco model="m">\n  <worldbody>\n    <include file="hand.xml"/>\n  </worldbody>\n</mujoco>\n'


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("", "", ["SDI001"]),
        (" density=500 -->\n", " -->\n", ["SDI001"]),
        ('mass="12"', 'mass="-12"', ["SDI101", "SDI001"]),
        ('diaginertia="13 10 5"', 'diaginertia="13 10 50"', ["SDI103", "SDI001"]),
        ('diaginertia="13 10 5"', 'fullinertia="13 10 5 0 0"', ["SDI106", "SDI001"]),
        ("</body>\n  </worldbody>", "</worldbody>", ["SDI900"]),
    ],
)
def test_findings_are_those_of_check(editor, command, project, old, new, codes):
    path = project / "robot.xml"
    path.write_text(TEXT.replace(old, new))
    found = editor.open(path)
    assert sorted(each.code for each in found) == sorted(codes)
    said = command("check", path.name).output.decode()
    for each in found:
        assert f"robot.xml:{each.range.start.line + 1}:{each.range.start.character + 1}: {each.code}" in said
    editor.shut(path)


def test_a_body_is_told_as_written_beside_computed(editor, project: Path) -> None:
    path = project / "robot.xml"
    editor.open(path, TEXT)
    told = editor.hover(path, "diaginertia")
    assert "m::arm" in told
    assert "| mass" in told
    assert "12" in told
    assert "m::bare" in editor.hover(path, 'name="bare"')
    editor.shut(path)


def test_a_finding_is_suppressed_in_its_body(editor, project: Path) -> None:
    path = project / "robot.xml"
    editor.open(path, TEXT)
    edited = editor.chosen(path, "<!-- sdfinertia", "Suppress SDI001 in hand")
    assert '<body name="hand">\n      <!-- sdfinertia: ignore SDI001 -->\n' in edited
    assert editor.change(path, edited) == []
    editor.shut(path)


def test_a_finding_of_an_included_file_is_at_the_top_with_its_place(editor, project: Path) -> None:
    path, part = project / "robot.xml", project / "hand.xml"
    path.write_text(MAIN)
    part.write_text(HAND)
    (found,) = editor.open(path)
    assert (found.code, found.range.start.line) == ("SDI001", 0)
    (related,) = found.related_information
    assert (related.location.uri, related.location.range.start.line) == (part.as_uri(), 1)
    # What would be written there is not in this text.
    assert not any(title.startswith(("Fill hand", "Suppress")) for title in editor.actions(path, "<include"))
    assert editor.open(part) == []
    editor.shut(path)
    editor.shut(part)


@pytest.mark.parametrize(
    "text",
    [
        "<launch><include/></launch>\n",
        "<package><name>m</name></package>\n",
        "<mujocoinclude><body/></mujocoinclude>\n",
        "<project>\n<unclosed></project>\n",
        "not markup at all\n",
        "",
    ],
)
def test_other_xml_is_left_alone(editor, project: Path, text: str) -> None:
    path = project / "other.xml"
    assert editor.open(path, text) == []
    assert editor.actions(path, text[:1]) == {} if text else True
    assert editor.ask("document_symbol", path) in (None, [])
    editor.shut(path)


def test_a_text_that_becomes_a_model_is_checked(editor, project: Path) -> None:
    path = project / "robot.xml"
    assert editor.open(path, "<launch/>\n") == []
    assert [each.code for each in editor.change(path, TEXT)] == ["SDI001"]
    assert editor.change(path, "<launch/>\n") == []
    editor.shut(path)
