"""What Section 6 of Caruccio et al. does with one data set: patterns, rules, joins, and what each rule is worth.

The anonymity level that the paper reports of a rule counts the decision as well: the fewest rows that are alike in
the published columns *and* in the decision. The text does not say so, but with it every level it prints comes out
(`reproduce rollup` shows this), and none without. Both levels are kept for every rule.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from experiments import not_bundled
from experiments.j48 import accuracy, gain
from experiments.study import Study
from fairveil import datasets
from fairveil.choice.pareto import pareto
from fairveil.counting.cells import Cells
from fairveil.data.hierarchy import read_taxonomies
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.guards import KAnonymity
from fairveil.learning.classifiers import weighted_support_vectors
from fairveil.measures import cross_validated
from fairveil.methods.rollup import Patterns, Rule, count_patterns, join_all
from fairveil.methods.rollup.border import need_decision
from fairveil.methods.task import Task
from fairveil.recipes.full_domain import FullDomain

DECISIONS = {"electricity": "class", "adult": "income", "bank": "y"}
SHARES = (0.05, 0.10, 0.20, 0.50)
LEAST_K = 2
"""The threshold t of Algorithm 1 in Section 6.2."""
MOST_JOINS = 100_000

Kept = dict[str, Any]
Columns = tuple[np.ndarray, np.ndarray]


def data_folder() -> Path | None:
    """Where the taxonomies are, and beside them the data."""
    taxonomies = not_bundled("taxonomies")
    return taxonomies and taxonomies.parent


def load(folder: Path, name: str, seed: int, k: int = 2) -> Task:
    """A data set with every attribute quasi, under the authors' taxonomies."""
    table = Table.read(folder / f"{name}.csv.gz", missing_values=("?",), missing="drop")
    table = table.drop(["split"])
    taxonomies = read_taxonomies(folder / "taxonomies" / f"Tax{name.capitalize()}", table)
    taxonomies.pop(DECISIONS[name], None)
    schema = Schema(quasi=list(taxonomies), decision=DECISIONS[name], hierarchies=taxonomies)
    return Task.of(table, schema, [KAnonymity(k)], seed)


BUNDLED = "adult, bundled"


def bundled(seed: int, rows: int | None = None) -> Task:
    """Adult as it comes with fairveil, under our own hierarchies: what can be run without the authors' files."""
    adult = datasets.adult()
    table = adult.table
    if rows is not None:
        table = table.take(np.sort(np.random.default_rng(seed).choice(table.rows, rows, replace=False))).compact()
    return Task.of(table, adult.schema, [KAnonymity(2)], seed)


def levels_of(task: Task, nodes: np.ndarray) -> Columns:
    """Of every node the fewest rows that are alike, and the fewest that are so with the same decision."""
    decision = need_decision(task)
    k, with_decision = np.zeros(len(nodes), dtype=np.int64), np.zeros(len(nodes), dtype=np.int64)
    for i, node in enumerate(nodes):
        classes = task.lattice.classes(node, [decision])
        k[i], with_decision[i] = classes.rows.min(), classes.histogram(decision).counts.min()
    return k, with_decision


def gains_of(task: Task, nodes: np.ndarray) -> np.ndarray:
    """Information gain of every node as J48 counts it, on average over the columns."""
    decision = task.table.column(need_decision(task))
    gains = np.zeros(len(nodes))
    for a, name in enumerate(task.levels):
        for level in np.unique(nodes[:, a]):
            column = FullDomain(task.schema, {**_tops(task), name: int(level)}).apply(task.table).table.column(name)
            gains[nodes[:, a] == level] += gain(column, decision) / len(task.levels)
    return gains


def _tops(task: Task) -> dict[str, int]:
    return {name: levels.height for name, levels in task.levels.items()}


READINGS = (
    "patterns with the decision, covering x % of all pairs",
    "patterns of differently decided pairs only, covering x % of those",
    "patterns without the decision, covering x % of all pairs",
)
"""What 'the most frequent distance patterns, yielding the coverage of an x-percentage of tuple pairs' may mean."""
WITH_DECISION = "; k counts the decision"


def rules_of(study: Study, task: Task, name: str) -> Kept:
    """The rules per share, and the largest k under each reading. Counted once: the pairs take longest."""

    def make() -> Kept:
        counted = count_patterns(replace(task, progress=study.progress.part(0, 1)))
        rules: dict[str, Any] = {}
        readings: dict[str, dict[str, int]] = {}
        for reading, share, patterns in _read(counted):
            nodes = patterns.rules(task.lattice.tops)
            nodes = nodes[(nodes < task.lattice.tops).any(axis=1)]
            if reading == READINGS[0]:
                rules[str(share)] = nodes.tolist()
            for label, k in zip(("", WITH_DECISION), levels_of(task, nodes), strict=True):
                readings.setdefault(reading + label, {})[str(share)] = int(k.max(initial=0))
        return {"rules": rules, "readings": readings, "patterns": len(counted.pairs), "pairs": counted.total}

    kept: Kept = study.once({"what": "patterns", "data": name, "rows": task.table.rows}, make)
    return kept


def _read(counted: Patterns) -> Iterator[tuple[str, float, Patterns]]:
    """The patterns that each reading keeps, for every share."""
    differing = Patterns(counted.levels[counted.differ], np.ones(int(counted.differ.sum()), dtype=bool),
                         counted.pairs[counted.differ], int(counted.pairs[counted.differ].sum()))  # fmt: skip
    for reading, patterns in zip(READINGS, (counted, differing, _without_decision(counted)), strict=True):
        for share in SHARES:
            yield reading, share, patterns.covering(share)


def _without_decision(counted: Patterns) -> Patterns:
    """Pairs decided alike and differently counted together; such a pattern counts as differing when any pair does."""
    keys, stride = np.zeros(len(counted.pairs), dtype=np.int64), 1
    for column in counted.levels.T:
        keys += column.astype(np.int64) * stride
        stride *= int(column.max(initial=0)) + 1
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    pairs = np.bincount(place, weights=counted.pairs).astype(np.int64)
    differ = np.bincount(place, weights=counted.differ) > 0
    order = np.argsort(-pairs, kind="stable")
    return Patterns(counted.levels[first[order]], differ[order], pairs[order], counted.total)


def measured(study: Study, task: Task, name: str, share: float, most: int) -> Kept:
    """Algorithm 1 on the rules of one share, and every rule's k, accuracy (C4.5 and SVM) and information gain.

    `most`: rows that the SVM learns from; a larger table is sampled.
    """
    nodes_of = rules_of(study, task, name)["rules"]

    def make() -> Kept:
        rules = np.array(nodes_of[str(share)], dtype=np.int64).reshape(-1, len(task.levels))
        tops = task.lattice.tops
        joined = join_all(rules, tops, lambda nodes: levels_of(task, nodes)[1] >= LEAST_K, MOST_JOINS)
        k, level = levels_of(task, joined.nodes)
        points = {
            "level": level, "k": k, "accuracy": np.zeros(len(k)), "svm": np.zeros(len(k)),
            "ig": gains_of(task, joined.nodes),
        }  # fmt: skip
        for i, node in enumerate(joined.nodes):
            study.progress.check()
            table = _published(task, node)
            points["accuracy"][i] = accuracy(table, task.schema, task.seed)
            some = sampled(table, task, most)
            points["svm"][i] = cross_validated(some, task.schema, weighted_support_vectors, seed=task.seed)
        front = pareto(-np.column_stack([points["level"], points["accuracy"], points["ig"]])) if len(k) else k
        return {
            "extracted": len(rules), "passing": joined.extracted, "tested": joined.tested,
            "complete": joined.complete, "is_joined": (np.arange(len(k)) >= joined.extracted).tolist(),
            "best": front.tolist(), "rules": [str(Rule.of_node(n, list(task.levels), tops)) for n in joined.nodes],
            **{key: values.tolist() for key, values in points.items()},
        }  # fmt: skip

    kept: Kept = study.once(
        {"what": "rules", "data": name, "rows": task.table.rows, "share": share, "most": most}, make
    )
    return kept


def sampled(table: Table, task: Task, most: int) -> Table:
    """The table, or as many rows of it where more are distinct: an SVM's time grows with their square."""
    if len(Cells.of(table, [*task.schema.quasi, need_decision(task)])) <= most or table.rows <= most:
        return table
    return table.take(np.sort(np.random.default_rng(task.seed).choice(table.rows, most, replace=False)))


def _published(task: Task, node: np.ndarray) -> Table:
    return FullDomain(task.schema, dict(zip(task.levels, map(int, node), strict=True))).apply(task.table).table
