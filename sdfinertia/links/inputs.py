"""What goes into the inertia of a link, by file and options; and the comment by which a filled block is verified.

<!-- sdfinertia: [mass=given] [OPTION=VALUE ...] [method=NAMES] inputs=HEX12 values=HEX12 -->

OPTION: inputs of a recomputation that are not in the file. `method` names the method that replaced exact integration.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import ConfigurationError, GeometryError, InertiaError, Location, SdfInertiaError, shorten
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.rigid_transform import Rotation
from sdfinertia.mesh import MeshTreatment, Method, Overlaps, policy_named
from sdfinertia.options import AFFECTS_RESULT, OPTIONS, Option, Options, OptionValue
from sdfinertia.robot import COLLISION, VISUAL, Link, Solid, given
from sdfinertia.robot.inertial import DEFAULT_DENSITY, InertiaParameters
from sdfinertia.robot.names import filled_entries
from sdfinertia.robot.numbers import parse_number
from sdfinertia.robot.poses import Placement
from sdfinertia.shapes import MeshShape, NoVolume, Polyline, Primitive, Shape

if TYPE_CHECKING:
    from sdfinertia.links.context import Context

# Version of the inputs of a digest. A block with another version is computed, and clean if its numbers hold.
_DIGEST_FORMAT = 1
_DIGEST_LENGTH = 12
# Between the inputs of a digest.
_SEPARATOR = "\x1f"


class DensitySource(str, Enum):
    """The values are the words of reports."""

    COLLISION = "collision"
    LINK = "link"
    OPTION = "option"
    DEFAULT = "default"

    def __str__(self) -> str:
        return self.value


class Part(NamedTuple):
    name: str
    solid: Solid
    shape: Shape
    density: float  # in kg/m³
    density_source: DensitySource
    placement: Placement = ()  # the paths whose product is X_LG, the pose of the geometry in the link frame
    parameters: InertiaParameters = InertiaParameters()
    treatment: MeshTreatment = MeshTreatment()  # of a mesh, by file and options
    mesh_path: str = ""
    mesh_digest: str = ""  # of the content of the mesh file
    mass: float | None = None  # of its own (kg), in place of the density
    counts: bool = True  # whether it adds to the mass
    is_skipped: bool = False  # whether it has no volume and is skipped as requested

    def digest_text(self, number: int) -> str:
        """All inputs of the result as `number:name=value`, in a fixed order; names of solids and files are none.

        Written out by name, since the digest is in people's files; `repr` of a float is the same on every Python.
        """
        if not self.counts:
            return f"{number}:without mass"
        shape, between = self.shape, f"{_SEPARATOR}{number}:"
        if isinstance(shape, Primitive):
            text = f"{number}:shape={shape.kind}{between}dimensions={_numbers(shape.dimensions)}"
        elif isinstance(shape, Polyline):
            loops = zip(shape.heights, shape.loops, strict=True)
            parts = (f"height={height!r}{between}points={';'.join(map(_numbers, loop))}" for height, loop in loops)
            text = between.join([f"{number}:shape=polyline", *parts])
        else:
            assert isinstance(shape, MeshShape), "a shape without volume does not count"
            text = f"{number}:{between.join(self._mesh_parts(shape))}"
        source = self.density_source
        given = source is DensitySource.COLLISION or source is DensitySource.LINK
        text += f"{between}density={self.density if given else ''}"
        if self.mass is not None:
            text += f"{between}mass={self.mass!r}"
        for path in self.placement:
            text += f"{between}pose={path.text}"
        return text

    def _mesh_parts(self, shape: MeshShape) -> Iterator[str]:
        parameters = self.parameters
        yield "shape=mesh"
        yield f"content={self.mesh_digest}"
        yield f"scale={_numbers(shape.scale)}"
        if shape.submesh is not None:
            yield f"submesh={shape.submesh}"
            yield f"center={shape.center}"
        if shape.optimization:
            yield f"optimization={shape.optimization}"
            yield f"max_convex_hulls={shape.max_convex_hulls}"
            yield f"voxel_resolution={shape.voxel_resolution}"
        yield f"method={parameters.method or ''}"
        yield f"open_mesh={parameters.open_mesh or ''}"
        yield f"overlaps={parameters.overlaps or ''}"
        yield f"voxel_size={_number(parameters.voxel_size)}"
        yield f"thickness={_number(parameters.thickness)}"
        if parameters.calculator is not None:
            yield f"calculator={parameters.calculator}"
            for name, value in parameters.others:
                yield f"parameter:{name}={value}"


def _number(value: float | None) -> str:
    return repr(value) if value is not None else ""


def _numbers(values: tuple[float, ...]) -> str:
    return " ".join(map(repr, values))


class Inputs(NamedTuple):
    parts: tuple[Part, ...]
    mass: float | None  # the mass that was given (kg), or None; `mass_text` as written
    mass_text: str | None
    overlaps: Overlaps
    overlaps_by_option: bool  # whether an option, not the file, decides how shared volume counts
    uses_visuals: bool
    notes: tuple[str, ...]
    assumes_density: bool = False  # whether the default density shapes the numbers

    def counting(self) -> list[Part]:
        return [part for part in self.parts if part.counts]

    def digest(self, recorded_options: Mapping[str, str]) -> str:
        mass = repr(self.mass) if self.mass is not None else ""
        parts = [f"format={_DIGEST_FORMAT}", f"mass={mass}", f"overlaps={self.overlaps._value_}"]
        parts += [part.digest_text(number) for number, part in enumerate(self.parts)]
        if recorded_options:
            parts += [f"option:{name}={value}" for name, value in sorted(recorded_options.items())]
        return digest(parts)


class Body(NamedTuple):
    """The part of one collision in its link.

    Attributes:
        method: how its volume was found; `calculator:NAME` where a calculator did.
        inertia: in the link frame.
        extent: largest dimension, in its own frame (m).
        faces: triangles of a mesh, or 0.
        uncertainty: relative error of its mass.
        own: its tensor in its own axes, and their rotation R_LC, where that is more precise than the link's axes.
    """

    name: str
    shape: str
    method: Method | str
    inertia: SpatialInertia
    density: float
    density_source: DensitySource
    extent: float
    faces: int = 0
    uncertainty: float = 0.0
    notes: tuple[str, ...] = ()
    own: tuple[InertiaTensor, Rotation] | None = None

    @property
    def volume(self) -> float:
        return self.inertia.mass / self.density


def read_inputs(link: Link, options: Options, context: Context, mass_given: bool = False) -> Inputs:
    link_density = given(link.request.density)
    mass, mass_text = (link.given_mass() if mass_given else None) or (None, None)
    notes: list[str] = []
    solids = link.solids(COLLISION)
    uses_visuals = not solids and options.takes_visuals
    if uses_visuals:
        solids = link.solids(VISUAL)
        notes.append("has no collisions; its visuals are used")
    parts: list[Part] = []
    for solid in solids:
        try:
            parts.append(_read_part(solid, link_density, options, context, notes))
        except SdfInertiaError as error:
            raise error.within(location=fault_location(error, solid), collision=solid.name) from None
    counting = [part for part in parts if part.counts]
    if not parts:
        problem = f"the link has no collisions{' and no visuals' if options.takes_visuals else ''}"
        raise InertiaError(f"{problem} to compute an inertia from", remedy=f"add one, or {link.phrases.no_request}")
    if not counting:
        if all(part.is_skipped for part in parts):
            raise GeometryError("no collision of the link has a volume")
        raise InertiaError("every collision of the link has density zero, so it has no mass")
    notes += _exclusions(parts)
    assumed = [part for part in counting if part.density_source is DensitySource.DEFAULT]
    if mass is not None and len(assumed) == len(counting):
        assumed = []  # they are only weights
    if assumed and options.require_density:
        place, remedy = assumed[0].solid.location(), f"add {link.phrases.density}, or use --density"
        raise InertiaError("no density is given", remedy=remedy, location=place, collision=assumed[0].name)
    own = given(link.request.parameters).overlaps
    overlaps = Overlaps.UNION if (own or options.overlaps) == Overlaps.UNION._value_ else Overlaps.SUM
    return Inputs(tuple(parts), mass, mass_text, overlaps, own is None, uses_visuals, tuple(notes), bool(assumed))


def fault_location(error: SdfInertiaError, solid: Solid) -> Location:
    dimension = solid.size if isinstance(error, GeometryError) else None
    return (dimension or solid.element).location()


def _read_part(solid: Solid, link_density: float | None, options: Options, context: Context, notes: list[str]) -> Part:
    parameters, own_density, mass = given(solid.parameters), given(solid.density), given(solid.mass)
    if parameters.notes:
        notes += (f"collision {solid.name!r}: {note}" for note in parameters.notes)
    density, source = _density_of(own_density, mass, link_density, options)
    shape = solid.shape()
    if isinstance(shape, NoVolume) or not density > 0.0:
        is_skipped = isinstance(shape, NoVolume) and options.skip_unsupported
        if isinstance(shape, NoVolume) and density > 0.0 and not is_skipped:
            raise GeometryError(str(shape), remedy="use --skip-unsupported to leave it out of the mass")
        return Part(solid.name, solid, shape, density, source, counts=False, is_skipped=is_skipped)
    placement = solid.placement(context)
    if not isinstance(shape, MeshShape):
        return Part(solid.name, solid, shape, density, source, placement, parameters, mass=mass)
    path = solid.mesh_path(shape.uri, context)
    content = context.meshes.digest(path)
    treatment = _treatment_of(shape, parameters, options)
    return Part(solid.name, solid, shape, density, source, placement, parameters, treatment, path, content, mass)


def _density_of(
    own: float | None, mass: float | None, link_density: float | None, options: Options
) -> tuple[float, DensitySource]:
    if mass is not None:
        # A mass of zero excludes it as a density of zero does.
        own = (own or DEFAULT_DENSITY) if mass else 0.0
    if own is not None:
        return own, DensitySource.COLLISION
    if link_density is not None:
        return link_density, DensitySource.LINK
    if options.density is not None:
        return options.density, DensitySource.OPTION
    return DEFAULT_DENSITY, DensitySource.DEFAULT


def _treatment_of(mesh: MeshShape, parameters: InertiaParameters, options: Options) -> MeshTreatment:
    method = Method(parameters.method or mesh.optimization or Method.EXACT)
    return MeshTreatment(
        # `fill` does not write the wrong volume that MuJoCo computes by default.
        method=Method.EXACT if method is Method.LEGACY else method,
        open_mesh=policy_named(parameters.open_mesh or options.open_mesh),
        voxel_size=parameters.voxel_size or options.voxel_size,
        thickness=parameters.thickness or options.thickness,
        overlaps=Overlaps(parameters.overlaps or options.overlaps),
        max_convex_hulls=mesh.max_convex_hulls,
        voxel_resolution=mesh.voxel_resolution,
    )


def _exclusions(collisions: list[Part]) -> Iterator[str]:
    for collision in collisions:
        if collision.is_skipped and isinstance(collision.shape, NoVolume):
            yield f"collision {collision.name!r} is skipped: {collision.shape}"
        elif collision.density == 0.0:
            yield f"collision {collision.name!r} has density zero and adds no mass"


# Provenance -----------------------------------------------------------------------------------------------------------


class Provenance(NamedTuple):
    mass_given: bool
    options: Mapping[str, str]
    methods: tuple[str, ...]
    inputs: str
    values: str

    def comment(self) -> str:
        entries = ["mass=given"] if self.mass_given else []
        entries += [f"{name}={value}" for name, value in sorted(self.options.items())]
        if self.methods:
            # Names of calculators are others' words: in a comment two dashes would end it.
            names = (re.sub(r"[^A-Za-z0-9_.:]+", "_", name) for name in self.methods)
            entries.append(f"method={','.join(names)}")
        return f"<!-- sdfinertia: {' '.join([*entries, f'inputs={self.inputs}', f'values={self.values}'])} -->"

    def applied_to(self, options: Options) -> Options:
        return with_defaults(options).replaced(self._values())

    def completing(self, options: Options) -> Options:
        given = {name for name, value in _DEFAULTS.items() if getattr(options, name) != value}
        return options.replaced(self._values(given))

    def _values(self, given: Collection[str] = ()) -> dict[str, OptionValue]:
        values: dict[str, OptionValue] = {}
        for name, text in self.options.items():
            field = name.replace("-", "_")
            if field in given:
                continue
            value = _value(_SHAPING[field], text) if field in _SHAPING else None
            if value is None:
                what = f"the provenance comment records {name}={shorten(text)}, "
                if (field, text) == ("open_mesh", "divergence"):
                    remedy = "fill it again by another policy: `fill --all --open-mesh ...`"
                    raise ConfigurationError(f"{what}a policy that is gone", remedy=remedy)
                remedy = "take the comment out to keep the numbers as hand-written, or set auto to fill them again"
                raise ConfigurationError(f"{what}which this version does not know", remedy=remedy)
            values[field] = value
        return values


# The options that shape a block, which a comment may record.
_SHAPING = {name: option for name, option in OPTIONS.items() if name in AFFECTS_RESULT}
_DEFAULTS = {name: option.default for name, option in _SHAPING.items()}


def with_defaults(options: Options) -> Options:
    """With all that shapes a block at its default."""
    return options.replaced({name: value for name, value in _DEFAULTS.items() if getattr(options, name) != value})


def are_default(options: Options) -> bool:
    return all(getattr(options, name) == value for name, value in _DEFAULTS.items())


def recorded_options(used: Mapping[str, OptionValue]) -> dict[str, str]:
    return {_SHAPING[name].long: _text(value) for name, value in used.items() if value != _DEFAULTS[name]}


def _text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).removesuffix(".0")


def _value(option: Option, text: str) -> OptionValue:
    """None for text that the option does not take."""
    if option.type is bool:
        return True if text == "true" else None
    if option.type is int:
        return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else None
    if option.type is float:
        return parse_number(text)
    return text if not option.choices or text in option.choices else None


def parse_provenance(comment: str) -> Provenance | None:
    entries = filled_entries(comment)
    if entries is None:
        return None
    inputs, values = entries.pop("inputs"), entries.pop("values")
    mass_given = entries.pop("mass", "") == "given"
    methods = tuple(name for name in entries.pop("method", "").split(",") if name)
    return Provenance(mass_given, entries, methods, inputs, values)


def digest(parts: Iterable[str]) -> str:
    text = _SEPARATOR.join(parts)
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:_DIGEST_LENGTH]


def values_digest(numbers: Sequence[float]) -> str:
    """By value: `repr` differs for any two floats and is the same on every Python."""
    text = repr((*numbers,))
    if "-0.0" in text:
        # Zero has one sign.
        text = repr((*(number + 0.0 for number in numbers),))
    return digest(text[1:-1].split(", "))


class Status(str, Enum):
    """The state of a block, or the result of a run for its link; the values are the words of reports.

    Attributes:
        word: that of pages, which show the file as it is.
    """

    word: str

    def __new__(cls, value: str, word: str = "") -> Status:
        status = str.__new__(cls, value)
        status._value_, status.word = value, word or value
        return status

    # Filled before, and still what the file gives; nothing is reported.
    CLEAN = "clean", "written"

    FILLED = "filled", "filled now"
    # Its block was stale.
    REFILLED = "refilled", "filled now"
    # Its mistake was undone.
    REPAIRED = "repaired", "filled now"
    # Its written numbers were scaled.
    SCALED = "scaled", "filled now"
    # Computed, but not written because another link of the file failed.
    WITHHELD = "withheld"
    # Its inputs changed, and it was left so.
    STALE = "stale"
    # Edited by hand, and left so.
    EDITED = "edited"
    LEFT = "left"
    FAILED = "failed", "refused"

    # Of pages alone: an explicit inertial that was not filled, or whose status is unknown.
    WRITTEN = "written"
    # It requests to be filled, or a run that wrote would fill it.
    WOULD_BE_FILLED = "would be filled"
    # A mesh file, which has nothing written.
    COMPUTED = "computed"
    NOTHING = "no inertial"
    UNREADABLE = "unreadable"

    def __str__(self) -> str:
        return str.__str__(self)
