"""Files too long to be held in memory: written piece by piece beside their place, and put there whole at the end."""

from __future__ import annotations

import contextlib
import os
from types import TracebackType
from typing import BinaryIO

from sdfinertia.errors import WriteError
from sdfinertia.files.atomic_file import refuse_unwritable
from sdfinertia.files.attributes import keep_attributes, set_mode_of_new_file
from sdfinertia.files.leftovers import created_temporary, remove_leftovers
from sdfinertia.files.open_directory import OpenDirectory, identity_of
from sdfinertia.files.regular_file import reason_of


class GrowingFile:
    """A file that takes the place of another, or of none, once it is complete; until then that is as it was.

    Args:
        path: where it belongs; a symbolic link keeps pointing to the file.

    Raises:
        WriteError: it cannot be written.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        refuse_unwritable(path)
        target = os.path.realpath(path)
        self._name = os.path.basename(target)
        try:
            self._directory = OpenDirectory(os.path.dirname(target)).__enter__()
        except OSError as error:
            raise WriteError(f"cannot be written: {reason_of(error)}", file=path) from None
        try:
            self._before = self._directory.state(self._name)
            remove_leftovers(os.path.dirname(target))
            descriptor, self._temporary = created_temporary(self._directory)
            self.stream: BinaryIO = os.fdopen(descriptor, "wb")
        except OSError as error:
            self._directory.__exit__(None, None, None)
            raise WriteError(f"cannot be written: {reason_of(error)}", file=path) from None

    def put_in_place(self) -> list[str]:
        """Gives the complete file its name.

        Returns:
            What is worth a note, such as that an owner could not be kept.

        Raises:
            WriteError: that cannot be, or the old file is another than at the beginning; it is as it was.
        """
        try:
            self.stream.flush()
            notes = self._dressed()
            os.fsync(self.stream.fileno())
            # Before the renaming, for Windows.
            self.stream.close()
            now = self._directory.state(self._name)
            if (now and identity_of(now)) != (self._before and identity_of(self._before)):
                raise WriteError(
                    "changed on disk since it was read, and is left alone", file=self._path, remedy="run again"
                )
            self._directory.replace(self._temporary, self._name)
        except OSError as error:
            raise WriteError(f"cannot be written: {reason_of(error)}", file=self._path) from None
        return notes

    def _dressed(self) -> list[str]:
        try:
            old = self._directory.open(self._name)
        except FileNotFoundError:
            set_mode_of_new_file(self.stream.fileno())
            return []
        try:
            return keep_attributes(old, self.stream.fileno(), self._path)
        finally:
            os.close(old)

    def __enter__(self) -> GrowingFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Removes what was not put in its place."""
        if not self.stream.closed:
            with contextlib.suppress(OSError):
                self.stream.close()
        with contextlib.suppress(OSError):
            self._directory.remove(self._temporary)
        self._directory.__exit__(kind, error, trace)
