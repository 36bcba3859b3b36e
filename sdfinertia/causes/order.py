"""Order: the six numbers in the slots of others, and a moment that was overwritten so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations, product

import numpy as np

from sdfinertia.causes.case import EntryTexts, Interval
from sdfinertia.causes.clues import ENTRIES, Clues
from sdfinertia.causes.components import Array
from sdfinertia.causes.copies import agreeing_entries
from sdfinertia.causes.formulas import Fit, best_fit, worth_of_digits
from sdfinertia.causes.hypothesis import Candidates, Telling
from sdfinertia.causes.lost_entries import stand_in, texts_without, told_interval
from sdfinertia.causes.numeral import is_one_slip
from sdfinertia.causes.wording import as_written, exchanged_texts, row, said

# What slots say.
_REPEATED = 7.0  # |iyy| is |ixy| to the last digit
_OF_A_PRODUCT = 0.2  # part of the least moment above which a number in a moment's slot is no product
_PROVED = 0.8  # what a negative number, or one that stands twice, is trusted with at most
# What a lost entry costs and shows.
_FREE_ENTRY = -1.0  # a number that is chosen to fit shows less by fitting
_FORMULA_DIGITS, _FORMULA_GAIN, _BESIDE = 6, 5.0, 3.0  # digits of the other two, digits that a formula gains of them
_WRITTEN_DEFAULT = 2.0  # an exact 1 beside moments far smaller

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
    moments, products = clues.six[:3], np.abs(clues.six[3:])
    decisive = bool(moments.min() < _OF_A_PRODUCT * products.max())
    return Candidates(tensors, tell, decisive=decisive)


def listed_otherwise(clues: Clues) -> Candidates | None:
    return _permuted(clues, _ORDERS, "ixx ixy ixz iyy iyz izz")


def rows_first(clues: Clues) -> Candidates | None:
    return _permuted(clues, _ROWS_FIRST, "ixx iyy izz ixy ixz iyz")


def row_major(clues: Clues) -> Candidates | None:
    """Nine numbers in rows, of which the fourth is ixy again: a moment is lost."""
    written = clues.tensor
    if not written.ixy or abs(written.iyy) != abs(written.ixy):
        return None
    # All numbers that follow are one slot late, or only the fourth is wrong.
    late = clues.six[[0, 5, 2, 3, 4, 2]]
    only = clues.six.copy()
    tensors, tellings = [], []
    for six, entry, texts in (
        (late, 2, texts_without(exchanged_texts(clues, (0, 5, -1, 3, 4, 2)), 2)),
        (only, 1, texts_without(clues.texts, 1)),
    ):
        found = stand_in(clues, six, entry)
        if found is None:
            continue
        value, interval, source = found
        tensors.append(np.where(np.arange(6) == entry, value, six))
        told = told_interval(interval, source)
        also = "all that follows is one slot late, and izz is lost" if entry == 2 else "iyy is lost"
        tellings.append(
            Telling(
                f"iyy {as_written(clues, 1)} is ixy again, as the fourth of nine numbers in rows: {also}",
                (told,),
                texts=texts,
                interval=interval,
                source=source if source != "interval" else "digits",
            )
        )
    if not tensors:
        return None
    # A number of one digit comes twice by rounding.
    digits = len(clues.significant[1])
    bonus = min(_REPEATED, 2.3 * (digits - 1))  # each digit but the first
    return Candidates(np.array(tensors), tellings.__getitem__, bonus=bonus, decisive=digits > 2, is_lost=True)


def product_in_slot_of_izz(clues: Clues) -> Candidates | None:
    """Iyz is in the slot of izz, and the signs of products may have turned."""
    six = clues.tensor
    if not six.ixx > 0.0 < six.iyy or not 0.0 < abs(six.izz) < _OF_A_PRODUCT * min(six.ixx, six.iyy):
        return None
    ways: list[tuple[tuple[bool, ...], tuple[float, Interval, str]]] = []
    tensors: list[list[float]] = []
    # Which of ixy, ixz and iyz turn; the interval only depends on the sign of all three together.
    by_sign: dict[bool, tuple[float, Interval, str] | None] = {}
    for turned in product((False, True), repeat=3):
        slots = (six.ixy, six.ixz, six.izz)
        xy, xz, yz = (-value if turns else value for value, turns in zip(slots, turned, strict=True))
        right = [six.ixx, six.iyy, 0.0, xy, xz, yz]
        sign = xy * xz * yz < 0.0
        if sign not in by_sign:
            by_sign[sign] = stand_in(clues, np.array(right), 2)
        found = by_sign[sign]
        if found is not None:
            right[2] = found[0]
            tensors.append(right)
            ways.append((turned, found))
    if not tensors:
        return None

    def tell(i: int) -> Telling:
        turned, (_, interval, source) = ways[i]
        negated = (False, False, False, *turned)
        names = [ENTRIES[k] for k in (3, 4) if negated[k]]
        also = f"; {' and '.join(names)} turned" if names else ""
        return Telling(
            f"izz {as_written(clues, 2)} is far too small for a moment: it is iyz in the slot of izz, which is "
            f"lost{also}",
            (told_interval(interval, source),),
            texts=texts_without(exchanged_texts(clues, (0, 1, -1, 3, 4, 2), negated), 2),
            interval=interval,
            source=source if source != "interval" else "digits",
        )

    # A negative number is a product for certain; a small one may be a moment of which zeros are too many.
    # A moment below zero is a product.
    bonus = (3.0 if six.izz < 0.0 else 0.0) + (_REPEATED if six.izz == six.iyz else 0.0)
    turns = np.array([float(sum(turned[:2])) for turned, _ in ways])
    trust = _PROVED if bonus else None
    return Candidates(np.array(tensors), tell, bonus=bonus + _FREE_ENTRY - turns, trust=trust)


def one_entry(clues: Clues) -> Candidates | None:
    """One moment that nothing explains, beside five numbers that are right."""
    beside = _beside_a_formula(clues)
    if beside is not None:
        return beside
    told = {entry for relative in clues.related for entry in _only_difference(clues, clues.block_of(relative))}
    found = [
        (entry, stand)
        for entry in range(3)
        if (not clues.absent or entry in clues.absent)
        and entry not in told
        and (stand := stand_in(clues, clues.six, entry)) is not None
    ]
    if not found:
        return None
    tensors = np.empty((len(found), 6))
    tensors[:] = clues.six
    for k, (entry, (value, _, _)) in enumerate(found):
        tensors[k, entry] = value

    def tell(i: int) -> Telling:
        entry, (_, interval, source) = found[i]
        return Telling(
            f"{ENTRIES[entry]} {as_written(clues, entry)} fits nothing, while the other five can be right",
            (told_interval(interval, source),),
            texts=texts_without(clues.texts, entry),
            interval=interval,
            source=source if source != "interval" else "digits",
        )

    return Candidates(tensors, tell, bonus=_free([stand for _, stand in found]), is_certifiable=False)


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
        six = clues.six.copy()
        six[entry] = six[other]
        fit = best_fit(clues, six, without=entry)
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


def _free(stands: Sequence[tuple[float, Interval, str]]) -> Array:
    """(n,), what it costs that a moment is chosen to fit, and not what the digits say."""
    # And one that was taken from the geometry is no nearer to it for being right.
    return np.array([_FREE_ENTRY + (-4.0 if source == "geometry" else 0.0) for *_, source in stands])


def _only_difference(clues: Clues, tensor: Array) -> list[int]:
    agreeing = agreeing_entries(clues, tensor)
    return [k for k in range(6) if k not in agreeing] if len(agreeing) == 5 else []


def omitted(clues: Clues) -> Candidates | None:
    absent = [k for k in clues.absent if k < 3]
    is_written = not absent
    if is_written:
        # A 1 beside moments that are far smaller is the default that somebody, or a program, wrote out.
        moments = clues.tensor[:3]
        largest = max((moment for moment in moments if moment != 1.0), default=1.0)
        absent = [k for k in range(3) if moments[k] == 1.0 and largest < 0.2]  # how small these must be (kg·m²)
    if len(absent) != 1:
        return None
    (entry,) = absent
    found = stand_in(clues, clues.six, entry)
    if found is None:
        return None
    value, interval, source = found

    def tell(_: int) -> Telling:
        name = ENTRIES[entry]
        return Telling(
            f"{name} is 1, the number that SDFormat takes for a moment that is left out"
            if is_written
            else f"{name} is not written, and SDFormat takes 1 for it",
            (told_interval(interval, source),),
            texts=texts_without(clues.texts, entry),
            interval=interval,
            source=source if source != "interval" else "digits",
        )

    tensors = np.where(np.arange(6) == entry, value, clues.six)[None]
    bonus = _WRITTEN_DEFAULT if is_written else 12.0  # the entry is not there
    return Candidates(tensors, tell, bonus=bonus, decisive=not is_written)
