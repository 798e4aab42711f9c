"""ℓ-diversity (Machanavajjhala et al. 2007): the sensitive values of a class are well represented.

distinct       at least ℓ different values
entropy        the entropy of the values is at least log ℓ (the verdict gives its exponential, at least ℓ)
recursive      r₁ < c·(r_ℓ + r_{ℓ+1} + … + r_m), with the counts r in descending order

A missing value is not counted: all three are about the known values of a class (see `SensitiveGuard`).

Where people have several records, each may have several values in a class, and somebody who looks for one person wants
to know of any value whether that person has it. Distinct ℓ-diversity then counts *one value of each person, whichever
leaves the fewest*: the smallest number of values such that everybody in the class has one of them. So:

- no value is one that everybody in the class has (ℓ ≥ 2), however many other values their records have;
- somebody who knows up to ℓ-2 values that a person does not have is not certain of any other. To be certain of s, all
  who are left must have s; then s and the values ruled out are ones of which everybody has one, so there are at least ℓ
  of them. Conversely, of the fewest such values each is needed by somebody: ruling out all but one makes that one
  certain. This is what the ℓ of records promises (Machanavajjhala et al., section 3.2), and no weaker number does.
- with one value per person, it is the number of different values, as by records.

It is found by a search in each class in which people have several values (`cover_kernels.py`). Numbers above ℓ and
`TOLD_APART` are not told apart there, and a search that takes too long returns what it has proven: never too much.

It promises nothing about *how likely* a value is: nine in ten may have it. Entropy and recursive ℓ-diversity bound that
by the largest share of persons who have a value.

By persons nothing is monotone in general. If p and q are in two classes, one with x and the other with y, and the
other way round, then both classes have two values, and in the class of both everybody has x. Distinct ℓ-diversity is
monotone if everybody has the same values in all their classes: because they have records in one cell of the quasi
columns only, or because they have one value. A set of values that everybody in the merged class has one of is then such
a set in each part, with suppression, too. Shares of persons are mixed as those of records only in the first case, and
the bound of entropy only if everybody has one value as well.

What they leave open: whether somebody has a value at all; different values may mean nearly the same (similarity), and a
class may be very unlike the whole table (skewness): see t-closeness. Several sensitive columns are guarded separately.

On projections, distinct ℓ-diversity must hold for every combination of quasi values in any join of them: it counts the
sensitive values of the joined rows. If the decision is sensitive, those are the classes that all joined sides have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.counting.tuples import group_of
from fairveil.counting.value_sets import AskedValues
from fairveil.guards.guard import Verdict, about
from fairveil.guards.judged import JudgedGuard
from fairveil.guards.key_sets import KeyedGuard
from fairveil.guards.projection_values import poorest
from fairveil.messages import counted, ordinal
from fairveil.settings import required

if TYPE_CHECKING:
    from fairveil.counting.cells import Cells, Classes
    from fairveil.counting.class_histogram import ClassHistogram
    from fairveil.data.hierarchy import Levels
    from fairveil.data.schema import Schema
    from fairveil.guards.projections import Projections

TOLD_APART = 4
"""Up to this number, or ℓ, the values of people who have several are counted exactly."""


@dataclass(frozen=True)
class DistinctDiversity(KeyedGuard, JudgedGuard):
    """At least `l` different sensitive values in every class."""

    bound: ClassVar[str] = "l"
    kind: ClassVar[str] = "distinct-diversity"
    title: ClassVar[str] = "ℓ-diversity (distinct values)"
    says: ClassVar[str] = "Records that look alike have at least ℓ different sensitive values."
    monotone: ClassVar[bool] = True
    monotone_when_suppressing: ClassVar[bool] = True
    needs_persons: ClassVar[bool] = False
    weakest: ClassVar[Mapping[str, Any]] = {"l": 2}
    on_projections: ClassVar[bool] = True
    alone: ClassVar[bool] = True
    covers: ClassVar[frozenset[str]] = frozenset({"homogeneity"})
    leaves_open: ClassVar[str] = "one of the sensitive values may be far more likely than the others"

    l: int = field(  # noqa: E741
        metadata=required("minimum number of different sensitive values in a class", min=2, cli="--l")
    )

    def promise(self) -> str:
        return f"Every group of records that look alike holds at least {self.l:,} different {self.subject}."

    def of_histogram(self, histogram: ClassHistogram, levels: Levels | None) -> np.ndarray:
        return np.bincount(histogram.ids, minlength=len(histogram.rows)).astype(float)

    def of_column(self, classes: Classes, column: str, schema: Schema) -> np.ndarray:
        known = self.missing == "ignore"
        if schema.person is None:
            values = classes.different(column, known)
        else:
            values = fewest_values(classes, column, known, schema.person, max(self.l, TOLD_APART))
        return np.where(values > 0, values.astype(float), np.inf)

    def passing(self, classes: Classes, schema: Schema) -> np.ndarray:
        if schema.person is not None and not schema.links and not self.across:
            return self._passing_by_persons(classes, schema, schema.person)
        asked = self.asked_values(classes, schema)
        if asked is None or not asked.few(len(classes)):
            return super().passing(classes, schema)
        from fairveil.counting.kernels.class_values import enough_values

        passing = np.ones(len(classes), dtype=bool)
        for codes, least in asked.least:
            passing &= enough_values(classes.ids, codes, least, len(classes))
        return passing

    def _passing_by_persons(self, classes: Classes, schema: Schema, person: str) -> np.ndarray:
        """The same by persons: a class is searched only where counting does not decide."""
        from fairveil.guards.cover_kernels import surely_diverse

        classes = self.as_judged(classes, schema)
        passing, people = np.ones(len(classes), dtype=bool), (classes.codes[person], classes.sizes[person])
        for column in self.columns(schema):
            codes, size = self.known_codes(classes, column), classes.sizes[column]
            sure = surely_diverse(classes.ids, people[0], codes, people[1], size, self.l, len(classes))
            passing &= sure != 0
            unsure = (sure < 0) & passing
            if unsure.any():
                left = classes.keep(unsure[classes.ids])
                passing[unsure] = self.within(self.of_column(left, column, schema))
        return passing

    def asked_values(self, cells: Cells | Classes, schema: Schema) -> AskedValues | None:
        if self.across or schema.person is not None:
            return None
        judged = self.as_judged(cells, schema)
        return AskedValues(least=[(self.known_codes(judged, column), self.l) for column in self.columns(schema)])

    def passing_sets(self, classes: Classes, schema: Schema) -> np.ndarray:
        if schema.person is not None:
            return super().passing_sets(classes, schema)
        passing, judged = np.ones(len(classes), dtype=bool), self.as_judged(classes, schema)
        for column in self.columns(schema):
            of_column = self.compiled(classes, schema, self.known_codes(judged, column))
            if of_column is None:
                return super().passing_sets(classes, schema)
            passing &= of_column
        return passing

    def mixes(self, persons: np.ndarray, cells: np.ndarray, values: np.ndarray) -> bool:
        """Merging classes changes what somebody has in one who has several values and is in several cells."""
        several = [_several(persons, each) for each in (cells, values)]
        return bool((several[0] & several[1]).any())

    def promise_by(self, unit: str) -> str:
        if unit != "persons":
            return self.promise()
        return (
            f"Every group of persons that look alike has at least {self.l:,} different {self.subject}, even if only "
            "one value of each person is counted, whichever: no value is one that all of them have."
        )

    def verdict_parts(self, parts: Projections) -> Verdict:
        if not parts:
            return self.nothing_published()
        names, known = self.sensitive or parts.sensitive, self.missing == "ignore"
        worst = poorest(parts, names, known, lambda name, labels: self.labels_judged(parts, name, labels))
        if np.isfinite(worst):
            values = counted(int(worst), "different sensitive value")
            sentence = f"joined in any way, the projections show at least {values}{self.at_levels()} (ℓ={self.l})"
            sentence = about(names, sentence)
        else:
            sentence = f"no sensitive value is published (ℓ={self.l})"
        return Verdict(self, worst >= self.l, worst, self.limit, 0, 0, None, sentence)

    def describe(self, worst: float) -> str:
        values = counted(int(worst), "different sensitive value")
        return f"the poorest class of records has {values}{self.at_levels()} (ℓ={self.l})"


def _several(persons: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Which persons have several different numbers."""
    first = np.full(int(persons.max(initial=-1)) + 1, -1, dtype=np.int64)
    first[persons] = numbers
    several = np.zeros(len(first), dtype=bool)
    several[persons[first[persons] != numbers]] = True
    return several


def fewest_values(classes: Classes, column: str, known: bool, person: str, limit: int) -> np.ndarray:
    """The number of different values of each class if one of each person is counted, whichever leaves the fewest.

    >>> from fairveil.counting.cells import Classes
    >>> ids, one = np.array([0, 0, 0, 0, 1, 1]), np.ones(6, dtype=np.int64)
    >>> codes = {"who": np.array([0, 0, 1, 1, 2, 3]), "ill": np.array([0, 1, 1, 2, 0, 1])}  # both of class 0 have 1
    >>> fewest_values(Classes(ids, one, np.array([4, 2]), codes, {"who": 4, "ill": 3}, {}), "ill", False, "who", 4)
    array([1, 2])
    """
    total, size = len(classes), classes.sizes[column]
    ids, persons, values = classes.values_of_people(column, known, person)
    pairs, number = group_of([(ids, total), (persons, classes.sizes[person])], len(ids))
    single = np.bincount(pairs, minlength=number)[pairs] == 1
    needed = np.unique(ids[single] * size + values[single])  # by those who have no other value
    fewest: np.ndarray = np.bincount(needed // size, minlength=total)
    if single.all():
        return fewest
    served = np.zeros(number, dtype=bool)
    served[pairs[np.isin(ids * size + values, needed)]] = True
    left = np.flatnonzero(~served[pairs])
    if not len(left):
        return fewest
    from fairveil.guards.cover_kernels import smallest_covers

    several = np.bincount(pairs[left], minlength=number)
    left = left[np.lexsort((values[left], pairs[left], several[pairs[left]], ids[left]))]
    new = np.diff(pairs[left], prepend=-1) != 0
    starts, of_person = np.flatnonzero(new), ids[left][new]
    firsts = np.flatnonzero(np.diff(of_person, prepend=-1))
    of_class = of_person[firsts]
    ends = np.append(starts, len(left)), np.append(firsts, len(of_person))
    limits = np.maximum(limit - fewest[of_class], 1)
    fewest[of_class] += smallest_covers(values[left].astype(np.int64), *ends, size, limits)
    return fewest


@dataclass(frozen=True)
class EntropyDiversity(KeyedGuard, JudgedGuard):
    """Entropy of the sensitive values at least log `l` in every class."""

    bound: ClassVar[str] = "l"
    kind: ClassVar[str] = "entropy-diversity"
    title: ClassVar[str] = "ℓ-diversity (entropy)"
    says: ClassVar[str] = "Among records that look alike, sensitive values are as diverse as ℓ equally likely ones."
    monotone: ClassVar[bool] = True
    alone: ClassVar[bool] = True
    covers: ClassVar[frozenset[str]] = frozenset({"homogeneity"})
    weakest: ClassVar[Mapping[str, Any]] = {"l": 1}
    leaves_open: ClassVar[str] = "values that differ but mean the same (similarity); skewness"

    l: float = field(  # noqa: E741
        metadata=required("minimum effective number of sensitive values in a class", min=1, cli="--entropy-l")
    )

    def promise(self) -> str:
        return (
            f"In every group of records that look alike, the {self.subject} are as spread as "
            f"{self.l:g} equally likely ones."
        )

    def of_histogram(self, histogram: ClassHistogram, levels: Levels | None) -> np.ndarray:
        share = histogram.counts / histogram.rows[histogram.ids]
        effective: np.ndarray = np.exp(histogram.per_class(-share * np.log(share)))
        return effective if histogram.whole is None else self._bounded(histogram, share, effective)

    def mixes(self, persons: np.ndarray, cells: np.ndarray, values: np.ndarray) -> bool:
        """Also in one cell: entropy and the bound on the largest share meet where classes with and without people of
        several values are merged."""
        return super().mixes(persons, cells, values) or super().mixes(persons, values, values)

    def _bounded(self, histogram: ClassHistogram, share: np.ndarray, effective: np.ndarray) -> np.ndarray:
        """Where persons have several values, one of them is as likely as the share of persons who have it: the values
        are no more diverse than one over the largest share, nor than the entropy of all shares, scaled to 1."""
        total, largest = histogram.per_class(share), np.zeros(len(histogram.rows))
        np.maximum.at(largest, histogram.ids, share)
        scaled = share / total[histogram.ids]
        entropy = np.exp(histogram.per_class(-scaled * np.log(scaled)))
        bound = np.minimum(entropy, 1 / np.maximum(largest, 1e-300))
        bounded: np.ndarray = np.where(total > 1 + 1e-9, bound, effective)
        return bounded

    def describe(self, worst: float) -> str:
        values = f"{worst:.3f} equally frequent sensitive values{self.at_levels()} (ℓ={self.l:g})"
        return f"the poorest class of records is as diverse as {values}"


@dataclass(frozen=True)
class RecursiveDiversity(KeyedGuard, JudgedGuard):
    """The most frequent value is less than `c` times as frequent as all from the `l`-th on together."""

    bound: ClassVar[str] = "c"
    kind: ClassVar[str] = "recursive-diversity"
    title: ClassVar[str] = "recursive (c, ℓ)-diversity"
    says: ClassVar[str] = "Among records that look alike, no sensitive value is much more frequent than the others."
    monotone: ClassVar[bool] = True
    alone: ClassVar[bool] = True
    covers: ClassVar[frozenset[str]] = frozenset({"homogeneity"})
    higher_is_better: ClassVar[bool] = False
    weakest: ClassVar[Mapping[str, Any]] = {"c": 1e300, "l": 2}
    leaves_open: ClassVar[str] = "values that differ but mean the same (similarity); skewness"

    c: float = field(
        metadata=required(
            "the most frequent value is less than c times as frequent as all from the ℓ-th on", above=0, cli="--c"
        )
    )
    l: int = field(  # noqa: E741
        metadata=required("from which rank on the rarer values are added up", min=2, cli="--l")
    )

    def promise(self) -> str:
        return (
            f"In every group of records that look alike, the most frequent of the {self.subject} is less than "
            f"{self.c:g} times as frequent as all from the {ordinal(self.l)} on together."
        )

    def of_histogram(self, histogram: ClassHistogram, levels: Levels | None) -> np.ndarray:
        """r₁ over the tail r_ℓ + … + r_m; infinite where a class has fewer than ℓ values."""
        total = len(histogram.rows)
        order = np.lexsort((-histogram.counts, histogram.ids))
        ids, counts = histogram.ids[order], histogram.counts[order]
        rank = np.arange(len(ids)) - np.searchsorted(ids, ids)
        tail = np.bincount(ids, weights=np.where(rank >= self.l - 1, counts, 0.0), minlength=total)
        most_frequent = np.bincount(ids, weights=np.where(rank == 0, counts, 0.0), minlength=total)
        if histogram.whole is not None:  # persons may have several values, and only those without the first count
            tail = np.minimum(tail, histogram.rows - most_frequent)
        ratios: np.ndarray = np.divide(most_frequent, tail, out=np.full(total, np.inf), where=tail > 0)
        return ratios

    def within(self, values: np.ndarray) -> np.ndarray:
        return values < self.limit  # strictly, by definition

    def describe(self, worst: float) -> str:
        return (
            f"in the poorest class of records the first value is {worst:.3f} times as frequent as all from the "
            f"{ordinal(self.l)} on{self.at_levels()} (less than c={self.c:g} is promised)"
        )
