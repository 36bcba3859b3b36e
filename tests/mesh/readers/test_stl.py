import math
import re
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.stl import read_stl, read_stl_text

TRIANGLES = [((0, 0, 0), (1, 0, 0), (0, 1, 0)), ((0, 0, 1), (1.5, 0, 1e-3), (0, -1, 1))]


def binary(triangles: list = TRIANGLES, header: bytes = b"", count: int | None = None) -> bytes:
    body = b"".join(struct.pack("<12fH", 0, 0, 1, *(x for corner in each for x in corner), 7) for each in triangles)
    return header.ljust(80, b"\0") + struct.pack("<I", len(triangles) if count is None else count) + body


def text(triangles: list = TRIANGLES, name: str = "part", normal: str = "0 0 1") -> str:
    facets = "".join(
        f"  facet normal {normal}\n    outer loop\n"
        + "".join(f"      vertex {x} {y} {z}\n" for x, y, z in each)
        + "    endloop\n  endfacet\n"
        for each in triangles
    )
    return f"solid {name}\n{facets}endsolid {name}\n"


@pytest.mark.parametrize(
    "data",
    [
        binary(),
        binary(header=b"solid made by an exporter that should not say so"),
        binary(header=b"solid facet normal"),
        text().encode(),
        text().upper().encode(),
        text().replace("\n", "\r\n").encode(),
        text().replace("\n", "\r").encode(),
        b"  \n\t" + text().encode(),
        b"\xef\xbb\xbf" + text().encode(),
        text(name="").encode(),
        text(name="facet of a jewel").encode(),
        text(name="\xe9").encode("latin-1"),
        text(normal="nan nan -nan(ind)").encode(),
        text(normal="-1_IND 0 1").encode(),
        (text(TRIANGLES[:1]) + text(TRIANGLES[1:])).encode(),
        text().replace("1.5", "+15.E-1").replace("0.001", ".001").encode(),
    ],
)
def test_both_forms_are_told_apart_and_read(data: bytes) -> None:
    mesh = read_stl(data)
    assert np.allclose(mesh.vertices[mesh.faces], TRIANGLES, rtol=1e-7)
    assert mesh.vertices.dtype == np.float64
    assert mesh.notes == ()


@pytest.mark.parametrize("header", [b"", b"solid", b"solid made by hand"])
def test_bytes_after_a_binary_are_ignored_with_a_note(header: bytes) -> None:
    mesh = read_stl(binary(header=header) + b"abc")
    assert len(mesh.faces) == 2
    assert "3 bytes after" in mesh.notes[0]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (binary()[:-1], "binary STL cut off: 1 of 2 facets"),
        (binary(count=4_000_000_000), "cut off: 2 of 4,000,000,000 facets"),
        (b"solid" + binary()[5:-1], "binary STL cut off: 1 of 2 facets"),
        (b"\0" * 60, "cut off: 60 of"),
        (b"solid x\nendsolid x\n", "holds no facets"),
        (text().replace("endsolid part\n", "").encode(), "cut off: the text STL ends before 'endsolid'"),
        (text()[:200].encode(), "cut off"),
        (text().replace("1.5", "nan").encode(), "line 9: a vertex needs decimal numbers, found 'nan'"),
        (text().replace("1.5", "1_5").encode(), "line 9: a vertex needs decimal numbers, found '1_5'"),
        (text().replace("1.5", "0x1").encode(), "line 9: a vertex needs decimal numbers"),
        (text().replace("1.5", "1,5").encode(), "line 9: a vertex needs decimal numbers"),
        (text().replace("    endloop", "      vertex 0 0 0\n    endloop", 1).encode(), "line 2: expected 'facet' with"),
        (text().replace("      vertex 0 0 0\n", "", 1).encode(), "line 2: expected 'facet' with"),
        ((text() + "more").encode(), "line 17: expected 'facet' with three vertices, 'solid' or 'endsolid'"),
        (text().replace("\n", "\r\n").replace("1.5", "x").encode(), "line 9: "),
    ],
)
def test_damaged_files_are_errors_that_say_where(data: bytes, problem: str) -> None:
    with pytest.raises(MeshError, match=re.escape(problem)):
        read_stl(data)


WORDS = (text(TRIANGLES * 2) + text(TRIANGLES)).split(" ")
# A name is all that stands on the line, whatever it is.
PLACES = [place for place, word in enumerate(WORDS) if "solid" not in word and "part" not in word]
CHANGES = [
    *["", "nan", "1_5", "1e999", "inf", "1,5", "-0", "1E2", ".5", "+1.", "vertex", "endfacet", "FACET", "x"],
    "endfacet\n",
]


FACET = "facet normal {n} {n} {n} outer loop vertex {} {} {} vertex {} {} {} vertex {} {} {} endloop endfacet"


def expected_of(text: str) -> list[float] | None:
    """All coordinates, read word by word, or None if the text is no solids of facets."""
    coordinates: list[float] = []
    words = text.lower().split()
    while words:
        if words.pop(0) != "solid" or words.pop(0) != "part":
            return None
        while words and words[0] == "facet":
            facet, words = words[:21], words[21:]
            numbers = [facet[place] for place in (8, 9, 10, 12, 13, 14, 16, 17, 18) if place < len(facet)]
            if (
                len(numbers) < 9
                or facet != FACET.format(*numbers, n="{n}").replace("{n} {n} {n}", " ".join(facet[2:5])).split()
            ):
                return None
            for each in numbers:
                if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", each) or not math.isfinite(float(each)):
                    return None
            coordinates += map(float, numbers)
        if words[:2] != ["endsolid", "part"]:
            return None
        words = words[2:]
    return coordinates


@given(
    st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(CHANGES), st.booleans()), max_size=2),
    st.integers(0, 3),
)
def test_facets_are_read_word_by_word_or_refused(changes, cut):
    words = WORDS.copy()
    for place, word, is_replaced in changes:
        words[place] = word if is_replaced else word + words[place]
    written = " ".join(words)
    written = written[: len(written) - 40 * cut]
    expected = expected_of(written)
    if expected is None:
        with pytest.raises(MeshError, match=r"line \d+: |cut off"):
            read_stl_text(written.encode())
    else:
        assert read_stl_text(written.encode()).vertices.reshape(-1).tolist() == expected
