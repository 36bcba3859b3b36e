"""Rods and plates, turned: what is written loads in libsdformat, and reads back as the same body."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

import pytest
from builders.documents import collision, inertial, one_link

from sdfinertia.documents import open_document
from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.documents.scaling import scale_link, scaling_of
from sdfinertia.inertia.inertial_text import is_accepted_by_libsdformat
from sdfinertia.inertia.rigid_transform import rotation_from_rpy
from sdfinertia.inertia.solids import box
from sdfinertia.markup import Document, splice
from sdfinertia.options import Options
from sdfinertia.sdf import Robot

if TYPE_CHECKING:
    from sdfinertia.documents.link_results import LinkResult
    from sdfinertia.inertia import InertiaTensor, SpatialInertia

ANGLES = [(0.3 * k, 1.1 * k % 3.0 - 1.5, 0.7 * k) for k in range(1, 9)]
ANGLES += [(0.0, 0.0, pi / 4), (0.0, pi / 4, 0.0), (1e-3, 0.0, 2e-3), (0.0, 1e-5, 1e-4), (0.0, 1.570796, 0.3)]
THIN = [1e-4, 1e-5, 1e-6, 1e-9]


def source_of(size: tuple[float, float, float], rpy: tuple[float, float, float], inside: str = "") -> bytes:
    pose = f"<pose>1 2 3 {' '.join(map(repr, rpy))}</pose>"
    geometry = f"<geometry><box><size>{' '.join(map(repr, size))}</size></box></geometry>"
    return one_link(f"<inertial auto='true'>{inside}</inertial>", collision(pose + geometry))


def filled(source: bytes, **options: object) -> tuple[bytes, LinkResult]:
    result = fill(source, Options().replaced(options), filename="/nowhere/m.sdf")
    assert result.errors == ()
    (link,) = result.links
    return result.content, link


def written(content: bytes) -> tuple[SpatialInertia, InertiaTensor]:
    """The body in the link frame, and the tensor as it is written."""
    (model,) = Robot(Document(content, "m.sdf")).models()
    (link,) = model.all_links()
    found = link.written_inertia()
    return found.inertia, found.tensor


def sizes_of(kind: str, thin: float) -> tuple[float, float, float]:
    return (1.0, thin, thin) if kind == "rod" else (1.0, 0.7, thin)


@pytest.mark.parametrize("rpy", ANGLES)
@pytest.mark.parametrize("thin", THIN)
@pytest.mark.parametrize("kind", ["rod", "plate"])
def test_a_thin_body_turned_loads_and_reads_back_as_itself(kind, thin, rpy):
    size = sizes_of(kind, thin)
    content, link = filled(source_of(size, rpy))
    body, tensor = written(content)
    expected = box(size, 1000.0)
    assert is_accepted_by_libsdformat(body.mass, tensor, must_turn=False)
    assert body.mass == pytest.approx(expected.mass, rel=1e-11, abs=0.0)
    assert body.p_BoBcm_B == pytest.approx((1.0, 2.0, 3.0), rel=1e-11, abs=0.0)
    turned = expected.I_BBcm_B.rotated(rotation_from_rpy(*rpy))
    # Twelve digits of an angle of a few radians are good to 5e-12.
    assert tuple(body.I_BBcm_B) == pytest.approx(tuple(turned), rel=0.0, abs=2e-11 * max(turned))
    is_turned = b" 0 0 0</pose>" not in content
    assert any("principal axes" in note for note in link.notes) == is_turned
    if is_turned:
        assert sorted(tensor[:3]) == pytest.approx(sorted(expected.I_BBcm_B[:3]), rel=1e-11, abs=0.0)
        assert tensor[3:] == (0.0, 0.0, 0.0)
    options = Options()
    assert fill(content, options, filename="/nowhere/m.sdf").content == content
    assert fill(content, Options(all=True), filename="/nowhere/m.sdf").content == content
    assert check(content, filename="/nowhere/m.sdf") == []


def test_rods_are_written_in_their_axes_only_where_the_links_do_not_do() -> None:
    content, link = filled(source_of((1.0, 1e-2, 1e-2), ANGLES[0]))
    assert b" 0 0 0</pose>" in content
    assert link.notes == ()
    content, link = filled(source_of((1.0, 1e-5, 1e-5), (0.0, 0.0, 0.0)))
    assert b" 0 0 0</pose>" in content
    assert link.notes == ()


@pytest.mark.parametrize("thin", [1e-3, 1e-5, 1e-8, 1e-10])
@pytest.mark.parametrize("rpy", ANGLES)
def test_principal_axes_keep_the_small_moment_of_a_rod(thin: float, rpy: tuple[float, float, float]) -> None:
    content, _ = filled(source_of((1.0, thin, thin), rpy), axes="principal")
    _, tensor = written(content)
    expected = sorted(box((1.0, thin, thin), 1000.0).I_BBcm_B[:3])
    assert sorted(tensor[:3]) == pytest.approx(expected, rel=3e-12, abs=0.0)


def test_principal_axes_keep_the_small_moment_of_two_rods_in_line() -> None:
    # Two rods of a half along (1, 1, 0)/√2, end to end, one turned about itself: together a rod of one.
    half = "<geometry><box><size>0.5 1e-8 1e-8</size></box></geometry>"
    angle, x = repr(pi / 4), repr(0.25 / 2**0.5)
    first = collision(f"<pose>{x} {x} 0 0 0 {angle}</pose>{half}", "a")
    second = collision(f"<pose>-{x} -{x} 0 1.5707963267948966 0 {angle}</pose>{half}", "b")
    source = one_link("<inertial auto='true'><mass>3</mass></inertial>", first, second)
    content, _ = filled(source, axes="principal")
    _, tensor = written(content)
    mass = 1e3 * 1e-16
    expected = sorted(moment * 3.0 / mass for moment in box((1.0, 1e-8, 1e-8), 1000.0).I_BBcm_B[:3])
    assert sorted(tensor[:3]) == pytest.approx(expected, rel=3e-12, abs=0.0)


def test_a_refused_tensor_is_told_and_one_in_principal_axes_is_not() -> None:
    # libsdformat refuses this rod of 1:1e5 (see the tests of its formula).
    tensor = (
        "<ixx>8.31080117373e-10</ixx><iyy>7.61545086138e-09</iyy><izz>8.22013569125e-09</izz>"
        "<ixy>-2.3207188737e-09</ixy><ixz>9.21540764535e-10</ixz><iyz>2.85065963964e-10</iyz>"
    )
    refused = one_link(f"<inertial><mass>1</mass><inertia>{tensor}</inertia></inertial>")
    assert [finding.code for finding in check(refused, filename="/nowhere/m.sdf")] == ["SDI107"]
    turned = inertial(1, (1.6666666e-18, 8.3333333e-09, 8.3333333e-09), pose="0 0 0 0.3 0.4 0.5")
    assert check(one_link(turned), filename="/nowhere/m.sdf") == []


def test_a_rod_that_is_scaled_is_written_in_its_principal_axes_where_its_own_do_not_do() -> None:
    tensor = box((1.0, 1e-5, 1e-5), 1e7).I_BBcm_B.rotated(rotation_from_rpy(*ANGLES[0]))
    entries = "".join(f"<{name}>{value!r}</{name}>" for name, value in tensor._asdict().items())
    source = one_link(f"<inertial><pose>1 2 3 0 0 0</pose><mass>1e-3</mass><inertia>{entries}</inertia></inertial>")
    document = open_document(source, Options(), filename="/nowhere/m.sdf")
    (link,) = document.links()
    _, edits = scale_link(document.study(link), scaling_of(2e-3, None, None), document.require_writable)
    body, written_tensor = written(splice(source, edits))
    assert is_accepted_by_libsdformat(body.mass, written_tensor, must_turn=False)
    expected = tuple(2.0 * value for value in tensor)
    assert tuple(body.I_BBcm_B) == pytest.approx(expected, rel=0.0, abs=2e-11 * max(expected))
    assert body.p_BoBcm_B == (1.0, 2.0, 3.0)
