"""Files and places as services name them: by their paths in a repository."""

from __future__ import annotations

import os

from sdfinertia.errors import Location, printable, unicode_text
from sdfinertia.files.walk import repository_of


def repository_path(file: str) -> str:
    """The path with slashes, as services compare it with the paths of a repository."""
    return os.path.normpath(file).replace(os.sep, "/")


def path_in_repository(file: str) -> str:
    """The path relative to the root of the repository that a file is in, as services compare it with those there.

    Without a repository, or a file, it is as it is named.
    """
    root = repository_of(os.path.dirname(os.path.abspath(file))) if os.path.lexists(file) else None
    return repository_path(os.path.relpath(os.path.abspath(file), root) if root is not None else file)


def place_in_repository(location: Location) -> str:
    return f"{printable(path_in_repository(location.file))}:{location.line}:{location.column}"


def words_in_repository(text: str, file: str) -> str:
    """The text with a file as it is named in its repository, where the text has its absolute path."""
    return text.replace(file, path_in_repository(file)) if os.path.isabs(file) else text


def printed(text: str) -> str:
    """Text on one line, of characters that UTF-8 and XML 1.0 allow."""
    return unicode_text(printable(text))
