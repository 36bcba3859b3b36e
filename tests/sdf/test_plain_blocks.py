"""A filled block is matched whole, and is to every reader what its elements say."""

import pytest
from builders.trees import tree

from sdfinertia.markup.document import Block, Document, Element

MARK = "<!-- sdfinertia: inputs=3e926ba81cfb values=41be5263beec -->"
TENSOR = "<ixx>1.5</ixx><ixy>0</ixy><ixz>-1e-3</ixz><iyy> 2 </iyy><iyz>0</iyz><izz>3.</izz>"
NUMBERS = f"<pose>0 0 1\t0 0 0</pose><mass>2</mass><inertia>{TENSOR}</inertia>"


def document_of(inertial: str) -> Document:
    text = f'<sdf version="1.11"><model name="m"><link name="l">{inertial}</link></model></sdf>'
    return Document(text.encode(), "model.sdf")


def inertial_of(document: Document) -> Element:
    found = document.roots[0].children[0].children[0].children[0]
    assert found.name == "inertial"
    return found


def without_the_mark(document: Document) -> Document:
    """The same bytes but for the mark of a filled file, which are read element by element."""
    return Document(document.data.replace(b"sdfinertia: ", b"sdfinertia; "), "model.sdf")


BLOCKS = {
    "as written": f"<inertial>{MARK}{NUMBERS}</inertial>",
    "on lines": f"<inertial>\n  {MARK}\n  {NUMBERS}\n</inertial>".replace("><", ">\n    <"),
    "with a density": f"<inertial>{MARK}{NUMBERS}<density>7800</density></inertial>",
    "with comments": f"<inertial><!-- mine - yours -->{MARK}{NUMBERS}<!-- a --><density> </density><!----></inertial>",
    "set to false": f'<inertial auto="false">{MARK}{NUMBERS}</inertial>',
}
OTHERS = {
    "a density before": f"<inertial><density>1</density>{MARK}{NUMBERS}</inertial>",
    "two densities": f"<inertial>{MARK}{NUMBERS}<density>1</density><density>2</density></inertial>",
    "an attribute": f"<inertial>{MARK}{NUMBERS}</inertial>".replace("<pose>", '<pose degrees="true">'),
    "another order": f"<inertial>{MARK}<mass>2</mass><pose>0 0 0 0 0 0</pose></inertial>",
    "a word": f"<inertial>{MARK}{NUMBERS.replace('3.', 'nan')}</inertial>",
    "a comment in a number": f"<inertial>{MARK}{NUMBERS.replace('3.', '3<!-- 4 -->')}</inertial>",
    "a reference": f"<inertial>{MARK}{NUMBERS.replace('3.', '&#51;')}</inertial>",
}


@pytest.mark.parametrize("block", OTHERS.values(), ids=OTHERS)
def test_any_other_block_is_read_element_by_element(block: str) -> None:
    assert not isinstance(inertial_of(document_of(block)), Block)


@pytest.mark.parametrize("block", [*BLOCKS.values(), *OTHERS.values()], ids=[*BLOCKS, *OTHERS])
def test_its_elements_are_those_of_the_file(block: str) -> None:
    document = document_of(block)
    assert [tree(root) for root in document.roots] == [tree(root) for root in without_the_mark(document).roots]


@pytest.mark.parametrize("name", ["pose", "mass", "inertia", "density", "auto_inertia_params", "ixx"])
@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_one_element_of_it_is_found_alone(block: str, name: str) -> None:
    document = document_of(block)
    found, expected = inertial_of(document).child(name), inertial_of(without_the_mark(document)).child(name)
    assert (tree(found) if found is not None else None) == (tree(expected) if expected is not None else None)


@pytest.mark.parametrize("block", BLOCKS.values(), ids=BLOCKS)
def test_a_block_as_it_is_written_is_matched_whole_its_names_and_comments_known_without_elements(block: str) -> None:
    document = document_of(block)
    found, expected = inertial_of(document), inertial_of(without_the_mark(document))
    assert isinstance(found, Block)
    assert found.child_names() == expected.child_names()
    assert [place[:2] for place in found.comments()] == [place[:2] for place in expected.comments()]


def test_a_block_in_a_comment_is_none_and_one_that_is_all_of_a_text_is_its_root() -> None:
    document = document_of(f"<!-- sdfinertia: <inertial>{NUMBERS}</inertial> --><inertial/>")
    assert tree(inertial_of(document))[6] == []
    [root] = Document(BLOCKS["as written"].encode(), "block").roots
    assert isinstance(root, Block)
    assert root.end == len(BLOCKS["as written"])
