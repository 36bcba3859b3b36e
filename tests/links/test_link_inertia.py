"""What is said of the sum over the collisions of a link."""

from __future__ import annotations

import pytest

from sdfinertia.documents.filling import fill


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
        pytest.param(round_solid("cylinder", 1, 16), 16, id="long cylinder"),
        pytest.param(round_solid("capsule", 4, 9), 17, id="capsule with its ends"),
        pytest.param(round_solid("cone", 8, 1), 16, id="wide cone"),
        pytest.param(round_solid("cone", 1, 12), 12, id="long cone"),
        pytest.param("<sphere><radius>6</radius></sphere>", 12, id="sphere"),
        pytest.param("<ellipsoid><radii>1 6 2</radii></ellipsoid>", 12, id="ellipsoid"),
        pytest.param("<box><size>1 11 2</size></box>", 11, id="box"),
        pytest.param(polyline(50, 1, 1), 50, id="wide polyline"),
        pytest.param(polyline(1, 50, 1), 50, id="deep polyline"),
        pytest.param(polyline(1, 1, 50), 50, id="high polyline"),
    ],
)
def test_every_shape_is_known_by_its_largest_dimension(geometry: str, size: int) -> None:
    assert notes_on(geometry, density=0.01) == [f"a link of {size} m: is a file in millimetres?"]
    assert notes_on(geometry, geometry, density=0.01) == [f"a link of {size} m: is a file in millimetres?"]


@pytest.mark.parametrize(
    "geometry",
    [
        round_solid("cylinder", 5, 10),
        round_solid("capsule", 2, 6),
        round_solid("cone", 5, 10),
        "<sphere><radius>5</radius></sphere>",
        polyline(10, 10, 10),
    ],
)
def test_a_shape_of_ten_metres_is_not_asked_about(geometry: str) -> None:
    assert notes_on(geometry, density=0.01) == []
