"""The inertia of a link: its collisions as solids of their densities, summed in the link frame."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, frexp, ldexp, log10
from sys import float_info

from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.inertia.principal_axes import PrincipalAxes, moments_along
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, product, rotate, transpose
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.collision_inertia import CollisionInertia, collision_inertia
from sdfinertia.links.inputs import LinkInputs, fault_location
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.mesh.treatment import Overlaps
from sdfinertia.named_tuple import NamedTuple

# A link of this size or mass is more often one whose file is in millimetres than one that is meant.
_LARGE_EXTENT = 10.0
_LARGE_MASS = 10_000.0
IN_MILLIMETRES = "is a file in millimetres?"

# Below this a product of a few factors may have passed through numbers of fewer digits (those below 2.2e-308).
_LEAST = 1e-290
# The distance of two parts far from the origin is what is left of their positions, each of them rounded.
_ROUNDING_OF_DISTANCES = 4.0 * float_info.epsilon
# Fewer digits than these are told.
_DIGITS_TOLD = 11


class LinkInertia(NamedTuple):
    """The inertia of a link in its own frame, and what it is the sum of.

    Attributes:
        inertia: scaled to the mass where one was given.
        collisions: what it is the sum of, at their densities.
        unscaled: the sum of bodies in proportion to these.
        bodies: these bodies; the collisions, but where their masses are too small for numbers to hold.
    """

    inertia: SpatialInertia
    collisions: tuple[CollisionInertia, ...]
    notes: tuple[str, ...]
    unscaled: SpatialInertia
    bodies: tuple[CollisionInertia, ...]

    def scaled_to_mass(self, mass: float) -> LinkInertia:
        """The link with another mass (kg); however often it was scaled before, the numbers are the same."""
        return self._replace(inertia=self.unscaled.scaled_to_mass(mass))

    def principal_axes(self) -> PrincipalAxes:
        """Principal moments (kg·m²) and axes about the centre of mass, as `SpatialInertia.principal` chooses them.

        The moments are summed along these axes, since the tensor in the axes of the link holds the small moment of a
        thin body that is turned to a few digits only.
        """
        axes = self.inertia.principal()
        if axes.rotation == IDENTITY_ROTATION:
            return axes
        R_PL = transpose(axes.rotation)
        x, y, z = self.inertia.p_BoBcm_B
        sums, mass = [0.0, 0.0, 0.0], 0.0
        for part in self.bodies:
            tensor, R_LC = part.own if part.own is not None else (part.inertia.I_BBcm_B, IDENTITY_ROTATION)
            own = moments_along(product(R_PL, R_LC), tensor)
            px, py, pz = part.inertia.p_BoBcm_B
            u, v, w = rotate(R_PL, (px - x, py - y, pz - z))
            of_part = part.inertia.mass
            for axis, far in enumerate((v * v + w * w, u * u + w * w, u * u + v * v)):
                sums[axis] += own[axis] + of_part * far
            mass += of_part
        first, second, third = (moment * self.inertia.mass / mass for moment in sums)
        return PrincipalAxes((first, second, third), axes.rotation)


def link_inertia(inputs: LinkInputs, surroundings: Surroundings, *, is_static: bool = False) -> LinkInertia:
    """The inertia that the inputs say; scaled to the mass where one was given.

    Raises:
        SdfInertiaError: a collision is no solid, or the sum is not physical.
    """
    parts = bodies = _parts(inputs, surroundings)
    unscaled = _sum(bodies)
    if _is_too_small(unscaled) and inputs.mass is not None:
        # Densities are but weights then, and larger ones in the same proportion leave numbers their digits.
        room = float_info.max_exp - max(frexp(collision.density)[1] for collision in inputs.counting())
        bodies = _parts(inputs, surroundings, growth=min(-frexp(unscaled.mass)[1], room))
        unscaled = _sum(bodies)
    total = unscaled if inputs.mass is None else unscaled.scaled_to_mass(inputs.mass)
    if _is_too_small(unscaled) or _is_too_small(total):
        moments = " ".join(f"{moment:g}" for moment in total.I_BBcm_B[:3])
        raise InertiaError(
            f"a mass of {total.mass:g} kg with moments of {moments} kg·m² is smaller than numbers can hold",
            remedy="check the sizes and the densities",
        )
    if not total.is_physically_valid():
        raise InertiaError(
            f"the computed inertia is not physical: mass {total.mass:g} kg, principal moments "
            + " ".join(f"{moment:g}" for moment in total.principal_moments())
        )
    notes = (*inputs.notes, *_notes_of(parts, total, is_static))
    return LinkInertia(total, tuple(parts), notes, unscaled, tuple(bodies))


def _parts(inputs: LinkInputs, surroundings: Surroundings, growth: int = 0) -> list[CollisionInertia]:
    """What each collision adds, each at its density times a power of two."""
    parts: list[CollisionInertia] = []
    for collision in inputs.counting():
        try:
            # Not a factor, which could itself be too large for a number.
            grown = collision._replace(density=ldexp(collision.density, growth)) if growth else collision
            parts.append(collision_inertia(grown, surroundings))
        except SdfInertiaError as error:
            raise error.within(location=fault_location(error, collision.solid), collision=collision.name) from None
    if inputs.overlaps is Overlaps.UNION and len(parts) > 1:
        # Loaded where volume is shared: it needs numpy and a library for boolean operations.
        from sdfinertia.links.overlaps import without_shared_volume

        parts = [part._replace(own=None) for part in without_shared_volume(parts, inputs.counting(), surroundings)]
    return parts


def _sum(parts: list[CollisionInertia]) -> SpatialInertia:
    total = parts[0].inertia
    for part in parts[1:]:
        total = total + part.inertia
    return total


def _is_too_small(inertia: SpatialInertia) -> bool:
    """Whether a mass or moment is so near to the least number that the products it was made of lost digits."""
    return not min(inertia.mass, *inertia.I_BBcm_B[:3]) > _LEAST


def _notes_of(parts: list[CollisionInertia], total: SpatialInertia, is_static: bool) -> Iterator[str]:
    for part in parts:
        for note in part.notes:
            yield f"collision {part.name!r}: {note}"
    if len(parts) > 1:
        yield from _notes_on_digits(parts, total)
    mass = total.mass
    extent = max(part.extent for part in parts)
    if not is_static and (extent > _LARGE_EXTENT or mass > _LARGE_MASS):
        size = f"{extent:g} m" if extent > _LARGE_EXTENT else f"{mass:g} kg"
        yield f"a link of {size}: {IN_MILLIMETRES}"


def _notes_on_digits(parts: list[CollisionInertia], total: SpatialInertia) -> Iterator[str]:
    """How many digits of the tensor hold, where parts are so far away that positions do not tell their distances."""
    far = max(abs(value) for part in parts for value in part.inertia.p_BoBcm_B)
    rounding = _ROUNDING_OF_DISTANCES * far
    if rounding > 10.0**-_DIGITS_TOLD * total.gyradius:
        digits = max(0, floor(-log10(rounding / total.gyradius)))
        yield (
            f"its parts are {far:.3g} m from its origin and {total.gyradius:.3g} m from their centre: "
            f"{digits} digits of the tensor hold"
        )
