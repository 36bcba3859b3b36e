"""How URDF says what remedies advise to write: by comments, where it has no elements for it; see `urdf.requests`."""

from __future__ import annotations

from sdfinertia.description.phrases import Phrases

PHRASES = Phrases(
    density="the comment <!-- sdfinertia: density=... --> to the collision",
    no_request="take out the comment that asks for its inertial",
    inertial_pose="origin",
    scale='scale="{0} {0} {0}"',
    parameter="<!-- sdfinertia: auto {0}=... --> in its link",
    parameter_value="<!-- sdfinertia: auto {0}={1} --> in its link",
    thickness="<!-- sdfinertia: auto thickness=... --> in its link",
)
