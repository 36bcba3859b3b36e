import math
from collections.abc import Iterator

import numpy as np
import pytest
from builders.collada import ACCESSOR, INPUT, document, geometry, source

from sdfinertia.mesh import triangle_mesh
from sdfinertia.mesh.readers import read_mesh
from sdfinertia.mesh.triangle_mesh import non_planarity, planarity_notes, triangulated

L_SHAPE = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
U_SHAPE = [(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]
RADII = [3, 1] * 7
STAR = [(r * math.cos(k * math.pi / 7), r * math.sin(k * math.pi / 7)) for k, r in enumerate(RADII)]
SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
WITH_STRAIGHT_CORNERS = [(0, 0), (1, 0), (2, 0), (2, 2), (1, 2), (1, 1), (0, 1)]


def areas(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    a, b, c = (points[faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a) / 2


def turned(points: list[tuple[float, float]]) -> np.ndarray:
    """The points in a plane that is parallel to no axis."""
    flat = np.array([(x, y, 0.0) for x, y in points])
    one, other = np.array([2, 1, 2]) / 3, np.array([-2, 2, 1]) / 3
    return flat[:, :1] * one + flat[:, 1:2] * other + 5.0


def shoelace(points: list[tuple[float, float]]) -> float:
    return sum(x * v - u * y for (x, y), (u, v) in zip(points, [*points[1:], points[0]], strict=True)) / 2


@pytest.mark.parametrize("polygon", [L_SHAPE, U_SHAPE, STAR, SQUARE, WITH_STRAIGHT_CORNERS])
@pytest.mark.parametrize(("shift", "is_reversed"), [(0, False), (1, True), (2, False), (3, True)])
def test_triangles_cover_a_polygon_once(polygon: list[tuple[float, float]], shift: int, is_reversed: bool) -> None:
    loop = polygon[shift:] + polygon[:shift]
    loop = loop[::-1] if is_reversed else loop
    points = turned(loop)
    faces = triangulated(points, np.arange(len(loop)), np.array([len(loop)]))
    covered = areas(points, faces)
    assert len(faces) == len(loop) - 2
    assert np.linalg.norm(covered, axis=1).sum() == pytest.approx(abs(shoelace(loop)), rel=1e-12)
    assert np.linalg.norm(covered.sum(axis=0)) == pytest.approx(abs(shoelace(loop)), rel=1e-12)


def waved(corners, height, *, radius=1.0, at=0.0):
    """A regular polygon of which every second corner lies above its plane and every other as far below."""
    angle = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    up = np.where(np.arange(corners) % 2, height, -height)
    return np.stack((radius * np.cos(angle) + at, radius * np.sin(angle), up), axis=1)


@pytest.mark.parametrize(
    ("height", "radius", "told"),
    [
        *[(6.5e-3, 0.5, True), (6.5e-3, 5.0, True), (6.5e-3, 50.0, False), (1e-9, 1.0, False), (0.0, 1.0, False)],
        *[(0.01, 20.0, False), (0.03, 20.0, True), (0.9e-6, 1e-3, False), (1.1e-6, 1e-3, True)],
    ],
)
def test_polygons_that_are_not_flat_are_told_with_how_far(height, radius, told):
    vertices = waved(30, height, radius=radius)
    found = non_planarity(vertices, np.arange(30), np.array([30]))
    assert (found is not None) == told
    if found is not None:
        assert found == pytest.approx((1, height, height / np.hypot(radius, height)), rel=1e-12)
        assert f"{height:.3g} (in the file's unit" in planarity_notes("OBJ", vertices, np.arange(30), np.array([30]))[0]


def test_only_polygons_that_are_not_flat_beside_the_rest_are_counted():
    vertices = np.concatenate((waved(30, 0.0), waved(6, 0.02, at=3.0), waved(4, 0.01, at=6.0), waved(3, 0.1, at=9.0)))
    found = non_planarity(vertices, np.arange(43), np.array([30, 6, 4, 3]))
    assert found[:2] == (2, pytest.approx(0.02))
    tiny_bevel = np.concatenate((waved(30, 0.0, radius=100.0), waved(4, 0.001, radius=0.01)))
    assert non_planarity(tiny_bevel, np.arange(34), np.array([30, 4])) is None


def test_readers_note_polygons_that_are_not_flat():
    rows = "".join(f"{x:.6f} {y:.6f} {z:.6f}\n" for x, y, z in waved(30, 0.0065, radius=0.5))
    numbers = " ".join(map(str, range(30)))
    obj = "".join(f"v {row}\n" for row in rows.splitlines()) + "f " + " ".join(str(k + 1) for k in range(30)) + "\n"
    ply = (
        "ply\nformat ascii 1.0\nelement vertex 30\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face 1\nproperty list uchar int vertex_indices\nend_header\n{rows}30 {numbers}\n"
    )
    polygon = f"<polylist count='1'>{INPUT}<vcount>30</vcount><p>{numbers}</p></polylist>"
    dae = document(geometries=geometry(polygon, positions=source(rows, ACCESSOR.replace("4", "30")))).decode()
    for name, text in (("a.obj", obj), ("a.ply", ply), ("a.dae", dae)):
        (note,) = (note for note in read_mesh(name, text.encode()).notes if "not flat" in note)
        assert "1 % of a radius" in note or "1.3 % of a radius" in note


def test_a_polygon_that_crosses_itself_without_an_ear_stays_a_fan() -> None:
    """A figure of eight: both its halves are wound, one each way, and no three corners can be cut off."""
    loop = next(loop for loop in crossing_polygons() if triangle_mesh._without_ears(flat_of(loop)) is None)
    points = turned(loop)
    numbers, counts = np.arange(len(loop)), np.array([len(loop)])
    assert triangulated(points, numbers, counts).tolist() == triangle_mesh.fans(numbers, counts).tolist()


def crossing_polygons() -> Iterator[list[tuple[float, float]]]:
    generator = np.random.default_rng(5)
    while True:
        yield [(float(x), float(y)) for x, y in generator.integers(-4, 5, (8, 2))]


def flat_of(loop: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The loop so that it runs counter-clockwise."""
    return loop if shoelace(loop) > 0 else loop[::-1]
