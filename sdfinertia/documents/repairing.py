"""Repairing: a document in, edits out that undo what is wrong in its inertials. Knows no terminal, and writes nothing.

A block is touched only where a rule of `check` finds something in its numbers, and then only in the numbers that are
wrong: what stays keeps its bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal

from sdfinertia.causes.case import NO_TEXTS
from sdfinertia.documents.checking import check_document
from sdfinertia.documents.filling import FillResult, fill_document
from sdfinertia.documents.opened import OpenDocument, Source, described, open_document
from sdfinertia.documents.repaired_texts import block_of, in_axes_of, repaired_text
from sdfinertia.errors import ConfigurationError, InertiaError, SdfInertiaError, one_line
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.result import LinkResult, Status, failure
from sdfinertia.links.selection import matches
from sdfinertia.markup.document import Document, Edit, splice
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import Options
from sdfinertia.robot.values import TENSOR_NAMES, repair_comment
from sdfinertia.rules.rule import ABOUT_NUMBERS, Finding, Why

if TYPE_CHECKING:
    from sdfinertia.causes.case import Explanation, Relative, WrittenBlock
    from sdfinertia.documents.explaining import Explainer
    from sdfinertia.robot.link import Link
    from sdfinertia.robot.values import LinkKey

# What stands in for the numbers that are wrong.
By = Literal["cause", "twin", "geometry", "nearest"]
CAUSE: Final = "cause"
TWIN, GEOMETRY, NEAREST = "twin", "geometry", "nearest"
BY: tuple[By, ...] = ("cause", "twin", "geometry", "nearest")

_LOST = "the numbers would stand in its <inertial> where no reader finds them"
# As a part of the trace: what is written may have five digits.
_ROUNDED = 1e-4
# Of masses: those of twins.
_SAME = 1e-3


class Repair(NamedTuple):
    """What is known of a link that has findings in its numbers, and what was made of it.

    Attributes:
        result: what became of it.
        findings: in its numbers.
        why: what explains them; None where they cannot be read.
        cause: what its block says was repaired; "" where nothing was.
        proposal: what is written, or would be; None where nothing is.
    """

    result: LinkResult
    findings: tuple[Finding, ...]
    why: Why | None = None
    cause: str = ""
    proposal: WrittenBlock | None = None


@dataclass(frozen=True)
class RepairResult(FillResult):
    """What repairing a file comes to.

    Attributes:
        repairs: of the links that have findings, in the order of the file.
    """

    repairs: tuple[Repair, ...] = field(default=(), repr=False)

    def without_links(self) -> RepairResult:
        """The same bytes, and no more."""
        return replace(self, links=(), edits=(), repairs=())


def repair(
    source: Source, options: Options = Options(), *, by: By = "cause", filename: str = "<bytes>"
) -> RepairResult:
    """The file with the inertials mended that a rule finds something in; nothing is written.

        >>> result = sdfinertia.repair("fixtures/arm/model.sdf")
        >>> result.changed  # no rule finds anything in its numbers
        False

    Args:
        source: path of an SDF or URDF file, or its content as bytes.
        options: which links, which rules find, and how numbers are written.
        by: "cause" undoes mistakes that are certain; "twin" takes the numbers of the link's twin, "geometry" computes
            them from its collisions with its mass kept, "nearest" takes the closest tensor that a body can have.
        filename: the place that content given as bytes has.

    Raises:
        ConfigurationError: `by` is none of these.
        SdfInertiaError: the file cannot be read.
    """
    if by not in BY:
        raise ConfigurationError(f"by must be one of {', '.join(BY)}, not {by!r}")
    return repair_document(open_document(source, options, filename=filename), options, by)


def repair_document(document: OpenDocument, options: Options, by: By) -> RepairResult:
    """The document with the inertials mended that a rule finds something in; see `repair`.

    Raises:
        TextError: two models have one name.
    """
    document.require_names()
    # What it finds, it explains; and valid links are looked at for slips beside their meshes.
    document = OpenDocument(document.robot, replace(document.options, why=True), document.surroundings)
    checked = check_document(document)
    findings: dict[LinkKey, list[Finding]] = {}
    for finding in checked.findings:
        if finding.code in ABOUT_NUMBERS:
            findings.setdefault(finding.key, []).append(finding)
    mending = _Mending(document, options, by, frozenset(findings))
    planned: list[_Planned] = []
    for place, link in enumerate(document.links()):
        found = tuple(findings.get(link.key, ()))
        if matches(link, options):
            try:
                document.study(link).require_readable()
                if found:
                    planned.append(_Planned(place, link, *mending.of(link, found)))
            except SdfInertiaError as error:
                planned.append(_Planned(place, link, Repair(failure(link, error), found), []))
    planned = _read_back(document, planned)
    repairs = [each.repair for each in planned]
    edits = [edit for each in planned for edit in each.edits]
    if any(repair.result.error is not None for repair in repairs) and not options.keep_going:
        edits = []
        repairs = [_withheld(repair) for repair in repairs]
    robot = document.robot
    content = splice(robot.data, edits)
    return RepairResult(
        robot.path,
        robot.data,
        content,
        tuple(repair.result for repair in repairs),
        checked.links - len(repairs),
        sum(1 for _ in document.links()) - checked.links,
        document.notes(),
        tuple(edits),
        checked.unmatched,
        tuple(repairs),
    )


class _Planned(NamedTuple):
    """What is to become of a link, and its place among the links of its document."""

    place: int
    link: Link
    repair: Repair
    edits: list[Edit]


def _read_back(document: OpenDocument, planned: list[_Planned]) -> list[_Planned]:
    """What is planned, once a reader has found the numbers in the bytes that would be written; all in one go."""
    edits = [edit for each in planned if each.repair.proposal is not None for edit in each.edits]
    if not edits:
        return planned
    from sdfinertia.causes.link_numbers import written_block

    robot = document.robot
    again = OpenDocument(described(Document(splice(robot.data, edits), robot.path)), document.options)
    links = list(again.links())
    return [
        each
        if each.repair.proposal is None or _holds(written_block(again.study(links[each.place])), each.repair)
        else each._replace(repair=each.repair._replace(result=failure(each.link, InertiaError(_LOST))), edits=[])
        for each in planned
    ]


def _holds(found: WrittenBlock | None, repair: Repair) -> bool:
    """Whether a reader finds what a repair writes."""
    text, why = repair.result.text, repair.why
    assert text is not None, "what is proposed is written"
    assert why is not None, "what is proposed is proposed for numbers that were read"
    if found is None:
        return False
    tensor = tuple(getattr(found.tensor, name) for name in TENSOR_NAMES)
    numbers = text.numbers()
    keeps_pose = _keeps_pose(why.written, repair)
    return (found.mass, *tensor) == numbers[6:] and (keeps_pose or found.centre == numbers[:3])


def _keeps_pose(written: WrittenBlock, repair: Repair) -> bool:
    proposal = repair.proposal
    return proposal is not None and proposal.centre == written.centre and proposal.rotation == written.rotation


def _withheld(repair: Repair) -> Repair:
    result = repair.result
    return repair._replace(result=result._replace(status=Status.WITHHELD)) if result.text is not None else repair


class _Mending:
    """The repairs of the links of one document, by one way."""

    def __init__(self, document: OpenDocument, options: Options, by: By, doubtful: frozenset[LinkKey]) -> None:
        from sdfinertia.documents.explaining import Explainer

        # Links with findings: two twins that are both wrong would only exchange their numbers.
        self._doubtful = doubtful
        self._document = document
        self._options = options
        self._by = by
        self._explainer: Explainer = Explainer(document)

    def of(self, link: Link, findings: tuple[Finding, ...]) -> tuple[Repair, list[Edit]]:
        """What becomes of a link that has findings, and the edits that make it so.

        Raises:
            SdfInertiaError: what was asked for cannot be computed.
        """
        study = self._document.study(link)
        if study.provenance is not None:
            managed = "was filled, and is not repaired: `sdfinertia fill --overwrite-edited` fills it again"
            return _left(link, findings, managed, study.explicit), []
        if link.naming_defect is not None:
            return _left(link, findings, f"is left: {link.naming_defect.message}", study.explicit), []
        why = next((finding.why for finding in findings if finding.why is not None), None)
        known = Repair(_result(link, Status.LEFT), findings, why)
        if self._by == GEOMETRY:
            return self._by_geometry(link, known)
        if why is None:
            return _left(link, findings, "has no numbers that could be mended", study.explicit), []
        if self._by == NEAREST:
            return self._by_nearest(link, known, why.written)
        if self._by == TWIN:
            return self._by_twin(link, known, why.written)
        return self._by_cause(link, known, why)

    def _by_cause(self, link: Link, known: Repair, why: Why) -> tuple[Repair, list[Edit]]:
        if not why.explanations:
            return self._as_it_is(link, known, "no mistake that is known explains its numbers")
        likeliest = why.explanations[0]
        if likeliest.proposal is None or not likeliest.is_certain:
            return self._as_it_is(link, known, _why_not(likeliest))
        return self._written(link, known, why.written, likeliest.proposal, likeliest.cause, (likeliest.sentence,))

    def _by_nearest(self, link: Link, known: Repair, written: WrittenBlock) -> tuple[Repair, list[Edit]]:
        from sdfinertia.inertia.nearest_valid import nearest_valid_tensor

        try:
            nearest = nearest_valid_tensor(written.mass, written.tensor)
        except InertiaError as error:
            return self._as_it_is(link, known, error.problem)
        if not nearest.moved:
            return self._as_it_is(link, known, "has a tensor that a body can have, which is its own nearest")
        moments = " ".join(f"{moment:.6g}" for moment in nearest.before)
        after = " ".join(f"{moment:.6g}" for moment in nearest.after)
        note = (
            f"the nearest tensor that a body can have in the same axes is {nearest.moved:.3g} kg·m² away, "
            f"{100 * nearest.share:.3g} % of its size: principal moments {moments} → {after}"
        )
        proposal = replace(written, tensor=nearest.tensor, entry_texts=NO_TEXTS)
        return self._written(link, known, written, proposal, NEAREST, (note,))

    def _by_twin(self, link: Link, known: Repair, written: WrittenBlock) -> tuple[Repair, list[Edit]]:
        twins = self._explainer.twins(link)
        obstacles = [self._obstacle(twin, written) for twin in twins]
        twin = next((twin for twin, obstacle in zip(twins, obstacles, strict=True) if not obstacle), None)
        if twin is None:
            why = "has no twin" if not twins else f"has the twin {twins[0].name}, {obstacles[0]}"
            return self._as_it_is(link, known, why)
        proposal = in_axes_of(written, twin.block)
        note = f"the numbers of {twin.name}" + (
            "" if twin.block is twin.verbatim else ", its twin, seen in the axes of this link"
        )
        return self._written(link, known, written, proposal, TWIN, (note,))

    def _obstacle(self, twin: Relative, written: WrittenBlock) -> str:
        """Why a twin may not stand in; "" for one of equal mass that is a body's, near its geometry and in no doubt."""
        if not _are_same(twin.block.mass, written.mass):
            return f"whose mass is another, {twin.block.mass:g} kg"
        if not twin.is_valid:
            return "whose tensor is no body's either"
        if twin.is_near_geometry is False:
            return "whose tensor is far from its own geometry"
        return "in whose numbers a rule finds something too" if twin.key in self._doubtful else ""

    def _by_geometry(self, link: Link, known: Repair) -> tuple[Repair, list[Edit]]:
        """As `fill --all` computes it: a block that is verified from then on, and says so itself."""
        chosen = replace(self._options, all=True, total_mass=None, missing=False)
        document = OpenDocument(self._document.robot, chosen, self._document.surroundings)
        filled = fill_document(document, replace(chosen, keep_going=True), only=(link.key,))
        result = next(iter(filled.links), None)
        if result is None:
            return self._as_it_is(link, known, "holds what its geometry gives")
        if result.error is not None:
            raise result.error
        is_done = result.status in (Status.FILLED, Status.REFILLED)
        status = Status.REPAIRED if is_done else Status.LEFT
        repair = known._replace(result=result._replace(status=status), cause=GEOMETRY if is_done else "")
        return repair, list(filled.edits)

    def _as_it_is(self, link: Link, known: Repair, why: str) -> tuple[Repair, list[Edit]]:
        before = known.why.written.inertia if known.why is not None else None
        return known._replace(result=_left_result(link, f"is left: {why}", before)), []

    def _written(
        self,
        link: Link,
        known: Repair,
        written: WrittenBlock,
        proposal: WrittenBlock,
        cause: str,
        notes: Sequence[str],
    ) -> tuple[Repair, list[Edit]]:
        """The edits that write a proposal, none if it stands there already.

        Raises:
            InertiaError: no body can have what would be written, or readers would find something else.
        """
        keeps_pose = proposal.centre == written.centre and proposal.rotation == written.rotation
        text = repaired_text(written, proposal, self._options.digits)
        texts = link.written_texts()
        assert texts is not None, "what is mended was read"
        if keeps_pose and text.tensor == tuple(texts.tensor) and text.mass == texts.mass:
            return self._as_it_is(link, known, "holds these numbers already")
        comment, replaced = repair_comment(cause), self._document.study(link).repair_comment
        edits = link.repair_edits(text, comment, replaced, keeps_pose=keeps_pose)
        after = block_of(text, written if keeps_pose else None)
        if not after.inertia.is_physically_valid(rtol=_ROUNDED):
            raise InertiaError(f"what would undo the mistake ({cause}) is no body's tensor either")
        result = _result(link, Status.REPAIRED)._replace(
            before=written.inertia,
            inertia=after.inertia,
            text=text,
            mass_given=proposal.mass == written.mass,
            # What names of other links bring is one line, as a message of an error is.
            notes=tuple(map(one_line, notes)),
        )
        return known._replace(result=result, cause=cause, proposal=proposal), edits


def _left(link: Link, findings: tuple[Finding, ...], why: str, before: SpatialInertia | None) -> Repair:
    return Repair(_left_result(link, why, before), findings)


def _left_result(link: Link, why: str, before: SpatialInertia | None) -> LinkResult:
    return _result(link, Status.LEFT)._replace(before=before, notes=(one_line(why),))


def _result(link: Link, status: Status) -> LinkResult:
    return LinkResult(link.scoped_name, status, link.line, number=link.key.number)


def _why_not(likeliest: Explanation) -> str:
    """Why what explains a link best is not written without asking."""
    if likeliest.proposal is None:
        return f"{likeliest.sentence}; what it was is lost"
    share = f"{100 * likeliest.share:.0f} %"
    return f"{likeliest.cause} is the likeliest cause ({share}) and not certain: {likeliest.sentence}"


def _are_same(a: float, b: float) -> bool:
    return abs(a - b) <= _SAME * max(abs(a), abs(b))
