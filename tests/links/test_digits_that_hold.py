"""Parts far from the origin of their link, against sums in whole fractions of what the file says."""

import random
import re
from fractions import Fraction
from typing import NamedTuple

import pytest

from sdfinertia.documents.filling import fill

ENTRIES = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


class Box(NamedTuple):
    """A box in the decimals that a file has for it."""

    size: tuple[str, ...]
    place: tuple[str, ...]
    density: str

    @property
    def mass(self) -> Fraction:
        x, y, z = map(Fraction, self.size)
        return Fraction(self.density) * x * y * z


def boxes(count: int, away: tuple[float, float, float]) -> list[Box]:
    """Boxes of decimetres, within two metres of a place."""
    rng = random.Random(count)
    return [
        Box(
            tuple(f"{rng.uniform(0.2, 1.0):.3f}" for _ in range(3)),
            tuple(f"{far + rng.uniform(-2.0, 2.0):.4f}" for far in away),
            f"{rng.uniform(500.0, 3000.0):.1f}",
        )
        for _ in range(count)
    ]


def exact(parts: list[Box]) -> tuple[list[Fraction], list[Fraction]]:
    """The centre of mass, and the tensor about it as `ENTRIES` has it."""
    total = sum(part.mass for part in parts)
    centre = [sum((part.mass * Fraction(part.place[k]) for part in parts), Fraction(0)) / total for k in range(3)]
    tensor = [Fraction(0)] * 6
    for part in parts:
        offset = [Fraction(at) - middle for at, middle in zip(part.place, centre, strict=True)]
        squares = [d * d + Fraction(side) ** 2 / 12 for d, side in zip(offset, part.size, strict=True)]
        for entry, (i, j) in enumerate(ENTRIES):
            tensor[entry] += part.mass * (sum(squares) - squares[i] if i == j else -offset[i] * offset[j])
    return centre, tensor


@pytest.mark.parametrize("count", [2, 3, 40])
@pytest.mark.parametrize(
    "away", [(0.0, 0.0, 0.0), (100.0, -20.0, 5.0), (1e4, 1e4, -1e4), (1e5, 0.0, 0.0), (1e6, -1e6, 1e6)]
)
def test_as_many_digits_hold_as_are_told_or_twelve(count: int, away: tuple[float, float, float]) -> None:
    parts = boxes(count, away)
    collisions = "".join(
        f"<collision name='c{number}'><pose>{' '.join(part.place)} 0 0 0</pose><density>{part.density}</density>"
        f"<geometry><box><size>{' '.join(part.size)}</size></box></geometry></collision>"
        for number, part in enumerate(parts)
    )
    text = (
        f"<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'/>{collisions}</link></model></sdf>"
    )
    (link,) = fill(text.encode(), filename="/nowhere/m.sdf").links
    assert link.inertia is not None
    told = [int(digits) for note in link.notes for digits in re.findall(r"(\d+) digits of the tensor hold", note)]
    assert bool(told) is (max(map(abs, away)) > 1e4)
    centre, tensor = exact(parts)
    allowed = Fraction(1, 10 ** (told[0] if told else 12))
    trace = sum(tensor[:3])
    for found, due in zip(link.inertia.I_BBcm_B, tensor, strict=True):
        assert abs(Fraction(found) - due) < allowed * trace
    for found, due in zip(link.inertia.p_BoBcm_B, centre, strict=True):
        assert abs(Fraction(found) - due) < Fraction(1, 10**12) * max(map(abs, centre))
