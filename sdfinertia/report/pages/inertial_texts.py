"""An inertia as the text of other programs, to be copied out of a page."""

from __future__ import annotations

from sdfinertia.description.facts import TENSOR_NAMES
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.report.bodies.show_report import NOTATIONS

_DIGITS = 12
_INDENT = "  "


def inertial_texts(inertia: SpatialInertia) -> dict[str, str]:
    """The `<inertial>` of SDF, of URDF and of MJCF, as it is, whether or not a body can have it."""
    return {"sdf": _sdf(inertia), "urdf": NOTATIONS["urdf"](inertia), "mjcf": NOTATIONS["mjcf"](inertia)}


def _sdf(inertia: SpatialInertia) -> str:
    x, y, z = map(_number, inertia.p_BoBcm_B)
    tensor = inertia.I_BBcm_B._asdict()
    entries = [f"{2 * _INDENT}<{name}>{_number(tensor[name])}</{name}>" for name in TENSOR_NAMES]
    lines = [
        "<inertial>",
        f"{_INDENT}<pose>{x} {y} {z} 0 0 0</pose>",
        f"{_INDENT}<mass>{_number(inertia.mass)}</mass>",
        f"{_INDENT}<inertia>",
        *entries,
        f"{_INDENT}</inertia>",
        "</inertial>",
    ]
    return "\n".join(lines)


def _number(value: float) -> str:
    return f"{value:.{_DIGITS}g}" if value else "0"
