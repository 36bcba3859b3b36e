import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.off import read_off

SQUARE = "OFF\n4 1 4\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n"


def of_two(faces: str) -> str:
    """The square of these faces, which the file counts as two."""
    return SQUARE.replace("4 1 4", "4 2 4").replace("4 0 1 2 3", faces)


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
        of_two("3 0 1 2\n3 0 2 3"),
        # A face goes on in the next line.
        SQUARE.replace("4 0 1 2 3", "4 0 1\n2 3"),
        SQUARE.replace("4 0 1 2 3", "4\n0 1 # two\n\n2 3\n"),
        of_two("3 0\n1\n2\n3 0 2 3 0.5 1 1"),
    ],
)
def test_every_way_to_write_a_square_is_read(text: str) -> None:
    mesh = read_off(text.encode())
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert mesh.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
    assert mesh.notes == ()


def test_what_is_left_out_is_noted() -> None:
    assert len(read_off(of_two("3 0 1 2\n3 0\n2 3\n2 0 1").encode()).faces) == 2
    mesh = read_off(SQUARE.replace("4 1 4", "4 2").replace("4 0", "2 0 1\n4 0").encode() + b"7\n")
    assert len(mesh.faces) == 2
    assert [("fewer than 3" in note, "ignored" in note) for note in mesh.notes] == [(True, False), (False, True)]


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
        (SQUARE.replace("4 1 4", "9000000000 1 4"), "cut off: 5 of 9,000,000,000 vertices"),
        (SQUARE.replace("4 1 4", "4 2 4"), "cut off: 1 of 2 faces"),
        (SQUARE.replace("4 0 1 2 3", "4 0 1 2"), "line 7: a face of 4 corners names 3"),
        (SQUARE.replace("4 0 1 2 3", "4 0 1 2 4"), "line 7: a face names a vertex that does not exist"),
        (SQUARE.replace("4 0 1 2 3", "4 0 1 2 -1"), "line 7: a face names a vertex that does not exist"),
        (SQUARE.replace("4 0 1 2 3", "4 0 1 2 x"), "line 7: a face needs whole numbers, found 'x'"),
        (SQUARE.replace("4 0 1 2 3", "-4 0 1 2 3"), "line 7: "),
        # A face that lacks corners does not take those of the next.
        (of_two("4 0 1\n2 3\nx 0 1 2"), "line 9: a face needs whole numbers, found 'x'"),
        (of_two("4 0 1 2\n3 0 1 2"), "line 7: a face of 4 corners names 3"),
        (of_two("4 0 1\n2 3 0.5 0.5 0.5\n3 0 1 2"), "line 7: a face of 4 corners names 2"),
        (of_two("3 0 1 2\n4 0 1\n2"), "line 8: a face of 4 corners names 2"),
        (of_two("3 0 1\n2"), "cut off: 1 of 2 faces"),
        (of_two("3 0 1\nx\n3 0 1 2"), "line 8: a face needs whole numbers, found 'x'"),
        (of_two("3 0 1 2 1.0\n3 0 1 4"), "line 8: a face names a vertex that does not exist"),
    ],
)
def test_damaged_files_are_errors(text: str, problem: str) -> None:
    with pytest.raises(MeshError) as caught:
        read_off(text.encode())
    assert problem in str(caught.value)


LINE_OF_VERTEX = st.tuples(*3 * [st.floats(allow_nan=False, allow_infinity=False).map(repr)])
LINE_OF_FACE = st.lists(st.integers(0, 2), min_size=3, max_size=6)


@given(
    st.lists(LINE_OF_VERTEX, min_size=3, max_size=5),
    st.lists(LINE_OF_FACE, max_size=4),
    st.sampled_from(["", " 1 0 0", " 0.5 0.5 0.5", " # note"]),
    st.sampled_from(["\n", "\r\n", "\n\n  ", "\r"]),
)
def test_any_vertices_and_faces_are_read(vertices: list, faces: list, after: str, end: str) -> None:
    lines = ["OFF # a comment", f"{len(vertices)} {len(faces)} 0"]
    lines += [" ".join(each) + after for each in vertices]
    lines += [" ".join(map(str, (len(each), *each))) + after for each in faces]
    mesh = read_off(end.join(lines).encode())
    assert np.array_equal(mesh.vertices, [list(map(float, each)) for each in vertices])
    assert len(mesh.faces) == sum(len(each) - 2 for each in faces)
    assert set(mesh.faces.reshape(-1).tolist()) == {index for each in faces for index in each}
