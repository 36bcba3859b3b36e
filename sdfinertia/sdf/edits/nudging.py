"""Edits that move the last digit of a tensor, where rounding alone makes libsdformat refuse it."""

from __future__ import annotations

from sdfinertia.description.edits import Edit
from sdfinertia.description.facts import TENSOR_NAMES
from sdfinertia.description.nudging import nudged_moments
from sdfinertia.markup.document import Element
from sdfinertia.sdf.edits.inertial_edit import text_edits
from sdfinertia.sdf.inertial import read_inertial


def nudge_edits(inertial: Element) -> list[Edit]:
    """The edits that make libsdformat take the tensor; see `description.nudging`. There are none if none help."""
    tensor = inertial.child("inertia")
    entries = {name: entry for name in TENSOR_NAMES if tensor is not None and (entry := tensor.child(name))}
    texts = {name: entry.text() for name, entry in entries.items()}
    moments = nudged_moments(read_inertial(inertial).mass, texts)
    return [edit for name, text in moments.items() for edit in text_edits(entries[name], text)]
