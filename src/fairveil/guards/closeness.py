"""t-closeness (Li, Li and Venkatasubramanian 2007): the sensitive values of a class are distributed almost as in
the whole published table: the earth mover's distance between the two is at most t.

equal         every two values are equally far apart: half the sum of differences
ordered       values are ordered, neighbours 1/(m-1) apart: mean of the absolute cumulative differences
hierarchical  two values are as far apart as their lowest common ancestor is high, over the height of the hierarchy

A missing value is no category: the known values of a class are compared with those of the whole (see
`SensitiveGuard`). Rows without a value would hide how far the others are from the whole.

Where people have several records, p and q are shares of the persons who have a value in any record, and may sum to more
than 1, differently in a class and in the whole. By the equal distance, no value's share in a class differs from that in
the whole by more than t, and those that are larger exceed by at most t together. By the others, what has no counterpart
counts as moved the whole way.

What it leaves open: whether somebody has a value at all; everybody sees the distribution of the whole table, and
several sensitive columns are guarded separately. Classes are compared with the published table, so anybody can check
the promise from the release alone.

On projections that share only the decision, the promise is about every combination of quasi values in every projection
and in every join of them: see `projection_values.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from fairveil.counting.spellings import known_codes
from fairveil.counting.value_sets import AskedValues
from fairveil.errors import BadInput, refuse, suggest
from fairveil.guards.guard import SLACK, SensitiveGuard, Verdict, about
from fairveil.guards.key_sets import KeyedGuard
from fairveil.guards.projection_values import farthest
from fairveil.settings import required, setting

if TYPE_CHECKING:
    from fairveil.counting.cells import Cells, Classes
    from fairveil.counting.class_histogram import ClassHistogram
    from fairveil.data.hierarchy import Levels
    from fairveil.data.schema import Schema
    from fairveil.guards.projections import Projections

_BLOCK = 1 << 22  # numbers in memory at a time, for the dense distances


@dataclass(frozen=True)
class TCloseness(KeyedGuard, SensitiveGuard):
    """Every class at most `t` from the whole published table, in earth mover's distance of the sensitive values."""

    bound: ClassVar[str] = "t"
    kind: ClassVar[str] = "t-closeness"
    title: ClassVar[str] = "t-closeness"
    says: ClassVar[str] = (
        "Among records that look alike, sensitive values are distributed almost as in the whole release."
    )
    monotone: ClassVar[bool] = True
    on_projections: ClassVar[bool] = True
    on_overlapping: ClassVar[bool] = False
    higher_is_better: ClassVar[bool] = False
    weakest: ClassVar[Mapping[str, Any]] = {"t": 1}
    covers: ClassVar[frozenset[str]] = frozenset({"homogeneity", "skewness"})
    leaves_open: ClassVar[str] = "what the release as a whole shows; several sensitive columns are guarded one by one"

    t: float = field(
        metadata=required(
            "maximum distance between the sensitive values of a class and of the whole", min=0, max=1, cli="--t"
        )
    )
    distance: Literal["equal", "ordered", "hierarchical"] = setting(
        "equal", "how far apart values are: equally, by their order, or by their hierarchy", cli="--distance"
    )

    def promise(self) -> str:
        return (
            f"The {self.subject} of every group of records that look alike are distributed as in the whole release, "
            f"up to a distance of {self.t:g} on a scale from 0 to 1."
        )

    def check_schema(self, schema: Schema) -> list[str]:
        problems = super().check_schema(schema)
        if self.distance == "hierarchical":
            problems += [f"t-closeness by hierarchical distance needs a hierarchy for {name!r}"
                         for name in self.columns(schema) if name not in schema.hierarchies]  # fmt: skip
            problems += [f"t-closeness by hierarchical distance needs {name!r} as it is, not at a fixed level"
                         for name in self.columns(schema) if name in schema.levels]  # fmt: skip
        return problems

    def of_histogram(self, histogram: ClassHistogram, levels: Levels | None) -> np.ndarray:
        if self.distance == "equal":
            return gaps(histogram)
        overall, total = histogram.overall(), len(histogram.rows)
        by_share, step = self._distance(overall, levels), max(_BLOCK // max(histogram.size, 1), 1)

        def distance(shares: np.ndarray) -> np.ndarray:
            if histogram.whole is None:
                return by_share(shares)
            # persons may have several values: shares without a counterpart move farthest
            distances: np.ndarray = by_share(shares) + np.abs((shares - overall).sum(axis=1))
            return distances

        blocks = [distance(histogram.shares(start, min(start + step, total))) for start in range(0, total, step)]
        return np.concatenate(blocks) if blocks else np.zeros(0)

    def asked_values(self, cells: Cells | Classes, schema: Schema) -> AskedValues | None:
        if self.distance != "equal" or self.across or schema.person is not None:
            return None  # persons may have several values: see `gaps`
        most, columns = self.t + SLACK, self.columns(schema)
        return AskedValues(most=[(self.known_codes(cells, name), cells.sizes[name], most) for name in columns])

    def verdict_parts(self, parts: Projections) -> Verdict:
        if not parts:
            return self.nothing_published()
        published = {name for table in parts.tables for name in table.names}
        names = self.sensitive or parts.sensitive
        refuse([suggest(name, parts.sensitive, "sensitive column") for name in names if name not in parts.sensitive])
        worst = max((self._farthest(parts, name) for name in names if name in published), default=0.0)
        sentence = f"joined in any way, the projections show nothing farther than {worst:.4f} from the whole release"
        sentence = about(names, sentence)
        if not published.intersection(names):
            sentence = "no sensitive column is published"
        sentence += f" (t={self.t:g}, {self.distance} distance)"
        return Verdict(self, worst <= self.t + 1e-9, worst, self.limit, 0, 0, None, sentence)

    def _farthest(self, parts: Projections, name: str) -> float:
        column = next(table for table in parts.tables if name in table).column(name)
        codes = known_codes(column) if self.missing == "ignore" else column.codes
        whole = np.bincount(codes[codes >= 0], minlength=len(column.values)) / max((codes >= 0).sum(), 1)
        levels = None
        if self.distance == "hierarchical":
            if name not in parts.hierarchies:
                raise BadInput(f"t-closeness by hierarchical distance needs a hierarchy for {name!r}")
            levels = parts.hierarchies[name].bind(column.domain, name)
        return farthest(parts, name, self._distance(whole, levels), self.missing == "ignore")

    def _distance(self, whole: np.ndarray, levels: Levels | None) -> Callable[[np.ndarray], np.ndarray]:
        """The distance of distributions from that of the `whole` release, as a function of the distributions."""
        if self.distance == "equal":
            return lambda shares: np.abs(shares - whole).sum(axis=1) / 2
        if self.distance == "ordered" or levels is None:
            return lambda shares: _ordered((shares - whole)[:, whole > 0])
        return lambda shares: _hierarchical(shares - whole, levels)

    def describe(self, worst: float) -> str:
        above = ": values of the same people add up" if worst > 1 else ""
        return (
            f"the class of records farthest from the whole table is {worst:.4f} away (t={self.t:g}, {self.distance} "
            f"distance{above})"
        )


def gaps(histogram: ClassHistogram) -> np.ndarray:
    """The equal distance of each class: ½·Σ|p-q| is Σ(p-q) over the values that are more frequent in the class. Shares
    of persons do not sum to 1, so that a value may lack more than others exceed: then it is the largest q-p."""
    share, overall = histogram.counts / histogram.rows[histogram.ids], histogram.overall()
    surplus = histogram.per_class(np.maximum(share - overall[histogram.values], 0.0))
    return surplus if histogram.whole is None else np.maximum(surplus, _largest_lack(histogram, share, overall))


def _largest_lack(histogram: ClassHistogram, share: np.ndarray, overall: np.ndarray) -> np.ndarray:
    """The largest difference by which the share of any value in a class is below that in the whole, or 0."""
    lack = np.zeros(len(histogram.rows))
    np.maximum.at(lack, histogram.ids, overall[histogram.values] - share)
    # of the values that a class has not, the most frequent one counts: the first rank that is missing there
    frequent = np.argsort(-overall, kind="stable")
    rank = np.empty(len(overall), dtype=np.int64)
    rank[frequent] = np.arange(len(overall))
    order = np.lexsort((rank[histogram.values], histogram.ids))
    ids, ranks = histogram.ids[order], rank[histogram.values[order]]
    different = np.bincount(ids, minlength=len(lack))
    starts = np.cumsum(different) - different
    missing = different.copy()
    skipped = ranks != np.arange(len(ids)) - starts[ids]
    np.minimum.at(missing, ids[skipped], (np.arange(len(ids)) - starts[ids])[skipped])
    ranked = np.append(overall[frequent], 0.0)
    return np.where(different > 0, np.maximum(lack, ranked[missing]), 0.0)


def _ordered(gap: np.ndarray) -> np.ndarray:
    """The ordered distance. Values are in code order, which is their sorted order; those without rows are skipped."""
    m = gap.shape[1]
    if m < 2:
        return np.zeros(len(gap))
    distances: np.ndarray = np.abs(np.cumsum(gap, axis=1)[:, :-1]).sum(axis=1) / (m - 1)
    return distances


def _hierarchical(gap: np.ndarray, levels: Levels) -> np.ndarray:
    """Σ over inner nodes N of height(N)/H · min(surplus, deficit) among its children (Li et al., section 5.3)."""
    height = max(levels.height, 1)
    total = np.zeros(len(gap))
    below = np.zeros((len(gap), levels.leaves))
    below[:, : gap.shape[1]] = gap
    for level in range(1, levels.height + 1):
        up = levels.between(level - 1, level)
        size = len(levels.labels[level])
        surplus, deficit, balance = (np.zeros((len(gap), size)) for _ in range(3))
        np.add.at(surplus.T, up, np.maximum(below, 0).T)
        np.add.at(deficit.T, up, np.maximum(-below, 0).T)
        np.add.at(balance.T, up, below.T)
        total += np.minimum(surplus, deficit).sum(axis=1) * level / height
        below = balance
    return total
