"""Blocks: methods that need rows, on data that stays on an engine.

No row is fetched. What such a method looks at are the values of rows, and counting gives them: each distinct row, as
often as it occurs, held as codes of a byte or two per value. Where there are many, the rows are cut into blocks of near
records, as Mondrian cuts them, so that every block as a whole keeps the guards that look at one class at a time. The
method runs on each block as on a table of its own. A block that it cannot do joins the next one. What was found in the
blocks is put together, and the guards judge the whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fairveil.engines import Memory, Order
from fairveil.errors import BadInput, Infeasible
from fairveil.methods.base import Method, Proposal, propose
from fairveil.methods.task import Task
from fairveil.plural import counted
from fairveil.recipes.base import Change

BLOCK = 1 << 20
"""Rows of a block, at most, unless more of them are alike."""
MOST_VALUES = 1 << 28
"""Values of all rows that may be held as codes."""


def searched(method: Method, task: Task, order: Order = "sorted") -> Proposal:
    """What a method finds, wherever the data is; `order` is the one in which it will be published."""
    if not method.needs_rows or task.source.has_rows:
        return _asking(method, task, method.search(task))
    if order == "keep":
        raise BadInput('rows on an engine have no order to keep: use order = "sorted", or engine = "memory"')
    held = replace(task, source=_held(method, task))
    if method.blockwise and held.rows > BLOCK:
        return _asking(method, held, replace(in_blocks(method, held, BLOCK), task=held))
    return _asking(method, held, replace(method.search(held), task=held))


def _asking(method: Method, task: Task, proposal: Proposal) -> Proposal:
    questions = method.questions(task)
    return replace(proposal, private=(*proposal.private, *questions)) if questions else proposal


def _held(method: Method, task: Task) -> Memory:
    """All rows of a source, as codes, by counting."""
    source, schema = task.source, task.schema
    looked_at = {*schema.published, *schema.protected}
    names = [name for name in source.names if name in looked_at]
    if source.rows * len(names) > MOST_VALUES:
        raise BadInput(
            f"{method.kind} looks at rows: {source.rows:,} of {counted(len(names), 'column')} are more than the "
            f"{MOST_VALUES:,} values that it can hold; use a method that counts"
        )
    cells = source.count(names)
    table = cells.table().take(np.repeat(np.arange(len(cells)), cells.counts))
    inferred = source.inferred & frozenset(names)
    return Memory(replace(table, kind=source.kind, dropped=source.dropped, inferred=inferred))


def in_blocks(method: Method, task: Task, most: int) -> Proposal:
    """What a method finds if it runs block by block."""
    problem = Infeasible(f"{method.kind} finds nothing")
    for chosen in method.for_blocks():
        try:
            return _in_blocks(chosen, task, most)
        except Infeasible as found:
            problem = found
    raise problem


def _in_blocks(method: Method, task: Task, most: int) -> Proposal:
    blocks = _searched(method, task, _cut(method, task, most))
    candidates = {len(proposal.changes) for _, proposal in blocks}
    if len(candidates) > 1:
        raise Infeasible(f"{method.kind} finds several candidates in some blocks and not in others: ask for one")
    changes = [
        _joined(task, [rows for rows, _ in blocks], [proposal.changes[place] for _, proposal in blocks])
        for place in range(candidates.pop())
    ]
    note = f"worked in {counted(len(blocks), 'block')} of near records, each by itself"
    return propose(task, method, changes, notes=[*blocks[0][1].notes, note])


def _cut(method: Method, task: Task, most: int) -> list[np.ndarray]:
    """The rows of each block."""
    from fairveil.methods.mondrian import Cutter, Mondrian

    mixed = method.mixes(task.schema)
    levels = {name: levels for name, levels in task.levels.items() if name not in mixed}
    if not levels:
        return [np.arange(task.rows)]
    return Cutter(replace(task, levels=levels), Mondrian()).regions(max(most // 2, task.k))[0]


def _searched(method: Method, task: Task, waiting: Sequence[np.ndarray]) -> list[tuple[np.ndarray, Proposal]]:
    """The method on each block. One that it cannot do joins a neighbour."""
    left, done, total = list(waiting), list[tuple[np.ndarray, Proposal]](), len(waiting)
    while left:
        rows = left.pop(0)
        share = (total - len(left) - 1) / total
        task.report(share, f"block {total - len(left)} of {total}")
        block = replace(
            task, source=Memory(task.table.take(rows)), progress=task.progress.part(share, share + 1 / total)
        )
        try:
            done.append((rows, method.search(block)))
        except (Infeasible, BadInput):
            if left:
                left[0] = np.concatenate([rows, left[0]])
            elif done:
                left.append(np.concatenate([done.pop()[0], rows]))
            else:
                raise
    return done


def _joined(task: Task, blocks: Sequence[np.ndarray], changes: Sequence[Change]) -> Change:
    """One change of all rows from the changes of their blocks."""
    groups = np.full(task.rows, -1, dtype=np.int64)
    corrected = {name: task.table.column(name).codes.copy() for name in changes[0].corrected}
    total = 0
    for rows, change in zip(blocks, changes, strict=True):
        assert change.groups is not None, "a method that works in blocks puts rows into groups"
        groups[rows] = np.where(change.groups >= 0, change.groups + total, -1)
        total += int(change.groups.max(initial=-1)) + 1
        for name, codes in change.corrected.items():
            corrected[name][rows] = codes
    recipe, places = changes[0].recipe.joined(changes, task.table, groups)
    facts = _facts([change.facts for change in changes])
    return task.change(recipe, groups, places, corrected, facts)


def _facts(reported: Sequence[Any]) -> dict[str, Any]:
    """What can be said of all blocks together."""
    if not all(reported):
        return {}
    of_all: dict[str, Callable[[list[int]], int]] = {
        "groups": sum, "smallest_group": min, "largest_group": max, "left_over": sum,
    }  # fmt: skip
    known = {name: total([facts[name] for facts in reported]) for name, total in of_all.items() if name in reported[0]}
    return {"method": reported[0].get("method"), "blocks": len(reported), **known}
