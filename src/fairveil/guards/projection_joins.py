"""Joins of projections that share columns, counted without materializing them.

Projections are joined on all shared columns: the class and any others. An attacker who joins them sees the values of
those columns, so the rows of a group have equal values in the quasi columns, the shared ones and the class. Within such
a group every row of one projection meets every row of the others, so the rows of a joined group are the product of its
rows in each projection. The smallest product is found projection by projection: of groups that agree in the columns
that later projections share, only the smallest is kept.

Some joins are smaller than the join of all, and some are smaller than every pair. So every connected set of projections
is checked; joining sets that share nothing but the class only multiplies further.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from fairveil.counting.tuples import first_rows, group_of
from fairveil.errors import BadInput

MAX_SETS = 4096
MAX_ROWS = 20_000_000
TOO_MANY = "the projections share columns in too many ways to look at every join: let fewer of them share columns"
BEYOND = 2.0**62

Coded = tuple[np.ndarray, int]  # codes of one column, the same in all projections, and the number of its values


@dataclass(frozen=True)
class JoinSide:
    """Groups of one projection, or of some joined ones: codes by column, and the rows of each group."""

    columns: Mapping[str, Coded]
    rows: np.ndarray

    def grouped(self, names: Sequence[str], how: np.ufunc) -> JoinSide:
        """The groups over fewer columns: rows of equal ones are added (np.add), or the minimum is kept (np.minimum)."""
        ids, first = first_rows([self.columns[name] for name in names], len(self.rows))
        rows = np.full(len(first), np.inf if how is np.minimum else 0.0)
        how.at(rows, ids, self.rows)
        return JoinSide({name: (self.columns[name][0][first], self.columns[name][1]) for name in names}, rows)

    def joined(self, other: JoinSide) -> JoinSide:
        """Every pair of groups that agree in all shared columns, with the product of their rows."""
        common = [name for name in self.columns if name in other.columns]
        sizes = len(self.rows), len(other.rows)
        both = [
            (np.concatenate([self.columns[name][0], other.columns[name][0]]), self.columns[name][1]) for name in common
        ]
        ids, total = group_of(both, sum(sizes))
        left, right = ids[: sizes[0]], ids[sizes[0] :]
        matches = np.bincount(right, minlength=total)
        if matches[left].sum() > MAX_ROWS:
            raise BadInput(TOO_MANY)
        order = np.argsort(right, kind="stable")
        starts = np.cumsum(matches) - matches
        ours = np.repeat(np.arange(sizes[0]), matches[left])
        within = np.arange(len(ours)) - np.repeat(np.cumsum(matches[left]) - matches[left], matches[left])
        theirs = order[np.repeat(starts[left], matches[left]) + within]
        columns = {name: (codes[ours], size) for name, (codes, size) in self.columns.items()}
        columns |= {n: (codes[theirs], size) for n, (codes, size) in other.columns.items() if n not in columns}
        return JoinSide(columns, np.minimum(self.rows[ours] * other.rows[theirs], BEYOND))


def smallest_group(sides: Sequence[JoinSide], known: Sequence[Sequence[str]]) -> int:
    """Rows of the smallest group in the join of all sides, 0 if it is empty. `known` are the quasi columns of each.

    Columns that a side shares with another are joined on, and attackers see them.
    """
    shared = {n for i, side in enumerate(sides) for n in side.columns for other in sides[:i] if n in other.columns}
    reduced = []
    for side, quasi in zip(sides, known, strict=True):
        keys = [name for name in side.columns if name in shared]
        groups = side.grouped([*keys, *(name for name in quasi if name not in shared)], np.add)
        reduced.append(groups.grouped(keys, np.minimum))
    joined, waiting = reduced[0], reduced[1:]
    while waiting:
        waiting.sort(key=lambda side: -len(set(side.columns) & set(joined.columns)))
        joined, waiting = joined.joined(waiting[0]), waiting[1:]
        later = {name for side in waiting for name in side.columns}
        joined = joined.grouped([name for name in joined.columns if name in later], np.minimum)
        if not len(joined.rows):
            return 0
    return int(joined.rows.min(initial=BEYOND))


def connected_sets(neighbours: Sequence[set[int]]) -> Iterator[tuple[int, ...]]:
    """Every set of two or more projections that are connected by shared columns."""
    seen: set[frozenset[int]] = set()
    waiting = [frozenset({p}) for p in range(len(neighbours))]
    while waiting:
        some = waiting.pop()
        for p in {r for member in some for r in neighbours[member]} - some:
            larger = some | {p}
            if larger not in seen:
                seen.add(larger)
                if len(seen) > MAX_SETS:
                    raise BadInput(TOO_MANY)
                waiting.append(larger)
                yield tuple(sorted(larger))
