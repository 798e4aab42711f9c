"""explore_depths: hierarchies thinned out, and what is left to choose from."""

from __future__ import annotations

from typing import Any

import pytest

import fairveil as fv
from fairveil.run.depths import thinned

GERMAN = fv.datasets.german_credit()
ASKED: dict[str, Any] = {"guards": fv.KAnonymity(10), "methods": [fv.Incognito()], "measures": ["k", "loss"]}


def test_thinned_hierarchies_keep_values_and_top():
    age = fv.hierarchy.intervals([0, 80], widths=(5, 10, 20, 40))
    levels = age.bind([3, 7, 44, 61])
    for depth in range(1, levels.height + 2):
        thin = thinned(levels, depth, age).bind([3, 7, 44, 61])
        assert thin.height == min(depth, levels.height)
        assert thin.path(2)[0] in (44, "44") and thin.path(2)[-1] == levels.path(2)[-1]
        assert set(map(str, thin.path(2))) <= set(map(str, levels.path(2)))


def test_deeper_hierarchies_leave_at_least_as_good_a_choice():
    """The candidates of the full depth are those of `explore`; a depth whose levels are among another's finds less."""
    deepest = max(
        levels.height
        for levels in fv.search(GERMAN.table, GERMAN.schema, guards=fv.KAnonymity(10)).task.levels.values()
    )
    sweep = fv.explore_depths(GERMAN.table, GERMAN.schema, depths=[1, deepest], max_candidates=None, **ASKED)
    shallow, deep = sweep.rows()
    whole = fv.explore(GERMAN.table, GERMAN.schema, max_candidates=None, **ASKED)
    assert deep["candidates"] == len(whole) > shallow["candidates"]
    assert deep["loss"] == pytest.approx(whole.values("loss").min()) and deep["loss"] <= shallow["loss"] + 1e-9
    assert shallow["levels"] < deep["levels"]


def test_a_depth_without_candidates_says_why():
    asked = {**ASKED, "guards": [fv.KAnonymity(2), fv.KnownDecision(600)]}
    [one] = fv.explore_depths(GERMAN.table, GERMAN.schema, depths=[1], **asked).depths
    assert one.frontier is None and one.problem


@pytest.mark.parametrize("depths", [[], [0], [1.5]])
def test_depths_are_positive_integers(depths):
    with pytest.raises(fv.BadInput, match="depths"):
        fv.explore_depths(GERMAN.table, GERMAN.schema, depths=depths, **ASKED)
