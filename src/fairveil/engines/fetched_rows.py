"""Published rows that an engine in this process hands over as one integer each: it would take longer to sort them.

The key of a row packs the ranks of its published values, or the codes of the source for columns of which it is not
known yet what is suppressed. Where published values decide what is suppressed, as they do unless persons are counted,
suppressed rows are found by their keys, so the engine joins nothing. Equal keys are counted on the way, and so are the
combinations of columns that `release/source_dangers.py` asks for: the rows are read once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from fairveil.counting.cells import Cells
from fairveil.counting.kernels.sorted_runs import Fields, hashed_keys, keep_and_tally
from fairveil.counting.packed_keys import PackedKeys
from fairveil.counting.threads import ahead
from fairveil.counting.tuples import KEY_BITS, bits_for
from fairveil.data.table import Column, Table, narrow
from fairveil.engines.memory import InMemoryTable
from fairveil.engines.published_columns import PublishedColumn, of_spellings, recoded_columns
from fairveil.engines.relation import distinct_in_order
from fairveil.engines.sorted_keys import KEY_BYTES, sorted_keys
from fairveil.engines.value_dictionary import found

if TYPE_CHECKING:
    from fairveil.engines.lazy_rows import LazyRows
    from fairveil.engines.native import Frame

MAX_TALLIED = 1 << 22
"""Maximum number of combinations of columns that are counted while the rows are fetched."""


@dataclass(frozen=True)
class FetchedRows:
    """The distinct published rows in published order, with their counts, and the published columns."""

    rows: InMemoryTable
    columns: Mapping[str, PublishedColumn]


def fetched_rows(rows: LazyRows) -> FetchedRows | None:
    """Fetch the published rows; None if the engine is elsewhere, or the rows do not fit into memory or into one key."""
    source, change = rows.source, rows.change
    if not source.native.near or not rows.rows:
        return None
    hidden, uncounted = tallied_columns(rows)
    is_open = {name for name in rows.columns if not (change.staged or rows.is_settled(rows.origin(name)))}
    is_open |= {*uncounted}
    present = {
        name: np.zeros(1, dtype=np.int64) if name in is_open else rows.present(rows.origin(name))
        for name in rows.columns
    }
    columns = recoded_columns(source, change, present, rows.by_group)
    numbers = {name: column.rank_of_code for name, column in columns.items()}
    sizes = {name: len(column.values) for name, column in columns.items()}
    for name in is_open:
        sizes[name] = len(source.spelled(name).values)
        numbers[name] = np.arange(sizes[name], dtype=np.int64)
    keys = PackedKeys.of({name: size + bool((numbers[name] == size).any()) for name, size in sizes.items()})
    max_keys = min(source.budget.for_data // 2 // KEY_BYTES, rows.rows)
    if len(keys.columns) > 1 or rows.likely_distinct(columns, sizes) > max_keys:
        return None
    numbers = {name: numbers[name] * factor for name, factor in keys.factors.items()}
    excluded, tally = Excluded.of(rows, keys, numbers), Tally.of(rows, keys, hidden, uncounted)
    frame = _keyed(rows, keys, numbers, tally, is_screened=excluded is not None)
    with source.batches(frame, "reading published rows") as batches:
        runs = sorted_keys(_kept(batches, excluded or Excluded(), tally), max_keys)
    if runs is None:
        return None
    tally.keep(rows)
    packed, counts = runs
    rows.refuse_others(int(counts.sum()))
    codes = keys.unpack([packed])
    if is_open:
        present |= {name: np.unique(codes[name]) for name in is_open}
        columns = recoded_columns(source, change, present, rows.by_group)
    is_sorted = True
    for name in is_open:
        of_code = columns[name].rank_of_code
        is_sorted = is_sorted and bool((np.diff(of_code[present[name]]) > 0).all())
        codes[name] = narrow(of_code[codes[name]], len(columns[name].values))
    if not is_sorted:
        codes, counts = distinct_in_order(codes, {name: len(c.values) for name, c in columns.items()}, counts)
    table = Table(tuple(Column(name, codes[name], column.ordered) for name, column in columns.items()), source.kind)
    return FetchedRows(InMemoryTable(table, counts), columns)


def _keyed(
    rows: LazyRows, keys: PackedKeys, numbers: Mapping[str, np.ndarray], tally: Tally, *, is_screened: bool
) -> Frame:
    """One number of each row: its key, and as low bits the codes of hidden columns; without suppressed rows, unless the
    keys are screened for them."""
    looked: dict[str, dict[str, tuple[np.ndarray, int]]] = {}
    for name, of_code in numbers.items():
        origin, together = rows.origin(name), of_code << tally.low
        if name in tally.hidden.sizes:
            together = together + np.arange(len(of_code)) * tally.hidden.factors[name]
        pair = of_spellings(rows.source.spelled(origin), together)
        looked.setdefault(origin, {})[rows.column("rank", name)] = pair
    frame = rows.all_joined(looked) if is_screened else rows.joined(looked)
    [key], [names] = keys.names, keys.columns
    return frame.select(rows.summed(names, "rank").alias(key))


@dataclass(frozen=True)
class Excluded:
    """The keys of suppressed rows: `keys` has their bits in `mask`."""

    mask: int = 0
    keys: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    slots: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    bits: int = 0

    @classmethod
    def of(cls, rows: LazyRows, keys: PackedKeys, numbers: Mapping[str, np.ndarray]) -> Excluded | None:
        """The keys of the suppressed cells; None if published rows may have them, too."""
        change = rows.change
        if change.suppressed is None or not rows.suppresses:
            return cls()
        if change.staged:
            return None
        cells = rows.source.count(change.columns)
        judged = [name for name in keys.sizes if name in change.columns]
        packed = np.zeros(len(cells), dtype=np.int64)
        mask = 0
        for name in judged:
            packed += numbers[name][cells.codes[name]]
            mask |= ((1 << bits_for(keys.sizes[name])) - 1) * keys.factors[name]
        suppressed = np.unique(packed[change.suppressed])
        slots = np.empty(1 << max((2 * len(suppressed) - 1).bit_length(), 4), dtype=np.int32)
        excluded = cls(mask, suppressed, slots, hashed_keys(suppressed, slots))
        published = packed[~change.suppressed]
        return excluded if len(excluded.removed_from(published, Tally())) == len(published) else None

    def removed_from(self, numbers: np.ndarray, tally: Tally) -> np.ndarray:
        """The keys of rows that are not suppressed; these are tallied."""
        kept, screen = np.empty_like(numbers), (self.mask, self.keys, self.slots, self.bits)
        return kept[: keep_and_tally(numbers, tally.low, *screen, tally.fields, tally.totals, kept)]


def _kept(batches: Iterable[pa.Table | pa.RecordBatch], excluded: Excluded, tally: Tally) -> Iterator[np.ndarray]:
    """Yield the keys of published rows."""
    for batch in ahead(batches):
        yield excluded.removed_from(np.ascontiguousarray(found(batch).column(0).to_numpy()), tally)


def tallied_columns(rows: LazyRows) -> tuple[list[str], list[str]]:
    """The quasi columns of which less is published than the source has, and the published ones that were not counted
    yet; none, if these are too many together, or there are only some of one kind."""
    source, change = rows.source, rows.change
    if change.staged or source.merged:
        return [], []
    counted = {name for key in source.cache.cells if {*change.columns} <= {*key} for name in key}
    hidden = [name for name in rows.columns if name in change.recipe.schema.quasi]
    hidden = [name for name in hidden if not change.recipe.publishes_as_read(name)]
    others = [name for name in rows.columns if name not in {*counted, *hidden}]
    few = prod(len(source.spelled(name).values) for name in (*hidden, *others)) <= MAX_TALLIED
    return (hidden, others) if hidden and others and few else ([], [])


@dataclass(frozen=True)
class Tally:
    """The published rows with each combination of some columns of the source. Of `hidden` columns, keys have not the
    codes: these are low bits beside a key."""

    hidden: PackedKeys = field(default_factory=lambda: PackedKeys({}, ()))
    sizes: Mapping[str, int] = field(default_factory=dict)
    fields: Fields = field(default_factory=lambda: Fields(*(np.empty(0, dtype=np.int64) for _ in range(3))))
    totals: np.ndarray = field(default_factory=lambda: np.empty(0, dtype=np.int64))

    @classmethod
    def of(cls, rows: LazyRows, keys: PackedKeys, hidden: Sequence[str], others: Sequence[str]) -> Tally:
        """Empty, if there is nothing to count, or no room beside the keys."""
        sizes = {n: len(rows.source.spelled(n).values) for n in rows.source.names if n in (*hidden, *others)}
        low = PackedKeys.of({name: sizes[name] for name in hidden})
        width = sum(map(bits_for, keys.sizes.values())) + sum(map(bits_for, low.sizes.values()))
        if not sizes or width > KEY_BITS:
            return cls()
        tally = cls(low, sizes, totals=np.zeros(prod(sizes.values()), dtype=np.int64))
        fields = []
        for name in sizes:
            bits, factor = bits_for((low.sizes if name in hidden else keys.sizes)[name]), tally.combined[name]
            lowest = low.factors[name] if name in hidden else keys.factors[name] << tally.low
            fields.append((lowest.bit_length() - 1, (1 << bits) - 1, factor))
        return replace(tally, fields=Fields(*np.array(fields, dtype=np.int64).T.copy()))

    @property
    def low(self) -> int:
        """The number of bits beside a key."""
        return sum(map(bits_for, self.hidden.sizes.values()))

    @property
    def combined(self) -> dict[str, int]:
        """What the codes of each column are multiplied by in the number of a combination, which is the sum."""
        factors: dict[str, int] = {}
        for name in reversed(list(self.sizes)):
            factors[name] = prod(self.sizes[other] for other in factors)
        return factors

    def keep(self, rows: LazyRows) -> None:
        """Keep the cells with the source."""
        if not self.sizes:
            return
        cache, [present] = rows.source.cache, np.nonzero(self.totals)
        codes = dict(zip(self.sizes, np.unravel_index(present, tuple(self.sizes.values())), strict=True))
        labels = {name: rows.source.spelled(name).values for name in self.sizes}
        cells = Cells(codes, dict(self.sizes), self.totals[present], labels=labels)
        cache.published = rows.change, cells
        if not rows.suppresses:
            cache.cells.setdefault(tuple(self.sizes), cells)
