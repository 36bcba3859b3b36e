"""The options of a run, as one value: of the command line, of configuration files and of the API.

An option is added here, at its field, and used where it counts; `sdfinertia.declaration` lists what follows from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal, NamedTuple

from sdfinertia.declaration import (
    CommandName,
    Declaration,
    Kind,
    OptionValue,
    choice,
    declaration_of,
    option,
)
from sdfinertia.mesh.method import (
    METHODS,
    OPEN_MESH_POLICIES,
    OVERLAPS,
    MeshTreatment,
    Method,
    OpenMeshPolicy,
    Overlaps,
    OverlapsName,
    policy_named,
)

# Seventeen significant digits distinguish any two doubles; twelve leave room for last bits that differ by platform.
DEFAULT_DIGITS = 12
_MAXIMUM_DIGITS = 17

# The commands that take an option: those that fill, write, check, explain, compute links or meshes, or read files.
_FILL: tuple[CommandName, ...] = ("fill",)
_WRITE: tuple[CommandName, ...] = ("fill", "repair")
_CHECK: tuple[CommandName, ...] = ("check", "lsp")
_FIND: tuple[CommandName, ...] = ("check", "repair", "lsp")
_COMPUTE: tuple[CommandName, ...] = ("fill", "repair", "show", "edit")
_MESHES: tuple[CommandName, ...] = ("fill", "repair", "show", "edit", "mesh")
_READ: tuple[CommandName, ...] = ("fill", "check", "repair", "show", "edit", "lsp", "compare")
_WALK: tuple[CommandName, ...] = _READ[:-1]


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options of `fill`; each is named as the long option is, with underscores.

    Attributes:
        missing: also fill links of non-static models that have collisions but no `<inertial>`.
        all: also recompute every link that has an `<inertial>`, keeping the mass that is there.
        link: globs on scoped link names, or without `::` on their last parts, that narrow the selection; empty means
            all. With `#2` behind it a name means the second link of that name in the file.
        refresh: refill managed blocks that are stale.
        overwrite_edited: also refill managed blocks whose numbers were edited by hand.
        density: of collisions for which the file gives none (kg/m³); None means 1000.
        require_density: refuse to use the default density.
        total_mass: scale the selected links of each root model to this sum (kg).
        open_mesh: policy for meshes that are not closed ("error", "convex_hull", "voxel", "shell", "fill_holes").
        voxel_size: edge of voxels (m); None chooses one for each mesh.
        thickness: of the walls of shells (m).
        overlaps: "sum", or "union" to count volume that solids of a link, or bodies of a mesh, share once.
        geometry: "visual" takes the visuals of links that have no collisions.
        skip_unsupported: skip shapes without volume instead of refusing them.
        accept_size: fill from meshes that are almost certainly not in metres.
        axes: "link" writes the tensor in link axes, "principal" in principal axes with a rotated pose.
        digits: significant digits written.
        provenance: write the comment by which a filled block can be verified and refilled.
        keep_going: write a file although some of its links failed.
        resource_path: directories searched first for models and meshes.
        confine: refuse whatever resolves outside this directory.
        cache: directory in which masses of meshes are kept from one run to the next, by the content of their files;
            None keeps none, but the command line has one by default.
        no_cache: keep none, and use none.
        xacro_arg: arguments of xacro files, `NAME:=VALUE`; with a glob and a blank before it, of paths that match.
        trust_xacro: xacro may evaluate any Python, and with `confine` read the environment.
        recursive: follow local includes and fill those files too.
        exclude: globs of paths that are skipped.
        select, ignore: codes of rules, or their beginnings, that `check` runs, or does not.
        why: search for the mistake that explains a finding, and for mistakes that leave a body (SDI210).
        tolerance: difference from the geometry's tensor that is accepted, as a part of its largest moment.
        strict: findings on links that hardly count in their robot fail too.
        spin: rate of turn at which stability is judged (rad/s).
        step: step of the simulation where the world gives none (s).

    Raises:
        ConfigurationError: a value is out of range, or of another type.
    """

    missing: bool = option(
        False, Kind.FLAG, "Also fill links without <inertial> in models that are not static.", "links", _FILL
    )
    all: bool = option(False, Kind.FLAG, "Also recompute hand-written inertials, keeping their mass.", "links", _FILL)
    link: tuple[str, ...] = option(
        (),
        Kind.TEXTS,
        "Only links whose scoped name matches (repeatable).",
        "links",
        ("fill", "check", "repair", "show", "scale"),
        "GLOB",
    )
    refresh: bool = option(True, Kind.FLAG, "Leave stale blocks as they are.", "links", _FILL)
    overwrite_edited: bool = option(
        False, Kind.FLAG, "Also fill blocks again that were edited by hand.", "links", _FILL
    )
    density: float | None = option(
        None,
        Kind.NUMBER,
        "Density where the file gives none (default 1000).",
        "mass",
        ("fill", "show", "mesh"),
        "KG/M3",
    )
    require_density: bool = option(False, Kind.FLAG, "Refuse to use the default density.", "mass", ("fill", "show"))
    total_mass: float | None = option(
        None, Kind.NUMBER, "Scale the selected links of each model to this sum.", "mass", _FILL, "KG"
    )
    open_mesh: OpenMeshPolicy = choice(OPEN_MESH_POLICIES, "Policy for non-watertight meshes.", "meshes", _MESHES)
    voxel_size: float | None = option(
        None, Kind.NUMBER, "Edge length of voxels (default: chosen for each mesh).", "meshes", _MESHES, "M"
    )
    thickness: float | None = option(None, Kind.NUMBER, "Wall thickness of shells.", "meshes", _MESHES, "M")
    overlaps: OverlapsName = choice(
        OVERLAPS, "Count overlapping volume for each solid (sum), or once (union).", "meshes", _MESHES
    )
    geometry: Literal["collision", "visual"] = choice(
        ("collision", "visual"), "With visual, use the visuals of links without collisions.", "meshes", _COMPUTE
    )
    skip_unsupported: bool = option(
        False, Kind.FLAG, "Leave out shapes without volume instead of refusing the link.", "meshes", _COMPUTE
    )
    accept_size: bool = option(
        False, Kind.FLAG, "Accept meshes that are almost certainly not in metres (SDI206).", "meshes", _WRITE
    )
    axes: Literal["link", "principal"] = choice(("link", "principal"), "Axes of the written tensor.", "block", _FILL)
    digits: int = option(
        DEFAULT_DIGITS,
        Kind.WHOLE,
        "Significant digits written (default 12).",
        "block",
        _WRITE,
        "N",
        maximum=_MAXIMUM_DIGITS,
    )
    provenance: bool = option(
        True, Kind.FLAG, "Omit the provenance comment, by which blocks can be checked.", "block", _FILL
    )
    keep_going: bool = option(False, Kind.FLAG, "Write a file even if some of its links failed.", "block", _WRITE)
    resource_path: tuple[str, ...] = option(
        (), Kind.DIRECTORIES, "Search for models and meshes here first.", "files", _READ, "DIR"
    )
    confine: str | None = option(None, Kind.DIRECTORY, "Refuse files outside this directory.", "files", _READ, "DIR")
    cache: str | None = option(
        None,
        Kind.DIRECTORY,
        "Keep the cache here (default: the user's cache directory).",
        "files",
        (*_READ, "mesh"),
        "DIR",
    )
    no_cache: bool = option(False, Kind.FLAG, "Disable the cache.", "files", (*_READ, "mesh"))
    xacro_arg: tuple[str, ...] = option(
        (), Kind.TEXTS, "Give xacro files an argument (repeatable).", "files", _READ, "NAME:=VALUE"
    )
    trust_xacro: bool = option(
        False, Kind.FLAG, "Let xacro evaluate any Python expression, and read the environment.", "files", _READ
    )
    recursive: bool = option(False, Kind.FLAG, "Also fill locally included files.", "files", _FILL)
    exclude: tuple[str, ...] = option(
        (), Kind.PATH_GLOBS, "Skip paths that match (repeatable).", "files", _WALK, "GLOB"
    )
    select: tuple[str, ...] = option(
        (), Kind.CODES, "Only these rules, by code or its beginning (repeatable, or A,B).", "rules", _FIND, "CODE"
    )
    ignore: tuple[str, ...] = option((), Kind.CODES, "Not these rules (repeatable, or A,B).", "rules", _FIND, "CODE")
    why: bool = option(True, Kind.FLAG, "Leave out the likely mistake of each finding.", "rules", _CHECK)
    tolerance: float = option(
        0.1, Kind.NUMBER, "Relative difference that SDI204 allows (default 0.1).", "rules", _CHECK, "SHARE"
    )
    strict: bool = option(
        False, Kind.FLAG, "Minor findings, on links that hardly count in their robot, also fail.", "rules", _CHECK
    )
    spin: float = option(10.0, Kind.NUMBER, "Rate of rotation for SDI301 (default 10).", "rules", _CHECK, "RAD/S")
    step: float = option(
        0.001, Kind.NUMBER, "Simulation step where the world gives none (default 0.001).", "rules", _CHECK, "S"
    )

    def __repr__(self) -> str:
        others = ((name, getattr(self, name)) for name in OPTIONS)
        given = (f"{name}={value!r}" for name, value in others if value != OPTIONS[name].default)
        return f"{type(self).__name__}({', '.join(given)})"

    def __post_init__(self) -> None:
        for name, declaration in OPTIONS.items():
            value = getattr(self, name)
            # Most are the default itself.
            if value is declaration.default:
                continue
            held = declaration.held(name, value)
            if held is not value:
                self.__dict__[name] = held

    def mesh_treatment(self, method: Method = Method.EXACT) -> MeshTreatment:
        """The treatment of meshes for which no file gives one.

        Args:
            method: of computing their volume, which a run has no option for.
        """
        return MeshTreatment(
            method, policy_named(self.open_mesh), self.voxel_size, self.thickness, Overlaps(self.overlaps)
        )

    @property
    def takes_visuals(self) -> bool:
        """Whether visuals stand in for collisions where a link has none."""
        return self.geometry == "visual"

    def replaced(self, values: Mapping[str, OptionValue]) -> Options:
        """These options with some values in place of their own, by field name.

        Raises:
            ConfigurationError: a value is out of range.
            TypeError: there is no such option, or a value is of another type than it holds.
        """
        for name, value in values.items():
            if name not in OPTIONS or not OPTIONS[name].accepts(value):
                raise TypeError(f"{value!r} is not a value of the option {name!r}")
        others = {name: value for name, value in values.items() if getattr(self, name) != value}
        # The loop has checked, as types cannot, that each value suits its field.
        return replace(self, **others) if others else self  # type: ignore[arg-type]


# Numbers depend on these, so the provenance records them.
_AFFECT_RESULT = frozenset(
    ("density", "open_mesh", "voxel_size", "thickness", "overlaps", "geometry", "skip_unsupported", "axes", "digits")
)
# The declaration of each option by the name of its field, in the order of the fields.
OPTIONS: Mapping[str, Declaration] = {
    field.name: declaration_of(field)._replace(affects_result=field.name in _AFFECT_RESULT) for field in fields(Options)
}
# Their names on the command line, in configuration and in the provenance.
LONG_NAMES = {name: name.replace("_", "-") for name in OPTIONS}

# Set by files, and by the command `mesh`, which has no file; it makes no sense for a whole run.
METHOD = Declaration(
    Kind.CHOICE,
    METHODS[0],
    "How the volume of a mesh is computed.",
    "meshes",
    ("mesh",),
    choices=METHODS,
)
_CALCULATOR = Declaration(
    Kind.TEXT,
    None,
    "Name of a calculator: an entry point in the group `sdfinertia.calculators`, or a function given to the API.",
    "meshes",
)
# Elements by which a description requests a way to compute, by local name, and the option that each corresponds to.
PARAMETERS: Mapping[str, Declaration] = {
    "method": METHOD,
    **{name: OPTIONS[name] for name in ("open_mesh", "voxel_size", "thickness", "overlaps")},
    "calculator": _CALCULATOR,
}


class Variant(NamedTuple):
    """Arguments with which a xacro file is checked; `given_in` is the configuration file."""

    name: str
    file: str
    arguments: tuple[str, ...]
    given_in: str


class GivenOptions(NamedTuple):
    """The options given in one command line or configuration file, and their names."""

    options: Options = Options()
    names: frozenset[str] = frozenset()
    variants: tuple[Variant, ...] = ()

    @classmethod
    def of(cls, values: Mapping[str, OptionValue]) -> GivenOptions:
        """The given values, by field name; codes may be separated by commas.

        Raises:
            ConfigurationError: a value is out of range; it names the option as users write it.
        """
        for name, value in values.items():
            if name in OPTIONS and OPTIONS[name].accepts(value):
                OPTIONS[name].held(LONG_NAMES[name], value)
        codes = {
            name: tuple(code.strip() for entry in value for code in entry.split(","))
            for name, value in values.items()
            if isinstance(value, tuple) and name in OPTIONS and OPTIONS[name].kind is Kind.CODES
        }
        return cls(Options().replaced({**values, **codes}), frozenset(values))

    def over(self, others: GivenOptions) -> Options:
        """These options, else those, else the defaults; arguments of xacro add up."""
        given = {name: getattr(self.options, name) for name in self.names}
        if "xacro_arg" in given:
            given["xacro_arg"] = (*others.options.xacro_arg, *self.options.xacro_arg)
        return others.options.replaced(given)
