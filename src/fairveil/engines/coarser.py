"""Merging values on the engine if there are too many cells to leave it.

A column that is not k-anonymous by itself at some level is at a higher level in every k-anonymous full-domain
generalization. So its values can be merged up to its floor, the lowest level at which it passes alone, before anything
is counted: the same generalizations keep the guards. Each merged group is represented by one of its values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from fairveil.counting.lattice import floor_of
from fairveil.engines.engine_cache import EngineCache
from fairveil.engines.relation import Source, TooManyCells

if TYPE_CHECKING:
    from fairveil.counting.cells import Cells
    from fairveil.data.hierarchy import Levels
    from fairveil.engines.lazy import LazySource


def coarsened(
    source: Source, names: Sequence[str], levels: Mapping[str, Levels], k: int, budget: int
) -> tuple[Source, Mapping[str, np.ndarray], str]:
    """Return the source if its cells fit; else one with merged values, the rows of each value, and a note."""
    engine = source.engine
    if engine is None:
        return source, {}, ""
    try:
        source.count(names)
        return source, {}, ""
    except TooManyCells as problem:
        margins = {name: _margin(source.count([name]), name) for name in levels}
        floors = {name: floor_of(levels[name], rows, k, budget) for name, rows in margins.items()}
        merged = {name: firsts(levels[name].codes[floor]) for name, floor in floors.items() if floor}
        if not merged:
            raise problem
    coarse = merge(engine, merged)
    coarse.count(names)
    merges = ", ".join(f"{name!r} at level {floor}" for name, floor in floors.items() if floor)
    note = (
        f"there were too many combinations to count: values were merged on {engine.native.name} up to the lowest level "
        f"at which each column keeps the guards by itself ({merges})"
    )
    return coarse, margins, note


def merge(source: LazySource, merged: Mapping[str, np.ndarray]) -> LazySource:
    """The source with the codes of some columns replaced."""
    return replace(source, merged=merged, finer=source, cache=EngineCache())


def _margin(cells: Cells, name: str) -> np.ndarray:
    return np.bincount(cells.codes[name], weights=cells.counts, minlength=cells.sizes[name])


def firsts(groups: np.ndarray) -> np.ndarray:
    """The first value of the group of each value."""
    _, first, group = np.unique(groups, return_index=True, return_inverse=True)
    return cast(np.ndarray, first[group])
