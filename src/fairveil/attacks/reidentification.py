"""Re-identification risk: how likely a person is picked out of the published table by the quasi columns alone.

prosecutor  knows that the person is in the data: one over the size of the person's class
journalist  does not: one over the number of people in the population who would be published alike
marketer    wants as many as possible, not one: the share of all records that he gets right on average

The journalist's population is the original where it has more people than were published; otherwise nobody knows the
population, and his risk is at most the prosecutor's.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fairveil.attacks.base import Attack, Finding, Level, percent
from fairveil.attacks.scene import Scene, matched
from fairveil.counting.summary import EXPOSED_BELOW


def reidentification(scene: Scene) -> Iterable[Finding]:
    sizes, rows = scene.classes.rows, scene.table.rows
    smallest = int(sizes.min())
    best, average = 1 / smallest, len(sizes) / rows
    exposed = int(sizes[sizes < EXPOSED_BELOW].sum())
    alone = int((sizes == 1).sum())
    details = {"prosecutor": best, "marketer": average, "smallest_class": smallest, "alone": alone}
    said = (
        f"who knows that a person is in the data picks the right record in at most {percent(best)} of the cases, "
        f"{percent(average)} on average"
    )
    if scene.recodes and scene.original is not None and scene.original.rows > rows:
        details |= (found := _journalist(scene))
        said += f"; who does not know it, in at most {percent(found['journalist'])}"
    if alone:
        said += f"; {alone:,} records are alone in their class"
    level: Level = "danger" if alone else "warn" if exposed else "ok"
    yield Finding(
        "reidentification", level, said, best, average, 1 / rows, "guessing any record",
        exposed, rows, details=details,
    )  # fmt: skip


def _journalist(scene: Scene) -> dict[str, float]:
    """With N people of the population in a class of n rows: risk 1/N, and n/N of the class are got right by 1/n."""
    people, published, total = matched(scene.people, scene.table, scene.schema.quasi)
    population, held = (np.bincount(ids, minlength=total) for ids in (people, published))
    seen = (held > 0) & (population > 0)
    n, size = held[seen], np.maximum(population[seen], held[seen])
    return {"journalist": float((1 / size).max(initial=0)), "marketer_of_population": float((n / size).sum() / n.sum())}


ATTACK = Attack(
    "reidentification",
    frozenset({"table"}),
    "picking a person's record by the published quasi columns: prosecutor, journalist and marketer risk",
    reidentification,
    cheap=True,
)
