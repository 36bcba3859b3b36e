"""The atlas of real inertials, right and wrong: its entries as cases, and which hypotheses are what it means."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from sdfinertia.causes.case import Case, Relative
from sdfinertia.causes.clues import Clues
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.links.solids import ShapeBody
from sdfinertia.links.written_block import EntryTexts, WrittenBlock
from sdfinertia.robot import COLLISION, VISUAL
from sdfinertia.shapes import Bounds

# From the six of a file, ixx ixy ixz iyy iyz izz, to those of a tensor.
ORDER = (0, 3, 5, 1, 2, 4)

# What the atlas calls causes, and the hypotheses that say the same, most of them one to one.
UNPOPULATED = ("zeros", "zero-moment", "unit-tensor", "power-of-ten", "one-number", "round-numbers")
MEANT: dict[str, tuple[str, ...]] = {
    "axes permuted": ("axes-exchanged",),
    "copied from another link": ("copied-link",),
    "diagonal is a constant": ("constant-diagonal",),
    "one entry: decimal point": ("decimal-point",),
    "reference point: about the link origin": ("about-link-origin",),
    "reference point: parallel-axis": ("parallel-axis-subtracted",),
    "rounded to 1e-6": ("rounded-away",),
    "scaled tensor": ("mass-changed", "default-density"),
    "signs: ixx": ("negative-moment",),
    "signs: one": ("product-sign",),
    "signs: products": ("products-cad-signs",),
    "units of the tensor": ("tensor-units",),
    "unpopulated (zeros)": ("zeros",),
    "unpopulated (zero in": ("zero-moment",),
    "unpopulated (unit)": ("unit-tensor",),
    "unpopulated (power": ("power-of-ten",),
    "unpopulated": UNPOPULATED,
}
# The part of a cause after which the corrections may differ: numbers that are lost have stand-ins.
LOST = ("unpopulated", "copied", "rounded", "diagonal is", "order: ", "unknown", "the twin")


@dataclass(frozen=True)
class Entry:
    """An entry of the atlas."""

    name: str
    cause: str
    confidence: str
    case: Case
    expected: InertiaTensor | None

    @property
    def is_clean(self) -> bool:
        return self.cause == "none"

    @property
    def meant(self) -> tuple[str, ...]:
        """The hypotheses that say what the atlas says; none where it does not know."""
        # Compound, or too rare for a name.
        if self.cause.startswith("one entry: decimal point +"):
            return ()
        return next((names for start, names in MEANT.items() if self.cause.startswith(start)), ())


def directory() -> Path:
    """Where the atlas is looked for."""
    given = os.environ.get("SDFINERTIA_MISTAKES")
    return Path(given) if given else Path(__file__).parents[2] / ".." / "shared" / "mistakes"


def entries(path: Path) -> list[Entry]:
    """All entries of an atlas; links of one file know each other."""
    raw = json.loads(path.read_text(encoding="utf-8"))["entries"]
    return [_entry(one, raw) for one in raw]


def _entry(one: dict[str, Any], everything: list[dict[str, Any]]) -> Entry:
    block = _block(one)
    relatives = [
        _relative(one, block, other)
        for other in everything
        if other is not one and other["repository"] == one["repository"] and _is_kin(one, other)
    ]
    case = _case(one, block, tuple(relatives))
    if one["cause"] != "none":
        case = _with_findings(case)
    name = f"{one['repository']} {one['path']} {one['link']}"
    expected = InertiaTensor(*(one["expected"][k] for k in ORDER)) if one["expected"] else None
    return Entry(name, one["cause"], one["confidence"], case, expected)


def labelled_case(one: dict[str, Any]) -> Case:
    """A labelled finding, by what its entry says of the link alone."""
    written = {name: text or "" for name, text in one["written"].items()}
    numbers = {"rpy": [0.0, 0.0, 0.0], **one["numbers"]}
    block = _block({**one, "numbers": numbers, "written": written})
    case = _case({"link": one["link"], "geometry": one["geometry"]}, block, ())
    return Case(case.name, case.written, case.box, case.bodies, findings=frozenset({one["rule"]} - {"SDI210"}))


def _is_kin(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(other["path"] == one["path"])


def _with_findings(case: Case) -> Case:
    """A mistake that leaves a body is told by a rule, or by nothing but its own."""
    return Case(case.name, case.written, case.box, case.bodies, case.relatives, frozenset({"SDI204"}))


def _block(one: dict[str, Any]) -> WrittenBlock:
    numbers, written = one["numbers"], one["written"]
    texts = [str(written[entry] or "") for entry in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")]
    x, y, z = numbers["com"]
    return WrittenBlock(
        mass=numbers["mass"],
        centre=(x, y, z),
        tensor=InertiaTensor(*(numbers["six"][k] for k in ORDER)),
        rotation=rotation_from_rpy(*(angle + 0.0 for angle in numbers["rpy"])),
        entry_texts=EntryTexts(*texts),
        mass_text=str(written["mass"]),
    )


def _case(one: dict[str, Any], block: WrittenBlock, relatives: tuple[Relative, ...]) -> Case:
    geometry = one["geometry"]
    if not geometry or not geometry["box"]:
        return Case(one["link"], block, None, (), relatives)
    bodies = []
    for key, six in geometry["tensors_at_mass"].items():
        kind, filling = key.split("-")
        source = COLLISION if kind == "col" else VISUAL
        exact = filling == "solid" and "mesh" in geometry["kinds"] and any(six[k] for k in (1, 2, 4))
        exact = exact and not (source is COLLISION and geometry["primitives"])
        tensor = InertiaTensor(*(six[k] / block.mass for k in ORDER))
        x, y, z = geometry["centres"][key]
        body = SpatialInertia(1.0, (x, y, z), tensor)
        faces = 100 if exact else 0
        bodies.append(ShapeBody(source, filling, body, nan, exact, faces))
    lower, upper = geometry["box"]
    return Case(one["link"], block, Bounds(tuple(lower), tuple(upper)), tuple(bodies), relatives)


def _relative(one: dict[str, Any], block: WrittenBlock, other: dict[str, Any]) -> Relative:
    theirs = _block(other)
    is_twin = other["link"] in one["twins"]
    clues = Clues(_case(other, theirs, ()))
    near = bool(clues.written_distances.min() < np.log(3.0)) if len(clues.bodies) else None
    same = _same_geometry(one, other)
    laid = _mirrored(theirs, one, other) if is_twin else theirs
    return Relative(other["link"], is_twin, laid, theirs, near, same)


def _mirrored(theirs: WrittenBlock, one: dict[str, Any], other: dict[str, Any]) -> WrittenBlock:
    """The twin in this link's axes, by the mirror that lays its box on this one's."""
    mine, yours = one["geometry"], other["geometry"]
    if not mine or not yours or not mine["box"] or not yours["box"]:
        return theirs
    best, signs = np.inf, (1.0, 1.0, 1.0)
    for pattern in ((1, 1, 1), (1, -1, 1), (-1, 1, 1), (1, 1, -1), (-1, -1, 1), (-1, 1, -1), (1, -1, -1)):
        corners = np.sort(np.array(yours["box"]) * pattern, axis=0)
        error = (
            np.abs(corners - np.array(mine["box"])).max()
            + np.abs(np.array(theirs.centre) * pattern - np.array(one["numbers"]["com"])).max()
        )
        if error < best - 1e-9:
            best, signs = float(error), pattern
    x, y, z = signs
    xx, yy, zz, xy, xz, yz = theirs.inertia.I_BBcm_B
    centre = tuple(s * c for s, c in zip(signs, theirs.centre, strict=True))
    return WrittenBlock(theirs.mass, centre, InertiaTensor(xx, yy, zz, x * y * xy, x * z * xz, y * z * yz))


def _same_geometry(one: dict[str, Any], other: dict[str, Any]) -> bool | None:
    if not one["geometry"] or not other["geometry"] or not one["geometry"]["box"] or not other["geometry"]["box"]:
        return None
    sizes = [np.array(each["geometry"]["box"][1]) - np.array(each["geometry"]["box"][0]) for each in (one, other)]
    return bool(np.abs(np.sort(sizes[0]) - np.sort(sizes[1])).max() < 0.01 * sizes[0].max())
