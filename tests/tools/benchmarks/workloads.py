"""The inputs of the benchmark, made lazily and kept between runs."""

import math
import os
import shutil
import statistics
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from builders.dask_cluster import LocalCluster

from benchmarks import mesh_files, models, surfaces

_MAKERS = (mesh_files, models, surfaces)
_PREFIX = "workloads-"
# Half the roots of the face counts of the library of models: 484 faces, the median of real collision meshes, to 19,600.
_LEAST_ROOT, _MAX_ROOT = 11, 70
# Of the collision meshes of 41 public repositories of robots: the median and the largest number of faces; the formats
# by their shares; one link in this many takes the mesh of another, and one mesh in this many is not closed.
_MEDIAN_FACES, _MAX_FACES = 472, 88_740
_FORMATS = (("dae", 0.70), ("binary.stl", 0.93), ("obj", 1.0))
_SHARED_IN, _OPEN_IN = 10, 2
_MESHES_OF_A_ROBOT = 4


@dataclass(frozen=True)
class Scale:
    """The amount of work."""

    triangles: tuple[int, int, int, int] = (10_000, 100_000, 1_000_000, 5_000_000)
    files: int = 1_000
    links: int = 100_000
    few_links: int = 10_000
    models: int = 200
    alike: int = 600
    faces: int = 20_000
    many: int = 100_000
    trees: int = 200
    seconds: float = 1.0


FULL = Scale()
# Seconds of work, all in all: to see that each row runs.
QUICK = Scale(
    (200, 288, 392, 512),
    files=5,
    links=60,
    few_links=20,
    models=4,
    alike=6,
    faces=200,
    many=20,
    trees=4,
    seconds=0.0,
)


class Workloads:
    """Meshes and models in a directory of their own, which is a repository root, so that nothing above it counts."""

    def __init__(self, directory: Path) -> None:
        """Makes the directory, and removes those of other versions of the makers."""
        digest = sha256(b"".join(Path(str(maker.__file__)).read_bytes() for maker in _MAKERS)).hexdigest()
        self.directory = directory / f"{_PREFIX}{digest[:12]}"
        for other in directory.glob(f"{_PREFIX}*"):
            if other != self.directory:
                shutil.rmtree(other)
        (self.directory / ".git").mkdir(parents=True, exist_ok=True)
        self._clusters: dict[int, LocalCluster] = {}

    @cached_property
    def memory(self) -> Path | None:
        """A directory of the same kind in memory, or None where there is no file system for that."""
        shared = Path("/dev/shm")
        if not os.access(shared, os.W_OK):
            return None
        directory = shared / f"sdfinertia-bench-{os.getpid()}"
        (directory / ".git").mkdir(parents=True, exist_ok=True)
        return directory

    def cluster(self, workers: int) -> LocalCluster:
        """A cluster of as many workers, until the end."""
        if workers not in self._clusters:
            self._clusters[workers] = LocalCluster(self.directory / f"cluster-{workers}", workers)
        return self._clusters[workers]

    def close(self) -> None:
        """Ends clusters, and removes files in memory."""
        for cluster in self._clusters.values():
            cluster.close()
        if "memory" in self.__dict__ and self.memory is not None:
            shutil.rmtree(self.memory)

    def mesh(self, triangles: int, kind: str) -> Path:
        """A mesh file of the bumpy torus; its kind is a key of `mesh_files.WRITERS`."""
        return self._made(Path(f"mesh-{triangles}", f"torus.{kind}"), partial(_mesh_content, triangles, kind))

    def mesh_model(self, triangles: int, kind: str) -> Path:
        """A model whose collision is such a mesh file."""
        mesh = self.mesh(triangles, kind)
        name = mesh.relative_to(self.directory).with_name(f"{kind}.sdf")
        return self._made(name, partial(_encoded, models.mesh_model, mesh.name))

    def primitives_model(self) -> Path:
        """A model of three links."""
        return self._made(Path("primitives.sdf"), partial(_encoded, models.primitives_model, 0))

    def primitives_library(self, files: int) -> Path:
        """A directory of so many models of three links, each in a file of its own."""
        directory = Path(f"primitives-{files}")
        for number in range(files):
            self._made(directory / f"robot_{number}.sdf", partial(_encoded, models.primitives_model, number))
        return self.directory / directory

    def robots_library(self, files: int) -> Path:
        """A directory of the same models as URDF."""
        directory = Path(f"robots-{files}")
        for number in range(files):
            self._made(directory / f"robot_{number}.urdf", partial(_encoded, models.primitives_robot, number))
        return self.directory / directory

    def mesh_library(self, count: int) -> Path:
        """A directory of models with a mesh each, of sizes as in libraries of assets."""
        directory = Path(f"meshes-{count}")
        for number in range(count):
            # Golden steps: every stretch of the library holds small and large ones.
            share = number * 0.6180339887498949 % 1
            root = round(_LEAST_ROOT * (_MAX_ROOT / _LEAST_ROOT) ** share)
            mesh = directory / f"part_{number}" / "part.stl"
            self._made(mesh, partial(_mesh_content, 4 * root * root, "binary.stl", 1.0 + number / 1000.0))
            self._made(mesh.with_name("model.sdf"), partial(_encoded, models.mesh_model, mesh.name))
        return self.directory / directory

    def equal_library(self, count: int, faces: int) -> Path:
        """A directory of models with a mesh each, all of one size, and none of another's content."""
        directory = Path(f"equal-{count}-{faces}")
        for number in range(count):
            mesh = directory / f"part_{number}" / "part.stl"
            self._made(mesh, partial(_mesh_content, faces, "binary.stl", 1.0 + number / 1000.0))
        return self.directory / directory

    def robots_tree(self, count: int) -> Path:
        """A directory of so many robots, each with its meshes beside it, like the public ones."""
        directory = self.directory / f"tree-{count}"
        meshes = tree_meshes(count * _MESHES_OF_A_ROBOT)
        for number in range(count):
            own = meshes[number * _MESHES_OF_A_ROBOT : (number + 1) * _MESHES_OF_A_ROBOT]
            place = Path(directory.name, f"robot_{number}")
            uris = [self._made(place / mesh.name, mesh.content).name for mesh in own if mesh.is_own]
            uris += [f"../robot_0/{meshes[0].name}" for mesh in own if not mesh.is_own]
            self._made(place / "model.sdf", partial(_encoded, models.meshes_model, f"robot_{number}", uris))
        return directory

    def world(self, links: int) -> Path:
        """A world with so many links."""
        return self._made(Path(f"world-{links}.sdf"), lambda: (piece.encode() for piece in models.world(links)))

    def _made(self, name: Path, content: Callable[[], Iterable[bytes]]) -> Path:
        path = self.directory / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f"{path.name}.part")  # after an interruption it is made again
            with part.open("wb") as file:
                file.writelines(content())
            part.replace(path)
        return path


class TreeMesh(NamedTuple):
    """A mesh of a tree of robots."""

    name: str
    faces: int
    kind: str
    is_closed: bool
    is_own: bool

    def content(self) -> list[bytes]:
        """Its file."""
        root = max(3, round(math.sqrt(self.faces / 4)))
        surface = surfaces.bumpy_torus(4 * root * root)
        faces = surface.faces if self.is_closed else surface.faces[: -max(1, root // 2)]
        return [mesh_files.WRITERS[self.kind](surfaces.Surface(surface.vertices, faces))]


def tree_meshes(count: int) -> list[TreeMesh]:
    """The meshes of a tree: sizes are the quantiles of a log-normal distribution, in an order without a pattern."""
    normal = statistics.NormalDist()
    spread = math.log(_MAX_FACES / _MEDIAN_FACES) / normal.inv_cdf(1 - 0.5 / count)
    found = []
    for number in range(count):
        size, form = (number * step % 1 for step in (0.6180339887498949, 0.7548776662466927))
        place = (int(size * count) + 0.5) / count
        faces = round(_MEDIAN_FACES * math.exp(spread * normal.inv_cdf(place)))
        kind = next(kind for kind, share in _FORMATS if form < share)
        # Every other of those that stand together, whatever their sizes.
        is_closed = (number // _MESHES_OF_A_ROBOT + number) % _OPEN_IN == 0
        name = f"part_{number % _MESHES_OF_A_ROBOT}.{kind}"
        found.append(TreeMesh(name, faces, kind, is_closed, number == 0 or number % _SHARED_IN != 0))
    return found


def _mesh_content(triangles: int, kind: str, factor: float = 1.0) -> list[bytes]:
    surface = surfaces.bumpy_torus(triangles)
    return [mesh_files.WRITERS[kind](surfaces.Surface(surface.vertices * factor, surface.faces))]


def _encoded(text: Callable[..., str], *arguments: Any) -> list[bytes]:
    return [text(*arguments).encode()]
