"""What options name for output: never an input, or a file outside the confinement."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from builders.documents import AUTO, BOX, collision, one_link

if TYPE_CHECKING:
    from pathlib import Path

    from builders.commands import Run

WRITTEN = (
    "<inertial><mass>1</mass><inertia><ixx>1</ixx><ixy>0</ixy><ixz>0</ixz><iyy>1</iyy><iyz>0</iyz><izz>1</izz>"
    "</inertia></inertial>"
)


def model(inertial: str = AUTO) -> str:
    return one_link(inertial, collision("<density>1000</density>" + BOX)).decode() + "\n"


# Each names a file for output in place of {0}; the input is m.sdf.
OUTPUTS = {
    "fill -o": ("fill", "m.sdf", "-o", "{0}"),
    "fill --report": ("fill", "m.sdf", "--report", "{0}"),
    "check --report": ("check", "m.sdf", "--report", "{0}"),
    "check --write-baseline": ("check", "m.sdf", "--write-baseline", "{0}"),
    "check --fix --report": ("check", "--fix", "m.sdf", "--report", "{0}"),
    "repair -o": ("repair", "--by", "nearest", "m.sdf", "-o", "{0}"),
    "repair --report": ("repair", "--by", "nearest", "m.sdf", "--report", "{0}"),
    "show --report": ("show", "m.sdf", "--report", "{0}"),
    "scale -o": ("scale", "m.sdf", "--link", "m::l", "--mass", "2", "-o", "{0}"),
}
every_output = pytest.mark.parametrize("arguments", OUTPUTS.values(), ids=OUTPUTS.keys())


def naming(arguments: tuple[str, ...], name: str) -> list[str]:
    return [argument.format(name) for argument in arguments]


@pytest.fixture
def written(project: Path) -> Path:
    (project / "m.sdf").write_text(model(WRITTEN))
    return project


@every_output
def test_what_is_there_is_overwritten(command: Run, written: Path, arguments: tuple[str, ...]) -> None:
    (written / "theirs.html").write_text("theirs")
    assert command(*naming(arguments, "theirs.html")).status != 2
    assert (written / "theirs.html").read_text() != "theirs"


@pytest.mark.parametrize("option", ["--write-baseline", "--report"])
def test_an_input_never_becomes_a_report_or_a_baseline(command: Run, written: Path, option: str) -> None:
    (written / "m.xml").write_text('<mujoco><worldbody><body name="b"/></worldbody></mujoco>')
    before = (written / "m.xml").read_bytes()
    (written / "other.xml").symlink_to("m.xml")
    for name, given in (("m.xml", "m.xml"), ("other.xml", "m.xml"), ("m.xml", ".")):
        outcome = command("check", given, option, name)
        assert outcome.status == 2
        assert f"{name}: is an input, and not overwritten" in outcome.messages
        assert (written / "m.xml").read_bytes() == before


@pytest.mark.parametrize(
    "words",
    [
        "fill m.sdf -o a.md --report a.md",
        "fill m.sdf --report a.md --report ./a.md",
        "check m.sdf --report a.json --write-baseline a.json",
        "check m.sdf --report a.json --write-baseline link.json",
    ],
)
def test_no_file_is_named_for_two_outputs(command: Run, written: Path, words: str) -> None:
    (written / "link.json").symlink_to("a.json")
    outcome = command(*words.split())
    assert outcome.status == 2
    assert "is given for two outputs" in outcome.messages
    assert sorted(os.listdir(written)) == [".git", "link.json", "m.sdf"]


# The input itself -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [("fill", "{0}"), ("scale", "{0}", "--link", "m::l", "--mass", "2")])
@pytest.mark.parametrize("name", ["m.sdf", "./m.sdf", "link.sdf"])
def test_output_to_the_input_itself_does_not_overwrite_what_another_wrote(
    command: Run, project: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], name: str
) -> None:
    from sdfinertia.commands import FileRun

    (project / "m.sdf").write_text(model() if arguments[0] == "fill" else model(WRITTEN))
    (project / "link.sdf").symlink_to("m.sdf")
    put = FileRun.put_all

    def put_after_an_editor_saved(*everything: Any) -> None:
        (project / "m.sdf").write_text(model("<!-- theirs -->"))
        put(*everything)

    monkeypatch.setattr(FileRun, "put_all", put_after_an_editor_saved)
    outcome = command(*naming(arguments, "m.sdf"), "-o", name)
    assert outcome.status == 2
    assert "changed on disk" in outcome.messages
    assert (project / "m.sdf").read_text() == model("<!-- theirs -->")


# --confine ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in OUTPUTS if name != "scale -o"])
@pytest.mark.parametrize("place", ["tree/link.html", "tree/there/out.html", "out.html", "tree/../out.html"])
@pytest.mark.parametrize("exists", [False, True])
def test_nothing_is_written_outside_the_confinement(command, project, name, place, exists):
    (project / "tree").mkdir()
    (project / "outside").mkdir()
    (project / "tree/m.sdf").write_text(model(WRITTEN))
    (project / "tree/link.html").symlink_to("../outside/out.html")
    (project / "tree/there").symlink_to("../outside")
    if exists:
        (project / "outside/out.html").touch()
        (project / "out.html").touch()
    arguments = [argument.replace("m.sdf", "tree/m.sdf") for argument in naming(OUTPUTS[name], place)]
    outcome = command(arguments[0], "--confine", "tree", *arguments[1:])
    assert outcome.status == 2
    assert f"{place}: is outside {project / 'tree'}, and not written" in outcome.messages
    for out in ("outside/out.html", "out.html"):
        assert (project / out).exists() == exists
        assert not exists or (project / out).read_bytes() == b""
    assert (project / "tree/m.sdf").read_text() == model(WRITTEN)


def test_the_confinement_of_the_configuration_holds_for_outputs_too(command: Run, project: Path) -> None:
    (project / "sdfinertia.toml").write_text('confine = "."\n')
    (project / "m.sdf").write_text(model(WRITTEN))
    for arguments in (("fill", "m.sdf", "--report"), ("fill", "m.sdf", "-o"), OUTPUTS["scale -o"][:-1]):
        assert command(*arguments, "../out.md").status == 2
    assert not (project.parent / "out.md").exists()


def test_what_the_caller_opened_is_no_file_outside(project: Path) -> None:
    (project / "m.sdf").write_text(model(WRITTEN))
    for output in ("-", "/dev/stdout", "/dev/fd/1"):
        done = subprocess.run(
            [sys.executable, "-m", "sdfinertia", "fill", "-q", "--confine", ".", "m.sdf", "-o", output],
            capture_output=True,
        )
        assert (done.returncode, done.stdout.decode()) == (0, model(WRITTEN)), done.stderr
