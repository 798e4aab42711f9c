"""The experiment runs on a small data set, resumes, and says plainly what came out."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from experiments import j48, rollup, rollup_against, rollup_plots, rollup_rules
from experiments.study import Study
from fairveil.data.hierarchy import from_rows
from fairveil.methods.rollup import Patterns, count_patterns
from fairveil.methods.task import Task


def small(seed: int = 0, rows: int = 400) -> Task:
    """Three columns, the decision mostly the first one's upper half."""
    rng = np.random.default_rng(seed)
    a, b, c = rng.integers(0, 8, rows), rng.integers(0, 6, rows), rng.integers(0, 3, rows)
    columns = {"a": a, "b": b, "c": c, "y": np.where((a > 3) ^ (rng.random(rows) < 0.2), "yes", "no")}
    hierarchies = {
        "a": from_rows([(v, v // 2, v // 4, "*") for v in range(8)]),
        "b": from_rows([(v, v // 3, "*") for v in range(6)]),
        "c": from_rows([(v, "*") for v in range(3)]),
    }
    schema = fv.Schema(quasi=["a", "b", "c"], decision="y", hierarchies=hierarchies)
    return Task.of(fv.Table.from_frame(pa.table(columns)), schema, [fv.KAnonymity(2)])


@pytest.fixture
def nodes() -> np.ndarray:
    return np.array([[0, 0, 0], [1, 2, 1], [2, 1, 0], [3, 2, 1]])


def test_levels_count_rows_with_and_without_the_decision(nodes: np.ndarray) -> None:
    task = small()
    k, level = rollup_rules.levels_of(task, nodes)
    columns = [task.table.column(name) for name in ("a", "b", "c", "y")]
    values = list(zip(*([column.domain[code] for code in column.codes] for column in columns), strict=True))
    steps = ([1, 2, 4, 8], [1, 3, 6], [1, 3])
    for i, node in enumerate(nodes):
        shown = [tuple(int(row[a]) // steps[a][node[a]] for a in range(3)) for row in values]
        assert k[i] == min(Counter(shown).values())
        assert level[i] == min(Counter((*s, row[3]) for s, row in zip(shown, values, strict=True)).values())


def test_gains_of_names_are_the_measure_ig_and_those_of_numbers_are_of_the_best_cut() -> None:
    task = small()
    found = fv.search(task.table, task.schema, guards=[fv.KAnonymity(2)], method=fv.RollUp(exceptions=0.4))
    blurred = found.nodes[(found.nodes > 0).all(axis=1)]
    if len(blurred):
        expected = found.values("ig")[(found.nodes > 0).all(axis=1)]
        assert rollup_rules.gains_of(task, blurred) == pytest.approx(expected)
    rng = np.random.default_rng(0)
    numbers = rng.integers(0, 20, 300).astype(float)
    numbers[:30] = np.nan
    y = np.where(rng.random(300) < np.where(np.nan_to_num(numbers) > 12, 0.9, 0.2), "a", "b")
    table = fv.Table.from_frame(pa.table({"x": pa.array(numbers, from_pandas=True), "y": y}))

    def entropy(labels: list[str]) -> float:
        shares = [labels.count(label) / len(labels) for label in set(labels)]
        return -sum(share * log2(share) for share in shares)

    pairs = [(x, label) for x, label in zip(numbers, y, strict=True) if not np.isnan(x)]
    values = sorted({x for x, _ in pairs})
    best = 0.0
    for low, high in pairwise(values):
        sides = [[label for x, label in pairs if (x <= low) == left] for left in (True, False)]
        if min(map(len, sides)) >= 2 and high > low:
            told = entropy([label for _, label in pairs]) - sum(len(s) / len(pairs) * entropy(s) for s in sides)
            best = max(best, told)
    expected_gain = 270 / 300 * best - log2(len(values) - 1) / 300
    assert j48.gain(table.column("x"), table.column("y")) == pytest.approx(expected_gain)


def test_every_reading_keeps_the_patterns_that_it_says() -> None:
    task = small(rows=60)
    found = count_patterns(task)
    pairs = {(*map(int, p), bool(d)): int(n) for p, d, n in zip(found.levels, found.differ, found.pairs, strict=True)}
    read = {(reading, share): kept for reading, share, kept in rollup_rules._read(found)}
    assert set(read) == {(reading, share) for reading in rollup_rules.READINGS for share in rollup_rules.SHARES}

    def expected(counts: Counter[tuple[int, ...]], share: float) -> dict[tuple[int, ...], int]:
        covered, least = 0, 0
        for number in sorted(counts.values(), reverse=True):
            if covered >= share * sum(counts.values()) - 1e-6:
                break
            covered, least = covered + number, number
        return {pattern: number for pattern, number in counts.items() if number >= least}

    differing, together = Counter[tuple[int, ...]](), Counter[tuple[int, ...]]()
    for (*pattern, differ), number in pairs.items():
        together[tuple(pattern)] += number
        if differ:
            differing[tuple(pattern)] += number
    assert sum(together.values()) == sum(1 for _ in combinations(range(60), 2))

    def held(kept: Patterns) -> dict[tuple[int, ...], int]:
        return {tuple(map(int, p)): int(n) for p, n in zip(kept.levels, kept.pairs, strict=True)}

    for share in rollup_rules.SHARES:
        assert held(read[rollup_rules.READINGS[1], share]) == expected(differing, share)
        without = read[rollup_rules.READINGS[2], share]
        assert held(without) == expected(together, share)
        assert [tuple(map(int, p)) in differing for p in without.levels] == without.differ.tolist()


def test_without_the_authors_files_it_says_so_and_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollup, "data_folder", lambda: pytest.fail("the quick form needs no data folder"))
    sheets = list(rollup.run(Study(tmp_path, "tiny")))
    assert not sheets[0].rows and "taxonomies" in sheets[0].not_bundled and "FAIRVEIL_DATA" in sheets[0].notes[0]
    assert all(sheet.rows for sheet in sheets[1:])
    assert {path.name for path in tmp_path.glob("*.png")} == set(sheets[1].pictures)
    rules = dict(zip(sheets[1].columns, sheets[1].rows[0], strict=True))
    assert rules["frontier"] <= rules["level≥2"] + rules["joined"] and rules["largest level"] <= rules["its k"]
    monkeypatch.setattr(rollup_rules, "count_patterns", lambda task: pytest.fail("counted already"))
    monkeypatch.setattr(rollup_against, "cross_validated", lambda *a, **b: pytest.fail("measured already"))
    assert list(rollup.run(Study(tmp_path, "tiny"))) == sheets


def test_a_full_run_without_the_authors_files_goes_on_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollup, "data_folder", lambda: None)
    first = next(iter(rollup.run(Study(tmp_path, "full"))))
    assert not first.rows and first.not_bundled


def test_where_rules_are_beaten_is_said() -> None:
    def row(k: int, *values: float | None) -> dict[str, Any]:
        return {"k": k, **{m: {"ig": v} for m, v in zip(rollup_against.METHODS, values, strict=True)}}

    rows = [row(2, 0.5, 0.7, None, 0.5), row(9, 0.4, 0.1, 0.1, 0.1)]
    assert rollup_against.verdicts("adult", rows, "ig") == [
        "adult: roll-up is better than Mondrian at 1 of 2 levels; WORSE at k=2",
        "adult: roll-up is better than Top-Down Greedy at 1 of 1 levels",
        "adult: roll-up is better than Datafly at 1 of 2 levels, equal at 1",
    ]


def test_levels_are_spread_from_the_lowest_to_the_highest() -> None:
    assert rollup_against.some_levels([5, 5, 2], 4) == [2, 5]
    chosen = rollup_against.some_levels(list(range(2, 3_000)), 5)
    assert chosen[0] == 2 and chosen[-1] == 2_999 and len(chosen) == 5


def test_steps_are_the_best_of_at_least_a_level() -> None:
    levels, best = rollup_plots._steps(np.array([3, 3, 10]), np.array([0.2, 0.9, 0.5]))
    assert levels.tolist() == [3, 10] and best.tolist() == [0.9, 0.5]
