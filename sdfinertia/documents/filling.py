"""Filling: a document and options in, edits and a report out. Knows no terminal, and writes nothing by itself."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sdfinertia.errors import SdfInertiaError, TextError
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.links.result import WITHHELD, LinkResult, failure
from sdfinertia.links.selection import Candidate, candidate, matches
from sdfinertia.options import Options
from sdfinertia.sdf.document import Document, Edit, splice
from sdfinertia.sdf.file_names import TEMPLATE_SUFFIXES
from sdfinertia.sdf.model import Link, SdfRoot

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sdfinertia.calculators import Calculator
    from sdfinertia.links.surroundings import Surroundings


@dataclass(frozen=True)
class FillResult:
    """What filling a file comes to.

    Attributes:
        path: the file, as named.
        original, content: its bytes before and after.
        links: the links that were filled, or that something is to be said of, in the order of the file.
        untouched: how many links were neither.
        passed_over: how many links matched no pattern of `options.link`.
        notes: what is to be said of the file as a whole.
        edits: what turns the one into the other.
    """

    path: str
    original: bytes = field(repr=False)
    content: bytes = field(repr=False)
    links: tuple[LinkResult, ...]
    untouched: int
    passed_over: int = 0
    notes: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = field(default=(), repr=False)

    @property
    def changed(self) -> bool:
        """Whether the file would be other bytes."""
        return self.content != self.original

    @property
    def errors(self) -> tuple[SdfInertiaError, ...]:
        """What went wrong, one a failed link."""
        return tuple(link.error for link in self.links if link.error is not None)

    def write(self, path: str | os.PathLike[str] | None = None) -> list[str]:
        """Writes the content, atomically, to the file it came from or to another.

        Returns:
            What is worth a note, such as that a hard link was broken.

        Raises:
            WriteError: the file cannot be written, or changed on disk since it was read.
        """
        from sdfinertia.files.atomic_file import is_same_file, replace_file, write_file

        if path is not None and not is_same_file(os.fspath(path), self.path):
            return write_file(os.fspath(path), self.content)
        if self.changed:
            return replace_file(self.path, self.content, expected=self.original)
        return []


def fill(
    source: str | os.PathLike[str] | bytes,
    options: Options = Options(),
    *,
    filename: str = "<bytes>",
    calculators: Mapping[str, Calculator] | None = None,
    surroundings: Surroundings | None = None,
) -> FillResult:
    """The file with the inertials of its selected links computed; nothing is written.

    Args:
        source: path of an SDF file, or its content.
        options: what to fill and how.
        filename: the place that content given as bytes has: its uris resolve from there.
        calculators: functions that compute meshes, by the names that files call them (see `sdfinertia.calculators`).
        surroundings: files and meshes shared with other calls, with their own calculators, or None.

    Returns:
        The result. If a link fails its error is in the result, and the content is as it was, unless
        `options.keep_going` keeps the other links' changes.

    Raises:
        SdfInertiaError: the file cannot be read as SDF.
    """
    root = read_root(source, filename)
    path, data = root.document.path, root.document.data
    results: list[LinkResult] = []
    edits: list[Edit] = []
    untouched = passed_over = 0
    for model in root.models():
        all_links = list(model.all_links())
        links = [link for link in all_links if matches(link, options)]
        passed_over += len(all_links) - len(links)
        candidates, failed = _candidates_among(links, options)
        results += failed
        untouched += len(links) - len(candidates) - len(failed)
        if candidates:
            # Loaded where a link is to be computed: a run with nothing to do must feel instant.
            from sdfinertia.links.filling import fill_links
            from sdfinertia.links.surroundings import Surroundings

            surroundings = surroundings or Surroundings(options, calculators)
            filled = fill_links(candidates, options, surroundings, is_complete=not failed)
            results += filled.results
            edits += filled.edits
            untouched += filled.untouched
    results.sort(key=lambda result: result.line)
    if any(result.error is not None for result in results) and not options.keep_going:
        edits = []
        results = [result._replace(status=WITHHELD) if result.text is not None else result for result in results]
    content = splice(data, edits)
    return FillResult(path, data, content, tuple(results), untouched, passed_over, tuple(root.notes), tuple(edits))


def read_root(source: str | os.PathLike[str] | bytes, filename: str) -> SdfRoot:
    """The SDF document at a path, or in bytes that have a place.

    Raises:
        SdfInertiaError: it cannot be read as SDF.
    """
    path = filename if isinstance(source, bytes) else os.fspath(source)
    _refuse_template(path)
    data = source if isinstance(source, bytes) else read_regular_file(path)
    return SdfRoot(Document(data, path))


def _candidates_among(links: list[Link], options: Options) -> tuple[list[Candidate], list[LinkResult]]:
    """The candidates among the links of a root model, and those that cannot be judged."""
    candidates: list[Candidate] = []
    failed: list[LinkResult] = []
    for link in links:
        try:
            found = candidate(link, options)
        except SdfInertiaError as error:
            failed.append(failure(link, error))
        else:
            candidates += [found] if found is not None else []
    return candidates, failed


def _refuse_template(path: str) -> None:
    for suffix in TEMPLATE_SUFFIXES:
        if path.lower().endswith(suffix):
            raise TextError(
                f"{suffix} files are templates, programs that print SDF",
                file=path,
                remedy="expand it first and pipe the result through `sdfinertia fill -`",
            )
