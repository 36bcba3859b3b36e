"""Each option stands once in the table, and command line, configuration, provenance and reference agree with it."""

from __future__ import annotations

import dataclasses
import inspect
import re
from typing import TYPE_CHECKING, Any

import click
import pytest
from option_tables import TOPICS, options_table

from sdfinertia.cli import main
from sdfinertia.errors import ConfigurationError
from sdfinertia.markup import Document
from sdfinertia.options import OPTIONS, PARAMETERS, Option, Options, merged_options
from sdfinertia.robot.inertial import InertiaParameters
from sdfinertia.runs.configuration import read_configuration
from sdfinertia.sdf.values import read_parameters

if TYPE_CHECKING:
    from pathlib import Path


COMMANDS = sorted(main.commands.keys() - {"rules"})
BOUNDED = [name for name, option in OPTIONS.items() if option.choices or option.type in (int, float)]


def samples_of(option: Option) -> tuple[list[str], str, Any]:
    """A value that is not the default: on the command line, in TOML, in `Options`."""
    if option.type is bool:
        return [], str(not option.default).lower(), not option.default
    if option.choices:
        return [option.choices[-1]], repr(option.choices[-1]), option.choices[-1]
    if option.metavar == "CODE":
        return ["SDI1, SDI2"], "['SDI1, SDI2']", ("SDI1", "SDI2")
    if option.is_list:
        return ["/a"], "['/a']", ("/a",)
    values: dict[Any, tuple[list[str], str, Any]] = {float: (["0.25"], "0.25", 0.25), int: (["7"], "7", 7)}
    return values.get(option.type, (["/a"], "'/a'", "/a"))


# The command line and configuration -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, option in OPTIONS.items() if option.commands])
def test_each_command_takes_its_options(name: str) -> None:
    option = OPTIONS[name]
    words, _, value = samples_of(option)
    word = f"--no-{option.long}" if option.default is True else f"--{option.long}"
    for command_name in option.commands.split():
        place = [] if command_name == "lsp" else ["m.sdf"]
        command, above = main.commands[command_name], click.Context(main, **main.context_settings)
        assert command.make_context(command_name, [*place, word, *words], above).params[name] == value
        left_out = command.make_context(command_name, [*place], above).params[name]
        assert left_out in (None, ()), "the configuration has the defaults"


# A tree could bring forged masses with it, or xacro that does harm.
@pytest.mark.parametrize("name", sorted(OPTIONS.keys() - {"cache", "trust_xacro"}))
def test_each_option_is_a_key_of_the_configuration(project: Path, name: str) -> None:
    _, text, value = samples_of(OPTIONS[name])
    (project / "sdfinertia.toml").write_text(f"{OPTIONS[name].long} = {text}\n")
    configured = read_configuration(str(project / "sdfinertia.toml"))
    assert configured == {name: value}
    assert merged_options({}, configured) == dataclasses.replace(Options(), **{name: value})


@pytest.mark.parametrize("name", BOUNDED)
def test_a_value_out_of_range_is_refused_by_name(name: str) -> None:
    wrong: list[Any] = ["nothing"] if OPTIONS[name].choices else [0, -1]
    wrong += [float("nan"), float("inf"), 0.0, 10**400] if OPTIONS[name].type is float else []
    for value in wrong:
        with pytest.raises(ConfigurationError, match=f"^{name} must be "):
            Options(**{name: value})


@pytest.mark.parametrize(
    "values", [{"density": "1"}, {"missing": 1}, {"digits": True}, {"link": "a"}, {"open_mesh": None}, {"link": [1]}]
)
def test_a_value_of_another_type_never_gets_into_options(values: dict[str, Any]) -> None:
    for made in (Options().replaced, lambda values: Options(**values)):
        with pytest.raises(ConfigurationError, match=" must be "):
            made(values)


def test_the_options_say_in_their_docstring_what_each_is() -> None:
    described = re.findall(r"^    ([a-z_, ]+): ", str(inspect.getdoc(Options)), re.MULTILINE)
    assert ", ".join(described).split(", ") == list(OPTIONS) == [field.name for field in dataclasses.fields(Options)]


# SDF ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_parameter_is_read_by_the_name_of_its_option(name: str) -> None:
    option = PARAMETERS[name]
    text, value = ("0.25", 0.25) if option.type is float else ((*option.choices, "c")[0],) * 2
    children = f"<sdfinertia:{name}>{text}</sdfinertia:{name}>".encode()
    (element,) = Document(b"<auto_inertia_params>" + children + b"</auto_inertia_params>", "m.sdf").roots
    assert read_parameters(element) == InertiaParameters(**{name: value})  # type: ignore[arg-type]


# The reference --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COMMANDS)
def test_the_reference_has_every_option_of_a_command(name: str) -> None:
    rows = [line for topic in TOPICS for line in options_table(topic).splitlines() if name in line.split("|")[-2]]
    words = {word for row in rows for word in re.findall(r"--[a-z0-9-]+", row.split("|")[1])}
    options = [option for option in main.commands[name].params if isinstance(option, click.Option)]
    assert words == {word for each in options for word in [*each.opts, *each.secondary_opts] if word.startswith("--")}
