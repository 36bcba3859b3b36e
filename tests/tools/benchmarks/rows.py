"""The rows of the benchmark: work, its contenders, and the bars they have to reach."""

import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks import models, peers
from benchmarks.bars import MIB, Bar, even_cost, growing_cost, peak, peak_ratio, rate, speedup, time_ratio
from benchmarks.clusters import LocalCluster
from benchmarks.measurement import PROGRAMS, Contender, run
from benchmarks.workloads import Scale, Workloads

FILL = "sdfinertia fill"
CHECK = "sdfinertia check"
_PER_LINK = 80e-6  # seconds
_TIMES_EXPAT = 4
_WORLD_PEAK = 3e9  # bytes
# Linear is 1; a quarter more is the uncertainty of measuring the start-up apart.
_LINK_GROWTH = 1.25
# Constant is 1; pages that allocators keep differ by some per cent from run to run.
_CALLER_GROWTH = 1.1


@dataclass(frozen=True)
class Row:
    """Some work."""

    work: str
    contenders: Sequence[Contender]
    bars: Sequence[Bar]
    brief: bool = False


def fill_with_nothing_to_do(workloads: Workloads, scale: Scale) -> Row:
    file = _fresh_file(workloads.primitives_model(), "filled")
    file.restore()
    _fill(file.path)
    contenders = [peers.PASS, Contender(FILL, (peers.command(), "fill", file.path))]
    bars = [time_ratio(FILL, peers.PASS.label, 6, "≤ 6 × python -c pass")]
    return Row("fill with nothing to do, one 3-link file", contenders, bars, brief=True)


def fill_primitives(workloads: Workloads, scale: Scale) -> Row:
    source = workloads.primitives_model()
    drake = peers.drake(source, source.with_name("primitives-drake.sdf"))
    bars = [
        time_ratio(FILL, peers.PASS.label, 7, "≤ 7 × python -c pass (aim 5.3)"),
        time_ratio(FILL, drake.label, 1 / 3, "≤ 1/3 of Drake fix_inertia"),
    ]
    return Row("fill one primitives-only 3-link file", [peers.PASS, _filling(source), drake], bars, brief=True)


def fill_library(workloads: Workloads, scale: Scale) -> Row:
    source = workloads.primitives_library(scale.files)
    disk, memory = f"{FILL}, disk", f"{FILL}, tmpfs"
    contenders = [_filling_library(disk, source, source.with_name("filling"), *peers.ONE_JOB)]
    if workloads.memory is not None:
        contenders.append(_filling_library(memory, source, workloads.memory / "filling", *peers.ONE_JOB))
    replaced = source.with_name("replacing")
    floor = peers.loop(replaced, lambda: _restore(source, replaced), replaces=True)
    contenders.append(floor)
    work = f"fill {scale.files:,} primitives-only files, one process"
    bars = [rate(disk, scale.files, 600, "files/s"), time_ratio(disk, floor.label, 3, "≤ 3 × what cannot be avoided")]
    return Row(work, contenders, bars)


def fill_robots(workloads: Workloads, scale: Scale) -> Row:
    sdf, urdf = f"{FILL}, SDF", f"{FILL}, URDF"
    libraries = ((sdf, workloads.primitives_library(scale.files)), (urdf, workloads.robots_library(scale.files)))
    contenders = [
        _filling_library(label, source, source.with_name(f"filling-{source.name}"), *peers.ONE_JOB)
        for label, source in libraries
    ]
    work = f"fill {scale.files:,} primitives-only files as SDF and as URDF, one process"
    return Row(work, contenders, [time_ratio(urdf, sdf, 1.1, "URDF ≤ 1.1 × SDF")])


def check_library(workloads: Workloads, scale: Scale) -> Row:
    source = workloads.primitives_library(scale.files)
    filled = source.with_name("checking")
    _restore(source, filled)
    _fill(filled)
    contender = Contender(CHECK, (peers.command(), "check", *peers.ONE_JOB, filled))
    floor = peers.loop(filled, replaces=False)
    work = f"check {scale.files:,} files that are filled (digests match)"
    bars = [rate(CHECK, scale.files, 700, "files/s"), time_ratio(CHECK, floor.label, 4, "≤ 4 × what cannot be avoided")]
    return Row(work, [contender, floor], bars)


def moments_of_binary_stl(workloads: Workloads, scale: Scale) -> Row:
    triangles = scale.triangles[2]
    mesh = workloads.mesh(triangles, "binary.stl")
    ours = peers.self_timed("sdfinertia, in process", "sdfinertia_moments", mesh, scale.seconds)
    trimesh = peers.self_timed("trimesh, in process", "trimesh_moments", mesh, scale.seconds, "trimesh")
    libigl = peers.self_timed("libigl, in process", "libigl_moments", mesh, scale.seconds, "igl")
    bars = [
        time_ratio(ours.label, trimesh.label, 1 / 8, "≤ 1/8 of trimesh process=False"),
        time_ratio(ours.label, libigl.label, 1 / 2, "≤ 1/2 of libigl"),
    ]
    work = f"binary STL {_count(triangles)}: read, closedness, moments, in process"
    return Row(work, [ours, trimesh, libigl], bars)


def fill_binary_stl(workloads: Workloads, scale: Scale) -> Row:
    triangles = scale.triangles[2]
    mesh = workloads.mesh(triangles, "binary.stl")
    judged, unprocessed = peers.trimesh_judged(mesh), peers.trimesh_unprocessed(mesh)
    bars = [
        time_ratio(FILL, judged.label, 1 / 3, "≤ 1/3 of trimesh judged"),
        time_ratio(FILL, unprocessed.label, 1, "≤ 1 × trimesh process=False"),
        peak(FILL, 100 * MIB + 5 * mesh.stat().st_size, "peak ≤ 100 MiB + 5 × file"),
    ]
    contenders = [_filling(workloads.mesh_model(triangles, "binary.stl")), judged, unprocessed, peers.bytes_alone(mesh)]
    return Row(f"binary STL {_count(triangles)}: whole fill", contenders, bars)


def fill_huge_binary_stl(workloads: Workloads, scale: Scale) -> Row:
    triangles = scale.triangles[3]
    unprocessed = peers.trimesh_unprocessed(workloads.mesh(triangles, "binary.stl"))
    bars = [time_ratio(FILL, unprocessed.label, 1 / 2, "≤ 1/2 of trimesh process=False")]
    contenders = [_filling(workloads.mesh_model(triangles, "binary.stl")), unprocessed]
    return Row(f"binary STL {_count(triangles)}: whole fill", contenders, bars)


def fill_obj(workloads: Workloads, scale: Scale) -> Row:
    return _fill_beside_trimesh(workloads, scale.triangles[1], "obj", "OBJ", 1 / 3, "≤ 1/3 of trimesh judged")


def fill_collada(workloads: Workloads, scale: Scale) -> Row:
    return _fill_beside_trimesh(workloads, scale.triangles[1], "dae", "COLLADA", 1 / 3, "≤ 1/3 of trimesh judged")


def fill_glb(workloads: Workloads, scale: Scale) -> Row:
    return _fill_beside_trimesh(workloads, scale.triangles[1], "glb", "GLB", 1 / 3, "≤ 1/3 of trimesh judged")


def fill_ascii_stl(workloads: Workloads, scale: Scale) -> Row:
    triangles, bar = scale.triangles[2], "≤ 1/1.5 of trimesh judged"
    return _fill_beside_trimesh(workloads, triangles, "ascii.stl", "ASCII STL", 1 / 1.5, bar)


def cost_per_triangle(workloads: Workloads, scale: Scale) -> Row:
    sizes = {f"sdfinertia, {_count(triangles)}": triangles for triangles in scale.triangles}
    contenders = [
        peers.self_timed(label, "sdfinertia_solid", workloads.mesh(triangles, "binary.stl"), scale.seconds)
        for label, triangles in sizes.items()
    ]
    bar = even_cost(sizes, 2, "cost per triangle within a factor 2")
    ends = " to ".join(_count(triangles) for triangles in (scale.triangles[0], scale.triangles[-1]))
    return Row(f"binary STL, {ends}: all that fill does about a mesh, in process", contenders, [bar])


def fill_world(workloads: Workloads, scale: Scale) -> Row:
    large = workloads.world(scale.links)
    many, few, one = (f"{FILL}, {links:,} links" for links in (scale.links, scale.few_links, 3))
    expat = peers.self_timed("expat, three empty handlers", "expat", large, scale.seconds)
    contenders = [
        _filling(large, many),
        expat,
        _filling(workloads.world(scale.few_links), few),
        _filling(workloads.primitives_model(), one),
    ]
    bars = [
        Bar(
            "≤ 4 × expat + 80 µs a link",
            lambda samples: (
                samples[many].seconds / (_TIMES_EXPAT * samples[expat.label].seconds + _PER_LINK * scale.links)
            ),
            1,
            (many, expat.label),
        ),
        growing_cost(
            one,
            (few, scale.few_links),
            (many, scale.links),
            _LINK_GROWTH,
            f"linear: each further link ≤ {_LINK_GROWTH} ×",
        ),
        peak(many, _WORLD_PEAK, "peak ≤ 3 GB"),
    ]
    size = large.stat().st_size / 1e6
    return Row(f"world of {scale.links:,} links ({size:.0f} MB), all filled", contenders, bars)


def fill_mesh_library(workloads: Workloads, scale: Scale) -> Row:
    source = workloads.mesh_library(scale.models)
    place = source.with_name("filling-meshes")
    one, two = f"{FILL} --jobs 1", f"{FILL} --jobs 2"
    contenders = [
        _filling_library(one, source, place, "--no-cache", *peers.ONE_JOB),
        _filling_library(two, source, place, "--no-cache", "--jobs", "2"),
    ]
    bars = [speedup(two, one, 1.7, "≥ 1.7 × --jobs 1")]
    return Row(f"fill {scale.models:,} models with a mesh each, two jobs", contenders, bars)


def fill_on_cluster(workloads: Workloads, scale: Scale) -> Row:
    source = workloads.equal_library(scale.alike, scale.faces)
    one, two, cluster = f"{FILL} --jobs 1", f"{FILL} --jobs 2", f"{FILL} --cluster, two workers"
    missing = LocalCluster.missing()
    address = workloads.cluster(2).address if missing is None else "none"
    contenders = [
        _filling_in_place(one, source, "--no-cache", "--jobs", "1"),
        _filling_in_place(two, source, "--no-cache", "--jobs", "2"),
        _filling_in_place(cluster, source, "--no-cache", "--cluster", address, missing=missing),
    ]
    bars = [time_ratio(cluster, two, 1.15, "≤ 1.15 × --jobs 2"), speedup(cluster, one, 1.7, "≥ 1.7 × one process")]
    return Row(f"fill {scale.alike:,} models with a mesh of {_count(scale.faces)} each", contenders, bars)


def fill_with_cache(workloads: Workloads, scale: Scale) -> Row:
    source = workloads.equal_library(scale.alike, scale.faces)
    kept, filled = source.with_name("cache"), source.with_name("cache-filled")
    none, cold, warm = f"{FILL} --no-cache", f"{FILL}, empty cache", f"{FILL}, cache of a run before"

    def empty() -> None:
        shutil.rmtree(kept, ignore_errors=True)

    _restore_models(source)
    run((*_cached_in(filled), peers.command(), "fill", "--quiet", source))
    contenders = [
        _filling_in_place(none, source, "--no-cache", "--jobs", "1"),
        _filling_in_place(cold, source, "--jobs", "1", cache=kept, before=empty),
        _filling_in_place(warm, source, "--jobs", "1", cache=filled),
    ]
    bars = [time_ratio(cold, none, 1.15, "≤ 1.15 × without, empty"), speedup(warm, none, 3, "≥ 3 × without, filled")]
    return Row(f"fill {scale.alike:,} models with a mesh of {_count(scale.faces)} each, cached", contenders, bars)


def fill_tree(workloads: Workloads, scale: Scale) -> Row:
    source = workloads.robots_tree(scale.trees)
    filled, kept = source.with_name("tree-filling"), source.with_name("tree-cache")
    first, second = f"{FILL} --missing --all", "the same again"
    options = ("--missing", "--all", "--keep-going", *peers.ONE_JOB)
    command = (*_cached_in(kept), peers.command(), "fill", *options, filled)

    def restore() -> None:
        shutil.rmtree(kept, ignore_errors=True)
        _restore(source, filled)

    contenders = [
        # Some of the meshes are refused.
        Contender(first, command, restore, status=2),
        Contender(second, command, status=2),
    ]
    work = f"a tree of {scale.trees:,} robots with meshes as they are published"
    return Row(work, contenders, [time_ratio(second, first, 1 / 4, "the second run ≤ 1/4 of the first")])


def check_many_files(workloads: Workloads, scale: Scale) -> Row:
    source = workloads.primitives_library(scale.files)
    program = PROGRAMS / "check_many_files.py"
    few, many = (f"check_many, {count:,} files" for count in (scale.files, scale.many))
    contenders = [
        Contender(label, (sys.executable, program, source, str(count)))
        for label, count in ((few, scale.files), (many, scale.many))
    ]
    bar = peak_ratio(many, few, _CALLER_GROWTH, f"peak ≤ {_CALLER_GROWTH} × that of few")
    return Row(f"check_many over {scale.files:,} and {scale.many:,} files: the caller's memory", contenders, [bar])


ROWS: Mapping[str, Callable[[Workloads, Scale], Row]] = {
    "nothing": fill_with_nothing_to_do,
    "primitives": fill_primitives,
    "library": fill_library,
    "robots": fill_robots,
    "check": check_library,
    "moments": moments_of_binary_stl,
    "stl": fill_binary_stl,
    "huge-stl": fill_huge_binary_stl,
    "obj": fill_obj,
    "collada": fill_collada,
    "glb": fill_glb,
    "ascii-stl": fill_ascii_stl,
    "linear": cost_per_triangle,
    "world": fill_world,
    "jobs": fill_mesh_library,
    "cluster": fill_on_cluster,
    "cache": fill_with_cache,
    "tree": fill_tree,
    "many": check_many_files,
}


def _fill_beside_trimesh(workloads: Workloads, triangles: int, kind: str, name: str, at_most: float, bar: str) -> Row:
    mesh = workloads.mesh(triangles, kind)
    judged = peers.trimesh_judged(mesh)
    contenders = [_filling(workloads.mesh_model(triangles, kind)), judged, peers.bytes_alone(mesh)]
    return Row(f"{name} {_count(triangles)}: whole fill", contenders, [time_ratio(FILL, judged.label, at_most, bar)])


@dataclass(frozen=True)
class _FreshFile:
    """A copy of a file, beside it, that runs may change."""

    source: Path
    path: Path

    def restore(self) -> None:
        shutil.copyfile(self.source, self.path)


def _fresh_file(source: Path, name: str) -> _FreshFile:
    return _FreshFile(source, source.with_name(f"{source.stem}-{name}{source.suffix}"))


def _filling(source: Path, label: str = FILL) -> Contender:
    file = _fresh_file(source, "filling")
    return Contender(label, (peers.command(), "fill", "--no-cache", file.path), file.restore)


def _filling_library(label: str, source: Path, place: Path, *options: str) -> Contender:
    return Contender(label, (peers.command(), "fill", *options, place), lambda: _restore(source, place))


def _filling_in_place(
    label: str,
    library: Path,
    *options: str,
    cache: Path | None = None,
    missing: str | None = None,
    before: Callable[[], None] | None = None,
) -> Contender:
    """The filling of a library in its own place."""

    def prepare() -> None:
        _restore_models(library)
        if before is not None:
            before()

    cached = _cached_in(cache) if cache is not None else ()
    return Contender(label, (*cached, peers.command(), "fill", *options, library), prepare, missing=missing)


def _cached_in(directory: Path) -> tuple[str, str]:
    return "env", f"SDFINERTIA_CACHE_DIR={directory}"


def _restore_models(library: Path) -> None:
    """Restores the models of a library after a run changed them."""
    text = models.mesh_model("part.stl")
    for place in library.glob("part_*"):
        (place / "model.sdf").write_text(text, encoding="utf-8")


def _restore(source: Path, place: Path) -> None:
    """Restores a directory from a copy after a run changed it."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(source, place)


def _fill(path: Path) -> None:
    run((peers.command(), "fill", "--quiet", path))


def _count(triangles: int) -> str:
    for unit, size in (("M", 1_000_000), ("k", 1_000)):
        if triangles >= size:
            return f"{triangles / size:g}{unit}"
    return str(triangles)
