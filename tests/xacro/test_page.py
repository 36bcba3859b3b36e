"""The page of a xacro file shows the robot, and changes nothing."""

import pytest
from builders.xacros import link, robot

import sdfinertia
from sdfinertia.editing.changes import SetMass
from sdfinertia.errors import SdfInertiaError

pytest.importorskip("xacro")

MACRO = f'<xacro:macro name="m" params="n">\n{link("${n}")}</xacro:macro><xacro:m n="a"/><xacro:m n="b"/>'


@pytest.mark.usefixtures("project")
def test_a_draft_of_xacro_is_looked_at_and_not_changed() -> None:
    draft = sdfinertia.open_draft(robot(MACRO))
    assert draft.inertia("r::b").mass == 1.0
    with pytest.raises(SdfInertiaError, match="xacro cannot be edited this way"):
        draft.changed(SetMass("r::b", 2.0))
