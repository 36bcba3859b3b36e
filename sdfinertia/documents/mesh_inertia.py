"""The body that a mesh file stands for, as one call."""

from __future__ import annotations

from collections.abc import Sequence
from os import fspath

from sdfinertia.description.numbers import three_factors
from sdfinertia.description.parameters import DEFAULT_DENSITY
from sdfinertia.documents.opened import Source
from sdfinertia.errors import ConfigurationError, OpenMeshError, SdfInertiaError, ThicknessError
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.mesh.store import MeshSource, MeshStore
from sdfinertia.mesh.treatment import METHODS, Method
from sdfinertia.options import Options


def mesh(
    source: Source,
    *,
    density: float = DEFAULT_DENSITY,
    scale: float | Sequence[float] = 1.0,
    submesh: str | None = None,
    method: str = "exact",
    open_mesh: str = "error",
    voxel_size: float | None = None,
    thickness: float | None = None,
    overlaps: str = "sum",
    filename: str = "<bytes>",
) -> SpatialInertia:
    """The body that a mesh file stands for, in the frame of the mesh; `sdfinertia mesh FILE` tells what was repaired.

        >>> wheel = sdfinertia.mesh("fixtures/rover/meshes/wheel.obj", density=700)
        >>> f"{wheel.mass:.6g} kg"
        '1.75593 kg'

    Args:
        source: path of an STL, OBJ, COLLADA, glTF, PLY or OFF file, or its content as bytes.
        density: of all of it (kg/m³).
        scale: factor on the vertices, or one for each axis: 0.001 for a file in millimetres.
        submesh: name of the part that counts; all do by default.
        method: "exact", "voxel", "convex_hull", "convex_decomposition" or "shell".
        open_mesh: what becomes of a mesh that is not closed: "error" refuses it, "convex_hull", "voxel", "shell",
            "fill_holes" and "divergence" take it by that method.
        voxel_size: edge of voxels (m); None chooses one for the mesh.
        thickness: of the walls of shells (m).
        overlaps: "sum", or "union" to count volume that bodies share once.
        filename: the name of content given as bytes; its suffix tells the format.

    Raises:
        OpenMeshError: the mesh is not closed; `sdfinertia mesh FILE` compares what each way to take it would give.
        SdfInertiaError: it cannot be read, is no solid, or an argument is out of range.
    """
    path = filename if isinstance(source, bytes) else fspath(source)
    options = Options(
        density=density, open_mesh=open_mesh, voxel_size=voxel_size, thickness=thickness, overlaps=overlaps
    )
    treatment = options.mesh_treatment(_method_named(method))
    factors = three_factors(scale, "scale", scale)
    store = MeshStore(options.max_mesh_bytes)
    if isinstance(source, bytes):
        store.hold(path, source)
    try:
        solid = store.solid(MeshSource(path, submesh), treatment, factors)
        return solid.spatial_inertia(density)
    except OpenMeshError as error:
        from sdfinertia.mesh.alternatives import open_policies
        from sdfinertia.mesh.mesh_solid import OpenSurfaceError

        one_sided = isinstance(error, OpenSurfaceError) and error.one_sided
        remedy = open_policies(treatment, path, one_sided=one_sided, choices="open_mesh=")
        raise error.with_remedy(remedy).within(file=path) from None
    except ThicknessError as error:
        raise error.with_remedy("give thickness=").within(file=path) from None
    except SdfInertiaError as error:
        raise error.within(file=path) from None


def _method_named(word: str) -> Method:
    if word not in METHODS:
        raise ConfigurationError(f"method must be one of {', '.join(METHODS)}, not {word!r}")
    return Method(word)
