"""Whether a new inertial makes a robot worse: the link and its group, before and after, beside their geometry.

Each body is compared at its own mass, with the best geometry there is: an exact mesh of the visuals, else their hull,
else the collisions.
"""

from __future__ import annotations

from itertools import repeat
from math import dist, inf, log
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.inertia.principal_axes import principal_moments
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.groups import StudyOf, geometry_body, sums_beside
from sdfinertia.robot.link import Axis, Group, alone, attempt, known

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sdfinertia.inertia.rigid_transform import Vector3
    from sdfinertia.links.solids import ShapeBody
    from sdfinertia.links.study import Study
    from sdfinertia.shapes import Bounds

# The largest growth of a distance, as a logarithm of a factor, or a part of the radius of gyration: the 10 % of SDI204,
# as parts are hollow, and meshes drawn simply.
SLACK = 0.1
# Beside a box alone: a solid that touches all its sides has from a third of its moments to all of them.
SLACK_OF_BOX = log(3.0)
# A moment of a flat reference, as a part of its largest: no part is thinner.
_FLAT = 1e-3


class Reference(NamedTuple):
    """The geometry with which a link and its group are compared, in the frame of the link."""

    link: SpatialInertia | None  # its geometry, at any mass; None where it has none that can be trusted
    group: SpatialInertia | None = None  # that of the group; None where the link is alone in it
    others: SpatialInertia | None = None  # the inertials of the other links of the group
    name: str = "its geometry"  # of the geometry, in words


class _Distance(NamedTuple):
    what: str
    value: float
    shown: str


def harm(
    before: SpatialInertia | None,
    after: SpatialInertia,
    group: Group,
    reference: Reference,
    slack: float = SLACK,
) -> str:
    """Why writing an inertia makes a link worse, or the group that it belongs to; "" where it does not.

    Args:
        before, after: in the frame of the link; before is None where nothing is written.
        group: of the link, in the frame of the link.
        slack: by how much a distance may grow.
    """
    problem = _worse(before, after, reference.link, group.axis, slack, reference.name)
    if problem or reference.group is None:
        return problem
    if reference.others is not None:
        before = before + reference.others if before is not None else reference.others
        after = after + reference.others
    problem = _worse(before, after, reference.group, group.axis, slack, "what is drawn")
    return f"with the links fixed to it, {problem}" if problem else ""


def _worse(
    before: SpatialInertia | None,
    after: SpatialInertia,
    expected: SpatialInertia | None,
    axis: Axis | None,
    slack: float,
    name: str,
) -> str:
    if expected is None:
        return ""
    written = _distances(before, expected, axis) if before is not None else repeat(None)
    # Without numbers before, any large distance is worse.
    for was, would_be in zip(written, _distances(after, expected, axis), strict=False):
        if would_be.value > slack + (was.value if was is not None else 0.0):
            as_written = f", your numbers {was.shown}" if was is not None else ""
            return f"{would_be.what} would be {would_be.shown} off {name}{as_written}"
    return ""


def _distances(body: SpatialInertia, expected: SpatialInertia, axis: Axis | None) -> Iterator[_Distance]:
    expected = _thickened(expected.scaled_to_mass(1.0))
    is_judged = body.can_be_judged and body.mass > 0.0
    body = body.scaled_to_mass(1.0) if is_judged else body
    apart = dist(body.p_BoBcm_B, expected.p_BoBcm_B)
    yield _Distance("its centre of mass", apart / expected.gyradius, f"{1000.0 * apart:.3g} mm")
    for place, own, other in (
        ("", body.I_BBcm_B, expected.I_BBcm_B),
        (" about its origin", body.I_BBo_B, expected.I_BBo_B),
    ):
        moments = principal_moments(own) if is_judged else (0.0, 0.0, 0.0)
        for one, right in zip(moments, principal_moments(other), strict=True):
            yield _of_factor(f"a principal moment{place}", _factor(one, right))
    if axis is not None:
        about_axis = _factor(_about(body, axis), _about(expected, axis)) if is_judged else inf
        yield _of_factor(f"its moment about joint {axis.joint}", about_axis)


def _factor(one: float, other: float) -> float:
    return max(one / other, other / one) if one > 0.0 else inf


def _of_factor(what: str, factor: float) -> _Distance:
    return _Distance(what, log(factor), f"{factor:.3g} ×")


def _thickened(body: SpatialInertia) -> SpatialInertia:
    xx, yy, zz, *products = body.I_BBcm_B
    least = _FLAT * max(xx, yy, zz)
    return SpatialInertia(body.mass, body.p_BoBcm_B, InertiaTensor(xx + least, yy + least, zz + least, *products))


def _about(body: SpatialInertia, axis: Axis) -> float:
    u, v, w = axis.direction
    x, y, z = (c - p for c, p in zip(body.p_BoBcm_B, axis.point, strict=True))
    squares = (v * z - w * y) ** 2 + (w * x - u * z) ** 2 + (u * y - v * x) ** 2
    return moment_about(body.I_BBcm_B, axis.direction) + body.mass * squares


def moment_about(tensor: Sequence[float], direction: Vector3) -> float:
    (xx, yy, zz, xy, xz, yz), (u, v, w) = tensor, direction
    return xx * u * u + yy * v * v + zz * w * w + 2.0 * (xy * u * v + xz * u * w + yz * v * w)


# The reference --------------------------------------------------------------------------------------------------------


def harm_of(study: Study, after: SpatialInertia, study_of: StudyOf) -> str:
    before = written_inertia(study)
    if before is None or before.is_close(after):
        return ""
    group = group_of(study)
    try:
        own = geometry_body(study, after.mass)
        reference = Reference(own.inertia, name=geometry_name(own)) if own is not None else Reference(None)
        problem = harm(before, after, group, reference)
        # The geometry of the others is read only where the link itself gets no worse.
        if problem or group.is_alone:
            return problem
        return harm(before, after, group, Reference(None, *sums_beside(study, group, study_of)))
    finally:
        study.context.forget_contents()


def geometry_name(body: ShapeBody) -> str:
    what = f"the {body.kind.element} {'mesh' if body.faces else 'shapes'}"
    return what if body.filling == "solid" else f"{what} as a {body.filling}"


def solid_box(box: Bounds) -> SpatialInertia:
    """The body that fills a box, at 1 kg; a flat box has the least thickness."""
    x, y, z = (max(size, _FLAT * box.diagonal) ** 2 / 12.0 for size in box.sizes)
    return SpatialInertia(1.0, box.middle, InertiaTensor(y + z, x + z, x + y))


def group_of(study: Study) -> Group:
    return known(attempt(study.link.group, study.context)) or alone(study.link)


def written_inertia(study: Study) -> SpatialInertia | None:
    written = study.written_if_known if study.asks is False else None
    return written.inertia if written is not None else None
