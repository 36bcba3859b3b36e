"""The facts of a run as one JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sdfinertia
from sdfinertia.documents.filling import FillResult
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.body import Body
from sdfinertia.links.result import LinkResult
from sdfinertia.report.contents import ResultsReport
from sdfinertia.report.findings.wording import json_text
from sdfinertia.robot.values import Problem

FORMAT_VERSION = 1


def render(report: ResultsReport) -> str:
    """See `json_report`."""
    return json_report(report.results, report.refused)


def json_report(results: Sequence[FillResult], refused: Sequence[SdfInertiaError]) -> str:
    """The document: for each file its links with old and new inertia, densities, methods, notes and errors."""
    document = {
        "format": FORMAT_VERSION,
        "tool": f"sdfinertia {sdfinertia.__version__}",
        "files": [_file(result) for result in results],
        "refused": [_error(error) for error in refused],
    }
    return json_text(document)


def _file(result: FillResult) -> dict[str, Any]:
    return {
        "path": _text(result.path),
        "changed": result.changed,
        "untouched_links": result.untouched,
        "notes": list(result.notes),
        "links": [_link(link) for link in result.links],
    }


def _link(link: LinkResult) -> dict[str, Any]:
    return {
        "name": _text(link.name),
        "status": link.status,
        "line": link.line,
        "mass_given": link.mass_given,
        "before": _inertia(link.before),
        "after": _inertia(link.inertia),
        "collisions": [_collision(part) for part in link.collisions],
        "notes": [_text(note) for note in link.notes],
        "warnings": [_warning(link, warning) for warning in link.warnings],
        "error": None if link.error is None else _error(link.error),
    }


def _warning(link: LinkResult, warning: Problem) -> dict[str, Any]:
    return {
        "line": warning.location.line if warning.location is not None else link.line,
        "problem": _text(warning.message),
        "remedy": _text(warning.remedy),
    }


def _collision(part: Body) -> dict[str, Any]:
    return {
        "name": _text(part.name),
        "shape": part.shape,
        "method": part.method,
        "faces": part.faces,
        "uncertainty": part.uncertainty,
        "density": part.density,
        "density_source": part.density_source,
        "volume": part.inertia.mass / part.density,
        "notes": list(part.notes),
    }


def _inertia(inertia: SpatialInertia | None) -> dict[str, Any] | None:
    if inertia is None:
        return None
    return {
        "mass": inertia.mass,
        "com": list(inertia.p_BoBcm_B),
        **inertia.I_BBcm_B._asdict(),
        "principal_moments": list(inertia.principal().moments),
    }


def _error(error: SdfInertiaError) -> dict[str, Any]:
    location = error.location
    return {
        "file": _text(location.file if location else error.file or ""),
        "line": location.line if location else None,
        "column": location.column if location else None,
        "link": error.link and _text(error.link),
        "collision": error.collision and _text(error.collision),
        "problem": _text(error.problem),
        "remedy": _text(error.remedy),
    }


def _text(text: str) -> str:
    """Text that JSON can carry: bytes that are no text are shown as replacement characters."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
