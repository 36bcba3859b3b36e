"""Remedies for wrong numbers: only those that make the body better."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from glob import escape, glob
from typing import TYPE_CHECKING

from sdfinertia.errors import OpenMeshError, SdfInertiaError
from sdfinertia.files import read_regular_file
from sdfinertia.inertia.inertial_text import InertialText
from sdfinertia.links import Study, reason_in_words, warnings
from sdfinertia.links.groups import harm_of
from sdfinertia.links.solids import visual_weighed_twice
from sdfinertia.robot import COLLISION, VISUAL, SolidKind, attempt, given, known
from sdfinertia.robot.inertial import TENSOR
from sdfinertia.robot.problems import Command, Problem
from sdfinertia.shapes import Bounds, bounds_around

if TYPE_CHECKING:
    from sdfinertia.rules.rule import Why

# Of the edges of boxes: collisions that differ more from the visuals, either way, stand in for the part.
_ALIKE = 1.5
# Of the diagonal: a shorter edge is that of a sheet, drawn without its thickness.
_SHEET = 0.01
# kg/m³ at the written mass, of foam and of the densest metals.
_LIGHTEST, _DENSEST = 10.0, 25_000.0
# Part of the mass of its neighbour that a frame has only so that parsers accept it.
_NOMINAL = 0.01

# Links with one tensor, from which it is no slip.
_FAMILY = 5
_WHY = r"stabil|increase|increasing|raise|inflat|artificial|bigger|larger|on purpose|deliberate|simplif"
_SAYS_SO = re.compile(rf"\b(?:{_WHY})", re.I)
_README_SAYS_SO = re.compile(rf"inertia[^.\n]{{0,80}}\b(?:{_WHY})|\b(?:{_WHY})[^.\n]{{0,80}}inertia", re.I)
_README_BYTES = 1 << 20

WRITE_TENSOR = "take its tensor from CAD"
REPAIR = ("sdfinertia", "repair")


def _require_fillable(study: Study) -> None:
    study.link.require_own_name()
    computed = given(study.computed)
    computed.text()
    warnings.require_likely_size(warnings.size_doubt(study, computed), study.options)


def fill_advice(study: Study, *arguments: str, does: str = "", otherwise: str) -> str | Command:
    found = attempt(_require_fillable, study)
    study.context.forget_contents()
    if found is None:
        return command(study, "fill", *arguments, does=does)
    if isinstance(found, OpenMeshError):
        otherwise += ", or --open-mesh convex_hull"
    return f"cannot be computed: {reason_in_words(found, is_short=True)}; {otherwise}"


def command(study: Study, *words: str, does: str = "") -> Command:
    return Command(("sdfinertia", *words), (escape(study.link.own_name),), study.link.element.document.path, does)


def for_numbers(study: Study) -> str | Command:
    """Remedy for written numbers by the geometry alone; see `for_cause`."""
    alone = study.alone
    if alone.advice is None:
        alone.advice = _for_numbers(alone)
    return alone.advice


def _for_numbers(study: Study) -> str | Command:
    if study.filled is not None:
        # It was filled from these collisions; edited numbers stay its author's even with --all.
        option = "--overwrite-edited" if study.is_edited else "--all"
        return fill_advice(study, option, otherwise=WRITE_TENSOR)
    if why_meant(study):
        return "look whether that is meant; `fill --all` and `repair --by geometry` replace it on request"
    if known(attempt(visual_weighed_twice, study.link, study.context)):
        write = 'write mass="0" in its visual geoms, which weigh as well'
        return f"{write}, or leave them out by inertiagrouprange, then fill"
    mass = study.judged.inertia.mass if study.judged is not None and study.link.mass_text() is not None else None
    if mass is not None and not mass > 0.0:
        return "take its mass and tensor from CAD"
    if mass is not None and _is_frame(study, mass):
        return "delete its <inertial>: it is a frame, and what it is fixed to has the mass"
    if not study.link.has_solids(COLLISION):
        return _from_visuals(study, mass)
    if study.encloses_nothing(COLLISION):
        return WRITE_TENSOR
    advice = fill_advice(study, "--all", otherwise=WRITE_TENSOR)
    return (isinstance(advice, Command) and _doubt(study, COLLISION, mass)) or advice


def tensor_problem(study: Study, message: str) -> Problem:
    return Problem(message, for_numbers(study), study.link.inertial_location(TENSOR))


def moment_of_all_axes(study: Study) -> float | None:
    """The moment that a tensor has about every axis, as written; None where they differ."""
    if study.judged is None:
        return None
    xx, yy, zz, *products = study.judged.tensor
    return xx if 0.0 < xx == yy == zz and not any(products) else None


def why_meant(study: Study) -> str:
    """Why one moment about all axes may be meant, as for a stable simulation; "" where nothing says so."""
    if study.has_default_tensor or moment_of_all_axes(study) is None:
        return ""
    texts = study.link.written_texts()
    count = study.link.model.tensor_counts[tuple(texts.tensor)] if texts is not None else 0
    if count >= _FAMILY:
        return f"{count} links have it"
    if any(_SAYS_SO.search(comment.text) for comment in study.link.comments()):
        return "a comment says so"
    if any(_README_SAYS_SO.search(text) for text in _readmes(study)):
        return "the README says so"
    return ""


def _readmes(study: Study) -> Iterator[str]:
    folder = os.path.dirname(os.path.abspath(study.link.file))
    for above in (folder, os.path.dirname(folder)):
        for path in sorted(glob(f"{escape(above)}/README*"))[:2]:
            with suppress(SdfInertiaError):
                confine = study.context.resources.confinement
                yield read_regular_file(path, _README_BYTES, "", confine=confine).decode("utf-8", "replace")


def for_overlaps(study: Study) -> str | Command:
    """Remedy for volume that counts twice; a hand-written tensor is replaced only for the better."""
    advice = for_numbers(study) if not study.is_requested else command(study, "fill")
    return advice._replace(words=(*advice.words, "--overlaps", "union")) if isinstance(advice, Command) else advice


def for_cause(study: Study, advice: str | Command, why: Why) -> str | Command:
    """Remedy once a cause was searched, `advice` where that found nothing."""
    if not why.obstacle:
        return command(study, *REPAIR[1:])
    is_elsewhere = why.likeliest is not None and why.likeliest.source == "elsewhere"
    return "correct the geometry, not the numbers" if is_elsewhere else advice


def _is_frame(study: Study, mass: float) -> bool:
    box = study.bounds()
    marks_a_place = box is None or (isinstance(box, Bounds) and box.is_marker)
    return marks_a_place and mass <= _NOMINAL * study.link.model.lump(study.link).mass_of_others


def _from_visuals(study: Study, mass: float | None) -> str | Command:
    if not study.link.has_solids(VISUAL):
        return WRITE_TENSOR
    drawn = study.by(geometry="visual")
    # A link that cannot be computed is not filled either.
    is_computed = isinstance(attempt(lambda: given(drawn.computed).text()), InertialText)
    study.context.forget_contents()
    if not is_computed:
        return WRITE_TENSOR
    return _doubt(drawn, VISUAL, mass) or command(study, "fill", "--all", "--geometry", "visual")


def _doubt(study: Study, kind: SolidKind, mass: float | None) -> str:
    """Why filling it from its solids of a kind would not make it better: their shape, density, or the result."""
    what, has_visuals = f"its {kind.value}s", study.link.has_solids(VISUAL)
    box, drawn = known(study.bounds(kind)), known(study.bounds(VISUAL))
    if box is None:
        return WRITE_TENSOR
    if box.is_marker:
        return f"take its mass and tensor from CAD: {what} are a marker of {1000 * max(box.sizes):.2g} mm"
    if has_visuals and drawn is None:
        return f"{WRITE_TENSOR}: its visuals cannot be read, and {what} may be a stand-in"
    factor = _largest_factor(box, drawn) if drawn is not None else 1.0
    if factor > _ALIKE:
        return f"don't refill: {what} are {factor:.3g} × off its visuals; {WRITE_TENSOR}"
    computed = given(study.computed)
    if mass is not None:
        density = mass / computed.volume
        if density < _LIGHTEST:
            return f"correct its mass: {mass:.4g} kg in {what} is {density:.2g} kg/m³, less than any foam"
        # As large as the visuals, they are no stand-in.
        if density > _DENSEST and has_visuals:
            return f"correct its mass: {mass:.4g} kg in {what} is {density:.4g} kg/m³, more than any metal"
        if density > _DENSEST:
            return f"{WRITE_TENSOR}: at {mass:.4g} kg {what} have {density:.4g} kg/m³, and are a stand-in"
    problem = harm_of(study, computed.inertia)
    return f"don't refill: by {what}, {problem}; {WRITE_TENSOR}" if problem else ""


def _largest_factor(one: Bounds, other: Bounds) -> float:
    around = bounds_around((one, other))
    least = _SHEET * around.diagonal
    return max(
        max(whole, least) / max(size, least)
        for box in (one, other)
        for whole, size in zip(around.sizes, box.sizes, strict=True)
    )


def is_repair(advice: str | Command) -> bool:
    return isinstance(advice, Command) and advice.words[:2] == REPAIR
