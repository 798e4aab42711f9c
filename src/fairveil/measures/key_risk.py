"""The risk of every set of up to m columns: what attackers who know only these columns could do.

>>> import pyarrow as pa
>>> from fairveil.counting.cells import classes_of
>>> from fairveil.data.schema import Schema
>>> from fairveil.data.table import Table
>>> table = Table.from_frame(pa.table({"age": [31, 31, 40], "sex": ["F", "M", "F"]}))
>>> classes, _ = classes_of(table, Schema(quasi=["age", "sex"]))
>>> [(risk.columns, risk.smallest, risk.unique) for risk in key_set_risks(classes, ["age", "sex"], 2)]
[(('age', 'sex'), 1, 3), (('age',), 1, 1), (('sex',), 1, 1)]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from fairveil.counting.summary import EXPOSED_BELOW
from fairveil.display import Displayable, DisplayTable
from fairveil.errors import BadInput

if TYPE_CHECKING:
    from fairveil.counting.cells import Classes

MAX_SETS = 10_000
"""Maximum number of sets of columns in a table of risks."""
HEAD = ("columns", "classes", "smallest class", "unique records", f"records in classes below {EXPOSED_BELOW}")


@dataclass(frozen=True)
class KeySetRisk:
    """What some columns tell: into how many classes they divide the records, the records of the smallest, those that
    are unique, and those in classes below `EXPOSED_BELOW`."""

    columns: tuple[str, ...]
    classes: int
    smallest: int
    unique: int
    exposed: int


class KeySetRisks(Displayable, list[KeySetRisk]):
    """The risk of each set of columns of a table with so many `rows`, the riskiest first."""

    def __init__(self, risks: Sequence[KeySetRisk], rows: int) -> None:
        super().__init__(sorted(risks, key=lambda risk: (risk.smallest, -risk.unique, -risk.exposed, risk.columns)))
        self.rows = rows

    def _headline(self) -> str:
        return f"KeySetRisks of {len(self):,} sets of columns"

    def _tables(self) -> list[DisplayTable]:
        return [DisplayTable(list(HEAD), self.lines(50))]

    def lines(self, most: int) -> list[list[Any]]:
        """The riskiest sets as lines of a table; records as shares."""
        whole = max(self.rows, 1)
        return [
            [" + ".join(risk.columns), risk.classes, risk.smallest, f"{risk.unique / whole:.2%}",
             f"{risk.exposed / whole:.2%}"] for risk in self[:most]
        ]  # fmt: skip

    def to_dict(self) -> list[dict[str, Any]]:
        whole = max(self.rows, 1)
        return [
            {"columns": list(risk.columns), "classes": risk.classes, "smallest": risk.smallest,
             "unique": risk.unique / whole, "exposed": risk.exposed / whole} for risk in self
        ]  # fmt: skip


def key_set_risks(
    classes: Classes, names: Sequence[str], size: int, check: Callable[[], None] = lambda: None,
    person: str | None = None,
) -> KeySetRisks:  # fmt: skip
    """The risk of every set of 1 to `size` of these columns, given the classes by all of them; `check` may raise. If a
    column says which `person` a record is about, persons are counted."""
    sizes = range(1, min(size, len(names)) + 1)
    if (total := sum(comb(len(names), m) for m in sizes)) > MAX_SETS:
        raise BadInput(
            f"{len(names)} columns have {total:,} sets of up to {size}, and at most {MAX_SETS:,} are counted"
        )
    risks = []
    for m in sizes:
        for columns in combinations(names, m):
            check()
            coarser = classes.by(columns)[0]
            rows = coarser.people(person)
            unique, exposed = (_inside(coarser, rows < below, person) for below in (2, EXPOSED_BELOW))
            risks.append(KeySetRisk(columns, len(rows), int(rows.min()) if len(rows) else 0, unique, exposed))
    whole = int(classes.rows.sum()) if person is None else len(np.unique(classes.codes[person]))
    return KeySetRisks(risks, whole)


def _inside(classes: Classes, chosen: np.ndarray, person: str | None) -> int:
    """How many records, or persons with any record, are in the `chosen` classes."""
    if person is None:
        return int(classes.rows[chosen].sum())
    inside = np.zeros(classes.sizes[person], dtype=bool)
    inside[classes.codes[person][chosen[classes.ids]]] = True
    return int(inside.sum())
