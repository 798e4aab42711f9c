"""The CSV file of a release, read as its distinct records and their counts.

Rows are sorted by value, so equal records are adjacent, and they are equal byte for byte: only the first one of each
run is parsed.

>>> import io
>>> table, counts = read_csv(io.BytesIO(b'"sex","age"\\n"F",31\\n"F",31\\n"M",40\\n'), "data.csv")
>>> table.to_arrow().to_pylist(), counts.tolist()
([{'sex': 'F', 'age': '31'}, {'sex': 'M', 'age': '40'}], [2, 1])
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import chain, islice
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv

from fairveil.counting.threads import ahead
from fairveil.data.arrow import texts
from fairveil.data.coding import Coder
from fairveil.data.release_csv import unmarked
from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.published.record_kernels import equal_records

if TYPE_CHECKING:
    from fairveil.progress import Progress

PIECE_BYTES, AHEAD = 8 << 20, 3
"""Bytes that are read at once, and how many such pieces are parsed ahead of those that are coded."""
CACHED = 1 << 18
"""Bytes that fit into a core's cache."""
MAX_ROW = (1 << 31) - 1
"""Maximum length of a row that Arrow can read, in bytes."""
_FIELD = re.compile(r'(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)')


class Records(NamedTuple):
    """Some records of a file: the first one of each run of equal ones, and how many they are; or, without counts, all
    of them."""

    every: bytes
    first: bytes = b""
    counts: np.ndarray | None = None


Runs = tuple[list[pa.Array], np.ndarray]
"""The columns of records as dictionary-encoded texts, and the count of each record."""


def read_csv(file: BinaryIO, name: str, progress: Progress | None = None) -> tuple[Table, np.ndarray]:
    """Read a file written by `write_csv` as a table of texts, and the count of each of its rows; `name` is used in
    error messages. A row may occur in several runs."""
    names = header(file, name)
    coders = [Coder(column) for column in names]
    counts = []
    try:
        for columns, repeated in _parsed_pieces(records_of(file, name), len(names)):
            if progress is not None:
                progress.check(f"reading {name}")
            for coder, piece in zip(coders, columns, strict=True):
                coder.add(piece)
            counts.append(repeated)
    except pa.ArrowInvalid:
        raise BadInput(f"{name} is truncated, or is not a CSV file") from None
    finished = (coder.finish() for coder in coders)
    return Table(tuple(replace(column, values=unmarked(column.values)) for column in finished)), np.concatenate(counts)


def records_of(file: BinaryIO, name: str) -> Iterator[Records]:
    """Yield the records of the rest of a file: runs, as far as it is written as fairveil writes it."""
    rest, pieces = b"", ahead(iter(lambda: file.read(PIECE_BYTES), b""))
    for piece in pieces:
        given = rest + piece
        data = np.frombuffer(given, dtype=np.uint8)
        first, counts = np.empty(len(data), dtype=np.uint8), np.empty(len(data) // 2 + 1, dtype=np.int64)
        runs, copied, done, is_irregular = equal_records(data, len(data), first, counts)
        if runs:
            yield Records(given[:done], first[:copied].tobytes(), counts[:runs].copy())
        rest = given[done:]
        if is_irregular or len(rest) > PIECE_BYTES:
            break
    yield from map(Records, whole_records(chain([rest], pieces), name))


def _parsed_pieces(pieces: Iterator[Records], columns: int) -> Iterator[Runs]:
    """Yield the runs of each piece; a few pieces are parsed ahead, each in a thread, if there are several."""
    first, following = next(pieces, Records(b"")), list(islice(pieces, AHEAD))
    yield _runs(first, columns)
    if not following:
        return
    with ThreadPoolExecutor(AHEAD) as threads:
        waiting = deque(threads.submit(_runs, piece, columns) for piece in following)
        while waiting:
            parsed = waiting.popleft().result()
            waiting.extend(threads.submit(_runs, piece, columns) for piece in islice(pieces, 1))
            yield parsed


def _runs(records: Records, columns: int) -> Runs:
    if records.counts is not None:
        parsed = _parsed(records.first, columns)
        if len(parsed[0]) == len(records.counts):
            return parsed, records.counts
    parsed = _parsed(records.every, columns)
    return parsed, np.ones(len(parsed[0]), dtype=np.int64)


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


def whole_records(pieces: Iterable[bytes], name: str) -> Iterator[bytes]:
    """Yield the bytes of pieces in others that end with a record, so that each can be read on its own.

    A line break ends a record if an even number of quotation marks is before it.

    >>> list(whole_records([b'"a","b\\n"\\n1,'], "data.csv"))
    [b'"a","b\\n"\\n', b'1,']
    """
    waiting: list[bytes] = []
    odd = False
    for piece in pieces:
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
