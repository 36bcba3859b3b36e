"""Twins for people and for programs: a row for each of two links, and what differs between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sdfinertia.documents.explaining import TwinPair
from sdfinertia.errors import printable, unicode_text
from sdfinertia.inertia.spatial_inertia import SpatialInertia
from sdfinertia.report.results.text_report import numbers

if TYPE_CHECKING:
    from rich.table import Table

_COLUMNS = ("mass", "centre, m", "xx yy zz, kg·m²", "xy xz yz, kg·m²")
_DIGITS = 5


def twins_table(pairs: Sequence[TwinPair]) -> Table:
    """Each pair on two rows, the second as it would read in the frame of the first, and one that says what differs."""
    # Only a person's view needs them.
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, header_style="")
    table.add_column("link")
    for column in _COLUMNS:
        table.add_column(column, justify="right")
    for pair in pairs:
        for name, inertia in zip(pair.names, (pair.one, pair.other), strict=True):
            table.add_row(Text(unicode_text(printable(name))), *_cells(inertia))
        verdict = "; ".join(pair.differences) or "no difference"
        table.add_row(Text(f"  {verdict}", style="dim" if not pair.differences else "bold"), *[""] * len(_COLUMNS))
    return table


def twins_json(pairs: Sequence[TwinPair]) -> list[dict[str, Any]]:
    """The same facts as JSON takes them."""
    return [
        {
            "names": list(pair.names),
            "one": _inertia_json(pair.one),
            "other_in_frame_of_one": _inertia_json(pair.other),
            "differences": list(pair.differences),
            "same_geometry": pair.is_fitting,
        }
        for pair in pairs
    ]


def _cells(inertia: SpatialInertia) -> tuple[str, ...]:
    tensor = inertia.I_BBcm_B
    return (f"{inertia.mass:.6g}", *(_short(values) for values in (inertia.p_BoBcm_B, tensor[:3], tensor[3:])))


def _short(values: Sequence[float]) -> str:
    return numbers(tuple(float(f"{value:.{_DIGITS}g}") for value in values))


def _inertia_json(inertia: SpatialInertia) -> dict[str, Any]:
    return {"mass": inertia.mass, "com": list(inertia.p_BoBcm_B), **inertia.I_BBcm_B._asdict()}
