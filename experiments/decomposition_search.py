"""How DMPD's search behaves: time by rows (Table 2, Fig. 10), length of the search (Fig. 11), frontier (Fig. 12)."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from experiments import Sheet
from experiments.decomposition_paper import TABLE_2
from experiments.decomposition_runs import Case, Runs, available, cuts_of, dmpd, prepared, schema_of
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table
from fairveil.evaluation import combined_f_test, surface
from fairveil.guards import KAnonymity
from fairveil.methods.dmpd.genetic import Search
from fairveil.methods.dmpd.method import DMPD
from fairveil.methods.dmpd.partitioning import Partitioning

GUARDS = [KAnonymity(10)]
Tell = Callable[[float, str], object]
"""Says which share is done and what comes next."""


def expanded(table: Table, factor: int, seed: int) -> Table:
    """Every row, and factor - 1 rows for each whose values are drawn at random from their domains (section 5.6)."""
    rng = np.random.default_rng(seed)
    extra = table.rows * (factor - 1)
    columns = [
        Column(column.name, np.concatenate([column.codes, rng.integers(0, len(column.values), extra)]), column.values)
        for column in table.columns
    ]
    return Table(tuple(columns))


def table_2(out: Path, full: bool, seed: int, tell: Tell) -> Sheet:
    """Whole searches, as the paper timed them, and one search's partitionings on tables of every size.

    Which partitionings a search meets is chance, and a tree of many columns takes much longer than one of few: only
    the same ones tell how time depends on rows.
    """
    table, ranked = prepared("german_credit", True)
    schema = schema_of(table, ranked[:5], {})
    short = {} if full else {"generations": 10, "population": 12, "folds": 3}
    method = dmpd("c4.5", full, False, **short)
    fixed = replace(method, cuts=cuts_of(table, ranked[:5]))
    met = asked(fixed, table, schema, seed)
    kept = Kept(out / "decomposition-runtime.json", [full, seed])
    if not full:  # a short run is timed anew
        kept.values.clear()
    repeats = 10 if full else 3
    rows: list[Sequence[Any]] = []
    for factor in TABLE_2:
        tell(sum(done for done in TABLE_2 if done < factor) / sum(TABLE_2), f"runtime of {1_000 * factor:,} rows")
        bigger = expanded(table, factor, seed)
        search, same = partial(_search, method, bigger, schema), partial(_same, fixed, bigger, schema, met, seed)
        whole = np.mean([kept.of(f"{factor}/search {r}", partial(search, seed + r)) for r in range(repeats)])
        best = min(kept.of(f"{factor}/same {r}", same) for r in range(3))
        rows.append((bigger.rows, TABLE_2[factor], whole / 60, best / 60))
    sizes, *series = np.array(rows, dtype=float).T
    lines = [Line.through(sizes, minutes) for minutes in series]
    from experiments.decomposition_plots import runtime

    runtime(out / "decomposition-runtime.png", sizes, series, lines)
    names = ("the paper's", f"ours, mean of {repeats} whole searches", "ours, the same partitionings on every size")
    notes = [f"{name}: {line}" for name, line in zip(names, lines, strict=True)]
    notes += [
        f"Processor time. The same partitionings are the {len(met)} valid ones that the search of the 1,000 rows met, "
        "with the same intervals, the best of three runs; a whole search meets others every time, some with trees of "
        "all columns, which on rows drawn at random grow very large.",
    ]
    if not full:
        notes.append("Short searches: 10 generations of 12, 3 folds, instead of 100 of 50.")
    head = ("rows", "paper, minutes", "whole search, minutes", "same partitionings, minutes")
    shown = [(int(n), paper, f"{whole:.4f}", f"{same:.4f}") for n, paper, whole, same in rows]
    return Sheet("Table 2: runtime", head, shown, notes, pictures=["decomposition-runtime.png"])


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


class Kept:
    """What was computed before, by name, in a file, so that a long run goes on where it stopped."""

    def __init__(self, path: Path, mark: list[Any]) -> None:
        self.path, self.mark = path, mark
        before = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        self.values: dict[str, Any] = before["values"] if before.get("of") == mark else {}

    def of(self, name: str, work: Callable[[], Any]) -> Any:
        if name not in self.values:
            self.values[name] = work()
            self.path.write_text(json.dumps({"of": self.mark, "values": self.values}, indent=1), encoding="utf-8")
        return self.values[name]


def asked(method: DMPD, table: Table, schema: Schema, seed: int) -> list[Partitioning]:
    """The valid partitionings that one search looks at, in their order."""
    wrapper = method.wrapper(table, schema, GUARDS, seed=seed)
    search = Search(wrapper, method.settings, lambda z: wrapper.level(z) >= GUARDS[0].k, np.random.default_rng(seed))
    search.run(lambda share, what: None)
    return [z for z, fitness in search.fitness.items() if fitness > 0]


def _search(method: DMPD, table: Table, schema: Schema, seed: int) -> float:
    started = time.process_time()
    method.partition(table, schema, GUARDS, seed=seed)
    return time.process_time() - started


def _same(method: DMPD, table: Table, schema: Schema, met: Sequence[Partitioning], seed: int) -> float:
    """Seconds to judge these partitionings, anonymity and accuracy, from nothing."""
    started = time.process_time()
    wrapper = method.wrapper(table, schema, GUARDS, seed=seed)
    for z in met:
        assert wrapper.level(z) >= GUARDS[0].k  # more rows of the same values can only be more anonymous
        wrapper.accuracy(z)
    return time.process_time() - started


def _lengths(full: bool) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Generations and populations of Fig. 11."""
    return ((50, 100, 150, 200), (50, 100)) if full else ((10, 20, 30, 40), (10, 20))


def settings_cases(full: bool) -> list[Case]:
    data = [name for name in ("german_credit", "cmc") if available(name)]
    return [
        Case(name, 5, 10, "c4.5", "dmpd", search=(generations, population))
        for name, population, generations in product(data, _lengths(full)[1], _lengths(full)[0])
    ]


def figure_11(out: Path, runs: Runs, full: bool) -> Sheet:
    """Accuracy by generations and population, top 5, k = 10: is a longer search worth it?"""
    generations, populations = _lengths(full)
    usual = (generations[1], populations[0])
    rows: list[Sequence[Any]] = []
    panels: dict[str, dict[int, list[tuple[int, np.ndarray]]]] = {}
    better = 0
    for case in settings_cases(full):
        assert case.search is not None
        accuracies, base = runs.of(case), runs.of(Case(case.data, 5, 10, "c4.5", "dmpd", search=usual))
        test = combined_f_test(accuracies, base)
        better += test.significant and test.difference > 0
        difference = "" if case.search == usual else f"{test.difference:+.2f} (p={test.p_value:.2f})"
        rows.append(
            (case.data, case.search[1], case.search[0], f"{accuracies.mean():.2f} ± {accuracies.std():.2f}", difference)
        )
        panels.setdefault(case.data, {}).setdefault(case.search[1], []).append((case.search[0], accuracies))
    from experiments.decomposition_plots import search_lengths

    search_lengths(out / "decomposition-settings.png", panels)
    notes = [
        f"{better} of {len(rows)} settings are significantly more accurate than {usual[0]} generations of {usual[1]} "
        "(combined 5×2 F test, 95 %). The paper: beyond 100 generations of 50 none is.",
        "Paper's figures are in a plot only.",
    ]
    head = ("data", "population", "generations", "accuracy", f"against {usual[0]} of {usual[1]}")
    title = "Fig. 11: length of the search, C4.5, top 5, k=10"
    return Sheet(title, head, rows, notes, pictures=["decomposition-settings.png"])


def figure_12(out: Path, full: bool, seed: int, tell: Tell) -> Sheet:
    """Attainment surfaces of accuracy and anonymity level over runs, on Adult as in the paper."""
    data, tops, repeats = "adult", (5, 9), 10 if full else 3
    table, ranked = prepared(data, full)
    rows: list[Sequence[Any]] = []
    panels = []
    kept = Kept(out / "decomposition-frontier.json", [full, seed, data])
    for place, top in enumerate(tops):
        fronts = []
        for repeat in range(repeats):
            tell((place + repeat / repeats) / len(tops), f"accuracy against anonymity, top {top}, run {repeat + 1}")
            front = kept.of(f"{top}/{repeat}", partial(_front, table, ranked[:top], full, seed + repeat))
            fronts.append(np.array(front, dtype=float))
        surfaces = {name: surface(fronts, share) for name, share in (("worst", 0.0), ("median", 0.5), ("best", 1.0))}
        panels.append((f"{data.replace('_', ' ').title()}, top {top} features quasi", surfaces))
        levels, median = surfaces["median"]
        rows += [(f"top{top}", f"{level:,.0f}", f"{accuracy:.2%}") for level, accuracy in _some(levels, median)]
    from experiments.decomposition_plots import surfaces as plot

    plot(out / "decomposition-frontier.png", panels, repeats)
    notes = [f"Median attainment surface of {repeats} runs; accuracy in the search's own cross-validation.",
             "The paper shows this figure as a plot only, without numbers."]  # fmt: skip
    if not full:
        notes.append(f"A sample of {table.rows:,} rows of Adult, and short searches; --full takes all rows.")
    return Sheet("Fig. 12: accuracy against anonymity level on Adult", ("quasi", "k at least", "accuracy"), rows, notes,
                 pictures=["decomposition-frontier.png"])  # fmt: skip


def _front(table: Table, quasi: list[str], full: bool, seed: int) -> list[tuple[float, int]]:
    """Accuracy and anonymity level of what one multi-objective search ends with."""
    method = dmpd("c4.5", full, False, objective="pareto", keep=1_000)
    schema = schema_of(table, quasi, {})
    archive = method.partition(table, schema, [], seed=seed)
    reached = [int(recipe.apply(table).summary(schema).smallest[0]) for recipe in archive.recipes]
    return list(zip(archive.accuracies, reached, strict=True))


def _some(levels: np.ndarray, values: np.ndarray, most: int = 12) -> list[tuple[float, float]]:
    """Points of a surface where it falls, at most a dozen."""
    known = ~np.isnan(values)
    levels, values = levels[known], values[known]
    falls = np.flatnonzero(np.append(np.diff(values) < 0, True))
    chosen = falls[np.unique(np.linspace(0, len(falls) - 1, min(most, len(falls))).astype(int))]
    return [(float(levels[i]), float(values[i])) for i in chosen]
