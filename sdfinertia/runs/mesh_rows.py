"""Mesh files as rows of a table, and the work that makes a row."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace

from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.context import mass_cache
from sdfinertia.mesh.cache import can_be_of_solid, is_count, program_digest
from sdfinertia.mesh.method import NO_SCALE, Factors, MeshSource, MeshTreatment, libraries_for
from sdfinertia.mesh.readers.formats import libraries_reading
from sdfinertia.mesh.store import MeshStore
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import Options
from sdfinertia.runs.work import FileTask


class MeshRow(NamedTuple):
    """A row of a table of meshes. Lengths in m, volumes in m³, masses in kg, moments in kg·m².

    Its fields are the columns, in this order; unknown values are None.

    Attributes:
        path: of the file.
        bytes: its length.
        digest: of the bytes of the file and of its external buffers.
        treatment: how the row was computed, and by which program: rows of equal digest and treatment are equal.
        faces: number of triangles.
        bodies: number of bodies; of a mesh that is not closed, of connected pieces.
        open_edges: number of open edges after all repairs.
        policy: the method that found the volume.
        volume, mass: of the solid.
        com_x, com_y, com_z: centre of mass.
        ixx, iyy, izz, ixy, ixz, iyz: tensor about the centre of mass, in the axes of the file.
        error: why some of this is unknown.
    """

    path: str
    bytes: int | None = None
    digest: str = ""
    treatment: str = ""
    faces: int | None = None
    bodies: int | None = None
    open_edges: int | None = None
    policy: str = ""
    volume: float | None = None
    mass: float | None = None
    com_x: float | None = None
    com_y: float | None = None
    com_z: float | None = None
    ixx: float | None = None
    iyy: float | None = None
    izz: float | None = None
    ixy: float | None = None
    ixz: float | None = None
    iyz: float | None = None
    error: str = ""


_DIGEST = "[0-9a-f]{64}"
# The columns of the solid.
_NUMBERS = ("volume", "mass", "com_x", "com_y", "com_z", "ixx", "iyy", "izz", "ixy", "ixz", "iyz")


class SameAsKnown(NamedTuple):
    """The digest of a file whose row is known."""

    digest: str


@dataclass(frozen=True)
class MeshWeighing:
    density: float
    treatment: MeshTreatment
    options: Options
    scale: Factors = NO_SCALE
    submesh: str | None = None
    program: str = ""

    def by_this_program(self) -> MeshWeighing:
        """The same work with the versions of its programs in its key."""
        return replace(self, program=",".join(filter(None, (program_digest(), libraries_for(self.treatment)))))

    @property
    def key(self) -> str:
        """The treatment in a row: all that determines its numbers beside the bytes."""
        taken = self.treatment
        entries = {
            "method": taken.method,
            "open-mesh": taken.open_mesh,
            "voxel-size": taken.voxel_size,
            "thickness": taken.thickness,
            "overlaps": taken.overlaps.value,
            "density": self.density,
            "scale": ",".join(map(repr, self.scale)),
            "submesh": None if self.submesh is None else ascii(self.submesh),
            "program": self.program,
        }
        return " ".join(f"{name}={value}" for name, value in entries.items() if value is not None)

    def key_for(self, path: str) -> str:
        """The treatment in a row of a file, with the libraries that read files of its format."""
        return ",".join(filter(None, (self.key, libraries_reading(os.path.splitext(path)[1].lower()))))

    def takes_over(self, row: MeshRow) -> bool:
        """Whether a stored row is plausible as this work's result for the same bytes."""
        if row.treatment != self.key_for(row.path) or not re.fullmatch(_DIGEST, row.digest) or not is_count(row.bytes):
            return False
        numbers = [getattr(row, name) for name in _NUMBERS]
        if row.error:
            # No solid was found; of a file that cannot be read, no surface either.
            surface = (row.faces, row.bodies, row.open_edges)
            was_read = is_count(row.faces)
            is_surface = all(value is None or (was_read and is_count(value)) for value in surface)
            return is_surface and not row.policy and all(value is None for value in numbers)
        if None in numbers or not all(map(is_count, (row.faces, row.bodies, row.open_edges))):
            return False
        volume, mass, x, y, z, *tensor = numbers
        inertia = SpatialInertia(mass, (x, y, z), InertiaTensor(*tensor))
        return mass == self.density * volume and can_be_of_solid(inertia, volume, row.policy, self.treatment)

    def __call__(self, task: FileTask) -> MeshRow | SameAsKnown:
        store = MeshStore(cache=mass_cache(self.options, keeps=True))
        digest = store.digest(task.path)
        if digest in task.known:
            return SameAsKnown(digest)
        row = MeshRow(task.path, os.path.getsize(task.path), digest, self.key_for(task.path))
        try:
            return self._weighed(row, store, MeshSource(task.path, self.submesh))
        except SdfInertiaError as error:
            return row._replace(error=error.problem)

    def _weighed(self, row: MeshRow, store: MeshStore, source: MeshSource) -> MeshRow:
        from sdfinertia.mesh.diagnosis import counts

        mesh = store.mesh(source)
        row = row._replace(faces=len(mesh.faces))
        try:
            bodies, open_edges = counts(mesh)
            row = row._replace(bodies=bodies, open_edges=open_edges)
            solid = store.solid(source, self.treatment, self.scale)
            inertia = solid.spatial_inertia(self.density)
        except SdfInertiaError as error:
            return row._replace(error=error.problem)
        x, y, z = inertia.p_BoBcm_B
        row = row._replace(policy=solid.method.value, volume=solid.moments.volume, mass=inertia.mass)
        ixx, iyy, izz, ixy, ixz, iyz = inertia.I_BBcm_B
        return row._replace(com_x=x, com_y=y, com_z=z, ixx=ixx, iyy=iyy, izz=izz, ixy=ixy, ixz=ixz, iyz=iyz)
