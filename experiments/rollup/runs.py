"""What Section 6 of Caruccio et al. does with one data set: patterns, rules, joins, and what each rule is worth.

The anonymity level that the paper reports of a rule counts the decision as well: the fewest rows that are alike in
the published columns *and* in the decision. The text does not say so, but with it every level it prints comes out
(`reproduce rollup` shows this), and none without. Both levels are kept for every rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np

from experiments import not_bundled
from experiments.rollup.j48 import accuracy, bits, gain, gain_of_names
from experiments.study import Study
from fairveil import datasets
from fairveil.choice.pareto import pareto
from fairveil.counting.cells import Cells
from fairveil.data.hierarchy import automatic, read_taxonomies
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
BUNDLED = ("adult", "bank")
"""Data that comes with the project; the authors' taxonomies do not."""
SHARES = (0.05, 0.10, 0.20, 0.50)
LEAST_K = 2
"""The threshold t of Algorithm 1 in Section 6.2."""
MOST_JOINS = 100_000

Kept = dict[str, Any]
Columns = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Data:
    """A data set as one run takes it. `files`: those it was made from that do not come with the project."""

    name: str
    task: Task
    files: tuple[str, ...] = ()
    rows_of_all: int = 0
    """Rows of the whole data set; fewer are used where it was sampled."""

    @property
    def label(self) -> str:
        return self.name.capitalize()

    @property
    def slug(self) -> str:
        return self.name.replace(" ", "-")

    @property
    def whole(self) -> bool:
        return self.task.table.rows == self.rows_of_all

    @property
    def of_paper(self) -> bool:
        return bool(self.files)


def data_folder() -> Path | None:
    """Where the taxonomies are, and beside them the data."""
    taxonomies = not_bundled("taxonomies")
    return taxonomies and taxonomies.parent


def read_data(folder: Path, name: str, missing: Literal["drop", "category"] = "drop") -> Table:
    return Table.read(folder / f"{name}.csv.gz", missing_values=("?",), missing=missing).drop(["split"])


def load(folder: Path, name: str, seed: int, k: int = 2, rows: int | None = None) -> Task:
    """A data set with every attribute quasi, under the authors' taxonomies; `rows`: so many of it, drawn."""
    table = _some(read_data(folder, name), rows, seed)
    taxonomies = read_taxonomies(folder / "taxonomies" / f"Tax{name.capitalize()}", table)
    taxonomies.pop(DECISIONS[name], None)
    schema = Schema(quasi=list(taxonomies), decision=DECISIONS[name], hierarchies=taxonomies)
    return Task.of(table, schema, [KAnonymity(k)], seed)


def of_authors(folder: Path, name: str, seed: int, rows: int | None) -> Data:
    files = (f"taxonomies/Tax{name.capitalize()}", *(() if name in BUNDLED else (f"{name}.csv.gz",)))
    return Data(name, load(folder, name, seed, rows=rows), files, read_data(folder, name).rows)


EARLIER = ("campaign", "pdays", "previous", "poutcome")
"""Bank's columns about other calls: with them, hierarchies as deep as ours have more patterns than are counted."""


def stand_in(name: str, seed: int, rows: int | None) -> Data:
    """What can be run without the authors' files: Adult under our hierarchies, Bank under hierarchies made as the paper
    makes its own."""
    if name == "adult":
        adult = datasets.adult()
        table, schema = _some(adult.table, rows, seed), adult.schema
        return Data("bundled adult", Task.of(table, schema, [KAnonymity(2)], seed), (), adult.table.rows)
    whole = Table.read(Path(__file__).parents[1] / "data" / f"{name}.csv.gz").drop(list(EARLIER))
    table = _some(whole, rows, seed)
    quasi = [column for column in table.names if column != DECISIONS[name]]
    schema = Schema(quasi=quasi, decision=DECISIONS[name], hierarchies=automatic(table, quasi, seed=seed))
    return Data(f"bundled {name}", Task.of(table, schema, [KAnonymity(2)], seed), (), whole.rows)


def _some(table: Table, rows: int | None, seed: int) -> Table:
    if rows is None or rows >= table.rows:
        return table
    return table.take(np.sort(np.random.default_rng(seed).choice(table.rows, rows, replace=False))).compact()


def levels_of(task: Task, nodes: np.ndarray) -> Columns:
    """Of every node the fewest rows that are alike, and the fewest that are so with the same decision."""
    decision = need_decision(task)
    k, with_decision = np.zeros(len(nodes), dtype=np.int64), np.zeros(len(nodes), dtype=np.int64)
    for i, node in enumerate(nodes):
        classes = task.lattice.classes(node, [decision])
        k[i], with_decision[i] = classes.rows.min(), classes.histogram(decision).counts.min()
    return k, with_decision


def gains_of(task: Task, nodes: np.ndarray) -> np.ndarray:
    """Information gain of every node's columns as J48 counts it, a row per node."""
    decision = task.table.column(need_decision(task))
    gains = np.zeros(nodes.shape)
    for a, name in enumerate(task.levels):
        for level in np.unique(nodes[:, a]):
            column = task.table.column(name)
            shown = task.levels[name].codes[level][column.codes]
            gains[nodes[:, a] == level, a] = gain_of_names(shown, decision.codes) if level else gain(column, decision)
    return gains


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
        here = study.progress.share
        counted = count_patterns(replace(task, progress=study.progress.part(here, here + 0.05)))
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

    A published table is judged once, whichever shares have its rule. `most`: rows that the SVM learns from; a larger
    table is sampled.
    """
    of = {"data": name, "rows": task.table.rows}
    nodes = np.array(rules_of(study, task, name)["rules"][str(share)], dtype=np.int64).reshape(-1, len(task.levels))
    kept: Kept = dict(study.once({"what": "joined", **of, "share": share}, partial(joined_rules, task, nodes)))
    for what, judge in (("accuracy", _tree), ("svm", partial(_svm, most=most))):
        rows = {"most": most} if what == "svm" else {}
        kept[what] = []
        for place, node in enumerate(kept["nodes"]):
            study.tell(study.progress.share, f"{name}, {share:.0%}: {what} of rule {place + 1} of {len(kept['nodes'])}")
            judged = study.once({"what": what, **of, "node": node, **rows}, partial(judge, task, node))
            kept[what].append(judged)
    kept["best"] = frontier(kept).tolist()
    return kept


def joined_rules(task: Task, nodes: np.ndarray) -> Kept:
    """The rules of at least level 2 and what joining makes of them, each with its levels and its gain."""
    tops = task.lattice.tops
    joined = join_all(nodes, tops, lambda some: levels_of(task, some)[1] >= LEAST_K, MOST_JOINS)
    k, level = levels_of(task, joined.nodes)
    gains = gains_of(task, joined.nodes)
    return {
        "extracted": len(nodes), "passing": joined.extracted, "tested": joined.tested, "complete": joined.complete,
        "is_joined": (np.arange(len(k)) >= joined.extracted).tolist(), "nodes": joined.nodes.tolist(),
        "rules": [str(Rule.of_node(node, list(task.levels), tops)) for node in joined.nodes],
        "level": level.tolist(), "k": k.tolist(), "ig": gains.mean(axis=1).tolist(),
        "largest ig": gains.max(axis=1, initial=0).tolist(), "joint ig": [_joint(task, n) for n in joined.nodes],
    }  # fmt: skip


def _joint(task: Task, node: np.ndarray) -> float:
    """Bits that all columns of a rule together tell of the decision."""
    decision = need_decision(task)
    classes = task.lattice.classes(node, [decision])
    decided = np.bincount(task.table.column(decision).codes)
    return bits(decided) + bits(classes.rows) - bits(classes.histogram(decision).counts)


def frontier(rules: Kept, accuracy: str = "accuracy", level: str = "level", ig: str = "ig") -> np.ndarray:
    """Which rules no other rule beats in level, accuracy and information gain."""
    points = -np.column_stack([rules[level], rules[accuracy], rules[ig]]).reshape(-1, 3)
    return pareto(points) if len(points) else np.zeros(0, dtype=bool)


def _tree(task: Task, node: Sequence[int]) -> float:
    return accuracy(_published(task, node), task.schema, task.seed)


def _svm(task: Task, node: Sequence[int], most: int) -> float:
    some = sampled(_published(task, node), task, most)
    return cross_validated(some, task.schema, weighted_support_vectors, seed=task.seed)


def sampled(table: Table, task: Task, most: int) -> Table:
    """The table, or as many rows of it where more are distinct: an SVM's time grows with their square."""
    if len(Cells.of(table, [*task.schema.quasi, need_decision(task)])) <= most or table.rows <= most:
        return table
    return table.take(np.sort(np.random.default_rng(task.seed).choice(table.rows, most, replace=False)))


def _published(task: Task, node: Sequence[int] | np.ndarray) -> Table:
    return FullDomain(task.schema, dict(zip(task.levels, map(int, node), strict=True))).outcome(task.table).table
