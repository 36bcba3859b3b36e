"""Signs: products of inertia as positive integrals, single products or moments negated."""

from __future__ import annotations

from itertools import product

import numpy as np

from sdfinertia.causes.clues import Clues
from sdfinertia.causes.components import Array
from sdfinertia.causes.hypothesis import Candidates, Telling
from sdfinertia.causes.wording import as_written, entries, exchanged_texts, row

# The signs that turn positive integrals into products of inertia.
CAD_SIGNS = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])


def _telling(clues: Clues, signs: Array, sentence: str) -> Telling:
    return Telling(sentence, texts=exchanged_texts(clues, range(6), (signs < 0.0).tolist()))


def products_of_cad(clues: Clues) -> Candidates | None:
    if not clues.products:
        return None
    have = "has the sign of a positive integral" if len(clues.products) == 1 else "have the signs of positive integrals"
    tensors = clues.six[None] * CAD_SIGNS
    sentence = (
        f"{entries(clues.products)} {have}, as CAD programs print them: SDFormat and URDF define ixy as -∫ x y dm; "
        f"negated, the tensor is {row(tensors[0])}"
    )
    return Candidates(tensors, _telling(clues, CAD_SIGNS, sentence))


def single_products(clues: Clues) -> Candidates | None:
    """Some, not all, of the products that are no zeros."""
    present = clues.products
    some = [signs for signs in product((1.0, -1.0), repeat=len(present)) if 0 < signs.count(-1.0) < len(present)]
    if not some:
        return None
    patterns = np.ones((len(some), 6))
    patterns[:, list(present)] = some

    def tell(i: int) -> Telling:
        changed = [k for k in present if patterns[i, k] < 0.0]
        have = "has" if len(changed) == 1 else "have"
        numbers = ", ".join(as_written(clues, k) for k in changed)
        return _telling(clues, patterns[i], f"{entries(changed)} {have} the wrong sign: {numbers}")

    # One at a time is commoner than two; which of them, nobody can say beforehand.
    bonus = np.where((patterns < 0.0).sum(1) == 1, 0.0, -1.0) - np.log(len(patterns))
    return Candidates(clues.six * patterns, tell, bonus=bonus)


def negative_moments(clues: Clues) -> Candidates | None:
    negative = [k for k in range(3) if clues.tensor[k] < 0.0]
    if not negative:
        return None
    patterns = np.ones((2 if clues.products else 1, 6))
    patterns[:, negative] = -1.0
    patterns[1:, 3:] = -1.0

    def tell(i: int) -> Telling:
        are = "is" if len(negative) == 1 else "are"
        sentence = (
            f"{entries(negative)} {are} negative ({', '.join(as_written(clues, k) for k in negative)}), which no "
            f"moment of inertia is; with the sign removed{' and the products turned' if i else ''} the tensor is "
            f"{row(clues.six * patterns[i])}"
        )
        return _telling(clues, patterns[i], sentence)

    # Small numbers below zero are noise of a computation, and none that somebody negated; that an offset took a moment
    # below zero has a share of its own.
    least = min(abs(clues.tensor[k]) for k in negative) / clues.largest_moment
    bonus = np.array([0.0, -5.0 if len(negative) < 3 else 0.0])[: len(patterns)] - (3.0 if least < 1e-3 else 0.0)
    return Candidates(clues.six * patterns, tell, bonus=bonus, decisive=least > 0.05)
