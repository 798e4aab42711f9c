"""C4.5 trees (Quinlan 1993) as Weka's J48 grows and prunes them with its default settings.

A row is a code per category and a number per number, NaN where missing.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairveil.counting.kernels.compiling import Float64s, Float64s2, Int32s, Int64s, UInt8s, helper, kernel, stopped
from fairveil.counting.kernels.sorting import merge_order

MIN_ROWS = 2.0
"""Rows that at least two branches of a split must have."""
CONFIDENCE, QUANTILE = 0.25, 0.6744897501960817
"""Of pessimistic pruning, and the standard normal quantile of 1 - 0.25."""


class TrainingSample(NamedTuple):
    """Rows to learn from."""

    x: Float64s2  # row, column
    y: Int64s  # row: its class
    sizes: Int64s  # column: its categories, 0 for a number


class TreeArrays(NamedTuple):
    """Per node, the column it splits by and what it holds; its children are in a row, one per category, or two."""

    split_by: Int32s  # the column, -1 in a leaf
    cut: Float64s  # of a number
    first: Int32s  # child
    counts: Float64s2  # the weights of the classes


@kernel
def fit(sample: TrainingSample, classes: int, stop: UInt8s) -> TreeArrays:
    """Return a pruned tree."""
    room = 64 + 2 * len(sample.x)
    while True:
        tree = TreeArrays(
            np.full(room, -1, dtype=np.int32), np.zeros(room), np.zeros(room, dtype=np.int32),
            np.zeros((room, classes)),
        )  # fmt: skip
        every, ones = np.arange(len(sample.y)), np.ones(len(sample.y))
        used, _ = _pour(sample, every, ones, tree, 0, tree.counts, 1, stop)
        if used > 0:
            _collapse(sample.sizes, tree, stop)
            _prune(sample, tree, stop)
            return TreeArrays(tree.split_by[:used], tree.cut[:used], tree.first[:used], tree.counts[:used])
        room *= 2


@kernel
def shares(x: Float64s2, sizes: Int64s, tree: TreeArrays) -> Float64s2:
    """Return per row the class shares of its leaf, Laplace-corrected; a mean of leaves if a value is missing.

    A branch that no training row took gives the shares of its parent.
    """
    leaf_shares = np.zeros((len(x), tree.counts.shape[1]))
    for i in range(len(x)):
        _descend(x[i], sizes, tree, leaf_shares[i])
    return leaf_shares


@kernel
def out_of_fold(sample: TrainingSample, classes: int, fold_of_row: Int64s, folds: int, stop: UInt8s) -> Float64s2:
    """Return per row the class shares from a tree of the other folds; every class must occur outside every fold."""
    leaf_shares = np.zeros((len(sample.x), classes))
    for fold in range(folds):
        if stopped(stop):
            break
        _shares_of_fold(sample, classes, fold_of_row, fold, leaf_shares, stop)
    return leaf_shares


@helper
def _shares_of_fold(sample, classes, fold_of_row, fold, leaf_shares, stop):
    """Fill in the class shares of one fold's rows."""
    x, y = np.empty_like(sample.x), np.empty_like(sample.y)
    outside = 0
    for i in range(len(fold_of_row)):
        if fold_of_row[i] != fold:
            y[outside] = sample.y[i]
            for a in range(sample.x.shape[1]):
                x[outside, a] = sample.x[i, a]
            outside += 1
    tree = fit(TrainingSample(x[:outside], y[:outside], sample.sizes), classes, stop)
    for i in range(len(fold_of_row)):
        if fold_of_row[i] == fold:
            _descend(sample.x[i], sample.sizes, tree, leaf_shares[i])


@helper
def _children(sizes, column):
    return sizes[column] if sizes[column] > 0 else 2


@helper
def _descend(row, sizes, tree, leaf_shares):
    """Add the class shares of the leaves that a row reaches."""
    split_by, first, counts = tree.split_by, tree.first, tree.counts
    branches = [(0, 1.0)]
    while len(branches) > 0:
        node, weight = branches.pop()
        while split_by[node] >= 0:
            v, start = row[split_by[node]], np.int64(first[node])
            if np.isnan(v):
                break
            child = start + (np.int64(v) if sizes[split_by[node]] > 0 else np.int64(v > tree.cut[node]))
            if counts[child].sum() <= 0:
                break
            node = child
        if split_by[node] >= 0 and np.isnan(row[split_by[node]]):
            start, end = first[node], first[node] + _children(sizes, split_by[node])
            total = counts[start:end].sum()
            for child in range(start, end):
                share = counts[child].sum() / total
                if share > 0:
                    branches += [(child, weight * share)]
        else:
            total = counts[node].sum()
            for c in range(len(leaf_shares)):
                leaf_shares[c] += weight * (counts[node, c] + 1) / (total + len(leaf_shares))


@helper
def _pour(sample, rows, w, tree, node, counts, used, stop):
    """Write the class weights of a subtree into `counts`, as if these rows reached it, and sum the expected errors.

    With `used` nodes, not 0, the tree grows: every node is split as long as a split is good. Returns the number of its
    nodes, 0 if there is too little room for it, and the errors.
    """
    errors, growing = 0.0, used > 0
    todo = [(node, rows, w)]
    while len(todo) > 0 and not stopped(stop):
        node, rows, w = todo.pop()
        for c in range(counts.shape[1]):
            counts[node, c] = 0.0
        for i in range(len(rows)):
            counts[node, sample.y[rows[i]]] += w[i]
        if growing:
            column, cut = _best(sample, rows, w, counts[node])
            if column >= 0:
                tree.split_by[node], tree.cut[node], tree.first[node] = column, cut, used
                used += _children(sample.sizes, column)
                if used > len(tree.split_by):
                    return 0, errors
        a = tree.split_by[node]
        if a < 0:
            errors += _as_leaf(counts[node])
            continue
        parts, weights, starts = _divide(sample.x, rows, w, a, tree.cut[node], sample.sizes[a])
        for j in range(len(starts) - 1):
            low, high = starts[j], starts[j + 1]
            todo.append((np.int64(tree.first[node]) + j, parts[low:high], weights[low:high]))
    return used, errors


@helper
def _best(sample, rows, w, totals):
    """Return the column with the highest gain ratio among those of at least average gain, and its cut; -1 for none."""
    x, sizes = sample.x, sample.sizes
    total = totals.sum()
    if total < 2 * MIN_ROWS or totals.max() >= total - 1e-9:
        return -1, 0.0
    columns = len(sizes)
    gains, ratios, cuts = np.full(columns, -1.0), np.zeros(columns), np.zeros(columns)
    few = np.zeros(columns, dtype=np.bool_)  # columns of very many categories do not count in the average
    for a in range(columns):
        if sizes[a] > 0:
            gains[a], ratios[a] = _by_category(sample, rows, w, a, len(totals), total)
        else:
            gains[a], ratios[a], cuts[a] = _by_number(sample, rows, w, a, len(totals), total)
        few[a] = sizes[a] < 0.3 * len(x)
    mean, valid = 0.0, 0
    for a in range(columns):
        if gains[a] >= 0 and (few[a] or not few.any()):
            mean += gains[a]
            valid += 1
    mean /= max(valid, 1)
    best, best_ratio = -1, 1e-6
    for a in range(columns):
        if gains[a] >= mean - 1e-3 and gains[a] >= 0 and ratios[a] > best_ratio:
            best, best_ratio = a, ratios[a] + 1e-6
    if best < 0:
        return -1, 0.0
    if sizes[best] == 0:  # C4.5 cuts at a number that occurs
        highest = -np.inf
        for i in range(len(x)):
            if x[i, best] <= cuts[best] and x[i, best] > highest:
                highest = x[i, best]
        cuts[best] = highest
    return best, cuts[best]


@helper
def _bits(weight):
    return weight * np.log2(weight) if weight > 0 else 0.0


@helper
def _spread(classes):
    """Entropy of class weights, times their sum."""
    spread = _bits(classes.sum())
    for c in range(len(classes)):
        spread -= _bits(classes[c])
    return spread


@helper
def _by_category(sample, rows, w, a, classes, total):
    """Gain and gain ratio; a gain of -1 where fewer than two branches have enough rows."""
    x, y, size = sample.x, sample.y, sample.sizes[a]
    table = np.zeros((size, classes))
    for i in range(len(rows)):
        v = x[rows[i], a]
        if not np.isnan(v):
            table[np.int64(v), y[rows[i]]] += w[i]
    enough, after, unequal, known_weight = 0, 0.0, _bits(total), 0.0
    overall = np.zeros(classes)
    for code in range(size):
        weight = table[code].sum()
        enough += weight >= MIN_ROWS
        after += _spread(table[code])
        unequal -= _bits(weight)
        known_weight += weight
        for c in range(classes):
            overall[c] += table[code, c]
    if enough < 2:
        return -1.0, 0.0
    gain = max((_spread(overall) - after) / total, 0.0)
    unequal = (unequal - _bits(total - known_weight)) / total
    return gain, gain / unequal if unequal > 1e-9 else 0.0


@helper
def _by_number(sample, rows, w, a, classes, total):
    """Return gain, gain ratio and cut of the best binary split, less the cost of describing the cut."""
    x, y = sample.x, sample.y
    values = np.empty(len(rows))
    order, spare = np.empty(len(rows), dtype=np.int64), np.empty(len(rows), dtype=np.int64)
    above = np.zeros(classes)
    m = 0
    for i in range(len(rows)):
        values[i] = x[rows[i], a]
        if not np.isnan(values[i]):
            order[m] = i
            above[y[rows[i]]] += w[i]
            m += 1
    merge_order(values, order, spare, m)
    known_weight = above.sum()
    min_weight = min(max(0.1 * known_weight / classes, MIN_ROWS), 25.0)
    if m < 2 * min_weight:
        return -1.0, 0.0, 0.0
    before = _spread(above)
    below = np.zeros(classes)
    best, tried, at, weight_left = 0.0, 0, -1, 0.0
    for i in range(1, m):
        below[y[rows[order[i - 1]]]] += w[order[i - 1]]
        above[y[rows[order[i - 1]]]] -= w[order[i - 1]]
        if values[order[i - 1]] + 1e-5 >= values[order[i]]:
            continue
        low = below.sum()
        if low < min_weight - 1e-6 or known_weight - low < min_weight - 1e-6:
            continue
        tried += 1
        gain = (before - _spread(below) - _spread(above)) / total
        if gain > best + 1e-6:
            best, at, weight_left = gain, i, low
    if at < 0:
        return -1.0, 0.0, 0.0
    gain = best - np.log2(tried) / total
    if gain <= 1e-6:
        return -1.0, 0.0, 0.0
    unequal = (
        _bits(total) - _bits(weight_left) - _bits(known_weight - weight_left) - _bits(total - known_weight)
    ) / total
    middle = (values[order[at - 1]] + values[order[at]]) / 2
    return gain, gain / unequal if unequal > 1e-9 else 0.0, middle


@helper
def _divide(x, rows, w, a, c, size):
    """Return rows and weights of each branch in turn; rows that miss the value go into each, by its share."""
    children = size if size > 0 else 2
    branch = np.empty(len(rows), dtype=np.int64)
    weight, rows_in_branch = np.zeros(children), np.zeros(children, dtype=np.int64)
    lost = 0
    for i in range(len(rows)):
        v = x[rows[i], a]
        if np.isnan(v):
            branch[i] = -1
            lost += 1
            continue
        branch[i] = np.int64(v) if size > 0 else np.int64(v > c)
        weight[branch[i]] += w[i]
        rows_in_branch[branch[i]] += 1
    starts = np.zeros(children + 1, dtype=np.int64)
    for j in range(children):
        starts[j + 1] = starts[j] + rows_in_branch[j] + (lost if weight[j] > 0 else 0)
    parts, weights = np.empty(starts[-1], dtype=np.int64), np.empty(starts[-1])
    free, known_weight = starts[:-1].copy(), weight.sum()
    for i in range(len(rows)):
        low, high = (0, children) if branch[i] < 0 else (branch[i], branch[i] + 1)
        for j in range(low, high):
            if weight[j] > 0:
                parts[free[j]] = rows[i]
                weights[free[j]] = w[i] * (weight[j] / known_weight if branch[i] < 0 else 1.0)
                free[j] += 1
    return parts, weights, starts


@helper
def _below(sizes, tree, root):
    """The leaves of a subtree."""
    leaves, todo = [root], [root]
    leaves.pop()
    while len(todo) > 0:
        node = todo.pop()
        if tree.split_by[node] < 0:
            leaves.append(node)
            continue
        for j in range(_children(sizes, tree.split_by[node])):
            todo += [np.int64(tree.first[node]) + j]
    return leaves


@helper
def _collapse(sizes, tree, stop):
    """Replace subtrees that classify no better than a leaf by a leaf."""
    split_by, counts = tree.split_by, tree.counts
    todo = [0]
    while len(todo) > 0 and not stopped(stop):
        node = todo.pop()
        if split_by[node] < 0:
            continue
        wrong = 0.0
        for leaf in _below(sizes, tree, node):
            wrong += counts[leaf].sum() - counts[leaf].max()
        if wrong >= counts[node].sum() - counts[node].max() - 1e-3:
            split_by[node] = -1
            continue
        for j in range(_children(sizes, split_by[node])):
            todo += [np.int64(tree.first[node]) + j]


@helper
def _added(n, e):
    """Return what C4.5 adds to e errors of n (at least one): up to the upper confidence limit of the error rate."""
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    z, f = QUANTILE, (e + 0.5) / n
    upper = (f + z * z / (2 * n) + z * np.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
    return upper * n - e


@kernel
def pessimistic(n: float, e: float) -> float:
    """What C4.5 adds to e errors of n."""
    if n <= 0:
        return 0.0
    if e >= 1:
        return _added(n, e)
    base = n * (1 - CONFIDENCE ** (1 / n))
    return base + e * (_added(n, 1.0) - base)


@helper
def _as_leaf(classes):
    """Errors to expect of a leaf."""
    total = classes.sum()
    wrong = total - classes.max()
    return wrong + pessimistic(total, wrong) if total > 0 else 0.0


@helper
def _prune(sample, tree, stop):
    """Bottom-up: replace a subtree by a leaf, or by its largest branch, where fewer errors are expected."""
    sizes, split_by, cut, first, counts = sample.sizes, tree.split_by, tree.cut, tree.first, tree.counts
    tried = np.empty_like(counts)
    todo = [(0, np.arange(len(sample.y)), np.ones(len(sample.y)), False)]
    while len(todo) > 0 and not stopped(stop):
        node, rows, w, ready = todo.pop()
        if split_by[node] < 0:
            continue
        start = np.int64(first[node])
        if not ready:  # its branches first
            todo.append((node, rows, w, True))
            parts, weights, starts = _divide(sample.x, rows, w, split_by[node], cut[node], sizes[split_by[node]])
            for j in range(len(starts) - 1):
                low, high = starts[j], starts[j + 1]
                todo.append((start + j, parts[low:high], weights[low:high], False))
            continue
        largest, most_weight = start, -1.0
        for child in range(start, start + _children(sizes, split_by[node])):
            if counts[child].sum() > most_weight + 1e-6:
                largest, most_weight = child, counts[child].sum()
        _, branch = _pour(sample, rows, w, tree, largest, tried, 0, stop)
        leaf, subtree = _as_leaf(counts[node]), 0.0
        for end in _below(sizes, tree, node):
            subtree += _as_leaf(counts[end])
        if leaf <= subtree + 0.1 and leaf <= branch + 0.1:
            split_by[node] = -1
        elif branch <= subtree + 0.1:
            split_by[node], cut[node], first[node] = split_by[largest], cut[largest], first[largest]
            _pour(sample, rows, w, tree, node, counts, 0, stop)
            todo.append((node, rows, w, False))
