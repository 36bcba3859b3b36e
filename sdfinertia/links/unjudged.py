"""Why rules could not judge a link."""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from sdfinertia.errors import Location, OpenMeshError, ResourceError, SdfInertiaError
from sdfinertia.robot.numbers import shorten
from sdfinertia.robot.solid_kinds import COLLISION, SolidKind

_LONGEST_REASON = 100
_OPEN_EDGES = re.compile(r"(?<![\d,])[\d,]+ open edges?")


class Unjudged(NamedTuple):
    """Why rules could not judge a link.

    Attributes:
        problem: begins with the solid that it is about.
        uri: that was not found; "" for other reasons.
        is_finding: whether SDI902 reports it, since the file exists and is wrong.
    """

    link: str
    problem: str
    location: Location
    remedy: str
    uri: str
    is_finding: bool


def missing_uri(error: SdfInertiaError) -> str:
    return error.uri if isinstance(error, ResourceError) else ""


def reason_in_words(error: SdfInertiaError, kind: SolidKind = COLLISION, *, is_short: bool = False) -> str:
    """The reason with solid and file; in short without directory, and cut."""
    where = f"{kind.element} {error.collision!r}: " if error.collision else ""
    path = os.path.basename(error.other_file) if is_short else error.other_file
    if is_short and isinstance(error, OpenMeshError) and (count := _OPEN_EDGES.search(error.problem)):
        return f"{path or 'the mesh'} has {count[0]}"
    problem = shorten(error.problem, _LONGEST_REASON) if is_short else error.problem
    return f"{where}{path and f'{path}: '}{problem}"
