"""The command `mesh` over directories and globs, and its tables, which a later run goes on from."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from builders.commands import Run
from builders.meshes import OBJ_BOX, box, cube, joined, obj
from builders.meshes import OBJ_OPEN as OPEN

import sdfinertia.runs.mesh_rows
from sdfinertia.report import mesh_tables
from sdfinertia.report.mesh_tables import COLUMNS, read_rows
from sdfinertia.runs.mesh_rows import MeshRow

BOX = OBJ_BOX.replace("f", "o post\nf", 1)
TWO = obj(joined(box((1.0, 2.0, 3.0)), cube((0.0, 0.0, 5.0))))


NEEDS_PYARROW = pytest.mark.skipif(find_spec("pyarrow") is None, reason="the extra `tables` is not installed")
every_table = pytest.mark.parametrize("name", ["t.jsonl", "t.csv", pytest.param("t.parquet", marks=NEEDS_PYARROW)])


@pytest.fixture
def tree(project: Path) -> Path:
    (project / "meshes/below").mkdir(parents=True)
    for name, text in (("a/box", BOX), ("open", OPEN), ("below/two", TWO)):
        path = project / f"meshes/{name}.obj"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    (project / "meshes/broken.stl").write_bytes(b"solid")
    (project / "meshes/notes.txt").write_text("no mesh")
    (project / "meshes/.hidden").mkdir()
    (project / "meshes/.hidden/box.obj").write_text(BOX)
    (project / "meshes/build").mkdir()
    (project / "meshes/build/box.obj").write_text(BOX)
    return project


def rows(path: str = "t.jsonl") -> list[MeshRow]:
    return list(read_rows(path))


FILES = ["meshes/broken.stl", "meshes/open.obj", "meshes/a/box.obj", "meshes/below/two.obj"]


# Which files ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("paths", "files"),
    [
        (["meshes"], FILES),
        (["meshes/*.obj"], ["meshes/open.obj"]),
        (["meshes/**/*.obj"], ["meshes/a/box.obj", "meshes/below/two.obj", "meshes/build/box.obj", "meshes/open.obj"]),
        (["meshes/b*"], ["meshes/below/two.obj", "meshes/broken.stl", "meshes/build/box.obj"]),
        (["meshes/below", "meshes"], ["meshes/below/two.obj", *FILES[:3]]),
        (["meshes/a/box.obj", "./meshes/a/box.obj"], ["meshes/a/box.obj"]),
    ],
    ids=" ".join,
)
def test_directories_and_globs_stand_for_their_mesh_files(command, tree, paths, files):
    command("mesh", *paths, "--report", "t.jsonl")
    assert [row.path for row in rows()] == files


@pytest.mark.parametrize(
    ("path", "said"), [("none", "no mesh file in this directory"), ("x*.stl", "no file matches"), ("x.stl", "No such")]
)
@pytest.mark.parametrize("report", [(), ("--report", "t.csv")])
def test_what_stands_for_no_file_is_refused_and_stops_no_other(command, tree, path, said, report):
    (tree / "none").mkdir()
    outcome = command("mesh", path, "meshes/open.obj", *report)
    assert outcome.status == 2
    assert said in outcome.messages
    assert "open" in (outcome.output.decode() or (tree / "t.csv").read_text())


def test_a_file_whose_name_is_a_glob_is_itself(command: Run, tree: Path) -> None:
    (tree / "[a].obj").write_text(BOX)
    (tree / "a.obj").write_text(OPEN)
    command("mesh", "[a].obj", "--report", "t.jsonl")
    assert [row.mass for row in rows()] == [6000.0]


# Rows -----------------------------------------------------------------------------------------------------------------


def test_a_row_tells_what_the_command_prints(command: Run, tree: Path) -> None:
    outcome = command("mesh", "meshes", "--density", "10", "--report", "t.jsonl")
    assert outcome.status == 2
    assert outcome.output == b""
    assert outcome.messages.splitlines()[-1] == "4 files: 2 weighed, 1 without a mass, 1 refused."
    broken, opened, box, two = rows()
    assert (box.bytes, box.faces, box.bodies, box.open_edges, box.policy) == (len(BOX), 12, 1, 0, "exact")
    assert (box.volume, box.mass) == pytest.approx((6.0, 60.0))
    assert (box.com_x, box.com_y, box.com_z) == pytest.approx((0.5, 1.0, 1.5))
    assert box[13:19] == pytest.approx((65.0, 50.0, 25.0, 0.0, 0.0, 0.0))
    assert box.error == ""
    assert (two.bodies, two.volume) == (2, pytest.approx(7.0))
    assert (opened.bodies, opened.open_edges, opened.mass) == (1, 4, None)
    assert "4 open edges" in opened.error
    assert (broken.faces, broken.mass) == (None, None)
    assert broken.error
    told = command("mesh", "meshes", "--json")
    assert told.status == 2
    assert "broken.stl" in told.messages
    facts = [(each["path"], each["diagnosis"]["bodies"]) for each in json.loads(told.output)]
    assert facts == [(each.path, each.bodies) for each in (opened, box, two)]


@pytest.mark.parametrize(
    ("arguments", "mass", "policy"),
    [
        (("--open-mesh", "convex_hull"), 6000.0, "convex_hull"),
        (("--method", "shell", "--thickness", "0.001"), 20.0, "shell"),
        (("--open-mesh", "fill_holes", "--scale", "2"), 48000.0, "fill_holes"),
    ],
)
def test_a_row_says_how_the_volume_was_found(command, tree, arguments, mass, policy):
    command("mesh", "meshes/open.obj", *arguments, "--report", "t.jsonl")
    (row,) = rows()
    assert (row.mass, row.policy) == (pytest.approx(mass), policy)
    assert row.volume == pytest.approx(mass / 1000)


def test_every_format_holds_the_same_rows_to_the_last_bit(command: Run, tree: Path) -> None:
    names = ["t.jsonl", "t.csv", *(["t.parquet"] if find_spec("pyarrow") else [])]
    arguments = [word for name in names for word in ("--report", name)]
    command("mesh", "meshes", "--scale", "0.1 0.7 1.3", *arguments)
    assert len(rows()) == 4
    for name in names[1:]:
        assert rows(name) == rows()
    with open("t.csv", newline="") as file:
        assert next(csv.reader(file)) == list(COLUMNS)
    lines = Path("t.jsonl").read_text().splitlines()
    assert list(json.loads(lines[0])) == list(COLUMNS)


def test_the_columns_are_those_that_are_documented() -> None:
    assert (
        *("path", "bytes", "digest", "treatment", "faces", "bodies", "open_edges", "policy", "volume", "mass"),
        *("com_x", "com_y", "com_z", "ixx", "iyy", "izz", "ixy", "ixz", "iyz", "error"),
    ) == COLUMNS


def test_parquet_needs_its_library_and_says_so_before_any_work(command, tree, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    outcome = command("mesh", "meshes", "--report", "t.parquet")
    assert outcome.status == 2
    assert "[tables]'`" in outcome.messages
    assert not (tree / "t.parquet").exists()


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_any_number_of_jobs_gives_the_same_table(command: Run, tree: Path, jobs: str) -> None:
    for number in range(30):
        (tree / f"meshes/m{number:02}.obj").write_text(BOX.replace("v 1 2 3", f"v 1 2 {3 + number}"))
    command("mesh", "meshes", "--report", "t.jsonl")
    expected = Path("t.jsonl").read_bytes()
    Path("t.jsonl").unlink()
    outcome = command("mesh", "meshes", "--report", "t.jsonl", "--jobs", jobs)
    assert outcome.messages.splitlines()[-1] == "34 files: 32 weighed, 1 without a mass, 1 refused."
    assert Path("t.jsonl").read_bytes() == expected


# Going on -------------------------------------------------------------------------------------------------------------


@pytest.fixture
def weighed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that were worked on, beyond their digests."""
    found: list[str] = []
    real = sdfinertia.runs.mesh_rows.MeshWeighing._weighed

    def counted(self: Any, row: MeshRow, *others: Any) -> MeshRow:
        found.append(row.path)
        return real(self, row, *others)

    monkeypatch.setattr(sdfinertia.runs.mesh_rows.MeshWeighing, "_weighed", counted)
    return found


@every_table
def test_rows_of_files_that_are_as_they_were_are_taken_over(command, tree, weighed, name):
    command("mesh", "meshes", "--report", name)
    assert weighed == FILES
    first = rows(name)
    weighed.clear()
    (tree / "meshes/a/box.obj").write_text(BOX.replace("v 1 2 3", "v 1 2 4"))
    (tree / "meshes/open.obj").rename(tree / "meshes/renamed.obj")
    (tree / "meshes/copy.obj").write_text(TWO)
    outcome = command("mesh", "meshes", "--report", name)
    assert weighed == ["meshes/a/box.obj"]
    assert outcome.messages.splitlines()[-1] == "5 files: 3 weighed, 1 without a mass, 1 refused, 4 known before."
    second = {row.path: row for row in rows(name)}
    assert list(second) == [FILES[0], "meshes/copy.obj", "meshes/renamed.obj", FILES[2], FILES[3]]
    assert second["meshes/renamed.obj"] == first[1]._replace(path="meshes/renamed.obj")
    assert second["meshes/a/box.obj"].mass != first[2].mass


@pytest.mark.parametrize(
    "arguments", [("--density", "7"), ("--scale", "2"), ("--open-mesh", "convex_hull"), ("--submesh", "post")]
)
def test_another_treatment_is_computed_anew(command, tree, weighed, arguments):
    command("mesh", "meshes/a", "--report", "t.jsonl")
    command("mesh", "meshes/a", "--report", "t.jsonl", *arguments)
    assert len(weighed) == 2


def test_rows_of_another_program_are_computed_anew(command, tree, weighed, monkeypatch):
    command("mesh", "meshes/a", "--report", "t.jsonl")
    monkeypatch.setattr(sdfinertia.runs.mesh_rows, "program_digest", lambda: "0.2.0-0")
    command("mesh", "meshes/a", "--report", "t.jsonl")
    assert len(weighed) == 2


@pytest.mark.parametrize(
    "damage",
    [
        {"mass": "6000.0"},
        {"mass": -5.0},
        {"mass": 3000.0},
        {"mass": math.nan},
        {"mass": None},
        {"mass": int("9" * 400)},
        {"mass": True},
        {"volume": -6.0, "mass": -6000.0},
        {"volume": 1e400},
        {"com_x": math.inf},
        {"ixx": 1e308, "iyy": 1e308, "izz": 1e308},
        {"ixx": 1e9},
        {"iyy": -1.0},
        {"faces": -12},
        {"faces": 10**30},
        {"faces": 1e30},
        {"faces": None},
        {"bodies": 10**13},
        {"bytes": -1},
        {"bytes": 10**400},
        {"policy": "voxel"},
        {"policy": "\ud800"},
        {"digest": ""},
        {"digest": "\udcff" * 64},
        {"treatment": "\ud800"},
        {"path": None},
        {"error": "too large"},
        {"error": 7},
        {"error": "no mesh", "faces": None, "mass": 6000.0},
    ],
    ids=repr,
)
@every_table
def test_a_row_that_no_mesh_can_have_is_computed_anew(command, tree, weighed, name, damage):
    command("mesh", "meshes/a", "--report", name, "--report", "kept.jsonl")
    text = Path("kept.jsonl").read_text()
    (row,) = rows("kept.jsonl")
    values = {**row._asdict(), **damage}
    if not write_values(name, values):
        pytest.skip("this format cannot hold it")
    outcome = command("mesh", "meshes/a", "--report", name)
    assert (outcome.status, weighed) == (0, ["meshes/a/box.obj"] * 2)
    assert rows(name) == rows("kept.jsonl")
    assert Path("kept.jsonl").read_text() == text


def write_values(name: str, values: dict[str, Any]) -> bool:
    """Writes a table of one row with any values; False where the format has no such row."""
    if name == "t.jsonl":
        Path(name).write_text(json.dumps(values))
    elif name == "t.csv":
        if values["path"] is None or values["mass"] == "6000.0":
            return False
        with open(name, "w", newline="", encoding="utf-8", errors="surrogatepass") as file:
            csv.writer(file).writerows([COLUMNS, values.values()])
    else:
        import pyarrow
        from pyarrow import parquet

        schema = mesh_tables._schema(pyarrow)
        try:
            table = pyarrow.Table.from_pylist([values], schema=schema)
        except (pyarrow.ArrowException, OverflowError, UnicodeEncodeError):
            return False
        parquet.write_table(table, name)
    return True


def test_strings_of_a_parquet_table_that_are_no_text_are_no_rows(command: Run, tree: Path, weighed: list[str]) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="the extra `tables` is not installed")
    from pyarrow import parquet

    command("mesh", "meshes/a", "--report", "t.parquet")
    table = parquet.read_table("t.parquet")
    paths = pyarrow.Array.from_buffers(pyarrow.string(), 1, pyarrow.array([b"\xff\xfe"]).buffers())
    parquet.write_table(table.set_column(0, "path", paths), "t.parquet")
    assert command("mesh", "meshes/a", "--report", "t.parquet").status == 0
    assert (len(weighed), [row.path for row in rows("t.parquet")]) == (2, ["meshes/a/box.obj"])


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace('"ixx"', '"iXx"'),
        lambda text: text.replace('"volume": 6', '"old": 5, "volume": 6'),
        lambda text: text[:-20],
        lambda text: text.replace(": 6", ": " + "[" * 5000, 1),
        lambda text: text + '{"path": "mine"}\n',
        lambda text: text + "# mine\n",
        lambda text: text + text[:-2] + " " * (1 << 20) + "}\n",
        lambda text: '{"path": "mine", "size": 3}\n',
        lambda text: '{"path": "m',
        lambda text: "[]\n" + text,
    ],
)
def test_a_table_that_is_not_ours_entirely_is_left_alone(command, tree, damage):
    command("mesh", "meshes/a", "--report", "t.jsonl")
    assert_left_alone(command, tree, "t.jsonl", damage(Path("t.jsonl").read_text()).encode())


def assert_left_alone(command: Run, tree: Path, name: str, content: bytes) -> None:
    (tree / name).write_bytes(content)
    outcome = command("mesh", "meshes/a", "--report", name)
    said = f"{name}: exists and is not an earlier output of sdfinertia; not overwritten; "
    assert (outcome.status, outcome.messages) == (2, said + "give another name, or remove the file first\n")
    assert (tree / name).read_bytes() == content
    assert sorted(os.listdir(tree)) == [".git", "meshes", name]


HEAD = ",".join(COLUMNS) + "\n"


@pytest.mark.parametrize(
    "content",
    [
        HEAD.replace(",error", ",error,price"),
        HEAD + ",".join("1" for _ in COLUMNS) + ",mine\n",
        HEAD + "mine\n",
        HEAD + "\0\n",
        HEAD + '"' + "x" * 200_000 + '"' + "," * (len(COLUMNS) - 1) + "\n",
        HEAD + '"mine',
        "name,price\nnut,3\n",
    ],
    ids=[
        "one more column",
        "one more cell",
        "a line",
        "no text",
        "a field that is too long",
        "an open quote",
        "another",
    ],
)
def test_a_csv_file_that_is_not_ours_entirely_is_left_alone(command: Run, tree: Path, content: str) -> None:
    assert_left_alone(command, tree, "t.csv", content.encode())


@pytest.mark.parametrize("columns", ["fewer", "more", "of other kinds", "none that can be read"])
def test_a_parquet_file_that_is_not_ours_entirely_is_left_alone(command: Run, tree: Path, columns: str) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="the extra `tables` is not installed")
    from pyarrow import parquet

    command("mesh", "meshes/a", "--report", "t.parquet")
    table = parquet.read_table("t.parquet")
    if columns == "fewer":
        parquet.write_table(table.select(["path"]), "t.parquet")
    elif columns == "more":
        parquet.write_table(table.append_column("price", pyarrow.array([1])), "t.parquet")
    elif columns == "of other kinds":
        parquet.write_table(table.set_column(4, "faces", pyarrow.array([12.0])), "t.parquet")
    else:
        (tree / "t.parquet").write_bytes(b"PAR1 and no more")
    assert_left_alone(command, tree, "t.parquet", (tree / "t.parquet").read_bytes())


FORMULAS = ["=HYPERLINK(1)", "+1", "-1", "@a", "\tb", "\rc", "\nd", "'=e", "''=f", "\uff1dg", "'h", "i=1"]


def test_no_cell_of_a_csv_table_begins_as_a_formula_and_all_read_back(command: Run, tree: Path) -> None:
    for name in FORMULAS:
        (tree / f"{name}.obj").write_text(BOX)
    names = sorted(f"{name}.obj" for name in FORMULAS)
    assert command("mesh", "*.obj", "--report", "t.csv").status == 0
    with open("t.csv", newline="", encoding="utf-8") as file:
        _, *cells = csv.reader(file)
    assert not [line[0] for line in cells if line[0][0] in "=+-@\t\r\n\uff1d"]
    assert sorted(row.path for row in rows("t.csv")) == names
    assert command("mesh", "*.obj", "--report", "t.csv").messages.splitlines()[-1].endswith("12 known before.")
    assert {row.iyz for row in rows("t.csv")} == {0.0}


def test_a_number_below_zero_is_no_formula(command: Run, tree: Path) -> None:
    (tree / "low.obj").write_text(BOX.replace("v 1 2 3", "v 1 2 4").replace("v 0", "v -9"))
    command("mesh", "low.obj", "--report", "t.csv")
    (row,) = rows("t.csv")
    assert row.com_x is not None
    assert row.com_x < 0.0
    assert f",{row.com_x!r}," in (tree / "t.csv").read_text()


@every_table
def test_names_that_are_no_text_become_text_in_every_format(command: Run, tree: Path, name: str) -> None:
    with open(os.fsencode(tree) + b"/b\xff.obj", "w") as file:
        file.write(BOX)
    assert command("mesh", ".", "--report", name).status == 2, "meshes/broken.stl"
    assert "./b\ufffd.obj" in [row.path for row in rows(name)]
    assert name == "t.parquet" or "b\ufffd.obj" in (tree / name).read_text("utf-8")


@pytest.mark.slow
def test_a_run_that_is_killed_is_gone_on_from(project: Path, command: Run, weighed: list[str]) -> None:
    (project / "meshes").mkdir()
    for number in range(60):
        (project / f"meshes/m{number:02}.obj").write_text(BOX.replace("v 1 2 3", f"v 1 2 {3 + number}"))
    program = """
import time, sdfinertia.commands.mesh, sdfinertia.runs.mesh_rows as rows
sdfinertia.commands.mesh._FLUSH_EVERY = 0.0
real = rows.MeshWeighing._weighed
def slow(self, row, *others):
    if row.path.endswith("m30.obj"):
        time.sleep(600)
    return real(self, row, *others)
rows.MeshWeighing._weighed = slow
from sdfinertia.cli import main
main(["mesh", "meshes", "--report", "t.jsonl", "--jobs", "1"])
"""
    run = subprocess.Popen([sys.executable, "-c", program], cwd=project)
    deadline = time.monotonic() + 60
    while len(journal()) < 30:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert not (project / "t.jsonl").exists()
    with open("t.jsonl.part", "ab") as file:
        file.write(b'{"path": "meshes/m3')  # what was being written
    outcome = command("mesh", "meshes", "--report", "t.jsonl")
    assert outcome.messages.splitlines()[-1] == "60 files: 60 weighed, 30 known before."
    assert len(weighed) == 30
    assert [row.path for row in rows()] == [f"meshes/m{number:02}.obj" for number in range(60)]
    assert sorted(os.listdir(project)) == [".git", "meshes", "t.jsonl"]


def journal() -> list[str]:
    try:
        return [line for line in Path("t.jsonl.part").read_text().splitlines() if line.endswith("}")]
    except FileNotFoundError:
        return []


# Where tables go ------------------------------------------------------------------------------------------------------


def test_a_journal_that_is_something_else_is_left_alone(command: Run, tree: Path) -> None:
    (tree / "t.jsonl.part").write_text("name,price\nnut,3\n")
    outcome = command("mesh", "meshes", "--report", "t.jsonl")
    assert outcome.status == 2
    assert "is not an earlier output" in outcome.messages
    assert (tree / "t.jsonl.part").read_text() == "name,price\nnut,3\n"


def test_a_table_keeps_its_mode_and_its_link(command: Run, tree: Path) -> None:
    command("mesh", "meshes/a", "--report", "t.csv")
    (tree / "t.csv").chmod(0o640)
    (tree / "link.csv").symlink_to("t.csv")
    command("mesh", "meshes/below", "--report", "link.csv")
    assert (tree / "link.csv").is_symlink()
    assert (tree / "t.csv").stat().st_mode & 0o777 == 0o640
    assert [row.path for row in rows("t.csv")] == ["meshes/below/two.obj"]


# What fails on the way ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_ctrl_c_says_where_the_next_run_goes_on_from(command, tree, weighed, monkeypatch):
    real = sdfinertia.runs.mesh_rows.MeshWeighing.__call__

    def interrupted(self: Any, task: Any) -> Any:
        if len(weighed) == 2:
            raise KeyboardInterrupt
        return real(self, task)

    with monkeypatch.context() as patched:
        patched.setattr(sdfinertia.runs.mesh_rows.MeshWeighing, "__call__", interrupted)
        outcome = command("mesh", "meshes", "--report", "t.jsonl", "--jobs", "1")
    assert outcome.status == 130
    assert outcome.messages.splitlines()[-1] == "interrupted; the next run continues from t.jsonl.part"
    assert not (tree / "t.jsonl").exists()
    assert command("mesh", "meshes", "--report", "t.jsonl").messages.splitlines()[-1].endswith("2 known before.")


class Full(io.BytesIO):
    """A file on a disk that is full."""

    def write(self, data: object) -> int:
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("name", ["t.jsonl", "t.csv"])
@pytest.mark.parametrize("call", ["add", "close"])
def test_a_table_on_a_full_disk_is_one_error_and_the_old_one_stays(command, tree, monkeypatch, name, call):
    command("mesh", "meshes/a", "--report", name)
    before = (tree / name).read_bytes()
    for table in (mesh_tables._JsonWriter, mesh_tables._CsvWriter):
        monkeypatch.setattr(table, call, lambda *_: Full().write(b""))
    outcome = command("mesh", "meshes", "--report", name)
    assert outcome.status == 2
    assert f"{name}: cannot be written: No space left on device" in outcome.messages
    assert (tree / name).read_bytes() == before


@pytest.mark.parametrize("beside", ["a link", "unreadable"])
def test_a_journal_that_cannot_be_gone_on_from_is_an_error(command, tree, monkeypatch, beside):
    if beside == "a link":
        (tree / "t.csv.part").symlink_to(tree / "elsewhere")
    else:

        def refuse(path: str) -> Any:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr("sdfinertia.commands.mesh.read_rows", refuse)
    outcome = command("mesh", "meshes/a", "--report", "t.csv")
    assert outcome.status == 2
    assert "cannot be written" in outcome.messages if beside == "a link" else "cannot be read" in outcome.messages
    assert not (tree / "t.csv").exists()
    assert not (tree / "elsewhere").exists()


# A number without a point is one.
@pytest.mark.parametrize(("cell", "expected"), [("6", 1), ("six", 0)])
def test_rows_of_a_damaged_table_are_taken_for_what_they_are(command, tree, cell, expected):
    command("mesh", "meshes/a", "--report", "t.csv")
    text = (tree / "t.csv").read_text()
    (tree / "t.csv").write_text(text.replace(",6.0,", f",{cell},"))
    assert len(rows("t.csv")) == expected


def test_blank_lines_are_passed_over_and_whole_numbers_are_numbers(command: Run, tree: Path) -> None:
    command("mesh", "meshes/a", "--report", "t.jsonl")
    text = (tree / "t.jsonl").read_text()
    (tree / "t.jsonl").write_text(f"\n{text.replace('6.0', '6')}\n")
    (row,) = rows("t.jsonl")
    assert (row.mass, type(row.volume)) == (6000.0, float)
