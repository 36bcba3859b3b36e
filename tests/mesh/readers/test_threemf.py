"""3MF: what the named model builds, in metres, as a graph; and all that could be read in two ways is refused."""

import io
import time
import zipfile
from collections.abc import Mapping

import pytest

import sdfinertia
from sdfinertia.errors import MeshError

trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed")

CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
RELATIONSHIPS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="a" Target="{}" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/>'
    "</Relationships>"
)
_BOX = trimesh.creation.box((10, 20, 30))
_VERTICES = "".join('<vertex x="{}" y="{}" z="{}"/>'.format(*row) for row in _BOX.vertices.tolist())
_TRIANGLES = "".join('<triangle v1="{}" v2="{}" v3="{}"/>'.format(*row) for row in _BOX.faces.tolist())
MESH = f"<mesh><vertices>{_VERTICES}</vertices><triangles>{_TRIANGLES}</triangles></mesh>"
BOX = f'<object id="1" name="brick" type="model">{MESH}</object>'


def model(resources: str, build: str, root: str = "") -> str:
    return (
        f'<model xmlns="{CORE}" xmlns:p="{PRODUCTION}" {root}><resources>{resources}</resources>'
        f"<build>{build}</build></model>"
    )


def packed(parts: Mapping[str, str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", method) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
    return made.getvalue()


def package(resources: str, build: str, root: str = "", parts: Mapping[str, str] | None = None) -> bytes:
    """A package whose root model holds these."""
    named = RELATIONSHIPS.format("/3D/3dmodel.model")
    return packed({"_rels/.rels": named, "3D/3dmodel.model": model(resources, build, root), **(parts or {})})


def mass_of(content: bytes) -> float:
    return sdfinertia.mesh(content, density=1e6, filename="a.3mf").mass


ITEM = '<item objectid="1"/>'
# Six litres of 1 t/m³ in dm would be six; here 6,000 mm³ of 10⁶ kg/m³ are six kilograms.
MASS = 6.0


@pytest.mark.parametrize(
    ("unit", "factor"), [("", 1.0), ('unit="millimeter"', 1.0), ('unit="centimeter"', 1e3), ('unit="inch"', 25.4**3)]
)
def test_lengths_are_in_the_unit_of_the_package(unit: str, factor: float) -> None:
    assert mass_of(package(BOX, ITEM, unit)) == pytest.approx(MASS * factor, rel=1e-12)


def test_what_is_built_counts_where_it_is_placed_and_nothing_else() -> None:
    placed = '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 100 0 0"/>'
    body = sdfinertia.mesh(package(BOX, ITEM + placed), density=1e6, filename="a.3mf")
    assert body.mass == pytest.approx(2 * MASS, rel=1e-12)
    assert body.com == pytest.approx([0.05, 0, 0], abs=1e-12)
    assert mass_of(package(BOX + BOX.replace('id="1"', 'id="2"'), ITEM)) == pytest.approx(MASS, rel=1e-12)
    unused = ANOTHER.replace('type="model"', 'type="support"')
    assert mass_of(package(BOX + unused, ITEM)) == pytest.approx(MASS, rel=1e-12)


def test_components_are_placed_in_their_object() -> None:
    two = '<component objectid="1"/><component objectid="1" transform="1 0 0 0 1 0 0 0 1 0 50 0"/>'
    assembly = f'<object id="2"><components>{two}</components></object>'
    body = sdfinertia.mesh(package(BOX + assembly, '<item objectid="2"/>'), density=1e6, filename="a.3mf")
    assert body.com == pytest.approx([0, 0.025, 0], abs=1e-12)
    assert body.mass == pytest.approx(2 * MASS, rel=1e-12)


def test_the_name_of_an_object_or_of_one_that_holds_it_selects_it() -> None:
    robot = '<object id="2" name="robot"><components><component objectid="1"/></components></object>'
    content = package(BOX + robot, '<item objectid="1"/><item objectid="2"/>')
    assert sdfinertia.mesh(content, filename="a.3mf", submesh="brick").faces == 24
    assert sdfinertia.mesh(content, filename="a.3mf", submesh="robot").faces == 12


@pytest.mark.parametrize(("root", "given"), [("", "in millimeter, since it gives no unit"), ('unit="inch"', "in inch")])
def test_the_note_names_the_unit(root: str, given: str) -> None:
    notes = sdfinertia.mesh(package(BOX, ITEM, root), filename="a.3mf").notes
    assert f"lengths of the 3MF package are {given}, and were converted to metres" in notes
    assert "3MF is read, which Gazebo does not read" in notes


def test_what_trimesh_writes_comes_back() -> None:
    pytest.importorskip("networkx", reason="networkx is not installed")
    scene = trimesh.Scene()
    scene.add_geometry(_BOX, node_name="a", geom_name="brick")
    apart = trimesh.transformations.translation_matrix((40, 0, 0))
    scene.add_geometry(_BOX, node_name="b", geom_name="brick", transform=apart)
    assert mass_of(scene.export(file_type="3mf")) == pytest.approx(2 * MASS, rel=1e-12)


REFERENCE = '<object id="2"><components><component p:path="/3D/o.model" objectid="{}"/>{}</components></object>'
ANOTHER = BOX.replace('id="1"', 'id="7"')
LATTICE = 'requiredextensions="b" xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02"'
LARGER = BOX.replace('x="', 'x="2')


def test_the_model_is_the_part_that_the_relationships_name() -> None:
    """Of two models in one package, the one that is measured is the one that other programs open."""
    other = {"3D/Other.model": model(BOX, ITEM)}
    for target in ("/3D/Other.model", "3D/other.model", "./3D/../3D/Oth%65r.model"):
        content = packed(
            {"3D/3dmodel.model": model(LARGER, ITEM), "_rels/.rels": RELATIONSHIPS.format(target), **other}
        )
        assert mass_of(content) == pytest.approx(MASS, rel=1e-12)


def test_a_mesh_in_another_part_is_read_as_often_as_it_is_taken() -> None:
    parts = {"3D/o.model": model(BOX + ANOTHER, "")}
    for reference, bodies in (
        (REFERENCE.format(1, ""), 1),
        (REFERENCE.format(1, '<component objectid="1" transform="1 0 0 0 1 0 0 0 1 99 0 0" p:path="/3D/O.model"/>'), 2),
        (REFERENCE.format(7, ""), 1),
    ):
        content = package(reference, '<item objectid="2"/>', "", parts)
        assert mass_of(content) == pytest.approx(bodies * MASS, rel=1e-12)


def test_geometry_of_extensions_is_left_out_with_a_note() -> None:
    mesh = MESH.replace("</mesh>", '<b:beamlattice xmlns:b="urn:b"><triangle v1="0"/></b:beamlattice></mesh>')
    body = sdfinertia.mesh(package(BOX.replace(MESH, mesh), ITEM), density=1e6, filename="a.3mf")
    assert body.mass == pytest.approx(MASS, rel=1e-12)
    assert "<beamlattice> in the 3MF package is left out" in body.notes


def first(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def of_part(text: str, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A package whose root model is this text."""
    return packed({"_rels/.rels": RELATIONSHIPS.format("a"), "a": text}, method)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"no archive", "cannot be unpacked"),
        (package(BOX, ITEM)[:-40], "cannot be unpacked"),
        (packed({"3D/3dmodel.model": model(BOX, ITEM)}), "holds no part '_rels/.rels'"),
        (packed({"_rels/.rels": RELATIONSHIPS.format("/3D/a.model")}), "holds no part '3d/a.model'"),
        (packed({"_rels/.rels": "<Relationships/>"}), "name 0 models, and must name one"),
        (packed({"_rels/.rels": RELATIONSHIPS.format('a" TargetMode="External')}), "is not inside it"),
        (package(BOX, ITEM, "", {"3d/3DMODEL.model": model(LARGER, ITEM)}), "holds the part '3d/3dmodel.model' twice"),
        (package(BOX, '<item objectid="9"/>'), "builds the object '9', which it does not define"),
        (package(BOX, ITEM, 'unit="furlong"'), "unit 'furlong'"),
        (package(BOX, ITEM, LATTICE), "requires .*beamlattice.*which is not read"),
        (package(first(BOX, 'x="', 'x="a'), ITEM), "a vertex of the 3MF package needs one number in each attribute"),
        (package(first(BOX, 'x="-5.0"', 'x="0 0 0 1"'), ITEM), "needs one number in each attribute"),
        (package(first(first(BOX, 'x="-5.0"', 'x="1 2"'), 'y="-10.0"', 'y=""'), ITEM), "needs one number"),
        (package(first(BOX, 'x="-5.0"', 'x="nan"'), ITEM), "needs one number in each attribute, found 'nan'"),
        (package(first(BOX, 'x="-5.0"', 'x="٣"'), ITEM), "needs one number in each attribute, found something else"),
        (package(first(BOX, 'x="-5.0"', ""), ITEM), "needs one number in each attribute"),
        (package(first(BOX, 'v1="', 'v1="x'), ITEM), "a triangle of the 3MF package needs one number"),
        (package(first(BOX, 'v1="', 'v1="9'), ITEM), "has a triangle of vertex 9., but there are 8"),
        (package(first(BOX, 'v1="', 'v1="-'), ITEM), "has a triangle of vertex -"),
        (package(BOX, '<item objectid="1" transform="1 0 0"/>'), "a transform of 3 numbers, and must have 12"),
        (package(BOX, '<item objectid="1" transform="1 0 0 0 1 0 0 0 inf 0 0 0"/>'), "a transform of numbers and"),
        (package(BOX, '<item objectid="1" transform="1 0 0 0 1 0 0 0 0 0 0 0"/>'), "leaves no volume"),
        (package(BOX.replace('type="model"', 'type="support"'), ITEM), "of the type 'support', which is not a solid"),
        (package('<object id="1"><components><component objectid="1"/></components></object>', ITEM), "in a circle"),
        (package(BOX + BOX, ITEM), "defines the object '1' twice"),
        (package(BOX.replace(MESH, MESH + MESH), ITEM), "holds <mesh> twice"),
        (package(BOX.replace(MESH, MESH + "<components/>"), ITEM), "a mesh and components"),
        (package(first(REFERENCE, "p:", 'xmlns:q="urn:q" q:'), '<item objectid="2"/>'), "a path of 'urn:q'"),
        (package("", ""), "no triangles"),
        (of_part("<model/>"), "is not a <model> of http"),
        (of_part("<model>"), "is not a <model> of|not XML"),
        (of_part(f'<!DOCTYPE model [<!ENTITY a "1">]>{model(BOX, ITEM)}'), "DOCTYPE"),
        (of_part(" " * 10_000_000), r"unpacks to 10,000,\d\d\d or more, which is too much"),
        (of_part(model(BOX, ITEM), zipfile.ZIP_LZMA), "packed by another method than deflate"),
    ],
)  # fmt: skip
def test_what_could_be_misread_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(MeshError, match=problem):
        mass_of(content)


def nested(levels: int, leaf: str) -> str:
    """Objects 2 to `levels`, each of two of the one before."""
    pairs = (f'<component objectid="{number - 1}"/>' * 2 for number in range(2, levels + 1))
    return leaf + "".join(
        f'<object id="{number}"><components>{pair}</components></object>' for number, pair in enumerate(pairs, 2)
    )


@pytest.mark.parametrize(
    ("levels", "leaf", "outcome"),
    [
        (60, BOX, "asks for more than 500000 triangles"),
        # An empty object that is taken 2⁵⁹ times adds nothing.
        (60, '<object id="1"><mesh/></object>', None),
        (60, '<object id="1"><mesh><vertices/></mesh></object>', None),
        (150, BOX, "in a circle, or 100 levels deep or more"),
    ],
)
def test_components_are_counted_as_a_graph(levels: int, leaf: str, outcome: str | None) -> None:
    box = BOX.replace('id="1"', 'id="1000"')
    content = package(nested(levels, leaf) + box, f'<item objectid="{levels}"/><item objectid="1000"/>')
    started = time.process_time()
    if outcome is None:
        assert mass_of(content) == pytest.approx(MASS, rel=1e-12)
    else:
        with pytest.raises(MeshError, match=outcome):
            mass_of(content)
    assert time.process_time() - started < 1.0


def test_components_that_are_no_triangles_are_bounded_too() -> None:
    single = "".join(
        f'<object id="{n}"><components><component objectid="{n - 1}"/></components></object>' for n in range(2, 90)
    )
    triangle = BOX.replace(_TRIANGLES, '<triangle v1="0" v2="1" v3="2"/>')
    with pytest.raises(MeshError, match="asks for more than 200000 components"):
        mass_of(package(triangle + single, '<item objectid="89"/>' * 3000))
