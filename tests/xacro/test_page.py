"""The page of a xacro file shows the robot, and changes nothing."""

import pytest
from builders.xacros import link, robot

import sdfinertia
from sdfinertia.commands import edit
from sdfinertia.editing.changes import SetMass
from sdfinertia.editing.session import Session
from sdfinertia.errors import SdfInertiaError
from sdfinertia.options import Options

pytest.importorskip("xacro")

MACRO = f'<xacro:macro name="m" params="n">\n{link("${n}")}</xacro:macro><xacro:m n="a"/><xacro:m n="b"/>'


@pytest.mark.usefixtures("project")
def test_a_draft_of_xacro_is_looked_at_and_not_changed() -> None:
    draft = sdfinertia.open_draft(robot(MACRO))
    assert draft.inertia("r::b").mass == 1.0
    with pytest.raises(SdfInertiaError, match="xacro cannot be edited this way"):
        draft.changed(SetMass("r::b", 2.0))


@pytest.mark.usefixtures("project")
def test_a_session_tells_findings_at_the_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sdfinertia.editing.session.PATIENCE", 60.0)
    page = Session(str(robot(MACRO)), Options(), is_read_only=True).page()
    assert "SDI103" in page
    assert "in 2 links: a, b" in page


@pytest.mark.usefixtures("project")
def test_edit_opens_xacro_for_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bool] = []

    def session(path: str, options: Options, *, is_read_only: bool, keeps: bool) -> object:
        made.append(is_read_only)
        return type("S", (), {"unsaved": 0})()

    monkeypatch.setattr(edit, "_server", lambda: lambda *_: None)
    monkeypatch.setattr(edit, "Session", session)
    edit.run_edit(str(robot(MACRO)), {}, opens_browser=False)
    assert made == [True]
