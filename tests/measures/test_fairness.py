"""Fairness scores: Fairlearn's numbers where it has them, the definitions elsewhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import fairveil as fv
from fairveil import measures
from fairveil.data.table import Table
from fairveil.learning.encoding import Compact, texts
from fairveil.learning.folds import each_fold, stratified_folds
from fairveil.measures import fairness
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import publish
from tests.contracts.people import SCHEMA, source

LABELS = st.lists(st.tuples(st.booleans(), st.booleans(), st.sampled_from("abc")), min_size=4, max_size=60)


def arrays(rows: list[tuple[bool, bool, str]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Every group has both labels: where one lacks a rate Fairlearn takes it as 0, and we leave it out."""
    answers = [decisions for _, decisions, _ in rows]
    both = [(truth, answers[i % 4], group) for group in "abc" for i, truth in enumerate((True, False))]
    truth, decisions, groups = zip(*rows, *both, strict=True)
    return np.array(truth, dtype=int), np.array(decisions, dtype=int), np.array(groups)


@settings(max_examples=15)  # Fairlearn takes its time
@given(LABELS)
def test_equal_to_fairlearn(rows: list[tuple[bool, bool, str]]) -> None:
    metrics = pytest.importorskip("fairlearn.metrics")
    truth, decisions, groups = arrays(rows)
    counts = fairness.tally(truth, decisions, groups)
    for ours, theirs in (
        ("demographic-parity-difference", metrics.demographic_parity_difference),
        ("demographic-parity-ratio", metrics.demographic_parity_ratio),
        ("equalised-odds-difference", metrics.equalized_odds_difference),
        ("equalised-odds-ratio", metrics.equalized_odds_ratio),
        ("equal-opportunity-difference", metrics.equal_opportunity_difference),
    ):
        expected = theirs(truth, decisions, sensitive_features=groups)
        got = fairness.formula(ours)(counts)
        # nobody gets anything: Fairlearn's ratio is 0/0, ours 1, since all are treated alike
        assert np.isnan(expected) or got == pytest.approx(expected)


@given(LABELS)
def test_equation_2_for_two_groups(rows: list[tuple[bool, bool, str]]) -> None:
    truth, decisions, groups = arrays(rows)
    groups = np.where(groups == "a", "a", "b")
    rates = {}
    for group in "ab":
        for label in (0, 1):
            there = (groups == group) & (truth == label)
            rates[group, label] = (decisions[there] == label).mean()
    expected = sum(abs(rates["a", label] - rates["b", label]) for label in (0, 1))
    assert fairness.formula("equalised-odds-score")(fairness.tally(truth, decisions, groups)) == pytest.approx(expected)


def test_positive_ratios_with_intervals() -> None:
    """Wilson's interval for 8 of 10 is (0.4902, 0.9433) (Newcombe 1998's formula), for 0 of 10 it starts at 0."""
    decisions = np.array([1] * 8 + [0] * 2 + [0] * 10)
    first, second = fairness.positive_ratios(fairness.tally(None, decisions, np.repeat(["a", "b"], 10)))
    assert (first.group, first.rows, first.positive, first.ratio) == ("a", 10, 8, 0.8)
    assert (first.low, first.high) == pytest.approx((0.49016, 0.94332), abs=1e-5)
    assert (second.low, second.ratio) == (0.0, 0.0)
    assert second.high == pytest.approx(0.27753, abs=1e-5)


def test_favourable_labels_may_be_any_and_many() -> None:
    decisions = np.array(["gold", "silver", "none", "none"])
    counts = fairness.tally(None, decisions, np.array(["m", "f", "m", "f"]), favourable=("gold", "silver"))
    assert counts.rates.tolist() == [0.5, 0.5]
    two = fairness.tally(None, [1, 0, 1], np.array([["m", "x"], ["m", "y"], ["m", "x"]]))
    assert two.labels == (("m", "x"), ("m", "y"))


def test_of_the_decisions_in_a_table() -> None:
    credit = fv.datasets.credit_decisions()
    counts = fairness.of_table(credit.table, credit.schema, "Sex")
    frame = credit.table.to_frame("pandas")
    expected = (frame["Credit_approved"] != "No").groupby(frame["Sex"]).mean()
    assert dict(zip(counts.labels, counts.rates, strict=True)) == pytest.approx(expected.to_dict())
    assert len(fairness.of_table(credit.table, credit.schema).labels) > 2


def test_what_cannot_be_scored_is_refused() -> None:
    counts = fairness.tally(None, [1, 0], ["a", "b"])
    with pytest.raises(fv.BadInput, match="only decisions are given"):
        fairness.formula("equalised-odds-score")(counts)
    with pytest.raises(fv.BadInput, match="did you mean 'disparate-impact'"):
        fairness.formula("disparate impact")
    with pytest.raises(fv.BadInput, match="same length"):
        fairness.tally(None, [1, 0], ["a"])


TABLE = Table.from_frame(source(0, 300))
OF_DECISIONS = ["demographic-parity-difference", "demographic-parity-ratio", "disparate-impact"]
OF_PREDICTIONS = [score.name for score in fairness.SCORES if score.needs_truth]


def test_published_decisions_are_judged_by_published_groups() -> None:
    frontier = fv.search(TABLE, SCHEMA, guards=[fv.KAnonymity(5)]).minimal()
    for position in range(len(frontier)):
        release = frontier.release(position)
        counts = fairness.of_table(release.table, SCHEMA)
        for name in OF_DECISIONS:
            assert measures.get(name).cost == "classes"
            assert frontier.values(name)[position] == pytest.approx(fairness.formula(name)(counts))
            assert name not in release.measures  # nothing is published to be measured unasked


def test_predictions_are_judged_by_the_true_groups_on_the_folds_of_accuracy() -> None:
    """The definition, a row at a time."""
    schema = fv.Schema(
        quasi=["zip"], protected=["sex"], decision="credit", denied="no", drop=["name", "age", "illness"]
    )
    release = publish(TABLE, schema, [], FullDomain(schema, {"zip": 0}), order="keep")
    scores = measures.scores_of(release.published, TABLE)
    inputs = Compact.of(TABLE, ["zip"]).matrix(TABLE)
    truth = texts(TABLE, "credit") == "yes"
    answers = np.zeros(TABLE.rows, dtype=bool)
    for others, inside in each_fold(stratified_folds(TABLE.column("credit").codes, 10, 0)):
        model = DecisionTreeClassifier(random_state=0, min_weight_fraction_leaf=1e-4).fit(inputs[others], truth[others])
        answers[inside] = model.predict(inputs[inside])
    assert scores["accuracy"] == pytest.approx((answers == truth).mean())
    counts = fairness.tally(truth, answers, texts(TABLE, "sex"))
    assert {name: scores[name] for name in OF_PREDICTIONS} == pytest.approx(
        {name: fairness.formula(name)(counts) for name in OF_PREDICTIONS}
    )


def test_every_score_can_be_explored_by() -> None:
    """Beside any other measure, for tables, corrected labels and projections, with the source as baseline."""
    names = [score.name for score in fairness.SCORES]
    methods = [fv.Mondrian(), fv.FairMDAV(size=6, protected="sex"), fv.DMPD(generations=1, population=4, keep=1)]
    frontier = fv.explore(TABLE, SCHEMA, guards=[fv.KAnonymity(3)], methods=methods, measures=["accuracy", *names])
    kinds = np.array(frontier.methods)
    for name in names:
        values, (low, high) = frontier.values(name), measures.get(name).range
        split = kinds == "dmpd"
        assert np.isnan(values[split]).all() == (name in OF_DECISIONS)  # projections have no one table of groups
        known = values[~np.isnan(values)]
        assert ((known >= low) & (known <= high)).all() and not np.isnan(values[~split]).any()
    assert set(frontier.baseline(names)) == set(names)


def test_without_anybody_to_be_fair_to_there_is_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = fv.Schema(quasi=["zip", "sex"], decision="credit", drop=["name", "age", "illness"])
    frontier = fv.search(TABLE, schema, guards=[fv.KAnonymity(5)], method=fv.Mondrian())
    monkeypatch.setattr(DecisionTreeClassifier, "fit", None)  # nothing is trained for nothing
    for name in (*OF_DECISIONS, *OF_PREDICTIONS):
        assert np.isnan(frontier.values(name)).all()
    with pytest.raises(fv.BadInput, match="says nothing"):
        frontier.best("disparate-impact")
