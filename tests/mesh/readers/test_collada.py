from typing import Any

import numpy as np
import pytest
from builders.collada import ACCESSOR, FACES, INPUT, NODE, POINTS, TRIANGLES, document, geometry, source
from builders.meshes import signed_volume

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.collada import read_collada


def polylist(count: int, corners: str) -> str:
    return f'<polylist count="{count}">{INPUT}<vcount>{corners}</vcount><p>{FACES}</p></polylist>'


def controlled(inside: str) -> bytes:
    library = f"<library_controllers>{inside}</library_controllers>"
    return document(NODE.replace("geometry", "controller").replace("#g", "#c"), libraries=library)


def transformed(by: str) -> bytes:
    """Where these stand in the node."""
    return document(NODE.replace("<instance", f"{by}<instance", 1))


def of_source(**changes: Any) -> bytes:
    return document(geometries=geometry(positions=source(**changes)))


def of_triangles(old: str, new: str) -> bytes:
    return document(geometries=geometry(TRIANGLES.replace(old, new)))


@pytest.mark.parametrize(
    "data",
    [
        document().replace(b"2005/11", b"2008/03"),
        document().replace(b' xmlns="http://www.collada.org/2005/11/COLLADASchema"', b""),
        document().replace(b'<?xml version="1.0" encoding="utf-8"?>', b""),
        b"\n <!-- made by - hand --> " + document().split(b"?>")[1],
        document().replace(b"<p>0 2", b"<p>0<!-- a comment --> 2"),
        document(NODE.replace("#g", " #g ")),
        document(
            geometries=geometry().replace("<p>", "<p>\n\t").replace("triangles count", "triangles material='m' count")
        ),
        document(geometries=geometry(TRIANGLES + '<lines count="1"><p>0 1</p></lines>')),
        document(geometries=geometry() + geometry("", "h", source("", '<accessor source="#a" count="0" stride="3"/>'))),
        document('<node id="x"><instance_light url="#nothing"/></node>' + NODE),
        document(NODE.replace('id="n"', 'id="scene"')),
        document(NODE.replace("#g", "#a%20b"), geometries=geometry(identity="a b")),
    ],
)
def test_what_exporters_differ_in_changes_nothing(data: bytes) -> None:
    mesh = read_collada(data)
    assert signed_volume(mesh) == pytest.approx(1 / 6, rel=1e-15)
    assert mesh.notes == ()


@pytest.mark.parametrize(
    "positions",
    [
        source("9 9 0 0 0 7 1 0 0 7 0 1 0 7 0 0 1 7", '<accessor source="#a" count="4" stride="4" offset="2"/>'),
        source(
            "5 0 0 0 5 0 0 1 5 1 0 0 5 0 1 0",
            '<accessor source="#a" count="4" stride="4"><param/>'
            '<param name="Y"/><param name="Z"/><param name="X"/></accessor>',
        ),
        source(accessor='<accessor source="#a" count="4" stride="3"><param/><param/><param/></accessor>'),
    ],
)
def test_the_accessor_says_where_coordinates_stand(positions: str) -> None:
    mesh = read_collada(document(geometries=geometry(positions=positions)))
    assert signed_volume(mesh) == pytest.approx(1 / 6, rel=1e-15)


@pytest.mark.parametrize("accessor", ['count="12" stride="3"', 'count="10" stride="3" offset="2"'])
def test_an_accessor_that_counts_numbers_for_positions_is_read_and_said(accessor: str) -> None:
    points = POINTS if "offset" not in accessor else "9 9 " + POINTS
    accessor = f'<accessor source="#a" {accessor.replace("10", str(len(points.split())))}/>'
    mesh = read_collada(document(geometries=geometry(positions=source(points, accessor))))
    assert signed_volume(mesh) == pytest.approx(1 / 6, rel=1e-15)
    assert mesh.notes == ("a COLLADA accessor counts numbers instead of positions, and all of them are read",)


PAIR = '<input semantic="NORMAL" source="#none" offset="0"/><input semantic="VERTEX" source="#v" offset="1"/>'


@pytest.mark.parametrize(
    ("primitives", "note"),
    [
        (f'<triangles count="4">{PAIR}<p>9 {" 9 ".join(FACES.split())}</p></triangles>', ""),
        (polylist(4, "3 3 3 3"), ""),
        (
            f'<polylist count="5">{INPUT}<vcount>3 2 3 3 3</vcount><p>0 2 1 1 1 {FACES[6:]}</p></polylist>',
            "fewer than 3",
        ),
        (f'<polygons count="4">{INPUT}<p>0 2 1</p><p>0 1 3</p><p>0 3 2</p><p>1 2 3</p></polygons>', "<polygons>"),
        (f'<trifans count="2">{INPUT}<p>0 2 1 3 2</p><p>1 2 3</p></trifans>', "<trifans>"),
        (f'<tristrips count="2">{INPUT}<p>0 2 1 3</p><p>2 0 3</p></tristrips>', "<tristrips>"),
        (TRIANGLES.replace("VERTEX", "POSITION").replace("#v", "#s"), ""),
        (TRIANGLES + f'<triangles count="0">{INPUT}</triangles>', ""),
    ],
)
def test_every_primitive_gives_the_same_tetrahedron(primitives: str, note: str) -> None:
    mesh = read_collada(document(geometries=geometry(primitives)))
    if "tristrips" in primitives:  # three of the four faces: the fourth is that of the other tests
        assert sorted(map(sorted, mesh.faces.tolist())) == [[0, 1, 2], [0, 2, 3], [1, 2, 3]]
    else:
        assert signed_volume(mesh) == pytest.approx(1 / 6, rel=1e-15)
    assert note in "".join(mesh.notes)
    assert bool(mesh.notes) == bool(note)


L_POINTS = "5 5 5 0 0 1 2 0 1 2 1 1 1 1 1 1 2 1 0 2 1"
L_ACCESSOR = '<accessor source="#a" count="7" stride="3"/>'


@pytest.mark.parametrize(
    ("primitives", "area"),
    [
        (f'<polylist count="1">{INPUT}<vcount>6</vcount><p>2 3 4 5 6 1</p></polylist>', 3.0),
        (f'<polygons count="1">{INPUT}<p>2 3 4 5 6 1</p></polygons>', 3.0),
        (f'<polygons count="1">{INPUT}<p>2 3 4 5 6 1</p><p>1 2 3</p></polygons>', 4.0),
        # A fan says which triangles it means, even where they overlap.
        (f'<trifans count="1">{INPUT}<p>2 3 4 5 6 1</p></trifans>', 4.0),
    ],
)
def test_triangles_cover_a_concave_polygon_once(primitives: str, area: float) -> None:
    mesh = read_collada(document(geometries=geometry(primitives, positions=source(L_POINTS, L_ACCESSOR))))
    a, b, c = (mesh.vertices[mesh.faces[:, i]] for i in range(3))
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2 == area


@pytest.mark.parametrize("unused", [0, 1000])
def test_positions_that_nothing_uses_are_left_out(unused: int) -> None:
    points = f"9 9 9 {POINTS}" + " 7 7 7" * unused
    accessor = f'<accessor source="#a" count="{5 + unused}" stride="3"/>'
    faces = " ".join(str(int(number) + 1) for number in FACES.split())
    mesh = read_collada(
        document(geometries=geometry(TRIANGLES.replace(FACES, faces), positions=source(points, accessor)))
    )
    plain = read_collada(document())
    assert mesh.vertices.tolist() == plain.vertices.tolist()
    assert mesh.faces.tolist() == plain.faces.tolist()


@pytest.mark.parametrize(
    ("transforms", "expected"),
    [
        ("<translate>1 2 3</translate>", (2, 2, 3)),
        ("<rotate>0 0 2 90</rotate>", (0, 1, 0)),
        ("<rotate>0 0 0 90</rotate>", (1, 0, 0)),
        ("<scale>2 3 4</scale><translate>1 1 1</translate>", (4, 3, 4)),
        ("<translate>1 1 1</translate><scale>2 3 4</scale>", (3, 1, 1)),
        ("<matrix>0 1 0 5 1 0 0 6 0 0 -1 7 0 0 0 1</matrix>", (5, 7, 7)),
    ],
)
def test_transforms_apply_in_the_order_of_the_document(transforms: str, expected: tuple[float, ...]) -> None:
    mesh = read_collada(transformed(transforms))
    assert mesh.vertices[1] == pytest.approx(expected, abs=1e-15)  # where (1, 0, 0) goes
    assert signed_volume(mesh.centered()) > 0  # mirrored nodes keep their outside outside


def test_the_unit_applies_and_the_up_axis_and_a_missing_choice_of_scene_are_noted() -> None:
    mesh = read_collada(document(asset='<unit meter="0.001"/><up_axis>Y_UP</up_axis>'))
    assert mesh.vertices[1].tolist() == [0.001, 0, 0]
    assert mesh.notes == ("COLLADA <up_axis> Y_UP is not applied, as in Gazebo",)
    moved = NODE.replace("<instance", "<translate>1 0 0</translate><instance", 1)
    only = read_collada(document(moved, scene=""))
    assert only.vertices[0].tolist() == [1, 0, 0]
    assert "only one" in only.notes[0]
    neither = read_collada(document(moved, scene="").replace(b"visual_scene", b"other"))
    assert neither.vertices[0].tolist() == [0, 0, 0]
    assert "once" in neither.notes[0]


def test_every_instance_is_a_copy_with_the_names_of_all_its_ancestors() -> None:
    wheel = '<node id="wheel"><translate>0 0 1</translate><instance_geometry url="#g"/></node>'
    nodes = (
        '<node id="car"><node name="left"><translate>1 0 0</translate><instance_node url="#wheel"/></node>'
        '<node name="right"><translate>-1 0 0</translate><instance_node url="#wheel"/></node></node>' + NODE
    )
    mesh = read_collada(document(nodes, libraries=f"<library_nodes>{wheel}</library_nodes>"))
    assert len(mesh.faces) == 12
    assert [len(mesh.submesh(name).faces) for name in ("car", "wheel", "left", "body", "tetra")] == [8, 8, 4, 4, 12]
    assert mesh.submesh("right").vertices.min(axis=0).tolist() == [-1, 0, 1]


def test_a_controller_is_read_in_its_bind_pose() -> None:
    matrix = "<bind_shape_matrix>2 0 0 0 0 2 0 0 0 0 2 0 0 0 0 1</bind_shape_matrix>"
    skin = f'<controller id="c"><skin source="#m">{matrix}</skin></controller>'
    mesh = read_collada(controlled(skin + '<controller id="m"><morph source="#g"/></controller>'))
    assert signed_volume(mesh) == pytest.approx(8 / 6, rel=1e-15)
    assert "bind pose" in mesh.notes[0]


SKIN_OF_D = '<controller id="c"><skin source="#d"/></controller>'


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"not xml", "not well-formed XML"),
        (document()[:-20], "not well-formed XML"),
        (b"<svg/>", "the root element is not <COLLADA>"),
        (b'<!DOCTYPE C [<!ENTITY a "b">]><COLLADA/>', "DOCTYPE"),
        (b'<?xml version="1.0"?> <!-- <COLLADA> --><!DOCTYPE C SYSTEM "file:///etc/passwd"><COLLADA/>', "DOCTYPE"),
        (document().decode().encode("utf-32"), "UTF-32 is not read"),
        ("<COLLADA/>".encode("utf-32-be"), "UTF-32 is not read"),
        ("<!DOCTYPE a><COLLADA/>".encode("utf-16-be"), "UTF-16 or UTF-32 is not read"),
        ('<?xml version="1.0" encoding="utf-16"?><COLLADA/>'.encode("utf-16"), "UTF-16 or UTF-32 is not read"),
        (b'<?xml version="1.0" encoding="utf-16"?><COLLADA/>', "'utf-16' is not read"),
        (document(asset='<unit meter="0,01"/>'), "needs a positive number meter=, found '0,01'"),
        (document(asset='<unit meter="1,5e3"/>'), "needs a positive number meter=, found '1,5e3'"),
        (b'<?xml version="1.0" encoding="UTF-7"?>+ADw-!DOCTYPE a+AD4-<COLLADA/>', "'UTF-7' is not read"),
        (document(NODE.replace("#g", "other.dae#g")), "outside this file"),
        (document(NODE.replace("#g", "#n")), "the geometry '#n', which does not exist"),
        (document(scene='<scene><instance_visual_scene url="#n"/></scene>'), "the visual_scene '#n'"),
        (
            document('<node id="a"><node id="b"><instance_node url="#a"/></node></node>'),
            "is deeper than 500 nodes, or contains itself",
        ),
        (document(asset='<unit meter="0"/>'), "needs a positive number meter="),
        (transformed("<translate>1 2</translate>"), "needs 3 numbers, found 2"),
        (transformed("<scale>1 2 x</scale>"), "found 'x'"),
        (transformed("<skew>90 1 0 0 0 1 0</skew>"), "<skew> is not read; export the node with a <matrix>"),
        (transformed(f"<matrix>{'1 ' * 16}</matrix>"), "not affine"),
        (of_triangles('"4"', '"5"'), "counts 5 triangles, but holds 12 corners"),
        (of_triangles('"4"', '"9e9"'), "needs a whole number count="),
        (of_triangles("1 2 3<", "1 2 4<"), "refers to vertex 4, but there are 4"),
        (of_triangles("1 2 3<", "1 2 -1<"), "refers to vertex -1"),
        (of_triangles("1 2 3<", "1 2 3.5<"), "found '3.5'"),
        (of_triangles('offset="0"', 'offset="4"'), "not a multiple of the 5"),
        (of_triangles("#v", "#w"), "the vertices '#w'"),
        (of_triangles("VERTEX", "NORMAL"), "has no input of VERTEX"),
        (of_source(points=POINTS + " nan"), "found 'nan'"),
        (of_source(count=13), "has count='13', but holds 12 numbers"),
        (of_source(accessor=ACCESSOR.replace("4", "5")), "counts 5 positions of 3 numbers"),
        (of_source(accessor=ACCESSOR.replace("4", "9000000000000")), "counts 9000000000000 positions"),
        (of_source(points=POINTS + " 1", accessor=ACCESSOR.replace("4", "13")), "counts 13 positions of 3 numbers"),
        (
            document(
                geometries=geometry(
                    TRIANGLES.replace("1 2 3<", "1 2 4<"), positions=source(accessor=ACCESSOR.replace("4", "12"))
                )
            ),
            "refers to vertex 4, but there are 4",
        ),
        (of_source(accessor=ACCESSOR.replace('"3"', '"2"')), "tuples of 2"),
        (of_source(accessor=""), "has no accessor"),
        (document(geometries=geometry(polylist(4, "3 3 3 4"))), "<vcount>"),
        (document(geometries=geometry(polylist(3, "3 12 -3"))), "<vcount>"),
        (
            document(geometries='<geometry id="g"><convex_mesh convex_hull_of="#h"/></geometry>'),
            "<convex_mesh> is not read",
        ),
        (controlled('<controller id="c"/>'), "has neither <skin> nor <morph>"),
        (controlled('<controller id="c"><skin source="#c"/></controller>'), "is its own source"),
        (controlled(SKIN_OF_D + SKIN_OF_D.replace('"c"', '"d"').replace("#d", "#c")), "is its own source"),
        (document(geometries=geometry(polylist(5, "3 3 3 3"))), "counts 5 polygons, but lists 4"),
        (
            document(geometries=geometry(f'<polygons count="1">{INPUT}<ph><p>0 1 2</p><h>0 1 2</h></ph></polygons>')),
            "COLLADA <ph> is not read",
        ),
    ],
)
def test_damaged_files_are_errors(data: bytes, problem: str) -> None:
    with pytest.raises(MeshError) as caught:
        read_collada(data)
    assert problem in str(caught.value)


def test_a_geometry_of_splines_has_no_surface() -> None:
    """Which is no error beside others, and alone a mesh without triangles."""
    both = geometry() + '<geometry id="h"><spline/></geometry>'
    node = NODE + NODE.replace("#g", "#h").replace('"n"', '"m"').replace("body", "curve")
    assert signed_volume(read_collada(document(node, geometries=both))) == pytest.approx(1 / 6)
