"""What is malformed stops no rule that needs it not, and lets none guess that does."""

from __future__ import annotations

import pytest
from builders.documents import collision, one_link
from builders.findings import codes as codes_of

BOX = collision()
OTHER = BOX.replace("'c'", "'d'")
VISUAL = BOX.replace("collision", "visual")
SHORT = ("1 2 3", "1 2")
SOUND = "<mass>12</mass><inertia><ixx>13</ixx><ixy>0</ixy><ixz>0</ixz><iyy>10</iyy><iyz>0</iyz><izz>5</izz></inertia>"
HEAVY = ("<mass>12<", "<mass>12000<")
LONG = ("<ixx>13<", "<ixx>130<")
MASSLESS = ("<mass>12<", "<mass>0<")
# What is computed from the shapes, or held against them.
BY_SHAPE = frozenset({"SDI204", "SDI207"})


def codes(inertial: str, *, of_model: str = "", of_link: str = BOX) -> set[str]:
    return set(codes_of(one_link(f"<inertial>{inertial}</inertial>{of_link}", before=of_model), "ALL"))


@pytest.mark.parametrize(
    ("parts", "are_told_by_shape", "is_unreadable"),
    [
        (BOX + OTHER.replace(*SHORT), False, True),
        (BOX + "<collision name='d'><geometry><mesh/></geometry></collision>", False, True),
        (BOX.replace(*SHORT) + VISUAL, True, True),
        (BOX + VISUAL.replace(*SHORT), True, True),
        (BOX + "<visual name='v'><geometry><mesh/></geometry></visual>", True, True),
        (BOX + VISUAL.replace("<geometry>", "<pose>0 0</pose><geometry>"), True, True),
        (BOX + VISUAL.replace("<geometry>", "<pose relative_to='nobody'/><geometry>"), True, False),
        (BOX + "<visual name='v'><geometry><empty/></geometry></visual>", True, False),
        (BOX + "<collision name='d'><geometry><plane/></geometry></collision>", True, False),
    ],
)
@pytest.mark.parametrize("wrong", [("", ""), HEAVY, LONG, MASSLESS], ids=["sound", "heavy", "long", "massless"])
def test_a_malformed_shape_is_nothing_to_go_by(parts, are_told_by_shape, is_unreadable, wrong):
    inertial = SOUND.replace(*wrong) if wrong[0] else SOUND
    whole, found = codes(inertial), codes(inertial, of_link=parts)
    assert ("SDI902" in found) is is_unreadable
    found -= {"SDI902"}
    assert found - BY_SHAPE == whole - BY_SHAPE
    assert found <= whole
    if not are_told_by_shape:
        assert not found & BY_SHAPE


@pytest.mark.parametrize("wrong", [HEAVY, LONG, MASSLESS])
def test_a_model_that_does_not_say_whether_it_moves_is_judged_as_one_that_does(wrong: tuple[str, str]) -> None:
    inertial = SOUND.replace(*wrong)
    unsure = codes(inertial, of_model="<static>maybe</static>")
    assert codes(inertial, of_model="<static>0</static>") == codes(inertial)
    assert unsure & {"SDI101", "SDI103", "SDI207"} == codes(inertial) & {"SDI101", "SDI103", "SDI207"}
