"""XML text: a tolerant tokenizer over bytes, and the decoding of names and texts.

It accepts what tinyxml2, libsdformat's parser, accepts, and a little more. Every token has an exact span, so a file of
any encoding that contains ASCII can be edited without touching another byte.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING

from sdfinertia.errors import TextError

if TYPE_CHECKING:
    from typing import NoReturn

# ASCII white space, as C's isspace has it in its default locale.
_SPACE = rb"[ \t\r\n\v\f]"
_NAME = rb"[A-Za-z_:\x80-\xff][A-Za-z0-9_:.\-\x80-\xff]*"
_QUOTED = rb"(?:\"[^\"]*\"|'[^']*')"

_ATTRIBUTES = rb"((?:%(s)s+(?:%(name)s%(s)s*=%(s)s*%(quoted)s%(s)s*)*)?)" % {
    b"s": _SPACE,
    b"name": _NAME,
    b"quoted": _QUOTED,
}
# One alternative for each kind of markup. Any other "<" falls through to the empty last alternative, so that no "<" is
# skipped. No part can match the same bytes in two ways: a failed match costs linear time.
_MARKUP_PATTERN = (
    rb"%(s)s*(%(name)s)%(attributes)s(?:(/)>|>(?:[^<]*(</\1>))?)"
    rb"|%(s)s*/(%(name)s)%(s)s*>"
    rb"|(!--.*?-->|!\[CDATA\[.*?\]\]>|\?.*?\?>)"
    rb"|)" % {b"s": _SPACE, b"name": _NAME, b"attributes": _ATTRIBUTES}
)
_MARKUP = re.compile(rb"<(?:" + _MARKUP_PATTERN, re.DOTALL)
# `lastindex` of a match of _MARKUP is its kind. Half of all elements hold nothing but a text: they are one match.
OPEN, EMPTY, LEAF, CLOSE, OPAQUE = 2, 3, 4, 5, 6

# Nearly every filled block of SDF: the elements that `fill` writes, in that order, comments around them, a density at
# the end. No part can match the same bytes in two ways, but for the comment of a filled block. Of these letters `float`
# takes only decimal numbers.
_MORE_COMMENTS = rb"(?:<!--[^-]*(?:-[^-]+)*-->[^<]*)*"
_COMMENTS = rb"[^<]*" + _MORE_COMMENTS
# The comment of a filled block, as it is written: other entries, and two digests.
_PROVENANCE = rb"(?:<!-- sdfinertia:((?: [a-z][a-z-]*=[^\s=<>]+)*) inputs=([^\s=<>]+) values=([^\s=<>]+) -->[^<]*)?"
_VALUE = rb"<%(name)s>([0-9eE+\-. \t\r\n\v\f]*)</%(name)s>"
_WRITTEN = [b"pose", b"mass", b"ixx", b"ixy", b"ixz", b"iyy", b"iyz", b"izz"]
_VALUES = [_VALUE % {b"name": name} for name in _WRITTEN]
_NUMBERS = rb"[^<]*".join([*_VALUES[:2], b"<inertia>", *_VALUES[2:], b"</inertia>"])
_DENSITY = rb"(?:" + _VALUE % {b"name": b"density"} + _COMMENTS + rb")?"
_BLOCK = (
    rb"inertial((?: auto=[\"']false[\"'])?)>[^<]*" + _PROVENANCE + _MORE_COMMENTS + _NUMBERS + _COMMENTS + _DENSITY
) + b"</inertial>"
# The groups of a block: itself where it is a piece of markup, its attributes, its provenance, its texts, its density.
BLOCK_ATTRIBUTES, BLOCK_PROVENANCE = 2, (3, 4, 5)
BLOCK_TEXTS = tuple(range(6, 6 + len(_WRITTEN)))
BLOCK_GROUPS = 6 + len(_WRITTEN)
BLOCK_PARTS = {"pose": 6, "mass": 7, "density": BLOCK_GROUPS}


@cache
def plain_block() -> re.Pattern[bytes]:
    """Of the whole bytes of an `<inertial>`."""
    return re.compile(rb"<(" + _BLOCK + b")")


# Most collisions in SDF and URDF: a pose, and a primitive with its dimensions. Its groups, after itself:
# name, attributes, pose of SDF, attributes of <origin>, name of the shape, its attributes, then of SDF the name of its
# first dimension, that, and the second.
_NUMERALS = rb"([0-9eE+\-. \t\r\n\v\f]*)"
_SOLID = (
    rb"(collision|visual)%(attributes)s>[^<]*(?:(?:<pose>%(numbers)s</pose>|<origin%(attributes)s/>)[^<]*)?"
    rb"<geometry>[^<]*<(box|sphere|cylinder)(?:%(attributes)s/>|>[^<]*<(size|radius)>%(numbers)s</\%%d>[^<]*"
    rb"(?:<length>%(numbers)s</length>[^<]*)?</\%%d>)[^<]*</geometry>[^<]*</\%%d>"
) % {b"attributes": _ATTRIBUTES, b"numbers": _NUMERALS}
SOLID_GROUPS = 10


@cache
def _markup_with_blocks() -> re.Pattern[bytes]:
    return re.compile(rb"<(?:(" + _BLOCK + rb")|" + _references(BLOCK_GROUPS), re.DOTALL)


@cache
def _markup_with_solids() -> re.Pattern[bytes]:
    before = BLOCK_GROUPS + 1
    solid = _SOLID % (before + 7, before + 5, before + 1)
    markup = _references(BLOCK_GROUPS + SOLID_GROUPS)
    return re.compile(rb"<(?:(" + _BLOCK + rb")|(" + solid + rb")|" + markup, re.DOTALL)


def _references(before: int) -> bytes:
    """The pattern of markup after so many groups."""
    return _MARKUP_PATTERN.replace(rb"\1", rb"\%d" % (before + 1))


# The character before a name cannot be a part of it, so that each name is scanned once.
_ATTRIBUTE = re.compile(
    rb"(?<![A-Za-z0-9_:.\-\x80-\xff])(%(name)s)%(s)s*=%(s)s*(?:\"([^\"]*)\"|'([^']*)')"
    % {b"s": _SPACE, b"name": _NAME, b"quoted": _QUOTED}
)
# Compiled where a file declares an encoding.
_DECLARATION = rb"<\?xml%(s)s[^<>]*?encoding%(s)s*=%(s)s*[\"']([^\"']*)[\"']" % {b"s": _SPACE}
_REFERENCE = r"&(?:#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6})|(lt|gt|amp|quot|apos));"
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}

# Codecs, by Python's names, in which the bytes of ASCII always mean ASCII, or at least "<", ">" and quotes do.
_ASCII_SUPERSETS = r"iso8859-[0-9]+|cp125[0-9]|koi8-[rtu]|gb2312|gbk|gb18030|big5|shift_jis|euc_jp|euc_kr"

BLANK = " \t\r\n\v\f"

# A mark that files with filled blocks contain.
_FILLED = b"sdfinertia: "
# Compiling the pattern of solids takes as long as reading this many without it, counted over all files.
_SOLIDS_THAT_PAY = 100
_solids_seen = [0]

# Ints, not bytes: `int in bytes` is faster than `bytes in bytes`.
LESS_THAN, AMPERSAND = b"<&"


def encoding_of(data: bytes) -> str:
    """The Python codec, by byte order mark, else by declaration, else UTF-8."""
    if data.startswith(codecs.BOM_UTF8):
        return "utf-8"
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or data[:2] in (b"<\0", b"\0<"):
        raise TextError("the file is encoded in UTF-16", remedy="save it as UTF-8")
    start = data[:4096]
    declared = re.search(_DECLARATION, start) if b"encoding" in start else None
    if declared is None:
        return "utf-8"
    name = declared[1].decode("latin-1").strip()
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        codec = ""
    if codec in ("ascii", "utf-8"):
        # ASCII is a part of UTF-8, and libsdformat ignores declarations: bytes beyond ASCII then still read.
        return "utf-8"
    if re.fullmatch(_ASCII_SUPERSETS, codec) is None:
        raise TextError(f"the declared encoding {name!r} is not supported", remedy="save the file as UTF-8")
    return codec


def tokens(data: bytes, start: int, stop: int) -> tuple[Iterator[re.Match[bytes]], int]:
    """Every piece of markup in order, and the number of groups before the first of a match.

    Each is a match whose `lastindex`, less that number, is its kind. Its groups are

    1 name, 2 attributes (kind OPEN), 3 "/" of an empty element (kind EMPTY), 4 the closing tag of an element that holds
    nothing but text (kind LEAF); 5 name (kind CLOSE); 6 a comment, CDATA section or processing instruction (kind
    OPAQUE). Malformed markup is a match without a kind. The kind of elements read whole is below one: a filled block,
    whose groups are the first, or a collision or visual, whose groups follow these.
    """
    _solids_seen[0] += data.count(b"</geometry>", start, stop)
    if _solids_seen[0] > _SOLIDS_THAT_PAY:
        return _markup_with_solids().finditer(data, start, stop), BLOCK_GROUPS + SOLID_GROUPS
    if _FILLED in data:
        return _markup_with_blocks().finditer(data, start, stop), BLOCK_GROUPS
    return _MARKUP.finditer(data, start, stop), 0


_DECLARED = "remove it; entities are never expanded"
# The problem and remedy of markup that begins so.
_REFUSED = (
    (b"<!--", "a comment is not closed", ""),
    (b"<![CDATA[", "a CDATA section is not closed", ""),
    (b"<?", "a processing instruction is not closed", ""),
    (b"<!DOCTYPE", "DOCTYPE declarations are not allowed in SDF", _DECLARED),
    (b"<!", "markup declarations are not allowed in SDF", _DECLARED),
)


def refuse_markup(data: bytes, start: int) -> NoReturn:
    """Raises the error for the markup at `start`, without quoting the file."""
    for beginning, problem, remedy in _REFUSED:
        if data.startswith(beginning, start):
            raise TextError(problem, remedy=remedy)
    if data.find(b">", start) < 0:
        raise TextError("the file ends inside a tag")
    raise TextError(
        "not well-formed XML: this is not a tag, comment or CDATA section",
        remedy="close the tag, put attribute values in quotes, and write a literal '<' as &lt;",
    )


def attributes(raw: bytes) -> Iterator[re.Match[bytes]]:
    """Matches of a tag's attributes: group 1 is the name, group 2 or 3, by its quote, the raw value."""
    return _ATTRIBUTE.finditer(raw)


def find_attribute(raw: bytes, name: str) -> re.Match[bytes] | None:
    """The match of an attribute as in `attributes`."""
    wanted = name.encode("ascii")
    return next((match for match in _ATTRIBUTE.finditer(raw) if match[1] == wanted), None) if wanted in raw else None


# Links repeat the same few attributes, and each is read by several rules.
@lru_cache(256)
def attribute_values(raw: bytes, encoding: str) -> Mapping[str, str]:
    """The attributes by name, trimmed, with references resolved."""
    return {
        decode(match[1], encoding): _resolved(match[2] if match[2] is not None else match[3], encoding)
        for match in _ATTRIBUTE.finditer(raw)
    }


def has_repeated_attribute(raw: bytes) -> bool:
    names = [match[1] for match in _ATTRIBUTE.finditer(raw)]
    return len(names) != len(set(names))


def decode(raw: bytes, encoding: str) -> str:
    """The text of bytes; undecodable bytes become surrogates."""
    return raw.decode(encoding, "surrogateescape")


def unescape(text: str) -> str:
    """Resolves character references; anything else stays, as in tinyxml2."""
    return re.sub(_REFERENCE, _character, text) if "&" in text else text


def _character(match: re.Match[str]) -> str:
    if match[3]:
        return _ENTITIES[match[3]]
    code = int(match[1]) if match[1] else int(match[2], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else match[0]


def _resolved(raw: bytes, encoding: str) -> str:
    """Trimmed, with references resolved; in one step, since most of a file is read by it."""
    text = raw.decode(encoding, "surrogateescape")
    return (unescape(text) if "&" in text else text).strip(BLANK)


def text_pieces(data: bytes, start: int, stop: int) -> Iterator[tuple[int, int, bool]]:
    """Spans of the text between `start` and `stop`, and whether each is a whole CDATA section.

    Comments and processing instructions are left out.
    """
    position = start
    for match in _MARKUP.finditer(data, start, stop):
        if match.start() > position:
            yield position, match.start(), False
        if data.startswith(b"<![CDATA[", match.start()):
            yield match.start(), match.end(), True
        position = match.end()
    if position < stop:
        yield position, stop, False


def plain_text(data: bytes, start: int, stop: int, encoding: str) -> str:
    """The text without comments, references resolved, trimmed."""
    raw = data[start:stop]
    if LESS_THAN not in raw:
        return _resolved(raw, encoding)
    pieces = [
        decode(data[a + 9 : b - 3], encoding) if cdata else unescape(decode(data[a:b], encoding))
        for a, b, cdata in text_pieces(data, start, stop)
    ]
    return "".join(pieces).strip(BLANK)


def line_starts(data: bytes) -> list[int]:
    """Where each line begins; they end with LF, CR LF or CR alone, as in editors."""
    lines = data.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]
    if lines and not lines[-1].endswith((b"\n", b"\r")):
        starts.pop()
    return starts
