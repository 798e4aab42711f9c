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
from fairveil.engines.native import Coded, Frame, interruptible, key_name
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
    together = {*change.columns, *names}
    known = [key for key in source.known.cells if together <= set(key)]
    if known:  # counted already, and no row has to be touched again
        sink.put(ONLY, *_counted(source, change, min(known, key=len)))
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

    def looked_up(self, at: str) -> dict[str, pa.Array]:
        """Of each spelling the published value and its rank; what no published row has gets those of any other."""
        published = np.maximum(self.lookup[self.spelled.codes], 0)
        return {f"{at}_value": self.values.take(numbers(published)), f"{at}_rank": numbers(self.ranks[published])}

    def filled(self, at: str) -> list[nw.Expr]:
        """The value and rank of rows that no spelling fits: those of a missing value."""
        code = int(self.lookup[self.spelled.missing]) if self.spelled.missing >= 0 else -1
        if code < 0:
            return []
        rank, value = nw.col(f"{at}_rank"), self.values[code].as_py()
        filled = [rank.fill_null(int(self.ranks[code]))]
        if value is not None:
            named = nw.col(f"{at}_value")
            filled.append(nw.when(rank.is_null()).then(nw.lit(value)).otherwise(named).alias(f"{at}_value"))
        return filled


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

    @property
    def _suppresses(self) -> bool:
        return self.change.suppressed is not None and bool(self.change.suppressed.any())

    def _joined(self, shown: Mapping[str, Shown]) -> Frame:
        """The rows that are published, with the published value and its rank of columns of which that is known.

        Each column is looked up once: for what it is published as, and for the cell that may be suppressed.
        """
        place, native = self.source.place, self.source.native
        judged = self.change.columns if self._suppresses else ()
        names = dict.fromkeys([*self.names, *judged])
        frame = self.source.frame.select(*(place[name] for name in names))
        for name in names:
            at, spelled = place[name], self.source.spelled(name)
            lookup, filled = {f"{at}_key": spelled.known}, []
            if name in judged:
                lookup[f"{at}_code"] = numbers(spelled.codes)
                filled.append(nw.col(f"{at}_code").fill_null(spelled.missing))
            if name in shown:
                lookup |= shown[name].looked_up(at)
                filled += shown[name].filled(at)
            if len(lookup) > 1:
                frame = frame.join(native.bring(pa.table(lookup)), left_on=at, right_on=f"{at}_key", how="left")
                frame = frame.with_columns(*filled) if filled else frame
        return self._without_suppressed(frame) if judged else frame

    def _without_suppressed(self, frame: Frame) -> Frame:
        change, place = self.change, self.source.place
        cells = self.source.count(change.columns)
        codes = [f"{place[name]}_code" for name in change.columns]
        left_out = pa.table({
            f"{code}_out": numbers(cells.codes[name][change.suppressed])
            for name, code in zip(change.columns, codes, strict=True)
        })  # fmt: skip
        out = self.source.native.bring(left_out)
        return frame.join(out, left_on=codes, right_on=left_out.column_names, how="anti")

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
        if change.suppressed is None or not self._suppresses:
            return np.unique(
                np.append(spelled.codes, [spelled.missing] if spelled.missing >= 0 else []).astype(np.int64)
            )
        if name in change.columns:
            return np.unique(source.count(change.columns).codes[name][~change.suppressed])
        column = source.place[name]
        distinct = self._joined({}).group_by(column).agg(nw.len().alias("rows"))
        return np.unique(spelled.encode(source.fetch(distinct, "looking at published values")[column]))

    @cached_property
    def _ranked(self) -> Frame:
        return self._joined(self.shown)

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
        frame, coded = self._coded(self._ranked)
        with source.known.lock, interruptible(source.native, source.progress, "writing what is published"):
            source.native.write(frame, coded, self.schema, path, parts=parts)

    def _coded(self, frame: Frame) -> tuple[Frame, list[Coded]]:
        """The rows with keys, and where in them each column is: ranks packed into as few whole numbers as hold them.

        So the keys are the order of the rows, and a row can be made of its keys alone.
        """
        keys: list[nw.Expr] = []
        coded: list[Coded] = []
        width = KEY_BITS
        for name, shown in self.shown.items():
            at, bits = self.source.place[name], bits_for(len(shown.values))
            rank = nw.col(f"{at}_rank").cast(nw.Int64)
            if width + bits > KEY_BITS:
                keys.append(rank)
                width = bits
            else:
                keys[-1] = keys[-1] * (1 << bits) + rank
                width += bits
                coded = [replace(c, shift=c.shift + bits) if c.key == len(keys) - 1 else c for c in coded]
            values = shown.values.take(numbers(np.argsort(shown.ranks)))
            coded.append(Coded(name, f"{at}_value", values, len(keys) - 1, 0, bits))
        named = [key.alias(key_name(number)) for number, key in enumerate(keys)]
        return frame.with_columns(*named), coded
