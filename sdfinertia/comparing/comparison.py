"""The comparison of two descriptions of one robot, link by link."""

from __future__ import annotations

from collections.abc import Sequence
from math import dist, inf, isnan, log
from typing import Literal, NamedTuple

from sdfinertia.comparing.difference import Difference, difference
from sdfinertia.comparing.reasons import Reason, Side, in_words, reasons, rotation_between, transformations
from sdfinertia.comparing.robots import ComparedBody, ComparedRobot, Pair, Total, matched, renamed
from sdfinertia.documents import OpenDocument, Source, open_document, require_options
from sdfinertia.errors import ConfigurationError, Location, counted, first_few, printable, screen
from sdfinertia.inertia import SpatialInertia
from sdfinertia.inertia.nearest_valid import largest_factor
from sdfinertia.inertia.rigid_transform import IDENTITY, RigidTransform
from sdfinertia.links.groups import geometry_body
from sdfinertia.options import Options
from sdfinertia.robot import attempt, known
from sdfinertia.robot.inertial import MASS, InertialPart
from sdfinertia.robot.numbers import finite

Status = Literal["same", "differs", "only_in_first", "only_in_second"]
DEFAULT_TOLERANCE = 1e-6
GEOMETRIES = 20  # differing links, the worst first, of which geometry is integrated, to see which side it agrees with
# One side is right if the other is twice as far from the geometry, and by more than this (as ln of a factor).
_NEARER, _APART = 0.5, 0.05
LINK_FRAME, NO_INERTIAL = "other-link-frame", "inertial-missing"


class Why(NamedTuple):
    """Possible explanations of a difference."""

    reasons: tuple[Reason, ...]  # mistakes, the likelier first
    transformation: RigidTransform | None = None  # X_AB, of link frames, that makes the inertials the same
    geometry: str = ""  # the side that the geometry agrees with; "" where it is undecided, or was not used

    @property
    def cause(self) -> str:
        """The name of the likeliest mistake; where geometry shows which side is wrong, of one in that side."""
        return self.likeliest.cause

    @property
    def likeliest(self) -> Reason:
        right = self.geometry
        return next((each for each in self.reasons if right and each.side not in (right, "either")), self.reasons[0])


class LinkComparison(NamedTuple):
    """A link of two descriptions.

    Attributes:
        name: in the first, else in the second.
        first, second: in its link frames; None without an inertial, or without the link.
        difference, why: None where it does not differ, or is not in both.
        locations: of the inertials in both files; None for a file without the link.
        fixed: links that fixed joints hold to it and that are summed with it.
    """

    name: str
    status: Status
    first: SpatialInertia | None = None
    second: SpatialInertia | None = None
    difference: Difference | None = None
    why: Why | None = None
    locations: tuple[Location | None, Location | None] = (None, None)
    fixed: tuple[str, ...] = ()

    def __str__(self) -> str:
        cause = f", {self.why.cause}" if self.why is not None else ""
        return printable(f"{self.name}: {self.status}{cause}")


class Comparison(NamedTuple):
    """Two descriptions of one robot.

    Attributes:
        links: those that differ, the worst first; those in one alone; those that are the same.
        totals: of the first and the second.
        notes: which links were lumped, and which quantities are unknown.
    """

    first: str
    second: str
    links: tuple[LinkComparison, ...]
    totals: tuple[Total, Total]
    notes: tuple[str, ...] = ()

    def of(self, *status: Status) -> list[LinkComparison]:
        """The links that have one of these statuses."""
        return [link for link in self.links if link.status in status]

    @property
    def differing(self) -> list[LinkComparison]:
        """The links that differ, the worst first."""
        return self.of("differs")

    @property
    def unmatched(self) -> list[LinkComparison]:
        """The links that are in one description alone."""
        return self.of("only_in_first", "only_in_second")

    def __bool__(self) -> bool:
        """Whether all links are in both, and the same."""
        return not self.differing and not self.unmatched

    def __repr__(self) -> str:
        return screen(f"Comparison({printable(self.closing)})", map(str, [*self.differing, *self.unmatched]))

    @property
    def closing(self) -> str:
        """How many links are equal, different and unmatched."""
        equal = f"{counted(len(self.of('same')), 'link')} equal"
        return f"{equal}, {len(self.differing):,} different, {len(self.unmatched):,} unmatched"


def compare(
    first: Source,
    second: Source,
    options: Options = Options(),
    *,
    tolerance: float = DEFAULT_TOLERANCE,
    lumped: bool = False,
    renames: Sequence[str] = (),
    filenames: tuple[str, str] = ("<first>", "<second>"),
) -> Comparison:
    """The differences between two descriptions of one robot, in any formats, link by link.

        >>> comparison = sdfinertia.compare("fixtures/rover/model.sdf", "fixtures/rover/model.sdf")
        >>> bool(comparison)
        True

    Args:
        first, second: paths, or contents as bytes.
        options: where files are found; nothing is written.
        tolerance: relative to mass, radius of gyration and largest moment; rounding of written digits comes on top.
        lumped: sum links joined by fixed joints; done too where all that one side lacks hangs so on links that it has.
        renames: OLD=NEW, links of the first that the second calls otherwise, with `*` for any part.
        filenames: the places that contents given as bytes have.

    Raises:
        SdfInertiaError: a file, an inertial or an included model cannot be read, or two links have one name.
    """
    require_options(options)
    one = open_document(first, options, filename=filenames[0])
    other = open_document(second, options, one.context, filename=filenames[1])
    return compared(one, other, tolerance, lumped=lumped, renames=renames)


def compared(
    first: OpenDocument, second: OpenDocument, tolerance: float, *, lumped: bool, renames: Sequence[str]
) -> Comparison:
    """The comparison of two documents that are open."""
    number = finite(tolerance) if isinstance(tolerance, (int, float)) and not isinstance(tolerance, bool) else None
    if number is None or number < 0.0:
        raise ConfigurationError(f"tolerance must be a number from zero up, not {tolerance!r}")
    one, other = ComparedRobot(first), ComparedRobot(second)
    for robot in (one, other):
        if not robot.bodies:
            raise ConfigurationError("has no links to compare", file=robot.document.robot.path)
    pairs, alone, notes = _paired(one, other, number, lumped=lumped, renames=renames)
    links = _explained(pairs, (one, other), number)
    differing = [each for each in links if each.status == "differs"]
    differing.sort(key=lambda link: link.difference.size if link.difference is not None else inf, reverse=True)
    same = [each for each in links if each.status == "same"]
    roots = (pair.poses for pair in pairs if one.is_root(pair.one) or other.is_root(pair.other))
    frame, other_frame = next(filter(None, roots), (IDENTITY, IDENTITY))
    totals = one.total(frame), other.total(other_frame)
    notes += [
        f"the {side} has links whose place is unknown: no centre of mass of the whole"
        for side, total in zip(("first", "second"), totals, strict=True)
        if total.centre is None and total.mass > 0.0
    ]
    notes += [f"{each.robot.path}: {note}" for each in (first, second) for note in each.notes()]
    paths = first.robot.path, second.robot.path
    return Comparison(*paths, (*differing, *alone, *same), totals, tuple(dict.fromkeys(notes)))


def _paired(
    one: ComparedRobot, other: ComparedRobot, tolerance: float, *, lumped: bool, renames: Sequence[str]
) -> tuple[list[Pair], list[LinkComparison], list[str]]:
    """The links that are in both, those that are in one, and notes."""
    first, second, notes = renamed(one.names, other.names, renames)
    places = dict(matched(first, second))
    pairs, alone = _paired_groups(one, other, places, lumped=lumped)
    here, there = set(range(len(first))) - places.keys(), set(range(len(second))) - {*places.values()}
    if lumped or not (here or there):
        return pairs, alone, notes
    sums, rest = _paired_groups(one, other, places, lumped=True)

    def differing(pairs: Sequence[Pair]) -> int:
        return sum(_compared_link(*pair, tolerance).status == "differs" for pair in pairs)

    for robot, lacking, side in ((one, here, "second"), (other, there, "first")):
        groups = (group for group in robot.groups(lumped=True) if not lacking.isdisjoint(group))
        whole = [lacking.issuperset(group) for group in groups]
        # Where links are lacking that hang on none that it has, sums are taken if they agree better.
        if not all(whole) and (not any(whole) or differing(sums) < differing(pairs)):
            names = first_few([robot.names[k] for k in sorted(lacking)])
            note = f"links joined by fixed joints are summed, since the {side} lacks {names}"
            return sums, rest, [*notes, note]
    return pairs, alone, notes


def _paired_groups(
    one: ComparedRobot, other: ComparedRobot, places: dict[int, int], *, lumped: bool
) -> tuple[list[Pair], list[LinkComparison]]:
    left = {k: members for members in other.groups(lumped=lumped) for k in members}
    pairs, alone = [], []
    for members in one.groups(lumped=lumped):
        frame = next((k for k in members if places.get(k) in left), None)
        if frame is None:
            alone.append(one.lumped(members, members[0]))
            continue
        group = left[places[frame]]
        pairs.append(Pair(one.lumped(members, frame), other.lumped(group, places[frame])))
        for k in group:
            del left[k]
    return pairs, _alone(alone, [other.lumped(members, k) for k, members in left.items() if k == members[0]])


def _alone(first: Sequence[ComparedBody], second: Sequence[ComparedBody]) -> list[LinkComparison]:
    links = [_link("only_in_first", each, None) for each in first if not each.is_world]
    return links + [_link("only_in_second", None, each) for each in second if not each.is_world]


def _link(status: Status, *sides: ComparedBody | None) -> LinkComparison:
    bodies = [body for body in sides if body is not None]
    first, second = (body.inertia if body is not None else None for body in sides)
    here, there = (body.location if body is not None else None for body in sides)
    fixed = tuple(dict.fromkeys(name for body in bodies for name in body.fixed))
    return LinkComparison(bodies[0].name, status, first, second, locations=(here, there), fixed=fixed)


def _compared_link(one: ComparedBody, other: ComparedBody, tolerance: float) -> LinkComparison:
    link = _link("same", one, other)
    if link.first is not None and link.second is not None:
        apart = difference(link.first, link.second, tolerance, (one.rounding, other.rounding))
        return link._replace(status="differs", difference=apart) if apart.parts else link
    if link.first is None and link.second is None:
        return link
    side: Side = "first" if link.first is None else "second"
    reason = Reason(NO_INERTIAL, side, f"the {side} has no inertial, or one without mass")
    return link._replace(status="differs", why=Why((reason,)))


def _explained(pairs: Sequence[Pair], robots: Sequence[ComparedRobot], tolerance: float) -> list[LinkComparison]:
    links = [_compared_link(*pair, tolerance) for pair in pairs]
    apart = {k: link.difference for k, link in enumerate(links) if link.difference is not None}
    judged = [k for k in apart if all(body.can_be_judged for body in pairs[k].bodies)]
    root = next((pair for pair in pairs if pair.poses is not None), None)
    frames = dict(zip(judged, transformations([pairs[k] for k in judged], root), strict=True))
    worst = sorted(judged, key=lambda k: apart[k].size, reverse=True)[:GEOMETRIES]
    for k, found in apart.items():
        why = _why(found.parts, pairs[k], frames.get(k))
        if k in worst and why.transformation is None and not links[k].fixed:
            why = why._replace(geometry=_side_of_geometry(pairs[k], robots))
        links[k] = links[k]._replace(why=why)
    return links


def _why(parts: frozenset[InertialPart], pair: Pair, X_AB: RigidTransform | None) -> Why:
    if not all(body.can_be_judged for body in pair.bodies):
        return Why((Reason("tensor-changed", "either", "the numbers are too large or too small to be judged"),))
    if X_AB is None:
        found = reasons(pair, parts)
        # One rotation explains several differences more simply.
        if len(parts) > 1 and any("-changed" in each.cause or "," in each.cause for each in found):
            X_AB = rotation_between(pair)
        if X_AB is None:
            return Why(found)
    mass = reasons(pair, frozenset({MASS}))[0] if MASS in parts else Reason("", "either", "the bodies are the same")
    cause = f"{LINK_FRAME}, {mass.cause}" if mass.cause else LINK_FRAME
    sentence = f"the link frame of the second is {in_words(X_AB)} in that of the first; {mass.sentence}"
    return Why((Reason(cause, mass.side, sentence),), X_AB)


def _side_of_geometry(pair: Pair, robots: Sequence[ComparedRobot]) -> str:
    for body, robot in zip(pair, robots, strict=True):
        drawn = known(attempt(geometry_body, robot.document.study(body.link), pair.bodies[0].mass))
        robot.document.context.forget_contents()
        if drawn is not None:
            one, other = (_distance(each, drawn.inertia) for each in pair.bodies)
            is_told = min(one, other) < _NEARER * max(one, other) and abs(one - other) > _APART
            return ("first" if one < other else "second") if is_told else ""
    return ""


def _distance(written: SpatialInertia, drawn: SpatialInertia) -> float:
    if not written.mass > 0.0:
        return inf
    factor = largest_factor(written.I_BBcm_B, drawn.scaled_to_mass(written.mass).I_BBcm_B)
    return (50.0 if isnan(factor) else log(factor)) + dist(written.p_BoBcm_B, drawn.p_BoBcm_B) / drawn.gyradius
