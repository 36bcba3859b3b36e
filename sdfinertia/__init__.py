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

`sdfinertia.parametrization` has to be imported by its name: it needs numpy, which takes longer to load than all else.
"""

from __future__ import annotations

import sys

__version__ = "0.1.0"

if sys.argv[:1] == ["-m"] and "sdfinertia" in sys.orig_argv and not getattr(sys.flags, "safe_path", False):
    # `python -m sdfinertia` puts the current directory first: a checked tree could shadow modules from there.
    del sys.path[0]

from sdfinertia import calculators, errors
from sdfinertia.comparing.comparison import Comparison, LinkComparison, compare
from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import FillResult, fill
from sdfinertia.documents.meshes import MeshResult, mesh, mesh_is_closed, mesh_moments

# Not public: `SpatialInertia.from_sdf` and its like, which lie below all that reads, take it from here.
from sdfinertia.documents.notation import body_of as body_of
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
