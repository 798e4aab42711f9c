"""How well a classifier learns the decision from a release, by cross-validation: any scikit-learn classifier.

Rows that were published alike are one weighted row to the classifier, so a general release is quick to judge. Numbers
enter as numbers, other columns one-hot up to `ONE_HOT` values and by the order of their hierarchy beyond.

Candidates are compared on the same splits: folds are dealt to the rows of the source, and every row of the source is
tested against the decision that it really has. A row that a candidate leaves out is answered with the most frequent
decision of what the classifier learnt from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.counting.threads import each_in_threads
from fairveil.data.hierarchy.automatic import is_numeric
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.errors import BadInput
from fairveil.learning.scores import SCORES, Answers, area, confusion_scores
from fairveil.measures.base import Measure

if TYPE_CHECKING:
    from fairveil.release.release import Release

FOLDS = 10
ONE_HOT = 64

Maker = Callable[[int], Any]
"""From a seed to a fresh scikit-learn classifier."""


def decision_tree(seed: int) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(random_state=seed, min_weight_fraction_leaf=1e-4)


def support_vectors(seed: int) -> Any:
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    # scaled columns have variance 1 when weighted, which gamma="scale" would measure without the weights
    return make_pipeline(StandardScaler(), SVC(gamma="auto", random_state=seed))


def cross_validated(
    table: Table, schema: Schema, classifier: Maker = decision_tree, *, folds: int = FOLDS, seed: int = 0
) -> float:
    """The share of rows whose decision is foretold by a classifier that was trained on the other folds.

    Folds are stratified by decision. With one decision only, or fewer rows than folds, there is nothing to learn.
    """
    return learnt_from(table, np.arange(table.rows), table, schema, classifier, folds=folds, seed=seed)["accuracy"]


def learnt_from(
    published: Table,
    rows: np.ndarray,
    source: Table,
    schema: Schema,
    classifier: Maker = decision_tree,
    *,
    folds: int = FOLDS,
    seed: int = 0,
) -> dict[str, float]:
    """Every score of a classifier that learns from a published table, of which row i is row `rows[i]` of the source."""
    decision = _decision(schema)
    if source.rows < folds or len(np.unique(source.column(decision).codes)) < 2:
        return dict.fromkeys(SCORES, float("nan"))
    labels, (said, truth) = _labels(published.column(decision), source.column(decision))
    fold = folds_of(source.column(decision).codes, folds, seed)
    used = [name for name in schema.quasi if name in published]
    cells = Cells.of(published, [*used, decision])
    inputs = np.hstack([_encoded(published.column(name), cells.codes[name]) for name in used])
    target = np.zeros(len(cells), dtype=np.int64)
    target[cells.cell_of_row] = said
    per_fold = np.zeros((folds, len(cells)))
    np.add.at(per_fold, (fold[rows], cells.cell_of_row), 1)
    total = per_fold.sum(axis=0)

    def tested(number: int) -> tuple[np.ndarray, float]:
        """Which decisions the rows of a fold have and which are foretold, counted, and the area under the curve."""
        weights = total - per_fold[number]
        share = np.bincount(target, weights, minlength=len(labels)) / max(weights.sum(), 1)
        inside = np.flatnonzero(fold == number)
        decided = np.full(len(inside), int(share.argmax()))
        scored = np.tile(share, (len(inside), 1))
        mine = np.flatnonzero(fold[rows] == number)
        if len(mine) and weights.any():
            asked, place = np.unique(cells.cell_of_row[mine], return_inverse=True)
            learnt = _fitted(classifier(seed), inputs[weights > 0], target[weights > 0], weights[weights > 0])
            answer = learnt(inputs[asked], len(labels))
            there = np.searchsorted(inside, rows[mine])
            decided[there], scored[there] = answer.decided[place], answer.scored[place]
        confusion = np.zeros((len(labels), len(labels)))
        np.add.at(confusion, (truth[inside], decided), 1)
        return confusion, area(Answers(decided, scored), truth[inside], len(labels))

    confusions, areas = zip(*each_in_threads(tested, range(folds)), strict=True)
    accuracy, balanced, f1 = confusion_scores(np.sum(confusions, axis=0))
    return dict(zip(SCORES, (accuracy, balanced, f1, _mean_area(areas)), strict=True))


def scores_of(
    release: Release, source: Table, classifier: Maker = decision_tree, *, folds: int = FOLDS
) -> dict[str, float]:
    """Every score of a classifier that learns from a release of `source`.

    Where published rows are not rows of the source (columns split into projections, noisy tables), the recipe is
    applied to the rows to learn from and to those to test on.
    """
    _decision(release.schema)
    if release.outcome.parts is None and release.source is source:
        return learnt_from(
            release.table, release.source_rows, source, release.schema, classifier, folds=folds, seed=release.seed
        )
    from fairveil.evaluation.folds import through_the_recipe

    return through_the_recipe(release, source, classifier(release.seed), folds=folds)


def accuracy_of(classifier: Maker, name: str, meaning: str, *, folds: int = FOLDS) -> Measure:
    """The accuracy of any classifier as a measure to rank releases by."""

    def of(release: Release, source: Table) -> Mapping[str, float]:
        return {name: scores_of(release, source, classifier, folds=folds)["accuracy"]}

    return Measure(name, "utility", "higher", (0, 1), meaning, needs=frozenset({"decision"}), of_release=of)


def folds_of(decisions: np.ndarray, folds: int, seed: int) -> np.ndarray:
    """A fold for every row: the rows of each decision, shuffled, are dealt out in turn."""
    shuffled = np.random.default_rng(seed).permutation(len(decisions))
    dealt = shuffled[np.argsort(decisions[shuffled], kind="stable")]
    fold = np.empty(len(decisions), dtype=np.int64)
    fold[dealt] = np.arange(len(decisions)) % folds
    return fold


def _encoded(column: Column, codes: np.ndarray) -> np.ndarray:
    if is_numeric(column):
        numbers = np.array([np.nan if value is None else float(value) for value in column.domain])
        return np.nan_to_num(numbers, nan=np.nanmin(numbers, initial=0.0) - 1)[codes][:, None]
    present, place = np.unique(codes, return_inverse=True)
    if len(present) > ONE_HOT:
        return place[:, None].astype(float)
    return np.eye(len(present))[place][:, 1:] if len(present) > 1 else np.zeros((len(codes), 1))


def _decision(schema: Schema) -> str:
    if schema.decision is None:
        raise BadInput("accuracy needs a decision column, and the schema names none")
    return schema.decision


def _labels(*columns: Column) -> tuple[np.ndarray, list[np.ndarray]]:
    """The decisions of several columns as texts, and each column's rows as places among them."""
    held = [np.array([str(value) for value in column.domain]) for column in columns]
    labels = np.unique(np.concatenate(held))
    return labels, [np.searchsorted(labels, one)[column.codes] for one, column in zip(held, columns, strict=True)]


def _mean_area(areas: Sequence[float]) -> float:
    known = [one for one in areas if not np.isnan(one)]
    return float(np.mean(known)) if known else float("nan")


def _fitted(
    model: Any, inputs: np.ndarray, target: np.ndarray, weights: np.ndarray
) -> Callable[[np.ndarray, int], Answers]:
    """The trained classifier's answers; one that takes no weights sees each row as often as it weighs."""
    if len(np.unique(target)) < 2:
        only = int(target[0])
        return lambda asked, classes: Answers(
            np.full(len(asked), only), np.tile(np.eye(classes)[only], (len(asked), 1))
        )
    from sklearn.utils.validation import has_fit_parameter

    steps = [(f"{name}__", step) for name, step in getattr(model, "steps", [])] or [("", model)]
    weighing = [prefix for prefix, step in steps if has_fit_parameter(step, "sample_weight")]
    if steps[-1][0] in weighing:  # all steps that can weigh do: a scaler sees the rows, not the distinct ones
        model.fit(inputs, target, **{f"{prefix}sample_weight": weights for prefix in weighing})
    else:
        rows = np.repeat(np.arange(len(target)), weights.astype(int))
        model.fit(inputs[rows], target[rows])
    return lambda asked, classes: Answers.of(model, asked, classes)


def _of_tree(release: Release, source: Table) -> Mapping[str, float]:
    """All scores of one tree: whoever asks for one of them has the others for nothing."""
    return scores_of(release, source)


_BY = "of a decision tree, by 10-fold cross-validation on the same folds for all candidates"

MEASURES = (
    *(
        Measure(name, "utility", "higher", (0, 1), f"{words} {_BY}", needs=frozenset({"decision"}), of_release=_of_tree)
        for name, words in (
            ("accuracy", "share of decisions foretold"),
            ("balanced-accuracy", "share foretold of each decision, averaged,"),
            ("f1", "harmonic mean of precision and recall, averaged over decisions,"),
            ("auc", "area under the ROC curve"),
        )
    ),
    accuracy_of(
        support_vectors,
        "svm-accuracy",
        "share of decisions that a support vector machine learns, by 10-fold cross-validation",
    ),
)
