"""A compromise is on the frontier, never an end of it where there is another candidate, and says why."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairveil as fv
from fairveil import cli, measures
from fairveil.choice.compromise import compromise
from fairveil.choice.pareto import pareto

LOSS, K, RISK = (measures.get(name) for name in ("loss", "k", "average-risk"))
tables = st.lists(st.tuples(st.floats(0, 1), st.integers(1, 10**6), st.floats(0, 1)), min_size=1, max_size=30)


@given(tables)
def test_it_is_on_the_frontier_and_no_end_of_it(rows: list[tuple[float, int, float]]) -> None:
    loss, k, risk = np.array(rows, dtype=float).T
    for values in ({LOSS: loss, K: k}, {LOSS: loss, RISK: risk}, {LOSS: loss, K: k, RISK: risk}):
        points = np.column_stack([measure.loses(column) for measure, column in values.items()])
        found, front = compromise(values), np.flatnonzero(pareto(points))
        assert found.position in front
        if len(values) == 2 and len(np.unique(points[front], axis=0)) > 2:
            ends = [points[front].min(axis=0), points[front].max(axis=0)]
            assert not any((points[found.position] == end).any() for end in ends)
        assert all(measure.title in found.reason for measure in values)


def test_a_heavy_tail_does_not_decide() -> None:
    """One candidate that hides everything has an enormous k."""
    loss, k = np.array([0.1, 0.2, 0.3, 0.4, 1.0]), np.array([5.0, 20, 60, 70, 30_000])
    assert compromise({LOSS: loss, K: k}).position == 2
    assert compromise({LOSS: loss[[0, 4]], K: k[[0, 4]]}).position == 0  # of two ends, the useful one
    loss, k = np.array([0.1, 0.5, 0.6, 0.7, 0.85, 1.0]), np.array([10.0, 17, 100, 900, 9_000, 30_000])
    found = compromise({LOSS: loss, K: k})
    assert found.position == 2 and "(10 to 30,000)" in found.reason  # nobody hides nearly all for a k of 9,000
    with_gaps = {LOSS: np.array([np.nan, 0.5]), K: np.array([3.0, 4.0])}
    assert compromise(with_gaps).position == 1


def test_too_little_to_choose_from() -> None:
    with pytest.raises(fv.BadInput, match="at least two measures"):
        compromise({LOSS: np.array([0.5])})
    with pytest.raises(fv.BadInput, match="no candidate has a value of loss and k"):
        compromise({LOSS: np.array([np.nan]), K: np.array([2.0])})


@pytest.fixture(scope="module")
def frontier() -> fv.Frontier:
    adult = fv.datasets.adult()
    return fv.search(adult.table, adult.schema, guards=fv.KAnonymity(5))


def test_python_and_command_line_suggest_the_same(frontier: fv.Frontier, tmp_path, capsys) -> None:
    found, release = frontier.compromise("loss", "k"), frontier.knee("loss", "k")
    loss, k = frontier.values("loss"), frontier.values("k")
    assert loss.min() < loss[release] < 1 and k.min() < k[release] < k.max()
    assert release.measures["loss"] == pytest.approx(loss[found.position])
    plan = '[source]\ndataset = "adult"\n[[guards]]\nkind = "k-anonymity"\nk = 5\n'
    (tmp_path / "plan.toml").write_text(f"format = 1\n{plan}")
    assert cli.run(["explore", str(tmp_path / "plan.toml"), "--pareto", "loss,k", "--json"]) == 0
    suggested = json.loads(capsys.readouterr().out)["compromise"]
    assert suggested == {"candidate": frontier.number(found.position), "reason": found.reason}


def test_the_most_useful_within_promises(frontier: fv.Frontier) -> None:
    frontier = frontier.some(np.arange(len(frontier)) % 7 == 0)  # each is published to check
    assert frontier.most_useful().measures["loss"] == pytest.approx(frontier.values("loss").min())
    further = fv.KAnonymity(200)
    release, keeping = frontier.most_useful(further), frontier.keeping(further)
    assert release.measures["loss"] == pytest.approx(keeping.values("loss").min())
    with pytest.raises(fv.Infeasible, match="none of"):
        frontier.most_useful(fv.KAnonymity(10**6))
