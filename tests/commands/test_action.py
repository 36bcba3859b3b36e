"""The shell steps of action.yml, run by bash as a runner of GitHub Actions runs them."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from builders.documents import BOX_FILE

yaml = pytest.importorskip("yaml", reason="the package PyYAML is not installed")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix" or shutil.which("bash") is None, reason="the steps are written for bash"),
]

ROOT = Path(__file__).parents[2]
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
INSTALL, CHECK = range(2)

UNFILLED = BOX_FILE.replace('name="c">', 'name="c"><density>1000</density>')
NEGATIVE = UNFILLED.replace(
    '<inertial auto="true"/>',
    "<inertial><mass>-1</mass><inertia><ixx>6500</ixx><iyy>5000</iyy><izz>2500</izz></inertia></inertial>",
)
CLEAN = NEGATIVE.replace("-1", "6000")
NOT_SDF = "<launch/>\n"


class Done(NamedTuple):
    status: int
    output: str
    messages: str
    summary: str


class Runner:
    """A runner's directories and variables; names with blanks, as some self-hosted runners have them."""

    def __init__(self, root: Path) -> None:
        self.workspace = root / "work space"
        self.temporary = root / "runner temp"
        self.action = root / "the action"
        self.summary = root / "step summary.md"
        for directory in (self.workspace, self.temporary, self.action):
            directory.mkdir()
        self.summary.write_text("before\n")

    def install_stub(self) -> None:
        """Puts what the first step installs where it installs it."""
        program = self.temporary / "sdfinertia" / "bin" / "python"
        program.parent.mkdir(parents=True, exist_ok=True)
        assert not program.is_symlink(), "what it leads to would be overwritten"
        program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
        program.chmod(0o755)

    def run(self, number: int, *, path: str = "", environment: dict[str, str] | None = None, **inputs: str) -> Done:
        step = ACTION["runs"]["steps"][number]
        assert step["shell"] == "bash"
        assert set(inputs) <= set(ACTION["inputs"])
        script = self.temporary / "script.sh"
        script.write_text(step["run"])
        environment = {
            **(environment or {}),
            "PATH": path + os.environ["PATH"],
            "HOME": str(self.temporary),
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(self.workspace),
            "GITHUB_ACTION_PATH": str(self.action),
            "GITHUB_STEP_SUMMARY": str(self.summary),
            "RUNNER_TEMP": str(self.temporary),
            **{name: expanded(value, inputs) for name, value in step["env"].items()},
        }
        # As the runner starts `shell: bash` (docs.github.com, workflow syntax, jobs.<job_id>.steps[*].shell).
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)],
            cwd=self.workspace,
            env=environment,
            capture_output=True,
            timeout=60,
        )
        text = self.summary.read_text(encoding="utf-8").removeprefix("before\n")
        return Done(done.returncode, done.stdout.decode(), done.stderr.decode(), text)


def expanded(text: str, inputs: dict[str, str]) -> str:
    """A value with `${{ inputs.NAME }}` replaced by what was given, or the input's default."""
    values = {name: inputs.get(name, declared["default"]) for name, declared in ACTION["inputs"].items()}
    result = re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda match: str(values[match[1]]), text)
    assert "${{" not in result
    return result


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    made = Runner(tmp_path)
    made.install_stub()
    return made


def annotated(done: Done) -> list[tuple[str, str, str]]:
    """Level, file and code of each line of standard output."""
    matches = [
        re.fullmatch(r"::(error|warning) file=([^,:]+),line=\d+,col=\d+,title=(SDI\d{3}) [^:,]+::.+", line)
        for line in done.output.splitlines()
    ]
    assert all(matches), done.output
    return [(match[1], match[2], match[3]) for match in matches if match]


# The file -------------------------------------------------------------------------------------------------------------


def test_the_action_is_composite_and_its_inputs_are_documented_and_pasted_into_no_script() -> None:
    assert ACTION["runs"]["using"] == "composite"
    assert list(ACTION["inputs"]) == ["paths", "args", "version", "report"]
    assert all(declared["description"] and "default" in declared for declared in ACTION["inputs"].values())
    assert len(ACTION["runs"]["steps"]) == 2
    assert all("${{" not in step["run"] for step in ACTION["runs"]["steps"])


# Installing -----------------------------------------------------------------------------------------------------------


def installed(runner: Runner, **inputs: str) -> list[str]:
    """What the first step gives to pip, with stand-ins for Python and pip."""
    programs = runner.temporary.parent / "programs"
    programs.mkdir()
    scripts = {
        "pip": 'shift 3; printf "%s\\n" "$@" > "$RUNNER_TEMP/pip.txt"\n',
        "python3": '[ "$1 $2 $3" = "-I -m venv" ] && mkdir -p "$4/bin" && cp "$(dirname "$0")/pip" "$4/bin/python"\n',
    }
    for name, script in scripts.items():
        (programs / name).write_text(f"#!/bin/sh\n{script}")
        (programs / name).chmod(0o755)
    done = runner.run(INSTALL, path=f"{programs}:", **inputs)
    assert done.status == 0, done.messages
    return (runner.temporary / "pip.txt").read_text().splitlines()


def test_the_revision_of_the_action_is_installed_by_default(runner: Runner) -> None:
    assert installed(runner)[-1] == f"{runner.action}[xacro]"


@pytest.mark.parametrize(
    "version", ["0.1.0", "0.1.0; touch hacked", "$(touch hacked)", "1 --index-url=http://example.com"]
)
def test_the_version_that_is_asked_for_is_one_word_whatever_it_holds(runner: Runner, version: str) -> None:
    words = installed(runner, version=version)
    assert (words[0], words[-1]) == ("install", f"sdfinertia[xacro]=={version}")
    assert not any(word.startswith(str(runner.action)) for word in words)
    assert not (runner.workspace / "hacked").exists()


@pytest.mark.slow
def test_nothing_that_lies_in_the_tree_is_run(runner: Runner) -> None:
    """With the real Python up to the making of the environment; what pip would install is not there."""
    marker = runner.temporary / "was run"
    for name in ("venv", "pip", "ensurepip", "sdfinertia", "sitecustomize", "click", "json", "subprocess"):
        (runner.workspace / f"{name}.py").write_text(f"open({str(marker)!r}, 'w')\nraise SystemExit(3)\n")
    (runner.workspace / "m.sdf").write_text(CLEAN)
    # The tree is where the steps run, and where a variable leads as well. pip asks no network for what is not there.
    environment = {"PYTHONPATH": str(runner.workspace), "PIP_NO_INDEX": "1"}
    shutil.rmtree(runner.temporary / "sdfinertia")
    runner.run(INSTALL, environment=environment, version="no-such-version")
    assert (runner.temporary / "sdfinertia/pyvenv.cfg").exists()
    assert not marker.exists()
    # What the first step made are links to the real interpreter, which must not be written through.
    shutil.rmtree(runner.temporary / "sdfinertia")
    runner.install_stub()
    assert runner.run(CHECK, environment=environment).status == 0
    assert not marker.exists()


@pytest.mark.parametrize("name", ["--exclude=*.sdf", "--fix", "-q"])
def test_a_path_that_looks_like_an_option_is_a_path(runner: Runner, name: str) -> None:
    (runner.workspace / name).write_text(NEGATIVE)
    done = runner.run(CHECK, paths=name)
    assert (done.status, [code for _, _, code in annotated(done)]) == (1, ["SDI101"])


# Checking -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("document", "status", "found"),
    [
        (CLEAN, 0, []),
        (UNFILLED, 1, [("error", "m.sdf", "SDI001")]),
        (NEGATIVE, 1, [("error", "m.sdf", "SDI101")]),
        (NOT_SDF, 2, [("error", "m.sdf", "SDI900")]),
    ],
    ids=["clean", "unfilled", "impossible", "unreadable"],
)
def test_findings_are_annotations_and_in_the_summary_and_the_status_is_passed_on(runner, document, status, found):
    (runner.workspace / "m.sdf").write_text(document)
    done = runner.run(CHECK)
    assert (done.status, annotated(done)) == (status, found)
    assert done.summary.startswith("### sdfinertia check: ")
    rows = [line for line in done.summary.splitlines() if line.startswith("| error |")]
    assert [re.findall("SDI[0-9]{3}", row)[0] for row in rows] == [code for _, _, code in found]
    assert runner.summary.read_text().startswith("before\n")


@pytest.mark.parametrize(
    ("report", "document", "status"),
    [("findings.sarif", CLEAN, 0), ("findings.json", NEGATIVE, 1), ("my findings.md", NEGATIVE, 1)],
)
def test_the_report_is_written_whatever_the_status(runner: Runner, report: str, document: str, status: int) -> None:
    (runner.workspace / "m.sdf").write_text(document)
    done = runner.run(CHECK, report=report)
    assert done.status == status
    text = (runner.workspace / report).read_text(encoding="utf-8")
    if report.endswith(".xml"):
        ElementTree.fromstring(text)
    elif not report.endswith(".md"):
        json.loads(text)
    assert ("SDI101 " in text or '"SDI101"' in text) is (status == 1) or report.endswith(".sarif")
    assert "### sdfinertia check: " in done.summary


@pytest.mark.parametrize("linked", ["report.json", "reports"])
@pytest.mark.parametrize("form", ["./{}", "{workspace}/{}"])
def test_no_report_is_written_through_a_link_of_the_tree(runner: Runner, linked: str, form: str) -> None:
    (runner.workspace / "m.sdf").write_text(CLEAN)
    outside = runner.temporary / "outside"
    outside.mkdir()
    (runner.workspace / linked).symlink_to(outside / linked if linked == "report.json" else outside)
    report = "report.json" if linked == "report.json" else "reports/report.json"
    done = runner.run(CHECK, report=form.format(report, workspace=runner.workspace))
    assert done.status == 2
    assert "is a symbolic link" in done.output
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("name", ["paths", "args", "report"])
def test_nothing_in_an_input_is_run(runner: Runner, name: str) -> None:
    (runner.workspace / "m.sdf").write_text(CLEAN)
    runner.run(CHECK, **{name: "$(touch hacked) `touch hacked` ; touch hacked"})
    assert not (runner.workspace / "hacked").exists()
