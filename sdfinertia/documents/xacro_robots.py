"""The robots of a repository that could use a xacro file, and the arguments that they declare."""

from __future__ import annotations

import os
from difflib import get_close_matches
from typing import TYPE_CHECKING

from sdfinertia.errors import ConfigurationError, first_few
from sdfinertia.files.walk import is_excluded, tree_of
from sdfinertia.xacro.includes import Tree, arguments_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from sdfinertia.options import Options

# Arguments that a message lists.
_MAX_NAMED = 12


def robots_using(path: str, options: Options) -> Iterator[str]:
    """The robots of the repository that could read a file, by their text."""
    place = os.path.realpath(path)
    tree = Tree(tree_of(place), options.confine)
    for robot in tree.robots():
        if robot != place and not is_excluded(robot, options.exclude) and place in tree.reached_from(robot)[0]:
            yield robot


def require_declared(
    names: Iterable[str], paths: Iterable[str], confine: str | None, given_in: str | None, *, are_shared: bool = False
) -> None:
    """Refuses arguments that no file declares or uses, by the text of the files and of all that they could include.

    Args:
        are_shared: with other files, which may declare them: only those are refused that are nearly the name of one.

    Raises:
        ConfigurationError: one is declared by none.
    """
    trees: dict[str, Tree] = {}
    known: set[str] = set()
    for place in map(os.path.realpath, paths):
        directory = tree_of(place)
        if directory not in trees:
            trees[directory] = Tree(directory, confine)
        files, is_all = trees[directory].reached_from(place)
        if not is_all:
            return
        known.update(*map(arguments_in, files.values()))
    for unknown in (name for name in names if name not in known):
        meant = "".join(f"did you mean {each}? " for each in get_close_matches(unknown, sorted(known), n=1))
        if are_shared and not meant:
            continue
        there = f"there are {first_few(sorted(known), _MAX_NAMED)}" if known else "they take none"
        raise ConfigurationError(
            f"no xacro file declares the argument {unknown!r}", file=given_in, remedy=f"{meant}{there}"
        )
