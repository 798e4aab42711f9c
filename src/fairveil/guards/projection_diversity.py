"""The minimum number of sensitive values in any join of projections, computed without joining anything.

What attackers know are the quasi columns and, of projections that they join, the other columns that those share. Joined
rows have a class that all sides have, and a sensitive value that all sides with this column have beside the class. So a
side is only a few sets, of classes or of classes with values, for each combination of what it shares with others; sides
are joined by intersecting sets. The number of groups of a side does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from fairveil.counting.cells import group_of
from fairveil.data.coding import alike
from fairveil.errors import BadInput, suggest
from fairveil.guards.projection_joins import MOST_SETS, TOO_MANY
from fairveil.guards.projections import Projections

Atoms = frozenset[int]
"""Classes as numbers; on a side that shows the sensitive column, pairs of a class and a value."""
Sets = dict[tuple[int, ...], set[Atoms]]
"""The distinct sets of atoms of the groups, by the values of the shared columns."""
MOST_MEETINGS = 5_000_000


def poorest(parts: Projections, sensitive: Sequence[str]) -> float:
    """The minimum number of distinct sensitive values in any join; infinite if none is published."""
    if not sensitive:
        raise BadInput("distinct-diversity needs a sensitive column, and none is named")
    published = {name for table in parts.tables for name in table.names}
    known = parts.sensitive or sorted(published)
    unknown = [name for name in sensitive if name not in known]
    if unknown:
        raise BadInput(suggest(unknown[0], known, "sensitive column"))
    joins = [_Joins(parts, name) for name in sensitive if name in published]
    return min((join.fewest() for join in joins), default=float("inf"))


class _Joins:
    """Every join of projections, seen for one sensitive column, which may be the class itself."""

    def __init__(self, parts: Projections, name: str) -> None:
        self.parts, self.name = parts, name
        showing = [p for p, table in enumerate(parts.tables) if name in table and name != parts.decision]
        codes, self.values = alike([parts.tables[p].column(name) for p in showing]) if showing else ((), 1)
        self.values_of = dict(zip(showing, codes, strict=True))
        self.meetings = 0

    def fewest(self) -> float:
        every = range(len(self.parts))
        if not self.parts.shared:
            return min((self._with_any_others(p) for p in every if self._shows(p)), default=float("inf"))
        if 1 << len(every) > MOST_SETS:
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
        shared = {p: [n for n in self._known(p, some) if any(n in self.parts.tables[r] for r in some if r != p)]
                  for p in some}  # fmt: skip
        first, *others = sorted(some, key=lambda p: not self._shows(p))
        names, sets = shared[first], self._sets(first, tuple(shared[first]))
        for number, other in enumerate(others):
            later = {name for p in others[number + 1 :] for name in shared[p]}
            names, sets = self._met(names, sets, other, shared[other], later)
        return min((self._distinct(atoms) for groups in sets.values() for atoms in groups), default=float("inf"))

    def _known(self, p: int, some: Sequence[int]) -> list[str]:
        """What attackers know of a projection in a join: its quasi columns, and those that another one also has."""
        return [
            name
            for name in self.parts.tables[p].names
            if name not in (self.name, self.parts.decision)
            and (name in self.parts.quasi or any(name in self.parts.tables[r] for r in some if r != p))
        ]

    def _met(self, names: list[str], sets: Sets, other: int, own: list[str], later: set[str]) -> tuple[list[str], Sets]:
        """What is left after one more projection is joined, by the columns that later ones share."""
        common = [name for name in own if name in names]
        by_common: dict[tuple[int, ...], list[tuple[tuple[int, ...], set[Atoms]]]] = {}
        for key, groups in self._sets(other, tuple(own)).items():
            place = dict(zip(own, key, strict=True))
            by_common.setdefault(tuple(place[name] for name in common), []).append((key, groups))
        kept = [name for name in dict.fromkeys([*names, *own]) if name in later]
        left: Sets = {}
        for key, groups in sets.items():
            values = dict(zip(names, key, strict=True))
            for other_key, other_groups in by_common.get(tuple(values[name] for name in common), []):
                both = values | dict(zip(own, other_key, strict=True))
                self.meetings += len(groups) * len(other_groups)
                if self.meetings > MOST_MEETINGS:
                    raise BadInput(TOO_MANY)
                met = {self._met_atoms(atoms, more, other) for atoms in groups for more in other_groups}
                left.setdefault(tuple(both[name] for name in kept), set()).update(atoms for atoms in met if atoms)
        return kept, left

    def _met_atoms(self, atoms: Atoms, more: Atoms, other: int) -> Atoms:
        return atoms & more if other in self.values_of else self._within(atoms, more)

    def _within(self, atoms: Atoms, classes: Atoms | None) -> Atoms:
        """The atoms of these classes; of all if None."""
        return atoms if classes is None else frozenset(atom for atom in atoms if atom // self.values in classes)

    def _distinct(self, atoms: Atoms) -> float:
        """The number of distinct sensitive values among atoms; infinite if there are no atoms."""
        values = atoms if self.name == self.parts.decision else {atom % self.values for atom in atoms}
        return float(len(values)) if values else float("inf")

    def _sets(self, p: int, shared: tuple[str, ...]) -> Sets:
        """The sets of one projection, by the values of these columns. Groups have equal values in all that is known."""
        parts, table = self.parts, self.parts.tables[p]
        known = [
            *shared,
            *(n for n in table.names if n in parts.quasi and n not in (*shared, self.name, parts.decision)),
        ]
        coded = [parts.codes_of(p, name) for name in known]
        groups, total = group_of(coded, table.rows)
        atoms, size = parts.classes[0][p].astype(np.int64), parts.classes[1]
        if p in self.values_of:
            atoms, size = atoms * self.values + self.values_of[p], size * self.values
        pairs = np.unique(groups * size + atoms)
        first = np.zeros(total, dtype=np.int64)
        first[groups[::-1]] = np.arange(table.rows - 1, -1, -1)
        keys = list(zip(*(codes[first].tolist() for codes, _ in coded[: len(shared)]), strict=True)) or [()] * total
        sets: Sets = {}
        for group, members in enumerate(np.split(pairs % size, np.searchsorted(pairs // size, np.arange(1, total)))):
            sets.setdefault(keys[group], set()).add(frozenset(members.tolist()))
        return sets or {(): set()}
