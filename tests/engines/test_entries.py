"""Whatever takes data takes it as a frame of any kind: in memory, lazy, on DuckDB, Spark or a database."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.release.release import publish

ROWS = 90
GUARDS = [fv.KAnonymity(3)]
SIMPLE = fv.Schema(
    quasi=["age", "sex"], sensitive=["illness"], decision="illness", denied="flu",
    hierarchies={"age": fv.hierarchy.intervals([20, 40], widths=(5, 10))},
)  # fmt: skip


def few() -> pa.Table:
    random = np.random.default_rng(1)
    return pa.table({
        "age": random.integers(20, 40, ROWS), "illness": random.choice(["flu", "cold"], ROWS),
        "sex": random.choice(["F", "M"], ROWS),
    })  # fmt: skip


def found(data: Any, **more: Any) -> fv.Frontier:
    return fv.search(data, SIMPLE, guards=GUARDS, **more)


def of_memory() -> fv.Release:
    return found(few()).best("loss")


ENTRIES: dict[str, Callable[[Any], Any]] = {
    "search": lambda data: found(data).best("loss").table.to_arrow().to_pydict(),
    "rows": lambda data: found(data, method=fv.Mondrian()).release(0).table.to_arrow().to_pydict(),
    "explore": lambda data: fv.explore(data, SIMPLE, guards=GUARDS, methods=[fv.Incognito()]).values("loss").tolist(),
    "explore_depths": lambda data: fv.explore_depths(
        data, SIMPLE, guards=GUARDS, methods=[fv.Incognito()], depths=[1, 2]
    ).rows(),
    "promise_costs": lambda data: [cost.cost for cost in fv.promise_costs(data, SIMPLE, guards=GUARDS)],
    "repair_costs": lambda data: [cost.cost for cost in fv.repair_costs(data, SIMPLE, guards=GUARDS)],
    "check": lambda data: [v.sentence for v in fv.check(data, SIMPLE, GUARDS)],
    "profile": lambda data: fv.profile(data).to_dict()["columns"],
    "publish": lambda data: publish(data, SIMPLE, GUARDS, of_memory().recipe).table.to_arrow().to_pydict(),
    "apply": lambda data: sorted(of_memory().recipe.outcome(data).table.to_arrow()["age"].to_pylist()),
    "attack": lambda data: sorted(finding.attack for finding in fv.attack(of_memory(), data)),
    "utility": lambda data: sorted(fv.utility(of_memory(), data, queries=5, resamples=2).to_dict()),
    "background_knowledge": lambda data: sorted(map(str, fv.background_knowledge(data, ["sex"], confidence=0.3))),
    "population_risk": lambda data: fv.population_risk(
        data, replace(SIMPLE, population=fv.Population(size=900))
    ).to_dict(),
    "key_risks": lambda data: fv.key_risks(data, SIMPLE, size=2).to_dict(),
    "init": lambda data: fv.init(data).reasons["age"],
    "table": lambda data: sorted(fv.Table.from_frame(data).column("age").to_arrow().to_pylist()),
}


def test_wrapped_and_lazy_frames() -> None:
    import polars

    frame = polars.from_arrow(few())
    wanted = {name: entry(few()) for name, entry in ENTRIES.items()}
    for given in (frame, frame.lazy(), nw.from_native(frame), nw.from_native(frame.lazy()), frame.to_pandas()):
        for name, entry in ENTRIES.items():
            assert entry(given) == wanted[name], (name, type(given))


def test_every_entry(native: Callable[[pa.Table], Any], request: pytest.FixtureRequest) -> None:
    given = native(few())
    slow = "spark" in request.node.name  # each entry takes Spark seconds: those that read alike are tried once
    for name, entry in ENTRIES.items():
        if not slow or name in ("check", "publish", "table"):
            assert entry(given) == entry(few()), name


def test_no_entry_is_forgotten() -> None:
    """Whatever is public and takes a table, or original data, is tried above."""
    takes = {
        name for name in fv.__all__
        if inspect.isfunction(getattr(fv, name))
        and {"table", "original", "data", "sample"} & set(inspect.signature(getattr(fv, name)).parameters)
    }  # fmt: skip
    takes -= {"verify", "report", "report_dict"}  # whose table is the name of one
    assert len(takes) >= 7 and takes <= {*ENTRIES}


def test_what_is_no_frame_is_said() -> None:
    for entry in (found, fv.profile, fv.Table.from_frame):
        with pytest.raises(fv.BadInput, match="is not a data frame"):
            entry(object())
