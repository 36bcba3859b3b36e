"""Which links of a model are to be filled."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from sdfinertia.description.facts import COLLISION, VISUAL
from sdfinertia.errors import ValueTextError
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import Options

if TYPE_CHECKING:
    from sdfinertia.description.protocols import LinkDescription
    from sdfinertia.links.study import LinkStudy


class Reason(Enum):
    """Why a link is looked at."""

    # It asks for it.
    AUTO = auto()
    # It has no <inertial>.
    MISSING = auto()
    # Its block was filled before.
    MANAGED = auto()
    # All are asked for.
    HAND_WRITTEN = auto()


class Candidate(NamedTuple):
    """A link to be filled, and why."""

    study: LinkStudy
    reason: Reason


def matches(link: LinkDescription, options: Options) -> bool:
    """Whether a link's scoped name matches the patterns, if there are any."""
    if not options.link:
        return True
    # Loaded where there are patterns.
    from fnmatch import fnmatchcase

    return any(fnmatchcase(link.scoped_name, pattern) for pattern in options.link)


def reason_to_fill(study: LinkStudy, options: Options) -> Reason | None:
    """Why a link is a candidate for filling; None if it is left alone.

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


def _reason(study: LinkStudy, options: Options) -> Reason | None:
    link = study.link
    if study.is_auto:
        return Reason.AUTO
    if not link.has_inertial:
        has_solids = link.has_solids(COLLISION) or (options.takes_visuals and link.has_solids(VISUAL))
        return Reason.MISSING if options.missing and has_solids and not link.is_static else None
    if study.provenance is not None:
        return Reason.MANAGED
    return Reason.HAND_WRITTEN if options.all else None
