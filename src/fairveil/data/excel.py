"""Excel and OpenDocument workbooks: one sheet is a table, its first row the header. Needs the extra `files`.

Numbers and dates keep their types, Booleans become the texts true and false; a number that is stored as text stays
text. A column of mixed types is text.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.data.arrow import numbers, texts
from fairveil.data.coding import Coder, typed
from fairveil.data.file_pieces import FilePieces, all_named, blank, unnamed, wanted_columns, without
from fairveil.data.types import narrowest
from fairveil.errors import BadInput, need, suggest

if TYPE_CHECKING:
    from fairveil.data.dialect import Dialect
    from fairveil.data.table import Column


def open_workbook(path: Path, dialect: Dialect, columns: Sequence[str] | None) -> FilePieces:
    """One sheet of a workbook, by its name or its number from 1; by default the first."""
    book, chosen = _sheet(path, dialect.sheet)
    header = int(dialect.header == "yes")
    names = (
        _header(path, book, chosen, dialect.by_cell) if header else unnamed(_load(book, chosen, n_rows=1).num_columns)
    )
    wanted, marked = wanted_columns(list(filter(None, names)), columns, dialect), set[str]()

    def pieces() -> Iterator[Mapping[str, pa.Array]]:
        types = {"dtypes": "string"} if dialect.by_cell else {"schema_sample_rows": None}
        rows = _load(book, chosen, skip_rows=header, **types)
        if rows.num_rows == 0:
            return
        read, mixed = {}, _mixed(book, chosen, rows, header)
        filled = numbers(~blank(rows.columns, rows.num_columns))
        for name in wanted:
            position = names.index(name)
            values = mixed.get(position, rows.column(position)).filter(filled)
            values = _as_in_file(values, name in dialect.text)
            read[name] = without(values, dialect.missing_values)
            if read[name].null_count > values.null_count:
                marked.add(name)
        yield read

    inferred = frozenset(wanted) - frozenset(dialect.text)

    def finish(coder: Coder, counts: np.ndarray | None) -> Column:
        """Return the column; numbers stay numbers although some cells meant a missing value."""
        return typed(coder, False, counts) if coder.name in marked & inferred else coder.finish()

    return FilePieces(path.name, wanted, pieces, finish, inferred, read_as={"sheet": chosen})


def first_records(path: Path, dialect: Dialect, most: int = 1_000) -> list[list[str]]:
    """The first rows of a sheet as texts, the header among them."""
    rows = _load(*_sheet(path, dialect.sheet), n_rows=most, dtypes="string")
    return [[cell or "" for cell in row.values()] for row in rows.to_pylist()]


def _sheet(path: Path, wanted: str | int | None) -> tuple[Any, str]:
    need("fastexcel", path.name)
    import fastexcel

    logging.getLogger("fastexcel").setLevel(logging.ERROR)  # it warns about empty columns
    try:
        book = fastexcel.read_excel(path)
    except fastexcel.FastExcelError as problem:
        reason = str(problem).splitlines()[0].removeprefix("calamine error: ")
        raise BadInput(f"{path.name} is truncated, or is not a workbook: {reason[:160]}") from None
    names = list(book.sheet_names)
    if wanted is None:
        return book, names[0]
    if str(wanted) in names:
        return book, str(wanted)
    if str(wanted).isdecimal() and len(str(wanted)) <= 18:
        if 1 <= int(wanted) <= len(names):
            return book, names[int(wanted) - 1]
        raise BadInput(f"{path.name} has no sheet {wanted}: it has sheets 1 to {len(names)} ({', '.join(names[:12])})")
    raise BadInput(f"{path.name} has {suggest(wanted, names, 'sheet')}")


def _load(book: Any, sheet: str, **options: Any) -> pa.RecordBatch:
    return pa.record_batch(book.load_sheet(sheet, header_row=None, **options).to_arrow())


def _header(path: Path, book: Any, sheet: str, by_cell: bool) -> list[str]:
    """The names of the columns; read cell by cell, one that only records reach into may have none."""
    first = _load(book, sheet, n_rows=1, dtypes="string")
    where = f"sheet {sheet!r} of {path.name}"
    if first.num_columns == 0 or first.num_rows == 0:
        raise BadInput(f"{where} is empty: it needs a header row and rows")
    names = [column[0].as_py() for column in first.columns]
    unnamed = [position for position, name in enumerate(names) if name is None or not name.strip()]
    if unnamed == [0] and len(names) > 1:
        return all_named([name or "" for name in names])  # row numbers, as pandas writes them
    if by_cell:
        names = [name or "" if position not in unnamed else "" for position, name in enumerate(names)]
    elif unnamed:
        raise BadInput(
            f"{where} has no name for column {_letters(unnamed[0])} in its first row: give every column a header cell "
            "of its own, without merged cells or a title above"
        )
    return names


def _letters(position: int) -> str:
    """The letters by which a spreadsheet names a column.

    >>> [_letters(position) for position in (0, 25, 26, 702)]
    ['A', 'Z', 'AA', 'AAA']
    """
    before, letter = divmod(position, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + letter)


def _mixed(book: Any, sheet: str, rows: pa.RecordBatch, header: int) -> dict[int, pa.Array]:
    """Columns of numbers and Booleans as text: the library returns numbers, but no cell may set others' type."""
    positions = [i for i, column in enumerate(rows.columns) if pa.types.is_floating(column.type)]
    if not positions:
        return {}
    as_text = _load(book, sheet, skip_rows=header, use_columns=positions, dtypes="string")
    columns = dict(zip(positions, as_text.columns, strict=True))
    booleans = texts(["true", "false"])
    return {i: c for i, c in columns.items() if pc.any(pc.is_in(c.cast(pa.string()), value_set=booleans)).as_py()}


def _as_in_file(values: pa.Array, keep_text: bool) -> pa.Array:
    """Integers as integers, days as dates, empty text as missing. Booleans are the texts true and false, as they are in
    a column that also holds words: whether there are any may depend on a row that is not published."""
    if pa.types.is_timestamp(values.type):
        days = values.cast(pa.date32(), safe=False)
        values = days if days.cast(values.type).equals(values) else values
    elif pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
        values = values.cast(pa.string())
        values = pc.if_else(pc.equal(values, ""), pa.scalar(None, pa.string()), values)
    elif pa.types.is_boolean(values.type):
        values = values.cast(pa.string())
    else:
        values = narrowest(values)
    return values.cast(pa.string()) if keep_text else values
