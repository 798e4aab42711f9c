"""Taxonomies learnt from the data (Caruccio et al., Section 6.1), for columns without a hierarchy.

Numeric columns bottom-up: the distinct values, from the largest down, in groups of five; then pairs of neighbouring
groups, up to a single one. Values that the grid of edges does not separate count as one. Other columns top-down: values
are alike when their records are (the mean of every other column), 2-means splits them in two, and each part again; a
part is named by its values. A level that does not raise k is left out.

A release narrows them to what its own rows show: edges lie on the grid of its values (`data/interval_edges.py`), and of
the values only published ones are listed.

>>> import pyarrow as pa
>>> from fairveil import Table
>>> table = Table.from_frame(pa.table({"age": list(range(20, 60)) * 2}))
>>> automatic(table, ["age"])["age"].bind([20, 31, 59]).labels[1:]
(('<25', '30-34', '≥55'), ('<30', '30-39', '≥50'), ('<40', '≥40'), ('*',))
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.data.hierarchy.by_rule import suppress
from fairveil.data.hierarchy.hierarchy import TOP, Hierarchy
from fairveil.data.hierarchy.intervals import Intervals
from fairveil.data.hierarchy.tree import Tree, set_label
from fairveil.data.interval_edges import Edges
from fairveil.data.numeric import is_number, significant
from fairveil.errors import BadInput
from fairveil.messages import literal

if TYPE_CHECKING:
    from fairveil.data.table import Column

MAX_SHARES = 200
"""A column with more values describes records by its mean (numbers) or not at all (names)."""
FEW = 10
"""Up to this many values, every split is tried: 511 at most."""


def automatic(
    table: Any, columns: Sequence[str], *, beside: Sequence[str] | None = None, group: int = 5, seed: int = 0
) -> dict[str, Hierarchy]:
    """A hierarchy for each of these `columns` of a `table` or frame. Numbers fall into groups of `group` at first.

    `beside` are the columns by which the records of two values are compared (all others unless given): name the
    decision there to merge values that decide alike first, which keeps the accuracy.
    """
    from fairveil.data.table import Table

    table = Table.from_frame(table)
    columns = [columns] if isinstance(columns, str) else columns
    beside = [beside] if isinstance(beside, str) else beside
    table.need([*columns, *(beside or ())])
    if isinstance(group, bool) or not isinstance(group, int) or group < 2:
        raise BadInput(f"automatic hierarchies: group must be an integer of at least 2, not {literal(group)}")
    others = [table.column(name) for name in (table.names if beside is None else beside)]

    def learnt(column: Column) -> Hierarchy:
        compared = [other for other in others if other.name != column.name]
        return _bands(column, group) if is_number(column) else _clusters(column, compared, seed)

    return {name: learnt(table.column(name)) for name in columns}


def _occurring(column: Column) -> tuple[list[Any], np.ndarray]:
    """The values of a column, without the missing one, and the number of rows of each."""
    values = [value for value in column.domain if value is not None]
    return values, np.bincount(column.codes, minlength=len(column.values))[: len(values)]


def _bands(column: Column, group: int) -> Hierarchy:
    """Groups of neighbouring values, doubled from level to level, as intervals that also cover any other number."""
    values, rows = _occurring(column)
    edges = Edges(values)
    rows = np.bincount(edges.cells, weights=rows)
    if len(rows) < 2:
        return suppress()
    starts = np.arange(len(rows) - group, 0, -group)[::-1]  # where groups begin, except the lowest
    reached, levels = int(rows.min()), []
    while len(starts):
        k = int(np.add.reduceat(rows, [0, *starts]).min())
        if k > reached:
            levels.append(tuple(edge for start in starts if (edge := edges.below(int(start))) is not None))
            reached = k
        starts = starts[::-1][1::2][::-1]  # neighbours in pairs, from the top
    if not levels:
        return suppress()
    return Intervals(tuple(levels), open_ended=True, whole=edges.whole, from_data=True)


def _clusters(column: Column, others: Sequence[Column], seed: int) -> Hierarchy:
    values, rows = _occurring(column)
    if len(values) < 3:
        return suppress()
    profiles = _profiles(column, others)[: len(values)]
    chains: list[list[str]] = [[] for _ in values]

    def split(members: np.ndarray) -> None:
        label = TOP if len(members) == len(values) else set_label(str(values[i]) for i in members)
        for i in members:
            chains[i].append(label)
        if len(members) == 1:
            return
        side = _two_means(profiles[members], rows[members], seed)
        if side.all() or not side.any():  # their profiles are the same
            for i in members:
                chains[i].append(str(values[i]))
        else:
            split(members[~side])
            split(members[side])

    split(np.arange(len(values)))
    depth = max(len(chain) for chain in chains)
    paths = [(chain + [chain[-1]] * (depth - len(chain)))[::-1] for chain in chains]
    keep, reached = [0], int(rows.min())
    for level in range(1, depth - 1):
        _, code = np.unique([path[level] for path in paths], return_inverse=True)
        k = int(np.bincount(code, weights=rows).min())
        if k > reached:
            keep.append(level)
            reached = k
    kept = [*keep, depth - 1]
    return Tree(tuple(tuple(path[level] for level in kept) for path in paths), unlisted=len(kept) - 1)


def _profiles(column: Column, others: Sequence[Column]) -> np.ndarray:
    """The profile of each value's records: mean of each number (in standard deviations), share of each name."""
    size = len(column.values)
    rows = np.maximum(np.bincount(column.codes, minlength=size), 1)
    features: list[np.ndarray] = []
    for other in others:
        width = len(other.values)
        if is_number(other) and width > 2:
            numbers = np.array([np.nan if v is None else float(v) for v in other.domain])[other.codes]
            spread = np.nanstd(numbers)
            if spread > 0:
                scaled = np.nan_to_num((numbers - np.nanmean(numbers)) / spread)
                features.append((np.bincount(column.codes, weights=scaled, minlength=size) / rows)[:, None])
        elif 1 < width <= MAX_SHARES:
            pairs = column.codes.astype(np.int64) * width + other.codes
            features.append(np.bincount(pairs, minlength=size * width).reshape(size, width) / rows[:, None])
    return np.hstack(features) if features else np.zeros((size, 1))


def _two_means(profiles: np.ndarray, rows: np.ndarray, seed: int) -> np.ndarray:
    """Which values go to the second of two clusters; all False where the profiles are all the same.

    For few values every split is tried; for more, the best of ten starts is taken, which can miss the optimum.
    """
    if np.allclose(profiles, profiles[0]):
        return np.zeros(len(profiles), dtype=bool)
    weights = np.maximum(rows, 1)
    if len(profiles) <= FEW:
        return _best_split(profiles, weights)
    from sklearn.cluster import KMeans

    clusters = KMeans(2, n_init=10, random_state=seed).fit(profiles, sample_weight=weights)
    side: np.ndarray = clusters.labels_ != clusters.labels_[0]  # the first value stays left, whatever the numbering
    return side


def _best_split(profiles: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The split with the minimum squared distance from the two means: the one whose means lie farthest out."""
    others = len(profiles) - 1
    second = (np.arange(1, 2**others)[:, None] >> np.arange(others) & 1).astype(float)
    second = np.hstack([np.zeros((len(second), 1)), second])  # the first value stays on the left
    centred = profiles - np.average(profiles, axis=0, weights=weights)
    apart = np.zeros(len(second))
    for part in (1 - second, second):
        apart += ((part @ (centred * weights[:, None])) ** 2).sum(axis=1) / (part @ weights)
    best: np.ndarray = second[np.argmax(significant(apart))].astype(bool)
    return best
