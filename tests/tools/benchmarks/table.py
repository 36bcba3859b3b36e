"""Measurements as tables and as JSON."""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.bars import MIB, Bar, Verdict, judged
from benchmarks.measurement import Round
from benchmarks.rows import Row


@dataclass(frozen=True)
class Measured:
    """A row with its rounds, by its name on the command line."""

    name: str
    row: Row
    rounds: Sequence[Round]

    def verdicts(self) -> list[tuple[Bar, Verdict | None]]:
        """Each bar with its verdict."""
        return [(bar, judged(bar, self.rounds)) for bar in self.row.bars]


def times_table(measured: Sequence[Measured]) -> str:
    """Medians, extremes and peaks of all contenders."""
    lines: list[Sequence[str]] = [("work", "by", "median s", "least", "most", "CPU s", "peak MiB", "runs")]
    for one in measured:
        work = one.row.work
        for contender in one.row.contenders:
            if contender.missing is not None:
                lines.append((work, contender.label, contender.missing, *[""] * 5))
            else:
                samples = [samples[contender.label] for samples in one.rounds]
                seconds = [sample.seconds for sample in samples]
                cpu = f"{statistics.median(sample.cpu_seconds for sample in samples):.3g}"
                peak = max(sample.peak for sample in samples) / MIB
                figures = [f"{value:.3g}" for value in (statistics.median(seconds), min(seconds), max(seconds))]
                # The process of a program that times itself spends more than is timed.
                figures.append("" if contender.times_itself else cpu)
                lines.append((work, contender.label, *figures, f"{peak:,.0f}", str(len(samples))))
            work = ""
    return _aligned(lines)


def bars_table(measured: Sequence[Measured], judge: bool = True) -> str:
    """All bars, and whether they are met; without judgement where the work was too little to tell."""
    lines: list[Sequence[str]] = [("work", "bar", "median", "least", "most", "")]
    for one in measured:
        work = one.row.work
        for bar, verdict in one.verdicts():
            if verdict is None:
                reasons = ", ".join(c.missing for c in one.row.contenders if c.missing and c.label in bar.needs)
                lines.append((work, bar.text, "", "", "", f"not measured: {reasons}"))
            else:
                figures = [_figure(value, bar) for value in (verdict.median, verdict.least, verdict.most)]
                lines.append((work, bar.text, *figures, _judgement(bar, verdict) if judge else "not judged"))
            work = ""
    return _aligned(lines)


def as_json(measured: Sequence[Measured], context: Mapping[str, Any]) -> dict[str, Any]:
    """All samples and verdicts."""
    return {"machine": context, "rows": [_row_as_json(one) for one in measured]}


def _row_as_json(one: Measured) -> dict[str, Any]:
    return {
        "name": one.name,
        "work": one.row.work,
        "contenders": [
            {
                "label": contender.label,
                "command": [str(word) for word in contender.command],
                "missing": contender.missing,
                "samples": [asdict(samples[contender.label]) for samples in one.rounds if contender.label in samples],
            }
            for contender in one.row.contenders
        ],
        "bars": [
            {
                "bar": bar.text,
                "limit": bar.limit,
                "unit": bar.unit,
                **({"met": None} if verdict is None else asdict(verdict)),
            }
            for bar, verdict in one.verdicts()
        ],
    }


def _judgement(bar: Bar, verdict: Verdict) -> str:
    if verdict.met:
        return "met"
    by = bar.limit / verdict.median if bar.at_least else verdict.median / bar.limit
    return f"MISSED by {by:.2f} ×"


def _figure(value: float, bar: Bar) -> str:
    # Ratios below one are easier to compare with a bar of 1/3 when written like it.
    figure = f"1/{1 / value:.3g}" if not bar.unit and bar.limit < 1 and 0 < value < 1 else f"{value:.3g}"
    return f"{value:,.0f} {bar.unit}" if bar.unit else figure


def _aligned(lines: Sequence[Sequence[str]]) -> str:
    """The lines as a table of Markdown, with columns that line up in plain text too."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    rows = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) + " |" for line in lines
    ]
    return "\n".join([rows[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *rows[1:]])
