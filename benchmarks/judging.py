"""Judging a table against pycanon, and fairness figures against fairlearn, on Adult, in one run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import fairveil as fv
from benchmarks.peers import peer
from benchmarks.timing import best_of, show

QUASI = ("education", "marital-status", "race", "sex")


def frame() -> Any:
    return fv.datasets.adult().table.to_frame("pandas")


def pycanon_k() -> Callable[[], Any]:
    from pycanon.anonymity import k_anonymity

    people = frame()
    return lambda: k_anonymity(people, list(QUASI))


def pycanon_l() -> Callable[[], Any]:
    from pycanon.anonymity import l_diversity

    people = frame()
    return lambda: l_diversity(people, list(QUASI), ["occupation"])


def pycanon_t() -> Callable[[], Any]:
    from pycanon.anonymity import t_closeness

    people = frame()
    return lambda: t_closeness(people, list(QUASI), ["occupation"])


def fairlearn_rates() -> Callable[[], Any]:
    from fairlearn.metrics import MetricFrame, selection_rate

    people = frame()
    granted, grounds = people["income"] == ">50K", people[["sex", "race", "marital-status"]]
    given = {"metrics": selection_rate, "y_true": granted, "y_pred": granted, "sensitive_features": grounds}
    return lambda: MetricFrame(**given).difference()


def main() -> None:
    adult = fv.datasets.adult()
    schema = replace(adult.schema, quasi=QUASI, sensitive=("occupation",), hierarchies={
        name: rule for name, rule in adult.schema.hierarchies.items() if name in QUASI
    })  # fmt: skip
    asked = {
        "k-anonymity": fv.KAnonymity(5),
        "ℓ-diversity": fv.DistinctDiversity(2),
        "t-closeness": fv.TCloseness(0.2),
        "α-protection": fv.AlphaProtection(1.2),
    }
    people = frame()
    ours = best_of(5, {name: lambda guard=guard: fv.check(people, schema, guard) for name, guard in asked.items()})  # type: ignore[misc]
    lines = {f"fairveil, {name}": f"{seconds * 1e3:.0f} ms from a pandas frame" for name, seconds in ours.items()}
    for name, work in (("k-anonymity", pycanon_k), ("ℓ-diversity", pycanon_l), ("t-closeness", pycanon_t)):
        lines[f"pycanon, {name}"] = peer("pycanon", work).against(f"pycanon {name}", ours[name])
    lines["fairlearn, rates of all groups against α-protection"] = peer("fairlearn", fairlearn_rates).against(
        "fairlearn group rates", ours["α-protection"]
    )
    show(f"Judging Adult, {adult.table.rows:,} rows, four quasi columns", lines)


if __name__ == "__main__":
    main()
