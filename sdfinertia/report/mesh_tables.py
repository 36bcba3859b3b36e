"""Tables of mesh files, one row a file, written as rows come and read again: JSON lines, CSV and Parquet.

A number is written so that it reads back as the same one. What is read is data: a row that a table of ours cannot hold
is no row.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, BinaryIO, Protocol, get_type_hints

from sdfinertia.errors import ConfigurationError
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.runs.mesh_rows import MeshRow

COLUMNS = MeshRow._fields
_TYPES = {
    name: str if hint is str else int if hint == int | None else float for name, hint in get_type_hints(MeshRow).items()
}
# Rows of a group in Parquet: what is held in memory at a time.
_GROUP = 10_000
_NEEDS_PYARROW = "a table in Parquet needs the library pyarrow"
_INSTALL = "install it with `pip install sdfinertia[tables]`, or name the table .jsonl or .csv"


class TableWriter(Protocol):
    """Writes a table to an open file."""

    def add(self, row: MeshRow) -> None:
        """Writes a row, or keeps it until there are enough."""

    def close(self) -> None:
        """Writes what is left; the file stays open."""


class TableFormat(NamedTuple):
    """A format of tables.

    Attributes:
        suffix: of files in it.
        writer: what writes it.
    """

    suffix: str
    writer: Callable[[BinaryIO], TableWriter]


def format_of_table(path: str) -> TableFormat:
    """The format that the name of a table asks for.

    Raises:
        ConfigurationError: it asks for none, or for one whose library is not installed.
    """
    for form in FORMATS:
        if path.lower().endswith(form.suffix):
            if form.writer is _ParquetWriter:
                _pyarrow()
            return form
    suffixes = [form.suffix for form in FORMATS]
    raise ConfigurationError(
        f"the format of the table {path!r} is not known", remedy=f"name it {', '.join(suffixes[:-1])} or {suffixes[-1]}"
    )


def is_table(suffix: str, head: bytes) -> bool:
    """Whether a file that begins so can be a table of ours."""
    match suffix:
        case ".jsonl":
            return head.startswith(b'{"path": ')
        case ".csv":
            return head.startswith(",".join(COLUMNS).encode())
        case _:
            # What its columns are stands at its end, and is asked when it is read.
            return head.startswith(b"PAR1")


def read_rows(path: str) -> Iterator[MeshRow]:
    """The rows of a table, or of what is there of one; those that are damaged are passed over.

    Raises:
        OSError: it cannot be read.
        ConfigurationError: it is of no format that is known.
    """
    suffix = format_of_table(path).suffix if not path.endswith(JOURNAL) else ".jsonl"
    with open(path, "rb") as file:
        rows = {".jsonl": _json_rows, ".csv": _csv_rows, ".parquet": _parquet_rows}[suffix](file)
        for values in rows:
            row = _row(values)
            if row is not None:
                yield row


# What a run keeps beside its table until that is complete: JSON lines in any order.
JOURNAL = ".part"


def json_line(row: MeshRow) -> bytes:
    """A row as a line of JSON."""
    return json.dumps({name: _finite(getattr(row, name)) for name in COLUMNS}).encode("ascii") + b"\n"


def _row(values: Mapping[str, Any]) -> MeshRow | None:
    """The row that values by column stand for; None where one is missing, or of a wrong kind."""
    found: dict[str, Any] = {}
    for name, kind in _TYPES.items():
        value = values.get(name, _row)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not (value is None and kind is not str) and not _is_of(kind, value):
            return None
        found[name] = value
    return MeshRow(**found)


def _is_of(kind: type, value: Any) -> bool:
    """Whether a value is of the kind of a column: of its type, finite, and no count below zero."""
    if type(value) is not kind:
        return False
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, int) or value >= 0


def _finite(value: Any) -> Any:
    """JSON has no infinity."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


# Formats --------------------------------------------------------------------------------------------------------------


class _JsonWriter:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def add(self, row: MeshRow) -> None:
        self._file.write(json_line(row))

    def close(self) -> None:
        self._file.flush()


def _json_rows(file: BinaryIO) -> Iterator[Mapping[str, Any]]:
    for line in file:
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            # The last line of a run that was killed.
            continue
        if isinstance(values, dict):
            yield values


class _CsvWriter:
    def __init__(self, file: BinaryIO) -> None:
        self._text = io.TextIOWrapper(file, encoding="utf-8", errors="surrogateescape", newline="", write_through=True)
        self._rows = csv.writer(self._text, lineterminator="\n")
        self._rows.writerow(COLUMNS)

    def add(self, row: MeshRow) -> None:
        self._rows.writerow(
            "" if value is None else repr(value) if isinstance(value, float) else value for value in row
        )

    def close(self) -> None:
        self._text.flush()
        self._text.detach()


def _csv_rows(file: BinaryIO) -> Iterator[Mapping[str, Any]]:
    text = io.TextIOWrapper(file, encoding="utf-8", errors="surrogateescape", newline="")
    try:
        for values in csv.DictReader(text):
            found: dict[str, Any] = {}
            for name, kind in _TYPES.items():
                value = values.get(name)
                try:
                    found[name] = value if kind is str else None if not value else kind(value)
                except ValueError:
                    break
            else:
                yield found
    except csv.Error:
        return
    finally:
        # Whoever opened the file closes it.
        text.detach()


class _ParquetWriter:
    def __init__(self, file: BinaryIO) -> None:
        arrow, parquet = _pyarrow()
        kinds = {str: arrow.string(), int: arrow.int64(), float: arrow.float64()}
        self._schema = arrow.schema([(name, kinds[kind]) for name, kind in _TYPES.items()])
        self._file = parquet.ParquetWriter(file, self._schema)
        self._arrow = arrow
        self._rows: list[MeshRow] = []

    def add(self, row: MeshRow) -> None:
        # Bytes in names that are no text have no place in Parquet.
        self._rows.append(row._replace(path=row.path.encode("utf-8", "backslashreplace").decode()))
        if len(self._rows) >= _GROUP:
            self._write()

    def close(self) -> None:
        self._write()
        self._file.close()

    def _write(self) -> None:
        if self._rows:
            rows = [row._asdict() for row in self._rows]
            self._file.write_table(self._arrow.Table.from_pylist(rows, schema=self._schema))
            self._rows.clear()


def _parquet_rows(file: BinaryIO) -> Iterator[Mapping[str, Any]]:
    arrow, parquet = _pyarrow()
    try:
        table = parquet.ParquetFile(file)
        if not set(COLUMNS) <= set(table.schema_arrow.names):
            return
        for batch in table.iter_batches(_GROUP, columns=list(COLUMNS)):
            yield from batch.to_pylist()
    except (arrow.ArrowException, OSError):
        return


def _pyarrow() -> tuple[Any, Any]:
    """Raises a ConfigurationError where it is not installed."""
    try:
        # Loaded for this format alone: it takes longer than a thousand small meshes.
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ConfigurationError(_NEEDS_PYARROW, remedy=_INSTALL) from None
    return pyarrow, pyarrow.parquet


FORMATS = (
    TableFormat(".jsonl", _JsonWriter),
    TableFormat(".csv", _CsvWriter),
    TableFormat(".parquet", _ParquetWriter),
)


def sizes_of(rows: Iterable[MeshRow]) -> dict[int, list[str]]:
    """The digests of rows by the length of their files, which is known before a file is read."""
    found: dict[int, list[str]] = {}
    for row in rows:
        if row.bytes is not None:
            found.setdefault(row.bytes, []).append(row.digest)
    return found
