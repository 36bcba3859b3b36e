"""Digits: a decimal point lost, the exponent of entries, one digit mistyped, or the last ones rounded too far."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from math import floor, log, log10

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.clues import NO_PRODUCT, Candidates, Clues, Telling, as_written, entries, row, said
from sdfinertia.causes.copies import best_fit, worth_of_digits
from sdfinertia.causes.operations import POWERS
from sdfinertia.inertia.numeral import is_one_slip
from sdfinertia.inertia.tensor_arrays import AXES_OF_PRODUCTS, Array, are_bodies, matrices, second_moments, with_entries
from sdfinertia.robot.inertial import ENTRIES, FILE_ORDER, EntryTexts

Places = npt.NDArray[np.int64]

_FIXED_PLACES = 4.0  # worth of the only shift by which it has as many decimals as all others
_SAME_DIGITS = 3.0  # worth of the digits of another moment: only the point differs
_TELLING = 3  # significant digits from which this is no chance
_OF_SIGN = 9.0  # worth of e+07 for e-07
_EXPONENTS = 5.0  # all entries of a run carry E-3 where all others carry E-6

# Powers of ten that an entry can be off by; ten and prefixes (m, µ) explain nine in ten of those seen.
_POWERS = np.array(POWERS)
_CHOICES = [[(k, power) for power in POWERS] for k in range(6)]
_RARENESS = np.where(np.isin(np.abs(_POWERS), (1, 2, 3, 6)), 0.0, -2.5)
# The same for the only entry without a point: it was lost, so the entry is too large.
_RARENESS_OF_LOST = _RARENESS + np.where(_POWERS < 0, 2.5, 0.0)
# Of several entries together: a slip of one place, a prefix, or a mix-up of two.
_RUN_POWERS = (-6, -3, -2, -1, 1, 2, 3, 6)
_RUN_TENS = 10.0 ** np.array(_RUN_POWERS, dtype=float)
# Runs of a file's entries, all but one, the moments, and the products.
_RUNS = sorted(
    {
        *(frozenset(FILE_ORDER[a:b]) for a in range(6) for b in range(a + 2, 7) if b - a < 6),
        *(frozenset(range(6)) - {k} for k in range(6)),
        *(frozenset((0, 1, 2)), frozenset((3, 4, 5))),
    },
    key=sorted,
)
_IN_RUN = np.array([[k in run for k in range(6)] for run in _RUNS])


def decimal_point(clues: Clues) -> Candidates | None:
    choices: list[tuple[int, int]] = []
    worths: list[Array] = []
    for k, numeral in enumerate(clues.numerals):
        if clues.tensor[k] and numeral is not None and numeral.lost_its_point:
            # 00002166 is 0.0002166: no author writes it for a whole number. The point goes after the first zero.
            choices.append((k, 1 - len(numeral.digits)))
            worths.append(np.array([8.0]))
        elif clues.tensor[k]:
            choices += _CHOICES[k]
            worths.append(_worth_of_points(clues, k))
            if numeral is not None and numeral.mark and numeral.power > 0:
                # No moment of a link is written with a positive exponent.
                choices.append((k, -2 * numeral.power))
                worths.append(np.array([_OF_SIGN]))
    if not choices:
        return None
    entries_of, powers = np.array(choices).T
    moved = clues.six[entries_of] * 10.0**powers
    tensors, bonus = with_entries(clues.six, entries_of, moved), np.concatenate(worths)

    def tell(i: int) -> Telling:
        return _tell_point(clues, *choices[i], count=len(choices), valid=int(are_bodies(tensors).sum()))

    # A single digit, such as 1e-6, was made up as likely as its point was moved.
    has_digits = np.array([len(digits) > 1 for digits in clues.significant])[entries_of]
    decisive = (bonus >= _FIXED_PLACES) & has_digits
    return Candidates(tensors, tell, bonus, decisive, is_certifiable=has_digits)


def _worth_of_points(clues: Clues, entry: int) -> Array:
    """(n,), the prior of each power, and the worth of the digits of an entry if its point was moved by it."""
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
    if are_pointed and len(others) >= 3 and len(places) == 1:
        # The other entries have as many places after the point.
        (fixed,) = places
        if numeral.last_place != fixed:
            return np.where(fixed - numeral.last_place == _POWERS, _FIXED_PLACES, _RARENESS) + same
    is_lost = not numeral.has_point and len(others) > 1 and are_pointed
    return (_RARENESS_OF_LOST if is_lost else _RARENESS) + same


def _moment_of_same_digits(clues: Clues, entry: int) -> int | None:
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


def exponent(clues: Clues) -> Candidates | None:
    is_there = tuple((clues.six != 0.0).tolist())
    inside, factors = _runs_among(is_there)
    if not len(inside):
        return None
    tensors = clues.six * factors
    # A run needs two entries that count: small ones beside a single large one are no evidence.
    floor = 0.02 * np.abs(tensors).max(2, keepdims=True)
    counting = ((np.maximum(np.abs(tensors), np.abs(clues.six)) > floor) & inside[:, None, :]).sum(2)
    bonus = np.where(counting < 2, -np.inf, _worth_of_runs(clues, inside)).ravel()
    tensors = tensors.reshape(-1, 6)

    def tell(i: int) -> Telling:
        run, power = np.flatnonzero(inside[i // len(_RUN_POWERS)]).tolist(), _RUN_POWERS[i % len(_RUN_POWERS)]
        rest = [k for k in range(6) if is_there[k] and k not in run]
        return Telling(
            f"{entries(run)} are 1e{-power:+d} times what they should be, while {entries(rest)} "
            f"{'is' if len(rest) == 1 else 'are'} right: {row(tensors[i])}",
            texts=EntryTexts(*(_with_power(clues, k, power) if k in run else clues.texts[k] for k in range(6))),
        )

    return Candidates(tensors, tell, bonus - np.log(len(inside) / 8.0), decisive=bonus >= _EXPONENTS)


@lru_cache(maxsize=64)
def _runs_among(is_there: tuple[bool, ...]) -> tuple[Array, Array]:
    """Which entries that are not zero are inside (n, 6) the runs among them, and the factors (n, powers, 6)."""
    inside = np.unique(_IN_RUN & is_there, axis=0)
    count = inside.sum(1)
    inside = inside[(count > 1) & (count < sum(is_there))]
    return inside, np.where(inside[:, None, :], _RUN_TENS[:, None], 1.0)


def _with_power(clues: Clues, entry: int, power: int) -> str:
    numeral = clues.numerals[entry]
    return numeral.with_power(power).text if numeral is not None and clues.texts[entry] else ""


def _worth_of_runs(clues: Clues, inside: Array) -> Array:
    """(n, powers), the worth of runs for each power: high where a run gets the exponent of all others."""
    numerals = {k: numeral for k, numeral in enumerate(clues.numerals) if numeral is not None and clues.tensor[k]}
    exponents = {k: numeral.power if numeral.mark else 0 for k, numeral in numerals.items()}
    worth = np.zeros((len(inside), len(_RUN_POWERS)))
    if not any(exponents.values()):
        worth -= 1.5  # a run is of one exponent, and here none is written
    elif len(set(exponents.values())) == 2 and not all(n.mark and n.is_normal for n in numerals.values()):
        # 4.7E-05 beside 2.5E-06 is how numbers of any size are printed.
        for run, of_run in zip(inside.tolist(), worth, strict=True):
            own, rest = ({power for k, power in exponents.items() if run[k] == within} for within in (True, False))
            if len(own) == len(rest) == 1 and own != {0} and (needed := rest.pop() - own.pop()) in _RUN_POWERS:
                of_run[_RUN_POWERS.index(needed)] = _EXPONENTS
    # Two moments of the run that become equal to each other are no evidence.
    equal = {k: _moment_of_same_digits(clues, k) for k in range(3) if clues.tensor[k]}
    found = {k for k, power in equal.items() if power is not None}
    for run, of_run in zip(inside.tolist(), worth, strict=True) if found else ():
        if not all(run[k] for k in found):
            for power in {equal[k] for k in found if run[k]} & {*_RUN_POWERS}:
                of_run[_RUN_POWERS.index(power)] += _SAME_DIGITS
    return worth


def mistyped(clues: Clues) -> Candidates | None:
    entry, index, digit, added = _changes_of_a_digit(clues)
    count = len(entry)
    if not count:
        return None
    pairs = _moments_one_digit_apart(clues)
    changed = np.array([*entry.tolist(), *(k for k, _ in pairs)])
    values = np.concatenate((clues.six[entry] + added, clues.six[[j for _, j in pairs]]))
    tensors = with_entries(clues.six, changed, values)
    bonus = np.full(len(tensors), -np.log(count))
    for place, (k, _) in enumerate(pairs, count):
        fit = best_fit(clues, tensors[place], without=k)
        bonus[place] += max(_SAME_DIGITS, worth_of_digits(fit.gain) if fit is not None else 0.0)

    def tell(i: int) -> Telling:
        if i < count:
            valid = int(are_bodies(tensors).sum())
            return _tell_change(clues, int(entry[i]), int(index[i]), int(digit[i]), valid)
        k, right = pairs[i - count]
        what = f"{ENTRIES[k]} {as_written(clues, k)} is {ENTRIES[right]} {as_written(clues, right)}"
        return Telling(f"{what} but for one digit", texts=clues.texts.with_entry(k, clues.texts[right]))

    return Candidates(tensors, tell, bonus, is_certifiable=np.arange(len(tensors)) < count)


_EXCHANGED = 10  # in the place of a digit: it and the next were exchanged
_ROW, _PLACES = np.arange(11), np.arange(64.0)


def _changes_of_a_digit(clues: Clues) -> tuple[Places, Places, Places, Array]:
    """Digits that may be mistyped: entries, indices, right digits, and the differences of the entries."""
    numerals = [each if each is not None and each.significant else None for each in clues.numerals]
    longest = max((len(each.digits) for each in numerals if each is not None), default=0)
    digits, units = np.zeros((6, longest + 1)), np.zeros((6, longest))
    # Digits far below the tensor make no noticeable difference.
    least = log10(NO_PRODUCT * clues.largest or 1.0)
    for k, each in enumerate(numerals):
        if each is not None:
            digits[k, : len(each.digits)] = [int(digit) for digit in each.digits]
            digits[k, len(each.digits) :] = digits[k, len(each.digits) - 1]
            top = each.power + each.point - 1
            count = min(len(each.digits), max(floor(top - least) + 1, 0))
            units[k, :count] = (-1.0 if each.sign == "-" else 1.0) * 10.0 ** (top - _PLACES[:count])
    change = (_ROW - digits[:, :-1, None]) * units[:, :, None]
    change[:, :, _EXCHANGED] = 0.9 * np.diff(digits) * units
    entry, index, right = np.nonzero(change)
    return entry, index, right, change[entry, index, right]


def _moments_one_digit_apart(clues: Clues) -> list[tuple[int, int]]:
    digits = clues.significant
    pairs = [(k, j) for k, j in permutations(range(3), 2) if is_one_slip(digits[k], digits[j])]
    return [(k, j) for k, j in pairs if min(len(digits[k]), len(digits[j])) >= _TELLING]


def _tell_change(clues: Clues, entry: int, index: int, digit: int, valid: int) -> Telling:
    numeral = clues.numerals[entry]
    assert numeral is not None
    right = numeral.with_digit(index, str(digit) if digit < _EXCHANGED else numeral.digits[index + 1])
    right = right if digit < _EXCHANGED else right.with_digit(index + 1, numeral.digits[index])
    others = "the only change" if valid == 1 else f"one of {valid} changes"
    return Telling(
        f"{ENTRIES[entry]} {as_written(clues, entry)} is {right.text} with one digit mistyped, {others} of a digit "
        "that make the tensor valid",
        texts=clues.texts.with_entry(entry, right.text if clues.texts[entry] else ""),
    )


# Evidence of rounding.
_OF_ROUNDING = frozenset({"SDI103", "SDI107"})
_OF_CHANCE, _MOST_OF_ROUNDING = 2.0, 6.0
_ROUNDS = 40


def within_last_digits(six: Array, halves: Array) -> Array | None:
    """A valid tensor with each entry within `halves`, its half unit, of `six`, as written; None if there is none.

    The least second moment is a concave function of the entries. At any of its eigenvectors v the quadratic form vᵀΣv
    bounds it from above over the whole box, so that a bound below zero proves that no choice gives a body; otherwise it
    is raised by steps towards the corner that the eigenvector names (Frank and Wolfe 1956).
    """
    change = np.zeros(6)
    for count in range(_ROUNDS):
        moments, vectors = np.linalg.eigh(matrices(second_moments(six + change)))
        if moments[0] >= 0.0:
            return six + change
        v = vectors[:, 0]
        slopes = np.array([*(0.5 - v * v), *(-2.0 * v[i] * v[j] for i, j in AXES_OF_PRODUCTS)])
        corner = halves * np.sign(slopes)
        if moments[0] + float(slopes @ (corner - change)) < 0.0:
            return None
        change = change + (corner - change) * (1.0 if count == 0 else 2.0 / (count + 2.0))
    return None


def barely(clues: Clues) -> Candidates | None:
    if not clues.mass > 0.0 or not min(clues.tensor[:3]) > 0.0:
        return None
    # Sylvester's criterion is cheap; a body needs no rounding unless a rule says so.
    if clues.is_body and clues.case.findings.isdisjoint(_OF_ROUNDING):
        return None
    least = float(np.linalg.eigvalsh(matrices(second_moments(clues.six)))[0])
    # Half a unit of the last digit of each entry that is not zero; a bare 0 is exact.
    halves = np.array([each.half_unit if each is not None and each.significant else 0.0 for each in clues.numerals])
    # No quadratic form of a unit vector changes by more.
    if least + 0.5 * float(halves[:3].sum()) + float(halves[3:].sum()) < 0.0:
        return None
    found = within_last_digits(clues.six, halves)
    if found is None or (least >= 0.0 and not clues.is_body):
        return None
    coarse = float(halves.max()) / float(clues.six[:3].max())
    sentence = (
        f"the triangle inequality is missed by {max(-2.0 * least, 0.0):.2g} kg·m², which rounding explains: within "
        f"half a unit of the last digits lies {row(found)}, a body"
    )
    # Coarse rounding could explain anything: little evidence.
    bonus = min(_MOST_OF_ROUNDING, max(-log(max(coarse, 1e-12)) - _OF_CHANCE, 0.0))
    # Half a unit above this part of the largest moment may fit by chance.
    return Candidates(found[None], sentence, bonus, decisive=coarse < 2e-3)
