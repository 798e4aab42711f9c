"""Uniqueness: columns that were published untouched can identify people by themselves, whatever k is.

The data owner says that plain columns cannot be linked. The attack supposes that this is wrong: it counts
the records that are the only one with their value, in each plain column and together with the quasi columns.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fairveil.attacks.base import Attack, Finding, Level, percent
from fairveil.attacks.scene import Scene
from fairveil.counting.cells import group_of

MANY = 0.05
"""From this share of unique records on, a column is dangerous to publish, since somebody may know it."""


def uniqueness(scene: Scene) -> Iterable[Finding]:
    table, rows = scene.table, scene.table.rows
    plain = [name for name in scene.schema.plain if name in table]
    if not plain or not rows:
        return
    alone = {name: int((np.bincount(table.column(name).codes) == 1).sum()) for name in plain}
    names = [*scene.schema.quasi, *plain]
    ids, total = group_of([(table.column(n).codes, len(table.column(n).values)) for n in names], rows)
    counts = np.bincount(ids, minlength=total)
    single = int((counts == 1).sum())
    quasi = scene.classes.rows
    worst = max(plain, key=lambda name: alone[name])
    level: Level = "danger" if alone[worst] > MANY * rows else "warn" if single else "ok"
    verdict = f"{percent(single / rows)} of the records are unique by the quasi and plain columns together"
    if alone[worst]:
        verdict += f", {percent(alone[worst] / rows)} by {worst!r} alone, which is published untouched"
    yield Finding(
        "uniqueness", level, verdict, 1 / int(counts.min()), total / rows, len(quasi) / rows,
        "somebody who knows only the quasi columns", single, rows,
        details={"unique_by_column": {name: alone[name] / rows for name in plain}},
    )  # fmt: skip


ATTACK = Attack(
    "uniqueness",
    frozenset({"table", "plain"}),
    "picking people out by columns that were published untouched",
    uniqueness,
    cheap=True,
)
