"""Limits of the process that runs xacro, which evaluates Python.

Expressions are checked before they are evaluated. An audit hook, which cannot be removed, then refuses everything but
reading files.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import CodeType

from sdfinertia.files.regular_file import is_inside

_BYTES = 2 << 30

TRUST = "give --trust-xacro if you trust the file"
# Audit events of expanding a document; all others are refused.
_HARMLESS = frozenset(
    {
        *("compile", "exec", "code.__new__", "marshal.loads", "object.__getattr__", "sys._getframe", "builtins.id"),
        *("cpython.run_command", "gc.collect", "sys._current_frames"),
    }
)
_LISTS = frozenset({"os.listdir", "os.scandir", "os.walk", "os.fwalk", "glob.glob", "glob.glob/2"})
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_NODES = (
    *(ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Store, ast.expr_context),
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.operator, ast.unaryop, ast.boolop, ast.cmpop),
    *(ast.Subscript, ast.Slice, ast.Attribute, ast.Call, ast.keyword, ast.Starred),
    *(ast.List, ast.Tuple, ast.Dict, ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.comprehension),
)
# They lead from a value to its class: `format` reads the attributes that its text names.
_REFUSED_ATTRIBUTES = frozenset({"format", "format_map", "mro"})
# So do these functions, which xacro offers.
REFUSED_FUNCTIONS = ("vars", "type")
# Compiling takes memory in proportion.
_LONGEST = 10_000


class RefusedError(Exception):
    """Something that xacro may not do."""

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy


def limit_resources(seconds: int, size: int = _BYTES) -> None:
    """Limits time and memory of this process, and forbids it to write files; does nothing on Windows."""
    if sys.platform == "win32":
        return
    import resource

    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, size), (resource.RLIMIT_FSIZE, 0)):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


class Guard:
    """The audit hook of the process; with `confine` nothing is read or listed outside that directory."""

    def __init__(self, confine: str | None) -> None:
        self._confine = confine
        self._is_ours = False

    def install(self) -> None:
        sys.addaudithook(self._audit)

    @contextmanager
    def ours(self) -> Iterator[None]:
        """Allows our own code to read, which respects --confine by itself."""
        before, self._is_ours = self._is_ours, True
        try:
            yield
        finally:
            self._is_ours = before

    def require_permitted(self, path: str) -> None:
        if self._confine is not None and not is_inside(path, self._confine):
            raise RefusedError(f"{path!r} is outside {self._confine}", "give --confine a wider directory")

    def _audit(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._is_ours or event in _HARMLESS:
            return
        if event == "open":
            path, mode, flags = arguments
            is_writing = (isinstance(mode, str) and not set("wax+").isdisjoint(mode)) or (
                isinstance(flags, int) and flags & _WRITES != 0
            )
            if is_writing:
                raise RefusedError(f"xacro tried to write {path!r}")
            if isinstance(path, (str, bytes)):
                self.require_permitted(os.fsdecode(path))
        elif event in _LISTS:
            if isinstance(arguments[0], (str, bytes)):
                self.require_permitted(os.fsdecode(arguments[0]).partition("*")[0] or os.curdir)
        elif event == "import":
            raise RefusedError(f"xacro tried to import {arguments[0]!r}")
        else:
            raise RefusedError(f"xacro tried a forbidden operation ({event})")


def require_arithmetic(expression: str) -> None:
    """Accepts expressions that only compute with numbers, texts, lists, tables and named functions.

    Raises:
        RefusedError: it does more.
        SyntaxError: it is not an expression.
    """
    if len(expression) > _LONGEST:
        raise RefusedError(f"an expression has {len(expression):,} characters, more than {_LONGEST:,}", TRUST)
    for node in ast.walk(ast.parse(expression.strip(), mode="eval")):
        if not isinstance(node, _NODES):
            raise RefusedError(f"{_shown(expression)} is more than arithmetic: {type(node).__name__}", TRUST)
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        is_inner = isinstance(node, ast.Attribute) and (name.startswith("_") or name in _REFUSED_ATTRIBUTES)
        if is_inner or name.startswith("__"):
            raise RefusedError(f"{_shown(expression)} is more than arithmetic: it names {name!r}", TRUST)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "__" in node.value:
            raise RefusedError(f"{_shown(expression)} is more than arithmetic: it holds '__'", TRUST)


def _shown(expression: str) -> str:
    return repr(expression if len(expression) <= 60 else f"{expression[:57]}...")


@cache
def _compiled(expression: str) -> CodeType:
    require_arithmetic(expression)
    return compile(expression.strip(), "<expression>", "eval")


def evaluate_arithmetic(expression: str, names: dict[str, object], local: Mapping[str, object] | None = None) -> object:
    """As `safe_eval` of xacro; macros repeat expressions, which are compiled once."""
    names.update(__builtins__={})
    return eval(_compiled(expression), names, local)  # noqa: S307  # only what was checked
