"""Copies: the block of another link, the unit shape of an editor, and twins that say otherwise."""

from __future__ import annotations

from math import log

import numpy as np

from sdfinertia.causes.case import Kinship, Relative
from sdfinertia.causes.clues import FILE_ORDER, Clues, is_same
from sdfinertia.causes.hypothesis import Candidates, Group, Hypothesis, Need, Telling
from sdfinertia.causes.lost_entries import whole_stand_in
from sdfinertia.causes.sixes import Array
from sdfinertia.causes.weights import COPIES
from sdfinertia.causes.wording import entries, row, said

# What editors and exporters write for a shape of unit size at 1 kg: moments about x, y and z.
UNIT_SHAPES: tuple[tuple[str, tuple[float, float, float]], ...] = (
    ("box of edge 1 m", (1 / 6, 1 / 6, 1 / 6)),
    ("cylinder of radius 0.5 m and length 1 m", (7 / 48, 7 / 48, 1 / 8)),
    ("sphere of radius 0.5 m", (0.1, 0.1, 0.1)),
    ("sphere of radius 1 m", (0.4, 0.4, 0.4)),
    ("capsule of radius 0.2 m and length 0.6 m", (0.074154, 0.074154, 0.018769)),
    ("ellipsoid of radii 0.2, 0.3 and 0.5 m", (0.068, 0.058, 0.026)),
)


def lost(clues: Clues, sentence: str, bonus: float, *, decisive: bool, evidence: tuple[str, ...] = ()) -> Candidates:
    """The one candidate of a mistake that leaves nothing of the tensor: what stands in for it, if anything does."""
    found = whole_stand_in(clues)
    six, source, name = found if found is not None else (np.full(6, np.nan), "nothing", "")
    whose = (
        f"; {source} {name} has {row(six)}" if name else f"; the geometry has {row(six)}" if found is not None else ""
    )

    def tell(_: int) -> Telling:
        return Telling(sentence + whose, evidence, source=source)

    return Candidates(six[None], tell, bonus=bonus, decisive=decisive, is_lost=True)


def contradiction(clues: Clues) -> float:
    """The least |ln λ| of the tensor as written against the geometry; infinite for no body, 0 without geometry."""
    if not clues.is_body:
        return float("inf")
    return float(clues.written_distances.min()) if len(clues.bodies) else 0.0


def _copied_link(clues: Clues) -> Candidates | None:
    if contradiction(clues) < COPIES.contradicted or not any(clues.tensor):
        return None
    # A short number that many links share is no copy but a placeholder.
    digits = sum(
        len(set(numeral.significant)) > 0 and len(numeral.significant) for numeral in clues.numerals if numeral
    )
    if digits < COPIES.digits:
        return None
    best: tuple[float, Relative] | None = None
    for relative in clues.others:
        if relative.has_same_geometry is True or relative.kinship is Kinship.SIBLING:
            continue
        theirs = relative.verbatim.tensor
        if not all(abs(a - b) <= COPIES.equal * clues.largest for a, b in zip(theirs, clues.tensor, strict=True)):
            continue
        worth = 0.0 if is_same(relative.verbatim.mass, clues.mass) else COPIES.other_mass
        had_centre, has_centre = any(relative.verbatim.centre), any(clues.case.written.centre)
        if relative.is_near_geometry is True or (had_centre and not has_centre):
            worth += COPIES.original
        elif has_centre and not had_centre:
            continue
        if best is None or worth > best[0]:
            best = worth, relative
    if best is None:
        return None
    worth, relative = best
    mass = "six numbers and mass" if is_same(relative.verbatim.mass, clues.mass) else "six numbers"
    # From the link itself nothing can stand in for what is its own copy.
    return lost(
        clues,
        f"the {mass} are those of {relative.name} to the last digit, and the geometry is another",
        COPIES.copied + worth,
        decisive=worth >= COPIES.original,
    )


def _unit_shape(clues: Clues) -> Candidates | None:
    if any(clues.tensor[3:]) or not is_same(clues.mass, 1.0):
        return None
    for name, moments in UNIT_SHAPES:
        if max(abs(a - b) for a, b in zip(clues.tensor[:3], moments, strict=True)) < COPIES.printed * max(moments):
            if contradiction(clues) < COPIES.other_size:
                return None
            return lost(
                clues,
                f"{row(clues.six)} at 1 kg is the {name} that editors write for every new shape, and this link has "
                "another size",
                COPIES.unit_shape,
                decisive=True,
            )
    return None


def _kin_differs(clues: Clues, kinship: Kinship) -> Candidates | None:
    kin = [relative for relative in clues.kin if relative.kinship is kinship]
    if not kin:
        return None
    tensors = np.array([clues.block_of(relative) for relative in kin])
    agreeing = [agreeing_entries(clues, tensor) for tensor in tensors]
    chosen = [i for i, same in enumerate(agreeing) if len(same) < 6]
    if not chosen:
        return None

    def tell(i: int) -> Telling:
        which = chosen[i]
        same = agreeing[which]
        differing = entries(k for k in range(6) if k not in same)
        evidence = (f"{entries(same)} agree",) if same else ()
        verb = "differs" if len(same) == 5 else "differ"
        what = "link of another file" if kinship is Kinship.SIBLING else kinship.value
        return Telling(
            f"the {what} {kin[which].name} has equal mass ({said(clues.mass)} kg) and a body's tensor, "
            f"{row(tensors[which])}, from which {differing} {verb}",
            evidence,
            source=kinship.value,
        )

    near = np.array([COPIES.near_own if kin[i].is_near_geometry else 0.0 for i in chosen])
    # Trap 3: that all differs is no slip of one who had the twin's numbers before him.
    same = np.array([len(agreeing[i]) for i in chosen])
    bonus = near + COPIES.agreeing * same + COPIES.differing * (6 - same) - log(len(chosen))
    # One entry out of six that differs is a slip, where the twin itself is known to be right.
    decisive = (same == 5) & np.array([kin[i].is_near_geometry is True for i in chosen])
    return Candidates(
        tensors[chosen], tell, bonus=bonus, decisive=decisive, is_lost=True, is_certifiable=bool(decisive.any())
    )


def agreeing_entries(clues: Clues, tensor: Array) -> list[int]:
    """Which entries are the same within some per cent, in the order of a file."""
    theirs = tensor.tolist()
    least = 1e-3 * COPIES.alike * max(map(abs, theirs[:3]))
    return [k for k in FILE_ORDER if abs(clues.tensor[k] - theirs[k]) <= max(COPIES.alike * abs(theirs[k]), least)]


def _twin_differs(clues: Clues) -> Candidates | None:
    return _kin_differs(clues, Kinship.TWIN)


def _sibling_differs(clues: Clues) -> Candidates | None:
    return _kin_differs(clues, Kinship.SIBLING)


HYPOTHESES = (
    Hypothesis(
        name="copied-link",
        group=Group.COPIES,
        what="copied the block of another link",
        undo="nothing: the link's own numbers were never there",
        prior=-3.0,
        example="-4.98 0 2.7 -5.952 0 0.828 at 120 kg are those of link_1, with the centre at 0 0 0",
        source="compas-dev/compas_fab@293d7aa0 rfl robot_description.urdf bridge1",
        find=_copied_link,
        needs=Need.RELATIVE,
    ),
    Hypothesis(
        name="unit-shape",
        group=Group.COPIES,
        is_placeholder=True,
        what="left what an editor writes for a shape of unit size",
        undo="nothing: the link's own numbers were never there",
        prior=-2.5,
        example="0.166667 three times at 1 kg, the box of 1 m, on a lamp that has 0.0008 0.0008 0.00036",
        source="chaolmu/gazebo_models_worlds_collection@cce115b8 light model.sdf link_1",
        find=_unit_shape,
    ),
    Hypothesis(
        name="twin-differs",
        group=Group.COPIES,
        what="changed, or mistyped, what the twin has right",
        undo="the twin's numbers",
        prior=-4.5,
        example="ixx 0.0025817 where the right twin has 0.0144407; iyy and izz are within 5 %",
        source="fan-ziqi/robot_lab@09f7fb4a MAGICBOT.urdf LINK_HIP_YAW_L",
        find=_twin_differs,
        needs=Need.RELATIVE,
    ),
    Hypothesis(
        name="sibling-differs",
        group=Group.COPIES,
        what="changed, or mistyped, what the same link has right in another file",
        undo="the numbers of that file",
        prior=-4.8,
        example="izz 0.0173, where the file of another variant, of equal mass and centre, has 0.0058",
        find=_sibling_differs,
        needs=Need.RELATIVE,
    ),
)
