"""Checking: a document and options in, findings out, and the edits that fix them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from os.path import abspath
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.documents import OpenDocument, Source, open_document, path_of, require_options
from sdfinertia.documents.effects import Effects
from sdfinertia.documents.filling import FillResult, fill_document
from sdfinertia.documents.link_results import LinkResult, failure
from sdfinertia.errors import (
    ConfigurationError,
    FragmentError,
    Location,
    ResultList,
    SdfInertiaError,
    TemplateError,
    UnexpandedError,
)
from sdfinertia.links import Study, Unjudged
from sdfinertia.markup import Edit
from sdfinertia.options import Options
from sdfinertia.robot import Link, LinkKey, attempt
from sdfinertia.robot.nudging import nudge_edits
from sdfinertia.robot.problems import Command, Problem, misplaced_elements
from sdfinertia.rules import (
    EXPLAINED_BY,
    MALFORMED,
    MISSING,
    RULE_OF_CODE,
    SLIP,
    UNKNOWN_ELEMENT,
    UNREADABLE_GEOMETRY,
    UNVERIFIABLE,
    chosen_rules,
    code_of,
    codes_for,
    rules_in_force,
    worst_first,
)
from sdfinertia.rules.accepted import SUPPRESSION, Suppression, idle_suppressions, read_suppression, suppressed_codes
from sdfinertia.rules.evidence import GroupFindings
from sdfinertia.rules.reading import LOST_REFERENCE, UNREADABLE
from sdfinertia.rules.remedies import for_cause, is_repair
from sdfinertia.rules.rule import ABOUT_NUMBERS, TELLING, Finding, Fixer

if TYPE_CHECKING:
    from sdfinertia.causes.case import Case
    from sdfinertia.documents.corrections import Explainer


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
    document.require_match(options)
    return ResultList(check_document(document).findings)


def check_document(document: OpenDocument, *, lists_links: bool = False) -> CheckResult:
    """Labels of links are for reports that list them: runs can have millions."""
    judge, links = _Judge(document), document.selected(document.options)
    checked = [judge.checked(link) for link in links]
    findings = _missing_once(judge.document, links, [each for one in checked for each in one.findings])
    findings += _findings_of_models(document, judge.codes, checked)
    findings.sort(key=worst_first)
    robot = document.robot
    result = CheckResult(
        robot.path,
        tuple(findings),
        len(links),
        tuple(each for one in checked for each in one.unjudged),
        sum(one.suppressed for one in checked),
        robot.has_includes,
        (*robot.notes, *document.context.elsewhere_notes(robot.path), *document.context.cache_notes()),
        document.unmatched(document.options),
        tuple([link.label for link in links]) if lists_links else (),
        tuple(map(abspath, robot.document.files)),
        passed_over=_why_nothing(document),
    )
    if document.expansion is None:
        return result
    from sdfinertia.documents.xacro import in_source

    told, unjudged, calls = in_source(document, document.expansion, result.findings, result.unjudged)
    return result._replace(findings=told, unjudged=unjudged, sources=document.expansion.files, calls=calls)


def _why_nothing(document: OpenDocument) -> str:
    missing = document.robot.missing_includes(document.context) if document.emptiness else ()
    if not missing:
        return document.emptiness
    what = "1 include is" if len(missing) == 1 else f"{len(missing):,} includes are"
    is_of_fuel = all(uri.startswith(("http", "fuel:")) for uri in missing)
    return f"{what} not in the cache" if is_of_fuel else f"{what} not found"


def _missing_once(document: OpenDocument, links: Sequence[Link], findings: list[Finding]) -> list[Finding]:
    """One finding at the root where no link has an inertial, unless links or the rule are selected."""
    options = document.options
    missing = [finding for finding in findings if finding.code == MISSING]
    is_asked = options.link or any(code == "ALL" or MISSING.startswith(code) for code in options.select)
    if len(missing) < 2 or is_asked or any(link.has_inertial for link in links):
        return findings
    can_fill = any(finding.is_fixable for finding in missing)
    remedy: str | Command = "write the <inertial> of each link, or ignore a file that is for planning or display alone"
    if can_fill:
        remedy = Command(("sdfinertia", "fill", "--missing"), (), document.robot.path)
    what = f"no link has an <inertial>, and {len(missing):,} of {len(links):,} need one"
    message, place = f"{what}: {links[0].phrases.without_inertial}", document.robot.document.roots[0].location()
    whole = Finding(MISSING, message, place, advice=remedy, is_fixable=can_fill)
    return [whole, *(finding for finding in findings if finding.code != MISSING)]


def _findings_of_models(
    document: OpenDocument, codes: Collection[str], checked: Sequence[_Checked]
) -> Iterator[Finding]:
    robot, context = document.robot, document.context
    # Frames that a link needs were reported with that link.
    unverifiable = {each.link.model.key for each in checked if each.is_unverifiable}
    is_name_reported = any(each.is_unverifiable and each.link.naming is not None for each in checked)
    found: list[tuple[str, Iterable[Problem]]] = []
    if not document.options.link:
        found.append((UNKNOWN_ELEMENT, misplaced_elements(robot.document.roots)))
    if checked and not is_name_reported:
        found.append((MALFORMED, robot.repeated_models()))
    for key, model in {each.link.model.key: each.link.model for each in checked}.items():
        if key not in unverifiable:
            found += [(MALFORMED, model.unresolved_frames(context)), (MALFORMED, model.repeated_links())]
        found.append((LOST_REFERENCE.code, model.unresolved_references(context)))
    for code, problems in found:
        for problem in problems if code in codes else ():
            if problem.location is not None:
                yield Finding(code, problem.message, problem.location, "", problem.advice)


def unreadable(path: str, error: SdfInertiaError, options: Options) -> CheckResult:
    """Of a template both its note, for walks, and its finding, where it is named."""
    result = CheckResult(path, ())
    if isinstance(error, TemplateError):
        why = "parts of robots" if isinstance(error, FragmentError) else "templates"
        result = result._replace(notes=(f"{error.problem}; {error.remedy}",), passed_over=why)
        if not isinstance(error, UnexpandedError):
            return result
    if UNREADABLE not in chosen_rules(options.select, options.ignore):
        return result
    location = error.location or Location(error.file or path, 1, 1)
    return result._replace(findings=(Finding(UNREADABLE.code, error.problem, location, "", error.remedy),))


# The findings of a link -----------------------------------------------------------------------------------------------


class _Checked(NamedTuple):
    link: Link
    findings: list[Finding]
    unjudged: list[Unjudged]
    suppressed: int
    is_unverifiable: bool


@lru_cache(maxsize=1)
def _finders(options: Options) -> list[tuple[str, Callable[[Study], Iterator[Problem]]]]:
    return [(code, rule.find) for code, rule in rules_in_force(options).items() if rule.find is not None]


class _Judge:
    """The links of a document by the chosen rules."""

    def __init__(self, document: OpenDocument) -> None:
        options = document.options
        if options.select:
            # By their codes.
            document = document.with_options(replace(options, select=codes_for(options.select)))
        self.document = document
        self._rules = rules_in_force(document.options)
        self._finders = _finders(document.options)
        self.codes = self._rules.keys()
        self._groups = GroupFindings(self.codes) if document.robot.may_have_groups else None
        self._effects = Effects(self.document)

    def checked(self, link: Link) -> _Checked:
        study = self.document.study(link)
        if SLIP in self.codes:
            study.beside_meshes = partial(self._beside_meshes, link)
        problems = [(code, problem) for code, find in self._finders for problem in find(study)]
        if self._groups is not None:
            problems = self._groups.with_group(study, problems)
        left = found = [_finding_of(link, code, problem) for code, problem in problems]
        is_unverifiable = any(finding.code == UNVERIFIABLE for finding in found)
        if suppressions := _suppressions(link):
            if SUPPRESSION.code in self.codes:
                found += list(self._idle(study, suppressions, found))
            hidden = suppressed_codes(suppressions, code_of)
            left = [finding for finding in found if finding.code not in hidden]
        suppressed = len(found) - len(left)
        if left:
            left = self._judged(study, _without_echoes(left))
        # A finding takes the place of the reason, where its rule is on.
        finds_unreadable = UNREADABLE_GEOMETRY in self.codes
        unjudged = [each for each in study.unjudged.values() if not (finds_unreadable and each.is_finding)]
        return _Checked(link, left, unjudged, suppressed, is_unverifiable)

    def _beside_meshes(self, link: Link) -> Case | None:
        return self._explainer().gathering.beside_meshes(link)

    def _explainer(self) -> Explainer:
        from sdfinertia.documents.corrections import explainer_of

        return explainer_of(self.document)

    def _idle(self, study: Study, suppressions: list[Suppression], found: list[Finding]) -> Iterator[Finding]:
        """A rule that is off, or lacks a file, cannot show that a suppression is idle; rules run as if selected."""
        codes = {finding.code for finding in found}

        def is_idle(code: str) -> bool:
            rule = RULE_OF_CODE[code]
            if rule.find is None:
                return rule is not SUPPRESSION
            if code in codes or code not in self._rules or study.unjudged:
                return False
            asked = study.by(select=(*study.options.select, code))
            asked.beside_meshes = study.beside_meshes
            return not rule.finds(asked) and not asked.unjudged

        for problem in idle_suppressions(suppressions, code_of, is_idle):
            yield _finding_of(study.link, SUPPRESSION.code, problem)

    def _judged(self, study: Study, found: list[Finding]) -> list[Finding]:
        codes = ABOUT_NUMBERS & {finding.code for finding in found}
        if codes and study.options.why:
            found = list(_with_cause(self._explainer(), study, found, codes))
        return _once(study, self._effects.judged(study, found)) if found else found


def _with_cause(
    explainer: Explainer, study: Study, findings: list[Finding], codes: frozenset[str]
) -> Iterator[Finding]:
    whys = explainer.whys(study.link, codes)
    for finding in findings:
        why = whys.get(finding.code)
        if why is not None and not (finding.is_fixable and RULE_OF_CODE[finding.code].fixer is Fixer.NUDGE):
            finding = finding._replace(advice=for_cause(study, finding.advice, why))
        yield finding._replace(why=why)


def _finding_of(link: Link, code: str, problem: Problem) -> Finding:
    return Finding(
        code,
        problem.message,
        problem.location or link.inertial_location(),
        link.scoped_name,
        problem.advice,
        problem.is_fixable,
        number=link.number,
        is_minor=problem.is_minor,
        numbers=link.block_numbers() if code in ABOUT_NUMBERS else None,
    )


def _without_echoes(findings: list[Finding]) -> list[Finding]:
    codes = {finding.code for finding in findings}
    # A misspelt element that keeps a link from being computed is reported as that.
    refused = [finding.location for finding in findings if finding.code == UNVERIFIABLE]
    return [
        finding
        for finding in findings
        if codes.isdisjoint(EXPLAINED_BY.get(finding.code, ()))
        and not (finding.code == UNKNOWN_ELEMENT and finding.location in refused)
    ]


def _once(study: Study, findings: list[Finding]) -> list[Finding]:
    """Of findings on the same numbers with one cause the most telling, which names the others; selected rules stay."""
    alike = [each for each in findings if each.code in TELLING and not study.is_selected_by_name(each.code)]
    found = [finding for finding in findings if finding not in alike]
    same: dict[int, list[Finding]] = {}
    for finding in sorted(alike, key=lambda each: TELLING.index(each.code)):
        same.setdefault(id(finding.why), []).append(finding)
    for first, *others in same.values():
        if others:
            also = tuple(sorted({each.code for each in others}))
            advice = next((each.advice for each in (first, *others) if is_repair(each.advice)), first.advice)
            is_minor = first.is_minor and all(each.is_minor for each in others)
            first = first._replace(advice=advice, also=also, is_minor=is_minor)
        found.append(first)
    return found


def _suppressions(link: Link) -> list[Suppression]:
    found: dict[int, Suppression] = {}
    for comment in link.comments():
        words = read_suppression(comment.text)
        if words is not None:
            found[comment.start] = Suppression(words, link.location_of(comment))
    return [found[start] for start in sorted(found)]


# Their fixes ----------------------------------------------------------------------------------------------------------


def fix_document(document: OpenDocument, findings: Sequence[Finding]) -> FillResult:
    """The document with rounding fixed and links filled, as findings ask."""
    links: dict[Fixer, set[LinkKey]] = {fixer: set() for fixer in Fixer}
    for finding in findings:
        # A finding without a link is about all of them.
        keys = [finding.key] if finding.link else [link.key for link in document.links()]
        links[RULE_OF_CODE[finding.code].fixer].update(keys)
    nudges: list[Edit] = []
    failed: list[LinkResult] = []
    for link in document.links() if links[Fixer.NUDGE] else ():
        if link.key in links[Fixer.NUDGE]:
            refused = attempt(document.require_writable, link)
            if refused is None:
                nudges += nudge_edits(link)
            else:
                failed.append(failure(document.study(link), refused))
    options = replace(document.options, missing=False, refresh=True, keep_going=True)
    return fill_document(document, options, links[Fixer.FILL], nudges, failed)
