"""A document that is being changed by hand: an immutable value with all changes, each of which can be undone.

    >>> draft = sdfinertia.open_draft("model.sdf")
    >>> draft = draft.changed(SetMass("robot::arm", 2.5))
    >>> draft = draft.undone().redone()
    >>> draft.save()

Nothing is written before `save`. A draft never changes: each method returns another one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from glob import escape
from typing import TYPE_CHECKING

from sdfinertia.documents.checking import check_document
from sdfinertia.documents.filling import ChangedFile, write_each
from sdfinertia.documents.opened import OpenDocument, Source, described, open_document, path_of, require_options
from sdfinertia.editing.applying import edits_of, starting_inertia, study_named
from sdfinertia.editing.changes import Change, Compute, why_no_body
from sdfinertia.editing.edit_algebra import carried_over, composed, inverted
from sdfinertia.errors import InertiaError, SdfInertiaError, WriteError
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.lazy import cached_property
from sdfinertia.links.context import Context
from sdfinertia.markup.document import Document, Edit, splice
from sdfinertia.mesh.method import OPEN_MESH_POLICIES
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import Options

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia
    from sdfinertia.rules.rule import Finding


class Step(NamedTuple):
    """A change that was made, and the edits of the file as opened or saved up to it; None for changes carried over from
    another version.
    """

    change: Change | None
    edits: tuple[Edit, ...]
    links: frozenset[str] = frozenset()


class Unphysical(NamedTuple):
    link: str
    problem: str


class PolicyOutcome(NamedTuple):
    open_mesh: str
    inertia: SpatialInertia | None
    problem: str = ""


@dataclass(frozen=True)
class Draft:
    """A document with changes.

    Attributes:
        path: the file.
        original: its bytes when it was opened, or saved last.
        options: how links are computed and written.
        past: the changes that hold, in the order in which they were made.
        future: those that were undone, the next one to be redone last.
        start: edits of the original that give the content before the first change; none before anything was saved.
        saved: the changes that the original holds.
        context: files and meshes read so far, or None.
        book: the files as they were opened, or saved last, where there are several; `original` and `content` are then
            their bytes one after the other.
    """

    path: str
    original: bytes = field(repr=False)
    options: Options
    past: tuple[Step, ...] = ()
    future: tuple[Step, ...] = ()
    start: tuple[Edit, ...] = ()
    saved: tuple[Step, ...] = ()
    context: Context | None = field(default=None, repr=False, compare=False)
    book: Document | None = field(default=None, repr=False, compare=False)

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits that turn the file as it was opened, or saved last, into the content."""
        return self.past[-1].edits if self.past else self.start

    @cached_property
    def content(self) -> bytes:
        """The bytes with every change that holds."""
        return splice(self.original, self.edits)

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to save."""
        return self.content != self.original

    @property
    def files(self) -> list[tuple[str, bytes]]:
        """The files by path, as they were opened, or saved last."""
        parts = self.book.divided(()) if self.book is not None else ()
        return [(part.path, part.data) for part, _ in parts] or [(self.path, self.original)]

    @property
    def unsaved(self) -> tuple[Step, ...]:
        """The changes that were made, or undone, since the file was opened or saved."""
        same = next((k for k, (a, b) in enumerate(zip(self.past, self.saved, strict=False)) if a is not b), None)
        same = same if same is not None else min(len(self.past), len(self.saved))
        return (*self.saved[same:], *self.past[same:])

    @cached_property
    def document(self) -> OpenDocument:
        """The content, opened.

        Raises:
            SdfInertiaError: it cannot be read.
        """
        return self._opened()

    def _opened(self, edits: Sequence[Edit] = (), options: Options | None = None) -> OpenDocument:
        """The content after further edits, by other options."""
        options = options or self.options
        all_edits = composed(self.original, self.edits, edits) if edits else self.edits
        if self.book is not None:
            return OpenDocument(described(self.book.edited(all_edits)), options, self.context)
        return open_document(splice(self.original, all_edits), options, self.context, filename=self.path)

    # Changes --------------------------------------------------------------------------------------------------------

    def changed(self, change: Change, *, is_body: bool = True) -> Draft:
        """The draft after a further change; undone changes are dropped.

        Args:
            is_body: whether the result must be physically valid; else `unphysical` lists the link, and `save` refuses
                it unless its own `is_body` is False.

        Raises:
            SdfInertiaError: the change cannot be made, or its result is physically impossible.
        """
        document = self.document
        document.require_own_text()
        if isinstance(change, Compute) and change.open_mesh:
            document = self._opened(options=self.options.replaced({"open_mesh": change.open_mesh}))
        edits = composed(self.original, self.edits, edits_of(document, change, self._opened, is_body=is_body))
        if edits == self.edits:
            return self
        by_hand = frozenset() if isinstance(change, Compute) else frozenset((change.link,))
        after = replace(self, past=(*self.past, Step(change, edits, by_hand)), future=())
        after._require_counts(change)
        return after

    def _require_counts(self, change: Change) -> None:
        """Refuses numbers that no reader would use, since the link requests to be computed."""
        link = change.link
        if not link or isinstance(change, Compute):
            return
        study = study_named(self.document, link)
        if study.link.asks_to_be_filled() and study.link.has_tensor:
            raise SdfInertiaError(
                "asks for its inertial to be computed, which would undo the change",
                link=link,
                remedy="remove the comment that asks for it",
            )

    def undone(self) -> Draft:
        """The draft without its last change; itself where there is none."""
        if not self.past:
            return self
        return replace(self, past=self.past[:-1], future=(*self.future, self.past[-1]))

    def redone(self) -> Draft:
        """The draft with the change that was undone last; itself where there is none."""
        if not self.future:
            return self
        return replace(self, past=(*self.past, self.future[-1]), future=self.future[:-1])

    # Views ----------------------------------------------------------------------------------------------------------

    def diff(self) -> bytes:
        """The unified diff of what `save` would write."""
        from sdfinertia.report.results import unified_diff

        if self.book is None:
            return unified_diff(self.path, self.original, self.edits)
        return b"".join(unified_diff(part.path, part.data, own) for part, own in self.book.divided(self.edits))

    def inertia(self, link: str) -> SpatialInertia:
        """The inertia that a link has now, in its frame.

        Raises:
            SdfInertiaError: it has none, or cannot be computed.
        """
        return starting_inertia(study_named(self.document, link))

    def unphysical(self) -> tuple[Unphysical, ...]:
        """The links edited by hand since the last `save` that are physically impossible, in the order of the file."""
        by_hand = frozenset[str]().union(*(step.links for step in self.unsaved))
        if not by_hand:
            return ()
        found: list[Unphysical] = []
        for link in self.document.links():
            if link.key.label in by_hand:
                study = self.document.study(link)
                body = study.explicit if not study.is_auto else None
                problem = why_no_body(body) if body is not None else ""
                if problem:
                    found.append(Unphysical(link.key.label, problem))
        return tuple(found)

    def findings(self, link: str = "") -> Sequence[Finding]:
        """The findings of `check` in the content, or in one link of it.

        Raises:
            ConfigurationError: there is no such link.
        """
        if not link:
            return check_document(self.document).findings
        key = study_named(self.document, link).link.key
        document = self._opened(options=replace(self.options, link=(escape(key.name),)))
        return [finding for finding in check_document(document).findings if finding.key == key]

    def policy_outcomes(self, link: str) -> list[PolicyOutcome]:
        """The result of each policy for open meshes for a link.

        Raises:
            ConfigurationError: there is no such link.
        """
        study_named(self.document, link)
        found: list[PolicyOutcome] = []
        for policy in OPEN_MESH_POLICIES:
            document = self._opened(options=replace(self.options, open_mesh=policy, all=True))
            try:
                computation = study_named(document, link).computed
            except SdfInertiaError as error:
                found.append(PolicyOutcome(policy, None, error.problem))
            else:
                found.append(PolicyOutcome(policy, computation.inertia))
        return found

    # The file -------------------------------------------------------------------------------------------------------

    def save(self, *, is_body: bool = True) -> tuple[Draft, list[str]]:
        """Writes the content, atomically, if the file is still as it was opened.

        Args:
            is_body: whether links that were edited by hand must be physically valid; else a note names each that is
                not.

        Returns:
            The draft of the file as it is now, in which all can still be undone, and notes, such as that a hard link
            was broken.

        Raises:
            InertiaError: a link is physically impossible.
            WriteError: the file changed on disk since it was read, or cannot be written; it is then as it was.
        """
        notes: list[str] = []
        for link, problem in self.unphysical():
            if is_body:
                raise InertiaError(problem, link=link, file=self.path, remedy="correct it, or save anyway")
            notes.append(f"saved anyway: {link}: {problem}")
        if self.is_changed:
            notes += self._write()
        back = inverted(self.original, self.edits)
        start, *edits = (
            composed(self.content, back, each)
            for each in (self.start, *(step.edits for step in (*self.past, *self.future)))
        )
        steps = tuple(step._replace(edits=each) for step, each in zip((*self.past, *self.future), edits, strict=True))
        past, future = steps[: len(self.past)], steps[len(self.past) :]
        book = self.book.edited(self.edits) if self.book is not None else None
        saved = replace(self, original=self.content, past=past, future=future, start=start, saved=past, book=book)
        return saved, notes

    def _write(self) -> list[str]:
        from sdfinertia.files.atomic_file import replace_file

        confine = self.options.confine
        if self.book is None:
            return replace_file(self.path, self.content, expected=self.original, confine=confine)
        parts = [
            ChangedFile(part.path, part.data, splice(part.data, own)) for part, own in self.book.divided(self.edits)
        ]
        notes: list[str] = []

        def write(file: ChangedFile) -> None:
            if file.changed:
                notes.extend(replace_file(file.path, file.content, expected=file.original, confine=confine))

        write_each(parts, write)
        return notes

    def on_top_of(self, content: bytes) -> Draft:
        """The changes that hold, on another version of the file, as one that can be undone.

        Raises:
            WriteError: a line that they change is another there.
        """
        edits = carried_over(self.original, content, self.edits)
        if edits is None:
            raise WriteError("the file changed on disk in lines that were edited here", file=self.path)
        by_hand = frozenset[str]().union(*(step.links for step in self.unsaved))
        past = (Step(None, edits, by_hand),) if edits else ()
        return replace(self, original=content, past=past, future=(), start=(), saved=())


def open_draft(
    source: Source, options: Options = Options(), *, filename: str = "<bytes>", context: Context | None = None
) -> Draft:
    """The draft of a file, without changes.

    Args:
        source: path of an SDF, URDF or MJCF file, or its content.
        options: how links are computed.
        filename: the place that content given as bytes has.
        context: files and meshes read so far, shared with other drafts of the same run.

    Raises:
        SdfInertiaError: it cannot be read.
    """
    return draft_of(source, options, filename, context)


def draft_of(source: Source, options: Options, filename: str, context: Context | None = None) -> Draft:
    require_options(options)
    path = path_of(source, filename)
    data = source if isinstance(source, bytes) else read_regular_file(path, confine=options.confine)
    draft = Draft(path, data, options, context=context or Context(options))
    # An unreadable file is an error at once.
    document = draft.document.robot.document
    return replace(draft, original=document.data, book=document) if document.files else draft
