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
        own = {attribute: member for attribute, member in vars(value).items() if not attribute.startswith("_")}
        functions = {
            attribute: member
            for attribute, member in own.items()
            if inspect.isfunction(member) or isinstance(member, (property, classmethod, staticmethod))
        }
        assert [attribute for attribute, member in functions.items() if not inspect.getdoc(member)] == []
