"""The measured programs, and which of them are installed."""

import sys
import sysconfig
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measurement import PROGRAMS, Contender

DISTRIBUTIONS = ("sdfinertia", "numpy", "trimesh", "libigl", "drake")
ONE_JOB = ("--jobs", "1")
PASS = Contender("python -c pass", (sys.executable, "-c", "pass"))


def command() -> Path:
    """The `sdfinertia` command of this environment."""
    return Path(sysconfig.get_path("scripts")) / "sdfinertia"


def absent(*modules: str) -> str | None:
    """The message that a module cannot be imported, or None if all can."""
    for module in modules:
        if find_spec(module) is None:
            return f"{module} is not installed"
    return None


def drake(source: Path, target: Path) -> Contender:
    """Drake's `fix_inertia` on a file."""
    arguments = ("-m", "pydrake.multibody.fix_inertia", source, target)
    return Contender("Drake fix_inertia", (sys.executable, *arguments), missing=absent("pydrake"))


def trimesh_judged(mesh: Path) -> Contender:
    """trimesh, merging and judging."""
    missing = absent("trimesh", *(("collada",) if mesh.suffix == ".dae" else ()))
    return Contender("trimesh judged", (sys.executable, PROGRAMS / "trimesh_mass.py", "judged", mesh), missing=missing)


def trimesh_unprocessed(mesh: Path) -> Contender:
    """trimesh, integrating what it reads."""
    arguments = (PROGRAMS / "trimesh_mass.py", "unprocessed", mesh)
    return Contender("trimesh process=False", (sys.executable, *arguments), missing=absent("trimesh"))


def loop(directory: Path, prepare: Callable[[], None] | None = None, *, replaces: bool) -> Contender:
    """One Python process that reads and parses each file of a directory, and replaces it or not: the floor of any."""
    program = PROGRAMS / "loop_over_files.py"
    if replaces:
        command: tuple[str | Path, ...] = (sys.executable, program, directory, "replace")
        return Contender("read, expat, write, fsync, rename alone", command, prepare)
    return Contender("read, expat alone", (sys.executable, program, directory), prepare)


def bytes_alone(mesh: Path) -> Contender:
    """Reading a mesh file and one pass of numpy over its bytes: the floor of any program that takes all of it."""
    missing = absent("numpy")
    return Contender(
        "read, one pass of numpy", (sys.executable, PROGRAMS / "pass_over_bytes.py", mesh), missing=missing
    )


def self_timed(label: str, work: str, file: Path, seconds: float, *modules: str) -> Contender:
    """A work of `self_timed.py`, which needs some modules, repeated for so many seconds."""
    arguments = (PROGRAMS / "self_timed.py", str(seconds), work, file)
    return Contender(label, (sys.executable, *arguments), times_itself=True, missing=absent(*modules))


def versions() -> dict[str, str | None]:
    """Version of each program, None where it is not installed, and of the parser of XML."""
    found: dict[str, str | None] = {"python": sys.version.split()[0]}
    for name in DISTRIBUTIONS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = None
    found["expat"] = import_module("xml.parsers.expat").EXPAT_VERSION
    return found
