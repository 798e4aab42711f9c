"""α-protective Incognito on Adult (27,000 nodes, minimum support 5 %, DA = race, sex, marital status, τ = 8).

1. All α-protective solutions for each measure against the plain k-anonymity search: at most 1.5 times its time.
2. Against the sequential way, the k-anonymous set first and then Definition 4 on each table of it: every frequent rule
   measured, with Apriori pruning of column sets. Twice more it is given what belongs to our own way: cells in place of
   tables, and then also a compiled check that stops at the first alarm.
3. `check --alpha` on many rows: one pass over the data to cells, and memory that follows the cells.

Processor times of one run, by turns, best of several. Run: python -m benchmarks.alpha [rows of part 3]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

import fairveil as fv
from benchmarks import timing
from benchmarks.memory import peak
from fairveil.counting.cells import Cells
from fairveil.data.table import Table
from fairveil.guards.rules.alpha import classes_for, discriminatory_rules
from fairveil.guards.rules.lift import MEASURES
from fairveil.methods.lattice_nodes import node_recipe
from fairveil.methods.task import Task

KS = (5, 10, 25, 50, 100)


best_of = partial(timing.best_of, clock=time.process_time)
"""Processor seconds of all threads, which a busy machine does not change much."""


def against_plain() -> None:
    adult = fv.datasets.adult()
    print("k    plain      " + "".join(f"{name:>18}" for name in MEASURES))
    for k in KS:
        searches = {"plain": partial(fv.search, adult.table, adult.schema, guards=[fv.KAnonymity(k)])}
        for f in MEASURES:
            guards = [fv.KAnonymity(k), fv.AlphaProtection(1.2, f, 0.05, 8, ("quasi",))]
            searches[f] = partial(fv.search, adult.table, adult.schema, guards=guards)
        seconds = best_of(60, searches)
        every = len(searches["plain"]())
        timing.ratio(f"plain search / α-protective, k={k}", seconds["plain"] / max(seconds[f] for f in MEASURES))
        cells = "".join(f"{seconds[f] / seconds['plain']:8.2f}× ({len(searches[f]()):3} of)" for f in MEASURES)
        print(f"{k:<4} {1e3 * seconds['plain']:6.2f} ms {cells} {every}")


WAYS = {"tables": "its tables", "cells": "our cells, all rules", "alarm": "our cells, compiled, to the first alarm"}


def against_sequential() -> None:
    """Whole searches, where the k-anonymous set is part of both ways, and what α-protection alone adds to it."""
    adult = fv.datasets.adult()
    print("k    measure    at once " + "".join(f"   {f'sequential, {said}':>40}" for said in WAYS.values()))
    for k in KS:
        for measure in MEASURES:
            guard = fv.AlphaProtection(1.2, measure, 0.05, 8, ("quasi",))
            task = Task.of(adult.table, adult.schema, [fv.KAnonymity(k), guard])
            nodes = task.lattice.anonymous(k)
            search = partial(fv.search, adult.table, adult.schema)
            quick = {
                "at once": partial(search, guards=[fv.KAnonymity(k), guard]),
                "plain": partial(search, guards=[fv.KAnonymity(k)]),
                "α": partial(guard.filter_nodes, task.lattice, task.schema, nodes),
            }
            slow = {way: partial(each, task, guard, nodes, way) for way in WAYS}
            seconds = best_of(10, quick) | best_of(1, slow)
            answer = guard.filter_nodes(task.lattice, task.schema, nodes)
            assert all((work() == answer).all() for work in slow.values())
            shown = ""
            for way, words in WAYS.items():
                whole = seconds["plain"] + seconds[way]
                timing.ratio(f"sequential α ({words}), {measure}, k={k}", whole / seconds["at once"])
                alone = seconds[way] / seconds["α"]
                shown += f"   {1e3 * whole:8.0f} ms {whole / seconds['at once']:4.0f}× (α alone {alone:6,.0f}×)   "
            print(f"{k:<4} {measure:8} {1e3 * seconds['at once']:7.2f} ms {shown}")


def each(task: Task, guard: fv.AlphaProtection, nodes: np.ndarray, way: str) -> np.ndarray:
    """Definition 4 on one k-anonymous table after the other."""
    decision = [str(task.schema.decision)]
    answers = []
    for node in nodes:
        if way == "tables":
            classes = classes_for(guard, node_recipe(task, node).outcome(task.table).table, task.schema)
        else:
            classes = task.lattice.classes(node, decision, published=True)
        answers.append(guard.holds(classes, task.schema) if way == "alarm" else not guard.rules(classes, task.schema))
    return np.array(answers)


def check_many_rows(rows: int) -> None:
    """The check from a file, in a process of its own: a tenth of the rows, and all; the cells are nearly the same."""
    adult = fv.datasets.adult()
    discriminatory_rules(adult.table, adult.schema, alpha=1.2)  # loaded and compiled from here on
    for some in (rows // 10, rows):
        index = np.random.default_rng(0).integers(0, adult.table.rows, some)
        many = Table(tuple(column.take(index) for column in adult.table.columns))
        held, started = peak(), time.perf_counter()
        found = discriminatory_rules(many, adult.schema, alpha=1.2)
        print(
            f"{some:,} rows in memory: {len(found)} discriminatory rules in {time.perf_counter() - started:.2f} s, "
            f"{peak() - held:,.0f} MB more at most"
        )
        cells = len(Cells.of(many, many.names))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "many.csv"
            with pa.csv.CSVWriter(path, many.to_arrow(slice(0, 0)).schema) as writer:
                for batch in many.batches():
                    writer.write_table(batch)
            del many, index
            size = path.stat().st_size / 1e6
            asked = [path, "--alpha", "1.2", "--decision", "income", "--denied", "<=50K", "--json"]
            grounds = ["--protected", ",".join(adult.schema.protected)]
            started = time.perf_counter()
            said = subprocess.run(
                [sys.executable, "-c", CHECK, "check", *map(str, asked), *grounds],
                capture_output=True,
                text=True,
                check=False,
            )
            seconds = time.perf_counter() - started
            assert said.returncode == 1, said.stderr
            held = float(said.stderr.split()[-1])
            print(
                f"check --alpha of {some:,} rows ({size:,.0f} MB, {cells:,} cells) from a CSV file: {seconds:.1f} s, "
                f"peak {held:,.0f} MB with Python and Arrow"
            )


CHECK = """
import os, sys
from benchmarks.memory import peak
from fairveil.cli import run
code = run(sys.argv[1:])
print(peak(), file=sys.stderr)
sys.stdout.flush()
os._exit(code)  # as the command itself ends: DuckDB's modules print notes when Python unloads them
"""


def main() -> None:
    against_plain()
    print()
    against_sequential()
    print()
    check_many_rows(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000)


if __name__ == "__main__":
    main()
