"""The arguments and options of the commands: declared ones, and those of a run, with headings and shell completion."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from sdfinertia import __version__
from sdfinertia.commands.help_text import write_commands, write_completion, write_examples, write_options
from sdfinertia.declaration import REPEATABLE, Declaration, Kind, OptionValue, Topic
from sdfinertia.errors import ConfigurationError, WriteError
from sdfinertia.files.regular_file import reason_of
from sdfinertia.options import LONG_NAMES, OPTIONS, GivenOptions
from sdfinertia.report.rules import explanation
from sdfinertia.report.terminal import ERROR, ExitStatus, say
from sdfinertia.withdrawn import instead_of

_Function = TypeVar("_Function", bound=Callable[..., object])
# Key of parsed options in `ctx.meta`, click's place for extensions.
_GIVEN = "sdfinertia.given"
# Fields without which a command makes no sense.
_REQUIRED = {"scale": ("link",)}
# Runs over files, which report an option out of range as they report one in a configuration file.
_RUNS = ("fill", "check", "repair")


class _Helped(click.Command):
    """A command with a help option of its own: click's is translated in every run, which loads modules."""

    @cached_property
    def _own_help(self) -> click.Option:
        return _exiting_option("-h", "--help", help="Show this message and exit.", prints=click.Context.get_help)

    def get_help_option(self, ctx: click.Context) -> click.Option:
        return self._own_help


def _exiting_option(*names: str, help: str, prints: Callable[[click.Context], str]) -> click.Option:
    def callback(context: click.Context, _: click.Parameter, is_given: bool) -> None:
        if is_given and not context.resilient_parsing:
            click.echo(prints(context), color=context.color)
            context.exit()

    return Option(list(names), is_flag=True, expose_value=False, is_eager=True, callback=callback, help=help)


class Command(_Helped):
    """A command with the declared options that it takes; its function gets the given ones as its first argument.

    They are made when the command is called, so that one command does not wait for the options of all. Click's own
    defaults are not used: configuration decides them for each file.
    """

    @cached_property
    def _declared(self) -> list[click.Option]:
        taken = {name: each for name, each in OPTIONS.items() if self.name in each.commands}
        return [_click_option(name, each, name in _REQUIRED.get(self.name or "", ())) for name, each in taken.items()]

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        first, *others = super().get_params(ctx)
        return [first, *self._declared, *others]

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, self._with_long_names(ctx, args))
        except click.NoSuchOption as error:
            if instead := instead_of(error.option_name):
                raise click.UsageError(f"{error.option_name} is gone: {instead}", ctx) from None
            raise

    def _with_long_names(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments with `--quiet` for `-q`: click 8.5 looks for long names similar to each short one."""
        options = [option for option in self.get_params(ctx) if isinstance(option, click.Option)]
        with_values = {name for option in options if not option.is_flag for name in option.opts}
        long = {name: max(option.opts, key=len) for option in options for name in option.opts}
        found: list[str] = []
        for place, each in enumerate(args):
            if each == "--":
                return found + args[place:]
            is_value = place > 0 and args[place - 1] in with_values
            found.append(each if is_value else long.get(each, each))
        return found

    def invoke(self, ctx: click.Context) -> None:
        """Calls the function of the command, with the given options, and ends with the status it returns."""
        try:
            ctx.obj = GivenOptions.of(ctx.meta.get(_GIVEN, {}))
        except ConfigurationError as error:
            if self.name not in _RUNS:
                raise click.UsageError(str(error), ctx) from None
            say(str(error), style=ERROR)
            ctx.exit(ExitStatus.REFUSED)
        if "verbose" in ctx.params:
            ctx.params["verbosity"] = ctx.params.pop("verbose") - ctx.params.pop("quiet")
        ctx.exit(super().invoke(ctx) or 0)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:

        write_options(self.get_params(ctx), ctx, formatter)
        write_examples(self.name or "", formatter)


class Group(_Helped, click.Group):
    """Commands that are made lazily: one does not wait for the options of all."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        version = _exiting_option(
            "-V", "--version", help="Show the version and exit.", prints=lambda _: f"sdfinertia {__version__}"
        )
        self.params.append(version)
        self._declared: dict[str, tuple[Callable[..., object], tuple[Callable[[Any], Any], ...]]] = {}

    def takes(self, *options: Callable[[Any], Any]) -> Callable[[_Function], _Function]:
        """Declares a command: the function that runs it, with its options."""

        def declared(function: _Function) -> _Function:
            self._declared[function.__name__] = (function, options)
            return function

        return declared

    def get_command(self, ctx: click.Context | None, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.commands and cmd_name in self._declared:
            function, options = self._declared[cmd_name]
            for option in reversed(options):
                function = option(function)
            self.commands[cmd_name] = click.command(cls=Command)(function)
        return self.commands.get(cmd_name)

    def list_commands(self, ctx: click.Context | None) -> list[str]:
        return sorted(self._declared)

    def every_command(self) -> dict[str, click.Command]:
        """All commands by name."""
        made = {name: self.get_command(None, name) for name in self.list_commands(None)}
        return {name: command for name, command in made.items() if command is not None}

    def main(self, *arguments: Any, **settings: Any) -> Any:
        """Runs a command, or prints its help or completions, and ends with its status."""
        if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
            # A character that the encoding lacks is no reason to fail.
            sys.stdout.reconfigure(errors="replace")
        try:
            try:
                return super().main(*arguments, **settings)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
        except WriteError as error:
            click.echo(str(error), err=True)
            # `ExitStatus.REFUSED`, whose module is loaded with the code that prints.
            sys.exit(2)
        except OSError as error:
            # The rest of the buffer would fail once more at exit, with another status.
            with suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            # As click does where the reader has enough, such as `head`.
            if isinstance(error, BrokenPipeError):
                sys.exit(1)
            click.echo(f"{error.filename or 'standard output'}: cannot be written: {reason_of(error)}", err=True)
            sys.exit(2)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:

        write_commands(self, ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:

        write_completion(formatter)


class Option(click.Option):
    def __init__(self, *names: Any, topic: Topic = "run", help: str | None = None, **settings: Any) -> None:
        super().__init__(*names, **settings)
        # Click would clean its indentation, by `inspect`; it has none.
        self.topic, self.help = topic, help

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """For an option that is on by default, the words that turn it off."""
        record = super().get_help_record(ctx)
        return (", ".join(self.secondary_opts), record[1]) if record and self.secondary_opts else record


class _Place(click.types.StringParamType):
    """A text that names a file or directory, for completion in a shell; it need not exist."""

    def __init__(self, kind: str) -> None:
        self._kind = kind

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:

        return [CompletionItem(incomplete, type=self._kind)]


FILE, _DIRECTORY = _Place("file"), _Place("dir")
# Of kinds that are not texts.
_TYPES: Mapping[Kind, click.ParamType[Any]] = {
    Kind.FLAG: click.BOOL,
    Kind.NUMBER: click.FLOAT,
    Kind.WHOLE: click.INT,
    Kind.DIRECTORY: _DIRECTORY,
    Kind.DIRECTORIES: _DIRECTORY,
}


# Declared options -----------------------------------------------------------------------------------------------------


def _click_option(name: str, declaration: Declaration, is_required: bool) -> click.Option:
    long = LONG_NAMES[name]
    return Option(
        [f"--{long}/--no-{long}" if declaration.default is True else f"--{long}"],
        topic=declaration.topic,
        type=click.Choice(declaration.choices) if declaration.choices else _TYPES.get(declaration.kind, click.STRING),
        is_flag=declaration.kind is Kind.FLAG,
        multiple=declaration.kind in REPEATABLE,
        default=declaration.default if declaration.kind is Kind.FLAG else None,
        metavar=declaration.metavar,
        help=declaration.help,
        required=is_required,
        expose_value=False,
        callback=_keep_if_given,
    )


def _keep_if_given(context: click.Context, option: click.Parameter, value: OptionValue) -> None:
    if option.name and context.get_parameter_source(option.name) is click.core.ParameterSource.COMMANDLINE:
        context.meta.setdefault(_GIVEN, {})[option.name] = value


# Options of a run -----------------------------------------------------------------------------------------------------

# They have no key in configuration files. Each is declared here once for all commands.


def option(topic: Topic, *names: str, **settings: Any) -> Callable[[_Function], _Function]:
    return click.option(*names, cls=Option, topic=topic, **settings)


paths = click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=FILE)
output = option(
    "block",
    "-o",
    "--output",
    metavar="FILE",
    type=FILE,
    help="Write to FILE instead of the input; - is standard output.",
)
diff = option("block", "--diff", is_flag=True, help="Print a unified diff instead of writing.")
check = option("block", "--check", is_flag=True, help="Write nothing; exit with 1 if something would change.")
stdin_filename = option(
    "files",
    "--stdin-filename",
    metavar="NAME",
    type=FILE,
    help="File name of standard input, for relative URIs and configuration.",
)
jobs = option(
    "run",
    "-j",
    "--jobs",
    type=click.IntRange(min=1),
    metavar="N",
    help="Worker processes (default: one, or one per core for large runs).",
)
cluster = option(
    "run",
    "--cluster",
    metavar="ADDRESS",
    help="Use the Dask cluster of this scheduler; it must share the file system.",
)
port = option(
    "run",
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    metavar="N",
    help="Port to listen on (default: a free one).",
)
browser = option("run", "--browser/--no-browser", default=True, help="Only print the address of the page.")
baseline = option("rules", "--baseline", metavar="FILE", type=FILE, help="Known findings, which are not counted.")
verbose = option("block", "-v", "--verbose", is_flag=True, help="Print all details.")
text_or_json = option(
    "block", "--format", type=click.Choice(["text", "json"]), default="text", help="Format of what is printed."
)


def quiet(what_is_said: str) -> Callable[[_Function], _Function]:
    return option("block", "-q", "--quiet", is_flag=True, help=f"Print only {what_is_said}.")


def reports(help: str) -> Callable[[_Function], _Function]:
    return option("block", "--report", "reports", multiple=True, metavar="FILE", type=FILE, help=help)


def explained(code: str) -> str:

    try:
        return explanation(code)
    except LookupError:
        raise click.UsageError(f"there is no rule {code}; `sdfinertia rules` lists them") from None
