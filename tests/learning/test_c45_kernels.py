"""The compiled C4.5 grows the trees of a plain one, written here straight from Quinlan's and Weka's descriptions."""

from __future__ import annotations

from collections import Counter
from math import isnan, log2, nan
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import cross_val_score

from fairveil.learning.c45_kernels import pessimistic
from fairveil.learning.inducers import C45

Rows = list[tuple[list[float], int, float]]
"""Values, class and weight."""


def weights(rows: Rows, classes: int) -> list[float]:
    totals = [0.0] * classes
    for _, label, weight in rows:
        totals[label] += weight
    return totals


def bits(counts: list[float]) -> float:
    """Entropy times the sum."""
    total = sum(counts)
    return sum(-c * log2(c / total) for c in counts if c > 0)


def branches(rows: Rows, column: int, cut: float | None, size: int) -> list[Rows]:
    """Rows that miss the value go everywhere, by the share of each branch."""
    parts: list[Rows] = [[] for _ in range(size or 2)]
    for row in rows:
        value = row[0][column]
        if not isnan(value):
            parts[int(value) if cut is None else int(value > cut)].append(row)
    totals = [sum(weight for *_, weight in part) for part in parts]
    lost = [row for row in rows if isnan(row[0][column])]
    for part, weight in zip(parts, totals, strict=True):
        if weight > 0:
            part += [(x, label, w * weight / sum(totals)) for x, label, w in lost]
    return parts


class Twin:
    def __init__(self, rows: Rows, sizes: list[int], classes: int) -> None:
        self.all, self.sizes, self.classes = rows, sizes, classes
        self.root = self.grow(rows)
        self.collapse(self.root)
        self.root = self.prune(self.root, rows)

    def score(self, parts: list[Rows], total: float) -> tuple[float, float]:
        tables = [weights(part, self.classes) for part in parts]
        known = [sum(column) for column in zip(*tables, strict=True)]
        gain = (bits(known) - sum(map(bits, tables))) / total
        apart = bits([*map(sum, tables), max(total - sum(known), 0.0)]) / total
        return max(gain, 0.0), apart

    def candidate(self, rows: Rows, column: int) -> tuple[float, float, float | None] | None:
        total = sum(w for *_, w in rows)
        known = sorted((row for row in rows if not isnan(row[0][column])), key=lambda row: row[0][column])
        if self.sizes[column]:
            parts = [[row for row in known if row[0][column] == v] for v in range(self.sizes[column])]
            if sum(sum(w for *_, w in part) >= 2 for part in parts) < 2:
                return None
            gain, apart = self.score(parts, total)
            return gain, gain / apart if apart > 1e-9 else 0.0, None
        weight = sum(w for *_, w in known)
        least = min(max(0.1 * weight / self.classes, 2.0), 25.0)
        if len(known) < 2 * least:
            return None
        tried, best = 0, (0.0, 0.0, 0.0)
        for i in range(1, len(known)):
            low, high = known[i - 1][0][column], known[i][0][column]
            parts = [known[:i], known[i:]]
            if low + 1e-5 < high and all(sum(w for *_, w in part) >= least - 1e-6 for part in parts):
                tried += 1
                gain, apart = self.score(parts, total)
                if gain > best[0] + 1e-6:
                    best = (gain, apart, (low + high) / 2)
        gain = best[0] - (log2(tried) / total if tried else 0.0)
        if best[0] == 0 or gain <= 1e-6:
            return None
        cut = max(x[column] for x, *_ in self.all if x[column] <= best[2])
        return gain, gain / best[1] if best[1] > 1e-9 else 0.0, cut

    def grow(self, rows: Rows) -> dict:
        counts = weights(rows, self.classes)
        node: dict[str, Any] = {"counts": counts, "sons": None}
        if sum(counts) < 4 or max(counts) >= sum(counts) - 1e-9:
            return node
        cuts = {a: cut for a in range(len(self.sizes)) if (cut := self.candidate(rows, a)) is not None}
        few = {a for a, size in enumerate(self.sizes) if size < 0.3 * len(self.all)}
        counted = [gain for a, (gain, *_) in cuts.items() if a in few or not few]
        mean = sum(counted) / max(len(counted), 1)
        best, most = None, 1e-6
        for a, (gain, ratio, _) in cuts.items():
            if gain >= mean - 1e-3 and ratio > most:
                best, most = a, ratio + 1e-6
        if best is not None:
            node |= {"column": best, "cut": cuts[best][2]}
            node["sons"] = [self.grow(part) for part in branches(rows, best, node["cut"], self.sizes[best])]
        return node

    def leaves(self, node: dict) -> list[dict]:
        return [node] if node["sons"] is None else [leaf for son in node["sons"] for leaf in self.leaves(son)]

    def collapse(self, node: dict) -> None:
        if node["sons"] is None:
            return
        wrong = sum(sum(leaf["counts"]) - max(leaf["counts"]) for leaf in self.leaves(node))
        if wrong >= sum(node["counts"]) - max(node["counts"]) - 1e-3:
            node["sons"] = None
        for son in node["sons"] or []:
            self.collapse(son)

    def errors(self, counts: list[float]) -> float:
        wrong = sum(counts) - max(counts)
        return wrong + pessimistic(sum(counts), wrong) if sum(counts) > 0 else 0.0

    def poured(self, node: dict, rows: Rows) -> dict:
        """The same questions, asked of other rows."""
        fresh = {**node, "counts": weights(rows, self.classes)}
        if node["sons"] is not None:
            parts = branches(rows, node["column"], node["cut"], self.sizes[node["column"]])
            fresh["sons"] = [self.poured(son, part) for son, part in zip(node["sons"], parts, strict=True)]
        return fresh

    def prune(self, node: dict, rows: Rows) -> dict:
        if node["sons"] is None:
            return node
        parts = branches(rows, node["column"], node["cut"], self.sizes[node["column"]])
        node = {**node, "sons": [self.prune(son, part) for son, part in zip(node["sons"], parts, strict=True)]}
        largest, most = node["sons"][0], -1.0
        for son in node["sons"]:
            if sum(son["counts"]) > most + 1e-6:
                largest, most = son, sum(son["counts"])
        raised = self.poured(largest, rows)
        leaf, tree, branch = (sum(self.errors(part["counts"]) for part in leaves)
                              for leaves in ([node], self.leaves(node), self.leaves(raised)))  # fmt: skip
        if leaf <= tree + 0.1 and leaf <= branch + 0.1:
            return {"counts": node["counts"], "sons": None}
        return self.prune(raised, rows) if branch <= tree + 0.1 else node

    def shares(self, node: dict, x: list[float], weight: float = 1.0) -> np.ndarray:
        if node["sons"] is not None:
            value, sons = x[node["column"]], node["sons"]
            if isnan(value):
                total = sum(sum(son["counts"]) for son in sons)
                parts = [
                    self.shares(son, x, weight * sum(son["counts"]) / total) for son in sons if sum(son["counts"]) > 0
                ]
                return np.sum(parts, axis=0)
            son = sons[int(value) if self.sizes[node["column"]] else int(value > node["cut"])]
            if sum(son["counts"]) > 0:
                return self.shares(son, x, weight)
        counts = np.array(node["counts"])
        return weight * (counts + 1) / (counts.sum() + len(counts))


@st.composite
def tables(draw):
    sizes = draw(st.lists(st.sampled_from([0, 0, 2, 3, 5]), min_size=1, max_size=4))
    seed, rows, classes = draw(st.integers(0, 10**6)), draw(st.integers(2, 120)), draw(st.integers(2, 3))
    rng = np.random.default_rng(seed)
    columns = [rng.integers(0, size, rows) if size else rng.integers(0, 30, rows) / 4 for size in sizes]
    x = np.column_stack(columns).astype(float)
    y = (x[:, 0] + rng.integers(0, 3, rows) * (rng.random(rows) < draw(st.floats(0, 1)))).astype(int) % classes
    x[rng.random(x.shape) < draw(st.sampled_from([0.0, 0.0, 0.1]))] = nan
    return x, y, sizes


@settings(max_examples=80, deadline=None)
@given(tables())
def test_the_compiled_tree_says_what_the_plain_one_says(drawn):
    x, y, sizes = drawn
    labels, place = np.unique(y, return_inverse=True)
    model = C45(tuple((size, True) if size else (1, False) for size in sizes)).fit(x, y)
    twin = Twin([(row, int(label), 1.0) for row, label in zip(x.tolist(), place, strict=True)], sizes, len(labels))
    expected = np.array([twin.shares(twin.root, row) for row in x.tolist()])
    assert np.allclose(model.predict_proba(x), expected)


def test_known_trees_of_weka():
    """J48 says of iris: five leaves, 96 % in ten-fold cross-validation."""
    x, y = load_iris(return_X_y=True)
    model = C45().fit(x, y)
    assert len(model.leaves) == 5
    assert Counter(int(sum(leaf)) for leaf in model.leaves) == Counter([50, 48, 46, 3, 3])
    assert cross_val_score(C45(), x, y, cv=10).mean() == pytest.approx(0.96, abs=0.01)


def test_many_columns_of_numbers():
    x, y = load_breast_cancer(return_X_y=True)
    assert cross_val_score(C45(), x, y, cv=5).mean() > 0.9


def test_no_column_and_one_class_make_a_leaf():
    model = C45().fit(np.zeros((5, 1)), np.array([0, 0, 1, 1, 1]))
    assert model.leaves == [[2.0, 3.0]]
    assert C45().fit(np.arange(6.0)[:, None], np.zeros(6)).leaves == [[6.0]]
    assert np.allclose(model.predict_proba(np.array([[nan]])), [[3 / 7, 4 / 7]])
