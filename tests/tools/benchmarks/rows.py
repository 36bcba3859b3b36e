"""The rows of the benchmark: work, its contenders, and the limits that the project sets itself."""

import os
import shutil
import sys
import sysconfig
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measurement import PROGRAMS, Contender, Round, run
from benchmarks.workloads import Scale, Workloads

FILL = "sdfinertia fill"
CHECK = "sdfinertia check"
MIB = 1 << 20
COMMAND = Path(sysconfig.get_path("scripts")) / "sdfinertia"
PASS = Contender("python -c pass", (sys.executable, "-c", "pass"))
_FIXTURES = Path(__file__).parents[3] / "fixtures"


@dataclass(frozen=True)
class Limit:
    """The most that a quantity of a round may be; it is judged where all contenders that it needs have run."""

    text: str
    most: float
    needs: tuple[str, ...]
    quantity: Callable[[Round], float]


@dataclass(frozen=True)
class Row:
    work: str
    contenders: Sequence[Contender]
    limits: Sequence[Limit]
    is_brief: bool = False


def nothing(workloads: Workloads, scale: Scale) -> Row:
    path = _copied(workloads.primitives_model(), "filled")
    run(Contender("", (COMMAND, "fill", "--quiet", path)))
    contenders = [PASS, Contender(FILL, (COMMAND, "fill", path))]
    return Row("fill with nothing to do, one 3-link file", contenders, [_ratio(FILL, PASS.label, 8)], is_brief=True)


def one_file(workloads: Workloads, scale: Scale) -> Row:
    source = workloads.primitives_model()
    command = (sys.executable, "-m", "pydrake.multibody.fix_inertia", source, source.with_name("primitives-drake.sdf"))
    drake = Contender("Drake fix_inertia", command, missing=_absent("pydrake"))
    return Row(
        "fill one 3-link file", [PASS, _filling(source), drake], [_ratio(FILL, drake.label, 1 / 3)], is_brief=True
    )


def library(workloads: Workloads, scale: Scale) -> Row:
    source = workloads.primitives_library(scale.files)
    filling = _filling_tree(FILL, source, "filling", "--jobs", "1")
    rate = Limit("≥ 600 files/s", 1, (FILL,), lambda samples: 600 * samples[FILL].seconds / scale.files)
    return Row(f"fill {scale.files:,} 3-link files, one process", [filling], [rate])


def check_library(workloads: Workloads, scale: Scale) -> Row:
    source = workloads.primitives_library(scale.files)
    filled = _restored(source, "checking")
    run(Contender("", (COMMAND, "fill", "--quiet", filled)))
    contender = Contender(CHECK, (COMMAND, "check", "--jobs", "1", filled))
    rate = Limit("≥ 700 files/s", 1, (CHECK,), lambda samples: 700 * samples[CHECK].seconds / scale.files)
    return Row(f"check {scale.files:,} files that are filled", [contender], [rate])


def world(workloads: Workloads, scale: Scale) -> Row:
    counts = (3, scale.few_links, scale.links)
    labels = [f"{FILL}, {links:,} links" for links in counts]
    sources = (workloads.primitives_model(), *map(workloads.world, counts[1:]))
    contenders = [_filling(source, label) for source, label in zip(sources, labels, strict=True)]

    def growth(samples: Round) -> float:
        one, few, many = (samples[label].seconds for label in labels)
        return (many - few) / (counts[2] - counts[1]) / ((few - one) / counts[1])

    limits = [Limit("linear: each further link ≤ 1.25 ×", 1.25, tuple(labels), growth), _peak(labels[2], 2048 * MIB)]
    return Row(f"world of {scale.links:,} links, all filled", contenders, limits)


def stl(workloads: Workloads, scale: Scale) -> Row:
    mesh = workloads.mesh(scale.triangles, "binary.stl")
    others = [_other("trimesh judged", mesh), _other("trimesh unprocessed", mesh), _other("libigl", mesh)]
    limits = [_ratio(FILL, others[0].label, 1 / 3), _ratio(FILL, others[1].label, 1)]
    limits.append(_peak(FILL, 100 * MIB + 5 * mesh.stat().st_size))
    work = f"binary STL of {scale.triangles:,} triangles"
    return Row(work, [_filling(workloads.mesh_model(scale.triangles, "binary.stl")), *others], limits)


def huge_stl(workloads: Workloads, scale: Scale) -> Row:
    other = _other("trimesh unprocessed", workloads.mesh(scale.most_triangles, "binary.stl"))
    filling = _filling(workloads.mesh_model(scale.most_triangles, "binary.stl"))
    work = f"binary STL of {scale.most_triangles:,} triangles"
    return Row(work, [filling, other], [_ratio(FILL, other.label, 1 / 2)])


def obj(workloads: Workloads, scale: Scale) -> Row:
    return _text_mesh(workloads, scale.few_triangles, "obj", "OBJ")


def collada(workloads: Workloads, scale: Scale) -> Row:
    return _text_mesh(workloads, scale.few_triangles, "dae", "COLLADA")


def tree(workloads: Workloads, scale: Scale) -> Row:
    """Robots as they are published: those below SDFINERTIA_REAL, else the fixtures."""
    source = Path(os.environ.get("SDFINERTIA_REAL", _FIXTURES))
    place = workloads.directory / "tree"
    cache = workloads.directory / "tree-cache"
    options = ("--missing", "--all", "--keep-going", "--jobs", "1", "--cache", cache)
    command, statuses = (COMMAND, "fill", *options, place), (0, 1, 2)

    def restore() -> None:
        for old in (cache, place):
            shutil.rmtree(old, ignore_errors=True)
        shutil.copytree(source, place)

    first, second = f"{FILL} --missing --all", "the same again"
    contenders = [Contender(first, command, restore, statuses=statuses), Contender(second, command, statuses=statuses)]
    return Row("a tree of robots", contenders, [_ratio(second, first, 1)])


def jobs(workloads: Workloads, scale: Scale) -> Row:
    source = workloads.mesh_library(scale.models)
    one, two = (f"{FILL} --jobs {count}" for count in "12")
    contenders = [
        _filling_tree(label, source, "filling-meshes", "--no-cache", "--jobs", label[-1]) for label in (one, two)
    ]
    return Row(f"fill {scale.models:,} models with a mesh each, two jobs", contenders, [_ratio(two, one, 1 / 1.7)])


ROWS: Mapping[str, Callable[[Workloads, Scale], Row]] = {
    "nothing": nothing,
    "file": one_file,
    "library": library,
    "check": check_library,
    "world": world,
    "stl": stl,
    "huge-stl": huge_stl,
    "obj": obj,
    "collada": collada,
    "tree": tree,
    "jobs": jobs,
}


def _ratio(of: str, to: str, most: float) -> Limit:
    share = f"{most:.3g}" if most >= 1 else f"1/{1 / most:.3g}"
    return Limit(f"≤ {share} × {to}", most, (of, to), lambda samples: samples[of].seconds / samples[to].seconds)


def _peak(of: str, most: float) -> Limit:
    return Limit(f"peak ≤ {most / MIB:,.0f} MiB", most / MIB, (of,), lambda samples: samples[of].peak / MIB)


def _text_mesh(workloads: Workloads, triangles: int, kind: str, name: str) -> Row:
    other = _other("trimesh judged", workloads.mesh(triangles, kind))
    filling = _filling(workloads.mesh_model(triangles, kind))
    return Row(f"{name} of {triangles:,} triangles", [filling, other], [_ratio(FILL, other.label, 1 / 3)])


def _other(label: str, mesh: Path) -> Contender:
    library, how = "igl" if label == "libigl" else "trimesh", label.rsplit(maxsplit=1)[-1]
    missing = _absent(library) or (_absent("collada") if mesh.suffix == ".dae" else "")
    return Contender(label, (sys.executable, PROGRAMS / "other_mass.py", how, mesh), missing=missing)


def _absent(module: str) -> str:
    return f"{module} is not installed" if find_spec(module) is None else ""


def _copied(source: Path, name: str) -> Path:
    return Path(shutil.copyfile(source, source.with_name(f"{source.stem}-{name}{source.suffix}")))


def _filling(source: Path, label: str = FILL) -> Contender:
    path = _copied(source, "filling")
    return Contender(label, (COMMAND, "fill", "--no-cache", path), lambda: _copied(source, "filling"))


def _filling_tree(label: str, source: Path, name: str, *options: str) -> Contender:
    place = source.with_name(name)
    return Contender(label, (COMMAND, "fill", *options, place), lambda: _restored(source, name))


def _restored(source: Path, name: str) -> Path:
    place = source.with_name(name)
    shutil.rmtree(place, ignore_errors=True)
    return Path(shutil.copytree(source, place))
