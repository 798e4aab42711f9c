"""Publishing on an engine: recode, suppress and order without a row of the source leaving it.

Equal values of a column are published alike, so a change is a lookup for each column. Where the distinct published rows
are few, they and their counts are all that is needed. Otherwise the engine joins its rows with the lookups, leaves out
the cells that are suppressed, sorts, and writes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
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
from fairveil.data.table import Column, Table
from fairveil.engines.base import Order, Sink, TooManyCells
from fairveil.engines.native import Frame, interruptible
from fairveil.engines.spelling import Spelled
from fairveil.errors import BadInput
from fairveil.recipes.base import ONLY, Change

if TYPE_CHECKING:
    from fairveil.engines.lazy import Lazy


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
    if _few(source, together, change):
        sink.put(ONLY, *_counted(source, change, together))
    else:
        sink.put_rows(ONLY, LazyRows(source, change, names))


def _few(source: Lazy, names: tuple[str, ...], change: Change) -> bool:
    """Whether distinct tuples of these columns are so few that rows are better not touched at all."""
    if names in source.known.cells:
        return True
    if change.recipe.schema.pseudonyms:
        return False
    try:
        others = [name for name in names if name not in change.columns]
        if any(2 * len(source.spelled(name).values) > source.rows for name in others):
            return False
        return 2 * len(source.count(names)) <= source.rows
    except TooManyCells:
        return False


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
        ranks = [f"{self.source.place[name]}_rank" for name in names]
        grouped = self._ranked.group_by(*ranks).agg(nw.len().cast(nw.Int64).alias("rows"))
        cells = self.source.fetch(grouped, "counting what is published")
        columns = []
        for name, rank in zip(names, ranks, strict=True):
            shown = self.shown[name]
            columns.append(Column(name, np.argsort(shown.ranks)[cells[rank].to_numpy()], shown.values))
        table = Table(tuple(columns))
        order = content_order(table)
        return table.take(order), cells["rows"].to_numpy()[order]

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
