"""What is worked on, made when it is first asked for and kept between runs."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from benchmarks import mesh_files, models, surfaces

_MAKERS = (mesh_files, models, surfaces)
_PREFIX = "workloads-"
# Half the roots of the face counts of the library of models: 484 faces, the median of real collision meshes, to 19,600.
_LEAST_ROOT, _MOST_ROOT = 11, 70


@dataclass(frozen=True)
class Scale:
    """How much work there is.

    Attributes:
        triangles: of the meshes of the four sizes, ascending.
        files: how many small files a library has.
        links: of the large world; `few_links` of the one it is compared with.
        models: how many models with a mesh each.
        seconds: for how long a program that times itself repeats its work.
    """

    triangles: tuple[int, int, int, int] = (10_000, 100_000, 1_000_000, 5_000_000)
    files: int = 1_000
    links: int = 100_000
    few_links: int = 10_000
    models: int = 200
    seconds: float = 1.0


FULL = Scale()
# Seconds of work, all in all: to see that each row runs.
QUICK = Scale((200, 288, 392, 512), files=5, links=60, few_links=20, models=4, seconds=0.0)


class Workloads:
    """Meshes and models in a directory of their own, which is a repository root, so that nothing above it counts."""

    def __init__(self, directory: Path) -> None:
        """Makes the directory, and removes those that other versions of the makers have filled."""
        digest = sha256(b"".join(Path(str(maker.__file__)).read_bytes() for maker in _MAKERS)).hexdigest()
        self.directory = directory / f"{_PREFIX}{digest[:12]}"
        for other in directory.glob(f"{_PREFIX}*"):
            if other != self.directory:
                shutil.rmtree(other)
        (self.directory / ".git").mkdir(parents=True, exist_ok=True)

    @cached_property
    def memory(self) -> Path | None:
        """A directory of the same kind in memory, or None where there is no file system for that."""
        shared = Path("/dev/shm")
        if not os.access(shared, os.W_OK):
            return None
        directory = shared / f"sdfinertia-bench-{os.getpid()}"
        (directory / ".git").mkdir(parents=True, exist_ok=True)
        return directory

    def close(self) -> None:
        """Removes what lies in memory."""
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
        """A directory of so many models with a mesh each, of sizes as they are found in libraries of assets."""
        directory = Path(f"meshes-{count}")
        for number in range(count):
            # Golden steps: every stretch of the library holds small and large ones.
            share = number * 0.6180339887498949 % 1
            root = round(_LEAST_ROOT * (_MOST_ROOT / _LEAST_ROOT) ** share)
            mesh = directory / f"part_{number}" / "part.stl"
            self._made(mesh, partial(_mesh_content, 4 * root * root, "binary.stl"))
            self._made(mesh.with_name("model.sdf"), partial(_encoded, models.mesh_model, mesh.name))
        return self.directory / directory

    def world(self, links: int) -> Path:
        """A world with so many links."""
        return self._made(Path(f"world-{links}.sdf"), lambda: (piece.encode() for piece in models.world(links)))

    def _made(self, name: Path, content: Callable[[], Iterable[bytes]]) -> Path:
        path = self.directory / name
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            part = path.with_name(f"{path.name}.part")  # what is interrupted is made again
            with part.open("wb") as file:
                file.writelines(content())
            part.replace(path)
        return path


def _mesh_content(triangles: int, kind: str) -> list[bytes]:
    return [mesh_files.WRITERS[kind](surfaces.bumpy_torus(triangles))]


def _encoded(text: Callable[..., str], *arguments: Any) -> list[bytes]:
    return [text(*arguments).encode()]
