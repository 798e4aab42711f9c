"""Published Parquet files that are counted instead of loaded.

Files are sorted by value, so equal rows are adjacent: consecutive equal rows are read as one row with a count, which
mostly fits into memory where the rows themselves would not. In an unsorted file the same row occurs in several runs;
every count is still correct. Files with too many runs are counted by DuckDB, as any other source.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from fairveil.counting.ordering import is_in_order, ranks_of
from fairveil.counting.threads import by_column, each_in_threads
from fairveil.data.arrow import filled, numbers
from fairveil.data.canonical import canonical, in_order, published_table
from fairveil.data.coding import Coder, plain_piece
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.data.types import narrowest
from fairveil.data.writers import FEW_TEXTS, Format, piece_of
from fairveil.engines import InMemoryTable, PublishedTable, memory
from fairveil.engines.duckdb import DuckDB
from fairveil.engines.lazy import LazySource
from fairveil.engines.memory import only_counted
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.errors import BadInput

if TYPE_CHECKING:
    from fairveil.engines.native import Frame
    from fairveil.engines.value_dictionary import ValueDictionary
    from fairveil.progress import Progress

MAX_VALUES = 1 << 28
"""Maximum number of values (runs × columns) held in memory."""
VALUE_BYTES = 16
"""Memory for each of them, at most, that counting takes."""
MEMORY = MemoryBudget.of("3GB")
"""What counting may use where nobody says how much; DuckDB may use half of it, and spills the rest to disk."""
PIECE = 1 << 18
"""Rows that are read at once: the memory of a few is used again and again."""


def counted_files(
    files: Sequence[Path], fields: pa.Schema, rows: int, schema: Schema, progress: Progress | None = None,
    budget: MemoryBudget | None = None,
) -> PublishedTable:  # fmt: skip
    """Parquet files with these columns, in the order of their names, as one table; `schema` is the recipe's."""
    max_values = MAX_VALUES if budget is None else min(MAX_VALUES, budget.for_data // VALUE_BYTES)
    runs = runs_of(row_groups(files, fields, progress), fields.names, schema, max_values)
    return runs or ParquetTable.open(files, fields, rows, schema, progress, budget)


@dataclass(frozen=True, eq=False)
class ParquetTable(LazySource):
    """Parquet files on DuckDB: values have the types of the files' `fields`, in the canonical form of `schema`."""

    files: tuple[Path, ...] = ()
    fields: pa.Schema = field(default_factory=lambda: pa.schema([]), repr=False)
    schema: Schema = field(default_factory=Schema, repr=False)

    formats: Sequence[Format] = ()

    @classmethod
    def open(
        cls, files: Sequence[Path], fields: pa.Schema, rows: int, schema: Schema, progress: Progress | None,
        budget: MemoryBudget | None = None,
    ) -> ParquetTable:  # fmt: skip
        native = DuckDB.within(budget or MEMORY)
        return cls(
            native.numbered(native.parquet(files)), list(fields.names), native,
            budget=budget or MemoryBudget.for_cells(memory.MAX_TUPLES, len(fields)), progress=progress, row_count=rows,
            files=tuple(files), fields=fields, schema=schema,
        )  # fmt: skip

    def fetch(self, frame: Frame, what: str) -> pa.Table:
        fetched = super().fetch(frame, what)
        types = dict(zip(self.aliases.values(), self.fields.types, strict=True))
        return fetched.cast(pa.schema([(each.name, types.get(each.name, each.type)) for each in fetched.schema]))

    def _spelled(self, name: str) -> ValueDictionary:
        spelled = super()._spelled(name)
        column = replace(spelled.column, values=spelled.values.cast(self.fields.field(name).type))  # in its time zone
        return spelled.recoded(in_order(canonical(column), self.schema))

    def is_respelled(self, name: str) -> bool:
        return False  # published values have one spelling

    def type_of(self, name: str) -> pa.DataType:
        """The narrowest type that holds the values: the widest one that a piece of the column needs."""
        if name in self.cache.spelled:
            return self.cache.spelled[name].values.type
        widest, needed = plain_piece(name, pa.nulls(0, self.fields.field(name).type)).type, pa.string()
        for piece in batches(self.files, self.fields, self.progress, [name]):
            values = plain_piece(name, piece.column(0))
            if values.null_count < len(values):
                needed = narrowest(values.unique()).type
            if needed == widest:
                break
        return needed

    def too_many(self, names: Sequence[str], max_cells: int) -> str:
        return (
            f"the release has more than {max_cells:,} distinct combinations of {', '.join(map(repr, names))}, the "
            "maximum that can be checked: generalize them further, or leave a column out"
        )

    def rows_stay(self) -> BadInput:
        return only_counted(self.rows)

    def pieces(self, rows: int) -> Generator[pa.Table, None, None]:
        """Yield the rows as they are written: columns of few distinct texts are dictionary-encoded."""
        texts = [name for name in self.names if pa.types.is_string(self.fields.field(name).type)]
        few = {name: self.domain(name).values for name in texts if self.sizes([name]).distinct <= FEW_TEXTS}
        left = self.fields.empty_table()
        for batch in batches(self.files, self.fields, self.progress):
            left = pa.concat_tables([left, _decoded(batch)])
            while left.num_rows >= rows:
                yield _coded_piece(left.slice(0, rows), few)
                left = left.slice(rows)
        if left.num_rows:
            yield _coded_piece(left, few)

    def in_order(self) -> bool:
        last: pa.RecordBatch | None = None
        for batch in batches(self.files, self.fields, self.progress):
            if last is not None:
                seam = pa.concat_tables([_decoded(last.slice(last.num_rows - 1)), _decoded(batch.slice(0, 1))])
                if not _is_sorted(seam.combine_chunks().to_batches()[0]):
                    return False
            if not _is_sorted(batch):
                return False
            last = batch
        return True

    def write(self, folder: Path, name: str, format: Format, progress: Progress) -> None:
        raise BadInput("these rows are already in files")


def batches(
    files: Sequence[Path], fields: pa.Schema, progress: Progress | None, names: Sequence[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of Parquet files; texts are dictionary-encoded."""
    return chain.from_iterable(row_groups(files, fields, progress, names))


def row_groups(
    files: Sequence[Path], fields: pa.Schema, progress: Progress | None, names: Sequence[str] | None = None
) -> Iterator[Iterator[pa.RecordBatch]]:
    """Yield the rows of each row group, which several threads may read."""
    texts = [column.name for column in fields if pa.types.is_string(column.type)]

    def rows_of(path: Path, metadata: pa.parquet.FileMetaData, group: int) -> Iterator[pa.RecordBatch]:
        with pa.parquet.ParquetFile(path, read_dictionary=texts, memory_map=True, metadata=metadata) as file:
            for batch in file.iter_batches(batch_size=PIECE, row_groups=[group], columns=names):
                if progress is not None:
                    progress.check("reading the published rows")
                if batch.num_rows:
                    yield batch

    for path in files:
        metadata = pa.parquet.read_metadata(path, memory_map=True)
        for group in range(metadata.num_row_groups):
            yield rows_of(path, metadata, group)


def runs_of(
    parts: Iterable[Iterable[pa.RecordBatch]], names: Sequence[str], schema: Schema, max_values: int
) -> InMemoryTable | None:
    """Return a table with one row per run, and the lengths of the runs; None if they have more than `max_values`. Parts
    are read in threads."""
    counted_values: list[int] = []

    def first_rows(part: Iterable[pa.RecordBatch]) -> list[tuple[list[pa.Array], np.ndarray]]:
        """The first row of each run of a part, column by column, and the lengths of the runs."""
        runs = []
        for batch in part:
            starts = _starts(chain.from_iterable(map(_comparable, batch.columns)), batch.num_rows)
            counted_values.append(len(starts) * len(names))
            if sum(counted_values) > max_values:
                break
            runs.append(([c.take(numbers(starts)) for c in batch.columns], np.diff(starts, append=batch.num_rows)))
        return runs

    runs = list(chain.from_iterable(each_in_threads(first_rows, list(parts))))
    if sum(counted_values) > max_values or not runs:
        return None

    def coded(index: int) -> Column:
        coder = Coder(names[index])
        for firsts, _ in runs:
            column = firsts[index]
            coder.add(column if pa.types.is_dictionary(column.type) else plain_piece(coder.name, column))
        return published_table(Table((coder.finish(),)), schema).columns[0]

    counts = np.concatenate([lengths for _, lengths in runs])
    columns = by_column(coded, range(len(names)), len(counts))
    return _joined_runs(columns, counts, np.cumsum([len(lengths) for _, lengths in runs])[:-1])


def _joined_runs(columns: Sequence[Column], counts: np.ndarray, seams: np.ndarray) -> InMemoryTable:
    """The table of these runs; of equal ones on both sides of a seam, where a piece ended, one is made."""
    for column in columns:
        seams = seams[column.codes[seams] == column.codes[seams - 1]]
    if len(seams):
        is_first = np.ones(len(counts), dtype=bool)
        is_first[seams] = False
        columns = by_column(lambda column: replace(column, codes=column.codes[is_first]), columns, len(counts))
        counts = np.add.reduceat(counts, np.flatnonzero(is_first))
    return InMemoryTable(Table(tuple(columns)), counts)


def _comparable(column: pa.Array) -> Iterator[np.ndarray]:
    """Yield arrays that differ from one row to the next wherever the values of a column do."""
    if pa.types.is_primitive(column.type) and column.type.bit_width >= 8 and column.buffers()[1] is not None:
        values = np.frombuffer(column.buffers()[1], dtype=f"i{column.type.bit_width // 8}")
        yield values[column.offset : column.offset + len(column)]
        if column.null_count:  # whose values may be anything
            yield column.is_valid().to_numpy(zero_copy_only=False)
        return
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    yield filled(encoded.indices, len(encoded.dictionary))


def _coded(batch: pa.RecordBatch) -> list[tuple[pa.DictionaryArray, np.ndarray]]:
    """Each column, dictionary-encoded, with its codes; the code of a missing value is the number of values."""
    columns = [
        column if pa.types.is_dictionary(column.type) else plain_piece(name, column).dictionary_encode()
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    ]
    return [(column, filled(column.indices, len(column.dictionary))) for column in columns]


def _starts(columns: Iterable[np.ndarray], rows: int) -> np.ndarray:
    """The indices of the rows that differ from the row before them."""
    is_start = np.zeros(rows, dtype=bool)
    is_start[:1] = True
    for codes in columns:
        is_start[1:] |= codes[1:] != codes[:-1]
    return np.flatnonzero(is_start)


def _is_sorted(batch: pa.RecordBatch) -> bool:
    """Whether the rows are sorted. Only the first row of each run is compared, because equal rows are frequent."""
    columns = _coded(batch)
    starts = _starts([codes for _, codes in columns], batch.num_rows)
    ranks = (_ranks(column.dictionary)[codes[starts]] for column, codes in columns)
    return is_in_order(ranks, len(starts))


def _ranks(values: pa.Array) -> np.ndarray:
    """The rank of each value, and as last entry the highest rank, which a missing value has."""
    ranks = ranks_of(values)
    return np.append(ranks, len(ranks) + 1)


def _coded_piece(piece: pa.Table, few: Mapping[str, pa.Array]) -> pa.Table:
    """The rows with the columns in `few`, whose values these are, as they are written."""
    columns = {
        name: piece_of(few[name], pc.index_in(column, value_set=few[name]).to_numpy()) if name in few else column
        for name, column in zip(piece.schema.names, piece.columns, strict=True)
    }
    return pa.table(columns)


def _decoded(batch: pa.RecordBatch) -> pa.Table:
    columns = [c.dictionary_decode() if pa.types.is_dictionary(c.type) else c for c in batch.columns]
    return pa.table(dict(zip(batch.schema.names, columns, strict=True)))
