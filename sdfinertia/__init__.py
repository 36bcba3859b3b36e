"""Computes, writes and checks the inertials of SDFormat robot models.

    >>> import sdfinertia
    >>> result = sdfinertia.fill("fixtures/rover/model.sdf")  # nothing is written yet
    >>> result.write("filled.sdf")  # notes, such as on a hard link that was broken
    []
    >>> wheel = sdfinertia.inertials("filled.sdf")["rover::front_left_wheel"]
    >>> wheel.mass
    1.85
    >>> print(wheel.as_mjcf())
    <inertial pos="0 -0.00256500207097 0" mass="1.85" fullinertia="..."/>

Conventions, here and in every module: lengths in m, masses in kg, densities in kg/m³, inertia in kg·m². A tensor is
about the centre of mass, in axes parallel to the frame it is given in; products of inertia are negative integrals,
`ixy = -∫ x y dm`. Monogram notation: `X_LC` is the pose of frame C in frame L, `p_BoBcm_B` the position of the centre
of mass of body B from its origin, `I_BBcm_B` its inertia about its centre of mass, both expressed in B. Rotations are
fixed-axis roll, pitch, yaw.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from sdfinertia import calculators, errors, parametrization
    from sdfinertia.comparing.comparison import Comparison, LinkComparison, compare
    from sdfinertia.documents.checking import check
    from sdfinertia.documents.filling import FillResult, fill
    from sdfinertia.documents.meshes import MeshResult, mesh, mesh_is_closed, mesh_moments
    from sdfinertia.documents.repairing import RepairResult, repair
    from sdfinertia.documents.scaling import ScaleResult, scale
    from sdfinertia.documents.showing import ShownBody, center_of_mass, inertials, show, total_mass
    from sdfinertia.editing.draft import Draft, open_draft
    from sdfinertia.errors import Location, SdfInertiaError
    from sdfinertia.inertia.polyline import extruded_polyline
    from sdfinertia.inertia.rigid_transform import RigidTransform
    from sdfinertia.inertia.solids import box, capsule, cone, cylinder, ellipsoid, sphere
    from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
    from sdfinertia.inertia.volume_moments import VolumeMoments
    from sdfinertia.links.filling import LinkResult
    from sdfinertia.options import Options
    from sdfinertia.rules.rule import Finding
    from sdfinertia.runs.many import FileResult, check_many, fill_many

# Where each public name lives. They are bound when first used, so that `import sdfinertia` costs nothing. `body_of`
# is not public: methods of `SpatialInertia` take it from here, since it lies above them.
_HOMES = {
    name: f"{__name__}.{module}"
    for module, names in {
        "comparing.comparison": ("Comparison", "LinkComparison", "compare"),
        "documents.checking": ("check",),
        "documents.filling": ("FillResult", "fill"),
        "documents.notation": ("body_of",),
        "documents.meshes": ("MeshResult", "mesh", "mesh_is_closed", "mesh_moments"),
        "documents.repairing": ("RepairResult", "repair"),
        "documents.scaling": ("ScaleResult", "scale"),
        "documents.showing": ("ShownBody", "center_of_mass", "inertials", "show", "total_mass"),
        "editing.draft": ("Draft", "open_draft"),
        "errors": ("Location", "SdfInertiaError"),
        "inertia.polyline": ("extruded_polyline",),
        "inertia.rigid_transform": ("RigidTransform",),
        "inertia.solids": ("box", "capsule", "cone", "cylinder", "ellipsoid", "sphere"),
        "inertia.spatial_inertia": ("InertiaTensor", "SpatialInertia"),
        "inertia.volume_moments": ("VolumeMoments",),
        "links.filling": ("LinkResult",),
        "options": ("Options",),
        "rules.rule": ("Finding",),
        "runs.many": ("FileResult", "check_many", "fill_many"),
    }.items()
    for name in names
}

# Rooms that are public as modules.
_MODULES = ("calculators", "errors", "parametrization")

__all__ = [
    "Comparison",
    "Draft",
    "FileResult",
    "FillResult",
    "Finding",
    "InertiaTensor",
    "LinkComparison",
    "LinkResult",
    "Location",
    "MeshResult",
    "Options",
    "RepairResult",
    "RigidTransform",
    "ScaleResult",
    "SdfInertiaError",
    "ShownBody",
    "SpatialInertia",
    "VolumeMoments",
    "__version__",
    "box",
    "calculators",
    "capsule",
    "center_of_mass",
    "check",
    "check_many",
    "compare",
    "cone",
    "cylinder",
    "ellipsoid",
    "errors",
    "extruded_polyline",
    "fill",
    "fill_many",
    "inertials",
    "mesh",
    "mesh_is_closed",
    "mesh_moments",
    "open_draft",
    "parametrization",
    "repair",
    "scale",
    "show",
    "sphere",
    "total_mass",
]


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """The package, in which a public function hides the room of the same name.

    Python sets each loaded module as an attribute of its package; `sdfinertia.mesh` must stay the function. Imports
    from the room still work.
    """

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name in _MODULES:
        return import_module(f"{__name__}.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
