"""Changes as a page asks for them: JSON that must name a kind of change and give each of its fields a fit value."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, get_args, get_origin, get_type_hints

from sdfinertia.editing.changes import CHANGES, Change
from sdfinertia.errors import ConfigurationError
from sdfinertia.robot.numbers import finite, shorten


def change_of(asked: Mapping[str, Any]) -> Change:
    """The change that is asked for.

    Raises:
        ConfigurationError: it is none: its kind is not known, or a field is missing, unknown or of another type.
    """
    name, values = asked.get("change"), asked.get("values")
    kind = CHANGES.get(name) if isinstance(name, str) else None
    if kind is None or not isinstance(values, Mapping):
        raise ConfigurationError(f"there is no change {name!r}")
    hints = get_type_hints(kind)
    unknown = sorted(map(str, values.keys() - hints.keys()))
    if unknown:
        raise ConfigurationError(f"{name} has no {', '.join(unknown)}")
    missing = hints.keys() - values.keys() - kind._field_defaults.keys()
    if missing:
        raise ConfigurationError(f"{name} needs {', '.join(sorted(missing))}")
    made: Change = kind(**{key: _value(f"{name}.{key}", value, hints[key]) for key, value in values.items()})
    return made


def _value(what: str, value: object, wanted: Any) -> Any:
    """A value of JSON as the type that a field has.

    Raises:
        ConfigurationError: it cannot be.
    """
    if wanted is float and isinstance(value, int | float) and not isinstance(value, bool):
        number = finite(value)
        if number is not None:
            return number
    if wanted in (str, bool, int) and type(value) is wanted:
        return value
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        for member in wanted:
            if member.value == value:
                return member
    if get_origin(wanted) is tuple and isinstance(value, list):
        types = get_args(wanted)
        if types[-1] is ...:
            types = (types[0],) * len(value)
        if len(types) == len(value):
            return tuple(_value(what, each, kind) for each, kind in zip(value, types, strict=True))
    raise ConfigurationError(f"{what} cannot be {shorten(repr(value))}")
