"""What was written is what a reader of SDF finds, or nothing is."""

import pytest

from sdfinertia.documents.filling import fill
from sdfinertia.errors import TextError
from sdfinertia.inertia.inertial_text import InertialText
from sdfinertia.markup import Document, Edit
from sdfinertia.options import Options
from sdfinertia.sdf import Robot
from sdfinertia.sdf.model import Link

BOX = "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"
NUMBERS = InertialText("0 0 0 0 0 0", "6000", ("6500", "0", "0", "5000", "0", "2500"))
TENSOR = "<inertia><ixx>6500</ixx><ixy>0</ixy><ixz>0</ixz><iyy>5000</iyy><iyz>0</iyz><izz>2500</izz></inertia>"
FULL = f"<pose>0 0 0 0 0 0</pose><mass>6000</mass>{TENSOR}"


def model(inside: str) -> bytes:
    block = f"<inertial auto='true'>{inside}</inertial>"
    return f"<sdf version='1.11'><model name='m'><link name='l'>{block}{BOX}</link></model></sdf>".encode()


def reads_back(block: bytes) -> bool:
    """Whether the numbers are found in a block that would be added to a link."""
    robot = Robot(Document(b"<sdf version='1.11'><model name='m'><link name='l'/></model></sdf>", "m.sdf"))
    [link] = robot.models()[0].all_links()
    return link.reads_back([Edit(0, 0, block)], NUMBERS)


@pytest.mark.parametrize(
    "inside",
    [
        "<inertia><iyy><y>7</y></iyy></inertia>",
        "<inertia><iyy>7<y/></iyy></inertia>",
        "<pose><x>1</x></pose>",
        "<mass><zz/>6000</mass>",
    ],
)
def test_elements_where_a_number_belongs_are_refused(inside: str) -> None:
    source = model(inside)
    result = fill(source, filename="/nowhere/m.sdf")
    (error,) = result.errors
    assert "holds other markup" in error.problem
    assert result.content == source


@pytest.mark.parametrize(
    "hidden",
    [
        "<?x <!-- sdfinertia: inputs=0123456789ab values=0123456789ab --> ?>",
        "<?x <!-- sdfinertia: inputs=0123456789ab values=0123456789ab -->\n ?>",
        "<!-- <?x --><?y <!-- a --> ?>",
        "<?x <pose> ?>",
    ],
)
@pytest.mark.parametrize("provenance", [True, False])
def test_what_a_processing_instruction_holds_is_no_comment(hidden: str, provenance: bool) -> None:
    content = fill(model(hidden), Options(provenance=provenance), filename="/nowhere/m.sdf").content
    start, stop = content.index(b"<inertial>"), content.index(b"</inertial>") + len(b"</inertial>")
    assert reads_back(content[start:stop])
    assert hidden.encode() in content
    again = fill(content, Options(provenance=provenance), filename="/nowhere/m.sdf")
    assert again.content == content


@pytest.mark.parametrize(
    ("ixx", "expected"),
    [
        ("<ixx>65<!-- a -->00</ixx>", b"<ixx>6500<!-- a --></ixx>"),
        ("<ixx>65<![CDATA[00]]></ixx>", b"<ixx>6500</ixx>"),
        ("<ixx><!-- a -->6500</ixx>", b"<ixx><!-- a -->6500</ixx>"),
    ],
)
def test_a_number_in_pieces_is_put_together_since_readers_take_the_first(ixx: str, expected: bytes) -> None:
    assert expected in fill(model(f"<inertia>{ixx}</inertia>"), filename="/nowhere/m.sdf").content


@pytest.mark.parametrize(
    ("old", "new"),
    [
        *[("6500", "6500<x/>"), ("6500", "65<!-- a -->00"), ("6500", "<?x 6500 ?>")],
        *[("6500", "<!-- 6500 -->"), ("<mass>6000</mass>", "")],
        ("<mass>6000</mass>", "<!-- <mass>6000</mass> -->"),
        ("<pose>", "<pose relative_to='x'>"),
        ("<pose>0 0", "<pose>0"),
        ("<iyy>5000</iyy>", "<iyz>5000</iyz>"),
    ],
)
def test_what_readers_miss_is_not_found(old: str, new: str) -> None:
    block = f"<inertial>{FULL}</inertial>"
    assert reads_back(block.encode())
    assert not reads_back(block.replace(old, new, 1).encode())
    assert not reads_back(block.encode() + b"<inertial/>")


@pytest.mark.parametrize(
    ("old", "new", "is_found"),
    [
        ("<inertial>", "<inertial>\n  <!-- sdfinertia: a - b -->", True),
        ("<inertial>", "<inertial auto='false'><density>2700</density>", True),
        ("</inertial>", "<density>2700</density><!-- a --></inertial>", True),
        ("<mass>", "\n<mass>\n", True),
        ("<mass>", "<!-- - --><mass>", True),
        ("<inertial>", "<inertial><density>1<mass>5</mass></density>", True),
        ("<inertial>", "<inertial><mass>5</mass>", False),
        ("<inertial>", "<inertial x='>'><!-- <pose/>", False),
        ("<inertial>", "<inertial><!-- --><mass>5</mass><!-- -->", False),
        ("<inertial>", "<inertial><inertia><ixx>1</ixx></inertia>", False),
        ("<inertial>", "<inertial><![CDATA[", False),
        ("6500", "6501", False),
        ("6500", "65 00", False),
        ("<pose>", "<pose x=''>", False),
        ("</inertial>", "</inertial><inertial/>", False),
    ],
)
def test_numbers_are_found_among_comments_and_densities_and_nowhere_else(old: str, new: str, is_found: bool) -> None:
    block = f"<inertial>{FULL}</inertial>".replace(old, new, 1).encode()
    try:
        found = reads_back(block)
    except TextError:
        found = False
    assert found is is_found


def test_nothing_is_written_that_does_not_read_back(monkeypatch: pytest.MonkeyPatch) -> None:
    edits = Link.edits

    def wrong(*arguments: object, **options: object) -> object:
        return [
            edit._replace(replacement=edit.replacement.replace(b"6500", b"650"))
            for edit in edits(*arguments, **options)
        ]  # type: ignore[arg-type]

    monkeypatch.setattr(Link, "edits", wrong)
    for source in (model(""), model("").replace(b"<inertial auto='true'></inertial>", b"")):
        result = fill(source, Options(missing=True), filename="/nowhere/m.sdf")
        (error,) = result.errors
        assert "parsers would not read" in error.problem
        assert result.content == source
