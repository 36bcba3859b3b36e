"""Order: the six numbers in the slots of others, and a moment that was overwritten so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product

import numpy as np

from sdfinertia.causes.case import EntryTexts
from sdfinertia.causes.clues import ENTRIES, Clues
from sdfinertia.causes.copies import agreeing_entries
from sdfinertia.causes.formulas import Fit, best_fit, worth_of_digits
from sdfinertia.causes.hypothesis import Candidates, Telling
from sdfinertia.causes.lost_entries import stand_in
from sdfinertia.causes.numeral import is_one_slip
from sdfinertia.causes.wording import as_written, exchanged_texts, row, said

# What slots say.
_REPEATED = 7.0  # |iyy| is |ixy| to the last digit
_PROVED = 0.8  # what a negative number, or one that stands twice, is trusted with at most
# What a lost entry costs and shows.
_FREE_ENTRY = -1.0  # a number that is chosen to fit shows less by fitting
_FORMULA_DIGITS, _FORMULA_GAIN, _BESIDE = 6, 5.0, 3.0  # digits of the other two, digits that a formula gains of them

# For each order in which the six may have been listed: where the right ixx iyy izz ixy ixz iyz stand now.
_ORDERS = {
    "xx yy zz xy xz yz": (0, 3, 4, 1, 5, 2),
    "xx yy zz yz xz xy": (0, 3, 4, 2, 5, 1),
    "xx xy yy xz yz zz": (0, 4, 2, 3, 1, 5),
}
# The same for six numbers of a file's order that were put into slots in the order of moments, then products.
_ROWS_FIRST = {"xx xy xz yy yz zz": (0, 3, 5, 1, 2, 4)}


def _permuted(clues: Clues, orders: Mapping[str, Sequence[int]], slots: str) -> Candidates | None:
    # Where all products are zeros and all moments are positive, nothing tells that anything was exchanged.
    if not clues.products:
        return None
    names = list(orders)
    tensors = np.array([clues.six[list(orders[name])] for name in names])

    def tell(i: int) -> Telling:
        return Telling(
            f"the entries were listed as {names[i]} and went into the slots {slots}: the tensor is {row(tensors[i])}",
            texts=exchanged_texts(clues, orders[names[i]]),
        )

    # A moment that is negative or next to nothing, beside a product larger than it: they stand in other slots.
    return Candidates(tensors, tell, decisive=bool(clues.six[:3].min() < 0.2 * np.abs(clues.six[3:]).max()))


def listed_otherwise(clues: Clues) -> Candidates | None:
    return _permuted(clues, _ORDERS, "ixx ixy ixz iyy iyz izz")


def rows_first(clues: Clues) -> Candidates | None:
    return _permuted(clues, _ROWS_FIRST, "ixx iyy izz ixy ixz iyz")


def row_major(clues: Clues) -> Candidates | None:
    """Nine numbers in rows, of which the fourth is ixy again: a moment is lost."""
    if not clues.tensor.ixy or abs(clues.tensor.iyy) != abs(clues.tensor.ixy):
        return None
    # All numbers that follow are one slot late, or only the fourth is wrong.
    tensors, tellings = [], []
    for origins, entry, lost in (
        ((0, 5, 2, 3, 4, 2), 2, "all that follows is one slot late, and izz is lost"),
        ((0, 1, 2, 3, 4, 5), 1, "iyy is lost"),
    ):
        six = clues.six[list(origins)]
        found = stand_in(clues, six, entry)
        if found is not None:
            tensors.append(np.where(np.arange(6) == entry, found.value, six))
            sentence = f"iyy {as_written(clues, 1)} is ixy again, as the fourth of nine numbers in rows: {lost}"
            tellings.append(found.telling(sentence, exchanged_texts(clues, origins)))
    if not tensors:
        return None
    # A number of one digit comes twice by rounding.
    digits = len(clues.significant[1])
    bonus = min(_REPEATED, 2.3 * (digits - 1))
    return Candidates(np.array(tensors), tellings.__getitem__, bonus=bonus, decisive=digits > 2, is_lost=True)


def product_in_slot_of_izz(clues: Clues) -> Candidates | None:
    """Iyz is in the slot of izz, and the signs of products may have turned."""
    xx, yy, zz, *_ = six = clues.tensor
    if not xx > 0.0 < yy or not 0.0 < abs(zz) < 0.2 * min(xx, yy):
        return None
    # Which of ixy, ixz and iyz turn; the interval only depends on the sign of all three together.
    patterns = np.array([(1.0, 1.0, 1.0, *signs) for signs in product((1.0, -1.0), repeat=3)])
    tensors = patterns * clues.six[[0, 1, 2, 3, 4, 2]]
    negative = tensors[:, 3:].prod(1) < 0.0
    found = {sign: stand_in(clues, tensors[negative == sign][0], 2) for sign in set(negative.tolist())}
    stands = [found[sign] for sign in negative.tolist()]
    chosen = [k for k, each in enumerate(stands) if each is not None]
    if not chosen:
        return None
    for k in chosen:
        tensors[k, 2] = stands[k].value  # type: ignore[union-attr]

    def tell(i: int) -> Telling:
        stand, turned = stands[chosen[i]], patterns[chosen[i]] < 0.0
        assert stand is not None
        names = [ENTRIES[k] for k in (3, 4) if turned[k]]
        return stand.telling(
            f"izz {as_written(clues, 2)} is far too small for a moment: it is iyz in the slot of izz, which is lost"
            + (f"; {' and '.join(names)} turned" if names else ""),
            exchanged_texts(clues, (0, 1, -1, 3, 4, 2), turned.tolist()),
        )

    # A negative number is a product for certain; a small one may be a moment of which zeros are too many.
    bonus = (3.0 if zz < 0.0 else 0.0) + (_REPEATED if zz == six.iyz else 0.0)
    turns = (patterns[chosen, 3:5] < 0.0).sum(1).astype(np.float64)
    return Candidates(tensors[chosen], tell, bonus=bonus + _FREE_ENTRY - turns, trust=_PROVED if bonus else None)


def one_entry(clues: Clues) -> Candidates | None:
    """One moment that nothing explains, beside five numbers that are right."""
    beside = _beside_a_formula(clues)
    if beside is not None:
        return beside
    # What is the only difference from a relative is that cause.
    agreeing = [agreeing_entries(clues, clues.block_of(relative)) for relative in clues.related]
    told = {k for same in agreeing if len(same) == 5 for k in range(6) if k not in same}
    stands = {k: stand_in(clues, clues.six, k) for k in range(3) if k not in told and k in (clues.absent or range(3))}
    found = [(k, stand) for k, stand in stands.items() if stand is not None]
    if not found:
        return None
    tensors = np.repeat(clues.six[None], len(found), axis=0)
    for place, (k, stand) in enumerate(found):
        tensors[place, k] = stand.value

    def tell(i: int) -> Telling:
        k, stand = found[i]
        return stand.telling(
            f"{ENTRIES[k]} {as_written(clues, k)} fits nothing, while the other five can be right", clues.texts
        )

    # One that was taken from the geometry is no nearer to it for being right.
    bonus = np.array([_FREE_ENTRY - (4.0 if stand.source == "geometry" else 0.0) for _, stand in found])
    return Candidates(tensors, tell, bonus=bonus, is_certifiable=False)


def _beside_a_formula(clues: Clues) -> Candidates | None:
    """One moment that is not another's, as the round shape has it that the other two are to the digits written."""
    moments = clues.six[:3]
    if any(clues.tensor[3:]) or not clues.mass > 0.0 or not moments.min() > 0.0 or best_fit(clues) is not None:
        return None
    found: list[tuple[int, int, Fit]] = []
    for entry, other in permutations(range(3), 2):
        third = 3 - entry - other
        digits = clues.significant
        if moments[other] == moments[third] or len(digits[other]) + len(digits[third]) < _FORMULA_DIGITS:
            continue
        if digits[entry] == digits[other] or is_one_slip(digits[entry], digits[other]):
            continue  # its own digits say how
        fit = best_fit(clues, np.where(np.arange(6) == entry, moments[other], clues.six), without=entry)
        if fit is not None and fit.gain >= _FORMULA_GAIN:
            found.append((entry, other, fit))
    if not found:
        return None
    tensors = np.repeat(clues.six[None], len(found), axis=0)
    for k, (entry, other, _) in enumerate(found):
        tensors[k, entry] = moments[other]

    def tell(i: int) -> Telling:
        entry, other, fit = found[i]
        return Telling(
            f"{ENTRIES[entry]} {as_written(clues, entry)} should be {as_written(clues, other)} as {ENTRIES[other]}: at "
            f"{said(clues.mass)} kg the other two are, to the digits written, {fit.name}",
            texts=EntryTexts(*(clues.texts[other if k == entry else k] for k in range(6))),
        )

    return Candidates(
        tensors, tell, bonus=_BESIDE + np.array([worth_of_digits(fit.gain) for *_, fit in found]), trust=_PROVED
    )


def omitted(clues: Clues) -> Candidates | None:
    moments = clues.tensor[:3]
    absent = [k for k in clues.absent if k < 3]
    is_written = not absent
    if is_written and max((moment for moment in moments if moment != 1.0), default=1.0) < 0.2:
        # A 1 beside moments (kg·m²) that are far smaller is the default that somebody, or a program, wrote out.
        absent = [k for k in range(3) if moments[k] == 1.0]
    found = stand_in(clues, clues.six, absent[0]) if len(absent) == 1 else None
    if found is None:
        return None
    name = found.interval.entry
    left_out = f"{name} is not written, and SDFormat takes 1 for it"
    sentence = f"{name} is 1, the number that SDFormat takes for a moment that is left out" if is_written else left_out
    tensors = np.where(np.arange(6) == absent[0], found.value, clues.six)[None]
    bonus = 2.0 if is_written else 12.0
    return Candidates(tensors, found.telling(sentence, clues.texts), bonus=bonus, decisive=not is_written)
