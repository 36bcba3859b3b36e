"""What MJCF means: settings, classes, frames, notations of poses and inertials, geoms and meshes."""

import math
from pathlib import Path

import pytest
from builders.mjcf import CORNERS, bracket

import sdfinertia
from sdfinertia.documents import open_document
from sdfinertia.documents.scene import scenes_of
from sdfinertia.inertia import SpatialInertia
from sdfinertia.markup import Document
from sdfinertia.mjcf import Robot
from sdfinertia.options import Options

BOX = '<geom type="box" size="0.5 1 1.5"/>'


def model(inside: str, outside: str = "") -> bytes:
    return f"<mujoco>{outside}<worldbody>{inside}</worldbody></mujoco>".encode()


def body(inside: str, attributes: str = "") -> str:
    return f'<body name="b"{attributes}><freejoint/>{inside}</body>'


def shown(inside: str, outside: str = "") -> SpatialInertia:
    first = sdfinertia.show(model(body(inside), outside), filename="m.xml")[0]
    assert first.inertia is not None, first.problem
    return first.inertia


def numbers(inertia: SpatialInertia) -> list[float]:
    return [inertia.mass, *inertia.p_BoBcm_B, *inertia.I_BBcm_B]


@pytest.mark.parametrize(
    ("geom", "mass", "moments"),
    [
        (BOX, 6000, (6500, 5000, 2500)),
        ('<geom size="0.5"/>', 1000 * math.pi / 6, (1000 * math.pi / 60,) * 3),
        ('<geom type="cylinder" size="1 0.5" density="2"/>', 2 * math.pi, (2 * math.pi / 3, 2 * math.pi / 3, math.pi)),
        ('<geom type="ellipsoid" size="1 2 3" mass="5"/>', 5, (13, 10, 5)),
        ('<geom type="box" size="0.5 1 1.5" mass="12"/>', 12, (13, 10, 5)),
        ('<geom type="sphere" size="2" mass="3" shellinertia="true"/>', 3, (8, 8, 8)),
        ('<geom type="box" size="0.5 0.5 0.5" mass="6" shellinertia="true"/>', 6, (5 / 3, 5 / 3, 5 / 3)),
    ],
)
def test_geoms_have_half_sizes_and_a_density_or_a_mass(geom, mass, moments):
    inertia = shown(geom)
    assert inertia.mass == pytest.approx(mass, rel=1e-12)
    assert inertia.I_BBcm_B[:3] == pytest.approx(moments, rel=1e-12)


@pytest.mark.parametrize("kind", ["capsule", "cylinder"])
def test_a_geom_from_a_point_to_another_lies_between_them(kind: str) -> None:
    along = shown(f'<geom type="{kind}" size="0.1" fromto="1 2 3 1 2 4" mass="2"/>')
    placed = shown(f'<geom type="{kind}" size="0.1 0.5" pos="1 2 3.5" mass="2"/>')
    assert numbers(along) == pytest.approx(numbers(placed), abs=1e-12)
    turned = shown(f'<geom type="{kind}" size="0.1" fromto="0 0 0 1 0 0" mass="2"/>')
    assert turned.I_BBcm_B[0] == pytest.approx(along.I_BBcm_B[2], rel=1e-12)


QUARTER = ('quat="1 0 0 1"', 'axisangle="0 0 2 90"', 'euler="0 0 90"', 'xyaxes="0 1 0 -1 0 0"', 'xyaxes="0 2 0 -3 5 0"')


@pytest.mark.parametrize("orientation", QUARTER)
def test_all_notations_of_a_quarter_turn_about_z_are_one(orientation: str) -> None:
    inertia = shown(f'<geom type="box" size="0.5 1 1.5" {orientation}/>')
    assert inertia.I_BBcm_B == pytest.approx((5000, 6500, 2500, 0, 0, 0), abs=1e-9)
    block = f'<inertial pos="1 2 3" mass="12" diaginertia="13 10 5" {orientation}/>'
    assert shown(block).I_BBcm_B == pytest.approx((10, 13, 5, 0, 0, 0), abs=1e-12)


@pytest.mark.parametrize(("sequence", "same"), [("XYZ", "zyx"), ("zxY", "Yzx"), ("xyz", "ZYX")])
def test_small_letters_turn_about_moving_axes_and_capitals_about_fixed_ones(sequence: str, same: str) -> None:
    def of(sequence: str, angles: str) -> SpatialInertia:
        return shown(f'<geom type="box" size="0.5 1 1.5" euler="{angles}"/>', f'<compiler eulerseq="{sequence}"/>')

    if sequence == "zxY":
        assert of("zxY", "10 20 30").I_BBcm_B == pytest.approx(of("Yzx", "30 10 20").I_BBcm_B, rel=1e-9)
    else:
        assert of(sequence, "10 20 30").I_BBcm_B == pytest.approx(of(same, "30 20 10").I_BBcm_B, rel=1e-9)


def test_angles_are_degrees_unless_the_compiler_says_radian_and_of_several_each_attribute_of_the_last_counts() -> None:
    degrees = shown('<geom type="box" size="0.5 1 1.5" euler="0 0 90"/>')
    radians = shown(f'<geom type="box" size="0.5 1 1.5" euler="0 0 {math.pi / 2}"/>', '<compiler angle="radian"/>')
    assert numbers(degrees) == pytest.approx(numbers(radians), abs=1e-9)
    both = '<compiler angle="radian" eulerseq="ZYX"/><compiler angle="degree"/>'
    settings = Robot(Document(model(body(BOX), both), "m.xml")).compiler
    assert (settings.angle, settings.eulerseq) == ("degree", "ZYX")


CLASSES = """<default><geom density="1"/>
<default class="outer"><geom density="2" size="1 1 1" type="box"/>
<default class="inner"><geom density="3" size="0.5"/></default></default>
<default class="turned"><geom type="box" size="0.5 1 1.5" mass="12" euler="0 0 90"/></default></default>"""


@pytest.mark.parametrize(
    ("attributes", "geom", "mass"),
    [
        ("", '<geom type="box" size="0.5 0.5 0.5"/>', 1),
        ("", '<geom class="outer"/>', 16),
        # One size of its own, two of its outer class.
        ("", '<geom class="inner"/>', 12),
        (' childclass="outer"', "<geom/>", 16),
        (' childclass="outer"', '<geom class="inner"/>', 12),
        (' childclass="outer"', '<frame childclass="inner"><geom/></frame>', 12),
        (' childclass="outer"', '<geom density="1" size="0.5 0.5 0.5"/>', 1),
    ],
)
def test_classes_nest_and_are_inherited(attributes: str, geom: str, mass: float) -> None:
    document = model(body(geom, attributes), CLASSES)
    [first, *_] = sdfinertia.show(document, filename="m.xml")
    assert first.inertia is not None
    assert first.inertia.mass == pytest.approx(mass)


NOTE = "MuJoCo 3.3 to 3.15 read body 'b' otherwise: the quat of a geom replaces the {} of its default class since 3.16"


@pytest.mark.parametrize(
    ("inner", "own", "moments", "told"),
    [
        ("", "", (10, 13, 5), ""),
        ("", 'axisangle="0 0 1 0"', (13, 10, 5), ""),
        ("", 'quat="1 0 0 0"', (13, 10, 5), "euler"),
        ('quat="1 0 0 0"', "", (13, 10, 5), "euler"),
        ('quat="1 0 0 0"', 'zaxis="0 1 0"', (13, 5, 10), ""),
        ('xyaxes="1 0 0 0 1 0"', 'quat="1 0 0 1"', (10, 13, 5), "xyaxes"),
        ('fromto="0 0 0 0 0 3"', 'quat="0 1 0 1"', (10, 10, 2), ""),
        ('type="sphere"', 'quat="1 0 0 0"', (1.2, 1.2, 1.2), ""),
    ],
)
def test_the_innermost_orientation_counts_and_where_versions_of_mujoco_differ_a_note_says_so(
    inner: str, own: str, moments: tuple[float, ...], told: str
) -> None:
    size = 'type="box" size="0.5 1 1.5" mass="12"'
    classes = (
        f'<default><default class="outer"><geom {size} euler="0 0 90"/>'
        f'<default class="inner"><geom {inner}/></default></default></default>'
    )
    document = open_document(model(body(f'<geom class="inner" {own}/>'), classes), Options(), filename="m.xml")
    assert shown(f'<geom class="inner" {own}/>', classes).I_BBcm_B[:3] == pytest.approx(moments)
    assert len(list(document.links())) == 1
    assert [note.partition(", as here")[0] for note in document.notes()] == ([NOTE.format(told)] if told else [])


def test_several_bodies_that_versions_of_mujoco_read_differently_are_one_note() -> None:
    inside = "".join(f'<body name="{name}"><geom class="turned" quat="1 0 0 0"/></body>' for name in "abc")
    document = open_document(model(inside, CLASSES), Options(), filename="m.xml")
    assert len(list(document.links())) == 3
    [note] = document.notes()
    assert "body 'a' (and 2 more)" in note


def test_frames_compose_poses_and_the_z_axis_is_turned_the_shortest_way() -> None:
    nested = '<frame pos="1 0 0" euler="0 0 90"><frame pos="1 0 0"><geom size="0.1" pos="0 0 2"/></frame></frame>'
    assert shown(nested).p_BoBcm_B == pytest.approx((1, 1, 2))
    assert shown('<geom type="box" size="0.5 1 1.5" zaxis="1 0 0"/>').I_BBcm_B[:3] == pytest.approx((2500, 5000, 6500))
    assert shown('<geom type="box" size="0.5 1 1.5" zaxis="0 0 -1"/>').I_BBcm_B[:3] == pytest.approx((6500, 5000, 2500))


def test_bodies_are_links_in_the_order_of_the_file() -> None:
    data = b"""<mujoco model="arm"><worldbody><geom size="1"/><body name="a"><geom size="1"/>
    <body><geom size="1"/></body><frame><body name="c"><geom size="1"/></body></frame></body>
    <body><geom size="1"/></body></worldbody></mujoco>"""
    document = open_document(data, Options(), filename="m.xml")
    assert [link.scoped_name for link in document.links()] == ["arm::a", "arm::body#2", "arm::c", "arm::body#4"]
    assert Robot(Document(model(""), "m.xml")).name == "MuJoCo Model"


GROUPS = '<geom size="0.5" group="4" mass="1"/><geom size="0.5" mass="2" contype="0" conaffinity="0"/>'


@pytest.mark.parametrize(
    ("settings", "mass"),
    [
        *[("", 3), ('inertiagrouprange="0 3"', 2), ('inertiagrouprange="4 5"', 1)],
        *[('settotalmass="30"', 30), ('boundmass="7"', 7)],
    ],
)
def test_the_compiler_decides_what_weighs(settings: str, mass: float) -> None:
    assert shown(GROUPS, f"<compiler {settings}/>").mass == pytest.approx(mass)


def test_the_least_moment_and_balance_change_moments_alone() -> None:
    block = '<inertial pos="0 0 0" mass="1" diaginertia="1 2 5"/>'
    assert shown(block, '<compiler balanceinertia="true"/>').I_BBcm_B[:3] == pytest.approx((8 / 3,) * 3)
    assert shown(block, '<compiler boundinertia="4"/>').I_BBcm_B[:3] == pytest.approx((4, 4, 5))


def test_a_total_mass_is_that_of_all_bodies() -> None:
    data = model(
        '<body name="a"><freejoint/><geom size="1" mass="1"/></body>'
        '<body name="b"><freejoint/><inertial pos="0 0 0" mass="3" diaginertia="1 1 1"/></body>',
        '<compiler settotalmass="8"/>',
    )
    bodies = {each.name: each for each in sdfinertia.show(data, filename="m.xml") if "/" not in each.name}
    masses = {name: each.inertia.mass for name, each in bodies.items() if each.inertia is not None}
    assert masses == {"MuJoCo Model::a": pytest.approx(2), "MuJoCo Model::b": pytest.approx(6)}
    assert [each.origin for each in bodies.values()] == ["inferred", "compiled"]
    assert sdfinertia.total_mass(data, filename="m.xml") == pytest.approx(8)
    (scene,) = scenes_of(open_document(data, Options(), filename="m.xml"))
    assert [link.inertia.mass for link in scene.links if link.inertia is not None] == pytest.approx([2, 6])
    assert scene.shares() == pytest.approx([0.25, 0.75])


def mesh_of(attributes: str) -> str:
    return f'<asset><mesh name="m" vertex="{CORNERS}" {attributes}/></asset>'


@pytest.mark.parametrize(
    ("attributes", "mass", "centre"),
    [
        *[("", 6000, (0, 0, 0)), ('inertia="exact"', 6000, (0, 0, 0))],
        *[('inertia="convex"', 6000, (0, 0, 0)), ('inertia="shell"', 22000, (0, 0, 0))],
        ('scale="0.5 0.5 0.5"', 750, (0, 0, 0)),
        ('scale="-1 1 2"', 12000, (0, 0, 0)),
        ('refpos="1 0 0"', 6000, (-1, 0, 0)),
        ('refpos="1 0 0" scale="2 1 1"', 12000, (-2, 0, 0)),
        ('refpos="1 0 0" refquat="1 0 0 1"', 6000, (0, 1, 0)),
    ],
)
def test_meshes_are_scaled_and_moved_as_their_assets_say(attributes, mass, centre):
    inertia = shown('<geom type="mesh" mesh="m"/>', mesh_of(attributes))
    assert inertia.mass == pytest.approx(mass, rel=1e-9)
    assert inertia.p_BoBcm_B == pytest.approx(centre, abs=1e-9)


def test_legacy_overcounts_what_is_not_convex() -> None:
    exact, legacy, hull = (
        shown('<geom type="mesh" mesh="m" density="1"/>', bracket(inertia)).mass
        for inertia in ("exact", "legacy", "convex")
    )
    assert exact == pytest.approx(7)
    assert hull == pytest.approx(11.5)
    assert legacy > 1.05 * exact


def test_a_mesh_is_called_by_its_file_and_found_in_its_directory(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    corners = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1))
    faces = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"]
    (tmp_path / "assets" / "cube.obj").write_text(corners + "".join(f"f {face}\n" for face in faces))
    for compiler, file in (
        ('meshdir="assets"', "cube.obj"),
        ('assetdir="assets" strippath="true"', "/elsewhere/cube.obj"),
    ):
        data = model(
            body('<geom type="mesh" mesh="cube"/>'), f'<compiler {compiler}/><asset><mesh file="{file}"/></asset>'
        )
        (tmp_path / "m.xml").write_bytes(data)
        first = sdfinertia.show(tmp_path / "m.xml")[0]
        assert first.inertia is not None, first.problem
        assert first.inertia.mass == pytest.approx(1000)


@pytest.mark.parametrize(
    "inside",
    [
        body('<geom type="box" mesh="m"/>'),
        body('<replicate count="3" offset="1 0 0"><geom size="0.1"/></replicate>'),
        '<replicate count="3" offset="1 0 0"><body><geom size="0.1"/></body></replicate>',
        '<body name="b"><attach model="other" prefix="x"/></body>',
        body('<geom type="sdf" mesh="m"/>'),
    ],
)
def test_what_is_not_read_is_counted_in_a_note(inside: str) -> None:
    document = open_document(model(inside, mesh_of("")), Options(), filename="m.xml")
    assert len(list(document.links())) == ("attach" in inside)
    [note] = document.notes()
    assert note.startswith("1 body is not checked: <replicate>")


SLIDES = '<joint class="vertex"/><joint type="slide" axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'


@pytest.mark.parametrize(
    ("inside", "is_vertex"),
    [
        (SLIDES, True),
        (SLIDES.replace('class="vertex"', ""), False),
        (SLIDES.replace('<joint class="vertex"/>', "<freejoint/>"), False),
        ('<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>', False),
    ],
    ids=["slides", "turns", "free", "fixed"],
)
@pytest.mark.parametrize("way", ["body", "node", "material"])
def test_a_vertex_of_a_flex_is_a_body_that_it_names_and_that_only_slides(
    inside: str, is_vertex: bool, way: str
) -> None:
    sections = (
        '<default><default class="vertex"><joint type="slide"/></default></default>'
        f'<deformable><flex name="f" dim="1" {way}="b other"/></deformable>'
    )
    document = open_document(model(f'<body name="b">{inside}</body>', sections), Options(), filename="m.xml")
    assert len(list(document.links())) == (0 if is_vertex and way != "material" else 1)
