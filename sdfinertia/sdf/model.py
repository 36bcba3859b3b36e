"""Models, links and collisions of an SDF document, read when asked for.

Only what SDFormat itself gives a place is taken: a model is a child of `<sdf>`, `<world>` or `<model>`, a link a child
of a model, an inertial or a collision a child of a link. Look-alikes inside `<plugin>`, `<state>` and the like are not
ours.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from sdfinertia.description.facts import Comment, Defect, ParentJoint, WrittenInertia
from sdfinertia.description.numbers import shorten
from sdfinertia.description.parameters import DEFAULT_DENSITY, InertiaParameters
from sdfinertia.description.pose_path import Placement, Pose, PosePath, PoseStep
from sdfinertia.errors import Location, SdfInertiaError, TextError, ValueTextError
from sdfinertia.sdf.document import Document, Element
from sdfinertia.sdf.geometry import read_shape, wrong_dimension
from sdfinertia.sdf.inertial import read_given_mass, read_written_inertia, written_numbers
from sdfinertia.sdf.values import read_boolean, read_number, read_pose

if TYPE_CHECKING:
    from sdfinertia.description.edits import Edit
    from sdfinertia.description.facts import Assembly
    from sdfinertia.description.inertial_text import InertialText
    from sdfinertia.description.protocols import HasResources
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.sdf.joints import JointTable
    from sdfinertia.sdf.pose_graph import PoseGraph
    from sdfinertia.shapes.shape import Shape

# What reads frames, joints and parameters, and what makes edits, is imported by the methods that need it: most files
# need little of it, and a run with nothing to do none.

NEWEST_VERSION = (1, 12)
OLDEST_VERSION = (1, 2)
# SDFormat 1.7 renamed the attribute of a pose that names its frame.
_RELATIVE_TO_SINCE = (1, 7)


class SdfRoot:
    """The `<sdf>` element of a document, its version, and the models under it.

    Raises:
        TextError: there is no `<sdf>` root, or its version is older than SDFormat 1.2.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        root = next((root for root in document.roots if root.name == "sdf"), None)
        if root is None:
            problem = "there is no <sdf> root element"
            if not document.data.strip():
                problem = f"the file is empty: {problem}"
            raise TextError(problem, location=document.location(0), remedy=_foreign(document))
        self.element = root
        self.notes: list[str] = []
        self.version = self._read_version()
        self._pose_graphs: dict[int, PoseGraph] = {}
        self._joints: dict[int, JointTable] = {}

    @property
    def path(self) -> str:
        """The name of the document in messages; uris resolve from there."""
        return self.document.path

    @property
    def data(self) -> bytes:
        """The whole file."""
        return self.document.data

    def _read_version(self) -> tuple[int, int]:
        text = self.element.attribute("version") or ""
        major, _, minor = text.partition(".")
        newest = f"{NEWEST_VERSION[0]}.{NEWEST_VERSION[1]}"
        if not text:
            self.notes.append(f"<sdf> has no version; read as {newest}")
            return NEWEST_VERSION
        if not (major.isascii() and major.isdigit() and minor.isascii() and minor.isdigit()) or len(text) > 9:
            raise ValueTextError(
                f"{shorten(text)!r} is no SDFormat version", location=self.element.location(), remedy=f"use {newest}"
            )
        version = (int(major), int(minor))
        if version < OLDEST_VERSION:
            raise TextError(
                f"SDFormat {text} is older than 1.2 and not supported",
                location=self.element.location(),
                remedy="convert it with `gz sdf -p`",
            )
        if version > NEWEST_VERSION:
            self.notes.append(f"SDFormat {text} is newer than {newest}; read as {newest}")
            return NEWEST_VERSION
        return version

    @property
    def frame_attribute(self) -> str:
        """The attribute of `<pose>` that names the frame it is given in."""
        return "relative_to" if self.version >= _RELATIVE_TO_SINCE else "frame"

    def models(self) -> Iterator[Model]:
        """The root models: children of `<sdf>` and of its worlds."""
        for child in self.element.children:
            if child.name == "model":
                yield Model(self, child, None)
            elif child.name == "world":
                for grandchild in child.children:
                    if grandchild.name == "model":
                        yield Model(self, grandchild, None)

    @property
    def has_includes(self) -> bool:
        """Whether it includes other files."""
        return any(True for _ in self.include_elements())

    def included_files(self, around: HasResources) -> Iterator[str | SdfInertiaError]:
        """The local files that it includes, or why one cannot be told."""
        for include in self.include_elements():
            try:
                path = around.resources.included_file(include)
            except SdfInertiaError as error:
                yield error
            else:
                if path is not None:
                    yield path

    def assemblies(self, around: HasResources) -> Iterator[Assembly | tuple[str, SdfInertiaError]]:
        """Its root models and the models that its worlds include, for a look; or a name, and why it cannot be had."""
        from sdfinertia.sdf.assembly import assemblies

        return assemblies(self, around)

    def pose_graph_of(self, model: Model, around: HasResources) -> PoseGraph:
        """The poses of the frames that can be named inside a model; made once."""
        start = model.element.start
        if start not in self._pose_graphs:
            from sdfinertia.sdf.frame_scope import FrameScope
            from sdfinertia.sdf.pose_graph import PoseGraph

            scope = FrameScope(self, model.element, model.name, around.resources.load_include)
            self._pose_graphs[start] = PoseGraph(scope)
        return self._pose_graphs[start]

    def joints_of(self, model: Model, around: HasResources) -> JointTable:
        """The joints of a model by the links that they connect; read once."""
        start = model.element.start
        if start not in self._joints:
            from sdfinertia.sdf.joints import JointTable

            self._joints[start] = JointTable(model, around)
        return self._joints[start]

    def include_elements(self) -> Iterator[Element]:
        """Every `<include>` that stands where SDFormat allows one."""
        pending = [self.element]
        while pending:
            for child in pending.pop().children:
                if child.name == "include":
                    yield child
                elif child.name in ("model", "world"):
                    pending.append(child)


def _foreign(document: Document) -> str:
    names = {root.name for root in document.roots}
    if "robot" in names:
        return "this looks like URDF; convert it with `gz sdf -p`"
    return ""


class Model:
    """A model, with its place in the scope of names.

    Attributes:
        parent: the model it is nested in, or None for a root model.
        scoped_name: `outer::inner`; the world's name is no part of it.
    """

    def __init__(self, root: SdfRoot, element: Element, parent: Model | None) -> None:
        self.root = root
        self.element = element
        self.parent = parent
        self.name = element.attribute("name") or ""
        self.scoped_name: str = f"{parent.scoped_name}::{self.name}" if parent else self.name

    @cached_property
    def is_static(self) -> bool:
        """Whether it, or a model it is nested in, is static."""
        model: Model | None = self
        while model is not None:
            static = model.element.child("static")
            if static is not None and read_boolean(static.text(), "<static>", static, default=False):
                return True
            model = model.parent
        return False

    @property
    def key(self) -> Hashable:
        """What tells it from the other models of its document."""
        return self.element.start

    def lost_frames(self, around: HasResources) -> Iterator[Defect]:
        """The `<frame>` elements that lead nowhere, and why."""
        from sdfinertia.sdf.joints import lost_frames

        return lost_frames(self, around)

    def lost_references(self, around: HasResources) -> Iterator[Defect]:
        """Ends of joints and frames of poses that stand for nothing in this model, or for the element itself."""
        from sdfinertia.sdf.references import lost_references

        return lost_references(self, around)

    def models(self) -> Iterator[Model]:
        """The models nested directly in this one."""
        for child in self.element.children:
            if child.name == "model":
                yield Model(self.root, child, self)

    def links(self) -> Iterator[Link]:
        """The links of this model, nested models left out."""
        for child in self.element.children:
            if child.name == "link":
                yield Link(self, child)

    def all_links(self) -> Iterator[Link]:
        """The links of this model and of all nested ones, in the order of the file within each model."""
        # Not by recursion: models may be nested as deep as elements.
        pending = [self]
        while pending:
            model = pending.pop()
            yield from model.links()
            pending += reversed(list(model.models()))

    @cached_property
    def repeated_link_names(self) -> frozenset[str]:
        """Names that more than one link of this model bears."""
        names = [child.attribute("name") or "" for child in self.element.children if child.name == "link"]
        if len(set(names)) == len(names):
            return frozenset()
        return frozenset(name for name in names if names.count(name) > 1)


class Link:
    """A link of a model.

    Attributes:
        name: its name, trimmed.
        inertial: its first `<inertial>`.
    """

    __slots__ = ("element", "inertial", "model", "name")

    def __init__(self, model: Model, element: Element) -> None:
        self.model = model
        self.element = element
        self.name = element.attribute("name") or ""
        self.inertial = element.child("inertial")

    @property
    def key(self) -> Hashable:
        """What tells it from all other links of this document and of those that it includes."""
        return id(self.element.document), self.element.start

    @property
    def scoped_name(self) -> str:
        """`model::nested::link`."""
        return f"{self.model.scoped_name}::{self.name}"

    @property
    def file(self) -> str:
        """The file it stands in."""
        return self.element.document.path

    @property
    def line(self) -> int:
        """The line of its opening tag."""
        return self.element.line

    def location(self) -> Location:
        """Where its opening tag stands."""
        return self.element.location()

    def inertial_location(self, part: str = "") -> Location:
        """Where its `<inertial>`, or a part of it, begins; what is not there is where it would be."""
        element = self.inertial or self.element
        inner = element.child(part) if part and self.inertial is not None else None
        return (inner or element).location()

    @property
    def has_repeated_name(self) -> bool:
        """Whether another link of its model bears the same name."""
        return self.name in self.model.repeated_link_names

    # What is written ------------------------------------------------------------------------------------------------

    @property
    def has_inertial(self) -> bool:
        """Whether it has an `<inertial>`, filled or not."""
        return self.inertial is not None

    @property
    def has_tensor(self) -> bool:
        """Whether its `<inertial>` has an `<inertia>`."""
        return self.inertial is not None and self.inertial.child("inertia") is not None

    def asks_to_be_filled(self) -> bool:
        """Whether its `<inertial>` has `auto` true.

        Raises:
            ValueTextError: the attribute `auto` is no boolean.
        """
        inertial = self.inertial
        text = inertial.attribute("auto") if inertial is not None else None
        if inertial is None or text is None:
            return False
        return read_boolean(text, "the attribute auto of <inertial>", inertial, default=False)

    def comments(self) -> Iterator[Comment]:
        """The comments directly in the link and in its `<inertial>`."""
        yield from map(Comment._make, self.element.comments())
        yield from self.inertial_comments()

    def inertial_comments(self) -> Iterator[Comment]:
        """The comments directly in its `<inertial>`."""
        return map(Comment._make, self.inertial.comments()) if self.inertial is not None else iter(())

    def location_of(self, comment: Comment) -> Location:
        """Where one of its comments stands."""
        return self.element.document.location(comment.start)

    def written_inertia(self) -> WrittenInertia | None:
        """The explicit numbers, with SDFormat's defaults for what is absent; None where there is no `<inertial>`.

        Raises:
            ValueTextError: one of them is malformed.
        """
        return read_written_inertia(self.inertial) if self.inertial is not None else None

    def written_numbers(self) -> tuple[float, ...] | None:
        """The explicit numbers as `InertialText.numbers` orders them; None where they are not written as we do it."""
        return written_numbers(self.inertial) if self.inertial is not None else None

    def mass_text(self) -> str | None:
        """The text of its `<mass>`, or None where there is none."""
        mass = self.inertial.child("mass") if self.inertial is not None else None
        return mass.text() if mass is not None else None

    def given_mass(self) -> tuple[float, str] | None:
        """The `<mass>` (kg), as number and as written; None where there is none.

        Raises:
            ValueTextError: it is empty, no number, or not above zero.
        """
        return read_given_mass(self.inertial.child("mass")) if self.inertial is not None else None

    def malformations(self) -> Iterator[Defect]:
        """What is written in its `<inertial>`, or in its collisions, that SDFormat does not have there."""
        from sdfinertia.sdf.malformations import malformations

        return malformations(self)

    def unknown_elements(self) -> Iterator[Defect]:
        """The elements in it, its inertial, its collisions and its geometries that SDFormat of its version lacks."""
        from sdfinertia.sdf.known_elements import unknown_elements

        return unknown_elements(self)

    def unknown_moments(self) -> Iterator[Defect]:
        """The children of its `<inertia>` that are no entries of a tensor."""
        from sdfinertia.sdf.malformations import unknown_moments

        return unknown_moments(self.inertial) if self.inertial is not None else iter(())

    def written_angles(self) -> Iterator[tuple[float, Location]]:
        """The largest angle of each pose in radians: its own, and those of its inertial, collisions and visuals."""
        from sdfinertia.sdf.units import written_angles

        return written_angles(self)

    def given_densities(self) -> Iterator[tuple[float, Location]]:
        """The `<density>` of its `<inertial>` and of its collisions, where they can be read (kg/m³)."""
        from sdfinertia.sdf.units import given_densities

        return given_densities(self)

    # What it is computed from ---------------------------------------------------------------------------------------

    def has_solids(self, kind: str) -> bool:
        """Whether it has a `<collision>` or a `<visual>`."""
        return self.element.child(kind) is not None

    def solids(self, kind: str) -> list[Solid]:
        """Its collisions or visuals, in order.

        Raises:
            ValueTextError: two of them bear the same name.
        """
        solids = [Solid(self, element) for element in self.element.children_named(kind)]
        seen: set[str] = set()
        for solid in solids:
            if solid.name in seen:
                raise ValueTextError(
                    f"two {kind}s are named {shorten(solid.name)!r}",
                    location=solid.location(),
                    remedy="give each its own name",
                )
            seen.add(solid.name)
        return solids

    def default_density(self) -> float | None:
        """The `<density>` of its `<inertial>` (kg/m³).

        Raises:
            ValueTextError: it is no finite number, or negative.
        """
        return read_density(self.inertial.child("density")) if self.inertial is not None else None

    def default_parameters(self) -> InertiaParameters:
        """The `<auto_inertia_params>` of its `<inertial>`.

        Raises:
            ValueTextError: a parameter has a value that it cannot have.
        """
        element = self.inertial.child("auto_inertia_params") if self.inertial is not None else None
        return _parameters(element) if element is not None else _NO_PARAMETERS

    # What is around it ----------------------------------------------------------------------------------------------

    def parent_joints(self, around: HasResources) -> Iterator[ParentJoint]:
        """The joints whose child it is, those of the models around its own among them."""
        model: Model | None = self.model
        while model is not None:
            yield from model.root.joints_of(model, around).of_child(self)
            model = model.parent

    def needs_inertial(self, around: HasResources) -> bool:
        """Whether simulators move it as a rigid body: it is neither welded to the world nor deformable (Drake's)."""
        owners = (self.element, *self.element.children_named("collision"))
        if any(owner.child("drake:deformable_properties") is not None for owner in owners):
            return False
        from sdfinertia.sdf.joints import is_welded_to_world

        return not is_welded_to_world(self, around)

    def simulation_step(self) -> float | None:
        """The `max_step_size` of its world (s)."""
        from sdfinertia.sdf.world_step import step_of_world

        return step_of_world(self)

    # How it is written anew -----------------------------------------------------------------------------------------

    def fill_edits(self, text: InertialText, comment: str | None, replaced: Comment | None, *, auto: str) -> list[Edit]:
        """The edits that write numbers into its `<inertial>`, or give it one; see `sdf.inertial_edit`."""
        from sdfinertia.sdf.inertial_edit import fill_edits, new_block_edit

        if self.inertial is None:
            return [new_block_edit(self.element, text, comment, auto=auto)]
        return fill_edits(self.inertial, text, comment, replaced[:2] if replaced is not None else None, auto=auto)

    def scalable_inertia(self) -> SpatialInertia:
        """The explicit inertia, where it is complete enough to be written anew; see `sdf.scaling_edit`."""
        from sdfinertia.sdf.scaling_edit import scalable_inertia

        return scalable_inertia(self)

    def scale_edits(self, after: SpatialInertia, replaced: Comment | None, *, digits: int) -> list[Edit]:
        """The edits that write another inertia in the same axes; see `sdf.scaling_edit`."""
        from sdfinertia.sdf.scaling_edit import scale_edits

        return scale_edits(self, after, replaced, digits=digits)

    def nudge_edits(self) -> list[Edit]:
        """The edits that move the last digit of the moments; see `sdf.nudging`."""
        from sdfinertia.sdf.nudging import nudge_edits

        return nudge_edits(self.inertial) if self.inertial is not None else []


class Solid:
    """A collision or a visual of a link.

    Attributes:
        name: its name, trimmed.
    """

    __slots__ = ("element", "link", "name")

    def __init__(self, link: Link, element: Element) -> None:
        self.link = link
        self.element = element
        self.name = element.attribute("name") or ""

    @property
    def file(self) -> str:
        """The file it stands in, from which its uris resolve."""
        return self.element.document.path

    def location(self) -> Location:
        """Where its opening tag stands."""
        return self.element.location()

    def dimension_location(self) -> Location:
        """Where the dimension of its shape stands that no solid can have, or the solid where there is none such."""
        return (wrong_dimension(self.element) or self.element).location()

    def pose(self) -> Pose:
        """Its pose; without `relative_to` it is in the link's frame."""
        return read_pose(self.element.child("pose"), self.link.model.root.frame_attribute)

    def own_density(self) -> float | None:
        """Its own `<density>` (kg/m³), or None where it has none.

        Raises:
            ValueTextError: it is no finite number, or negative.
        """
        return read_density(self.element.child("density"))

    def parameters(self) -> InertiaParameters:
        """Its own `<auto_inertia_params>`, else its link's as a whole.

        Raises:
            ValueTextError: a parameter has a value that it cannot have.
        """
        own = self.element.child("auto_inertia_params")
        return _parameters(own) if own is not None else self.link.default_parameters()

    def shape(self) -> Shape:
        """Its shape.

        Raises:
            GeometryError: there are several.
            ValueTextError: a dimension is missing or malformed.
        """
        return read_shape(self.element)

    def placement(self, around: HasResources) -> Placement:
        """The way from the link's frame to the geometry's; frames of the model are looked at only where named."""
        pose = self.pose()
        own = PosePath((PoseStep(pose),))
        if not pose.relative_to or pose.relative_to == self.link.name:
            return (own,)
        model = self.link.model
        graph = model.root.pose_graph_of(model, around)
        try:
            return (*graph.placement(self.link.name, pose.relative_to), own)
        except SdfInertiaError as error:
            element = self.element.child("pose")
            raise error.within(location=element.location() if element is not None else None) from None


_NO_PARAMETERS = InertiaParameters()


def _parameters(element: Element) -> InertiaParameters:
    from sdfinertia.sdf.parameters import read_parameters

    return read_parameters(element)


def read_density(element: Element | None) -> float | None:
    """The density (kg/m³) in a `<density>` element; blank counts as the default given; None where there is none.

    Raises:
        ValueTextError: it is no finite number, or negative.
    """
    if element is None:
        return None
    if not element.children and not element.text():
        return DEFAULT_DENSITY
    density = read_number(element)
    if density < 0:
        raise ValueTextError(f"<density> is {density:g}, which is negative", location=element.location())
    return density
