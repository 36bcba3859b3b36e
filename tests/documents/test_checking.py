from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from builders.documents import AUTO, SOUND, collision, inertial, link, mesh, model, sdf
from builders.meshes import OBJ_TETRAHEDRON

import sdfinertia
from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.options import Options

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures"
DEFECTIVE = FIXTURES / "defective"

COLLISION = collision()
# A mass that is not positive and a tensor of which one moment exceeds the sum of the others.
BAD = "<inertial><mass>0</mass><inertia><ixx>10</ixx><iyy>4</iyy><izz>2</izz></inertia></inertial>"


def codes(content: bytes, **options: Any) -> list[tuple[str, str]]:
    return [(finding.code, finding.link) for finding in check(content, Options(**options), filename="/nowhere/m.sdf")]


@pytest.mark.parametrize(
    "path", sorted(path for path in DEFECTIVE.iterdir() if path.is_file()), ids=lambda path: path.name
)
def test_a_defective_fixture_is_never_clean(path: Path) -> None:
    found = check(path)
    assert found
    assert {finding.code for finding in found} != {"SDI001"}
    assert all(finding.location.line >= 1 and finding.location.column >= 1 for finding in found)
    assert {finding.location.file for finding in found} == {str(path)}
    # No rule fails on it either.
    assert {finding.code for finding in found} <= {finding.code for finding in check(path, Options(select=("SDI",)))}


# Suppression ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", ["<!-- in the link -->", "<!-- in the block -->"])
@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("<!-- sdfinertia: ignore SDI101 -->", ["SDI103"]),
        ("<!-- sdfinertia: ignore SDI103, SDI101 because of the test bench -->", []),
        ("<!-- sdfinertia: ignore SDI101 because it -- being\n long -- says so, and more -->", ["SDI103"]),
        ("<!-- sdfinertia: ignore SDI101 --><!-- sdfinertia: ignore SDI103 because -->", []),
        ("<!-- sdfinertia: ignore mass-not-positive, SDI103 because of a test -->", []),
        ("<!-- sdfinertia: ignore SDI1 -->", ["SDI101", "SDI103"]),
        ("<![CDATA[<!-- sdfinertia: ignore SDI101 -->]]>", ["SDI101", "SDI103"]),
        ("<gz:x><!-- sdfinertia: ignore SDI101 --></gz:x>", ["SDI101", "SDI103"]),
        ("<?x sdfinertia: ignore SDI101 ?>", ["SDI101", "SDI103"]),
    ],
)
def test_a_comment_in_a_link_or_its_block_suppresses_the_codes_it_names(where, comment, left):
    block = BAD.replace("<mass>", "<!-- in the block --><mass>")
    content = sdf(model(link("<!-- in the link -->", block))).replace(where.encode(), comment.encode())
    assert codes(content, ignore=("SDI801",)) == [(code, "m::l") for code in left]


@pytest.mark.parametrize(
    "place",
    [
        "<!-- root --><sdf version='1.11'>",
        "<!-- model --><link name='l'>",
        "<mass><!-- mass -->0",
        "<inertia><!-- inertia -->",
        "</collision><plugin name='p'><!-- plugin --></plugin>",
        "<collision name='c'><!-- collision -->",
        "</link><!-- after -->",
        "<link name='k'><!-- other link -->",
    ],
)
def test_a_comment_elsewhere_suppresses_nothing(place: str) -> None:
    text = sdf(model(link(BAD, COLLISION), link(SOUND, name="k"))).decode()
    plain = re.sub("<!-- .*? -->|<plugin.*?</plugin>", "", place)
    assert text.count(plain) >= 1
    place = re.sub("<!-- .*? -->", "<!-- sdfinertia: ignore SDI101, SDI103, SDI202 -->", place)
    assert "ignore" in place
    moved = text.replace(plain, place).encode()
    assert codes(moved, ignore=("unused-suppression",)) == codes(text.encode()) != []


def test_a_comment_suppresses_only_in_its_own_link() -> None:
    quiet = link("<!-- sdfinertia: ignore SDI101, SDI103 -->", BAD, name="quiet")
    assert codes(sdf(model(quiet, link(BAD)))) == [("SDI101", "m::l"), ("SDI103", "m::l")]


def test_links_without_a_block_and_links_that_ask_can_be_suppressed() -> None:
    for code, inside in (("SDI104", ""), ("SDI001", AUTO), ("SDI001", "<inertial auto='1'><!-- here --></inertial>")):
        comment = f"<!-- sdfinertia: ignore {code} because it is a sketch -->"
        assert codes(sdf(model(link(inside, COLLISION)))) == [(code, "m::l")]
        commented = inside.replace("<!-- here -->", comment) if "here" in inside else comment + inside
        assert codes(sdf(model(link(commented, COLLISION)))) == []


def idle(*inside: str, **options: Any) -> list[tuple[str, int]]:
    """Messages and columns of what is told of the suppressions in a link that begins its line."""
    found = check(sdf(model(link(*inside))), Options(**options), filename="/nowhere/m.sdf")
    assert all(finding.link == "m::l" and finding.location.line == 3 for finding in found)
    return [(finding.message, finding.location.column) for finding in found if finding.code == "SDI801"]


NOT_CALLED_SO = "suppresses {!r}, and no rule has that name"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("SDI101", []),
        ("mass-not-positive SDI103", []),
        ("SDI101 because of SDI999", []),
        ("SDI999", [NOT_CALLED_SO.format("SDI999")]),
        ("ALL", [NOT_CALLED_SO.format("ALL")]),
        ("SDI101 in vain", [NOT_CALLED_SO.format("in"), NOT_CALLED_SO.format("vain")]),
        ("", ["suppresses nothing: it names no rule"]),
        ("SDI102", ["suppresses SDI102, which finds nothing here"]),
        ("SDI101, stale-block", ["suppresses stale-block, which finds nothing here"]),
        ("SDI999 SDI801", []),
        ("SDI801", []),
    ],
)
def test_a_suppression_that_names_no_rule_or_hides_nothing_is_told_where_it_stands(words: str, told: list[str]) -> None:
    assert idle(f"<!-- sdfinertia: ignore {words} -->", BAD) == [(message, 16) for message in told]


def test_a_suppression_is_idle_only_where_its_rule_was_on_and_lacked_no_file() -> None:
    sound = "<!-- sdfinertia: ignore SDI302, SDI103 -->" + SOUND
    assert [message for message, _ in idle(sound)] == ["suppresses SDI103, which finds nothing here"]
    assert [message for message, _ in idle(sound, select=("SDI302", "SDI801"))] == [
        "suppresses SDI302, which finds nothing here"
    ]
    assert idle(sound, ignore=("SDI801",)) == []
    comment = "<!-- sdfinertia: ignore SDI202 -->"
    assert idle(comment, SOUND, collision(f"<geometry>{mesh('gone.stl')}</geometry>")) == []
    assert [message for message, _ in idle(comment, SOUND, COLLISION)] == [
        "suppresses SDI202, which finds nothing here"
    ]


def test_a_rule_that_looks_closer_when_it_is_asked_for_is_asked(tmp_path: Path) -> None:
    *_, last = OBJ_TETRAHEDRON.splitlines(keepends=True)
    (tmp_path / "open.obj").write_text(OBJ_TETRAHEDRON.removesuffix(last))
    path = tmp_path / "m.sdf"
    block = inertial(100, (7, 7, 7.1), pose="0.25 0.25 0.25 0 0 0")
    solid = collision(f"<geometry>{mesh('open.obj')}</geometry>")
    path.write_bytes(sdf(model(link("<!-- sdfinertia: ignore open-mesh -->", block, solid))))
    assert check(path) == []
    (tmp_path / "open.obj").write_text(OBJ_TETRAHEDRON)
    assert [finding.code for finding in check(path)] == ["SDI801"]


def test_a_filled_block_keeps_its_suppression_and_its_provenance() -> None:
    comment = "<!-- sdfinertia: ignore SDI201 because of the ballast -->"
    content = sdf(model(link(f"<inertial auto='true'>{comment}</inertial>", COLLISION)))
    filled = fill(content, filename="/nowhere/m.sdf").content
    assert comment.encode() in filled
    assert codes(filled) == []
    assert codes(filled.replace(b"1 2 3", b"1 2 4")) == [("SDI002", "m::l")]
    assert codes(filled.replace(b"1 2 3", b"1 2 4").replace(b"SDI201", b"SDI002")) == []


# What is asked, and in which order ------------------------------------------------------------------------------------


def test_a_finding_points_at_the_block_or_else_at_the_link() -> None:
    text = "<sdf version='1.11'>\n <model name='m'>\n  <link name='l'>\n\t<inertial auto='1'/>\n  </link>\n"
    text += f"  <link name='k'>{COLLISION}</link>\n </model>\n</sdf>\n"
    found = check(text.encode(), Options(select=("SDI001", "SDI104")), filename="robots/m.sdf")
    assert sorted(finding.location for finding in found) == [("robots/m.sdf", 4, 2), ("robots/m.sdf", 6, 3)]


def test_findings_are_one_sentence_and_say_what_to_do() -> None:
    found = check(sdf(model(link(BAD), link(COLLISION, name="a"), link(AUTO, name="b"), link("<inertial/>", name="c"))))
    assert len(found) >= 5
    for finding in found:
        assert finding.message == finding.message.strip().rstrip(".")
        assert "\n" not in finding.message + finding.remedy
        assert finding.remedy


def test_a_path_a_string_and_the_content_are_checked_alike(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_bytes(sdf(model(link(BAD), link(AUTO, COLLISION, name="a"))))
    found = check(path)
    assert len(found) == 3
    assert check(str(path)) == check(path.read_bytes(), filename=str(path)) == found
    assert sdfinertia.check is check
    assert isinstance(found[0], sdfinertia.Finding)


# What cannot be read --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"", 1),
        (b"mass: 12\n", 1),
        (b"<sdf version='1.11'>\n<model name='m'>\n</link></sdf>", 3),
        (b"<sdf version='1.0'/>", 1),
    ],
    ids=["nothing", "no XML", "tags that do not match", "an ancient version"],
)
def test_what_is_no_sdf_is_one_finding_of_the_file(content: bytes, line: int) -> None:
    [finding] = check(content, filename="robots/m.sdf")
    assert (finding.code, finding.link) == ("SDI900", "")
    assert finding.location[:2] == ("robots/m.sdf", line)
    assert finding.message


def test_what_cannot_be_opened_is_one_finding_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "m.sdf.erb").write_bytes(sdf(model(link(BAD))))
    for name in ("gone.sdf", "m.sdf.erb"):
        [finding] = check(tmp_path / name)
        assert (finding.code, finding.link, finding.location.file) == ("SDI900", "", str(tmp_path / name))


@pytest.mark.parametrize(
    "content",
    [
        b"<sdf version='1.99'/>",
        b" <!-- a -- b --> <?xml version='1.0'?><sdf version='1.4'/>",
        b"<?xml version='1.0' encoding='ISO-8859-1'?><sdf version='1.6'><model name='\xe9'/></sdf>",
    ],
)
def test_what_simulators_read_is_no_finding(content: bytes) -> None:
    assert check(content, Options(select=("ALL",))) == []


def test_what_cannot_be_read_can_be_ignored_by_its_code() -> None:
    assert codes(b"<launch/>", ignore=("SDI9",)) == []
