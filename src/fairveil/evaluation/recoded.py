"""A table as a recipe publishes it, and which of its rows each published row is."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from fairveil.data.table import Column, Table
from fairveil.recipes.base import Recipe


def recoded(recipe: Recipe, table: Table) -> tuple[Table, np.ndarray]:
    """The recoded rows and their places in `table`; rows that the recipe cannot recode are left out."""
    outcome = recipe.apply(table, unknown="suppress")
    if outcome.source_rows is not None:
        return outcome.table, outcome.source_rows
    if outcome.table.rows == table.rows or recipe.schema.decision is None:
        return outcome.table, np.arange(outcome.table.rows)
    # recipes let the decisions of new rows through as they are: row numbers in their place tell which rows are left
    places = np.arange(table.rows)
    numbered = table.with_columns([Column(recipe.schema.decision, places, pa.array(places))])
    held = recipe.apply(numbered, unknown="suppress").table.column(recipe.schema.decision)
    return outcome.table, np.array(held.domain, dtype=np.int64)[held.codes]
