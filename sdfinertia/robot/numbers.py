"""Numbers in texts, read strictly where other readers take a prefix or a default; and numbers as reports show them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sdfinertia.errors import ConfigurationError, counted, shorten
from sdfinertia.inertia.inertial_text import format_number
from sdfinertia.inertia.rigid_transform import SMALLEST_SIZE, real

if TYPE_CHECKING:
    from sdfinertia.markup import Element

# Of all other characters `float` takes only decimal numbers.
_NOT_DECIMAL = re.compile(r"[^0-9eE+\-. \t\r\n\v\f]")

# Relative rounding noise, beside a number and beside the size of a body.
_NOISE, _NEGLIGIBLE = 1e-12, 1e-9

_NOT_FINITE = ("nan", "inf", "infinity")


def parse_numbers(text: str) -> tuple[float, ...] | None:
    """The decimal numbers of a text, separated by ASCII white space; None if anything else is in it."""
    if _NOT_DECIMAL.search(text) is not None:
        return None
    try:
        numbers = tuple(map(float, text.split()))
    except ValueError:
        return None
    return numbers if all(map(math.isfinite, numbers)) else None


def one_of_each(texts: Sequence[str | None]) -> tuple[float, ...] | None:
    """The number of each text, read at once; None where one has none or several."""
    numbers = parse_numbers(" ".join(filter(None, texts))) if all(texts) else None
    return numbers if numbers is not None and len(numbers) == len(texts) else None


def parse_number(text: str) -> float | None:
    numbers = parse_numbers(text)
    return numbers[0] if numbers is not None and len(numbers) == 1 else None


def finite(value: float) -> float | None:
    """A number of any type as a float; None where no float can hold it."""
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None


def exact_numbers(text: str, counts: tuple[int, ...], element: Element, name: str = "") -> tuple[float, ...]:
    """So many finite decimal numbers, of an element or its attribute; raises an error that says what else is there."""
    found = parse_numbers(text)
    if found is not None and len(found) in counts:
        return found
    what = f"{name} of <{element.name}>" if name else f"<{element.name}>"
    wanted = "a number" if counts[-1] == 1 else f"{counts[-1]} numbers"
    if found is None:
        remedy = meant_numbers(text, counts[-1])
        instead = f", not {wanted}" if remedy else f": write {wanted}"
        raise element.error(f"{what} is {shorten(text)!r}{instead}", remedy)
    count = "is empty" if not found else f"holds {counted(len(found), 'number')}"
    raise element.error(f"{what} {count}: write {wanted}")


def attribute_word(text: str, words: tuple[str, ...], name: str, element: Element) -> str:
    if text not in words:
        raise element.error(f"{name} of <{element.name}> must be {' or '.join(words)}, not {shorten(text)!r}")
    return text


def unit_vector(text: str) -> tuple[float, float, float] | None:
    """The direction that a text of three numbers gives; None where it gives none."""
    numbers = parse_numbers(text)
    length = math.hypot(*numbers) if numbers is not None else 0.0
    if numbers is None or len(numbers) != 3 or not length > 0.0:
        return None
    x, y, z = numbers
    return x / length, y / length, z / length


def require_scale(factors: Iterable[float], name: str, element: Element) -> None:
    for factor in factors:
        if factor == 0.0:
            raise element.error(f"a factor of {name} is zero")
        if abs(factor) < SMALLEST_SIZE:
            problem = f"a factor of {name} must be {SMALLEST_SIZE:g} at least, found {factor!r}"
            raise element.error(f"{problem}: products with it lose their digits")


def three_factors(values: float | Iterable[float] | None, name: str, given: object) -> tuple[float, float, float]:
    """The factors along x, y and z; one number means all three."""
    # A string is iterable too, and holds no numbers.
    is_one = isinstance(values, (str, bytes)) or not isinstance(values, Iterable) or getattr(values, "ndim", None) == 0
    found: tuple[object, ...] = (values,) if is_one else tuple(values)  # type: ignore[arg-type]
    factors = [factor for value in found if (number := real(value)) is not None and (factor := finite(number))]
    if len(factors) not in (1, 3) or len(factors) < len(found):
        raise ConfigurationError(f"{name} takes one number or three, none of them zero, not {given!r}")
    x, y, z = factors if len(factors) == 3 else factors * 3
    return x, y, z


def renewed(text: str, values: Sequence[float], digits: int) -> str:
    """A text of numbers with others in their places; equal numbers and blanks keep their text."""
    pieces = re.split(r"([ \t\r\n\v\f]+)", text)
    left = iter(values)
    for place, piece in enumerate(pieces):
        if piece and not piece.isspace():
            value = next(left)
            new = format_number(value, digits)
            pieces[place] = piece if float(piece) == float(new) else new
    return "".join(pieces)


def half_unit(value: float, digits: int) -> float:
    return 0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - digits + 1) if value else 0.0


def is_word(text: str) -> bool:
    return text.lower().lstrip("+-") in _NOT_FINITE


def meant_numbers(text: str, count: int) -> str:
    """The probable meaning of a malformed text of so many numbers, as advice; "" where that is not plain."""
    if len(text) > 200:
        return ""
    if count == 1 and re.fullmatch(r"[+-]?[1-9][0-9]{0,2}(,[0-9]{3})+", text):
        return f"write {text.replace(',', '')}" + (f", or {text.replace(',', '.')}" if text.count(",") == 1 else "")
    for written in (re.sub(r"[,;]", " ", text), text.replace(",", ".")):
        numbers = parse_numbers(written)
        if written != text and numbers is not None and len(numbers) == count:
            return f"write {' '.join(written.split())}"
    if count == 1 and re.fullmatch(r"[0-9.+-]+\s*[A-Za-z]\S*", text):
        return "write the number without its unit, in metres, kilograms or radians"
    return ""


def number(value: float) -> str:
    return f"{value:.6g}" if value else "0"


def numbers(values: tuple[float, ...], *, size: float = 0.0) -> str:
    """Numbers side by side; rounding noise beside the largest, or beside `size`, is shown as zero."""
    noise = max(_NOISE * max(abs(value) for value in values), _NEGLIGIBLE * size)
    return " ".join(number(value if abs(value) > noise else 0.0) for value in values)


def per_cent(value: float) -> str:
    """A percentage with two digits, never with an exponent."""
    return f"{value:.0f} %" if value >= 10.0 else f"{value:.2g} %"
