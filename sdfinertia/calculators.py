"""Calculators: third-party functions that compute the inertia of a mesh, named by `<calculator>` in the file.

A calculator is registered by an entry point in the group `sdfinertia.calculators` of an installed package, or given to
the API by name. An SDF file cannot load code by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sdfinertia.errors import ConfigurationError, MeshError
from sdfinertia.inertia import SpatialInertia
from sdfinertia.mesh import MeshTreatment, Method
from sdfinertia.mesh.facts import MeshSolid
from sdfinertia.mesh.pipeline import Pipeline
from sdfinertia.mesh.readers import require_sound
from sdfinertia.mesh.readers.of_trimesh import mesh_in_memory

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    import numpy as np
    import numpy.typing as npt
    import trimesh

    MeshInMemory: TypeAlias = trimesh.Trimesh | trimesh.Scene | tuple[npt.ArrayLike, npt.ArrayLike] | npt.NDArray[Any]

ENTRY_POINT_GROUP = "sdfinertia.calculators"


class CalculatorMesh(NamedTuple):
    """The mesh that a calculator computes.

    Attributes:
        vertices: (n, 3) as the file gives them, before scale (m).
        faces: (m, 3) rows of vertices, not welded and not checked for closedness.
        uri: as the SDF file gives it.
        scale: factors on the vertices.
    """

    vertices: npt.NDArray[np.float64]
    faces: npt.NDArray[np.int64]
    uri: str
    scale: tuple[float, float, float]

    def to_trimesh(self) -> trimesh.Trimesh:
        """The mesh as one of trimesh, before scale."""
        import trimesh

        return trimesh.Trimesh(self.vertices, self.faces, process=False)


class Calculator(Protocol):
    """Computes the inertia of a mesh in the mesh's own frame; None says that it cannot."""

    def __call__(
        self, density: float, mesh: CalculatorMesh, parameters: Mapping[str, str]
    ) -> SpatialInertia | MeshInMemory | None:
        """The inertia of a mesh, or a surface to integrate in its place.

        A surface (`trimesh.Trimesh`, `trimesh.Scene`, or vertices (#V, 3) and faces (#F, 3)) is judged as that of a
        file: closed or refused. It is given before scale, as the mesh is.

        Args:
            density: in kg/m³.
            mesh: its triangles, uri and scale.
            parameters: the other children of `<auto_inertia_params>`, by local name, as text.
        """


def find_calculator(name: str, given: Mapping[str, Calculator | MeshInMemory]) -> Calculator | MeshInMemory:
    """The calculator of a name: one given to the API, else one of an installed package.

    Raises:
        ConfigurationError: there is none, or it cannot be loaded.
    """
    if name in given:
        return given[name]
    found = {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}
    if name not in found:
        known = ", ".join(sorted([*given, *found])) or "none"
        raise ConfigurationError(f"no calculator is named {name!r}", remedy=f"installed: {known}")
    try:
        calculator: Calculator = found[name].load()
    except Exception as error:
        raise ConfigurationError(f"the calculator {name!r} cannot be loaded: {error}") from error
    return calculator


def calculated(
    name: str,
    calculator: Calculator | MeshInMemory,
    density: float,
    mesh: CalculatorMesh,
    parameters: Mapping[str, str],
) -> SpatialInertia | MeshSolid:
    """The result of a calculator for a mesh: its inertia, or the solid of the surface that it gives, scaled.

    Raises:
        MeshError: it fails, gives a physically impossible inertia, or a surface that bounds nothing.
    """
    given: object = calculator
    if callable(calculator):
        try:
            given = calculator(density, mesh, parameters)
        except Exception as error:
            raise MeshError(f"the calculator {name!r} failed: {type(error).__name__}: {error}") from error
    if given is None:
        raise MeshError(f"the calculator {name!r} gives no inertia for this mesh")
    if isinstance(given, SpatialInertia):
        if not given.is_physically_valid():
            raise MeshError(f"the calculator {name!r} gives a physically impossible inertia")
        return given
    try:
        surface = mesh_in_memory(given)
        require_sound(surface)
    except MeshError as error:
        raise MeshError(f"the calculator {name!r} gives neither an inertia nor a mesh: {error.problem}") from None
    return Pipeline(surface.scaled(mesh.scale)).by(Method.EXACT, MeshTreatment())
