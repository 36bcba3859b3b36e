"""Numbers that are not the link's own, or none at all: copied from elsewhere, never filled in, or rounded away."""

from __future__ import annotations

from collections.abc import Iterator
from math import floor, inf, log, log10

import numpy as np

from sdfinertia.causes.candidates import Candidates, Telling, entries, row, said
from sdfinertia.causes.case import Relation, is_same
from sdfinertia.causes.clues import Array, Clues
from sdfinertia.links.written_block import FILE_ORDER

# What copies show.
_OF_SIZE = frozenset({"SDI202", "SDI205", "SDI207"})  # rules that say so themselves
_UNPROVED_TRUST = 0.49
_OTHER_MASS = -1.0  # and the mass changed
_NO_BODY = -6.0  # what the original had as well
_PRINTED = 1e-4  # of the largest moment: editors print some six digits
_UNIT_SHAPE = 11.0  # three numbers and a mass of no other origin
_ALIKE = 0.05  # part by which entries of twins differ at most

# What editors and exporters write for a shape of unit size at 1 kg: moments about x, y and z.
UNIT_SHAPES: tuple[tuple[str, tuple[float, float, float]], ...] = (
    ("box of edge 1 m", (1 / 6, 1 / 6, 1 / 6)),
    ("cylinder of radius 0.5 m and length 1 m", (7 / 48, 7 / 48, 1 / 8)),
    ("sphere of radius 0.5 m", (0.1, 0.1, 0.1)),
    ("sphere of radius 1 m", (0.4, 0.4, 0.4)),
    ("capsule of radius 0.2 m and length 0.6 m", (0.074154, 0.074154, 0.018769)),
    ("ellipsoid of radii 0.2, 0.3 and 0.5 m", (0.068, 0.058, 0.026)),
)


def lost(
    clues: Clues,
    sentence: str,
    bonus: float,
    *,
    decisive: bool,
    evidence: tuple[str, ...] = (),
    trust: float | None = None,
) -> Candidates:
    """The one candidate of a mistake that leaves nothing of the tensor: what stands in for it, if anything does.

    That is a twin's, else a sibling's, else that of the geometry at the mass written.
    """
    six, source, whose = np.full(6, np.nan), "nothing", ""
    relative = next((one for one in clues.related if not clues.has_numbers_of(one) and clues.can_stand_in(one)), None)
    if relative is not None:
        six, source = clues.block_of(relative), relative.relation.value
        whose = f"; {source} {relative.name} has {row(six)}"
    elif clues.from_geometry is not None:
        six, source = clues.from_geometry, "geometry"
        whose = f"; the geometry has {row(six)}"
    telling = Telling(sentence + whose, evidence, source=source)
    return Candidates(six[None], telling, bonus, decisive=decisive, trust=trust, is_lost=True)


def contradiction(clues: Clues) -> float:
    """The least |ln λ| of the written tensor against the geometry; infinite for an invalid one, 0 without geometry."""
    if not clues.is_body or not clues.case.findings.isdisjoint(_OF_SIZE):
        return inf
    return float(clues.written_distances.min()) if clues.bodies else 0.0


def copied_link(clues: Clues) -> Candidates | None:
    """The block of another link, or of another model, on a link of another shape."""
    # |ln λ| against the geometry from which a block cannot be the link's own.
    found = [] if contradiction(clues) < 1.0 or not any(clues.tensor) else list(_originals(clues))
    if clues.is_about_centre and not found:
        found = list(_same_centres(clues))
    if not found:
        return None
    worth, sentence, decisive = max(found)
    # Of links as far from their own geometry as this one none is known to be the original.
    return lost(clues, sentence, 6.0 + worth, decisive=decisive, trust=_UNPROVED_TRUST if worth < 0.0 else None)


def _originals(clues: Clues) -> Iterator[tuple[float, str, bool]]:
    """Where the block may be from: what that is worth, a sentence, and whether it is proved."""
    if not clues.case.written.is_fingerprint:
        return
    mass, has_centre = clues.mass, any(clues.case.written.centre)
    count = 0
    for relative in clues.others:
        if relative.relation is not Relation.OTHER or relative.has_same_geometry is not False:
            continue
        theirs = np.array(relative.verbatim.tensor)
        if not theirs.any():
            continue
        factor = 10.0 ** float(round(log10(clues.largest) - log10(float(np.abs(theirs).max()))))
        # Of the largest entry: what a computation leaves of a zero.
        if (np.abs(theirs * factor - clues.six) > _PRINTED * np.abs(clues.six) + 1e-12 * clues.largest).any():
            continue
        same_mass, had_centre = is_same(relative.verbatim.mass, mass), any(relative.verbatim.centre)
        count += 1
        if has_centre and not had_centre and not relative.is_near_geometry:
            continue
        proved = relative.is_near_geometry is True or (had_centre and not has_centre)
        # Of links of which none is near its own geometry, none is the original; and a copy of numbers that no body has
        # explains them no better than the original.
        unproved = (-2.0 if relative.is_near_geometry is False else 0.0) + (0.0 if clues.is_body else _NO_BODY)
        worth = (6.0 if proved else unproved) + (0.0 if same_mass else _OTHER_MASS)
        six = "six numbers and mass" if same_mass else "six numbers"
        scaled = "" if factor == 1.0 else f", times {factor:g}"
        yield (
            worth - (1.0 if scaled else 0.0) + 0.5 * count,
            f"the {six} are those of {relative.name} to the last digit{scaled}, but the geometry differs",
            proved and not scaled,
        )
    for relative in clues.same_with_another_mass:
        if relative.is_valid and not clues.fits_at(relative.block.mass):
            yield -4.0, f"the tensor is that of {relative.name} to the last digit, but the geometry differs", False
    if clues.case.elsewhere and not clues.is_all_one and clues.is_body:
        # The same mass last: what is equal in more is likelier the original.
        best = max(clues.case.elsewhere, key=lambda one: (is_same(one.mass, mass), one.name))
        worth = 0.0 if is_same(best.mass, mass) else _OTHER_MASS
        where = f"of {best.name}" + (" and other models" if len(clues.case.elsewhere) > 1 else "")
        yield worth + 1.0, f"the tensor has the digits {where}, but the geometry differs", False


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


def related_differs(relation: Relation, clues: Clues) -> Candidates | None:
    related = [one for one in clues.related if one.relation is relation and not clues.has_numbers_of(one)]
    found = [(one, tensor, agreeing_entries(clues, tensor)) for one in related for tensor in (clues.block_of(one),)]
    found = [each for each in found if len(each[2]) < 6]
    if not found:
        return None

    def tell(i: int) -> Telling:
        relative, tensor, same = found[i]
        differing = entries(k for k in range(6) if k not in same)
        what = "link of another file" if relation is Relation.SIBLING else relation.value
        return Telling(
            f"the {what} {relative.name} has equal mass ({said(clues.mass)} kg) and a body's tensor, {row(tensor)}, "
            f"from which {differing} {'differs' if len(same) == 5 else 'differ'}",
            (f"{entries(same)} agree",) if same else (),
            source=relation.value,
        )

    near = np.array([bool(relative.is_near_geometry) for relative, *_ in found])
    # Trap 3: that all differs is no slip of one who had the twin's numbers before him.
    same = np.array([len(same) for *_, same in found])
    bonus = near + 1.0 * same - 2.0 * (6 - same) - log(len(found))
    # One entry out of six that differs is a slip, where the twin itself is known to be right.
    decisive = (same == 5) & near
    tensors = np.array([tensor for _, tensor, _ in found])
    certifiable = bool(decisive.any())
    return Candidates(tensors, tell, bonus, decisive=decisive, is_lost=True, is_certifiable=certifiable)


def agreeing_entries(clues: Clues, tensor: Array) -> list[int]:
    """Which entries are the same within some per cent, in the order of a file."""
    theirs = tensor.tolist()
    least = 1e-3 * _ALIKE * max(map(abs, theirs[:3]))
    return [k for k in FILE_ORDER if abs(clues.tensor[k] - theirs[k]) <= max(_ALIKE * abs(theirs[k]), least)]


# Never filled in ------------------------------------------------------------------------------------------------------

_NOISE = 1e-9  # kg·m²: what somebody wrote who had a number in mind
_SAME = 1e-3  # part by which a moment differs from another at most to be the same
_SHORT = 2  # significant digits of a number that was made up, and what few digits are worth
_SHORT_NUMBERS = 3.0
_CONTRADICTED = 0.6  # |ln λ| against the geometry
_STEPS = 0.75  # how many the geometry may be away, which is no more exact than the part is like it
# The axes of ixy, ixz and iyz.
_AXES = ((0, 1), (0, 2), (1, 2))


def _natural_moment(clues: Clues) -> float:
    """The moment that a link of this mass would have (kg·m²): of its geometry, else of a twin, else of a usual size."""
    if not clues.mass > 0.0:
        return 0.0
    if clues.bodies:
        return clues.mass * float(clues.tensors_of_bodies[:, :3].mean())
    if clues.related:
        return clues.related[0].block.tensor.trace / 3.0
    gyradius = 0.66 * (clues.mass / 1000.0) ** (1.0 / 3.0)  # of real links, over the edge of a cube of 1000 kg/m³
    return float(2.0 / 3.0 * clues.mass * gyradius**2)


def _step_of(clues: Clues) -> float | None:
    """The power of ten of which all entries are small multiples, the largest such (kg·m²); None where there is none."""
    present = [abs(value) for value in clues.tensor if value]
    step = 10.0 ** floor(log10(min(present)) + 1e-9) if present else 0.0
    multiples = [value / step for value in present] if step else []
    are_small = bool(multiples) and max(multiples) <= 9.0
    return step if are_small and all(abs(each - round(each)) < 1e-6 for each in multiples) else None


def _is_rounded_away(clues: Clues) -> bool:
    """Whether the tensor is what rounding to their step leaves of a tensor like that of the geometry (trap 8)."""
    geometry, everywhere = clues.from_geometry, clues.step
    if everywhere is not None and geometry is not None and not (clues.is_all_one and clues.largest):
        # What all tensors of the file are rounded to: what looks like zero is rounded, the rest is the geometry's.
        six, theirs = clues.six[:3], geometry[:3]
        gone = (six == 0.0) & (theirs < _STEPS * everywhere)
        kept = (six > 0.0) & (np.abs(np.log(np.maximum(six, 1e-99) / theirs)) < _CONTRADICTED)
        if gone.any() and (gone | kept).all():
            return True
    step = _step_of(clues)
    if step is None or (clues.is_all_one and step != everywhere):
        return False
    if geometry is not None:
        near = bool((np.abs(clues.six - geometry)[:3] <= _STEPS * step).all())
        return near and float(geometry[:3].min()) < 1.5 * step
    return step <= 1e-3 and _is_of_size(clues, step)  # kg·m²: programs round to three decimals or more


def _is_of_size(clues: Clues, step: float, doubt: float = 1.0) -> bool:
    """Whether a step is one that would round away moments like those of the link, give or take a factor."""
    natural = _natural_moment(clues)
    return 0.2 * natural < step * doubt and step < 8.0 * natural * doubt


def _is_nothing(clues: Clues) -> bool:
    # Below a part of the moment that a link has there is none.
    return clues.largest <= _NOISE and clues.largest <= max(min(3e-7 * _natural_moment(clues), _NOISE), 1e-36)


def zeros(clues: Clues) -> Candidates | None:
    if not _is_nothing(clues):
        return None
    what = "the tensor is 0" if not any(clues.tensor) else f"the tensor is 0 except for noise ({row(clues.six)})"
    sentence = f"{what} at a mass of {said(clues.mass)} kg: it was never filled in"
    # Zeros may be what six decimals leave of a grain: then it is the program that rounded, and nobody left them out.
    # Nor did anybody where the other tensors of the file show what they are rounded to.
    rounded = _is_rounded_away(clues)
    return lost(clues, sentence, 4.0 if rounded else 9.0, decisive=_natural_moment(clues) >= 2e-6 and not rounded)


def zero_moment(clues: Clues) -> Candidates | None:
    size = clues.largest
    zero = [k for k in range(3) if abs(clues.tensor[k]) <= 1e-16 * size]  # what a computation leaves of none
    if not zero or _is_nothing(clues) or min(clues.tensor[:3]) < -1e-9 * size:
        return None
    # A product of an axis about which nothing turns is a moment that stands in its slot.
    in_slots = (k for k, axes in enumerate(_AXES, 3) if set(axes) & set(zero))
    misplaced = any(abs(clues.tensor[k]) > 0.02 * size for k in in_slots)
    short = all(len(digits) <= _SHORT for digits in clues.significant)
    rounded = _is_rounded_away(clues)
    made_up = short and not rounded and all(clues.tensor[k] == 0.0 for k in zero)
    worth = (0.0 if rounded else 4.0) + (_SHORT_NUMBERS if made_up else 0.0) - (8.0 if misplaced else 0.0)
    # The size of a link that is guessed may be wrong tenfold.
    decisive = made_up and not misplaced and not _is_of_size(clues, _step_of(clues) or 1.0, 10.0)
    what = f"{entries(zero)} {'is' if len(zero) == 1 else 'are'} 0, physically impossible at {said(clues.mass)} kg"
    return lost(clues, f"{what}: the tensor was only partly filled in", worth, decisive=decisive)


def _for_all_axes(clues: Clues) -> float | None:
    """The moment that stands about every axis of a tensor that is not the geometry's; None where there are several."""
    if not clues.is_all_one or not clues.tensor.ixx > 0.0 or _fits(clues):
        return None
    return clues.tensor.ixx


def _fits(clues: Clues) -> bool:
    return bool(clues.bodies) and contradiction(clues) < _CONTRADICTED


def _of_many(clues: Clues) -> float:
    """What it is worth that other links of the file have the same number."""
    return min(1.2 * log(clues.sharing), 3.0)


def _is_power_of_ten(value: float) -> bool:
    return abs(log10(value) - round(log10(value))) < 1e-9


def unit(clues: Clues) -> Candidates | None:
    # Where the rule finds it that looks for unit tensors, one is no chance.
    if not clues.is_all_one or clues.tensor.ixx != 1.0 or any(clues.tensor[3:]):
        return None
    if _fits(clues) and "SDI105" not in clues.case.findings:
        return None
    if not any(clues.texts) and clues.case.findings:
        what = f"no tensor is written at {said(clues.mass)} kg, and readers take 1 about every axis"
        return lost(clues, what, 12.0, decisive=False)
    what = f"1 about every axis at {said(clues.mass)} kg is a default: the tensor was never filled in"
    return lost(clues, what, 12.0 + _of_many(clues), decisive=True)


def power_of_ten(clues: Clues) -> Candidates | None:
    moment = _for_all_axes(clues)
    if moment is None or moment == 1.0 or not _is_power_of_ten(moment) or _is_nothing(clues):
        return None
    # Three times one small number of one digit was made up with it.
    xy, xz, yz = map(abs, clues.tensor[3:])
    if not (xy == xz == yz and len(clues.significant[3]) <= 1 and xy <= 0.1 * moment):
        return None
    what = f"{moment:g} about every axis at {said(clues.mass)} kg is a power of ten, probably a placeholder"
    return lost(clues, what, 9.0 + _of_many(clues), decisive=_is_of_no_geometry(clues))


def _is_of_no_geometry(clues: Clues) -> bool:
    """Whether there is a geometry, and one moment about all axes is not its own at a mass a power of ten away."""
    if clues.from_geometry is None:
        return False
    ratios = clues.from_geometry[:3] / clues.tensor.ixx
    return bool(np.abs(ratios / 10.0 ** round(log10(float(ratios[0]))) - 1.0).max() > _SAME)


def one_number(clues: Clues) -> Candidates | None:
    moment, geometry = _for_all_axes(clues), clues.from_geometry
    if moment is None or any(clues.tensor[3:]) or _is_power_of_ten(moment):
        return None
    is_ball = geometry is not None and np.ptp(geometry[:3]) <= _SAME * geometry[0]
    what = f"{moment:g} about every axis at {said(clues.mass)} kg is one number for a "
    what += "ball of another size" if is_ball else "link that is not a ball"
    worth = 3.0 + (_SHORT_NUMBERS if 0 < len(clues.significant[0]) <= _SHORT else 0.0)
    return lost(clues, what, (0.0 if is_ball else worth) + _of_many(clues), decisive=False)


def constant_diagonal(clues: Clues) -> Candidates | None:
    products = clues.six[3:]
    pairs = [(0, 1, 2)] if clues.is_all_one else [(0, 1), (0, 2), (1, 2)]
    equal = next((pair for pair in pairs if len({clues.tensor[k] for k in pair}) == 1), ())
    if not equal or not clues.tensor[equal[0]] > 0.0 or contradiction(clues) < _CONTRADICTED:
        return None
    moment, short = clues.tensor[equal[0]], len(clues.significant[equal[0]])
    # Products of many digits are measured, as is a third moment, and numbers of one digit beside them are not.
    rest = [len(clues.significant[k]) for k in range(6) if k not in equal]
    if not (max(rest[-3:]) > _SHORT >= short > 0 and (len(equal) == 3 or (short == 1 and rest[0] > 2 * _SHORT))):
        return None
    what = f"{entries(equal)} are {moment:g}, one number for all, beside entries that were measured"
    if clues.from_geometry is not None:
        far = float(np.abs(products - clues.from_geometry[3:]).max() / np.abs(products).max())
        if far < 0.2:
            evidence = f"the products are those of the geometry within {100 * far:.2g} %"
            return lost(clues, what, 6.0 + _SHORT_NUMBERS, decisive=True, evidence=(evidence,))
    return lost(clues, what, 6.0, decisive=True)


def products_made_up(clues: Clues) -> Candidates | None:
    products = clues.tensor[3:]
    if not products[0] or not products[0] == products[1] == products[2] or len(clues.significant[3]) > 1:
        return None
    sentence = f"ixy, ixz and iyz are {products[0]:g}, one number of one digit, probably invented"
    tensors = clues.six[None] * (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)
    return Candidates(tensors, sentence, _SHORT_NUMBERS, is_certifiable=False)


def round_numbers(clues: Clues) -> Candidates | None:
    if any(clues.tensor[3:]) or not min(clues.tensor[:3]) > 0.0 or clues.is_all_one:
        return None
    digits, file = max(map(len, clues.significant[:3])), clues.case.file
    parts = [moment / clues.mass for moment in clues.tensor[:3]] if clues.mass > 0.0 else []
    of_mass = bool(parts) and all(abs(float(f"{part:.0e}") / part - 1.0) < 1e-9 for part in parts)
    # Two digits are a rough estimate where all links have no more.
    is_rough = digits <= _SHORT and clues.is_body and file is not None and file.is_rough
    if not (digits <= 1 or is_rough or of_mass) or _fits(clues) or _is_rounded_away(clues):
        return None
    what = "the mass times one-digit values" if of_mass and digits > 1 else "one-digit or two-digit values"
    worth = (6.0 if clues.is_body else 3.5) + _of_many(clues) - (0.0 if of_mass or digits == 1 else 2.5)
    # A moment that is the geometry's was not made up.
    if clues.bodies and (np.abs(clues.from_bodies - clues.six)[:, :3] < 0.01 * clues.six[:3]).any():
        worth -= 4.0
    sentence = f"{row(clues.six)} at {said(clues.mass)} kg are {what}, probably invented"
    return lost(clues, sentence, worth, decisive=False)


def rounded_away(clues: Clues) -> Candidates | None:
    if not _is_rounded_away(clues) or (clues.is_body and contradiction(clues) < _CONTRADICTED):
        return None
    step, geometry = _step_of(clues) or clues.step, clues.from_geometry
    assert step is not None
    like = clues.case.file is not None and clues.step == step
    evidence = [f"the geometry has {row(geometry)}"] if geometry is not None else []
    evidence += ["all other entries are multiples of it, too"] if like else []
    # A step of five decimals is one that a program rounds to, and nobody makes up.
    decisive = geometry is not None and (like or step <= 1e-5)
    what = f"all entries are multiples of {step:g}, to which the tensor was rounded, and with it the body away"
    worth = 3.0 + (1.5 if like else 0.0) + (3.0 if geometry is not None else 0.0)
    return lost(clues, what, worth, decisive=decisive, evidence=tuple(evidence))
