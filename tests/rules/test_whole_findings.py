"""Findings whole, with their lines, words and remedies, each of a known answer; and limits at both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from builders.documents import inertial, link, mesh, model, one_link, sdf, solid
from builders.findings import codes, findings
from builders.meshes import box as box_mesh
from builders.meshes import obj, without

from sdfinertia.documents import open_document
from sdfinertia.documents.checking import check_document
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.options import Options
from sdfinertia.rules.plausibility import off_words

if TYPE_CHECKING:
    from pathlib import Path

    from sdfinertia.rules.rule import Finding

FILL = "sdfinertia fill --all --link m::l /nowhere/m.sdf"


def box(*sizes: float) -> str:
    return f"<box><size>{' '.join(map(str, sizes))}</size></box>"


CUBE, BALL = box(1, 1, 1), "<sphere><radius>0.5</radius></sphere>"
CORNERS = [f"{x} {y} {z} 0 0 0" for x in (-0.45, 0.45) for y in (-0.45, 0.45) for z in (-0.45, 0.45)]
EIGHT = "".join(solid(box(0.1, 0.1, 0.1), place, f"c{k}") for k, place in enumerate(CORNERS))
EIGHT_DRAWN = "".join(solid(box(0.1, 0.1, 0.1), place, f"v{k}", "visual") for k, place in enumerate(CORNERS))
# A ball with a dot at each corner of the cube, which weighs nothing beside it.
CORE_DRAWN = solid("<sphere><radius>0.1</radius></sphere>", name="v", kind="visual") + "".join(
    solid("<sphere><radius>0.005</radius></sphere>", place, f"v{k}", "visual") for k, place in enumerate(CORNERS)
)


def written(mass: float, moments: tuple[float, ...], pose: str = "0 0 0 0 0 0") -> str:
    """A block whose pose, mass and tensor stand on lines 3, 4 and 5 where it is the first of a file."""
    return (
        inertial(mass, moments, pose)
        .replace("<pose>", "\n\n<pose>")
        .replace("<m", "\n<m")
        .replace("<inertia>", "\n<inertia>")
    )


# At 1 kg a cube of 1 m has 1/6 about each axis, a ball of 0.5 m 0.1, and eight boxes of 0.1 m in its corners 0.40667.
WHOLE = {
    "as dense as is still looked at": (
        [written(6200.0, (4140.0, 4150.0, 4160.0)), solid(CUBE)],
        [("SDI204", 5, "too much inertia: a moment is 4.03 times that of its collisions", FILL)],
    ),
    "as light as is still looked at": (
        [written(10.0, (7.0, 7.1, 7.2)), solid(CUBE)],
        [("SDI204", 5, "too much inertia: a moment is 4.32 times that of its collisions", FILL)],
    ),
    "as heavy as a metal may be": (
        [written(25000.0, (100.0, 101.0, 102.0)), solid(CUBE)],
        [("SDI204", 5, "too little inertia: a moment is 1/41.7 of that of its collisions", FILL)],
    ),
    "dense collisions are not held against the visuals": (
        [written(80.0, (0.35, 0.35, 0.3535)), EIGHT, CORE_DRAWN],
        [
            (
                *("SDI204", 5, "too little inertia: a moment is 1/93 of that of its collisions"),
                "correct the geometry, not the numbers",
            )
        ],
    ),
    "a round placeholder": (
        [written(20.0, (0.01, 0.01, 0.01)), solid(CUBE)],
        [("SDI209", 1, "placeholder: 0.01 kg·m² about every axis, up to a factor of 333 off its collisions", FILL)],
    ),
    "a placeholder beside a visual": (
        [written(20.0, (0.01, 0.01, 0.01)), solid(CUBE, kind="visual")],
        [
            (
                *(
                    "SDI209",
                    1,
                    "placeholder: 0.01 kg·m² about every axis, up to a factor of 333 off a body that fills its box",
                ),
                FILL.replace("--all", "--all --geometry visual"),
            )
        ],
    ),
    "no mass": (
        [written(0.0, (1.0, 1.0, 9.0)), solid(CUBE)],
        [
            ("SDI101", 4, "mass of 0.0 kg: it must be above zero and finite", "write the mass of the part"),
            ("SDI103", 5, "physically impossible: moments 1 + 1 < 9 kg·m²", "take its mass and tensor from CAD"),
        ],
    ),
}


def said(found: list[Finding]) -> list[tuple[str, int | None, str, str]]:
    return [(each.code, each.location.line, each.message, each.remedy) for each in found]


@pytest.mark.parametrize(("inside", "expected"), WHOLE.values(), ids=WHOLE)
def test_a_finding_has_its_line_its_words_and_its_remedy(
    inside: list[str], expected: list[tuple[str, int, str, str]]
) -> None:
    found = findings(one_link(*inside))
    assert said(found) == expected
    assert [(each.is_minor, each.is_fixable) for each in found] == [(False, True)] * len(found)


# Eight boxes have 24.4 at 60 kg, and the ball that stands in for them 6.
def test_where_the_visuals_agree_the_finding_is_minor_and_nothing_fixes_it() -> None:
    [found] = findings(one_link(written(60.0, (24.0, 24.1, 24.2)), solid(BALL), EIGHT_DRAWN), why=False)
    assert said([found]) == [
        (
            *("SDI204", 5),
            "the collisions are wrong, for the tensor agrees with the visuals: "
            "too much inertia: a moment is 4.03 times that of its collisions",
            "draw the collisions as the visuals are",
        )
    ]
    assert (found.is_minor, found.is_fixable) == (True, False)


# At 60 kg a rod of 0.1 × 0.1 × 2 m has 20.05 20.05 0.1.
@pytest.mark.parametrize(
    ("mass", "moments", "words"),
    [
        (60.0, (200.5, 200.6, 0.11), "too much inertia: a moment is 10 times that of its visuals"),
        (60.0, (1.0, 1.01, 0.11), "too little inertia: a moment is 1/20.1 of that of its visuals"),
        (60.0, (60.0, 60.1, 0.11), ""),
        (60.0, (3.0, 3.01, 0.11), ""),
        (0.19, (0.63, 0.6301, 3.3e-4), ""),
        (0.21, (0.7, 0.7001, 3.6e-4), "too much inertia: a moment is 9.98 times that of its visuals"),
        (125.0, (2.0, 2.1, 0.2), ""),
        (123.0, (2.0, 2.05, 0.2), "too little inertia: a moment is 1/20.6 of that of its visuals"),
    ],
)
def test_closed_visuals_are_evidence_where_collisions_stand_in_for_the_part(
    project: Path, mass: float, moments: tuple[float, ...], words: str
) -> None:
    (project / "rod.obj").write_text(obj(box_mesh((0.1, 0.1, 2.0), (-0.05, -0.05, -1.0))))
    ball = "<sphere><radius>0.1</radius></sphere>"
    content = one_link(written(mass, moments), solid(ball), solid(mesh("rod.obj"), name="v", kind="visual"))
    found = [each for each in findings(content, file=project / "m.sdf", why=False) if each.code == "SDI204"]
    assert [(each.message, each.location.line) for each in found] == ([(words, 5)] if words else [])


# Limits ---------------------------------------------------------------------------------------------------------------

# A box, its mass, its moment about each axis and perhaps where its centre is: what is found, and what is not.
OUT, NEARER = "1.37 0 0 0 0 0", "1.36 0 0 0 0 0"
LIMITS = {
    "half of the diagonal outside": ("SDI208", (CUBE, 1.0, 0.2, OUT), (CUBE, 1.0, 0.2, NEARER)),
    "5 mm across": ("SDI208", (box(0.0048, 1e-3, 1e-3), 1e-5, 1e-11, OUT), (box(0.0047, 1e-3, 1e-3), 1e-5, 1e-11, OUT)),
    "twice the bounding radius": ("SDI202", (CUBE, 1.0, 2.01), (CUBE, 1.0, 1.99)),
    "a twentieth of the bounding radius": ("SDI207", (CUBE, 1.0, 0.00124), (CUBE, 1.0, 0.00126)),
    "25,000 kg/m³": ("", (CUBE, 25001.0, 4166.0), (CUBE, 24999.0, 4166.0)),
    "three times the moment and 3 % of the largest": ("", (CUBE, 60.0, 31.0), (CUBE, 60.0, 30.8)),
    "1.5 times as long as wide": ("SDI209", (box(1.5, 1, 1), 20.0, 0.0123), (box(1.49, 1, 1), 20.0, 0.0123)),
    "a power of ten": ("SDI209", (CUBE, 20.0, 0.1), (CUBE, 20.0, 0.11)),
}


@pytest.mark.parametrize(("code", "beyond", "within"), LIMITS.values(), ids=LIMITS)
def test_each_limit_has_two_sides(code: str, beyond: tuple[Any, ...], within: tuple[Any, ...]) -> None:
    for (shape, mass, moment, *pose), count in ((beyond, 1), (within, 0)):
        content = one_link(inertial(mass, (moment,) * 3, *pose), solid(shape))
        assert len(codes(content, *filter(None, [code]))) == count


# A tenth of the diagonal of 1.732 m.
@pytest.mark.parametrize(("at", "is_found"), [(0.67, False), (0.68, True)])
def test_a_centre_of_which_no_place_is_written_is_found_nearer(at: float, is_found: bool) -> None:
    assert codes(one_link(inertial(1.0, (0.2,) * 3), solid(CUBE, f"{at} 0 0 0 0 0")), "SDI208") == ["SDI208"] * is_found


# Twice the half edge of 0.05 m and 1 % of the diagonal of 1.418 m.
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_the_axis_along_which_mass_would_be_spread_too_far_is_named(axis: int) -> None:
    sizes, moments = [1.0, 1.0, 1.0], [0.09, 0.09, 0.09]
    sizes[axis], moments[axis] = 0.1, 0.0101
    [found] = findings(one_link(inertial(1.0, tuple(moments)), solid(box(*sizes))), "SDI205")
    assert found.message == f"too much inertia: 4.54 × the spread its box allows along {'xyz'[axis]}"


@pytest.mark.parametrize(("heavier", "is_found"), [(99.9, False), (100.1, True)])
@pytest.mark.parametrize("is_turned", [False, True])
def test_masses_a_hundred_times_apart_are_found_at_the_joint(heavier: float, is_found: bool, is_turned: bool) -> None:
    parent, child = (1.0, heavier) if is_turned else (heavier, 1.0)
    joint = "<joint name='j' type='revolute'><parent>a</parent><child>b</child></joint>"
    a, b = link(inertial(parent, (10.0,) * 3), name="a"), link(inertial(child, (10.0,) * 3), name="b")
    message = f"mass ratio above 100, where solvers lose accuracy: {child:.4g} kg, and its "
    message += f"parent at joint 'j' {parent:.4g} kg"
    remedy = "share the masses out more evenly, or merge the links"
    assert said(findings(sdf(model(a, b, joint)), "SDI302")) == ([("SDI302", 4, message, remedy)] if is_found else [])


def body(mass: float, *moments: float) -> SpatialInertia:
    return SpatialInertia(mass, (0.0, 0.0, 0.0), InertiaTensor(*moments))


@pytest.mark.parametrize(
    ("moments", "words"),
    [
        ((4.0, 4.0, 6.0), "too much inertia: a moment is 4 times that of it"),
        ((0.5, 2.0, 2.0), "too little inertia: a moment is 1/2 of that of it"),
        ((999.0, 2.0, 2.0), "too much inertia: a moment is 999 times that of it"),
        ((1000.0, 2.0, 2.0), "too much inertia: ixx is 1000; it would have 1"),
        ((3000.0, 4000.0, 4100.0), "too much inertia: ixx is 3000; it would have 1"),
        ((1e-4, 1.5e-4, 1.9e-4), "too little inertia: iyy is 0.00015; it would have 2"),
        ((0.0, 2.0, 2.0), "too little inertia: ixx is 0; it would have 1"),
    ],
)
def test_how_far_moments_are_off_is_a_factor_below_a_thousand_and_two_numbers_above(
    moments: tuple[float, ...], words: str
) -> None:
    # The other body has four times the mass, and is compared at the mass of this one.
    assert off_words(body(2.0, *moments), body(8.0, 4.0, 8.0, 8.0), "it") == words


# Links merged with others ---------------------------------------------------------------------------------------------


def urdf_link(name: str, mass: float, moments: tuple[float, ...], more: str = "") -> str:
    tensor = " ".join(f"{key}='{value}'" for key, value in zip(("ixx", "iyy", "izz"), moments, strict=True))
    tensor += " ixy='0' ixz='0' iyz='0'"
    return f"<link name='{name}'><inertial><mass value='{mass}'/><inertia {tensor}/></inertial>{more}</link>"


def urdf(*links: str) -> bytes:
    joint = "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint>" if len(links) > 1 else ""
    return f"<robot name='r'>{''.join(links)}{joint}</robot>".encode()


ROD = (0.0, 1.0, 1.0)


@pytest.mark.parametrize(
    ("content", "is_found"),
    [
        (urdf(urdf_link("b", 1.0, ROD)), True),
        (urdf("<link name='a'/>", urdf_link("b", 1.0, ROD)), True),
        (urdf(urdf_link("a", 5.0, (0.1, 0.1, 0.1)), urdf_link("b", 1.0, ROD)), False),
    ],
    ids=["alone", "on a frame", "on a body"],
)
def test_a_rod_without_thickness_is_found_unless_another_link_adds_to_it(content: bytes, is_found: bool) -> None:
    found = [each.message for each in findings(content, "SDI102", file="/nowhere/m.urdf")]
    words = "without thickness, a body that simulators refuse or divide by zero: principal moments 0 1 1 kg·m² are not "
    assert found == ([f"{words}all positive"] if is_found else [])


# A rod of 1 kg·m² about its middle along a direction; its least moment, which is none, comes out as rounding of that.
@pytest.mark.parametrize(("x", "y", "z"), [(1, 1, 2), (3, 4, 0)])
def test_rounding_of_no_moment_is_no_thickness(x: int, y: int, z: int) -> None:
    n = x * x + y * y + z * z
    rod = inertial(1.0, (1 - x * x / n, 1 - y * y / n, 1 - z * z / n, -x * y / n, -x * z / n, -y * z / n))
    [found] = findings(one_link(rod), "SDI102")
    assert found.message.startswith("without thickness")


@pytest.mark.parametrize(("size", "is_frame"), [(0.001, True), (0.1, False)])
def test_a_nominal_mass_is_that_of_a_frame_where_a_dot_is_drawn(size: float, is_frame: bool) -> None:
    dot = f"<collision><geometry><box size='{size} {size} {size}'/></geometry></collision>"
    links = urdf_link("a", 5.0, (0.1, 0.1, 0.1)), urdf_link("b", 0.001, (1.0, 1.0, 9.0), dot)
    [found] = findings(urdf(*links), "SDI103", file="/nowhere/m.urdf")
    assert found.remedy.startswith("delete its <inertial>: it is a frame") == is_frame


def test_a_density_below_that_of_air_is_found_by_its_code_whatever_the_link_is_fixed_to() -> None:
    cube = "<collision><geometry><box size='1 1 1'/></geometry></collision>"
    links = urdf_link("a", 5.0, (0.1, 0.1, 0.1), cube), urdf_link("b", 0.5, (0.01, 0.01, 0.01), cube)
    [found] = findings(urdf(*links), "SDI203", file="/nowhere/m.urdf")
    assert (found.link, found.message) == ("r::b", "density of 0.5 kg/m³: 0.5 kg in 1 m³ of collisions")


# What else was there to read ------------------------------------------------------------------------------------------


def test_a_readme_outside_the_confinement_is_not_read(project: Path) -> None:
    (project / "in").mkdir()
    (project / "README.md").write_text("The inertias were increased so that it is stable.")
    content = one_link(inertial(1.0, (0.01, 0.01, 0.01)), solid(box(0.1, 0.1, 0.1)))
    file = project / "in" / "m.sdf"
    assert "the README says so" in findings(content, "SDI209", file=file)[0].message
    assert "meant" not in findings(content, "SDI209", file=file, confine=str(project / "in"))[0].message


def test_what_an_open_mesh_shares_is_not_judged_and_that_is_said(project: Path) -> None:
    (project / "tub.obj").write_text(obj(without(box_mesh(), 11)))
    content = one_link(inertial(6000.0, (1000.0, 1000.0, 1010.0)), solid(mesh("tub.obj")))
    options = Options(select=("SDI403",))
    result = check_document(open_document(content, options, filename=str(project / "m.sdf")))
    [reason] = result.unjudged
    assert result.findings == ()
    assert "the mesh is not closed: 3 open edges of 18" in str(reason.problem)


# A box of 0.42 × 0.31 × 0.18 m, whose tensor at 2 kg is written to all digits.
@pytest.mark.parametrize(
    ("pose", "words"),
    [("0 0 0 0 0 0", "was left at 0 0 0"), ("-0.1 0 0 0 0 0", "has a wrong sign"), ("0.1 0 0 0 0 0", "")],
)
def test_a_centre_beside_the_tensor_of_a_box_is_told_where_it_is_written(pose: str, words: str) -> None:
    block = written(2.0, (0.0214167, 0.0348, 0.0454167), pose)
    found = findings(one_link(block, solid(box(0.42, 0.31, 0.18), "0.1 0 0 0 0 0", kind="visual")), "SDI210", why=False)
    message, remedy = f"likely mistake: the centre of mass {words}", "look whether that is meant, or correct it"
    assert [(code, line, told.partition(",")[0], advice) for code, line, told, advice in said(found)] == (
        [("SDI210", 3, message, remedy)] if words else []
    )
