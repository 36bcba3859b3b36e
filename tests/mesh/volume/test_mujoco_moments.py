"""How MuJoCo's compiler weighs meshes, on cubes whose integrals are known."""

import numpy as np
import pytest
from builders.meshes import box, cube, flipped, inverted, joined

from sdfinertia.errors import MeshError
from sdfinertia.mesh.solid_moments import exact_volume, legacy_moments, surface_moments

BRICK = box((1.0, 2.0, 3.0), (10.0, 0.0, -5.0))
# A cube of 3 m with a hollow of 1 m in its middle.
HOLLOW = joined(cube((-1.5, -1.5, -1.5), 3.0), cube((-0.5, -0.5, -0.5), 1.0, inverted=True))


def test_a_convex_mesh_has_the_moments_of_its_solid() -> None:
    found = legacy_moments(*BRICK)
    assert found.volume == pytest.approx(6.0, rel=1e-12)
    assert found.centroid == pytest.approx((10.5, 1.0, -3.5), rel=1e-12)
    assert found.second == pytest.approx((0.5, 2.0, 4.5, 0.0, 0.0, 0.0), abs=1e-12)


def test_the_legacy_way_adds_a_hollow_that_the_exact_one_takes_off() -> None:
    found = legacy_moments(*HOLLOW)
    assert found.volume == pytest.approx(27.0 + 1.0, rel=1e-12)
    assert found.second[:3] == pytest.approx([(3.0**5 + 1.0) / 12.0] * 3, rel=1e-12)
    assert exact_volume(*HOLLOW) == pytest.approx(27.0 - 1.0, rel=1e-12)


def test_a_surface_has_its_area_and_the_moments_of_its_six_walls() -> None:
    found = surface_moments(*BRICK)
    assert found.volume == pytest.approx(22.0, rel=1e-12)
    assert found.centroid == pytest.approx((10.5, 1.0, -3.5), rel=1e-12)
    # Two walls of 6 m² at ± 0.5 m; the other four, 10 m², spread over 1 m.
    assert found.second[0] == pytest.approx(12.0 * 0.25 + 10.0 / 12.0, rel=1e-12)


@pytest.mark.parametrize(
    ("mesh", "volume"),
    [
        (BRICK, 6.0),
        (inverted(BRICK), np.nan),
        (flipped(BRICK, [4]), np.nan),
        (cube(size=1.1e-5), 1.331e-15),
        (cube(size=0.9e-5), np.nan),
    ],
    ids=["a box", "inside out", "a face that disagrees", "hardly large enough", "too small"],
)
def test_the_exact_way_refuses_what_mujoco_refuses(mesh, volume: float) -> None:
    assert exact_volume(*mesh) == pytest.approx(volume, rel=1e-9, nan_ok=True)


def test_what_encloses_nothing_has_no_moments() -> None:
    with pytest.raises(MeshError, match="encloses a volume of 0 m³"):
        legacy_moments(*box((1.0, 1.0, 0.0)))
