"""Findings as lines for people and editors: file:line:column, code, message, remedy."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence

from sdfinertia.errors import printable
from sdfinertia.report.contents import FindingsReport
from sdfinertia.report.findings.wording import Fix, count_line, counted, fix_of, is_mended_by_fill, sentence
from sdfinertia.rules.registry import RULE_OF_CODE
from sdfinertia.rules.rule import Finding

# As many findings of a file that are alike are told one by one; more are one line.
_MOST_ALIKE = 6
# What findings that are alike may differ in: names in quotation marks, paths of files, and numbers.
_OWN = re.compile(r"'[^']*'|(?<!\S)(?=[^\s:]*/)[^\s:]+(?=: )|[-+]?\d[\d.,]*(?:e[-+]?\d+)?")


def render(report: FindingsReport) -> str:
    """See `finding_lines`."""
    return finding_lines(report.findings, tells_each=report.tells_each)


def finding_lines(findings: Sequence[Finding], *, tells_each: bool = False) -> str:
    """One line for each finding, in the order given; nothing for none. Bytes of names that are no text stay.

    Below it, indented, what explains it, if that was asked for; once a link, where it explains several findings.

    Args:
        tells_each: whether seven or more findings of a file that say the same of other links, in other numbers, are
            told one by one too, and not as the first of them with their count.
    """
    alike = {} if tells_each else _alike(findings)
    told: set[tuple[str, str, str]] = set()
    lines: list[str] = []
    for finding in findings:
        lines += _lines(finding, alike.get(_kind(finding), ()))
        if finding.why is not None:
            # Loaded where something is explained.
            from sdfinertia.report.findings.causes import why_words

            words = why_words(finding.why, tells_each=tells_each)
            # What explains several findings of a link stands below the first.
            if (finding.location.file, finding.link, words) not in told:
                told.add((finding.location.file, finding.link, words))
                lines.append(f"    why: {words}\n")
    return "".join(lines)


def _kind(finding: Finding) -> tuple[object, ...]:
    """What findings that are alike have in common; one that is explained is like no other."""
    own = finding if finding.why is not None else None
    return finding.location.file, finding.code, _OWN.sub("", finding.message), own


def _alike(findings: Sequence[Finding]) -> dict[tuple[object, ...], list[Finding]]:
    """The findings that are told as one, by their kind."""
    kinds: dict[tuple[object, ...], list[Finding]] = {}
    for finding in findings:
        if finding.why is None:
            kinds.setdefault(_kind(finding), []).append(finding)
    return {kind: found for kind, found in kinds.items() if len(found) > _MOST_ALIKE}


def _lines(finding: Finding, alike: Sequence[Finding]) -> Iterator[str]:
    count = ""
    if alike:
        if finding is not alike[0]:
            return
        count = f"({len(alike):,} such findings down to line {alike[-1].location.line}, -v tells each) "
    yield f"{finding.location}: {finding.code} {count}{sentence(finding)}\n"


def summary_lines(
    findings: Sequence[Finding], checked: Sequence[str], paths: Sequence[str], fill_hook: str | None = None
) -> str:
    """The counts, how many fixes are safe and how many are not, and the commands that apply them.

    Args:
        findings: of the run.
        checked: every file that was looked at.
        paths: what the user named on the command line.
        fill_hook: the command that runs the hook of pre-commit that fills, in a hook.
    """
    lines = [count_line(findings, checked)]
    left = [finding for finding in findings if not (fill_hook and is_mended_by_fill(finding))]
    if len(left) < len(findings):
        lines.append(f"mend {_which(len(findings) - len(left), findings)}: {fill_hook}")
    fixes = Counter(map(fix_of, left))
    if fixes["safe"]:
        lines.append(_fix_line(counted(fixes["safe"], "safe fix", "safe fixes"), "--fix", paths))
    if fixes["unsafe"]:
        what = counted(fixes["unsafe"], "unsafe fix", "unsafe fixes")
        lines.append(_fix_line(f"{what}, which --fix leaves out", "--unsafe-fixes", paths))
    certain = {finding.key for finding in findings if _is_repaired(finding)}
    if certain:
        command = shlex.join(["sdfinertia", "repair", "--diff", *_after_options(paths)])
        lines.append(printable(f"certain of {counted(len(certain), 'link')}: {command}"))
    return "\n".join(lines) + "\n"


def _fix_line(what: str, option: str, paths: Sequence[str]) -> str:
    return printable(f"{what}: {shlex.join(['sdfinertia', 'check', option, *_after_options(paths)])}")


def statistics_lines(findings: Sequence[Finding]) -> str:
    """One line for each rule that found something, the commonest first: how often, its code and name, what mends it."""
    counts = Counter(finding.code for finding in findings)
    fixes = Counter((finding.code, fix_of(finding)) for finding in findings)
    ordered = sorted(counts.items(), key=lambda counted: (-counted[1], counted[0]))
    width = max((len(f"{count:,}") for count in counts.values()), default=0)
    return "".join(f"{count:>{width},}  {code}  {_name(code, fixes)}\n" for code, count in ordered)


def _name(code: str, fixes: Counter[tuple[str, Fix]]) -> str:
    safe, unsafe = fixes[code, "safe"], fixes[code, "unsafe"]
    mended = [(safe, "--fix"), (unsafe, "--unsafe-fixes")]
    words = ", ".join(f"{count:,} mended by {option}" for count, option in mended if count)
    return RULE_OF_CODE[code].name + (f" ({words})" if words else "")


def _is_repaired(finding: Finding) -> bool:
    """Whether `repair` undoes what explains it."""
    return finding.can_mend and finding.why is not None and not finding.why.obstacle


def _after_options(paths: Sequence[str]) -> Sequence[str]:
    """Paths as arguments: a name with a dash in front would be an option."""
    return ["--", *paths] if any(path.startswith("-") and path != "-" for path in paths) else paths


def _which(mended: int, findings: Sequence[Finding]) -> str:
    return "it" if len(findings) == 1 else "them all" if mended == len(findings) else f"{mended:,} of them"
