"""What joins of projections show of a sensitive column, computed without joining anything.

Diversity. What attackers know are the quasi columns and, of projections that they join, the other columns that those
share. Joined rows have a class that all sides have, and a sensitive value that all sides with this column have beside
the class. So a side is only a few sets, of classes or of classes with values, for each combination of what it shares
with others; sides are joined by intersecting sets. The number of groups of a side does not matter.

Closeness. Projections that share nothing but the class are joined on it, and the counts of the sides multiply. So an
attacker who finds a person's group in each of them sees, in the group that has the sensitive column, its rows of each
class weighted by the product of the rows that the other groups have of that class: a mixture of the distributions per
class. A distance to one distribution is convex, so it is largest where the weights are extreme. For two classes these
are the joins with the minimum and the maximum ratio of the two; for more, all distinct weights are checked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.spellings import counted_as, known_codes
from fairveil.counting.tuples import first_rows
from fairveil.data.coding import alike
from fairveil.errors import BadInput, refuse, suggest
from fairveil.guards.projection_joins import MAX_SETS, TOO_MANY

if TYPE_CHECKING:
    from fairveil.guards.projections import Projections

Atoms = frozenset[int]  # classes as numbers; on a side that shows the sensitive column, pairs of a class and a value
Sets = dict[tuple[int, ...], set[Atoms]]
"""The distinct sets of atoms of the groups, by the values of the shared columns."""
Judged = Callable[[str, Sequence[Any]], Sequence[Any]]
"""What the labels of a column are counted as."""
Distance = Callable[[np.ndarray], np.ndarray]
"""The distances of distributions, one per row, from that of the whole table."""
MAX_MEETINGS = 5_000_000
MAX_WEIGHTS = 100_000
MAX_NUMBERS = 1 << 22  # numbers in memory at a time
TOO_MANY_WEIGHTS = "the projections can be joined in too many ways to look at every distribution: publish fewer of them"


def poorest(
    parts: Projections, sensitive: Sequence[str], known: bool = True, judged: Judged = lambda _, labels: labels
) -> float:
    """The minimum number of distinct sensitive values in any join, of `known` ones only or with missing as a value;
    infinite if none is published. Labels are counted as what they are `judged` as."""
    if not sensitive:
        raise BadInput("distinct-diversity needs a sensitive column, and none is named")
    published = {name for table in parts.tables for name in table.names}
    columns = parts.sensitive or sorted(published)
    refuse([suggest(name, columns, "sensitive column") for name in sensitive if name not in columns])
    joins = [_Joins(parts, name, known, judged) for name in sensitive if name in published]
    return min((join.fewest() for join in joins), default=float("inf"))


class _Joins:
    """Every join of projections, seen for one sensitive column, which may be the class itself."""

    def __init__(self, parts: Projections, name: str, known: bool, judged: Judged) -> None:
        self.parts, self.name = parts, name
        showing = [p for p, table in enumerate(parts.tables) if name in table and name != parts.decision]
        codes, self.values = alike([parts.tables[p].column(name) for p in showing]) if showing else ((), 1)
        self.values_of = dict(zip(showing, codes, strict=True))
        self.meetings = 0
        own, size = (codes, self.values) if showing else parts.classes
        columns = [parts.tables[p].column(name) for p in showing or range(len(parts))]
        self.counted = counted_as(columns, own, size, known, lambda labels: judged(name, labels))

    def fewest(self) -> float:
        every = range(len(self.parts))
        if not self.parts.shared:
            return min((self._with_any_others(p) for p in every if self._shows(p)), default=float("inf"))
        if 1 << len(every) > MAX_SETS:
            raise BadInput(TOO_MANY)
        joins = (some for size in range(1, len(every) + 1) for some in combinations(every, size))
        return min((self._joined(some) for some in joins if any(map(self._shows, some))), default=float("inf"))

    def _shows(self, p: int) -> bool:
        return p in self.values_of or self.name == self.parts.decision

    def _with_any_others(self, p: int) -> float:
        """The minimum in the projection, joined on the class with none, some or all of the others."""
        allowed: set[Atoms | None] = {None}
        for other in range(len(self.parts)):
            if other != p:
                sets = self._sets(other, ())[()]
                allowed |= {classes if before is None else before & classes for before in allowed for classes in sets}
        own = self._sets(p, ())[()]
        return min(self._distinct(self._within(atoms, classes)) for atoms in own for classes in allowed)

    def _joined(self, some: Sequence[int]) -> float:
        """The minimum in the join of exactly these, on all shared columns."""
        tables, hidden = self.parts.tables, (self.name, self.parts.decision)
        shared = {
            p: [n for n in tables[p].names if n not in hidden and any(n in tables[r] for r in some if r != p)]
            for p in some
        }
        first, *others = sorted(some, key=lambda p: not self._shows(p))
        names, sets = shared[first], self._sets(first, tuple(shared[first]))
        for number, other in enumerate(others):
            later = {name for p in others[number + 1 :] for name in shared[p]}
            names, sets = self._met(names, sets, other, shared[other], later)
        return min((self._distinct(atoms) for groups in sets.values() for atoms in groups), default=float("inf"))

    def _met(self, names: list[str], sets: Sets, other: int, own: list[str], later: set[str]) -> tuple[list[str], Sets]:
        """What is left after one more projection is joined, by the columns that later ones share."""
        common = [name for name in own if name in names]
        by_common: dict[tuple[int, ...], list[tuple[tuple[int, ...], set[Atoms]]]] = {}
        for key, groups in self._sets(other, tuple(own)).items():
            values = dict(zip(own, key, strict=True))
            by_common.setdefault(tuple(values[name] for name in common), []).append((key, groups))
        kept = [name for name in dict.fromkeys([*names, *own]) if name in later]
        left: Sets = {}
        for key, groups in sets.items():
            values = dict(zip(names, key, strict=True))
            for other_key, other_groups in by_common.get(tuple(values[name] for name in common), []):
                both = values | dict(zip(own, other_key, strict=True))
                self.meetings += len(groups) * len(other_groups)
                if self.meetings > MAX_MEETINGS:
                    raise BadInput(TOO_MANY)
                meet = frozenset.intersection if other in self.values_of else self._within
                met = {meet(atoms, more) for atoms in groups for more in other_groups}
                left.setdefault(tuple(both[name] for name in kept), set()).update(atoms for atoms in met if atoms)
        return kept, left

    def _within(self, atoms: Atoms, classes: Atoms | None) -> Atoms:
        """The atoms of these classes; of all if None."""
        return atoms if classes is None else frozenset(atom for atom in atoms if atom // self.values in classes)

    def _distinct(self, atoms: Atoms) -> float:
        """The number of distinct sensitive values among atoms; infinite if there are none."""
        values = atoms if self.name == self.parts.decision else {atom % self.values for atom in atoms}
        if self.counted is not None:
            values = {int(self.counted[value]) for value in values} - {-1}
        return float(len(values)) if values else float("inf")

    def _sets(self, p: int, shared: tuple[str, ...]) -> Sets:
        """The sets of one projection, by the values of these columns. Groups have equal values in all that is known."""
        parts, table = self.parts, self.parts.tables[p]
        own = [n for n in table.names if n in parts.quasi and n not in (*shared, self.name, parts.decision)]
        coded = [parts.codes_of(p, name) for name in (*shared, *own)]
        groups, first = first_rows(coded, table.rows)
        total = len(first)
        atoms, size = parts.classes[0][p].astype(np.int64), parts.classes[1]
        if p in self.values_of:
            atoms, size = atoms * self.values + self.values_of[p], size * self.values
        pairs = np.unique(groups * size + atoms)
        keys = list(zip(*(codes[first].tolist() for codes, _ in coded[: len(shared)]), strict=True)) or [()] * total
        sets: Sets = {}
        for group, members in enumerate(np.split(pairs % size, np.searchsorted(pairs // size, np.arange(1, total)))):
            sets.setdefault(keys[group], set()).add(frozenset(members.tolist()))
        return sets or {(): set()}


def farthest(parts: Projections, name: str, distance: Distance, known: bool = True) -> float:
    """The maximum distance of any group of equal quasi values, in a projection with this column or in any join with it,
    of the `known` values only or with missing as a value; 0 where no row is published."""
    if parts.shared:
        raise BadInput("t-closeness is defined for projections that share nothing but the decision, and these do")
    counts = [_per_class(parts, p) for p in range(len(parts))]
    worst = 0.0
    for p, table in enumerate(parts.tables):
        if name in table and table.rows:
            weights = _weights([counts[other] for other in range(len(parts)) if other != p], parts.classes[1])
            worst = max(worst, _farthest(parts, p, name, weights, distance, known))
    return worst


def _per_class(parts: Projections, p: int) -> np.ndarray:
    """The distinct rows per class of the groups of a projection."""
    groups, total = parts.groups_of(p, but=(parts.decision,))
    codes, size = parts.classes
    counts = np.bincount(groups * size + codes[p], minlength=total * size).reshape(total, size)
    return np.unique(counts, axis=0)


def _weights(others: list[np.ndarray], classes: int) -> np.ndarray:
    """The weights of the classes in every join with none, some or all of the others, without duplicates."""
    weights = np.full((1, classes), 1 / classes)
    for counts in others:
        joined = (weights[:, None, :] * counts[None, :, :]).reshape(-1, classes)
        joined = joined[joined.sum(axis=1) > 0]
        weights = np.concatenate([weights, joined / joined.sum(axis=1, keepdims=True)])
        if classes == 2:
            weights = weights[[weights[:, 0].argmin(), weights[:, 0].argmax()]]
        else:
            weights = weights[np.unique(np.round(weights, 12), axis=0, return_index=True)[1]]
        if len(weights) > MAX_WEIGHTS:
            raise BadInput(TOO_MANY_WEIGHTS)
    return weights


def _farthest(parts: Projections, p: int, name: str, weights: np.ndarray, distance: Distance, known: bool) -> float:
    """The maximum distance in one projection, with the weights that others may give to its classes."""
    groups, total = parts.groups_of(p, but=(name, parts.decision))
    codes, classes = parts.classes
    column = parts.tables[p].column(name)
    size = len(column.values)
    values = known_codes(column) if known else column.codes.astype(np.int64)
    order = np.argsort(groups, kind="stable")
    order = order[values[order] >= 0]
    ends = np.searchsorted(groups[order], np.arange(total + 1))
    step = max(MAX_NUMBERS // (classes * size), 1)
    worst = 0.0
    for start in range(0, total, step):
        rows_inside = order[ends[start] : ends[min(start + step, total)]]
        inside = min(step, total - start)
        cell = ((groups[rows_inside] - start) * classes + codes[p][rows_inside]) * size + values[rows_inside]
        counts = np.bincount(cell, minlength=inside * classes * size).reshape(inside, classes, size)
        for weight in weights:
            mixed = np.einsum("gcs,c->gs", counts, weight)
            rows = mixed.sum(axis=1)
            if (rows > 0).any():  # elsewhere the join is empty
                worst = max(worst, float(distance(mixed[rows > 0] / rows[rows > 0, None]).max()))
    return worst
