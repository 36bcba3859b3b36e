"""Links that fixed joints make one body are judged as one: the sum of their inertials beside the geometry of all."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sdfinertia.documents.checking import check
from sdfinertia.options import Options

if TYPE_CHECKING:
    from collections.abc import Sequence

Moments = tuple[float, float, float]

# At 60 kg a cube of 1 m has 10 10 10.
CUBE = (1.0, 1.0, 1.0)
DOT = (0.006, 0.006, 0.006)


class Part:
    """A link of a robot: what it weighs, and the box that it is drawn as, both in its middle."""

    def __init__(
        self,
        name: str,
        mass: float | None = None,
        moments: Moments = (0.0, 0.0, 0.0),
        box: Moments | None = None,
        centre: str = "0 0 0",
        at: str = "0 0 0",
        comment: str = "",
    ) -> None:
        self.name, self.mass, self.moments, self.box = name, mass, moments, box
        self.centre, self.at, self.comment = centre, at, comment

    @property
    def _shape(self) -> str:
        return " ".join(map(str, self.box or ()))

    def urdf(self) -> str:
        xx, yy, zz = self.moments
        inertial = (
            f'<inertial><origin xyz="{self.centre}"/><mass value="{self.mass}"/>'
            f'<inertia ixx="{xx}" ixy="0" ixz="0" iyy="{yy}" iyz="0" izz="{zz}"/></inertial>'
        )
        shape = f'<geometry><box size="{self._shape}"/></geometry>'
        drawn = f"<collision>{shape}</collision><visual>{shape}</visual>"
        inside = f"{self.comment}{inertial if self.mass is not None else ''}{drawn if self.box else ''}"
        return f'<link name="{self.name}">{inside}</link>'

    def sdf(self) -> str:
        xx, yy, zz = self.moments
        inertial = (
            f"<inertial><pose>{self.centre} 0 0 0</pose><mass>{self.mass}</mass>"
            f"<inertia><ixx>{xx}</ixx><ixy>0</ixy><ixz>0</ixz><iyy>{yy}</iyy><iyz>0</iyz><izz>{zz}</izz></inertia>"
            "</inertial>"
        )
        shape = f"<geometry><box><size>{self._shape}</size></box></geometry>"
        drawn = f"<collision name='c'>{shape}</collision><visual name='v'>{shape}</visual>"
        inside = f"{self.comment}{inertial if self.mass is not None else ''}{drawn if self.box else ''}"
        return f"<link name='{self.name}'><pose>{self.at} 0 0 0</pose>{inside}</link>"


def urdf(parts: Sequence[Part], kind: str = "fixed") -> bytes:
    first, *others = parts
    joints = (
        f'<joint name="j{number}" type="{kind}"><parent link="{first.name}"/><child link="{part.name}"/>'
        f'<origin xyz="{part.at}"/></joint>'
        for number, part in enumerate(others)
    )
    return f'<robot name="r">{"".join(part.urdf() for part in parts)}{"".join(joints)}</robot>'.encode()


def sdf(parts: Sequence[Part], kind: str = "fixed") -> bytes:
    first, *others = parts
    joints = (
        f"<joint name='j{number}' type='{kind}'><parent>{first.name}</parent><child>{part.name}</child></joint>"
        for number, part in enumerate(others)
    )
    inside = f"{''.join(part.sdf() for part in parts)}{''.join(joints)}"
    return f"<sdf version='1.11'><model name='r'>{inside}</model></sdf>".encode()


def found(content: bytes, options: Options = Options()) -> list[tuple[str, str]]:
    findings = check(content, options)
    return [(code, each.link) for each in findings for code in (each.code, *each.also) if code.startswith("SDI2")]


# A trunk of 60 kg whose shape is that of a link fixed to it.
LIGHT = (0.7, 0.71, 0.72)
WRONG = {
    "a fourteenth of its moments": ("SDI204", "trunk", [Part("trunk", 60.0, LIGHT), Part("shell", box=CUBE)]),
    "four times its moments": ("SDI204", "trunk", [Part("trunk", 60.0, (40.0, 41.0, 42.0)), Part("shell", box=CUBE)]),
    "all mass at one point": ("SDI207", "trunk", [Part("trunk", 60.0, (1e-3, 1e-3, 1e-3)), Part("shell", box=CUBE)]),
    "more than its size allows": ("SDI202", "trunk", [Part("trunk", 60.0, (800.0,) * 3), Part("shell", box=CUBE)]),
    "beyond the box along z": (
        *("SDI205", "trunk"),
        [Part("trunk", 60.0, (20.0, 20.0, 0.5)), Part("shell", box=(1.0, 1.0, 0.05))],
    ),
    "in millimetres": ("SDI208", "trunk", [Part("trunk", 60.0, (10.0,) * 3, centre="9 0 0"), Part("shell", box=CUBE)]),
    "in grams": ("SDI203", "trunk", [Part("trunk", 60e3, (40.0,) * 3), Part("shell", box=(0.1, 0.1, 0.1))]),
    "the first link is drawn": ("SDI204", "trunk", [Part("shell", box=CUBE), Part("trunk", 60.0, LIGHT)]),
    "another link weighs little": (
        *("SDI204", "trunk"),
        [Part("head", 1.0, (1e-3,) * 3, (0.1, 0.1, 0.1)), Part("trunk", 60.0, LIGHT), Part("shell", box=CUBE)],
    ),
    "what is drawn was given a nominal mass": (
        *("SDI204", "trunk"),
        [Part("trunk", 60.0, LIGHT), Part("shell", 1e-3, (1.6e-4, 1.7e-4, 1.8e-4), CUBE)],
    ),
    "frames are fixed to it too, neither drawn nor heavy": (
        *("SDI204", "trunk"),
        [Part("trunk", 60.0, LIGHT), Part("a"), Part("b", 0.0), Part("shell", box=CUBE)],
    ),
    "where it is put": (
        *("SDI204", "trunk"),
        [Part("base"), Part("trunk", 60.0, LIGHT, at="3 0 0"), Part("shell", box=CUBE, at="3 0 0")],
    ),
}
# What is said of each, and in which line of its block.
LITTLE = "too little inertia, with a link fixed to it: a moment is 1/14.3 of that of their shapes"
SAID = {
    "a fourteenth of its moments": LITTLE,
    "four times its moments": "too much inertia, with a link fixed to it: a moment is 4.2 times that of their shapes",
    "all mass at one point": "too little inertia, with a link fixed to it: "
    "radius of gyration 0.005 m in a part of 1.73 m",
    "more than its size allows": "radius of gyration 4.47 m exceeds the part's 1.73 m, with a link fixed to it",
    "beyond the box along z": "too much inertia, with a link fixed to it: 14.7 × the spread its box allows along z",
    "in millimetres": "centre of mass 8.5 m outside the box of its shapes, 1.73 m across, with a link fixed to it",
    "in grams": "denser than any metal, with a link fixed to it: 6e+07 kg/m³ at least; "
    "6e+04 kg in a box of 0.1 × 0.1 × 0.1 m",
    "the first link is drawn": LITTLE,
    # With the head and its mass at the middle: (10 + 10 / 60) / 0.701 to three digits.
    "another link weighs little": LITTLE.replace("a link", "2 links").replace("14.3", "14.5"),
    "what is drawn was given a nominal mass": LITTLE,
    "frames are fixed to it too, neither drawn nor heavy": LITTLE,
    "where it is put": LITTLE,
}
PLACES = {"SDI208": "<origin", "SDI203": "<mass"}
RIGHT = {
    "a trunk whose geometry is fixed to it": [Part("trunk", 60.0, (10.0, 10.0, 10.0)), Part("shell", box=CUBE)],
    "half of its moments": [Part("trunk", 60.0, (5.0, 5.1, 5.2)), Part("shell", box=CUBE)],
    "a motor's mass on a child, its shape on the parent": [
        Part("arm", 2.0, (0.01, 0.02, 0.02), (0.5, 0.1, 0.1)),
        Part("motor", 5.0, (0.01, 0.01, 0.01), at="0.2 0 0"),
    ],
    "a heavy mass drawn as a dot": [
        Part("arm", 2.0, (0.01, 0.02, 0.02), (0.5, 0.1, 0.1)),
        Part("ballast", 1.0, box=DOT),
    ],
    "mass points on a rod": [
        Part("rod", 1.0, (0.0017, 0.0842, 0.0842), (1.0, 0.1, 0.1)),
        Part("tip", 0.2, at="0.45 0 0", box=(0.05, 0.05, 0.05)),
    ],
    "mass whose part is not drawn": [
        Part("plate", 1.0, (0.0834, 0.0834, 0.1667), (1.0, 1.0, 0.01)),
        Part("load", 60.0, (0.4, 0.4, 0.4), at="0 0 0.4"),
    ],
    "nothing is drawn": [Part("trunk", 60.0, LIGHT), Part("load", 60.0, LIGHT)],
    "nothing is written": [Part("trunk", box=CUBE), Part("shell", box=CUBE)],
}


@pytest.mark.parametrize("form", [urdf, sdf])
@pytest.mark.parametrize(("code", "link", "parts"), WRONG.values(), ids=WRONG)
def test_a_group_unlike_its_geometry_is_found_at_the_link_that_makes_it_so(code, link, parts, form) -> None:
    assert found(form(parts)) == [(code, f"r::{link}")]


@pytest.mark.parametrize("name", WRONG)
def test_a_group_is_told_with_its_place_and_how_many_links_it_has(name: str) -> None:
    code, link, parts = WRONG[name]
    content = urdf(parts)
    (finding,) = (each for each in check(content) if each.code.startswith("SDI2"))
    assert (finding.message, finding.remedy) == (SAID[name], "take its tensor from CAD")
    place = content.index(PLACES.get(code, "<inertia ").encode(), content.index(f'<link name="{link}"'.encode()))
    assert (finding.location.line, finding.location.column) == (1, place + 1)


@pytest.mark.parametrize("form", [urdf, sdf])
@pytest.mark.parametrize("parts", RIGHT.values(), ids=RIGHT)
def test_a_group_that_may_be_right_is_not_found(parts, form) -> None:
    assert found(form(parts)) == []


@pytest.mark.parametrize("form", [urdf, sdf])
@pytest.mark.parametrize(("code", "link", "parts"), WRONG.values(), ids=WRONG)
def test_links_that_a_joint_moves_are_no_group(code, link, parts, form) -> None:
    assert found(form(parts, "revolute")) == []


def test_what_a_link_has_of_its_own_is_not_found_again_with_its_group() -> None:
    parts = [Part("trunk", 60.0, (1e-3, 1.1e-3, 1.2e-3), CUBE), Part("shell", box=CUBE)]
    assert found(urdf(parts)) == found(urdf(parts[:1])) == [("SDI207", "r::trunk")]
    (finding,) = (each for each in check(urdf(parts)) if each.code == "SDI207")
    assert "fixed to it" not in finding.message


def test_a_group_in_which_a_link_is_to_be_computed_is_judged_once_it_is() -> None:
    asks = Part("shell", box=CUBE, comment="<!-- sdfinertia: auto -->")
    assert found(urdf([Part("trunk", 60.0, LIGHT), asks])) == []


def test_a_suppression_at_the_link_hides_what_is_found_in_its_group() -> None:
    trunk = Part("trunk", 60.0, LIGHT, comment="<!-- sdfinertia: ignore SDI204 because of the test bench -->")
    assert [each.code for each in check(urdf([trunk, Part("shell", box=CUBE)]))] == []


@pytest.mark.parametrize(("link", "codes"), [("trunk", ["SDI204"]), ("shell", [])])
def test_a_group_is_reported_with_the_link_that_is_named(link: str, codes: list[str]) -> None:
    parts = [Part("shell", box=CUBE), Part("trunk", 60.0, LIGHT)]
    assert [code for code, _ in found(urdf(parts), Options(link=(link,)))] == codes


def test_rules_that_are_off_find_nothing_in_groups() -> None:
    parts = [Part("trunk", 60.0, LIGHT), Part("shell", box=CUBE)]
    assert found(urdf(parts), Options(ignore=("SDI204",))) == []


def test_a_dense_dot_is_found_where_nothing_else_is_drawn() -> None:
    ballast = Part("ballast", 1.0, box=DOT)
    assert ("SDI203", "r::ballast") in found(urdf([ballast]))
    assert ("SDI203", "r::ballast") in found(urdf([Part("base"), ballast]))


def test_a_link_denser_than_metal_in_its_own_box_is_judged_by_what_it_is_fixed_to() -> None:
    trunk = Part("trunk", 1.0, (1.2e-4, 1.25e-4, 1.3e-4), (0.02, 0.02, 0.02))
    assert found(urdf([trunk])) == [("SDI203", "r::trunk")]
    assert found(urdf([trunk, Part("shell", box=(0.1, 0.1, 0.1))])) == [("SDI204", "r::trunk")]


def test_the_inertial_of_a_body_in_mjcf_is_judged_with_the_bodies_welded_to_it() -> None:
    content = """<mujoco model="r"><worldbody><body name="trunk"><freejoint/>
      <inertial pos="0 0 0" mass="60" diaginertia="0.7 0.71 0.72"/>
      <body name="shell"><inertial pos="0 0 0" mass="0.001" diaginertia="1.6e-4 1.7e-4 1.8e-4"/>
        <geom type="box" size="0.5 0.5 0.5"/></body>
    </body></worldbody></mujoco>"""
    (finding,) = (each for each in check(content.encode()) if each.code.startswith("SDI2"))
    assert finding.link.endswith("trunk")
