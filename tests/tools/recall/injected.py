"""A link with other numbers in its inertial; everything else is that of the file."""

from collections.abc import Iterator, Sequence
from typing import Any

from sdfinertia.errors import FrameError, ResourceError, ValueTextError
from sdfinertia.links.written_block import WrittenBlock
from sdfinertia.markup import Comment
from sdfinertia.robot import VISUAL, SolidKind
from sdfinertia.robot.inertial import Written
from sdfinertia.robot.problems import Problem
from sdfinertia.shapes import MeshShape


class InjectedLink:
    """A link of a description, with another block."""

    def __init__(self, link: Any, block: WrittenBlock, context: Any) -> None:
        self._link, self._block, self._context = link, block, context

    def __getattr__(self, name: str) -> Any:
        return getattr(self._link, name)

    @property
    def has_inertial(self) -> bool:
        return True

    @property
    def has_tensor(self) -> bool:
        return True

    def comments(self) -> Iterator[Comment]:
        return iter(())

    def inertial_comments(self) -> Iterator[Comment]:
        return iter(())

    def malformations(self) -> Iterator[Problem]:
        return iter(())

    def asks_to_be_filled(self) -> bool:
        return False

    def written_inertia(self) -> Written:
        inertia = self._block.inertia
        return Written(inertia, inertia.I_BBcm_B)

    def written_numbers(self) -> None:
        return None

    def mass_text(self) -> str:
        return repr(self._block.mass)

    def given_mass(self) -> tuple[float, str]:
        if not self._block.mass > 0.0:
            raise ValueTextError(f"a mass of {self._block.mass} kg")
        return self._block.mass, self.mass_text()

    def has_solids(self, kind: SolidKind) -> bool:
        return bool(self.solids(kind))

    def solids(self, kind: SolidKind) -> Sequence[Any]:
        return [solid for solid in self._link.solids(kind) if kind is not VISUAL or self._is_there(solid)]

    def _is_there(self, solid: Any) -> bool:
        shape = solid.shape()
        if not isinstance(shape, MeshShape):
            return True
        try:
            self._context.resources.find(shape.uri, solid.link.file)
        except (ResourceError, FrameError):
            return False
        return True
