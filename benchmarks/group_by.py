"""Counting cells, the one thing that grows with rows: against raw group-bys of DuckDB and Polars, and against the
physical limit, which is the bytes of the codes over the bandwidth that this machine's memory shows in the same run.

`python -m benchmarks.group_by [rows]`. All get the same eight columns of integers, already coded, in memory.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

import fairveil as fv
from benchmarks.mdav import many
from benchmarks.timing import best_of, ratio, show
from fairveil.counting.cells import Cells

ROWS = 10_000_000
READ = 1 << 28
"""Bytes that are read in order to see how quickly memory gives them."""


def contenders(rows: int) -> tuple[dict[str, Callable[[], Any]], int]:
    """Ways to count, by name, and the bytes that any of them has to read."""
    import duckdb
    import polars as pl

    adult = fv.datasets.adult()
    names = list(adult.schema.quasi)
    table = many(adult.table.select(names), rows)
    codes = {name: np.ascontiguousarray(table.column(name).codes) for name in names}
    frame = pl.DataFrame({name: pa.array(values) for name, values in codes.items()})
    listed = ", ".join(f'"{name}"' for name in names)
    relation = duckdb.from_arrow(pa.table(codes))
    groups = f"select {listed}, count(*) from codes group by all"
    distinct = f"select count(*) from ({groups})"
    ordered = f"select {listed}, count(*) from codes group by all order by min(rowid)"
    connection = duckdb.connect()
    connection.register("coded", pa.table(codes))
    connection.execute("create table codes as select * from coded")
    work = {
        "fairveil": lambda: len(Cells.of(table, names)),
        "Polars": lambda: frame.group_by(names).len().height,
        "DuckDB": lambda: relation.query("codes", distinct).fetchall()[0][0],
        "DuckDB, groups returned": lambda: len(relation.query("codes", groups).fetchnumpy()["count_star()"]),
        "DuckDB, in order": lambda: len(connection.sql(ordered).fetchnumpy()["count_star()"]),
    }
    return work, sum(values.nbytes for values in codes.values())


def bandwidth() -> Callable[[], Any]:
    """Reads `READ` bytes in order, as quickly as NumPy can."""
    block = np.ones(READ // 8, dtype=np.int64)
    return block.sum


def main(rows: int | None = None) -> None:
    rows = rows or (int(float(sys.argv[1])) if len(sys.argv) > 1 else ROWS)
    work, size = contenders(rows)
    cells = {name: each() for name, each in work.items()}
    if len(set(cells.values())) != 1:
        raise AssertionError(f"not the same cells: {cells}")
    times = best_of(3, {**work, "memory": bandwidth()})
    speed = READ / times.pop("memory")
    ours, limit = times["fairveil"], size / speed
    lines = {"fairveil": f"{ours:.3f} s, {ours / rows * 1e9:.1f} ns a row"}
    for name in [name for name in work if name != "fairveil"]:
        lines[name] = f"{times[name]:.3f} s, {ratio(f'{name} group-by', times[name] / ours):.2f} times ours"
    lines["physical limit"] = (
        f"{limit:.4f} s: {size / 1e6:,.0f} MB at {speed / 1e9:.1f} GB/s, one core reading in order; "
        f"ours takes {ours / limit:,.0f} times that"
    )
    ratio("physical limit", limit / ours)
    show(f"{next(iter(cells.values())):,} cells of {rows:,} rows, eight columns", lines)


if __name__ == "__main__":
    main()
