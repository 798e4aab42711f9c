"""Best-first: a valid release at any time; the same optimum as Incognito when it may finish."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given, settings

import fairveil as fv
from tests.randomly import GUARD_SETS, Case, cases


@settings(max_examples=100)
@given(cases(sensitive=(1, 1)), GUARD_SETS)
def test_agrees_with_incognito_where_both_are_exhaustive(case: Case, guards: list[fv.guards.Guard]) -> None:
    try:
        every = fv.search(case.table, case.schema, guards=guards)
    except (fv.Infeasible, fv.BadInput):
        return
    try:
        frontier = fv.search(case.table, case.schema, guards=guards, method=fv.BestFirst(time_limit=60, keep=10_000))
    except fv.Infeasible:
        # with suppression some guards are not monotone, and the top alone may fail
        assert isinstance(guards[0], fv.KAnonymity) and guards[0].suppression > 0
        return
    if frontier.exhaustive:
        assert {tuple(n) for n in frontier.nodes.tolist()} == {tuple(n) for n in every.nodes.tolist()}
    else:
        assert {tuple(n) for n in frontier.nodes.tolist()} <= {tuple(n) for n in every.nodes.tolist()}
        assert frontier.notes


def test_thirty_quasi_columns_end_with_a_valid_release_and_say_it_was_not_exhaustive() -> None:
    rng = np.random.default_rng(7)
    base = rng.integers(0, 4, size=(500, 5))
    columns = {f"c{i}": pa.array((base[:, i % 5] + (rng.random(500) < 0.05)).astype(str)) for i in range(30)}
    rows = [[str(v), "low" if v < 2 else "high", "*"] for v in range(5)]
    schema = fv.Schema(quasi=list(columns), hierarchies=dict.fromkeys(columns, fv.hierarchy.from_rows(rows)))
    frontier = fv.search(pa.table(columns), schema, guards=[fv.KAnonymity(5)], method=fv.Incognito(time_limit=2))
    assert not frontier.exhaustive
    assert "examined" in frontier.notes[0]
    release = frontier.best("loss")
    assert release.holds
    assert release.measures["loss"] < 1  # better than leaving everything out


def test_more_time_is_never_worse() -> None:
    adult = fv.datasets.adult()
    short, long = (
        fv.search(adult.table, adult.schema, guards=[fv.KAnonymity(25)], method=fv.BestFirst(time_limit=limit))
        for limit in (0.05, 1.0)
    )
    assert long.values("loss").min() <= short.values("loss").min()
