"""Repairing: a document in, edits out that undo mistakes in its inertials.

A block is changed only where a rule of `check` finds something in its numbers, and only in the wrong numbers: all
others keep their bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from math import isclose
from typing import TYPE_CHECKING, Literal, get_args

from sdfinertia.causes.case import Relative
from sdfinertia.documents import OpenDocument, Source, open_document
from sdfinertia.documents.checking import check_document
from sdfinertia.documents.corrections import Proposal, correction, explainer_of, proposal_of
from sdfinertia.documents.filling import FillResult, result_of
from sdfinertia.documents.link_results import LinkResult, failure, fill_links, require_readable
from sdfinertia.documents.link_results import result_of as result_of_link
from sdfinertia.errors import ConfigurationError, InertiaError, SdfInertiaError, one_line
from sdfinertia.inertia.nearest_valid import nearest_valid_tensor
from sdfinertia.inertia.rigid_transform import transpose
from sdfinertia.links import Study
from sdfinertia.links.groups import geometry_body, harm_of, is_drawn_as_marker
from sdfinertia.links.inputs import Status
from sdfinertia.links.written_block import NO_TEXTS, WrittenBlock
from sdfinertia.markup import Edit
from sdfinertia.options import Options
from sdfinertia.robot import Link, LinkKey, attempt
from sdfinertia.rules.rule import ABOUT_NUMBERS, Finding, Why

if TYPE_CHECKING:
    from sdfinertia.xacro.expansion import Expansion

# The source of the new numbers.
By = Literal["cause", "twin", "geometry", "nearest"]
BY: tuple[By, ...] = get_args(By)

# Of masses: those of twins.
_SAME = 1e-3


@dataclass(frozen=True, eq=False, repr=False)
class RepairResult(FillResult):
    """A repaired file; its links are those that have findings in their numbers, or cannot be read."""

    is_repaired = True


def repair(
    source: Source, options: Options = Options(), *, by: By = "cause", filename: str = "<bytes>"
) -> RepairResult:
    """The file with its wrong inertials repaired; nothing is written.

        >>> result = sdfinertia.repair("fixtures/arm/model.sdf")
        >>> result.changed  # no rule finds anything in its numbers
        False

    Args:
        source: path of an SDF, URDF or MJCF file, or its content as bytes.
        options: which links, which rules find, and how numbers are written.
        by: "cause" undoes mistakes that are certain by the digits, or by a mesh; "twin" takes the numbers of the
            link's twin, "geometry" computes them from its collisions with its mass kept, "nearest" takes the
            nearest valid tensor.
        filename: the place that content given as bytes has.

    Raises:
        ConfigurationError: an argument is wrong, or `options.link` matches no link.
        SdfInertiaError: the file cannot be read.
    """
    if by not in BY:
        raise ConfigurationError(f"by must be one of {', '.join(BY)}, not {by!r}")
    document = open_document(source, options, filename=filename)
    document.require_match(options)
    return repair_document(document, options, by)


def repair_document(document: OpenDocument, options: Options, by: By) -> RepairResult:
    document.require_names()
    # It explains its findings, and searches valid links for slips beside their meshes.
    given, document = document, document.with_options(replace(document.options, why=True))
    checked = check_document(document)
    findings: dict[LinkKey, tuple[Finding, ...]] = {}
    for finding in checked.findings:
        if finding.code in ABOUT_NUMBERS:
            findings[finding.key] = (*findings.get(finding.key, ()), finding)
    gathering = explainer_of(document).gathering
    ways: dict[By, _Propose] = {
        "cause": lambda _, why: why.obstacle or proposal_of(why.explanations[0]),
        "nearest": _nearest,
        "twin": lambda link, why: _of_twin(gathering.twins(link), why.written, findings),
    }
    links = document.selected(options)
    planned = [_planned(document, link, findings.get(link.key, ()), options, ways.get(by)) for link in links]
    changed = [each for each in planned if each is not None]
    result = result_of(
        RepairResult,
        given,
        options,
        [each for each, _ in changed],
        [edit for _, edits in changed for edit in edits],
        untouched=checked.links - len(changed),
        passed_over=len(document.links()) - checked.links,
        notes=document.notes(),
        unmatched=checked.unmatched,
    )
    if given.expansion is None:
        return result
    return replace(result, links=tuple(_in_source(each, given.expansion) for each in result.links))


def _in_source(link: LinkResult, expansion: Expansion) -> LinkResult:
    moved = (each._replace(location=expansion.in_source(each.location)) for each in link.findings)
    return link._replace(findings=tuple(moved))


# One link -------------------------------------------------------------------------------------------------------------


_Propose = Callable[["Link", Why], "Proposal | str"]
# A link with findings, and the edits that repair it.
_Plan = tuple[LinkResult, "Sequence[Edit]"]


def _planned(
    document: OpenDocument, link: Link, findings: tuple[Finding, ...], options: Options, propose: _Propose | None
) -> _Plan | None:
    study = document.study(link)
    refused = attempt(require_readable, study)
    if refused is None and not findings:
        return None
    planned = refused if refused is not None else attempt(_repaired, document, study, findings, options, propose)
    if isinstance(planned, SdfInertiaError):
        return failure(study, planned)._replace(findings=findings), ()
    return planned


def _repaired(
    document: OpenDocument, study: Study, findings: tuple[Finding, ...], options: Options, propose: _Propose | None
) -> _Plan:
    left = result_of_link(study, Status.LEFT, before=study.explicit, findings=findings)
    if study.provenance is not None:
        return _left(left, "written by fill: `sdfinertia fill --overwrite-edited` computes it again")
    # Findings in the tensor and in the place of the centre have one explanation each: those that can be undone first,
    # then the likelier one.
    whys = [finding.why for finding in findings if finding.why is not None]
    why = min(whys, key=lambda each: (bool(each.obstacle), -_share(each)), default=None)
    if why is None and propose is not None:
        return _left(left, "it has no numbers")
    left = left._replace(before=why.written.inertia if why is not None else None, why=why)
    if why is None or propose is None:
        return _computed(document, study, left, options)
    proposal = propose(study.link, why) if why.written.is_judged else why.unexplained
    found = proposal if isinstance(proposal, str) else correction(study, why.written, proposal, options.digits)
    if isinstance(proposal, str) or isinstance(found, str):
        return _left(left, str(found))
    document.require_writable(study.link)
    repaired = left._replace(
        status=Status.REPAIRED,
        inertia=found.inertia,
        text=found.text,
        mass_given=proposal.block.mass == why.written.mass,
        # On one line, like error messages, whatever names of other links contain.
        notes=(one_line(proposal.note),),
        cause=proposal.cause,
        proposal=proposal.block,
    )
    return repaired, found.edits


def _share(why: Why) -> float:
    return why.explanations[0].share if why.explanations else 0.0


def _left(left: LinkResult, why: str) -> _Plan:
    return left._replace(notes=(one_line(f"not repaired: {why}"),)), ()


def _nearest(_: Link, why: Why) -> Proposal | str:
    written = why.written
    try:
        nearest = nearest_valid_tensor(written.mass, written.tensor)
    except InertiaError as error:
        return error.problem
    if not nearest.moved:
        return "its tensor is valid already"
    moments = " ".join(f"{moment:.6g}" for moment in nearest.before)
    after = " ".join(f"{moment:.6g}" for moment in nearest.after)
    note = (
        f"the nearest valid tensor in the same axes is {nearest.moved:.3g} kg·m² away "
        f"({100 * nearest.share:.3g} % of its size): principal moments {moments} → {after} kg·m²"
    )
    return Proposal(replace(written, tensor=nearest.tensor, entry_texts=NO_TEXTS), "nearest", note)


def in_axes_of(written: WrittenBlock, twin: WrittenBlock) -> WrittenBlock:
    """The tensor of a twin in the written axes; its centre too where only the origin is written."""
    if twin.rotation == written.rotation:
        proposal = replace(written, tensor=twin.tensor, entry_texts=twin.entry_texts)
    else:
        tensor = twin.inertia.I_BBcm_B.rotated(transpose(written.rotation))
        proposal = replace(written, tensor=tensor, entry_texts=NO_TEXTS)
    if not any(written.centre) and any(twin.centre):
        return replace(proposal, centre=twin.centre, centre_texts=twin.centre_texts)
    return proposal


def _of_twin(twins: Sequence[Relative], written: WrittenBlock, doubtful: Container[LinkKey]) -> Proposal | str:
    obstacles = [_obstacle(twin, written, doubtful) for twin in twins]
    twin = next((twin for twin, obstacle in zip(twins, obstacles, strict=True) if not obstacle), None)
    if twin is None:
        return "it has no twin" if not twins else f"its twin {twins[0].name} {obstacles[0]}"
    turned = "" if twin.block is twin.verbatim else ", in the axes of this link"
    return Proposal(in_axes_of(written, twin.block), "twin", f"the numbers of its twin {twin.name}{turned}")


def _obstacle(twin: Relative, written: WrittenBlock, doubtful: Container[LinkKey]) -> str:
    """Why a twin is unsuitable; "" for one of equal mass whose tensor is valid and fits its geometry."""
    if not isclose(twin.block.mass, written.mass, rel_tol=_SAME):
        return f"has a different mass, {twin.block.mass:g} kg"
    if not twin.verbatim.is_valid:
        return "has a physically impossible tensor too"
    if twin.is_near_geometry is False:
        return "has a tensor that does not fit its own geometry"
    return "has wrong numbers too" if twin.key in doubtful else ""


def _computed(document: OpenDocument, study: Study, left: LinkResult, options: Options) -> _Plan:
    chosen = replace(options, all=True, total_mass=None, missing=False)
    results, edits = fill_links([Study(study.link, chosen, document.context)], chosen, document.require_writable)
    result = next(iter(results), None)
    if result is None:
        return _left(left, "the numbers are those of the geometry")
    if result.error is not None:
        raise result.error
    if result.inertia is not None:
        if geometry_body(study, result.inertia.mass) is None:
            return _left(left, "its geometry is too small for a body of its mass, and stands in for it")
        if is_drawn_as_marker(study):
            return _left(left, "its visuals are a marker, and its collisions stand in for something else")
        reason = harm_of(study, result.inertia)
        if reason:
            return _left(left, f"computed from its geometry, {reason}")
    is_done = result.status in (Status.FILLED, Status.REFILLED)
    status, cause = (Status.REPAIRED, "geometry") if is_done else (Status.LEFT, "")
    return result._replace(status=status, findings=left.findings, why=left.why, cause=cause), edits
