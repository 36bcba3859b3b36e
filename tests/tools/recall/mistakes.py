"""Mistakes in inertials as people make them, digits included, as functions from a right case to a wrong one."""

import random
from collections.abc import Callable
from dataclasses import replace
from math import ceil, log10
from typing import Any, NamedTuple

import numpy as np

from sdfinertia.causes.case import Case, Relative
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.rigid_transform import Rotation, rotate, rotation_from_rpy, transpose
from sdfinertia.links.solids import ShapeBody
from sdfinertia.links.written_block import NO_TEXTS, EntryTexts, WrittenBlock
from sdfinertia.robot import COLLISION, VISUAL
from sdfinertia.shapes import Bounds

POUND, INCH = 0.45359237, 0.0254
# Indices into a tensor in the order of a file.
FILE_ORDER = (0, 3, 4, 1, 5, 2)
PRODUCTS, MOMENTS = (3, 4, 5), (0, 1, 2)


class Injected(NamedTuple):
    """A case with a mistake in it."""

    case: Case
    causes: tuple[str, ...]
    right: WrittenBlock | None


Mistake = Callable[[Case, random.Random, "list[Case]"], "Injected | None"]


# Numbers and their digits ---------------------------------------------------------------------------------------------


def digits_of(text: str) -> int:
    """The number of significant digits."""
    mantissa = text.lower().partition("e")[0].lstrip("+-").replace(".", "").lstrip("0")
    return max(len(mantissa), 1)


def printed(value: float, like: str) -> str:
    """A number with as many digits as another, and its notation of powers of ten."""
    if value == 0.0:
        return "0"
    digits = min(max(digits_of(like), 3), 12)
    if "e" in like.lower():
        return f"{value:.{digits - 1}e}"
    places = max(digits - 1 - int(np.floor(log10(abs(value)))), 0)
    return f"{value:.{min(places, 25)}f}"


def with_tensor(case: Case, tensor: Any, *, kept: bool = True) -> WrittenBlock:
    """The block with another tensor; entries that stay keep their text."""
    old = case.written
    longest = max(old.entry_texts, key=digits_of) if any(old.entry_texts) else "0.123456"
    texts = []
    for value, before, text in zip(tensor, old.tensor, old.entry_texts or NO_TEXTS, strict=True):
        texts.append(text if kept and text and value == before else printed(float(value), longest))
    return replace(old, tensor=InertiaTensor(*(float(text) for text in texts)), entry_texts=EntryTexts(*texts))


def with_texts(case: Case, texts: list[str]) -> WrittenBlock:
    """The block with other texts, and their numbers."""
    return replace(case.written, tensor=InertiaTensor(*(float(text) for text in texts)), entry_texts=EntryTexts(*texts))


def wrong(case: Case, block: WrittenBlock, *causes: str, lost: bool = False, **more: Any) -> Injected:
    """The case with a block in it."""
    return Injected(replace(case, written=block, **more), causes, None if lost else case.written)


def large_entries(case: Case) -> list[int]:
    """Entries that are no small part of the largest."""
    six = np.abs(case.written.tensor)
    return [k for k in range(6) if six[k] > 0.02 * six.max()]


def products_of(case: Case) -> list[int]:
    return [k for k in PRODUCTS if k in large_entries(case)]


def point_mass(mass: float, offset: Any) -> np.ndarray:
    x, y, z = offset
    return mass * np.array([y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -x * z, -y * z])


# Digits ---------------------------------------------------------------------------------------------------------------


def _shifted(text: str, power: int) -> str:
    """The same digits with the point elsewhere."""
    value = float(text) * 10.0**power
    return printed(value, text)


def decimal_point(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    entry, power = chance.choice(large_entries(case)), chance.choice((-3, -2, -1, -1, 1, 1, 2, 3, 3))
    texts = list(case.written.entry_texts)
    texts[entry] = _shifted(texts[entry], power)
    return wrong(case, with_texts(case, texts), "decimal-point")


def point_lost(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    pointed = [k for k in large_entries(case) if case.written.entry_texts[k].lstrip("-").startswith("0.0")]
    if not pointed:
        return None
    entry, texts = chance.choice(pointed), list(case.written.entry_texts)
    texts[entry] = texts[entry].replace(".", "")
    return wrong(case, with_texts(case, texts), "decimal-point")


def digit(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    entry, texts = chance.choice(large_entries(case)), list(case.written.entry_texts)
    text = texts[entry]
    places = [i for i, letter in enumerate(text.lower().partition("e")[0]) if letter.isdigit()]
    first = next((n for n, i in enumerate(places) if text[i] != "0"), 0)
    place = places[max(min(first + chance.choice((-1, 0, 0, 1)), len(places) - 1), 0)]
    other = chance.choice([letter for letter in "0123456789" if letter != text[place]])
    texts[entry] = text[:place] + other + text[place + 1 :]
    return wrong(case, with_texts(case, texts), "digit-mistyped")


# Order ----------------------------------------------------------------------------------------------------------------


def _placed(case: Case, listing: tuple[int, ...], slots: tuple[int, ...]) -> WrittenBlock:
    texts = [""] * 6
    for slot, entry in zip(slots, listing, strict=True):
        texts[slot] = case.written.entry_texts[entry]
    return with_texts(case, texts)


def moments_first(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    listing = chance.choice(((0, 1, 2, 3, 4, 5), (0, 1, 2, 5, 4, 3), (0, 3, 1, 4, 5, 2)))
    return wrong(case, _placed(case, listing, FILE_ORDER), "listed-in-other-order") if products_of(case) else None


# Signs ----------------------------------------------------------------------------------------------------------------


def _turned(text: str) -> str:
    return text[1:] if text.startswith("-") else f"-{text}"


def _with_turned(case: Case, chosen: list[int]) -> WrittenBlock:
    return with_texts(case, [_turned(text) if k in chosen else text for k, text in enumerate(case.written.entry_texts)])


def cad_signs(case: Case, _: random.Random, __: list[Case]) -> Injected | None:
    return wrong(case, _with_turned(case, list(PRODUCTS)), "products-cad-signs") if products_of(case) else None


def product_sign(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    products = products_of(case)
    if len(products) < 2:
        return None
    return wrong(case, _with_turned(case, [chance.choice(products)]), "product-sign")


def negative_moment(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    return wrong(case, _with_turned(case, chance.sample(MOMENTS, chance.choice((1, 1, 2)))), "negative-moment")


# Reference point ------------------------------------------------------------------------------------------------------


def _lever(factor: float, *causes: str) -> Mistake:
    def mistake(case: Case, _: random.Random, __: list[Case]) -> Injected | None:
        written = case.written
        term = factor * point_mass(written.mass, written.centre)
        return wrong(case, with_tensor(case, np.array(written.tensor) + term), *causes)

    return mistake


def subtracted_earlier(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    written = case.written
    mass = written.mass * chance.choice((0.25, 0.5, 2.0))
    tensor = np.array(written.tensor) - point_mass(mass, written.centre)
    return wrong(case, with_tensor(case, tensor), "parallel-axis-subtracted")


# Axes -----------------------------------------------------------------------------------------------------------------


def axes_exchanged(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    order = chance.choice(((0, 2, 1), (1, 0, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)))
    texts = case.written.entry_texts
    place = {frozenset((0,)): 0, frozenset((1,)): 1, frozenset((2,)): 2}
    place |= {frozenset((0, 1)): 3, frozenset((0, 2)): 4, frozenset((1, 2)): 5}
    moved = [
        texts[place[frozenset(order[axis] for axis in axes)]] for axes in ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
    ]
    return wrong(case, with_texts(case, moved), "axes-exchanged")


def _rotated(case: Case, R: Any) -> Any:
    return SpatialInertia(1.0, (0.0, 0.0, 0.0), case.written.tensor).I_BBcm_B.rotated(R)


def rotation_missing(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    R = rotation_from_rpy(*(chance.uniform(-1.5, 1.5) for _ in range(3)))
    return wrong(case, with_tensor(case, _rotated(case, R)), "rotation-missing")


def rotation_inverted(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    R = rotation_from_rpy(*(chance.uniform(-1.5, 1.5) for _ in range(3)))
    block = replace(with_tensor(case, _rotated(case, transpose(R))), rotation=transpose(R))
    return wrong(case, block, "rotation-inverted")


# Scale ----------------------------------------------------------------------------------------------------------------


def _times(mass: float, tensor: float, centre: float, *causes: str) -> Mistake:
    def mistake(case: Case, _: random.Random, __: list[Case]) -> Injected | None:
        written = case.written
        if tensor == mass == 1.0 and not any(written.centre):
            return None
        block = with_tensor(case, np.array(written.tensor) * tensor) if tensor != 1.0 else written
        x, y, z = written.centre
        centre_now = (centre * x, centre * y, centre * z)
        return wrong(case, replace(block, mass=mass * written.mass, centre=centre_now, mass_text=""), *causes)

    return mistake


def tensor_units(case: Case, chance: random.Random, others: list[Case]) -> Injected | None:
    factor = chance.choice((1e9, 1e6, 1e7, 1e4, 1e3, 100.0, 10.0, 0.1, 0.01, 1 / (POUND * INCH**2)))
    return _times(1.0, factor, 1.0, "tensor-units")(case, chance, others)


def mass_changed(case: Case, chance: random.Random, others: list[Case]) -> Injected | None:
    near = [body for body in case.bodies if body.filling == "solid" and body.volume > 0.0]
    if not near:
        return None
    tensor = np.array(near[0].inertia.I_BBcm_B) * case.written.mass
    exact = replace(case, written=with_tensor(case, tensor))
    factor = chance.choice((0.13, 0.21, 3.7, 6.1, 8.3))
    found = _times(factor, 1.0, 1.0, "mass-changed", "default-density")(exact, chance, others)
    right = with_tensor(case, tensor * factor)
    return found._replace(right=replace(right, mass=case.written.mass * factor)) if found is not None else None


def default_density(case: Case, _: random.Random, __: list[Case]) -> Injected | None:
    near = [body for body in case.bodies if body.filling == "solid" and body.volume > 0.0]
    if not near:
        return None
    tensor = np.array(near[0].inertia.I_BBcm_B)
    exact = replace(case, written=with_tensor(case, tensor * case.written.mass))
    block = with_tensor(case, tensor * 1000.0 * near[0].volume)
    return Injected(replace(case, written=block), ("default-density",), exact.written)


# Copies ---------------------------------------------------------------------------------------------------------------


def _relative(name: str, is_twin: bool, block: WrittenBlock, *, same: bool | None) -> Relative:
    return Relative(name, is_twin, block, block, is_near_geometry=True, has_same_geometry=same)


def copied_link(case: Case, chance: random.Random, others: list[Case]) -> Injected | None:
    # One number about all axes, as many links have it, identifies none.
    others = [one for one in others if len(set(one.written.tensor[:3])) > 1]
    if not others:
        return None
    other = chance.choice(others).written
    if digits_of("".join(other.entry_texts)) < 8:
        return None
    block = replace(other, centre=case.written.centre)
    relatives = (_relative("other", False, other, same=False),)
    return wrong(case, block, "copied-link", lost=True, relatives=relatives)


def twin_differs(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    """A number from elsewhere, beside a twin that is right."""
    entry, texts = chance.choice(MOMENTS), list(case.written.entry_texts)
    texts[entry] = printed(
        case.written.tensor[entry] * chance.uniform(2.5, 6.0) ** chance.choice((-1, 1)), texts[entry]
    )
    twin = _relative("twin", True, case.written, same=True)
    return wrong(case, with_texts(case, texts), "twin-differs", relatives=(twin,))


# Unpopulated ----------------------------------------------------------------------------------------------------------


def _all_axes(text: str, *causes: str) -> Mistake:
    def mistake(case: Case, _: random.Random, __: list[Case]) -> Injected | None:
        return wrong(case, with_texts(case, [text, text, text, "0", "0", "0"]), *causes, lost=True)

    return mistake


def zero_moment(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    text = chance.choice(("0.1", "0.01", "0.001", "0.02"))
    texts = [text] * 3 + ["0"] * 3
    for entry in chance.sample(MOMENTS, chance.choice((1, 1, 2))):
        texts[entry] = "0"
    return wrong(case, with_texts(case, texts), "zero-moment", lost=True)


def power_of_ten(case: Case, chance: random.Random, others: list[Case]) -> Injected | None:
    return _all_axes(chance.choice(("0.1", "0.01", "0.001", "1e-3", "1e-6", "0.0001", "10")), "power-of-ten")(
        case, chance, others
    )


def one_number(case: Case, chance: random.Random, others: list[Case]) -> Injected | None:
    text = f"{chance.choice((0.05, 0.2, 0.02, 0.3, 0.005))}"
    return _all_axes(text, "one-number")(case, chance, others)


def constant_diagonal(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    if not products_of(case):
        return None
    texts = [chance.choice(("0.01", "0.1", "0.001"))] * 3 + list(case.written.entry_texts[3:])
    return wrong(case, with_texts(case, texts), "constant-diagonal", lost=True)


def rounded_away(case: Case, _: random.Random, __: list[Case]) -> Injected | None:
    six = np.array(case.written.tensor)
    step = 10.0 ** ceil(log10(0.5 * six[:3].max()))
    texts = [f"{round(value / step) * step:.{max(int(-log10(step) + 0.5), 0)}f}" for value in six]
    block = with_texts(case, texts)
    return wrong(case, block, "rounded-away", lost=True) if any(block.tensor[:3]) else None


# Formulas, centres and geometry ---------------------------------------------------------------------------------------


def _is_long(case: Case) -> bool:
    """Whether there is a box that no ball fills."""
    return case.box is not None and max(case.box.sizes) > 1.2 * min(case.box.sizes) > 0.0


def _formula(case: Case, moments: Any, cause: str) -> Injected:
    texts = [f"{value:.7g}" for value in moments]
    return wrong(case, with_texts(case, [*texts, "0", "0", "0"]), cause, lost=True)


def _box_moments(mass: float, sizes: Any, part: float = 12.0) -> list[float]:
    x, y, z = (mass * size * size / part for size in sizes)
    return [y + z, x + z, x + y]


def another_size(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    """The box of an example, four times to ten times as long."""
    if not _is_long(case) or case.box is None:
        return None
    scale = max(case.box.sizes) * chance.uniform(4.0, 10.0)
    sizes = [float(f"{scale * part:.2g}") for part in (1.0, chance.uniform(0.3, 0.8), chance.uniform(0.1, 0.25))]
    return _formula(case, _box_moments(case.written.mass, sizes), "shape-of-another-size")


def _centre(case: Case, centre: Any, cause: str, *, lost: bool = False) -> Injected | None:
    x, y, z = (float(value) for value in centre)
    block = replace(case.written, centre=(x, y, z), centre_texts=("", "", ""))
    return wrong(case, block, cause, lost=lost) if block.centre != case.written.centre else None


def centre_omitted(case: Case, _: random.Random, __: list[Case]) -> Injected | None:
    """A part that is drawn away from the origin of its link."""
    return _centre(_drawn_at(case, 3.0), (0.0, 0.0, 0.0), "centre-omitted", lost=True)


def _drawn_at(case: Case, sizes: float) -> Case:
    """The case with all of it moved along x, by so many of its sizes."""
    assert case.box is not None
    (a, b, c), (d, e, f) = case.box
    way = sizes * case.box.diagonal
    bodies = tuple(body._replace(inertia=_moved(body.inertia, way)) for body in case.bodies)
    x, y, z = case.written.centre
    written = replace(case.written, centre=(x + way, y, z), centre_texts=("", "", ""))
    return replace(case, box=Bounds((a + way, b, c), (d + way, e, f)), bodies=bodies, written=written)


def _moved(inertia: SpatialInertia, way: float) -> SpatialInertia:
    x, y, z = inertia.p_BoBcm_B
    return SpatialInertia(inertia.mass, (x + way, y, z), inertia.I_BBcm_B)


def other_frame(case: Case, _: random.Random, __: list[Case]) -> Injected | None:
    """A centre far away from what is drawn, in no frame that is known."""
    case = _drawn_at(case, 2.0)
    x, y, z = case.written.centre
    return _centre(case, (x, y + 3.0 * x, z - x), "in-other-frame", lost=True)


def centre_sign(case: Case, _: random.Random, __: list[Case]) -> Injected | None:
    case = _drawn_at(case, 2.0)
    x, y, z = case.written.centre
    return _centre(case, (-x, y, z), "centre-sign")


def moved_whole(matrix: Rotation, cause: str) -> Mistake:
    """Centre and tensor turned or mirrored together, beside a closed mesh."""

    def inject(case: Case, _: random.Random, __: list[Case]) -> Injected | None:
        exact = [body for body in case.bodies if body.is_exact_mesh]
        if not exact or len(products_of(case)) < 2 or not case.box:
            return None
        middle = exact[0].inertia.p_BoBcm_B
        centre = rotate(matrix, middle)
        moved = [abs(a - b) for a, b in zip(centre, middle, strict=True) if a != b]
        if case.box.distance_outside(centre) > 0.0 or min(moved, default=0.0) < 0.01 * case.box.diagonal:
            return None
        tensor = SpatialInertia(1.0, (0.0, 0.0, 0.0), case.written.tensor).I_BBcm_B.rotated(matrix)
        block = replace(with_tensor(case, tensor), centre=centre, centre_texts=("", "", ""))
        return wrong(case, block, cause)

    return inject


def bogus_geometry(case: Case, _: random.Random, __: list[Case]) -> Injected | None:
    """Collisions ten times as large as the visuals, which fit the numbers."""
    if case.box is None:
        return None
    mass = case.written.mass
    six = InertiaTensor(*(value / mass for value in case.written.inertia.I_BBcm_B))
    if six.trace <= 0.0:
        return None
    seen = ShapeBody(VISUAL, "solid", SpatialInertia(1.0, case.written.centre, six), 1e-3, False, 500)
    large = InertiaTensor(*(100.0 * value for value in six))
    plate = ShapeBody(COLLISION, "solid", SpatialInertia(1.0, case.written.centre, large), 1.0)
    x, y, z = (10.0 * size for size in case.box.sizes)
    box = Bounds((-x, -y, -z), (x, y, z))
    return Injected(replace(case, box=box, bodies=(seen, plate)), ("geometry-is-the-bogus-one",), case.written)


def parts_summed(case: Case, chance: random.Random, _: list[Case]) -> Injected | None:
    """Two like parts, each about its own centre, whose offset along x is left out."""
    bodies = [body for body in case.bodies if body.faces and body.kind is COLLISION]
    if not bodies or case.box is None or not products_of(case):
        return None
    body = bodies[0]
    way = max(case.box.sizes) * chance.uniform(1.5, 2.5)
    whole = InertiaTensor(*(a + b for a, b in zip(body.inertia.I_BBcm_B, (0.0, way**2, way**2, 0, 0, 0), strict=True)))
    inertia = SpatialInertia(1.0, body.inertia.p_BoBcm_B, whole)
    (a, b, c), (d, e, f) = case.box
    one = body._replace(inertia=inertia, is_exact_mesh=False)
    own = with_tensor(case, [case.written.mass * value for value in body.inertia.I_BBcm_B], kept=False)
    block = replace(own, centre=body.inertia.p_BoBcm_B, centre_texts=("", "", ""))
    box = Bounds((a - way, b, c), (d + way, e, f))
    return wrong(case, block, "parts-summed-without-parallel-axis", lost=True, bodies=(one,), box=box)


def products_made_up(case: Case, _: random.Random, __: list[Case]) -> Injected | None:
    xx, yy, zz = case.written.tensor[:3]
    number = 10.0 ** np.floor(log10(0.9 * min(xx, yy, zz)))
    texts = [*case.written.entry_texts[:3], *[f"{number:g}"] * 3]
    return wrong(case, with_texts(case, texts), "products-made-up", lost=True)


MISTAKES: dict[str, Mistake] = {
    "decimal point": decimal_point,
    "point lost, zeros first": point_lost,
    "one digit": digit,
    "moments listed first": moments_first,
    "products as in CAD": cad_signs,
    "one product's sign": product_sign,
    "moments negated": negative_moment,
    "about the link's origin": _lever(1.0, "about-link-origin"),
    "moved the wrong way": _lever(2.0, "parallel-axis-wrong-way"),
    "subtracted though central": _lever(-1.0, "parallel-axis-subtracted"),
    "subtracted at another mass": subtracted_earlier,
    "a shape of another size": another_size,
    "centre left out": centre_omitted,
    "sign of a centre": centre_sign,
    "mirrored in x": moved_whole((-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), "mirrored-in-x"),
    "mirrored in y": moved_whole((1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0), "mirrored-in-y"),
    "mirrored in z": moved_whole((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0), "mirrored-in-z"),
    "collisions that are wrong": bogus_geometry,
    "parts summed": parts_summed,
    "products made up": products_made_up,
    "axes exchanged": axes_exchanged,
    "in other axes": moved_whole((0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0), "in-other-axes"),
    "in another frame": other_frame,
    "rotation missing": rotation_missing,
    "rotation inverted": rotation_inverted,
    "tensor in other units": tensor_units,
    "mass in g": _times(1e3, 1.0, 1.0, "mass-units"),
    "mass in lb": _times(1 / POUND, 1.0, 1.0, "mass-units"),
    "centre in mm": _times(1.0, 1.0, 1e3, "centre-units"),
    "g and mm": _times(1e3, 1e9, 1e3, "consistent-units"),
    "lb and in": _times(1 / POUND, 1 / (POUND * INCH**2), 1 / INCH, "consistent-units"),
    "mass changed": mass_changed,
    "at 1000 kg/m³": default_density,
    "another link's block": copied_link,
    "a twin that is right": twin_differs,
    "zeros": _all_axes("0", "zeros"),
    "a zero moment": zero_moment,
    "unit tensor": _all_axes("1", "unit-tensor"),
    "power of ten": power_of_ten,
    "one number": one_number,
    "constant diagonal": constant_diagonal,
    "rounded away": rounded_away,
}
