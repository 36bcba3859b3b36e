"""Gathers what is known of a link into a case: its numbers as they stand, its shapes, its relatives, its frames.

Nothing is read that a case does not ask for; meshes are read for the links that are in question, and for those whose
word is taken on them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sdfinertia.causes.case import (
    Case,
    Filling,
    Frame,
    FrameKind,
    GeometryBody,
    Kinship,
    Match,
    Relative,
    WrittenBlock,
)
from sdfinertia.causes.link_numbers import (
    SAME_SHAPE,
    geometry_bodies,
    have_same_moments,
    is_near_geometry,
    is_valid,
    written_block,
)
from sdfinertia.causes.relatives import Look, NamedTwin, matrix_between, seen_through, twin_names
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import Rotation, Vector3
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.values import COLLISION, VISUAL

if TYPE_CHECKING:
    from sdfinertia.inertia.rigid_transform import RigidTransform
    from sdfinertia.links.study import Study
    from sdfinertia.robot.link import Link, Model
    from sdfinertia.robot.robot import Robot
    from sdfinertia.shapes.reach import Bounds

# Of masses, and of centres by the size of the link: those of the same part.
_SAME = 1e-3
# Twins that are asked: more say nothing new.
_MOST_TWINS = 3


class Version(NamedTuple):
    """A link of the same name in another file.

    Attributes:
        file: as a person would name it.
        is_other_side: whether that file is of the other side of the robot, by its name: left for right.
    """

    file: str
    block: WrittenBlock
    is_other_side: bool = False


class Gathering:
    """The cases of the links of one document.

    Args:
        robot: the document.
        models: its root models, each with its links.
        study_of: the study of a link.
        versions_of: links of the same name in other files.
    """

    def __init__(
        self,
        robot: Robot,
        models: Sequence[tuple[Model, Sequence[Link]]],
        study_of: Callable[[Link], Study],
        versions_of: Callable[[Link], Iterable[Version]] = lambda _: (),
    ) -> None:
        self._robot = robot
        self._study_of = study_of
        self._versions_of = versions_of
        self._family: dict[Hashable, Sequence[Link]] = {}
        for _, links in models:
            for link in links:
                self._family[link.key] = links
        self._blocks: dict[Hashable, WrittenBlock | None] = {}
        self._bodies: dict[Hashable, tuple[GeometryBody, ...]] = {}
        self._others: dict[Hashable, Relative] = {}
        self._poses: Mapping[Hashable, RigidTransform] | None = None

    def case(self, link: Link, findings: Iterable[str] = ()) -> Case | None:
        """What is known of a link; None where its numbers are not written or cannot be read.

        Args:
            findings: codes of the rules that find something in it.
        """
        block = self.block(link)
        if block is None:
            return None
        try:
            return Case(
                link.scoped_name,
                block,
                self._box(link),
                self.bodies(link),
                tuple(self._relatives(link, block)),
                tuple(self._frames(link)),
                frozenset(findings),
            )
        finally:
            self._study_of(link).surroundings.forget_contents()

    def block(self, link: Link) -> WrittenBlock | None:
        """The numbers of a link as they stand; None where it has none that count, or they cannot be read."""
        if link.key not in self._blocks:
            self._blocks[link.key] = written_block(self._study_of(link))
        return self._blocks[link.key]

    def bodies(self, link: Link) -> tuple[GeometryBody, ...]:
        """The bodies that its shapes could stand for; none where they cannot be found."""
        if link.key not in self._bodies:
            self._bodies[link.key] = geometry_bodies(self._study_of(link))
        return self._bodies[link.key]

    def twins(self, link: Link) -> list[Relative]:
        """The twins of a link; none where its numbers are not read.

        By name in its model, or by geometry where names say nothing; and of its own name in the other side's file.
        """
        block = self.block(link)
        return [*self._twins(link, block), *self._other_sides(link, block)] if block is not None else []

    def _box(self, link: Link) -> Bounds | None:
        try:
            return self._study_of(link).bounds
        except SdfInertiaError:
            return None

    # Relatives ------------------------------------------------------------------------------------------------------

    def _relatives(self, link: Link, block: WrittenBlock) -> Iterator[Relative]:
        twins = list(self._twins(link, block))
        yield from twins
        known = {twin.key for twin in twins}
        for other in self._family.get(link.key, ()):
            if other.key != link.key and other.key not in known:
                relative = self._other(other)
                if relative is not None:
                    yield self._compared(relative, link, other, block)
        yield from self._other_sides(link, block)
        yield from self._siblings(link, block)

    def _other(self, link: Link) -> Relative | None:
        block = self.block(link)
        if block is None:
            return None
        if link.key not in self._others:
            name = link.scoped_name
            self._others[link.key] = Relative(
                name, Kinship.OTHER, block, block, Match.NAME, is_valid(block), key=link.key
            )
        return self._others[link.key]

    def _compared(self, relative: Relative, link: Link, other: Link, block: WrittenBlock) -> Relative:
        """The relative with a word on its geometry, if it has the same numbers, so that they may be a copy."""
        if not any(block.tensor) or sorted(map(abs, relative.block.tensor)) != sorted(map(abs, block.tensor)):
            return relative
        return replace(relative, has_same_geometry=self._has_same_geometry(link, other))

    def _has_same_geometry(self, link: Link, other: Link) -> bool | None:
        if not self.bodies(link) or not self.bodies(other):
            return None
        own, others = self._look(link, None), self._look(other, None)
        is_alike = have_same_moments(self.bodies(link), self.bodies(other))
        return is_alike and matrix_between(_at_origin(others), _at_origin(own), None)[1]

    def _siblings(self, link: Link, block: WrittenBlock) -> Iterator[Relative]:
        """Other versions of the link, of equal mass and centre."""
        box = self._box(link)
        size = box.diagonal if box is not None else max(map(abs, block.centre))
        for file, other, is_other_side in self._versions_of(link):
            if is_other_side:
                continue
            distance = max(abs(a - b) for a, b in zip(other.centre, block.centre, strict=True))
            if _are_same(other.mass, block.mass) and distance <= _SAME * size:
                name = f"{file} {link.scoped_name}"
                yield Relative(name, Kinship.SIBLING, other, other, Match.FILE, is_valid(other))

    def _other_sides(self, link: Link, block: WrittenBlock) -> Iterator[Relative]:
        """The links of the same name and mass in files of the other side, whose centres are mirror images."""
        for file, other, is_other_side in self._versions_of(link):
            if not is_other_side or not _are_same(other.mass, block.mass):
                continue
            matrix, fits = matrix_between(Look(other.centre), Look(block.centre), NamedTwin(file, True, False))
            if fits:
                name, seen = f"{file} {link.scoped_name}", seen_through(other, matrix)
                yield Relative(name, Kinship.TWIN, seen, other, Match.FILE, is_valid(other))

    # Twins ----------------------------------------------------------------------------------------------------------

    def _twins(self, link: Link, block: WrittenBlock) -> Iterator[Relative]:
        named = list(self._named_twins(link))
        for other, name in named[:_MOST_TWINS]:
            written = self.block(other)
            if written is not None:
                yield self._twin(link, block, other, written, name)
        if not named:
            yield from self._twins_by_geometry(link, block)

    def _named_twins(self, link: Link) -> Iterator[tuple[Link, NamedTwin]]:
        """The links that bear the name of a twin, in the order of likelihood."""
        outer, mark, _ = link.scoped_name.partition("::")
        by_name: dict[str, Link | None] = {}
        for each in self._family.get(link.key, ()):
            # A name that several links have tells of none whose twin it is.
            by_name[each.scoped_name] = None if each.scoped_name in by_name else each
        if by_name.get(link.scoped_name) is None:
            return
        seen: set[Hashable] = {link.key}
        for named in twin_names(link.scoped_name[len(outer) + len(mark) :]):
            twin = by_name.get(f"{outer}{mark}{named.name}")
            if twin is not None and twin.key not in seen:
                seen.add(twin.key)
                yield twin, named

    def _twin(
        self,
        link: Link,
        block: WrittenBlock,
        other: Link,
        written: WrittenBlock,
        named: NamedTwin,
    ) -> Relative:
        own, others = self._look(link, block), self._look(other, written)
        matrix, fits = matrix_between(others, own, named)
        motion: tuple[Rotation, Vector3] = (matrix, (0.0, 0.0, 0.0))
        has_same = fits if own.box is not None and others.box is not None else None
        if has_same is False and have_same_moments(self.bodies(link), self.bodies(other)):
            # Its frame lies otherwise.
            found = self._fit(link, other)
            motion, has_same = found or motion, found is not None
        return Relative(
            other.scoped_name,
            Kinship.TWIN,
            seen_through(written, *motion),
            written,
            Match.NAME,
            is_valid(written),
            is_near_geometry(written, self.bodies(other)),
            has_same,
            other.key,
        )

    def _twins_by_geometry(self, link: Link, block: WrittenBlock) -> Iterator[Relative]:
        """The links of equal mass whose shapes a rigid motion, or a mirror, lays on those of a link."""
        found = 0
        for other in self._family.get(link.key, ()):
            written = self.block(other) if other.key != link.key and found < _MOST_TWINS else None
            if written is None or not _are_same(written.mass, block.mass):
                continue
            is_alike = have_same_moments(self.bodies(link), self.bodies(other))
            motion = self._fit(link, other) if is_alike else None
            if motion is not None:
                found += 1
                yield Relative(
                    other.scoped_name,
                    Kinship.TWIN,
                    seen_through(written, *motion),
                    written,
                    Match.GEOMETRY,
                    is_valid(written),
                    is_near_geometry(written, self.bodies(other)),
                    True,
                    other.key,
                )

    def _fit(self, link: Link, other: Link) -> tuple[Rotation, Vector3] | None:
        """The motion that lays the shapes of another link on those of a link.

        None where there is none, or where there are several, of a part that is symmetrical, in which the other's
        numbers would read differently.
        """
        from sdfinertia.inertia.rigid_fit import rigid_fits
        from sdfinertia.links.shape_bodies import surface_points

        written = self.block(other)
        for kind in (COLLISION, VISUAL):
            try:
                own, others = (surface_points(each, self._study_of(each).surroundings, kind) for each in (link, other))
            except SdfInertiaError:
                continue
            if len(own) > 3 and len(others) > 3 and written is not None:
                fits = rigid_fits(others, own)
                seen = [seen_through(written, fit.matrix, fit.translation).inertia for fit in fits]
                largest = max(map(abs, written.tensor))
                if seen and all(
                    abs(a - b) <= SAME_SHAPE * largest
                    for each in seen
                    for a, b in zip(each.I_BBcm_B, seen[0].I_BBcm_B, strict=True)
                ):
                    return fits[0].matrix, fits[0].translation
                return None
        return None

    def _look(self, link: Link, block: WrittenBlock | None) -> Look:
        # What has more faces tells better how it lies.
        best = max(self.bodies(link), key=lambda body: (body.filling is Filling.SOLID, body.faces), default=None)
        solid = (best.inertia.I_BBcm_B, best.inertia.p_BoBcm_B) if best is not None else None
        return Look(block.centre if block is not None else None, self._box(link), solid)

    # Frames ---------------------------------------------------------------------------------------------------------

    def _frames(self, link: Link) -> Iterator[Frame]:
        """The origin of the root model, and the frames of its other links."""
        poses = self._poses_of_links()
        X_ML = poses.get(link.key)
        if X_ML is None:
            return
        X_LM = X_ML.inverse()
        yield Frame("the origin of the model", FrameKind.MODEL, X_LM)
        for other in self._family.get(link.key, ()):
            pose = poses.get(other.key)
            if other.key != link.key and pose is not None:
                yield Frame(f"link {other.name}", FrameKind.OTHER, X_LM @ pose)

    def _poses_of_links(self) -> Mapping[Hashable, RigidTransform]:
        """The poses of links in their root models; none for a file that includes others, which would all be read."""
        if self._poses is None:
            found: dict[Hashable, RigidTransform] = {}
            if not self._robot.has_includes and self._family:
                links = next(iter(self._family.values()))
                around = self._study_of(links[0]).surroundings
                try:
                    for assembly in self._robot.assemblies(around):
                        for placed in assembly.links:
                            pose = placed.pose_in_model
                            if not isinstance(pose, SdfInertiaError):
                                found[placed.link.key] = pose
                except SdfInertiaError:
                    found = {}
            self._poses = found
        return self._poses


def _are_same(a: float, b: float) -> bool:
    return abs(a - b) <= _SAME * max(abs(a), abs(b))


def _at_origin(look: Look) -> Look:
    """The same shape with its centre at the origin, wherever a link has it."""
    if look.solid is None or look.box is None:
        return look
    tensor, (x, y, z) = look.solid
    (a, b, c), (d, e, f) = look.box.lower, look.box.upper
    moved = look.box._replace(lower=(a - x, b - y, c - z), upper=(d - x, e - y, f - z))
    return Look(None, moved, (tensor, (0.0, 0.0, 0.0)))
