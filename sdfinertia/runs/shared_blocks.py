"""Blocks that several documents of a run share by including one file: refused where they need different numbers."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import Location, SdfInertiaError, printable
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.links.provenance import Status
from sdfinertia.markup.document import Document
from sdfinertia.robot.marks import MJCF_SUFFIXES
from sdfinertia.runs.source_files import is_expanded
from sdfinertia.runs.tasks import FileTask

if TYPE_CHECKING:
    from sdfinertia.documents.opened import OpenDocument, RobotOfRun
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.links.filling import LinkResult
    from sdfinertia.robot.link import Link

# The scoped name of a link, and its number among those of that name.
LinkId = tuple[str, int]
# By path of the document and link: why its block is not written.
Disputes = Mapping[str, Mapping[LinkId, str]]


class Claim(NamedTuple):
    """The numbers that a document gives a block; `is_new` if it would write them. None: it leaves it without."""

    path: str
    link: LinkId
    inertia: SpatialInertia | None
    digits: int
    is_new: bool

    def agrees_with(self, other: Claim) -> bool:
        if self.inertia is None or other.inertia is None:
            return self.inertia is other.inertia
        return self.inertia.is_close(other.inertia, max(1e-9, 10.0 ** (1 - min(self.digits, other.digits))))


def claims_of(document: OpenDocument, results: Sequence[LinkResult]) -> Iterator[tuple[Location, Claim]]:
    """The blocks that a document would write, or once filled, by their places in the source; of xacro all."""
    by_link = {(each.name, each.number): each for each in results}
    for link in document.links():
        key = link.scoped_name, link.number
        result = by_link.get(key)
        is_new = result is not None and result.text is not None
        inertia = result.inertia if result is not None and is_new else None
        if result is None or result.status is Status.STALE:
            with suppress(SdfInertiaError):
                inertia = _filled(document, link)
        if inertia is None and document.expansion is not None:
            with suppress(SdfInertiaError):
                inertia = document.study(link).explicit
        if inertia is not None or document.expansion is not None:
            yield _place(document, link), Claim(document.robot.path, key, inertia, document.options.digits, is_new)


def _filled(document: OpenDocument, link: Link) -> SpatialInertia | None:
    """The numbers of a filled block as the document would write them now."""
    study = document.study(link)
    match study.status:
        case Status.CLEAN:
            return study.explicit
        case Status.STALE:
            return study.computed.inertia
        case _:
            return None


def _place(document: OpenDocument, link: Link) -> Location:
    place = link.inertial_location()
    place = document.expansion.in_source(place) if document.expansion is not None else place
    return place._replace(file=os.path.realpath(place.file))


def disputes(claims: Iterable[tuple[Location, Claim]]) -> Disputes:
    blocks: dict[Location, list[Claim]] = {}
    for place, claim in claims:
        blocks.setdefault(place, []).append(claim)
    found: dict[str, dict[LinkId, str]] = {}
    for first, *others in blocks.values():
        odd = next((each for each in others if each.path != first.path and not each.agrees_with(first)), None)
        for claim in (first, *others) if odd is not None else ():
            other = odd if odd is not None and claim.agrees_with(first) else first
            if claim.is_new and other.path != claim.path:
                found.setdefault(claim.path, {})[claim.link] = _difference(claim, other)
    return found


def _difference(claim: Claim, other: Claim) -> str:
    own, its = _differing(claim.inertia, other.inertia)
    path, other_path = printable(claim.path), printable(other.path)
    return f"{path} gives this block {own}, and {other_path} {its}: one block cannot hold both"


def _differing(own: SpatialInertia | None, other: SpatialInertia | None) -> tuple[str, str]:
    """The first quantity in which two bodies visibly differ, of each."""
    if own is None or other is None:
        return (
            "no numbers" if own is None else f"{own.mass:.6g} kg",
            "none" if other is None else f"{other.mass:.6g} kg",
        )
    bodies = (own, other)
    texts = [
        [f"{body.mass:.6g} kg" for body in bodies],
        ["a centre at " + " ".join(f"{each:.6g}" for each in body.p_BoBcm_B) + " m" for body in bodies],
        ["ixx ... iyz of " + " ".join(f"{each:.12g}" for each in body.I_BBcm_B) + " kg·m²" for body in bodies],
    ]
    first, second = next((each for each in texts if each[0] != each[1]), texts[-1])
    return first, second


# The documents of a run that share files ------------------------------------------------------------------------------

Claims = Callable[[FileTask], "tuple[RobotOfRun | None, Iterable[tuple[Location, Claim]]]"]


def sharing(tasks: Sequence[FileTask]) -> list[FileTask]:
    """The robots of xacro, which may share files by any argument, and the MJCF documents that do."""
    robots: list[FileTask] = []
    files: list[tuple[FileTask, set[str]]] = []
    for task in tasks:
        if task.error is None and task.data is None:
            if task.path.lower().endswith(MJCF_SUFFIXES):
                files.append((task, _files_of(task)))
            elif is_expanded(task.path):
                robots.append(task)
    uses = Counter(path for _, each in files for path in each)
    shared = [task for task, each in files if any(uses[path] > 1 for path in each)]
    return [*shared, *(robots if len(robots) > 1 else ())]


def _files_of(task: FileTask) -> set[str]:
    """The MJCF files of a document, itself among them."""
    path, confine = task.path, task.options.confine
    with suppress(SdfInertiaError):
        data = read_regular_file(path, confine=confine)
        if b"<include" in data:
            from sdfinertia.mjcf.includes import with_included

            return {os.path.realpath(each) for each in (path, *with_included(Document(data, path), confine).files)}
    return {os.path.realpath(path)}


def shared_among(tasks: Iterable[FileTask], claims: Claims) -> tuple[Disputes, tuple[RobotOfRun, ...]]:
    """The blocks that documents would give different numbers, and the robots of xacro; without what cannot be read."""
    found: list[tuple[Location, Claim]] = []
    robots: list[RobotOfRun] = []
    for task in tasks:
        with suppress(SdfInertiaError):
            robot, claimed = claims(task)
            found += claimed
            robots += [robot] if robot is not None else []
    return disputes(found), tuple(robots)
