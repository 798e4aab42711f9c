"""Several releases: what they tell together that none tells alone.

Intersection takes a person's class in each of them. All may keep their k, and yet few people are in all these classes.
The `k` that is left is their number. Where several publish a sensitive column, a person can only have a value that
occurs in all their classes (the composition attack of Ganta, Kasiviswanathan and Smith 2008). Who is in a release
follows from its rows: nobody is assumed to be in all of them.

Subtraction needs no original. Release 299 people, then 300: all but one row cancel out, and the row that is left
belongs to the person who joined, whatever k is. Both tables are compared as they are, each column at the coarser of its
two generalizations: where people of the original have the values a and b in one release and c in the other, a and b are
the same (and so on, until nothing changes). Columns that cannot be compared are left out. What is left over is about
the people who joined or left, provided that everybody else is published with the same values in both, and that is what
the attack assumes and says. If more than a tenth of the smaller release does not cancel out (`UPDATE`), these are
hardly an update of one another, and the finding is a warning only: of different people in the same classes, a good part
of the rows cancels out by chance, and what is left belongs to nobody in particular. A tenth is what a register changes
by in a year or so, and then what is left over in a class below k still belongs to those who came or went.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np

from fairveil.attacks.attack import Finding, Level, attempt
from fairveil.attacks.scene import Scene
from fairveil.counting.spellings import spelt_together
from fairveil.counting.tuples import group_of
from fairveil.data.coding import alike
from fairveil.messages import counted, verb

if TYPE_CHECKING:
    from fairveil.data.table import Column

ALONE = "the more telling of the two releases alone"
UPDATE = 0.9  # one release is an update of the other if at least this share of the smaller one cancels out
ASSUMED = "that everybody in both releases is published with the same values"


@dataclass(frozen=True)
class LocatedPeople:
    """One release: the class of every person of the original, of every published row, and rows per class."""

    release: Scene
    people: np.ndarray
    published: np.ndarray
    rows: np.ndarray

    @classmethod
    def of(cls, release: Scene) -> LocatedPeople:
        mine, published, total = release.matched(release.published.schema.quasi)
        rows = np.bincount(published, minlength=total)
        return cls(release, mine.astype(np.int64), published.astype(np.int64), rows)

    def values(self, codes: np.ndarray, size: int) -> dict[int, np.ndarray]:
        """The values of a sensitive column that occur in each class that has any; those below 0 are missing."""
        pairs = np.unique((self.published * size + codes)[codes >= 0])
        classes, starts = np.unique(pairs // size, return_index=True)
        return dict(zip(classes.tolist(), np.split(pairs % size, starts[1:]), strict=True)) if len(pairs) else {}


@attempt("table", "rows", "other", title="several releases intersected")
def intersection(scene: Scene) -> Iterable[Finding]:
    """Intersecting a person's class in this release with the person's classes in other ones, and subtracting the one
    release from each other."""
    others = [replace(other, original=scene.original) for other in scene.others]
    in_step = [other for other in others if _in_step(scene, other)]
    if in_step:
        yield from _intersected(scene, in_step)
    for other in others:
        yield from _subtracted(scene, other)


def _in_step(scene: Scene, other: Scene) -> bool:
    """Whether both recipes say how everybody of the original was published."""
    if scene.original is None or not (scene.recodes and other.recodes):
        return False
    return scene.people.rows == other.people.rows == scene.original.rows


def _together(releases: int) -> str:
    return "the two releases" if releases == 2 else f"the {releases} releases"


def _intersected(scene: Scene, others: Sequence[Scene]) -> Iterator[Finding]:
    """For everybody in this release and another one: who is in the same class of each, or not in it, as they are."""
    releases = [LocatedPeople.of(release) for release in (scene, *others)]
    inside = np.stack([release.release.members for release in releases])
    both = np.flatnonzero(inside[0] & inside[1:].any(axis=0))
    if not len(both):
        return
    classes = np.stack([np.where(here, side.people, -1) for here, side in zip(inside, releases, strict=True)])[:, both]
    of_side = [
        np.where(own < 0, scene.published.rows, side.rows[own]) for own, side in zip(classes, releases, strict=True)
    ]
    sizes = np.minimum.reduce(of_side)
    columns = [(own + 1, len(side.rows) + 1) for own, side in zip(classes, releases, strict=True)]
    ids, total = group_of(columns, len(both))
    together = np.bincount(ids, minlength=total)[ids]
    left, promised = int(together.min()), min(release.published.k for release in (scene, *others))
    below, singled_out = int((together < promised).sum()), int((together == 1).sum())
    level: Level = "danger" if singled_out and below else "warn" if below else "ok"
    everybody, all_of_them = counted(len(both), "person", "people"), _together(len(releases))
    where = "both" if len(releases) == 2 else "this and another"
    verdict = (
        f"{all_of_them} together leave k={left} of the promised {promised}: {below:,} of {everybody} in {where} "
        f"{verb(below, 'is', 'are')} among fewer than {promised}, and {singled_out:,} {verb(singled_out, 'is', 'are')} "
        "singled out"
        if below
        else f"{all_of_them} together still hide everybody in {where} among "
        f"{counted(left, 'person', 'people')} (promised: {promised})"
    )
    yield Finding(
        "intersection", level, verdict, 1 / left, float((1 / together).mean()), float((1 / sizes).mean()),
        ALONE, below, len(both),
        details={"k_after": left, "k_promised": promised, "singled_out": singled_out},
    )  # fmt: skip
    for column in scene.sensitive:
        sides = [n for n, side in enumerate(releases) if column in side.release.sensitive]
        if len(sides) > 1:
            yield _composition([releases[n] for n in sides], classes[sides], column)


def _composition(releases: Sequence[LocatedPeople], classes: np.ndarray, column: str) -> Finding:
    """For each person the sensitive values that occur in the person's class of every release that has the person."""
    columns = [side.release.published.table.column(column) for side in releases]
    codes, size = alike(columns)
    if not any(side.release.published.counts_missing(column) for side in releases):
        same = spelt_together(columns, codes, size)
        codes = codes if same is None else tuple(same[own] for own in codes)
    nothing = np.zeros(0, dtype=np.int64)
    values = [defaultdict(lambda: nothing, side.values(own, size)) for side, own in zip(releases, codes, strict=True)]
    shared, inverse = np.unique(classes, axis=1, return_inverse=True)
    known = [[of[own] for of, own in zip(values, person, strict=True) if own >= 0] for person in shared.T.tolist()]
    remaining = np.array([len(reduce(np.intersect1d, sets)) for sets in known])[inverse.ravel()]
    fewer = np.array([min(map(len, sets)) for sets in known])[inverse.ravel()]
    people = classes.shape[1]
    certain, before = int((remaining == 1).sum()), int((fewer == 1).sum())
    level: Level = "danger" if certain > before else "ok"
    verdict = (
        f"{_together(len(releases))} together give away the {column} of {certain:,} of "
        f"{counted(people, 'person', 'people')} for certain; the more telling one alone gives away that of {before:,}"
    )
    return Finding(
        "intersection", level, verdict, float(certain > 0), certain / people, before / people, ALONE,
        certain, people, column, {"fewest_values_left": int(remaining.min())},
    )  # fmt: skip


def _subtracted(scene: Scene, other: Scene) -> Iterator[Finding]:
    """What is left when the rows that both releases have are taken away, each as often as both have it."""
    mine, theirs = scene.published, other.published
    shared = [name for name in mine.names if name in theirs.names and name not in mine.schema.pseudonyms]
    columns = {name: codes for name in shared if (codes := _comparable(scene, other, name)) is not None}
    quasi = [name for name in columns if name in mine.schema.quasi and name in theirs.schema.quasi]
    if not columns:
        return
    rows = mine.rows + theirs.rows
    ids, total = group_of([columns[name] for name in columns], rows)
    left = np.bincount(ids[: mine.rows], minlength=total) - np.bincount(ids[mine.rows :], minlength=total)
    only = [int(np.maximum(sign * left, 0).sum()) for sign in (1, -1)]
    classes, size = group_of([columns[name] for name in quasi], rows)
    class_of = np.zeros(total, dtype=np.int64)
    class_of[ids] = classes
    promised = min(mine.k, theirs.k)
    joined, gone = (np.bincount(class_of, weights=np.maximum(sign * left, 0), minlength=size) for sign in (1, -1))
    remaining = np.concatenate([joined, gone]).astype(np.int64)
    small = remaining[(remaining > 0) & (remaining < promised)]
    exposed = int(small.sum())
    update = mine.rows - only[0] >= UPDATE * min(mine.rows, theirs.rows)
    level: Level = ("danger" if update else "warn") if exposed else "ok"
    without = [name for name in shared if name not in columns]
    compared = f", {', '.join(without)} aside," if without else ""
    verdict = (
        f"subtracting the releases{compared} leaves {counted(only[0], 'record')} that only this one has and "
        f"{only[1]:,} that only the other has"
    )
    if exposed:
        verdict += f"; {exposed:,} of these {verb(exposed, 'is', 'are')} among fewer than {promised} of a class"
    yield Finding(
        "intersection", level, f"{verdict} (assuming {ASSUMED})", 1 / int(small.min(initial=promised)),
        exposed / max(sum(only), 1), 1 / promised, "each release alone", exposed, sum(only),
        details={"only_here": only[0], "only_there": only[1], "k_promised": promised, "not_compared": without,
                 "assumed": ASSUMED},
    )  # fmt: skip


def _comparable(scene: Scene, other: Scene, name: str) -> tuple[np.ndarray, int] | None:
    """The codes of a column of both tables, one after the other, at the coarser of the two generalizations, and their
    number; None if the values cannot be compared."""
    sides = [side.published for side in (scene, other)]
    columns = [side.table.column(name) for side in sides]
    codes, size = alike(columns)
    if _in_step(scene, other):
        people = [side.people.column(name) for side in (scene, other) if name in side.people]
        if len(people) == 2:
            return _coarser(columns, people)
    levels = [
        (0 if side.recipe.publishes_as_read(name) else side.recipe.level_of(name), side.schema.levels.get(name))
        for side in sides
    ]
    same = levels[0] == levels[1] and levels[0][0] is not None
    return (np.concatenate(codes), size) if same else None


def _coarser(columns: list[Column], people: list[Column]) -> tuple[np.ndarray, int]:
    """Values of both sides are the same if a person has both, and if each is the same as a third."""
    (*published, first, second), size = alike([*columns, *people])
    here, there = first.astype(np.int64), second.astype(np.int64)
    known = [np.bincount(codes, minlength=size) > 0 for codes in (here, there)]
    spelled = np.flatnonzero(~(known[0] & known[1]))  # values that nobody of the original has are as they are spelled
    pairs = np.unique(np.stack([np.append(here, spelled), np.append(there, spelled) + size]), axis=1)
    parts = np.arange(2 * size)  # of the values here, then of those there
    while True:
        lowest, merged = np.minimum(parts[pairs[0]], parts[pairs[1]]), parts.copy()
        for side in pairs:
            np.minimum.at(merged, side, lowest)
        if (merged == parts).all():
            return np.concatenate([parts[published[0]], parts[published[1] + size]]), 2 * size
        parts = merged
