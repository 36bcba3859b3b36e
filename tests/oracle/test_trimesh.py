"""Agreement with trimesh on the moments of closed meshes, and on what the mesh files hold that it writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from builders.rigid_bodies import body_of

from sdfinertia.inertia.polyhedron import moments as mesh_moments

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia

trimesh = pytest.importorskip("trimesh", reason="trimesh is not installed: pip install -e .[oracle]")

pytestmark = pytest.mark.oracle

TOLERANCE = 1e-9


def polytope(seed: int) -> Any:
    """The hull of random points, turned, stretched and moved off its origin."""
    random = np.random.default_rng(seed)
    hull = trimesh.convex.convex_hull(random.normal(size=(40, 3)) * random.uniform(0.2, 3, 3))
    hull.apply_transform(trimesh.transformations.random_rotation_matrix(random.random(3)))
    hull.apply_translation(random.normal(size=3))
    return hull


def boulder(seed: int) -> Any:
    """A sphere with random radii: closed, star-shaped, not convex."""
    random = np.random.default_rng(seed)
    ball = trimesh.creation.icosphere(subdivisions=3)
    ball.vertices *= random.uniform(0.3, 1.0, (len(ball.vertices), 1))
    return ball


def hollow(seed: int) -> Any:
    """A boulder with a smaller one cut out of its middle."""
    inner = boulder(seed + 1)
    inner.apply_scale(0.2)
    inner.invert()
    return trimesh.util.concatenate([boulder(seed), inner])


SOLIDS = {
    **{f"polytope {seed}": polytope(seed) for seed in range(8)},
    **{f"boulder {seed}": boulder(seed) for seed in range(8)},
    **{f"hollow {seed}": hollow(seed) for seed in range(4)},
    "torus": trimesh.creation.torus(1.0, 0.3),
    "annulus": trimesh.creation.annulus(r_min=0.5, r_max=1.0, height=0.2),
    "long rod": trimesh.creation.cylinder(radius=0.01, height=10.0),
}


def assert_agree(ours: SpatialInertia, mesh: Any, density: float) -> None:
    """Holds mass, centre and tensor to TOLERANCE of the mass, of the extents, and of the largest moment."""
    mesh.density = density
    theirs = mesh.mass_properties
    tensor = body_of(ours).tensor
    assert ours.mass == pytest.approx(theirs.mass, rel=TOLERANCE, abs=0)
    np.testing.assert_allclose(ours.p_BoBcm_B, theirs.center_mass, rtol=0, atol=TOLERANCE * max(mesh.extents))
    np.testing.assert_allclose(tensor, theirs.inertia, rtol=0, atol=TOLERANCE * np.trace(tensor) / 2)


@pytest.mark.parametrize("mesh", SOLIDS.values(), ids=SOLIDS.keys())
def test_trimesh_integrates_the_same_moments(mesh: Any) -> None:
    moments = mesh_moments(np.asarray(mesh.vertices), np.asarray(mesh.faces))
    assert_agree(moments.spatial_inertia(2700.0), mesh, 2700.0)
