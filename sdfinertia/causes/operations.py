"""Mistakes that the numbers can be freed of: axes, order and signs, one decimal point, another reference point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations, product
from math import log
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from sdfinertia.causes.clues import NO_PRODUCT, Candidates, Clues, Telling, as_written, entries, row, said, said_all
from sdfinertia.inertia.rigid_transform import signed_permutations
from sdfinertia.inertia.tensor_arrays import AXES_OF_PRODUCTS, Array, are_bodies, point_masses, rotated, with_entries
from sdfinertia.links.written_block import ENTRIES

# Tables ---------------------------------------------------------------------------------------------------------------


class Table(NamedTuple):
    """Mistakes that move entries and change their signs, made of right numbers and undone in wrong ones."""

    words: tuple[str, ...]
    origins: npt.NDArray[np.int64]  # (n, 6), where each right entry stands now
    signs: Array  # (n, 6), what brings it right

    def undone(self, six: Array) -> Array:
        undone: Array = six[self.origins] * self.signs
        return undone

    def made(self, right: Array) -> Array:
        """(n, 6), what would be written after each mistake."""
        made = np.empty(self.signs.shape)
        np.put_along_axis(made, self.origins, right * self.signs, axis=1)
        return made

    def candidates(
        self,
        clues: Clues,
        rows: Sequence[int],
        sentence: Callable[[int, str], str],
        bonus: Array | float,
        *,
        decisive: bool = False,
    ) -> Candidates | None:
        """The written numbers with some rows undone.

        Args:
            sentence: of the place of a row, and of the numbers that undoing it gives, as text.
        """
        if not len(rows):
            return None
        chosen = list(rows)
        tensors = self.undone(clues.six)[chosen]

        def tell(i: int) -> Telling:
            k = chosen[i]
            texts = clues.texts.moved(self.origins[k].tolist()).signed(self.signs[k].tolist())
            return Telling(sentence(k, row(tensors[i])), texts=texts)

        return Candidates(tensors, tell, bonus, decisive)


_Row = tuple[str, "Sequence[int]", "Sequence[float]"]
_IN_ORDER = tuple(range(6))


def _table(rows: Iterable[_Row]) -> Table:
    words, origins, signs = zip(*rows, strict=True)
    return Table(words, np.array(origins), np.array(signs, dtype=float))


def _exchanges() -> Iterable[_Row]:
    places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    entry_of = {frozenset(place): k for k, place in enumerate(places)}
    turns = ((1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1))
    for order, turn in list(product(permutations(range(3)), turns))[1:]:
        origins = [entry_of[frozenset((order[i], order[j]))] for i, j in places]
        yield " ".join("xyz"[k] for k in order), origins, [turn[i] * turn[j] for i, j in places]


def _signs(*negative: int) -> list[float]:
    return [-1.0 if k in negative else 1.0 for k in range(6)]


EXCHANGES = _table(_exchanges())
TURNS = 3  # of them only turn axes
ORDERS = _table(
    (words, origins, _signs())
    for words, origins in (
        ("the entries are listed as xx yy zz xy xz yz", (0, 3, 4, 1, 5, 2)),
        ("the entries are listed as xx yy zz yz xz xy", (0, 3, 4, 2, 5, 1)),
        ("the entries are listed as xx xy yy xz yz zz", (0, 4, 2, 3, 1, 5)),
        ("ixy and ixz are exchanged", (0, 1, 2, 4, 3, 5)),
        ("ixy and iyz are exchanged", (0, 1, 2, 5, 4, 3)),
        ("ixz and iyz are exchanged", (0, 1, 2, 3, 5, 4)),
    )
)
SIGNS = _table(
    (" and ".join(ENTRIES[k] for k in chosen), _IN_ORDER, _signs(*chosen))
    for chosen in ((3, 4, 5), (3, 4), (3, 5), (4, 5), (3,), (4,), (5,))
)
CAD_SIGNS = SIGNS.signs[0]
_OF_SIGNS = np.array([0.0, -1.0, -1.0, -1.0, 0.0, 0.0, 0.0])  # one at a time is commoner than two
_NEGATIVE = [frozenset(np.flatnonzero(signs < 0.0).tolist()) for signs in SIGNS.signs]


def axes_exchanged(clues: Clues) -> Candidates | None:
    if not clues.may_be_turned_or_moved:
        return None
    tensors = EXCHANGES.undone(clues.six)
    # With zeros, or equal moments, several exchanges give the same tensor: keep the first.
    before = np.concatenate((clues.six[None], tensors))
    is_same = (np.abs(before[:, None] - tensors) <= 1e-3 * clues.largest).all(2)
    chosen = np.flatnonzero(~np.triu(is_same).any(0)).tolist()

    def words(k: int, _: str) -> str:
        what = f"exchanged: what is written for {EXCHANGES.words[k]} belongs to x y z, which gives"
        if k < TURNS:
            what = f"turned by half a turn about {'zyx'[k]}: turned back the tensor is"
        return f"the axes are {what} {row(tensors[k], 6)}"

    return EXCHANGES.candidates(clues, chosen, words, -log(max(len(chosen), 1)))


def listed_otherwise(clues: Clues) -> Candidates | None:
    # A moment that is negative or tiny, beside a product larger than it, is in another slot.
    decisive = bool(clues.six[:3].min() < 0.2 * np.abs(clues.six[3:]).max())
    rows = range(len(ORDERS.words)) if clues.products else ()
    return ORDERS.candidates(
        clues, rows, lambda k, right: f"{ORDERS.words[k]}: put right it is {right}", 0.0, decisive=decisive
    )


def products_of_cad(clues: Clues) -> Candidates | None:
    have = "has the sign of a positive integral" if len(clues.products) == 1 else "have the signs of positive integrals"
    what = f"{have}, as CAD programs print them: SDFormat and URDF define ixy as -∫ x y dm; negated, the tensor is"
    rows = [0] if clues.products else []
    return SIGNS.candidates(clues, rows, lambda _, right: f"{entries(clues.products)} {what} {right}", 0.0)


def single_products(clues: Clues) -> Candidates | None:
    """The signs of some, but not all, products that are not zero."""
    rows = [k for k, changed in enumerate(_NEGATIVE) if changed < {*clues.products}]

    def words(k: int, _: str) -> str:
        have = "has" if len(_NEGATIVE[k]) == 1 else "have"
        numbers = ", ".join(as_written(clues, entry) for entry in sorted(_NEGATIVE[k]))
        return f"{entries(_NEGATIVE[k])} {have} the wrong sign: {numbers}"

    return SIGNS.candidates(clues, rows, words, _OF_SIGNS[rows] - log(max(len(rows), 1)))


def negative_moments(clues: Clues) -> Candidates | None:
    negative = [k for k in range(3) if clues.tensor[k] < 0.0]
    if not negative:
        return None
    what = f"{entries(negative)} {'is' if len(negative) == 1 else 'are'} negative"
    what += f" ({', '.join(as_written(clues, k) for k in negative)}), which no moment of inertia is; with the sign"
    return _table([("", _IN_ORDER, _signs(*negative))]).candidates(
        clues, [0], lambda _, right: f"{what} removed the tensor is {right}", 0.0, decisive=True
    )


MOTIONS = tuple(signed_permutations())
RIGHT_ANGLES = [each for each in MOTIONS if np.linalg.det(np.array(each).reshape(3, 3)) > 0.0]

# One point, one digit -------------------------------------------------------------------------------------------------

# Powers of ten that an entry can be off by; ten and prefixes (m, µ) explain nine in ten of those seen.
POWERS = [power for power in range(-9, 10) if power]
_POINTS = np.array([(k, power, 0.0 if abs(power) in (1, 2, 3, 6) else -2.5) for k in range(6) for power in POWERS])
_OF_SIGN, _OF_ZEROS = 9.0, 8.0  # the worth of e+07 for e-07, and of 00002166, which no author writes for a whole number


def decimal_point(clues: Clues) -> Candidates | None:
    choices = _POINTS[np.repeat(clues.six != 0.0, len(POWERS))]
    for k, numeral in enumerate(clues.numerals):
        if numeral is None or not clues.tensor[k]:
            continue
        if numeral.lost_its_point:
            choices = np.vstack((choices[choices[:, 0] != k], (k, 1 - len(numeral.digits), _OF_ZEROS)))
        elif numeral.mark and numeral.power > 0:
            # No moment of a link is written with a positive exponent.
            choices = np.vstack((choices, (k, -2 * numeral.power, _OF_SIGN)))
    entries_of, powers, bonus = choices[:, 0].astype(int), choices[:, 1], choices[:, 2]
    if not len(choices):
        return None
    tensors = with_entries(clues.six, entries_of, clues.six[entries_of] * 10.0**powers)

    def tell(i: int) -> Telling:
        sentence, text = _words_of_point(clues, int(entries_of[i]), int(powers[i]))
        valid = int(are_bodies(tensors).sum())
        others = "the only one" if valid == 1 else f"one of {valid}"
        evidence = f"it is {others} of {len(choices)} single powers of ten that make the tensor valid"
        return Telling(sentence, (evidence,), texts=clues.texts.with_entry(int(entries_of[i]), text))

    # A single digit, such as 1e-6, was made up as likely as its point was moved.
    has_digits = np.array([len(digits) > 1 for digits in clues.significant])[entries_of]
    return Candidates(tensors, tell, bonus, (bonus > 0.0) & has_digits, is_certifiable=has_digits)


def _words_of_point(clues: Clues, entry: int, power: int) -> tuple[str, str]:
    name, now, numeral = ENTRIES[entry], as_written(clues, entry), clues.numerals[entry]
    text = ""
    if numeral is not None and clues.texts[entry]:
        # 1.69e-01 has its power of ten wrong; of 1676359E-6 the point is lost.
        text = (numeral.with_power(power) if numeral.mark and numeral.is_normal else numeral.shifted(power)).text
    should = text or said(clues.six[entry] * 10.0**power)
    if numeral is not None and numeral.mark and power == -2 * numeral.power:
        return f"the exponent of {name} {now} has the wrong sign: {should}", text
    if numeral is not None and numeral.lost_its_point:
        return f"{name} {now} begins with zeros and has no decimal point: it is {should}", text
    places = f"{abs(power)} place{'s' if abs(power) > 1 else ''} too far {'right' if power < 0 else 'left'}"
    return f"the decimal point of {name} {now} is {places}: {should}", text


# Turns and mirrors ----------------------------------------------------------------------------------------------------

_TURNS = np.array(RIGHT_ANGLES[1:]).reshape(-1, 3, 3)
_MIRRORS = np.array([np.diag([-1.0 if k == axis else 1.0 for k in range(3)]) for axis in range(3)])
_TURNED, _MIRRORED = 0.1, 0.25  # how near either must bring a centre, as a part of how far it was


def other_axes(clues: Clues) -> Candidates | None:
    def words(R: Array) -> str:
        axis = int(R.diagonal().argmax())
        about = "xyz"[axis] if R[axis, axis] == 1.0 else "a diagonal"
        return f"rotated by { {1: 90, -1: 180, 0: 120}[int(R.trace())] }° about {about}"

    return _whole_block(clues, _TURNS, words, [0, 1, 2], _TURNED)


def mirrored(axis: int, clues: Clues) -> Candidates | None:
    """A whole block in a mirror: one coordinate of the centre, and the two products with its axis."""
    if not any(axis in AXES_OF_PRODUCTS[k - 3] for k in clues.products):
        return None
    return _whole_block(clues, _MIRRORS[[axis]], lambda _: f"mirrored in {'xyz'[axis]}", [axis], _MIRRORED)


def _whole_block(
    clues: Clues, motions: Array, words: Callable[[Array], str], moved: Sequence[int], part: float
) -> Candidates | None:
    """Tensor and centre moved together, where that brings some coordinates of the centre to the mesh's."""
    if not clues.may_be_turned_or_moved or not len(clues.exact) or clues.R is not None or not clues.products:
        return None
    middle = np.array(clues.bodies[clues.exact[0]].inertia.p_BoBcm_B)
    now = max(float(np.abs(clues.centre - middle)[moved].max()), 1e-99)
    centres = motions @ clues.centre
    near = np.abs(centres - middle)[:, moved].max(1) / now
    chosen = np.flatnonzero((near <= part) & ~clues.are_outside(centres))
    if not len(chosen):
        return None
    tensors, centres = rotated(clues.six, motions[chosen]), centres[chosen]
    return Candidates(
        tensors,
        lambda i: (
            f"the whole block is {words(motions[chosen[i]])}: beside the mesh the centre is "
            f"{said_all(centres[i], 4 if len(moved) == 1 else 6)}, and the tensor {row(tensors[i])}"
        ),
        0.0 if len(moved) == 1 else -2.0 * np.log(np.maximum(near[chosen], 0.01)) - log(len(chosen)),
        is_certifiable=not clues.has_centre_outside,  # the centre may be wrong by itself
        centres=centres,
    )


# Reference points -----------------------------------------------------------------------------------------------------

_COINCIDENCE = 3.0  # a product that vanishes, or two moments that become equal, to a thousandth
_EXACT = 1e-3  # of the largest moment: how near that is
_NEAR_ORIGIN, _HOLLOW = 0.06, 0.2  # of the largest moment, how near a tensor is to the geometry's about the origin
_MIRROR_IMAGES = np.array([[1.0] * 6, *([1.0, 1, 1, *signs] for signs in ((-1, -1, 1), (-1, 1, -1), (1, -1, -1)))])
_DECISIVE = 6.0  # two coincidences beyond the fitted one
_OTHER_MASS = -0.5  # the worth of a mass that is not today's
# Parts of today's mass that an earlier one may have been.
_FRACTIONS = (0.1, 0.2, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.5, 2.0, 3.0, 4.0, 5.0, 10.0)


def coincidences(
    clues: Clues, tensors: Array, largest: Array | float, fitted: npt.NDArray[np.bool_] | int = 0
) -> Array:
    """(n,), what it is worth that products vanish or moments become equal in a tensor, and do not as written."""
    least = _EXACT * np.maximum(np.abs(tensors[:, :3]).max(1), 0.1 * np.asarray(largest))[:, None]
    six, size = clues.tensor, clues.largest_moment
    # A product that was next to nothing (a hundredth) did not vanish.
    products = [k for k in clues.products if abs(six[k]) > 0.01 * size]
    gone = (np.abs(tensors[:, products]) < least).sum(1)
    pairs = [(a, b) for a, b in ((0, 1), (0, 2), (1, 2)) if abs(six[a] - six[b]) > _EXACT * size]
    one, other = np.array(pairs, dtype=int).reshape(-1, 2).T
    equal = np.minimum((np.abs(tensors[:, one] - tensors[:, other]) < least).sum(1), 2)
    found: Array = _COINCIDENCE * np.clip(gone + equal - fitted, 0.0, 5.0)
    return found


def about_origin(clues: Clues) -> Candidates | None:
    term = clues.offset_term
    if term is None or not clues.may_be_turned_or_moved:
        return _about_origin_without_centre(clues)
    tensors = (clues.six - clues.mass * term)[None]
    bonus = coincidences(clues, tensors, clues.mass * float(term[:3].max()))
    sentence = "the tensor is about the origin of the link, where SDFormat and URDF have it about the centre of mass;"
    return Candidates(
        tensors, f"{sentence} with m·(c²·1 - c cᵀ) taken away it is {row(tensors[0])}", bonus, bonus >= _DECISIVE
    )


def _about_origin_without_centre(clues: Clues) -> Candidates | None:
    if any(clues.centre) or not clues.bodies or not clues.mass > 0.0 or clues.is_about_centre:
        return None
    middles = np.array([body.inertia.p_BoBcm_B for body in clues.bodies])
    terms, six = point_masses(1.0, middles), clues.in_link(clues.six)
    about_origin = clues.mass * (clues.tensors_of_bodies + terms)
    apart = np.abs(about_origin - six * _MIRROR_IMAGES[:, None]).max(2) / about_origin[:, :3].max(1)
    central = clues.mass * terms[:, :3].max(1) / about_origin[:, :3].max(1)
    is_mirrored, best = map(int, np.unravel_index(apart.argmin(), apart.shape))
    # A tensor nearer to the one about the centre is about the centre.
    least = float(apart.min())
    if least > min(_HOLLOW, 0.3 * central[best]) or central[best] < _NEAR_ORIGIN:
        return None
    sentence = (
        "the tensor is that of the geometry about the origin of the link, and the centre was left at 0 0 0, where "
        f"the geometry has it at {said_all(middles[best])}"
    )
    sentence += "; two products have the signs of the mirror image" if is_mirrored else ""
    # 4: the prior of a tensor about the origin where the centre was left out.
    bonus = 4.0 - log(max(least, _EXACT) / _NEAR_ORIGIN) - (log(3.0) if is_mirrored else 0.0)
    telling, tensors, centres = Telling(sentence, source="geometry"), clues.from_bodies[[best]], middles[[best]]
    return Candidates(tensors, telling, bonus, centres=centres, is_lost=True, is_certifiable=False)


def subtracted(clues: Clues) -> Candidates | None:
    if clues.offset_term is None:
        return None
    (x, y, z), six = clues.offset.tolist(), clues.tensor
    # Masses at which the term may have been taken away: today's, parts of it, and those that products or moments give.
    offsets = {k: offset for k, offset in ((3, x * y), (4, x * z), (5, y * z)) if offset and k in clues.products}
    differences = ((0, 1, y * y - x * x), (0, 2, z * z - x * x), (1, 2, z * z - y * y))
    fitted = [six[k] / offset for k, offset in offsets.items()]
    fitted += [(six[b] - six[a]) / difference for a, b, difference in differences if difference]
    nice = clues.mass * np.array((1.0, *_FRACTIONS))
    masses = np.array([*nice.tolist(), *(mass for mass in fitted if mass > 0.0)])
    terms = masses[:, None] * clues.offset_term
    tensors = clues.six + terms
    tensors[:, 3:][np.abs(tensors[:, 3:]) < NO_PRODUCT * np.abs(terms[:, :3]).max(1)[:, None]] = 0.0
    # A fitted mass that is a simple fraction of today's is evidence after all.
    is_simple = (np.abs(nice - masses[:, None]) < _EXACT * masses[:, None]).any(1)
    shown, is_other = coincidences(clues, tensors, terms[:, :3].max(1), ~is_simple), np.arange(len(masses)) > 0

    def tell(i: int) -> Telling:
        sentence = "the parallel-axis term was taken away from a tensor that was about the centre of mass already"
        if abs(masses[i] - clues.mass) > _EXACT * clues.mass:
            sentence += f", when the mass was {said(masses[i])} kg (now {said(clues.mass)} kg)"
        digits = ("with it added back, products vanish or moments become equal to the digits written",)
        evidence = digits if shown[i] > 0.0 else ()
        return Telling(f"{sentence}; with it added back the tensor is {row(tensors[i])}", evidence)

    bonus = shown + np.where(is_other, _OTHER_MASS - log(len(masses) - 1), 0.0)
    return Candidates(tensors, tell, bonus, decisive=shown >= _DECISIVE, is_fixed=~is_other)


def centre_omitted(clues: Clues) -> Candidates | None:
    if any(clues.centre) or not clues.bodies:
        return None
    # A centre taken from the geometry is there by construction: the tensor, and the rest of the file, are evidence.
    everywhere = 1.5 if clues.case.file is not None and clues.case.file.has_no_centres else 0.0
    what = "the centre of mass was left at 0 0 0, and the geometry has it at"
    return _from_geometry(clues, what, everywhere - 2.0, "geometry")


def in_other_frame(clues: Clues) -> Candidates | None:
    if not any(clues.centre) or not clues.is_about_centre or not clues.bodies or clues.is_template:
        return None
    return _from_geometry(clues, "the centre is given in another frame; the geometry has it at", -2.0, "digits")


def _from_geometry(clues: Clues, what: str, bonus: float, source: str) -> Candidates:
    centres = np.array([clues.bodies[0].inertia.p_BoBcm_B])
    telling = Telling(f"{what} {said_all(centres[0])}", texts=clues.texts, source=source)
    is_certifiable = source == "geometry"
    return Candidates(clues.six[None], telling, bonus, centres=centres, is_fixed=False, is_certifiable=is_certifiable)
