"""The changes that can be made to a document, as values, and the files after them.

Links are named by scoped name, `model::nested::link`, the second of a name in a file `model::link#2`. Lengths are in m,
masses in kg, angles in rad, tensors in kg·m² about the centre of mass in link axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from sdfinertia.documents import OpenDocument
from sdfinertia.documents.filling import fill_document
from sdfinertia.documents.link_results import edits_read_back
from sdfinertia.errors import ConfigurationError, GeometryError, InertiaError, SdfInertiaError, shorten
from sdfinertia.inertia import InertiaTensor, SpatialInertia, less
from sdfinertia.inertia.inertial_text import InertialText, format_number, inertial_text, text_as_given
from sdfinertia.inertia.rigid_transform import RigidTransform, Rotation, Vector3, rotate, rotation_from_rpy
from sdfinertia.inertia.solids import equivalent_box, equivalent_ellipsoid, rescaled_in_size, rescaled_to_mass
from sdfinertia.links import Study
from sdfinertia.links.inputs import Status
from sdfinertia.markup import Edit, splice
from sdfinertia.robot import COLLISION, Solid, given
from sdfinertia.robot.inertial import NewInertial
from sdfinertia.robot.poses import product
from sdfinertia.shapes import Primitive

# Edited numbers are as exact as computed ones.
_DIGITS = 12
NOT_JUDGED = "its numbers overflow or underflow double precision"


class SetMass(NamedTuple):
    """Another mass; if linked, the tensor scales with it."""

    link: str
    mass: float
    is_linked: bool = True

    def after(self, body: SpatialInertia) -> SpatialInertia:
        if self.is_linked:
            return rescaled_to_mass(body, self.mass)
        if not (isfinite(self.mass) and self.mass > 0.0):
            raise InertiaError(f"a mass must be a number above zero, not {self.mass:g} kg")
        return SpatialInertia(self.mass, body.p_BoBcm_B, body.I_BBcm_B)


class SetDensity(NamedTuple):
    """The mass of the shapes at a density (kg/m³)."""

    link: str
    density: float
    is_linked: bool = True


class MoveCentre(NamedTuple):
    """Another centre of mass, in the link frame (m)."""

    link: str
    centre: Vector3

    def after(self, body: SpatialInertia) -> SpatialInertia:
        return SpatialInertia(body.mass, self.centre, body.I_BBcm_B)


class SetTensor(NamedTuple):
    """Another tensor: ixx iyy izz ixy ixz iyz."""

    link: str
    tensor: tuple[float, float, float, float, float, float]

    def after(self, body: SpatialInertia) -> SpatialInertia:
        return SpatialInertia(body.mass, body.p_BoBcm_B, InertiaTensor(*self.tensor))


class TurnAxes(NamedTuple):
    """Other principal axes, by fixed-axis roll, pitch and yaw from those of the link."""

    link: str
    rpy: Vector3

    def after(self, body: SpatialInertia) -> SpatialInertia:
        return _with_principal(body, body.principal().moments, rotation_from_rpy(*self.rpy))


class SetMoments(NamedTuple):
    """Other principal moments about the same axes."""

    link: str
    moments: Vector3

    def after(self, body: SpatialInertia) -> SpatialInertia:
        return _with_principal(body, self.moments, body.principal().rotation)


class DragFace(NamedTuple):
    """A face of the box or ellipsoid of equal inertia, moved outward (m).

    The axis is 0, 1 or 2 of the principal axes, and the side 1 or -1 along it. Alone, the opposite face stays.
    """

    link: str
    axis: int
    side: int
    distance: float
    solid: str = "box"
    is_alone: bool = False
    keeps_density: bool = False

    def after(self, body: SpatialInertia) -> SpatialInertia:
        if self.axis not in (0, 1, 2) or self.side not in (-1, 1) or not isfinite(self.distance):
            raise InertiaError("axis must be 0, 1 or 2, side 1 or -1, and distance finite")
        if self.solid not in ("box", "ellipsoid"):
            raise InertiaError(f"the solid must be box or ellipsoid, not {shorten(self.solid)}")
        axes = body.principal()
        # I1 = m/12 (d2² + d3²) of a box, m/20 (d2² + d3²) of an ellipsoid, of full sizes d.
        if self.solid == "box":
            sizes, part = list(equivalent_box(body.mass, axes.moments)), 12.0
        else:
            sizes, part = [2.0 * radius for radius in equivalent_ellipsoid(body.mass, axes.moments)], 20.0
        old = sizes[self.axis]
        new = sizes[self.axis] = old + self.distance * (1.0 if self.is_alone else 2.0)
        if not new > 0.0:
            raise InertiaError(f"the {self.solid} would be {new:g} m thick")
        if self.keeps_density and not old > 0.0:
            raise InertiaError(f"a {self.solid} without thickness has no density", remedy="keep the mass")
        mass = body.mass * new / old if self.keeps_density else body.mass
        x, y, z = (size * size for size in sizes)
        part = mass / part
        moments = InertiaTensor(part * (y + z), part * (x + z), part * (x + y))
        centre = body.p_BoBcm_B
        if self.is_alone:
            way = [0.0, 0.0, 0.0]
            way[self.axis] = 0.5 * self.side * self.distance
            dx, dy, dz = rotate(axes.rotation, (way[0], way[1], way[2]))
            centre = (centre[0] + dx, centre[1] + dy, centre[2] + dz)
        return SpatialInertia(mass, centre, moments.rotated(axes.rotation))


class ResizeShape(NamedTuple):
    """Other dimensions of a primitive (m): edges of a box, radius and length of a cylinder, and so on."""

    link: str
    collision: str
    dimensions: tuple[float, ...]


class Compute(NamedTuple):
    """The inertia of the shapes of a link; with link "", of the links that `fill` would fill."""

    link: str = ""
    open_mesh: str = ""


class Mirror(NamedTuple):
    """The inertia of link `source`, mirrored across an axis of the model: y for left and right."""

    link: str
    source: str
    axis: str = "y"

    def after(self, body: SpatialInertia) -> SpatialInertia:
        if self.axis not in ("x", "y", "z"):
            raise InertiaError(f"the axis of a mirror must be x, y or z, not {self.axis!r}")
        x, y, z = (-1.0 if name == self.axis else 1.0 for name in "xyz")
        return rescaled_in_size(body, (x, y, z))


Change = (
    SetMass | SetDensity | MoveCentre | SetTensor | TurnAxes | SetMoments | DragFace | ResizeShape | Compute | Mirror
)

# By the names in requests.
CHANGES: dict[str, type[Change]] = {kind.__name__: kind for kind in get_args(Change)}


def why_no_body(body: SpatialInertia) -> str:
    if not body.can_be_judged:
        return NOT_JUDGED
    if body.is_physically_valid():
        return ""
    moments = " ".join(f"{moment:.6g}" for moment in body.principal().moments)
    return f"a mass of {body.mass:.6g} kg with principal moments {moments} kg·m² is physically impossible"


def _with_principal(body: SpatialInertia, moments: Vector3, rotation: Rotation) -> SpatialInertia:
    return SpatialInertia(body.mass, body.p_BoBcm_B, InertiaTensor(*moments).rotated(rotation))


def change_of(request: Mapping[str, Any]) -> Change:
    name, values = request.get("change"), request.get("values")
    kind = CHANGES.get(name) if isinstance(name, str) else None
    if kind is None or not isinstance(values, dict):
        raise ConfigurationError(f"there is no change {shorten(repr(name))}")
    hints = get_type_hints(kind)
    try:
        made: Change = kind(**{key: _value(value, hints[key]) for key, value in values.items()})
    except (KeyError, TypeError, ValueError, OverflowError):
        raise ConfigurationError(f"{name} cannot be made of {shorten(repr(values))}") from None
    return made


def _value(value: Any, wanted: Any) -> Any:
    if wanted is float and type(value) in (int, float) and isfinite(value):
        return float(value)
    if get_origin(wanted) is tuple and type(value) is list:
        types = get_args(wanted)
        types = types[:1] * len(value) if types[-1] is ... else types
        return tuple(_value(each, kind) for each, kind in zip(value, types, strict=True))
    if wanted in (str, bool, int) and type(value) is wanted:
        return value
    raise ValueError


def files_after(document: OpenDocument, change: Change, *, is_body: bool = True) -> tuple[bytes, ...]:
    if isinstance(change, Compute):
        return _spliced(document, _computed(document, change))
    study = study_named(document, change.link)
    try:
        document.require_writable(study.link)
        if isinstance(change, ResizeShape):
            return _resized(document, study, change, is_body=is_body)
        body = _changed(document, study, change)
        if isinstance(change, SetMass | SetDensity) and study.link.asks_to_be_filled():
            study.link.require_own_name()
            edits = tuple(study.link.edits(NewInertial(InertialText("", format_number(body.mass, _DIGITS), ()))))
            # A format without a mass of its own is computed with it; the request stays beside the numbers.
            is_done = not study.link.request.stays
            return _spliced(document, edits) if is_done else files_after(_edited(document, edits), Compute(change.link))
        return _spliced(document, _written(study, body, is_body=is_body))
    except SdfInertiaError as error:
        raise error.within(location=study.link.location(), link=study.link.scoped_name) from None


def study_named(document: OpenDocument, name: str) -> Study:
    found = document.links_by_label.get(name, [])
    if len(found) != 1:
        problem = f"there are {len(found)} links" if found else "there is no link"
        raise ConfigurationError(f"{problem} {name!r} in {document.robot.path}", file=document.robot.path)
    return document.study(found[0])


def starting_inertia(study: Study) -> SpatialInertia:
    """The inertia that an edit starts from: the written one if it counts, else the computed one."""
    if study.explicit is not None and not study.link.asks_to_be_filled():
        return study.explicit
    if not study.has_solids:
        raise InertiaError("it has no numbers to change, and no shapes to compute them from")
    return given(study.computed).inertia


def _spliced(document: OpenDocument, edits: Sequence[Edit]) -> tuple[bytes, ...]:
    return tuple(splice(part.data, own) for part, own in document.robot.document.divided(edits))


def _edited(document: OpenDocument, edits: Sequence[Edit]) -> OpenDocument:
    return OpenDocument(document.robot.edited(edits), document.options, document.context)


def _changed(document: OpenDocument, study: Study, change: Change) -> SpatialInertia:
    if isinstance(change, Mirror):
        source = study_named(document, change.source)
        X_ML, X_MS = _pose_of(document, study), _pose_of(document, source)
        return change.after(starting_inertia(source).transformed(X_MS)).transformed(X_ML.inverse())
    if isinstance(change, SetDensity):
        if not study.has_solids:
            raise InertiaError("it has no collisions, and so no volume for a density", remedy="give its mass")
        change = SetMass(change.link, change.density * given(study.computed).volume, change.is_linked)
    assert not isinstance(change, Compute | ResizeShape), "these change more than numbers"
    return change.after(starting_inertia(study))


def _pose_of(document: OpenDocument, study: Study) -> RigidTransform:
    for assembly in document.robot.assemblies(document.context):
        for placed in assembly.links:
            if placed.is_own and placed.link.key == study.link.key:
                if isinstance(placed.pose_in_model, SdfInertiaError):
                    raise placed.pose_in_model
                return placed.pose_in_model
    raise InertiaError(f"the pose of {study.link.scoped_name} in its model is not known")


def _written(study: Study, after: SpatialInertia, *, is_body: bool) -> Sequence[Edit]:
    link = study.link
    link.require_own_name()
    problem = why_no_body(after)
    if not after.can_be_judged:
        raise InertiaError(problem, remedy="check the units")
    if problem and is_body:
        raise InertiaError(problem, remedy="each must be above zero, and none above the sum of the other two")
    if link.has_tensor and not study.link.asks_to_be_filled():
        if after == link.scalable_inertia():
            return ()
        return tuple(link.scale_edits(after, study.provenance_comment, digits=_DIGITS, is_body=not problem))
    text = text_as_given(after, digits=_DIGITS) if problem else inertial_text(after, digits=_DIGITS)
    return tuple(edits_read_back(link, NewInertial(text, None, study.provenance_comment)))


def _computed(document: OpenDocument, change: Compute) -> Sequence[Edit]:
    options, only = document.options.replaced({"keep_going": False}), None
    if change.link:
        study = study_named(document, change.link)
        only = (study.link.key,)
        if not study.has_solids:
            raise InertiaError("it has no collisions to compute an inertia from", link=change.link)
        fills = {"all": True, "missing": True, "refresh": True, "overwrite_edited": True}
        options = options.replaced({"link": (), **fills})
    result = fill_document(document, options, only)
    if result.errors:
        raise result.errors[0]
    return document.robot.document.gathered([result.edits, *(other.edits for other in result.others)])


def _resized(document: OpenDocument, study: Study, change: ResizeShape, *, is_body: bool) -> tuple[bytes, ...]:
    solid = next((each for each in study.link.solids(COLLISION) if each.name == change.collision), None)
    if solid is None:
        raise GeometryError(f"there is no collision {change.collision!r}")
    old = solid.shape()
    if not isinstance(old, Primitive):
        raise GeometryError(f"collision {change.collision!r} is not a primitive shape")
    if len(change.dimensions) != len(old.dimensions):
        raise GeometryError(f"a {old.kind} has {len(old.dimensions)} dimensions, not {len(change.dimensions)}")
    if not all(isfinite(value) and value > 0.0 for value in change.dimensions):
        raise GeometryError("dimensions must be numbers above zero")
    new = Primitive(old.kind, change.dimensions)
    if new.dimensions == old.dimensions:
        return _spliced(document, ())
    edits = tuple(study.link.model.format.dimension_edits(solid, new.dimensions, _DIGITS))
    if study.status is Status.CLEAN:
        # A filled link stays filled.
        return files_after(_edited(document, edits), Compute(change.link))
    written = given(study.written)
    if study.link.has_tensor and not study.link.asks_to_be_filled() and written is not None:
        after = _inertia_after(study, written.inertia, solid, old, new)
        edits = (*edits, *_written(study, after, is_body=is_body))
    return _spliced(document, edits)


# Where the dimensions of a kind count, along x, y and z of its frame.
_ALONG = {
    **dict.fromkeys(("box", "ellipsoid"), (0, 1, 2)),
    **dict.fromkeys(("cylinder", "cone", "capsule"), (0, 0, 1)),
    "sphere": (0, 0, 0),
}


def _inertia_after(
    study: Study, written: SpatialInertia, solid: Solid, old: Primitive, new: Primitive
) -> SpatialInertia:
    X_LG: RigidTransform = product(solid.placement(study.context))
    # The ends of a capsule stay half balls, and are not stretched.
    if len(study.link.solids(COLLISION)) == 1 and old.kind != "capsule":
        x, y, z = (new.dimensions[k] / old.dimensions[k] for k in _ALONG[old.kind])
        return rescaled_in_size(written.transformed(X_LG.inverse()), (x, y, z)).transformed(X_LG)
    own = next((part.density for part in given(study.computed).parts if part.name == solid.name), None)
    if own is None:
        problem = f"collision {solid.name!r} has no mass, so its size does not determine the inertia of its link"
        raise InertiaError(problem)
    density = own * (written.mass / given(study.computed).inertia.mass)
    gained = new.inertia(density).transformed(X_LG) + less(old.inertia(density).transformed(X_LG))
    return written + gained
