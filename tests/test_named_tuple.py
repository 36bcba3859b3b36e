"""The package's base of values makes what Python's own makes."""

from __future__ import annotations

import copy
import pickle
import typing

import pytest

from sdfinertia.named_tuple import NamedTuple


class Ours(NamedTuple):
    """A point that bears a name."""

    name: str
    x: float = 0.0
    y: float = 0.0

    @property
    def length(self) -> float:
        """From the origin."""
        return typing.cast("float", (self.x**2 + self.y**2) ** 0.5)

    @classmethod
    def at_origin(cls, name: str) -> Ours:
        return cls(name)

    def __str__(self) -> str:
        return self.name


class Pythons(typing.NamedTuple):
    """A point that bears a name."""

    name: str
    x: float = 0.0
    y: float = 0.0


def test_a_value_is_a_tuple_with_named_fields_and_defaults() -> None:
    value = Ours("p", y=2.0)
    assert isinstance(value, tuple)
    assert value == ("p", 0.0, 2.0) == Pythons("p", y=2.0)
    assert (value.name, value.x, value.y) == ("p", 0.0, 2.0)
    assert value._replace(x=1.0) == Ours("p", 1.0, 2.0)
    assert repr(value) == "Ours(name='p', x=0.0, y=2.0)"


@pytest.mark.parametrize(
    "name", ["_fields", "_field_defaults", "__doc__", "__module__", "__slots__", "__annotations__"]
)
def test_a_class_tells_of_itself_what_pythons_tells(name: str) -> None:
    ours, pythons = getattr(Ours, name, None), getattr(Pythons, name, None)
    if name == "__annotations__":
        assert typing.get_type_hints(Ours) == typing.get_type_hints(Pythons)
    else:
        assert ours == pythons
    assert Ours.__qualname__ == "Ours"


def test_what_else_stands_in_the_body_belongs_to_the_class() -> None:
    assert Ours("p", 3.0, 4.0).length == 5.0
    assert Ours.at_origin("o") == Ours("o")
    assert str(Ours("p")) == "p"
    assert Ours.length.__doc__ == "From the origin."


def test_values_go_to_other_processes_and_are_copied() -> None:
    value = Ours("p", 1.0)
    assert type(pickle.loads(pickle.dumps(value))) is Ours
    assert pickle.loads(pickle.dumps(value)) == copy.deepcopy(value) == value


def test_a_value_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Ours("p").x = 1.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        Ours()  # type: ignore[call-arg]


def test_a_class_without_fields_is_refused() -> None:
    with pytest.raises(TypeError, match="has no fields"):

        class Nothing(NamedTuple):
            """Nothing."""
