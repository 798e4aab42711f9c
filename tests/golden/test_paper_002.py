"""What Matatov, Rokach and Maimon (2010) print comes out: Fig. 1 to 8, Definitions 7 and 8, sections 4.2 and 4.4."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from experiments.decomposition import runs
from experiments.study import Study
from fairveil.choice.pareto import pareto
from fairveil.guards.projections import Projections
from fairveil.learning.classifiers import fresh
from fairveil.learning.combined import combine
from fairveil.methods.dmpd.partitioning import Partitioning, crossover
from fairveil.recipes.decomposition import Decomposition
from fairveil.recipes.recoding import IntervalBins
from fairveil.release.release import publish
from tests.known import subsets_of

SAMPLE = fv.datasets.census_sample()
G1 = ["age", "workclass", "fnlwgt", "education", "education-num", "occupation", "native-country"]
G2 = ["marital-status", "relationship", "race", "sex", "capital-gain", "capital-loss", "hours-per-week"]


def split(subsets: list[list[str]], quasi: list[str]) -> Projections:
    tables = [SAMPLE.table.select([*subset, "income"]) for subset in subsets]
    return Projections.of(tables, quasi=quasi, decision="income")


@pytest.mark.parametrize(
    ("quasi", "level"),
    [(["workclass", "native-country"], 3), (["workclass", "native-country", "marital-status"], 1)],
)
def test_definition_7_anonymity_level_of_the_sample(quasi, level):
    assert split([[*G1, *G2]], quasi).level == level


def test_definition_8_partitioning_raises_the_level_from_1_to_2():
    parts = split([G1, G2], ["workclass", "native-country", "marital-status"])
    assert (parts.partial, parts.joined, parts.level) == (3, 2, 2)


def test_figure_4_matrix_encoding():
    expected = [[1, 0, 0, 0], [0, 1, 1, 0], [0, 1, 1, 0], [0, 0, 0, -1]]
    partitioning = Partitioning.of([[0], [1, 2]], 4)
    assert partitioning.matrix().tolist() == expected
    assert Partitioning.from_matrix(np.array(expected)) == partitioning


def test_section_4_2_group_wise_crossover():
    relationship, education, hours, age = range(4)
    one, other = Partitioning.of([[relationship], [education]], 4), Partitioning.of([[hours, age]], 4)
    assert crossover(one, other, (relationship,)) == Partitioning.of([[relationship], [hours, age]], 4)
    assert crossover(other, one, (hours, age)) == Partitioning.of([[relationship], [education], [hours, age]], 4)


def test_section_4_2_levels_of_the_offspring_and_figure_7():
    subsets = (("education-num", "relationship"), ("age", "hours-per-week"))
    recipe = Decomposition(SAMPLE.schema, subsets, {"age": IntervalBins((48.0,))})
    release = publish(SAMPLE.table, SAMPLE.schema, [fv.KAnonymity(2)], recipe)
    parts = Projections.published(list(release.published.tables.values()), SAMPLE.schema)
    assert [fact.smallest for fact in parts.facts] == [6, 7]
    assert (parts.partial, parts.joined) == (6, 2)
    assert release.holds
    first, second = (part.to_arrow().to_pandas() for part in release.published.tables.values())
    assert list(first.columns) == ["education-num", "relationship", "income"]
    # Fig. 7: as many rows of each kind, in whatever order
    assert ((first["relationship"] == "Unmarried") & (first["education-num"] == 13)).sum() == 3
    assert (second["age"] == "(48-inf)").sum() == 7
    assert set(second["age"]) == {"(-inf-48]", "(48-inf)"}


@pytest.mark.parametrize(
    ("columns", "leaves"),
    [
        # Not-in-family (7.0/2.0), Husband (7.0/2.0), Unmarried: up to 10 (3.0), above (3.0/1.0)
        (["relationship", "education-num"], [(7, 2), (7, 2), (3, 0), (3, 1)]),
        # up to 48: up to 40 hours (10.0/1.0), above (3.0/1.0); older than 48 (7.0/1.0)
        (["age", "hours-per-week"], [(10, 1), (3, 1), (7, 1)]),
    ],
)
def test_section_4_2_c45_grows_the_two_printed_trees(columns, leaves):
    schema = fv.Schema(quasi=["age"], plain=["relationship", "education-num", "hours-per-week"], decision="income")
    table = SAMPLE.table.select(["age", "relationship", "education-num", "hours-per-week", "income"])
    method = fv.DMPD(inducer="c4.5", cuts={"age": [48]})
    wrapper = method.wrapper(table, schema, [])
    subset = tuple(sorted(wrapper.features.names.index(name) for name in columns))
    x, shape = wrapper.matrix(subset)
    model = fresh(wrapper.estimator, 0, shape).fit(x, wrapper.features.classes)
    assert sorted((sum(leaf), sum(leaf) - max(leaf)) for leaf in model.leaves) == sorted(leaves)


def test_section_4_2_combination_of_the_two_trees():
    """Unmarried with 13 years says >50K (3 rows, 1 wrong); up to 48 with 30 hours says <=50K (10 rows, 1 wrong)."""
    leaves = [np.array([[1, 2]]), np.array([[9, 1]])]
    corrected = [np.log((leaf + 1) / (leaf.sum() + 2)) for leaf in leaves]
    assert [int(np.argmax(share)) for share in corrected] == [1, 0]
    scores = combine(corrected, np.log(np.array([0.55, 0.45])))
    assert int(np.argmax(scores)) == 0  # <=50K
    # Eq. 1 without logarithms
    by_hand = np.prod([np.exp(share) for share in corrected], axis=0) / np.array([0.55, 0.45])
    assert np.allclose(np.exp(scores), by_hand)


def test_figure_8_no_valid_partitioning_publishes_nothing(tmp_path):
    data = {"a1": list("adgj"), "a2": list("behk"), "a3": list("cfil"), "y": ["y1", "y2", "y3", "y4"]}
    frontier = fv.search(
        pa.table(data),
        fv.Schema(quasi=["a1", "a2", "a3"], decision="y"),
        guards=[fv.KAnonymity(2)],
        method=fv.DMPD(generations=3),
    )
    assert len(frontier) == 1
    assert "no partitioning of the columns keeps k-anonymity (k=2), so nothing is published" in frontier.notes
    release = frontier.release(0)
    assert release.published.tables == {}
    assert release.suppressed == 4
    folder = release.save(tmp_path / "empty").path
    assert sorted(file.name for file in folder.iterdir()) == ["evidence.json", "recipe.json", "report.html"]
    assert fv.verify(folder)


def test_section_4_4_dominated_partitionings():
    points = np.array([[80.5, 200], [90, 500], [88, 700]])
    assert pareto(-points).tolist() == [False, True, True]


def test_figure_13_suppressing_values_lets_a_column_in():
    frame = pa.table(
        {
            "relationship": ["Own-child", "Wife", "Husband", "Own-child"],
            "native-country": ["US"] * 4,
            "workclass": ["State-gov", "Private", "Private", "State-gov"],
            "y": ["no", "yes", "yes", "no"],
        }
    )
    schema = fv.Schema(quasi=["relationship", "native-country", "workclass"], decision="y")
    plain = fv.DMPD(generations=2, folds=2)
    recoded = fv.DMPD(generations=2, folds=2, recode=True)
    guards = [fv.KAnonymity(2)]
    without = fv.search(frame, schema, guards=guards, method=plain)
    used = {name for i in range(len(without)) for subset in subsets_of(without.recipe(i)) for name in subset}
    assert "relationship" not in used
    frontier = fv.search(frame, schema, guards=guards, method=recoded)
    parts = [
        part
        for i in range(len(frontier))
        for part in frontier.release(i).published.tables.values()
        if "relationship" in part
    ]
    assert parts
    assert all(sorted(set(part.to_arrow()["relationship"].to_pylist())) == ["*", "Own-child"] for part in parts)


@pytest.mark.parametrize("inducer", ["c4.5", "naive-bayes"])
@pytest.mark.parametrize("data", ["german_credit", "wisconsin", "vote", "heart", "pima", "crx", "cmc"])
def test_table_1_baselines_come_out(data, inducer, tmp_path):
    """With C4.5 and the data read as the paper must have; the paper's own halves differ by up to 3.4."""
    if not runs.available(data):
        pytest.skip(f"{data} is not bundled")
    found = runs.Runs(Study(tmp_path, "full")).of(runs.Case(data, 9, 1, inducer, "baseline"))
    assert found.mean() == pytest.approx(runs.printed("Table 1")[f"{data}, {inducer}, baseline"], abs=1.6)


def test_table_1_dmpd_comes_out_with_intervals_that_have_seen_all_rows(tmp_path):
    """German Credit, naive Bayes, k = 10: 73.79 in the paper. A short search will do."""
    found = runs.Runs(Study(tmp_path)).of(runs.Case("german_credit", 9, 10, "naive-bayes", "dmpd-seen"))
    assert found.mean() == pytest.approx(runs.printed("Table 1")["german_credit, naive-bayes, k=10"], abs=2)
