"""What an editor shows while a model is typed is what `check` finds in its text."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from builders.meshes import OBJ_TETRAHEDRON

pytest.importorskip("pygls", reason="pygls is not installed")

from lsprotocol.types import DiagnosticSeverity, DiagnosticTag

import sdfinertia
from sdfinertia.errors import Location
from sdfinertia.lsp.session import SharedState, Version
from sdfinertia.lsp.shown import diagnostics
from sdfinertia.options import GivenOptions
from sdfinertia.report import rules as rules_in_words

FIXTURES = Path(__file__).parents[2] / "fixtures"
RIGHT = """\
<sdf version="1.9">
  <model name="m">
    <link name="l">
      <inertial>
        <mass>2</mass>
        <inertia><ixx>0.1</ixx><ixy>0</ixy><ixz>0</ixz><iyy>0.1</iyy><iyz>0</iyz><izz>0.1</izz></inertia>
      </inertial>
    </link>
  </model>
</sdf>
"""
WRONG = RIGHT.replace("<mass>2</mass>", "<mass>-2</mass>")


def looked_at(text: str, path: Path) -> Version:
    """A text of which all is known that is to be known."""
    version = SharedState(GivenOptions()).version(text, str(path), "utf-16")
    for _ in version.steps():
        pass
    return version


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path / "model.sdf"


def codes(found) -> list[str]:
    return [each.code for each in found]


def test_the_open_text_counts_and_not_the_file_on_disk(editor, path):
    path.write_text(RIGHT)
    assert editor.open(path) == []
    assert codes(editor.change(path, WRONG)) == ["SDI101"]
    assert editor.change(path, RIGHT) == []
    assert path.read_text() == RIGHT


def test_a_finding_stands_on_its_tag_with_code_and_severity(editor, path: Path) -> None:
    (found,) = editor.open(path, WRONG)
    place = found.range
    assert (place.start.line, place.start.character, place.end.line, place.end.character) == (4, 8, 4, 14)
    assert (found.code, found.source, found.severity) == ("SDI101", "sdfinertia", DiagnosticSeverity.Error)
    assert found.message.startswith("mass of -2 kg")
    assert "\n" not in found.message


def test_what_rests_on_a_judgement_is_a_warning(editor, path: Path) -> None:
    ball = "<collision name='c'><geometry><sphere><radius>0.01</radius></sphere></geometry></collision>"
    found = {each.code: each.severity for each in editor.open(path, RIGHT.replace("</inertial>", f"</inertial>{ball}"))}
    assert found["SDI203"] == DiagnosticSeverity.Warning


def test_an_unused_suppression_is_faded(editor, path: Path) -> None:
    (found,) = editor.open(path, RIGHT.replace("<inertial>", "<!-- sdfinertia: ignore SDI101 --><inertial>"))
    assert (found.code, found.tags) == ("SDI801", (DiagnosticTag.Unnecessary,))
    assert found.range.end.character - found.range.start.character == len("<!-- sdfinertia: ignore SDI101 -->")


def test_a_finding_that_is_suppressed_excluded_or_ignored_is_not_shown(editor, editors, path: Path) -> None:
    assert editor.open(path, WRONG.replace("<inertial>", "<inertial><!-- sdfinertia: ignore SDI101 -->")) == []
    assert editors("vscode", "--ignore", "SDI1").open(path, WRONG) == []
    path.with_name("sdfinertia.toml").write_text('exclude = ["model.sdf"]\n')
    assert editor.change(path, WRONG) == []


def test_a_code_leads_to_the_page_of_its_rule(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules_in_words, "DOCUMENTATION", "https://example.org/docs")
    (found,) = diagnostics(looked_at(WRONG, path))
    assert found.code_description.href == "https://example.org/docs/reference/rules/SDI101.html"


FILES = sorted(
    path
    for path in FIXTURES.rglob("*")
    # An editor opens nothing that is no text.
    if path.suffix in (".sdf", ".world", ".urdf") and path.stem != "binary_garbage"
)


@pytest.fixture(scope="module")
def shared_state() -> SharedState:
    return SharedState(GivenOptions())


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.relative_to(FIXTURES).as_posix())
def test_they_are_the_findings_of_check(shared_state: SharedState, file: Path) -> None:
    text = file.read_bytes().decode()
    version = shared_state.version(text, str(file), "utf-16")
    for _ in version.steps():
        pass
    found = [each for each in diagnostics(version) if each.code is not None]
    expected = sdfinertia.check(file)
    assert [(each.code, each.range.start.line + 1) for each in found] == [
        (finding.code, finding.location.line) for finding in expected
    ]
    lines = text.splitlines()
    for each, finding in zip(found, expected, strict=True):
        assert each.message.startswith(finding.message[:40])
        assert not re.search(r"sdfinertia (fill|repair|check)|(?<![\w.<…])/\w+/", each.message)
        before = lines[each.range.start.line][: finding.location.column - 1] if lines else ""
        assert each.range.start.character == len(before.encode("utf-16-le")) // 2


@pytest.mark.parametrize(
    ("client", "units", "character"),
    [("vscode", "utf-16", 13), ("helix", "utf-8", 18), ("plain", "utf-16", 13)],
    ids=["utf-16", "utf-8", "default"],
)
def test_places_are_counted_as_the_editor_counts(editors, path: Path, client: str, units: str, character: int) -> None:
    assert editors(client).result.capabilities.position_encoding == units
    # A line separator ends no line of an editor.
    wrong = WRONG.replace("        <mass>", "<!-- 🤖\u2028\u00e9 --><mass>")
    (found,) = editors(client).open(path, wrong)
    assert (found.range.start.line, found.range.start.character) == (4, character)
    assert found.range.end.character == character + len("<mass>")
    editors(client).shut(path)


def test_a_text_that_declares_another_encoding_is_read_as_that(editor, path: Path) -> None:
    text = '<?xml version="1.0" encoding="ISO-8859-1"?>\n' + WRONG.replace('name="l"', 'name="h\u00e4nd"')
    (found,) = editor.open(path, text)
    assert found.code == "SDI101"
    assert "h\u00e4nd" in editor.hover(path, "<mass>")


def test_a_text_that_cannot_be_parsed_says_so_until_it_can(editor, path: Path) -> None:
    assert editor.open(path, RIGHT) == []
    (found,) = editor.change(path, RIGHT.replace("</model>", ""))
    assert found.code == "SDI900"
    assert editor.change(path, RIGHT) == []


def test_the_next_change_ends_what_was_begun(editor, path: Path) -> None:
    editor.open(path, RIGHT)
    before = len(editor.published[path.as_uri()])
    for number in range(20):
        editor.change(path, WRONG + " " * number, waits=False)
    assert codes(editor.change(path, WRONG)) == ["SDI101"]
    # What was typed meanwhile was not looked at, but for a moment in which nobody typed.
    assert len(editor.published[path.as_uri()]) - before <= 3


def test_a_closed_text_has_no_findings(editor, path: Path) -> None:
    editor.open(path, WRONG)
    editor.shut(path)
    editor.open(path.with_name("other.sdf"), RIGHT)
    assert editor.published[path.as_uri()][-1].diagnostics == ()


def test_configuration_holds_as_on_the_command_line(editor, path: Path) -> None:
    configuration = path.with_name("sdfinertia.toml")
    configuration.write_text('ignore = ["SDI101"]\n')
    assert editor.open(path, WRONG) == []
    configuration.write_text("ignore = []\n")
    assert codes(editor.change(path, WRONG + " ")) == ["SDI101"]
    configuration.write_text("nonsense = []\n")
    (found,) = editor.change(path, WRONG)
    assert found.code is None
    assert "unknown key 'nonsense'" in found.message
    assert found.severity == DiagnosticSeverity.Error


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("package.xml", "<package/>", []),
        ("package.xml", "<package>", []),
        ("model.xml", WRONG, ["SDI101"]),
        ("model.world", "<package/>", ["SDI900"]),
    ],
)
def test_other_xml_is_left_alone(editor, path: Path, name: str, text: str, expected: list[str]) -> None:
    assert codes(editor.open(path.with_name(name), text)) == expected


def test_known_findings_are_left_out(editors, path: Path) -> None:
    baseline = path.with_name("known.json")
    entry = {"path": "model.sdf", "link": "m::l", "code": "SDI101"}
    baseline.write_text(json.dumps({"format": 1, "findings": [entry]}))
    editor = editors("vscode", "--baseline", str(baseline))
    assert editor.open(path, WRONG) == []
    assert codes(editor.change(path, WRONG.replace('"l"', '"k"'))) == ["SDI101"]


MESHED = RIGHT.replace(
    "</inertial>", "</inertial><collision name='c'><geometry><mesh><uri>part.obj</uri></mesh></geometry></collision>"
)


def test_a_link_that_cannot_be_judged_says_why(editor, path: Path) -> None:
    (found,) = editor.open(path, MESHED)
    assert (found.code, found.severity) == (None, DiagnosticSeverity.Information)
    assert "not found: part.obj" in found.message


def test_a_file_that_comes_is_seen_when_the_editor_tells_of_it(editor, path: Path) -> None:
    editor.open(path, MESHED)
    before = len(editor.published[path.as_uri()])
    mesh = path.with_name("part.obj")
    mesh.write_text(OBJ_TETRAHEDRON)
    (watch,) = [each for each in editor.registered if each.method == "workspace/didChangeWatchedFiles"]
    patterns = [each["globPattern"] for each in watch.register_options["watchers"]]
    assert {"**/*.obj", "**/sdfinertia.toml", "**/package.xml", "**/*.sdf"} <= set(patterns)
    event = editor.lsp.FileEvent(mesh.as_uri(), editor.lsp.FileChangeType.Created)
    editor.tell(editor.client.workspace_did_change_watched_files, editor.lsp.DidChangeWatchedFilesParams([event]))
    assert editor.diagnostics(path, beyond=before) == []


def test_a_mesh_that_changes_is_read_again(editor, path: Path) -> None:
    mesh = path.with_name("part.obj")
    mesh.write_text(OBJ_TETRAHEDRON)
    assert editor.open(path, MESHED) == []
    mesh.write_text("f 1 2 3\n")
    (found,) = editor.change(path, MESHED + " ")
    assert found.code == "SDI902"


def test_a_saved_model_counts_in_the_texts_that_include_it(editor, path: Path) -> None:
    model = path.with_name("part.sdf")
    model.write_text(RIGHT)
    nested = "<include><uri>part.sdf</uri><name>p</name></include><link name='l'/>"
    joint = "<joint name='j' type='fixed'><parent>l</parent><child>p::l</child></joint>"
    text = f"<sdf version='1.9'><model name='w'>{nested}{joint}</model></sdf>"
    assert editor.open(path, text) == []
    before = len(editor.published[path.as_uri()])
    model.write_text(RIGHT.replace('"l"', '"other"'))
    saved = editor.lsp.DidSaveTextDocumentParams(editor.lsp.TextDocumentIdentifier(model.as_uri()))
    editor.tell(editor.client.text_document_did_save, saved)
    assert codes(editor.diagnostics(path, beyond=before)) == ["SDI109"]


def test_meshes_are_found_where_the_command_line_says(editors, path: Path) -> None:
    parts = path.with_name("parts")
    parts.mkdir()
    (parts / "part.obj").write_text(OBJ_TETRAHEDRON)
    text = MESHED.replace("part.obj", "model://part.obj")
    assert editors("vscode", "--resource-path", str(parts)).open(path, text) == []


XACRO = """\
<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="mass" value="2"/>
  <link name="l">
    <inertial>
      <mass value="${mass}"/>
      <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="100"/>
    </inertial>
  </link>
</robot>
"""


def test_xacro_is_checked_once_it_is_expanded_also_in_a_urdf_file_and_has_no_links_in_its_text(editor, path):
    (found,) = editor.open(path.with_suffix(".xacro"), XACRO)
    assert (found.code, found.range.start.line) == ("SDI103", 5)
    version = SharedState(GivenOptions()).version(XACRO, str(path.with_suffix(".xacro")), "utf-16")
    assert list(version.links()) == []
    assert [root.name for root in version.roots] == ["robot"]


def test_what_is_found_elsewhere_stands_at_the_top_and_leads_there(path: Path) -> None:
    version = looked_at(WRONG, path)
    (finding,) = version.result.findings
    elsewhere = finding._replace(location=Location(str(path.with_name("other file.sdf")), 7, 3))
    version.result = version.result._replace(findings=(elsewhere,))
    (found,) = diagnostics(version)
    assert (found.range.start.line, found.range.end.line) == (0, 0)
    assert found.related_information is not None
    (place,) = found.related_information
    assert place.location.uri.endswith("/other%20file.sdf")
    assert (place.location.range.start.line, place.location.range.start.character) == (6, 2)


XACRO_ROOT = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
MACRO = """\
<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="arm" params="name">
    <link name="${name}">
      <inertial><mass value="-2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1.5"/></inertial>
    </link>
  </xacro:macro>
</robot>
"""
USER = f"""\
{XACRO_ROOT}
  <xacro:include filename="arm.xacro"/>
  <xacro:arm name="left"/>
</robot>
"""


@pytest.fixture
def macros(path: Path) -> Path:
    pytest.importorskip("xacro", reason="xacro is not installed")
    path.with_name("robot.urdf.xacro").write_text(USER)
    path.with_name("arm.xacro").write_text(MACRO.replace("-2", "2"))
    return path.with_name("arm.xacro")


def test_a_file_of_macros_shows_what_the_robots_that_use_it_have(editor, macros: Path) -> None:
    found = editor.open(macros, MACRO)
    assert [(each.code, each.range.start.line) for each in found] == [("SDI101", 3)]
    assert editor.change(macros, MACRO.replace("-2", "2")) == []


def test_a_finding_in_a_macro_is_at_its_call(editor, macros: Path) -> None:
    macros.write_text(MACRO)
    (found,) = editor.open(macros.with_name("robot.urdf.xacro"), USER)
    assert (found.code, found.range.start.line) == ("SDI101", 2)
    (related,) = found.related_information
    assert related.location.uri == macros.as_uri()


def test_a_urdf_file_with_xacro_in_it_is_expanded(editor, path: Path) -> None:
    pytest.importorskip("xacro", reason="xacro is not installed")
    (found,) = editor.open(path.with_suffix(".urdf"), XACRO)
    assert found.code != "SDI900"
