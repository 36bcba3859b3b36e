"""The inertia of a link: the sum of the bodies of its collisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor, frexp, hypot, inf, isfinite, ldexp, log10, sqrt
from sys import float_info
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.errors import GeometryError, InertiaError, OpenMeshError, SdfInertiaError, ThicknessError, shown_path
from sdfinertia.inertia import InertiaTensor, SpatialInertia, welded
from sdfinertia.inertia.inertial_text import InertialText, format_number, inertial_text
from sdfinertia.inertia.principal_axes import PrincipalAxes, moments_along, principal_moments
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, rotate, transpose
from sdfinertia.inertia.rigid_transform import product as rotation_product
from sdfinertia.links.inputs import (
    Body,
    DensitySource,
    Inputs,
    Part,
    Provenance,
    are_default,
    fault_location,
    recorded_options,
    values_digest,
)
from sdfinertia.mesh import MeshSource, Method, Overlaps, open_policies
from sdfinertia.options import Options, OptionValue
from sdfinertia.robot.inertial import Written
from sdfinertia.robot.numbers import half_unit
from sdfinertia.robot.poses import product
from sdfinertia.shapes import MeshShape, NoVolume, largest_dimension

if TYPE_CHECKING:
    from sdfinertia.links.context import Context


def body_of(part: Part, context: Context) -> Body:
    shape, density = part.shape, part.density
    if isinstance(shape, NoVolume):
        raise GeometryError(str(shape))
    if isinstance(shape, MeshShape):
        body = _mesh(part, shape, context)
    else:
        # The inertia first: it refuses shapes that are no solids and so have no size.
        body = _body(part, shape.name, Method.EXACT, shape.inertia(density), largest_dimension(shape))
    inertia = body.inertia
    if part.mass is not None and inertia.mass > 0.0:
        density = density * part.mass / inertia.mass
        inertia = inertia.scaled_to_mass(part.mass)
    if not (0.0 < inertia.mass < inf and isfinite(inertia.I_BBcm_B.trace)):
        raise InertiaError(f"its size and density give a mass of {inertia.mass:g} kg, which overflows double precision")
    X_LC = product(part.placement)
    own = (inertia.I_BBcm_B, X_LC.rotation) if X_LC.rotation != IDENTITY_ROTATION else None
    return body._replace(inertia=inertia.transformed(X_LC), density=density, own=own)


def _body(part: Part, shape: str, method: Method | str, inertia: SpatialInertia, *others: Any) -> Body:
    """A part as a body of its density, in its own frame."""
    return Body(part.name, shape, method, inertia, part.density, part.density_source, *others)


def _mesh(part: Part, shape: MeshShape, context: Context) -> Body:
    source = shape.source(part.mesh_path)
    calculator = part.parameters.calculator
    if calculator is not None:
        return _calculated(part, shape, source, calculator, context)
    try:
        solid = context.meshes.solid(source, part.treatment, shape.scale)
    except OpenMeshError as error:
        if part.treatment.method is Method.EXACT and part.treatment.open_mesh is None:
            path = shown_path(part.mesh_path, part.solid.link.file)
            choices = f"--open-mesh or {part.solid.link.phrases.parameter.format('open_mesh')}"
            remedy = open_policies(part.treatment, path, one_sided=error.one_sided, choices=choices)
            raise error.with_remedy(remedy) from None
        raise
    except ThicknessError as error:
        raise error.with_remedy(
            f"give {part.solid.link.phrases.parameter.format('thickness')}, or --thickness"
        ) from None
    inertia, extent = solid.spatial_inertia(part.density), max(solid.extent)
    return _body(part, shape.name, solid.method, inertia, extent, solid.faces, solid.uncertainty, solid.notes)


def _calculated(part: Part, shape: MeshShape, source: MeshSource, name: str, context: Context) -> Body:
    from sdfinertia.calculators import CalculatorMesh, calculated, find_calculator

    mesh = context.meshes.mesh(source)
    calculator = find_calculator(name, context.calculators)
    request = CalculatorMesh(mesh.vertices, mesh.faces, shape.uri, shape.scale)
    found = calculated(name, calculator, part.density, request, dict(part.parameters.others))
    inertia = found if isinstance(found, SpatialInertia) else found.spatial_inertia(part.density)
    notes = () if isinstance(found, SpatialInertia) else found.notes
    extent = max(shape.bounds(part.mesh_path, context.meshes).sizes)
    notes = (*mesh.notes, *notes, f"computed by the calculator {name!r}")
    return _body(part, shape.name, f"calculator:{name}", inertia, extent, len(mesh.faces), 0.0, notes)


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
        bodies: the parts, or larger multiples of them where their masses are too small for double precision.
    """

    options: Options
    inputs: Inputs
    inertia: SpatialInertia  # scaled to the mass where one was given
    parts: tuple[Body, ...]  # of the collisions, at their densities
    notes: tuple[str, ...]
    bodies: tuple[Body, ...]
    hint: str = ""  # that a file may be in millimetres, or ""

    @property
    def remarks(self) -> tuple[str, ...]:
        return (*self.notes, self.hint) if self.hint else self.notes

    @property
    def volume(self) -> float:
        """m³, without shared volume."""
        volume = 0.0
        for part in self.parts:  # not `sum`, which rounds in another way on newer Pythons
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

    def provenance(self, numbers: Sequence[float]) -> Provenance:
        recorded = self._recorded_options()
        methods = sorted({part.method for part in self.parts} - {Method.EXACT})
        values = values_digest(numbers)
        return Provenance(self.inputs.mass is not None, recorded, tuple(methods), self.inputs.digest(recorded), values)

    def _recorded_options(self) -> dict[str, str]:
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
        problem = f"a mass of {total.mass:g} kg with moments of {moments} kg·m² is below the range of double precision"
        raise InertiaError(problem, remedy="check the sizes and the densities")
    if not total.is_physically_valid():
        moments = " ".join(f"{moment:g}" for moment in total.principal_moments())
        problem = f"the computed inertia is physically impossible: mass {total.mass:g} kg, principal moments {moments}"
        raise InertiaError(problem)
    of_parts = (f"collision {part.name!r}: {note}" for part in parts for note in part.notes)
    notes = (*inputs.notes, *of_parts, *(_notes_on_digits(parts, total) if len(parts) > 1 else ()))
    hint = "" if is_static else _hint_of_size(max([part.extent for part in parts]), total.mass)
    return Computed(options, inputs, total, tuple(parts), notes, tuple(bodies), hint)


def _parts(inputs: Inputs, context: Context, growth: int = 0) -> list[Body]:
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
    return not min(inertia.mass, *inertia.I_BBcm_B[:3]) > _LEAST


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
        away = f"its parts are {far:.3g} m from its origin and {total.gyradius:.3g} m from their centre"
        yield f"{away}: {digits} digits of the tensor hold"


# A written block beside the computed one ------------------------------------------------------------------------------

# Differences below this part of a number's scale are no finding: a mesh exported again moves its last bits.
_RELATIVE_SLACK = 1e-9
# How far rounding may move a number of a turned tensor, as a part of its trace.
_TURNING = 1e-13


def differs_from(computed: Computed, written: Written, *, mass_given: bool) -> bool:
    """Whether a number differs by more than half a unit of its last digit and a sliver of its scale.

    The scale is the size of the body for the centre, the moment itself for a moment, the geometric mean of its two
    moments, which bounds it, for a product. A given mass is not compared.
    """
    digits = computed.options.digits
    new, old = computed.inertia, written.inertia
    x, y, z = new.p_BoBcm_B
    size = max(sqrt(x * x + y * y + z * z), new.gyradius)
    pairs = [(a, b, size, 0.0) for a, b in zip(new.p_BoBcm_B, old.p_BoBcm_B, strict=True)]
    if not mass_given:
        pairs.append((new.mass, old.mass, new.mass, 0.0))
    pairs += _moments(computed, written, digits)
    # `not ... <=` so that a NaN differs.
    return any(
        not abs(a - b) <= half_unit(b, digits) + rounding + _RELATIVE_SLACK * scale for a, b, scale, rounding in pairs
    )


def _moments(computed: Computed, written: Written, digits: int) -> Iterator[tuple[float, float, float, float]]:
    new, old = computed.inertia.I_BBcm_B, written.inertia.I_BBcm_B
    noise = _TURNING * new.trace
    # A tensor in other axes than the link's was rounded there, and turned when it was read.
    turned = noise + _rounding(written.tensor, digits) if written.tensor != old else 0.0
    for a, b in zip(new[:3], old[:3], strict=True):
        yield a, b, a, turned
    squares = (new.ixx * new.iyy, new.ixx * new.izz, new.iyy * new.izz)
    for a, b, square in zip(new[3:], old[3:], squares, strict=True):
        yield a, b, sqrt(abs(square)), noise + turned
    is_diagonal = written.tensor[3:] == (0.0, 0.0, 0.0)
    rounding = 0.0 if is_diagonal else noise + _rounding(written.tensor, digits)
    moments = sorted(computed.principal_axes().moments)
    for a, b in zip(moments, principal_moments(written.tensor), strict=True):
        yield a, b, a, rounding


def _rounding(tensor: InertiaTensor, digits: int) -> float:
    """How far rounding the entries of a tensor moves its eigenvalues at most (Weyl; Frobenius norm)."""
    moments, products = tensor[:3], tensor[3:]
    return hypot(*(half_unit(value, digits) for value in (*moments, *products, *products)))
