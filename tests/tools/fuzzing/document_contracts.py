"""Contracts for any bytes as an SDF or URDF document, and for any text in a provenance comment."""

from itertools import chain
from pathlib import Path
from typing import Any

from fuzzing.messages import require_message
from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import FillResult, fill
from sdfinertia.documents.opened import described, open_document
from sdfinertia.errors import SdfInertiaError
from sdfinertia.links.status import Status
from sdfinertia.markup.document import Document
from sdfinertia.options import Options

FIXTURES = Path(__file__).parents[3] / "fixtures"
# A missing file beside an existing model, so that its uris resolve.
PLACE = str(FIXTURES / "rover/fuzzed.sdf")

# The first byte of an input chooses among these: results depend on options as much as on the document.
OPTIONS = tuple(
    Options(confine=str(FIXTURES), resource_path=(str(FIXTURES), str(FIXTURES / "defective")), **values)
    for values in (
        {},
        {"missing": True, "all": True, "keep_going": True},
        {"missing": True, "all": True, "keep_going": True, "geometry": "visual", "skip_unsupported": True},
        {"all": True, "keep_going": True, "axes": "principal", "digits": 6},
        {"all": True, "keep_going": True, "overlaps": "union", "open_mesh": "convex_hull"},
        {"missing": True, "keep_going": True, "provenance": False, "density": 2.5, "link": ("*l*",)},
        {"keep_going": True, "overwrite_edited": True, "total_mass": 7.0, "open_mesh": "fill_holes"},
        {"keep_going": True, "refresh": False, "require_density": True, "open_mesh": "convex_hull", "digits": 17},
    )
)
_EVERY_RULE = OPTIONS[0].replaced({"select": ("SDI",)})
_OF_FILLED = ("SDI001", "SDI002", "SDI003")  # not filled, stale, edited by hand
# An SDF file whose one block is filled, but for what is in the comment.
_COMMENTED = (
    b"<sdf version='1.11'><model name='m'><link name='l'><inertial><!-- sdfinertia: ",
    b" --><mass>1</mass></inertial><collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision>"
    b"</link></model></sdf>",
)


def filling_holds(data: bytes) -> None:
    """A document is filled and nothing else in it touched, or refused at a place in it; the next run has no work."""
    options, document = OPTIONS[data[0] % len(OPTIONS) if data else 0], data[1:]
    try:
        result = fill(document, options, filename=PLACE)
    except SdfInertiaError as error:
        require_message(error, with_place=True)
        return
    _results_are_told(result)
    assert options.keep_going or not result.errors or not result.changed, "a link failed and the file changed"
    assert outside_of_blocks(result.content) == outside_of_blocks(document), "bytes outside of blocks changed"
    edits_are_of_blocks(result)
    # A link that failed for the sake of an option is filled without it, and its share of a total mass is the others'.
    if options.total_mass is None or not result.errors:
        again = fill(result.content, options, filename=PLACE)
        assert again.content == result.content, "the second run changes the file"
    if options.provenance and not result.errors:
        plain = fill(result.content, _defaults_of(options), filename=PLACE)
        assert plain.content == result.content, "a run without options changes the file"


def checking_holds(data: bytes) -> None:
    """Every rule checks a document before and after `fill`; filled links are neither unfilled nor stale."""
    options, document = OPTIONS[data[0] % len(OPTIONS) if data else 0], data[1:]
    for finding in check(document, _EVERY_RULE, filename=PLACE):
        assert finding.message
        assert finding.location.line > 0
        assert finding.location.column > 0
    try:
        result = fill(document, options, filename=PLACE)
    except SdfInertiaError:
        return
    if not result.changed or not options.provenance:
        return
    filled = {link.name for link in result.links if link.text is not None}
    # Links may bear one name, and some of them fail.
    filled -= {link.name for link in result.links if link.status is Status.FAILED}
    after = check(result.content, _EVERY_RULE, filename=PLACE)
    wrong = [finding for finding in after if finding.code in _OF_FILLED and finding.link in filled]
    assert not wrong, f"what was filled is found wrong: {wrong[0]}"


def provenance_holds(data: bytes) -> None:
    """A provenance comment that is read, written and read again is the same, or it is none."""
    before, after = _COMMENTED
    try:
        document = open_document(before + data + after, OPTIONS[0], filename=PLACE)
        (link,) = document.links()
    except (SdfInertiaError, ValueError):
        return
    study = document.study(link)
    provenance, comment = study.provenance, study.provenance_comment
    if provenance is not None and comment is not None:
        start, stop, _ = comment
        text = provenance.comment().encode("utf-8", "surrogateescape")
        head, tail = document.robot.data[:start], document.robot.data[stop:]
        again = open_document(head + text + tail, OPTIONS[0], filename=PLACE)
        (same,) = again.links()
        reread = again.study(same).provenance
        assert reread is not None, "what is written is no provenance"
        assert reread.options == provenance.options
        assert reread[3:] == provenance[3:]
        for of_options in (provenance.applied_to, provenance.completing):
            try:
                of_options(OPTIONS[0])
            except SdfInertiaError as error:
                require_message(error)
    filling_holds(bytes([1]) + before + data + after)


def _defaults_of(options: Options) -> Options:
    """Default options, but for those that provenance does not record: where to search, and that links may fail."""
    return OPTIONS[0].replaced({"keep_going": options.keep_going})


def _results_are_told(result: FillResult) -> None:
    for link in result.links:
        assert link.line > 0
        if link.error is not None:
            require_message(link.error, with_place=True)
        for text in chain(link.notes, result.notes):
            assert text


def edits_are_of_blocks(result: FillResult) -> None:
    """The content is the original with its edits made, each within a block or, to add one, between children of a link.

    Unlike `outside_of_blocks`, by the edits themselves, white space included.
    """
    links = _links_of(result.original)
    blocks = [(link.inertial.start, link.inertial.end) for link in links if link.inertial is not None]
    gaps = [gap for link in links if link.inertial is None for gap in link.element.gaps()]
    pieces, position = [], 0
    for start, stop, replacement in sorted(result.edits, key=lambda edit: edit.start):
        places = gaps if start == stop and b"<inertial" in replacement else blocks
        assert any(first <= start and stop <= last for first, last in places), "an edit is outside of blocks"
        pieces += [result.original[position:start], replacement]
        position = stop
    assert b"".join([*pieces, result.original[position:]]) == result.content, "the edits do not make the content"


def outside_of_blocks(data: bytes) -> bytes:
    """The bytes of a document outside of the blocks of its links, without white space, which a new block adds."""
    pieces, position = [], 0
    for block in sorted(
        (link.inertial for link in _links_of(data) if link.inertial is not None), key=lambda block: block.start
    ):
        pieces.append(data[position : block.start])
        position = block.end
    return b"".join(b"".join([*pieces, data[position:]]).split())


def _links_of(data: bytes) -> list[Any]:
    """The links of a document of either format, each with its `element` and its `inertial`."""
    return [link for model in described(Document(data, PLACE)).models() for link in model.all_links()]
