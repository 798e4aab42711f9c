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

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import RLock
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from fairveil.counting.cells import Cells
from fairveil.data.arrow import numbers
from fairveil.data.dialect import Dialect, Missing
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table, narrow
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.engines.native import EngineAdapter, Frame, interruptible
from fairveil.engines.source import Order, Sink, Spread, TooManyCells
from fairveil.engines.value_dictionary import CellReader, ValueDictionary, plain_values
from fairveil.errors import BadInput, suggest
from fairveil.messages import option
from fairveil.plural import counted
from fairveil.progress import Progress
from fairveil.recipes.change import Change


@dataclass
class EngineCache:
    """Earlier results: distinct tuples in the engine's spelling, with counts, and the values of columns."""

    tuples: dict[tuple[str, ...], pa.Table] = field(default_factory=dict)
    spelled: dict[str, ValueDictionary] = field(default_factory=dict)
    cells: dict[tuple[str, ...], Cells] = field(default_factory=dict)
    spreads: dict[tuple[tuple[str, ...], bool], Spread] = field(default_factory=dict)
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
    reading: CellReader = field(default_factory=CellReader)
    budget: MemoryBudget = field(default_factory=MemoryBudget)
    dropped: int = 0
    kind: str = "pyarrow"
    fixed: Schema | None = None
    merged: Mapping[str, np.ndarray] = field(default_factory=dict, repr=False)
    finer: LazySource | None = field(default=None, repr=False)
    progress: Progress | None = field(default=None, repr=False)
    known: EngineCache = field(default_factory=EngineCache, repr=False)

    has_rows = False

    @property
    def inferred(self) -> frozenset[str]:
        return self.reading.inferred

    @classmethod
    def of(cls, frame: Frame, native: EngineAdapter, **options: Any) -> LazySource:
        names = list(frame.collect_schema())
        return cls(native.numbered(frame), names, native, **options)

    @property
    def dialect(self) -> Dialect | None:
        """How the files were read."""
        return self.reading.dialect

    def only(self, names: Sequence[str]) -> LazySource:
        """Only these columns, in this order."""
        chosen = [nw.col(self.place[name]).alias(f"c{number}") for number, name in enumerate(names)]
        return replace(self, frame=self.frame.select(*chosen), names=list(names), known=EngineCache())

    def without_missing(self) -> LazySource:
        """The rows without missing values."""
        complete = self.frame.filter(*(~self.is_missing(name) for name in self.names))
        kept = replace(self, frame=complete, known=EngineCache())
        dropped = self.rows - kept.rows
        if not kept.rows:
            raise BadInput(f"every row has a missing value, so {option('missing', 'drop')} leaves nothing")
        return replace(kept, dropped=dropped)

    @cached_property
    def place(self) -> Mapping[str, str]:
        """The names of the columns on the engine."""
        return {name: f"c{place}" for place, name in enumerate(self.names)}

    @cached_property
    def types(self) -> Mapping[str, nw.dtypes.DType]:
        return dict(zip(self.names, self.frame.collect_schema().values(), strict=True))

    @cached_property
    def rows(self) -> int:
        if self.known.tuples:
            return int(next(iter(self.known.tuples.values()))["rows"].to_numpy().sum())
        return int(self.fetch(self.frame.select(nw.len().alias("rows")), "counting the rows")["rows"][0].as_py())

    def fetch(self, frame: Frame, what: str) -> pa.Table:
        """Fetch the rows of a frame of this engine: cells or figures, never rows of the source."""
        with self.known.lock, interruptible(self.native, self.progress, what):
            return self.native.fetch(frame)

    def is_missing(self, name: str) -> nw.Expr:
        """Whether a value is missing. NaN is tested as text: DuckDB 2.0 filters on Parquet files get isnan wrong."""
        column, kind = nw.col(self.place[name]), self.types[name]
        missing = column.is_null()
        if kind.is_float():
            missing = missing | (column.cast(nw.String).str.to_lowercase() == "nan").fill_null(False)
        if isinstance(kind, nw.String) and (texts := self.reading.missing_texts(name)):
            missing = missing | column.is_in(texts).fill_null(False)
        return missing

    def need(self, names: Sequence[str]) -> None:
        """Raise BadInput for columns that do not exist or have nested or binary values."""
        for name in names:
            if name not in self.place:
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
        with self.known.lock:
            if names not in self.known.tuples:
                self.need(names)
                most = self.budget.cells(len(names))
                columns = [self.place[name] for name in names]
                grouped = self._merged(names).group_by(*columns).agg(nw.len().cast(nw.Int64).alias("rows"))
                table = self.fetch(grouped.head(most + 1), f"counting {counted(len(names), 'column')}")
                if table.num_rows > most:
                    raise TooManyCells(self._too_many(names, most))
                if table.num_rows == 0:
                    raise BadInput("the table has a header but no rows")
                self.known.tuples[names] = table.combine_chunks()
            return self.known.tuples[names]

    def _merged(self, names: Sequence[str]) -> Frame:
        """The frame, with codes instead of values in merged columns."""
        frame = self.frame
        for name in names:
            if name in self.merged:
                at, spelled = self.place[name], self.spelled(name)
                lookup = pa.table({f"{at}_key": spelled.known, f"{at}_code": numbers(spelled.codes)})
                frame = self.native.look_up(frame, at, lookup)
                frame = frame.with_columns(nw.col(f"{at}_code").fill_null(spelled.missing).alias(at))
        return frame

    def _too_many(self, names: Sequence[str], most: int) -> str:
        tuples = self.distinct(names)
        what = f"column {names[0]!r} has" if len(names) == 1 else f"the columns {', '.join(map(repr, names))} have"
        return (
            f"{what} {tuples:,} distinct {'values' if len(names) == 1 else 'combinations'}, and {most:,} fit into the "
            f"memory of {self.budget}: allow more memory, generalize columns, or leave some out"
        )

    def distinct(self, names: Sequence[str]) -> int:
        """The number of distinct tuples, counted on the engine."""
        tuples = self._merged(names).group_by(*(self.place[name] for name in names)).agg(nw.len().alias("rows"))
        answer = self.fetch(tuples.select(nw.len().alias("distinct")), "counting combinations")
        return int(answer["distinct"][0].as_py())

    def spelled(self, name: str) -> ValueDictionary:
        """The values of a column in the engine's spelling, and their codes."""
        with self.known.lock:
            if name in self.merged and name not in self.known.spelled:
                assert self.finer is not None
                finer = self.finer.spelled(name)
                self.known.spelled[name] = finer.recoded(Column(name, self.merged[name], finer.values))
            if name not in self.known.spelled:
                counted_with = [names for names in self.known.tuples if name in names]
                table = self.tuples(min(counted_with, key=lambda names: len(self.known.tuples[names]), default=(name,)))
                spelled = ValueDictionary.of(name, table[self.place[name]], table["rows"].to_numpy(), self.reading)
                if self.fixed is not None and name in self.fixed.levels:
                    spelled = spelled.recoded(self.fixed.at_levels(Table((spelled.column,))).column(name))
                self.known.spelled[name] = spelled
            return self.known.spelled[name]

    def domain(self, name: str) -> Column:
        return self.spelled(name).column

    def type_of(self, name: str) -> pa.DataType:
        self.need([name])
        if name in self.reading.inferred and name in self.known.spelled:
            return self.known.spelled[name].values.type
        empty = self.fetch(self.frame.select(self.place[name]).head(0), "reading a type")
        return plain_values(name, empty.column(0)).type

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        key = tuple(dict.fromkeys(names))
        with self.known.lock:
            if key not in self.known.cells:
                cells = self._rolled_up(key) or Cells.of(self.coded(key), key, counts=self.counts(key))
                order = np.lexsort([cells.codes[name] for name in reversed(key)]) if key else np.arange(len(cells))
                codes = {name: column[order] for name, column in cells.codes.items()}
                self.known.cells[key] = replace(cells, codes=codes, counts=cells.counts[order])
            cells = self.known.cells[key]
        return replace(cells, levels=levels) if levels else cells

    def _rolled_up(self, names: tuple[str, ...]) -> Cells | None:
        """The cells aggregated from cached cells of more columns; None if there are none."""
        finer = [cells for key, cells in self.known.cells.items() if set(names) < set(key)]
        if not finer:
            return None
        cells = min(finer, key=len)
        return Cells.of(cells.table(), names, counts=cells.counts)

    def counts(self, names: tuple[str, ...]) -> np.ndarray:
        """The counts of the distinct tuples."""
        rows: np.ndarray = self.tuples(names)["rows"].to_numpy()
        return rows

    def coded(self, names: tuple[str, ...]) -> Table:
        """The distinct tuples in the engine's spelling as codes; several may be the same cell."""
        table = self.tuples(names)
        columns = []
        for name in names:
            spelled, values = self.spelled(name), table[self.place[name]]
            codes = values.to_numpy() if name in self.merged else spelled.encode(values)
            columns.append(Column(name, narrow(codes, len(spelled.values)), spelled.values))
        return Table(tuple(columns), self.kind)

    def spread(self, names: Sequence[str], *, named: bool = False) -> Spread:
        """Count on the engine, unless several spellings may be one value."""
        key = (tuple(names), named)
        with self.known.lock:
            if key not in self.known.spreads:
                self.known.spreads[key] = self._spread(names, named)
            return self.known.spreads[key]

    def _spread(self, names: Sequence[str], named: bool) -> Spread:
        self.need(names)
        merged = any(name in self.reading.inferred or self.types[name].is_float() for name in names)
        if merged or self.fixed is not None or tuple(names) in self.known.tuples:
            try:
                return Spread.of(self, names, named)
            except TooManyCells:  # then count spellings
                pass
        frame = self.frame.filter(*(~self.is_missing(name) for name in names)) if named else self.frame
        if len(names) == 1 and named and self.types[names[0]].is_integer():
            with self.known.lock, interruptible(self.native, self.progress, "counting values"):
                alone = self.native.all_differ(self.frame, self.place[names[0]])
            if alone is not None:
                return Spread(alone, alone, min(alone, 1), 0)
        sizes = frame.group_by(*(self.place[name] for name in names)).agg(nw.len().cast(nw.Int64).alias("rows"))
        # an aggregation may use a column only once: each figure has its own column
        sizes = sizes.select(
            nw.col("rows").alias("most"),
            nw.when(nw.col("rows") == 1).then(nw.lit(1)).otherwise(nw.lit(0)).alias("alone"),
            nw.when(nw.col("rows") > 1).then(nw.col("rows")).otherwise(nw.lit(0)).alias("together"),
        )
        answer = sizes.select(
            nw.len().alias("distinct"), nw.col("most").max(), nw.col("alone").sum(), nw.col("together").sum()
        )
        [figures] = self.fetch(answer, "counting combinations").to_pylist()
        return Spread(*(int(figures[part] or 0) for part in ("distinct", "alone", "most", "together")))

    def blocks(self, names: Sequence[str] | None = None) -> Iterator[Table]:
        raise BadInput(
            f"the rows stay on {self.native.name}, and this needs them: use a method that counts, or "
            f"{option('engine', 'memory')}"
        )

    def watched(self, progress: Progress | None) -> LazySource:
        return self if progress is None else replace(self, progress=progress)

    def at_levels(self, schema: Schema) -> LazySource:
        levels = {name: level for name, level in schema.levels.items() if name in self.names}
        if not levels:
            return self
        same = {name: spelled for name, spelled in self.known.spelled.items() if name not in levels}
        known = EngineCache(self.known.tuples, same, spreads=dict(self.known.spreads))
        return replace(self, fixed=schema, known=known)

    def publish(self, change: Change, sink: Sink, *, order: Order = "sorted") -> None:
        from fairveil.engines.publishing import publish

        publish(self, change, sink, order)

    def fingerprint(self) -> str:
        digest, cells = hashlib.sha256(), self.count(self.names)
        for name in self.names:
            values = self.domain(name).values
            digest.update(json.dumps([name, str(values.type), [str(value) for value in values.to_pylist()]]).encode())
            digest.update(np.ascontiguousarray(cells.codes[name], dtype=np.int64).tobytes())
        digest.update(np.ascontiguousarray(cells.counts, dtype=np.int64).tobytes())
        return digest.hexdigest()


def dropping(source: LazySource, missing: Missing) -> LazySource:
    """The source with missing values as a separate category, or without their rows."""
    if missing not in ("category", "drop"):
        raise BadInput(f"{option('missing')} must be 'category' or 'drop', not {missing!r}")
    return source if missing == "category" else source.without_missing()
