"""Inputs where libsdformat 17 with gz-sim's mesh calculator gives a wrong number or none, and what is right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from builders.documents import collision, link, mesh, model, sdf
from builders.meshes import box, cube, inverted, joined, obj

from sdfinertia.documents.filling import fill
from sdfinertia.errors import MeshError

if TYPE_CHECKING:
    from pathlib import Path

    from sdfinertia.documents.link_results import LinkResult

Vector = tuple[float, float, float]
CUBE = cube((-0.5, -0.5, -0.5))
BOX = box((1.0, 2.0, 3.0), (-0.5, -1.0, -1.5))
OPEN_BOX = BOX[0], BOX[1][:-2]
CUBE_MOMENTS = (1000 / 6, 1000 / 6, 1000 / 6)
BOX_MOMENTS = (6500.0, 5000.0, 2500.0)
HOLLOW = 8000 * 8 / 12 - 1000 / 6


def parts(**meshes: Any) -> str:
    """An OBJ of several meshes of twelve faces, each below a line `o` with its name."""
    vertices, *faces = obj(joined(*meshes.values())).split("f ")
    rows = [f"f {face}" for face in faces]
    return vertices + "".join(f"o {name}\n" + "".join(rows[12 * k : 12 * k + 12]) for k, name in enumerate(meshes))


class Case(NamedTuple):
    """A mesh, what stands beside its name and in its `<inertial>`, and mass, centre and moments of the link."""

    text: str
    mass: float
    com: Vector
    moments: Vector
    more: str = ""
    attributes: str = ""
    inertial: str = ""


SUBMESHES = parts(post=box((1.0, 2.0, 3.0), (6.5, -1.0, -1.5)), base=cube((-4.5, -4.5, -4.5), 9.0))
POST = "<submesh><name>post</name>{}</submesh>"
HULL = " optimization='convex_hull'"
CASES = {
    "a mesh is not of mass one": Case(obj(BOX), 6000, (0, 0, 0), BOX_MOMENTS),
    "a mass given scales the tensor": Case(obj(BOX), 12, (0, 0, 0), (13, 10, 5), inertial="<mass>12</mass>"),
    "a surface split by material": Case(
        obj(CUBE).replace("f", "usemtl red\nf", 6).replace("red", "blue", 3), 1000, (0, 0, 0), CUBE_MOMENTS
    ),
    "inside out": Case(obj(inverted(CUBE)), 1000, (0, 0, 0), CUBE_MOMENTS),
    "mirrored once": Case(obj(CUBE), 6000, (0, 0, 0), BOX_MOMENTS, "<scale>-1 2 3</scale>"),
    "mirrored thrice": Case(obj(CUBE), 6000, (0, 0, 0), BOX_MOMENTS, "<scale>-1 -2 -3</scale>"),
    "a submesh without an optimization": Case(SUBMESHES, 6000, (7, 0, 0), BOX_MOMENTS, POST.format("")),
    "the centre of a submesh": Case(SUBMESHES, 6000, (0, 0, 0), BOX_MOMENTS, POST.format("<center>true</center>")),
    "a cavity that is a submesh of its own": Case(
        parts(outside=cube((-1.0, -1.0, -1.0), 2.0), inside=inverted(CUBE)), 7000, (0, 0, 0), (HOLLOW, HOLLOW, HOLLOW)
    ),
    "far from its origin": Case(obj(cube((1e5 - 0.5, -0.5, -0.5))), 1000, (1e5, 0, 0), CUBE_MOMENTS),
    "the hull of a box": Case(obj(BOX), 6000, (0, 0, 0), BOX_MOMENTS, attributes=HULL),
    "the hull of an open box": Case(obj(OPEN_BOX), 6000, (0, 0, 0), BOX_MOMENTS, attributes=HULL),
}


def filled(directory: Path, case: Case) -> LinkResult:
    (directory / "mesh.obj").write_text(case.text)
    shape = mesh("mesh.obj", case.more).replace("<mesh>", f"<mesh{case.attributes}>")
    inertial = f"<inertial auto='true'>{case.inertial}</inertial>"
    text = sdf(model(link(inertial, collision(f"<geometry>{shape}</geometry>"))))
    (found,) = fill(text, filename=str(directory / "model.sdf")).links
    return found


@pytest.mark.parametrize("name", CASES)
def test_mass_centre_and_moments_are_right_to_1e_9(tmp_path: Path, name: str) -> None:
    case = CASES[name]
    found = filled(tmp_path, case)
    assert found.inertia is not None, found.error
    assert found.inertia.mass == pytest.approx(case.mass, rel=1e-9)
    assert found.inertia.p_BoBcm_B == pytest.approx(case.com, rel=1e-9, abs=1e-9)
    assert found.inertia.I_BBcm_B[:3] == pytest.approx(case.moments, rel=1e-9)
    assert found.inertia.I_BBcm_B[3:] == pytest.approx((0.0, 0.0, 0.0), abs=1e-9 * max(case.moments))
    assert any("inside out" in note for note in found.notes) == (name == "inside out")
    assert found.collisions[0].method == ("convex_hull" if case.attributes else "exact")


@pytest.mark.parametrize("corner", [(-0.5, -0.5, -0.5), (4.5, -0.5, -0.5), (-0.5, -0.5, 4.5)])
def test_an_open_mesh_is_refused_wherever_the_origin_lies(tmp_path: Path, corner: Vector) -> None:
    vertices, faces = cube(corner)
    found = filled(tmp_path, Case(obj((vertices, faces[:-2])), 0, (0, 0, 0), (0, 0, 0)))
    assert isinstance(found.error, MeshError)
    assert "4 open edges" in str(found.error)
