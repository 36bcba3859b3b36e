"""The command line: arguments in, exit status out. All else is imported by the command that needs it."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn, TypeVar

import click

from sdfinertia import __version__
from sdfinertia.declaration import Declaration, Kind, OptionValue, long_name
from sdfinertia.options import METHOD, OPTIONS, GivenOptions

if TYPE_CHECKING:
    from sdfinertia.runs.outcomes import Jobs

# Named here, because asking for help must not load what prints bodies and findings; tests hold them to what does.
NOTATIONS = ["pi_cm", "pi_o", "theta", "drake", "urdf", "scalars", "mjcf"]
CHECK_FORMATS = ["text", "json", "github", "sarif", "junit"]
WAYS = ["cause", "twin", "geometry", "nearest"]

_Function = TypeVar("_Function", bound=Callable[..., object])
# Where the values of options are kept until all are parsed: click's own place for what extends it.
_GIVEN = "sdfinertia.given"
# Fields without which a command makes no sense.
_REQUIRED = {"scale": ("link",)}


# Options --------------------------------------------------------------------------------------------------------------


class _Command(click.Command):
    """A command with those of the declared options that it takes; what is given of them is found by `_given`.

    They are made when the command is called, so that a run of one does not wait for the options of all. Click's own
    defaults are not used: they hold for a whole run, and configuration for each file.
    """

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The parameters: arguments, declared options, options of a run."""
        if not any(isinstance(option, click.Option) and option.callback is _keep_if_given for option in self.params):
            required = _REQUIRED.get(self.name or "", ())
            self.params[1:1] = [
                _click_option(name, declaration, required=name in required, is_kept=True)
                for name, declaration in OPTIONS.items()
                if self.name in declaration.takers
            ]
        return super().get_params(ctx)


def _click_option(
    name: str, declaration: Declaration, *, required: bool = False, is_kept: bool = False
) -> click.Option:
    """An option as click knows it.

    Args:
        is_kept: whether its value is kept for `_given`, and not handed to the command.
    """
    long = long_name(name)
    return click.Option(
        [f"--{long}/--no-{long}" if declaration.default is True else f"--{long}"],
        type=_click_type(declaration),
        is_flag=declaration.kind is Kind.FLAG,
        multiple=declaration.kind.is_repeatable,
        default=declaration.default if declaration.kind is Kind.FLAG else None,
        metavar=declaration.metavar,
        help=declaration.help,
        required=required,
        expose_value=not is_kept,
        callback=_keep_if_given if is_kept else None,
    )


def _click_type(
    declaration: Declaration,
) -> click.ParamType[bool] | click.ParamType[float] | click.ParamType[int] | click.ParamType[str]:
    match declaration.kind:
        case Kind.FLAG:
            return click.BOOL
        case Kind.NUMBER:
            return click.FLOAT
        case Kind.WHOLE:
            return click.INT
        case Kind.CHOICE:
            return click.Choice(declaration.choices)
        case Kind.TEXT | Kind.DIRECTORY | Kind.TEXTS | Kind.CODES | Kind.DIRECTORIES | Kind.PATH_GLOBS:
            return click.STRING


def _keep_if_given(context: click.Context, option: click.Parameter, value: OptionValue) -> None:
    if option.name and context.get_parameter_source(option.name) is click.core.ParameterSource.COMMANDLINE:
        context.meta.setdefault(_GIVEN, {})[option.name] = value


def _given(context: click.Context) -> GivenOptions:
    """The options that were given on the command line: configuration may still decide the others.

    Raises:
        ConfigurationError: a value is out of range.
    """
    return GivenOptions.of(context.meta.get(_GIVEN, {}))


# Those of a run, not of its files, have no key in configuration files. Each stands here once, whoever takes it.
_paths_argument = click.argument("paths", nargs=-1, required=True, metavar="PATH...")
_output_option = click.option(
    "-o", "--output", metavar="FILE", help="Write to FILE instead of the input; - is standard output."
)
_diff_option = click.option("--diff", is_flag=True, help="Print a unified diff instead of writing.")
_stdin_filename_option = click.option(
    "--stdin-filename", metavar="NAME", help="The place that - has, for relative uris and configuration."
)
_jobs_option = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes that work on the files (default: one, or one per core for much work).",
)
_cluster_option = click.option(
    "--cluster", metavar="ADDRESS", help="Work on the Dask cluster whose scheduler is there, over a shared file system."
)
_port_option = click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Port to listen on (default: one that is free).",
)
_browser_option = click.option(
    "--browser/--no-browser", default=True, help="Open the page (default), or only tell its address."
)
_verbose_option = click.option("-v", "--verbose", is_flag=True, help="Say everything.")
_json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")


def _quiet_option(what_is_said: str) -> Callable[[_Function], _Function]:
    return click.option("-q", "--quiet", is_flag=True, help=f"Say nothing but {what_is_said}.")


def _report_option(help: str) -> Callable[[_Function], _Function]:
    return click.option("--report", "reports", multiple=True, metavar="FILE", help=help)


# Commands -------------------------------------------------------------------------------------------------------------


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", message="sdfinertia %(version)s")
def main() -> None:
    """Computes, writes and checks the inertials of SDFormat robot models."""
    # Nothing here multiplies matrices large enough for the threads of numpy's library, and starting them takes longer
    # than most files. It is looked at when numpy is loaded, here or in the processes of a run.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@main.command(cls=_Command)
@_paths_argument
@_output_option
@_diff_option
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if something would change.")
@_report_option("Write what was done to FILE (.md .json .html).")
@_stdin_filename_option
@_jobs_option
@_cluster_option
@_quiet_option("errors")
@_verbose_option
@click.pass_context
def fill(
    context: click.Context,
    /,
    paths: tuple[str, ...],
    output: str | None,
    diff: bool,
    check: bool,
    reports: tuple[str, ...],
    stdin_filename: str | None,
    jobs: int | None,
    cluster: str | None,
    quiet: bool,
    verbose: bool,
) -> NoReturn:
    """Compute the inertials of links that ask for it and write them into the files.

    PATH is an SDF file, a directory with models, or - for standard input. Selected are links with
    <inertial auto="true">, and blocks filled before whose geometry has changed since.
    """
    _leave_garbage()
    from sdfinertia.commands.file_filling import Sinks
    from sdfinertia.commands.fill import run_fill
    from sdfinertia.runs.configuration import is_in_pre_commit

    sinks = Sinks(output, diff, check, reports, verbose - quiet, is_in_pre_commit())
    given = _given_or_refused(context)
    _exit_after(lambda jobs: run_fill(paths, given, sinks, stdin_filename, jobs), jobs, cluster)


@main.command(cls=_Command)
@_paths_argument
@click.option("--fix", is_flag=True, help="Mend what can be mended: SDI001, SDI002, SDI104 and SDI107.")
@click.option("--baseline", metavar="FILE", help="Findings that are known and do not count.")
@click.option("--write-baseline", metavar="FILE", help="Write all findings to FILE, as known, and exit with 0.")
@click.option(
    "--format", "format_name", type=click.Choice(CHECK_FORMATS), default="text", help="Format of the findings."
)
@_report_option("Findings to FILE (.md .json .sarif .xml .html) too.")
@_stdin_filename_option
@_jobs_option
@_cluster_option
@_quiet_option("findings and errors")
@_verbose_option
@click.pass_context
def check(
    context: click.Context,
    /,
    paths: tuple[str, ...],
    fix: bool,
    baseline: str | None,
    write_baseline: str | None,
    format_name: str,
    reports: tuple[str, ...],
    stdin_filename: str | None,
    jobs: int | None,
    cluster: str | None,
    quiet: bool,
    verbose: bool,
) -> NoReturn:
    """Tell which inertials are unfilled, stale, impossible or defaults, and why.

    Exit status: 0 nothing found, 1 findings, 2 something could not be judged.
    """
    _leave_garbage()
    from sdfinertia.commands.check import CheckRequest, run_check

    request = CheckRequest(
        format=format_name,
        reports=reports,
        baseline=baseline,
        new_baseline=write_baseline,
        fix=fix,
        verbosity=verbose - quiet,
        stdin_filename=stdin_filename,
    )
    given = _given_or_refused(context)
    _exit_after(lambda jobs: run_check(paths, given, request, jobs), jobs, cluster)


@main.command(cls=_Command)
@_paths_argument
@click.option("--by", type=click.Choice(WAYS), default="cause", help="What takes the place of wrong numbers.")
@_output_option
@_diff_option
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if something would change.")
@_report_option("Write what was done to FILE: .md is a bug report to send (.md .json .html).")
@_stdin_filename_option
@_jobs_option
@_quiet_option("errors")
@_verbose_option
@click.pass_context
def repair(
    context: click.Context,
    /,
    paths: tuple[str, ...],
    by: str,
    output: str | None,
    diff: bool,
    check: bool,
    reports: tuple[str, ...],
    stdin_filename: str | None,
    jobs: int | None,
    quiet: bool,
    verbose: bool,
) -> NoReturn:
    """Mend inertials in which check finds something wrong with the numbers, and leave all others.

    By cause, only what is certain is undone: a decimal point that is missing, products with the wrong signs. The
    twin's numbers, those of the geometry at the same mass, or the nearest that a body can have are written where they
    are asked for; --link says where.
    """
    _leave_garbage()
    from sdfinertia.commands.file_filling import Sinks
    from sdfinertia.commands.repair import run_repair
    from sdfinertia.runs.outcomes import Jobs

    sinks = Sinks(output, diff, check, reports, verbose - quiet)
    sys.exit(run_repair(paths, _given_or_refused(context), by, sinks, stdin_filename, Jobs(jobs)))


@main.command(cls=_Command)
@_paths_argument
@click.option("--as", "notation", type=click.Choice(NOTATIONS), help="One line a body, in another notation.")
@_json_option
@click.option("--computed", "with_computed", is_flag=True, help="Also what fill would write, and the difference.")
@click.option(
    "--lumped",
    "is_lumped",
    is_flag=True,
    help="Links of URDF that fixed joints connect as one, as in Gazebo; those of SDF stay apart there too.",
)
@click.option("--twins", "are_twins", is_flag=True, help="Left links beside right ones, mirrored, and what differs.")
@click.option("--watch", is_flag=True, help="Show the page on a local server, and what is on disk as it changes.")
@_port_option
@_browser_option
@_report_option("Write a page with the models in 3-D (.html).")
@_stdin_filename_option
@click.pass_context
def show(
    context: click.Context,
    /,
    paths: tuple[str, ...],
    notation: str | None,
    as_json: bool,
    with_computed: bool,
    is_lumped: bool,
    are_twins: bool,
    watch: bool,
    port: int,
    browser: bool,
    reports: tuple[str, ...],
    stdin_filename: str | None,
) -> NoReturn:
    """Show the mass properties of links, written or computed, of their collisions, and of mesh files."""
    given = _given_or_misused(context)
    if watch:
        if len(paths) != 1 or notation or as_json or are_twins or reports or stdin_filename:
            raise click.UsageError("--watch takes one PATH, and goes with no other form of the numbers")
        from sdfinertia.commands.edit import run_edit

        sys.exit(run_edit(paths[0], given, port=port, opens_browser=browser, watch=True))
    _leave_garbage()
    from sdfinertia.commands.show import run_show

    sys.exit(
        run_show(
            paths,
            given,
            notation=notation,
            as_json=as_json,
            with_computed=with_computed,
            is_lumped=is_lumped,
            are_twins=are_twins,
            reports=reports,
            stdin_filename=stdin_filename,
        )
    )


@main.command(cls=_Command)
@click.argument("path", metavar="PATH")
@_port_option
@_browser_option
@click.pass_context
def edit(context: click.Context, /, path: str, port: int, browser: bool) -> NoReturn:
    """Change inertials and simple shapes in a page on a local server; nothing is written before Save there.

    PATH is an SDF or URDF file, or a directory with one. Needs the extra: pip install sdfinertia[edit].
    """
    from sdfinertia.commands.edit import run_edit

    sys.exit(run_edit(path, _given_or_misused(context), port=port, opens_browser=browser))


@main.command(cls=_Command)
@click.argument("file", metavar="FILE")
@click.option("--mass", type=float, metavar="KG", help="Scale each link to this mass.")
@click.option("--density", type=float, metavar="KG/M3", help="Scale each to this mean density of its collisions.")
@click.option("--size", metavar="FACTORS", help="Factor on lengths, or one for each axis of the link: '1 1 2'.")
@_output_option
@_diff_option
@_stdin_filename_option
@click.pass_context
def scale(
    context: click.Context,
    /,
    file: str,
    mass: float | None,
    density: float | None,
    size: str | None,
    output: str | None,
    diff: bool,
    stdin_filename: str | None,
) -> NoReturn:
    """Rescale explicit inertials with mass, density or size.

    Takes exactly one of --mass, --density and --size. Mass and tensor grow with density; at the same density a size
    factor s takes the mass by s³ and the tensor by s⁵, and three factors stretch the body along the axes of its link.
    """
    from sdfinertia.commands.scale import run_scale

    sys.exit(run_scale(file, _given(context).options.link, mass, density, size, output, diff, stdin_filename))


@main.command()
@click.argument("code", required=False)
def rules(code: str | None) -> None:
    """List the rules of check, or explain one."""
    from sdfinertia.report.findings.rules_report import explanation, rule_table

    try:
        click.echo(rule_table() if code is None else explanation(code))
    except LookupError:
        raise click.UsageError(f"there is no rule {code}; `sdfinertia rules` lists them") from None


@main.command(cls=_Command)
@_paths_argument
@click.option("--method", type=click.Choice(METHOD.choices), help=METHOD.help)
@click.option("--scale", metavar="FACTORS", help="Factor on the vertices, or three: '1 -1 1'.")
@click.option("--submesh", metavar="NAME", help="Only the part of that name.")
@click.option("--list", "lists_names", is_flag=True, help="List the names of submeshes.")
@_json_option
@_report_option("Write a row for each file to FILE (.jsonl .csv .parquet) instead of printing.")
@_stdin_filename_option
@_jobs_option
@_cluster_option
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
    from sdfinertia.description.parameters import DEFAULT_DENSITY
    from sdfinertia.errors import ConfigurationError
    from sdfinertia.mesh.treatment import Method

    options = _given_or_misused(context).options
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
    from sdfinertia.errors import SdfInertiaError
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


def _given_or_refused(context: click.Context) -> GivenOptions:
    """What was given, or the end of a run over files that cannot be as it was asked for."""
    from sdfinertia.errors import ConfigurationError

    try:
        return _given(context)
    except ConfigurationError as error:
        from sdfinertia.report.tally import ExitStatus
        from sdfinertia.report.terminal import ERROR, say

        say(str(error), style=ERROR)
        sys.exit(ExitStatus.REFUSED)


def _given_or_misused(context: click.Context) -> GivenOptions:
    """What was given, or the end of a run with a word on its use."""
    from sdfinertia.errors import ConfigurationError

    try:
        return _given(context)
    except ConfigurationError as error:
        raise click.UsageError(str(error)) from None


def _leave_garbage() -> None:
    """Keeps Python from looking for garbage, also at the end of the process.

    Trees of elements are large and live as long as their file: looking through them is time for nothing.
    """
    gc.disable()
    atexit.register(gc.freeze)
