"""The command line: arguments in, exit status out. Each command imports what it needs."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import click

from sdfinertia.commands import arguments as take
from sdfinertia.commands.arguments import FILE, Group, option
from sdfinertia.errors import ConfigurationError
from sdfinertia.options import METHOD, GivenOptions
from sdfinertia.report.rules import rule_table
from sdfinertia.runs.cluster import cluster_jobs
from sdfinertia.runs.outcomes import Jobs

NOTATIONS = ["pi_cm", "pi_o", "theta", "drake", "urdf", "scalars", "mjcf"]
MESH_NOTATIONS = ["sdf", *NOTATIONS]
CHECK_FORMATS = ["text", "json", "github", "sarif", "junit"]
COMPARISON_FORMATS = ["text", "json", "markdown", "github"]
WAYS = ["cause", "twin", "geometry", "nearest"]


@click.group(cls=Group, context_settings={"max_content_width": 100})
def main() -> None:
    """Compute, write, check and repair the inertials of SDF, URDF and MJCF robots."""
    # Nothing here multiplies matrices large enough for the threads of numpy's library, and starting them takes longer
    # than most files. It is set when numpy is loaded, here or in the processes of a run.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@main.takes(
    take.paths,
    take.output,
    take.diff,
    take.check,
    take.reports("Write what was done to FILE (.md .json .html)."),
    take.stdin_filename,
    take.jobs,
    take.cluster,
    take.quiet("errors"),
    take.verbose,
    click.pass_obj,
)
def fill(given: GivenOptions, /, paths: tuple[str, ...], jobs: int | None, cluster: str | None, **settings: Any) -> int:
    """Compute the inertials of links that ask for it and write them into the files.

    PATH is an SDF, URDF or MJCF file, a directory with models, or - for standard input. Links ask by
    <inertial auto="true">, in URDF and MJCF by a comment <!-- sdfinertia: auto -->. Links filled before are filled
    again if their geometry has changed.
    """
    from sdfinertia.commands.fill import FillRequest, run_fill

    return _with_jobs(lambda jobs: run_fill(paths, given, FillRequest(**settings), jobs), jobs, cluster)


@main.takes(
    take.paths,
    option("block", "--fix", is_flag=True, help="Apply the safe fixes: SDI001, SDI002 and SDI107."),
    take.diff,
    option("block", "--exit-zero", "exits_zero", is_flag=True, help="Exit with 0 even if something is found."),
    take.baseline,
    option(
        "rules",
        "--write-baseline",
        "new_baseline",
        metavar="FILE",
        type=FILE,
        help="Write all findings to FILE as known, and exit with 0.",
    ),
    option("block", "--format", type=click.Choice(CHECK_FORMATS), default="text", help="Format of the findings."),
    take.reports("Also write the findings to FILE (.md .json .sarif .xml .html)."),
    take.stdin_filename,
    take.jobs,
    take.cluster,
    take.quiet("findings and errors"),
    take.verbose,
    click.pass_obj,
)
def check(
    given: GivenOptions,
    /,
    paths: tuple[str, ...],
    jobs: int | None,
    cluster: str | None,
    **settings: Any,
) -> int:
    """Find inertials that are missing, stale, physically impossible or placeholders, and say why.

    PATH is an SDF, URDF or MJCF file, a directory with models, or - for standard input. Exit status: 0 nothing found,
    1 findings, 2 something could not be read.
    """
    from sdfinertia.commands.check import run_check
    from sdfinertia.commands.check_reports import CheckRequest

    request = CheckRequest(**settings)
    return _with_jobs(lambda jobs: run_check(paths, given, request, jobs), jobs, cluster)


@main.takes(
    take.paths,
    option("block", "--by", type=click.Choice(WAYS), default="cause", help="What replaces wrong numbers."),
    take.output,
    take.diff,
    take.check,
    take.reports("Write what was done to FILE: .md is a bug report to send (.md .json .html)."),
    take.stdin_filename,
    take.jobs,
    take.quiet("errors"),
    take.verbose,
    click.pass_obj,
)
def repair(given: GivenOptions, /, paths: tuple[str, ...], jobs: int | None, **settings: Any) -> int:
    """Fix inertials whose numbers are wrong, and leave all others unchanged.

    By cause, mistakes that are certain are undone, such as a missing decimal point or products with the wrong sign. By
    twin, the numbers of the mirrored link are written; by geometry, they are computed at the same mass; by nearest,
    the nearest valid tensor is written.
    """
    from sdfinertia.commands.fill import FillRequest, run_fill

    return _with_jobs(lambda jobs: run_fill(paths, given, FillRequest(**settings), jobs), jobs)


@main.takes(
    take.paths,
    option(
        "block", "--as", "notation", type=click.Choice(NOTATIONS), help="Print one line per body, in another notation."
    ),
    take.text_or_json,
    option(
        "block",
        "--computed",
        "with_computed",
        is_flag=True,
        help="Also show what fill would write, and the difference.",
    ),
    option(
        "block",
        "--lumped",
        "is_lumped",
        is_flag=True,
        help="Show URDF links joined by fixed joints as one, as Gazebo does; SDF links stay separate there too.",
    ),
    take.reports("Write a page with the models in 3-D (.html)."),
    take.stdin_filename,
    click.pass_obj,
)
def show(given: GivenOptions, /, paths: tuple[str, ...], **settings: Any) -> int:
    """Show the mass properties of links, written or computed, of their collisions, and of mesh files."""
    from sdfinertia.commands.show import ShowRequest, run_show

    return run_show(paths, given, ShowRequest(**settings))


@main.takes(
    click.argument("paths", metavar="[FIRST] [SECOND]", nargs=-1, type=FILE),
    option(
        "block", "--tolerance", type=float, metavar="SHARE", help="Relative difference that is allowed (default 1e-6)."
    ),
    option("links", "--lumped", is_flag=True, help="Sum links joined by fixed joints, as Gazebo and MuJoCo do."),
    option("links", "--allow-unmatched", is_flag=True, help="Exit with 0 although links are in one description alone."),
    option(
        "files", "--since", metavar="REV", help="Compare FIRST as it was at this revision of git with what it is now."
    ),
    option(
        "block", "--format", "form", type=click.Choice(COMPARISON_FORMATS), default="text", help="Format of the output."
    ),
    take.stdin_filename,
    take.reports("Also write the comparison to FILE (.md .json .sarif .html)."),
    click.pass_obj,
)
def compare(given: GivenOptions, /, paths: tuple[str, ...], **settings: Any) -> int:
    """Compare the inertials of one robot in two files, of any formats, link by link.

    Without paths, the pairs of the tables [[compare]] in the configuration are compared. Exit status: 0 all links are
    equal, 1 something differs or is in one file alone, 2 something could not be read.
    """
    from sdfinertia.commands.compare import run_compare

    return run_compare(paths, given, **settings)


@main.takes(
    click.argument("path", metavar="PATH", type=FILE),
    take.port,
    take.browser,
    click.pass_obj,
)
def edit(given: GivenOptions, /, path: str, port: int, browser: bool) -> int:
    """Edit inertials and simple shapes in the browser; nothing is written before Save.

    PATH is an SDF, URDF or MJCF file, or a directory with one. Needs the extra `edit`.
    """
    from sdfinertia.commands.edit import run_edit

    return run_edit(path, given, port=port, opens_browser=browser)


@main.takes(
    take.baseline,
    click.pass_obj,
)
def lsp(given: GivenOptions, /, baseline: str | None) -> int:
    """Show an editor what check finds while a model is typed, and what fill, check --fix and repair would write.

    A language server over standard input and output. Needs the extra `lsp`.
    """
    from sdfinertia.lsp import run_lsp

    return run_lsp(given, baseline=baseline)


@main.takes(
    click.argument("file", metavar="FILE", type=FILE),
    option("mass", "--mass", type=float, metavar="KG", help="Scale each link to this mass."),
    option(
        "mass", "--density", type=float, metavar="KG/M3", help="Scale each link to this mean density of its collisions."
    ),
    option(
        "mass",
        "--size",
        metavar="FACTORS",
        help="Scale lengths by this factor, or by one for each axis of the link: '1 1 2'.",
    ),
    take.output,
    take.diff,
    take.stdin_filename,
    click.pass_obj,
)
def scale(given: GivenOptions, /, file: str, **settings: Any) -> int:
    """Scale written inertials by mass, density or size.

    Takes exactly one of --mass, --density and --size. Mass and tensor scale with density. At the same density a size
    factor s scales the mass by s³ and the tensor by s⁵; three factors stretch the body along the axes of its link.
    """
    from sdfinertia.commands.scale import run_scale

    return run_scale(file, given.options.link, **settings)


@main.takes(
    click.argument("code", required=False),
)
def rules(code: str | None) -> None:
    """List the rules of check, or explain one."""
    click.echo(rule_table() if code is None else take.explained(code))


@main.takes(
    take.paths,
    option("meshes", "--method", type=click.Choice(METHOD.choices), help=METHOD.help),
    option(
        "meshes",
        "--scale",
        metavar="FACTORS",
        help="Scale the vertices by this factor, or by one for each axis: '1 -1 1'.",
    ),
    option("meshes", "--submesh", metavar="NAME", help="Only the submesh of that name."),
    option("block", "--list", "lists_names", is_flag=True, help="List the names of submeshes."),
    option("block", "--as", "notation", type=click.Choice(MESH_NOTATIONS), help="Print the body alone, in a notation."),
    take.text_or_json,
    take.reports("Write a line of JSON for each file to FILE (.jsonl) instead of printing."),
    take.stdin_filename,
    take.jobs,
    take.cluster,
    click.pass_obj,
)
def mesh(
    given: GivenOptions,
    /,
    paths: tuple[str, ...],
    method: str | None,
    scale: str | None,
    submesh: str | None,
    reports: tuple[str, ...],
    jobs: int | None,
    cluster: str | None,
    **printed: Any,
) -> int:
    """Diagnose mesh files and print their mass properties.

    PATH is a mesh file, a directory, a glob, or - for standard input. `--as urdf` makes a link of a STEP file, with the
    extra `cad`.
    """
    from sdfinertia.commands.mesh import mesh_weighing, run_mesh, run_mesh_report

    try:
        weighing = mesh_weighing(given.options, method, scale, submesh)
    except ConfigurationError as error:
        raise click.UsageError(str(error)) from None
    chosen = [printed["format"] == "json", printed["lists_names"], printed["notation"] is not None, bool(reports)]
    if sum(chosen) > 1:
        raise click.UsageError("only one of --format json, --as, --list and --report can be given")
    if reports:
        name = printed["stdin_filename"]
        return _with_jobs(lambda jobs: run_mesh_report(paths, weighing, reports, jobs, name), jobs, cluster)
    if jobs is not None or cluster is not None:
        raise click.UsageError("--jobs and --cluster need --report")
    return run_mesh(paths, weighing, **printed)


def _with_jobs(run: Callable[[Jobs], int], jobs: int | None, cluster: str | None = None) -> int:
    """The exit status of a run over files, by its workers or cluster."""
    if cluster is None:
        return run(Jobs(jobs))
    if jobs is not None:
        raise click.UsageError("--jobs cannot be combined with --cluster")
    from sdfinertia.commands.file_run import ended

    def run_there() -> int:
        with cluster_jobs(cluster) as workers:
            return run(workers)

    return ended(run_there)
