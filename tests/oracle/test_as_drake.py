"""What `as_drake` hands over is what Drake computes of the same body, and what it reads of the text of it."""

from __future__ import annotations

from typing import Any

import pytest

import sdfinertia
from sdfinertia.errors import InertiaError
from sdfinertia.inertia.rigid_transform import RigidTransform, rotation_from_rpy
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia

pytestmark = pytest.mark.oracle

X_BC = RigidTransform(rotation_from_rpy(0.3, -1.1, 2.0), (0.4, -0.7, 1.3))
BODIES = {
    "box": sdfinertia.box((1, 2, 3), 1000.0),
    "turned": sdfinertia.cylinder(0.1, 0.7, 2700.0).transformed(X_BC),
    "welded": sdfinertia.box((0.1, 0.02, 0.004), 2700.0) + sdfinertia.sphere(0.01, 7850.0).shifted((0, 0, -0.02)),
}


@pytest.fixture
def tree() -> Any:
    return pytest.importorskip("pydrake.multibody.tree", reason="Drake is not installed: pip install drake")


@pytest.mark.parametrize("name", BODIES)
def test_drake_reads_from_the_text_what_it_is_handed(readers, write, tree, name):
    body = BODIES[name]
    handed = body.as_drake()
    assert isinstance(handed, tree.SpatialInertia)
    link = f"<link name='l'>{body.as_sdf()}</link>"
    path = write(f"<sdf version='1.11'><model name='m'>{link}</model></sdf>")
    readers.assert_agree(readers.from_drake(handed), readers.drake(path)["m::l"])


def test_a_box_is_the_box_that_drake_makes(readers: Any, tree: Any) -> None:
    theirs = tree.SpatialInertia.SolidBoxWithDensity(density=1000.0, lx=1.0, ly=2.0, lz=3.0)
    readers.assert_agree(readers.from_drake(BODIES["box"].as_drake()), readers.from_drake(theirs))


def test_what_no_body_has_is_refused_as_an_error_of_ours(tree: Any) -> None:
    with pytest.raises(InertiaError, match="Drake rejects this inertia"):
        SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(1.0, 1.0, 9.0)).as_drake()
