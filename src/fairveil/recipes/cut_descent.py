"""Sending many rows down a tree of cuts at once, one depth after the other.

The tree is kept as arrays: a number per node, the cut of each node, and its parts as consecutive nodes. Nodes with the
same cut share it, so what a cut does to a column's values is looked up once.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.data.interval_edges import from_json
from fairveil.data.text_form import text_or_none

if TYPE_CHECKING:
    from fairveil.data.hierarchy import Levels
    from fairveil.data.table import Column

Tree = Mapping[str, Any]
"""A region {}, or a cut: {"column", "at", "parts": [left, right]} at a number, {"column", "level", "names", "parts"}
into the nodes of a level.

A cut without a number at "at" has the missing values on its right. With "left" and "of", so many of the tied rows went
left: those with numbers from "from" up to "at", or the missing ones where there is no "from".
{"only": {column: number}} is a region that publishes these numbers as they are."""
BLOCK = 1 << 16
"""Rows that go down together."""
_Effect = tuple[str, Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]]
"""The column of a kind of cut, and the part of each row, -1 for none, by its code, its cut and its node."""


@dataclass(frozen=True)
class FlatTree:
    """`cut` is the number of a node's cut among the distinct `cuts`, -1 for a region; `child` the number of its first
    part; `region` the number of a region, left to right. Relaxed cuts divide tied rows by their order."""

    cuts: Sequence[Tree]
    cut: np.ndarray
    child: np.ndarray
    region: np.ndarray

    @classmethod
    def of(cls, tree: Tree) -> FlatTree:
        nodes: list[Tree] = [tree]
        cuts: list[Tree] = []
        numbers: dict[Any, int] = {}
        cut: list[int] = []
        child: list[int] = []
        for node in nodes:  # parts are appended: all parts of a node are neighbours
            child.append(len(nodes))
            if "column" not in node:
                cut.append(-1)
                continue
            key = tuple((name, _hashable(value)) for name, value in node.items() if name != "parts")
            cut.append(numbers.setdefault(key, len(cuts)))
            if cut[-1] == len(cuts):
                cuts.append(node)
            nodes += node["parts"]
        return cls(cuts, np.array(cut), np.array(child), _left_to_right(nodes, child))

    @property
    def relaxed(self) -> bool:
        return any("of" in cut for cut in self.cuts)

    def regions_of(self, rows: int, columns: Mapping[str, Column], bound: Mapping[str, Levels]) -> np.ndarray:
        """Return the region of each row; -1 where a name is in no part of a cut. `bound` has the hierarchies."""
        kind, effects = _effects(self.cuts, columns, bound)
        region = np.full(rows, -1, dtype=np.int64)
        step = max(rows, 1) if self.relaxed else BLOCK
        for start in range(0, rows, step):
            piece = slice(start, min(start + step, rows))
            codes = {name: column.codes[piece] for name, column in columns.items()}
            self._descend(kind, effects, codes, region[piece])
        return region

    def _descend(
        self, kind: np.ndarray, effects: Sequence[_Effect], codes: Mapping[str, np.ndarray], region: np.ndarray
    ) -> None:
        node, active = np.zeros(len(region), dtype=np.int64), np.arange(len(region))
        while len(active):
            is_region = self.cut[node[active]] < 0
            region[active[is_region]] = self.region[node[active[is_region]]]
            active = active[~is_region]
            kinds = kind[self.cut[node[active]]]
            for number in np.flatnonzero(np.bincount(kinds, minlength=len(effects))).tolist():
                rows = active[kinds == number] if len(effects) > 1 else active
                column, parts_of = effects[number]
                here = node[rows]
                part = parts_of(codes[column][rows], self.cut[here], here)
                node[rows] = np.where(part < 0, -1, self.child[here] + part)
            active = active[node[active] >= 0]


def _effects(
    cuts: Sequence[Tree], columns: Mapping[str, Column], bound: Mapping[str, Levels]
) -> tuple[np.ndarray, list[_Effect]]:
    """Return the kind of each cut, and what each kind of cut does: those at numbers of a column are one kind."""
    kind, ends = np.zeros(len(cuts), dtype=np.int64), np.zeros(len(cuts), dtype=np.int64)
    effects: list[_Effect] = []
    by_column: dict[str, int] = {}
    for number, cut in enumerate(cuts):
        column, domain = columns[cut["column"]], columns[cut["column"]].domain
        if "level" in cut:
            kind[number] = len(effects)
            effects.append((column.name, partial(_by_name, _part_of_leaf(cut, bound[column.name]))))
            continue
        present = len(domain) - (None in domain[-1:])
        if "of" in cut:
            tied = tied_range(domain, present, cut) if "from" in cut else (present, len(domain))
            kind[number] = len(effects)
            effects.append((column.name, partial(_by_order, tied, cut["left"], cut["of"])))
            continue
        at = from_json(cut.get("at"))
        ends[number] = present if at is None else bisect_left(domain, at, hi=present)
        if column.name not in by_column:
            by_column[column.name] = len(effects)
            effects.append((column.name, partial(_by_number, ends)))
        kind[number] = by_column[column.name]
    return kind, effects


def _part_of_leaf(cut: Tree, levels: Levels) -> np.ndarray:
    part_of = {name: number for number, name in enumerate(cut["names"])}
    of_label = np.array([part_of.get(text_or_none(label), -1) for label in levels.labels[cut["level"]]], dtype=np.int64)
    parts: np.ndarray = of_label[levels.codes[cut["level"]]]
    return parts


def _by_name(parts: np.ndarray, codes: np.ndarray, cut: np.ndarray, node: np.ndarray) -> np.ndarray:
    found: np.ndarray = parts[codes]
    return found


def _by_number(ends: np.ndarray, codes: np.ndarray, cut: np.ndarray, node: np.ndarray) -> np.ndarray:
    """Numbers below the cut go left."""
    return np.asarray(codes >= ends[cut]).astype(np.int64)


def _by_order(
    tied: tuple[int, int], left: int, of: int, codes: np.ndarray, cut: np.ndarray, node: np.ndarray
) -> np.ndarray:
    """Numbers below the tied ones go left, and in each node the first tied rows, in the original share."""
    right = codes >= tied[0]
    is_tied = right & (codes < tied[1])
    for number in np.unique(node).tolist():
        rows = np.flatnonzero(is_tied & (node == number))
        right[rows[: round(len(rows) * left / of)]] = False
    return right.astype(np.int64)


def tied_range(numbers: Sequence[Any], present: int, cut: Tree) -> tuple[int, int]:
    """Return the index range [start, stop) of the tied numbers among ascending ones."""
    low, high = from_json(cut["from"]), from_json(cut.get("at"))
    start = 0 if low is None else bisect_left(numbers, low, hi=present)
    return start, present if high is None else bisect_left(numbers, high, hi=present)


def _left_to_right(nodes: Sequence[Tree], child: Sequence[int]) -> np.ndarray:
    """Return the number of each region, counted left to right; -1 for cuts."""
    region, waiting, count = np.full(len(nodes), -1, dtype=np.int64), [0], 0
    while waiting:
        number = waiting.pop()
        if "column" in nodes[number]:
            parts = len(nodes[number]["parts"])
            waiting += range(child[number] + parts - 1, child[number] - 1, -1)
        else:
            region[number], count = count, count + 1
    return region


def _hashable(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
