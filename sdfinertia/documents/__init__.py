"""Work on one document: bytes in, results out. Nothing here prints or writes.

Here: a file as an open document: its robot, in the format of its root element, and the studies of its links.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.errors import (
    ConfigurationError,
    FragmentError,
    IncompleteError,
    Location,
    TemplateError,
    TextError,
    WriteError,
)
from sdfinertia.files import path_text, read_regular_file
from sdfinertia.files.walk import tree_of, why_not_writable
from sdfinertia.links import Studies, Study
from sdfinertia.links.context import Context
from sdfinertia.markup import Document
from sdfinertia.options import Options
from sdfinertia.robot import Link, LinkKey, Model
from sdfinertia.robot.names import (
    SDF_SUFFIXES,
    TEMPLATE_SUFFIXES,
    URDF_SUFFIXES,
    XACRO_MARKS,
    XACRO_SUFFIX,
    xacro_in_urdf,
)

if TYPE_CHECKING:
    from sdfinertia.robot.robot import Robot
    from sdfinertia.xacro.expansion import Expansion

# A path, or the content of a file.
Source = str | os.PathLike[str] | bytes
# Names that a message lists, and those that are compared to find the nearest.
_MAX_NAMES, _MAX_COMPARED = 20, 2_000
# The remedy for a block that documents give different numbers.
NOT_BOTH = "give each its own copy of the part, or the same densities"


class RobotOfRun(NamedTuple):
    """A robot that xacro makes in a run, and the real paths of its sources."""

    path: str
    options: Options
    files: frozenset[str]


class OpenDocument:
    """A robot description with the studies of its links; all is computed lazily."""

    def __init__(self, robot: Robot, options: Options, context: Context | None = None) -> None:
        self.robot = robot
        self.options = options
        self.context = context or Context(options)
        self._studies = Studies(options, self.context)
        # Its sources, if xacro made it, and the robots of the run that xacro makes.
        self.expansion: Expansion | None = None
        self.robots_of_run: Sequence[RobotOfRun] = ()
        # Where the run may write, by default in the tree of the document; and the links, by name and number, whose
        # blocks other documents of the run would give other numbers, with the reasons.
        self.trees: Sequence[str] = ()
        self.disputed: Mapping[tuple[str, int], str] = {}
        # Of `documents.corrections`, once something is to be explained.
        self.explainer: Any = None
        self._outside: dict[str, str] = {}

    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        """Not sent between processes: it arrives as None, and is opened again."""
        return type(None), ()

    def with_options(self, options: Options) -> OpenDocument:
        """The same links by other options, for reading or for writing as `self` may; of xacro the expanded text."""
        other = OpenDocument(self.robot, options, self.context)
        other.trees, other.disputed = self.trees, {} if self.expansion is not None else self.disputed
        return other

    def study(self, link: Link) -> Study:
        return self._studies.of(link)

    def notes(self) -> tuple[str, ...]:
        return (*self.robot.notes, *self.context.notes_for(self.robot.path))

    @cached_property
    def models(self) -> list[tuple[Model, Sequence[Link]]]:
        return [(model, model.all_links()) for model in self.robot.models()]

    def links(self) -> list[Link]:
        return [link for _, links in self.models for link in links]

    def selected(self, options: Options) -> list[Link]:
        return [link for link in self.links() if matches(link, options)]

    def unmatched(self, options: Options) -> tuple[str, ...]:
        """The names of all links, where patterns match none."""
        return () if not options.link or self.selected(options) else tuple(link.scoped_name for link in self.links())

    def require_match(self, options: Options) -> None:
        if names := self.unmatched(options):
            raise no_link_matches(options.link, names, self.robot.path, "the pattern")

    @cached_property
    def emptiness(self) -> str:
        """The reason why it has nothing to check, in few words; "" where it has links."""
        if self.links():
            return ""
        if self.expansion is not None:
            return "macros only"
        return "includes only" if self.robot.has_includes else "no links"

    @cached_property
    def links_by_label(self) -> dict[str, list[Link]]:
        """By scoped name; the second link of a name is `model::link#2`."""
        found: dict[str, list[Link]] = {}
        for link in self.links():
            found.setdefault(link.label, []).append(link)
        return found

    def require_names(self) -> None:
        for problem in self.robot.repeated_models():
            raise TextError(problem.message, location=problem.location, remedy=problem.remedy)

    def require_own_text(self) -> None:
        if self.expansion is not None:
            remedy = "use `sdfinertia fill` or `sdfinertia repair`"
            raise TextError("xacro cannot be edited this way", file=self.robot.path, remedy=remedy)

    def require_writable(self, link: Link) -> None:
        """Refuses blocks outside the trees of the run or disputed ones; xacro is refused at its source."""
        if self.expansion is not None:
            return
        path = self.robot.document.path_at(link.element.start)
        outside, dispute = self.why_outside(path), self.disputed.get((link.scoped_name, link.number))
        if outside or dispute:
            reason = f"{os.path.realpath(path)} {outside}" if outside else dispute
            remedy = "copy the file there, or give a directory that holds both" if outside else NOT_BOTH
            problem = f"not written: {reason}"
            raise WriteError(problem, location=link.location(), link=link.scoped_name, remedy=remedy)

    def why_outside(self, path: str) -> str:
        """Why a file is outside the trees where the run may write; "" inside."""
        if path not in self._outside:
            self._outside[path] = why_not_writable(path, self.trees or (tree_of(self.robot.path),))
        return self._outside[path]


def open_document(
    source: Source, options: Options, context: Context | None = None, *, filename: str = "<bytes>"
) -> OpenDocument:
    """The document at a path, or in bytes whose uris resolve from `filename`."""
    require_options(options)
    path = path_of(source, filename)
    data = source if isinstance(source, bytes) else None
    if path.lower().endswith(XACRO_SUFFIX):
        return expanded_document(path, data, options, context)
    suffix = next((each for each in TEMPLATE_SUFFIXES if path.lower().endswith(each)), "")
    if suffix:
        remedy = "expand it first, and pipe the result into `sdfinertia fill -`"
        raise TextError(f"{suffix} files are templates, not robot descriptions", file=path, remedy=remedy)
    if data is None:
        data = read_regular_file(path, confine=options.confine)
    try:
        if is_xacro(path, data):
            return _expanded_urdf(path, data, options, context)
        robot = described(Document(data, path), options.confine)
    except TextError as error:
        _refuse_other(data, path, error.location)
        raise
    return OpenDocument(robot, options, context)


def is_xacro(path: str, data: bytes) -> bool:
    """True for .xacro, and for URDF with elements or values of xacro."""
    name = path.lower()
    if not name.endswith(URDF_SUFFIXES) or not any(mark in data for mark in XACRO_MARKS):
        return name.endswith(XACRO_SUFFIX)
    return xacro_in_urdf(Document(data, path)) is not None


def _expanded_urdf(path: str, data: bytes, options: Options, context: Context | None) -> OpenDocument:
    """Raises FragmentError where arguments, properties or macros are missing: others give them."""
    try:
        document = expanded_document(path, data, options, context)
    except IncompleteError as error:
        remedy = error.remedy or "it is checked in the robots that include it"
        problem = f"is xacro that is not complete: {error.problem}"
        raise FragmentError(problem, location=error.location, remedy=remedy) from None
    document.robot.notes.insert(0, "has elements or values of xacro, and is expanded")
    return document


def expanded_document(
    path: str,
    data: bytes | None,
    options: Options,
    context: Context | None,
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
        raise expansion.moved(error) from None
    robot.notes += (f"xacro: {warning}" for warning in expansion.warnings)
    document = OpenDocument(robot, options, context)
    document.expansion = expansion
    if document.emptiness:
        robot.notes.append("makes no links; macros are checked in the robots that use them")
    return document


def require_options(options: object) -> None:
    if not isinstance(options, Options):
        problem = f"options must be sdfinertia.Options, not {type(options).__name__}"
        raise ConfigurationError(problem, remedy="write Options(density=2700)")


def path_of(source: object, filename: str = "<bytes>") -> str:
    """The path of a source, which may be no directory; of bytes, `filename`."""
    if isinstance(source, bytes):
        return path_text(filename)
    path = path_text(source)
    if path.lstrip("\ufeff \t\r\n")[:1] == "<" and not os.path.exists(path):
        raise ConfigurationError(
            "this is the text of a document; the path of a file is expected",
            remedy="pass bytes, as text.encode(), and in filename the place from which its URIs resolve",
        )
    if os.path.isdir(path):
        remedy = "name a file in it; fill_many and check_many take directories"
        raise ConfigurationError("is a directory, where a file is meant", file=path, remedy=remedy)
    return path


# The links that `--link` selects --------------------------------------------------------------------------------------


def matches(link: Link, options: Options) -> bool:
    return not options.link or any(is_named_by(link.key, pattern) for pattern in options.link)


def is_named_by(link: LinkKey, pattern: str) -> bool:
    """By a glob on the scoped name, without `::` on its last part; `#2` is the second of a name."""
    names = [link.name, link.numbered] if "#" in pattern else [link.name]
    if "::" not in pattern:
        names += [name.rpartition("::")[2] for name in names]
    return any(fnmatchcase(name, pattern) for name in names)


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


# Formats --------------------------------------------------------------------------------------------------------------


class Format(NamedTuple):
    """A format of robot descriptions; `module` has its class `Robot`, `has_parts` if one may be several files."""

    title: str
    suffixes: tuple[str, ...]
    module: str
    has_parts: bool = False


# The formats by root element; the module of each is loaded with the first file of it.
FORMATS = {
    "sdf": Format("SDF", SDF_SUFFIXES, "sdfinertia.sdf"),
    "robot": Format("URDF", URDF_SUFFIXES, "sdfinertia.urdf"),
    "mujoco": Format("MJCF", (), "sdfinertia.mjcf", has_parts=True),
}

# Other contents that are taken for robot descriptions: by root element, else by the first bytes.
_OTHER_ROOTS = {
    "COLLADA": ("a COLLADA mesh", "rename it to .dae, and try `sdfinertia mesh`"),
    "launch": ("a ROS launch file", "give the robot description that it loads"),
    "package": ("a ROS package manifest", "give its directory"),
    "model": ("SDF without its <sdf> element, or a model.config", 'write <sdf version="1.9"> around it'),
    "world": ("SDF without its <sdf> element", 'write <sdf version="1.9"> around it'),
    "html": ("a web page (HTML)", "download the file itself"),
}
_OTHER_STARTS = (
    (b"#usda", "USD", "convert it to SDF or URDF first"),
    (b"PXR-USDC", "binary USD", "convert it to SDF or URDF first"),
    (b"PK\x03\x04", "a ZIP archive", "unpack it first"),
    (b"\x1f\x8b", "a gzip archive", "unpack it first"),
    (b"<!doctype html", "a web page (HTML)", "download the file itself"),
    (b"version https://git-lfs", "a Git LFS pointer", "fetch the file with Git LFS (`git lfs pull`)"),
)
# Where the engines of templates put values: Jinja and its like, xacro and Empy's like, ERB.
_TEMPLATE_MARKS = (b"{{", b"${", b"<%")


def described(document: Document, confine: str | None = None) -> Robot:
    """In the format of the first known root element; parts outside `confine` are not read."""
    found = next((FORMATS[root.name] for root in document.roots if root.name in FORMATS), None)
    if found is None:
        raise _no_known_root(document)
    read = import_module(found.module).Robot
    robot: Robot = read(document, confine) if found.has_parts else read(document)
    name = document.path.lower()
    if not name.endswith(found.suffixes):
        other = next((each for each in FORMATS.values() if name.endswith(each.suffixes)), None)
        if other is not None:
            robot.notes.append(f"is read as {found.title}, by its root element, although its name says {other.title}")
    return robot


def _no_known_root(document: Document) -> TextError:
    location = document.location(0)
    if not document.data.strip():
        return TextError("the file is empty: there is no <sdf>, <robot> or <mujoco> root element", location=location)
    if any(root.name == "mujocoinclude" for root in document.roots):
        problem = "the file is part of an MJCF model, and is read through the files that include it"
        raise TemplateError(problem, location=location, remedy="name one of those")
    root = next((root.name for root in document.roots if root.name in _OTHER_ROOTS), None)
    if root is None:
        # The name of any other is not quoted: the file may be confidential.
        return TextError("there is no <sdf>, <robot> or <mujoco> root element", location=location)
    title, remedy = _OTHER_ROOTS[root]
    return TextError(
        f"is {title} (<{root}>), not SDF (<sdf>), URDF (<robot>) or MJCF (<mujoco>)", location=location, remedy=remedy
    )


def _refuse_other(data: bytes, path: str, place: Location | None) -> None:
    """Says what content is that no parser reads, where its first bytes tell, or a template's marks."""
    other = next((each for each in _OTHER_STARTS if data[:64].lstrip().lower().startswith(each[0].lower())), None)
    if other is not None:
        _, title, remedy = other
        raise TextError(f"is {title}, not SDF, URDF or MJCF", location=Location(path, 1, 1), remedy=remedy) from None
    has_root = any(b"<" + root.encode() in data for root in FORMATS)
    if not has_root and any(mark in data for mark in _TEMPLATE_MARKS):
        problem = "the file is part of a template: it has placeholders, and no <sdf>, <robot> or <mujoco> root element"
        remedy = "expand the template and use the result, or skip this file with --exclude"
        raise TemplateError(problem, location=place, remedy=remedy) from None
