"""The command line: arguments in, exit status out. Each command imports what it needs."""

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
MESH_NOTATIONS = ["sdf", *NOTATIONS]
CHECK_FORMATS = ["text", "json", "github", "sarif", "junit"]
WAYS = ["cause", "twin", "geometry", "nearest"]


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", message="sdfinertia %(version)s")
def main() -> None:
    """Compute, write, check and repair the inertials of SDF and URDF robots."""
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

    PATH is an SDF or URDF file, a directory with models, or - for standard input. Links ask by
    <inertial auto="true">, in URDF by a comment <!-- sdfinertia: auto -->. Links filled before are filled again if
    their geometry has changed.
    """
    _leave_garbage()
    from sdfinertia.commands.fill import Sinks, run_fill
    from sdfinertia.runs.configuration import is_in_pre_commit

    wanted = Sinks(verbosity=verbose - quiet, is_hook=is_in_pre_commit(), **sinks)
    asked = given_or_refused(context)
    _exit_after(lambda jobs: run_fill(paths, asked, wanted, stdin_filename, jobs), jobs, cluster)


@main.command()
@paths_argument
@option("block", "--fix", is_flag=True, help="Apply the safe fixes: SDI001, SDI002 and SDI107.")
@option("block", "--unsafe-fixes", is_flag=True, help="Apply all fixes, also those that assume a mass: SDI104.")
@diff_option
@option("block", "--statistics", is_flag=True, help="Print a count for each rule instead of the findings.")
@option("block", "--exit-zero", "exits_zero", is_flag=True, help="Exit with 0 even if something is found.")
@option("run", "--watch", is_flag=True, help="Check again when a file changes, until Ctrl-C.")
@explain_option
@baseline_option
@option(
    "rules",
    "--write-baseline",
    "new_baseline",
    metavar="FILE",
    type=FILE,
    help="Write all findings to FILE as known, and exit with 0.",
)
@option("block", "--format", type=click.Choice(CHECK_FORMATS), default="text", help="Format of the findings.")
@report_option("Also write the findings to FILE (.md .json .sarif .xml .html).")
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
    """Find inertials that are missing, stale, physically impossible or placeholders, and say why.

    PATH is an SDF or URDF file, a directory with models, or - for standard input. Exit status: 0 nothing found,
    1 findings, 2 something could not be read.
    """
    _leave_garbage()
    from sdfinertia.commands.check import CheckRequest, run_check

    wanted = CheckRequest(verbosity=verbose - quiet, **request)
    asked = given_or_refused(context)
    if watch:
        if jobs is not None or cluster is not None or wanted.stdin_filename is not None:
            raise click.UsageError("--watch cannot be combined with --jobs, --cluster or --stdin-filename")
        from sdfinertia.commands.watching import run_watched

        sys.exit(run_watched(paths, asked, wanted))
    _exit_after(lambda jobs: run_check(paths, asked, wanted, jobs), jobs, cluster)


@main.command()
@paths_argument
@option("block", "--by", type=click.Choice(WAYS), default="cause", help="What replaces wrong numbers.")
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
    """Fix inertials whose numbers are wrong, and leave all others unchanged.

    By cause, mistakes that are certain are undone, such as a missing decimal point or products with the wrong sign. By
    twin, the numbers of the mirrored link are written; by geometry, they are computed at the same mass; by nearest,
    the nearest valid tensor is written.
    """
    _leave_garbage()
    from sdfinertia.commands.fill import Sinks, run_fill
    from sdfinertia.runs.outcomes import Jobs

    wanted = Sinks(verbosity=verbose - quiet, **sinks)
    sys.exit(run_fill(paths, given_or_refused(context), wanted, stdin_filename, Jobs(jobs), by))


@main.command()
@paths_argument
@option("block", "--as", "notation", type=click.Choice(NOTATIONS), help="Print one line per body, in another notation.")
@json_option
@option(
    "block", "--computed", "with_computed", is_flag=True, help="Also show what fill would write, and the difference."
)
@option(
    "block",
    "--lumped",
    "is_lumped",
    is_flag=True,
    help="Show URDF links joined by fixed joints as one, as Gazebo does; SDF links stay separate there too.",
)
@option(
    "block", "--twins", "are_twins", is_flag=True, help="Show left links beside right ones, mirrored, and what differs."
)
@option("run", "--watch", is_flag=True, help="Serve the page locally, and update it when the file changes.")
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
            raise click.UsageError(
                "--watch takes one PATH, and none of --as, --json, --twins, --report and --stdin-filename"
            )
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
    """Edit inertials and simple shapes in the browser; nothing is written before Save.

    PATH is an SDF or URDF file, or a directory with one. Needs: pip install sdfinertia[edit].
    """
    from sdfinertia.commands.edit import run_edit

    sys.exit(run_edit(path, given_or_misused(context), port=port, opens_browser=browser))


@main.command()
@baseline_option
@click.pass_context
def lsp(context: click.Context, /, baseline: str | None) -> NoReturn:
    """Show an editor what check finds while a model is typed, and what fill, check --fix and repair would write.

    A language server over standard input and output. Needs the extra: pip install sdfinertia[lsp].
    """
    from sdfinertia.lsp import run_lsp

    sys.exit(run_lsp(given_or_misused(context), baseline=baseline))


@main.command()
@click.argument("file", metavar="FILE", type=FILE)
@option("mass", "--mass", type=float, metavar="KG", help="Scale each link to this mass.")
@option(
    "mass", "--density", type=float, metavar="KG/M3", help="Scale each link to this mean density of its collisions."
)
@option(
    "mass",
    "--size",
    metavar="FACTORS",
    help="Scale lengths by this factor, or by one for each axis of the link: '1 1 2'.",
)
@output_option
@diff_option
@stdin_filename_option
@click.pass_context
def scale(context: click.Context, /, file: str, **asked: Any) -> NoReturn:
    """Scale written inertials by mass, density or size.

    Takes exactly one of --mass, --density and --size. Mass and tensor scale with density. At the same density a size
    factor s scales the mass by s³ and the tensor by s⁵; three factors stretch the body along the axes of its link.
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
@option(
    "meshes", "--scale", metavar="FACTORS", help="Scale the vertices by this factor, or by one for each axis: '1 -1 1'."
)
@option("meshes", "--submesh", metavar="NAME", help="Only the submesh of that name.")
@option("block", "--list", "lists_names", is_flag=True, help="List the names of submeshes.")
@option("block", "--as", "notation", type=click.Choice(MESH_NOTATIONS), help="Print the body alone, in a notation.")
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
    notation: str | None,
    as_json: bool,
    reports: tuple[str, ...],
    stdin_filename: str | None,
    jobs: int | None,
    cluster: str | None,
) -> NoReturn:
    """Diagnose mesh files and print their mass properties.

    PATH is a mesh file, a directory, a glob, or - for standard input. `--as urdf` makes a link of a STEP file, with the
    extra `cad`. Rows of files that have not changed are taken from the table that exists.
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
        if as_json or lists_names or notation or stdin_filename is not None or "-" in paths:
            raise click.UsageError("--report cannot be combined with --json, --as, --list, --stdin-filename or -")
        from sdfinertia.commands.mesh_table import run_mesh_table
        from sdfinertia.runs.mesh_rows import MeshWeighing

        weighing = MeshWeighing.of_this_program(density, treatment, options, factors, submesh)
        _exit_after(lambda jobs: run_mesh_table(paths, weighing, reports, jobs), jobs, cluster)
    if jobs is not None or cluster is not None:
        raise click.UsageError("--jobs and --cluster need --report")
    if sum((as_json, lists_names, notation is not None)) > 1:
        raise click.UsageError("--json, --as and --list cannot be combined")
    request = MeshRequest(density, factors, submesh, treatment, options, lists_names, as_json, notation)
    sys.exit(run_mesh(paths, request, stdin_filename))


def _exit_after(run: Callable[[Jobs], int], jobs: int | None, cluster: str | None) -> NoReturn:
    """Ends with the exit status of a run over files, once there is what works on them."""
    from sdfinertia.runs.outcomes import Jobs

    if cluster is None:
        sys.exit(run(Jobs(jobs)))
    if jobs is not None:
        raise click.UsageError("--jobs cannot be combined with --cluster")
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
