"""Models of MuJoCo, mesh assets with inline vertices, and bodies as MuJoCo compiles them."""

from typing import Any

import numpy as np

from builders.rigid_bodies import Body

# A box of 1 by 2 by 3, in eight corners and no faces, of which MuJoCo makes the hull.
CORNERS = " ".join(f"{x} {y} {z}" for x in (-0.5, 0.5) for y in (-1, 1) for z in (-1.5, 1.5))

# A bracket of 7 m³.
L_SHAPE = [(0, 0), (4, 0), (4, 1), (1, 1), (1, 4), (0, 4)]

# A body with an inertial, one that requests it, and one without numbers.
ARM_AND_HAND = """\
<mujoco model="m">
  <worldbody>
    <body name="arm">
      <freejoint/>
      <inertial pos="0 0 0.5" mass="12" diaginertia="13 10 5"/>
      <geom type="box" size="0.5 1 1.5"/>
    </body>
    <body name="hand">
      <!-- sdfinertia: auto density=500 -->
      <freejoint/>
      <geom type="box" size="0.5 1 1.5"/>
    </body>
    <body name="bare">
      <freejoint/>
      <geom size="0.1"/>
    </body>
  </worldbody>
</mujoco>
"""


def bracket(inertia: str) -> str:
    """The bracket as a mesh asset."""
    vertices = " ".join(f"{x} {y} {z}" for z in (0, 1) for x, y in L_SHAPE)
    lids = [(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4), (6, 7, 8), (6, 8, 9), (6, 9, 10), (6, 10, 11)]
    walls = [face for i in range(6) for j in ((i + 1) % 6,) for face in ((i, j, j + 6), (i, j + 6, i + 6))]
    faces = " ".join(str(corner) for face in (*lids, *walls) for corner in face)
    return f'<asset><mesh name="m" vertex="{vertices}" face="{faces}" inertia="{inertia}"/></asset>'


def compiled_body(model: Any, number: int) -> Body:
    """A body as MuJoCo has compiled it: 0 is the world."""
    import mujoco

    axes = np.zeros(9)
    mujoco.mju_quat2Mat(axes, model.body_iquat[number])
    rotation = axes.reshape(3, 3)
    tensor = rotation @ np.diag(model.body_inertia[number]) @ rotation.T
    return Body(float(model.body_mass[number]), model.body_ipos[number].copy(), tensor)
