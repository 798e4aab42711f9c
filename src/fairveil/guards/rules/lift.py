"""Discrimination rules A,B → denied (Pedreschi et al. 2009; Hajian et al., section 4) and their measures.

A is a combination of values of protected columns, B a context: values of other columns. Of the n₁ people in A,B
a₁ are denied, of the n₂ people of the contrast group a₂. With p₁ = a₁/n₁ and p₂ = a₂/n₂

slift   p₁/p₂, against everybody else in the context
elift   p₁/p, against all of the context
clift   p₁/p₂, against the most favoured group of the context: another combination of the same columns
olift   the odds of p₁ over those of p₂, against everybody else in the context

People are records, or persons where those are counted: a person is in every group in which they have a record, and is
denied there if one of these is. Everybody else in a context are then the persons with a record outside the group.

If there is nobody to compare with (n₂ = 0), a rule raises no alarm. If nobody in the contrast group is denied, the
measure is infinite.

>>> float(lift("slift", 2, 3, 1, 3)), round(float(lift("elift", 2, 3, 3, 6)), 2)
(2.0, 1.33)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil
from typing import Any

import numpy as np

from fairveil.counting.tuples import first_rows, group_of
from fairveil.messages import counted

MEASURES = ("slift", "elift", "clift", "olift")
"""In the order of their numbers in `guards/rules/rule_kernels.py`."""
SLACK = 1e-12  # a measure this close below α counts as α, because rounding may put 1.2 there
_OTHERS = {
    "slift": "{} times the others",
    "elift": "{} times the average",
    "clift": "{} times the most favoured group",
    "olift": "at {} times the odds of the others",
}
_COMPARED = {
    "slift": "the others",
    "elift": "the average",
    "clift": "the most favoured group",
    "olift": "the others, by odds",
}


def times_as_often(measure: str, value: float) -> str:
    """How often a group is denied, given a value of the measure: "1.2 times the others"."""
    return _OTHERS[measure].format(f"{value:.4g}")


def compared_with(measure: str) -> str:
    """Whom a group is compared with by a measure."""
    return _COMPARED[measure]


def lift(measure: str, a1: Any, n1: Any, a2: Any, n2: Any) -> np.ndarray:
    """A measure from counts, elementwise; NaN where there is nobody to compare with."""
    a1, n1, a2, n2 = (np.asarray(x, dtype=float) for x in (a1, n1, a2, n2))
    if measure == "olift":
        above, below = a1 * (n2 - a2), a2 * (n1 - a1)
    else:
        above, below = a1 * n2, n1 * a2
    with np.errstate(divide="ignore", invalid="ignore"):
        value = np.where((above == 0) & (below == 0), 1.0, above / below)
    return np.where(n2 > 0, value, np.nan)


def least_support(min_support: float, rows: int) -> int:
    """The minimum support as a number of rows: an int is one, a float a share of the rows."""
    if isinstance(min_support, int):
        return max(min_support, 1)
    return max(ceil(min_support * rows - 1e-9), 1)


@dataclass(frozen=True)
class DiscriminatoryRule:
    """One rule: `a2` of `n2` are denied in the contrast group (for elift, in the whole context)."""

    group: tuple[tuple[str, Any], ...]
    context: tuple[tuple[str, Any], ...]
    measure: str
    value: float
    a1: int
    n1: int
    a2: int
    n2: int
    rows: int

    @property
    def support(self) -> float:
        return self.a1 / self.rows

    @property
    def confidence(self) -> float:
        return self.a1 / self.n1

    def __str__(self) -> str:
        conditions = (*self.group, *self.context)
        items = ", ".join(f"{name}={'(missing)' if value is None else value}" for name, value in conditions)
        times = "infinitely many" if np.isinf(self.value) else f"{self.value:.3g}"
        people = f"{self.a1:,} of {counted(self.n1, 'person', 'people')}"
        return f"{items} → denied, {_OTHERS[self.measure].format(times)}, {people}"

    def to_dict(self) -> dict[str, Any]:
        fields = {name: value for name, value in vars(self).items() if name != "rows"}
        value = None if np.isinf(self.value) else self.value
        shares = {"support": self.support, "confidence": self.confidence}
        groups = {"group": dict(self.group), "context": dict(self.context)}
        return {**fields, **groups, "value": value, **shares, "sentence": str(self)}


@dataclass(frozen=True)
class Attribute:
    """A column as the rules see it: codes per cell, and whether it belongs to A or to B.

    `rare` is the code of all values that are too rare for any rule, where they are merged; -1 where they are not.
    """

    name: str
    codes: np.ndarray
    size: int
    protected: bool
    rare: int = -1


def telling(attribute: Attribute, counts: np.ndarray, denied: np.ndarray, min_denied: int) -> Attribute | None:
    """A column without values that no frequent rule can name, so many values do not matter; None if nothing is left.

    A value with fewer than `min_denied` denied rows is in no frequent rule. Such values of a context are merged, but
    not those of a group: clift compares with the most favoured group, however rare.
    """
    refused = np.bincount(attribute.codes, weights=np.where(denied, counts, 0), minlength=attribute.size)
    frequent = refused >= min_denied
    if not frequent.any():
        return None
    if attribute.protected or (~frequent).sum() < 2:
        return attribute
    rare = int(frequent.sum())
    fresh = np.where(frequent, np.cumsum(frequent) - 1, rare)
    return Attribute(attribute.name, fresh[attribute.codes], rare + 1, False, rare)


@dataclass(frozen=True)
class Batch:
    """The frequent rules over exactly one set of attributes, each described by one of its cells."""

    chosen: tuple[int, ...]
    cell: np.ndarray
    a1: np.ndarray
    n1: np.ndarray
    a2: np.ndarray
    n2: np.ndarray
    value: np.ndarray

    def __len__(self) -> int:
        return len(self.cell)


def frequent_rules(
    attributes: Sequence[Attribute],
    counts: np.ndarray,
    denied: np.ndarray,
    measure: str,
    min_denied: int,
    granularity: int | None = None,
    persons: tuple[np.ndarray, int] | None = None,
) -> Iterator[Batch]:
    """All frequent rules, one batch per set of attributes with a protected one, smaller sets first. With the code of
    each cell's person, and how many there are, `persons` are counted.

    An attribute with a single value carries no information and is left out. If no rule over a set of attributes is
    frequent, none over a superset is (Apriori), so supersets are skipped.
    """
    used = [i for i, attribute in enumerate(attributes) if len(np.unique(attribute.codes)) > 1]
    max_attributes = len(used) if granularity is None else min(granularity, len(used))
    people = _Records(counts, denied) if persons is None else _Persons(*persons, denied)
    candidates: list[tuple[int, ...]] = [(i,) for i in used if attributes[i].protected]
    for _ in range(max_attributes):
        alive = set()
        for chosen in candidates:
            batch = _batch(chosen, attributes, people, measure, min_denied)
            if len(batch):
                alive.add(chosen)
                yield batch
        wider = {tuple(sorted((*chosen, i))) for chosen in alive for i in used if i not in chosen}
        # all of whose subsets with a protected attribute have a frequent rule
        candidates = sorted(
            chosen
            for chosen in wider
            if all(
                part in alive or not any(attributes[i].protected for i in part)
                for part in combinations(chosen, len(chosen) - 1)
            )
        )


@dataclass(frozen=True)
class _Records:
    """The number of records of each cell, and which cells are denied."""

    counts: np.ndarray
    denied: np.ndarray

    def around(self, ids: np.ndarray, context: np.ndarray, contexts: int) -> Iterator[tuple[np.ndarray, ...]]:
        """Yield, of everybody and of those denied, the number in each group, in its context, and in others there;
        `ids` is the group of each cell, and `context` the context of each group."""
        for counts in (self.counts, np.where(self.denied, self.counts, 0)):
            inside = np.bincount(ids, weights=counts, minlength=len(context))
            whole = np.bincount(context, weights=inside, minlength=contexts)[context]
            yield inside, whole, whole - inside


@dataclass(frozen=True)
class _Persons:
    """The person of each cell, one of `size`, and which cells are denied."""

    persons: np.ndarray
    size: int
    denied: np.ndarray

    def around(self, ids: np.ndarray, context: np.ndarray, contexts: int) -> Iterator[tuple[np.ndarray, ...]]:
        """The same in persons: one who is in several groups of a context is among the others of each."""
        for cells in (np.arange(len(ids)), np.flatnonzero(self.denied)):
            _, once = first_rows([(ids[cells], len(context)), (self.persons[cells], self.size)], len(cells))
            group, person = ids[cells[once]], self.persons[cells[once]]
            place, firsts = first_rows([(context[group], contexts), (person, self.size)], len(once))
            alone = np.bincount(place, minlength=len(firsts))[place] == 1
            inside, only = (np.bincount(of, minlength=len(context)) for of in (group, group[alone]))
            whole = np.bincount(context[group[firsts]], minlength=contexts)[context]
            yield inside, whole, whole - only


def _batch(
    chosen: tuple[int, ...],
    attributes: Sequence[Attribute],
    people: _Records | _Persons,
    measure: str,
    min_denied: int,
) -> Batch:
    """The frequent rules over these attributes."""
    columns = [attributes[i] for i in chosen]
    ids, cell = first_rows([(column.codes, column.size) for column in columns], len(people.denied))
    around = [(column.codes[cell], column.size) for column in columns if not column.protected]
    context, contexts = group_of(around, len(cell))
    (n1, n, others), (a1, a, denied_others) = people.around(ids, context, contexts)
    if measure == "elift":
        a2, n2 = a, n
    elif measure == "clift":
        favoured = np.zeros(contexts, dtype=np.int64)
        order = np.lexsort((-n1, a1 / n1))[::-1]  # the most favoured of each context is written last
        favoured[context[order]] = order
        a2, n2 = a1[favoured][context], n1[favoured][context]
    else:
        a2, n2 = denied_others, others
    keep = a1 >= min_denied
    a1, n1, a2, n2 = a1[keep], n1[keep], a2[keep], n2[keep]
    return Batch(chosen, cell[keep], a1, n1, a2, n2, lift(measure, a1, n1, a2, n2))
