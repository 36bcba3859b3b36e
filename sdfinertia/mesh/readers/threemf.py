"""3MF packages by the core specification (1.3): the objects that the package's model builds, in metres.

Read here and not by trimesh (5.2), which takes another part than the named one, leaves out unknown elements, and walks
components as a tree. Of the extensions those are read that keep all meshes core meshes: production, materials.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sdfinertia.errors import MeshError, counted
from sdfinertia.mesh.readers.in_memory import METRES
from sdfinertia.mesh.readers.instances import (
    MAX_INSTANCES,
    MAX_NODES,
    Affine,
    Geometry,
    Instance,
    compose,
    place,
    refuse_too_many_triangles,
    too_many,
)
from sdfinertia.mesh.readers.threemf_package import Model, ModelObject, Package, Reference
from sdfinertia.mesh.triangle_mesh import TriangleMesh
from sdfinertia.named_tuple import NamedTuple

_UNITS = ("micron", "millimeter", "centimeter", "inch", "foot", "meter")
_SOLID_TYPES = ("model", "solidsupport", "")
# Nesting of components: deeper than real files, within Python's recursion limit.
_DEPTH = 100

_Key = tuple[str, str]  # a part, and the id of an object in it


class _Size(NamedTuple):
    """The size of an object with all its components; a component used many times is counted once."""

    triangles: int
    instances: int
    nodes: int
    height: int


def read_3mf(data: bytes) -> TriangleMesh:
    """The triangles of the objects that a 3MF package builds, in metres, with their names.

    Raises:
        MeshError: it is not such a package, or needs an extension that this reader lacks.
    """
    with Package.opened(data) as package:
        build = _Build(package)
        instances = list(build.instances())
    unit = build.root.unit
    mesh = place(instances, build.geometry, lambda: len(data), METRES[unit or "millimeter"])
    given = f"in {unit}" if unit else "in millimeter, since it gives no unit"
    note = f"lengths of the 3MF package are {given}, and were converted to metres"
    others = tuple(f"<{name}> in the 3MF package is left out" for name in package.left_out)
    return replace(mesh, notes=(note, *others, *mesh.notes))


class _Build:
    """The objects that the root model builds: components are a graph, in which each object is measured once."""

    def __init__(self, package: Package) -> None:
        self._package = package
        self._sizes: dict[_Key, _Size] = {}
        self.root: Model = package.model(package.root)
        if self.root.unit not in (*_UNITS, None):
            raise MeshError(
                f"the 3MF package has the unit {self.root.unit[:40]!r}, which is none of {', '.join(_UNITS)}"
            )

    def geometry(self, key: object) -> Geometry:
        found = self._object(key).geometry  # type: ignore[arg-type]  # of an instance from here
        assert found is not None, "only meshes have instances"
        return found

    def instances(self) -> Iterator[Instance]:
        """The placements of meshes; refuses too many."""
        items = [(self._key(item, self._package.root), item.transform) for item in self.root.items]
        sizes = [self._size(key, _DEPTH) for key, _ in items]
        if not (triangles := sum(size.triangles for size in sizes)):
            raise MeshError("the 3MF package builds no triangles")
        refuse_too_many_triangles(triangles, self._package.packed)
        for what, limit, number in (
            ("instances", MAX_INSTANCES, sum(size.instances for size in sizes)),
            ("components", MAX_NODES, sum(size.nodes for size in sizes)),
        ):
            if number > limit:
                raise too_many(what, limit)
        for key, transform in items:
            yield from self._placed(key, transform, ())

    def _placed(self, key: _Key, to_scene: Affine, names: tuple[str, ...]) -> Iterator[Instance]:
        if not self._sizes[key].triangles:
            return
        found = self._object(key)
        names = (*names, found.name or key[1])
        if found.geometry is not None:
            yield Instance(key, to_scene, tuple(dict.fromkeys(names)))
        for component in found.components:
            yield from self._placed(self._key(component, key[0]), compose(to_scene, component.transform), names)

    def _size(self, key: _Key, depth: int) -> _Size:
        """The size of an object; `depth` is how far components may still be nested."""
        known = self._sizes.get(key)
        if known is None:
            if depth == 0:
                raise _nested_too_deep()
            found = self._object(key)
            if found.type not in _SOLID_TYPES:
                raise MeshError(
                    f"the 3MF package builds an object of the type {found.type[:40]!r}, which is not a solid"
                )
            triangles = 0 if found.geometry is None else len(found.geometry.faces)
            parts = [self._size(self._key(each, key[0]), depth - 1) for each in found.components]
            filled = [part for part in parts if part.triangles]
            known = self._sizes[key] = _Size(
                triangles + sum(part.triangles for part in filled),
                (triangles > 0) + sum(part.instances for part in filled),
                1 + sum(part.nodes for part in filled),
                1 + max((part.height for part in parts), default=0),
            )
        if known.height > depth:
            raise _nested_too_deep()
        return known

    def _object(self, key: _Key) -> ModelObject:
        objects: Mapping[str, ModelObject] = self._package.model(key[0]).objects
        if key[1] not in objects:
            raise MeshError(f"the 3MF package builds the object {key[1][:40]!r}, which it does not define")
        return objects[key[1]]

    def _key(self, reference: Reference, part: str) -> _Key:
        return (part if reference.part is None else reference.part), reference.id


def _nested_too_deep() -> MeshError:
    return MeshError(f"components of the 3MF package are in a circle, or {counted(_DEPTH, 'level')} deep or more")
