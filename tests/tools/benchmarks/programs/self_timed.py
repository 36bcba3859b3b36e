"""Repeats some work within this process and prints the median of its seconds: `self_timed.py SECONDS WORK FILE`.

Imports are not timed. The work is repeated at least three times, and for as many seconds as requested; once, if for 0.
"""

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable

Work = Callable[[str], object]


def sdfinertia_moments() -> Work:
    """Reading, closedness, without which there are no moments, and moments, without welding."""
    from sdfinertia import mesh_moments
    from sdfinertia.mesh.readers.stl import corners_of_facets

    def work(path: str) -> object:
        with open(path, "rb") as file:
            data = file.read()
        return mesh_moments(corners_of_facets(data, int.from_bytes(data[80:84], "little")))

    return work


def sdfinertia_solid() -> Work:
    """All that `fill` does about a mesh file: its digest, its solid and every judgement of it."""
    from sdfinertia.mesh.method import MeshSource, MeshTreatment
    from sdfinertia.mesh.store import MeshStore

    def work(path: str) -> object:
        store = MeshStore()
        store.digest(path)
        return store.solid(MeshSource(path), MeshTreatment())

    return work


def trimesh_moments() -> Work:
    """Reading without merging, and moments."""
    import trimesh

    return lambda path: trimesh.load(path, force="mesh", process=False).mass_properties


def libigl_moments() -> Work:
    """Reading and moments."""
    import igl

    return lambda path: igl.moments(*igl.read_triangle_mesh(path))


def expat() -> Work:
    """The whole file past three handlers that do nothing."""
    from xml.parsers.expat import ParserCreate

    def work(path: str) -> object:
        parser = ParserCreate()
        parser.StartElementHandler = lambda name, attributes: None
        parser.EndElementHandler = lambda name: None
        parser.CharacterDataHandler = lambda text: None
        with open(path, "rb") as file:
            return parser.Parse(file.read(), True)

    return work


WORKS = {work.__name__: work for work in (sdfinertia_moments, sdfinertia_solid, trimesh_moments, libigl_moments, expat)}


def main(seconds: float, name: str, path: str) -> None:
    """Times the work on a file."""
    work = WORKS[name]()
    gc.disable()  # as the command does; for all contenders
    times: list[float] = []
    while True:
        start = time.perf_counter()
        result = work(path)
        times.append(time.perf_counter() - start)
        del result
        gc.collect()  # each begins with the memory of the one before it
        if seconds == 0 or (len(times) >= 3 and sum(times) >= seconds):
            break
    print(json.dumps({"seconds": statistics.median(times), "repeats": len(times)}))


if __name__ == "__main__":
    main(float(sys.argv[1]), *sys.argv[2:])
