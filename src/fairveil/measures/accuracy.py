"""How well, and how evenly, a classifier learns the decision from a release, by cross-validation.

Any scikit-learn classifier works. Rows that are published alike become one weighted row, so a general release is quick
to evaluate.

Candidates are compared on the same splits: folds are assigned to the rows of the source, and every row is tested
against its true decision. If a candidate leaves a row out, the prediction for it is the most frequent decision among
the rows that the classifier learnt from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.cells import Cells
from fairveil.counting.threads import each_in_threads
from fairveil.data.table import Column, Table
from fairveil.data.text_form import as_text
from fairveil.errors import BadInput
from fairveil.learning.classifiers import fitted, fresh, weighted_support_vectors, weighted_tree
from fairveil.learning.folds import each_fold, sample, stratified_folds
from fairveil.learning.scores import SCORES, Predictions, confusion_scores, mean_known, rankings
from fairveil.measures import fairness
from fairveil.measures.measure import Measure, MeasuredRelease

if TYPE_CHECKING:
    from fairveil.data.schema import Schema

FOLDS = 10

Maker = Callable[[int], Any]
"""From a seed to a fresh scikit-learn classifier."""


@dataclass(frozen=True)
class TestedRows:
    """Rows of the source, their true decisions, and the predictions of a classifier that was not trained on them.

    Decisions are indices into `labels`.
    """

    rows: np.ndarray
    truth: np.ndarray
    answers: Predictions
    labels: np.ndarray

    @property
    def confusion(self) -> np.ndarray:
        """How often each decision (rows) is predicted as each other (columns)."""
        size = len(self.labels)
        return np.bincount(self.truth * size + self.answers.decided, minlength=size**2).reshape(size, size)

    @property
    def area(self) -> float:
        """The area under the ROC curve, averaged over decisions; NaN if there is only one true decision."""
        curves = rankings(self.answers, self.truth, len(self.labels))
        return mean_known([curve.auc(np.ones(len(self.truth))) for curve in curves])


def cross_validated(
    table: Table, schema: Schema, classifier: Maker = weighted_tree, *, folds: int = FOLDS, seed: int = 0
) -> float:
    """The share of rows whose decision is predicted correctly by a classifier trained on the other folds.

    Folds are stratified by decision. With one decision only, or fewer rows than folds, there is nothing to learn.
    """
    return pooled(by_rows(table, np.arange(table.rows), table, schema, classifier, folds, seed))["accuracy"]


def scores_of(
    published: MeasuredRelease, source: Table, classifier: Maker = weighted_tree, *, folds: int = FOLDS
) -> dict[str, float]:
    """Every score of a classifier trained on a `published` release of `source`, and its fairness.

    Where published rows are not rows of the source (columns split into projections, noisy tables), the recipe is
    applied to the training rows and to the test rows.
    """
    _decision(published.schema)
    if published.source_rows is None:
        tested = _by_recipe(published, source, classifier(published.seed), folds)
        return _averaged(tested) | fairness_of(tested, source, published.schema)
    [table] = published.tables.values()
    tested = by_rows(table, published.source_rows, source, published.schema, classifier, folds, published.seed)
    return pooled(tested) | fairness_of(tested, source, published.schema)


def fairness_of(tested: Sequence[TestedRows], source: Table, schema: Schema) -> dict[str, float]:
    """The scores that compare predictions with the truth, by the true protected values of the source."""
    names = [name for name in schema.protected if name in source]
    if not tested or not names or not schema.denied_values:
        return {score.name: float("nan") for score in fairness.SCORES if score.needs_truth}
    favourable = [fairness.is_favourable(fold.labels, schema) for fold in tested]
    folds = list(zip(favourable, tested, strict=True))
    truth = np.concatenate([is_good[fold.truth] for is_good, fold in folds])
    answers = np.concatenate([is_good[fold.answers.decided] for is_good, fold in folds])
    groups = fairness.numbered_groups(source, names)[1][np.concatenate([fold.rows for fold in tested])]
    counts = fairness.tally(truth, answers, groups)
    return {score.name: score.formula(counts) for score in fairness.SCORES if score.needs_truth}


def accuracy_of(classifier: Maker, name: str, meaning: str, *, folds: int = FOLDS) -> Measure:
    """The accuracy of any classifier as a measure to rank releases by, with its `name` and one line of `meaning`."""

    def of(published: MeasuredRelease, source: Table) -> Mapping[str, float]:
        return {name: scores_of(published, source, classifier, folds=folds)["accuracy"]}

    return _trained(name, "utility", "higher", (0, 1), meaning, of_published=of)


def by_rows(
    published: Table, rows: np.ndarray, source: Table, schema: Schema, classifier: Maker, folds: int, seed: int
) -> list[TestedRows]:
    """Each fold of the source's rows, predicted from the published rows of the others; empty if nothing is learnt.

    Row i of the published table is row `rows[i]` of the source.
    """
    from fairveil.learning.encoding import Compact, labels_of

    decision = _decision(schema)
    if _nothing_to_learn(source.column(decision), folds):
        return []
    labels, (target_of_row, truth) = labels_of(published.column(decision), source.column(decision))
    fold = stratified_folds(source.column(decision).codes, folds, seed)
    used = [name for name in schema.quasi if name in published]
    cells, cell_of_row = Cells.numbered(published, [*used, decision])
    distinct = Table(tuple(Column(name, cells.codes[name], published.column(name).values) for name in used))
    inputs = Compact.of(distinct, used).matrix(distinct)
    target = np.zeros(len(cells), dtype=np.int64)
    target[cell_of_row] = target_of_row
    per_fold = np.zeros((folds, len(cells)))
    np.add.at(per_fold, (fold[rows], cell_of_row), 1)
    total = per_fold.sum(axis=0)

    def tested(number: int) -> TestedRows:
        weights = total - per_fold[number]
        share = np.bincount(target, weights, minlength=len(labels)) / max(weights.sum(), 1)
        inside = np.flatnonzero(fold == number)
        answers = _usual(share, len(inside))
        members = np.flatnonzero(fold[rows] == number)
        if len(members) and weights.any():
            needed, cell = np.unique(cell_of_row[members], return_inverse=True)
            model = fitted(classifier(seed), inputs[weights > 0], target[weights > 0], weights[weights > 0])
            learnt = Predictions.of(model, inputs[needed], len(labels))
            positions = np.searchsorted(inside, rows[members])
            answers.decided[positions], answers.scored[positions] = learnt.decided[cell], learnt.scored[cell]
        return TestedRows(inside, truth[inside], answers, labels)

    return each_in_threads(tested, range(folds))


def _by_recipe(published: MeasuredRelease, source: Table, classifier: Any, folds: int) -> list[TestedRows]:
    """Test projections by folds of the source's rows, a table that is not made of them by one test on all rows."""
    if published.classes is not None:
        return _by_one_table(published, source, classifier)
    decision = source.column(_decision(published.schema))
    able = hasattr(classifier, "predict_proba")  # classifiers of projections are combined by their probabilities
    if not able or not published.tables or _nothing_to_learn(decision, folds):
        return []
    fold = stratified_folds(decision.codes, folds, published.seed)
    return [_of_projections(published, source, *sides, classifier) for sides in each_fold(fold)]


def _of_projections(
    published: MeasuredRelease, source: Table, outside: np.ndarray, inside: np.ndarray, classifier: Any
) -> TestedRows:
    """A classifier per projection, combined as the paper does; test rows are recoded as each projection is."""
    from fairveil.learning.combined import Combined
    from fairveil.learning.encoding import texts

    decision = _decision(published.schema)
    train, test = source.take(outside), source.take(inside)
    tables, _ = published.recode(train)
    model = Combined.fit(tables, decision, published.columns, classifier, seed=published.seed)
    labels, (_, truth) = _labels(texts(train, decision), texts(test, decision))
    scored = np.zeros((test.rows, len(labels)))
    scored[:, np.searchsorted(labels, [as_text(label) for label in model.labels])] = model.probabilities(test)
    return TestedRows(inside, truth, Predictions(scored.argmax(axis=1), scored), labels)


def _by_one_table(published: MeasuredRelease, source: Table, classifier: Any) -> list[TestedRows]:
    """Train on the published table, or a sample of it, and test on all rows of the source as recoded."""
    from fairveil.learning.encoding import OneHot, texts

    decision = _decision(published.schema)
    [table] = published.tables.values()
    if not table.rows:
        return []
    labels, (truth, released) = _labels(texts(source, decision), texts(table, decision))
    answers = _usual(np.bincount(released, minlength=len(labels)) / len(released), source.rows)
    sampled = sample(table.rows, published.seed)
    table, released = (table, released) if sampled is None else (table.take(sampled), released[sampled])
    used = [name for name in published.schema.quasi if name in table]
    encoding = OneHot.of(table, used, released, seed=published.seed)
    model = fitted(fresh(classifier, published.seed), encoding.training(table), released)
    tables, rows = published.recode(source)
    if len(rows):
        [recoded] = tables.values()
        learnt = Predictions.of(model, encoding.matrix(recoded), len(labels))
        answers.decided[rows], answers.scored[rows] = learnt.decided, learnt.scored
    return [TestedRows(np.arange(source.rows), truth, answers, labels)]


def _usual(share: np.ndarray, rows: int) -> Predictions:
    """The most frequent decision for every row, scored by how frequent each decision is."""
    return Predictions(np.full(rows, int(share.argmax())), np.tile(share, (rows, 1)))


def _labels(*decisions: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """The decisions that occur, and each array as indices into them."""
    labels = np.unique(np.concatenate(decisions))
    return labels, [np.searchsorted(labels, decision) for decision in decisions]


def pooled(tested: Sequence[TestedRows]) -> dict[str, float]:
    """The scores of all folds as of one test; areas are averaged, as scores of different models are not comparable."""
    if not tested:
        return dict.fromkeys(SCORES, float("nan"))
    counted = confusion_scores(np.sum([fold.confusion for fold in tested], axis=0))
    return dict(zip(SCORES, (*counted, mean_known([fold.area for fold in tested])), strict=True))


def _averaged(tested: Sequence[TestedRows]) -> dict[str, float]:
    """The mean of every score over the tests: folds may contain different decisions."""
    if not tested:
        return dict.fromkeys(SCORES, float("nan"))
    scores = [(*confusion_scores(fold.confusion), fold.area) for fold in tested]
    return {name: float(np.mean(values)) for name, values in zip(SCORES, zip(*scores, strict=True), strict=True)}


def _nothing_to_learn(decision: Column, folds: int) -> bool:
    return len(decision) < folds or len(np.unique(decision.codes)) < 2


def _decision(schema: Schema) -> str:
    if schema.decision is None:
        raise BadInput("accuracy needs a decision column, and the schema names none")
    return schema.decision


def _fairness_of_tree(published: MeasuredRelease, source: Table) -> Mapping[str, float]:
    """All scores of one tree, or NaN without training one if denied values or a protected column are missing."""
    schema = published.schema
    able = schema.denied_values and any(name in source for name in schema.protected)
    return scores_of(published, source) if able else fairness_of([], source, schema)


_trained = partial(Measure, needs=frozenset({"decision"}), trains=True)
_BY = "by 10-fold cross-validation on the same folds for all candidates"
_TITLES = {"f1": "F1 score", "auc": "area under the ROC curve"}
_OF_TREE = {
    "accuracy": "share of decisions that a decision tree predicts correctly",
    "balanced-accuracy": "share of each decision that a decision tree predicts correctly, averaged over decisions",
    "f1": "harmonic mean of a decision tree's precision and recall, averaged over decisions",
    "auc": "area under the ROC curve of a decision tree",
}

MEASURES = (
    *(  # all scores of one tree: after the first, the others cost nothing extra
        _trained(name, "utility", "higher", (0, 1), f"{meaning}, {_BY}", of_published=scores_of,
                 title=_TITLES.get(name, ""))
        for name, meaning in _OF_TREE.items()
    ),
    accuracy_of(
        weighted_support_vectors, "svm-accuracy",
        f"share of decisions that a support vector machine predicts correctly, {_BY}",
    ),
)  # fmt: skip

FAIRNESS = tuple(
    _trained(score.name, "fairness", score.better, score.range,
             f"{score.meaning}, of a decision tree's predictions, as for accuracy", of_published=_fairness_of_tree)
    for score in fairness.SCORES
    if score.needs_truth
)  # fmt: skip
