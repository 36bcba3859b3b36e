"""Findings, rules and causes in words: what every format of findings shares, and the lines for people and editors."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from sdfinertia.errors import one_line, printable, unicode_text
from sdfinertia.report.wording import counted
from sdfinertia.robot.values import TENSOR_NAMES
from sdfinertia.rules.facts import Unjudged
from sdfinertia.rules.registry import RULE_OF_CODE, RULES, code_of
from sdfinertia.rules.rule import Finding, Fixer, Rule

if TYPE_CHECKING:
    from sdfinertia.causes.case import Explanation, WrittenBlock
    from sdfinertia.report.formats import FindingsReport
    from sdfinertia.rules.rule import Why

# Where the project is published, without a slash at the end: the one place that knows. None until there is such an
# address: nothing then names one, rather than one where nothing is. The repository's stands in pyproject.toml too.
REPOSITORY: str | None = None
DOCUMENTATION: str | None = None

Fix = Literal["safe", "unsafe", "none"]

# As many findings of a file that are alike are told one by one; more are one line.
_MOST_ALIKE = 6
# What findings that are alike may differ in: names in quotation marks, paths of files, and numbers.
_OWN = re.compile(r"'[^']*'|(?<!\S)(?=[^\s:]*/)[^\s:]+(?=: )|[-+]?\d[\d.,]*(?:e[-+]?\d+)?")
# As a part of a number: one that is proposed and differs by less is the one that stands there.
_SAME = 1e-9
# Entries that are named one by one; more are named together.
_MOST_NAMED = 3


# Rules ----------------------------------------------------------------------------------------------------------------


def rule_address(code: str) -> str | None:
    """Where a rule is explained, on a page of its own; None where nothing is published."""
    return f"{DOCUMENTATION}/reference/rules/{code}.html" if DOCUMENTATION is not None else None


def fix_of_rule(rule: Rule) -> Fix:
    """Which fix the findings of a rule have, where nothing stands in its way."""
    if rule.fixer is Fixer.NONE:
        return "none"
    return "safe" if rule.fixer.is_safe else "unsafe"


def rule_table() -> str:
    """One line a rule: code, name, whether it is on by default, what it finds."""
    width = max(len(rule.name) for rule in RULES)
    return "\n".join(
        f"{rule.code}  {rule.name:<{width}}  {'on ' if rule.is_default else 'off'}  {rule.what}" for rule in RULES
    )


def fix_words(rule: Rule) -> str:
    """Which option of `check` fixes the findings of a rule, whether that is safe, and how."""
    fix = fix_of_rule(rule)
    if fix == "none":
        return f"none: `check` {rule.fixer.value}"
    return f"{fix}: `check {'--fix' if fix == 'safe' else '--unsafe-fixes'}` {rule.fixer.value}"


def explanation(word: str) -> str:
    """What is to be said of the rule that has a code or a name, in letters of any size.

    Raises:
        LookupError: there is no such rule.
    """
    code = code_of(word.upper()) or code_of(word.lower())
    if code is None:
        raise LookupError(word)
    rule = RULE_OF_CODE[code]
    default = "on" if rule.is_default else f"off, turned on by --select {code}"
    address = rule_address(code)
    return (
        f"{code} {rule.name} ({default})\n\n{rule.what}\n\nWhy it is bad: {rule.why}\n"
        f"Example: {rule.example}\nWhat to do: {rule.fix}\nFix: {fix_words(rule)}"
        + (f"\nMore: {address}" if address is not None else "")
    )


# What every format says of findings -----------------------------------------------------------------------------------


def level_of(code: str) -> str:
    """How grave the findings of a rule are: `error` or `warning`."""
    return RULE_OF_CODE[code].level.value


def fix_of(finding: Finding) -> Fix:
    """Which fix it has: `--fix` applies those that are safe, `--unsafe-fixes` all."""
    if not finding.is_fixable:
        return "none"
    fix = fix_of_rule(RULE_OF_CODE[finding.code])
    return fix if finding.is_safe or fix == "none" else "unsafe"


def is_mendable(finding: Finding) -> bool:
    """Whether `check --unsafe-fixes` mends it."""
    return fix_of(finding) != "none"


def is_mended_by_fill(finding: Finding) -> bool:
    """Whether `fill` mends it, without further options."""
    return finding.is_fixable and RULE_OF_CODE[finding.code].fixer is Fixer.FILL


def names_of(rules: Sequence[Rule]) -> dict[str, str]:
    """The names of the rules by their codes."""
    return {rule.code: rule.name for rule in rules}


def count_line(findings: Sequence[Finding], checked: Sequence[str]) -> str:
    """How many findings there are, in how many files, and how many files were looked at."""
    looked_at = f"{counted(len(set(checked)), 'file')} checked"
    if not findings:
        return f"no findings ({looked_at})"
    files = {finding.location.file for finding in findings}
    return f"{counted(len(findings), 'finding')} in {counted(len(files), 'file')} ({looked_at})"


def sentence(finding: Finding) -> str:
    """The finding on one line, without its place and code: its link, what is wrong, and what to do."""
    link = f"link {unicode_text(finding.link)!r}: " if finding.link else ""
    remedy = f"; {finding.remedy}" if finding.remedy else ""
    return one_line(f"{link}{finding.message}{remedy}")


def closing_lines(unjudged: Sequence[Unjudged], *, names_first: bool) -> Iterator[str]:
    """How many links could not be judged and why; nothing where all were.

    Args:
        names_first: whether the first reason is named, for whoever does not list them all.
    """
    missing = [reason for reason in unjudged if reason.uri]
    others = [reason for reason in unjudged if not reason.uri]
    for reasons, noun, why in ((missing, "hand-written link", ": geometry not found"), (others, "link", " fully")):
        if reasons:
            links = len({(reason.location.file, reason.link) for reason in reasons})
            first = f" (first: {reasons[0].uri or reasons[0].problem}; all with -v)" if names_first else ""
            yield one_line(f"{counted(links, noun)} could not be judged{why}{first}")


def reason_lines(unjudged: Sequence[Unjudged]) -> Iterator[str]:
    """One line for each reason: the place, the link, what is wrong, and what to do."""
    for reason in unjudged:
        yield f"{reason.location}: {reason_sentence(reason)}"


def reason_sentence(reason: Unjudged) -> str:
    """The reason on one line, without its place."""
    remedy = f"; {reason.remedy}" if reason.remedy else ""
    return one_line(f"link {reason.link!r} could not be judged: {reason.problem}{remedy}")


# Lines ----------------------------------------------------------------------------------------------------------------


def findings_text(report: FindingsReport) -> str:
    """One line for each finding, in the order given; nothing for none. Bytes of names that are no text stay.

    Below it, indented, what explains it, if that was asked for; once a link, where it explains several.

    Findings of a file that say the same of many links are
    told as the first of them with their count, if not one by one.
    """
    alike = {} if report.tells_each else _alike(report.findings)
    told: set[tuple[object, str]] = set()
    lines: list[str] = []
    for finding in report.findings:
        lines += _lines(finding, alike.get(_kind(finding), ()))
        words = why_words(finding.why, tells_each=report.tells_each) if finding.why is not None else ""
        if words and (finding.key, words) not in told:
            told.add((finding.key, words))
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
        paths: what the user named on the command line.
        fill_hook: the command that runs the hook of pre-commit that fills, in a hook.
    """
    lines = [count_line(findings, checked)]
    left = [finding for finding in findings if not (fill_hook and is_mended_by_fill(finding))]
    if len(left) < len(findings):
        lines.append(f"mend {_which(len(findings) - len(left), findings)}: {fill_hook}")
    fixes = Counter(map(fix_of, left))
    if fixes["safe"]:
        lines.append(_command_line(counted(fixes["safe"], "safe fix", "safe fixes"), "check", "--fix", paths))
    if fixes["unsafe"]:
        what = counted(fixes["unsafe"], "unsafe fix", "unsafe fixes")
        lines.append(_command_line(f"{what}, which --fix leaves out", "check", "--unsafe-fixes", paths))
    certain = {finding.key for finding in findings if is_repaired(finding)}
    if certain:
        lines.append(_command_line(f"certain of {counted(len(certain), 'link')}", "repair", "--diff", paths))
    return "\n".join(lines) + "\n"


def _command_line(what: str, command: str, option: str, paths: Sequence[str]) -> str:
    # A name with a dash in front would be an option.
    ending = ["--", *paths] if any(path.startswith("-") and path != "-" for path in paths) else paths
    return printable(f"{what}: {shlex.join(['sdfinertia', command, option, *ending])}")


def is_repaired(finding: Finding) -> bool:
    """Whether `repair` undoes what explains it."""
    return finding.is_fixable and finding.why is not None and not finding.why.obstacle


def _which(mended: int, findings: Sequence[Finding]) -> str:
    return "it" if len(findings) == 1 else "them all" if mended == len(findings) else f"{mended:,} of them"


def statistics_lines(findings: Sequence[Finding]) -> str:
    """One line for each rule that found something, the commonest first: how often, its code and name, what mends it."""
    counts = Counter(finding.code for finding in findings)
    fixes = Counter((finding.code, fix_of(finding)) for finding in findings)
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    width = max((len(f"{count:,}") for count in counts.values()), default=0)
    return "".join(f"{count:>{width},}  {code}  {_name(code, fixes)}\n" for code, count in ordered)


def _name(code: str, fixes: Counter[tuple[str, Fix]]) -> str:
    mended = [(fixes[code, "safe"], "--fix"), (fixes[code, "unsafe"], "--unsafe-fixes")]
    words = ", ".join(f"{count:,} mended by {option}" for count, option in mended if count)
    return RULE_OF_CODE[code].name + (f" ({words})" if words else "")


# Causes ---------------------------------------------------------------------------------------------------------------

UNSURE = "unknown: several mistakes explain these numbers, and none is likelier than not (-v names them)"
# The share below which a cause is no reason.
LIKELY = 0.5


def likeliest(why: Why) -> Explanation | None:
    """What explains the numbers of a link, likelier than not; None where nothing does."""
    best = why.explanations[0] if why.explanations else None
    return best if best is not None and best.share >= LIKELY else None


def why_words(why: Why, *, tells_each: bool = False) -> str:
    """What explains the numbers of a link, on one line: cause, how sure it is, what shows it, what would undo it.

    Args:
        tells_each: whether a cause is named that is less likely than not.
    """
    if not why.explanations:
        return why.unexplained
    best = why.explanations[0]
    if best.share < LIKELY and not tells_each:
        return UNSURE
    words = f"{best.cause} ({sureness(best)}): {best.sentence}"
    proposed = proposal_words(why.written, best)
    return one_line(f"{words}; {proposed}" if proposed else words)


def sureness(explanation: Explanation) -> str:
    """How sure an explanation is: certain, or its share in per cent."""
    return "certain" if explanation.is_certain else f"{min(99, round(100 * explanation.share))} %"


def proposal_words(written: WrittenBlock, explanation: Explanation) -> str:
    """What would undo a mistake: the numbers that change, or what is left of one that is lost; "" for neither."""
    if explanation.proposal is None:
        if explanation.interval is None:
            return ""
        entry, low, high = explanation.interval
        return f"{entry} is lost, and between {low:.4g} and {high:.4g}"
    return changes(written, explanation.proposal)


def changes(written: WrittenBlock, proposal: WrittenBlock) -> str:
    """The numbers that differ between two blocks, each as `izz 1676359E-6 → 1676.359E-6`."""
    return "; ".join(_changes(written, proposal))


def _changes(written: WrittenBlock, proposal: WrittenBlock) -> Iterator[str]:
    if not _are_same(written.mass, proposal.mass):
        yield f"mass {_shown(written.mass_text, written.mass)} → {_shown(proposal.mass_text, proposal.mass)}"
    if not all(map(_are_same, written.centre, proposal.centre)):
        before, after = (" ".join(f"{value:.6g}" for value in block.centre) for block in (written, proposal))
        yield f"centre {before} → {after}"
    if written.rotation != proposal.rotation:
        yield "its axes turned"
    differing = [
        name for name in TENSOR_NAMES if not _are_same(getattr(written.tensor, name), getattr(proposal.tensor, name))
    ]
    if len(differing) <= _MOST_NAMED:
        for name in differing:
            yield f"{name} {entry_text(written, name)} → {entry_text(proposal, name)}"
    else:
        yield f"{' '.join(differing)} → {' '.join(entry_text(proposal, name) for name in differing)}"


def entry_text(block: WrittenBlock, name: str) -> str:
    """An entry of a tensor with the digits that it is written in, where those are known."""
    return _shown(getattr(block.entry_texts, name), getattr(block.tensor, name))


def _shown(text: str, value: float) -> str:
    return text or f"{value:.6g}"


def _are_same(a: float, b: float) -> bool:
    return abs(a - b) <= _SAME * max(abs(a), abs(b))
