from __future__ import annotations

import math
from typing import Any

import pytest
from builders.documents import inertial, link, mesh, model, one_link, sdf, solid
from builders.findings import codes

from sdfinertia.documents import open_document
from sdfinertia.documents.checking import check, check_document
from sdfinertia.documents.filling import fill
from sdfinertia.inertia import spin_stability
from sdfinertia.options import Options

UNIT = "<box><size>1 1 1</size></box>"
SMALL = "<box><size>0.1 0.1 0.1</size></box>"
LONG = "<box><size>{}</size></box>"
BALL = "<sphere><radius>1</radius></sphere>"


def block(mass: float = 1.0, moments: tuple[float, ...] = (0.1, 0.1, 0.1), pose: str = "") -> str:
    return inertial(mass, moments, pose)


def found(code: str, content: bytes, **options: Any) -> list[str]:
    findings = check(content, Options(select=(code,), **options), filename="/nowhere/m.sdf")
    assert all(finding.code == code for finding in findings)
    return [finding.link for finding in findings]


def table(cases: dict[str, dict[str, str]]) -> list[Any]:
    return [pytest.param(code, inside, id=f"{code} {name}") for code in cases for name, inside in cases[code].items()]


# A box of 1 m has a diagonal of 1.732 m; a centre may lie 0.0173 m outside. At 6 kg its tensor is 1 1 1.
CUBE = (1.0, 1.0, 1.0)
TILTED = f"0 0 0 {math.pi / 4!r} 0 0"
FIRES = {
    "SDI201": {
        "beside a box": link(block(pose="0.52 0 0 0 0 0"), solid(UNIT)),
        "below a box": link(block(pose="0 0 -0.6 0 0 0"), solid(UNIT)),
        "in millimetres": link(block(pose="12 0 3 0 0 0"), solid(SMALL)),
        "at the origin of a frame far from the body": link(block(), solid(UNIT, "100 0 0 0 0 0")),
        "beside a visual": link(block(pose="2 0 0 0 0 0"), solid(UNIT, kind="visual")),
        "beside both": link(block(pose="3 0 0 0 0 0"), solid(UNIT), solid(UNIT, "1 0 0 0 0 0", kind="visual")),
        "beside a ball that is turned": link(block(pose="0 1.2 0 0 0 0"), solid(BALL, TILTED)),
        "beside a polyline": link(
            block(pose="0 0 -0.5 0 0 0"),
            solid("<polyline><point>0 0</point><point>1 0</point><point>0 1</point><height>1</height></polyline>"),
        ),
        "beside a shape in another frame": link(
            block(), solid(UNIT).replace("<pose>0 0 0", "<pose relative_to='__model__'>5 0 0")
        ),
    },
    "SDI202": {
        "a unit tensor in a small box": link(block(0.01, (1.0, 1.0, 1.0)), solid(SMALL)),
        "a gyradius of 10 m": link(block(0.02, (2.0, 2.0, 2.0)), solid(UNIT)),
        "far from its frame": link(block(1.0, (9.0, 9.0, 9.0), "50 0 0 0 0 0"), solid(UNIT, "50 0 0 0 0 0")),
        "2.3 bounding radii": link(block(1.0, (2.6, 2.7, 2.7)), solid(UNIT)),
        "by its visual alone": link(block(0.01, (1.0, 1.0, 1.0)), solid(SMALL, kind="visual")),
        "millimetres for metres": link(block(0.1, (100.0, 100.0, 100.0)), solid(SMALL)),
        "with a shape of no size": link(block(0.01, CUBE), solid(SMALL), solid("<empty/>", name="d")),
    },
    "SDI203": {
        "two tonnes in a box of a hand": link(block(2000.0), solid(SMALL)),
        "lighter than air": link(block(0.9), solid(UNIT)),
        "denser than any metal": link(block(25001.0), solid(UNIT)),
        "millimetres for metres": link(block(0.1), solid("<box><size>100 100 100</size></box>")),
        "two boxes": link(block(60000.0), solid(UNIT), solid(UNIT, "5 0 0 0 0 0", "d")),
        "a box and what weighs nothing": link(
            block(30000.0), solid(UNIT), solid(UNIT, "5 0 0 0 0 0", "d", more="<density>0</density>")
        ),
    },
    "SDI204": {
        "11 per cent more": link(block(6.0, (1.11, 1.0, 1.0)), solid(UNIT)),
        "11 per cent less": link(block(6.0, (1.0, 1.0, 0.89)), solid(UNIT)),
        "a product": link(block(6.0, (1.0, 1.0, 1.0, 0.11)), solid(UNIT)),
        "the tensor of another mass": link(block(7.0, CUBE), solid(UNIT)),
        "no tensor": link("<inertial><mass>60</mass></inertial>", solid(UNIT)),
        "in the axes of its pose": link(block(12.0, (5.0, 13.0, 10.0), TILTED), solid("<box><size>3 1 2</size></box>")),
        "axes swapped": link(block(12.0, (5.0, 10.0, 13.0)), solid("<box><size>1 2 3</size></box>")),
    },
    "SDI205": {
        "a long body about its long axis": link(
            block(1.0, (0.00017, 0.0075, 0.0075)), solid(LONG.format("0.02 0.02 0.3"))
        ),
        "two entries ten times too large": link(block(12.0, (40.0, 38.0, 5.0)), solid(LONG.format("1 2 0.2"))),
        "by its visual alone": link(block(1.0, (0.0, 9.0, 9.0)), solid(UNIT, kind="visual")),
        "with its centre at an end": link(
            block(1.0, (0.0, 0.45, 0.45), "0.49 0 0 0 0 0"), solid(LONG.format("1 0.1 0.1"))
        ),
        "beyond the bounding ball too": link(block(1.0, (9.0, 9.0, 9.0)), solid(SMALL)),
        "with its centre outside": link(block(1.0, (2.0, 2.0, 0.01), "9 0 0 0 0 0"), solid(LONG.format("1 1 0.5"))),
    },
    "SDI207": {
        "millimetres for metres": link(block(6.0, (1e-6, 1e-6, 1e-6)), solid(UNIT)),
        "the tensor of a thousandth of its mass": link(block(6000.0, CUBE), solid(UNIT)),
        "by its visual alone": link(block(1.0, (1e-6, 1e-6, 2e-6)), solid(SMALL, kind="visual")),
    },
    "SDI208": {
        "in millimetres": link(block(pose="12 0 3 0 0 0"), solid(SMALL)),
        "a body length away": link(block(pose="0 0 1.4 0 0 0"), solid(UNIT)),
        "at the origin of a frame far from the body": link(block(), solid(UNIT, "100 0 0 0 0 0")),
    },
    "SDI301": {
        "a box of water": model(link(block(80.0, (1.33, 6.93, 7.73)), solid("<box><size>1 .4 .2</size></box>"))),
        "without collisions": model(link(block(1.0, (1.0, 1.5, 2.0)))),
        "a plate": model(link(block(1.0, (0.5, 0.5, 1.0)))),
        "at any scale": model(link(block(1e-6, (1e-12, 1.5e-12, 2e-12)))),
        "in a world with a coarse step": "<world name='w'><physics><max_step_size>0.02</max_step_size></physics>"
        + model(link(block(1.0, (1.0, 1.0, 1.2))))
        + "</world>",
    },
    "SDI302": {},
}


@pytest.mark.parametrize(("code", "inside"), table(FIRES))
def test_a_rule_finds_what_it_is_for(code: str, inside: str) -> None:
    content = sdf(inside if inside.startswith(("<model", "<world")) else model(inside))
    assert found(code, content) == ["m::l"]


SOUND = {
    "a cube": link(block(6.0, CUBE), solid(UNIT)),
    "no shapes": link(block(6.0, (100.0, 100.0, 100.0), "9 9 9 0 0 0")),
    "no block": link(solid(UNIT)),
    "asks to be computed": link("<inertial auto='true'><mass>1e9</mass></inertial>", solid(UNIT)),
    "a plane": link(block(6.0, (9e9, 9e9, 9e9), "9 9 9 0 0 0"), solid("<plane/>")),
    "a heightmap": link(block(6.0, (9e9, 9e9, 9e9), "9 9 9 0 0 0"), solid("<heightmap/>")),
    "a frame far from the body": link(block(6.0, CUBE, "100 -50 3 0 0 0"), solid(UNIT, "100 -50 3 0 0 0")),
    "shapes that cannot be found": link(block(6.0, (9e9, 9e9, 9e9), "9 9 9 0 0 0"), solid(mesh("gone.stl"))),
    "a frame that cannot be found": link(
        block(6.0, (9e9, 9e9, 9e9), "9 9 9 0 0 0"), solid(UNIT).replace("<pose>", "<pose relative_to='gone'>")
    ),
    "numbers that cannot be read": link("<inertial><mass>10kg</mass></inertial>", solid(UNIT)),
    "numbers of a look-alike": link(
        f"<plugin name='p'>{block(9e9, (9e9, 9e9, 9e9), '9 9 9 0 0 0')}</plugin>", block(6.0, CUBE), solid(UNIT)
    ),
    "shapes of a look-alike": link(block(6.0, CUBE), solid(UNIT), f"<gz:more>{solid(SMALL, '9 0 0 0 0 0')}</gz:more>"),
}
NEAR = {
    "SDI201": {
        **SOUND,
        "less than 1 % outside": link(block(pose="0.515 0 0 0 0 0"), solid(UNIT)),
        "in a corner": link(block(pose="0.5 -0.5 0.5 0 0 0"), solid(UNIT)),
        "in the visual": link(block(pose="5 0 0 0 0 0"), solid(UNIT), solid(UNIT, "5 0 0 0 0 0", kind="visual")),
        "between two wheels": link(block(), solid(SMALL, "0 1 0 0 0 0"), solid(SMALL, "0 -1 0 0 0 0", "d")),
        "in a long box turned upright": link(
            block(pose="0 0 4 0 0 0"), solid("<box><size>10 .1 .1</size></box>", f"0 0 0 0 {math.pi / 2!r} 0")
        ),
        "in a cone": link(block(pose="0 0 -0.25 0 0 0"), solid("<cone><radius>.5</radius><length>1</length></cone>")),
    },
    "SDI202": {
        **SOUND,
        # A shell has all its mass at the surface: 2/3 m r² for a ball.
        "a hollow ball": link(block(1.0, (2 / 3, 2 / 3, 2 / 3)), solid(BALL)),
        "a dumb-bell at the ends of its box": link(
            block(1.0, (0.0, 1.0, 1.0)), solid("<box><size>2 .1 .1</size></box>")
        ),
        "1.9 bounding radii": link(block(1.0, (1.7, 1.8, 1.8)), solid(UNIT)),
        "a body that is a little larger than its collision": link(block(6.0, (6.0, 6.0, 6.0)), solid(UNIT)),
        "without mass": link(block(0.0, CUBE), solid(SMALL)),
        "a negative tensor": link(block(1.0, (-9.0, -9.0, -9.0)), solid(SMALL)),
    },
    "SDI203": {
        **SOUND,
        "the lightest there is": link(block(1.0), solid(UNIT)),
        "the densest there is": link(block(25000.0), solid(UNIT)),
        "of whatever relative density": link(block(1000.0), solid(UNIT, more="<density>90000</density>")),
        "without mass": link(block(0.0), solid(UNIT)),
        "negative": link(block(-5.0), solid(UNIT)),
    },
    "SDI204": {
        **SOUND,
        "9 per cent more": link(block(6.0, (1.09, 1.0, 1.0)), solid(UNIT)),
        "10 per cent of the largest moment": link(
            block(12.0, (13.0, 10.0, 6.2)), solid("<box><size>1 2 3</size></box>")
        ),
        "of another mass": link(block(12.0, (2.0, 2.0, 2.0)), solid(UNIT)),
        "to five digits": link(block(1.0, (0.16667, 0.16667, 0.16667)), solid(UNIT)),
        "a thin plate": link(block(1.0, (0.083333, 0.083333, 0.16667)), solid("<box><size>1 1 0.00001</size></box>")),
        "in turned axes": link(
            block(12.0, (13.0, 5.0, 10.0)), solid("<box><size>1 2 3</size></box>", f"0 0 0 {math.pi / 2!r} 0 0")
        ),
    },
    "SDI205": {
        **SOUND,
        "no body, which is another rule's": link(block(6.0, (1.0, 9.0, 1.0)), solid(UNIT)),
        "all mass at both ends": link(block(1.0, (0.0, 1.0, 1.0)), solid(LONG.format("2 0.1 0.1"))),
        "a thin plate to three digits": link(block(1.0, (0.0833, 0.0833, 0.166)), solid(LONG.format("1 1 0.0005"))),
        "a box of negative size": link(block(6.0, CUBE), solid(LONG.format("-1 -1 -1"))),
        "a centre just outside the box": link(block(6.0, CUBE, "0.549 0 0 0 0 0"), solid(UNIT)),
        "drawn as a sheet": link(block(6.0, (1.0, 1.0, 1.0)), solid(LONG.format("1 1 0.0000001"))),
        "a sound body whose centre is far outside": link(block(6.0, CUBE, "9 9 9 0 0 0"), solid(UNIT)),
        "a shape of no size": link(block(6.0, CUBE), solid("<empty/>")),
        "without mass": link(block(0.0, (9.0, 9.0, 9.0)), solid(SMALL)),
    },
    "SDI207": {
        **SOUND,
        "no body, which is another rule's": link(block(6.0, (1e-6, 1e-6, 9e-6)), solid(UNIT)),
        "heavy in the middle": link(block(1.0, (0.003, 0.003, 0.003)), solid(UNIT)),
        "no tensor at all, which is another rule's": link(block(1.0, (0.0, 0.0, 0.0)), solid(UNIT)),
        "a mass in the middle of a long link": link(block(1.0, (0.0001, 0.01, 0.01)), solid(LONG.format("2 .1 .1"))),
    },
    "SDI208": {
        **SOUND,
        "half a diagonal outside": link(block(pose="1.36 0 0 0 0 0"), solid(UNIT)),
        "a dot that stands for a frame": link(block(pose="5 0 0 0 0 0"), solid(LONG.format("0.002 0.002 0.002"))),
    },
    "SDI301": {
        "a ball": link(block(1.0, CUBE)),
        "nearly a ball": link(block(1.0, (1.0, 1.0, 1.001))),
        "an impossible tensor, which is another rule's": link(block(1.0, (10.0, 4.0, 2.0))),
        "an ideal rod, which no step can turn": link(block(1.0, (0.0, 1.0, 1.0))),
        "without mass": link(block(0.0, (1.0, 1.5, 2.0))),
        "asks to be computed": link("<inertial auto='true'/>", solid("<box><size>1 .4 .2</size></box>")),
        "no block": link(solid(UNIT)),
    },
}


@pytest.mark.parametrize(("code", "inside"), table(NEAR))
def test_a_rule_leaves_alone_what_is_not_for_it(code: str, inside: str) -> None:
    assert found(code, sdf(model(inside))) == []


@pytest.mark.parametrize("code", ["SDI105", "SDI202", "SDI205", "SDI207", "SDI208", "SDI209", "SDI301"])
@pytest.mark.parametrize("moments", [CUBE, (2.0, 3.0, 4.0), (1e-9, 1e-9, 1e-9)])
def test_what_never_moves_is_not_judged_by_how_it_turns(code: str, moments: tuple[float, ...]) -> None:
    fixed = link(block(0.01, moments, "5 0 0 0 0 0"), solid(SMALL))
    assert found(code, sdf(model("<static>true</static>", fixed))) == []
    assert found(code, sdf(model("<static>1</static>", model(fixed, name="n")))) == []


# In a plate of 1 m and 0.1 m, which at 700 kg would be a block of steel.
BY_DEFAULT = {
    "beyond the box": (block(1.0, (0.09, 0.1, 0.11)), ["SDI205"]),
    "with its centre where nothing is drawn": (block(1.0, (0.09, 0.1, 0.11), "0 0 0.07 0 0 0"), []),
    "with its centre at a side": (block(1.0, (0.0001, 0.26, 0.26), "0.49 0 0 0 0 0"), []),
    "of which only a cover is drawn": (block(700.0, (63.0, 70.0, 77.0)), []),
    "with its centre far outside": (block(1.0, (0.02, 0.02, 0.04), "0 0 1.5 0 0 0"), ["SDI208"]),
    "of which only a cover is drawn, far away": (block(700.0, (14.0, 14.0, 28.0), "0 0 1.5 0 0 0"), []),
}


@pytest.mark.parametrize(("written", "codes"), BY_DEFAULT.values(), ids=BY_DEFAULT.keys())
def test_by_default_the_box_is_evidence_only_where_the_mass_is_what_is_drawn(written: str, codes: list[str]) -> None:
    content = sdf(model(link(written, solid(LONG.format("1 1 0.1"), kind="visual"))))
    assert [finding.code for finding in check(content, filename="/nowhere/m.sdf")] == codes
    assert codes or any(found(code, content) for code in ("SDI205", "SDI208"))


@pytest.mark.parametrize("code", ["SDI201", "SDI202", "SDI203", "SDI204", "SDI205", "SDI207", "SDI208", "SDI209"])
def test_what_was_computed_is_not_compared_with_its_geometry(code: str) -> None:
    # Such as a lattice, whose density is its author's own.
    dense = link("<inertial auto='true'><density>99000</density></inertial>", solid(UNIT))
    filled = fill(sdf(model(dense)), filename="/nowhere/m.sdf")
    assert filled.changed
    assert found(code, filled.content) == []


NEEDS_SHAPES = [f"SDI{number}" for number in (201, 202, 203, 204, 205, 207, 208, 401, 402, 403)]


@pytest.mark.parametrize("code", [*NEEDS_SHAPES, "SDI105"])
def test_a_hand_written_link_whose_mesh_is_gone_is_skipped_and_counted(code: str) -> None:
    options = Options(select=(code,))
    sound = link(block(6.0, (1.0, 1.0, 1.01)), solid(UNIT), name="k")
    content = sdf(model(link(block(), solid(mesh("gone.stl"))), sound, link(name="n")))
    result = check_document(open_document(content, options, filename="/nowhere/m.sdf"))
    assert (result.findings, result.links, len(result.unjudged)) == ((), 3, int(code in NEEDS_SHAPES))


@pytest.mark.parametrize(("tolerance", "count"), [(0.05, 1), (0.1, 1), (0.2, 0), (1.0, 0)])
def test_the_tolerance_is_what_the_tensor_may_differ_by(tolerance: float, count: int) -> None:
    content = sdf(model(link(block(6.0, (1.15, 1.0, 1.0)), solid(UNIT))))
    assert len(found("SDI204", content, tolerance=tolerance)) == count


# Spin -----------------------------------------------------------------------------------------------------------------

WATER = block(80.0, (80 * 0.2 / 12, 80 * 1.04 / 12, 80 * 1.16 / 12))


def physics(step: str, attributes: str = "") -> str:
    return f"<physics {attributes}><max_step_size>{step}</max_step_size></physics>"


def world(*inside: str, name: str = "w") -> str:
    return f"<world name='{name}'>{''.join(inside)}</world>"


BODY = model(link(WATER))


# At 2 rad/s the box of water stays quiet at a step of 1 ms, and not at one of 1/60 s.
@pytest.mark.parametrize(
    ("inside", "step", "count"),
    [
        (BODY, 0.001, 0),
        (BODY, 1 / 60, 1),
        (world(physics("0.001"), BODY), 1 / 60, 0),
        (world(physics("0.016"), BODY), 0.001, 1),
        (world(BODY, physics("0.016")), 0.001, 1),
        (world(physics("0.016"), model(BODY, name="o")), 0.001, 1),
        (world(physics("0.001"), name="a") + world(physics("0.016"), BODY, name="b"), 0.001, 1),
        (world(physics("0.016"), name="a") + world(physics("0.001"), BODY, name="b"), 0.016, 0),
        (world(physics("0.016"), name="a") + BODY, 0.001, 0),
        (world("<physics/>", BODY), 1 / 60, 1),
        (world(physics("0"), BODY), 0.001, 0),
        (world(physics("-1"), BODY), 0.001, 0),
        (world(physics("quick"), BODY), 0.001, 0),
        (world(f"<plugin name='p'>{physics('0.016')}</plugin>", BODY), 0.001, 0),
        # The physics that are the default count, or else the first.
        (world(physics("0.001", "name='a'"), physics("0.016", "name='b'"), BODY), 0.001, 0),
        (world(physics("0.001", "name='a'"), physics("0.016", "name='b' default='true'"), BODY), 0.001, 1),
        (world(physics("0.016", "name='a' default='0'"), physics("0.001", "name='b' default='1'"), BODY), 0.001, 0),
    ],
)
def test_the_step_is_that_of_the_world_a_link_is_in(inside: str, step: float, count: int) -> None:
    assert len(found("SDI301", sdf(inside), spin=2.0, step=step)) == count


# Mass ratios ----------------------------------------------------------------------------------------------------------


def weight(name: str, mass: float) -> str:
    return link(block(mass), name=name)


def joint(parent: str, child: str, name: str = "j") -> str:
    return f"<joint name='{name}' type='revolute'><parent>{parent}</parent><child>{child}</child></joint>"


FRAME = "<frame name='f' attached_to='g'/><frame name='g' attached_to='a'/>"
RATIOS = {
    "a light child": (weight("a", 50.0), weight("b", 0.1), joint("a", "b")),
    "a heavy child": (weight("a", 0.1), weight("b", 50.0), joint("a", "b")),
    "a hair above a hundred": (weight("a", 100.01), weight("b", 1.0), joint("a", "b")),
    "trimmed names": (weight("a", 50.0), weight("b", 0.1), joint(" a ", "\nb\t")),
    "the joint first": (joint("a", "b"), weight("a", 50.0), weight("b", 0.1)),
    "a parent in a nested model": (model(weight("a", 50.0), name="n"), weight("b", 0.1), joint("n::a", "b")),
    "a child in a nested model": (weight("a", 50.0), model(weight("b", 0.1), name="n"), joint("a", "n::b")),
    "a frame of the parent": (weight("a", 50.0), weight("b", 0.1), FRAME, joint("f", "b")),
    "a frame of the child": (weight("b", 50.0), weight("a", 0.1), FRAME, joint("b", "f")),
}


@pytest.mark.parametrize("inside", RATIOS.values(), ids=RATIOS.keys())
def test_links_a_hundred_times_apart_at_a_joint_are_one_finding(inside: tuple[str, ...]) -> None:
    assert len(found("SDI302", sdf(model(*inside)))) == 1


EVEN = {
    "a hundred to one": (weight("a", 100.0), weight("b", 1.0), joint("a", "b")),
    "no joint": (weight("a", 5000.0), weight("b", 0.1)),
    "a joint to the world": (weight("b", 5000.0), joint("world", "b")),
    "a joint between others": (
        weight("a", 50.0),
        weight("b", 0.1),
        weight("c", 2.0),
        joint("a", "c"),
        joint("c", "b", "k"),
    ),
    "a joint in a plugin": (weight("a", 50.0), weight("b", 0.1), f"<plugin name='p'>{joint('a', 'b')}</plugin>"),
    "a link of that name elsewhere": (
        weight("a", 50.0),
        weight("b", 1.0),
        model(weight("b", 0.1), name="n"),
        joint("a", "b"),
    ),
    "a joint to nowhere": (weight("b", 0.1), joint("a", "b")),
    "no masses yet": (link("<inertial auto='true'/>", name="a"), weight("b", 0.001), joint("a", "b")),
    "a mass that is none": (link(block(-9.0), name="a"), weight("b", 0.001), joint("a", "b")),
    "a fixed joint": (weight("a", 50.0), weight("b", 0.1), joint("a", "b").replace("revolute", "fixed")),
    "names of another case": (weight("A", 50.0), weight("b", 0.1), joint("a", "b")),
}


@pytest.mark.parametrize("inside", EVEN.values(), ids=EVEN.keys())
def test_links_that_are_alike_or_apart_are_none(inside: tuple[str, ...]) -> None:
    assert found("SDI302", sdf(model(*inside))) == []


# Denser than metal ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mass", "solids", "count"),
    [
        (867.0, [solid(SMALL)], 1),
        (25.1, [solid(SMALL)], 1),
        (24.9, [solid(SMALL)], 0),
        (25.1, [solid(SMALL), solid("<box><size>0.1 0.1 0.2</size></box>", kind="visual")], 0),
        (25.1, [solid(SMALL, kind="visual")], 1),
        (1.0, [solid("<box><size>0.0028 0.0028 0.0028</size></box>")], 0),
        (1.0, [solid("<box><size>0.003 0.003 0.003</size></box>")], 1),
        (7.0, [solid("<box><size>1 1 0.0001</size></box>")], 0),
    ],
)
def test_by_default_a_mass_is_found_that_no_metal_has_in_the_box_of_all_shapes(mass, solids, count):
    content = sdf(model(link(block(mass, (0.1, 0.1, 0.1)), *solids)))
    found = [finding for finding in check(content) if finding.code == "SDI203"]
    assert len(found) == count
    assert all("denser than any metal" in finding.message for finding in found)


@pytest.mark.parametrize(("pose", "is_found"), [("", True), ("0 0 0 0 0 0", False)])
def test_a_centre_that_is_not_written_is_found_nearer_to_the_shapes(pose: str, is_found: bool) -> None:
    shape = solid("<box><size>1 1 1</size></box>", "0 0 0.8 0 0 0")
    found = codes(one_link(inertial(1.0, (0.2, 0.2, 0.2), pose), shape))
    assert ("SDI208" in found) is is_found


# A million steps of 5 µs are 5 s, and a thousand of 1 ms 1 s.
def test_a_spin_is_followed_for_no_more_steps_than_there_is_time_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spin_stability, "MAX_STEPS", 1000)
    content = sdf(model(link(block(1.0, (1.0, 1.5, 2.0)))))
    [finding] = check(content, Options(select=("SDI301",), spin=1000.0), filename="/nowhere/m.sdf")
    assert "energy in 1 s under the explicit gyroscopic step (ODE's) of 0.001 s" in finding.message
