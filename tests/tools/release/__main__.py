"""`make release-check`: builds the release twice, compares it, installs it, and tries it as a newcomer would.

The files to publish are in `dist/` afterwards: `packages/` with wheel and sdist, the bill of materials, licences.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import sdfinertia

ROOT = Path(__file__).parents[3]
DIST = ROOT / "dist"
PACKAGES = DIST / "packages"


class ReleaseError(Exception):
    """A check of the release failed."""


class Release(NamedTuple):
    """A release to be checked.

    Attributes:
        tag: that it is to be published by, if one is given.
        work: a directory that is thrown away.
    """

    tag: str | None
    work: Path

    @property
    def python(self) -> Path:
        """The interpreter of the environment with the wheel and its dependencies alone."""
        return self.work / "installed" / ("Scripts" if os.name == "nt" else "bin") / "python"

    @property
    def command(self) -> str:
        """The command as installed there."""
        return str(self.python.with_name("sdfinertia"))


def run(*words: str | Path, cwd: Path = ROOT, **environment: str) -> str:
    """The output of a command.

    Raises:
        ReleaseError: it fails; with what it said.
    """
    done = subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        env=os.environ | environment,
        text=True,
        capture_output=True,
        check=False,
    )
    if done.returncode:
        raise ReleaseError(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


# Steps: each returns its result in words ------------------------------------------------------------------------------


def tree_is_clean(release: Release) -> str:
    """The tree has no uncommitted files."""
    changed = run("git", "status", "--porcelain")
    if changed:
        raise ReleaseError(f"not committed:\n{changed}")
    return run("git", "rev-parse", "--short", "HEAD").strip()


def version_is_told(release: Release) -> str:
    """Tag, package, changelog and citation say the same version."""
    version = sdfinertia.__version__
    if release.tag is not None and release.tag != f"v{version}":
        raise ReleaseError(f"the tag is {release.tag}, and the package says {version}")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", _text("CHANGELOG.md"), re.MULTILINE):
        raise ReleaseError(f"CHANGELOG.md has no section '## [{version}] - DATE'")
    if f"version: {version}\n" not in _text("CITATION.cff"):
        raise ReleaseError(f"CITATION.cff does not say {version}")
    return version


def _text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def builds_are_equal(release: Release) -> str:
    """Wheel and sdist, built twice from the commit, are the same bytes."""
    epoch = run("git", "log", "-1", "--format=%ct").strip()
    digests = []
    for name in ("first", "second"):
        source = release.work / name
        run("git", "worktree", "add", "--detach", source, "HEAD")
        try:
            run(sys.executable, "-m", "build", "--outdir", source / "dist", source, SOURCE_DATE_EPOCH=epoch)
        finally:
            shutil.copytree(source / "dist", release.work / f"{name}-dist", dirs_exist_ok=True)
            run("git", "worktree", "remove", "--force", source)
        built = sorted((release.work / f"{name}-dist").iterdir())
        digests.append({path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in built})
    if digests[0] != digests[1]:
        raise ReleaseError(f"two builds differ: {digests}")
    shutil.rmtree(DIST, ignore_errors=True)
    shutil.copytree(release.work / "first-dist", PACKAGES)
    return ", ".join(f"{name} {digest[:12]}" for name, digest in digests[0].items())


def index_takes_them(release: Release) -> str:
    """The index would render them correctly."""
    return run(sys.executable, "-m", "twine", "check", "--strict", *PACKAGES.iterdir()).strip().splitlines()[-1]


def wheel_installs(release: Release) -> str:
    """The wheel installs into an empty environment."""
    start = time.monotonic()
    venv.create(release.work / "installed", with_pip=True)
    before = _size(release.work / "installed")
    run(release.python, "-I", "-m", "pip", "install", "--quiet", next(PACKAGES.glob("*.whl")))
    megabytes = (_size(release.work / "installed") - before) / 1e6
    return (
        f"{megabytes:.0f} MB in {time.monotonic() - start:.0f} s, the environment and what was to be fetched among them"
    )


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def demo_runs(release: Release) -> str:
    """The demo of `make demo` works as installed, away from the checkout."""
    shutil.copytree(ROOT / "fixtures" / "rover", release.work / "demo" / "rover")
    place = release.work / "demo"
    wheel = ("--link", "rover::front_left_wheel")
    run(release.command, "fill", "--quiet", "--diff", *wheel, "rover/model.sdf", cwd=place)
    run(release.command, "fill", *wheel, "rover/model.sdf", cwd=place)
    run(release.command, "fill", "--quiet", "--report", "report.html", "rover/model.sdf", cwd=place)
    run(release.command, "check", "rover", cwd=place)
    return run(release.command, "--version", cwd=place).strip()


def own_hooks_pass(release: Release) -> str:
    """The repository passes its own hooks."""
    run(sys.executable, "-m", "pre_commit", "run", "--all-files", PRE_COMMIT_HOME=str(release.work / "own-hooks"))
    return "all"


def hooks_run(release: Release) -> str:
    """Real pre-commit installs the hooks from the commit, and they pass over a filled model."""
    user = release.work / "user"
    shutil.copytree(release.work / "demo", user)
    run("git", "init", "--quiet", cwd=user)
    run("git", "add", ".", cwd=user)
    revision = run("git", "rev-parse", release.tag or "HEAD").strip()
    for hook in ("sdfinertia-fill", "sdfinertia-check"):
        run(
            *(sys.executable, "-m", "pre_commit", "try-repo", str(ROOT), hook, "--ref", revision, "--all-files"),
            cwd=user,
            PRE_COMMIT_HOME=str(release.work / "pre-commit"),
        )
    return f"from {revision[:12]}"


def materials_are_listed(release: Release) -> str:
    """A bill of materials of the environment (CycloneDX)."""
    target = DIST / "sbom.cdx.json"
    run(sys.executable, "-m", "cyclonedx_py", "environment", "--output-file", target, release.python)
    return target.relative_to(ROOT).as_posix()


def licences_are_listed(release: Release) -> str:
    """The licences of its dependencies, and of the files in it."""
    table = run(
        sys.executable, "-m", "piplicenses", "--python", release.python, "--format", "markdown", "--order", "name"
    )
    if "UNKNOWN" in table:
        raise ReleaseError(f"a licence is not known:\n{table}")
    vendored = ROOT / "sdfinertia" / "report" / "vendor"
    carried = "\n".join(f"* {path.name}" for path in sorted(vendored.iterdir()) if path.suffix in (".js", ".css"))
    note = (vendored / "NOTE").read_text(encoding="utf-8")
    target = DIST / "LICENCES.md"
    target.write_text(
        f"# Installed with sdfinertia\n\n{table}\n# Carried in it\n\n{note}\n{carried}\n", encoding="utf-8"
    )
    return target.relative_to(ROOT).as_posix()


STEPS: Sequence[Callable[[Release], str]] = (
    tree_is_clean,
    version_is_told,
    builds_are_equal,
    index_takes_them,
    wheel_installs,
    demo_runs,
    own_hooks_pass,
    hooks_run,
    materials_are_listed,
    licences_are_listed,
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Takes the steps in order, and stops at the first that fails."""
    parser = argparse.ArgumentParser(prog="make release-check", description=__doc__)
    parser.add_argument("--tag", help="the tag that it is to be published by, such as v0.1.0")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as work:
        release = Release(given.tag, Path(work))
        for step in STEPS:
            name = step.__name__.replace("_", " ")
            try:
                print(f"{name:<22} {step(release)}", flush=True)
            except ReleaseError as error:
                print(f"{name:<22} NO\n{error}", file=sys.stderr)
                return 1
    print(f"{sdfinertia.__version__} can be released: {PACKAGES.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
