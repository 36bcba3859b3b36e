"""Collisions and visuals of an SDF link, as the study of links asks for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.description.numbers import parse_numbers, renewed
from sdfinertia.description.parameters import InertiaParameters
from sdfinertia.description.pose_path import Placement, Pose, PosePath, PoseStep
from sdfinertia.errors import Location, SdfInertiaError
from sdfinertia.markup.document import Element, Placed
from sdfinertia.sdf.geometry import read_shape, wrong_dimension
from sdfinertia.sdf.inertial import read_density
from sdfinertia.sdf.model import DocumentFrames, Link
from sdfinertia.sdf.values import read_pose
from sdfinertia.shapes.primitives import PRIMITIVES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdfinertia.description.edits import Edit
    from sdfinertia.description.phrases import Phrases
    from sdfinertia.description.protocols import Colour, HasResources
    from sdfinertia.shapes.shape import Shape

_NO_PARAMETERS = InertiaParameters()
# Of all solids that give no pose.
_NOT_MOVED = (PosePath((PoseStep(Pose()),)),)


class SdfSolid(Placed):
    """A collision or a visual of a link."""

    __slots__ = ("_name", "_placement", "_shape", "element", "frames", "link")

    def __init__(self, link: Link, element: Element, frames: DocumentFrames) -> None:
        self.link = link
        self.element = element
        self.frames = frames
        # Each is read when it is first asked for, and once; what cannot be read says so each time.
        self._name: str | None = None
        self._shape: Shape | None = None
        self._placement: Placement | None = None

    @property
    def name(self) -> str:
        """Its name, trimmed."""
        if self._name is None:
            self._name = self.element.attribute("name") or ""
        return self._name

    @property
    def phrases(self) -> Phrases:
        """How SDFormat says what remedies advise to write."""
        from sdfinertia.sdf.phrases import PHRASES

        return PHRASES

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
        return _parameters(own) if own is not None else default_parameters(self.link)

    def shape(self) -> Shape:
        """Its shape.

        Raises:
            GeometryError: there are several.
            ValueTextError: a dimension is missing or malformed.
        """
        if self._shape is None:
            self._shape = read_shape(self.element)
        return self._shape

    def dimension_edits(self, dimensions: Sequence[float], *, digits: int) -> list[Edit]:
        """The edits that give its shape, a primitive, other dimensions; numbers that stay the same keep their text."""
        from sdfinertia.sdf.edits.inertial_edit import text_edits

        geometry = self.element.child("geometry")
        shape = next((child for child in geometry.children if child.name in PRIMITIVES), None) if geometry else None
        assert shape is not None, "only primitives have dimensions"
        edits: list[Edit] = []
        place = 0
        for name, count in PRIMITIVES[shape.name].dimensions:
            element = shape.child(name)
            assert element is not None, "a shape that can be read has its dimensions"
            text = renewed(element.text(), dimensions[place : place + count], digits)
            edits += text_edits(element, text)
            place += count
        return edits

    def colour(self) -> Colour | None:
        """The `<diffuse>` of its `<material>`; None where it has none, or one that is no colour."""
        material = self.element.child("material")
        diffuse = material.child("diffuse") if material is not None else None
        numbers = parse_numbers(diffuse.text()) if diffuse is not None else None
        if numbers is None or len(numbers) not in (3, 4) or not all(0.0 <= value <= 1.0 for value in numbers):
            return None
        red, green, blue, *opacity = numbers
        return red, green, blue, opacity[0] if opacity else 1.0

    def placement(self, around: HasResources) -> Placement:
        """The way from the link's frame to the geometry's; frames of the model are looked at only where named."""
        if self._placement is None:
            self._placement = self._placed(around)
        return self._placement

    def _placed(self, around: HasResources) -> Placement:
        pose = self.pose()
        if not pose.numbers and not pose.relative_to and pose.form == "rpy":
            return _NOT_MOVED
        own = PosePath((PoseStep(pose),))
        if not pose.relative_to or pose.relative_to == self.link.name:
            return (own,)
        graph = self.frames.graph_of(self.link.model, around)
        try:
            return (*graph.placement(self.link.name, pose.relative_to), own)
        except SdfInertiaError as error:
            element = self.element.child("pose")
            raise error.within(location=element.location() if element is not None else None) from None


def default_parameters(link: Link) -> InertiaParameters:
    """The `<auto_inertia_params>` of the `<inertial>` of a link.

    Raises:
        ValueTextError: a parameter has a value that it cannot have.
    """
    element = link.inertial.child("auto_inertia_params") if link.inertial is not None else None
    return _parameters(element) if element is not None else _NO_PARAMETERS


def _parameters(element: Element) -> InertiaParameters:
    from sdfinertia.sdf.parameters import read_parameters

    return read_parameters(element)
