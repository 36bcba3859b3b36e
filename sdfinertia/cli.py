"""The command line: arguments in, exit status out. All else is imported by the command that needs it."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import Any, NoReturn

import click

from sdfinertia import __version__
from sdfinertia.mesh.treatment import ERROR, EXACT, METHODS, OPEN_MESH_POLICIES, OVERLAPS, SUM, MeshTreatment

# Named here, because asking for help must not load what prints findings.
NOTATIONS = ["pi_cm", "pi_o", "theta", "drake", "urdf", "scalars", "mjcf"]
CHECK_FORMATS = ["text", "json", "github", "sarif", "junit"]


# The number of cores is a property of the machine, so this one is not an option of the configuration.
_jobs_option = click.option(
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Processes that work on the files (default: one, or one per core for much work).",
)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, "-V", "--version", message="sdfinertia %(version)s")
def main() -> None:
    """Computes, writes and checks the inertials of SDFormat robot models."""
    # Nothing here multiplies matrices large enough for the threads of numpy's library, and starting them takes longer
    # than most files. It is looked at when numpy is loaded, here or in the processes of a run.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


@main.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--missing", is_flag=True, help="Also fill links of non-static models without <inertial>.")
@click.option("--all", is_flag=True, help="Also recompute hand-written inertials, keeping their mass.")
@click.option("--link", multiple=True, metavar="GLOB", help="Only links whose scoped name matches (repeatable).")
@click.option("--refresh/--no-refresh", default=True, help="Refill managed blocks that are stale (default).")
@click.option("--overwrite-edited", is_flag=True, help="Also refill managed blocks that were edited by hand.")
@click.option("--density", type=float, metavar="KG/M3", help="Density where the file gives none (default 1000).")
@click.option("--require-density", is_flag=True, help="Refuse to use the default density.")
@click.option("--total-mass", type=float, metavar="KG", help="Scale the selected links of each model to this sum.")
@click.option("--skip-unsupported", is_flag=True, help="Leave shapes without volume out instead of refusing them.")
@click.option("--open-mesh", type=click.Choice(OPEN_MESH_POLICIES), help="What becomes of meshes that are not closed.")
@click.option("--voxel-size", type=float, metavar="M", help="Edge of voxels (default: chosen for each mesh).")
@click.option("--thickness", type=float, metavar="M", help="Thickness of the walls of shells.")
@click.option("--overlaps", type=click.Choice(OVERLAPS), help="Count shared volume for each solid, or once.")
@click.option(
    "--geometry", type=click.Choice(["collision", "visual"]), help="Take visuals where there are no collisions."
)
@click.option("--axes", type=click.Choice(["link", "principal"]), help="Axes of the tensor that is written.")
@click.option("--auto", type=click.Choice(["remove", "false"]), help="What becomes of the attribute auto.")
@click.option("--digits", type=int, metavar="N", help="Significant digits written (default 12).")
@click.option("--provenance/--no-provenance", default=True, help="Write the comment that makes blocks checkable.")
@click.option("--keep-going", is_flag=True, help="Write a file although some of its links failed.")
@click.option("--resource-path", multiple=True, metavar="DIR", help="Look for models and meshes here first.")
@click.option("--confine", metavar="DIR", help="Refuse whatever resolves outside this directory.")
@click.option("--max-mesh-bytes", type=int, metavar="N", help="Read no mesh file that is longer (default 1 GiB).")
@click.option("--recursive", is_flag=True, help="Fill locally included files too.")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Pass over paths that match (repeatable).")
@click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of the input; - is standard output.")
@click.option("--diff", is_flag=True, help="Print a unified diff instead of writing.")
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if something would change.")
@click.option("--report", multiple=True, metavar="FILE", help="Write what was done to FILE (.md .json .html).")
@click.option("--stdin-filename", metavar="NAME", help="The place that - has, for relative uris and configuration.")
@_jobs_option
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but errors.")
@click.option("-v", "--verbose", is_flag=True, help="Say everything.")
@click.pass_context
def fill(context: click.Context, /, paths: tuple[str, ...], **values: Any) -> NoReturn:
    """Compute the inertials of links that ask for it and write them into the files.

    PATH is an SDF file, a directory with models, or - for standard input. Selected are links with
    <inertial auto="true">, and blocks filled before whose geometry has changed since.
    """
    _leave_garbage()
    from sdfinertia.commands.file_filling import Sinks
    from sdfinertia.commands.fill import run_fill
    from sdfinertia.runs.outcomes import Jobs

    sinks = Sinks(
        output=values.pop("output"),
        diff=values.pop("diff"),
        check=values.pop("check"),
        reports=values.pop("report"),
        verbosity=values.pop("verbose") - values.pop("quiet"),
    )
    stdin_filename = values.pop("stdin_filename")
    jobs = Jobs(values.pop("jobs"))
    sys.exit(run_fill(paths, _given(context, values), sinks, stdin_filename, jobs))


@main.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--select", multiple=True, metavar="CODE", help="Only these rules, or all that begin so (repeatable, or A,B)."
)
@click.option("--ignore", multiple=True, metavar="CODE", help="Not these rules (repeatable, or A,B).")
@click.option("--link", multiple=True, metavar="GLOB", help="Only links whose scoped name matches (repeatable).")
@click.option("--tolerance", type=float, metavar="SHARE", help="Difference that SDI204 allows (default 0.1).")
@click.option("--spin", type=float, metavar="RAD/S", help="Rate of turn that SDI301 judges (default 10).")
@click.option("--step", type=float, metavar="S", help="Step of the simulation where no world gives it (default 0.001).")
@click.option("--resource-path", multiple=True, metavar="DIR", help="Look for models and meshes here first.")
@click.option("--confine", metavar="DIR", help="Refuse whatever resolves outside this directory.")
@click.option("--max-mesh-bytes", type=int, metavar="N", help="Read no mesh file that is longer (default 1 GiB).")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Pass over paths that match (repeatable).")
@click.option("--fix", is_flag=True, help="Mend what can be mended: SDI001, SDI002, SDI104 and SDI107.")
@click.option("--baseline", metavar="FILE", help="Findings that are known and do not count.")
@click.option("--write-baseline", metavar="FILE", help="Write all findings to FILE, as known, and exit with 0.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["text", "json", "github", "sarif", "junit"]),
    default="text",
    help="Format of the findings.",
)
@click.option("--report", multiple=True, metavar="FILE", help="Findings to FILE (.md .json .sarif .xml .html) too.")
@click.option("--stdin-filename", metavar="NAME", help="The place that - has, for relative uris and configuration.")
@_jobs_option
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but findings and errors.")
@click.option("-v", "--verbose", is_flag=True, help="Say everything.")
@click.pass_context
def check(context: click.Context, /, paths: tuple[str, ...], **values: Any) -> NoReturn:
    """Tell which inertials are unfilled, stale, impossible or defaults, and why.

    Exit status: 0 nothing found, 1 findings, 2 something could not be judged.
    """
    _leave_garbage()
    from sdfinertia.commands.check import CheckRequest, run_check
    from sdfinertia.runs.outcomes import Jobs

    request = CheckRequest(
        format=values.pop("format_name"),
        reports=values.pop("report"),
        baseline=values.pop("baseline"),
        new_baseline=values.pop("write_baseline"),
        fix=values.pop("fix"),
        verbosity=values.pop("verbose") - values.pop("quiet"),
        stdin_filename=values.pop("stdin_filename"),
    )
    jobs = Jobs(values.pop("jobs"))
    sys.exit(run_check(paths, _given(context, values), request, jobs))


@main.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--as", "notation", type=click.Choice(NOTATIONS), help="One line a body, in another notation.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--computed", "with_computed", is_flag=True, help="Also what fill would write, and the difference.")
@click.option("--report", "reports", multiple=True, metavar="FILE", help="Write a page with the models in 3-D (.html).")
@click.option("--link", multiple=True, metavar="GLOB", help="Only links whose scoped name matches (repeatable).")
@click.option("--density", type=float, metavar="KG/M3", help="Density where the file gives none (default 1000).")
@click.option("--open-mesh", type=click.Choice(OPEN_MESH_POLICIES), help="What becomes of meshes that are not closed.")
@click.option("--thickness", type=float, metavar="M", help="Thickness of the walls of shells.")
@click.option("--resource-path", multiple=True, metavar="DIR", help="Look for models and meshes here first.")
@click.option("--confine", metavar="DIR", help="Refuse whatever resolves outside this directory.")
@click.option("--max-mesh-bytes", type=int, metavar="N", help="Read no mesh file that is longer (default 1 GiB).")
@click.option("--exclude", multiple=True, metavar="GLOB", help="Pass over paths that match (repeatable).")
@click.option("--stdin-filename", metavar="NAME", help="The place that - has, for relative uris and configuration.")
@click.pass_context
def show(
    context: click.Context,
    /,
    paths: tuple[str, ...],
    notation: str | None,
    as_json: bool,
    with_computed: bool,
    reports: tuple[str, ...],
    stdin_filename: str | None,
    **values: Any,
) -> NoReturn:
    """Show the mass properties of links, written or computed, of their collisions, and of mesh files."""
    _leave_garbage()
    from sdfinertia.commands.show import run_show
    from sdfinertia.errors import ConfigurationError
    from sdfinertia.options import Options

    given = _given(context, values)
    try:
        Options().replaced(given)
    except ConfigurationError as error:
        raise click.UsageError(str(error)) from None
    sys.exit(
        run_show(
            paths,
            given,
            notation=notation,
            as_json=as_json,
            with_computed=with_computed,
            reports=reports,
            stdin_filename=stdin_filename,
        )
    )


@main.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--link", "names", multiple=True, required=True, metavar="GLOB", help="Links by scoped name (repeatable)."
)
@click.option("--mass", type=float, metavar="KG", help="Scale each link to this mass.")
@click.option("--density", type=float, metavar="KG/M3", help="Scale each to this mean density of its collisions.")
@click.option("--size", metavar="FACTORS", help="Factor on lengths, or one for each axis of the link: '1 1 2'.")
@click.option("-o", "--output", metavar="FILE", help="Write to FILE instead of the input; - is standard output.")
@click.option("--diff", is_flag=True, help="Print a unified diff instead of writing.")
@click.option("--stdin-filename", metavar="NAME", help="The place that - has, for relative uris and configuration.")
def scale(
    file: str,
    names: tuple[str, ...],
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

    sys.exit(run_scale(file, names, mass, density, size, output, diff, stdin_filename))


@main.command()
@click.argument("code", required=False)
def rules(code: str | None) -> None:
    """List the rules of check, or explain one."""
    from sdfinertia.report.rules_report import explanation, rule_table

    try:
        click.echo(rule_table() if code is None else explanation(code))
    except LookupError:
        raise click.UsageError(f"there is no rule {code}; `sdfinertia rules` lists them") from None


@main.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--density", type=float, default=1000.0, metavar="KG/M3", help="Density (default 1000).")
@click.option("--scale", metavar="FACTORS", help="Factor on the vertices, or three: '1 -1 1'.")
@click.option("--submesh", metavar="NAME", help="Only the part of that name.")
@click.option("--open-mesh", type=click.Choice(OPEN_MESH_POLICIES), default=ERROR, help="What becomes of an open mesh.")
@click.option("--method", type=click.Choice(METHODS), default=EXACT, help="How its volume is found.")
@click.option("--voxel-size", type=float, metavar="M", help="Edge of voxels (default: chosen for the mesh).")
@click.option("--thickness", type=float, metavar="M", help="Thickness of the wall of a shell.")
@click.option(
    "--overlaps", type=click.Choice(OVERLAPS), default=SUM, help="Count shared volume for each body, or once."
)
@click.option("--max-mesh-bytes", type=int, metavar="N", help="Read no mesh file that is longer (default 1 GiB).")
@click.option("--list", "lists_names", is_flag=True, help="List the names of submeshes.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@click.option("--stdin-filename", metavar="NAME", help="The place that - has; its suffix tells the format.")
def mesh(
    files: tuple[str, ...],
    density: float,
    scale: str | None,
    submesh: str | None,
    max_mesh_bytes: int | None,
    lists_names: bool,
    as_json: bool,
    stdin_filename: str | None,
    **treatment: Any,
) -> NoReturn:
    """Tell what bare mesh files are like, and their mass properties."""
    from sdfinertia.commands.mesh import MeshRequest, parse_scale, run_mesh
    from sdfinertia.errors import ConfigurationError
    from sdfinertia.options import Options

    try:
        lengths = {name: treatment[name] for name in ("voxel_size", "thickness")}
        limits: dict[str, Any] = {} if max_mesh_bytes is None else {"max_mesh_bytes": max_mesh_bytes}
        options = Options(density=density, **lengths, **limits)
        factors, how = parse_scale(scale), MeshTreatment(**treatment)
        request = MeshRequest(density, factors, submesh, how, options.max_mesh_bytes, lists_names, as_json)
    except ConfigurationError as error:
        raise click.UsageError(str(error)) from None
    sys.exit(run_mesh(files, request, stdin_filename))


def _leave_garbage() -> None:
    """Keeps Python from looking for garbage, also at the end of the process.

    Trees of elements are large and live as long as their file: looking through them is time for nothing.
    """
    gc.disable()
    atexit.register(gc.freeze)


def _given(context: click.Context, values: dict[str, Any]) -> dict[str, Any]:
    """The values that were given on the command line: configuration may still decide the others."""
    source = click.core.ParameterSource.COMMANDLINE
    return {name: value for name, value in values.items() if context.get_parameter_source(name) is source}
