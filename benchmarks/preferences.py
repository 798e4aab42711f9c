"""50,000 free groupings of Adult (105 bits): fairveil's population kernel against numpy.unique and Polars' group_by.

All three get the same genomes (the ones NSGA-II asked for, most of them near feasible), the same distinct cells with
counts, and the same class keys to build; each computes the smallest and the largest class and NWP. Contenders take
turns on blocks of genomes, and the best of several rounds counts for each. Duplicates, which fairveil's cache would
answer for free, are not among the genomes.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from benchmarks.timing import ratio
from experiments.preferences.runs import table_three
from fairveil.guards import KAnonymity
from fairveil.methods.preferences import Explorer, Preferences
from fairveil.methods.preferences.evaluator import Evaluator
from fairveil.methods.preferences.grouping_space import GroupingSpace
from fairveil.methods.task import Task

GENOMES = 50_000
BLOCK = 250
ROUNDS = 8


def loss_table(space: GroupingSpace) -> list[np.ndarray]:
    """Rows per slot, weighted and scaled: NWP is their product with the group sizes."""
    layout = space.layout
    weights = [space.task.schema.loss_weight(name) for name in space.domains]
    rows = layout.leaf_rows[:, : layout.sizes.max()]
    scale = [w / (size - 1) / rows[0].sum() for w, size in zip(weights, layout.sizes, strict=True)]
    return [row[:size] * s for row, size, s in zip(rows, layout.sizes, scale, strict=True)]


def keys_and_loss(space: GroupingSpace, cells: dict[str, np.ndarray], costs: list[np.ndarray], genome: np.ndarray):
    key, stride, nwp = 0, 1, 0.0
    for (name, groups), cost in zip(space.groups(genome).items(), costs, strict=True):
        key = key + (groups * stride)[cells[name]]
        stride *= int(groups[-1]) + 1
        nwp += cost @ (np.bincount(groups)[groups] - 1)
    return key, nwp


def contenders(space: GroupingSpace) -> dict[str, Callable[[np.ndarray], np.ndarray]]:
    import polars as pl

    quasi = space.task.cells
    cells, counts, costs = {name: quasi.codes[name] for name in space.domains}, quasi.counts, loss_table(space)

    def fairveil(genomes: np.ndarray) -> np.ndarray:
        summary, _ = Evaluator(space, ["necd", "nwp"]).describe(genomes)
        return np.column_stack(
            [summary.smallest, summary.largest, (summary.loss * summary.weights).sum(axis=1) / summary.rows]
        )

    def unique(genomes: np.ndarray) -> np.ndarray:
        made = []
        for genome in genomes:
            key, nwp = keys_and_loss(space, cells, costs, genome)
            _, place = np.unique(key, return_inverse=True)
            rows = np.bincount(place, weights=counts)
            made.append((rows.min(), rows.max(), nwp))
        return np.array(made)

    def polars(genomes: np.ndarray) -> np.ndarray:
        made = []
        for genome in genomes:
            key, nwp = keys_and_loss(space, cells, costs, genome)
            rows = pl.DataFrame({"key": key, "n": counts}).group_by("key").agg(pl.col("n").sum())["n"]
            made.append((rows.min(), rows.max(), nwp))
        return np.array(made, dtype=float)

    return {"fairveil": fairveil, "numpy.unique": unique, "polars": polars}


def main() -> None:
    data = table_three()
    explorer = Explorer(Task.of(data.table, data.schema, [KAnonymity(5)]), Preferences(granularity={"age": 5}))
    started = time.perf_counter()
    explorer.solve(explorer.method.wish(), 0)
    whole = time.perf_counter() - started
    seen = explorer.evaluator
    print(
        f"a whole optimization, {seen.asked:,} evaluations, {len(seen):,} of them distinct: {whole:.1f} s "
        "(the paper: 15 minutes)"
    )
    space, genomes = explorer.space, seen.genomes
    best = dict.fromkeys(contenders(space), np.inf)
    rng = np.random.default_rng(0)
    for _ in range(ROUNDS):
        block = genomes[rng.choice(len(genomes), BLOCK, replace=False)]
        answers = {}
        for name, work in contenders(space).items():
            started = time.perf_counter()
            answers[name] = work(block)
            best[name] = min(best[name], (time.perf_counter() - started) / BLOCK)
        for name, answer in answers.items():
            np.testing.assert_allclose(answer, answers["numpy.unique"], err_msg=name)
    for name, seconds in best.items():
        times = seconds / best["fairveil"]
        if name != "fairveil":
            ratio(f"{name}, free groupings", times)
        print(
            f"{name:13s} {seconds * 1e6:8.0f} µs per genome, {seconds * GENOMES:6.1f} s for {GENOMES:,}, "
            f"{times:5.1f} times fairveil"
        )


if __name__ == "__main__":
    main()
