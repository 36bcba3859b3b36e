"""The findings of one link after the other: those of rules, without suppressed ones and those that others explain."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING

from sdfinertia.documents.effects import Effects
from sdfinertia.links.study import Study
from sdfinertia.rules.groups import GroupJudge
from sdfinertia.rules.registry import (
    EXPLAINED_BY,
    IMPLAUSIBLE_DENSITY,
    RULE_OF_CODE,
    SLIP,
    UNKNOWN_ELEMENT,
    UNREADABLE_GEOMETRY,
    UNVERIFIABLE,
    code_of,
    codes_for,
    rules_in_force,
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
from sdfinertia.rules.suppressions import (
    SUPPRESSION,
    Suppression,
    idle_suppressions,
    read_suppression,
    suppressed_codes,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from sdfinertia.causes.case import Case
    from sdfinertia.documents.explaining import Explainer
    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.links.study import Unjudged
    from sdfinertia.options import Options
    from sdfinertia.robot.link import Link, Model
    from sdfinertia.robot.problems import Problem


class ChosenRules:
    """The rules that options choose, the same for all files of a run.

    Attributes:
        options: with codes for the names of rules; None where there are none.
    """

    def __init__(self, options: Options) -> None:
        select = codes_for(options.select)
        self.options = replace(options, select=select) if select != options.select else None
        self.rules = rules_in_force(options)
        self.codes = frozenset(rule.code for rule in self.rules)


@lru_cache(maxsize=1)
def rules_chosen_by(options: Options) -> ChosenRules:
    return ChosenRules(options)


class LinkFindings:
    """The findings of the links of one document, taken one after the other.

    Attributes:
        models: those of the links so far, by their keys.
        unverifiable: keys of models in which a link cannot be verified; their problems were reported with it.
        is_name_reported: whether such a link has a name that does not identify it.
        unjudged: reasons why links could not be checked fully.
        suppressed: how many findings comments hide.
    """

    def __init__(self, document: OpenDocument, rules: ChosenRules) -> None:
        self.models: dict[Hashable, Model] = {}
        self.unverifiable: set[Hashable] = set()
        self.is_name_reported = False
        self.unjudged: list[Unjudged] = []
        self.suppressed = 0
        self._document = document
        self._rules = rules
        self._groups = _groups(document, rules)
        self._effects: Effects | None = None
        self._searches_slips = SLIP in rules.codes
        # A finding takes the place of the reason, where its rule is on.
        self._finds_unreadable = UNREADABLE_GEOMETRY in rules.codes

    def of(self, link: Link) -> list[Finding]:
        study = self._document.study(link, self._rules.options)
        if self._searches_slips:
            study.beside_meshes = partial(self._beside_meshes, link)
        found = [_finding_of(link, rule.code, fault) for rule in self._rules.rules for fault in rule(study)]
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
            self.is_name_reported |= link.naming_problem is not None

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
        """The findings with causes and remedies, ranked by their effects; one for the same numbers."""
        codes = ABOUT_NUMBERS & {finding.code for finding in found}
        if codes and study.options.why:
            found = list(_with_cause(self._explainer(), study, found, codes))
        if not found:
            return found
        if self._effects is None:
            self._effects = Effects(self._document)
        return _once(study, self._effects.judged(study, found))


def _groups(document: OpenDocument, rules: ChosenRules) -> GroupJudge | None:
    if not document.robot.may_have_groups:
        return None

    return GroupJudge(rules.rules, lambda link: document.study(link, rules.options))


def _with_group(groups: GroupJudge, study: Study, found: list[Finding]) -> Iterator[Finding]:
    """The findings of a link, and those of its group that are reported there."""
    faults = groups.found_at(study, [finding.code for finding in found])
    for finding in found:
        if not (finding.code == IMPLAUSIBLE_DENSITY and groups.is_light(study)):
            yield finding
    for code, fault in faults:
        yield _finding_of(study.link, code, fault)


def _with_cause(
    explainer: Explainer, study: Study, findings: list[Finding], codes: frozenset[str]
) -> Iterator[Finding]:
    """The findings with the cause of a link's numbers, and the remedy for it."""
    whys: Mapping[str, Why] = explainer.whys(study.link, codes)
    for finding in findings:
        why = whys.get(finding.code)
        if why is not None and not (finding.is_fixable and RULE_OF_CODE[finding.code].fixer is Fixer.NUDGE):
            finding = finding._replace(advice=for_cause(study, finding.advice, why))
        yield finding._replace(why=why)


def _finding_of(link: Link, code: str, fault: Problem) -> Finding:
    place = fault.location or link.inertial_location()
    number = link.number
    numbers = link.written_numbers() if code in ABOUT_NUMBERS else None
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
    """The findings without those that others explain."""
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
    """The findings of a link, of those about the same numbers the most telling, which names the others.

    Those about the centre of mass have a cause of their own; rules selected by code are always reported.
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
    """Problems with the suppressions of a link.

    A rule that is off, or lacks a file, cannot show that a suppression is idle; rules run here as if selected by code,
    since some then check more closely.
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
        return not rule.finds(asked) and not asked.unjudged

    for fault in idle_suppressions(suppressions, code_of, is_idle):
        yield _finding_of(study.link, SUPPRESSION.code, fault)
