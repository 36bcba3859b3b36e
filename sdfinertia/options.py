"""What can be asked of a run, as one value: the options of the command line, of configuration files and of the API."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from sdfinertia.errors import ConfigurationError
from sdfinertia.files.regular_file import MAXIMUM_BYTES
from sdfinertia.mesh.treatment import ERROR, OPEN_MESH_POLICIES, OVERLAPS, SUM

# Seventeen significant digits tell any two doubles apart; twelve leave room for the last bits that platforms differ in.
DEFAULT_DIGITS = 12
_MAXIMUM_DIGITS = 17

AXES = ("link", "principal")
GEOMETRIES = ("collision", "visual")
AUTO = ("remove", "false")


@dataclass(frozen=True)
class Options:
    """Options of `fill`; each is named as the long option is, with underscores.

    Attributes:
        missing: also fill links of non-static models that have collisions but no `<inertial>`.
        all: also recompute every link that has an `<inertial>`, keeping the mass that is there.
        link: globs on scoped link names that narrow the selection; empty means all.
        refresh: refill managed blocks that are stale.
        overwrite_edited: also refill managed blocks whose numbers were edited by hand.
        density: of collisions for which the file gives none (kg/m³); None means 1000.
        require_density: refuse to use the default density.
        total_mass: scale the selected links of each root model to this sum (kg).
        open_mesh: what becomes of meshes that are not closed ("error", "convex_hull", "voxel", "shell", "fill_holes",
            "divergence").
        voxel_size: edge of voxels (m); None chooses one for each mesh.
        thickness: of the walls of shells (m).
        overlaps: "sum", or "union" to count volume that solids of a link, or bodies of a mesh, share once.
        geometry: "visual" takes the visuals of links that have no collisions.
        skip_unsupported: pass over shapes without volume instead of refusing them.
        axes: "link" writes the tensor in link axes, "principal" in principal axes with a rotated pose.
        auto: "remove" the attribute `auto` of filled blocks, or set it to "false".
        digits: significant digits written.
        provenance: write the comment by which a filled block can be verified and refilled.
        keep_going: write a file although some of its links failed.
        resource_path: directories searched first for models and meshes.
        confine: refuse whatever resolves outside this directory.
        max_mesh_bytes: read no mesh file that is longer.
        recursive: follow local includes and fill those files too.
        exclude: globs of paths that are passed over.
        select, ignore: codes of rules, or their beginnings, that `check` looks for, or does not.
        tolerance: difference from the geometry's tensor that is no finding, as a part of its largest moment.
        spin: rate of turn at which stability is judged (rad/s).
        step: step of the simulation where the world gives none (s).

    Raises:
        ConfigurationError: a value is out of range.
    """

    missing: bool = False
    all: bool = False
    link: tuple[str, ...] = ()
    refresh: bool = True
    overwrite_edited: bool = False
    density: float | None = None
    require_density: bool = False
    total_mass: float | None = None
    open_mesh: str = ERROR
    voxel_size: float | None = None
    thickness: float | None = None
    overlaps: str = SUM
    geometry: str = "collision"
    skip_unsupported: bool = False
    axes: str = "link"
    auto: str = "remove"
    digits: int = DEFAULT_DIGITS
    provenance: bool = True
    keep_going: bool = False
    resource_path: tuple[str, ...] = ()
    confine: str | None = None
    max_mesh_bytes: int = MAXIMUM_BYTES
    recursive: bool = False
    exclude: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    tolerance: float = 0.1
    spin: float = 10.0
    step: float = 0.001

    def __post_init__(self) -> None:
        _require_positive("density", self.density)
        _require_positive("total-mass", self.total_mass)
        _require_positive("voxel-size", self.voxel_size)
        _require_positive("thickness", self.thickness)
        _require_positive("tolerance", self.tolerance)
        _require_positive("spin", self.spin)
        _require_positive("step", self.step)
        _require_positive("max-mesh-bytes", self.max_mesh_bytes)
        _require_choice("open-mesh", self.open_mesh, OPEN_MESH_POLICIES)
        _require_choice("overlaps", self.overlaps, OVERLAPS)
        _require_choice("geometry", self.geometry, GEOMETRIES)
        _require_choice("axes", self.axes, AXES)
        _require_choice("auto", self.auto, AUTO)
        if not 1 <= self.digits <= _MAXIMUM_DIGITS:
            raise ConfigurationError(f"digits must be from 1 to {_MAXIMUM_DIGITS}, not {self.digits}")

    def replaced(self, values: Mapping[str, Any]) -> Options:
        """These options with some values in place of their own."""
        return replace(self, **values) if values else self


def option_names() -> dict[str, str]:
    """Field name of each option by its long name, dashes and all."""
    return {field.name.replace("_", "-"): field.name for field in fields(Options)}


def _require_positive(name: str, value: float | None) -> None:
    if value is not None and not 0 < value < math.inf:
        shown = str(value) if isinstance(value, int) else f"{value:g}"  # not every integer is a float
        raise ConfigurationError(f"{name} must be a number above zero, not {shown}")


def _require_choice(name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise ConfigurationError(f"{name} must be one of {', '.join(choices)}, not {value!r}")
