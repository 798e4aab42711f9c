"""Candidates in words: what each keeps and loses, and why one is dominated. For whoever has to decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairveil import measures
from fairveil.choice.pareto import dominators, pareto
from fairveil.frontier import Frontier
from fairveil.regions import published_labels


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


def keeps_and_loses(found: Frontier, position: int) -> tuple[str, str]:
    """Two sentences: the columns that still say something and how finely, and those that say nothing any more."""
    recipe = found.recipe(position)
    levels = getattr(recipe, "levels", None)
    if levels is None:
        return _of_regions(found, recipe)
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


def _of_regions(found: Frontier, recipe: Any) -> tuple[str, str]:
    boxes = getattr(recipe, "boxes", None)
    if boxes is None:
        return f"a {recipe.kind} recipe", "see its measures"
    values = {name: len(published_labels(boxes, name)) for name in found.task.levels}
    kept = [f"{name} in {number:,} ranges or groups" for name, number in values.items() if number > 1]
    gone = [name for name, number in values.items() if number <= 1]
    return (
        f"{len(boxes):,} regions: " + "; ".join(kept),
        "loses " + ", ".join(gone) if gone else "loses no column altogether",
    )


def why_dominated(found: Frontier, position: int, names: Sequence[str]) -> str:
    """Which candidate beats this one, in what, and by how much; says so where none does."""
    better = dominators(found.points(names), position)
    if not len(better):
        return (
            f"candidate {position} is on the frontier of {', '.join(names)}: none is as good in all and better in one"
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
    return f"candidate {other} beats it: {', '.join(wins)}{even}{also}"
