from __future__ import annotations

import struct

import numpy as np
import pytest

from sdfinertia.errors import MeshError
from sdfinertia.mesh.stl import read_stl

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
        (text(TRIANGLES[:1]) + text(TRIANGLES[1:])).encode(),
        text().replace("1.5", "+15.E-1").replace("0.001", ".001").encode(),
    ],
)
def test_both_forms_are_told_apart_and_read(data: bytes) -> None:
    mesh = read_stl(data)
    assert np.allclose(mesh.vertices[mesh.faces], TRIANGLES, rtol=1e-7)
    assert mesh.vertices.dtype == np.float64
    assert mesh.notes == ()


@pytest.mark.parametrize("header", [b"", b"solid"])
def test_bytes_after_a_binary_are_ignored_with_a_note(header: bytes) -> None:
    mesh = read_stl(binary(header=header) + b"abc")
    assert len(mesh.faces) == 2
    assert "3 bytes after" in mesh.notes[0]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (binary()[:-1], "counts 2 facets, which need 184 bytes, but the file ends after 183"),
        (binary(count=4_000_000_000), "counts 4000000000 facets"),
        (b"\0" * 60, "ends after 60"),
        (b"solid x\nendsolid x\n", "holds no facets"),
        (text().replace("endsolid part\n", "").encode(), "ends where 'facet' or 'endsolid' should stand"),
        (text()[:200].encode(), "cut off"),
        (text().replace("1.5", "nan").encode(), "line 12: expected a number, found 'nan'"),
        (text().replace("1.5", "1_5").encode(), "line 12: expected a number, found '1_5'"),
        (text().replace("1.5", "0x1").encode(), "line 12: expected a number"),
        (text().replace("1.5", "1,5").encode(), "line 12: expected a number"),
        (text().replace("    endloop", "      vertex 0 0 0\n    endloop", 1).encode(), "line 7: expected 'endloop'"),
        (text().replace("      vertex 0 0 0\n", "", 1).encode(), "line 6: expected 'vertex', found 'endloop'"),
        ((text() + "more").encode(), "line 17: expected 'solid', found something else"),
        (text().replace("\n", "\r\n").replace("1.5", "x").encode(), "line 12: "),
    ],
)
def test_damaged_files_are_errors_that_say_where(data: bytes, problem: str) -> None:
    with pytest.raises(MeshError) as caught:
        read_stl(data)
    assert problem in str(caught.value)
