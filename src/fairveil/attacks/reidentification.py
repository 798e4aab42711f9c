"""Re-identification risk: how likely a person is picked out of the published table by the quasi columns alone.

prosecutor  knows that the person is in the data: one over the size of the person's class
journalist  does not know it: one over the number of people in the population who would be published alike
marketer    wants as many people as possible, not one: the share of all records that they get right on average

The journalist's population is the original where it has more people than were published. Otherwise nobody knows the
population, and the journalist's risk is at most the prosecutor's.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fairveil.attacks.attack import Attack, Finding, Level, percent
from fairveil.attacks.scene import Scene, matched
from fairveil.counting.summary import EXPOSED_BELOW
from fairveil.plural import counted, verb


def reidentification(scene: Scene) -> Iterable[Finding]:
    sizes, rows = scene.classes.rows, scene.rows
    smallest = int(sizes.min())
    best, average = 1 / smallest, len(sizes) / rows
    exposed = int(sizes[sizes < EXPOSED_BELOW].sum())
    alone = int((sizes == 1).sum())
    details = {"prosecutor": best, "marketer": average, "smallest_class": smallest, "alone": alone}
    verdict = (
        f"somebody who knows that a person is in the data picks the right record in at most {percent(best)} of the "
        f"cases, {percent(average)} on average"
    )
    if scene.recodes and scene.original is not None and scene.original.rows > rows:
        details |= (risks := _journalist(scene))
        verdict += f"; somebody who does not know it, in at most {percent(risks['journalist'])}"
    if alone:
        verdict += (
            f"; {counted(alone, 'record')} {verb(alone, 'is', 'are')} alone in {verb(alone, 'its', 'their')} class"
        )
    level: Level = "danger" if alone else "warn" if exposed else "ok"
    yield Finding(
        "reidentification", level, verdict, best, average, 1 / rows, "guessing any record",
        exposed, rows, details=details,
    )  # fmt: skip


def _journalist(scene: Scene) -> dict[str, float]:
    """Both risks, from classes of n rows and N people of the population: maximum of 1/N; n/N rows of each are right."""
    people, published, total = matched(scene.people, scene.table, scene.schema.quasi)
    population, published_counts = (np.bincount(ids, minlength=total) for ids in (people, published))
    seen = (published_counts > 0) & (population > 0)
    n, size = published_counts[seen], np.maximum(population[seen], published_counts[seen])
    return {"journalist": float((1 / size).max(initial=0)), "marketer_of_population": float((n / size).sum() / n.sum())}


ATTACK = Attack(
    "reidentification",
    frozenset({"table"}),
    "picking a person's record by the published quasi columns: prosecutor, journalist and marketer risk",
    reidentification,
    cheap=True,
)
