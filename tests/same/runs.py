"""The table of what is run: steps of the command, and the files that they are run on."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple


class Run(NamedTuple):
    """Command lines that follow one another in one copy of the trees."""

    name: str
    places: tuple[str, ...]
    steps: tuple[str, ...]
    each: bool = False
    quick: bool = False

    def trees(self) -> set[str]:
        """The names of the trees that it needs."""
        return {place.lstrip("!").split("/")[0] for place in self.places}

    def within(self, trees: Sequence[str]) -> Run | None:
        """The run on those of its places that lie in these trees; None where none does."""
        places = tuple(place for place in self.places if place.lstrip("!").split("/")[0] in trees)
        needs_none = not self.places
        return self._replace(places=places) if needs_none or places else None

    def lots(self, directory: Path) -> Iterator[tuple[str, ...]]:
        """The paths of each time that the steps are run, relative to the copy."""
        left_out = {path for place in self.places if place[0] == "!" for path in _matching(directory, place[1:])}
        found = {path for place in self.places if place[0] != "!" for path in _matching(directory, place)} - left_out
        paths = sorted(path.relative_to(directory).as_posix() for path in found)
        if self.each:
            yield from ((path,) for path in paths)
        else:
            yield tuple(paths)


class CommandLine(NamedTuple):
    """Arguments of the command, and the file that is its standard input, if one is."""

    arguments: tuple[str, ...]
    standard_input: str | None


def _matching(directory: Path, pattern: str) -> Iterator[Path]:
    # Before Python 3.11, a pattern that ends in "/" matches files too.
    return (path for path in directory.glob(pattern) if path.is_dir() or not pattern.endswith("/"))


def command_line(step: str, paths: Sequence[str]) -> CommandLine:
    """A step with the paths in their place."""
    words: list[str] = []
    for word in shlex.split(step):
        words.extend(paths if word == "{}" else [word])
    if "<" in words:
        at = words.index("<")
        return CommandLine(tuple(words[:at]), words[at + 1])
    return CommandLine(tuple(words), None)


_FIXTURES = ("fixtures/*/",)
_URDF = ("reference/urdf", "reference/urdf_fail")
_KINDS = (*(f"reference/{kind}" for kind in ("frames", "frames_fail", "meshes", "meshes_bad")), *_URDF)
# Not all frames where each link takes its time.
_SOME_FRAMES = ("reference/frames/f00[0-3]*.sdf", "reference/frames/h*.sdf")
_MESH_KINDS = ("reference/meshes", "reference/meshes_bad")
_URDF_FILES = ("reference/urdf/*.urdf", "reference/urdf_fail/*.urdf")
_ROBOTS = (
    *_FIXTURES,
    *_URDF,
    *(f"real/{name}/" for name in ("drake", "fetch_gazebo", "gazebo_models", "icub-gazebo-wholebody", "subt")),
)
_REAL = ("real/*/",)
# Without those whose open meshes are tried with every policy, voxels included, in order to say what each would give.
_SWIFT_REAL = (*_REAL, "!real/gazebo_models", "!real/SITL_Models", "!real/mbzirc")
_BARE_MESHES = tuple(
    f"{place}/*.{kind}"
    for place in ("reference/meshes/assets", "reference/meshes_bad/assets", "fixtures/*/meshes")
    for kind in ("stl", "obj", "dae", "off", "ply", "gltf", "glb")
)
_REPORTS = "--report report.json --report report.md --report report.html"
_SCALED = (
    "fixtures/bracket/model.sdf",
    "fixtures/drone/model.sdf",
    "fixtures/arm/model.sdf",
    "fixtures/rover/model.sdf",
    "fixtures/cable_plug/model.sdf",
    "fixtures/pendulum/pendulum.world",
    "reference/urdf/*.urdf",
)

RUNS: tuple[Run, ...] = (
    # Longest first, so that the last ones to end are short.
    Run("fill-real", _REAL, (f"fill {{}} --missing --all --keep-going {_REPORTS}",)),
    Run(
        "check-real-twice",
        _REAL,
        ("check {}", "check {} --write-baseline known.json", "check {} --baseline known.json -v"),
    ),
    Run("fill-twice", (*_FIXTURES, *_KINDS, *_SWIFT_REAL), ("fill {}", "fill {}", "check {}"), quick=True),
    Run("fill-each", (*_FIXTURES, *_KINDS, *_SWIFT_REAL), ("fill {} --all --recursive",), each=True),
    Run("fill-missing", (*_FIXTURES, *_KINDS, *_SWIFT_REAL), ("fill {} --missing --all", "fill {} --all --diff")),
    Run("fill-diff", (*_KINDS, *_FIXTURES), ("fill {} --diff --check --all", "fill {} --check -q"), quick=True),
    Run("fill-verbose", (*_KINDS, *_SWIFT_REAL), ("fill {} -v", "fill {} -v --check")),
    Run("fill-jobs", (*_KINDS, *_SWIFT_REAL), (f"fill {{}} --jobs 2 {_REPORTS}",)),
    Run(
        "fill-resources",
        _KINDS,
        (
            "fill {} --resource-path reference/frames/models --resource-path "
            "reference/meshes/assets --confine reference",
        ),
    ),
    Run("fill-principal", (*_KINDS, *_FIXTURES), ("fill {} --axes principal --digits 17", "fill {} --axes principal")),
    Run("fill-digits", (*_KINDS, *_FIXTURES), ("fill {} --digits 5 --auto false", "check {}")),
    Run("fill-no-provenance", (*_KINDS, *_FIXTURES), ("fill {} --no-provenance", "fill {} --all --overwrite-edited")),
    Run("fill-masses", (*_KINDS, *_FIXTURES), ("fill {} --all --total-mass 7.5", "fill {} --no-refresh --density 30")),
    Run("fill-density", (*_KINDS, *_FIXTURES), ("fill {} --require-density", "fill {} --density 2700 --all")),
    Run(
        "fill-visuals",
        (*_FIXTURES, *_SWIFT_REAL),
        ("fill {} --geometry visual --skip-unsupported --missing --all --keep-going",),
    ),
    Run("fill-union", (*_SOME_FRAMES, *_MESH_KINDS, "fixtures/rover"), (f"fill {{}} --overlaps union {_REPORTS}",)),
    Run("fill-hull", _MESH_KINDS, ("fill {} --open-mesh convex_hull", "check {}")),
    Run("fill-voxel", _MESH_KINDS, ("fill {} --open-mesh voxel --voxel-size 0.05", "check {}")),
    Run("fill-shell", _MESH_KINDS, ("fill {} --open-mesh shell --thickness 0.01", "check {}")),
    Run("fill-holes", _MESH_KINDS, ("fill {} --open-mesh fill_holes -v", "check {}")),
    Run("fill-divergence", _MESH_KINDS, ("fill {} --open-mesh divergence", "check {}")),
    Run("fill-error", _MESH_KINDS, ("fill {} --open-mesh error --max-mesh-bytes 2000",)),
    Run(
        "fill-output",
        ("fixtures/*/*.sdf", "reference/frames/f00*.sdf", *_URDF_FILES),
        ("fill {} -o filled.sdf", "fill {} -o -"),
        each=True,
    ),
    Run(
        "fill-stdin",
        ("fixtures/*/*.sdf", "fixtures/pendulum/*.world", "reference/urdf/*.urdf"),
        ("fill - --stdin-filename {} < {}", "check - --stdin-filename {} < {}"),
        each=True,
        quick=True,
    ),
    Run(
        "check-formats",
        (*_FIXTURES, *_KINDS, *_SWIFT_REAL),
        tuple(f"check {{}} --format {name}" for name in ("json", "github", "sarif", "junit")),
    ),
    Run(
        "check-reports",
        (*_FIXTURES, *_MESH_KINDS),
        ("check {} -q --report all.md --report all.json --report all.sarif --report all.xml --report all.html",),
        quick=True,
    ),
    Run(
        "check-all",
        (
            *_FIXTURES,
            *_SOME_FRAMES,
            *_MESH_KINDS,
            "real/*/",
            "!real/gazebo_models",
            "!real/SITL_Models",
            "!real/mbzirc",
        ),
        ("check {} --select ALL", "check {} --select SDI2,SDI3 --tolerance 0.01 --spin 50 --step 0.01 --ignore SDI203"),
    ),
    Run(
        "check-fix",
        (*_FIXTURES, *_KINDS, *_SWIFT_REAL),
        ("check {} --fix --report mended.json", "check {} --fix -v"),
        quick=True,
    ),
    Run("check-jobs", (*_KINDS, *_SWIFT_REAL), ("check {} --jobs 2 --exclude '*/models/*'",)),
    Run("check-each", (*_FIXTURES, *_SWIFT_REAL), ("check {}",), each=True),
    Run("why", _ROBOTS, ("check {} --why", "check {} --why -v --format json", "check {} --why --format sarif")),
    Run(
        "why-reports",
        _ROBOTS,
        ("check {} --why -q --report all.md --report all.json --report all.html --report all.sarif --report all.xml",),
    ),
    Run("repair", _ROBOTS, ("repair {} --diff -v", "repair {}", "repair {}"), quick=True),
    *(
        Run(
            f"repair-{by}", _ROBOTS, (f"repair {{}} --by {by} --diff", f"repair {{}} --by {by} --keep-going {_REPORTS}")
        )
        for by in ("twin", "geometry", "nearest")
    ),
    Run("show", ("fixtures/*/", *_SOME_FRAMES, "reference/meshes", *_URDF), ("show {}",)),
    Run("show-json", (*_FIXTURES, *_SOME_FRAMES, *_MESH_KINDS, *_URDF, *_SWIFT_REAL), ("show {} --json",), quick=True),
    Run("show-joined", _ROBOTS, ("show {} --lumped", "show {} --lumped --json", "show {} --twins")),
    Run(
        "show-computed",
        (*_FIXTURES, *_MESH_KINDS),
        ("show {} --computed --json", "show {} --computed --density 20 --link '*base*'"),
    ),
    Run(
        "show-notations",
        (*_FIXTURES, *_SOME_FRAMES, "reference/meshes"),
        tuple(f"show {{}} --as {name}" for name in ("pi_cm", "pi_o", "theta", "drake", "urdf", "scalars", "mjcf")),
    ),
    Run(
        "show-page",
        ("fixtures/*/*.sdf", "reference/meshes/*.sdf", "reference/urdf/*.urdf"),
        ("show {} --report page.html --computed --json --open-mesh convex_hull",),
    ),
    Run("show-each", (*_FIXTURES, "reference/frames_fail/*.sdf", *_URDF_FILES), ("show {} --as urdf",), each=True),
    Run(
        "scale",
        _SCALED,
        (
            "scale {} --link * --mass 2",
            "scale {} --link * --size 2 --diff",
            "scale {} --link * --size '1 1 3' -o wider.sdf",
            "scale {} --link * --density 500 -o -",
            "check {}",
        ),
        each=True,
        quick=True,
    ),
    Run("mesh", _BARE_MESHES, ("mesh {}", "mesh {} --json", "mesh {} --list"), quick=True),
    Run(
        "mesh-policies",
        _BARE_MESHES,
        tuple(
            f"mesh {{}} --json {words}"
            for words in (
                "--open-mesh convex_hull --density 20",
                "--open-mesh fill_holes --scale '1 -2 3'",
                "--open-mesh divergence",
                "--method convex_hull",
                "--method shell --thickness 0.01",
                "--overlaps union",
                "--method voxel --voxel-size 0.1",
                "--submesh part",
            )
        ),
    ),
    Run("mesh-each", _BARE_MESHES, ("mesh {}",), each=True),
    Run(
        "mesh-tables",
        ("fixtures/", "reference/meshes/assets/", "reference/meshes_bad/assets/"),
        (
            "mesh {} --report rows.csv --report rows.jsonl",
            "mesh {} --report rows.csv",
            "mesh {} --report rows.jsonl --density 20 --open-mesh convex_hull --jobs 2",
        ),
    ),
    Run(
        "api",
        (
            "fixtures/*/*.sdf",
            "fixtures/rover/meshes/*",
            "reference/meshes/*.sdf",
            "reference/meshes/assets/*",
            "reference/urdf/*.urdf",
            "reference/frames/f00[0-3]*.sdf",
        ),
        ("api_walk.py {}",),
    ),
    Run("edit", (*_SCALED[:6], "reference/meshes/dae_*.sdf"), ("edit_walk.py {}",)),
    Run(
        "rules",
        (),
        (
            "rules",
            "rules SDI001",
            "rules SDI204",
            "rules SDI999",
            "--help",
            "fill --help",
            "check --help",
            "show --help",
            "scale --help",
            "mesh --help",
            "fill",
            "check --select NONE nowhere.sdf",
        ),
        quick=True,
    ),
)
