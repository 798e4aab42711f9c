"""Rules beside Mondrian, Top-Down Greedy and Datafly at the same anonymity level (Caruccio et al., Figures 19 to 24
and A.34 to A.36).

Here k is k of the quasi columns, which is what all four methods promise. The paper gave the other methods the level of
its rules that counts the decision, too: a smaller number, so they had to generalize less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from experiments.j48 import accuracy, mean_gain
from experiments.rollup_rules import Kept, sampled
from experiments.study import Study
from fairveil.data.table import Table
from fairveil.errors import Infeasible
from fairveil.guards import KAnonymity
from fairveil.learning.classifiers import weighted_support_vectors
from fairveil.measures import cross_validated
from fairveil.methods import Datafly, Method, Mondrian, TopDownGreedy
from fairveil.methods.task import Task

BASELINES: dict[str, Method] = {"Mondrian": Mondrian(), "Top-Down Greedy": TopDownGreedy(), "Datafly": Datafly()}
METHODS = ("roll-up", *BASELINES)
UTILITIES = ("accuracy", "svm", "ig")
QUICK_LEVELS, FULL_LEVELS = 3, 12
QUICK_ROWS, FULL_ROWS = 1_000, 10_000
"""An SVM's time grows with the square of the distinct rows: a table with more of them is sampled."""
Values = dict[str, float | None]


def compared(study: Study, task: Task, name: str, rules: Kept, report: Callable[[str], None]) -> dict[str, Any]:
    """Per level of k what each method leaves, and what the table as it is holds ("plain")."""
    most = study.pick(tiny=300, quick=QUICK_ROWS, full=FULL_ROWS)

    def plain() -> Kept:
        return {**_accuracies(task, task.table, most), "ig": mean_gain(task.table, task.schema)}

    def make(k: int) -> Kept:
        return {"roll-up": best_rule(rules, k), **{m: _baseline(task, BASELINES[m], k, most) for m in BASELINES}}

    of = {"data": name, "rows": task.table.rows, "most": most}
    rows = []
    for k in some_levels(rules["k"], study.pick(tiny=1, quick=QUICK_LEVELS, full=FULL_LEVELS)):
        report(f"{name}: other methods at k={k}")
        rows.append({"k": k, **study.once({"what": "against", **of, "k": k}, partial(make, k))})
    report(f"{name}: not anonymized")
    return {"rows": rows, "plain": study.once({"what": "plain", **of}, plain)}


def some_levels(reached: Sequence[int], most: int) -> list[int]:
    """At most so many of the levels that the rules reach, evenly by ratio from the lowest to the highest."""
    levels = np.unique(np.asarray(reached, dtype=np.int64))
    if len(levels) <= most:
        return [int(k) for k in levels]
    wanted = np.geomspace(levels[0], levels[-1], most)
    return sorted({int(levels[np.abs(np.log(levels) - np.log(w)).argmin()]) for w in wanted})


def best_rule(rules: Kept, k: int) -> Values:
    """The best that a rule of at least k leaves, for each kind of utility on its own."""
    able = np.array(rules["k"]) >= k
    return {name: float(np.array(rules[name])[able].max()) for name in UTILITIES}


def _baseline(task: Task, method: Method, k: int, most: int) -> Values:
    again = Task.of(task.table, task.schema, [KAnonymity(k)], task.seed)
    try:
        proposal = method.search(again)
    except Infeasible:
        return dict.fromkeys(UTILITIES)
    table = proposal.changes[0].outcome(again.table).table
    return {**_accuracies(task, table, most), "ig": mean_gain(table, task.schema)}


def _accuracies(task: Task, table: Table, most: int) -> Values:
    """C4.5 learns from all rows, the SVM from a sample where too many are distinct."""
    svm = cross_validated(sampled(table, task, most), task.schema, weighted_support_vectors, seed=task.seed)
    return {"accuracy": accuracy(table, task.schema, task.seed), "svm": svm}


def verdicts(name: str, rows: Sequence[dict[str, Any]], utility: str) -> list[str]:
    """In a sentence each, where the rules are beaten, and by whom: nothing is left to the reader's eye."""
    sentences = []
    for method in BASELINES:
        pairs = [(row["k"], row["roll-up"][utility], row[method][utility]) for row in rows]
        known = [(k, ours, theirs) for k, ours, theirs in pairs if theirs is not None]
        lost = [k for k, ours, theirs in known if theirs > ours + 5e-4]
        even = [k for k, ours, theirs in known if abs(theirs - ours) <= 5e-4]
        won = len(known) - len(lost) - len(even)
        words = f"{name}: roll-up is better than {method} at {won} of {len(known)} levels"
        words += f", equal at {len(even)}" if even else ""
        words += f"; WORSE at k={', '.join(str(k) for k in lost)}" if lost else ""
        sentences.append(words)
    return sentences
