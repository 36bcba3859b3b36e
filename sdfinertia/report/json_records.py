"""Results as records, each key written out by name, as in `docs/reference/schema.json`; inertias in notations."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import sdfinertia
from sdfinertia.causes.case import Explanation
from sdfinertia.documents.filling import FillResult
from sdfinertia.documents.link_results import LinkResult
from sdfinertia.errors import InertiaError, SdfInertiaError, unicode_text, visible
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.inertial_text import without_noise
from sdfinertia.links.inputs import Body
from sdfinertia.links.written_block import WrittenBlock
from sdfinertia.report import FindingsReport, ResultsReport
from sdfinertia.report.findings import fix_of, folded, level_of, parts_of
from sdfinertia.report.quantities import inertia_record
from sdfinertia.report.text import why_words
from sdfinertia.robot.inertial import TENSOR_NAMES
from sdfinertia.rules import RULE_OF_CODE, rank_of
from sdfinertia.rules.rule import Finding, Why

if TYPE_CHECKING:
    from sdfinertia.comparing.comparison import Comparison, LinkComparison
    from sdfinertia.comparing.comparison import Why as ComparisonWhy
    from sdfinertia.comparing.difference import Difference
    from sdfinertia.documents.meshes import MeshFacts
    from sdfinertia.documents.showing import ShownBody

Record = dict[str, Any]

# Raised when a key goes or changes its meaning; new keys may come without.
FORMAT_VERSION = 2


def _document(facts: Record) -> str:
    return json_text({"format": FORMAT_VERSION, "tool": f"sdfinertia {sdfinertia.__version__}", **facts})


def json_text(document: Any) -> str:
    return json_of(document, indent=2) + "\n"


def json_of(value: Any, *, indent: int | None = None, separators: tuple[str, str] | None = None) -> str:
    """A value as JSON.

    No text in it can start a line, change the direction of text, or be a command in a log; bytes that are not text are
    replaced, and numbers that are not finite are null.
    """
    text = json.dumps(_finite(value), ensure_ascii=False, allow_nan=False, indent=indent, separators=separators)
    # JSON has none of the escaped characters outside strings, and inside them an escape means the same.
    return visible(unicode_text(text))


def _finite(value: Any) -> Any:
    match value:
        case float():
            return value if math.isfinite(value) else None
        case dict():
            return {key: _finite(each) for key, each in value.items()}
        case list() | tuple():
            return [_finite(each) for each in value]
    return value


def _named(value: object, *names: str) -> Record:
    return {name: getattr(value, name) for name in names}


# Findings -------------------------------------------------------------------------------------------------------------


def findings_json(report: FindingsReport) -> str:
    found = folded(report.findings)
    errors = sum(level_of(finding.code) == "error" for finding in found)
    counts = {"findings": len(found), "errors": errors, "warnings": len(found) - errors}
    return _document(
        {
            "checked": report.checked,
            "counts": {**counts, "minor": sum(finding.is_minor for finding in found)},
            "findings": list(map(_finding, found)),
            "not_judged": [
                {
                    **each.location._asdict(),
                    **_named(each, "link", "uri"),
                    "message": each.problem,
                    "remedy": each.remedy,
                }
                for each in report.unjudged
            ],
            "notes": [{"file": file, "message": note} for file, note in report.notes],
            "not_checked": [{"file": each.path, "why": each.why} for each in report.not_checked],
        }
    )


def _finding(finding: Finding) -> Record:
    effect = finding.effect
    return {
        "code": finding.code,
        "name": RULE_OF_CODE[finding.code].name,
        "level": level_of(finding.code),
        **finding.location._asdict(),
        "link": finding.link,
        "message": finding.message + finding.trace,
        "remedy": finding.remedy,
        "text": parts_of(finding)._asdict(),
        "fix": fix_of(finding),
        "rank": rank_of(finding),
        "effect": {"mass_share": effect.share, "inertia_change": effect.change} if effect is not None else None,
        "minor": finding.is_minor,
        "also": finding.also,
        "also_in": [place._asdict() for place in finding.copies],
        **({"why": why_record(finding.why)} if finding.why is not None else {}),
    }


def why_record(why: Why) -> Record:
    return {
        "written": _block(why.written),
        "computed": inertia_record(why.computed),
        "explanations": [_explanation(each) for each in why.explanations],
    }


def _explanation(explanation: Explanation) -> Record:
    return {
        **_named(explanation, "cause", "group"),
        "certain": explanation.is_certain,
        **_named(explanation, "share", "sentence", "evidence", "alternatives", "source"),
        "proposal": _block(explanation.proposal) if explanation.proposal is not None else None,
    }


def _block(block: WrittenBlock) -> Record:
    return {
        "mass": block.mass,
        "com": block.centre,
        **block.tensor._asdict(),
        "rotation": block.rotation,
        "texts": {name: text for name in TENSOR_NAMES if (text := getattr(block.entry_texts, name))},
    }


# Files that were filled or repaired -----------------------------------------------------------------------------------


def results_json(report: ResultsReport) -> str:
    refused = [_error(error) for error in report.refused]
    return _document({"files": list(map(_file, report.results)), "refused": refused})


def _file(result: FillResult) -> Record:
    return {
        "path": result.path,
        "changed": result.changed,
        **({"others": [other.path for other in result.others]} if result.others else {}),
        "unchanged_links": result.untouched,
        "notes": result.notes,
        "links": list(map(_repair if result.is_repaired else _link, result.links)),
    }


def _link(link: LinkResult) -> Record:
    return {
        **_named(link, "name", "status", "line", "mass_given"),
        "before": inertia_record(link.before, principal=True),
        "after": inertia_record(link.inertia, principal=True),
        "collisions": [_collision(part) for part in link.collisions],
        "notes": link.notes,
        "warnings": [
            {"line": each.location.line if each.location else link.line, "problem": each.message, "remedy": each.remedy}
            for each in link.warnings
        ],
        "error": None if link.error is None else _error(link.error),
    }


def _collision(part: Body) -> Record:
    facts = _named(part, "name", "shape", "method", "faces", "uncertainty", "density", "density_source")
    return {**facts, "volume": part.inertia.mass / part.density, "notes": part.notes}


def _repair(link: LinkResult) -> Record:
    return {
        **_link(link),
        "repaired": link.cause or None,
        "findings": [_named(finding, "code", "message") for finding in link.findings],
        "why": why_record(link.why) if link.why is not None else None,
    }


def _error(error: SdfInertiaError) -> Record:
    place = error.location
    return {
        **(place._asdict() if place else {"file": error.file or "", "line": None, "column": None}),
        **_named(error, "link", "collision", "problem", "remedy"),
    }


# Comparisons ----------------------------------------------------------------------------------------------------------


def comparison_json(comparisons: Sequence[Comparison]) -> str:
    """One comparison as a document; several, as a configuration has them, in a list under `comparisons`."""
    records = [_comparison(each) for each in comparisons]
    return _document(records[0] if len(records) == 1 else {"comparisons": records})


def _comparison(comparison: Comparison) -> Record:
    first, second = ({"mass": total.mass, "com": total.centre} for total in comparison.totals)
    counts = {"same": comparison.of("same"), "differs": comparison.differing, "unmatched": comparison.unmatched}
    return {
        "files": _named(comparison, "first", "second"),
        "counts": {status: len(links) for status, links in counts.items()},
        "links": [_compared(each) for each in comparison.links],
        "totals": {"first": first, "second": second},
        "notes": comparison.notes,
    }


def _compared(link: LinkComparison) -> Record:
    return {
        **_named(link, "name", "status", "fixed"),
        "first": inertia_record(link.first, principal=True),
        "second": inertia_record(link.second, principal=True),
        "lines": [place.line if place is not None else None for place in link.locations],
        "difference": _difference(link.difference) if link.difference is not None else None,
        "why": _cause(link, link.why) if link.why is not None else None,
    }


def _difference(apart: Difference) -> Record:
    return {
        "parts": sorted(part if part != "pose" else "com" for part in apart.parts),
        "mass_factor": apart.mass,
        "com_distance": apart.centre,
        "moment_factor": apart.moment,
        "axes_angle": apart.angle,
        **InertiaTensor(*apart.entries)._asdict(),
    }


def _cause(link: LinkComparison, why: ComparisonWhy) -> Record:
    moved = why.transformation
    return {
        "cause": why.cause,
        "sentence": why_words(link),
        "reasons": [_named(each, "cause", "side", "sentence") for each in why.reasons],
        "transformation": _named(moved, "translation", "rotation") if moved is not None else None,
        "geometry": why.geometry or None,
    }


def body_record(body: ShownBody) -> Record:
    return {
        **_named(body, "name", "origin", "volume"),
        "inertia": inertia_record(body.inertia, equivalents=True),
        "computed": inertia_record(body.computed, equivalents=True),
        "problem": body.problem or None,
    }


def mesh_record(facts: MeshFacts) -> Record:
    return {
        "path": facts.path,
        "density": facts.density,
        "diagnosis": facts.diagnosis._asdict(),
        "method": facts.method if facts.inertia is not None else None,
        "inertia": inertia_record(facts.inertia, principal=True),
        "refusal": facts.refusal or None,
        "notes": facts.notes,
    }


# Notations ------------------------------------------------------------------------------------------------------------


def in_notation(body: ShownBody, notation: str) -> str:
    if body.inertia is None:
        return f"{body.name}: {body.problem or 'not known'}"
    return f"{body.name}: {NOTATIONS[notation](body.inertia)}"


def _parameters(inertia: SpatialInertia, notation: str) -> str:
    from sdfinertia import parametrization as p

    place, tensor = without_noise(inertia)
    pi_cm = SpatialInertia(inertia.mass, place, InertiaTensor(*tensor)).__array__()
    if notation == "scalars":
        return json.dumps(_finite(p.scalars_from_pi_cm(pi_cm)))
    if notation == "theta" and not inertia.is_physically_valid():
        raise InertiaError("theta is defined for physically valid inertias only")
    of_pi_cm = {
        "pi_cm": lambda pi_cm: pi_cm,
        "pi_o": p.pi_o_from_pi_cm,
        "theta": lambda pi_cm: p.theta_from_pi_o(p.pi_o_from_pi_cm(pi_cm)),
        "drake": p.drake_from_pi_cm,
    }
    return " ".join(f"{value:.12g}" for value in of_pi_cm[notation](pi_cm).tolist())


NOTATIONS: dict[str, Callable[[SpatialInertia], str]] = {
    **{name: partial(_parameters, notation=name) for name in ("pi_cm", "pi_o", "theta", "drake", "scalars")},
    "urdf": SpatialInertia.as_urdf,
    "mjcf": SpatialInertia.as_mjcf,
}
