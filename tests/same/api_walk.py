"""A walk through the public API over files, printed number by number: run with one package after the other."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import sdfinertia
from sdfinertia import Options, SdfInertiaError

_MESHES = (".stl", ".obj", ".dae", ".off", ".ply", ".gltf", ".glb")


def main(paths: Iterable[str]) -> None:
    for path in paths:
        walks = _MESH_WALKS if path.lower().endswith(_MESHES) else _DOCUMENT_WALKS
        for name, walk in walks.items():
            print(f"## {path}: {name}")
            try:
                for line in walk(path):
                    print(line)
            except SdfInertiaError as error:
                print(f"{type(error).__name__}: {error}")
    _numbers()


def _of(result: Any, names: Iterable[str]) -> str:
    return json.dumps({name: _plain(getattr(result, name)) for name in names}, default=str)


def _plain(value: Any) -> Any:
    if isinstance(value, sdfinertia.SpatialInertia):
        return [value.mass, *value.p_BoBcm_B, *value.I_BBcm_B]
    if isinstance(value, SdfInertiaError):
        return f"{type(value).__name__}: {value}"
    return value if isinstance(value, (int, float, bool, type(None))) else str(value)


def _filled(options: Options) -> Callable[[str], Iterator[str]]:
    def walk(path: str) -> Iterator[str]:
        result = sdfinertia.fill(path, options)
        yield _of(result, ("path", "changed", "untouched", "passed_over", "notes"))
        for link in result.links:
            yield _of(link, ("name", "status", "line", "before", "inertia", "mass_given", "notes", "error"))
        yield result.content.decode("utf-8", "backslashreplace")

    return walk


def _found(options: Options) -> Callable[[str], Iterator[str]]:
    def walk(path: str) -> Iterator[str]:
        for finding in sdfinertia.check(path, options):
            yield _of(finding, ("code", "message", "location", "link", "remedy"))

    return walk


def _repaired(by: Any) -> Callable[[str], Iterator[str]]:
    def walk(path: str) -> Iterator[str]:
        result = sdfinertia.repair(path, by=by)
        for link in result.links:
            yield _of(link, ("name", "status", "line", "before", "inertia", "notes", "error"))
        yield result.content.decode("utf-8", "backslashreplace")

    return walk


def _shown(**how: bool) -> Callable[[str], Iterator[str]]:
    def walk(path: str) -> Iterator[str]:
        for body in sdfinertia.show(path, **how):
            yield _of(body, ("name", "origin", "inertia", "volume", "computed", "problem"))

    return walk


def _written(path: str) -> Iterator[str]:
    for name, inertia in sdfinertia.inertials(path).items():
        yield f"{name}: {_plain(inertia)} {inertia.as_mjcf()}"


def _many(path: str) -> Iterator[str]:
    for filled in sdfinertia.fill_many([path, path], write=None):
        yield _of(filled, ("path", "error", "notes"))
    for checked in sdfinertia.check_many([path]):
        yield f"{checked.path}: {len(checked.result or ())} {checked.error}"


def _edited(path: str) -> Iterator[str]:
    draft = sdfinertia.open_draft(path)
    yield f"{draft.path}: {draft.is_changed}"
    for name in sdfinertia.inertials(path):
        yield f"{name}: {_plain(draft.inertia(name))}"
        for finding in draft.findings(name):
            yield _of(finding, ("code", "message"))


def _mesh(**how: Any) -> Callable[[str], Iterator[str]]:
    def walk(path: str) -> Iterator[str]:
        yield repr(_plain(sdfinertia.mesh(path, **how)))

    return walk


_DOCUMENT_WALKS: dict[str, Callable[[str], Iterator[str]]] = {
    "fill": _filled(Options()),
    "fill all": _filled(Options(all=True, missing=True, keep_going=True, density=300.0)),
    "check": _found(Options()),
    "check all": _found(Options(select=("ALL",))),
    **{f"repair by {by}": _repaired(by) for by in ("cause", "twin", "geometry", "nearest")},
    "show": _shown(computed=True),
    "show lumped": _shown(lumped=True),
    "inertials": _written,
    "many": _many,
    "edit": _edited,
}
_MESH_WALKS: dict[str, Callable[[str], Iterator[str]]] = {
    "mesh": _mesh(),
    "hull": _mesh(open_mesh="convex_hull", scale=(1.0, -2.0, 3.0), density=20.0),
    "divergence": _mesh(open_mesh="divergence"),
}


def _numbers() -> None:
    """Solids, sums and transforms, which need no file."""
    box, ball = sdfinertia.box((1, 2, 3), 6.0), sdfinertia.sphere(0.5, 2.0)
    turn = sdfinertia.RigidTransform((0.0, -1.0, 0.0, 0.8, 0.0, -0.6, 0.6, 0.0, 0.8), (1.0, 2.0, 3.0))
    bodies = (box, ball, box + ball, (box + ball).transformed(turn), box.shifted((1.0, 2.0, 3.0)))
    for body in (*bodies, sdfinertia.capsule(0.1, 0.4, 3.0), sdfinertia.cone(0.1, 0.4, 3.0)):
        print(_plain(body), body.is_physically_valid(), body.principal(), body.as_mjcf())


if __name__ == "__main__":
    main(sys.argv[1:])
