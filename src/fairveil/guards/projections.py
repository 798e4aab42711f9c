"""Projections: several tables cut from one by columns, and how anonymous they are together (Matatov et al. 2010).

>>> import pyarrow as pa
>>> jobs = pa.table({"job": ["a", "a", "b", "b"], "rich": ["no", "no", "yes", "yes"]})
>>> sexes = pa.table({"sex": ["f", "f", "m", "m"], "rich": ["no", "no", "yes", "yes"]})
>>> split = Projections.of([jobs, sexes], quasi=["job", "sex"], decision="rich")
>>> split.partial, split.joined, split.level
(2, 4, 2)

DAL, of one projection   rows of the smallest group of equal quasi values (Definition 7)
PAL, `partial`           the smallest DAL of all projections (Definition 8)
SAL, `joined`            rows of the smallest group of equal quasi values and class after any projections are joined on
                         what they share. In a join the counts of the sides multiply. If they share nothing but the
                         class, it follows from the counts per class, and joining more than two can only multiply
                         further (Lemma 2)
`level`                  the smaller of PAL and SAL: the partitioning anonymity level

Projections may share columns besides the class. Such columns are treated as quasi in the join, because anybody who
joins on them sees their values. Then a join of more than two may be smaller than any pair, so all are checked: see
`projection_joins.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.tuples import KEY_BITS, bits_for, group_of, keys_of
from fairveil.data.coding import alike
from fairveil.data.hierarchy import Hierarchy
from fairveil.data.table import Table
from fairveil.errors import BadInput, refuse, suggest
from fairveil.guards.projection_joins import Coded, JoinSide, connected_sets, smallest_group

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.guards import Guard, Verdict

NONE = 1 << 62  # in place of the rows of a class that a projection does not have
CLASS = "\0class"
"""The class among the columns that projections are joined on; no column has this name."""


@dataclass(frozen=True)
class ProjectionAnonymity:
    """How anonymous one projection is: its DAL, and per class the rows of its smallest group."""

    smallest: int
    minima: np.ndarray


def facts_of(columns: Sequence[Coded], classes: Coded, counts: np.ndarray) -> ProjectionAnonymity:
    """The anonymity of one projection, from the coded columns of its quasi-identifier and the class."""
    from fairveil.guards.projection_kernels import class_minima

    fits = sum(bits_for(size) for _, size in columns) <= KEY_BITS // 2  # there must be room for a class
    keys = keys_of(columns, len(counts)) if fits else group_of(columns, len(counts))[0]
    smallest, minima = class_minima(keys, classes[0].astype(np.int64), counts, bits_for(classes[1]), classes[1])
    return ProjectionAnonymity(int(smallest), minima)


def joined_level(facts: Sequence[ProjectionAnonymity]) -> int:
    """SAL of at least two projections that share only the class, from their facts."""
    minima = np.array([fact.minima for fact in facts])
    # in a class, the two smallest groups make the smallest product
    first, second = np.sort(np.where(minima > 0, minima, NONE), axis=0)[:2]
    products = (first * second)[second < NONE]
    return int(products.min()) if len(products) else 0


@dataclass(frozen=True)
class Projections:
    """Tables that were cut from one table by columns; each has the decision, if there is one."""

    tables: tuple[Table, ...]
    quasi: tuple[str, ...]
    decision: str | None
    sensitive: tuple[str, ...] = ()
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    levels: Mapping[str, int] = field(default_factory=dict)
    """The levels of their hierarchies at which columns are published, unless as they are."""

    @classmethod
    def of(
        cls,
        frames: Sequence[Any],
        *,
        quasi: Sequence[str],
        decision: str | None = None,
        sensitive: Sequence[str] = (),
        hierarchies: Mapping[str, Hierarchy] | None = None,
        left_out: Sequence[str] = (),
    ) -> Projections:
        """Return projections from any tables or data `frames`, with the roles of their columns: `quasi`, `decision`,
        `sensitive`, and their `hierarchies`. `left_out` names the quasi columns that no projection publishes."""
        if isinstance(frames, Mapping | str) or hasattr(frames, "columns"):
            raise BadInput("the projections must be a list of tables: write [first, second]")
        tables = tuple(Table.from_frame(frame) for frame in frames)
        names = {name for table in tables for name in table.names}
        problems = [
            f"{suggest(name, sorted(names), 'column')} (name quasi columns that no projection publishes in left_out)"
            for name in (*quasi, *sensitive)
            if tables and name not in names and name not in left_out
        ]
        problems += [
            f"column {name!r} is in left_out, and a projection publishes it" for name in left_out if name in names
        ]
        refuse(problems + [
            f"projection {index} has no column {decision!r}, which the projections are joined on"
            for index, table in enumerate(tables, start=1) if decision is not None and decision not in table
        ])  # fmt: skip
        if decision in quasi:
            raise BadInput(f"{decision!r} cannot be both quasi and the decision")
        return cls(tables, tuple(quasi), decision, tuple(sensitive), hierarchies or {})

    @classmethod
    def published(cls, tables: Sequence[Table], schema: Schema) -> Projections:
        """The projections (`tables`) of a release, roles as in its schema."""
        sensitive = tuple(schema.sensitive)
        return cls(tuple(tables), tuple(schema.quasi), schema.decision, sensitive, schema.hierarchies, schema.levels)

    def __len__(self) -> int:
        return len(self.tables)

    def check(self, guards: Sequence[Guard]) -> tuple[Verdict, ...]:
        """The verdict of each guard on these projections."""
        refuse([f"{guard.kind} on key sets is not defined for projections" for guard in guards if guard.across])
        return tuple(guard.verdict_parts(self) for guard in guards)

    def quasi_of(self, position: int) -> list[str]:
        """The quasi columns that one projection holds."""
        return [name for name in self.tables[position].names if name in self.quasi]

    @cached_property
    def shared(self) -> bool:
        """Whether two projections share a column besides the decision."""
        names = [name for table in self.tables for name in table.names if name != self.decision]
        return len(names) != len(set(names))

    @cached_property
    def classes(self) -> tuple[tuple[np.ndarray, ...], int]:
        """The class of each row of each projection, with the same numbers in all, and the number of classes."""
        if self.decision is None:
            return tuple(np.zeros(table.rows, dtype=np.int64) for table in self.tables), 1
        return alike([table.column(self.decision) for table in self.tables])

    @cached_property
    def facts(self) -> tuple[ProjectionAnonymity, ...]:
        codes, size = self.classes
        return tuple(
            facts_of(
                [self.codes_of(p, name) for name in self.quasi_of(p)], (codes[p], size), np.ones(table.rows, np.int64)
            )
            for p, table in enumerate(self.tables)
        )

    @property
    def partial(self) -> int:
        """PAL, the smallest DAL."""
        return min(fact.smallest for fact in self.facts)

    @cached_property
    def joined(self) -> int | None:
        """SAL; None for a single projection."""
        if len(self.tables) < 2:
            return None
        if not self.shared:
            return joined_level(self.facts)
        pairs = combinations(range(len(self.tables)), 2)
        levels = [self.pair(p, r) for p, r in pairs if r not in self.neighbours[p]]
        levels += [self.together(some) for some in list(connected_sets(self.neighbours))]
        return min((level for level in levels if level), default=0)

    @property
    def level(self) -> int:
        """The partitioning anonymity level; raises BadInput if nothing is published."""
        if not self.tables:
            raise BadInput("nothing is published, so there is no anonymity level")
        return self.partial if self.joined is None else min(self.partial, self.joined)

    def pair(self, p: int, r: int) -> int:
        """Rows of the smallest group of equal quasi values and class in the join of `p` and `r`; 0 if it is empty."""
        if r not in self.neighbours[p]:
            return joined_level([self.facts[p], self.facts[r]])
        return self.together((p, r))

    def together(self, some: Sequence[int]) -> int:
        """Rows of the smallest group of equal quasi and shared values and class in the join of `some`; 0 if empty."""
        return smallest_group([self.sides[p] for p in some], [self.quasi_of(p) for p in some])

    @cached_property
    def neighbours(self) -> tuple[set[int], ...]:
        """For each projection, the others with which it shares more than the class."""
        every = range(len(self.tables))
        return tuple({r for r in every if r != p and self.common(p, r)} for p in every)

    @cached_property
    def _shared_codes(self) -> dict[tuple[int, str], Coded]:
        """Columns besides the decision that several projections have, coded alike in all of them."""
        coded: dict[tuple[int, str], Coded] = {}
        for name in dict.fromkeys(name for table in self.tables for name in table.names if name != self.decision):
            positions = [p for p, table in enumerate(self.tables) if name in table]
            if len(positions) > 1:
                codes, size = alike([self.tables[p].column(name) for p in positions])
                coded |= {(p, name): (own, size) for p, own in zip(positions, codes, strict=True)}
        return coded

    def codes_of(self, position: int, name: str) -> Coded:
        """A column of one projection, coded as in the others that have it."""
        column = self.tables[position].column(name)
        return self._shared_codes.get((position, name)) or (column.codes, len(column.values))

    @cached_property
    def sides(self) -> tuple[JoinSide, ...]:
        """The distinct tuples of what can be known or joined in each projection, coded alike in all."""
        sides = []
        for p, table in enumerate(self.tables):
            columns = {CLASS: (self.classes[0][p], self.classes[1])}
            known = [name for name in table.names if name in self.quasi or (p, name) in self._shared_codes]
            columns |= {name: self.codes_of(p, name) for name in known if name != self.decision}
            sides.append(JoinSide(columns, np.ones(table.rows)).grouped(list(columns), np.add))
        return tuple(sides)

    def common(self, p: int, r: int) -> list[str]:
        """Columns besides the decision that `p` and `r` share, so that they can be joined on them."""
        return [name for name in self.tables[p].names if name in self.tables[r] and name != self.decision]

    def join_keys(self, p: int, r: int) -> tuple[tuple[np.ndarray, np.ndarray], int]:
        """The join keys of `p` and `r`, from class and common columns, as one integer per row."""
        codes, size = self.classes
        columns = [(np.concatenate([codes[p], codes[r]]), size)]
        for name in self.common(p, r):
            (left, values), (right, _) = self.codes_of(p, name), self.codes_of(r, name)
            columns.append((np.concatenate([left, right]), values))
        rows = self.tables[p].rows
        keys, total = group_of(columns, rows + self.tables[r].rows)
        return (keys[:rows], keys[rows:]), total

    def groups_of(self, position: int, but: Sequence[str | None] = ()) -> tuple[np.ndarray, int]:
        """The group of each row of one projection: equal values in its quasi columns, except those in `but`."""
        names = [name for name in self.quasi_of(position) if name not in but]
        return group_of([self.codes_of(position, name) for name in names], self.tables[position].rows)

    def groups_below(self, k: int) -> Iterator[tuple[int, int]]:
        """Per projection, how many groups of equal quasi values have fewer than `k` rows, and their rows."""
        for p in range(len(self.tables)):
            groups, total = self.groups_of(p)
            rows = np.bincount(groups, minlength=total)
            yield int((rows < k).sum()), int(rows[rows < k].sum())
