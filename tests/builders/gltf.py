"""The parts of a glTF of one mesh, to be changed before they are written."""

import base64
import json
import struct
from typing import Any

FLOAT, UBYTE, USHORT, UINT = 5126, 5121, 5123, 5125
_SIZES = {UBYTE: 1, USHORT: 2, UINT: 4}


def asset(points: int = 4, corners: int = 12, component: int = USHORT, **changes: Any) -> dict[str, Any]:
    """An asset of `points` positions (float32) and then `corners` corners of triangles, all in one buffer."""
    first, second = 12 * points, _SIZES[component] * corners
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "body", "mesh": 0}],
        "meshes": [{"name": "tetra", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": FLOAT, "count": points, "type": "VEC3"},
            {"bufferView": 1, "componentType": component, "count": corners, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": first},
            {"buffer": 0, "byteOffset": first, "byteLength": second},
        ],
        "buffers": [{"byteLength": first + second}],
        **changes,
    }


def glb(document: dict[str, Any] | bytes, content: bytes) -> bytes:
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    text, content = text + b" " * (-len(text) % 4), content + bytes(-len(content) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(content), 0x004E4942) + content
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def data_uri(content: bytes) -> str:
    return "data:application/octet-stream;base64," + base64.b64encode(content).decode()
