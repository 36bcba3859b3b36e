import re
from math import cos, inf, nan, pi, sin

import pytest
from builders.bodies import assert_same, coordinates, lengths
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import GeometryError, InertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia, polyline
from sdfinertia.inertia.polyline import extruded_polyline, nesting_depths
from sdfinertia.inertia.rigid_transform import RigidTransform, rotation_from_rpy
from sdfinertia.inertia.solids import box

Loop = list[tuple[float, float]]


def rectangle(x: float, y: float, cx: float = 0.0, cy: float = 0.0) -> Loop:
    return [(cx - x / 2, cy - y / 2), (cx + x / 2, cy - y / 2), (cx + x / 2, cy + y / 2), (cx - x / 2, cy + y / 2)]


def block(x: float, y: float, z: float, cx: float = 0.0, cy: float = 0.0, density: float = 1000.0) -> SpatialInertia:
    return box((x, y, z), density).transformed(RigidTransform(translation=(cx, cy, z / 2)))


def without(whole: SpatialInertia, part: SpatialInertia) -> SpatialInertia:
    return whole + SpatialInertia(-part.mass, part.p_BoBcm_B, InertiaTensor(*(-value for value in part.I_BBcm_B)))


def regular(n: int, radius: float = 1.0, cx: float = 0.0, cy: float = 0.0) -> Loop:
    return [(cx + radius * cos(2 * pi * k / n), cy + radius * sin(2 * pi * k / n)) for k in range(n)]


def turned(loop: Loop, angle: float) -> Loop:
    return [(x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)) for x, y in loop]


def test_a_rectangle_is_a_box_that_stands_on_the_plane_and_loses_no_digits_a_kilometre_away() -> None:
    assert extruded_polyline([rectangle(1.0, 2.0)], 3.0, 1000.0) == SpatialInertia(
        6000.0, (0.0, 0.0, 1.5), InertiaTensor(6500.0, 5000.0, 2500.0)
    )

    def profile(x: float, y: float) -> SpatialInertia:
        loops = [rectangle(1.0, 0.5, x, y), rectangle(0.25, 0.25, x + 0.125, y)]
        return extruded_polyline(loops, 0.25, 1000.0)

    near, far = profile(0.0, 0.0), profile(1024.0, -2048.0)
    assert far.I_BBcm_B == near.I_BBcm_B
    assert far.p_BoBcm_B[0] == pytest.approx(1024.0 + near.p_BoBcm_B[0], rel=1e-15)


@given(x=lengths, y=lengths, z=lengths, cx=coordinates, cy=coordinates, angle=st.floats(-3.2, 3.2))
def test_a_rectangle_moved_and_turned_is_a_box_moved_and_turned(x, y, z, cx, cy, angle):
    expected = block(x, y, z, cx, cy).transformed(RigidTransform(rotation_from_rpy(0.0, 0.0, angle)))
    assert_same(extruded_polyline([turned(rectangle(x, y, cx, cy), angle)], z, 1000.0), expected, 1e-11)


@given(turn=st.integers(0, 5), backwards=st.booleans(), closed=st.booleans(), doubled=st.integers(0, 5))
def test_start_direction_and_repeated_points_do_not_matter(turn, backwards, closed, doubled):
    shape = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)]
    loop = shape[turn:] + shape[:turn]
    loop = loop[::-1] if backwards else loop
    loop = loop[: doubled + 1] + loop[doubled:]
    loop = [*loop, loop[0]] if closed else loop
    assert_same(extruded_polyline([loop], 0.5, 1000.0), extruded_polyline([shape], 0.5, 1000.0), 1e-14)


@pytest.mark.parametrize("hole_first", [False, True])
@pytest.mark.parametrize("backwards", [False, True])
def test_a_square_with_a_hole_is_the_difference_of_two_boxes(hole_first: bool, backwards: bool) -> None:
    hole = rectangle(0.5, 0.7, 0.2, -0.3)
    loops = [rectangle(2.0, 2.0), hole[::-1] if backwards else hole]
    expected = without(block(2.0, 2.0, 0.3), block(0.5, 0.7, 0.3, 0.2, -0.3))
    assert_same(extruded_polyline(loops[::-1] if hole_first else loops, 0.3, 1000.0), expected)


def test_an_island_in_a_hole_is_solid_again_and_loops_side_by_side_add_whatever_cancels_on_the_way() -> None:
    # A hole, a block of the same area elsewhere, and the block around the hole, in this order.
    loops = [rectangle(1.0, 1.0), rectangle(1.0, 1.0, 9.0), rectangle(2.0, 2.0)]
    expected = without(block(2.0, 2.0, 1.0), block(1.0, 1.0, 1.0)) + block(1.0, 1.0, 1.0, 9.0)
    assert_same(extruded_polyline(loops, 1.0, 1000.0), expected)
    loops = [rectangle(1.0, 1.0, 0.1), rectangle(4.0, 4.0), rectangle(3.0, 3.0), rectangle(0.2, 0.2, 0.1)]
    expected = without(without(block(4.0, 4.0, 1.0), block(3.0, 3.0, 1.0)) + block(1.0, 1.0, 1.0, 0.1),
                       block(0.2, 0.2, 1.0, 0.1))  # fmt: skip
    assert_same(extruded_polyline(loops, 1.0, 1000.0), expected)


@pytest.mark.parametrize("angle", [0.0, 0.1, 0.7, 2.0, 3.0])
@pytest.mark.parametrize(
    ("loops", "area"),
    [
        ([rectangle(2.0, 2.0), rectangle(2.0, 2.0, 2.0, 2.0)], 8.0),
        ([rectangle(2.0, 2.0), rectangle(2.0, 2.0, 2.0, 1.0)], 8.0),
        ([rectangle(4.0, 4.0), [(-2.0, 0.0), (0.0, -1.0), (0.0, 1.0)]], 14.0),
        ([rectangle(4.0, 4.0), rectangle(1.0, 1.0, -1.5, 0.0)], 15.0),
        ([rectangle(4.0, 4.0), [(-2.0, -2.0), (0.0, 0.0), (-1.0, 1.0)]], 14.0),
        ([[(0.0, 0.0), (2.0, 0.0), (1.0, 1.0), (2.0, 2.0), (0.0, 2.0), (1.0, 1.0)]], 2.0),
        ([[(0, 0), (4, 0), (4, 4), (0, 4), (0, 0), (1, 1), (1, 3), (3, 3), (3, 1), (1, 1)]], 12.0),
    ],
    ids=["corners", "half a side", "hole at a side", "hole along a side", "hole at a corner", "hourglass", "slit"],
)
def test_loops_may_touch(loops: list[Loop], area: float, angle: float) -> None:
    assert extruded_polyline([turned(loop, angle) for loop in loops], 1.0, 1.0).mass == pytest.approx(area, rel=1e-13)


@pytest.mark.parametrize("angle", [0.0, 0.1, 0.7, 2.0, 3.0])
@pytest.mark.parametrize(
    ("loops", "message"),
    [
        ([[(0.0, 0.0), (1.0, 1.0), (1.0, 0.0), (0.0, 1.0)]], "loop 1 of the polyline crosses itself"),
        ([[(0.0, 0.0), (2.0, 2.0), (4.0, 4.0), (4.0, 0.0), (2.0, 2.0), (0.0, 4.0)]], "loop 1 .* crosses or"),
        ([regular(6, 9.0), [regular(5)[2 * k % 5] for k in range(5)]], "loop 2 of the polyline crosses"),
        ([regular(5) * 2], "loop 1 of the polyline crosses or overlaps itself"),
        ([rectangle(2.0, 2.0), rectangle(2.0, 2.0, 0.5, 0.6)], "loops 1 and 2 of the polyline (cross|overlap)"),
        ([rectangle(2.0, 2.0), rectangle(2.0, 2.0, 1.0, 0.0)], "loops 1 and 2 of the polyline (cross|overlap)"),
        ([rectangle(8.0, 8.0), rectangle(1.0, 3.0), rectangle(3.0, 1.0)], "loops 2 and 3 .* (cross|overlap)"),
        ([rectangle(2.0, 2.0), [(-3.0, 0.0), (0.0, -1.0), (0.0, 1.0)]], "loops 1 and 2 .* (cross|overlap)"),
        ([rectangle(2.0, 2.0), rectangle(2.0, 2.0)[::-1]], "loops 1 and 2 of the polyline enclose the same area"),
        ([rectangle(2.0, 2.0), rectangle(1.0, 2.0, -0.5), rectangle(1.0, 2.0, 0.5)], "leave nothing"),
    ],
)  # fmt: skip
def test_loops_that_cross_are_refused_and_named(loops: list[Loop], message: str, angle: float) -> None:
    with pytest.raises(GeometryError, match=message):
        extruded_polyline([turned(loop, angle) for loop in loops], 1.0, 1.0)


LADDER = [(float(k), (1.0 + 0.1 * k) * (k % 2)) for k in range(20)] + [(19.0, -1.0), (0.0, -1.0)]


@pytest.mark.parametrize(
    ("loops", "message"),
    [
        ([rectangle(2.0, 4.0), rectangle(2.0, 4.0, 1.0)], r"loops 1 and 2 .* overlap near \(0\.5, 0\)"),
        ([rectangle(2.0, 4.0, 7.0, 3.0), rectangle(2.0, 4.0, 7.0, 5.0)], r"loops 1 and 2 .* overlap near \(7, 4\)"),
        ([rectangle(2.0, 4.0, 7.0, 3.0) * 2], r"loop 1 .* crosses or overlaps itself near \(7, 3\)"),
        ([LADDER, rectangle(1.0, 1.0, 0.0, -0.5)], r"loops 1 and 2 .* overlap near \(0\.25, -0\.5\)"),
        ([LADDER * 2], r"loop 1 .* itself near \(0\.5, (-0\.\d+|0\.[0-4]\d*)\)"),
    ],
)
def test_the_place_that_an_error_names_is_in_both_loops_whichever_way_they_are_swept(loops, message):
    with pytest.raises(GeometryError, match=f"{message}"):
        extruded_polyline(loops, 1.0, 1.0)


def test_a_crossing_names_sides_of_the_loop_whichever_way_it_is_swept() -> None:
    loop = [(0.0, 0.0), (3.0, 1.0), (3.5, 0.25), (0.0, 1.5)]
    for points in (loop, [(y, x) for x, y in loop]):
        with pytest.raises(GeometryError) as caught:
            nesting_depths([points])
        message = str(caught.value)
        _, _, segments = message.partition("crosses itself: segments ")
        named = [
            frozenset(tuple(map(float, place.split(", "))) for place in re.findall(r"\((.*?)\)", side))
            for side in segments.split(" and ")
        ]
        sides = [frozenset(side) for side in zip(points, [*points[1:], points[0]], strict=True)]
        assert len(named) == 2, message
        assert all(side in sides for side in named), message


@pytest.mark.parametrize("shift", [(1e6, 0.0), (-1e6, 0.0), (0.0, 1e6), (0.0, -1e6)])
def test_far_from_the_origin_only_the_rounding_there_counts_as_touching(shift: tuple[float, float]) -> None:
    def moved(loop: Loop) -> Loop:
        return [(x + shift[0], y + shift[1]) for x, y in turned(loop, 0.3)]

    left, right = [(0.0, 0.0), (1.0, 0.0), (0.5, 1.0), (0.0, 1.0)], [(1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.5, 1.0)]
    assert extruded_polyline([moved(left), moved(right)], 1.0, 1.0).mass == pytest.approx(2.0, rel=1e-8)
    pinhole = rectangle(1e-7, 1e-7, 0.5, 0.5)
    drilled = extruded_polyline([moved(rectangle(2.0, 2.0)), moved(pinhole)], 1.0, 1.0)
    assert drilled.mass == pytest.approx(4.0, rel=1e-8)


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("gap", [-1e-13, 0.0, 1e-13])
def test_touching_is_judged_square_to_a_slanted_side(gap: float, swapped: bool) -> None:
    # Along the gentle slope that they share they are a thousand times as far apart as square to it.
    below = [(0.0, -1.0), (1.0, -1.0), (1.0, 1e-3), (0.0, 0.0)]
    above = [(0.0, gap), (1.0, 1e-3 + gap), (1.0, 1.0), (0.5, 1.25), (0.0, 1.0)]
    loops = [[(y, x) for x, y in loop] for loop in (below, above)] if swapped else [below, above]
    assert extruded_polyline(loops, 1.0, 1.0).mass == pytest.approx(2.125, rel=1e-12)


SQUARES_IN_ONE_ANOTHER = [rectangle(k, k) for k in range(41, 71)]


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    ("loops", "steps"),
    [
        # 100 slabs with 2 edges, each 4 steps and one for the loop.
        pytest.param([regular(200)], 1000, id="one loop of many points"),
        # 6 slabs with 12 edges, each 4 steps and 6 for the loops.
        pytest.param(
            [rectangle(1.0, 1.0, 2.0 * k, 2.0 * j) for k in range(6) for j in range(6)], 720, id="squares side by side"
        ),
        # 30 · 29 / 2 pairs of large squares and 30 · 30 of a large and a small one, in 60 regions.
        pytest.param(
            [*SQUARES_IN_ONE_ANOTHER, *(rectangle(0.5, 0.5, k - 15.0) for k in range(30))],
            80_100,
            id="squares side by side, inside many in one another",
        ),
    ],
)
def test_profiles_that_would_take_too_many_steps_are_refused(monkeypatch, loops, steps, swapped):
    loops = [[(y, x) for x, y in loop] for loop in loops] if swapped else loops
    monkeypatch.setattr(polyline, "_MAX_STEPS", steps)
    nesting_depths(loops)
    monkeypatch.setattr(polyline, "_MAX_STEPS", steps - 1)
    with pytest.raises(GeometryError, match="too many points or loops side by side"):
        nesting_depths(loops)


@pytest.mark.parametrize(
    ("loops", "message"),
    [
        ([], "has no points"),
        ([[]], "loop 1 of the polyline has 0 different points"),
        ([rectangle(1.0, 1.0), [(5.0, 5.0)]], "loop 2 of the polyline has 1 different point, needs 3"),
        ([[(0.0, 0.0), (1.0, 0.0), (0.0, 0.0), (1.0, 0.0)]], "loop 1 of the polyline has 2 different points, needs 3"),
        ([[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]], "loop 1 of the polyline encloses no area"),
        ([[(0.0, 0.0), (0.1, 0.3), (0.2, 0.6), (0.3, 0.9)]], "loop 1 of the polyline encloses no area"),
        ([[(0.0, 0.0), (1.0, 0.0), (2.0, 0.0)]], "loop 1 of the polyline encloses no area"),
        ([[(0.0, 0.0), (1.0, nan), (1.0, 1.0)]], r"loop 1 .* not finite: \(1.0, nan\)"),
        ([[(0.0, 0.0), (inf, 0.0), (1.0, 1.0)]], r"loop 1 .* not finite: \(inf, 0.0\)"),
    ],
)
def test_loops_that_enclose_nothing_are_refused(loops: list[Loop], message: str) -> None:
    with pytest.raises(GeometryError, match=message):
        extruded_polyline(loops, 1.0, 1.0)


def test_an_impossible_height_or_density_is_refused_and_no_density_is_not() -> None:
    for height in (0.0, -1.0, inf, nan):
        with pytest.raises(GeometryError, match="polyline height must be positive and finite"):
            extruded_polyline([rectangle(1.0, 1.0)], height, 1.0)
    with pytest.raises(InertiaError, match="density"):
        extruded_polyline([rectangle(1.0, 1.0)], 1.0, -1.0)
    assert extruded_polyline([rectangle(1.0, 1.0)], 1.0, 0.0).mass == 0.0


def test_a_gear_and_a_comb_of_two_thousand_points_are_integrated() -> None:
    n = 2000
    gear = [
        ((1.0 + 0.1 * (k // 2 % 2)) * cos(2 * pi * k / n), (1.0 + 0.1 * (k // 2 % 2)) * sin(2 * pi * k / n))
        for k in range(n)
    ]
    comb = [(float(k), (1.0 + 1e-4 * k) * (k % 2)) for k in range(n)] + [(n - 1.0, -1.0), (0.0, -1.0)]
    assert pi < extruded_polyline([gear], 1.0, 1.0).mass < 1.21 * pi
    assert extruded_polyline([comb], 1.0, 1.0).mass == pytest.approx(
        n - 1 + sum((1 + 1e-4 * k) for k in range(1, n, 2)) - 0.5 * (1 + 1e-4 * (n - 1))
    )
    mirror = RigidTransform((0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0))
    sideways = extruded_polyline([[(y, x) for x, y in comb]], 1.0, 1.0)
    assert_same(sideways.transformed(mirror), extruded_polyline([comb], 1.0, 1.0), 1e-11)


def test_profiles_beyond_the_range_of_floats_end_in_an_error_or_an_invalid_body() -> None:
    assert not extruded_polyline([rectangle(1e200, 1e200)], 1.0, 1.0).is_physically_valid()
    with pytest.raises(GeometryError, match="encloses no area"):
        extruded_polyline([rectangle(3e-200, 3e-200)], 1.0, 1.0)
    with pytest.raises(GeometryError, match="leave nothing"):
        extruded_polyline([rectangle(1e200, 1e200), rectangle(5e199, 5e199)], 1.0, 1.0)
