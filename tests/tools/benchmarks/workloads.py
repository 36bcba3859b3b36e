"""The inputs of the benchmark, made when they are needed and kept between runs."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmarks import mesh_files, models, surfaces

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


class Workloads:
    """Meshes and models in a directory of their own, which is a repository root, so that nothing above it counts."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        (directory / ".git").mkdir(parents=True, exist_ok=True)

    def mesh(self, triangles: int, kind: str) -> Path:
        """A mesh file of the bumpy torus; its kind is a key of `mesh_files.WRITERS`."""
        return self._made(f"mesh-{triangles}/torus.{kind}", lambda: [_torus(triangles, kind)])

    def mesh_model(self, triangles: int, kind: str) -> Path:
        """A model whose collision is such a mesh file."""
        text = models.mesh_model(self.mesh(triangles, kind).name)
        return self._made(f"mesh-{triangles}/{kind}.sdf", lambda: [text.encode()])

    def primitives_model(self) -> Path:
        """A model of three links."""
        return self._made("primitives.sdf", lambda: [models.primitives_model(0).encode()])

    def primitives_library(self, files: int) -> Path:
        """A directory of so many models of three links, each in a file of its own."""
        for number in range(files):
            text = models.primitives_model(number).encode()
            self._made(f"primitives-{files}/robot_{number}.sdf", lambda text=text: [text])
        return self.directory / f"primitives-{files}"

    def mesh_library(self, count: int) -> Path:
        """A directory of models with a mesh each, of sizes as in libraries of assets."""
        for number in range(count):
            # Golden steps: every stretch of the library holds small and large ones.
            share = number * 0.6180339887498949 % 1
            faces = 4 * round(_LEAST_ROOT * (_MAX_ROOT / _LEAST_ROOT) ** share) ** 2
            place, factor = f"meshes-{count}/part_{number}", 1.0 + number / 1000.0
            self._made(f"{place}/part.stl", lambda f=faces, by=factor: [_torus(f, "binary.stl", by)])
            self._made(f"{place}/model.sdf", lambda: [models.mesh_model("part.stl").encode()])
        return self.directory / f"meshes-{count}"

    def world(self, links: int) -> Path:
        """A world with so many links."""
        return self._made(f"world-{links}.sdf", lambda: (piece.encode() for piece in models.world(links)))

    def _made(self, name: str, content: Callable[[], Iterable[bytes]]) -> Path:
        path = self.directory / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f"{path.name}.part")  # after an interruption it is made again
            with part.open("wb") as file:
                file.writelines(content())
            part.replace(path)
        return path


def _torus(triangles: int, kind: str, factor: float = 1.0) -> bytes:
    surface = surfaces.bumpy_torus(triangles)
    return mesh_files.WRITERS[kind](surfaces.Surface(surface.vertices * factor, surface.faces))
