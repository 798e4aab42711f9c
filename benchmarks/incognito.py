"""All k-anonymous generalizations of Adult (12,960 nodes, k=5) against other tools, in one run.

`python -m benchmarks.incognito [seconds]`: other Python tools are stopped after that many seconds (default 60), and
their ratio is then a lower bound. ARX is written in Java and not run here; the times given for it were taken on a
quiet machine of two cores, warmed up, with ARX's own hierarchies, which have the same heights as those used here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import fairveil as fv
from benchmarks import nine
from benchmarks.peers import peer
from benchmarks.timing import best_of, ratio, show

ARX_SECONDS = {0.0: 0.030, 0.05: 0.84}


def ours(suppression: float, arx: bool = False) -> Callable[[], Any]:
    table, schema = nine.load(arx)

    def run() -> Any:
        found = fv.search(table, schema, guards=[fv.KAnonymity(5, suppression=suppression)])
        return found, found.best_position("loss"), found.best_position("dm")

    return run


def anjana() -> Callable[[], Any]:
    import pandas as pd
    from anjana.anonymity import k_anonymity

    pd.set_option("future.infer_string", False)  # it refuses the text of newer pandas
    table, schema = nine.load()
    frame = table.to_frame("pandas").astype(str).astype(object)
    levels = {name: schema.hierarchies[name].bind([str(v) for v in table.column(name).domain]) for name in schema.quasi}
    domain = {name: [str(v) for v in table.column(name).domain] for name in schema.quasi}
    hierarchies = {
        name: {
            level: [str(lv.labels[level][lv.codes[level, leaf]]) for leaf in range(len(domain[name]))]
            for level in range(lv.height + 1)
        }
        for name, lv in levels.items()
    }
    return lambda: k_anonymity(frame, [], list(schema.quasi), 5, 0, hierarchies)


def crowds() -> Callable[[], Any]:
    from crowds.kanonymity.generalizations import GenRule
    from crowds.kanonymity.ola import anonymize

    table, schema = nine.load()
    frame = table.to_frame("pandas").astype(str).astype(object)
    rules = {}
    for name in schema.quasi:
        paths = {row[0]: row for row in schema.hierarchies[name].rows}
        height = len(next(iter(paths.values()))) - 1
        rules[name] = GenRule([lambda v, p=paths, n=level: p[v][n] for level in range(1, height)])
    return lambda: anonymize(frame, rules, k=5)


def main() -> None:
    limit = float(sys.argv[1]) if len(sys.argv) > 1 else 60.0
    for arx in (False, True) if nine.arx_files() else (False,):
        work = {s: ours(s, arx) for s in ARX_SECONDS}
        times = best_of(15, {str(s): run for s, run in work.items()})
        rows = {}
        for suppression, run in work.items():
            found, *_ = run()
            seconds, theirs = times[str(suppression)], ARX_SECONDS[suppression]
            rows[f"{len(found):,} solutions, best by loss and dm, suppression {suppression:.0%}"] = (
                f"{seconds * 1e3:.1f} ms, {seconds / theirs:.2f} of ARX's {theirs:g} s for the optimum alone"
            )
            if arx:
                ratio(f"ARX, suppression {suppression:.0%}", theirs / seconds)
        if not arx:
            for tool, other in (("anjana k_anonymity", anjana), ("crowds OLA", crowds)):
                rows[f"{tool}, suppression 0%"] = peer(tool.split()[0], other, limit=limit).against(tool, times["0.0"])
        said = "ARX's hierarchies" if arx else "hierarchies of ARX's heights"
        show(f"All 5-anonymous generalizations of Adult, nine quasi columns, 12,960 nodes, {said}", rows)


if __name__ == "__main__":
    main()
