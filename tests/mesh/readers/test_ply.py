import struct

import pytest

from sdfinertia.errors import MeshError
from sdfinertia.mesh.readers.of_trimesh import read_ply

POINTS = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
VERTEX = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
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
        ascii_ply("4 0 1 2 3\n", 1).replace(b"vertex_indices", b"vertex_index"),
        binary_ply("<", [(0, 1, 2), (0, 2, 3)]),
        binary_ply(">", [(0, 1, 2), (0, 2, 3)]),
        binary_ply("<", [(0, 1, 2, 3)], index="ushort", code="H"),
        binary_ply("<", [(0, 1, 2), (0, 2, 3)], end="\r\n"),
    ],
)
def test_every_form_is_read(data: bytes) -> None:
    mesh = read_ply(data)
    assert mesh.vertices.tolist() == [list(map(float, point)) for point in POINTS]
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 2, 3]]
    assert mesh.notes == ()


def test_polygons_of_unlike_size_are_fans_in_text() -> None:
    mesh = read_ply(ascii_ply("3 0 1 2\n4 0 1 2 3\n2 1 0\n3 3 2 1\n", 4))
    assert mesh.faces.tolist() == [[0, 1, 2], [0, 1, 2], [0, 2, 3], [3, 2, 1]]
    assert "fewer than 3" in mesh.notes[0]


def test_text_keeps_double_precision() -> None:
    mesh = read_ply(ascii_ply("3 0 1 2\n", 1).replace(b"1 0 0", b"0.123456789012 0 0"))
    assert mesh.vertices[1, 0] == 0.123456789012


def test_other_elements_and_properties_are_passed_over() -> None:
    head = header("ascii", VERTEX, FACE.format(1) + "property uchar flag\n", "element edge 1\nproperty int vertex1\n")
    assert read_ply(head + (POINT_LINES + "3 0 1 2 9\n7\n").encode()).faces.tolist() == [[0, 1, 2]]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"plx\n", "does not begin"),
        (b"ply\nformat ascii 1.0\n", "end_header"),
        (b"ply\nformat ascii 1.0\nproperty float x\nend_header\n", "trimesh cannot read"),
        (ascii_ply("3 0 1 2\n", 2), "cut off: 1 of 2 faces"),
        (ascii_ply("3 0 1 2\n", 10**17), "cut off: 1 of 100,000,000,000,000,000 faces"),
        (ascii_ply("3 0 1 x\n", 1), "trimesh cannot read"),
        (ascii_ply("", 0).replace(b"1 0 0", b"1 x 0"), "trimesh cannot read"),
        (ascii_ply("", 0).replace(b"float z", b"float w"), "trimesh cannot read"),
        (ascii_ply("3 0 1 2\n", 1).replace(b"vertex_indices", b"corners"), "trimesh cannot read"),
        (binary_ply("<", [(0, 1, 2)])[:-1], "cut off"),
        (binary_ply("<", [(0, 1, 2)])[:-13], "cut off: 0 of 1 faces"),
        (binary_ply("<", [(0, 1, 2)]) + b"x", "cut off, or"),
        (binary_ply("<", [(0, 1, 2), (0, 1, 2, 3)]), "polygons of unlike size"),
        (header("binary_big_endian", VERTEX.replace("4", "900000000000")), "cut off"),
        (header("ascii", VERTEX, "element tristrips 1\nproperty list int int vertex_indices\n"), "triangle strips"),
    ],
)
def test_damaged_files_are_errors(data: bytes, problem: str) -> None:
    with pytest.raises(MeshError) as caught:
        read_ply(data)
    assert problem in str(caught.value)
