"""Rules for one column: which value is published as which label, also for values never seen before.

>>> IntervalBins((48.0,)).labels([21, 48, 49, None])
['(-inf-48]', '(-inf-48]', '(48-inf)', None]
>>> KeptValues(("US", "Mexico")).labels(["US", "Laos", None])
['US', '*', '*']

IntervalBins    intervals of numbers, cut at the edges; an edge belongs to the interval below it
CutNodes   a cut through the column's hierarchy: every value becomes the node above it that is in the cut
KeptValues   the listed values as they are, everything else suppressed
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isnan
from typing import Any, ClassVar, Protocol

import numpy as np
import pyarrow as pa

from fairveil.counting.summary import hidden_bits
from fairveil.data.hierarchy import TOP, Hierarchy
from fairveil.data.interval_edges import Edges, Number, from_json, text_of, to_json
from fairveil.data.schema import Schema
from fairveil.data.table import Column, narrow
from fairveil.data.text_form import text_or_none
from fairveil.errors import BadInput, suggest
from fairveil.shapes import cell, many, name, optional, record, text, whole


class ColumnRule(Protocol):
    """How the values of one column are published."""

    kind: ClassVar[str]
    climbs: ClassVar[bool]
    """Whether the rule follows the column's hierarchy, so that it cannot place a value outside the hierarchy."""

    def labels(self, values: Sequence[Any], hierarchy: Hierarchy | None = None) -> list[str | None]: ...

    def losses(self, values: Sequence[Any], hierarchy: Hierarchy | None) -> np.ndarray | None:
        """Return (g-1)/(N-1) of each value's label, relative to the leaves; None: relative to the values."""
        ...

    def narrowed(self, column: Column, counts: np.ndarray | None, before: Schema, after: Schema) -> ColumnRule:
        """Return the same rule, learnt only from the values that occur in the rows of this column.

        `counts`: how many rows each row stands for. `before` and `after` have the column's hierarchy as it was, and as
        these rows alone would have it.
        """
        ...

    def admits(self, label: Any, hierarchy: Hierarchy | None = None) -> bool:
        """Whether the rule publishes some value as this label."""
        ...

    def to_dict(self) -> dict[str, Any]: ...


@dataclass(frozen=True)
class IntervalBins:
    """Intervals between ascending edges, labelled as WEKA does: "(-inf-48]", "(48-60]", "(60-inf)"."""

    kind: ClassVar[str] = "bins"
    climbs: ClassVar[bool] = False
    edges: tuple[Number, ...]

    @property
    def names(self) -> list[str]:
        if not self.edges:
            return [TOP]
        ends = [text_of(edge) for edge in self.edges]
        inner = [f"({low}-{high}]" for low, high in pairwise(ends)]
        return [f"(-inf-{ends[0]}]", *inner, f"({ends[-1]}-inf)"]

    def labels(self, values: Sequence[Any], hierarchy: Hierarchy | None = None) -> list[str | None]:
        names = self.names
        return [None if value is None else names[self._place(value)] for value in values]

    def losses(self, values: Sequence[Any], hierarchy: Hierarchy | None) -> np.ndarray | None:
        return None

    def _place(self, value: Any) -> int:
        if isinstance(value, bool | str) or not hasattr(value, "__float__"):
            raise BadInput(f"{value!r} is not a number, so it is in no interval")
        return len(self.edges) if isnan(value) else bisect_left(self.edges, value)

    def narrowed(self, column: Column, counts: np.ndarray | None, before: Schema, after: Schema) -> IntervalBins:
        edges = Edges.of(column, counts, strict=True)
        return IntervalBins(tuple(sorted({near for edge in self.edges if (near := edges.near(edge)) is not None})))

    def admits(self, label: Any, hierarchy: Hierarchy | None = None) -> bool:
        return label is None or label in self.names

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "edges": [to_json(edge) for edge in self.edges]}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> IntervalBins:
        edges = tuple(from_json(edge) for edge in many(cell)(spec.get("edges"), "edges"))
        if list(edges) != sorted(set(edges)):
            raise BadInput("the edges of bins must be ascending")
        return cls(edges)


@dataclass(frozen=True)
class CutNodes:
    """A cut: pairs of level and label, exactly one of them on the path from any leaf to the top."""

    kind: ClassVar[str] = "nodes"
    climbs: ClassVar[bool] = True
    nodes: tuple[tuple[int, str | None], ...]

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
                label = levels.labels[level][code]
                text = text_or_none(label)
                if (level, text) in cut:
                    climbed[leaf] = (text, float(levels.penalties[level][code]))
                    break
        return climbed

    def narrowed(self, column: Column, counts: np.ndarray | None, before: Schema, after: Schema) -> CutNodes:
        names = renamed(before, after, column.compact())
        return CutNodes(tuple((node[0], names[node]) for node in self.nodes if node in names))

    def admits(self, label: Any, hierarchy: Hierarchy | None = None) -> bool:
        text = text_or_none(label)
        return text == TOP or any(text == name for _, name in self.nodes)

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "nodes": [list(node) for node in self.nodes]}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> CutNodes:
        nodes = many(many(cell, 2))(spec.get("nodes"), "nodes")
        return cls(tuple((whole(0, 10_000)(level, "nodes"), optional(text)(label, "nodes")) for level, label in nodes))


@dataclass(frozen=True)
class KeptValues:
    """The values published as they are, as text; all others, including missing and new ones, become "*"."""

    kind: ClassVar[str] = "shown"
    climbs: ClassVar[bool] = False
    values: tuple[str | None, ...]

    def labels(self, values: Sequence[Any], hierarchy: Hierarchy | None = None) -> list[str | None]:
        kept = set(self.values)
        texts = list(map(text_or_none, values))
        return [text if text in kept else TOP for text in texts]

    def losses(self, values: Sequence[Any], hierarchy: Hierarchy | None) -> np.ndarray | None:
        return None

    def narrowed(self, column: Column, counts: np.ndarray | None, before: Schema, after: Schema) -> KeptValues:
        texts = {text_or_none(value) for value in column.compact().domain}
        return KeptValues(tuple(value for value in self.values if value in texts))

    def admits(self, label: Any, hierarchy: Hierarchy | None = None) -> bool:
        return label == TOP or text_or_none(label) in self.values

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "values": list(self.values)}

    @classmethod
    def from_dict(cls, spec: Mapping[str, Any]) -> KeptValues:
        return cls(tuple(many(optional(text))(spec.get("values"), "values")))


RULES: tuple[Any, ...] = (IntervalBins, CutNodes, KeptValues)


def from_dict(spec: Mapping[str, Any]) -> ColumnRule:
    kinds = {rule.kind: rule for rule in RULES}
    record({"kind": name}, more=True)(spec, "a column rule")
    if spec["kind"] not in kinds:
        raise BadInput(suggest(spec["kind"], kinds, "column rule"))
    rule: ColumnRule = kinds[spec["kind"]].from_dict(spec)
    return rule


def recode(column: Column, rule: ColumnRule, hierarchy: Hierarchy | None = None) -> tuple[Column, np.ndarray]:
    """Return the column as published, and the published code of each of its original codes."""
    try:
        labels = rule.labels(column.domain, hierarchy)
    except BadInput as problem:
        raise BadInput(f"column {column.name!r}: {problem}") from None
    texts = sorted({label for label in labels if label is not None})
    order: list[str | None] = [*texts, *([None] if None in labels else [])]  # missing comes last, as in any table
    numbers = {label: code for code, label in enumerate(order)}
    lookup = np.array([numbers[label] for label in labels], dtype=np.int64)
    return Column(column.name, narrow(lookup, len(order))[column.codes], pa.array(order, pa.string())), lookup


def penalties(
    column: Column,
    lookup: np.ndarray,
    rule: ColumnRule | None = None,
    hierarchy: Hierarchy | None = None,
    counts: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return what a row pays for each published code: (g-1)/(N-1), and hidden bits.

    Leaves are those of the hierarchy if a rule follows one, otherwise the values of the column. `counts`: how many rows
    each row of the column stands for.
    """
    rows = np.bincount(column.codes, weights=counts, minlength=len(column.values))
    loss = (np.bincount(lookup) - 1) / max(len(lookup) - 1, 1)
    along = None if rule is None else rule.losses(column.domain, hierarchy)
    if along is not None:
        loss[lookup] = along
    return loss, hidden_bits(rows, lookup)


def renamed(before: Schema, after: Schema, column: Column) -> dict[tuple[int, str | None], str | None]:
    """Return the new label of each node above the values of a column, by level and label, in another version of its
    hierarchy."""
    old, new = (schema.hierarchy(column.name).bind(column.domain, column.name) for schema in (before, after))
    return {
        (level, text_or_none(old.labels[level][old.codes[level, leaf]])): text_or_none(
            new.labels[level][new.codes[level, leaf]]
        )
        for level in range(min(old.height, new.height) + 1)
        for leaf in range(len(column.values))
    }
