"""Every regular expression of the package takes time in proportion to the text, however the text repeats."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import time
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

import sdfinertia
from sdfinertia.markup import text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

pytestmark = pytest.mark.slow

try:
    from re import _parser as parser  # type: ignore[attr-defined]
except ImportError:  # Python 3.10
    import sre_parse as parser

METHODS = ("match", "fullmatch", "search", "sub", "findall", "finditer", "split")
# What repeats where the pattern itself suggests nothing.
PUMPS = tuple(" aA0-.,\n<='\"{$`")
# A linear match of the longest takes half a millisecond, a quadratic one a third of a second; the short ones
# come first, so that a match in exponential time is found before it lasts.
LENGTHS = (22, 400, 20_000)
SECONDS = 0.05
# Whoever iterates over markup stops at the first that is malformed.
MARKUP = text.MARKUP


class Used(NamedTuple):
    """A pattern, and the method by which a module uses it."""

    module: str
    pattern: re.Pattern[Any]
    method: str


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(sdfinertia.__path__, "sdfinertia."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def uses_of(module: ModuleType) -> Iterator[Used]:
    """The patterns in a module: the arguments of calls of `re`, with the methods of what is compiled."""
    tree = ast.parse(inspect.getsource(module))
    # `NAME.match(...)`, `FUNCTION().match(...)`.
    methods: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            owner = node.value.func if isinstance(node.value, ast.Call) else node.value
            if isinstance(owner, ast.Name):
                methods.setdefault(owner.id, set()).add(node.attr)
    owners = {
        id(call): name
        for node in ast.walk(tree)
        for name in _names_of(node)
        for call in ast.walk(node)
        if isinstance(call, ast.Call)
    }
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "re"):
            continue
        found = {node.func.attr} if node.func.attr in METHODS else methods.get(owners.get(id(node), ""), {"match"})
        flags = [argument.value for argument in node.keywords if argument.arg == "flags"]
        flags += node.args[1:2] if node.func.attr == "compile" else []
        for pattern in patterns(node.args[0], module):
            compiled = re.compile(pattern, _value(flags[0], module) if flags else 0)
            yield from (Used(module.__name__, compiled, method) for method in sorted(found))


def _names_of(node: ast.AST) -> Iterable[str]:
    if isinstance(node, ast.FunctionDef):
        return (node.name,)
    if isinstance(node, ast.Assign):
        return tuple(target.id for target in node.targets if isinstance(target, ast.Name))
    return ()


def patterns(argument: ast.expr, module: ModuleType) -> Iterator[str | bytes]:
    """What a call of `re` may be given: a value, or where a name inside a function stands for one, every constant."""
    try:
        yield _value(argument, module)
    except NameError:
        names = [value for value in vars(module).values() if isinstance(value, dict)]
        yield from (each for table in names for each in table.values() if isinstance(each, str | bytes))


def _value(expression: ast.expr, module: ModuleType) -> Any:
    return eval(compile(ast.Expression(expression), module.__name__, "eval"), vars(module))


def text_of(items: Iterable[tuple[Any, Any]]) -> str:
    """A shortest text that the parsed items match, nearly: what is asserted about it is passed over."""
    return "".join(_text_of(str(kind), value) for kind, value in items)


def _text_of(kind: str, value: Any) -> str:
    if kind == "LITERAL":
        return chr(value)
    if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return text_of(value[2]) * int(value[0])
    if kind == "SUBPATTERN":
        return text_of(value[-1])
    if kind == "BRANCH":
        return text_of(value[1][0])
    if kind == "IN":
        return next((c for c in "a0 -A<" if re.match(_set(value), c)), "")
    return "a" if kind in ("ANY", "NOT_LITERAL") else ""


def _set(items: list[tuple[Any, Any]]) -> str:
    """A parsed set as it is written."""
    classes = {"CATEGORY_DIGIT": r"\d", "CATEGORY_SPACE": r"\s", "CATEGORY_WORD": r"\w"}
    written = ""
    for kind, value in items:
        if str(kind) == "NEGATE":
            written = "^"
        elif str(kind) == "RANGE":
            written += f"{re.escape(chr(value[0]))}-{re.escape(chr(value[1]))}"
        elif str(kind) == "LITERAL":
            written += re.escape(chr(value))
        else:
            name = str(value)
            written += classes.get(name) or classes[name.replace("_NOT_", "_")].upper()
    return f"[{written}]"


def pumped(items: Iterable[tuple[Any, Any]], before: str = "") -> Iterator[tuple[str, str]]:
    """`(beginning, what repeats)` of each place of a parsed pattern at which something may repeat without end."""
    for kind, value in items:
        name = str(kind)
        if name.endswith("_REPEAT"):
            if int(value[1]) > 1000:
                yield from ((before, pump) for pump in dict.fromkeys((text_of(value[2]), *PUMPS)) if pump)
            yield from pumped(value[2], before)
        elif name == "SUBPATTERN":
            yield from pumped(value[-1], before)
        elif name == "BRANCH":
            for branch in value[1]:
                yield from pumped(branch, before)
        elif name in ("ASSERT", "ASSERT_NOT"):
            yield from pumped(value[1], before)
        before += _text_of(name, value)


def hostile_texts(pattern: re.Pattern[Any], length: int) -> Iterator[str]:
    parsed = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else 0)
    for beginning, pump in dict.fromkeys(pumped(parsed)):
        repeated = pump * (length // len(pump))
        yield beginning + repeated
        yield beginning + repeated + "\0"
        if beginning:
            both = beginning + pump
            yield both * (length // len(both))
    whole = text_of(parsed)
    for part in (whole, whole[:-1]):
        yield part * (length // len(part)) if part else ""


def seconds_of(used: Used, hostile: str) -> float:
    given = hostile.encode("latin-1", "replace") if isinstance(used.pattern.pattern, bytes) else hostile
    method = getattr(used.pattern, used.method)
    started = time.process_time()
    if used.method == "sub":
        method(given[:0], given)
    elif used.method == "finditer":
        for found in method(given):
            if used.pattern == MARKUP and found.lastindex is None:
                break
    else:
        method(given)
    return time.process_time() - started


def slow_texts(used: Used) -> Iterator[str]:
    for length in LENGTHS:
        for hostile in hostile_texts(used.pattern, length):
            # Several times, since something else may have been at work meanwhile.
            if all(seconds_of(used, hostile) > SECONDS for _ in range(5)):
                yield f"{hostile[:60]!r}, {len(hostile)} characters"
                return


def test_every_pattern_takes_time_in_proportion_to_the_text() -> None:
    used = {each for module in modules() for each in uses_of(module)}
    assert len(used) > 60
    slow = {f"{each.module}: {each.pattern.pattern!r}.{each.method}": list(slow_texts(each)) for each in used}
    assert not {name: texts for name, texts in slow.items() if texts}


def test_every_compiled_pattern_of_a_module_or_class_was_found() -> None:
    found = {each.pattern.pattern for module in modules() for each in uses_of(module)}
    for module in modules():
        classes = [each for each in vars(module).values() if inspect.isclass(each)]
        spaces = [vars(module), *(vars(each) for each in classes if each.__module__ == module.__name__)]
        values = [value for space in spaces for value in space.values()]
        assert {value.pattern for value in values if isinstance(value, re.Pattern)} <= found, module.__name__


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"(a+)+b", "match"),
        (r"\$\{\s*(-?)\s*[a-z]+\}", "search"),
        (r"<n>\s*([^<\s][^<]*?)\s*</n>", "search"),
        (r"\s*solid", "search"),
        (r"\$[{(]\s*([^})]*?)\s*[})]", "sub"),
    ],
)
def test_a_pattern_that_goes_back_again_and_again_is_found(pattern: str, method: str) -> None:
    assert list(slow_texts(Used("", re.compile(pattern), method)))
