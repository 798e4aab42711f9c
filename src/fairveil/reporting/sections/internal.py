"""For the data owner's eyes only: sections that show the source. They are never written into a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.cells import class_columns, classes_of
from fairveil.engines import TooManyCells
from fairveil.errors import BadInput
from fairveil.guards import Guard, guarded_columns
from fairveil.markup import Html, join, shown, table, tag
from fairveil.measures import contributions
from fairveil.reporting.charts import ChartBar, bars, figure
from fairveil.reporting.numbers import percent
from fairveil.reporting.sections.findings import MAX_RULES, rule_table
from fairveil.reporting.sections.promises import BROKEN, HOLDS

if TYPE_CHECKING:
    from fairveil.data.table import Table
    from fairveil.reporting.context import ReportContext

SAMPLE = 10


Change = tuple[Any, Any]  # a value before and after; GONE where its column is not published
GONE = object()


def changes(c: ReportContext) -> list[dict[str, Change]]:
    """Some records as they were and as they are published, spread evenly over the release."""
    rows = c.published.source_rows
    if c.inside is None or rows is None or not c.published.rows:
        return []
    source, published = c.inside.source.table, c.published.table
    picked = np.unique(np.linspace(0, published.rows - 1, SAMPLE).round().astype(int))

    def value(table: Table, name: str, row: int) -> Any:
        column = table.column(name)
        return column.values[int(column.codes[row])].as_py()

    return [
        {
            name: (value(source, name, rows[row]), value(published, name, row) if name in published else GONE)
            for name in source.names
        }
        for row in picked
    ]


def sample(c: ReportContext) -> Html | None:
    records = changes(c)
    if not records:
        return None
    rows = [[number, *(_change(*change) for change in record.values())] for number, record in enumerate(records, 1)]
    return join([
        tag("p", "A struck-through value is the original; below it stands what is published."),
        table("Records before and after", ["", *(shown(name, 40) for name in records[0])], rows),
    ])  # fmt: skip


def _change(old: Any, new: Any) -> Any:
    if new is GONE:
        return [tag("del", shown(old, 40)), tag("div", "(removed)", class_="soft")]
    return shown(new, 40) if old == new else [tag("del", shown(old, 40)), tag("div", shown(new, 40))]


@dataclass(frozen=True)
class SourceVerdict:
    """A guard's verdict on the source, or None and the reason if it has none, and the worst of its rules."""

    guard: Guard
    holds: bool | None
    sentence: str
    after: str
    rules: list[dict[str, Any]]


def guards_before(c: ReportContext) -> list[SourceVerdict]:
    """Every guard's verdict on the source: how many records stood out, which rules discriminated."""
    if c.inside is None:
        return []
    source, columns = c.inside.source, guarded_columns([guard for guard, _ in c.guards], c.schema)
    try:
        cells = source.count(class_columns(c.schema, source.names, columns))
    except TooManyCells:
        return []
    classes, _ = classes_of(cells.table(), c.schema, cells.counts, columns)
    answers = []
    for guard, claim in c.guards:
        rules = guard.details(classes, c.schema, MAX_RULES) if guard.finds_rules else []
        holds: bool | None = None
        try:
            verdict = guard.verdict(classes, c.schema)
            holds, sentence = verdict.holds, verdict.sentence
        except BadInput as problem:
            sentence = str(problem)
        answers.append(SourceVerdict(guard, holds, sentence, claim.get("sentence", ""), rules))
    return answers


def before(c: ReportContext) -> Html | None:
    answers = guards_before(c)
    if not answers:
        return None
    marks = {True: HOLDS, False: BROKEN, None: "–"}
    rows = [
        [tag("span", answer.guard.kind, class_="nowrap"), marks[answer.holds], answer.sentence, answer.after]
        for answer in answers
    ]
    return join([
        table("The guards' verdicts on the source", ["guard", "on the source", "found before", "found after"], rows),
        *(rule_table(f"{answer.guard.kind}: the worst rules of the source, by {answer.guard.rules_by}", answer.rules)
          for answer in answers if answer.rules),
    ])  # fmt: skip


def shares_of_risk(c: ReportContext) -> Html | None:
    if c.inside is None or not c.schema.quasi:
        return None
    try:
        cells = c.inside.source.count(c.schema.quasi)
    except TooManyCells:
        return None
    shares = sorted(contributions(cells.table(), c.schema, cells.counts).items(), key=lambda item: -item[1])
    rows = [(name, [ChartBar(value, percent(value))]) for name, value in shares]
    chart = bars(
        "Contribution of each column to the risk", rows, axis="decrease of the average risk, in percentage points"
    )
    caption = "By how much the average risk of the source falls when the column is left out."
    return figure(chart, [caption])
