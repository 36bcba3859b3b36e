"""Findings, rules and causes in words, shared by all formats, and as lines of text."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from typing import TYPE_CHECKING

from sdfinertia.errors import Location, counted, first_few, one_line, printable, unicode_text
from sdfinertia.report.causes import UNSURE, likeliest, why_words
from sdfinertia.report.repository import words_in_repository
from sdfinertia.robot.problems import Command
from sdfinertia.rules.registry import MISSING, RULE_OF_CODE, rank_of
from sdfinertia.rules.remedies import is_repair
from sdfinertia.rules.rule import Finding, Fix, Fixer, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from sdfinertia.documents.checking import NotChecked
    from sdfinertia.links.study import Unjudged
    from sdfinertia.report.formats import FindingsReport
    from sdfinertia.robot.link import LinkKey

# Similar findings of a file that are listed one by one; more are one line.
_MAX_ALIKE = 6
# Parts in which like findings may differ: names in quotation marks, paths of files, and numbers.
_OWN = re.compile(r"'[^']*'|(?<!\S)(?=[^\s:]*[/.])[^\s:]+(?=: )|[-+]?\d[\d.,]*(?:e[-+]?\d+)?")


def level_of(code: str) -> str:
    return RULE_OF_CODE[code].level.value


def fix_of(finding: Finding) -> Fix:
    """The fix of a finding: `check --fix` applies safe ones, `repair` undoes certain causes."""
    if is_repaired(finding):
        return "repair"
    return RULE_OF_CODE[finding.code].fixer.fix if finding.is_fixable and finding.is_safe else "none"


def is_fixed_by_fill(finding: Finding) -> bool:
    return finding.is_fixable and RULE_OF_CODE[finding.code].fixer is Fixer.FILL


def _is_fixed_by_fill_missing(finding: Finding) -> bool:
    return is_fixed_by_fill(finding) or (finding.is_fixable and finding.code == MISSING)


def names_of(rules: Sequence[Rule]) -> dict[str, str]:
    return {rule.code: rule.name for rule in rules}


def count_line(findings: Sequence[Finding], checked: Sequence[str]) -> str:
    checked_files = f"{counted(len(set(checked)), 'file')} checked"
    if not findings and not checked:
        return "nothing checked"
    if not findings:
        return f"no findings ({checked_files})"
    files = {place.file for finding in findings for place in (finding.location, *finding.copies)}
    return f"{counted(len(findings), 'finding')} in {counted(len(files), 'file')} ({checked_files})"


def not_checked_line(not_checked: Sequence[NotChecked], checked: Sequence[str], *, lists_all: bool = False) -> str:
    """The number of files that were not checked, of how many, why, and which; "" for none."""
    if not not_checked:
        return ""
    reasons = Counter(each.why for each in not_checked)
    why = ", ".join(f"{count:,} {why}" if len(reasons) > 1 else why for why, count in sorted(reasons.items()))
    files = [each.path for each in not_checked]
    total = counted(len(files) + len(set(checked)), "file")
    return one_line(
        f"NOT CHECKED: {len(files):,} of {total} ({why}): {first_few(files, len(files) if lists_all else 3)}"
    )


def counting(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that are not minor."""
    return [finding for finding in findings if not finding.is_minor]


def folded(findings: Sequence[Finding]) -> list[Finding]:
    """The findings, of each block that several files have the one that matters most, with the places of the others."""
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
    return [each._replace(copies=copies[id(each)]) for each in findings if id(each) in copies]


def minor_line(findings: Sequence[Finding], *, lists_all: bool = False) -> str:
    """How many findings are minor; "" for none."""
    minor = [finding for finding in findings if finding.is_minor]
    if not minor:
        return ""
    links = counted(len({finding.key for finding in minor}), "link")
    return f"{counted(len(minor), 'minor finding')} on {links}" + ("" if lists_all else ": -v lists them")


def effect_words(finding: Finding) -> str:
    """The share of the mass, and the change of the inertia."""
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


def card_order(card: Sequence[Finding]) -> tuple[float, ...]:
    """The sorting key of a link by its findings: those that matter most first; if unknown, errors and heavy links."""
    shares = (each.effect.share or 0.0 for each in card if each.effect is not None)
    is_error = any(level_of(each.code) == "error" for each in card)
    return -max(map(rank_of, card)), -is_error, -max(shares, default=0.0), -len(card)


def sentence(finding: Finding, *, with_remedy: bool = True) -> str:
    link = f"link {unicode_text(finding.link)!r}: " if finding.link else ""
    remedy = f"; {finding.remedy}" if finding.remedy and with_remedy else ""
    return one_line(f"{link}{finding.message}{copies_words(finding)}{remedy}")


def sentence_in_repository(finding: Finding) -> str:
    """The finding on one line, with the path in the repository."""
    return sentence(finding._replace(advice=words_in_repository(finding.remedy, finding.location.file)))


def line_in_repository(finding: Finding) -> str:
    return unicode_text(f"{finding.code} {sentence_in_repository(finding)}")


def copies_words(finding: Finding) -> str:
    return f" (in {len(finding.copies) + 1:,} files)" if finding.copies else ""


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


# Lines ----------------------------------------------------------------------------------------------------------------


def findings_text(report: FindingsReport) -> str:
    """One line for each finding, in the given order; names may hold bytes that are not text.

    Below it, indented, its explanation, once for each link. Findings of a file that one command fixes stand together,
    at the place of the first, above that command.
    """
    findings = folded(report.findings)
    findings = findings if report.lists_all else counting(findings)
    alike = {} if report.lists_all else _alike(findings)
    shared = _shared_commands(findings)
    explained: set[tuple[object, str]] = set()
    lines: list[str] = []
    for finding, sharing in _together(findings, shared):
        like_it = alike.get(_kind(finding), ())
        lines += _lines(finding, like_it, with_remedy=not sharing)
        is_named = not like_it or finding is like_it[0]
        words = why_words(finding.why, lists_all=report.lists_all) if finding.why is not None and is_named else ""
        if words and (finding.key, words) not in explained:
            explained.add((finding.key, words))
            lines.append(f"    why: {words}{' (-v lists them)' if words == UNSURE else ''}\n")
        if report.lists_all:
            lines += (f"    also in {place}\n" for place in finding.copies)
        if sharing and finding is sharing[-1]:
            lines.append(f"    fix: {one_line(_joint_command(sharing))}\n")
    return "".join(lines)


def _together(
    findings: Sequence[Finding], shared: Mapping[tuple[str, Command] | None, Sequence[Finding]]
) -> Iterator[tuple[Finding, Sequence[Finding]]]:
    """The findings, each with those that its command fixes too."""
    for finding in findings:
        sharing = shared.get(_command_on_any(finding), ())
        if not sharing:
            yield finding, ()
        elif finding is sharing[0]:
            yield from ((each, sharing) for each in sharing)


def _kind(finding: Finding) -> tuple[object, ...]:
    """The key that similar findings share: the same message but for numbers, and the same likely cause."""
    best = likeliest(finding.why) if finding.why is not None else None
    return finding.location.file, finding.code, _OWN.sub("", finding.message), best.cause if best is not None else ""


def _alike(findings: Sequence[Finding]) -> dict[tuple[object, ...], list[Finding]]:
    kinds: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        kinds.setdefault(_kind(finding), []).append(finding)
    return {kind: found for kind, found in kinds.items() if len(found) > _MAX_ALIKE}


# Links that the summary names to be fixed first.
_MAX_FIRST = 5
# Links that one command names where it needs none.
_MAX_JOINED = 6


def what_to_do(finding: Finding) -> tuple[Command | None, str]:
    """The command that fixes a finding, and advice beyond it."""
    advice = finding.advice
    if not isinstance(advice, Command):
        return None, advice
    return advice._replace(does=""), advice.does


def _command_on_any(finding: Finding) -> tuple[str, Command] | None:
    """The file, and the command that fixes a finding there, whatever its links."""
    command, _ = what_to_do(finding)
    return (finding.location.file, command._replace(links=())) if command is not None else None


def _shared_commands(findings: Sequence[Finding]) -> dict[tuple[str, Command] | None, list[Finding]]:
    groups: dict[tuple[str, Command] | None, list[Finding]] = {}
    for finding in findings:
        if (key := _command_on_any(finding)) is not None:
            groups.setdefault(key, []).append(finding)
    return {key: found for key, found in groups.items() if len(found) > 1}


def _joint_command(findings: Sequence[Finding]) -> str:
    commands = [command for command, _ in map(what_to_do, findings) if command is not None]
    command = commands[0]
    links = tuple(dict.fromkeys(link for each in commands for link in each.links))
    # Without a name the command does what these findings advise, and no more.
    is_plain = len(links) > _MAX_JOINED and (_is_fixed_by_fill_missing(findings[0]) or is_repaired(findings[0]))
    return str(command._replace(links=() if is_plain else links))


def _lines(finding: Finding, alike: Sequence[Finding], *, with_remedy: bool) -> Iterator[str]:
    count = ""
    if alike:
        if finding is not alike[0]:
            return
        last = max(each.location.line for each in alike)
        count = f"({len(alike):,} findings like this, to line {last}; -v lists each) "
    count += "(minor) " if finding.is_minor else ""
    yield f"{finding.location}: {finding.code} {count}{sentence(finding, with_remedy=with_remedy)}\n"


def summary_lines(
    findings: Sequence[Finding], checked: Sequence[str], paths: Sequence[str], fill_hook: str | None = None
) -> str:
    """The counts, and the commands that apply the fixes; `fill_hook` in a hook of pre-commit."""
    once = folded(findings)
    lines = [*_fix_first(once), count_line(counting(once), checked)]
    left = [finding for finding in findings if not (fill_hook and is_fixed_by_fill(finding))]
    if len(left) < len(findings):
        lines.append(f"fix {_which(len(findings) - len(left), findings)} with: {fill_hook}")
    fixes = Counter(map(fix_of, left))
    if fixes["safe"]:
        lines.append(_command_line(counted(fixes["safe"], "safe fix", "safe fixes"), "check", "--fix", paths))
    if others := sum(fix_of(finding) == "none" and _is_fixed_by_fill_missing(finding) for finding in left):
        what = f"{counted(others, 'finding')} not fixed by --fix"
        lines.append(_command_line(what, "fill", "--missing", paths))
    certain = {finding.key for finding in findings if is_repaired(finding)}
    if certain:
        lines.append(_command_line(counted(len(certain), "safe repair"), "repair", "--diff", paths))
    return "\n".join(lines) + "\n"


def _fix_first(findings: Sequence[Finding]) -> Iterator[str]:
    """The links that matter most, where there are more than fit at a glance."""
    worst: dict[LinkKey, Finding] = {}
    for finding in sorted(counting(findings), key=rank_of, reverse=True):
        # One command makes all safe fixes.
        if finding.link and rank_of(finding) > 0.0 and fix_of(finding) != "safe":
            worst.setdefault(finding.key, finding)
    if len(worst) <= _MAX_FIRST:
        return
    yield "fix these first:"
    for finding in list(worst.values())[:_MAX_FIRST]:
        words = effect_words(finding)
        what = f"  {finding.location}: {finding.code} {unicode_text(finding.link)}" + (f" ({words})" if words else "")
        yield one_line(f"{what}: {finding.remedy}" if finding.remedy else what)


def _command_line(what: str, command: str, option: str, paths: Sequence[str]) -> str:

    # A name with a dash in front would be an option.
    ending = ["--", *paths] if any(path.startswith("-") and path != "-" for path in paths) else paths
    return printable(f"{what}: run {shlex.join(['sdfinertia', command, option, *ending])}")


def is_repaired(finding: Finding) -> bool:
    """Whether `repair` undoes its explanation."""
    return is_repair(finding.advice)


def _which(fixed: int, findings: Sequence[Finding]) -> str:
    return "it" if len(findings) == 1 else "all" if fixed == len(findings) else f"{fixed:,} of them"
