"""How much energy a freely turning body gains or loses under two time steps for the gyroscopic torque.

In the body's principal axes, with L = I ω the angular momentum and h the step:

* explicit: ω' = ω + h I⁻¹ (L × ω), as in the Open Dynamics Engine before its implicit step. The body then turns about
  ω', which keeps the components of ω'. Each step adds h² (L × ω)·I⁻¹(L × ω) to ω·Iω.
* implicit (C. Lacoursière, Stabilizing gyroscopic forces in rigid multibody simulations, 2006, eq. 5.2, after
  M. Anitescu and F. Potra; the engine's `step.cpp` today): (I - h L̂) ω' = L, with L̂ the matrix of L ×. No step gains
  energy: ω'·Iω' = ω'·Iω, by Cauchy and Schwarz.
"""

from __future__ import annotations

from itertools import repeat
from math import inf, isfinite, sqrt
from typing import TYPE_CHECKING, Literal

from sdfinertia.errors import InertiaError

if TYPE_CHECKING:
    from sdfinertia.inertia.rigid_transform import Vector3

Scheme = Literal["explicit", "implicit"]

# In principal axes of ascending moments: a turn mostly about the axis of the largest moment.
DIRECTION: Vector3 = (1.0 / sqrt(14.0), 2.0 / sqrt(14.0), 3.0 / sqrt(14.0))
STEP = 1e-3  # s: the default step of a world (`max_step_size` in SDFormat's physics)
DURATION = 10.0  # s
GAIN = 0.01

# Above this rate of turn (rad/s; 95,000 turns a minute) no robot has parts.
FASTEST = 1e4

# More steps than this, 10 s in steps of 10 µs, are not computed, so that no input takes longer than about a second.
MAX_STEPS = 1_000_000

# Steps between checks that the energy is within its limit.
_STRIDE = 50

# Moments further apart than this belong to no body and would leave the range of floats.
_LARGEST_RATIO = 1e100

# Relative precision of `largest_stable_rate`: a message shows three digits.
_RATE_RTOL = 1e-4


def energy_gain(
    moments: Vector3,
    spin: Vector3,
    step: float = STEP,
    duration: float = DURATION,
    scheme: Scheme = "explicit",
) -> float:
    """The relative change of the rotational kinetic energy: 0.01 is 1 % more, -1 all lost; infinite if it overflows.

    Of a spin in the principal axes (rad/s), over a duration (s) in whole steps, at least one.
    """
    return _gain(_ratios(moments), _turn(spin, step), _steps(step, duration), scheme, inf)


def largest_stable_rate(
    moments: Vector3,
    direction: Vector3 = DIRECTION,
    step: float = STEP,
    duration: float = DURATION,
    gain: float = GAIN,
) -> float:
    """The largest rate of turn (rad/s) with an energy gain below `gain` under the explicit step, to a relative 1e-4.

    Infinite if the gain stays below at 1e4 rad/s, as for a ball or a turn about a principal axis.
    """
    ratios = _ratios(moments)
    steps = _steps(step, duration)
    length = sqrt(sum(component * component for component in direction))
    if not (isfinite(length) and length > 0.0):
        raise InertiaError(f"the axis of a spin cannot be {_listed(direction)}")
    unit = (direction[0] / length, direction[1] / length, direction[2] / length)

    def is_stable(rate: float) -> bool:
        return _gain(ratios, _turn(unit, rate * step), steps, "explicit", gain) < gain

    if is_stable(FASTEST):
        return inf
    unstable = FASTEST
    stable = 0.5 * FASTEST
    while stable > 0.0 and not is_stable(stable):
        unstable, stable = stable, 0.5 * stable
    while unstable - stable > _RATE_RTOL * unstable:
        middle = 0.5 * (stable + unstable)
        stable, unstable = (middle, unstable) if is_stable(middle) else (stable, middle)
    return stable


def _ratios(moments: Vector3) -> Vector3:
    largest = max(moments)
    if not (all(isfinite(moment) and moment > 0.0 for moment in moments) and min(moments) > largest / _LARGEST_RATIO):
        raise InertiaError(f"principal moments must be positive, not {_listed(moments)}")
    return (moments[0] / largest, moments[1] / largest, moments[2] / largest)


def _steps(step: float, duration: float) -> int:
    if not (isfinite(step) and step > 0.0):
        raise InertiaError(f"a time step is positive, not {step:g} s")
    if not (isfinite(duration) and duration > 0.0):
        raise InertiaError(f"a simulated time is positive, not {duration:g} s")
    if duration / step > MAX_STEPS + 0.5:
        raise InertiaError(f"{duration:g} s in steps of {step:g} s are more than {MAX_STEPS:,} steps")
    return max(1, round(duration / step))


def _turn(spin: Vector3, step: float) -> Vector3:
    return (spin[0] * step, spin[1] * step, spin[2] * step)


def _gain(ratios: Vector3, turn: Vector3, steps: int, scheme: Scheme, enough: float) -> float:
    before = _energy(ratios, turn)
    if before == 0.0:
        return 0.0
    run = _explicit if scheme == "explicit" else _implicit
    after = before
    for stride in (*repeat(_STRIDE, steps // _STRIDE), steps % _STRIDE):
        turn = run(ratios, turn, stride)
        after = _energy(ratios, turn)
        # NaN, after an overflow, is beyond the limit too.
        if not after < before * (1.0 + enough):
            break
    return (after - before) / before if after < inf else inf


def _energy(ratios: Vector3, turn: Vector3) -> float:
    a, b, c = ratios
    x, y, z = turn
    return a * x * x + b * y * y + c * z * z


def _explicit(ratios: Vector3, turn: Vector3, steps: int) -> Vector3:
    """The step ω' = ω + h I⁻¹ (L × ω), in units of 1 / h."""
    a, b, c = ratios
    x, y, z = turn
    along_x, along_y, along_z = (b - c) / a, (c - a) / b, (a - b) / c
    for _ in repeat(None, steps):
        x, y, z = x + along_x * y * z, y + along_y * z * x, z + along_z * x * y
    return (x, y, z)


def _implicit(ratios: Vector3, turn: Vector3, steps: int) -> Vector3:
    """The step (I - h L̂) ω' = L, in units of 1 / h.

    By adj(I - L̂) = adj(I) + L Lᵀ + (I L)^ and det(I - L̂) = det(I) + L·IL.
    """
    a, b, c = ratios
    x, y, z = turn
    det = a * b * c
    for _ in repeat(None, steps):
        lx, ly, lz = a * x, b * y, c * z
        ilx, ily, ilz = a * lx, b * ly, c * lz
        square = lx * lx + ly * ly + lz * lz
        scale = 1.0 / (det + lx * ilx + ly * ily + lz * ilz)
        x, y, z = (
            (det * x + square * lx + ily * lz - ilz * ly) * scale,
            (det * y + square * ly + ilz * lx - ilx * lz) * scale,
            (det * z + square * lz + ilx * ly - ily * lx) * scale,
        )
    return (x, y, z)


def _listed(values: Vector3) -> str:
    return ", ".join(f"{value:g}" for value in values)
