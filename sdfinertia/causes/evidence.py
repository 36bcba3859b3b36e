"""The evidence for a result in sentences: geometry, box, density, twins, and what would do as well."""

from __future__ import annotations

from collections.abc import Iterator
from math import exp

import numpy as np

from sdfinertia.causes.clues import Clues
from sdfinertia.causes.score import Results
from sdfinertia.causes.wording import geometry_name, said

_ROUNDING = 1e-6


def evidence_of(clues: Clues, result: Results, *, is_lost: bool, others: int) -> tuple[str, ...]:
    return tuple(_sentences(clues, result, is_lost=is_lost, others=others))


def _sentences(clues: Clues, result: Results, *, is_lost: bool, others: int) -> Iterator[str]:
    if not np.isfinite(result.tensors[0]).all():
        yield "nothing stands in for the numbers: there is no geometry that could be computed, and no twin"
        return
    if not is_lost:
        yield from _beside_geometry(clues, result)
        yield from _beside_related(clues, result)
    if clues.box is not None:
        outside = result.is_outside[0] or result.has_centre_outside[0]
        yield "it lies outside the box" if outside else "it lies inside the box"
    if clues.volume is not None:
        yield f"the density is {said(float(result.masses[0]) / clues.volume)} kg/m³"
    if others:
        yield f"{others} other change{'s' if others > 1 else ''} of this kind would do as well"


def _beside_geometry(clues: Clues, result: Results) -> Iterator[str]:
    if not len(clues.bodies) or not result.are_bodies[0]:
        return
    distances = result.distances[0]
    # Of a mesh that is collision and visual, rounding must not choose.
    which = int((distances <= distances.min() * (1.0 + _ROUNDING)).argmax())
    distance = float(distances[which])
    now = float(clues.written_distances[which]) if clues.is_body else float("inf")
    name = geometry_name(clues.bodies[which])
    as_written = f", as written {_apart(now)}" if now < float("inf") else ", as written physically impossible"
    yield f"it agrees with {name} {_apart(distance)}{as_written}"


def _apart(distance: float) -> str:
    """How far: within 3 %, or within a factor of 2.1."""
    factor = exp(min(distance, 50.0))
    return f"within {max(100.0 * (factor - 1.0), 0.001):.2g} %" if factor < 2.0 else f"within a factor of {factor:.3g}"


def _beside_related(clues: Clues, result: Results) -> Iterator[str]:
    for relative, differences in zip(clues.related, result.related_differences, strict=True):
        difference = float(differences[0])
        if difference < 0.1:
            yield f"the {relative.relation.value} {relative.name} has it within {max(100.0 * difference, 0.001):.2g} %"
        elif difference > 2.0:
            yield f"the {relative.relation.value} {relative.name} says otherwise"
