"""Groups: what microaggregation learns, the values that groups of records publish, and how near a record is to each.

The groups' published values are in the release anyway; the recipe holds no original record and treats every record as a
new one. It gets the values of the group whose published values are nearest; its label does not change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from fairveil.counting.summary import hidden_bits
from fairveil.counting.threads import in_threads
from fairveil.data.numeric import is_measurable, numbers_per_value
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.data.types import parsed, texts_of, type_named
from fairveil.errors import BadInput, refuse
from fairveil.recipes.base import ONLY, Outcome, Recipe, Unknown, settle, without
from fairveil.recipes.space import Space


@dataclass(frozen=True)
class Microaggregated(Recipe):
    """`kinds` says what each aggregated column publishes (mean, median, interval, mode); `values` are the values by
    group.

    Columns that are not in `kinds` are published as they are. `correction` tells how labels were corrected.
    """

    kind: ClassVar[str] = "microaggregation"
    groups_rows: ClassVar[bool] = True

    space: Space
    kinds: Mapping[str, str]
    types: Mapping[str, str]
    values: Mapping[str, tuple[Any, ...]]
    correction: Mapping[str, Any] | None = None

    def apply(self, table: Table, *, unknown: Unknown = "refuse") -> Outcome:
        """Publish group values. A category that no group has is refused by name, or its rows are left out."""
        table.need(self.schema.quasi)
        placed = self._placed(table, unknown)
        usable = table if placed is None else table.take(placed)
        return without(self.regroup(usable, self._nearest(usable), None), table.rows, placed)

    def regroup(self, table: Table, groups: np.ndarray, places: np.ndarray | None) -> Outcome:
        inside = np.flatnonzero(groups >= 0)
        shown, group_of_row = table.take(inside), groups[inside]
        place_of_row = group_of_row if places is None else places[group_of_row]
        fresh = {name: self._of_group(name, place_of_row) for name in self.kinds}
        penalties, entropies, row_costs = {}, {}, {}
        for name in self.schema.quasi:
            column = table.column(name)
            counts = np.bincount(column.codes, minlength=len(column.values)).astype(float)
            entropies[name] = float(hidden_bits(counts, np.zeros(len(counts), dtype=np.int64))[0])
            if name in fresh:
                row_costs[name] = costs(shown.column(name), group_of_row, fresh[name])
            else:
                nothing = np.zeros(len(column.values))
                penalties[name] = (nothing, nothing)
        published = settle(shown.with_columns(fresh.values()), self.schema)
        return Outcome({ONLY: published}, table.rows, penalties, entropies, row_costs=row_costs, source_rows=inside)

    def _of_group(self, name: str, place_of_row: np.ndarray) -> Column:
        values = pa.array(self.values[name], type_named(self.types[name]))
        encoded = Table.from_frame(pa.table({name: values})).column(name)
        return encoded.take(place_of_row).compact()

    def _placed(self, table: Table, unknown: Unknown) -> np.ndarray | None:
        """The rows whose categories the groups know; None if they know all."""
        keep = np.ones(table.rows, dtype=bool)
        problems = []
        for axis in self.space.axes:
            column = table.column(axis.name)
            if axis.values is None:
                if not is_measurable(column) and column.values.null_count < len(column.values):
                    problems.append(
                        f"column {axis.name!r} holds {column.domain[0]!r}, where the recipe expects numbers"
                    )
                continue
            strange = [code for code, value in enumerate(column.domain) if value not in axis.values]
            if strange and unknown == "refuse":
                problems.append(f"column {axis.name!r} holds {column.domain[strange[0]]!r}, which no group has")
            keep &= ~np.isin(column.codes, strange)
        refuse(problems)
        return None if keep.all() else np.flatnonzero(keep)

    def _nearest(self, table: Table) -> np.ndarray:
        """The group of each record: the one whose published values are nearest."""
        from fairveil.counting.kernels.distance import nearest_center
        from fairveil.counting.kernels.stopping import NEVER

        if not self.kinds:
            return np.zeros(table.rows, dtype=np.int64)
        points = self.space.place(table)
        centers = self.space.place(self._centers())
        metric = points.metric
        parts = in_threads(lambda part: nearest_center(metric, part, centers.rows, NEVER), points.rows)
        return np.concatenate(parts)

    def _centers(self) -> Table:
        """The groups as records: an interval stands for its middle."""
        columns = {}
        for axis in self.space.axes:
            values = list(self.values[axis.name])
            if axis.numeric:
                plain = pa.array([_middle(v) for v in values] if self.kinds[axis.name] == "interval" else values)
                columns[axis.name] = plain
            else:
                columns[axis.name] = pa.array(values)
        return Table.from_frame(pa.table(columns))

    def strays(self, column: Column) -> list[Any]:
        if column.name not in self.kinds:
            return []
        published = set(self.values[column.name])
        return [value for value in column.domain if value not in published]

    def to_dict(self) -> dict[str, Any]:
        spec: dict[str, Any] = {
            "format": 1,
            "kind": self.kind,
            "space": self.space.to_dict(),
            "publishes": dict(self.kinds),
            "types": dict(self.types),
            "groups": {name: _plain(values, self.types[name]) for name, values in self.values.items()},
            "schema": self.schema.to_dict(),
        }
        return spec if self.correction is None else {**spec, "correction": dict(self.correction)}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Microaggregated:
        types = dict(spec["types"])
        groups = {name: _typed(name, values, types[name]) for name, values in spec["groups"].items()}
        return cls(
            Schema.from_dict(spec["schema"]), Space.from_dict(spec["space"]), dict(spec["publishes"]), types, groups,
            spec.get("correction"),
        )  # fmt: skip


def costs(column: Column, groups: np.ndarray, published: Column) -> tuple[np.ndarray, np.ndarray]:
    """What each record loses in this column: share of the domain, and bits.

    The share is that of its group: (highest - lowest)/(the same of the whole column) for numbers, (g-1)/(N-1) for
    categories, g of N values being in the group. The bits are H(value | published value).
    """
    codes, size, total = column.codes.astype(np.int64), len(column.values), int(groups.max(initial=-1)) + 1
    if is_measurable(column):
        numbers = numbers_per_value(column)
        low, high = np.full(total, np.inf), np.full(total, -np.inf)
        present = ~np.isnan(numbers[codes])
        np.minimum.at(low, groups[present], numbers[codes][present])
        np.maximum.at(high, groups[present], numbers[codes][present])
        whole = np.nanmax(numbers, initial=-np.inf) - np.nanmin(numbers, initial=np.inf)
        share = np.where(high > low, high - low, 0.0) / whole if whole > 0 else np.zeros(total)
    else:
        pairs = np.unique(groups * size + codes)
        distinct = np.bincount(pairs // size, minlength=total)
        share = (distinct - 1) / max(size - 1, 1)
    joint = published.codes.astype(np.int64) * size + codes
    kinds, place = np.unique(joint, return_inverse=True)
    bits = hidden_bits(np.bincount(place).astype(float), kinds // size)
    return share[groups], bits[published.codes]


def _plain(values: tuple[Any, ...], kind: str) -> list[Any]:
    """The values as JSON has them: what is neither number nor text as it stands in a CSV file."""
    if all(value is None or isinstance(value, bool | int | float | str) for value in values):
        return list(values)
    return list(texts_of(pa.array(values, type_named(kind))).to_pylist())


def _typed(name: str, values: list[Any], kind: str) -> tuple[Any, ...]:
    wanted = type_named(kind)
    try:
        if all(value is None or isinstance(value, str) for value in values):
            return tuple(parsed(pa.array(values, pa.string()), wanted).to_pylist())
        return tuple(pa.array(values).cast(wanted).to_pylist())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError, ValueError):
        raise BadInput(f"the recipe's groups of {name!r} are not {kind} values") from None


def _middle(interval: str | None) -> float | None:
    if interval is None:
        return None
    low, high = (_number(end) for end in interval.strip("[]").split(", "))
    return (low + high) / 2


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:  # a date counts in days
        return float(np.datetime64(text, "D").astype(np.int64))
