"""Situation testing (Luong et al. 2011; Hajian et al., section 7.2.2): discrimination that nothing lawful explains.

A denied person t is discriminated against when, among those nearest to t in the legally grounded columns LA, the share
denied in t's own protected group exceeds the share denied outside of it by more than a threshold: people who are alike
in everything that may lawfully matter are treated differently. The guard limits the share of such records.

The distance of two records is the number of LA columns in which their published values differ. The neighbours of t are
its k nearest, and all that are exactly as near as the k-th, without t itself. If one side has nobody, t does not count
as discriminated against.

What it leaves open: reasons outside LA, and whether a column is a lawful reason at all, which the law must say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fairveil.counting.cells import Classes, classes_of, group_of
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.errors import BadInput, suggest
from fairveil.guards.base import Guard, Verdict, need_columns, need_number, published_columns
from fairveil.guards.rules.alpha import denied_cells
from fairveil.measures.base import Measure
from fairveil.plural import counted, verb
from fairveil.spelling import literal, option

_BLOCK = 1 << 24  # distances held at a time


@dataclass(frozen=True)
class SituationTesting(Guard):
    """At most the share `limit` of the records denied without a lawful explanation.

    `legal` are the legally grounded columns, `k` the neighbours on either side, `threshold` the difference between
    the two shares of denials above which a record counts.
    """

    kind: ClassVar[str] = "situation-testing"
    leaves_open: ClassVar[str] = "reasons outside the legally grounded columns; whether a reason is lawful"
    published: ClassVar[bool] = True
    needs: ClassVar[tuple[str, ...]] = ("quasi", "protected", "decision")

    legal: tuple[str, ...]
    k: int = 8
    threshold: float = 0.2
    limit: float = 0.0

    def __post_init__(self) -> None:
        if isinstance(self.legal, str):
            object.__setattr__(self, "legal", (self.legal,))
        if not self.legal:
            raise BadInput(
                f"situation-testing: {option('legal')} must name at least one column that may lawfully matter"
            )
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 1:
            raise BadInput(
                f"situation-testing: {option('k')} must be a whole number of at least 1, not {literal(self.k)}"
            )
        need_number(self.kind, "threshold", self.threshold, 0, 1)
        need_number(self.kind, "limit", self.limit, 0, 1)

    def promise(self) -> str:
        return (
            f"At most {100 * self.limit:g} % of the records are denied while people outside their protected group, "
            f"alike in {', '.join(self.legal)}, are denied far less often."
        )

    def grounds(self, schema: Schema) -> tuple[str, ...]:
        return tuple(name for name in schema.protected if name not in schema.drop)

    def columns(self, schema: Schema) -> tuple[str, ...]:
        decision = [] if schema.decision is None else [schema.decision]
        return (*(n for n in (*self.legal, *self.grounds(schema)) if n not in schema.quasi), *decision)

    def check_schema(self, schema: Schema) -> list[str]:
        problems = []
        if schema.decision is None or not schema.denied_values:
            problems.append(f"{self.kind} needs a decision column and its denied values")
        if not self.grounds(schema):
            problems.append(f"{self.kind} needs a protected column that is published")
        taken = {*schema.protected, schema.decision}
        allowed = [name for name in published_columns(schema) if name not in taken]
        return problems + [
            f"{self.kind}: {suggest(name, allowed, 'published column that is not protected')} (in legal)"
            for name in self.legal
            if name not in allowed
        ]

    def verdict(self, classes: Classes, schema: Schema) -> Verdict:
        cells = self.discriminated(classes, schema)
        rows = int(classes.counts[cells].sum())
        share = rows / max(int(classes.rows.sum()), 1)
        broken = len(np.unique(classes.ids[cells]))
        sentence = (
            f"{counted(rows, 'record')} ({share:.2%}) {verb(rows, 'is', 'are')} denied although people alike in "
            f"{', '.join(self.legal)} outside their protected group are denied more than {self.threshold:g} less often "
            f"(at most {self.limit:.2%})"
        )
        return Verdict(self, share <= self.limit + 1e-12, share, float(self.limit), broken, rows, None, sentence)

    def discriminated(self, classes: Classes, schema: Schema) -> np.ndarray:
        """Which cells hold records that are denied without a lawful explanation."""
        need_columns(self, classes, (*self.grounds(schema), *self.legal))
        grounds = [(classes.codes[name], classes.sizes[name]) for name in self.grounds(schema)]
        legal = [(classes.codes[name], classes.sizes[name]) for name in self.legal]
        denied = denied_cells(classes, schema)
        group, groups = group_of(grounds, len(classes.ids))
        profile, profiles = group_of(legal, len(classes.ids))
        place = profile * groups + group
        rows = np.bincount(place, weights=classes.counts, minlength=profiles * groups).reshape(profiles, groups)
        refused = np.bincount(place, weights=np.where(denied, classes.counts, 0), minlength=profiles * groups).reshape(
            profiles, groups
        )
        first_cell = np.zeros(profiles, dtype=np.int64)
        first_cell[profile[::-1]] = np.arange(len(profile) - 1, -1, -1)
        codes = np.column_stack([column[first_cell] for column, _ in legal])
        difference = _differences(codes, rows, refused, self.k)
        return denied & (difference[profile, group] > self.threshold + 1e-12)

    def measure(self) -> Measure:
        """The share of such records as a measure: `frontier.values(guard.measure())`."""
        return Measure(
            "unexplained", "fairness", "lower", (0, 1),
            f"share of records denied without an explanation in {', '.join(self.legal)} (situation testing)",
            of_classes=self._share,
        )  # fmt: skip

    def _share(self, classes: Classes, schema: Schema) -> float:
        return self.verdict(classes, schema).worst


def _differences(codes: np.ndarray, rows: np.ndarray, refused: np.ndarray, k: int) -> np.ndarray:
    """For a denied person of each profile and group: denied share among the nearest inside minus outside the group."""
    profiles, groups = rows.shape
    width = codes.shape[1]
    outside, outside_refused = rows.sum(axis=1, keepdims=True) - rows, refused.sum(axis=1, keepdims=True) - refused
    result = np.zeros((profiles, groups))
    step = max(_BLOCK // max(profiles, 1), 1)
    for start in range(0, profiles, step):
        block = slice(start, start + step)
        distance = (codes[block, None, :] != codes[None, :, :]).sum(axis=2)
        inside_share = _share_of_nearest(distance, width, rows, refused, k, itself=True)
        outside_share = _share_of_nearest(distance, width, outside, outside_refused, k, itself=False)
        gap = inside_share - outside_share
        result[block] = np.where(np.isnan(gap), 0.0, gap)
    return result


def _share_of_nearest(
    distance: np.ndarray, width: int, rows: np.ndarray, refused: np.ndarray, k: int, itself: bool
) -> np.ndarray:
    """The denied share of the k nearest and all as near as the k-th; NaN where there is nobody."""
    neighbours = np.full((len(distance), rows.shape[1]), -float(itself))
    denied = neighbours.copy()
    for d in range(width + 1):
        near = (distance == d).astype(float)
        open_ = neighbours < k
        neighbours = np.where(open_, neighbours + near @ rows, neighbours)
        denied = np.where(open_, denied + near @ refused, denied)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(neighbours > 0, denied / neighbours, np.nan)


def unexplained(table: Any, schema: Schema, legal: Sequence[str] | str, **settings: Any) -> float:
    """The share of a table's records that are denied without an explanation in the legally grounded columns."""
    guard = SituationTesting(legal, **settings)  # type: ignore[arg-type]
    return guard.verdict(classes_of(Table.from_frame(table), schema)[0], schema).worst
