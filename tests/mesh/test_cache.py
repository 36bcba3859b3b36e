"""Solids that are kept on disk: found again by the content of files alone, shared by processes, and never trusted."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from builders.meshes import MOEBIUS, OBJ_BOX, OBJ_CORNERS, OBJ_OPEN

import sdfinertia
from sdfinertia.errors import MeshError
from sdfinertia.mesh import MeshSource, MeshTreatment, Method, Overlaps
from sdfinertia.mesh import cache as cache_module
from sdfinertia.mesh import store as store_module
from sdfinertia.mesh.cache import NAME, MeshCache, default_directory
from sdfinertia.mesh.pipeline import Pipeline
from sdfinertia.mesh.store import MeshStore
from sdfinertia.options import Options

BOX, OPEN = OBJ_BOX.replace("f 1 3 4 2", "o post\nf 1 3 4 2"), OBJ_OPEN
MODEL = """<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/><collision name="c"><geometry>
<mesh><uri>box.obj</uri></mesh></geometry></collision></link></model></sdf>"""


@pytest.fixture
def integrated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The methods of the solids that were computed."""
    found: list[str] = []
    real = Pipeline.by

    def counted(self: Pipeline, method: Method, treatment: MeshTreatment) -> Any:
        found.append(method)
        return real(self, method, treatment)

    monkeypatch.setattr(Pipeline, "by", counted)
    return found


@pytest.fixture
def box(tmp_path: Path) -> Path:
    return _written(tmp_path / "box.obj", BOX)


EXACTLY = MeshTreatment()
SHELL = MeshTreatment(Method("shell"), thickness=0.01)
OPEN_AS_SHELL = MeshTreatment(open_mesh=Method("shell"), thickness=0.01)


def solid(path: Path, cache: Path, treatment: MeshTreatment = EXACTLY, **taken: Any) -> Any:
    """The solid of a file, and the box round it, as a run of its own has them."""
    scale = taken.pop("scale", (1.0, 1.0, 1.0))
    store = MeshStore(cache=MeshCache(str(cache)))
    source = MeshSource(str(path), **taken)
    return store.solid(source, treatment, scale), store.bounds(source)


def entries(cache: Path) -> dict[bytes, dict[str, str]]:
    """The records of the cache."""
    if not (cache / NAME).exists():
        return {}
    with closing(sqlite3.connect(cache / NAME)) as connection:
        found: dict[bytes, dict[str, str]] = {}
        for mesh, fact, value in connection.execute("SELECT mesh, fact, value FROM facts"):
            found.setdefault(mesh, {})[fact] = value
        return found


@pytest.mark.parametrize(
    "treatment",
    [EXACTLY, MeshTreatment(Method("convex_hull")), MeshTreatment(open_mesh=Method("convex_hull")), SHELL],
    ids=str,
)
@pytest.mark.parametrize("scale", [(1.0, 1.0, 1.0), (0.1, 0.7, -1.3)])
def test_a_solid_is_found_again_to_the_last_bit(box, tmp_path, integrated, treatment, scale):
    plain = MeshStore().solid(MeshSource(str(box)), treatment, scale)
    integrated.clear()
    assert [solid(box, tmp_path / "cache", treatment, scale=scale)[0] for _ in range(3)] == [plain] * 3
    assert len(integrated) == 1
    assert [MeshStore().bounds(MeshSource(str(box)))] * 2 == [
        solid(box, tmp_path / "cache", treatment, scale=scale)[1] for _ in range(2)
    ]


@pytest.mark.parametrize(
    ("treatment", "taken", "solids"),
    [
        # A scale makes another solid only where lengths are given.
        (EXACTLY, {"scale": (2.0, 1.0, 1.0)}, 1),
        (SHELL, {"treatment": SHELL, "scale": (2.0, 1.0, 1.0)}, 2),
        (OPEN_AS_SHELL, {"treatment": OPEN_AS_SHELL, "scale": (2.0, 1.0, 1.0)}, 1),
        (EXACTLY, {"treatment": MeshTreatment(Method("convex_hull"))}, 2),
        (EXACTLY, {"treatment": MeshTreatment(overlaps=Overlaps("union"))}, 2),
        (EXACTLY, {"submesh": "post"}, 2),
        (EXACTLY, {"submesh": "post", "center": True}, 2),
        # An exact solid does not look at these.
        (EXACTLY, {"treatment": MeshTreatment(open_mesh=Method("convex_hull"))}, 1),
        (EXACTLY, {"treatment": MeshTreatment(thickness=0.1)}, 1),
        (EXACTLY, {"treatment": MeshTreatment(voxel_size=0.1)}, 1),
    ],
    ids=str,
)
def test_what_is_taken_otherwise_is_another_solid_if_that_counts(box, tmp_path, integrated, treatment, taken, solids):
    first = solid(box, tmp_path / "cache", treatment)
    second = solid(box, tmp_path / "cache", **taken)
    assert len(integrated) == solids
    assert "scale" in taken or solids == 2 or second == first


def test_another_reader_is_another_mesh_and_another_program_takes_nothing_over(tmp_path, box, integrated, monkeypatch):
    solid(_written(tmp_path / "a.obj", BOX), tmp_path / "cache")
    with pytest.raises(MeshError, match=r"a\.stl"):
        solid(_written(tmp_path / "a.stl", BOX), tmp_path / "cache")
    solid(box, tmp_path / "cache")
    monkeypatch.setattr(cache_module, "program_digest", lambda: "0.2.0-0")
    solid(box, tmp_path / "cache")
    assert len(integrated) == 2


def _written(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


@pytest.mark.parametrize("found", ["9", "none"])
def test_libraries_that_shape_numbers_count_with_their_versions(monkeypatch: pytest.MonkeyPatch, found: str) -> None:
    def version(name: str) -> str:
        if found == "none":
            raise metadata.PackageNotFoundError(name)
        return found

    monkeypatch.setattr("importlib.metadata.version", version)
    from sdfinertia.mesh import libraries_for

    assert libraries_for(MeshTreatment()) == ""
    assert libraries_for(MeshTreatment(Method("voxel"))) == f"libigl-{found}"
    assert libraries_for(MeshTreatment(Method.CONVEX_DECOMPOSITION)) == f"vhacdx-{found}"
    both = MeshTreatment(open_mesh=Method("voxel"), overlaps=Overlaps("union"))
    assert libraries_for(both) == f"libigl-{found},manifold3d-{found}"


REFUSALS = [
    (OPEN, MeshTreatment(), {}, "4 open edges"),
    (MOEBIUS, MeshTreatment(), {}, "only one side"),
    (BOX, MeshTreatment(Method("shell")), {}, "thickness"),
    (BOX.replace("f 1 3 4 2", "f 1 3 4 99"), MeshTreatment(), {}, "99"),
    (OBJ_CORNERS, MeshTreatment(), {}, "no triangles"),
    (BOX, MeshTreatment(), {"submesh": "lid"}, "lid"),
]


@pytest.mark.parametrize(("text", "treatment", "taken", "problem"), REFUSALS, ids=[case[-1] for case in REFUSALS])
def test_why_a_mesh_is_none_is_found_again_word_by_word(tmp_path, integrated, text, treatment, taken, problem):
    path, moved = _written(tmp_path / "mesh.obj", text), _written(tmp_path / "moved.obj", text)
    refusals = []
    for each in (path, path, moved):
        with pytest.raises(MeshError, match=problem) as caught:
            solid(each, tmp_path / "cache", treatment, **taken)
        assert caught.value.file == str(each)
        refusals.append((type(caught.value), {**vars(caught.value), "file": None}))
    assert refusals[0] == refusals[1] == refusals[2]
    assert len(entries(tmp_path / "cache")) == 1
    assert len(integrated) <= 1


def test_what_is_refused_for_want_of_a_library_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _written(tmp_path / "open.obj", OPEN)
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "igl", None)
        with pytest.raises(MeshError, match="libigl"):
            solid(path, tmp_path / "cache", MeshTreatment(Method("voxel"), voxel_size=0.2))
    assert entries(tmp_path / "cache") == {}


# What is not believed -------------------------------------------------------------------------------------------------


def problem_of(directory: Path) -> str:
    cache = MeshCache(str(directory))
    cache.record(MeshSource("0-0.stl"))
    return cache.problem


def test_a_value_that_does_not_repeat_its_digest_is_computed_anew(box, tmp_path, integrated):
    expected = solid(box, tmp_path / "cache")
    with closing(sqlite3.connect(tmp_path / "cache" / NAME)) as connection, connection:
        connection.execute("UPDATE facts SET value = replace(value, '6.0', '7.0')")
    assert solid(box, tmp_path / "cache") == expected
    assert len(integrated) == 2


@pytest.mark.skipif(os.name != "posix", reason="owners and modes are those of POSIX")
@pytest.mark.parametrize("what", ["directory", "file"])
@pytest.mark.parametrize("kind", ["writable by all", "writable by the group", "of another user", "a link"])
def test_what_others_may_have_written_to_is_not_used_and_that_is_noted(box, tmp_path, integrated, what, kind):
    solid(box, tmp_path / "cache")
    place = tmp_path / "cache" if what == "directory" else tmp_path / "cache" / NAME
    if kind == "of another user":
        if os.geteuid() != 0:
            pytest.skip("only root can give a file away")
        os.chown(place, 12345, 12345)
    elif kind == "a link":
        if what == "directory":
            pytest.skip("a link to a directory of the user's is followed")
        place.rename(tmp_path / "outside")
        place.symlink_to(tmp_path / "outside")
    else:
        place.chmod(place.stat().st_mode | (0o002 if kind.endswith("all") else 0o020))
    before = entries(tmp_path / "cache")
    solid(box, tmp_path / "cache")
    assert len(integrated) == 2
    assert entries(tmp_path / "cache") == before
    assert f"{place} must be yours" in problem_of(tmp_path / "cache")


@pytest.mark.parametrize("data", [b"no database" * 1000, b"SQLite format 3\0" + bytes(5000)])
def test_a_damaged_file_is_a_note(box, tmp_path, data):
    expected = solid(box, tmp_path / "cache")
    (tmp_path / "cache" / NAME).write_bytes(data)
    assert solid(box, tmp_path / "cache") == expected
    assert "is not used" in problem_of(tmp_path / "cache")


def test_a_directory_that_cannot_be_made_is_a_note(box, tmp_path):
    (tmp_path / "cache").write_text("")
    assert solid(box, tmp_path / "cache" / "below")[0].faces == 12
    assert "is not used" in problem_of(tmp_path / "cache" / "below")


def test_tables_of_another_version_are_discarded(box, tmp_path, integrated):
    solid(box, tmp_path / "cache")
    with closing(sqlite3.connect(tmp_path / "cache" / NAME)) as connection:
        connection.executescript("DROP TABLE facts; CREATE TABLE meshes (other); PRAGMA user_version = 0")
    solid(box, tmp_path / "cache")
    assert (len(integrated), len(entries(tmp_path / "cache")), problem_of(tmp_path / "cache")) == (2, 1, "")


def test_a_file_that_is_too_long_begins_anew(box, tmp_path, monkeypatch):
    solid(_written(tmp_path / "other.obj", OPEN), tmp_path / "cache", MeshTreatment(open_mesh=Method("convex_hull")))
    monkeypatch.setattr(cache_module, "_MAX_BYTES", 100)
    solid(box, tmp_path / "cache")
    assert len(entries(tmp_path / "cache")) == 1


@pytest.mark.parametrize(("text", "count"), [(BOX, 1), (OPEN, 1), ("v 0 0\n", 0)], ids=["solid", "open", "damaged"])
def test_copies_in_one_run_are_one_mesh_of_several_names(tmp_path, integrated, monkeypatch, text, count):
    paths = [_written(tmp_path / name, text) for name in ("one.obj", "other.obj", "third.obj")]
    store = MeshStore(cache=MeshCache(str(tmp_path / "cache")))
    found: list[Any] = []
    for path in paths:
        try:
            found.append((store.solid(MeshSource(str(path)), EXACTLY), store.bounds(MeshSource(str(path)))))
        except MeshError as error:
            found.append({**vars(error), "file": error.file == str(path)})
        # What the first brought is remembered; the disk is asked no more.
        monkeypatch.setattr(MeshCache, "record", None)
    assert found[0] == found[1] == found[2]
    assert isinstance(found[0], tuple) or found[0]["file"]
    assert len(integrated) == count


# The directory --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_processes_share_one(tmp_path: Path) -> None:
    for number in range(20):
        _written(tmp_path / f"m{number}.obj", BOX + "\n" * number)
    command = [sys.executable, "-m", "sdfinertia", "mesh", "."]
    environment = {**os.environ, "SDFINERTIA_CACHE_DIR": "cache"}
    running = [
        subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for _ in range(4)
    ]
    printed = {process.communicate()[0] for process in running}
    assert len(printed) == 1
    assert b"cache" not in printed.pop()
    assert len(entries(tmp_path / "cache")) == 20


def test_what_is_held_in_memory_is_bounded_and_found_again(box, tmp_path, monkeypatch):
    monkeypatch.setattr(store_module, "_MAX_REMEMBERED", 5)
    store = MeshStore()
    for _ in range(2):
        for number in range(20):
            path = _written(tmp_path / f"m{number}.obj", BOX.replace("v 1 2 3", f"v 1 2 {3 + number}"))
            store.digest(str(path))
            assert store.solid(MeshSource(str(path)), MeshTreatment()).extent[2] == 3 + number
            store.forget_contents()
            assert max(len(store._digests), len(store._records), len(store._external_buffers)) <= 6


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
@pytest.mark.parametrize(
    "words",
    [("fill", "m.sdf"), ("mesh", "box.obj"), ("show", "m.sdf"), ("check", "m.sdf", "--exit-zero")],
    ids=" ".join,
)
def test_commands_note_that_the_cache_of_the_user_is_not_used(command, model, words):
    assert command("mesh", "box.obj").messages == ""
    Path(default_directory()).chmod(0o777)
    outcome = command(*words)
    assert outcome.status == 0
    assert outcome.messages.count("is not used") == 1


# Who uses it ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def model(project: Path) -> Path:
    (project / "box.obj").write_text(BOX)
    return _written(project / "m.sdf", MODEL)


def test_the_command_keeps_masses_in_the_directory_of_the_user(command, model, integrated, monkeypatch):
    assert command("fill", "m.sdf").status == 0
    assert len(entries(Path(default_directory()))) == 1
    assert Path(default_directory()).is_relative_to(model.parents[1])
    first = model.read_bytes()
    for directory, arguments in (("", ()), ("kept", ()), ("kept", ()), ("kept", ("--no-cache",))):
        monkeypatch.setenv("SDFINERTIA_CACHE_DIR", directory)
        model.write_text(MODEL)
        assert command("fill", "m.sdf", *arguments).status == 0
        assert model.read_bytes() == first
    assert len(integrated) == 3
    assert len(entries(model.parent / "kept")) == 1


def test_functions_keep_nothing_unless_they_are_asked_to(model: Path) -> None:
    sdfinertia.fill(model)
    list(sdfinertia.fill_many([model], write=None))
    assert not os.path.exists(default_directory())
    sdfinertia.fill(model, Options(cache=str(model.parent / "kept")))
    assert len(entries(model.parent / "kept")) == 1


def test_a_run_that_is_confined_or_configured_so_has_no_cache_but_one_inside(command, model: Path, monkeypatch) -> None:
    assert command("fill", "m.sdf", "--confine", ".").status == 0
    assert not os.path.exists(default_directory())
    model.write_text(MODEL)
    monkeypatch.setenv("SDFINERTIA_CACHE_DIR", "../outside")
    outcome = command("fill", "m.sdf", "--confine", ".")
    assert outcome.status == 2
    assert "the cache is outside" in outcome.messages
    assert not (model.parents[1] / "outside").exists()
    monkeypatch.setenv("SDFINERTIA_CACHE_DIR", "inside")
    assert command("fill", "m.sdf", "--confine", ".").status == 0
    monkeypatch.delenv("SDFINERTIA_CACHE_DIR")
    assert len(entries(model.parent / "inside")) == 1
    model.write_text(MODEL)
    (model.parent / "sdfinertia.toml").write_text("no-cache = true\n")
    assert command("fill", "m.sdf").status == 0
    assert not os.path.exists(default_directory())


def test_a_cache_that_is_asked_for_and_cannot_be_made_is_a_note(command, model: Path, monkeypatch) -> None:
    monkeypatch.setenv("SDFINERTIA_CACHE_DIR", "box.obj")
    outcome = command("fill", "m.sdf")
    assert outcome.status == 0
    assert "note: the cache" in outcome.messages


def test_what_is_kept_needs_no_numerical_library(model: Path) -> None:
    program = """
import sys
from sdfinertia.cli import main
try:
    main(["fill", "-q", "m.sdf"])
except SystemExit as stopped:
    assert stopped.code == 0
print("numpy" in sys.modules)
"""
    seen = []
    for _ in range(2):
        model.write_text(MODEL)
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=model.parent, capture_output=True, text=True, check=True
        )
        seen.append(done.stdout.strip())
    assert seen == ["True", "False"]
