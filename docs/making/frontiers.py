"""The pictures and the table of docs/which-method.md, from real runs: `python -m docs.making.frontiers` (minutes).

For each of the three real data sets and several k, every method searches, and of its candidates the one that hides
least (measure `entropy`) is taken. Figures are kept in docs/pictures/frontiers.json as they are found, and what is
there is not computed again: delete the file to start again.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import fairveil as fv
from docs.making.plots import Mark, Panel, drawn

PICTURES = Path(__file__).parent.parent / "pictures"
FIGURES = PICTURES / "frontiers.json"
GAP = "equalised-odds-difference"
MEASURES = {
    "privacy": ("entropy", "accuracy", "average-risk", "truthful"),
    "fairness": ("entropy", "accuracy", "truthful", GAP),
}
TITLES = {
    "adult": "Adult, 30,162 people",
    "german_credit": "German credit, 666 people",
    "compas": "COMPAS, 7,214 people",
}
KS: Mapping[str, Sequence[int]] = {
    "adult": (5, 10, 25, 100),
    "german_credit": (3, 5, 10, 25),
    "compas": (5, 10, 25, 100),
}
FAIR_K = 10
KINDS = {
    "incognito": "one level for all",
    "datafly": "one level for all",
    "roll-up": "one level for all",
    "mondrian": "neighbours together",
    "top-down-greedy": "neighbours together",
    "mdav": "averages",
    "fair-mdav": "averages",
    "preferences": "free grouping",
    "tds": "free grouping",
    "dmpd": "split columns",
}
"""How each method changes the data."""
NOT_DRAWN = ("datafly", "top-down-greedy", "roll-up")
"""Baselines, and a method whose releases are among those of Incognito: they would hide the others."""

Point = dict[str, Any]


def asked(k: int) -> list[Any]:
    """Every method, with settings for this k."""
    return [
        fv.Incognito(),
        fv.RollUp(exceptions=0.05, time_limit=20),
        fv.Datafly(),
        fv.Mondrian(),
        fv.TopDownGreedy(),
        fv.MDAV(k=k),
        fv.FairMDAV(size=max(k, 4), tau=0.0),
        fv.Preferences({"entropy": 0.2, "necd": 0.1}, evaluations=20_000),
        fv.TDS(),
        fv.DMPD(generations=30, population=30, keep=5),
    ]


Case = tuple[str, int, Any, str, tuple[Any, ...]]
"""Data set, k, method, its label, and further guards."""


def privacy() -> Iterator[Case]:
    """Every method at every k."""
    for data, ks in KS.items():
        for k in ks:
            yield from ((data, k, method, method.kind, ()) for method in asked(k))


def fairness() -> Iterator[Case]:
    """What can be done about the gap between the sexes, at one k."""
    for data in TITLES:
        yield data, FAIR_K, fv.Mondrian(), "mondrian", ()
        yield data, FAIR_K, fv.MDAV(k=FAIR_K), "mdav", ()
        yield data, FAIR_K, fv.Incognito(), "incognito", ()
        for alpha in (1.5, 1.2):
            guard = fv.AlphaProtection(alpha, measure="slift", min_support=0.05)
            yield data, FAIR_K, fv.Incognito(), f"incognito, α = {alpha:g}", (guard,)
        for tau in (0.0, 0.5, 1.0):
            yield data, FAIR_K, fv.FairMDAV(size=FAIR_K, tau=tau), f"fair-mdav, τ = {tau:g}", ()


def measured(case: Case, names: Sequence[str]) -> Point:
    """The best candidate of one method; without measures if it finds none."""
    data, k, method, label, more = case
    loaded = fv.datasets.LOADERS[data]()
    schema = dataclasses.replace(loaded.schema, protected=("sex",))
    point: Point = {"data": data, "k": k, "method": method.kind, "label": label}
    try:
        found = fv.search(loaded.table, schema, guards=[fv.KAnonymity(k), *more], method=method)
    except fv.Infeasible:
        return point
    best = found.some(np.arange(len(found)) == found.best_position("entropy"))
    values = {name: float(best.values(name)[0]) for name in names}
    return {**point, **{name: round(value, 4) for name, value in values.items() if not math.isnan(value)}}


def found_by_now() -> dict[str, list[Point]]:
    text = FIGURES.read_text(encoding="utf-8") if FIGURES.exists() else "{}"
    return {"privacy": [], "fairness": [], **json.loads(text)}


def search() -> None:
    """Compute what is not there yet, and keep it."""
    figures = found_by_now()
    for name, cases in (("privacy", privacy()), ("fairness", fairness())):
        known = {(point["data"], point["k"], point["label"]) for point in figures[name]}
        for case in cases:
            if (case[0], case[1], case[3]) not in known:
                figures[name].append(measured(case, MEASURES[name]))
                print(figures[name][-1], flush=True)
                FIGURES.write_text(_spelled(figures), encoding="utf-8")


def _spelled(figures: Mapping[str, Sequence[Point]]) -> str:
    """JSON with a point per line."""
    lists = [f'"{name}": [\n' + ",\n".join("  " + json.dumps(point, ensure_ascii=False) for point in points) + "\n]"
             for name, points in figures.items()]  # fmt: skip
    return "{\n" + ",\n".join(lists) + "\n}\n"


def draw(figures: Mapping[str, Sequence[Point]]) -> None:
    """Both pictures, from the figures."""
    panels = [_privacy_panel(data, [p for p in figures["privacy"] if p["data"] == data]) for data in TITLES]
    (PICTURES / "privacy.svg").write_text(drawn(panels, "risk against hidden information"), encoding="utf-8")
    panels = [_fairness_panel(data, [p for p in figures["fairness"] if p["data"] == data]) for data in TITLES]
    (PICTURES / "fairness.svg").write_text(drawn(panels, "gap between the sexes against accuracy"), encoding="utf-8")


def _privacy_panel(data: str, points: Sequence[Point]) -> Panel:
    points = [point for point in points if "average-risk" in point and point["method"] not in NOT_DRAWN]
    last = {point["method"]: point for point in points}
    marks = [Mark(point["average-risk"], point["entropy"], method, KINDS[method], method if point is end else "")
             for method, end in last.items() for point in points if point["method"] == method]  # fmt: skip
    ticks = [0.0001, 0.001, 0.01, 0.1, 1.0]
    low = max(tick for tick in ticks if tick <= min(mark.x for mark in marks))
    high = min(tick for tick in ticks if tick >= max(mark.x for mark in marks))
    shown = [tick for tick in ticks if low <= tick <= high]
    names = "average chance to pick out a person", "information hidden"
    return Panel(TITLES[data], *names, shown, (0, 0.25, 0.5, 0.75, 1), marks, log_x=True)


def _fairness_panel(data: str, points: Sequence[Point]) -> Panel:
    marks = [Mark(p[GAP], p["accuracy"], p["label"].split(" = ")[0], KINDS[p["method"]], p["label"])
             for p in points if GAP in p]  # fmt: skip
    low = math.floor(20 * min(mark.y for mark in marks))
    high = max(low + 2, math.ceil(20 * max(mark.y for mark in marks)))
    wide = math.ceil(10 * max(mark.x for mark in marks))
    names = "gap between the sexes (equalised odds)", "accuracy of a decision tree"
    gaps, scores = [tick / 10 for tick in range(wide + 1)], [tick / 20 for tick in range(low, high + 1)]
    return Panel(TITLES[data], *names, gaps, scores, marks)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    search()
    draw(found_by_now())


if __name__ == "__main__":
    main()
