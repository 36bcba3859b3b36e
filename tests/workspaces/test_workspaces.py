"""The files that the documentation has for workspaces do what it says, by the tools that are installed."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
WORKSPACES = ROOT / "docs" / "examples" / "workspaces"
# What `run_test.py` of ament writes before the test, and takes for its failure if nothing else is there afterwards.
MISSING_RESULT = """\
<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="crate_description" tests="1" failures="0" time="0.000" errors="1" skipped="0">
  <testcase classname="crate_description" name="inertials.xunit.missing_result" time="0.000">
    <error message="The test did not generate a result file."/>
  </testcase>
</testsuite>
"""


def run(words: list[str], directory: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=directory, env=environment, capture_output=True, text=True, timeout=300)


def cases(report: Path) -> dict[str, list[str]]:
    return {
        f"{case.get('classname')} {case.get('name')}": [child.tag for child in case]
        for case in ElementTree.parse(report).iter("testcase")
    }


def spoilt(file: Path) -> None:
    text = file.read_text()
    file.write_text(text.replace("0.025", "2.5"))
    assert file.read_text() != text


def test_the_page_shows_the_files_as_they_are() -> None:
    page = (ROOT / "docs" / "guides" / "ci-and-editors.md").read_text(encoding="utf-8")
    for name in ("ros2/CMakeLists.txt", "ros2/rosdep.yaml", "gazebo/sdfinertia.toml", "cmake/CMakeLists.txt"):
        assert (WORKSPACES / name).read_text() in page, name
    for line in re.findall(r" *<test_depend>.*\n", page):
        assert line in (WORKSPACES / "ros2" / "package.xml").read_text()


@pytest.mark.parametrize("is_spoilt", [False, True])
def test_the_command_of_the_ament_test_puts_its_report_where_colcon_looks(
    tmp_path: Path, environment: dict[str, str], is_spoilt: bool
) -> None:
    shutil.copytree(WORKSPACES / "ros2", tmp_path / "crate_description")
    (tmp_path / ".git").mkdir()
    if is_spoilt:
        spoilt(tmp_path / "crate_description" / "urdf" / "crate.urdf")
    text = (WORKSPACES / "ros2" / "CMakeLists.txt").read_text()
    found = re.search(r"COMMAND (.*)", text)
    assert found is not None
    results = tmp_path / "build" / "crate_description" / "test_results"
    report = results / "crate_description" / "inertials.xunit.xml"
    assert 'set(inertials "${AMENT_TEST_RESULTS_DIR}/${PROJECT_NAME}/inertials.xunit.xml")' in text
    assert 'RESULT_FILE "${inertials}"' in text
    report.parent.mkdir(parents=True)
    report.write_text(MISSING_RESULT)
    words = shlex.split(found[1].replace("${inertials}", str(report)))
    done = run(words, tmp_path / "crate_description", environment)
    assert done.returncode == int(is_spoilt), done.stderr
    name = "sdfinertia.check crate_description/urdf/crate.urdf crate::"
    assert cases(report) == {f"{name}base": ["failure"] if is_spoilt else [], f"{name}lid": []}


@pytest.mark.parametrize("is_spoilt", [False, True])
def test_ctest_tests_a_project_of_cmake(tmp_path: Path, environment: dict[str, str], is_spoilt: bool) -> None:
    if shutil.which("ctest") is None:
        pytest.skip("ctest is not installed")
    shutil.copytree(WORKSPACES / "cmake", tmp_path / "project")
    if is_spoilt:
        spoilt(tmp_path / "project" / "models" / "crate" / "model.sdf")
    made = run(["cmake", "-S", "project", "-B", "build"], tmp_path, environment)
    assert made.returncode == 0, made.stdout + made.stderr
    done = run(["ctest", "--test-dir", "build", "--output-on-failure"], tmp_path, environment)
    assert (done.returncode != 0) is is_spoilt, done.stdout
    assert ("SDI103" in done.stdout) is is_spoilt
    name = "sdfinertia.check models/crate/model.sdf crate::base"
    assert cases(tmp_path / "build" / "inertials.xml") == {name: ["failure"] if is_spoilt else []}


def test_a_collection_of_models_is_checked_from_its_top(command: Callable[..., Any], project: Path) -> None:
    shutil.rmtree(project / ".git")
    shutil.copytree(WORKSPACES / "gazebo", project, dirs_exist_ok=True)
    outcome = command("check", "--report", "inertials.xml", ".")
    assert (outcome.status, outcome.output) == (0, b"")
    assert "no findings (2 files checked)" in outcome.messages
    assert cases(project / "inertials.xml") == {
        "sdfinertia.check models/crate/model.sdf crate::base": [],
        "sdfinertia.check worlds/yard.sdf post::post": [],
    }
    spoilt(project / "models" / "crate" / "model.sdf")
    assert command("check", ".").status == 1
    # The world is told there where the models are.
    assert command("fill", "--recursive", "worlds").status == 0
    (project / "sdfinertia.toml").unlink()
    outcome = command("fill", "--recursive", "worlds")
    assert outcome.status == 2
    assert "not found: model://crate" in outcome.messages
