"""What computes masses from meshes, as a digest: numbers that another program computed are not taken for its own."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from sdfinertia import __version__
from sdfinertia.errors import MeshError
from sdfinertia.mesh.treatment import MeshTreatment, Method, Overlaps

# The rooms whose modules shape the numbers.
_ROOMS = ("mesh", "inertia")
# The libraries whose own choices shape the numbers, by what needs them. numpy and scipy are not among them: what they
# do to a number is rounding, or is defined.
_LIBRARIES: dict[Method | Overlaps | None, str] = {
    Method.VOXEL: "libigl",
    Method.CONVEX_DECOMPOSITION: "vhacdx",
    Overlaps.UNION: "manifold3d",
}
_DIGITS = 16


@cache
def program_digest() -> str:
    """The version of this package, with a digest of the modules that read and integrate meshes.

    So a change of them is another program without anybody having to count versions.
    """
    from hashlib import sha256

    total = sha256()
    for path in _modules():
        with open(path, "rb") as file:
            total.update(sha256(file.read()).digest())
    return f"{__version__}-{total.hexdigest()[:_DIGITS]}"


def _modules() -> Iterator[str]:
    package = os.path.dirname(os.path.dirname(__file__))
    for room in _ROOMS:
        for directory, folders, names in os.walk(os.path.join(package, room)):
            folders.sort()
            yield from (os.path.join(directory, name) for name in sorted(names) if name.endswith(".py"))


def libraries_for(treatment: MeshTreatment) -> str:
    """The versions of the libraries that a treatment may need, so that one that is not there counts as a version."""
    needs: tuple[Method | Overlaps, ...] = (*treatment.methods, treatment.overlaps)
    return versions_of(sorted(_LIBRARIES[need] for need in needs if need in _LIBRARIES))


def versions_of(names: Sequence[str]) -> str:
    """The versions of libraries, by the names of their distributions; "" for none."""
    if not names:
        return ""
    # Loaded for methods and formats that take far longer.
    from importlib.metadata import PackageNotFoundError, version

    found = []
    for name in names:
        try:
            found.append(f"{name}-{version(name)}")
        except PackageNotFoundError:
            found.append(f"{name}-none")
    return ",".join(found)


_DISTRIBUTIONS = {"igl": "libigl"}


def optional_library(module: str, needed_for: str, extra: str = "robust") -> Any:
    """The imported module.

    Args:
        extra: of this package, that brings it.

    Raises:
        MeshError: it is not installed, or does not load.
    """
    try:
        return import_module(module)
    except ImportError as error:
        # An installed library whose own dependencies are missing says which; that no reinstallation may mend.
        missing = isinstance(error, ModuleNotFoundError) and error.name == module
        why = "" if missing else f", which fails: {error}"
        raise missing_library(needed_for, _DISTRIBUTIONS.get(module, module), extra, why) from None


def missing_library(needed_for: str, library: str, extra: str, why: str = "") -> MeshError:
    """The error that a library is not there, with the extra that brings it."""
    return MeshError(
        f"{needed_for} needs the library {library}{why}", remedy=f"install it with `pip install sdfinertia[{extra}]`"
    )
