"""Subset: the rows of a source that meet conditions (`data/conditions.py`), wherever they are.

>>> import pyarrow as pa
>>> from fairveil.engines import source_of
>>> subset(source_of(pa.table({"age": [17, 31, 40], "sex": ["f", "m", "f"]})), ["age >= 18", "sex = f"]).rows
1
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fairveil.data.conditions import condition, kept_values
from fairveil.engines.memory import InMemoryTable
from fairveil.errors import BadInput
from fairveil.messages import option

if TYPE_CHECKING:
    from fairveil.engines.relation import Source


def subset(source: Source, conditions: Sequence[str]) -> Source:
    """The rows that meet all conditions; raises BadInput if there are none."""
    wanted = [condition(text, source.names) for text in conditions]
    kept = {one: kept_values(one, source.domain(one.column)) for one in wanted}
    engine = source.engine
    if engine is None:
        table = source.table
        rows = np.logical_and.reduce([values[table.column(one.column).codes] for one, values in kept.items()])
        if not rows.any():
            raise _empty()
        return InMemoryTable(table.take(np.flatnonzero(rows)).compact())
    import narwhals as nw

    frame = engine.frame
    for number, (one, values) in enumerate(kept.items()):
        spelled, flag = engine.spelled(one.column), f"kept_{number}"
        missing = int(values[spelled.missing]) if spelled.missing >= 0 else -1
        flags = {flag: (values[spelled.codes].astype(np.int64), missing)}
        frame = engine.looked_up(frame, {one.column: flags})
        frame = frame.filter(nw.col(flag) == 1).select(*engine.aliases.values())
    few = engine.of_rows(frame)
    if not few.rows:
        raise _empty()
    return few


def _empty() -> BadInput:
    return BadInput(f"no row meets {option('where')}, so there is nothing to publish")
