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

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.data.arrow import filled
from fairveil.data.coding import Coder, plain_piece, typed
from fairveil.data.dialect import Dialect
from fairveil.data.file_pieces import without
from fairveil.data.table import Column, narrow


@dataclass(frozen=True)
class CellReader:
    """How cells are read: the columns of a text file, columns that are kept as text, missing values, the decimal
    separator (None: inferred per column); the dialect that a recipe stores; and whether each is read by itself."""

    texts: Collection[str] = ()
    kept: Collection[str] = ()
    missing_values: Sequence[str] = ()
    decimal: str | None = "."
    dialect: Dialect | None = None
    by_cell: bool = False

    @property
    def inferred(self) -> frozenset[str]:
        """The columns whose type is inferred from their values."""
        return frozenset(self.texts) - frozenset(self.kept)

    def missing_texts(self, name: str) -> list[str]:
        """The texts of a column that are missing values."""
        return [*([""] if name in self.texts else []), *self.missing_values]

    def meant(self, name: str, values: pa.Array) -> pa.Array:
        """The distinct values of a column with null for missing values, as text if the column is kept as text."""
        if name in self.kept and not self.by_cell:
            values = values.cast(pa.string())
        missing = self.missing_texts(name)
        return without(values, missing, self.by_cell)


def plain_values(name: str, raw: pa.Array | pa.ChunkedArray) -> pa.Array:
    """An engine's values in a type that can be coded, with one name for the time zone UTC."""
    piece = plain_piece(name, raw)
    kind = piece.type
    if pa.types.is_timestamp(kind) and kind.tz in ("Etc/UTC", "Z", "+00:00", "Etc/UCT", "GMT", "Etc/GMT"):
        return piece.cast(pa.timestamp(kind.unit, "UTC"))
    return piece


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
        positions = encoder.encode(plain_values(name, raw))
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

    @property
    def column(self) -> Column:
        """The domain: each value once."""
        return Column(self.name, np.arange(len(self.values)), self.values)

    def encode(self, raw: pa.Array | pa.ChunkedArray) -> np.ndarray:
        """The codes of known spellings."""
        position = filled(pc.index_in(plain_values(self.name, raw), value_set=self.spellings, skip_nulls=True), -1)
        return narrow(np.append(self.codes, self.missing)[position], len(self.values))
