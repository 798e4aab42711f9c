"""Publishing on an engine: recode, suppress and order without a row of the source leaving it.

Equal values of a column are published alike, so a change is a lookup for each column. Where the distinct published rows
are few, they and their counts are all that is needed. Otherwise the engine joins its rows with the lookups, leaves out
the cells that are suppressed, sorts, and writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from fairveil.counting.cells import KEY_BITS, Cells, bits_for, group_of
from fairveil.counting.ordering import content_order
from fairveil.data.arrow import numbers, plain
from fairveil.data.canonical import published_table
from fairveil.data.table import Column, Table, narrow
from fairveil.engines.base import Order, Sink
from fairveil.engines.native import Frame, interruptible
from fairveil.engines.spelling import Spelled
from fairveil.errors import BadInput
from fairveil.recipes.base import ONLY, Change

if TYPE_CHECKING:
    from fairveil.engines.lazy import Lazy

FEW = 4
"""Rows that a distinct published row must stand for on average, so that counting them is worth while."""


def publish(source: Lazy, change: Change, sink: Sink, order: Order) -> None:
    recipe = change.recipe
    if change.groups is not None or recipe.groups_rows or recipe.splits:
        next(source.blocks())
    if order == "keep":
        raise BadInput(
            f'rows on {source.native.name} have no order to keep: use order = "sorted", or engine = "memory"'
        )
    names = tuple(name for name in source.names if name in recipe.schema.published)
    together = tuple(dict.fromkeys([*change.columns, *names]))
    if together in source.known.cells:  # counted already, and no row has to be touched again
        sink.put(ONLY, *_counted(source, change, together))
        return
    rows = LazyRows(source, change, names)
    few = rows.few()
    if few is None:
        sink.put_rows(ONLY, rows)
    else:
        sink.put(ONLY, *few)


def _counted(source: Lazy, change: Change, names: tuple[str, ...]) -> tuple[Table, np.ndarray]:
    """The distinct published rows in their order, and how often each is published."""
    cells = source.count(names)
    kept = np.flatnonzero(~_suppressed(source, change, cells))
    table = replace(cells.table(), kind=source.kind, inferred=source.reading.inferred, decimal=source.reading.decimal)
    outcome = change.of_rows(table, kept, cells.counts)
    shown = published_table(outcome.table, change.recipe.schema, _as_read(source, change, names))
    distinct = Cells.of(shown, shown.names, counts=outcome.counts)
    rows = replace(distinct.table(), kind=source.kind)
    order = content_order(rows)
    return rows.take(order).compact(), distinct.counts[order]


def _as_read(source: Lazy, change: Change, names: Sequence[str]) -> list[str]:
    inferred = source.reading.inferred
    return [name for name in names if name in inferred and change.recipe.publishes_as_read(name)]


def _suppressed(source: Lazy, change: Change, cells: Cells) -> np.ndarray:
    """Which cells over more columns than the change suppresses by are left out."""
    if change.suppressed is None:
        return np.zeros(len(cells), dtype=bool)
    judged = source.count(change.columns)
    both = [(np.concatenate([judged.codes[n], cells.codes[n]]), judged.sizes[n]) for n in change.columns]
    groups, total = group_of(both, len(judged) + len(cells))
    left_out = np.zeros(total, dtype=bool)
    left_out[groups[: len(judged)]] = change.suppressed
    return left_out[groups[len(judged) :]]


@dataclass(frozen=True)
class Shown:
    """One published column: of each code of the source the published one, or -1 where no published row has it."""

    spelled: Spelled
    lookup: np.ndarray
    values: pa.Array

    @cached_property
    def ranks(self) -> np.ndarray:
        """The place of each published value in the order of rows."""
        return plain(pc.rank(self.values, sort_keys="ascending", tiebreaker="dense")).astype(np.int64) - 1


@dataclass(frozen=True, eq=False)
class LazyRows:
    """The published rows of a change, on their engine."""

    source: Lazy
    change: Change
    names: tuple[str, ...]

    @property
    def schema(self) -> pa.Schema:
        return pa.schema([(name, shown.values.type) for name, shown in self.shown.items()])

    @cached_property
    def rows(self) -> int:
        if self.change.suppressed is None:
            return self.source.rows
        counts = self.source.count(self.change.columns).counts
        return int(counts[~self.change.suppressed].sum())

    @cached_property
    def _kept(self) -> Frame:
        """The rows that are published, as they are in the source."""
        place, change, source = self.source.place, self.change, self.source
        frame = source.frame.select(*(place[name] for name in dict.fromkeys([*self.names, *change.columns])))
        if change.suppressed is None or not change.suppressed.any():
            return frame
        cells = source.count(change.columns)
        codes, left_out = [f"{place[name]}_code" for name in change.columns], {}
        for name, code in zip(change.columns, codes, strict=True):
            spelled, key = source.spelled(name), f"{place[name]}_key"
            lookup = source.native.bring(pa.table({key: spelled.known, code: numbers(spelled.codes)}))
            frame = frame.join(lookup, left_on=place[name], right_on=key, how="left")
            frame = frame.with_columns(nw.col(code).fill_null(spelled.missing))
            left_out[f"{code}_out"] = numbers(cells.codes[name][change.suppressed])
        kept = frame.join(source.native.bring(pa.table(left_out)), left_on=codes, right_on=list(left_out), how="anti")
        return kept.select(*(place[name] for name in self.names))

    @cached_property
    def shown(self) -> Mapping[str, Shown]:
        """What becomes of the values of each column, learnt from a table in which each published value stands once."""
        source, change = self.source, self.change
        present = {name: self._present(name) for name in self.names}
        rows = max(len(codes) for codes in present.values())
        columns = []
        for name, codes in present.items():
            padded = np.append(codes, np.full(rows - len(codes), codes[-1]))
            columns.append(Column(name, padded, source.spelled(name).values).compact())
        outcome = change.recipe.recode(
            Table(tuple(columns), inferred=source.reading.inferred, decimal=source.reading.decimal)
        )
        table = published_table(outcome.table, change.recipe.schema, _as_read(source, change, self.names))
        shown = {}
        for column in table.columns:
            spelled, codes = source.spelled(column.name), present[column.name]
            lookup = np.full(len(spelled.values), -1, dtype=np.int64)
            lookup[codes] = column.codes[: len(codes)]
            shown[column.name] = Shown(spelled, lookup, column.values)
        return shown

    def _present(self, name: str) -> np.ndarray:
        """The codes of a column that published rows hold."""
        source, change = self.source, self.change
        spelled = source.spelled(name)
        if change.suppressed is None or not change.suppressed.any():
            return np.arange(len(spelled.values))
        if name in change.columns:
            return np.unique(source.count(change.columns).codes[name][~change.suppressed])
        column = source.place[name]
        distinct = self._kept.group_by(column).agg(nw.len().alias("rows"))
        return np.unique(spelled.encode(source.fetch(distinct, "looking at published values")[column]))

    @cached_property
    def _ranked(self) -> Frame:
        """The published rows: of each column c0, c1, … its published value and that value's place in the order."""
        frame = self._kept
        for name, shown in self.shown.items():
            at, spelled = self.source.place[name], shown.spelled
            published = shown.lookup[spelled.codes]
            there = published >= 0
            lookup = pa.table({
                f"{at}_key": spelled.known.filter(numbers(there)),
                f"{at}_value": shown.values.take(numbers(published[there])),
                f"{at}_rank": numbers(shown.ranks[published[there]]),
            })  # fmt: skip
            frame = frame.join(self.source.native.bring(lookup), left_on=at, right_on=f"{at}_key", how="left")
            if spelled.missing >= 0 and shown.lookup[spelled.missing] >= 0:
                frame = frame.with_columns(*_filled(at, shown, int(shown.lookup[spelled.missing])))
        return frame

    def count(self, names: Sequence[str]) -> tuple[Table, np.ndarray]:
        return self._cells(names, self.source.fetch(self._grouped(names), "counting what is published"))

    def few(self) -> tuple[Table, np.ndarray] | None:
        """The distinct rows in published order and their counts, unless they are so many that rows are no worse."""
        source = self.source
        most = min(source.budget.cells(len(self.names)), self.rows // FEW)
        if self._likely() > most:
            return None
        cells = source.fetch(self._grouped(list(self.shown)).head(most + 1), "counting what is published")
        return self._cells(list(self.shown), cells) if cells.num_rows <= most else None

    def _likely(self) -> int:
        """How many distinct rows there are if other columns have nothing to do with those that guards look at."""
        judged = self.change.columns or max([(), *self.source.known.cells], key=len)
        looked_at = [name for name in judged if name in self.shown]
        others = [len(shown.values) for name, shown in self.shown.items() if name not in looked_at]
        if not looked_at:
            return prod(others)
        cells = self.source.count(judged)
        codes = [(self.shown[n].lookup[cells.codes[n]], len(self.shown[n].values)) for n in looked_at]
        if self.change.suppressed is not None:
            codes = [(column[~self.change.suppressed], size) for column, size in codes]
        return group_of(codes, len(codes[0][0]))[1] * prod(others)

    def _grouped(self, names: Sequence[str]) -> Frame:
        ranks = [f"{self.source.place[name]}_rank" for name in names]
        return self._ranked.group_by(*ranks).agg(nw.len().cast(nw.Int64).alias("rows"))

    def _cells(self, names: Sequence[str], grouped: pa.Table) -> tuple[Table, np.ndarray]:
        columns = []
        for name in names:
            shown, ranks = self.shown[name], grouped[f"{self.source.place[name]}_rank"].to_numpy()
            columns.append(Column(name, narrow(np.argsort(shown.ranks)[ranks], len(shown.values)), shown.values))
        table = Table(tuple(columns), self.source.kind)
        order = content_order(table)
        return table.take(order), grouped["rows"].to_numpy()[order]

    def write(self, path: Path, *, parts: bool = False) -> None:
        source = self.source
        ordered = source.native.in_order(*self._sort_key(self._ranked))
        published = ordered.select(*(nw.col(f"{source.place[name]}_value").alias(name) for name in self.shown))
        with source.known.lock, interruptible(source.native, source.progress, "writing what is published"):
            source.native.write(published, self.schema, path, parts=parts)

    def _sort_key(self, frame: Frame) -> tuple[Frame, list[str]]:
        """The ranks of all columns packed into as few whole numbers as hold them."""
        keys: list[nw.Expr] = []
        width = KEY_BITS
        for name, shown in self.shown.items():
            rank, bits = nw.col(f"{self.source.place[name]}_rank").cast(nw.Int64), bits_for(len(shown.values))
            if width + bits > KEY_BITS:
                keys.append(rank)
                width = bits
            else:
                keys[-1] = keys[-1] * (1 << bits) + rank
                width += bits
        named = [f"order{number}" for number in range(len(keys))]
        return frame.with_columns(*(key.alias(name) for key, name in zip(keys, named, strict=True))), named


def _filled(at: str, shown: Shown, code: int) -> list[nw.Expr]:
    """The value and rank of rows that no spelling fits: those of a missing value."""
    rank, value = nw.col(f"{at}_rank"), shown.values[code].as_py()
    filled = [rank.fill_null(int(shown.ranks[code]))]
    if value is not None:
        filled.append(nw.when(rank.is_null()).then(nw.lit(value)).otherwise(nw.col(f"{at}_value")).alias(f"{at}_value"))
    return filled
