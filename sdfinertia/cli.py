"""The command line: arguments in, exit status out. All else is imported by the command that needs it."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import click

from sdfinertia import __version__
from sdfinertia.commands.arguments import (
    FILE,
    Group,
    baseline_option,
    browser_option,
    check_option,
    cluster_option,
    diff_option,
    explain_option,
    explained,
    given,
    given_or_misused,
    given_or_refused,
    jobs_option,
    json_option,
    option,
    output_option,
    paths_argument,
    port_option,
    quiet_option,
    report_option,
    stdin_filename_option,
    verbose_option,
)
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.mesh.treatment import Method
from sdfinertia.options import METHOD

if TYPE_CHECKING:
    from sdfinertia.documents.repairing import By
    from sdfinertia.runs.outcomes import Jobs

# Named here, because asking for help must not load what prints bodies and findings; tests hold them to what does.
NOTATIONS = ["pi_cm", "pi_o", "theta", "drake", "urdf", "scalars", "mjcf"]
CHECK_FORMATS = ["text", "json", "github", "sarif", "junit"]
WAYS = ["cause", "twin", "geometry", "nearest"]


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", message="sdfinertia %(version)s")
def main() -> None:
    """Computes, writes and checks the inertials of SDFormat robot models."""
    # Nothing here multiplies matrices large enough for the threads of numpy's library, and starting them takes longer
    # than most files. It is looked at when numpy is loaded, here or in the processes of a run.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@main.command()
@paths_argument
@output_option
@diff_option
@check_option
@report_option("Write what was done to FILE (.md .json .html).")
@stdin_filename_option
@jobs_option
@cluster_option
@quiet_option("errors")
@verbose_option
@click.pass_context
def fill(
    context: click.Context,
    /,
    paths: tuple[str, ...],
    stdin_filename: str | None,
    jobs: int | None,
    cluster: str | None,
    quiet: bool,
    verbose: bool,
    **sinks: Any,
) -> NoReturn:
    """Compute the inertials of links that ask for it and write them into the files.

    PATH is an SDF file, a directory with models, or - for standard input. Selected are links with
    <inertial auto="true">, and blocks filled before whose geometry has changed since.
    """
    _leave_garbage()
    from sdfinertia.commands.fill import Sinks, run_fill
    from sdfinertia.runs.configuration import is_in_pre_commit

    wanted = Sinks(verbosity=verbose - quiet, is_hook=is_in_pre_commit(), **sinks)
    asked = given_or_refused(context)
    _exit_after(lambda jobs: run_fill(paths, asked, wanted, stdin_filename, jobs), jobs, cluster)


@main.command()
@paths_argument
@option("block", "--fix", is_flag=True, help="Apply the fixes that are safe: of SDI001, SDI002 and SDI107.")
@option("block", "--unsafe-fixes", is_flag=True, help="Apply all fixes, those that make up a mass too: SDI104.")
@diff_option
@option(
    "block", "--statistics", is_flag=True, help="Print how often each rule finds something instead of what it finds."
)
@option("block", "--exit-zero", "exits_zero", is_flag=True, help="Exit with 0 although something is found.")
@option("run", "--watch", is_flag=True, help="Check again when a file changes, until Ctrl-C.")
@explain_option
@baseline_option
@option(
    "rules",
    "--write-baseline",
    "new_baseline",
    metavar="FILE",
    type=FILE,
    help="Write all findings to FILE, as known, and exit with 0.",
)
@option("block", "--format", type=click.Choice(CHECK_FORMATS), default="text", help="Format of the findings.")
@report_option("Findings to FILE (.md .json .sarif .xml .html) too.")
@stdin_filename_option
@jobs_option
@cluster_option
@quiet_option("findings and errors")
@verbose_option
@click.pass_context
def check(
    context: click.Context,
    /,
    paths: tuple[str, ...],
    explain: None,
    watch: bool,
    jobs: int | None,
    cluster: str | None,
    quiet: bool,
    verbose: bool,
    **request: Any,
) -> NoReturn:
    """Tell which inertials are unfilled, stale, impossible or defaults, and why.

    Exit status: 0 nothing found, 1 findings, 2 something could not be judged.
    """
    _leave_garbage()
    from sdfinertia.commands.check import CheckRequest, run_check

    wanted = CheckRequest(verbosity=verbose - quiet, **request)
    asked = given_or_refused(context)
    if watch:
        if jobs is not None or cluster is not None or wanted.stdin_filename is not None:
            raise click.UsageError("--watch goes with neither --jobs, --cluster nor --stdin-filename")
        from sdfinertia.commands.watching import run_watched

        sys.exit(run_watched(paths, asked, wanted))
    _exit_after(lambda jobs: run_check(paths, asked, wanted, jobs), jobs, cluster)


@main.command()
@paths_argument
@option("block", "--by", type=click.Choice(WAYS), default="cause", help="What takes the place of wrong numbers.")
@output_option
@diff_option
@check_option
@report_option("Write what was done to FILE: .md is a bug report to send (.md .json .html).")
@stdin_filename_option
@jobs_option
@quiet_option("errors")
@verbose_option
@click.pass_context
def repair(
    context: click.Context,
    /,
    paths: tuple[str, ...],
    by: By,
    stdin_filename: str | None,
    jobs: int | None,
    quiet: bool,
    verbose: bool,
    **sinks: Any,
) -> NoReturn:
    """Mend inertials in which check finds something wrong with the numbers, and leave all others.

    By cause, only what is certain is undone: a decimal point that is missing, products with the wrong signs. The
    twin's numbers, those of the geometry at the same mass, or the nearest that a body can have are written where they
    are asked for; --link says where.
    """
    _leave_garbage()
    from sdfinertia.commands.fill import Sinks, run_fill
    from sdfinertia.runs.outcomes import Jobs

    wanted = Sinks(verbosity=verbose - quiet, **sinks)
    sys.exit(run_fill(paths, given_or_refused(context), wanted, stdin_filename, Jobs(jobs), by))


@main.command()
@paths_argument
@option("block", "--as", "notation", type=click.Choice(NOTATIONS), help="One line a body, in another notation.")
@json_option
@option("block", "--computed", "with_computed", is_flag=True, help="Also what fill would write, and the difference.")
@option(
    "block",
    "--lumped",
    "is_lumped",
    is_flag=True,
    help="Links of URDF that fixed joints connect as one, as in Gazebo; those of SDF stay apart there too.",
)
@option("block", "--twins", "are_twins", is_flag=True, help="Left links beside right ones, mirrored, and what differs.")
@option("run", "--watch", is_flag=True, help="Show the page on a local server, and what is on disk as it changes.")
@port_option
@browser_option
@report_option("Write a page with the models in 3-D (.html).")
@stdin_filename_option
@click.pass_context
def show(
    context: click.Context,
    /,
    paths: tuple[str, ...],
    watch: bool,
    port: int,
    browser: bool,
    **shown: Any,
) -> NoReturn:
    """Show the mass properties of links, written or computed, of their collisions, and of mesh files."""
    asked = given_or_misused(context)
    if watch:
        others = ("notation", "as_json", "are_twins", "reports", "stdin_filename")
        if len(paths) != 1 or any(shown[name] for name in others):
            raise click.UsageError("--watch takes one PATH, and goes with no other form of the numbers")
        from sdfinertia.commands.edit import run_edit

        sys.exit(run_edit(paths[0], asked, port=port, opens_browser=browser, watch=True))
    _leave_garbage()
    from sdfinertia.commands.show import run_show

    sys.exit(run_show(paths, asked, **shown))


@main.command()
@click.argument("path", metavar="PATH", type=FILE)
@port_option
@browser_option
@click.pass_context
def edit(context: click.Context, /, path: str, port: int, browser: bool) -> NoReturn:
    """Change inertials and simple shapes in a page on a local server; nothing is written before Save there.

    PATH is an SDF or URDF file, or a directory with one. Needs the extra: pip install sdfinertia[edit].
    """
    from sdfinertia.commands.edit import run_edit

    sys.exit(run_edit(path, given_or_misused(context), port=port, opens_browser=browser))


@main.command()
@baseline_option
@click.pass_context
def lsp(context: click.Context, /, baseline: str | None) -> NoReturn:
    """Serve an editor: what check finds while a model is typed, and what fill, check --fix and repair would write.

    Speaks the language server protocol over standard input and output. Needs the extra: pip install sdfinertia[lsp].
    """
    from sdfinertia.lsp import run_lsp

    sys.exit(run_lsp(given_or_misused(context), baseline=baseline))


@main.command()
@click.argument("file", metavar="FILE", type=FILE)
@option("mass", "--mass", type=float, metavar="KG", help="Scale each link to this mass.")
@option("mass", "--density", type=float, metavar="KG/M3", help="Scale each to this mean density of its collisions.")
@option("mass", "--size", metavar="FACTORS", help="Factor on lengths, or one for each axis of the link: '1 1 2'.")
@output_option
@diff_option
@stdin_filename_option
@click.pass_context
def scale(context: click.Context, /, file: str, **asked: Any) -> NoReturn:
    """Rescale explicit inertials with mass, density or size.

    Takes exactly one of --mass, --density and --size. Mass and tensor grow with density; at the same density a size
    factor s takes the mass by s³ and the tensor by s⁵, and three factors stretch the body along the axes of its link.
    """
    from sdfinertia.commands.scale import run_scale

    sys.exit(run_scale(file, given(context).options.link, **asked))


@main.command()
@click.argument("code", required=False)
def rules(code: str | None) -> None:
    """List the rules of check, or explain one."""
    from sdfinertia.report.findings import rule_table

    click.echo(rule_table() if code is None else explained(code))


@main.command()
@paths_argument
@option("meshes", "--method", type=click.Choice(METHOD.choices), help=METHOD.help)
@option("meshes", "--scale", metavar="FACTORS", help="Factor on the vertices, or three: '1 -1 1'.")
@option("meshes", "--submesh", metavar="NAME", help="Only the part of that name.")
@option("block", "--list", "lists_names", is_flag=True, help="List the names of submeshes.")
@json_option
@report_option("Write a row for each file to FILE (.jsonl .csv .parquet) instead of printing.")
@stdin_filename_option
@jobs_option
@cluster_option
@click.pass_context
def mesh(
    context: click.Context,
    /,
    paths: tuple[str, ...],
    method: str | None,
    scale: str | None,
    submesh: str | None,
    lists_names: bool,
    as_json: bool,
    reports: tuple[str, ...],
    stdin_filename: str | None,
    jobs: int | None,
    cluster: str | None,
) -> NoReturn:
    """Tell what bare mesh files are like, and their mass properties.

    PATH is a mesh file, a directory with some, a glob, or - for standard input. With --report rows whose files have
    not changed since are taken over from the table that is there.
    """
    from sdfinertia.commands.mesh import MeshRequest, parse_scale, run_mesh
    from sdfinertia.robot.values import DEFAULT_DENSITY

    options = given_or_misused(context).options
    treatment = options.mesh_treatment(Method(method) if method is not None else Method.EXACT)
    density = DEFAULT_DENSITY if options.density is None else options.density
    try:
        factors = parse_scale(scale)
    except ConfigurationError as error:
        raise click.UsageError(str(error)) from None
    if reports:
        if as_json or lists_names or stdin_filename is not None or "-" in paths:
            raise click.UsageError("--report takes files, and goes with neither --json, --list nor -")
        from sdfinertia.commands.mesh_table import run_mesh_table
        from sdfinertia.runs.mesh_rows import MeshWeighing

        weighing = MeshWeighing.of_this_program(density, treatment, options, factors, submesh)
        _exit_after(lambda jobs: run_mesh_table(paths, weighing, reports, jobs), jobs, cluster)
    if jobs is not None or cluster is not None:
        raise click.UsageError("--jobs and --cluster go with --report")
    request = MeshRequest(density, factors, submesh, treatment, options, lists_names, as_json)
    sys.exit(run_mesh(paths, request, stdin_filename))


def _exit_after(run: Callable[[Jobs], int], jobs: int | None, cluster: str | None) -> NoReturn:
    """Ends with the exit status of a run over files, once there is what works on them."""
    from sdfinertia.runs.outcomes import Jobs

    if cluster is None:
        sys.exit(run(Jobs(jobs)))
    if jobs is not None:
        raise click.UsageError("--jobs are processes here, and go not with --cluster")
    from sdfinertia.runs.cluster import cluster_jobs

    # What is read is read on the workers, and the library that speaks with them leaves rings of objects behind.
    gc.enable()
    try:
        with cluster_jobs(cluster) as workers:
            status = run(workers)
    except SdfInertiaError as error:
        from sdfinertia.report.tally import ExitStatus
        from sdfinertia.report.terminal import ERROR, say

        say(str(error), style=ERROR)
        status = ExitStatus.REFUSED
    sys.exit(status)


def _leave_garbage() -> None:
    """Keeps Python from looking for garbage, also at the end of the process.

    Trees of elements are large and live as long as their file: looking through them is time for nothing.
    """
    gc.disable()
    atexit.register(gc.freeze)
