"""Mistakes in the six entries: axes, order and signs, a row of a table each; one point or digit; turns and mirrors."""

from __future__ import annotations

from itertools import permutations, product
from math import log, log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.clues import Candidates, Telling, as_written, entries, row, said, said_all
from sdfinertia.inertia.rigid_transform import Rotation
from sdfinertia.inertia.tensor_arrays import AXES_OF_PRODUCTS, Array, are_bodies, rotated, with_entries
from sdfinertia.robot.inertial import ENTRIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sdfinertia.causes.clues import Clues

# Tables ---------------------------------------------------------------------------------------------------------------


class Table(NamedTuple):
    """Mistakes that move and multiply entries.

    Attributes:
        origins: (n, 6), where each right entry stands now.
        factors: (n, 6), what brings it right.
        worth: (n,), natural logarithm of how common each is.
    """

    words: tuple[str, ...]
    origins: npt.NDArray[np.int64]
    factors: Array
    worth: Array

    def undone(self, six: Array) -> Array:
        undone: Array = six[self.origins] * self.factors
        return undone

    def made(self, right: Array) -> Array:
        """(n, 6), what would be written after each mistake."""
        made = np.empty(self.factors.shape)
        np.put_along_axis(made, self.origins, right / self.factors, axis=1)
        return made

    def candidates(
        self, clues: Clues, rows: Sequence[int], sentence: Callable[[int, str], str], bonus: float, **more: object
    ) -> Candidates | None:
        """Some rows undone, of which the sentence tells by the row and the six numbers."""
        if not len(rows):
            return None
        chosen, tensors = list(rows), self.undone(clues.six)[list(rows)]

        def tell(i: int) -> Telling:
            k, texts = chosen[i], None
            if (np.abs(self.factors[k]) == 1.0).all():
                texts = clues.texts.moved(self.origins[k].tolist()).signed(self.factors[k].tolist())
            return Telling(sentence(k, row(tensors[i])), texts=texts)

        return Candidates(tensors, tell, self.worth[chosen] + bonus, **more)  # type: ignore[arg-type]


_Row = tuple[str, "Sequence[int]", "Sequence[float]", float]
IN_ORDER = tuple(range(6))


def table(rows: Iterable[_Row]) -> Table:
    words, origins, factors, worth = zip(*rows, strict=True)
    return Table(words, np.array(origins), np.array(factors, dtype=float), np.array(worth, dtype=float))


def _exchanges() -> Iterable[_Row]:
    places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    entry_of = {frozenset(place): k for k, place in enumerate(places)}
    turns = ((1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))
    for order, turn in list(product(permutations(range(3)), turns))[1:]:
        origins = [entry_of[frozenset((order[i], order[j]))] for i, j in places]
        yield " ".join("xyz"[k] for k in order), origins, [turn[i] * turn[j] for i, j in places], 0.0


def _signs(*negative: int) -> list[float]:
    return [-1.0 if k in negative else 1.0 for k in range(6)]


EXCHANGES = table(_exchanges())
TURNS = 3  # of them only turn axes
ORDERS = table(
    (words, origins, _signs(), 0.0)
    for words, origins in (
        ("the entries are listed as xx yy zz xy xz yz", (0, 3, 4, 1, 5, 2)),
        ("the entries are listed as xx yy zz yz xz xy", (0, 3, 4, 2, 5, 1)),
        ("the entries are listed as xx xy yy xz yz zz", (0, 4, 2, 3, 1, 5)),
        ("ixy and ixz are exchanged", (0, 1, 2, 4, 3, 5)),
        ("ixy and iyz are exchanged", (0, 1, 2, 5, 4, 3)),
        ("ixz and iyz are exchanged", (0, 1, 2, 3, 5, 4)),
    )
)
# All products, then some: one at a time is commoner than two.
SIGNS = table(
    (" and ".join(ENTRIES[k] for k in chosen), IN_ORDER, _signs(*chosen), -1.0 if len(chosen) == 2 else 0.0)
    for chosen in ((3, 4, 5), (3, 4), (3, 5), (4, 5), (3,), (4,), (5,))
)
CAD_SIGNS = SIGNS.factors[0]
_NEGATIVE = [frozenset(np.flatnonzero(signs < 0.0).tolist()) for signs in SIGNS.factors]
# (1 + n, n): whether the written numbers, or an exchange, come before each exchange.
_EARLIER = np.tri(len(EXCHANGES.words), len(EXCHANGES.words) + 1, dtype=bool).T


def axes_exchanged(clues: Clues) -> Candidates | None:
    if not clues.may_be_turned_or_moved:
        return None
    tensors = EXCHANGES.undone(clues.six)
    # With zeros, or equal moments, several exchanges give the same tensor: keep the first.
    before = np.concatenate((clues.six[None], tensors))
    is_same = (np.abs(before[:, None] - tensors[None]) <= 1e-3 * clues.largest).all(2)
    chosen = np.flatnonzero(~(is_same & _EARLIER).any(0)).tolist()

    def words(k: int, _: str) -> str:
        what = f"exchanged: what is written for {EXCHANGES.words[k]} belongs to x y z, which gives"
        if k < TURNS:
            what = f"turned by half a turn about {'zyx'[k]}: turned back the tensor is"
        return f"the axes are {what} {row(tensors[k], 6)}"

    return EXCHANGES.candidates(clues, chosen, words, -log(max(len(chosen), 1)))


def listed_otherwise(clues: Clues) -> Candidates | None:
    # With zero products and positive moments nothing shows an exchange. A moment that is negative or tiny, beside a
    # product larger than it, is in another slot.
    decisive = bool(clues.six[:3].min() < 0.2 * np.abs(clues.six[3:]).max())
    rows = range(len(ORDERS.words)) if clues.products else ()
    return ORDERS.candidates(
        clues, rows, lambda k, right: f"{ORDERS.words[k]}: put right it is {right}", 0.0, decisive=decisive
    )


def products_of_cad(clues: Clues) -> Candidates | None:
    if not clues.products:
        return None
    have = "has the sign of a positive integral" if len(clues.products) == 1 else "have the signs of positive integrals"
    what = f"{entries(clues.products)} {have}, as CAD programs print them: SDFormat and URDF define ixy as -∫ x y dm;"
    return SIGNS.candidates(clues, [0], lambda _, right: f"{what} negated, the tensor is {right}", 0.0)


def single_products(clues: Clues) -> Candidates | None:
    """The signs of some, but not all, products that are not zero."""
    rows = [k for k, changed in enumerate(_NEGATIVE) if changed < {*clues.products}]

    def words(k: int, _: str) -> str:
        have = "has" if len(_NEGATIVE[k]) == 1 else "have"
        numbers = ", ".join(as_written(clues, entry) for entry in sorted(_NEGATIVE[k]))
        return f"{entries(_NEGATIVE[k])} {have} the wrong sign: {numbers}"

    return SIGNS.candidates(clues, rows, words, -log(max(len(rows), 1)))


def negative_moments(clues: Clues) -> Candidates | None:
    negative = [k for k in range(3) if clues.tensor[k] < 0.0]
    if not negative:
        return None
    # Small negative moments are rounding noise, not slips of a sign; a parallel-axis term taken off too often is
    # another hypothesis.
    least = min(abs(clues.tensor[k]) for k in negative) / clues.largest_moment
    ways = table(
        (words, IN_ORDER, _signs(*negative, *turned), worth)
        for words, turned, worth in (
            ("", (), 0.0),
            (" and the products turned", (3, 4, 5), -5.0 if len(negative) < 3 else 0.0),
        )
    )
    what = f"{entries(negative)} {'is' if len(negative) == 1 else 'are'} negative"
    what += f" ({', '.join(as_written(clues, k) for k in negative)}), which no moment of inertia is"
    return ways.candidates(
        clues,
        range(2 if clues.products else 1),
        lambda k, right: f"{what}; with the sign removed{ways.words[k]} the tensor is {right}",
        -3.0 if least < 1e-3 else 0.0,
        decisive=least > 0.05,
    )


# One point, one digit -------------------------------------------------------------------------------------------------

# Powers of ten that an entry can be off by; ten and prefixes (m, µ) explain nine in ten of those seen.
POWERS = [power for power in range(-9, 10) if power]
_POWERS = np.array(POWERS)
_RARENESS = np.where(np.isin(np.abs(_POWERS), (1, 2, 3, 6)), 0.0, -2.5)
# The worth of the only shift by which an entry has as many decimals as all others; of the digits of another moment,
# where only the point differs; of e+07 for e-07; and of 00002166, which no author writes for a whole number.
_FIXED_PLACES, _SAME_DIGITS, _OF_SIGN, _OF_ZEROS = 4.0, 3.0, 9.0, 8.0
_TELLING = 3  # significant digits from which equal ones are no chance


def decimal_point(clues: Clues) -> Candidates | None:
    choices: list[tuple[int, int]] = []
    worths: list[float] = []
    for k, numeral in enumerate(clues.numerals):
        if clues.tensor[k] and numeral is not None and numeral.lost_its_point:
            # The point goes after the first zero.
            choices.append((k, 1 - len(numeral.digits)))
            worths.append(_OF_ZEROS)
        elif clues.tensor[k]:
            choices += [(k, power) for power in POWERS]
            worths += _worth_of_points(clues, k).tolist()
            if numeral is not None and numeral.mark and numeral.power > 0:
                # No moment of a link is written with a positive exponent.
                choices.append((k, -2 * numeral.power))
                worths.append(_OF_SIGN)
    if not choices:
        return None
    entries_of, powers = np.array(choices).T
    tensors, bonus = with_entries(clues.six, entries_of, clues.six[entries_of] * 10.0**powers), np.array(worths)

    def tell(i: int) -> Telling:
        return _tell_point(clues, *choices[i], count=len(choices), valid=int(are_bodies(tensors).sum()))

    # A single digit, such as 1e-6, was made up as likely as its point was moved.
    has_digits = np.array([len(digits) > 1 for digits in clues.significant])[entries_of]
    return Candidates(tensors, tell, bonus, (bonus >= _FIXED_PLACES) & has_digits, is_certifiable=has_digits)


def _worth_of_points(clues: Clues, entry: int) -> Array:
    """(n,), the prior of each power, and the worth of the digits of an entry if its point was moved by it."""
    numeral = clues.numerals[entry]
    if numeral is None:
        return _RARENESS
    others = [each for k, each in enumerate(clues.numerals) if k != entry and each and clues.significant[k]]
    same = np.zeros(len(POWERS))
    for k, digits in enumerate(clues.significant[:3] if entry < 3 else ()):
        if k != entry and digits == clues.significant[entry] and len(digits) >= _TELLING:
            power = round(log10(abs(clues.tensor[k] / clues.tensor[entry])))
            same = np.where(power == _POWERS, _SAME_DIGITS, same) if power else same
    are_pointed = all(other.has_point for other in others)
    places = {other.last_place for other in others}
    if are_pointed and len(others) >= 3 and len(places) == 1 and numeral.last_place not in places:
        # The other entries have as many places after the point.
        return np.where(places.pop() - numeral.last_place == _POWERS, _FIXED_PLACES, _RARENESS) + same
    # Of the only entry without a point it was lost, so the entry is too large.
    is_lost = not numeral.has_point and len(others) > 1 and are_pointed
    return _RARENESS + same + (np.where(_POWERS < 0, 2.5, 0.0) if is_lost else 0.0)


def _tell_point(clues: Clues, entry: int, power: int, count: int, valid: int) -> Telling:
    name, now, numeral = ENTRIES[entry], as_written(clues, entry), clues.numerals[entry]
    text = ""
    if numeral is not None and clues.texts[entry]:
        # 1.69e-01 has its power of ten wrong; of 1676359E-6 the point is lost.
        text = (numeral.with_power(power) if numeral.mark and numeral.is_normal else numeral.shifted(power)).text
    should = text or said(clues.six[entry] * 10.0**power)
    if numeral is not None and numeral.mark and power == -2 * numeral.power:
        sentence = f"the exponent of {name} {now} has the wrong sign: {should}"
    elif numeral is not None and numeral.lost_its_point:
        sentence = f"{name} {now} begins with zeros and has no decimal point: it is {should}"
    else:
        places = f"{abs(power)} place{'s' if abs(power) > 1 else ''}"
        sentence = f"the decimal point of {name} {now} is {places} too far {'right' if power < 0 else 'left'}: {should}"
    others = "the only one" if valid == 1 else f"one of {valid}"
    evidence = f"it is {others} of {count} single powers of ten that make the tensor valid"
    return Telling(sentence, (evidence,), texts=clues.texts.with_entry(entry, text))


# Turns and mirrors ----------------------------------------------------------------------------------------------------


def _as_rotation(R: Array) -> Rotation:
    a, b, c, d, e, f, g, h, i = (float(value) + 0.0 for value in R.ravel())
    return (a, b, c, d, e, f, g, h, i)


def signed_permutations() -> Iterable[Rotation]:
    """All motions that lay axes on axes, the identity first, mirrors among them."""
    for order, signs in product(permutations(range(3)), product((1.0, -1.0), repeat=3)):
        yield _as_rotation(np.eye(3)[list(order)] * np.array(signs)[:, None])


RIGHT_ANGLES = [each for each in signed_permutations() if np.linalg.det(np.array(each).reshape(3, 3)) > 0.0]
_TURNS = np.array(RIGHT_ANGLES[1:]).reshape(-1, 3, 3)
_MIRRORS = np.array([np.diag([-1.0 if k == axis else 1.0 for k in range(3)]) for axis in range(3)])


def other_axes(clues: Clues) -> Candidates | None:
    return _whole_block(clues, _TURNS, _words_of_turn)


def _words_of_turn(R: Array) -> str:
    axis = int(R.diagonal().argmax())
    about = "xyz"[axis] if R[axis, axis] == 1.0 else "a diagonal"
    return f"rotated by { {1: 90, -1: 180, 0: 120}[int(R.trace())] }° about {about}"


def mirrored(axis: int, clues: Clues) -> Candidates | None:
    """A whole block in a mirror: one coordinate of the centre, and the two products with its axis."""
    if not {k for k, axes in enumerate(AXES_OF_PRODUCTS, 3) if axis in axes} & {*clues.products}:
        return None
    return _whole_block(clues, _MIRRORS[[axis]], lambda _: f"mirrored in {'xyz'[axis]}", [axis])


# How near a turn, or a mirror, must bring a centre, as a part of how far it was.
_TURNED, _MIRRORED = 0.1, 0.25


def _whole_block(
    clues: Clues, motions: Array, words: Callable[[Array], str], moved: Sequence[int] = ()
) -> Candidates | None:
    """Tensor and centre moved together, where that brings the centre (or some coordinates of it) to the mesh's."""
    if not clues.may_be_turned_or_moved or not len(clues.exact) or clues.R is not None or not clues.products:
        return None
    of = [*moved] or [0, 1, 2]
    centres, middle = motions @ clues.centre, np.array(clues.bodies[clues.exact[0]].inertia.p_BoBcm_B)
    now = max(float(np.abs(clues.centre - middle)[of].max()), 1e-99)
    near = np.abs(centres - middle)[:, of].max(1) / now
    chosen = np.flatnonzero((near <= (_MIRRORED if moved else _TURNED)) & ~clues.are_outside(centres)).tolist()
    if not chosen:
        return None
    tensors, centres = rotated(clues.six, motions[chosen]), centres[chosen]
    evidence = 0.0 if moved else -2.0 * np.log(np.maximum(near[chosen], 0.01)) - np.log(len(chosen))
    return Candidates(
        tensors,
        lambda i: (
            f"the whole block is {words(motions[chosen[i]])}: beside the mesh the centre is "
            f"{said_all(centres[i], 4 if moved else 6)}, and the tensor {row(tensors[i])}"
        ),
        evidence,
        is_certifiable=not clues.has_centre_outside,  # the centre may be wrong by itself
        centres=centres,
    )
