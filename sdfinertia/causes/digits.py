"""Digits: a decimal point lost, the exponent of entries, one digit mistyped."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import permutations
from math import log10

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.case import EntryTexts
from sdfinertia.causes.clues import ENTRIES, FILE_ORDER, NO_PRODUCT, Clues
from sdfinertia.causes.components import Array, are_bodies, largest_ratios
from sdfinertia.causes.formulas import best_fit, worth_of_digits
from sdfinertia.causes.hypothesis import Candidates, Telling
from sdfinertia.causes.numeral import Numeral, is_one_slip
from sdfinertia.causes.signs import cad_pattern
from sdfinertia.causes.wording import as_written, entries, row, said, with_sign

# What digits say.
_POWER_OF_PREFIX = 0.0  # ten and prefixes (m, µ) explain nine in ten of the powers seen
_OTHER_POWER = -2.5  # no prefix and no slip of one place
_FIXED_PLACES = 4.0  # as many places after the point as all others, only so
_FIXED_OTHERS = 3
_SAME_DIGITS = 3.0  # those of another moment, so that only the point of one of them makes them differ
_TELLING = 3  # significant digits from which this is no chance
_POINT_MISSING = 2.5  # the one entry without a point beside others that have one
_EXPONENTS = 5.0  # all entries of a run carry E-3 where all others carry E-6

# Powers of ten that an entry can be off by, and how much rarer those are that no prefix explains.
_POWERS = np.array([power for power in range(-9, 10) if power])
_EVERY_POWER = tuple(_POWERS.tolist())
_TENS = 10.0 ** _POWERS.astype(float)
_RARENESS = np.array([_POWER_OF_PREFIX if abs(power) in (1, 2, 3, 6) else _OTHER_POWER for power in _POWERS])
# The same of an entry without a point beside others that have one: it was larger than it should be.
_RARENESS_OF_LOST = _RARENESS + np.where(_POWERS < 0, _POINT_MISSING, 0.0)
# Of several entries together: a slip of one place, a prefix, or a mix-up of two.
_RUN_POWERS = (-6, -3, -2, -1, 1, 2, 3, 6)
_RUN_TENS = 10.0 ** np.array(_RUN_POWERS, dtype=float)
_RUNS = tuple(
    sorted(
        {
            *(frozenset(FILE_ORDER[a:b]) for a in range(6) for b in range(a + 2, 7) if b - a < 6),
            *(frozenset(range(6)) - {k} for k in range(6)),
            frozenset((0, 1, 2)),
            frozenset((3, 4, 5)),
        },
        key=lambda run: (len(run), sorted(run)),
    )
)


def _points(clues: Clues) -> tuple[Array, list[tuple[int, int]], Array]:
    """Tensors (n, 6) with one entry times a power of ten, (entry, power) of each, and the worth of their digits."""
    choices: list[tuple[int, int]] = []
    tensors, bonus = np.empty((6 * len(_TENS), 6)), np.empty(6 * len(_TENS))
    tensors[:] = clues.six
    for k, value in enumerate(clues.tensor):
        if not value:
            continue
        start, numeral = len(choices), clues.numerals[k]
        if numeral is not None and numeral.lost_its_point:
            # 00002166 is 0.0002166: the point goes after the first zero, and nowhere else.
            power = 1 - len(numeral.digits)
            choices.append((k, power))
            tensors[start, k] *= 10.0 ** float(power)
            bonus[start] = 8.0  # nobody writes 00002166 for a whole number
        else:
            choices += [(k, power) for power in _EVERY_POWER]
            tensors[start : len(choices), k] *= _TENS
            bonus[start : len(choices)] = _worth_of_points(clues, k)
    return tensors[: len(choices)], choices, bonus[: len(choices)]


def _worth_of_points(clues: Clues, entry: int) -> Array:
    """(n,), how likely powers are, and how much likelier the digits of an entry are if its point was moved by these."""
    numeral = clues.numerals[entry]
    if numeral is None:
        return _RARENESS
    others = [
        other for k, other in enumerate(clues.numerals) if k != entry and other is not None and clues.significant[k]
    ]
    equal = _moment_of_same_digits(clues, entry)
    same = np.where(equal == _POWERS, _SAME_DIGITS, 0.0) if equal is not None else 0.0
    are_pointed = all(other.has_point for other in others)
    places = {other.last_place for other in others}
    if are_pointed and len(others) >= _FIXED_OTHERS and len(places) == 1:
        # The other entries have as many places after the point.
        (fixed,) = places
        if numeral.last_place != fixed:
            return np.where(fixed - numeral.last_place == _POWERS, _FIXED_PLACES, _RARENESS) + same
    if not numeral.has_point and len(others) > 1 and are_pointed:
        return _RARENESS_OF_LOST + same
    return _RARENESS + same


def _moment_of_same_digits(clues: Clues, entry: int) -> int | None:
    """The power of ten that makes a moment equal to another, digit by digit: of what is symmetrical two are equal."""
    numeral = clues.numerals[entry]
    digits = clues.significant[entry]
    if entry > 2 or numeral is None or len(digits) < _TELLING:
        return None
    for k, other in enumerate(clues.numerals[:3]):
        if k != entry and other is not None and clues.significant[k] == digits and other.sign == numeral.sign:
            power = round(log10(clues.tensor[k] / clues.tensor[entry]))
            if power:
                return power
    return None


def decimal_point(clues: Clues) -> Candidates | None:
    tensors, choices, bonus = _points(clues)
    if not choices:
        return None

    def tell(i: int) -> Telling:
        return _tell_point(clues, *choices[i], count=len(choices), valid=int(are_bodies(tensors).sum()))

    return Candidates(tensors, tell, bonus, decisive=bonus >= _FIXED_PLACES)


def _tell_point(clues: Clues, entry: int, power: int, count: int, valid: int) -> Telling:
    name, now, numeral = ENTRIES[entry], as_written(clues, entry), clues.numerals[entry]
    text = ""
    if numeral is not None and clues.texts[entry]:
        # 1.69e-01 has its power of ten wrong; of 1676359E-6 the point is lost.
        text = (numeral.with_power(power) if numeral.mark and numeral.is_normal else numeral.shifted(power)).text
    should = text or said(clues.six[entry] * 10.0**power)
    if numeral is not None and numeral.lost_its_point:
        sentence = f"{name} {now} begins with zeros and has no decimal point: it is {should}"
    else:
        places = f"{abs(power)} place{'s' if abs(power) > 1 else ''}"
        sentence = f"the decimal point of {name} {now} is {places} too far {'right' if power < 0 else 'left'}: {should}"
    others = "the only one" if valid == 1 else f"one of {valid}"
    return Telling(
        sentence,
        (f"it is {others} of {count} single powers of ten that make the tensor valid",),
        texts=EntryTexts(*(text if k == entry else old for k, old in enumerate(clues.texts))),
    )


def decimal_point_and_signs(clues: Clues) -> Candidates | None:
    exact = np.flatnonzero(clues.is_exact)
    if clues.is_body or not clues.products or not len(exact) or not clues.mass > 0.0:
        return None
    tensors, choices, bonus = _points(clues)
    pattern = cad_pattern()
    # Only where an exact mesh says that the signs are wrong too.
    both = np.concatenate((tensors, tensors * pattern))
    distances = np.full(len(both), np.inf)
    valid = are_bodies(both)
    distances[valid] = largest_ratios(clues.in_link(both[valid]) / clues.mass, clues.whitenings[exact]).min(1)
    alone, signed = np.split(distances, 2)
    # How much nearer an exact mesh is to be with the signs of products turned.
    chosen = np.flatnonzero(signed < 0.6 * alone)
    if not len(chosen):
        return None
    tensors, choices, bonus = tensors[chosen], [choices[k] for k in chosen], bonus[chosen]

    def tell(i: int) -> Telling:
        single = _tell_point(clues, *choices[i], count=len(choices), valid=1)
        texts = single.texts or EntryTexts()
        signed = EntryTexts(*(with_sign(text, turned=bool(pattern[k] < 0.0)) for k, text in enumerate(texts)))
        return Telling(f"{single.sentence}; and the products have the signs of positive integrals (CAD)", texts=signed)

    return Candidates(tensors * pattern, tell, bonus)


def exponent(clues: Clues) -> Candidates | None:
    present = frozenset(k for k, value in enumerate(clues.tensor) if value)
    runs, inside, factors = _runs_among(present)
    if not runs:
        return None
    tensors = clues.six * factors
    bonus = np.array(_worth_of_exponents(clues, runs)) + np.array(_worth_of_same_digits(clues, runs))
    # Small entries beside one that counts cannot be told to belong to it: the mistake is that of the one.
    # Of the largest moment: what cannot be told to belong to a run.
    floor = 0.02 * np.abs(tensors).max(2, keepdims=True)
    counting = ((np.maximum(np.abs(tensors), np.abs(clues.six)) > floor) & inside[:, None, :]).sum(2)
    bonus = np.where(counting < 2, -np.inf, bonus)
    tensors, bonus = tensors.reshape(-1, 6), bonus.ravel()

    def tell(i: int) -> Telling:
        run, power = runs[i // len(_RUN_POWERS)], _RUN_POWERS[i % len(_RUN_POWERS)]
        texts = EntryTexts(*(_with_power(clues, k, power) if k in run else text for k, text in enumerate(clues.texts)))
        rest = present - run
        verb = "is" if len(rest) == 1 else "are"
        return Telling(
            f"{entries(run)} are 1e{-power:+d} times what they should be, while {entries(rest)} {verb} right: "
            f"{row(tensors[i])}",
            texts=texts,
        )

    return Candidates(tensors, tell, bonus - np.log(len(runs) / 8.0), decisive=bonus >= _EXPONENTS)


@lru_cache(maxsize=64)
def _runs_among(present: frozenset[int]) -> tuple[list[frozenset[int]], npt.NDArray[np.bool_], Array]:
    """The runs of entries that are no zeros, which entries are inside (n, 6), and what each power gives."""
    runs = sorted({run & present for run in _RUNS if 1 < len(run & present) < len(present)}, key=sorted)
    inside = np.array([[k in run for k in range(6)] for run in runs], dtype=bool).reshape(-1, 6)
    return runs, inside, np.where(inside[:, None, :], _RUN_TENS[:, None], 1.0)


def _with_power(clues: Clues, entry: int, power: int) -> str:
    numeral = clues.numerals[entry]
    return numeral.with_power(power).text if numeral is not None and clues.texts[entry] else ""


def _worth_of_exponents(clues: Clues, runs: Iterable[frozenset[int]]) -> list[list[float]]:
    """For each run, how much likelier exponents are if it is off by each power: all others have the one that it gets.

    Args:
        runs: of entries that are no zeros.
    """
    counting = {k: clues.numerals[k] for k, value in enumerate(clues.tensor) if value}
    nothing = [0.0] * len(_RUN_POWERS)
    if all(numeral.mark and numeral.is_normal for numeral in counting.values() if numeral is not None):
        # 4.7E-05 beside 2.5E-06 is how numbers of any size are printed.
        return [nothing for _ in runs]
    exponents = {k: numeral.power if numeral is not None and numeral.mark else 0 for k, numeral in counting.items()}
    if set(exponents.values()) == {0}:
        return [[-1.5] * len(_RUN_POWERS) for _ in runs]  # a run is of one exponent, and here none is written
    found = []
    for run in runs:
        own = {exponents[k] for k in run}
        rest = {power for k, power in exponents.items() if k not in run}
        if len(own) != 1 or len(rest) != 1 or own == {0}:
            found.append(nothing)
            continue
        needed = next(iter(rest)) - next(iter(own))
        found.append([_EXPONENTS if power == needed else 0.0 for power in _RUN_POWERS])
    return found


def _worth_of_same_digits(clues: Clues, runs: Iterable[frozenset[int]]) -> list[list[float]]:
    """For each run, what it is worth that each power makes one of its moments equal to one of the rest."""
    needed = {k: power for k in range(3) if clues.tensor[k] and (power := _moment_of_same_digits(clues, k)) is not None}
    if not needed:
        return [[0.0] * len(_RUN_POWERS) for _ in runs]
    found = []
    for run in runs:
        # That two moments in the run become equal to each other says nothing.
        powers = {power for k, power in needed.items() if k in run and not needed.keys() <= run}
        found.append([_SAME_DIGITS if power in powers else 0.0 for power in _RUN_POWERS])
    return found


def mistyped(clues: Clues) -> Candidates | None:
    places: list[tuple[int, int, int, float]] = []  # entry, index of the digit, digit, worth of its place
    swaps: list[tuple[int, int, float]] = []  # entry, index of the first of two digits, what exchanging them adds
    # A digit that is far smaller than the tensor changes nothing that anybody could tell.
    least = log10(NO_PRODUCT * clues.largest or 1.0)
    for k, numeral in enumerate(clues.numerals):
        if numeral is None or not numeral.significant:
            continue
        sign = -1.0 if numeral.sign == "-" else 1.0
        digits = [int(digit) for digit in numeral.digits]
        top = numeral.power + numeral.point - 1
        for index, digit in enumerate(digits):
            if top - index < least:
                break
            worth = sign * 10.0 ** (top - index)
            places.append((k, index, digit, worth))
            if index + 1 < len(digits) and digits[index + 1] != digit:
                swaps.append((k, index, (digits[index + 1] - digit) * (worth - 0.1 * worth)))
    if not places:
        return None
    entry_of, _, digit_there, worths = zip(*places, strict=True)
    columns = np.concatenate((np.repeat(entry_of, 10), np.array([k for k, *_ in swaps], dtype=int)))
    change = np.empty(len(columns))
    other_digits = np.arange(10) - np.array(digit_there)[:, None]
    change[: 10 * len(places)] = (other_digits * np.array(worths)[:, None]).ravel()
    change[10 * len(places) :] = [added for *_, added in swaps]
    chosen = np.flatnonzero(change)
    # Two moments that are one but for a digit: what is symmetrical has two that are equal.
    pairs = [(k, j) for k, j in permutations(range(3), 2) if is_one_slip(clues.significant[k], clues.significant[j])]
    pairs = [(k, j) for k, j in pairs if min(len(clues.significant[n]) for n in (k, j)) >= _TELLING]
    tensors = np.empty((len(chosen) + len(pairs), 6))
    tensors[:] = clues.six
    tensors[np.arange(len(chosen)), columns[chosen]] += change[chosen]
    bonus = np.full(len(tensors), -np.log(len(chosen)))
    for place, (k, j) in enumerate(pairs, len(chosen)):
        tensors[place, k] = clues.tensor[j]
        fit = best_fit(clues, tensors[place], without=k)
        bonus[place] += max(_SAME_DIGITS, worth_of_digits(fit.gain) if fit is not None else 0.0)

    def tell(i: int) -> Telling:
        if i >= len(chosen):
            k, j = pairs[i - len(chosen)]
            return Telling(
                f"{ENTRIES[k]} {as_written(clues, k)} is {ENTRIES[j]} {as_written(clues, j)} but for one digit",
                texts=EntryTexts(*(clues.texts[j if n == k else n] for n in range(6))),
            )
        valid, which = int(are_bodies(tensors).sum()), int(chosen[i])
        entry = int(columns[which])
        numeral = clues.numerals[entry]
        assert numeral is not None
        if which < 10 * len(places):
            right = numeral.with_digit(places[which // 10][1], str(which % 10))
        else:
            right = _exchanged(numeral, swaps[which - 10 * len(places)][1])
        text = right.text if clues.texts[entry] else ""
        others = "the only change" if valid == 1 else f"one of {valid} changes"
        return Telling(
            f"{ENTRIES[entry]} {as_written(clues, entry)} is {right.text} with one digit mistyped, {others} of "
            "a digit that make the tensor valid",
            texts=EntryTexts(*(text if k == entry else old for k, old in enumerate(clues.texts))),
        )

    return Candidates(tensors, tell, bonus, is_certifiable=np.arange(len(tensors)) < len(chosen))


def _exchanged(numeral: Numeral, index: int) -> Numeral:
    first, second = numeral.digits[index], numeral.digits[index + 1]
    return numeral.with_digit(index, second).with_digit(index + 1, first)
