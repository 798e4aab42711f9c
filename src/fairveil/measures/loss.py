"""How much a release has lost. A suppressed row has lost everything."""

from __future__ import annotations

import numpy as np

from fairveil.counting.summary import Summary
from fairveil.measures.measure import Measure

INF = float("inf")


def _suppressed(s: Summary) -> np.ndarray:
    return s.rows - s.kept


def _per_column(s: Summary) -> np.ndarray:
    """Mean (g-1)/(N-1) of each column over all rows."""
    return (s.loss + _suppressed(s)[:, None]) / s.rows[:, None]


def height(s: Summary) -> np.ndarray:
    return s.levels.sum(axis=1)


def discernibility(s: Summary) -> np.ndarray:
    return s.squares + _suppressed(s) * s.rows


def classification(s: Summary) -> np.ndarray:
    return (s.minority + _suppressed(s)) / s.rows


def class_size(s: Summary) -> np.ndarray:
    return s.rows / np.maximum(s.classes + (_suppressed(s) > 0), 1)


def loss(s: Summary) -> np.ndarray:
    return _per_column(s).mean(axis=1)


def weighted_penalty(s: Summary) -> np.ndarray:
    return (_per_column(s) * s.weights).sum(axis=1)


def class_spread(s: Summary) -> np.ndarray:
    return (s.largest - s.smallest) / np.maximum(s.rows - 1, 1)


def class_variance(s: Summary) -> np.ndarray:
    """The variance of the class size over published rows, divided by its maximum for N rows, ((N-1)/2)²."""
    rows = np.maximum(s.kept, 1)
    return (s.cubes / rows - (s.squares / rows) ** 2) / np.maximum((s.rows - 1) / 2, 0.5) ** 2


def class_gini(s: Summary) -> np.ndarray:
    return np.divide(s.gaps, 2 * s.kept * s.squares, out=np.zeros_like(s.kept), where=s.squares > 0)


def precision(s: Summary) -> np.ndarray:
    steps = (s.levels / np.maximum(s.heights, 1)).mean(axis=1)
    return 1 - (steps * s.kept + _suppressed(s)) / s.rows


def hidden_entropy(s: Summary) -> np.ndarray:
    total = s.full_entropy.sum(axis=1) * s.rows
    hidden = s.entropy.sum(axis=1) + s.full_entropy.sum(axis=1) * _suppressed(s)
    return np.divide(hidden, total, out=np.zeros_like(hidden), where=total != 0)


MEASURES = (
    Measure("loss", "loss", "lower", (0, 1),
            "NCP: share of each value's domain that its published value could stand for, averaged over cells", loss),
    Measure("nwp", "loss", "lower", (0, 1),
            "normalized weighted penalty: the loss with the schema's column weights", weighted_penalty),
    Measure("entropy", "loss", "lower", (0, 1),
            "non-uniform entropy: share of the bits in the quasi columns that the release hides", hidden_entropy,
            frozenset({"full"})),
    Measure("gh", "loss", "lower", (0, INF),
            "generalization height: steps climbed in the hierarchies, all columns together", height,
            frozenset({"levels"})),
    Measure("precision", "loss", "higher", (0, 1),
            "Sweeney's precision: 1 minus the share of each hierarchy that was climbed", precision,
            frozenset({"levels"})),
    Measure("dm", "loss", "lower", (0, INF),
            "discernibility: rows that each row cannot be told from, summed; a suppressed row costs all",
            discernibility),
    Measure("dr", "loss", "lower", (0, 1), "discernibility ratio: dm over its worst possible value",
            lambda s: discernibility(s) / (s.rows.astype(float) * s.rows)),
    Measure("class-size", "loss", "lower", (1, INF), "average number of rows in an equivalence class", class_size),
    Measure("necd", "loss", "lower", (0, 1),
            "normalized equivalence class dispersion: largest minus smallest class, as a share of the rows",
            class_spread),
    Measure("class-gini", "loss", "lower", (0, 1),
            "Gini coefficient of the class sizes that the published rows have: 0 where all are protected alike",
            class_gini, frozenset({"full"})),
    Measure("class-variance", "loss", "lower", (0, 1),
            "variance of the class sizes that the published rows have, as a share of the largest possible",
            class_variance),
    Measure("cm", "loss", "lower", (0, 1),
            "classification metric: share of rows whose decision is not their class's most frequent one",
            classification, frozenset({"decision"})),
)  # fmt: skip
