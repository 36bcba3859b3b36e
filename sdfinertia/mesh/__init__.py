"""Mesh files and their triangles: read, diagnosed, repaired, integrated, cached.

Here: the part of a file that counts, how its triangles become a solid, and the libraries for it.
"""

from __future__ import annotations

import functools
import os
import shlex
from collections.abc import Sequence
from enum import Enum
from hashlib import sha256
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple, get_args

from sdfinertia import __version__
from sdfinertia.errors import MeshError, install_advice


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


def optional_library(module: str, needed_for: str, extra: str = "robust") -> Any:
    try:
        return import_module(module)
    except ImportError as error:
        # An installed library names its missing dependencies itself: installing it again may not help.
        missing = isinstance(error, ModuleNotFoundError) and error.name == module
        why = "" if missing else f", which fails: {error}"
        raise missing_library(needed_for, "libigl" if module == "igl" else module, extra, why) from None


def missing_library(needed_for: str, library: str, extra: str, why: str = "") -> MeshError:
    return MeshError(f"{needed_for} needs the library {library}{why}", remedy=install_advice(extra))
