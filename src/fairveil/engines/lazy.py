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

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from fairveil.counting.cells import Cells
from fairveil.counting.threads import by_column
from fairveil.data.arrow import numbers
from fairveil.data.missing_texts import MIN_ROWS
from fairveil.data.schema import Schema
from fairveil.data.snapshot import Snapshot
from fairveil.data.table import Column, Table, narrow
from fairveil.data.types import source_type
from fairveil.engines.engine_cache import EngineCache
from fairveil.engines.engine_sizes import frequent_on_engine, sizes_on_engine
from fairveil.engines.memory import fingerprint
from fairveil.engines.memory_budget import MemoryBudget
from fairveil.engines.native import EngineAdapter, Frame, interruptible
from fairveil.engines.relation import (
    Order,
    PublishedTable,
    Sizes,
    TooManyCells,
    distinct_in_order,
    in_value_order,
    rolled_up,
)
from fairveil.engines.source_types import of_narwhals
from fairveil.engines.value_dictionary import CellReader, ValueDictionary, coded_texts, found, plain_values
from fairveil.errors import BadInput, Unpublishable, suggest
from fairveil.messages import counted, option
from fairveil.progress import Progress
from fairveil.recipes.outcome import ONLY

if TYPE_CHECKING:
    from fairveil.data.dialect import Dialect, Missing
    from fairveil.data.hierarchy import Levels
    from fairveil.engines.blocked import GroupedSource
    from fairveil.recipes.change import Change


@dataclass(frozen=True, eq=False)
class LazySource:
    """A lazy frame with columns c0, c1, …, because engines differ in the names they allow.

    `fixed` has the columns that are generalized to a fixed level. `dropped` rows had missing values. `merged` maps the
    codes of some columns of the `finer` source to those of this one (`coarser.py`). `whole` are the tables, and their
    columns, whose values decide the types of columns of text, where this source has only some of their rows.
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
    given_lazy: bool = False  # whether it was given as a lazy frame, so that published rows come back as one
    snapshot: Snapshot = field(default_factory=Snapshot, repr=False)
    whole: Mapping[str, tuple[LazySource, str]] = field(default_factory=dict, repr=False)

    has_rows = False
    ordered = False

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

    @property
    def by_cell(self) -> bool:
        return self.cell_reader.by_cell

    @classmethod
    def of(cls, frame: Frame, native: EngineAdapter, **options: Any) -> LazySource:
        names = list(frame.collect_schema())
        if not names:
            raise BadInput("the table has no columns")
        reader = options.pop("cell_reader", CellReader())
        reader = replace(reader, types={**native.source_types(frame), **reader.types})
        return cls(native.numbered(frame), names, native, reader, **options)

    @property
    def dialect(self) -> Dialect | None:
        """How the files were read."""
        return self.cell_reader.dialect

    def only(self, names: Sequence[str]) -> LazySource:
        """Only these columns, in this order."""
        chosen = [nw.col(self.aliases[name]).alias(f"c{number}") for number, name in enumerate(names)]
        return replace(self, frame=self.frame.select(*chosen), names=list(names), cache=EngineCache())

    def of_rows(self, frame: Frame) -> LazySource:
        """Some rows of this source. Columns of text have the types that all rows give them."""
        cache = EngineCache(lock=self.cache.lock)
        return replace(self, frame=frame, cache=cache, row_count=None, whole=self.typed_by)

    @property
    def typed_by(self) -> dict[str, tuple[LazySource, str]]:
        """The table and its column that decide the type of each column of text."""
        own = {name: (self, name) for name in self.cell_reader.texts if name in self.aliases}
        return own | dict(self.whole)

    def without_missing(self) -> LazySource:
        """The rows without missing values."""
        kept = self.of_rows(self.frame.filter(*(~self.is_missing(name) for name in self.names)))
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
        with self.querying(what):
            return self.native.fetch(frame)

    @contextmanager
    def querying(self, what: str) -> Iterator[None]:
        """One query at a time, which can be cancelled, of the state that the first one saw. If it fails because that
        state changed, this is what is raised."""
        with self.cache.lock, self.snapshot.explaining(), interruptible(self.native, self.progress, what):
            self.snapshot.begin()
            yield

    @contextmanager
    def batches(self, frame: Frame, what: str) -> Iterator[Iterable[pa.Table | pa.RecordBatch]]:
        """Fetch published rows or frequent values of a frame batch by batch; the query ends with the block."""
        with self.querying(what):
            fetched = self.native.batches(frame)
            try:
                yield fetched
            finally:
                getattr(fetched, "close", bool)()

    def is_missing(self, name: str) -> nw.Expr:
        """Whether a value is missing. NaN is tested as text: DuckDB 2.0 filters on Parquet files get isnan wrong."""
        column, kind = nw.col(self.aliases[name]), self.types[name]
        missing = column.is_null()
        if kind.is_float():
            missing = missing | (column.cast(nw.String).str.to_lowercase() == "nan").fill_null(False)
        if isinstance(kind, nw.String) and (texts := self.cell_reader.missing_texts(name)):
            missing = missing | column.is_in(texts).fill_null(False)
        return missing

    def often_holds(self, text: str) -> bool:
        """Whether many rows hold a text (`data/missing_texts.py`)."""
        kinds = {name: kind for name, kind in self.types.items() if name in self.cell_reader.kept or kind == nw.String}
        matches = [(nw.col(self.aliases[name]).cast(nw.String) == text).fill_null(False) for name in kinds]
        if not matches:
            return False
        rows = self.frame.filter(nw.any_horizontal(*matches, ignore_nulls=True)).select(nw.col("c0")).head(MIN_ROWS)
        return bool(self.fetch(rows, "counting missing values").num_rows == MIN_ROWS)

    def need(self, names: Sequence[str]) -> None:
        """Raise BadInput for columns that do not exist or have values that cannot be published."""
        for name in names:
            if name not in self.aliases:
                raise BadInput(suggest(name, self.names, "column"))
            kind = self.cell_reader.types.get(name) or of_narwhals(self.types[name])
            if kind is not None:
                source_type(name, kind)

    def _is_readable(self, name: str) -> bool:
        try:
            self.need([name])
        except Unpublishable:
            return False
        return True

    def tuples(self, names: tuple[str, ...]) -> pa.Table:
        """The distinct tuples in the engine's spelling; the column `rows` has their counts."""
        with self.cache.lock:
            if names not in self.cache.tuples:
                self.need(names)
                if names in self.cache.refused:
                    raise TooManyCells(self.cache.refused[names])
                max_cells = self.budget.cells(len(names))
                grouped = self.distinct_tuples(names, self.at_codes(names))
                table = self.fetch(grouped.head(max_cells + 1), f"counting {counted(len(names), 'column')}")
                self.refuse_more(names, table.num_rows)
                if table.num_rows == 0 and not self.cell_reader.by_cell:
                    raise BadInput("the table has a header but no rows")
                self.cache.tuples[names] = coded_texts(table)
            return self.cache.tuples[names]

    def refuse_more(self, names: tuple[str, ...], cells: int) -> None:
        """Raise TooManyCells if these are more cells than fit into the memory."""
        if cells > (max_cells := self.budget.cells(len(names))):
            self.cache.refused[names] = self.too_many(names, max_cells)
            raise TooManyCells(self.cache.refused[names])

    def at_codes(self, names: Sequence[str]) -> Frame:
        """The frame, with codes instead of values in merged columns."""
        codes = {name: self.spelled(name) for name in names if name in self.merged}
        columns = {name: {f"{self.aliases[name]}_code": (c.codes, c.missing)} for name, c in codes.items()}
        frame = self.looked_up(self.frame, columns)
        at_codes = [nw.col(f"{self.aliases[name]}_code").alias(self.aliases[name]) for name in codes]
        return frame.with_columns(*at_codes) if at_codes else frame

    def looked_up(self, frame: Frame, columns: Mapping[str, Mapping[str, tuple[np.ndarray, int]]]) -> Frame:
        """The frame with new columns: for each spelling of a column, a number, and the number of a missing value or -1.
        A value without an entry has null, for `found` to refuse."""
        tables, absent = {}, []
        for name, fresh in columns.items():
            at = self.aliases[name]
            lookup = {new: numbers(of_spelling) for new, (of_spelling, _) in fresh.items()}
            tables[at] = pa.table({f"{at}_key": self.spelled(name).spellings, **lookup})
            absent += [  # with the condition last, it is evaluated for few rows
                nw.coalesce(new, nw.when(self.is_missing(name)).then(nw.lit(missing, nw.Int64))).alias(new)
                for new, (_, missing) in fresh.items()
                if missing >= 0
            ]
        frame = self.native.look_up(frame, tables) if tables else frame
        return frame.with_columns(*absent) if absent else frame

    def too_many(self, names: Sequence[str], max_cells: int) -> str:
        """Why these columns cannot be counted."""
        what = f"column {names[0]!r} has" if len(names) == 1 else f"the columns {', '.join(map(repr, names))} have"
        return (
            f"{what} more than {max_cells:,} distinct {'values' if len(names) == 1 else 'combinations'}, which do not "
            f"fit into the memory of {self.budget}: allow more memory, generalize columns, or leave some out"
        )

    def count_together(self, names: Sequence[str], person: str | None = None) -> None:
        """Count these columns in one query, if their tuples are few enough, so that each one's values need none; in two
        if one of them says which `person` a row is about."""
        from fairveil.engines.person_cells import person_cells

        key = tuple(dict.fromkeys(names))
        with suppress(TooManyCells), self.cache.lock:
            cells = person_cells(self, key, person) if person in key and key not in self.cache.cells else None
            if cells is None:
                self.tuples(key)
            else:
                self.cache.cells[key] = cells

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
        if name in self.whole:
            part, column = self.whole[name]
            spelled = part.watched(self.progress).spelled(column).among(name, table[self.aliases[name]])
        else:
            spelled = ValueDictionary.of(name, table[self.aliases[name]], table["rows"].to_numpy(), self.cell_reader)
        if self.fixed is not None and self.fixed.settled(name):
            spelled = spelled.recoded(self.fixed.at_levels(Table((spelled.column,))).column(name))
        return spelled

    def domain(self, name: str) -> Column:
        return self.spelled(name).column

    def type_of(self, name: str) -> pa.DataType:
        self.need([name])
        if name in self.cell_reader.inferred and name in self.cache.spelled:
            return self.cache.spelled[name].values.type
        if name in self.cell_reader.types:
            return source_type(name, self.cell_reader.types[name])
        empty = self.fetch(self.frame.select(self.aliases[name]).head(0), "reading a type")
        return plain_values(name, empty.column(0)).type

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        key = tuple(dict.fromkeys(names))
        with self.cache.lock:
            if key not in self.cache.cells:
                self.cache.cells[key] = self._rolled_up(key) or self._counted(key)
            cells = self.cache.cells[key]
        return replace(cells, levels=levels) if levels else cells

    def _rolled_up(self, names: tuple[str, ...]) -> Cells | None:
        cells = rolled_up(self.cache.cells, names)
        return cells and in_value_order(cells)

    def _counted(self, names: tuple[str, ...]) -> Cells:
        table = self.coded(names)
        sizes = {column.name: len(column.values) for column in table.columns}
        codes, counts = distinct_in_order({c.name: c.codes for c in table.columns}, sizes, self.counts(names))
        return Cells(codes, sizes, counts, labels={column.name: column.values for column in table.columns})

    def counts(self, names: tuple[str, ...]) -> np.ndarray:
        """The counts of the distinct tuples."""
        rows: np.ndarray = self.tuples(names)["rows"].to_numpy()
        return rows

    def coded(self, names: tuple[str, ...]) -> Table:
        """The distinct tuples in the engine's spelling as codes; several may be the same cell."""
        table = self.tuples(names)

        def code(name: str) -> Column:
            dictionary, values = spelled[name], table.select([self.aliases[name]])
            codes = found(values)[0].to_numpy() if name in self.merged else dictionary.encode(values[0])
            return Column(name, narrow(codes, len(dictionary.values)), dictionary.values)

        spelled = {name: self.spelled(name) for name in names}  # with the lock that the caller may hold
        return Table(tuple(by_column(code, names, table.num_rows)), self.kind)

    def sizes(self, names: Sequence[str], *, named: bool = False) -> Sizes:
        key = (tuple(names), named)
        with self.cache.lock:
            if key not in self.cache.sizes:
                self.cache.sizes[key] = sizes_on_engine(self, names, named=named)
            return self.cache.sizes[key]

    def is_respelled(self, name: str) -> bool:
        """Whether several values of the engine may be one value."""
        intervals = pa.types.is_interval(self.cell_reader.types.get(name, pa.null()))
        return name in self.cell_reader.inferred or self.types[name].is_float() or intervals

    def distinct_tuples(self, names: Sequence[str], frame: Frame) -> Frame:
        """The distinct tuples of these columns; the column `rows` has their counts."""
        return frame.group_by(*(self.aliases[name] for name in names)).agg(nw.len().cast(nw.Int64).alias("rows"))

    def frequent(self, name: str, max_values: int) -> tuple[list[Any], int]:
        return frequent_on_engine(self, name, max_values)

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
        if reader.by_cell:
            return self
        by_cell = replace(reader, by_cell=True, decimal=reader.decimal or ".")
        whole = {name: (part.cell_by_cell(), column) for name, (part, column) in self.whole.items()}
        return replace(self, cell_reader=by_cell, cache=EngineCache(lock=self.cache.lock), whole=whole)

    def at_levels(self, schema: Schema) -> LazySource:
        if not any(map(schema.settled, self.names)):
            return self
        same = {name: spelled for name, spelled in self.cache.spelled.items() if not schema.settled(name)}
        cache = EngineCache(self.cache.tuples, self.cache.refused, same, sizes=dict(self.cache.sizes))
        return replace(self, fixed=schema, cache=cache)

    def publish(self, change: Change, *, order: Order = "sorted") -> tuple[dict[str, PublishedTable], None]:
        from fairveil.engines.publishing import published_rows

        return {ONLY: published_rows(self, change, order)}, None

    def behind(self, change: Change, names: Sequence[str]) -> LazySource:
        """These columns of the rows that a change publishes, in the codes of this source."""
        from fairveil.engines.lazy_rows import LazyRows

        return LazyRows(self, change, tuple(names)).behind()

    def holding(self, name: str, codes: np.ndarray) -> LazySource:
        """The rows with some values of a column: those whose code is marked. Rows without a value are left out."""
        at, spelled = self.aliases[name], self.spelled(name)
        chosen = self.native.bring(pa.table({"chosen": spelled.spellings.filter(numbers(codes[spelled.codes]))}))
        rows = self.frame.join(chosen, left_on=at, right_on="chosen", how="semi")
        return replace(self, frame=rows, row_count=None, cache=EngineCache(spelled=self.cache.spelled))

    def fingerprint(self) -> str:
        cells = self.count([name for name in self.names if self._is_readable(name)])
        return fingerprint(cells.table().columns, cells.counts)


def dropping(source: LazySource, missing: Missing) -> LazySource:
    """The source with missing values as a separate category, or without their rows."""
    if missing not in ("category", "drop"):
        raise BadInput(f"{option('missing')} must be 'category' or 'drop', not {missing!r}")
    return source if missing == "category" else source.without_missing()
