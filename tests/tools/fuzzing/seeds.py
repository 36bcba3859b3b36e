"""Files to begin from: the fixtures as they are, and of formats that no fixture has, small ones written here."""

import base64
import json
import struct
from collections.abc import Iterator, Sequence

import numpy as np
from benchmarks.mesh_files import WRITERS, glb
from benchmarks.surfaces import Surface, bumpy_torus

from fuzzing.document_contracts import FIXTURES, OPTIONS
from fuzzing.mesh_contracts import TREATMENTS
from fuzzing.server_contracts import BETWEEN
from sdfinertia.documents.repairing import BY

_BOX = Surface(
    np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 2.0) for z in (0.0, 3.0)]),
    np.array([
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ]),
)  # fmt: skip
# Of one of which a face is missing, one of which is wound the other way in part, and one of many faces.
_OPEN = Surface(_BOX.vertices, _BOX.faces[1:])
_DISAGREEING = Surface(_BOX.vertices, np.where(np.arange(12)[:, None] < 3, _BOX.faces[:, ::-1], _BOX.faces))
_TWO_BODIES = Surface(np.vstack((_BOX.vertices, _BOX.vertices / 2 + 0.2)), np.vstack((_BOX.faces, _BOX.faces + 8)))
_SURFACES = (_BOX, _OPEN, _DISAGREEING, _TWO_BODIES, bumpy_torus(72))

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
    """SDF and URDF files, each with the options that shape most of it, and every one with the first options."""
    for index, content in enumerate(documents_alone()):
        yield from (bytes([options]) + content for options in (0, 1 + index % (len(OPTIONS) - 1)))


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
    yield from documents_alone()


def repairs() -> Iterator[bytes]:
    """The same, each with the ways to repair it."""
    for document in mistakes():
        yield from (bytes([way]) + document for way in range(len(BY)))


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


def documents_alone() -> Iterator[bytes]:
    """SDF and URDF files as they are."""
    files = sorted([*FIXTURES.rglob("*.sdf"), *FIXTURES.rglob("*.world")])
    yield from (*(path.read_bytes() for path in files), _ROBOT)


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
    """An MJCF file with each kind of options, and in parts."""
    for options in range(len(OPTIONS)):
        yield bytes([options]) + _MODEL
    yield b"\1" + _MODEL.replace(b'settotalmass="9"', b'inertiafromgeom="true" boundinertia="1"')
    yield b'\1<mujoco><include file="gone.xml"/><worldbody><body><geom size="1"/></body></worldbody></mujoco>'


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
    """An MJCF model in four files, with each kind of options, one of which lies outside in the last."""
    for options in range(len(OPTIONS)):
        yield bytes([options]) + BETWEEN.join(_INCLUDED)
    yield b"\1" + BETWEEN.join(_INCLUDED).replace(b"parts/c.xml", b"../outside.xml")
    yield b"\1" + BETWEEN.join(_INCLUDED).replace(b"<body name", b'<include file="a.xml"/><body name', 1)


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


def comments() -> Iterator[bytes]:
    """The texts of provenance comments."""
    yield b"inputs=0123456789ab values=0123456789ab"
    yield b"mass=given axes=principal density=2.5 digits=6 inputs=0123456789ab values=0123456789ab"
    yield b"geometry=visual open-mesh=voxel voxel-size=0.5 skip-unsupported=true inputs=a values=b"
    yield b"method=convex_hull,shell overlaps=union thickness=1e-3 inputs=0123456789ab values=0123456789ab"
    yield b"ignore SDI301 because of the test bench"


def configurations() -> Iterator[bytes]:
    """Configuration files, alone and as a table of a shared one."""
    yield b'density = 2.5\nopen-mesh = "voxel"\nresource-path = ["models", "/opt"]\nexclude = ["*.world", "a/b"]\n'
    yield b'[tool.sdfinertia]\nselect = "SDI1"\nno-refresh = true\ndigits = 9\nconfine = "."\ntolerance = 1e-3\n'
    yield b"digits = 1_0\nkeep-going = false\nvoxel-size = inf\n[[tool]]\nspin = 0x10\n"
    yield b"tool.sdfinertia.step = -nan\ntool.other = { a = 1979-05-27T07:32:00Z }\n"


def baselines() -> Iterator[bytes]:
    """Baseline files."""
    entry = {"path": "models/a.sdf", "link": "m::l", "code": "SDI102"}
    yield json.dumps({"format": 1, "findings": [entry, {**entry, "path": "../\udcff"}]}).encode()
    yield json.dumps({"format": 1, "findings": []}).encode()


def directories() -> Iterator[bytes]:
    """Lists of a model's files, and rules of what git ignores."""
    yield from (path.read_bytes() for path in sorted(FIXTURES.rglob("model.config")))
    yield b"*.bak\n!model.sdf\n/build/\n[a-c]?/**/x\n\\#y\n"


def meshes(extension: str) -> Iterator[bytes]:
    """Mesh files of an extension, each with one of the treatments in turn."""
    contents = [path.read_bytes() for path in sorted(FIXTURES.rglob(f"*{extension}"))]
    contents += _written(extension)
    # Not the last, which takes seconds for shapes as round as some of these.
    for index, content in enumerate(contents):
        yield bytes([index % (len(TREATMENTS) - 1)]) + content
    for treatment in range(len(TREATMENTS)):
        yield bytes([treatment]) + contents[-1 - treatment % 3]


def _written(extension: str) -> Iterator[bytes]:
    for name, write in {**WRITERS, "ply": _ply, "binary.ply": _binary_ply, "gltf": _gltf}.items():
        if name.endswith(extension[1:]):
            yield from map(write, _SURFACES)
    if extension == ".dae":
        yield _SCENE


def _ply(surface: Surface) -> bytes:
    rows = "".join(f"{x:g} {y:g} {z:g}\n" for x, y, z in surface.vertices.tolist())
    faces = "".join(f"3 {a} {b} {c}\n" for a, b, c in surface.faces.tolist())
    return (_ply_header("ascii", surface) + rows + faces).encode()


def _binary_ply(surface: Surface) -> bytes:
    faces = b"".join(struct.pack(">B3i", 3, *face) for face in surface.faces.tolist())
    return _ply_header("binary_big_endian", surface).encode() + surface.vertices.astype(">f4").tobytes() + faces


def _ply_header(form: str, surface: Surface) -> str:
    return (
        f"ply\nformat {form} 1.0\ncomment a surface\nelement vertex {len(surface.vertices)}\nproperty float x\n"
        f"property float y\nproperty float z\nelement face {len(surface.faces)}\n"
        "property list uchar int vertex_indices\nend_header\n"
    )


def _gltf(surface: Surface) -> bytes:
    """The same as a `.glb`, its buffer in a `data:` URI."""
    container = glb(surface)
    (length,) = struct.unpack_from("<I", container, 12)
    document = json.loads(container[20 : 20 + length])
    document["buffers"][0]["uri"] = "data:;base64," + base64.b64encode(container[28 + length :]).decode()
    document["nodes"] = [{"children": [1, 2]}, {"mesh": 0, "name": "a"}, {"mesh": 0, "translation": [5, 0, 0]}]
    return json.dumps(document).encode()
