from math import inf, isfinite

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import InertiaError
from sdfinertia.inertia import SpatialInertia, spin_stability
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.inertia.solids import box, cylinder, sphere
from sdfinertia.inertia.spin_stability import DIRECTION, energy_gain, largest_stable_rate

Array = npt.NDArray[np.float64]

# A box of water, 80 kg: the example of the notes "Gyroscopic forces in ODE" (January 2013).
WATER_BOX = box((1.0, 0.4, 0.2), 1000.0)
WATER: Vector3 = WATER_BOX.principal_moments()
SPIN: Vector3 = (1.0, 2.0, 3.0)
STEP = 1.0 / 60.0


def at_rate(rate: float, direction: Vector3 = DIRECTION) -> Vector3:
    return (rate * direction[0], rate * direction[1], rate * direction[2])


def hat(v: Array) -> Array:
    return np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])


def turned_by(v: Array) -> Array:
    """The rotation by the vector (Rodrigues 1840)."""
    angle = float(np.linalg.norm(v))
    axis = hat(v / angle)
    return np.asarray(np.eye(3) + np.sin(angle) * axis + (1.0 - np.cos(angle)) * axis @ axis)


def spin_after(moments: Vector3, spin: Vector3, step: float, duration: float, scheme: str = "explicit") -> Vector3:
    """The spin at the end of what `energy_gain` simulates."""
    ratios, turn = spin_stability._ratios(moments), spin_stability._turn(spin, step)
    run = spin_stability._explicit if scheme == "explicit" else spin_stability._implicit
    x, y, z = run(ratios, turn, spin_stability._steps(step, duration))
    return (x / step, y / step, z / step)


def simulated_in_the_world(moments: Vector3, spin: Vector3, step: float, steps: int, scheme: str) -> Array:
    """The spin in the body after steps taken in the axes of the world, as an engine takes them, from any attitude."""
    rotation = turned_by(np.array([0.3, -1.1, 0.7]))
    omega = rotation @ np.array(spin)
    for _ in range(steps):
        inertia = rotation @ np.diag(moments) @ rotation.T
        momentum = inertia @ omega
        if scheme == "explicit":
            omega = omega + step * np.linalg.solve(inertia, np.cross(momentum, omega))
        else:
            omega = np.linalg.solve(inertia - step * hat(momentum), momentum)
        rotation = turned_by(step * omega) @ rotation
    return np.asarray(rotation.T @ omega)


@pytest.mark.parametrize("scheme", ["explicit", "implicit"])
@pytest.mark.parametrize(
    ("moments", "spin", "step", "steps"),
    [
        (WATER, SPIN, STEP, 200),
        ((10.0, 4.0, 2.0), SPIN, STEP, 60),
        ((1.0, 2.0, 2.5), (0.0, 3.0, 1e-3), 0.01, 400),
        ((1e-5, 2e-5, 2e-5), (40.0, -5.0, 12.0), 1e-3, 300),
    ],
)
def test_the_scalars_are_the_step_that_an_engine_takes_in_the_world(moments, spin, step, steps, scheme):
    expected = simulated_in_the_world(moments, spin, step, steps, scheme)
    found = spin_after(moments, spin, step, steps * step, scheme)
    assert found == pytest.approx(tuple(expected), rel=1e-8, abs=1e-9)


def test_the_box_of_water_blows_up_under_the_explicit_step_and_settles_on_its_largest_axis_under_the_implicit() -> None:
    assert energy_gain(WATER, SPIN, STEP, 10.0) > 0.3
    assert energy_gain(WATER, SPIN, STEP, 60.0) == inf
    assert not all(isfinite(rate) for rate in spin_after(WATER, SPIN, STEP, 60.0))
    x, y, z = spin_after(WATER, SPIN, STEP, 60.0, "implicit")
    assert abs(x) < 1e-12
    assert abs(y) < 1e-12
    assert 3.0 < z < 4.0
    assert -0.05 < energy_gain(WATER, SPIN, STEP, 60.0, "implicit") < -0.01


@pytest.mark.parametrize("scheme", ["explicit", "implicit"])
@pytest.mark.parametrize(
    ("body", "spin"),
    [
        (sphere(0.1, 1000.0), SPIN),
        (box((0.2, 0.2, 0.2), 1000.0), at_rate(50.0)),
        (cylinder(0.1, 0.4, 1000.0), (0.0, 0.0, 40.0)),
        (box((1.0, 0.4, 0.2), 1000.0), (30.0, 0.0, 0.0)),
        (box((1.0, 0.4, 0.2), 1000.0), (0.0, 0.0, 0.0)),
    ],
    ids=["a sphere", "a cube", "a wheel about its axis", "a box about a principal axis", "a body at rest"],
)
def test_what_turns_steadily_keeps_its_energy(body: SpatialInertia, spin: Vector3, scheme: str) -> None:
    tensor = body.I_BBcm_B
    moments = (tensor.ixx, tensor.iyy, tensor.izz)
    gain = energy_gain(moments, spin, scheme="explicit" if scheme == "explicit" else "implicit")
    assert gain == pytest.approx(0.0, abs=1e-11)


shares = st.floats(1e-3, 1.0)
rates = st.floats(-100.0, 100.0)


@given(
    second_moments=st.tuples(shares, shares, shares),
    spin=st.tuples(rates, rates, rates),
    step=st.floats(1e-5, 0.1),
    steps=st.integers(1, 300),
)
def test_the_implicit_step_never_gains_energy_and_the_explicit_never_loses_any(second_moments, spin, step, steps):
    x, y, z = second_moments
    moments = (y + z, x + z, x + y)
    assert -1.0 <= energy_gain(moments, spin, step, steps * step, "implicit") <= 1e-12
    assert energy_gain(moments, spin, step, steps * step, "explicit") >= -1e-12


@pytest.mark.parametrize(
    ("moments", "step"),
    [
        *[(WATER, 1e-3), (WATER, STEP), ((1.0, 1.0, 2.0), 1e-3), ((0.9, 1.0, 1.9), 1e-3), ((1.0, 1.05, 1.1), 1e-3)],
        *[((1.0, 1.05, 1.1), STEP), ((1e-4, 1.0, 1.0), 1e-3), ((2e-6, 3e-6, 4.5e-6), 1e-4)],
    ],
    ids=[
        *["a box", "a box in long steps", "a disc", "a plate", "nearly a ball", "nearly a ball in long steps", "a rod"],
        "a small part in short steps",
    ],
)
def test_the_largest_stable_rate_is_where_the_gain_passes_one_per_cent(moments: Vector3, step: float) -> None:
    rate = largest_stable_rate(moments, step=step)
    assert 0.0 < rate < 1e4
    assert energy_gain(moments, at_rate(rate), step) < 0.01
    assert energy_gain(moments, at_rate(1.001 * rate), step) >= 0.01
    for part in (0.1, 0.5, 0.9):
        assert energy_gain(moments, at_rate(part * rate), step) < 0.01


@pytest.mark.parametrize(
    ("step", "duration", "least", "most"),
    [(1e-6, 2e-3, 5e3, 1e4), (1e-5, 1e-1, 1e2, 5e3), (1.0, 1e3, 1e-3, 1e-1), (1e5, 1e8, 1e-9, 1e-6)],
)
def test_the_rate_is_found_to_four_digits_however_large_or_small(step, duration, least, most):
    rate = largest_stable_rate(WATER, step=step, duration=duration)
    assert least < rate < most
    assert energy_gain(WATER, at_rate(rate), step, duration) < 0.01
    assert energy_gain(WATER, at_rate(1.00011 * rate), step, duration) >= 0.01


@pytest.mark.parametrize(
    ("moments", "direction"),
    [((1.0, 1.0, 1.0), DIRECTION), (WATER, (0.0, 0.0, 2.0)), ((1.0, 1.0, 1.0 + 1e-9), DIRECTION)],
    ids=["a ball", "a turn about a principal axis", "a ball but for rounding"],
)
def test_what_no_robot_turns_fast_enough_for_is_stable_at_any_rate(moments: Vector3, direction: Vector3) -> None:
    assert largest_stable_rate(moments, direction) == inf


@pytest.mark.parametrize(
    "moments", [(0.0, 1.0, 1.0), (-1.0, 2.0, 2.0), (1.0, inf, 1.0), (1.0, 1.0, float("nan")), (1e-200, 1.0, 1.0)]
)
def test_moments_of_no_body_are_refused(moments: Vector3) -> None:
    with pytest.raises(InertiaError, match="principal moments"):
        energy_gain(moments, SPIN)
    with pytest.raises(InertiaError, match="principal moments"):
        largest_stable_rate(moments)


@pytest.mark.parametrize(
    ("step", "duration", "problem"),
    [
        (0.0, 10.0, "a time step is positive"),
        (-1e-3, 10.0, "a time step is positive"),
        (inf, 10.0, "a time step is positive"),
        (1e-3, 0.0, "a simulated time is positive"),
        (1e-3, float("nan"), "a simulated time is positive"),
        (1e-9, 10.0, "more than 1,000,000 steps"),
        (5e-324, 10.0, "more than 1,000,000 steps"),
    ],
)
def test_steps_that_cannot_be_taken_are_refused(step: float, duration: float, problem: str) -> None:
    with pytest.raises(InertiaError, match=problem):
        energy_gain(WATER, SPIN, step, duration)


@pytest.mark.parametrize("direction", [(0.0, 0.0, 0.0), (inf, 0.0, 0.0)])
def test_a_direction_that_is_none_is_refused(direction: Vector3) -> None:
    with pytest.raises(InertiaError, match="axis of a spin"):
        largest_stable_rate(WATER, direction)
