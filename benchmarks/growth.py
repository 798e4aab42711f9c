"""How a search grows: with rows, distinct tuples, attributes and k. All solutions of a full-domain search each time.

`python -m benchmarks.growth`. One thing grows at a time; rows are drawn from Adult as in `scale`, tuples from columns
of integers under intervals. Plots are in docs/results/speed.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

import fairveil as fv
from benchmarks.mdav import many
from benchmarks.timing import SERIES, best_of, show


def searches(table: Any, schema: fv.Schema, k: int) -> Callable[[], Any]:
    return lambda: fv.search(table, schema, guards=[fv.KAnonymity(k)])


def by_rows(sizes: Sequence[int]) -> dict[int, Callable[[], Any]]:
    adult = fv.datasets.adult()
    return {size: searches(many(adult.table, size), adult.schema, 5) for size in sizes}


def by_tuples(sizes: Sequence[int], rows: int) -> dict[int, Callable[[], Any]]:
    """Six columns, as many different tuples as asked for, repeated to the same number of rows."""
    made = {}
    for size in sizes:
        rng = np.random.default_rng(size)
        tuples = {f"c{i}": rng.integers(0, 64, size) for i in range(6)}
        of_row = np.concatenate([np.arange(size), rng.integers(0, size, rows - size)])
        rule = fv.hierarchy.intervals([0, 64], widths=(4, 16))
        schema = fv.Schema(quasi=list(tuples), hierarchies=dict.fromkeys(tuples, rule))
        table = fv.Table.from_frame(pa.table({name: codes[of_row] for name, codes in tuples.items()}))
        made[size] = searches(table, schema, 5)
    return made


def by_attributes(counts: Sequence[int]) -> dict[int, Callable[[], Any]]:
    adult = fv.datasets.adult()
    made = {}
    for count in counts:
        names = adult.schema.quasi[:count]
        schema = fv.Schema(quasi=names, hierarchies={name: adult.schema.hierarchies[name] for name in names})
        made[count] = searches(adult.table.select(names).compact(), schema, 5)
    return made


def by_k(ks: Sequence[int]) -> dict[int, Callable[[], Any]]:
    adult = fv.datasets.adult()
    return {k: searches(adult.table, adult.schema, k) for k in ks}


def main(tiny: bool = False) -> None:
    sizes = (1_000, 3_000) if tiny else (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000)
    tuples = (100, 300) if tiny else (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
    grown = {
        "rows": by_rows(sizes),
        "distinct tuples": by_tuples(tuples, max(tuples)),
        "attributes": by_attributes((2, 3) if tiny else (2, 3, 4, 5, 6, 7, 8)),
        "k": by_k((5, 50) if tiny else (2, 5, 10, 20, 50, 100, 200, 500, 1000)),
    }
    for what, work in grown.items():
        found = {size: len(run()) for size, run in work.items()}
        times = best_of(1 if tiny else 3, {str(size): run for size, run in work.items()})
        show(
            f"All solutions while {what} grow" if what != "k" else "All solutions while k grows",
            {f"{size:>9,}": f"{times[str(size)] * 1e3:9.1f} ms, {found[size]:,} solutions" for size in work},
        )
        SERIES[f"search by {what}"] = {"fairveil": [(size, times[str(size)]) for size in work]}


if __name__ == "__main__":
    main()
