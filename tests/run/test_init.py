"""fv.init: a first plan for whatever holds the data, which runs as it is, and in which the owner's words win."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import fairveil as fv


def people(rows: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "name": [f"Person {i}" for i in range(rows)],
            "age": rng.integers(18, 80, rows),
            "sex": rng.choice(np.array(["f", "m"]), rows),
            "diagnosis": rng.choice(np.array(["flu", "cold", "asthma", "gout"]), rows),
            "town": rng.choice(np.array(["Oslo", "Bergen", "Hamar"]), rows),
        }
    )


def database(frame: pd.DataFrame, folder: Path) -> Path:
    with duckdb.connect(str(folder / "people.duckdb")) as connection:
        connection.execute("CREATE TABLE people AS SELECT * FROM frame")
    return folder / "people.duckdb"


def csv(frame: pd.DataFrame, folder: Path) -> Path:
    frame.to_csv(folder / "people.csv", index=False)
    return folder / "people.csv"


KINDS: dict[str, Callable[[pd.DataFrame, Path], Any]] = {
    "pandas": lambda frame, folder: frame,
    "polars lazy": lambda frame, folder: pl.from_pandas(frame).lazy(),
    "table": lambda frame, folder: fv.Table.from_frame(frame),
    "csv": csv,
    "csv as text": lambda frame, folder: str(csv(frame, folder)),
    "duckdb": database,
    "url": lambda frame, folder: f"duckdb://{database(frame, folder)}",
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_plan_runs_as_it_is(kind: str, tmp_path: Path) -> None:
    data = KINDS[kind](people(), tmp_path)
    plan = fv.init(data, sensitive="diagnosis", k=4, audience="internal")
    assert isinstance(plan, fv.Plan) and plan.schema is not None
    assert plan.schema.sensitive == ("diagnosis",) and plan.guards[0].to_dict()["k"] == 4
    assert {"age", "sex"} <= set(plan.schema.quasi) and "name" not in plan.schema.published
    assert plan.reasons["diagnosis"] == "you said so" and "Check first" in " ".join(plan.questions or ("Check first",))
    release = plan.run()
    assert release.measures["k"] >= 4
    assert "name" not in release.table.names


def test_a_plan_for_a_file_can_be_saved_and_read(tmp_path: Path) -> None:
    plan = fv.init(csv(people(), tmp_path), decision="sex", denied="f", drop=["town"])
    again = fv.Plan.read(plan.save(tmp_path / "plan.toml"))
    assert again.schema == plan.schema and again.guards == plan.guards and again.methods == plan.methods
    assert again.schema is not None and again.schema.denied == "f" and again.schema.drop == ("town",)


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(fv.BadInput, match="no column 'agee': did you mean 'age'"):
        fv.init(people(), quasi=["agee"])
    with pytest.raises(fv.BadInput, match="no audience 'publik': did you mean 'public'"):
        fv.init(people(), audience="publik")  # type: ignore[arg-type]


def test_large_frames_are_looked_at_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    from fairveil.run import init

    monkeypatch.setattr(init, "ROWS", 100)
    monkeypatch.setattr(init, "LARGE_CELLS", 1000)
    plan = fv.init(people(3000).set_axis(range(5), axis=1), quasi=[1, 2])
    assert plan.schema is not None and set(plan.schema.quasi) >= {"1", "2"} and "0" not in plan.schema.published


def test_check_without_a_schema_says_what_a_frame_has() -> None:
    verdicts = fv.check(people(), progress=False)
    assert [verdict.guard.kind for verdict in verdicts][:2] == ["k-anonymity", "distinct-diversity"]
    assert verdicts[0].sentence.startswith("k = 1, with age") and verdicts[0].worst == 1
    [verdict] = fv.check(people(), guards=fv.KAnonymity(2))
    assert not verdict and "as quasi columns (suggested)" in verdict.sentence
    [attained] = fv.check(people(), fv.Schema(quasi=["sex"]))
    assert attained.sentence == f"k = {people()['sex'].value_counts().min()}"
