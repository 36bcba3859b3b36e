"""The colours of glTF materials, where they are one for each: nothing is refused for what it looks like."""

from __future__ import annotations

from collections.abc import Hashable

from sdfinertia.mesh.readers.gltf_accessors import Object
from sdfinertia.mesh.triangle_mesh import Colour


def colour_of(document: Object, index: Hashable) -> Colour | None:
    """The base colour of a material in sRGB, and its opacity; None where it is an image, or is said another way.

    glTF 2.0, section 3.9.2: the factors are linear, 1 1 1 1 where they are not given; opacity counts in `BLEND` alone.
    """
    materials = document.get("materials")
    if not isinstance(materials, list) or not isinstance(index, int) or not 0 <= index < len(materials):
        return None
    material = materials[index]
    surface = material.get("pbrMetallicRoughness") if isinstance(material, dict) else None
    if not isinstance(surface, dict) or "baseColorTexture" in surface:
        return None
    factors = surface.get("baseColorFactor", [1.0, 1.0, 1.0, 1.0])
    if not isinstance(factors, list) or len(factors) != 4 or not all(_is_part(each) for each in factors):
        return None
    red, green, blue = (_srgb(float(factor)) for factor in factors[:3])
    return red, green, blue, float(factors[3]) if material.get("alphaMode") == "BLEND" else 1.0


def _is_part(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0


def _srgb(linear: float) -> float:
    """IEC 61966-2-1; all of it is 1 to the bit."""
    return 12.92 * linear if linear <= 0.0031308 else round(1.055 * linear ** (1.0 / 2.4) - 0.055, 9)
