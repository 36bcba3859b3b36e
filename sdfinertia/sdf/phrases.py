"""How SDFormat says what remedies advise to write."""

from __future__ import annotations

from sdfinertia.description.phrases import Phrases

PHRASES = Phrases(
    density="a <density> to the collision or the link",
    no_request="set auto to false",
    inertial_pose="pose",
    scale="<scale>{0} {0} {0}</scale>",
    parameter="<sdfinertia:{0}>",
    parameter_value="<sdfinertia:{0}> {1}",
    thickness="<sdfinertia:thickness> in <auto_inertia_params>",
)
