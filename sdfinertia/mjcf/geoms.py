"""Geoms, their shapes, and the meshes that they name."""

from __future__ import annotations

import math
import os
from array import array
from collections.abc import Iterable
from typing import NamedTuple

from sdfinertia.errors import GeometryError, SdfInertiaError, shorten
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.rigid_transform import EPSILON, rotation_from_quaternion
from sdfinertia.inertia.solids import shell
from sdfinertia.markup import Element
from sdfinertia.mjcf.bodies import Frame
from sdfinertia.mjcf.values import MAIN, ORIENTATIONS, ZERO, Attributes, Compiler, Defaults, Pose, read_pose, required
from sdfinertia.robot import attempt
from sdfinertia.robot.numbers import attribute_word, exact_numbers, require_scale
from sdfinertia.shapes import MeshShape, NoVolume, Primitive, Shape

# How many sizes each type has, and in `fromto`.
_SIZES = {"sphere": (1, 0), "capsule": (2, 1), "cylinder": (2, 1), "ellipsoid": (3, 1), "box": (3, 1)}
_TYPES = ("plane", "hfield", *_SIZES, "mesh", "sdf")
# By plugins, or as a box of which its documentation does not speak.
_NOT_READ = ("sdf", "hfield")


class Geom(NamedTuple):
    element: Element
    given: Attributes
    kind: str  # its type
    frame: Frame | None  # the innermost around it in its body
    is_visual: bool = False  # whether it has no contacts
    weighs: bool = True  # whether MuJoCo counts it in an inertia that it infers
    error: SdfInertiaError | None = None  # why it cannot be read

    @property
    def is_fitted(self) -> bool:
        """True if MuJoCo's inertia of it is unknown: a primitive fitted to a mesh, or another kind of geom."""
        return self.kind in _NOT_READ or ("mesh" in self.given and self.kind != "mesh")

    @property
    def replaced_orientation(self) -> str:
        """The orientation of a class that its `quat` replaces since MuJoCo 3.16; "" where that makes no difference."""
        if "quat" not in self.given or "fromto" in self.given or self.kind == "sphere":
            return ""
        return next((name for name in ORIENTATIONS if name in self.given), "")

    def number(self, name: str) -> float | None:
        text = self.given.get(name)
        return exact_numbers(text, (1,), self.element, name)[0] if text is not None else None


def read_geom(element: Element, of_class: str, frame: Frame | None, defaults: Defaults, compiler: Compiler) -> Geom:
    found = attempt(_read_geom, element, of_class, frame, defaults, compiler)
    return Geom(element, {}, "sphere", frame, error=found) if isinstance(found, SdfInertiaError) else found


def _read_geom(element: Element, of_class: str, frame: Frame | None, defaults: Defaults, compiler: Compiler) -> Geom:
    given = defaults.attributes(element, of_class)
    geom = Geom(element, given, attribute_word(given.get("type", "sphere"), _TYPES, "type", element), frame)
    low, high = compiler.groups
    amount = geom.number("mass" if "mass" in given else "density")
    is_in_range = low <= (geom.number("group") or 0.0) <= high
    return geom._replace(
        is_visual=geom.number("contype") == 0.0 == geom.number("conaffinity"),
        weighs=is_in_range and amount != 0.0 and geom.kind not in ("plane", "hfield"),
    )


class ShellPrimitive(Primitive):
    """The surface of a primitive; its density is in kg/m²."""

    __slots__ = ()

    @property
    def name(self) -> str:
        return f"shell of a {self.kind}"

    def inertia(self, density: float) -> SpatialInertia:
        # Refuses what the solid does.
        super().inertia(density)
        return shell(self.kind, self.dimensions, density)


def read_primitive(geom: Geom) -> Shape:
    element, given = geom.element, geom.given
    if geom.error is not None:
        raise geom.error.copied()
    if geom.kind == "plane":
        return NoVolume("a plane", is_unbounded=True)
    if geom.kind == "hfield":
        return NoVolume("a height field", is_unbounded=True)
    whole, short = _SIZES[geom.kind]
    ends = _ends(geom)
    sizes = exact_numbers(required(given, "size", element), tuple(range(short if ends else whole, 4)), element, "size")
    if ends is not None:
        half = math.dist(ends[:3], ends[3:]) / 2
        sizes = (sizes[0], half) if geom.kind in ("capsule", "cylinder") else (sizes[0], sizes[0], half)
    sizes = sizes[:whole]
    if not all(size > 0.0 for size in sizes):
        raise element.error(f"a size of the {geom.kind} is not above zero", kind=GeometryError)
    factors = {"box": (2.0, 2.0, 2.0), "capsule": (1.0, 2.0), "cylinder": (1.0, 2.0)}.get(geom.kind, (1.0,) * whole)
    dimensions = tuple(factor * size for factor, size in zip(factors, sizes, strict=True))
    is_shell = attribute_word(given.get("shellinertia", "false"), ("false", "true"), "shellinertia", element) == "true"
    return ShellPrimitive(geom.kind, dimensions) if is_shell else Primitive(geom.kind, dimensions)


def _ends(geom: Geom) -> tuple[float, ...] | None:
    text = geom.given.get("fromto")
    if text is None:
        return None
    ends = exact_numbers(text, (6,), geom.element, "fromto")
    if _SIZES.get(geom.kind, (0, 0))[1] == 0:
        raise geom.element.error(f"a {geom.kind} has no fromto", kind=GeometryError)
    if math.dist(ends[:3], ends[3:]) / 2 < EPSILON:
        raise geom.element.error("the ends of fromto are one point", kind=GeometryError)
    return ends


def geom_pose(geom: Geom, compiler: Compiler) -> Pose:
    """X_BG, of its geometry in the innermost frame around it."""
    ends = _ends(geom)
    return Pose(ends, "fromto") if ends is not None else read_pose(geom.given, geom.element, compiler)


# Mesh assets ----------------------------------------------------------------------------------------------------------


class Assets:
    """The mesh assets.

    Attributes:
        meshes: their elements by name.
        made: the names of meshes that MuJoCo or a plugin makes.
    """

    def __init__(self, elements: Iterable[Element], defaults: Defaults, compiler: Compiler) -> None:
        self.meshes = {mesh_name(each): each for each in elements if each.name == "mesh"}
        made = (name for name, each in self.meshes.items() if each.attribute("builtin") or each.child("plugin"))
        self.made = frozenset(made)
        self._defaults, self._compiler = defaults, compiler

    def mesh(self, name: str, geom: Element) -> Mesh:
        element = self.meshes.get(name)
        if element is None:
            raise geom.error(f"there is no mesh {shorten(name)!r} among the assets")
        return read_mesh(element, self._defaults.attributes(element, MAIN), self._compiler)


class Mesh(NamedTuple):
    element: Element
    given: Attributes
    file: str  # path from the directory of the model; "" where its vertices are inline
    scale: tuple[float, float, float]
    inertia: str  # "exact", "convex", "shell" or "legacy"
    pose: Pose  # of refpos and refquat, with the scale

    @property
    def shape(self) -> MeshShape:
        name = mesh_name(self.element)
        return MeshShape(self.file or f"{name}.obj", self.scale, None, False, "")

    def as_obj(self) -> bytes:
        """Its inline vertices and faces, as a file; MuJoCo keeps vertices as 32-bit floats."""
        vertices = numbers_in(self.given["vertex"], "vertex", self.element)
        faces = [int(index) + 1 for index in numbers_in(self.given.get("face", ""), "face", self.element)]
        if len(vertices) % 3 or len(vertices) < 12 or len(faces) % 3:
            problem = "vertices and faces come in threes, and there are four vertices at least"
            raise self.element.error(problem, kind=GeometryError)

        rounded = array("f", vertices)
        if not faces:
            # MuJoCo takes the hull of vertices alone.
            import numpy as np

            from sdfinertia.mesh.convex_hulls import convex_hull

            points, triangles = convex_hull(np.array(rounded, np.float64).reshape(-1, 3))
            rounded, faces = array("d", points.ravel().tolist()), [index + 1 for index in triangles.ravel().tolist()]
        lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in zip(rounded[::3], rounded[1::3], rounded[2::3], strict=True)]
        lines += (f"f {a} {b} {c}" for a, b, c in zip(faces[::3], faces[1::3], faces[2::3], strict=True))
        return "\n".join([*lines, ""]).encode()


def numbers_in(text: str, name: str, element: Element) -> tuple[float, ...]:
    return exact_numbers(text, (len(text.split()),), element, name)


def mesh_name(element: Element) -> str:
    stem = os.path.splitext(os.path.basename((element.attribute("file") or "").replace("\\", "/")))[0]
    return element.attribute("name") or stem


def read_mesh(element: Element, given: Attributes, compiler: Compiler) -> Mesh:
    """A mesh asset.

    Raises:
        SdfInertiaError: a value is malformed, or it is made by a plugin or by MuJoCo itself.
    """
    file = given.get("file", "")
    if file and compiler.strippath == "true":
        file = file.replace("\\", "/").rpartition("/")[2]
    if not file and "vertex" not in given:
        raise element.error("the mesh has neither file nor vertices", kind=GeometryError)
    scale = exact_numbers(given["scale"], (3,), element, "scale") if "scale" in given else (1.0, 1.0, 1.0)
    x, y, z = scale
    require_scale(scale, "scale of <mesh>", element)
    kinds = ("legacy", "exact", "convex", "shell")
    inertia = attribute_word(given.get("inertia", "legacy"), kinds, "inertia", element)
    pose = _reference(given, element, (x, y, z))
    return Mesh(element, given, os.path.join(compiler.meshdir, file) if file else "", (x, y, z), inertia, pose)


def _reference(given: Attributes, element: Element, scale: tuple[float, float, float]) -> Pose:
    """The pose by which a vertex v becomes S Rᵀ (v - p): the scaled mesh is turned back, and moved back."""
    position = exact_numbers(given["refpos"], (3,), element, "refpos") if "refpos" in given else ZERO
    w, *axis = exact_numbers(given["refquat"], (4,), element, "refquat") if "refquat" in given else (1.0, 0.0, 0.0, 0.0)
    if any(axis) and len(set(scale)) > 1:
        problem = "refquat with a scale that differs between axes shears the mesh, which is not computed"
        raise element.error(problem, "scale or turn the mesh in its file", kind=GeometryError)
    if not any(axis) and not any(position):
        return Pose()
    u, v, n = (0.0 - value for value in axis)
    back = rotation_from_quaternion(u, v, n, w)
    a, b, c, d, e, f, g, h, i = back
    p, q, r = (0.0 - factor * value for factor, value in zip(scale, position, strict=True))
    return Pose((a * p + b * q + c * r, d * p + e * q + f * r, g * p + h * q + i * r, w, u, v, n), "quat")
