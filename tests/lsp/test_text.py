"""Positions in a text, in bytes and as an editor counts them."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("pygls", reason="pygls is not installed")

from hypothesis import given
from hypothesis import strategies as st
from pygls.workspace import PositionCodec

from sdfinertia.lsp.text import EditorText
from sdfinertia.markup import Document, Edit, splice

CODEC = PositionCodec()
WIDTHS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}
TEXTS = st.text(st.sampled_from("ab<> é€🤖\n\r\u2028\x0b\ufeff"), max_size=40)


def expected(text: str, characters: int, units: str) -> tuple[int, int]:
    """The line and the units in it of the place after so many characters."""
    lines = re.split(r"\r\n|\r|\n", text[:characters])
    if text[:characters].endswith("\r") and text[characters : characters + 1] == "\n":
        # Between the two that end a line.
        lines = [*lines[:-2], lines[-2] + "\r"]
    codec = units if units == "utf-8" else f"{units}-le"
    return len(lines) - 1, len(lines[-1].encode(codec)) // WIDTHS[units]


ENCODINGS = ("UTF-8", "ISO-8859-1", "windows-1252", "Shift_JIS", "GB18030")


@pytest.mark.parametrize("units", WIDTHS)
@given(text=TEXTS, encoding=st.sampled_from(ENCODINGS), data=st.data())
def test_the_place_of_a_byte_is_that_of_its_character(units: str, text: str, encoding: str, data) -> None:
    text = f"<?xml version='1.0' encoding='{encoding}'?>{text}"
    place = data.draw(st.integers(0, len(text)))
    editor_text = EditorText(text, PositionCodec(units))
    codec = "utf-8" if editor_text.data == text.encode() else encoding
    assert editor_text.data.decode(codec) == text
    offset = len(text[:place].encode(codec))
    position = editor_text.position(offset)
    assert (position.line, position.character) == expected(text, place, units)
    if text[place - 1 : place + 1] != "\r\n":
        assert editor_text.offset(position) == offset


@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_place_of_a_report_is_the_byte_that_it_is_about(start: str, end: str) -> None:
    text = f"{start}<a é='🤖'><b/>{end}  <c/>{end}</a>"
    editor_text = EditorText(text, CODEC)
    document = Document(editor_text.data, "a.sdf")
    elements = [document.roots[0], *document.roots[0].children]
    assert [editor_text.offset_at(element.location()) for element in elements] == [each.start for each in elements]


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("é", "é".encode()),
        ("<?xml version='1.0' encoding='latin-1'?>é", "<?xml version='1.0' encoding='latin-1'?>é".encode("latin-1")),
        ("<?xml version='1.0' encoding='latin-1'?>€", "<?xml version='1.0' encoding='latin-1'?>€".encode()),
        ("<?xml version='1.0' encoding='cp1252'?>\x81", "<?xml version='1.0' encoding='cp1252'?>\x81".encode()),
        ("<?xml version='1.0' encoding='Shift_JIS'?>¥", "<?xml version='1.0' encoding='Shift_JIS'?>¥".encode()),
        ("<?xml version='1.0' encoding='utf-16'?>é", "<?xml version='1.0' encoding='utf-16'?>é".encode()),
        ("a\ud800b", b"a?b"),
    ],
)
def test_a_text_is_the_bytes_that_would_be_saved(text: str, data: bytes) -> None:
    assert EditorText(text, CODEC).data == data


@given(text=TEXTS, data=st.data())
def test_edits_make_of_a_text_what_they_make_of_its_bytes(text: str, data) -> None:
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    offsets = [len(text[:place].encode()) for place in places]
    edits = [
        Edit(start, stop, data.draw(st.sampled_from([b"", b"x", "é".encode()])))
        for start, stop in zip(offsets[::2], offsets[1::2], strict=False)
    ]
    editor_text = EditorText(text, CODEC)
    made = editor_text.data
    for each in reversed(editor_text.text_edits(edits)):
        start, stop = editor_text.offset(each.range.start), editor_text.offset(each.range.end)
        made = made[:start] + each.new_text.encode() + made[stop:]
    if "\r\n" not in text:
        assert made == splice(editor_text.data, edits)
