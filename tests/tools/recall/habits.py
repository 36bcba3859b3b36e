"""Habits of a file, injected into robots made of links whose numbers are those of their closed meshes."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import isfinite

import numpy as np

from recall.mistakes import with_tensor
from sdfinertia.causes.case import Case
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.causes.evidence import Habits
from sdfinertia.causes.operations import CAD_SIGNS
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.rigid_transform import Rotation, rotate, rotation_from_rpy

_LINKS = 10  # of a robot
_PRODUCT, _RATIO, _SHAPE = 0.03, 1.3, 1.25

Inject = Callable[[Case], "Case | None"]


def cad_signs(case: Case) -> Case | None:
    six = np.array(case.written.tensor)
    if np.abs(six[3:]).max() < _PRODUCT * six[:3].max():
        return None
    return replace(case, written=with_tensor(case, six * CAD_SIGNS))


def of_water(case: Case) -> Case | None:
    """The tensor of the mesh at 1000 kg/m³, of a link of another mass and of no ball's shape."""
    body = next(body for body in case.bodies if body.is_exact_mesh)
    mass, moments = 1000.0 * body.volume, body.inertia.principal_moments()
    ratio = max(mass / case.written.mass, case.written.mass / mass) if isfinite(mass) and mass > 0.0 else 0.0
    is_unit = min(abs(np.log10(ratio) - k) for k in range(8)) < 0.01 if ratio else True
    if ratio < _RATIO or ratio > 50.0 or is_unit or moments[2] < _SHAPE * moments[0]:
        return None
    return replace(case, written=with_tensor(case, [mass * value for value in body.inertia.I_BBcm_B], kept=False))


HABITS: dict[str, tuple[Inject, float, str]] = {
    "CAD signs in all links": (cad_signs, 1.0, "products-cad-signs"),
    "1000 kg/m³ in all links": (of_water, 1.0, "default-density"),
    "1000 kg/m³ in half of them": (of_water, 0.5, "default-density"),
    "1000 kg/m³ in one": (of_water, 0.0, "default-density"),
}


def turned(cases: Sequence[Case]) -> list[Case]:
    """The links each in some axes, for robots of enough links that have products."""
    found = []
    for place, case in enumerate(sorted(cases, key=lambda case: case.name)):
        for k, part in enumerate((0.6, 1.1, 1.7, 2.4)):
            R = rotation_from_rpy(0.3 + 0.2 * k, 0.5 - 0.3 * k + 0.05 * place, 0.4 + 0.7 * k)
            bodies = tuple(body._replace(inertia=_turned(body.inertia, R)) for body in case.bodies)
            body = next(body for body in bodies if body.is_exact_mesh).inertia.scaled_to_mass(part * case.written.mass)
            block = replace(case.written, mass=body.mass, centre=body.p_BoBcm_B)
            link = replace(case, name=f"{case.name} {k}", written=block, bodies=bodies, box=None)
            found.append(replace(link, written=with_tensor(link, body.I_BBcm_B, kept=False)))
    return found


def _turned(inertia: SpatialInertia, R: Rotation) -> SpatialInertia:
    return SpatialInertia(inertia.mass, rotate(R, inertia.p_BoBcm_B), inertia.I_BBcm_B.rotated(R))


def robots(cases: Sequence[Case], inject: Inject) -> Iterator[list[Case]]:
    """Robots of links in which a habit can be injected, each link once."""
    fitting = [case for case in sorted(cases, key=lambda case: case.name) if inject(case) is not None]
    for start in range(0, len(fitting) - _LINKS // 2 + 1, _LINKS):
        yield fitting[start : start + _LINKS]


def as_one_file(links: Sequence[Case]) -> list[Case]:
    """The links as one file, without findings, as a rule that needs habits gets them."""
    witnesses = {(link.name, link.written): partial(replace, link) for link in links}
    file = Habits([link.written for link in links], witnesses)
    return [replace(link, file=file, findings=frozenset()) for link in links]


def lines(cases: Sequence[Case]) -> Iterator[str]:
    """For each habit, of how many links that show it, it is named; and of how many others, or before, any is."""
    yield f"{'habit':<28}{'robots':>8}{'links':>7}{'found':>8}{'certain':>9}{'others':>8}{'before':>8}"
    cases = turned(cases)
    for name, (inject, part, cause) in HABITS.items():
        count = links = found = certain = others = before = 0
        for robot in robots(cases, inject):
            count += 1
            before += sum(diagnose(link).likeliest is not None for link in as_one_file(robot))
            shown = {link.name for link in robot[: max(round(part * len(robot)), 1)]}
            for link in as_one_file([(inject(link) or link) if link.name in shown else link for link in robot]):
                best = diagnose(
                    replace(link, findings=frozenset() if _is_valid(link) else frozenset({"SDI103"}))
                ).likeliest
                if link.name in shown:
                    links += 1
                    found += best is not None and best.cause == cause
                    certain += best is not None and best.is_certain
                else:
                    others += best is not None
        share = f"{100 * found / links:.0f}%" if links else ""
        yield f"{name:<28}{count:>8}{links:>7}{share:>8}{certain:>9}{others:>8}{before:>8}"


def _is_valid(link: Case) -> bool:
    return link.written.is_valid
