"""Scaling the explicit inertial of a link: other numbers in the same places, and nothing computed from geometry."""

from __future__ import annotations

from typing import NamedTuple

from sdfinertia.errors import InertiaError, SdfInertiaError, ValueTextError
from sdfinertia.inertia.rescaling import rescaled_in_size, rescaled_to_density, rescaled_to_mass
from sdfinertia.inertia.rigid_transform import Vector3, rpy_from_rotation, transpose
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.computation import compute
from sdfinertia.links.provenance import find_provenance
from sdfinertia.links.selection import is_auto
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.options import Options
from sdfinertia.sdf.document import Edit, Element
from sdfinertia.sdf.inertial import TENSOR_NAMES, InertialText, format_number, inertial_text, read_inertial
from sdfinertia.sdf.inertial_edit import fill_edits
from sdfinertia.sdf.model import Link
from sdfinertia.sdf.values import Pose, read_pose

_WHY = "`sdfinertia check` tells why, and `check --fix` mends what only rounding broke"


class Scaling(NamedTuple):
    """What is asked for; one of the three is given.

    Attributes:
        mass: the new mass (kg).
        density: the new mean density of the collisions (kg/m³).
        size: factors along the axes of the link.
    """

    mass: float | None = None
    density: float | None = None
    size: Vector3 | None = None


class ScaledLink(NamedTuple):
    """A link that was scaled.

    Attributes:
        before, after: its inertia in the link frame.
        was_managed: whether its block held a provenance comment, which is taken out: the numbers are no longer those
            of its geometry.
        edits: what writes it.
    """

    name: str
    before: SpatialInertia
    after: SpatialInertia
    was_managed: bool
    edits: list[Edit]


def scale_link(link: Link, scaling: Scaling, options: Options, surroundings: Surroundings) -> ScaledLink:
    """The link with its explicit inertial scaled.

    The tensor stays in the axes that its author chose, turned ones too, and numbers that stay the same keep their text.

    Args:
        options: how many digits are written; and how collisions are taken for solids, where a density is asked for.

    Raises:
        SdfInertiaError: there is no explicit inertial, it is no body's, or its collisions have no volume.
    """
    try:
        return _scaled(link, scaling, options, surroundings)
    except SdfInertiaError as error:
        raise error.within(location=link.element.location(), link=link.scoped_name) from None


def _scaled(link: Link, scaling: Scaling, options: Options, surroundings: Surroundings) -> ScaledLink:
    if link.name in link.model.repeated_link_names:
        raise ValueTextError(f"two links of its model are named {link.name!r}", remedy="give each its own name")
    inertial = _explicit_inertial(link)
    pose = read_pose(inertial.child("pose"), link.model.root.frame_attribute)
    if pose.relative_to:
        raise ValueTextError("the <pose> of <inertial> is relative to a frame, which SDFormat does not allow there")
    before = read_inertial(inertial)
    if not before.is_physically_valid():
        raise InertiaError("no body has the mass and tensor that are written", remedy=_WHY)
    after = _rescaled(before, link, scaling, options, surroundings)
    if not after.is_physically_valid():
        raise InertiaError(f"scaled, its mass is {after.mass:g} kg and its tensor no body's", remedy=_WHY)
    found = find_provenance(inertial)
    comment = found[:2] if found is not None else None
    edits: list[Edit] = []
    if after != before:
        edits = fill_edits(inertial, _text(inertial, pose, after, options.digits), None, comment, auto="remove")
        if after.p_BoBcm_B == before.p_BoBcm_B:
            edits = _without_pose(edits, inertial)
    return ScaledLink(link.scoped_name, before, after, comment is not None and bool(edits), edits)


def _explicit_inertial(link: Link) -> Element:
    inertial = link.inertial
    if inertial is None:
        raise InertiaError("it has no <inertial> to scale", remedy="`sdfinertia fill --missing` gives it one")
    if is_auto(inertial):
        raise InertiaError("its inertial is computed automatically", remedy="run `sdfinertia fill` first")
    tensor = inertial.child("inertia")
    if inertial.child("mass") is None or tensor is None:
        raise InertiaError("its <inertial> has no explicit <mass> and <inertia> to scale", remedy="give it both")
    absent = [f"<{name}>" for name in ("ixx", "iyy", "izz") if tensor.child(name) is None]
    if absent:
        raise InertiaError(f"its <inertia> has no {', '.join(absent)}", remedy="give it all three moments")
    return inertial


def _rescaled(
    before: SpatialInertia, link: Link, scaling: Scaling, options: Options, surroundings: Surroundings
) -> SpatialInertia:
    if scaling.mass is not None:
        return rescaled_to_mass(before, scaling.mass)
    if scaling.size is not None:
        return rescaled_in_size(before, scaling.size)
    if scaling.density is not None:
        return rescaled_to_density(before, scaling.density, _volume(link, options, surroundings))
    return before


def _volume(link: Link, options: Options, surroundings: Surroundings) -> float:
    """The volume of the collisions that have mass (m³)."""
    solids = link.collisions() or (link.visuals() if options.geometry == "visual" else [])
    if not solids:
        raise InertiaError("it has no collisions, so no volume that a density could fill", remedy="use --mass")
    assert link.inertial is not None
    found = find_provenance(link.inertial)
    if found is not None:
        options = found[2].completing(options)
    computation = compute(link, options, surroundings, mass_given=False)
    volume = 0.0
    for part in computation.inertia.collisions:
        volume += part.inertia.mass / part.density
    return volume


# Texts ----------------------------------------------------------------------------------------------------------------


def _text(inertial: Element, pose: Pose, after: SpatialInertia, digits: int) -> InertialText:
    """The texts of the scaled block: the tensor in the axes it was given in, equal numbers as they were written."""
    rotation = pose.transform().rotation
    own_axes = SpatialInertia(after.mass, after.p_BoBcm_B, after.I_BBcm_B.rotated(transpose(rotation)))
    try:
        text = inertial_text(own_axes, digits=digits)
    except InertiaError:
        raise InertiaError(f"scaled and written with {digits} digits, its tensor is no body's", remedy=_WHY) from None
    pose_element, mass, tensor = inertial.child("pose"), inertial.child("mass"), inertial.child("inertia")
    assert mass is not None
    assert tensor is not None
    entries = [tensor.child(name) for name in TENSOR_NAMES]
    old_entries = [entry.text() if entry is not None else "" for entry in entries]
    position, old = text.pose.split()[:3], pose_element.text().split() if pose_element is not None else []
    if pose.form == "rpy" and old:
        angles = old[3:]
    else:
        angles = [format_number(angle, digits) for angle in rpy_from_rotation(rotation)]
    old_position = old[:3] if old else [""] * 3
    return InertialText(
        " ".join([*map(_kept, old_position, position), *angles]),
        _kept(mass.text(), text.mass),
        tuple(map(_kept, old_entries, text.tensor)),
    )


def _kept(old: str, new: str) -> str:
    """The text that stands there, if it is the same number, else the new one."""
    return old if old and float(old) == float(new) else new


def _without_pose(edits: list[Edit], inertial: Element) -> list[Edit]:
    """The edits without those of the pose, or of one to be added: the centre of mass has not moved."""
    pose = inertial.child("pose")
    if pose is None:
        return [edit for edit in edits if edit.start < edit.stop or b"<pose>" not in edit.replacement]
    return [edit for edit in edits if not pose.start <= edit.start < pose.end]
