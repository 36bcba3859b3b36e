"""The values of `$(arg ...)`, `$(find ...)` and the like, the parameters of macros, and the values in YAML files."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

from sdfinertia.errors import SdfInertiaError
from sdfinertia.files.finder import Finder
from sdfinertia.xacro.sandbox import TRUST, Guard, MissingError, Quotes, RefusedError


class Substitutions:
    def __init__(self, xacro: Any, request: dict[str, Any], guard: Guard, quotes: Quotes) -> None:
        self._xacro = xacro
        self._request = request
        self._guard = guard
        self._quotes = quotes
        self._packages: dict[str, str] = {}

    def value_of(self, text: str) -> str:
        inside = text[2:-1]
        command, _, rest = inside.strip().partition(" ")
        words = rest.split()
        if command == "eval":
            return str(self._evaluated(rest))
        match command, words:
            case "cwd", []:
                return os.path.abspath(os.curdir)
            case "dirname", []:
                return os.path.dirname(os.path.abspath(str(self._xacro.filestack[-1])))
            case "find", [name]:
                return self.package(name)
            case "arg", [name]:
                return self.argument(name)
            case "env", [name]:
                return self.variable(name)
            case "optenv", [name, *default]:
                return self.variable(name, " ".join(default))
        raise RefusedError(
            f"unknown substitution {self._quotes.quoted(text)}",
            "xacro has find, arg, env, optenv, eval, dirname and cwd",
        )

    def _evaluated(self, expression: str) -> object:
        names: dict[str, object] = {name: each for name, each in vars(math).items() if not name.startswith("_")}
        names.update(true=True, false=False, str=str, float=float, int=int, list=list, dict=dict, map=map)
        names.update({name: _converted(value) for name, value in self._arguments().items()})
        names.update(arg=lambda name: _converted(self.argument(name)), find=self.package, env=self.variable)
        names.update(
            optenv=lambda name, default="": self.variable(name, default), dirname=lambda: self.value_of("$(dirname)")
        )
        value: object = self._xacro.safe_eval(expression, names)
        return value

    def _arguments(self) -> dict[str, str]:
        found: dict[str, str] = self._xacro.substitution_args_context["arg"]
        return found

    def argument(self, name: str) -> str:
        try:
            return self._arguments()[name]
        except KeyError:
            shown = self._quotes.quoted(name)
            remedy = f"give it with --xacro-arg {name if self._quotes.may_quote(name) else 'NAME'}:=VALUE"
            raise MissingError(f"argument {shown} has no value", remedy) from None

    def variable(self, name: str, default: str | None = None) -> str:
        if self._request["confine"] is not None and not self._request["trusts"]:
            raise RefusedError(f"environment variable {self._quotes.quoted(name)} is not read with --confine", TRUST)
        value: str | None = self._request["environment"].get(name, default)
        if value is None:
            raise RefusedError(
                f"environment variable {self._quotes.quoted(name)} is not set", "set it, or use $(optenv)"
            )
        return value

    @cached_property
    def _finder(self) -> Finder:
        request = self._request
        return Finder(request["resource_path"], request["confine"], request["environment"], exclude=request["exclude"])

    def package(self, name: str) -> str:
        if name not in self._packages:
            try:
                with self._guard.ours():
                    self._packages[name] = self._finder.package(name, self._request["path"])
            except SdfInertiaError as error:
                _, tried, places = error.problem.partition(" (tried ")
                if not self._quotes.may_quote(name):
                    raise RefusedError("package not found, whose name is computed") from None
                raise RefusedError(f"package not found: {name}{tried}{places}", error.remedy) from None
        return self._packages[name]


def _converted(value: str) -> object:
    for convert in (int, float, {"true": True, "false": False}.__getitem__):
        try:
            return convert(value.lower())
        except (KeyError, ValueError):
            continue
    return value


_PARAMETER = re.compile(r"\s*([^\s:=]+)\s*:?=\s*(\^\|?)?")
# A default: one of these alone, else the text up to a blank.
_WHOLE_DEFAULT = re.compile(r"(?:\$\{[^}]*\}|\$\([^)]*\))(?=\s|\Z)")
_PART_OF_DEFAULT = re.compile(r"'[^']*'|\"[^\"]*\"|[^\s'\"]+")


def parse_macro_arg(text: str) -> tuple[str, tuple[str | None, str | None] | None, str]:
    """A parameter, the property that it forwards and its default, and the rest of the text, as xacro's function."""
    match = _PARAMETER.match(text)
    if match is not None:
        name, forward = match.groups()
        end = _end_of_default(text, match.end())
        if not text[end : end + 1].strip():
            return name, (name if forward else None, text[match.end() : end] or None), text[end:].lstrip()
    first, _, rest = text.strip().partition(" ")
    return first, None, rest


def _end_of_default(text: str, at: int) -> int:
    whole = _WHOLE_DEFAULT.match(text, at)
    if whole is not None:
        return whole.end()
    while (part := _PART_OF_DEFAULT.match(text, at)) is not None:
        at = part.end()
    return at


def values_of(data: bytes, name: str, units: Mapping[str, float], evaluate: Callable[[str], object]) -> object:
    """The values of a YAML file; `units` are factors by tag."""
    import yaml

    class Loader(yaml.SafeLoader):
        pass

    def with_unit(factor: float, loader: Any, node: Any) -> float:
        try:
            return float(evaluate(loader.construct_scalar(node))) * factor  # type: ignore[arg-type]
        except Exception:
            # Its message quotes the file.
            where = f"line {node.start_mark.line + 1}"
            raise RefusedError(f"{name} has a value with a unit that is not arithmetic ({where})") from None

    def refuse(kind: str, *_: object) -> object:
        raise RefusedError(f"{name} has a value of type {kind}, which xacro may not use")

    for tag, factor in units.items():
        Loader.add_constructor(tag, partial(with_unit, factor))
    Loader.add_constructor("tag:yaml.org,2002:timestamp", lambda loader, node: loader.construct_scalar(node))  # type: ignore[arg-type]
    for kind in ("set", "binary", "omap", "pairs"):
        Loader.add_constructor(f"tag:yaml.org,2002:{kind}", partial(refuse, kind))
    try:
        return yaml.load(data, Loader)  # noqa: S506  # a loader that is safe
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark is not None else ""
        raise RefusedError(f"{name} is not valid YAML{where}") from None
