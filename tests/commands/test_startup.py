"""A run loads what it uses and no more: the commonest runs need no numerical library."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from builders.documents import BOX_FILE
from builders.meshes import OBJ_BOX, cube

HEAVY = {"numpy", "scipy", "lxml", "trimesh", "rich", "tomllib", "tomli", "multiprocessing", "concurrent"}

ROVER = Path(__file__).parents[2] / "fixtures" / "rover"
BOX = BOX_FILE.replace("<box><size>1 2 3</size></box>", "SHAPE")
PRIMITIVES = {
    "box": "<box><size>1 2 3</size></box>",
    "sphere": "<sphere><radius>1</radius></sphere>",
    "cylinder": "<cylinder><radius>1</radius><length>2</length></cylinder>",
    "capsule": "<capsule><radius>1</radius><length>2</length></capsule>",
    "ellipsoid": "<ellipsoid><radii>1 2 3</radii></ellipsoid>",
    "cone": "<cone><radius>1</radius><length>2</length></cone>",
    "polyline": "<polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>2</height></polyline>",
}


def ply() -> str:
    vertices, faces = cube()
    header = "ply\nformat ascii 1.0\nelement vertex 8\n" + "".join(f"property float {axis}\n" for axis in "xyz")
    header += f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    rows = [*vertices.tolist(), *([3, *face] for face in faces.tolist())]
    return header + "".join(" ".join(map(str, row)) + "\n" for row in rows)


def modules_after(program: str, directory: Path) -> set[str]:
    """Names of the modules that are loaded after a program has run."""
    program = f"{program}\nimport sys\nnames = ' '.join(sys.modules)\nimport json\nprint(json.dumps(names.split()))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=directory, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@cache
def modules_of_the_interpreter() -> set[str]:
    return modules_after("", Path.cwd())


def loaded_by(project: Path, *arguments: str) -> set[str]:
    """The heavy modules that a run of the command loads, over what the interpreter loads by itself."""
    program = f"""
try:
    from sdfinertia.cli import main
    main({list(arguments)!r})
except SystemExit as stopped:
    assert stopped.code == 0, stopped.code
"""
    names = modules_after(program, project) - modules_of_the_interpreter()
    return {name for name in names if name.split(".")[0] in HEAVY}


def test_the_list_of_heavy_modules_is_seen_when_they_are_loaded(project: Path) -> None:
    (project / "m.sdf").write_text(BOX.replace("SHAPE", "<mesh><uri>cube.obj</uri></mesh>"))
    (project / "cube.obj").write_text(OBJ_BOX)
    assert "numpy" in loaded_by(project, "fill", "m.sdf")


def test_filling_primitives_loads_no_numerical_library(project: Path) -> None:
    for name, shape in PRIMITIVES.items():
        (project / f"{name}.sdf").write_text(BOX.replace("SHAPE", shape))
    assert loaded_by(project, "fill", "--jobs", "1", ".") == set()
    assert all("<mass>" in path.read_text() for path in project.glob("*.sdf"))


NOTHING_TO_DO = BOX.replace(' auto="true"/', "><mass>1</mass></inertial").replace("SHAPE", "")


@pytest.mark.parametrize("words", ["m.sdf", ".", "m.sdf --check", "m.sdf -o out.sdf", "m.sdf --diff"])
def test_a_run_with_nothing_to_do_loads_no_numerical_library(project: Path, words: str) -> None:
    (project / "m.sdf").write_text(NOTHING_TO_DO)
    (project / "pyproject.toml").write_text("[project]\nname = 'robot'\n")
    assert loaded_by(project, "fill", *words.split()) == set()


# The first is what `inspect` imports, by which click cleans help texts; since Python 3.13 dataclasses use it too.
OF_INSPECT = {"ast", "dis", "tokenize"} if sys.version_info < (3, 13) else set()
# Click searches for names like an unknown one, such as a short option at first.
RARELY_USED = {"difflib", "json", "shlex"}


@pytest.mark.parametrize("words", ["fill -q m.sdf", "fill -q m.sdf -o out.sdf", "check -q --select SDI001 m.sdf"])
def test_a_run_loads_what_it_rarely_uses_where_it_is_used(project: Path, words: str) -> None:
    (project / "m.sdf").write_text(NOTHING_TO_DO)
    program = f"""
import sys
sys.argv = {["sdfinertia", *words.split()]!r}
try:
    from sdfinertia.__main__ import main
    main()
except SystemExit as stopped:
    assert stopped.code == 0, stopped.code
"""
    assert RARELY_USED & (modules_after(program, project) - modules_of_the_interpreter()) == set()
    use = """
import inspect
from inspect import signature
assert inspect.cleandoc(" a") == "a"
assert signature is inspect.signature is sys.modules["inspect"].signature
"""
    assert "dis" in modules_after(program + use, project)


def test_a_clean_block_with_a_mesh_is_verified_without_a_numerical_library(project: Path) -> None:
    # Its meshes are STL, OBJ and COLLADA files.
    shutil.copytree(ROVER, project / "rover")
    (project / "cube.ply").write_text(ply())
    (project / "cube.sdf").write_text(BOX.replace("SHAPE", "<mesh><uri>cube.ply</uri></mesh>"))
    loaded_by(project, "fill", ".")
    contents = [path.read_bytes() for path in project.rglob("*.sdf")]
    assert sum(content.count(b"inputs=") for content in contents) == 8
    assert loaded_by(project, "fill", "--jobs", "1", ".") == set()
    assert [path.read_bytes() for path in project.rglob("*.sdf")] == contents


def test_showing_links_of_primitives_loads_no_numerical_library(project: Path) -> None:
    (project / "m.sdf").write_text(
        BOX.replace(' auto="true"/', "><mass>1</mass></inertial").replace("SHAPE", PRIMITIVES["box"])
    )
    assert {name.partition(".")[0] for name in loaded_by(project, "show", "m.sdf")} <= {"rich"}


def test_configuration_loads_a_reader_only_where_there_is_one(project: Path) -> None:
    (project / "m.sdf").write_text(BOX.replace("SHAPE", PRIMITIVES["box"]))
    (project / "sdfinertia.toml").write_text("digits = 12\n")
    assert {name.split(".")[0] for name in loaded_by(project, "fill", "m.sdf")} <= {"tomllib", "tomli"}


@pytest.mark.parametrize("arguments", [("--version",), ("--help",), ("fill", "--help")])
def test_asking_for_help_loads_nothing_of_the_computation(project: Path, arguments: tuple[str, ...]) -> None:
    program = f"""
import io, sys
sys.stdout, out = io.StringIO(), sys.stdout
try:
    from sdfinertia.cli import main
    main({list(arguments)!r})
except SystemExit:
    sys.stdout = out
"""
    names = modules_after(program, project)
    # What options there are, the words that they may hold, their limits, the error of those that are wrong, and where
    # help is printed.
    options = {"declaration", "options", "mesh", "mesh.method", "errors", "withdrawn"}
    options |= {"files", "files.regular_file"}
    loaded = {name.partition(".")[2] for name in names if name.startswith("sdfinertia.")}
    assert loaded - options - {"commands.help_text"} == {"cli", "commands", "commands.arguments"}


def test_a_run_with_nothing_to_do_loads_neither_help_nor_what_computes(project: Path) -> None:
    (project / "m.sdf").write_text(NOTHING_TO_DO)
    program = "from sdfinertia.cli import main\ntry:\n    main(['fill', 'm.sdf'])\nexcept SystemExit: pass"
    names = {name.partition(".")[2] for name in modules_after(program, project) if name.startswith("sdfinertia.")}
    assert {"commands.fill", "commands.arguments"} <= names
    unused = {"commands.help_text", "links.computed", "links.warnings", "inertia.solids", "mesh.store"}
    assert names & unused == set()


def test_importing_the_package_loads_none_of_its_modules(project: Path) -> None:
    names = modules_after("import sdfinertia", project)
    assert {name for name in names if name.startswith("sdfinertia.")} == set()


@pytest.mark.parametrize("command_name", ["fill", "check"])
@pytest.mark.parametrize("jobs", [(), ("--jobs", "1")])
def test_a_run_over_a_few_files_starts_no_processes(project: Path, command_name: str, jobs: tuple[str, ...]) -> None:
    for name in "abcdef":
        (project / f"{name}.sdf").write_text(BOX.replace("SHAPE", PRIMITIVES["box"]))
    loaded_by(project, "fill", ".")
    assert loaded_by(project, command_name, ".", *jobs) == set()


@pytest.mark.parametrize(("given", "expected"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_the_library_of_numpy_starts_no_threads_unless_told_to(project, given, expected):
    (project / "m.sdf").write_text(BOX.replace("SHAPE", "<mesh><uri>cube.obj</uri></mesh>"))
    (project / "cube.obj").write_text(OBJ_BOX)
    program = """
import os
try:
    from sdfinertia.cli import main
    main(["fill", "m.sdf", "-q"])
except SystemExit as stopped:
    assert stopped.code == 0
import sys
assert "numpy" in sys.modules
print(os.environ["OPENBLAS_NUM_THREADS"], len(os.listdir("/proc/self/task")) if sys.platform == "linux" else 1)
"""
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, cwd=project, check=True, env={**environment, **given}
    )
    threads, running = done.stdout.split()
    assert threads.decode() == expected
    if not given:
        assert running == b"1"


# The public names -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "program",
    [
        "import sdfinertia; sdfinertia.SpatialInertia; fill = sdfinertia.fill",
        "from sdfinertia import *",
        "import sdfinertia.cli, sdfinertia.commands.fill; from sdfinertia import FillResult, fill",
    ],
)
def test_fill_is_a_function_however_it_is_imported(project: Path, program: str) -> None:
    (project / "m.sdf").write_text(BOX.replace("SHAPE", PRIMITIVES["box"]))
    program += "\nassert fill('m.sdf').changed"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, cwd=project)
    assert done.returncode == 0, done.stderr.decode()


def test_every_public_name_and_module_can_be_used(project: Path) -> None:
    program = "import sdfinertia\nfor name in sdfinertia.__all__: getattr(sdfinertia, name)"
    assert "sdfinertia.documents.filling" in modules_after(program, project)
    program = "import sdfinertia\nfor name in ('calculators', 'errors', 'parametrization'): getattr(sdfinertia, name)"
    assert {"sdfinertia.calculators", "sdfinertia.errors", "sdfinertia.parametrization"} <= modules_after(
        program, project
    )


def test_the_package_lists_its_public_names_and_has_no_others() -> None:
    import sdfinertia

    with pytest.raises(AttributeError, match="no_such_name"):
        sdfinertia.no_such_name  # noqa: B018
    assert dir(sdfinertia) == sorted(sdfinertia.__all__)
