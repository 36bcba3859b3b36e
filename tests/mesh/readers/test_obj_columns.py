from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.obj_columns import regular_statements
from sdfinertia.mesh.readers.obj_statements import Statements, statements

SQUARE = b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"


def outcome(read: Callable[[bytes], Statements | None], data: bytes) -> object:
    """Everything in what is read, arrays as bytes; the message if it is an error; None if nothing is read."""
    try:
        stated = read(data)
    except MeshError as error:
        return str(error)
    if stated is None:
        return None
    arrays = (stated.vertices, stated.corners, stated.counts, stated.lines)
    return [(each.shape, each.dtype, each.tobytes()) for each in arrays], stated.starts, stated.has_weights


def agree(data: bytes) -> bool:
    """Checks that the columns are what the lines say, or nothing; tells which."""
    columns = outcome(regular_statements, data)
    assert columns is None or columns == outcome(statements, data)
    return columns is not None


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"\n\n",
        b"# nothing\n",
        SQUARE,
        SQUARE + b"f 1 2 3 4",
        SQUARE + b"f 1 2 3\r\nf 1 3 4\r\n",
        SQUARE + b"f 1/9 2/9 3/9 4/9\nf 1/9 2/9 3/9\n",
        SQUARE + b"f 1//1 2//1 3//1 4//1\n",
        SQUARE + b"f 1/1/1 2/2/2 3/3/3 4/4/4\n",
        SQUARE + b"f -4 -3 -2 -1\nv 2 2 2\nf -1 2 -2\n",
        SQUARE + b"f -4/-1 -3/-1 -2/-1\n",
        SQUARE + b"f 1 2\nf 1 2 3\n",
        SQUARE + b"f 1 2 9\n",
        b"\xef\xbb\xbf# by hand\nmtllib a.mtl\no my arm#1 # note\n"
        + SQUARE
        + b"s off\nusemtl x\nf 1 2 3\ng a b\nf 1 2 3",
        b"v 0 0 0 1\nv 1 0 0 2\nv 0 1 0 .1 .2 .3\nv -0.0 1e-3 +2.E3\nf 1 2 3",
        b"vn 0 0 1\nvt 0 0\nv\t0  0 0 \np 1\nl 1 1\ng\n" + SQUARE + b"f 1 2 3\no\n",
    ],
)
def test_regular_files_are_read_by_columns(text: bytes) -> None:
    assert agree(text)


@pytest.mark.parametrize(
    "text",
    [
        b"v 0 0",
        b"v 0 0 0v",
        b"v 0 0 nan",
        b"v 0 0 1_0",
        b"v 0 0 1e999",
        b"v 0 0 0 # comment",
        b"v# 0 0 0",
        b"v 0 0 0 0 0 0 0 0 0",
        b" v 0 0 0",
        b"v 0 0\x1c0 0",
        SQUARE + b"f 1 2 \\\n3",
        SQUARE + b"f 1/1/ 2/2/ 3/3/",
        SQUARE + b"f 1/1 2/2 3",
        SQUARE + b"f 1 2/2/2 3/3",
        SQUARE + b"f 1//1 2/1 3///1",
        SQUARE + b"f /1 /2 /3",
        SQUARE + b"f 1/2/3/4 1/2/3/4 1/2/3/4",
        SQUARE + b"f 1 2-1 3",
        SQUARE + b"f 1 - 3",
        SQUARE + b"f 1 2 3-",
        SQUARE + b"f 1 +2 3",
        SQUARE + b"f 1 2 3f",
        SQUARE + b"f 1 2 0",
        SQUARE + b"f 1 2 -5",
        SQUARE + b"f 1 2 0000000000000000000000000003",
        SQUARE + b"f 1 2 18446744073709551619",
        SQUARE + b"f",
        SQUARE + b"fo 1 2 3",
        b"surf 0 1",
        b"bzp 1",
        b"cdp 1",
        b"call x",
    ],
)
def test_what_is_not_regular_is_left_to_the_lines(text: bytes) -> None:
    assert not agree(text)


def test_too_many_names_are_refused_either_way() -> None:
    many = " ".join(f"n{i}" for i in range(3000))
    assert agree((f"g {many}\n" + "o x\n" * 2000).encode())


decimal = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.integers(-100, 100).map(str),
    st.sampled_from(["-0", "1.", ".5", "+1", "1E5", "5e-324", "1e400", "1e", "nan", "1_0", "-", "1.5.3", "1-2", "x"]),
)
plain_decimal = st.floats(allow_nan=False, allow_infinity=False, width=32).map(repr)
index = st.one_of(st.integers(1, 6), st.integers(-6, 12)).map(str)
corner = st.one_of(
    index,
    st.builds("{}/{}".format, index, index),
    st.builds("{}//{}".format, index, index),
    st.builds("{}/{}/{}".format, index, index, index),
    st.sampled_from(["1/", "1//", "/1", "1/2/", "1///2", "01", "+1", "1.0", "a", "-", "1-1", "0000000001"]),
)
space = st.sampled_from([" ", "  ", "\t", " \t", "\v", "\x1c", " \\\n "])


def statement(keyword: str, word: st.SearchStrategy[str], least: int, most: int) -> st.SearchStrategy[str]:
    return st.builds(
        lambda words, gap: gap.join([keyword, *words]),
        st.lists(word, min_size=least, max_size=most),
        st.one_of(st.just(" "), st.just(" "), space),
    )


PASSED_OVER = ["", " ", "# v 1 2 3", "s 1", "s off", "usemtl v", "vn 0 0 1", "vt 0 0", "vp 0", "l 1 2", "\xe9t\xe9"]
NAMES = ["o arm", "g a b", "g", "o x#y #z", "g#x", "object x"]
RARE = ["v", "f", "fo 1 2 3", "surf", "cstype bezier", "v#1 2 3", "# \\", "\x00v 1 2 3"]
other = st.sampled_from(PASSED_OVER + NAMES + RARE)
regular_line = st.one_of(
    statement("v", plain_decimal, 3, 3),
    statement("f", st.integers(1, 3).map(str), 3, 5),
    st.sampled_from(["o arm", "g a b", "s off", "# comment", "vn 0 0 1", ""]),
)
any_line = st.one_of(
    statement("v", plain_decimal, 3, 7),
    statement("v", decimal, 0, 9),
    statement("f", index, 1, 5),
    statement("f", corner, 0, 5),
    other,
)
end = st.sampled_from(["\n", "\n", "\r\n", "\r"])


def document(line: st.SearchStrategy[str]) -> st.SearchStrategy[bytes]:
    return st.builds(
        lambda lines, ending, last: (ending.join(lines) + last * ending).encode("latin-1"),
        st.lists(line, max_size=12),
        end,
        st.booleans(),
    )


@settings(max_examples=500, deadline=None)
@given(st.one_of(document(any_line), document(regular_line), document(st.one_of(regular_line, other))))
@example(SQUARE + b"f 1/1 2/2/2 3 4//4")
def test_columns_and_lines_say_the_same_of_any_file(data: bytes) -> None:
    agree(data)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(plain_decimal, plain_decimal, plain_decimal), min_size=3, max_size=3),
    st.lists(st.lists(st.integers(1, 3), min_size=1, max_size=6), max_size=6),
    st.sampled_from(["{}", "{}/7", "{}//7", "{}/7/8"]),
    end,
)
def test_what_exporters_write_is_regular(
    positions: list[tuple[str, str, str]], polygons: list[list[int]], form: str, ending: str
) -> None:
    lines = [f"v {x} {y} {z}" for x, y, z in positions]
    lines += ["f " + " ".join(form.format(each) for each in polygon) for polygon in polygons]
    assert agree(ending.join(lines).encode())


def test_vertices_between_polygons_keep_their_order() -> None:
    rows = 200
    text = "".join(f"v {i} 0 0\nf -1 -1 -1\n" for i in range(rows))
    read = regular_statements(text.encode())
    assert read is not None
    assert read.vertices[:, 0].tolist() == list(range(rows))
    assert np.array_equal(read.corners, np.repeat(np.arange(rows), 3))
