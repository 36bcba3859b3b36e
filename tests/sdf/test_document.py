import pytest

from sdfinertia import markup
from sdfinertia.errors import TextError
from sdfinertia.markup import MAXIMUM_DEPTH, Document, Edit, Element, splice
from sdfinertia.sdf import Robot
from sdfinertia.sdf.root import SdfRoot


def parse(data: bytes | str) -> Document:
    return Document(data.encode() if isinstance(data, str) else data, "m.sdf")


def refusal(data: bytes | str) -> TextError:
    with pytest.raises(TextError) as caught:
        SdfRoot(parse(data))
    return caught.value


def outline(element: Element) -> str:
    inner = " ".join(outline(child) for child in element.children)
    return f"{element.name}({inner})" if inner else element.name


LINK = "<model name='m'><link name='l'><inertial auto='true'/></link></model>"

TOLERATED = {
    "plain": f"<?xml version='1.0'?><sdf version='1.9'>{LINK}</sdf>",
    "no declaration": f"<sdf version='1.9'>{LINK}</sdf>",
    "white space before the declaration": f"\n \t<?xml version='1.0'?>\n<sdf version='1.9'>{LINK}</sdf>",
    "comment before the declaration": f"<!-- Licence -->\n<?xml version='1.0'?>\n<sdf version='1.9'>{LINK}</sdf>",
    "undeclared prefixes in attributes": f"<sdf version='1.9' gz:x='1' drake:y='2'>{LINK}</sdf>",
    "two hyphens in a comment": f"<sdf version='1.9'><!-- a -- b ---->{LINK}</sdf>",
    "a comment of hyphens": f"<sdf version='1.9'><!-------------------->{LINK}<!----></sdf>",
    "double quotes": f"<sdf version='1.9'>{LINK}</sdf>".replace("'", '"'),
    "spaces around =": f"<sdf version = '1.9'>{LINK.replace('=', ' =  ')}</sdf>",
    "line breaks in tags": f"<sdf\nversion\n=\n'1.9'\n>{LINK.replace(' ', chr(10))}</sdf\n>",
    "CRLF in tags": f"<sdf\r\n  version='1.9'\r\n>{LINK.replace(' ', chr(13) + chr(10))}</sdf>",
    "lone CR": f"<?xml version='1.0'?>\r<sdf version='1.9'>\r{LINK}\r</sdf>\r",
    "mixed line endings": f"<?xml version='1.0'?>\r\n<sdf version='1.9'>\r{LINK}\n</sdf>",
    "tabs": f"<sdf\tversion='1.9'>\t{LINK}\t</sdf>",
    "vertical tab and form feed": f"<sdf\vversion='1.9'>\f{LINK}\f</sdf>",
    "a space before the name": "< sdf version='1.9'>" + LINK.replace("<link", "<  link") + "</sdf>",
    "spaces at the end of tags": "<sdf version='1.9' >" + LINK.replace("/>", "\t/>").replace("'>", "' >") + "</sdf >",
    "> in an attribute": f"<sdf version='1.9' note='a > b'>{LINK}</sdf>",
    "< in an attribute": f"<sdf version='1.9' note='<link>'>{LINK}</sdf>",
    "the other quote in an attribute": f"""<sdf version='1.9' note='5"'>{LINK}</sdf>""",
    "attributes without a space between": f"<sdf version='1.9'note='x'>{LINK}</sdf>",
    "CDATA": f"<sdf version='1.9'><![CDATA[ <link> ]] > ]]>{LINK}</sdf>",
    "a lone ampersand": f"<sdf version='1.9'> a & b {LINK}</sdf>",
    "a lone > in text": f"<sdf version='1.9'> a > b {LINK}</sdf>",
    "a processing instruction": f"<?xml version='1.0'?><?xml-stylesheet href='a'?><sdf version='1.9'>{LINK}</sdf>",
    "a comment after the root": f"<sdf version='1.9'>{LINK}</sdf>\n<!-- end -->\n",
    "names that are not ASCII": f"<sdf version='1.9' größe='1'>{LINK}</sdf>",
}


@pytest.mark.parametrize("text", TOLERATED.values(), ids=TOLERATED.keys())
def test_what_tinyxml2_accepts_is_accepted(text: str) -> None:
    robot = Robot(parse(text))
    assert robot.version == (1, 9)
    assert outline(robot.element) == "sdf(model(link(inertial)))"
    [model] = robot.models()
    [link] = model.links()
    assert link.scoped_name == "m::l"
    assert link.inertial.element.attribute("auto") == "true"


@pytest.mark.parametrize("prefix", ["gz", "drake", "experimental", "ignition", "sdfinertia"])
def test_undeclared_namespace_prefixes_are_part_of_the_name(prefix: str) -> None:
    [root] = parse(f"<sdf><{prefix}:x><{prefix}:y a:b='1'/></{prefix}:x></sdf>").roots
    assert outline(root) == f"sdf({prefix}:x({prefix}:y))"
    assert root.children[0].children[0].attribute("a:b") == "1"


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("<sdf><model name='é'/></sdf>".encode(), "é"),
        (b"\xef\xbb\xbf" + "<sdf><model name='é'/></sdf>".encode(), "é"),
        (b"\xef\xbb\xbf\r\n" + "<?xml version='1.0' encoding='utf-8'?><sdf><model name='é'/></sdf>".encode(), "é"),
        ("<?xml version='1.0' encoding='ISO-8859-1'?><sdf><model name='é'/></sdf>".encode("latin-1"), "é"),
        (b"<?xml version='1.0' encoding='US-ASCII'?><sdf><model name='e'/></sdf>", "e"),
        (b"<sdf><!-- \xff\xfe --><model name='m'/></sdf>", "m"),
    ],
    ids=["utf-8", "utf-8 with a mark", "mark and declaration", "latin 1", "ascii", "bytes that it does not know"],
)
def test_names_are_read_in_every_encoding_allowed(data: bytes, name: str) -> None:
    [model] = Robot(parse(data)).models()
    assert model.name == name


REFUSED = {
    "empty": ("", 1, 1, "sdf"),
    "white space": (" \n ", 1, 1, "sdf"),
    "no sdf root": ("<robot name='r'/>", 1, 1, "sdf"),
    "plain text": ("hello", 1, 1, "sdf"),
    "doctype": ("<?xml version='1.0'?>\n <!DOCTYPE sdf>\n<sdf/>", 2, 2, "DOCTYPE"),
    "doctype with entities": ('<!DOCTYPE s [<!ENTITY a "b">]>\n<sdf>&a;</sdf>', 1, 1, "DOCTYPE"),
    "doctype inside the root": ("<sdf>\n  <!DOCTYPE sdf></sdf>", 2, 3, "DOCTYPE"),
    "entity": ("<sdf>\n<!ENTITY a SYSTEM 'file:///etc/passwd'>\n</sdf>", 2, 1, "entit"),
    "doctype in lower case": ("\n<!doctype sdf><sdf/>", 2, 1, ""),
    "NUL": ("<sdf>\n<model\0/></sdf>", 2, 7, "NUL"),
    "NUL at the end": ("<sdf/>\n\0", 2, 1, "NUL"),
    "ends inside a tag": ("<sdf>\n  <model name='m'", 2, 3, ""),
    "ends inside an attribute": ("<sdf>\n  <model name='m", 2, 3, ""),
    "mismatched": ("<sdf>\n<model>\n </link></sdf>", 3, 2, "</link>"),
    "crossed": ("<sdf><a><b></a></b></sdf>", 1, 12, "</a>"),
    "closing only": ("<sdf/>\n</sdf>", 2, 1, "</sdf>"),
    "case differs": ("<sdf><Model></model></sdf>", 1, 13, "</model>"),
    "duplicate attribute": ("<sdf>\n\t<model name='a' name='a'/></sdf>", 2, 2, "twice"),
    "duplicate attribute in two quotes": ("<sdf a='1' b='2' a=\"3\"/>", 1, 1, "twice"),
    "unclosed comment": ("<sdf>\n <!-- a\n</sdf>", 2, 2, "comment"),
    "unclosed CDATA": ("<sdf>\r\n  <![CDATA[ x ]] ></sdf>", 2, 3, "CDATA"),
    "unclosed instruction": ("<?xml version='1.0'\n<sdf/>", 1, 1, "instruction"),
    "stray <": ("<sdf>\r a < b</sdf>", 2, 4, ""),
    "attribute without value": ("<sdf>\n\n<a b></a></sdf>", 3, 1, ""),
    "attribute without quotes": ("<sdf><a b=1/></sdf>", 1, 6, ""),
    "name begins with a digit": ("<sdf><1a/></sdf>", 1, 6, ""),
    "empty tag": ("<sdf><></></sdf>", 1, 6, ""),
    "characters before": ("<sdf><!-- äöü --> </a></sdf>", 1, 19, ""),
    "a mark": ("<sdf> </a></sdf>".encode("utf-8-sig"), 1, 7, ""),
    "latin 1": ("<?xml version='1.0' encoding='ISO-8859-1'?>\n<!-- äöü --> </a>".encode("latin-1"), 2, 14, ""),
    "lines of LF": ("<sdf>\n<a>\n\n </b>", 4, 2, ""),
    "lines of CRLF": ("<sdf>\r\n<a>\r\n\r\n </b>", 4, 2, ""),
    "lines of CR": ("<sdf>\r<a>\r\r </b>", 4, 2, ""),
    "UTF-16": ("<sdf/>".encode("utf-16"), 1, 1, "UTF-16"),
    "space after the slash": ("<sdf><a></ a></sdf>", 1, 9, ""),
}


@pytest.mark.parametrize(("text", "line", "column", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_well_formed_is_refused_at_its_line_and_column(text, line, column, said):
    error = refusal(text)
    assert error.location == ("m.sdf", line, column)
    assert said in str(error)
    assert "\n" not in str(error)


@pytest.mark.parametrize("text", ["<sdf>", "<sdf>\n<model>\n<link>", "<sdf><a/>"])
def test_a_truncated_file_is_refused(text: str) -> None:
    assert refusal(text).location is not None


INNERMOST = {
    "empty": "<a/>",
    "a text": "<a>1</a>",
    "a comment": "<a><!-- 1 --></a>",
    "a shape": "<size>1 2 3</size>",
}


def nested(depth: int, innermost: str = "<a></a>") -> str:
    return "<sdf>" + "<a>" * (depth - 2) + innermost + "</a>" * (depth - 2) + "</sdf>"


@pytest.mark.parametrize("innermost", INNERMOST.values(), ids=INNERMOST)
def test_a_thousand_levels_are_read_and_not_one_more(innermost):
    assert MAXIMUM_DEPTH == 1000
    element = parse(nested(1000, innermost)).roots[0]
    for _ in range(999):
        [element] = element.children
    assert not element.children
    error = refusal(nested(1001, innermost))
    assert error.location == ("m.sdf", 1, len("<sdf>") + 3 * 999 + 1)
    assert "1000" in error.problem


def test_no_more_tags_are_read_than_any_model_has(monkeypatch):
    monkeypatch.setattr(markup, "MAXIMUM_TAGS", 6)
    assert message_of(b"<sdf>" + b"<a/>" * 4 + b"</sdf>") == ""
    assert "more than 6 tags" in message_of(b"<sdf>" + b"<a/>" * 5 + b"</sdf>")


HOSTILE = (
    *("<a ", "<", ">", "<!--", "<![CDATA[", "<?", '"', "'", " a='", "=", "-", "&#", "</", " ", "a"),
    *('<a b="', "<a/>", "-->"),
)
STARTS = ("", "<sdf>", "<sdf ", "<sdf a='", "<sdf><!--", "<?xml ", "<sdf><")


def message_of(data: bytes) -> str:
    """What is said of a file that is refused; nothing of one that is read."""
    try:
        SdfRoot(parse(data))
    except TextError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_great_deal_of_anything_is_read_or_refused_and_not_quoted_at_length(piece: str) -> None:
    for start in STARTS:
        assert len(message_of((start + piece * (8000 // len(piece))).encode())) < 1000, start


@pytest.mark.parametrize("attributes", [" a%d='1'", " a%d = '1' ", '\n a%d=""'])
@pytest.mark.parametrize("end", ["/>", "", "<", "' >"])
def test_a_tag_of_many_attributes_is_read_or_refused(attributes: str, end: str) -> None:
    count = 600
    data = ("<sdf" + "".join(attributes % number for number in range(count)) + end).encode()
    try:
        assert parse(data).roots[0].attribute(f"a{count - 1}") in ("1", "")
        assert end == "/>"
    except TextError:
        assert end != "/>"


def test_spans_of_an_element_are_those_of_its_tags() -> None:
    data = b"<sdf> <link name = 'l' auto='x' > text <a/> </link > </sdf>"
    [link] = parse(data).roots[0].children
    assert data[link.start : link.inner_start] == b"<link name = 'l' auto='x' >"
    assert data[link.inner_start : link.inner_end] == b" text <a/> "
    assert data[link.inner_end : link.end] == b"</link >"
    start, stop, value_start, value_stop = link.attribute_span("auto") or (0, 0, 0, 0)
    assert data[start:stop] == b" auto='x'"
    assert data[value_start:value_stop] == b"x"
    assert link.attribute_span("missing") is None
    assert not link.is_self_closing
    assert link.children[0].is_self_closing


def test_an_attribute_span_is_exact_and_comments_of_an_element_are_its_own() -> None:
    data = b'<sdf><l a=\' auto="1"\' auto="1"/></sdf>'
    [element] = parse(data).roots[0].children
    start, stop, *_ = element.attribute_span("auto") or (0, 0, 0, 0)
    assert (start, stop) == (data.rindex(b" auto"), data.rindex(b" auto") + len(b' auto="1"'))
    [root] = parse("<sdf><!--1--><a><!--2--></a><![CDATA[<!--3-->]]><!-- 4 -- 5 --></sdf>").roots
    assert [text for *_, text in root.comments] == ["1", " 4 -- 5 "]
    assert [root.document.data[a:b] for a, b, _ in root.comments] == [b"<!--1-->", b"<!-- 4 -- 5 -->"]


def test_splicing_replaces_spans_and_inserts_in_the_order_given_unless_they_overlap() -> None:
    edits = [Edit(6, 7, b"G"), Edit(0, 0, b"1"), Edit(2, 4, b""), Edit(0, 0, b"2"), Edit(8, 8, b"3")]
    assert splice(b"abcdefgh", edits) == b"12abefGh3"
    assert splice(b"abc", []) == b"abc"
    with pytest.raises(ValueError, match="overlap"):
        splice(b"abcdef", [Edit(0, 3, b""), Edit(2, 4, b"")])
