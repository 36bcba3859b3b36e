"""Values that xacro reads from YAML: numbers, texts, lists and dictionaries. Messages never quote them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from sdfinertia.xacro.sandbox import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


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

    def refuse(kind: str, *_: object) -> object:
        raise RefusedError(f"{name} has a value of type {kind}, which xacro may not use")

    for tag, factor in units.items():
        Loader.add_constructor(tag, with_unit(factor))
    Loader.add_constructor("tag:yaml.org,2002:timestamp", lambda loader, node: loader.construct_scalar(node))  # type: ignore[arg-type]
    for kind in ("set", "binary", "omap", "pairs"):
        Loader.add_constructor(f"tag:yaml.org,2002:{kind}", partial(refuse, kind))
    try:
        return yaml.load(data, Loader)  # noqa: S506  # a loader that is safe
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" (line {mark.line + 1})" if mark is not None else ""
        raise RefusedError(f"{name} is not valid YAML{where}") from None
    except (ValueError, OverflowError):
        raise RefusedError(f"{name} has a number that cannot be") from None
