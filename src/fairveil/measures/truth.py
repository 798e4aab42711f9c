"""How wrong a reader of the release would be: measures that mean the same whatever was done to the data.

A method that generalizes loses detail and a method that averages publishes false values. `loss` charges the first and
hardly notices the second, so it cannot rank one against the other. These compare each true value x with what is
published for it, y:

truthful  is x among the values that y stands for? A suppressed value says nothing false.
error     how far is x from what a reader would guess who knows how often each value stands behind y? A guess is drawn
          from P(x′ | y), or from P(x′) where the value was suppressed. Numbers are apart by |x - x′| over their range,
          any others by 1.
il1s      |x - y| over √2 standard deviations, for numbers that are published as numbers.

All are means over the quasi columns and the rows of the source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from fairveil.data.numeric import is_measurable, numbers_per_value
from fairveil.measures.measure import Measure, MeasuredRelease

if TYPE_CHECKING:
    from fairveil.data.table import Column, Table


def of_published(release: MeasuredRelease, source: Table) -> Mapping[str, float]:
    """All three measures at once, because they need the same data."""
    truths, errors, distances = [], [], []
    for column, published, rows, true in _columns(release, source):
        truths.append(1 - (~true).sum() / source.rows)
        distances_of_row = _errors(column, column.codes)
        distances_of_row[rows] = _errors(column, column.codes[rows], published)
        errors.append(distances_of_row.mean())
        if (distance := _distance(column, column.codes[rows], published)) is not None:
            distances.append(distance)
    means = {"truthful": truths, "error": errors, "il1s": distances}
    return {name: float(np.mean(values)) if values else np.nan for name, values in means.items()}


def _columns(release: MeasuredRelease, source: Table) -> Iterator[tuple[Column, Column | None, np.ndarray, np.ndarray]]:
    """Each quasi column of the source, what is published of it, for which rows, and whether that is true.

    Of a column in several projections the most informative one counts; a column in none is suppressed.
    """
    names = [name for name in release.schema.quasi if name in source]
    if release.source_rows is not None:
        rows, [table] = release.source_rows, release.tables.values()
        true = release.covers(source.take(rows))
        for name in names:
            yield source.column(name), table.column(name), rows, true[name]
        return
    every, nobody = np.arange(source.rows), np.zeros(0, dtype=np.int64)
    views = [column for name in release.tables for column in release.columns(source, name)]
    for name in names:
        column, same = source.column(name), [view for view in views if view.name == name]
        best = min(same, key=lambda view: _errors(column, column.codes, view).sum(), default=None)
        yield column, best, nobody if best is None else every, np.ones(0 if best is None else source.rows, dtype=bool)


def _errors(column: Column, codes: np.ndarray, published: Column | None = None) -> np.ndarray:
    """The mean distance of each of these rows from those published alike, or from all if nothing is published."""
    size = len(column.values)
    labels = np.zeros(len(codes), dtype=np.int64) if published is None else published.codes.astype(np.int64)
    pairs, of_row, counts = np.unique(labels * size + codes, return_inverse=True, return_counts=True)
    value, count = pairs % size, counts.astype(float)
    _, group = np.unique(pairs // size, return_inverse=True)
    rows = np.bincount(group, weights=count)[group]
    if not is_measurable(column):
        return (1 - count / rows)[of_row]
    domain = numbers_per_value(column)
    width = np.ptp(domain[~np.isnan(domain)]) if np.isfinite(domain).any() else 0.0
    missing = np.isnan(domain[value])
    present, numbers = np.where(missing, 0.0, count), np.nan_to_num(domain[value])
    known = np.bincount(group, weights=present)[group]
    total = np.bincount(group, weights=present * numbers)[group]
    below, sums = (_before(group, part) for part in (present, present * numbers))
    apart = (numbers * (2 * below - known) + total - 2 * sums) / (width or 1.0)
    apart += rows - known  # a missing value has the maximum distance from a number
    return (np.where(missing, known, apart) / rows)[of_row]


def _before(group: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The running sum of weights within each group, before each entry."""
    running = np.cumsum(weights) - weights
    starts = np.flatnonzero(np.diff(group, prepend=-1))
    before: np.ndarray = running - running[starts][group]
    return before


def _distance(column: Column, codes: np.ndarray, published: Column | None) -> float | None:
    """The mean of |x - y| over √2 standard deviations of the rows; None if either is not a number."""
    if published is None or not (is_measurable(column) and is_measurable(published)) or len(codes) < 2:
        return None
    before, after = numbers_per_value(column)[codes], numbers_per_value(published)[published.codes]
    both = ~(np.isnan(before) | np.isnan(after))
    spread = float(np.std(before[both], ddof=1)) if both.sum() > 1 else 0.0
    return float(np.abs(before - after)[both].mean() / (np.sqrt(2) * spread)) if spread else 0.0


MEASURES = (
    Measure("truthful", "loss", "higher", (0, 1),
            "share of the values in the quasi columns about which the release says nothing false",
            of_published=of_published, title="true values"),
    Measure("error", "loss", "lower", (0, 1),
            "how far the true values are from what a reader would guess from the published ones, on average",
            of_published=of_published, title="error of a reader's guess"),
    Measure("il1s", "loss", "lower", (0, float("inf")),
            "IL1s: distance of published numbers from the true ones, in √2 standard deviations, on average",
            of_published=of_published, title="distance of numbers (IL1s)"),
)  # fmt: skip
