"""PART (Frank and Witten 1998): a list of rules, each the largest leaf of a partial C4.5 tree.

Rules come one after the other. For each a partial tree is grown on the records that no rule covers yet: of a split only
branches of lowest entropy are expanded, as long as each turns out a leaf; its largest leaf becomes the rule. RIPPER's
place, too: both learn a list of rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from fairveil.learning.c45_kernels import MIN_ROWS, pessimistic
from fairveil.learning.information_gain import mdl_cuts

Tests = list[tuple[int, int]]
"""The column and the code that a rule asks for, one pair per condition."""


@dataclass
class Node:
    """A leaf, or a split with a child per value that occurs; a partial tree has children that were never grown."""

    classes: np.ndarray
    attribute: int = -1
    children: dict[int, Node] = field(default_factory=dict)
    grown: bool = True

    @property
    def leaf(self) -> bool:
        return self.attribute < 0

    @property
    def weight(self) -> float:
        return float(self.classes.sum())

    @property
    def errors(self) -> float:
        """The pessimistic number of errors if this node were a leaf."""
        wrong = self.weight - float(self.classes.max(initial=0.0))
        return wrong + float(pessimistic(self.weight, wrong))

    @property
    def tree_errors(self) -> float:
        return self.errors if self.leaf else sum(child.tree_errors for child in self.children.values())


@dataclass(frozen=True)
class Data:
    """Coded attributes, coded classes and weights of distinct records."""

    x: np.ndarray
    y: np.ndarray
    w: np.ndarray
    sizes: tuple[int, ...]
    classes: int

    def take(self, mask: np.ndarray) -> Data:
        return Data(self.x[mask], self.y[mask], self.w[mask], self.sizes, self.classes)

    def totals(self) -> np.ndarray:
        return np.bincount(self.y, weights=self.w, minlength=self.classes)

    def table(self, attribute: int) -> np.ndarray:
        """Weights per value of an attribute and class."""
        size = self.sizes[attribute] * self.classes
        both = np.bincount(self.x[:, attribute] * self.classes + self.y, weights=self.w, minlength=size)
        return both.reshape(self.sizes[attribute], self.classes)


def distinct(x: np.ndarray, y: np.ndarray, sizes: tuple[int, ...], classes: int) -> Data:
    rows, counts = np.unique(np.column_stack([x, y]), axis=0, return_counts=True)
    return Data(rows[:, :-1], rows[:, -1], counts.astype(float), sizes, classes)


def best_split(data: Data) -> int:
    """The attribute of highest gain ratio among those of at least average gain; -1 where none may be split."""
    totals = data.totals()
    n = totals.sum()
    if n < 2 * MIN_ROWS or (totals > 0).sum() < 2:
        return -1
    gains, ratios, valid = [], [], []
    for attribute in range(data.x.shape[1]):
        table = data.table(attribute)
        rows = table.sum(axis=1)
        if (rows >= MIN_ROWS).sum() < 2:
            continue
        gain = (_bits(totals) - _bits_each(table).sum()) / n
        split = _bits(rows) / n
        if gain > 1e-9 and split > 1e-9:
            gains.append(gain)
            ratios.append(gain / split)
            valid.append(attribute)
    if not valid:
        return -1
    enough = np.array(gains) >= np.mean(gains) - 1e-3
    return valid[int(np.argmax(np.where(enough, ratios, -1.0)))]


def _bits(counts: np.ndarray) -> float:
    """n times the entropy of counts."""
    return float(_bits_each(counts[None, :])[0])


def _bits_each(table: np.ndarray) -> np.ndarray:
    rows = table.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        own = np.where(table > 0, table * np.log2(table), 0.0).sum(axis=1)
        bits: np.ndarray = np.where(rows > 0, rows * np.log2(rows), 0.0) - own
        return bits


def _replaced(node: Node) -> Node:
    if node.errors <= node.tree_errors + 0.1:
        return Node(node.classes)
    return node


def grow_partly(data: Data) -> Node:
    """A partial tree: branches of lowest entropy first, until one of them is not a leaf."""
    node = Node(data.totals())
    attribute = best_split(data)
    if attribute < 0:
        return node
    node.attribute = attribute
    table = data.table(attribute)
    rows = table.sum(axis=1)
    entropy = np.where(rows > 0, _bits_each(table) / np.maximum(rows, 1e-300), np.inf)
    order = [int(v) for v in np.argsort(entropy, kind="stable") if rows[v] > 0]
    node.children = {v: Node(table[v], grown=False) for v in order}
    for value in order:
        child = grow_partly(data.take(data.x[:, attribute] == value))
        node.children[value] = child
        if not child.leaf:
            return node
    return _replaced(node)


def largest_leaf(node: Node) -> tuple[Tests, Node]:
    """The grown leaf that most records reach, with the tests on the way."""
    return max(_leaves(node), key=lambda leaf: leaf[1].weight)


def _leaves(node: Node) -> Iterator[tuple[Tests, Node]]:
    if node.leaf:
        if node.grown:
            yield [], node
        return
    for value, child in node.children.items():
        for tests, leaf in _leaves(child):
            yield [(node.attribute, value), *tests], leaf


class PART(ClassifierMixin, BaseEstimator):
    """A list of rules, tried in order; the share of each class among the records of a rule is corrected by Laplace.

    A row is a code per category and a number per number, NaN where missing, and `blocks` describes the columns, as in
    `C45`. Numbers are cut once into intervals that tell the classes apart; a missing value is a category. Fitted:
    `rules_`, the conditions of each rule, and `counts_`, the records of each class that it covers.
    """

    coded: ClassVar[bool] = True

    def __init__(self, blocks: tuple[tuple[int, bool], ...] | None = None) -> None:
        self.blocks = blocks

    def fit(self, x: Any, y: Any) -> PART:
        x = np.asarray(x, dtype=float)
        self.classes_, code = np.unique(y, return_inverse=True)
        shapes = self.blocks or ((1, False),) * x.shape[1]
        self.edges_ = [None if kind else mdl_cuts(column[known], code[known])
                       for column, known, (_, kind) in zip(x.T, ~np.isnan(x.T), shapes, strict=True)]  # fmt: skip
        sizes = tuple(
            (width if edges is None else len(edges) + 1) + 1
            for edges, (width, _) in zip(self.edges_, shapes, strict=True)
        )
        self.missing_ = [size - 1 for size in sizes]
        data = distinct(self._codes(x), code, sizes, len(self.classes_))
        self.rules_: list[Tests] = []
        counts = []
        while len(data.y):
            tests, leaf = largest_leaf(grow_partly(data))
            self.rules_.append(tests)
            counts.append(leaf.classes)
            data = data.take(~covered(data.x, tests))
        self.counts_ = np.array(counts)
        return self

    def _codes(self, x: np.ndarray) -> np.ndarray:
        codes = np.empty(x.shape, dtype=np.int64)
        for column, (edges, missing) in enumerate(zip(self.edges_, self.missing_, strict=True)):
            values = x[:, column]
            known = ~np.isnan(values)
            found = values[known] if edges is None else np.searchsorted(edges, values[known], side="right")
            codes[:, column] = missing
            codes[known, column] = found
        return codes

    def predict_proba(self, x: Any) -> np.ndarray:
        codes = self._codes(np.asarray(x, dtype=float))
        rule = np.full(len(codes), len(self.rules_) - 1)
        left = np.ones(len(codes), dtype=bool)
        for number, tests in enumerate(self.rules_):
            hit = left & covered(codes, tests)
            rule[hit] = number
            left &= ~hit
        shares = (self.counts_ + 1) / (self.counts_.sum(axis=1, keepdims=True) + len(self.classes_))
        return np.asarray(shares[rule])

    def predict(self, x: Any) -> np.ndarray:
        return np.asarray(self.classes_[np.argmax(self.predict_proba(x), axis=1)])


def covered(x: np.ndarray, tests: Tests) -> np.ndarray:
    """Which records pass all tests."""
    inside = np.ones(len(x), dtype=bool)
    for attribute, value in tests:
        inside &= x[:, attribute] == value
    return inside
