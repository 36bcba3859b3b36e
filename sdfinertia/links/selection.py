"""Which links of a model are to be filled."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import NamedTuple

from sdfinertia.errors import ValueTextError
from sdfinertia.links.provenance import Provenance, find_provenance
from sdfinertia.options import Options
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.model import Link
from sdfinertia.sdf.values import read_boolean

# Why a link is looked at: it asks for it; it has no <inertial>; its block was filled before; all are asked for.
AUTO, MISSING, MANAGED, HAND_WRITTEN = "auto", "missing", "managed", "hand-written"


class Candidate(NamedTuple):
    """A link to be looked at.

    Attributes:
        reason: AUTO, MISSING, MANAGED or HAND_WRITTEN.
        provenance: what its block says of itself, if it was filled before.
        comment: where in the file it says so.
    """

    link: Link
    reason: str
    provenance: Provenance | None = None
    comment: tuple[int, int] | None = None


def matches(link: Link, options: Options) -> bool:
    """Whether a link's scoped name matches the patterns, if there are any."""
    return not options.link or any(fnmatchcase(link.scoped_name, pattern) for pattern in options.link)


def candidate(link: Link, options: Options) -> Candidate | None:
    """The link as a candidate for filling, or None if it is left alone.

    Raises:
        ValueTextError: the link is wanted but malformed.
    """
    found = _by_block(link, options)
    if found is not None and link.name in link.model.repeated_link_names:
        raise ValueTextError(
            f"two links of model {link.model.name!r} are named {link.name!r}", remedy="give each its own name"
        )
    return found


def _by_block(link: Link, options: Options) -> Candidate | None:
    inertial = link.inertial
    if inertial is None:
        has_solids = link.has_collisions or (options.geometry == "visual" and link.element.child("visual") is not None)
        is_missing = options.missing and has_solids and not link.model.is_static
        return Candidate(link, MISSING) if is_missing else None
    start, stop, provenance = find_provenance(inertial) or (0, 0, None)
    comment = (start, stop) if provenance is not None else None
    if is_auto(inertial):
        return Candidate(link, AUTO, provenance, comment)
    if provenance is not None:
        return Candidate(link, MANAGED, provenance, comment)
    return Candidate(link, HAND_WRITTEN) if options.all else None


def is_auto(inertial: Element) -> bool:
    """Whether an `<inertial>` asks to be computed.

    Raises:
        ValueTextError: its attribute `auto` is no boolean.
    """
    text = inertial.attribute("auto")
    return text is not None and read_boolean(text, "the attribute auto of <inertial>", inertial, default=False)
