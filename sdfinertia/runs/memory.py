"""Results of earlier runs, valid while the file, and all that was read or searched for it, is unchanged."""

from __future__ import annotations

import os
import sys
from collections import Counter, deque
from collections.abc import Generator, Iterator, Mapping
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any

from sdfinertia import __version__
from sdfinertia.errors import Location
from sdfinertia.files.cache_file import CacheFile, require_cache
from sdfinertia.files.finder import search_environment
from sdfinertia.files.observations import Fact, Record, digest, recorded
from sdfinertia.files.present import Present
from sdfinertia.lazy import cached_property
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.robot.problems import Command
from sdfinertia.runs.outcomes import Jobs, outcomes_in_order
from sdfinertia.runs.work import CheckedFile, FileTask, FilledFile, Outcome, Worker, may_be_remembered

if TYPE_CHECKING:
    from sdfinertia.documents.checking import CheckResult
    from sdfinertia.options import Options
    from sdfinertia.rules.rule import Finding
    from sdfinertia.runs.work import Work

# Number of facts from which they get an entry of their own, since many files share them: as the index of a repository.
_OWN_ENTRY = 48
# Entries that are written at once.
_TOGETHER = 1000


class Seen(NamedTuple):
    """The dependencies of a result: facts, and the keys of parts, with parts that this process had not sent yet."""

    facts: tuple[Fact, ...]
    parts: tuple[str, ...]
    new_parts: Mapping[str, tuple[Fact, ...]]


class Recorded(NamedTuple):
    result: Any
    seen: Seen | None


class Recording(NamedTuple):
    """Does a work, and records the dependencies of its result."""

    work: Any
    parts: SentParts

    def __call__(self, task: FileTask) -> Recorded:
        with recorded() as record:
            result = self.work(task)
        is_kept = _is_kept(result, task.options) and not self.work.context.of(task.options).cache_notes()
        return Recorded(result, self.parts.seen(record) if is_kept else None)


class SentParts:
    """The parts of records that a process has sent; a copy in another process has sent none."""

    def __init__(self) -> None:
        # By the id of a record, which is held so that no other gets it.
        self._keys: dict[int, tuple[Record, int, str]] = {}

    def __reduce__(self) -> tuple[type[SentParts], tuple[()]]:
        return SentParts, ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SentParts)

    def __hash__(self) -> int:
        return hash(SentParts)

    def seen(self, record: Record) -> Seen | None:
        """None where a dependency is not a fact."""
        own: dict[tuple[str, str], Fact] = {}
        parts: list[str] = []
        new: dict[str, tuple[Fact, ...]] = {}
        for part in record.closure():
            if not part.is_complete:
                return None
            if len(part.facts) < _OWN_ENTRY:
                own.update(part.facts)
                continue
            # Facts are added to some, and never changed.
            kept = self._keys.get(id(part))
            if kept is None or kept[1] != len(part.facts):
                facts = tuple(part.facts.values())
                kept = self._keys[id(part)] = (
                    part,
                    len(facts),
                    digest(repr(sorted(fact[:3] for fact in facts)).encode()).hex(),
                )
                new[kept[2]] = facts
            parts.append(kept[2])
        return Seen(tuple(own.values()), tuple(parts), new)


class Memory:
    """The results of earlier runs, in the cache of the run."""

    def __init__(self, options: Options) -> None:
        place = require_cache(options.cache, options.confine) if options.cache is not None else None
        self._file = CacheFile(place)
        self._present = Present()
        self._parts: dict[str, bool] = {}
        self._new: dict[bytes, Any] = {}
        self._beginnings: dict[tuple[int, str], tuple[Options, bytes]] = {}
        self._writings = 0
        self._asked: set[str] = set()
        self._computed: set[str] = set()

    def lines(self, done: str) -> Iterator[str]:
        """The number of results from earlier runs."""
        if self._asked:
            known = len(self._asked - self._computed)
            yield f"{known:,} of {len(self._asked):,} files unchanged since they were last {done}"
        if self._file.problem:
            yield f"note: {self._file.problem}"

    def forget_present(self) -> None:
        """Drops known states of files, since the run has written one."""
        self._present = Present()
        self._parts.clear()
        self._writings += 1

    def outcomes(self, work: Work[object], pending: deque[FileTask], jobs: Jobs) -> Generator[Outcome, None, None]:
        """As `outcomes_in_order`, with results of earlier runs in place of work."""
        recording = Recording(work, SentParts())
        order: deque[tuple[FileTask, bytes, Any, int]] = deque()
        unknown: deque[FileTask] = deque()
        with closing(outcomes_in_order(recording, unknown, jobs)) as computed:
            while True:
                while pending:
                    task = pending.popleft()
                    key = self._key_of(task, work)
                    result = self._result_of(task, key, work)
                    order.append((task, key, result, self._writings))
                    if result is None:
                        unknown.append(task)
                # No process is to inherit a connection.
                self._file.close()
                if not order:
                    break
                task, key, result, writings = order.popleft()
                if result is None:
                    yield self._kept(next(computed), key)
                    continue
                if writings != self._writings:
                    result = self._result_of(task, key, work)
                if result is None:
                    yield self._kept(Worker(recording).outcome_of(task), key)
                    continue
                yield Outcome(task, result, 0.0)
        self._write()

    # Remembered -------------------------------------------------------------------------------------------------------

    def _result_of(self, task: FileTask, key: bytes, work: Any) -> Any:
        """The cached result of the work on a file, if all its dependencies are unchanged; else None."""
        self._asked.add(task.path)
        if not may_be_remembered(task):
            return None
        entry = self._file.get(key)
        try:
            if entry is None or not all(map(self._holds_part, entry["parts"])):
                return None
            facts = self._present_facts(entry["facts"])
            if facts is None:
                return None
            result = _result_from(entry["result"], work)
        except (KeyError, TypeError, ValueError, AttributeError):
            return None
        if facts != entry["facts"]:
            self._new[key] = {**entry, "facts": facts}
        return result

    def _holds_part(self, part: str) -> bool:
        if part not in self._parts:
            key = bytes.fromhex(part)
            entry = self._file.get(key)
            facts = self._present_facts(entry["facts"]) if entry is not None else None
            self._parts[part] = facts is not None
            if entry is not None and facts is not None and facts != entry["facts"]:
                self._new[key] = {"facts": facts}
        return self._parts[part]

    def _present_facts(self, records: list[Any]) -> list[Any] | None:
        """The facts with their present stamps; None if one does not hold."""
        found = []
        for record in records:
            still = self._present.still(record)
            if still is None:
                return None
            found.append(still)
        return found

    # Kept -------------------------------------------------------------------------------------------------------------

    def _kept(self, outcome: Outcome, key: bytes) -> Outcome:
        """The outcome, whose result is kept for later runs."""
        task, recorded, seconds = outcome
        self._computed.add(task.path)
        if not isinstance(recorded, Recorded):
            return outcome
        if recorded.seen is not None and may_be_remembered(task):
            facts, parts, new_parts = recorded.seen
            for part, of_part in new_parts.items():
                self._new[bytes.fromhex(part)] = {"facts": of_part}
            self._new[key] = {"facts": facts, "parts": parts, "result": _record_of_result(recorded.result)}
            if len(self._new) > _TOGETHER:
                self._write()
        return Outcome(task, recorded.result, seconds)

    def _write(self) -> None:
        self._file.put(self._new.items())
        self._file.close()
        self._new.clear()

    def _key_of(self, task: FileTask, work: Any) -> bytes:
        number = id(task.options), work.remembered_as
        if number not in self._beginnings:
            # The options are held, so that no others get their id.
            text = "\x1f".join(("result", *self._place, work.remembered_as, repr(task.options)))
            self._beginnings[number] = task.options, digest(text.encode("utf-8", "surrogateescape"))
        return digest(self._beginnings[number][1] + os.fsencode(f"{task.variant}\x1f{task.path}"))

    @cached_property
    def _place(self) -> tuple[str, ...]:
        environment = sorted(search_environment().items())
        return program_state(), os.getcwd(), str(environment)


def program_state() -> str:
    """The versions of the program, of Python and of all installed packages; in a checkout, the state of its files."""
    package = os.path.dirname(os.path.dirname(__file__))
    installed = {entry: _distributions_in(entry) for entry in sys.path}
    own = [__version__, sys.version]
    if not any(name.startswith("sdfinertia-") for name in _distributions_in(os.path.dirname(package))):
        for directory, folders, names in os.walk(package):
            folders[:] = sorted(folder for folder in folders if folder != "__pycache__")
            states = ((name, os.stat(os.path.join(directory, name))) for name in sorted(names))
            own += (f"{directory}/{name} {state.st_size} {state.st_mtime_ns}" for name, state in states)
    return "\n".join([*own, *(name for names in installed.values() for name in names)])


def _distributions_in(directory: str) -> list[str]:
    # Their names hold their versions.
    with suppress(OSError):
        return sorted(name for name in os.listdir(directory) if name.endswith((".dist-info", ".egg-info")))
    return []


# Results in the cache -------------------------------------------------------------------------------------------------


def _is_kept(result: CheckedFile | FilledFile, options: Options) -> bool:
    if isinstance(result, CheckedFile):
        # Explanations are not cached: they depend on the whole repository.
        return not (options.why and result.result.findings)
    filled = result.result
    is_same = not (filled.changed or filled.others or result.errors or result.diff or result.written)
    return is_same and all(isinstance(path, str) for path in result.included)


def _record_of_result(result: CheckedFile | FilledFile) -> dict[str, Any]:
    if isinstance(result, FilledFile):
        return {
            "path": result.result.path,
            "unmatched": result.result.unmatched,
            "included": result.included,
            "counts": dict(result.counts or {}),
            "lines": result.lines,
        }
    checked = result.result
    # Empty fields have empty defaults.
    record = {name: value for name, value in zip(checked._fields, checked, strict=True) if value}
    if checked.findings:
        record["findings"] = [_record_of_finding(each) for each in checked.findings]
    if checked.unjudged:
        record["unjudged"] = [each._asdict() for each in checked.unjudged]
    return record


def _record_of_finding(finding: Finding) -> dict[str, Any]:
    record = finding._asdict()
    del record["why"]
    if isinstance(finding.advice, Command):
        record["advice"] = finding.advice._asdict()
    if finding.effect is not None:
        record["effect"] = finding.effect._asdict()
    return record


def _result_from(record: Mapping[str, Any], work: Any) -> CheckedFile | FilledFile:
    if work.remembered_as.startswith("check"):
        return CheckedFile(_check_result_from(record))
    # Loaded where files are filled.
    from sdfinertia.documents.filling import FillResult

    result = FillResult(record["path"], b"", b"", (), 0, unmatched=tuple(record["unmatched"]))
    counts, lines = Counter[str](record["counts"]), tuple(record["lines"])
    return FilledFile(result, tuple(record["included"]), counts=counts, lines=lines)


def _check_result_from(record: Mapping[str, Any]) -> CheckResult:
    # Loaded where files are checked.
    from sdfinertia.documents.checking import CheckResult
    from sdfinertia.links.unjudged import Unjudged
    from sdfinertia.rules.rule import Effect, Finding

    findings = []
    for each in record.get("findings", ()):
        advice = each["advice"]
        if isinstance(advice, dict):
            advice = Command(tuple(advice["words"]), tuple(advice["links"]), advice["file"], advice["does"])
        read = {
            "advice": advice,
            "location": Location(*each["location"]),
            "effect": Effect(**each["effect"]) if each["effect"] is not None else None,
            "also": tuple(each["also"]),
            "numbers": tuple(each["numbers"]) if each["numbers"] is not None else None,
            "copies": tuple(Location(*place) for place in each["copies"]),
        }
        findings.append(Finding(**{**each, **read}))
    unjudged = (Unjudged(**{**each, "location": Location(*each["location"])}) for each in record.get("unjudged", ()))
    others: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in record.items()
    }
    calls = (tuple(Location(*place) for place in pair) for pair in record.get("calls", ()))
    others.update(findings=tuple(findings), unjudged=tuple(unjudged), calls=tuple(calls))
    return CheckResult(**others)
