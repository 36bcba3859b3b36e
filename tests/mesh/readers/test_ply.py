import struct

import numpy as np
import pytest

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.ply import read_ply

POINTS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
VERTEX = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
LISTED = VERTEX + "property list uchar int seen_by\n"
FACE = "element face {}\nproperty list uchar int vertex_indices\n"
POINT_LINES = "".join(f"{x} {y} {z}\n" for x, y, z in POINTS)


def header(form: str, *elements: str, end: str = "\n") -> bytes:
    return (
        "".join((f"ply\nformat {form} 1.0\ncomment element\n", *elements, "end_header\n")).replace("\n", end).encode()
    )


def ascii_ply(faces: str, count: int, end: str = "\n") -> bytes:
    return header("ascii", VERTEX, FACE.format(count), end=end) + (POINT_LINES + faces).replace("\n", end).encode()


def binary_ply(order: str, faces: list[tuple[int, ...]], end: str = "\n", index: str = "int", code: str = "i") -> bytes:
    form = {"<": "binary_little_endian", ">": "binary_big_endian"}[order]
    extra = VERTEX.replace("property float z", "property float z\nproperty uchar red")
    head = header(form, extra, FACE.format(len(faces)).replace("int", index), end=end)
    points = b"".join(struct.pack(f"{order}fffB", *point, 200) for point in POINTS)
    return head + points + b"".join(struct.pack(f"{order}B{len(face)}{code}", len(face), *face) for face in faces)


@pytest.mark.parametrize(
    "data",
    [
        ascii_ply("3 0 1 2\n3 0 2 3\n", 2),
        ascii_ply("4 0 1 2 3\n", 1),
        ascii_ply("4 0 1 2 3", 1, end="\r\n"),
        ascii_ply("\n4 0 1 2 3\n\n", 1),
        ascii_ply("4 0 1 2 3\n", 1).replace(b"vertex_indices", b"vertex_index"),
        binary_ply("<", [(0, 1, 2), (0, 2, 3)]),
        binary_ply(">", [(0, 1, 2), (0, 2, 3)]),
        binary_ply("<", [(0, 1, 2, 3)], index="ushort", code="H"),
        binary_ply("<", [(0, 1, 2), (0, 2, 3)], end="\r\n"),
        binary_ply("<", [(0, 1, 2), (0, 2, 3)], end="\r"),
    ],
)
def test_every_form_is_read(data: bytes) -> None:
    mesh = read_ply(data)
    assert mesh.vertices.tolist() == [list(map(float, point)) for point in POINTS]
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert mesh.notes == ()


@pytest.mark.parametrize("order", "<>")
def test_polygons_of_unlike_size_are_fans(order: str) -> None:
    mesh = read_ply(binary_ply(order, [(0, 1, 2), (0, 1, 2, 3), (1, 0), (3, 2, 1)]))
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 1, 2], [0, 2, 3], [3, 2, 1]]
    assert "fewer than 3" in mesh.notes[0]


def test_a_vertex_may_look_like_a_line_end_in_binary_and_have_a_list_beside_its_coordinates_in_text() -> None:
    body = struct.pack("<9f", *np.frombuffer(b"\n\0\0\0" * 9, "<f4")) + struct.pack("<B3i", 3, 0, 1, 2)
    data = header("binary_little_endian", VERTEX.replace("4", "3"), FACE.format(1), end="\r") + body
    assert read_ply(data).vertices[0, 0] > 0
    vertex = VERTEX.replace("property float z", "property list uchar int seen_by\nproperty float z")
    lines = "0 0 2 7 8 0\n1 0 0 0\n1 1 1 9 0\n0 1 0 0\n3 0 1 2\n"
    mesh = read_ply(header("ascii", vertex, FACE.format(1)) + lines.encode())
    assert mesh.vertices.tolist() == [list(map(float, point)) for point in POINTS]


def test_other_elements_and_properties_are_passed_over() -> None:
    extras = "element edge 2\nproperty int vertex1\nproperty list uchar float weights\n"
    face = FACE.format(1) + "property list uchar float uv\nproperty uchar flag\n"
    head = header("binary_little_endian", extras, VERTEX.replace("float", "double"), face)
    edges = struct.pack("<iB2f", 1, 2, 0.5, 0.5) + struct.pack("<iB", 1, 0)
    points = b"".join(struct.pack("<3d", *point) for point in POINTS)
    assert read_ply(head + edges + points + struct.pack("<B3iB2fB", 3, 0, 1, 2, 2, 0, 0, 1)).faces.tolist() == [
        [0, 1, 2]
    ]
    lines = "1 2 .5 .5\n1 0\n" + POINT_LINES + "3 0 1 2 2 0 0 1\n"
    assert read_ply(header("ascii", extras, VERTEX, face) + lines.encode()).faces.tolist() == [[0, 1, 2]]


def test_triangle_strips_restart_at_minus_one_and_what_follows_the_last_element_is_noted() -> None:
    strips = "element tristrips 1\nproperty list int int vertex_indices\n"
    mesh = read_ply(header("ascii", VERTEX, strips) + (POINT_LINES + "8 0 1 3 2 -1 0 1 2\n").encode())
    assert mesh.faces.tolist() == [[0, 1, 3], [3, 1, 2], [0, 1, 2]]
    assert "ignored" in read_ply(binary_ply("<", [(0, 1, 2)]) + b"x").notes[0]
    assert "ignored" in read_ply(ascii_ply("3 0 1 2\n9\n", 1)).notes[0]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"plx\n", "does not begin"),
        (b"ply\nformat ascii 1.0\n", "end_header"),
        (b"ply\nend_header\n", "no format"),
        (b"ply\nformat ascii 1.0\nelement vertex -1\nend_header\n", "line 3"),
        (b"ply\nformat ascii 1.0\nproperty float x\nend_header\n", "line 3"),
        (b"ply\nformat ascii 1.0\nelement v 1\nproperty float128 x\nend_header\n", "line 4"),
        (b"ply\nformat ascii 1.0\nelement v 1\nproperty list float int x\nend_header\n", "line 4"),
        (ascii_ply("3 0 1 2\n", 2), "cut off: 1 of 2 face elements"),
        (ascii_ply("3 0 1 2\n", 10**17), "cut off: 1 of 100,000,000,000,000,000 face elements"),
        (ascii_ply("3 0 1\n", 1), "line 15: face should have 4 values, found 3"),
        (ascii_ply("3 0 1 2 9\n", 1), "line 15: "),
        (ascii_ply("3 0 1 x\n", 1), "needs vertex numbers, found 'x'"),
        (ascii_ply("x\n", 1), "needs the length of a list"),
        (ascii_ply("", 0).replace(b"1 0 0", b"1 nan 0"), "line 12: expected a decimal number, found 'nan'"),
        (ascii_ply("", 0).replace(b"1 0 0", b"1 0"), "line 12: vertex has 3 properties, found 2"),
        (ascii_ply("", 0).replace(b"float z", b"float w"), "no properties x, y and z"),
        (ascii_ply("3 0 1 2\n", 1).replace(b"vertex_indices", b"corners"), "no list of vertex_indices"),
        (binary_ply("<", [(0, 1, 2)])[:-1], "cut off: 0 of 1 face elements"),
        (binary_ply("<", [(0, 1, 2), (0, 1, 2, 3)])[:-1], "cut off: 1 of 2 face elements"),
        (binary_ply("<", [(0, 1, 2)])[:-13], "cut off: 0 of 1 face elements"),
        (
            header("binary_little_endian", LISTED, FACE.format(0)) + bytes(52),
            "the vertex element of the PLY has a list",
        ),
        (header("binary_big_endian", VERTEX.replace("4", "900000000000")), "cut off: 0 of 900,000,000,000 vertex"),
        (header("binary_little_endian", FACE.format(2).replace("uchar", "int")) + b"\xff" * 8, "a list of -1 members"),
        (header("binary_little_endian", FACE.format(2).replace("uchar", "uint")) + b"\xff" * 8, "cut off: 0 of 2 face"),
    ],
)
def test_damaged_files_are_errors(data: bytes, problem: str) -> None:
    with pytest.raises(MeshError) as caught:
        read_ply(data)
    assert problem in str(caught.value)


@pytest.mark.parametrize("properties", ["property float weight\n", ""])
def test_elements_without_lists_are_passed_over_in_binary(properties: str) -> None:
    data = binary_ply("<", [(0, 1, 2)])
    head, body = data.split(b"end_header\n")
    other = header("binary_little_endian", f"element other 3\n{properties}")[:-11]
    assert other.endswith(properties.encode())
    head = head.replace(b"comment element\n", b"comment element\n" + other.split(b"comment element\n")[1])
    body = (bytes(12) if properties else b"") + body
    assert read_ply(head + b"end_header\n" + body).faces.tolist() == [[0, 1, 2]]
