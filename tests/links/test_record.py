"""What the reader of a format finds in a link: values, and errors in the place of what cannot be read."""

import pytest

from sdfinertia.documents import open_document
from sdfinertia.errors import SdfInertiaError
from sdfinertia.options import Options
from sdfinertia.robot import COLLISION, Link
from sdfinertia.robot.inertial import MASS

SDF = """<sdf version="1.9"><model name="m"><link name="l"><inertial><mass>{}</mass></inertial>
<collision name="c"><pose>7 0 0 6.5 0 0</pose><density>2</density>
<geometry><box><size>1 2 {}</size></box></geometry></collision>
</link></model></sdf>"""
URDF = """<robot name="m"><link name="l"><inertial>
<mass value="{}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
<collision name="c"><!-- sdfinertia: density=2 --><origin rpy="6.5 0 0"/>
<geometry><box size="1 2 {}"/></geometry></collision>
</link></robot>"""
MJCF = """<mujoco model="m"><worldbody><body name="l"><inertial pos="0 0 0" mass="{}" diaginertia="1 1 1"/>
<geom name="c" type="box" size="1 2 {}" density="2"/></body></worldbody></mujoco>"""
FORMATS = pytest.mark.parametrize(("text", "name"), [(SDF, "m.sdf"), (URDF, "m.urdf"), (MJCF, "m.xml")])


def read(text: str, name: str, mass: str, depth: str) -> Link:
    [link] = open_document(text.format(mass, depth).encode(), Options(), filename=name).links()
    return link


@FORMATS
def test_a_malformed_mass_is_an_error_with_its_place_and_all_else_is_read(text: str, name: str) -> None:
    link = read(text, name, "1 kg", "3")
    assert link.inertial is not None
    assert isinstance(link.inertial.mass, SdfInertiaError)
    assert link.inertial.mass.location == link.inertial_location(MASS)
    assert (link.mass, link.mass_text(), link.written_numbers()) == (None, "1 kg", None)
    assert not isinstance(link.inertial.tensor, SdfInertiaError)
    [solid] = link.solids(COLLISION)
    assert solid.density == 2.0
    with pytest.raises(SdfInertiaError, match="a number"):
        link.written_inertia()


@FORMATS
def test_a_malformed_shape_is_an_error_of_its_solid_alone(text: str, name: str) -> None:
    link = read(text, name, "1", "long")
    [solid] = link.solids(COLLISION)
    assert isinstance(solid.own_shape, SdfInertiaError)
    assert (link.mass, solid.density) == (1.0, 2.0)


@FORMATS
def test_poses_and_densities_are_told_with_their_places(text: str, name: str) -> None:
    link = read(text, name, "1", "3")
    found = link.model.format.densities(link)
    assert [density for density, _ in found] == [2.0]
    poses = [pose for pose, _ in link.model.format.poses(link) if not isinstance(pose, SdfInertiaError)]
    turns = [max(pose.numbers[3:]) for pose in poses if pose.numbers]
    assert turns == ([6.5] if name != "m.xml" else [])
