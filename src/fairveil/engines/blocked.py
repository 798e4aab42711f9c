"""BlockedSource: rows on an engine, cut into blocks of similar records, for methods that group rows.

The engine codes its rows, numbers them by block, and the blocks are processed one by one: in this process, or by
Spark's workers. Each block returns the codes of its rows and their groups. They are stored in a private file, or on
Spark, as a source that has one more column (`GroupedSource`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import narwhals as nw
import numpy as np
import pyarrow as pa

from fairveil.counting.packed_keys import PackedKeys
from fairveil.data.arrow import numbers
from fairveil.data.table import Column, Table, narrow
from fairveil.engines.engine_cache import EngineCache
from fairveil.engines.lazy import LazySource
from fairveil.engines.value_dictionary import ValueDictionary, found
from fairveil.recipes.change import GROUP
from fairveil.recipes.recipe import GroupValues

if TYPE_CHECKING:
    from fairveil.engines.native import Frame


class BlockFunction(Protocol):
    """The work on one block: takes its rows as packed codes; returns codes and groups, or None if that is not possible,
    and a finding. It must be picklable: workers may be on other machines."""

    def __call__(self, block: int, rows: pa.Table) -> tuple[pa.Table | None, bytes]: ...


@dataclass(frozen=True)
class BlockedSource:
    """`names` are the columns of a block; `ranges` has the range of each code, for columns along which to cut."""

    source: LazySource
    names: tuple[str, ...]
    ranges: Mapping[str, np.ndarray]

    @cached_property
    def keys(self) -> PackedKeys:
        """How the codes of a row are packed."""
        return PackedKeys.of({name: len(self.source.spelled(name).values) for name in self.names})

    @property
    def values(self) -> dict[str, pa.Array]:
        """The values that the codes of each column stand for."""
        return {name: self.source.spelled(name).values for name in self.names}

    def _looked_up(self, names: Sequence[str]) -> Frame:
        """The rows with the code of each of these columns, and the range for columns that have one."""
        aliases = self.source.aliases
        frame = self.source.frame.select(*(aliases[name] for name in names))
        columns: dict[str, dict[str, tuple[np.ndarray, int]]] = {}
        for name in names:
            at, spelled = aliases[name], self.source.spelled(name)
            codes = {f"{at}_code": np.arange(len(spelled.values))}
            if name in self.ranges:
                codes[f"{at}_range"] = self.ranges[name]
            columns[name] = {
                new: (
                    of_code[spelled.codes].astype(np.int64),
                    int(of_code[spelled.missing]) if spelled.missing >= 0 else -1,
                )
                for new, of_code in codes.items()
            }
        return self.source.looked_up(frame, columns)

    def count(self, names: Sequence[str], max_cells: int) -> tuple[dict[str, np.ndarray], np.ndarray] | None:
        """The distinct tuples of all ranges and the codes of these columns, and how often each occurs; None if there
        are more than `max_cells`."""
        aliases, needed = self.source.aliases, dict.fromkeys([*self.ranges, *names])
        sizes = {f"{aliases[name]}_range": int(ranges.max()) + 1 for name, ranges in self.ranges.items()}
        sizes |= {f"{aliases[name]}_code": len(self.source.spelled(name).values) for name in names}
        if not sizes:
            return {}, np.array([self.source.rows])
        keys = PackedKeys.of(sizes)
        packed = keys.pack({name: nw.col(name) for name in sizes})
        frame = self._looked_up(list(needed)).select(
            *(key.alias(name) for name, key in zip(keys.names, packed, strict=True))
        )
        grouped = frame.group_by(*keys.names).agg(nw.len().cast(nw.Int64).alias("rows"))
        table = found(self.source.fetch(grouped.head(max_cells + 1), "looking for similar records"))
        if table.num_rows > max_cells:
            return None
        columns = [table[name].to_numpy() for name in keys.names]
        order = np.lexsort(columns[::-1])
        codes = keys.unpack([column[order] for column in columns])
        ranges = {name: codes[f"{aliases[name]}_range"].astype(np.int64) for name in self.ranges}
        others = {name: codes[f"{aliases[name]}_code"].astype(np.int64) for name in names if name not in self.ranges}
        return ranges | others, table["rows"].to_numpy()[order]

    def _numbered(self, ranges: Mapping[str, np.ndarray], blocks: np.ndarray) -> Frame:
        """The rows as packed codes, each with the number of its block: that of its ranges."""
        source, aliases = self.source, self.source.aliases
        frame = self._looked_up(self.names)
        if ranges:
            sizes = {name: int(of_code.max()) + 1 for name, of_code in self.ranges.items()}
            keys = PackedKeys.of(sizes)
            here = [f"{name}_here" for name in keys.names]
            packed = dict(zip(here, map(numbers, keys.pack(ranges)), strict=True))
            lookup = source.native.bring(pa.table({**packed, "block": numbers(blocks)}))
            there = keys.pack({name: nw.col(f"{aliases[name]}_range") for name in sizes})
            frame = frame.with_columns(*(key.alias(name) for name, key in zip(keys.names, there, strict=True)))
            frame = frame.join(lookup, left_on=keys.names, right_on=here, how="left")
        else:
            frame = frame.with_columns(nw.lit(0).cast(nw.Int64).alias("block"))
        codes = self.keys.pack({name: nw.col(f"{aliases[name]}_code") for name in self.names})
        named = (key.cast(nw.Int64).alias(f"row{n}") for n, key in enumerate(codes))
        return frame.select(nw.col("block").cast(nw.Int64), *named)

    def worked(
        self, ranges: Mapping[str, np.ndarray], blocks: np.ndarray, work: BlockFunction
    ) -> tuple[GroupedSource, list[bytes]]:  # fmt: skip
        """Return all rows after the work on each block, and the findings in the order of the blocks."""
        source = self.source
        frame = self._numbered(ranges, blocks)
        columns = [f"c{number}" for number in range(len(self.names) + 1)]
        with source.querying("working block by block"):
            native, rows, findings = source.native.worked(frame, columns, work, source.budget)
        grouped = GroupedSource(
            rows, list(self.names), native, source.cell_reader, source.budget, source.dropped, source.kind,
            progress=source.progress, row_count=source.rows, snapshot=source.snapshot,
            values=self.values, ungrouped=source,
        )  # fmt: skip
        return grouped, findings


def unpacked(keys: PackedKeys, values: Mapping[str, pa.Array], rows: pa.Table) -> Table:
    """Packed codes as a table whose columns have these values."""
    codes = keys.unpack([rows[f"row{number}"].to_numpy() for number in range(len(keys.columns))])
    return Table(tuple(Column(name, codes[name], values[name]) for name in keys.sizes))


@dataclass(frozen=True, eq=False)
class GroupedSource(LazySource):
    """Rows in groups: each column contains the codes of its `values`, and one more column has the group of each row.

    Rows without a group are left out; `row_count` counts all, and `ungrouped` has them.
    """

    values: Mapping[str, pa.Array] = field(default_factory=dict, repr=False)
    ungrouped: LazySource | None = field(default=None, repr=False)

    @property
    def grouped(self) -> GroupedSource:
        return self

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        return {name: f"c{aliases}" for aliases, name in enumerate([*self.names, GROUP])}

    @cached_property
    def types(self) -> Mapping[str, nw.dtypes.DType]:
        return dict.fromkeys(self.aliases, nw.Int64())

    def _spelled(self, name: str) -> ValueDictionary:
        """The values that occur in rows; for the column of groups, the numbers of the groups."""
        codes = np.sort(self.tuples((name,))[self.aliases[name]].to_numpy())
        values = self.values[name].take(numbers(codes)) if name in self.values else numbers(codes)
        missing = len(codes) - 1 if values.null_count else -1
        return ValueDictionary(name, numbers(codes), np.arange(len(codes)), values, missing)

    def without(self, columns: Sequence[str], suppressed: np.ndarray) -> GroupedSource:
        """The rows outside the suppressed cells of these columns."""
        if not suppressed.any():
            return self
        cells, at = self.count(columns), [self.aliases[name] for name in columns]
        out = {
            f"{self.aliases[name]}_out": self.spelled(name).spellings.take(numbers(cells.codes[name][suppressed]))
            for name in columns
        }
        frame = self.frame.join(self.native.bring(pa.table(out)), left_on=at, right_on=list(out), how="anti")
        return replace(self, frame=frame, cache=EngineCache())

    @property
    def groups(self) -> np.ndarray:
        """The numbers of the groups, ascending."""
        numbered: np.ndarray = self.spelled(GROUP).spellings.to_numpy()
        return numbered

    def pairs(self, name: str) -> GroupValues:
        """The values of a column in each group; groups are numbered by their position in `groups`."""
        group, at = self.aliases[GROUP], self.aliases[name]
        table = self.tuples((GROUP, name))
        spelled = self.spelled(name)
        codes, groups = spelled.encode(table[at]), self.spelled(GROUP).encode(table[group])
        order = np.lexsort((codes, groups))
        column = Column(name, narrow(codes[order], len(spelled.values)), spelled.values)
        return GroupValues(column, groups[order].astype(np.int64), table["rows"].to_numpy()[order])
