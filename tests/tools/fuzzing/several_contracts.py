"""Contracts for MJCF models in several files, and for two documents that are compared."""

import os

from fuzzing.document_contracts import OPTIONS, PLACE
from fuzzing.messages import require_message
from fuzzing.server_contracts import BETWEEN
from fuzzing.table_contracts import scratch_directory
from sdfinertia.comparing.comparison import compare
from sdfinertia.documents.checking import check
from sdfinertia.documents.filling import fill
from sdfinertia.editing.draft import open_draft
from sdfinertia.errors import SdfInertiaError

# The first is the model; the last lies where nothing may be read.
NAMES = ("robot/robot.xml", "robot/a.xml", "robot/b.xml", "robot/parts/c.xml", "outside.xml")


def including_holds(data: bytes) -> None:
    """Files that include each other are filled, and nothing else in them touched, or refused; then there is no work."""
    directory = scratch_directory("including")
    (directory / "robot" / "parts").mkdir(parents=True, exist_ok=True)
    before = dict(zip(NAMES, [*data[1:].split(BETWEEN), *[b""] * len(NAMES)][: len(NAMES)], strict=True))
    before[NAMES[-1]] = b'<mujocoinclude><body name="secret"><geom size="1"/></body></mujocoinclude>'
    for name, content in before.items():
        (directory / name).write_bytes(content)
    options = OPTIONS[data[0] % len(OPTIONS) if data else 0].replaced({"confine": str(directory / "robot")})
    path = str(directory / NAMES[0])
    for finding in check(path, options):
        assert "secret" not in finding.link
        assert finding.location.line > 0
        assert os.path.realpath(finding.location.file).startswith(str(directory / "robot"))
    try:
        result = fill(path, options)
    except SdfInertiaError as error:
        require_message(error)
        return
    assert not any("secret" in link.name for link in result.links)
    result.write()
    for name, content in before.items():
        after = (directory / name).read_bytes()
        assert len(after) == len(content) or name != NAMES[-1]
        if after != content:
            assert b"<mujoco" in content
    # A link that failed for the sake of an option is filled without it.
    if options.total_mass is None or not result.errors:
        again = fill(path, options)
        assert not any(part.changed for part in (again, *again.others)), "the second run changes a file"
    assert not open_draft(path, options).is_changed


def comparing_holds(data: bytes) -> None:
    """Two documents are compared, the same both ways, and each is equal to itself; or one error is raised."""
    first, _, second = data.partition(BETWEEN)
    try:
        there = compare(first, second, OPTIONS[0], filenames=(PLACE, PLACE))
    except SdfInertiaError as error:
        require_message(error)
        return
    back = compare(second, first, OPTIONS[0], filenames=(PLACE, PLACE))
    for one, other in (("same", "same"), ("differs", "differs"), ("only_in_first", "only_in_second")):
        assert len(there.of(one)) == len(back.of(other)), f"{one} one way is not {other} the other way"
    for link in there.differing:
        assert link.why is not None
        assert link.why.likeliest.sentence
    assert compare(first, first, OPTIONS[0], filenames=(PLACE, PLACE)), "a document differs from itself"
