"""Candidates in words: what each keeps and loses, and why one is dominated. For whoever has to decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil import measures
from fairveil.choice.pareto import dominators, pareto
from fairveil.frontier.candidates import Candidates, Frontier
from fairveil.recipes.regions import published_labels
from fairveil.release.release import Release
from fairveil.run.explore import Comparison


@dataclass(frozen=True)
class Described:
    """One candidate: its number in the frontier, its measures, what it keeps and loses, and what beats it."""

    position: int
    values: dict[str, float]
    keeps: str
    loses: str
    dominated: str
    """One sentence; empty on the Pareto frontier."""

    def to_dict(self) -> dict[str, Any]:
        return dict(vars(self))


def describe(found: Frontier, names: Sequence[str] = ("k", "accuracy", "ig")) -> list[Described]:
    """Every candidate of a frontier, those that nothing beats first, then by the first measure."""
    points = found.points(names)
    values = {name: found.values(name) for name in names}
    best = pareto(points)
    order = np.lexsort((points[:, 0], ~best))
    return [
        Described(
            int(i),
            {name: float(of[i]) for name, of in values.items()},
            *keeps_and_loses(found, int(i)),
            "" if best[i] else why_dominated(found, int(i), names),
        )
        for i in order
    ]


def keeps_and_loses(found: Frontier | Comparison, position: int) -> tuple[str, str]:
    """Two sentences: the columns that still say something and how finely, and those that say nothing any more."""
    if isinstance(found, Comparison):
        return keeps_and_loses(found.parts[found.owner[position]], int(found.place[position]))
    recipe = found.recipe(position)
    levels = getattr(recipe, "levels", None)
    if levels is None:
        return _of_regions(found, recipe, position)
    kept, gone = [], []
    for name, bound in found.task.levels.items():
        level = levels[name]
        if level == bound.height:
            gone.append(name)
        elif level == 0:
            kept.append(f"{name} as it is")
        else:
            shown = [str(label) for label in bound.labels[level] if label is not None]
            some = ", ".join(shown[:3]) + (", …" if len(shown) > 3 else "")
            kept.append(f"{name} at level {level} of {bound.height} ({len(shown)} values: {some})")
    return (
        "keeps " + "; ".join(kept) if kept else "keeps no quasi column",
        "loses " + ", ".join(gone) if gone else "loses no column altogether",
    )


def _of_regions(found: Frontier, recipe: Any, position: int) -> tuple[str, str]:
    boxes = getattr(recipe, "boxes", None)
    if boxes is None:
        return _of_columns(published_columns(found.release(position)))
    values = {name: len(published_labels(boxes, name)) for name in found.task.levels}
    kept = [f"{name} in {number:,} ranges or groups" for name, number in values.items() if number > 1]
    gone = [name for name, number in values.items() if number <= 1]
    return (
        f"{len(boxes):,} regions: " + "; ".join(kept),
        "loses " + ", ".join(gone) if gone else "loses no column altogether",
    )


def _of_columns(columns: Sequence[Published]) -> tuple[str, str]:
    kept = [f"{column.name} with {column.values:,} values" for column in columns if column.values > 1]
    gone = [column.name for column in columns if column.values <= 1]
    return (
        "keeps " + "; ".join(kept) if kept else "keeps no quasi column",
        "loses " + ", ".join(gone) if gone else "loses no column altogether",
    )


@dataclass(frozen=True)
class Published:
    """A quasi column as a release shows it: its level, where there are levels, distinct values, and the share lost."""

    name: str
    level: int | None
    values: int
    lost: float


def published_columns(release: Release) -> list[Published]:
    """Every quasi column of a release; suppressed rows are lost in each."""
    rows = release.outcome.rows
    shown = release.outcome.parts if release.outcome.parts is not None else (release.table,)
    made = []
    for name, paid in zip(release.schema.quasi, release.summary.loss[0], strict=True):
        held = [len(np.unique(table.column(name).codes)) for table in shown if name in table]
        level = release.outcome.levels[name][0] if name in release.outcome.levels else None
        made.append(Published(name, level, max(held, default=0), float((paid + release.suppressed) / rows)))
    return made


@dataclass(frozen=True)
class Difference:
    """One quasi column in two candidates, and which of them keeps more of it ("one", "other" or "both alike")."""

    one: Published
    other: Published

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


def compare(found: Candidates, one: int, other: int) -> list[Difference]:
    """Two candidates, column by column: what one keeps that the other loses. Both are published to see."""
    pair = zip(published_columns(found.release(one)), published_columns(found.release(other)), strict=True)
    return [Difference(mine, theirs) for mine, theirs in pair]


def why_dominated(
    found: Candidates, position: int, names: Sequence[str], called: Sequence[int] | np.ndarray | None = None
) -> str:
    """Which candidate beats this one, in what, and by how much; says so where none does.

    `called` are the candidates' numbers for the reader, if not their positions.
    """
    better = dominators(found.points(names), position)
    call = (lambda i: int(called[i])) if called is not None else int
    if not len(better):
        return (
            f"candidate {call(position)} is on the frontier of {', '.join(names)}: "
            "none is as good in all and better in one"
        )
    other = int(better[0])
    wins, ties = [], []
    for name in names:
        mine, theirs = (float(found.values(name)[i]) for i in (position, other))
        if mine == theirs:
            ties.append(f"{name} is {mine:.4g} in both")
        else:
            more = "higher" if measures.get(name).better == "higher" else "lower"
            wins.append(f"{name} {theirs:.4g} instead of {mine:.4g} ({more} is better)")
    also = f", and {len(better) - 1:,} more beat it" if len(better) > 1 else ""
    even = f"; {', '.join(ties)}" if ties else ""
    return f"candidate {call(other)} beats it: {', '.join(wins)}{even}{also}"
