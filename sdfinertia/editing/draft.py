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
from functools import cached_property
from glob import escape
from typing import NamedTuple

from sdfinertia.documents import OpenDocument, Source, described, open_document, path_of, require_options
from sdfinertia.documents.checking import check_document
from sdfinertia.documents.diffs import unified_diff
from sdfinertia.documents.filling import ChangedFile, write_back
from sdfinertia.editing.changes import Change, Compute, files_after, starting_inertia, study_named, why_no_body
from sdfinertia.errors import InertiaError, SdfInertiaError
from sdfinertia.files import read_regular_file
from sdfinertia.inertia import SpatialInertia
from sdfinertia.links.context import Context
from sdfinertia.markup import Document, Edit
from sdfinertia.options import Options
from sdfinertia.rules.rule import Finding


class Step(NamedTuple):
    """A change that was made, and the content of each file after it."""

    change: Change
    files: tuple[bytes, ...]


@dataclass(frozen=True)
class Draft:
    """A document with changes.

    Attributes:
        opened: the content of each file when it was opened.
        past: the changes that hold, in the order in which they were made.
        future: those that were undone, the next one to be redone last.
        saved: the changes that were saved last.
        book: the files as they were opened, where there are several.
    """

    path: str
    options: Options
    opened: tuple[bytes, ...] = field(repr=False)
    past: tuple[Step, ...] = field(default=(), repr=False)
    future: tuple[Step, ...] = field(default=(), repr=False)
    saved: tuple[Step, ...] = field(default=(), repr=False)
    context: Context | None = field(default=None, repr=False, compare=False)
    book: Document | None = field(default=None, repr=False, compare=False)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files, the main one first."""
        return self.book.files if self.book is not None else (self.path,)

    @property
    def files(self) -> tuple[bytes, ...]:
        """The content of each file with every change that holds."""
        return self.past[-1].files if self.past else self.opened

    @property
    def files_on_disk(self) -> tuple[bytes, ...]:
        """The content of each file when it was opened, or saved last."""
        return self.saved[-1].files if self.saved else self.opened

    @property
    def content(self) -> bytes:
        """The bytes with every change that holds; of several files, one after the other."""
        return b"\n".join(self.files)

    @property
    def original(self) -> bytes:
        """The bytes when it was opened, or saved last; of several files, one after the other."""
        return b"\n".join(self.files_on_disk)

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to save."""
        return self.files != self.files_on_disk

    @property
    def unsaved(self) -> tuple[Step, ...]:
        """The changes that were made, or undone, since the file was opened or saved."""
        same = 0
        while same < min(len(self.past), len(self.saved)) and self.past[same] is self.saved[same]:
            same += 1
        return (*self.saved[same:], *self.past[same:])

    @cached_property
    def document(self) -> OpenDocument:
        """The content, opened."""
        return self.reopened(self.context)

    def reopened(self, context: Context | None) -> OpenDocument:
        """The content, opened once more, with included files and meshes of a context."""
        if self.book is None:
            return open_document(self.files[0], self.options, context, filename=self.path)
        whole = [[Edit(0, len(old), new)] for old, new in zip(self.opened, self.files, strict=True)]
        return OpenDocument(described(self.book.edited(self.book.gathered(whole))), self.options, context)

    def changed(self, change: Change, *, is_body: bool = True) -> Draft:
        """The draft after a further change; undone changes are dropped.

        Args:
            is_body: whether the result must be physically valid; else `unphysical` lists the link, and `save` refuses
                it unless its own `is_body` is False.
        """
        document = self.document
        document.require_own_text()
        if isinstance(change, Compute) and change.open_mesh:
            document = replace(self, options=self.options.replaced({"open_mesh": change.open_mesh})).document
        files = files_after(document, change, is_body=is_body)
        if files == self.files:
            return self
        after = replace(self, past=(*self.past, Step(change, files)), future=())
        if not isinstance(change, Compute):
            link = study_named(after.document, change.link).link
            if link.asks_to_be_filled() and link.has_tensor:
                problem = "asks for its inertial to be computed, which would undo the change"
                raise SdfInertiaError(problem, link=change.link, remedy="remove the comment that asks for it")
        return after

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

    def diff(self) -> bytes:
        """The unified diff of what `save` would write."""
        parts = zip(self.paths, self.files_on_disk, self.files, strict=True)
        return b"".join(unified_diff(*part) for part in parts)

    def inertia(self, link: str) -> SpatialInertia:
        """The inertia that a link has now, in its frame; an SdfInertiaError if it has none."""
        return starting_inertia(study_named(self.document, link))

    def unphysical(self) -> tuple[tuple[str, str], ...]:
        """The links edited by hand since the last `save` that are physically impossible, each with the reason."""
        by_hand = {step.change.link for step in self.unsaved if not isinstance(step.change, Compute)}
        found: list[tuple[str, str]] = []
        for link in self.document.links() if by_hand else ():
            study = self.document.study(link)
            if link.key.label in by_hand and not study.link.asks_to_be_filled() and study.explicit is not None:
                found.append((link.key.label, why_no_body(study.explicit)))
        return tuple(each for each in found if each[1])

    def findings(self, link: str = "") -> Sequence[Finding]:
        """The findings of `check` in the content, or in one link of it."""
        if not link:
            return check_document(self.document).findings
        key = study_named(self.document, link).link.key
        document = replace(self, options=replace(self.options, link=(escape(key.name),))).document
        return [finding for finding in check_document(document).findings if finding.key == key]

    def save(self, *, is_body: bool = True) -> tuple[Draft, list[str]]:
        """Writes the content, atomically.

        Args:
            is_body: whether links edited by hand must be physically valid; else a note names each that is not.

        Returns:
            The draft, in which all can still be undone, and notes, such as that a hard link was broken.

        Raises:
            WriteError: the file changed on disk since it was opened or saved, or cannot be written.
        """
        notes: list[str] = []
        for link, problem in self.unphysical():
            if is_body:
                raise InertiaError(problem, link=link, file=self.path, remedy="correct it, or save anyway")
            notes.append(f"saved anyway: {link}: {problem}")

        notes += write_back(map(ChangedFile, self.paths, self.files_on_disk, self.files), self.options.confine)
        return replace(self, saved=self.past), notes

    def reload(self) -> Draft:
        """The draft of the file as it is on disk; unsaved changes are dropped."""
        return open_draft(self.path, self.options)


def open_draft(
    source: Source, options: Options = Options(), *, filename: str = "<bytes>", context: Context | None = None
) -> Draft:
    """The draft of a file, without changes.

    Args:
        source: path of an SDF, URDF or MJCF file, or its content.
        options: how links are computed.
        filename: the place that content given as bytes has.
        context: files and meshes read so far, shared with other drafts of the same run.
    """
    require_options(options)
    path = path_of(source, filename)
    data = source if isinstance(source, bytes) else read_regular_file(path, confine=options.confine)
    draft = Draft(path, options, (data,), context=context or Context(options))
    # An unreadable file is an error at once.
    document = draft.document.robot.document
    if not document.files:
        return draft
    parts = tuple(part.data for part, _ in document.divided(()))
    return replace(draft, opened=parts, book=document)
