"""Which links of a model are to be filled."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.description.facts import COLLISION, VISUAL
from sdfinertia.errors import ValueTextError
from sdfinertia.options import Options

if TYPE_CHECKING:
    from sdfinertia.description.protocols import LinkDescription
    from sdfinertia.links.study import LinkStudy

# Why a link is looked at: it asks for it; it has no <inertial>; its block was filled before; all are asked for.
AUTO, MISSING, MANAGED, HAND_WRITTEN = "auto", "missing", "managed", "hand-written"


class Candidate(NamedTuple):
    """A link to be filled, and why: AUTO, MISSING, MANAGED or HAND_WRITTEN."""

    study: LinkStudy
    reason: str


def matches(link: LinkDescription, options: Options) -> bool:
    """Whether a link's scoped name matches the patterns, if there are any."""
    return not options.link or any(fnmatchcase(link.scoped_name, pattern) for pattern in options.link)


def reason_to_fill(study: LinkStudy, options: Options) -> str | None:
    """Why a link is a candidate for filling: AUTO, MISSING, MANAGED or HAND_WRITTEN; None if it is left alone.

    Args:
        options: which links are wanted.

    Raises:
        ValueTextError: the link is wanted but malformed.
    """
    reason, link = _reason(study, options), study.link
    defect = link.naming_defect if reason is not None else None
    if defect is not None:
        raise ValueTextError(defect.problem, remedy=defect.remedy)
    return reason


def _reason(study: LinkStudy, options: Options) -> str | None:
    link = study.link
    if study.is_auto:
        return AUTO
    if not link.has_inertial:
        has_solids = link.has_solids(COLLISION) or (options.geometry == VISUAL and link.has_solids(VISUAL))
        return MISSING if options.missing and has_solids and not link.is_static else None
    if study.provenance is not None:
        return MANAGED
    return HAND_WRITTEN if options.all else None
