"""The numbers of a link that a page offers to be changed."""

from __future__ import annotations

import math
from typing import Any

from sdfinertia.description.facts import COLLISION
from sdfinertia.documents.scene import SceneLink
from sdfinertia.editing.applying import study_named
from sdfinertia.editing.draft import Draft
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.rigid_transform import rpy_from_rotation
from sdfinertia.report.pages.scene_data import equivalents
from sdfinertia.shapes.shape import Primitive


def editable_numbers(draft: Draft, link: SceneLink) -> dict[str, Any]:
    """Mass, density, centre, tensor, axes, moments, solids and simple shapes of a link, in SI units.

    What is not known is left out; why no number is known is the `problem`.
    """
    name = link.scoped_name or link.name
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
    finite = all(map(math.isfinite, (body.mass, *body.p_BoBcm_B, *body.I_BBcm_B)))
    if not finite:
        return {**numbers, "problem": "its numbers are not finite"}
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
    return numbers
