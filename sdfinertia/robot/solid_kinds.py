"""The kinds of solids: visuals and collisions; and their colours."""

from __future__ import annotations

from enum import Enum

from sdfinertia.robot.numbers import parse_numbers


class SolidKind(Enum):
    COLLISION = "collision"
    VISUAL = "visual"

    def __init__(self, element: str) -> None:
        # The name of their elements; a plain attribute: it is read many times a link, and `value` is a call.
        self.element = element


COLLISION, VISUAL = SolidKind.COLLISION, SolidKind.VISUAL


# Red, green, blue and opacity, each from 0 to 1.
Colour = tuple[float, float, float, float]


def colour_of(text: str) -> Colour | None:
    numbers = parse_numbers(text)
    if numbers is None or len(numbers) != 4 or not all(0.0 <= value <= 1.0 for value in numbers):
        return None
    red, green, blue, opacity = numbers
    return red, green, blue, opacity
