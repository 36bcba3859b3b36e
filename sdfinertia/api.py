"""The public names of the package, which `sdfinertia` gives.

`body_of` is not public: `SpatialInertia.from_sdf` and its like, which lie below all that reads, take it from there.
"""

from sdfinertia import __version__, calculators, errors
from sdfinertia.comparing.comparison import Comparison, LinkComparison, compare
from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import FillResult, fill
from sdfinertia.documents.link_results import LinkResult
from sdfinertia.documents.meshes import MeshResult, mesh, mesh_is_closed, mesh_moments
from sdfinertia.documents.repairing import RepairResult, repair
from sdfinertia.documents.scaling import ScaleResult, scale
from sdfinertia.documents.showing import ShownBody, center_of_mass, inertials, show, total_mass
from sdfinertia.documents.showing import body_of as body_of  # noqa: PLC0414
from sdfinertia.editing.draft import Draft, open_draft
from sdfinertia.errors import Location, SdfInertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.polyline import extruded_polyline
from sdfinertia.inertia.rigid_transform import RigidTransform
from sdfinertia.inertia.solids import VolumeMoments, box, capsule, cone, cylinder, ellipsoid, sphere
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
    # Needs numpy, so it is imported by its name alone.
    "parametrization",  # noqa: F822
    "repair",
    "scale",
    "show",
    "sphere",
    "total_mass",
]
