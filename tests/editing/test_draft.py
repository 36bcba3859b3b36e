"""Documents changed by hand: what each change writes, that all can be undone, and that what is not meant stays."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from builders.meshes import cube, obj, without
from builders.rigid_bodies import body_of
from builders.thoroughness import trials
from hypothesis import given, settings
from hypothesis import strategies as st

import sdfinertia
from sdfinertia.editing.changes import (
    Change,
    Compute,
    DragFace,
    Mirror,
    MoveCentre,
    ResizeShape,
    SetDensity,
    SetMass,
    SetMoments,
    SetTensor,
    TurnAxes,
)
from sdfinertia.editing.draft import Draft, open_draft
from sdfinertia.errors import InertiaError, SdfInertiaError, WriteError
from sdfinertia.inertia import InertiaTensor, SpatialInertia
from sdfinertia.inertia.rigid_transform import rotation_from_rpy

BOX = "<collision name='c'><geometry><box><size>1 2.0 3</size></box></geometry></collision>"
WRITTEN = (
    "<inertial>\n<!-- weighed -->\n<pose>0.1 0 0 0 0 0</pose><mass>12.0</mass>\n<inertia><ixx>13.00</ixx><ixy>0</ixy>"
    "<ixz>0</ixz><iyy>10.0</iyy><iyz>0</iyz><izz>5.0</izz></inertia></inertial>"
)
BRICK = SpatialInertia(12.0, (0.1, 0.0, 0.0), InertiaTensor(13.0, 10.0, 5.0))


def sdf(*links: str) -> bytes:
    return f"<sdf version='1.11'><model name='m'>{''.join(links)}</model></sdf>".encode()


def link(inside: str, name: str = "l") -> str:
    return f"<link name='{name}'>{inside}</link>"


def draft_of(*links: str) -> Draft:
    return open_draft(sdf(*links), filename="m.sdf")


def brick() -> Draft:
    return draft_of(link(WRITTEN + BOX))


# Numbers --------------------------------------------------------------------------------------------------------------


def test_mass_scales_the_tensor_that_is_linked_to_it_and_else_changes_no_other_byte() -> None:
    draft = brick().changed(SetMass("m::l", 24.0))
    assert draft.inertia("m::l") == SpatialInertia(24.0, BRICK.p_BoBcm_B, InertiaTensor(26.0, 20.0, 10.0))
    draft = brick().changed(SetMass("m::l", 24.0, is_linked=False))
    assert draft.content == sdf(link(WRITTEN.replace("12.0", "24") + BOX))


@pytest.mark.parametrize(("is_linked", "ixx"), [(True, 6500.0), (False, 13.0)])
def test_density_is_that_of_the_shapes(is_linked: bool, ixx: float) -> None:
    draft = brick().changed(SetDensity("m::l", 1000.0, is_linked=is_linked))
    body = draft.inertia("m::l")
    assert (body.mass, body.I_BBcm_B.ixx) == (6000.0, ixx)


def test_an_entry_of_the_tensor_changes_and_the_others_keep_their_text() -> None:
    long = WRITTEN.replace("10.0<", "10.000000000000012<")
    draft = draft_of(link(long + BOX))
    before = draft.inertia("m::l").I_BBcm_B
    draft = draft.changed(SetTensor("m::l", before._replace(ixx=12.5)))
    assert draft.content == sdf(link(long.replace("13.00", "12.5") + BOX))


def test_the_axes_turn_and_the_moments_stay() -> None:
    rpy = (0.3, -0.2, 0.9)
    body = brick().changed(TurnAxes("m::l", rpy)).inertia("m::l")
    R = np.array(rotation_from_rpy(*rpy)).reshape(3, 3)
    assert body_of(body).tensor == pytest.approx(R @ np.diag([13.0, 10.0, 5.0]) @ R.T, rel=1e-11, abs=1e-11)
    assert body.p_BoBcm_B == BRICK.p_BoBcm_B


# Faces ----------------------------------------------------------------------------------------------------------------


# How the upper face of the box 1 × 2 × 3 is moved by 0.5, and the body that comes of it.
DRAGS = {
    "opposite faces move together and the mass stays": ({}, 12.0, 0.0, (20.0, 17.0, 5.0)),
    "a face alone takes the centre with it": ({"is_alone": True}, 12.0, 0.25, (16.25, 13.25, 5.0)),
    "the face on the other side, the other way": ({"side": -1, "is_alone": True}, 12.0, -0.25, (16.25, 13.25, 5.0)),
    "the density stays": ({"keeps_density": True}, 16.0, 0.0, (16 / 12 * 20, 16 / 12 * 17, 16 / 12 * 5)),
}


@pytest.mark.parametrize(("values", "mass", "z", "moments"), DRAGS.values(), ids=DRAGS)
def test_faces_are_dragged(values: dict[str, Any], mass: float, z: float, moments: tuple[float, ...]) -> None:
    change = DragFace("m::l", **{"axis": 2, "side": 1, "distance": 0.5, **values})
    body = brick().changed(change).inertia("m::l")
    assert body.mass == pytest.approx(mass)
    assert body.p_BoBcm_B == pytest.approx((0.1, 0.0, z))
    assert body.I_BBcm_B[:3] == pytest.approx(moments, rel=1e-11)


# Shapes ---------------------------------------------------------------------------------------------------------------

ROUND = "<radius>{}</radius><length>{}</length>"
SHAPES = {
    "box": ("<box><size>1 2.0 3</size></box>", (1.0, 2.5, 3.0), "<box><size>1 2.5 3</size></box>"),
    "sphere": ("<sphere><radius>0.50</radius></sphere>", (0.75,), "<sphere><radius>0.75</radius></sphere>"),
    "ellipsoid": (
        "<ellipsoid><radii>1 2 3</radii></ellipsoid>",
        (2, 2, 1),
        "<ellipsoid><radii>2 2 1</radii></ellipsoid>",
    ),
    **{
        kind: (
            f"<{kind}>{ROUND.format(*old)}</{kind}>",
            tuple(map(float, new)),
            f"<{kind}>{ROUND.format(*new)}</{kind}>",
        )
        for kind, old, new in (
            ("cylinder", ("0.50", "1"), ("0.50", "2")),
            ("capsule", ("0.5", "1"), ("0.25", "1.5")),
            ("cone", ("1", "2"), ("2", "2")),
        )
    },
}


def collision(shape: str, name: str = "c") -> str:
    pose = "<pose>0.2 -0.1 0.3 0.4 0.5 0.6</pose>"
    return f"<collision name='{name}'>{pose}<geometry>{shape}</geometry></collision>"


def computed_by_hand(*shapes: str) -> Draft:
    """A link whose numbers are those of its shapes, and its author's."""
    return open_draft(sdf(link(explicit(*shapes))), filename="m.sdf")


def explicit(*shapes: str) -> str:
    collisions = "".join(collision(shape, f"c{number}") for number, shape in enumerate(shapes))
    text = sdf(link(f"<inertial auto='true'/>{collisions}"))
    options = sdfinertia.Options(provenance=False, digits=17)
    filled = sdfinertia.fill(text, options).content.decode()
    return filled.split("<link name='l'>")[1].split("</link>")[0]


def near(a: SpatialInertia, b: SpatialInertia) -> None:
    assert a.mass == pytest.approx(b.mass, rel=1e-10)
    assert a.p_BoBcm_B == pytest.approx(b.p_BoBcm_B, abs=1e-10)
    assert a.I_BBcm_B == pytest.approx(b.I_BBcm_B, rel=1e-9, abs=1e-9 * max(b.I_BBcm_B))


@pytest.mark.parametrize("kind", SHAPES)
def test_a_resized_shape_takes_its_inertia_with_it_and_nothing_else_changes(kind: str) -> None:
    old, dimensions, new = SHAPES[kind]
    draft = computed_by_hand(old).changed(ResizeShape("m::l", "c0", dimensions))
    # A cone's centre is no more at its place, and an ellipsoid is stretched: at the same density all are exact.
    near(draft.inertia("m::l"), computed_by_hand(new).inertia("m::l"))
    before, after = (content.split(b"</inertial>")[1] for content in (draft.original, draft.content))
    assert after == before.replace(old.encode(), new.encode()) != before
    assert draft.content.split(b"<inertial>")[0] == draft.original.split(b"<inertial>")[0]


def test_shapes_of_urdf_are_edited_in_their_attributes() -> None:
    inertial = '<inertial><mass value="12.0"/><inertia ixx="13" ixy="0" ixz="0" iyy="10.0" iyz="0" izz="5"/></inertial>'
    box = '<collision><geometry><box size="1 2.0 3"/></geometry></collision>'
    text = f'<robot name="r"><link name="l">{inertial}{box}</link></robot>'
    draft = open_draft(text.encode(), filename="r.urdf").changed(ResizeShape("r::l", "#1", (2.0, 2.0, 3.0)))
    assert b'<box size="2 2.0 3"/>' in draft.content
    assert draft.inertia("r::l").mass == 24.0
    draft = draft.changed(SetMass("r::l", 12.0, is_linked=False)).changed(MoveCentre("r::l", (0.0, 0.0, 0.5)))
    assert draft.inertia("r::l").p_BoBcm_B == (0.0, 0.0, 0.5)
    assert b'value="12"' in draft.content


# Computing, mirroring -------------------------------------------------------------------------------------------------


def test_a_link_is_computed_with_provenance_and_loses_it_when_it_is_changed_by_hand() -> None:
    computed = brick().changed(Compute("m::l"))
    assert b"inputs=" in computed.content
    assert computed.inertia("m::l").mass == 12.0, "the mass is its author's"
    by_hand = computed.changed(SetMass("m::l", 11.0))
    assert b"inputs=" not in by_hand.content
    assert b"<!-- weighed -->" in by_hand.content


def test_all_that_fill_takes_is_computed_and_measured_numbers_stay() -> None:
    mass = "<mass>2</mass>"
    asks, stays = f"<inertial auto='true'>{mass}</inertial>{BOX}", f"<inertial auto='false'>{mass}</inertial>{BOX}"
    parts = [link(WRITTEN + BOX, "measured"), link(stays, "stays"), link(BOX, "bare"), link(asks, "asks")]
    draft = draft_of(*parts)
    computed = draft.changed(Compute())
    assert computed.content == sdfinertia.fill(draft.content).content != draft.content
    assert computed.changed(Compute()) is computed
    stale = computed.changed(SetMass("m::measured", 3.0)).reopened(None).robot.document.data.replace(b"2.0 3", b"2.0 4")
    after = open_draft(stale).changed(Compute())
    assert after.content == sdfinertia.fill(stale).content != stale


def test_an_open_mesh_is_computed_by_the_policy_that_is_chosen(tmp_path: Path) -> None:
    (tmp_path / "open.obj").write_text(obj(without(cube(), 10, 11)))
    path = tmp_path / "m.sdf"
    path.write_bytes(sdf(link("<inertial auto='true'/>" + collision("<mesh><uri>open.obj</uri></mesh>"))))
    draft = open_draft(path)
    with pytest.raises(SdfInertiaError, match="not closed"):
        draft.changed(Compute("m::l"))
    after = draft.changed(Compute("m::l", "convex_hull"))
    assert after.inertia("m::l").mass == pytest.approx(1000.0)
    assert b"open-mesh=convex_hull" in after.content


def test_a_twin_gets_the_mirror_image_where_it_stands() -> None:
    tensor = "<ixx>1</ixx><iyy>1.1</iyy><izz>1.2</izz><ixy>0.1</ixy><ixz>0.2</ixz><iyz>0.3</iyz>"
    inertial = f"<inertial><pose>0.1 0.2 0.3 0 0 0</pose><mass>5</mass><inertia>{tensor}</inertia></inertial>"
    left = link(f"<pose>1 2 0 0 0 0</pose>{inertial}", "left")
    right = link("<pose>1 -2 0 0 0 1.5707963267948966</pose><inertial><mass>1</mass></inertial>" + BOX, "right")
    body = draft_of(left, right).changed(Mirror("m::right", "m::left", "y")).inertia("m::right")
    assert body.mass == 5.0
    # In the model the image is at (1.1, -2.2, 0.3); the axes of the right link are turned by a quarter.
    assert body.p_BoBcm_B == pytest.approx((-0.2, -0.1, 0.3))
    R = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    image = np.array([[1, -0.1, 0.2], [-0.1, 1.1, -0.3], [0.2, -0.3, 1.2]])
    assert body_of(body).tensor == pytest.approx(R.T @ image @ R)


# What is refused ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        SetMass("m::l", 0.0),
        SetMass("m::l", math.nan, is_linked=False),
        SetDensity("m::l", -1.0),
        MoveCentre("m::l", (math.inf, 0.0, 0.0)),
        SetTensor("m::l", (1.0, 1.0, 9.0, 0.0, 0.0, 0.0)),
        SetMoments("m::l", (1.0, 1.0, 9.0)),
        DragFace("m::l", 3, 1, 0.1),
        Mirror("m::l", "m::l", "w"),
        SetMass("m::nobody", 1.0),
        ResizeShape("m::l", "nothing", (1.0,)),
    ],
)
def test_what_no_body_has_or_nobody_is_called_is_refused_and_the_draft_stays(change: Change) -> None:
    draft = brick()
    with pytest.raises(SdfInertiaError):
        draft.changed(change)
    assert draft == brick()


IMPOSSIBLE = [
    SetTensor("m::l", (1.0, 1.0, 9.0, 0.0, 0.0, 0.0)),
    SetTensor("m::l", (-1.0, 1.0, 1.0, 0.5, 0.0, 0.0)),
    SetMoments("m::l", (1.0, 1.0, 9.0)),
]


@pytest.mark.parametrize("change", IMPOSSIBLE)
@pytest.mark.parametrize("inside", [WRITTEN + BOX, f"<inertial auto='true'/>{BOX}"])
def test_what_no_body_has_is_kept_and_saved_where_it_is_meant_and_not_else(tmp_path, inside, change):
    path = tmp_path / "m.sdf"
    path.write_bytes(sdf(link(inside)))
    draft = open_draft(path).changed(change, is_body=False)
    ((name, problem),) = draft.unphysical()
    assert name == "m::l"
    assert problem.startswith("a mass of")
    assert not draft.inertia("m::l").is_physically_valid()
    with pytest.raises(InertiaError, match="a mass of") as refused:
        draft.save()
    assert refused.value.link == "m::l"
    assert path.read_bytes() == draft.original
    saved, notes = draft.save(is_body=False)
    assert notes == [f"saved anyway: m::l: {problem}"]
    assert path.read_bytes() == draft.content == saved.original
    assert b"inputs=" not in saved.content
    assert saved.unphysical() == ()


# Undoing, saving ------------------------------------------------------------------------------------------------------

numbers = st.floats(0.05, 5.0)
changes: st.SearchStrategy[Change] = st.one_of(
    st.builds(SetMass, st.just("m::l"), numbers, st.booleans()),
    st.builds(SetDensity, st.just("m::l"), st.floats(1.0, 5000.0), st.booleans()),
    st.builds(MoveCentre, st.just("m::l"), st.tuples(*3 * [st.floats(-2.0, 2.0)])),
    st.builds(TurnAxes, st.just("m::l"), st.tuples(*3 * [st.floats(-3.0, 3.0)])),
    st.builds(
        DragFace,
        st.just("m::l"),
        st.integers(0, 2),
        st.sampled_from([-1, 1]),
        st.floats(-0.2, 0.5),
        st.sampled_from(["box", "ellipsoid"]),
        st.booleans(),
        st.booleans(),
    ),
    st.builds(ResizeShape, st.just("m::l"), st.just("c"), st.tuples(*3 * [numbers])),
    st.builds(Compute, st.sampled_from(["", "m::l"])),
    st.builds(Mirror, st.just("m::l"), st.sampled_from(["m::l", "m::k"]), st.sampled_from("xyz")),
)


def started() -> Draft:
    return draft_of(link(WRITTEN + BOX), link(f"<pose>0 1 0 0 0 1</pose><inertial auto='1'/>{BOX}", "k"))


@settings(max_examples=trials(8, 200), deadline=None)
@given(st.lists(changes, max_size=5))
def test_any_sequence_of_changes_undone_gives_the_original_bytes_and_redone_the_same_again(made: list[Change]) -> None:
    draft = started()
    contents = [draft.content]
    for change in made:
        try:
            draft = draft.changed(change)
        except SdfInertiaError:
            continue
        if draft.content != contents[-1]:
            contents.append(draft.content)
    last = draft.content
    while draft.past:
        draft = draft.undone()
    assert draft.content == draft.original == started().original
    while draft.future:
        draft = draft.redone()
    assert draft.content == last


def test_what_a_draft_is_found_to_have_is_told_of_one_link_or_of_all() -> None:
    draft = brick()
    assert not draft.findings("m::l")
    heavy = draft.changed(MoveCentre("m::l", (9.0, 0.0, 0.0)))
    assert {found.code for found in heavy.findings("m::l")} >= {"SDI208"}
    draft = draft_of(link(WRITTEN.replace("12.0", "-1"), "a"), link(WRITTEN.replace("12.0", "-2"), "b"))
    assert {finding.link for finding in draft.findings()} == {"m::a", "m::b"}
    assert {finding.link for finding in draft.findings("m::b")} == {"m::b"}


def test_save_writes_what_was_changed(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_bytes(sdf(link(WRITTEN + BOX)))
    draft = open_draft(path).changed(SetMass("m::l", 24.0))
    saved, notes = draft.save()
    assert path.read_bytes() == draft.content == saved.original
    assert (notes, saved.unsaved, saved.is_changed) == ([], (), False)
    assert open_draft(path).inertia("m::l") == draft.inertia("m::l")


def test_save_never_overwrites_what_it_has_not_seen_and_reload_takes_it(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_bytes(sdf(link(WRITTEN + BOX)))
    draft = open_draft(path).changed(SetMass("m::l", 24.0))
    other = sdf(link(WRITTEN + BOX), link(WRITTEN, "other"))
    path.write_bytes(other)
    with pytest.raises(WriteError, match="changed on disk"):
        draft.save()
    assert path.read_bytes() == draft.reload().content == other
    assert not draft.reload().is_changed


# What cannot be done --------------------------------------------------------------------------------------------------

WEIGHTLESS = BOX.replace("<geometry>", "<density>0</density><geometry>")
SPHERE = "<collision name='d'><geometry><sphere><radius>0.5</radius></sphere></geometry></collision>"
FLAT = WRITTEN.replace("13.00", "5").replace("10.0", "5").replace("<izz>5.0", "<izz>10")
TWICE = WRITTEN + BOX


@pytest.mark.parametrize(
    ("links", "change", "problem"),
    [
        ([link("")], SetMass("m::l", 2.0), "no numbers to change, and no shapes to compute them from"),
        ([link(WRITTEN)], SetDensity("m::l", 2.0), "no collisions, and so no volume for a density"),
        ([link(WRITTEN)], Compute("m::l"), "no collisions to compute an inertia from"),
        ([link(TWICE), link(TWICE)], SetMass("m::l", 2.0), "two links of model 'm' are named 'l'"),
        ([link(TWICE)], ResizeShape("m::l", "d", (1.0, 1.0, 1.0)), "there is no collision 'd'"),
        (
            [link(WRITTEN + "<collision name='c'><geometry><plane/></geometry></collision>")],
            ResizeShape("m::l", "c", (1.0,)),
            "collision 'c' is not a primitive shape",
        ),
        (
            [link(WRITTEN + WEIGHTLESS + SPHERE)],
            ResizeShape("m::l", "c", (1.0, 1.0, 1.0)),
            "collision 'c' has no mass, so its size does not determine the inertia of its link",
        ),
        (
            [link(FLAT)],
            DragFace("m::l", axis=2, side=1, distance=0.5, keeps_density=True),
            "without thickness has no density",
        ),
        (
            [link("<pose relative_to='k'>0 0 0 0 0 0</pose>" + TWICE), link("<pose relative_to='l'/>" + TWICE, "k")],
            Mirror("m::l", "m::k", "1"),
            "cycle",
        ),
    ],
)
def test_what_has_nothing_to_begin_with_is_refused_with_the_reason(links, change, problem):
    with pytest.raises(SdfInertiaError) as caught:
        draft_of(*links).changed(change)
    assert problem in str(caught.value)


# A mass given to a link that asks -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change", [SetMass("m::l", 12.0), SetMass("m::l", 12.0, is_linked=False), SetDensity("m::l", 2.0)]
)
@pytest.mark.parametrize("block", ["<inertial auto='true'/>", "<inertial auto='true'><mass>3</mass></inertial>"])
def test_a_link_that_asks_by_auto_still_asks_with_the_mass_that_it_is_given(block: str, change: Change) -> None:
    draft = draft_of(link(block + BOX)).changed(change)
    assert draft.content == sdf(link(f"<inertial auto='true'><mass>12</mass></inertial>{BOX}"))
    (result,) = sdfinertia.fill(draft.content).links
    assert result.mass_given
    assert result.inertia == SpatialInertia(12.0, (0.0, 0.0, 0.0), InertiaTensor(13.0, 10.0, 5.0))


def test_a_link_of_urdf_that_asks_is_computed_with_the_mass_that_it_is_given() -> None:
    box = '<collision><geometry><box size="1 2 3"/></geometry></collision>'
    text = f'<robot name="r"><link name="l"><!-- sdfinertia: auto -->{box}</link></robot>'
    draft = open_draft(text.encode(), filename="r.urdf").changed(SetMass("r::l", 12.0))
    assert b"<!-- sdfinertia: auto -->" in draft.content
    assert b"mass=given" in draft.content
    assert draft.inertia("r::l") == SpatialInertia(12.0, (0.0, 0.0, 0.0), InertiaTensor(13.0, 10.0, 5.0))
