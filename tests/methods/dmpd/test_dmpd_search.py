"""DMPD as a method: valid releases, verified from their files, deterministic, and as accurate as it says."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from sklearn.linear_model import LogisticRegression

import fairveil as fv
from fairveil.guards import Guard
from fairveil.guards.projections import Projections
from fairveil.learning.classifiers import fresh
from fairveil.learning.combined import Combined, combine, log_probabilities
from fairveil.learning.inducers import NaiveBayes, PrunedTree
from fairveil.methods.dmpd.features import Features, bins_of
from fairveil.methods.dmpd.partitioning import Partitioning, mate, mutate, random_partitioning
from fairveil.methods.dmpd.wrapper import Wrapper
from fairveil.published.folder import load_json
from fairveil.recipes import from_dict
from fairveil.recipes.decomposition import Decomposition
from tests.known import subsets_of

QUICK: dict[str, Any] = {"generations": 4, "population": 10, "folds": 3, "inducer": "naive-bayes"}
GERMAN = fv.datasets.german_credit(columns="all")


def made_up(rows: int = 240, seed: int = 0) -> pa.Table:
    rng = np.random.default_rng(seed)
    age, job = rng.integers(18, 80, rows), rng.choice(list("abcd"), rows, p=[0.5, 0.3, 0.15, 0.05])
    ill = rng.choice(["flu", "cold", "none"], rows)
    rich = np.where((age > 45) ^ (rng.random(rows) < 0.15), "yes", "no")
    some_age = [None if i % 17 == 0 else int(value) for i, value in enumerate(age)]
    return pa.table({"age": some_age, "job": job, "sex": rng.choice(["f", "m"], rows), "ill": ill, "rich": rich})


SCHEMA = fv.Schema(quasi=["age", "job", "sex"], sensitive=["ill"], decision="rich")


@pytest.fixture(scope="module")
def frontier():
    return fv.search(GERMAN.table, GERMAN.schema, guards=[fv.KAnonymity(10)], method=fv.DMPD(**QUICK))


def test_every_candidate_keeps_k_and_the_first_is_the_most_accurate(frontier):
    accuracies = frontier.values("accuracy")
    assert (np.diff(accuracies) <= 0).all()
    assert frontier.best_position("accuracy") == 0
    for position in range(len(frontier)):
        release = frontier.release(position)
        assert release.holds
        assert Projections.published(list(release.published.tables.values()), GERMAN.schema).level >= 10
        names = [name for subset in release.recipe.subsets for name in subset]
        assert len(names) == len(set(names))  # disjoint


def test_the_release_is_verified_from_its_files(frontier, tmp_path):
    for kind in ("csv", "parquet"):
        folder = frontier.release(0).save(tmp_path / kind, format=kind).path
        verification = fv.verify(folder)
        assert verification, verification.problems
        assert verification.rows == GERMAN.table.rows
    assert not list(folder.glob("data.*"))


def test_no_file_or_object_holds_the_columns_side_by_side(frontier):
    release = frontier.release(0)
    assert release.table.names == ["class"]
    frames = release.to_frame("pandas")
    assert [list(frame.columns) for frame in frames] == [[*subset, "class"] for subset in release.recipe.subsets]


def test_the_order_of_rows_says_nothing(frontier):
    """Shuffling the source changes no byte of what is published."""
    shuffled = GERMAN.table.take(np.random.default_rng(1).permutation(GERMAN.table.rows))
    recipe = frontier.recipe(0)
    for one, other in zip(
        recipe.outcome(GERMAN.table).tables.values(), recipe.outcome(shuffled).tables.values(), strict=True
    ):
        assert one.to_arrow().equals(other.to_arrow())


@pytest.mark.parametrize("damage", ["order", "value", "column", "promise"])
def test_verify_finds_what_was_changed(frontier, tmp_path, damage):
    from fairveil.published.folder import seal, sha256

    folder = frontier.release(0).save(tmp_path / "out").path
    file = folder / "projection-1.csv"
    lines = file.read_text().splitlines()
    evidence = load_json(folder / "evidence.json")
    if damage == "order":
        lines[1:] = lines[:0:-1]
    elif damage == "value":
        lines[1] = "never seen," + lines[1].split(",", 1)[1]
    elif damage == "column":
        lines[0] = lines[0].replace(lines[0].split(",")[0], "other")
    else:
        evidence["guards"][0]["k"] = 10_000
    file.write_text("\n".join(lines) + "\n")
    evidence["files"][file.name] = sha256(file)  # a forger who also fixes the checksums
    evidence["seal"] = seal(evidence)
    (folder / "evidence.json").write_text(json.dumps(evidence))
    assert not fv.verify(folder)


def test_same_seed_same_bytes_whatever_the_threads(monkeypatch, tmp_path):
    files = []
    for threads in ("1", "2"):
        monkeypatch.setenv("FAIRVEIL_THREADS", threads)
        again = fv.search(made_up(), SCHEMA, guards=[fv.KAnonymity(5)], method=fv.DMPD(**QUICK), seed=3)
        folder = again.release(0).save(tmp_path / threads).path
        files.append({file.name: file.read_bytes() for file in folder.iterdir()})
    assert files[0] == files[1]


def test_the_recipe_survives_being_written_down_and_fits_new_rows(frontier):
    recipe = frontier.recipe(0)
    assert GERMAN.test is not None
    again = from_dict(json.loads(json.dumps(recipe.to_dict())))
    parts = again.outcome(GERMAN.test).tables.values()
    assert [part.rows for part in parts] == [GERMAN.test.rows] * len(recipe.subsets)
    for one, other in zip(parts, recipe.outcome(GERMAN.test).tables.values(), strict=True):
        assert one.to_arrow().equals(other.to_arrow())


def test_cached_fitness_equals_retraining_everything():
    table = fv.Table.from_frame(made_up())
    features = Features.of(table, SCHEMA, bins_of(table, SCHEMA, {}))
    wrapper = Wrapper(features, NaiveBayes(), folds=3)
    z = Partitioning.of([[0, 2], [1]], len(features))
    first = wrapper.accuracy(z)
    trained = wrapper.trained
    wrapper.accuracy(Partitioning.of([[1]], len(features)))
    assert (wrapper.accuracy(z), wrapper.trained) == (first, trained)  # nothing was trained again
    hits = []
    for fold in range(3):
        test = wrapper.fold_of_row == fold
        shares = []
        for subset in z.subsets:
            x, shape = wrapper.matrix(subset)
            model = fresh(NaiveBayes(), 0, shape).fit(x[~test], features.classes[~test])
            shares.append(log_probabilities(model, x[test], features.size))
        prior = np.bincount(features.classes[~test], minlength=features.size) + 1
        scores = combine(shares, np.log(prior / prior.sum()))
        hits.append((np.argmax(scores, axis=1) == features.classes[test]).mean())
    assert np.isclose(first, np.mean(hits))


def test_the_memory_for_probabilities_is_bounded():
    table = fv.Table.from_frame(made_up())
    features = Features.of(table, SCHEMA, bins_of(table, SCHEMA, {}))
    wrapper = Wrapper(features, NaiveBayes(), folds=3, memory=2 * features.rows * features.size * 4)
    for i in range(len(features)):
        wrapper.accuracies([Partitioning.of([[i]], len(features))])
        assert len(wrapper._shares) <= 2


@pytest.mark.parametrize("inducer", ["tree", "c4.5", "naive-bayes", LogisticRegression(max_iter=200)])
def test_any_classifier_and_the_analyst_learns_from_the_parts_alone(inducer):
    method = fv.DMPD(inducer=inducer, generations=2, population=6, folds=3)
    frontier = fv.search(made_up(400), SCHEMA, guards=[fv.KAnonymity(5)], method=method)
    release = frontier.release(0)
    model = Combined.fit(release.published.tables, "rich", release.recipe.columns, inducer)
    new = fv.Table.from_frame(made_up(400, seed=9))
    right = np.mean([a == b for a, b in zip(model.predict(new), new.to_arrow()["rich"].to_pylist(), strict=True)])
    assert right > 0.7
    assert np.allclose(model.probabilities(new).sum(axis=1), 1)


def test_pareto_gives_a_frontier():
    method = fv.DMPD(objective="pareto", **QUICK)
    frontier = fv.search(made_up(), SCHEMA, guards=[fv.KAnonymity(2)], method=method)
    accuracy, level = frontier.values("accuracy"), frontier.values("k")
    assert len(frontier) > 1
    assert (np.diff(accuracy) < 0).all()  # most accurate first, so anonymity must rise
    assert (np.diff(level) > 0).all()
    assert len(frontier.pareto("accuracy", "k")) == len(frontier)


def test_diversity_on_the_join():
    guards = [fv.KAnonymity(2), fv.DistinctDiversity(3)]
    frontier = fv.search(made_up(), SCHEMA, guards=guards, method=fv.DMPD(**QUICK))
    for position in range(len(frontier)):
        assert all(verdict.worst >= verdict.limit for verdict in frontier.release(position).verdicts)


def test_overlapping_subsets_are_verified_the_same_way(tmp_path):
    method = fv.DMPD(overlap=True, mutation=0.3, keep=50, **QUICK)
    frontier = fv.search(made_up(), SCHEMA, guards=[fv.KAnonymity(4)], method=method)
    subsets = [subsets_of(frontier.recipe(i)) for i in range(len(frontier))]
    shared = [i for i, parts in enumerate(subsets) if sum(map(len, parts)) > len(set().union(*parts))]
    assert shared
    folder = frontier.release(shared[0]).save(tmp_path / "out").path
    assert fv.verify(folder)


def test_recoding_keeps_more_columns_and_is_verified(tmp_path):
    guards = [fv.KAnonymity(20)]
    plain = fv.search(made_up(), SCHEMA, guards=guards, method=fv.DMPD(**QUICK))
    used = {name for i in range(len(plain)) for subset in subsets_of(plain.recipe(i)) for name in subset}
    assert "job" not in used  # d is too rare
    recoded = fv.search(made_up(), SCHEMA, guards=guards, method=fv.DMPD(recode=True, **QUICK))
    recipes = [recoded.recipe(i) for i in range(len(recoded))]
    changed = [i for i, recipe in enumerate(recipes) if isinstance(recipe, Decomposition) and any(recipe.changes)]
    assert changed
    for i in changed:
        assert recoded.release(i).holds
    assert fv.verify(recoded.release(changed[0]).save(tmp_path / "out").path)


def test_recoding_climbs_a_hierarchy_where_there_is_one():
    tree = fv.hierarchy.tree({"*": {"ab": ["a", "b"], "cd": ["c", "d"]}})
    schema = fv.Schema(quasi=["age", "job", "sex"], plain=["ill"], decision="rich", hierarchies={"job": tree})
    method = fv.DMPD(recode=True, keep=200, **QUICK)
    frontier = fv.search(made_up(), schema, guards=[fv.KAnonymity(20)], method=method)
    labels = {
        value
        for i in range(len(frontier))
        for part in frontier.release(i).published.tables.values()
        if "job" in part
        for value in part.column("job").domain
    }
    assert "cd" in labels and "d" not in labels


def test_values_beside_a_lifted_one_are_not_lifted_beyond_the_top():
    """Several values of one node may be hopeless at once; German Credit's hierarchies have such nodes."""
    german = fv.datasets.german_credit()
    method = fv.DMPD(recode=True, **QUICK)
    frontier = fv.search(german.table, german.schema, guards=[fv.KAnonymity(10)], method=method)
    assert all(frontier.release(i).holds for i in range(len(frontier)))


def test_the_papers_order_of_checks_finds_valid_ones_too():
    frontier = fv.search(made_up(), SCHEMA, guards=[fv.KAnonymity(10)], method=fv.DMPD(set_check="last", **QUICK))
    assert all(frontier.release(i).holds for i in range(len(frontier)))


def test_crossover_and_mutation_keep_partitionings_whole():
    rng = np.random.default_rng(0)
    one, other = (random_partitioning(8, rng, range(8)) for _ in range(2))
    for _ in range(300):
        one, other = mate(one, other, rng)
        one, other = mutate(one, 0.3, rng), mutate(other, 0.3, rng)
        for z in (one, other):
            used = [i for subset in z.subsets for i in subset]
            assert len(used) == len(set(used)) and set(used) | set(z.filtered) == set(range(8))
            assert Partitioning.from_matrix(z.matrix()) == z


def test_laplace_corrected_leaves():
    x = np.array([[0.0]] * 6 + [[1.0]] * 6)
    model = PrunedTree(min_samples_leaf=1).fit(x, np.array([0] * 6 + [1] * 5 + [0]))
    shares = np.exp(log_probabilities(model, np.array([[0.0], [1.0]]), 2))
    assert np.allclose(shares, [[7 / 8, 1 / 8], [2 / 8, 6 / 8]])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inducer": "treee"}, "did you mean 'tree'"),
        ({"inducer": object()}, "needs fit and predict_proba"),
        ({"inducer": LogisticRegression}, r"write LogisticRegression\(\)"),
        ({"cuts": {"job": [1]}}, "numeric quasi column"),
    ],
)
def test_bad_settings_are_refused_before_any_work(change, message):
    with pytest.raises(fv.BadInput, match=message):
        fv.search(made_up(), SCHEMA, guards=[fv.KAnonymity(2)], method=fv.DMPD(**{**QUICK, **change}))


def test_bad_numbers_guards_and_schemas_are_refused():
    with pytest.raises(fv.BadInput, match="population must be an integer of at least 2"):
        fv.DMPD(population=1)
    for wrong in (2, "often", float("nan")):
        with pytest.raises(fv.BadInput, match="mutation must be a number from 0 to 1"):
            fv.DMPD(mutation=wrong)  # type: ignore[arg-type]
    for wrong in (-1, "long", True):
        with pytest.raises(fv.BadInput, match="patience must be an integer"):
            fv.DMPD(patience=wrong)  # type: ignore[arg-type]
    with pytest.raises(fv.BadInput, match="do not go together"):
        fv.DMPD(recode=True, overlap=True)
    with pytest.raises(fv.BadInput, match="cannot keep entropy-diversity"):
        fv.search(made_up(), SCHEMA, guards=[fv.EntropyDiversity(2)], method=fv.DMPD(**QUICK))
    schema = fv.Schema(quasi=["age", "job", "sex"], plain=["ill", "rich"])
    with pytest.raises(fv.BadInput, match="needs a decision"):
        fv.search(made_up(), schema, guards=[fv.KAnonymity(2)], method=fv.DMPD(**QUICK))


GIVEN = fv.datasets.german_credit()


def given(subsets: Any, *guards: Guard, **settings: Any) -> fv.Frontier:
    method = fv.DMPD(subsets=subsets, **QUICK, **settings)
    return fv.search(GIVEN.table, GIVEN.schema, guards=guards or [fv.KAnonymity(5)], method=method)


def test_given_projections_are_published_as_they_are(tmp_path):
    release = given([["job"], ["marital_status", "sex"]]).release(0)
    assert subsets_of(release.recipe) == (("marital_status", "sex"), ("job",))  # the other columns are in no projection
    release.save(tmp_path / "out")
    assert fv.verify(tmp_path / "out")


@pytest.mark.parametrize(
    ("subsets", "settings", "error", "sentence"),
    [
        ([["jobb"]], {}, fv.BadInput, "did you mean 'job'"),
        ([["job"], ["job", "sex"]], {}, fv.BadInput, "'job' is in several subsets"),
        ([["job"], []], {}, fv.BadInput, "at least one column"),
        ([["class"]], {}, fv.BadInput, "no column to publish 'class'"),
        ([["job"]], {"min_subsets": 2}, fv.BadInput, "min_subsets is 2"),
        ([["purpose", "job", "employment", "credit_history"]], {}, fv.Infeasible, "below k=5"),
    ],
)
def test_given_projections_that_cannot_be_published(subsets, settings, error, sentence):
    with pytest.raises(error, match=sentence):
        given(subsets, **settings)


def test_given_projections_that_break_another_guard():
    with pytest.raises(fv.Infeasible, match="do not keep known-decision"):
        given([["job"], ["purpose"]], fv.KAnonymity(2), fv.KnownDecision(60))


@pytest.mark.parametrize("settings", [{}, {"set_check": "last"}, {"objective": "pareto"}])
def test_there_are_at_least_as_many_projections_as_asked_for(settings):
    method = fv.DMPD(min_subsets=3, **QUICK, **settings)
    frontier = fv.search(GIVEN.table, GIVEN.schema, guards=[fv.KAnonymity(2)], method=method)
    assert min(len(subsets_of(frontier.release(i).recipe)) for i in range(len(frontier))) >= 3


def test_more_projections_than_columns_publish_nothing():
    method = fv.DMPD(min_subsets=30, **QUICK)
    frontier = fv.search(GIVEN.table, GIVEN.schema, guards=[fv.KAnonymity(5)], method=method)
    assert subsets_of(frontier.release(0).recipe) == ()
    assert "in at least 30 projections" in " ".join(frontier.notes)


def test_the_expected_risk_is_the_mean_over_attackers():
    """By hand, from the rows: how many share what an attacker knows, in a projection and in the join."""
    method = fv.DMPD(probabilities={"job": 0.5, "purpose": 0.25}, **QUICK)
    wrapper = method.wrapper(GIVEN.table, GIVEN.schema, [fv.KAnonymity(2)])
    attackers = method.attackers(wrapper, GIVEN.schema, np.random.default_rng(0))
    names = wrapper.features.names
    split = Partitioning.of([[names.index("job")], [names.index("purpose"), names.index("sex")]], len(names))
    frame = GIVEN.table.to_arrow().to_pandas()
    expected = 0.0
    for known, share in attackers.known:
        sides = [[names[i] for i in subset if i in known] for subset in split.subsets]
        alone = [frame.groupby(side).size().loc[lambda n: n > 0].min() if side else len(frame) for side in sides]
        per_class = [
            frame.groupby([*side, "class"]).size().loc[lambda n: n > 0].groupby("class").min() for side in sides
        ]
        expected += share / min(*alone, (per_class[0] * per_class[1]).min())
    assert attackers.risk(split) == pytest.approx(expected)
    assert attackers.risk(split) < 1 / wrapper.level(split)


def test_an_attacker_who_knows_everything_sees_the_level():
    method = fv.DMPD(objective="pareto", **QUICK)
    wrapper = method.wrapper(GIVEN.table, GIVEN.schema, [fv.KAnonymity(2)])
    attackers = method.attackers(wrapper, GIVEN.schema, np.random.default_rng(0))
    split = Partitioning.of([[0], [1, 2]], len(wrapper.features))
    assert attackers.privacy(split) == pytest.approx(wrapper.level(split))


def test_columns_that_few_know_are_published_sooner():
    """The most accurate candidate is at least as private as expected of unlikely attackers; k holds against all."""
    schema, guards = GIVEN.schema, [fv.KAnonymity(2)]
    likely = dict.fromkeys(schema.quasi, 0.1)
    method = fv.DMPD(objective="pareto", probabilities=likely, **QUICK)
    frontier = fv.search(GIVEN.table, schema, guards=guards, method=method)
    assert (frontier.values("k") >= 2).all()
    with pytest.raises(fv.BadInput, match="no quasi column 'jobb'"):
        fv.search(GIVEN.table, schema, guards=guards, method=fv.DMPD(objective="pareto", probabilities={"jobb": 0.5}))


def test_anonymity_counts_in_the_fitness():
    levels = [
        fv.search(
            GIVEN.table, GIVEN.schema, guards=[fv.KAnonymity(2)], method=fv.DMPD(anonymity_weight=weight, **QUICK)
        ).values("k")[0]
        for weight in (0.0, 5.0)
    ]
    assert levels[1] > levels[0]
