"""k-anonymity (Samarati and Sweeney): every combination of quasi values is shared by at least k records.

What it leaves open: all k records may have the same sensitive value (homogeneity); attackers may know which values are
unlikely (background knowledge), and they may compare two releases of the same people (intersection).

On projections (Matatov et al., Definition 8) each projection must be k-anonymous. So must the join of any of them on
their shared columns, with the class and all shared columns as further quasi columns. What that leaves open: attackers
who also know a person's class may find fewer than k rows in one projection (see `KnownDecision`), and if they know a
dependency between columns of two projections, they can rule out joined rows (see `attacks/rejoin.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.counting.lattice import Lattice, Packing
from fairveil.counting.tuples import KEY_BITS
from fairveil.guards.guard import ClassGuard, Verdict, about
from fairveil.guards.key_sets import KeyedGuard
from fairveil.messages import counted, verb
from fairveil.settings import required, setting

if TYPE_CHECKING:
    from fairveil.counting.cells import Classes
    from fairveil.data.schema import Schema
    from fairveil.guards.projections import Projections

FEW = 64
"""Nodes that are judged one by one, not by a search of all that keep k."""


@dataclass(frozen=True)
class KAnonymity(KeyedGuard):
    """At least `k` records per class; up to the share `suppression` of the rows, or of the persons where these are
    counted, may be suppressed to achieve this."""

    bound: ClassVar[str] = "k"
    kind: ClassVar[str] = "k-anonymity"
    title: ClassVar[str] = "k-anonymity"
    says: ClassVar[str] = "Every person looks the same as at least k − 1 others in what people may know about them."
    monotone: ClassVar[bool] = True
    monotone_when_suppressing: ClassVar[bool] = True
    alone: ClassVar[bool] = True
    on_projections: ClassVar[bool] = True
    weakest: ClassVar[Mapping[str, Any]] = {"k": 2}
    leaves_open: ClassVar[str] = (
        "all records that look alike may share one sensitive value (homogeneity); background knowledge; "
        "intersecting two releases"
    )

    needs_persons: ClassVar[bool] = False

    k: int = field(metadata=required("minimum number of records that look alike", min=2, cli="--k"))
    suppression: float = setting(
        0.0, "share of the records (of the persons, where these are counted) that may be suppressed", min=0, max=1
    )

    def promise(self) -> str:
        return (
            "In the columns by which a person could be recognized, every published record looks the same as at least "
            f"{counted(self.k - 1, 'other')}: no record is singled out among fewer than {self.k:,} records."
        )

    def promise_by(self, unit: str) -> str:
        if unit == "records":
            return self.promise()
        return (
            "In the columns by which a person could be recognized, every published record looks the same as records of "
            f"at least {counted(self.k - 1, 'other person')}: by any one record, no person is singled out among fewer "
            f"than {self.k:,} persons."
        )

    @property
    def by_size(self) -> bool:  # type: ignore[override]
        return not self.across

    @property
    def least_rows(self) -> int:
        return self.k if self.on_all else 1

    @property
    def least_on_sets(self) -> int:
        return int(min([self.k, *self.own_bounds])) if self.across else 0

    def check_rows(self, rows: int) -> list[str]:
        k = max([self.k, *self.own_bounds])
        return [f"k={k} is more than the {counted(rows, 'row')} of the table"] if k > rows else []

    def budget(self, units: int) -> int:
        return max(min(int(self.suppression * units + 1e-9), units - 1), 0)  # an empty release keeps no promise

    def values(self, classes: Classes, schema: Schema) -> np.ndarray:
        return classes.people(schema.person).astype(float)

    def filter_nodes(self, lattice: Lattice, schema: Schema, nodes: np.ndarray) -> np.ndarray | None:
        if self.across or schema.person is None or schema.links:
            return super().filter_nodes(lattice, schema, nodes)
        return lattice.person_pairs(schema.person).at_least(self.k, nodes)

    def passing_sets(self, classes: Classes, schema: Schema) -> np.ndarray:
        if schema.person is None:
            passing = self.compiled(classes, schema)
        else:
            passing = self.compiled(classes, schema, classes.codes[schema.person])
        return super().passing_sets(classes, schema) if passing is None else passing

    def verdict_parts(self, parts: Projections) -> Verdict:
        if not parts:
            return self.nothing_published()
        below = list(parts.groups_below(self.k))
        sentence = f"in every projection at least {counted(parts.partial, 'record')} "
        sentence += f"{verb(parts.partial, 'shares its', 'share their')} quasi values"
        if parts.joined is not None:
            sentence += f", after joining any of them at least {parts.joined:,}"
        groups, rows = (sum(numbers) for numbers in zip(*below, strict=True))
        sentence += f" (k={self.k})"
        return Verdict(self, parts.level >= self.k, float(parts.level), self.limit, groups, rows, None, sentence)

    def on_part(self, lattice: Lattice, schema: Schema, columns: Sequence[str], nodes: np.ndarray) -> np.ndarray:
        part, places = lattice.part(columns)
        if len(nodes) < FEW or schema.person is not None or Packing.width(part) > KEY_BITS:
            return super().on_part(lattice, schema, columns, nodes)
        keeps: np.ndarray = np.zeros(part.tops + 1, dtype=bool)
        keeps[tuple(part.anonymous(self.k).T)] = True
        of_nodes: np.ndarray = keeps[tuple(nodes[:, places].T)]
        return of_nodes

    def describe(self, worst: float) -> str:
        return f"the smallest class has {counted(int(worst), 'record')} (k={self.k})"


@dataclass(frozen=True)
class KnownDecision(ClassGuard):
    """At least `k` records per class and decision in it: protects against attackers who also know a person's decision.

    On projections k-anonymity does not count the class within one projection (Matatov et al., Definition 8), so an
    attacker who knows it may find fewer than k rows there. This guard promises that they do not, alone and joined. It
    implies k-anonymity.
    """

    bound: ClassVar[str] = "k"
    kind: ClassVar[str] = "known-decision"
    title: ClassVar[str] = "decision known to the attacker"
    says: ClassVar[str] = "Nobody is singled out among fewer than k people, even by an attacker who knows the decision."
    monotone: ClassVar[bool] = True
    alone: ClassVar[bool] = True
    on_projections: ClassVar[bool] = True
    needs_persons: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ("quasi", "decision")
    leaves_open: ClassVar[str] = "what k-anonymity leaves open, but for attackers who know a person's decision"

    k: int = field(metadata=required("minimum number of records that look alike and share the decision", min=2))

    def promise(self) -> str:
        return (
            f"Also for somebody who knows a person's decision, every published record looks the same as at least "
            f"{self.k - 1:,} others with that decision."
        )

    def columns(self, schema: Schema) -> tuple[str, ...]:
        return () if schema.decision is None else (schema.decision,)

    def check_schema(self, schema: Schema) -> list[str]:
        return [] if schema.decision else ["known-decision needs a decision column, and the schema names none"]

    def values(self, classes: Classes, schema: Schema) -> np.ndarray:
        """The number of rows with the rarest decision, per class."""
        histogram = classes.histogram(self.columns(schema)[0], person=schema.person)
        rarest = np.full(len(classes), np.inf)
        np.minimum.at(rarest, histogram.ids, histogram.counts)
        return rarest

    def verdict_parts(self, parts: Projections) -> Verdict:
        if not parts:
            return self.nothing_published()
        alone = min(int(fact.minima[fact.minima > 0].min()) for fact in parts.facts)
        worst = min(alone, parts.joined or alone)
        sentence = f"with the decision known, at least {counted(worst, 'record')} in every projection and join"
        sentence = about([parts.decision] if parts.decision else [], f"{sentence} (k={self.k})")
        return Verdict(self, worst >= self.k, float(worst), self.limit, 0, 0, None, sentence)

    def describe(self, worst: float) -> str:
        return f"the rarest decision of a class has {counted(int(worst), 'record')} (k={self.k})"
