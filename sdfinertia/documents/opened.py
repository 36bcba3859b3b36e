"""An open document, parsed once; the studies of its links are cached."""

from __future__ import annotations

import os
from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.documents.reading import described, refuse_other
from sdfinertia.errors import (
    ConfigurationError,
    FragmentError,
    IncompleteError,
    SdfInertiaError,
    TextError,
    WriteError,
)
from sdfinertia.files.regular_file import path_text, read_regular_file
from sdfinertia.files.walk import tree_of, why_not_writable
from sdfinertia.links.context import Context
from sdfinertia.links.study import Study
from sdfinertia.markup.document import Document
from sdfinertia.options import Options
from sdfinertia.robot.names import TEMPLATE_SUFFIXES, XACRO_MARKS, XACRO_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from sdfinertia.calculators import Calculator, MeshInMemory
    from sdfinertia.robot.link import Link, LinkKey, Model
    from sdfinertia.robot.robot import Robot
    from sdfinertia.xacro.expansion import Expansion

# A path, or the content of a file.
Source = str | os.PathLike[str] | bytes


class RobotOfRun(NamedTuple):
    """A robot that xacro makes in a run, and the real paths of its sources."""

    path: str
    options: Options
    files: frozenset[str]


# Names that a message lists, and those that are compared to find the nearest.
_MAX_NAMES, _MAX_COMPARED = 20, 2_000
# The remedy for a block that documents give different numbers.
NOT_BOTH = "give each its own copy of the part, or the same densities"


class OpenDocument:
    """A robot description with the studies of its links; all is computed lazily."""

    def __init__(
        self,
        robot: Robot,
        options: Options,
        context: Context | None = None,
        calculators: Mapping[str, Calculator | MeshInMemory] | None = None,
    ) -> None:
        self.robot = robot
        self.options = options
        self._given_context = context
        self._calculators = calculators
        self._studies: dict[Hashable, Study] = {}
        # Its sources, if xacro made it, and the robots of the run that xacro makes.
        self.expansion: Expansion | None = None
        self.robots_of_run: Sequence[RobotOfRun] = ()
        # Where the run may write, by default in the tree of the document; and the links, by name and number, whose
        # blocks other documents of the run would give other numbers, with the reasons.
        self.trees: Sequence[str] = ()
        self.disputed: Mapping[tuple[str, int], str] = {}
        # What rooms above keep with it.
        self.kept: dict[str, Any] = {}
        self._outside: dict[str, str] = {}

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """Not sent between processes: it arrives as None, and is opened again."""
        return type(None), ()

    @cached_property
    def context(self) -> Context:
        if self._given_context is not None:
            return self._given_context

        return Context(self.options, self._calculators)

    def notes(self) -> tuple[str, ...]:
        context = self.__dict__.get("context")
        return (*self.robot.notes, *(context.notes_for(self.robot.path) if context is not None else ()))

    @cached_property
    def models(self) -> list[tuple[Model, Sequence[Link]]]:
        return [(model, model.all_links()) for model in self.robot.models()]

    def links(self) -> Iterator[Link]:
        return iter(self._links)

    @cached_property
    def _links(self) -> list[Link]:
        return [link for _, links in self.models for link in links]

    @cached_property
    def emptiness(self) -> str:
        """The reason why it has nothing to check, in few words; "" where it has links."""
        if self._links:
            return ""
        if self.expansion is not None:
            return "macros only"
        return "includes only" if self.robot.has_includes else "no links"

    @cached_property
    def links_by_label(self) -> dict[str, list[Link]]:
        """By scoped name; the second link of a name is `model::link#2`."""
        found: dict[str, list[Link]] = {}
        for link in self.links():
            found.setdefault(link.key.label, []).append(link)
        return found

    def require_names(self) -> None:
        for problem in self.robot.repeated_models():
            raise TextError(problem.message, location=problem.location, remedy=problem.remedy)

    def require_own_text(self) -> None:
        if self.expansion is not None:
            raise TextError(
                "xacro cannot be edited this way",
                file=self.robot.path,
                remedy="use `sdfinertia fill` or `sdfinertia repair`",
            )

    def require_writable(self, link: Link) -> None:
        """Refuses blocks outside the trees of the run or disputed ones; xacro is refused at its source."""
        if self.expansion is not None:
            return
        path = self.robot.document.path_at(link.element.start)
        if path not in self._outside:
            self._outside[path] = why_not_writable(path, self.trees or (tree_of(self.robot.path),))
        if self._outside[path]:
            raise WriteError(
                f"not written: {os.path.realpath(path)} {self._outside[path]}",
                location=link.location(),
                link=link.scoped_name,
                remedy="copy the file there, or give a directory that holds both",
            )
        reason = self.disputed.get((link.scoped_name, link.number))
        if reason:
            raise WriteError(
                f"not written: {reason}",
                location=link.location(),
                link=link.scoped_name,
                remedy=NOT_BOTH,
            )

    def study(self, link: Link, options: Options | None = None) -> Study:
        """The study of a link, by other options than those of the document one of its own."""
        if options is not None:
            return Study(link, options, self.context)
        # Not the link's key, which takes the names of all links: a run with nothing to do reads none.
        place = link.place
        if place not in self._studies:
            self._studies[place] = Study(link, self.options, self.context)
        return self._studies[place]


def open_document(
    source: Source,
    options: Options,
    context: Context | None = None,
    *,
    filename: str = "<bytes>",
    calculators: Mapping[str, Calculator | MeshInMemory] | None = None,
) -> OpenDocument:
    """The document at a path, or in bytes whose uris resolve from `filename`."""
    require_options(options)
    path = _place_of(source, filename)
    _refuse_text(source)
    name = path.lower()
    if name.endswith(XACRO_SUFFIX):
        if not isinstance(source, bytes):
            _refuse_directory(path)
        return expanded_document(path, source if isinstance(source, bytes) else None, options, context, calculators)
    if name.endswith(TEMPLATE_SUFFIXES):
        _refuse_template(path, is_file=not isinstance(source, bytes))
    data = source if isinstance(source, bytes) else _content_of(path, options.confine)
    try:
        if needs_expansion(path, data):
            return _expanded_urdf(path, data, options, context, calculators)
        robot = described(Document(data, path), options.confine)
    except TextError as error:
        refuse_other(data, path, error.location)
        raise
    return OpenDocument(robot, options, context, calculators)


def needs_expansion(path: str, data: bytes) -> bool:
    """True for files of xacro, and URDF with its elements or values."""
    if not any(mark in data for mark in XACRO_MARKS) and not path.lower().endswith(XACRO_SUFFIX):
        return False
    from sdfinertia.xacro.sources import is_xacro

    return is_xacro(path, data)


def _expanded_urdf(
    path: str,
    data: bytes,
    options: Options,
    context: Context | None,
    calculators: Mapping[str, Calculator | MeshInMemory] | None,
) -> OpenDocument:
    """Raises FragmentError where arguments, properties or macros are missing: others give them."""
    try:
        document = expanded_document(path, data, options, context, calculators)
    except IncompleteError as error:
        raise FragmentError(
            f"is xacro that is not complete: {error.problem}",
            location=error.location,
            remedy=error.remedy or "it is checked in the robots that include it",
        ) from None
    document.robot.notes.insert(0, "has elements or values of xacro, and is expanded")
    return document


def expanded_document(
    path: str,
    data: bytes | None,
    options: Options,
    context: Context | None,
    calculators: Mapping[str, Calculator | MeshInMemory] | None = None,
    *,
    overlay: Mapping[str, bytes] | None = None,
    macros: Sequence[str] = (),
) -> OpenDocument:
    """The robot that xacro makes; `overlay` has content by absolute path, `macros` are called with their defaults."""
    from sdfinertia.xacro.expansion import expand

    expansion = expand(path, options, data, overlay, macros=macros)
    try:
        robot = described(Document(expansion.data, path))
    except TextError as error:
        raise error.within(file=path) if error.location is None else expansion.moved(error) from None
    robot.notes += (f"xacro: {warning}" for warning in expansion.warnings)
    document = OpenDocument(robot, options, context, calculators)
    document.expansion = expansion
    if document.emptiness:
        robot.notes.append("makes no links; macros are checked in the robots that use them")
    return document


def require_options(options: object) -> None:
    if not isinstance(options, Options):
        raise ConfigurationError(
            f"options must be sdfinertia.Options, not {type(options).__name__}", remedy="write Options(density=2700)"
        )


def path_of(source: object, filename: str = "<bytes>") -> str:
    """The path of a source, which may be no directory; of bytes, `filename`."""
    path = _place_of(source, filename)
    if not isinstance(source, bytes):
        _refuse_directory(path)
    return path


def _place_of(source: object, filename: str) -> str:
    if isinstance(source, bytes):
        if not isinstance(filename, str):
            raise ConfigurationError(f"filename must be text, not {type(filename).__name__}")
        return path_text(filename)
    path = os.fspath(source) if isinstance(source, (str, os.PathLike)) else None
    if not isinstance(path, str):
        raise ConfigurationError(
            f"a source is the path of a file, or its content as bytes, not {type(source).__name__}"
        )
    return path_text(path)


def _refuse_directory(path: str) -> None:
    if os.path.isdir(path):
        raise ConfigurationError(
            "is a directory, where a file is meant",
            file=path,
            remedy="name a file in it; fill_many and check_many take directories",
        )


def _refuse_text(source: Source) -> None:
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n")[:1] == "<" and not os.path.exists(source):
        raise ConfigurationError(
            "this is the text of a document; the path of a file is expected",
            remedy="pass bytes, as text.encode(), and in filename the place from which its URIs resolve",
        )


def _refuse_template(path: str, *, is_file: bool) -> None:
    if is_file:
        _refuse_directory(path)
    suffix = next(each for each in TEMPLATE_SUFFIXES if path.lower().endswith(each))
    raise TextError(
        f"{suffix} files are templates, not robot descriptions",
        file=path,
        remedy="expand it first, and pipe the result into `sdfinertia fill -`",
    )


def _content_of(path: str, confine: str | None) -> bytes:
    try:
        return read_regular_file(path, confine=confine)
    except SdfInertiaError:
        _refuse_directory(path)
        raise


# The links that `--link` selects --------------------------------------------------------------------------------------


def matches(link: Link, options: Options) -> bool:
    return not options.link or any(is_named_by(link.key, pattern) for pattern in options.link)


def selected_links(document: OpenDocument) -> Sequence[Link]:
    links = [*document.links()]
    return [link for link in links if matches(link, document.options)] if document.options.link else links


def unmatched(links: Iterable[Link], options: Options) -> tuple[str, ...]:
    if not options.link:
        return ()
    links = list(links)
    return () if any(matches(link, options) for link in links) else tuple(link.scoped_name for link in links)


def is_named_by(link: LinkKey, pattern: str) -> bool:
    """By a glob on the scoped name, without `::` on its last part; `#2` is the second of a name."""
    names = [link.name, link.numbered] if "#" in pattern else [link.name]
    if "::" not in pattern:
        names += [name.rpartition("::")[2] for name in names]
    return any(fnmatchcase(name, pattern) for name in names)


def require_match(patterns: Iterable[str], names: Sequence[str], file: str) -> None:
    if names:
        raise no_link_matches(patterns, names, file, "the pattern")


def no_link_matches(
    patterns: Iterable[str], names: Sequence[str], file: str | None = None, option: str = "--link"
) -> ConfigurationError:
    patterns = sorted(patterns)

    def distance(name: str) -> float:
        parts = (name, name.rpartition("::")[2])
        return -max(SequenceMatcher(None, pattern, part).quick_ratio() for pattern in patterns for part in parts)

    listed = sorted(dict.fromkeys(names), key=distance) if len(names) <= _MAX_COMPARED else list(names)
    more = f" and {len(listed) - _MAX_NAMES:,} more" if len(listed) > _MAX_NAMES else ""
    there = f"there are {', '.join(listed[:_MAX_NAMES])}{more}" if listed else "there are no links"
    return ConfigurationError(f"no link matches {option} {', '.join(patterns)}", file=file, remedy=there)
