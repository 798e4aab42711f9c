"""Rules, patterns of pairs and the baselines against the same in NumPy, plain Python and anonypy.

The taxonomies are the authors' where FAIRVEIL_DATA names the folder that has them, else the bundled ones.
NumPy's pairs are timed on parts of three
sizes: its cost per pair is the same on all (shown), and that of the largest part is scaled to all pairs.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

import fairveil as fv
from benchmarks.peers import peer
from benchmarks.plain_greedy import plain_top_down_greedy
from benchmarks.timing import ratio, show
from experiments.rollup.runs import data_folder, load
from fairveil.guards import KAnonymity
from fairveil.methods import Datafly, Mondrian, TopDownGreedy
from fairveil.methods.rollup import count_patterns, discover, tradeoff
from fairveil.methods.task import Task

PARTS = (1_500, 3_000, 6_000)
"""Rows whose pairs NumPy counts."""
LARGER = 120_000
"""Rows of a generated table, more than twice those of the paper's."""
SAMPLE = 5_000
"""Rows that plain Python groups by Top-Down Greedy."""


def seconds(work: Callable[[], Any], runs: int = 1) -> float:
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def numpy_patterns(task: Task, rows: np.ndarray, block: int = 256) -> Counter[int]:
    """The patterns of all pairs of these rows: per block, the levels at which codes differ, summed and packed."""
    columns = [levels.codes[:-1][:, task.table.column(name).codes[rows]] for name, levels in task.levels.items()]
    decision = task.table.column(str(task.schema.decision)).codes[rows]
    found: Counter[int] = Counter()
    for start in range(0, len(rows), block):
        key = (decision[start : start + block, None] != decision[None, :]).astype(np.int64)
        stride = 2
        for codes in columns:
            level = sum((code[start : start + block, None] != code[None, :]).astype(np.int64) for code in codes)
            key += level * stride
            stride *= len(codes) + 1
        keep = np.arange(len(rows))[None, :] > np.arange(start, min(start + block, len(rows)))[:, None]
        keys, counts = np.unique(key[keep], return_counts=True)
        found.update(dict(zip(keys.tolist(), counts.tolist(), strict=True)))
    return found


def plain_datafly(task: Task, k: int) -> list[int]:
    """Sweeney's loop over rows, in plain Python."""
    names = list(task.levels)
    rows = list(zip(*(task.table.column(name).codes.tolist() for name in names), strict=True))
    paths = [task.levels[name].codes.T.tolist() for name in names]
    levels = [0] * len(names)
    while True:
        shown = [tuple(path[v][lv] for path, v, lv in zip(paths, row, levels, strict=True)) for row in rows]
        if min(Counter(shown).values()) >= k:
            return levels
        able = [a for a, name in enumerate(names) if levels[a] < task.levels[name].height]
        levels[max(able, key=lambda a: (len({s[a] for s in shown}), -a))] += 1


def anonypy_mondrian() -> Callable[[], Any]:
    import anonypy

    task = adult()
    frame = task.table.to_frame("pandas")
    for name in frame.columns:
        if frame[name].dtype == object or str(frame[name].dtype) in ("str", "string"):
            frame[name] = frame[name].astype("category")
    preserver = anonypy.Preserver(frame, list(task.levels), str(task.schema.decision))
    return lambda: preserver.anonymize_k_anonymity(k=10)


def greedy_against_plain(task: Task) -> dict[str, str]:
    """Both on the first rows, where plain Python is feasible; their groups must be the same."""
    part = Task.of(task.table.take(np.arange(SAMPLE)).compact(), task.schema, [KAnonymity(10)])
    made: dict[str, Any] = {}
    method = TopDownGreedy()
    ours = seconds(lambda: made.update(ours=method.search(part)), 5)
    theirs = seconds(lambda: made.update(theirs=plain_top_down_greedy(part)))
    region = made["ours"].changes[0].groups
    groups = sorted(np.flatnonzero(region == g).tolist() for g in range(region.max() + 1))
    if groups != made["theirs"]:
        raise AssertionError("plain Python's groups differ")
    return {
        "fairveil": f"{ours:.3f} s",
        "plain Python": f"{theirs:.2f} s, {ratio('plain Top-Down Greedy', theirs / ours):.0f}×",
        "groups": f"{len(groups)}, the same",
    }


def adult() -> Task:
    """All columns quasi, under the taxonomies of Caruccio et al. where they are here, else the bundled ones."""
    folder = data_folder()
    if folder is not None:
        return load(folder, "adult", 0)
    bundled = fv.datasets.adult(columns="all")
    return Task.of(bundled.table, bundled.schema, [KAnonymity(2)])


def larger(task: Task, rows: int) -> Task:
    """So many rows with every column drawn on its own from the table: more patterns than real rows would have."""
    rng = np.random.default_rng(0)
    columns = {name: task.table.column(name) for name in (*task.levels, str(task.schema.decision))}
    drawn = {
        name: np.array(column.domain, dtype=object)[rng.choice(column.codes, rows)] for name, column in columns.items()
    }
    frame = pa.table({name: pa.array(values.tolist()) for name, values in drawn.items()})
    return Task.of(fv.Table.from_frame(frame), task.schema, [KAnonymity(2)])


def beyond() -> None:
    """Patterns of more rows than any data set of the paper has."""
    task = larger(adult(), LARGER)
    made: dict[str, Any] = {}
    spent = seconds(lambda: made.update(patterns=count_patterns(task)))
    pairs = LARGER * (LARGER - 1) // 2
    show(
        f"Patterns of all {pairs:,} pairs of {LARGER:,} generated rows, columns as Adult's",
        {
            "fairveil": f"{spent:.1f} s, {1e9 * spent / pairs:.1f} ns per pair",
            "patterns": f"{len(made['patterns'].pairs):,}",
            "all pairs counted": str(int(made["patterns"].pairs.sum()) == pairs),
        },
    )


def main() -> None:
    task = adult()
    decision = str(task.schema.decision)
    finest = [0] * len(task.levels)
    tradeoff(task), discover(task, 0.1, k=2)  # compiled from here on
    group = seconds(lambda: task.lattice.classes(finest, [decision]), 5)
    frame = task.table.to_frame("polars")
    polars = seconds(lambda: frame.group_by([*task.levels, decision]).len(), 5)
    rules = {}
    for share in (0.0, 0.001, 0.01, 0.1):
        found = discover(task, share, k=2)
        spent = seconds(lambda share=share: discover(task, share, k=2), 2)
        rules[f"rules with at most {share:.1%} exceptions"] = (
            f"{spent / group:7.1f} group-bys, {spent / polars:5.1f} of Polars ({spent:.3f} s), "
            f"{len(found.nodes)} rules, {found.tests:,} tests, {found.seen:.0%} of {task.lattice.size:.2g} nodes"
        )
    whole = tradeoff(task)
    spent = seconds(lambda: tradeoff(task), 2)
    rules["whole trade-off of k against exceptions"] = f"{spent / group:7.1f} group-bys, {len(whole.nodes)} steps"
    title = "Roll-up rules of k≥2, Adult, 14 columns"
    said = f"a group-by at the finest level takes {group * 1e3:.1f} ms, Polars {polars * 1e3:.1f} ms"
    show(f"{title}; {said}", rules)

    rows = task.table.rows
    ours = seconds(lambda: count_patterns(task), 3)
    per_pair = [
        seconds(lambda part=part: numpy_patterns(task, np.arange(part))) / (part * (part - 1)) for part in PARTS
    ]
    theirs = per_pair[-1] * rows * (rows - 1)
    each = ", ".join(f"{2e9 * spent:.0f} ns on {part:,} rows" for part, spent in zip(PARTS, per_pair, strict=True))
    show(
        f"Patterns of all {rows * (rows - 1) // 2:,} pairs, Adult",
        {
            "fairveil": f"{ours:.1f} s",
            "NumPy, blocked, per pair": each,
            "NumPy, scaled from the last": f"{theirs:.1f} s",
            "ratio": f"{ratio('NumPy patterns of pairs', theirs / ours):.0f}×",
        },
    )

    ten = Task.of(task.table, task.schema, [KAnonymity(10)])
    ours_by = {}
    for method in (Mondrian(), TopDownGreedy(), Datafly()):
        method.search(ten)
        ours_by[method.kind] = seconds(lambda method=method: method.search(ten), 3)
    plain = seconds(lambda: plain_datafly(ten, 10))
    rest = {kind: f"{spent:.2f} s" for kind, spent in ours_by.items()}
    times = ratio("plain Datafly", plain / ours_by["datafly"])
    rest["datafly, plain Python"] = f"{plain:.2f} s, {times:.0f}×"
    show("Baselines, Adult, k=10", rest)
    show(f"Top-Down Greedy of {SAMPLE:,} rows, k=10", greedy_against_plain(task))
    show("anonypy", {"Mondrian": peer("anonypy", anonypy_mondrian).against("anonypy Mondrian", ours_by["mondrian"])})

    beyond()


if __name__ == "__main__":
    main()
