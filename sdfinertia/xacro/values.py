"""Values that xacro reads from YAML: numbers, texts, lists and dictionaries. Messages never quote them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sdfinertia.xacro.expressions import is_data
from sdfinertia.xacro.sandbox import RefusedError


def values_of(data: bytes, name: str, units: Mapping[str, float], evaluate: Callable[[str], object]) -> object:
    """The values of a YAML file.

    Args:
        units: factors by tag.
        evaluate: computes a value with a unit.

    Raises:
        RefusedError: it is not valid, or holds something else.
    """
    import yaml

    class Loader(yaml.SafeLoader):
        pass

    def with_unit(factor: float) -> Callable[[Any, Any], float]:
        def construct(loader: Any, node: Any) -> float:
            try:
                return float(evaluate(loader.construct_scalar(node))) * factor  # type: ignore[arg-type]
            except Exception:
                # Its message quotes the file.
                where = f"line {node.start_mark.line + 1}"
                raise RefusedError(f"{name} has a value with a unit that is not arithmetic ({where})") from None

        return construct

    for tag, factor in units.items():
        Loader.add_constructor(tag, with_unit(factor))
    try:
        return _plain(yaml.load(data, Loader), name, {})  # noqa: S506  # a loader that is safe
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark is not None else ""
        raise RefusedError(f"{name} is not valid YAML{where}") from None
    except (ValueError, OverflowError):
        raise RefusedError(f"{name} has a number or date that cannot be") from None


def _plain(value: Any, name: str, known: dict[int, object]) -> object:
    """Lists and dictionaries, which may hold themselves, with dates as texts."""
    if id(value) in known:
        return known[id(value)]
    if isinstance(value, dict):
        table: dict[object, object] = {}
        known[id(value)] = table
        table.update((_plain(key, name, known), _plain(each, name, known)) for key, each in value.items())
        return table
    if type(value) is list:
        found: list[object] = []
        known[id(value)] = found
        found.extend(_plain(each, name, known) for each in value)
        return found
    if type(value).__name__ in ("date", "datetime"):
        return str(value)
    if not is_data(value):
        raise RefusedError(f"{name} has a value of type {type(value).__name__}, which xacro may not use")
    return value
