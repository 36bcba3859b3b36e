"""Errors of an expansion in words, which quote no value of a YAML file."""

from __future__ import annotations

import os

from sdfinertia.errors import SdfInertiaError
from sdfinertia.xacro.sandbox import MissingError, RefusedError

# The beginnings of xacro's messages that are clear without their quotation.
_KNOWN = (
    *("unknown macro name", "Undefined block", "Undefined parameters", "Invalid parameter", "Not enough blocks"),
    *("Unused block", "circular variable definition", "Property names must be valid", "Xacro conditional"),
    *("Undefined property to forward", "file not found", "redefining global symbol", "inconsistent namespace"),
    *("Include tag's filename spec", "Using load_yaml() directly", "Child elements of a <xacro:include>"),
)
# Those on something missing that another file may give.
_MISSING = ("unknown macro name", "Undefined block", "Undefined parameters", "Undefined property to forward")
# Longest quotation in a message of xacro.
LONGEST = 300


class Quotes:
    """Texts that messages may quote: the files of the expansion, and no values that were read."""

    def __init__(self) -> None:
        self.contents: list[str] = []
        # Whether values were read.
        self.has_values = False

    def quoted(self, text: str) -> str:
        """A text for messages, unless it could come from values that were read."""
        if not self.has_values or any(
            text.encode("utf-8", "replace").decode("latin-1") in each for each in self.contents
        ):
            return repr(text)
        return "that is computed"

    def without_values(self, text: str) -> str:
        """A message of xacro, or the beginning of it where it could quote values that were read."""
        if not self.has_values:
            return text
        return next((each for each in _KNOWN if text.startswith(each)), "xacro has a message with values that it read")


def chain(error: BaseException) -> list[BaseException]:
    """An error and those that it wraps, the innermost last."""
    found: BaseException | None = error
    seen: list[BaseException] = []
    while found is not None and found not in seen:
        seen.append(found)
        found = getattr(found, "exc", None) or found.__cause__ or found.__context__
    return seen


def lacks_something(errors: list[BaseException]) -> bool:
    return any(isinstance(each, (MissingError, NameError)) or str(each).startswith(_MISSING) for each in errors)


def problem_and_remedy(
    error: BaseException, seen: list[BaseException], quotes: Quotes, xacro_error: type[Exception]
) -> tuple[str, str]:
    """Problem and remedy, by the error that the others wrap."""
    for each in seen:
        if isinstance(each, RefusedError):
            return each.problem, each.remedy
        if isinstance(each, SdfInertiaError):
            file = each.file or ""
            shown = file if quotes.quoted(os.path.basename(file)) == repr(os.path.basename(file)) else "a file"
            return f"{shown}: {each.problem}" if file else each.problem, each.remedy
        if isinstance(each, RecursionError):
            return "macros, includes or properties call themselves endlessly", ""
        if isinstance(each, MemoryError):
            return "it takes more than 2 GiB of memory", ""
    text = " ".join(str(error).split()) or type(error).__name__
    if quotes.has_values:
        text = _words(seen, quotes, xacro_error)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}...", ""


def _words(errors: list[BaseException], quotes: Quotes, xacro_error: type[Exception]) -> str:
    last = errors[-1]
    name = str(getattr(last, "name", "") or "")
    is_plain = isinstance(last, (TypeError, ZeroDivisionError))
    if is_plain or (isinstance(last, NameError) and quotes.quoted(name) == repr(name)):
        problem = str(last)
    elif isinstance(last, xacro_error):
        problem = quotes.without_values(str(last))
    else:
        problem = f"an expression cannot be evaluated ({type(last).__name__})"
    suffixes = (" ".join(str(getattr(each, "suffix", None) or "").split()) for each in errors)
    return " ".join([problem, *filter(None, suffixes)])
