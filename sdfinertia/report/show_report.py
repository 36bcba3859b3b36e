"""Mass properties for people and for other notations."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sdfinertia.errors import InertiaError
from sdfinertia.inertia.equivalents import equivalent_box, equivalent_ellipsoid
from sdfinertia.inertia.rigid_transform import rpy_from_rotation
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.report.text_report import number, numbers, tensor_change
from sdfinertia.showing import ShownBody

_DIGITS = 12


def body_lines(body: ShownBody) -> Iterator[str]:
    """The lines on one body."""
    yield f"{body.name}  ({body.origin})"
    if body.inertia is not None:
        for label, text in _quantities(body.inertia, body.volume):
            yield f"  {label:<12}{text}"
    if body.computed is not None and body.inertia is not None and body.origin == "written":
        computed = body.computed
        yield f"  {'computed':<12}{number(computed.mass)} kg at {numbers(computed.p_BoBcm_B)} m"
        yield f"  {'':<12}principal {numbers(computed.principal_moments())} kg·m²"
        yield f"  {'':<12}the tensor that is written differs by {tensor_change(body.inertia, computed):.3g} %"
    if body.problem:
        yield f"  {'note':<12}{body.problem}"


def _quantities(inertia: SpatialInertia, volume: float | None) -> Iterator[tuple[str, str]]:
    tensor, axes = inertia.I_BBcm_B, inertia.principal()
    yield "mass", f"{number(inertia.mass)} kg"
    yield "centre", f"{numbers(inertia.p_BoBcm_B)} m"
    yield "moments", f"{numbers(tensor[:3])} kg·m²"
    yield "products", f"{numbers(tensor[3:]) if any(tensor[3:]) else '0 0 0'} kg·m² (xy xz yz)"
    degrees = tuple(math.degrees(angle) for angle in rpy_from_rotation(axes.rotation))
    yield "principal", f"{numbers(axes.moments)} kg·m², axes turned by {numbers(degrees) if any(degrees) else '0 0 0'}°"
    try:
        moments = axes.moments
        yield "as a box", f"{numbers(equivalent_box(inertia.mass, moments))} m"
        yield "ellipsoid", f"{numbers(equivalent_ellipsoid(inertia.mass, moments))} m (radii)"
    except InertiaError as error:
        yield "as a box", error.problem
    yield "gyradius", f"{number(inertia.gyradius)} m"
    if volume:
        yield "volume", f"{number(volume)} m³, density {number(inertia.mass / volume)} kg/m³"


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
    gyradius = inertia.gyradius
    return {
        "mass": inertia.mass,
        "com": inertia.p_BoBcm_B,
        **inertia.I_BBcm_B._asdict(),
        "principal_moments": axes.moments,
        "principal_rotation": axes.rotation,
        "equivalent_box": box,
        "equivalent_ellipsoid": radii,
        "gyradius": gyradius if math.isfinite(gyradius) else None,
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

    return json.dumps(scalars_from_pi_cm(pi_cm_from_spatial_inertia(inertia)))


def _urdf(inertia: SpatialInertia) -> str:
    tensor = inertia.I_BBcm_B
    entries = " ".join(f'{name}="{value:.{_DIGITS}g}"' for name, value in tensor._asdict().items())
    return (
        f'<inertial><origin xyz="{_row(inertia.p_BoBcm_B)}" rpy="0 0 0"/><mass value="{inertia.mass:.{_DIGITS}g}"/>'
        f"<inertia {entries}/></inertial>"
    )


def _mjcf(inertia: SpatialInertia) -> str:
    # MuJoCo's fullinertia: M(1,1) M(2,2) M(3,3) M(1,2) M(1,3) M(2,3).
    return (
        f'<inertial pos="{_row(inertia.p_BoBcm_B)}" mass="{inertia.mass:.{_DIGITS}g}" '
        f'fullinertia="{_row(inertia.I_BBcm_B)}"/>'
    )


NOTATIONS: dict[str, Callable[[SpatialInertia], str]] = {
    "pi_cm": _pi_cm,
    "pi_o": _pi_o,
    "theta": _theta,
    "drake": _drake,
    "urdf": _urdf,
    "scalars": _scalars,
    "mjcf": _mjcf,
}
