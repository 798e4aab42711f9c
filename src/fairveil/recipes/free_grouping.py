"""The recipe of free grouping: neighbours in a column's order joined into groups, each with a readable label.

>>> import pyarrow as pa
>>> from fairveil.data.schema import Schema
>>> sizes = ColumnGroups(NamedGroups((((0, "XS"), (0, "S")), ((0, "M"),), ((0, "L"),))), ("XS | S", "M", "L"))
>>> recipe = FreeGrouping(Schema(quasi=["size"]), {"size": sizes})
>>> recipe.apply(Table.from_frame(pa.table({"size": ["L", "S", "XS"]}))).table.to_arrow()["size"].to_pylist()
['L', 'XS | S', 'XS | S']

A group of names lists the nodes of the hierarchy that it is made of, and its label names them all; a group of numbers
ends on the grid of its values, or where the owner's hierarchy does. So a recipe says no more than the labels that are
published.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from fairveil import shapes
from fairveil.counting.summary import entropy_of, hidden_bits
from fairveil.data.hierarchy import TOP, Hierarchy, Levels
from fairveil.data.interval_edges import Edges, Number, text_of
from fairveil.data.numeric import is_number
from fairveil.data.table import Column, Table, narrow
from fairveil.data.text_form import text_or_none
from fairveil.errors import BadInput
from fairveil.recipes.group_orders import MISSING, Bands, Cuts, NamedGroups, Order
from fairveil.recipes.recipe import Indices, Narrowed, Recipe, extremes, strangers
from fairveil.recipes.recoding import ColumnwiseRecipe, RecodedColumn
from fairveil.recipes.regions import Span
from fairveil.recipes.stored import nested, per_column, stored


@dataclass(frozen=True)
class ColumnGroups:
    """An order divided into groups, and the label of each."""

    order: Order
    labels: tuple[str, ...]

    @classmethod
    def learnt(
        cls,
        column: Column,
        rule: Hierarchy,
        group_of: Mapping[Any, int],
        bound: Levels | None = None,
    ) -> ColumnGroups:
        """Return the groups of a column's values; `group_of` has them by text, also those of other leaves that the
        hierarchy lists. `bound`: the hierarchy bound to the values."""
        bound = bound or rule.bind(column.domain, column.name)
        leaves = [bound.labels[0][code] for code in bound.codes[0]]
        group_of_leaf = np.array([group_of[text_or_none(leaf)] for leaf in leaves], dtype=np.int64)
        group_of_leaf = np.unique(group_of_leaf, return_inverse=True)[1]
        if is_number(column) and not rule.extra_leaves():
            return _of_numbers(column, rule, bound, group_of_leaf)
        rank = {str(leaf): position for position, leaf in enumerate(rule.extra_leaves())}
        order = sorted(range(len(leaves)), key=lambda leaf: (rank.get(str(leaves[leaf]), leaf), leaf))
        return _of_names(order, bound, group_of_leaf)

    def narrowed(self, column: Column, before: Hierarchy, after: Hierarchy) -> ColumnGroups:
        """Return the same groups, learnt only from the values that occur in the rows of this column."""
        if isinstance(self.order, Bands):
            slots = {self.order.slot(value) for value in column.domain}
            order, labels = self.order.narrowed(slots, self.labels, given_range(after) is not None)
            return ColumnGroups(order, distinct_labels(labels))
        leaves = [*column.domain, *after.extra_leaves()]
        group_of = {
            text_or_none(leaf): group for leaf in leaves if (group := self.order.group(leaf, before)) is not None
        }
        return ColumnGroups.learnt(column, after, group_of)

    def to_dict(self) -> dict[str, Any]:
        return {**self.order.to_dict(), "labels": list(self.labels)}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> ColumnGroups:
        kinds: dict[str, Any] = {"bands": Bands, "names": NamedGroups, "edges": Cuts}
        kind = next((kinds[key] for key in kinds if key in spec), None)
        if kind is None:
            raise BadInput(f"the groups of a column need one of {', '.join(kinds)}")
        labels = shapes.many(shapes.text, 1)(spec.get("labels"), "labels")
        order = kind.from_dict({key: content for key, content in spec.items() if key != "labels"})
        if len(labels) != order.groups:
            raise BadInput(f"a column in {order.groups} groups must have as many labels, not {len(labels)}")
        return cls(order, tuple(labels))


def given_range(rule: Hierarchy) -> tuple[Number, Number] | None:
    """Return the range of numbers that a hierarchy of the owner names."""
    return None if rule.learnt else rule.range


def _of_numbers(column: Column, rule: Hierarchy, bound: Levels, groups: np.ndarray) -> ColumnGroups:
    values = [value for value in column.domain if value is not None]
    between, last = Edges(values, given=rule.edges), len(values)
    firsts = [0, *(np.flatnonzero(np.diff(groups[:last])) + 1).tolist()] if values else []
    ends = [*firsts[1:], last] if values else []
    missing = int(groups[last]) if column.has_missing else None
    alone = [b - a == 1 for a, b in zip(firsts, ends, strict=True)]
    if missing is not None and missing < len(alone):
        alone[missing] = False  # together with missing values it may be a single person's
    only = tuple(values[a] if is_alone else None for a, is_alone in zip(firsts, alone, strict=True))
    edges = [between.near(values[start]) for start in firsts]
    labels = []
    for group, (low, high) in enumerate(pairwise([*edges, None])):
        node = _node(bound, groups[:last] == group, last) or Span(low, high, between.whole).label() or TOP
        label = node if only[group] is None else text_of(only[group])
        labels.append(f"{label} or {MISSING}" if missing == group else label)
    if missing == len(firsts):
        labels.append(MISSING)
    cuts = Cuts(tuple(edge for edge in edges if edge is not None), only, missing)
    return ColumnGroups(cuts, distinct_labels(labels))


def _node(bound: Levels, inside: np.ndarray, width: int) -> str | None:
    """Return the label of the node that has exactly these values."""
    for codes, labels in zip(bound.codes[1:], bound.labels[1:], strict=True):
        mine = codes[:width][inside]
        if (mine == mine[0]).all() and ((codes[:width] == mine[0]) == inside).all():
            return str(labels[mine[0]])
    return None


def _of_names(leaves: Sequence[int], bound: Levels, groups: np.ndarray) -> ColumnGroups:
    """Return each group as the largest nodes that it consists of, in the order of these leaves."""
    nodes: list[list[tuple[int, str | None]]] = [[] for _ in range(int(groups.max(initial=-1)) + 1)]
    done: set[tuple[int, int]] = set()
    undivided = [  # the nodes with all their leaves in one group
        np.equal(*extremes(groups, codes, len(names), len(groups)))
        for codes, names in zip(bound.codes, bound.labels, strict=True)
    ]
    for leaf in leaves:
        group = int(groups[leaf])
        level = bound.height if bound.labels[0][bound.codes[0, leaf]] is not None else 0
        while level and not undivided[level][bound.codes[level, leaf]]:
            level -= 1
        below = [int(widths[codes[leaf]]) for widths, codes in zip(bound.widths, bound.codes, strict=True)]
        everything = level == bound.height and below[level] > 1  # published as the top, which names nothing
        while level and not everything and below[level] == below[level - 1]:
            level -= 1  # of nodes with the same leaves the lowest
        code = int(bound.codes[level, leaf])
        if (level, code) not in done:
            done.add((level, code))
            nodes[group].append((level, text_or_none(bound.labels[level][code])))
    labels = []
    for group_nodes in nodes:
        names = [label for _, label in group_nodes if label is not None]
        gone = len(names) < len(group_nodes)
        labels.append(" | ".join(names) + (f" or {MISSING}" if gone and names else MISSING if gone else ""))
    return ColumnGroups(NamedGroups(tuple(map(tuple, nodes))), distinct_labels(labels))


@dataclass(frozen=True, repr=False)
class FreeGrouping(ColumnwiseRecipe):
    """Each quasi column with its own groups of neighbouring values, the same in the whole table."""

    kind = "grouping"
    title = "groups of values, column by column"
    complete = ("groups",)
    needs_known = False

    groups: Mapping[str, ColumnGroups] = field(metadata=stored(per_column(nested(ColumnGroups))))

    def knows(self, column: Column) -> np.ndarray:
        return self._group_of_value(column) >= 0

    def narrowed(self, rows: Table, counts: Indices, groups: Indices, positions: Indices) -> Narrowed:
        schema = self.schema.narrowed(rows, counts)
        fresh = {
            name: column.narrowed(rows.column(name), self.schema.hierarchy(name), schema.hierarchy(name))
            for name, column in self.groups.items()
        }
        return FreeGrouping(schema, fresh), groups, positions

    def shown(self, tables: Mapping[str, Table]) -> Recipe:
        """Return the recipe with the nodes of its groups only: the published labels name them."""
        orders = {name: groups.order for name, groups in self.groups.items()}
        labels = {
            name: {str(node) for group in order.nodes for _, node in group}
            for name, order in orders.items()
            if isinstance(order, NamedGroups)
        }
        return FreeGrouping(self.schema.shown(labels), self.groups)

    def recoded(self, column: Column, counts: Indices) -> RecodedColumn:
        order, labels = self.groups[column.name].order, self.groups[column.name].labels
        codes = self._group_of_value(column)
        occurs = np.bincount(column.codes, minlength=len(codes)) > 0
        if (lost := np.flatnonzero((codes < 0) & occurs)).size:
            raise BadInput(strangers(column.name, [column.domain[code] for code in lost]))
        codes = np.maximum(codes, 0)
        units = order.units(column.domain)
        rows_of_value = np.bincount(column.codes, weights=counts, minlength=len(codes))
        rows_of_unit = np.bincount(units, weights=rows_of_value)
        if order.single:
            return RecodedColumn(column, np.zeros(len(codes)), np.zeros(len(codes)), entropy_of(rows_of_unit))
        group_of_unit = np.zeros(len(rows_of_unit), dtype=np.int64)
        group_of_unit[units] = codes
        bits = hidden_bits(rows_of_unit, group_of_unit)
        sizes = order.sizes(column, self.schema.hierarchy(column.name))
        loss = np.maximum(sizes - 1, 0) / max(int(sizes.sum()) - 1, 1)
        published = Column(column.name, narrow(codes, len(labels))[column.codes], pa.array(labels, pa.string()))
        return RecodedColumn(published, loss, np.pad(bits, (0, len(labels) - len(bits))), entropy_of(rows_of_unit))

    def _group_of_value(self, column: Column) -> np.ndarray:
        """Return the group of each code of a column; -1 if a value is in no group."""
        order, rule = self.groups[column.name].order, self.schema.hierarchy(column.name)
        groups = [order.group(value, rule) for value in column.domain]
        return np.array([-1 if group is None else group for group in groups], dtype=np.int64)

    def strays(self, column: Column) -> list[Any]:
        groups = self.groups[column.name]
        if groups.order.single:
            present = [value for value in column.domain if value is not None]
            rule = self.schema.hierarchy(column.name)
            return [value for value in present if groups.order.group(value, rule) is None]
        return [value for value in column.domain if str(value) not in groups.labels]


def distinct_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels, numbered where two groups would otherwise be published alike."""
    if len(labels) == 1:
        return (TOP,)
    first = {label: number for number, label in reversed(list(enumerate(labels)))}
    return tuple(label if first[label] == number else f"{label} [{number + 1}]" for number, label in enumerate(labels))
