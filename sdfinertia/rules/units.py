"""SDI206: lengths, densities and angles that are near certainly in other units."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.rules.facts import LinkFacts
from sdfinertia.rules.rule import Fault, Level, Mender, Rule


def _units(facts: LinkFacts) -> Iterator[Fault]:
    return (Fault(*doubt) for doubt in facts.unit_doubts)


RULES = (
    Rule(
        code="SDI206",
        name="wrong-unit",
        level=Level.WARNING,
        is_default=True,
        mender=Mender.NONE,
        fails_run=False,
        tags=("plausibility",),
        what=(
            "A mesh is near certainly in millimetres or inches, a density that is given in g/cm³, an angle in degrees."
        ),
        why=(
            "SDFormat and URDF have metres, kilograms and radians: a mesh in millimetres weighs 1e9 times too much. "
            "`fill` computes nothing from a mesh that is near certainly not in metres: one that makes a link over 50 m "
            "long or over 1,000 t, or 1000, 25.4 or 39.37 times as large as its visuals."
        ),
        example="<density>2.7</density>",
        fix=(
            "Give the mesh a scale, such as 0.001 0.001 0.001, and the numbers in these units. Where a part is of that "
            "size, `fill --accept-size`, or `accept-size = true` in the configuration, computes it."
        ),
        find=_units,
    ),
)
