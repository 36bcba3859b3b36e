"""Contracts for any bytes: a result or one clear error, in bounded time; by name, with the files to begin from."""

import asyncio
import atexit
import json
import math
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NoReturn

from fuzzing import seeds
from fuzzing.seeds import BETWEEN, FIXTURES
from sdfinertia import Options, check, compare, fill, mesh, mesh_is_closed, open_draft, repair
from sdfinertia.documents import described, open_document
from sdfinertia.documents.repairing import BY
from sdfinertia.errors import ConfigurationError, SdfInertiaError
from sdfinertia.markup import Document
from sdfinertia.mesh.readers import EXTENSIONS
from sdfinertia.options import merged_options
from sdfinertia.report.explanations import cause_words
from sdfinertia.report.json_records import why_record
from sdfinertia.rules.accepted import read_baseline
from sdfinertia.runs.configuration import configured_in
from sdfinertia.runs.source_files import source_files

LONGEST_INPUT = 1 << 16  # bytes
SECONDS_AN_INPUT = 5.0  # of the processor, which do not depend on the load of the machine
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
EVERY_RULE = OPTIONS[0].replaced({"select": ("SDI",), "why": True})
TREATMENTS: tuple[dict[str, Any], ...] = (
    {},
    {"open_mesh": "convex_hull", "scale": 0.001},
    {"open_mesh": "fill_holes", "scale": (1.0, -2.0, 3.0)},
    {"open_mesh": "shell", "thickness": 0.002},
    {"method": "convex_hull", "scale": (1e5, 1e-5, 1.0)},
    {"overlaps": "union"},
    {"method": "voxel", "voxel_size": 0.25},
)
_OF_FILLED = ("SDI001", "SDI002", "SDI003")  # not filled, stale, edited by hand


def require_message(error: SdfInertiaError, *, with_place: bool = False) -> None:
    """An error says what is wrong on lines that a terminal takes as they are, and where if its place can be known."""
    assert error.problem
    assert not {"\0", "\x1b"} & set(str(error)), "a terminal would obey the message"
    if with_place:
        assert error.location is not None, f"an error without a place: {error}"
        assert error.location.line > 0
        assert error.location.column > 0


def filling_holds(data: bytes) -> None:
    """A document is filled and nothing else in it touched, or refused at a place in it; the next run has no work."""
    options, document = OPTIONS[data[0] % len(OPTIONS) if data else 0], data[1:]
    _findings_are_told(document, PLACE)
    try:
        result = fill(document, options, filename=PLACE)
    except SdfInertiaError as error:
        require_message(error, with_place=True)
        return
    for link in result.links:
        assert link.line > 0
        assert all((*link.notes, *result.notes))
        if link.error is not None:
            require_message(link.error, with_place=True)
    assert options.keep_going or not result.errors or not result.changed, "a link failed and the file changed"
    assert outside_of_blocks(result.content) == outside_of_blocks(document), "bytes outside of blocks changed"
    # A link that failed for the sake of an option is filled without it, and its share of a total mass is the others'.
    if options.total_mass is None or not result.errors:
        again = fill(result.content, options, filename=PLACE)
        assert again.content == result.content, "the second run changes the file"
    if not options.provenance or result.errors or not result.changed:
        return
    plain = fill(result.content, OPTIONS[0].replaced({"keep_going": options.keep_going}), filename=PLACE)
    assert plain.content == result.content, "a run without options changes the file"
    filled = {link.name for link in result.links if link.text is not None}
    after = check(result.content, EVERY_RULE, filename=PLACE)
    wrong = [finding for finding in after if finding.code in _OF_FILLED and finding.link in filled]
    assert not wrong, f"what was filled is found wrong: {wrong[0]}"


def outside_of_blocks(data: bytes) -> bytes:
    """The bytes of a document outside of the blocks of its links, without white space, which a new block adds."""
    links: list[Any] = [link for model in described(Document(data, PLACE)).models() for link in model.all_links()]
    pieces, position = [], 0
    blocks = [link.inertial.element for link in links if link.inertial is not None]
    for block in sorted(blocks, key=lambda block: block.start):
        pieces.append(data[position : block.start])
        position = block.end
    return b"".join(b"".join([*pieces, data[position:]]).split())


def repairing_holds(data: bytes) -> None:
    """A document is repaired and nothing else in it touched, or refused; a second repair changes nothing."""
    by, document = BY[data[0] % len(BY) if data else 0], data[1:]
    _findings_are_told(document, PLACE)
    options = OPTIONS[0].replaced({"keep_going": True})
    try:
        result = repair(document, options, by=by, filename=PLACE)
    except SdfInertiaError as error:
        require_message(error, with_place=True)
        return
    for link in result.links:
        assert link.line > 0
        if link.error is not None:
            require_message(link.error, with_place=True)
    assert outside_of_blocks(result.content) == outside_of_blocks(document), "bytes outside of blocks changed"
    again = repair(result.content, options, by=by, filename=PLACE)
    assert again.content == result.content, "the second run changes the file"


def xacro_holds(data: bytes) -> None:
    """A xacro file is judged at lines that it has, or refused."""
    _findings_are_told(data, f"{PLACE}.xacro")


def _findings_are_told(document: bytes, place: str) -> None:
    """Each finding has words, a line of the file and causes that JSON can carry; certain proposals are valid."""
    for finding in check(document, EVERY_RULE, filename=place):
        assert finding.message
        assert finding.location.column > 0
        assert 0 < finding.location.line <= len(document.splitlines()) + 1 or finding.location.file != place
        if finding.why is not None:
            assert cause_words(finding.why)
            assert "\n" not in cause_words(finding.why)
            _require_finite(why_record(finding.why))
            for each in finding.why.explanations:
                assert 0.0 <= each.share <= 1.0
                if each.is_certain and each.proposal is not None:
                    assert each.proposal.inertia.is_physically_valid(rtol=1e-3), "what is certain is no body"


def _require_finite(value: Any) -> None:
    """JSON can carry all of a value."""
    if isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            _require_finite(each)
    elif isinstance(value, float):
        assert math.isfinite(value)
    elif isinstance(value, str):
        value.encode()


def provenance_holds(data: bytes) -> None:
    """A provenance comment that is read, written and read again is the same, or it is none."""
    before, after = (
        b"<sdf version='1.11'><model name='m'><link name='l'><inertial><!-- sdfinertia: ",
        b" --><mass>1</mass></inertial><collision name='c'><geometry><box><size>1 1 1</size></box></geometry>"
        b"</collision></link></model></sdf>",
    )
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
        head, tail = document.robot.document.data[:start], document.robot.document.data[stop:]
        again = open_document(head + text + tail, OPTIONS[0], filename=PLACE)
        (same,) = again.links()
        assert again.study(same).provenance[2:] == provenance[2:], "what is written is read otherwise"
    filling_holds(bytes([1]) + before + data + after)


def including_holds(data: bytes) -> None:
    """Files that include each other are filled, and nothing else in them touched, or refused; then there is no work."""
    # The first is the model; the last lies where nothing may be read.
    names = ("robot/robot.xml", "robot/a.xml", "robot/b.xml", "robot/parts/c.xml", "outside.xml")
    directory = scratch_directory("including")
    (directory / "robot" / "parts").mkdir(parents=True, exist_ok=True)
    before = dict(zip(names, [*data[1:].split(BETWEEN), *[b""] * len(names)][: len(names)], strict=True))
    before[names[-1]] = b'<mujocoinclude><body name="secret"><geom size="1"/></body></mujocoinclude>'
    for name, content in before.items():
        (directory / name).write_bytes(content)
    options = OPTIONS[data[0] % len(OPTIONS) if data else 0].replaced({"confine": str(directory / "robot")})
    path = str(directory / names[0])
    for finding in check(path, options):
        assert "secret" not in finding.link
        assert Path(finding.location.file).resolve().is_relative_to(directory.resolve() / "robot")
    try:
        result = fill(path, options)
    except SdfInertiaError as error:
        require_message(error)
        return
    result.write()
    assert all((directory / name).read_bytes() == text for name, text in before.items() if b"<mujoco" not in text)
    assert (directory / names[-1]).read_bytes() == before[names[-1]]
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
    assert compare(first, first, OPTIONS[0], filenames=(PLACE, PLACE)), "a document differs from itself"


def reading_holds(extension: str, data: bytes) -> None:
    """Bytes with an extension of meshes give a body of finite numbers, or an error; a closed mesh has a volume."""
    treatment = TREATMENTS[data[0] % len(TREATMENTS) if data else 0]
    place = str(scratch_directory("meshes") / f"fuzzed{extension}")
    try:
        is_closed = mesh_is_closed(data[1:], filename=place)
        result = mesh(data[1:], filename=place, **treatment)
    except SdfInertiaError as error:
        require_message(error)
        return
    assert result.faces > 0
    assert math.isfinite(result.volume)
    assert all(map(math.isfinite, (result.mass, *result.p_BoBcm_B, *result.I_BBcm_B)))
    assert result.volume > 0.0 or not is_closed
    assert all(result.notes)


def configuration_holds(data: bytes) -> None:
    """Bytes give options, in either of the two files that a configuration may stand in, or a `ConfigurationError`."""
    for name in ("sdfinertia.toml", "pyproject.toml"):
        path = scratch_directory(name) / name
        path.write_bytes(data)
        try:
            values = configured_in(str(path.parent))
        except ConfigurationError as error:
            require_message(error)
        else:
            assert merged_options({}, values)


def baseline_holds(data: bytes) -> None:
    """Bytes give a baseline that lists its stale entries, or a `ConfigurationError`."""
    path = scratch_directory("baseline") / "baseline.json"
    path.write_bytes(data)
    try:
        baseline = read_baseline(str(path))
    except ConfigurationError as error:
        require_message(error)
    else:
        assert {*baseline.stale_entries(lambda entry: False)} <= {*baseline.stale_entries(lambda entry: True)}


def directory_holds(data: bytes) -> None:
    """A directory whose `model.config`, and whose rules of what git ignores, are these bytes is walked, or refused."""
    directory = scratch_directory("model")
    (directory / "model.sdf").write_bytes(b"<sdf version='1.11'/>")
    for name in ("model.config", ".gitignore"):
        (directory / name).write_bytes(data)
    world = b"<sdf version='1.11'><world name='w'><include><uri>%b</uri></include></world></sdf>"
    for finding in check(world % bytes(directory), filename=str(directory / "world.sdf")):
        assert finding.message
    try:
        assert source_files(str(directory))
    except SdfInertiaError as error:
        require_message(error)


def answering_holds(data: bytes) -> None:
    """Each request to the server of `edit` has one answer that the page can read, and no internal error."""
    # The extra `edit` brings what they need.
    from sdfinertia.editing.application import application
    from sdfinertia.editing.session import Session

    path = scratch_directory("server") / "model"
    path.write_bytes(seeds.EDITED[data[0] % len(seeds.EDITED) if data else 0])
    serve = application(Session(str(path), Options()), "t", 1)

    async def ask_all() -> None:
        for request in data[1:].split(BETWEEN)[:8]:
            line, _, body = request.partition(b"\n")
            await _ask(serve, line.split(b" "), body)

    asyncio.run(ask_all())


async def _ask(serve: Any, words: list[bytes], body: bytes) -> None:
    usual = (b"POST", b"", b"application/json", b"127.0.0.1:1", b"http://127.0.0.1:1")
    verb, name, kind, host, origin = (
        word or other for word, other in zip((*words, *[b""] * 5), usual, strict=False)
    )  # Servers give methods and paths as text.
    method, path = verb.decode("ascii", "replace"), f"/t/{name.decode('utf-8', 'replace')}"
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "client": ("127.0.0.1", 2),
        "server": ("127.0.0.1", 1), "headers": [(b"host", host), (b"origin", origin), (b"content-type", kind)],
    }  # fmt: skip
    parts = [{"type": "http.request", "body": body, "more_body": False}]
    answered: list[Any] = []

    async def receive() -> Any:
        return parts.pop(0) if parts else {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        answered.append(message)

    await serve(scope, receive, send)
    (start,) = (message for message in answered if message["type"] == "http.response.start")
    assert start["status"] in {200, 400, 403, 404, 405, 409, 413, 415, 422}, f"{method} {path}: {start['status']}"
    assert start["status"] == 403 or (host, origin) == usual[3:], "another site is answered"
    if dict(start["headers"]).get(b"content-type") == b"application/json":
        json.loads(b"".join(message.get("body", b"") for message in answered[1:]), parse_constant=_refuse)


def _refuse(name: str) -> NoReturn:
    raise AssertionError(f"an answer holds {name}")


@cache
def scratch_directory(name: str) -> Path:
    """A directory for the files of one kind, of this process alone."""
    directory = Path(tempfile.mkdtemp(prefix=f"sdfinertia-fuzzing-{name}-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return directory


@dataclass(frozen=True)
class Contract:
    """What holds, and the files to begin from."""

    holds: Callable[[bytes], None]
    seeds: Callable[[], Iterable[bytes]]

    def words(self) -> list[bytes]:
        """The words of the format: those of its seeds, and what breaks texts."""
        found = {word for seed in self.seeds() for word in re.findall(rb"[A-Za-z_][\w.:-]{1,40}", seed)}
        return [*sorted(found), *b"<!-- --> <![CDATA[ ]]> <!DOCTYPE /> &#0; &#x110000; \\ud800 \xff NaN 1e400".split()]

    def try_input(self, data: bytes) -> None:
        """Tries one input, in bounded time."""
        started = time.process_time()
        self.holds(data)
        spent = time.process_time() - started
        assert spent < SECONDS_AN_INPUT, f"{len(data)} bytes took {spent:.1f} s"


def with_choice(number: int, files: Callable[[], Iterable[bytes]]) -> Callable[[], Iterable[bytes]]:
    """Files, each with the first choice and with another in turn."""
    return lambda: (bytes([way]) + file for index, file in enumerate(files()) for way in (0, 1 + index % (number - 1)))


CONTRACTS = {
    "fill": Contract(filling_holds, with_choice(len(OPTIONS), seeds.documents)),
    "mjcf": Contract(filling_holds, with_choice(len(OPTIONS), seeds.models)),
    "mjcf-include": Contract(including_holds, with_choice(len(OPTIONS), seeds.models_in_parts)),
    "compare": Contract(comparing_holds, seeds.pairs),
    "repair": Contract(repairing_holds, with_choice(len(BY), seeds.mistakes)),
    "xacro": Contract(xacro_holds, seeds.xacros),
    **({"server": Contract(answering_holds, seeds.requests)} if find_spec("starlette") else {}),
    "provenance": Contract(provenance_holds, lambda: seeds.COMMENTS),
    "configuration": Contract(configuration_holds, lambda: seeds.CONFIGURATIONS),
    "baseline": Contract(baseline_holds, lambda: seeds.BASELINES),
    "directory": Contract(directory_holds, seeds.directories),
    # Not STEP: Open CASCADE reads it, in a process of its own.
    **{
        extension[1:]: Contract(
            partial(reading_holds, extension), with_choice(len(TREATMENTS), partial(seeds.meshes, extension))
        )
        for extension in EXTENSIONS
        if extension not in (".step", ".stp")
    },
}
