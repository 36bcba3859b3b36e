from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers import off
from sdfinertia.mesh.readers.off import read_off

SQUARE = "OFF\n4 1 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"


@pytest.mark.parametrize(
    "text",
    [
        SQUARE,
        SQUARE.replace("\n", "\r\n"),
        "# made by hand\n" + SQUARE.replace("4 1 4", "\n4 1 # no edges"),
        SQUARE.replace("OFF\n", "OFF "),
        SQUARE.replace("OFF\n", "OFF"),
        SQUARE.replace("OFF", "COFF").replace("0 0 0", "0 0 0 255 0 0 255"),
        SQUARE.replace("OFF", "NOFF").replace("0 0 0", "0 0 0 0 0 1"),
        SQUARE.replace("4 0 1 2 3", "4 0 1 2 3 0.5 0.5 0.5"),
        SQUARE.replace("4 1 4", "4 2 4").replace("4 0 1 2 3", "3 0 1 2\n3 0 2 3"),
    ],
)
def test_every_way_to_write_a_square_is_read(text: str) -> None:
    mesh = read_off(text.encode())
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert mesh.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    assert mesh.notes == ("OFF is read, which Gazebo does not read",)


def test_what_is_left_out_is_noted() -> None:
    mesh = read_off(SQUARE.replace("4 1 4", "4 2").replace("4 0", "2 0 1\n4 0").encode() + b"7\n")
    assert len(mesh.faces) == 2
    assert [("fewer than 3" in note, "ignored" in note) for note in mesh.notes[1:]] == [(True, False), (False, True)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "does not begin"),
        ("4OFF\n", "does not begin"),
        ("OFF BINARY\n", "line 1: expected the numbers"),
        ("OFF\n", "line 1: expected the numbers"),
        ("OFF\n-1 2 3\n", "line 2: expected the numbers"),
        (SQUARE.replace("1 1 0", "1 nan 0"), "line 5: a vertex needs decimal numbers, found 'nan'"),
        (SQUARE.replace("1 1 0", "1 1"), "line 5: a vertex has 3 coordinates, found 2"),
        (SQUARE.replace("4 1 4", "9000000000 1 4"), "counts 9000000000 vertices, but the file ends after 5"),
        (SQUARE.replace("4 1 4", "4 2 4"), "counts 2 faces, but the file ends after 1"),
        (SQUARE.replace("4 0 1 2 3", "4 0 1 2"), "line 7: a face of 4 corners names 3"),
        (SQUARE.replace("4 0 1 2 3", "4 0 1 2 4"), "line 7: a face names a vertex that does not exist"),
        (SQUARE.replace("4 0 1 2 3", "4 0 1 2 -1"), "line 7: a face names a vertex that does not exist"),
        (SQUARE.replace("4 0 1 2 3", "4 0 1 2 x"), "line 7: a face needs whole numbers, found 'x'"),
        (SQUARE.replace("4 0 1 2 3", "-4 0 1 2 3"), "line 7: "),
    ],
)
def test_damaged_files_are_errors(text: str, problem: str) -> None:
    with pytest.raises(MeshError) as caught:
        read_off(text.encode())
    assert problem in str(caught.value)


number = st.sampled_from(
    ["0", "1", "2", "3", "-1", "1.5", "1e999", "nan", "1_0", "+2", "x", "#", "00000000003", "\x1c"]
)
line = st.lists(st.one_of(st.sampled_from(["0", "1", "2", "3"]), number), max_size=5).map(" ".join)
COMMON = ["0 0 0", "1 0.5 0", "0 1 -1e-3 9", "3 0 1 2", "4 0 1 2 2", "2 0 1", "3 0 1 2 255 0 0", "", "# note"]


def outcome(data: bytes) -> object:
    """All of what is read, arrays as bytes, or the message if it is an error."""
    try:
        mesh = read_off(data)
    except MeshError as error:
        return str(error)
    return mesh.vertices.tobytes(), mesh.faces.tobytes(), mesh.notes


@settings(max_examples=300, deadline=None)
@given(
    st.integers(0, 4),
    st.integers(0, 4),
    st.lists(st.one_of(st.sampled_from(COMMON), st.sampled_from(COMMON), line), max_size=9),
    st.sampled_from(["\n", "\r\n"]),
)
def test_all_lines_at_once_and_one_by_one_are_the_same(vertices: int, faces: int, rest: list[str], end: str) -> None:
    data = end.join(["OFF # a comment", f"{vertices} {faces} 0", *rest]).encode("latin-1")
    at_once = outcome(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(off, "_regular_content", lambda *_: None)
        assert at_once == outcome(data)


def test_a_file_of_numbers_only_is_read_all_lines_at_once() -> None:
    content = off._regular_content(SQUARE.encode() + b"\n7\n", 2, (4, 1))
    assert content is not None
    assert (content.corners.tolist(), content.lengths.tolist(), content.has_more) == ([0, 1, 2, 3], [4], True)
