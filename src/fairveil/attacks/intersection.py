"""Intersection: a person's class in one release, intersected with the person's class in another.

Each of two releases of the same people may keep its k, and yet few people are in both of a person's classes. The `k`
that is left is their number. Where both publish a sensitive column, a person can only have a value that occurs in
both classes (the composition attack of Ganta, Kasiviswanathan and Smith 2008).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from fairveil.attacks.attack import Attack, Finding, Level
from fairveil.attacks.scene import Scene, as_published, matched
from fairveil.counting.cells import group_of
from fairveil.data.coding import alike
from fairveil.data.table import Table
from fairveil.errors import BadInput
from fairveil.plural import counted, verb

ALONE = "the more telling of the two releases alone"


@dataclass(frozen=True)
class LocatedPeople:
    """One release: the class of every person of the original, of every published row, and rows per class."""

    release: Scene
    people: np.ndarray
    published: np.ndarray
    rows: np.ndarray

    @classmethod
    def of(cls, release: Scene, original: Table) -> LocatedPeople:
        people = as_published(release.recipe, original)
        if people.rows != original.rows:
            raise BadInput("the original holds values that a recipe does not know, so people cannot be matched")
        mine, published, total = matched(people, release.table, release.schema.quasi)
        return cls(release, mine, published, np.bincount(published, minlength=total))

    def values(self, codes: np.ndarray, size: int) -> dict[int, np.ndarray]:
        """The values of a sensitive column that occur in each class."""
        pairs = np.unique(self.published * size + codes)
        classes, starts = np.unique(pairs // size, return_index=True)
        return dict(zip(classes.tolist(), np.split(pairs % size, starts[1:]), strict=True))


def intersection(scene: Scene) -> Iterable[Finding]:
    assert scene.original is not None
    assert scene.other is not None
    first, second = LocatedPeople.of(scene, scene.original), LocatedPeople.of(scene.other, scene.original)
    sizes = np.minimum(first.rows[first.people], second.rows[second.people])
    both = np.flatnonzero(sizes)
    if not len(both):
        return
    ids, total = group_of([(first.people[both], len(first.rows)), (second.people[both], len(second.rows))], len(both))
    together = np.bincount(ids, minlength=total)[ids]
    left, promised = int(together.min()), min(scene.k, scene.other.k)
    below, singled_out = int((together < promised).sum()), int((together == 1).sum())
    level: Level = "danger" if singled_out and below else "warn" if below else "ok"
    everybody = counted(len(both), "person", "people")
    verdict = (
        f"the two releases together leave k={left} of the promised {promised}: {below:,} of {everybody} "
        f"{verb(below, 'is', 'are')} among fewer than {promised}, and {singled_out:,} {verb(singled_out, 'is', 'are')} "
        "singled out"
        if below
        else "the two releases together still hide everybody among "
        f"{counted(left, 'person', 'people')} (promised: {promised})"
    )
    yield Finding(
        "intersection", level, verdict, 1 / left, float((1 / together).mean()), float((1 / sizes[both]).mean()),
        ALONE, below, len(both),
        details={"k_after": left, "k_promised": promised, "singled_out": singled_out},
    )  # fmt: skip
    for column in scene.sensitive:
        if column in scene.other.sensitive:
            yield _composition(first, second, both, column)


def _composition(first: LocatedPeople, second: LocatedPeople, both: np.ndarray, column: str) -> Finding:
    """For each person the sensitive values that occur in both classes."""
    (left, right), size = alike([first.release.table.column(column), second.release.table.column(column)])
    first_values, second_values = first.values(left, size), second.values(right, size)
    pairs, place = np.unique(np.stack([first.people[both], second.people[both]]), axis=1, return_inverse=True)
    remaining = np.array([len(np.intersect1d(first_values[a], second_values[b])) for a, b in pairs.T])[place.ravel()]
    fewer = np.array([min(len(first_values[a]), len(second_values[b])) for a, b in pairs.T])[place.ravel()]
    certain, before = int((remaining == 1).sum()), int((fewer == 1).sum())
    level: Level = "danger" if certain > before else "ok"
    verdict = (
        f"the two releases together give away the {column} of {certain:,} of "
        f"{counted(len(both), 'person', 'people')} for certain; "
        f"the more telling one alone gives away that of {before:,}"
    )
    return Finding(
        "intersection", level, verdict, float(certain > 0), certain / len(both), before / len(both), ALONE,
        certain, len(both), column, {"fewest_values_left": int(remaining.min())},
    )  # fmt: skip


ATTACK = Attack(
    "intersection",
    frozenset({"table", "rows", "original", "recoded", "other"}),
    "intersecting a person's class in this release with the person's class in another one",
    intersection,
)
