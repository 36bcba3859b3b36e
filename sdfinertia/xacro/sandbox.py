"""Limits of the process that runs xacro, which evaluates Python, and errors in words.

An audit hook, which cannot be removed, refuses everything but reading regular files. Messages quote no value of a YAML
file.
"""

from __future__ import annotations

import os
import resource
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError
from sdfinertia.files.regular_file import is_inside

if TYPE_CHECKING:
    from collections.abc import Iterator


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

    def __init__(self, confine: str | None) -> None:
        self._confine = confine
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
)
# Those on something missing that another file may give.
_MISSING = ("unknown macro name", "Undefined block", "Undefined parameters", "Undefined property to forward")
# Longest quotation in a message of xacro.
LONGEST = 300


class Quotes:
    """Texts that messages may quote: those of source files, not values that were read."""

    def __init__(self) -> None:
        self.contents: list[str] = []
        # Whether values were read.
        self.has_values = False

    def quoted(self, text: str) -> str:
        if not self.has_values or any(
            text.encode("utf-8", "replace").decode("latin-1") in each for each in self.contents
        ):
            return repr(text)
        return "that is computed"

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


def problem_and_remedy(
    error: BaseException, seen: list[BaseException], quotes: Quotes, xacro_error: type[Exception]
) -> tuple[str, str]:
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
