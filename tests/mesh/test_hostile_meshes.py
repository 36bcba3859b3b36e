"""Meshes made to hurt: each ends in one clear error, within a gigabyte, and (under `timing`) in seconds."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import pytest

SECONDS, BYTES = 5.0, 1 << 30

# Runs the command, then tells on the last line the peak of its memory (kilobytes on Linux) and the seconds of processor
# time it took, which do not grow with what else the machine does.
MEASURED = """
import resource, sys
from sdfinertia.cli import main
try:
    main(["fill", "-q", "model.sdf"])
except SystemExit as stopped:
    used = resource.getrusage(resource.RUSAGE_SELF)
    print("status", stopped.code, used.ru_maxrss, used.ru_utime + used.ru_stime, file=sys.stderr)
"""

POSITIONS = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)


def glb(indices: bytes, count: int, component: int = 5121, uri: str | None = None) -> bytes:
    binary = POSITIONS + indices
    binary += bytes(-len(binary) % 4)
    buffer: dict[str, object] = {"byteLength": len(binary)}
    if uri is not None:
        buffer["uri"] = uri
    document = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 1, "componentType": component, "count": count, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 36},
            {"buffer": 0, "byteOffset": 36, "byteLength": len(indices)},
        ],
        "buffers": [buffer],
    }
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text + struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def stl(count: int, facets: int, value: float = 1.0) -> bytes:
    facet = struct.pack("<12fH", 0, 0, 0, 0, 0, 0, value, 0, 0, 0, value, 0, 0)
    return bytes(80) + struct.pack("<I", count) + facet * facets


BOMB = "".join(f'<!ENTITY e{k} "{f"&e{k - 1};" * 10}">' for k in range(1, 10))
PLY = b"ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nproperty float y\n"
PLY += b"property float z\nelement face 4000000000\nproperty list uint int vertex_indices\nend_header\n"

HOSTILE = {
    "ten million degenerate faces.glb": (lambda: glb(bytes(30_000_000), 30_000_000), "degenerate"),
    "huge index.obj": (lambda: b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999\n", ""),
    "huge index.glb": (lambda: glb(struct.pack("<3I", 0, 1, 4_000_000_000), 3, 5125), "refers to vertex"),
    "lying count.stl": (lambda: stl(4_000_000_000, 2), "counts 4000000000"),
    "lying count.glb": (lambda: glb(bytes(3), 4_000_000_000), ""),
    "lying count.ply": (lambda: PLY + bytes(100), ""),
    "not a number.stl": (lambda: stl(2, 2, float("nan")), "not finite"),
    "entity bomb.dae": (
        lambda: f'<!DOCTYPE C [<!ENTITY e0 "x">{BOMB}]><COLLADA>&e9;</COLLADA>'.encode(),
        "DOCTYPE",
    ),
    "buffer outside.gltf": (
        lambda: b'{"asset":{"version":"2.0"},"buffers":[{"byteLength":9,"uri":"../../../etc/passwd"}]}',
        "outside",
    ),
    "deep.gltf": (lambda: b'{"asset":' + b"[" * 200_000, ""),
    "one long line.obj": (lambda: b"v " + b"1 " * 5_000_000, ""),
    "many quotes.dae": (lambda: b"<COLLADA " + b'a="' * 1_000_000, ""),
}


def measured(folder: Path, name: str) -> tuple[list[str], int, float]:
    """What is said of a hostile mesh, the peak of memory in bytes, and the seconds of processor time."""
    make, _ = HOSTILE[name]
    (folder / name).write_bytes(make())
    (folder / "model.sdf").write_text(
        "<sdf version='1.11'><model name='m'><link name='l'><inertial auto='true'/><collision name='c'>"
        f"<geometry><mesh><uri>{name}</uri></mesh></geometry></collision></link></model></sdf>"
    )
    done = subprocess.run([sys.executable, "-c", MEASURED], cwd=folder, capture_output=True, text=True)
    *messages, told = done.stderr.splitlines()
    assert told.startswith("status 2 "), done.stderr[-500:]
    kilobytes, seconds = told.split()[2:]
    return messages, int(kilobytes) * 1024, float(seconds)


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is told in other units")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_mesh_ends_in_one_error(tmp_path: Path, name: str) -> None:
    [message], peak, _ = measured(tmp_path, name)
    assert name in message
    assert HOSTILE[name][1] in message
    assert peak < BYTES


@pytest.mark.timing
@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is told in other units")
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_mesh_ends_in_seconds(tmp_path: Path, name: str) -> None:
    assert measured(tmp_path, name)[2] < SECONDS
