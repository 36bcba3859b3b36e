"""SDI101 to SDI107: numbers that are physically impossible, defaults, or refused by readers."""

from __future__ import annotations

from collections.abc import Iterator

from sdfinertia.inertia.inertial_text import is_accepted_by_libsdformat
from sdfinertia.robot.numbers import is_word, parse_number
from sdfinertia.robot.values import MASS, TENSOR, Command, Problem
from sdfinertia.rules.facts import LinkFacts
from sdfinertia.rules.rule import Fixer, Rule

# Five significant digits are off by up to 5e-5 of an entry (1.00005 becomes 1.0001). No diagonal entry is above the
# largest moment and no product above half of it, so that a row of errors adds up to 1e-4 of the largest moment, which
# bounds the error of each principal moment (Gershgorin, Weyl); the triangle inequality holds three of them together.
_ROUNDED_MOMENT = 1e-4
_ROUNDED_TRIANGLE = 3 * _ROUNDED_MOMENT


def _mass(facts: LinkFacts) -> Iterator[Problem]:
    text = facts.link.mass_text()
    if text is None:
        return
    mass = parse_number(text)
    if mass == 0.0 and _is_part_without_moments(facts):
        return
    # What is no number at all is SDI106's.
    if is_word(text) or (mass is not None and mass <= 0.0):
        yield Problem(
            f"has a mass of {text} kg, which must be above zero and finite",
            "write the mass of the part",
            facts.link.inertial_location(MASS),
        )


def _is_part_without_moments(facts: LinkFacts) -> bool:
    """Whether it is a frame or mass point on another link."""
    return facts.written is not None and not any(facts.written.tensor) and facts.link.is_lumped()


def _not_positive_definite(facts: LinkFacts) -> Iterator[Problem]:
    moments = facts.principal_moments
    if moments is None:
        return
    if _is_part_without_moments(facts):
        return
    low, _, high = moments
    # An ideal rod has no moment about its axis, and engines take it; a body without any is none.
    if low <= -_ROUNDED_MOMENT * high or high <= 0.0:
        shown = " ".join(f"{moment:.6g}" for moment in moments)
        yield Problem(
            f"has a tensor that is not positive definite: its principal moments are {shown} kg·m²",
            _recompute(facts),
            facts.link.inertial_location(TENSOR),
        )


def _breaks_triangle(facts: LinkFacts) -> Iterator[Problem]:
    moments = facts.principal_moments
    if moments is None:
        return
    low, middle, high = moments
    if low > -_ROUNDED_MOMENT * high and low + middle < high * (1.0 - _ROUNDED_TRIANGLE):
        yield Problem(
            f"has principal moments {low:.6g} {middle:.6g} {high:.6g} kg·m², which is physically impossible: "
            "one exceeds the sum of the others",
            _recompute(facts),
            facts.link.inertial_location(TENSOR),
        )


def _recompute(facts: LinkFacts) -> str | Command:
    if not facts.has_volume:
        return "measure it again, or give the link collisions to compute it from"
    # What was filled and edited is its author's also under --all.
    option = "--overwrite-edited" if facts.study.is_edited else "--all"
    does = "computes it from the collisions, with the mass that is there"
    return facts.fill_advice(option, does=does, otherwise="measure it again")


def _default_tensor(facts: LinkFacts) -> Iterator[Problem]:
    if not facts.link.has_inertial or facts.is_auto or facts.is_static or facts.provenance is not None:
        return
    if not facts.link.has_tensor:
        if facts.asks is None:
            return  # SDI106 says what is malformed in it
        what = f"has an <inertial> without <inertia>: {facts.link.phrases.without_tensor}"
        yield Problem(what, _recompute(facts))
    elif facts.has_default_tensor:
        message = "has the default unit tensor, that of a body metres across"
        yield Problem(message, _recompute(facts), facts.link.inertial_location(TENSOR))


def _malformed(facts: LinkFacts) -> Iterator[Problem]:
    return facts.link.malformations()


def _needs_nudge(facts: LinkFacts) -> Iterator[Problem]:
    inertia = facts.explicit
    if inertia is None or inertia.mass <= 0.0:
        return
    if any(True for _ in (*_not_positive_definite(facts), *_breaks_triangle(facts))):
        return
    # As written: libsdformat judges a tensor in the axes of its own pose.
    if facts.written is not None and not is_accepted_by_libsdformat(
        inertia.mass, facts.written.tensor, must_turn=False
    ):
        yield Problem(
            "has a tensor that is valid except for rounding, and libsdformat rejects it",
            facts.command("check", "--fix", "--select", "SDI107", does="moves its last digit"),
            facts.link.inertial_location(TENSOR),
            is_fixable=bool(facts.link.nudge_edits()),
        )


RULES = (
    Rule(
        code="SDI101",
        name="mass-not-positive",
        tags=("physics",),
        what="A mass is zero, negative or not finite.",
        why=(
            "Simulators reject the model, or divide by zero. A URDF link that fixed joints merge with another may be"
            " a frame, with zeros for mass and tensor."
        ),
        example="<mass>-1.5</mass>",
        fix="Write the mass of the part.",
        find=_mass,
    ),
    Rule(
        code="SDI102",
        name="tensor-not-positive-definite",
        tags=("physics",),
        what="A tensor has a negative principal moment, or none above zero.",
        why=(
            "It is physically impossible: a torque about that axis turns it infinitely fast, or backwards. A URDF "
            "link that fixed joints merge with another may be a mass point, or a frame without mass."
        ),
        example="<ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz><ixy>0.2</ixy>",
        fix="Compute it with `sdfinertia fill --all`, or measure it again.",
        find=_not_positive_definite,
    ),
    Rule(
        code="SDI103",
        name="triangle-inequality",
        tags=("physics",),
        what="A principal moment is larger than the sum of the other two.",
        why="It is physically impossible; simulated, the body gains energy from nothing.",
        example="<ixx>10</ixx><iyy>4</iyy><izz>2</izz>",
        fix="Compute it with `sdfinertia fill --all`, or measure it again.",
        find=_breaks_triangle,
    ),
    Rule(
        code="SDI105",
        name="default-tensor",
        tags=("physics",),
        what="An <inertial> of a link that moves has no <inertia>, or the default unit tensor.",
        why="A unit tensor is that of a body metres across: a hand-sized part hardly turns.",
        example="<inertial><mass>0.2</mass></inertial>",
        fix="Compute it with `sdfinertia fill --all`.",
        find=_default_tensor,
    ),
    Rule(
        code="SDI106",
        name="malformed-inertial",
        tags=("physics",),
        what="An <inertial> holds what SDFormat does not have there: wrong counts, unknown moments, an element twice.",
        why=(
            "libsdformat silently reads a part of it, or a default. Also reported here: elements that a collision "
            "gives twice, frames of the model that cannot be resolved, and sibling models of one name."
        ),
        example="<mass>10kg</mass>",
        fix="Write what the format has there.",
        find=_malformed,
    ),
    Rule(
        code="SDI107",
        name="rejected-for-rounding",
        fixer=Fixer.NUDGE,
        tags=("physics",),
        what="A tensor is valid except for rounding, and libsdformat, which allows 10 machine epsilons, rejects it.",
        why="The model does not load.",
        example="a thin plate, <ixx>0.0833</ixx><iyy>0.0833</iyy><izz>0.1667</izz>",
        fix="`sdfinertia check --fix` moves the last digit of its moments.",
        find=_needs_nudge,
    ),
)
