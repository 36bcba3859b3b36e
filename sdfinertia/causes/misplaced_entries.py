"""Order: the six numbers in the slots of others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sdfinertia.causes.candidates import Candidates, Telling, row
from sdfinertia.causes.clues import Clues

# For each order in which the six may have been listed: where the right ixx iyy izz ixy ixz iyz stand now.
_ORDERS = {
    "xx yy zz xy xz yz": (0, 3, 4, 1, 5, 2),
    "xx yy zz yz xz xy": (0, 3, 4, 2, 5, 1),
    "xx xy yy xz yz zz": (0, 4, 2, 3, 1, 5),
}
# The same for six numbers of a file's order that were put into slots in the order of moments, then products.
_ROWS_FIRST = {"xx xy xz yy yz zz": (0, 3, 5, 1, 2, 4)}


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
