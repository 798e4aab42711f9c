"""Searches that may need rows, wherever the data is.

If a source provides rows, the method reads them. On an engine, up to a million rows are held in memory, as codes. No
row is fetched for that: counting returns each distinct row and how often it occurs. With more rows, the method runs
block by block (`block_search.py`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fairveil.engines.all_rows import MAX_VALUES, repeated_rows
from fairveil.engines.joined import judged_rows
from fairveil.errors import BadInput
from fairveil.guards import guarded_columns
from fairveil.guards.guard import EARLIER
from fairveil.messages import counted, option

if TYPE_CHECKING:
    from fairveil.engines import InMemoryTable, Order
    from fairveil.methods.method import Method, Proposal
    from fairveil.methods.task import Task

EXACT = 1 << 20
"""Maximum number of rows that are held at once."""
BLOCK = 1 << 18
"""Maximum number of rows of a block, unless more of them are alike."""
ROW_BYTES = 1 << 10
"""About how much memory a row of a block needs while a method runs."""


def searched(method: Method, task: Task, order: Order = "sorted") -> Proposal:
    """Return the proposal of a method, wherever the data is; `order` is the one in which it will be published."""
    method.need_packages()
    if task.schema.person is not None and not method.counts_persons:
        raise BadInput(
            f"{method.kind} protects records, and a person of {task.schema.person!r} may have several: keep one record "
            "of each person (docs/persons.md), or use another method"
        )
    if not method.needs_rows or task.source.has_rows:
        return _asking(method, task, method.search(task))
    if order == "keep":
        raise BadInput(
            f"rows on an engine have no order to keep: use {option('order', 'sorted')}, or {option('engine', 'memory')}"
        )
    if method.blockwise and task.source.engine is not None:
        from fairveil.methods.blocks.block_search import in_blocks

        fitting = task.source.engine.budget.bytes // ROW_BYTES
        if task.rows > min(EXACT, fitting):
            return _asking(method, task, in_blocks(method, task, min(BLOCK, max(fitting // 2, 1))))
    local = replace(task, source=_in_memory(method, task))
    return _asking(method, local, replace(method.search(local), task=local))


def _asking(method: Method, task: Task, proposal: Proposal) -> Proposal:
    questions = method.questions(task)
    return replace(proposal, private=(*proposal.private, *questions)) if questions else proposal


def names_in_blocks(task: Task) -> list[str]:
    """Return the columns that methods look at, or that are published, and the hidden one of earlier releases."""
    needed = {*task.schema.published, *task.schema.protected, task.schema.person}
    hidden = [name for name in guarded_columns(task.guards, task.schema) if name == EARLIER]
    return [*(name for name in task.source.names if name in needed), *hidden]


def need_room(method: Method, rows: int, columns: int) -> None:
    """Raise BadInput if these are more values than can be held."""
    if rows * columns > MAX_VALUES:
        raise BadInput(
            f"{method.kind} needs rows in memory: {rows:,} of {counted(columns, 'column')} are more than the "
            f"{MAX_VALUES:,} values that it can hold; use a method that counts"
        )


def _in_memory(method: Method, task: Task) -> InMemoryTable:
    """Return all rows of a source, as codes, by counting."""
    source, names = task.source, names_in_blocks(task)
    need_room(method, source.rows, len(names))
    return judged_rows(repeated_rows(source, names), source.engine)
