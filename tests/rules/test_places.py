"""Where findings point, and that `fill` names the same line."""

from __future__ import annotations

import pytest

from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.options import Options

AUTO = '<inertial auto="true"/>'


def sdf(*lines: str) -> bytes:
    return "\n".join(
        ['<sdf version="1.12">', '<model name="m">', '<link name="l">', *lines, "</link></model></sdf>"]
    ).encode()


def shape(*lines: str) -> tuple[str, ...]:
    return ('<collision name="c">', "<geometry>", *lines, "</geometry>", "</collision>")


CUBE = "<geometry><box><size>1 1 1</size></box></geometry></collision>"
# Each with the number of its line below the link that is wrong, counted from 1.
COMPUTED = {
    "a size": (6, (AUTO, *shape("<box>", "<!-- m -->", "<size>1 0 1</size>", "</box>"))),
    "a radius": (5, (AUTO, *shape("<sphere>", "<radius>-1</radius>", "</sphere>"))),
    "a length, not the radius": (
        6,
        (AUTO, *shape("<cylinder>", "<radius>1</radius>", "<length>0</length>", "</cylinder>")),
    ),
    "a word for a number": (5, (AUTO, *shape("<sphere>", "<radius>big</radius>", "</sphere>"))),
    "a missing dimension": (4, (AUTO, *shape("<sphere>", "</sphere>"))),
    "a mesh that is gone": (2, (AUTO, *shape("<mesh>", "<uri>gone.stl</uri>", "</mesh>"))),
    "a plane": (2, (AUTO, *shape("<plane/>"))),
    "an unknown shape": (2, (AUTO, *shape("<torus/>"))),
    "a pose": (3, (AUTO, '<collision name="c">', "<pose>0 0</pose>", CUBE)),
    "the frame of a pose": (3, (AUTO, '<collision name="c">', '<pose relative_to="x"/>', CUBE)),
    "a density": (3, (AUTO, '<collision name="c">', "<density>-1</density>", CUBE)),
    "a mass": (
        2,
        (
            '<inertial auto="true">',
            "<mass>1.85kg</mass>",
            "</inertial>",
            *shape("<sphere>", "<radius>1</radius>", "</sphere>"),
        ),
    ),
}


@pytest.mark.parametrize(("line", "lines"), COMPUTED.values(), ids=COMPUTED.keys())
def test_what_cannot_be_computed_is_told_where_it_is_wrong_by_check_and_fill(tmp_path, line, lines):
    content, name = sdf(*lines), str(tmp_path / "m.sdf")
    [finding] = check(content, Options(select=("SDI901",)), filename=name)
    [error] = fill(content, filename=name).errors
    assert error.location is not None
    assert (finding.location.line, error.location.line) == (3 + line, 3 + line)


def block(mass: str = "1", ixx: str = "1", more: str = "<!-- -->") -> tuple[str, ...]:
    entries = f"<ixx>{ixx}</ixx><iyy>2</iyy><izz>2</izz>"
    return ("<inertial>", f"<mass>{mass}</mass>", more, "<inertia>", entries, "</inertia></inertial>")


WRITTEN = {
    "SDI101": (2, block(mass="-1")),
    "SDI102": (4, block(ixx="-1")),
    "SDI103": (4, block(ixx="9")),
    "SDI201": (3, (*block(more="<pose>9 0 0 0 0 0</pose>"), *shape("<box><size>1 1 1</size></box>"))),
    "SDI202": (4, (*block(mass="0.01"), *shape("<box><size>1 1 1</size></box>"))),
    "SDI203": (2, (*block(mass="0.1"), *shape("<box><size>1 1 1</size></box>"))),
    "SDI204": (4, (*block(), *shape("<box><size>1 1 1</size></box>"))),
    "SDI106": (5, (*block(ixx="1e"), "<!-- -->")),
}


@pytest.mark.parametrize(("code", "line", "lines"), [(code, *case) for code, case in WRITTEN.items()])
def test_a_finding_points_at_the_part_of_a_block_that_is_wrong(code: str, line: int, lines: tuple[str, ...]) -> None:
    [finding] = check(sdf(*lines), Options(select=(code,)), filename="/nowhere/m.sdf")
    assert finding.code == code
    assert finding.location.line == 3 + line


def test_what_is_not_there_is_told_of_the_block() -> None:
    [finding] = check(sdf("<!-- -->", "<inertial/>"), Options(select=("SDI105",)), filename="/nowhere/m.sdf")
    assert finding.location.line == 5


WORDS = [
    ("1.85kg", "write the number without its unit, in metres, kilograms or radians"),
    ("1850 g", "write the number without its unit, in metres, kilograms or radians"),
    ("320,5", "write 320.5"),
    ("0,125", "write 0.125"),
    ("1,250", "write 1250, or 1.250"),
    ("1,250,000", "write 1250000"),
    ("-0,5e-3", "write -0.5e-3"),
]


@pytest.mark.parametrize(("text", "advice"), WORDS)
def test_a_number_with_a_comma_or_a_unit_is_told_how_to_write(text: str, advice: str) -> None:
    content = sdf(
        '<inertial auto="true">', f"<mass>{text}</mass>", "</inertial>", *shape("<sphere><radius>1</radius></sphere>")
    )
    [error] = fill(content).errors
    assert error.remedy.startswith(advice)
    assert error.remedy.removeprefix(advice)[:1] in ("", ":")
    [finding] = check(sdf(*block(mass=text)), Options(select=("SDI106",)))
    assert finding.remedy == error.remedy


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("1, 2, 3", "write 1 2 3"),
        ("1,2,3", "write 1 2 3"),
        ("0,5 1,5 2,5", "write 0.5 1.5 2.5"),
        ("1;2;3", "write 1 2 3"),
    ],
)
def test_three_numbers_with_commas_are_told_how_to_write(text: str, advice: str) -> None:
    [error] = fill(sdf(AUTO, *shape(f"<box><size>{text}</size></box>"))).errors
    assert error.remedy == advice
