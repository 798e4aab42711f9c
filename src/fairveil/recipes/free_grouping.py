"""The recipe of free grouping: neighbours in a column's order joined into groups, each with a readable label.

>>> import pyarrow as pa
>>> from fairveil.data.schema import Schema
>>> sizes = ColumnGroups(NamedGroups(((0, "XS"), (0, "S")), ((0, "M"),), ((0, "L"),)), ("XS | S", "M", "L"))
>>> recipe = FreeGrouping(Schema(quasi=["size"]), {"size": sizes})
>>> recipe.apply(Table.from_frame(pa.table({"size": ["L", "S", "XS"]}))).table.to_arrow()["size"].to_pylist()
['L', 'XS | S', 'XS | S']

A group of names lists the nodes of the hierarchy that it is made of, and its label names them all; a group of numbers
ends between two values. So a recipe says no more than the labels that are published.
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
from fairveil.data.hierarchy import TOP, Hierarchy, Levels
from fairveil.data.interval_edges import Edges, Number, from_json, text_of, to_json
from fairveil.data.numeric import is_number
from fairveil.data.table import Column, Table, narrow
from fairveil.data.text_form import text_or_none
from fairveil.errors import BadInput
from fairveil.recipes.bands import MISSING, Bands
from fairveil.recipes.new_data import Unknown, settle, strangers
from fairveil.recipes.outcome import ONLY, Outcome
from fairveil.recipes.recipe import Narrowed, Recipe
from fairveil.recipes.recipe_shape import need_all, parts_of
from fairveil.recipes.regions import Span
from fairveil.shapes import each, many, record


@dataclass(frozen=True)
class Cuts:
    """Groups of numbers between ascending edges; `only` has the number of each group that publishes a single one.

    `missing` is the group of missing values, always the last, with or without numbers; None if there is none.
    """

    edges: tuple[Number, ...]
    only: tuple[Number | None, ...]
    missing: int | None = None

    @property
    def single(self) -> bool:
        """Whether every group publishes one value."""
        alone = self.missing is None or self.missing == len(self.only)
        return alone and all(number is not None for number in self.only)

    def group(self, value: Any, rule: Hierarchy) -> int | None:
        if value is None:
            return self.missing
        if isinstance(value, bool | str) or not hasattr(value, "__float__") or not self.only or not rule.places(value):
            return None
        group = bisect_right(self.edges, value)
        return group if self.only[group] in (None, value) else None

    def units(self, values: Sequence[Any]) -> np.ndarray:
        """Return the unit of information of each value: the value itself."""
        return np.arange(len(values))

    def sizes(self, column: Column, rule: Hierarchy) -> np.ndarray:
        """Return how many values of the column are in each group."""
        return _sizes(self.groups, self, column.domain, rule)

    def to_dict(self) -> dict[str, Any]:
        only = {"only": [to_json(number) for number in self.only]}
        return {"edges": [to_json(edge) for edge in self.edges], **only, "missing": self.missing}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> Cuts:
        edges, only = (tuple(map(from_json, many(shapes.cell)(spec.get(key), key))) for key in ("edges", "only"))
        order = cls(edges, only, shapes.optional(shapes.whole(0))(spec.get("missing"), "missing"))
        if list(edges) != sorted(set(edges)) or len(edges) != max(len(only) - 1, 0) or (order.missing or 0) > len(only):
            raise BadInput("the edges of a column must be ascending, with one group between two of them")
        return order

    @property
    def groups(self) -> int:
        return len(self.only) + (self.missing == len(self.only))


@dataclass(frozen=True)
class NamedGroups:
    """Groups of names: the nodes of the hierarchy, by level and label, that each group consists of."""

    nodes: tuple[tuple[tuple[int, str | None], ...], ...]

    def __init__(self, *nodes: tuple[tuple[int, str | None], ...]) -> None:
        object.__setattr__(self, "nodes", nodes)

    @property
    def single(self) -> bool:
        return all(len(group) == 1 and group[0][0] == 0 for group in self.nodes)

    @cached_property
    def _group_of(self) -> dict[tuple[int, str | None], int]:
        return {node: number for number, group in enumerate(self.nodes) for node in group}

    def group(self, value: Any, rule: Hierarchy) -> int | None:
        if value is None:
            return self._group_of.get((0, None))
        [path], problems = rule.paths([value]) if rule.places(value) else ([()], [value])
        if problems:
            return None
        way = [str(value), *map(str, path), *([] if path and path[-1] == TOP else [TOP])]
        groups = (self._group_of.get((level, label)) for level, label in enumerate(way))
        return next((group for group in groups if group is not None), None)

    def units(self, values: Sequence[Any]) -> np.ndarray:
        return np.arange(len(values))

    def sizes(self, column: Column, rule: Hierarchy) -> np.ndarray:
        """Return how many leaves of the hierarchy are in each group."""
        texts = {str(value) for value in column.domain}
        leaves = [*column.domain, *(leaf for leaf in rule.extra_leaves() if str(leaf) not in texts)]
        return _sizes(len(self.nodes), self, leaves, rule)

    def to_dict(self) -> dict[str, Any]:
        return {"names": [[list(node) for node in group] for group in self.nodes]}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> NamedGroups:
        groups = many(many(many(shapes.cell, 2)))(spec.get("names"), "names")
        return cls(*(tuple((shapes.whole(0)(level, "names"), name) for level, name in group) for group in groups))

    @property
    def groups(self) -> int:
        return len(self.nodes)


def _sizes(groups: int, order: Order, leaves: Sequence[Any], rule: Hierarchy) -> np.ndarray:
    placed = [group for leaf in leaves if (group := order.group(leaf, rule)) is not None]
    return np.bincount(np.array(placed, dtype=np.int64), minlength=groups)


Order = Cuts | NamedGroups | Bands


@dataclass(frozen=True)
class ColumnGroups:
    """An order divided into groups, and the label of each."""

    order: Order
    labels: tuple[str, ...]

    @classmethod
    def learnt(
        cls,
        column: Column,
        counts: np.ndarray,
        rule: Hierarchy,
        group_of: Mapping[Any, int],
        bound: Levels | None = None,
    ) -> ColumnGroups:
        """Return the groups of a column's values; `group_of` also has those of other leaves that the hierarchy lists.

        A value is identified by its text. `counts`: how many rows have each value. `bound`: the hierarchy bound to the
        values.
        """
        bound = bound or rule.bind(column.domain, column.name)
        leaves = [bound.labels[0][code] for code in bound.codes[0]]
        number = np.array([group_of[text_or_none(leaf)] for leaf in leaves], dtype=np.int64)
        number = np.unique(number, return_inverse=True)[1]
        if is_number(column) and not rule.extra_leaves():
            return _of_numbers(column, counts, bound, number)
        listed = {str(leaf): place for place, leaf in enumerate(rule.extra_leaves())}
        order = sorted(range(len(leaves)), key=lambda leaf: (listed.get(str(leaves[leaf]), leaf), leaf))
        return _of_names(order, bound, number)

    @property
    def as_is(self) -> bool:
        """Whether every value is a group of its own: the column is published unchanged."""
        return self.order.single

    def narrowed(self, column: Column, counts: np.ndarray | None, before: Hierarchy, after: Hierarchy) -> ColumnGroups:
        """Return the same groups, learnt only from the values that occur in the rows of this column."""
        rows = np.bincount(column.codes, weights=counts, minlength=len(column.values))
        if isinstance(self.order, Bands):
            slots = {self.order.slot(value) for value in column.domain}
            order, labels = self.order.narrowed(slots, self.labels, given_range(after) is not None)
            return ColumnGroups(order, distinct_labels(labels))
        leaves = [*column.domain, *after.extra_leaves()]
        group_of = {
            text_or_none(leaf): group for leaf in leaves if (group := self.order.group(leaf, before)) is not None
        }
        return ColumnGroups.learnt(column, rows, after, group_of)

    def to_dict(self) -> dict[str, Any]:
        return {**self.order.to_dict(), "labels": list(self.labels)}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> ColumnGroups:
        kinds: dict[str, Any] = {"bands": Bands, "names": NamedGroups, "edges": Cuts}
        kind = next((kinds[key] for key in kinds if key in spec), None)
        if kind is None:
            raise BadInput(f"the groups of a column need one of {', '.join(kinds)}")
        order, labels = kind.from_dict(spec), many(shapes.text, 1)(spec.get("labels"), "labels")
        if len(labels) != order.groups:
            raise BadInput(f"a column in {order.groups} groups must have as many labels, not {len(labels)}")
        return cls(order, tuple(labels))


def given_range(rule: Hierarchy) -> tuple[Number, Number] | None:
    """Return the range of numbers that a hierarchy of the owner names."""
    return None if rule.learnt else rule.range


def _of_numbers(column: Column, counts: np.ndarray, bound: Levels, number: np.ndarray) -> ColumnGroups:
    values = [value for value in column.domain if value is not None]
    between, last = Edges(values, counts[: len(values)]), len(values)
    firsts = [0, *(np.flatnonzero(np.diff(number[:last])) + 1).tolist()] if values else []
    ends = [*firsts[1:], last] if values else []
    missing = int(number[last]) if column.has_missing else None
    only = tuple(
        values[a]
        if b - a == 1 and group != missing
        else None  # together with missing values it may be a single person's
        for group, (a, b) in enumerate(zip(firsts, ends, strict=True))
    )
    edges = [between.below(start) for start in firsts]
    labels = []
    for group, low in enumerate(edges):
        high = edges[group + 1] if group + 1 < len(edges) else None
        node = _node(bound, number[:last] == group, last)
        span = Span(low, high, between.whole).label() or TOP
        label = text_of(only[group]) if only[group] is not None else span if node is None else node
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


def _of_names(leaves: Sequence[int], bound: Levels, number: np.ndarray) -> ColumnGroups:
    """Return each group as the largest nodes that it consists of, in the order of these leaves."""
    nodes: list[list[tuple[int, str | None]]] = [[] for _ in range(int(number.max(initial=-1)) + 1)]
    done: set[tuple[int, int]] = set()
    whole = [_in_one_group(codes, number, len(names)) for codes, names in zip(bound.codes, bound.labels, strict=True)]
    for leaf in leaves:
        group = int(number[leaf])
        level = bound.height if bound.labels[0][bound.codes[0, leaf]] is not None else 0
        while level and not whole[level][bound.codes[level, leaf]]:
            level -= 1
        everything = (
            level == bound.height and _below(bound, level, leaf) > 1
        )  # published as the top, which names nothing
        while level and not everything and _below(bound, level, leaf) == _below(bound, level - 1, leaf):
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
    return ColumnGroups(NamedGroups(*map(tuple, nodes)), distinct_labels(labels))


def _in_one_group(codes: np.ndarray, number: np.ndarray, nodes: int) -> np.ndarray:
    """Return which nodes of a level have all their leaves in one group."""
    low, high = np.full(nodes, len(number)), np.full(nodes, -1)
    np.minimum.at(low, codes, number)
    np.maximum.at(high, codes, number)
    return low == high


def _below(bound: Levels, level: int, leaf: int) -> int:
    """Return how many leaves are below the node of a leaf at a level."""
    return int(bound.widths[level][bound.codes[level, leaf]])


@dataclass(frozen=True, repr=False)
class FreeGrouping(Recipe):
    """Each quasi column with its own groups of neighbouring values, the same in the whole table."""

    kind: ClassVar[str] = "grouping"

    groups: Mapping[str, ColumnGroups]

    def known_rows(self, table: Table, unknown: Unknown) -> np.ndarray | None:
        if unknown == "refuse":
            return None  # `recode` refuses unknown values
        keep = np.ones(table.rows, dtype=bool)
        for name in self.schema.quasi:
            keep &= (self._place(table.column(name)) >= 0)[table.column(name).codes]
        return None if keep.all() else np.flatnonzero(keep)

    def narrowed(
        self, rows: Table, counts: np.ndarray | None, groups: np.ndarray | None, places: np.ndarray | None
    ) -> Narrowed:
        schema = self.schema.narrowed(rows, counts)
        fresh = {
            name: column.narrowed(rows.column(name), counts, self.schema.hierarchy(name), schema.hierarchy(name))
            for name, column in self.groups.items()
        }
        return FreeGrouping(schema, fresh), groups, places

    def shown(self, tables: Mapping[str, Table]) -> Recipe:
        """Return the recipe with the nodes of its groups only: the published labels name them."""
        named = {name: groups.order for name, groups in self.groups.items()}
        labels = {
            name: {str(node) for group in order.nodes for _, node in group}
            for name, order in named.items()
            if isinstance(order, NamedGroups)
        }
        return FreeGrouping(self.schema.shown(labels), self.groups)

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
            entropies[name] = float(hidden_bits(rows_of_unit, np.zeros_like(group_of_unit))[:1].sum())
            if groups.as_is:
                penalties[name] = (np.zeros(len(codes)), np.zeros(len(codes)))
                continue
            bits = hidden_bits(rows_of_unit, group_of_unit)
            sizes = groups.order.sizes(column, self.schema.hierarchy(name))
            loss = np.maximum(sizes - 1, 0) / max(int(sizes.sum()) - 1, 1)
            penalties[name] = (loss, np.pad(bits, (0, len(groups.labels) - len(bits))))
            fresh.append(Column(name, narrow(group_of_value, len(groups.labels))[column.codes], _text(groups.labels)))
        rows = table.rows if counts is None else int(counts.sum())
        published = settle(table.with_columns(fresh), self.schema)
        return Outcome({ONLY: published}, rows, penalties, entropies, counts=counts)

    def _place(self, column: Column) -> np.ndarray:
        """Return the group of each code of a column; -1 if a value is in no group."""
        order, rule = self.groups[column.name].order, self.schema.hierarchy(column.name)
        places = [order.group(value, rule) for value in column.domain]
        return np.array([-1 if group is None else group for group in places], dtype=np.int64)

    def _refuse(self, table: Table, placed: Mapping[str, np.ndarray]) -> None:
        for name, codes in placed.items():
            column = table.column(name)
            occurs = np.bincount(column.codes, minlength=len(codes)) > 0
            lost = [column.domain[code] for code in np.flatnonzero((codes < 0) & occurs)]
            if lost:
                raise BadInput(strangers(name, lost))

    def strays(self, column: Column) -> list[Any]:
        groups = self.groups[column.name]
        if groups.as_is:
            rule = self.schema.hierarchy(column.name)
            return [v for v in column.domain if v is not None and groups.order.group(v, rule) is None]
        labels = set(groups.labels)
        return [value for value in column.domain if str(value) not in labels]

    def parts(self) -> dict[str, Any]:
        return {"groups": {name: groups.to_dict() for name, groups in self.groups.items()}}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> FreeGrouping:
        parts = parts_of(
            spec, groups=each(lambda column, place: ColumnGroups.from_dict(record({}, more=True)(column, place)))
        )
        need_all(parts["schema"], parts["groups"], "groups")
        return cls(parts["schema"], parts["groups"])


def distinct_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Return the labels, numbered where two groups would otherwise be published alike."""
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
