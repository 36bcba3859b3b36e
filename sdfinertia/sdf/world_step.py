"""The step at which a world is simulated."""

from __future__ import annotations

from sdfinertia.errors import SdfInertiaError
from sdfinertia.sdf.document import Element
from sdfinertia.sdf.model import Link
from sdfinertia.sdf.values import read_boolean, read_number


def step_of_world(link: Link) -> float | None:
    """The `max_step_size` (s) of the world that a link stands in; None where it gives none that can be taken."""
    for world in link.model.root.element.children_named("world"):
        if not world.start < link.element.start < world.end:
            continue
        profiles = world.children_named("physics")
        physics = next(filter(_is_default, profiles), profiles[0] if profiles else None)
        size = physics.child("max_step_size") if physics is not None else None
        if size is not None:
            try:
                step = read_number(size)
            except SdfInertiaError:
                continue
            if step > 0.0:
                return step
    return None


def _is_default(physics: Element) -> bool:
    """Whether a `<physics>` is the one that holds at first."""
    try:
        return read_boolean(
            physics.attribute("default") or "", "the attribute default of <physics>", physics, default=False
        )
    except SdfInertiaError:
        return False
