"""How long DMPD's search takes, by rows (Table 2, Fig. 10), by k, and beside TDS and TDR."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from experiments import Sheet
from experiments.decomposition.plots import runtime
from experiments.decomposition.runs import cuts_of, dmpd, levels, prepared, printed, schema_of
from experiments.study import Study
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.guards import KAnonymity
from fairveil.methods import DMPD, TDR, TDS
from fairveil.methods.dmpd.genetic import PartitioningSearch
from fairveil.methods.dmpd.partitioning import Partitioning
from fairveil.methods.task import Task
from fairveil.progress import Progress

GUARDS = [KAnonymity(10)]
FACTORS = (1, 5, 10, 15, 20)
STRAIGHT = 0.95
"""Time is called linear if a straight line explains so much of it."""


def expanded(table: Table, factor: int, seed: int) -> Table:
    """Every row, and factor - 1 rows for each whose values are drawn at random from their domains (section 5.6)."""
    rng = np.random.default_rng(seed)
    extra = table.rows * (factor - 1)
    columns = [
        Column(column.name, np.concatenate([column.codes, rng.integers(0, len(column.values), extra)]), column.values)
        for column in table.columns
    ]
    return Table(tuple(columns))


@dataclass(frozen=True)
class Timing:
    """What is timed: German Credit of so many times its rows, top 5, with searches of one length."""

    search: tuple[int, int]
    folds: int
    seed: int

    @property
    def method(self) -> DMPD:
        return dmpd("c4.5", self.search, folds=self.folds)

    def table(self, factor: int) -> tuple[Table, Schema]:
        table, ranked = prepared("german_credit")
        return expanded(table, factor, self.seed), schema_of(table, ranked[:5], {})

    @property
    def fixed(self) -> DMPD:
        """With the intervals of the 1,000 rows."""
        table, ranked = prepared("german_credit")
        return replace(self.method, cuts=cuts_of(table, ranked[:5]))

    def whole(self, factor: int, k: int, repeat: int) -> float:
        table, schema = self.table(factor)
        return seconds(lambda: self.method.partition(table, schema, [KAnonymity(k)], seed=self.seed + repeat))

    def met(self) -> list[list[list[int]]]:
        """The valid partitionings that the search of the 1,000 rows looks at, in their order."""
        table, schema = self.table(1)
        wrapper = self.fixed.wrapper(table, schema, GUARDS, seed=self.seed)
        rng = np.random.default_rng(self.seed)
        search = PartitioningSearch(wrapper, self.fixed, lambda z: wrapper.level(z) >= GUARDS[0].k, rng)
        search.run(lambda share, what: None)
        return [[list(subset) for subset in z.subsets] for z, fitness in search.fitness.items() if fitness > 0]

    def same(self, factor: int, met: Sequence[Sequence[Sequence[int]]]) -> float:
        """To judge these partitionings, anonymity and accuracy, from nothing."""
        table, schema = self.table(factor)

        def judge() -> None:
            wrapper = self.fixed.wrapper(table, schema, GUARDS, seed=self.seed)
            for subsets in met:
                z = Partitioning.of(subsets, len(wrapper.features))
                assert wrapper.level(z) >= GUARDS[0].k  # more rows of the same values can only be more anonymous
                wrapper.accuracy(z)

        return seconds(judge)

    def top_down(self, method: TDS | TDR, k: int) -> float:
        table, schema = self.table(1)
        return seconds(lambda: method.search(Task.of(table, schema, [KAnonymity(k)])))


def seconds(work: Callable[[], Any]) -> float:
    """Processor time."""
    started = time.process_time()
    work()
    return time.process_time() - started


def timing_of(study: Study) -> tuple[Timing, int]:
    """What is timed at this size, and how often."""
    search = study.pick(tiny=(1, 6), quick=(10, 12), full=(100, 50))
    return Timing(search, 5 if study.full else 3, study.seed), study.pick(tiny=1, quick=2, full=10)


def table_2(study: Study, progress: Progress) -> Sheet:
    """Whole searches, as the paper timed them, and one search's partitionings on tables of every size.

    Which partitionings a search meets is chance, and a tree of many columns takes much longer than one of few: only
    the same ones tell how time depends on rows.
    """
    timing, repeats = timing_of(study)
    key = {"what": "runtime", "search": timing.search, "folds": timing.folds}
    met = study.once({**key, "of": "partitionings"}, timing.met)
    factors = study.pick(tiny=FACTORS[:2], quick=FACTORS, full=FACTORS)
    rows: list[tuple[float, ...]] = []
    for factor in factors:
        progress.tell(sum(f for f in factors if f < factor) / sum(factors), f"runtime of {1_000 * factor:,} rows")
        runs = [partial(timing.whole, factor, 10, repeat) for repeat in range(repeats)]
        whole = [study.once({**key, "factor": factor, "repeat": r}, run) for r, run in enumerate(runs)]
        same = [
            study.once({**key, "factor": factor, "same": r}, partial(timing.same, factor, met))
            for r in range(min(repeats, 3))
        ]
        minutes = printed("Table 2")[f"{1_000 * factor:,} rows"]
        rows.append((1_000 * factor, minutes, float(np.mean(whole)) / 60, min(same) / 60))
    sizes, *series = np.array(rows, dtype=float).T
    lines = [Line.through(sizes, minutes) for minutes in series]
    runtime(study.out / "runtime.png", sizes, series, lines)
    names = ("the paper's", f"ours, mean of {repeats} whole searches", "ours, the same partitionings on every size")
    notes = [f"{name}: {line}" for name, line in zip(names, lines, strict=True)]
    notes += [
        f"Processor time. The same partitionings are the {len(met)} valid ones that the search of the 1,000 rows met, "
        f"with the same intervals, the best of {min(repeats, 3)} runs; a whole search meets others every time, some "
        "with trees of all columns, which on rows drawn at random grow very large.",
        f"Linear is read as: a straight line explains {STRAIGHT:.0%} of both of ours.",
    ]
    ours = {f"{int(n):,} rows against 1,000": whole / rows[0][2] for n, _, whole, _ in rows[1:]}
    if study.full:
        ours |= {f"{int(n):,} rows": whole for n, _, whole, _ in rows}
        faster = [paper / whole for _, paper, whole, _ in rows]
        notes.append(f"{min(faster):.0f} to {max(faster):.0f} times as fast as the paper's machine and program.")
    else:
        generations, population = timing.search
        notes.append(f"Short searches: {generations} generations of {population}, {timing.folds} folds, instead of 100 "
                     "of 50: only growth compares.")  # fmt: skip
    head = ("rows", "paper, minutes", "whole search, minutes", "same partitionings, minutes")
    shown = [(int(n), paper, f"{whole:.4f}", f"{same:.4f}") for n, paper, whole, same in rows]
    return Sheet("Table 2: runtime by rows", head, shown, notes, of=["Table 2", "Figure 10"], ours=ours,
                 holds={"linear": all(line.explained >= STRAIGHT for line in lines[1:])},
                 pictures=["runtime.png"])  # fmt: skip


def runtime_by_k(study: Study) -> Sheet:
    """On the 1,000 rows: does a higher k take less, and do TDS and TDR?"""
    timing, repeats = timing_of(study)
    key = {"what": "runtime by k", "search": timing.search, "folds": timing.folds}
    found: dict[tuple[str, int], float] = {}
    for k, repeat in product(levels("german_credit"), range(repeats)):
        works: dict[str, Callable[[], float]] = {
            "dmpd": partial(timing.whole, 1, k, repeat),
            "tds": partial(timing.top_down, TDS(), k),
            "tdr": partial(timing.top_down, TDR(), k),
        }
        for method, work in works.items():
            took = study.once({**key, "k": k, "method": method, "repeat": repeat}, work)
            found[method, k] = found.get((method, k), 0.0) + took / repeats
    first, *_, last = levels("german_credit")
    holds = {
        "less with k": found["dmpd", last] < found["dmpd", first],
        "slower": all(found["dmpd", k] > found[m, k] for m, k in product(("tds", "tdr"), levels("german_credit"))),
    }
    rows = [(k, *(f"{found[method, k]:.3f}" for method in ("dmpd", "tds", "tdr"))) for k in levels("german_credit")]
    notes = [f"Seconds of processor time, mean of {repeats} runs on German Credit, top 5; searches of "
             "{} generations of {}.".format(*timing.search)]  # fmt: skip
    title = "Runtime by k, beside TDS and TDR"
    return Sheet(title, ("k", "dmpd", "tds", "tdr"), rows, notes, of=["Figure 10"], holds=holds)


@dataclass(frozen=True)
class Line:
    """A straight line through minutes by rows, and how much of them it explains."""

    slope: float
    offset: float
    explained: float

    @classmethod
    def through(cls, sizes: np.ndarray, minutes: np.ndarray) -> Line:
        slope, offset = np.polyfit(sizes, minutes, 1)
        return cls(float(slope), float(offset), float(np.corrcoef(sizes, minutes)[0, 1] ** 2))

    def at(self, sizes: np.ndarray) -> np.ndarray:
        return self.slope * sizes + self.offset

    def __str__(self) -> str:
        return f"{1e3 * self.slope:.4f} minutes per 1,000 rows {self.offset:+.4f}, R² = {self.explained:.3f}"
