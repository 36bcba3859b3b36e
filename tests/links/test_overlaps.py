"""`--overlaps union` and `<overlaps>`: volume that solids share is counted once."""

import math
from pathlib import Path

import pytest
from builders.documents import one_link, solid
from builders.meshes import box, joined, obj

from sdfinertia.documents.filling import fill
from sdfinertia.documents.link_results import LinkResult
from sdfinertia.inertia import SpatialInertia
from sdfinertia.options import Options

pytest.importorskip("manifold3d", reason="the extra `robust` is not installed")

UNION = Options(overlaps="union")
# Two unit cubes that share half of each: a box of 1.5 by 1 by 1 about (0.25, 0, 0).
MASS = 1500.0
MOMENTS = (MASS * 2 / 12, MASS * (1.5**2 + 1) / 12, MASS * (1.5**2 + 1) / 12)


def collision(name: str, geometry: str, pose: str = "0 0 0 0 0 0", density: float = 1000) -> str:
    return solid(geometry, pose, name, more=f"<density>{density}</density>")


CUBE = "<box><size>1 1 1</size></box>"


def fill_link(*collisions: str, options: Options = UNION, inertial: str = "", name: str = "<bytes>") -> LinkResult:
    result = fill(one_link(f"<inertial auto='true'>{inertial}</inertial>", *collisions), options, filename=name)
    (link,) = result.links
    assert link.error is None, link.error
    assert not fill(result.content, filename=name).changed, "a second run needs no option"
    return link


def require(inertia: SpatialInertia | None, mass: float, com: tuple[float, ...], moments: tuple[float, ...]) -> None:
    assert inertia.mass == pytest.approx(mass, rel=1e-9)
    assert inertia.p_BoBcm_B == pytest.approx(com, abs=1e-9)
    assert inertia.I_BBcm_B[:3] == pytest.approx(moments, rel=1e-9)


def test_two_boxes_that_overlap_count_once_where_they_do() -> None:
    link = fill_link(collision("a", CUBE), collision("b", CUBE, "0.5 0 0 0 0 0"))
    require(link.inertia, MASS, (0.25, 0, 0), MOMENTS)
    assert any("shares with solids before it" in note for note in link.notes)
    plain = fill_link(collision("a", CUBE), collision("b", CUBE, "0.5 0 0 0 0 0"), options=Options())
    assert plain.inertia.mass == pytest.approx(2000), "the sum counts it twice"


def test_the_file_itself_may_ask_for_the_union() -> None:
    asked = "<auto_inertia_params><sdfinertia:overlaps>union</sdfinertia:overlaps></auto_inertia_params>"
    link = fill_link(collision("a", CUBE), collision("b", CUBE, "0.5 0 0 0 0 0"), options=Options(), inertial=asked)
    require(link.inertia, MASS, (0.25, 0, 0), MOMENTS)


def test_shared_volume_has_the_density_of_the_solid_that_stands_first_and_one_wholly_inside_adds_nothing() -> None:
    link = fill_link(collision("a", CUBE, density=1), collision("b", CUBE, "0.5 0 0 0 0 0", density=9))
    assert link.inertia.mass == pytest.approx(1 + 9 / 2, rel=1e-9)
    assert link.inertia.p_BoBcm_B[0] == pytest.approx(9 / 2 * 0.75 / 5.5, rel=1e-9)
    link = fill_link(collision("a", CUBE), collision("b", "<sphere><radius>0.3</radius></sphere>"))
    require(link.inertia, 1000, (0, 0, 0), (1000 / 6,) * 3)


def test_solids_that_share_nothing_keep_their_closed_form() -> None:
    ball, far = "<sphere><radius>0.5</radius></sphere>", "0 0 1.001 0 0 0"
    union, plain = (
        fill_link(collision("a", ball), collision("b", ball, far), options=options) for options in (UNION, Options())
    )
    assert union.inertia == plain.inertia


CURVED = {
    # Half of a ball, of a cylinder and so on lies inside a box that ends at its middle.
    "sphere": ("<sphere><radius>0.5</radius></sphere>", 4 / 3 * math.pi * 0.5**3),
    "ellipsoid": ("<ellipsoid><radii>0.5 0.4 0.3</radii></ellipsoid>", 4 / 3 * math.pi * 0.5 * 0.4 * 0.3),
    "cylinder": ("<cylinder><radius>0.3</radius><length>0.8</length></cylinder>", math.pi * 0.3**2 * 0.8),
    "cone": ("<cone><radius>0.3</radius><length>0.8</length></cone>", math.pi * 0.3**2 * 0.8 / 3),
    "capsule": (
        "<capsule><radius>0.3</radius><length>0.4</length></capsule>",
        math.pi * 0.3**2 * 0.4 + 4 / 3 * math.pi * 0.3**3,
    ),
    "polyline": (
        "<polyline><point>-0.3 -0.4</point><point>0.3 -0.4</point><point>0.3 0.4</point><point>-0.3 0.4</point>"
        "<height>0.4</height></polyline><polyline><point>-0.1 -0.2</point><point>-0.1 0.2</point><point>0.1 0.2</point>"
        "<point>0.1 -0.2</point><height>0.4</height></polyline>",
        (0.6 * 0.8 - 0.2 * 0.4) * 0.4,
    ),
}


@pytest.mark.parametrize("kind", CURVED)
def test_half_of_a_solid_lies_in_a_box(kind: str) -> None:
    geometry, volume = CURVED[kind]
    # The box ends at x = 0 and holds the half of the solid where x < 0.
    box = collision("a", "<box><size>2 4 4</size></box>", "-1 0 0 0 0 0")
    link = fill_link(box, collision("b", geometry))
    assert link.inertia.mass - 32_000 == pytest.approx(1000 * volume / 2, rel=1e-3)


def test_bodies_of_one_mesh_count_once_where_they_overlap(tmp_path: Path) -> None:
    two = joined(*(box(corner=(x, -0.5, -0.5)) for x in (-0.5, 0.0)))
    (tmp_path / "two.obj").write_text(obj(two))
    mesh = collision("c", "<mesh><uri>two.obj</uri></mesh>")
    link = fill_link(mesh, name=str(tmp_path / "model.sdf"))
    require(link.inertia, MASS, (0.25, 0, 0), MOMENTS)
    assert any("counted once" in note for note in link.notes)
