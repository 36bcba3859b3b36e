"""What URDF says wrongly is refused where it stands."""

import pytest

from sdfinertia.documents import open_document
from sdfinertia.documents.filling import fill
from sdfinertia.errors import SdfInertiaError
from sdfinertia.options import Options

MISSING = Options(missing=True)


def robot(inside: str) -> str:
    return f'<robot name="r">\n<link name="l">\n {inside}\n</link>\n</robot>'


def solid(shape: str, origin: str = "") -> str:
    return f"<collision>{origin}<geometry>{shape}</geometry></collision>"


# What stands in the link, the column of what is wrong in line 3, and words of the message.
SHAPES = {
    "no size": ("<box/>", 23, "<box> has no size"),
    "two numbers": ('<box size="1 2"/>', 23, "size of <box> holds 2 numbers: write 3 numbers"),
    "no number": ('<sphere radius=""/>', 23, "radius of <sphere> is empty: write a number"),
    "a comma": ('<box size="1,2,3"/>', 23, "is '1,2,3', not 3 numbers"),
    "a unit": ('<sphere radius="10mm"/>', 23, "is '10mm', not a number"),
    "hexadecimal": ('<sphere radius="0x1"/>', 23, "0x1"),
    "infinite": ('<sphere radius="inf"/>', 23, "inf"),
    "negative": ('<cylinder radius="1" length="-1"/>', 23, "cylinder length must be positive and finite, found -1.0"),
    "no radius": ('<capsule length="1"/>', 23, "<capsule> has no radius"),
    "one scale": ('<mesh filename="a.stl" scale="2"/>', 23, "scale of <mesh> holds 1 number: write 3 numbers"),
    "no scale": ('<mesh filename="a.stl" scale=""/>', 23, "scale of <mesh> is empty: write 3 numbers"),
    "zero scale": ('<mesh filename="a.stl" scale="1 0 1"/>', 23, "a factor of scale of <mesh> is zero"),
    "scale without digits": (
        '<mesh filename="a.stl" scale="1 5e-324 1e100"/>',
        *(23, "a factor of scale of <mesh> must be 1e-70 at least, found 5e-324"),
    ),
    "no filename": ("<mesh/>", 23, "<mesh> has no filename"),
    "empty filename": ('<mesh filename=""/>', 23, "the filename of the mesh is empty"),
    "uri as in SDF": ("<mesh><uri>a.stl</uri></mesh>", 23, "<mesh> has no filename"),
    "no shape": ("", 13, "the <geometry> holds no shape"),
    "two shapes": ('<box size="1 1 1"/><sphere radius="1"/>', 42, "several shapes: <box> and <sphere>"),
    "unknown shape": ('<cone radius="1" length="1"/>', 23, "<cone>, which URDF does not have, has no volume"),
    "another letter case": ('<Box size="1 1 1"/>', 23, "<Box>"),
}


ORIGINS = {
    "empty": ('<origin xyz=""/>', "xyz of <origin> is empty: write 3 numbers"),
    "four numbers": ('<origin rpy="0 0 0 1"/>', "rpy of <origin> holds 4 numbers: write 3 numbers"),
    "not a number": ('<origin xyz="0 0 nan"/>', "nan"),
}


BOX = solid('<box size="1 2 3"/>')
REQUESTS = {
    "unknown name": ("auto desnity=2700", "'desnity'"),
    "given twice": ("auto density=1 density=1", "density twice"),
    "no value": ("auto density=", "density has no value"),
    "no equals": ("auto density", "density has no value"),
    "not a number": ("auto density=nan", "density must be a number"),
    "negative": ("auto density=-1", "density must be a number"),
    "method": ("auto method=magic", "method must be one of exact"),
    "voxel size": ("auto voxel_size=0", "voxel_size must be a number above zero"),
    "xacro": ("auto density=${rho}", "density must be a number"),
}


DENSITIES = ("1kg", "-1", "", "1 density=2", "1 mass=3")
MASSES = {
    "no mass": ("<mass/>", "<mass> has no value"),
    "as in SDF": ("<mass>2</mass>", "<mass> has no value"),
    "empty": ('<mass value=""/>', "value of <mass> is empty: write a number"),
    "zero": ('<mass value="0"/>', "value of <mass> is 0, but a mass must be above zero"),
    "negative mass": ('<mass value="-1"/>', "a mass must be above zero"),
    "with its unit": ('<mass value="2kg"/>', "'2kg'"),
}
BALL = '<sphere radius="1"/>'
REFUSED = {
    **{name: (solid(shape), f"3:{column}", words) for name, (shape, column, words) in SHAPES.items()},
    **{f"origin: {name}": (solid(BALL, origin), "3:13", words) for name, (origin, words) in ORIGINS.items()},
    **{
        f"request: {name}": (f"<!-- sdfinertia: {text} -->\n {BOX}", "3:2", words)
        for name, (text, words) in REQUESTS.items()
    },
    **{
        f"density {text}": (solid(BALL, f"<!-- sdfinertia: density={text} -->"), "3:13", "density")
        for text in DENSITIES
    },
    **{name: (f"<inertial>{mass}</inertial>{BOX}", "3:12", words) for name, (mass, words) in MASSES.items()},
    "two requests": (f"<!-- sdfinertia: auto --><!-- sdfinertia: auto -->{BOX}", "3:27", "asks twice"),
}


@pytest.mark.parametrize(("inside", "place", "words"), REFUSED.values(), ids=REFUSED)
def test_what_is_wrong_is_refused_at_its_place(inside: str, place: str, words: str) -> None:
    (error,) = fill(robot(inside).encode(), Options(all=True, missing=True), filename="r.urdf").errors
    assert words in str(error)
    assert str(error.location) == f"r.urdf:{place}"


def test_a_quaternion_beside_rpy_is_refused_where_it_counts() -> None:
    text = robot(solid('<sphere radius="1"/>', '<origin rpy="0 0 0" quat_xyzw="0 0 0 1"/>'))
    assert fill(text.encode(), MISSING, filename="r.urdf").errors == ()
    (error,) = fill(text.replace("<robot", '<robot version="1.1"').encode(), MISSING, filename="r.urdf").errors
    assert "both rpy and quat_xyzw" in str(error)


def test_links_without_a_name_or_with_that_of_another_are_refused_and_others_are_not() -> None:
    names = ("", ' name="a"', ' name="b"', ' name="a"')
    text = "".join(f"<link{name}>{BOX}</link>\n" for name in names)
    result = fill(
        f'<robot name="r">\n{text}</robot>'.encode(), MISSING.replaced({"keep_going": True}), filename="r.urdf"
    )
    assert [error.location.line for error in result.errors if error.location is not None] == [2, 3, 5]
    assert "has no name" in str(result.errors[0])
    assert "two links of robot 'r' are named 'a'" in str(result.errors[1])
    assert b'<link name="b"><inertial>' in result.content


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('<launch name="m"/>', ":1:1: is a ROS launch file (<launch>), not SDF (<sdf>), URDF (<robot>) or MJCF"),
        ("", ":1:1: the file is empty"),
        ('<robot name="r" version="new"/>', ":1:1: 'new' is not a version of URDF"),
        ('<robot name="r"><link name="a"></robot>', ":1:32: </robot> closes <link>, opened at line 1"),
    ],
)
def test_a_document_that_cannot_be_read_is_refused(text: str, words: str) -> None:
    with pytest.raises(SdfInertiaError) as caught:
        open_document(text.encode(), Options(), filename="r.urdf")
    assert f"r.urdf{words}" in str(caught.value)


def test_a_declared_prefix_and_a_comment_are_no_xacro() -> None:
    text = '<robot name="r" xmlns:xacro="http://x"><!-- <xacro:m/> ${x} --><gazebo v="$(x)"/>'
    text += f'<link name="a">{BOX}</link></robot>'
    assert fill(text.encode(), MISSING, filename="r.urdf").errors == ()


UNEXPANDED = {
    "a dimension": (robot(solid('<sphere radius="${r}"/>')), "3:23: holds xacro: <sphere>"),
    "a filename": (robot(solid('<mesh filename="$(find p)/a.stl"/>')), "3:23: holds xacro: <mesh>"),
    "the name of a link": (robot(BOX).replace('"l"', '"${prefix}a"'), "2:1: holds xacro: <link>"),
    "an element": ('<robot name="r">\n <xacro:macro name="m"/></robot>', "2:2: holds xacro: <xacro:macro>"),
    "the name of the robot": ('<robot name="${n}"/>', "1:1: holds xacro: <robot>"),
}


@pytest.mark.parametrize(("text", "words"), UNEXPANDED.values(), ids=UNEXPANDED)
def test_xacro_in_a_file_that_is_not_named_urdf_is_refused_at_its_place(text: str, words: str) -> None:
    with pytest.raises(SdfInertiaError) as caught:
        open_document(text.encode(), Options(), filename="r.xml")
    assert str(caught.value).startswith(f"r.xml:{words}; rename it to .urdf.xacro")


def test_a_mass_that_is_not_above_zero_is_refused_with_what_to_do() -> None:
    block = '<inertial><mass value="0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>'
    text = robot(block + solid('<sphere radius="1"/>'))
    (error,) = fill(text.encode(), Options(all=True), filename="r.urdf").errors
    assert error.problem == "value of <mass> is 0, but a mass must be above zero"
    assert error.remedy == "write that of the part, or take <mass> out to have it computed from a density"
    assert not fill(text.replace('<mass value="0"/>', "").encode(), Options(all=True), filename="r.urdf").errors
