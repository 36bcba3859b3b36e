"""Checking: a document and options in, findings out, and the edits that fix them."""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from os.path import abspath
from typing import TYPE_CHECKING

from sdfinertia.documents.filling import FillResult, fill_document
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
    speaks_of_arguments,
)
from sdfinertia.lazy import by_identity
from sdfinertia.links.study import Study
from sdfinertia.links.unjudged import Unjudged
from sdfinertia.markup.document import Edit
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import Options
from sdfinertia.robot.keys import LinkKey
from sdfinertia.robot.problems import Command
from sdfinertia.rules.evidence import SLIP
from sdfinertia.rules.reading import LOST_REFERENCE, UNREADABLE, UNREADABLE_GEOMETRY
from sdfinertia.rules.registry import (
    EXPLAINED_BY,
    IMPLAUSIBLE_DENSITY,
    MALFORMED,
    MISSING,
    RULE_OF_CODE,
    UNVERIFIABLE,
    chosen_rules,
    code_of,
    codes_for,
    rules_in_force,
    worst_first,
)
from sdfinertia.rules.remedies import for_cause, is_repair
from sdfinertia.rules.rule import ABOUT_NUMBERS, PLACEHOLDERS, TELLING, Finding, Fixer, Rule, Subject, subject_of
from sdfinertia.rules.suppressions import (
    SUPPRESSION,
    Suppression,
    idle_suppressions,
    read_suppression,
    suppressed_codes,
)

if TYPE_CHECKING:
    from sdfinertia.causes.case import Case
    from sdfinertia.documents.effects import Effects
    from sdfinertia.documents.explaining import Explainer
    from sdfinertia.notebook import ResultList
    from sdfinertia.robot.link import Link, Model
    from sdfinertia.robot.problems import Problem
    from sdfinertia.rules.groups import GroupJudge
    from sdfinertia.rules.rule import Why
    from sdfinertia.xacro.expansion import Expansion


class NotChecked(NamedTuple):
    """A file in which nothing was checked, and why, in few words."""

    path: str
    why: str


class CheckResult(NamedTuple):
    """The result of checking a file.

    Attributes:
        unmatched: all links, where `--link` matches none.
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


@speaks_of_arguments
def check(
    source: Source, options: Options = Options(), *, why: bool = False, filename: str = "<bytes>"
) -> ResultList[Finding]:
    """What is wrong with the inertials of a file, what matters most to its robot first.

        >>> sdfinertia.check("fixtures/arm/model.sdf")[0].code
        'SDI001'

    Args:
        source: path of a file, or its content as bytes.
        options: which rules, and where files are found.
        why: look for the mistake that explains a finding: `finding.why`.
        filename: the place that content given as bytes has.

    Returns:
        The findings; a file that cannot be read is one (SDI900).

    Raises:
        ConfigurationError: a rule that is selected or ignored does not exist, text or a directory is given for a file,
            or `options.link` matches no link.
    """
    # Loaded for the API alone.
    from sdfinertia.notebook import ResultList

    try:
        require_options(options)
        document = open_document(source, replace(options, why=why or options.why), filename=filename)
    except ConfigurationError:
        raise
    except SdfInertiaError as error:
        return ResultList(unreadable(path_of(source, filename), error, options).findings)
    result = check_document(document)
    require_match(options.link, result.unmatched, result.path)
    return ResultList(result.findings)


def check_document(document: OpenDocument) -> CheckResult:
    steps = check_steps(document)
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: CheckResult = done.value
            return result


def _in_source(result: CheckResult, expansion: Expansion) -> CheckResult:
    """The result with the locations of the xacro source."""
    # Loaded where there is xacro.
    from sdfinertia.documents.xacro import calls_of, found_in_source, unjudged_in_source

    calls = calls_of((*result.findings, *result.unjudged), expansion)
    findings = found_in_source(result.findings, expansion)
    unjudged = unjudged_in_source(result.unjudged, expansion)
    return result._replace(findings=findings, unjudged=unjudged, sources=expansion.files, calls=calls)


class _Run(NamedTuple):
    """What is the same for all files that are checked with the same options.

    Attributes:
        options: with codes for the names of rules; None where there are none.
        rules_for: those for a subject, by whether its numbers are plainly those of a body.
    """

    options: Options | None
    rules: list[Rule]
    rules_for: dict[tuple[Subject, bool], list[Rule]]
    codes: frozenset[str]

    def rules_of(self, study: Study) -> list[Rule]:
        return self.rules_for[subject_of(study), study.is_plainly_a_body]


@by_identity
def _run_of(options: Options) -> _Run:
    rules = rules_in_force(options)
    rules_for = {
        (subject, is_body): [
            rule for rule in rules if rule.find and subject in rule.subjects and not (is_body and rule.skips_bodies)
        ]
        for subject in Subject
        for is_body in (False, True)
    }
    select = codes_for(options.select)
    own = replace(options, select=select) if select != options.select else None
    return _Run(own, rules, rules_for, frozenset(rule.code for rule in rules))


class _Explain:
    """The search for causes in a document, loaded with the first finding to explain."""

    def __init__(self, document: OpenDocument) -> None:
        self._document = document
        self._explainer: Explainer | None = None

    @property
    def explainer(self) -> Explainer:
        from sdfinertia.documents.explaining import Explainer

        self._explainer = self._explainer or Explainer(self._document)
        return self._explainer

    def beside_meshes(self, link: Link) -> Case | None:
        return self.explainer.gathering.beside_meshes(link)


def check_steps(document: OpenDocument) -> Generator[None, None, CheckResult]:
    """`check_document` link by link, for callers that do other things meanwhile."""
    run = _run_of(document.options)
    links = selected_links(document)
    findings: list[Finding] = []
    unjudged: list[Unjudged] = []
    suppressed = 0
    models: dict[Hashable, Model] = {}
    told: set[Hashable] = set()
    is_name_told = False
    # Others say nothing that is for this tool.
    may_suppress = document.robot.document.mentions(b"ignore")

    explain = _Explain(document)
    searches = SLIP.code in run.codes
    groups = _groups(document, run)
    effects: Effects | None = None
    model: Model | None = None
    for link in links:
        study = document.study(link, run.options)
        if searches:
            study.beside_meshes = partial(explain.beside_meshes, link)
        found = _findings_of(study, run.rules_of(study))
        if groups is not None:
            found = list(_with_group(groups, study, found))
        if link.model is not model:
            model = link.model
            models.setdefault(model.key, model)
        if found and any(finding.code == UNVERIFIABLE for finding in found):
            told.add(link.model.key)
            is_name_told |= link.naming_problem is not None
        suppressions = _suppressions(link) if may_suppress else []
        if suppressions:
            hidden = suppressed_codes(suppressions, code_of)
            if SUPPRESSION.code in run.codes:
                found += _idle(suppressions, study, run.rules, found)
            suppressed += sum(finding.code in hidden for finding in found)
            found = [finding for finding in found if finding.code not in hidden]
        kept = _without_echoes(found) if found else []
        codes = ABOUT_NUMBERS & {finding.code for finding in kept}
        # What stands for no part has no mistake that can be undone.
        if codes and (study.options.why or codes.isdisjoint(PLACEHOLDERS)):
            kept = list(_with_cause(explain.explainer, study, kept, codes))
        if kept:
            # Loaded with the first finding.
            from sdfinertia.documents.effects import Effects

            effects = effects or Effects(document)
            kept = _once(study, effects.judged(study, kept))
        findings += kept
        if study.unjudged:
            # What would be a finding of a rule that is off is counted all the same.
            tells = UNREADABLE_GEOMETRY.code in run.codes
            unjudged += [reason for reason in study.unjudged.values() if not (tells and reason.is_finding)]
        yield
    findings = _missing_once(document, run.options or document.options, links, findings)
    findings += _findings_of_models(document, run, models, told, is_name_told=is_name_told)
    findings.sort(key=worst_first)
    robot = document.robot
    result = CheckResult(
        robot.path,
        tuple(findings),
        len(links),
        tuple(unjudged),
        suppressed,
        robot.has_includes,
        (*robot.notes, *document.context.elsewhere_notes(robot.path), *document.context.cache_notes()),
        unmatched(document.links(), document.options),
        tuple([link.label for link in links]),
        tuple(map(abspath, robot.document.files)),
        passed_over=document.emptiness,
    )
    return result if document.expansion is None else _in_source(result, document.expansion)


def _with_group(groups: GroupJudge, study: Study, found: list[Finding]) -> Iterator[Finding]:
    """The findings of a link, and those of its group that are reported there."""
    faults = groups.found_at(study, [finding.code for finding in found])
    for finding in found:
        if not (finding.code == IMPLAUSIBLE_DENSITY and groups.is_light(study)):
            yield finding
    for code, fault in faults:
        yield _finding_of(study.link, code, fault)


def _groups(document: OpenDocument, run: _Run) -> GroupJudge | None:
    if not document.robot.may_have_groups:
        return None
    # Loaded where links are fixed to each other.
    from sdfinertia.rules.groups import GroupJudge

    return GroupJudge(run.rules, lambda link: document.study(link, run.options))


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
        is_safe=all(finding.is_safe for finding in missing),
    )
    return [whole, *(finding for finding in findings if finding.code != MISSING)]


def _findings_of_models(
    document: OpenDocument, run: _Run, models: Mapping[Hashable, Model], told: set[Hashable], *, is_name_told: bool
) -> Iterator[Finding]:
    """The findings about models; what was reported with a link is not repeated."""
    finds_malformed = MALFORMED in run.codes
    if models and not is_name_told and finds_malformed:
        yield from _findings_of_model(MALFORMED, document.robot.repeated_models())
    for key, model in models.items():
        # Frames that a link needs were reported with that link.
        if key not in told and finds_malformed:
            yield from _findings_of_model(MALFORMED, model.unresolved_frames(document.context))
            yield from _findings_of_model(MALFORMED, model.repeated_links())
        if LOST_REFERENCE.code in run.codes:
            yield from _findings_of_model(LOST_REFERENCE.code, model.unresolved_references(document.context))


def _with_cause(
    explainer: Explainer, study: Study, findings: list[Finding], codes: frozenset[str]
) -> Iterator[Finding]:
    """The findings with the remedy for the cause of a link's numbers, and that cause if requested."""
    whys: Mapping[str, Why] = (explainer.whys if study.options.why else explainer.certain_whys)(study.link, codes)
    for finding in findings:
        why = whys.get(finding.code)
        if why is not None and not (finding.is_fixable and RULE_OF_CODE[finding.code].fixer is Fixer.NUDGE):
            finding = finding._replace(advice=for_cause(study, finding.advice, why))
        yield finding._replace(why=why if study.options.why else None)


def _findings_of(study: Study, rules: list[Rule]) -> list[Finding]:
    return [
        _finding_of(study.link, rule.code, fault)
        for rule in rules
        if rule.find is not None
        for fault in rule.find(study)
    ]


def _finding_of(link: Link, code: str, fault: Problem) -> Finding:
    place = fault.location or link.inertial_location()
    number = link.key.number
    numbers = link.written_numbers() if code in ABOUT_NUMBERS else None
    return Finding(
        code,
        fault.message,
        place,
        link.scoped_name,
        fault.advice,
        fault.is_fixable,
        fault.is_safe,
        number=number,
        is_minor=fault.is_minor,
        numbers=numbers,
    )


def _without_echoes(findings: list[Finding]) -> list[Finding]:
    """The findings without those that others explain."""
    codes = {finding.code for finding in findings}
    return [finding for finding in findings if codes.isdisjoint(EXPLAINED_BY.get(finding.code, ()))]


def _once(study: Study, findings: list[Finding]) -> list[Finding]:
    """The findings of a link, of those about the same numbers the most telling, which names the others.

    With `--why` those about the centre of mass have a cause of their own; what was asked for by its code is reported.
    """
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
                message=f"{first.message} (also {', '.join(also)})",
                advice=advice,
                also=also,
                is_minor=first.is_minor and all(each.is_minor for each in others),
            )
        found.append(first)
    return found


def _findings_of_model(code: str, defects: Iterator[Problem]) -> Iterator[Finding]:
    for defect in defects:
        if defect.location is not None:
            yield Finding(code, defect.message, defect.location, "", defect.advice)


def unreadable(path: str, error: SdfInertiaError, options: Options) -> CheckResult:
    if isinstance(error, TemplateError):
        why = "parts of robots" if isinstance(error, FragmentError) else "templates"
        return CheckResult(path, (), notes=(f"{error.problem}; {error.remedy}",), passed_over=why)
    if UNREADABLE not in chosen_rules(options.select, options.ignore):
        return CheckResult(path, ())
    location = error.location or Location(error.file or path, 1, 1)
    return CheckResult(path, (Finding(UNREADABLE.code, error.problem, location, "", error.remedy),))


def _suppressions(link: Link) -> list[Suppression]:
    found: dict[int, Suppression] = {}
    for comment in link.comments():
        words = read_suppression(comment.text)
        if words is not None:
            found[comment.start] = Suppression(words, link.location_of(comment))
    return [found[start] for start in sorted(found)]


def _idle(suppressions: list[Suppression], study: Study, rules: list[Rule], found: list[Finding]) -> Iterator[Finding]:
    """What is wrong with the suppressions of a link.

    A rule that is off, or lacks a file, cannot tell that a suppression is idle; one that looks closer when it is
    selected by code is asked that way.
    """
    codes = {finding.code for finding in found}

    def is_idle(code: str) -> bool:
        rule = RULE_OF_CODE[code]
        if rule.find is None:
            return rule is not SUPPRESSION
        if code in codes or rule not in rules or study.unjudged:
            return False
        named = study.options.replaced({"select": (*study.options.select, code)})
        asked = Study(study.link, named, study.context)
        return not any(True for _ in rule.find(asked)) and not asked.unjudged

    for fault in idle_suppressions(suppressions, code_of, is_idle):
        yield _finding_of(study.link, SUPPRESSION.code, fault)


def fixing_edits(document: OpenDocument, findings: Sequence[Finding]) -> tuple[list[Edit], FillResult | None]:
    """The edits that fix findings, and the result of filling links, if any is filled."""
    links: dict[Fixer, set[LinkKey]] = {fixer: set() for fixer in Fixer}
    for finding in findings:
        # Without a link it is about all of them.
        keys = [finding.key] if finding.link else [link.key for link in document.links()]
        links[RULE_OF_CODE[finding.code].fixer].update(keys)
    edits: list[Edit] = []
    if nudged := links[Fixer.NUDGE]:
        # Loaded where a tensor is rejected: it brings decimal arithmetic.
        from sdfinertia.robot.edits import nudge_edits

        edits = [edit for link in document.links() if link.key in nudged for edit in nudge_edits(link)]
    fillable = links[Fixer.FILL] | links[Fixer.FILL_MISSING]
    if not fillable:
        return edits, None
    chosen = replace(document.options, missing=bool(links[Fixer.FILL_MISSING]), refresh=True, keep_going=True)
    result = fill_document(document, chosen, fillable)
    return [
        *edits,
        *document.robot.document.gathered([result.edits, *(other.edits for other in result.others)]),
    ], result
