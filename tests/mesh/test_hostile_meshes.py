"""Meshes made to hurt: each ends in one clear error, within a gigabyte, and (under `timing`) in seconds."""

import json
import math
import struct
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from builders.collada import ACCESSOR, FACES, TRIANGLES, document, geometry, source
from builders.gltf import UBYTE, UINT, asset, data_uri, glb
from builders.meshes import CORNERS, SIDES, stl

SECONDS, BYTES = 5.0, 1 << 30

# Runs the command, then tells on the last line the peak of its memory (kilobytes on Linux) and the seconds of processor
# time it took, which do not grow with what else the machine does.
MEASURED = """
import resource, sys
from sdfinertia.cli import main
try:
    main(["fill", "-q", "--accept-size", "model.sdf"])
except SystemExit as stopped:
    used = resource.getrusage(resource.RUSAGE_SELF)
    # Not ru_maxrss: that holds what the process that started this one had in memory, too.
    with open("/proc/self/status") as lines:
        most = next(line.split()[1] for line in lines if line.startswith("VmHWM:"))
    print("status", int(stopped.code or 0), most, used.ru_utime + used.ru_stime, file=sys.stderr)
"""

POSITIONS = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)


TRIANGLE = [(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]


def instancing_dae(fan: int, levels: int, step: float, chain: int = 0) -> bytes:
    """A cube at the leaves of a tree of nodes, each of which takes the one below it `fan` times, `step` apart."""
    nodes = '<node id="n0"><instance_geometry url="#g"/></node>'
    for level in range(levels):
        shift = [0.0, 0.0, 0.0]
        taken = ""
        for number in range(fan):
            shift[level % 3] = step * number * fan ** (level // 3)
            x, y, z = shift
            taken += f'<node><translate>{x} {y} {z}</translate><instance_node url="#n{level}"/></node>'
        nodes += f'<node id="n{level + 1}">{taken}</node>'
    for level in range(levels, levels + chain):
        nodes += f'<node id="n{level + 1}"><instance_node url="#n{level}"/></node>'
    cube = source(" ".join(map(str, CORNERS.ravel())), ACCESSOR.replace("4", "8"))
    faces = TRIANGLES.replace("4", "12").replace(FACES, " ".join(map(str, SIDES.ravel())))
    return document(
        f'<node><instance_node url="#n{levels + chain}"/></node>',
        geometry(faces, positions=cube),
        f"<library_nodes>{nodes}</library_nodes>",
    )


def repeating_gltf(primitives: int, faces: int, unused: int = 0) -> bytes:
    """One mesh that lists one primitive again and again: a sheet of so many faces, folded upon itself."""
    positions = POSITIONS + bytes(12 * unused)
    indices = struct.pack("<6H", 0, 1, 2, 0, 2, 1) * (faces // 2)
    content = positions + indices
    document = asset(3 + unused, 3 * faces, buffers=[{"byteLength": len(content), "uri": data_uri(content)}])
    document["meshes"][0]["primitives"] *= primitives
    return json.dumps(document, separators=(",", ":")).encode()


BOMB = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, 10))
PLY = b"ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n"
PLY += b"property float z\nelement face 4000000000\nproperty list uint int vertex_indices\nend_header\n"

HOSTILE = {
    "ten million degenerate faces.glb": (
        lambda: glb(asset(3, 30_000_000, UBYTE), POSITIONS + bytes(30_000_000)),
        "degenerate",
    ),
    "huge index.obj": (lambda: b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", ""),
    "huge index.glb": (
        lambda: glb(asset(3, 3, UINT), POSITIONS + struct.pack("<3I", 0, 1, 4_000_000_000)),
        "refers to vertex",
    ),
    "lying count.stl": (lambda: bytes(80) + struct.pack("<I", 4_000_000_000) + stl(TRIANGLE)[84:], "of 4,000,000,000"),
    "lying count.glb": (lambda: glb(asset(3, 4_000_000_000, UBYTE), POSITIONS + bytes(3)), ""),
    "lying count.ply": (lambda: PLY + bytes(100), ""),
    "not a number.stl": (lambda: stl(([*TRIANGLE[0][:2], (0, math.nan, 0)], TRIANGLE[1])), "not finite"),
    "entity bomb.dae": (f'<!DOCTYPE C [<!ENTITY e0 "x">{BOMB}]><COLLADA>&e9;</COLLADA>'.encode, "DOCTYPE"),
    "buffer outside.gltf": (
        lambda: b'{"asset":{"version":"2.0"},"buffers":[{"byteLength":9,"uri":"../../../etc/passwd"}]}',
        "outside",
    ),
    "deep.gltf": (lambda: b'{"asset":' + b"[" * 200_000, ""),
    "one long line.obj": (lambda: b"v " + b"1 " * 5_000_000, ""),
    "many quotes.dae": (lambda: b"<COLLADA " + b'a="' * 1_000_000, ""),
    # They are counted before anything is asked of where they are.
    "100,000 cubes apart.dae": (lambda: instancing_dae(10, 5, 2), "more than 500000 triangles"),
    "many nodes.dae": (lambda: instancing_dae(2, 30, 1).replace(b"instance_geometry", b"extra"), "200000 nodes"),
    "many nodes at the end of a long chain.dae": (
        lambda: instancing_dae(2, 16, 1, 460).replace(b"instance_geometry", b"extra"),
        "200000 nodes",
    ),
    "a primitive 60,000 times.gltf": (lambda: repeating_gltf(60_000, 100), "triangles"),
    "few of many positions 6,000 times.gltf": (lambda: repeating_gltf(6_000, 2, 200_000), "encloses no volume"),
}
# What these ask for is within the bounds, so that the most is done that so small a file can ask for.
STEPS = {"apart": 2, "that touch": 1, "in one place": 0, "that overlap": 0.25}
HEAVY = {f"40,000 cubes {how}.dae": partial(instancing_dae, 200, 2, step) for how, step in STEPS.items()}
# A quarter of them, and the megabytes of the libraries: memory grows no faster than they do.
QUARTERS = {f"10,000 cubes {how}.dae": partial(instancing_dae, 100, 2, step) for how, step in STEPS.items()}
LIBRARIES = 100 << 20


def filled(directory: Path, name: str, content: bytes) -> tuple[str, list[str], int, float]:
    """The exit status of a fill of a link whose collision is that mesh, its lines, and its memory [B] and time [s]."""
    (directory / name).write_bytes(content)
    (directory / "model.sdf").write_text(
        "<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'/><collision name='c'>"
        f"<geometry><mesh><uri>{name}</uri></mesh></geometry></collision></link></model></sdf>"
    )
    done = subprocess.run([sys.executable, "-c", MEASURED], cwd=directory, capture_output=True, text=True)
    *messages, told = done.stderr.splitlines()
    assert told.startswith("status "), done.stderr[-500:]
    _, status, kilobytes, seconds = told.split()
    return status, messages, int(kilobytes) * 1024, float(seconds)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is told in other units")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_mesh_ends_in_one_error(tmp_path: Path, name: str) -> None:
    make, words = HOSTILE[name]
    status, messages, memory, _ = filled(tmp_path, name, make())
    assert (status, len(messages)) == ("2", 1)
    assert name in messages[0]
    assert words in messages[0]
    assert memory < BYTES


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is told in other units")
@pytest.mark.parametrize("name", QUARTERS)
def test_what_a_small_file_can_ask_for_takes_bounded_memory(tmp_path: Path, name: str) -> None:
    content = QUARTERS[name]()
    assert len(content) < 100_000
    status, messages, memory, _ = filled(tmp_path, name, content)
    assert status == "0", messages
    assert memory < BYTES / 4 + LIBRARIES


@pytest.mark.timing
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is told in other units")
@pytest.mark.parametrize("name", [*HOSTILE, *HEAVY])
def test_a_small_mesh_ends_in_seconds(tmp_path: Path, name: str) -> None:
    content = HEAVY[name]() if name in HEAVY else HOSTILE[name][0]()
    assert len(content) < 100_000 or name in HOSTILE
    status, messages, memory, seconds = filled(tmp_path, name, content)
    assert status == ("0" if name in HEAVY else "2"), messages
    assert memory < BYTES
    assert seconds < SECONDS
