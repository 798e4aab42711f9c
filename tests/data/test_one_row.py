"""One row per person: of every kind of frame, in a plan and on the command line, against a loop."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil import cli

KINDS: dict[str, Any] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "table": fv.Table.from_frame,
}


def visits(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    who = [None if who == "none" else who for who in rng.choice(["p", "q", "r", "s", "none"], 30).tolist()]
    when = pd.Series(pd.to_datetime(rng.integers(0, 20, 30), unit="D")).mask(rng.random(30) < 0.2)
    return pd.DataFrame({"who": who, "when": when, "note": np.arange(30)})


def by_hand(frame: pd.DataFrame, keep: str) -> list[int]:
    chosen: dict[Any, int] = {}
    for row, (who, when) in enumerate(zip(frame["who"], frame["when"], strict=True)):
        before = None if who not in chosen else frame["when"][chosen[who]]
        if who not in chosen or (
            not pd.isna(when) and (pd.isna(before) or (when > before if keep == "latest" else when < before))
        ):
            chosen[who] = row
    return sorted(chosen.values())


@pytest.mark.parametrize("kind", KINDS)
def test_the_latest_and_the_first(kind: str) -> None:
    for seed in range(20):
        frame = visits(seed)
        given = KINDS[kind](frame)
        for keep in ("latest", "first"):
            kept = fv.one_row_per_person(given, person="who", keep=keep, by="when")
            assert type(kept) is type(given)
            column = kept.column("note") if kind == "table" else kept["note"]
            values = [column.domain[code] for code in column.codes] if kind == "table" else list(column)
            assert [getattr(value, "as_py", lambda v=value: v)() for value in values] == by_hand(frame, keep)


def test_a_random_row_of_each() -> None:
    frame = visits(0)
    chosen = [fv.one_row_per_person(frame, person="who", keep="random", seed=seed) for seed in range(30)]
    assert all(sorted(kept["who"].fillna("")) == ["", "p", "q", "r", "s"] for kept in chosen)
    assert chosen[0].equals(fv.one_row_per_person(frame, person="who", keep="random", seed=0))
    assert len({tuple(kept["note"]) for kept in chosen}) > 20


def test_what_is_refused() -> None:
    frame = visits(0).assign(text="x")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"person": "whom", "by": "when"}, "whom"),
        ({"person": "who"}, "dates or numbers"),
        ({"person": "who", "by": "text"}, "dates or numbers"),
        ({"person": "who", "keep": "last", "by": "when"}, "'last'"),
    ]
    for settings, says in wrong:
        with pytest.raises(fv.BadInput, match=says):
            fv.one_row_per_person(frame, **settings)
    with pytest.raises(fv.BadInput, match="collect"):
        fv.one_row_per_person(pl.LazyFrame({"who": [1]}), person="who", keep="random")


PLAN = """format = 1
[source]
path = "visits.csv"
[schema]
quasi = ["age"]
plain = ["year"]
person = "who"
[hierarchies.age]
kind = "suppress"
[[guards]]
kind = "k-anonymity"
k = 2
"""


def test_in_a_plan_and_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"p{person},{person % 3},{year}" for person in range(12) for year in range(2000, 2001 + person % 3)]
    (tmp_path / "visits.csv").write_text("who,age,year\n" + "\n".join(rows) + "\n", encoding="utf-8")
    prepared = PLAN + '[prepare]\none_row_per_person = "latest"\nby = "year"\n'
    plan = fv.Plan.from_toml(prepared, tmp_path)
    assert fv.Plan.from_toml(plan.to_toml(), tmp_path) == plan
    release = plan.run()
    latest = [2000 + person % 3 for person in range(12)]
    assert sorted(release.table.to_arrow()["year"].to_pylist()) == sorted(latest)
    assert release.outcome.rows == 12 and "who" not in release.table.names
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    options = ["--one-row-per-person", "latest", "--by", "year", "--accept", "uniqueness"]
    assert cli.run(["release", str(tmp_path / "plan.toml"), "--out", str(tmp_path / "r"), *options]) == 0
    assert (tmp_path / "r" / "data.csv").read_text().count("\n") == 13
    assert fv.verify(tmp_path / "r")
    for wrong, says in (
        ("[prepare]\nby = 'year'\n", "one_row_per_person"),
        ("[prepare]\none_row_per_person = 'last'\n", "last"),
    ):
        with pytest.raises(fv.BadInput, match=says):
            fv.Plan.from_toml(PLAN + wrong, tmp_path).run()
    nobody = prepared.replace('person = "who"', 'drop = ["who"]')
    with pytest.raises(fv.BadInput, match="who a record is about"):
        fv.Plan.from_toml(nobody, tmp_path).run()
