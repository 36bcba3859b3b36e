"""What is said of the sum over the collisions of a link."""

from pathlib import Path

import pytest

from sdfinertia.documents.filling import fill
from sdfinertia.documents.link_results import LinkResult


def notes_on(*geometries: str, density: float = 1, model: str = "") -> list[str]:
    """The notes about millimetres on a link with a collision for each geometry."""
    collisions = "".join(
        f"<collision name='c{number}'><density>{density}</density><geometry>{geometry}</geometry></collision>"
        for number, geometry in enumerate(geometries)
    )
    text = (
        f"<sdf version='1.11'><model name='m'>{model}<link name='l'><inertial auto='true'/>{collisions}</link></model>"
        "</sdf>"
    )
    (link,) = fill(text.encode(), filename="/nowhere/m.sdf").links
    assert link.error is None
    return [note for note in link.notes if "millimetres" in note]


def notes_of(size: float, density: float, *, model: str = "") -> list[str]:
    """The notes on a link that is a cube."""
    return notes_on(f"<box><size>1 1 {size}</size></box>", density=density, model=model)


@pytest.mark.parametrize(
    ("size", "density", "said"),
    [
        pytest.param(11, 1, ["a link of 11 m: is a file in millimetres?"], id="long"),
        pytest.param(1, 10_001, ["a link of 10001 kg: is a file in millimetres?"], id="heavy"),
        pytest.param(11, 10_001, ["a link of 11 m: is a file in millimetres?"], id="both"),
        pytest.param(10, 1001, ["a link of 10010 kg: is a file in millimetres?"], id="heavy, and as long as may be"),
        pytest.param(10, 1, [], id="as long as may be"),
        pytest.param(1, 10_000, [], id="as heavy as may be"),
    ],
)
def test_a_large_link_is_asked_about(size: float, density: float, said: list[str]) -> None:
    assert notes_of(size, density) == said
    assert notes_of(size, density, model="<static>true</static>") == [], "buildings are large"


def round_solid(kind: str, radius: float, length: float) -> str:
    return f"<{kind}><radius>{radius}</radius><length>{length}</length></{kind}>"


def polyline(width: float, depth: float, height: float) -> str:
    """A rectangle far from the origin, which is no part of its size."""
    corners = ((100, 0), (100 + width, 0), (100 + width, depth), (100, depth))
    points = "".join(f"<point>{x} {y}</point>" for x, y in corners)
    return f"<polyline>{points}<height>{height}</height></polyline>"


@pytest.mark.parametrize(
    ("geometry", "size"),
    [
        pytest.param(round_solid("cylinder", 8, 1), 16, id="wide cylinder"),
        pytest.param(round_solid("capsule", 4, 9), 17, id="capsule with its ends"),
        pytest.param(polyline(50, 1, 1), 50, id="wide polyline"),
        pytest.param(polyline(1, 50, 1), 50, id="deep polyline"),
        pytest.param(polyline(1, 1, 50), 50, id="high polyline"),
    ],
)
def test_every_shape_is_known_by_its_largest_dimension(geometry: str, size: int) -> None:
    assert notes_on(geometry, density=0.01) == [f"a link of {size} m: is a file in millimetres?"]
    assert notes_on(geometry, geometry, density=0.01) == [f"a link of {size} m: is a file in millimetres?"]


# Digits ---------------------------------------------------------------------------------------------------------------


def link_of(*collisions: str, inside: str = "") -> LinkResult:
    text = (
        f"<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'>{inside}</inertial>"
        f"{''.join(collisions)}</link></model></sdf>"
    )
    (link,) = fill(text.encode(), filename="/nowhere/m.sdf").links
    return link


def box_at(size: str, pose: str = "0 0 0", density: str = "1000", name: str = "c") -> str:
    return (
        f"<collision name='{name}'><pose>{pose} 0 0 0</pose><density>{density}</density>"
        f"<geometry><box><size>{size}</size></box></geometry></collision>"
    )


@pytest.mark.parametrize(
    ("size", "density"),
    [("1 2 3", "1e-315"), ("1 2 3", "1e-300"), ("1e-64 2e-64 3e-64", "1000"), ("1e-64 2e-64 3e-64", "1e-100")],
)
def test_a_given_mass_keeps_all_digits_however_small_density_and_size_are(size: str, density: str) -> None:
    link = link_of(box_at(size, density=density), inside="<mass>12</mass>")
    unit = float(size.split(maxsplit=1)[0])
    numbers = link.text.numbers()
    assert numbers[6] == 12.0
    assert numbers[7:] == pytest.approx(
        (13 * unit * unit, 0, 0, 10 * unit * unit, 0, 5 * unit * unit), rel=1e-12, abs=0.0
    )


def test_tiny_densities_weigh_as_their_quotient() -> None:
    # In the proportion 3 to 1, as near as numbers of this size hold it.
    light = link_of(
        box_at("1 1 1", density="3e-310", name="a"), box_at("1 1 1", "4 0 0", "1e-310", "b"), inside="<mass>4</mass>"
    )
    assert light.inertia.p_BoBcm_B == pytest.approx((1.0, 0.0, 0.0), rel=1e-12)


@pytest.mark.parametrize(("size", "density"), [("1e-64 1e-64 1e-64", "1000"), ("1 1 1", "1e-315")])
def test_what_is_below_the_range_of_double_precision_is_refused(size: str, density: str) -> None:
    link = link_of(box_at(size, density=density))
    assert "below the range of double precision" in link.error.problem


def obj_of(tilt: float) -> str:
    """A box of 1 2 3 m as a mesh, turned about z by a hair."""
    corners = [(x, y, z) for z in (-1.5, 1.5) for y in (-1.0, 1.0) for x in (-0.5, 0.5)]
    faces = [(1, 3, 4), (1, 4, 2), (5, 6, 8), (5, 8, 7), (1, 2, 6), (1, 6, 5)]
    faces += [(3, 7, 8), (3, 8, 4), (1, 5, 7), (1, 7, 3), (2, 4, 8), (2, 8, 6)]
    lines = [f"v {x - tilt * y!r} {y + tilt * x!r} {z!r}" for x, y, z in corners]
    return "\n".join([*lines, *(f"f {a} {b} {c}" for a, b, c in faces)]) + "\n"


@pytest.mark.parametrize(("tilt", "is_zero"), [(0.0, True), (1e-13, True), (1e-12, False), (-1e-11, False)])
def test_what_rounding_leaves_of_a_product_of_a_mesh_is_zero(tmp_path: Path, tilt: float, is_zero: bool) -> None:
    # A turn by t gives a product of (5000 - 6500) t, and the trace is 14,000.
    (tmp_path / "box.obj").write_text(obj_of(tilt))
    text = (
        "<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'/><collision name='c'><geometry>"
        "<mesh><uri>box.obj</uri></mesh></geometry></collision></link></model></sdf>"
    )
    (link,) = fill(text.encode(), filename=str(tmp_path / "m.sdf")).links
    assert (link.text.tensor[1] == "0") is is_zero
    assert (link.text.tensor[2], link.text.tensor[4]) == ("0", "0")
