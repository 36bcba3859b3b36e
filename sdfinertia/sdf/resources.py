"""The files that an SDF names: meshes are found, included models found and read once."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence

from sdfinertia.errors import Location, ResourceError, TextError
from sdfinertia.files.confinement import is_inside
from sdfinertia.files.finder import Finder
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.sdf.document import Document, Element
from sdfinertia.sdf.frame_scope import IncludedModel
from sdfinertia.sdf.model import NEWEST_VERSION, SdfRoot


class Resources:
    """Where files are looked for, and what has been opened already.

    Args:
        resource_paths: directories searched first.
        confine: a directory; what resolves outside it is refused.
        environment: the variables that list further directories.
        exclude: globs of paths that are left out where a repository is searched.
    """

    def __init__(
        self,
        resource_paths: Sequence[str] = (),
        confine: str | None = None,
        environment: Mapping[str, str] = os.environ,
        exclude: Sequence[str] = (),
    ) -> None:
        self._finder = Finder(resource_paths, confine, environment, exclude)
        self._confine = os.path.realpath(confine) if confine else None
        self._documents: dict[str, SdfRoot] = {}

    def find(self, uri: str, containing_file: str, *, want_model: bool = False) -> str:
        """The path of the file that a uri in `containing_file` names.

        Args:
            want_model: a directory is taken for the model that its `model.config` names.

        Raises:
            ResourceError: it is not found (with every path tried), is not the only one, or lies outside the
                confinement.
        """
        return self._finder.find(uri, containing_file, self._model_file_of if want_model else None)

    def notes_for(self, file: str) -> tuple[str, ...]:
        """What is to be said of the uris of a file, once those that matter were found."""
        return self._finder.notes_for(file)

    def _model_file_of(self, directory: str) -> str:
        return model_file_of(directory, self._confine)

    def load_include(self, include: Element) -> IncludedModel:
        """The model that an `<include>` names.

        Raises:
            ResourceError: its file cannot be found or holds no model.
            TextError: its file cannot be read as SDF.
        """
        where = include.location()
        uri_element = include.child("uri")
        uri = uri_element.text() if uri_element is not None else ""
        if not uri:
            raise ResourceError("an <include> has no <uri>", location=where)
        try:
            path = self.find(uri, include.document.path, want_model=True)
            root = self.open(path)
        except ResourceError as error:
            raise error.within(location=where) from None
        model = root.element.child("model")
        if model is None:
            raise ResourceError(f"the included {path} holds no model", location=where)
        return IncludedModel(root, model, os.path.realpath(path))

    def included_file(self, include: Element) -> str | None:
        """The local file that an `<include>` names; None for one in Fuel's cache, which is not the user's own.

        Raises:
            ResourceError: it cannot be found.
        """
        uri_element = include.child("uri")
        uri = uri_element.text() if uri_element is not None else ""
        if not uri or uri.startswith(("http://", "https://")):
            return None
        try:
            path = self.find(uri, include.document.path, want_model=True)
        except ResourceError as error:
            raise error.within(location=include.location()) from None
        return None if is_inside(path, self._finder.fuel_cache()) else path

    def open(self, path: str) -> SdfRoot:
        """The SDF document at a path, read once.

        Raises:
            ResourceError: it cannot be read.
            TextError: it is no SDF.
        """
        key = os.path.realpath(path)
        if key not in self._documents:
            self._documents[key] = SdfRoot(Document(read_regular_file(path), path))
        return self._documents[key]


def model_file_of(directory: str, confine: str | None = None) -> str:
    """The SDF file that a directory's `model.config` names: of the newest version that is supported.

    Args:
        confine: a directory outside which neither `model.config` nor the file may lie.

    Raises:
        ResourceError: there is no `model.config`, it names no file that is there, or one of them may not be opened.
    """
    config = os.path.join(directory, "model.config")
    _require_inside(config, confine, Location(config, 1, 1))
    if not os.path.isfile(config):
        raise ResourceError("the directory has no model.config", file=directory)
    try:
        document = Document(read_regular_file(config), config)
    except TextError as error:
        raise ResourceError(error.problem, location=error.location) from None
    best: tuple[tuple[int, ...], str] | None = None
    for root in document.roots:
        for entry in root.children_named("sdf"):
            version = tuple(int(part) for part in re.findall(r"[0-9]{1,9}", entry.attribute("version") or ""))
            if version <= NEWEST_VERSION and entry.text() and (best is None or version > best[0]):
                best = version, entry.text()
    if best is None:
        raise ResourceError("names no SDF file of a supported version", location=Location(config, 1, 1))
    path = os.path.join(directory, best[1])
    _require_inside(path, confine, Location(config, 1, 1))
    if not os.path.isfile(path):
        raise ResourceError(f"names {best[1]!r}, which does not exist", location=Location(config, 1, 1))
    return path


def _require_inside(path: str, confine: str | None, location: Location) -> None:
    if confine is not None and not is_inside(path, confine):
        raise ResourceError(f"{path} is outside {confine}, and not opened", location=location)
