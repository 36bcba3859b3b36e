"""How bodies move in Drake whose inertials were changed by hand and saved: the design's own tests of such changes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import pytest

from sdfinertia.editing.changes import Change, DragFace, MoveCentre, SetMass
from sdfinertia.editing.draft import open_draft

if TYPE_CHECKING:
    from pathlib import Path

pytest.importorskip("pydrake", reason="Drake is not installed: pip install -e .[oracle]")

pytestmark = pytest.mark.oracle

GRAVITY = 9.81
HANGING = 0.5


def inertial(mass: float, x: float, y: float, z: float, centre: str = "0 0 0") -> str:
    """That of a box."""
    xx, yy, zz = (mass / 12 * (a * a + b * b) for a, b in ((y, z), (x, z), (x, y)))
    tensor = f"<ixx>{xx}</ixx><ixy>0</ixy><ixz>0</ixz><iyy>{yy}</iyy><iyz>0</iyz><izz>{zz}</izz>"
    return f"<inertial><pose>{centre} 0 0 0</pose><mass>{mass}</mass><inertia>{tensor}</inertia></inertial>"


def hinge(child: str) -> str:
    return (
        f"<joint name='hinge' type='revolute'><parent>world</parent><child>{child}</child>"
        "<axis><xyz>0 1 0</xyz></axis></joint>"
    )


def weld(parent: str, child: str) -> str:
    return f"<joint name='weld_{child}' type='fixed'><parent>{parent}</parent><child>{child}</child></joint>"


PENDULUM = (
    "<sdf version='1.9'><model name='m'><link name='bob'>"
    f"{inertial(2.0, 0.1, 0.2, 0.3, f'0 0 -{HANGING}')}</link>{hinge('bob')}</model></sdf>"
)
SEESAW = (
    f"<sdf version='1.9'><model name='m'><link name='plank'>{inertial(4.0, 2.0, 0.3, 0.05)}</link>{hinge('plank')}"
    + "".join(
        f"<link name='{name}'><pose>{x} 0 0 0 0 0</pose>{inertial(1.0, 0.2, 0.2, 0.2)}</link>{weld('plank', name)}"
        for name, x in (("left", -0.8), ("right", 0.8))
    )
    + "</model></sdf>"
)


def simulated(path: Path, angle: float) -> tuple[Any, Any]:
    """A simulator of the model in a file, and what tells the angle of its hinge."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.systems.analysis import Simulator

    plant = MultibodyPlant(time_step=0.0)
    Parser(plant).AddModels(str(path))
    plant.mutable_gravity_field().set_gravity_vector([0.0, 0.0, -GRAVITY])
    plant.Finalize()
    simulator = Simulator(plant)
    context = simulator.get_mutable_context()
    joint = plant.GetJointByName("hinge")
    joint.set_angle(context, angle)
    simulator.get_mutable_integrator().set_target_accuracy(1e-9)
    simulator.Initialize()
    return simulator, lambda: joint.get_angle(context)


def period(path: Path) -> float:
    """Seconds of a small swing, from one passing of the lowest point to the next but one."""
    simulator, angle = simulated(path, 0.02)
    passed: list[float] = []
    time, before = 0.0, angle()
    while len(passed) < 3:
        time += 0.005
        simulator.AdvanceTo(time)
        now = angle()
        if before * now < 0.0:
            passed.append(time - 0.005 * now / (now - before))
        before = now
        assert time < 20.0, "it does not swing"
    return passed[2] - passed[0]


def saved(path: Path, text: str, *changes: Change) -> Path:
    path.write_text(text)
    draft = open_draft(path)
    for change in changes:
        draft = draft.changed(change)
    draft.save()
    return path


def expected_period(path: Path) -> float:
    """2π sqrt(I / m g d), with the inertia about the hinge by the parallel-axis theorem."""
    body = open_draft(path).inertia("m::bob")
    distance = -body.p_BoBcm_B[2]
    return 2.0 * math.pi * math.sqrt((body.I_BBcm_B.iyy + body.mass * distance**2) / (body.mass * GRAVITY * distance))


def test_a_pendulum_swings_with_the_period_of_its_inertia_and_slower_once_its_box_is_larger(tmp_path: Path) -> None:
    small = saved(tmp_path / "small.sdf", PENDULUM)
    large = saved(tmp_path / "large.sdf", PENDULUM, DragFace("m::bob", axis=2, side=1, distance=0.2))
    for path in (small, large):
        assert period(path) == pytest.approx(expected_period(path), rel=1e-3)
    assert period(large) > 1.02 * period(small)


def tilt(path: Path) -> float:
    """The angle of a seesaw after half a second (rad); above zero where its right side, that of x, has sunk."""
    simulator, angle = simulated(path, 0.0)
    simulator.AdvanceTo(0.5)
    return float(angle())


def test_a_balanced_seesaw_stays_level(tmp_path: Path) -> None:
    assert tilt(saved(tmp_path / "m.sdf", SEESAW)) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(("side", "sign"), [("left", -1), ("right", 1)])
def test_a_seesaw_tips_to_the_side_that_is_made_heavier(tmp_path: Path, side: str, sign: int) -> None:
    assert sign * tilt(saved(tmp_path / "m.sdf", SEESAW, SetMass(f"m::{side}", 1.5))) > 0.05


@pytest.mark.parametrize("sign", [-1, 1])
def test_a_seesaw_tips_where_the_centre_of_its_plank_is_moved(tmp_path: Path, sign: int) -> None:
    assert sign * tilt(saved(tmp_path / "m.sdf", SEESAW, MoveCentre("m::plank", (0.1 * sign, 0.0, 0.0)))) > 0.05
