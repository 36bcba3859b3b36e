"""STEP files: their solids as triangles by Open CASCADE, which cascadio brings, and how far off these are.

Called directly: trimesh, which wraps cascadio, only passes the bytes on, and reads the glTF it gives less strictly.
Open CASCADE runs in a process of its own, because it writes to standard output and may crash on a damaged file.
"""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from tempfile import TemporaryDirectory

import numpy as np

from sdfinertia.errors import MeshError
from sdfinertia.files.child_process import child_process
from sdfinertia.inertia.polyhedron import moments
from sdfinertia.mesh import missing_library, versions_of
from sdfinertia.mesh.kernel import surface_area
from sdfinertia.mesh.readers.gltf import read_gltf
from sdfinertia.mesh.triangle_mesh import TriangleMesh

_BEGINS, _ENDS = b"ISO-10303-21", b"END-ISO-10303-21;"
# Quoted texts and comments (ISO 10303-21, 6.4 and 6.7), instances that are defined, and all that are named.
_TEXTS = re.compile(rb"'[^']*(?:'|\Z)|/\*.*?(?:\*/|\Z)", re.DOTALL)
_CONTEXTS = re.compile(rb"GLOBAL_UNIT_ASSIGNED_CONTEXT\s*\(\s*\(([^()]*)\)")
NO_UNIT = "the STEP file gives no unit of length, and Open CASCADE takes millimetres"
_DEFINED, _NAMED = re.compile(rb"(#\d+)\s*="), re.compile(rb"#\d+")
# Chord error as a part of the diagonal, and angle between chords (rad): coarse volumes are four times as wrong.
_FINE, _COARSE = (1e-5, 0.1), (4e-5, 0.2)
# Relative to each edge: a first pass that finds the size of the model.
_FIRST = (0.05, 0.5)
_MILLIMETRES = 1e3  # Open CASCADE converts every unit to millimetres; its glTF is in metres
# Single precision, in which Open CASCADE gives the vertices, moves volumes by this part.
_ROUNDING = 1e-6
_SECONDS = 600

# The messages of Open CASCADE go to a file. The library takes 1.5 s to load, so one process makes all tessellations.
_PROGRAM = """
import os, sys
said = os.open(sys.argv[2], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
output = os.fdopen(os.dup(1), "wb")
os.dup2(said, 1)
os.dup2(said, 2)
data = sys.stdin.buffer.read(int(sys.argv[1]))
import cascadio
for line in sys.stdin.buffer:
    linear, angular, kind = line.split()
    made = cascadio.load(data, "step", float(linear), float(angular), kind == b"relative")
    output.write(len(made).to_bytes(8, "little") + made)
    output.flush()
"""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def read_step(data: bytes) -> TriangleMesh:
    """The triangles of the solids in a STEP file, in metres, with the names of its products."""
    plain = _TEXTS.sub(b"", data)
    _refuse_damaged(data, plain)
    with _open_cascade(data) as tessellated:
        first = tessellated(*_FIRST, "relative")
        if not len(first.faces):
            raise MeshError("Open CASCADE finds no surface in the STEP file")
        lower, upper = first.bounds
        diagonal = float(np.linalg.norm(upper - lower))
        fine = tessellated(_FINE[0] * diagonal * _MILLIMETRES, _FINE[1])
        coarse = tessellated(_COARSE[0] * diagonal * _MILLIMETRES, _COARSE[1])
    volumes = [moments(mesh.vertices, mesh.faces).volume for mesh in (fine, coarse)]
    # For a surface that encloses nothing the areas are compared.
    sizes = volumes if volumes[0] > 0.0 else [surface_area(mesh.vertices, mesh.faces) for mesh in (fine, coarse)]
    difference = abs(sizes[1] - sizes[0]) / sizes[0] if sizes[0] > 0.0 else 0.0
    reader = f"read by Open CASCADE ({versions_of(('cascadio',)).replace('-', ' ', 1)})"
    notes = fine.notes if _has_unit(plain) else (NO_UNIT, *fine.notes)
    if difference <= _ROUNDING:
        return replace(fine, notes=(f"{reader}; triangles four times as coarse enclose the same volume", *notes))
    note = (
        f"{reader}; its triangles are within {_FINE[0] * diagonal:.2g} m of curved faces (chord error), and ones four "
        f"times as coarse change the volume by {100.0 * difference:.2g} %, so the mass is uncertain by less than that"
    )
    return replace(fine, uncertainty=difference, notes=(note, *notes))


def _refuse_damaged(data: bytes, plain: bytes) -> None:
    """Refuses damage that Open CASCADE would ignore: it reads the remaining faces of a shell."""
    if not data.lstrip().startswith(_BEGINS):
        raise MeshError("a STEP file begins with ISO-10303-21;, and this one does not")
    if not data.rstrip(b" \t\r\n\0").endswith(_ENDS):
        raise MeshError("cut off: the STEP file has no END-ISO-10303-21;", remedy="fetch or export it again")
    defined = set(_DEFINED.findall(plain))
    for name in _NAMED.findall(plain):
        if name not in defined:
            raise MeshError(f"the STEP file refers to {name.decode()}, which it does not define")


def _has_unit(plain: bytes) -> bool:
    """Whether a context of geometry has a unit of length (ISO 10303-41, global_unit_assigned_context)."""
    units = {name.strip() for context in _CONTEXTS.findall(plain) for name in context.split(b",")}
    records = (record.partition(b"=") for record in plain.split(b";") if b"LENGTH_UNIT" in record)
    return any(name.strip() in units for name, _, _ in records)


@contextmanager
def _open_cascade(data: bytes) -> Iterator[Callable[..., TriangleMesh]]:
    """A function that makes triangles, by chord error (mm, or a part of each edge) and angle between chords (rad)."""
    with TemporaryDirectory() as folder:
        said = os.path.join(folder, "said")
        with child_process(_PROGRAM, [str(len(data)), said]) as process:
            timer = threading.Timer(_SECONDS, process.kill)
            timer.start()

            def tessellated(linear: float, angular: float, kind: str = "absolute") -> TriangleMesh:
                _give(process, f"{linear!r} {angular!r} {kind}\n".encode())
                assert process.stdout is not None, "it is a pipe"
                size = int.from_bytes(process.stdout.read(8), "little")
                made = process.stdout.read(size)
                if size and len(made) == size:
                    return read_gltf(made, _no_buffer)
                if timer.finished.is_set():
                    raise MeshError(f"Open CASCADE needs more than {_SECONDS} s for it", remedy="export it as STL")
                raise _failure(process, said)

            try:
                _give(process, data)
                yield tessellated
            finally:
                timer.cancel()


def _failure(process: subprocess.Popen[bytes], path: str) -> MeshError:
    with suppress(subprocess.TimeoutExpired):
        process.wait(1.0)
    said = ""
    with suppress(OSError), open(path, "rb") as file:
        said = _COLOUR.sub("", file.read().decode("utf-8", "replace"))
    if "No module named 'cascadio'" in said:
        return missing_library("reading STEP", "cascadio", "cad")
    lines = [line.strip(" *") for line in said.splitlines() if line.strip(" *")]
    status = process.returncode
    if status is not None and status < 0:
        lines.append(f"its process was ended by signal {-status}")
    why = lines[-1][:200] if lines else "it gives no reason"
    return MeshError(f"Open CASCADE cannot read it: {why}", remedy="export it again, or as STL")


def _give(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin is not None, "it is a pipe"
    # Its output has the reason why it stopped reading.
    with suppress(OSError):
        process.stdin.write(data)
        process.stdin.flush()


def _no_buffer(name: str) -> bytes:
    raise MeshError(f"Open CASCADE refers to a file {name[:80]!r}")
