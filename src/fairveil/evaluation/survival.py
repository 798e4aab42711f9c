"""What survives of the statistics: counting queries, marginals and associations of a release against the original.

A published value stands for the original values that the recipe turns into it, each of them equally likely. A published
value that is also an original value stands for itself, and a published number for the nearest original one. So all is
compared in the original's own values. For associations, numbers are put into tenths of the original (`BINS`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.data.numeric import is_measurable, numbers_per_value
from fairveil.data.table import Column, Table
from fairveil.learning.scores import Estimate
from fairveil.published.published import Published
from fairveil.recipes.base import ONLY

BINS = 10
LEAST = 0.001
"""Errors are relative to at least this share of all rows, so that counts of very few people do not dominate."""
DIMENSIONS = 3


@dataclass(frozen=True)
class Survival:
    """`queries` are relative errors of random counts (median and mean, intervals over the queries); `marginals` total
    variation distances per column; `associations` Cramér's V of two columns, in the original and in the release."""

    queries: dict[str, Estimate]
    asked: int
    marginals: dict[str, float]
    associations: dict[tuple[str, str], tuple[float, float]]

    @property
    def association_error(self) -> float:
        """Mean absolute difference of the associations."""
        gaps = [abs(before - after) for before, after in self.associations.values()]
        return float(np.mean(gaps)) if gaps else float("nan")


def survival(release: Published, original: Table, names: Sequence[str], *, queries: int, seed: int) -> Survival:
    """Compare a published table with its original in these columns."""
    published = release.table
    meaning = meanings(release, original, names)
    errors = _query_errors(meaning, published, original, names, queries, seed)
    rng = np.random.default_rng([seed, 1])
    resampled = errors[rng.integers(0, len(errors), (500, len(errors)))]
    return Survival(
        {
            "median": Estimate.of(float(np.median(errors)), np.median(resampled, axis=1)),
            "mean": Estimate.of(float(errors.mean()), resampled.mean(axis=1)),
        },
        len(errors),
        {name: _marginal_error(meaning[name], published.column(name), original.column(name)) for name in names},
        _associations(meaning, published, original, names),
    )


def meanings(release: Published, original: Table, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Per column, a row for each published value: how likely each original value is behind it."""
    tables, rows = release.recode(original)
    recoded, published = tables[ONLY], release.table
    meaning = {}
    for name in names:
        before, after, now = original.column(name), recoded.column(name), published.column(name)
        seen = np.zeros((len(after.values), len(before.values)))
        seen[after.codes, before.codes[rows]] = 1
        meaning[name] = _meaning(now, before, dict(zip(after.domain, seen, strict=True)))
    return meaning


def _meaning(now: Column, before: Column, seen: Mapping[object, np.ndarray]) -> np.ndarray:
    place_of = {value: place for place, value in enumerate(before.domain)}
    size = len(before.values)
    numbers = numbers_per_value(before) if is_measurable(before) and is_measurable(now) else None
    chances = np.zeros((len(now.values), size))
    for place, value in enumerate(now.domain):
        if value in place_of:
            chances[place, place_of[value]] = 1
        elif numbers is not None and not np.isnan(numbers_per_value(now)[place]):
            chances[place, int(np.nanargmin(np.abs(numbers - numbers_per_value(now)[place])))] = 1
        else:
            chances[place] = seen.get(value, np.ones(size))
    total = chances.sum(axis=1, keepdims=True)
    return np.divide(chances, total, out=np.full_like(chances, 1 / size), where=total > 0)


def _query_errors(
    meaning: Mapping[str, np.ndarray], published: Table, original: Table, names: Sequence[str], queries: int, seed: int
) -> np.ndarray:
    """|count in the release - count in the original| relative to the latter, for random conjunctions.

    Rows that are alike are counted at once. A published row counts by its chance to satisfy every condition.
    """
    rng = np.random.default_rng([seed, 0])
    least = max(LEAST * original.rows, 1.0)
    before, after = Cells.of(original, names), Cells.of(published, names)
    errors = []
    for _ in range(queries):
        asked = rng.choice(len(names), size=int(rng.integers(1, min(DIMENSIONS, len(names)) + 1)), replace=False)
        true, released = before.counts.astype(float), after.counts.astype(float)
        for name in (names[int(place)] for place in asked):
            wanted = _predicate(original.column(name), rng)
            true *= wanted[before.codes[name]]
            released *= (meaning[name] @ wanted)[after.codes[name]]
        errors.append(abs(released.sum() - true.sum()) / max(true.sum(), least))
    return np.array(errors)


def _predicate(column: Column, rng: np.random.Generator) -> np.ndarray:
    """Which values satisfy it: a range of numbers between two rows' values, or each other value with chance ½."""
    if is_measurable(column):
        numbers = numbers_per_value(column)
        low, high = np.sort(numbers[column.codes[rng.integers(0, len(column), 2)]])
        return np.asarray((numbers >= low) & (numbers <= high))
    wanted = rng.random(len(column.values)) < 0.5
    wanted[rng.integers(0, len(wanted))] = True
    return wanted


def _marginal_error(meaning: np.ndarray, published: Column, original: Column) -> float:
    """Total variation distance of the two distributions: 0 alike, 1 disjoint."""
    before = np.bincount(original.codes, minlength=len(original.values)) / len(original)
    after = np.bincount(published.codes, minlength=len(published.values)) @ meaning / max(len(published), 1)
    return float(np.abs(before - after).sum() / 2)


def _associations(
    meaning: Mapping[str, np.ndarray], published: Table, original: Table, names: Sequence[str]
) -> dict[tuple[str, str], tuple[float, float]]:
    bins = {name: _binned(original.column(name)) for name in names}
    associations = {}
    for first, second in combinations(names, 2):
        before = bins[first].T @ _together(original, first, second) @ bins[second]
        after = (
            (meaning[first] @ bins[first]).T @ _together(published, first, second) @ (meaning[second] @ bins[second])
        )
        associations[first, second] = cramers_v(before), cramers_v(after)
    return associations


def _together(table: Table, first: str, second: str) -> np.ndarray:
    """How many rows hold each pair of values."""
    a, b = table.column(first), table.column(second)
    pairs = a.codes.astype(np.int64) * len(b.values) + b.codes
    return np.bincount(pairs, minlength=len(a.values) * len(b.values)).reshape(len(a.values), len(b.values))


def _binned(column: Column) -> np.ndarray:
    """A row per value: the bin that it falls into, one-hot; only numbers with many values are binned."""
    size = len(column.values)
    if not is_measurable(column) or size <= BINS:
        return np.eye(size)
    numbers = numbers_per_value(column)
    edges = np.unique(np.nanquantile(numbers[column.codes], np.linspace(0, 1, BINS + 1)[1:-1]))
    place = np.where(np.isnan(numbers), len(edges) + 1, np.searchsorted(edges, numbers, side="right"))
    return np.eye(len(edges) + 2)[place]


def cramers_v(counts: np.ndarray) -> float:
    """Association of the rows and columns of a contingency table, from 0 (none) to 1; 0 where either is constant."""
    counts = counts[counts.sum(axis=1) > 1e-12][:, counts.sum(axis=0) > 1e-12]
    if min(counts.shape, default=0) < 2:
        return 0.0
    total = counts.sum()
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / total
    chi = ((counts - expected) ** 2 / expected).sum()
    return float(np.sqrt(max(chi, 0.0) / (total * (min(counts.shape) - 1))))
