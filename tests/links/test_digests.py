"""What shapes numbers is in the digest of a block, wherever it comes from; and digests stay what they are."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sdfinertia.calculators import CalculatorMesh
from sdfinertia.documents import open_document
from sdfinertia.documents.filling import fill
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.solids import box
from sdfinertia.links import Study
from sdfinertia.links.context import Context
from sdfinertia.links.inputs import Status
from sdfinertia.mesh import METHODS, OPEN_MESH_POLICIES, OVERLAPS, solid_moments
from sdfinertia.options import AFFECTS_RESULT, PARAMETERS, Options
from sdfinertia.robot import given
from sdfinertia.robot.inertial import InertiaParameters


def pairwise(values: list[Any]) -> list[tuple[Any, Any]]:
    """Each value with the next, and the last with the first, both ways round."""
    return [
        pair
        for one, other in zip(values, values[1:] + values[:1], strict=True)
        for pair in ((one, other), (other, one))
    ]


CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
FACES = [
    (1, 3, 4), (1, 4, 2), (5, 6, 8), (5, 8, 7), (1, 2, 6), (1, 6, 5),
    (3, 7, 8), (3, 8, 4), (1, 5, 7), (1, 7, 3), (2, 4, 8), (2, 8, 6),
]  # fmt: skip


def cube(offset: float = 0.0, first: int = 0, faces: int = 12) -> str:
    points = ["v " + " ".join(str(offset + value) for value in corner) for corner in CORNERS]
    return (
        "\n".join(points + ["f " + " ".join(str(first + corner) for corner in face) for face in FACES[:faces]]) + "\n"
    )


@pytest.fixture(autouse=True)
def coarse_voxels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Voxels whose size nobody gives are large: here it counts that numbers differ, not how right they are."""
    monkeypatch.setattr(solid_moments, "_DEFAULT_COVER", 400.0)


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a cube, two that overlap in one file, one without its last side, and one with named parts."""
    directory = tmp_path_factory.mktemp("meshes")
    (directory / "closed.obj").write_text(cube())
    (directory / "two.obj").write_text(cube() + cube(0.5, 8))
    (directory / "open.obj").write_text(cube(faces=10))
    (directory / "parts.obj").write_text("o a\n" + cube() + "o b\n" + cube(3.0, 8))
    return directory


def ball(density: float, mesh: CalculatorMesh, parameters: Mapping[str, str]) -> SpatialInertia:
    """A calculator of boxes whose length is a parameter."""
    return box((float(parameters.get("length", 1.0)), 1.0, 2.0), density)


CALCULATORS = {"ball": ball, "cube": lambda density, mesh, parameters: box((1.0, 1.0, 1.0), density)}


def study(content: bytes, directory: Path) -> Study:
    document = open_document(content, Options(), Context(Options(), CALCULATORS), filename=str(directory / "m.sdf"))
    [link] = document.links()
    return document.study(link)


def filled(content: bytes, directory: Path, options: Options = Options()) -> bytes:
    """The content with its link filled."""
    result = fill(content, options, filename=str(directory / "m.sdf"), calculators=CALCULATORS)
    for error in result.errors:
        raise error
    return result.content


def has_same_numbers(content: bytes, other: bytes, directory: Path) -> bool:
    """Whether the bodies that two blocks describe are the same in whatever axes, to the digits of the other."""
    one, two = (study(text, directory).explicit for text in (content, other))
    slack = 1e-9 + 0.5 * 10.0 ** (1 - given(study(other, directory).options_in_force).digits)
    assert one is not None
    assert two is not None
    size = max(one.gyradius, *map(abs, one.p_BoBcm_B))
    pairs = [(one.mass, two.mass, one.mass)]
    pairs += ((x, y, size) for x, y in zip(one.p_BoBcm_B, two.p_BoBcm_B, strict=True))
    pairs += ((x, y, max(one.I_BBcm_B)) for x, y in zip(one.I_BBcm_B, two.I_BBcm_B, strict=True))
    return all(abs(x - y) <= slack * scale for x, y, scale in pairs)


def require_told_if_changed(before: bytes, changed: bytes, fresh: bytes | None, directory: Path) -> None:
    """Requires that a changed block is stale where a fresh one has other numbers, and clean where it has not."""
    status = study(changed, directory).status
    if isinstance(status, SdfInertiaError):
        assert fresh is None
        return
    assert fresh is not None
    assert status is (Status.CLEAN if has_same_numbers(before, fresh, directory) else Status.STALE)


# Where they are, shapes share volume: with one another, and in one file.
SHAPES = {
    "boxes": "".join(
        f"<collision name='{x}'><pose>0.{x} 0 0 0 0 0.3</pose>PARAMS<geometry><box><size>1 2 3</size></box></geometry>"
        "</collision>"
        for x in (0, 5)
    ),
    "a closed mesh": "<collision name='c'>PARAMS<geometry><mesh><uri>closed.obj</uri></mesh></geometry></collision>",
    "two bodies": "<collision name='c'>PARAMS<geometry><mesh><uri>two.obj</uri></mesh></geometry></collision>",
    "an open mesh": "<collision name='c'>PARAMS<geometry><mesh><uri>open.obj</uri></mesh></geometry></collision>",
    "a mesh and a box": (
        "<collision name='c'>PARAMS<geometry><mesh><uri>closed.obj</uri></mesh></geometry></collision>"
        "<collision name='d'>PARAMS<geometry><box><size>1 1 1</size></box></geometry></collision>"
    ),
    "a plane and a box": (
        "<collision name='c'><geometry><plane/></geometry></collision>"
        "<collision name='d'>PARAMS<geometry><box><size>1 1 1</size></box></geometry></collision>"
    ),
    "visuals": "<visual name='v'><geometry><box><size>1 2 3</size></box></geometry></visual>",
}


def sdf(collisions: str, link: str = "", own: str = "") -> bytes:
    inertial = f"<inertial auto='true'>{link}</inertial>"
    inside = collisions.replace("PARAMS", own)
    return f"<sdf version='1.12'><model name='m'><link name='l'>{inertial}{inside}</link></model></sdf>".encode()


# Options --------------------------------------------------------------------------------------------------------------

OPTION_VALUES: dict[str, list[Any]] = {
    "density": [None, 500.0, 1000.0],
    "open_mesh": ["error", "convex_hull", "voxel", "shell", "fill_holes"],
    "voxel_size": [None, 0.25, 0.5],
    "thickness": [None, 0.01, 0.02],
    "overlaps": ["sum", "union"],
    "geometry": ["collision", "visual"],
    "skip_unsupported": [False, True],
    "axes": ["link", "principal"],
    "digits": [12, 9],
}
# What an option needs beside it to count.
BESIDE: dict[str, list[dict[str, Any]]] = {
    "voxel_size": [{}, {"open_mesh": "voxel"}],
    "thickness": [{}, {"open_mesh": "shell"}],
    "open_mesh": [{"thickness": 0.01, "voxel_size": 0.25}],
}


def test_every_option_that_affects_result_and_every_parameter_is_walked() -> None:
    assert set(OPTION_VALUES) == AFFECTS_RESULT
    assert set(OPTION_VALUES["open_mesh"]) == set(OPEN_MESH_POLICIES)
    # A child that is not known is a calculator's.
    assert set(PARAMETER_VALUES) == {*PARAMETERS, "length"}
    assert {*PARAMETERS, "others", "notes"} == set(InertiaParameters._fields)


@pytest.mark.parametrize("shapes", SHAPES)
@pytest.mark.parametrize("name", OPTION_VALUES)
def test_an_option_that_is_changed_in_the_comment_makes_a_block_stale_where_it_changes_numbers(directory, name, shapes):
    content = sdf(SHAPES[shapes])
    for beside in BESIDE.get(name, [{}]):
        blocks: dict[Any, bytes | None] = {}
        for value in OPTION_VALUES[name]:
            try:
                blocks[value] = filled(content, directory, Options(**{**beside, name: value}))
            except SdfInertiaError:
                blocks[value] = None
        for old, new in pairwise(OPTION_VALUES[name]):
            before, fresh = blocks[old], blocks[new]
            if before is None or fresh is None:
                continue
            changed = with_options_of(before, fresh)
            require_told_if_changed(before, changed, fresh, directory)
            # The options of a later run are no part of a block.
            document = open_document(before, Options(**{name: new}), filename=str(directory / "m.sdf"))
            [link] = document.links()
            verification = document.study(link).status
            assert verification is not None
            assert verification is Status.CLEAN


def with_options_of(block: bytes, other: bytes) -> bytes:
    """A block whose comment records the options of another, and its own digests."""
    head, _, tail = block.partition(b"<!-- sdfinertia: ")
    recorded = other.partition(b"<!-- sdfinertia: ")[2].partition(b"inputs=")[0]
    return head + b"<!-- sdfinertia: " + recorded + b"inputs=" + tail.partition(b"inputs=")[2]


# Parameters -----------------------------------------------------------------------------------------------------------

PARAMETER_VALUES: dict[str, list[str]] = {
    "method": [value for value in METHODS if value != "convex_decomposition"],
    "open_mesh": ["convex_hull", "fill_holes", "voxel", "shell"],
    "voxel_size": ["0.25", "0.5"],
    "thickness": ["0.01", "0.02"],
    "overlaps": list(OVERLAPS),
    "calculator": ["ball", "cube"],
    "length": ["2", "3"],
}
PARAMETERS_BESIDE = {
    "method": "<s:thickness>0.01</s:thickness><s:voxel_size>0.25</s:voxel_size>",
    "open_mesh": "<s:thickness>0.01</s:thickness><s:voxel_size>0.25</s:voxel_size>",
    "voxel_size": "<s:method>voxel</s:method>",
    "thickness": "<s:method>shell</s:method>",
    "length": "<s:calculator>ball</s:calculator>",
}


@pytest.mark.parametrize("level", ["link", "collision"])
@pytest.mark.parametrize("shapes", [name for name in SHAPES if name not in ("visuals", "a plane and a box")])
@pytest.mark.parametrize("name", PARAMETER_VALUES)
def test_a_parameter_that_is_changed_makes_a_block_stale_where_it_changes_numbers(directory, name, shapes, level):
    def own(value: str | None) -> str:
        return f"<s:{name}>{value}</s:{name}>" if value is not None else "<!-- none -->"

    def content(value: str | None, beside: str) -> bytes:
        element = f"<auto_inertia_params>{own(value)}{beside}</auto_inertia_params>"
        return sdf(SHAPES[shapes], **{"link" if level == "link" else "own": element})

    values = [None, *PARAMETER_VALUES[name]]
    for beside in dict.fromkeys(("", PARAMETERS_BESIDE.get(name, ""))):
        blocks: dict[str | None, bytes | None] = {}
        for value in values:
            try:
                blocks[value] = filled(content(value, beside), directory)
            except SdfInertiaError:
                blocks[value] = None
        for old, new in pairwise(values)[:: 1 if level == "link" else 2]:
            before, fresh = blocks[old], blocks[new]
            if before is None:
                continue
            changed = before.replace(own(old).encode(), own(new).encode())
            require_told_if_changed(before, changed, fresh, directory)


# Pinned --------------------------------------------------------------------------------------------------------------


def shape(text: str) -> str:
    return f"<collision name='c'><geometry>{text}</geometry></collision>"


BOX = "<box><size>1 2 3</size></box>"
POLYLINE = "<polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>2</height></polyline>"


def mesh(more: str = "", uri: str = "closed.obj", attributes: str = "") -> str:
    return shape(f"<mesh{attributes}><uri>{uri}</uri>{more}</mesh>")


def posed(pose: str) -> str:
    return shape(BOX).replace("<geometry>", f"{pose}<geometry>")


def parametrized(parameters: str) -> str:
    return mesh().replace("<geometry>", f"<auto_inertia_params>{parameters}</auto_inertia_params><geometry>")


AUTO = "<inertial auto='true'/>"
FRAME = "<frame name='f'><pose>0 1 0 0 0 0.5</pose></frame>"
NESTED = (
    "<model name='n' placement_frame='k'><pose>1 0 0 0 0 0</pose><link name='k'><pose>0 0 2 0 0 0</pose></link></model>"
)
# Each has the digest of its inputs, the inside of its link, what else is in its model, and the options of the run.
# The digests stand in people's files. A change here makes all blocks of the kind be computed anew, and those that were
# computed by a version before told as stale where a last digit moves: it needs a new format and a reason.
PINNED: dict[str, tuple[Any, ...]] = {
    "box": ("b589f747b186", AUTO + shape(BOX)),
    "sphere": ("80e9221834e3", AUTO + shape("<sphere><radius>0.5</radius></sphere>")),
    "cylinder": ("7c14c4525872", AUTO + shape("<cylinder><radius>0.5</radius><length>2</length></cylinder>")),
    "capsule": ("48548ca9beb7", AUTO + shape("<capsule><radius>0.5</radius><length>2</length></capsule>")),
    "cone": ("7901d553d564", AUTO + shape("<cone><radius>0.5</radius><length>2</length></cone>")),
    "ellipsoid": ("51e7f803a205", AUTO + shape("<ellipsoid><radii>1 2 3</radii></ellipsoid>")),
    "polyline": ("9ab9d58cff28", AUTO + shape(POLYLINE)),
    "mesh": ("707b1c2c7c88", AUTO + mesh()),
    "scaled mesh": ("af8ab5304661", AUTO + mesh("<scale>1 2 -0.5</scale>")),
    "submesh": ("b2ef606af706", AUTO + mesh("<submesh><name>a</name></submesh>", "parts.obj")),
    "centred submesh": (
        "020d1ef34298",
        AUTO + mesh("<submesh><name>b</name><center>true</center></submesh>", "parts.obj"),
    ),
    "optimized mesh": ("bd8f3c689241", AUTO + mesh(attributes=" optimization='convex_hull'")),
    "open mesh": ("c50305bd7aa0", AUTO + mesh(uri="open.obj"), "", {"open_mesh": "fill_holes"}),
    "method": ("8202834ce8d3", AUTO + parametrized("<s:method>voxel</s:method><s:voxel_size>0.25</s:voxel_size>")),
    "overlaps": ("22c54bfb1faf", AUTO + parametrized("<s:overlaps>union</s:overlaps>")),
    "calculator": ("2d141dbf5356", AUTO + parametrized("<s:calculator>ball</s:calculator><s:length>2</s:length>")),
    "density of the collision": ("e47cc4577791", AUTO + posed("<density>0.1</density>")),
    "density of the link": ("e47cc4577791", "<inertial auto='true'><density>0.1</density></inertial>" + shape(BOX)),
    "density by option": ("2e4d6b905fa1", AUTO + shape(BOX), "", {"density": 0.1}),
    "pose": ("07cf23ca8479", AUTO + posed("<pose>1 2 3 0.1 0.2 0.3</pose>")),
    "pose in degrees": ("8140b43c663f", AUTO + posed("<pose degrees='true'>1 2 3 10 20 30</pose>")),
    "quaternion": ("3aa59347b329", AUTO + posed("<pose rotation_format='quat_xyzw'>1 2 3 0 0 0.6 0.8</pose>")),
    "pose in a frame": ("9ce70d1459d2", AUTO + posed("<pose relative_to='f'>1 2 3 0 0 0</pose>"), FRAME),
    "pose in a placed model": ("7346fe989b2c", AUTO + posed("<pose relative_to='n'>1 2 3 0 0 0</pose>"), NESTED),
    "given mass": ("37bad3b59b26", "<inertial auto='true'><mass>2.5</mass></inertial>" + shape(BOX)),
    "visuals": ("cf26b2b25861", AUTO + shape(BOX).replace("collision", "visual"), "", {"geometry": "visual"}),
    "skipped": (
        "5a1ce5381a78",
        AUTO + shape("<plane/>") + shape(BOX).replace("'c'", "'d'"),
        "",
        {"skip_unsupported": True},
    ),
    "density zero": ("cb98c7796859", AUTO + posed("<density>0</density>") + shape(BOX).replace("'c'", "'d'")),
    "principal axes": ("93b20d695be8", AUTO + shape(BOX), "", {"axes": "principal", "digits": 9}),
}
ROVER = Path(__file__).parents[2] / "fixtures" / "rover" / "model.sdf"
ROVER_DIGESTS = [
    *("0adb98ca3dc5", "07e3eb5c45d7", "f599685ee2a3", "1fe124d1e9b0", "d3d4d6767192", "703e508178ef", "a748f9c96ebe")
]


@pytest.mark.parametrize("name", PINNED)
def test_a_digest_is_what_it_always_was(directory: Path, name: str) -> None:
    digest, link, *rest = PINNED[name]
    model, options = (*rest, *("", {})[len(rest) :])
    content = f"<sdf version='1.12'><model name='m'>{model}<link name='l'>{link}</link></model></sdf>".encode()
    assert digests_in(filled(content, directory, Options(**options))) == [digest]


def test_the_digests_of_the_rover_are_what_they_always_were() -> None:
    result = fill(ROVER)
    assert result.errors == ()
    assert digests_in(result.content) == ROVER_DIGESTS


def digests_in(content: bytes) -> list[str]:
    return [found.decode() for found in re.findall(b"inputs=([0-9a-f]{12})", content)]
