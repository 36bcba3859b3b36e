"""Whether a link came closer to its geometry or further away, by numbers of this reading alone."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from harm.bodies import Solid, UnreadError
from harm.robots import DENSEST, Inertial, Link, Robot, Tree

# |ln| of a ratio of moments, or a distance of centres over the radius of gyration. Parts are not of uniform density:
# within a tenth nobody can say which is closer, and SDI204 allows a tenth too.
MARGIN = 0.1
# kg/m³ of real parts, hollow ones included. Counts only where a write changes a mass.
_DENSITIES = (50.0, DENSEST)
# Ratios beyond this are equally wrong, and so are moments that no body has.
_LEAST = 1e-12


class Judged(NamedTuple):
    """The outcome of a link: "better", "same", "worse", "new", "asked" or "not read"; and why."""

    link: str
    verdict: str
    why: str = ""
    harm: float = 0.0


def judged(before: Robot, after: Robot, tree: Tree, path: Path) -> list[Judged]:
    """The links of a file whose numbers are not the same as before."""
    if [link.name for link in before.links] != [link.name for link in after.links]:
        raise UnreadError("file: other links than before")
    return [
        _judged(before, at, new, tree, path)
        for at, (old, new) in enumerate(zip(before.links, after.links, strict=True))
        if _differ(old.inertial, new.inertial)
    ]


def _differ(old: Inertial | UnreadError | None, new: Inertial | UnreadError | None) -> bool:
    if isinstance(old, Inertial) and isinstance(new, Inertial):
        size = float(np.abs(new.tensor).max())
        apart = abs(old.mass - new.mass) <= 1e-9 * abs(new.mass)
        near = np.allclose(old.centre, new.centre, rtol=1e-9, atol=1e-12)
        return not (apart and near and np.allclose(old.tensor, new.tensor, rtol=1e-9, atol=1e-9 * size))
    return type(old) is not type(new)


def _judged(before: Robot, at: int, new: Link, tree: Tree, path: Path) -> Judged:
    old = before.links[at]
    if old.asks:
        return Judged(new.name, "asked")
    if not isinstance(new.inertial, Inertial) or isinstance(old.inertial, UnreadError):
        return Judged(new.name, "not read", "inertial")
    if old.inertial is None:
        return _given(before, at, new.inertial)
    try:
        reference = tree.reference(old, new.inertial.mass, path)
        if reference is None:
            return Judged(new.name, "not read", "no geometry")
        axis = before.axis(at)
    except (UnreadError, ValueError, AttributeError, TypeError) as error:
        return Judged(new.name, "not read", str(error))
    old_far = distances(old.inertial, reference, axis)
    new_far = distances(new.inertial, reference, axis)
    if abs(old.inertial.mass - new.inertial.mass) > 1e-9 * abs(old.inertial.mass):
        old_far["density"], new_far["density"] = (
            _density(one.mass / reference.volume) for one in (old.inertial, new.inertial)
        )
    harm = {name: new_far[name] - old_far[name] for name in new_far}
    worst = max(harm, key=lambda name: harm[name])
    if harm[worst] > MARGIN:
        kind = "exact" if reference.is_exact else "hull"
        moments = np.linalg.eigvalsh(old.inertial.tensor)
        is_body = old.inertial.mass > 0.0 and moments[0] > 0.0 and moments[2] <= 1.0001 * (moments[0] + moments[1])
        why = f"{worst} {old_far[worst]:.3g} -> {new_far[worst]:.3g} ({kind}{'' if is_body else '; impossible before'})"
        return Judged(new.name, "worse", why, harm[worst])
    return Judged(new.name, "better" if min(harm.values()) < -MARGIN else "same")


def _given(before: Robot, at: int, given: Inertial) -> Judged:
    """A mass for a link that had none."""
    link, group = before.links[at], [before.links[other] for other in sorted(before.group(at))]
    had = sum(one.inertial.mass for one in group if isinstance(one.inertial, Inertial))
    if had > 0.0 or any(one.asks for one in group):
        return Judged(link.name, "worse", f"its group has {had:.4g} kg, gets {given.mass:.4g} kg", given.mass)
    if not link.has_collisions:
        return Judged(link.name, "worse", f"a frame or marker gets {given.mass:.4g} kg", given.mass)
    if not before.is_complete or any(isinstance(one.inertial, UnreadError) for one in group):
        return Judged(link.name, "not read", "group")
    return Judged(link.name, "new")


def distances(body: Inertial, reference: Solid, axis: tuple[Any, Any] | None) -> dict[str, float]:
    """The distances of a body from a reference of the same mass, by quantity."""
    if not body.mass > 0.0:
        return dict.fromkeys(["mass", *distances(body._replace(mass=1.0), reference, axis)], np.inf)
    right = body.mass * (np.trace(reference.spread) * np.eye(3) - reference.spread)
    gyradius = np.sqrt(np.trace(reference.spread))
    found = {"centre": float(np.linalg.norm(body.centre - reference.centre) / gyradius), "mass": 0.0}
    places = {"centre": (body.tensor, right)}
    about = [
        _moved(tensor, body.mass, centre) for tensor, centre in ((body.tensor, body.centre), (right, reference.centre))
    ]
    places["origin"] = (about[0], about[1])
    for place, tensors in places.items():
        moments = [np.linalg.eigvalsh(tensor) for tensor in tensors]
        for number, (own, other) in enumerate(zip(*moments, strict=True), 1):
            found[f"moment {number} about the {place}"] = _apart(own, other)
    if axis is not None and np.linalg.norm(axis[1]) > 0.0:
        point, direction = axis[0], axis[1] / np.linalg.norm(axis[1])
        own, other = (
            direction @ _moved(tensor, body.mass, centre - point) @ direction
            for tensor, centre in ((body.tensor, body.centre), (right, reference.centre))
        )
        found["moment about the joint's axis"] = _apart(own, other)
    return found


def _moved(tensor: Any, mass: float, offset: Any) -> Any:
    """Parallel axes: the tensor about a point that the centre is offset from."""
    return tensor + mass * (offset @ offset * np.eye(3) - np.outer(offset, offset))


def _apart(own: float, other: float) -> float:
    return abs(float(np.log(max(own / other, _LEAST))))


def _density(density: float) -> float:
    low, high = _DENSITIES
    return max(float(np.log(low / density)), float(np.log(density / high)), 0.0) if density > 0.0 else np.inf
