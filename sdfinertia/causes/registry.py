"""All hypotheses. Each stands in the HYPOTHESES of the module of its group; a new module is one more line here."""

from __future__ import annotations

from sdfinertia.causes import (
    axes,
    barely,
    beside_geometry,
    centres,
    copies,
    digits,
    formulas,
    order,
    reference_point,
    scale,
    signs,
    unpopulated,
)
from sdfinertia.causes.hypothesis import Hypothesis

_MODULES = (
    *(reference_point, signs, digits, order, axes, scale, copies, unpopulated, barely),
    *(beside_geometry, centres, formulas),
)

HYPOTHESES: tuple[Hypothesis, ...] = tuple(
    sorted((hypothesis for module in _MODULES for hypothesis in module.HYPOTHESES), key=lambda one: one.name)
)
HYPOTHESIS_OF_NAME: dict[str, Hypothesis] = {hypothesis.name: hypothesis for hypothesis in HYPOTHESES}
