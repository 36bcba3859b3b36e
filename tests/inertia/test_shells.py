"""Surfaces of primitives against sums over their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from sdfinertia.inertia.solids import shell

if TYPE_CHECKING:
    from collections.abc import Callable

_STEPS = np.linspace(0.0, 1.0, 20_001)


def _of_profile(radii: np.ndarray, heights: np.ndarray) -> np.ndarray:
    """Area and moments of 1 kg of a surface of revolution: of the rings between points of its profile."""
    r, z = (0.5 * (each[1:] + each[:-1]) for each in (radii, heights))
    areas = 2.0 * np.pi * r * np.hypot(np.diff(radii), np.diff(heights))
    total = areas.sum()
    across = (areas * (0.5 * r * r + z * z)).sum() / total
    return np.array([total, across, across, (areas * r * r).sum() / total])


def _sphere(radius: float) -> np.ndarray:
    return _of_profile(radius * np.sin(np.pi * _STEPS), radius * np.cos(np.pi * _STEPS))


def _with_tube(radii: np.ndarray, heights: np.ndarray, length: float) -> np.ndarray:
    """Half a profile, a tube of the radius at which that ends, and the other half."""
    tube = 0.5 * length - length * _STEPS
    return _of_profile(
        np.concatenate((radii, np.full(len(tube), radii[-1]), radii[::-1])),
        np.concatenate((heights + 0.5 * length, tube, -heights[::-1] - 0.5 * length)),
    )


def _capsule(radius: float, length: float) -> np.ndarray:
    angles = 0.5 * np.pi * _STEPS
    return _with_tube(radius * np.sin(angles), radius * np.cos(angles), length)


def _cylinder(radius: float, length: float) -> np.ndarray:
    return _with_tube(radius * _STEPS, np.zeros(len(_STEPS)), length)


def _box(*sizes: float) -> np.ndarray:
    squares, total = np.zeros(3), 0.0
    for axis in range(3):
        edges = [size for k, size in enumerate(sizes) if k != axis]
        area = 2.0 * edges[0] * edges[1]
        squares += [area * size**2 / (4.0 if k == axis else 12.0) for k, size in enumerate(sizes)]
        total += area
    return np.array([total, *(squares.sum() - squares) / total])


@pytest.mark.parametrize(
    ("kind", "dimensions", "expected"),
    [
        ("sphere", (0.3,), _sphere),
        ("capsule", (0.2, 0.7), _capsule),
        ("cylinder", (0.2, 0.7), _cylinder),
        ("box", (0.1, 0.2, 0.4), _box),
        ("ellipsoid", (0.3, 0.3, 0.3), lambda radius, *_: _sphere(radius)),
    ],
)
def test_a_shell_is_the_sum_of_its_parts(
    kind: str, dimensions: tuple[float, ...], expected: Callable[..., np.ndarray]
) -> None:
    area, *moments = expected(*dimensions).tolist()
    found = shell(kind, dimensions, 1.7)
    assert found.p_BoBcm_B == (0.0, 0.0, 0.0)
    assert found.mass == pytest.approx(1.7 * area, rel=1e-4)
    assert found.I_BBcm_B[:3] == pytest.approx([found.mass * moment for moment in moments], rel=1e-4)


def test_a_flat_ellipsoid_is_nearly_two_disks() -> None:
    # MuJoCo spreads its mass as between it and one that is a little larger, and approximates its area.
    found = shell("ellipsoid", (0.3, 0.2, 0.1), 1.0)
    assert found.mass == pytest.approx(0.488, rel=2e-2)
    assert found.I_BBcm_B[0] < found.I_BBcm_B[1] < found.I_BBcm_B[2]
