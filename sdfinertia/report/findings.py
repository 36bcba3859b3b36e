"""Findings in words, for all formats: what is wrong, why, and the fix; folded, in their order, and counted."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

from sdfinertia.errors import Location, counted, first_few, one_line, printable, unicode_text
from sdfinertia.files.walk import repository_of
from sdfinertia.links import Unjudged
from sdfinertia.report import FindingsReport
from sdfinertia.report.explanations import cause_words
from sdfinertia.robot.problems import Command
from sdfinertia.rules import RULE_OF_CODE, rank_of
from sdfinertia.rules.remedies import is_repair
from sdfinertia.rules.rule import Finding, Fix

# Findings of a file that differ in names and numbers alone, and are reported one by one; more are one.
_MAX_ALIKE = 3
# Parts in which like findings may differ: names in quotation marks, paths of files, and numbers.
_OWN = re.compile(r"'[^']*'|(?<!\S)(?=[^\s:]*[/.])[^\s:]+(?=: )|[-+]?\d[\d.,]*(?:e[-+]?\d+)?")
# How many includes of a file are missing.
_INCLUDES = re.compile(r"^[\d,]+ includes? (?:is|are)")


# One finding ----------------------------------------------------------------------------------------------------------


class Parts(NamedTuple):
    """A finding in words: what is wrong; why, where that is likely enough; and how it is fixed. "" for none."""

    what: str
    why: str
    fix: str


def parts_of(finding: Finding) -> Parts:
    why = finding.why if finding.why is not None and finding.why.likeliest is not None else None
    return Parts(what_words(finding), cause_words(why) if why is not None else "", one_line(finding.remedy))


def what_words(finding: Finding) -> str:
    return one_line(f"{finding.message}{finding.trace}")


def level_of(code: str) -> str:
    return RULE_OF_CODE[code].level.value


def fix_of(finding: Finding) -> Fix:
    """The fix of a finding: `check --fix` applies those called safe, `repair` undoes certain causes."""
    if is_repair(finding.advice):
        return "repair"
    return RULE_OF_CODE[finding.code].fixer.fix if finding.is_fixable else "none"


def what_to_do(finding: Finding) -> tuple[Command | None, str]:
    """The command that fixes a finding, and advice beyond it."""
    advice = finding.advice
    if not isinstance(advice, Command):
        return None, advice
    return advice._replace(does=""), advice.does


def lines_of(finding: Finding) -> list[str]:
    """The parts of a finding, each on a line, with the file as it is named in its repository."""
    what, why, fix = parts_of(finding)
    link = f"{printable(unicode_text(finding.link))}: " if finding.link else ""
    fix = words_in_repository(fix, finding.location.file)
    lines = [f"{link}{what}{copies_words(finding)}", f"why: {why}" if why else "", f"fix: {fix}" if fix else ""]
    return [unicode_text(line) for line in lines if line]


def line_of(finding: Finding) -> str:
    return f"{finding.code} {'; '.join(lines_of(finding))}"


def copies_words(finding: Finding) -> str:
    return f" (in {len(finding.copies) + 1:,} files)" if finding.copies else ""


def effect_words(finding: Finding) -> str:
    effect = finding.effect
    if effect is None:
        return ""
    share = f"{percent(effect.share)} % of the mass" if effect.share is not None else ""
    change = f"inertia {percent(effect.change)} % off" if effect.change is not None else ""
    return ", ".join(filter(None, (share, change)))


def percent(part: float) -> str:
    """A share in per cent, without the sign; tiny ones as an upper bound."""
    if 0.0 < part < 1e-4:
        return "< 0.01"
    return f"{100.0 * part:.2g}" if part < 0.995 else "100"


# Places, as services name them ----------------------------------------------------------------------------------------


def path_in_repository(file: str) -> str:
    """The path relative to the root of the repository that a file is in, with slashes; as it is named without one."""
    root = repository_of(os.path.dirname(os.path.abspath(file))) if os.path.lexists(file) else None
    path = os.path.relpath(os.path.abspath(file), root) if root is not None else file
    return os.path.normpath(path).replace(os.sep, "/")


def place_in_repository(location: Location) -> str:
    return f"{printable(path_in_repository(location.file))}:{location.line}:{location.column}"


def words_in_repository(text: str, file: str) -> str:
    """The text with a file as it is named in its repository, where the text has its absolute path."""
    return text.replace(file, path_in_repository(file)) if os.path.isabs(file) else text


def printed(text: str) -> str:
    """Text on one line, of characters that UTF-8 and XML 1.0 allow."""
    return unicode_text(printable(text))


# Many findings --------------------------------------------------------------------------------------------------------


def counting(findings: Iterable[Finding]) -> list[Finding]:
    return [finding for finding in findings if not finding.is_minor]


def folded(findings: Sequence[Finding]) -> list[Finding]:
    """Of each block that several files have the finding that matters most, with the places of the others."""
    same: dict[object, list[Finding]] = {}
    for finding in findings:
        kind: object = id(finding)
        if finding.numbers is not None:
            link = finding.link.partition("::")[2]
            kind = finding.code, link, finding.number, finding.numbers, finding.message
        same.setdefault(kind, []).append(finding)
    kept: dict[int, Finding] = {}
    for found in same.values():
        worst = min(found, key=lambda each: (each.is_minor, -rank_of(each)))
        kept.update((id(each), each) for each in found if each.location.file == worst.location.file)
        others = {each.location.file: each for each in found if each.location.file != worst.location.file}
        kept[id(worst)] = _with_copies(worst, list(others.values()))
    return [kept[id(each)] for each in findings if id(each) in kept]


def _with_copies(finding: Finding, others: Sequence[Finding]) -> Finding:
    """The finding with the places of others, and a command for all their files."""
    advice = finding.advice
    if isinstance(advice, Command) and others:
        commands = (each.advice for each in others if isinstance(each.advice, Command))
        alike = [each.file for each in commands if each._replace(file=advice.file) == advice]
        advice = advice._replace(also=tuple(dict.fromkeys(alike)))
    return finding._replace(copies=tuple(each.location for each in others), advice=advice)


class Entry(NamedTuple):
    """Findings that are reported as one: with the same rule, fix and numbers, or alike in one file."""

    findings: Sequence[Finding]

    @property
    def first(self) -> Finding:
        return self.findings[0]

    @property
    def others(self) -> str:
        """How many more links there are, and files."""
        links, files = len({each.key for each in self.findings}), len({each.location.file for each in self.findings})
        words = f" and {counted(links - 1, 'more link')}" if links > 1 else ""
        return words + (f" in {counted(files, 'file')}" if files > 1 else "")

    @property
    def fix(self) -> tuple[str, Hashable]:
        """By which entries of a file that one command fixes stand together."""
        return self.first.location.file, _way(self.first)


def _way(finding: Finding) -> Hashable:
    advice = finding.advice
    return advice._replace(links=(), file="", also=()) if isinstance(advice, Command) else _OWN.sub("", advice)


def entries_of(findings: Sequence[Finding]) -> list[Entry]:
    same: dict[tuple[Hashable, Hashable], list[Finding]] = {}
    for finding in findings:
        best = finding.why.likeliest if finding.why is not None else None
        kind: Hashable = finding.is_minor, finding.code, best.cause if best is not None else "", _way(finding)
        same.setdefault((kind, id(finding) if finding.numbers is None else finding.numbers), []).append(finding)
    alike: dict[Hashable, list[list[Finding]]] = {}
    for (kind, _), group in same.items():
        first = group[0]
        words = first.location.file, _OWN.sub("", first.message), first.numbers is None
        alike.setdefault((kind, words), []).append(group)
    entries: list[Entry] = []
    for groups in alike.values():
        whole = [[each for group in groups for each in group]]
        entries += map(Entry, whole if len(groups) > _MAX_ALIKE else groups)
    order = {id(finding): number for number, finding in enumerate(findings)}
    return sorted(entries, key=lambda entry: order[id(entry.first)])


def card_order(card: Sequence[Finding]) -> tuple[float, ...]:
    """The sorting key of a link by its findings: those that matter most first; if unknown, errors and heavy links."""
    shares = (each.effect.share or 0.0 for each in card if each.effect is not None)
    is_error = any(level_of(each.code) == "error" for each in card)
    return -max(map(rank_of, card)), -is_error, -max(shares, default=0.0), -len(card)


def count_line(report: FindingsReport) -> str:
    """The count of entries, minor ones apart, and of files."""
    number = counted(len(set(report.checked)), "file")
    counts = counting(report.findings)
    if counts:
        files = counted(len({finding.location.file for finding in counts}), "file")
        return f"{counted(len(entries_of(counts)), 'finding')} in {files} ({number} checked)"
    if report.checked:
        return f"no findings ({number} checked)"
    why = {each.why for each in report.not_checked}
    return f"nothing checked: {why.pop()}" if len(why) == 1 else "nothing checked"


def minor_line(findings: Sequence[Finding], *, lists_all: bool = False) -> str:
    minor = [finding for finding in findings if finding.is_minor]
    if not minor:
        return ""
    links = counted(len({finding.key for finding in minor}), "link")
    return f"{counted(len(minor), 'minor finding')} on {links}" + ("" if lists_all else ": -v lists them")


def not_checked_line(report: FindingsReport, *, lists_all: bool = True) -> str:
    """The number of files that were not checked, of how many, why, and which; "" for none."""
    files = [each.path for each in report.not_checked]
    if not files:
        return ""
    reasons = Counter(_INCLUDES.sub("includes are", each.why) for each in report.not_checked)
    why = ", ".join(f"{count:,}: {why}" if len(reasons) > 1 else why for why, count in sorted(reasons.items()))
    total = counted(len(files) + len(set(report.checked)), "file")
    return one_line(
        f"NOT CHECKED: {len(files):,} of {total} ({why}): {first_few(files, len(files) if lists_all else 3)}"
    )


def closing_lines(unjudged: Sequence[Unjudged], *, names_first: bool) -> Iterator[str]:
    """How many links were not fully checked, and the first reason if `names_first`."""
    for is_missing, what in ((True, "not checked against geometry, not found"), (False, "not fully checked")):
        if reasons := [reason for reason in unjudged if bool(reason.uri) is is_missing]:
            links = counted(len({(reason.location.file, reason.link) for reason in reasons}), "link")
            reported = list(dict.fromkeys(reason.uri or reason.problem for reason in reasons))
            yield one_line(f"{links} {what}" + (f": {first_few(reported, 1)} (details with -v)" if names_first else ""))


def reason_lines(unjudged: Sequence[Unjudged]) -> Iterator[str]:
    for reason in unjudged:
        yield f"{reason.location}: {reason_sentence(reason)}"


def reason_sentence(reason: Unjudged) -> str:
    remedy = f"; {reason.remedy}" if reason.remedy else ""
    return one_line(f"link {reason.link!r} not fully checked: {reason.problem}{remedy}")
