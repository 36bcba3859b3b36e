"""The values of `$(arg ...)`, `$(find ...)`, `$(env ...)`, `$(eval ...)` and the like."""

from __future__ import annotations

import math
import os
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sdfinertia.errors import SdfInertiaError
from sdfinertia.files.finder import Finder
from sdfinertia.xacro.sandbox import TRUST, Guard, MissingError, RefusedError

if TYPE_CHECKING:
    from sdfinertia.xacro.failures import Quotes


class Substitutions:
    """The values of substitutions: arguments, packages, variables of the environment, and expressions of these."""

    def __init__(self, xacro: Any, request: dict[str, Any], guard: Guard, quotes: Quotes) -> None:
        self._xacro = xacro
        self._request = request
        self._guard = guard
        self._quotes = quotes
        self._packages: dict[str, str] = {}

    def value_of(self, text: str) -> str:
        """The value of `$(find PKG)`, `$(arg NAME)` and the like."""
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
        """The value of `$(eval ...)`, where arguments are variables."""
        names: dict[str, object] = {name: each for name, each in vars(math).items() if not name.startswith("_")}
        names.update(true=True, false=False, str=str, float=float, int=int, list=list, dict=dict, map=map)
        names.update({name: _converted(value) for name, value in self._arguments().items()})
        names.update(arg=lambda name: _converted(self.argument(name)), find=self.package, env=self.variable)
        names.update(
            optenv=lambda name, default="": self.variable(name, default),
            dirname=lambda: self.value_of("$(dirname)"),
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
            remedy = f"give it with --xacro-arg {name if shown == repr(name) else 'NAME'}:=VALUE"
            raise MissingError(f"argument {shown} has no value", remedy) from None

    def variable(self, name: str, default: str | None = None) -> str:
        if self._request["confine"] is not None and not self._request["trusts"]:
            raise RefusedError(f"environment variable {self._quotes.quoted(name)} is not read with --confine", TRUST)
        value: str | None = self._request["variables"].get(name, default)
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
                if self._quotes.quoted(name) != repr(name):
                    raise RefusedError("package not found, whose name is computed") from None
                raise RefusedError(f"package not found: {name}{tried}{places}", error.remedy) from None
        return self._packages[name]


def _converted(value: str) -> object:
    """An argument as `$(eval ...)` sees it: a number or truth value if it can be read as one."""
    for convert in (int, float, {"true": True, "false": False}.__getitem__):
        try:
            return convert(value.lower())
        except (KeyError, ValueError):
            continue
    return value
