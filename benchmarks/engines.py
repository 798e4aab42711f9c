"""Data larger than memory, and the same release from every engine: `python -m benchmarks.engines [--rows N]`

N people (5 million unless said otherwise) are generated into a Parquet file: 12 columns, 8 of them quasi, skewed and
correlated. Then, each in a process of its own: DuckDB's bare work with the same memory, a group-by of the columns that
ours counts plus a rewrite of all but the identifier, compressed as ours is (Snappy), in the order of the values as ours
is, and in any order; check and release of ours on DuckDB, then verify and attack of the release, by wall, CPU and peak
of resident memory; Adult's CSV to a release; 10 million rows in memory, before and after
where FAIRVEIL_BEFORE names an older checkout; and whether memory, DuckDB, Spark and PostgreSQL publish the same.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.timing import show

ROWS = 5_000_000
SMALL = 10_000_000
"""Rows of the comparison in memory, at most."""
SAME = 1_000_000
"""Rows of the comparison of engines, at most."""
SHARE = 50
"""Of the rows, one so many-th is compared between engines."""
TURNS, SEVERAL = 5, 20_000_000
"""How often the commands and the bare work take turns, up to so many rows; of more rows, once."""
MEMORY = "3GB"
"""What the engine may use; everything together stays below 4 GB."""
HERE = Path(__file__).resolve().parents[1]
QUASI = ("age", "sex", "region", "education", "job", "marital", "children", "born")

PEOPLE = """
SELECT id, age, sex, region, education, job, marital, children, born,
  ['none', 'asthma', 'diabetes', 'cancer', 'flu'][1 + floor(5 * u10 * u10)::INTEGER] AS diagnosis,
  floor(40 * u9 * u10)::INTEGER * 25 AS cost,
  CASE WHEN u6 * u9 < 0.2 THEN 'no' ELSE 'yes' END AS granted
FROM (SELECT *,
  CASE WHEN u4 < 0.49 THEN 'female' ELSE 'male' END AS sex,
  'R' || lpad(floor(16 * u5 * u5 * u5)::INTEGER::VARCHAR, 2, '0') AS region,
  ['none', 'primary', 'secondary', 'trade', 'college', 'bachelor', 'master', 'doctor']
    [1 + least(7, floor(8 * u6 * u7))::INTEGER] AS education,
  'J' || lpad(floor(12 * u6 * u7 * u8)::INTEGER::VARCHAR, 2, '0') AS job,
  ['single', 'married', 'widowed', 'divorced'][1 + least(3, floor(age / 30 * u8 * 1.5))::INTEGER] AS marital,
  least(4, floor(5 * u8 * u9 * u9))::INTEGER AS children,
  (2020 - age - CASE WHEN u10 < 0.01 THEN 10 ELSE 0 END) // 10 * 10 AS born
FROM (SELECT range AS id, {draws}, (18 + floor(40 * u1 + 40 * u2 * u3))::INTEGER AS age FROM range({rows})))
"""
PLAN = """
format = 1
choose = "loss"
accept = ["homogeneity"]
[source]
path = "{path}"
engine = "{engine}"
memory = "{memory}"
[schema]
identifier = ["id"]
quasi = {quasi}
sensitive = ["diagnosis"]
decision = "granted"
denied = "no"
plain = ["cost"]
[hierarchies.age]
kind = "intervals"
edges = [15, 100]
widths = [5, 10, 20]
open_ended = true
[hierarchies.born]
kind = "intervals"
edges = [1900, 2020]
widths = [20, 40]
open_ended = true
[hierarchies.region]
kind = "mask"
length = 3
[hierarchies.job]
kind = "mask"
length = 3
[hierarchies.education]
kind = "grouping"
order = ["none", "primary", "secondary", "trade", "college", "bachelor", "master", "doctor"]
sizes = [2, 4]
[[guards]]
kind = "k-anonymity"
k = 10
suppression = 0.02
[output]
format = "parquet"
"""
BARE = """
import duckdb, json, sys
from benchmarks.memory import usage
source, target, memory, order = sys.argv[1:]
connection = duckdb.connect(config={"memory_limit": memory, "temp_directory": target + ".spill"})
connection.execute("SET enable_progress_bar = false")
cells = f"SELECT count(*) FROM (SELECT %s, count(*) FROM '{source}' GROUP BY ALL)"
rows = f"SELECT * EXCLUDE (id) FROM '{source}'" + (" ORDER BY ALL" if order == "sorted" else "")
[(count,)] = connection.execute(cells).fetchall()
connection.execute(f"COPY ({rows}) TO '{target}' (FORMAT parquet, COMPRESSION snappy)")
print(json.dumps({"cells": count, **usage()}), file=sys.stderr)
""" % ", ".join((*QUASI, "diagnosis", "granted"))  # noqa: UP031 - braces are the program's
MEASURED = """
import json, os, sys, time
start = time.perf_counter()
command = os.posix_spawn(sys.executable, [sys.executable, "-m", "fairveil", *sys.argv[1:]], os.environ)
_, status, spent = os.wait4(command, 0)
seconds = time.perf_counter() - start
cpu, gb = spent.ru_utime + spent.ru_stime, spent.ru_maxrss * 1024 / 1e9
code = os.waitstatus_to_exitcode(status)
print(json.dumps({"code": code, "seconds": seconds, "cpu": cpu, "gb": gb}), file=sys.stderr)
"""
"""A command, run by a small process: `ru_maxrss` begins with what the process holds that starts it."""


def generate(rows: int, path: Path) -> None:
    """The people, drawn from a hash of their number: the same ones each time, with little memory."""
    import duckdb

    draws = ", ".join(f"(hash(range * 31 + {number}) % 1000003) / 1000003.0 AS u{number}" for number in range(1, 11))
    with duckdb.connect() as connection:
        connection.execute(
            "SET enable_progress_bar = false; SET preserve_insertion_order = false; SET memory_limit = '3GB'"
        )
        people = PEOPLE.format(draws=draws, rows=rows)
        connection.execute(f"COPY ({people}) TO '{path}' (FORMAT parquet)")


def write_plan(folder: Path, data: Path, engine: str, name: str = "plan.toml") -> Path:
    plan = folder / name
    plan.write_text(
        PLAN.format(path=data.as_posix(), engine=engine, memory=MEMORY, quasi=json.dumps(QUASI)), encoding="utf-8"
    )
    return plan


def in_process(program: str, *words: object, home: Path = HERE) -> dict[str, float]:
    """The figures that a program prints last, in a fresh process, and its seconds on the wall."""
    environment = {**os.environ, "PYTHONPATH": str(home / "src")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # users have compiled modules
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", program, *map(str, words)],
        env=environment, cwd=home, capture_output=True, text=True, check=False,
    )  # fmt: skip
    seconds = time.perf_counter() - start
    lines = done.stderr.strip().splitlines()
    figures: dict[str, float] = json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {"code": 70}
    if figures.get("code", done.returncode) not in (0, 1):
        raise SystemExit(f"{words[0]} failed: {done.stderr[-2000:]}")
    return {"seconds": seconds, **figures}


def measured(*words: object, home: Path = HERE) -> dict[str, float]:
    """One command of ours; 1 is the exit code of `check` where a guard does not hold."""
    return in_process(MEASURED, *words, home=home)


def scale(rows: int, folder: Path) -> None:
    """Check and release on DuckDB against DuckDB's bare work, by wall, CPU and resident memory; medians of turns."""
    data, rewritten, release = folder / "people.parquet", folder / "bare.parquet", folder / "release"
    start = time.perf_counter()
    generate(rows, data)
    print(f"{rows:,} people, {data.stat().st_size / 1e9:.2f} GB, generated in {time.perf_counter() - start:.1f} s")

    def check(source: Path) -> dict[str, float]:
        return measured(
            "check", source, "--quasi", ",".join(QUASI), "--k", 10, "--engine", "duckdb", "--memory", MEMORY
        )

    few, plan = folder / "few.parquet", write_plan(folder, data, "duckdb")
    generate(1000, few)  # Python compiles the modules that the commands need
    check(few)
    measured("release", write_plan(folder, few, "duckdb", "few.toml"), "--out", folder / "few")
    sorted_bare = in_process(BARE, data, rewritten, MEMORY, "sorted")
    turns: dict[str, list[dict[str, float]]] = {}
    for _ in range(TURNS if rows <= SEVERAL else 1):
        shutil.rmtree(release, ignore_errors=True)
        turns.setdefault("bare", []).append(in_process(BARE, data, rewritten, MEMORY, "any"))
        turns.setdefault("check", []).append(check(data))
        turns.setdefault("release", []).append(measured("release", plan, "--out", release))
    ours = {name: _medians(runs) for name, runs in turns.items()}
    orders = {"sorted": sorted_bare, "any": ours.pop("bare")}
    ours["check and release"] = {
        "seconds": ours["check"]["seconds"] + ours["release"]["seconds"],
        "cpu": ours["check"]["cpu"] + ours["release"]["cpu"],
        "gb": max(ours["check"]["gb"], ours["release"]["gb"]),
    }
    # what comes after, each where the release is
    ours["verify"] = measured("verify", release)
    ours["attack"] = measured("attack", release)
    show(
        f"{rows:,} rows, {int(sorted_bare['cells']):,} cells, on DuckDB, memory = {MEMORY}",
        {
            **{f"DuckDB's group-by and COPY, {name} order": _figures(found) for name, found in orders.items()},
            **{
                name: "; ".join([_figures(found), *(_against(found, bare, order) for order, bare in orders.items())])
                for name, found in ours.items()
            },
        },
    )


def _medians(runs: list[dict[str, float]]) -> dict[str, float]:
    return {key: statistics.median(run[key] for run in runs) for key in ("seconds", "cpu", "gb")}


def _against(found: dict[str, float], bare: dict[str, float], order: str) -> str:
    by_wall, by_cpu = (found[key] / bare[key] for key in ("seconds", "cpu"))
    return f"{by_wall:.2f} times by wall and {by_cpu:.2f} by CPU of the bare work in {order} order"


def _figures(found: dict[str, float]) -> str:
    return f"{found['seconds']:.1f} s, {found['cpu']:.1f} s of CPU, {found['gb']:.2f} GB resident at most"


def in_memory(rows: int, folder: Path) -> None:
    """The same rows in memory, as this version and an older one do it."""
    data = folder / "fewer.parquet"
    generate(rows, data)
    figures = {"now": measured("release", write_plan(folder, data, "memory"), "--out", folder / "now")}
    if before := os.environ.get("FAIRVEIL_BEFORE"):
        plan = write_plan(folder, data, "memory", "before.toml")
        text = plan.read_text().replace('engine = "memory"\n', "").replace(f'memory = "{MEMORY}"\n', "")
        plan.write_text(text)
        figures["before"] = measured("release", plan, "--out", folder / "before", home=Path(before))
    show(
        f"{rows:,} rows in memory",
        {name: f"{found['seconds']:.1f} s, {found['gb']:.2f} GB resident at most" for name, found in figures.items()},
    )


def adult(folder: Path) -> None:
    """Adult's CSV to a release in a fresh process, after a first run that compiles."""
    from fairveil import datasets

    data = folder / "adult.csv"
    bundled = datasets.adult()
    import pyarrow.csv

    pyarrow.csv.write_csv(bundled.table.to_arrow(), data)
    from dataclasses import replace

    from fairveil import KAnonymity, Plan
    from fairveil.run.plan import Origin

    plan = Plan(Origin(path=str(data)), (KAnonymity(10),), bundled.schema)
    replace(plan, folder=folder).save(folder / "adult.toml")
    times = [measured("release", folder / "adult.toml", "--out", folder / f"adult-{turn}") for turn in range(4)]
    show("Adult's CSV to a release", {"in a fresh process": f"{min(time['seconds'] for time in times):.2f} s"})


def same(rows: int, folder: Path) -> None:
    """The same release from every engine."""
    from benchmarks.same import adult, refused, same_everywhere, types
    from fairveil import Plan

    generate(rows, folder / "same.parquet")
    people = Plan.read(write_plan(folder, folder / "same.parquet", "memory"))
    same_everywhere({"people": people, "adult": adult(folder), **types(rows, folder)}, folder)
    refused(folder)


def intervals() -> None:
    """A hierarchy of intervals over a million distinct values."""
    from fairveil import hierarchy

    rule = hierarchy.intervals([0, 1_000_000], widths=(1_000, 10_000, 100_000))
    start = time.perf_counter()
    rule.bind(list(range(1_000_000)))
    show("intervals", {"a million values, 3 levels": f"{time.perf_counter() - start:.2f} s"})


def main() -> None:
    parser = argparse.ArgumentParser(description="Data larger than memory, and the same release from every engine.")
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--only", nargs="*", default=["scale", "memory", "adult", "same", "intervals"])
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "scale" in asked.only:
            scale(asked.rows, folder)
            (folder / "people.parquet").unlink()
        if "memory" in asked.only:
            in_memory(min(SMALL, asked.rows), folder)
        if "adult" in asked.only:
            adult(folder)
        if "same" in asked.only:
            alone = asked.only == ["same"]  # then the rows that were asked for are compared
            same(max(min(SAME, asked.rows if alone else asked.rows // SHARE), 1000), folder)
        if "intervals" in asked.only:
            intervals()


if __name__ == "__main__":
    main()
