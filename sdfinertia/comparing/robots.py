"""The links of a description as they are compared, one by one or lumped, and which of two descriptions correspond."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import product
from math import fsum
from os.path import commonprefix
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.comparing.difference import Rounding, rounding_of, rounding_of_sum, significant_digits
from sdfinertia.errors import ConfigurationError, Location, SdfInertiaError, TextError
from sdfinertia.inertia import InertiaTensor, SpatialInertia, welded
from sdfinertia.inertia.rigid_transform import RigidTransform, Vector3
from sdfinertia.links.groups import group_of
from sdfinertia.links.written_block import WrittenBlock, written_block
from sdfinertia.robot import Link, known

if TYPE_CHECKING:
    from sdfinertia.documents import OpenDocument
    from sdfinertia.robot.robot import PlacedLink


class ComparedBody(NamedTuple):
    """A link, or several that fixed joints make one, in one description."""

    name: str  # scoped, in the robot with all that it includes
    link: Link
    block: WrittenBlock  # of zeros without an inertial
    rounding: Rounding
    pose: RigidTransform | None  # X_RL at the zero position; None where unknown
    location: Location  # of its inertial, in the xacro file that made it
    fixed: tuple[str, ...] = ()  # names of the links that are summed with it

    @property
    def inertia(self) -> SpatialInertia | None:
        """None without an inertial, or with one of zeros."""
        return self.block.inertia if self.block.mass or any(self.block.tensor) else None

    @property
    def is_world(self) -> bool:
        """True for the URDF link `world`."""
        return self.inertia is None and not self.fixed and self.link.name == "world" and self.link.is_static


class Pair(NamedTuple):
    """A link in both descriptions."""

    one: ComparedBody
    other: ComparedBody

    @property
    def bodies(self) -> tuple[SpatialInertia, SpatialInertia]:
        return self.one.block.inertia, self.other.block.inertia

    @property
    def poses(self) -> tuple[RigidTransform, RigidTransform] | None:
        """X_RL of both at the zero position, where that is known."""
        return (self.one.pose, self.other.pose) if self.one.pose is not None and self.other.pose is not None else None


class Total(NamedTuple):
    """Of all links."""

    mass: float  # kg
    centre: Vector3 | None  # at the zero position, in the frame of the root link (m); None where a place is unknown


class ComparedRobot:
    """The links of a document, each once, in the order of the file."""

    def __init__(self, document: OpenDocument) -> None:
        self.document = document
        blocks = [(placed, self._block(placed)) for placed in self._placed()]
        digits = significant_digits([block.mass_text for _, block in blocks])
        self.bodies = [self._body(placed, block, digits) for placed, block in blocks]
        self.names = [body.name for body in self.bodies]

    def _placed(self) -> Iterator[PlacedLink]:
        self.document.require_names()
        seen: set[str] = set()
        for assembly in self.document.robot.assemblies(self.document.context):
            for placed in assembly.links:
                if placed.name in seen:
                    problem, remedy = f"two links are called {placed.name!r}", "give each link a name of its own"
                    raise TextError(problem, location=placed.link.location(), remedy=remedy)
                seen.add(placed.name)
                yield placed
            if assembly.broken:
                raise assembly.broken[0].error.within(file=assembly.file)

    def _block(self, placed: PlacedLink) -> WrittenBlock:
        study = self.document.study(placed.link)
        written = study.computed if placed.link.asks_to_be_filled() else study.written
        if isinstance(written, SdfInertiaError):
            raise written.within(location=placed.link.location(), link=placed.name)
        if written is None:
            return WrittenBlock(0.0, (0.0, 0.0, 0.0), InertiaTensor(*(0.0,) * 6))
        body = written.inertia
        return written_block(study, or_default=True) or WrittenBlock(body.mass, body.p_BoBcm_B, body.I_BBcm_B)

    def _body(self, placed: PlacedLink, block: WrittenBlock, digits_of_masses: int) -> ComparedBody:
        place, expansion = placed.link.inertial_location(), self.document.expansion
        place = expansion.in_source(place) if expansion is not None else place
        rounding, pose = rounding_of(block, digits_of_masses), known(placed.pose_in_model)
        return ComparedBody(placed.name, placed.link, block, rounding, pose, place)

    def is_root(self, body: ComparedBody) -> bool:
        return not any(True for _ in body.link.model.parent_joints(body.link, self.document.context))

    def total(self, frame: RigidTransform) -> Total:
        """Its centre in a frame of the robot, X_RF."""
        bodies = [(body.inertia, body.pose) for body in self.bodies if body.inertia is not None]
        mass, X_FR = fsum(inertia.mass for inertia, _ in bodies), frame.inverse()
        placed = [inertia.transformed(X_FR @ pose) for inertia, pose in bodies if pose is not None]
        if not mass > 0.0 or len(placed) < len(bodies):
            return Total(mass, None)
        x, y, z = (fsum(each.mass * each.p_BoBcm_B[k] for each in placed) / mass for k in range(3))
        return Total(mass, (x, y, z))

    def _poses_in_group(self, body: ComparedBody) -> dict[Hashable, RigidTransform]:
        """By the place of a link, X_BL of those that fixed joints hold to a link."""
        study = self.document.study(body.link)
        return {each.link.place: pose for each, pose in group_of(study).seen_from(study).members}

    def groups(self, *, lumped: bool) -> list[list[int]]:
        """The places of the links that fixed joints make one body; a link alone is a group."""
        if not lumped:
            return [[k] for k in range(len(self.bodies))]
        # Of a file that is included twice, joints hold the links of the first.
        places = {body.link.place: k for k, body in reversed([*enumerate(self.bodies)])}
        groups, seen = [], set[int]()
        for k, body in enumerate(self.bodies):
            if k not in seen:
                members = {places[place] for place in self._poses_in_group(body) if place in places} - seen | {k}
                seen |= members
                groups.append(sorted(members))
        return groups

    def lumped(self, members: Sequence[int], frame: int) -> ComparedBody:
        """The sum of some links in the frame of one of them; a link without an inertial adds nothing."""
        body, others = self.bodies[frame], [self.bodies[k] for k in members if k != frame]
        if not others:
            return body
        body, poses = body._replace(fixed=tuple(each.name for each in others)), self._poses_in_group(body)
        heavy = [each for each in (body, *others) if each.inertia is not None]
        if not heavy or heavy == [body]:
            return body
        parts = [(each.block.inertia, each.rounding, poses[each.link.place]) for each in heavy]
        total = welded([inertia.transformed(X_GL) for inertia, _, X_GL in parts])
        block = WrittenBlock(total.mass, total.p_BoBcm_B, total.I_BBcm_B)
        return body._replace(block=block, rounding=rounding_of_sum(parts, total))


# Which links correspond, by their names ------------------------------------------------------------------------------


def _inner(name: str) -> str:
    """Without the name of the root model."""
    return name.partition("::")[2] or name


def _last(name: str) -> str:
    return name.rpartition("::")[2]


def _folded(name: str) -> str:
    """Regardless of case, and of - and _."""
    return name.casefold().replace("-", "").replace("_", "")


def matched(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs of places of links that correspond, in the order of the first; names are scoped, and unique."""
    left, right = dict(enumerate(first)), dict(enumerate(second))
    pairs: list[tuple[int, int]] = []
    # One key after the other matches the remaining links for which it is unique on both sides.
    for key in (str, _inner, _last, lambda name: _folded(_inner(name)), lambda name: _folded(_last(name))):
        ours, theirs = _unique(left, key), _unique(right, key)
        for name in ours.keys() & theirs.keys():
            pairs.append((ours[name], theirs[name]))
            del left[ours[name]], right[theirs[name]]
    return sorted(pairs)


def _unique(names: dict[int, str], key: Callable[[str], str]) -> dict[str, int]:
    counts = Counter(map(key, names.values()))
    return {key(name): place for place, name in names.items() if counts[key(name)] == 1}


def renamed(
    first: Sequence[str], second: Sequence[str], renames: Sequence[str] = ()
) -> tuple[list[str], list[str], list[str]]:
    """The names by which links are matched, and what was done to them, in words.

    What the links without a match on one side all begin or end with is taken off where that gives more matches.
    """
    names, said = [list(first), list(second)], list[str]()
    for rename in renames:
        names[0] = _renamed(names[0], rename)
    for side, what in product((0, 1), ("prefix", "suffix")):
        step, cut = (1, str.removeprefix) if what == "prefix" else (-1, str.removesuffix)
        pairs, tried = matched(*names), [*names]
        alone = set(range(len(names[side]))) - {pair[side] for pair in pairs}
        own = [_last(names[side][k]) for k in alone]
        # What all begin or end with, up to a _, - or /.
        match = re.match(r".*[_\-/]", commonprefix([name[::step] for name in own]))  # noqa: RUF071
        affix = match[0][::step] if match is not None else ""
        if len(own) < 2 or not affix or affix in own:
            continue
        lasts = [(k, name, _last(name)) for k, name in enumerate(names[side])]
        tried[side] = [name.removesuffix(last) + cut(last, affix) if k in alone else name for k, name, last in lasts]
        if len(matched(*tried)) > len(pairs):
            names = tried
            said.append(f"links are matched without the {what} {affix!r} of the {('first', 'second')[side]}")
    return names[0], names[1], said


def _renamed(names: Sequence[str], rename: str) -> list[str]:
    old, equals, new = rename.partition("=")
    if not (old and equals and new) or old.count("*") < new.count("*"):
        raise ConfigurationError(f"--rename takes OLD=NEW, not {rename!r}", remedy="a * of NEW is one of OLD")
    pattern, parts = re.compile("(.*)".join(map(re.escape, old.split("*")))), new.split("*")
    found: list[str] = []
    for name in names:
        own = name if "::" in old else _last(name)
        if (match := pattern.fullmatch(own)) is not None:
            kept = ("", *match.groups())[: len(parts)]
            name = name.removesuffix(own) + "".join(map("".join, zip(kept, parts, strict=True)))
        found.append(name)
    if found == list(names):
        raise ConfigurationError(f"--rename {rename}: the first has no such link", remedy="name one of its links")
    return found
