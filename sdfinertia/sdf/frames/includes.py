"""The models that an SDF includes: found, and read once a run."""

from __future__ import annotations

import os
import re

from sdfinertia.errors import Location, ResourceError, TextError
from sdfinertia.files.finder import Finder
from sdfinertia.files.regular_file import is_inside, read_regular_file
from sdfinertia.markup.document import Document, Element
from sdfinertia.sdf.frames.frame_scope import IncludedModel
from sdfinertia.sdf.root import NEWEST_VERSION, SdfRoot


def load_include(finder: Finder, include: Element) -> IncludedModel:
    where = include.location()
    uri = include.child_text("uri")
    if not uri:
        raise ResourceError("an <include> has no <uri>", location=where)
    try:
        path = find_model(finder, uri, include.document.path)
        root = open_root(finder, path)
    except ResourceError as error:
        raise error.within(location=where) from None
    model = root.element.child("model")
    if model is None:
        raise ResourceError(f"the included {path} holds no model", location=where)
    return IncludedModel(root, model, os.path.realpath(path))


def included_file(finder: Finder, include: Element) -> str | None:
    """The local file that an `<include>` names; None for one in Fuel's cache."""
    uri = include.child_text("uri")
    if not uri or uri.startswith(("http://", "https://")):
        return None
    try:
        path = find_model(finder, uri, include.document.path)
    except ResourceError as error:
        raise error.within(location=include.location()) from None
    return None if is_inside(path, finder.fuel_cache()) else path


def find_model(finder: Finder, uri: str, containing_file: str) -> str:
    return finder.find(uri, containing_file, lambda directory: model_file_of(directory, finder.confinement))


def open_root(finder: Finder, path: str) -> SdfRoot:
    """Read once a run."""
    return finder.once(path, lambda path: SdfRoot(Document(read_regular_file(path, confine=finder.confinement), path)))


def model_file_of(directory: str, confine: str | None = None) -> str:
    """Of the newest supported version in `model.config`."""
    config = os.path.join(directory, "model.config")
    _require_inside(config, confine, Location(config, 1, 1))
    if not os.path.isfile(config):
        raise ResourceError("the directory has no model.config", file=directory)
    try:
        document = Document(read_regular_file(config, confine=confine), config)
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
