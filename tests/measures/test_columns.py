"""Measures see the columns that they need, also where no guard looks at them: on every method, counted or in rows."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.measures import MEASURES, Measure
from fairveil.methods import METHODS, Method
from tests.contracts.people import OnlyCounts, quick

SCHEMA = fv.Schema(
    quasi=["q", "zip"], protected=["sex"], sensitive=["sex"], plain=["pay"], decision="y", denied="no",
    hierarchies={"zip": fv.hierarchy.mask(2)}, population=fv.Population(size=9600),
)  # fmt: skip
SITUATIONS = fv.SituationTesting("pay", k=3).measure()
BY_CLASS: list[Measure] = [
    *(measure for measure in MEASURES if measure.cost == "classes" and not measure.lacks(SCHEMA)),
    SITUATIONS,
]


def people() -> pa.Table:
    rng = np.random.default_rng(2)
    return pa.table({"q": rng.choice(["a", "b"], 96), "zip": rng.choice(["11", "12", "21"], 96),
                     "sex": rng.choice(["f", "m"], 96), "pay": rng.choice([10, 20, 30], 96),
                     "y": rng.choice(["no", "yes"], 96)})  # fmt: skip


@pytest.mark.parametrize("method", [m for m in METHODS if not m.declares_domains], ids=lambda method: method.kind)
def test_every_measure_of_classes_is_known(method: type[Method]) -> None:
    guards = [fv.KAnonymity(3, suppression=0.1)]
    frontier = fv.search(people(), SCHEMA, guards=guards, method=quick(method))
    one_table = not frontier.release(0).recipe.splits
    for measure in BY_CLASS:
        values = frontier.values(measure)
        assert np.isfinite(values).all() == one_table or measure is SITUATIONS or not one_table
        if one_table:
            classes = frontier.release(0).published._classes(["pay", "sex"])
            assert measure.of_classes is not None
            assert values[0] == pytest.approx(measure.of_classes(classes, frontier.release(0).schema))


def test_a_source_that_only_counts_gives_the_same() -> None:
    guards = [fv.KAnonymity(3, suppression=0.1)]
    held, counted = (fv.search(given, SCHEMA, guards=guards) for given in (people(), OnlyCounts(people())))
    for measure in BY_CLASS:
        assert held.values(measure).tolist() == counted.values(measure).tolist()
        assert held.baseline([measure]) == counted.baseline([measure]) != {}


def test_explore_and_guards_beside_it_change_nothing() -> None:
    measure = fv.measures.get("demographic-parity-difference")
    alone = fv.search(people(), SCHEMA, guards=[fv.KAnonymity(3)])
    guarded = fv.search(people(), SCHEMA, guards=[fv.KAnonymity(3), fv.DistinctDiversity(2)])
    assert np.isfinite(alone.values(measure)).all()
    both = {tuple(node): value for node, value in zip(guarded.nodes.tolist(), guarded.values(measure), strict=True)}
    for node, value in zip(alone.nodes.tolist(), alone.values(measure), strict=True):
        assert both.get(tuple(node), value) == value
    explored = fv.explore(people(), SCHEMA, guards=[fv.KAnonymity(3)], methods=[fv.Incognito(), fv.Mondrian()])
    assert np.isfinite(explored.values(measure)).all()
