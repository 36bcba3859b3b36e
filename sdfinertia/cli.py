"""The command line: arguments in, exit status out. Each command imports what it needs."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial, wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from sdfinertia import __version__
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.files import reason_of
from sdfinertia.options import KEYS, OPTIONS, PARAMETERS, Given, Option, Options, instead_of
from sdfinertia.report import ERROR, ExitStatus, say

if TYPE_CHECKING:
    from sdfinertia.runs import Jobs

NOTATIONS = ["pi_cm", "pi_o", "theta", "drake", "urdf", "scalars", "mjcf"]
MESH_NOTATIONS = ["sdf", *NOTATIONS]
CHECK_FORMATS = ["text", "json", "github", "sarif", "junit"]
COMPARISON_FORMATS = ["text", "json", "markdown"]
WAYS = ["cause", "twin", "geometry", "nearest"]

_Function = TypeVar("_Function", bound=Callable[..., Any])
# None of what they name need exist; shells complete it.
FILE, _DIRECTORY = click.Path(readable=False), click.Path(file_okay=False, readable=False)
_CACHE = "SDFINERTIA_CACHE_DIR"


def _takes(command: str) -> Callable[[_Function], Callable[..., Any]]:
    """Gives a command its options of the table; its function gets those that are given, by name, as first argument."""
    taken = [option for option in OPTIONS.values() if command in option.commands.split()]

    def decorated(function: _Function) -> Callable[..., Any]:
        @wraps(function)
        def run(**values: Any) -> Any:
            given: dict[str, Any] = {option.name: values.pop(option.name) for option in taken}
            # Click's defaults are not used: configuration decides them for each file.
            given = {name: value for name, value in given.items() if value is not None and value != ()}
            if directory := os.environ.get(_CACHE):
                given["cache"] = directory
            return function(given, **values)

        decorated: Callable[..., Any] = run
        for option in reversed(taken):
            decorated = _click_option(option)(decorated)
        return decorated

    return decorated


def _click_option(option: Option) -> Callable[[_Function], _Function]:
    named = f"--{option.long}/--no-{option.long}" if option.default is True else f"--{option.long}"
    return click.option(
        named,
        option.name,
        type=click.Choice(option.choices) if option.choices else _DIRECTORY if option.metavar == "DIR" else option.type,
        is_flag=option.type is bool,
        multiple=option.is_list,
        default=None,
        metavar=option.metavar,
        help=option.help,
        callback=_checked,
    )


def _checked(_: click.Context, parameter: click.Parameter, value: Any) -> Any:
    if value is None or value == ():
        return value
    option = OPTIONS[str(parameter.name)]
    try:
        return option.checked(value, option.long)
    except ConfigurationError as error:
        raise click.UsageError(str(error)) from None


def _verbosity(settings: Mapping[str, Any]) -> dict[str, Any]:
    others = {name: value for name, value in settings.items() if name not in ("quiet", "verbose")}
    return {**others, "verbosity": settings["verbose"] - settings["quiet"]}


_paths = click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=FILE)
_output = click.option("-o", "--output", metavar="FILE", type=FILE, help="Write here instead; - is standard output.")
_diff = click.option("--diff", is_flag=True, help="Print a unified diff instead of writing.")
_check = click.option("--check", is_flag=True, help="Write nothing; exit with 1 at a change.")
_stdin_filename = click.option("--stdin-filename", metavar="NAME", type=FILE, help="File name of standard input.")
_jobs = click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Worker processes.")
_cluster = click.option("--cluster", metavar="ADDRESS", help="Use the Dask cluster of this scheduler.")
_baseline = click.option("--baseline", metavar="FILE", type=FILE, help="Known findings, which are not counted.")
_quiet = click.option("-q", "--quiet", is_flag=True, help="Print only findings and errors.")
_verbose = click.option("-v", "--verbose", is_flag=True, help="Print all details.")
_text_or_json = click.option("--format", type=click.Choice(["text", "json"]), default="text", help="Format of output.")


def _reports(help: str) -> Callable[[_Function], _Function]:
    return click.option("--report", "reports", multiple=True, metavar="FILE", type=FILE, help=help)


# Commands -------------------------------------------------------------------------------------------------------------


class Commands(click.Group):
    """Commands whose functions return the exit status."""

    def invoke(self, ctx: click.Context) -> None:
        try:
            ctx.exit(super().invoke(ctx) or 0)
        except SdfInertiaError as error:
            say(str(error), style=ERROR)
            ctx.exit(ExitStatus.REFUSED)
        except KeyboardInterrupt as interrupt:
            say(str(interrupt) or "interrupted")
            ctx.exit(ExitStatus.INTERRUPTED)
        except click.NoSuchOption as error:
            name = error.option_name.removeprefix("--")
            if instead := instead_of(name):
                raise click.UsageError(f"--{name} is gone: {instead}", error.ctx) from None
            if name in KEYS or name.removeprefix("no-") in KEYS:
                raise click.UsageError(
                    f"--{name} is not an option here: set {name} in sdfinertia.toml", error.ctx
                ) from None
            raise

    def main(self, *arguments: Any, **settings: Any) -> Any:
        if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
            # A character that the encoding lacks is no reason to fail.
            sys.stdout.reconfigure(errors="replace")
        try:
            try:
                return super().main(*arguments, **settings)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
        except OSError as error:
            # The rest of the buffer would fail once more at exit, with another status.
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            # As click does where the reader has enough, such as `head`.
            if isinstance(error, BrokenPipeError):
                sys.exit(1)
            click.echo(f"{error.filename or 'standard output'}: cannot be written: {reason_of(error)}", err=True)
            sys.exit(2)


def _examples(*lines: str) -> str:
    # Click leaves the lines of a paragraph after this mark as they are.
    return "\n".join(("\b", *lines))


@click.group(cls=Commands, context_settings={"max_content_width": 100, "help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", message="sdfinertia %(version)s")
def main() -> None:
    """Compute, write, check and repair the inertials of SDF, URDF and MJCF robots."""
    # Nothing here multiplies matrices large enough for the threads of numpy's library, and starting them takes longer
    # than most files. It is set when numpy is loaded, here or in the processes of a run.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@main.command(
    epilog=_examples(
        "sdfinertia fill --diff models                           # what would change",
        "sdfinertia fill --missing --density 2700 model.sdf      # also links without <inertial>, as aluminium",
    )
)
@_paths
@_takes("fill")
@_output
@_diff
@_check
@_reports("Say here what was done (.md .json .html).")
@_stdin_filename
@_jobs
@_cluster
@_quiet
@_verbose
def fill(given: Given, paths: tuple[str, ...], jobs: int | None, cluster: str | None, **settings: Any) -> int:
    """Compute the inertials of links that ask for it, and write them.

    PATH is a file, a directory, or - for standard input. Links ask by <inertial auto="true">, in URDF and MJCF by a
    comment <!-- sdfinertia: auto -->. Those filled before are filled again if their geometry has changed.
    """
    from sdfinertia.commands.fill import FillRequest, run_fill

    request = FillRequest(**_verbosity(settings))
    return _with_jobs(lambda jobs: run_fill(paths, given, request, jobs), jobs, cluster)


@main.command(
    epilog=_examples(
        "sdfinertia check models                                 # what is wrong, and the likely mistake",
        "sdfinertia check --fix --diff models                    # what it would fill; without --diff it is written",
    )
)
@_paths
@_takes("check")
@click.option("--fix", is_flag=True, help="Fill links that ask or are stale, and fix rounding (SDI107).")
@_diff
@click.option("--exit-zero", "exits_zero", is_flag=True, help="Exit with 0 even if something is found.")
@_baseline
@click.option("--write-baseline", "new_baseline", metavar="FILE", type=FILE, help="Write all findings here as known.")
@click.option("--format", type=click.Choice(CHECK_FORMATS), default="text", help="Format of the findings.")
@_reports("Also write .md .json .sarif .xml or .html.")
@_stdin_filename
@_jobs
@_cluster
@_quiet
@_verbose
def check(given: Given, paths: tuple[str, ...], jobs: int | None, cluster: str | None, **settings: Any) -> int:
    """Find inertials that are missing, stale, physically impossible or placeholders, and say why.

    PATH is a file, a directory, or - for standard input. Exit status: 0 nothing found, 1 findings, 2 something could
    not be read.
    """
    from sdfinertia.commands.check import run_check

    return _with_jobs(lambda jobs: run_check(paths, given, jobs, **_verbosity(settings)), jobs, cluster)


@main.command(
    epilog=_examples(
        "sdfinertia repair --diff models                         # the repairs that are certain",
        "sdfinertia repair --by nearest --link '*wheel' model.sdf",
    )
)
@_paths
@_takes("repair")
@click.option("--by", type=click.Choice(WAYS), default="cause", help="What replaces wrong numbers.")
@_output
@_diff
@_check
@_reports("Say here what was done (.md .json .html).")
@_stdin_filename
@_jobs
@_quiet
@_verbose
def repair(given: Given, paths: tuple[str, ...], by: Any, jobs: int | None, **settings: Any) -> int:
    """Fix inertials whose numbers are wrong, and leave all others unchanged.

    By cause, mistakes that are certain are undone, such as a missing decimal point or products with the wrong sign. By
    twin, the numbers of the mirrored link are written; by geometry, they are computed at the same mass; by nearest,
    the nearest valid tensor is written.
    """
    from sdfinertia.commands.fill import FillRequest, run_fill
    from sdfinertia.documents.repairing import repair_document

    request = FillRequest(**_verbosity(settings), verb="repair")
    return _with_jobs(lambda jobs: run_fill(paths, given, request, jobs, partial(repair_document, by=by)), jobs)


@main.command(
    epilog=_examples(
        "sdfinertia show --computed model.sdf                    # written numbers beside computed ones",
        "sdfinertia show --as mjcf --density 700 wheel.obj       # a mesh as an MJCF inertial",
    )
)
@_paths
@_takes("show")
@click.option("--as", "notation", type=click.Choice(NOTATIONS), help="Print one line per body, in another notation.")
@_text_or_json
@click.option("--json", "format", flag_value="json", hidden=True, help="The same as --format json.")
@click.option("--computed", "with_computed", is_flag=True, help="Also what fill would write, and the difference.")
@click.option("--lumped", "is_lumped", is_flag=True, help="Show URDF links joined by fixed joints as one.")
@_reports("Write a page with the models in 3-D (.html).")
@_stdin_filename
def show(given: Given, paths: tuple[str, ...], **settings: Any) -> int:
    """Show the mass properties of links, written or computed, of their collisions, and of mesh files."""
    from sdfinertia.commands.show import ShowRequest, run_show

    return run_show(paths, given, ShowRequest(**settings))


@main.command(
    epilog=_examples(
        "sdfinertia compare robot.urdf robot.sdf                 # what a converter made of a robot",
        "sdfinertia compare --since HEAD model.sdf               # what changed since a revision of git",
    )
)
@click.argument("paths", metavar="[FIRST] [SECOND]", nargs=-1, type=FILE)
@_takes("compare")
@click.option("--tolerance", type=float, metavar="SHARE", help="Difference that is allowed (default 1e-6).")
@click.option("--lumped", is_flag=True, help="Sum links joined by fixed joints, as Gazebo and MuJoCo do.")
@click.option("--allow-unmatched", is_flag=True, help="Exit with 0 although links are in one file alone.")
@click.option("--rename", multiple=True, metavar="OLD=NEW", help="A link of FIRST is NEW in SECOND (repeatable, *).")
@click.option("--since", metavar="REV", help="Compare FIRST with itself at this revision of git.")
@click.option("--format", "form", type=click.Choice(COMPARISON_FORMATS), default="text", help="Format of the output.")
@_stdin_filename
@_reports("Also write .md or .json.")
def compare(given: Given, paths: tuple[str, ...], **settings: Any) -> int:
    """Compare the inertials of one robot in two files, of any formats, link by link.

    Without paths, the pairs of the tables [[compare]] in the configuration are compared. Exit status: 0 all links are
    equal, 1 something differs or is in one file alone, 2 something could not be read.
    """
    from sdfinertia.commands.compare import run_compare

    return run_compare(paths, given, **settings)


@main.command(
    epilog=_examples(
        "sdfinertia edit model.sdf",
        "sdfinertia edit --port 8000 --no-browser model.sdf      # over SSH, with the port forwarded",
    )
)
@click.argument("path", metavar="PATH", type=FILE)
@_takes("edit")
@click.option("--port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Port (default: a free one).")
@click.option("--browser/--no-browser", default=True, help="Open the page, or only print its address.")
def edit(given: Given, path: str, port: int, browser: bool) -> int:
    """Edit inertials and simple shapes in the browser; nothing is written before Save.

    PATH is a robot description, or a directory with one. Needs the extra `edit`.
    """
    from sdfinertia.commands.edit import run_edit

    return run_edit(path, given, port=port, opens_browser=browser)


@main.command(
    epilog=_examples("sdfinertia lsp                                          # the command that an editor runs")
)
@_takes("lsp")
@_baseline
def lsp(given: Given, baseline: str | None) -> int:
    """Show an editor what check finds while a model is typed, and what fill, check --fix and repair would write.

    A language server over standard input and output. Needs the extra `lsp`.
    """
    from sdfinertia.lsp import run_lsp

    return run_lsp(given, baseline=baseline)


@main.command(
    epilog=_examples(
        "sdfinertia scale model.sdf --link '*chassis' --mass 12",
        "sdfinertia scale model.sdf --link '*' --size '1 1 2' --diff",
    )
)
@click.argument("file", metavar="FILE", type=FILE)
@click.option("--link", "names", multiple=True, required=True, metavar="GLOB", help="Links to scale (repeatable).")
@click.option("--mass", type=float, metavar="KG", help="Scale each link to this mass.")
@click.option("--density", type=float, metavar="KG/M3", help="Scale to this mean density of the collisions.")
@click.option("--size", metavar="FACTORS", help="Scale lengths by one factor, or three: '1 1 2'.")
@_output
@_diff
@_stdin_filename
def scale(file: str, names: tuple[str, ...], **settings: Any) -> int:
    """Scale written inertials by mass, density or size.

    Takes exactly one of --mass, --density and --size. Mass and tensor scale with density. At the same density a size
    factor s scales the mass by s³ and the tensor by s⁵; three factors stretch the body along the axes of its link.
    """
    from sdfinertia.commands.scale import run_scale

    return run_scale(file, names, **settings)


@main.command(
    epilog=_examples(
        "sdfinertia rules                                        # all rules",
        "sdfinertia rules SDI103                                 # one, by its code or name",
    )
)
@click.argument("code", required=False)
def rules(code: str | None) -> None:
    """List the rules of check, or explain one."""
    from sdfinertia.report.explanations import explanation, rule_table

    try:
        click.echo(rule_table() if code is None else explanation(code))
    except LookupError:
        raise click.UsageError(f"there is no rule {code}; `sdfinertia rules` lists them") from None


@main.command(
    epilog=_examples(
        "sdfinertia mesh wheel.obj                               # is it watertight, and what is its mass",
        "sdfinertia mesh --scale 0.001 --density 7850 wheel.obj  # a file in millimetres, as steel",
    )
)
@_paths
@_takes("mesh")
@click.option("--method", type=click.Choice(PARAMETERS["method"].choices), help=PARAMETERS["method"].help)
@click.option("--scale", metavar="FACTORS", help="Scale by one factor, or three: '1 -1 1'.")
@click.option("--submesh", metavar="NAME", help="Only the submesh of that name.")
@click.option("--list", "lists_names", is_flag=True, help="List the names of submeshes.")
@click.option("--as", "notation", type=click.Choice(MESH_NOTATIONS), help="Print the body alone, in a notation.")
@_text_or_json
@_reports("Write a line of JSON for each file (.jsonl).")
@_stdin_filename
@_jobs
@_cluster
def mesh(
    given: Given,
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
    from sdfinertia.commands.mesh import mesh_weighing, run_mesh

    try:
        weighing = mesh_weighing(Options(**given), method, scale, submesh)
    except ConfigurationError as error:
        raise click.UsageError(str(error)) from None
    chosen = [printed["format"] == "json", printed["lists_names"], printed["notation"] is not None, bool(reports)]
    if sum(chosen) > 1:
        raise click.UsageError("only one of --format json, --as, --list and --report can be given")
    if not reports and (jobs is not None or cluster is not None):
        raise click.UsageError("--jobs and --cluster need --report")
    jobs = jobs if reports else 1
    return _with_jobs(lambda jobs: run_mesh(paths, weighing, reports=reports, jobs=jobs, **printed), jobs, cluster)


def _with_jobs(run: Callable[[Jobs], int], jobs: int | None, cluster: str | None = None) -> int:
    from sdfinertia.runs import Jobs

    if jobs is not None and cluster is not None:
        raise click.UsageError("--jobs cannot be combined with --cluster")
    if cluster is None:
        return run(Jobs(jobs))
    from sdfinertia.runs.executors import cluster_of

    with cluster_of(cluster) as workers:
        return run(Jobs(*workers))
