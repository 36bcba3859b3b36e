"""Inputs that broke a contract when they were found, each as small as it would do; what they break is mended."""

from __future__ import annotations

import pytest

from fuzzing.harnesses import HARNESSES
from fuzzing.mesh_contracts import TREATMENTS, WITH_ALTERNATIVES
from fuzzing.seeds import tables

DIVERGENCE, SHELL = (
    next(number for number, (treatment, _) in enumerate(TREATMENTS) if treatment.open_mesh == policy)
    for policy in ("divergence", "shell")
)
ALTERNATIVES = [treatment for treatment, _ in TREATMENTS].index(WITH_ALTERNATIVES)


def tetrahedron(treatment: int, x: str, y: str, z: str, faces: str = "123 124 134 234") -> bytes:
    """An OBJ file with its right angle at the origin, and the number of the treatment before it."""
    corners = f"v 0 0 0\nv {x} 0 0\nv 0 {y} 0\nv 0 0 {z}\n"
    return bytes([treatment]) + (corners + "".join(f"f {' '.join(face)}\n" for face in faces.split())).encode()


# A corner so far out that all others are near each other beside it: what is left is a sheet taken from both sides.
FAR_CORNER = (
    b"\0v 0 0 0\nv 0 0 3\nv 0 2 3\nv 0 2 0\nv 1 0 0\nv 1 2 0\nv 1 2 3\nv 1 0 3\nv 0 7.5e28 0\nv 1 3.6e-43 0\n"
    + b"".join(
        b"f %d %d %d\n" % face
        for face in (
            *((1, 2, 3), (1, 3, 4), (5, 6, 7), (5, 7, 8), (1, 5, 8), (1, 8, 2), (4, 3, 7), (9, 7, 6), (1, 4, 6)),
            *((1, 6, 10), (2, 8, 7), (2, 7, 3)),
        )
    )
)

# Copies of three faces of a tetrahedron, one of them beside the reverse of another: some are turned to agree.
COPIED_FACES = tetrahedron(0, "1", "1", "1", " ".join(["132"] * 9 + ["234"] * 9 + ["314"] * 3))
COPIED_FACES += b"v 1 1 1\n" + b"f 3 1 5\n" * 2
# Triangles so far apart in scale that each is a crack which its own reverse closes.
LONE_SLIVERS = b"\0" + b"".join(
    b"v %b\nv 0 0 0\nv %b\nf -3 -2 -1\n" % ends
    for ends in (
        (b"0 0 -5e23", b"0 0 1"),
        (b"0 -1e31 0", b"0 0 6e34"),
        (b"0 6e37 0", b"0 0 1"),
        (b"-8e31 0 0", b"0 0 -3e33"),
    )
)

FOUND = {
    "a rule of git with a range that runs backwards": ("directory", b"*.x\n[b-a]\n"),
    "a rule of git that Python warns of": ("directory", b"[[a]\n"),
    "a limit that is no float": ("configuration", b"max-mesh-bytes = 1" + 400 * b"0"),
    "a limit below zero that is no float": ("configuration", b"max-mesh-bytes = -1" + 400 * b"0"),
    "a number of too many digits": ("configuration", b"density = 1" + 5000 * b"0"),
    "a number of too many digits to be written": ("configuration", b"axes = 0x" + 5000 * b"f"),
    "arrays nested too deep": ("configuration", b"a = " + 5000 * b"["),
    "a name that a terminal would obey": ("ply", b"\0ply\nformat ascii 1.0\nelement \x1b[2J\0 9\nend_header\n"),
    "a scale that makes coordinates infinite": ("obj", tetrahedron(DIVERGENCE, "1e305", "1", "1")),
    "a scale that makes moments infinite": ("obj", tetrahedron(DIVERGENCE, "1e61", "1e61", "1e61")),
    "moments that overflow on the way to being judged": ("obj", tetrahedron(SHELL, "1e77", "1e77", "1e77", "134 124")),
    "a mesh of the smallest numbers": ("obj", tetrahedron(ALTERNATIVES, "5e-324", "5e-324", "5e-324", "134 124")),
    "an area that overflows": ("obj", tetrahedron(ALTERNATIVES, "1e160", "1e160", "1e160", "134 124")),
    "a corner far out": ("obj", FAR_CORNER),
    "copies of faces that become reverses": ("obj", COPIED_FACES),
    "a crack closed by the reverse of a face": ("obj", LONE_SLIVERS),
    "a digest that is no text": ("table", [*tables()][2].replace(b"89ab" * 16, b"\xff" * 64)),
}


@pytest.mark.parametrize(("name", "data"), FOUND.values(), ids=FOUND.keys())
def test_what_once_broke_a_contract_holds_it(name: str, data: bytes) -> None:
    HARNESSES[name].try_input(data)
