"""Mesh files and their triangles: read, diagnosed, repaired, integrated, cached.

Here: the part of a file that counts, how its triangles become a solid, that solid, and the libraries for it.
"""

from __future__ import annotations

import functools
import os
import shlex
from collections.abc import Sequence
from enum import Enum
from hashlib import sha256
from importlib import import_module
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

from sdfinertia import __version__
from sdfinertia.errors import MeshError, install_advice

if TYPE_CHECKING:
    from sdfinertia.inertia import SpatialInertia
    from sdfinertia.inertia.solids import VolumeMoments


class Method(str, Enum):
    """How the volume of a mesh is found; the values are the words of files, options and reports."""

    EXACT = "exact"
    VOXEL = "voxel"
    CONVEX_HULL = "convex_hull"
    CONVEX_DECOMPOSITION = "convex_decomposition"
    SHELL = "shell"
    FILL_HOLES = "fill_holes"
    DIVERGENCE = "divergence"
    # MuJoCo's: tetrahedra that all count as positive, and the faces alone.
    LEGACY = "legacy"
    SURFACE = "surface"

    def __str__(self) -> str:
        return self.value


class Overlaps(Enum):
    """How often volume that bodies share counts: for each of them, or once."""

    SUM = "sum"
    UNION = "union"


_REFUSED: Final = "error"
# The words of files and options, the defaults first; as types for editors, which complete them.
MethodName = Literal["exact", "voxel", "convex_hull", "convex_decomposition", "shell"]
OpenMeshPolicy = Literal["error", "convex_hull", "voxel", "shell", "fill_holes"]
OverlapsName = Literal["sum", "union"]
METHODS: tuple[MethodName, ...] = get_args(MethodName)
OPEN_MESH_POLICIES: tuple[OpenMeshPolicy, ...] = get_args(OpenMeshPolicy)
OVERLAPS: tuple[OverlapsName, ...] = get_args(OverlapsName)


# Methods whose result for a stretched mesh is the stretched result; the others have a length of their own.
COMMUTE_WITH_SCALE = (Method.EXACT, Method.CONVEX_HULL, Method.DIVERGENCE, Method.FILL_HOLES)


def policy_named(word: str) -> Method | None:
    return None if word == _REFUSED else Method(word)


Factors = tuple[float, float, float]
NO_SCALE: Factors = (1.0, 1.0, 1.0)


class MeshSource(NamedTuple):
    """The part of a mesh file that counts: a submesh, or all of it, whose bounding box may be centred on the origin."""

    path: str
    submesh: str | None = None
    center: bool = False


class MeshTreatment(NamedTuple):
    method: Method = Method.EXACT
    open_mesh: Method | None = None  # the method for an open mesh where `method` is exact; None refuses it
    voxel_size: float | None = None  # edge (m), or None to choose one by the mesh
    thickness: float | None = None  # of the walls of shells (m)
    overlaps: Overlaps = Overlaps.SUM
    max_convex_hulls: int | None = None
    voxel_resolution: int | None = None

    @property
    def methods(self) -> tuple[Method, ...]:
        if self.method is not Method.EXACT or self.open_mesh is None:
            return (self.method,)
        return self.method, self.open_mesh

    def by(self, method: Method) -> MeshTreatment:
        if method in COMMUTE_WITH_SCALE:
            return MeshTreatment(method, overlaps=self.overlaps)
        return self._replace(method=method, open_mesh=None)


class MeshSolid(NamedTuple):
    moments: VolumeMoments
    method: Method
    extent: Factors  # size of the bounding box along each axis (m)
    faces: int  # triangles read
    uncertainty: float  # of the mass, as a part of it; 0 where the method is exact for the solid it takes
    notes: tuple[str, ...]

    def spatial_inertia(self, density: float) -> SpatialInertia:
        inertia = self.moments.spatial_inertia(density)
        trace = inertia.I_BBcm_B.trace
        if not (inertia.mass > 0.0 and trace > 0.0 and isfinite(sum((inertia.mass, trace, *inertia.p_BoBcm_B)))):
            raise MeshError("its size and density give a mass or moments that overflow double precision")
        return inertia

    def scaled(self, factors: Factors) -> MeshSolid:
        if factors == NO_SCALE:
            return self
        x, y, z = (abs(size * factor) for size, factor in zip(self.extent, factors, strict=True))
        return self._replace(moments=self.moments.scaled(factors), extent=(x, y, z))


class MeshDiagnosis(NamedTuple):
    """The quality of a mesh, in m, m² and m³ in the frame of the mesh; unknown values are None.

    Edges, volumes and the area are those after all repairs.
    """

    faces: int
    vertices: int  # different positions that the faces use
    degenerate_faces: int  # with two equal corners, or a height below 1e-7 of the mesh's diagonal
    duplicate_faces: int  # that repeat an earlier one, with its winding
    double_sided_share: float  # of the other faces: those whose reverse is there too
    inconsistent_faces: int  # to be flipped for all to agree with their neighbours
    lower: Factors
    upper: Factors
    one_sided: bool = False  # a part has only one side, like a Möbius strip
    bodies: int = 0  # of matter; of an open mesh, pieces connected by edges
    cavities: int | None = None  # surfaces that bound a hollow inside a body
    inside_out_bodies: int | None = None  # bodies or cavities that face the wrong way
    open_edges: int = 0  # not used equally often in both directions
    open_positions: tuple[Factors, ...] = ()  # the middles of the first three
    boundary_loops: int = 0  # closed chains of open edges: the holes
    non_manifold_edges: int = 0  # with more than two faces
    surface_area: float = 0.0
    # Beside the faces of a closed surface, by samples: 0 and 1; below 0 it crosses itself, above 1 places count twice.
    min_winding: int | None = None
    max_winding: int | None = None
    volume: float | None = None  # enclosed by the closed surface, exactly
    hull_volume: float | None = None
    may_be_millimetres: bool = False
    notes: tuple[str, ...] = ()


# Here, not with the error: the cache keeps messages of refusals by a digest of these modules.
CLOSE_IT = "close it in a modelling program, or choose --open-mesh"


def open_policies(
    treatment: MeshTreatment,
    path: str | None,
    *,
    one_sided: bool,
    choices: str = "--open-mesh or <sdfinertia:open_mesh>",
) -> str:
    """The policies for an open mesh, and the command that compares them where it has a file, as a remedy."""
    policies = "convex_hull, voxel" if one_sided else "convex_hull, voxel, fill_holes"
    shell = "shell" if treatment.thickness is not None else "shell with a thickness"
    remedy = f"close it in a modelling program, or choose {choices}: {policies}, or {shell}"
    if path is None:
        return remedy
    command = shlex.join(["sdfinertia", "mesh", *(["--"] if path.startswith("-") else []), path])
    return f"{remedy}; `{command}` compares what each would give"


# The libraries whose own choices shape the numbers; those of numpy and scipy are defined up to rounding.
_LIBRARIES: dict[Method | Overlaps | None, str] = {
    Method.VOXEL: "libigl",
    Method.CONVEX_DECOMPOSITION: "vhacdx",
    Overlaps.UNION: "manifold3d",
}


def libraries_for(treatment: MeshTreatment) -> str:
    needs: tuple[Method | Overlaps, ...] = (*treatment.methods, treatment.overlaps)
    return versions_of(sorted(_LIBRARIES[need] for need in needs if need in _LIBRARIES))


def versions_of(names: Sequence[str]) -> str:
    if not names:
        return ""
    # Here, since it takes twice as long to load as Python itself.
    from importlib import metadata

    found = []
    for name in names:
        try:
            found.append(f"{name}-{metadata.version(name)}")
        except metadata.PackageNotFoundError:
            found.append(f"{name}-none")
    return ",".join(found)


@functools.cache
def program_digest() -> str:
    """The version of this package, with a digest of the modules that read and integrate meshes."""
    package, total = os.path.dirname(os.path.dirname(__file__)), sha256()
    for room in ("mesh", "inertia"):
        for directory, folders, names in os.walk(os.path.join(package, room)):
            folders.sort()
            for name in sorted(name for name in names if name.endswith(".py")):
                with open(os.path.join(directory, name), "rb") as file:
                    total.update(sha256(file.read()).digest())
    return f"{__version__}-{total.hexdigest()[:16]}"


_DISTRIBUTIONS = {"igl": "libigl"}


def optional_library(module: str, needed_for: str, extra: str = "robust") -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        # An installed library names its missing dependencies itself: installing it again may not help.
        missing = isinstance(error, ModuleNotFoundError) and error.name == module
        why = "" if missing else f", which fails: {error}"
        raise missing_library(needed_for, _DISTRIBUTIONS.get(module, module), extra, why) from None


def missing_library(needed_for: str, library: str, extra: str, why: str = "") -> MeshError:
    return MeshError(f"{needed_for} needs the library {library}{why}", remedy=install_advice(extra))
