"""What people import says what it is; docstrings are required of the public API alone."""

from __future__ import annotations

import inspect

import pytest

import sdfinertia
from sdfinertia import calculators, parametrization

PUBLIC = {
    **{f"sdfinertia.{name}": getattr(sdfinertia, name) for name in sdfinertia.__all__ if name != "__version__"},
    **{
        f"{module.__name__}.{name}": value
        for module in (calculators, parametrization)
        for name, value in vars(module).items()
        if getattr(value, "__module__", "") == module.__name__ and not name.startswith("_")
    },
}


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_a_docstring(name: str) -> None:
    value = PUBLIC[name]
    assert inspect.getdoc(value)
    if inspect.isclass(value):
        family = [each for each in value.__mro__ if each.__module__.startswith("sdfinertia")]
        own = {name: member for each in family for name, member in vars(each).items() if not name.startswith("_")}
        functions = {
            attribute: member
            for attribute, member in own.items()
            if inspect.isfunction(member) or isinstance(member, (property, classmethod, staticmethod))
        }
        assert [attribute for attribute, member in functions.items() if not inspect.getdoc(member)] == []
