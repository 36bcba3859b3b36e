"""How an option is declared: once, at its field.

The options of commands, keys in configuration files, names in `<auto_inertia_params>`, the provenance comment, range
checks and the reference follow from the declaration.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import Field, field
from enum import Enum, auto
from typing import Literal, NamedTuple, TypeGuard, TypeVar

from sdfinertia.errors import ConfigurationError
from sdfinertia.robot.numbers import finite, shorten
from sdfinertia.withdrawn import instead_of

CommandName = Literal["fill", "check", "repair", "show", "edit", "lsp", "mesh", "scale", "compare"]
Topic = Literal["links", "mass", "meshes", "rules", "block", "files", "run"]
OptionValue = bool | int | float | str | tuple[str, ...] | None

# The headings of the help, in order; the last is for options of a run, which are not declared.
TOPICS: Mapping[Topic, str] = {
    "links": "Selection",
    "mass": "Density and mass",
    "meshes": "Mesh handling",
    "rules": "Findings",
    "block": "Output",
    "files": "Where files are",
    "run": "Running",
}

_KEY = "declaration"
_T = TypeVar("_T", bound=OptionValue)
_Word = TypeVar("_Word", bound=str)


class Kind(Enum):
    """The type of an option's values in Python, on the command line and in TOML."""

    FLAG = auto()
    NUMBER = auto()
    WHOLE = auto()
    CHOICE = auto()
    TEXT = auto()
    DIRECTORY = auto()
    TEXTS = auto()
    CODES = auto()
    DIRECTORIES = auto()
    PATH_GLOBS = auto()

    @property
    def expected(self) -> str:
        """The condition on a value, as messages put it."""
        return _EXPECTED[self][1]


# Of options that hold several values, and of those for which some values of their type are out of range.
REPEATABLE = frozenset((Kind.TEXTS, Kind.CODES, Kind.DIRECTORIES, Kind.PATH_GLOBS))
BOUNDED = frozenset((Kind.NUMBER, Kind.WHOLE, Kind.CHOICE))
# The types of the values of each kind, and their names in messages.
_EXPECTED: Mapping[Kind, tuple[tuple[type, ...], str]] = {
    Kind.FLAG: ((bool,), "true or false"),
    Kind.NUMBER: ((int, float), "a finite number"),
    Kind.WHOLE: ((int,), "a whole number of 64 bits"),
    **dict.fromkeys((Kind.CHOICE, Kind.TEXT, Kind.DIRECTORY), ((str,), "a string")),
    **dict.fromkeys(REPEATABLE, ((tuple,), "a list of strings")),
}


class Declaration(NamedTuple):
    """The declaration of an option without its name.

    Attributes:
        topic: its heading in the help and its table in the reference.
        commands: that take it; configuration files and the API take all.
        affects_result: whether the numbers depend on it, so that the provenance must record it.
    """

    kind: Kind
    default: OptionValue
    help: str
    topic: Topic
    commands: tuple[CommandName, ...] = ()
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    maximum: int | None = None
    affects_result: bool = False

    def held(self, name: str, value: object) -> OptionValue:
        """The value of the option for one that a program passes: lists, paths and numbers of numpy are accepted too.

        Raises:
            ConfigurationError: it is of another type, or out of range.
        """
        held = value
        if self.kind in REPEATABLE and isinstance(value, (list, tuple)):
            held = tuple(os.fspath(each) if isinstance(each, os.PathLike) else each for each in value)
        elif self.kind is Kind.DIRECTORY and isinstance(value, os.PathLike):
            held = os.fspath(value)
        elif self.kind in (Kind.NUMBER, Kind.WHOLE) and getattr(value, "ndim", None) == 0:
            held = value.item()  # type: ignore[attr-defined]  # a number of numpy
        if not self.accepts(held):
            raise ConfigurationError(f"{name} must be {self.kind.expected}, not {shorten(repr(value))}")
        if self.kind in BOUNDED and held != self.default:
            self.require_in_range(name, held)
        return held

    def accepts(self, value: object) -> TypeGuard[OptionValue]:
        """Whether a value has the option's type, in range or not."""
        if value is None:
            return self.default is None
        if isinstance(value, bool):
            return self.kind is Kind.FLAG
        if isinstance(value, tuple) and not all(isinstance(entry, str) and "\0" not in entry for entry in value):
            return False
        if isinstance(value, str) and "\0" in value:
            return False
        return isinstance(value, _EXPECTED[self.kind][0])

    def require_in_range(self, name: str, value: OptionValue) -> None:
        if self.kind is Kind.CHOICE:
            if value not in self.choices:
                problem = f"{name} must be one of {', '.join(self.choices)}, not {value!r}"
                raise ConfigurationError(problem, remedy=instead_of(str(value)))
        elif isinstance(value, (int, float)) and self.kind in BOUNDED:
            if self.maximum is not None:
                if not 1 <= value <= self.maximum:
                    raise ConfigurationError(f"{name} must be from 1 to {self.maximum}, not {value}")
            elif (number := finite(value)) is None or number <= 0:
                raise ConfigurationError(f"{name} must be a number above zero, not {shorten(str(value))}")


def declaration_of(found: Field[OptionValue]) -> Declaration:
    declaration = found.metadata.get(_KEY)
    if not isinstance(declaration, Declaration):
        raise TypeError(f"the option {found.name} is not declared: give its field `option` of {__name__}")
    return declaration


def option(
    default: _T,
    kind: Kind,
    help: str,
    topic: Topic,
    commands: tuple[CommandName, ...],
    metavar: str | None = None,
    *,
    choices: tuple[str, ...] = (),
    maximum: int | None = None,
) -> _T:
    """The default of a field, with its declaration."""
    declaration = Declaration(kind, default, help, topic, commands, metavar, choices, maximum)
    return field(default=default, metadata={_KEY: declaration})


def choice(choices: tuple[_Word, ...], help: str, topic: Topic, commands: tuple[CommandName, ...]) -> _Word:
    """One of some words; the first is the default."""
    return option(choices[0], Kind.CHOICE, help, topic, commands, choices=choices)
