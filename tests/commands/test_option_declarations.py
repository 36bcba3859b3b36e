"""Each option is declared once: what commands, configuration, provenance, SDF and reference know is held to that."""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
from pathlib import Path
from typing import Any

import click
import pytest
from builders.commands import Run
from builders.documents import AUTO, mesh, one_link
from builders.meshes import cube, obj, without
from option_tables import TOPICS, options_table, parameters_table

from sdfinertia.cli import main
from sdfinertia.declaration import BOUNDED, Declaration, Kind, OptionValue, declaration_of, option
from sdfinertia.errors import ConfigurationError
from sdfinertia.markup.document import Document
from sdfinertia.options import LONG_NAMES, OPTIONS, PARAMETERS, GivenOptions, Options
from sdfinertia.robot.inertial import InertiaParameters
from sdfinertia.runs.configuration import read_configuration
from sdfinertia.sdf.values import read_parameters

COMMANDS = [name for name in main.every_command() if name != "rules"]


def options_of(name: str) -> dict[str, click.Option]:
    """The options that a command has in click, by long name."""
    command = main.every_command()[name]
    options = [option for option in command.get_params(click.Context(command)) if isinstance(option, click.Option)]
    return {word.removeprefix("--"): option for option in options for word in option.opts if word.startswith("--")}


# Values that are not the default: (on the command line, in TOML, in `Options`).
def samples_of(declared: Declaration) -> tuple[list[str], str, OptionValue]:
    match declared.kind:
        case Kind.FLAG:
            return [], str(not declared.default).lower(), not declared.default
        case Kind.NUMBER:
            return ["0.25"], "0.25", 0.25
        case Kind.WHOLE:
            return ["7"], "7", 7
        case Kind.CHOICE:
            return [declared.choices[-1]], repr(declared.choices[-1]), declared.choices[-1]
        case Kind.TEXT | Kind.DIRECTORY:
            return ["/a"], "'/a'", "/a"
        case Kind.TEXTS | Kind.DIRECTORIES | Kind.PATH_GLOBS:
            return ["/a"], "['/a']", ("/a",)
        case Kind.CODES:
            return ["SDI1, SDI2"], "['SDI1, SDI2']", ("SDI1", "SDI2")


# The command line -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command_name", COMMANDS)
def test_a_command_takes_the_options_that_are_declared_for_it_and_says_their_help(command, command_name):
    taken = {name for name, declared in OPTIONS.items() if command_name in declared.commands}
    options = options_of(command_name)
    assert {option.name for option in options.values() if not option.expose_value and not option.is_eager} == taken
    first = command(command_name, "--help").output
    assert command(command_name, "--help").output == first, "options are added once, however often it is called"
    text = " ".join(first.decode().split())
    for name in taken:
        assert f"--{'no-' if OPTIONS[name].default is True else ''}{LONG_NAMES[name]} " in text
        assert OPTIONS[name].help in text


# A tree could bring forged masses with it, or xacro that does harm.
@pytest.mark.parametrize("name", sorted(OPTIONS.keys() - {"cache", "trust_xacro"}))
def test_command_line_and_configuration_give_the_same_value(project, monkeypatch, name):
    declared, long = OPTIONS[name], LONG_NAMES[name]
    on_line, in_file, value = samples_of(declared)
    (project / "sdfinertia.toml").write_text(f"{long} = {in_file}\n")
    configured = read_configuration(str(project / "sdfinertia.toml"))
    assert configured == GivenOptions(dataclasses.replace(Options(), **{name: value}), frozenset({name}))
    (taker, *_) = declared.commands
    word = f"--no-{long}" if declared.default is True else f"--{long}"
    called = main.every_command()[taker]
    monkeypatch.setattr(called, "callback", click.pass_context(lambda context, **_: context.meta))
    meta = called.main(["m.sdf", word, *on_line], standalone_mode=False)
    assert GivenOptions.of(meta["sdfinertia.given"]) == configured


def test_an_option_that_is_given_at_its_default_wins_over_configuration() -> None:
    configured = GivenOptions.of({"digits": 3, "density": 7.0})
    assert GivenOptions.of({"digits": 12}).over(configured) == Options(density=7.0)


@pytest.mark.parametrize("name", [name for name, declared in OPTIONS.items() if declared.kind in BOUNDED])
def test_a_value_out_of_range_is_refused_by_name(name: str) -> None:
    declared = OPTIONS[name]
    wrong: list[Any] = ["nothing"] if declared.kind is Kind.CHOICE else [0, -1]
    wrong += [float("nan"), float("inf"), 0.0] if declared.kind is Kind.NUMBER else []
    for value in wrong:
        with pytest.raises(ConfigurationError, match=f"^{name} must be "):
            Options(**{name: value})
        with pytest.raises(ConfigurationError, match=f"^{LONG_NAMES[name]} must be "):
            GivenOptions.of({name: value})


@pytest.mark.parametrize(
    "values", [{"densty": 1.0}, {"density": "1"}, {"missing": 1}, {"digits": True}, {"link": "a"}, {"open_mesh": None}]
)
def test_a_value_that_its_option_cannot_hold_never_gets_into_options(values: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="is not a value of the option"):
        Options().replaced(values)
    with pytest.raises(TypeError, match="is not a value of the option"):
        GivenOptions.of(values)


# The declaration ------------------------------------------------------------------------------------------------------


def test_a_field_without_a_declaration_is_an_error() -> None:
    @dataclasses.dataclass
    class Incomplete:
        declared: bool = option(False, Kind.FLAG, "Be declared.", "files", ("fill",))
        forgotten: bool = False

    declared, forgotten = dataclasses.fields(Incomplete)
    assert declaration_of(declared).help == "Be declared."
    with pytest.raises(TypeError, match="the option forgotten is not declared"):
        declaration_of(forgotten)


@pytest.mark.parametrize("name", sorted(PARAMETERS.keys() | OPTIONS.keys()))
def test_a_default_is_a_value_of_its_kind_and_the_first_of_its_choices(name: str) -> None:
    declared = PARAMETERS.get(name) or OPTIONS[name]
    assert declared.accepts(declared.default)
    assert declared.default == (*declared.choices, declared.default)[0]
    assert name not in OPTIONS or OPTIONS[name].commands, "some command takes it"


def test_the_options_say_in_their_docstring_what_each_is() -> None:
    described = re.findall(r"^    ([a-z_, ]+): ", str(inspect.getdoc(Options)), re.MULTILINE)
    assert ", ".join(described).split(", ") == list(OPTIONS)


def test_options_are_values_that_nothing_is_added_to() -> None:
    assert hash(Options(density=1.0)) == hash(Options(density=1.0))
    with pytest.raises((AttributeError, TypeError)):
        Options().densty = 1.0  # type: ignore[attr-defined]


# The provenance -------------------------------------------------------------------------------------------------------


def collision(geometry: str, pose: str = "0 0 0 0 0 0") -> str:
    return f"<collision name='{pose}'><pose>{pose}</pose><geometry>{geometry}</geometry></collision>"


BOX = "<box><size>1 2 3</size></box>"
PLANE = collision("<plane/>", "0 0 1 0 0 0")
OPEN = collision(mesh("open.obj"))
VISUAL = "<visual name='v'><geometry><sphere><radius>1</radius></sphere></geometry></visual>"
# For each option that shapes numbers a link that it shapes, and how it is asked for.
SHAPING: dict[str, tuple[str, tuple[str, ...], str]] = {
    "density": (collision(BOX), ("--density", "500"), "500"),
    "open_mesh": (OPEN, ("--open-mesh", "convex_hull"), "convex_hull"),
    "voxel_size": (OPEN, ("--open-mesh", "voxel", "--voxel-size", "0.25"), "0.25"),
    "thickness": (OPEN, ("--open-mesh", "shell", "--thickness", "0.01"), "0.01"),
    "overlaps": (collision(BOX) + collision(BOX, "0.5 0 0 0 0 0"), ("--overlaps", "union"), "union"),
    "geometry": (VISUAL, ("--geometry", "visual"), "visual"),
    "skip_unsupported": (collision(BOX) + PLANE, ("--skip-unsupported",), "true"),
    "axes": (collision(BOX, "0 0 0 0 0 1"), ("--axes", "principal"), "principal"),
    "digits": (collision("<box><size>1 1 0.1</size></box>"), ("--digits", "3"), "3"),
}


def test_every_option_that_affects_result_has_an_example() -> None:
    assert set(SHAPING) == {name for name, declared in OPTIONS.items() if declared.affects_result}


def write_model(project: Path, name: str) -> Path:
    (project / "open.obj").write_text(obj(without(cube(size=2.0), 10, 11)))
    content, _, _ = SHAPING[name]
    path = project / "m.sdf"
    path.write_bytes(one_link(AUTO, content))
    return path


@pytest.mark.parametrize("name", SHAPING)
def test_an_option_that_shaped_numbers_is_recorded_and_needed_no_more(command: Run, project: Path, name: str) -> None:
    path = write_model(project, name)
    _, arguments, text = SHAPING[name]
    outcome = command("fill", "m.sdf", *arguments)
    assert outcome.status == 0, outcome.messages
    filled = path.read_text()
    (comment,) = re.findall("<!-- sdfinertia: (.*?) -->", filled)
    assert f"{LONG_NAMES[name]}={text}" in comment.split()
    # Numbers that stand for other inputs are computed again, with what is recorded and no more.
    path.write_text(re.sub(r"inputs=\w{12}", "inputs=000000000000", filled).replace("<mass>", "<mass>1"))
    assert command("fill", "m.sdf", "--overwrite-edited").status == 0
    assert path.read_text() == filled


@pytest.mark.parametrize("name", [name for name in SHAPING if "show" in OPTIONS[name].commands])
def test_show_shows_what_fill_gives_with_the_same_options(command: Run, project: Path, name: str) -> None:
    write_model(project, name)
    _, arguments, _ = SHAPING[name]
    before = shown(command, "m.sdf", *arguments)
    assert before["origin"] == "computed", before["problem"]
    assert command("fill", "m.sdf", *arguments).status == 0
    after = shown(command, "m.sdf", "--computed")
    assert after["origin"] == "written"
    for inertia in (after["inertia"], after["computed"]):
        for quantity in ("mass", "com", "ixx", "iyy", "izz"):
            assert before["inertia"][quantity] == pytest.approx(inertia[quantity], rel=1e-9, abs=1e-9)


def test_show_refuses_the_default_density_where_fill_does(command: Run, project: Path) -> None:
    write_model(project, "axes")
    assert shown(command, "m.sdf")["inertia"]["mass"] == pytest.approx(6000)
    refused = shown(command, "m.sdf", "--require-density")
    assert refused["inertia"] is None
    assert "density" in refused["problem"]


def shown(command: Run, *arguments: str) -> dict[str, Any]:
    outcome = command("show", "--format", "json", *arguments)
    assert outcome.status == 0, outcome.messages
    (document,) = json.loads(outcome.output)
    body: dict[str, Any] = document["bodies"][0]
    return body


# SDF ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PARAMETERS)
def test_a_parameter_is_read_by_the_name_of_its_option(name: str) -> None:
    text, value = ("0.25", 0.25) if PARAMETERS[name].kind is Kind.NUMBER else ((*PARAMETERS[name].choices, "c")[0],) * 2
    children = f"<sdfinertia:{name}>{text}</sdfinertia:{name}>".encode()
    (element,) = Document(b"<auto_inertia_params>" + children + b"</auto_inertia_params>", "m.sdf").roots
    assert read_parameters(element) == InertiaParameters(**{name: value})  # type: ignore[arg-type]


# The reference --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OPTIONS)
def test_the_reference_has_an_option_in_the_table_of_its_topic(name: str) -> None:
    declared = OPTIONS[name]
    (row,) = (
        line for line in options_table(declared.topic).splitlines() if f"--{LONG_NAMES[name]}" in line.split("|")[1]
    )
    assert row.endswith(f"| {', '.join(declared.commands)} |")
    assert all(f"`{word}`" in row for word in declared.choices)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_reference_has_every_option_that_a_command_takes(name: str) -> None:
    rows = [line for topic in TOPICS for line in options_table(topic).splitlines() if name in line.split("|")[-2]]
    words = {word for row in rows for word in re.findall(r"--[a-z0-9-]+", row.split("|")[1])}
    assert words == {f"--{long}" for long in options_of(name) if long != "help"} | {
        word for option in options_of(name).values() for word in option.secondary_opts
    }


def test_the_reference_has_a_table_for_every_topic_and_every_parameter_of_a_file() -> None:
    assert set(TOPICS) == {declared.topic for declared in OPTIONS.values()} | {"run"}
    assert re.findall(r"<sdfinertia:(\w+)>", parameters_table()) == list(PARAMETERS)
