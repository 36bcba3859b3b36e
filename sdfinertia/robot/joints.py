"""What joints say of links: parents, axes, and what they merge."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import NamedTuple, TypeVar

from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3, rotate

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class ParentJoint(NamedTuple):
    """Its parent's mass counts if it is above zero (kg)."""

    name: str
    parent_mass: float | None
    is_fixed: bool = False
    parent: int = -1  # where the element of the parent begins in the document


class Axis(NamedTuple):
    joint: str  # its name
    point: Vector3  # on the axis (m)
    direction: Vector3  # unit vector

    def transformed(self, X_AG: RigidTransform) -> Axis:
        return Axis(self.joint, X_AG.apply(self.point), rotate(X_AG.rotation, self.direction))


class Lump(NamedTuple):
    """What simulators merge into one body with a link, itself included."""

    mass_of_others: float = 0.0  # kg
    has_mass: bool = False  # or is to be given one; a link without an inertial then adds nothing
    has_body: bool = False  # mass and moments, of one link; others may then lack them


def grouped(pairs: Iterable[tuple[K, T]]) -> dict[K, list[T]]:
    found: dict[K, list[T]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def neighbours(pairs: Iterable[tuple[K, K]]) -> Callable[[K], Sequence[K]]:
    found = grouped(each for one, other in pairs for each in ((one, other), (other, one)))
    return lambda end: found.get(end, ())
