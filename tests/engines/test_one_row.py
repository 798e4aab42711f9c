"""One row per person: of every kind of frame, on every engine, in a plan and on the command line, against a sort."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil import cli
from fairveil.counting.cells import Cells
from fairveil.engines import source_of
from fairveil.engines.one_row import KEEP, OneRow
from fairveil.run.explore import explore_request
from fairveil.run.request import Request
from fairveil.run.sections import Origin
from tests.contracts.people import contents
from tests.known import ANY_DANGER

KINDS: dict[str, Any] = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "table": fv.Table.from_frame,
    "polars, lazy": lambda frame: pl.from_pandas(frame).lazy(),
}


def visits(seed: int, rows: int = 30) -> pd.DataFrame:
    """People with several rows, many of which tie: dates, texts and numbers, with missing ones."""
    rng = np.random.default_rng(seed)
    who = [None if who == "none" else who for who in rng.choice(["p", "q", "r", "s", "none"], rows).tolist()]
    when = pd.Series(pd.to_datetime(rng.integers(0, 5, rows), unit="D")).mask(rng.random(rows) < 0.2)
    town = pd.Series(rng.choice(["Bari", "Rome", "aix"], rows)).mask(rng.random(rows) < 0.2)
    return pd.DataFrame({"note": rng.integers(0, 3, rows), "who": who, "when": when, "town": town})


def listed(frame: Any) -> list[tuple[Any, ...]]:
    """The rows of a frame of any kind, with None for missing values."""
    if isinstance(frame, fv.Table):
        rows = frame.to_arrow()
    elif isinstance(frame, pd.DataFrame):
        rows = pa.Table.from_pandas(frame, preserve_index=False)
    else:
        rows = nw.from_native(frame).lazy().collect("pyarrow").to_native()
    return [tuple(str(v) if isinstance(v, dt.datetime) else v for v in row.values()) for row in rows.to_pylist()]


def by_hand(frame: pd.DataFrame, keep: str) -> list[tuple[Any, ...]]:
    """The row of each person that sorts first: by date, then column by column, missing values last."""
    rows = [tuple(None if pd.isna(v) else v for v in row) for row in frame.itertuples(index=False)]
    sign = -1 if keep == "latest" else 1

    def place(row: tuple[Any, ...]) -> tuple[Any, ...]:
        date = (1, 0) if row[2] is None else (0, sign * row[2].value)
        return (*date, *((value is None, "" if value is None else value) for value in row))

    chosen = {row[1]: row for row in sorted(rows, key=place, reverse=True)}
    return [tuple(str(v) if isinstance(v, dt.datetime) else v for v in row) for row in chosen.values()]


def text(row: tuple[Any, ...]) -> str:
    return repr(row)


@pytest.mark.parametrize("kind", KINDS)
def test_the_latest_and_the_first(kind: str) -> None:
    for seed in range(20):
        frame = visits(seed)
        given = KINDS[kind](frame)
        for keep in ("latest", "first"):
            kept = fv.one_row_per_person(given, person="who", keep=keep, by="when")
            assert type(kept) is type(given)
            assert sorted(listed(kept), key=text) == sorted(by_hand(frame, keep), key=text)


@pytest.mark.parametrize("keep", ["latest", "first", "random"])
def test_the_order_of_rows_changes_nothing(keep: Any) -> None:
    for seed in range(10):
        frame = visits(seed)
        turned = frame.sample(frac=1, random_state=seed)
        ours, theirs = (fv.one_row_per_person(f, person="who", keep=keep, by="when", seed=7) for f in (frame, turned))
        assert sorted(listed(ours), key=text) == sorted(listed(theirs), key=text)
        kept = fv.one_row_per_person(frame.assign(row=range(30)), person="who", keep=keep, by="when")
        assert list(kept["row"]) == sorted(kept["row"])


def test_every_row_of_a_person_is_as_likely() -> None:
    """Rows of different people that are alike are chosen by themselves, or all would keep the same month."""
    frame = pd.DataFrame([{"who": who, "month": month, "even": month % 2} for who in range(3000) for month in range(6)])
    months = fv.one_row_per_person(frame, person="who", keep="random", seed=3)["month"].value_counts()
    assert len(months) == 6 and months.sub(500).abs().max() < 100  # five standard deviations
    other = fv.one_row_per_person(frame, person="who", keep="random", seed=4)
    assert not other["month"].equals(fv.one_row_per_person(frame, person="who", keep="random", seed=3)["month"])


def test_every_engine_keeps_the_same_rows(native: Callable[[pa.Table], Any], tmp_path: Path) -> None:
    frame = visits(1, rows=200)
    frame["who"] = frame["who"].fillna("x") + (frame.index % 20).astype(str)
    frame.loc[::17, "who"] = None
    table = pa.Table.from_pandas(frame, preserve_index=False)
    given = native(table)
    slow = type(given).__module__.startswith("pyspark")
    for keep in KEEP[:1] if slow else KEEP:
        theirs, ours = (OneRow("who", keep, "when", 5).of(source_of(data)) for data in (table, given))
        mine, other = (counted_rows(source.count(table.column_names)) for source in (ours, theirs))
        assert ours.engine is not None and mine == other
    schema = fv.Schema(quasi=["town"], plain=["note"], drop=["when"], person="who")
    saved = [
        run_plan(data, schema, "random").save(tmp_path / name, format="parquet", accept=ANY_DANGER).path
        for name, data in (("memory", table), ("engine", source_of(given)))
    ]
    assert contents(saved[0]) == contents(saved[1])
    if type(given).__module__.startswith("ibis"):
        with pytest.raises(fv.BadInput, match="in a plan"):
            fv.one_row_per_person(given, person="who", keep="random")
        return
    kept = fv.one_row_per_person(given, person="who", keep="random")
    assert type(kept) is type(given)
    theirs = fv.one_row_per_person(table, person="who", keep="random")
    assert sorted(listed(kept), key=text) == sorted(listed(theirs), key=text)


def counted_rows(cells: Cells) -> set[str]:
    rows = cells.table().to_arrow().to_pylist()
    return {repr((*row.values(), int(count))) for row, count in zip(rows, cells.counts, strict=True)}


def run_plan(data: Any, schema: fv.Schema, keep: Any) -> fv.Release:
    request = Request(Origin(data=data), (fv.KAnonymity(2),), schema, one_row_per_person=keep, by="when", seed=5)
    return explore_request(request, ["loss"]).best("loss")


def test_spellings_of_a_value_do_not_choose(tmp_path: Path) -> None:
    """A column of text may write a value in several ways; the file on DuckDB gives what it gives in memory."""
    rng = np.random.default_rng(2)
    cells = [rng.choice(["1", "1.0", "2", "", "02"], 400), rng.choice(["2020-01-01", "2021-05-03", ""], 400)]
    lines = [f"p{n % 60},{a},{b}" for n, (a, b) in enumerate(zip(*cells, strict=True))]
    (tmp_path / "visits.csv").write_text("who,age,year\n" + "\n".join(lines) + "\n", encoding="utf-8")
    for keep in ("latest", "first", "random"):
        prepared = PLAN + f'[prepare]\none_row_per_person = "{keep}"\nby = "year"\n'
        paths = []
        for engine in ("memory", "duckdb"):
            plan = fv.Plan.from_toml(prepared.replace("[schema]", f'engine = "{engine}"\n[schema]'), tmp_path)
            paths.append(plan.run().save(tmp_path / f"{keep} {engine}", accept=ANY_DANGER).path)
        assert contents(paths[0]) == contents(paths[1])


def test_a_random_row_of_each() -> None:
    frame = visits(0)
    chosen = [fv.one_row_per_person(frame, person="who", keep="random", seed=seed) for seed in range(30)]
    assert all(sorted(kept["who"].fillna("")) == ["", "p", "q", "r", "s"] for kept in chosen)
    assert chosen[0].equals(fv.one_row_per_person(frame, person="who", keep="random", seed=0))
    assert len({text(tuple(listed(kept))) for kept in chosen}) > 20


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
        with pytest.raises(fv.BadInput, match=says):
            fv.one_row_per_person(pl.from_pandas(frame).lazy(), **settings)


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
