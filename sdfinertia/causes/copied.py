"""Numbers of another link, of another model, or of the unit shape that editors write for every new one."""

from __future__ import annotations

from math import log, log10
from typing import TYPE_CHECKING

import numpy as np

from sdfinertia.causes.candidates import Candidates, Telling, contradiction, entries, lost, row, said
from sdfinertia.causes.case import Relation, is_same
from sdfinertia.links.written_block import FILE_ORDER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sdfinertia.causes.clues import Clues
    from sdfinertia.inertia.tensor_arrays import Array

# Evidence of copies.
_OTHER_MASS = -1.0  # the mass is another
_NO_BODY = -6.0  # the numbers are invalid, as the original's are
_PRINTED = 1e-4  # of the largest moment: editors print some six digits
_UNIT_SHAPE = 11.0  # three numbers and a mass of no other origin
_ALIKE = 0.05  # part by which entries of twins differ at most
# Tensors that editors and exporters write for a shape of unit size at 1 kg: moments about x, y and z.
UNIT_SHAPES: tuple[tuple[str, tuple[float, float, float]], ...] = (
    ("box of edge 1 m", (1 / 6, 1 / 6, 1 / 6)),
    ("cylinder of radius 0.5 m and length 1 m", (7 / 48, 7 / 48, 1 / 8)),
    ("sphere of radius 0.5 m", (0.1, 0.1, 0.1)),
    ("sphere of radius 1 m", (0.4, 0.4, 0.4)),
    ("capsule of radius 0.2 m and length 0.6 m", (0.074154, 0.074154, 0.018769)),
    ("ellipsoid of radii 0.2, 0.3 and 0.5 m", (0.068, 0.058, 0.026)),
)


def copied_link(clues: Clues) -> Candidates | None:
    """The block of another link on a link of another shape."""
    # |ln λ| against the geometry from which a block cannot be the link's own.
    found = [] if contradiction(clues) < 1.0 or not any(clues.tensor) else list(_originals(clues))
    if clues.is_about_centre and not found:
        found = list(_same_centres(clues))
    if not found:
        return None
    worth, sentence, decisive = max(found)
    return lost(clues, sentence, 6.0 + worth, decisive=decisive)


def _originals(clues: Clues) -> Iterator[tuple[float, str, bool]]:
    """The possible origins of the block: worth, sentence, and whether the origin is proved."""
    if not clues.case.written.is_fingerprint:
        return
    yield from _links_with_its_numbers(clues)


def _links_with_its_numbers(clues: Clues) -> Iterator[tuple[float, str, bool]]:
    """Links of the file with other geometry that have its six numbers, or these times a power of ten."""
    has_centre = any(clues.case.written.centre)
    count = 0
    for relative in clues.others:
        if relative.relation is not Relation.OTHER or relative.has_same_geometry is not False:
            continue
        factor = _factor_between(clues, np.array(relative.verbatim.tensor))
        if factor is None:
            continue
        same_mass, had_centre = is_same(relative.verbatim.mass, clues.mass), any(relative.verbatim.centre)
        count += 1
        if has_centre and not had_centre and not relative.is_near_geometry:
            continue
        proved = relative.is_near_geometry is True or (had_centre and not has_centre)
        # Where no link is near its own geometry, none is known to be the original; and invalid numbers are explained
        # no better by a copy than by the original.
        unproved = (-2.0 if relative.is_near_geometry is False else 0.0) + (0.0 if clues.is_body else _NO_BODY)
        worth = (6.0 if proved else unproved) + (0.0 if same_mass else _OTHER_MASS)
        six = "six numbers and mass" if same_mass else "six numbers"
        scaled = "" if factor == 1.0 else f", times {factor:g}"
        yield (
            worth - (1.0 if scaled else 0.0) + 0.5 * count,
            f"the {six} are those of {relative.name} to the last digit{scaled}, but the geometry differs",
            proved and not scaled,
        )


def _factor_between(clues: Clues, theirs: Array) -> float | None:
    """The power of ten by which a tensor (6,) is this one as printed; None where it is another."""
    if not theirs.any():
        return None
    factor = 10.0 ** float(round(log10(clues.largest) - log10(float(np.abs(theirs).max()))))
    # The second term: rounding noise in place of a zero.
    allowed = _PRINTED * np.abs(clues.six) + 1e-12 * clues.largest
    return None if (np.abs(theirs * factor - clues.six) > allowed).any() else factor


def _same_centres(clues: Clues) -> Iterator[tuple[float, str, bool]]:
    """A link whose centre is the same in at least six digits."""
    texts = clues.case.written.centre_texts
    # Significant digits in all from which numbers are a fingerprint.
    if clues.case.file is None or sum(len(text.strip("+-0.eE")) for text in texts) < 6:
        return
    names = clues.case.file.names_by_centre.get(clues.case.written.centre, ())
    for name in [name for name in names if name != clues.case.name][:1]:
        yield 0.0, f"the centre is that of {name} to the last digit, but the geometry differs", False


def is_unit_shape(clues: Clues) -> str:
    """The shape of unit size at 1 kg whose moments these are; "" for none."""
    if any(clues.tensor[3:]) or not is_same(clues.mass, 1.0):
        return ""
    apart = ((name, np.abs(clues.six[:3] - moments).max() / max(moments)) for name, moments in UNIT_SHAPES)
    return next((name for name, part in apart if part < _PRINTED), "")


def unit_shape(clues: Clues) -> Candidates | None:
    name = is_unit_shape(clues)
    if not name or contradiction(clues) < 0.5:  # |ln λ| from which a link has another size than the unit shape
        return None
    sentence = f"{row(clues.six)} at 1 kg is the {name} that editors write for every new shape"
    return lost(clues, f"{sentence}, and this link has another size", _UNIT_SHAPE, decisive=True)


def twin_differs(clues: Clues) -> Candidates | None:
    found = [(one, tensor := clues.block_of(one), agreeing_entries(clues, tensor)) for one in clues.related]
    found = [each for each in found if len(each[2]) < 6]
    if not found:
        return None

    def tell(i: int) -> Telling:
        relative, tensor, same = found[i]
        differing = entries(k for k in range(6) if k not in same)
        return Telling(
            f"the twin {relative.name} has equal mass ({said(clues.mass)} kg) and a body's tensor, {row(tensor)}, "
            f"from which {differing} {'differs' if len(same) == 5 else 'differ'}",
            (f"{entries(same)} agree",) if same else (),
            source="twin",
        )

    near = np.array([bool(relative.is_near_geometry) for relative, *_ in found])
    # If all entries differ, they are no mistyped copy of the twin's.
    same = np.array([len(same) for *_, same in found])
    bonus = near + 1.0 * same - 2.0 * (6 - same) - log(len(found))
    # One differing entry of six is a slip, where the twin itself is known to be right.
    decisive = (same == 5) & near
    tensors = np.array([tensor for _, tensor, _ in found])
    certifiable = bool(decisive.any())
    return Candidates(tensors, tell, bonus, decisive=decisive, is_lost=True, is_certifiable=certifiable)


def agreeing_entries(clues: Clues, tensor: Array) -> list[int]:
    """Which entries are the same within some per cent, in the order of a file."""
    theirs = tensor.tolist()
    least = 1e-3 * _ALIKE * max(map(abs, theirs[:3]))
    return [k for k in FILE_ORDER if abs(clues.tensor[k] - theirs[k]) <= max(_ALIKE * abs(theirs[k]), least)]
