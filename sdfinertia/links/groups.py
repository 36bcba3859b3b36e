"""Links that fixed joints make one body, as rules judge it; and the gate: whether new numbers make a link or it worse.

Each body is compared at its own mass, with the best geometry there is: an exact mesh of the visuals, else their hull,
else the collisions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, product, repeat
from math import dist, inf, log

from sdfinertia import robot as links
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia import InertiaTensor, SpatialInertia, welded
from sdfinertia.inertia.principal_axes import principal_moments
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform, Vector3
from sdfinertia.links import Studies, Study
from sdfinertia.links.solids import CLOSED, ShapeBody, shape_bodies
from sdfinertia.robot import COLLISION, VISUAL, Axis, alone, attempt, given, known
from sdfinertia.shapes import Bounds, bounds_around, extent_of_box, placed_bounds

# kg/m³: a denser shape represents a part that is not drawn; one lighter than aerogel left its mass to another link.
_DENSEST, _LIGHTEST = 25_000.0, 1.0
# A link below this part of the group's mass moves no sum.
_NOMINAL = 0.01
# The largest growth of a distance, as a logarithm of a factor, or a part of the radius of gyration: the 10 % of SDI204,
# as parts are hollow, and meshes drawn simply.
SLACK = 0.1
# Beside a box alone: a solid that touches all its sides has from a third of its moments to all of them.
SLACK_OF_BOX = log(3.0)
# A moment of a flat reference, as a part of its largest: no part is thinner.
_FLAT = 1e-3

# A link, and its pose X_GL in the frame of its group.
Member = tuple[Study, RigidTransform]


class Group:
    """Links that fixed joints make one body; `axis` is that about which a joint turns them."""

    def __init__(self, members: Sequence[Member], axis: Axis | None) -> None:
        self.members = members
        self.axis = axis

    @property
    def is_alone(self) -> bool:
        return len(self.members) == 1

    @cached_property
    def _poses(self) -> Mapping[Hashable, RigidTransform]:
        return {study.link.place: X_GL for study, X_GL in self.members}

    def frame_of(self, study: Study) -> RigidTransform:
        """X_LG."""
        return self._poses[study.link.place].inverse()

    def axis_of(self, study: Study) -> Axis | None:
        """The axis in the frame of a link."""
        return self.axis.transformed(self.frame_of(study)) if self.axis is not None else None

    def seen_from(self, study: Study) -> Group:
        """The group in the frame of one of its links, which comes first."""
        X_LG = self.frame_of(study)
        others = [(each, X_LG @ X_GL) for each, X_GL in self.members if each.link.place != study.link.place]
        return Group([(study, IDENTITY), *others], self.axis_of(study))

    @cached_property
    def body(self) -> SpatialInertia | None:
        """The sum of what is known of its inertials; a link without one adds nothing, as in Gazebo."""
        bodies = [body for body in self._bodies if body is not None]
        return welded(bodies) if bodies else None

    @property
    def unknown(self) -> list[tuple[Study, SdfInertiaError]]:
        """The links whose inertial cannot be read or computed."""
        return [(study, study.added) for study, _ in self.members if isinstance(study.added, SdfInertiaError)]

    @cached_property
    def _bodies(self) -> list[SpatialInertia | None]:
        bodies = ((known(study.added), X_GL) for study, X_GL in self.members)
        return [body.transformed(X_GL) if body is not None else None for body, X_GL in bodies]

    @cached_property
    def geometry(self) -> SpatialInertia | SdfInertiaError | None:
        """The body that its geometry gives; its mass means nothing. None without shapes.

        Each link at its own mass, or as written where it has no geometry. All at one density where a link with shapes
        weighs nothing, for then another has its mass.
        """
        return attempt(self._geometry)

    def _geometry(self) -> SpatialInertia | None:
        drawn: list[SpatialInertia] = []
        at_own_mass: list[SpatialInertia] = []
        is_complete = True
        for study, X_GL in self.members:
            written = known(study.added)
            body = geometry_body(study, written.mass if written is not None else 0.0)
            if body is not None:
                drawn.append(body.inertia.scaled_to_mass(body.volume).transformed(X_GL))
            if body is not None and (written is None or written.mass < _LIGHTEST * body.volume):
                is_complete = False
            elif written is not None and written.mass > 0.0:
                own = body.inertia.scaled_to_mass(written.mass) if body is not None else written
                at_own_mass.append(own.transformed(X_GL))
        if not drawn:
            return None
        return welded(at_own_mass if is_complete and at_own_mass else drawn)

    @cached_property
    def others(self) -> Mapping[Hashable, SpatialInertia | None]:
        """By the place of a link the sum of the inertials of all others."""
        before = accumulate([None, *self._bodies], _sum)
        behind = [*accumulate([None, *reversed(self._bodies)], _sum)][-2::-1]
        places = [study.link.place for study, _ in self.members]
        return dict(zip(places, map(_sum, before, behind), strict=True))


def _sum(one: SpatialInertia | None, other: SpatialInertia | None) -> SpatialInertia | None:
    if one is None or other is None:
        return other if one is None else one
    return one + other


def group_of(study: Study) -> Group:
    """Its group, in the frame that all its members share; a link of unknown joints is alone."""
    groups: dict[Hashable, Group] = study.studies.groups
    if study.link.place not in groups:
        found = known(attempt(study.link.model.group, study.link, study.context)) or alone(study.link)
        group = studied(found, study.studies)
        groups.update((each.link.place, group) for each, _ in group.members)
    return groups[study.link.place]


def studied(group: links.Group, studies: Studies) -> Group:
    return Group([(studies.of(link), X_GL) for link, X_GL in group.members], group.axis)


def geometry_body(study: Study, mass: float) -> ShapeBody | None:
    """The shape of a link: an exact mesh of its visuals, else their hull, else its collisions.

    None where all of them are too small for a body of that mass (kg).
    """
    for kind in (VISUAL, COLLISION):
        for filling in (CLOSED, "hull", "solid"):
            body = next(shape_bodies(study.link, study.context, (filling,), (kind,)), None)
            if body is None or (filling is CLOSED and not body.is_closed):
                continue
            if _is_likely(study, body, mass):
                return body
            if filling is CLOSED:
                break
    return None


def closed_visuals(study: Study, mass: float) -> ShapeBody | None:
    """The closed solid of a link's visuals; None where they are open, or too small for a body of that mass (kg)."""
    body = next(shape_bodies(study.link, study.context, (CLOSED,), (VISUAL,)), None)
    return body if body is not None and body.is_closed and _is_likely(study, body, mass) else None


def is_drawn_as_marker(study: Study) -> bool:
    box = known(study.bounds(VISUAL))
    return box is not None and box.is_marker


def _is_likely(study: Study, body: ShapeBody, mass: float) -> bool:
    if not (body.volume > 0.0 and mass <= _DENSEST * body.volume):
        return False
    box = known(study.bounds(body.kind))
    return box is not None and not box.is_marker


# A group as rules judge it --------------------------------------------------------------------------------------------


class Lumped(Study):
    """A group in the frame of the link that is named for it, whose inertial was written by others."""

    def __init__(self, carrier: Study, group: Group) -> None:
        super().__init__(carrier.link, carrier.options, carrier.context)
        self.carrier = carrier
        self.group = group

    @property
    def alone(self) -> Study:
        return self.carrier

    def named_by(self, reference: SpatialInertia) -> Lumped:
        """The same, named for the link whose inertial is furthest off a reference in this frame, at its own mass.

        By the trace about the centre of the group, in the direction in which the sum is off.
        """
        total = self.hand_written
        assert total is not None, "what is unknown is not compared"
        wanted = reference.scaled_to_mass(1.0).I_BBcm_B.trace
        sign = 1.0 if total.I_BBcm_B.trace > total.mass * wanted else -1.0

        def excess(member: Member) -> float:
            body, X_GL = member[0].hand_written, member[1]
            if body is None or not body.mass > 0.0:
                return -inf
            body = body.transformed(X_GL)
            own = body.I_BBcm_B.trace + 2.0 * body.mass * dist(body.p_BoBcm_B, total.p_BoBcm_B) ** 2
            return sign * (own - body.mass * wanted)

        study, _ = max(self.group.members, key=excess)
        return Lumped(study, self.group.seen_from(study))

    @cached_property
    def judged(self) -> None:
        return None

    @cached_property
    def hand_written(self) -> SpatialInertia | None:
        """The sum of the written inertials; None where one is to be computed or cannot be read."""
        studies = [study for study, _ in self.group.members]
        if any(each.link.request.asks is not False or each.link.is_inferred or each.is_static for each in studies):
            return None
        return self.group.body if not self.group.unknown else None

    @cached_property
    def box(self) -> Bounds | None:
        boxes: list[Bounds] = []
        for (study, X_GL), kind in product(self.group.members, (COLLISION, VISUAL)):
            found = study.boxes(kind)
            if found.boxes is None or found.errors:
                is_drawn = any(map(self.link.has_solids, (COLLISION, VISUAL)))
                for error in found.errors if not is_drawn and study.hand_written is None else ():
                    self.carrier.keep(error, kind)
                return None
            boxes += (placed_bounds(extent_of_box(box), X_GL) for box in found.boxes)
        return bounds_around(boxes) if boxes else None

    @property
    def is_static(self) -> bool:
        return False

    @property
    def is_drawn_round_its_masses(self) -> bool:
        least = _NOMINAL * self.hand_written.mass if self.hand_written is not None else inf
        return not any(_is_off_centre(study, least) for study, _ in self.group.members)

    def is_selected_by_name(self, code: str) -> bool:
        return False


def lumped(study: Study) -> Lumped | None:
    """The group of a link, named for a link whose mass others wrote; None if none has one.

    None too where fixed joints add nothing to a link.
    """
    group = group_of(study)
    if group.is_alone:
        return None
    members = [each for each in group.seen_from(study).members if _adds(each[0])]
    for carrier, _ in members if len(members) > 1 else ():
        if carrier.hand_written is not None and carrier.hand_written.mass > 0.0:
            return Lumped(carrier, Group(members, group.axis_of(study)).seen_from(carrier))
    return None


def _adds(study: Study) -> bool:
    if study.link.has_solids(COLLISION) or study.link.has_solids(VISUAL) or study.is_requested:
        return True
    body = study.body
    return body is not None and (body.mass != 0.0 or any(body.I_BBcm_B))


def _is_off_centre(study: Study, least: float) -> bool:
    body = study.hand_written
    if body is None or body.mass <= least:
        return False
    bounds = known(study.bounds())
    return bounds is not None and bounds.distance_outside(body.p_BoBcm_B) > 0.0


# The gate -------------------------------------------------------------------------------------------------------------


def harm_of(study: Study, after: SpatialInertia) -> str:
    """Why new numbers make a link worse, or the group that it belongs to; "" where they do not."""
    before = written_inertia(study)
    if before is None or before.is_close(after):
        return ""
    group = group_of(study)
    axis = group.axis_of(study)
    try:
        own = geometry_body(study, after.mass)
        problem = worse(before, after, own.inertia, axis, geometry_name(own)) if own is not None else ""
        # The geometry of the others is read only where the link itself gets no worse.
        if problem or group.is_alone:
            return problem
        drawn, others = given(group.geometry), group.others[study.link.place]
    finally:
        study.context.forget_contents()
    X_LG = group.frame_of(study)
    if others is not None:
        before, after = before + others.transformed(X_LG), after + others.transformed(X_LG)
    problem = worse(before, after, drawn.transformed(X_LG), axis, "what is drawn") if drawn is not None else ""
    return f"with the links fixed to it, {problem}" if problem else ""


def written_inertia(study: Study) -> SpatialInertia | None:
    written = known(study.written) if study.link.request.asks is False else None
    return written.inertia if written is not None else None


def geometry_name(body: ShapeBody) -> str:
    what = f"the {body.kind.value} {'mesh' if body.faces else 'shapes'}"
    return what if body.filling == "solid" else f"{what} as a {body.filling}"


def solid_box(box: Bounds) -> SpatialInertia:
    """The body that fills a box, at 1 kg; a flat box has the least thickness."""
    x, y, z = (max(size, _FLAT * box.diagonal) ** 2 / 12.0 for size in box.sizes)
    return SpatialInertia(1.0, box.middle, InertiaTensor(y + z, x + z, x + y))


# What is far off, by how much as a number that is compared, and in words.
_Distance = tuple[str, float, str]


def worse(
    before: SpatialInertia | None,
    after: SpatialInertia,
    expected: SpatialInertia,
    axis: Axis | None,
    name: str,
    slack: float = SLACK,
) -> str:
    """Where an inertia is further off that of a geometry than before; "" where nowhere.

    Args:
        before: None where nothing is written: any large distance is worse then.
        expected: of the geometry, at any mass; `name` are its words.
        slack: by how much a distance may grow.
    """
    written = _distances(before, expected, axis) if before is not None else repeat(None)
    for was, (what, value, shown) in zip(written, _distances(after, expected, axis), strict=False):
        if value > slack + (was[1] if was is not None else 0.0):
            return f"{what} would be {shown} off {name}" + (f", your numbers {was[2]}" if was is not None else "")
    return ""


def _distances(body: SpatialInertia, expected: SpatialInertia, axis: Axis | None) -> Iterator[_Distance]:
    expected = _thickened(expected.scaled_to_mass(1.0))
    is_judged = body.can_be_judged and body.mass > 0.0
    body = body.scaled_to_mass(1.0) if is_judged else body
    apart = dist(body.p_BoBcm_B, expected.p_BoBcm_B)
    yield "its centre of mass", apart / expected.gyradius, f"{1000.0 * apart:.3g} mm"
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
    return max(one / other, other / one) if one > 0.0 and other > 0.0 else inf


def _of_factor(what: str, factor: float) -> _Distance:
    return what, log(factor), f"{factor:.3g} ×"


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
