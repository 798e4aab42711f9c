"""Similarity: values that differ but mean nearly the same (gastritis, gastric ulcer) give away what they share.

The groups are those of the sensitive column's hierarchy, at every level below the top; numbers without a hierarchy are
put into tenths of their range. A class is caught where one group has the share SIMILAR or more, more than in the
whole table, and the class is not homogeneous anyway.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from fairveil.attacks.attack import Attack, Finding, Level, percent
from fairveil.attacks.homogeneity import HOMOGENEOUS, top_shares
from fairveil.attacks.scene import Scene
from fairveil.counting.cells import ClassHistogram
from fairveil.plural import counted, verb

SIMILAR = 0.9
BANDS = 10


def groupings(scene: Scene, column: str) -> Iterator[tuple[str, np.ndarray, int]]:
    """Ways to group the values of a sensitive column: their name, the group of each value, the number of groups."""
    levels = scene.classes.levels.get(column)
    values = scene.content.domain(column)
    if levels is not None:
        for level in range(1, levels.height):
            size = len(levels.labels[level])
            if 1 < size < len(levels.labels[level - 1]):
                yield f"level {level} of its hierarchy", levels.codes[level], size
        return
    numbers = [value for value in values.domain if value is not None]
    plain = all(isinstance(v, int | float) and not isinstance(v, bool) and np.isfinite(v) for v in numbers)
    if numbers and plain and len(numbers) > BANDS:
        low, high = float(min(numbers)), float(max(numbers))
        bands = np.minimum((np.array(numbers, dtype=float) - low) / (high - low) * BANDS, BANDS - 1).astype(np.int64)
        yield "tenths of its range", np.append(bands, BANDS), BANDS + 1  # a missing value is a group of its own


def regrouped(histogram: ClassHistogram, group: np.ndarray, size: int) -> ClassHistogram:
    """The histogram of groups of values."""
    pairs, place = np.unique(histogram.ids * size + group[histogram.values], return_inverse=True)
    counts = np.bincount(place, weights=histogram.counts, minlength=len(pairs))
    return ClassHistogram(pairs // size, pairs % size, counts, histogram.rows, size)


def similarity(scene: Scene) -> Iterable[Finding]:
    for column in scene.sensitive:
        histogram = scene.classes.histogram(column)
        rows = histogram.rows
        if not len(rows):
            continue
        for name, group, size in groupings(scene, column):
            coarse = regrouped(histogram, group, size)
            value, share = top_shares(coarse)
            overall = coarse.overall()
            diverse = top_shares(histogram)[1] < HOMOGENEOUS
            caught = diverse & (share >= SIMILAR) & (share > overall[value] + 1e-9)
            affected, total = int(rows[caught].sum()), int(rows.sum())
            level: Level = "warn" if affected else "ok"
            verdict = (
                f"{affected:,} of {counted(total, 'record')} {verb(affected, 'is', 'are')} in classes whose values of "
                f"{column} differ but mean the same (by {name})"
                if affected
                else f"no class has values of {column} that differ in name only (by {name}): at most "
                f"{percent(float(share[diverse].max(initial=0)))} of a diverse class is alike"
            )
            yield Finding(
                "similarity", level, verdict, float(share.max()), float((share * rows).sum() / total),
                float(overall.max()), "always guessing the most frequent group of the whole table",
                affected, total, column, {"grouping": name, "classes": int(caught.sum()), "threshold": SIMILAR},
            )  # fmt: skip


ATTACK = Attack(
    "similarity",
    frozenset({"table", "sensitive"}),
    "learning what different sensitive values of a class have in common",
    similarity,
    cheap=True,
)
