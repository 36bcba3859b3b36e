"""The relatives of a link: which other link is its twin, and how the one's numbers read in the axes of the other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations, product

from sdfinertia.causes.case import WrittenBlock, negated_text
from sdfinertia.inertia.rigid_transform import Rotation, Vector3, rotate
from sdfinertia.inertia.rigid_transform import product as composed
from sdfinertia.inertia.spatial_inertia import InertiaTensor
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.shapes import Bounds

# Names ----------------------------------------------------------------------------------------------------------------

# Words for sides, and what mirrors one into another: across the plane between left and right, or front and back.
_ACROSS, _ALONG = "left for right", "front for back"
_WORDS = {
    "left": (("right", _ACROSS),),
    "right": (("left", _ACROSS),),
    "front": (("rear", _ALONG), ("back", _ALONG), ("hind", _ALONG)),
    "rear": (("front", _ALONG),),
    "back": (("front", _ALONG),),
    "hind": (("front", _ALONG),),
}
_LETTERS = {
    "l": (("r", _ACROSS),),
    "r": (("l", _ACROSS), ("f", _ALONG)),
    "f": (("r", _ALONG), ("b", _ALONG), ("h", _ALONG)),
    "b": (("f", _ALONG),),
    "h": (("f", _ALONG),),
}
# Of two letters one is a side and the other an end: fl, rl, LF, LH, mr; r is right or rear.
_SIDES, _ENDS = "lr", "frhbm"
# The pieces of a name: words of small letters, with a capital before them or none, and runs of capitals.
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^A-Za-z0-9]+")
_WORDS_INSIDE = re.compile("left|right|front|rear|back|hind", re.IGNORECASE)


class NamedTwin(NamedTuple):
    name: str
    is_across: bool
    is_along: bool


def twin_names(name: str) -> list[NamedTwin]:
    """The names that twins of a link could bear: left for right, front for back, or both; itself and numbers never."""
    exchanges = list(_exchanges(name))
    found: dict[str, NamedTwin] = {}
    for kinds in ((_ACROSS,), (_ACROSS, _ALONG), (_ALONG,)):
        for written in _exchanged(name, [each for each in exchanges if each.kind in kinds], kinds):
            if written != name:
                found.setdefault(written, NamedTwin(written, _ACROSS in kinds, _ALONG in kinds))
    return list(found.values())


class _Exchange(NamedTuple):
    start: int
    stop: int
    text: str
    kind: str

    def overlaps(self, other: _Exchange) -> bool:
        return self.start < other.stop and other.start < self.stop


def _exchanges(name: str) -> Iterator[_Exchange]:
    for match in _WORDS_INSIDE.finditer(name):
        for word, kind in _WORDS[match[0].lower()]:
            yield _Exchange(match.start(), match.end(), _cased(word, match[0]), kind)
    for match in _PIECES.finditer(name):
        piece, start = match[0], match.start()
        lower = piece.lower()
        if len(piece) == 2 and _is_corner(lower):
            for place, letter in enumerate(lower):
                yield from _letter_exchanges(piece, start, place, letter, lower[1 - place])
        elif len(piece) == 1 and lower in "lr":
            yield _Exchange(start, start + 1, _cased(_LETTERS[lower][0][0], piece), _ACROSS)
        elif piece.isupper() and lower[0] in "lr":
            # A side before the capital of a word: LShoulder, RW_Flap.
            yield _Exchange(start, start + 1, _LETTERS[lower[0]][0][0].upper(), _ACROSS)


def _is_corner(pair: str) -> bool:
    return (pair[0] in _SIDES and pair[1] in _ENDS) or (pair[0] in _ENDS and pair[1] in _SIDES)


def _letter_exchanges(piece: str, start: int, place: int, letter: str, beside: str) -> Iterator[_Exchange]:
    for other, kind in _LETTERS.get(letter, ()):
        # A letter is a side if the one beside it can be an end, and an end if that can be a side.
        if beside in (_ENDS if kind == _ACROSS else _SIDES):
            yield _Exchange(start + place, start + place + 1, _cased(other, piece[place]), kind)


def _exchanged(name: str, exchanges: Sequence[_Exchange], kinds: Sequence[str]) -> Iterator[str]:
    """The names with one exchange of each kind, and with all there are at different places."""
    if len(kinds) == 2:
        across, along = ([each for each in exchanges if each.kind == kind] for kind in kinds)
        yield from (_with(name, pair) for pair in product(across, along) if not pair[0].overlaps(pair[1]))
        return
    everywhere: list[_Exchange] = []
    for each in exchanges:
        if not any(map(each.overlaps, everywhere)):
            everywhere.append(each)
    yield from (_with(name, those) for those in (everywhere, *([each] for each in exchanges)) if those)


def _with(name: str, exchanges: Iterable[_Exchange]) -> str:
    for each in sorted(exchanges, reverse=True):
        name = name[: each.start] + each.text + name[each.stop :]
    return name


def _cased(word: str, like: str) -> str:
    return word.upper() if like.isupper() and len(like) > 1 else word.capitalize() if like[0].isupper() else word


# Axes -----------------------------------------------------------------------------------------------------------------


def _signed_permutations() -> Iterator[Rotation]:
    for order in permutations(range(3)):
        for signs in product((1.0, -1.0), repeat=3):
            entries = [signs[k // 3] if k % 3 == order[k // 3] else 0.0 for k in range(9)]
            a, b, c, d, e, f, g, h, i = entries
            yield (a, b, c, d, e, f, g, h, i)


def _diagonal(x: float, y: float, z: float) -> Rotation:
    return (x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z)


MIRROR_Y, MIRROR_X, MIRROR_Z = _diagonal(1.0, -1.0, 1.0), _diagonal(-1.0, 1.0, 1.0), _diagonal(1.0, 1.0, -1.0)
_UNTURNED, _HALF_TURN = _diagonal(1.0, 1.0, 1.0), _diagonal(-1.0, -1.0, 1.0)
# All motions that lay axes on axes, those that leave them where they are first.
_ON_AXES = tuple(sorted(_signed_permutations(), key=lambda matrix: not (matrix[0] and matrix[4])))
# Of lengths: drawings of twins differ by less. Of the size of a link: what lies nearer to its origin lies there. Of
# what is judged beside others that do as well: what decides for a motion that is likelier from the start.
_SAME, _NEAR_ORIGIN, _TIE = 0.02, 0.01, 1e-3


class Look(NamedTuple):
    """What is known of where a link's mass and shapes lie, in its axes; each None where it is not."""

    centre: Vector3 | None = None
    box: Bounds | None = None
    solid: tuple[InertiaTensor, Vector3] | None = None


def matrix_between(twin: Look, own: Look, named: NamedTwin | None) -> tuple[Rotation, bool]:
    """The matrix S that takes what is seen of a twin to what is seen of a link, and whether it does so well."""
    if named is None:
        first: list[Rotation] = [_UNTURNED, MIRROR_Y, MIRROR_X, MIRROR_Z]
    elif named.is_across and named.is_along:
        first = [_HALF_TURN, _UNTURNED, MIRROR_Y, MIRROR_X]
    else:
        first = [MIRROR_Y if named.is_across else MIRROR_X, _UNTURNED, MIRROR_Z, MIRROR_X, MIRROR_Y, _HALF_TURN]
    likeliest = list(dict.fromkeys((*first, *_ON_AXES)))
    best, least = 0, float("inf")
    for place, matrix in enumerate(likeliest):
        misfit = _misfit(twin, own, matrix)
        if misfit + _TIE * (place - best) < least:
            best, least = place, misfit
        if least <= _TIE:
            # Those that are less likely could not do better by enough.
            break
    return likeliest[best], least <= _SAME


def _misfit(twin: Look, own: Look, matrix: Rotation) -> float:
    """How far what is seen of a twin is from what is seen of a link, as a part of its size."""
    size, misfit = _size(own), 0.0
    if twin.box is not None and own.box is not None:
        ends = zip(rotate(matrix, twin.box.lower), rotate(matrix, twin.box.upper), strict=True)
        lower, upper = zip(*map(sorted, ends), strict=True)
        misfit += (_apart(lower, own.box.lower) + _apart(upper, own.box.upper)) / size
    if twin.centre is not None and own.centre is not None:
        # Near the origin a centre tells the axes as well as far from it.
        misfit += _apart(rotate(matrix, twin.centre), own.centre) / max(*map(abs, own.centre), _NEAR_ORIGIN * size)
    if twin.solid is not None and own.solid is not None:
        target = own.solid[0]
        largest = max(target[:3])
        misfit += _apart(twin.solid[0].rotated(matrix), target) / largest if largest > 0.0 else 0.0
        misfit += _apart(rotate(matrix, twin.solid[1]), own.solid[1]) / size
    return misfit


def _apart(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def _size(look: Look) -> float:
    if look.box is not None and look.box.diagonal > 0.0:
        return look.box.diagonal
    return (max(map(abs, look.centre)) if look.centre is not None else 0.0) or 1.0


# Numbers in other axes ------------------------------------------------------------------------------------------------


def seen_through(block: WrittenBlock, matrix: Rotation, translation: Vector3 = (0.0, 0.0, 0.0)) -> WrittenBlock:
    """A block of one link in the axes of another, of which it is a copy that p ↦ M p + t moves."""
    if matrix == _UNTURNED and translation == (0.0, 0.0, 0.0):
        return block
    mirror = _mirror_in(matrix)
    sx, sy, sz = mirror[0], mirror[4], mirror[8]
    x, y, z = rotate(matrix, block.centre)
    dx, dy, dz = translation
    return WrittenBlock(
        block.mass,
        (x + dx, y + dy, z + dz),
        block.tensor.rotated(mirror),
        composed(composed(matrix, block.rotation), mirror),
        # Products change their signs, and nothing else.
        block.entry_texts.signed((1.0, 1.0, 1.0, sx * sy, sx * sz, sy * sz)),
        block.mass_text,
        _moved_texts(block.centre_texts, matrix) if translation == (0.0, 0.0, 0.0) else ("", "", ""),
    )


def _mirror_in(matrix: Rotation) -> Rotation:
    """A diagonal matrix of the same handedness: the motion itself where that is one, so that axes stay as they are."""
    if matrix[1:4] == (0.0, 0.0, 0.0) and matrix[5:8] == (0.0, 0.0, 0.0):
        return matrix
    a, b, c, d, e, f, g, h, i = matrix
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return MIRROR_Y if determinant < 0.0 else _UNTURNED


def _moved_texts(texts: tuple[str, str, str], matrix: Rotation) -> tuple[str, str, str]:
    """The texts of a centre whose axes are laid on others; "" where they are turned between them."""
    moved: list[str] = []
    for row in (matrix[0:3], matrix[3:6], matrix[6:9]):
        along = [column for column, value in enumerate(row) if value]
        is_axis = len(along) == 1 and abs(row[along[0]]) == 1.0
        text = texts[along[0]] if is_axis else ""
        moved.append(negated_text(text) if is_axis and row[along[0]] < 0.0 else text)
    return (moved[0], moved[1], moved[2])
