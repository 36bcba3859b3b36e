from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders.meshes import ball, box, obj
from builders.robots import ENTRIES

from sdfinertia.documents.checking import check
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.options import Options

if TYPE_CHECKING:
    from pathlib import Path

SLIPS = Options(select=("SDI210",))


def bent() -> tuple[np.ndarray, np.ndarray]:
    """A closed surface of many faces whose products are all far from zero, and none like another."""
    vertices, faces = ball(12, 18)
    x, y, z = vertices.T
    return np.column_stack((0.2 * x + 0.05 * y, 0.1 * y + 0.03 * z + 0.04 * x**2, 0.05 * z + 0.02 * x)), faces


def tensor_of(mesh: tuple[np.ndarray, np.ndarray]) -> tuple[list[float], tuple[float, ...]]:
    """ixx ixy ixz iyy iyz izz at 2 kg, and the centre."""
    body = moments(*mesh).spatial_inertia(1.0).scaled_to_mass(2.0)
    xx, yy, zz, xy, xz, yz = body.I_BBcm_B
    return [xx, xy, xz, yy, yz, zz], body.p_BoBcm_B


TENSOR, CENTRE = tensor_of(bent())
XX, XY, XZ, YY, YZ, ZZ = TENSOR
SIGNS = [XX, -XY, -XZ, YY, -YZ, ZZ]


def found_in(
    directory: Path,
    mesh: tuple[np.ndarray, np.ndarray],
    tensor: list[float],
    centre: tuple[float, ...],
    options: Options = SLIPS,
    shape: str = "<mesh filename='part.obj'/>",
) -> list[str]:
    (directory / "part.obj").write_text(obj(mesh))
    entries = " ".join(f"{name}='{value:.6g}'" for name, value in zip(ENTRIES, tensor, strict=True))
    text = (
        f"<robot name='r'><link name='l'><inertial><origin xyz='{' '.join(map(repr, centre))}'/><mass value='2'/>"
        f"<inertia {entries}/></inertial><visual><geometry>{shape}</geometry></visual></link></robot>"
    )
    (directory / "r.urdf").write_text(text)
    findings = check(text.encode(), options, filename=str(directory / "r.urdf"))
    return [finding.message for finding in findings if finding.code == "SDI210"]


def remedies_in(directory: Path) -> list[str]:
    """Of what the last `found_in` found."""
    path = directory / "r.urdf"
    return [finding.remedy for finding in check(path.read_bytes(), SLIPS, filename=str(path))]


def test_numbers_that_are_those_of_the_mesh_are_no_finding(tmp_path: Path) -> None:
    assert found_in(tmp_path, bent(), TENSOR, CENTRE) == []


def test_products_as_positive_integrals_are_found(tmp_path: Path) -> None:
    (message,) = found_in(tmp_path, bent(), SIGNS, CENTRE)
    assert "the signs of positive integrals; undone, its moments are within" in message
    assert "of those of its closed mesh" in message


LOOK = "look whether that is meant, or correct it"
# At 2 kg a box of 0.42 × 0.31 × 0.18 m has 0.0214167 0.0348 0.0454167.
BESIDE_A_BOX = {
    "right": ((0.0214167, 0.0348, 0.0454167), ""),
    "axes": (
        (0.0348, 0.0454167, 0.0214167),
        "the axes are exchanged: what is written for z x y is its box about x y z",
    ),
    "one entry": ((0.0214167, 0.0348, 0.0388), "all but izz are those of its box"),
    "another mass": ((0.0535417, 0.087, 0.113542), "the tensor is that of its box at 5 kg"),
    "no mass": ((0.01070833, 0.0174, 0.02270833), "the tensor is that of its box at 1 kg"),
    "a power of ten": ((2.14167, 3.48, 4.54167), "the tensor is that of its box times 100"),
}


@pytest.mark.parametrize("name", BESIDE_A_BOX)
def test_beside_a_primitive_digits_tell_the_mistake_with_its_place_and_what_undoes_it(
    tmp_path: Path, name: str
) -> None:
    (xx, yy, zz), told = BESIDE_A_BOX[name]
    six = [xx, 0.0, 0.0, yy, 0.0, zz]
    found = found_in(tmp_path, bent(), six, (0.0, 0.0, 0.0), shape="<box size='0.42 0.31 0.18'/>")
    assert found == ([f"likely mistake: {told}"] if told else [])
    for each in check(tmp_path / "r.urdf", Options(select=("SDI210",), why=False)):
        assert each.remedy == (LOOK if name in ("axes", "one entry") else "look which of them is right")
        assert each.location.column == (tmp_path / "r.urdf").read_text().index("<inertia ") + 1


def test_a_centre_with_a_wrong_sign_is_told_of_the_centre(tmp_path: Path) -> None:
    vertices, faces = bent()
    mesh = vertices + np.array([0.2, 0.1, -0.15]), faces
    tensor, centre = tensor_of(mesh)
    (told,) = found_in(tmp_path, mesh, tensor, (-centre[0], centre[1], centre[2]))
    assert told == "likely mistake: the centre of mass has a wrong sign"
    (found,) = check(tmp_path / "r.urdf", SLIPS)
    assert found.remedy == LOOK
    assert found.location.column == (tmp_path / "r.urdf").read_text().index("<origin") + 1


def test_what_explains_a_slip_is_the_slip(tmp_path: Path) -> None:
    found_in(tmp_path, bent(), SIGNS, CENTRE)
    text = (tmp_path / "r.urdf").read_bytes()
    (finding,) = check(text, Options(why=True), filename=str(tmp_path / "r.urdf"))
    assert finding.code == "SDI210"
    assert finding.why is not None
    assert finding.why.explanations[0].group == "signs"
    sentence, _, _ = finding.why.explanations[0].sentence.partition(", as CAD programs print them")
    assert finding.message.startswith(f"likely mistake: {sentence}; undone")


def test_exchanged_axes_are_found(tmp_path: Path) -> None:
    (message,) = found_in(tmp_path, bent(), [YY, YZ, XY, ZZ, XZ, XX], CENTRE)
    assert "axes" in message


def test_a_tensor_about_the_origin_is_found(tmp_path: Path) -> None:
    vertices, faces = bent()
    mesh = vertices + np.array([0.2, 0.1, -0.15]), faces
    body = moments(*mesh).spatial_inertia(1.0).scaled_to_mass(2.0)
    xx, yy, zz, xy, xz, yz = body.I_BBo_B
    (message,) = found_in(tmp_path, mesh, [xx, xy, xz, yy, yz, zz], body.p_BoBcm_B)
    assert "origin" in message


def test_another_body_than_the_mesh_is_no_slip(tmp_path: Path) -> None:
    hollow = [value * factor for value, factor in zip(TENSOR, (1.5, -1.2, 1.4, 1.3, -1.3, 1.6), strict=True)]
    assert found_in(tmp_path, bent(), hollow, CENTRE) == []


def test_a_mesh_of_a_box_proves_nothing_but_to_the_digits(tmp_path: Path) -> None:
    vertices, faces = box((0.3, 0.2, 0.1))
    (xx, xy, xz, yy, yz, zz), centre = tensor_of((vertices, faces))
    assert found_in(tmp_path, (vertices, faces), [1.01 * zz, yz, xz, 0.99 * yy, xy, xx], centre) == []
    assert len(found_in(tmp_path, (vertices, faces), [zz, yz, xz, yy, xy, xx], centre)) == 1


@pytest.mark.parametrize("shape", ["<box size='0.3 0.2 0.1'/>", "<cylinder radius='0.1' length='0.3'/>"])
def test_a_primitive_proves_nothing(tmp_path: Path, shape: str) -> None:
    tensor = [0.02 * (0.2**2 + 0.1**2), 0.0, 0.0, 0.03, 0.0, 0.035]
    assert found_in(tmp_path, bent(), tensor, (0.0, 0.0, 0.0), shape=shape) == []


def test_an_open_mesh_proves_nothing(tmp_path: Path) -> None:
    vertices, faces = bent()
    assert found_in(tmp_path, (vertices, faces[1:]), SIGNS, CENTRE) == []


def test_it_is_looked_for_unless_causes_are_left_out(tmp_path: Path) -> None:
    assert len(found_in(tmp_path, bent(), SIGNS, CENTRE, Options())) == 1
    assert found_in(tmp_path, bent(), SIGNS, CENTRE, Options(why=False)) == []
    assert len(found_in(tmp_path, bent(), SIGNS, CENTRE, Options(why=False, select=("SDI210",)))) == 1
    assert found_in(tmp_path, bent(), SIGNS, CENTRE, Options(ignore=("SDI2",))) == []
    assert found_in(tmp_path, bent(), SIGNS, CENTRE, Options(select=("SDI1",))) == []


def test_a_tensor_that_is_the_mesh_to_the_digits_about_another_centre_is_found(tmp_path: Path) -> None:
    x, y, z = CENTRE
    (told,) = found_in(tmp_path, bent(), TENSOR, (x + 0.02, y, z))
    assert told == "likely mistake: the tensor is that of the closed mesh to the digits, and the centre 0.02 m off"
    assert remedies_in(tmp_path) == [f"the mesh has its centre at {x:.6g} {y:.6g} {z:.6g} m"]
    assert found_in(tmp_path, bent(), TENSOR, (x + 1e-4, y, z)) == []
    assert found_in(tmp_path, bent(), [1.001 * value for value in TENSOR], (x + 0.02, y, z)) == []


def test_a_tensor_of_a_boxlike_mesh_of_water_beside_another_mass_is_found(tmp_path: Path) -> None:
    cube = box(size=(0.02, 0.02, 0.02), corner=(-0.01, -0.01, -0.01))
    tensor = [0.008 / 6.0 * 0.0004, 0.0, 0.0, 0.008 / 6.0 * 0.0004, 0.0, 0.008 / 6.0 * 0.0004]
    (told,) = found_in(tmp_path, cube, tensor, (0.0, 0.0, 0.0))
    assert told == "likely mistake: the tensor is that of the closed mesh at 1000 kg/m³, 0.008 kg, not 2 kg"
    assert remedies_in(tmp_path) == ["at its mass the mesh has the moments 0.000133333 0.000133333 0.000133333 kg·m²"]
