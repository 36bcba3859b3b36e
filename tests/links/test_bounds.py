"""The box round a link: of what it is made, and of what it is not."""

import pytest

from sdfinertia.documents import open_document
from sdfinertia.errors import GeometryError
from sdfinertia.options import Options
from sdfinertia.robot import COLLISION, VISUAL, SolidKind, given
from sdfinertia.shapes import Bounds

BOX = "<box><size>2 4 6</size></box>"


def bounds_of(*solids: str, kind: SolidKind | None = None) -> Bounds | None:
    text = f"<sdf version='1.11'><model name='m'><link name='l'>{''.join(solids)}</link></model></sdf>"
    document = open_document(text.encode(), Options(), filename="/nowhere/m.sdf")
    (link,) = document.links()
    study = document.study(link)
    return given(study.bounds() if kind is None else study.bounds(kind))


def solid(geometry: str, x: float = 0, kind: str = "collision") -> str:
    return f"<{kind} name='{kind} at {x}'><pose>{x} 0 0 0 0 0</pose><geometry>{geometry}</geometry></{kind}>"


def test_collisions_and_visuals_are_in_one_box_and_have_boxes_of_their_own() -> None:
    both = solid(BOX) + solid("<sphere><radius>3</radius></sphere>", 5, "visual")
    assert bounds_of(both) == Bounds((-1.0, -3.0, -3.0), (8.0, 3.0, 3.0))
    assert bounds_of(both, kind=COLLISION) == Bounds((-1.0, -2.0, -3.0), (1.0, 2.0, 3.0))
    assert bounds_of(both, kind=VISUAL) == Bounds((2.0, -3.0, -3.0), (8.0, 3.0, 3.0))
    assert bounds_of(solid(BOX), kind=VISUAL) is None


@pytest.mark.parametrize("nothing", ["<empty/>", "<image><uri>a.png</uri></image>", "<torus/>", ""])
def test_what_has_no_volume_has_no_box(nothing: str) -> None:
    assert bounds_of(solid(nothing)) is None
    assert bounds_of(solid(BOX), solid(nothing, 9)) == Bounds((-1.0, -2.0, -3.0), (1.0, 2.0, 3.0))


@pytest.mark.parametrize("endless", ["<plane/>", "<heightmap><uri>a.png</uri></heightmap>"])
def test_no_box_goes_round_what_has_no_end(endless: str) -> None:
    assert bounds_of(solid(BOX), solid(endless, 9)) is None


def test_a_polyline_without_points_is_an_error_of_its_own() -> None:
    with pytest.raises(GeometryError, match="polyline has no points"):
        bounds_of(solid("<polyline><height>1</height></polyline>"))
