"""What one link says of its mass, and what its shapes could weigh, as values of a case."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import TYPE_CHECKING

from sdfinertia.causes.case import EntryTexts, Filling, GeometryBody, Source, WrittenBlock
from sdfinertia.errors import SdfInertiaError
from sdfinertia.inertia.nearest_valid import largest_factor
from sdfinertia.robot.values import COLLISION, TENSOR_NAMES

if TYPE_CHECKING:
    from sdfinertia.links.solids import FillingName, ShapeBody
    from sdfinertia.links.study import Study

# Of edges of boxes and of tensors: those of the same shape, drawn twice.
SAME_SHAPE = 0.02


def geometry_bodies(study: Study, fillings: Sequence[FillingName] | None = None) -> tuple[GeometryBody, ...]:
    """The bodies that the shapes of a link could represent, those of its collisions first."""
    from sdfinertia.links.solids import FILLINGS, shape_bodies

    found = shape_bodies(study.link, study.context, fillings or FILLINGS)
    return tuple(_geometry_body(body) for body in found if body.inertia.can_be_judged)


def _geometry_body(body: ShapeBody) -> GeometryBody:
    source = Source.COLLISION if body.kind == COLLISION else Source.VISUAL
    return GeometryBody(source, Filling(body.filling), body.inertia, body.volume, body.is_exact_mesh, body.faces)


def written_block(study: Study) -> WrittenBlock | None:
    """The numbers of a link as they stand; None where it has none that count, or they cannot be read."""
    link = study.link
    try:
        if study.is_auto or not link.has_tensor:
            return None
        written, texts = study.written, link.written_texts()
    except SdfInertiaError:
        return None
    if written is None or texts is None:
        return None
    inertia = written.inertia
    entries = EntryTexts(**dict(zip(TENSOR_NAMES, texts.tensor, strict=True)))
    return WrittenBlock(
        inertia.mass,
        inertia.p_BoBcm_B,
        written.tensor,
        written.rotation,
        entries,
        texts.mass,
        texts.centre,
        texts.angles,
    )


def default_block(study: Study) -> WrittenBlock | None:
    """What readers take for an inertial in which no tensor is written; None where there is none, or is to be filled."""
    try:
        if study.is_auto or not study.link.has_inertial or study.link.has_tensor or study.written is None:
            return None
    except SdfInertiaError:
        return None
    written = study.written
    return WrittenBlock(written.inertia.mass, written.inertia.p_BoBcm_B, written.tensor, written.rotation)


def is_valid(block: WrittenBlock) -> bool:
    # As a part of the trace: numbers with five digits, one mistake in which is not theirs.
    return block.inertia.is_physically_valid(rtol=1e-4)


def is_near_geometry(block: WrittenBlock, bodies: Sequence[GeometryBody]) -> bool | None:
    """Whether no moment about any axis is off by more than a factor of 3 from that of a body; None without bodies."""
    own = block.inertia.I_BBcm_B
    at_mass = (body.inertia.scaled_to_mass(block.mass).I_BBcm_B for body in bodies) if block.mass > 0.0 else ()
    factors = [factor for tensor in at_mass if not isnan(factor := largest_factor(own, tensor))]
    return min(factors) <= 3.0 if factors else None  # parts are hollow and drawn simply


def have_same_moments(one: Sequence[GeometryBody], other: Sequence[GeometryBody], part: float = SAME_SHAPE) -> bool:
    """Whether the shapes of two links are alike, however they are turned, as far as the first body of each tells."""
    if not one or not other:
        return False
    moments, others = (bodies[0].inertia.principal_moments() for bodies in (one, other))
    return all(abs(a - b) <= part * b for a, b in zip(moments, others, strict=True))
