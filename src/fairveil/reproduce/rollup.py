"""Caruccio et al., Section 6: rules of three data sets, what joining adds, what the frontier leaves, and baselines.

The data and the authors' taxonomies are read from the folder FAIRVEIL_DATA (or ../shared/data); what is not there is
left out and said. What is done is kept in the output folder, one file per data set and share, and not done again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fairveil.choice.pareto import pareto
from fairveil.errors import BadInput, Infeasible
from fairveil.frontier import Frontier
from fairveil.guards import KAnonymity
from fairveil.hierarchy import read_taxonomies
from fairveil.measures import cross_validated
from fairveil.methods import Datafly, Method, Mondrian, TopDownGreedy
from fairveil.methods.base import Proposal
from fairveil.methods.full_domain import NodeRecipes, summarize
from fairveil.methods.rollup import RollUp, count_patterns, join_all
from fairveil.methods.rollup.method import passing
from fairveil.methods.rollup.patterns import Patterns
from fairveil.reproduce import Sheet, data_folders
from fairveil.schema import Schema
from fairveil.table import Table
from fairveil.task import Progress, Task

TITLE = "Rules read off roll-up dependencies on Electricity, Adult and Bank (Caruccio et al., Figures 4 to 30)"

DECISIONS = {"electricity": "class", "adult": "income", "bank": "y"}
SHARES = (0.05, 0.10, 0.20, 0.50)
PAPER_K = {  # Section 6.2: the largest anonymity level; None where the text gives none
    "electricity": {0.05: 7846, 0.50: 130},
    "adult": {0.05: 469, 0.50: 78},
    "bank": {0.05: 752, 0.20: 61, 0.50: 1},
}
BASELINES: dict[str, Method] = {"Mondrian": Mondrian(), "Top-Down Greedy": TopDownGreedy(), "Datafly": Datafly()}
QUICK_ROWS, QUICK_RULES, FULL_RULES = 4_000, 12, 1_500
QUICK_JOINS, FULL_JOINS = 500, 20_000
ASSUMED = (
    "a pattern includes the decision; equally frequent patterns are kept or left out together",
    "accuracy: a scikit-learn decision tree in place of Weka's J48, 10 stratified folds",
    "information gain: mean over the quasi columns of what each published column tells of the decision",
)

Report = Callable[[float, str], None]


def run(out: Path, *, full: bool = False, seed: int = 0, progress: Progress | None = None) -> list[Sheet]:
    """All three data sets. Quick: patterns of a sample of rows, and accuracy of some rules; full: of all."""
    from fairveil.reproduce import rollup_plots

    out.mkdir(parents=True, exist_ok=True)
    folder = data_folder()
    if folder is None:
        raise BadInput(
            "the taxonomies of Caruccio et al. are not here: set FAIRVEIL_DATA to the folder that holds them"
        )

    def report(share: float, what: str) -> None:
        if progress is not None:
            progress(share, what)

    rules, against = [], []
    for place, name in enumerate(DECISIONS):
        task = load(folder, name, seed)
        results = [_share(out, task, name, share, full, report, (place + i / 5) / 3) for i, share in enumerate(SHARES)]
        rules += [_rule_row(name, share, found) for share, found in zip(SHARES, results, strict=True)]
        compared = _compared(out, task, name, results[0], full, report, (place + 0.9) / 3)
        against += [[name, *row] for row in compared["rows"]]
        rollup_plots.draw(out, name, dict(zip(SHARES, results, strict=True)), compared)
    how = f"patterns of {'all pairs' if full else f'the pairs of {QUICK_ROWS:,} sampled rows'}"
    limit = f"accuracy of at most {FULL_RULES if full else QUICK_RULES:,} rules per share, spread evenly over k"
    return [
        Sheet(
            "Rules of at least k=2, and their Pareto frontier over k, accuracy and information gain",
            [
                "data",
                "share",
                "extracted",
                "k≥2",
                "joined",
                "tested",
                "measured",
                "frontier",
                "fewer",
                "largest k",
                "paper's k",
            ],
            rules,
            (how, limit, *ASSUMED),
        ),
        Sheet(
            "Accuracy at the same anonymity level (share 5 %)",
            ["data", "k", "roll-up", *BASELINES, "not anonymized"],
            against,
            (
                "roll-up is the best measured rule of at least k",
                "baselines cut numbers as numbers and names by taxonomy",
            ),
        ),
    ]


def data_folder() -> Path | None:
    """Where the taxonomies are, and beside them the data."""
    return next((folder for folder in data_folders() if (folder / "taxonomies").is_dir()), None)


def load(folder: Path, name: str, seed: int, k: int = 2) -> Task:
    """A data set with every attribute quasi, under the authors' taxonomies."""
    table = Table.read(folder / f"{name}.csv.gz", missing_values=("?",), missing="drop")
    table = table.drop(["split"])
    found = read_taxonomies(folder / "taxonomies" / f"Tax{name.capitalize()}", table)
    found.pop(DECISIONS[name], None)
    schema = Schema(quasi=list(found), decision=DECISIONS[name], hierarchies=found)
    return Task.of(table, schema, [KAnonymity(k)], seed)


def _kept(path: Path, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What a file holds, or what is made and then written there."""
    if path.is_file():
        held: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return held
    made = make()
    path.write_text(json.dumps(made), encoding="utf-8")
    return made


def _share(out: Path, task: Task, name: str, share: float, full: bool, report: Report, done: float) -> dict[str, Any]:
    """The rules that hold on the patterns covering a share, joined, with k, information gain and accuracy."""
    mode = "full" if full else "quick"

    def make() -> dict[str, Any]:
        report(done, f"{name}: rules on {share:.0%} of the pairs")
        rules = _patterns(out, task, name, full).covering(share).rules(task.lattice.tops)
        rules = rules[(rules < task.lattice.tops).any(axis=1)]
        most = FULL_JOINS if full else QUICK_JOINS
        joined = join_all(rules, task.lattice.tops, lambda nodes: passing(task, nodes), most)
        summary = summarize(task, joined.nodes, True)
        some = _spread(summary.smallest, FULL_RULES if full else QUICK_RULES)
        found = Frontier(
            task, Proposal(RollUp(), NodeRecipes(task, joined.nodes), lambda gain: summary, False), index=some
        )
        accuracy = found.values("accuracy") if len(some) else np.zeros(0)
        points = np.column_stack([summary.smallest[some], accuracy, summary.gain[some].mean(axis=1)])
        return {
            "extracted": len(rules), "passing": joined.extracted, "joined": len(joined.nodes) - joined.extracted,
            "tested": joined.tested, "complete": joined.complete, "k": summary.smallest.tolist(),
            "points": points.tolist(), "is_joined": (some >= joined.extracted).tolist(),
            "best": pareto(-points).tolist() if len(points) else [],
        }  # fmt: skip

    return _kept(out / f"rollup-{name}-{share:.2f}-{mode}.json", make)


def _patterns(out: Path, task: Task, name: str, full: bool) -> Patterns:
    """Counted once per data set: kept beside the results, as the count takes longest."""
    path = out / f"patterns-{name}-{'full' if full else 'quick'}.npz"
    if path.is_file():
        held = np.load(path)
        return Patterns(held["levels"].astype(np.int64), held["differ"], held["pairs"], int(held["total"]))
    if not full:
        rows = np.random.default_rng(task.seed).choice(task.table.rows, QUICK_ROWS, replace=False)
        task = Task.of(task.table.take(np.sort(rows)), task.schema, task.guards, task.seed)
    found = count_patterns(task).covering(max(SHARES))
    levels = found.levels.astype(np.int8)
    np.savez_compressed(path, levels=levels, differ=found.differ, pairs=found.pairs, total=found.total)
    return found


def _spread(k: np.ndarray, most: int) -> np.ndarray:
    """At most so many candidates, evenly from the lowest to the highest k."""
    order = np.argsort(k, kind="stable")
    if len(order) <= most:
        return np.sort(order)
    return np.sort(order[np.unique(np.linspace(0, len(order) - 1, most).astype(int))])


def _rule_row(name: str, share: float, found: dict[str, Any]) -> list[Any]:
    measured, best = len(found["points"]), sum(found["best"])
    fewer = f"{1 - best / measured:.0%}" if measured else ""
    printed = PAPER_K[name].get(share)
    joined = f"{found['joined']:,}" + ("" if found["complete"] else " (stopped)")
    return [
        name, f"{share:.0%}", found["extracted"], found["passing"], joined, found["tested"], measured, best, fewer,
        int(max(found["k"], default=0)), printed,
    ]  # fmt: skip


def _compared(
    out: Path, task: Task, name: str, found: dict[str, Any], full: bool, report: Report, done: float
) -> dict[str, Any]:
    """Accuracy of the rules and of the baselines at some of the anonymity levels that the rules reach."""

    def make() -> dict[str, Any]:
        points = np.array(found["points"]).reshape(-1, 3)
        reached = np.unique(points[:, 0]).astype(int)
        wanted = (
            reached[np.unique(np.linspace(0, len(reached) - 1, 12 if full else 4).astype(int))] if len(reached) else []
        )
        plain = cross_validated(task.table, task.schema, seed=task.seed)
        rows = []
        for k in wanted:
            report(done, f"{name}: baselines at k={k}")
            ours = float(points[points[:, 0] >= k][:, 1].max())
            rows.append(
                [int(k), round(ours, 4), *(_baseline(task, m, int(k)) for m in BASELINES.values()), round(plain, 4)]
            )
        return {"rows": rows, "plain": plain}

    return _kept(out / f"baselines-{name}-{'full' if full else 'quick'}.json", make)


def _baseline(task: Task, method: Method, k: int) -> float | None:
    again = Task.of(task.table, task.schema, [KAnonymity(k)], task.seed)
    try:
        recipe = method.search(again).recipes[0]
    except Infeasible:
        return None
    return round(cross_validated(recipe.apply(again.table).table, task.schema, seed=task.seed), 4)
