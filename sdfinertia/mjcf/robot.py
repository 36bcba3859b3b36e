"""An MJCF document, its bodies and geoms: each body is a link, each geom a collision or a visual."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

from sdfinertia.errors import GeometryError, Location, ResourceError, SdfInertiaError, TextError, ValueTextError
from sdfinertia.markup.document import JoinedDocument
from sdfinertia.mjcf import edits
from sdfinertia.mjcf.bodies import Body, Placing, bodies_in
from sdfinertia.mjcf.geoms import Assets, Geom, Mesh, geom_pose, read_geom, read_primitive
from sdfinertia.mjcf.includes import INCLUDE, with_included
from sdfinertia.mjcf.values import (
    FULL,
    ORIENTATIONS,
    Defaults,
    Pose,
    read_compiler,
    read_inertial_pose,
    read_mass,
    read_tensor,
)
from sdfinertia.robot import link as base
from sdfinertia.robot import poses
from sdfinertia.robot.inertial import TENSOR_NAMES, NewInertial
from sdfinertia.robot.link import COLLISION, Colour, LinkContext, ParentJoint, SolidKind, Weighing, colour_of
from sdfinertia.robot.malformations import asks_well, misspelt_attributes, misspelt_elements, unreadable_values
from sdfinertia.robot.numbers import parse_numbers, renewed, shorten
from sdfinertia.robot.poses import Placement, PosePath, PoseStep
from sdfinertia.robot.problems import Phrases, Problem
from sdfinertia.robot.robot import Assembly, RobotOfOneModel
from sdfinertia.urdf.edits import attribute_edits
from sdfinertia.urdf.requests import AskingLink, read_request, stray_comments

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence

    from sdfinertia.inertia.inertial_text import InertialText
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.markup.document import Document, Edit, Element
    from sdfinertia.robot.link import Group
    from sdfinertia.shapes import Shape


_IN_BODY = ("inertial", "geom", "body", "joint", "freejoint", "site", "camera", "light", "frame", "replicate", "attach")
_NEAR = 0.8
_PLACING = ("pos", "quat", "axisangle", "xyaxes", "zaxis", "euler")
_OF_INERTIAL = ("mass", "diaginertia", "fullinertia", *_PLACING)
# The XML reference of MuJoCo 4.0, `body/geom`.
_OF_GEOM = (
    *("name", "class", "type", "contype", "conaffinity", "condim", "group", "priority", "size", "material", "rgba"),
    *("friction", "mass", "density", "shellinertia", "solmix", "solref", "solimp", "margin", "gap", "surfacevel"),
    *("fromto", *_PLACING, "hfield", "mesh", "fitscale", "fluidshape", "fluidcoef", "user"),
)


def malformations(link: AskingLink, children: Sequence[Element]) -> Iterator[Problem]:
    inertials = [child for child in children if child.name == "inertial"]
    if len(inertials) > 1:
        problem = f"{len(inertials)} <inertial> elements, which MuJoCo refuses: the first counts"
        yield Problem(problem, "keep one", inertials[1].location())
    yield from stray_comments(link)
    readings: list[Callable[[], object]] = [partial(read_request, link)]
    if link.inertial is not None and not asks_well(link):
        readings += (partial(link.read_pose, link.inertial), partial(read_mass, link.inertial))
        readings += (partial(read_tensor, link.inertial),) if link.has_tensor else ()
    yield from unreadable_values(readings, "write what MJCF has there")


def near_misses(link: Link, geoms: Iterable[Element]) -> Iterator[Problem]:
    """Elements and attributes whose names are near misses; MuJoCo refuses a file with any unknown one."""
    yield from misspelt_elements(link.element, _IN_BODY, _NEAR, "MJCF")
    if link.inertial is not None:
        yield from misspelt_attributes(link.inertial, _OF_INERTIAL, _NEAR, "MJCF")
    for geom in geoms:
        yield from misspelt_attributes(geom, _OF_GEOM, _NEAR, "MJCF")


# As MuJoCo calls a model without one.
_NAME = "MuJoCo Model"
# mjMINVAL, for bodies with joints.
_REFUSED = 1e-15
# Bodies with an <inertial> for each without, from which one was forgotten.
_OTHERS = 2
# `InertiaParameters.method` by the words of `<mesh inertia>`.
_METHODS = {"exact": None, "convex": "convex_hull", "shell": "surface", "legacy": "legacy"}

PHRASES = Phrases(
    density="density to the geom",
    no_request="remove the comment that asks for its inertial",
    inertial_pose="pos",
    scale='scale="{0} {0} {0}"',
    parameter="<!-- sdfinertia: auto {0}=... --> in its body",
    parameter_value="<!-- sdfinertia: auto {0}={1} --> in its body",
    thickness="<!-- sdfinertia: auto thickness=... --> in its body",
    without_inertial='MuJoCo infers none, since inertiafromgeom="false", and refuses a body that moves without mass',
    without_tensor="MuJoCo takes zeros",
    mass="mass of <inertial>",
    mass_remedy="write that of the part, or take the <inertial> out to have it inferred from the geoms",
)


class Robot(RobotOfOneModel):
    """The `<mujoco>` of a document with all that it includes."""

    def __init__(self, document: Document, confine: str | None = None) -> None:
        root = next((root for root in document.roots if root.name == "mujoco"), None)
        if root is None:
            raise TextError("there is no <mujoco> root element", location=document.location(0))
        if not isinstance(document, JoinedDocument):
            document = with_included(document, confine)
            root = next(each for each in document.roots if each.start == root.start)
        self.document = document
        self.element = root
        sections = list(self.children(root))
        self.compiler = read_compiler(each for each in sections if each.name == "compiler")
        self.defaults = Defaults((each for each in sections if each.name == "default"), self.children)
        named = (each.attribute("model") for each in (root, *document.roots) if each.name == "mujoco")
        self.name = self.scoped_name = next(filter(None, named), _NAME)
        self._sections = sections
        self.bodies, self.unread = bodies_in((each for each in sections if each.name == "worldbody"), self.children)
        self.notes = []

    def children(self, element: Element) -> Iterator[Element]:
        """The children of an element, with included elements in place of each `<include>`."""
        document = self.document
        if not isinstance(document, JoinedDocument):
            yield from element.children
            return
        for child in element.children:
            if child.name == INCLUDE:
                yield from self.children(document.included[child.start])
            else:
                yield child

    @property
    def total_mass(self) -> float | None:
        return self.compiler.settotalmass if self.compiler.settotalmass > 0.0 else None

    # Its bodies -----------------------------------------------------------------------------------------------------

    def links(self) -> list[base.Link]:
        return [*self._links]

    @cached_property
    def _links(self) -> list[Link]:
        vertices = self._vertices() if b"<flex" in self.document.data else ()
        links = [Link(self, body) for body in self.bodies if not (body.is_unread or body.name in vertices)]
        # Most files have neither, so that their geoms are not read yet.
        if any(mark in self.document.data for mark in (b"mesh", b"hfield")):
            links = [link for link in links if not (link.body.inertial is None and link.has_fitted_geoms)]
        left_out = self.unread + len(self.bodies) - len(links)
        if left_out:
            self.notes.append(
                f"{left_out} {'body is' if left_out == 1 else 'bodies are'} not checked: <replicate>, <attach>, "
                "<composite>, <flexcomp>, plugins, vertices of <flex> and primitives fitted to meshes are not read"
            )
        self.notes += _version_notes(links)
        return links

    def _vertices(self) -> Container[str]:
        """The bodies that are vertices of a `<flex>`: it names them, and they only slide. It may name links too."""
        sections = (each for each in self._sections if each.name == "deformable")
        flexes = [child for each in sections for child in self.children(each) if child.name == "flex"]
        names = {name for flex in flexes for way in ("body", "node") for name in (flex.attribute(way) or "").split()}
        return {body.name for body in self.bodies if body.name in names and body.joints and self._only_slides(body)}

    def _only_slides(self, body: Body) -> bool:
        return all(
            joint.element.name == "joint"
            and self.defaults.attributes(joint.element, joint.of_class).get("type") == "slide"
            for joint in body.joints
        )

    @cached_property
    def links_by_start(self) -> dict[int, base.Link]:
        return {link.element.start: link for link in self.all_links()}

    @cached_property
    def bare(self) -> frozenset[int]:
        """The bodies below others that MuJoCo moves and infers, if nearly all others have an `<inertial>`."""
        moving = [link for link in self._links if not link.is_static and link.body.geoms]
        bare = [link for link in moving if link.inertial is None]
        if len(moving) < (_OTHERS + 1) * len(bare):
            return frozenset()
        return frozenset(link.element.start for link in bare if link.body.parent is not None)

    @cached_property
    def repeated_link_names(self) -> frozenset[str]:
        links = {link.element.start: link.name for link in self.all_links()}
        return frozenset(links[start] for start in self.namesakes)

    @cached_property
    def assets(self) -> Assets:
        sections = (each for each in self._sections if each.name == "asset")
        return Assets((child for each in sections for child in self.children(each)), self.defaults, self.compiler)

    def lumps(self) -> Iterator[Group]:
        """Bodies without joints with those that they are fixed to, as `fusestatic` joins them."""
        return iter(self.groups)

    @property
    def may_have_groups(self) -> bool:
        return any(not body.joints and body.parent is not None for body in self.bodies)

    @cached_property
    def placing(self) -> Placing:

        return Placing(self.bodies, self.links_by_start, self.compiler, self.defaults)

    @cached_property
    def groups(self) -> list[Group]:
        return list(self.placing.groups())

    @cached_property
    def group_by_start(self) -> dict[int, Group]:
        return {member.link.element.start: group for group in self.groups for member in group.members}

    def assemblies(self, context: LinkContext) -> Iterator[Assembly]:
        """The joints are at zero."""
        yield Assembly(self.name, self.path, False, self.placing.links(), self.placing.joints(self.name), [])

    def unresolved_references(self, context: LinkContext) -> Iterator[Problem]:
        for link in self._links:
            for geom in link.body.geoms:
                name = geom.element.attribute("mesh")
                if name is not None and name not in self.assets.meshes:
                    problem = f"a geom names the mesh {shorten(name)!r}, and no asset has that name"
                    yield Problem(problem, "name a mesh of <asset>", geom.element.location())


def _version_notes(links: Sequence[Link]) -> Iterator[str]:
    replaced = {link.name: name for link in links for geom in link.geoms() if (name := geom.replaced_orientation)}
    if replaced:
        body, name = next(iter(replaced.items()))
        more = f" (and {len(replaced) - 1} more)" if len(replaced) > 1 else ""
        yield (
            f"MuJoCo 3.3 to 3.15 read body {shorten(body)!r}{more} otherwise: the quat of a geom replaces the {name} "
            "of its default class since 3.16, as here, and did not before; write that quat as axisangle for all"
        )


class Link(AskingLink):
    __slots__ = ("_geoms", "body")

    POSE_ELEMENT = "inertial"
    phrases = PHRASES
    model: Robot

    def __init__(self, model: Robot, body: Body) -> None:
        super().__init__(model, body.element, body.name)
        self.body = body
        self.inertial = body.inertial
        self._geoms: list[Geom] | None = None

    @property
    def file(self) -> str:
        return self.element.document.path_at(self.element.start)

    @property
    def naming_problem(self) -> Problem | None:
        if self.name not in self.model.repeated_link_names:
            return None
        return Problem(f"two bodies are named {self.name!r}, which MuJoCo refuses", "give each its own name")

    @property
    def is_static(self) -> bool:
        """Whether no joint moves it."""
        return self.body.is_static

    # Its inertial ---------------------------------------------------------------------------------------------------

    def in_inertial(self, name: str) -> Element | None:
        """The `<inertial>` itself, where it has the attribute of that name."""
        names = ("fullinertia", "diaginertia") if name == "inertia" else ("pos" if name == "pose" else name,)
        given = self.inertial.attributes() if self.inertial is not None else {}
        return self.inertial if any(each in given for each in names) else None

    def read_pose(self, element: Element | None) -> Pose:
        return read_inertial_pose(element, self.model.compiler) if element is not None else Pose()

    def _read_pose_in(self, owner: Element) -> Pose:
        """By attributes of its own."""
        return self.read_pose(owner)

    def number_text(self, name: str) -> str | None:
        if self.inertial is None or name == "mass":
            return self.inertial.attribute(name) if self.inertial is not None else None
        texts = (self.inertial.attribute("fullinertia") or self.inertial.attribute("diaginertia") or "").split()
        place = FULL.index(name)
        return texts[place] if place < len(texts) else None

    def read_number(self, name: str) -> float:
        if self.inertial is None:
            raise ValueTextError(f"there is no {name}", location=self.location())
        return read_mass(self.inertial) if name == "mass" else float(getattr(read_tensor(self.inertial), name))

    def _read_block(self, inertial: Element) -> tuple[poses.Pose, float, Sequence[float]]:
        pose, tensor = self.pose_in(inertial), read_tensor(inertial)
        return pose, read_mass(inertial), [getattr(tensor, name) for name in TENSOR_NAMES]

    def _pose_texts(self, pose: Element | None) -> tuple[Sequence[str], Sequence[str]]:
        given = self.inertial.attributes() if self.inertial is not None else {}
        is_turned = any((parse_numbers(given.get("quat", "")) or ())[1:]) or any(name in given for name in ORIENTATIONS)
        texts = given.get("pos", "").split()
        return texts if len(texts) == 3 else [""] * 3, ["" if is_turned else "0"] * 3

    def _numbers_in(self, inertial: Element) -> tuple[float, ...] | None:
        """In the order of `edits.numbers_of`."""
        try:
            pose, mass, tensor = self.read_pose(inertial), read_mass(inertial), read_tensor(inertial)
        except SdfInertiaError:
            return None
        if pose.form != "quat" or pose.numbers[3] < 0.0:
            return None
        xx, yy, zz, xy, xz, yz = tensor
        return (*pose.numbers[:3], *pose.numbers[4:], mass, xx, xy, xz, yy, yz, zz)

    def numbers_of(self, text: InertialText) -> tuple[float, ...]:
        return edits.numbers_of(text)

    def malformations(self) -> Iterator[Problem]:
        return malformations(self, [*self.model.children(self.element)])

    def unknown_elements(self) -> Iterator[Problem]:
        return near_misses(self, [geom.element for geom in self.body.geoms])

    def unknown_moments(self) -> Iterator[Problem]:
        return iter(())

    def _placed(self) -> Iterator[Element]:
        return iter(())

    def densities_below(self, limit: float) -> list[tuple[float, Callable[[], Location]]]:
        found: list[tuple[float, Callable[[], Location]]] = []
        for geom in self.body.geoms:
            numbers = parse_numbers(geom.element.attribute("density") or "")
            if numbers is not None and len(numbers) == 1 and 0.0 < numbers[0] < limit:
                found.append((numbers[0], geom.element.location))
        return found

    # Its geoms --------------------------------------------------------------------------------------------------------

    def geoms(self) -> list[Geom]:
        """With the attributes of their classes, in order."""
        if self._geoms is None:
            defaults, compiler = self.model.defaults, self.model.compiler
            self._geoms = [read_geom(*each, defaults, compiler) for each in self.body.geoms]
        return self._geoms

    @property
    def has_fitted_geoms(self) -> bool:
        return any(geom.is_fitted or geom.given.get("mesh") in self.model.assets.made for geom in self.geoms())

    @property
    def is_inferred(self) -> bool:
        """Whether MuJoCo computes its inertia from its geoms."""
        how = self.model.compiler.inertiafromgeom
        return how == "true" or (how == "auto" and self.inertial is None)

    @property
    def refused_up_to(self) -> float:
        return _REFUSED if self.body.joints else 0.0

    @property
    def is_alone_inferred(self) -> bool:
        return self.element.start in self.model.bare

    def has_solids(self, kind: SolidKind) -> bool:
        return bool(self.solids(kind))

    def _read_solids(self, kind: SolidKind) -> list[Solid]:
        """Collisions are the geoms that count in an inferred inertia, whether or not it is inferred; others visuals."""
        return [
            Solid(self, geom, geom.element.attribute("name") or f"#{number}")
            for number, geom in enumerate(self.geoms(), 1)
            if geom.weighs is (kind is COLLISION)
        ]

    # In simulators ----------------------------------------------------------------------------------------------------

    @property
    def adjusted_by(self) -> str:
        """The settings of `<compiler>` that may change the written inertial."""
        return self.model.compiler.changes(has_geoms=bool(self.body.geoms))

    def compiled(self, inertia: SpatialInertia) -> SpatialInertia:
        return self.model.compiler.compiled(inertia)

    # Its surroundings -------------------------------------------------------------------------------------------------

    def parent_joints(self, context: LinkContext) -> Iterator[ParentJoint]:
        parent = self.model.links_by_start.get(self.body.parent.element.start) if self.body.parent is not None else None
        if parent is None:
            return
        numbers = parse_numbers(parent.mass_text() or "")
        mass = numbers[0] if numbers is not None and len(numbers) == 1 and numbers[0] > 0.0 else None
        for joint in self.body.joints:
            name = joint.element.attribute("name") or joint.element.name
            yield ParentJoint(name, mass, parent=parent.element.start)
        if not self.body.joints:
            yield ParentJoint("", mass, is_fixed=True, parent=parent.element.start)

    def group(self, context: LinkContext) -> Group:
        return self.model.group_by_start[self.element.start].of(self)

    def needs_inertial(self, context: LinkContext) -> bool:
        return self.model.compiler.inertiafromgeom == "false"

    # How it is written anew -------------------------------------------------------------------------------------------

    def inertial_edits(self, new: NewInertial) -> list[Edit]:
        """A request stays in the file, whatever `auto` says."""
        return edits.fill_edits(self.element, self.inertial, new, self.pose_in)

    def mass_edits(self, text: str) -> list[Edit]:
        return edits.mass_edits(self.element, self.inertial, text)

    def tensor_edits(self, tensor: Element, texts: Mapping[str, str]) -> list[Edit]:
        return edits.tensor_edits(tensor, texts)


class Solid(base.Solid):
    """Its name is its number among the geoms of its body where it has none."""

    __slots__ = ("_mesh", "geom")

    link: Link

    def __init__(self, link: Link, geom: Geom, name: str) -> None:
        super().__init__(link, geom.element, name)
        self.geom = geom
        self._mesh: Mesh | None = None

    @property
    def mesh(self) -> Mesh | None:
        """Its asset, where it is a mesh."""
        if self._mesh is None and self.geom.kind == "mesh":
            name = self.geom.given.get("mesh")
            if name is None:
                raise GeometryError("the geom names no mesh", location=self.location())
            self._mesh = self.link.model.assets.mesh(name, self.element)
        return self._mesh

    @property
    def is_visual(self) -> bool:
        return self.geom.is_visual

    def weighing(self) -> Weighing:
        parameters = self.link.default_parameters()
        if parameters.method is None and self.mesh is not None:
            parameters = parameters._replace(method=self.compiled_method)
        density, mass = (
            self.geom.number(name, 0.0) if name in self.geom.given else None for name in ("density", "mass")
        )
        return Weighing(parameters, density, mass)

    @property
    def compiled_method(self) -> str | None:
        return _METHODS[self.mesh.inertia] if self.mesh is not None else None

    def mesh_path(self, uri: str, context: LinkContext) -> str:
        mesh = self.mesh
        assert mesh is not None, "only meshes have files"
        if not mesh.file:
            path = f"{self.file}#{uri}"
            context.meshes.hold(path, mesh.as_obj())
            return path
        try:
            return context.resources.find(uri, self.file)
        except ResourceError as error:
            # Beside the file that names it.
            beside = self.element.document.path_at(mesh.element.start)
            if beside != self.file:
                return context.resources.find(uri, beside)
            raise error

    def _read_shape(self) -> Shape:
        return read_primitive(self.geom) if self.mesh is None else self.mesh.shape

    def _read_placement(self, context: LinkContext) -> Placement:
        compiler = self.link.model.compiler
        steps = [PoseStep(geom_pose(self.geom, compiler))]
        if self.mesh is not None and self.mesh.pose.numbers:
            steps.append(PoseStep(self.mesh.pose))
        frame = self.geom.frame
        return (PosePath(steps, frame.path(compiler) if frame is not None else None),)

    def colour(self) -> Colour | None:
        return colour_of(self.geom.given.get("rgba", ""))

    def dimension_location(self) -> Location:
        return self.element.location()

    def dimension_edits(self, dimensions: Sequence[float], *, digits: int) -> list[Edit]:
        if "fromto" in self.geom.given:
            raise ValueTextError("the size of a geom with fromto is changed by its ends", location=self.location())
        halved = {"box": (0.5, 0.5, 0.5), "capsule": (1.0, 0.5), "cylinder": (1.0, 0.5)}
        factors = halved.get(self.geom.kind, (1.0, 1.0, 1.0))
        sizes = [factor * value for factor, value in zip(factors, dimensions, strict=False)]
        text = " ".join(self.geom.given["size"].split()[: len(sizes)])
        return attribute_edits(self.element, {"size": renewed(text, sizes, digits)}, b'"')
