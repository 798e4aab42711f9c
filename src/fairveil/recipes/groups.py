"""The recipe of microaggregation: the values that the groups publish, and how near a record is to each.

What was learnt are the groups' published values, which are in the release anyway; no original record is in it. The
table that it was learnt from gets the groups it was put into (and its corrected labels). Any other record gets the
values of the group whose published values are nearest; its label is not touched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from fairveil.counting.summary import hidden_bits
from fairveil.counting.threads import in_threads
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput, refuse
from fairveil.methods.microaggregation.aggregate import Aggregates, aggregate, costs
from fairveil.methods.microaggregation.clusters import Clusters
from fairveil.recipes.base import Outcome, Unknown, settle
from fairveil.recipes.space import Space, is_numeric


@dataclass(frozen=True)
class Learnt:
    """What only the maker of a release knows: which record is in which group, and the corrected decisions."""

    table: Table
    clusters: Clusters
    decision: Column | None
    facts: Mapping[str, Any]


@dataclass(frozen=True)
class Microaggregated:
    """`kinds` says what each aggregated column publishes (mean, median, interval, mode); `published` what by group.

    Columns that are not in `kinds` are published as they are. `correction` tells how labels were corrected.
    """

    kind: ClassVar[str] = "microaggregation"
    schema: Schema
    space: Space
    kinds: Mapping[str, str]
    types: Mapping[str, str]
    published: Mapping[str, tuple[Any, ...]]
    correction: Mapping[str, Any] | None = None
    learnt: Learnt | None = field(default=None, compare=False, repr=False)

    @classmethod
    def learn(
        cls,
        schema: Schema,
        space: Space,
        kinds: Mapping[str, str],
        integers: bool,
        learnt: Learnt,
        correction: Mapping[str, Any] | None = None,
    ) -> Microaggregated:
        """Aggregate the columns in `kinds` over the clusters of a table."""
        aggregates = {
            name: aggregate(learnt.table.column(name), learnt.clusters, kind, integers) for name, kind in kinds.items()
        }
        types = {name: str(made.values.type) for name, made in aggregates.items()}
        return cls(schema, space, dict(kinds), types, _distinct(aggregates), correction, learnt)

    def apply(self, table: Table, *, unknown: Unknown = "refuse") -> Outcome:
        """Publish group values. A category that no group has seen is refused by name, or its rows go."""
        table.need(self.schema.quasi)
        rows = table.rows
        learnt = self.learnt
        if learnt is not None and table is learnt.table:
            clusters, source = learnt.clusters, table
            decided = [learnt.decision] if learnt.decision else []
            kept = np.flatnonzero(clusters.of_row >= 0)
            fresh = {name: self._aggregated(table.column(name), clusters, kept) for name in self.kinds}
        else:
            kept, source = self._known(table, unknown)
            decided = []
            chosen = self._nearest(source)
            clusters = Clusters(chosen, np.zeros_like(chosen), len(next(iter(self.published.values()), ())))
            fresh = {name: self._of_group(name, chosen) for name in self.kinds}
            learnt = None
        held = table.with_columns(decided).take(kept).with_columns(fresh.values())
        return self._outcome(settle(held, self.schema), rows, source, clusters, kept, fresh, learnt)

    def _aggregated(self, column: Column, clusters: Clusters, kept: np.ndarray) -> Column:
        integers = pa.types.is_integer(pa.type_for_alias(self.types[column.name]))
        made = aggregate(column, clusters, self.kinds[column.name], integers)
        return made.column(column.name, clusters.of_row[kept])

    def _of_group(self, name: str, chosen: np.ndarray) -> Column:
        values = pa.array(self.published[name]).cast(pa.type_for_alias(self.types[name]))
        encoded = Table.from_frame(pa.table({name: values})).column(name)
        return encoded.take(chosen).compact()

    def _known(self, table: Table, unknown: Unknown) -> tuple[np.ndarray, Table]:
        """The rows whose categories the groups know."""
        keep = np.ones(table.rows, dtype=bool)
        problems = []
        for axis in self.space.axes:
            column = table.column(axis.name)
            if axis.values is None:
                if not is_numeric(column) and column.values.null_count < len(column.values):
                    problems.append(
                        f"column {axis.name!r} holds {column.domain[0]!r}, where the recipe expects numbers"
                    )
                continue
            strange = [code for code, value in enumerate(column.domain) if value not in axis.values]
            if strange and unknown == "refuse":
                problems.append(f"column {axis.name!r} holds {column.domain[strange[0]]!r}, which no group has")
            keep &= ~np.isin(column.codes, strange)
        refuse(problems)
        kept = np.flatnonzero(keep)
        return kept, table.take(kept)

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
            values = list(self.published[axis.name])
            if axis.numeric:
                plain = pa.array([_middle(v) for v in values] if self.kinds[axis.name] == "interval" else values)
                columns[axis.name] = plain
            else:
                columns[axis.name] = pa.array(values)
        return Table.from_frame(pa.table(columns))

    def _outcome(
        self,
        table: Table,
        rows: int,
        source: Table,
        clusters: Clusters,
        kept: np.ndarray,
        fresh: Mapping[str, Column],
        learnt: Learnt | None,
    ) -> Outcome:
        penalties, entropies, row_costs = {}, {}, {}
        for name in self.schema.quasi:
            column = source.column(name)
            counts = np.bincount(column.codes, minlength=len(column.values)).astype(float)
            entropies[name] = float(hidden_bits(counts, np.zeros(len(counts), dtype=np.int64))[0])
            if name in fresh:
                row_costs[name] = costs(column, clusters, fresh[name])
            else:
                nothing = np.zeros(len(column.values))
                penalties[name] = (nothing, nothing)
        facts = learnt.facts if learnt else {}
        return Outcome(table, rows, penalties, entropies, {}, row_costs, kept, facts)

    def strays(self, column: Column) -> list[Any]:
        if column.name not in self.kinds:
            return []
        known = set(self.published[column.name])
        return [value for value in column.domain if value not in known]

    def to_dict(self) -> dict[str, Any]:
        spec: dict[str, Any] = {
            "format": 1,
            "kind": self.kind,
            "space": self.space.to_dict(),
            "publishes": dict(self.kinds),
            "types": dict(self.types),
            "groups": {name: [_plain(value) for value in values] for name, values in self.published.items()},
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


def _distinct(aggregates: Mapping[str, Aggregates]) -> dict[str, tuple[Any, ...]]:
    """The published values of the groups, each combination once, in order."""
    if not aggregates:
        return {}
    codes = np.unique(np.column_stack([made.codes for made in aggregates.values()]), axis=0)
    return {
        name: tuple(made.values.take(pa.array(codes[:, place])).to_pylist())
        for place, (name, made) in enumerate(aggregates.items())
    }


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _typed(name: str, values: list[Any], kind: str) -> tuple[Any, ...]:
    try:
        return tuple(pa.array(values).cast(pa.type_for_alias(kind)).to_pylist())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, ValueError):
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
