"""m-invariance (Xiao and Tao 2007): a check whether releases of changing data protect a sensitive value together.

A class is m-unique if it has at least m records, all with different sensitive values. Releases are m-invariant if every
class is m-unique, and everybody who is in several has, in each of them, a class with the same set of values: then no
intersection of these sets is smaller than m.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.attacks.scene import Scene
from fairveil.attacks.several_releases import LocatedPeople
from fairveil.data.coding import alike
from fairveil.display import Displayable
from fairveil.errors import BadInput, suggest

if TYPE_CHECKING:
    from fairveil.published.folder import Publishing


@dataclass(frozen=True, repr=False)
class Invariance(Displayable):
    """How far releases are m-invariant in a sensitive `column`.

    unique   the largest m for which every class of every release is m-unique; 0 if a class has a value twice
    changed  how many people are in classes with different sets of values
    people   how many people are in several releases
    """

    column: str
    unique: int
    changed: int
    people: int

    @property
    def m(self) -> int:
        """The largest m for which the releases are m-invariant; 0 if they are for none."""
        return 0 if self.changed else self.unique

    def _headline(self) -> str:
        return (
            f"Invariance of {self.column}: m = {self.m}; classes are {self.unique}-unique, and {self.changed:,} of "
            f"{self.people:,} people in several releases have another set of values"
        )


def m_invariance(releases: Sequence[Publishing], original: Any, column: str) -> Invariance:
    """Return how far these `releases`, or their folders, are m-invariant in a sensitive `column`; `original` has the
    people of all of them."""
    if len(releases) < 2:
        raise BadInput("m-invariance is about several releases: give at least two")
    scenes = [Scene.of(release, original=original) for release in releases]
    for scene in scenes:
        if column not in scene.published.names:
            raise BadInput(suggest(column, scene.published.names, "column"))
        if not scene.recodes:
            raise BadInput("the recipe of a release does not say how each person of the original was published")
    codes, size = alike([scene.published.table.column(column) for scene in scenes])
    numbers: dict[bytes, int] = {}
    unique, signatures = 1 << 62, []
    for scene, own in zip(scenes, codes, strict=True):
        located = LocatedPeople.of(scene)
        pairs, times = np.unique(located.published * size + own, return_counts=True)
        rows = located.rows[located.rows > 0]
        unique = min(unique, 0 if (times > 1).any() else int(rows.min(initial=unique)))
        classes, starts = np.unique(pairs // size, return_index=True)
        of_class = np.full(len(located.rows), -1, dtype=np.int64)
        for number, values in zip(classes.tolist(), np.split(pairs % size, starts[1:]), strict=True):
            of_class[number] = numbers.setdefault(values.tobytes(), len(numbers))
        signatures.append(np.where(scene.members, of_class[located.people], -1))
    told = np.stack(signatures)
    several = (told >= 0).sum(axis=0) > 1
    high, low = told.max(axis=0), np.where(told < 0, len(numbers), told).min(axis=0)
    return Invariance(column, unique, int((several & (high != low)).sum()), int(several.sum()))
