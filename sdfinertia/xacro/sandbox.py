"""What xacro may do in its process: take some time and memory, read files, and compute.

xacro evaluates Python. Two walls stand round that: expressions are looked at before they are evaluated, and an audit
hook, which cannot be taken out again, refuses what the process does beyond reading.
"""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sdfinertia.files.regular_file import is_inside

_BYTES = 2 << 30

TRUST = "give --trust-xacro if you trust the file"
# All that goes on while a document is expanded; whatever else Python reports is refused.
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
# Ways from a value to the classes behind it: `format` reads attributes that its text names.
_REFUSED_ATTRIBUTES = frozenset({"format", "format_map", "mro"})
# Functions that xacro offers and that lead there as well.
REFUSED_FUNCTIONS = ("vars", "type")
# Longer texts are no arithmetic; compiling takes memory in proportion.
_LONGEST = 10_000


class RefusedError(Exception):
    """What xacro may not do; the message says what to do."""

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy


def limit_resources(seconds: int, size: int = _BYTES) -> None:
    """Bounds the time and memory of this process, and takes from it the right to write files; not on Windows."""
    if sys.platform == "win32":
        return
    import resource

    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, size), (resource.RLIMIT_FSIZE, 0)):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


class Guard:
    """The audit hook of the process.

    Args:
        confine: a directory outside which nothing is read or listed.
    """

    def __init__(self, confine: str | None) -> None:
        self._confine = confine
        self._is_ours = False

    def install(self) -> None:
        sys.addaudithook(self._audit)

    @contextmanager
    def ours(self) -> Iterator[None]:
        """Lets this program read meanwhile: it keeps to the directory by its own means. Nothing of xacro's runs."""
        before, self._is_ours = self._is_ours, True
        try:
            yield
        finally:
            self._is_ours = before

    def require_permitted(self, path: str) -> None:
        if self._confine is not None and not is_inside(path, self._confine):
            raise RefusedError(
                f"{path!r} is outside {self._confine}, and not looked at", "name a wider directory by --confine"
            )

    def _audit(self, event: str, arguments: tuple[object, ...]) -> None:
        if self._is_ours or event in _HARMLESS:
            return
        if event == "open":
            path, mode, flags = arguments
            is_writing = (isinstance(mode, str) and not set("wax+").isdisjoint(mode)) or (
                isinstance(flags, int) and flags & _WRITES != 0
            )
            if is_writing:
                raise RefusedError(f"xacro would write {path!r}")
            if isinstance(path, (str, bytes)):
                self.require_permitted(os.fsdecode(path))
        elif event in _LISTS:
            if isinstance(arguments[0], (str, bytes)):
                self.require_permitted(os.fsdecode(arguments[0]).partition("*")[0] or os.curdir)
        elif event == "import":
            raise RefusedError(f"xacro would load the module {arguments[0]!r}")
        else:
            raise RefusedError(f"xacro would do what Python calls {event!r}")


def require_arithmetic(expression: str) -> None:
    """Refuses an expression that does more than compute with numbers, texts, lists, tables and functions by name.

    Raises:
        RefusedError: it does.
        SyntaxError: it is no expression.
    """
    if len(expression) > _LONGEST:
        raise RefusedError(f"an expression of {len(expression):,} characters is not evaluated", TRUST)
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


Evaluate = Callable[..., object]


def arithmetic_only(evaluate: Evaluate) -> Evaluate:
    """The function that evaluates an expression, once it is seen to be arithmetic."""

    def evaluate_arithmetic(expression: str, *places: object) -> object:
        require_arithmetic(expression)
        return evaluate(expression, *places)

    return evaluate_arithmetic
