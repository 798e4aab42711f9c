"""What the release has lost: per column, in records, and by every measure."""

from __future__ import annotations

from fairveil import measures as registry
from fairveil.markup import DataText, Html, table, tag
from fairveil.reporting.charts import ChartBar, bars, figure
from fairveil.reporting.context import ReportContext
from fairveil.reporting.numbers import count, number, percent

FAMILIES = ("risk", "loss", "utility", "fairness")
MOST_BARS = 24


def loss(c: ReportContext) -> Html | None:
    loss_per_column = dict(c.evidence.get("loss_per_column", {}))
    if not loss_per_column:
        return None
    worst_first = sorted(loss_per_column.items(), key=lambda item: -item[1])[:MOST_BARS]
    rows = [(name, [ChartBar(value, percent(value), "c4" if value > 0.999 else "c1")]) for name, value in worst_first]
    chart = bars("Loss per column", rows, axis="loss: 0 % untouched, 100 % hidden", most=1.0)
    rest = f" The {MOST_BARS} columns that lost most are shown." if len(loss_per_column) > MOST_BARS else ""
    caption = (
        "The share of its domain that a published value could stand for, averaged over all records; a record that was "
        "left out has lost everything." + rest
    )
    return figure(chart, [caption])


def records(c: ReportContext) -> Html | None:
    if c.recipe.invents:  # nothing is disclosed about the source
        return None
    rows = c.rows
    whole = max(rows["source"], 1)
    named = (
        ("source records", "source"),
        ("dropped for missing values", "dropped_for_missing_values"),
        ("suppressed to keep the promises", "suppressed"),
        ("published", "published"),
    )
    lines = [[words, count(rows[key]), percent(rows[key] / whole)] for words, key in named]
    return table("Where the records of the source went", ["records", "number", "share"], lines, [1, 2])


def measures(c: ReportContext) -> Html:
    known = sorted((m for m in registry.MEASURES if m.name in c.measures), key=lambda m: FAMILIES.index(m.family))
    rows = [
        [tag("code", m.name), m.family, number(c.measures[m.name]), m.better,
         f"{number(m.range[0])} to {number(m.range[1])}", tag("div", m.meaning, class_="wide")]
        for m in known
    ]  # fmt: skip
    known_names = {m.name for m in known}
    rows += [
        [tag("code", DataText(n)), "", number(v), "", "", ""] for n, v in c.measures.items() if n not in known_names
    ]
    return table(
        "Every number that was computed about this release",
        ["measure", "about", "value", "better", "range", "meaning"], rows, [2],
    )  # fmt: skip
