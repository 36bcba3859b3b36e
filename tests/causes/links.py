"""Links in few words, for tests of causes."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sdfinertia.causes.case import Case, Explanation, Relative
from sdfinertia.causes.diagnosis import diagnose
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.links.solids import ShapeBody
from sdfinertia.links.written_block import EntryTexts, WrittenBlock
from sdfinertia.robot import COLLISION
from sdfinertia.shapes import Bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

Vector = tuple[float, float, float]
# A plate with a lug: a part whose mesh has products. At 1 kg.
SIX = InertiaTensor(0.0030, 0.0042, 0.0058, 0.0006, -0.0004, 0.0003)
CENTRE = (0.02, -0.015, 0.03)
BOX = Bounds((-0.15, -0.12, -0.1), (0.15, 0.12, 0.14))


def block(six: str, mass: str = "1", centre: Vector = (0.0, 0.0, 0.0)) -> WrittenBlock:
    """What stands in a file, of six texts in its order: ixx ixy ixz iyy iyz izz; "-" for one that is absent."""
    xx, xy, xz, yy, yz, zz = ("" if text == "-" else text for text in six.split())
    texts = EntryTexts(xx, yy, zz, xy, xz, yz)
    # What is absent has libsdformat's default.
    tensor = InertiaTensor(*(float(text or (1.0 if k < 3 else 0.0)) for k, text in enumerate(texts)))
    return WrittenBlock(float(mass), centre, tensor, entry_texts=texts, mass_text=mass)


def printed(tensor: Any, digits: int = 6) -> str:
    """Six numbers of a tensor in the order of a file."""
    return " ".join(f"{tensor[k]:.{digits}g}" for k in (0, 3, 4, 1, 5, 2))


def sphere(radius: float) -> tuple[ShapeBody, Bounds]:
    """The geometry of a ball about the origin."""
    moment = 0.4 * radius**2
    body = SpatialInertia(1.0, (0.0, 0.0, 0.0), InertiaTensor(moment, moment, moment))
    return ShapeBody(COLLISION, "solid", body, 4.18879 * radius**3), Bounds((-radius,) * 3, (radius,) * 3)


def mesh(six: Any = SIX, centre: Vector = CENTRE, volume: float = 4e-4, *, exact: bool = True) -> ShapeBody:
    """The body of a closed mesh at 1 kg."""
    body = SpatialInertia(1.0, centre, InertiaTensor(*six))
    return ShapeBody(COLLISION, "solid", body, volume, is_exact_mesh=exact, faces=2000)


def case(written: WrittenBlock, *bodies: ShapeBody, box: Bounds | None = BOX, **more: Any) -> Case:
    """A link with a geometry; without one if no body is given."""
    return Case("link", written, box if bodies else None, tuple(bodies), **more)


def simple(six: Sequence[float], volume: float, centre: Vector = (0.0, 0.0, 0.0), **more: Any) -> ShapeBody:
    return ShapeBody(COLLISION, "solid", SpatialInertia(1.0, centre, InertiaTensor(*six)), volume)._replace(**more)


def cuboid(x: float, y: float, z: float, centre: Vector = (0.0, 0.0, 0.0)) -> tuple[ShapeBody, Bounds]:
    six = ((y * y + z * z) / 12, (x * x + z * z) / 12, (x * x + y * y) / 12)
    a, b, c = centre
    return simple(six, x * y * z, centre), Bounds((a - x / 2, b - y / 2, c - z / 2), (a + x / 2, b + y / 2, c + z / 2))


def bare(six: str, mass: str = "1", centre: Vector = (0.0, 0.0, 0.0), **more: Any) -> Case:
    return case(block(six, mass, centre), **more)


def told(found: Case) -> Case:
    """The same where a rule finds something."""
    return replace(found, findings=frozenset({"SDI204"}))


def twin(six: str, mass: str = "1", is_twin: bool = True, **more: Any) -> Relative:
    """Another link, already in the axes of this one."""
    theirs = block(six, mass, more.pop("centre", (0.0, 0.0, 0.0)))
    facts = {"is_near_geometry": True, "has_same_geometry": True} | more
    return Relative("twin" if is_twin else "other link", is_twin, theirs, theirs, **facts)


def likeliest(found: Case) -> Explanation:
    """What is named first."""
    explanation = diagnose(found).likeliest
    assert explanation is not None
    return explanation


def proposed(explanation: Explanation) -> WrittenBlock:
    assert explanation.proposal is not None
    return explanation.proposal


def causes(found: Case) -> list[str]:
    """All that are named, the likeliest first."""
    return [explanation.cause for explanation in diagnose(found).explanations]
