"""The command `compare`: statuses, formats, reports, the pairs of a configuration, and revisions of git."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from builders.invocation import Invocation, invoke

INERTIAL = '<inertial><mass value="{}"/><inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial>'

Run = Callable[..., Invocation]


def robot(*masses: float, names: str = "abcdef") -> str:
    links = "".join(
        f'<link name="{name}">\n{INERTIAL.format(mass)}</link>\n' for name, mass in zip(names, masses, strict=False)
    )
    return f'<robot name="r">\n{links}</robot>\n'


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.chdir(tmp_path)
    Path("one.urdf").write_text(robot(1, 2))
    Path("same.urdf").write_text(robot(1, 2))
    Path("heavy.urdf").write_text(robot(1, 2.5))
    Path("more.urdf").write_text(robot(1, 2, 3))
    return lambda *words: invoke(["compare", *words])


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (["one.urdf", "same.urdf"], 0),
        (["one.urdf", "heavy.urdf"], 1),
        (["one.urdf", "more.urdf"], 1),
        (["--allow-unmatched", "one.urdf", "more.urdf"], 0),
        (["--allow-unmatched", "heavy.urdf", "more.urdf"], 1),
        (["--tolerance", "0.5", "one.urdf", "heavy.urdf"], 0),
        (["one.urdf", "missing.urdf"], 2),
        (["one.urdf"], 2),
        (["one.urdf", "same.urdf", "more.urdf"], 2),
        ([], 2),
        (["--tolerance", "-1", "one.urdf", "same.urdf"], 2),
        (["--report", "out.xml", "one.urdf", "same.urdf"], 2),
        (["--since", "HEAD", "one.urdf", "same.urdf"], 2),
    ],
)
def test_the_status_says_what_was_found(run: Run, words: list[str], status: int) -> None:
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    done = run(*words)
    assert done.exit_code == status, done.stderr
    assert (len(done.stderr.splitlines()) == 1) == (status == 2)
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_what_is_printed_for_people_services_and_pages(run: Run) -> None:
    lines = run("one.urdf", "heavy.urdf").stdout.splitlines()
    assert lines == [
        "one.urdf and heavy.urdf",
        "  link  mass ×  centre mm  moment ×  axes °  cause",
        "  r::b    1.25          0         1       0  mass-changed",
        "  r::b: the mass of the second is 1.25 times that of the first",
        "  total: 3 kg at 0 0 0 m and 3.5 kg at 0 0 0 m",
        "1 link equal, 1 different, 0 unmatched.",
    ]
    printed = run("--format", "markdown", "one.urdf", "more.urdf", "--allow-unmatched").stdout
    assert "### sdfinertia compare: one.urdf and more.urdf" in printed
    assert "* only in the second: r::c" in printed


def test_the_differences_of_a_tensor_in_json_have_the_names_of_its_entries(run: Run) -> None:
    names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    for file, values in (("a.urdf", (1.0, 1.5, 2.0, 0.0, 0.0, 0.0)), ("b.urdf", (1.0, 1.75, 2.0, 0.0, 0.125, 0.0))):
        entries = " ".join(f'{name}="{value}"' for name, value in zip(names, values, strict=True))
        inertial = f'<inertial><mass value="1"/><inertia {entries}/></inertial>'
        Path(file).write_text(f'<robot name="r"><link name="l">{inertial}</link></robot>')
    (link,) = json.loads(run("--format", "json", "a.urdf", "b.urdf").stdout)["links"]
    assert [link["difference"][name] for name in names] == [0.0, 0.25, 0.0, 0.0, 0.125, 0.0]


# The configuration ----------------------------------------------------------------------------------------------------


def configured(text: str) -> None:
    Path("sdfinertia.toml").write_text(text)


PAIRS = """
[[compare]]
first = "one.urdf"
second = "more.urdf"
allow-unmatched = true

[[compare]]
first = "one.urdf"
second = "heavy.urdf"
tolerance = {}
"""


@pytest.mark.parametrize(("tolerance", "status"), [(0.01, 1), (0.5, 0), (1, 0)])
def test_the_pairs_of_the_configuration_are_all_compared(run: Run, tolerance: float, status: int) -> None:
    configured(PAIRS.format(tolerance))
    done = run("--format", "json")
    assert done.exit_code == status
    files = [each["files"]["second"] for each in json.loads(done.stdout)["comparisons"]]
    assert files == ["more.urdf", "heavy.urdf"]
    assert run("--report", "out.json").exit_code == run("--report", "out.json").exit_code == status


PAIR = "[[compare]]\nfirst = 'a'\nsecond = 'b'\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("compare = 3", "compare must be tables, each written [[compare]]"),
        ("[compare]\nfirst = 'a'", "compare must be tables"),
        ("[[compare]]\nfirst = 'a'", "[[compare]] needs second"),
        ("[[compare]]\nfirst = 'a'\nsecond = 3", "second in [[compare]] must be a path, not 3"),
        (f"{PAIR}tolerance = true", "tolerance in [[compare]] must be a finite number"),
        (f"{PAIR}allow-unmatched = 1", "must be true or false"),
        (f"{PAIR}tolerancs = 1", "did you mean tolerance?"),
        ("density = 1", "there is nothing to compare"),
    ],
)
def test_a_table_that_is_wrong_is_one_error(run: Run, text: str, message: str) -> None:
    configured(text)
    done = run()
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


# Revisions ------------------------------------------------------------------------------------------------------------


def git(*words: str) -> None:
    identity = ["-c", "user.name=n", "-c", "user.email=e", "-c", "core.autocrlf=false"]
    subprocess.run(["git", *identity, *words], check=True, timeout=60, capture_output=True)


@pytest.fixture
def repository(run: Run) -> Run:
    if shutil.which("git") is None:
        pytest.skip("git is not here")
    git("init", "-q")
    Path("models").mkdir()
    shutil.copy("one.urdf", "models/robot.urdf")
    git("add", ".")
    git("commit", "-qm", "first")
    return run


def test_a_file_is_compared_with_itself_at_a_revision(repository: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    file = Path("models/robot.urdf")
    file.write_text(robot(1, 2.5))
    # As git sets it in hooks, for the directory that it starts them in.
    monkeypatch.setenv("GIT_DIR", ".git")
    done = repository("--since", "HEAD", str(file))
    assert done.exit_code == 1
    assert done.stdout.startswith("models/robot.urdf at HEAD and models/robot.urdf\n")
    assert "r::b    1.25" in done.stdout
    monkeypatch.chdir("models")
    assert repository("--since", "HEAD", "robot.urdf").exit_code == 1


@pytest.mark.parametrize("revision", ["nowhere", "-x", "--output=x", "HEAD:models", "HEAD~1", ""])
def test_a_revision_that_is_none_is_one_error(repository: Run, revision: str) -> None:
    done = repository(f"--since={revision}", "models/robot.urdf")
    assert done.exit_code == 2
    assert "there is no revision" in done.stderr
    assert not Path("x").exists()


def test_either_file_may_be_standard_input(run: Run) -> None:
    for words in (["-", "heavy.urdf"], ["heavy.urdf", "-"]):
        done = invoke(["compare", *words], stdin=robot(1, 2))
        assert done.exit_code == 1
        assert done.stdout.splitlines()[0] == " and ".join("<stdin>" if word == "-" else word for word in words)
    done = invoke(["compare", "-", "one.urdf", "--stdin-filename", "x.urdf"], stdin=robot(1, 2))
    assert (done.exit_code, done.stdout.splitlines()[0]) == (0, "x.urdf and one.urdf")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-", "-"], "- (standard input) can be one of the two files"),
        (["--since", "HEAD", "-"], "--since takes one file"),
        (["--stdin-filename", "x", "one.urdf", "same.urdf"], "--stdin-filename needs - as one of the paths"),
        (
            [".", "one.urdf"],
            ". holds 4 files, and a side is one; give one of heavy.urdf, more.urdf, one.urdf and 1 more",
        ),
        (["empty", "one.urdf"], "empty: "),
    ],
)
def test_what_is_not_one_file_is_one_error(run: Run, words: list[str], said: str) -> None:
    Path("empty").mkdir()
    done = invoke(["compare", *words], stdin=robot(1, 2))
    assert done.exit_code == 2
    assert done.stderr.startswith(said)
    assert len(done.stderr.splitlines()) == 1
