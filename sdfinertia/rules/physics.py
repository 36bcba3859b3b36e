"""SDI101 to SDI107: explicit numbers that no body can have, that nobody wrote, or that do not load."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.description.numbers import is_word, parse_numbers
from sdfinertia.inertia.libsdformat_validity import is_accepted_by_libsdformat
from sdfinertia.rules.facts import LinkFacts
from sdfinertia.rules.rule import Rule

# Five significant digits are off by up to 5e-5 of an entry (1.00005 becomes 1.0001). No diagonal entry is above the
# largest moment and no product above half of it, so that a row of errors adds up to 1e-4 of the largest moment, which
# bounds the error of each principal moment (Gershgorin, Weyl); the triangle inequality holds three of them together.
_ROUNDED_MOMENT = 1e-4
_ROUNDED_TRIANGLE = 3 * _ROUNDED_MOMENT
_UNIT_TENSOR = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)


def _mass(facts: LinkFacts) -> Iterator[tuple[str, str]]:
    text = facts.link.mass_text()
    if text is None:
        return
    numbers = parse_numbers(text)
    # What is no number at all is SDI106's.
    if is_word(text) or (numbers is not None and len(numbers) == 1 and numbers[0] <= 0.0):
        yield f"has a mass of {text} kg, which must be above zero and finite", "write the mass of the part"


def _moments(facts: LinkFacts) -> tuple[float, float, float] | None:
    return facts.explicit.principal_moments() if facts.explicit is not None else None


def _not_positive_definite(facts: LinkFacts) -> Iterator[tuple[str, str]]:
    moments = _moments(facts)
    if moments is None:
        return
    low, _, high = moments
    # An ideal rod has no moment about its axis, and engines take it; a body without any is none.
    if low <= -_ROUNDED_MOMENT * high or high <= 0.0:
        shown = " ".join(f"{moment:.6g}" for moment in moments)
        yield f"has a tensor that is not positive definite: its principal moments are {shown}", _recompute(facts)


def _breaks_triangle(facts: LinkFacts) -> Iterator[tuple[str, str]]:
    moments = _moments(facts)
    if moments is None:
        return
    low, middle, high = moments
    if low > -_ROUNDED_MOMENT * high and low + middle < high * (1.0 - _ROUNDED_TRIANGLE):
        yield (
            f"has principal moments {low:.6g} {middle:.6g} {high:.6g}, and no body has one above the sum of the others",
            _recompute(facts),
        )


def _recompute(facts: LinkFacts) -> str:
    if facts.has_volume:
        return f"{facts.fill_command('--all')} computes it from the collisions, with the mass that is there"
    return "measure it again, or give the link collisions to compute it from"


def _default_tensor(facts: LinkFacts) -> Iterator[tuple[str, str]]:
    if not facts.link.has_inertial or facts.is_auto or facts.is_static or facts.provenance is not None:
        return
    if not facts.link.has_tensor:
        yield "has an <inertial> without <inertia>: simulators assume a unit tensor", _recompute(facts)
    elif facts.written is not None and facts.written.tensor == _UNIT_TENSOR:
        yield "has the default unit tensor, that of a body metres across", _recompute(facts)


def _malformed(facts: LinkFacts) -> Iterator[tuple[str, str]]:
    for problem, remedy, _ in facts.link.malformations():
        yield problem, remedy


def _needs_nudge(facts: LinkFacts) -> Iterator[tuple[str, str]]:
    inertia = facts.explicit
    if inertia is None or inertia.mass <= 0.0:
        return
    if any(True for _ in (*_not_positive_definite(facts), *_breaks_triangle(facts))):
        return
    if not is_accepted_by_libsdformat(inertia.mass, inertia.I_BBcm_B, must_turn=False):
        yield (
            "has a tensor that is valid but for rounding, and libsdformat refuses it",
            f"{facts.command('check', '--fix', '--select', 'SDI107')} moves its last digit",
        )


RULES = (
    Rule(
        "SDI101",
        "mass-not-positive",
        True,
        "A mass is zero, negative or not finite.",
        "Simulators refuse the model, or divide by it.",
        "<mass>-1.5</mass>",
        "Write the mass of the part.",
        _mass,
    ),
    Rule(
        "SDI102",
        "tensor-not-positive-definite",
        True,
        "A tensor has a negative principal moment, or none at all.",
        "No body has such a one, and a torque about that axis turns it infinitely fast, or backwards.",
        "<ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz><ixy>0.2</ixy>",
        "Compute it with `sdfinertia fill --all`, or measure it again.",
        _not_positive_definite,
    ),
    Rule(
        "SDI103",
        "triangle-inequality",
        True,
        "A principal moment is larger than the sum of the other two.",
        "No body has such a tensor; simulated, it gains energy from nowhere.",
        "<ixx>10</ixx><iyy>4</iyy><izz>2</izz>",
        "Compute it with `sdfinertia fill --all`, or measure it again.",
        _breaks_triangle,
    ),
    Rule(
        "SDI105",
        "default-tensor",
        True,
        "An <inertial> of a link that moves has no <inertia>, or the default unit tensor.",
        "A unit tensor is that of a body metres across: a hand-sized part hardly turns.",
        "<inertial><mass>0.2</mass></inertial>",
        "Compute it with `sdfinertia fill --all`.",
        _default_tensor,
    ),
    Rule(
        "SDI106",
        "malformed-inertial",
        True,
        "An <inertial> holds what SDFormat does not have there: wrong counts, unknown children, an element twice.",
        "libsdformat reads a part of it, or a default, and says nothing. Elements that a collision gives twice, and "
        "frames of the model that lead nowhere, are told here too.",
        "<mass>10kg</mass>",
        "Write what SDFormat has there.",
        _malformed,
    ),
    Rule(
        "SDI107",
        "refused-for-rounding",
        True,
        "A tensor is valid but for rounding, and libsdformat, which allows 10 machine epsilons, refuses it.",
        "The model does not load.",
        "a thin plate, <ixx>0.0833</ixx><iyy>0.0833</iyy><izz>0.1667</izz>",
        "`sdfinertia check --fix` moves the last digit of its moments.",
        _needs_nudge,
    ),
)
