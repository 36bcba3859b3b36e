"""How a format says what remedies advise to write."""

from __future__ import annotations

from sdfinertia.named_tuple import NamedTuple


class Phrases(NamedTuple):
    """The words of a format for what other rooms tell its users to write.

    Attributes:
        density: what gives a density, and where it goes, after "add".
        no_request: how a link asks no longer to be computed.
        inertial_pose: what places an inertial.
        scale: what gives a mesh a scale of one factor, written `{0}`.
        parameter: what gives a parameter, named `{0}`, of how meshes are taken; one to be chosen.
        parameter_value: the same with its value, `{1}`.
        thickness: what gives the thickness of a shell, and where it stands.
    """

    density: str
    no_request: str
    inertial_pose: str
    scale: str
    parameter: str
    parameter_value: str
    thickness: str
