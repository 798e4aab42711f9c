"""How searches grow: all solutions of a full-domain search with rows, distinct tuples, attributes and k; then every
method with rows and with quasi columns.

`python -m benchmarks growth`. One thing grows at a time; rows are drawn from Adult as in `scale`, tuples from columns
of integers under intervals, and so are the records of the methods. A method's exponent is the power of rows by which it
grew from the first size to the last; n·log n shows as about 1.1. A size is left out, and a line says so, where it would
take longer than `PATIENCE` if the method grew as the number of rows or columns. Plots are in docs/results/speed.md.
`--methods [SECONDS]`: the methods alone, with so much patience.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

import fairveil as fv
from benchmarks.mdav import many
from benchmarks.timing import SERIES, best_of, show
from fairveil.errors import BadInput, Infeasible


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


def numbers(rows: int, columns: int) -> tuple[fv.Table, fv.Schema]:
    """Records with so many quasi columns of 16 values each, which depend on one another, and a decision."""
    rng = np.random.default_rng([rows, columns])
    common = rng.integers(0, 16, rows)
    quasi = {f"q{i}": np.where(rng.random(rows) < 0.5, common, rng.integers(0, 16, rows)) for i in range(columns)}
    rule = fv.hierarchy.intervals([0, 16], widths=(4,))
    schema = fv.Schema(quasi=list(quasi), decision="good", hierarchies=dict.fromkeys(quasi, rule))
    return fv.Table.from_frame(pa.table({**quasi, "good": (common + rng.integers(0, 8, rows) > 11).tolist()})), schema


METHODS: dict[str, Any] = {
    "incognito": fv.Incognito(), "best-first": fv.BestFirst(time_limit=5, keep=1), "datafly": fv.Datafly(),
    "roll-up": fv.RollUp(), "tds": fv.TDS(), "tdr": fv.TDR(), "mondrian": fv.Mondrian(),
    "top-down greedy": fv.TopDownGreedy(), "local suppression": fv.LocalSuppression(), "mdav": fv.MDAV(),
    "preferences": fv.Preferences(evaluations=500),
}  # fmt: skip
"""Searches by every method that needs no more than quasi columns and a decision; best-first is stopped after 5 s."""
SIZES = (10_000, 100_000, 1_000_000), (5, 10, 20, 40)
"""Rows and quasi columns of every method's searches."""
PATIENCE = 30.0
"""CPU seconds that one search may be expected to take."""


def by_method(
    grown: Sequence[tuple[int, int]], axis: int, patience: float = PATIENCE
) -> dict[str, list[tuple[float, float]]]:
    """CPU seconds of each method at the sizes (rows, columns), of which the one at `axis` grows; prints them."""
    curves: dict[str, list[tuple[float, float]]] = {}
    lines = {}
    for name, method in METHODS.items():
        points: list[tuple[float, float]] = []
        said = ""
        for size in grown:
            if points and points[-1][1] * size[axis] / points[-1][0] > patience:
                said = f", longer than {patience:.0f} s at {size[axis]:,}"
                break
            table, schema = numbers(*size)

            def run(table: fv.Table = table, schema: fv.Schema = schema, method: Any = method) -> Any:
                return fv.search(table, schema, guards=[fv.KAnonymity(5, suppression=0.05)], method=method)

            try:
                if not points:
                    run()  # compiled from here on
                start = time.process_time()
                run()
            except (BadInput, Infeasible) as reason:
                said = f", at {size[axis]:,}: {reason}"
                break
            points.append((size[axis], time.process_time() - start))
        power = ""
        if len(points) > 1:
            (first, fast), (last, slow) = points[0], points[-1]
            power = f", exponent {np.log(slow / fast) / np.log(last / first):.2f}"
        curves[name] = points
        lines[name] = ", ".join(f"{size:,.0f}: {seconds:.2f} s" for size, seconds in points) + power + said
        print(f"  {name:<18} {lines[name][:160]}", flush=True)
    return curves


def of_methods(rows: Sequence[int], columns: Sequence[int], patience: float = PATIENCE) -> None:
    print(f"\nEvery method while rows grow, {columns[0]} quasi columns: CPU seconds")
    SERIES["methods by rows"] = by_method([(size, columns[0]) for size in rows], 0, patience)
    print(f"\nEvery method while quasi columns grow, {rows[0]:,} rows: CPU seconds")
    SERIES["methods by quasi columns"] = by_method([(rows[0], count) for count in columns], 1, patience)


def main(tiny: bool = False) -> None:
    if sys.argv[1:2] == ["--methods"]:
        return of_methods(*SIZES, *map(float, sys.argv[2:]))
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
    if not tiny:
        of_methods(*SIZES)


if __name__ == "__main__":
    main()
