"""Filling: a document and options in, edits and a report out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from sdfinertia.documents import OpenDocument, Source, matches, open_document
from sdfinertia.documents.link_results import LinkResult, fill_links
from sdfinertia.errors import ConfigurationError, SdfInertiaError, printable, screen
from sdfinertia.files import path_text
from sdfinertia.files.atomic_file import is_same_file, replace_file, write_file
from sdfinertia.links.context import Context, require_calculators
from sdfinertia.links.inputs import Status
from sdfinertia.links.warnings import Lack, lack
from sdfinertia.markup import Edit, splice
from sdfinertia.options import Options
from sdfinertia.robot import COLLISION, Link, LinkKey, attempt, known

if TYPE_CHECKING:
    from sdfinertia.calculators import Calculator, MeshInMemory

_Filled = TypeVar("_Filled", bound="FillResult")


@dataclass(frozen=True, eq=False, repr=False)
class ChangedFile:
    """A file as it is, and as it would be.

    Attributes:
        path: the file, as named.
        original, content: its bytes before and after.
        edits: that turn one into the other.
    """

    path: str
    original: bytes
    content: bytes
    edits: tuple[Edit, ...] = ()

    @property
    def changed(self) -> bool:
        """True where the bytes would differ."""
        return self.content != self.original

    @property
    def files(self) -> Sequence[ChangedFile]:
        """The file itself first."""
        return (self,)

    def __repr__(self) -> str:
        return printable(f"{type(self).__name__} of {self.path}: {'changed' if self.changed else 'unchanged'}")

    def write(self, path: str | os.PathLike[str] | None = None) -> list[str]:
        """Writes the content, atomically, to the file it came from or to another, and other files that change with it.

        Returns:
            Notes, such as that a hard link was broken.

        Raises:
            ConfigurationError: several files change, and one is named.
            WriteError: a file cannot be written, or changed on disk since it was read.
        """
        if path is not None and (others := [file for file in self.files[1:] if file.changed]):
            raise ConfigurationError(f"{len(others) + 1} files would change, and one is named: {path_text(path)}")
        if path is not None and not is_same_file(path_text(path), self.path):
            return write_file(path_text(path), self.content)
        return write_back(self.files)


@dataclass(frozen=True, eq=False, repr=False)
class FillResult(ChangedFile):
    """The result of filling a file.

    Attributes:
        path, original, content, edits: as of any changed file.
        links: the links that were filled, or have notes or errors, in the order of the file.
        untouched: how many links were neither.
        passed_over: how many links matched no pattern of `options.link`.
        notes: on the file as a whole.
        unmatched: scoped names of all its links, where `options.link` matches none of them.
        others: other files that change, which a xacro file includes.
        unwritten: number of blocks in xacro that could not be written.
    """

    links: tuple[LinkResult, ...] = ()
    untouched: int = 0
    passed_over: int = 0
    notes: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()
    others: tuple[ChangedFile, ...] = ()
    unwritten: int = 0
    is_repaired: ClassVar[bool] = False

    @property
    def files(self) -> Sequence[ChangedFile]:
        return (self, *self.others)

    def __repr__(self) -> str:
        return screen(super().__repr__(), map(str, self.links))

    @property
    def errors(self) -> tuple[SdfInertiaError, ...]:
        """One for each failed link."""
        return tuple(link.error for link in self.links if link.error is not None)


def write_back(files: Iterable[ChangedFile], confine: str | None = None) -> list[str]:
    """Writes what changed, one file after the other; returns notes. An error names the files that were written."""
    notes: list[str] = []
    written: list[str] = []
    for file in files:
        try:
            if file.changed:
                notes += replace_file(file.path, file.content, expected=file.original, confine=confine)
                written.append(file.path)
        except SdfInertiaError as error:
            if not written:
                raise
            done = f"already written: {', '.join(written)}"
            remedy = f"{error.remedy}; then run again" if error.remedy else "run again"
            raise type(error)(f"{error.problem}; {done}", file=error.file or file.path, remedy=remedy) from None
    return notes


def fill(
    source: Source,
    options: Options = Options(),
    *,
    filename: str = "<bytes>",
    calculators: Mapping[str, Calculator | MeshInMemory] | None = None,
) -> FillResult:
    """The file with the inertials of its selected links computed; nothing is written.

        >>> result = sdfinertia.fill("fixtures/rover/model.sdf", sdfinertia.Options(density=2700))
        >>> result.links[0].name, result.changed
        ('rover::chassis', True)
        >>> result.write("filled.sdf")
        []

    Args:
        source: path of an SDF, URDF or MJCF file, or its content as bytes.
        options: what to fill and how.
        filename: the place that content given as bytes has: its uris resolve from there.
        calculators: functions that compute meshes, or surfaces to integrate in their place, by the names in files (see
            `sdfinertia.calculators`).

    Returns:
        The result. If a link fails its error is in the result, and the content is unchanged, unless
        `options.keep_going` keeps the other links' changes.

    Raises:
        ConfigurationError: an argument is wrong, or `options.link` matches no link.
        SdfInertiaError: the file cannot be read as SDF or URDF.
    """
    require_calculators(calculators)
    document = open_document(source, options, Context(options, calculators), filename=filename)
    document.require_match(options)
    return fill_document(document, options)


def fill_document(
    document: OpenDocument,
    options: Options,
    only: Collection[LinkKey] | None = None,
    other_edits: Iterable[Edit] = (),
    other_results: Iterable[LinkResult] = (),
) -> FillResult:
    """`fill` of a document; `only` are links to fill, whatever the patterns, and others come of fixes beside it."""
    document.require_names()
    results, edits = [*other_results], [*other_edits]
    untouched = passed_over = 0
    for _, all_links in document.models:
        links = [link for link in all_links if (matches(link, options) if only is None else link.key in only)]
        passed_over += len(all_links) - len(links)
        found, own_edits = fill_links(map(document.study, links), options, document.require_writable)
        results += found
        edits += own_edits
        untouched += len(links) - len(found)
    results.sort(key=lambda result: result.line)
    notes = (*document.notes(), *_unknown_elements(document, results), *_left_without(document, options))
    return result_of(
        FillResult,
        document,
        options,
        results,
        edits,
        untouched=untouched,
        passed_over=passed_over,
        notes=notes,
        unmatched=document.unmatched(options) if only is None else (),
    )


def idle_links(document: OpenDocument) -> Iterator[str]:
    """What would fill each link of a document without requests: `missing`, `all`, or `managed`, which ends the list."""
    for link in document.links():
        if link.has_inertial:
            if document.study(link).provenance is not None:
                yield "managed"
                return
            yield "all"
        elif known(attempt(_lacks_inertial, document, link)):
            yield "missing"


def _lacks_inertial(document: OpenDocument, link: Link) -> bool:
    """As `links.warnings.lack`, but for markers: reading meshes would take long."""
    moves = link.has_solids(COLLISION) and not link.is_static
    return moves and link.model.needs_inertial(link, document.context) and not link.model.lump(link).has_mass


def result_of(
    kind: type[_Filled],
    document: OpenDocument,
    options: Options,
    links: Sequence[LinkResult],
    edits: Sequence[Edit],
    **others: Any,
) -> _Filled:
    """Nothing is changed where a link failed, unless requested."""
    if not options.keep_going and any(link.error is not None for link in links):
        links = [each._replace(status=Status.WITHHELD) if each.text is not None else each for each in links]
        edits = ()
    if document.expansion is not None:
        from sdfinertia.documents.xacro_sources import written_in_source

        links, sources, others["unwritten"] = written_in_source(document, document.expansion, links, edits, options)
        files = [ChangedFile(*source) for source in sources]
    else:
        parts = document.robot.document.divided(edits)
        files = [ChangedFile(part.path, part.data, splice(part.data, own), tuple(own)) for part, own in parts]
    main, *rest = files
    path = document.robot.path
    return kind(path, main.original, main.content, main.edits, tuple(links), others=tuple(rest), **others)


def _left_without(document: OpenDocument, options: Options) -> Iterator[str]:
    """An unreadable link is reported as failed."""
    links = document.selected(options) if options.missing else []
    counts = Counter(known(attempt(lack, document.study(link))) for link in links if known(link.static) is False)
    kinds = [kind for kind in Lack if counts[kind] and kind is not Lack.INERTIAL]
    if kinds:
        shown = ", ".join(f"{counts[each]} {each.value[counts[each] > 1]}" for each in kinds)
        yield f"left without <inertial>: {shown}"


def _unknown_elements(document: OpenDocument, results: Sequence[LinkResult]) -> Iterator[str]:
    refused = [result.error.location for result in results if result.error is not None]
    defects = (defect for link in document.links() for defect in link.model.format.unknown_elements(link))
    unknown = [defect for defect in defects if defect.location not in refused]
    if unknown:
        first = unknown[0]
        place = f" (line {first.location.line})" if first.location is not None else ""
        more = f"; {len(unknown) - 1} more like this: `sdfinertia check` lists them" if len(unknown) > 1 else ""
        yield f"{first.message}{place}; {first.remedy}{more}"
