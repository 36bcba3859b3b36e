"""The two packages that are compared, and the trees that they are run on."""

from __future__ import annotations

import compileall
import io
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "same"
_PACKAGE = "sdfinertia"


class SideError(Exception):
    """A side cannot be run; its text says why."""


def base_package(commit: str) -> Path:
    """A directory that holds the package of a commit, and nothing else."""
    sha = _git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}").decode().strip()
    directory = BUILD / sha
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(_git("archive", sha, _PACKAGE))) as archive:
        # Of our own making: `filter`, which judges those of others, is not in every 3.10.
        archive.extractall(directory)
    return _checked(directory)


def head_package() -> Path:
    """A directory that holds the package of the working tree as it is now: what is edited meanwhile does not count."""
    directory = BUILD / "head"
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(ROOT / _PACKAGE, directory / _PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    return _checked(directory)


def environment(package: Path, place: Path) -> dict[str, str]:
    """All variables of a run: nothing of the caller's decides where files are looked for or how lines are broken."""
    return {
        "PATH": os.defpath,
        "HOME": str(place / "home"),
        "TMPDIR": str(place / "temporary"),
        "LANG": "C.UTF-8",
        "COLUMNS": "120",
        "PYTHONPATH": str(package),
        "PYTHONDONTWRITEBYTECODE": "1",
    }


def trees() -> tuple[dict[str, Path], list[str]]:
    """The trees that are there, by the name that they have in a copy, and a line for each that is not."""
    found: dict[str, Path] = {}
    missing = []
    for name, (variable, usual) in _TREES.items():
        directory = Path(os.environ.get(variable) or usual) if variable else usual
        if directory.is_dir():
            found[name] = directory
        else:
            missing.append(f"{name}: {directory} is not there (see {variable}); its runs are passed over")
    return found, missing


_TREES: Mapping[str, tuple[str, Path]] = {
    "fixtures": ("", ROOT / "fixtures"),
    "reference": ("SDFINERTIA_REFERENCE", ROOT.parent / "shared" / "reference"),
    "real": ("SDFINERTIA_REAL", ROOT.parent / "shared" / "real"),
}


def _checked(directory: Path) -> Path:
    """The directory, compiled, so that neither side pays for that while it is run."""
    compileall.compile_dir(str(directory), quiet=1)
    done = subprocess.run(
        [sys.executable, "-c", f"import {_PACKAGE}; print({_PACKAGE}.__file__)"],
        cwd=directory,
        env=environment(directory, directory),
        capture_output=True,
        text=True,
    )
    if done.returncode or not Path(done.stdout.strip()).is_relative_to(directory):
        raise SideError(f"the package in {directory} is not what is imported: {(done.stdout + done.stderr).strip()}")
    return directory


def _git(*words: str) -> bytes:
    done = subprocess.run(["git", "-C", str(ROOT), *words], capture_output=True)
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()
        raise SideError(f"git {' '.join(words)} ended with {done.returncode}: {said or 'nothing said'}")
    return done.stdout
