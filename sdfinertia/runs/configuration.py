"""The environment of a run: configuration files (`sdfinertia.toml`, or a table of `pyproject.toml`), and pre-commit."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from difflib import get_close_matches
from glob import escape
from importlib import import_module
from typing import Any, NamedTuple

from sdfinertia.errors import ConfigurationError, ResourceError
from sdfinertia.files import is_inside, read_regular_file
from sdfinertia.options import KEYS, ONLY_ON_COMMAND_LINE, OPTIONS, Given, Option, instead_of, shown_value
from sdfinertia.robot.numbers import finite

OWN_FILE = "sdfinertia.toml"
SHARED_FILE = "pyproject.toml"
_SHARED_TABLE = b"sdfinertia"
_MAX_BYTES = 1 << 20
# Options that are negated on the command line, by both names.
_NEGATED = {f"no-{option.long}": option for option in OPTIONS.values() if option.default is True}
# Tables of `compare`, which are no options.
_COMPARE = "compare"

# A command that readers of a run as a hook can type: `sdfinertia` itself lies in an environment of pre-commit's own,
# where no shell finds it.
FILL_HOOK = "pre-commit run sdfinertia-fill --all-files"


def is_in_pre_commit() -> bool:
    """Whether pre-commit runs this: since 2.5 it sets PRE_COMMIT=1."""
    return os.environ.get("PRE_COMMIT") == "1"


def configured_in(directory: str, confine: str | None = None) -> Given:
    """The options of a directory; links in its configuration do not lead out of `confine`."""
    found = find_configuration(os.path.abspath(directory), confine)
    return read_configuration(found, confine) if found is not None else {}


def find_configuration(directory: str, confine: str | None = None) -> str | None:
    """The nearest `sdfinertia.toml` at or above a directory, else the nearest `pyproject.toml` with our table."""
    ancestors = [directory]
    while (above := os.path.dirname(ancestors[-1])) != ancestors[-1]:
        ancestors.append(above)
    own, shared = ([os.path.join(each, name) for each in ancestors] for name in (OWN_FILE, SHARED_FILE))
    if found := next(filter(os.path.isfile, own), None):
        return found
    return next((path for path in shared if os.path.isfile(path) and _own_table(path, confine) is not None), None)


def _own_table(path: str, confine: str | None) -> object:
    tools = _parse(path, confine).get("tool") if _SHARED_TABLE in _read(path, confine) else None
    return tools.get("sdfinertia") if isinstance(tools, dict) else None


def read_configuration(path: str, confine: str | None = None) -> Given:
    table = _table_of(path, confine)
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key in KEYS:
            values[KEYS[key].name] = _value(key, KEYS[key], value, path)
        elif key in _NEGATED:
            values[_NEGATED[key].name] = not _value(key, _NEGATED[key], value, path)
        elif key == _COMPARE:
            continue
        elif key.replace("-", "_") in ONLY_ON_COMMAND_LINE:
            reason = ONLY_ON_COMMAND_LINE[key.replace("-", "_")]
            raise ConfigurationError(
                f"{key} cannot be set in a configuration file, since {reason}",
                file=path,
                remedy=f"remove it, and {instead_of(key) or f'give --{key} on the command line'}",
            )
        elif instead := instead_of(key):
            raise ConfigurationError(f"the key {key!r} is gone", file=path, remedy=instead)
        else:
            known = sorted([*KEYS, *_NEGATED, _COMPARE])
            raise ConfigurationError(f"unknown key {key!r}", file=path, remedy=_meant(key, known))
    return values


def _table_of(path: str, confine: str | None) -> dict[str, object]:
    table = _own_table(path, confine) if os.path.basename(path) == SHARED_FILE else _parse(path, confine)
    if not isinstance(table, dict):
        raise ConfigurationError("tool.sdfinertia must be a table", file=path)
    return table


class ComparedPair(NamedTuple):
    """A table `[[compare]]`; the paths are absolute, None leaves a value to the command line."""

    first: str
    second: str
    tolerance: float | None = None
    lumped: bool = False
    allow_unmatched: bool = False
    rename: tuple[str, ...] = ()

    def overridden(self, given: ComparedPair) -> ComparedPair:
        """By the values of the command line, with paths from here."""
        return ComparedPair(
            _from_here(self.first),
            _from_here(self.second),
            given.tolerance if given.tolerance is not None else self.tolerance,
            given.lumped or self.lumped,
            given.allow_unmatched or self.allow_unmatched,
            given.rename,
        )


def _from_here(path: str) -> str:
    shown = os.path.relpath(path)
    return path if shown.startswith(os.pardir) else shown


def read_comparisons(path: str, confine: str | None = None) -> list[ComparedPair]:
    tables = _table_of(path, confine).get(_COMPARE, [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ConfigurationError("compare must be tables, each written [[compare]]", file=path)
    return [_compared_pair(table, path) for table in tables]


def _compared_pair(table: dict[str, object], path: str) -> ComparedPair:
    keys = {"first": str, "second": str, "tolerance": (int, float), "lumped": bool, "allow-unmatched": bool}
    for key, value in table.items():
        if key not in keys:
            raise ConfigurationError(f"unknown key {key!r} in [[compare]]", file=path, remedy=_meant(key, list(keys)))
        is_number = key == "tolerance"
        if not isinstance(value, keys[key]) or (is_number and (isinstance(value, bool) or finite(value) is None)):  # type: ignore[arg-type]
            kind = "a finite number" if is_number else "true or false" if keys[key] is bool else "a path"
            raise ConfigurationError(f"{key} in [[compare]] must be {kind}, not {shown_value(value)}", file=path)
    for key in ("first", "second"):
        if key not in table:
            raise ConfigurationError(f"[[compare]] needs {key}, the path of a description", file=path)
    values = {key.replace("-", "_"): value for key, value in table.items()}
    places = {key: os.path.join(os.path.dirname(path), str(values[key])) for key in ("first", "second")}
    return ComparedPair(**{**values, **places})  # type: ignore[arg-type]


def _meant(key: str, known: list[str]) -> str:
    meant = "".join(f"did you mean {name}? " for name in get_close_matches(key, known, n=1))
    return f"{meant}valid keys: {', '.join(known)}"


def _value(key: str, option: Option, value: object, path: str) -> Any:
    held = value
    if key == "xacro-arg" and isinstance(value, dict):
        held = tuple(_arguments(value, path))
    elif option.is_list and isinstance(value, str):
        held = (value,)
    try:
        checked = option.checked(held, key)
    except ConfigurationError as error:
        raise error.within(file=path) from None
    directory = os.path.dirname(path)
    if option.name == "resource_path":
        return tuple(os.path.join(directory, each) for each in checked)
    if option.metavar == "DIR":
        return os.path.join(directory, checked)
    if option.name == "exclude":
        return tuple(_placed(glob, directory) for glob in checked)
    return checked


def _arguments(table: dict[str, object], path: str) -> Iterator[str]:
    """The arguments of xacro in a table: by name, or in a table for the paths that a glob matches."""
    for name, value in table.items():
        if isinstance(value, dict):
            glob = _placed(name, os.path.dirname(path))
            yield from (f"{glob} {argument}" for argument in _arguments(value, path))
        elif isinstance(value, bool):
            yield f"{name}:={str(value).lower()}"
        elif isinstance(value, str | int | float):
            yield f"{name}:={value}"
        else:
            raise ConfigurationError(f"xacro-arg must hold texts and numbers, not {shown_value(value)}", file=path)


def _placed(glob: str, directory: str) -> str:
    """A glob relative to a directory; without a slash it matches names anywhere, and is unchanged."""
    return f"{escape(directory)}/{glob}" if "/" in glob.rstrip("/") and not glob.startswith("/") else glob


def _read(path: str, confine: str | None) -> bytes:
    is_of_tree = confine is not None and is_inside(os.path.dirname(path), confine)
    try:
        return read_regular_file(path, _MAX_BYTES, confine=confine if is_of_tree else None)
    except ResourceError as error:
        raise ConfigurationError(error.problem, file=path) from None


def _parse(path: str, confine: str | None) -> dict[str, object]:
    # It takes 6 ms to load, and few directories have a configuration.
    toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")
    try:
        table: dict[str, object] = toml.loads(_read(path, confine).decode("utf-8"))
    except (ValueError, RecursionError) as error:
        # Besides malformed TOML and UTF-8: numbers of thousands of digits, and arrays nested too deep.
        raise ConfigurationError(f"is not valid TOML: {error}", file=path) from None
    return table
