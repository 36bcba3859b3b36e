from __future__ import annotations

import re
from typing import Any

import pytest
from builders.documents import AUTO, BOX, collision, link, model

from sdfinertia.documents.filling import FillResult, fill
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.options import Options

PLANE = "<geometry><plane/></geometry>"
NAMES = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def run(inside: str, **options: object) -> FillResult:
    text = f"<sdf version='1.11'>\n{inside}\n</sdf>\n"
    return fill(text.encode(), Options(**options), filename="/nowhere/m.sdf")  # type: ignore[arg-type]


def block(content: bytes, name: str = "l") -> dict[str, list[float]]:
    """The numbers in the inertial of a link, by name; only what is there."""
    text = re.sub("(?s)<!--.*?-->", "", content.decode())
    match = re.search(f"(?s)<link name='{name}'>.*?<inertial[^>]*>(.*?)</inertial>", text)
    if match is None:
        return {}
    found = re.findall(r"<(pose|mass|i[xyz]{2})>([^<]*)</\1>", match[1])
    return {key: [float(number) for number in value.split()] for key, value in found}


def computed(inside: str, name: str = "l", **options: object) -> dict[str, list[float]]:
    result = run(inside, **options)
    assert result.errors == ()
    return block(result.content, name)


def error_of(inside: str, **options: object) -> SdfInertiaError:
    result = run(inside, **options)
    assert len(result.errors) == 1, result.errors
    assert result.content == result.original
    error = result.errors[0]
    assert error.location is not None
    assert error.link == "m::l"
    assert "<" in str(error) or str(error)
    return error


def numbers(mass: float, *tensor: float, pose: tuple[float, ...] = (0, 0, 0)) -> dict[str, list[float]]:
    diagonal = dict(zip(("ixx", "iyy", "izz"), tensor, strict=True))
    return {"pose": [*pose, 0, 0, 0], "mass": [mass], **{name: [diagonal.get(name, 0.0)] for name in NAMES}}


# Known sums -----------------------------------------------------------------------------------------------------------


def test_a_box_of_1_2_3_has_the_mass_of_water_or_the_mass_that_is_given() -> None:
    assert computed(model(link(AUTO, collision()))) == numbers(6000, 6500, 5000, 2500)
    inside = model(link("<inertial auto='true'><mass>12</mass></inertial>", collision()))
    assert computed(inside) == numbers(12, 13, 10, 5)


def test_mass_given_with_auto_scales_the_tensor_and_leaves_the_centre() -> None:
    pair = (
        collision("<density>100</density>" + BOX),
        collision("<density>300</density><pose>4 0 0 0 0 0</pose>" + BOX, "d"),
    )
    free = computed(model(link(AUTO, *pair)))
    given = computed(model(link("<inertial auto='true'><mass>2.4</mass></inertial>", *pair)))
    assert free["mass"] == [2400.0]
    assert free["pose"] == given["pose"] == [3, 0, 0, 0, 0, 0]
    for name in NAMES:
        assert given[name][0] == pytest.approx(free[name][0] / 1000, rel=1e-11, abs=1e-12)
    # Parallel axes: 600 kg and 1800 kg, 4 m apart.
    assert free["ixx"] == [pytest.approx(2400 * 13 / 12)]
    assert free["iyy"] == [pytest.approx(2400 * 10 / 12 + 600 * 1800 / 2400 * 16)]


# Density --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "of_link", "option", "mass", "source"),
    [
        ("<density>2</density>", "<density>3</density>", 5.0, 12, "collision"),
        ("", "<density>3</density>", 5.0, 18, "link"),
        ("", "", 5.0, 30, "option"),
        ("", "", None, 6000, "default"),
        ("<density/>", "<density>3</density>", 5.0, 6000, "collision"),
        ("<density> </density>", "", 5.0, 6000, "collision"),
        ("", "<density/>", 5.0, 6000, "link"),
        ("<density>2</density><density>7</density>", "", None, 12, "collision"),
        ("<!-- <density>2</density> --><gz:density>2</gz:density>", "", None, 6000, "default"),
        ("<material><density>2</density></material>", "", None, 6000, "default"),
    ],
)
def test_a_density_is_the_collisions_else_the_links_else_the_options_else_1000(own, of_link, option, mass, source):
    result = run(model(link(f"<inertial auto='true'>{of_link}</inertial>", collision(own + BOX))), density=option)
    assert block(result.content)["mass"] == [mass]
    [found] = result.links[0].collisions
    assert found.density_source == source


def test_require_density_refuses_the_default_and_nothing_else() -> None:
    assert "density" in error_of(model(link(AUTO, collision())), require_density=True).problem
    for inside, options in (
        (link(AUTO, collision("<density>2</density>" + BOX)), {}),
        (link(AUTO, collision("<density/>" + BOX)), {}),
        (link("<inertial auto='true'><density>2</density></inertial>", collision()), {}),
        (link(AUTO, collision()), {"density": 2.0}),
    ):
        assert run(model(inside), require_density=True, **options).errors == ()


def test_a_collision_of_density_zero_adds_no_mass_and_that_is_said() -> None:
    void = collision("<density>0</density><pose>9 0 0 0 0 0</pose>" + BOX, "void")
    result = run(model(link(AUTO, collision(), void)))
    assert block(result.content) == numbers(6000, 6500, 5000, 2500)
    assert any("void" in note and "zero" in note for note in result.links[0].notes)
    plane = collision("<density>0</density>" + PLANE, "p")
    assert computed(model(link(AUTO, collision(), plane))) == numbers(6000, 6500, 5000, 2500)


WEIGHTLESS = "<inertial auto='true'><density>0</density><mass>5</mass></inertial>"


@pytest.mark.parametrize(
    ("inside", "options", "said"),
    [
        (link(AUTO, collision("<density>0</density>" + BOX)), {}, "zero"),
        (link(WEIGHTLESS, collision()), {}, "zero"),
        (link(AUTO, collision(PLANE)), {"skip_unsupported": True}, ""),
        (link(AUTO), {}, "collision"),
        (link(AUTO, f"<visual name='v'>{BOX}</visual>"), {}, "collision"),
        (link(AUTO, collision(), collision()), {}, "'c'"),
        (link("<inertial auto='yes'/>", collision()), {}, "auto"),
        (link(AUTO, collision("<pose relative_to='lost'/>" + BOX)), {}, "'lost'"),
    ],
)
def test_a_link_that_nothing_can_be_computed_for_is_an_error(inside: str, options: dict[str, Any], said: str) -> None:
    error = error_of(model(inside), **options)
    assert said in error.problem
    assert error.collision == ("c" if said == "'lost'" else error.collision)


# Shapes without volume ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "geometry", [PLANE, "", "<geometry/>", "<geometry><empty/></geometry>", "<geometry><heightmap/></geometry>"]
)
def test_a_shape_without_volume_is_an_error_or_skipped_with_a_note(geometry: str) -> None:
    inside = model(link(AUTO, collision(), collision(geometry, "flat")))
    error = error_of(inside)
    assert error.collision == "flat"
    assert "--skip-unsupported" in str(error)
    result = run(inside, skip_unsupported=True)
    assert block(result.content) == numbers(6000, 6500, 5000, 2500)
    assert any("flat" in note for note in result.links[0].notes)


# Selection ------------------------------------------------------------------------------------------------------------

HAND = "<inertial><mass>12</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"


def touched(result: FillResult) -> list[str]:
    return [one.name for one in result.links if one.status in ("filled", "refilled")]


MIXED = "".join(
    [
        model(
            link(AUTO, collision(), name="auto"),
            link("", collision(), name="none"),
            link(HAND, collision(), name="hand"),
            link(HAND, name="bare"),
            link(HAND, collision(PLANE), name="flat"),
            link("", name="empty"),
            link("", f"<visual name='v'>{BOX}</visual>", name="seen"),
        ),
        model(
            "<static>true</static>", link("", collision(), name="none"), link(HAND, collision(), name="hand"), name="s"
        ),
        "<world name='w'>" + model(model(link(AUTO, collision(), name="a"), name="in"), name="out") + "</world>",
    ]
)


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({}, ["m::auto", "out::in::a"]),
        ({"missing": True}, ["m::auto", "m::none", "out::in::a"]),
        ({"all": True}, ["m::auto", "m::hand", "s::hand", "out::in::a"]),
        ({"all": True, "missing": True}, ["m::auto", "m::none", "m::hand", "s::hand", "out::in::a"]),
        ({"link": ("m::auto",)}, ["m::auto"]),
        ({"link": ("auto",)}, ["m::auto"]),
        ({"link": ("a",)}, ["out::in::a"]),
        ({"link": ("*::a",)}, ["out::in::a"]),
        ({"link": ("out::*",)}, ["out::in::a"]),
        ({"link": ("*a*",), "missing": True, "all": True}, ["m::auto", "m::hand", "s::hand", "out::in::a"]),
        ({"link": ("m::none", "out::in::?")}, ["out::in::a"]),
        ({"link": ("m::none", "out::in::?"), "missing": True}, ["m::none", "out::in::a"]),
        ({"link": ("*[!o]",), "all": True}, ["m::hand", "s::hand", "out::in::a"]),
    ],
)
def test_links_are_selected_by_what_they_are_and_narrowed_by_name(options: dict[str, object], names: list[str]) -> None:
    result = run(MIXED, **options)
    assert result.errors == ()
    assert sorted(touched(result)) == sorted(names)


@pytest.mark.parametrize("pattern", ["aut", "w::*", "M::AUTO"])
def test_a_pattern_that_matches_no_link_is_refused(pattern: str) -> None:
    with pytest.raises(ConfigurationError, match="no link matches the pattern"):
        run(MIXED, link=(pattern,))


def test_all_leaves_hand_written_links_without_volume_with_a_note() -> None:
    left = {one.name: one for one in run(MIXED, all=True).links if one.status == "left"}
    assert sorted(left) == ["m::bare", "m::flat"]
    assert all(one.notes for one in left.values())


def test_all_keeps_the_mass_that_is_there_and_computes_one_where_there_is_none() -> None:
    assert computed(model(link(HAND, collision())), all=True) == numbers(12, 13, 10, 5)
    bare = HAND.replace("<mass>12</mass>", "")
    assert computed(model(link(bare, collision())), all=True) == numbers(6000, 6500, 5000, 2500)


def test_all_recomputes_a_managed_block_as_its_provenance_says() -> None:
    filled = run(model(link(AUTO, collision()))).content
    thinner = filled.replace(b"1 2 3", b"1 2 1.5")
    for content, options in ((thinner, Options(all=True)), (filled, Options(all=True, density=500.0))):
        assert block(fill(content, options, filename="m.sdf").content)["mass"] == [3000]


@pytest.mark.parametrize("mass", ["0", "-1", "", "nan"])
def test_all_refuses_a_hand_written_mass_that_is_none(mass: str) -> None:
    error_of(model(link(f"<inertial><mass>{mass}</mass></inertial>", collision())), all=True)


def test_poses_of_links_models_and_inertials_count_for_nothing() -> None:
    posed = model("<pose>1 2 3 1 1 1</pose>", link(f"<pose>3 2 1 1 0 0</pose>{AUTO}", collision()))
    assert computed(posed) == numbers(6000, 6500, 5000, 2500)
    inertial = "<inertial auto='true'><pose relative_to='lost'>9 9 9 0 0 0</pose></inertial>"
    result = run(model(link(inertial, collision())))
    assert b"<pose>0 0 0 0 0 0</pose>" in result.content
    broken = "<frame name='f' attached_to='f'/><include><uri>model://lost</uri></include>"
    posed = collision("<pose relative_to='l'>1 0 0 0 0 0</pose>" + BOX)
    assert computed(model(link(AUTO, posed), broken))["pose"][0] == 1


# Total mass -----------------------------------------------------------------------------------------------------------


def test_a_total_mass_is_shared_by_all_selected_links_of_a_root_model() -> None:
    inside = model(
        link(AUTO, collision("<density>1</density>" + BOX), name="a"),
        model(link(AUTO, collision("<density>3</density>" + BOX), name="b"), name="n"),
    ) + model(link(AUTO, collision(), name="c"), name="other")
    result = run(inside, total_mass=2.0)
    masses = {name: block(result.content, name)["mass"] for name in "abc"}
    assert masses == {"a": [0.5], "b": [1.5], "c": [2.0]}
    assert block(result.content, "a")["ixx"] == [pytest.approx(0.5 * 13 / 12)]
    assert result.content.count(b"mass=given") == 3
    assert fill(result.content, Options(), filename="m.sdf").content == result.content


def test_a_given_mass_takes_part_in_a_total_mass() -> None:
    inside = model(
        link("<inertial auto='true'><mass>1</mass></inertial>", collision(), name="a"),
        link("<inertial auto='true'><mass>3</mass></inertial>", collision(), name="b"),
    )
    result = run(inside, total_mass=8.0)
    assert (block(result.content, "a")["mass"], block(result.content, "b")["mass"]) == ([2.0], [6.0])


def test_a_total_mass_is_refused_where_a_link_fails() -> None:
    inside = model(link(AUTO, collision(), name="a"), link(AUTO, name="b"))
    result = run(inside, total_mass=8.0, keep_going=True)
    assert not result.changed
    assert len(result.errors) == 2


# Failure --------------------------------------------------------------------------------------------------------------


def test_nothing_changes_if_a_link_fails_unless_told_to_keep_going() -> None:
    inside = model(link(AUTO, collision(), name="a"), link(AUTO, name="b"), link(AUTO, collision(), name="c"))
    stopped = run(inside)
    assert stopped.content == stopped.original
    assert [error.link for error in stopped.errors] == ["m::b"]
    going = run(inside, keep_going=True)
    assert [error.link for error in going.errors] == ["m::b"]
    assert block(going.content, "a") == block(going.content, "c") == numbers(6000, 6500, 5000, 2500)
    assert going.content.count(AUTO.encode()) == 1


# Parameters -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["sdfinertia:", "gz:", "drake:", ""])
def test_parameters_are_read_with_any_prefix_and_without_one_with_the_note_that_drake_refuses_them(prefix: str) -> None:
    parameters = f"<auto_inertia_params><{prefix}method>exact</{prefix}method></auto_inertia_params>"
    result = run(model(link(AUTO, collision(parameters + BOX))))
    assert result.errors == ()
    assert ["Drake" in note for note in result.links[0].notes] == ([] if prefix else [True])


def test_unknown_parameters_are_noted_and_the_collisions_replace_the_links_as_a_whole() -> None:
    of_link = "<inertial auto='true'><auto_inertia_params><a:shininess>1</a:shininess></auto_inertia_params></inertial>"
    own = "<auto_inertia_params><a:colour>1</a:colour></auto_inertia_params>"
    for inside, noted in (("", {"shininess"}), (own, {"colour"})):
        [filled] = run(model(link(of_link, collision(inside + BOX)))).links
        assert {word for word in ("colour", "shininess") if any(word in note for note in filled.notes)} == noted


# Visuals in the place of collisions -----------------------------------------------------------------------------------


def visual(inside: str = BOX) -> str:
    return f"<visual name='v'>{inside}</visual>"


def test_a_link_without_collisions_takes_its_visuals_where_that_is_asked_for_and_says_so() -> None:
    seen = model(link(AUTO, visual("<pose>1 0 0 0 0 0</pose>" + BOX)))
    result = run(seen, geometry="visual")
    assert block(result.content) == numbers(6000, 6500, 5000, 2500, pose=(1, 0, 0))
    assert any("visuals are used" in note for note in result.links[0].notes)
    assert b"geometry=visual" in result.content
    assert "no collisions" in error_of(seen).problem
    assert "no collisions and no visuals" in error_of(model(link(AUTO)), geometry="visual").problem
    # A second run needs no option and sees changes of the visual.
    assert not fill(result.content).changed
    assert [one.status for one in fill(result.content.replace(b"1 2 3", b"1 2 4")).links] == ["refilled"]


def test_a_link_with_collisions_takes_them_alone() -> None:
    sphere = visual("<geometry><sphere><radius>1</radius></sphere></geometry>")
    result = run(model(link(AUTO, collision(), sphere)), geometry="visual")
    assert [part.name for part in result.links[0].collisions] == ["c"]
    assert b"geometry=" not in result.content


def test_missing_takes_links_that_have_visuals_only_where_visuals_are_taken() -> None:
    inside = model(link("", visual()))
    assert computed(inside, geometry="visual", missing=True)["mass"] == [6000]
    assert not run(inside, missing=True).changed
