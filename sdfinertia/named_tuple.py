"""`typing.NamedTuple`, whose classes are made in a tenth of the time; type checkers see Python's own.

Python's compiles each annotation and a constructor for each class: 130 µs, of which a run with nothing to do made 50.
Here the constructor is shared, and compiled only for a class that gets fields by name, or has many values.
"""

from __future__ import annotations

from collections import namedtuple
from typing import TYPE_CHECKING

__all__ = ["NamedTuple"]

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from _collections import _tuplegetter

    # A compiled constructor takes 0.5 µs less for a value, and 100 µs to make.
    _MANY = 100
    _values_of: dict[type, int] = {}

    class _Maker(type):
        def __new__(maker, name, bases, body):
            if not bases:
                return super().__new__(maker, name, (tuple,), body)
            if hasattr(bases[0], "_fields"):
                # Of such a class, an ordinary one.
                return super().__new__(maker, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            if not fields:
                raise TypeError(f"{name} has no fields, or its module is without `from __future__ import annotations`")
            defaults = {field: body.pop(field) for field in fields if field in body}
            if any(field in defaults for field in fields[: len(fields) - len(defaults)]):
                raise TypeError(f"{name} has a field without a default behind one with")
            for place, field in enumerate(fields):
                body[field] = _tuplegetter(place, None)
            body["_fields"] = body["__match_args__"] = fields
            body["_places"] = {field: place for place, field in enumerate(fields)}
            body["_field_defaults"], body["_defaults"], body["__slots__"] = defaults, tuple(defaults.values()), ()
            return super().__new__(maker, name, bases, body)

    class NamedTuple(metaclass=_Maker):
        """The base of immutable values with named fields; see `typing.NamedTuple`."""

        __slots__ = ()

        def __new__(cls, *values, **named):
            absent = len(cls._fields) - len(values)
            count = _values_of[cls] = _values_of.get(cls, 0) + 1
            if named or not 0 <= absent <= len(cls._defaults) or count > _MANY:
                # Its errors are Python's own.
                cls.__new__ = namedtuple(cls.__name__, cls._fields, defaults=cls._defaults).__new__
                return cls(*values, **named)
            if absent:
                values += cls._defaults[-absent:]
            return tuple.__new__(cls, values)

        @classmethod
        def _make(cls, values):
            return cls(*values)

        def _replace(self, **named):
            values = list(self)
            for field in [field for field in named if field in self._places]:
                values[self._places[field]] = named.pop(field)
            return type(self)(*values, **named)

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __getnewargs__(self):
            return tuple(self)

        def __repr__(self):
            return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self._asdict().items())})"
