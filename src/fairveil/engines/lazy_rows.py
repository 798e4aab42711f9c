"""LazyRows: the published rows of a change, on their engine until they are written.

Equal values of a column are published as equal values, so a change is a lookup for each column. The engine joins its
rows with the lookups, leaves out suppressed cells, and packs each row into keys (`counting/packed_keys.py`). An engine
in this process hands these over (`fetched_rows.py`). Of others, if there are few distinct published rows, only these
and their counts are fetched; otherwise the sorted keys of all rows.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from math import prod
from operator import add
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals as nw
import numpy as np
import pyarrow as pa

from fairveil.counting.cells import Cells
from fairveil.counting.packed_keys import PackedKeys
from fairveil.counting.tuples import group_of
from fairveil.data import writers
from fairveil.data.arrow import numbers
from fairveil.data.table import Column, Table, narrow
from fairveil.data.writers import Format, piece_rows, write_pieces
from fairveil.engines.engine_cache import EngineCache
from fairveil.engines.fetched_rows import FetchedRows, fetched_rows
from fairveil.engines.key_pieces import pieces_of_keys
from fairveil.engines.memory import InMemoryTable, only_counted
from fairveil.engines.published_columns import (
    LookedUp,
    PublishedColumn,
    of_codes,
    of_spellings,
    recoded_columns,
    values_of_groups,
)
from fairveil.engines.relation import (
    Sizes,
    TooManyCells,
    arrow_schema,
    distinct_in_order,
    frequent_of,
    in_value_order,
    sizes_of,
    without_suppressed,
)
from fairveil.engines.value_dictionary import found
from fairveil.errors import BadInput
from fairveil.recipes.change import GROUP, Change

if TYPE_CHECKING:
    from fairveil.data.hierarchy import Levels
    from fairveil.engines.lazy import LazySource
    from fairveil.engines.native import Frame
    from fairveil.engines.relation import Source
    from fairveil.progress import Progress

FEW = 4
"""Minimum number of rows per distinct published row, on average, for which counting pays off."""


def as_given(source: Source, name: str, values: pa.Array) -> pa.Array:
    """Published values of a column for a frame of the caller's kind: integers as floats if the source has floats.

    Files have the integers: how numbers were stored does not change what is published.
    """
    given = source.type_of(name) if name in source.names else values.type
    return values.cast(given) if pa.types.is_floating(given) and pa.types.is_integer(values.type) else values


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
    def suppresses(self) -> bool:
        return self.change.suppressed is not None and bool(self.change.suppressed.any())

    def joined(self, looked: LookedUp, rows: Frame | None = None) -> Frame:
        """The published rows, with what is looked up for their columns."""
        judged = self._judged_keys.factors if self.suppresses else {}
        codes = {name: {self.column("code", name): of_codes(self.source, name, f)} for name, f in judged.items()}
        frame = self.all_joined(
            {name: {**looked.get(name, {}), **codes.get(name, {})} for name in (*looked, *codes)}, rows
        )
        return self._without_suppressed(frame) if judged else frame

    def all_joined(self, looked: LookedUp, rows: Frame | None = None) -> Frame:
        """All rows of the source, with what is looked up for their columns: products, since engines add faster."""
        origins = dict.fromkeys([*map(self.origin, self.columns), *looked])
        frame = self.source.frame if rows is None else rows
        return self.source.looked_up(frame.select(*(self.source.aliases[origin] for origin in origins)), looked)

    def column(self, kind: str, name: str) -> str:
        """The name of a column that is looked up."""
        return f"{self.source.aliases[name]}_{kind}"

    def summed(self, columns: Iterable[str], kind: str) -> nw.Expr:
        """The sum of what was looked up for some columns."""
        return reduce(add, (nw.col(self.column(kind, name)) for name in columns))

    def _ranked(self, factors: Mapping[str, int]) -> LookedUp:
        """The rank of the published value of each column, multiplied by its factor."""
        looked: dict[str, dict[str, tuple[np.ndarray, int]]] = {}
        for name, factor in factors.items():
            column = self.published_columns[name]
            ranks = np.minimum(column.rank_of_code, len(column.values) - 1)  # codes that no published row has
            of_name = looked.setdefault(self.origin(name), {})
            of_name[self.column("rank", name)] = of_spellings(column.spelled, ranks * factor)
        return looked

    @cached_property
    def _judged_keys(self) -> PackedKeys:
        """The columns by whose cells rows are suppressed, as keys."""
        sizes = self.source.count(self.change.columns).sizes
        return PackedKeys.of({name: sizes[name] for name in self.change.columns})

    def _without_suppressed(self, frame: Frame) -> Frame:
        change, keys = self.change, self._judged_keys
        cells = self.source.count(change.columns)
        left_out = keys.pack({name: cells.codes[name][change.suppressed] for name in change.columns})
        names = [f"{name}_out" for name in keys.names]
        out = self.source.native.bring(pa.table({name: numbers(k) for name, k in zip(names, left_out, strict=True)}))
        named = [self.summed(c, "code").alias(name) for name, c in zip(keys.names, keys.columns, strict=True)]
        return frame.with_columns(*named).join(out, left_on=keys.names, right_on=names, how="anti")

    @cached_property
    def by_group(self) -> Mapping[str, Column]:
        return values_of_groups(self.change, self.columns)

    def origin(self, name: str) -> str:
        """The column of the source that a published column is computed from."""
        return GROUP if name in self.by_group else name

    @cached_property
    def fetched(self) -> FetchedRows | None:
        """The distinct rows, if the engine hands over all of them."""
        return fetched_rows(self)

    @cached_property
    def published_columns(self) -> Mapping[str, PublishedColumn]:
        if self.fetched is not None:
            return self.fetched.columns
        present = {origin: self.present(origin) for origin in dict.fromkeys(map(self.origin, self.columns))}
        of_columns = {name: present[self.origin(name)] for name in self.columns}
        return recoded_columns(self.source, self.change, of_columns, self.by_group)

    def is_settled(self, origin: str) -> bool:
        """Whether the cells tell which values of a column are published."""
        return not self.suppresses or origin in self.change.columns

    def present(self, name: str) -> np.ndarray:
        """The codes of a column that occur in published rows."""
        source, change = self.source, self.change
        spelled = source.spelled(name)
        if change.suppressed is None or not self.suppresses:
            return np.unique(
                np.append(spelled.codes, [spelled.missing] if spelled.missing >= 0 else []).astype(np.int64)
            )
        if name in change.columns:
            return np.flatnonzero(np.bincount(source.count(change.columns).codes[name][~change.suppressed]))
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
        distinct = self.joined({}, frame).group_by(column).agg(nw.len().alias("rows"))
        codes = spelled.encode(source.fetch(distinct, "reading published values")[column])
        return np.union1d(np.flatnonzero(~rare), codes)

    def behind(self) -> LazySource:
        """The rows of the source that are published, with the columns of these rows, in the codes of the source."""
        source = self.source
        chosen = [nw.col(source.aliases[name]).alias(f"c{number}") for number, name in enumerate(self.columns)]
        spelled = {name: source.spelled(name) for name in self.columns}
        rows = self.joined({}).select(*chosen)
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
        if self.fetched is not None:
            cells = in_value_order(self.fetched.rows.count(names))
            return replace(cells, levels=levels) if levels else cells
        keys, max_cells = self._keys(names), self.source.budget.cells(len(names))
        grouped = self.source.fetch(self._grouped(keys).head(max_cells + 1), "counting published rows")
        if grouped.num_rows > max_cells:
            raise TooManyCells(self.source.too_many(names, max_cells))
        fetched = self._distinct(keys, grouped)
        return self.counted.setdefault(tuple(names), fetched).count(names, levels)

    def _of_cells(self, names: Sequence[str]) -> InMemoryTable | None:
        """The distinct values of these columns in published order, from cells that are counted; None if none are."""
        source, needed = self.source, {*map(self.origin, names), *self.change.columns}
        finer = [key for key in source.cache.cells if needed <= set(key)]
        if not finer:
            return None
        key = min(finer, key=lambda key: len(source.cache.cells[key]))
        if key not in self.kept:
            self.kept[key] = without_suppressed(source, self.change, source.cache.cells[key])
        cells = self.kept[key]
        columns = {name: self.published_columns[name] for name in names}
        ranks = {name: c.ranks[c.lookup[cells.codes[self.origin(name)]]] for name, c in columns.items()}
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
        source, maximum = self.source, min(self.source.budget.cells(len(self.names)), self.rows // FEW)
        if self.fetched is not None:
            return self.fetched.rows if self.fetched.rows.distinct.rows <= maximum else None
        if self._likely() > maximum:
            return None
        keys = self._keys(self.names)
        grouped = source.fetch(self._grouped(keys).head(maximum + 1), "counting published rows")
        return self._distinct(keys, grouped) if grouped.num_rows <= maximum else None

    def _likely(self) -> int:
        sizes = {name: len(column.values) for name, column in self.published_columns.items()}
        return self.likely_distinct(self.published_columns, sizes)

    def likely_distinct(self, columns: Mapping[str, PublishedColumn], sizes: Mapping[str, int]) -> int:
        """The expected number of distinct rows if the other columns are independent of those that guards need; `sizes`
        has the number of values of each."""
        judged = self.change.columns or max([(), *self.source.cache.cells], key=len)
        guarded = [name for name in columns if self.origin(name) in judged]
        others = [size for name, size in sizes.items() if name not in guarded]
        if not guarded:
            return min(prod(others), self.rows)
        cells = self.source.count(judged)
        kept = slice(None) if self.change.suppressed is None else ~self.change.suppressed
        codes = [(columns[n].lookup[cells.codes[self.origin(n)]][kept], len(columns[n].values)) for n in guarded]
        groups, total = group_of(codes, len(codes[0][0]))
        rows = np.bincount(groups, weights=cells.counts[kept], minlength=total)
        each = min(prod(map(float, others)), 1e300)  # a product of many columns may be infinite
        return int((each * -np.expm1(-rows / each)).sum())

    def _keys(self, names: Sequence[str]) -> PackedKeys:
        return PackedKeys.of({name: len(self.published_columns[name].values) for name in names})

    def _keyed(self, keys: PackedKeys) -> Frame:
        """The key of each row."""
        frame = self.joined(self._ranked(keys.factors))
        return frame.select(*(self.summed(c, "rank").alias(n) for n, c in zip(keys.names, keys.columns, strict=True)))

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
        if self.fetched is not None:
            yield from self.fetched.rows.pieces(rows)
            return
        keys, found_rows = self._keys(self.names), 0
        frame = self._grouped(keys) if self._likely() <= self.rows // 2 else self._keyed(keys)
        with self.source.batches(frame.sort(*keys.names), "writing published rows") as batches:
            for piece in pieces_of_keys(batches, keys, self._values, rows):
                found_rows += piece.num_rows
                yield piece
            self.refuse_others(found_rows)

    @property
    def _values(self) -> dict[str, pa.Array]:
        return {name: column.ordered for name, column in self.published_columns.items()}

    def refuse_others(self, found_rows: int) -> None:
        """Raise BadInput unless as many rows are published as were judged."""
        if found_rows != self.rows:
            raise BadInput(f"{self.rows:,} rows were judged, and {found_rows:,} found to publish: run again")

    def lazy(self) -> Frame:
        """The rows as a frame of the engine, which does the work when they are used. A row with a value that was not
        counted is not among them."""
        frame, native = self.joined(self._ranked(dict.fromkeys(self.names, 1))), self.source.native
        ranks = [self.column("rank", name) for name in self.names]
        for name, rank in zip(self.names, ranks, strict=True):
            values = as_given(self.source, name, self.published_columns[name].ordered)
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
            self.refuse_others(rows)
        return rows is not None
