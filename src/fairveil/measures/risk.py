"""How likely somebody is singled out, for an attacker who knows that the person is in the data (prosecutor)."""

from __future__ import annotations

import numpy as np

from fairveil.counting.cells import Cells, Classes
from fairveil.counting.summary import EXPOSED_BELOW, Summary
from fairveil.data.schema import Schema
from fairveil.data.table import Table
from fairveil.measures.measure import Measure


def _of_kept(number: np.ndarray, s: Summary) -> np.ndarray:
    return np.divide(number, s.kept, out=np.zeros_like(s.kept), where=s.kept > 0)


def highest(s: Summary) -> np.ndarray:
    return np.divide(1.0, s.smallest, out=np.zeros_like(s.kept), where=s.smallest > 0)


MEASURES = (
    Measure("k", "risk", "higher", (1, float("inf")), "rows in the smallest equivalence class", lambda s: s.smallest),
    Measure("highest-risk", "risk", "lower", (0, 1), "chance to pick out the person in the smallest class", highest),
    Measure("average-risk", "risk", "lower", (0, 1), "chance to pick out a person, averaged over the published rows",
            lambda s: _of_kept(s.classes, s)),
    Measure("at-risk", "risk", "lower", (0, 1),
            f"share of published rows in classes of fewer than {EXPOSED_BELOW}", lambda s: _of_kept(s.exposed, s)),
    Measure("uniqueness", "risk", "lower", (0, 1), "share of published rows that are alone in their class",
            lambda s: _of_kept(s.unique, s)),
)  # fmt: skip


def risks(sizes: np.ndarray) -> dict[str, float]:
    """The risk measures of a table from the `sizes` of its classes alone.

    >>> risks(np.array([1, 3, 4]))["average-risk"]
    0.375
    """
    rows = max(int(sizes.sum()), 1)
    return {
        "highest-risk": 1 / max(int(sizes.min(initial=rows)), 1),
        "average-risk": len(sizes) / rows,
        "at-risk": int(sizes[sizes < EXPOSED_BELOW].sum()) / rows,
        "uniqueness": int((sizes == 1).sum()) / rows,
    }


def contributions(table: Table, schema: Schema) -> dict[str, float]:
    """How much of the average risk each quasi column contributes: its decrease when the column is left out.

    >>> import pyarrow as pa
    >>> table = Table.from_frame(pa.table({"sex": ["F", "F", "M", "M"], "age": [1, 2, 3, 4]}))
    >>> contributions(table, Schema(quasi=["sex", "age"]))
    {'sex': 0.0, 'age': 0.5}
    """
    cells = Cells.of(table, schema.quasi)
    risk = len(cells) / cells.rows
    return {
        name: risk - len(Classes.of(cells, [column for column in schema.quasi if column != name])) / cells.rows
        for name in schema.quasi
    }
