"""Findings in expanded xacro, reported at the source.

One block of the source makes the inertials of many links. A problem in it is reported once, with the links that it
makes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from sdfinertia.errors import first_few
from sdfinertia.robot.values import Command
from sdfinertia.rules.accepted import SUPPRESSION
from sdfinertia.rules.registry import rank_of, worst_first
from sdfinertia.rules.rule import ABOUT_NUMBERS, Finding
from sdfinertia.xacro.expansion import Expansion, Place, has_xacro

if TYPE_CHECKING:
    from sdfinertia.links.unjudged import Unjudged


_MAX_NAMED = 6
_USE, _NAME = re.compile(rb"\$\{([^}]*)\}"), re.compile(rb"[A-Za-z_][A-Za-z0-9_]*")


# Findings -------------------------------------------------------------------------------------------------------------


def found_in_source(findings: Iterable[Finding], expansion: Expansion) -> tuple[Finding, ...]:
    """The findings with source locations, one for each rule and source element, with all its links."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(_kind(finding, expansion), []).append(finding)
    found = [each for group in groups.values() for each in _reported_once(group, expansion)]
    return tuple(sorted(found, key=worst_first))


def unjudged_in_source(unjudged: Iterable[Unjudged], expansion: Expansion) -> tuple[Unjudged, ...]:
    """The same, with source locations."""
    return tuple(each._replace(location=expansion.in_source(each.location)) for each in unjudged)


def _kind(finding: Finding, expansion: Expansion) -> object:
    if finding.location.file != expansion.path:
        return finding.code, finding.location, finding.message
    block = expansion.place(finding.location.line).block
    # A comment may suppress several rules.
    return finding.code, block, finding.message if finding.code == SUPPRESSION.code else ""


def _reported_once(group: Sequence[Finding], expansion: Expansion) -> list[Finding]:
    first = group[0]
    if first.location.file != expansion.path:
        return list(group)
    places = [expansion.place(each.location.line) for each in group]
    if first.code == SUPPRESSION.code and len(group) < expansion.copies[places[0].block]:
        # It suppresses something in another copy of the comment.
        return []
    links = list(dict.fromkeys(each.link for each in group if each.link))
    names = [link.rpartition("::")[2] for link in links]
    told = f"; in {len(names)} links: {first_few(names, _MAX_NAMED)}" if len(names) > 1 else ""
    calls: dict[str, list[str]] = {}
    for call in dict.fromkeys(call for place in places for call in expansion.calls(place) if call.macro):
        calls.setdefault(call.macro, []).append(str(call.location))
    if calls:
        sites = (f"macro {macro!r} called at {first_few(each)}" for macro, each in calls.items())
        told += f" ({'; '.join(sites)})"
    if first.code in ABOUT_NUMBERS:
        numbers = _properties(expansion, places[0])
        told += f"; it uses the properties {first_few(numbers)}" if numbers else ""
    advice = first.advice
    if isinstance(advice, Command):
        # It must select all links of the block, or the block is not edited.
        advice = advice._replace(links=tuple(links))
    location = expansion.location(places[0])
    worst = min(group, key=lambda each: (each.is_minor, -rank_of(each)))
    return [
        first._replace(
            message=first.message + told,
            location=location,
            advice=advice,
            is_fixable=False,
            effect=worst.effect,
            is_minor=worst.is_minor,
        )
    ]


def _properties(expansion: Expansion, place: Place) -> list[str]:
    """The properties in the mass and tensor at a place, each with its definition; those with several are left out."""
    element = expansion.element(place)
    element = element.child("inertial") or element
    parts = [each for each in (element, *element.children) if each.name in ("mass", "inertia")]
    names = dict.fromkeys(
        name for part in parts for use in _USE.findall(part.raw_attributes) for name in _NAME.findall(use)
    )
    given = ((name, expansion.properties.get(name.decode(), ())) for name in names)
    return [f"{name.decode()} ({found[0][1].location()})" for name, found in given if len(found) == 1]


def merged(results: Iterable[tuple[str, Sequence[Finding]]]) -> list[Finding]:
    """The findings of several files, by file; one in a file of macros is reported for the first robot that has it."""
    results = list(results)
    told: dict[object, str] = {
        (finding.code, finding.location): path
        for path, findings in results
        for finding in findings
        if finding.location.file == path
    }
    return [
        finding
        for path, findings in results
        for finding in findings
        if finding.location.file == path or told.setdefault((finding.code, finding.location), path) == path
    ]


def unused_lines(macros: Sequence[str], used: Container[str]) -> Iterator[str]:
    """Names the xacro files that no expanded robot uses; `used` has absolute paths."""
    if not has_xacro():
        yield from missing_package(macros)
        return
    unused = [path for path in macros if os.path.abspath(path) not in used]
    if unused:
        why = f"because no expanded robot uses {'it' if len(unused) == 1 else 'them'}"
        yield f"{_files_were(len(unused))} not checked, {why}: {first_few(unused, _MAX_NAMED)}"


def missing_package(files: Sequence[str]) -> Iterator[str]:
    """Says that xacro files are skipped, where the package xacro is missing."""
    if not has_xacro():
        yield f"{_files_were(len(files))} skipped: install xacro with `pip install 'sdfinertia[xacro]'`"


def _files_were(number: int) -> str:
    return "1 xacro file was" if number == 1 else f"{number:,} xacro files were"
