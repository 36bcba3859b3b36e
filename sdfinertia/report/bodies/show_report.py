"""Mass properties for programs: as JSON, and in other notations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sdfinertia.documents.showing import ShownBody
from sdfinertia.errors import InertiaError
from sdfinertia.inertia.solids import equivalent_box, equivalent_ellipsoid
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.report.findings.wording import json_of

_DIGITS = 12


def body_json(body: ShownBody) -> dict[str, Any]:
    """The same facts as JSON takes them."""
    return {
        "name": body.name,
        "origin": body.origin,
        "volume": body.volume,
        "inertia": _inertia_json(body.inertia),
        "computed": _inertia_json(body.computed),
        "problem": body.problem or None,
    }


def _inertia_json(inertia: SpatialInertia | None) -> dict[str, Any] | None:
    if inertia is None:
        return None
    axes = inertia.principal()
    try:
        box: tuple[float, ...] | None = equivalent_box(inertia.mass, axes.moments)
        radii: tuple[float, ...] | None = equivalent_ellipsoid(inertia.mass, axes.moments)
    except InertiaError:
        box = radii = None
    return {
        "mass": inertia.mass,
        "com": inertia.p_BoBcm_B,
        **inertia.I_BBcm_B._asdict(),
        "principal_moments": axes.moments,
        "principal_rotation": axes.rotation,
        "equivalent_box": box,
        "equivalent_ellipsoid": radii,
        "gyradius": inertia.gyradius,
    }


def in_notation(body: ShownBody, notation: str) -> str:
    """A body in another notation, on one line.

    Raises:
        InertiaError: the notation cannot express it.
    """
    if body.inertia is None:
        return f"{body.name}: {body.problem or 'not known'}"
    return f"{body.name}: {NOTATIONS[notation](body.inertia)}"


def _row(values: Sequence[float]) -> str:
    return " ".join(f"{value:.{_DIGITS}g}" for value in values)


def _pi_cm(inertia: SpatialInertia) -> str:
    from sdfinertia.parametrization import pi_cm_from_spatial_inertia

    return _row(pi_cm_from_spatial_inertia(inertia).tolist())


def _pi_o(inertia: SpatialInertia) -> str:
    from sdfinertia.parametrization import pi_cm_from_spatial_inertia, pi_o_from_pi_cm

    return _row(pi_o_from_pi_cm(pi_cm_from_spatial_inertia(inertia)).tolist())


def _theta(inertia: SpatialInertia) -> str:
    from sdfinertia.parametrization import pi_cm_from_spatial_inertia, pi_o_from_pi_cm, theta_from_pi_o

    if not inertia.is_physically_valid():
        raise InertiaError("theta expresses physical inertias only")
    return _row(theta_from_pi_o(pi_o_from_pi_cm(pi_cm_from_spatial_inertia(inertia))).tolist())


def _drake(inertia: SpatialInertia) -> str:
    from sdfinertia.parametrization import drake_from_pi_cm, pi_cm_from_spatial_inertia

    return _row(drake_from_pi_cm(pi_cm_from_spatial_inertia(inertia)).tolist())


def _scalars(inertia: SpatialInertia) -> str:
    from sdfinertia.parametrization import pi_cm_from_spatial_inertia, scalars_from_pi_cm

    return json_of(scalars_from_pi_cm(pi_cm_from_spatial_inertia(inertia)))


NOTATIONS: dict[str, Callable[[SpatialInertia], str]] = {
    "pi_cm": _pi_cm,
    "pi_o": _pi_o,
    "theta": _theta,
    "drake": _drake,
    "urdf": SpatialInertia.as_urdf,
    "scalars": _scalars,
    "mjcf": SpatialInertia.as_mjcf,
}
