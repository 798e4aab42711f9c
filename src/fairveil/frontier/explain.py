"""Candidates in words, for the decision maker: what each keeps and loses, and why one is dominated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil import measures
from fairveil.choice.pareto import dominators, pareto
from fairveil.measures.summarized import loss_per_column
from fairveil.messages import counted

if TYPE_CHECKING:
    from fairveil.frontier.frontier import Frontier
    from fairveil.published.judge import Judged
    from fairveil.release.release import Release


def describe(frontier: Frontier, names: Sequence[str] = ("k", "accuracy", "ig")) -> list[dict[str, Any]]:
    """Describe every candidate as plain data, the nondominated ones first, then by the first measure.

    Its `position` in the frontier, the `values` of its measures, what it `keeps` and `loses`, and in `dominated` what
    beats it: one sentence, empty on the Pareto frontier.
    """
    points = frontier.points(names)
    values = {name: frontier.values(name) for name in names}
    undominated = pareto(points)
    descriptions = []
    for i in np.lexsort((points[:, 0], ~undominated)).tolist():
        keeps, loses = keeps_and_loses(frontier, i)
        dominated = "" if undominated[i] else why_dominated(frontier, i, names)
        measured = {name: float(column[i]) for name, column in values.items()}
        descriptions.append({"position": i, "values": measured, "keeps": keeps, "loses": loses, "dominated": dominated})
    return descriptions


def keeps_and_loses(frontier: Frontier, position: int) -> tuple[str, str]:
    """Return two sentences: the columns that keep information and in what detail, and those that lose all of it."""
    recipe = frontier.change(position).recipe
    names = recipe.schema.quasi
    labels = {name: recipe.labels_of(name) or () for name in names}
    if all(recipe.level_of(name) is not None for name in names):
        details = _of_levels(frontier.judged(position))
    elif all(recipe.labels_of(name) is not None for name in names):
        details = {name: f"in {len(listed):,} ranges or groups" * (len(listed) > 1) for name, listed in labels.items()}
    else:
        columns = shown_columns(frontier.release(position))
        details = {column.name: f"with {counted(column.values, 'value')}" * (column.values > 1) for column in columns}
    kept = "; ".join(f"{name} {detail}" for name, detail in details.items() if detail)
    gone = ", ".join(name for name, detail in details.items() if not detail)
    return f"keeps {kept or 'no quasi column'}", f"loses {gone or 'no column altogether'}"


def _of_levels(judged: Judged) -> dict[str, str]:
    """Return the level of each column, and the values published there; an empty text at the top level."""
    details = {}
    for name, (level, height) in judged.outcome.levels.items():
        details[name] = "" if level == height else "as it is"
        if 0 < level < height:
            labels = [str(label) for label in judged.outcome.table.column(name).domain if label is not None]
            examples = ", ".join(labels[:3]) + (", …" if len(labels) > 3 else "")
            details[name] = f"at level {level} of {height} ({counted(len(labels), 'value')}: {examples})"
    return details


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
    for name, lost in zip(release.schema.quasi, loss_per_column(release.summary)[0].tolist(), strict=True):
        tables = [table for table in outcome.tables.values() if name in table]
        values = max((len(table.column(name).compact().values) for table in tables), default=0)
        columns.append(ColumnDescription(name, release.recipe.level_of(name), values, lost))
    return columns


def compare(frontier: Frontier, one: int, other: int) -> list[dict[str, Any]]:
    """Compare two candidates, column by column, as plain data: what is published of it in each, and which of them keeps
    more of it ("one", "other" or "both alike"). Both are published for this."""
    differences = []
    for pair in zip(shown_columns(frontier.release(one)), shown_columns(frontier.release(other)), strict=True):
        first, second = (asdict(column) for column in pair)
        gap = first["lost"] - second["lost"]
        keeps_more = "both alike" if abs(gap) < 1e-9 else "one" if gap < 0 else "other"
        del first["name"], second["name"]
        differences.append({"column": pair[0].name, "one": first, "other": second, "keeps_more": keeps_more})
    return differences


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
