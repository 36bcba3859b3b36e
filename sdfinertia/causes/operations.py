"""Linear mistakes in the six entries: axes, order, signs and units, a row of a table each; rotations and mirrors."""

from __future__ import annotations

from itertools import permutations, product
from math import pi, radians
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.clues import Candidates, Telling, as_written, entries, joined, row, said_all
from sdfinertia.inertia.rigid_transform import IDENTITY_ROTATION, Rotation, rotation_from_rpy
from sdfinertia.inertia.tensor_arrays import AXES_OF_PRODUCTS, Array, matrices, rotated
from sdfinertia.robot.inertial import ENTRIES, EntryTexts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from sdfinertia.causes.clues import Clues

POUND, INCH = 0.45359237, 0.0254
POWERS = [power for power in range(-9, 10) if power]


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

    def texts(self, k: int, texts: EntryTexts) -> EntryTexts | None:
        if (np.abs(self.factors[k]) != 1.0).any():
            return None
        return texts.moved(self.origins[k].tolist()).signed(self.factors[k].tolist())


_Row = tuple[str, "Sequence[int]", "Sequence[float]", float]
_IN_ORDER = tuple(range(6))


def _table(rows: Iterable[_Row]) -> Table:
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


EXCHANGES = _table(_exchanges())
TURNS = 3  # of them only turn axes
ORDERS = _table(
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
# Six numbers of a file's order in slots that are moments, then products.
_BY_ROWS = _table([("the entries are listed as xx xy xz yy yz zz", (0, 3, 5, 1, 2, 4), _signs(), 0.0)])
# All products, then some: one at a time is commoner than two.
SIGNS = _table(
    (" and ".join(ENTRIES[k] for k in chosen), _IN_ORDER, _signs(*chosen), -1.0 if len(chosen) == 2 else 0.0)
    for chosen in ((3, 4, 5), (3, 4), (3, 5), (4, 5), (3,), (4,), (5,))
)
CAD_SIGNS = SIGNS.factors[0]
_NEGATIVE = [frozenset(np.flatnonzero(signs < 0.0).tolist()) for signs in SIGNS.factors]
# Units that programs print tensors in (SolidWorks by its unit systems, Fusion 360 and Inventor always), and factors.
_UNITS = (
    ("g·mm²", 1e-9, -1.0, "SolidWorks"),
    ("kg·mm²", 1e-6, 0.0, "Fusion 360"),
    ("g·cm²", 1e-7, -1.0, "SolidWorks (CGS)"),
    ("kg·cm²", 1e-4, -0.5, ""),
    ("lb·in²", POUND * INCH**2, -1.0, "SolidWorks (IPS)"),
    ("lb·ft²", POUND * (12.0 * INCH) ** 2, -2.0, "a program set to feet"),
    ("g·m²", 1e-3, 0.0, ""),
    *(("", factor, worth, "") for factor, worth in ((1e-2, 0.0), (1e-1, 0.0), (10.0, 0.0), (1e2, 0.0))),
    *(("", 1e3, -0.5, ""), ("", 1e6, -0.5, "")),
)
UNITS = _table(
    (name, _IN_ORDER, (factor,) * 6, worth - float(np.log(len(_UNITS)))) for name, factor, worth, _ in _UNITS
)
TENSOR_UNITS = {name: 1.0 / factor for name, factor, *_ in _UNITS if name}
UNIT_FACTORS = UNITS.factors[:, 0]


def _found(
    clues: Clues,
    table: Table,
    rows: Sequence[int],
    sentence: Callable[[int, str], str],
    bonus: float = 0.0,
    **more: object,
) -> Candidates | None:
    if not len(rows):
        return None
    chosen = list(rows)
    tensors = clues.six[table.origins[chosen]] * table.factors[chosen]
    return Candidates(
        tensors,
        lambda i: Telling(sentence(chosen[i], row(tensors[i])), texts=table.texts(chosen[i], clues.texts)),
        table.worth[chosen] + bonus,
        **more,  # type: ignore[arg-type]
    )


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
    what = "the axes are exchanged: what is written for"
    return _found(
        clues,
        EXCHANGES,
        chosen,
        lambda k, right: f"{what} {EXCHANGES.words[k]} belongs to x y z, which gives {right}",
        -float(np.log(max(len(chosen), 1))),
    )


def listed_otherwise(clues: Clues) -> Candidates | None:
    return _permuted(clues, ORDERS)


def rows_first(clues: Clues) -> Candidates | None:
    return _permuted(clues, _BY_ROWS)


def _permuted(clues: Clues, orders: Table) -> Candidates | None:
    # With zero products and positive moments nothing shows an exchange. A moment that is negative or tiny, beside a
    # product larger than it, is in another slot.
    decisive = bool(clues.six[:3].min() < 0.2 * np.abs(clues.six[3:]).max())
    rows = range(len(orders.words)) if clues.products else ()
    return _found(
        clues, orders, rows, lambda k, right: f"{orders.words[k]}: put right it is {right}", decisive=decisive
    )


def products_of_cad(clues: Clues) -> Candidates | None:
    if not clues.products:
        return None
    have = "has the sign of a positive integral" if len(clues.products) == 1 else "have the signs of positive integrals"
    what = f"{entries(clues.products)} {have}, as CAD programs print them: SDFormat and URDF define ixy as -∫ x y dm;"
    return _found(clues, SIGNS, [0], lambda _, right: f"{what} negated, the tensor is {right}")


def single_products(clues: Clues) -> Candidates | None:
    """The signs of some, but not all, products that are not zero."""
    rows = [k for k, changed in enumerate(_NEGATIVE) if changed < {*clues.products}]

    def words(k: int, _: str) -> str:
        have = "has" if len(_NEGATIVE[k]) == 1 else "have"
        numbers = ", ".join(as_written(clues, entry) for entry in sorted(_NEGATIVE[k]))
        return f"{entries(_NEGATIVE[k])} {have} the wrong sign: {numbers}"

    return _found(clues, SIGNS, rows, words, -float(np.log(max(len(rows), 1))))


def negative_moments(clues: Clues) -> Candidates | None:
    negative = [k for k in range(3) if clues.tensor[k] < 0.0]
    if not negative:
        return None
    # Small negative moments are rounding noise, not slips of a sign; a parallel-axis term taken off too often is
    # another hypothesis.
    least = min(abs(clues.tensor[k]) for k in negative) / clues.largest_moment
    noise = -3.0 if least < 1e-3 else 0.0
    table = _table(
        (words, _IN_ORDER, _signs(*negative, *turned), worth + noise)
        for words, turned, worth in (
            ("", (), 0.0),
            (" and the products turned", (3, 4, 5), -5.0 if len(negative) < 3 else 0.0),
        )
    )
    what = f"{entries(negative)} {'is' if len(negative) == 1 else 'are'} negative"
    what += f" ({', '.join(as_written(clues, k) for k in negative)}), which no moment of inertia is"
    return _found(
        clues,
        table,
        range(2 if clues.products else 1),
        lambda k, right: f"{what}; with the sign removed{table.words[k]} the tensor is {right}",
        decisive=least > 0.05,
    )


def tensor_units(clues: Clues) -> Candidates | None:
    if not clues.is_body:
        return None

    def words(k: int, right: str) -> str:
        name, factor, _, printed_by = _UNITS[k]
        what = f"is in {name}" if name else f"is {1.0 / factor:g} times what it should be"
        what += f", as {printed_by} prints it" if printed_by else ""
        return f"the tensor {what}: times {factor:.4g} it is {right}"

    # A factor without a unit may as well be that of the mass.
    named = np.array([bool(name) for name in UNITS.words])
    return _found(clues, UNITS, range(len(_UNITS)), words, is_fixed=False, is_certifiable=named)


# Rotations and mirrors ------------------------------------------------------------------------------------------------


def _as_rotation(R: Array) -> Rotation:
    a, b, c, d, e, f, g, h, i = (float(value) + 0.0 for value in R.ravel())
    return (a, b, c, d, e, f, g, h, i)


def other_axes(clues: Clues) -> Candidates | None:
    if not clues.may_be_turned_or_moved:
        return None
    turned = [frame for frame in clues.frames if frame.pose.rotation != IDENTITY_ROTATION]
    at_right_angles = _at_right_angles(clues)
    if not turned:
        return at_right_angles
    tensors = rotated(clues.in_link(clues.six), np.array([frame.pose.rotation for frame in turned]).reshape(-1, 3, 3))
    found = Candidates(
        clues.in_written(tensors),
        lambda i: f"the tensor is in the axes of {turned[i].name}; in those of the link it is {row(tensors[i])}",
        -np.log(len(turned)),
        centres=np.repeat(clues.centre[None], len(turned), axis=0),
    )
    return joined(found, at_right_angles)


def signed_permutations() -> Iterable[Rotation]:
    """All motions that lay axes on axes, the identity first, mirrors among them."""
    for order, signs in product(permutations(range(3)), product((1.0, -1.0), repeat=3)):
        yield _as_rotation(np.eye(3)[list(order)] * np.array(signs)[:, None])


RIGHT_ANGLES = [each for each in signed_permutations() if np.linalg.det(np.array(each).reshape(3, 3)) > 0.0]
_TURNS = np.array(RIGHT_ANGLES[1:]).reshape(-1, 3, 3)


def _words_of_turn(R: Array) -> str:
    axis = int(R.diagonal().argmax())
    about = "xyz"[axis] if R[axis, axis] == 1.0 else "a diagonal"
    return f"{ {1: 90, -1: 180, 0: 120}[int(R.trace())] }° about {about}"


def _at_right_angles(clues: Clues) -> Candidates | None:
    if not len(clues.exact) or clues.R is not None or not clues.products:
        return None
    middle = np.array(clues.bodies[clues.exact[0]].inertia.p_BoBcm_B)
    centres, now = _TURNS @ clues.centre, np.abs(clues.centre - middle).max()
    near = np.abs(centres - middle).max(1) / max(float(now), 1e-99)
    chosen = np.flatnonzero((near <= 0.1) & ~clues.are_outside(centres)).tolist()
    if not chosen:
        return None
    tensors, centres = rotated(clues.six, _TURNS[chosen]), centres[chosen]

    def words(i: int) -> str:
        where = " ".join(f"{value + 0.0:.6g}" for value in centres[i])
        what = (
            f"the whole block is rotated by {_words_of_turn(_TURNS[chosen[i]])}: beside the mesh the centre is {where}"
        )
        return f"{what}, and the tensor {row(tensors[i])}"

    bonus = -2.0 * np.log(np.maximum(near[chosen], 0.01)) - np.log(len(chosen))
    is_certifiable = not clues.has_centre_outside  # the centre may be wrong by itself
    return Candidates(tensors, words, bonus, is_certifiable=is_certifiable, centres=centres)


def rotation_missing(clues: Clues) -> Candidates | None:
    """The moments of the mesh in other axes: about its principal axes they would agree."""
    meshes = [k for k, body in enumerate(clues.bodies) if body.faces and body.filling != "shell"][:2]
    if not meshes or not clues.is_body or clues.R is not None:
        return None
    _, U = np.linalg.eigh(matrices(clues.six))
    _, V = np.linalg.eigh(matrices(clues.tensors_of_bodies[meshes]))
    # The signs of eigenvectors are free: choose those of a proper rotation.
    R = V @ U.T
    U = np.where(np.linalg.det(R)[:, None, None] < 0.0, U * np.array([1.0, 1.0, -1.0]), U)
    R = V @ np.swapaxes(U, -1, -2)
    what = f"the tensor is {'a tensor in axes of its own' if clues.products else 'principal moments'}, and "
    what += "the rotation of the inertial is missing: about the axes of the mesh it agrees with it"
    return Candidates(
        np.repeat(clues.six[None], len(meshes), axis=0),
        lambda i: Telling(what, texts=clues.texts, rotation=_as_rotation(R[i])),
        in_link=rotated(clues.six, R),
        bonus=-4.0 + (0.0 if clues.products else 1.5),  # three angles that are chosen to fit
        is_fixed=False,
        is_certifiable=False,
    )


def _turned(clues: Clues, R: Array, sentence: str, bonus: float = 0.0) -> Candidates:
    telling = Telling(sentence, texts=clues.texts, rotation=_as_rotation(R))
    return Candidates(clues.six[None], telling, in_link=rotated(clues.six, R)[None], bonus=bonus)


def rotation_inverted(clues: Clues) -> Candidates | None:
    sentence = "the rotation of the inertial is inverted: it turns the link into the tensor's axes"
    return _turned(clues, clues.R.T, sentence) if clues.R is not None and clues.may_be_turned_or_moved else None


def degrees(clues: Clues) -> Candidates | None:
    try:
        angles = [float(text) for text in clues.case.written.angle_texts]
    except ValueError:
        return None
    if not clues.may_be_turned_or_moved or max(map(abs, angles)) <= 2.0 * pi:
        return None
    R = np.array(rotation_from_rpy(*(radians(angle) for angle in angles))).reshape(3, 3)
    sentence = f"the angles {said_all(angles)} of the inertial are degrees, where radians are due"
    return _turned(clues, R, sentence, bonus=4.0)


def mirrored(axis: int, clues: Clues) -> Candidates | None:
    """A whole block in a mirror: one coordinate of the centre, and the two products with its axis."""
    products = [k for k, axes in enumerate(AXES_OF_PRODUCTS, 3) if axis in axes]
    if not len(clues.exact) or clues.R is not None or not {*products} & {*clues.products}:
        return None
    signs, turn = np.ones(6), np.where(np.arange(3) == axis, -1.0, 1.0)
    signs[products] = -1.0
    centres = (clues.centre * turn)[None]
    middle = np.array(clues.bodies[clues.exact[0]].inertia.p_BoBcm_B)
    # The centre must agree too: how far each coordinate is afterwards, over how far it is now.
    near = (np.abs(centres[0] - middle) / np.maximum(np.abs(clues.centre - middle), 1e-99))[turn < 0.0]
    if clues.are_outside(centres[0]) or near.max() > 0.25:
        return None
    sentence = f"the whole block is mirrored in {'xyz'[axis]}: beside the mesh "
    sentence += f"{said_all(centres[0])} is the centre, and both products with this axis have the other sign"
    return Candidates(
        (clues.six * signs)[None],
        sentence,
        is_certifiable=not clues.has_centre_outside,  # the centre may be wrong by itself
        centres=centres,
    )
