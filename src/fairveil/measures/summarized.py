"""Measures computed from a summary of all candidates at once: loss, risk, and what can still be learnt.

Where the schema says which person a row is about, every mean is over persons first, then over the rows of each, and the
size of a class is its number of persons. A suppressed row has lost everything.
Risk is that of being singled out by an attacker who knows that the person is in the data (prosecutor).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.cells import Cells, Classes
from fairveil.counting.summary import EXPOSED_BELOW, Summary, figures_of_classes
from fairveil.measures.measure import Measure

if TYPE_CHECKING:
    from fairveil.data.schema import Schema
    from fairveil.data.table import Table

INF = float("inf")
FULL, LEVELS, DECISION = frozenset({"full"}), frozenset({"levels"}), frozenset({"decision"})


def _suppressed(s: Summary) -> np.ndarray:
    rows: np.ndarray = s.rows - s.kept
    return rows


def loss_per_column(s: Summary) -> np.ndarray:
    """The mean (g-1)/(N-1) of each column over all rows, for each candidate."""
    means: np.ndarray = (s.loss + _suppressed(s)[:, None]) / s.rows[:, None]
    return means


def _ratio(part: np.ndarray | float, whole: np.ndarray) -> np.ndarray:
    """The quotient; 0 where the whole is 0."""
    quotients: np.ndarray = np.divide(part, whole, out=np.zeros(len(whole)), where=whole != 0)
    return quotients


def discernibility(s: Summary) -> np.ndarray:
    costs: np.ndarray = s.squares + _suppressed(s) * s.rows
    return costs


def class_variance(s: Summary) -> np.ndarray:
    """The variance of the class size over published rows, divided by its maximum for N rows, ((N-1)/2)²."""
    rows = np.maximum(s.kept, 1)
    shares: np.ndarray = (s.cubes / rows - (s.squares / rows) ** 2) / np.maximum((s.rows - 1) / 2, 0.5) ** 2
    return shares


def precision(s: Summary) -> np.ndarray:
    steps = (s.levels / np.maximum(s.heights, 1)).mean(axis=1)
    precisions: np.ndarray = 1 - (steps * s.kept + _suppressed(s)) / s.rows
    return precisions


def hidden_entropy(s: Summary) -> np.ndarray:
    every_bit = s.full_entropy.sum(axis=1)
    hidden = _ratio(s.entropy.sum(axis=1) + every_bit * _suppressed(s), every_bit * s.rows)
    shares: np.ndarray = np.minimum(hidden, 1.0)  # bits of values are by records, also where persons are counted
    return shares


MEASURES = (
    Measure("loss", "loss", "lower", (0, 1),
            "NCP: share of each value's domain that its published value could stand for, averaged over cells",
            lambda s: loss_per_column(s).mean(axis=1), whole_is_best=True, title="loss of detail"),
    Measure("nwp", "loss", "lower", (0, 1), "normalized weighted penalty: the loss with the schema's column weights",
            lambda s: (loss_per_column(s) * s.weights).sum(axis=1), whole_is_best=True,
            title="weighted loss of detail"),
    Measure("entropy", "loss", "lower", (0, 1),
            "non-uniform entropy: share of the bits in the quasi columns that the release hides", hidden_entropy, FULL,
            title="hidden information"),
    Measure("gh", "loss", "lower", (0, INF),
            "generalization height: steps climbed in the hierarchies, all columns together",
            lambda s: s.levels.sum(axis=1), LEVELS, title="generalization height"),
    Measure("precision", "loss", "higher", (0, 1),
            "Sweeney's precision: 1 minus the share of each hierarchy that was climbed", precision, LEVELS,
            title="precision (Sweeney)"),
    Measure("dm", "loss", "lower", (0, INF),
            "discernibility: rows that each row cannot be told from, summed; a suppressed row costs all",
            discernibility, of_sizes=True, title="discernibility", by_persons={
                "meaning": "discernibility: persons that each person cannot be told from, summed over persons; "
                "a suppressed person costs all"}),
    Measure("dr", "loss", "lower", (0, 1), "discernibility ratio: dm over its worst possible value",
            lambda s: discernibility(s) / (s.rows.astype(float) * s.rows), of_sizes=True, title="discernibility ratio"),
    Measure("class-size", "loss", "lower", (1, INF), "average number of rows in an equivalence class",
            lambda s: s.rows / np.maximum(s.classes + (_suppressed(s) > 0), 1), of_sizes=True,
            title="average class size", by_persons={
                "meaning": "persons in an equivalence class, the harmonic mean over the persons"}),
    Measure("necd", "loss", "lower", (0, 1),
            "normalized equivalence class dispersion: largest minus smallest class, as a share of the rows",
            lambda s: (s.largest - s.smallest) / np.maximum(s.rows - 1, 1), of_sizes=True, title="class dispersion",
            by_persons={"meaning": "normalized equivalence class dispersion: largest minus smallest class, as a share "
                                   "of the persons"}),
    Measure("class-gini", "loss", "lower", (0, 1),
            "Gini coefficient of the class sizes that the published rows have: 0 where all are protected alike",
            lambda s: _ratio(s.gaps, 2 * s.kept * s.squares), FULL, title="inequality of class sizes", by_persons={
                "meaning": "Gini coefficient of the class sizes that the published persons have: 0 where all are "
                "protected alike"}),
    Measure("class-variance", "loss", "lower", (0, 1),
            "variance of the class sizes that the published rows have, as a share of the largest possible",
            class_variance, of_sizes=True, title="variance of class sizes", by_persons={
                "meaning": "variance of the class sizes that the published persons have, as a share of the largest "
                "possible"}),
    Measure("cm", "loss", "lower", (0, 1),
            "classification metric: share of rows whose decision is not their class's most frequent one",
            lambda s: (s.minority + _suppressed(s)) / s.rows, DECISION, title="classification metric", by_persons={
                "meaning": "classification metric: share of a person's records whose decision is not their class's "
                "most frequent one, averaged over persons"}),
    Measure("k", "risk", "higher", (1, INF),
            "records in the smallest equivalence class, or persons where these are counted", lambda s: s.smallest,
            of_sizes=True, title="smallest class"),
    Measure("highest-risk", "risk", "lower", (0, 1),
            "prosecutor risk: chance to pick out the person in the smallest class",
            lambda s: _ratio(1.0, s.smallest), of_sizes=True),
    Measure("average-risk", "risk", "lower", (0, 1),
            "prosecutor risk: chance to pick out a person, averaged over the published people",
            lambda s: _ratio(s.classes, s.kept), of_sizes=True),
    Measure("at-risk", "risk", "lower", (0, 1),
            f"share of published rows in classes of fewer than {EXPOSED_BELOW}", lambda s: _ratio(s.exposed, s.kept),
            of_sizes=True, title="records at risk", by_persons={
                "title": "persons at risk",
                "meaning": f"share of a person's published records in classes of fewer than {EXPOSED_BELOW} persons, "
                "averaged over persons"}),
    Measure("uniqueness", "risk", "lower", (0, 1), "share of published rows that are alone in their class",
            lambda s: _ratio(s.unique, s.kept), of_sizes=True, title="unique records", by_persons={
                "title": "unique persons",
                "meaning": "share of a person's published records that are in a class with no other person, averaged "
                "over persons"}),
    Measure("ig", "utility", "higher", (0, INF),
            "information gain: bits about the decision in each published quasi column, averaged",
            lambda s: s.gain.mean(axis=1), DECISION | FULL, title="information gain"),
    Measure("joint-ig", "utility", "higher", (0, INF),
            "joint information gain: bits about the decision in all published quasi columns together",
            lambda s: s.joint_gain, DECISION | FULL, title="joint information gain"),
)  # fmt: skip


RISKS = ("highest-risk", "average-risk", "at-risk", "uniqueness")


def risks(sizes: np.ndarray, classes: np.ndarray | None = None) -> dict[str, float]:
    """The risk measures of a table from the `sizes` of its classes alone, or from how many `classes` have each size.

    >>> risks(np.array([1, 3, 4]))["average-risk"]
    0.375
    """
    classes = np.ones(len(sizes), dtype=np.int64) if classes is None else classes
    together = sizes * classes
    rows = max(int(together.sum()), 1)
    return {
        "highest-risk": 1 / max(int(sizes.min(initial=rows)), 1),
        "average-risk": int(classes.sum()) / rows,
        "at-risk": int(together[sizes < EXPOSED_BELOW].sum()) / rows,
        "uniqueness": int(classes[sizes == 1].sum()) / rows,
    }


def risks_by(classes: Classes, schema: Schema) -> dict[str, float]:
    """The same from classes, by persons where the schema says who a row is about."""
    if schema.person is None:
        return risks(classes.rows)
    summary = Summary.of(1, 0, **figures_of_classes(classes, schema))
    return {name: float(measure.of(summary)[0]) for measure in MEASURES if (name := measure.name) in RISKS}


def contributions(table: Table, schema: Schema, counts: np.ndarray | None = None) -> dict[str, float]:
    """How much of the average risk each quasi column contributes: its decrease when the column is left out.
    `counts`: how many rows each row stands for.

    >>> import pyarrow as pa
    >>> from fairveil.data.schema import Schema
    >>> from fairveil.data.table import Table
    >>> table = Table.from_frame(pa.table({"sex": ["F", "F", "M", "M"], "age": [1, 2, 3, 4]}))
    >>> contributions(table, Schema(quasi=["sex", "age"]))
    {'sex': 0.0, 'age': 0.5}
    """
    cells = Cells.of(table, schema.quasi, counts=counts)
    risk = len(cells) / cells.rows
    return {
        name: risk - len(Classes.of(cells, [column for column in schema.quasi if column != name])) / cells.rows
        for name in schema.quasi
    }
