"""Links that rules could not judge, in words: how many and why, and each reason with its place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sdfinertia.errors import one_line
from sdfinertia.report.findings.wording import counted
from sdfinertia.rules.facts import Unjudged


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
