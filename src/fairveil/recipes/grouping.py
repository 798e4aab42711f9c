"""The recipe of free grouping: neighbours in a column's order joined into groups, each with a readable label.

>>> import pyarrow as pa
>>> sizes = Groups(Ordered(("XS", "S", "M", "L")), (0, 2, 3), ("XS | S", "M", "L"))
>>> recipe = FreeGrouping(Schema(quasi=["size"]), {"size": sizes})
>>> recipe.apply(Table.from_frame(pa.table({"size": ["L", "S", "XS"]}))).table.to_arrow()["size"].to_pylist()
['L', 'XS | S', 'XS | S']
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from fairveil import shapes
from fairveil.counting.summary import hidden_bits
from fairveil.data.hierarchy import TOP
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table, narrow
from fairveil.errors import BadInput
from fairveil.recipes.base import ONLY, Outcome, Recipe, Unknown, need_all, parts_of, settle, without
from fairveil.shapes import cell, each, flag, many, record, text, whole

MOST_NAMED = 3
"""Groups of up to this many values are published by naming them all."""
MISSING = "missing"


@dataclass(frozen=True)
class Ordered:
    """Single values in an order; None, a missing value, may be one of them."""

    values: tuple[Any, ...]

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def numeric(self) -> bool:
        """Numbers in ascending order: a value between two of one group belongs there, too."""
        numbers = [value for value in self.values if value is not None]
        plain = all(isinstance(value, int | float) and not isinstance(value, bool) for value in numbers)
        return bool(numbers) and plain and numbers == sorted(numbers)

    @cached_property
    def _places(self) -> dict[str | None, int]:
        return {None if value is None else str(value): place for place, value in enumerate(self.values)}

    def slot(self, value: Any) -> int | None:
        return self._places.get(None if value is None else str(value))

    def group(self, value: Any, starts: Sequence[int]) -> int | None:
        """The group of a value, known or between two known numbers of one group; None where it has no place."""
        slot = self.slot(value)
        if slot is None and self.numeric and isinstance(value, int | float):
            numbers = [number for number in self.values if number is not None]
            after = bisect_right(numbers, value)
            if 0 < after < len(numbers) and after not in starts:
                slot = after
        return None if slot is None else bisect_right(starts, slot) - 1

    def units(self, values: Sequence[Any]) -> np.ndarray:
        """What of each value counts as information: all of it."""
        return np.arange(len(values))

    def low(self, slot: int) -> Any:
        return self.values[slot]

    def label(self, start: int, stop: int) -> str:
        group = self.values[start:stop]
        if None in group and len(group) > 1:
            return f"{self.label(start, stop - 1)} or {MISSING}"
        texts = [MISSING if value is None else str(value) for value in group]
        if len(texts) == 1:
            return texts[0]
        if self.numeric:
            return f"{texts[0]}-{texts[-1]}" if not texts[0].startswith("-") else f"{texts[0]} to {texts[-1]}"
        return " | ".join(texts) if len(texts) <= MOST_NAMED else f"{texts[0]} … {texts[-1]} ({len(texts)} values)"

    def to_dict(self) -> dict[str, Any]:
        plain = (int, float, str, type(None))
        return {"values": [value if isinstance(value, plain) else str(value) for value in self.values]}


@dataclass(frozen=True)
class Bands:
    """`count` bands of one `width` from `start` on, each with its lower end; a last slot for missing values."""

    start: float
    width: float
    count: int
    missing: bool = False

    def __len__(self) -> int:
        return self.count + self.missing

    def slot(self, value: Any) -> int | None:
        if value is None:
            return self.count if self.missing else None
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        band = int(np.floor((value - self.start) / self.width))
        return band if 0 <= band < self.count else None

    def group(self, value: Any, starts: Sequence[int]) -> int | None:
        slot = self.slot(value)
        return None if slot is None else bisect_right(starts, slot) - 1

    def units(self, values: Sequence[Any]) -> np.ndarray:
        """What of each value counts as information: its band (values without one go together, as they go unused)."""
        slots = [self.slot(value) for value in values]
        return np.array([len(self) if slot is None else slot for slot in slots], dtype=np.int64)

    def low(self, slot: int) -> Any:
        return None if slot == self.count else self.start + slot * self.width

    def label(self, start: int, stop: int) -> str:
        if start == self.count:
            return MISSING
        if stop > self.count:
            return f"{self.label(start, stop - 1)} or {MISSING}"
        low, high = self.start + start * self.width, self.start + stop * self.width
        if not (isinstance(low, int) and isinstance(high, int)):
            return f"[{low:g}, {high:g})"
        return f"{low}" if high - low == 1 else f"{low}-{high - 1}" if low >= 0 else f"{low} to {high - 1}"

    def to_dict(self) -> dict[str, Any]:
        return {"bands": {"start": self.start, "width": self.width, "count": self.count, "missing": self.missing}}


_BANDS = record({"start": shapes.number(), "width": shapes.number(), "count": whole(0, 1 << 53), "missing": flag})
Order = Ordered | Bands


@dataclass(frozen=True)
class Groups:
    """An order cut into groups: where each starts, and how each is published."""

    order: Order
    starts: tuple[int, ...]
    labels: tuple[str, ...]

    @property
    def as_is(self) -> bool:
        """Every value is a group by itself: the column is published untouched."""
        return isinstance(self.order, Ordered) and len(self.starts) == len(self.order)

    @property
    def sizes(self) -> np.ndarray:
        return np.diff([*self.starts, len(self.order)])

    def group(self, value: Any) -> int | None:
        return self.order.group(value, self.starts)

    def to_dict(self) -> dict[str, Any]:
        return {**self.order.to_dict(), "starts": list(self.starts), "labels": list(self.labels)}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Groups:
        order: Order = (
            Bands(**_BANDS(spec["bands"], "bands"))
            if "bands" in spec
            else Ordered(tuple(many(cell)(spec["values"], "values")))
        )
        starts, labels = many(whole(0), 1)(spec["starts"], "starts"), many(text, 1)(spec["labels"], "labels")
        if len(starts) != len(labels) or starts != sorted({0, *starts}) or starts[-1] >= max(len(order), 1):
            raise BadInput("the groups of a column must start at 0 and rise, each with a label")
        return cls(order, tuple(starts), tuple(labels))


@dataclass(frozen=True)
class FreeGrouping(Recipe):
    """Each quasi column with its own groups of neighbouring values; the same groups in the whole table."""

    kind: ClassVar[str] = "grouping"

    groups: Mapping[str, Groups]

    def apply(self, table: Table, *, unknown: Unknown = "refuse") -> Outcome:
        """Group; identifiers go, all else stays."""
        table.need(self.schema.quasi)
        placed = None
        if unknown == "suppress":
            keep = np.ones(table.rows, dtype=bool)
            for name in self.schema.quasi:
                keep &= (self._place(table.column(name)) >= 0)[table.column(name).codes]
            placed = None if keep.all() else np.flatnonzero(keep)
        return without(self.recode(table if placed is None else table.take(placed)), table.rows, placed)

    def recode(self, table: Table, counts: np.ndarray | None = None) -> Outcome:
        placed = {name: self._place(table.column(name)) for name in self.schema.quasi}
        self._refuse(table, placed)
        fresh, penalties, entropies = [], {}, {}
        for name, codes in placed.items():
            column, groups = table.column(name), self.groups[name]
            group_of_value = np.maximum(codes, 0)
            units = groups.order.units(column.domain)
            rows_of_value = np.bincount(column.codes, weights=counts, minlength=len(codes))
            rows_of_unit = np.bincount(units, weights=rows_of_value)
            group_of_unit = np.zeros(len(rows_of_unit), dtype=np.int64)
            group_of_unit[units] = group_of_value
            entropies[name] = float(hidden_bits(rows_of_unit, np.zeros_like(group_of_unit))[0])
            if groups.as_is:
                penalties[name] = (np.zeros(len(codes)), np.zeros(len(codes)))
                continue
            bits = hidden_bits(rows_of_unit, group_of_unit)
            penalties[name] = (
                (groups.sizes - 1) / max(len(groups.order) - 1, 1),
                np.pad(bits, (0, len(groups.labels) - len(bits))),
            )
            fresh.append(Column(name, narrow(group_of_value, len(groups.labels))[column.codes], _text(groups.labels)))
        rows = table.rows if counts is None else int(counts.sum())
        published = settle(table.with_columns(fresh), self.schema)
        return Outcome({ONLY: published}, rows, penalties, entropies, counts=counts)

    def _place(self, column: Column) -> np.ndarray:
        """The group of each code of a column, -1 where a value has no place."""
        groups = self.groups[column.name]
        places = [groups.group(value) for value in column.domain]
        return np.array([-1 if group is None else group for group in places], dtype=np.int64)

    def _refuse(self, table: Table, placed: Mapping[str, np.ndarray]) -> None:
        for name, codes in placed.items():
            column = table.column(name)
            occurs = np.bincount(column.codes, minlength=len(codes)) > 0
            lost = [column.domain[code] for code in np.flatnonzero((codes < 0) & occurs)]
            if lost:
                shown = ", ".join(repr(value) for value in lost[:5]) + (", …" if len(lost) > 5 else "")
                raise BadInput(f"column {name!r} holds values that no group has: {shown} (or use unknown='suppress')")

    def strays(self, column: Column) -> list[Any]:
        groups = self.groups[column.name]
        if groups.as_is:
            return [value for value in column.domain if value is not None and groups.group(value) is None]
        labels = set(groups.labels)
        return [value for value in column.domain if str(value) not in labels]

    def to_dict(self) -> dict[str, Any]:
        columns = {name: groups.to_dict() for name, groups in self.groups.items()}
        return {"format": 1, "kind": self.kind, "groups": columns, "schema": self.schema.to_dict()}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> FreeGrouping:
        parts = parts_of(
            spec, groups=each(lambda column, place: Groups.from_dict(record({}, more=True)(column, place)))
        )
        schema = Schema.from_dict(parts["schema"])
        need_all(schema, parts["groups"], "groups")
        return cls(schema, parts["groups"])


def distinct_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels, numbered where two groups would otherwise be published alike."""
    if len(labels) == 1:
        return (TOP,)
    used: set[str] = set()
    distinct = []
    for number, label in enumerate(labels):
        distinct.append(label if label not in used else f"{label} [{number + 1}]")
        used.add(label)
    return tuple(distinct)


def _text(labels: Sequence[str]) -> pa.Array:
    return pa.array(labels, pa.string())
