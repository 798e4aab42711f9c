"""Microaggregated: the values that groups of records publish, and how near a record is to each group.

The groups' published values are in the release anyway; the recipe contains no original record and treats every record
as new. A record gets the values of the group whose published values are nearest; its label does not change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pyarrow as pa

from fairveil.counting.summary import entropy_of, joint_bits
from fairveil.counting.threads import in_threads
from fairveil.data.interval_edges import Edges
from fairveil.data.numeric import is_measurable, numbers_per_value
from fairveil.data.table import Column, Table
from fairveil.data.text_form import interval_of, text_or_none
from fairveil.data.types import parsed, texts_of, type_named
from fairveil.errors import BadInput, Infeasible
from fairveil.recipes.outcome import ONLY, Outcome, settle
from fairveil.recipes.recipe import GroupValues, Indices, Pairs, Part, Recipe, alike, extremes
from fairveil.recipes.record_space import RecordSpace
from fairveil.recipes.regions import Span
from fairveil.recipes.stored import Form, nested, per_column, stored
from fairveil.shapes import anything, cell, each, many, optional, text

if TYPE_CHECKING:
    from fairveil.data.schema import Schema

TEXTS = per_column(Form(text))
TINY = 1e-18
"""A share of a range below the resolution of floats."""
CATEGORICAL = ("mode", "majority")
"""Kinds of values that need no order: the most frequent one of a group, or that of more than half of it."""


@dataclass(frozen=True, repr=False)
class Microaggregated(Recipe):
    """`kinds` says what each aggregated column publishes (mean, median, interval, mode, majority), and `values` has it
    by group; other columns are published as they are. `correction` says how labels were corrected."""

    kind = "microaggregation"
    title = "groups of similar records, averaged"
    says = "Each group of similar records publishes its averages."
    groups_rows = True
    needs_known = False

    space: RecordSpace = field(metadata=stored(nested(RecordSpace)))
    kinds: Mapping[str, str] = field(metadata=stored(TEXTS, key="publishes"))
    types: Mapping[str, str] = field(metadata=stored(TEXTS))
    values: Mapping[str, Sequence[Any]] = field(metadata=stored(Form(each(many(cell, 1))), key="groups"))
    correction: Mapping[str, Any] | None = field(
        default=None, metadata=stored(Form(optional(each(anything))), sparse=True, order=2)
    )

    def with_published_space(self, sizes: np.ndarray) -> Microaggregated:
        """Return the recipe with a space learnt from what its groups publish: distances disclose nothing else."""
        if not self.kinds:
            return replace(self, space=replace(self.space, axes=()))
        published = self.centers().take(np.repeat(np.arange(len(sizes)), sizes)).compact()
        return replace(self, space=self.space.learnt_again(published))

    def relearnt(self, schema: Schema, pairs: Pairs, positions: Indices, sizes: np.ndarray) -> tuple[Recipe, Indices]:
        """Return the recipe of some of the groups, each combination of values once, and the new index of each group."""
        if not self.kinds:
            return replace(self, schema=schema), positions
        positions = np.arange(len(sizes)) if positions is None else positions
        published = {
            name: _intervals(pairs(name))
            if kind == "interval"
            else [self.values[name][position] for position in positions.tolist()]
            for name, kind in self.kinds.items()
        }
        encoded = [
            pa.array(values, type_named(self.types[name])).dictionary_encode("encode").indices
            for name, values in published.items()
        ]
        codes = np.column_stack([indices.to_numpy(zero_copy_only=False) for indices in encoded])
        _, first, index = np.unique(codes, axis=0, return_index=True, return_inverse=True)
        order = np.argsort(positions[first], kind="stable")  # in the previous order
        values = {name: tuple(column[i] for i in first[order]) for name, column in published.items()}
        fresh = np.argsort(order)[index.ravel()].astype(np.int64)
        rows_of_position = np.bincount(fresh, weights=sizes, minlength=len(first)).astype(np.int64)
        return replace(self, schema=schema, values=values).with_published_space(rows_of_position), fresh

    def joined(self, parts: Sequence[Part], pairs: Pairs, sizes: np.ndarray) -> tuple[Recipe, Indices]:
        values: dict[str, list[Any]] = {name: [] for name in self.kinds}
        types, positions, before = dict(self.types), [], 0
        for recipe, number, position in parts:
            assert isinstance(recipe, Microaggregated)
            if dict(recipe.kinds) != dict(self.kinds) or recipe.correction != self.correction:
                raise Infeasible("blocks differ in how they publish values or correct labels: fix both in the settings")
            types = {name: _wider(of_type, recipe.types[name]) for name, of_type in types.items()}
            for name in values:
                values[name] += recipe.values[name]
            positions.append(before + (np.arange(number) if position is None else position[:number]))
            before += len(next(iter(recipe.values.values()), ()))
        for name, column in values.items():
            if types[name] == "double":
                values[name] = [None if value is None else float(value) for value in column]
        joined = replace(self, types=types, values=values)
        position_of_group = np.concatenate(positions).astype(np.int64)
        if "interval" in self.kinds.values():  # their ends lie on the grid of all rows
            return joined.relearnt(self.schema, pairs, position_of_group, sizes)
        rows_of_position = np.bincount(position_of_group, weights=sizes, minlength=before).astype(np.int64)
        return joined.with_published_space(rows_of_position), position_of_group

    def shown_by_group(self, name: str) -> Column | None:
        return self._of_group(name, np.arange(len(self.values[name]))) if name in self.kinds else None

    def paid(self, pairs: GroupValues, positions: Indices) -> tuple[float, float]:
        name = pairs.column.name
        if name not in self.kinds:
            return 0.0, 0.0
        published = self._of_group(name, pairs.groups if positions is None else positions[pairs.groups])
        loss, bits = costs(
            pairs.column, pairs.groups, published, pairs.counts, measured=self.kinds[name] not in CATEGORICAL
        )
        return float((loss * pairs.counts).sum()), float((bits * pairs.counts).sum())

    def regroup(self, table: Table, groups: np.ndarray, positions: Indices) -> Outcome:
        inside = np.flatnonzero(groups >= 0)
        kept, group_of_row = table.take(inside), groups[inside]
        position_of_row = group_of_row if positions is None else positions[group_of_row]
        fresh = {name: self._of_group(name, position_of_row) for name in self.kinds}
        penalties, entropies, row_costs = {}, {}, {}
        for name in self.schema.quasi:
            column = table.column(name)
            entropies[name] = entropy_of(np.bincount(column.codes, minlength=len(column.values)))
            if name in fresh:
                measured = self.kinds[name] not in CATEGORICAL
                row_costs[name] = costs(kept.column(name), group_of_row, fresh[name], measured=measured)
            else:
                penalties[name] = (np.zeros(len(column.values)),) * 2
        published = settle(kept.with_columns(fresh.values()), self.schema)
        return Outcome({ONLY: published}, table.rows, penalties, entropies, row_costs=row_costs, source_rows=inside)

    def _of_group(self, name: str, position_of_row: np.ndarray) -> Column:
        values = pa.array(self.values[name], type_named(self.types[name]))
        encoded = Table.from_frame(pa.table({name: values})).column(name)
        return encoded.take(position_of_row).compact()

    @property
    def climbing(self) -> list[str]:
        return self.space.names

    def publishes_as_read(self, name: str) -> bool:
        return name not in self.kinds if name in self.schema.quasi else super().publishes_as_read(name)

    def knows(self, column: Column) -> np.ndarray:
        """Return which values have a place in the space: finite numbers, and the categories of the groups."""
        [axis] = [axis for axis in self.space.axes if axis.name == column.name]
        if axis.values is None:
            if is_measurable(column) or column.values.null_count == len(column.values):
                return np.ones(len(column.values), dtype=bool)
            if not pa.types.is_floating(column.values.type):
                raise BadInput(f"column {column.name!r} holds {column.domain[0]!r}, but the recipe expects numbers")
            return ~np.isinf(numbers_per_value(column))
        rule, known = self.schema.hierarchies.get(column.name), {None, *axis.values}
        positions = rule.positions if rule and not rule.learnt else lambda value: False
        return np.array([text_or_none(value) in known or positions(value) for value in column.domain], dtype=bool)

    def groups_of(self, table: Table) -> np.ndarray:
        """Return the group of each record: the one whose published values are nearest."""
        from fairveil.counting.kernels.compiling import NEVER
        from fairveil.recipes.distance_kernels import nearest_center

        if not self.kinds:
            return np.zeros(table.rows, dtype=np.int64)
        points = self.space.points(table)
        centers = self.space.points(self.centers())
        metric = points.metric
        parts = in_threads(lambda part: nearest_center(metric, part, centers.rows, NEVER), points.rows)
        return np.concatenate(parts)

    def centers(self) -> Table:
        """Return the groups as records: an interval is represented by its midpoint."""
        columns = {}
        for name in self.space.names:
            if self.kinds[name] == "interval":
                intervals = [None if label is None else interval_of(label, dates=True) for label in self.values[name]]
                columns[name] = pa.array([interval and interval.middle for interval in intervals], pa.float64())
            else:
                columns[name] = pa.array(self.values[name], type_named(self.types[name]))
        return Table.from_frame(pa.table(columns))

    def strays(self, column: Column) -> list[Any]:
        published = set(self.values.get(column.name, column.domain))
        return [value for value in column.domain if value not in published]

    def covers(self, rows: Table, published: Table) -> dict[str, np.ndarray]:
        return {
            name: (_within if self.kinds.get(name) == "interval" else alike)(rows.column(name), published.column(name))
            for name in self.schema.quasi
        }

    def to_dict(self) -> dict[str, Any]:
        plain = {name: _plain(values, self.types[name]) for name, values in self.values.items()}
        return super(Microaggregated, replace(self, values=plain)).to_dict()

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Self:
        recipe = super().from_dict(spec)
        return replace(recipe, values={name: _typed(name, v, recipe.types[name]) for name, v in recipe.values.items()})

    def check(self) -> None:
        uneven = len({len(values) for values in self.values.values()}) > 1
        named = set(self.kinds) == set(self.types) == set(self.values) >= set(self.space.names)
        if uneven or not named:
            raise BadInput("the recipe must give every group one value of each aggregated column")


def _wider(first: str, second: str) -> str:
    """Return the type that can represent the values of two types: int64 and double become double."""
    if first == second:
        return first
    if {first, second} == {"int64", "double"}:
        return "double"
    raise Infeasible(
        f"blocks publish values of different types, {first} and {second}: set how each column is published"
    )


def costs(
    column: Column, groups: np.ndarray, published: Column, counts: np.ndarray | None = None, *, measured: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return what each record (or each record that a pair stands for) loses in a column: share of the domain, and bits.

    The share is that of its group: (highest - lowest)/(the same of the whole column) for numbers, (g-1)/(N-1) for
    categories with g of N values in the group. The bits are H(value | published value).
    """
    codes, size, total = column.codes.astype(np.int64), len(column.values), int(groups.max(initial=-1)) + 1
    if measured:
        numbers = numbers_per_value(column)
        present = ~np.isnan(numbers[codes])
        first, last = extremes(codes[present], groups[present], total, size)
        reach = np.nanmax(numbers, initial=-np.inf) - np.nanmin(numbers, initial=np.inf)
        share, wide = np.zeros(total), last > first
        if reach > 0:
            share[wide] = (numbers[last[wide]] - numbers[first[wide]]) / reach
        share[wide & (share == 0)] = TINY  # different numbers that are equal as floats
    else:
        distinct = np.bincount(np.unique(groups * size + codes) // size, minlength=total)
        share = (distinct - 1) / max(size - 1, 1)
    return share[groups], joint_bits(published.codes, column, len(published.values), counts)[published.codes]


def _plain(values: Sequence[Any], kind: str) -> list[Any]:
    """Return the values for JSON: values that are neither numbers nor text as in a CSV file."""
    if all(value is None or isinstance(value, bool | int | float | str) for value in values):
        return list(values)
    return list(texts_of(pa.array(values, type_named(kind))).to_pylist())


def _typed(name: str, values: Sequence[Any], kind: str) -> tuple[Any, ...]:
    wanted = type_named(kind)
    try:
        if all(value is None or isinstance(value, str) for value in values):
            return tuple(parsed(pa.array(values, pa.string()), wanted).to_pylist())
        if pa.types.is_uint64(wanted):  # Arrow would infer int64, which is too small
            return tuple(pa.array(values, wanted).to_pylist())
        return tuple(pa.array(values).cast(wanted).to_pylist())
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        raise BadInput(f"the recipe's groups of {name!r} are not {kind} values") from None


def _intervals(pairs: GroupValues) -> list[str | None]:
    return intervals_of(pairs.column, pairs.groups, len(pairs.starts), pairs.counts)


def intervals_of(column: Column, of_row: np.ndarray, groups: int, rows: np.ndarray | None = None) -> list[str | None]:
    """Return the interval that each group publishes, up to edges of the column's grid; None if most values are missing.
    `rows`: how many rows each row stands for."""
    missing = len(column.values) - 1 if column.has_missing else len(column.values)
    present = column.codes != missing
    codes, of_present = column.codes[present].astype(np.int64), of_row[present]
    low, high = extremes(codes, of_present, groups, len(column.values))
    counts = np.bincount(of_present, weights=None if rows is None else rows[present], minlength=groups)
    sizes = np.bincount(of_row, weights=rows, minlength=groups)
    domain, edges = column.domain, Edges.of(column)
    cell = edges.by_code(column)
    labels: list[str | None] = []
    for group in range(groups):
        first, last = int(low[group]), int(high[group])
        if 2 * counts[group] < sizes[group] or last < 0:
            labels.append(None)
        elif first == last:
            labels.append(Span(domain[first], domain[first], through=True).label())
        else:
            labels.append(Span(edges.below(int(cell[first])), edges.below(int(cell[last]) + 1)).label())
    return labels


def _within(column: Column, published: Column) -> np.ndarray:
    """Whether each value is inside the interval that is published for it."""
    numbers = numbers_per_value(column)
    inside = np.zeros((len(published.values), len(numbers)), dtype=bool)
    for code, label in enumerate(published.domain):
        if label is None:
            inside[code] = np.isnan(numbers)
        else:
            interval = interval_of(label, dates=True)
            inside[code] = interval.holds(numbers) if interval else ~np.isnan(numbers)
    return inside[published.codes, column.codes]
