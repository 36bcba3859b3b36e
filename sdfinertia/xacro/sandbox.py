"""Limits of the process that runs xacro, which evaluates Python, and errors in words.

An audit hook, which cannot be removed, refuses everything but reading regular files. Messages quote no value of a YAML
file. The syntax of expressions is checked before anything is evaluated: they take numbers, texts, lists and
dictionaries, by a list of allowed functions and methods. Each name, attribute and call in them is replaced by a
function of this module, so that no value of another type can arise and no other attribute of any object can be read.
"""

from __future__ import annotations

import ast
import os
import resource
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from types import CodeType
from typing import Any

from sdfinertia.errors import SdfInertiaError
from sdfinertia.files import is_inside

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


class RefusedError(Exception):
    """An operation that xacro may not do."""

    def __init__(self, problem: str, remedy: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.remedy = remedy


class MissingError(RefusedError):
    """An argument or value is missing, which another file, or the command line, may give."""


def limit_resources(seconds: int, size: int = _BYTES) -> None:
    """Limits time and memory, and forbids writing; does nothing on Windows."""
    if sys.platform == "win32":
        return

    for kind, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, size), (resource.RLIMIT_FSIZE, 0)):
        hard = resource.getrlimit(kind)[1]
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (most, most))


class Guard:
    """The audit hook of the process; with `confine` nothing is read or listed outside that directory."""

    def __init__(self, confine: str | None, quoted: Callable[[str], str] = repr) -> None:
        self._confine = confine
        self._quoted = quoted
        self._is_ours = False

    def install(self) -> None:
        sys.addaudithook(self._audit)

    @contextmanager
    def ours(self) -> Iterator[None]:
        before, self._is_ours = self._is_ours, True
        try:
            yield
        finally:
            self._is_ours = before

    def require_permitted(self, path: str) -> None:
        if self._confine is not None and not is_inside(path, self._confine):
            raise RefusedError(f"{self._quoted(path)} is outside {self._confine}", "give --confine a wider directory")

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
                name = os.fsdecode(path)
                self.require_permitted(name)
                if os.path.exists(name) and not os.path.isfile(name):
                    raise RefusedError(f"{name!r} is not a regular file")
        elif event in _LISTS:
            if isinstance(arguments[0], (str, bytes)):
                self.require_permitted(os.fsdecode(arguments[0]).partition("*")[0] or os.curdir)
        elif event == "import":
            raise RefusedError(f"xacro tried to import {arguments[0]!r}")
        else:
            raise RefusedError(f"xacro tried a forbidden operation ({event})")


# The beginnings of xacro's messages that are clear without their quotation.
_KNOWN = (
    *("unknown macro name", "Undefined block", "Undefined parameters", "Invalid parameter", "Not enough blocks"),
    *("Unused block", "circular variable definition", "Property names must be valid", "Xacro conditional"),
    *("Undefined property to forward", "file not found", "redefining global symbol", "inconsistent namespace"),
    *("Include tag's filename spec", "Using load_yaml() directly", "Child elements of a <xacro:include>"),
    "invalid expression",
)
# Those on something missing that another file may give.
_MISSING = ("unknown macro name", "Undefined block", "Undefined parameters", "Undefined property to forward")
# Longest message of xacro.
_LONGEST_MESSAGE = 300


class Quotes:
    """Texts that messages may quote: those of source files, not values that were read."""

    def __init__(self) -> None:
        self.contents: list[str] = []
        # Whether values were read.
        self.has_values = False

    def may_quote(self, text: str) -> bool:
        found = text.encode("utf-8", "replace").decode("latin-1")
        return not self.has_values or any(found in each for each in self.contents)

    def quoted(self, text: str) -> str:
        return repr(text) if self.may_quote(text) else "that is computed"

    def without_values(self, text: str) -> str:
        if not self.has_values:
            return text
        return next((each for each in _KNOWN if text.startswith(each)), "xacro has a message with values that it read")


def chain(error: BaseException) -> list[BaseException]:
    found: BaseException | None = error
    seen: list[BaseException] = []
    while found is not None and found not in seen:
        seen.append(found)
        found = getattr(found, "exc", None) or found.__cause__ or found.__context__
    return seen


def lacks_something(errors: list[BaseException]) -> bool:
    return any(isinstance(each, (MissingError, NameError)) or str(each).startswith(_MISSING) for each in errors)


def problem_and_remedy(errors: list[BaseException], quotes: Quotes, xacro_error: type[Exception]) -> tuple[str, str]:
    for each in errors:
        if isinstance(each, RefusedError):
            return each.problem, each.remedy
        if isinstance(each, SdfInertiaError):
            file = each.file or ""
            shown = file if quotes.may_quote(os.path.basename(file)) else "a file"
            return f"{shown}: {each.problem}" if file else each.problem, each.remedy
        if isinstance(each, RecursionError):
            return "macros, includes or properties call themselves endlessly", ""
        if isinstance(each, MemoryError):
            return "it takes more than 2 GiB of memory", ""
    text = " ".join(str(errors[0]).split()) or type(errors[0]).__name__
    if quotes.has_values:
        text = _words(errors, quotes, xacro_error)
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[: _LONGEST_MESSAGE - 3]}...", ""


def _words(errors: list[BaseException], quotes: Quotes, xacro_error: type[Exception]) -> str:
    last = errors[-1]
    name = str(getattr(last, "name", "") or "")
    is_plain = isinstance(last, (TypeError, ZeroDivisionError))
    if is_plain or (isinstance(last, NameError) and quotes.may_quote(name)):
        problem = str(last)
    elif isinstance(last, xacro_error):
        problem = quotes.without_values(str(last))
    else:
        problem = f"an expression cannot be evaluated ({type(last).__name__})"
    # "when evaluating expression '...'"
    suffixes = [str(getattr(each, "suffix", None) or "").strip() for each in errors]
    return " ".join([problem, *(each for each in suffixes if each and quotes.may_quote(each.partition("'")[2][:-1]))])


# Expressions ---------------------------------------------------------------------------------------------------------

_NODES = (
    *(ast.Expression, ast.Constant, ast.Name, ast.Load, ast.Store, ast.expr_context),
    *(ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.operator, ast.unaryop, ast.boolop, ast.cmpop),
    *(ast.Subscript, ast.Slice, ast.Attribute, ast.Call, ast.keyword, ast.Starred),
    *(ast.List, ast.Tuple, ast.Dict, ast.ListComp, ast.DictComp, ast.comprehension),
)
# Compiling takes memory in proportion.
_LONGEST = 10_000
# `format` reads the attributes that its text names, and `encode` gives bytes.
_METHODS: Mapping[type, frozenset[str]] = {
    kind: frozenset(name for name in dir(kind) if not name.startswith("_"))
    - {"format", "format_map", "maketrans", "encode", "from_bytes", "to_bytes", "fromhex"}
    for kind in (bool, int, float, str, list, tuple, dict)
}
_ITERATORS = tuple(map(type, ({}.keys(), {}.values(), {}.items(), range(0))))
_DATA = (type(None), *_METHODS, *_ITERATORS)
# Functions that take functions, and those of types.
_TAKE_FUNCTIONS = ("map", "filter", "sorted", "sort", "min", "max", "isinstance", "issubclass")
# Functions that xacro offers and that give other types, or an order that is not in the file.
REFUSED_FUNCTIONS = ("vars", "type", "set", "frozenset", "hash", "complex", "slice")
_VALUE, _ARGUMENT, _GET, _CALL = "<value>", "<argument>", "<get>", "<call>"


def is_data(value: object) -> bool:
    return type(value) in _DATA or type(value).__name__ in ("YamlListWrapper", "YamlDictWrapper")


def _value(value: object) -> object:
    if not is_data(value):
        kind = "a function" if callable(value) else f"a value of type {type(value).__name__}"
        raise RefusedError(f"an expression uses {kind} as a value", TRUST)
    return value


def _argument(value: object) -> object:
    return value if callable(value) else _value(value)


def _is_namespace(value: object) -> bool:
    return type(value).__name__ in ("NameSpace", "Table")


def _get(value: Any, name: str, is_called: bool) -> object:
    if _is_namespace(value):
        try:
            found = value[name]
        except KeyError:
            raise NameError(f"name {name!r} is not defined") from None
        return found if is_called or _is_namespace(found) else _value(found)
    _value(value)
    methods = next((_METHODS[kind] for kind in _METHODS if isinstance(value, kind)), frozenset[str]())
    if name in methods and (is_called or not callable(getattr(value, name))):
        return getattr(value, name)
    if type(value).__name__ == "YamlDictWrapper":
        # Its own attributes are its keys, which are data.
        return _value(value[name])
    raise AttributeError(f"{type(value).__name__!r} object has no attribute {name!r}")


def _call(function: Callable[..., object], /, *arguments: object, **named: object) -> object:
    found = function(*arguments, **named)
    if isinstance(found, (map, filter, zip, enumerate, reversed)) or type(found).__name__.endswith("iterator"):
        return list(found)  # type: ignore[call-overload]
    return _value(found)


class _Guarded(ast.NodeTransformer):
    def _wrapped(self, guard: str, *arguments: ast.expr) -> ast.expr:
        return ast.Call(ast.Name(guard, ast.Load()), list(arguments), [])

    def _reached(self, node: ast.expr, *, is_called: bool) -> ast.expr:
        if isinstance(node, ast.Attribute):
            inside = self._reached(node.value, is_called=False)
            return self._wrapped(_GET, inside, ast.Constant(node.attr), ast.Constant(is_called))
        if isinstance(node, ast.Name):
            return node
        found: ast.expr = self.visit(node)
        return found

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._wrapped(_VALUE, node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        return self._wrapped(_VALUE, self._reached(node, is_called=False))

    def visit_Call(self, node: ast.Call) -> ast.expr:
        last = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        takes = last in _TAKE_FUNCTIONS
        function = self._reached(node.func, is_called=True)
        arguments = [self._passed(each, takes) for each in node.args]
        named = [ast.keyword(each.arg, self._passed(each.value, takes)) for each in node.keywords]
        return ast.Call(ast.Name(_CALL, ast.Load()), [function, *arguments], named)

    def _passed(self, node: ast.expr, takes_functions: bool) -> ast.expr:
        if takes_functions and isinstance(node, (ast.Name, ast.Attribute)):
            return self._wrapped(_ARGUMENT, self._reached(node, is_called=True))
        found: ast.expr = self.visit(node)
        return found


def require_arithmetic(expression: str) -> ast.Expression:
    """Refuses expressions that do more than compute with numbers, texts, lists, dictionaries and named functions."""
    if len(expression) > _LONGEST:
        raise RefusedError(f"an expression has {len(expression):,} characters, more than {_LONGEST:,}", TRUST)
    tree = ast.parse(expression.strip(), mode="eval")
    for node in ast.walk(tree):
        if found := _beyond_arithmetic(node):
            shown = repr(expression if len(expression) <= 60 else f"{expression[:57]}...")
            raise RefusedError(f"{shown} is more than arithmetic: {found}", TRUST)
    return tree


def _beyond_arithmetic(node: ast.AST) -> str:
    match node:
        case ast.Attribute(attr=name) if name.startswith("_") or name in ("format", "format_map", "mro"):
            return f"it names {name!r}"
        case ast.Name(id=name) if name.startswith("__"):
            return f"it names {name!r}"
        case ast.Call(func=function) if not isinstance(function, (ast.Name, ast.Attribute)):
            return "it calls what is not a name"
        case ast.Constant(value=value) if not is_data(value):
            return type(value).__name__
        case ast.Constant(value=str(text)) if "__" in text:
            return "it holds '__'"
    return "" if isinstance(node, _NODES) else type(node).__name__


@cache
def _compiled(expression: str) -> CodeType:
    tree = ast.fix_missing_locations(_Guarded().visit(require_arithmetic(expression)))
    return compile(tree, "<expression>", "eval")


def evaluate_arithmetic(expression: str, names: dict[str, object], local: Mapping[str, object] | None = None) -> object:
    """As `safe_eval` of xacro; macros repeat expressions, which are compiled once."""
    names.update(__builtins__={_VALUE: _value, _ARGUMENT: _argument, _GET: _get, _CALL: _call})
    return eval(_compiled(expression), names, local)  # noqa: S307  # checked before
