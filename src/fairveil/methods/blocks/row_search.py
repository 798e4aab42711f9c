"""Methods that need rows, wherever the data is.

Of a source that hands out rows, a method takes them. On an engine, a source of up to a million rows is held here, as
codes. No row is fetched for that: counting gives each distinct row, as often as it occurs. More rows are worked on
block by block (`in_blocks.py`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fairveil.engines import InMemorySource, Order
from fairveil.errors import BadInput
from fairveil.messages import option
from fairveil.methods.method import Method, Proposal
from fairveil.methods.task import Task
from fairveil.plural import counted

EXACT = 1 << 20
"""Rows that are held at once."""
BLOCK = 1 << 18
"""Rows of a block, at most, unless more of them are alike."""
MOST_VALUES = 1 << 28
"""Values of rows that may be held as codes."""
ROW_BYTES = 1 << 10
"""Of memory that a row of a block needs while a method runs, about."""


def searched(method: Method, task: Task, order: Order = "sorted") -> Proposal:
    """What a method finds, wherever the data is; `order` is the one in which it will be published."""
    method.need_packages()
    if not method.needs_rows or task.source.has_rows:
        return _asking(method, task, method.search(task))
    if order == "keep":
        raise BadInput(
            f"rows on an engine have no order to keep: use {option('order', 'sorted')}, or {option('engine', 'memory')}"
        )
    from fairveil.engines.lazy import LazySource

    if method.blockwise and isinstance(task.source, LazySource):
        from fairveil.methods.blocks.block_search import in_blocks

        fitting = task.source.budget.bytes // ROW_BYTES
        if task.rows > min(EXACT, fitting):
            return _asking(method, task, in_blocks(method, task, min(BLOCK, max(fitting // 2, 1))))
    held = replace(task, source=_held(method, task))
    return _asking(method, held, replace(method.search(held), task=held))


def _asking(method: Method, task: Task, proposal: Proposal) -> Proposal:
    questions = method.questions(task)
    return replace(proposal, private=(*proposal.private, *questions)) if questions else proposal


def names_in_blocks(task: Task) -> list[str]:
    """The columns that methods look at, or that are published."""
    looked_at = {*task.schema.published, *task.schema.protected}
    return [name for name in task.source.names if name in looked_at]


def need_room(method: Method, rows: int, columns: int) -> None:
    """Refuse more rows than can be held."""
    if rows * columns > MOST_VALUES:
        raise BadInput(
            f"{method.kind} looks at rows: {rows:,} of {counted(columns, 'column')} are more than the "
            f"{MOST_VALUES:,} values that it can hold; use a method that counts"
        )


def _held(method: Method, task: Task) -> InMemorySource:
    """All rows of a source, as codes, by counting."""
    source, names = task.source, names_in_blocks(task)
    need_room(method, source.rows, len(names))
    cells = source.count(names)
    table = cells.table().take(np.repeat(np.arange(len(cells)), cells.counts))
    inferred = source.inferred & frozenset(names)
    return InMemorySource(replace(table, kind=source.kind, dropped=source.dropped, inferred=inferred))
