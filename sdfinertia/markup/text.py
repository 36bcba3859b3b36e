"""XML text: a tolerant tokenizer over bytes, and the decoding of names and texts.

It accepts what tinyxml2, libsdformat's parser, accepts, and a little more. Every token has an exact span, so a file of
any encoding that contains ASCII can be edited without touching another byte.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import accumulate
from sys import intern

from sdfinertia.errors import TextError

# ASCII white space, as C's isspace has it in its default locale.
_SPACE = rb"[ \t\r\n\v\f]"
_NAME = rb"[A-Za-z_:\x80-\xff][A-Za-z0-9_:.\-\x80-\xff]*"
_QUOTED = rb"(?:\"[^\"]*\"|'[^']*')"

# One alternative for each kind of markup. Any other "<" falls through to the empty last alternative, so that no "<" is
# skipped. No part can match the same bytes in two ways: a failed match costs linear time.
#
# Groups: 1 name, 2 attributes (kind OPEN), 3 "/" of an empty element (kind EMPTY), 4 the closing tag of an element that
# holds nothing but text (kind LEAF); 5 name (kind CLOSE); 6 a comment, CDATA section or processing instruction.
MARKUP = re.compile(
    rb"<(?:%(s)s*(%(name)s)((?:%(s)s+(?:%(name)s%(s)s*=%(s)s*%(quoted)s%(s)s*)*)?)(?:(/)>|>(?:[^<]*(</\1>))?)"
    rb"|%(s)s*/(%(name)s)%(s)s*>"
    rb"|(!--.*?-->|!\[CDATA\[.*?\]\]>|\?.*?\?>)"
    rb"|)" % {b"s": _SPACE, b"name": _NAME, b"quoted": _QUOTED},
    re.DOTALL,
)
# `lastindex` of a match of MARKUP; None where it is malformed.
OPEN, EMPTY, LEAF, CLOSE, OPAQUE = 2, 3, 4, 5, 6

# Groups: 1 name, 2 or 3, by its quote, the raw value. The character before a name cannot be a part of it, so that each
# name is scanned once.
ATTRIBUTE = re.compile(
    rb"(?<![A-Za-z0-9_:.\-\x80-\xff])(%(name)s)%(s)s*=%(s)s*(?:\"([^\"]*)\"|'([^']*)')" % {b"s": _SPACE, b"name": _NAME}
)
_DECLARATION = rb"<\?xml%(s)s[^<>]*?encoding%(s)s*=%(s)s*[\"']([^\"']*)[\"']" % {b"s": _SPACE}
_REFERENCE = r"&(?:#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6})|(lt|gt|amp|quot|apos));"
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}

# Codecs, by Python's names, in which the bytes of ASCII always mean ASCII, or at least "<", ">" and quotes do.
_ASCII_SUPERSETS = r"iso8859-[0-9]+|cp125[0-9]|koi8-[rtu]|gb2312|gbk|gb18030|big5|shift_jis|euc_jp|euc_kr"

BLANK = " \t\r\n\v\f"


def encoding_of(data: bytes) -> str:
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


_DECLARED = "remove it; entities are never expanded"
# The problem and remedy of markup that begins so.
_REFUSED = (
    (b"<!--", "a comment is not closed", ""),
    (b"<![CDATA[", "a CDATA section is not closed", ""),
    (b"<?", "a processing instruction is not closed", ""),
    (b"<!DOCTYPE", "DOCTYPE declarations are not allowed in SDF", _DECLARED),
    (b"<!", "markup declarations are not allowed in SDF", _DECLARED),
)


def malformed(data: bytes, start: int) -> TextError:
    for beginning, problem, remedy in _REFUSED:
        if data.startswith(beginning, start):
            return TextError(problem, remedy=remedy)
    if data.find(b">", start) < 0:
        return TextError("the file ends inside a tag")
    return TextError(
        "not well-formed XML: this is not a tag, comment or CDATA section",
        remedy="close the tag, put attribute values in quotes, and write a literal '<' as &lt;",
    )


def attribute_values(raw: bytes, encoding: str) -> list[tuple[str, str]]:
    return [
        (intern(decode(name, encoding)), trimmed(in_double_quotes or in_single_quotes, encoding))
        for name, in_double_quotes, in_single_quotes in ATTRIBUTE.findall(raw)
    ]


def decode(raw: bytes, encoding: str) -> str:
    """The text of bytes; undecodable bytes become surrogates."""
    return raw.decode(encoding, "surrogateescape")


def unescape(text: str) -> str:
    return re.sub(_REFERENCE, _character, text)


def _character(match: re.Match[str]) -> str:
    if match[3]:
        return _ENTITIES[match[3]]
    code = int(match[1]) if match[1] else int(match[2], 16)
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else match[0]


def trimmed(raw: bytes, encoding: str) -> str:
    text = raw.decode(encoding, "surrogateescape")
    return (unescape(text) if "&" in text else text).strip(BLANK)


def text_pieces(data: bytes, start: int, stop: int) -> Iterator[tuple[int, int, bool]]:
    """Spans of the text between `start` and `stop`, and whether each is a whole CDATA section.

    Comments and processing instructions are left out.
    """
    position = start
    for match in MARKUP.finditer(data, start, stop):
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
    if b"<" not in raw:
        return trimmed(raw, encoding)
    pieces = [
        decode(data[a + 9 : b - 3], encoding) if cdata else unescape(decode(data[a:b], encoding))
        for a, b, cdata in text_pieces(data, start, stop)
    ]
    return "".join(pieces).strip(BLANK)


def line_starts(data: bytes) -> list[int]:
    lines = data.splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]
    if lines and not lines[-1].endswith((b"\n", b"\r")):
        starts.pop()
    return starts
