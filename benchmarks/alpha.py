"""α-protective Incognito on Adult (27,000 nodes, minimum support 5 %, DA = race, sex, marital status, τ = 8).

1. All α-protective solutions for each measure against the plain k-anonymity search: at most 1.5 times its time.
2. Against the sequential way, the k-anonymous set first and then Definition 4 on each node of it. The sequential way
   is given all that the rest of the package has, too: cells instead of rows, and Apriori pruning of column sets; once
   as the definition says, every rule measured, and once by a compiled check that stops at the first alarm.
3. `check --alpha` on many rows: one pass over the data to cells, and memory that follows the cells.

Processor times of one run, by turns, best of several. Run: python -m benchmarks.alpha [rows of part 3]
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

import fairveil as fv
from fairveil.guards.discrimination import MEASURES
from fairveil.guards.protection import discriminatory_rules
from fairveil.table import Table
from fairveil.task import Task

KS = (5, 10, 25, 50, 100)


def best_of(runs: int, work: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Processor seconds: all of this runs on one thread, and a busy machine does not change them much."""
    for function in work.values():
        function()  # compiled and cached from here on
    best = dict.fromkeys(work, float("inf"))
    for _ in range(runs):
        for name, function in work.items():
            started = time.process_time()
            function()
            best[name] = min(best[name], time.process_time() - started)
    return best


def against_plain() -> None:
    adult = fv.datasets.adult()
    print("k    plain      " + "".join(f"{name:>18}" for name in MEASURES))
    for k in KS:
        searches = {"plain": partial(fv.search, adult.table, adult.schema, guards=[fv.KAnonymity(k)])}
        for f in MEASURES:
            guards = [fv.KAnonymity(k), fv.AlphaProtection(1.2, f, 0.05, 8)]
            searches[f] = partial(fv.search, adult.table, adult.schema, guards=guards)
        seconds = best_of(60, searches)
        every = len(searches["plain"]())
        cells = "".join(f"{seconds[f] / seconds['plain']:8.2f}× ({len(searches[f]()):3} of)" for f in MEASURES)
        print(f"{k:<4} {1e3 * seconds['plain']:6.2f} ms {cells} {every}")


def against_sequential() -> None:
    """Whole searches, where the k-anonymous set is part of both ways, and what α-protection alone adds to it."""
    adult = fv.datasets.adult()
    print("                        sequential, all rules             sequential, compiled, first alarm")
    print("k    measure     whole           whole       α alone             whole       α alone")
    for k in KS:
        for measure in MEASURES:
            guard = fv.AlphaProtection(1.2, measure, 0.05, 8)
            task = Task.of(adult.table, adult.schema, [fv.KAnonymity(k), guard])
            nodes = task.lattice.anonymous(k).nodes
            search = partial(fv.search, adult.table, adult.schema)
            ways = {
                "at once": partial(search, guards=[fv.KAnonymity(k), guard]),
                "plain": partial(search, guards=[fv.KAnonymity(k)]),
                "α": partial(guard.filter_nodes, task.lattice, task.schema, nodes),
                "first alarm": partial(each, task, guard, nodes, True),
            }
            seconds = best_of(5, ways) | best_of(1, {"all rules": partial(each, task, guard, nodes, False)})
            answer = guard.filter_nodes(task.lattice, task.schema, nodes)
            assert all((each(task, guard, nodes, compiled) == answer).all() for compiled in (True, False))
            shown = ""
            for way in ("all rules", "first alarm"):
                whole = seconds["plain"] + seconds[way]
                shown += (
                    f"{1e3 * whole:8.1f} ms {whole / seconds['at once']:5.0f}× {seconds[way] / seconds['α']:9.0f}×    "
                )
            print(f"{k:<4} {measure:8} {1e3 * seconds['at once']:7.2f} ms {shown}")


def each(task: Task, guard: fv.AlphaProtection, nodes: np.ndarray, compiled: bool) -> np.ndarray:
    decision = [str(task.schema.decision)]
    answers = []
    for node in nodes:
        classes = task.lattice.classes(node, decision, published=True)
        answers.append(guard.holds(classes, task.schema) if compiled else not guard.rules(classes, task.schema, 1))
    return np.array(answers)


def check_many_rows(rows: int) -> None:
    adult = fv.datasets.adult()
    index = np.random.default_rng(0).integers(0, adult.table.rows, rows)
    many = Table(tuple(column.take(index) for column in adult.table.columns))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    rules = discriminatory_rules(many, adult.schema, alpha=1.2)
    seconds = time.perf_counter() - started
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{rows:,} rows in memory: {len(rules)} discriminatory rules in {seconds:.2f} s, {more:,.0f} MB more at most")


def main() -> None:
    against_plain()
    print()
    against_sequential()
    print()
    check_many_rows(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)


if __name__ == "__main__":
    main()
