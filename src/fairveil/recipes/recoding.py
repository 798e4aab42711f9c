"""Recoding column by column. Rules for one column say which value is published as which label, also for values never
seen before. `Cut` is the recipe with one rule per quasi column, a free cut through its hierarchy or free intervals.

>>> IntervalBins((48.0,)).labels([21, 48, 49, None])
['(-inf-48]', '(-inf-48]', '(48-inf)', None]
>>> KeptValues(("US", "Mexico")).labels(["US", "Laos", None])
['US', '*', '*']
>>> from fairveil.data.schema import Schema
>>> table = Table.from_frame(pa.table({"age": [21, 35, 60]}))
>>> Cut(Schema(quasi=["age"]), {"age": IntervalBins((30.0,))}).apply(table).table.to_arrow()["age"].to_pylist()
['(-inf-30]', '(30-inf)', '(30-inf)']
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import isnan
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pyarrow as pa

from fairveil.counting.summary import entropy_of, hidden_bits
from fairveil.counting.threads import by_column
from fairveil.data.hierarchy import TOP, Hierarchy, Levels
from fairveil.data.interval_edges import Edges, Number, text_of
from fairveil.data.table import Column, Table, narrow
from fairveil.data.text_form import text_or_none
from fairveil.errors import BadInput, suggest
from fairveil.recipes.outcome import ONLY, Outcome, settle
from fairveil.recipes.recipe import Indices, Narrowed, Recipe
from fairveil.recipes.stored import LABEL, NODE, NUMBER, Form, Stored, listed, per_column, stored
from fairveil.shapes import Shape, name, record


@dataclass(frozen=True)
class ColumnRule(Stored):
    """How the values of one column are published. A rule that `climbs` cannot place a value outside the hierarchy."""

    kind: ClassVar[str]
    climbs: ClassVar[bool] = False
    also: ClassVar[Mapping[str, Shape]] = {"kind": name}

    def labels(self, values: Sequence[Any], hierarchy: Hierarchy | None = None) -> list[str | None]:
        raise NotImplementedError

    def losses(self, values: Sequence[Any], hierarchy: Hierarchy | None) -> np.ndarray | None:
        """Return (g-1)/(N-1) of each value's label, relative to the leaves; None: relative to the values."""
        return None

    def narrowed(self, column: Column, counts: Indices, before: Hierarchy, after: Hierarchy) -> ColumnRule:
        """Return the same rule, learnt only from the rows of this column, each of which may stand for `counts` rows.
        `before` and `after` are the column's hierarchy as it was, and as these rows alone would have it."""
        raise NotImplementedError

    def admits(self, label: Any) -> bool:
        """Whether the rule publishes some value as this label."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, **super().to_dict()}


@dataclass(frozen=True)
class IntervalBins(ColumnRule):
    """Intervals between ascending edges, labelled as WEKA does: "(-inf-48]", "(48-60]", "(60-inf)"."""

    kind = "bins"

    edges: tuple[Number, ...] = field(metadata=stored(listed(NUMBER)))

    @property
    def names(self) -> list[str]:
        if not self.edges:
            return [TOP]
        ends = [text_of(edge) for edge in self.edges]
        inner = [f"({low}-{high}]" for low, high in pairwise(ends)]
        return [f"(-inf-{ends[0]}]", *inner, f"({ends[-1]}-inf)"]

    def labels(self, values: Sequence[Any], hierarchy: Hierarchy | None = None) -> list[str | None]:
        names = self.names
        return [None if value is None else names[self._position(value)] for value in values]

    def _position(self, value: Any) -> int:
        if isinstance(value, bool | str) or not hasattr(value, "__float__"):
            raise BadInput(f"{value!r} is not a number, so it is in no interval")
        return len(self.edges) if isnan(value) else bisect_left(self.edges, value)

    def narrowed(self, column: Column, counts: Indices, before: Hierarchy, after: Hierarchy) -> IntervalBins:
        edges = Edges.of(column, upper=True)
        return IntervalBins(tuple(sorted({near for edge in self.edges if (near := edges.near(edge)) is not None})))

    def admits(self, label: Any) -> bool:
        return label is None or label in self.names

    def check(self) -> None:
        if list(self.edges) != sorted(set(self.edges)):
            raise BadInput("the edges of bins must be ascending")


@dataclass(frozen=True)
class CutNodes(ColumnRule):
    """A cut through the column's hierarchy: pairs of level and label, exactly one of them on the path from any leaf to
    the top. Every value is published as the node above it that is in the cut."""

    kind = "nodes"
    climbs = True

    nodes: tuple[tuple[int, str | None], ...] = field(metadata=stored(listed(NODE)))

    @classmethod
    def at(cls, levels: Levels, heights: np.ndarray, leaves: np.ndarray) -> CutNodes:
        """Return the cut that publishes each of these leaves at its height."""
        nodes = ((int(heights[leaf]), levels.codes[heights[leaf], leaf]) for leaf in leaves)
        return cls(tuple(dict.fromkeys((level, text_or_none(levels.labels[level][code])) for level, code in nodes)))

    def labels(self, values: Sequence[Any], hierarchy: Hierarchy | None = None) -> list[str | None]:
        return [label for label, _ in self._climbed(values, hierarchy)]

    def losses(self, values: Sequence[Any], hierarchy: Hierarchy | None) -> np.ndarray | None:
        return np.array([loss for _, loss in self._climbed(values, hierarchy)])

    def _climbed(self, values: Sequence[Any], hierarchy: Hierarchy | None) -> list[tuple[str | None, float]]:
        """Return the label and the loss of the node above each value that is in the cut."""
        assert hierarchy is not None
        levels, cut = hierarchy.bind(values), set(self.nodes)
        climbed: list[tuple[str | None, float]] = [(TOP, 1.0)] * len(values)  # values outside the cut are suppressed
        for leaf in range(len(values)):
            for level in range(levels.height + 1):
                code = levels.codes[level, leaf]
                label = text_or_none(levels.labels[level][code])
                if (level, label) in cut:
                    climbed[leaf] = (label, float(levels.penalties[level][code]))
                    break
        return climbed

    def narrowed(self, column: Column, counts: Indices, before: Hierarchy, after: Hierarchy) -> CutNodes:
        names = renamed(before, after, column.compact())
        return CutNodes(tuple((node[0], names[node]) for node in self.nodes if node in names))

    def admits(self, label: Any) -> bool:
        return text_or_none(label) in {TOP, *(label for _, label in self.nodes)}


@dataclass(frozen=True)
class KeptValues(ColumnRule):
    """The values published as they are, as text; all others, including missing and new ones, become "*"."""

    kind = "shown"

    values: tuple[str | None, ...] = field(metadata=stored(listed(LABEL)))

    def labels(self, values: Sequence[Any], hierarchy: Hierarchy | None = None) -> list[str | None]:
        kept = set(self.values)
        return [text if text in kept else TOP for text in map(text_or_none, values)]

    def narrowed(self, column: Column, counts: Indices, before: Hierarchy, after: Hierarchy) -> KeptValues:
        texts = {text_or_none(value) for value in column.compact().domain}
        return KeptValues(tuple(value for value in self.values if value in texts))

    def admits(self, label: Any) -> bool:
        return label == TOP or text_or_none(label) in self.values


KINDS: dict[str, type[ColumnRule]] = {rule.kind: rule for rule in (IntervalBins, CutNodes, KeptValues)}


def from_dict(spec: Mapping[str, Any]) -> ColumnRule:
    record({"kind": name}, more=True)(spec, "a column rule")
    if spec["kind"] not in KINDS:
        raise BadInput(suggest(spec["kind"], KINDS, "column rule"))
    return KINDS[spec["kind"]].from_dict(spec)


RULES = per_column(Form(lambda rule, where: from_dict(rule), lambda rule: rule.to_dict()))
"""How the rules of columns are stored."""


def recode(column: Column, rule: ColumnRule, hierarchy: Hierarchy | None = None) -> tuple[Column, np.ndarray]:
    """Return the column as published, and the published code of each of its original codes."""
    try:
        labels = rule.labels(column.domain, hierarchy)
    except BadInput as problem:
        raise BadInput(f"column {column.name!r}: {problem}") from None
    order = sorted(set(labels), key=lambda label: (label is None, label or ""))  # missing is last, as in any table
    numbers = {label: code for code, label in enumerate(order)}
    lookup = np.array([numbers[label] for label in labels], dtype=np.int64)
    return Column(column.name, narrow(lookup, len(order))[column.codes], pa.array(order, pa.string())), lookup


def penalties(
    column: Column, lookup: np.ndarray, rule: ColumnRule | None, hierarchy: Hierarchy | None, counts: Indices = None
) -> tuple[np.ndarray, np.ndarray]:
    """Return what a row pays for each published code: (g-1)/(N-1), and hidden bits. Leaves are those of the hierarchy
    if a rule follows one, otherwise the values of the column. `counts`: how many rows each row stands for."""
    rows = np.bincount(column.codes, weights=counts, minlength=len(column.values))
    loss = (np.bincount(lookup) - 1) / max(len(lookup) - 1, 1)
    along = None if rule is None else rule.losses(column.domain, hierarchy)
    if along is not None:
        loss[lookup] = along
    return loss, hidden_bits(rows, lookup)


def renamed(before: Hierarchy, after: Hierarchy, column: Column) -> dict[tuple[int, str | None], str | None]:
    """Return the label of each node above a column's values, by level and label, in the hierarchy `after`."""
    old, new = (rule.bind(column.domain, column.name) for rule in (before, after))
    return {
        (level, text_or_none(old.labels[level][a])): text_or_none(new.labels[level][b])
        for level in range(min(old.height, new.height) + 1)
        for a, b in zip(old.codes[level][: len(column.values)], new.codes[level], strict=False)
    }


class RecodedColumn(NamedTuple):
    """A column as published, and per published code its loss and hidden bits; `entropy` is that of the source in bits,
    `level` its level and height where it has them."""

    column: Column
    loss: np.ndarray
    bits: np.ndarray
    entropy: float
    level: tuple[int, int] | None = None


class ColumnwiseRecipe(Recipe):
    """A recipe that publishes each quasi column by itself: equal values of a column are always published alike."""

    def recode(self, table: Table, counts: Indices = None) -> Outcome:
        names = self.schema.quasi
        recoded_columns = by_column(lambda name: self.recoded(table.column(name), counts), names, table.rows)
        columns = dict(zip(names, recoded_columns, strict=True))
        return Outcome(
            {ONLY: settle(table.with_columns(recoded.column for recoded in columns.values()), self.schema)},
            table.rows if counts is None else int(counts.sum()),
            {name: (recoded.loss, recoded.bits) for name, recoded in columns.items()},
            {name: recoded.entropy for name, recoded in columns.items()},
            {name: recoded.level for name, recoded in columns.items() if recoded.level},
            counts=counts,
        )

    def recoded(self, column: Column, counts: Indices) -> RecodedColumn:
        """Return how a quasi column is published; `counts` as for `recode`."""
        raise NotImplementedError


@dataclass(frozen=True, repr=False)
class Cut(ColumnwiseRecipe):
    """One rule per quasi column; a column without a rule is published as it is."""

    kind = "cut"
    title = "a cut through the hierarchy of each column"
    says = "The hierarchy of each column is cut at its own places, finer in some branches than in others."
    minimizes = True

    rules: Mapping[str, ColumnRule] = field(metadata=stored(RULES))

    def narrowed(self, rows: Table, counts: Indices, groups: Indices, positions: Indices) -> Narrowed:
        schema = self.schema.narrowed(rows, counts)
        before, after = self.schema.hierarchy, schema.hierarchy
        rules = {
            name: rule.narrowed(rows.column(name), counts, before(name), after(name))
            for name, rule in self.rules.items()
        }
        return Cut(schema, rules), groups, positions

    @property
    def climbing(self) -> list[str]:
        return [name for name, rule in self.rules.items() if rule.climbs]

    def publishes_as_read(self, name: str) -> bool:
        return name not in self.rules if name in self.schema.quasi else super().publishes_as_read(name)

    def recoded(self, column: Column, counts: Indices) -> RecodedColumn:
        rule, hierarchy = self.rules.get(column.name), self.schema.hierarchy(column.name)
        published, lookup = (column, np.arange(len(column.values))) if rule is None else recode(column, rule, hierarchy)
        entropy = entropy_of(np.bincount(column.codes, weights=counts))
        return RecodedColumn(published, *penalties(column, lookup, rule, hierarchy, counts), entropy)

    def strays(self, column: Column) -> list[Any]:
        rule = self.rules.get(column.name)
        return [value for value in column.domain if rule and value is not None and not rule.admits(value)]
