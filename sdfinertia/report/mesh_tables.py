"""Tables of mesh files, written row by row and read again: JSON lines, CSV and Parquet.

Numbers read back exactly. A file with other columns is not our table, and a row with an invalid value is skipped.
"""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, BinaryIO, Protocol, get_type_hints

from sdfinertia.errors import ConfigurationError, install_advice
from sdfinertia.files.atomic_file import something_else
from sdfinertia.files.observations import open_regular
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.report.json_records import json_of
from sdfinertia.robot.numbers import parse_numbers
from sdfinertia.runs.mesh_rows import MeshRow

COLUMNS = MeshRow._fields
_TYPES = {
    name: str if hint is str else int if hint == int | None else float for name, hint in get_type_hints(MeshRow).items()
}
# Rows of a group in Parquet, which are held in memory.
_GROUP = 10_000
# Limit for a file that may not be ours: far beyond our paths and messages.
_LONGEST_LINE = 1 << 20
_LINE_BEGINS = b'{"path": "'
# Characters that make a cell a formula in spreadsheets (OWASP, CSV injection), preceded by our mark.
_FORMULA = re.compile("'*[=+\\-@\t\r\n\uff0b\uff0d\uff1d\uff20]")
_NEEDS_PYARROW = "a table in Parquet needs the library pyarrow"


class TableWriter(Protocol):
    def add(self, row: MeshRow) -> None:
        """Writes a row, or keeps it until there are enough."""

    def close(self) -> None:
        """Writes the remaining rows; the file stays open."""


class TableFormat(NamedTuple):
    suffix: str
    writer: Callable[[BinaryIO], TableWriter]


def format_of_table(path: str) -> TableFormat:
    for form in FORMATS:
        if path.lower().endswith(form.suffix):
            if form.writer is _ParquetWriter:
                _pyarrow()
            return form
    suffixes = [form.suffix for form in FORMATS]
    raise ConfigurationError(
        f"the format of the table {path!r} is not known", remedy=f"name it {', '.join(suffixes[:-1])} or {suffixes[-1]}"
    )


def read_rows(path: str) -> Iterator[MeshRow]:
    """The rows of a table, or of its journal; rows with invalid values are skipped.

    Raises:
        OSError: it cannot be read.
        ConfigurationError: the format is unknown.
        WriteError: it is not our table, and so may not be replaced.
    """
    is_journal = path.endswith(JOURNAL)
    suffix = ".jsonl" if is_journal else format_of_table(path).suffix
    with open_regular(path) as file:
        if not os.fstat(file.fileno()).st_size:
            return
        try:
            match suffix:
                case ".jsonl":
                    rows = _json_rows(file, may_be_cut=is_journal)
                case ".csv":
                    rows = _csv_rows(file)
                case _:
                    rows = _parquet_rows(file)
            for values in rows:
                row = _row(values)
                if row is not None:
                    yield row
        except _ForeignTableError:
            raise something_else(path) from None


class _ForeignTableError(Exception):
    """The file is not a table of ours."""


# The journal beside an incomplete table: JSON lines in any order.
JOURNAL = ".part"


def json_line(row: MeshRow) -> bytes:
    return json_of(row._asdict()).encode("utf-8") + b"\n"


def _row(values: Mapping[str, Any]) -> MeshRow | None:
    """The row of values by column; None where one has the wrong type."""
    found: dict[str, Any] = {}
    for name, kind in _TYPES.items():
        value: Any = values[name]
        if kind is float and type(value) is int:
            value = float(value)
        is_known = type(value) is kind and not (isinstance(value, float) and not math.isfinite(value))
        if not is_known and (value is not None or kind is str):
            return None
        found[name] = value
    return MeshRow(**found)


# Formats --------------------------------------------------------------------------------------------------------------


class _JsonWriter:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def add(self, row: MeshRow) -> None:
        self._file.write(json_line(row))

    def close(self) -> None:
        self._file.flush()


def _json_rows(file: BinaryIO, *, may_be_cut: bool) -> Iterator[Mapping[str, Any]]:
    """The objects on the lines; a killed run may have left one in part."""
    while line := file.readline(_LONGEST_LINE):
        if line.isspace():
            continue
        try:
            # As a float, a number of any length shows that it is too large.
            values = json.loads(line, parse_int=lambda digits: int(digits) if len(digits) < 20 else float(digits))
        except (ValueError, RecursionError):
            if may_be_cut and (line.startswith(_LINE_BEGINS) or _LINE_BEGINS.startswith(line.rstrip(b"\n"))):
                continue
            raise _ForeignTableError from None
        if not isinstance(values, dict) or values.keys() != _TYPES.keys():
            raise _ForeignTableError
        yield values


class _CsvWriter:
    def __init__(self, file: BinaryIO) -> None:
        self._text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
        # The module quotes a carriage return in a name only where its line ends have one; ours have none.
        self._rows = csv.writer(SimpleNamespace(write=self._write), lineterminator="\r\n")
        self._rows.writerow(COLUMNS)

    def add(self, row: MeshRow) -> None:
        self._rows.writerow("'" + value if isinstance(value, str) and _FORMULA.match(value) else value for value in row)

    def _write(self, line: str) -> None:
        self._text.write(line.removesuffix("\r\n") + "\n")

    def close(self) -> None:
        self._text.flush()
        self._text.detach()


def _csv_rows(file: BinaryIO) -> Iterator[Mapping[str, Any]]:
    text = io.TextIOWrapper(file, encoding="utf-8", errors="surrogateescape", newline="")
    try:
        rows = csv.reader(iter(lambda: text.readline(_LONGEST_LINE), ""), strict=True)
        if tuple(next(rows, ())) != COLUMNS:
            raise _ForeignTableError
        for cells in rows:
            if len(cells) != len(COLUMNS):
                raise _ForeignTableError
            yield {name: _value(kind, cell) for (name, kind), cell in zip(_TYPES.items(), cells, strict=True)}
    except csv.Error:
        raise _ForeignTableError from None
    finally:
        # The caller closes the file.
        text.detach()


def _value(kind: type, cell: str) -> str | int | float | None:
    if kind is str:
        return cell[1:] if cell.startswith("'") and _FORMULA.match(cell[1:]) else cell
    if not cell:
        return None
    numbers = parse_numbers(cell)
    if numbers is None or len(numbers) != 1:
        return cell
    (number,) = numbers
    return int(number) if kind is int and number.is_integer() else number


class _Sink(io.RawIOBase):
    """A file that ignores writes once it is closed: pyarrow ends an abandoned table when it is collected."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return len(data) if self._file.closed else self._file.write(data)


class _ParquetWriter:
    def __init__(self, file: BinaryIO) -> None:
        self._arrow, parquet = _pyarrow()
        self._schema = _schema(self._arrow)
        self._file = parquet.ParquetWriter(_Sink(file), self._schema)
        self._rows: list[MeshRow] = []

    def add(self, row: MeshRow) -> None:
        self._rows.append(row)
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
        is_ours = table.schema_arrow.equals(_schema(arrow))
    except (arrow.ArrowException, OSError, ValueError):
        is_ours = False
    if not is_ours:
        raise _ForeignTableError
    try:
        for batch in table.iter_batches(_GROUP):
            yield from batch.to_pylist()
    except (arrow.ArrowException, OSError, ValueError):
        # Damaged pages, and strings that are not UTF-8.
        return


def _schema(arrow: Any) -> Any:
    kinds = {str: arrow.string(), int: arrow.int64(), float: arrow.float64()}
    return arrow.schema([(name, kinds[kind]) for name, kind in _TYPES.items()])


def _pyarrow() -> tuple[Any, Any]:
    try:
        # Loaded for this format alone: it takes longer than a thousand small meshes.
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ConfigurationError(
            _NEEDS_PYARROW, remedy=f"{install_advice('tables')}, or name the table .jsonl or .csv"
        ) from None
    return pyarrow, pyarrow.parquet


FORMATS = (
    TableFormat(".jsonl", _JsonWriter),
    TableFormat(".csv", _CsvWriter),
    TableFormat(".parquet", _ParquetWriter),
)


def sizes_of(rows: Iterable[MeshRow]) -> dict[int, list[str]]:
    """The digests of rows by file size, which is known before a file is read."""
    found: dict[int, list[str]] = {}
    for row in rows:
        if row.bytes is not None:
            found.setdefault(row.bytes, []).append(row.digest)
    return found
