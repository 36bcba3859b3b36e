"""Every doubt about sizes, densities, angles and stand-ins, word by word, as `warnings.txt` has it.

Written anew by `SDFINERTIA_WRITE_PAGES=1 .venv/bin/python -m pytest tests/rules/test_exact_warnings.py`.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from builders import meshes as meshes_of
from builders.meshes import obj
from builders.pages import compare, read_pages
from rules.test_units import AUTO, FILLED, GIVEN, REFUSED, SCALES, SOUND, SOUND_SCALES, box, cube, scaled, sdf, turned

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAGES = Path(__file__).with_name("warnings.txt")


def shape(text: str, kind: str = "visual", pose: str = "") -> str:
    return f"<{kind} name='{kind[0]}{len(text)}'>{pose}<geometry>{text}</geometry></{kind}>"


def _ball(radius: float, kind: str = "visual") -> str:
    return shape(f"<sphere><radius>{radius:g}</radius></sphere>", kind)


def _slab(x: float, y: float, z: float, kind: str = "collision") -> str:
    return shape(f"<box><size>{x:g} {y:g} {z:g}</size></box>", kind)


def _polyline(height: float) -> str:
    points = "".join(f"<point>{x} {y}</point>" for x, y in ((0, 0), (1, 0), (1, 1)))
    return shape(f"<polyline><height>{height}</height>{points}</polyline>")


def _density(density: str, inside: str = box(1)) -> str:
    return f"<inertial auto='true'><density>{density}</density></inertial>{inside}"


def _written(mass: float, moment: float) -> str:
    moments = "".join(f"<{name}>{moment:g}</{name}>" for name in ("ixx", "iyy", "izz"))
    return f"<inertial><mass>{mass:g}</mass><inertia>{moments}</inertia></inertial>"


_GONE = cube(7)
_BAD = "<collision name='c'><geometry><box><size>x</size></box></geometry></collision>"
_HEAVY = "<inertial auto='true'><mass>{}</mass></inertial>"
_FLAT = cube(60, inside="<scale>1 1 0.0001</scale>")
_LOOKS = "<visual name='w'><geometry><plane><size>1 1</size></plane></geometry></visual>"
LINKS: dict[str, str] = {
    **{f"scale: {name}": AUTO + inside for name, (inside, *_) in SCALES.items()},
    **{f"sound: {name}": SOUND + inside for name, inside in SOUND_SCALES.items()},
    **{f"refused: {name}": AUTO + inside for name, (inside, _) in REFUSED.items()},
    **{f"filled: {name}": inside for name, (inside, _) in FILLED.items()},
    "long by its scale": AUTO + cube(1, inside="<scale>1 60 1</scale>"),
    "scaled and larger": AUTO + cube(60, inside="<scale>1 1 1</scale>") + scaled(-55, "visual"),
    "the larger scale of two": SOUND + scaled(2) + scaled(51).replace("'c'", "'d'"),
    "scaled beside its visuals": AUTO + cube(0.1, inside="<scale>1000 1000 1000</scale>") + cube(0.1, "visual"),
    "visuals that are scaled": AUTO + cube(0.1) + cube(0.1, "visual", "<scale>-1000 1000 1000</scale>"),
    "nearly as large": SOUND + scaled(50.0) + scaled(49.0, "visual"),
    "one size": AUTO + scaled(25.4) + scaled(1, "visual"),
    "heavy as written": _written(1.1e6, 9e6) + cube(20),
    "not heavy as written": _written(1e6, 9e6) + cube(20),
    "heavy and long": AUTO + cube(60) + cube(49).replace("'c'", "'d'"),
    "turned visuals alone": SOUND + turned(cube(49, "visual")),
    "a mesh that is gone beside one": AUTO + _GONE + cube(60).replace("'c'", "'d'"),
    "a shape that is malformed": AUTO + _BAD + cube(60).replace("'c'", "'d'"),
    "a box in millimetres": AUTO + box(100) + box(0.1, "visual"),
    "a box beside visuals in millimetres": AUTO + box(0.1) + cube(100, "visual"),
    "nothing is seen": SOUND + cube(100) + _LOOKS,
    "flat and long": _HEAVY.format(3) + _FLAT,
    "a heavy mass is given": _HEAVY.format("2e6") + cube(20) + cube(1).replace("'c'", "'d'"),
    "a heavy mass is given and it reaches far": (
        _HEAVY.format("2e6") + cube(49) + turned(cube(49)).replace("'c'", "'d'")
    ),
    "of no size": AUTO + cube(1, inside="<scale>0 0 0</scale>") + cube(1, "visual"),
    "a block that is long": AUTO + cube(60, inside_solid="<density>500</density>") + cube(20).replace("'c'", "'d'"),
    "a density of the link": f"<inertial auto='true'><density>500</density></inertial>{cube(60)}",
    **{f"a density of {text}": _density(text) for text in ("0.9", "2.70", "9.99", "10", "1", "0", "two")},
    "a density on a line of its own": AUTO + "\n" + box(1, inside="\n<density>2.7</density>"),
    "one part far away": AUTO + box(0.01, inside="<pose>1e9 0 0 0 0 0</pose>"),
    "a density beside a mass": f"<inertial auto='true'><mass>3</mass><density>2</density></inertial>{box(1)}",
    "two densities": AUTO + "".join(
        box(k, inside=f"<density>{density}</density>").replace("'c'", f"'c{k}'") for k, density in ((1, 2.7), (2, 7.8))
    ),
    "a density of one of two": AUTO + box(1, inside="<density>2700</density>") + box(2).replace("'c'", "'d'"),
    "angles": f"<pose>0 0 0 90 -45 6.3</pose>{AUTO}{turned(box(1)).replace('0.785398163', '6.4')}",
    # Stand-ins.
    "a mass on a grain": GIVEN + box(0.01),
    "a mass on less than a grain": _HEAVY.format("1") + box(0.0099) + box(2, "visual"),
    "a mass on more": _HEAVY.format("1") + box(0.0101),
    **{f"visuals of {size} m": AUTO + box(0.1) + box(size, "visual") for size in (1.9, 1.99, 2.01, 2.1)},
    **{f"a ball of {radius} m": AUTO + box(0.1) + _ball(radius) for radius in (0.3, 0.34, 1.1, 1.8, 3.0)},
    "a thin rod for looks": AUTO + box(0.1) + _slab(0.001, 0.001, 3.46, "visual"),
    "a long thin rod for looks": AUTO + box(0.1) + _slab(0.001, 0.001, 3.47, "visual"),
    "a profile for looks": AUTO + box(0.1) + _polyline(4),
    "a small profile for looks": AUTO + box(0.1) + _polyline(0.1),
    "looks that are gone": AUTO + box(0.1) + cube(7, "visual"),
    "looks without a size": AUTO + box(0.1) + _LOOKS,
    "no looks": AUTO + box(0.1),
    **{
        f"collisions for a part of {size} m": _written(10, 0.5) + _slab(0.2, 0.2, 0.2) + _slab(0.2, 0.2, size, "visual")
        for size in (0.29, 0.31, 0.9)
    },
    "larger collisions": _written(10, 0.09) + _slab(0.2, 0.2, 0.9) + _slab(0.2, 0.2, 0.2, "visual"),
    "collisions of another kind": _written(3, 0.02) + _slab(0.02, 0.5, 0.1) + _slab(0.3, 0.1, 0.1, "visual"),
    "collisions and no looks": _written(10, 0.5) + _slab(0.2, 0.2, 0.2),
    "collisions and looks that are gone": _written(10, 0.5) + _slab(0.2, 0.2, 0.2) + cube(7, "visual"),
    "no inertial": _slab(0.2, 0.2, 0.2) + _slab(0.2, 0.2, 0.9, "visual"),
}  # fmt: skip
OPTIONS: dict[str, dict[str, Any]] = {
    "": {},
    "all": {"all": True, "missing": True, "accept_size": True},
    "light": {"density": 2.7, "all": True},
    "one": {"density": 1.0},
    "seen": {"geometry": "visual", "all": True, "accept_size": True},
}


def _page(inside: str, directory: Path) -> Iterator[str]:
    content, file = sdf(inside), str(directory / "m.sdf")
    known: list[str] = []
    for name, options in OPTIONS.items():
        lines = []
        for finding in check(content, Options(select=("SDI206",), **options), filename=file):
            lines.append(f"check {finding.location.line}: {finding.message} # {finding.remedy}")
        result = fill(content, Options(**options), filename=file)
        for error in result.errors:
            lines.append(f"error {error.problem} # {error.remedy}")
        for link in result.links:
            lines += [f"warning {each.message} # {each.remedy}" for each in link.warnings]
            lines += [f"note {each}" for each in link.notes]
        lines = [re.sub(r" \(tried.*\)", "", line) for line in lines]
        # What other options leave as it is, is not said again.
        yield f"{name}: {len(lines)}"
        yield from (line for line in lines if line not in known)
        known += lines


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cubes")
    for edge in (0.1, 1, 2.54, 20, 39.37, 49, 60, 100, 101):
        (path / f"cube{edge}.obj").write_text(obj(meshes_of.cube(size=edge)))
    return path


@pytest.fixture(scope="module")
def known(directory: Path) -> dict[str, list[str]]:
    return read_pages(_PAGES, LINKS, lambda name: _page(LINKS[name], directory))


@pytest.mark.parametrize("name", LINKS)
def test_all_doubts_about_a_link_are_what_they_were(name: str, directory: Path, known: dict[str, list[str]]) -> None:
    compare(list(_page(LINKS[name], directory)), known[name])


def test_no_other_links_are_known(known: dict[str, list[str]]) -> None:
    assert list(known) == list(LINKS)
