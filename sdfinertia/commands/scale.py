"""The command `scale`: explicit inertials of named links rescaled with mass, density or size, and written back."""

from __future__ import annotations

from collections.abc import Sequence

from sdfinertia.commands import FileRun
from sdfinertia.documents import open_document
from sdfinertia.documents.diffs import result_diff
from sdfinertia.documents.scaling import links_named, scale_links, scaling_of
from sdfinertia.errors import ConfigurationError, printable
from sdfinertia.inertia.rigid_transform import Vector3
from sdfinertia.links.inputs import Status
from sdfinertia.report import ERROR, ExitStatus, print_bytes, say
from sdfinertia.report.results import scaled_line
from sdfinertia.robot.numbers import parse_numbers, three_factors
from sdfinertia.runs.source_files import require_one_stream


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
    scaling = scaling_of(mass, density, parse_size(size) if size is not None else None)
    if diff and output is not None:
        raise ConfigurationError("-o writes a file, --diff writes none")
    require_one_stream([file], stdin_filename)
    run = FileRun({})
    task = run.task_of(file, stdin_filename)
    # No density of the collisions counts here, so none need be given.
    task = task._replace(options=task.options.replaced({"require_density": False, "all": True}))
    run.require_writable([output] if output is not None else [], task.path)
    document = open_document(task.source, task.options, filename=task.path)
    result = scale_links(document, links_named(document, names), scaling)
    for refused in result.errors:
        say(str(refused), style=ERROR)
    if result.errors:
        say(f"{printable(result.path)}: not written.")
        return ExitStatus.REFUSED
    if diff:
        print_bytes(result_diff(result))
    else:
        run.put_all(task, result, output)
    for link in result.links:
        say(scaled_line(link))
    changed = sum(link.status is Status.SCALED for link in result.links)
    kept = f", {len(result.links) - changed} unchanged" if changed < len(result.links) else ""
    say(f"{changed} {'link' if changed == 1 else 'links'} {'would be ' if diff else ''}scaled{kept}.")
    return ExitStatus.DONE


def parse_size(text: str) -> Vector3:
    return three_factors(parse_numbers(text.strip()), "--size", text)
