"""SDI206: lengths, densities and angles that are near certainly in other units."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.warnings import number_warnings, scale_warnings
from sdfinertia.rules.facts import LinkFacts
from sdfinertia.rules.rule import Fault, Level, Mender, Rule


def _units(facts: LinkFacts) -> Iterator[Fault]:
    computation = facts.computation if facts.is_auto else None
    known = computation if not isinstance(computation, SdfInertiaError) else None
    return (Fault(*doubt) for doubt in (*number_warnings(facts.study), *scale_warnings(facts.study, known)))


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
        why="SDFormat and URDF have metres, kilograms and radians: a mesh in millimetres weighs 1e9 times too much.",
        example="<density>2.7</density>",
        fix="Give the mesh a scale, such as 0.001 0.001 0.001, and the numbers in these units.",
        find=_units,
    ),
)
