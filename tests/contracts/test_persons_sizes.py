"""Where only the number of persons of classes matters, a change is judged as by cells that say who they are about."""

from __future__ import annotations

import sys
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.counting.cells import Classes

LEVELS = {"age": fv.hierarchy.intervals([0, 8], widths=(2, 4)), "zip": fv.hierarchy.suppress()}


def people(seed: int) -> pa.Table:
    rng = np.random.default_rng(seed)
    who = rng.integers(0, 50, 200)
    return pa.table({
        "who": pa.array([f"p{number}" for number in who]), "zip": rng.integers(0, 3, 200),
        "age": np.minimum(rng.integers(0, 7, 50)[who] + rng.integers(0, 2, 200), 7), "got": rng.choice(["y", "n"], 200),
    })  # fmt: skip


def figures(data: Any, schema: fv.Schema) -> list[Any]:
    """All that is judged of every candidate, and the release."""
    frontier = fv.search(data, schema, guards=[fv.KAnonymity(4)], method=fv.Incognito())
    release = frontier.best("loss")
    judged = [frontier.judged(position) for position in range(len(frontier))]
    assert all(isinstance(one.classes, Classes) and "who" in one.classes.codes for one in judged)
    measured: list[Any] = [[list(frontier.values(name)) for name in ("loss", "entropy", "k", "average-risk")]]
    for one in judged:
        summary = [list(values.ravel()) for values in vars(one.summary).values()]
        measured.append([[str(verdict) for verdict in one.verdicts], summary, one.suppressed, one.outcome.persons])
    return [*measured, release.table.to_arrow().to_pylist(), list(release.measures.values())]


def alike(one: object, other: object) -> None:
    """Raise unless nested lists are the same but for rounding."""
    if isinstance(one, list):
        assert isinstance(other, list) and len(one) == len(other)
        for pair in zip(one, other, strict=True):
            alike(*pair)
    else:
        assert one == pytest.approx(other, rel=1e-9, abs=1e-9, nan_ok=True) if isinstance(one, float) else one == other


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("decided", [False, True])
def test_everything_is_as_judged_by_all_cells(monkeypatch: pytest.MonkeyPatch, seed: int, decided: bool) -> None:
    table = people(seed)
    roles: dict[str, Any] = {"decision": "got", "denied": "n"} if decided else {"drop": ["got"]}
    schema = fv.Schema(quasi=["zip", "age"], person="who", hierarchies=LEVELS, **roles)
    by_sizes, calls = figures(table, schema), list[int]()
    monkeypatch.setattr(sys.modules["fairveil.published.judge"], "only_sizes", lambda *_: calls.append(1))
    alike(figures(table, schema), by_sizes)
    assert calls


def test_the_best_candidate_is_that_of_all_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    from fairveil.frontier import search_result

    for seed in range(3):
        for data in (people(seed), duckdb.connect().from_arrow(people(seed))):
            schema = fv.Schema(quasi=["zip", "age"], person="who", hierarchies=LEVELS, drop=["got"])
            chosen: list[int] = []
            for worth in (0, 1 << 60):
                monkeypatch.setattr(search_result, "WORTH_CHOOSING", worth)
                frontier = fv.search(data, schema, guards=[fv.KAnonymity(4)], method=fv.Incognito())
                chosen.append(frontier.best_position("loss"))
            assert chosen[0] == chosen[1] == int(np.argmin(frontier.values("loss")))
