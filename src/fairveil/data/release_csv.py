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
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
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
PIECE_BYTES, AHEAD = 8 << 20, 3
"""Bytes that are parsed at once, and how many such pieces ahead of those that are coded."""
CACHED = 1 << 18
"""Bytes that fit into a core's cache."""
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
    names = header(file, name)
    coders = [Coder(column) for column in names]
    try:
        for columns in _parsed_pieces(whole_records(file, name), len(names)):
            if progress is not None:
                progress.check(f"reading {name}")
            for coder, piece in zip(coders, columns, strict=True):
                coder.add(piece)
    except pa.ArrowInvalid:
        raise BadInput(f"{name} is truncated, or is not a CSV file") from None
    finished = (coder.finish() for coder in coders)
    return Table(tuple(replace(column, values=unmarked(column.values)) for column in finished))


def _parsed_pieces(pieces: Iterator[bytes], columns: int) -> Iterator[list[pa.Array]]:
    """Yield the columns of each piece; a few pieces are parsed ahead, each in a thread, if there are several."""
    first, ahead = next(pieces, b""), list(islice(pieces, AHEAD))
    yield _parsed(first, columns)
    if not ahead:
        return
    with ThreadPoolExecutor(AHEAD) as threads:
        waiting = deque(threads.submit(_parsed, piece, columns) for piece in ahead)
        while waiting:
            parsed = waiting.popleft().result()
            waiting.extend(threads.submit(_parsed, piece, columns) for piece in islice(pieces, 1))
            yield parsed


def _parsed(records: bytes, columns: int) -> list[pa.Array]:
    """The columns of some records as dictionary-encoded texts."""
    names, kind = [f"f{position}" for position in range(columns)], pa.dictionary(pa.int32(), pa.string())
    if not records:
        return [pa.array([], kind)] * columns
    table = pa.csv.read_csv(
        pa.py_buffer(records),
        pa.csv.ReadOptions(use_threads=False, block_size=len(records), column_names=names),
        pa.csv.ParseOptions(newlines_in_values=True),
        pa.csv.ConvertOptions(column_types=dict.fromkeys(names, kind), null_values=[""], strings_can_be_null=True),
    )
    return [column.combine_chunks() for column in table.columns]


def whole_records(file: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield the rest of a file in pieces that end with a record, so that each can be read on its own.

    A line break ends a record if an even number of quotation marks is before it.

    >>> import io
    >>> list(whole_records(io.BytesIO(b'"a","b\\n"\\n1,'), "data.csv"))
    [b'"a","b\\n"\\n', b'1,']
    """
    waiting: list[bytes] = []
    odd = False
    while piece := file.read(PIECE_BYTES):
        odd ^= _odd_quotes(piece)
        end, after = len(piece), False
        while (line := piece.rfind(b"\n", 0, end)) >= 0:
            after ^= _odd_quotes(piece[line + 1 : end])
            if odd == after:
                break
            end = line
        if line >= 0:
            yield b"".join((*waiting, piece[: line + 1]))
            waiting = []
        waiting.append(piece[line + 1 :])
        if sum(map(len, waiting)) > MAX_ROW - PIECE_BYTES:
            raise BadInput(f"{name} has a row that is too long to read")
    if rest := b"".join(waiting):
        yield rest


def _odd_quotes(piece: bytes) -> bool:
    characters = np.frombuffer(piece, dtype=np.uint8)
    return bool(sum(np.count_nonzero(characters[i : i + CACHED] == ord('"')) for i in range(0, len(piece), CACHED)) & 1)


def header(file: BinaryIO, name: str) -> list[str]:
    """The names of the columns, from the first record of the file."""
    file.seek(0)
    record = b""
    while piece := file.readline(PIECE_BYTES):
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
