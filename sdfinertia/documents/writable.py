"""Where a run may write: in the repositories of the paths that it is given, and nowhere else."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from sdfinertia.errors import first_few
from sdfinertia.files.regular_file import is_inside
from sdfinertia.files.walk import ancestors_in_repository, repository_of

if TYPE_CHECKING:
    from collections.abc import Iterable


def tree_of(path: str) -> str:
    """The repository of a file or directory, else the package of a file, else the directory."""
    place = os.path.realpath(path)
    if os.path.isdir(place):
        return repository_of(place) or place
    directory = os.path.dirname(place)
    packages = (
        each for each in ancestors_in_repository(directory) if os.path.isfile(os.path.join(each, "package.xml"))
    )
    return repository_of(directory) or next(packages, directory)


def trees_of(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(tree_of, paths)))


def why_not_writable(path: str, trees: Iterable[str]) -> str:
    """Why a run on some trees may not write a file, which an include or a link may put anywhere; "" if it may."""
    trees = list(trees)
    return "" if any(is_inside(path, tree) for tree in trees) else f"is outside {first_few(trees)}"
