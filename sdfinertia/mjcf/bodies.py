"""Bodies, read in one pass, their places in the world, their geoms, and the meshes that geoms name."""

from __future__ import annotations

import math
import os
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from sdfinertia.errors import GeometryError, SdfInertiaError
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.rigid_transform import EPSILON, rotation_from_quaternion
from sdfinertia.inertia.solids import shell
from sdfinertia.markup import Element, walked
from sdfinertia.mjcf.values import MAIN, ORIENTATIONS, Attributes, Children, Compiler, Defaults, Pose, read_pose
from sdfinertia.robot import attempt
from sdfinertia.robot.numbers import attribute_word, exact_numbers, require_scale
from sdfinertia.robot.poses import PoseStep
from sdfinertia.shapes import MeshShape, NoVolume, Primitive, Shape

# Elements from which MuJoCo makes bodies; they are not read.
_MADE = ("replicate", "attach", "composite", "flexcomp")


class Frame(NamedTuple):
    element: Element
    outer: Frame | None

    def steps(self, compiler: Compiler) -> list[PoseStep]:
        frames = [self]
        while (outer := frames[-1].outer) is not None:
            frames.append(outer)
        return [PoseStep(read_pose(each.element.attributes, each.element, compiler)) for each in reversed(frames)]


class Held(NamedTuple):
    element: Element
    of_class: str
    frame: Frame | None


@dataclass(slots=True, eq=False, repr=False)
class Body:
    element: Element
    name: str
    parent: Body | None
    frame: Frame | None  # in which it lies in its parent
    geoms: list[Held] = field(default_factory=list)
    joints: list[Held] = field(default_factory=list)
    inertial: Element | None = None
    is_static: bool = False  # whether no joint moves it
    is_unread: bool = False  # whether it has geoms that are not read


def bodies_in(elements: Iterable[Element], children: Children) -> tuple[list[Body], int]:
    """The bodies among the elements of worlds, and the number of those that are not read."""
    bodies: list[Body] = []
    unread = 0
    pending = list[tuple[Element, Body | None, str, Frame | None]]()
    pending += [(element, None, MAIN, None) for element in elements][::-1]
    while pending:
        element, body, of_class, frame = pending.pop()
        name, given = element.name, element.attributes if element.name in ("body", "frame") else {}
        if name == "body":
            body = Body(element, given.get("name") or f"body#{len(bodies) + 1}", body, frame)
            bodies.append(body)
            frame = None
        elif name == "frame":
            frame = Frame(element, frame)
        elif name in _MADE:
            below = sum(each.name == "body" for each in walked(element.children, lambda each: each.children))
            repeats = name == "replicate" and _has_geoms(element)
            unread += below or (0 if repeats and body is not None else 1)
            if body is not None and repeats:
                body.is_unread = True
        elif name == "inertial" and body is not None:
            body.inertial = body.inertial or element
        elif name in ("geom", "joint", "freejoint") and body is not None:
            (body.geoms if name == "geom" else body.joints).append(Held(element, of_class, frame))
        if name in ("body", "frame"):
            of_class = given.get("childclass") or of_class
            pending += [(child, body, of_class, frame) for child in children(element)][::-1]
    for each in bodies:
        each.is_unread = each.is_unread and each.inertial is None
        is_moved = each.joints or each.element.attribute("mocap") == "true"
        each.is_static = not is_moved and (each.parent is None or each.parent.is_static)
    return bodies, unread


def _has_geoms(element: Element) -> bool:
    inside = walked(element.children, lambda each: each.children if each.name in ("frame", "replicate") else ())
    return any(each.name == "geom" for each in inside)


# Geoms ----------------------------------------------------------------------------------------------------------------

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

    def primitive(self) -> Shape:
        element, given = self.element, self.given
        if self.error is not None:
            raise self.error.copied()
        if self.kind in ("plane", "hfield"):
            return NoVolume("a plane" if self.kind == "plane" else "a height field", is_unbounded=True)
        if "size" not in given:
            raise element.error(f"<{element.name}> has no size", "give it one")
        whole, short = _SIZES[self.kind]
        ends = self._ends()
        sizes = exact_numbers(given["size"], tuple(range(short if ends else whole, 4)), element, "size")
        if ends is not None:
            half = math.dist(ends[:3], ends[3:]) / 2
            sizes = (sizes[0], half) if self.kind in ("capsule", "cylinder") else (sizes[0], sizes[0], half)
        sizes = sizes[:whole]
        if not all(size > 0.0 for size in sizes):
            raise element.error(f"a size of the {self.kind} is not above zero", kind=GeometryError)
        factors = {"box": (2.0, 2.0, 2.0), "capsule": (1.0, 2.0), "cylinder": (1.0, 2.0)}.get(self.kind, (1.0,) * whole)
        dimensions = tuple(factor * size for factor, size in zip(factors, sizes, strict=True))
        is_shell = attribute_word(given.get("shellinertia", "false"), ("false", "true"), "shellinertia", element)
        return (ShellPrimitive if is_shell == "true" else Primitive)(self.kind, dimensions)

    def pose(self, compiler: Compiler) -> Pose:
        """X_BG, of its geometry in the innermost frame around it."""
        ends = self._ends()
        return Pose(ends, "fromto") if ends is not None else read_pose(self.given, self.element, compiler)

    def _ends(self) -> tuple[float, ...] | None:
        if "fromto" not in self.given:
            return None
        ends = exact_numbers(self.given["fromto"], (6,), self.element, "fromto")
        if _SIZES.get(self.kind, (0, 0))[1] == 0:
            raise self.element.error(f"a {self.kind} has no fromto", kind=GeometryError)
        if math.dist(ends[:3], ends[3:]) / 2 < EPSILON:
            raise self.element.error("the ends of fromto are one point", kind=GeometryError)
        return ends


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


# Mesh assets ----------------------------------------------------------------------------------------------------------


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
    position = exact_numbers(given["refpos"], (3,), element, "refpos") if "refpos" in given else (0.0, 0.0, 0.0)
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
