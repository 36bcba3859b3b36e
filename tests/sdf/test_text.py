import pytest

from sdfinertia.errors import TextError
from sdfinertia.markup import decode, encoding_of, plain_text, unescape


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"<sdf/>", "utf-8"),
        (b"", "utf-8"),
        (b"\xef\xbb\xbf<sdf/>", "utf-8"),
        (b"<?xml version='1.0' encoding='utf-8'?><sdf/>", "utf-8"),
        (b'<?xml version = "1.0" encoding = "UTF-8" ?><sdf/>', "utf-8"),
        (b"\n <!-- a -->\n<?xml version='1.0' encoding='UTF8'?><sdf/>", "utf-8"),
    ],
)
def test_utf_8_is_the_encoding_by_default_by_mark_and_by_declaration(data: bytes, encoding: str) -> None:
    assert encoding_of(data) == encoding


def test_a_declared_text_of_latin_1_is_decoded_and_one_of_ascii_reads_with_or_without_other_bytes() -> None:
    for name in ("ISO-8859-1", "iso-8859-1", "latin1"):
        data = f"<?xml version='1.0' encoding='{name}'?>".encode() + b"<a>\xe9</a>"
        assert decode(b"\xe9", encoding_of(data)) == "é"
    for name in ("US-ASCII", "ascii"):
        encoding = encoding_of(f"<?xml version='1.0' encoding='{name}'?><a/>".encode())
        other = decode(b"\xff", encoding)
        assert decode(b"abc", encoding) == "abc"
        assert decode(other.encode(encoding, "surrogateescape"), encoding) == other


@pytest.mark.parametrize(
    "data",
    ["<sdf/>".encode("utf-16"), "<sdf/>".encode("utf-16-le"), "<sdf/>".encode("utf-16-be"), b"\xfe\xff\0<\0s"],
    ids=["by mark", "little endian", "big endian", "big endian by mark"],
)
def test_utf_16_is_refused_by_name(data: bytes) -> None:
    with pytest.raises(TextError, match="UTF-16"):
        encoding_of(data)


@pytest.mark.parametrize(
    "name",
    [
        *("UTF-16", "utf-32", "EBCDIC-CP-US", "klingon", "hex", "rot13", "", "undefined", "\\"),
        *("unicode_escape", "raw_unicode_escape", "utf-7", "punycode", "idna"),
    ],
)
def test_an_encoding_that_is_unknown_or_without_ascii_is_refused_by_name(name: str) -> None:
    with pytest.raises(TextError) as caught:
        encoding_of(f"<?xml version='1.0' encoding='{name}'?><sdf/>".encode())
    assert repr(name) in caught.value.problem


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("a&lt;b&gt;c&amp;d&quot;e&apos;f", "a<b>c&d\"e'f"),
        ("&#65;&#x42;&#x63;", "ABc"),
        ("&amp;lt;", "&lt;"),
        # What is no reference stays, as in tinyxml2.
        ("&nbsp; & &unknown; &#; &#xD800; &#0; &#1114112;", "&nbsp; & &unknown; &#; &#xD800; &#0; &#1114112;"),
        ("plain", "plain"),
    ],
)
def test_character_references_are_resolved_and_unknown_ones_stay(raw: str, text: str) -> None:
    assert unescape(raw) == text


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        *[(b"  1 2\t3\r\n", "1 2 3"), (b"\v\f 1 \f", "1"), (b"1<!-- one -->2", "12"), (b"1 <!-- a -- b --> 2", "1  2")],
        (b"<!-- <mass>7</mass> -->6<!-- -->", "6"),
        *[(b"<![CDATA[ 6 ]]>", "6"), (b"<![CDATA[<mass>]]>", "<mass>")],
        *[(b"<![CDATA[&lt;]]>", "&lt;"), (b"1<![CDATA[2]]>3", "123")],
        (b"<![CDATA[<!-- kept -->]]>", "<!-- kept -->"),
        (b"<!-- <![CDATA[ -->6<!-- ]]> -->", "6"),
        (b"", ""),
        (b"<?php 5 ?>6", "6"),
    ],
)
def test_the_text_of_an_element_is_its_pieces_around_comments_joined_and_trimmed(raw: bytes, text: str) -> None:
    assert plain_text(raw, 0, len(raw), "utf-8").split() == text.split()


@pytest.mark.parametrize("blank", ["\u00a0", "\u2003", "\u3000", "\x85", "\x1f"])
def test_only_ascii_white_space_is_trimmed(blank: str) -> None:
    raw = f" {blank}6 ".encode()
    assert plain_text(raw, 0, len(raw), "utf-8") == f"{blank}6"
