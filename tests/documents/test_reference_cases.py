"""The reference cases with known answers, where they are at hand: beside the checkout, or in SDFINERTIA_REFERENCE."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sdfinertia.documents.filling import fill
from sdfinertia.errors import SdfInertiaError
from sdfinertia.options import Options

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia

SUITE = Path(os.environ.get("SDFINERTIA_REFERENCE") or Path(__file__).parents[3] / "shared" / "reference")
TOLERANCE = 1e-9

pytestmark = pytest.mark.skipif(not SUITE.is_dir(), reason=f"there are no reference cases in {SUITE}")


def cases(kind: str, *expectations: str | None) -> list[Any]:
    """The cases of a kind whose `expect` is one of these, as parameters with their names."""
    paths = sorted((SUITE / kind).glob("*.expected.json"))
    found = [(path, json.loads(path.read_text())) for path in paths]
    return [
        pytest.param(path.with_name(case["file"]), case, id=case["name"])
        for path, case in found
        if case.get("expect") in expectations and not case.get("quirk")
    ]


def fill_case(path: Path, case: dict[str, Any]) -> Any:
    return fill(path, Options(resource_path=(str(path.parent / case["model_path"]),)))


def difference(expected: dict[str, Any], found: SpatialInertia, *, central: bool) -> float:
    """The largest relative difference, by the measures of the suite's own judge."""
    mass = expected["mass"]
    names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
    gyradius = math.sqrt(max(abs(expected[name]) for name in names) / mass)
    extent = max(*map(abs, expected["com"]), gyradius)
    scale = gyradius if central else extent
    return max(
        abs(found.mass - mass) / mass,
        max(abs(a - b) for a, b in zip(expected["com"], found.p_BoBcm_B, strict=True)) / extent,
        max(abs(expected[name] - getattr(found.I_BBcm_B, name)) for name in names) / (mass * scale * scale),
    )


def require_agreement(path: Path, case: dict[str, Any], *, central: bool) -> None:
    result = fill_case(path, case)
    assert result.errors == ()
    found = {link.name: link.inertia for link in result.links}
    own = {name: values for name, values in case["links"].items() if name in found}
    assert own, "the file has a link to fill"
    assert found.keys() <= case["links"].keys(), "no other link is filled"
    for name, expected in own.items():
        assert difference(expected, found[name], central=central) <= TOLERANCE, name
    again = fill(result.content, Options(resource_path=(str(path.parent / case["model_path"]),)), filename=str(path))
    assert again.content == result.content, "a second run changes nothing"


@pytest.mark.parametrize(("path", "case"), cases("frames", None))
def test_frames_agree(path: Path, case: dict[str, Any]) -> None:
    require_agreement(path, case, central=False)


@pytest.mark.parametrize(("path", "case"), cases("meshes", None))
def test_meshes_agree(path: Path, case: dict[str, Any]) -> None:
    require_agreement(path, case, central=True)


@pytest.mark.parametrize(("path", "case"), cases("meshes_bad", "flip-and-warn", "degenerate-ok"))
def test_repairable_meshes_agree_and_the_repair_is_noted(path: Path, case: dict[str, Any]) -> None:
    require_agreement(path, case, central=True)
    assert all(link.notes for link in fill_case(path, case).links)


@pytest.mark.parametrize(("path", "case"), cases("frames_fail", "error") + cases("meshes_bad", "error"))
def test_defects_are_refused_with_their_place(path: Path, case: dict[str, Any]) -> None:
    try:
        result = fill_case(path, case)
    except SdfInertiaError as error:
        errors: tuple[SdfInertiaError, ...] = (error,)
    else:
        errors = result.errors
        assert not result.changed
        assert all("link" in str(error) for error in errors)
    assert errors
    assert all(str(path) in str(error) for error in errors)
