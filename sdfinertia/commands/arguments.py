"""The arguments and options of the commands: those of the table of options, and those of a run, which have no key."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

import click

from sdfinertia.errors import ConfigurationError
from sdfinertia.options import OPTIONS, Option

_Function = TypeVar("_Function", bound=Callable[..., Any])
# None of what they name need exist; shells complete it.
FILE, _DIRECTORY = click.Path(readable=False), click.Path(file_okay=False, readable=False)
_CACHE = "SDFINERTIA_CACHE_DIR"


def takes(command: str) -> Callable[[_Function], Callable[..., Any]]:
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


def verbosity(settings: Mapping[str, Any]) -> dict[str, Any]:
    others = {name: value for name, value in settings.items() if name not in ("quiet", "verbose")}
    return {**others, "verbosity": settings["verbose"] - settings["quiet"]}


paths = click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=FILE)
output = click.option("-o", "--output", metavar="FILE", type=FILE, help="Write here instead; - is standard output.")
diff = click.option("--diff", is_flag=True, help="Print a unified diff instead of writing.")
check = click.option("--check", is_flag=True, help="Write nothing; exit with 1 at a change.")
stdin_filename = click.option("--stdin-filename", metavar="NAME", type=FILE, help="File name of standard input.")
jobs = click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Worker processes.")
cluster = click.option("--cluster", metavar="ADDRESS", help="Use the Dask cluster of this scheduler.")
baseline = click.option("--baseline", metavar="FILE", type=FILE, help="Known findings, which are not counted.")
quiet = click.option("-q", "--quiet", is_flag=True, help="Print only findings and errors.")
verbose = click.option("-v", "--verbose", is_flag=True, help="Print all details.")
text_or_json = click.option("--format", type=click.Choice(["text", "json"]), default="text", help="Format of output.")


def reports(help: str) -> Callable[[_Function], _Function]:
    return click.option("--report", "reports", multiple=True, metavar="FILE", type=FILE, help=help)
