"""Figures 19 to 24 with the other methods as their programs do them, and with ours by taxonomy: what depends on it.

The authors' anonymized tables are not public, and which columns they gave the programs as numbers is not in the text:
these are readings. Unanonymized accuracies and the frontier stay open (their own sheets).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from experiments import Sheet
from experiments.rollup.against import BASELINES, best_rule, claims
from experiments.rollup.j48 import accuracy, mean_gain
from experiments.rollup.programs import PROGRAMS
from experiments.rollup.runs import Data, Kept
from experiments.study import Study
from fairveil.counting.cells import Cells
from fairveil.data.table import Table
from fairveil.errors import Infeasible
from fairveil.guards import KAnonymity
from fairveil.methods import Mondrian, TopDownGreedy
from fairveil.methods.task import Task

OURS = {
    "Mondrian": Mondrian(numeric=False),
    "Top-Down Greedy": TopDownGreedy(numeric=False),
    "Datafly": BASELINES["Datafly"],
}
READINGS = ("program, numbers as ranges", "program, numbers by taxonomy", "ours, numbers by taxonomy")
SHOWN = {"accuracy": "accuracy (C4.5)", "ig": "information gain"}


def _published(task: Task, method: str, reading: str, k: int) -> Table | None:
    if reading.startswith("program"):
        name = method if method == "Datafly" else f"{method}, {reading.removeprefix('program, ')}"
        return PROGRAMS[name](task, k)
    again = Task.of(task.table, task.schema, [KAnonymity(k)], task.seed)
    try:
        published: Table = OURS[method].search(again).changes[0].outcome(again.table).table
    except Infeasible:
        return None
    return published


def _judged(task: Task, method: str, reading: str, k: int) -> dict[str, float | None]:
    table = _published(task, method, reading, k)
    if table is None or not table.rows:
        return {"accuracy": None, "ig": None, "smallest": None, "left_out": None}
    smallest = int(Cells.of(table, list(task.schema.quasi)).counts.min())
    return {"accuracy": accuracy(table, task.schema, task.seed), "ig": mean_gain(table, task.schema),
            "smallest": smallest, "left_out": task.table.rows - table.rows}  # fmt: skip


def sheet(study: Study, data: Data, rules: Kept, levels: Sequence[int]) -> Sheet:
    """Every method in every reading at these levels, beside the best rule."""
    cells: list[list[Any]] = []
    by_reading: dict[str, list[dict[str, Any]]] = {reading: [] for reading in READINGS}
    for k in levels:
        best = best_rule(rules, "level", k)
        cells.append([k, "roll-up", "", f"{best['accuracy']:.4f}", f"{best['ig']:.4f}", "", ""])
        for reading in READINGS:
            row: dict[str, Any] = {"k": k, "roll-up": best}
            for method in BASELINES:
                study.tell(study.progress.share, f"{data.label}: {method} as {reading} at k={k}")
                of = {"what": "restated", "data": data.name, "rows": data.task.table.rows, "method": method,
                      "reading": reading, "k": k}  # fmt: skip
                row[method] = study.once(of, partial(_judged, data.task, method, reading, k))
                cells.append([k, method, reading, *_row(row[method])])
            by_reading[reading].append(row)
    notes = [_verdict(reading, rows, data) for reading, rows in by_reading.items()]
    broken = {(m, reading) for reading, rows in by_reading.items() for row in rows for m in BASELINES
              if (row[m]["smallest"] or np.inf) < row["k"]}  # fmt: skip
    said = "; ".join(f"{method} as {reading}" for method, reading in sorted(broken)) or "none"
    notes.append(f"Published with classes smaller than the k that was asked for: {said}.")
    notes.append("The programs were restated from reading them, not run. Which columns the authors gave them as "
                 "numbers, and their anonymized tables, are not public.")  # fmt: skip
    head = ["level", "method", "read as", *SHOWN.values(), "smallest class", "rows left out"]
    title = f"{data.label}: the other methods as their programs do them, at the same anonymity level"
    return Sheet(title, head, cells, notes, not_bundled=data.files)


def _row(judged: Mapping[str, float | None]) -> list[str]:
    figures = ["" if judged[name] is None else f"{judged[name]:.4f}" for name in SHOWN]
    return [*figures, *("" if judged[name] is None else str(judged[name]) for name in ("smallest", "left_out"))]


def _verdict(reading: str, rows: Sequence[Mapping[str, Any]], data: Data) -> str:
    words = []
    for utility, title in SHOWN.items():
        holds = claims(rows, utility, data.name)
        words.append(f"{title}: " + ", ".join(f"{claim} {'yes' if true else 'no'}" for claim, true in holds.items()))
    return f"The paper's claims, {reading}: {'; '.join(words)}."
