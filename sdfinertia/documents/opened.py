"""An open document, parsed once; the studies of its links are cached."""

from __future__ import annotations

import os
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.errors import (
    ConfigurationError,
    FragmentError,
    IncompleteError,
    Location,
    SdfInertiaError,
    TemplateError,
    TextError,
    WriteError,
)
from sdfinertia.files.regular_file import path_text, read_regular_file
from sdfinertia.files.walk import tree_of, why_not_writable
from sdfinertia.links.context import Context
from sdfinertia.links.study import Study
from sdfinertia.markup.document import Document
from sdfinertia.options import Options
from sdfinertia.robot.marks import SDF_SUFFIXES, TEMPLATE_SUFFIXES, URDF_SUFFIXES, XACRO_MARKS, XACRO_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from sdfinertia.calculators import Calculator, MeshInMemory
    from sdfinertia.robot.link import Link, Model
    from sdfinertia.robot.robot import Robot
    from sdfinertia.xacro.expansion import Expansion

# A path, or the content of a file.
Source = str | os.PathLike[str] | bytes


class RobotOfRun(NamedTuple):
    """A robot that xacro makes in a run, and the real paths of its sources."""

    path: str
    options: Options
    files: frozenset[str]


class Format(NamedTuple):
    """A format of robot descriptions; `module` has its class `Robot`, `has_parts` if one may be several files."""

    title: str
    suffixes: tuple[str, ...]
    module: str
    has_parts: bool = False


# The formats by root element; the module of each is loaded with the first file of it.
FORMATS = {
    "sdf": Format("SDF", SDF_SUFFIXES, "sdfinertia.sdf.robot"),
    "robot": Format("URDF", URDF_SUFFIXES, "sdfinertia.urdf.robot"),
    "mujoco": Format("MJCF", (), "sdfinertia.mjcf.robot", has_parts=True),
}

# Other contents that are robot descriptions: by root element, else by the first bytes.
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

# The remedy for a block that documents give different numbers.
NOT_BOTH = "give each its own copy of the part, or the same densities"
# Where the engines of templates put values: Jinja and its like, xacro and Empy's like, ERB.
_TEMPLATE_MARKS = (b"{{", b"${", b"<%")


class OpenDocument:
    """A robot description with the studies of its links; everything is found and computed lazily."""

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
        """The root models, each with all its links."""
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
        """The links by label: the scoped name, for the second link of a name `model::link#2`."""
        found: dict[str, list[Link]] = {}
        for link in self.links():
            found.setdefault(link.key.label, []).append(link)
        return found

    def require_names(self) -> None:
        """Refuses two models of one name."""
        for problem in self.robot.repeated_models():
            raise TextError(problem.message, location=problem.location, remedy=problem.remedy)

    def require_own_text(self) -> None:
        """Refuses a document made by xacro, whose text is not that of a file.

        Raises:
            TextError: it is one.
        """
        if self.expansion is not None:
            raise TextError(
                "xacro cannot be edited this way",
                file=self.robot.path,
                remedy="use `sdfinertia fill` or `sdfinertia repair`",
            )

    def require_writable(self, link: Link) -> None:
        """Refuses to write a block in a file outside the trees of the run, or that other documents need otherwise.

        Raises:
            WriteError: it is one; blocks of xacro are refused at their source.
        """
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
        other = next((each for each in _OTHER_STARTS if data[:64].lstrip().lower().startswith(each[0].lower())), None)
        if other is not None:
            _, title, remedy = other
            raise TextError(
                f"is {title}, not SDF, URDF or MJCF", location=Location(path, 1, 1), remedy=remedy
            ) from None
        if _is_fragment(data):
            raise TemplateError(
                "the file is part of a template: it has placeholders, and no <sdf>, <robot> or <mujoco> root element",
                location=error.location,
                remedy="expand the template and use the result, or skip this file with --exclude",
            ) from None
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
    """The robot of a URDF file with xacro in it.

    Raises:
        FragmentError: it lacks arguments, properties or macros, which other files or the command line give.
    """
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
    """The robot that a xacro file makes.

    Args:
        overlay: content to use instead of that of other files, by absolute path.
        macros: of the file, to be called with their defaults.
    """
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


def described(document: Document, confine: str | None = None) -> Robot:
    """The document in the format of its first known root element; parts of it outside `confine` are not read."""
    found = None
    for root in document.roots:
        found = found or FORMATS.get(root.name)
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
        raise TemplateError(
            "the file is part of an MJCF model, and is read through the files that include it",
            location=location,
            remedy="name one of those",
        )
    root = next((root.name for root in document.roots if root.name in _OTHER_ROOTS), None)
    if root is None:
        # The name of any other is not quoted: the file may be confidential.
        return TextError("there is no <sdf>, <robot> or <mujoco> root element", location=location)
    title, remedy = _OTHER_ROOTS[root]
    return TextError(
        f"is {title} (<{root}>), not SDF (<sdf>), URDF (<robot>) or MJCF (<mujoco>)", location=location, remedy=remedy
    )


def _is_fragment(data: bytes) -> bool:
    """Whether a text is part of a template."""
    has_root = any(b"<" + root.encode() in data for root in FORMATS)
    return not has_root and any(mark in data for mark in _TEMPLATE_MARKS)


def require_options(options: object) -> None:
    """Refuses an argument for options that is not an `Options`.

    Raises:
        ConfigurationError: it is something else.
    """
    if not isinstance(options, Options):
        raise ConfigurationError(
            f"options must be sdfinertia.Options, not {type(options).__name__}", remedy="write Options(density=2700)"
        )


def path_of(source: object, filename: str = "<bytes>") -> str:
    """The path of a source; of bytes, `filename`.

    Raises:
        ConfigurationError: the source is neither a path nor bytes, or it is a directory.
    """
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
