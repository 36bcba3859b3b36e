"""Messages name what their readers have: options on the command line, arguments in Python, settings in an editor."""

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

import sdfinertia
from sdfinertia import Options
from sdfinertia.errors import MeshError, OpenMeshError, names_arguments
from sdfinertia.wording import for_callers, for_editors

PACKAGE = Path(sdfinertia.__file__).parent
# Of what only the command line has.
COMMANDS = ("commands", "report", "lsp", "cli.py", "__main__.py")
ONLY_THERE = {"write_baseline", "cluster", "port", "all_files", "fix"}
SHELL = re.compile(r"`(?:sdfinertia|git|gz|pip|xacro|dask|fill|check|repair) [^`]*`")


def messages() -> Iterator[str]:
    """What is in quotes in the rooms below the commands, and not a docstring or a pattern; what is put in is `{}`."""
    for path in PACKAGE.rglob("*.py"):
        if path.relative_to(PACKAGE).parts[0] in COMMANDS:
            continue
        nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
        skipped = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        skipped |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
        for node in nodes:
            if isinstance(node, ast.JoinedStr):
                yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
                yield node.value


# Patterns are no messages.
MESSAGES = {text for text in messages() if " " in text and "\\" not in text}
NAMING_OPTIONS = sorted(text for text in MESSAGES if re.search(r"--[a-z]", text))
NAMING_COMMANDS = sorted(filter(SHELL.search, MESSAGES))


def arguments() -> set[str]:
    public = (value for name in sdfinertia.__all__ if inspect.isfunction(value := getattr(sdfinertia, name)))
    return {field.name for field in fields(Options)}.union(*(inspect.signature(each).parameters for each in public))


@pytest.mark.parametrize("text", NAMING_OPTIONS)
def test_a_message_names_arguments_to_those_who_call(text: str) -> None:
    @names_arguments
    def refuse() -> None:
        raise MeshError(text, remedy=text)

    with pytest.raises(MeshError) as refused:
        refuse()
    said = re.sub("`[^`]*`", "", str(refused.value))
    assert not re.search(r"--[a-z]", said)
    named = {name.replace("-", "_") for name in re.findall(r"--([a-z-]+)", re.sub("`[^`]*`", "", text))}
    assert {re.sub("^no_(refresh|provenance)", r"\1", name) for name in named} - {"jobs"} <= arguments() | ONLY_THERE


@pytest.mark.parametrize("text", [*NAMING_OPTIONS, *NAMING_COMMANDS])
def test_a_message_in_an_editor_holds_no_command_line_and_no_option(text: str) -> None:
    said = for_editors(text)
    assert not SHELL.search(said)
    assert not re.search(r"(?<!<!)--[a-z]", said)


def test_messages_are_found() -> None:
    assert len(NAMING_OPTIONS) > 25
    assert any("git lfs pull" in text for text in NAMING_COMMANDS)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("or --open-mesh convex_hull", 'or open_mesh="convex_hull"'),
        ("left stale by --no-refresh", "left stale by refresh=False"),
        ("run with --jobs 1", "run with workers 1"),
        ("`sdfinertia fill --all` computes it", "`sdfinertia fill --all` computes it"),
        ("my--mesh.stl and 'a/--b' are not found", "my--mesh.stl and 'a/--b' are not found"),
    ],
)
def test_what_is_an_option_is_named_as_the_argument(text: str, said: str) -> None:
    error = MeshError("is not closed", remedy=text)
    (result,) = for_callers([sdfinertia.Finding("SDI901", text, sdfinertia.Location("m.sdf", 1, 1), advice=text)])
    assert (result.message, result.remedy) == (said, said)
    assert str(for_callers(sdfinertia.FileResult("m.sdf", None, error)).error) == f"is not closed; {said}"
    assert error.remedy == text


OPEN = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n"
MODEL = """<sdf version="1.11"><model name="m"><link name="l"><inertial auto="true"/>
<collision name="c"><geometry><mesh><uri>open.obj</uri></mesh></geometry></collision></link></model></sdf>"""


def test_errors_in_results_name_arguments_too(tmp_path: Path) -> None:
    (tmp_path / "open.obj").write_text(OPEN)
    path = tmp_path / "m.sdf"
    path.write_text(MODEL)
    (error,) = sdfinertia.fill(path).errors
    assert isinstance(error, OpenMeshError)
    (of_many,) = sdfinertia.fill_many([path], write=None)
    assert of_many.result is not None
    texts = [str(error), str(of_many.result.errors[0]), *map(str, sdfinertia.check(path))]
    texts += [body.problem for body in sdfinertia.show(path)] + [str(*sdfinertia.open_draft(path).findings("m::l")[:1])]
    for text in texts:
        assert "--" not in text.partition("`")[0], text
    assert "choose open_mesh or <sdfinertia:open_mesh>" in texts[0]
