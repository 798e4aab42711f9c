"""Every method on Adult, compiled, against the seconds that somebody who watches will wait.

`python -m benchmarks methods`. A search and its best release where nothing else is said. CPU seconds of one thread, the
best of two after a first run. `python -m benchmarks.methods NAME …` runs the cases whose names begin so; with
`--threads` it prints the seconds on the wall with all cores.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import fairveil as fv
from benchmarks.timing import best_of

ACCURATE = ("k", "loss", "accuracy")
"""The measures of the exploration of ten methods."""


def cases() -> dict[str, tuple[float, Callable[[], Any]]]:
    """Seconds to stay below, and the work, by name."""
    adult, k = fv.datasets.adult(), fv.KAnonymity(5)

    def found(method: Any, guards: Any = k) -> Callable[[], Any]:
        return lambda: fv.search(adult.table, adult.schema, guards=guards, method=method).best("loss").table

    ten = [
        fv.Incognito(), fv.BestFirst(), fv.Preferences(evaluations=4000), fv.RollUp(), fv.Mondrian(),
        fv.TopDownGreedy(), fv.Datafly(), fv.MDAV(), fv.TDS(), fv.TDR(),
    ]  # fmt: skip

    def explored() -> Any:
        return fv.explore(adult.table, adult.schema, guards=k, methods=ten, measures=ACCURATE).records(ACCURATE)

    return {
        "incognito": (1.0, found(fv.Incognito())),
        "best-first": (1.0, found(fv.BestFirst())),
        "mondrian": (0.1, found(fv.Mondrian())),
        "top-down greedy": (1.0, found(fv.TopDownGreedy())),
        "local suppression": (1.0, found(fv.LocalSuppression())),
        "datafly": (1.0, found(fv.Datafly())),
        "mdav": (1.0, found(fv.MDAV())),
        "fair-mdav": (1.0, found(fv.FairMDAV(size=10))),
        "tds": (1.0, found(fv.TDS())),
        "tdr": (1.0, found(fv.TDR())),
        "roll-up trade-off": (1.0, found(fv.RollUp())),
        "noisy table": (1.0, found(fv.NoisyTable(epsilon=1.0, public={"income": ["<=50K", ">50K"]}))),
        "preferences, 50,000 evaluations": (2.0, found(fv.Preferences(evaluations=50_000))),
        "preferences, one step and its release": (1.0, _step(adult)),
        "dmpd, 100 generations of 50, German Credit": (1.5, _partitionings()),
        "explore ten methods with accuracies": (6.0, explored),
    }


def _step(adult: Any) -> Callable[[], Any]:
    session = fv.ReferenceDirection(
        adult.table, adult.schema, guards=[fv.KAnonymity(5)], method=fv.Preferences(), start={"necd": 1.0, "nwp": 0.6}
    )
    session.step()

    def step() -> Any:
        session.step(0)
        return session.release(0).table

    return step


def _partitionings() -> Callable[[], Any]:
    from experiments.decomposition.runs import prepared, schema_of

    table, ranked = prepared("german_credit")
    schema = schema_of(table, ranked[:9], {})
    method = fv.DMPD(generations=100, population=50)
    return lambda: fv.search(table, schema, guards=[fv.KAnonymity(10)], method=method)


def main() -> None:
    options = sys.argv[1:]
    alone = "--threads" not in options
    if alone:
        os.environ["FAIRVEIL_THREADS"] = "1"
    names = [name for name in options if not name.startswith("--")]
    clock = time.process_time if alone else time.perf_counter
    print(f"\nMethods on Adult, {'CPU seconds of one thread' if alone else 'seconds with all cores'}, k=5")
    for name, (limit, work) in cases().items():
        if names and not any(name.startswith(wanted) for wanted in names):
            continue
        seconds = best_of(2, {name: work}, clock)[name]
        print(f"  {name:<44} {seconds:7.2f} s of {limit:4.1f}  {'' if seconds <= limit else 'missed'}", flush=True)


if __name__ == "__main__":
    main()
