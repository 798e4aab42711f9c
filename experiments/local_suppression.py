"""Local suppression beside Mondrian and Incognito, on eleven real files.

    python -m experiments.local_suppression            the table of docs/local-suppression.md
    python -m experiments.local_suppression --only vote heart

Every column but the last is a quasi column, and k is 5. Numbers are published in the bands that
`fv.hierarchy.automatic` finds, at the lowest level of at most ten; Mondrian and Incognito generalize along the same
hierarchies, from there on. Names are published as they are or not at all.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd

import fairveil as fv
from fairveil.data.numeric import is_number
from fairveil.methods import Method

DATA = Path(__file__).parent / "data"
FILES = ("adult", "german_credit", "compas", "bank", "cmc", "crx", "heart", "nursery", "pima", "vote", "wisconsin")
MAX_BANDS = 10
K = 5


def opened(name: str) -> tuple[fv.Table, fv.Schema]:
    """The table of a file at its base levels, and its schema."""
    if name in fv.datasets.LOADERS:
        bundled = fv.datasets.LOADERS[name](**({"columns": "all"} if name == "adult" else {}))
        table = bundled.table.select([name for name in bundled.table.names if name != bundled.schema.decision])
    else:
        frame = pd.read_csv(DATA / f"{name}.csv.gz", skipinitialspace=True)
        table = fv.Table.from_frame(frame.iloc[:, :-1])
    names = [column.name for column in table.columns if len(column.values) > 1]
    many = [name for name in names if is_number(table.column(name)) and len(table.column(name).values) > MAX_BANDS]
    frame, rules = table.select(names).to_frame("pandas"), {}
    for column, rule in (fv.hierarchy.automatic(table, many) if many else {}).items():
        bound = rule.bind(table.column(column).domain)
        level = next(level for level, labels in enumerate(bound.labels) if len(labels) <= MAX_BANDS)
        paths = {path[0]: path[level:] for path in map(bound.path, range(bound.leaves)) if path[0] is not None}
        frame[column] = [paths[value][0] if value in paths else None for value in frame[column].tolist()]
        rules[column] = fv.hierarchy.from_rows(sorted(set(map(tuple, paths.values()))))
    return fv.Table.from_frame(frame), fv.Schema(quasi=names, hierarchies=rules)


def kept(table: fv.Table, release: fv.Release) -> float:
    """The share of the cells that are published at their base level."""
    published, same = release.table, 0
    for name in release.schema.quasi:
        values = {str(value) for value in table.column(name).domain}
        column = published.column(name)
        plain = np.array([str(value) in values for value in column.domain], dtype=bool)
        same += int(plain[column.codes].sum())
    return same / (table.rows * len(release.schema.quasi))


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m experiments.local_suppression")
    options.add_argument("--only", nargs="*", choices=FILES, default=FILES)
    methods: dict[str, Method] = {
        "local suppression": fv.LocalSuppression(), "Mondrian": fv.Mondrian(numeric=False),
        "Incognito": fv.Incognito(time_limit=20.0),
    }  # fmt: skip
    print("| file | rows | columns |" + "".join(f" {name}: cells kept | loss | entropy |" for name in methods) + " s |")
    print("|---|---|---|" + "---|---|---|" * len(methods) + "---|")
    for name in options.parse_args().only:
        table, schema = opened(name)
        cells, seconds = [name, f"{table.rows:,}", str(len(schema.quasi))], []
        for method in methods.values():
            start = time.perf_counter()
            found = fv.search(table, schema, guards=[fv.KAnonymity(K)], method=method)
            seconds.append(time.perf_counter() - start)
            position = found.best_position("loss")
            figures = [f"{found.values(measure)[position]:.3f}" for measure in ("loss", "entropy")]
            cells += [f"{100 * kept(table, found.release(position)):.0f} %", *figures]
        print(f"| {' | '.join(cells)} | {seconds[0]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
