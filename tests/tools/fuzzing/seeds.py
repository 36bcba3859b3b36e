"""Files to begin from: the fixtures as they are, and of formats that no fixture has, small ones written here."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import trimesh
from builders import collada, gltf
from builders import meshes as shapes

FIXTURES = Path(__file__).parents[3] / "fixtures"
# Between the parts of an input that is several files, or several requests.
BETWEEN = b"\n---\n"

# A tetrahedron in each kind of primitive, and nodes with each kind of transform and instance.
_SCENE = b"""<COLLADA><asset><unit meter="0.5"/></asset><library_geometries><geometry id="g"><mesh><source id="s">
<float_array id="a" count="12">0 0 0 1 0 0 0 1 0 0 0 1</float_array><technique_common><accessor source="#a" count="4"
stride="3"/></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<polylist count="1"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3</vcount><p>0 2 1</p></polylist>
<polygons count="1"><input semantic="VERTEX" source="#v" offset="0"/><ph><p>0 1 3</p><h>1 2 3</h></ph></polygons>
<polygons count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 3</p></polygons>
<tristrips count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 3 2</p></tristrips>
<trifans count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>1 2 3</p></trifans>
<lines count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1</p></lines></mesh></geometry>
</library_geometries><library_controllers><controller id="c"><skin source="#g"><bind_shape_matrix>1 0 0 2 0 1 0 0 0 0 1
0 0 0 0 1</bind_shape_matrix></skin></controller></library_controllers><library_nodes><node id="n"><scale>1 2 -1</scale>
<instance_geometry url="#g"/></node></library_nodes><library_visual_scenes><visual_scene id="w"><node name="b">
<translate>9 0 0</translate><rotate>0 0 1 90</rotate><matrix>1 0 0 0 0 1 0 0 0 0 1 5 0 0 0 1</matrix><instance_node
url="#n"/><node><skew>30 0 1 0 1 0 0</skew><lookat>1 2 3 0 0 0 0 1 0</lookat><instance_controller url="#c"/></node>
</node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>"""

# Requests, a filled block, a written one in other forms, a mesh, and links that joints hang on the world.
_ROBOT = b"""<?xml version="1.0"?>
<robot name="cart" version="1.1">
  <link name="base">
    <!-- sdfinertia: auto density=2700 open_mesh=convex_hull -->
    <collision><origin xyz="0 0 0.1" rpy="0 0 1.5"/><geometry><box size="0.7 0.3 0.2"/></geometry></collision>
    <collision name="mast"><!-- sdfinertia: density=1200 -->
      <geometry><mesh filename="model://rover/meshes/wheel.obj" scale="1 -1 2"/></geometry></collision>
    <visual><geometry><sphere radius="0.2"/></geometry></visual>
  </link>
  <link name='wheel'>
	<inertial><!-- a hand wrote this -->
		<origin rpy='0 0 0' xyz='0.1 0 0'></origin><mass value='1.5'/>
		<inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/></inertial>
	<collision><geometry><cylinder radius='0.1' length='0.05'/></geometry></collision>
  </link>
  <link name="world"/>
  <link name="arm"><inertial/><collision><origin xyz="1 2 3" quat_xyzw="0 0 1 1"/>
    <geometry><capsule radius="0.1" length="1"/></geometry></collision></link>
  <joint name="a" type="fixed"><parent link="world"/><child link="arm"/><origin xyz="0 0 1"/></joint>
  <joint name="b" type="continuous"><parent link="base"/><child link="wheel"/><axis xyz="0 1 0"/></joint>
</robot>
"""


def documents() -> Iterator[bytes]:
    """SDF and URDF files as they are."""
    files = sorted([*FIXTURES.rglob("*.sdf"), *FIXTURES.rglob("*.world")])
    yield from (*(path.read_bytes() for path in files), _ROBOT)


# Mistakes of people and programs in numbers, and numbers at the limits of doubles: mass, ixx ixy ixz iyy iyz izz.
_MISTAKEN = (
    "1 0.002661 0 0 0.002661 0 1676359E-6",
    "1.5 4.7E-03 3e-3 0 2.5E-03 1e-9 4.7E-06",
    "0.7 13.2 -0.4 .05 00002166 1.0 5.",
    "1e-320 1e308 -1e308 5e-324 1e308 0e9 +00000009",
    "2 0.01 0.02 0.03 0.04 0.05 0.06",
)
_NAMES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def mistakes() -> Iterator[bytes]:
    """SDF and URDF files of links in whose numbers there are mistakes, with twins; and files as they are."""
    for numbers in _MISTAKEN:
        mass, *six = numbers.split()
        tags = "".join(f"<{name}>{text}</{name}>" for name, text in zip(_NAMES, six, strict=True))
        links = "\n".join(
            f"<link name='{name}'><pose>0 {y} 0 0 0 0</pose><inertial><pose>.01 {y} .3 0 0 .1</pose>"
            f"<mass>{mass}</mass><inertia>{tags}</inertia></inertial><collision name='c'>"
            "<geometry><box><size>.1 .2 .3</size></box></geometry></collision></link>"
            for name, y in (("left_leg", ".1"), ("right_leg", "-.1"))
        )
        yield f"<sdf version='1.11'><model name='m'>\n{links}</model></sdf>".encode()
        yield _robot_of(mass, six)
    yield from documents()


def xacros() -> Iterator[bytes]:
    """xacro files with literal numbers, with properties, and with macros that are called."""
    for numbers in _MISTAKEN:
        mass, *six = numbers.split()
        head = "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\n"
        head += f"<xacro:property name='a' value='{six[0]}'/>\n"
        yield _robot_of(mass, ["${a}", "${-a}", *six[2:]], head)
        yield _robot_of(mass, six, "<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'>\r")
    yield (
        b"<robot name='r' xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:macro name='m' params='p'>"
        b"<link name='${p}'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='9'/>"
        b"</inertial></link></xacro:macro><xacro:m p='a'/><xacro:m p='b'/></robot>"
    )
    yield _ROBOT


def _robot_of(mass: str, six: Sequence[str], head: str = "<robot name='r'>\n") -> bytes:
    attributes = " ".join(f"{name}='{text}'" for name, text in zip(_NAMES, six, strict=True))
    return (
        f"{head}<link name='l'><inertial><origin xyz='.1 0 0'/><mass value='{mass}'/><inertia {attributes}/>"
        "</inertial><visual><geometry><mesh filename='model://rover/meshes/wheel.obj'/></geometry></visual></link>\n"
        "<link name='k'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/>"
        "</inertial></link></robot>\n"
    ).encode()


def requests() -> Iterator[bytes]:
    """Requests to the server of `edit`: of each change, of each other question, and of none."""
    changes: tuple[tuple[str, dict[str, object]], ...] = (
        ("SetMass", {"mass": 1e308, "is_linked": False}),
        ("SetDensity", {"density": 2700}),
        ("MoveCentre", {"centre": [1, 2, 1e308]}),
        ("SetTensor", {"tensor": [1, 2, 3, 1e308, 0, -1e308]}),
        ("TurnAxes", {"rpy": [0.1, 0.2, 1e300]}),
        ("SetMoments", {"moments": [1, 2, 5e-324]}),
        ("DragFace", {"axis": 0, "side": 1, "distance": 0.5, "solid": "ellipsoid", "is_alone": True}),
        ("ResizeShape", {"collision": "c", "dimensions": [1, 2, 1e200]}),
        ("Compute", {"open_mesh": "voxel"}),
        ("Mirror", {"source": "m::k", "axis": "y"}),
    )
    for index, (name, values) in enumerate(changes):
        question = json.dumps({"change": name, "values": {"link": "m::l", **values}, "version": 1}).encode()
        after = b'POST undo\n{"version": 2}', b'POST redo\n{"version": 3}', b"GET state"
        yield bytes([index]) + BETWEEN.join((b"POST preview\n" + question, b"POST change\n" + question, *after))
        yield bytes([index + 1]) + BETWEEN.join(
            (b"POST change\n" + question, b'POST save\n{"version":2,"unphysical":true}')
        )
    yield bytes([0]) + BETWEEN.join(
        b"GET " + name for name in (b"", b"status", b"state", b"mesh/x", b"change", b"close")
    )
    yield bytes([1]) + BETWEEN.join(b"POST " + name + b"\n{}" for name in (b"reload", b"close"))
    yield bytes([1]) + b"POST change text/plain\n[[[NaN, Infinity, 1e400]]]"
    yield bytes([1]) + b"POST undo application/json site.example http://site.example\n{}"


# Settings, nested classes, a frame, meshes in each notation, bodies written, inferred, asking, and not read.
_MODEL = b"""<mujoco model="m"><compiler angle="radian" eulerseq="zyX" meshdir="meshes" settotalmass="9"/>
<default><geom density="2"/><default class="a">
<geom type="box" size=".1 .2 .3" euler="0 0 1"/></default></default>
<asset><mesh name="t" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 2 1 0 1 3 0 3 2 1 2 3" inertia="legacy" scale="1 2 -1"/>
<mesh file="wheel.obj" inertia="exact" refpos="1 2 3" refquat="1 0 0 1"/>
<mesh name="p" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><geom type="plane" size="1 1 1"/><body name="bl" childclass="a"><freejoint/>
<inertial pos="0 0 1" mass="2" diaginertia="1 1.5 2" quat="1 0 0 1"/><geom/><frame pos="1 2 3" xyaxes="0 1 0 1 0 0">
<geom class="a" mass="3"/><body><!-- sdfinertia: auto density=3 --><joint/>
<geom type="capsule" size=".1" fromto="0 0 0 1 1 1"/>
<geom type="mesh" mesh="t" contype="0" conaffinity="0"/></body></frame>
<body name="cl"><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 0 .1"><!-- c --></inertial></body>
<body name="dl"><geom type="mesh" mesh="wheel"/><geom type="mesh" mesh="p"/></body></body>
<replicate count="3"><body><geom size="1"/></body></replicate></worldbody></mujoco>"""


def models() -> Iterator[bytes]:
    """MJCF files: of most elements, with other settings, and with a file that is not there."""
    yield _MODEL
    yield _MODEL.replace(b'settotalmass="9"', b'inertiafromgeom="true" boundinertia="1"')
    yield b'<mujoco><include file="gone.xml"/><worldbody><body><geom size="1"/></body></worldbody></mujoco>'


_INCLUDED = (
    b"""<mujoco model="m"><include file="a.xml"/><worldbody><include file="b.xml"/><body name="l"><geom size="1"/>
<include file="parts/c.xml"/></body></worldbody></mujoco>""",
    b"""<mujocoinclude><compiler angle="radian"/><default><default class="a"><geom density="2"/></default></default>
<asset><mesh name="t" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset></mujocoinclude>""",
    b"""<mujocoinclude><body name="bl" childclass="a"><!-- sdfinertia: auto --><geom type="mesh" mesh="t"/>
</body></mujocoinclude>""",
    b"""<mujocoinclude>\r\n<body name="c"><inertial pos="0 0 1" mass="2" diaginertia="1 1.5 2"/>
\t<geom type='box' size='1 1 1' euler='0 0 1'/></body></mujocoinclude>""",
)


def models_in_parts() -> Iterator[bytes]:
    """An MJCF model in four files, one of which lies outside, or includes another twice."""
    yield BETWEEN.join(_INCLUDED)
    yield BETWEEN.join(_INCLUDED).replace(b"parts/c.xml", b"../outside.xml")
    yield BETWEEN.join(_INCLUDED).replace(b"<body name", b'<include file="a.xml"/><body name', 1)


def pairs() -> Iterator[bytes]:
    """Two descriptions of a robot, in each pair of formats, with a mistake in one."""
    numbers = ("2", "0 0 0.1", "0.02", "0.03", "0.04")
    for mass, centre, xx, yy, zz in (numbers, ("2.5", *numbers[1:]), (*numbers[:2], "0.03", "0.02", "0.04")):
        tensor = f'ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"'
        tags = "".join(
            f"<{name}>{text}</{name}>" for name, text in zip(("ixx", "iyy", "izz"), (xx, yy, zz), strict=True)
        )
        block = f'<inertial><origin xyz="{centre}"/><mass value="{mass}"/><inertia {tensor}/></inertial>'
        urdf = f'<robot name="m"><link name="l">{block}</link><link name="k"/><joint name="j" type="fixed">'
        urdf += '<parent link="l"/><child link="k"/></joint></robot>'
        block = f"<inertial><pose>{centre} 0 0 0</pose><mass>{mass}</mass><inertia>{tags}</inertia></inertial>"
        sdf = f'<sdf version="1.9"><model name="m"><link name="L">{block}</link></model></sdf>'
        block = f'<inertial pos="{centre}" mass="{mass}" diaginertia="{xx} {yy} {zz}" quat="1 0 0 0"/>'
        mjcf = f'<mujoco model="m"><worldbody><body name="l">{block}</body></worldbody></mujoco>'
        first = '<robot name="m"><link name="l"><inertial><origin xyz="0 0 0.1"/><mass value="2"/>'
        first += '<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>'
        yield from (BETWEEN.join((first.encode(), other.encode())) for other in (urdf, sdf, mjcf))


COMMENTS = (
    b"inputs=0123456789ab values=0123456789ab",
    b"mass=given axes=principal density=2.5 digits=6 inputs=0123456789ab values=0123456789ab",
    b"geometry=visual open-mesh=voxel voxel-size=0.5 skip-unsupported=true inputs=a values=b",
    b"method=convex_hull,shell overlaps=union thickness=1e-3 inputs=0123456789ab values=0123456789ab",
    b"ignore SDI301 because of the test bench",
)
CONFIGURATIONS = (
    b'density = 2.5\nopen-mesh = "voxel"\nresource-path = ["models", "/opt"]\nexclude = ["*.world", "a/b"]\n',
    b'[tool.sdfinertia]\nselect = "SDI1"\nno-refresh = true\ndigits = 9\nconfine = "."\ntolerance = 1e-3\n',
    b"digits = 1_0\nkeep-going = false\nvoxel-size = inf\n[[tool]]\nspin = 0x10\n",
    b"tool.sdfinertia.step = -nan\ntool.other = { a = 1979-05-27T07:32:00Z }\n",
)
_ENTRY = {"path": "models/a.sdf", "link": "m::l", "code": "SDI102"}
BASELINES = tuple(
    json.dumps({"format": 1, "findings": entries}).encode()
    for entries in ([], [_ENTRY, {**_ENTRY, "path": "../\udcff"}])
)


def directories() -> Iterator[bytes]:
    """Lists of a model's files, and rules of what git ignores."""
    yield from (path.read_bytes() for path in sorted(FIXTURES.rglob("model.config")))
    yield b"*.bak\n!model.sdf\n/build/\n[a-c]?/**/x\n\\#y\n"


# A box; one of which a face is missing; one wound the other way in part; two bodies; and one of many faces.
_BOX = shapes.box((1.0, 2.0, 3.0))
_MESHES = (
    *(_BOX, shapes.without(_BOX, 0), shapes.flipped(_BOX, slice(3)), shapes.joined(_BOX, shapes.cube((0.2,) * 3, 0.5))),
    shapes.torus(0.3),
)


def meshes(extension: str) -> Iterator[bytes]:
    """Mesh files of an extension."""
    yield from (path.read_bytes() for path in sorted(FIXTURES.rglob(f"*{extension}")))
    for vertices, faces in _MESHES:
        mesh = trimesh.Trimesh(vertices, faces, process=False)
        positions, corners = vertices.astype("<f4").tobytes(), faces.astype("<u2").tobytes()
        document = gltf.asset(len(vertices), faces.size)
        if extension == ".gltf":
            document["buffers"][0]["uri"] = gltf.data_uri(positions + corners)
            document["nodes"] = [{"children": [1, 2]}, {"mesh": 0, "name": "a"}, {"mesh": 0, "translation": [5, 0, 0]}]
            yield json.dumps(document).encode()
        elif extension == ".glb":
            yield gltf.glb(document, positions + corners)
        elif extension == ".dae":
            yield from (collada.document(), _SCENE)
        elif extension == ".ply":
            yield from (bytes(mesh.export(file_type="ply", encoding=form)) for form in ("ascii", "binary"))
        else:
            yield shapes.stl((vertices, faces)) if extension == ".stl" else shapes.obj((vertices, faces)).encode()


_BOX_TAG = b"<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"
_TWO_LINKS = (
    b"<sdf version='1.11'><model name='m'><link name='l'><inertial><mass>%b</mass><inertia><ixx>%b</ixx><ixy>0</ixy>"
    b"<ixz>0</ixz><iyy>%b</iyy><iyz>0</iyz><izz>%b</izz></inertia></inertial>%b</link><link name='%b'>%b</link>"
    b"</model></sdf>"
)
# What `edit` has open: plain numbers, a name that is not text, numbers at both limits of doubles, a URDF.
EDITED = (
    _TWO_LINKS % (b"12", b"13", b"10", b"5", _BOX_TAG, b"k", _BOX_TAG),
    _TWO_LINKS % (b"12", b"13", b"10", b"5", _BOX_TAG, b"k\xe4", _BOX_TAG),
    _TWO_LINKS % (b"1e308", b"1e308", b"1e308", b"1e308", _BOX_TAG, b"k", b""),
    _TWO_LINKS % (b"1e-320", b"1", b"1", b"1e-320", _BOX_TAG.replace(b"3", b"1e200"), b"k", _BOX_TAG),
    _ROBOT,
)
