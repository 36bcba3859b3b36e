"""The options of the command line, of configuration files and of Python: their values, and a table of them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from sys import float_info
from typing import Any, Literal, NamedTuple

from sdfinertia.errors import ConfigurationError, shorten
from sdfinertia.mesh import (
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
from sdfinertia.robot.numbers import parse_number

# Twelve significant digits leave room for last bits that differ by platform; seventeen distinguish any two doubles.
DEFAULT_DIGITS = 12
_MAXIMUM_DIGITS = 17

OptionValue = bool | int | float | str | tuple[str, ...] | None
# The options that a command line or configuration file gives, by the names of their fields.
Given = Mapping[str, Any]


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
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
            None keeps none. The command line takes SDFINERTIA_CACHE_DIR, else the user's cache directory.
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

    missing: bool = False
    all: bool = False
    link: tuple[str, ...] = ()
    refresh: bool = True
    overwrite_edited: bool = False
    density: float | None = None
    require_density: bool = False
    total_mass: float | None = None
    open_mesh: OpenMeshPolicy = OPEN_MESH_POLICIES[0]
    voxel_size: float | None = None
    thickness: float | None = None
    overlaps: OverlapsName = OVERLAPS[0]
    geometry: Literal["collision", "visual"] = "collision"
    skip_unsupported: bool = False
    accept_size: bool = False
    axes: Literal["link", "principal"] = "link"
    digits: int = DEFAULT_DIGITS
    provenance: bool = True
    keep_going: bool = False
    resource_path: tuple[str, ...] = ()
    confine: str | None = None
    cache: str | None = None
    no_cache: bool = False
    xacro_arg: tuple[str, ...] = ()
    trust_xacro: bool = False
    recursive: bool = False
    exclude: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    why: bool = True
    tolerance: float = 0.1
    strict: bool = False
    spin: float = 10.0
    step: float = 0.001

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            value = getattr(self, name)
            if value is not getattr(Options, name):
                object.__setattr__(self, name, option.checked(value, name))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and vars(self) == vars(other)

    def __hash__(self) -> int:
        return hash((*vars(self).values(),))

    def __repr__(self) -> str:
        given = (f"{name}={value!r}" for name, value in vars(self).items() if value != OPTIONS[name].default)
        return f"Options({', '.join(given)})"

    def mesh_treatment(self, method: Method = Method.EXACT) -> MeshTreatment:
        """Of meshes for which no file gives one."""
        return MeshTreatment(
            method, policy_named(self.open_mesh), self.voxel_size, self.thickness, Overlaps(self.overlaps)
        )

    @property
    def takes_visuals(self) -> bool:
        """True where visuals stand in for missing collisions."""
        return self.geometry == "visual"

    def replaced(self, values: Given) -> Options:
        """With some values in place of its own, by field name."""
        return replace(self, **values) if values else self


class Option(NamedTuple):
    """What is known of an option beside its default.

    Attributes:
        type: `str` for texts and paths; a tuple for one of some words.
        topic: its table in the reference.
        commands: those whose command line takes it, separated by blanks; configuration files and Python take all.
        metavar: DIR for directories, CODE for codes of rules.
    """

    name: str
    type: type | tuple[str, ...]
    help: str
    topic: str
    commands: str = ""
    metavar: str | None = None

    @property
    def long(self) -> str:
        return self.name.replace("_", "-")

    @property
    def default(self) -> Any:
        return getattr(Options, self.name, self.choices[0] if self.choices else None)

    @property
    def choices(self) -> tuple[str, ...]:
        return self.type if isinstance(self.type, tuple) else ()

    @property
    def is_list(self) -> bool:
        return isinstance(self.default, tuple)

    def checked(self, value: object, label: str) -> Any:
        """As `Options` holds it; lists, paths and numbers of numpy are taken."""
        held: Any = value
        if self.is_list and isinstance(value, (list, tuple)):
            held = tuple(os.fspath(each) if isinstance(each, os.PathLike) else each for each in value)
        elif self.type is str and isinstance(value, os.PathLike):
            held = os.fspath(value)
        elif self.type in (float, int) and getattr(value, "ndim", None) == 0:
            held = value.item()  # type: ignore[attr-defined]  # a number of numpy
        if not self._has_type(held):
            raise ConfigurationError(f"{label} must be {self._expected}, not {shown_value(value)}")
        if held is None:
            return None
        if self.choices and held not in self.choices:
            problem = f"{label} must be one of {', '.join(self.choices)}, not {shown_value(held)}"
            raise ConfigurationError(problem, remedy=instead_of(held))
        if self.type is int and not 1 <= held <= _MAXIMUM_DIGITS:
            raise ConfigurationError(f"{label} must be from 1 to {_MAXIMUM_DIGITS}, not {shown_value(held)}")
        if self.type is float:
            number = float(held) if 0.0 < held <= float_info.max else 0.0
            if number <= 0.0:
                raise ConfigurationError(f"{label} must be a number above zero, not {shown_value(held)}")
            return number
        if self.metavar == "CODE":
            return tuple(code.strip() for each in held for code in each.split(","))
        return held

    def read(self, text: str, label: str) -> Any:
        """The value that a robot description gives."""
        number = parse_number(text) if self.type is float else None
        return self.checked(text if number is None else number, label)

    def _has_type(self, value: object) -> bool:
        if value is None:
            return self.default is None
        if self.is_list:
            return isinstance(value, tuple) and all(map(_is_text, value))
        if self.type is float:
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        return type(value) is self.type if self.type in (bool, int) else _is_text(value)

    @property
    def _expected(self) -> str:
        if self.is_list:
            return "a list of strings"
        words: dict[Any, str] = {bool: "true or false", float: "a finite number", int: "a whole number"}
        return words.get(self.type, "a string")


def _is_text(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value


def shown_value(value: object) -> str:
    try:
        return shorten(repr(value))
    except ValueError:
        # Python writes no integer of more than 4,300 decimal digits, though it reads hexadecimal ones.
        return "a number of thousands of digits"


# The commands that read descriptions with all they refer to.
_READ = "fill check repair show compare"

OPTIONS: Mapping[str, Option] = {
    option.name: option
    for option in (
        Option("missing", bool, "Also fill links without <inertial>.", "links", "fill"),
        Option("all", bool, "Also fill hand-written ones, at their mass.", "links", "fill"),
        Option("link", str, "Only links of this name (repeatable).", "links", "fill check repair show", "GLOB"),
        Option("refresh", bool, "Fill stale blocks again.", "links"),
        Option("overwrite_edited", bool, "Also fill blocks that were edited by hand.", "links", "fill"),
        Option("density", float, "Density where none is given (default 1000).", "mass", "fill show mesh", "KG/M3"),
        Option("require_density", bool, "Refuse to use the default density.", "mass", "fill"),
        Option("total_mass", float, "Scale the links of each model to this sum.", "mass", "fill", "KG"),
        Option("open_mesh", OPEN_MESH_POLICIES, "Policy for open meshes.", "meshes", "fill mesh"),
        Option("voxel_size", float, "Edge of voxels (default: by the mesh).", "meshes", "fill mesh", "M"),
        Option("thickness", float, "Wall thickness of shells.", "meshes", "fill mesh", "M"),
        Option("overlaps", OVERLAPS, "Count shared volume once with union.", "meshes", "fill mesh"),
        Option("geometry", ("collision", "visual"), "With visual, where there are no collisions.", "meshes", "fill"),
        Option("skip_unsupported", bool, "Leave out shapes without volume.", "meshes", "fill"),
        Option("accept_size", bool, "Accept meshes that are hardly in metres.", "meshes", "fill"),
        Option("axes", ("link", "principal"), "Axes of the written tensor.", "block", "fill"),
        Option("digits", int, "Significant digits written (default 12).", "block", "fill", "N"),
        Option("provenance", bool, "Write the comment that check verifies.", "block", "fill"),
        Option("keep_going", bool, "Write a file even if links in it failed.", "block", "fill repair"),
        Option("resource_path", str, "Search for models and meshes here first.", "files", _READ, "DIR"),
        Option("confine", str, "Refuse files outside this directory.", "files", f"{_READ} edit lsp", "DIR"),
        Option("cache", str, "Directory of the cache.", "files", "", "DIR"),
        Option("no_cache", bool, "Use no cache.", "files", "fill check show mesh"),
        Option("xacro_arg", str, "An argument of xacro files (repeatable).", "files", _READ, "NAME:=VALUE"),
        Option("trust_xacro", bool, "Let xacro evaluate any Python.", "files", f"{_READ} edit lsp"),
        Option("recursive", bool, "Also fill locally included files.", "files", "fill"),
        Option("exclude", str, "Skip paths that match (repeatable).", "files", "fill check", "GLOB"),
        Option("select", str, "Only these rules: codes or beginnings, A,B.", "rules", "check repair", "CODE"),
        Option("ignore", str, "Not these rules.", "rules", "check repair", "CODE"),
        Option("why", bool, "Leave out the likely mistake of each finding.", "rules", "check"),
        Option("tolerance", float, "Difference that SDI204 allows (default 0.1).", "rules", "", "SHARE"),
        Option("strict", bool, "Minor findings fail too.", "rules", "check"),
        Option("spin", float, "Rate of rotation for SDI301 (default 10).", "rules", "", "RAD/S"),
        Option("step", float, "Step where the world gives none (default 0.001).", "rules", "", "S"),
    )
}

# Options that a repository must not set for itself, and why.
ONLY_ON_COMMAND_LINE = {
    "cache": "a repository could bring forged entries with it",
    "trust_xacro": "a repository brings the xacro as well",
}
# Options by their keys in configuration files.
KEYS = {option.long: option for name, option in OPTIONS.items() if name not in ONLY_ON_COMMAND_LINE}

# Numbers depend on these, so the provenance records them.
AFFECTS_RESULT = frozenset(
    ("density", "open_mesh", "voxel_size", "thickness", "overlaps", "geometry", "skip_unsupported", "axes", "digits")
)

# Elements by which a description says how its meshes are taken, by local name. A run has no option for two of them.
PARAMETERS: Mapping[str, Option] = {
    "method": Option("method", METHODS, "How the volume of a mesh is computed.", "meshes"),
    **{name: OPTIONS[name] for name in ("open_mesh", "voxel_size", "thickness", "overlaps")},
    "calculator": Option(
        "calculator",
        str,
        "Name of a calculator: an entry point in the group `sdfinertia.calculators`, or a function given to the API.",
        "meshes",
    ),
}


def merged_options(given: Given, configured: Given) -> Options:
    values: dict[str, Any] = {**configured, **given}
    if "xacro_arg" in given and "xacro_arg" in configured:
        values["xacro_arg"] = (*configured["xacro_arg"], *given["xacro_arg"])
    return Options(**values)


# Options, keys, values and names of rules that are gone, and what takes their place.
WITHDRAWN: Mapping[str, str] = {
    # Options and keys of configuration files.
    "cache": "set the environment variable SDFINERTIA_CACHE_DIR",
    "auto": "filling removes the attribute auto",
    "explain": "use `sdfinertia rules CODE`",
    "json": "use --format json, or of fill and repair --report FILE.json",
    "max-mesh-bytes": "a mesh may have 1 GiB",
    "statistics": "the summary counts the findings, and --format json lists their codes",
    "twins": "`sdfinertia check` compares a link with its twin",
    "unsafe-fixes": "use `sdfinertia fill --missing`",
    "watch": "`sdfinertia edit` shows a page that follows the file",
    "xacro-variant": "check the file once for each variant, with --xacro-arg",
    # Values of open-mesh.
    "divergence": "choose fill_holes or convex_hull",
    # Names of rules.
    "gyradius-beyond-shape": "write inertia-beyond-shape",
    "idle-suppression": "write unused-suppression",
    "lost-reference": "write unresolved-reference",
    "refused-for-rounding": "write rejected-for-rounding",
    "slip-beside-mesh": "write likely-mistake",
    "too-light-to-turn": "write inertia-below-shape",
}


def instead_of(word: str) -> str:
    """What takes the place of an option, key, value or name that is gone; "" for any other."""
    return WITHDRAWN.get(word.removeprefix("--"), "")
