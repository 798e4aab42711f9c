"""The CSV files of a release, written so that every common reader finds the same rows (`published/csv_runs.py` reads
them).

The delimiter is a comma, the encoding UTF-8; names and texts are quoted; a missing value is an empty field. In a file
of one column it is `""`, because most readers skip blank lines. Text that would be misread starts with an apostrophe:
text that begins with = + - @, which spreadsheets execute, and empty text, which most readers take for a missing value.
Text of apostrophes only gets one more, so that the mark can always be removed again:

>>> marked(pa.array(["=1+1", "", "'", "it's", None])).to_pylist()
["'=1+1", "'", "''", "it's", None]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from fairveil.data.arrow import texts
from fairveil.data.types import is_zoned, texts_of

if TYPE_CHECKING:
    from fairveil.data.table import Column, Table
    from fairveil.progress import Progress

FORMULA_CHARACTERS = "=+@\t\r-"  # the minus last: between two characters it would mean a range
BATCH = 1 << 17
"""Rows that are formatted at once, so that writing can be cancelled and needs little memory."""
PIECE_BYTES = 1 << 20
"""Bytes that are written at once of rows that are repeated."""
FEW = 4
"""Minimum number of rows per distinct row, on average, for which it pays off to format equal ones once."""
Sink = Callable[[Path], BinaryIO]
"""Opens what a file is written to: the file itself, or something that compares it."""


def new_file(path: Path) -> BinaryIO:
    """Open a new file, in a new folder if need be."""
    path.parent.mkdir(exist_ok=True)
    return path.open("wb")


def write_csv(
    table: Table, path: Path, progress: Progress | None = None, sink: Sink = new_file,
    counts: np.ndarray | None = None,
) -> None:  # fmt: skip
    """Write the table to a CSV file, each of its rows as often as `counts` says, or once. Equal rows that follow one
    another are formatted once."""
    if counts is None and table.rows > BATCH:
        starts = _starts(table)
        if len(starts) * FEW <= table.rows:
            table, counts = table.take(starts), np.diff(starts, append=table.rows)
    alone = len(table.columns) == 1
    safe = replace(table, columns=tuple(_written(column, alone) for column in table.columns))
    options = pa.csv.WriteOptions(include_header=False, quoting_style="needed")
    with sink(path) as file:
        names = marked(texts(table.names)).to_pylist()
        file.write(",".join('"' + name.replace('"', '""') + '"' for name in names).encode() + b"\n")
        for start in range(0, table.rows, BATCH):
            batch = slice(start, min(start + BATCH, table.rows))
            formatted = pa.BufferOutputStream()
            pa.csv.write_csv(safe.to_arrow(batch), formatted, options)
            content = formatted.getvalue()
            for piece in [content] if counts is None else _repeated(content.to_pybytes(), counts[batch]):
                if progress is not None:
                    progress.check(f"writing {path.name.strip('.')}")
                file.write(piece)


def _starts(table: Table) -> np.ndarray:
    """The indices of the rows that differ from the row before them."""
    is_start = np.zeros(table.rows, dtype=bool)
    is_start[:1] = True
    for column in table.columns:
        is_start[1:] |= column.codes[1:] != column.codes[:-1]
    return np.flatnonzero(is_start)


def _repeated(records: bytes, counts: np.ndarray) -> Iterator[bytes]:
    """Yield records, each as often as its count says, in pieces of about `PIECE_BYTES`.

    >>> b"".join(_repeated(b'1,"a\\n"\\n2,"b"\\n', np.array([2, 1])))
    b'1,"a\\n"\\n1,"a\\n"\\n2,"b"\\n'
    """
    characters = np.frombuffer(records, dtype=np.uint8)
    within = np.cumsum(characters == ord('"'), dtype=np.uint8) & 1  # whether a text has begun: sums modulo 256
    ends = np.flatnonzero((characters == ord("\n")) & (within == 0)) + 1
    waiting, size, start = [], 0, 0
    for end, count in zip(ends.tolist(), counts.tolist(), strict=True):
        record, start = records[start:end], end
        at_once = -(-PIECE_BYTES // len(record))
        for done in range(0, count, at_once):
            waiting.append(record * min(at_once, count - done))
            size += len(waiting[-1])
            if size >= PIECE_BYTES:
                yield b"".join(waiting)
                waiting, size = [], 0
    yield b"".join(waiting)


def marked(values: pa.Array) -> pa.Array:
    """The texts, with an apostrophe before those that would be read as a formula or a missing value."""
    risky = pc.match_substring_regex(values, rf"\A'*(?:[{FORMULA_CHARACTERS}]|\z)")
    return pc.if_else(risky, pc.binary_join_element_wise("'", values, ""), values) if risky.true_count else values


def unmarked(values: pa.Array) -> pa.Array:
    """The inverse of `marked`."""
    risky = pc.match_substring_regex(values, rf"\A'+(?:[{FORMULA_CHARACTERS}]|\z)")
    return pc.if_else(risky, pc.utf8_slice_codeunits(values, 1), values) if risky.true_count else values


def _written(column: Column, alone: bool) -> Column:
    values = column.values
    if pa.types.is_string(values.type):
        values = marked(values)
    elif pa.types.is_duration(values.type) or is_zoned(values.type) or (alone and values.null_count):
        values = texts_of(values)
    return replace(column, values=pc.fill_null(values, "") if alone and values.null_count else values)
