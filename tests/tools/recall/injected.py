"""A link with other numbers in it: all that is not its inertial stays what the file says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sdfinertia.errors import FrameError, ResourceError, ValueTextError
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.robot.comments import Comment
from sdfinertia.robot.inertial import Written
from sdfinertia.robot.problems import Problem
from sdfinertia.robot.solid_kinds import VISUAL, SolidKind
from sdfinertia.shapes import MeshShape, Polyline, Primitive, Shape


@dataclass(frozen=True)
class Numbers:
    """What is written of a body."""

    mass: float
    centre: tuple[float, float, float]
    tensor: InertiaTensor
    has_tensor: bool = True
    scale: float = 1.0


class InjectedSolid:
    """A solid of a link, whose shape is that of another unit of length."""

    def __init__(self, solid: Any, scale: float) -> None:
        self._solid, self._scale = solid, scale

    def __getattr__(self, name: str) -> Any:
        return getattr(self._solid, name)

    def shape(self) -> Shape:
        shape, scale = self._solid.shape(), self._scale
        if isinstance(shape, Primitive):
            return shape._replace(dimensions=tuple(scale * value for value in shape.dimensions))
        if isinstance(shape, Polyline):
            loops = tuple(tuple((scale * x, scale * y) for x, y in loop) for loop in shape.loops)
            return Polyline(loops, tuple(scale * height for height in shape.heights))
        if isinstance(shape, MeshShape):
            x, y, z = shape.scale
            return shape._replace(scale=(scale * x, scale * y, scale * z))
        return shape


class InjectedLink:
    """A link as its description tells it, with other numbers."""

    def __init__(self, link: Any, numbers: Numbers, context: Any) -> None:
        self._link, self._numbers, self._context = link, numbers, context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._link, name)

    @property
    def has_inertial(self) -> bool:
        return True

    @property
    def has_tensor(self) -> bool:
        return self._numbers.has_tensor

    def comments(self) -> Iterator[Comment]:
        return iter(())

    def inertial_comments(self) -> Iterator[Comment]:
        return iter(())

    def malformations(self) -> Iterator[Problem]:
        return iter(())

    def asks_to_be_filled(self) -> bool:
        return False

    def written_inertia(self) -> Written:
        numbers = self._numbers
        return Written(SpatialInertia(numbers.mass, numbers.centre, numbers.tensor), numbers.tensor)

    def written_numbers(self) -> None:
        return None

    def mass_text(self) -> str:
        return repr(self._numbers.mass)

    def given_mass(self) -> tuple[float, str]:
        if not self._numbers.mass > 0.0:
            raise ValueTextError(f"a mass of {self._numbers.mass} kg")
        return self._numbers.mass, repr(self._numbers.mass)

    def has_solids(self, kind: SolidKind) -> bool:
        return bool(self.solids(kind))

    def solids(self, kind: SolidKind) -> Sequence[Any]:
        solids = [solid for solid in self._link.solids(kind) if kind is not VISUAL or self._is_there(solid)]
        scale = self._numbers.scale
        return [InjectedSolid(solid, scale) for solid in solids] if scale != 1.0 else solids

    def _is_there(self, solid: Any) -> bool:
        shape = solid.shape()
        if not isinstance(shape, MeshShape):
            return True
        try:
            self._context.resources.find(shape.uri, solid.file)
        except (ResourceError, FrameError):
            return False
        return True
