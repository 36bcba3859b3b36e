"""An SDF document as a robot description."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.markup.document import Document
from sdfinertia.robot import robot
from sdfinertia.robot.values import Problem
from sdfinertia.sdf.model import Model
from sdfinertia.sdf.root import SdfRoot

if TYPE_CHECKING:
    from sdfinertia.robot.assembly import Assembly
    from sdfinertia.robot.link import LinkContext


class Robot(robot.Robot):
    def __init__(self, document: Document) -> None:
        self.document = document
        self.root = SdfRoot(document)
        self.notes = self.root.notes
        self._models: list[Model] | None = None

    @property
    def has_includes(self) -> bool:
        return any(True for _ in self.root.include_elements())

    def included_files(self, context: LinkContext) -> Iterator[str | SdfInertiaError]:
        from sdfinertia.sdf.root import included_file

        for include in self.root.include_elements():
            try:
                path = included_file(context.resources, include)
            except SdfInertiaError as error:
                yield error
            else:
                if path is not None:
                    yield path

    def models(self) -> list[Model]:
        if self._models is None:
            self._models = [Model(self.root, element, None) for element in self.root.model_elements()]
        return self._models

    def repeated_models(self) -> Iterator[Problem]:
        return iter(dict.fromkeys(self.root.repeated_models.values()))

    def assemblies(self, context: LinkContext) -> Iterator[Assembly]:
        from sdfinertia.sdf.assembly import assemblies

        return assemblies(self.root, context)
