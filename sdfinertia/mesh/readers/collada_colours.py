"""The colours of COLLADA materials, where they are one for each: nothing is refused for what it looks like."""

from __future__ import annotations

from math import isfinite

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.collada_document import Document, Element, child, kind, numbers
from sdfinertia.mesh.triangle_mesh import Colour

# What light they throw back, by the models of COLLADA 1.4, chapter 8; `constant` has none but its own.
_SHADERS = {"phong": "diffuse", "lambert": "diffuse", "blinn": "diffuse", "constant": "emission"}


def bound_materials(instance: Element) -> tuple[tuple[str, str], ...]:
    """What the symbols of materials stand for where a geometry is placed: references such as `#id`."""
    bind = child(instance, "bind_material")
    common = child(bind, "technique_common") if bind is not None else None
    if common is None:
        return ()
    found = (each for each in common if kind(each) == "instance_material")
    return tuple((each.get("symbol", ""), each.get("target", "")) for each in found)


def colour_of(reference: str, document: Document) -> Colour | None:
    """The colour of a material, in sRGB and opaque; None where there is none, it is an image, or is said another way.

    Args:
        reference: `#id`, or the symbol of one that was not bound, which some exporters make its id.
    """
    try:
        material = document.find("material", reference if reference.startswith("#") else f"#{reference}", document.root)
        instance = child(material, "instance_effect")
        if instance is None:
            return None
        profile = child(document.find("effect", instance.get("url", ""), instance), "profile_COMMON")
        technique = child(profile, "technique") if profile is not None else None
        shader = next((each for each in technique if kind(each) in _SHADERS), None) if technique is not None else None
        light = child(shader, _SHADERS[kind(shader)]) if shader is not None else None
        colour = child(light, "color") if light is not None else None
        values = numbers(colour).tolist() if colour is not None else []
    except MeshError:
        return None
    if len(values) < 3 or not all(map(isfinite, values)):
        return None
    red, green, blue = (min(max(value, 0.0), 1.0) for value in values[:3])
    # How transparent one is can be said in four ways, of which exporters mean one and write another.
    return red, green, blue, 1.0
