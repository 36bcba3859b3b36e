"""Shapes that are no primitives: their reach, and that none is taken for another."""

from pathlib import Path

import numpy as np
import pytest
from builders.meshes import signed_volume

from sdfinertia.errors import GeometryError
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, rotation_from_rpy
from sdfinertia.mesh.kernel import is_closed
from sdfinertia.mesh.store import MeshStore
from sdfinertia.mesh.triangle_mesh import TriangleMesh
from sdfinertia.shapes import (
    Bounds,
    MeshShape,
    Polyline,
    assert_never,
    bounds_around,
    extent_of_box,
    largest_dimension,
    placed_bounds,
    surface_of,
)

L_PROFILE = Polyline((((1.0, 0.0), (4.0, 0.0), (4.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)),), (0.5,))


def test_a_polyline_reaches_from_its_plane_to_its_height_and_its_box_turned_with_it_is_that_of_its_corners() -> None:
    box = placed_bounds(L_PROFILE.extent, IDENTITY)
    assert box == Bounds((1.0, 0.0, 0.0), (4.0, 2.0, 0.5))
    assert largest_dimension(L_PROFILE) == 3.0
    X_AG = RigidTransform(rotation_from_rpy(0.0, 0.0, np.pi / 2), (0.0, 0.0, 1.0))
    box = placed_bounds(L_PROFILE.extent, X_AG)
    assert box.lower == pytest.approx((-2.0, 1.0, 1.0), abs=1e-15)
    assert box.upper == pytest.approx((0.0, 4.0, 1.5), abs=1e-15)


@pytest.mark.parametrize("loops", [(), ((),), (*L_PROFILE.loops, ())], ids=["no loop", "no point", "a loop without"])
def test_a_polyline_without_points_has_neither_size_nor_surface(loops: tuple[tuple[tuple[float, float], ...]]) -> None:
    polyline = Polyline(loops, (1.0,) * max(len(loops), 1))
    with pytest.raises(GeometryError, match="polyline has no points"):
        polyline.extent((1.0, 0.0, 0.0))
    with pytest.raises(GeometryError, match="polyline has no points"):
        surface_of(polyline)


def test_a_polyline_is_a_solid_like_the_others() -> None:
    pytest.importorskip("manifold3d", reason="the extra `robust` is not installed")
    vertices, faces = surface_of(L_PROFILE)
    volume = signed_volume(TriangleMesh(vertices, faces))
    assert (L_PROFILE.name, volume) == ("polyline", pytest.approx(2.0, rel=1e-15))
    assert L_PROFILE.inertia(3.0).mass == pytest.approx(6.0, rel=1e-15)


SQUARE, HOLE = ((0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (0.0, 3.0)), ((1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0))


@pytest.mark.parametrize("loops", [(SQUARE, HOLE), (HOLE, SQUARE), (SQUARE[::-1], HOLE), (SQUARE, HOLE[::-1])])
def test_a_loop_in_another_is_a_hole_whichever_way_they_run(loops: tuple[tuple[tuple[float, float], ...], ...]) -> None:
    pytest.importorskip("manifold3d", reason="the extra `robust` is not installed")
    vertices, faces = surface_of(Polyline(loops, (0.5, 0.5)))
    assert is_closed(vertices, faces)
    assert signed_volume(TriangleMesh(vertices, faces)) == pytest.approx((9.0 - 1.0) * 0.5, rel=1e-12)


def test_the_box_of_a_mesh_is_stretched_and_mirrored_with_it(tmp_path: Path) -> None:
    path = tmp_path / "corner.obj"
    path.write_text("v 1 0 0\nv 3 0 0\nv 1 2 0\nv 1 0 5\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    shape = MeshShape("corner.obj", (-2.0, 1.0, 0.5), None, False, "")
    assert shape.bounds(str(path), MeshStore()) == Bounds((-6.0, 0.0, 0.0), (-2.0, 2.0, 2.5))


def test_a_box_has_its_reach_its_sizes_its_padding_and_its_nearest_points() -> None:
    box = Bounds((1.0, 2.0, 3.0), (2.0, 4.0, 6.0))
    assert placed_bounds(extent_of_box(box), IDENTITY) == box
    assert box.sizes == (1.0, 2.0, 3.0)
    assert box.diagonal == pytest.approx(14**0.5)
    assert extent_of_box(box)((0.6, 0.8, 0.0)) == (pytest.approx(-2.2), pytest.approx(4.4))
    one, other = Bounds((0.0, 1.0, 2.0), (1.0, 2.0, 3.0)), Bounds((-1.0, 1.5, 0.0), (0.5, 5.0, 1.0))
    assert bounds_around([one, other]) == Bounds((-1.0, 1.0, 0.0), (1.0, 5.0, 3.0))
    assert Bounds((-1.0, 0.0, 0.0), (1.0, 1.0, 0.0)).padded(0.25, 0.3) == Bounds((-1.5, -0.3, -0.3), (1.5, 1.3, 0.3))
    about = Bounds((-1.0, -2.0, -3.0), (1.0, 2.0, 3.0))
    assert about.nearest((0.5, -1.5, 3.0)) == (0.5, -1.5, 3.0)
    assert about.nearest((7.0, -9.0, 0.0)) == (1.0, -2.0, 0.0)


def test_a_case_that_nobody_handles_is_an_error_and_no_other_case() -> None:
    with pytest.raises(AssertionError, match="'torus'"):
        assert_never("torus")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("centre", "expected"),
    [((0.0, 0.0, 0.0), (1.0, 4.0, 9.0)), ((0.5, -1.0, 3.0), (0.75, 3.0, 0.0)), ((0.0, -2.0, -2.0), (1.0, 0.0, 5.0))],
    ids=["in the middle", "nearer to one end", "at a side"],
)
def test_mass_in_a_box_spreads_no_further_than_to_its_ends(centre, expected):
    assert Bounds((-1.0, -2.0, -3.0), (1.0, 2.0, 3.0)).variance_limits(centre) == expected
