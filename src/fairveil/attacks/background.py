"""Background knowledge: how many sensitive values an attacker must rule out until a class gives away the right one.

Somebody who knows that a person does *not* have some values strikes them from the person's class. The attack counts,
for each class, the fewest values to strike until one of the others has the share CERTAINTY or more. The most frequent
value stays, and the next most frequent ones go first. 0 is homogeneity; ℓ-diversity promises that it takes at
least ℓ-1 values to reach certainty (Machanavajjhala et al. 2007, section 3.2).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fairveil.attacks.attack import Attack, Finding, Level
from fairveil.attacks.scene import Scene
from fairveil.counting.cells import ClassHistogram
from fairveil.plural import counted

CERTAINTY = 0.9
EASY = 1
"""Ruling out this many values counts as easy: one fact about a person is often known."""


def strikes(histogram: ClassHistogram, certainty: float = CERTAINTY) -> np.ndarray:
    """Per class the fewest values to rule out until one has the share `certainty` of the rest."""
    order = np.lexsort((-histogram.counts, histogram.ids))
    ids, counts = histogram.ids[order], histogram.counts[order]
    start = np.searchsorted(ids, np.arange(len(histogram.rows)))
    rank = np.arange(len(ids)) - start[ids]
    before = np.concatenate([[0.0], np.cumsum(counts)])
    end = np.append(start[1:], len(ids))
    first = counts[start][ids]
    behind = before[end[ids]] - before[1:]  # all that are less frequent than this one
    enough = first >= certainty * (first + behind) - 1e-9
    fewest = np.full(len(histogram.rows), np.iinfo(np.int64).max)
    np.minimum.at(fewest, ids[enough], rank[enough])  # having struck the ranks 1 … rank
    return fewest


def _one_class(shares: np.ndarray) -> ClassHistogram:
    """The whole table as a single class, from the share of each value."""
    values = np.flatnonzero(shares > 0)
    return ClassHistogram(np.zeros(len(values), dtype=np.int64), values, shares[values], np.ones(1), len(shares))


def background(scene: Scene) -> Iterable[Finding]:
    for column in scene.sensitive:
        histogram = scene.classes.histogram(column)
        rows = histogram.rows
        if not len(rows):
            continue
        needed = strikes(histogram)
        overall = histogram.overall()
        usual = int(strikes(_one_class(overall))[0])
        easy = (needed <= EASY) & (needed < usual)
        affected, total = int(rows[easy].sum()), int(rows.sum())
        level: Level = "warn" if affected else "ok"
        least = int(needed.min())
        task = "need not rule out any value" if least == 0 else f"must rule out {counted(least, 'value')}"
        verdict = (
            f"an attacker {task} to be (nearly) certain of somebody's {column}; in the whole table they must rule out "
            f"{usual}"
        )
        if affected:
            verdict += f"; one fact is enough for {affected:,} of {counted(total, 'record')}"
        yield Finding(
            "background", level, verdict, float((needed <= EASY).any()), affected / total, float(usual <= EASY),
            f"ruling out {EASY} value in the whole table", affected, total, column,
            {"fewest_to_rule_out": least, "in_whole_table": usual, "certainty": CERTAINTY,
             "records_by_values_to_rule_out": {int(n): int(rows[needed == n].sum()) for n in np.unique(needed)}},
        )  # fmt: skip


ATTACK = Attack(
    "background",
    frozenset({"table", "sensitive"}),
    "ruling out sensitive values that a person is known not to have, until the class gives away the right one",
    background,
    cheap=True,
)
