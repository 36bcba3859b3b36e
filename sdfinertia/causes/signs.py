"""Signs: products of inertia as positive integrals, single products or moments negated."""

from __future__ import annotations

from itertools import product

import numpy as np

from sdfinertia.causes.clues import Clues
from sdfinertia.causes.components import Array
from sdfinertia.causes.hypothesis import Candidates, Telling
from sdfinertia.causes.wording import as_written, entries, exchanged_texts, row

_PRODUCTS = (3, 4, 5)
# Part of the largest entry from which a negative moment is no noise.
DECISIVE = 0.05


def turned(clues: Clues, patterns: Array) -> Array:
    return clues.six * patterns


def product_patterns(clues: Clues) -> Array:
    """(n, 6), every way to turn the signs of some, not all, products that are no zeros."""
    present = clues.products
    rows = []
    for signs in product((1.0, -1.0), repeat=len(present)):
        if 0 < signs.count(-1.0) < len(present):
            pattern = np.ones(6)
            pattern[list(present)] = signs
            rows.append(pattern)
    return np.array(rows).reshape(-1, 6)


def cad_pattern() -> Array:
    """(6,), the signs that turn positive integrals into products of inertia."""
    return np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0])


def products_of_cad(clues: Clues) -> Candidates | None:
    if not clues.products:
        return None
    pattern = cad_pattern()

    def tell(_: int) -> Telling:
        said = (
            "has the sign of a positive integral"
            if len(clues.products) == 1
            else "have the signs of positive integrals"
        )
        return Telling(
            f"{entries(clues.products)} {said}, as CAD programs print them: "
            f"SDFormat and URDF define ixy as -∫ x y dm; negated, the tensor is {row(clues.six * pattern)}",
            texts=exchanged_texts(clues, range(6), [sign < 0.0 for sign in pattern]),
        )

    return Candidates(clues.six[None] * pattern, tell)


def single_products(clues: Clues) -> Candidates | None:
    patterns = product_patterns(clues)
    if not len(patterns):
        return None

    def tell(i: int) -> Telling:
        changed = [k for k in _PRODUCTS if patterns[i, k] < 0.0]
        said = entries(changed)
        verb = "has" if len(changed) == 1 else "have"
        return Telling(
            f"{said} {verb} the wrong sign: {', '.join(as_written(clues, k) for k in changed)}",
            texts=exchanged_texts(clues, range(6), [bool(sign < 0.0) for sign in patterns[i]]),
        )

    # One at a time is commoner than two; which of them, nobody can say beforehand.
    count = (patterns < 0.0).sum(1)
    return Candidates(turned(clues, patterns), tell, bonus=np.where(count == 1, 0.0, -1.0) - np.log(len(patterns)))


def negative_moments(clues: Clues) -> Candidates | None:
    negative = [k for k in range(3) if clues.tensor[k] < 0.0]
    if not negative:
        return None
    patterns = np.ones((2, 6))
    patterns[:, negative] = -1.0
    patterns[1, 3:] = -1.0
    if not clues.products:
        patterns = patterns[:1]

    def tell(i: int) -> Telling:
        names = entries(negative)
        verb = "is" if len(negative) == 1 else "are"
        also = " and the products turned" if i else ""
        return Telling(
            f"{names} {verb} negative ({', '.join(as_written(clues, k) for k in negative)}), which no moment of "
            f"inertia is; with the sign removed{also} the tensor is {row(clues.six * patterns[i])}",
            texts=exchanged_texts(clues, range(6), [bool(sign < 0.0) for sign in patterns[i]]),
        )

    # Small numbers below zero are noise of a computation, and none that somebody negated.
    size = clues.largest_moment
    noise = any(abs(clues.tensor[k]) < 1e-3 * size for k in negative)
    bonus = np.array([0.0, -5.0 if len(negative) < 3 else 0.0])[: len(patterns)] - (3.0 if noise else 0.0)
    # A moment that counts and is one but for its sign; that an offset took it below zero has a share of its own.
    decisive = all(abs(clues.tensor[k]) > DECISIVE * size for k in negative)
    return Candidates(turned(clues, patterns), tell, bonus=bonus, decisive=decisive)
