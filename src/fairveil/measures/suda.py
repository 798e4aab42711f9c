"""SUDA2: special uniques (Elliot et al. 2002; Manning, Haglin and Keane 2008).

A minimal sample unique of a record is a set of columns in which nobody else has its values, while in each smaller set
somebody has. The fewer columns suffice, the more special the record is: with m columns, a set of s columns scores
(m - s)!, and the score of a record is the sum over its sets. Where people have several records, a person's own other
records do not make their values less unique.

DIS (data intrusion simulation; Skinner and Elliot 2002) is the chance that a match with somebody unique in the sample
is correct, Uπ/(Uπ + P(1-π)), with U uniques, P records in pairs and the sampling fraction π. DIS-SUDA distributes it
over the uniques by their scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.tuples import first_rows
from fairveil.display import Displayable, DisplayTable
from fairveil.measures.measure import Measure

if TYPE_CHECKING:
    from fairveil.counting.cells import Classes
    from fairveil.data.schema import Schema

MANY = 12
"""Up to this number of columns, all sets of them are tried."""
MAX_SIZE = 4
"""Of more columns, sets of up to this size."""


@dataclass(frozen=True, repr=False)
class Suda(Displayable):
    """The score of each class, 0 unless it is one record; `shares` is each column's part of all scores: that of the
    sets which contain it. `max_size` is the size of the largest sets that were tried."""

    scores: np.ndarray
    shares: dict[str, float]
    records: np.ndarray
    max_size: int

    def _headline(self) -> str:
        return f"SUDA2: {int((self.scores > 0).sum()):,} special uniques, highest score {self.scores.max(initial=0):,g}"

    def _tables(self) -> list[DisplayTable]:
        return [DisplayTable(["column", "share of the scores"], [[name, share] for name, share in self.shares.items()])]

    def dis(self, fraction: float) -> np.ndarray:
        """The DIS-SUDA score of each class: how likely a match with it is correct, if this `fraction` was sampled."""
        uniques = float((self.records == 1).sum())
        pairs = float(self.records[self.records == 2].sum())
        special = self.scores > 0
        risks = np.zeros(len(self.scores))
        if special.any():
            dis = uniques * fraction / (uniques * fraction + pairs * (1 - fraction))
            power = 1 + (8 - len(self.shares)) / 20
            scores = self.scores[special]
            spread = scores**power * (scores**-power).sum()
            risks[special] = 1 / (1 + (uniques / dis - uniques) / spread)
        return risks


def suda(
    columns: dict[str, tuple[np.ndarray, int]], records: np.ndarray, max_size: int | None = None,
    persons: np.ndarray | None = None,
) -> Suda:  # fmt: skip
    """The SUDA2 scores of distinct tuples, given the codes of each column, the number of its codes, and the `records`
    of each tuple; of sets of at most `max_size` columns. Where persons are counted, `records` are those of each tuple,
    and `persons` has the number of its only one.

    >>> twos = {"a": (np.array([0, 0, 1]), 2), "b": (np.array([0, 1, 1]), 2)}
    >>> suda(twos, np.array([1, 1, 1])).scores.tolist()
    [1.0, 1.0, 1.0]
    """
    names, width = list(columns), len(columns)
    limit = min(max_size or (width if width <= MANY else MAX_SIZE), width)
    alone = np.flatnonzero(records == 1)
    only = np.where(records == 1, np.arange(len(records)) if persons is None else persons, -1)
    scores, by_column = np.zeros(len(records)), np.zeros(width)
    unique: dict[tuple[int, ...], np.ndarray] = {}  # of the sets one smaller, packed: who is unique in them
    for size in range(1, limit + 1 if len(alone) else 1):
        larger: dict[tuple[int, ...], np.ndarray] = {}
        for chosen in combinations(range(width), size):
            here = _unique_in([columns[names[i]] for i in chosen], only)[alone]
            larger[chosen] = np.packbits(here)
            for left in combinations(chosen, size - 1) if size > 1 else ():
                here &= ~np.unpackbits(unique[left], count=len(alone)).astype(bool)
            scores[alone[here]] += factorial(width - size)
            by_column[list(chosen)] += factorial(width - size) * int(here.sum())
        unique = larger
    total = max(float(scores.sum()), 1.0)
    return Suda(scores, dict(zip(names, (by_column / total).tolist(), strict=True)), records, limit)


def _unique_in(columns: Sequence[tuple[np.ndarray, int]], only: np.ndarray) -> np.ndarray:
    """Which tuples nobody else equals in these columns; `only` has the number of whom each is about, -1 for several."""
    groups, firsts = first_rows(list(columns), len(only))
    others = (only < 0) | (only != only[firsts][groups])
    unique: np.ndarray = (np.bincount(groups, weights=others, minlength=len(firsts)) == 0)[groups]
    return unique


def suda_of(classes: Classes, schema: Schema) -> Suda:
    """The SUDA2 scores of the classes of a table, which have the codes of the quasi columns."""
    classes = classes.by_person(schema.person)
    example = np.zeros(len(classes), dtype=np.int64)  # of each class, one of its cells
    example[classes.ids] = np.arange(len(classes.ids))
    columns = {name: (classes.codes[name][example], classes.sizes[name]) for name in schema.quasi}
    return suda(columns, classes.rows, persons=None if schema.person is None else classes.codes[schema.person][example])


MEASURES = (
    Measure("suda", "risk", "lower", (0, float("inf")),
            "highest SUDA2 score of a record: how few columns suffice to single it out, and in how many ways",
            of_classes=lambda classes, schema: float(suda_of(classes, schema).scores.max(initial=0.0)),
            title="SUDA2 score"),
)  # fmt: skip
