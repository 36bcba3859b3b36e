"""Agreement with MuJoCo, which keeps vertices as 32-bit floats, on primitives and exactly integrated meshes."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest
from builders.meshes import obj, prism, torus
from builders.mjcf import compiled_body
from builders.rigid_bodies import body_of
from builders.thoroughness import trials
from random_models import write_meshes

from sdfinertia.documents.filling import fill

if TYPE_CHECKING:
    from pathlib import Path

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install mujoco")

pytestmark = pytest.mark.oracle

TOLERANCE = 1e-6

POSE = "0.4 -0.2 0.7 0.3 -0.5 1.1"
# The same shape as SDF and as MJCF say it: MJCF gives half sizes, and the half length of a cylinder.
PRIMITIVES = {
    "box": ("<box><size>1 2 3</size></box>", 'type="box" size="0.5 1 1.5"'),
    "sphere": ("<sphere><radius>0.3</radius></sphere>", 'type="sphere" size="0.3"'),
    "cylinder": ("<cylinder><radius>0.2</radius><length>0.7</length></cylinder>", 'type="cylinder" size="0.2 0.35"'),
    "capsule": ("<capsule><radius>0.2</radius><length>0.7</length></capsule>", 'type="capsule" size="0.2 0.35"'),
    "ellipsoid": ("<ellipsoid><radii>0.1 0.2 0.35</radii></ellipsoid>", 'type="ellipsoid" size="0.1 0.2 0.35"'),
}

L_SHAPE = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
MESHES = {
    "block": (prism([(0, 0), (1, 0), (1, 2), (0, 2)], 3.0), "1 1 1"),
    "L": (prism(L_SHAPE, 0.5), "1 1 1"),
    "L scaled unevenly": (prism(L_SHAPE, 0.5), "0.2 0.3 0.7"),
    "L mirrored": (prism(L_SHAPE, 0.5), "-1 1 1"),
    "torus": (torus(0.3), "1 1 1"),
}


def assert_mujoco_agrees(tmp_path: Path, sdf_shape: str, asset: str, geom: str, tolerance: float = TOLERANCE) -> None:
    """Holds mass, centre and tensor of one geometry at POSE, with a density of 2700."""
    document = tmp_path / "model.sdf"
    document.write_text(
        '<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"><density>2700</density></inertial>'
        f'<collision name="c"><pose>{POSE}</pose><geometry>{sdf_shape}</geometry></collision></link></model></sdf>',
        encoding="utf-8",
    )
    x, y, z, roll, pitch, yaw = POSE.split()
    # MJCF's sequence in capitals is about fixed axes, as SDF's roll, pitch, yaw are.
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><compiler angle="radian" eulerseq="XYZ"/><asset>{asset}</asset><worldbody><body><freejoint/>'
        f'<geom {geom} density="2700" pos="{x} {y} {z}" euler="{roll} {pitch} {yaw}"/></body></worldbody></mujoco>'
    )
    theirs = compiled_body(model, 1)
    result = fill(document)
    assert not result.errors, result.errors[0]
    ours = result.links[0].inertia
    tensor = body_of(ours).tensor
    assert theirs.mass == pytest.approx(ours.mass, rel=tolerance, abs=0)
    np.testing.assert_allclose(theirs.com, ours.p_BoBcm_B, rtol=0, atol=tolerance)
    np.testing.assert_allclose(theirs.tensor, tensor, rtol=0, atol=tolerance * np.trace(tensor) / 2)


@pytest.mark.parametrize(("sdf_shape", "geom"), PRIMITIVES.values(), ids=PRIMITIVES.keys())
def test_mujoco_computes_the_same_inertia_of_primitives(tmp_path: Path, sdf_shape: str, geom: str) -> None:
    assert_mujoco_agrees(tmp_path, sdf_shape, "", geom)


@pytest.mark.parametrize(("mesh", "scale"), MESHES.values(), ids=MESHES.keys())
def test_mujoco_integrates_the_same_inertia_of_closed_meshes(tmp_path, mesh, scale):
    (tmp_path / "mesh.obj").write_text(obj(mesh), encoding="utf-8")
    assert_mujoco_agrees(tmp_path, *as_sdf_and_mjcf("mesh.obj", scale, *mesh))


def as_sdf_and_mjcf(name: str, scale: str, points: np.ndarray, faces: np.ndarray) -> tuple[str, str, str]:
    """The shape of a mesh file in SDF, its asset in MJCF, and the geom of that."""
    vertices, corners = (" ".join(map(repr, array.ravel().tolist())) for array in (points, faces))
    return (
        f"<mesh><uri>{name}</uri><scale>{scale}</scale></mesh>",
        f'<mesh name="s" inertia="exact" scale="{scale}" vertex="{vertices}" face="{corners}"/>',
        'type="mesh" mesh="s"',
    )


@pytest.mark.parametrize("number", range(trials(20, 60)))
def test_mujoco_integrates_the_same_inertia_of_random_tessellations(tmp_path: Path, number: int) -> None:
    rng = random.Random(number)
    path = write_meshes(tmp_path, seed=number, count=number % 4 + 1)[-1]
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    points = np.array([[float(word) for word in words] for kind, *words in lines if kind == "v"])
    polygons = [[int(word) - 1 for word in words] for kind, *words in lines if kind == "f"]
    faces = np.array([(face[0], b, c) for face in polygons for b, c in pairwise(face[1:])])
    # MuJoCo refuses what is inside out, where we turn it round.
    if np.linalg.det((points - points.mean(axis=0))[faces]).sum() < 0:
        faces = faces[:, ::-1]
    scale = " ".join(repr(rng.choice([1, 1, -1]) * rng.uniform(0.2, 2)) for _ in range(3))
    # Vertices as 32-bit floats: what lies off its origin has lost as many digits as it is sizes away.
    away = float(np.abs(points).max() / np.ptp(points, axis=0).min())
    parts = as_sdf_and_mjcf(path.name, scale, points, faces)
    assert_mujoco_agrees(tmp_path, *parts, tolerance=TOLERANCE * max(1.0, away))
