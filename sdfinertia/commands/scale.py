"""The command `scale`: explicit inertials of named links rescaled with mass, density or size, and written back."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from math import isfinite
from typing import TYPE_CHECKING

from sdfinertia.commands.inputs import (
    STANDARD_STREAM,
    CommandInputs,
    Source,
    read_standard_input,
    require_one_stream,
)
from sdfinertia.commands.outputs import Outputs, document_at
from sdfinertia.description.edits import splice
from sdfinertia.description.numbers import parse_numbers
from sdfinertia.documents.opened import OpenDocument, open_document
from sdfinertia.errors import ConfigurationError, SdfInertiaError, printable
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.links.scaling import ScaledLink, Scaling, scale_link
from sdfinertia.options import GivenOptions, Options
from sdfinertia.report.tally import ExitStatus
from sdfinertia.report.terminal import ERROR, print_bytes, say
from sdfinertia.runs.source_files import require_inside

if TYPE_CHECKING:
    from sdfinertia.description.protocols import LinkDescription


def run_scale(
    file: str,
    names: Sequence[str],
    mass: float | None = None,
    density: float | None = None,
    size: str | None = None,
    output: str | None = None,
    diff: bool = False,
    stdin_filename: str | None = None,
) -> int:
    """Scales the explicit inertials of links of a file, and returns the exit status: 0 done, 2 refused.

    Args:
        file: an SDF file; "-" is standard input, whose result goes to standard output.
        names: globs on scoped link names, each of which must match.
        mass: the new mass of each link (kg).
        density: the new mean density of the collisions of each link (kg/m³).
        size: a factor, or one for each axis of the link: "2", "1 1 2".
        output: a file to write to instead; "-" is standard output.
        diff: print a unified diff instead of writing.
        stdin_filename: the place that standard input has.
    """
    outputs = Outputs()
    try:
        scaling = _scaling(mass, density, size)
        if diff and output is not None:
            raise ConfigurationError("-o writes a file, --diff writes none")
        require_one_stream([file], stdin_filename)
        source = read_standard_input(stdin_filename) if file == STANDARD_STREAM else Source(file)
        options = _options_for(source)
        outputs.require_sense([document_at(output)] if output is not None else [], options.confine)
        document = open_document(source.content, options, filename=source.path)
        links = _named(document, names)
    except SdfInertiaError as error:
        say(str(error), style=ERROR)
        return ExitStatus.REFUSED
    scaled = _scaled_links(document, links, scaling)
    if len(scaled) < len(links):
        say(f"{printable(document.robot.path)}: nothing is written.")
        return ExitStatus.REFUSED
    try:
        edits = [edit for link in scaled for edit in link.edits]
        original = document.robot.data
        if diff:
            from sdfinertia.report.results.diff import unified_diff

            print_bytes(unified_diff(source.path, original, edits))
        else:
            outputs.put_document(source, original, splice(original, edits), output, options.confine)
    except SdfInertiaError as error:
        say(str(error), style=ERROR)
        return ExitStatus.REFUSED
    for link in scaled:
        say(_line(link))
    changed = sum(bool(link.edits) for link in scaled)
    kept = f", {len(scaled) - changed} left as they are" if changed < len(scaled) else ""
    say(f"{changed} {'link' if changed == 1 else 'links'} {'would be ' if diff else ''}scaled{kept}.")
    return ExitStatus.DONE


def parse_size(text: str) -> Vector3:
    """The factors in "2" or "1 1 2".

    Raises:
        ConfigurationError: it is neither one nor three numbers, or one is zero.
    """
    values = parse_numbers(text.strip())
    if values is None or len(values) not in (1, 3) or 0.0 in values:
        raise ConfigurationError(f"--size takes one number or three, none of them zero, not {text!r}")
    x, y, z = values if len(values) == 3 else values * 3
    return x, y, z


def _scaling(mass: float | None, density: float | None, size: str | None) -> Scaling:
    given = [value for value in (mass, density, size) if value is not None]
    if len(given) != 1:
        raise ConfigurationError(f"scale takes one of --mass, --density and --size, and {len(given)} are given")
    for name, value in (("mass", mass), ("density", density)):
        if value is not None and not (isfinite(value) and value > 0.0):
            raise ConfigurationError(f"--{name} must be a number above zero, not {value:g}")
    return Scaling(mass, density, parse_size(size) if size is not None else None)


def _options_for(source: Source) -> Options:
    """The options of the configuration: digits, and what the volume of collisions is found with.

    Raises:
        SdfInertiaError: they are wrong, or do not let the file be opened.
    """
    inputs = CommandInputs(GivenOptions(), lambda _: None)
    options = inputs.options_for(source.path)
    if not source.is_stream:
        require_inside(source.path, options.confine)
    # No density of the collisions counts here, so none need be given.
    return options.replaced({"require_density": False, "all": True})


def _named(document: OpenDocument, patterns: Sequence[str]) -> list[LinkDescription]:
    """The links whose scoped names match, in the order of the file.

    Raises:
        ConfigurationError: there is no pattern, or no link matches one.
    """
    links = list(document.links())
    if not patterns:
        raise ConfigurationError("no link is named", remedy="use --link")
    for pattern in patterns:
        if not any(fnmatchcase(link.scoped_name, pattern) for link in links):
            known = ", ".join(link.scoped_name for link in links)
            raise ConfigurationError(
                f"no link matches --link {pattern}",
                file=document.robot.path,
                remedy=f"there are {known}" if known else "the file has no links",
            )
    return [link for link in links if any(fnmatchcase(link.scoped_name, pattern) for pattern in patterns)]


def _scaled_links(document: OpenDocument, links: list[LinkDescription], scaling: Scaling) -> list[ScaledLink]:
    """The links scaled; of those that cannot be, the reason is said."""
    scaled: list[ScaledLink] = []
    for link in links:
        try:
            scaled.append(scale_link(document.study(link), scaling))
        except SdfInertiaError as error:
            say(str(error), style=ERROR)
        document.surroundings.forget_contents()
    return scaled


def _line(link: ScaledLink) -> str:
    before, after = link.before, link.after
    if not link.edits:
        return f"{link.name}: is so already"
    moments = [" ".join(f"{moment:.6g}" for moment in body.principal().moments) for body in (before, after)]
    line = f"{link.name}: {before.mass:.6g} → {after.mass:.6g} kg, {moments[0]} → {moments[1]} kg·m²"
    if link.was_managed:
        line += "; its provenance comment is taken out, for it is no longer what its geometry gives"
    return line
