"""Inputs where libsdformat 17 with gz-sim's mesh calculator gives a wrong number or none, and what is right."""

from __future__ import annotations

import itertools
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from sdfinertia.documents.filling import fill
from sdfinertia.errors import MeshError, SdfInertiaError
from sdfinertia.inertia.spatial_inertia import SpatialInertia

Point = tuple[float, float, float]
Triangle = tuple[Point, Point, Point]

# The corners of the unit cube about the origin, and its faces wound outward.
CUBE = [(x - 0.5, y - 0.5, z - 0.5) for z, y, x in itertools.product((0.0, 1.0), repeat=3)]
FACES = [
    *((0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4)),
    *((2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)),
]


def box(size: Point = (1.0, 1.0, 1.0), centre: Point = (0.0, 0.0, 0.0)) -> list[Triangle]:
    """The triangles of a box."""
    corners = [tuple(c + s * x for c, s, x in zip(centre, size, corner, strict=True)) for corner in CUBE]
    return [tuple(corners[i] for i in face) for face in FACES]  # type: ignore[misc]


def reversed_(triangles: Iterable[Triangle]) -> list[Triangle]:
    return [(a, c, b) for a, b, c in triangles]


def stl(triangles: Sequence[Triangle]) -> bytes:
    body = b"".join(struct.pack("<12fH", 0, 0, 0, *a, *b, *c, 0) for a, b, c in triangles)
    return bytes(80) + struct.pack("<I", len(triangles)) + body


def obj(*groups: tuple[str, Sequence[Triangle]]) -> bytes:
    lines, count = [], 0
    for head, triangles in groups:
        lines.append(head)
        for triangle in triangles:
            lines += (f"v {x!r} {y!r} {z!r}" for x, y, z in triangle)
            lines.append(f"f {count + 1} {count + 2} {count + 3}")
            count += 3
    return "\n".join(lines).encode()


def collada(nodes: str, triangles: Sequence[Triangle] = tuple(box())) -> bytes:
    numbers = " ".join(repr(x) for triangle in triangles for point in triangle for x in point)
    count = 3 * len(triangles)
    return f"""<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><library_geometries>
<geometry id="g" name="part"><mesh><source id="p"><float_array id="a" count="{3 * count}">{numbers}</float_array>
<technique_common><accessor source="#a" count="{count}" stride="3"><param name="X" type="float"/>
<param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles count="{len(triangles)}"><input semantic="VERTEX" source="#v" offset="0"/>
<p>{" ".join(map(str, range(count)))}</p></triangles></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>""".encode()


INSTANCE = '<instance_geometry url="#g"/>'


def link_with(
    directory: Path, name: str, content: bytes, mesh: str = "", attributes: str = "", inertial: str = ""
) -> str:
    """Writes a mesh and an SDF with a link made of it; returns the path of the SDF."""
    (directory / name).write_bytes(content)
    path = directory / "model.sdf"
    path.write_text(
        f"<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'>{inertial}</inertial>"
        f"<collision name='c'><geometry><mesh{attributes}><uri>{name}</uri>{mesh}</mesh></geometry></collision>"
        "</link></model></sdf>"
    )
    return str(path)


def inertia_of(path: str) -> SpatialInertia:
    (link,) = fill(path).links
    assert link.error is None, link.error
    assert link.inertia is not None
    return link.inertia


def require(inertia: SpatialInertia, mass: float, com: Point, moments: Point) -> None:
    """Mass, centre of mass and moments about it, in link axes without products, to 1e-9."""
    assert inertia.mass == pytest.approx(mass, rel=1e-9)
    assert inertia.p_BoBcm_B == pytest.approx(com, rel=1e-9, abs=1e-9)
    assert inertia.I_BBcm_B[:3] == pytest.approx(moments, rel=1e-9)
    assert inertia.I_BBcm_B[3:] == pytest.approx((0.0, 0.0, 0.0), abs=1e-9 * max(moments))


CUBE_MOMENTS = (1000 / 6, 1000 / 6, 1000 / 6)
BOX_MOMENTS = (6500.0, 5000.0, 2500.0)


def test_a_mesh_is_computed_and_not_given_mass_one(tmp_path: Path) -> None:
    require(inertia_of(link_with(tmp_path, "box.stl", stl(box((1, 2, 3))))), 6000, (0, 0, 0), BOX_MOMENTS)


def test_a_mass_given_with_a_mesh_scales_its_tensor(tmp_path: Path) -> None:
    path = link_with(tmp_path, "box.stl", stl(box((1, 2, 3))), inertial="<mass>12</mass>")
    require(inertia_of(path), 12, (0, 0, 0), (13, 10, 5))
    assert b"<mass>12</mass>" in fill(path).content


def test_a_surface_split_by_material_is_one_solid(tmp_path: Path) -> None:
    triangles = box()
    content = obj(("usemtl red", triangles[:5]), ("usemtl blue", triangles[5:]))
    require(inertia_of(link_with(tmp_path, "cube.obj", content)), 1000, (0, 0, 0), CUBE_MOMENTS)


@pytest.mark.parametrize("centre", [(0, 0, 0), (5, 0, 0), (0, 0, 5)])
def test_an_open_mesh_is_refused_wherever_the_origin_lies(tmp_path: Path, centre: Point) -> None:
    (link,) = fill(link_with(tmp_path, "open.stl", stl(box(centre=centre)[:-2]))).links
    assert isinstance(link.error, MeshError)
    assert "4 open edges" in str(link.error)


def test_a_closed_mesh_wound_inside_out_is_turned_round_and_noted(tmp_path: Path) -> None:
    path = link_with(tmp_path, "cube.stl", stl(reversed_(box())))
    require(inertia_of(path), 1000, (0, 0, 0), CUBE_MOMENTS)
    assert any("inside out" in note for note in fill(path).links[0].notes)


@pytest.mark.parametrize("scale", ["-1 2 3", "1 -2 3", "-1 -2 -3"])
def test_a_mirrored_scale_works(tmp_path: Path, scale: str) -> None:
    path = link_with(tmp_path, "cube.stl", stl(box()), f"<scale>{scale}</scale>")
    require(inertia_of(path), 6000, (0, 0, 0), BOX_MOMENTS)


SUBMESHES = obj(("o post", box((1, 2, 3), (7, 0, 0))), ("o base", box((9, 9, 9))))


def test_a_submesh_is_honoured_without_an_optimization(tmp_path: Path) -> None:
    path = link_with(tmp_path, "parts.obj", SUBMESHES, "<submesh><name>post</name></submesh>")
    require(inertia_of(path), 6000, (7, 0, 0), BOX_MOMENTS)


def test_the_centre_of_a_submesh_is_honoured(tmp_path: Path) -> None:
    submesh = "<submesh><name>post</name><center>true</center></submesh>"
    path = link_with(tmp_path, "parts.obj", SUBMESHES, submesh)
    require(inertia_of(path), 6000, (0, 0, 0), BOX_MOMENTS)


def test_a_cavity_that_is_a_submesh_of_its_own_is_subtracted(tmp_path: Path) -> None:
    content = obj(("o outside", box((2, 2, 2))), ("o inside", reversed_(box())))
    moment = 8000 * 8 / 12 - 1000 / 6
    require(inertia_of(link_with(tmp_path, "shell.obj", content)), 7000, (0, 0, 0), (moment, moment, moment))


def test_a_geometry_instanced_twice_is_in_each_of_its_places(tmp_path: Path) -> None:
    nodes = "".join(f"<node><translate>{x} 0 0</translate>{INSTANCE}</node>" for x in (-2, 4))
    path = link_with(tmp_path, "two.dae", collada(nodes))
    require(inertia_of(path), 2000, (1, 0, 0), (1000 / 3, 1000 / 3 + 2 * 9000, 1000 / 3 + 2 * 9000))


def test_a_unit_cube_far_from_its_origin_loses_no_digits(tmp_path: Path) -> None:
    path = link_with(tmp_path, "far.obj", obj(("o cube", box(centre=(1e5, 0, 0)))))
    require(inertia_of(path), 1000, (1e5, 0, 0), CUBE_MOMENTS)


def test_the_convex_hull_of_a_box_is_the_box(tmp_path: Path) -> None:
    path = link_with(tmp_path, "box.stl", stl(box((1, 2, 3))), attributes=" optimization='convex_hull'")
    require(inertia_of(path), 6000, (0, 0, 0), BOX_MOMENTS)


def test_the_convex_hull_of_an_open_box_is_the_closed_one_and_says_so(tmp_path: Path) -> None:
    path = link_with(tmp_path, "open.stl", stl(box((1, 2, 3))[:-2]), attributes=" optimization='convex_hull'")
    require(inertia_of(path), 6000, (0, 0, 0), BOX_MOMENTS)
    assert fill(path).links[0].collisions[0].method == "convex_hull"


def test_node_transforms_compose_in_the_order_of_the_document(tmp_path: Path) -> None:
    node = f"<node><scale>1 2 3</scale><translate>1 1 1</translate>{INSTANCE}</node>"
    require(inertia_of(link_with(tmp_path, "node.dae", collada(node))), 6000, (1, 2, 3), BOX_MOMENTS)


DAMAGED = {
    "cut short.stl": stl(box())[:-20],
    "header cut short.stl": bytes(60),
    "not a number.stl": stl(box()).replace(struct.pack("<f", 0.5), struct.pack("<f", float("nan")), 1),
    "index out of range.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n",
    "no xml.dae": b"<COLLADA><library",
    "no chunk.glb": struct.pack("<4sII", b"glTF", 2, 4000) + bytes(40),
    "fewer faces.ply": b"ply\nformat ascii 1.0\nelement vertex 1\n"
    b"property float x\nproperty float y\nproperty float z\n"
    b"element face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n3 0 0 0\n",
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_mesh_file_is_an_error_and_no_crash(tmp_path: Path, name: str) -> None:
    (link,) = fill(link_with(tmp_path, name, DAMAGED[name])).links
    assert isinstance(link.error, SdfInertiaError)
    assert name in str(link.error), "the mesh file is named"
    assert "link 'm::l', collision 'c'" in str(link.error)
