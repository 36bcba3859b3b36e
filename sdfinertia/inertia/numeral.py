"""Numbers as written in a text: their digits, their point and their power of ten."""

from __future__ import annotations

import re
from typing import NamedTuple

_NUMERAL = re.compile(r"([+-]?)([0-9]*)(?![0-9])(\.?)([0-9]*)(?:([eE])([+-]?[0-9]{1,4}))?")
# No author types so many digits, or such a power of ten; longer numbers are no evidence of a typing mistake.
_MAX_CHARACTERS, _GREATEST_POWER = 64, 99


class Numeral(NamedTuple):
    sign: str
    digits: str
    point: int
    has_point: bool
    mark: str
    power: int

    @property
    def last_place(self) -> int:
        return self.power - (len(self.digits) - self.point)

    @property
    def half_unit(self) -> float:
        return 0.5 * 10.0**self.last_place

    @property
    def significant(self) -> str:
        return self.digits.strip("0")

    @property
    def is_normal(self) -> bool:
        return self.point == 1 and self.digits[0] != "0"

    @property
    def text(self) -> str:
        digits, point = self.digits, self.point
        body = f"{digits[:point]}.{digits[point:]}" if self.has_point else digits
        return f"{self.sign}{body}{self.mark}{self.power}" if self.mark else f"{self.sign}{body}"

    @property
    def lost_its_point(self) -> bool:
        """True with a leading 0 before another digit: `00002166`."""
        is_whole = not self.has_point and not self.mark
        return is_whole and len(self.digits) > 1 and self.digits[0] == "0" and self.significant != ""

    def shifted(self, places: int) -> Numeral:
        digits, point = self.digits, self.point + places
        if point < 1:
            digits, point = "0" * (1 - point) + digits, 1
        elif point > len(digits):
            digits += "0" * (point - len(digits))
        # Authors write no zero before the first significant digit.
        surplus = min(len(digits[:point]) - len(digits[:point].lstrip("0")), point - 1)
        return self._replace(
            digits=digits[surplus:], point=point - surplus, has_point=point < len(digits) or self.has_point
        )

    def with_power(self, change: int) -> Numeral:
        return self._replace(power=self.power + change) if self.mark else self.shifted(change)

    def with_digit(self, place: int, digit: str) -> Numeral:
        return self._replace(digits=self.digits[:place] + digit + self.digits[place + 1 :])


def numeral(text: str) -> Numeral | None:
    """The number of a text; None for texts that are not decimal numbers, or have more digits than anybody types."""
    match = _NUMERAL.fullmatch(text) if len(text) <= _MAX_CHARACTERS else None
    if match is None or not (match[2] or match[4]) or abs(int(match[6] or 0)) > _GREATEST_POWER:
        return None
    sign, whole, point, rest, mark, power = match.groups()
    return Numeral(sign, whole + rest, len(whole), bool(point), mark or "", int(power or 0))


def is_one_slip(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > 1:
        return False
    start = next((k for k, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return one != other and (
        one[start + 1 :] == other[start + 1 :] or one[start + 1 :] == other[start:] or one[start:] == other[start + 1 :]
    )


def negated_text(text: str) -> str:
    """A number with the other sign; a zero or an empty text stays."""
    if not text.lower().partition("e")[0].strip("+-0."):
        return text
    return text[1:] if text[0] == "-" else f"-{text.removeprefix('+')}"
