"""Order: the six numbers in the slots of others; and one moment that is lost so, left out, or fits nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import sqrt
from typing import NamedTuple

import numpy as np

from sdfinertia.causes.candidates import Candidates, Telling, as_written, row
from sdfinertia.causes.case import Interval
from sdfinertia.causes.clues import Clues
from sdfinertia.causes.copied import agreeing_entries
from sdfinertia.inertia.nearest_valid import interval_of
from sdfinertia.inertia.tensor_arrays import Array, with_entries
from sdfinertia.links.written_block import ENTRIES, EntryTexts

# Evidence of slots.
_REPEATED = 7.0  # |iyy| is |ixy| to the last digit
_PROVED = 0.8  # the largest share of a proof by a negative or a repeated number
# Weights of a lost entry.
_FREE_ENTRY = -1.0  # a fitted number is weaker evidence

# For each order in which the six may have been listed: where the right ixx iyy izz ixy ixz iyz stand now.
_ORDERS = {
    "xx yy zz xy xz yz": (0, 3, 4, 1, 5, 2),
    "xx yy zz yz xz xy": (0, 3, 4, 2, 5, 1),
    "xx xy yy xz yz zz": (0, 4, 2, 3, 1, 5),
}
# The same for six numbers of a file's order that were put into slots in the order of moments, then products.
_ROWS_FIRST = {"xx xy xz yy yz zz": (0, 3, 5, 1, 2, 4)}


class StandIn(NamedTuple):
    """The substitute of a lost moment (kg·m²), the interval that is left to it, and its source."""

    value: float
    interval: Interval
    source: str

    def telling(self, sentence: str, texts: EntryTexts) -> Telling:
        entry, low, high = self.interval
        left = f"the other five leave {entry} between {low:.4g} and {high:.4g}"
        is_free = self.source == "interval"
        return Telling(
            sentence,
            (left if is_free else f"{left}, and the {self.source} says where",),
            texts=texts._replace(**{entry: ""}),
            interval=self.interval,
            source="digits" if is_free else self.source,
        )


def stand_in(clues: Clues, six: Array, entry: int) -> StandIn | None:
    limits = interval_of(six.tolist(), entry)
    if limits is None:
        return None
    low, high = limits
    interval = Interval(ENTRIES[entry], low, high)
    for relative in clues.related:
        value = float(clues.block_of(relative)[entry])
        if low <= value <= high:
            return StandIn(value, interval, relative.relation.value)
    if clues.bodies and clues.mass > 0.0:
        i, j = (k for k in range(3) if k != entry)
        # Of the body whose other five entries are nearest, in proportion to the other two moments.
        apart = np.abs(clues.from_bodies - six)
        apart[:, entry] = 0.0
        body = clues.from_bodies[int((apart.max(1) / clues.from_bodies[:, :3].max(1)).argmin())].tolist()
        value = body[entry] * sqrt(max(float(six[i]) * float(six[j]), 0.0) / (body[i] * body[j]))
        if low < value < high:
            return StandIn(value, interval, "geometry")
    return StandIn(0.5 * (low + high), interval, "interval")


def _permuted(clues: Clues, orders: Mapping[str, Sequence[int]], slots: str) -> Candidates | None:
    # With zero products and positive moments nothing shows an exchange.
    if not clues.products:
        return None
    tensors = np.array([clues.six[list(order)] for order in orders.values()])

    def tell(i: int) -> Telling:
        name, order = list(orders.items())[i]
        return Telling(
            f"the entries were listed as {name} and went into the slots {slots}: the tensor is {row(tensors[i])}",
            texts=clues.texts.moved(order),
        )

    # A moment that is negative or tiny, beside a product larger than it: they are in other slots.
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
            tensors.append(with_entries(six, [entry], [found.value])[0])
            sentence = f"iyy {as_written(clues, 1)} is ixy again, as the fourth of nine numbers in rows: {lost}"
            tellings.append(found.telling(sentence, clues.texts.moved(origins)))
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
    of_sign = {sign: stand_in(clues, tensors[negative == sign][0], 2) for sign in set(negative.tolist())}
    found = [(k, stand) for k, sign in enumerate(negative.tolist()) if (stand := of_sign[sign]) is not None]
    if not found:
        return None
    places = [k for k, _ in found]
    patterns, tensors = patterns[places], tensors[places]
    tensors[:, 2] = [stand.value for _, stand in found]

    def tell(i: int) -> Telling:
        names = [ENTRIES[k] for k in (3, 4) if patterns[i, k] < 0.0]
        return found[i][1].telling(
            f"izz {as_written(clues, 2)} is far too small for a moment: it is iyz in the slot of izz, which is lost"
            + (f"; {' and '.join(names)} turned" if names else ""),
            clues.texts.moved((0, 1, -1, 3, 4, 2)).signed(patterns[i]),
        )

    # A negative number is certainly a product; a small one may be a moment with too many zeros.
    bonus = (3.0 if zz < 0.0 else 0.0) + (_REPEATED if zz == six.iyz else 0.0)
    turns = (patterns[:, 3:5] < 0.0).sum(1).astype(np.float64)
    return Candidates(tensors, tell, bonus=bonus + _FREE_ENTRY - turns, trust=_PROVED if bonus else None)


def one_entry(clues: Clues) -> Candidates | None:
    """One moment that nothing explains, beside five numbers that are right."""
    # The only difference from a relative is the cause.
    agreeing = [agreeing_entries(clues, clues.block_of(relative)) for relative in clues.related]
    told = {k for same in agreeing if len(same) == 5 for k in range(6) if k not in same}
    stands = {k: stand_in(clues, clues.six, k) for k in range(3) if k not in told and k in (clues.absent or range(3))}
    found = [(k, stand) for k, stand in stands.items() if stand is not None]
    if not found:
        return None
    tensors = with_entries(clues.six, [k for k, _ in found], [stand.value for _, stand in found])

    def tell(i: int) -> Telling:
        k, stand = found[i]
        return stand.telling(
            f"{ENTRIES[k]} {as_written(clues, k)} fits nothing, while the other five can be right", clues.texts
        )

    # A stand-in from the geometry is near it by construction: no evidence.
    bonus = np.array([_FREE_ENTRY - (4.0 if stand.source == "geometry" else 0.0) for _, stand in found])
    return Candidates(tensors, tell, bonus=bonus, is_certifiable=False)


def omitted(clues: Clues) -> Candidates | None:
    moments = clues.tensor[:3]
    absent = [k for k in clues.absent if k < 3]
    is_written = not absent
    if is_written and max((moment for moment in moments if moment != 1.0), default=1.0) < 0.2:
        # A 1 beside far smaller moments (kg·m²) is a default written out by an author or a program.
        absent = [k for k in range(3) if moments[k] == 1.0]
    found = stand_in(clues, clues.six, absent[0]) if len(absent) == 1 else None
    if found is None:
        return None
    name = found.interval.entry
    left_out = f"{name} is not written, and SDFormat takes 1 for it"
    sentence = f"{name} is 1, the number that SDFormat takes for a moment that is left out" if is_written else left_out
    tensors = with_entries(clues.six, absent, [found.value])
    bonus = 2.0 if is_written else 12.0
    return Candidates(tensors, found.telling(sentence, clues.texts), bonus=bonus, decisive=not is_written)
