"""Immutable values with inheritance and defaults, whose classes are made without compiling a method.

`dataclass(frozen=True, slots=True)` compiles five methods for a class and makes it twice: a millisecond for the
options, of some forty that a run with nothing to do takes. To `dataclasses.fields` and `replace`, and to type
checkers, these are dataclasses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[Any], Any]:
        return lambda function: function


_Class = TypeVar("_Class", bound=type)
_Value = TypeVar("_Value")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(*, kw_only: bool = False) -> Callable[[_Class], _Class]:
    """Makes a class a frozen dataclass; a `__post_init__`, `__eq__`, `__hash__` or `__repr__` of its own stays."""

    def made(cls: _Class) -> _Class:
        # Else a dataclass describes itself by its signature, which takes as long as making it does.
        cls.__doc__ = cls.__doc__ or cls.__name__
        dataclass(init=False, repr=False, eq=False, kw_only=kw_only)(cls)
        own: Any = cls
        own._names = tuple(each.name for each in fields(own))
        own._positional = () if kw_only else own._names
        own._defaults = {each.name: each.default for each in fields(own) if each.default is not MISSING}
        for name, method in _METHODS.items():
            if getattr(own, name) is getattr(object, name):
                setattr(own, name, method)
        return cls

    return made


def replaced(value: _Value, **changes: object) -> _Value:
    """The value with other fields: `dataclasses.replace`, in a fifth of its time."""
    changed = object.__new__(type(value))
    changed.__dict__.update(value.__dict__)
    changed.__dict__.update(changes)
    return changed


def _init(self: Any, *values: object, **named: object) -> None:
    given = dict(zip(self._positional, values, strict=False))
    own = self.__dict__
    own.update(self._defaults)
    own.update(given)
    own.update(named)
    if len(values) > len(given) or len(own) != len(self._names) or not given.keys().isdisjoint(named):
        raise TypeError(_wrong(type(self), values, named))
    post = getattr(self, "__post_init__", None)
    if post is not None:
        post()


def _wrong(cls: Any, values: tuple[object, ...], named: dict[str, object]) -> str:
    unknown = [name for name in named if name not in cls._names]
    if unknown:
        return f"{cls.__name__} got an unexpected keyword argument {unknown[0]!r}"
    given = {*cls._positional[: len(values)], *named, *cls._defaults}
    absent = [name for name in cls._names if name not in given]
    if absent:
        return f"{cls.__name__} takes {', '.join(absent)} too"
    return f"{cls.__name__} got an argument twice, or more than {len(cls._positional)} by place"


def _values(self: Any) -> tuple[object, ...]:
    return tuple(map(self.__dict__.__getitem__, self._names))


def _eq(self: Any, other: object) -> bool:
    return _values(self) == _values(other) if type(other) is type(self) else NotImplemented


def _hash(self: Any) -> int:
    return hash(_values(self))


def _repr(self: Any) -> str:
    shown = (each.name for each in fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


def _refuse(self: object, name: str, value: object = None) -> None:
    # Imported only for the error.
    from dataclasses import FrozenInstanceError

    raise FrozenInstanceError(f"cannot assign to field {name!r}")


_METHODS = {
    "__init__": _init,
    "__eq__": _eq,
    "__hash__": _hash,
    "__repr__": _repr,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
}
