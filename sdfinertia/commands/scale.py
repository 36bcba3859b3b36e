"""The command `scale`: explicit inertials of named links rescaled with mass, density or size, and written back."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from math import isfinite

from sdfinertia.documents.filling import read_root
from sdfinertia.errors import ConfigurationError, SdfInertiaError, printable
from sdfinertia.files.regular_file import read_stream
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.links.scaling import ScaledLink, Scaling, scale_link
from sdfinertia.links.surroundings import Surroundings
from sdfinertia.options import Options
from sdfinertia.report.tally import DONE, REFUSED
from sdfinertia.report.terminal import ERROR, print_bytes, say
from sdfinertia.runs.configuration import Configurations
from sdfinertia.sdf.document import Document, Edit, splice
from sdfinertia.sdf.model import Link, SdfRoot
from sdfinertia.sdf.values import parse_numbers

_STANDARD_STREAM = "-"
_STANDARD_INPUT = "<stdin>"


def run_scale(
    file: str,
    names: Sequence[str],
    mass: float | None = None,
    density: float | None = None,
    size: str | None = None,
    output: str | None = None,
    diff: bool = False,
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
    """
    try:
        scaling = _scaling(mass, density, size)
        if diff and output is not None:
            raise ConfigurationError("-o writes a file, --diff writes none")
        options = _options_for(file)
        source = read_stream(sys.stdin.buffer, _STANDARD_INPUT) if file == _STANDARD_STREAM else file
        root = read_root(source, _STANDARD_INPUT)
        links = _named(root, names)
    except SdfInertiaError as error:
        say(str(error), style=ERROR)
        return REFUSED
    scaled = _scaled_links(links, scaling, options)
    if len(scaled) < len(links):
        say(f"{printable(root.document.path)}: nothing is written.")
        return REFUSED
    try:
        _conclude(root.document, [edit for link in scaled for edit in link.edits], output, diff=diff)
    except SdfInertiaError as error:
        say(str(error), style=ERROR)
        return REFUSED
    for link in scaled:
        say(_line(link))
    changed = sum(bool(link.edits) for link in scaled)
    kept = f", {len(scaled) - changed} left as they are" if changed < len(scaled) else ""
    say(f"{changed} {'link' if changed == 1 else 'links'} {'would be ' if diff else ''}scaled{kept}.")
    return DONE


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


def _options_for(file: str) -> Options:
    """The options of the configuration: digits, and what the volume of collisions is found with."""
    place = os.path.join(os.getcwd(), _STANDARD_INPUT) if file == _STANDARD_STREAM else file
    # No density of the collisions counts here, so none need be given.
    return Options().replaced({**Configurations().values_for(place), "require_density": False})


def _named(root: SdfRoot, patterns: Sequence[str]) -> list[Link]:
    """The links whose scoped names match, in the order of the file.

    Raises:
        ConfigurationError: there is no pattern, or no link matches one.
    """
    links = [link for model in root.models() for link in model.all_links()]
    if not patterns:
        raise ConfigurationError("no link is named", remedy="use --link")
    for pattern in patterns:
        if not any(fnmatchcase(link.scoped_name, pattern) for link in links):
            known = ", ".join(link.scoped_name for link in links)
            raise ConfigurationError(
                f"no link matches --link {pattern}",
                file=root.document.path,
                remedy=f"there are {known}" if known else "the file has no links",
            )
    return [link for link in links if any(fnmatchcase(link.scoped_name, pattern) for pattern in patterns)]


def _scaled_links(links: list[Link], scaling: Scaling, options: Options) -> list[ScaledLink]:
    """The links scaled; of those that cannot be, the reason is said."""
    surroundings = Surroundings(options)
    scaled: list[ScaledLink] = []
    for link in links:
        try:
            scaled.append(scale_link(link, scaling, options, surroundings))
        except SdfInertiaError as error:
            say(str(error), style=ERROR)
        surroundings.forget_contents()
    return scaled


def _conclude(document: Document, edits: list[Edit], output: str | None, *, diff: bool) -> None:
    """Writes the file, or shows what would change."""
    path, original = document.path, document.data
    if diff:
        from sdfinertia.report.diff import unified_diff

        print_bytes(unified_diff(path, original, edits))
        return
    content = splice(original, edits)
    if path == _STANDARD_INPUT and output is None:
        output = _STANDARD_STREAM
    if output == _STANDARD_STREAM:
        print_bytes(content)
        return
    from sdfinertia.files.atomic_file import replace_file, write_file
    from sdfinertia.files.leftovers import remove_leftovers

    if output is not None or content != original:
        remove_leftovers(os.path.dirname(os.path.realpath(output or path)))
    if output is not None:
        write_file(output, content)
    elif content != original:
        for note in replace_file(path, content, expected=original):
            say(note)


def _line(link: ScaledLink) -> str:
    before, after = link.before, link.after
    if not link.edits:
        return f"{link.name}: is so already"
    moments = [" ".join(f"{moment:.6g}" for moment in body.principal_moments()) for body in (before, after)]
    line = f"{link.name}: {before.mass:.6g} → {after.mass:.6g} kg, {moments[0]} → {moments[1]} kg·m²"
    if link.was_managed:
        line += "; its provenance comment is taken out, for it is no longer what its geometry gives"
    return line
