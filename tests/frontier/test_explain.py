"""What is kept, what is lost, what beats what, and pictures of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import fairveil as fv
from fairveil import measures
from fairveil.choice.pareto import dominators, pareto
from fairveil.errors import BadInput
from fairveil.frontier.explain import describe, why_dominated
from fairveil.frontier.frontier import Frontier
from fairveil.frontier.plots import plot
from fairveil.learning.encoding import Compact
from fairveil.learning.folds import stratified_folds


@pytest.fixture(scope="module")
def found() -> Frontier:
    credit = fv.datasets.german_credit()
    return fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(20)], method=fv.RollUp(exceptions=0.3))


def test_every_candidate_is_described_and_only_dominated_ones_are_explained(found: Frontier) -> None:
    names = ("k", "ig", "loss")
    best = pareto(found.points(names))
    described = describe(found, names)
    assert sorted(d["position"] for d in described) == list(range(len(found)))
    for candidate in described:
        assert bool(candidate["dominated"]) != best[candidate["position"]]
        assert candidate["keeps"].startswith("keeps") and candidate["loses"].startswith("loses")
    assert "is on the frontier" in why_dominated(found, described[0]["position"], names)
    assert "beats it: " in described[-1]["dominated"]


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=30))
def test_dominated_is_what_has_a_dominator(points: list[tuple[int, int, int]]) -> None:
    array = np.array(points)
    best = pareto(array)
    for i, point in enumerate(points):
        beaten = [q for q in points if q != point and all(a <= b for a, b in zip(q, point, strict=True))]
        by = dominators(array, i)
        assert len(by) == len(beaten) and best[i] == (not beaten)
        assert not len(by) or best[by[0]]


def test_pictures_in_two_and_three_measures(found: Frontier, tmp_path: Path) -> None:
    for names in (("k", "ig"), ("k", "ig", "loss")):
        assert plot(found, names, tmp_path / f"{len(names)}.png").stat().st_size > 10_000
    with pytest.raises(BadInput, match="two or three"):
        plot(found, ("k",), tmp_path / "x.png")


def test_accuracy_equals_scikit_learn_on_the_rows() -> None:
    """The same folds and a tree on every row, not on weighted distinct ones."""
    credit = fv.datasets.german_credit()
    table, schema = credit.table, credit.schema

    fold = stratified_folds(table.column("class").codes, 10, 0)
    assert np.bincount(fold).max() - np.bincount(fold).min() <= 1
    inputs = Compact.of(table, schema.quasi).matrix(table)
    target = table.column("class").codes
    right = 0
    for f in range(10):
        model = DummyClassifier().fit(inputs[fold != f], target[fold != f])
        right += (model.predict(inputs[fold == f]) == target[fold == f]).sum()
    ours = measures.cross_validated(table, schema, lambda seed: DummyClassifier(), seed=0)
    assert ours == pytest.approx(right / table.rows)
    tree = measures.cross_validated(table, schema, lambda seed: DecisionTreeClassifier(max_depth=3, random_state=seed))
    assert ours - 0.05 < tree < 1


def test_a_weighted_svm_is_the_svm_of_all_rows() -> None:
    """Rows published alike are one weighted row to scaler and SVM; here every row is trained on."""
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    from fairveil.learning.classifiers import weighted_support_vectors

    credit = fv.datasets.german_credit()
    schema = fv.Schema(quasi=["checking_status", "existing_credits", "job"], decision="class")
    inputs = Compact.of(credit.table, schema.quasi).matrix(credit.table)
    target = credit.table.column("class").codes
    fold = stratified_folds(target, 10, 0)
    right = 0
    for f in range(10):
        scaler = StandardScaler().fit(inputs[fold != f])
        model = SVC(gamma="auto").fit(scaler.transform(inputs[fold != f]), target[fold != f])
        right += (model.predict(scaler.transform(inputs[fold == f])) == target[fold == f]).sum()
    ours = measures.cross_validated(credit.table, schema, weighted_support_vectors, seed=0)
    assert ours == pytest.approx(right / len(target), abs=0.002)  # rows on the boundary fall either way


def test_measures_of_tables_stand_beside_the_others(found: Frontier) -> None:
    fewer = found.pareto("k", "accuracy")
    assert 0 < len(fewer) <= len(found)
    neighbours = measures.accuracy_of(lambda seed: KNeighborsClassifier(5), "knn", "five neighbours", folds=3)
    few = found.some(np.arange(len(found)) < 2)
    assert ((few.values(neighbours) > 0.4) & (few.values(neighbours) <= 1)).all()
    assert "accuracy" not in found.release(0).measures  # it is never computed unasked
