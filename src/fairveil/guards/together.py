"""k-anonymity together with earlier releases of the same people, for an attacker who matches people across them.

The attacker knows a person's class in each earlier release, or that the person is in none. Who shares them all, and the
class in the new release, must be at least k people. With the same hierarchies and unchanged values, these are the
classes at the meet of the levels; in general they are the product of the partitions. The earlier ones are fixed, so
merging classes of the new release only merges joint classes: k on these is monotone, with suppression, too. Guards of
sensitive values hold on the joint classes as well.

The source has a hidden column with the number of each row's combination of earlier classes (`engines/joined.py`). It is
judged and never published, so the guard is the owner's: the release has a note of it, and `verify` cannot recompute it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.counting.lattice import Lattice, Packing
from fairveil.counting.tuples import KEY_BITS, group_of
from fairveil.data.hierarchy import Levels
from fairveil.guards.guard import EARLIER, ClassGuard
from fairveil.messages import counted
from fairveil.settings import required

if TYPE_CHECKING:
    from fairveil.counting.cells import Cells, Classes
    from fairveil.data.schema import Schema


def note_of(promise: str, releases: Sequence[str]) -> str:
    """What a release says of a promise across releases: only what is published anyway."""
    several = "the earlier release" if len(releases) == 1 else "the earlier releases"
    return (
        f"{promise} also holds together with {several} {', '.join(releases)}, for somebody who knows who is in which "
        "of them; this was judged by the publisher, who has the data of all"
    )


def joint_classes(classes: Classes) -> tuple[Classes, np.ndarray]:
    """The joint classes, and the class that each is part of."""
    columns = [(classes.ids, max(len(classes), 1)), (classes.codes[EARLIER], classes.sizes[EARLIER])]
    ids, total = group_of(columns, len(classes.ids))
    of_class = np.zeros(total, dtype=np.int64)
    of_class[ids] = classes.ids
    rows = np.bincount(ids, weights=classes.counts, minlength=total).astype(np.int64)
    return replace(classes, ids=ids, rows=rows, persons=None), of_class


@dataclass(frozen=True)
class Together(ClassGuard):
    """At least `k` people share their classes in this release and in all earlier ones."""

    bound: ClassVar[str] = "k"
    kind: ClassVar[str] = "k-anonymity together with earlier releases"
    monotone: ClassVar[bool] = True
    monotone_when_suppressing: ClassVar[bool] = True
    across: ClassVar[bool] = True  # the groups of a method cannot be judged by themselves
    owners: ClassVar[bool] = True
    needs_persons: ClassVar[bool] = False
    leaves_open: ClassVar[str] = "people of an earlier release who are not in this one"

    k: int = field(metadata=required("minimum number of people who share all their classes", min=1))
    releases: Sequence[str] = field(default=(), metadata=required("the seals of the earlier releases"))

    def columns(self, schema: Schema) -> tuple[str, ...]:
        return (EARLIER,)

    def subjects(self, schema: Schema) -> tuple[str, ...]:
        return ()

    def note(self) -> str:
        return note_of(f"k-anonymity (k={self.k})", self.releases)

    def values(self, classes: Classes, schema: Schema) -> np.ndarray:
        joint, of_class = joint_classes(classes)
        fewest = np.full(len(classes), np.inf)
        np.minimum.at(fewest, of_class, joint.people(schema.person))
        return fewest

    def breaking(self, classes: Classes, schema: Schema) -> np.ndarray:
        joint, _ = joint_classes(classes)
        breaking: np.ndarray = ~self.within(joint.people(schema.person).astype(float))[joint.ids]
        return breaking

    def filter_nodes(self, lattice: Lattice, schema: Schema, nodes: np.ndarray) -> np.ndarray | None:
        """By the same search as for k, in a lattice with one more column, which is there or not."""
        size = lattice.cells.sizes[EARLIER]
        present = Levels(np.array([range(size), [0] * size]), (tuple(range(size)), ("*",)))
        wider = Lattice(lattice.cells, {**lattice.levels, EARLIER: present}, lattice.progress)
        if schema.person is not None or Packing.width(wider) > KEY_BITS or lattice.cells.rows < self.k:
            return None
        found = wider.anonymous(self.k)
        keeps = np.zeros(lattice.tops + 1, dtype=bool)
        keeps[tuple(found[found[:, -1] == 0, :-1].T)] = True
        of_nodes: np.ndarray = keeps[tuple(nodes.T)]
        return of_nodes

    def describe(self, worst: float) -> str:
        return f"the smallest class across all releases has {counted(int(worst), 'record')} (k={self.k})"


@dataclass(frozen=True)
class ValuesTogether(ClassGuard):
    """A class `guard` of sensitive values on the joint classes with all earlier releases.

    An attacker who intersects a person's classes is left with the people of the joint class, whose values these are: so
    they cannot narrow them down further than the guard allows there. It judges the values as they are now.
    """

    kind: ClassVar[str] = "sensitive values together with earlier releases"
    across: ClassVar[bool] = True
    owners: ClassVar[bool] = True
    leaves_open: ClassVar[str] = Together.leaves_open

    guard: Any
    releases: Sequence[str] = field(default=(), metadata=required("the seals of the earlier releases"))

    @property
    def limit(self) -> float:
        return float(self.guard.limit)

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        return bool(self.guard.higher_is_better)

    def columns(self, schema: Schema) -> tuple[str, ...]:
        return (EARLIER, *self.guard.columns(schema))

    def subjects(self, schema: Schema) -> tuple[str, ...]:
        return tuple(self.guard.subjects(schema))

    def note(self) -> str:
        return note_of(f"{self.guard.title} ({self.guard.bound}={self.limit:g})", self.releases)

    def monotone_on(self, cells: Cells, schema: Schema, suppressing: bool) -> bool:
        """As the guard is: merging classes only merges joint ones, and all records of a person have the same past."""
        return bool(self.guard.monotone_on(cells, schema, suppressing))

    def values(self, classes: Classes, schema: Schema) -> np.ndarray:
        joint, of_class = joint_classes(classes)
        worst = np.full(len(classes), np.inf if self.higher_is_better else -np.inf)
        (np.minimum if self.higher_is_better else np.maximum).at(worst, of_class, self.guard.values(joint, schema))
        return worst

    def within(self, values: np.ndarray) -> np.ndarray:
        within: np.ndarray = self.guard.within(values)
        return within

    def breaking(self, classes: Classes, schema: Schema) -> np.ndarray:
        joint, _ = joint_classes(classes)
        breaking: np.ndarray = ~self.within(self.guard.values(joint, schema))[joint.ids]
        return breaking

    def describe(self, worst: float) -> str:
        return f"across all releases, {self.guard.describe(worst)}"
