"""The numbers of a link that a page offers to be changed."""

from __future__ import annotations

import math
from typing import Any

from sdfinertia.documents.scene import SceneLink
from sdfinertia.editing.applying import study_named
from sdfinertia.editing.draft import Draft
from sdfinertia.editing.new_inertia import NOT_JUDGED, why_no_body
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import Vector3, rpy_from_rotation
from sdfinertia.report.pages.scene_data import equivalents
from sdfinertia.robot.values import COLLISION
from sdfinertia.shapes.shape import Primitive


def editable_numbers(draft: Draft, link: SceneLink) -> dict[str, Any]:
    """Mass, density, centre, tensor, axes, moments, solids and simple shapes of a link, in SI units.

    What is not known is left out; why no number is known is the `problem`, why no body has them is `unphysical`, and
    `outline` then the solids without extent where theirs is of no number.
    """
    name = link.key.label
    numbers: dict[str, Any] = {"name": name, "shapes": []}
    try:
        study = study_named(draft.document, name)
        for solid in study.link.solids(COLLISION):
            shape = solid.shape()
            if isinstance(shape, Primitive):
                numbers["shapes"].append({"name": solid.name, "kind": shape.kind, "dimensions": list(shape.dimensions)})
        body = draft.inertia(name)
    except SdfInertiaError as error:
        return {**numbers, "problem": error.problem}
    if not body.can_be_judged:
        return {**numbers, "problem": NOT_JUDGED}
    axes = body.principal()
    numbers |= {
        "mass": body.mass,
        "centre": list(body.p_BoBcm_B),
        "tensor": list(body.I_BBcm_B),
        "moments": list(axes.moments),
        "rpy": list(rpy_from_rotation(axes.rotation)),
        "rotation": list(axes.rotation),
    }
    if link.volume:
        numbers["density"] = body.mass / link.volume
    drawn = equivalents(body)
    if drawn is not None:
        numbers |= {"box": list(drawn.box), "ellipsoid": list(drawn.ellipsoid)}
    problem = why_no_body(body)
    if problem:
        numbers["unphysical"] = problem
        if body.mass > 0.0:
            numbers["outline"] = _outline(body.mass, axes.moments)
    return numbers


def _outline(mass: float, moments: Vector3) -> dict[str, list[float]]:
    """The box and the ellipsoid of an inertia that no body has: flat along axes where the square of a size is none."""
    x, y, z = moments
    squares = [max((b + c - a) / (2.0 * mass), 0.0) for a, b, c in ((x, y, z), (y, x, z), (z, x, y))]
    return {
        "box": [math.sqrt(12.0 * square) for square in squares],
        "ellipsoid": [math.sqrt(5.0 * square) for square in squares],
    }
