"""The colours that COLLADA and glTF give to faces: read where they are simple, and never a reason to refuse."""

import struct
from typing import Any

import numpy as np
import pytest
from builders.collada import INPUT, document, geometry
from builders.gltf import asset, glb

from sdfinertia.mesh.readers.collada import read_collada
from sdfinertia.mesh.readers.gltf import read_gltf
from sdfinertia.mesh.triangle_mesh import Colour, MeshPart, TriangleMesh

RED, BLUE = (1.0, 0.0, 0.0, 1.0), (0.0, 0.25, 0.5, 1.0)


def colours(mesh: TriangleMesh) -> list[Colour | None]:
    """Of each face."""
    if mesh.paint is None:
        return [None] * len(mesh.faces)
    return [mesh.palette[number] if number >= 0 else None for number in mesh.paint.tolist()]


# COLLADA --------------------------------------------------------------------------------------------------------------

BOUND = '<instance_material symbol="skin" target="{}"/><instance_material symbol="bone" target="#bone"/>'
PHONG = "<phong><diffuse><color>{}</color></diffuse></phong>"


def triangles(corners: str, material: str) -> str:
    said = f' material="{material}"' if material else ""
    count = len(corners.split()) // 3
    return f'<triangles count="{count}"{said}>{INPUT}<p>{corners}</p></triangles>'


def effect(name: str, shader: str) -> str:
    return f'<effect id="{name}-fx"><profile_COMMON><technique sid="t">{shader}</technique></profile_COMMON></effect>'


def collada(
    shader: str = PHONG.format("1 0 0 1"), materials: str = "", effects: str = "", bound: str = "", nodes: str = ""
) -> bytes:
    primitives = triangles("0 2 1 0 1 3", "skin") + triangles("0 3 2", "bone") + triangles("1 2 3", "")
    bind = f"<bind_material><technique_common>{bound}</technique_common></bind_material>"
    node = f'<node name="n"><instance_geometry url="#g">{bind if bound else ""}</instance_geometry></node>'
    libraries = (
        f"<library_effects>{effect('skin', shader)}{effect('bone', PHONG.format('0 0.25 0.5 1'))}{effects}"
        "</library_effects>"
        '<library_materials><material id="skin"><instance_effect url="#skin-fx"/></material>'
        f'<material id="bone"><instance_effect url="#bone-fx"/></material>{materials}</library_materials>'
    )
    return document(node + nodes, geometry(primitives), libraries)


@pytest.mark.parametrize("shader", ["phong", "lambert", "blinn", "constant"])
def test_the_diffuse_colour_of_each_material_is_that_of_its_faces(shader: str) -> None:
    light = "emission" if shader == "constant" else "diffuse"
    text = f"<{shader}><{light}><color>1 0 0 1</color></{light}></{shader}>"
    assert colours(read_collada(collada(text))) == [RED, RED, BLUE, None]


def test_where_a_geometry_is_placed_its_materials_may_be_others() -> None:
    swapped = '<instance_material symbol="skin" target="#bone"/><instance_material symbol="bone" target="#skin"/>'
    other = '<node><instance_geometry url="#g"/></node>'
    assert colours(read_collada(collada(bound=swapped, nodes=other))) == [
        *(BLUE, BLUE, RED, None),
        *(RED, RED, BLUE, None),
    ]


@pytest.mark.parametrize(
    "content",
    [
        collada("<phong><diffuse><texture texture='a' texcoord='b'/></diffuse></phong>"),
        collada("<phong><diffuse><param ref='c'/></diffuse></phong>"),
        *(collada(shader) for shader in ("<phong/>", "")),
        *(collada(PHONG.format(colour)) for colour in ("red", "1 0", "nan 0 0 1", "1e999 0 0 1")),
        *(collada(bound=BOUND.format(target)) for target in ("#nothing", "other.dae#skin", "")),
        collada().replace(b'url="#skin-fx"', b'url="#lost"'),
    ],
)
def test_what_is_no_one_colour_leaves_the_faces_without_and_their_shape_as_it_is(content: bytes) -> None:
    mesh = read_collada(content)
    assert colours(mesh) == [None, None, BLUE, None]
    assert len(mesh.faces) == 4


def test_a_file_without_colours_has_no_paint() -> None:
    no_effects = collada().replace(b"<instance_effect", b"<other").replace(b"</instance_effect", b"</other")
    assert set(colours(read_collada(no_effects))) == {None}
    mesh = read_collada(collada().replace(b'material="', b'title="'))
    assert (mesh.paint, mesh.palette) == (None, ())


# glTF -----------------------------------------------------------------------------------------------------------------


def gltf(*materials: dict[str, Any], of_primitives: tuple[int | None, ...] = (0, 1)) -> bytes:
    content = struct.pack("<12f", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1) + struct.pack("<6H", 0, 2, 1, 0, 1, 3)
    primitives = [
        {"attributes": {"POSITION": 0}, "indices": 1 + k, **({"material": number} if number is not None else {})}
        for k, number in enumerate(of_primitives)
    ]
    document = asset(corners=6, meshes=[{"primitives": primitives}], materials=materials)
    first = document["accessors"][1] | {"count": 3}
    document["accessors"][1:] = [first, first | {"byteOffset": 6}]
    return glb(document, content)


def of_gltf(*materials: dict[str, Any], of_primitives: tuple[int | None, ...] = (0, 1)) -> list[Colour | None]:
    def open_none(name: str) -> bytes:
        raise AssertionError(name)

    mesh = read_gltf(gltf(*materials, of_primitives=of_primitives), open_none)
    assert len(mesh.faces) == 2
    return colours(mesh)


def base(*factors: Any, **more: Any) -> dict[str, Any]:
    return {"pbrMetallicRoughness": {"baseColorFactor": list(factors)}, **more}


def test_base_colours_are_linear_and_become_srgb_opacity_counts_where_it_is_blended_and_none_is_none() -> None:
    red, half = of_gltf(base(1, 0, 0, 1), base(0.214041, 0.5, 0.0, 0.25))
    assert red == RED
    # 0.5 in sRGB is 0.214041 of the light.
    assert half == pytest.approx((0.5, 0.735357, 0.0, 1.0), abs=1e-6)
    clear, white = of_gltf(base(0, 0, 0, 0.25, alphaMode="BLEND"), {"pbrMetallicRoughness": {}})
    assert clear == (0.0, 0.0, 0.0, 0.25)
    assert white == pytest.approx((1.0, 1.0, 1.0, 1.0))
    assert of_gltf(base(1, 0, 0, 1), of_primitives=(None, 0)) == [None, RED]
    assert of_gltf(base(1, 0, 0, 1), of_primitives=(7, 0)) == [None, RED]


@pytest.mark.parametrize(
    "material",
    [
        {},
        {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}},
        {"pbrMetallicRoughness": []},
        base(1, 0, 0),
        base(1, 0, "0", 1),
        base(True, 0, 0, 1),
        base(-1, 0, 0, 1),
        base(2, 0, 0, 1),
    ],
)
def test_what_is_no_one_base_colour_is_none(material: dict[str, Any]) -> None:
    assert of_gltf(material, base(1, 0, 0, 1)) == [None, RED]


# What becomes of them -------------------------------------------------------------------------------------------------


def test_a_submesh_a_scale_and_a_new_centre_keep_the_colours_of_their_faces() -> None:
    faces = np.array([[0, 1, 2], [0, 1, 3], [0, 2, 3]])
    parts = (MeshPart(("a",), 0, 1), MeshPart(("b",), 1, 2), MeshPart(("a",), 2, 3))
    mesh = TriangleMesh(np.eye(4, 3), faces, parts, (), np.array([0, -1, 1], np.int32), (RED, BLUE))
    for other in (mesh.submesh("a"), mesh.submesh("a").scaled((1.0, -1.0, 2.0)), mesh.submesh("a").centered()):
        assert colours(other) == [RED, BLUE]
