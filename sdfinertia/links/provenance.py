"""The comment by which a filled block can be verified and refilled, and the digests in it.

<!-- sdfinertia: [mass=given] [OPTION=VALUE ...] [method=NAMES] inputs=HEX12 values=HEX12 -->

OPTION: inputs of a recomputation that are not in the file. `method` names the method that replaced exact integration.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from sdfinertia.declaration import Kind, OptionValue
from sdfinertia.errors import ConfigurationError
from sdfinertia.lazy import by_identity
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import LONG_NAMES, OPTIONS, Options
from sdfinertia.robot.comments import filled_entries
from sdfinertia.robot.numbers import parse_number, shorten

if TYPE_CHECKING:
    import hashlib

_DIGEST_LENGTH = 12
# Between the inputs of a digest.
SEPARATOR = "\x1f"


class Provenance(NamedTuple):
    mass_given: bool
    options: Mapping[str, str]
    methods: tuple[str, ...]
    inputs: str
    values: str

    def comment(self) -> str:
        entries = ["mass=given"] if self.mass_given else []
        entries += [f"{name}={value}" for name, value in sorted(self.options.items())]
        if self.methods:
            # Names of calculators are others' words: in a comment two dashes would end it.
            names = (re.sub(r"[^A-Za-z0-9_.:]+", "_", name) for name in self.methods)
            entries.append(f"method={','.join(names)}")
        return f"<!-- sdfinertia: {' '.join([*entries, f'inputs={self.inputs}', f'values={self.values}'])} -->"

    def applied_to(self, options: Options) -> Options:
        """The options as they were when the block was filled."""
        if not self.options:
            return _with_defaults(options)
        recorded = self._values()
        values = {name: recorded.get(name, option.default) for name, option in _SHAPING.items()}
        return options.replaced({name: value for name, value in values.items() if getattr(options, name) != value})

    def completing(self, options: Options) -> Options:
        """The options, with those recorded in place of defaults."""
        recorded = self._values()
        return options.replaced(
            {name: value for name, value in recorded.items() if getattr(options, name) == _SHAPING[name].default}
        )

    def _values(self) -> dict[str, OptionValue]:
        values = {}
        for name, text in self.options.items():
            field = name.replace("-", "_")
            try:
                values[field] = _value(_SHAPING[field].kind, text)
            except (KeyError, ValueError):
                raise ConfigurationError(
                    f"the provenance comment records {name}={shorten(text)}, which this version does not know",
                    remedy="take the comment out to keep the numbers as hand-written, or set auto to fill them again",
                ) from None
        return values


# The options that shape a block, which a comment may record.
_SHAPING = {name: declaration for name, declaration in OPTIONS.items() if declaration.affects_result}


@by_identity
def _with_defaults(options: Options) -> Options:
    """The options where nothing was recorded: most blocks of a run."""
    values = {name: option.default for name, option in _SHAPING.items() if getattr(options, name) != option.default}
    return options.replaced(values)


@by_identity
def are_default(options: Options) -> bool:
    """Whether all that shape numbers are the defaults, which are not recorded."""
    return _with_defaults(options) == options


def recorded_options(used: Mapping[str, OptionValue]) -> dict[str, str]:
    return {LONG_NAMES[name]: _text(value) for name, value in used.items() if value != _SHAPING[name].default}


def _text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).removesuffix(".0")


def _value(kind: Kind, text: str) -> OptionValue:
    match kind:
        case Kind.FLAG:
            return {"true": True}[text]
        case Kind.NUMBER:
            number = parse_number(text)
            if number is None:
                raise ValueError
            return number
        case Kind.WHOLE:
            if not (text.isascii() and text.isdigit() and len(text) < 4):
                raise ValueError
            return int(text)
        case Kind.CHOICE:
            return text
        case Kind.TEXT | Kind.DIRECTORY | Kind.TEXTS | Kind.CODES | Kind.DIRECTORIES | Kind.PATH_GLOBS:
            raise ValueError("a comment cannot hold it, for it separates its entries by blanks")


def parse_provenance(comment: str) -> Provenance | None:
    """None for any other comment."""
    entries = filled_entries(comment)
    if entries is None:
        return None
    inputs, values = entries.pop("inputs"), entries.pop("values")
    mass_given = entries.pop("mass", "") == "given"
    methods = tuple(name for name in entries.pop("method", "").split(",") if name)
    return Provenance(mass_given, entries, methods, inputs, values)


def digest(parts: Iterable[str]) -> str:
    """Twelve hexadecimal digits."""
    text = SEPARATOR.join(parts)
    return _sha256()(text.encode("utf-8", "surrogateescape")).hexdigest()[:_DIGEST_LENGTH]


# The modules of Python's own SHA-256, by version; its `random` imports one too. `hashlib` loads OpenSSL, which takes
# longer than verifying a file.
_SHA256_MODULES = ("_sha2", "_sha256")


@cache
def _sha256() -> Callable[[bytes], hashlib._Hash]:
    for name in _SHA256_MODULES:
        with suppress(ImportError):
            found: Callable[[bytes], hashlib._Hash] = import_module(name).sha256
            return found
    from hashlib import sha256

    return sha256


def values_digest(numbers: Sequence[float]) -> str:
    """By value: `repr` differs for any two floats and is the same on every Python."""
    text = repr((*numbers,))
    if "-0.0" in text:
        # Zero has one sign.
        text = repr((*(number + 0.0 for number in numbers),))
    return digest(text[1:-1].split(", "))
