"""Configuration files: `sdfinertia.toml`, or the table `[tool.sdfinertia]` of a `pyproject.toml`."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from sdfinertia.errors import ConfigurationError
from sdfinertia.files.regular_file import reason_of
from sdfinertia.options import Options, option_names

OWN_FILE = "sdfinertia.toml"
SHARED_FILE = "pyproject.toml"
_SHARED_TABLE = b"sdfinertia"
# Options that only say no on the command line may be written so in a file as well.
_NEGATED = {"no-refresh": "refresh", "no-provenance": "provenance"}
_NUMBERS = ("density", "total_mass", "voxel_size", "thickness", "tolerance", "spin", "step")
_PATHS = ("resource_path", "confine", "exclude")


class Configurations:
    """Finds and reads configuration files, each once."""

    def __init__(self) -> None:
        self._of_directory: dict[str, Mapping[str, Any]] = {}

    def values_for(self, path: str) -> Mapping[str, Any]:
        """The option values that the configuration nearest to a file gives, by field name of `Options`.

        Raises:
            ConfigurationError: the configuration cannot be read, or has an unknown key or a value of a wrong kind.
        """
        directory = os.path.dirname(os.path.abspath(path))
        if directory not in self._of_directory:
            found = find_configuration(directory)
            self._of_directory[directory] = read_configuration(found) if found is not None else {}
        return self._of_directory[directory]


def find_configuration(directory: str) -> str | None:
    """The nearest `sdfinertia.toml` at or above a directory, else the nearest `pyproject.toml` with our table."""
    ancestors = [directory]
    while (parent := os.path.dirname(ancestors[-1])) != ancestors[-1]:
        ancestors.append(parent)
    for ancestor in ancestors:
        path = os.path.join(ancestor, OWN_FILE)
        if os.path.isfile(path):
            return path
    for ancestor in ancestors:
        path = os.path.join(ancestor, SHARED_FILE)
        if os.path.isfile(path) and _has_own_table(path):
            return path
    return None


def _has_own_table(path: str) -> bool:
    # Looking for the word first saves loading a TOML parser for the sake of other tools' tables.
    if _SHARED_TABLE not in _read(path):
        return False
    tools = _parse(path).get("tool")
    return isinstance(tools, dict) and "sdfinertia" in tools


def read_configuration(path: str) -> dict[str, Any]:
    """The option values in a configuration file, by field name of `Options`; paths made absolute.

    Raises:
        ConfigurationError: the file cannot be read, or has an unknown key or a value of a wrong kind.
    """
    table = _parse(path)
    if os.path.basename(path) == SHARED_FILE:
        table = table["tool"]["sdfinertia"]
        if not isinstance(table, dict):
            raise ConfigurationError("tool.sdfinertia must be a table", file=path)
    names = option_names()
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = names.get(key) or _NEGATED.get(key)
        if name is None:
            known = ", ".join(sorted([*names, *_NEGATED]))
            raise ConfigurationError(f"unknown key {key!r}", file=path, remedy=f"known are {known}")
        value = _converted(key, name, value, path)
        values[name] = not value if key in _NEGATED else value
    for name in _PATHS:
        if values.get(name):
            values[name] = _absolute(values[name], os.path.dirname(path), are_globs=name == "exclude")
    try:
        Options(**values)
    except ConfigurationError as error:
        raise error.within(file=path) from None
    return values


def _converted(key: str, name: str, value: Any, path: str) -> Any:
    """The value as `Options` takes it; TOML's own types are taken at their word, never cast."""
    default = next(field.default for field in fields(Options) if field.name == name)
    if isinstance(default, bool):
        expected, matches = "true or false", isinstance(value, bool)
    elif isinstance(default, int):
        expected = "a whole number of 64 bits"  # what TOML promises
        matches = isinstance(value, int) and not isinstance(value, bool) and -(1 << 63) <= value < 1 << 63
    elif isinstance(default, tuple):
        if isinstance(value, str):
            value = [value]
        expected = "a list of strings"
        matches = isinstance(value, list) and all(isinstance(entry, str) for entry in value)
        value = tuple(value) if matches else value
    elif name in _NUMBERS:
        expected, matches = "a number", isinstance(value, (int, float)) and not isinstance(value, bool)
        value = _float(value) if matches else value
    else:
        expected, matches = "a string", isinstance(value, str)
    if not matches:
        raise ConfigurationError(f"{key} must be {expected}, not {_shown(value)}", file=path)
    return value


def _shown(value: Any) -> str:
    try:
        return repr(value)
    except ValueError:
        # Python writes no integer of more than 4,300 decimal digits, though it reads hexadecimal ones.
        return "a number of thousands of digits"


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def _absolute(value: str | tuple[str, ...], directory: str, *, are_globs: bool) -> str | tuple[str, ...]:
    """Paths made absolute; of globs those that are paths, since one without a slash matches names anywhere."""
    if isinstance(value, str):
        return os.path.join(directory, value)
    if not are_globs:
        return tuple(os.path.join(directory, entry) for entry in value)
    from glob import escape

    return tuple(
        f"{escape(directory)}/{entry}" if "/" in entry.rstrip("/") and not entry.startswith("/") else entry
        for entry in value
    )


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise ConfigurationError(f"cannot be read: {reason_of(error)}", file=path) from None


def _parse(path: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    try:
        table: dict[str, Any] = tomllib.loads(_read(path).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        # Besides what is no TOML and no UTF-8: numbers of thousands of digits, and arrays nested too deep.
        raise ConfigurationError(f"is not valid TOML: {error}", file=path) from None
    return table
