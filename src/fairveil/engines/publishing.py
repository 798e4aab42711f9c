"""Publishing on an engine: recode, suppress and sort without a row of the source leaving it.

Equal values of a column are published as equal values, so a change is a lookup for each column. The engine joins its
rows with the lookups, leaves out suppressed cells, and packs each row into keys (`counting/packed_keys.py`). If there
are few distinct published rows, only these and their counts are fetched; otherwise the sorted keys of all rows.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from math import prod
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.counting.cells import Cells, group_of
from fairveil.counting.ordering import content_order
from fairveil.counting.packed_keys import PackedKeys
from fairveil.data import writers
from fairveil.data.arrow import numbers, plain
from fairveil.data.canonical import published_table
from fairveil.data.frames import to_kind
from fairveil.data.hierarchy import Levels
from fairveil.data.table import Column, Table, narrow
from fairveil.data.writers import Format, piece_of, piece_rows, repeated, write_pieces
from fairveil.engines.lazy import EngineCache
from fairveil.engines.memory import InMemoryTable, only_counted
from fairveil.engines.native import BATCH_ROWS, Frame
from fairveil.engines.relation import (
    Order,
    PublishedTable,
    Sizes,
    Source,
    TooManyCells,
    arrow_schema,
    distinct_in_order,
    frequent_of,
    sizes_of,
    suppressed_cells,
    without_suppressed,
)
from fairveil.engines.sorted_keys import KEY_BYTES, sorted_keys
from fairveil.engines.value_dictionary import ValueDictionary, found
from fairveil.errors import BadInput
from fairveil.messages import option
from fairveil.progress import Progress
from fairveil.recipes.change import GROUP, Change
from fairveil.recipes.outcome import settle

if TYPE_CHECKING:
    from fairveil.engines.lazy import LazySource

FEW = 4
"""Minimum number of rows per distinct published row, on average, for which counting pays off."""
MAX_TALLIED = 1 << 22
"""Maximum number of combinations of columns that are counted while the rows are fetched."""
Codes = Mapping[str, np.ndarray]


def published_rows(source: LazySource, change: Change, order: Order) -> PublishedTable:
    """The published rows: in memory with their counts if few are distinct, else on the engine until written."""
    recipe = change.recipe
    if (change.groups is not None or recipe.groups_rows or recipe.splits) and not change.staged:
        raise source.rows_stay()
    if order == "keep":
        raise BadInput(
            f"rows on {source.native.name} have no order to keep: use {option('order', 'sorted')}, or "
            f"{option('engine', 'memory')}"
        )
    names = tuple(name for name in source.names if name in recipe.schema.published)
    together = {*change.columns, *names}
    counted_sets = [key for key in source.cache.cells if together <= set(key) and not change.staged]
    if counted_sets:  # already counted: no row has to be read again
        return _counted(source, change, min(counted_sets, key=len))
    rows = LazyRows(source, change, names)
    return rows.few() or rows


def _counted(source: LazySource, change: Change, names: tuple[str, ...]) -> InMemoryTable:
    """The distinct published rows in published order, and how often each is published."""
    cells = source.count(names)
    kept = np.flatnonzero(~suppressed_cells(source, change, cells))
    in_order = cells.table().select([name for name in source.names if name in names])  # columns decide the row order
    table = replace(
        in_order, kind=source.kind, inferred=source.cell_reader.inferred, decimal=source.cell_reader.decimal
    )
    outcome = change.of_rows(table, kept, cells.counts)
    published = published_table(outcome.table, change.recipe.schema, _as_read(source, change, names))
    distinct = Cells.of(published, published.names, counts=outcome.counts)
    rows = replace(distinct.table(), kind=source.kind)
    order = content_order(rows)
    return InMemoryTable(rows.take(order).compact(), distinct.counts[order])


def _as_read(source: LazySource, change: Change, names: Sequence[str]) -> list[str]:
    inferred = source.cell_reader.inferred
    return [name for name in names if name in inferred and change.recipe.publishes_as_read(name)]


@dataclass(frozen=True)
class PublishedColumn:
    """One published column: `lookup` has the published code of each source code, or -1 if no published row has it."""

    spelled: ValueDictionary
    lookup: np.ndarray
    values: pa.Array

    @cached_property
    def ranks(self) -> np.ndarray:
        """The rank of each published value in the order of rows."""
        return plain(pc.rank(self.values, sort_keys="ascending", tiebreaker="dense")).astype(np.int64) - 1

    @cached_property
    def ordered(self) -> pa.Array:
        """The published values sorted by rank."""
        return self.values.take(numbers(np.argsort(self.ranks)))

    def looked_up(self) -> np.ndarray:
        """The rank of the published value of each spelling; arbitrary for spellings that no published row has."""
        ranks: np.ndarray = self.ranks[np.maximum(self.lookup[self.spelled.codes], 0)]
        return ranks

    @property
    def missing(self) -> int:
        """The rank of missing values, arbitrary if no published row has any; -1 if no row has."""
        return int(self.ranks[max(int(self.lookup[self.spelled.missing]), 0)]) if self.spelled.missing >= 0 else -1


@dataclass(frozen=True, eq=False)
class LazyRows:
    """The published rows of a change, on their engine, in published order, until they are written."""

    source: LazySource
    change: Change
    columns: tuple[str, ...]
    counted: dict[tuple[str, ...], InMemoryTable] = field(default_factory=dict, repr=False)
    kept: dict[tuple[str, ...], Cells] = field(default_factory=dict, repr=False)

    has_rows = False
    formats: Sequence[Format] = ("parquet", "parts")

    @property
    def names(self) -> list[str]:
        return list(self.published_columns)

    @property
    def table(self) -> Table:
        raise only_counted(self.rows)

    def type_of(self, name: str) -> pa.DataType:
        return self.published_columns[name].values.type

    def domain(self, name: str) -> Column:
        values = self.published_columns[name].ordered
        return Column(name, np.arange(len(values)), values)

    @cached_property
    def rows(self) -> int:
        if self.change.suppressed is None:
            return self.source.rows
        counts = self.source.count(self.change.columns).counts
        return int(counts[~self.change.suppressed].sum())

    @property
    def _suppresses(self) -> bool:
        return self.change.suppressed is not None and bool(self.change.suppressed.any())

    def _joined(
        self, ranked: Mapping[str, int], rows: Frame | None = None, beside: Mapping[str, int] | None = None
    ) -> Frame:
        """The published rows. `c1_rank` has the rank of the published value of a column in `ranked`, multiplied by the
        factor there, `c1_beside` its code in the source, by the factor in `beside`.

        What is looked up are products, because an engine adds faster than it multiplies.
        """
        aliases = self.source.aliases
        judged = self._judged_keys.factors if self._suppresses else {}
        origins = dict.fromkeys([*map(self._origin, self.columns), *judged])
        frame = (self.source.frame if rows is None else rows).select(*(aliases[origin] for origin in origins))
        columns: dict[str, dict[str, tuple[np.ndarray, int]]] = {origin: {} for origin in origins}
        for kind, factors in (("code", judged), ("beside", beside or {})):
            for origin, factor in factors.items():
                spelled = self.source.spelled(origin)
                columns[origin][f"{aliases[origin]}_{kind}"] = (
                    spelled.codes.astype(np.int64) * factor,
                    spelled.missing * factor,
                )
        for name, factor in ranked.items():
            column = self.published_columns[name]
            columns[self._origin(name)][f"{aliases[name]}_rank"] = column.looked_up() * factor, column.missing * factor
        frame = self.source.looked_up(frame, {origin: fresh for origin, fresh in columns.items() if fresh})
        return self._without_suppressed(frame) if judged else frame

    @cached_property
    def _judged_keys(self) -> PackedKeys:
        """The columns by whose cells rows are suppressed, as keys."""
        sizes = self.source.count(self.change.columns).sizes
        return PackedKeys.of({name: sizes[name] for name in self.change.columns})

    def _summed(self, columns: Iterable[str], kind: str) -> nw.Expr:
        """The sum of what was looked up for some columns."""
        return reduce(add, (nw.col(f"{self.source.aliases[name]}_{kind}") for name in columns))

    def _without_suppressed(self, frame: Frame) -> Frame:
        change, keys = self.change, self._judged_keys
        cells = self.source.count(change.columns)
        left_out = keys.pack({name: cells.codes[name][change.suppressed] for name in change.columns})
        names = [f"{name}_out" for name in keys.names]
        out = self.source.native.bring(pa.table({name: numbers(k) for name, k in zip(names, left_out, strict=True)}))
        named = [self._summed(c, "code").alias(name) for name, c in zip(keys.names, keys.columns, strict=True)]
        return frame.with_columns(*named).join(out, left_on=keys.names, right_on=names, how="anti")

    @cached_property
    def _by_group(self) -> Mapping[str, Column]:
        """The published value of each group, for the columns that are computed by group."""
        change = self.change
        recoded = {name: change.recipe.shown_by_group(name) for name in self.columns} if change.staged else {}
        positions = slice(None) if change.positions is None else change.positions
        return {name: replace(c, codes=c.codes[positions]) for name, c in recoded.items() if c is not None}

    def _origin(self, name: str) -> str:
        """The column of the source that a published column is computed from."""
        return GROUP if name in self._by_group else name

    @cached_property
    def published_columns(self) -> Mapping[str, PublishedColumn]:
        """The published columns, derived from a table that contains each published value once."""
        source, change, recipe = self.source, self.change, self.change.recipe
        codes_of = {origin: self._present(origin) for origin in dict.fromkeys(map(self._origin, self.columns))}
        present = {name: codes_of[self._origin(name)] for name in self.columns}
        rows = max(len(codes) for codes in present.values())
        columns = []
        for name, codes in present.items():
            padded = np.append(codes, np.full(rows - len(codes), codes[-1]))
            by_group = self._by_group.get(name)
            column = Column(name, padded, source.spelled(name).values) if by_group is None else by_group.take(padded)
            columns.append(column.compact())
        given = Table(tuple(columns), inferred=source.cell_reader.inferred, decimal=source.cell_reader.decimal)
        recoded = settle(given, recipe.schema) if change.staged else recipe.recode(given).table
        table = published_table(recoded, recipe.schema, _as_read(source, change, self.columns))
        published = {}
        for column in table.columns:
            spelled, codes = source.spelled(self._origin(column.name)), present[column.name]
            lookup = np.full(len(spelled.values), -1, dtype=np.int64)
            lookup[codes] = column.codes[: len(codes)]
            published[column.name] = PublishedColumn(spelled, lookup, column.values)
        return published

    def _present(self, name: str) -> np.ndarray:
        """The codes of a column that occur in published rows."""
        source, change = self.source, self.change
        spelled = source.spelled(name)
        if change.suppressed is None or not self._suppresses:
            return np.unique(
                np.append(spelled.codes, [spelled.missing] if spelled.missing >= 0 else []).astype(np.int64)
            )
        if name in change.columns:
            return np.unique(source.count(change.columns).codes[name][~change.suppressed])
        return self._left(name)

    def _left(self, name: str) -> np.ndarray:
        """The codes of a column that occur in rows that are not suppressed. A code with more rows than are suppressed
        needs no query."""
        source, column = self.source, self.source.aliases[name]
        spelled, suppressed = source.spelled(name), source.rows - self.rows
        rare, frame = np.ones(len(spelled.values), dtype=bool), source.frame
        if source.rows > suppressed * len(rare):  # else most are rare, and counting all does not pay off
            cells = source.count([name])
            rare = np.bincount(cells.codes[name], weights=cells.counts, minlength=len(rare)) <= suppressed
        if not rare.any():
            return np.arange(len(rare))
        if not rare.all() and (spelled.missing < 0 or not rare[spelled.missing]):
            looked_for = pa.table({"rare": spelled.spellings.filter(numbers(rare[spelled.codes]))})
            frame = frame.join(source.native.bring(looked_for), left_on=column, right_on="rare", how="semi")
        distinct = self._joined({}, frame).group_by(column).agg(nw.len().alias("rows"))
        codes = spelled.encode(source.fetch(distinct, "reading published values")[column])
        return np.union1d(np.flatnonzero(~rare), codes)

    def behind(self) -> LazySource:
        """The rows of the source that are published, with the columns of these rows, in the codes of the source."""
        source = self.source
        chosen = [nw.col(source.aliases[name]).alias(f"c{number}") for number, name in enumerate(self.columns)]
        spelled = {name: source.spelled(name) for name in self.columns}
        rows = self._joined({}).select(*chosen)
        change, cells = source.cache.published or (None, None)
        is_known = cells is not None and change is self.change and {*cells.codes} <= {*self.columns}
        known = {tuple(cells.codes): cells} if cells is not None and is_known else {}
        cache = EngineCache(spelled=spelled, cells=known)
        return replace(source, frame=rows, names=list(self.columns), row_count=self.rows, cache=cache)

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        for columns, counted in self.counted.items():
            if set(names) <= set(columns):
                return counted.count(names, levels)
        if (known := self._of_cells(names)) is not None:
            return self.counted.setdefault(tuple(names), known).count(names, levels)
        keys, max_cells = self._keys(names), self.source.budget.cells(len(names))
        grouped = self.source.fetch(self._grouped(keys).head(max_cells + 1), "counting published rows")
        if grouped.num_rows > max_cells:
            raise TooManyCells(self.source.too_many(names, max_cells))
        fetched = self._distinct(keys, grouped)
        return self.counted.setdefault(tuple(names), fetched).count(names, levels)

    def _of_cells(self, names: Sequence[str]) -> InMemoryTable | None:
        """The distinct values of these columns in published order, from cells that are counted; None if none are."""
        source, needed = self.source, {*map(self._origin, names), *self.change.columns}
        finer = [key for key in source.cache.cells if needed <= set(key)]
        if not finer:
            return None
        key = min(finer, key=lambda key: len(source.cache.cells[key]))
        if key not in self.kept:
            self.kept[key] = without_suppressed(source, self.change, source.cache.cells[key])
        cells = self.kept[key]
        columns = {name: self.published_columns[name] for name in names}
        ranks = {name: c.ranks[c.lookup[cells.codes[self._origin(name)]]] for name, c in columns.items()}
        sizes = {name: len(column.values) for name, column in columns.items()}
        if len(names) == 1:
            totals = np.bincount(ranks[names[0]], weights=cells.counts, minlength=sizes[names[0]])
            ranks, cells = (
                {names[0]: np.flatnonzero(totals)},
                replace(cells, counts=totals[totals > 0].astype(np.int64)),
            )
        codes, counts = distinct_in_order(ranks, sizes, cells.counts)
        rows = (Column(name, narrow(codes[name], sizes[name]), column.ordered) for name, column in columns.items())
        return InMemoryTable(Table(tuple(rows), source.kind), counts)

    def sizes(self, names: Sequence[str], *, named: bool = False) -> Sizes:
        return sizes_of(self.count(names), named=named)

    def frequent(self, name: str, max_values: int) -> tuple[list[Any], int]:
        return frequent_of(self.count([name]), max_values)

    def few(self) -> InMemoryTable | None:
        """The distinct rows in published order and their counts; None if they are too many for counting to pay off."""
        source, keys = self.source, self._keys(self.names)
        maximum = min(source.budget.cells(len(self.names)), self.rows // FEW)
        if self._likely() > maximum:
            return None
        grouped = source.fetch(self._grouped(keys).head(maximum + 1), "counting published rows")
        return self._distinct(keys, grouped) if grouped.num_rows <= maximum else None

    def _likely(self) -> int:
        """The expected number of distinct rows if the other columns are independent of those that guards need."""
        judged = self.change.columns or max([(), *self.source.cache.cells], key=len)
        columns = self.published_columns
        guarded = [name for name in columns if self._origin(name) in judged]
        others = [len(column.values) for name, column in columns.items() if name not in guarded]
        if not guarded:
            return min(prod(others), self.rows)
        cells = self.source.count(judged)
        kept = slice(None) if self.change.suppressed is None else ~self.change.suppressed
        codes = [(columns[n].lookup[cells.codes[self._origin(n)]][kept], len(columns[n].values)) for n in guarded]
        groups, total = group_of(codes, len(codes[0][0]))
        sizes = np.bincount(groups, weights=cells.counts[kept], minlength=total)
        each = min(prod(map(float, others)), 1e300)  # a product of many columns may be infinite
        return int((each * -np.expm1(-sizes / each)).sum())

    def _keys(self, names: Sequence[str]) -> PackedKeys:
        return PackedKeys.of({name: len(self.published_columns[name].values) for name in names})

    def _keyed(self, keys: PackedKeys, beside: Sequence[str] = ()) -> Frame:
        """The key of each row; in a column `beside`, the number of the combination that these have in the source."""
        factors: dict[str, int] = {}
        for name in reversed(beside):
            factors[name] = prod(len(self.source.spelled(other).values) for other in factors)
        frame = self._joined(keys.factors, beside=factors)
        columns = [self._summed(c, "rank").alias(name) for name, c in zip(keys.names, keys.columns, strict=True)]
        return frame.select(*columns, *([self._summed(beside, "beside").alias("beside")] if beside else []))

    def _grouped(self, keys: PackedKeys) -> Frame:
        return self._keyed(keys).group_by(*keys.names).agg(nw.len().cast(nw.Int64).alias("rows"))

    def _distinct(self, keys: PackedKeys, grouped: pa.Table) -> InMemoryTable:
        packed = [found(grouped)[name].to_numpy() for name in keys.names]
        order = np.lexsort(packed[::-1])
        columns = []
        for name, ranks in keys.unpack([key[order] for key in packed]).items():
            columns.append(Column(name, ranks, self.published_columns[name].ordered))
        return InMemoryTable(Table(tuple(columns), self.source.kind), grouped["rows"].to_numpy()[order])

    def pieces(self, rows: int) -> Generator[pa.Table, None, None]:
        """Yield the rows from sorted keys; if many rows are equal, each distinct key is fetched once with its count."""
        keys, found_rows = self._keys(self.names), 0
        with self._in_order(keys) as batches:
            for piece in pieces_of_keys(batches, keys, self._values, rows):
                found_rows += piece.num_rows
                yield piece
            self._refuse_others(found_rows)

    @contextmanager
    def _in_order(self, keys: PackedKeys) -> Iterator[Iterable[pa.Table | pa.RecordBatch]]:
        """The keys of all rows, sorted: by this process, if the engine is in it and they fit, or by the engine."""
        source, likely = self.source, self._likely()
        max_keys = min(source.budget.for_data // 2 // KEY_BYTES, self.rows)
        if source.native.near and len(keys.names) == 1 and likely <= max_keys:
            with source.batches(self._keyed(keys, self.tallied), "writing published rows") as batches:
                runs = sorted_keys(self._tallying(keys, batches), max_keys)
            if runs is not None:
                yield _batched(keys, *runs)
                return
        frame = self._grouped(keys) if likely <= self.rows // 2 else self._keyed(keys)
        with source.batches(frame.sort(*keys.names), "writing published rows") as batches:
            yield batches

    @cached_property
    def tallied(self) -> tuple[str, ...]:
        """The columns whose combinations are counted on the way, because `release/source_dangers.py` asks for them:
        those of which less is published than the source has, and those that were not counted yet."""
        source, change = self.source, self.change
        if not source.native.near or change.staged or source.merged:
            return ()
        counted = {name for key in source.cache.cells if {*change.columns} <= {*key} for name in key}
        hidden = [name for name in self.names if name in change.recipe.schema.quasi]
        hidden = [name for name in hidden if not change.recipe.publishes_as_read(name)]
        others = [name for name in self.names if name not in counted]
        names = tuple(name for name in source.names if name in (*hidden, *others))
        few = prod(len(source.spelled(name).values) for name in names) <= MAX_TALLIED
        return names if hidden and others and few else ()

    def _tallying(self, keys: PackedKeys, batches: Iterable[pa.Table | pa.RecordBatch]) -> Iterator[np.ndarray]:
        """Yield the keys of each batch, and count the combinations of the `tallied` columns of all."""
        source = self.source
        sizes = {name: len(source.spelled(name).values) for name in self.tallied}
        totals = np.zeros(prod(sizes.values()) if sizes else 0, dtype=np.int64)
        waiting: list[np.ndarray] = []  # counted together, because every count goes through all combinations
        for batch in batches:
            columns = found(batch)
            if sizes:
                waiting.append(columns.column("beside").to_numpy())
                if sum(map(len, waiting)) >= len(totals):
                    totals += np.bincount(np.concatenate(waiting), minlength=len(totals))
                    waiting.clear()
            yield columns.column(keys.names[0]).to_numpy()
        if sizes:
            if waiting:
                totals += np.bincount(np.concatenate(waiting), minlength=len(totals))
            [present] = np.nonzero(totals)
            codes = dict(zip(sizes, np.unravel_index(present, tuple(sizes.values())), strict=True))
            labels = {name: source.spelled(name).values for name in sizes}
            cells = Cells(codes, sizes, totals[present], labels=labels)
            source.cache.published = self.change, cells
            if not self._suppresses:
                source.cache.cells.setdefault(self.tallied, cells)

    @property
    def _values(self) -> dict[str, pa.Array]:
        return {name: column.ordered for name, column in self.published_columns.items()}

    def _refuse_others(self, found_rows: int) -> None:
        """Raise BadInput unless as many rows are published as were judged."""
        if found_rows != self.rows:
            raise BadInput(f"{self.rows:,} rows were judged, and {found_rows:,} found to publish: run again")

    def lazy(self) -> Frame:
        """The rows as a frame of the engine, which does the work when they are used. A row with a value that was not
        counted is not among them."""
        frame, aliases, native = self._joined(dict.fromkeys(self.names, 1)), self.source.aliases, self.source.native
        ranks = [f"{aliases[name]}_rank" for name in self.names]
        for name, rank in zip(self.names, ranks, strict=True):
            values = self.published_columns[name].ordered
            lookup = pa.table({f"{rank}_at": numbers(np.arange(len(values))), f"{rank}_value": values})
            frame = frame.join(native.bring(lookup), left_on=rank, right_on=f"{rank}_at", how="inner")
        columns = (nw.col(f"{rank}_value").alias(name) for name, rank in zip(self.names, ranks, strict=True))
        return frame.sort(*ranks).select(*columns)

    def in_order(self) -> bool:
        return True  # the engine sorts them, and the written files are checked again

    def write(self, folder: Path, name: str, format: Format, progress: Progress) -> None:
        progress.check(f"writing {name}")
        if format == "parts" and self._write_parts(folder / name):
            return
        with closing(self.pieces(piece_rows())) as pieces:  # cancelling ends the query
            write_pieces(pieces, self.rows, arrow_schema(self), folder, name, format, progress)
            for _ in pieces:  # more rows than expected: they are refused in the end
                pass

    def _write_parts(self, folder: Path) -> bool:
        """Have the engine's workers write the parts; False if it has none that share the folder."""
        from fairveil.engines.parts import PartWriter

        source, keys = self.source, self._keys(self.names)
        sizes = {"part_rows": writers.PART_ROWS, "piece_rows": piece_rows()}
        writer = PartWriter(folder, keys, self._values, arrow_schema(self), **sizes)
        with source.querying("writing published rows"):
            rows = source.native.write_parts(self._grouped(keys), writer) if self.rows else None
        if rows is not None:
            writer.remove_unfinished()
            self._refuse_others(rows)
        return rows is not None


def pieces_of_keys(
    batches: Iterable[pa.Table | pa.RecordBatch], keys: PackedKeys, values: Mapping[str, pa.Array], rows: int
) -> Iterator[pa.Table]:
    """Yield pieces of rows to be written, from sorted keys and their counts; `values` are those of each column."""
    for codes in cut((_unpacked(keys, batch) for batch in batches), rows):
        yield pa.table({name: piece_of(values[name], ranks) for name, ranks in codes.items()})


def _batched(keys: PackedKeys, distinct: np.ndarray, counts: np.ndarray) -> Iterator[pa.Table]:
    """Yield sorted keys and their counts in batches."""
    for start in range(0, len(distinct), BATCH_ROWS):
        part = slice(start, start + BATCH_ROWS)
        yield pa.table({keys.names[0]: numbers(distinct[part]), "rows": numbers(counts[part])})


def published_frame(source: Source, rows: PublishedTable, kind: str | None) -> Any:
    """The published rows as a data frame: of this kind, or of the kind that the source was given as."""
    engine = source.engine
    if kind is None and engine is not None and engine.given_lazy:
        native = engine.native
        if isinstance(rows, LazyRows) and native.holds_frames:
            return nw.to_native(rows.lazy())
        return native.framed(_fetched(rows))
    return rows.table.to_frame(kind) if rows.has_rows else to_kind(_fetched(rows), kind or "pyarrow", {})


def _fetched(rows: PublishedTable) -> pa.Table:
    pieces = [rows.table.to_arrow()] if rows.has_rows else list(rows.pieces(piece_rows()))
    return pa.concat_tables(pieces).cast(arrow_schema(rows))


def _unpacked(keys: PackedKeys, batch: pa.Table | pa.RecordBatch) -> tuple[dict[str, np.ndarray], np.ndarray]:
    codes = keys.unpack([found(batch).column(name).to_numpy() for name in keys.names])
    counted = "rows" in batch.schema.names
    return codes, batch.column("rows").to_numpy() if counted else np.ones(batch.num_rows, dtype=np.int64)


def cut(distinct: Iterable[tuple[Codes, np.ndarray]], rows: int) -> Iterator[Codes]:
    """Yield blocks of `rows` rows, the last one shorter, from pieces of distinct rows and their counts."""
    left: Codes | None = None
    counts = np.empty(0, dtype=np.int64)
    for codes, more in distinct:
        left = codes if left is None else {name: np.concatenate([left[name], codes[name]]) for name in codes}
        counts = np.concatenate([counts, more])
        ends = np.cumsum(counts)
        done = int(ends[-1]) // rows * rows if len(ends) else 0
        for start in range(0, done, rows):
            yield _taken(left, repeated(ends, slice(start, start + rows)))
        first = int(np.searchsorted(ends, done, side="right"))
        left = {name: column[first:] for name, column in left.items()}
        counts = np.diff(ends[first:], prepend=done)
    if left is not None and len(counts):
        yield _taken(left, np.repeat(np.arange(len(counts)), counts))


def _taken(codes: Codes, rows: np.ndarray) -> Codes:
    return {name: column[rows] for name, column in codes.items()}
