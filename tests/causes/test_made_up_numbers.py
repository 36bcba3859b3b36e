"""Numbers that somebody made up or took from elsewhere are told from the same numbers where they are the link's own."""

from __future__ import annotations

from dataclasses import replace

import pytest
from causes.links import block, case, mesh, sphere, told, twin

from sdfinertia.causes.case import Case
from sdfinertia.causes.diagnosis import diagnose

MEASURED = "0.00061234 -0.00039876", "0.00030123"
PLATE = mesh((0.0030, 0.0042, 0.0058, 0.00061234, -0.00039876, 0.00030123))
NUMBERS = "0.0030012 0.0006123 -0.0004321 0.0042345 0.0003987 0.0058765"


def causes(found: Case) -> list[str]:
    return [each.cause for each in diagnose(told(found)).explanations]


def ball(six: str, mass: str) -> Case:
    body, box = sphere(0.5)
    return case(block(six, mass), body, box=box)


def cuboid(six: str, *moments: float) -> Case:
    return case(block(six), mesh((*moments, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0), 1.0))


@pytest.mark.parametrize(
    ("cause", "made_up", "own"),
    [
        (
            "constant-diagonal",
            case(block("0.1 {} 0.1 {} 0.1".format(*MEASURED)), PLATE),
            # One number for all is right where the geometry has it.
            case(
                block("0.1 {} 0.1 {} 0.1".format(*MEASURED)), mesh((0.1, 0.1, 0.1, 0.00061234, -0.00039876, 0.00030123))
            ),
        ),
        ("power-of-ten", ball("0.1 0 0 0.1 0 0.1", "1000"), ball("0.1 0 0 0.1 0 0.1", "1")),
        ("round-numbers", case(block("0.3 0 0 0.4 0 0.5"), PLATE), cuboid("0.3 0 0 0.4 0 0.5", 0.3, 0.4, 0.5)),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_made_up_numbers_are_named_unless_the_geometry_has_them(cause: str, made_up: Case, own: Case) -> None:
    assert causes(made_up)[0] == cause
    assert cause not in causes(own)


def test_of_two_links_with_the_same_numbers_the_likelier_original_is_named() -> None:
    near, far = (
        replace(
            twin(NUMBERS, is_twin=False, has_same_geometry=False, is_near_geometry=is_near, centre=where),
            name=name,
        )
        for name, is_near, where in (("the original", True, (0.1, 0.0, 0.0)), ("another copy", False, (0.0, 0.0, 0.0)))
    )
    body = mesh((0.03, 0.03, 0.05, 0.0, 0.0, 0.0))
    for relatives in ((near, far), (far, near)):
        (first, *_) = diagnose(told(case(block(NUMBERS), body, relatives=relatives))).explanations
        assert "those of the original to the last digit" in first.sentence
