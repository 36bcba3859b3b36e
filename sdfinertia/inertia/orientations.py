"""Rotations from the notations of MuJoCo: quaternion, axis and angle, two axes, one axis, angles in a sequence."""

from __future__ import annotations

from math import atan2, cos, hypot, sin

from sdfinertia.inertia.rigid_transform import (
    IDENTITY_ROTATION,
    Rotation,
    Vector3,
    product,
    rotation_from_quaternion,
    rotation_from_rpy,
)

# Below it MuJoCo takes a vector for none (mjEPS).
EPSILON = 1e-14


def rotation_of(kind: str, given: tuple[float, ...], unit: float, sequence: str) -> Rotation:
    if kind == "quat":
        w, x, y, z = given
        return rotation_from_quaternion(x, y, z, w)
    if kind == "axisangle":
        x, y, z = _unit(given[:3])
        half = given[3] * unit / 2
        s = sin(half)
        return rotation_from_quaternion(x * s, y * s, z * s, cos(half))
    if kind == "xyaxes":
        x_axis = _unit(given[:3])
        along = sum(a * b for a, b in zip(x_axis, given[3:], strict=True))
        y_axis = _unit(tuple(b - along * a for a, b in zip(x_axis, given[3:], strict=True)))
        (a, b, c), (d, e, f) = x_axis, y_axis
        return a, d, b * f - c * e, b, e, c * d - a * f, c, f, a * e - b * d
    if kind == "zaxis":
        x, y, z = given
        return onto((x, y, z))
    return _from_euler(given, unit, sequence)


def quaternion_from_rpy(roll: float, pitch: float, yaw: float) -> tuple[float, float, float, float]:
    """(x, y, z, w) of Rz(yaw) Ry(pitch) Rx(roll)."""
    a, b, c = map(cos, (roll / 2, pitch / 2, yaw / 2))
    d, e, f = map(sin, (roll / 2, pitch / 2, yaw / 2))
    return d * b * c - a * e * f, a * e * c + d * b * f, a * b * f - d * e * c, a * b * c + d * e * f


def _from_euler(given: tuple[float, ...], unit: float, sequence: str) -> Rotation:
    """Small letters turn about axes that turn along, capitals about fixed ones."""
    rotation = IDENTITY_ROTATION
    for letter, angle in zip(sequence, given, strict=True):
        angles = [0.0, 0.0, 0.0]
        angles["xyz".index(letter.lower())] = angle * unit
        turn = rotation_from_rpy(*angles)
        rotation = product(rotation, turn) if letter.islower() else product(turn, rotation)
    return rotation


def onto(direction: Vector3) -> Rotation:
    """The shortest rotation from z to a direction; half a turn about x for the opposite (mjuu_z2quat)."""
    x, y, z = _unit(direction)
    across = hypot(x, y)
    axis = (-y / across, x / across) if across >= 1e-10 else (1.0, 0.0)
    half = atan2(across, z) / 2
    s = sin(half)
    return rotation_from_quaternion(axis[0] * s, axis[1] * s, 0.0, cos(half))


def _unit(vector: tuple[float, ...]) -> Vector3:
    x, y, z = vector
    length = hypot(x, y, z)
    return x / length, y / length, z / length


def turns(kind: str, found: tuple[float, ...]) -> bool:
    if kind == "euler":
        return True
    if kind == "xyaxes":
        (a, b, c), (d, e, f) = found[:3], found[3:]
        across = hypot(b * f - c * e, c * d - a * f, a * e - b * d)
        return hypot(a, b, c) > EPSILON and across > EPSILON * hypot(a, b, c)
    return hypot(*found[: 4 if kind == "quat" else 3]) > EPSILON
