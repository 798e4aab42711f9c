"""Preserved statistics: counting queries, marginals and associations of a release, compared with the original.

A published value stands for the original values that the recipe maps to it, each equally likely. A published value
that is also an original value stands for itself, and a published number for the nearest original one. So everything is
compared in the original's values. Columns with more than `FINEST` values are compared in that many bins (neighbouring
numbers or points in time together, with equal numbers of rows; rare categories in one), so that memory does not grow
with the values. For associations, numbers are divided into tenths of the original (`BINS`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.data.numeric import is_measurable, numbers_per_value
from fairveil.learning.scores import Estimate
from fairveil.recipes.outcome import ONLY

if TYPE_CHECKING:
    from fairveil.data.table import Column, Table
    from fairveil.published.published import Published

BINS, FINEST = 10, 200
MIN_SHARE = 0.001
"""Errors are relative to at least this share of all rows, so that counts of very few people do not dominate."""
DIMENSIONS = 3
_BLOCK = 1 << 16
"""Number of published pairs of values that are summed at a time."""


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
        """The mean absolute difference of the associations."""
        gaps = [abs(before - after) for before, after in self.associations.values()]
        return float(np.mean(gaps)) if gaps else float("nan")


@dataclass(frozen=True)
class Binned:
    """A column of the original in at most `FINEST` bins: the bin of each of its values, and of each of its rows.

    `numbers` are the means of the bins, if the values are measurable; NaN where they are missing.
    """

    bin_of_value: np.ndarray
    of_rows: np.ndarray
    size: int
    numbers: np.ndarray | None

    @classmethod
    def of(cls, column: Column) -> Binned:
        bins = _number_bins(column) if is_measurable(column) else _category_bins(column)
        size = int(bins.max(initial=-1)) + 1
        middles = None
        if is_measurable(column):
            numbers = numbers_per_value(column)
            weights = np.bincount(column.codes, minlength=len(numbers)).astype(float)
            rows = np.bincount(bins, weights, minlength=size)
            sums = np.bincount(bins, np.where(weights > 0, weights * numbers, 0.0), minlength=size)
            middles = np.divide(sums, rows, out=np.full(size, np.nan), where=rows > 0)
        return cls(bins, bins[column.codes], size, middles)

    def shares(self) -> np.ndarray:
        return np.bincount(self.of_rows, minlength=self.size) / max(len(self.of_rows), 1)


def _number_bins(column: Column) -> np.ndarray:
    """Return one bin per value if there are few; else bins of neighbours with equal numbers of rows; missing last."""
    numbers = numbers_per_value(column)
    if len(numbers) <= FINEST:
        return np.arange(len(numbers))
    edges = np.unique(np.nanquantile(numbers[column.codes], np.linspace(0, 1, FINEST)[1:-1]))
    return np.where(np.isnan(numbers), len(edges) + 1, np.searchsorted(edges, numbers, side="right"))


def _category_bins(column: Column) -> np.ndarray:
    """Return one bin per value if there are few; else one per most frequent value, and one for all others."""
    size = len(column.values)
    bins = np.full(size, FINEST - 1)
    if size <= FINEST:
        return np.arange(size)
    frequent = np.argsort(-np.bincount(column.codes, minlength=size), kind="stable")[: FINEST - 1]
    bins[frequent] = np.arange(FINEST - 1)
    return bins


def survival(release: Published, original: Table, names: Sequence[str], *, queries: int, seed: int) -> Survival:
    """Compare these columns of a published table with the original."""
    published = release.table
    bins = {name: Binned.of(original.column(name)) for name in names}
    meaning = meanings(release, original, bins)
    errors = _query_errors(meaning, bins, published, original, queries, seed)
    rng = np.random.default_rng([seed, 1])
    resampled = errors[rng.integers(0, len(errors), (500, len(errors)))]
    return Survival(
        {
            "median": Estimate.of(float(np.median(errors)), np.median(resampled, axis=1)),
            "mean": Estimate.of(float(errors.mean()), resampled.mean(axis=1)),
        },
        len(errors),
        {name: _marginal_error(meaning[name], published.column(name), bins[name]) for name in names},
        _associations(meaning, bins, published),
    )


def meanings(release: Published, original: Table, bins: Mapping[str, Binned]) -> dict[str, np.ndarray]:
    """Return one matrix per column: for each published value (row), the probability of each bin of the original."""
    tables, rows = release.recode(original)
    recoded, published = tables[ONLY], release.table
    meaning = {}
    for name, binned in bins.items():
        before, after = original.column(name), recoded.column(name)
        pairs = np.unique(after.codes.astype(np.int64) * len(before.values) + before.codes[rows])
        seen = np.zeros((len(after.values), binned.size))
        np.add.at(seen, (pairs // len(before.values), binned.bin_of_value[pairs % len(before.values)]), 1)
        meaning[name] = _meaning(
            published.column(name), before, binned, {value: seen[code] for code, value in enumerate(after.domain)}
        )
    return meaning


def _meaning(now: Column, before: Column, binned: Binned, seen: Mapping[object, np.ndarray]) -> np.ndarray:
    bin_of = dict(zip(before.domain, binned.bin_of_value, strict=True))
    whole = np.bincount(binned.bin_of_value, minlength=binned.size).astype(float)
    chances = np.zeros((len(now.values), binned.size))
    numbers, positions = None, np.zeros(0, dtype=np.int64)
    if is_measurable(before) and is_measurable(now):
        numbers = numbers_per_value(now)
        positions = _nearest(numbers_per_value(before), numbers)
    for position, value in enumerate(now.domain):
        if value in bin_of:
            chances[position, bin_of[value]] = 1
        elif numbers is not None and not np.isnan(numbers[position]):
            chances[position, binned.bin_of_value[positions[position]]] = 1
        else:
            chances[position] = seen.get(value, whole)
    total = chances.sum(axis=1, keepdims=True)
    shares = np.tile(whole / max(whole.sum(), 1), (len(chances), 1))
    np.divide(chances, total, out=shares, where=total > 0)
    return shares


def _nearest(numbers: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the position of the number nearest to each wanted one; the smaller of two. Missing numbers are skipped."""
    present = np.flatnonzero(~np.isnan(numbers))
    if not len(present):
        return np.zeros(len(wanted), dtype=np.int64)
    order = present[np.argsort(numbers[present], kind="stable")]
    ranked = numbers[order]
    above = np.clip(np.searchsorted(ranked, np.nan_to_num(wanted)), 0, len(ranked) - 1)
    below = np.maximum(above - 1, 0)
    nearer = np.abs(ranked[below] - wanted) <= np.abs(ranked[above] - wanted)
    return np.asarray(order[np.where(nearer, below, above)])


def _query_errors(
    meaning: Mapping[str, np.ndarray],
    bins: Mapping[str, Binned],
    published: Table,
    original: Table,
    queries: int,
    seed: int,
) -> np.ndarray:
    """Return |count in the release - count in the original| relative to the latter, for random conjunctions.

    Equal rows are counted together. A published row counts with its probability of satisfying every condition.
    """
    rng = np.random.default_rng([seed, 0])
    floor, names = max(MIN_SHARE * original.rows, 1.0), list(bins)
    before, after = Cells.of(original, names), Cells.of(published, names)
    errors = []
    for _ in range(queries):
        asked = rng.choice(len(names), size=int(rng.integers(1, min(DIMENSIONS, len(names)) + 1)), replace=False)
        true, released = before.counts.astype(float), after.counts.astype(float)
        for name in (names[int(position)] for position in asked):
            wanted = _predicate(bins[name], rng)
            true *= wanted[bins[name].bin_of_value][before.codes[name]]
            released *= (meaning[name] @ wanted)[after.codes[name]]
        errors.append(abs(released.sum() - true.sum()) / max(true.sum(), floor))
    return np.array(errors)


def _predicate(binned: Binned, rng: np.random.Generator) -> np.ndarray:
    """Return the bins that satisfy it: a range between two rows' numbers, or each category with probability ½."""
    if binned.numbers is not None:
        low, high = np.sort(binned.numbers[binned.of_rows[rng.integers(0, len(binned.of_rows), 2)]])
        return np.asarray((binned.numbers >= low) & (binned.numbers <= high))
    wanted = rng.random(binned.size) < 0.5
    wanted[rng.integers(0, len(wanted))] = True
    return wanted


def _marginal_error(meaning: np.ndarray, published: Column, binned: Binned) -> float:
    """Return the total variation distance of the two distributions: 0 equal, 1 disjoint."""
    after = np.bincount(published.codes, minlength=len(published.values)) @ meaning / max(len(published), 1)
    return float(np.abs(binned.shares() - after).sum() / 2)


def _associations(
    meaning: Mapping[str, np.ndarray], bins: Mapping[str, Binned], published: Table
) -> dict[tuple[str, str], tuple[float, float]]:
    parts = {name: tenths(binned) for name, binned in bins.items()}
    before = {name: parts[name][bins[name].of_rows] for name in bins}
    after = {name: (meaning[name] @ np.eye(parts[name].max(initial=0) + 1)[parts[name]]) for name in bins}
    return {
        (first, second): (
            cramers_v(together(before[first], before[second])),
            cramers_v(expected_pairs(published.column(first), published.column(second), after[first], after[second])),
        )
        for first, second in combinations(bins, 2)
    }


def together(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the number of rows with each pair of codes."""
    shape = int(first.max(initial=0)) + 1, int(second.max(initial=0)) + 1
    return np.bincount(first.astype(np.int64) * shape[1] + second, minlength=shape[0] * shape[1]).reshape(shape)


def expected_pairs(one: Column, other: Column, first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the expected number of published rows with each pair, by what a row's two published values stand for.

    Rows that publish the same pair are summed together.
    """
    pairs = one.codes.astype(np.int64) * len(other.values) + other.codes
    held, rows = np.unique(pairs, return_counts=True)
    total = np.zeros((first.shape[1], second.shape[1]))
    for start in range(0, len(held), _BLOCK):
        block = slice(start, start + _BLOCK)
        left, right = first[held[block] // len(other.values)], second[held[block] % len(other.values)]
        total += (left * rows[block, None]).T @ right
    return total


def tenths(binned: Binned) -> np.ndarray:
    """Return the tenth of the original's rows that each bin belongs to; only numbers with many values have tenths."""
    if binned.numbers is None or binned.size <= BINS:
        return np.arange(binned.size)
    edges = np.unique(np.nanquantile(binned.numbers[binned.of_rows], np.linspace(0, 1, BINS + 1)[1:-1]))
    missing = np.isnan(binned.numbers)
    return np.where(missing, len(edges) + 1, np.searchsorted(edges, binned.numbers, side="right"))


def cramers_v(counts: np.ndarray) -> float:
    """Return the association of rows and columns in a contingency table, from 0 (none) to 1; 0 if one is constant."""
    counts = counts[counts.sum(axis=1) > 1e-12][:, counts.sum(axis=0) > 1e-12]
    if min(counts.shape, default=0) < 2:
        return 0.0
    total = counts.sum()
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / total
    chi = ((counts - expected) ** 2 / expected).sum()
    return float(np.sqrt(max(chi, 0.0) / (total * (min(counts.shape) - 1))))
