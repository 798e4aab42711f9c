"""The columns: role, level, and what a published value looks like. Only published values are shown."""

from __future__ import annotations

from typing import Any

from fairveil.markup import Html, join, shown, table, tag
from fairveil.reporting.context import ReportContext, ReportedColumn
from fairveil.reporting.numbers import count

MOST_STEPS = 12


def columns(c: ReportContext) -> Html:
    rows = [
        [shown(column.name, 40), ", ".join(column.roles), treatment(c, column),
         count(column.distinct) if column.published else "–", examples(c, column)]
        for column in c.columns
    ]  # fmt: skip
    levels = (
        "A hierarchy makes the values of a column coarser level by level. Level 0 is the value as it is, the last one "
        "a single value for all; each full box is a level that the column went up."
    )
    together = [[stem, join([tag("span", shown(name, 40), class_="chip") for name in part.names])]
                for stem, part in c.tables.items()]  # fmt: skip
    return join([
        table("Which columns stand together", ["file", "columns"], together) if len(together) > 1 else None,
        tag("p", levels) if c.evidence.get("levels") else None,
        table("Every column of the source, and what became of it",
              ["column", "role", "published as", "different values", "most frequent published values"], rows, [3]),
        tag("p", "Roles: ", ROLES_IN_WORDS, class_="soft"),
    ])  # fmt: skip


ROLES_IN_WORDS = (
    "quasi columns could be linked to other data, so they are what is made coarser; sensitive ones are what nobody may "
    "learn about a person; protected ones are grounds on which nobody may be discriminated against; the decision "
    "is the outcome that is learnt from the data; plain columns are published untouched; identifiers name a person."
)


def treatment(c: ReportContext, column: ReportedColumn) -> Any:
    if column.name in c.schema.pseudonyms and column.published:
        return "a keyed pseudonym"
    if not column.published:
        return "not published"
    if column.level is not None and column.height is not None:
        words = f"level {column.level} of {column.height}"
        if column.level == 0:
            words += ": as it is"
        elif column.hidden:
            words += ": hidden"
        return tag("span", steps(column.level, column.height), words, class_="nowrap")
    if column.name in c.schema.levels:
        return f"level {c.schema.levels[column.name]} of its hierarchy, whatever the method"
    if "quasi" in column.roles:
        return f"changed ({c.recipe.kind})" if column.changed else "as it is"
    if "decision" in column.roles and c.evidence.get("facts"):
        return "see what the method reports"  # it may have corrected decisions
    return "as it is"


def steps(level: int, height: int) -> Html | None:
    if height > MOST_STEPS:
        return None
    boxes = [tag("i", class_="on" if place < level else None) for place in range(height)]
    return tag("span", boxes, class_="steps", aria_hidden="true")


def examples(c: ReportContext, column: ReportedColumn) -> Any:
    chips = [tag("span", shown(value, 40), class_="chip") for value in column.examples]
    more = column.distinct - len(column.examples)
    return tag("div", chips, "…" if chips and more else None, class_="wide" if chips else None) if chips else "–"
