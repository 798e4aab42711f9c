"""What every guard owes its users, because it is in the registry. What applies is chosen by traits."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairveil as fv
from fairveil import guards
from fairveil.counting.cells import Classes, classes_of
from fairveil.guards import GUARDS, Guard
from fairveil.published.folder import load
from fairveil.studio.looking import VerdictFacts
from tests.contracts.people import SCHEMA, search, source
from tests.known import ANY_DANGER

EXAMPLES: dict[str, dict[str, Any]] = {
    "k-anonymity": {"k": 3, "suppression": 0.1},
    "distinct-diversity": {"l": 2},
    "entropy-diversity": {"l": 1.2},
    "recursive-diversity": {"c": 20.0, "l": 2},
    "known-decision": {"k": 2},
    "t-closeness": {"t": 0.7},
    "alpha-protection": {"alpha": 3.0},
    "no-redlining": {"alpha": 3.0, "knowledge": ["zip -> race"]},
    "situation-testing": {"legal": ["age"], "limit": 0.9},
    "k-map": {"k": 5, "significance": 0.05},
    "delta-presence": {"maximum": 0.2},
    "risk-limit": {"measure": "individual-risk", "maximum": 0.2},
}
TABLE = fv.Table.from_frame(source(rows=200))


@pytest.fixture(params=GUARDS, ids=lambda guard: guard.kind)
def guard(request: pytest.FixtureRequest) -> Guard:
    return guards.from_dict({"kind": request.param.kind, **EXAMPLES[request.param.kind]})


def classes(rows: np.ndarray | None = None) -> Classes:
    return classes_of(TABLE if rows is None else TABLE.take(rows), SCHEMA)[0]


def test_settings_survive_a_plan_and_a_mistyped_one_is_refused(guard: Guard) -> None:
    assert guards.from_dict(json.loads(json.dumps(guard.to_dict()))) == guard
    with pytest.raises(fv.BadInput, match=f"no setting of {guard.kind} 'lmit'"):
        guards.from_dict({**guard.to_dict(), "lmit": 3})


def test_it_says_what_it_promises_and_leaves_open(guard: Guard) -> None:
    assert guard.promise().endswith(".") and guard.leaves_open
    verdict = guard.verdict(classes(), SCHEMA)
    assert verdict.sentence and bool(verdict) == verdict.holds == guard.holds(classes(), SCHEMA)
    json.dumps(verdict.to_dict(), allow_nan=False)
    assert json.loads(json.dumps(verdict.to_dict()))["kind"] == guard.kind


def test_every_verdict_and_promise_names_its_columns(guard: Guard) -> None:
    names = guard.subjects(SCHEMA)
    assert set(names) <= set(SCHEMA.columns) and (names or set(guard.needs) <= {"quasi", "population"})
    promise, sentence = guard.promise_about(SCHEMA), guard.verdict(classes(), SCHEMA).sentence
    assert promise.startswith(f"{', '.join(names or SCHEMA.quasi)}: ") and sentence.startswith(", ".join(names))
    assert "record" in promise and promise.endswith(".") and "record" in sentence
    claim = {"holds": True, "sentence": sentence}
    assert VerdictFacts.of(guard, SCHEMA, claim).promise == promise  # what the studio shows
    if isinstance(guard, guards.SensitiveGuard):
        both = fv.Schema(quasi=["age"], sensitive=["illness", "debt"])
        one = dataclasses.replace(guard, sensitive=["debt"])
        assert "debt" in one.promise_about(both) and "illness" not in one.promise_about(both)


def test_the_order_of_the_rows_does_not_matter(guard: Guard) -> None:
    shuffled = np.random.default_rng(0).permutation(TABLE.rows)
    one, other = guard.verdict(classes(), SCHEMA), guard.verdict(classes(shuffled), SCHEMA)
    assert (one.holds, one.broken_rows) == (other.holds, other.broken_rows)
    assert one.worst == pytest.approx(other.worst, nan_ok=True)


def test_traits_agree_with_what_it_does(guard: Guard) -> None:
    found = classes()
    passing = guard.passing(found, SCHEMA)
    assert passing.shape == (len(found),)
    if guard.per_class:
        assert passing.all() == guard.verdict(found, SCHEMA).holds
        assert int(found.rows[~passing].sum()) == guard.verdict(found, SCHEMA).broken_rows
    else:
        assert passing.all()  # no class breaks it by itself
    if guard.by_size:
        assert (passing == (found.rows >= guard.least_rows)).all()
        assert guard.check_rows(guard.least_rows - 1) and not guard.check_rows(guard.least_rows)
    else:
        assert guard.least_rows == 1 and not guard.check_rows(1)
    assert 0 <= guard.budget(100) <= 100
    assert bool(guard.strongest_rules(found, SCHEMA, 3)) <= guard.finds_rules
    assert bool(guard.rules_by) == guard.finds_rules


def test_a_verdict_on_projections_or_a_refusal(guard: Guard) -> None:
    parts = search(fv.DMPD(generations=2, population=6, folds=2), source(rows=200)).release(0).published.projections
    if guard.on_projections:
        assert guard.verdict_parts(parts).sentence
    else:
        with pytest.raises(fv.BadInput, match="projections"):
            guard.verdict_parts(parts)


def test_what_is_released_under_it_verifies(guard: Guard, tmp_path: Path) -> None:
    if guard.kind == "no-redlining":
        pytest.skip("its release has no protected column; tests/guards/rules/test_redlining.py releases under it")
    promised = [guard] if guard.by_size else [fv.KAnonymity(3), guard]
    frontier = fv.search(source(rows=200), SCHEMA, guards=promised)
    folder = frontier.release(0).save(tmp_path / "out", accept=ANY_DANGER).path
    assert fv.verify(folder)
    assert load(folder).published.guards == tuple(promised)
