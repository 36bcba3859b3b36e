"""Whatever is wrong with an argument of the public API, the error is one of ours and says what was expected."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from builders.meshes import cube

import sdfinertia
from sdfinertia import Options, SdfInertiaError, SpatialInertia, parametrization

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
ROVER = ROOT / "fixtures" / "rover" / "model.sdf"
BOX = sdfinertia.box((1, 2, 3), 1000.0)
NO_LINK = Options(link=("nix",))
WHEELS = Options(link=("*wheel",))
TAKES_FILES = "name a file in it; fill_many and check_many take directories"

_V = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]])
_F = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])

CALLS: dict[str, tuple[Callable[[], Any], str]] = {
    # Solids
    "box of two": (lambda: sdfinertia.box((1, 2), 3), "box size must be 3 numbers"),
    "box of NaN": (lambda: sdfinertia.box((1, 2, float("nan")), 3), "size z must be positive"),
    "sphere of text": (lambda: sdfinertia.sphere("a", 1), "sphere radius must be positive"),
    "density of text": (lambda: sdfinertia.sphere(1, "3"), "density must be zero or positive"),
    "ellipsoid": (lambda: sdfinertia.ellipsoid(1, 1), "ellipsoid radii must be 3"),
    "polyline": (lambda: sdfinertia.extruded_polyline(3, 1, 1), "loops must be rows"),
    # Options
    "density as text": (lambda: Options(density="3"), "density must be a finite number, not '3'"),
    "policy": (lambda: Options(open_mesh="magic"), "open_mesh must be one of"),
    "digits": (lambda: Options(digits=3.5), "digits must be a whole number"),
    # Bodies
    "mass of text": (lambda: SpatialInertia("a", (0, 0, 0), (1, 1, 1, 0, 0, 0)), "a mass must be"),
    "two coordinates": (lambda: SpatialInertia(1, (0, 0), (1, 1, 1, 0, 0, 0)), "centre of mass must be 3"),
    "matrix of 2": (lambda: SpatialInertia(1, (0, 0, 0), np.eye(2)), "a matrix of 3 by 3"),
    "not symmetric": (lambda: SpatialInertia(1, (0, 0, 0), np.triu(np.ones((3, 3)))), "must be symmetric"),
    "offset": (lambda: BOX.shifted("abc"), "an offset must be 3 numbers"),
    "offset of three and a word": (lambda: BOX.shifted((1, 2, 3, "m")), "an offset must be 3 numbers"),
    "pose that scales": (lambda: BOX.transformed(2 * np.eye(3)), "must only turn and shift"),
    "pose that mirrors": (lambda: BOX.transformed(np.diag([1, 1, -1])), "must only turn and shift"),
    "other": (lambda: BOX.is_close(3), "int is not a SpatialInertia"),
    "no text": (lambda: SpatialInertia.from_urdf(3), "expected the text of an <inertial>"),
    "entities": (lambda: SpatialInertia.from_sdf("<!DOCTYPE a><inertial/>"), "DOCTYPE declarations are not allowed"),
    "pi_o": (lambda: SpatialInertia.from_pi_o([1, 2]), "inertial parameters must be 10 numbers"),
    "no mass": (lambda: SpatialInertia.from_pi_cm([0] * 10), "without a mass"),
    # Parametrizations
    "shape": (lambda: parametrization.pi_o_from_pi_cm(np.ones(9)), "expected"),
    # Files
    "number for a source": (lambda: sdfinertia.fill(3), "not int"),
    "bytes for a path": (lambda: sdfinertia.show(_BytesPath()), "not _BytesPath"),
    "filename": (lambda: sdfinertia.fill(b"<sdf/>", filename=3), "a path must be text"),
    "directory": (lambda: sdfinertia.fill(ROOT / "fixtures"), TAKES_FILES),
    "dict of options": (lambda: sdfinertia.fill(ROVER, {"density": 3}), "must be sdfinertia.Options"),
    "calculators": (lambda: sdfinertia.fill(ROVER, calculators=[1]), "functions by name"),
    "by": (lambda: sdfinertia.repair(ROVER, by=3), "by must be one of"),
    "one path for many": (lambda: sdfinertia.fill_many("a.sdf"), "put it in a list"),
    # Patterns
    "pattern of fill": (lambda: sdfinertia.fill(ROVER, NO_LINK), "no link matches the pattern nix; there are rover::"),
    "pattern of many": (lambda: list(sdfinertia.check_many([ROVER], NO_LINK)), "no link matches the pattern nix"),
    # Meshes
    "mesh of nothing": (lambda: sdfinertia.mesh(None), "NoneType is not a mesh"),
    "flat vertices": (lambda: sdfinertia.mesh(([1.0, 2.0], [[0, 1, 2]])), "vertices must have the shape"),
    "faces of floats": (lambda: sdfinertia.mesh((np.zeros((3, 3)), [[0.0, 1.0, 2.0]])), "whole numbers"),
    "density of a mesh": (lambda: sdfinertia.mesh(_brick(), density=None), "density must be"),
    "masked faces": (lambda: sdfinertia.mesh((_V, np.ma.masked_greater(_F, 2))), "faces must be whole numbers"),
    "complex vertices": (lambda: sdfinertia.mesh((_V + 0j, _F)), "but complex128"),
    "huge numbers": (lambda: sdfinertia.mesh(([[1 << 2000, 0, 0]] * 3, _F)), "vertices are no numbers"),
    "an array that raises": (lambda: sdfinertia.mesh((_Raising(), _F)), "vertices are no numbers"),
    "masked parameters": (lambda: parametrization.pi_cm_from_pi_o(np.ma.masked_all(10)), "parameters are no numbers"),
    # What overflows
    "about another point": (
        lambda: parametrization.pi_o_from_pi_cm([1e300, 1e308, 0, 0, 1e300, 1e300, 1e300, 0, 0, 0]),
        "overflows double precision",
    ),
    # What only looks like what is meant
    "raising lookalike of Drake": (lambda: SpatialInertia.from_drake(_Raising()), "_Raising is not a pydrake"),
    "executor": (lambda: sdfinertia.fill_many([ROVER], executor=3), "executor must be one of concurrent.futures"),
    "executor at its end": (
        lambda: list(sdfinertia.check_many([ROVER], executor=_ended())),
        "the executor takes no work",
    ),
    "workers": (lambda: sdfinertia.check_many([ROVER], workers=0), "workers must be a whole number from 1, not 0"),
    # Names that no file has
    **{
        f"{what}: NUL": (call, "a NUL" if what != "options" else "resource_path must be a list of strings")
        for what, call in {
            "fill": lambda: sdfinertia.fill("a\0.sdf"),
            "show": lambda: sdfinertia.show("a\0.sdf"),
            "mesh": lambda: sdfinertia.mesh("a\0.stl"),
            "draft": lambda: sdfinertia.open_draft("a\0.sdf"),
            "filename": lambda: sdfinertia.check(ROVER.read_bytes(), filename="a\0/b.sdf"),
            "half": lambda: sdfinertia.mesh("a\ud800.stl"),
            "write": lambda: sdfinertia.fill(ROVER).write("a\0"),
            "options": lambda: Options(resource_path=("a\0",)),
        }.items()
    },
    "nothing left to check": (lambda: sdfinertia.check(ROVER, Options(ignore=("ALL",))), "no rule is left to check"),
    "scale of a mesh": (lambda: sdfinertia.mesh(_brick(), scale="1 2 3"), "scale takes one number"),
    **{
        f"mesh by {name}={str(value)[:9]}": (
            lambda name=name, value=value: sdfinertia.mesh(_brick(), **{name: value}),  # type: ignore[misc]
            words,
        )
        for name, value, words in (
            ("density", 0.0, "density must be a number above zero"),
            ("density", 10**400, "density must be a number above zero, not 1000000"),
            ("density", -(10**400), "density must be a number above zero, not -100000"),
            ("scale", 0.0, "scale takes one number or three, none of them zero"),
            ("scale", (1.0, 2.0), "scale takes one number or three"),
            ("scale", 10**400, "scale takes one number or three"),
            ("scale", float("nan"), "scale takes one number or three"),
            ("method", "magic", "method must be one of exact, voxel"),
            ("open_mesh", "magic", "open_mesh must be one of error, convex_hull"),
            ("method", "shell", "a shell needs a thickness; give thickness="),
            ("submesh", "lid", "lid"),
        )
    },
    "mesh that is not there": (lambda: sdfinertia.mesh("wheel.obj"), "wheel.obj"),
    **{
        f"scaling by {how}": (lambda how=how: sdfinertia.scale(ROVER, WHEELS, **how), words)  # type: ignore[misc]
        for how, words in (
            ({}, "give exactly one of --mass, --density and --size, not 0"),
            ({"mass": 1.0, "size": 2.0}, "not 2"),
            ({"mass": 0.0}, "mass must be a number above zero"),
            ({"size": (1, 2)}, "size takes one number or three"),
        )
    },
    "scaling of no link": (lambda: sdfinertia.scale(ROVER, Options(), mass=1.0), "no link is named"),
    "scaling of an unknown link": (lambda: sdfinertia.scale(ROVER, NO_LINK, mass=1.0), "no link matches"),
}


class _Raising:
    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("none")

    get_mass = __array__


def _ended() -> ThreadPoolExecutor:
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    return executor


class _BytesPath:
    def __fspath__(self) -> bytes:
        return b"model.sdf"


def _brick() -> tuple[Any, Any]:
    vertices, faces = cube()
    return vertices.tolist(), faces.tolist()


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_argument_ends_in_an_error_of_ours(name: str) -> None:
    call, message = CALLS[name]
    with pytest.raises(SdfInertiaError) as refused:
        call()
    assert message in str(refused.value)


def test_a_path_that_no_file_has_is_one_of_many() -> None:
    (result,) = sdfinertia.check_many(["a\0.sdf"])
    assert "holds a NUL" in str(result.error)


def test_numbers_of_numpy_lists_and_paths_are_taken() -> None:
    options = Options(density=np.float32(3), digits=np.int64(9), link=["a"], resource_path=[ROOT], confine=ROOT)
    plain = Options(density=3.0, digits=9, link=("a",), resource_path=(str(ROOT),), confine=str(ROOT))
    assert (options, hash(options)) == (plain, hash(plain))
    assert type(options.density) is float
    assert sdfinertia.box(np.array([1, 2, 3]), np.int32(1000)) == BOX
    assert type(sdfinertia.sphere(np.float32(1), 1).mass) is float


def test_a_pattern_that_matches_in_one_of_many_files_is_no_error() -> None:
    options = Options(link=("chassis",))
    results = list(sdfinertia.check_many([ROVER, ROOT / "fixtures" / "arm" / "model.sdf"], options))
    assert [result.error for result in results] == [None, None]


def test_why_is_an_argument_of_check() -> None:
    broken = ROOT / "docs" / "examples" / "mistakes" / "forearm.urdf"
    assert all(finding.why is None for finding in sdfinertia.check(broken, why=False))
    whys = [finding.why for finding in sdfinertia.check(broken)]
    assert any(why is not None and why.explanations for why in whys)
