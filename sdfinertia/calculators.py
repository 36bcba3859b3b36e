"""Calculators: functions of others that compute the inertia of a mesh, named by `<calculator>` in the file.

A calculator is registered by an entry point in the group `sdfinertia.calculators` of an installed package, or given to
the API by name. Nothing that an SDF file says can bring code in by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from sdfinertia.errors import ConfigurationError, MeshError
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.named_tuple import NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

ENTRY_POINT_GROUP = "sdfinertia.calculators"


class CalculatorMesh(NamedTuple):
    """The mesh that a calculator is asked for.

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


class Calculator(Protocol):
    """Computes the inertia of a mesh in the mesh's own frame; None says that it cannot."""

    def __call__(self, density: float, mesh: CalculatorMesh, parameters: Mapping[str, str]) -> SpatialInertia | None:
        """The inertia of a mesh.

        Args:
            density: in kg/m³.
            mesh: its triangles, uri and scale.
            parameters: the other children of `<auto_inertia_params>`, by local name, as text.
        """


def find_calculator(name: str, given: Mapping[str, Calculator]) -> Calculator:
    """The calculator of a name: one given to the API, else one of an installed package.

    Raises:
        ConfigurationError: there is none, or it cannot be loaded.
    """
    if name in given:
        return given[name]
    from importlib.metadata import entry_points

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
    name: str, calculator: Calculator, density: float, mesh: CalculatorMesh, parameters: Mapping[str, str]
) -> SpatialInertia:
    """What a calculator gives for a mesh.

    Raises:
        MeshError: it fails, or gives a physically impossible inertia.
    """
    try:
        inertia = calculator(density, mesh, parameters)
    except Exception as error:
        raise MeshError(f"the calculator {name!r} failed: {type(error).__name__}: {error}") from error
    if inertia is None:
        raise MeshError(f"the calculator {name!r} gives no inertia for this mesh")
    if not isinstance(inertia, SpatialInertia) or not inertia.is_physically_valid():
        raise MeshError(f"the calculator {name!r} gives a physically impossible inertia")
    return inertia
