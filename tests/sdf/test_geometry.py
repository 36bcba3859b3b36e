import pytest

from sdfinertia.errors import GeometryError, SdfInertiaError, ValueTextError
from sdfinertia.markup import Document
from sdfinertia.sdf.values import read_shape
from sdfinertia.shapes import MeshShape, NoVolume, Polyline, Primitive, Shape


def shape_of(geometry: str) -> Shape:
    text = f"<sdf>\n<collision name='c'>\n{geometry}</collision></sdf>"
    return read_shape(Document(text.encode(), "m.sdf").roots[0].children[0])


def shape_in(inside: str) -> Shape:
    return shape_of(f"<geometry>{inside}</geometry>")


@pytest.mark.parametrize(
    ("inside", "kind", "dimensions"),
    [
        ("<box><size>1 2 3</size></box>", "box", (1, 2, 3)),
        ("<box><size>\n1\t2 <!-- wide -->3 </size></box>", "box", (1, 2, 3)),
        ("<sphere><radius>0.5</radius></sphere>", "sphere", (0.5,)),
        ("<cylinder><length>2</length><radius>1</radius></cylinder>", "cylinder", (1, 2)),
        ("<capsule><radius>1</radius><length>2</length></capsule>", "capsule", (1, 2)),
        ("<cone><radius>1</radius><length>2</length></cone>", "cone", (1, 2)),
        ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", "ellipsoid", (1, 2, 3)),
        # Where an element is given twice, the first counts.
        ("<box><size>1 2 3</size><size>4 5 6</size></box>", "box", (1, 2, 3)),
        ("<sphere><radius>1</radius><radius>x</radius></sphere>", "sphere", (1,)),
        # Unknown and namespaced children are nobody's dimensions.
        ("<gz:box/><box><gz:size>9</gz:size><size>1 2 3</size></box>", "box", (1, 2, 3)),
    ],
)
def test_solids_are_read_with_their_dimensions(inside: str, kind: str, dimensions: tuple[float, ...]) -> None:
    assert shape_in(inside) == Primitive(kind, dimensions)


@pytest.mark.parametrize(
    "inside",
    [
        "<box/>",
        "<box><size/></box>",
        "<box><size>1 2</size></box>",
        "<box><size>1 2 3 4</size></box>",
        "<box><size>1,2,3</size></box>",
        "<box><radius>1</radius></box>",
        "<sphere/>",
        "<sphere><radius></radius></sphere>",
        "<sphere><radius>1m</radius></sphere>",
        "<cylinder><radius>1</radius></cylinder>",
        "<cylinder><length>1</length></cylinder>",
        "<capsule><radius>1</radius></capsule>",
        "<cone><length>1</length></cone>",
        "<ellipsoid><radii>1</radii></ellipsoid>",
        "<ellipsoid/>",
        "<polyline><point>0 0</point><point>1 0</point><point>0 1</point></polyline>",
        *("<polyline><point>0</point><height>1</height></polyline>", "<mesh/>", "<mesh><uri/></mesh>"),
        *("<mesh><uri> </uri></mesh>", "<mesh><uri>a.stl</uri><scale>1 1</scale></mesh>"),
        *("<mesh><uri>a.stl</uri><scale>1 0 1</scale></mesh>", "<mesh><uri>a.stl</uri><submesh/></mesh>"),
        "<mesh><uri>a.stl</uri><submesh><name>a</name><center>perhaps</center></submesh></mesh>",
        "<mesh optimization='smallest'><uri>a.stl</uri></mesh>",
    ],
)
def test_missing_and_malformed_dimensions_are_errors_at_a_line(inside: str) -> None:
    with pytest.raises(ValueTextError) as caught:
        shape_in(inside)
    assert caught.value.location.line == 3
    named = {"<box/>": "<size>", "<sphere/>": "<radius>", "<ellipsoid/>": "<radii>"}
    assert named.get(inside, "") in str(caught.value)


@pytest.mark.parametrize(
    "geometry",
    [
        *("", "<geometry/>", "<geometry> </geometry>", "<geometry><empty/></geometry>"),
        "<geometry><plane><normal>0 0 1</normal><size>1 1</size></plane></geometry>",
        "<geometry><heightmap><uri>a.png</uri></heightmap></geometry>",
        "<geometry><image><uri>a.png</uri></image></geometry>",
    ],
)
def test_what_encloses_no_volume_is_told_from_what_does(geometry: str) -> None:
    assert isinstance(shape_of(geometry), NoVolume)


@pytest.mark.parametrize(
    "inside",
    [
        "<box><size>1 1 1</size></box><sphere><radius>1</radius></sphere>",
        "<box><size>1 1 1</size></box><box><size>1 1 1</size></box>",
        "<plane/><box><size>1 1 1</size></box>",
        "<box><size>1 1 1</size></box><empty/>",
        "<polyline><point>0 0</point><height>1</height></polyline><box><size>1 1 1</size></box>",
    ],
)
def test_two_shapes_in_one_geometry_are_an_error(inside: str) -> None:
    with pytest.raises(GeometryError) as caught:
        shape_in(inside)
    assert caught.value.location is not None


def test_every_polyline_of_a_geometry_is_a_loop() -> None:
    loop = "<polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>2</height></polyline>"
    points = ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0))
    assert shape_in(loop) == Polyline((points,), (2.0,))
    assert shape_in(loop + loop.replace("2", "3")) == Polyline((points, points), (2.0, 3.0))


@pytest.mark.parametrize(
    ("mesh", "shape"),
    [
        ("<mesh><uri> a.stl\n</uri></mesh>", MeshShape("a.stl", (1, 1, 1), None, False, "")),
        ("<mesh><uri>a</uri><scale>-1 2 0.001</scale></mesh>", MeshShape("a", (-1, 2, 0.001), None, False, "")),
        (
            "<mesh><uri>a</uri><submesh><name> b </name><center>TRUE</center></submesh></mesh>",
            MeshShape("a", (1, 1, 1), "b", True, ""),
        ),
        ("<mesh><uri>a</uri><submesh><name>b</name></submesh></mesh>", MeshShape("a", (1, 1, 1), "b", False, "")),
        ("<mesh optimization='convex_hull'><uri>a</uri></mesh>", MeshShape("a", (1, 1, 1), None, False, "convex_hull")),
        ("<mesh optimization=''><uri>a</uri></mesh>", MeshShape("a", (1, 1, 1), None, False, "")),
        (
            "<mesh optimization='convex_decomposition'><uri>a</uri><convex_decomposition><max_convex_hulls>8"
            "</max_convex_hulls><voxel_resolution>1e5</voxel_resolution></convex_decomposition></mesh>",
            MeshShape("a", (1, 1, 1), None, False, "convex_decomposition", 8, 100_000),
        ),
    ],
)
def test_a_mesh_is_read_with_all_that_is_asked_of_it(mesh: str, shape: MeshShape) -> None:
    assert shape_in(mesh) == shape


def test_the_first_geometry_counts_and_no_shape_inside_a_shape_or_a_comment() -> None:
    inside = "<!-- <sphere/> --><box><size>1 2 3</size><sphere/></box><![CDATA[<sphere/>]]>"
    assert shape_in(inside) == Primitive("box", (1, 2, 3))
    first, second = "<geometry><box><size>1 2 3</size></box></geometry>", "<geometry><sphere/></geometry>"
    assert shape_of(first + second) == Primitive("box", (1, 2, 3))
    with pytest.raises(SdfInertiaError):
        shape_of(second + first)
