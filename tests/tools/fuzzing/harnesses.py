"""The harnesses by name: the contract, the seeds, and the words of the format."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec

from fuzzing import seeds
from fuzzing.cause_contracts import explaining_holds, repairing_holds, xacro_holds
from fuzzing.document_contracts import checking_holds, filling_holds, provenance_holds
from fuzzing.mesh_contracts import reading_holds
from fuzzing.server_contracts import BETWEEN, answering_holds
from fuzzing.several_contracts import comparing_holds, including_holds
from fuzzing.table_contracts import baseline_holds, configuration_holds, directory_holds
from fuzzing.xacro_contracts import choices, writing_holds
from sdfinertia.mesh.readers.formats import EXTENSIONS

# Not STEP: Open CASCADE reads it, in a process of its own.
READ_HERE = tuple(extension for extension in EXTENSIONS if extension not in (".step", ".stp"))

# The contract says bounded; these are the bounds.
LONGEST_INPUT = 1 << 16  # bytes
SECONDS_AN_INPUT = 5.0

_SDF = b"""sdf world model link inertial auto true false 1 0 pose mass inertia ixx ixy ixz iyy iyz izz density collision
 visual geometry box size sphere radius cylinder length capsule cone ellipsoid radii polyline point height mesh uri
 scale submesh name center plane heightmap image empty relative_to frame attached_to __model__ placement_frame include
 merge joint parent child static plugin state auto_inertia_params sdfinertia:method sdfinertia:voxel_size
 sdfinertia:thickness sdfinertia:open_mesh sdfinertia:calculator convex_hull convex_decomposition voxel shell exact
 fill_holes error optimization max_convex_hulls voxel_resolution degrees rotation_format quat_xyzw
 euler_rpy version 1.12 1.6 <!-- --> <![CDATA[ ]]> <? ?> &lt; &#0; &#x110000; &amp; <!DOCTYPE /> </ ' " = ::
 model://rover/meshes/wheel.obj meshes/chassis.stl meshes/mast_pedestal.dae file:// fluid_added_mass encoding UTF-8
 ISO-8859-1 \xef\xbb\xbf \xff\xfe sdfinertia: inputs= values= mass=given ignore SDI102""".split()
_URDF = b"""robot origin xyz rpy quat_xyzw value filename package://rover/ ${x} $(arg) xacro:macro auto density=2
 open_mesh=voxel thickness=0.01 fixed continuous floating gazebo reference transmission""".split()
_MJCF = b"""mujoco mujocoinclude include file compiler angle degree radian eulerseq xyz ZYX meshdir strippath default
 class childclass frame worldbody body geom freejoint joint type box sphere capsule cylinder ellipsoid mesh plane hfield
 sdf size fromto pos quat axisangle xyaxes zaxis euler inertial mass diaginertia fullinertia inertiafromgeom true auto
 inertiagrouprange settotalmass boundmass boundinertia balanceinertia density shellinertia group contype conaffinity
 asset vertex face scale refpos refquat inertia exact convex shell legacy replicate attach composite flexcomp
 sdfinertia: auto density=2 model nan 1e308 1e-308 main""".split()
_PROVENANCE = b"""mass=given inputs= values= axes=principal density= digits= open-mesh=voxel voxel-size= thickness=
 overlaps=union geometry=visual skip-unsupported=true method= convex_hull, ignore SDI301 because -- --> <!--""".split()
_XACRO = b"""xacro:property xacro:include xacro:if xacro:macro params $(find $(arg ${ } ${a} ${-a} ${2*a} filename
 \xe4""".split()
_REQUEST = b"""GET POST HEAD PUT change preview undo redo save reload status state mesh/ close values
 version unphysical true false null NaN Infinity 1e308 -1e308 [[[[ { } [ ] : , \\ud800 link m::l m::k c SetMass mass
 is_linked SetDensity density MoveCentre centre SetTensor tensor TurnAxes rpy SetMoments moments DragFace axis side
 distance solid box ellipsoid is_alone keeps_density ResizeShape collision dimensions Compute open_mesh voxel Mirror
 source application/json text/plain""".split()
_STL = b"""solid endsolid facet normal outer loop vertex endloop endfacet SOLID COLOR= nan""".split()
_OBJ = b"v vt vn f o g s usemtl mtllib # \\\n / // vp l p call curv end f\x20-1\x20-2\x20-3".split(b" ")
_COLLADA = b"""COLLADA asset unit meter up_axis Z_UP library_geometries geometry mesh source float_array count accessor
 stride offset param vertices input semantic POSITION VERTEX NORMAL triangles polylist polygons tristrips trifans lines
 vcount p ph h library_visual_scenes visual_scene node matrix translate rotate scale skew lookat instance_geometry
 instance_node instance_controller library_nodes library_controllers controller skin bind_shape_matrix morph scene
 instance_visual_scene url id sid name # technique_common convex_mesh convex_hull_of extra""".split()
_GLTF = b"""asset version 2.0 scene scenes nodes mesh meshes children matrix translation rotation scale primitives
 attributes POSITION indices mode accessors bufferView bufferViews buffer buffers byteOffset byteLength byteStride
 componentType 5120 5121 5122 5123 5125 5126 count type VEC3 SCALAR sparse values normalized uri
 data:application/octet-stream;base64, extensions extensionsRequired KHR_draco_mesh_compression
 EXT_meshopt_compression KHR_mesh_quantization EXT_mesh_gpu_instancing skin skins name null true [ ] { } glTF JSON
 BIN\0""".split()
_PLY = b"""ply format ascii binary_little_endian binary_big_endian 1.0 comment obj_info element vertex face tristrips
 edge property list char uchar short ushort int uint float double int8 uint8 int16 uint16 int32 uint32 float32 float64
 x y z vertex_indices vertex_index end_header""".split()
_TOML = b"""density open-mesh voxel-size thickness overlaps geometry skip-unsupported axes auto digits provenance
 keep-going resource-path confine recursive exclude select ignore tolerance spin step no-refresh
 no-provenance tool.sdfinertia link missing all total-mass = [ ] {{ }} true false inf nan \"\"\" ''' 0x 1e400
 1979-05-27""".split()
_JSON = b"""{ } [ ] : , "format" "findings" "path" "link" "code" null true NaN 1e400 \\ud800 1""".split()
_CONFIG = b"<model> </model> <sdf version='1.6'> </sdf> <name> model.sdf ../ / ! ** [ ] \\ # <!DOCTYPE ]]>".split()


@dataclass(frozen=True)
class Harness:
    """A contract, its seeds and its words."""

    holds: Callable[[bytes], None]
    seeds: Callable[[], Iterator[bytes]]
    words: tuple[bytes, ...]

    def try_input(self, data: bytes) -> None:
        """Tries one input, in bounded time."""
        started = time.process_time()
        self.holds(data)
        # Processor time, which does not depend on the load of the machine.
        spent = time.process_time() - started
        assert spent < SECONDS_AN_INPUT, f"{len(data)} bytes took {spent:.1f} s"


HARNESSES = {
    "fill": Harness(filling_holds, seeds.documents, (*_SDF, *_URDF)),
    "check": Harness(checking_holds, seeds.documents, (*_SDF, *_URDF)),
    "mjcf": Harness(filling_holds, seeds.models, tuple(_MJCF)),
    "mjcf-check": Harness(checking_holds, seeds.models, tuple(_MJCF)),
    "mjcf-include": Harness(including_holds, seeds.models_in_parts, (*_MJCF, BETWEEN)),
    "compare": Harness(comparing_holds, seeds.pairs, (*_SDF, *_URDF, *_MJCF, BETWEEN)),
    "why": Harness(explaining_holds, seeds.mistakes, (*_SDF, *_URDF)),
    "repair": Harness(repairing_holds, seeds.repairs, (*_SDF, *_URDF)),
    "xacro": Harness(xacro_holds, seeds.xacros, (*_XACRO, *_URDF)),
    **({"xacro-writing": Harness(writing_holds, choices, (b"\x00", b"\xff"))} if find_spec("xacro") else {}),
    **({"server": Harness(answering_holds, seeds.requests, (*_REQUEST, BETWEEN))} if find_spec("starlette") else {}),
    "provenance": Harness(provenance_holds, seeds.comments, tuple(_PROVENANCE)),
    "configuration": Harness(configuration_holds, seeds.configurations, tuple(_TOML)),
    "baseline": Harness(baseline_holds, seeds.baselines, tuple(_JSON)),
    "directory": Harness(directory_holds, seeds.directories, tuple(_CONFIG)),
    **{
        extension[1:]: Harness(
            reading_holds(extension),
            partial(seeds.meshes, extension),
            tuple(words),
        )
        for extension, words in zip(READ_HERE, (_STL, _OBJ, _COLLADA, _GLTF, _GLTF, _PLY), strict=True)
    },
}
