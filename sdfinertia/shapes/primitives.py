"""The table of primitives: a new one is a module beside this and a line here."""

from __future__ import annotations

from sdfinertia.shapes.box import BOX
from sdfinertia.shapes.capsule import CAPSULE
from sdfinertia.shapes.cone import CONE
from sdfinertia.shapes.cylinder import CYLINDER
from sdfinertia.shapes.ellipsoid import ELLIPSOID
from sdfinertia.shapes.primitive_kind import PrimitiveKind
from sdfinertia.shapes.sphere import SPHERE

PRIMITIVES: dict[str, PrimitiveKind] = {
    kind.name: kind
    for kind in (
        BOX,
        SPHERE,
        CYLINDER,
        CAPSULE,
        CONE,
        ELLIPSOID,
    )
}
