"""What an analyst makes of a decomposition: the combined classifier of its projections."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from fairveil.data.table import Column, Table
from fairveil.learning.combined import Combined
from fairveil.recipes.decomposition import Decomposition


def combined(recipe: Decomposition, parts: Sequence[Table], inducer: Any = "tree", *, seed: int = 0) -> Combined:
    """A classifier that learnt from the projections, and takes rows in their original values through the recipe."""
    tables = {str(position): part for position, part in enumerate(parts)}
    columns = partial(_columns, recipe)  # a function within a function could not be pickled
    return Combined.fit(tables, recipe.schema.decision or "", columns, inducer, seed=seed)


def _columns(recipe: Decomposition, table: Table, position: str) -> list[Column]:
    return [column for column, _ in recipe.columns(table, int(position))]
