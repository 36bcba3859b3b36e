"""3MF by trimesh: what it builds, in metres, and all that trimesh would leave out is refused."""

from __future__ import annotations

import io
import sys
import zipfile
from collections.abc import Mapping

import numpy as np
import pytest

import sdfinertia
from sdfinertia.errors import MeshError

trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed")
pytest.importorskip("networkx", reason="networkx is not installed: pip install -e .[cad]")

CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PRODUCTION = "http://schemas.microsoft.com/3dmanufacturing/production/2015/06"
_BOX = trimesh.creation.box((10, 20, 30))
_VERTICES = "".join('<vertex x="{}" y="{}" z="{}"/>'.format(*row) for row in _BOX.vertices.tolist())
_TRIANGLES = "".join('<triangle v1="{}" v2="{}" v3="{}"/>'.format(*row) for row in _BOX.faces.tolist())
MESH = f"<mesh><vertices>{_VERTICES}</vertices><triangles>{_TRIANGLES}</triangles></mesh>"
BOX = f'<object id="1" name="brick" type="model">{MESH}</object>'


def package(resources: str, build: str, root: str = "", parts: Mapping[str, str] | None = None) -> bytes:
    """A package whose root model holds these."""
    model = (
        f'<model xmlns="{CORE}" xmlns:p="{PRODUCTION}" {root}><resources>{resources}</resources>'
        f"<build>{build}</build></model>"
    )
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in {"3D/3dmodel.model": model, **(parts or {})}.items():
            archive.writestr(name, text)
    return made.getvalue()


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


def test_what_is_built_counts_where_it_is_placed() -> None:
    placed = '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 100 0 0"/>'
    body = sdfinertia.mesh(package(BOX, ITEM + placed), density=1e6, filename="a.3mf")
    assert body.mass == pytest.approx(2 * MASS, rel=1e-12)
    assert body.com == pytest.approx([0.05, 0, 0], abs=1e-12)
    assert mass_of(package(BOX + BOX.replace('id="1"', 'id="2"'), ITEM)) == pytest.approx(MASS, rel=1e-12)


def test_components_are_placed_in_their_object() -> None:
    two = '<component objectid="1"/><component objectid="1" transform="1 0 0 0 1 0 0 0 1 0 50 0"/>'
    assembly = f'<object id="2"><components>{two}</components></object>'
    body = sdfinertia.mesh(package(BOX + assembly, '<item objectid="2"/>'), density=1e6, filename="a.3mf")
    assert body.com == pytest.approx([0, 0.025, 0], abs=1e-12)
    assert body.mass == pytest.approx(2 * MASS, rel=1e-12)


def test_the_note_names_the_reader_and_the_name_of_an_object_selects_it() -> None:
    body = sdfinertia.mesh(package(BOX, ITEM), filename="a.3mf", submesh="brick")
    assert body.faces == 12
    assert f"3MF is read by trimesh ({trimesh.__version__}), in its unit, the millimeter" in body.notes
    assert "3MF is read, which Gazebo does not read" in body.notes


def test_what_trimesh_writes_comes_back() -> None:
    scene = trimesh.Scene()
    scene.add_geometry(_BOX, node_name="a", geom_name="brick")
    scene.add_geometry(_BOX, node_name="b", geom_name="brick", transform=np.diag([1.0, 1.0, 1.0, 1.0]) + _shift(40))
    assert mass_of(scene.export(file_type="3mf")) == pytest.approx(2 * MASS, rel=1e-12)


def _shift(x: float) -> np.ndarray:
    matrix = np.zeros((4, 4))
    matrix[0, 3] = x
    return matrix


REFERENCE = '<object id="2"><components><component p:path="/3D/o.model" objectid="1"/>{}</components></object>'
PART = '<model xmlns="{}"><resources>{}</resources><build/></model>'
ANOTHER = BOX.replace('id="1"', 'id="7"')
LATTICE = 'requiredextensions="b" xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02"'


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"no archive", "cannot be unpacked"),
        (package(BOX, ITEM)[:-40], "cannot be unpacked"),
        (package(BOX, '<item objectid="9"/>'), "builds the object '9', which it does not define"),
        (package(BOX, ITEM, 'unit="furlong"'), "unit 'furlong'"),
        (package(BOX, ITEM, LATTICE), "requires .*beamlattice.*which trimesh leaves out"),
        (package(BOX.replace('x="', 'x="a', 1), ITEM), "trimesh"),
        (package(BOX.replace('v1="', 'v1="x', 1), ITEM), "trimesh"),
        (package(BOX.replace('type="model"', 'type="support"'), ITEM), "of the type 'support', which is not a solid"),
        (package('<object id="1"><components><component objectid="1"/></components></object>', ITEM), "in a circle"),
        (
            package(REFERENCE.format(""), '<item objectid="2"/>', "", {"3D/o.model": PART.format(CORE, BOX + ANOTHER)}),
            "holds 2 meshes, which trimesh takes for one",
        ),
        (
            package(
                REFERENCE.format('<component p:path="/3D/o.model" objectid="1"/>'),
                '<item objectid="2"/>',
                "",
                {"3D/o.model": PART.format(CORE, BOX)},
            ),
            "takes one part twice",
        ),
        (package("", ""), "no triangles"),
    ],
)  # fmt: skip
def test_what_trimesh_would_misread_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(MeshError, match=problem):
        mass_of(content)


def test_a_mesh_in_a_part_of_its_own_is_read() -> None:
    parts = {"3D/o.model": PART.format(CORE, BOX)}
    assert mass_of(package(REFERENCE.format(""), '<item objectid="2"/>', "", parts)) == pytest.approx(MASS, rel=1e-12)


def test_a_package_that_unpacks_to_far_more_is_refused() -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("3D/3dmodel.model", " " * 10_000_000)
    with pytest.raises(MeshError, match=r"unpacks to 10,000,000, which is too much"):
        mass_of(made.getvalue())


def test_objects_of_objects_of_objects_are_counted_before_they_are_built() -> None:
    objects = BOX
    for number in range(2, 30):
        twice = f'<component objectid="{number - 1}"/>' * 2
        objects += f'<object id="{number}"><components>{twice}</components></object>'
    with pytest.raises(MeshError, match="asks for more than"):
        mass_of(package(objects, '<item objectid="29"/>'))


def test_entities_are_refused() -> None:
    content = package(BOX, ITEM)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        text = archive.read("3D/3dmodel.model").decode()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("3D/3dmodel.model", f'<!DOCTYPE model [<!ENTITY a "1">]>{text}')
    with pytest.raises(MeshError, match="DOCTYPE"):
        mass_of(made.getvalue())


def test_without_networkx_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "networkx", None)
    with pytest.raises(MeshError, match=r"reading 3MF needs the library networkx; .*sdfinertia\[cad\]"):
        mass_of(package(BOX, ITEM))
