"""The part of a mesh file that counts, how its triangles become a solid, that solid, and the libraries for it."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from enum import Enum
from functools import cache
from hashlib import sha256
from importlib import import_module
from math import isfinite
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, get_args

from sdfinertia import __version__
from sdfinertia.errors import MeshError, install_advice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.inertia.volume_moments import VolumeMoments


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
    """How often volume that bodies share counts; the values are the words of files and options."""

    # For each of them.
    SUM = "sum"
    # Once.
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


class MeshContent(NamedTuple):
    """The content of a mesh file that counts.

    Attributes:
        digest: of its bytes and its external buffers.
        external_buffers: how many there are.
        suffix: by which it is read.
    """

    digest: str
    external_buffers: int
    suffix: str
    submesh: str | None
    center: bool


class MeshTreatment(NamedTuple):
    """How the triangles of a mesh become a solid.

    Attributes:
        open_mesh: the method for an open mesh where `method` is exact; None refuses it.
        voxel_size: edge of the voxels (m), or None to choose one by the mesh.
        thickness: of the wall (m), for shells.
    """

    method: Method = Method.EXACT
    open_mesh: Method | None = None
    voxel_size: float | None = None
    thickness: float | None = None
    overlaps: Overlaps = Overlaps.SUM
    max_convex_hulls: int | None = None
    voxel_resolution: int | None = None

    @property
    def methods(self) -> tuple[Method, ...]:
        """Its method, and where that is exact, the one for an open mesh."""
        if self.method is not Method.EXACT or self.open_mesh is None:
            return (self.method,)
        return self.method, self.open_mesh

    def by(self, method: Method) -> MeshTreatment:
        """For one method alone, so that treatments share results."""
        if method in COMMUTE_WITH_SCALE:
            return MeshTreatment(method, overlaps=self.overlaps)
        return self._replace(method=method, open_mesh=None)


class MeshSolid(NamedTuple):
    """The solid that a mesh represents, before its pose.

    Attributes:
        extent: size of the bounding box along each axis (m).
        faces: number of triangles read.
        uncertainty: of the mass, as a part of it; 0 where the method is exact for the solid it takes.
    """

    moments: VolumeMoments
    method: Method
    extent: Factors
    faces: int
    uncertainty: float
    notes: tuple[str, ...]

    def spatial_inertia(self, density: float) -> SpatialInertia:
        inertia = self.moments.spatial_inertia(density)
        trace = inertia.I_BBcm_B.trace
        if not (inertia.mass > 0.0 and trace > 0.0 and isfinite(sum((inertia.mass, trace, *inertia.p_BoBcm_B)))):
            raise MeshError("its size and density give a mass or moments that overflow double precision")
        return inertia

    def scaled(self, factors: Factors) -> MeshSolid:
        """The solid stretched along the axes, and mirrored where a factor is negative."""
        if factors == NO_SCALE:
            return self
        x, y, z = (abs(size * factor) for size, factor in zip(self.extent, factors, strict=True))
        return self._replace(moments=self.moments.scaled(factors), extent=(x, y, z))


@dataclass(frozen=True, slots=True)
class MeshDiagnosis:
    """The quality of a mesh, in m, m² and m³ in the frame of the mesh; unknown values are None.

    Attributes:
        vertices: different positions that the faces use.
        degenerate_faces: with two equal corners, or a height below 1e-7 of the mesh's diagonal.
        duplicate_faces: that repeat an earlier one, with its winding.
        double_sided_share: the share of the other faces whose reverse is there too.
        inconsistent_faces: to be flipped for all to agree with their neighbours.
        one_sided: whether a part has only one side, like a Möbius strip.
        bodies: of matter; of an open mesh, pieces connected by edges.
        cavities: surfaces that bound a hollow inside a body.
        inside_out_bodies: bodies or cavities that face the wrong way.
        open_edges: not used equally often in both directions, after all repairs.
        open_positions: the middles of the first three of them.
        boundary_loops: closed chains of them: the holes.
        non_manifold_edges: with more than two faces, after all repairs.
        surface_area: after repairs, so that double-sided faces count once.
        min_winding, max_winding: of the closed surface around places beside its faces, by samples: 0 and 1 where
            it does not cross itself. Below 0 its volume is not known; above 1 the place counts as often.
        volume: enclosed by the closed surface, exactly.
        notes: on repairs, and on unknown values.
    """

    faces: int
    vertices: int
    degenerate_faces: int
    duplicate_faces: int
    double_sided_share: float
    inconsistent_faces: int
    lower: Factors
    upper: Factors
    one_sided: bool = False
    bodies: int = 0
    cavities: int | None = None
    inside_out_bodies: int | None = None
    open_edges: int = 0
    open_positions: tuple[Factors, ...] = ()
    boundary_loops: int = 0
    non_manifold_edges: int = 0
    surface_area: float = 0.0
    min_winding: int | None = None
    max_winding: int | None = None
    volume: float | None = None
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
    policies = [Method.CONVEX_HULL, Method.VOXEL]
    if not one_sided:
        policies.append(Method.FILL_HOLES)
    shell = "shell" if treatment.thickness is not None else "shell with a thickness"
    remedy = f"close it in a modelling program, or choose {choices}: {', '.join(policies)}, or {shell}"
    if path is None:
        return remedy

    command = shlex.join(["sdfinertia", "mesh", *(["--"] if path.startswith("-") else []), path])
    return f"{remedy}; `{command}` compares what each would give"


# The libraries whose own choices shape the numbers, by the methods that need them. Not numpy and scipy, whose results
# are defined up to rounding.
_LIBRARIES: dict[Method | Overlaps | None, str] = {
    Method.VOXEL: "libigl",
    Method.CONVEX_DECOMPOSITION: "vhacdx",
    Overlaps.UNION: "manifold3d",
}


def libraries_for(treatment: MeshTreatment) -> str:
    """The versions of the libraries that a treatment may need; a missing one counts as a version."""
    needs: tuple[Method | Overlaps, ...] = (*treatment.methods, treatment.overlaps)
    return versions_of(sorted(_LIBRARIES[need] for need in needs if need in _LIBRARIES))


def versions_of(names: Sequence[str]) -> str:
    """The versions of libraries, by the names of their distributions; "" for none."""
    if not names:
        return ""
    from importlib.metadata import PackageNotFoundError, version

    found = []
    for name in names:
        try:
            found.append(f"{name}-{version(name)}")
        except PackageNotFoundError:
            found.append(f"{name}-none")
    return ",".join(found)


@cache
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
