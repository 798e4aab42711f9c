"""CorrectFairness (González-Zelaya et al., Algorithm 4): relabel as few records of a fairlet as needed.

In every fairlet PR(U) ≥ τ·PR(F) afterwards, for each unfavoured group U against the favoured group F, PR being the
share of favourable decisions. Positive correction makes denied records of U favourable, negative correction denies
favourable records of F. The records nearest to the one the fairlet was formed around change first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fairveil.errors import BadInput, suggest
from fairveil.messages import literal, option

if TYPE_CHECKING:
    from fairveil.data.table import Column
    from fairveil.methods.microaggregation.clusters import Clusters
    from fairveil.methods.microaggregation.protected_groups import ProtectedGroups
    from fairveil.methods.task import Task

Correction = Literal["positive", "negative", "none"]
SLACK = 1e-9
"""How far rounding may move τ times a ratio of counts."""


@dataclass(frozen=True)
class Corrected:
    """The favourable records after correction, and how many labels changed in each fairlet."""

    favourable: np.ndarray
    raised: np.ndarray  # per fairlet, denied → favourable
    lowered: np.ndarray  # per fairlet, favourable → denied

    def summary(self) -> dict[str, Any]:
        """Return totals only: naming the fairlets that were changed would disclose true labels."""
        return {
            "made_favourable": int(self.raised.sum()),
            "made_unfavourable": int(self.lowered.sum()),
            "fairlets_changed": int(((self.raised + self.lowered) > 0).sum()),
        }


def judged_columns(
    task: Task, kind: str, chosen: str | Sequence[str] | None = None
) -> tuple[tuple[str, ...], Column, np.ndarray]:
    """Return the protected columns (those `chosen`, or all), the decision, and which of its codes are favourable.

    Raises `BadInput`, which names the method by its `kind`, if the schema lacks one of them.
    """
    schema = task.schema
    named = (chosen,) if isinstance(chosen, str) else chosen
    protected = tuple(schema.protected if named is None else named)
    if not protected:
        raise BadInput(f"{kind} needs a protected column, and the schema names none")
    task.table.need(protected)
    if strange := [name for name in protected if name not in schema.protected]:
        raise BadInput(suggest(strange[0], schema.protected, "protected column"))
    if schema.decision is None or not schema.denied_values:
        raise BadInput(f"{kind} needs a decision column and its denied values: name both in the schema")
    decision = task.table.column(schema.decision)
    good = np.ones(len(decision.values), dtype=bool)
    good[[decision.code_of(value) for value in schema.denied_values]] = False
    return protected, decision, good


def tally(clusters: Clusters, groups: ProtectedGroups, records: np.ndarray) -> np.ndarray:
    """Return how many of these records each fairlet has of each group."""
    inside = (clusters.of_row >= 0) & records
    kinds = len(groups.labels)
    keys = clusters.of_row[inside] * kinds + groups.of_row[inside]
    return np.bincount(keys, minlength=clusters.count * kinds).reshape(clusters.count, kinds)


def correct_fairness(
    favourable: np.ndarray, groups: ProtectedGroups, clusters: Clusters, tau: float, correction: Correction = "positive"
) -> Corrected:
    """Return whether each record is favourable after correcting every fairlet; records left over keep their label."""
    if not 0 <= tau <= 1:
        raise BadInput(f"{option('tau')} must be between 0 and 1, not {literal(tau)}")
    changed = favourable.astype(bool).copy()
    raised, lowered = np.zeros(clusters.count, dtype=np.int64), np.zeros(clusters.count, dtype=np.int64)
    if correction == "none" or not clusters.count:
        return Corrected(changed, raised, lowered)
    rows, positives = (tally(clusters, groups, records) for records in (np.ones_like(changed), changed))
    f = groups.favoured
    for g in (group for group in range(len(groups.labels)) if group != f):
        # PR(U) ≥ τ·PR(F), multiplied out
        owed = tau * positives[:, f] * rows[:, g] / np.maximum(rows[:, f], 1)
        if correction == "positive":
            raised += _flip(changed, clusters, groups.of_row == g, owed - positives[:, g], to=True)
        elif tau > 0:
            # records of F that may stay favourable beside this group; all of them if the group is empty
            allowed = np.floor(positives[:, g] * rows[:, f] / (tau * np.maximum(rows[:, g], 1)) + SLACK)
            allowed = np.where(rows[:, g] > 0, allowed, rows[:, f])
            favoured_positives = tally(clusters, groups, changed)[:, f]
            lowered += _flip(changed, clusters, groups.of_row == f, favoured_positives - allowed, to=False)
    return Corrected(changed, raised, lowered)


def _flip(changed: np.ndarray, clusters: Clusters, eligible: np.ndarray, needed: np.ndarray, *, to: bool) -> np.ndarray:
    """Change the first `needed` (rounded up) records of each fairlet among those that can change."""
    quota = np.maximum(np.ceil(needed - SLACK), 0).astype(np.int64)
    rows = np.flatnonzero(eligible & (changed != to) & (clusters.of_row >= 0))
    rows = rows[np.lexsort((rows, clusters.ranks[rows], clusters.of_row[rows]))]
    fairlet = clusters.of_row[rows]
    turn = np.arange(len(rows)) - np.searchsorted(fairlet, fairlet)  # rank within its fairlet
    flipped = rows[turn < quota[fairlet]]
    changed[flipped] = to
    return np.bincount(clusters.of_row[flipped], minlength=clusters.count)


def relabel(codes: np.ndarray, favourable: np.ndarray, good: np.ndarray, clusters: Clusters) -> np.ndarray:
    """Return the decision codes after correction. `good` says which codes are favourable.

    With more than two decisions, a changed record takes the most frequent decision of its new kind in its fairlet, or
    in the table if the fairlet has none.
    """
    corrected = codes.astype(np.int64).copy()
    for kind in (True, False):
        moved = np.flatnonzero((good[codes] != favourable) & (favourable == kind))
        if not len(moved):
            continue
        options, size, inside = np.flatnonzero(good == kind), len(good), clusters.of_row >= 0
        frequent = np.bincount(codes, minlength=size)[options]
        counts = np.bincount(clusters.of_row[inside] * size + codes[inside], minlength=clusters.count * size)
        local = counts.reshape(clusters.count, size)[:, options]
        # frequency in the fairlet first, then in the table, then the lowest code
        score = local + frequent / (frequent.sum() + 1.0)
        corrected[moved] = options[np.argmax(score[clusters.of_row[moved]], axis=1)]
    return corrected
