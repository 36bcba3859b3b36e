"""The links that `--link` selects."""

from __future__ import annotations

from difflib import SequenceMatcher
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from sdfinertia.errors import (
    ConfigurationError,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sdfinertia.documents.opened import OpenDocument
    from sdfinertia.options import Options
    from sdfinertia.robot.link import Link, LinkKey

# Names that a message lists, and those that are compared to find the nearest.
_MAX_NAMES, _MAX_COMPARED = 20, 2_000


def matches(link: Link, options: Options) -> bool:
    """Whether `--link` selects it."""
    return not options.link or any(is_named_by(link.key, pattern) for pattern in options.link)


def selected_links(document: OpenDocument) -> Sequence[Link]:
    links = [*document.links()]
    return [link for link in links if matches(link, document.options)] if document.options.link else links


def unmatched(links: Iterable[Link], options: Options) -> tuple[str, ...]:
    if not options.link:
        return ()
    links = list(links)
    return () if any(matches(link, options) for link in links) else tuple(link.scoped_name for link in links)


def is_named_by(link: LinkKey, pattern: str) -> bool:
    """Whether a pattern of `--link` matches: a glob on the scoped name, or without `::` on its last part.

    `#2` behind it means the second link of that name in the file.
    """
    names = [link.name, link.numbered] if "#" in pattern else [link.name]
    if "::" not in pattern:
        names += [name.rpartition("::")[2] for name in names]
    return any(fnmatchcase(name, pattern) for name in names)


def require_match(patterns: Iterable[str], names: Sequence[str], file: str) -> None:
    """Refuses patterns of `Options.link` where none of them matches the names of the links of a file."""
    if names:
        raise no_link_matches(patterns, names, file, "the pattern")


def no_link_matches(
    patterns: Iterable[str], names: Sequence[str], file: str | None = None, option: str = "--link"
) -> ConfigurationError:

    patterns = sorted(patterns)

    def distance(name: str) -> float:
        parts = (name, name.rpartition("::")[2])
        return -max(SequenceMatcher(None, pattern, part).quick_ratio() for pattern in patterns for part in parts)

    listed = sorted(dict.fromkeys(names), key=distance) if len(names) <= _MAX_COMPARED else list(names)
    more = f" and {len(listed) - _MAX_NAMES:,} more" if len(listed) > _MAX_NAMES else ""
    there = f"there are {', '.join(listed[:_MAX_NAMES])}{more}" if listed else "there are no links"
    return ConfigurationError(f"no link matches {option} {', '.join(patterns)}", file=file, remedy=there)
