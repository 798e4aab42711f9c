"""Homogeneity: where (nearly) everybody in a class has the same sensitive value, the class discloses it.

The attacker finds the person's class and guesses its most frequent value. The baseline guesses the most frequent
value of the whole table: without the quasi columns, nobody can do better. A class counts as homogeneous
when one value has the share HOMOGENEOUS or more there, and more than in the whole table.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fairveil.attacks.attack import Attack, Finding, Level, percent
from fairveil.attacks.scene import Scene
from fairveil.counting.cells import ClassHistogram
from fairveil.plural import counted, verb

HOMOGENEOUS = 0.9


def top_shares(histogram: ClassHistogram) -> tuple[np.ndarray, np.ndarray]:
    """Per class the most frequent value and its share; of equally frequent values the first."""
    order = np.lexsort((-histogram.counts, histogram.ids))
    first = order[np.searchsorted(histogram.ids[order], np.arange(len(histogram.rows)))]
    return histogram.values[first], histogram.counts[first] / histogram.rows


def homogeneity(scene: Scene) -> Iterable[Finding]:
    for column in scene.sensitive:
        histogram = scene.classes.histogram(column)
        rows = histogram.rows
        if not len(rows):
            continue
        value, share = top_shares(histogram)
        overall = histogram.overall()
        usual = float(overall.max())
        caught = (share >= HOMOGENEOUS) & (share > overall[value] + 1e-9)
        pure = caught & (share >= 1)
        right = float((share * rows).sum() / rows.sum())
        level: Level = "danger" if pure.any() else "warn" if caught.any() else "ok"
        yield Finding(
            "homogeneity", level,
            _verdict(column, rows[pure], rows[caught], int(rows.sum()), float(share.max())),
            float(share.max()), right, usual, "always guessing the most frequent value of the whole table",
            int(rows[caught].sum()), int(rows.sum()), column,
            {"homogeneous_classes": int(pure.sum()), "nearly_homogeneous_classes": int(caught.sum()),
             "classes": len(rows), "threshold": HOMOGENEOUS, "certain": int(rows[pure].sum())},
        )  # fmt: skip


def _verdict(column: str, pure: np.ndarray, caught: np.ndarray, rows: int, best: float) -> str:
    """`pure` and `caught` are the sizes of the classes that give the value away, and of those that nearly do."""
    certain, nearly = int(pure.sum()), int(caught.sum())
    known = f"known with {percent(HOMOGENEOUS)} certainty or more"
    if certain:
        return (
            f"{counted(len(pure), 'class', 'classes')} with {counted(certain, 'record')} ({percent(certain / rows)}) "
            f"{verb(len(pure), 'gives', 'give')} away {column} for certain, because all in a class have the same; for "
            f"{counted(nearly, 'record')} ({percent(nearly / rows)}) it is {known}"
        )
    if nearly:
        return (
            f"no class gives away {column} for certain, but for {counted(nearly, 'record')} "
            f"({percent(nearly / rows)}) it is {known}"
        )
    return f"no class gives away {column}: the best guess is right in {percent(best)} of the cases at most"


ATTACK = Attack(
    "homogeneity",
    frozenset({"table", "sensitive"}),
    "reading a person's sensitive value off a class in which (nearly) all have the same",
    homogeneity,
    cheap=True,
)
