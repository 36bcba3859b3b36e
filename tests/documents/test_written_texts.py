from __future__ import annotations

import pytest

from sdfinertia.documents.opened import open_document
from sdfinertia.options import Options
from sdfinertia.robot.inertial import Texts

URDF = """<robot name="r"><link name="l"><inertial>
  <origin xyz=" 0.1  -2e-3 0" {rpy}/><mass value="1.559"/>
  <inertia ixx="2661.9E-6" ixy="-31e-6" ixz="0" iyy="00002166" iyz=".5" izz="1676359E-6"/>
</inertial></link></robot>"""
SDF = """<sdf version="1.11"><model name="m"><link name="l"><inertial>
  {pose}<mass> 1.559 </mass>
  <inertia><ixx>2661.9E-6</ixx><ixy>-31e-6</ixy><iyy>00002166</iyy><iyz>.5</iyz><izz>1676359E-6</izz></inertia>
</inertial></link></model></sdf>"""
TENSOR = ("2661.9E-6", "-31e-6", "0", "00002166", ".5", "1676359E-6")
OMITTED = (*TENSOR[:2], "", *TENSOR[3:])
NOTHING = ("", "", "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            URDF.format(rpy='rpy="0 1.57 0.0"'),
            Texts("1.559", ("0.1", "-2e-3", "0"), ("0", "1.57", "0.0"), TENSOR),
            id="URDF",
        ),
        pytest.param(
            URDF.format(rpy=""), Texts("1.559", ("0.1", "-2e-3", "0"), NOTHING, TENSOR), id="URDF without rpy"
        ),
        pytest.param(
            SDF.format(pose="<pose>0.1 0 0  0 0 1e0</pose>"),
            Texts("1.559", ("0.1", "0", "0"), ("0", "0", "1e0"), OMITTED),
            id="SDF",
        ),
        pytest.param(SDF.format(pose=""), Texts("1.559", NOTHING, NOTHING, OMITTED), id="SDF without a pose"),
        pytest.param(
            SDF.format(pose='<pose degrees="true">0.1 0 0 0 0 90</pose>'),
            Texts("1.559", ("0.1", "0", "0"), NOTHING, OMITTED),
            id="SDF in degrees",
        ),
    ],
)
def test_the_texts_of_the_numbers_are_told_as_they_stand(text: str, expected: Texts) -> None:
    link = next(open_document(text.encode(), Options()).links())
    assert link.written_texts() == expected


@pytest.mark.parametrize(
    "text",
    ['<robot name="r"><link name="l"/></robot>', '<sdf version="1.11"><model name="m"><link name="l"/></model></sdf>'],
)
def test_a_link_without_inertial_has_no_texts(text: str) -> None:
    assert next(open_document(text.encode(), Options()).links()).written_texts() is None
