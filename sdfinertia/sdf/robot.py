"""An SDF document as a robot description."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.robot import robot
from sdfinertia.sdf.assembly import assemblies
from sdfinertia.sdf.model import Model
from sdfinertia.sdf.root import SdfRoot, included_file
from sdfinertia.sdf.templates import refuse_template

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sdfinertia.markup.document import Document
    from sdfinertia.robot.link import LinkContext
    from sdfinertia.robot.problems import Problem
    from sdfinertia.robot.robot import Assembly


class Robot(SdfRoot, robot.Robot):
    def __init__(self, document: Document) -> None:
        refuse_template(document)
        super().__init__(document)

    @property
    def has_includes(self) -> bool:
        return any(True for _ in self.include_elements())

    def included_files(self, context: LinkContext) -> Iterator[str | SdfInertiaError]:
        for include in self.include_elements():
            try:
                path = included_file(context.resources, include)
            except SdfInertiaError as error:
                yield error
            else:
                if path is not None:
                    yield path

    @cached_property
    def _models(self) -> list[Model]:
        return [Model(self, element, None) for element in self.model_elements()]

    def models(self) -> list[Model]:
        return self._models

    def repeated_models(self) -> Iterator[Problem]:
        return iter(dict.fromkeys(self.problems_of_names.values()))

    def assemblies(self, context: LinkContext) -> Iterator[Assembly]:

        return assemblies(self, context)
