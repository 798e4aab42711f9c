"""fv.utility: scores against scikit-learn's, statistics against counting by hand, and what is known beforehand."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import BernoulliNB
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import fairveil as fv
from fairveil.counting.ordering import content_order
from fairveil.data.table import Table
from fairveil.evaluation.survival import FINEST, Binned, _nearest, cramers_v, meanings, survival
from fairveil.evaluation.utility import Utility
from fairveil.learning.folds import set_aside
from fairveil.learning.scores import Bootstrap, Estimate, Predictions
from fairveil.measures import fairness
from fairveil.published.published import Published
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import Release, publish
from tests.contracts.people import SCHEMA, source

TRAIN, TEST = Table.from_frame(source(0, 400)), Table.from_frame(source(1, 300))
QUICK: dict[str, Any] = {"resamples": 30, "queries": 40}
TREE = {"tree": DecisionTreeClassifier(min_samples_leaf=5)}


def released(levels: dict[str, int]) -> Release:
    return publish(TRAIN, SCHEMA, [], FullDomain(SCHEMA, levels))


@pytest.fixture(scope="module")
def unchanged() -> Utility:
    return fv.utility(released({"zip": 0, "age": 0, "sex": 0}), TRAIN, TEST, classifiers=TREE, **QUICK)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 4), st.integers(0, 1000))
def test_scores_are_those_of_scikit_learn(classes: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    truth = np.concatenate([np.arange(classes), rng.integers(0, classes, 60)])
    scored = rng.integers(1, 5, (len(truth), classes)).astype(float)  # many ties
    scored /= scored.sum(axis=1, keepdims=True)
    decided = scored.argmax(axis=1)
    boot = Bootstrap(truth, classes, resamples=3, seed=seed)
    scores = boot.scores(Predictions(decided, scored))
    for i, weights in enumerate(boot.weights):
        rows = np.repeat(np.arange(len(truth)), weights.astype(int))
        t, d, s = truth[rows], decided[rows], scored[rows]
        assert scores["accuracy"][i] == pytest.approx(metrics.accuracy_score(t, d))
        assert scores["f1"][i] == pytest.approx(metrics.f1_score(t, d, average="macro"))
        if len(np.unique(t)) == classes:
            assert scores["balanced-accuracy"][i] == pytest.approx(metrics.balanced_accuracy_score(t, d))
            auc = (
                metrics.roc_auc_score(t, s[:, 1])
                if classes == 2
                else metrics.roc_auc_score(t, s, multi_class="ovr", average="macro")
            )
            assert scores["auc"][i] == pytest.approx(auc)


def test_a_release_that_changes_nothing_loses_nothing(unchanged: Utility) -> None:
    """The release holds the same rows in another order: the same tree, the same answers, the same statistics."""
    assert [(m.trained, m.tested) for m in unchanged.models] == [
        ("original", "original"), ("release", "recoded"), ("release", "original"),
    ]  # fmt: skip
    recoded, as_is = unchanged.models[1:]
    assert recoded.scores == as_is.scores
    assert abs(recoded.lost["accuracy"].value) < 0.05
    assert unchanged.survival is not None
    assert unchanged.survival.queries["mean"].value == pytest.approx(0)
    assert all(error == pytest.approx(0) for error in unchanged.survival.marginals.values())
    assert unchanged.survival.association_error == pytest.approx(0, abs=1e-9)


def test_a_release_that_hides_everything_leaves_the_guess() -> None:
    schema = fv.Schema(**{**{f: getattr(SCHEMA, f) for f in ("identifier", "quasi", "protected", "decision", "denied")},
                          "hierarchies": SCHEMA.hierarchies, "drop": ["illness"]})  # fmt: skip
    hidden = publish(TRAIN, schema, [], FullDomain(schema, {"zip": 2, "age": 3, "sex": 1}))
    utility = fv.utility(hidden, TRAIN, TEST, classifiers=TREE, **QUICK)
    model = utility.models[1]
    assert model.scores["accuracy"].value == pytest.approx(utility.guess)
    assert model.scores["auc"].value == pytest.approx(0.5)
    assert model.scores["balanced-accuracy"].value == pytest.approx(0.5)
    assert utility.survival is not None and utility.survival.marginals["zip"] > 0
    assert all(after == pytest.approx(0, abs=1e-6) for _, after in utility.survival.associations.values())


def test_fairness_is_that_of_the_predictions_by_group(unchanged: Utility) -> None:
    [by_group] = unchanged.models[0].fairness
    assert by_group.column == "sex" and {score.name for score in fairness.SCORES} == set(by_group.scores)
    assert {group["group"] for group in by_group.groups} == {"f", "m"}
    rates = [group["positive"] for group in by_group.groups]
    assert by_group.scores["demographic-parity-difference"] == pytest.approx(max(rates) - min(rates))
    right = sum(group["rows"] * group["accuracy"] for group in by_group.groups) / unchanged.test_rows
    assert right == pytest.approx(unchanged.models[0].scores["accuracy"].value)


def test_a_generalized_value_stands_for_what_is_behind_it() -> None:
    release = released({"zip": 1, "age": 0, "sex": 0})
    [meant] = meanings(release.published, TRAIN, {"zip": Binned.of(TRAIN.column("zip"))}).values()
    before, now = TRAIN.column("zip").domain, release.table.column("zip").domain
    for label, line in zip(now, meant, strict=True):
        behind = [value for value in before if value[0] == label[0]]
        assert line == pytest.approx([1 / len(behind) if value in behind else 0 for value in before])


def test_marginals_and_association_by_hand() -> None:
    frame = pa.table({"zip": ["10", "10", "10", "11"], "sex": ["f", "f", "m", "m"]})
    table = Table.from_frame(frame)
    schema = fv.Schema(quasi=["zip", "sex"], hierarchies={"zip": fv.hierarchy.mask(2)})
    recipe = FullDomain(schema, {"zip": 1, "sex": 0})
    published = Published.of(recipe, recipe.outcome(table).tables)
    statistics = survival(published, table, ["zip", "sex"], queries=20, seed=0)
    assert statistics.marginals == {"zip": pytest.approx(0.25), "sex": 0}  # three of four became half
    [(before, after)] = statistics.associations.values()
    assert before == pytest.approx(np.sqrt(1 / 3)) and after == pytest.approx(0)
    assert cramers_v(np.array([[2, 0], [0, 5]])) == pytest.approx(1)


@pytest.mark.parametrize("method", [fv.Mondrian(), fv.MDAV(k=3), fv.FairMDAV(), fv.DMPD(generations=1, population=4)])
def test_every_kind_of_release(method: fv.methods.Method) -> None:
    release = fv.search(TRAIN, SCHEMA, guards=[fv.KAnonymity(3)], method=method).release(0)
    utility = fv.utility(release, TRAIN, TEST, classifiers=TREE, **QUICK)
    for row in utility.rows():
        assert 0 <= row["low"] <= row["value"] + 0.1 and row["value"] - 0.1 <= row["high"] <= 1
    assert (utility.survival is None) == release.recipe.splits
    json.dumps(utility.to_dict(), allow_nan=False)


def test_any_classifier_and_the_same_numbers_for_a_seed() -> None:
    release = released({"zip": 1, "age": 1, "sex": 0})
    several = {"svm": LinearSVC(), "bayes": BernoulliNB(), "forest": RandomForestClassifier(5)}
    once, again = (fv.utility(release, TRAIN, TEST, classifiers=several, seed=3, **QUICK) for _ in range(2))
    assert once.to_dict() == again.to_dict()
    assert [row["classifier"] for row in once.rows()[::12]] == ["svm", "bayes", "forest"]


def test_test_rows_that_the_recipe_cannot_recode_are_counted() -> None:
    release = released({"zip": 1, "age": 1, "sex": 0})
    frame = source(1, 300).to_pydict()
    frame["zip"][0] = "99999"
    utility = fv.utility(release, TRAIN, pa.table(frame), classifiers=TREE, **QUICK)
    assert (utility.unpublished, utility.test_rows) == (1, 300)
    _, places = release.published.recode(Table.from_frame(pa.table(frame)))
    assert places.tolist() == list(range(1, 300))


def test_an_interval_holds_the_middle_of_its_resamples() -> None:
    estimate = Estimate.of(0.5, np.linspace(0, 1, 1001))
    assert (estimate.value, estimate.low, estimate.high) == pytest.approx((0.5, 0.025, 0.975))


@pytest.mark.parametrize(("hidden", "right"), [("missing", 1.0), ("category", 0.5)])
def test_a_suppressed_cell_is_missing_to_a_model_or_a_category(hidden: Any, right: float) -> None:
    """Everybody whose job is suppressed was denied. To a model that takes "*" for a job, a nurse is not one of them;
    to one that takes it for missing, a nurse is of an unknown job as they are."""
    train = pa.table({"job": ["cook", "*", "baker", "*"] * 50, "y": ["yes", "no"] * 100})
    schema = fv.Schema(quasi=["job"], decision="y")
    release = publish(Table.from_frame(train), schema, [], FullDomain(schema, {"job": 0}))
    test = pa.table({"job": ["cook", "nurse"] * 50, "y": ["yes", "no"] * 50})
    utility = fv.utility(release, train, test, classifiers=TREE, hidden=hidden, **QUICK)
    (model,) = [model for model in utility.models if (model.trained, model.tested) == ("release", "original")]
    assert model.scores["accuracy"].value == right


def test_bad_requests() -> None:
    release = released({"zip": 1, "age": 1, "sex": 0})
    with pytest.raises(fv.BadInput, match="resamples must be"):
        fv.utility(release, TRAIN, TEST, resamples=0)
    with pytest.raises(fv.BadInput, match="hidden must be missing or category, not 'nothing'"):
        fv.utility(release, TRAIN, TEST, hidden="nothing")  # type: ignore[arg-type]
    with pytest.raises(fv.BadInput, match="credit"):
        fv.utility(release, TRAIN, source(1).drop_columns(["credit"]))
    with pytest.raises(fv.BadInput, match="test rows"):
        fv.utility(release, TRAIN, TEST.take(np.arange(0)))


def test_a_folder_says_the_same_as_the_release(tmp_path: Path) -> None:
    release = fv.search(TRAIN, SCHEMA, guards=[fv.KAnonymity(3)]).best("loss")
    folder = release.save(tmp_path / "out").path
    once, again = (fv.utility(publishing, TRAIN, TEST, classifiers=TREE, **QUICK) for publishing in (release, folder))
    assert once.to_dict() == again.to_dict()
    split = fv.search(TRAIN, SCHEMA, guards=[fv.KAnonymity(3)], method=fv.DMPD(generations=1, population=4)).release(0)
    folder = split.save(tmp_path / "split").path
    once, again = (fv.utility(publishing, TRAIN, TEST, classifiers=TREE, **QUICK) for publishing in (split, folder))
    assert once.to_dict() == again.to_dict()


def test_a_share_of_the_original_is_set_aside_and_learnt_from_through_the_recipe() -> None:
    release = released({"zip": 1, "age": 1, "sex": 0})
    utility = fv.utility(release, TRAIN, 0.25, classifiers=TREE, **QUICK)
    assert (utility.learnt, utility.train_rows, utility.test_rows) == ("recipe", 300, 100)
    ordered = TRAIN.take(content_order(TRAIN.drop(SCHEMA.identifier)))
    rest, aside = set_aside(ordered.column("credit").codes, 0.25, 0)
    direct = fv.utility(
        publish(ordered.take(rest).compact(), SCHEMA, [], release.recipe, order="keep"), ordered.take(rest).compact(),
        ordered.take(aside).compact(), classifiers=TREE, **QUICK,
    )  # fmt: skip
    assert utility.models == direct.models
    for share in (0, 1, 1.5, -0.1, True):
        with pytest.raises(fv.BadInput, match="between 0 and 1"):
            fv.utility(release, TRAIN, share)


def test_columns_that_the_recipe_does_not_know_do_not_count() -> None:
    release = released({"zip": 1, "age": 1, "sex": 0})
    more = [source(seed, rows).append_column("extra", pa.array(range(rows))) for seed, rows in ((0, 400), (1, 300))]
    once = fv.utility(release, TRAIN, TEST, classifiers=TREE, **QUICK)
    assert fv.utility(release, *more, classifiers=TREE, **QUICK) == once


def test_of_many_rows_a_sample_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    release = released({"zip": 1, "age": 1, "sex": 0})
    whole = fv.utility(release, TRAIN, TEST, classifiers=TREE, **QUICK)
    monkeypatch.setattr("fairveil.learning.folds.MAX_ROWS", 150)
    learnt: list[int] = []
    fit = DecisionTreeClassifier.fit

    def counted(self: Any, x: Any, y: Any) -> Any:
        learnt.append(len(x))
        return fit(self, x, y)

    monkeypatch.setattr(DecisionTreeClassifier, "fit", counted)
    utility = fv.utility(release, TRAIN, TEST, classifiers=TREE, **QUICK)
    assert learnt == [150, 150] and utility.test_rows == 150
    assert utility.survival == whole.survival  # statistics are of all rows


def test_columns_of_many_values_are_compared_in_bins() -> None:
    rng = np.random.default_rng(3)
    many = Table.from_frame(pa.table({
        "day": pa.array(rng.integers(0, 20_000, 3000), pa.int32()).cast(pa.date32()),
        "code": pa.array([f"c{code}" for code in np.minimum(rng.geometric(0.002, 3000), 2000)]),
        "sex": pa.array(rng.choice(["f", "m"], 3000)),
    }))  # fmt: skip
    for name in many.names:
        binned = Binned.of(many.column(name))
        assert binned.size <= FINEST and binned.shares().sum() == pytest.approx(1)
    schema = fv.Schema(quasi=many.names, hierarchies={"day": fv.hierarchy.dates()})
    as_is = FullDomain(schema, dict.fromkeys(many.names, 0))
    unchanged = survival(Published.of(as_is, as_is.outcome(many).tables), many, many.names, queries=50, seed=0)
    assert unchanged.queries["mean"].value == pytest.approx(0)
    assert all(error == pytest.approx(0) for error in unchanged.marginals.values())
    assert unchanged.association_error == pytest.approx(0, abs=1e-9)


def test_the_nearest_number_is_the_nearest() -> None:
    rng = np.random.default_rng(1)
    numbers = np.append(rng.permutation(rng.normal(size=30)), np.nan)
    wanted = rng.normal(size=200)
    plainly = [int(np.nanargmin(np.abs(numbers - number))) for number in wanted]
    assert _nearest(numbers, wanted).tolist() == plainly


def test_memory_does_not_grow_with_the_values() -> None:
    """20,000 rows with 15,000 dates and 3,000 codes: a matrix of values by values would need gigabytes."""
    rng = np.random.default_rng(5)
    rows = 20_000
    frame = pa.table({
        "born": pa.array(rng.integers(0, 30_000, rows), pa.int32()).cast(pa.date32()),
        "code": pa.array([f"c{code}" for code in rng.integers(0, 3000, rows)]),
        "y": pa.array(rng.choice(["no", "yes"], rows)),
    })  # fmt: skip
    table = Table.from_frame(frame)
    schema = fv.Schema(quasi=["born"], sensitive=["code"], decision="y", hierarchies={"born": fv.hierarchy.dates()})
    release = publish(table, schema, [], FullDomain(schema, {"born": 1}))
    assert release.published.rows == rows
    tracemalloc.start()
    try:
        fv.utility(release, table, 0.3, classifiers=TREE, **QUICK)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 300e6


def test_without_a_decision_statistics_are_compared() -> None:
    table = Table.from_frame(pa.table({"age": [20, 21, 22, 40, 41, 42] * 5, "sex": ["F", "M"] * 15}))
    schema = fv.Schema(quasi=["age", "sex"])
    release = fv.search(table, schema, guards=[fv.KAnonymity(5)]).best("loss")
    measured = fv.utility(release, table, queries=20)
    assert not measured.models and measured.guess is None and not measured.rows()
    assert measured.survival is not None and set(measured.survival.marginals) == {"age", "sex"}
    assert measured.to_dict()["guess"] is None
