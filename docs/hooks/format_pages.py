"""The page on what programs read: JSON documents, from their schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).parents[1] / "reference" / "schema.json"
# Whole documents; the other definitions are parts of them.
DOCUMENTS = ("check", "fill", "repair", "compare", "show", "mesh")

_JSON = """\
What commands print and write for programs. [The schema](schema.json) says the same to a validator: what `check` says is
valid against `schema.json#/$defs/check`, and so on. Numbers are in m, kg, m³, kg/m³ and kg·m²; what is not known, or
beyond double precision, is null. New keys may come without notice; `format` is raised when one goes or changes its
meaning."""


def json_page() -> str:
    """Every document and every part of one, with its keys."""
    definitions: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]
    parts = [
        "# JSON documents",
        _JSON,
        *(_section(name, definitions[name]) for name in DOCUMENTS),
        *(_section(name, part) for name, part in definitions.items() if name not in DOCUMENTS),
    ]
    return "\n\n".join(parts) + "\n"


def _section(name: str, part: dict[str, Any]) -> str:
    heading = f"## {name}\n\n{part['description']}"
    properties = _properties(part)
    if not properties:
        return heading
    return f"{heading}\n\n| Key | Type | Means |\n|---|---|---|\n" + "\n".join(_rows(properties, part, ""))


def _properties(part: dict[str, Any]) -> dict[str, Any]:
    """The keys of an object, or of the objects that are listed."""
    properties: dict[str, Any] = part.get("properties") or part.get("items", {}).get("properties", {})
    return properties


def _rows(properties: dict[str, Any], part: dict[str, Any], before: str) -> list[str]:
    required = part.get("required") or part.get("items", {}).get("required", ())
    rows = []
    for key, value in properties.items():
        optional = "" if key in required else ", may be absent"
        rows.append(f"| `{before}{key}` | {_type(value)}{optional} | {value['description']} |")
        rows += _rows(_properties(value), value, f"{before}{key}.")
    return rows


def _type(value: dict[str, Any]) -> str:
    if "$ref" in value:
        name = value["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name})"
    if "anyOf" in value:
        return " or ".join(map(_type, value["anyOf"]))
    if "enum" in value:
        return ", ".join(f"`{word}`" for word in value["enum"])
    if "const" in value:
        return f"`{value['const']}`"
    if isinstance(value["type"], list):
        return " or ".join(value["type"])
    if value["type"] == "array":
        count = f"{value['minItems']} × " if "minItems" in value else "list of "
        return count + _type(value["items"])
    return str(value["type"])
