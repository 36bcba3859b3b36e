"""Expressions of xacro on numbers, texts, lists and dictionaries, by a list of allowed functions and methods.

The syntax is checked before anything is evaluated. Each name, attribute and call in it is replaced by a function of
this module, so that no value of another type can arise and no other attribute of any object can be read.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING, Any

from sdfinertia.xacro.sandbox import TRUST, RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType

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
_VALUE, _FUNCTION, _ARGUMENT, _GET, _CALL = "<value>", "<function>", "<argument>", "<get>", "<call>"


def is_data(value: object) -> bool:
    return type(value) in _DATA or type(value).__name__ in ("YamlListWrapper", "YamlDictWrapper")


def _value(value: object) -> object:
    if not is_data(value):
        raise RefusedError(f"an expression uses {_kind(value)} as a value", TRUST)
    return value


def _kind(value: object) -> str:
    return "a function" if callable(value) else f"a value of type {type(value).__name__}"


def _argument(value: object) -> object:
    return value if is_data(value) or callable(value) else _value(value)


def _function(value: object) -> object:
    if not callable(value):
        raise TypeError(f"{type(value).__name__!r} object is not callable")
    return value


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
        function = self._wrapped(_FUNCTION, self._reached(node.func, is_called=True))
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
        if not isinstance(node, _NODES):
            raise RefusedError(f"{_shown(expression)} is more than arithmetic: {type(node).__name__}", TRUST)
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        is_inner = isinstance(node, ast.Attribute) and (name.startswith("_") or name in ("format", "format_map", "mro"))
        if is_inner or name.startswith("__"):
            raise RefusedError(f"{_shown(expression)} is more than arithmetic: it names {name!r}", TRUST)
        if isinstance(node, ast.Call) and not isinstance(node.func, (ast.Name, ast.Attribute)):
            raise RefusedError(f"{_shown(expression)} is more than arithmetic: it calls what is not a name", TRUST)
        if isinstance(node, ast.Constant) and not is_data(node.value):
            raise RefusedError(f"{_shown(expression)} is more than arithmetic: {type(node.value).__name__}", TRUST)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "__" in node.value:
            raise RefusedError(f"{_shown(expression)} is more than arithmetic: it holds '__'", TRUST)
    return tree


def _shown(expression: str) -> str:
    return repr(expression if len(expression) <= 60 else f"{expression[:57]}...")


@cache
def _compiled(expression: str) -> CodeType:
    tree = ast.fix_missing_locations(_Guarded().visit(require_arithmetic(expression)))
    return compile(tree, "<expression>", "eval")


def evaluate_arithmetic(expression: str, names: dict[str, object], local: Mapping[str, object] | None = None) -> object:
    """As `safe_eval` of xacro; macros repeat expressions, which are compiled once."""
    names.update(__builtins__={_VALUE: _value, _FUNCTION: _function, _ARGUMENT: _argument, _GET: _get, _CALL: _call})
    return eval(_compiled(expression), names, local)  # noqa: S307  # checked before
