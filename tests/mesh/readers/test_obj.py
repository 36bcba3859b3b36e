import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.obj import read_obj

SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"


@pytest.mark.parametrize(
    "faces",
    [
        *("f 1 2 3 4", "f 1/9 2/9 3/9 4/9", "f 1//1 2//1 3//1 4//1", "f 1/1/1 2/2/2 3/3/3 4/4/4", "f 1/ 2// 3 4/1/"),
        *("f -4 -3 -2 -1", "f 1 2 3 # a comment\nf 1 3 4#", "f 1 2 \\\n 3 \\\r\n4"),
        *("usemtl red\nf 1 2 3\nusemtl blue\nf 1 3 4", "s off\nvn 0 0 1\nvt 0 0\np 1\nl 1 2\nfo 1 2 3 4"),
        *("f 1 2/2 3//3 4/4/4", "f 1/-1 2/+2/-2 3/3 4", "f +1 02 0000000000000003 4", "  f 1 2 3\n\tf\t1\v3  4 "),
        *("# no continuation \\\nf 1 2 3 4", "f 1 2 3#\\\nf 1 3 4", "\x00f 1 2 3\nfree 1\nf 1 2 3 4"),
    ],
)
def test_every_way_to_write_a_face_is_read(faces: str) -> None:
    mesh = read_obj((SQUARE + faces).encode())
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert np.array_equal(mesh.vertices, [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    assert mesh.parts == ()


def test_vertices_between_polygons_keep_their_order_and_negative_indices_count_back_from_them() -> None:
    mesh = read_obj((SQUARE + "f -4 -3 -2\nv 9 9 9\nf -1 -2 -3").encode())
    assert mesh.faces.tolist() == [[0, 1, 2], [4, 3, 2]]
    mesh = read_obj("".join(f"v {i} 0 0\nf -1 -1 -1\n" for i in range(200)).encode())
    assert mesh.vertices[:, 0].tolist() == list(range(200))
    assert np.array_equal(mesh.faces[:, 0], np.arange(200))


def test_a_weight_is_ignored_with_a_note_and_faces_of_two_corners_too() -> None:
    assert "weights" in read_obj(b"v 0 0 0 2\nv 1 0 0\nv 0 1 0\nf 1 2 3").notes[0]
    mesh = read_obj((SQUARE + "f 1 2\nf 1 2 3").encode())
    assert len(mesh.faces) == 1
    assert "fewer than 3" in mesh.notes[0]


@pytest.mark.parametrize("colour", [".1 .2 .3", "1 .1 .2 .3", "nan nan 0", "-nan(ind) 0 0", "1 nan nan nan", "1_0 ? x"])
def test_what_stands_in_colours_does_not_matter(colour: str) -> None:
    mesh = read_obj(f"v 0 0 0 {colour}\nv 1 0 0 1\nv 0 1 0 {colour} # red\nf 1 2 3".encode())
    assert mesh.vertices.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert mesh.notes == ()


def test_objects_and_groups_are_parts_and_materials_are_not() -> None:
    text = (
        SQUARE
        + "f 1 2 3\no my arm\nf 1 2 3 4\nusemtl x\nf 1 2 3\ng left upper\nf 2 3 4\ng\nf 1 2 4\no leg#2 # note\nf 1 3 4"
    )
    mesh = read_obj(text.encode())
    assert len(mesh.submesh("my arm").faces) == 5
    assert [len(mesh.submesh(name).faces) for name in ("left", "upper", "left upper")] == [1, 1, 1]
    assert len(mesh.submesh("leg#2").faces) == 1
    assert sum(part.stop - part.start for part in mesh.parts) == len(mesh.faces) - 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("v 0 0 abc", "line 1: a vertex needs decimal numbers, found something else"),
        ("v 0 0 1e999", "found '1e999'"),
        ("v 0 0 1_0", "found '1_0'"),
        ("v 0 0", "line 1: a vertex has 3 coordinates, found 2"),
        ("v 0 0 0v 1 1 1", "found something else"),
        (SQUARE + "f 1 2 5", "line 5: vertex 5 does not exist, the file has 4"),
        (SQUARE + "f 1 2 3 4\nf 1 2 3\nf 1 2 7\nf 1 2 8", "line 7: vertex 7"),
        (SQUARE + "f 1 2 0", "line 5: vertex 0"),
        (SQUARE + "f 1 2 -5", "line 5: vertex -5"),
        (SQUARE + "f 1 2 x", "line 5: a corner of a face"),
        (SQUARE + "f 1 2 3/a", "line 5: a corner of a face"),
        (SQUARE + "f", "line 5: a face without corners"),
        (SQUARE + "surf 0 1 0 1 1 2 3", "line 5: free-form"),
        (SQUARE + "call other.obj", "line 5: 'call'"),
        ("# one\n\\\nv 0 0 \\\nx", "line 2: "),
        ("v 0 0 0\nv 0 0 0 nan", "line 2: a vertex needs decimal numbers, found 'nan'"),
        ("v 0 0 0 0 0 0 0 0 0", "line 1: a vertex has 3 coordinates, found 9"),
        ("v# 0 0 0", "line 1: a vertex has 3 coordinates, found 0"),
        ("v 0 0\x1c0 0", "line 1: a vertex needs decimal numbers, found something else"),
        (SQUARE + "\\\nf 1 2 3\n\nf 1 /2 3", "line 8: a corner of a face is v, v/vt, v//vn or v/vt/vn"),
        (SQUARE + "f 1 2 3\nf 1 2/1/1/1 3 x", "line 6: a corner of a face"),
        (SQUARE + "f 1 2///1 3", "line 5: a corner of a face"),
        (SQUARE + "f 1 - 3", "line 5: a corner of a face is v, v/vt, v//vn or v/vt/vn in whole numbers, found '-'"),
        (SQUARE + "f 1 2-1 3", "found '2-1'"),
        (SQUARE + "f 1 2 3/99999999999999999999", "line 5: a corner of a face"),
        (SQUARE + f"f 1 2 3\nf 1 2 {'9' * 50}\nf 1 2 3", "line 6: a corner of a face"),
        (SQUARE + "f 1 2 3\nf 1 2 4611686018427387903\nf 1 2 3", "line 6: vertex 4611686018427387903 does not exist"),
        (SQUARE + "f 1 2 3\nf # nothing", "line 6: a face without corners"),
    ],
)
def test_damaged_files_are_errors_that_name_the_line(text: str, problem: str) -> None:
    with pytest.raises(MeshError) as caught:
        read_obj(text.encode())
    assert problem in str(caught.value)


INDEX = st.integers(1, 9)
CORNER = st.tuples(INDEX, st.sampled_from(["{}", "{}/7", "{}//-7", "{}/7/8", "{}/", "{}//"]), st.booleans())
STATEMENT = st.one_of(
    st.tuples(st.just("v"), st.tuples(*3 * [st.floats(allow_nan=False, allow_infinity=False)])),
    st.tuples(st.just("f"), st.lists(CORNER, min_size=3, max_size=5)),
    st.tuples(st.sampled_from(["# v 1 2 3", "s 1", "vn 0 0 1", "vt 0 0", "", " ", "usemtl v"]), st.just(())),
)


@given(
    st.lists(STATEMENT, max_size=12),
    st.sampled_from([" ", "  ", "\t", " \\\n "]),
    st.sampled_from(["", " # v", "#", " "]),
    st.sampled_from(["\n", "\n  ", "\r\n", "\r"]),
)
def test_any_mixture_of_statements_is_read(statements: list, space: str, after: str, end: str) -> None:
    positions: list[tuple[float, float, float]] = [(0.0, 0.0, float(number)) for number in range(9)]
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in positions]
    corners: list[list[int]] = []
    for keyword, content in statements:
        if keyword == "f":
            indices = [index - 1 - len(positions) if back else index for index, _, back in content]
            corners.append([index - 1 for index, _, _ in content])
            words = [form.format(index) for index, (_, form, _) in zip(indices, content, strict=True)]
        else:
            positions += [content] if keyword == "v" else []
            words = list(map(repr, content))
        lines.append(space.join([keyword, *words]) + after)
    mesh = read_obj(end.join(lines).encode())
    assert np.array_equal(mesh.vertices, positions)
    assert len(mesh.faces) == sum(len(each) - 2 for each in corners)
    assert sorted(set(mesh.faces.reshape(-1).tolist())) == sorted({index for each in corners for index in each})
