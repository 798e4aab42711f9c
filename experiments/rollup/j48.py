"""What Weka's J48 makes of a published table: the accuracy of C4.5 in cross-validation, and the gain of each column."""

from __future__ import annotations

import numpy as np

from fairveil.data.numeric import is_number, numbers_per_value
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.learning.encoding import Blocks
from fairveil.learning.folds import stratified_folds
from fairveil.learning.inducers import C45

FOLDS = 10
LEAST = 2
"""Rows that each side of a cut must have."""


def accuracy(table: Table, schema: Schema, seed: int) -> float:
    """The share of rows whose decision a tree predicts that learnt from the other folds."""
    decision = table.column(str(schema.decision))
    classes, size = decision.codes.astype(np.int64), len(decision.values)
    names = [name for name in schema.quasi if len(np.unique(table.column(name).codes)) > 1]
    if not names:
        return float(np.bincount(classes).max() / len(classes))
    blocks = Blocks.of(table, names, coded=True)
    folds = stratified_folds(classes, FOLDS, seed)
    shares = C45(blocks.shape).out_of_fold(blocks.matrix(table), classes, size, folds)
    return float((shares.argmax(axis=1) == classes).mean())


def gain(column: Column, decision: Column) -> float:
    """Bits that a column tells of the decision, as C4.5 counts them: of names by all of them; of numbers by the best
    cut in two, less what choosing the cut costs; rows that miss the value count for nothing."""
    if is_number(column):
        return _gain_of_cut(numbers_per_value(column)[column.codes], decision)
    known = np.array([value is not None for value in column.domain])[column.codes]
    return float(known.mean()) * gain_of_names(column.codes[known], decision.codes[known])


def gain_of_names(codes: np.ndarray, decisions: np.ndarray) -> float:
    """Bits that names tell of the decision."""
    size = int(decisions.max(initial=0)) + 1
    both = np.bincount(codes.astype(np.int64) * size + decisions, minlength=size * (int(codes.max(initial=0)) + 1))
    return told(both.reshape(-1, size))


def _gain_of_cut(numbers: np.ndarray, decision: Column) -> float:
    known = ~np.isnan(numbers)
    order = np.argsort(numbers[known], kind="stable")
    values, codes = numbers[known][order], decision.codes[known][order]
    n = len(values)
    left = np.zeros((n + 1, len(decision.values)))
    left[np.arange(1, n + 1), codes] = 1
    left = left.cumsum(axis=0)
    cuts = np.flatnonzero(np.diff(values) > 0) + 1
    fair = cuts[(cuts >= LEAST) & (cuts <= n - LEAST)]
    if not len(fair):
        return 0.0
    best = max(told(np.array([left[cut], left[n] - left[cut]])) for cut in fair)
    return max(float(known.mean()) * best - float(np.log2(len(cuts))) / len(numbers), 0.0)


def told(both: np.ndarray) -> float:
    return bits(both.sum(axis=0)) + bits(both.sum(axis=1)) - bits(both.ravel())


def bits(counts: np.ndarray) -> float:
    shares = counts[counts > 0] / max(counts.sum(), 1)
    return float(-(shares * np.log2(shares)).sum())


def mean_gain(table: Table, schema: Schema) -> float:
    """On average over the quasi columns, as published."""
    decision = table.column(str(schema.decision))
    return float(np.mean([gain(table.column(name), decision) for name in schema.quasi]))
