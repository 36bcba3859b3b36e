"""Findings and comparisons as lines of text."""

from __future__ import annotations

import os
import sys
import textwrap
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING

from sdfinertia.errors import counted, noted, one_line, printable, unicode_text
from sdfinertia.report import FindingsReport, missing_words
from sdfinertia.report.explanations import cause_words, fitted, short_cause
from sdfinertia.report.findings import (
    Entry,
    closing_lines,
    count_line,
    counting,
    effect_words,
    entries_of,
    fix_of,
    minor_line,
    reason_lines,
    what_to_do,
    what_words,
)
from sdfinertia.robot import LinkKey
from sdfinertia.robot.numbers import number, numbers
from sdfinertia.robot.problems import Command
from sdfinertia.rules import UNKNOWN_ELEMENT, rank_of
from sdfinertia.rules.remedies import is_repair
from sdfinertia.rules.rule import Finding

if TYPE_CHECKING:
    from sdfinertia.comparing.comparison import Comparison, LinkComparison

# Columns of a line, and the least that are left beside a long path.
_COLUMNS, _LEAST = 120, 60
# The least that a narrow terminal is taken to have.
_NARROWEST = 40
# Links that the summary names to be fixed first.
_MAX_FIRST = 5
# Links that `fill --missing` names, of more it takes all; and those that a command always names.
_MAX_JOINED, _MAX_SHOWN = 6, 3
# Files that one command names, and commands of one fix.
_MAX_FILES, _MAX_COMMANDS = 4, 3


def findings_text(report: FindingsReport) -> str:
    """Up to three lines an entry: place and what is wrong, why, and the fix; names may hold bytes that are not text.

    Entries of a file that have one fix stand together above it, at the place of the first.
    """
    lists_all = report.lists_all
    together: dict[Hashable, list[Entry]] = {}
    for entry in entries_of(report.findings if lists_all else counting(report.findings)):
        together.setdefault(entry.fix if entry.first.remedy else id(entry), []).append(entry)
    # A terminal may be wider, or COLUMNS say so.
    columns = max(_COLUMNS, _terminal_columns(_COLUMNS)) if together else 0
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
        lines += (f"  fix: {fix}" for fix in _fixes(entries, columns - len("  fix: "), lists_all=lists_all))
    return "".join(f"{line}\n" for line in lines)


def wrapped(text: str) -> str:
    """Lines that fit the terminal; as they are where standard output is none."""
    if sys.stdout is None or not sys.stdout.isatty():
        return text
    width = max(_NARROWEST, _terminal_columns(80))
    wrapper = textwrap.TextWrapper(width, subsequent_indent=" " * 6, break_long_words=False, break_on_hyphens=False)
    return "".join(f"{wrapper.fill(line)}\n" for line in text.splitlines())


def _terminal_columns(otherwise: int) -> int:
    import shutil

    return shutil.get_terminal_size((otherwise, 0)).columns


def _head(entry: Entry, columns: int, *, lists_all: bool) -> str:
    first = entry.first
    about = printable(f"{first.link}{entry.others}")
    head = f"{_place(first)} {first.code} {'(minor) ' if first.is_minor else ''}{f'{about}: ' if about else ''}"
    if lists_all:
        return head + what_words(first)
    return head + fitted(one_line(first.message), max(columns - len(head), _LEAST))


def _place(finding: Finding) -> str:
    return str(finding.location._replace(file=_path_from_here(finding.location.file)))


def _path_from_here(file: str) -> str:
    """The path as it is named, or relative to the working directory where it is an absolute path beneath it."""
    short = file.removeprefix(os.path.join(os.getcwd(), "")).removeprefix("./")
    return file if short.startswith("-") else short


def _details(entry: Entry) -> Iterator[str]:
    first, *others = entry.findings
    if first.also:
        yield f"  also: {', '.join(first.also)}"
    if words := effect_words(first):
        yield f"  effect: {words}"
    for each in others:
        fix = f"; {one_line(each.remedy)}" if isinstance(each.advice, str) and each.advice != first.advice else ""
        yield f"  also {each.location} {printable(each.link)}: {what_words(each)}{fix}"


def _fixes(entries: Sequence[Entry], room: int, *, lists_all: bool) -> Iterator[str]:
    advice = entries[0].first.advice
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
    for links, files in shown:
        file, *also = map(_path_from_here, files)
        command = advice._replace(links=links, file=file, also=tuple(also))
        if is_plain and also and (len(files) > _MAX_FILES or len(str(command)) > room):
            command = command._replace(file=_path_from_here(_directory_of(files)), also=())
        yield one_line(str(command) if lists_all else _short(command, room))
    if others := sum(len(files) for _, files in commands[len(shown) :]):
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


# The summary of findings ----------------------------------------------------------------------------------------------


def summary_of(report: FindingsReport, *, suggests: bool) -> Iterator[str]:
    """Notes, counts, and what was not fully checked; where they are suggested, what to fix first, and commands."""
    yield from (f"{path}: {noted(note)}" for path, note in report.notes)
    entries = entries_of(counting(report.findings)) if suggests else []
    yield from _fix_first(entries)
    ways = Counter(_verb(entry.first) for entry in entries)
    yours = ways.pop("", 0)
    told = [f"{ways[verb]:,}{'' if place else ' fixed'} by `{verb}`" for place, verb in enumerate(sorted(ways))]
    told += [f"{yours:,} need{'s' if yours == 1 else ''} you"] if yours else []
    yield count_line(report) + (f": {', '.join(told)}" if told else "")
    yield from filter(None, [minor_line(report.findings, lists_all=report.lists_all)])
    yield from closing_lines(report.unjudged, names_first=not report.lists_all)
    yield from filter(None, [missing_words(report.scenes)])
    if report.lists_all:
        yield from reason_lines(report.unjudged)


def fixed_lines(fixed: Sequence[Finding], fills: Counter[str]) -> Iterator[str]:
    if fixed:
        files = {finding.location.file for finding in fixed}
        yield f"fixed {counted(len(fixed), 'finding')} in {counted(len(files), 'file')}."
    if number := fills["default_densities"]:
        links = counted(number, "link")
        yield f"{links} filled at the default density, 1000 kg/m³; give <density> where that is wrong."


def uncounted_lines(known: int, suppressed: int) -> Iterator[str]:
    if known or suppressed:
        uncounted = [(known, "in the baseline"), (suppressed, "suppressed in the files")]
        yield "not counted: " + ", ".join(f"{number:,} {why}" for number, why in uncounted if number) + "."


def _verb(finding: Finding) -> str:
    command, _ = what_to_do(finding)
    return printable(" ".join(command.words)) if command is not None else ""


def _fix_first(entries: Sequence[Entry]) -> Iterator[str]:
    worst: dict[LinkKey, Finding] = {}
    for finding in sorted((entry.first for entry in entries), key=rank_of, reverse=True):
        # One command makes all fixes called safe; what another version of the format has harms no number.
        is_harmless = finding.code == UNKNOWN_ELEMENT and "did you mean" not in finding.remedy
        if finding.link and rank_of(finding) > 0.0 and fix_of(finding) != "safe" and not is_harmless:
            worst.setdefault(finding.key, finding)
    if len(worst) <= _MAX_FIRST:
        return
    yield "fix these first:"
    for finding in list(worst.values())[:_MAX_FIRST]:
        effect = f" ({words})" if (words := effect_words(finding)) else ""
        yield one_line(f"  {_place(finding)} {finding.code} {unicode_text(finding.link)}{effect}")


# Comparisons ----------------------------------------------------------------------------------------------------------

COMPARED = ("link", "mass ×", "centre mm", "moment ×", "axes °", "cause")
_ALONE = {"only_in_first": "only in the first", "only_in_second": "only in the second"}
# Names of links that a line lists; JSON has all.
_MAX_NAMES = 40


def comparison_text(comparisons: Sequence[Comparison]) -> str:
    return "\n".join(printable(line) for each in comparisons for line in _comparison_lines(each)) + "\n"


def _comparison_lines(comparison: Comparison) -> Iterator[str]:
    yield f"{comparison.first} and {comparison.second}"
    if comparison.differing:
        rows = [COMPARED, *(tuple(map(printable, comparison_cells(link))) for link in comparison.differing)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for link, *cells, cause in rows:
            aligned = (cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=False))
            yield f"  {'  '.join((link.ljust(widths[0]), *aligned))}  {cause}"
        yield from (f"  {link.name}: {why_words(link)}" for link in comparison.differing)
    yield from (f"  {line}" for line in links_alone(comparison))
    yield f"  {totals_words(comparison)}"
    yield from (f"  note: {note}" for note in comparison.notes)
    yield f"{comparison.closing}."


def comparison_cells(link: LinkComparison) -> tuple[str, ...]:
    apart = link.difference
    numbers = ("", "", "", "")
    if apart is not None:
        angle = "-" if apart.angle is None else f"{apart.angle:.3g}"
        numbers = (f"{apart.mass:.6g}", f"{1e3 * apart.centre:.4g}", f"{apart.moment:.4g}", angle)
    return link.name, *numbers, link.why.cause if link.why is not None else ""


def why_words(link: LinkComparison) -> str:
    """The explanation of the difference of a link, without a full stop."""
    why = link.why
    if why is None:
        return ""
    words = " - or ".join(dict.fromkeys(each.sentence for each in (why.likeliest, *why.reasons)))
    if why.geometry:
        words += f"; its geometry agrees with the {why.geometry}"
    return f"{words} (with {counted(len(link.fixed), 'link')} fixed to it)" if link.fixed else words


def links_alone(comparison: Comparison) -> Iterator[str]:
    for status, words in _ALONE.items():
        links = [link.name for link in comparison.unmatched if link.status == status]
        if links:
            more = f" and {len(links) - _MAX_NAMES:,} more" if len(links) > _MAX_NAMES else ""
            yield f"{words}: {', '.join(links[:_MAX_NAMES])}{more}"


def totals_words(comparison: Comparison) -> str:
    centres = (
        f" at {numbers(each.centre, size=1e-3)} m" if each.centre is not None else "" for each in comparison.totals
    )
    totals = (f"{number(each.mass)} kg{centre}" for each, centre in zip(comparison.totals, centres, strict=True))
    return f"total: {' and '.join(totals)}"
