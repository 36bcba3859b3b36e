"""A document opened: parsed once, its links studied once, for whatever is done with it."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from sdfinertia.errors import ConfigurationError, TemplateError, TextError
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.links.study import Study
from sdfinertia.markup.document import Document
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.values import SDF_SUFFIXES, TEMPLATE_SUFFIXES, URDF_SUFFIXES, XACRO_SUFFIX

if TYPE_CHECKING:
    from sdfinertia.calculators import Calculator
    from sdfinertia.links.context import Context
    from sdfinertia.options import Options
    from sdfinertia.robot.link import Link, Model
    from sdfinertia.robot.robot import Robot
    from sdfinertia.xacro.expansion import Expansion

# A path, or the content of a file.
Source = str | os.PathLike[str] | bytes


class Format(NamedTuple):
    """A format of robot descriptions.

    Attributes:
        title: as it is called.
        suffixes: of the names of its files; another name is noted.
        describe: what a document of it says.
    """

    title: str
    suffixes: tuple[str, ...]
    describe: Callable[[Document], Robot]


def _sdf(document: Document) -> Robot:
    from sdfinertia.sdf import robot

    return robot.Robot(document)


def _urdf(document: Document) -> Robot:
    # Loaded where there is one: runs over SDF must start as fast as if there were no other format.
    from sdfinertia.urdf import robot

    return robot.Robot(document)


# The formats by the root element that alone tells them.
FORMATS = {"sdf": Format("SDF", SDF_SUFFIXES, _sdf), "robot": Format("URDF", URDF_SUFFIXES, _urdf)}

# Where the engines of templates put values: Jinja and its like, xacro and Empy's like, ERB.
_TEMPLATE_MARKS = (b"{{", b"${", b"<%")


class RootModel(NamedTuple):
    """A model that stands in no other, with its links and those of models nested in it."""

    model: Model
    links: Sequence[Link]


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
        robot: Robot,
        options: Options,
        context: Context | None = None,
        calculators: Mapping[str, Calculator] | None = None,
    ) -> None:
        self.robot = robot
        self.options = options
        self._given_surroundings = context
        self._calculators = calculators
        self._studies: dict[Hashable, Study] = {}
        # Of the xacro file that it comes from.
        self.expansion: Expansion | None = None

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        """Does not go from one process to another: what would arrive there is None, and it is opened anew."""
        return _nothing, ()

    @cached_property
    def context(self) -> Context:
        """Where files are found, and what has been read of them."""
        if self._given_surroundings is not None:
            return self._given_surroundings
        # Loaded where something is to be looked up: a run with nothing to do must feel instant.
        from sdfinertia.links.context import Context

        return Context(self.options, self._calculators)

    def notes(self) -> tuple[str, ...]:
        """What is to be said of the file as a whole, once what is done with it is done."""
        context = self.__dict__.get("context")
        return (*self.robot.notes, *(context.notes_for(self.robot.path) if context is not None else ()))

    @cached_property
    def models(self) -> list[RootModel]:
        """The root models, in the order of the file."""
        return [RootModel(model, model.all_links()) for model in self.robot.models()]

    def links(self) -> Iterator[Link]:
        """All links, in the order of the file within each model."""
        for root in self.models:
            yield from root.links

    @cached_property
    def links_by_label(self) -> dict[str, list[Link]]:
        """The links by the labels of their keys: scoped names, of the second link of a name `model::link#2`."""
        found: dict[str, list[Link]] = {}
        for link in self.links():
            found.setdefault(link.key.label, []).append(link)
        return found

    def require_names(self) -> None:
        """Refuses two models of one name, which are one to whatever goes by names.

        Raises:
            TextError: there are such.
        """
        for problem in self.robot.repeated_models():
            raise TextError(problem.message, location=problem.location, remedy=problem.remedy)

    def require_own_text(self) -> None:
        """Refuses a document that xacro made: its bytes are in no file.

        Raises:
            TextError: it is one.
        """
        if self.expansion is not None:
            raise TextError(
                "xacro is not changed this way",
                file=self.robot.path,
                remedy="`sdfinertia fill` and `sdfinertia repair` write into it",
            )

    def study(self, link: Link) -> Study:
        """The study of a link, of this document or of one that it includes; there is one of each."""
        # Keys would take the names of all links, which a run with nothing to do has no need of.
        place = link.place
        if place not in self._studies:
            self._studies[place] = Study(link, self.options, self.context)
        return self._studies[place]


def _nothing() -> None:
    return None


def open_document(
    source: Source,
    options: Options,
    context: Context | None = None,
    *,
    filename: str = "<bytes>",
    calculators: Mapping[str, Calculator] | None = None,
) -> OpenDocument:
    """The document at a path, or in bytes that have a place.

    Args:
        source: path of a file, or its content.
        filename: the place that content given as bytes has: its uris resolve from there.

    Raises:
        ConfigurationError: the source is the text of a document where its path belongs.
        SdfInertiaError: it cannot be read as a robot description.
    """
    _refuse_text(source)
    path = filename if isinstance(source, bytes) else os.fspath(source)
    if path.lower().endswith(XACRO_SUFFIX):
        return _expanded(path, source if isinstance(source, bytes) else None, options, context, calculators)
    _refuse_template(path)
    data = source if isinstance(source, bytes) else read_regular_file(path, confine=options.confine)
    try:
        robot = described(Document(data, path))
    except TextError as error:
        if _is_fragment(data):
            raise TemplateError(
                "the file is part of a template: it has no root element of ours, and places for a program to fill in",
                location=error.location,
                remedy="expand the template and look at what it makes, or leave this out with --exclude",
            ) from None
        raise
    return OpenDocument(robot, options, context, calculators)


def _expanded(
    path: str,
    data: bytes | None,
    options: Options,
    context: Context | None,
    calculators: Mapping[str, Calculator] | None,
) -> OpenDocument:
    """What a xacro file expands to."""
    # Loaded where there is one.
    from sdfinertia.xacro.expansion import expand

    expansion = expand(path, options, data)
    try:
        robot = described(Document(expansion.data, path))
    except TextError as error:
        raise error.within(file=path) if error.location is None else expansion.moved(error) from None
    robot.notes += (f"xacro says: {warning}" for warning in expansion.warnings)
    document = OpenDocument(robot, options, context, calculators)
    document.expansion = expansion
    if next(document.links(), None) is None:
        robot.notes.append("makes no link: what its macros make is judged in the robots that use them")
    return document


def described(document: Document) -> Robot:
    """What a document says, by the format of its first root element that is known.

    Raises:
        SdfInertiaError: it has none, or cannot be read as that format.
    """
    found = next((FORMATS[root.name] for root in document.roots if root.name in FORMATS), None)
    if found is None:
        problem = f"there is no {' or '.join(f'<{name}>' for name in FORMATS)} root element"
        if not document.data.strip():
            problem = f"the file is empty: {problem}"
        raise TextError(problem, location=document.location(0))
    robot = found.describe(document)
    name = document.path.lower()
    other = next((each for each in FORMATS.values() if each is not found and name.endswith(each.suffixes)), None)
    if other is not None:
        robot.notes.append(
            f"is {found.title} by its root element, and read as that, though its name says {other.title}"
        )
    return robot


def _is_fragment(data: bytes) -> bool:
    """Whether a text of no known format is a part of one that a template engine puts together."""
    has_root = any(b"<" + root.encode() in data for root in FORMATS)
    return not has_root and any(mark in data for mark in _TEMPLATE_MARKS)


def _refuse_text(source: Source) -> None:
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n")[:1] == "<" and not os.path.exists(source):
        raise ConfigurationError(
            "this is the text of a document, where the path of a file is expected",
            remedy="pass bytes, as text.encode(), and as filename the place from which its uris resolve",
        )


def _refuse_template(path: str) -> None:
    for suffix in TEMPLATE_SUFFIXES:
        if path.lower().endswith(suffix):
            raise TextError(
                f"{suffix} files are templates, programs that print SDF or URDF",
                file=path,
                remedy="expand it first and pipe the result through `sdfinertia fill -`",
            )
