"""A document opened: parsed once, its links studied once, for whatever is done with it."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from sdfinertia.errors import TemplateError, TextError
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.links.study import LinkStudy
from sdfinertia.sdf.document import Document
from sdfinertia.sdf.file_names import TEMPLATE_SUFFIXES
from sdfinertia.sdf.model import SdfRoot

if TYPE_CHECKING:
    from sdfinertia.calculators import Calculator
    from sdfinertia.description.protocols import LinkDescription, ModelDescription, RobotDescription
    from sdfinertia.links.surroundings import Surroundings
    from sdfinertia.options import Options

# A path, or the content of a file.
Source = str | os.PathLike[str] | bytes


# Where the engines of templates put values: Jinja and its like, xacro and Empy's like, ERB.
_TEMPLATE_MARKS = (b"{{", b"${", b"<%")


class OpenDocument:
    """A robot description with the studies of its links; nothing is looked up or computed before it is asked for.

    Args:
        robot: what the file says.
        options: those in force for the file.
        surroundings: files and meshes shared with other documents, or None for its own.
        calculators: functions that compute meshes, by the names that files call them.
    """

    def __init__(
        self,
        robot: RobotDescription,
        options: Options,
        surroundings: Surroundings | None = None,
        calculators: Mapping[str, Calculator] | None = None,
    ) -> None:
        self.robot = robot
        self.options = options
        self._given_surroundings = surroundings
        self._calculators = calculators
        self._studies: dict[Hashable, LinkStudy] = {}

    @cached_property
    def surroundings(self) -> Surroundings:
        """Where files are found, and what has been read of them."""
        if self._given_surroundings is not None:
            return self._given_surroundings
        # Loaded where something is to be looked up: a run with nothing to do must feel instant.
        from sdfinertia.links.surroundings import Surroundings

        return Surroundings(self.options, self._calculators)

    @cached_property
    def models(self) -> list[tuple[ModelDescription, list[LinkDescription]]]:
        """The root models, each with its links and those of models nested in it."""
        return [(model, list(model.all_links())) for model in self.robot.models()]

    def links(self) -> Iterator[LinkDescription]:
        """All links, in the order of the file within each model."""
        for _, links in self.models:
            yield from links

    def study(self, link: LinkDescription) -> LinkStudy:
        """The study of a link, of this document or of one that it includes; there is one of each."""
        key = link.key
        if key not in self._studies:
            self._studies[key] = LinkStudy(link, self.options, self.surroundings)
        return self._studies[key]


def open_document(
    source: Source,
    options: Options,
    surroundings: Surroundings | None = None,
    *,
    filename: str = "<bytes>",
    calculators: Mapping[str, Calculator] | None = None,
) -> OpenDocument:
    """The document at a path, or in bytes that have a place.

    Args:
        source: path of a file, or its content.
        filename: the place that content given as bytes has: its uris resolve from there.

    Raises:
        SdfInertiaError: it cannot be read as a robot description.
    """
    path = filename if isinstance(source, bytes) else os.fspath(source)
    _refuse_template(path)
    data = source if isinstance(source, bytes) else read_regular_file(path)
    try:
        root = SdfRoot(Document(data, path))
    except TextError as error:
        if _is_fragment(data):
            raise TemplateError(
                "the file is part of a template: it has no <sdf> root, and places for a program to fill in",
                location=error.location,
                remedy="expand the template and look at what it makes, or leave this out with --exclude",
            ) from None
        raise
    return OpenDocument(root, options, surroundings, calculators)


def _is_fragment(data: bytes) -> bool:
    """Whether a text that is no SDF is a part of one that a template engine puts together."""
    return b"<sdf" not in data and any(mark in data for mark in _TEMPLATE_MARKS)


def _refuse_template(path: str) -> None:
    for suffix in TEMPLATE_SUFFIXES:
        if path.lower().endswith(suffix):
            raise TextError(
                f"{suffix} files are templates, programs that print SDF",
                file=path,
                remedy="expand it first and pipe the result through `sdfinertia fill -`",
            )
