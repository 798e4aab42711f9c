"""The CSV files of a release, written so that every common reader finds the same rows, and read back.

The delimiter is a comma, the encoding UTF-8; names and texts are quoted; a missing value is an empty field. In a file
of one column it is `""`, because most readers skip blank lines. Text that would be misread starts with an apostrophe:
text that begins with = + - @, which spreadsheets execute, and empty text, which most readers take for a missing value.
Text of apostrophes only gets one more, so that the mark can always be removed again:

>>> marked(pa.array(["=1+1", "", "'", "it's", None])).to_pylist()
["'=1+1", "'", "''", "it's", None]
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from fairveil.data.arrow import texts
from fairveil.data.coding import Coder
from fairveil.data.table import Column, Table
from fairveil.data.types import is_zoned, texts_of
from fairveil.errors import BadInput
from fairveil.progress import Progress

FORMULA_CHARACTERS = "=+@\t\r-"  # the minus last: between two characters it would mean a range
BATCH = 1 << 17
"""Rows that are written at once, so that writing can be cancelled and needs little memory."""
BLOCK_BYTES = 2 << 20
MAX_ROW = (1 << 31) - 1
"""Maximum length of a row that Arrow can read, in bytes."""
Sink = Callable[[Path], BinaryIO]
"""Opens what a file is written to: the file itself, or something that compares it."""
_FIELD = re.compile(r'(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)')


def new_file(path: Path) -> BinaryIO:
    """Open a new file, in a new folder if need be."""
    path.parent.mkdir(exist_ok=True)
    return path.open("wb")


def write_csv(table: Table, path: Path, progress: Progress | None = None, sink: Sink = new_file) -> None:
    """Write the table to a CSV file."""
    alone = len(table.columns) == 1
    safe = replace(table, columns=tuple(_written(column, alone) for column in table.columns))
    schema = safe.to_arrow(slice(0, 0)).schema
    options = pa.csv.WriteOptions(include_header=False, quoting_style="needed")
    with sink(path) as file:
        names = marked(texts(table.names)).to_pylist()
        file.write(",".join('"' + name.replace('"', '""') + '"' for name in names).encode() + b"\n")
        with pa.csv.CSVWriter(file, schema, write_options=options) as writer:
            for batch in safe.batches(BATCH):
                if progress is not None:
                    progress.check(f"writing {path.name.strip('.')}")
                writer.write_table(batch)


def read_csv(file: BinaryIO, name: str, progress: Progress | None = None) -> Table:
    """Read a file written by `write_csv` as a table of texts; `name` is used in error messages."""
    size = file.seek(0, 2)
    for block in (BLOCK_BYTES, min(size, MAX_ROW)):  # the second if a row is longer than a block
        try:
            return _read(file, name, block, progress)
        except pa.ArrowInvalid as problem:
            if "straddl" not in str(problem) or block == size:
                raise BadInput(f"{name} is truncated, or is not a CSV file") from None
    raise BadInput(f"{name} has a row that is too long to read")


def _read(file: BinaryIO, name: str, block: int, progress: Progress | None) -> Table:
    names = header(file, name)
    coders = [Coder(column) for column in names]
    for batch in _batches(file, len(names), block):
        if progress is not None:
            progress.check(f"reading {name}")
        for coder, piece in zip(coders, batch, strict=True):
            coder.add(piece)
    columns = (coder.finish() for coder in coders)
    return Table(tuple(replace(column, values=unmarked(column.values)) for column in columns))


def _batches(file: BinaryIO, columns: int, block: int) -> Iterator[list[pa.Array]]:
    """Yield the rows after the header, each column as dictionary-encoded text."""
    file.seek(0)
    types = {f"f{position}": pa.dictionary(pa.int32(), pa.string()) for position in range(columns)}
    stream = pa.csv.open_csv(
        pa.PythonFile(file, mode="r"),
        read_options=pa.csv.ReadOptions(block_size=max(block, 1), autogenerate_column_names=True),
        parse_options=pa.csv.ParseOptions(newlines_in_values=True),
        convert_options=pa.csv.ConvertOptions(column_types=types, null_values=[""], strings_can_be_null=True),
    )
    for position, batch in enumerate(stream):  # the header must not be among the dictionary's values
        yield batch.columns if position else [column.slice(1).dictionary_decode() for column in batch.columns]


def header(file: BinaryIO, name: str) -> list[str]:
    """The names of the columns, from the first record of the file."""
    file.seek(0)
    record = b""
    while piece := file.readline(BLOCK_BYTES):
        record += piece
        if record.endswith(b"\n") and record.count(b'"') % 2 == 0:
            break
    try:
        text = record.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadInput(f"{name} is not UTF-8 text") from None
    names, position, separator = [], 0, ","
    while separator == ",":
        field = _FIELD.match(text, position)
        if field is None:
            raise BadInput(f"{name} does not start with a header")
        names.append(field[2] if field[1] is None else field[1].replace('""', '"'))
        position, separator = field.end(), field[3]
    if len(set(names)) < len(names) or not all(names):
        raise BadInput(f"{name} has a duplicate or empty column name")
    plain_names: list[str] = unmarked(texts(names)).to_pylist()
    return plain_names


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
