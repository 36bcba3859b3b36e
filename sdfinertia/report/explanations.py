"""Rules and causes in words: the table of rules, their explanations and pages, and the causes of wrong numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sdfinertia.errors import one_line
from sdfinertia.links.written_block import WrittenBlock
from sdfinertia.robot.inertial import TENSOR_NAMES
from sdfinertia.rules import RULE_OF_CODE, RULES, code_of
from sdfinertia.rules.rule import Rule, Why

if TYPE_CHECKING:
    from sdfinertia.causes.case import Explanation

# Relative: a proposed number that differs by less is unchanged.
_SAME = 1e-9
# Entries that are named one by one; more are named together.
_MAX_NAMED = 3
# Ends of clauses that say something, and what three numbers or more follow.
_CUT = r"(?<=.{24})(?:[;:,] | (?=(?:-?[\d.]+(?:e[-+]?\d+)? ){2,}-?\d))"


def rule_table() -> str:
    width = max(len(rule.name) for rule in RULES)
    return "\n".join(
        f"{rule.code}  {rule.name:<{width}}  {'on ' if rule.is_default else 'off'}  {rule.what}" for rule in RULES
    )


def fix_words(rule: Rule) -> str:
    return f"`check{' --fix' if rule.fixer.fix == 'safe' else ''}` {rule.fixer.does}"


def explanation(word: str) -> str:
    """The explanation of a rule by code or name; LookupError if there is none."""
    code = code_of(word.upper()) or code_of(word.lower())
    if code is None:
        raise LookupError(word)
    rule = RULE_OF_CODE[code]
    default = "on" if rule.is_default else f"off; enable it with --select {code}"
    return (
        f"{code} {rule.name} ({default})\n\n{rule.what}\n\nWhy it matters: {rule.why}\n"
        f"Example: {rule.example}\nWhat to do: {rule.fix}\nFix: {fix_words(rule)}"
    )


def cause_words(why: Why) -> str:
    """The best cause on one line: the sentence, the numbers that undo it, and in brackets its name and certainty."""
    if not why.explanations:
        return why.unexplained
    best = why.explanations[0]
    likely = "" if best.is_likely else "unknown; at best: "
    words = "; ".join(filter(None, (best.sentence, proposal_words(why.written, best))))
    return one_line(f"{likely}{words} {_name(best)}")


def short_cause(why: Why, room: int) -> str:
    """The likeliest cause with as much of its sentence and the numbers as fits; "" where none is likely."""
    best = why.likeliest
    if best is None:
        return ""
    name = _name(best)
    room -= len(name) + 1
    sentence, numbers = one_line(best.sentence), one_line(proposal_words(why.written, best))
    if numbers and (shorter := _clauses(sentence, room - len(numbers) - 2)):
        return f"{shorter}; {numbers} {name}"
    return f"{_clauses(sentence, room) or sentence} {name}"


def _name(explanation: Explanation) -> str:
    return f"[{explanation.cause} ({explanation.sureness})]"


def fitted(text: str, room: int) -> str:
    """As many clauses of a text as fit, but at least those up to its first number."""
    number = re.search("[0-9]", text)
    least = number.start() if number is not None else 0
    return _clauses(text, room, least) or next((f"{text[:cut]} …" for cut in _cuts(text, least)), text)


def _clauses(text: str, room: int, least: int = 0) -> str:
    if len(text) <= room:
        return text
    cuts = [cut for cut in _cuts(text, least) if cut <= room - 2]
    return f"{text[: cuts[-1]]} …" if cuts else ""


def _cuts(text: str, least: int) -> list[int]:
    return [match.start() for match in re.finditer(_CUT, text) if match.start() >= least]


def proposal_words(written: WrittenBlock, explanation: Explanation) -> str:
    return "" if explanation.proposal is None else changes(written, explanation.proposal)


def changes(written: WrittenBlock, proposal: WrittenBlock) -> str:
    """The numbers that differ between two blocks, each as `izz 1676359E-6 → 1676.359E-6 kg·m²`."""
    blocks, found = (written, proposal), []
    if not _are_same(written.mass, proposal.mass):
        found.append(f"mass {' → '.join(block.mass_text or f'{block.mass:.6g}' for block in blocks)} kg")
    if not all(map(_are_same, written.centre, proposal.centre)):
        found.append(f"centre {' → '.join(' '.join(f'{value:.6g}' for value in block.centre) for block in blocks)} m")
    if written.rotation != proposal.rotation:
        found.append("axes rotated")
    entries = {name: [getattr(block.tensor, name) for block in blocks] for name in TENSOR_NAMES}
    names = [name for name, pair in entries.items() if not _are_same(*pair)]
    if len(names) <= _MAX_NAMED:
        found += (f"{name} {' → '.join(_entry(block, name) for block in blocks)} kg·m²" for name in names)
    else:
        found.append(f"{' '.join(names)} → {' '.join(_entry(proposal, name) for name in names)} kg·m²")
    return "; ".join(found)


def _entry(block: WrittenBlock, name: str) -> str:
    return getattr(block.entry_texts, name) or f"{getattr(block.tensor, name):.6g}"


def _are_same(a: float, b: float) -> bool:
    return abs(a - b) <= _SAME * max(abs(a), abs(b))
