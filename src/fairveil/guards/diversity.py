"""ℓ-diversity (Machanavajjhala et al. 2007): the sensitive values of a class are well represented.

distinct       at least ℓ different values
entropy        the entropy of the values is at least log ℓ (the verdict gives its exponential, at least ℓ)
recursive      r₁ < c·(r_ℓ + r_{ℓ+1} + … + r_m), with the counts r in descending order

A missing value is not counted: all three are about the known values of a class (see `SensitiveGuard`).

What they leave open: whether somebody has a value at all; different values may mean nearly the same (similarity), and a
class may be very unlike the whole table (skewness): see t-closeness. Several sensitive columns are guarded separately.

On projections, distinct ℓ-diversity must hold for every combination of quasi values in any join of them: it counts the
sensitive values of the joined rows. If the decision is sensitive, those are the classes that all joined sides have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from fairveil.counting.cells import Classes, ClassHistogram
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.guards.guard import SensitiveGuard, Verdict, about
from fairveil.guards.key_sets import KeyedGuard
from fairveil.guards.projection_values import poorest
from fairveil.guards.projections import Projections
from fairveil.messages import counted, ordinal
from fairveil.settings import required


@dataclass(frozen=True)
class DistinctDiversity(KeyedGuard, SensitiveGuard):
    """At least `l` different sensitive values in every class."""

    bound: ClassVar[str] = "l"
    kind: ClassVar[str] = "distinct-diversity"
    title: ClassVar[str] = "ℓ-diversity (distinct values)"
    says: ClassVar[str] = "Records that look alike have at least ℓ different sensitive values."
    monotone: ClassVar[bool] = True
    monotone_when_suppressing: ClassVar[bool] = True
    needs_persons: ClassVar[bool] = False
    same_by_records: ClassVar[bool] = True
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
        values = classes.different(column, self.missing == "ignore").astype(float)  # of persons as of records
        return np.where(values > 0, values, np.inf)

    def verdict_parts(self, parts: Projections) -> Verdict:
        if not parts:
            return self.nothing_published()
        worst = poorest(parts, self.sensitive or parts.sensitive, self.missing == "ignore")
        if np.isfinite(worst):
            values = counted(int(worst), "different sensitive value")
            sentence = f"joined in any way, the projections show at least {values} (ℓ={self.l})"
            sentence = about(self.sensitive or parts.sensitive, sentence)
        else:
            sentence = f"no sensitive value is published (ℓ={self.l})"
        return Verdict(self, worst >= self.l, worst, self.limit, 0, 0, None, sentence)

    def describe(self, worst: float) -> str:
        return f"the poorest class of records has {counted(int(worst), 'different sensitive value')} (ℓ={self.l})"


@dataclass(frozen=True)
class EntropyDiversity(KeyedGuard, SensitiveGuard):
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
        values = f"{worst:.3f} equally frequent sensitive values (ℓ={self.l:g})"
        return f"the poorest class of records is as diverse as {values}"


@dataclass(frozen=True)
class RecursiveDiversity(KeyedGuard, SensitiveGuard):
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
            f"{ordinal(self.l)} on (less than c={self.c:g} is promised)"
        )
