from __future__ import annotations

from pathlib import Path

import pytest
from builders.robots import Written, sdf, urdf

from sdfinertia.causes.case import Relation, Relative
from sdfinertia.documents.explaining import Explainer
from sdfinertia.documents.filling import fill
from sdfinertia.documents.opened import open_document
from sdfinertia.options import Options

ARM = Written("arm", "1.5", ("0.01", "1e-4", "-2e-4", "0.012", "3e-4", "0.004"), None, "0.01 0.02 -0.1")
HAND = Written("hand", "0.5", ("1e-3", "0", "0", "1e-3", "0", "5e-4"), None, "0 0 0.05")
WRONG = ARM._replace(tensor=("0", "0", "0", "0", "0", "0"))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    return tmp_path


def relatives(path: Path, relation: Relation) -> list[Relative]:
    document = open_document(path, Options())
    case = Explainer(document).case(next(document.links()))
    return [relative for relative in case.relatives if relative.relation is relation]


def write(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def test_another_version_of_the_robot_in_the_repository_is_asked(repository: Path) -> None:
    own = write(repository / "a" / "r.urdf", urdf(WRONG, HAND))
    write(repository / "b" / "r.sdf", sdf(ARM, HAND))
    (sibling,) = relatives(own, Relation.SIBLING)
    assert sibling.name == "../b/r.sdf r::arm"
    assert sibling.block.entry_texts.ixx == "0.01"


def test_another_robot_that_has_a_link_of_the_name_is_not(repository: Path) -> None:
    own = write(repository / "a" / "r.urdf", urdf(WRONG, HAND, HAND._replace(name="finger"), HAND._replace(name="tip")))
    others = [HAND._replace(name=name) for name in ("wheel", "mast", "camera")]
    write(repository / "b" / "other.urdf", urdf(ARM, *others))
    assert relatives(own, Relation.SIBLING) == []


@pytest.mark.parametrize(("drawn", "known"), [("box", False), ("cylinder", True)])
def test_a_block_of_another_robot_is_known_under_any_name_where_it_is_drawn_otherwise(
    repository: Path, drawn: str, known: bool
) -> None:
    shapes = {
        "box": b'<collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision>',
        "cylinder": b'<collision><geometry><cylinder radius="0.1" length="0.1"/></geometry></collision>',
    }

    def robot(name: str, shape: bytes, *others: Written) -> bytes:
        content = urdf(ARM._replace(name=name), *others)
        return content.replace(b"</inertial>", b"</inertial>" + shape, 1)

    own = write(repository / "a" / "r.urdf", robot("arm", shapes["box"], HAND, HAND._replace(name="tip")))
    others = [HAND._replace(name=name) for name in ("wheel", "mast", "camera")]
    for name in ("arm", "boom"):
        write(repository / "b" / f"{name}.urdf", robot(name, shapes[drawn], *others))
    document = open_document(own, Options())
    case = Explainer(document).case(next(document.links()))
    found = [each.name for each in case.elsewhere]
    assert found == (["../b/arm.urdf arm", "../b/boom.urdf boom"] if known else [])


def test_a_file_that_cannot_be_read_says_nothing(repository: Path) -> None:
    own = write(repository / "a" / "r.urdf", urdf(WRONG, HAND))
    write(repository / "b" / "r.urdf", urdf(ARM, HAND)[:-20])
    assert relatives(own, Relation.SIBLING) == []


def test_the_other_hand_is_another_file(repository: Path) -> None:
    own = write(repository / "hand_left.urdf", urdf(WRONG, HAND))
    write(repository / "hand_right.urdf", urdf(ARM._replace(centre="0.01 -0.02 -0.1"), HAND))
    (twin,) = relatives(own, Relation.TWIN)
    assert (twin.name, twin.key) == ("hand_right.urdf r::arm", None)
    assert twin.block.entry_texts.ixy == "-1e-4"


def test_nothing_outside_the_confinement_is_asked(repository: Path) -> None:
    own = write(repository / "a" / "r.urdf", urdf(WRONG, HAND))
    write(repository / "b" / "r.urdf", urdf(ARM, HAND))
    document = open_document(own, Options(confine=str(repository / "a")))
    case = Explainer(document).case(next(document.links()))
    assert [each for each in case.relatives if each.relation is Relation.SIBLING] == []


def test_what_we_filled_is_no_mistake_of_its_author() -> None:
    box = ARM._replace(shape=(0.01, 0.0, 0.0, 0.012, 0.0, 0.004))
    document = open_document(fill(sdf(box), Options(all=True)).content, Options())
    link = next(document.links())
    assert Explainer(document).case(link) is None
    assert Explainer(document).whys(link, frozenset({"SDI103"})) == {}


def test_what_the_geometry_gives_is_told_at_the_mass_that_is_written() -> None:
    document = open_document(sdf(ARM._replace(shape=(0.01, 0.0, 0.0, 0.012, 0.0, 0.004))), Options())
    why = Explainer(document).whys(next(document.links()), frozenset({"SDI103"}))["SDI103"]
    assert why.computed.mass == 1.5
    assert why.computed.I_BBcm_B[:3] == pytest.approx((0.01, 0.012, 0.004))
