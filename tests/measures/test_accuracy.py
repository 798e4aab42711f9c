"""Measures that train: all candidates on the same folds of the source, against the decisions that are true."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import metrics
from sklearn.tree import DecisionTreeClassifier

import fairveil as fv
from fairveil import measures
from fairveil.data.table import Table
from fairveil.learning.encoding import Compact
from fairveil.learning.folds import stratified_folds
from fairveil.learning.scores import SCORES
from fairveil.measures.accuracy import by_rows, pooled
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import publish
from tests.contracts.people import SCHEMA, source

TABLE = Table.from_frame(source(0, 300))
NAMES = list(SCORES)


def stump(seed: int) -> DecisionTreeClassifier:
    return DecisionTreeClassifier(max_depth=2, random_state=seed)


def plainly(published: Table, rows: np.ndarray, folds: int) -> dict[str, float]:
    """The definition, a row at a time: no cells, no weights, scikit-learn's own scores."""
    truth = np.array([str(v) for v in TABLE.column("credit").domain])[TABLE.column("credit").codes]
    published_decisions = np.array([str(v) for v in published.column("credit").domain])[
        published.column("credit").codes
    ]
    inputs = Compact.of(published, ["zip", "sex"]).matrix(published)
    fold = stratified_folds(TABLE.column("credit").codes, folds, 0)
    answers, areas = truth.copy(), []
    for number in range(folds):
        mine, others = fold[rows] == number, fold[rows] != number
        model = stump(0).fit(inputs[others], published_decisions[others])
        usual = max(sorted(set(published_decisions)), key=lambda label: (published_decisions[others] == label).sum())
        tested = np.flatnonzero(fold == number)
        scores = np.full(len(tested), (published_decisions[others] == "yes").mean())
        answers[tested] = usual
        answers[rows[mine]] = model.predict(inputs[mine])
        scores[np.searchsorted(tested, rows[mine])] = model.predict_proba(inputs[mine])[:, 1]
        areas.append(metrics.roc_auc_score(truth[tested] == "yes", scores))
    return {
        "accuracy": metrics.accuracy_score(truth, answers),
        "balanced-accuracy": metrics.balanced_accuracy_score(truth, answers),
        "f1": metrics.f1_score(truth, answers, average="macro"),
        "auc": float(np.mean(areas)),
    }


@pytest.mark.parametrize("left", [300, 240, 60])
def test_the_definition_written_out(left: int) -> None:
    """Also where rows were left out, and where labels were changed."""
    schema = fv.Schema(quasi=["zip", "sex"], decision="credit", drop=["name", "age", "illness"])
    rng = np.random.default_rng(5)
    rows = np.sort(rng.choice(300, left, replace=False))
    published = TABLE.take(rows)
    decision = published.column("credit")
    flipped = np.where(rng.random(left) < 0.1, 1 - decision.codes, decision.codes).astype(decision.codes.dtype)
    published = published.with_columns([type(decision)("credit", flipped, decision.values)])
    ours = pooled(by_rows(published, rows, TABLE, schema, stump, 5, 0))
    assert ours == pytest.approx(plainly(published, rows, 5))


def test_one_training_gives_all_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    frontier = fv.search(TABLE, SCHEMA, guards=[fv.KAnonymity(5)]).minimal()
    trained: list[int] = []
    whole = DecisionTreeClassifier.fit

    def counted(*arguments: Any, **more: Any) -> Any:
        trained.append(1)
        return whole(*arguments, **more)

    monkeypatch.setattr(DecisionTreeClassifier, "fit", counted)
    values = {name: frontier.values(name) for name in NAMES}
    assert len(trained) == 10 * len(frontier)
    assert all(((v >= 0) & (v <= 1)).all() for v in values.values())


def shuffled(frontier: fv.Frontier) -> fv.Table:
    """The source in the order in which models meet it."""
    return frontier.task.source_table.take(frontier.task.shuffled)


def test_the_baseline_is_the_source_itself() -> None:
    frontier = fv.search(TABLE, SCHEMA, guards=[fv.KAnonymity(5)])
    base = frontier.baseline([*NAMES, "loss", "k", "average-risk", "svm-accuracy"])
    untouched = publish(TABLE, SCHEMA, [], FullDomain(SCHEMA, {"zip": 0, "age": 0, "sex": 0}))
    assert base["loss"] == 0 and base["k"] == untouched.measures["k"]
    assert base["average-risk"] == pytest.approx(untouched.measures["average-risk"])
    assert base["accuracy"] == pytest.approx(measures.cross_validated(shuffled(frontier), SCHEMA))
    several = fv.explore(TABLE, SCHEMA, guards=[fv.KAnonymity(5)], methods=[fv.Mondrian(), fv.MDAV(k=5)])
    assert several.baseline(NAMES) == pytest.approx({name: base[name] for name in NAMES})


def test_in_a_comparison_a_methods_own_figures_are_not_used() -> None:
    """DMPD's own estimate serves while it is alone; beside others its projections are learnt from on their folds."""
    dmpd, guards = fv.DMPD(generations=2, population=6, keep=2), [fv.KAnonymity(3)]
    alone = fv.explore(TABLE, SCHEMA, guards=guards, methods=[dmpd], measures=["accuracy"])
    own = fv.search(TABLE, SCHEMA, guards=guards, method=dmpd)
    np.testing.assert_array_equal(alone.values("accuracy"), own.values("accuracy"))
    beside = fv.explore(TABLE, SCHEMA, guards=guards, methods=[dmpd, fv.Mondrian()], measures=NAMES)
    mine = np.array([kind == "dmpd" for kind in beside.methods])
    for name in NAMES:
        assert np.isfinite(beside.values(name)).all()
    looks = [own.release(i).published for i in range(int(mine.sum()))]
    expected = [measures.scores_of(look, shuffled(own))["accuracy"] for look in looks]
    np.testing.assert_allclose(beside.values("accuracy")[mine], expected)


def test_a_corrected_label_is_not_the_truth() -> None:
    """What Fair-MDAV changed counts as wrong where a model learns it, so correction cannot flatter itself."""
    frontier = fv.search(TABLE, SCHEMA, guards=[fv.KAnonymity(3)], method=fv.FairMDAV(size=6, protected="sex"))
    release = frontier.release(0)
    assert release.outcome.facts["labels_changed"]["made_favourable"] > 0
    flattered = measures.cross_validated(release.table, SCHEMA)
    assert frontier.values("accuracy")[0] < flattered
