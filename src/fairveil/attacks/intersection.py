"""Intersection: a person's class in one release, cut with the person's class in another of the same people.

Each release may keep its k, and yet few people are in both of a person's classes. `k` afterwards is their number. And
where both publish a sensitive column, only values that occur in both classes remain possible for the person (the
composition attack of Ganta, Kasiviswanathan and Smith 2008).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from fairveil.attacks.base import Attack, Finding, Level, percent
from fairveil.attacks.scene import Scene, alike, as_published, matched
from fairveil.cells import group_of
from fairveil.errors import BadInput


def intersection(scene: Scene) -> Iterable[Finding]:
    assert scene.original is not None
    assert scene.other is not None
    one, two = (_classes(release, scene) for release in (scene, scene.other))
    both = (one[1] > 0) & (two[1] > 0)
    ids, total = group_of([(one[0], int(one[0].max()) + 1), (two[0], int(two[0].max()) + 1)], scene.original.rows)
    together = np.bincount(ids[both], minlength=total)[ids[both]]
    if not len(together):
        return
    alone = np.minimum(one[1], two[1])[both]
    left, promised = int(together.min()), min(scene.k, scene.other.k)
    below = int((together < promised).sum())
    level: Level = "danger" if left == 1 and below else "warn" if below else "ok"
    verdict = (
        f"the two releases together leave k={left} of the promised {promised}: {below:,} of {int(both.sum()):,} people "
        f"are among fewer than {promised}, and {int((together == 1).sum()):,} are singled out"
        if below
        else f"the two releases together still hide everybody among {left:,} people (promised: {promised})"
    )
    yield Finding(
        "intersection", level, verdict, 1 / left, float((1 / together).mean()), float((1 / alone).mean()),
        "the more telling of the two releases alone", below, int(both.sum()),
        details={"k_after": left, "k_promised": promised, "singled_out": int((together == 1).sum())},
    )  # fmt: skip
    shared = [name for name in scene.sensitive if name in scene.other.sensitive]
    for column in shared:
        yield _composition(scene, scene.other, column, one[0][both], two[0][both])


def _classes(release: Scene, scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    """The class number of every person of the original in one release, and how many rows that class has there."""
    assert scene.original is not None
    people = as_published(release.recipe, scene.original)
    if people.rows != scene.original.rows:
        raise BadInput(
            "the original holds values that one of the recipes has no place for, so people cannot be matched"
        )
    mine, published, total = matched(people, release.table, release.schema.quasi)
    return mine, np.bincount(published, minlength=total)[mine]


def _composition(scene: Scene, other: Scene, column: str, one: np.ndarray, two: np.ndarray) -> Finding:
    """For each person the sensitive values that occur in both classes."""
    assert scene.original is not None
    left, right, size = alike(scene.table.column(column), other.table.column(column))
    possible = [_values(release, codes, size, scene) for release, codes in ((scene, left), (other, right))]
    pairs, place = np.unique(np.stack([one, two]), axis=1, return_inverse=True)
    common = np.array([len(np.intersect1d(possible[0][a], possible[1][b])) for a, b in pairs.T])[place.ravel()]
    before = np.array([min(len(possible[0][a]), len(possible[1][b])) for a, b in pairs.T])[place.ravel()]
    told, told_before = int((common == 1).sum()), int((before == 1).sum())
    level: Level = "danger" if told > told_before else "ok"
    verdict = (
        f"the two releases together tell the {column} of {told:,} of {len(common):,} people for certain; "
        f"the more telling one alone tells that of {told_before:,}"
    )
    return Finding(
        "intersection", level, verdict, float(told > 0), told / len(common), told_before / len(common),
        "the more telling of the two releases alone", told, len(common), column,
        {"share_told": percent(told / len(common)), "fewest_values_left": int(common.min())},
    )  # fmt: skip


def _values(release: Scene, codes: np.ndarray, size: int, scene: Scene) -> dict[int, np.ndarray]:
    """The sensitive values of each class that somebody of the original is in, by the numbers of `_classes`."""
    assert scene.original is not None
    people = as_published(release.recipe, scene.original)
    _, published, _ = matched(people, release.table, release.schema.quasi)
    pairs = np.unique(published * size + codes)
    classes, starts = np.unique(pairs // size, return_index=True)
    return dict(zip(classes.tolist(), np.split(pairs % size, starts[1:]), strict=True))


ATTACK = Attack(
    "intersection",
    frozenset({"table", "original", "recoded", "other"}),
    "cutting a person's class in this release with the person's class in another one",
    intersection,
)
