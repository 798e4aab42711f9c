"""Attacks that pick out a person's record: by class size, by untouched columns, and by the order of the rows.

reidentification  How likely a person is picked out by the quasi columns alone. The prosecutor knows that the person is
                  in the data: one over the size of the class. The journalist does not: one over the people in the
                  population who would be published alike. The marketer wants as many as possible: the share of records
                  that they get right on average. The population is the original where it has more people than were
                  published; otherwise the journalist's risk is only known to be at most the prosecutor's.
uniqueness        Columns that were published untouched can identify people on their own, whatever k is. Supposing that
                  plain columns can be linked after all, the attack counts the records that share their value with
                  fewer than k, in each plain column, and together with the quasi columns. Sensitive columns and the
                  decision are untouched, too. Nobody should know them; but one that is nearly a name, such as an exact
                  salary, or that numbers people, of whom each may have a few records, identifies people to everybody
                  who does. MANY: a plain column may be known to somebody, so if one record in twenty has a value of its
                  own, it is a danger, and below that a rare value or two. NEARLY: of any other column it takes that
                  most people are told apart by it. EVENLY: where three quarters of the records share their value
                  with equally many others, such as one other, the column counts visits; amounts and dates are
                  shared by one, two and five in turn, as chance has it. FEW: thirty rows are the fewest in which this
                  cannot be chance.
row-order         Rows in the order of the source are identified by their number, whatever k is. That order is rarely a
                  secret: by customer number, by date, by name. With the original in hand the attack reads every
                  sensitive value by row number and counts how many are right. Where rows were left out, each published
                  row belongs to the next person whom the recipe would publish like that.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from fairveil.attacks.attack import Finding, Level, attempt, percent
from fairveil.attacks.scene import Scene, as_published, matched
from fairveil.attacks.sensitive import top_shares
from fairveil.counting.summary import figures_of_classes
from fairveil.counting.tuples import first_rows
from fairveil.data.coding import alike
from fairveil.errors import BadInput
from fairveil.messages import counted, verb

if TYPE_CHECKING:
    from fairveil.data.table import Column, Table
    from fairveil.engines.relation import Sizes

MANY = 0.05  # from this share of unique records on, plain columns are dangerous to publish, as somebody may know them
NEARLY = 0.5  # from this share on, any column is nearly a name, and so are plain columns with the quasi columns
EVENLY = 0.75  # of the records that share their value with equally many, in a column that numbers people
FEW = 30  # of fewer records no column is said to number people
KNOWN = "the rows are in the order of the source"


@attempt("table", cheap=True, by_person=True, title="re-identification")
def reidentification(scene: Scene) -> Iterable[Finding]:
    """Picking a person's record by the published quasi columns: prosecutor, journalist and marketer risk."""
    figures, unit = figures_of_classes(*scene.counted), scene.unit
    rows, smallest = int(figures["kept"]), int(figures["smallest"])
    best, average = 1 / smallest, float(figures["classes"]) / rows
    exposed, alone = (ceil(round(figures[name], 6)) for name in ("exposed", "unique"))
    details = {"prosecutor": best, "marketer": average, "smallest_class": smallest, "alone": alone}
    verdict = (
        f"somebody who knows that a person is in the data picks the right {unit} in at most {percent(best)} of the "
        f"cases, {percent(average)} on average"
    )
    if scene.recodes and scene.original is not None and scene.original.rows > scene.published.rows:
        details |= (risks := _journalist(scene))
        verdict += f"; somebody who does not know it, in at most {percent(risks['journalist'])}"
    if alone:
        their = "their" if alone > 1 or unit == "person" else "its"
        verdict += f"; {counted(alone, unit)} {verb(alone, 'is', 'are')} alone in {their} class"
    level: Level = "danger" if alone else "warn" if exposed else "ok"
    yield Finding(
        "reidentification", level, verdict, best, average, 1 / rows, f"guessing any {unit}",
        exposed, rows, details=details,
    )  # fmt: skip


def _journalist(scene: Scene) -> dict[str, float]:
    """Both risks, from classes of n rows and N people of the population: maximum of 1/N; n/N rows of each are right.
    Where persons are counted, both n and N are different persons."""
    people, published, total = scene.matched(scene.published.schema.quasi)
    person, of_row, original = scene.published.schema.person, scene.person_of_row, scene.original
    sides: list[tuple[np.ndarray, Column | None]] = [(people, None), (published, None)]
    if of_row is not None and original is not None and person and person in original and original.rows == len(people):
        sides = [(people, original.column(person)), (published, of_row)]
    population, published_counts = (
        np.bincount(ids if who is None else ids[first_rows([(ids, total), (who.codes, len(who.values))], len(ids))[1]],
                    minlength=total)
        for ids, who in sides
    )  # fmt: skip
    seen = (published_counts > 0) & (population > 0)
    n, size = published_counts[seen], np.maximum(population[seen], published_counts[seen])
    return {"journalist": float((1 / size).max(initial=0)), "marketer_of_population": float((n / size).sum() / n.sum())}


@attempt("table", cheap=True, headline=True, title="people singled out by untouched columns")
def uniqueness(scene: Scene) -> Iterable[Finding]:
    """Picking people out by columns that were published untouched."""
    content, rows, schema = scene.content, scene.published.rows, scene.published.schema
    plain = [name for name in schema.plain if name in content.names]
    other = [n for n in content.names if n not in (*schema.quasi, *plain, *schema.pseudonyms)]
    k, by_column = max(scene.published.k, 2), {name: content.sizes([name]) for name in (*plain, *other)}
    alone, few = ({name: sizes.below(limit) / rows for name, sizes in by_column.items()} for limit in (2, k))
    numbering = [name for name, sizes in by_column.items() if few[name] > NEARLY and _numbers(sizes, rows)]
    telling = [name for name in other if alone[name] > MANY or name in numbering]
    unchanged = [*plain, *telling]
    if not unchanged:
        return
    sizes = content.sizes([*schema.quasi, *(plain or telling)])
    small, worst = sizes.below(k), max(unchanged, key=lambda name: few[name])
    danger = (
        numbering
        or (plain and (sizes.alone > NEARLY * rows or any(few[name] > NEARLY for name in plain)))
        or any(alone[name] > (MANY if name in plain else NEARLY) for name in unchanged)
    )
    level: Level = "danger" if danger else "warn" if small else "ok"
    together = "plain columns" if plain else " and ".join(telling)
    verdict = (
        f"{counted(small, 'record')} of {rows:,} ({percent(small / rows)}) {verb(small, 'is', 'are')} among fewer than "
        f"{k} by the quasi columns and {together} together, {sizes.alone:,} of them unique"
    )
    if few[worst]:
        verdict += (
            f"; {percent(few[worst])} are so by {worst!r} alone, which is published untouched, {percent(alone[worst])} "
            "unique"
        )
    yield Finding(
        "uniqueness", level, verdict, 1 / min(sizes), sizes.distinct / rows, len(scene.classes.rows) / rows,
        "somebody who knows only the quasi columns", small, rows,
        details={"k": k, "unique": sizes.alone, "unique_by_column": {name: alone[name] for name in unchanged},
                 "below_k_by_column": {name: few[name] for name in unchanged}},
    )  # fmt: skip


def _numbers(sizes: Sizes, rows: int) -> bool:
    """Whether a column has at most two records for each value on average, and equally many for most: the visits of each
    person, unlike the amounts of a payment."""
    evenly = max(size * values for size, values in sizes.items()) > EVENLY * rows
    return evenly and 2 * sizes.distinct >= rows >= FEW


def _sorted(scene: Scene) -> str:
    return "" if scene.published.keeps_order else "the rows are sorted by their values, not in the order of the source"


@attempt("table", cheap=True, unfit=_sorted, title="order of the rows")
def row_order(scene: Scene) -> Iterable[Finding]:
    """Finding people's rows by their number, where they are published in the order of the source."""
    rows, aligned = scene.published.rows, _aligned(scene)
    columns = [] if aligned is None else [name for name in scene.sensitive if name in aligned[0]]
    if not columns:
        by_number = rows if aligned is None else len(aligned[1])
        left_out = counted(scene.published.suppressed, "row") if scene.published.suppressed else ""
        yield Finding(
            "row-order", "danger",
            f"{KNOWN}{f', but for {left_out} left out' if left_out else ''}: an attacker who has the people in that "
            f"order finds each one's record by its number, whatever k is ({counted(rows, 'record')})"
            if aligned is None
            else f"{KNOWN}: {counted(by_number, 'record')} of {rows:,} can be given to a person of the original by "
            "number",
            1.0, by_number / rows, len(scene.classes) / rows, "somebody who knows only the quasi columns", by_number,
            rows,
        )  # fmt: skip
    for column in columns:
        assert aligned is not None
        people, number = aligned
        (true, published), _ = alike([people.column(column), scene.published.table.column(column)])
        right = int((true[number] == published[: len(number)]).sum())
        histogram = scene.classes.histogram(column)
        by_class = float((top_shares(histogram)[1] * histogram.rows).sum() / rows)
        yield Finding(
            "row-order", "danger",
            f"{KNOWN}: by number, the {column} of {right:,} of {counted(rows, 'record')} is read correctly; the best "
            f"guess by class is right for {percent(by_class)}",
            1.0 if right else 0.0, right / rows, by_class, "the most frequent value of the person's class", right, rows,
            column,
        )  # fmt: skip


def _aligned(scene: Scene) -> tuple[Table, np.ndarray] | None:
    """The people, as far as known, and the person of each published row by the order alone; None where it fails."""
    original, rows = scene.original, scene.published.rows
    if original is None or not scene.published.has_rows:
        return None
    if original.rows == rows:
        return scene.published.schema.at_levels(original), np.arange(rows)
    if original.rows < rows:
        return None
    try:
        people = as_published(scene.published.recipe, original)
    except BadInput:
        return None
    mine, published, _ = matched(people, scene.published.table, scene.published.schema.quasi)
    person_of_row, person = [], 0
    for row in published.tolist():
        while person < len(mine) and mine[person] != row:
            person += 1
        if person == len(mine):
            return None
        person_of_row.append(person)
        person += 1
    return people, np.array(person_of_row, dtype=np.int64)
