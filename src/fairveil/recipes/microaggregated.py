"""Microaggregated: the values that groups of records publish, and how near a record is to each group.

The groups' published values are in the release anyway; the recipe contains no original record and treats every record
as new. A record gets the values of the group whose published values are nearest; its label does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from fairveil.counting.summary import hidden_bits
from fairveil.counting.threads import in_threads
from fairveil.data.interval_edges import Edges
from fairveil.data.number_line import interval_of
from fairveil.data.numeric import is_measurable, numbers_per_value
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.data.types import parsed, texts_of, type_named
from fairveil.errors import BadInput, Infeasible, refuse
from fairveil.recipes.group_values import GroupValues
from fairveil.recipes.new_data import Unknown, settle, strangers
from fairveil.recipes.outcome import ONLY, Outcome
from fairveil.recipes.recipe import Narrowed, Part, Recipe, alike
from fairveil.recipes.recipe_shape import parts_of
from fairveil.recipes.record_space import RecordSpace, SpaceAxis
from fairveil.recipes.regions import Span
from fairveil.shapes import anything, cell, each, many, optional, record, text

TINY = 1e-18
"""A share of a range below the resolution of floats."""


@dataclass(frozen=True, repr=False)
class Microaggregated(Recipe):
    """`kinds` says what each aggregated column publishes (mean, median, interval, mode); `values` has the values by
    group.

    Columns that are not in `kinds` are published as they are. `correction` says how labels were corrected.
    """

    kind: ClassVar[str] = "microaggregation"
    groups_rows: ClassVar[bool] = True

    space: RecordSpace
    kinds: Mapping[str, str]
    types: Mapping[str, str]
    values: Mapping[str, tuple[Any, ...]]
    correction: Mapping[str, Any] | None = None

    @classmethod
    def learnt(
        cls,
        schema: Schema,
        space: RecordSpace,
        kinds: Mapping[str, str],
        types: Mapping[str, str],
        values: Mapping[str, tuple[Any, ...]],
        sizes: np.ndarray,
        correction: Mapping[str, Any] | None = None,
    ) -> Microaggregated:
        """Return the recipe of groups of these sizes. Its distances are computed from published values, so nothing else
        is disclosed."""
        recipe = cls(schema, space, kinds, types, values, correction)
        if not kinds:
            return replace(recipe, space=RecordSpace((), space.distance_kind, space.bits, space.standardize))
        published = recipe.centers().take(np.repeat(np.arange(len(sizes)), sizes)).compact()
        return replace(recipe, space=space.learnt_again(published))

    def narrowed(
        self, rows: Table, counts: np.ndarray | None, groups: np.ndarray | None, places: np.ndarray | None
    ) -> Narrowed:
        assert groups is not None
        schema = self.schema.narrowed(rows)
        if not self.kinds:
            return replace(self, schema=schema), groups, places
        occurring, of_row = np.unique(groups, return_inverse=True)
        recipe, fresh = self._among(
            schema,
            occurring if places is None else places[occurring],
            np.bincount(of_row, minlength=len(occurring)),
            lambda name: intervals_of(rows.column(name), of_row, len(occurring)),
        )
        return recipe, of_row.astype(np.int64), fresh

    def relearnt(
        self, schema: Schema, pairs: Callable[[str], GroupValues], places: np.ndarray | None, sizes: np.ndarray
    ) -> tuple[Recipe, np.ndarray | None]:
        if not self.kinds:
            return replace(self, schema=schema), places
        place_of_group = np.arange(len(sizes)) if places is None else places
        return self._among(schema, place_of_group, sizes, lambda name: _intervals(pairs(name)))

    def _among(
        self, schema: Schema, places: np.ndarray, sizes: np.ndarray, intervals: Callable[[str], list[str | None]]
    ) -> tuple[Microaggregated, np.ndarray]:
        """Return the recipe of some of the groups, each combination of values once, and the new index of each group."""
        published = {
            name: intervals(name) if kind == "interval" else [self.values[name][place] for place in places]
            for name, kind in self.kinds.items()
        }
        codes = np.column_stack(
            [
                pa.array(values, pa.string() if self.kinds[name] == "interval" else type_named(self.types[name]))
                .dictionary_encode("encode")
                .indices.to_numpy(zero_copy_only=False)
                for name, values in published.items()
            ]
        )
        _, first, place = np.unique(codes, axis=0, return_index=True, return_inverse=True)
        order = np.argsort(places[first], kind="stable")  # in the previous order
        values = {name: tuple(column[i] for i in first[order]) for name, column in published.items()}
        fresh = np.argsort(order)[place.ravel()].astype(np.int64)
        of_place = np.bincount(fresh, weights=sizes, minlength=len(first)).astype(np.int64)
        recipe = Microaggregated.learnt(schema, self.space, self.kinds, self.types, values, of_place, self.correction)
        return recipe, fresh

    def joined(
        self, parts: Sequence[Part], pairs: Callable[[str], GroupValues], sizes: np.ndarray
    ) -> tuple[Recipe, np.ndarray | None]:
        listed: dict[str, list[Any]] = {name: [] for name in self.kinds}
        types, places, before = dict(self.types), [], 0
        for recipe, number, place in parts:
            assert isinstance(recipe, Microaggregated)
            if dict(recipe.kinds) != dict(self.kinds) or recipe.correction != self.correction:
                raise Infeasible("blocks differ in how they publish values or correct labels: fix both in the settings")
            types = {name: _wider(kind, recipe.types[name]) for name, kind in types.items()}
            for name in listed:
                listed[name] += recipe.values[name]
            places.append(before + (np.arange(number) if place is None else place[:number]))
            before += len(next(iter(recipe.values.values()), ()))
        values = {name: _as(column, types[name]) for name, column in listed.items()}
        whole = replace(self, types=types, values=values)
        place_of_group = np.concatenate(places).astype(np.int64)
        if "interval" in self.kinds.values():  # their ends lie between the values of all rows
            return whole.relearnt(self.schema, pairs, place_of_group, sizes)
        of_place = np.bincount(place_of_group, weights=sizes, minlength=before).astype(np.int64)
        learnt = Microaggregated.learnt(
            self.schema, self.space, self.kinds, types, values, of_place, self.correction
        )  # fmt: skip
        return learnt, place_of_group

    def shown_by_group(self, name: str) -> Column | None:
        if name not in self.kinds:
            return None
        return self._of_group(name, np.arange(len(self.values[name])))

    def paid(self, pairs: GroupValues, places: np.ndarray | None) -> tuple[float, float]:
        name = pairs.column.name
        if name not in self.kinds:
            return 0.0, 0.0
        published = self._of_group(name, pairs.groups if places is None else places[pairs.groups])
        loss, bits = costs(pairs.column, pairs.groups, published, pairs.counts, measured=self.kinds[name] != "mode")
        return float((loss * pairs.counts).sum()), float((bits * pairs.counts).sum())

    def regroup(self, table: Table, groups: np.ndarray, places: np.ndarray | None) -> Outcome:
        inside = np.flatnonzero(groups >= 0)
        kept, group_of_row = table.take(inside), groups[inside]
        place_of_row = group_of_row if places is None else places[group_of_row]
        fresh = {name: self._of_group(name, place_of_row) for name in self.kinds}
        penalties, entropies, row_costs = {}, {}, {}
        for name in self.schema.quasi:
            column = table.column(name)
            counts = np.bincount(column.codes, minlength=len(column.values)).astype(float)
            entropies[name] = float(hidden_bits(counts, np.zeros(len(counts), dtype=np.int64))[:1].sum())
            if name in fresh:
                row_costs[name] = costs(
                    kept.column(name), group_of_row, fresh[name], measured=self.kinds[name] != "mode"
                )
            else:
                nothing = np.zeros(len(column.values))
                penalties[name] = (nothing, nothing)
        published = settle(kept.with_columns(fresh.values()), self.schema)
        return Outcome({ONLY: published}, table.rows, penalties, entropies, row_costs=row_costs, source_rows=inside)

    def _of_group(self, name: str, place_of_row: np.ndarray) -> Column:
        values = pa.array(self.values[name], type_named(self.types[name]))
        encoded = Table.from_frame(pa.table({name: values})).column(name)
        return encoded.take(place_of_row).compact()

    def known_rows(self, table: Table, unknown: Unknown) -> np.ndarray | None:
        """Return the rows whose categories the groups know; None if they know all."""
        keep = np.ones(table.rows, dtype=bool)
        problems = []
        for axis in self.space.axes:
            column = table.column(axis.name)
            if axis.values is None:
                if is_measurable(column) or column.values.null_count == len(column.values):
                    continue
                if not pa.types.is_floating(column.values.type):
                    value = column.domain[0]
                    problems.append(f"column {axis.name!r} holds {value!r}, but the recipe expects numbers")
                    continue
                strange = np.flatnonzero(np.isinf(numbers_per_value(column))).tolist()
            else:
                strange = [code for code, value in enumerate(column.domain) if not self._knows(axis, value)]
            if strange and unknown == "refuse":
                problems.append(strangers(axis.name, [column.domain[code] for code in strange]))
            keep &= ~np.isin(column.codes, strange)
        refuse(problems)
        return None if keep.all() else np.flatnonzero(keep)

    def _knows(self, axis: SpaceAxis, value: Any) -> bool:
        rule = self.schema.hierarchies.get(axis.name)
        return axis.knows(value) or (rule is not None and not rule.learnt and rule.places(value))

    def groups_of(self, table: Table) -> np.ndarray:
        """Return the group of each record: the one whose published values are nearest."""
        from fairveil.counting.kernels.stopping import NEVER
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
        for axis in self.space.axes:
            values = list(self.values[axis.name])
            if self.kinds[axis.name] == "interval":
                columns[axis.name] = pa.array([_middle(value) for value in values], pa.float64())
            else:
                columns[axis.name] = pa.array(values, type_named(self.types[axis.name]))
        return Table.from_frame(pa.table(columns))

    def strays(self, column: Column) -> list[Any]:
        if column.name not in self.kinds:
            return []
        published = set(self.values[column.name])
        return [value for value in column.domain if value not in published]

    def covers(self, rows: Table, published: Table) -> dict[str, np.ndarray]:
        return {
            name: (_within if self.kinds.get(name) == "interval" else alike)(rows.column(name), published.column(name))
            for name in self.schema.quasi
        }

    def parts(self) -> dict[str, Any]:
        return {
            "space": self.space.to_dict(),
            "publishes": dict(self.kinds),
            "types": dict(self.types),
            "groups": {name: _plain(values, self.types[name]) for name, values in self.values.items()},
        }

    def to_dict(self) -> dict[str, Any]:
        correction = {} if self.correction is None else {"correction": dict(self.correction)}
        return {**super().to_dict(), **correction}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Microaggregated:
        further = {"correction": optional(each(anything))} if "correction" in spec else {}
        named, values = each(text), each(many(cell, 1))
        parts = parts_of(spec, space=record({}, more=True), publishes=named, types=named, groups=values, **further)
        space, kinds, types = RecordSpace.from_dict(parts["space"]), parts["publishes"], parts["types"]
        groups = {name: _typed(name, values, types[name]) for name, values in parts["groups"].items()}
        uneven = len({len(values) for values in groups.values()}) > 1
        if uneven or not set(kinds) == set(types) == set(groups) or set(space.names) - set(groups):
            raise BadInput("the recipe must give every group one value of each aggregated column")
        return cls(parts["schema"], space, kinds, types, groups, parts.get("correction"))


def _wider(first: str, second: str) -> str:
    """Return the type that can represent the values of two types: int64 and double become double."""
    if first == second:
        return first
    if {first, second} == {"int64", "double"}:
        return "double"
    raise Infeasible(f"blocks publish values of different types, {first} and {second}: say how to publish each column")


def _as(values: list[Any], kind: str) -> tuple[Any, ...]:
    return tuple(None if value is None else float(value) for value in values) if kind == "double" else tuple(values)


def costs(
    column: Column, groups: np.ndarray, published: Column, counts: np.ndarray | None = None, *, measured: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return what each record loses in this column (or each record that a pair stands for): share of the domain, and
    bits.

    The share is that of its group: (highest - lowest)/(the same of the whole column) for numbers, (g-1)/(N-1) for
    categories with g of N values in the group. The bits are H(value | published value).
    """
    codes, size, total = column.codes.astype(np.int64), len(column.values), int(groups.max(initial=-1)) + 1
    if measured:
        numbers = numbers_per_value(column)
        low, high = np.full(total, np.inf), np.full(total, -np.inf)
        present = ~np.isnan(numbers[codes])
        np.minimum.at(low, groups[present], numbers[codes][present])
        np.maximum.at(high, groups[present], numbers[codes][present])
        whole = np.nanmax(numbers, initial=-np.inf) - np.nanmin(numbers, initial=np.inf)
        share = np.where(high > low, high - low, 0.0) / whole if whole > 0 else np.zeros(total)
        first, last = np.full(total, size), np.full(total, -1)
        np.minimum.at(first, groups[present], codes[present])
        np.maximum.at(last, groups[present], codes[present])
        share = np.where((last > first) & (share == 0), TINY, share)  # different numbers that are equal as floats
    else:
        pairs = np.unique(groups * size + codes)
        distinct = np.bincount(pairs // size, minlength=total)
        share = (distinct - 1) / max(size - 1, 1)
    joint = published.codes.astype(np.int64) * size + codes
    kinds, place = np.unique(joint, return_inverse=True)
    bits = hidden_bits(np.bincount(place, weights=counts).astype(float), kinds // size)
    return share[groups], bits[published.codes]


def _plain(values: tuple[Any, ...], kind: str) -> list[Any]:
    """Return the values for JSON: values that are neither numbers nor text as in a CSV file."""
    if all(value is None or isinstance(value, bool | int | float | str) for value in values):
        return list(values)
    return list(texts_of(pa.array(values, type_named(kind))).to_pylist())


def _typed(name: str, values: list[Any], kind: str) -> tuple[Any, ...]:
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
    """Return the interval that each group publishes, up to the edges between the column's values; None if most are
    missing.

    Dates are extended to the start of a month. `rows`: how many rows each row stands for.
    """
    missing = len(column.values) - 1 if column.has_missing else len(column.values)
    present = column.codes != missing
    codes, of_present = column.codes[present].astype(np.int64), of_row[present]
    low, high = np.full(groups, len(column.values)), np.full(groups, -1)
    np.minimum.at(low, of_present, codes)
    np.maximum.at(high, of_present, codes)
    counts = np.bincount(of_present, weights=None if rows is None else rows[present], minlength=groups)
    sizes = np.bincount(of_row, weights=rows, minlength=groups)
    domain, dated = column.domain, pa.types.is_date(column.values.type)
    edges = None if dated else Edges.of(column, rows)
    place = np.cumsum(np.bincount(codes, minlength=len(domain)) > 0) - 1
    labels: list[str | None] = []
    for group in range(groups):
        first, last = int(low[group]), int(high[group])
        if 2 * counts[group] < sizes[group] or last < 0:
            labels.append(None)
        elif first == last:
            labels.append(Span(domain[first], domain[first], through=True).label() if edges else str(domain[first]))
        elif edges is None:
            labels.append(f"[{_month(domain[first], 0)}, {_month(domain[last], 1)})")
        else:
            labels.append(Span(edges.below(int(place[first])), edges.below(int(place[last]) + 1)).label())
    return labels


def _month(day: date, later: int) -> date:
    """Return the start of a day's month or of a later one; the start of the previous month if the day is the first."""
    months = day.year * 12 + day.month - 1 + later - (day.day == 1 and not later)
    return date(max(months // 12, 1), months % 12 + 1, 1)


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


def _middle(label: str | None) -> float | None:
    """The midpoint of an interval, or its only end; None if the label says nothing."""
    interval = None if label is None else interval_of(label, dates=True)
    return None if interval is None else interval.middle
