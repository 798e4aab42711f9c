"""What became of the columns and records, what that cost by every measure, and the candidates it was chosen from.

Only published values are shown.
"""

from __future__ import annotations

from dataclasses import asdict
from itertools import combinations
from typing import TYPE_CHECKING, Any

from fairveil.markup import DataText, Html, join, shown, table, tag
from fairveil.measures import MEASURES as REGISTRY
from fairveil.reporting.charts import ChartAxis, ChartBar, bars, figure, legend, scatter, sign
from fairveil.reporting.numbers import count, number, percent, times

if TYPE_CHECKING:
    from fairveil.reporting.context import ReportContext, ReportedColumn

MAX_STEPS = 12
FAMILIES = ("risk", "loss", "utility", "fairness")
MAX_BARS = 24
ROLES_IN_WORDS = (
    "quasi columns could be linked to other data, so they are what is made coarser; sensitive ones are what nobody may "
    "learn about a person; protected ones are grounds on which nobody may be discriminated against; the decision "
    "is the outcome that is learnt from the data; plain columns are published untouched; identifiers name a person."
)


def columns(c: ReportContext) -> Html:
    rows = [
        [shown(column.name, 40), ", ".join(column.roles), treatment(c, column),
         count(column.distinct) if column.published else "–", examples(column)]
        for column in c.columns
    ]  # fmt: skip
    levels = (
        "A hierarchy makes the values of a column coarser level by level. Level 0 is the value as it is, the last one "
        "a single value for all; each full box is a level that the column went up."
    )
    together = [[stem, join([tag("span", shown(name, 40), class_="chip") for name in part.names])]
                for stem, part in c.published.content.items()]  # fmt: skip
    return join([
        table("Which columns stand together", ["file", "columns"], together) if len(together) > 1 else None,
        tag("p", levels) if c.evidence.get("levels") else None,
        table("Every column of the source, and what became of it",
              ["column", "role", "published as", "different values", "most frequent published values"], rows, [3]),
        tag("p", "Roles: ", ROLES_IN_WORDS, class_="soft"),
    ])  # fmt: skip


def treatment(c: ReportContext, column: ReportedColumn) -> Any:
    if column.name in c.schema.pseudonyms and column.published:
        return "a keyed pseudonym"
    if not column.published:
        return "not published"
    if column.level is not None and column.height is not None:
        ending = ": as it is" if column.level == 0 else ": hidden" if column.hidden else ""
        words = f"level {column.level} of {column.height}{ending}"
        return tag("span", steps(column.level, column.height), words, class_="nowrap")
    if column.name in c.schema.levels:
        return f"level {c.schema.levels[column.name]} of its hierarchy, whatever the method"
    if "quasi" in column.roles:
        return f"changed ({c.recipe.title or c.recipe.kind})" if column.changed else "as it is"
    if "decision" in column.roles and c.evidence.get("facts"):
        return "see what the method reports"  # it may have corrected decisions
    return "as it is"


def steps(level: int, height: int) -> Html | None:
    if height > MAX_STEPS:
        return None
    boxes = [tag("i", class_="on" if index < level else None) for index in range(height)]
    return tag("span", boxes, class_="steps", aria_hidden="true")


def examples(column: ReportedColumn) -> Any:
    chips = [tag("span", shown(value, 40), class_="chip") for value in column.examples]
    return tag("div", chips, "…" if column.distinct > len(chips) else None, class_="wide") if chips else "–"


def loss(c: ReportContext) -> Html | None:
    loss_per_column = c.evidence.get("loss_per_column", {})
    if not loss_per_column:
        return None
    worst_first = sorted(loss_per_column.items(), key=lambda item: -item[1])[:MAX_BARS]
    rows = [(name, [ChartBar(value, percent(value), "c4" if value > 0.999 else "c1")]) for name, value in worst_first]
    chart = bars("Loss per column", rows, axis="loss: 0 % untouched, 100 % hidden", maximum=1.0)
    rest = f" The {MAX_BARS} columns that lost most are shown." if len(loss_per_column) > MAX_BARS else ""
    over, whatever = "over all records", "a record that"
    if c.schema.person is not None:
        over, whatever = "over all persons, and for each over their records", "a person who"
    caption = (
        f"The share of its domain that a published value could stand for, averaged {over}; {whatever} was left out has "
        f"lost everything.{rest}"
    )
    return figure(chart, [caption])


def records(c: ReportContext) -> Html | None:
    if c.recipe.invents:  # nothing is disclosed about the source
        return None
    words = {
        "source": "source records", "dropped_for_missing_values": "dropped for missing values",
        "suppressed": "suppressed to keep the promises", "published": "published",
    }  # fmt: skip
    total = max(c.rows["source"], 1)
    lines = [[words[key], count(c.rows[key]), percent(c.rows[key] / total)] for key in words]
    head = ["records", "number", "share"]
    if (persons := c.published.persons) is not None:
        head += ["persons with such records", "share of persons"]
        numbers = asdict(persons)
        for key, line in zip(words, lines, strict=True):
            known = numbers.get(key)
            line += ["–", "–"] if known is None else [count(known), percent(known / max(persons.source, 1))]
    return table("Where the records of the source went", head, lines, range(1, len(head)))


def measures(c: ReportContext) -> Html:
    named = (m.counting(c.schema.person) for m in REGISTRY if m.name in c.measures)
    known = sorted(named, key=lambda m: FAMILIES.index(m.family))
    rows = [
        [join([m.title, " ", tag("code", m.name)]), m.family, number(c.measures[m.name]), m.better,
         f"{number(m.range[0])} to {number(m.range[1])}", tag("div", m.meaning, class_="wide")]
        for m in known
    ]  # fmt: skip
    others = [name for name in c.measures if all(name != m.name for m in known)]
    rows += [[tag("code", DataText(name)), "", number(c.measures[name]), "", "", ""] for name in others]
    return table(
        "Every number that was computed about this release",
        ["measure", "about", "value", "better", "range", "meaning"], rows, [2],
    )  # fmt: skip


def frontier(c: ReportContext) -> Html | None:
    sketch = c.evidence.get("alternatives")
    if not sketch or len(sketch["measures"]) < 2:
        return None
    pairs = list(combinations(list(sketch["measures"])[:3], 2))[:2]
    owners = list(dict.fromkeys(sketch.get("methods", []))) or [""]
    kinds = [owners.index(owner) for owner in sketch.get("methods", [""] * len(sketch["measures"][pairs[0][0]]))]
    words = (
        f"The release was chosen from {times(sketch['candidates'], 'candidate')} that keep every promise. The plots "
        "are a sketch, on purpose: measures are rounded to two digits, and candidates that then coincide are drawn "
        "once."
    )
    keys = [(sign(index), owner) for index, owner in enumerate(owners)] if len(owners) > 1 else []
    charts = [_chart(sketch, pair, kinds) for pair in pairs]
    return join([tag("p", words), legend(keys) if keys else None, tag("div", charts, class_="charts even")])


def _chart(sketch: dict[str, Any], pair: tuple[str, str], kinds: list[int]) -> Html:
    across, up = (
        ChartAxis(REGISTRY.get(name).title, sketch["measures"][name], REGISTRY.get(name).range == (0, 1))
        for name in pair
    )
    better = [REGISTRY.get(name).better for name in pair]
    label = f"{len(kinds)} candidates by {across.name} and {up.name}"
    chart = scatter(label, across, up, kinds, sketch["chosen"])
    where = f"{better[0]} is better across, {better[1]} is better upwards"
    if better == ["lower", "lower"]:
        where = "lower is better on both axes, so the best trade-offs are at the bottom left"
    return figure(chart, [f"Each point is a candidate; {where}."])
