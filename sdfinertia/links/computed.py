"""The inertia of a link: the sum of its collisions."""

from __future__ import annotations

from math import floor, frexp, ldexp, log10
from sys import float_info
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.inertia.inertial_text import InertialText, format_number, inertial_text
from sdfinertia.inertia.principal_axes import PrincipalAxes, moments_along
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, rotate, transpose
from sdfinertia.inertia.rigid_transform import product as rotation_product
from sdfinertia.inertia.spatial_inertia import SpatialInertia, welded
from sdfinertia.links.bodies import Body, body_of
from sdfinertia.links.inputs import DensitySource, Inputs, fault_location
from sdfinertia.links.provenance import Provenance, are_default, recorded_options, values_digest
from sdfinertia.mesh.method import Method, Overlaps
from sdfinertia.shapes import MeshShape

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sdfinertia.links.context import Context
    from sdfinertia.options import Options, OptionValue

# Rounding left by sums over many faces where a product is zero, as a part of the trace; it differs between processors.
_ROUNDING_OF_MESHES = 1e-13

# A link of this size or mass more often comes from a file in millimetres than is meant.
_LARGE_EXTENT = 10.0
_LARGE_MASS = 10_000.0

# Below this a product of a few factors may have had subnormal factors (below 2.2e-308), which have fewer digits.
_LEAST = 1e-290
# Rounding of the distance of two parts far from the origin, as a part of their positions.
_ROUNDING_OF_DISTANCES = 4.0 * float_info.epsilon
# Fewer digits than these are reported.
_DIGITS_REPORTED = 11


class Computed(NamedTuple):
    """A link that was computed, in its own frame.

    Attributes:
        inertia: scaled to the mass where one was given.
        parts: of the collisions, at their densities.
        bodies: the parts, or larger multiples of them where their masses are too small for double precision.
        hint: that a file may be in millimetres, or "".
    """

    options: Options
    inputs: Inputs
    inertia: SpatialInertia
    parts: tuple[Body, ...]
    notes: tuple[str, ...]
    bodies: tuple[Body, ...]
    hint: str = ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes, and the hint."""
        return (*self.notes, self.hint) if self.hint else self.notes

    @property
    def volume(self) -> float:
        """m³, without shared volume."""
        volume = 0.0
        for part in self.parts:
            volume += part.volume
        return volume

    def text(self) -> InertialText:
        inertia = self.inertia
        has_mesh = any(part.faces for part in self.parts)
        return inertial_text(
            inertia,
            digits=self.options.digits,
            principal_axes=self.options.axes == "principal",
            mass_text=self.inputs.mass_text,
            rounding=_ROUNDING_OF_MESHES * inertia.I_BBcm_B.trace if has_mesh else 0.0,
            axes=self.principal_axes,
        )

    def scaled_to(self, mass: float) -> Computed:
        """With another mass, which then counts as given."""
        text = format_number(mass, self.options.digits)
        return self._replace(
            inputs=self.inputs._replace(mass=float(text), mass_text=text),
            inertia=_sum(self.bodies).scaled_to_mass(float(text)),
        )

    def with_written_mass(self) -> Computed:
        """The result with its mass rounded as written, and the tensor in proportion.

        Without provenance the mass counts as given from then on: computed again, it gives these numbers.
        """
        if self.inputs.mass is not None:
            return self
        mass = float(format_number(self.inertia.mass, self.options.digits))
        return self._replace(inertia=_sum(self.bodies).scaled_to_mass(mass))

    def provenance(self, text: InertialText, numbers: Sequence[float]) -> Provenance:
        """The provenance of a text, with a digest of the numbers that a reader gets from it."""
        recorded = self._recorded_options()
        methods = sorted({part.method for part in self.parts} - {Method.EXACT})
        values = values_digest(numbers)
        return Provenance(self.inputs.mass is not None, recorded, tuple(methods), self.inputs.digest(recorded), values)

    def _recorded_options(self) -> dict[str, str]:
        """The options that shaped the numbers, by long name."""
        inputs, options = self.inputs, self.options
        if are_default(options):
            return {}
        used: dict[str, OptionValue] = {}
        methods = {part.name: part.method for part in self.parts}
        for solid in inputs.counting():
            if solid.density_source is DensitySource.OPTION:
                used["density"] = options.density
            if not isinstance(solid.shape, MeshShape):
                continue
            parameters, method = solid.parameters, methods.get(solid.name, Method.EXACT)
            if method not in (solid.treatment.method, Method.EXACT) and parameters.open_mesh is None:
                used["open_mesh"] = options.open_mesh
            if method is Method.VOXEL and parameters.voxel_size is None:
                used["voxel_size"] = options.voxel_size
            if method is Method.SHELL and parameters.thickness is None:
                used["thickness"] = options.thickness
            if parameters.overlaps is None:
                used["overlaps"] = options.overlaps
        if inputs.overlaps_by_option:
            used["overlaps"] = options.overlaps
        used["skip_unsupported"] = any(part.is_skipped for part in inputs.parts)
        used["geometry"] = "visual" if inputs.uses_visuals else "collision"
        used["axes"], used["digits"] = options.axes, options.digits
        return recorded_options(used)

    def principal_axes(self) -> PrincipalAxes:
        """Principal moments (kg·m²) and axes about the centre of mass.

        Moments are summed along these axes: in the link's axes the small moment of a turned thin body keeps few digits.
        """
        axes = self.inertia.principal()
        if axes.rotation == IDENTITY_ROTATION:
            return axes
        R_PL = transpose(axes.rotation)
        x, y, z = self.inertia.p_BoBcm_B
        sums, mass = [0.0, 0.0, 0.0], 0.0
        for part in self.bodies:
            tensor, R_LC = part.own if part.own is not None else (part.inertia.I_BBcm_B, IDENTITY_ROTATION)
            own = moments_along(rotation_product(R_PL, R_LC), tensor)
            px, py, pz = part.inertia.p_BoBcm_B
            u, v, w = rotate(R_PL, (px - x, py - y, pz - z))
            of_part = part.inertia.mass
            for axis, far in enumerate((v * v + w * w, u * u + w * w, u * u + v * v)):
                sums[axis] += own[axis] + of_part * far
            mass += of_part
        first, second, third = (moment * self.inertia.mass / mass for moment in sums)
        return PrincipalAxes((first, second, third), axes.rotation)


def compute(inputs: Inputs, options: Options, context: Context, *, is_static: bool = False) -> Computed:
    """The inertia of a link, scaled to the mass where one was given."""
    parts = bodies = _parts(inputs, context)
    unscaled = _sum(bodies)
    if _is_too_small(unscaled) and inputs.mass is not None:
        # Densities are only weights then; larger ones in the same proportion keep the digits of the numbers.
        room = float_info.max_exp - max(frexp(part.density)[1] for part in inputs.counting())
        bodies = _parts(inputs, context, growth=min(-frexp(unscaled.mass)[1], room))
        unscaled = _sum(bodies)
    total = unscaled if inputs.mass is None else unscaled.scaled_to_mass(inputs.mass)
    if _is_too_small(total) or (total is not unscaled and _is_too_small(unscaled)):
        moments = " ".join(f"{moment:g}" for moment in total.I_BBcm_B[:3])
        raise InertiaError(
            f"a mass of {total.mass:g} kg with moments of {moments} kg·m² is below the range of double precision",
            remedy="check the sizes and the densities",
        )
    if not total.is_physically_valid():
        raise InertiaError(
            f"the computed inertia is physically impossible: mass {total.mass:g} kg, principal moments "
            + " ".join(f"{moment:g}" for moment in total.principal_moments())
        )
    notes = (*inputs.notes, *_notes_of(parts, total))
    hint = "" if is_static else _hint_of_size(max([part.extent for part in parts]), total.mass)
    return Computed(options, inputs, total, tuple(parts), notes, tuple(bodies), hint)


def _parts(inputs: Inputs, context: Context, growth: int = 0) -> list[Body]:
    """The parts, at their densities times a power of two."""
    parts: list[Body] = []
    for collision in inputs.counting():
        try:
            # Not a factor, which could itself be too large for a number.
            grown = collision._replace(density=ldexp(collision.density, growth)) if growth else collision
            parts.append(body_of(grown, context))
        except SdfInertiaError as error:
            raise error.within(location=fault_location(error, collision.solid), collision=collision.name) from None
    if inputs.overlaps is Overlaps.UNION and len(parts) > 1:
        from sdfinertia.links.surfaces import without_shared_volume

        parts = [part._replace(own=None) for part in without_shared_volume(parts, inputs.counting(), context)]
    return parts


def _sum(bodies: Sequence[Body]) -> SpatialInertia:
    return welded([body.inertia for body in bodies])


def _is_too_small(inertia: SpatialInertia) -> bool:
    """Whether products lost digits near the least double."""
    return not min(inertia.mass, *inertia.I_BBcm_B[:3]) > _LEAST


def _notes_of(parts: list[Body], total: SpatialInertia) -> Iterator[str]:
    for part in parts:
        for note in part.notes:
            yield f"collision {part.name!r}: {note}"
    if len(parts) > 1:
        yield from _notes_on_digits(parts, total)


def _hint_of_size(extent: float, mass: float) -> str:
    if extent > _LARGE_EXTENT or mass > _LARGE_MASS:
        size = f"{extent:g} m" if extent > _LARGE_EXTENT else f"{mass:g} kg"
        return f"a link of {size}: is a file in millimetres?"
    return ""


def _notes_on_digits(parts: list[Body], total: SpatialInertia) -> Iterator[str]:
    far = max(abs(value) for part in parts for value in part.inertia.p_BoBcm_B)
    rounding = _ROUNDING_OF_DISTANCES * far
    if total.gyradius > 0.0 and rounding > 10.0**-_DIGITS_REPORTED * total.gyradius:
        digits = max(0, floor(-log10(rounding / total.gyradius)))
        yield (
            f"its parts are {far:.3g} m from its origin and {total.gyradius:.3g} m from their centre: "
            f"{digits} digits of the tensor hold"
        )
