from __future__ import annotations

import pytest

from sdfinertia.documents.checking import check
from sdfinertia.options import Options

BODY = (
    "<inertial><mass>{mass}</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz>"
    "</inertia></inertial>"
)


def codes(inside: str, *select: str) -> list[str]:
    text = f"<sdf version='1.7'><model name='m'>{inside}</model></sdf>"
    return [finding.code for finding in check(text.encode(), Options(select=select))]


@pytest.mark.parametrize(
    ("frames", "found"),
    [
        (
            "<frame name='n::__model__' attached_to='n::k'/>"
            "<link name='n::k'><pose relative_to='n::__model__'/></link>",
            0,
        ),
        ("<frame name='n::o::__model__' attached_to='l'/><frame name='f' attached_to='n::o::__model__'/>", 0),
        ("<frame name='n::__model__' attached_to='lost'/>", 1),
        ("<frame name='f' attached_to='n::__model__'/>", 1),
    ],
)
def test_flattened_names_of_model_frames_lead_nowhere_only_if_they_do(frames: str, found: int) -> None:
    # The pose of `n::__model__` is relative to `n::k` by default, so it is given here relative to the model.
    frames = frames.replace("attached_to='n::k'/>", "attached_to='n::k'><pose relative_to='__model__'/></frame>")
    assert codes(f"<link name='l'>{BODY.format(mass=1)}</link>{frames}", "SDI106").count("SDI106") == found


@pytest.mark.parametrize("end", ["l", "f", "g", "n::k"])
def test_a_joint_finds_its_link_through_frames_and_joints(end: str) -> None:
    inside = (
        f"<link name='l'>{BODY.format(mass=1)}</link><link name='heavy'>{BODY.format(mass=1000)}</link>"
        f"<frame name='f' attached_to='l'/><frame name='g' attached_to='f'/>"
        f"<model name='n'><link name='k'>{BODY.format(mass=1)}</link></model>"
        f"<joint name='j' type='revolute'><parent>{end}</parent><child>heavy</child></joint>"
    )
    assert codes(inside, "SDI302") == ["SDI302"]
