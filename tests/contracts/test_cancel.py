"""Cancelling answers within half a second, wherever the time goes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest
from sklearn.dummy import DummyClassifier

import fairveil as fv
from fairveil.methods import METHODS, Method
from tests.contracts.people import SCHEMA, source
from tests.known import ANY_DANGER

PATIENCE = 0.5
TRIES = 3
"""A busy machine may keep one waiting once or twice; work that does not look up, always."""
SLOW: dict[str, dict[str, Any]] = {
    "incognito": {},
    "roll-up": {"exceptions": 0.01},
    "preferences": {"evaluations": 10_000_000, "largest": 1},
    "dmpd": {"generations": 10_000, "population": 100},
    "noisy-table": {"public": (*(f"q{i}" for i in range(7)), "granted"), "epsilon": 20.0},
}


def cancelled(work: Callable[[fv.Progress], object], after: float = 0.4) -> bool:
    """Whether the work was still going on when it was cancelled; asserts that the answer then came in time."""
    waits: list[float] = []
    while min(waits, default=PATIENCE) >= PATIENCE and len(waits) < TRIES:
        waited = _cancelled(work, after)
        if waited is None:
            return False
        waits.append(waited)
    assert min(waits) < PATIENCE, waits
    return True


def _cancelled(work: Callable[[fv.Progress], object], after: float) -> float | None:
    """Seconds from the cancel to the answer; None if the work was done before."""
    progress = fv.Progress()
    cancelled_at: list[float] = []

    def cancel() -> None:
        cancelled_at.append(time.monotonic())
        progress.cancel()

    timer = threading.Timer(after, cancel)
    timer.start()
    try:
        work(progress)
    except fv.Cancelled:
        return time.monotonic() - cancelled_at[0]
    finally:
        timer.cancel()
    return None


@pytest.fixture(scope="module")
def many() -> tuple[fv.Table, fv.Schema]:
    """Many different people, in columns with tall hierarchies: every search takes long."""
    rng = np.random.default_rng(0)
    rows, columns = 60_000, [f"q{i}" for i in range(7)]
    frame = {name: rng.integers(0, 64, rows) for name in columns}
    frame |= {"sex": rng.integers(0, 2, rows), "granted": rng.integers(0, 2, rows)}
    rule = fv.hierarchy.intervals([0, 64], widths=(2, 4, 8, 16, 32))
    schema = fv.Schema(
        quasi=columns, sensitive=["sex"], protected=["sex"], decision="granted", denied=0,
        hierarchies=dict.fromkeys(columns, rule),
    )  # fmt: skip
    return fv.Table.from_frame(pa.table(frame)), schema


@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
def test_every_search(method: type[Method], many: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = many
    slow = method(**SLOW.get(method.kind, {}))
    guards = [fv.KAnonymity(20, suppression=0.01)]
    cancelled(lambda progress: fv.search(table, schema, guards=guards, method=slow, progress=progress), 0.2)


def test_a_search_under_a_guard_that_looks_at_rules(many: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = many
    guards = [fv.KAnonymity(20, suppression=0.01), fv.AlphaProtection(1.2, min_support=5)]
    assert cancelled(lambda progress: fv.search(table, schema, guards=guards, progress=progress))


def test_exploring_stops_all_methods(many: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = many
    slow = [METHODS.get(kind)(**settings) for kind, settings in SLOW.items()]
    guards = [fv.KAnonymity(20, suppression=0.01)]
    before = time.process_time()
    assert cancelled(lambda progress: fv.explore(table, schema, guards=guards, methods=slow, progress=progress))
    time.sleep(1.0)  # compiled searches see the sign and end; nothing goes on unheard
    resting = time.process_time()
    time.sleep(0.5)
    assert time.process_time() - resting < 0.4 * max(resting - before, 1.0)


def test_reading_saving_verifying_attacking_reporting(tmp_path: Path) -> None:
    rows = 1_200_000
    rng = np.random.default_rng(1)
    frame = pa.table({f"c{i}": rng.integers(0, 9, rows) for i in range(6)})
    pa.csv.write_csv(frame, tmp_path / "many.csv")
    assert cancelled(lambda progress: fv.Table.read(tmp_path / "many.csv", progress=progress), after=0.05)
    schema = fv.Schema(quasi=["c0", "c1", "c2", "c3"], sensitive=["c4"], plain=["c5"])
    release = fv.search(frame, schema, guards=[fv.KAnonymity(2)]).best("loss")
    for after in (0.2, 1.0, 1.6):  # while it is published, written, described
        cancelled(
            lambda progress: release.save(tmp_path / "out", accept=ANY_DANGER, progress=progress, overwrite=True), after
        )
        assert [file.name for file in tmp_path.iterdir() if file.name not in ("many.csv", "out")] == []
    release.save(tmp_path / "saved", accept=ANY_DANGER)
    assert cancelled(lambda progress: fv.verify(tmp_path / "saved", progress=progress), after=0.05)
    assert cancelled(lambda progress: fv.attack(tmp_path / "saved", original=frame, progress=progress), after=0.05)
    assert cancelled(lambda progress: fv.report(tmp_path / "saved", progress=progress), after=0.05)


def test_what_cannot_be_interrupted_ends_unheard() -> None:
    """A classifier in training, say: the answer does not wait for it."""
    release = fv.search(source(), SCHEMA, guards=[fv.KAnonymity(3)]).best("loss")

    class Sleeper(DummyClassifier):
        def fit(self, *_: object) -> None:
            time.sleep(3)

    slow = {"slow": Sleeper()}
    assert cancelled(lambda progress: fv.utility(release, source(), 0.3, classifiers=slow, progress=progress))


def test_profile_and_check(many: tuple[fv.Table, fv.Schema]) -> None:
    table, schema = many
    many_guards = [fv.TCloseness(0.1, distance="ordered")] * 60
    cancelled(lambda progress: fv.profile(table, progress=progress), after=0.05)
    cancelled(lambda progress: fv.check(table, schema, many_guards, progress=progress), after=0.05)


def test_a_plan() -> None:
    plan = fv.Plan.from_toml(
        'format = 1\n[source]\ndataset = "adult"\n[[guards]]\nkind = "k-anonymity"\nk = 10\n'
        '[method]\nkind = "preferences"\nevaluations = 10000000\nlargest = 1\n'
    )
    assert cancelled(plan.run)
