"""ValueDictionary: the values of a column as stored on an engine, and their codes, assigned as in memory.

>>> import pyarrow as pa
>>> texts = pa.array(["1.0", "9", "1", "", None])
>>> column = ValueDictionary.of("age", texts, np.array([1, 1, 4, 1, 1]), CellReader(texts={"age"}))
>>> column.values.to_pylist(), column.encode(pa.array(["9", "1", None, "1.0"])).tolist()
([1.0, 9.0, None], [1, 0, 2, 0])

An engine reads the columns of a text file as text; their type is inferred from the distinct texts, as in `Table.read`.
So several spellings may be one value, and a spelling may be a missing value.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.counting.threads import by_column
from fairveil.data.arrow import filled
from fairveil.data.coding import Coder, durations, plain_piece, typed
from fairveil.data.dialect import Dialect
from fairveil.data.file_pieces import without
from fairveil.data.spelling import Spelling
from fairveil.data.table import Column, narrow
from fairveil.data.types import is_zoned, source_type
from fairveil.errors import BadInput, Unpublishable


@dataclass(frozen=True)
class CellReader:
    """How cells are read: the columns of a text file, columns that are kept as text, missing values, the decimal
    separator (None: inferred per column); the dialect that a recipe stores; whether each is read by itself; the types
    of columns that the engine has in another one; and how numbers and dates are written."""

    texts: Collection[str] = ()
    kept: Collection[str] = ()
    missing_values: Sequence[str] = ()
    decimal: str | None = "."
    dialect: Dialect | None = None
    by_cell: bool = False
    types: Mapping[str, pa.DataType] = field(default_factory=dict)
    spelling: Spelling = Spelling()  # noqa: RUF009 - frozen

    @property
    def inferred(self) -> frozenset[str]:
        """The columns whose type is inferred from their values."""
        return frozenset(self.texts) - frozenset(self.kept)

    def missing_texts(self, name: str) -> list[str]:
        """The texts of a column that are missing values."""
        return [*([""] if name in self.texts else []), *self.missing_values]

    def meant(self, name: str, values: pa.Array) -> pa.Array:
        """The distinct values of a column with null for missing values, as text if the column is kept as text."""
        values = self.valued(name, values)
        if name in self.kept and not self.by_cell:
            values = values.cast(pa.string())
        missing = self.missing_texts(name)
        return self.spelling.respelled(name, without(values, missing, self.by_cell))

    def valued(self, name: str, values: pa.Array) -> pa.Array:
        """The distinct values of a column in the type that they have in the source: durations from intervals as text,
        or from integers, by which some engines read them from Parquet files."""
        kind = self.types.get(name)
        if kind is None or values.type == (wanted := source_type(name, kind)):
            return values
        if pa.types.is_interval(kind):
            return durations(name, (None if text is None else interval(text) for text in values.to_pylist()))
        if pa.types.is_temporal(wanted) and pa.types.is_integer(values.type):
            values = values.cast(pa.int32() if wanted.bit_width == 32 else pa.int64())
        return values.cast(wanted)


_INTERVAL = re.compile(
    r"(?:(-?\d+) years? ?)?(?:(-?\d+) mon(?:th)?s? ?)?(?:([+-]?\d+) days? ?)?(?:([+-]?)(\d+):(\d\d):(\d\d)(\.\d+)?)?"
)


def interval(text: str) -> tuple[int, int, int]:
    """The months, days and nanoseconds of an interval as DuckDB and PostgreSQL write it.

    >>> interval("1 year 2 mons -3 days +04:05:06.5"), interval("-00:00:01")
    ((14, -3, 14706500000000), (0, 0, -1000000000))
    """
    match = _INTERVAL.fullmatch(text)
    assert match is not None, "an interval in another style"
    years, months, days, sign, hours, minutes, seconds, fraction = match.groups(default="0")
    whole = (int(hours) * 60 + int(minutes)) * 60 + int(seconds)
    nanoseconds = whole * 10**9 + int(f"{fraction.lstrip('.'):0<9}"[:9])
    return int(years) * 12 + int(months), int(days), -nanoseconds if sign == "-" else nanoseconds


def plain_values(name: str, raw: pa.Array | pa.ChunkedArray) -> pa.Array:
    """An engine's values in a type that can be coded, with times in UTC."""
    piece = plain_piece(name, raw)
    return piece.cast(pa.timestamp(piece.type.unit, "UTC")) if is_zoned(piece.type) else piece


def coded_texts(table: pa.Table) -> pa.Table:
    """The table with each column in one chunk, and texts dictionary-encoded: each is hashed once."""

    def coded(column: pa.ChunkedArray) -> pa.ChunkedArray:
        return (column.dictionary_encode() if pa.types.is_string(column.type) else column).combine_chunks()

    return pa.table(dict(zip(table.schema.names, by_column(coded, table.columns, table.num_rows), strict=True)))


def _coded_or_plain(name: str, raw: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Texts that are dictionary-encoded, by those that occur, as they are; else plain values."""
    if pa.types.is_dictionary(raw.type) and pa.types.is_string(raw.type.value_type):
        coded = raw.combine_chunks() if isinstance(raw, pa.ChunkedArray) else raw
        occurs = np.zeros(len(coded.dictionary) + 1, dtype=bool)
        occurs[filled(coded.indices, -1)] = True
        if occurs[:-1].all() and not coded.dictionary.null_count:
            return coded
    return plain_values(name, raw)


@dataclass(frozen=True)
class ValueDictionary:
    """`values[codes[i]]` is the value of `spellings[i]`; `missing` is the code of a missing value, or -1."""

    name: str
    spellings: pa.Array
    codes: np.ndarray
    values: pa.Array
    missing: int

    @classmethod
    def of(cls, name: str, raw: pa.Array | pa.ChunkedArray, counts: np.ndarray, reader: CellReader) -> ValueDictionary:
        """From rows that contain every spelling, and the number of rows each stands for."""
        encoder = Coder(name)
        positions = encoder.encode(_coded_or_plain(name, raw))
        spellings = encoder.known
        assert spellings is not None
        rows = np.bincount(positions, weights=counts, minlength=len(spellings) + 1)
        meant = reader.meant(name, spellings)
        meant = pa.concat_arrays([meant, pa.nulls(int(rows[0] > 0), meant.type)])
        coder = Coder(name)
        coder.add(meant)
        weights = np.append(rows[1:], rows[:1][rows[:1] > 0])
        text = name in reader.texts
        kept = reader.by_cell or name in reader.kept
        column = typed(coder, kept, weights, reader.decimal) if text else coder.finish()
        if column.unreadable:
            raise Unpublishable(column.unreadable)
        missing = len(column.values) - 1 if column.has_missing else -1
        return cls(name, spellings, column.codes[: len(spellings)].astype(np.int64), column.values, missing)

    def recoded(self, column: Column) -> ValueDictionary:
        """The dictionary with other values: row i of the column is the new value of code i."""
        codes = column.codes.astype(np.int64)
        return replace(
            self,
            codes=codes[self.codes],
            values=column.values,
            missing=int(codes[self.missing]) if self.missing >= 0 else -1,
        )

    def among(self, name: str, raw: pa.Array | pa.ChunkedArray) -> ValueDictionary:
        """The dictionary of a column with some of these spellings, in the types that all of them have together."""
        values = plain_values(name, raw).unique()
        spellings = values.drop_null()
        rows = pc.index_in(spellings, value_set=self.spellings)
        if rows.null_count:
            raise not_found(f"column {name!r}")
        codes = self.codes[rows.to_numpy(zero_copy_only=False)]
        some_missing = bool(values.null_count) or bool((codes == self.missing).any())
        used = np.unique(codes[codes != self.missing])
        fresh = np.full(len(self.values) + 1, len(used))
        fresh[used] = np.arange(len(used))
        kept = self.values.take(pa.array(used))
        kept = pa.concat_arrays([kept, pa.nulls(1, kept.type)]) if some_missing else kept
        return ValueDictionary(name, spellings, fresh[codes], kept, len(used) if some_missing else -1)

    @property
    def column(self) -> Column:
        """The domain: each value once."""
        return Column(self.name, np.arange(len(self.values)), self.values)

    def encode(self, raw: pa.Array | pa.ChunkedArray) -> np.ndarray:
        """The codes of known spellings. Raises BadInput for others: they came after the column was counted."""
        values = _coded_or_plain(self.name, raw)
        is_coded = pa.types.is_dictionary(values.type)
        distinct = values.dictionary if is_coded else values
        position = filled(pc.index_in(distinct, value_set=self.spellings, skip_nulls=True), -1)
        codes = narrow(np.append(self.codes, self.missing)[position], len(self.values))
        unknown = int((position < 0).sum()) - distinct.null_count
        if unknown or (values.null_count and self.missing < 0):
            raise not_found(f"column {self.name!r}")
        if not is_coded:
            return codes
        of_row: np.ndarray = np.append(codes, codes.dtype.type(max(self.missing, 0)))[filled(values.indices, -1)]
        return of_row


def not_found(where: str) -> BadInput:
    """The problem of a value that has no entry among those that were counted."""
    return BadInput(
        f"a value of {where} was not among those counted before, so nothing is published: the source changed, or its "
        "values are more precise than can be compared; run again, or make such columns text"
    )


def found(table: pa.Table | pa.RecordBatch) -> pa.Table | pa.RecordBatch:
    """The numbers that were looked up. Raises BadInput if one is missing."""
    if any(column.null_count for column in table.columns):
        raise not_found("the source")
    return table
