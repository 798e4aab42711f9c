"""The choice: all candidates by two measures, with the chosen one marked."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from fairveil import measures
from fairveil.markup import Html, join, tag
from fairveil.reporting.charts import ChartAxis, figure, legend, scatter, sign
from fairveil.reporting.context import ReportContext
from fairveil.reporting.numbers import times

TITLES = {
    "loss": "loss of detail",
    "average-risk": "average risk",
    "highest-risk": "highest risk",
    "cm": "classification error (cm)",
}


def frontier(c: ReportContext) -> Html | None:
    sketch = c.evidence.get("alternatives")
    if not sketch or len(sketch["measures"]) < 2:
        return None
    names = list(sketch["measures"])[:3]
    pairs = list(combinations(names, 2))[:2]
    owners = list(dict.fromkeys(sketch.get("methods", []))) or [""]
    kinds = [owners.index(owner) for owner in sketch.get("methods", [""] * len(sketch["measures"][names[0]]))]
    total, points = sketch["candidates"], len(kinds)
    words = f"The release was chosen from {times(total, 'candidate')} that keep every promise. "
    how_drawn = (
        "The plots are a sketch, on purpose: measures are rounded to two digits, and candidates that then coincide are "
        "drawn once."
    )
    keys = [(sign(place), owner) for place, owner in enumerate(owners)] if len(owners) > 1 else []
    charts = [_chart(sketch, pair, kinds, points) for pair in pairs]
    return join([tag("p", words, how_drawn), legend(keys) if keys else None, tag("div", charts, class_="charts even")])


def _chart(sketch: dict[str, Any], pair: tuple[str, str], kinds: list[int], points: int) -> Html:
    across, up = (
        ChartAxis(TITLES.get(name, name), sketch["measures"][name], measures.get(name).range == (0, 1)) for name in pair
    )
    label = f"{points} candidates by {across.name} and {up.name}"
    better = [measures.get(name).better for name in pair]
    chart = scatter(label, across, up, kinds, sketch["chosen"])
    caption = f"Each point is a candidate; {better[0]} is better across, {better[1]} is better upwards."
    if better == ["lower", "lower"]:
        caption = (
            "Each point is a candidate; lower is better on both axes, so the best trade-offs are at the bottom left."
        )
    return figure(chart, [caption])
