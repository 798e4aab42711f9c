"""MinedPatterns: what clustering and association rules find in a release, compared with the original.

The authors of DMPD (section 6) name both as tasks beside classification. A rule "a of one column, so b of another" has
at least the share `MIN_SUPPORT` of the records, and is right for the share `MIN_CONFIDENCE` of those with a; numbers
are in tenths of the original. A published value stands for original values as in `survival`. Clusters are those of
k-means on the same records, as they are and as the recipe publishes them; agreement is the adjusted Rand index.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from fairveil.evaluation.survival import Binned, expected_pairs, meanings, tenths, together
from fairveil.learning.folds import sample
from fairveil.learning.k_means import CodedRows, adjusted_rand, k_means
from fairveil.recipes.outcome import ONLY

if TYPE_CHECKING:
    from fairveil.data.table import Table
    from fairveil.published.published import Published

MIN_SUPPORT, MIN_CONFIDENCE = 0.05, 0.8
CLUSTERS, CLUSTERED = 5, 5_000
"""How many clusters are formed, of at most how many records."""

AssociationRule = tuple[str, int, str, int]
"""Column and value of the condition, column and value of the conclusion."""


@dataclass(frozen=True)
class MinedPatterns:
    """`rules` counts the association rules of the original; `kept` is the share of them that hold in the release,
    `added` the share of the release's rules that do not hold in the original. `agreement` of clusters: 1 if they are
    the same, about 0 if they have nothing in common. None where there is nothing to compare."""

    rules: int
    kept: float | None
    added: float | None
    agreement: float | None


def patterns(release: Published, original: Table, names: Sequence[str], *, seed: int) -> MinedPatterns:
    """Compare the rules and clusters of these columns of a published table with those of the original."""
    bins = {name: Binned.of(original.column(name)) for name in names}
    groups = {name: tenths(binned) for name, binned in bins.items()}
    meaning = meanings(release, original, bins)
    stands_for = {name: meaning[name] @ np.eye(groups[name].max(initial=0) + 1)[groups[name]] for name in names}
    before: set[AssociationRule] = set()
    after: set[AssociationRule] = set()
    for one, other in combinations(names, 2):
        first, second = (groups[name][bins[name].of_rows] for name in (one, other))
        before.update(rules_of(one, other, together(first, second)))
        columns = release.table.column(one), release.table.column(other)
        after.update(rules_of(one, other, expected_pairs(*columns, stands_for[one], stands_for[other])))
    both = len(before & after)
    return MinedPatterns(
        len(before),
        both / len(before) if before else None,
        1 - both / len(after) if after else None,
        _agreement(release, original, names, seed),
    )


def rules_of(one: str, other: str, counts: np.ndarray) -> Iterator[AssociationRule]:
    """Yield the rules between two columns, given the (expected) number of records with each pair of values."""
    total = max(float(counts.sum()), 1e-12)
    for condition, conclusion, table in ((one, other, counts), (other, one, counts.T)):
        rows = table.sum(axis=1, keepdims=True)
        confident = table >= MIN_CONFIDENCE * np.maximum(rows, 1e-12)
        for value, result in np.argwhere(confident & (table >= MIN_SUPPORT * total)):
            yield condition, int(value), conclusion, int(result)


def _agreement(release: Published, original: Table, names: Sequence[str], seed: int) -> float | None:
    chosen = sample(original.rows, seed, CLUSTERED)
    rows = original if chosen is None else original.take(chosen).compact()
    tables, kept = release.recode(rows)
    found = []
    for table in (rows.take(kept).compact(), tables[ONLY]):
        points = CodedRows.of(table, names)
        if not points.distinct(CLUSTERS):
            return None
        found.append(k_means(points, CLUSTERS, runs=2, seed=seed))
    return adjusted_rand(*found)
