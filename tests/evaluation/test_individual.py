"""Individual fairness: consistency and counterfactual pairs, by hand and through `utility`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.evaluation.individual import ComparedPeople

ROWS = fv.Table.from_frame(
    pa.table({"age": [float(i) for i in range(20)], "sex": ["f", "m"] * 10, "city": ["a"] * 10 + ["b"] * 10})
)


def of(table: fv.Table, name: str) -> np.ndarray:
    return np.array(table.to_arrow()[name].to_pylist())


def test_a_model_that_looks_at_the_protected_column_only():
    people = ComparedPeople(ROWS, ["age", "sex", "city"], ["sex"], seed=0)
    fairness = people.judge(lambda rows: of(rows, "sex") == "m")
    assert fairness.counterfactual == {"sex": 1.0}
    decided = of(ROWS, "sex") == "m"
    by_hand = []
    for i in range(20):
        distance = [(abs(i - j) / np.arange(20).std()) ** 2 + 2 * ((i < 10) != (j < 10)) for j in range(20)]
        near = sorted((j for j in range(20) if j != i), key=lambda j: (distance[j], j))[:5]
        by_hand.append(abs(decided[i] - decided[near].mean()))
    assert fairness.consistency == pytest.approx(1 - np.mean(by_hand), abs=0.05)  # ties are broken either way


def test_a_model_that_looks_at_something_else():
    people = ComparedPeople(ROWS, ["age", "sex", "city"], ["sex"], seed=0)
    fairness = people.judge(lambda rows: of(rows, "city") == "a")
    assert fairness.counterfactual == {"sex": 0.0}
    assert fairness.consistency == pytest.approx(1.0, abs=0.2)
    assert people.judge(lambda rows: np.ones(rows.rows, dtype=bool)).consistency == 1.0


def test_one_person_has_no_neighbours():
    one = ComparedPeople(ROWS.take(np.array([3])).compact(), ["age"], ["sex"], seed=0)
    assert one.judge(lambda rows: np.ones(rows.rows, dtype=bool)).consistency is None


def test_models_of_a_release_say_it():
    """A release that hides the protected column leaves nothing to change with it."""
    compas = fv.datasets.compas()
    table = compas.table.take(np.arange(0, compas.table.rows, 4)).compact()
    frontier = fv.search(table, compas.schema, guards=[fv.KAnonymity(10)])
    release = frontier.best("loss")
    utility = fv.utility(release, table, classifiers=None, queries=5, resamples=5, seed=1)
    found = {(m.classifier, m.tested, m.trained): m.individual for m in utility.models}
    assert all(one.consistency is None or 0 <= one.consistency <= 1 for one in found.values() if one)
    assert all(set(one.counterfactual) == set(compas.schema.protected) for one in found.values() if one)
    first = utility.models[0].individual
    assert first is not None and utility.to_dict()["models"][0]["individual"]["consistency"] == first.consistency


@pytest.mark.parametrize(
    "method",
    [fv.Incognito(), fv.Mondrian(), fv.Mondrian(relaxed=True), fv.LocalSuppression(), fv.MDAV(), fv.TopDownGreedy()],
    ids=lambda method: f"{method.kind}, relaxed" if getattr(method, "relaxed", False) else method.kind,
)
def test_a_recipe_that_recodes_row_by_row_recodes_people_and_variants_at_once_or_each_alike(method: Any) -> None:
    compas = fv.datasets.compas()
    table = compas.table.take(np.arange(0, compas.table.rows, 8)).compact()
    recipe = fv.search(table, compas.schema, guards=[fv.KAnonymity(5)], method=method).best("loss").recipe
    people = ComparedPeople(table, compas.schema.quasi, compas.schema.protected, seed=0)
    assert recipe.row_by_row is not getattr(method, "relaxed", False)
    if not recipe.row_by_row:
        return
    parts = [people.rows, *(table for tables in people.variants.values() for table in tables)]
    each = [recipe.applied(part, unknown="suppress") for part in parts]
    at_once = recipe.applied(people.everybody, unknown="suppress")

    def rows(outcome: Any, first: int, number: int) -> list[tuple[int, dict[str, Any]]]:
        places = range(number) if outcome.source_rows is None else outcome.source_rows.tolist()
        published = next(iter(outcome.tables.values())).to_arrow().to_pylist()
        return [(first + place, row) for place, row in zip(places, published, strict=True)]

    size = people.rows.rows
    expected = [row for number, outcome in enumerate(each) for row in rows(outcome, number * size, size)]
    assert rows(at_once, 0, size * len(parts)) == expected
