"""SDI206: lengths, densities and angles that are near certainly in other units."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.rules.facts import LinkFacts
from sdfinertia.rules.rule import Fault, Level, Mender, Rule


def _units(facts: LinkFacts) -> Iterator[Fault]:
    yield from (Fault(*doubt) for doubt in facts.number_doubts)
    if facts.size_doubt is not None:
        yield Fault(*facts.size_doubt.problem)


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
            "`fill` computes nothing from a mesh that is near certainly not in metres: one over 50 m long or, where "
            "no mass is given, over 1,000 t (a block of twelve triangles with a density of its own may be a barge), or "
            "collisions 1000, 25.4 or 39.37 times as large as the visuals."
        ),
        example="<density>2.7</density>",
        fix=(
            "Give the mesh a scale, such as 0.001 0.001 0.001, and the numbers in these units. Where a part is of that "
            "size, `fill --accept-size`, or `accept-size = true` in the configuration, computes it."
        ),
        find=_units,
    ),
)
