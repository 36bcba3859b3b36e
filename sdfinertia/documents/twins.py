"""The twins of a robot side by side: each left link with its right one, seen in the left one's axes."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.causes.case import Match
from sdfinertia.documents.explaining import Explainer
from sdfinertia.documents.opened import OpenDocument
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.links.selection import matches
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.values import LinkKey

# Of a mass, of the size of a body, of a largest moment: a difference below it is rounding.
_SAME = 1e-3
_ENTRIES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


class TwinPair(NamedTuple):
    """Two links of which one is the other in a mirror.

    Attributes:
        names: their scoped names.
        one: the first, in its own frame.
        other: the second, as it would read in the frame of the first.
        differences: the quantities that differ, each with both numbers; none where the two agree to a thousandth.
        is_fitting: whether the shapes of one lie on those of the other; None where either has none.
    """

    names: tuple[str, str]
    one: SpatialInertia
    other: SpatialInertia
    differences: tuple[str, ...]
    is_fitting: bool | None


def twin_pairs(document: OpenDocument) -> Iterator[TwinPair]:
    """The twins among the links of a document, each pair once, in the order of the file."""
    explainer = Explainer(document)
    seen: set[LinkKey | None] = set()
    for link in document.links():
        block = explainer.block(link) if link.key not in seen and matches(link, document.options) else None
        if block is None:
            continue
        twins = (
            twin
            for twin in explainer.twins(link)
            # What only looks alike is a twin where its joint is in the mirror too.
            if twin.matched_by is Match.NAME
            or (twin.matched_by is Match.GEOMETRY and explainer.are_mirrored(link, twin.name))
        )
        twin = next((twin for twin in twins if twin.key not in seen), None)
        document.surroundings.forget_contents()
        if twin is not None:
            seen |= {link.key, twin.key}
            one, other = block.inertia, twin.block.inertia
            yield TwinPair(
                (link.scoped_name, twin.name), one, other, tuple(_differences(one, other)), twin.has_same_geometry
            )


def _differences(one: SpatialInertia, other: SpatialInertia) -> Iterator[str]:
    if abs(one.mass - other.mass) > _SAME * max(abs(one.mass), abs(other.mass)):
        yield f"mass {one.mass:.6g} and {other.mass:.6g} kg"
    x, y, z = (b - a for a, b in zip(one.p_BoBcm_B, other.p_BoBcm_B, strict=True))
    distance = (x * x + y * y + z * z) ** 0.5
    reach = max(*map(abs, one.p_BoBcm_B), *map(abs, other.p_BoBcm_B), 0.0)
    if distance > _SAME * reach:
        yield f"centres {distance:.3g} m apart"
    largest = max(map(abs, (*one.I_BBcm_B, *other.I_BBcm_B)))
    for name in _ENTRIES:
        a, b = getattr(one.I_BBcm_B, name), getattr(other.I_BBcm_B, name)
        if abs(a - b) > _SAME * largest:
            yield f"{name} {a:.4g} and {b:.4g}"
