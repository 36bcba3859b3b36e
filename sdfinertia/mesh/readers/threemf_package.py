"""A 3MF package: the part that its relationships name, and the models in parts as expat reads them, piece by piece."""

from __future__ import annotations

import io
import posixpath
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import unquote
from xml.parsers import expat

import numpy as np

from sdfinertia.errors import MeshError, SdfInertiaError
from sdfinertia.mesh.kernel import Indices, Points, on_used_rows
from sdfinertia.mesh.readers.collada_document import doctype_error
from sdfinertia.mesh.readers.instances import IDENTITY, Affine, Geometry, determinant, refuse_too_many_triangles
from sdfinertia.mesh.readers.text_numbers import decimals, floats, whole_numbers
from sdfinertia.named_tuple import NamedTuple

_CORE = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
_RELATIONSHIPS = "_rels/.rels"
_NAMES_MODEL = "http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"
_RELATIONSHIP = "http://schemas.openxmlformats.org/package/2006/relationships Relationship"
# Extensions that add nothing to the volume: colours, meshes in parts of their own, and names for sets of triangles.
_KNOWN = ("/material/", "/production/", "/trianglesets/")
_MAX_BYTES = 1 << 30
# Of compressed bytes: no model of numbers is packed tighter.
_TIGHTEST = 200
_PIECE = 1 << 16  # bytes of a part, and numbers of a mesh, that are converted at once
# The parent of each element of the core specification; other elements, and all in them, are extensions.
_PARENTS = {
    "model": "",
    "resources": "model",
    "object": "resources",
    "mesh": "object",
    "vertices": "mesh",
    "vertex": "vertices",
    "triangles": "mesh",
    "triangle": "triangles",
    "components": "object",
    "component": "components",
    "build": "model",
    "item": "build",
}
_ONCE = frozenset(("resources", "mesh", "vertices", "triangles", "components", "build"))


class Reference(NamedTuple):
    """An object that an item or component takes, by its id; `part` is None for the same part."""

    part: str | None
    id: str
    transform: Affine


class ModelObject(NamedTuple):
    """An object; its geometry is None where it is put together of components."""

    name: str
    type: str
    geometry: Geometry | None
    components: Sequence[Reference]


class Model(NamedTuple):
    """The content of a part; the unit is None where it is not given."""

    unit: str | None
    objects: dict[str, ModelObject]
    items: list[Reference]


class Package:
    """The parts of a package, read lazily and cached.

    Attributes:
        root: the name of the part that the relationships of the package name as its model.
        packed: bytes of the package.
        left_out: local names of elements in objects that are not of the core, in the order of reading.
    """

    def __init__(self, archive: zipfile.ZipFile, packed: int) -> None:
        self.packed = packed
        self.left_out: dict[str, None] = {}
        self._archive = archive
        self._models: dict[str, Model] = {}
        self._unpacked = 0
        self._entries: dict[str, zipfile.ZipInfo] = {}
        for entry in archive.infolist():
            name = _part_name(entry.filename)
            if name in self._entries:
                raise MeshError(f"the 3MF package holds the part {name[:120]!r} twice")
            self._entries[name] = entry
        self.root = self._named_model()

    @classmethod
    @contextmanager
    def opened(cls, data: bytes) -> Iterator[Package]:
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                yield cls(archive, len(data))
        except SdfInertiaError:
            raise
        except expat.ExpatError as error:
            raise MeshError(f"a part of the 3MF package is not XML: {error}") from None
        except Exception as error:
            # Errors of zipfile and its decompressors: BadZipFile, zlib.error, NotImplementedError, EOFError and others.
            raise MeshError(f"the 3MF package cannot be unpacked: {error}"[:300]) from None

    def model(self, part: str) -> Model:
        if part not in self._models:
            reader = _ModelReader(part, self.packed, self.left_out)
            self._parse(part, reader.start, reader.end, reader.declare)
            self._models[part] = Model(reader.unit, reader.objects, reader.items)
        return self._models[part]

    def _named_model(self) -> str:
        targets: dict[str, None] = {}

        def start(name: str, attributes: dict[str, str]) -> None:
            if name == _RELATIONSHIP and attributes.get("Type") == _NAMES_MODEL:
                if attributes.get("TargetMode", "Internal") != "Internal":
                    raise MeshError("the model of the 3MF package is not inside it")
                target = posixpath.normpath(f"/{unquote(attributes.get('Target', ''))}")
                targets[_part_name(target)] = None

        self._parse(_RELATIONSHIPS, start, lambda _: None, lambda *_: None)
        if len(targets) != 1:
            raise MeshError(f"the relationships of the 3MF package name {len(targets)} models, and must name one")
        return next(iter(targets))

    def _parse(self, part: str, start: Any, end: Any, declare: Any) -> None:
        entry = self._entries.get(part)
        if entry is None:
            raise MeshError(f"the 3MF package holds no part {part[:120]!r}")
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise MeshError(f"the part {part[:120]!r} of the 3MF package is packed by another method than deflate")
        self._unpacked += entry.file_size
        if self._unpacked > min(_MAX_BYTES, _TIGHTEST * self.packed):
            raise MeshError(
                f"the 3MF package of {self.packed:,} bytes unpacks to {self._unpacked:,} or more, which is too much"
            )
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.StartNamespaceDeclHandler = declare
        parser.StartDoctypeDeclHandler = _refuse_doctype
        with self._archive.open(entry) as file:
            while piece := file.read(_PIECE):
                parser.Parse(piece, False)
        parser.Parse(b"", True)


class _Numbers:
    """Numbers of attributes, converted many at a time: as texts they take ten times the memory."""

    def __init__(self, what: str, convert: Any) -> None:
        self._what, self._convert = what, convert
        self._texts: list[str] = []
        self._arrays: list[Any] = []
        self.count = 0

    def add(self, attributes: dict[str, str], names: Sequence[str]) -> None:
        for name in names:
            self._texts.append(attributes.get(name, ""))
        if len(self._texts) >= _PIECE:
            self.convert()

    def convert(self) -> None:
        words = [text.strip(" \t\r\n").encode() for text in self._texts]
        # One word for each attribute: "0 1" would move all that follows.
        wrong = next((word for word in words if not word or word.split() != [word]), None)
        try:
            if wrong is not None:
                floats([wrong])
            self._arrays.append(self._convert(b" ".join(words)))
        except ValueError as error:
            raise MeshError(
                f"a {self._what} of the 3MF package needs one number in each attribute, found {error}"
            ) from None
        self.count += len(words)
        self._texts = []

    def rows(self, kind: Any) -> Any:
        """(n, 3) All numbers."""
        self.convert()
        return np.concatenate([np.empty(0, kind), *self._arrays]).reshape(-1, 3)


class _ModelReader:
    """Takes the elements of a model as the parser meets them."""

    def __init__(self, part: str, packed: int, left_out: dict[str, None]) -> None:
        self.unit: str | None = None
        self.objects: dict[str, ModelObject] = {}
        self.items: list[Reference] = []
        self._part, self._packed, self._left_out = part, packed, left_out
        self._namespaces: dict[str, str] = {}
        # The elements that are open: "" is the document, None is one that is not of the core or not in its place.
        self._open: list[str | None] = [""]
        self._seen: set[str] = set()
        self._object: dict[str, str] = {}
        self._vertices, self._triangles = _Numbers("vertex", decimals), _Numbers("triangle", whole_numbers)
        self._components: list[Reference] = []

    def declare(self, prefix: str | None, namespace: str | None) -> None:
        self._namespaces[prefix or ""] = namespace or ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        namespace, _, local = name.rpartition(" ")
        parent = self._open[-1]
        element = local if namespace == _CORE and _PARENTS.get(local) == parent else None
        self._open.append(element)
        if element == "vertex":
            self._vertices.add(attributes, ("x", "y", "z"))
        elif element == "triangle":
            self._triangles.add(attributes, ("v1", "v2", "v3"))
        elif element is None:
            self._leave_out(namespace, local, parent)
        else:
            if element in _ONCE:
                if element in self._seen:
                    raise self._wrong(f"holds <{element}> twice where one may be")
                self._seen.add(element)
            self._begin(element, attributes)

    def end(self, _: str) -> None:
        element = self._open.pop()
        if element == "object":
            self._end_object()
        elif element in ("vertices", "triangles"):
            refuse_too_many_triangles(max(self._vertices.count // 9, self._triangles.count // 3), self._packed)

    def _begin(self, element: str, attributes: dict[str, str]) -> None:
        if element == "model":
            self._begin_model(attributes)
        elif element == "object":
            self._object = attributes
            self._seen -= {"mesh", "vertices", "triangles", "components"}
            self._vertices, self._triangles = _Numbers("vertex", decimals), _Numbers("triangle", whole_numbers)
            self._components = []
        elif element == "component":
            self._components.append(self._reference(attributes))
        elif element == "item":
            self.items.append(self._reference(attributes))

    def _begin_model(self, attributes: dict[str, str]) -> None:
        self.unit = attributes.get("unit")
        for prefix in attributes.get("requiredextensions", "").split():
            namespace = self._namespaces.get(prefix, prefix)
            if not any(known in namespace for known in _KNOWN):
                raise self._wrong(f"requires {namespace[:120]!r}, which is not read")

    def _leave_out(self, namespace: str, local: str, parent: str | None) -> None:
        if parent == "":
            raise self._wrong(f"is not a <model> of {_CORE}")
        if parent in ("object", "mesh") and not any(known in namespace for known in _KNOWN) and namespace != _CORE:
            self._left_out[local[:80]] = None

    def _end_object(self) -> None:
        name = self._object.get("id", "")
        if name in self.objects:
            raise self._wrong(f"defines the object {name[:40]!r} twice")
        if {"mesh", "components"} <= self._seen:
            raise self._wrong(f"gives the object {name[:40]!r} a mesh and components, and it may have one of them")
        geometry = self._geometry() if "mesh" in self._seen else None
        self.objects[name] = ModelObject(
            self._object.get("name", ""), self._object.get("type", ""), geometry, self._components
        )

    def _geometry(self) -> Geometry:
        vertices: Points = self._vertices.rows(np.float64)
        faces: Indices = self._triangles.rows(np.int64)
        beyond = faces[(faces < 0) | (faces >= len(vertices))]
        if len(beyond):
            raise self._wrong(f"has a triangle of vertex {beyond[0]}, but there are {len(vertices)} (counted from 0)")
        used, renumbered = on_used_rows(faces, len(vertices))
        return Geometry(vertices[used], renumbered)

    def _reference(self, attributes: dict[str, str]) -> Reference:
        paths = {name.rpartition(" ")[0]: value for name, value in attributes.items() if name.endswith(" path")}
        if unread := [namespace for namespace in paths if "/production/" not in namespace]:
            raise self._wrong(f"has a path of {unread[0][:120]!r}, which is not read")
        path = next(iter(paths.values()), None)
        part = None if path is None else _part_name(unquote(path))
        return Reference(part, attributes.get("objectid", ""), self._transform(attributes.get("transform")))

    def _transform(self, text: str | None) -> Affine:
        """The columns of the text, which multiplies rows of coordinates from the right."""
        if text is None:
            return IDENTITY
        try:
            a = floats(text.encode().split())
        except ValueError as error:
            raise self._wrong(f"has a transform of numbers and of {error}") from None
        if len(a) != 12:
            raise self._wrong(f"has a transform of {len(a)} numbers, and must have 12")
        first, second, third = ((a[i], a[3 + i], a[6 + i], a[9 + i]) for i in range(3))
        if determinant((first, second, third)) == 0.0:
            raise self._wrong("has a transform that leaves no volume")
        return first, second, third

    def _wrong(self, problem: str) -> MeshError:
        return MeshError(f"the part {self._part[:120]!r} of the 3MF package {problem}")


def _part_name(name: str) -> str:
    """The name of a part; OPC (ECMA-376, part 2) compares them without regard to the case of ASCII letters."""
    return name.lstrip("/").encode("utf-8", "surrogateescape").lower().decode("utf-8", "surrogateescape")


def _refuse_doctype(*_: object) -> None:
    raise doctype_error("a 3MF model")
