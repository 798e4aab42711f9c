"""What every recipe does with a table: unknown values, and columns that no method changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from fairveil.data.pseudonyms import pseudonymize
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.errors import BadInput, refuse
from fairveil.messages import option
from fairveil.recipes.outcome import Outcome

Unknown = Literal["refuse", "suppress"]


def strangers(column: str, values: Sequence[Any]) -> str:
    """Return the message that refuses values of new data that a recipe does not know."""
    listed = ", ".join(repr(value) for value in values[:3]) + (", …" if len(values) > 3 else "")
    what = "a value" if len(values) == 1 else "values"
    leave_out = option("unknown", "suppress")
    return f"column {column!r} holds {what} that the recipe does not know: {listed} ({leave_out} suppresses such rows)"


def placed_rows(table: Table, schema: Schema, names: Sequence[str], unknown: Unknown) -> np.ndarray | None:
    """Return the rows whose values are all in the hierarchies of these columns; None if all rows are.

    Raises BadInput for other values, unless their rows may be suppressed.
    """
    keep = np.ones(table.rows, dtype=bool)
    problems = []
    for name in names:
        column, rule = table.column(name), schema.hierarchy(name)
        present = [value for value in column.domain if value is not None]
        placed = np.ones(len(column.values), dtype=bool)
        if rule.paths(present)[1]:
            placed[: len(present)] = [rule.places(value) for value in present]
        strange = [value for value, fits in zip(column.domain, placed, strict=True) if not fits]
        if strange and unknown == "refuse":
            problems.append(strangers(name, strange))
            continue
        keep &= placed[column.codes]
        if table.rows and not keep.any():
            raise BadInput(
                f"no row is left: each holds a value that the recipe does not know, such as {strange[0]!r} in {name!r}"
            )
    refuse(problems)
    return None if keep.all() else np.flatnonzero(keep)


def without(outcome: Outcome, rows: int, source_rows: np.ndarray | None) -> Outcome:
    """Return the outcome of some rows as an outcome of their whole table, which has `rows` rows."""
    return outcome if source_rows is None else replace(outcome, rows=rows, source_rows=source_rows)


def settle(table: Table, schema: Schema) -> Table:
    """Return the table with the columns that no method changes as published: identifiers are removed or become
    pseudonyms, `drop` columns are removed, and columns with a fixed level are published at that level.

    Raises BadInput for a column that is not in the schema, so that nothing of new data is published by accident.
    """
    known = set(schema.columns)
    bare = [name for name in table.names if name not in known]
    if bare:
        raise BadInput(f"column {bare[0]!r} has no role in the recipe's schema: drop it first")
    published = schema.at_levels(table.drop(set(schema.columns).difference(schema.published)))
    return published.with_columns(
        pseudonymize(published.column(name)) for name in schema.pseudonyms if name in published
    )
