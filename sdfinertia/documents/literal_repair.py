"""What `repair` says of a xacro file: what it would write, and where the numbers stand. No program is rewritten."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from sdfinertia.documents.opened import Source
from sdfinertia.documents.repairing import By, Repair, RepairResult, repair_document
from sdfinertia.documents.xacro import LiteralXacro, open_literal_xacro
from sdfinertia.files.regular_file import read_regular_file
from sdfinertia.links.result import Status

if TYPE_CHECKING:
    from sdfinertia.links.surroundings import Surroundings
    from sdfinertia.options import Options


def look_at_xacro(
    source: Source, options: Options, by: By, surroundings: Surroundings, *, filename: str
) -> RepairResult:
    """The result for a xacro file, whose bytes stay as they are.

    Raises:
        SdfInertiaError: it cannot be read, or is no `<robot>`.
    """
    path = filename if isinstance(source, bytes) else os.fspath(source)
    data = source if isinstance(source, bytes) else read_regular_file(path, confine=options.confine)
    xacro = open_literal_xacro(data, options, surroundings, filename=path)
    found = repair_document(xacro.document, options, by)
    repairs = tuple(_left(repair, xacro) for repair in found.repairs)
    return replace(
        found,
        path=path,
        original=data,
        content=data,
        links=tuple(repair.result for repair in repairs),
        notes=tuple(xacro.notes()),
        edits=(),
        repairs=repairs,
    )


def _left(repair: Repair, xacro: LiteralXacro) -> Repair:
    """The repair with nothing done, and where somebody would do it."""
    result = repair.result
    if result.status is not Status.REPAIRED:
        return repair
    notes = (*result.notes, f"is left, since xacro is not rewritten: {xacro.remedy(repair.findings[0].key)}")
    return repair._replace(result=result._replace(status=Status.LEFT, text=None, notes=notes))
