"""Solids that are kept on disk: found again by the content of files alone, shared by processes, and never trusted."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from hashlib import sha256
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from builders.meshes import MOEBIUS, OBJ_BOX, OBJ_CORNERS, OBJ_OPEN

import sdfinertia
from sdfinertia.errors import ConfigurationError, MeshError
from sdfinertia.files.cache_file import CacheFile, default_directory
from sdfinertia.links.context import Context
from sdfinertia.mesh import cache as cache_module
from sdfinertia.mesh import method, solid_moments
from sdfinertia.mesh import store as store_module
from sdfinertia.mesh.cache import MassCache, cache_in, record_of
from sdfinertia.mesh.method import MeshSource, MeshTreatment, Method, Overlaps
from sdfinertia.mesh.store import MeshStore
from sdfinertia.options import Options

BOX, OPEN = OBJ_BOX.replace("f 1 3 4 2", "o post\nf 1 3 4 2"), OBJ_OPEN
MODEL = """<sdf version="1.12"><model name="m"><link name="l"><inertial auto="true"/><collision name="c"><geometry>
<mesh><uri>box.obj</uri></mesh></geometry></collision></link></model></sdf>"""


@pytest.fixture
def integrated(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The methods of the solids that were computed."""
    found: list[str] = []
    real = solid_moments.solid_of

    def counted(mesh: Any, method: str, treatment: MeshTreatment) -> Any:
        found.append(method)
        return real(mesh, method, treatment)

    monkeypatch.setattr(solid_moments, "solid_of", counted)
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
    store = MeshStore(cache=MassCache(str(cache)))
    source = MeshSource(str(path), **taken)
    return store.solid(source, treatment, scale), store.bounds(source)


def entries(cache: Path) -> dict[bytes, bytes]:
    """The contents of the cache by their keys."""
    path = cache / "sdfinertia.sqlite"
    if not path.exists():
        return {}
    with closing(sqlite3.connect(path)) as connection:
        return dict(connection.execute("SELECT key, content FROM entries"))


def replace_entry(cache: Path, change: Callable[[bytes], bytes]) -> bytes:
    """Changes the one entry, as who writes to the cache would; returns what it was."""
    ((key, content),) = entries(cache).items()
    changed = change(content)
    assert changed != content
    with closing(sqlite3.connect(cache / "sdfinertia.sqlite")) as connection:
        digest = sha256(key + changed).digest()[:16]
        connection.execute("UPDATE entries SET content = ?, digest = ?", (changed, digest))
        connection.commit()
    return content


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


def test_the_box_round_a_mesh_is_found_without_its_solid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _written(tmp_path / "open.obj", OPEN)
    expected = MeshStore(cache=MassCache(str(tmp_path / "cache"))).bounds(MeshSource(str(path)))
    monkeypatch.setattr(MeshStore, "points", None)
    assert MeshStore(cache=MassCache(str(tmp_path / "cache"))).bounds(MeshSource(str(path))) == expected


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


def test_the_program_is_what_its_modules_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache_module.program_digest()
    assert before.startswith(f"{sdfinertia.__version__}-")
    names = {Path(path).name for path in cache_module._modules()}
    assert {"polyhedron.py", "stl.py", "closed_solid.py", "solid_moments.py", "spatial_inertia.py"} <= names
    changed = _written(tmp_path / "stl.py", "# changed")
    monkeypatch.setattr(cache_module, "_modules", lambda: iter([str(changed)]))
    assert cache_module.program_digest.__wrapped__() != before


@pytest.mark.parametrize("found", ["9", "none"])
def test_libraries_that_shape_numbers_count_with_their_versions(monkeypatch: pytest.MonkeyPatch, found: str) -> None:
    def version(name: str) -> str:
        if found == "none":
            raise metadata.PackageNotFoundError(name)
        return found

    monkeypatch.setattr(metadata, "version", version)
    libraries_for = method.libraries_for
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


@pytest.mark.parametrize(
    "record",
    [
        None,
        "is open",
        {"kind": "OpenMeshError", "problem": "", "remedy": "", "one_sided": False},
        {"kind": "OpenMeshError", "problem": "is open", "remedy": "", "one_sided": 0},
        {"kind": "OpenMeshError", "problem": "is open", "remedy": ""},
        {"kind": "OSError", "problem": "is open", "remedy": "", "one_sided": False},
        {"kind": ["MeshError"], "problem": "is open", "remedy": "", "one_sided": False},
        {"kind": "MeshError", "problem": "is open", "one_sided": False},
        {"kind": "MeshError", "problem": "x" * 9000, "remedy": "", "one_sided": False},
    ],
    ids=str,
)
def test_a_refusal_that_cannot_be_is_not_believed(tmp_path: Path, integrated: list[str], record) -> None:
    path = _written(tmp_path / "open.obj", OPEN)
    with pytest.raises(MeshError):
        solid(path, tmp_path / "cache")
    sound = replace_entry(tmp_path / "cache", changed(refusal=record))
    with pytest.raises(MeshError, match="4 open edges"):
        solid(path, tmp_path / "cache")
    assert len(integrated) == 2
    assert list(entries(tmp_path / "cache").values()) == [sound]


# What is not believed -------------------------------------------------------------------------------------------------


def changed(**values: Any) -> Callable[[bytes], bytes]:
    return lambda data: json.dumps({**json.loads(data), **values}, separators=(",", ":")).encode()


DAMAGES = {
    "empty": lambda data: b"",
    "cut short": lambda data: data[:-9],
    "no JSON": lambda data: b"\x80\x81" * 50,
    "nested": lambda data: b"[" * 60_000,
    "digits": lambda data: data.replace(b'"faces":12', b'"faces":' + b"1" * 50_000),
    "a list": lambda data: b"[" + data + b"]",
    "a negative volume": changed(volume=-6.0),
    "no volume": changed(volume=0.0),
    "infinite": lambda data: data.replace(b'"volume":6.0', b'"volume":Infinity'),
    "not a number": lambda data: data.replace(b'"volume":6.0', b'"volume":NaN'),
    "a volume in words": changed(volume="6.0"),
    "true": changed(volume=True),
    "a method of another treatment": changed(method="convex_hull"),
    "a method that is none": changed(method=["exact"]),
    "a tensor no body has": changed(second=[-2.0, 2.0, 4.5, 0.0, 0.0, 0.0]),
    "five moments": changed(second=[0.5, 2.0, 4.5, 0.0, 0.0]),
    "a flat centre": changed(centroid=[0.5, 1.0]),
    "faces below zero": changed(faces=-1),
    "faces in parts": changed(faces=12.5),
    "notes that are none": changed(notes="exact"),
    "a note of a number": changed(notes=[1]),
    "an endless note": changed(notes=["a" * 5000]),
    "a negative extent": changed(extent=[-1.0, 2.0, 3.0]),
    "a negative uncertainty": changed(uncertainty=-0.1),
    "a box inside out": changed(lower=[2.0, 0.0, 0.0]),
    "no box": changed(upper=None),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=list(DAMAGES))
def test_an_entry_that_cannot_be_is_computed_anew_and_replaced(box, tmp_path, integrated, damage):
    expected = solid(box, tmp_path / "cache")
    sound = replace_entry(tmp_path / "cache", damage)
    assert solid(box, tmp_path / "cache") == expected
    assert len(integrated) == 2
    assert list(entries(tmp_path / "cache").values()) == [sound]


@pytest.mark.parametrize(("text", "count"), [(BOX, 1), (OPEN, 1), ("v 0 0\n", 0)], ids=["solid", "open", "damaged"])
def test_copies_in_one_run_are_one_mesh_of_several_names(tmp_path, integrated, monkeypatch, text, count):
    paths = [_written(tmp_path / name, text) for name in ("one.obj", "other.obj", "third.obj")]
    store = MeshStore(cache=MassCache(str(tmp_path / "cache")))
    found: list[Any] = []
    for path in paths:
        try:
            found.append((store.solid(MeshSource(str(path)), EXACTLY), store.bounds(MeshSource(str(path)))))
        except MeshError as error:
            found.append({**vars(error), "file": error.file == str(path)})
        # What the first brought is remembered; the disk is asked no more.
        monkeypatch.setattr(CacheFile, "get", None)
    assert found[0] == found[1] == found[2]
    assert isinstance(found[0], tuple) or found[0]["file"]
    assert len(integrated) == count


# The directory --------------------------------------------------------------------------------------------------------


def test_threads_and_processes_share_one(box: Path, tmp_path: Path) -> None:
    paths = [_written(tmp_path / f"m{number}.obj", BOX + "\n" * number) for number in range(30)]
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda path: solid(path, tmp_path / "cache"), paths * 4))
    assert len(set(map(str, results))) == 1
    assert len(entries(tmp_path / "cache")) == 30


def test_what_is_held_in_memory_is_bounded_and_found_again(box, tmp_path, monkeypatch):
    monkeypatch.setattr(store_module, "_MAX_REMEMBERED", 5)
    store = MeshStore()
    for _ in range(2):
        for number in range(20):
            path = _written(tmp_path / f"m{number}.obj", BOX.replace("v 1 2 3", f"v 1 2 {3 + number}"))
            store.digest(str(path))
            assert store.solid(MeshSource(str(path)), MeshTreatment()).extent[2] == 3 + number
            store.forget_contents()
            assert max(len(store._digests), len(store._solids), len(store._external_buffers)) <= 6


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
    assert outcome.messages.count("is not fully used") == 1


# Who uses it ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def model(project: Path) -> Path:
    (project / "box.obj").write_text(BOX)
    return _written(project / "m.sdf", MODEL)


def test_the_command_keeps_masses_in_the_directory_of_the_user(command, model, integrated):
    assert command("fill", "m.sdf").status == 0
    assert len(entries(Path(default_directory()))) == 1
    assert Path(default_directory()).is_relative_to(model.parents[1])
    first = model.read_bytes()
    for arguments in ((), ("--cache", "kept"), ("--cache", "kept"), ("--no-cache",)):
        model.write_text(MODEL)
        assert command("fill", "m.sdf", *arguments).status == 0
        assert model.read_bytes() == first
    assert len(integrated) == 3
    assert len(entries(model.parent / "kept")) == 1


@pytest.mark.parametrize(
    ("words", "solids"),
    [
        (("show", "box.obj"), 1),
        (("mesh", "box.obj"), 1),
        (("mesh", "box.obj", "--report", "t.jsonl"), 1),
        (("check", "h.sdf", "--select", "SDI204"), 1),
        # What explains a finding also takes the hull.
        (("check", "h.sdf", "--select", "SDI204", "--why"), 2),
    ],
)
def test_so_do_the_other_commands(command, model, integrated, words, solids):
    _written(
        model.with_name("h.sdf"),
        MODEL.replace(
            ' auto="true"/', "><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial"
        ),
    )
    first = command(*words, "--cache", "kept")
    assert len(integrated) == solids
    if "--report" in words:
        (model.parent / "t.jsonl").unlink()
    second = command(*words, "--cache", "kept")
    assert second == first
    assert len(integrated) == solids


def test_functions_keep_nothing_unless_they_are_asked_to(model: Path) -> None:
    sdfinertia.fill(model)
    list(sdfinertia.fill_many([model], write=None))
    assert not os.path.exists(default_directory())
    sdfinertia.fill(model, Options(cache=str(model.parent / "kept")))
    assert len(entries(model.parent / "kept")) == 1


def test_a_run_that_is_confined_or_configured_so_has_no_cache_but_one_inside(command, model: Path) -> None:
    assert command("fill", "m.sdf", "--confine", ".").status == 0
    assert not os.path.exists(default_directory())
    model.write_text(MODEL)
    outcome = command("fill", "m.sdf", "--confine", ".", "--cache", "../outside")
    assert outcome.status == 2
    assert "the cache is outside" in outcome.messages
    assert not (model.parents[1] / "outside").exists()
    assert command("fill", "m.sdf", "--confine", ".", "--cache", "inside").status == 0
    assert len(entries(model.parent / "inside")) == 1
    model.write_text(MODEL)
    (model.parent / "sdfinertia.toml").write_text("no-cache = true\n")
    assert command("fill", "m.sdf").status == 0
    assert not os.path.exists(default_directory())


def test_a_cache_that_is_asked_for_and_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigurationError, match="the cache cannot be made"):
        cache_in(str(tmp_path / "file"), None)
    with pytest.raises(ConfigurationError, match="the cache cannot be made"):
        _ = Context(replace(Options(), cache=str(tmp_path / "file"))).meshes


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


def test_a_refusal_that_says_more_than_is_kept_is_not_kept() -> None:
    another = type("Another", (MeshError,), {})("is damaged")
    of_a_link, of_a_collision = MeshError("is damaged").within(link="a"), MeshError("is damaged", collision="c")
    for refusal in (another, of_a_link, of_a_collision, MeshError("x" * 5000)):
        assert record_of(refusal) is None
    assert record_of(MeshError("is damaged")) is not None
