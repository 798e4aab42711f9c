"""Several methods on one frontier: measured alike, chosen alike, remembered, and none stops the others."""

from __future__ import annotations

import hashlib
import json
import time
from pathlib import Path

import numpy as np
import pytest

import fairveil as fv
from fairveil.choice.pareto import pareto
from fairveil.engines import source_of
from fairveil.methods.task import Task
from fairveil.run.cache import SearchCache
from tests.contracts.people import SCHEMA, source

GUARDS = [fv.KAnonymity(3)]
METHODS = [fv.Incognito(), fv.Mondrian(), fv.MDAV(k=3), fv.Datafly()]


@pytest.fixture(scope="module")
def comparison() -> fv.Frontier:
    return fv.explore(source(), SCHEMA, guards=GUARDS, methods=METHODS, measures=["k", "loss", "accuracy"])


def test_every_method_is_there_and_measured_by_the_same_measures(comparison: fv.Frontier) -> None:
    assert set(comparison.methods) == {method.kind for method in METHODS}
    for name in ("k", "loss", "accuracy"):
        assert len(comparison.values(name)) == len(comparison)
        assert np.isfinite(comparison.values(name)).all()
    assert (comparison.values("k") >= 3).all()
    assert {record["settings"]["kind"] for record in comparison.records(["loss"])} == set(comparison.methods)


def test_what_is_published_is_what_was_measured(comparison: fv.Frontier) -> None:
    for position in range(0, len(comparison), 5):
        release = comparison.release(position)
        assert release.holds
        assert release.measures["loss"] == pytest.approx(comparison.values("loss")[position])


def test_the_joint_frontier_holds_what_no_method_beats(comparison: fv.Frontier) -> None:
    front = comparison.pareto("loss", "accuracy")
    points = np.column_stack([comparison.values("loss"), -comparison.values("accuracy")])
    assert len(front) == pareto(points).sum()
    assert comparison.knee_position("loss", "accuracy") in np.flatnonzero(pareto(points))


def test_choosing_by_aspirations_and_by_further_guards(comparison: fv.Frontier) -> None:
    assert comparison.nearest({"loss": 0.2}).measures["loss"] == pytest.approx(comparison.values("loss").min())
    diverse = comparison.keeping(fv.DistinctDiversity(2))
    assert 0 < len(diverse) <= len(comparison)
    for position in range(len(diverse)):
        classes = fv.check(diverse.release(position).table, SCHEMA, [fv.DistinctDiversity(2)])
        assert classes[0].holds


def test_a_method_that_cannot_serve_says_why_and_does_not_stop_the_others() -> None:
    comparison = fv.explore(
        source(),
        SCHEMA,
        guards=[fv.KAnonymity(3), fv.AlphaProtection(100.0)],
        methods=[fv.DMPD(generations=2), fv.Mondrian()],
    )
    assert set(comparison.methods) == {"mondrian"}
    assert any(note.startswith("dmpd: ") for note in comparison.notes)


def test_finished_methods_are_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def run() -> fv.Frontier:
        return fv.explore(
            source(), SCHEMA, guards=GUARDS, methods=[fv.Mondrian(), fv.Incognito()], max_candidates=5, keep=tmp_path
        )

    once = run()
    assert len(list(tmp_path.glob("*.json"))) == 2
    monkeypatch.setattr(fv.Mondrian, "search", lambda *_: pytest.fail("searched again"))
    monkeypatch.setattr(fv.Incognito, "search", lambda *_: pytest.fail("searched again"))
    again = run()
    for name in ("k", "loss", "average-risk"):
        np.testing.assert_allclose(again.values(name), once.values(name))
    assert again.release(0).table.to_arrow().equals(once.release(0).table.to_arrow())


def test_a_renamed_setting_does_not_lose_kept_searches(tmp_path: Path) -> None:
    cache = SearchCache(tmp_path, Task.of(source_of(source()), SCHEMA, GUARDS), alone=True)
    for method, earlier in ((fv.RollUp(max_rules=5), {"most": 5}), (fv.DMPD(interval_rows="any"), {"least": "any"})):
        as_before = {name: v for name, v in method.to_dict().items() if name not in ("max_rules", "interval_rows")}
        inputs = json.dumps([cache.request, {**as_before, **earlier}, [], 3], sort_keys=True)
        digest = hashlib.sha256(inputs.encode()).hexdigest()
        assert cache._path(method, [], 3).name == f"{method.kind}-{digest[:16]}.json"


def test_other_data_is_another_search(tmp_path: Path) -> None:
    for seed in (0, 1):
        fv.explore(source(seed=seed), SCHEMA, guards=GUARDS, methods=[fv.Mondrian()], keep=tmp_path)
    assert len(list(tmp_path.glob("*.json"))) == 2


def test_progress_rises_and_can_cancel() -> None:
    shares: list[float] = []
    fv.explore(source(), SCHEMA, guards=GUARDS, methods=METHODS, progress=lambda share, what: shares.append(share))
    assert shares == sorted(shares)
    with pytest.raises(fv.Cancelled):
        fv.explore(source(), SCHEMA, guards=GUARDS, methods=METHODS, progress=lambda share, what: False)


@pytest.mark.parametrize("watched", [False, True])
def test_an_unexpected_exception_of_one_method_is_raised_as_it_is(
    watched: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: fv.Mondrian, task: object) -> None:
        raise ZeroDivisionError("a fault in the code")

    def slow(self: fv.Datafly, task: Task) -> None:
        for step in range(1000):  # ends because the other method failed
            task.progress.tell(step / 1000, "searching")
            time.sleep(0.01)
        raise AssertionError("it was not stopped")

    monkeypatch.setattr(fv.Mondrian, "search", broken)
    monkeypatch.setattr(fv.Datafly, "search", slow)
    progress = (lambda share, what: True) if watched else False
    with pytest.raises(ZeroDivisionError, match="a fault in the code"):
        fv.explore(source(), SCHEMA, guards=GUARDS, methods=[fv.Datafly(), fv.Mondrian()], progress=progress)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"methods": []}, "name at least one method"),
        ({"max_candidates": 0}, "max_candidates must be"),
        ({"measures": ["los"]}, "did you mean 'loss'"),
    ],
)
def test_bad_requests(settings: dict[str, object], sentence: str) -> None:
    with pytest.raises(fv.BadInput, match=sentence):
        fv.explore(source(), SCHEMA, guards=GUARDS, **{"methods": METHODS, **settings})  # type: ignore[arg-type]
