"""Moments that no body can have are refused, whatever method gave them."""

import numpy as np
import pytest
from builders.meshes import CORNERS, SIDES, box

from sdfinertia.errors import MeshError
from sdfinertia.inertia.solids import VolumeMoments
from sdfinertia.mesh import MeshTreatment, Method
from sdfinertia.mesh.pipeline import Pipeline
from sdfinertia.mesh.solid_moments import require_inside, require_sane
from sdfinertia.mesh.triangle_mesh import TriangleMesh

MIDDLE = (0.5, 0.5, 0.5)
CUBE = (1 / 12, 1 / 12, 1 / 12, 0.0, 0.0, 0.0)


def in_box(result):
    require_sane(result, CORNERS.min(axis=0), CORNERS.max(axis=0))


def in_hull(result):
    require_inside(result, CORNERS, SIDES, 0.0)


@pytest.mark.parametrize(
    ("require", "result", "problem"),
    [
        (in_box, VolumeMoments(0.0, MIDDLE, CUBE), "encloses a volume of 0 m"),
        (in_box, VolumeMoments(-1.0, MIDDLE, CUBE), "encloses a volume of -1 m"),
        (in_box, VolumeMoments(1.0, (np.nan, 0.5, 0.5), CUBE), "encloses a volume of 1 m"),
        (in_box, VolumeMoments(1.0, MIDDLE, (0.3, 0.3, 0.3, 0.0, 0.0, 0.0)), "radius of gyration above its bounding"),
        (in_hull, VolumeMoments(1.0, (1.5, 0.5, 0.5), CUBE), "its centre of mass outside the convex hull"),
        (in_hull, VolumeMoments(1.1, MIDDLE, CUBE), "a volume of 1.1 m³, more than the 1 m³ of the convex hull"),
    ],
)
def test_moments_that_no_body_in_the_box_or_hull_has_are_refused(require, result, problem):
    require(VolumeMoments(1.0, MIDDLE, CUBE))
    with pytest.raises(MeshError, match=problem):
        require(result)


def test_a_wall_round_something_flat_is_held_to_no_hull() -> None:
    flat = np.array([(0, 0, 0), (2, 0, 0), (2, 3, 0), (0, 3, 0)], np.float64)
    mesh = TriangleMesh(flat, np.array([(0, 1, 2), (0, 2, 3)]))
    solid = Pipeline(mesh).by(Method.SHELL, MeshTreatment(thickness=0.01))
    assert solid.moments.volume == pytest.approx(2 * 3 * 0.01, rel=1e-9)


@pytest.mark.parametrize("method", [Method.VOXEL, Method.SHELL, Method.DIVERGENCE, Method.CONVEX_DECOMPOSITION])
def test_a_method_that_integrates_no_surface_has_none_to_give(method: Method) -> None:
    with pytest.raises(MeshError, match=f"the method {method} gives no surface"):
        Pipeline(TriangleMesh(*box())).closed(method, MeshTreatment())
