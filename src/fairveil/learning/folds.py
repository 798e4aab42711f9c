"""Folds: training and test rows, with each decision in the same proportion on both sides.

>>> decisions = np.array([0, 0, 0, 0, 1, 1])
>>> fold = stratified_folds(decisions, 2)
>>> [sorted(decisions[fold == number].tolist()) for number in (0, 1)]
[[0, 0, 1], [0, 0, 1]]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np

from fairveil.errors import BadInput, Infeasible
from fairveil.messages import literal

Draw = Literal["permuted", "keyed", "scikit-learn"]
"""How rows are shuffled. All are equally good, but each gives other folds for a seed, and printed figures rest on them:

permuted      one permutation of all rows, then sorted by decision (accuracy and whatever trains beside it)
keyed         a random number per row, then sorted by decision and number (DMPD, 5×2 cross-validation)
scikit-learn  StratifiedKFold, as the authors of the papers use it (Fair-MDAV, the tuning of τ)
"""

MAX_ROWS = 200_000
"""The maximum number of rows that models learn from and are tested on; larger tables are sampled."""

REPETITIONS = 5
"""Of 5×2 cross-validation."""


def stratified_folds(
    decisions: np.ndarray, folds: int, seed: int | Sequence[int] = 0, *, draw: Draw = "permuted"
) -> np.ndarray:
    """Return a fold for every row: the rows of each decision, shuffled, are dealt out in turn."""
    fold = np.empty(len(decisions), dtype=np.int64)
    if draw == "scikit-learn":
        from sklearn.model_selection import StratifiedKFold

        splits = StratifiedKFold(folds, shuffle=True, random_state=seed).split(decisions, decisions)
        for number, (_, inside) in enumerate(splits):
            fold[inside] = number
    else:
        fold[_shuffled(decisions, seed, draw)] = np.arange(len(decisions)) % folds
    return fold


def each_fold(fold: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (training rows, test rows) for each fold in turn, both in ascending order."""
    for number in range(int(fold.max()) + 1):
        yield np.flatnonzero(fold != number), np.flatnonzero(fold == number)


def halves(decisions: np.ndarray, seed: int = 0) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Return ten pairs (training rows, test rows): five random halvings, each used both ways, classes dealt evenly.

    The two pairs of a repetition follow one another, so that results form five rows of two.
    """
    decisions = np.asarray(decisions)
    for repetition in range(REPETITIONS):
        half = stratified_folds(decisions, 2, [seed, repetition], draw="keyed")
        yield from reversed(list(each_fold(half)))


def set_aside(decisions: np.ndarray, share: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the training rows, and a share of all rows for testing."""
    rows = len(decisions)
    aside = np.zeros(rows, dtype=bool)
    # in the order of decisions, each completed step of `share` sets one row aside
    steps = np.floor(np.arange(rows + 1) * share + 0.5)
    aside[_shuffled(decisions, [seed, rows], "keyed")] = np.diff(steps) > 0
    if not aside.any() or aside.all():
        raise Infeasible(f"{rows} rows are too few to set {share:.0%} of them aside for testing")
    return np.flatnonzero(~aside), np.flatnonzero(aside)


def sample(rows: int, seed: int, size: int | None = None) -> np.ndarray | None:
    """Return which rows to use if there are more than `size` (`MAX_ROWS` by default); None for all."""
    size = MAX_ROWS if size is None else size
    if rows <= size:
        return None
    return np.sort(np.random.default_rng([seed, rows]).choice(rows, size, replace=False))


def need_share(share: Any, what: str = "test") -> float:
    """Raise BadInput unless the value is a share of the rows to test on."""
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
        raise BadInput(f"{what} must be a share of the rows between 0 and 1, such as 0.3, not {literal(share)}")
    return float(share)


def _shuffled(decisions: np.ndarray, seed: int | Sequence[int], draw: Literal["permuted", "keyed"]) -> np.ndarray:
    """Return the rows sorted by decision, in random order within each."""
    rng = np.random.default_rng(seed)
    if draw == "keyed":
        return np.lexsort((rng.random(len(decisions)), decisions))
    order = rng.permutation(len(decisions))
    return np.asarray(order[np.argsort(decisions[order], kind="stable")])
