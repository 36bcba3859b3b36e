"""Links of SDF and URDF files as ElementTree reads them, with poses, joints and the groups that fixed joints make."""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote
from xml.etree import ElementTree

import numpy as np
from builders.rigid_bodies import pose, quaternion_pose

from harm import bodies
from harm.bodies import Solid, UnreadError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# The comment by which a link of URDF requests to be computed.
ASKS = "sdfinertia: auto"
# kg/m³: no metal has more; a body that needs more is not the one that is drawn.
DENSEST = 25_000.0
# Simulators know the prefixes of their own elements without a declaration; ElementTree does not.
_PREFIX = re.compile(rb"(?<=[\s</])(\w+):(?=[\w.-]+[\s=/>])")


class Inertial(NamedTuple):
    mass: float
    centre: Any
    tensor: Any


class Link(NamedTuple):
    """A link; `inertial` is None without one, and an error where this reading cannot follow."""

    name: str
    inertial: Inertial | UnreadError | None
    asks: bool
    geometries: Callable[[str], list[tuple[Any, Any]]]
    has_collisions: bool


class Joint(NamedTuple):
    """A joint: its links (None: the world), its pose and axis in the child, and the pose of the child in the parent."""

    kind: str
    parent: int | None
    child: int | None
    X_CJ: Any
    axis: Any
    X_PC: Any


class Robot(NamedTuple):
    links: list[Link]
    joints: list[Joint]
    is_complete: bool
    """Whether all ends of fixed joints were found in the file."""

    def group(self, link: int) -> set[int]:
        found, todo = {link}, [link]
        while todo:
            at = todo.pop()
            for joint in self.joints:
                if joint.kind == "fixed" and at in (joint.parent, joint.child):
                    other = joint.parent if at == joint.child else joint.child
                    if other is not None and other not in found:
                        found.add(other)
                        todo.append(other)
        return found

    def axis(self, link: int) -> tuple[Any, Any] | None:
        """A point and the direction of the axis that the link's group turns about, in the link; None where none."""
        X, seen, at = np.eye(4), {link}, link
        while True:
            joint = next((one for one in self.joints if one.child == at), None)
            if joint is None or joint.kind in ("prismatic", "ball", "universal", "floating", "planar"):
                return None
            if joint.X_CJ is None:
                raise UnreadError("joint: pose")
            if joint.kind != "fixed":
                back = np.linalg.inv(X)
                return (back @ joint.X_CJ)[:3, 3], back[:3, :3] @ joint.axis
            if joint.parent is None or joint.parent in seen:
                return None
            X, at = joint.X_PC @ X, joint.parent
            seen.add(at)


class Tree:
    """The packages and models below a directory, by name."""

    def __init__(self, root: Path) -> None:
        self.named: dict[str, list[Path]] = {}
        for directory, _, files in os.walk(root):
            if "package.xml" in files or "model.config" in files:
                here = Path(directory)
                names = {here.name}
                if "package.xml" in files:
                    with contextlib.suppress(ElementTree.ParseError):
                        names.add((ElementTree.parse(here / "package.xml").findtext("name") or "").strip())
                for name in names:
                    self.named.setdefault(name, []).append(here)

    def file(self, uri: str, base: Path) -> Path:
        scheme, _, rest = uri.strip().rpartition("://")
        rest = unquote(rest)
        if scheme not in ("", "file", "model", "package"):
            raise UnreadError(f"mesh: {scheme}://")
        places = [base.parent / rest]
        if scheme:
            name, _, inside = rest.partition("/")
            near = sorted(self.named.get(name, []), key=lambda place: -len(os.path.commonpath([place, base])))
            places = [place / inside for place in near]
            places += [above / inside for above in base.parents if above.name == name]
            places += [above / rest for above in base.parents]
        if scheme == "file":
            places = [Path(rest), *places]
        for place in places:
            if place.is_file():
                return place
        raise UnreadError("mesh: not found")

    def solid(self, link: Link, kind: str, base: Path) -> Solid | None:
        """All visuals or collisions of a link as one solid in its frame; None where it has none."""
        solids = []
        for geometry, X in link.geometries(kind):
            shape = next((one for one in geometry if one.tag is not ElementTree.Comment), None)
            if shape is None:
                raise UnreadError("shape: none")
            if shape.tag == "empty":
                continue
            solids.append(_shape(shape, self, base).moved(X[:3, :3], X[:3, 3]))
        if any(not solid.volume > 0.0 for solid in solids):
            raise UnreadError("shape: no volume")
        return bodies.joined(solids) if solids else None

    def reference(self, link: Link, mass: float, base: Path) -> Solid | None:
        """The visuals, else the collisions: the first that a body of this mass fits into; None without geometry."""
        found = None
        for kind in ("visual", "collision"):
            found = self.solid(link, kind, base) or found
            if found is not None and mass <= DENSEST * found.volume:
                return found
        if found is not None:
            raise UnreadError("geometry: too small for its mass")
        return None


def read(path: Path) -> Robot:
    """The links and joints of a file, in its order."""
    try:
        parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True))
        root: Any = ElementTree.fromstring(_PREFIX.sub(rb"\1.", path.read_bytes()), parser)
        if root.tag == "robot":
            return _urdf(root)
        if root.tag == "sdf":
            return _sdf(root)
    except UnreadError:
        raise
    except (ElementTree.ParseError, ValueError, KeyError, RecursionError, AttributeError, UnicodeError) as error:
        raise UnreadError(f"file: {type(error).__name__}") from error
    raise UnreadError(f"file: <{root.tag}>")


def numbers(text: str | None, count: int, default: Any = None) -> Any:
    if text is None or not text.strip():
        if default is None:
            raise UnreadError("numbers: none")
        return np.array(default, dtype=float)
    found = np.array(text.split(), dtype=float)
    if len(found) != count or not np.isfinite(found).all():
        raise UnreadError("numbers")
    return found


def _inertial(mass: float, entries: Any, X: Any) -> Inertial:
    xx, yy, zz, xy, xz, yz = entries
    tensor = X[:3, :3] @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ X[:3, :3].T
    return Inertial(mass, X[:3, 3], tensor)


_ENTRIES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def _shape(shape: Any, tree: Tree, base: Path) -> Solid:
    def given(name: str, count: int = 1, default: Any = None) -> Any:
        text = shape.get(name) if shape.get(name) is not None else shape.findtext(name)
        found = numbers(text, count, default)
        return found if count > 1 else float(found[0] if found.ndim else found)

    if shape.tag == "box":
        return bodies.primitive("box", *given("size", 3))
    if shape.tag == "sphere":
        return bodies.primitive("sphere", given("radius"))
    if shape.tag == "ellipsoid":
        return bodies.primitive("ellipsoid", *given("radii", 3))
    if shape.tag in ("cylinder", "capsule", "cone"):
        return bodies.primitive(shape.tag, given("radius"), given("length"))
    if shape.tag == "mesh" and shape.find("submesh") is None:
        uri = shape.get("filename") or shape.findtext("uri") or ""
        return bodies.mesh(tree.file(uri, base)).moved(np.diag(given("scale", 3, (1, 1, 1))), np.zeros(3))
    raise UnreadError(f"shape: {shape.tag}")


def _urdf(root: Any) -> Robot:
    def origin(element: Any) -> Any:
        found = element.find("origin") if element is not None else None
        if found is None:
            return np.eye(4)
        return pose(*numbers(found.get("xyz"), 3, (0, 0, 0)), *numbers(found.get("rpy"), 3, (0, 0, 0)))

    def inertial(link: Any) -> Inertial | UnreadError | None:
        element = link.find("inertial")
        try:
            if element is None:
                return None
            mass, inertia = element.find("mass"), element.find("inertia")
            if mass is None or inertia is None:
                raise UnreadError("inertial: incomplete")
            entries = [numbers(inertia.get(name), 1)[0] for name in _ENTRIES]
            return _inertial(numbers(mass.get("value"), 1)[0], entries, origin(element))
        except (UnreadError, ValueError) as error:
            return UnreadError(f"inertial: {error}")

    def geometries(link: Any) -> Callable[[str], list[tuple[Any, Any]]]:
        return lambda kind: [(one.find("geometry"), origin(one)) for one in link.iterfind(kind)]

    found = root.findall("link")
    links = [
        Link(
            f"{root.get('name')}::{link.get('name')}",
            inertial(link),
            any(ASKS in (one.text or "") for one in link.iter(ElementTree.Comment)),
            geometries(link),
            link.find("collision") is not None,
        )
        for link in found
    ]
    places = {link.get("name"): at for at, link in enumerate(found)}
    joints, is_complete = [], True
    for joint in root.iterfind("joint"):
        if joint.get("type") is None:
            continue
        parent, child = (places.get(joint.find(end).get("link")) for end in ("parent", "child"))
        is_complete &= parent is not None and child is not None
        axis = joint.find("axis")
        direction = numbers(axis.get("xyz") if axis is not None else None, 3, (1, 0, 0))
        joints.append(Joint(joint.get("type"), parent, child, np.eye(4), direction, origin(joint)))
    return Robot(links, joints, is_complete)


def _is_true(text: str | None) -> bool:
    return (text or "").strip().lower() in ("true", "1")


def _pose(element: Any) -> Any:
    found = element.find("pose")
    if found is None or not (found.text or "").strip():
        return np.eye(4)
    if found.get("rotation_format") == "quat_xyzw":
        seven = numbers(found.text, 7)
        return quaternion_pose(seven[:3], seven[3:])
    sixth = numbers(found.text, 6)
    return pose(*sixth[:3], *(np.radians(sixth[3:]) if _is_true(found.get("degrees")) else sixth[3:]))


class _Scope:
    """The frames of one model, and the links below it."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.named = {one.get("name"): one for one in model if one.tag in ("link", "joint", "frame", "model")}
        self.inner = {one.get("name"): _Scope(one) for one in model if one.tag == "model"}

    def pose(self, name: str) -> Any:
        """Of a frame in the model."""
        if name in ("", "__model__"):
            return np.eye(4)
        first, _, rest = name.partition("::")
        if rest:
            if first not in self.inner:
                raise UnreadError("frame: of an included model")
            return self.pose(first) @ self.inner[first].pose(rest)
        element = self.named.get(name)
        if element is None:
            raise UnreadError("frame: not found")
        pose = element.find("pose")
        base = pose.get("relative_to") if pose is not None else None
        if base is None:
            base = {"joint": element.findtext("child"), "frame": element.get("attached_to")}.get(element.tag)
        X = self.pose((base or "").strip()) @ _pose(element)
        placement = element.get("placement_frame")
        return X @ np.linalg.inv(self.inner[name].pose(placement)) if element.tag == "model" and placement else X

    def inside(self, element: Any, frame: str) -> Any:
        """The pose of an element in a frame of the model that it is given in where it names none."""
        pose = element.find("pose")
        base = pose.get("relative_to") if pose is not None else None
        if base is None:
            return _pose(element)
        return np.linalg.inv(self.pose(frame)) @ self.pose(base) @ _pose(element)

    def link(self, name: str) -> Any:
        """The link that a frame belongs to; None for the world."""
        if name == "world":
            return None
        first, _, rest = name.partition("::")
        if rest and first in self.inner:
            return self.inner[first].link(rest)
        element = self.named.get(name)
        if element is None or element.tag == "joint":
            raise UnreadError("joint: end")
        if element.tag == "frame":
            return self.link(element.get("attached_to") or self._canonical())
        return element if element.tag == "link" else self.inner[name].link(self.inner[name]._canonical())

    def _canonical(self) -> str:
        first = self.model.find("link")
        return self.model.get("canonical_link") or (first.get("name") if first is not None else "")

    def walk(self, prefix: str, is_static: bool) -> Iterator[tuple[_Scope, str, bool]]:
        is_static |= _is_true(self.model.findtext("static"))
        name = f"{prefix}{self.model.get('name')}"
        yield self, name, is_static
        for inner in self.inner.values():
            yield from inner.walk(f"{name}::", is_static)


def _sdf(root: Any) -> Robot:
    tops = [*root.iterfind("model"), *root.iterfind("world/model")]
    scopes = [found for top in tops for found in _Scope(top).walk("", False)]
    version = tuple(int(part) for part in root.get("version", "1.4").split("."))
    elements = [link for scope, _, _ in scopes for link in scope.model.iterfind("link")]
    places = {id(link): at for at, link in enumerate(elements)}
    links, joints, is_complete = [], [], True
    for scope, name, _ in scopes:
        for link in scope.model.iterfind("link"):
            links.append(_sdf_link(scope, name, link))
        for joint in scope.model.iterfind("joint"):
            try:
                joints.append(_sdf_joint(scope, joint, places, version))
            except UnreadError:
                is_complete = False
    return Robot(links, joints, is_complete)


def _sdf_link(scope: _Scope, model: str, link: Any) -> Link:
    element, frame = link.find("inertial"), link.get("name")
    asks = element is not None and _is_true(element.get("auto"))
    inertial: Inertial | UnreadError | None = None
    if element is not None:
        try:
            inertia = element.find("inertia")
            defaults = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
            entries = [
                numbers(inertia.findtext(name) if inertia is not None else None, 1, [default])[0]
                for name, default in zip(_ENTRIES, defaults, strict=True)
            ]
            mass = numbers(element.findtext("mass"), 1, [1.0])[0]
            inertial = _inertial(mass, entries, scope.inside(element, frame))
        except (UnreadError, ValueError) as error:
            inertial = UnreadError(f"inertial: {error}")
    return Link(
        f"{model}::{frame}",
        inertial,
        asks,
        lambda kind: [(one.find("geometry"), scope.inside(one, frame)) for one in link.iterfind(kind)],
        link.find("collision") is not None,
    )


def _sdf_joint(scope: _Scope, joint: Any, places: dict[int, int], version: tuple[int, ...]) -> Joint:
    ends = [(joint.findtext(end) or "").strip() for end in ("parent", "child")]
    parent, child = (scope.link(end) for end in ends)
    parent_place, child_place = (places[id(end)] if end is not None else None for end in (parent, child))
    X_CJ = X_PC = axis = None
    try:
        if child is not None and "::" not in ends[1]:
            X_MC = scope.pose(child.get("name"))
            pose = joint.find("pose")
            X_MJ = scope.pose(ends[1]) @ _pose(joint)
            if pose is not None and pose.get("relative_to") is not None:
                X_MJ = scope.pose(pose.get("relative_to")) @ _pose(joint)
            X_CJ = np.linalg.inv(X_MC) @ X_MJ
            X_PC = np.linalg.inv(scope.pose(ends[0])) @ X_MC if parent is not None else X_MC
            axis = _sdf_axis(scope, joint.find("axis"), X_MC, X_CJ, version)
    except UnreadError:
        X_CJ = None
    return Joint(joint.get("type"), parent_place, child_place, X_CJ, axis, X_PC)


def _sdf_axis(scope: _Scope, axis: Any, X_MC: Any, X_CJ: Any, version: tuple[int, ...]) -> Any:
    xyz = axis.find("xyz") if axis is not None else None
    direction = numbers(xyz.text if xyz is not None else None, 3, (0, 0, 1))
    frame = xyz.get("expressed_in") if xyz is not None else None
    if frame is not None:
        return X_MC[:3, :3].T @ scope.pose(frame)[:3, :3] @ direction
    if version < (1, 5) or (axis is not None and _is_true(axis.findtext("use_parent_model_frame"))):
        return X_MC[:3, :3].T @ direction
    return X_CJ[:3, :3] @ direction
