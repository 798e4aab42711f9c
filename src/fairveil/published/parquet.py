"""Published tables that may be larger than memory.

PendingTable  rows on an engine that will write them
ParquetTable  rows in Parquet files, counted by DuckDB

Only distinct tuples are loaded, at most `MAX_TUPLES`. The order of the rows is checked piece by piece, file by file.
Types and missing values are decided by the same code as for a table in memory.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from fairveil.counting.ordering import is_in_order, ranks_of
from fairveil.data.arrow import filled, plain
from fairveil.data.canonical import published_table
from fairveil.data.coding import Coder
from fairveil.data.readers import plain_piece
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.data.types import narrowest
from fairveil.data.writers import Format, piece_rows, write_pieces
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.engines.native import interruptible
from fairveil.engines.source import PublishedRows
from fairveil.errors import BadInput
from fairveil.progress import Progress
from fairveil.published.published_table import CountedTable, InMemoryTable, Sizes, most_frequent
from fairveil.published.run_length import as_dictionary, runs_of

if TYPE_CHECKING:
    import duckdb

MAX_TUPLES = 1 << 23
"""Maximum number of distinct tuples that are loaded into memory."""
MEMORY = MemoryBudget.of("3GB")
"""DuckDB may use half of it; the rest spills to disk."""
PIECE = 1 << 20
"""Rows that are read at once."""


class PendingTable(CountedTable):
    """Published rows on an engine; `schema` is the recipe's schema."""

    formats: Sequence[Format] = ("parquet", "parts")

    def __init__(self, engine_rows: PublishedRows, schema: Schema, together: Iterable[str]) -> None:
        names = list(engine_rows.schema.names)
        super().__init__(name for name in together if name in names)
        self.engine_rows, self.schema, self.rows, self.names = engine_rows, schema, engine_rows.rows, names
        self.types = {field.name: str(field.type) for field in engine_rows.schema}

    def distinct(self, names: Sequence[str]) -> InMemoryTable:
        return InMemoryTable(*self.engine_rows.count(names))

    def in_order(self) -> bool:
        return True  # the engine sorts them, and the written files are checked again

    def in_pieces(self) -> tuple[pa.Schema, Generator[pa.Table, None, None]]:
        return self.engine_rows.schema, self.engine_rows.pieces(piece_rows())

    def write(self, folder: Path, name: str, format: Format, progress: Progress) -> None:
        progress.check(f"writing {name}")
        with closing(self.engine_rows.pieces(piece_rows())) as pieces:  # cancelling ends the query
            write_pieces(pieces, self.rows, self.engine_rows.schema, folder, name, format, progress)


class ParquetTable(CountedTable):
    """Parquet files with the same columns, in the order of their names; `schema` is the recipe's schema."""

    formats: Sequence[Format] = ()

    def __init__(
        self, files: Sequence[Path], schema: Schema, together: Iterable[str], progress: Progress | None = None
    ) -> None:
        super().__init__(together)
        self.files, self.schema, self.progress = tuple(files), schema, progress or Progress()
        with pa.parquet.ParquetFile(files[0]) as first:
            self.fields: pa.Schema = first.schema_arrow
        self.names = list(self.fields.names)
        self._sizes: dict[tuple[str, ...], Sizes] = {}
        self._frequent: dict[tuple[str, int], tuple[list[Any], int]] = {}
        self.rows = sum(pa.parquet.read_metadata(file).num_rows for file in files)

    @cached_property
    def types(self) -> Mapping[str, str]:  # type: ignore[override]
        """The narrowest type that holds the values of each column, loaded or not."""
        if self._whole is not None:
            return self._whole.types
        loaded = self.loaded(self.together).types
        return {name: loaded[name] if name in loaded else self._narrowest(name) for name in self.names}

    def _narrowest(self, name: str) -> str:
        """The widest type that a piece of the column needs."""
        kind, seen = plain_piece(name, pa.nulls(0, self.fields.field(name).type)).type, []
        for piece in self._pieces([name]):
            values = plain_piece(name, piece.column(0))
            if values.null_count == len(values):
                continue
            needed = narrowest(values.unique() if len(values) else values).type
            if needed == kind:
                return str(kind)
            seen.append(needed)
        return str(seen[-1]) if seen else "string"

    @cached_property
    def _whole(self) -> InMemoryTable | None:
        """All rows, run-length encoded; None if there are too many runs."""
        runs = runs_of(self._pieces(), self.names)
        return None if runs is None else InMemoryTable(published_table(runs[0], self.schema), runs[1])

    def distinct(self, names: Sequence[str]) -> InMemoryTable:
        if self._whole is not None:
            self._need(names)
            cells = self._whole.count(names)
            return InMemoryTable(cells.table(), cells.counts)
        with self._engine() as engine:
            self._group(engine, names)
            [(number,)] = engine.sql("SELECT count(*) FROM grouped").fetchall()
            if number > MAX_TUPLES:
                raise BadInput(
                    f"the release has {number:,} distinct combinations of {', '.join(map(repr, names))}, and at most "
                    f"{MAX_TUPLES:,} can be checked: generalize them further, or leave a column out"
                )
            table = engine.sql("FROM grouped").to_arrow_table()
        counts = plain(table.column("n").combine_chunks().cast(pa.int64())).copy()
        return InMemoryTable(self._coded(names, table), counts)

    def _coded(self, names: Sequence[str], table: pa.Table) -> Table:
        columns = []
        for place, name in enumerate(names):
            coder = Coder(name)
            coder.add(plain_piece(name, table.column(place).cast(self.fields.field(name).type)))
            columns.append(coder.finish())
        return published_table(Table(tuple(columns)), self.schema)

    def sizes(self, names: Sequence[str]) -> Sizes:
        if self.is_here(names) or self._whole is not None:
            return super().sizes(names)
        if tuple(names) not in self._sizes:
            with self._engine() as engine:
                self._group(engine, names)
                groups = engine.sql("SELECT n, count(*) FROM grouped GROUP BY n ORDER BY n").fetchall()
            self._sizes[tuple(names)] = dict(groups)
        return self._sizes[tuple(names)]

    def frequent(self, name: str, most: int) -> tuple[list[Any], int]:
        if self.is_here([name]) or self._whole is not None:
            return super().frequent(name, most)
        if (name, most) not in self._frequent:
            with self._engine() as engine:
                self._group(engine, [name])
                [(different,)] = engine.sql("SELECT count(*) FROM grouped").fetchall()
                top = engine.sql(f"SELECT n FROM grouped ORDER BY n DESC LIMIT {most}").fetchall()
                batches = engine.sql(f"SELECT * FROM grouped WHERE n >= {top[-1][0]}").to_arrow_reader(PIECE)
                self._frequent[name, most] = most_frequent(self._pairs(name, batches), most), int(different)
        return self._frequent[name, most]

    def _pairs(self, name: str, batches: Iterable[pa.RecordBatch]) -> Iterator[tuple[Any, float]]:
        for batch in batches:
            values = plain_piece(name, batch.column(0).cast(self.fields.field(name).type))
            yield from zip(narrowest(values).to_pylist(), batch.column(1).to_pylist(), strict=True)

    @contextmanager
    def _engine(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """DuckDB with bounded memory; cancelling interrupts it."""
        from fairveil.engines.duckdb import DuckDB

        database = DuckDB.within(MEMORY)
        with interruptible(database, self.progress, "counting the published rows"):
            yield database.connection

    def _group(self, engine: duckdb.DuckDBPyConnection, names: Sequence[str]) -> None:
        """Count the tuples of these columns into the table `grouped`, on disk if necessary."""
        self._need(names)
        # columns by position: DuckDB's column names are case-insensitive
        keys = [f"c{self.names.index(name)}" for name in names]
        every = ", ".join(f"c{place}" for place in range(len(self.names)))
        files = ", ".join(_path(file) for file in self.files)
        grouped = f"SELECT {', '.join([*keys, 'count(*) AS n'])} FROM read_parquet([{files}]) AS data({every})"
        try:
            engine.sql(f"CREATE TEMP TABLE grouped AS {grouped}" + (f" GROUP BY {', '.join(keys)}" if keys else ""))
        except Exception as problem:
            raise BadInput(f"the data cannot be counted: {str(problem).splitlines()[0][:200]}") from None

    def _need(self, names: Sequence[str]) -> None:
        missing = [name for name in names if name not in self.names]
        if missing:
            raise BadInput(f"the data has no column {missing[0]!r}")

    def _pieces(self, names: Sequence[str] | None = None) -> Iterator[pa.RecordBatch]:
        texts = [field.name for field in self.fields if pa.types.is_string(field.type)]
        for file in self.files:
            with pa.parquet.ParquetFile(file, read_dictionary=texts, memory_map=True) as source:
                for piece in source.iter_batches(batch_size=PIECE, columns=names):
                    self.progress.check("reading the published rows")
                    if piece.num_rows:
                        yield piece

    def write(self, folder: Path, name: str, format: Format, progress: Progress) -> None:
        raise BadInput("these rows are already in files")

    def in_pieces(self) -> tuple[pa.Schema, Generator[pa.Table, None, None]]:
        return self.fields, (_decoded(piece) for piece in self._pieces())

    def in_order(self) -> bool:
        if self._whole is not None:
            return self._whole.in_order()
        last: pa.RecordBatch | None = None
        for piece in self._pieces():
            if last is not None:
                seam = pa.concat_tables([_decoded(last.slice(last.num_rows - 1)), _decoded(piece.slice(0, 1))])
                if not _sorted(seam.combine_chunks().to_batches()[0]):
                    return False
            if not _sorted(piece):
                return False
            last = piece
        return True


def _sorted(piece: pa.RecordBatch) -> bool:
    """Whether the rows are sorted. Only the first row of each run is compared, because equal rows are frequent."""
    coded = [as_dictionary(name, column) for name, column in zip(piece.schema.names, piece.columns, strict=True)]
    codes = [filled(column.indices, len(column.dictionary)) for column in coded]
    fresh = np.zeros(piece.num_rows, dtype=bool)
    for column in codes:
        fresh[1:] |= column[1:] != column[:-1]
    fresh[:1] = True
    starts = np.flatnonzero(fresh)
    ranks = (_ranks(column.dictionary)[places[starts]] for column, places in zip(coded, codes, strict=True))
    return is_in_order(ranks, len(starts))


def _ranks(values: pa.Array) -> np.ndarray:
    """The rank of each value, and as last entry the highest rank, which a missing value has."""
    places = ranks_of(values)
    return np.append(places, len(places) + 1)


def _decoded(piece: pa.RecordBatch) -> pa.Table:
    columns = [c.dictionary_decode() if pa.types.is_dictionary(c.type) else c for c in piece.columns]
    return pa.table(dict(zip(piece.schema.names, columns, strict=True)))


def _path(file: Path) -> str:
    """A path as a DuckDB string literal, with wildcard characters escaped."""
    escaped = "".join(f"[{character}]" if character in "*?[" else character for character in str(file.absolute()))
    return "'" + escaped.replace("'", "''") + "'"
