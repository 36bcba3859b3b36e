import re

import pytest

from sdfinertia.documents.filling import fill
from sdfinertia.options import Options

BOX = "<collision name='c'><geometry><box><size>1 2 3</size></box></geometry></collision>"
TENSOR = "<ixx>6500</ixx><ixy>0</ixy><ixz>0</ixz><iyy>5000</iyy><iyz>0</iyz><izz>2500</izz>"
POSE = "<pose>0 0 0 0 0 0</pose>"
FULL = f"{POSE}<mass>6000</mass><inertia>{TENSOR}</inertia>"
PLAIN = Options(provenance=False)
_DIGESTS = re.compile(r"inputs=[0-9a-f]{12} values=[0-9a-f]{12}")


def filled(text: str, options: Options = PLAIN) -> str:
    """The text after filling; digests in provenance comments are replaced by #. A second run must change nothing."""
    result = fill(text.encode(), options, filename="m.sdf")
    assert result.errors == ()
    again = fill(result.content, filename="m.sdf")
    assert again.errors == ()
    assert again.content == result.content
    return _DIGESTS.sub("#", result.content.decode())


def one_line(inertial: str) -> str:
    return f"<sdf version='1.11'><model name='m'><link name='l'>{inertial}{BOX}</link></model></sdf>"


ONE_LINE = {
    "self-closing": ("<inertial auto='true'/>", f"<inertial>{FULL}</inertial>"),
    "self-closing with a space": ("<inertial auto='true' />", f"<inertial>{FULL}</inertial>"),
    "empty": ("<inertial auto='1'></inertial>", f"<inertial>{FULL}</inertial>"),
    "mass": (
        "<inertial auto='true'><mass>12</mass></inertial>",
        f"<inertial>{POSE}<mass>12</mass><inertia><ixx>13</ixx><ixy>0</ixy><ixz>0</ixz><iyy>10</iyy><iyz>0</iyz>"
        "<izz>5</izz></inertia></inertial>",
    ),
    "mass as written": (
        "<inertial auto='true'><mass> 12.000 <!-- kg --></mass></inertial>",
        f"<inertial>{POSE}<mass> 12.000 <!-- kg --></mass><inertia><ixx>13</ixx><ixy>0</ixy><ixz>0</ixz><iyy>10</iyy>"
        "<iyz>0</iyz><izz>5</izz></inertia></inertial>",
    ),
    "everything in its order": (
        f"<inertial auto='true'><pose>1 2 3 0 0 0</pose><mass>6000</mass><inertia>{TENSOR}</inertia></inertial>",
        f"<inertial>{FULL}</inertial>",
    ),
    "empty elements": (
        "<inertial auto='true'><pose/><inertia/></inertial>",
        f"<inertial>{FULL.replace('<mass>6000</mass>', '')}</inertial>".replace(POSE, f"{POSE}<mass>6000</mass>"),
    ),
    "attributes of the pose go": (
        "<inertial auto='true'><pose relative_to='x' degrees='true'>1 2 3 4 5 6</pose></inertial>",
        f"<inertial>{FULL}</inertial>",
    ),
    "attributes of an empty pose": (
        "<inertial auto='true'><pose frame='' /></inertial>",
        f"<inertial>{FULL}</inertial>",
    ),
    "a comment inside ixx": (
        "<inertial auto='true'><inertia><ixx>1<!-- about x --></ixx></inertia></inertial>",
        f"<inertial>{FULL}</inertial>".replace("6500</ixx>", "6500<!-- about x --></ixx>"),
    ),
    "only a comment inside ixx": (
        "<inertial auto='true'><inertia><ixx><!-- about x --></ixx></inertia></inertial>",
        f"<inertial>{FULL}</inertial>".replace("6500</ixx>", "6500<!-- about x --></ixx>"),
    ),
    "a number in CDATA": (
        "<inertial auto='true'><inertia><ixx><![CDATA[ 1 ]]></ixx></inertia></inertial>",
        f"<inertial>{FULL}</inertial>",
    ),
    "a number in references": (
        "<inertial auto='true'><inertia><ixx>&#49;</ixx></inertia></inertial>",
        f"<inertial>{FULL}</inertial>",
    ),
}


@pytest.mark.parametrize(("before", "after"), ONE_LINE.values(), ids=ONE_LINE.keys())
def test_a_block_on_one_line_stays_on_one_line(before: str, after: str) -> None:
    assert filled(one_line(before)) == one_line(after)


def test_the_order_of_what_is_there_is_kept_and_children_that_are_not_ours_stay() -> None:
    result = filled(one_line("<inertial auto='true'><inertia><izz>9</izz><ixx>9</ixx></inertia><pose/></inertial>"))
    assert result.index("<izz>2500</izz>") < result.index("<ixx>6500</ixx>") < result.index(POSE)
    for name in ("ixy", "ixz", "iyy", "iyz", "mass"):
        assert result.count(f"<{name}>") == 1
    other = "<density>1000</density><gz:note b='1'>a</gz:note><fluid_added_mass><xx>1</xx></fluid_added_mass><!-- c -->"
    result = filled(one_line(f"<inertial auto='true'>{other}</inertial>"))
    assert other in result
    assert all(result.count(piece) == 1 for piece in (POSE, "<mass>6000</mass>", f"<inertia>{TENSOR}</inertia>"))


@pytest.mark.parametrize(
    ("pose", "comments"),
    [
        ("<pose><!-- a -->1 2 3<!-- b --> 0 0 0<!-- c --></pose>", "<!-- a --><!-- b --><!-- c -->"),
        ("<pose>1 <!-- x --> 2 <!-- y --> 3 <!-- z --> 0 0 0</pose>", "<!-- x --><!-- y --><!-- z -->"),
        ("<pose><!-- none --></pose>", "<!-- none -->"),
        ("<pose><![CDATA[1 2 3]]><!-- a --> 0 0 0</pose>", "<!-- a -->"),
    ],
)
def test_comments_inside_a_pose_stay(pose: str, comments: str) -> None:
    result = filled(one_line(f"<inertial auto='true'>{pose}</inertial>"))
    match = re.search("<pose>(.*?)</pose>", result)
    assert match is not None
    assert "".join(re.findall("<!--.*?-->", match[1])) == comments
    assert re.sub("<!--.*?-->|<!\\[CDATA\\[|\\]\\]>", "", match[1]).split() == ["0"] * 6


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<inertial auto='true'></inertial>", "<inertial>"),
        ("<inertial  auto = 'true' x='y' ></inertial>", "<inertial x='y' >"),
        ("<inertial x='y' auto='true'></inertial>", "<inertial x='y'>"),
        ("<inertial\n  auto='true'\n></inertial>", "<inertial\n>"),
        ('<inertial x=\' auto="true"\' auto="true"></inertial>', "<inertial x=' auto=\"true\"'>"),
    ],
)
def test_the_attribute_auto_is_removed_with_the_white_space_before_it(before: str, after: str) -> None:
    assert after + POSE in filled(one_line(before)).replace("\n  <", "<")


# Blocks on lines of their own -----------------------------------------------------------------------------------------


def lines(*lines_of_link: str, indent: str = "  ", newline: str = "\n") -> str:
    """A file whose link holds these lines; each `>` at the beginning of one is one level of indentation."""
    inside = [indent * (3 + len(line) - len(line.lstrip(">"))) + line.lstrip(">") for line in lines_of_link]
    before = [
        "<?xml version='1.0'?>",
        "<sdf version='1.11'>",
        f"{indent}<model name='m'>",
        f"{indent * 2}<link name='l'>",
    ]
    after = [f"{indent * 3}{BOX}", f"{indent * 2}</link>", f"{indent}</model>", "</sdf>", ""]
    return newline.join([*before, *inside, *after])


NEW_TENSOR = [f">>{entry}" for entry in re.findall(r"<i..>\d+</i..>", TENSOR)]
NEW_INERTIA = [">" + "<inertia>", *NEW_TENSOR, "></inertia>"]
NEW = [">" + POSE, "><mass>6000</mass>", *NEW_INERTIA]

BLOCKS = {
    "self-closing": (["<inertial auto='true'/>"], ["<inertial>", *NEW, "</inertial>"]),
    "self-closing after a comment line": (
        ["<!-- a -->", "<inertial auto='true'/>"],
        ["<!-- a -->", "<inertial>", *NEW, "</inertial>"],
    ),
    "empty": (["<inertial auto='true'></inertial>"], ["<inertial>", *NEW, "</inertial>"]),
    "blank": (["<inertial auto='true'>  </inertial>"], ["<inertial>", *NEW, "</inertial>"]),
    "an empty tensor of two tags": (
        ["<inertial auto='true'>", "><inertia></inertia>", "</inertial>"],
        ["<inertial>", *NEW, "</inertial>"],
    ),
    "empty over two lines": (["<inertial auto='true'>", "</inertial>"], ["<inertial>", *NEW, "</inertial>"]),
    "a blank line inside": (["<inertial auto='true'>", "></inertial>"], None),
    "pose only": (
        ["<inertial auto='true'>", "><pose>1 2 3 0 0 0</pose>", "</inertial>"],
        ["<inertial>", *NEW, "</inertial>"],
    ),
    "mass only": (
        ["<inertial auto='true'>", "><mass>6000.0</mass>", "</inertial>"],
        ["<inertial>", ">" + POSE, "><mass>6000.0</mass>", *NEW_INERTIA, "</inertial>"],
    ),
    "trailing comments stay beside their elements": (
        [
            "<inertial auto='true'>",
            "><pose>1 2 3 0 0 0</pose> <!-- from CAD -->",
            "><mass>6000</mass>  <!-- weighed --> <!-- twice -->",
            "</inertial>",
        ],
        [
            "<inertial>",
            ">" + POSE + " <!-- from CAD -->",
            "><mass>6000</mass>  <!-- weighed --> <!-- twice -->",
            *NEW_INERTIA,
            "</inertial>",
        ],
    ),
    "part of a tensor": (
        [
            "<inertial auto='true'>",
            "><inertia>",
            ">><ixx>1</ixx> <!-- x -->",
            ">><izz>1</izz>",
            "></inertia>",
            "</inertial>",
        ],
        [
            "<inertial>",
            ">" + POSE,
            "><mass>6000</mass>",
            "><inertia>",
            NEW_TENSOR[0] + " <!-- x -->",
            *NEW_TENSOR[1:],
            "></inertia>",
            "</inertial>",
        ],
    ),
    "a tensor on one line": (
        ["<inertial auto='true'>", "><inertia><ixx>1</ixx></inertia>", "</inertial>"],
        ["<inertial>", ">" + POSE, "><mass>6000</mass>", f"><inertia>{TENSOR}</inertia>", "</inertial>"],
    ),
    "an empty tensor": (["<inertial auto='true'>", "><inertia/>", "</inertial>"], ["<inertial>", *NEW, "</inertial>"]),
    "children given twice": (
        [
            "<inertial auto='true'>",
            "><mass>6000</mass>",
            "><mass>7</mass>",
            "><pose>1 0 0 0 0 0</pose>",
            "><pose>2 0 0 0 0 0</pose>",
            "</inertial>",
        ],
        [
            "<inertial>",
            "><mass>6000</mass>",
            *NEW_INERTIA,
            "><mass>7</mass>",
            ">" + POSE,
            "><pose>2 0 0 0 0 0</pose>",
            "</inertial>",
        ],
    ),
    "the density stays": (
        ["<inertial auto='true'>", "><density>1000</density> <!-- water -->", "</inertial>"],
        ["<inertial>", *NEW, "><density>1000</density> <!-- water -->", "</inertial>"],
    ),
    "an attribute on a line of its own": (["<inertial", ">  auto='true'", "/>"], None),
    "a multi-line pose": (["<inertial auto='true'>", "><pose>", ">>1 2 3", ">>0 0 0", "></pose>", "</inertial>"], None),
}


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("indent", ["  ", "    ", "\t"], ids=["two", "four", "tab"])
@pytest.mark.parametrize(("before", "after"), BLOCKS.values(), ids=BLOCKS.keys())
def test_a_block_on_several_lines_keeps_its_indentation_and_line_ending(before, after, indent, newline):
    result = filled(lines(*before, indent=indent, newline=newline))
    if after is not None:
        assert result == lines(*after, indent=indent, newline=newline)
    assert not re.search(r"[ \t]+[\r\n]", result), "no trailing blanks"
    assert set(re.findall("\r\n|\r|\n", result)) == {newline}
    for line in result.split(newline)[1:]:
        depth = len(line) - len(line.lstrip(" \t"))
        assert line[:depth] == indent * (depth // len(indent)) or line.lstrip().startswith(("auto", "/>", ">"))


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_the_indentation_of_the_block_itself_counts_and_not_that_of_the_file(newline: str) -> None:
    before = newline.join(["<inertial auto='true'>", "\t\t \t<mass>6000</mass>", "   </inertial>"])
    result = filled(one_line(newline + before + newline))
    expected = ["<inertial>", f"\t\t \t{POSE}", "\t\t \t<mass>6000</mass>", "\t\t \t<inertia>"]
    assert newline.join(expected) in result
    assert f"{newline}\t\t \t</inertia>{newline}   </inertial>" in result


def test_lines_about_a_block_and_comments_beside_it_stay_as_they_are() -> None:
    text = lines("<inertial auto='true'>", "><density>1000</density>", "</inertial>", newline="\r\n")
    text = text.replace("<?xml version='1.0'?>\r\n", "<?xml version='1.0'?>\n").replace("</model>\r\n", "</model>\r")
    assert filled(text).count("\n") - filled(text).count("\r\n") == 1
    link = f"<link name='l'> <inertial auto='true'/> {BOX}</link>"
    text = f"<sdf version='1.11'>\n<model name='m'>\n  {link}\n</model></sdf>"
    assert filled(text) == text.replace("<inertial auto='true'/>", f"<inertial>{FULL}</inertial>")
    result = filled(lines("<inertial auto='true'/> <!-- from CAD -->"))
    assert result == lines("<inertial>", *NEW, "</inertial> <!-- from CAD -->")


# Provenance comments --------------------------------------------------------------------------------------------------

COMMENT = "<!-- sdfinertia: # -->"
OLD = "<!-- sdfinertia: inputs=0123456789ab values=0123456789ab -->"
EDITED = Options(overwrite_edited=True)


def test_the_provenance_comment_is_first_in_the_block() -> None:
    assert filled(one_line("<inertial auto='true'/>"), Options()) == one_line(f"<inertial>{COMMENT}{FULL}</inertial>")
    after = ["<inertial>", f">{COMMENT}", *NEW, "</inertial>"]
    assert filled(lines("<inertial auto='true'/>"), Options()) == lines(*after)
    before = ["<inertial auto='true'>", "><!-- mine -->", "><mass>6000</mass>", "</inertial>"]
    result = filled(lines(*before), Options())
    assert "<inertial>\n        <!-- sdfinertia: mass=given # -->\n" in result
    assert "\n        <!-- mine -->\n        <mass>6000</mass>\n" in result


@pytest.mark.parametrize("auto", ["", " auto='true'"])
def test_an_existing_provenance_comment_is_replaced_in_its_place(auto: str) -> None:
    before = [f"<inertial{auto}>", "><!-- a -->", f">{OLD} <!-- b -->", *NEW[:2], "><!-- c -->", "</inertial>"]
    result = filled(lines(*before), EDITED)
    after = [
        "<inertial>",
        "><!-- a -->",
        f">{COMMENT} <!-- b -->",
        *NEW[:2],
        *NEW_INERTIA,
        "><!-- c -->",
        "</inertial>",
    ]
    assert result == lines(*after)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_without_provenance_an_old_comment_is_removed_with_its_line(newline: str) -> None:
    options = Options(overwrite_edited=True, provenance=False)
    before = ["<inertial>", f">{OLD}", *NEW, "</inertial>"]
    assert filled(lines(*before, newline=newline), options) == lines("<inertial>", *NEW, "</inertial>", newline=newline)
    assert filled(one_line(f"<inertial>{OLD}{FULL}</inertial>"), options) == one_line(f"<inertial>{FULL}</inertial>")


def test_without_provenance_a_block_is_its_authors() -> None:
    before = ["<inertial>", f">{OLD} <!-- mine -->", *NEW, "</inertial>"]
    result = filled(lines(*before), Options(overwrite_edited=True, provenance=False))
    assert "sdfinertia" not in result
    assert result.count("<!-- mine -->") == 1
    assert not re.search(r"[ \t]+\n", result)
    managed = fill(lines("<inertial auto='true'/>").encode(), filename="m.sdf").content
    result = fill(managed, Options(provenance=False, all=True), filename="m.sdf").content.decode()
    # The mass was computed, not given; now the block is its author's.
    assert result == lines("<inertial>", *NEW, "</inertial>")


# New blocks -----------------------------------------------------------------------------------------------------------


def test_missing_adds_a_block_on_lines_of_its_own() -> None:
    options = Options(missing=True, provenance=False)
    result = filled(lines(), options)
    assert result == lines("<inertial>", *NEW, "</inertial>")
    assert filled(lines("<pose>1 2 3 0 0 0</pose> <!-- here -->"), options) == lines(
        "<pose>1 2 3 0 0 0</pose> <!-- here -->", "<inertial>", *NEW, "</inertial>"
    )
    assert filled(lines(), Options(missing=True)) == lines("<inertial>", f">{COMMENT}", *NEW, "</inertial>")


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
@pytest.mark.parametrize("indent", ["  ", "    ", "\t"], ids=["two", "four", "tab"])
def test_a_missing_block_follows_the_link(indent: str, newline: str) -> None:
    result = filled(lines(indent=indent, newline=newline), Options(missing=True, provenance=False))
    assert result == lines("<inertial>", *NEW, "</inertial>", indent=indent, newline=newline)


def test_a_comment_beside_a_tag_stays_beside_it_and_a_link_on_one_line_stays_on_it() -> None:
    assert filled(one_line(""), Options(missing=True, provenance=False)) == one_line(f"<inertial>{FULL}</inertial>")
    text = lines().replace("<link name='l'>", "<link name='l'> <!-- the base -->")
    result = filled(text, Options(missing=True, provenance=False))
    assert "<link name='l'> <!-- the base -->\n" in result
    text = lines("<inertial auto='true'> <!-- from CAD -->", "</inertial>")
    assert filled(text) == lines("<inertial> <!-- from CAD -->", *NEW, "</inertial>")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "iso-8859-1"])
def test_bytes_of_every_encoding_are_kept(encoding: str) -> None:
    declared = "iso-8859-1" if encoding == "iso-8859-1" else "utf-8"
    text = lines("<!-- größe -->", "<inertial auto='true'/>").replace("'1.0'?", f"'1.0' encoding='{declared}'?")
    result = fill(text.encode(encoding), PLAIN, filename="m.sdf").content
    expected = lines("<!-- größe -->", "<inertial>", *NEW, "</inertial>")
    assert result == expected.replace("'1.0'?", f"'1.0' encoding='{declared}'?").encode(encoding)


def test_bytes_that_are_no_text_are_kept() -> None:
    text = one_line("<!-- @ --><inertial auto='true'/>").encode().replace(b"@", b"\xff\xfe\x80")
    assert b"<!-- \xff\xfe\x80 --><inertial>" in fill(text, PLAIN, filename="m.sdf").content
