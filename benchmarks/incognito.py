"""All k-anonymous generalizations of Adult (12,960 nodes, k=5) against other tools, in one run.

`python -m benchmarks.incognito [seconds]`: other Python tools are stopped after that many seconds (default 120),
and their ratio is then a lower bound. ARX is written in Java and not run here; the times given for it were taken on
a quiet machine of two cores, warmed up.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import fairveil as fv
from benchmarks import arx_adult
from benchmarks.timing import at_most, best_of, show

ARX_SECONDS = {0.0: 0.030, 0.05: 0.84}


def ours(suppression: float) -> Callable[[], Any]:
    table, schema = arx_adult.load()

    def run() -> Any:
        found = fv.search(table, schema, guards=[fv.KAnonymity(5, suppression=suppression)])
        return found, found.best_position("loss"), found.best_position("dm")

    return run


def anjana() -> None:
    from anjana.anonymity import k_anonymity

    table, schema = arx_adult.load()
    frame = table.to_frame("pandas").astype(str)
    levels = {name: schema.hierarchies[name].bind([str(v) for v in table.column(name).domain]) for name in schema.quasi}
    domain = {name: [str(v) for v in table.column(name).domain] for name in schema.quasi}
    hierarchies = {
        name: {
            level: [str(lv.labels[level][lv.codes[level, leaf]]) for leaf in range(len(domain[name]))]
            for level in range(lv.height + 1)
        }
        for name, lv in levels.items()
    }
    k_anonymity(frame, [], list(schema.quasi), 5, 0, hierarchies)


def crowds() -> None:
    from crowds.kanonymity.generalizations import GenRule
    from crowds.kanonymity.ola import anonymize

    table, schema = arx_adult.load()
    frame = table.to_frame("pandas").astype(str)
    rules = {}
    for name in schema.quasi:
        paths = {row[0]: row for row in schema.hierarchies[name].rows}
        height = len(next(iter(paths.values()))) - 1
        rules[name] = GenRule([lambda v, p=paths, n=level: p[v][n] for level in range(1, height)])
    anonymize(frame, rules, k=5)


def main() -> None:
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 120.0
    work = {0.0: ours(0.0), 0.05: ours(0.05)}
    times = best_of(15, {str(s): run for s, run in work.items()})
    rows = {}
    for suppression, run in work.items():
        found, *_ = run()
        seconds = times[str(suppression)]
        share = seconds / ARX_SECONDS[suppression]
        rows[f"{len(found):,} solutions, best by loss and dm, suppression {suppression:.0%}"] = (
            f"{seconds * 1e3:.1f} ms, {share:.2f} of ARX's {ARX_SECONDS[suppression]:g} s for the optimum alone"
        )
    plain = times["0.0"]
    for tool, other in (("anjana k_anonymity", anjana), ("crowds OLA", crowds)):
        try:
            __import__(tool.split()[0])
        except ImportError:
            rows[tool] = "not installed: make bench installs it"
            continue
        spent, finished = at_most(limit, other)
        sign = "" if finished else "more than "
        rows[f"{tool}, suppression 0%"] = f"{sign}{spent:.1f} s: we are {sign}{spent / plain:,.0f} times faster"
    show("All 5-anonymous generalizations of Adult, nine quasi columns, 12,960 nodes", rows)


if __name__ == "__main__":
    main()
