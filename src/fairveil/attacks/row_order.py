"""Row order: rows published in the order of the source are identified by their number, whatever k is.

The order of a source is rarely a secret: it was exported by customer number, by date, by name. Somebody who has the
people in that order needs no quasi column at all. With the original in hand the attack reads every sensitive value by
row number and counts how many are right. Where rows were left out, the numbers are off, and the attacker walks along
both lists: each published row belongs to the next person whom the recipe would publish like that.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fairveil.attacks.attack import Attack, Finding, percent
from fairveil.attacks.homogeneity import top_shares
from fairveil.attacks.scene import Scene, as_published, matched
from fairveil.data.coding import alike
from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.plural import counted

KNOWN = "the rows stand in the order of the source"


def row_order(scene: Scene) -> Iterable[Finding]:
    rows, classes = scene.rows, len(scene.classes.rows)
    found = _aligned(scene)
    if found is None:
        left_out = f", but for {counted(scene.suppressed, 'row')} left out" if scene.suppressed else ""
        yield Finding(
            "row-order", "danger",
            f"{KNOWN}{left_out}: an attacker who has the people in that order finds each one's record by its number, "
            f"whatever k is ({counted(rows, 'record')})",
            1.0, 1.0, classes / rows, "somebody who knows only the quasi columns", rows, rows,
        )  # fmt: skip
        return
    people, number = found
    columns = [name for name in scene.sensitive if name in people]
    if not columns:
        yield Finding(
            "row-order", "danger",
            f"{KNOWN}: {counted(len(number), 'record')} of {rows:,} can be given to a person of the original by number",
            1.0, len(number) / rows, classes / rows, "somebody who knows only the quasi columns", len(number), rows,
        )  # fmt: skip
    for column in columns:
        (true, shown), _ = alike([people.column(column), scene.table.column(column)])
        right = int((true[number] == shown[: len(number)]).sum())
        histogram = scene.classes.histogram(column)
        by_class = float((top_shares(histogram)[1] * histogram.rows).sum() / rows)
        yield Finding(
            "row-order", "danger",
            f"{KNOWN}: by number, the {column} of {right:,} of {counted(rows, 'record')} is read off rightly; the best "
            f"guess by class is right for {percent(by_class)}",
            1.0 if right else 0.0, right / rows, by_class, "the most frequent value of the person's class", right, rows,
            column,
        )  # fmt: skip


def _aligned(scene: Scene) -> tuple[Table, np.ndarray] | None:
    """The people, as far as known, and the person of each published row by the order alone; None where it fails."""
    original, rows = scene.original, scene.rows
    if original is None or not scene.published.has_rows:
        return None
    if original.rows == rows:
        return scene.schema.at_levels(original), np.arange(rows)
    if original.rows < rows:
        return None
    try:
        people = as_published(scene.recipe, original)
    except BadInput:
        return None
    mine, published, _ = matched(people, scene.table, scene.schema.quasi)
    number, place = [], 0
    for row in published.tolist():
        while place < len(mine) and mine[place] != row:
            place += 1
        if place == len(mine):
            return None
        number.append(place)
        place += 1
    return people, np.array(number, dtype=np.int64)


def _unfit(scene: Scene) -> str:
    return "" if scene.published.keeps_order else "the rows stand in the order of their values, not of the source"


ATTACK = Attack(
    "row-order",
    frozenset({"table"}),
    "finding people's rows by their number, where they are published in the order of the source",
    row_order,
    cheap=True,
    unfit=_unfit,
)
