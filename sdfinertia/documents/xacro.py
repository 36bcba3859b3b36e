"""Findings in expanded xacro, reported at the source, and the robots of a repository that could use a file.

One block of the source makes the inertials of many links. A problem in it is reported once, with the links that it
makes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches

from sdfinertia.documents import OpenDocument, expanded_document
from sdfinertia.documents.xacro_sources import advice_to_paste
from sdfinertia.errors import ConfigurationError, Location, first_few
from sdfinertia.files import read_regular_file
from sdfinertia.files.walk import is_excluded, tree_of
from sdfinertia.links import Unjudged
from sdfinertia.links.context import Context
from sdfinertia.markup import Document
from sdfinertia.options import Options
from sdfinertia.robot import attempt, known
from sdfinertia.robot.problems import Command
from sdfinertia.rules import rank_of, worst_first
from sdfinertia.rules.accepted import SUPPRESSION
from sdfinertia.rules.rule import Finding
from sdfinertia.xacro.expansion import MAX_BYTES, Expansion
from sdfinertia.xacro.sources import Macro, Tree, arguments_in, callable_by_default, macros_in

_MAX_NAMED = 6


# Findings -------------------------------------------------------------------------------------------------------------


Calls = tuple[tuple[Location, Location], ...]


def in_source(
    document: OpenDocument, expansion: Expansion, findings: Sequence[Finding], unjudged: Sequence[Unjudged]
) -> tuple[tuple[Finding, ...], tuple[Unjudged, ...], Calls]:
    pasted = advice_to_paste(document, expansion, findings)
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        if finding.location.file == expansion.path:
            if isinstance(finding.advice, Command) and finding.key in pasted:
                finding = finding._replace(advice=pasted[finding.key])
            # A comment may suppress several rules.
            which = finding.message if finding.code == SUPPRESSION.code else ""
            block = expansion.block(expansion.place(finding.location.line))
            groups.setdefault((finding.code, block, which), []).append(finding)
    found = [finding for finding in findings if finding.location.file != expansion.path]
    found += filter(None, (_reported_once(group, expansion) for group in groups.values()))
    reasons = tuple(each._replace(location=expansion.in_source(each.location)) for each in unjudged)
    return tuple(sorted(found, key=worst_first)), reasons, _calls_of((*findings, *unjudged), expansion)


def _calls_of(found: Iterable[Finding | Unjudged], expansion: Expansion) -> Calls:
    """Source places in included files, each with its first call or include in the file itself."""
    calls: dict[Location, Location] = {}
    for each in found:
        if each.location.file == expansion.path:
            place = expansion.place(each.location.line)
            at = expansion.location(place)
            own = (call.location for call in expansion.calls(place) if call.location.file == expansion.path)
            if at.file != expansion.path and (call := next(own, None)) is not None:
                calls.setdefault(at, call)
    return tuple(calls.items())


def _reported_once(group: Sequence[Finding], expansion: Expansion) -> Finding | None:
    first = group[0]
    places = [expansion.place(each.location.line) for each in group]
    if first.code == SUPPRESSION.code and len(group) < expansion.copies[expansion.block(places[0])]:
        # It suppresses something in another copy of the comment.
        return None
    links = list(dict.fromkeys(each.link for each in group if each.link))
    names = [link.rpartition("::")[2] for link in links]
    told = f"; in {len(names)} links: {first_few(names, _MAX_NAMED)}" if len(names) > 1 else ""
    calls: dict[str, list[str]] = {}
    for call in dict.fromkeys(call for place in places for call in expansion.calls(place) if call.macro):
        calls.setdefault(call.macro, []).append(str(call.location))
    if calls:
        how = "judged with its defaults, at" if expansion.by_default else "called at"
        sites = (f"macro {macro!r} {how} {first_few(each)}" for macro, each in calls.items())
        told += f" ({'; '.join(sites)})"
    advice = first.advice
    if isinstance(advice, Command):
        # It must select all links of the block, or the block is not edited.
        advice = advice._replace(links=tuple(links))
    location = expansion.location(places[0])
    worst = min(group, key=lambda each: (each.is_minor, -rank_of(each)))
    return first._replace(
        trace=told, location=location, advice=advice, is_fixable=False, effect=worst.effect, is_minor=worst.is_minor
    )


# Files of macros ------------------------------------------------------------------------------------------------------


def macros_document(path: str, options: Options, context: Context | None = None) -> OpenDocument | None:
    """The links of the macros of a file, called with their defaults; None if no macro has them."""
    macros = callable_by_default(_macros_of(path, options.confine))
    return expanded_document(path, None, options, context, macros=macros) if macros else None


def robot_to_add(paths: Iterable[str], confine: str | None) -> str:
    """Advice on a robot that calls the first macro that makes links; "" if none does."""
    for path in paths:
        for macro in known(attempt(_macros_of, path, confine)) or ():
            if macro.makes_links and macro.name:
                robot = _robot_calling(macro, os.path.basename(path))
                return f"to check {path}, add a robot that calls its macros with your values, such as {robot}"
    return ""


def _robot_calling(macro: Macro, file: str) -> str:
    blocks = "".join(f"<{name.lstrip('*')}/>" for name in macro.given if name.startswith("*"))
    tag = " ".join([f"xacro:{macro.name}", *(f'{name}=""' for name in macro.given if not name.startswith("*"))])
    call = f"<{tag}>{blocks}</xacro:{macro.name}>" if blocks else f"<{tag}/>"
    include = f'<xacro:include filename="{file}"/>'
    return f'<robot name="robot" xmlns:xacro="http://www.ros.org/wiki/xacro">{include}{call}</robot>'


def _macros_of(path: str, confine: str | None) -> list[Macro]:
    return macros_in(Document(read_regular_file(path, MAX_BYTES, confine=confine), path))


# Arguments that a message lists.
_MAX_ARGUMENTS = 12


def robots_using(path: str, options: Options) -> Iterator[str]:
    place = os.path.realpath(path)
    tree = Tree(tree_of(place), options.confine)
    for robot in tree.robots():
        if robot != place and not is_excluded(robot, options.exclude) and place in tree.reached_from(robot)[0]:
            yield robot


def require_declared(names: Iterable[str], paths: Iterable[str], confine: str | None, given_in: str | None) -> None:
    """Refuses arguments that neither the files nor what they could include declares; of a configuration only near
    misses, for it is of other files too.
    """
    trees: dict[str, Tree] = {}
    declared: set[str] = set()
    for place in map(os.path.realpath, paths):
        directory = tree_of(place)
        if directory not in trees:
            trees[directory] = Tree(directory, confine)
        files, is_all = trees[directory].reached_from(place)
        if not is_all:
            return
        declared.update(*map(arguments_in, files.values()))
    for unknown in (name for name in names if name not in declared):
        meant = "".join(f"did you mean {each}? " for each in get_close_matches(unknown, sorted(declared), n=1))
        if given_in is not None and not meant:
            continue
        there = f"there are {first_few(sorted(declared), _MAX_ARGUMENTS)}" if declared else "they take none"
        raise ConfigurationError(
            f"no xacro file declares the argument {unknown!r}", file=given_in, remedy=f"{meant}{there}"
        )
