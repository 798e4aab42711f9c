"""The choice: all candidates by two measures, with the chosen one marked."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from fairveil import measures
from fairveil.reporting.charts import Axis, figure, legend, scatter, sign
from fairveil.reporting.context import Context
from fairveil.reporting.markup import Html, join, tag
from fairveil.reporting.numbers import times

TITLES = {
    "loss": "loss of detail",
    "average-risk": "average risk",
    "highest-risk": "highest risk",
    "cm": "classification error (cm)",
}


def frontier(c: Context) -> Html | None:
    found = c.evidence.get("alternatives")
    if not found or len(found["measures"]) < 2:
        return None
    names = list(found["measures"])[:3]
    pairs = list(combinations(names, 2))[:2]
    owners = list(dict.fromkeys(found.get("methods", []))) or [""]
    kinds = [owners.index(owner) for owner in found.get("methods", [""] * len(found["measures"][names[0]]))]
    total, points = found["candidates"], len(kinds)
    words = f"The release was chosen from {times(total, 'candidate')} that keep every promise. "
    sketch = (
        "The plots are a sketch, on purpose: measures are rounded to two digits, and candidates that then coincide are "
        "drawn once, because the exact list would help an attacker."
    )
    keys = [(sign(place), owner) for place, owner in enumerate(owners)] if len(owners) > 1 else []
    charts = [_chart(found, one, other, kinds, points) for one, other in pairs]
    return join([tag("p", words, sketch), legend(keys) if keys else None, tag("div", charts, class_="charts even")])


def _chart(found: dict[str, Any], one: str, other: str, kinds: list[int], points: int) -> Html:
    across, up = (
        Axis(TITLES.get(name, name), found["measures"][name], measures.get(name).range == (0, 1))
        for name in (one, other)
    )
    label = f"{points} candidates by {across.name} and {up.name}"
    better = {name: measures.get(name).better for name in (one, other)}
    chart = scatter(label, across, up, kinds, found["chosen"])
    caption = f"Each point is a candidate; {better[one]} is better across, {better[other]} is better upwards."
    if better[one] == better[other] == "lower":
        caption = (
            "Each point is a candidate; lower is better on both axes, so the best trade-offs are at the bottom left."
        )
    return figure(chart, [caption])
