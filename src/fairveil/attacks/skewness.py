"""Skewness: a class that differs much from the whole table says something about its people, however diverse it is.

Everybody knows the whole table's distribution of a sensitive value. The attacker compares a person's class with it: the
share of one value may rise from 1 % to 50 %, which ℓ-diversity allows (Li, Li and Venkatasubramanian 2007, section
3). `gap` is half the sum of the differences between the two distributions; t-closeness with equal distance bounds it.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fairveil.attacks.attack import Attack, Finding, Level, percent
from fairveil.attacks.scene import Scene
from fairveil.data.numeric import significant
from fairveil.guards.closeness import TCloseness
from fairveil.plural import counted, verb

WIDE = 0.4
"""From this gap on a class says much: the value of two in five people would have to change to hide it."""


def skewness(scene: Scene) -> Iterable[Finding]:
    for column in scene.sensitive:
        histogram = scene.classes.histogram(column)
        rows = histogram.rows
        if not len(rows):
            continue
        gap = TCloseness(1.0).of_column(scene.classes, column, scene.schema)
        overall = histogram.overall()
        share = histogram.counts / rows[histogram.ids]
        rise = share - overall[histogram.values]
        most = int(np.argmax(significant(rise)))
        wide = significant(gap) > WIDE
        far = int(rows[wide].sum())
        level: Level = "warn" if wide.any() else "ok"
        average = float((gap * rows).sum() / rows.sum())
        verdict = (
            f"the class farthest from the whole table is {gap.max():.2f} away in {column}, {average:.2f} on average; "
            f"the likelihood of one value rises from {percent(float(overall[histogram.values[most]]))} to "
            f"{percent(float(share[most]))}"
        )
        if wide.any():
            verdict += f"; {counted(far, 'record')} {verb(far, 'is', 'are')} in classes more than {WIDE:g} away"
        yield Finding(
            "skewness", level, verdict, float(gap.max()), average, 0.0,
            "classes distributed like the whole table", int(rows[wide].sum()), int(rows.sum()), column,
            {"gap": float(gap.max()), "limit": WIDE, "rise": float(rise[most])},
        )  # fmt: skip


ATTACK = Attack(
    "skewness",
    frozenset({"table", "sensitive"}),
    "learning from how far a class's sensitive values are from those of the whole table",
    skewness,
    cheap=True,
)
