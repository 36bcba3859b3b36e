"""The inputs of the benchmark, made when they are needed and kept between runs."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import trimesh

KINDS = {"binary.stl": "stl", "ascii.stl": "stl_ascii", "obj": "obj", "dae": "dae", "glb": "glb"}
# Half the roots of the face counts of the library of models: 484 faces, the median of real collision meshes, to 19,600.
_LEAST_ROOT, _MAX_ROOT = 11, 70


@dataclass(frozen=True)
class Scale:
    """The amount of work."""

    few_triangles: int = 100_000
    triangles: int = 1_000_000
    most_triangles: int = 5_000_000
    files: int = 1_000
    few_links: int = 10_000
    links: int = 100_000
    models: int = 200


FULL = Scale()
# Seconds of work, all in all: to see that each row runs.
QUICK = Scale(few_triangles=288, triangles=392, most_triangles=512, files=5, few_links=20, links=60, models=4)


def bumpy_torus(triangles: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """A torus off its origin, with bumps, jittered vertices and random diagonals; the same for the same number."""
    tube = next(n for n in range(math.isqrt(triangles // 4), 2, -1) if triangles // 2 % n == 0)
    ring = triangles // 2 // tube
    random = np.random.default_rng(6)
    # The jitter is less than half the spacing: neighbours keep their order, so that triangles keep their side.
    steps = np.indices((ring, tube)) + random.uniform(-0.2, 0.2, (2, ring, tube))
    u, v = steps[0] * (2 * math.pi / ring), steps[1] * (2 * math.pi / tube)
    radius = 0.25 * (1 + 0.15 * np.sin(5 * u + 2 * v) + 0.08 * np.sin(11 * u - 3 * v))
    out = 0.7 + radius * np.cos(v)
    vertices = np.stack((out * np.cos(u), out * np.sin(u), radius * np.sin(v)), axis=-1).reshape(-1, 3)
    a = np.arange(ring * tube).reshape(ring, tube)
    b = np.roll(a, -1, axis=0)
    d, c = np.roll(a, -1, axis=1), np.roll(b, -1, axis=1)
    one, other = np.stack((a, b, c, a, c, d), axis=-1), np.stack((a, b, d, b, c, d), axis=-1)
    faces = np.where(random.random((ring, tube, 1)) < 0.5, one, other).reshape(-1, 3)
    return vertices + np.array((0.3, -0.2, 0.5)), faces


def _mesh(triangles: int, kind: str, factor: float = 1.0) -> bytes:
    """A file as exporters write it: with normals, where its kind has them."""
    vertices, faces = bumpy_torus(triangles)
    content = trimesh.Trimesh(factor * vertices, faces, process=False).export(file_type=KINDS[kind])
    return content.encode() if isinstance(content, str) else bytes(content)


def _document(*models: str) -> str:
    return f'<?xml version="1.0"?>\n<sdf version="1.11">\n{"".join(models)}</sdf>\n'


def _model(name: str, links: Iterable[str]) -> str:
    return f'  <model name="{name}">\n{"".join(links)}  </model>\n'


def _link(name: str, number: int, *shapes: str) -> str:
    collisions = "".join(
        f'      <collision name="collision_{index}">\n        <pose>{_pose(number + index)}</pose>\n'
        f"        <geometry>{_geometry(shape, number)}</geometry>\n      </collision>\n"
        for index, shape in enumerate(shapes)
    )
    return (
        f'    <link name="{name}">\n      <pose>{_pose(number + 7)}</pose>\n      <inertial auto="true">\n'
        f"        <density>{_size(number, 2) * 1e4:.1f}</density>\n      </inertial>\n{collisions}"
        f'      <visual name="visual">\n        <geometry>{_geometry(shapes[0], number)}</geometry>\n'
        "      </visual>\n    </link>\n"
    )


def _geometry(shape: str, number: int) -> str:
    """A mesh file, where a shape has a suffix, or a primitive whose sizes depend on a number."""
    if "." in shape:
        return f"<mesh><uri>{shape}</uri></mesh>"
    a, b, c = (f"{_size(number, axis):.4f}" for axis in range(3))
    if shape in ("box", "ellipsoid"):
        tag = "size" if shape == "box" else "radii"
        return f"<{shape}><{tag}>{a} {b} {c}</{tag}></{shape}>"
    length = "" if shape == "sphere" else f"<length>{b}</length>"
    return f"<{shape}><radius>{a}</radius>{length}</{shape}>"


def _size(number: int, axis: int) -> float:
    """A length between 0.1 and 0.5 (m); sines of whole numbers come close to every value and repeat none."""
    return 0.3 + 0.2 * math.sin(1.7 * number + axis)


def _pose(number: int) -> str:
    return " ".join(f"{math.sin(0.3 * number + axis):.4f}" for axis in range(6))


def _robot(number: int) -> str:
    """A model of three links with four primitive shapes."""
    parts = {"base": ("box", "cylinder"), "arm": ("capsule",), "head": ("sphere",)}
    links = (_link(name, number + place, *shapes) for place, (name, shapes) in enumerate(parts.items()))
    return _document(_model(f"robot_{number}", links))


def _world(links: int) -> Iterator[str]:
    """A world of models of ten links each, about 500 bytes a link, piece by piece."""
    shapes = ("box", "cylinder", "sphere", "capsule", "ellipsoid")
    yield '<?xml version="1.0"?>\n<sdf version="1.11">\n<world name="yard">\n'
    for start in range(0, links, 10):
        numbers = range(start, min(start + 10, links))
        yield _model(f"machine_{start}", (_link(f"link_{number}", number, shapes[number % 5]) for number in numbers))
    yield "</world>\n</sdf>\n"


class Workloads:
    """Meshes and models in a directory of their own, which is a repository root, so that nothing above it counts."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        (directory / ".git").mkdir(parents=True, exist_ok=True)

    def mesh(self, triangles: int, kind: str) -> Path:
        return self._made(f"mesh-{triangles}/torus.{kind}", lambda: [_mesh(triangles, kind)])

    def mesh_model(self, triangles: int, kind: str) -> Path:
        """A model whose collision is such a mesh file."""
        text = _document(_model("part", [_link("body", 0, self.mesh(triangles, kind).name)]))
        return self._made(f"mesh-{triangles}/{kind}.sdf", lambda: [text.encode()])

    def primitives_model(self) -> Path:
        return self._made("primitives.sdf", lambda: [_robot(0).encode()])

    def primitives_library(self, files: int) -> Path:
        """A directory of so many models of three links, each in a file of its own."""
        for number in range(files):
            text = _robot(number).encode()
            self._made(f"primitives-{files}/robot_{number}.sdf", lambda text=text: [text])
        return self.directory / f"primitives-{files}"

    def mesh_library(self, count: int) -> Path:
        """A directory of models with a mesh each, of sizes as in libraries of assets."""
        for number in range(count):
            # Golden steps: every stretch of the library holds small and large ones.
            share = number * 0.6180339887498949 % 1
            faces = 4 * round(_LEAST_ROOT * (_MAX_ROOT / _LEAST_ROOT) ** share) ** 2
            place, factor = f"meshes-{count}/part_{number}", 1.0 + number / 1000.0
            self._made(f"{place}/part.stl", lambda f=faces, by=factor: [_mesh(f, "binary.stl", by)])
            document = _document(_model("part", [_link("body", 0, "part.stl")]))
            self._made(f"{place}/model.sdf", lambda text=document: [text.encode()])
        return self.directory / f"meshes-{count}"

    def world(self, links: int) -> Path:
        return self._made(f"world-{links}.sdf", lambda: (piece.encode() for piece in _world(links)))

    def _made(self, name: str, content: Callable[[], Iterable[bytes]]) -> Path:
        path = self.directory / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f"{path.name}.part")  # after an interruption it is made again
            with part.open("wb") as file:
                file.writelines(content())
            part.replace(path)
        return path
