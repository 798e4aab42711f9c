"""Algorithm 1 as counted finds what the search finds; J48 is right as often as Weka's."""

from __future__ import annotations

from dataclasses import replace

import pytest

import fairveil as fv
from experiments.incognito.algorithm1 import Counted
from experiments.incognito.classifiers import Split, tree
from fairveil.guards.rules.lift import MEASURES
from fairveil.methods.task import Task

CREDIT = fv.datasets.german_credit()
LAST = CREDIT.schema.quasi[-5:]
FEW = replace(
    CREDIT.schema, quasi=LAST, plain=CREDIT.schema.quasi[:-5],
    hierarchies={name: rule for name, rule in CREDIT.schema.hierarchies.items() if name in LAST},
)  # fmt: skip


@pytest.mark.parametrize("measure", MEASURES)
def test_algorithm_1_finds_what_the_search_finds(measure: str) -> None:
    for k, alpha, tau in ((5, 1.2, 5), (5, 1.6, 2), (20, 1.05, 3)):
        guard = fv.AlphaProtection(alpha, measure, 0.05, tau, ("quasi",))
        frontier = fv.search(CREDIT.table, FEW, guards=[fv.KAnonymity(k), guard])
        task = Task.of(CREDIT.table, FEW, [fv.KAnonymity(k), guard])
        ran = Counted(task.lattice, FEW).run(k, alpha, measure, 0.05, tau, FEW.protected)
        assert ran.solutions == len(frontier)
        assert ran.protection and ran.anonymity
        plain = Counted(task.lattice, FEW).run(k)
        assert plain.protection == 0
        assert plain.solutions == len(fv.search(CREDIT.table, FEW, guards=[fv.KAnonymity(k)]))


@pytest.mark.parametrize(("load", "right"), [(fv.datasets.german_credit, 245), (fv.datasets.adult, 12409)])
def test_j48_is_right_as_often_as_wekas(load, right):
    """Weka 3.9, `J48 -t train -T test` on the same records, all columns nominal."""
    bundled = load()
    split = Split(bundled.table, bundled.test, bundled.schema)
    assert (tree(split, 0) == split.test_y).sum() == right
