"""Contracts for any bytes as a 3MF package, or as the parts of one."""

import io
import posixpath
import zipfile
from collections.abc import Callable
from functools import cache
from urllib.parse import unquote
from xml.etree import ElementTree

from fuzzing.mesh_contracts import reading_holds
from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.threemf import read_3mf

NAMES = ("_rels/.rels", "3D/a.model", "3D/b.model")
SEPARATOR = b"\0\0"
_CORE = "{http://schemas.microsoft.com/3dmanufacturing/core/2015/02}"


def packed(parts: bytes) -> bytes:
    """A package of these parts; of an archive, itself."""
    if parts.startswith(b"PK"):
        return parts
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in zip(NAMES, parts.split(SEPARATOR), strict=False):
            archive.writestr(zipfile.ZipInfo(name), content)
    return made.getvalue()


def packages_hold() -> Callable[[bytes], None]:
    """The contract of every reader; and the number of triangles equals a count by walking the trees of the parts."""
    reading = reading_holds(".3mf")

    def holds(data: bytes) -> None:
        content = packed(data[1:])
        reading(data[:1] + content)
        if data[1:].startswith(b"PK"):
            return
        try:
            faces = len(read_3mf(content).faces)
        except MeshError:
            return
        assert faces == _counted(data[1:].split(SEPARATOR))

    return holds


def _counted(parts: list[bytes]) -> int:
    """The triangles that packages of these parts build, if their model is the first, counted from its tree."""
    contents = {f"/{name}".lower(): part for name, part in zip(NAMES, parts, strict=False)}
    tree = cache(lambda name: ElementTree.fromstring(contents[name]))
    known: dict[tuple[str, str], int] = {}

    def size(element: ElementTree.Element, part: str) -> int:
        path = next((value for name, value in element.attrib.items() if name.endswith("}path")), part)
        key = ("/" + unquote(path).lower().lstrip("/"), element.get("objectid", ""))
        if key not in known:
            objects = tree(key[0]).findall(f"{_CORE}resources/{_CORE}object")
            found = next(each for each in objects if each.get("id", "") == key[1])
            own = len(found.findall(f"{_CORE}mesh/{_CORE}triangles/{_CORE}triangle"))
            components = found.findall(f"{_CORE}components/{_CORE}component")
            known[key] = own + sum(size(each, key[0]) for each in components)
        return known[key]

    target = next(each.get("Target", "") for each in tree("/_rels/.rels") if _names_model(each))
    model = posixpath.normpath("/" + unquote(target).lower()).replace("//", "/")
    return sum(size(item, model) for item in tree(model).findall(f"{_CORE}build/{_CORE}item"))


def _names_model(element: ElementTree.Element) -> bool:
    return element.tag.endswith("}Relationship") and element.get("Type", "").endswith("/3dmodel")
