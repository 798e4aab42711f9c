"""A source whose rows are also in classes of earlier releases: one more column, never published, in memory or on an
engine.

>>> import pyarrow as pa
>>> people = Table.from_frame(pa.table({"sex": ["F", "M", "F"]}))
>>> source = JoinedTable(people, earlier=np.array([0, 1, 1]))
>>> source.names, len(source.count(["sex"])), len(source.count(["sex", EARLIER]))
(['sex'], 2, 3)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from fairveil.counting.cells import Cells
from fairveil.counting.packed_keys import PackedKeys
from fairveil.counting.tuples import group_of
from fairveil.data.arrow import numbers
from fairveil.data.table import Column, Table
from fairveil.engines.memory import InMemoryTable, fingerprint
from fairveil.errors import BadInput
from fairveil.guards.guard import EARLIER

if TYPE_CHECKING:
    from fairveil.data.hierarchy import Levels
    from fairveil.data.schema import Schema
    from fairveil.engines.lazy import LazySource
    from fairveil.engines.relation import Source

Numbered = tuple[tuple[str, ...], np.ndarray]
"""Columns, and a number for each cell of these, in the order of `count`; of each row, if there are no columns."""
MAX_NUMBER = 1 << 62


def joined_source(source: Source, pasts: Sequence[Numbered]) -> Source:
    """The source with a hidden column: the combination of the numbers that its rows have, from 0."""
    if source.engine is not None:
        return _on_engine(source.engine, pasts)
    table = source.table
    columns = [(of_rows, int(of_rows.max(initial=0)) + 1) for of_rows in (_of_rows(source, *past) for past in pasts)]
    return JoinedTable(table, earlier=group_of(columns, table.rows)[0])


def judged_rows(table: Table, fetched_from: LazySource | None = None) -> InMemoryTable:
    """Rows that were fetched from an engine, of which the hidden column, if they have one, is not published."""
    if EARLIER not in table:
        return InMemoryTable(table, fetched_from=fetched_from)
    codes = table.column(EARLIER).codes.astype(np.int64)
    return JoinedTable(table.drop([EARLIER]), fetched_from=fetched_from, earlier=codes)


def pairs_with(source: Source, key: str, columns: tuple[str, ...], of_cell: np.ndarray) -> tuple[Column, np.ndarray]:
    """The key and the number of each row; of each different pair of these, if the rows are on an engine."""
    if source.engine is None:
        return source.table.column(key), _of_rows(source, columns, of_cell)
    both = _on_engine(source.engine, [(columns, of_cell + 1)]).count([key, EARLIER])
    numbered = np.array(both.labels[EARLIER].to_pylist(), dtype=np.int64)
    return both.table().column(key), numbered[both.codes[EARLIER]] - 1


def _of_rows(source: Source, columns: tuple[str, ...], of_cell: np.ndarray) -> np.ndarray:
    """The number of each row in memory."""
    if not columns:
        return of_cell
    cells, (numbered, cell_of_row) = source.count(columns), Cells.numbered(source.table, columns)
    both = [(np.concatenate([cells.codes[n], numbered.codes[n]]), cells.sizes[n]) for n in columns]
    groups, total = group_of(both, len(cells) + len(numbered))
    of_group = np.zeros(total, dtype=np.int64)
    of_group[groups[: len(cells)]] = of_cell
    of_rows: np.ndarray = of_group[groups[len(cells) :]][cell_of_row]
    return of_rows


def _on_engine(source: LazySource, pasts: Sequence[Numbered]) -> LazySource:
    """The same on an engine, where the combinations are packed into one number."""
    import narwhals as nw

    frame, total, combined = source.frame, 1, nw.lit(0).cast(nw.Int64)
    own = [nw.col(alias) for alias in source.aliases.values()]
    for place, (columns, of_cell) in enumerate(pasts):
        if not columns:
            raise BadInput("rows on an engine have no place by which they could be matched")
        size = int(of_cell.max(initial=0)) + 1
        if (total := total * size) > MAX_NUMBER:
            raise BadInput("the earlier releases have too many classes together: name fewer of them")
        frame = _with_number(source, frame, columns, of_cell, f"past{place}")
        frame = frame.select(*own, *(nw.col(f"past{before}") for before in range(place + 1)))
        combined = combined * size + nw.col(f"past{place}")
    frame = frame.select(*own, combined.alias(f"c{len(source.names)}"))
    parts = {part.name: getattr(source, part.name) for part in fields(source)}
    cache = replace(source.cache, tuples={}, refused={}, spelled={}, cells={}, sizes={})
    joined: LazySource = _joined_frame()(**{**parts, "frame": frame, "cache": cache})
    return joined


def _with_number(source: LazySource, frame: Any, columns: tuple[str, ...], of_cell: np.ndarray, name: str) -> Any:
    """The frame with one more column: the number of each row's cell."""
    import narwhals as nw

    cells = source.count(columns)
    codes = {column: f"{source.aliases[column]}_code" for column in columns}
    spelled = {column: source.spelled(column) for column in columns}
    found = {column: {codes[column]: (s.codes.astype(np.int64), s.missing)} for column, s in spelled.items()}
    keys = PackedKeys.of({codes[column]: cells.sizes[column] for column in columns})
    here = [f"{key}_here" for key in keys.names]
    packed = keys.pack({codes[column]: cells.codes[column].astype(np.int64) for column in columns})
    lookup = source.native.bring(
        pa.table({**dict(zip(here, map(numbers, packed), strict=True)), name: numbers(of_cell)})
    )
    there = keys.pack({code: nw.col(code) for code in codes.values()})
    frame = source.looked_up(frame, found)
    frame = frame.with_columns(*(key.cast(nw.Int64).alias(at) for at, key in zip(keys.names, there, strict=True)))
    return frame.join(lookup, left_on=keys.names, right_on=here, how="left")


@cache
def _joined_frame() -> Any:
    """The class of `LazySource` with the hidden column, which is the last one of the frame. Engines load narwhals, so
    it exists only where there is one."""
    import narwhals as nw

    from fairveil.engines.engine_cache import EngineCache
    from fairveil.engines.lazy import LazySource

    @dataclass(frozen=True, eq=False)
    class JoinedFrame(LazySource):
        @cached_property
        def aliases(self) -> Mapping[str, str]:
            columns = list(self.frame.collect_schema())  # those of published rows lack the hidden one
            return dict(zip([*self.names, EARLIER], columns, strict=False))

        @cached_property
        def types(self) -> Mapping[str, nw.dtypes.DType]:
            return dict(zip(self.aliases, self.frame.collect_schema().values(), strict=True))

        def only(self, names: Sequence[str]) -> LazySource:
            columns = [*names, *([EARLIER] if EARLIER in self.aliases else [])]
            chosen = [nw.col(self.aliases[name]).alias(f"c{number}") for number, name in enumerate(columns)]
            return replace(self, frame=self.frame.select(*chosen), names=list(names), cache=EngineCache())

    return JoinedFrame


@dataclass(frozen=True)
class JoinedTable(InMemoryTable):
    """Rows in memory; `earlier` has the number of each row's combination of earlier classes."""

    earlier: np.ndarray = field(default_factory=lambda: np.zeros(0, dtype=np.int64), repr=False)

    @cached_property
    def judged_table(self) -> Table:
        """The rows with the hidden column: to be judged, not published."""
        size = int(self.earlier.max(initial=-1)) + 1
        column = Column(EARLIER, self.earlier.astype(np.int64), pa.array(range(size), pa.int64()))
        return replace(self.table, columns=(*self.table.columns, column))

    def count(self, names: Sequence[str], levels: Mapping[str, Levels] | None = None) -> Cells:
        if EARLIER not in names:
            return super().count(names, levels)
        cells = self._with_earlier.count(names)
        return replace(cells, levels=levels) if levels else cells

    @cached_property
    def _with_earlier(self) -> InMemoryTable:
        return InMemoryTable(self.judged_table)

    def at_levels(self, schema: Schema) -> InMemoryTable:
        recoded = schema.at_levels(self.distinct)
        return self if recoded is self.distinct else JoinedTable(recoded, earlier=self.earlier)

    def cell_by_cell(self) -> InMemoryTable:
        by_cell = self.distinct.cell_by_cell
        return self if by_cell is self.distinct else JoinedTable(by_cell, earlier=self.earlier)

    def fingerprint(self) -> str:
        return fingerprint([column for column in self.judged_table.columns if not column.unreadable])
