"""Individual fairness of a model: similar people are treated alike, and nobody differently because of a group.

González-Zelaya et al. (section 5) leave it open. Two figures, over a sample of the test people:

consistency      1 minus the mean difference between a person's decision and those of the `NEIGHBOURS` most similar
                 people, who are found without looking at protected columns (Zemel et al. 2013)
counterfactual   per protected column, the share of people whose decision changes if only their value of it changes, to
                 any other that occurs (a pair that differs in nothing else; causes of other columns are not followed)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain

import numpy as np

from fairveil.data.table import Table
from fairveil.learning.encoding import OneHot
from fairveil.learning.folds import sample

NEIGHBOURS, PEOPLE, VALUES = 5, 2_000, 8
"""Similar people per person, people who are compared, and the most frequent values of a column that are tried."""

Decide = Callable[[Table], np.ndarray]
"""From rows to whether the decision on each is favourable."""


@dataclass(frozen=True)
class IndividualFairness:
    """Consistency (1: similar people get the same decision), and the share decided otherwise per protected column."""

    consistency: float | None
    counterfactual: Mapping[str, float]


class ComparedPeople:
    """A sample of the test rows, with the nearest neighbours of each: the same for every model."""

    def __init__(self, rows: Table, inputs: Sequence[str], protected: Sequence[str], seed: int) -> None:
        from sklearn.neighbors import NearestNeighbors

        chosen = sample(rows.rows, seed, PEOPLE)
        self.rows = rows if chosen is None else rows.take(chosen).compact()
        self.protected = [name for name in protected if name in self.rows]
        alike = [name for name in inputs if name not in protected]
        count = min(NEIGHBOURS, self.rows.rows - 1)
        self.neighbours: np.ndarray | None = None
        if alike and count > 0:
            places = OneHot.of(self.rows, alike).matrix(self.rows)
            self.neighbours = NearestNeighbors(n_neighbors=count).fit(places).kneighbors(return_distance=False)

    def judge(self, decide: Decide, together: bool = True) -> IndividualFairness:
        """Return how decisions treat these people; `together`: those on some rows do not depend on the others, so that
        all are asked for at once."""
        people = self.rows.rows
        if together:
            decisions = decide(self.everybody).astype(bool).reshape(-1, people)
        else:
            decisions = np.array([decide(rows).astype(bool) for rows in (self.rows, *chain(*self.variants.values()))])
        decided, others = decisions[0], decisions[1:]
        consistency = None
        if self.neighbours is not None:
            consistency = 1.0 - float(np.abs(decided - decided[self.neighbours].mean(axis=1)).mean())
        changes = {}
        for name, variants in self.variants.items():
            own, others = others[: len(variants)], others[len(variants) :]
            changes[name] = float((own != decided).any(axis=0).mean())
        return IndividualFairness(consistency, changes)

    @cached_property
    def everybody(self) -> Table:
        """The people and all their variants, one after the other."""
        tables = [self.rows, *chain(*self.variants.values())]
        codes = (np.concatenate([table.column(name).codes for table in tables]) for name in self.rows.names)
        columns = zip(self.rows.columns, codes, strict=True)
        return replace(self.rows, columns=tuple(replace(column, codes=own) for column, own in columns))

    @cached_property
    def variants(self) -> dict[str, list[Table]]:
        """The people with another value of each protected column: one of the most frequent, the same for all."""
        variants = {}
        for column in map(self.rows.column, self.protected):
            frequent = np.argsort(-np.bincount(column.codes, minlength=len(column.values)), kind="stable")[:VALUES]
            others = [replace(column, codes=np.full_like(column.codes, code)) for code in frequent.tolist()]
            variants[column.name] = [self.rows.with_columns([other]) for other in others]
        return variants
