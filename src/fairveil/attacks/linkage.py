"""Record linkage by a real attacker, who knows some columns of the original records and looks for each person's row.

A published value matches an original one if the recipe publishes the one as the other ("30-39" for 34). The attacker
guesses among the best matches. So their success against a person is one over the number of these, if the person's own
row is among them, and 0 otherwise. While they know quasi columns only, the best matches are whole classes, and
k-anonymity keeps their success at 1/k or below. That promise does not cover untouched columns that they know as well.

Where a recipe does not say how a value was published (averages), the best matches are the nearest ones: the
differences of numbers as shares of their range plus one for each other value that differs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.attacks.attack import Finding, Level, attempt, percent
from fairveil.counting.cells import Cells, Classes
from fairveil.counting.summary import EXPOSED_BELOW, figures_of_classes
from fairveil.counting.tuples import first_rows, group_of
from fairveil.data.coding import alike
from fairveil.data.schema import Schema
from fairveil.data.table import Column, Table

if TYPE_CHECKING:
    from fairveil.attacks.scene import Scene

MAX_TARGETS = 2000  # the maximum number of people for a nearest-match attack; of more, a sample is taken
_BLOCK = 1 << 21  # distances in memory at a time


@attempt("table", "rows", "original", by_person=True, title="linkage with known values")
def linkage(scene: Scene) -> Iterable[Finding]:
    """Matching what is known about each person against the published rows and guessing among the best matches."""
    assert scene.original is not None
    persons = scene.person_of_row if scene.recodes else None
    person = None if persons is None else scene.published.schema.person
    if persons is not None:
        success, note = _by_person(scene, persons)
    else:
        success, note = _by_recipe(scene) if scene.recodes else _nearest(scene)
    cells = Cells.of(scene.original, [*scene.known, *([] if person is None else [person])])
    figures = figures_of_classes(Classes.of(cells, scene.known), Schema(quasi=scene.known, person=person))
    before, best_before = float(figures["classes"] / figures["kept"]), 1 / int(figures["smallest"])
    best, average = float(success.max(initial=0)), float(success.mean()) if len(success) else 0.0
    best = float(note.pop("highest", best))
    bound = 1 / max(scene.published.k, 1)
    above = int((success > max(bound, 1 / EXPOSED_BELOW) + 1e-9).sum())
    level: Level = "danger" if best >= 1 else "warn" if above or best > bound + 1e-9 else "ok"
    which = "record" if persons is None else "person"
    verdict = (
        f"somebody who knows {_named(scene.known)} picks the right {which} for {percent(average)} of the people "
        f"(for one person, in at most {percent(best)} of the cases); in the original data it would be "
        f"{percent(before)} (at most {percent(best_before)})"
    )
    details = {
        "known": list(scene.known), "targets": len(success), "bound": bound,
        "original": {"best": best_before, "average": before}, "random": 1 / max(scene.published.table.rows, 1),
        "certain": int((success >= 1).sum()), **note,
    }  # fmt: skip
    yield Finding(
        "linkage", level, verdict, best, average, before, "the same attacker on the original data",
        above, len(success), details=details,
    )  # fmt: skip


def _by_recipe(scene: Scene) -> tuple[np.ndarray, dict[str, Any]]:
    """The success against every member: candidates are all rows that fit what the attacker knows."""
    people, published, total = scene.matched(scene.known)
    candidates = np.bincount(published, minlength=total)[people[scene.members]]
    return 1 / np.maximum(candidates, 1), {"matching": "by the recipe", "not_published": int((~scene.members).sum())}


def _by_person(scene: Scene, persons: Column) -> tuple[np.ndarray, dict[str, Any]]:
    """The success against every published person, on average over their records: candidates are all persons with a
    record that fits what the attacker knows of one."""
    table = scene.published.table
    groups, total = group_of(
        [(table.column(name).codes, len(table.column(name).values)) for name in scene.known], table.rows
    )
    _, once = first_rows([(groups, total), (persons.codes, len(persons.values))], table.rows)
    chance = 1 / np.bincount(groups[once], minlength=total)[groups]
    records = np.bincount(persons.codes, minlength=len(persons.values))
    means = np.bincount(persons.codes, weights=chance, minlength=len(records))[records > 0] / records[records > 0]
    return means, {"matching": "by the recipe", "unit": "persons", "highest": float(chance.max(initial=0.0))}


def _nearest(scene: Scene) -> tuple[np.ndarray, dict[str, Any]]:
    """The success against members, or a sample of them, where only distances say which row may be whose."""
    assert scene.original is not None
    known = [name for name in scene.known if name in scene.published.table]
    cells, cell_of_row = Cells.numbered(scene.published.table, known)
    own = None
    source = scene.published.table.rows + scene.published.suppressed
    rows = scene.published.source_rows
    if rows is not None and int(rows.max(initial=-1)) < source == scene.original.rows:
        own = np.full(scene.original.rows, -1, dtype=np.int64)
        own[rows] = cell_of_row
    targets = np.arange(scene.original.rows) if own is None else np.flatnonzero(own >= 0)
    if len(targets) > MAX_TARGETS:
        targets = np.sort(np.random.default_rng(scene.seed).choice(targets, MAX_TARGETS, replace=False))
    success = np.zeros(len(targets))
    step = max(_BLOCK // max(len(cells), 1), 1)
    for start in range(0, len(targets), step):
        block = targets[start : start + step]
        distance = _distances(scene.original.take(block), scene.published.table, cells, known)
        near = distance <= distance.min(axis=1, keepdims=True) + 1e-9
        chance = 1 / (near @ cells.counts)
        success[start : start + step] = chance if own is None else chance * near[np.arange(len(block)), own[block]]
    assumed = {} if own is not None else {"assumed": "that each person's own row is among the nearest (upper bound)"}
    return success, {"matching": "nearest", **assumed}


def _distances(people: Table, published: Table, cells: Cells, known: Sequence[str]) -> np.ndarray:
    total = np.zeros((people.rows, len(cells)))
    for name in known:
        known_column, column = people.column(name), published.column(name)
        left, right = _numbers(known_column), _numbers(column)
        if left is not None and right is not None:
            finite = right[np.isfinite(right)]
            width = float(np.ptp(finite)) if len(finite) else 0.0
            gap = np.abs(left[known_column.codes][:, None] - right[cells.codes[name]][None, :]) / (width or 1.0)
            total += np.where(np.isnan(gap), 1.0, np.minimum(gap, 1.0))
        else:
            every = Column(name, np.arange(len(column.values)), column.values)
            (asked, published_codes), _ = alike([known_column, every])
            total += asked[:, None] != published_codes[cells.codes[name]][None, :]
    return total


def _numbers(column: Column) -> np.ndarray | None:
    """The values as numbers, a missing one as NaN; None if any is not a number."""
    if any(isinstance(v, bool) or not (v is None or isinstance(v, int | float)) for v in column.domain):
        return None
    return np.array([np.nan if value is None else float(value) for value in column.domain])


def _named(names: Sequence[str]) -> str:
    if len(names) > 4:
        return f"the {len(names)} columns {', '.join(names[:3])}, …"
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names) or "nothing"
