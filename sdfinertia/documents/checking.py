"""Checking: a document and options in, findings out, and the edits that fix them."""

from __future__ import annotations

from dataclasses import replace
from os.path import abspath
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.display import ResultList
from sdfinertia.documents.link_findings import ChosenRules, LinkFindings, rules_chosen_by
from sdfinertia.documents.opened import NOT_BOTH, OpenDocument, Source, open_document, path_of, require_options
from sdfinertia.documents.selection import require_match, selected_links, unmatched
from sdfinertia.errors import (
    ConfigurationError,
    FragmentError,
    Location,
    SdfInertiaError,
    TemplateError,
    UnexpandedError,
    printable,
)
from sdfinertia.options import Options
from sdfinertia.robot.problems import Command, Problem
from sdfinertia.rules.reading import LOST_REFERENCE, UNREADABLE
from sdfinertia.rules.registry import (
    MALFORMED,
    MISSING,
    STALE,
    UNKNOWN_ELEMENT,
    chosen_rules,
    worst_first,
)
from sdfinertia.rules.rule import Finding

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from sdfinertia.links.study import Unjudged
    from sdfinertia.robot.link import Link
    from sdfinertia.xacro.expansion import Expansion


class NotChecked(NamedTuple):
    """A file in which nothing was checked, and why, in few words."""

    path: str
    why: str


class CheckResult(NamedTuple):
    """The result of checking a file.

    Attributes:
        unmatched: all links, where `--link` matches none.
        labels: of the links, where they are to be listed.
        passed_over: why nothing in it was checked, in few words.
        calls: places of findings in files that a xacro file includes, each with the call in the file itself.
    """

    path: str
    findings: tuple[Finding, ...]
    links: int = 0
    unjudged: tuple[Unjudged, ...] = ()
    suppressed: int = 0
    includes: bool = False
    notes: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    passed_over: str = ""
    calls: tuple[tuple[Location, Location], ...] = ()


def check(
    source: Source, options: Options = Options(), *, why: bool = True, filename: str = "<bytes>"
) -> ResultList[Finding]:
    """The findings in the inertials of a file, those that matter most to its robot first.

        >>> sdfinertia.check("fixtures/arm/model.sdf")[0].code
        'SDI001'

    Args:
        source: path of a file, or its content as bytes.
        options: which rules, and where files are found.
        why: whether to search for the mistake that explains a finding: `finding.why`.
        filename: the place that content given as bytes has.

    Returns:
        The findings; a file that cannot be read is one (SDI900).

    Raises:
        ConfigurationError: a rule that is selected or ignored does not exist, text or a directory is given for a file,
            or `options.link` matches no link.
    """
    try:
        require_options(options)
        document = open_document(source, replace(options, why=why and options.why), filename=filename)
    except ConfigurationError:
        raise
    except SdfInertiaError as error:
        return ResultList(unreadable(path_of(source, filename), error, options).findings)
    result = check_document(document)
    require_match(options.link, result.unmatched, result.path)
    return ResultList(result.findings)


def check_document(document: OpenDocument, *, lists_links: bool = False) -> CheckResult:
    """The result for a document; it names the links only for reports that list them: runs can have millions."""
    steps = check_steps(document, lists_links=lists_links)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: CheckResult = done.value
            return result


def _in_source(result: CheckResult, expansion: Expansion) -> CheckResult:
    """The result with the locations of the xacro source."""
    from sdfinertia.documents.xacro import calls_of, found_in_source, unjudged_in_source

    calls = calls_of((*result.findings, *result.unjudged), expansion)
    findings = found_in_source(result.findings, expansion)
    unjudged = unjudged_in_source(result.unjudged, expansion)
    return result._replace(findings=findings, unjudged=unjudged, sources=expansion.files, calls=calls)


def check_steps(document: OpenDocument, *, lists_links: bool = False) -> Generator[None, None, CheckResult]:
    """`check_document` link by link, for callers that do other things meanwhile."""
    rules = rules_chosen_by(document.options)
    links = selected_links(document)
    of_links = LinkFindings(document, rules)
    findings: list[Finding] = []
    for link in links:
        findings += of_links.of(link)
        yield
    findings = _missing_once(document, rules.options or document.options, links, findings)
    findings += _findings_of_models(document, rules, of_links)
    findings.sort(key=worst_first)
    robot = document.robot
    result = CheckResult(
        robot.path,
        tuple(findings),
        len(links),
        tuple(of_links.unjudged),
        of_links.suppressed,
        robot.has_includes,
        (*robot.notes, *document.context.elsewhere_notes(robot.path), *document.context.cache_notes()),
        unmatched(document.links(), document.options),
        tuple([link.label for link in links]) if lists_links else (),
        tuple(map(abspath, robot.document.files)),
        passed_over=_why_nothing(document),
    )
    return result if document.expansion is None else _in_source(result, document.expansion)


def _why_nothing(document: OpenDocument) -> str:
    """Why there is nothing to check, in few words; "" where there is something."""
    missing = document.robot.missing_includes(document.context) if document.emptiness else ()
    if not missing:
        return document.emptiness
    what = "1 include is" if len(missing) == 1 else f"{len(missing):,} includes are"
    is_of_fuel = all(uri.startswith(("http", "fuel:")) for uri in missing)
    return f"{what} not in the cache" if is_of_fuel else f"{what} not found"


def _missing_once(
    document: OpenDocument, options: Options, links: Sequence[Link], findings: list[Finding]
) -> list[Finding]:
    """The findings, with one at the root of a file in which no link has an inertial.

    Links that are selected, or a rule that is selected by its code, are reported one by one.
    """
    missing = [finding for finding in findings if finding.code == MISSING]
    is_asked = options.link or any(code == "ALL" or MISSING.startswith(code) for code in options.select)
    if len(missing) < 2 or is_asked or any(link.has_inertial for link in links):
        return findings
    can_fill = any(finding.is_fixable for finding in missing)
    remedy: str | Command = "write the <inertial> of each link, or ignore a file that is for planning or display alone"
    if can_fill:
        remedy = Command(("sdfinertia", "fill", "--missing"), (), document.robot.path)
    what = f"no link has an <inertial>, and {len(missing):,} of {len(links):,} need one"
    whole = Finding(
        MISSING,
        f"{what}: {links[0].phrases.without_inertial}",
        document.robot.document.roots[0].location(),
        advice=remedy,
        is_fixable=can_fill,
    )
    return [whole, *(finding for finding in findings if finding.code != MISSING)]


def _findings_of_models(document: OpenDocument, rules: ChosenRules, of_links: LinkFindings) -> Iterator[Finding]:
    """The findings about models, without those that were reported with a link."""
    finds_malformed = MALFORMED in rules.codes
    if UNKNOWN_ELEMENT in rules.codes and not document.options.link:
        yield from _findings_of_model(UNKNOWN_ELEMENT, document.robot.misplaced_elements())
    if of_links.models and not of_links.is_name_reported and finds_malformed:
        yield from _findings_of_model(MALFORMED, document.robot.repeated_models())
    for key, model in of_links.models.items():
        # Frames that a link needs were reported with that link.
        if key not in of_links.unverifiable and finds_malformed:
            yield from _findings_of_model(MALFORMED, model.unresolved_frames(document.context))
            yield from _findings_of_model(MALFORMED, model.repeated_links())
        if LOST_REFERENCE.code in rules.codes:
            yield from _findings_of_model(LOST_REFERENCE.code, model.unresolved_references(document.context))


def _findings_of_model(code: str, defects: Iterator[Problem]) -> Iterator[Finding]:
    for defect in defects:
        if defect.location is not None:
            yield Finding(code, defect.message, defect.location, "", defect.advice)


def unreadable(path: str, error: SdfInertiaError, options: Options) -> CheckResult:
    """The result of an unreadable file; of a template both its note, for walks, and its finding, where it is named."""
    if isinstance(error, TemplateError):
        why = "parts of robots" if isinstance(error, FragmentError) else "templates"
        result = CheckResult(path, (), notes=(f"{error.problem}; {error.remedy}",), passed_over=why)
        if not isinstance(error, UnexpandedError):
            return result
    else:
        result = CheckResult(path, ())
    if UNREADABLE not in chosen_rules(options.select, options.ignore):
        return result
    location = error.location or Location(error.file or path, 1, 1)
    return result._replace(findings=(Finding(UNREADABLE.code, error.problem, location, "", error.remedy),))


def told_apart(results: Sequence[CheckResult]) -> list[CheckResult]:
    """The results of MJCF documents; a block that is stale in one, and as filled for another, is said to be so."""
    readers: dict[str, list[str]] = {}
    for result in results:
        for file in {abspath(result.path), *result.sources}:
            readers.setdefault(file, []).append(result.path)
    stale = {(result.path, _at(finding)) for result in results for finding in result.findings if finding.code == STALE}

    def told(finding: Finding, path: str) -> Finding:
        place = _at(finding)
        others = readers.get(place.file, ()) if finding.code == STALE else ()
        other = next((each for each in others if each != path and (each, place) not in stale), None)
        if other is None:
            return finding
        message = f"{finding.message}; it is as filled for {printable(other)}, and one block cannot hold both"
        return finding._replace(message=message, advice=NOT_BOTH, is_fixable=False)

    return [each._replace(findings=tuple(told(finding, each.path) for finding in each.findings)) for each in results]


def _at(finding: Finding) -> Location:
    return finding.location._replace(file=abspath(finding.location.file))
