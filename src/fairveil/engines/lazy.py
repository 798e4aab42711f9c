"""LazySource: data on any engine as a source. Only cells and distinct values leave the engine.

>>> import polars as pl
>>> from fairveil.engines.native import PolarsAdapter
>>> people = LazySource.of(nw.from_native(pl.LazyFrame({"sex": ["F", "M", "F"], "age": [31, 40, 31]})), PolarsAdapter())
>>> cells = people.count(["sex", "age"])
>>> cells.table().to_arrow()["age"].to_pylist(), cells.counts.tolist()
([31, 40], [2, 1])

Rows are grouped by the engine's own values. Types of text and missing values are decided here, from the distinct
values, so that every engine gives the same cells as memory.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import RLock
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from fairveil.counting.cells import Cells
from fairveil.data.arrow import numbers
from fairveil.data.dialect import Dialect, Missing
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table, narrow
from fairveil.data.types import narrowest
from fairveil.engines.memory import fingerprint
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.engines.native import EngineAdapter, Frame, interruptible
from fairveil.engines.relation import (
    Order,
    PublishedTable,
    Sizes,
    TooManyCells,
    frequent_of,
    most_frequent,
    rolled_up,
    sizes_of,
)
from fairveil.engines.value_dictionary import CellReader, ValueDictionary, plain_values
from fairveil.errors import BadInput, suggest
from fairveil.messages import counted, option
from fairveil.progress import Progress
from fairveil.recipes.change import Change
from fairveil.recipes.outcome import ONLY

if TYPE_CHECKING:
    from fairveil.engines.blocked import GroupedSource


@dataclass
class EngineCache:
    """Earlier results: distinct tuples in the engine's spelling, with counts, and the values of columns."""

    tuples: dict[tuple[str, ...], pa.Table] = field(default_factory=dict)
    spelled: dict[str, ValueDictionary] = field(default_factory=dict)
    cells: dict[tuple[str, ...], Cells] = field(default_factory=dict)
    sizes: dict[tuple[tuple[str, ...], bool], Sizes] = field(default_factory=dict)
    lock: RLock = field(default_factory=RLock, repr=False)


@dataclass(frozen=True, eq=False)
class LazySource:
    """A lazy frame with columns c0, c1, …, because engines differ in the names they allow.

    `fixed` has the columns that are generalized to a fixed level. `dropped` rows had missing values. `merged` maps the
    codes of some columns of the `finer` source to those of this one (`coarser.py`).
    """

    frame: Frame = field(repr=False)
    names: list[str]
    native: EngineAdapter
    cell_reader: CellReader = field(default_factory=CellReader)
    budget: MemoryBudget = field(default_factory=MemoryBudget)
    dropped: int = 0
    kind: str = "pyarrow"
    fixed: Schema | None = None
    merged: Mapping[str, np.ndarray] = field(default_factory=dict, repr=False)
    finer: LazySource | None = field(default=None, repr=False)
    progress: Progress | None = field(default=None, repr=False)
    cache: EngineCache = field(default_factory=EngineCache, repr=False)
    row_count: int | None = None

    has_rows = False

    @property
    def engine(self) -> LazySource:
        return self

    @property
    def grouped(self) -> GroupedSource | None:
        """This source, if its rows are in groups."""
        return None

    @property
    def inferred(self) -> frozenset[str]:
        return self.cell_reader.inferred

    @property
    def decimal(self) -> str | None:
        return self.cell_reader.decimal

    @classmethod
    def of(cls, frame: Frame, native: EngineAdapter, **options: Any) -> LazySource:
        names = list(frame.collect_schema())
        return cls(native.numbered(frame), names, native, **options)

    @property
    def dialect(self) -> Dialect | None:
        """How the files were read."""
        return self.cell_reader.dialect

    def only(self, names: Sequence[str]) -> LazySource:
        """Only these columns, in this order."""
        chosen = [nw.col(self.aliases[name]).alias(f"c{number}") for number, name in enumerate(names)]
        return replace(self, frame=self.frame.select(*chosen), names=list(names), cache=EngineCache())

    def without_missing(self) -> LazySource:
        """The rows without missing values."""
        complete = self.frame.filter(*(~self.is_missing(name) for name in self.names))
        kept = replace(self, frame=complete, cache=EngineCache())
        dropped = self.rows - kept.rows
        if not kept.rows and not self.cell_reader.by_cell:
            raise BadInput(f"every row has a missing value, so {option('missing', 'drop')} leaves nothing")
        return replace(kept, dropped=dropped)

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """The names of the columns on the engine."""
        return {name: f"c{number}" for number, name in enumerate(self.names)}

    @cached_property
    def types(self) -> Mapping[str, nw.dtypes.DType]:
        return dict(zip(self.names, self.frame.collect_schema().values(), strict=True))

    @cached_property
    def rows(self) -> int:
        if self.row_count is not None:
            return self.row_count
        if self.cache.tuples:
            return int(next(iter(self.cache.tuples.values()))["rows"].to_numpy().sum())
        return int(self.fetch(self.frame.select(nw.len().alias("rows")), "counting the rows")["rows"][0].as_py())

    def fetch(self, frame: Frame, what: str) -> pa.Table:
        """Fetch the rows of a frame of this engine: cells or figures, never rows of the source."""
        with self.cache.lock, interruptible(self.native, self.progress, what):
            return self.native.fetch(frame)

    def is_missing(self, name: str) -> nw.Expr:
        """Whether a value is missing. NaN is tested as text: DuckDB 2.0 filters on Parquet files get isnan wrong."""
        column, kind = nw.col(self.aliases[name]), self.types[name]
        missing = column.is_null()
        if kind.is_float():
            missing = missing | (column.cast(nw.String).str.to_lowercase() == "nan").fill_null(False)
        if isinstance(kind, nw.String) and (texts := self.cell_reader.missing_texts(name)):
            missing = missing | column.is_in(texts).fill_null(False)
        return missing

    def need(self, names: Sequence[str]) -> None:
        """Raise BadInput for columns that do not exist or have nested or binary values."""
        for name in names:
            if name not in self.aliases:
                raise BadInput(suggest(name, self.names, "column"))
            kind = self.types[name]
            if kind.is_nested():
                raise BadInput(f"column {name!r} has type {kind}: each cell must be a single value")
            if isinstance(kind, nw.Binary | nw.Object | nw.Unknown):
                raise BadInput(
                    f"column {name!r} has {kind} values, which cannot be published: make them text, or leave it out"
                )

    def tuples(self, names: tuple[str, ...]) -> pa.Table:
        """The distinct tuples in the engine's spelling; the column `rows` has their counts."""
        with self.cache.lock:
            if names not in self.cache.tuples:
                self.need(names)
                max_cells = self.budget.cells(len(names))
                grouped = self._grouped(names, self._merged(names))
                table = self.fetch(grouped.head(max_cells + 1), f"counting {counted(len(names), 'column')}")
                if table.num_rows > max_cells:
                    raise TooManyCells(self._too_many(names, max_cells))
                if table.num_rows == 0 and not self.cell_reader.by_cell:
                    raise BadInput("the table has a header but no rows")
                self.cache.tuples[names] = table.combine_chunks()
            return self.cache.tuples[names]

    def _merged(self, names: Sequence[str]) -> Frame:
        """The frame, with codes instead of values in merged columns."""
        frame = self.frame
        for name in names:
            if name in self.merged:
                at, spelled = self.aliases[name], self.spelled(name)
                lookup = pa.table({f"{at}_key": spelled.spellings, f"{at}_code": numbers(spelled.codes)})
                frame = self.native.look_up(frame, at, lookup)
                frame = frame.with_columns(nw.col(f"{at}_code").fill_null(spelled.missing).alias(at))
        return frame

    def _too_many(self, names: Sequence[str], max_cells: int) -> str:
        tuples = self._sizes(names, named=False).distinct
        what = f"column {names[0]!r} has" if len(names) == 1 else f"the columns {', '.join(map(repr, names))} have"
        return (
            f"{what} {tuples:,} distinct {'values' if len(names) == 1 else 'combinations'}, and {max_cells:,} fit into "
            f"the memory of {self.budget}: allow more memory, generalize columns, or leave some out"
        )

    def spelled(self, name: str) -> ValueDictionary:
        """The values of a column in the engine's spelling, and their codes."""
        with self.cache.lock:
            if name not in self.cache.spelled:
                self.cache.spelled[name] = self._spelled(name)
            return self.cache.spelled[name]

    def _spelled(self, name: str) -> ValueDictionary:
        if name in self.merged:
            assert self.finer is not None
            finer = self.finer.spelled(name)
            return finer.recoded(Column(name, self.merged[name], finer.values))
        counted_with = [names for names in self.cache.tuples if name in names]
        table = self.tuples(min(counted_with, key=lambda names: len(self.cache.tuples[names]), default=(name,)))
        spelled = ValueDictionary.of(name, table[self.aliases[name]], table["rows"].to_numpy(), self.cell_reader)
        if self.fixed is not None and name in self.fixed.levels:
            spelled = spelled.recoded(self.fixed.at_levels(Table((spelled.column,))).column(name))
        return spelled

    def domain(self, name: str) -> Column:
        return self.spelled(name).column

    def type_of(self, name: str) -> pa.DataType:
        self.need([name])
        if name in self.cell_reader.inferred and name in self.cache.spelled:
            return self.cache.spelled[name].values.type
        empty = self.fetch(self.frame.select(self.aliases[name]).head(0), "reading a type")
        return plain_values(name, empty.column(0)).type

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        key = tuple(dict.fromkeys(names))
        with self.cache.lock:
            if key not in self.cache.cells:
                cells = rolled_up(self.cache.cells, key) or Cells.of(self.coded(key), key, counts=self.counts(key))
                order = np.lexsort([cells.codes[name] for name in reversed(key)]) if key else np.arange(len(cells))
                codes = {name: column[order] for name, column in cells.codes.items()}
                self.cache.cells[key] = replace(cells, codes=codes, counts=cells.counts[order])
            cells = self.cache.cells[key]
        return replace(cells, levels=levels) if levels else cells

    def counts(self, names: tuple[str, ...]) -> np.ndarray:
        """The counts of the distinct tuples."""
        rows: np.ndarray = self.tuples(names)["rows"].to_numpy()
        return rows

    def coded(self, names: tuple[str, ...]) -> Table:
        """The distinct tuples in the engine's spelling as codes; several may be the same cell."""
        table = self.tuples(names)
        columns = []
        for name in names:
            spelled, values = self.spelled(name), table[self.aliases[name]]
            codes = values.to_numpy() if name in self.merged else spelled.encode(values)
            columns.append(Column(name, narrow(codes, len(spelled.values)), spelled.values))
        return Table(tuple(columns), self.kind)

    def sizes(self, names: Sequence[str], *, named: bool = False) -> Sizes:
        """Count on the engine, unless several spellings may be one value."""
        key = (tuple(names), named)
        with self.cache.lock:
            if key not in self.cache.sizes:
                self.cache.sizes[key] = self._of_cells(names, named) or self._sizes(names, named)
            return self.cache.sizes[key]

    def _of_cells(self, names: Sequence[str], named: bool) -> Sizes | None:
        """The sizes of cells that are counted, or that have to be; None if they are too many."""
        self.need(names)
        is_counted = any(set(names) <= set(key) for key in self.cache.cells)
        if not is_counted and self.fixed is None and not any(map(self._is_respelled, names)):
            return None
        try:
            return sizes_of(self.count(names), named=named)
        except TooManyCells:  # then count spellings
            return None

    def _is_respelled(self, name: str) -> bool:
        """Whether several values of the engine may be one value."""
        return name in self.cell_reader.inferred or self.types[name].is_float()

    def _sizes(self, names: Sequence[str], named: bool) -> Sizes:
        if len(names) == 1 and named and self.types[names[0]].is_integer():
            with self.cache.lock, interruptible(self.native, self.progress, "counting values"):
                alone = self.native.all_differ(self.frame, self.aliases[names[0]])
            if alone is not None:
                return Sizes({1: alone} if alone else {})
        grouped = self._grouped(names, self._merged(names))
        if named:
            grouped = self._grouped(names, self.frame.filter(*(~self.is_missing(name) for name in names)))
        sizes = grouped.group_by("rows").agg(nw.len().cast(nw.Int64).alias("tuples"))
        answer = self.fetch(sizes, "counting combinations").sort_by("rows")
        return Sizes(zip(answer["rows"].to_pylist(), answer["tuples"].to_pylist(), strict=True))

    def _grouped(self, names: Sequence[str], frame: Frame) -> Frame:
        """The distinct tuples of these columns; the column `rows` has their counts."""
        return frame.group_by(*(self.aliases[name] for name in names)).agg(nw.len().cast(nw.Int64).alias("rows"))

    def frequent(self, name: str, max_values: int) -> tuple[list[Any], int]:
        """Fetch only frequent values if there are too many."""
        if self.sizes([name]).distinct <= self.budget.cells(1):
            return frequent_of(self.count([name]), max_values)
        sizes = self.sizes([name])
        often = self._grouped([name], self.frame).filter(nw.col("rows") >= sizes.threshold(max_values))
        with self.cache.lock, interruptible(self.native, self.progress, "reading frequent values"):
            return most_frequent(self._pairs(name, self.native.batches(often)), max_values), sizes.distinct

    def _pairs(self, name: str, batches: Iterable[pa.Table | pa.RecordBatch]) -> Iterable[tuple[Any, float]]:
        for batch in batches:
            values = plain_values(name, batch.column(self.aliases[name]))
            yield from zip(narrowest(values).to_pylist(), batch.column("rows").to_pylist(), strict=True)

    @property
    def table(self) -> Table:
        raise self.rows_stay()

    def pieces(self, rows: int) -> Generator[pa.Table, None, None]:
        raise self.rows_stay()

    def rows_stay(self) -> BadInput:
        """Why there are no rows."""
        return BadInput(
            f"the rows stay on {self.native.name}, and this needs them: use a method that counts, or "
            f"{option('engine', 'memory')}"
        )

    def watched(self, progress: Progress | None) -> LazySource:
        return self if progress is None else replace(self, progress=progress)

    def cell_by_cell(self) -> LazySource:
        reader = self.cell_reader
        by_cell = replace(reader, by_cell=True, decimal=reader.decimal or ".")
        return self if reader.by_cell else replace(self, cell_reader=by_cell, cache=EngineCache(lock=self.cache.lock))

    def at_levels(self, schema: Schema) -> LazySource:
        levels = {name: level for name, level in schema.levels.items() if name in self.names}
        if not levels:
            return self
        same = {name: spelled for name, spelled in self.cache.spelled.items() if name not in levels}
        cache = EngineCache(self.cache.tuples, same, sizes=dict(self.cache.sizes))
        return replace(self, fixed=schema, cache=cache)

    def publish(self, change: Change, *, order: Order = "sorted") -> tuple[dict[str, PublishedTable], None]:
        from fairveil.engines.publishing import published_rows

        return {ONLY: published_rows(self, change, order)}, None

    def fingerprint(self) -> str:
        cells = self.count(self.names)
        return fingerprint(cells.table().columns, cells.counts)


def dropping(source: LazySource, missing: Missing) -> LazySource:
    """The source with missing values as a separate category, or without their rows."""
    if missing not in ("category", "drop"):
        raise BadInput(f"{option('missing')} must be 'category' or 'drop', not {missing!r}")
    return source if missing == "category" else source.without_missing()
