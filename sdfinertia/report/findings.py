"""Findings in words, for all formats: what is wrong, why, and the fix; folded, counted, and as lines of text."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.documents.scene import missing_words
from sdfinertia.errors import Location, counted, first_few, noted, one_line, printable, unicode_text
from sdfinertia.files.walk import repository_of
from sdfinertia.report.explanations import cause_words, fitted, short_cause
from sdfinertia.robot.problems import Command
from sdfinertia.rules import RULE_OF_CODE, UNKNOWN_ELEMENT, rank_of
from sdfinertia.rules.remedies import is_repair
from sdfinertia.rules.rule import Finding, Fix, Fixer, Rule

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from sdfinertia.documents.checking import NotChecked
    from sdfinertia.links.study import Unjudged
    from sdfinertia.report import FindingsReport
    from sdfinertia.robot.link import LinkKey

# Columns of a line, and the least that are left beside a long path.
_COLUMNS, _LEAST = 120, 60
# Findings of a file that differ in names and numbers alone, and are reported one by one; more are one.
_MAX_ALIKE = 3
# Parts in which like findings may differ: names in quotation marks, paths of files, and numbers.
_OWN = re.compile(r"'[^']*'|(?<!\S)(?=[^\s:]*[/.])[^\s:]+(?=: )|[-+]?\d[\d.,]*(?:e[-+]?\d+)?")
# How many includes of a file are missing.
_INCLUDES = re.compile(r"^[\d,]+ includes? (?:is|are)")
# Links that the summary names to be fixed first.
_MAX_FIRST = 5
# Links that `fill --missing` names, of more it takes all; and those that a command always names.
_MAX_JOINED, _MAX_SHOWN = 6, 3
# Files that one command names, and commands of one fix.
_MAX_FILES, _MAX_COMMANDS = 4, 3


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


def is_fixed_by_fill(finding: Finding) -> bool:
    return finding.is_fixable and RULE_OF_CODE[finding.code].fixer is Fixer.FILL


def names_of(rules: Sequence[Rule]) -> dict[str, str]:
    return {rule.code: rule.name for rule in rules}


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
    words = [f"{percent(effect.share)} % of the mass"] if effect.share is not None else []
    words += [f"inertia {percent(effect.change)} % off"] if effect.change is not None else []
    return ", ".join(words)


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


def path_from_here(file: str) -> str:
    """The path as it is named, or relative to the working directory where it is an absolute path beneath it."""
    here = os.path.join(os.getcwd(), "")
    short = file.removeprefix(here).removeprefix("./")
    return file if short.startswith("-") else short


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
    copies: dict[int, tuple[Location, ...]] = {}
    for found in same.values():
        worst = min(found, key=lambda each: (each.is_minor, -rank_of(each)))
        others = {each.location.file: each.location for each in found if each.location.file != worst.location.file}
        kept = [each for each in found if each.location.file == worst.location.file]
        copies.update((id(each), tuple(others.values()) if each is worst else ()) for each in kept)
    kept = [each._replace(copies=copies[id(each)]) for each in findings if id(each) in copies]
    commands = {(each.location, each.link.partition("::")[2]): each.advice for each in findings}
    return [_for_copies(each, commands) if each.copies else each for each in kept]


def _for_copies(finding: Finding, commands: Mapping[tuple[Location, str], str | Command]) -> Finding:
    """The finding with a command for all its files."""
    advice, link = finding.advice, finding.link.partition("::")[2]
    if not isinstance(advice, Command):
        return finding
    others = (commands.get((place, link)) for place in finding.copies)
    alike = [each.file for each in others if isinstance(each, Command) and each._replace(file=advice.file) == advice]
    return finding._replace(advice=advice._replace(also=tuple(dict.fromkeys(alike))))


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
    same: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        numbers = finding.numbers if finding.numbers is not None else id(finding)
        same.setdefault((*_kind(finding), numbers), []).append(finding)
    alike: dict[Hashable, list[list[Finding]]] = {}
    for group in same.values():
        first = group[0]
        words = first.location.file, _OWN.sub("", first.message), first.numbers is None
        alike.setdefault((*_kind(first), *words), []).append(group)
    entries: list[Entry] = []
    for groups in alike.values():
        whole = [[each for group in groups for each in group]]
        entries += map(Entry, whole if len(groups) > _MAX_ALIKE else groups)
    order = {id(finding): number for number, finding in enumerate(findings)}
    return sorted(entries, key=lambda entry: order[id(entry.first)])


def _kind(finding: Finding) -> tuple[Hashable, ...]:
    best = finding.why.likeliest if finding.why is not None else None
    return finding.is_minor, finding.code, best.cause if best is not None else "", _way(finding)


def card_order(card: Sequence[Finding]) -> tuple[float, ...]:
    """The sorting key of a link by its findings: those that matter most first; if unknown, errors and heavy links."""
    shares = (each.effect.share or 0.0 for each in card if each.effect is not None)
    is_error = any(level_of(each.code) == "error" for each in card)
    return -max(map(rank_of, card)), -is_error, -max(shares, default=0.0), -len(card)


def count_line(findings: Sequence[Finding], checked: Sequence[str], not_checked: Sequence[NotChecked] = ()) -> str:
    """The count of entries, minor ones apart, and of files."""
    number = counted(len(set(checked)), "file")
    counts = counting(findings)
    if not counts:
        why = {each.why for each in not_checked}
        nothing = f"nothing checked: {why.pop()}" if len(why) == 1 else "nothing checked"
        return f"no findings ({number} checked)" if checked else nothing
    files = {finding.location.file for finding in counts}
    return f"{counted(len(entries_of(counts)), 'finding')} in {counted(len(files), 'file')} ({number} checked)"


def minor_line(findings: Sequence[Finding], *, lists_all: bool = False) -> str:
    minor = [finding for finding in findings if finding.is_minor]
    if not minor:
        return ""
    links = counted(len({finding.key for finding in minor}), "link")
    return f"{counted(len(minor), 'minor finding')} on {links}" + ("" if lists_all else ": -v lists them")


def not_checked_line(not_checked: Sequence[NotChecked], checked: Sequence[str], *, lists_all: bool = False) -> str:
    """The number of files that were not checked, of how many, why, and which; "" for none."""
    if not not_checked:
        return ""
    reasons = Counter(_INCLUDES.sub("includes are", each.why) for each in not_checked)
    why = ", ".join(f"{count:,}: {why}" if len(reasons) > 1 else why for why, count in sorted(reasons.items()))
    files = [each.path for each in not_checked]
    total = counted(len(files) + len(set(checked)), "file")
    return one_line(
        f"NOT CHECKED: {len(files):,} of {total} ({why}): {first_few(files, len(files) if lists_all else 3)}"
    )


def closing_lines(unjudged: Sequence[Unjudged], *, names_first: bool) -> Iterator[str]:
    """How many links were not fully checked, and the first reason if `names_first`."""
    missing = [reason for reason in unjudged if reason.uri]
    others = [reason for reason in unjudged if not reason.uri]
    for reasons, what in ((missing, "not checked against geometry, not found"), (others, "not fully checked")):
        if reasons:
            links = counted(len({(reason.location.file, reason.link) for reason in reasons}), "link")
            reported = list(dict.fromkeys(reason.uri or reason.problem for reason in reasons))
            yield one_line(f"{links} {what}" + (f": {first_few(reported, 1)} (details with -v)" if names_first else ""))


def reason_lines(unjudged: Sequence[Unjudged]) -> Iterator[str]:
    for reason in unjudged:
        yield f"{reason.location}: {reason_sentence(reason)}"


def reason_sentence(reason: Unjudged) -> str:
    remedy = f"; {reason.remedy}" if reason.remedy else ""
    return one_line(f"link {reason.link!r} not fully checked: {reason.problem}{remedy}")


# Lines of text --------------------------------------------------------------------------------------------------------


def findings_text(report: FindingsReport) -> str:
    """Up to three lines an entry: place and what is wrong, why, and the fix; names may hold bytes that are not text.

    Entries of a file that have one fix stand together above it, at the place of the first.
    """
    lists_all = report.lists_all
    together: dict[Hashable, list[Entry]] = {}
    for entry in entries_of(report.findings if lists_all else counting(report.findings)):
        together.setdefault(entry.fix if entry.first.remedy else id(entry), []).append(entry)
    # A terminal may be wider, or COLUMNS say so.
    columns = max(_COLUMNS, shutil.get_terminal_size((_COLUMNS, 0)).columns)
    explained: set[tuple[LinkKey, str]] = set()
    lines: list[str] = []
    for entries in together.values():
        for entry in entries:
            lines.append(_head(entry, columns, lists_all=lists_all))
            why = ""
            if (cause := entry.first.why) is not None:
                why = cause_words(cause) if lists_all else short_cause(cause, columns - len("  why: "))
            if why and (entry.first.key, why) not in explained:
                explained.add((entry.first.key, why))
                lines.append(f"  why: {why}")
            lines += _details(entry) if lists_all else ()
        lines += (f"  fix: {fix}" for fix in _fixes(entries, columns, lists_all=lists_all))
    return "".join(f"{line}\n" for line in lines)


def _head(entry: Entry, columns: int, *, lists_all: bool) -> str:
    first = entry.first
    about = printable(f"{first.link}{entry.others}")
    place = first.location._replace(file=path_from_here(first.location.file))
    head = f"{place} {first.code} {'(minor) ' if first.is_minor else ''}{f'{about}: ' if about else ''}"
    return head + (
        what_words(first) if lists_all else fitted(one_line(first.message), max(columns - len(head), _LEAST))
    )


def _details(entry: Entry) -> Iterator[str]:
    first, *others = entry.findings
    if first.also:
        yield f"  also: {', '.join(first.also)}"
    if words := effect_words(first):
        yield f"  effect: {words}"
    for each in others:
        fix = f"; {one_line(each.remedy)}" if isinstance(each.advice, str) and each.advice != first.advice else ""
        yield f"  also {each.location} {printable(each.link)}: {what_words(each)}{fix}"


def _fixes(entries: Sequence[Entry], columns: int, *, lists_all: bool) -> Iterator[str]:
    advice, room = entries[0].first.advice, columns - len("  fix: ")
    if not isinstance(advice, Command):
        if advice:
            # Blocks to paste are printed whole.
            is_whole = lists_all or ": <" in advice
            yield one_line(advice) if is_whole else fitted(one_line(advice), room)
        return
    links_of: dict[str, dict[str, None]] = {}
    for each in (finding.advice for entry in entries for finding in entry.findings):
        if isinstance(each, Command):
            for file in (each.file, *each.also):
                links_of.setdefault(file, {}).update(dict.fromkeys(each.links))
    # Without a name these do what the findings of the file advise, and no more.
    is_plain = is_repair(advice) or advice.words == ("sdfinertia", "fill")
    together: dict[tuple[str, ...], list[str]] = {}
    for file, names in links_of.items():
        is_all = is_plain or ("--missing" in advice.words and len(names) > _MAX_JOINED)
        together.setdefault(() if is_all else tuple(names), []).append(file)
    commands = list(together.items())
    shown = commands if lists_all else commands[:_MAX_COMMANDS]
    others = sum(len(files) for _, files in commands[len(shown) :])
    for links, files in shown:
        file, *also = map(path_from_here, files)
        command = advice._replace(links=links, file=file, also=tuple(also))
        if is_plain and also and (len(files) > _MAX_FILES or len(str(command)) > room):
            command = command._replace(file=path_from_here(_directory_of(files)), also=())
        yield one_line(str(command) if lists_all else _short(command, room))
    if others:
        yield f"and alike in {counted(others, 'more file')}"


def _directory_of(files: Sequence[str]) -> str:
    common = os.path.commonpath([os.path.abspath(os.path.dirname(file)) for file in files])
    return common if os.path.isabs(files[0]) else os.path.relpath(common)


def _short(command: Command, room: int) -> str:
    """A command, with as many of its links and files as fit; few links are named whatever their length."""
    # More than a room's characters never fit.
    links, also, text = min(len(command.links), room), min(len(command.also), room), str(command)
    least = links if links <= _MAX_SHOWN else 1
    while len(text) > room and (links > least or also):
        links, also = (links - 1, also) if links > least else (links, also - 1)
        more = [(len(command.links) - links, "more link"), (len(command.also) - also, "more file")]
        told = " and ".join(counted(number, what) for number, what in more if number)
        text = f"{command._replace(links=command.links[:links], also=command.also[:also])} (-v names {told})"
    return text


def summary_of(report: FindingsReport, *, suggests: bool) -> Iterator[str]:
    """Notes, counts, and what was not fully checked; commands where they are suggested."""
    yield from (f"{path}: {noted(note)}" for path, note in report.notes)
    findings, lists_all = report.findings, report.lists_all
    if suggests:
        yield from summary_lines(findings, report.checked, report.not_checked)
    else:
        yield count_line(findings, report.checked, report.not_checked)
    yield from filter(None, [minor_line(findings, lists_all=lists_all)])
    yield from closing_lines(report.unjudged, names_first=not lists_all)
    yield from filter(None, [missing_words(report.scenes)])
    if lists_all:
        yield from reason_lines(report.unjudged)


def summary_lines(
    findings: Sequence[Finding], checked: Sequence[str], not_checked: Sequence[NotChecked] = ()
) -> Iterator[str]:
    """The links to fix first, where they do not fit at a glance; the counts, and what fixes how many."""
    entries = entries_of(counting(findings))
    yield from _fix_first(entries)
    ways = Counter(_verb(entry.first) for entry in entries)
    told = [f"{ways[verb]:,} by `{verb}`" for verb in sorted(filter(None, ways))]
    told[:1] = [first.replace(" by ", " fixed by ", 1) for first in told[:1]]
    told += [f"{ways['']:,} need you"] if ways[""] > 1 else ["1 needs you"] if ways[""] else []
    yield count_line(findings, checked, not_checked) + (f": {', '.join(told)}" if told else "")


def _verb(finding: Finding) -> str:
    command, _ = what_to_do(finding)
    return printable(" ".join(command.words)) if command is not None else ""


def _fix_first(entries: Sequence[Entry]) -> Iterator[str]:
    worst: dict[LinkKey, Finding] = {}
    for entry in sorted(entries, key=lambda entry: rank_of(entry.first), reverse=True):
        finding = entry.first
        # One command makes all fixes called safe; what another version of the format has harms no number.
        is_harmless = finding.code == UNKNOWN_ELEMENT and "did you mean" not in finding.remedy
        if finding.link and rank_of(finding) > 0.0 and fix_of(finding) != "safe" and not is_harmless:
            worst.setdefault(finding.key, finding)
    if len(worst) <= _MAX_FIRST:
        return
    yield "fix these first:"
    for finding in list(worst.values())[:_MAX_FIRST]:
        words, place = effect_words(finding), finding.location._replace(file=path_from_here(finding.location.file))
        yield one_line(f"  {place} {finding.code} {unicode_text(finding.link)}{f' ({words})' if words else ''}")
