"""Gathers the evidence on a link into a case: its numbers, its shapes, and its relatives where they are evidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice

from sdfinertia.causes.case import Case, Relative, is_near_geometry
from sdfinertia.causes.drawn import are_alike, drawn_solids, reading_of
from sdfinertia.causes.evidence import ENOUGH, Habits
from sdfinertia.inertia import InertiaTensor, are_moderate
from sdfinertia.links import Study
from sdfinertia.links.solids import ShapeBody, has_mesh, shape_bodies
from sdfinertia.links.twins import Look, matrix_between, seen_through
from sdfinertia.links.written_block import WrittenBlock, written_block
from sdfinertia.robot import Link, LinkKey, Model, known
from sdfinertia.robot.twins import NamedTwin, twin_names
from sdfinertia.shapes import Bounds

# The most twins and copies that are compared: more add no evidence.
_MAX_TWINS, _MAX_COPIES = 3, 12


class CaseFile:
    def __init__(self, models: Sequence[tuple[Model, Sequence[Link]]], study_of: Callable[[Link], Study]) -> None:
        self._study_of = study_of
        self._links = [links for _, links in models]
        self._family = {link.key: links for links in self._links for link in links}  # all of its model
        self._blocks: dict[Hashable, WrittenBlock | None] = {}
        self._bodies: dict[Hashable, tuple[ShapeBody, ...]] = {}
        self._beside: dict[Hashable, Case] = {}
        self._relatives_of: dict[Hashable, tuple[Relative, ...]] = {}

    def case(self, link: Link) -> Case | None:
        """The case of a link; None where its numbers are not written or cannot be read."""
        study = self._study_of(link)
        block = written_block(study, or_default=True)
        if block is None:
            return None
        if not block.is_judged:
            return Case(link.scoped_name, block)
        try:
            drawn, box = drawn_solids(study), self._box(link)
            case = Case(link.scoped_name, block, box, self.bodies(link), file=self._file, drawn=drawn)
            reading = reading_of(block, drawn, box)
            if reading is not None and reading.is_certain:
                return case  # no other evidence counts
            # Robots have the same wheel four times: its relatives are gathered once.
            alike = (block, case.bodies, box, drawn)
            if alike not in self._relatives_of:
                twins = tuple(self._twins(link, block))
                copies = self._copies(link, block, {twin.key for twin in twins})
                self._relatives_of[alike] = (*twins, *copies)
            return replace(case, relatives=self._relatives_of[alike])
        finally:
            study.context.forget_contents()

    def beside_meshes(self, link: Link) -> Case | None:
        """The evidence of meshes and of the whole file, for mistakes that leave a body."""
        block = self.block(link)
        return self._beside_meshes(link, block) if block is not None else None

    def _beside_meshes(self, link: Link, block: WrittenBlock) -> Case:
        if link.key not in self._beside:
            twins = ((other, self.block(other)) for other, _ in self._named_twins(link))
            alike = tuple(
                Relative(other.scoped_name, True, theirs, theirs)
                for other, theirs in twins
                if theirs is not None and are_alike(block, theirs)
            )
            box, bodies = self._box(link), self._solids(link, block)
            self._beside[link.key] = Case(link.scoped_name, block, box, bodies, alike, file=self._file)
        return self._beside[link.key]

    def block(self, link: Link) -> WrittenBlock | None:
        if link.key not in self._blocks:
            block = written_block(self._study_of(link))
            self._blocks[link.key] = block if block is not None and block.is_judged else None
        return self._blocks[link.key]

    def bodies(self, link: Link) -> tuple[ShapeBody, ...]:
        if link.key not in self._bodies:
            self._bodies[link.key] = tuple(shape_bodies(link, self._study_of(link).context))
        return self._bodies[link.key]

    def twins(self, link: Link) -> list[Relative]:
        block = self.block(link)
        return list(self._twins(link, block)) if block is not None else []

    def _box(self, link: Link) -> Bounds | None:
        box = known(self._study_of(link).known_bounds)
        return box if box is not None and are_moderate((*box.lower, *box.upper)) else None

    # The file ---------------------------------------------------------------------------------------------------------

    @cached_property
    def _written(self) -> list[tuple[Link, WrittenBlock]]:
        links = (link for links in self._links for link in links)
        return [(link, block) for link in links if (block := self.block(link)) is not None]

    @cached_property
    def _by_tensor(self) -> dict[InertiaTensor, list[tuple[Link, WrittenBlock]]]:
        found: dict[InertiaTensor, list[tuple[Link, WrittenBlock]]] = {}
        for link, block in self._written:
            found.setdefault(block.tensor, []).append((link, block))
        return found

    @cached_property
    def _file(self) -> Habits:
        # What this tool filled is that of its meshes, and says nothing about the author.
        witnesses = {
            (link.scoped_name, block): partial(self._beside_meshes, link, block)
            for link, block in self._written
            if block.mass > 0.0 and has_mesh(link) and self._study_of(link).provenance is None
        }
        return Habits([block for _, block in self._written], witnesses if len(witnesses) >= ENOUGH else {})

    def _solids(self, link: Link, block: WrittenBlock) -> tuple[ShapeBody, ...]:
        """The bodies that a vote rests on: solids, and hulls where all meshes are open and none agrees as filled."""
        context = self._study_of(link).context
        found = tuple(shape_bodies(link, context, ("solid",)))
        is_near = not any(body.is_closed for body in found) and is_near_geometry(block, found, within=1.2)
        if any(body.faces for body in found) and not (any(body.is_exact_mesh for body in found) or is_near):
            found += tuple(shape_bodies(link, context, ("hull",)))
        context.forget_contents()
        return found

    # Relatives --------------------------------------------------------------------------------------------------------

    def _copies(self, link: Link, block: WrittenBlock, known: Container[LinkKey | None]) -> Iterator[Relative]:
        alike = self._by_tensor.get(block.tensor, []) if block.is_fingerprint else []
        unknown = (each for each in alike if each[0].key != link.key and each[0].key not in known)
        for other, theirs in islice(unknown, _MAX_COPIES):
            own, bodies, same = self.bodies(link), self.bodies(other), None
            if own and bodies:
                # Parts may be turned, and drawn a little differently.
                moments, others = (each[0].inertia.principal_moments() for each in (own, bodies))
                same = all(abs(a - b) <= 0.15 * b for a, b in zip(moments, others, strict=True))
            near = is_near_geometry(theirs, bodies) if same is False else None
            yield Relative(other.scoped_name, False, theirs, theirs, near, same, other.key)

    @cached_property
    def _by_name(self) -> dict[tuple[int, str], Link]:
        """The links by model and name; a name that several links have identifies none."""
        named = [((id(links), link.scoped_name), link) for links in self._links for link in links]
        counts = Counter(name for name, _ in named)
        return {name: link for name, link in named if counts[name] == 1}

    def _twins(self, link: Link, block: WrittenBlock) -> Iterator[Relative]:
        for other, name in islice(self._named_twins(link), _MAX_TWINS):
            written = self.block(other)
            if written is not None:
                yield self._twin(link, block, other, written, name)

    def _named_twins(self, link: Link) -> Iterator[tuple[Link, NamedTwin]]:
        outer, mark, inner = link.scoped_name.partition("::")
        model = id(self._family[link.key])
        if (model, link.scoped_name) not in self._by_name:
            return
        seen: set[Hashable] = {link.key}
        for named in twin_names(inner):
            twin = self._by_name.get((model, f"{outer}{mark}{named.name}"))
            if twin is not None and twin.key not in seen:
                seen.add(twin.key)
                yield twin, named

    def _twin(self, link: Link, block: WrittenBlock, other: Link, written: WrittenBlock, named: NamedTwin) -> Relative:
        matrix = matrix_between(self._look(other, written), self._look(link, block), named)
        near, seen = is_near_geometry(written, self.bodies(other)), seen_through(written, matrix)
        return Relative(other.scoped_name, True, seen, written, near, key=other.key)

    def _look(self, link: Link, block: WrittenBlock) -> Look:
        # More faces determine the orientation better.
        best = max(self.bodies(link), key=lambda body: (body.filling == "solid", body.faces), default=None)
        solid = (best.inertia.I_BBcm_B, best.inertia.p_BoBcm_B) if best is not None else None
        return Look(block.centre, self._box(link), solid)
