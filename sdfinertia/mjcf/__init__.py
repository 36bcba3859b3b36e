"""MJCF, the format of MuJoCo; semantics are those of its compiler (3.3).

Here: the reader of MJCF: each body is a link, each geom a collision or a visual.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Container, Hashable, Iterator, Sequence
from functools import cached_property

from sdfinertia.errors import GeometryError, ResourceError, SdfInertiaError, TextError, shorten, shown_path
from sdfinertia.files import is_inside, read_regular_file
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.inertial_text import InertialText
from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3
from sdfinertia.markup import Document, Element, elements_named, grouped
from sdfinertia.markup.joined_document import JoinedDocument
from sdfinertia.mjcf import edits
from sdfinertia.mjcf.bodies import Body, Geom, Held, Mesh, bodies_in, mesh_name, read_geom, read_mesh
from sdfinertia.mjcf.values import (
    MAIN,
    Attributes,
    Defaults,
    read_compiler,
    read_inertial_pose,
    read_mass,
    read_pose,
    read_tensor,
)
from sdfinertia.robot import Inertial, Link, LinkContext, Solid, attempt, colour_of, given
from sdfinertia.robot.inertial import InertiaParameters
from sdfinertia.robot.numbers import parse_numbers, unit_vector
from sdfinertia.robot.poses import Placement, PosePath, PoseStep
from sdfinertia.robot.problems import Problem
from sdfinertia.robot.robot import WORLD, Joint, JointedRobot, PlacedJoint
from sdfinertia.shapes import Shape
from sdfinertia.urdf.values import read_request

# As MuJoCo calls a model without one.
_NAME = "MuJoCo Model"
# mjMINVAL, for bodies with joints.
_REFUSED = 1e-15
# Bodies with an <inertial> for each without, from which one was forgotten.
_OTHERS = 2
# `InertiaParameters.method` by the words of `<mesh inertia>`.
_METHODS = {"exact": None, "convex": "convex_hull", "shell": "surface", "legacy": "legacy"}
_KINDS = {"hinge": "revolute", "slide": "prismatic", "ball": "ball", "free": "floating"}
INCLUDE = "include"
# The largest models of public collections include a dozen files.
_MAX_FILES, _MAX_BYTES = 256, 1 << 28
_INCLUDE = rb"<include\s[^<>]*?\bfile\s*=\s*(?:\"([^\"<]*)\"|'([^'<]*)')"


class Robot(JointedRobot):
    format = edits

    def __init__(self, document: Document, confine: str | None = None) -> None:
        root = next((root for root in document.roots if root.name == "mujoco"), None)
        if root is None:
            raise TextError("there is no <mujoco> root element", location=document.location(0))
        if not isinstance(document, JoinedDocument):
            document = with_included(document, confine)
            root = next(each for each in document.roots if each.start == root.start)
        self.document = document
        self.element = root
        self._sections = grouped((each.name, each) for each in self.children(root))
        self.compiler = read_compiler(self._sections.get("compiler", ()))
        self.total_mass = self.compiler.settotalmass if self.compiler.settotalmass > 0.0 else None
        self.defaults = Defaults(self._sections.get("default", ()), self.children)
        named = (each.attribute("model") for each in (root, *document.roots) if each.name == "mujoco")
        self.name = self.scoped_name = next(filter(None, named), _NAME)
        self.bodies, self.unread = bodies_in(self._inside("worldbody"), self.children)
        self.notes = []

    def children(self, element: Element) -> Iterator[Element]:
        """The children of an element, with included elements in place of each `<include>`."""
        for child in element.children:
            if child.name == INCLUDE and isinstance(self.document, JoinedDocument):
                yield from self.children(self.document.included[child.start])
            else:
                yield child

    def _inside(self, section: str) -> list[Element]:
        return [child for each in self._sections.get(section, ()) for child in self.children(each)]

    @cached_property
    def _links(self) -> list[Link]:
        vertices = self._vertices()
        links: list[Link] = []
        replaced: dict[str, str] = {}
        for body in self.bodies:
            if body.is_unread or body.name in vertices:
                continue
            geoms = [read_geom(*each, self.defaults, self.compiler) for each in body.geoms]
            if body.inertial is None and any(map(self._is_fitted, geoms)):
                continue
            links.append(self._link(body, geoms))
            replaced.update((body.name, name) for geom in geoms if (name := geom.replaced_orientation))
        left_out = self.unread + len(self.bodies) - len(links)
        if left_out:
            self.notes.append(
                f"{left_out} {'body is' if left_out == 1 else 'bodies are'} not checked: <replicate>, <attach>, "
                "<composite>, <flexcomp>, plugins, vertices of <flex> and primitives fitted to meshes are not read"
            )
        if replaced:
            name, orientation = next(iter(replaced.items()))
            more = f" (and {len(replaced) - 1} more)" if len(replaced) > 1 else ""
            self.notes.append(
                f"MuJoCo 3.3 to 3.15 read body {shorten(name)!r}{more} otherwise: the quat of a geom replaces the "
                f"{orientation} of its default class since 3.16, as here, and did not before; write that quat as "
                "axisangle for all"
            )
        self._compare(links)
        return links

    def _compare(self, links: Sequence[Link]) -> None:
        """Tells links of one name, and those that alone have no inertial."""
        counts = Counter(link.name for link in links)
        moving = [link for link in links if link.static is False and (link.collisions or link.visuals)]
        bare = [link for link in moving if link.inertial is None]
        are_few = len(moving) >= (_OTHERS + 1) * len(bare)
        for link in bare:
            link.is_alone_inferred = are_few and self.ends[self.end_of(link)].parent is not None
        for link in links:
            if counts[link.name] > 1:
                problem = f"two bodies are named {link.name!r}, which MuJoCo refuses"
                link.naming = Problem(problem, "give each its own name")

    def _is_fitted(self, geom: Geom) -> bool:
        mesh = self.meshes.get(geom.given.get("mesh", ""))
        is_made = mesh is not None and (mesh.attribute("builtin") or mesh.child("plugin") is not None)
        return geom.is_fitted or bool(is_made)

    def _vertices(self) -> Container[str]:
        """The bodies that are vertices of a `<flex>`: it names them, and they only slide. It may name links too."""
        flexes = [child for child in self._inside("deformable") if child.name == "flex"]
        names = {name for flex in flexes for way in ("body", "node") for name in (flex.attribute(way) or "").split()}
        bodies = (body for body in self.bodies if body.name in names and body.joints)
        return {body.name for body in bodies if all(self._joint(each).get("type") == "slide" for each in body.joints)}

    def _joint(self, held: Held) -> Attributes:
        is_free = held.element.name == "freejoint"
        return {"type": "free"} if is_free else self.defaults.attributes(held.element, held.of_class)

    def _link(self, body: Body, geoms: Sequence[Geom]) -> Link:
        inertial = self.read_inertial(body.inertial) if body.inertial is not None else None
        link = Link(self, body.element, body.name, inertial)
        link.request = read_request(link)
        # Collisions are the geoms that count in an inferred inertia, whether or not it is inferred.
        solids = [(geom, self._solid(link, geom, number)) for number, geom in enumerate(geoms, 1)]
        link.collisions = [solid for geom, solid in solids if geom.weighs]
        link.visuals = [solid for geom, solid in solids if not geom.weighs]
        how = self.compiler.inertiafromgeom
        link.static, link.refused_up_to = body.is_static, _REFUSED if body.joints else 0.0
        link.is_inferred = how == "true" or (how == "auto" and inertial is None)
        link.adjusted_by = self.compiler.changes(has_geoms=bool(solids))
        return link

    def read_inertial(self, element: Element) -> Inertial:
        def part(*names: str) -> Element | None:
            return element if any(element.attribute(name) is not None for name in names) else None

        pose = attempt(read_inertial_pose, element, self.compiler)
        numbers = attempt(read_mass, element), attempt(read_tensor, element)
        parts = part("pos"), part("mass"), part("fullinertia", "diaginertia")
        return Inertial(element, pose, *numbers, element.attribute("mass"), *parts, element.comments)

    def _solid(self, link: Link, geom: Geom, number: int) -> Solid:
        mesh = attempt(self._mesh, geom)
        solid = Solid(
            link,
            geom.element,
            geom.element.attribute("name") or f"#{number}",
            attempt(_shape, geom, mesh),
            attempt(geom.pose, self.compiler),
            attempt(_parameters, link, mesh),
            attempt(geom.number, "density"),
            attempt(geom.number, "mass"),
            colour=colour_of(geom.given.get("rgba", "")),
            is_visual=geom.is_visual,
            attributes=geom.given,
        )
        solid.placed = attempt(self._placed, solid, geom, mesh)
        if isinstance(mesh, Mesh):
            solid.compiled_method = _METHODS[mesh.inertia]
            solid.named_in = mesh.element.document.path_at(mesh.element.start)
            solid.content = mesh.as_obj if not mesh.file else None
        return solid

    def _mesh(self, geom: Geom) -> Mesh | None:
        if geom.kind != "mesh":
            return None
        name = geom.given.get("mesh")
        if name is None:
            raise geom.element.error("the geom names no mesh", kind=GeometryError)
        element = self.meshes.get(name)
        if element is None:
            raise geom.element.error(f"there is no mesh {shorten(name)!r} among the assets")
        return read_mesh(element, self.defaults.attributes(element, MAIN), self.compiler)

    def _placed(self, solid: Solid, geom: Geom, mesh: Mesh | SdfInertiaError | None) -> Placement:
        steps = geom.frame.steps(self.compiler) if geom.frame is not None else []
        steps.append(PoseStep(given(solid.own_pose)))
        pose = mesh.pose if isinstance(mesh, Mesh) else None
        if pose is not None and pose.numbers:
            steps.append(PoseStep(pose))
        return (PosePath(steps),)

    @cached_property
    def meshes(self) -> dict[str, Element]:
        return {mesh_name(each): each for each in self._inside("asset") if each.name == "mesh"}

    def end_of(self, link: Link) -> int:
        return link.element.start

    @cached_property
    def linked(self) -> dict[Hashable, Link]:
        return {link.element.start: link for link in self._links}

    @cached_property
    def ends(self) -> dict[Hashable, Body]:
        return {body.element.start: body for body in self.bodies}

    def numbers_of(self, text: InertialText) -> tuple[float, ...]:
        return edits.numbers_of(text)

    def needs_inertial(self, link: Link, context: LinkContext) -> bool:
        return self.compiler.inertiafromgeom == "false"

    def compiled(self, inertia: SpatialInertia) -> SpatialInertia:
        return self.compiler.compiled(inertia)

    @cached_property
    def joints(self) -> list[Joint]:
        """Of bodies without joints one that is fixed, as `fusestatic` joins them."""
        found: list[Joint] = []
        for body in self.bodies:
            ends = body.parent.element.start if body.parent is not None else None, body.element.start
            elements = [each.element for each in body.joints]
            found += (Joint(each, each.attribute("name") or each.name, each.name, *ends) for each in elements)
            if not elements:
                found.append(Joint(body.element, "", "fixed", *ends))
        return found

    @cached_property
    def _held(self) -> dict[int, Held]:
        return {each.element.start: each for body in self.bodies for each in body.joints}

    def shown(self, joint: Joint) -> tuple[PlacedJoint, Vector3 | None] | None:
        body, element, held = self.ends[joint.child], joint.element, self._held.get(joint.element.start)
        if held is None:
            return None
        given = self._joint(held)
        kind = _KINDS.get(given.get("type", "hinge"), "revolute")
        at = parse_numbers(given.get("pos", "0 0 0"))
        point = (at[0], at[1], at[2]) if at is not None and len(at) == 3 else None
        axis = unit_vector(given.get("axis", "0 0 1")) if kind in ("revolute", "prismatic") else None
        name = f"{self.name}::{element.attribute('name') or f'{body.name} {element.name}'}"
        parent = body.parent.name if body.parent is not None else WORLD
        return PlacedJoint(name, kind, parent, body.name, None, axis), point

    def origin(self, joint: Joint) -> RigidTransform:
        body = self.ends[joint.child]
        own = PoseStep(read_pose(body.element.attributes, body.element, self.compiler))
        return PosePath([*(body.frame.steps(self.compiler) if body.frame is not None else ()), own]).transform

    @property
    def may_have_groups(self) -> bool:
        return any(not body.joints and body.parent is not None for body in self.bodies)

    def unresolved_references(self, context: LinkContext) -> Iterator[Problem]:
        for body in map(self.ends.__getitem__, self.linked):
            for geom in body.geoms:
                name = geom.element.attribute("mesh")
                if name is not None and name not in self.meshes:
                    problem = f"a geom names the mesh {shorten(name)!r}, and no asset has that name"
                    yield Problem(problem, "name a mesh of <asset>", geom.element.location())


def _shape(geom: Geom, mesh: Mesh | SdfInertiaError | None) -> Shape:
    found = given(mesh)
    return geom.primitive() if found is None else found.shape


def _parameters(link: Link, mesh: Mesh | SdfInertiaError | None) -> InertiaParameters:
    parameters = given(link.request.parameters)
    found = given(mesh) if parameters.method is None else None
    return parameters._replace(method=_METHODS[found.inertia]) if found is not None else parameters


# The files that a model includes -------------------------------------------------------------------------------------


def with_included(main: Document, confine: str | None) -> Document:
    """The document with the files that it includes; itself where it includes none."""
    if f"<{INCLUDE}".encode() not in main.data:
        return main
    documents, places = [main], {os.path.realpath(main.path)}
    targets: list[list[int]] = []
    size = 0
    for document in documents:
        targets.append([])
        for element in elements_named(INCLUDE, document):
            path = _found(element, document, main, confine)
            place = os.path.realpath(path)
            if place in places:
                raise element.error(
                    f"{shown_path(path, main.path)} is included twice, which MuJoCo refuses",
                    "include it once",
                    kind=TextError,
                )
            included = _read(path, element, main, confine)
            size += len(included.data)
            if len(documents) == _MAX_FILES or size > _MAX_BYTES:
                problem = f"more than {_MAX_FILES} files, or {_MAX_BYTES >> 20} MB, are included"
                raise element.error(problem, kind=TextError)
            targets[-1].append(len(documents))
            places.add(place)
            documents.append(included)
    return JoinedDocument(documents, INCLUDE, targets) if len(documents) > 1 else main


def included_by(path: str, confine: str | None) -> Iterator[str]:
    """The real paths of the files that a file may include, by its text alone; none if it cannot be read."""
    data = attempt(lambda: read_regular_file(path, _MAX_BYTES, confine=confine))
    for match in re.finditer(_INCLUDE, data if isinstance(data, bytes) else b""):
        name = (match[1] or match[2] or b"").decode("utf-8", "surrogateescape")
        yield os.path.realpath(os.path.join(os.path.dirname(path), name))


def _found(include: Element, document: Document, main: Document, confine: str | None) -> str:
    """The path of an included file: beside the main file, else beside the one that includes it."""
    name = include.attribute("file")
    if not name:
        raise include.error("<include> names no file", 'write file="..."', kind=TextError)
    paths = [os.path.join(os.path.dirname(each.path), name) for each in (main, document)]
    if confine is None:
        return next(filter(os.path.isfile, paths), paths[0])
    # A file must not find out whether another outside exists.
    inside = [path for path in paths if is_inside(path, confine)]
    if not inside:
        raise include.error(f"{name!r} is outside {confine}, and not opened", kind=ResourceError)
    return next(filter(os.path.isfile, inside), inside[0])


def _read(path: str, include: Element, main: Document, confine: str | None) -> Document:
    try:
        included = Document(read_regular_file(path, _MAX_BYTES, confine=confine), path)
    except TextError:
        raise
    except SdfInertiaError as error:
        problem = f"the included {shown_path(path, main.path)} {error.problem}"
        raise ResourceError(problem, uri=include.attribute("file") or "", location=include.location()) from None
    if len(included.roots) != 1:
        raise TextError("an included file has one root element", location=included.location(0))
    if included.encoding != main.encoding:
        problem = f"it is {included.encoding}, and the file that includes it {main.encoding}"
        raise TextError(problem, location=included.location(0), remedy="write both in UTF-8")
    return included
