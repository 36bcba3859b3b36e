"""The bodies of meshes: of files, of bytes, and of meshes in memory; and the report on a mesh file."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from sdfinertia.errors import ConfigurationError, MeshError, OpenMeshError, SdfInertiaError, ThicknessError, screen
from sdfinertia.files import path_text
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.inertial_text import without_noise
from sdfinertia.mesh import (
    METHODS,
    NO_SCALE,
    Factors,
    MeshSource,
    MeshTreatment,
    Method,
    MethodName,
    OpenMeshPolicy,
    OverlapsName,
    open_policies,
)
from sdfinertia.mesh.facts import MeshDiagnosis, MeshSolid
from sdfinertia.mesh.readers import require_sound
from sdfinertia.mesh.store import MeshStore
from sdfinertia.options import Options
from sdfinertia.robot.inertial import DEFAULT_DENSITY
from sdfinertia.robot.numbers import number, three_factors

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

    import numpy.typing as npt
    import trimesh

    from sdfinertia.inertia import InertiaTensor
    from sdfinertia.inertia.solids import VolumeMoments
    from sdfinertia.mesh.triangle_mesh import TriangleMesh

    # A path, the content of a file, a mesh of trimesh, or vertices (#V, 3) and faces (#F, 3).
    MeshInput: TypeAlias = (
        str
        | os.PathLike[str]
        | bytes
        | trimesh.Trimesh
        | trimesh.Scene
        | tuple[npt.ArrayLike, npt.ArrayLike]
        | npt.NDArray[Any]
    )

_IN_MEMORY = "mesh"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MeshResult(SpatialInertia):
    """The body of a mesh, with how it was found; it is a `SpatialInertia` in the frame of the mesh.

    Attributes:
        name: path of the file, or of content given as bytes; "mesh" for one in memory.
        density: that it was computed at (kg/m³).
        volume: of the solid (m³).
        method: how the volume was found: "exact", or the policy for a mesh that is not closed.
        faces: triangles read.
        uncertainty: how wrong the mass may be, as a part of it; 0 where it is exact for the triangles.
        notes: on repairs, approximations, and content that Gazebo reads otherwise.
    """

    name: str
    density: float
    volume: float
    method: str
    faces: int
    uncertainty: float
    notes: tuple[str, ...]
    _mesh: TriangleMesh = field(repr=False)
    _treatment: MeshTreatment = field(repr=False)

    def to_trimesh(self) -> trimesh.Trimesh:
        """The closed surface that was integrated, after scale and repairs, as a mesh of trimesh.

        Raises:
            MeshError: its method integrates no surface: voxels, a shell, a decomposition.
        """
        import trimesh

        from sdfinertia.mesh.pipeline import Pipeline

        (vertices, faces), _ = Pipeline(self._mesh).closed(self.method, self._treatment)
        made = trimesh.Trimesh(vertices, faces, process=False)
        made.units = "meters"
        return made

    def __repr__(self) -> str:
        com, tensor = without_noise(self)
        x, y, z = map(number, com)
        xx, yy, zz, xy, xz, yz = map(number, tensor)
        uncertain = f" ± {100.0 * self.uncertainty:.2g} %" if self.uncertainty else ""
        return screen(
            f"{type(self).__name__} of {self.name}",
            (
                f"mass     {number(self.mass)} kg{uncertain} at {number(self.density)} kg/m³",
                f"volume   {number(self.volume)} m³, {self.method}, {self.faces:,} faces",
                f"com      {x} {y} {z} m",
                f"inertia  xx {xx} yy {yy} zz {zz} xy {xy} xz {xz} yz {yz} kg·m²",
                *(f"note     {note}" for note in self.notes),
            ),
        )


def mesh(
    source: MeshInput,
    *,
    density: float = DEFAULT_DENSITY,
    scale: float | Sequence[float] = 1.0,
    submesh: str | None = None,
    method: MethodName = "exact",
    open_mesh: OpenMeshPolicy = "error",
    voxel_size: float | None = None,
    thickness: float | None = None,
    overlaps: OverlapsName = "sum",
    filename: str = "<bytes>",
) -> MeshResult:
    """The body of a mesh, in the frame of the mesh, with notes on repairs.

        >>> wheel = sdfinertia.mesh("fixtures/rover/meshes/wheel.obj", density=700)
        >>> f"{wheel.mass:.6g} kg"
        '1.75593 kg'

    Args:
        source: path of a mesh file, its content as bytes, a `trimesh.Trimesh` or `Scene`, or a pair of arrays.
        density: of all of it (kg/m³).
        scale: factor on the vertices, or one for each axis: 0.001 for a file in millimetres.
        submesh: name of the part that counts; all do by default.
        method: "exact", "voxel", "convex_hull", "convex_decomposition" or "shell".
        open_mesh: policy for a mesh that is not closed: "error" refuses it, "convex_hull", "voxel", "shell" and
            "fill_holes" take it by that method.
        voxel_size: edge of voxels (m); None chooses one for the mesh.
        thickness: of the walls of shells (m).
        overlaps: "sum", or "union" to count volume that bodies share once.
        filename: the name of content given as bytes; its suffix tells the format.

    Raises:
        OpenMeshError: the mesh is not closed; `sdfinertia mesh FILE` compares the results of all policies.
        SdfInertiaError: it cannot be read, is not a solid, or an argument is out of range.
    """
    options = Options(
        density=density, open_mesh=open_mesh, voxel_size=voxel_size, thickness=thickness, overlaps=overlaps
    )
    if density is None:
        raise ConfigurationError("density must be a number above zero, not None")
    if method not in METHODS:
        raise ConfigurationError(f"method must be one of {', '.join(METHODS)}, not {method!r}")
    treatment, factors = options.mesh_treatment(Method(method)), three_factors(scale, "scale", scale)
    store, path = store_of(source, filename, options)
    part, density = MeshSource(path, submesh), float(density)
    solid = _solid_of(store, part, treatment, factors)
    try:
        inertia = solid.spatial_inertia(density)
    except SdfInertiaError as error:
        raise error.within(file=path) from None
    return MeshResult(
        *(inertia.mass, inertia.p_BoBcm_B, inertia.I_BBcm_B, path, density, solid.moments.volume),
        *(solid.method.value, solid.faces, solid.uncertainty, solid.notes),
        *(store.points(part).scaled(factors), treatment),
    )


def mesh_moments(
    source: MeshInput,
    faces: npt.ArrayLike | None = None,
    *,
    open_mesh: OpenMeshPolicy = "error",
    filename: str = "<bytes>",
) -> VolumeMoments:
    """The volume, centroid and second moments of the solid of a mesh, which need no density.

    Arrays that are closed and enclose a positive volume are integrated as they are; `mesh` also searches for bodies
    that are inside out, coincide or cross.

        >>> moments = sdfinertia.mesh_moments("fixtures/rover/meshes/wheel.obj")
        >>> f"{moments.volume:.6g} m³"
        '0.00250847 m³'

    Args:
        source: as for `mesh`; or vertices (#V, 3), beside faces; or the corners of triangles (3 #F, 3) alone.
        faces: (#F, 3) rows of vertices, where the vertices are given.
        open_mesh: policy for a mesh that is not closed, as for `mesh`.
        filename: the name of content given as bytes; its suffix tells the format.

    Raises:
        OpenMeshError: the mesh is not closed.
        SdfInertiaError: it cannot be read, or is not a solid.
    """
    from sdfinertia.mesh.readers.of_trimesh import moments_of_closed

    options = Options(open_mesh=open_mesh)
    given = source if faces is None else (source, faces)
    found = moments_of_closed(given)
    if found is not None:
        return found
    store, path = store_of(given, filename, options)
    return _solid_of(store, MeshSource(path), options.mesh_treatment(), NO_SCALE).moments


def mesh_is_closed(source: MeshInput, faces: npt.ArrayLike | None = None, *, filename: str = "<bytes>") -> bool:
    """Whether every edge is used equally often in both directions, so that the triangles enclose a volume.

    Nothing is repaired: a mesh that `mesh` takes for closed once its faces agree, or near corners are merged, is not.

    Args:
        source: as for `mesh`; or vertices (#V, 3), beside faces; or the corners of triangles (3 #F, 3) alone.
        faces: (#F, 3) rows of vertices, where the vertices are given.
        filename: the name of content given as bytes; its suffix tells the format.

    Raises:
        SdfInertiaError: it cannot be read, or holds no triangles.
    """
    from sdfinertia.mesh.kernel import is_closed
    from sdfinertia.mesh.readers.of_trimesh import is_closed_array

    given = source if faces is None else (source, faces)
    found = is_closed_array(given)
    if found is not None:
        return found
    store, path = store_of(given, filename, Options())
    mesh = store.mesh(MeshSource(path))
    return is_closed(mesh.vertices, mesh.faces)


def store_of(source: object, filename: str, options: Options) -> tuple[MeshStore, str]:
    """A store that has the mesh, and the path by which it has it."""
    store = MeshStore(options.confine)
    if isinstance(source, (bytes, bytearray, memoryview)):
        store.hold(filename, bytes(source))
        return store, filename
    if isinstance(source, (str, os.PathLike)):
        path = path_text(source)
        if os.path.isdir(path):
            raise MeshError("is a directory, where a mesh file is meant", file=path, remedy="pass each file of it")
        return store, path
    from sdfinertia.mesh.readers.of_trimesh import mesh_in_memory

    try:
        found = mesh_in_memory(source)
        require_sound(found)
    except MeshError as error:
        raise error.within(file=_IN_MEMORY) from None
    store.hold_mesh(_IN_MEMORY, found)
    return store, _IN_MEMORY


def bodies_in_memory(source: object, options: Options) -> dict[str, SpatialInertia]:
    """The bodies of the nodes of a scene, or the one of a mesh, by their names; a second of one name is `name#2`.

    Args:
        options: the density, and how meshes are taken.
    """
    store, path = store_of(source, "", options)
    whole = store.mesh(MeshSource(path))
    found: dict[str, SpatialInertia] = {}
    for part in whole.parts or (None,):
        own_name = path if part is None else part.names[0]
        name, number_of_name = own_name, 1
        while name in found:
            number_of_name += 1
            name = f"{own_name}#{number_of_name}"
        store.hold_mesh(name, whole if part is None else replace(whole, parts=(part,)).submesh(own_name))
        solid = _solid_of(store, MeshSource(name), options.mesh_treatment(), NO_SCALE)
        found[name] = solid.spatial_inertia(options.density or DEFAULT_DENSITY)
    return found


def _solid_of(store: MeshStore, source: MeshSource, treatment: MeshTreatment, scale: Factors) -> MeshSolid:
    path = source.path
    try:
        return store.solid(source, treatment, scale)
    except OpenMeshError as error:
        # A mesh in memory has no file to name in a command.
        file = None if store.is_in_memory(path) else path
        remedy = open_policies(treatment, file, one_sided=error.one_sided, choices="open_mesh=")
        raise error.with_remedy(remedy).within(file=path) from None
    except ThicknessError as error:
        raise error.with_remedy("give thickness=").within(file=path) from None
    except SdfInertiaError as error:
        raise error.within(file=path) from None


# The report on a file ------------------------------------------------------------------------------------------------


class MeshFacts(NamedTuple):
    """The report on a mesh file; `refusal` says why `inertia` is None, and compares the policies."""

    path: str
    density: float
    diagnosis: MeshDiagnosis
    inertia: SpatialInertia | None
    method: str
    refusal: str
    notes: tuple[str, ...]


class MeshWeighing(NamedTuple):
    """How meshes are weighed."""

    density: float
    treatment: MeshTreatment
    options: Options
    scale: Factors = NO_SCALE
    submesh: str | None = None


def mesh_facts(store: MeshStore, path: str, weighing: MeshWeighing) -> MeshFacts:
    source = MeshSource(path, weighing.submesh)
    diagnosis = store.diagnosis(source, weighing.scale, takes_points=weighing.treatment.method is Method.CONVEX_HULL)
    try:
        solid = store.solid(source, weighing.treatment, weighing.scale)
        inertia = solid.spatial_inertia(weighing.density)
    except SdfInertiaError as error:
        refusal = error.problem
        if isinstance(error, OpenMeshError):
            refusal += f"; {alternatives(store, source, weighing.treatment, weighing.scale, weighing.density)}"
        return MeshFacts(path, weighing.density, diagnosis, None, "", refusal, diagnosis.notes)
    # The diagnosis covers more than the integrated surface, and notes what it skipped.
    others = [note for note in diagnosis.notes if solid.method is Method.EXACT and note not in solid.notes]
    return MeshFacts(path, weighing.density, diagnosis, inertia, solid.method, "", (*solid.notes, *others))


# Ways to take an open mesh -------------------------------------------------------------------------------------------

# In the order of the report; the others are compared with the hull.
_COMPARED = (Method.CONVEX_HULL, Method.FILL_HOLES, Method.VOXEL, Method.SHELL)
# Limits for comparing policies: below a second each. A chosen policy takes the time that it needs.
_MAX_FACES = 1_000_000
_MAX_FACES_OF_VOXELS = 200_000
# Faces of voxels that would cover the surface; the policy itself takes ten times as many and so its noise is a third.
_VOXEL_COVER = 4e3
# Per cent: a change below this is rounding.
_SAME = 1e-7


def alternatives(store: MeshStore, source: MeshSource, treatment: MeshTreatment, scale: Factors, density: float) -> str:
    """A line for each policy: its mass, and its tensor beside that of the hull."""
    lines = ["close it in a modelling program, or choose --open-mesh or <sdfinertia:open_mesh>:"]
    reference: InertiaTensor | None = None
    for policy in _COMPARED:
        try:
            inertia, uncertainty, remark = _by_policy(
                store, source, treatment._replace(open_mesh=policy), scale, density
            )
        except MeshError as error:
            lines.append(f"    {policy:<12} {error.problem}")
            continue
        text = f"{inertia.mass:.6g} kg"
        if uncertainty:
            text += f" ± {100 * uncertainty:.2g} %"
        if reference is None:
            reference = inertia.I_BBcm_B
        else:
            change = _tensor_change(inertia.I_BBcm_B, reference)
            text += f", tensor {change:+.2g} % against the hull" if abs(change) > _SAME else ", same tensor as the hull"
        lines.append(f"    {policy:<12} {text}{remark}")
    return "\n".join(lines)


def _by_policy(
    store: MeshStore, source: MeshSource, treatment: MeshTreatment, scale: Factors, density: float
) -> tuple[SpatialInertia, float, str]:
    maximum = _MAX_FACES_OF_VOXELS if treatment.open_mesh is Method.VOXEL else _MAX_FACES
    if store.diagnosis(source, scale).faces > maximum:
        raise MeshError(f"left out: the mesh has more than {maximum:,} faces")
    remark = ""
    if treatment.open_mesh is Method.VOXEL:
        least = math.sqrt(store.diagnosis(source, scale).surface_area / _VOXEL_COVER)
        if treatment.voxel_size is None and math.isfinite(least) and least > 0.0:
            treatment = treatment._replace(voxel_size=float(f"{least:.1e}"))
            remark = f", in voxels of {treatment.voxel_size:g} m; the policy takes a third of that"
        elif treatment.voxel_size is not None and treatment.voxel_size < 0.9 * least:
            raise MeshError(f"left out: voxels of {treatment.voxel_size:g} m are too many to compare")
    solid = store.solid(source, treatment, scale)
    return solid.spatial_inertia(density), solid.uncertainty, remark


def _tensor_change(tensor: InertiaTensor, reference: InertiaTensor) -> float:
    """The largest change of an entry, in per cent of the reference's largest moment."""
    scale = max(reference.ixx, reference.iyy, reference.izz)
    changes = [a - b for a, b in zip(tensor, reference, strict=True)]
    return 100.0 * max(changes, key=abs) / scale
