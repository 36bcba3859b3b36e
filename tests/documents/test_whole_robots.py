"""The mass of a robot and its centre, errors that name arguments, and results as sentences."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from builders.documents import AUTO, inertial, link, model, sdf, solid

import sdfinertia
from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia

CUBE = "<box><size>0.1 0.1 0.1</size></box>"
EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "mistakes" / "forearm.urdf"


def placed(name: str, mass: float, pose: str) -> str:
    return link(inertial(mass, (1.0, 1.0, 1.0)), f"<pose>{pose}</pose>").replace("name='l'", f"name='{name}'")


def test_the_mass_and_the_centre_are_those_of_all_links_in_their_places() -> None:
    robot = sdf(model(placed("a", 1.0, "0 0 0 0 0 0") + placed("b", 3.0, "2 0 -4 0 0 0")))
    assert sdfinertia.total_mass(robot) == 4.0
    assert sdfinertia.center_of_mass(robot) == pytest.approx((1.5, 0.0, -3.0))


def test_links_that_ask_are_computed_for_the_sum() -> None:
    robot = sdf(model(link(AUTO, solid(CUBE))))
    assert sdfinertia.total_mass(robot) == pytest.approx(1.0)
    assert sdfinertia.total_mass(robot, sdfinertia.Options(density=2700)) == pytest.approx(2.7)


def test_a_robot_without_masses_has_no_centre() -> None:
    with pytest.raises(InertiaError, match="no link has a mass"):
        sdfinertia.center_of_mass(sdf(model(link(""))))


def test_errors_name_arguments_and_not_options() -> None:
    with pytest.raises(SdfInertiaError) as caught:
        sdfinertia.scale(EXAMPLE, ["*"])
    assert str(caught.value) == "give exactly one of mass, density and size, not 0"
    assert "--" not in repr(caught.value)


def test_the_functions_can_be_sent_to_other_processes() -> None:
    assert pickle.loads(pickle.dumps(sdfinertia.fill)) is sdfinertia.fill


def test_a_finding_and_its_cause_are_sentences() -> None:
    (finding,) = sdfinertia.check(EXAMPLE, sdfinertia.Options(why=True))
    assert str(finding).startswith(f"{EXAMPLE}:7:7: SDI103 link 'arm::forearm': physically impossible: ")
    assert str(finding).endswith(f"; {finding.remedy}")
    said = "decimal-point (certain): the decimal point of izz 1364126E-6 is 3 places too far right: 1364.126E-6"
    assert str(finding.why) == said
    assert finding.why is not None
    assert str(finding.why.explanations[0]) == said


@pytest.mark.parametrize("write", [SpatialInertia.as_sdf, SpatialInertia.as_urdf, SpatialInertia.as_mjcf])
def test_what_rounding_leaves_of_a_zero_is_written_as_zero(write) -> None:
    body = SpatialInertia(1.0, (5e-19, 0.1, 0.0), InertiaTensor(1.0, 1.0, 1.2, 5e-19, 1e-18, 0.0))
    assert "e-" not in write(body)
