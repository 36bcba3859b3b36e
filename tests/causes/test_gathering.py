from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sdfinertia.causes.case import Case
from sdfinertia.causes.case_file import CaseFile
from sdfinertia.documents import open_document
from sdfinertia.links.written_block import EntryTexts
from sdfinertia.options import Options
from sdfinertia.robot import COLLISION

if TYPE_CHECKING:
    from collections.abc import Sequence


def urdf_link(
    name: str, *, mass: str = "2", centre: str = "0.1 0.2 0.3", tensor: Sequence[str], shape: str = ""
) -> str:
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    entries = " ".join(f'{entry}="{text}"' for entry, text in zip(names, tensor, strict=True))
    return (
        f'<link name="{name}"><inertial><origin xyz="{centre}"/><mass value="{mass}"/><inertia {entries}/></inertial>'
        f"{shape}</link>"
    )


def box(size: str, xyz: str = "0 0 0") -> str:
    return f'<collision><origin xyz="{xyz}"/><geometry><box size="{size}"/></geometry></collision>'


def gathering(text: str, filename: str = "<bytes>") -> tuple[CaseFile, dict[str, Any]]:
    document = open_document(text.encode(), Options(), filename=filename)
    found = CaseFile(document.models, document.study)
    return found, {link.name: link for link in document.links()}


def case_of(text: str, name: str, filename: str = "<bytes>") -> Case:
    gathered, links = gathering(text, filename)
    case = gathered.case(links[name])
    assert case is not None
    return case


LEFT = ("2e-3", "1e-5", "-2e-5", "1.5e-3", "3e-5", "1e-3")
ZEROS = ("0", "0", "0", "0", "0", "0")
TWINS = (
    '<robot name="r">'
    + urdf_link("left_arm", centre="0.1 0.2 0.3", tensor=LEFT, shape=box("0.1 0.06 0.08", "0.1 0.2 0.3"))
    + urdf_link("right_arm", centre="0.1 -0.2 0.3", tensor=ZEROS, shape=box("0.1 0.06 0.08", "0.1 -0.2 0.3"))
    + urdf_link("base", mass="5", tensor=LEFT)
    + '<joint name="j" type="revolute"><origin xyz="0 0 1"/><parent link="base"/><child link="right_arm"/></joint>'
    + '<joint name="k" type="revolute"><parent link="base"/><child link="left_arm"/></joint></robot>'
)


def test_numbers_come_with_their_texts_in_the_order_of_tensors() -> None:
    written = case_of(TWINS, "left_arm").written
    assert (written.mass, written.mass_text) == (2.0, "2")
    assert (written.centre, written.centre_texts) == ((0.1, 0.2, 0.3), ("0.1", "0.2", "0.3"))
    assert written.entry_texts == EntryTexts("2e-3", "1.5e-3", "1e-3", "1e-5", "-2e-5", "3e-5")
    assert written.tensor == (2e-3, 1.5e-3, 1e-3, 1e-5, -2e-5, 3e-5)


def test_an_entry_that_is_omitted_has_no_text() -> None:
    text = """<sdf version="1.11"><model name="m"><link name="l"><inertial><mass>1</mass><inertia><ixx>1e-3</ixx>
    </inertia></inertial></link></model></sdf>"""
    written = case_of(text, "l").written
    assert written.entry_texts == EntryTexts("1e-3")
    assert written.tensor == (1e-3, 1.0, 1.0, 0.0, 0.0, 0.0)


def test_where_no_tensor_is_written_the_case_is_what_readers_take() -> None:
    inside = "<inertial><mass>1000</mass></inertial>"
    case = case_of(f"<sdf version='1.11'><model name='m'><link name='l'>{inside}</link></model></sdf>", "l")
    assert (case.written.tensor, case.written.entry_texts) == ((1.0, 1.0, 1.0, 0.0, 0.0, 0.0), EntryTexts())


@pytest.mark.parametrize(
    "inside",
    [
        pytest.param("", id="no inertial"),
        pytest.param("<inertial auto='true'/>", id="to be filled"),
        pytest.param("<inertial><mass>1</mass><inertia><ixx>0,1</ixx></inertia></inertial>", id="no number"),
    ],
)
def test_what_says_no_numbers_is_no_case(inside: str) -> None:
    gathered, links = gathering(f"<sdf version='1.11'><model name='m'><link name='l'>{inside}</link></model></sdf>")
    assert gathered.case(links["l"]) is None


def test_the_box_and_the_bodies_are_those_of_the_shapes() -> None:
    case = case_of(TWINS, "right_arm")
    assert case.box is not None
    assert case.box.sizes == pytest.approx((0.1, 0.06, 0.08))
    assert [body.kind for body in case.bodies] == [COLLISION]
    assert case.bodies[0].inertia.mass == 1.0
    assert not case.bodies[0].is_exact_mesh


def test_a_twin_is_seen_in_the_mirror() -> None:
    (twin,) = (each for each in case_of(TWINS, "right_arm").relatives if each.is_twin)
    assert (twin.name, twin.verbatim.is_valid) == ("r::left_arm", True)
    assert twin.block.centre == (0.1, -0.2, 0.3)
    assert twin.block.entry_texts == EntryTexts("2e-3", "1.5e-3", "1e-3", "-1e-5", "-2e-5", "-3e-5")
    assert twin.verbatim.entry_texts.ixy == "1e-5"
    assert twin.is_near_geometry is True


def test_a_twin_that_no_body_has_is_told_as_such() -> None:
    (twin,) = (each for each in case_of(TWINS, "left_arm").relatives if each.is_twin)
    assert (twin.verbatim.is_valid, twin.is_near_geometry) == (False, False)


def test_other_links_of_the_file_with_the_same_digits_are_relatives_of_no_kind() -> None:
    others = [each for each in case_of(TWINS, "left_arm").relatives if not each.is_twin]
    assert [(each.name, each.block.mass) for each in others] == [("r::base", 5.0)]
    assert not [each for each in case_of(TWINS, "right_arm").relatives if not each.is_twin]


def test_what_all_links_of_a_file_have_in_common_is_counted_once() -> None:
    text = "<robot name='r'>" + "".join(
        urdf_link(f"l{k}", mass=str(k + 1), centre="0 0 0", tensor=("0.01", "0", "0", "0.01", "0", f"0.0{k + 1}"))
        for k in range(3)
    )
    gathered, links = gathering(text + "</robot>")
    cases = [gathered.case(link) for link in links.values()]
    (file,) = {id(case.file): case.file for case in cases if case is not None}.values()
    assert file is not None
    assert file.has_no_centres
    assert [file.counts[case.written.tensor] for case in cases if case is not None] == [1, 1, 1]


def test_a_copy_is_compared_by_its_geometry() -> None:
    text = TWINS.replace('<link name="base">', '<link name="base">' + box("1 1 1")).replace(
        urdf_link("right_arm", centre="0.1 -0.2 0.3", tensor=ZEROS), ""
    )
    relatives = {each.name: each for each in case_of(text, "base").relatives}
    assert relatives["r::left_arm"].has_same_geometry is False
    # Its numbers are others.
    assert "r::right_arm" not in relatives
