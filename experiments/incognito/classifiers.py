"""The paper's five classifiers on published tables: accuracy on a test set that was generalized the same way."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pyarrow as pa

from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.errors import need
from fairveil.learning.part import PART, covered


class Split:
    """A training and a test table over one coding of their columns."""

    def __init__(self, train: Table, test: Table, schema: Schema) -> None:
        names = [*schema.quasi, str(schema.decision)]
        frames = [pa.table({name: part.to_arrow()[name].cast(pa.string()) for name in names}) for part in (train, test)]
        both = Table.from_frame(pa.concat_tables(frames))
        codes = np.column_stack([both.column(name).codes.astype(np.int64) for name in names])
        self.sizes = tuple(len(both.column(name).values) for name in schema.quasi)
        self.classes = len(both.column(names[-1]).values)
        self.x, self.y = codes[: train.rows, :-1], codes[: train.rows, -1]
        self.test_x, self.test_y = codes[train.rows :, :-1], codes[train.rows :, -1]

    def accuracy(self, answers: np.ndarray) -> float:
        """In percent."""
        return float(100 * (answers == self.test_y).mean())


def tree(split: Split, seed: int) -> np.ndarray:
    from fairveil.learning.inducers import C45

    return C45(tuple((size, True) for size in split.sizes)).fit(split.x, split.y).predict(split.test_x)


def part(split: Split, seed: int) -> np.ndarray:
    return PART(tuple((size, True) for size in split.sizes)).fit(split.x, split.y).predict(split.test_x)


def naive_bayes(split: Split, seed: int) -> np.ndarray:
    from sklearn.naive_bayes import CategoricalNB

    return np.asarray(CategoricalNB(min_categories=list(split.sizes)).fit(split.x, split.y).predict(split.test_x))


def logistic(split: Split, seed: int) -> np.ndarray:
    from sklearn.linear_model import LogisticRegression

    # hardly regularized, unlike `CLASSIFIERS`' one; dummies of one coding of both tables, which no `Encoding` gives
    blocks = [np.eye(size, dtype=np.float32) for size in split.sizes]

    def dummies(x: np.ndarray) -> np.ndarray:
        return np.hstack([block[x[:, a]] for a, block in enumerate(blocks)])

    model = LogisticRegression(C=1e4, max_iter=1000).fit(dummies(split.x), split.y)
    return np.asarray(model.predict(dummies(split.test_x)))


def ripper(split: Split, seed: int) -> np.ndarray:
    """Rules for the rarer class, as RIPPER learns them; all else is the other class.

    Cohen's RIPPER stops at a rule that is wrong more often than right. The library keeps such rules, so those of
    less than half precision on the training data are left out here.
    """
    need("wittgenstein", "RIPPER")
    import pandas as pd
    import wittgenstein

    rare = int(np.bincount(split.y, minlength=split.classes).argmin())
    other = int(np.bincount(split.y, minlength=split.classes).argmax())
    columns = [f"c{a}" for a in range(split.x.shape[1])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = wittgenstein.RIPPER(random_state=seed)
        train = pd.DataFrame(split.x, columns=columns).astype(str)
        model.fit(train, y=split.y == rare)
    answers = np.full(len(split.test_x), other)
    for rule in model.ruleset_.rules:
        tests = [(columns.index(test.feature), int(test.val)) for test in rule.conds]
        hit = covered(split.x, tests)
        if hit.any() and (split.y[hit] == rare).mean() >= 0.5:
            answers[covered(split.test_x, tests)] = rare
    return answers


CLASSIFIERS: dict[str, Callable[[Split, int], np.ndarray]] = {
    "J48": tree,
    "Naïve Bayes": naive_bayes,
    "Logistic regression": logistic,
    "RIPPER": ripper,
    "PART": part,
}
