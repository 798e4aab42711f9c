"""For the data owner's eyes only: sections that show the source. They are never written into a release."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairveil.errors import BadInput
from fairveil.guards.protection import RuleGuard
from fairveil.measures import contributions
from fairveil.recipe import classes_of
from fairveil.reporting.charts import Bar, bars, figure
from fairveil.reporting.context import Context
from fairveil.reporting.markup import Data, Html, join, shown, table, tag
from fairveil.reporting.numbers import percent
from fairveil.reporting.sections.promises import BROKEN, HOLDS
from fairveil.reporting.sections.rules import MOST, rule_table

SAMPLE = 10


def sample(c: Context) -> Html | None:
    """Some records as they were and as they are published, spread evenly over the release."""
    release = c.release
    if release is None or release.source is None or len(c.tables) != 1 or not release.table.rows:
        return None
    source, published = release.source, release.table
    picked = np.unique(np.linspace(0, published.rows - 1, SAMPLE).round().astype(int))
    rows = [
        [
            number + 1,
            *(_change(source, published, name, int(release.source_rows[row]), int(row)) for name in source.names),
        ]
        for number, row in enumerate(picked)
    ]
    return join([
        tag("p", "A struck-through value is the original; below it stands what is published."),
        table("Records before and after", ["", *(shown(name, 40) for name in source.names)], rows),
    ])  # fmt: skip


def _change(source: Any, published: Any, name: str, old_row: int, new_row: int) -> Any:
    old = _value(source.column(name), old_row)
    if name not in published:
        return [tag("del", old), tag("div", "(removed)", class_="soft")]
    new = _value(published.column(name), new_row)
    return new if old == new else [tag("del", old), tag("div", new)]


def _value(column: Any, row: int) -> Data:
    return shown(column.values[int(column.codes[row])].as_py(), 40)


def before(c: Context) -> Html | None:
    """Every guard's answer for the source as it was: how many records stood out, which rules discriminated."""
    release = c.release
    if release is None or release.source is None:
        return None
    classes, _ = classes_of(release.source, c.schema)
    rows = []
    found: tuple[Any, str]
    for guard, claim in c.guards:
        try:
            verdict = guard.verdict(classes, c.schema)
        except BadInput as problem:
            found = ("–", str(problem))
        else:
            found = (HOLDS if verdict else BROKEN, verdict.sentence)
        rows.append([tag("span", guard.kind, class_="nowrap"), *found, claim.get("sentence", "")])
    asked = [guard for guard, _ in c.guards if isinstance(guard, RuleGuard)]
    worst = {guard: guard.details(classes, c.schema, MOST) for guard in asked}
    return join([
        table("What the guards say of the source", ["guard", "on the source", "found before", "found after"], rows),
        *(rule_table(f"{guard.kind}: the worst rules of the source, by {guard.measure}", found)
          for guard, found in worst.items() if found),
    ])  # fmt: skip


def shares_of_risk(c: Context) -> Html | None:
    release = c.release
    if release is None or release.source is None or not c.schema.quasi:
        return None
    found = sorted(contributions(release.source, c.schema).items(), key=lambda item: -item[1])
    rows = [(name, [Bar(value, percent(value))]) for name, value in found]
    chart = bars("Contribution of each column to the risk", rows, axis="fall of the average risk, in percent points")
    caption = "By how much the average risk of the source falls when the column is left out."
    return figure(chart, [caption])
