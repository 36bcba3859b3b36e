"""The comment by which a filled block can be verified and refilled, and the digests in it.

<!-- sdfinertia: [mass=given] [OPTION=VALUE ...] [method=NAMES] inputs=HEX12 values=HEX12 -->

OPTION: inputs of a recomputation that are not in the file. `method` names the method that replaced exact integration.
"""

from __future__ import annotations

import re
from enum import Enum
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from sdfinertia.errors import ConfigurationError
from sdfinertia.options import AFFECTS_RESULT, OPTIONS, Option, Options, OptionValue
from sdfinertia.robot.names import filled_entries
from sdfinertia.robot.numbers import parse_number, shorten

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence


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
        if not self.options:
            return _with_defaults(options)
        recorded = self._values()
        values = {**_DEFAULTS, **recorded}
        return options.replaced({name: value for name, value in values.items() if getattr(options, name) != value})

    def completing(self, options: Options) -> Options:
        given = {name for name, value in _DEFAULTS.items() if getattr(options, name) != value}
        return options.replaced(self._values(given))

    def _values(self, given: Collection[str] = ()) -> dict[str, OptionValue]:
        values = {}
        for name, text in self.options.items():
            field = name.replace("-", "_")
            if field in given:
                continue
            try:
                values[field] = _value(_SHAPING[field], text)
            except (KeyError, ValueError):
                if (field, text) == ("open_mesh", "divergence"):
                    raise ConfigurationError(
                        "the provenance comment records open-mesh=divergence, a policy that is gone",
                        remedy="fill it again by another policy: `fill --all --open-mesh ...`",
                    ) from None
                raise ConfigurationError(
                    f"the provenance comment records {name}={shorten(text)}, which this version does not know",
                    remedy="take the comment out to keep the numbers as hand-written, or set auto to fill them again",
                ) from None
        return values


# The options that shape a block, which a comment may record.
_SHAPING = {name: option for name, option in OPTIONS.items() if name in AFFECTS_RESULT}
_DEFAULTS = {name: option.default for name, option in _SHAPING.items()}


def _with_defaults(options: Options) -> Options:
    return options.replaced({name: value for name, value in _DEFAULTS.items() if getattr(options, name) != value})


def are_default(options: Options) -> bool:
    return all(getattr(options, name) == value for name, value in _DEFAULTS.items())


def recorded_options(used: Mapping[str, OptionValue]) -> dict[str, str]:
    return {_SHAPING[name].long: _text(value) for name, value in used.items() if value != _DEFAULTS[name]}


def _text(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).removesuffix(".0")


def _value(option: Option, text: str) -> OptionValue:
    if option.choices and text not in option.choices:
        raise ValueError
    if option.type is bool:
        return {"true": True}[text]
    if option.type is int:
        if not (text.isascii() and text.isdigit() and len(text) < 4):
            raise ValueError
        return int(text)
    if option.type is float:
        number = parse_number(text)
        if number is None:
            raise ValueError
        return number
    return text


def parse_provenance(comment: str) -> Provenance | None:
    entries = filled_entries(comment)
    if entries is None:
        return None
    inputs, values = entries.pop("inputs"), entries.pop("values")
    mass_given = entries.pop("mass", "") == "given"
    methods = tuple(name for name in entries.pop("method", "").split(",") if name)
    return Provenance(mass_given, entries, methods, inputs, values)


def digest(parts: Iterable[str]) -> str:
    text = SEPARATOR.join(parts)
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:_DIGEST_LENGTH]


def values_digest(numbers: Sequence[float]) -> str:
    """By value: `repr` differs for any two floats and is the same on every Python."""
    text = repr((*numbers,))
    if "-0.0" in text:
        # Zero has one sign.
        text = repr((*(number + 0.0 for number in numbers),))
    return digest(text[1:-1].split(", "))


class Status(str, Enum):
    """The state of a block, or the result of a run for its link; the values are the words of reports.

    Attributes:
        word: that of pages, which show the file as it is.
    """

    word: str

    def __new__(cls, value: str, word: str = "") -> Status:
        status = str.__new__(cls, value)
        status._value_, status.word = value, word or value
        return status

    # Filled before, and still what the file gives; nothing is reported.
    CLEAN = "clean", "written"

    FILLED = "filled", "filled now"
    # Its block was stale.
    REFILLED = "refilled", "filled now"
    # Its mistake was undone.
    REPAIRED = "repaired", "filled now"
    # Computed, but not written because another link of the file failed.
    WITHHELD = "withheld"
    # Its inputs changed, and it was left so.
    STALE = "stale"
    # Edited by hand, and left so.
    EDITED = "edited"
    LEFT = "left"
    FAILED = "failed", "refused"

    # Of pages alone: an explicit inertial that was not filled, or whose status is unknown.
    WRITTEN = "written"
    # It requests to be filled, or a run that wrote would fill it.
    WOULD_BE_FILLED = "would be filled"
    # A mesh file, which has nothing written.
    COMPUTED = "computed"
    NOTHING = "no inertial"
    UNREADABLE = "unreadable"

    def __str__(self) -> str:
        return str.__str__(self)
