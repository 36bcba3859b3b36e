"""SDI101 to SDI107: explicit numbers that no body can have, that nobody wrote, or that do not load."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from sdfinertia.errors import SdfInertiaError, ValueTextError
from sdfinertia.inertia.libsdformat_validity import is_accepted_by_libsdformat
from sdfinertia.links.selection import is_auto as asks_for_itself
from sdfinertia.rules.facts import LinkFacts
from sdfinertia.rules.rule import Fault, Level, Mender, Rule
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.inertial import TENSOR_NAMES
from sdfinertia.sdf.model import read_density
from sdfinertia.sdf.values import read_number, read_pose

# Five significant digits are off by up to 5e-5 of an entry (1.00005 becomes 1.0001). No diagonal entry is above the
# largest moment and no product above half of it, so that a row of errors adds up to 1e-4 of the largest moment, which
# bounds the error of each principal moment (Gershgorin, Weyl); the triangle inequality holds three of them together.
_ROUNDED_MOMENT = 1e-4
_ROUNDED_TRIANGLE = 3 * _ROUNDED_MOMENT
_NOT_FINITE = ("nan", "inf", "infinity")
_KNOWN_CHILDREN = ("pose", "mass", "inertia", "density", "auto_inertia_params", "fluid_added_mass", "frame")
_COLLISION_CHILDREN = ("pose", "geometry", "density", "auto_inertia_params")
_UNIT_TENSOR = (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)


def _mass(facts: LinkFacts) -> Iterator[Fault]:
    element = facts.inertial.child("mass") if facts.inertial is not None else None
    if element is None:
        return
    text = element.text()
    try:
        is_positive = read_number(element) > 0.0
    except SdfInertiaError:
        # What is no number at all is SDI106's.
        is_positive = not _is_word(text)
    if not is_positive:
        yield Fault(f"has a mass of {text} kg, which must be above zero and finite", "write the mass of the part")


def _is_word(text: str) -> bool:
    """Whether a text is a number in words, none that is finite."""
    return text.lower().lstrip("+-") in _NOT_FINITE


def _moments(facts: LinkFacts) -> tuple[float, float, float] | None:
    return facts.explicit.principal_moments() if facts.explicit is not None else None


def _not_positive_definite(facts: LinkFacts) -> Iterator[Fault]:
    moments = _moments(facts)
    if moments is None:
        return
    low, _, high = moments
    # An ideal rod has no moment about its axis, and engines take it; a body without any is none.
    if low <= -_ROUNDED_MOMENT * high or high <= 0.0:
        shown = " ".join(f"{moment:.6g}" for moment in moments)
        yield Fault(f"has a tensor that is not positive definite: its principal moments are {shown}", _recompute(facts))


def _breaks_triangle(facts: LinkFacts) -> Iterator[Fault]:
    moments = _moments(facts)
    if moments is None:
        return
    low, middle, high = moments
    if low > -_ROUNDED_MOMENT * high and low + middle < high * (1.0 - _ROUNDED_TRIANGLE):
        yield Fault(
            f"has principal moments {low:.6g} {middle:.6g} {high:.6g}, and no body has one above the sum of the others",
            _recompute(facts),
        )


def _recompute(facts: LinkFacts) -> str:
    if facts.has_volume:
        return f"{facts.fill_command('--all')} computes it from the collisions, with the mass that is there"
    return "measure it again, or give the link collisions to compute it from"


def _default_tensor(facts: LinkFacts) -> Iterator[Fault]:
    inertial = facts.inertial
    if inertial is None or facts.is_auto or facts.is_static or facts.provenance is not None:
        return
    if inertial.child("inertia") is None:
        yield Fault("has an <inertial> without <inertia>: simulators assume a unit tensor", _recompute(facts))
    elif facts.explicit is not None and _written_tensor(inertial) == _UNIT_TENSOR:
        yield Fault("has the default unit tensor, that of a body metres across", _recompute(facts))


def _written_tensor(inertial: Element) -> tuple[float, ...]:
    element = inertial.child("inertia")
    entries = [element.child(name) if element is not None else None for name in TENSOR_NAMES]
    defaults = (1.0, 0.0, 0.0, 1.0, 0.0, 1.0)
    ixx, ixy, ixz, iyy, iyz, izz = (
        read_number(entry) if entry is not None else default for entry, default in zip(entries, defaults, strict=True)
    )
    return ixx, iyy, izz, ixy, ixz, iyz


def _malformed(facts: LinkFacts) -> Iterator[Fault]:
    for collision in facts.link.element.children_named("collision"):
        name = collision.attribute("name") or ""
        yield from (
            Fault(f"collision {name!r} gives <{repeated}> twice; the first counts", "keep one")
            for repeated in _repeated(collision, _COLLISION_CHILDREN)
        )
    inertials = facts.link.element.children_named("inertial")
    if not inertials:
        return
    inertial = inertials[0]
    if len(inertials) > 1:
        yield Fault(f"has {len(inertials)} <inertial> elements; the first counts", "keep one")
    yield from _structure(inertial)
    for read in _readings(inertial, is_auto=facts.is_auto):
        try:
            read()
        except ValueTextError as error:
            yield Fault(error.problem, error.remedy or "write what SDFormat has there")


def _repeated(parent: Element, names: Sequence[str]) -> list[str]:
    return [name for name in names if len(parent.children_named(name)) > 1]


def _readings(inertial: Element, *, is_auto: bool) -> Iterator[Callable[[], object]]:
    """What reads the values in a block; numbers of one that asks to be computed do not count."""
    yield lambda: asks_for_itself(inertial)
    if is_auto:
        return
    yield lambda: read_density(inertial.child("density"))
    yield lambda: read_pose(inertial.child("pose"))
    mass, tensor = inertial.child("mass"), inertial.child("inertia")
    if mass is not None and not _is_word(mass.text()):
        yield partial(read_number, mass)
    for name in TENSOR_NAMES:
        entry = tensor.child(name) if tensor is not None else None
        if entry is not None:
            yield partial(read_number, entry)


def _structure(inertial: Element) -> Iterator[Fault]:
    """What stands in a block that does not belong there."""
    tensor = inertial.child("inertia")
    for parent, known in ((inertial, _KNOWN_CHILDREN), (tensor, TENSOR_NAMES)):
        seen: set[str] = set()
        for child in parent.children if parent is not None else ():
            if ":" in child.name:
                continue
            if child.name not in known:
                yield Fault(f"has an unknown <{child.name}> in its <{parent.name if parent else ''}>", "take it out")
            elif child.name in seen:
                yield Fault(f"gives <{child.name}> twice; the first counts", "keep one")
            seen.add(child.name)
    pose = inertial.child("pose")
    if pose is not None and pose.attribute("relative_to"):
        yield Fault(
            "has a relative_to on the pose of its <inertial>, which is always in the link's frame", "take it out"
        )


def _needs_nudge(facts: LinkFacts) -> Iterator[Fault]:
    inertia = facts.explicit
    if inertia is None or inertia.mass <= 0.0 or facts.inertial is None:
        return
    if any(True for _ in (*_not_positive_definite(facts), *_breaks_triangle(facts))):
        return
    if not is_accepted_by_libsdformat(inertia.mass, inertia.I_BBcm_B, must_turn=False):
        yield Fault(
            "has a tensor that is valid but for rounding, and libsdformat refuses it",
            f"{facts.command('check', '--fix', '--select', 'SDI107')} moves its last digit",
        )


RULES = (
    Rule(
        code="SDI101",
        name="mass-not-positive",
        level=Level.ERROR,
        is_default=True,
        mender=Mender.NONE,
        fails_run=False,
        tags=("physics",),
        what="A mass is zero, negative or not finite.",
        why="Simulators refuse the model, or divide by it.",
        example="<mass>-1.5</mass>",
        fix="Write the mass of the part.",
        find=_mass,
    ),
    Rule(
        code="SDI102",
        name="tensor-not-positive-definite",
        level=Level.ERROR,
        is_default=True,
        mender=Mender.NONE,
        fails_run=False,
        tags=("physics",),
        what="A tensor has a negative principal moment, or none at all.",
        why="No body has such a one, and a torque about that axis turns it infinitely fast, or backwards.",
        example="<ixx>0.1</ixx><iyy>0.1</iyy><izz>0.1</izz><ixy>0.2</ixy>",
        fix="Compute it with `sdfinertia fill --all`, or measure it again.",
        find=_not_positive_definite,
    ),
    Rule(
        code="SDI103",
        name="triangle-inequality",
        level=Level.ERROR,
        is_default=True,
        mender=Mender.NONE,
        fails_run=False,
        tags=("physics",),
        what="A principal moment is larger than the sum of the other two.",
        why="No body has such a tensor; simulated, it gains energy from nowhere.",
        example="<ixx>10</ixx><iyy>4</iyy><izz>2</izz>",
        fix="Compute it with `sdfinertia fill --all`, or measure it again.",
        find=_breaks_triangle,
    ),
    Rule(
        code="SDI105",
        name="default-tensor",
        level=Level.ERROR,
        is_default=True,
        mender=Mender.NONE,
        fails_run=False,
        tags=("physics",),
        what="An <inertial> of a link that moves has no <inertia>, or the default unit tensor.",
        why="A unit tensor is that of a body metres across: a hand-sized part hardly turns.",
        example="<inertial><mass>0.2</mass></inertial>",
        fix="Compute it with `sdfinertia fill --all`.",
        find=_default_tensor,
    ),
    Rule(
        code="SDI106",
        name="malformed-inertial",
        level=Level.ERROR,
        is_default=True,
        mender=Mender.NONE,
        fails_run=False,
        tags=("physics",),
        what="An <inertial> holds what SDFormat does not have there: wrong counts, unknown children, an element twice.",
        why=(
            "libsdformat reads a part of it, or a default, and says nothing. Elements that a collision gives "
            "twice, and frames of the model that lead nowhere, are told here too."
        ),
        example="<mass>10kg</mass>",
        fix="Write what SDFormat has there.",
        find=_malformed,
    ),
    Rule(
        code="SDI107",
        name="refused-for-rounding",
        level=Level.ERROR,
        is_default=True,
        mender=Mender.NUDGE,
        fails_run=False,
        tags=("physics",),
        what="A tensor is valid but for rounding, and libsdformat, which allows 10 machine epsilons, refuses it.",
        why="The model does not load.",
        example="a thin plate, <ixx>0.0833</ixx><iyy>0.0833</iyy><izz>0.1667</izz>",
        fix="`sdfinertia check --fix` moves the last digit of its moments.",
        find=_needs_nudge,
    ),
)
