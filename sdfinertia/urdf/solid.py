"""Collisions and visuals, read when asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sdfinertia.description.pose_path import Placement, PosePath, PoseStep
from sdfinertia.errors import Location, SdfInertiaError
from sdfinertia.markup.document import Element, Placed
from sdfinertia.urdf.geometry import read_shape, shape_element, shape_notes
from sdfinertia.urdf.origin import origin_notes, read_origin
from sdfinertia.urdf.requests import read_own_density
from sdfinertia.urdf.values import read_colour

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdfinertia.description.edits import Edit
    from sdfinertia.description.parameters import InertiaParameters
    from sdfinertia.description.phrases import Phrases
    from sdfinertia.description.protocols import Colour, HasResources
    from sdfinertia.shapes.shape import Shape
    from sdfinertia.urdf.link_text import LinkText


class Solid(Placed):
    """A collision or a visual of a link.

    Attributes:
        name: its name, trimmed; its number among its kind where it has none.
    """

    __slots__ = ("_placement", "_shape", "element", "link", "name")

    def __init__(self, link: LinkText, element: Element, number: int) -> None:
        self.link = link
        self.element = element
        self.name = element.attribute("name") or f"#{number}"
        # Each is asked for several times.
        self._shape: Shape | None = None
        self._placement: Placement | None = None

    @property
    def phrases(self) -> Phrases:
        """How URDF says what remedies advise to write."""
        from sdfinertia.urdf.phrases import PHRASES

        return PHRASES

    def dimension_location(self) -> Location:
        """Where its shape stands, or itself where it has none."""
        try:
            return shape_element(self.element).location()
        except SdfInertiaError:
            return self.element.location()

    def own_density(self) -> float | None:
        """The density that a comment in it says (kg/m³).

        Raises:
            ValueTextError: the comment is malformed.
        """
        return read_own_density(self.element) if self.link.model.has_own_comments else None

    def parameters(self) -> InertiaParameters:
        """Its link's, with what is to be said of its text.

        Raises:
            SdfInertiaError: what asks for them is malformed, or its shape is.
        """
        robot = self.link.model
        notes = (
            *shape_notes(self.element, has_capsules=robot.has_capsules),
            *origin_notes(self.element.child("origin"), has_quaternions=robot.has_quaternions),
        )
        return self.link.default_parameters()._replace(notes=notes)

    def shape(self) -> Shape:
        """Its shape.

        Raises:
            GeometryError: there is none, or there are several.
            ValueTextError: a dimension is missing or malformed.
        """
        if self._shape is None:
            self._shape = read_shape(self.element)
        return self._shape

    def dimension_edits(self, dimensions: Sequence[float], *, digits: int) -> list[Edit]:
        """The edits that give its shape, a primitive, other dimensions; numbers that stay the same keep their text."""
        from sdfinertia.description.numbers import renewed
        from sdfinertia.shapes.primitives import PRIMITIVES
        from sdfinertia.urdf.inertial_edit import attribute_edits

        shape = shape_element(self.element)
        texts: dict[str, str] = {}
        place = 0
        for name, count in PRIMITIVES[shape.name].dimensions:
            texts[name] = renewed(shape.attribute(name) or "", dimensions[place : place + count], digits)
            place += count
        return attribute_edits(shape, texts, b'"')

    def colour(self) -> Colour | None:
        """That of its `<material>`, by itself or by the name of one of the robot's; None where it has none."""
        material = self.element.child("material")
        if material is None:
            return None
        return read_colour(material) or self.link.model.colours.get(material.attribute("name") or "")

    def placement(self, around: HasResources) -> Placement:
        """Its `<origin>`: URDF has no frames but the link's."""
        if self._placement is None:
            pose = read_origin(self.element.child("origin"), has_quaternions=self.link.model.has_quaternions)
            self._placement = (PosePath((PoseStep(pose),)),)
        return self._placement
