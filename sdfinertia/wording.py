"""Messages in the words of their readers: arguments for callers of Python, settings for users of an editor.

Messages name options as the command line has them, and commands in backticks. Commands do without this module, which
is loaded when the API or an editor needs it. It lies below the errors, which hand it their texts.
"""

from __future__ import annotations

import re
from typing import Any, TypeVar, cast

__all__ = ["for_callers", "for_editors", "with_arguments"]

_T = TypeVar("_T")
# An option where no name or path goes on, and a word that it takes.
_OPTION = re.compile(r"(?<![\w./'-])--([a-z]+(?:-[a-z]+)*)(?![\w-])(?: ([a-z]+_[a-z_]+))?")
# A command line: one in brackets, one of ours, or of another program.
_COMMAND_LINE = re.compile(
    r" \(`\w+ [^`]*`\)|`sdfinertia ([a-z]+)\b[^`]*`|`([a-z]+) --[^`]*`|`(git|gz|pipx?|uv|xacro|dask) [^`]*`"
)
# Arguments that are not named as the option is.
_ARGUMENTS = {"no_refresh": "refresh=False", "no_provenance": "provenance=False", "jobs": "workers"}
# The fields of results that hold messages, and those that hold results.
_MESSAGES = frozenset({"message", "problem", "remedy", "advice", "obstacle", "notes", "error", "errors"})
_RESULTS = frozenset({"links", "repairs", "warnings", "findings", "result", "why"})


def for_callers(result: _T) -> _T:
    """A result whose messages name arguments of Python; the same object where none names an option."""
    value: Any = result
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        each = [for_callers(entry) for entry in value]
        is_same = all(new is old for new, old in zip(each, value, strict=True))
        return result if is_same else cast("_T", type(value)(each))
    names: tuple[str, ...] = getattr(value, "_fields", ()) or tuple(getattr(value, "__dataclass_fields__", ()))
    changed = {
        name: new
        for name in names
        if (reword := _message_for_callers if name in _MESSAGES else for_callers if name in _RESULTS else None)
        and (new := reword(old := getattr(value, name))) is not old
    }
    if not changed:
        return result
    if hasattr(value, "_replace"):
        return cast("_T", value._replace(**changed))
    # Imported only for results that are dataclasses.
    from dataclasses import replace

    return cast("_T", replace(value, **changed))


def _message_for_callers(message: Any) -> Any:
    """A message, an error, or several."""
    if isinstance(message, str):
        return with_arguments(message)
    if isinstance(message, tuple) and not hasattr(message, "_fields"):
        each = tuple(map(_message_for_callers, message))
        return each if any(new is not old for new, old in zip(each, message, strict=True)) else message
    return message.reworded(with_arguments) if hasattr(message, "reworded") else message


def with_arguments(text: str) -> str:
    """The text with `open_mesh="voxel"` for `--open-mesh voxel`; backticks mark commands, which stay."""
    if "--" not in text:
        return text

    def argument(match: re.Match[str]) -> str:
        name, word = match[1].replace("-", "_"), match[2]
        return f'{name}="{word}"' if word else _ARGUMENTS.get(name, name)

    parts = text.split("`")
    return "`".join(part if k % 2 else _OPTION.sub(argument, part) for k, part in enumerate(parts))


def for_editors(text: str) -> str:
    """A message with keys of the configuration for options, and with programs and commands by their names alone."""
    text = _COMMAND_LINE.sub(lambda match: f"`{match[match.lastindex]}`" if match.lastindex else "", text)
    return _OPTION.sub(lambda match: match[0].removeprefix("--"), text)
