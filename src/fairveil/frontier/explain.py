"""Candidates in words, for the decision maker: what each keeps and loses, and why one is dominated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil import measures
from fairveil.choice.pareto import dominators, pareto
from fairveil.frontier.frontier import Frontier
from fairveil.plural import counted
from fairveil.published.judge import Judged
from fairveil.release.release import Release


@dataclass(frozen=True)
class CandidateDescription:
    """One candidate: its number in the frontier, its measures, what it keeps and loses, and what beats it."""

    position: int
    values: dict[str, float]
    keeps: str
    loses: str
    dominated: str
    """One sentence; empty on the Pareto frontier."""

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))


def describe(frontier: Frontier, names: Sequence[str] = ("k", "accuracy", "ig")) -> list[CandidateDescription]:
    """Return a description of every candidate of a frontier, the nondominated ones first, then by the first measure."""
    points = frontier.points(names)
    values = {name: frontier.values(name) for name in names}
    undominated = pareto(points)
    order = np.lexsort((points[:, 0], ~undominated))
    return [
        CandidateDescription(
            int(i),
            {name: float(column[i]) for name, column in values.items()},
            *keeps_and_loses(frontier, int(i)),
            "" if undominated[i] else why_dominated(frontier, int(i), names),
        )
        for i in order
    ]


def keeps_and_loses(frontier: Frontier, position: int) -> tuple[str, str]:
    """Return two sentences: the columns that keep information and in what detail, and those that lose all of it."""
    recipe = frontier.recipe(position)
    names = recipe.schema.quasi
    labels = {name: recipe.labels_of(name) for name in names}
    if all(recipe.level_of(name) is not None for name in names):
        return _of_levels(frontier.judged(position))
    if all(listed is not None for listed in labels.values()):
        return _of_labels({name: len(listed or ()) for name, listed in labels.items()})
    return _of_columns(shown_columns(frontier.release(position)))


def _of_levels(judged: Judged) -> tuple[str, str]:
    """Return the sentences for a full-domain generalization: the levels, and the values published there."""
    outcome, kept, gone = judged.outcome, [], []
    for name, (level, height) in outcome.levels.items():
        if level == height:
            gone.append(name)
        elif level == 0:
            kept.append(f"{name} as it is")
        else:
            labels = [str(label) for label in outcome.table.column(name).domain if label is not None]
            examples = ", ".join(labels[:3]) + (", …" if len(labels) > 3 else "")
            kept.append(f"{name} at level {level} of {height} ({counted(len(labels), 'value')}: {examples})")
    return _sentences(kept, gone)


def _of_labels(labels: Mapping[str, int]) -> tuple[str, str]:
    """Return the sentences for regions: the number of ranges or groups of each column."""
    kept = [f"{name} in {number:,} ranges or groups" for name, number in labels.items() if number > 1]
    return _sentences(kept, [name for name, number in labels.items() if number <= 1])


def _of_columns(columns: Sequence[ColumnDescription]) -> tuple[str, str]:
    kept = [f"{column.name} with {counted(column.values, 'value')}" for column in columns if column.values > 1]
    return _sentences(kept, [column.name for column in columns if column.values <= 1])


def _sentences(kept: Sequence[str], gone: Sequence[str]) -> tuple[str, str]:
    return (
        "keeps " + "; ".join(kept) if kept else "keeps no quasi column",
        "loses " + ", ".join(gone) if gone else "loses no column altogether",
    )


@dataclass(frozen=True)
class ColumnDescription:
    """A quasi column as published: its level, if there are levels, its distinct values, and the share lost."""

    name: str
    level: int | None
    values: int
    lost: float


def shown_columns(release: Release) -> list[ColumnDescription]:
    """Return a description of every quasi column of a release; suppressed rows are lost in each."""
    outcome, columns = release.outcome, []
    for name, paid in zip(release.schema.quasi, release.summary.loss[0], strict=True):
        tables = [table for table in outcome.tables.values() if name in table]
        values = max((len(table.column(name).compact().values) for table in tables), default=0)
        lost = float((paid + release.suppressed) / outcome.rows)
        columns.append(ColumnDescription(name, release.recipe.level_of(name), values, lost))
    return columns


@dataclass(frozen=True)
class Difference:
    """One quasi column in two candidates, and which of them keeps more of it ("one", "other" or "both alike")."""

    one: ColumnDescription
    other: ColumnDescription

    @property
    def keeps_more(self) -> str:
        if abs(self.one.lost - self.other.lost) < 1e-9:
            return "both alike"
        return "one" if self.one.lost < self.other.lost else "other"

    def to_dict(self) -> dict[str, Any]:
        return {
            "column": self.one.name,
            "one": {name: value for name, value in vars(self.one).items() if name != "name"},
            "other": {name: value for name, value in vars(self.other).items() if name != "name"},
            "keeps_more": self.keeps_more,
        }


def compare(frontier: Frontier, one: int, other: int) -> list[Difference]:
    """Compare two candidates, column by column: what one keeps that the other loses. Both are published for this."""
    pair = zip(shown_columns(frontier.release(one)), shown_columns(frontier.release(other)), strict=True)
    return [Difference(first, second) for first, second in pair]


def why_dominated(frontier: Frontier, position: int, names: Sequence[str]) -> str:
    """Return which candidate dominates this one, in which measures, and by how much; or that none does."""
    better = dominators(frontier.points(names), position)
    if not len(better):
        return (
            f"candidate {frontier.number(position)} is on the frontier of {', '.join(names)}: "
            "none is as good in all and better in one"
        )
    winner = int(better[0])
    wins, ties = [], []
    for name in names:
        own, winning = (float(frontier.values(name)[i]) for i in (position, winner))
        if own == winning:
            ties.append(f"{name} is {own:.4g} in both")
        else:
            more = "higher" if measures.get(name).better == "higher" else "lower"
            wins.append(f"{name} {winning:.4g} instead of {own:.4g} ({more} is better)")
    also = f", and {len(better) - 1:,} more beat it" if len(better) > 1 else ""
    even = f"; {', '.join(ties)}" if ties else ""
    return f"candidate {frontier.number(winner)} beats it: {', '.join(wins)}{even}{also}"
