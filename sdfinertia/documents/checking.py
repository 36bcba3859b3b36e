"""Checking: a document and options in, findings out."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from os.path import abspath
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.display import ResultList
from sdfinertia.documents.effects import Effects
from sdfinertia.documents.opened import (
    OpenDocument,
    Source,
    open_document,
    path_of,
    require_match,
    require_options,
    selected_links,
    unmatched,
)
from sdfinertia.errors import (
    ConfigurationError,
    FragmentError,
    Location,
    SdfInertiaError,
    TemplateError,
    UnexpandedError,
)
from sdfinertia.links.study import Study
from sdfinertia.options import Options
from sdfinertia.robot.problems import Command, Problem
from sdfinertia.rules.accepted import (
    SUPPRESSION,
    Suppression,
    idle_suppressions,
    read_suppression,
    suppressed_codes,
)
from sdfinertia.rules.groups import GroupJudge
from sdfinertia.rules.reading import LOST_REFERENCE, UNREADABLE
from sdfinertia.rules.registry import (
    EXPLAINED_BY,
    IMPLAUSIBLE_DENSITY,
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
from sdfinertia.rules.remedies import for_cause, is_repair
from sdfinertia.rules.rule import (
    ABOUT_NUMBERS,
    TELLING,
    Finding,
    Fixer,
    Rule,
    Why,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from sdfinertia.causes.case import Case
    from sdfinertia.documents.explaining import Explainer
    from sdfinertia.links.study import Unjudged
    from sdfinertia.robot.link import Link, Model
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


def _in_source(result: CheckResult, document: OpenDocument, expansion: Expansion) -> CheckResult:
    from sdfinertia.documents.xacro import calls_of, found_in_source, unjudged_in_source

    calls = calls_of((*result.findings, *result.unjudged), expansion)
    findings = found_in_source(result.findings, document, expansion)
    unjudged = unjudged_in_source(result.unjudged, expansion)
    return result._replace(findings=findings, unjudged=unjudged, sources=expansion.files, calls=calls)


def check_document(document: OpenDocument, *, lists_links: bool = False) -> CheckResult:
    """Labels of links are for reports that list them: runs can have millions."""
    rules = _rules_chosen_by(document.options)
    links = selected_links(document)
    of_links = _LinkFindings(document, rules)
    findings = [finding for link in links for finding in of_links.of(link)]
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
    return result if document.expansion is None else _in_source(result, document, document.expansion)


def _why_nothing(document: OpenDocument) -> str:
    missing = document.robot.missing_includes(document.context) if document.emptiness else ()
    if not missing:
        return document.emptiness
    what = "1 include is" if len(missing) == 1 else f"{len(missing):,} includes are"
    is_of_fuel = all(uri.startswith(("http", "fuel:")) for uri in missing)
    return f"{what} not in the cache" if is_of_fuel else f"{what} not found"


def _missing_once(
    document: OpenDocument, options: Options, links: Sequence[Link], findings: list[Finding]
) -> list[Finding]:
    """One finding at the root where no link has an inertial, unless links or the rule are selected."""
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


def _findings_of_models(document: OpenDocument, rules: _ChosenRules, of_links: _LinkFindings) -> Iterator[Finding]:
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
    """Of a template both its note, for walks, and its finding, where it is named."""
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


# The findings of a link -----------------------------------------------------------------------------------------------


class _ChosenRules:
    def __init__(self, options: Options) -> None:
        select = codes_for(options.select)
        self.options = replace(options, select=select) if select != options.select else None
        self.rules = rules_in_force(options)
        self.codes = frozenset(rule.code for rule in self.rules)
        self.finders = [(rule.code, rule.find) for rule in self.rules if rule.find is not None]


@lru_cache(maxsize=1)
def _rules_chosen_by(options: Options) -> _ChosenRules:
    return _ChosenRules(options)


class _LinkFindings:
    def __init__(self, document: OpenDocument, rules: _ChosenRules) -> None:
        self.models: dict[Hashable, Model] = {}
        self.unverifiable: set[Hashable] = set()
        self.is_name_reported = False
        self.unjudged: list[Unjudged] = []
        self.suppressed = 0
        self._document = document
        self._rules = rules
        self._groups: GroupJudge | None = None
        if document.robot.may_have_groups:
            self._groups = GroupJudge(rules.rules, lambda link: document.study(link, rules.options))
        self._effects: Effects | None = None
        self._searches_slips = SLIP in rules.codes
        # A finding takes the place of the reason, where its rule is on.
        self._finds_unreadable = UNREADABLE_GEOMETRY in rules.codes

    def of(self, link: Link) -> list[Finding]:
        study = self._document.study(link, self._rules.options)
        if self._searches_slips:
            study.beside_meshes = partial(self._beside_meshes, link)
        found = [_finding_of(link, code, fault) for code, find in self._rules.finders for fault in find(study)]
        if self._groups is not None:
            found = list(_with_group(self._groups, study, found))
        self.models.setdefault(link.model.key, link.model)
        if found:
            self._note_unverifiable(link, found)
        found = self._without_suppressed(study, found)
        if found:
            found = self._judged(study, _without_echoes(found))
        if study.unjudged:
            reasons = study.unjudged.values()
            self.unjudged += [each for each in reasons if not (self._finds_unreadable and each.is_finding)]
        return found

    def _beside_meshes(self, link: Link) -> Case | None:
        return self._explainer().gathering.beside_meshes(link)

    def _explainer(self) -> Explainer:
        from sdfinertia.documents.explaining import explainer_of

        return explainer_of(self._document)

    def _note_unverifiable(self, link: Link, found: list[Finding]) -> None:
        if any(finding.code == UNVERIFIABLE for finding in found):
            self.unverifiable.add(link.model.key)
            self.is_name_reported |= link.naming is not None

    def _without_suppressed(self, study: Study, found: list[Finding]) -> list[Finding]:
        suppressions = _suppressions(study.link)
        if not suppressions:
            return found
        hidden = suppressed_codes(suppressions, code_of)
        if SUPPRESSION.code in self._rules.codes:
            found = [*found, *_idle(suppressions, study, self._rules.rules, found)]
        self.suppressed += sum(finding.code in hidden for finding in found)
        return [finding for finding in found if finding.code not in hidden]

    def _judged(self, study: Study, found: list[Finding]) -> list[Finding]:
        codes = ABOUT_NUMBERS & {finding.code for finding in found}
        if codes and study.options.why:
            found = list(_with_cause(self._explainer(), study, found, codes))
        if not found:
            return found
        if self._effects is None:
            self._effects = Effects(self._document)
        return _once(study, self._effects.judged(study, found))


def _with_group(groups: GroupJudge, study: Study, found: list[Finding]) -> Iterator[Finding]:
    faults = groups.found_at(study, [finding.code for finding in found])
    for finding in found:
        if not (finding.code == IMPLAUSIBLE_DENSITY and groups.is_light(study)):
            yield finding
    for code, fault in faults:
        yield _finding_of(study.link, code, fault)


def _with_cause(
    explainer: Explainer, study: Study, findings: list[Finding], codes: frozenset[str]
) -> Iterator[Finding]:
    whys: Mapping[str, Why] = explainer.whys(study.link, codes)
    for finding in findings:
        why = whys.get(finding.code)
        if why is not None and not (finding.is_fixable and RULE_OF_CODE[finding.code].fixer is Fixer.NUDGE):
            finding = finding._replace(advice=for_cause(study, finding.advice, why))
        yield finding._replace(why=why)


def _finding_of(link: Link, code: str, fault: Problem) -> Finding:
    place = fault.location or link.inertial_location()
    number = link.number
    numbers = link.block_numbers() if code in ABOUT_NUMBERS else None
    return Finding(
        code,
        fault.message,
        place,
        link.scoped_name,
        fault.advice,
        fault.is_fixable,
        number=number,
        is_minor=fault.is_minor,
        numbers=numbers,
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
            first = first._replace(
                advice=advice,
                also=also,
                is_minor=first.is_minor and all(each.is_minor for each in others),
            )
        found.append(first)
    return found


def _suppressions(link: Link) -> list[Suppression]:
    found: dict[int, Suppression] = {}
    for comment in link.comments():
        words = read_suppression(comment.text)
        if words is not None:
            found[comment.start] = Suppression(words, link.location_of(comment))
    return [found[start] for start in sorted(found)]


def _idle(suppressions: list[Suppression], study: Study, rules: list[Rule], found: list[Finding]) -> Iterator[Finding]:
    """A rule that is off, or lacks a file, cannot show that a suppression is idle; rules run as if selected."""
    codes = {finding.code for finding in found}

    def is_idle(code: str) -> bool:
        rule = RULE_OF_CODE[code]
        if rule.find is None:
            return rule is not SUPPRESSION
        if code in codes or rule not in rules or study.unjudged:
            return False
        named = study.options.replaced({"select": (*study.options.select, code)})
        asked = Study(study.link, named, study.context)
        return not rule.finds(asked) and not asked.unjudged

    for fault in idle_suppressions(suppressions, code_of, is_idle):
        yield _finding_of(study.link, SUPPRESSION.code, fault)
