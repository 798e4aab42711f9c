"""python -m benchmarks persons: k by persons against k by records, on a panel of people with several records each.

Both in memory (from a Parquet file) and on DuckDB: `check`, and all generalizations that keep k with their figures.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import fairveil as fv

LEVELS = {
    "age": fv.hierarchy.intervals([10, 100], widths=(5, 10, 30)),
    "zip": fv.hierarchy.intervals([0, 100], widths=(10, 50)),
    "edu": fv.hierarchy.intervals([0, 8], widths=(2, 4)),
}
BY_RECORDS = fv.Schema(quasi=["age", "sex", "zip", "edu"], drop=["who"], hierarchies=LEVELS)
BY_PERSONS = fv.Schema(quasi=["age", "sex", "zip", "edu"], person="who", hierarchies=LEVELS)


def panel(rows: int, people: int, names: str = "numbers") -> pa.Table:
    """Records of people who get older and are otherwise the same in each."""
    rng = np.random.default_rng(0)
    who = rng.integers(0, people, rows)
    spelled = {
        "numbers": lambda: who,
        "texts": lambda: pa.array([f"P-{n:08d}" for n in range(people)]).take(pa.array(who)),
        "hashes": lambda: pa.array([str(UUID(bytes=rng.bytes(16))) for _ in range(people)]).take(pa.array(who)),
    }
    return pa.table({
        "who": spelled[names](), "age": rng.integers(18, 90, people)[who] + rng.integers(0, 4, rows),
        "sex": rng.choice(["f", "m"], people)[who], "zip": rng.integers(0, 100, people)[who],
        "edu": rng.integers(0, 8, people)[who],
    })  # fmt: skip


def timed(work: Callable[[fv.Schema], Any]) -> str:
    """The seconds by records and by persons, on the wall and of CPU, each the best of two, taken in turn."""
    seconds: dict[tuple[str, str], list[float]] = defaultdict(list)
    for _ in range(2):
        for unit, schema in (("records", BY_RECORDS), ("persons", BY_PERSONS)):
            began = {"wall": time.perf_counter(), "CPU": time.process_time()}
            work(schema)
            seconds["wall", unit].append(time.perf_counter() - began["wall"])
            seconds["CPU", unit].append(time.process_time() - began["CPU"])
    figures = []
    for clock in ("wall", "CPU"):
        records, persons = (min(seconds[clock, unit]) for unit in ("records", "persons"))
        figures.append(
            f"{records:.2f} s by records, {persons:.2f} s by persons, {persons / records:.1f} times ({clock})"
        )
    return "; ".join(figures)


def main() -> None:
    import duckdb

    options = argparse.ArgumentParser(prog="python -m benchmarks persons")
    options.add_argument("--rows", type=int, default=5_000_000)
    options.add_argument("--people", type=int, default=1_000_000)
    options.add_argument("--names", choices=("numbers", "texts", "hashes"), default="numbers", help="of persons")
    options.add_argument("--only", choices=("memory", "DuckDB"), help="where the data is")
    asked = options.parse_args()
    guard = fv.KAnonymity(5)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "panel.parquet"
        pq.write_table(panel(asked.rows, asked.people, asked.names), file)
        opened: dict[str, Callable[[], Any]] = {
            "memory": lambda: file,
            "DuckDB": lambda: duckdb.connect().read_parquet(str(file)),
        }
        works: dict[str, Callable[[Any, fv.Schema], Any]] = {
            "check": lambda data, schema: fv.check(data, schema, guard),
            "search": lambda data, schema: fv.search(data, schema, guards=[guard], method=fv.Incognito()).best("loss"),
        }
        print(f"{asked.rows:,} records of {asked.people:,} people")
        bare = "select age, sex, zip, edu, count({}) from '{}' group by all"
        connection = duckdb.connect()
        seconds = []
        for counted in ("*", "distinct who"):
            began = time.perf_counter()
            connection.sql(bare.format(counted, file)).to_arrow_table()
            seconds.append(time.perf_counter() - began)
        print(f"DuckDB itself: {seconds[0]:.2f} s for count(*), {seconds[1]:.2f} s for count(distinct who)", flush=True)
        for name, data in opened.items():
            if asked.only not in (None, name):
                continue
            for what, work in works.items():
                figures = timed(lambda schema, data=data, work=work: work(data(), schema))  # type: ignore[misc]
                print(f"{name}, {what}: {figures}", flush=True)


if __name__ == "__main__":
    main()
