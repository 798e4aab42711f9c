"""Methods that need rows, run block by block on more rows than are held in memory at once.

The engine forms blocks of similar records (`block_cutting.py`), and the method runs on each block as on a table of its
own: one block at a time in this process, or on Spark's executors. The results are combined from counts, and the guards
judge the whole release. If a block fails, or the whole breaks a guard, blocks are merged and the method runs again.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from fairveil.counting.packed_keys import PackedKeys
from fairveil.data.arrow import numbers
from fairveil.data.hierarchy import Levels
from fairveil.data.schema import Schema
from fairveil.engines.blocked import BlockedSource, unpacked
from fairveil.engines.joined import judged_rows
from fairveil.errors import BadInput, Infeasible
from fairveil.guards import Guard
from fairveil.messages import counted
from fairveil.methods.blocks.block_cutting import BlockCut, cut
from fairveil.methods.blocks.row_search import names_in_blocks, need_room
from fairveil.methods.method import Method, Proposal, propose, why_broken
from fairveil.methods.task import Task
from fairveil.progress import Progress
from fairveil.recipes.change import GROUP, Change
from fairveil.recipes.recipe import Recipe

GROUP_BITS = 32
"""Bits for the number of a group within its block; the bits above them are the block's number."""


class _Undone(Infeasible):
    """The blocks that failed; none if all succeeded, but the whole breaks a guard."""

    def __init__(self, why: str, blocks: Sequence[int] = ()) -> None:
        super().__init__(why)
        self.blocks = blocks


def in_blocks(method: Method, task: Task, max_rows: int) -> Proposal:
    """Return the proposal of a method that runs block by block, with at most `max_rows` in a block."""
    blocked, pieces = cut(method, task, names_in_blocks(task), max_rows)
    why = f"{method.kind} finds nothing"
    for variant in method.for_blocks():
        merged = pieces
        while True:
            need_room(method, int(merged.rows.max()), len(blocked.names))
            try:
                return _in_blocks(variant, task, blocked, merged)
            except _Undone as undone:
                why, failed = str(undone), undone.blocks
            if len(merged) == 1:
                break
            merged = merged.joining(failed) if failed else merged.halved()
    raise Infeasible(why)


def _in_blocks(method: Method, task: Task, blocked: BlockedSource, pieces: BlockCut) -> Proposal:
    meant = {**method.meanings(task), **task.schema.whole_numbers}  # decided by all rows, not by those of a block
    work = BlockWork(
        method, replace(task.schema, whole_numbers=meant), task.guards, task.levels, task.other_levels, task.seed,
        blocked.keys, blocked.values, len(pieces), task.progress,
    )  # fmt: skip
    grouped, answers = blocked.worked(pieces.ranges, pieces.blocks, work)
    results = [pickle.loads(answer) for answer in answers]  # of our own workers
    failed = [block for block, result in enumerate(results) if isinstance(result, str)]
    if failed:
        raise _Undone(results[failed[0]], failed)
    task.progress.check("putting blocks together")
    staged = replace(task, source=grouped)
    sizes = grouped.count((GROUP,)).counts
    parts = [(result.recipe, len(result.positions), result.positions) for result in results]
    recipe, positions = replace(results[0].recipe, schema=task.schema).joined(parts, grouped.pairs, sizes)
    change = Change(recipe, positions=positions, facts=_facts([result.facts for result in results]), staged=True)
    problem = why_broken(staged, change)
    if problem is not None:
        raise _Undone(f"{method.kind} found no release that keeps the guards ({problem})")
    note = f"worked in {counted(len(results), 'block')} of similar records, each separately"
    return replace(propose(staged, method, [change], notes=[*results[0].notes, note]), task=staged)


@dataclass(frozen=True)
class _BlockResult:
    """The result for one block: `positions` are those of the block's groups in its recipe."""

    recipe: Recipe
    positions: np.ndarray
    facts: Mapping[str, Any]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class BlockWork:
    """Runs the method on one block. It is pickled with everything it needs, and sent to where the block is."""

    method: Method
    schema: Schema
    guards: tuple[Guard, ...]
    levels: dict[str, Levels]
    other_levels: dict[str, Levels]
    seed: int
    keys: PackedKeys
    values: Mapping[str, pa.Array]
    blocks: int
    progress: Progress | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "progress": None}  # other machines cannot report

    def __call__(self, block: int, rows: pa.Table) -> tuple[pa.Table | None, bytes]:
        table = unpacked(self.keys, self.values, rows)
        progress = self.progress or Progress.of(None)
        progress.tell(block / self.blocks, f"block {block + 1:,} of {self.blocks:,}")
        part = progress.part(block / self.blocks, (block + 1) / self.blocks)
        task = Task(judged_rows(table), self.schema, self.guards, self.levels, self.other_levels, self.seed, part)
        try:
            proposal = self.method.search(task)
        except (Infeasible, BadInput) as problem:
            return None, pickle.dumps(str(problem))
        if len(proposal.changes) > 1:
            several = f"{self.method.kind} offers several candidates, and block by block there can be one: ask for one"
            return None, pickle.dumps(several)
        [change] = proposal.changes
        assert change.groups is not None, "a method that works in blocks puts rows into groups"
        kept = np.flatnonzero(change.groups >= 0)
        used, group = np.unique(change.groups[kept], return_inverse=True)
        codes = {name: change.corrected.get(name, table.column(name).codes)[kept] for name in self.keys.sizes}
        staged = [*codes.values(), (block << GROUP_BITS) + group]
        positions = used if change.positions is None else change.positions[used]
        result = _BlockResult(change.recipe.part, positions, change.facts, tuple(proposal.notes))
        columns = {f"c{number}": numbers(column.astype(np.int64)) for number, column in enumerate(staged)}
        return pa.table(columns), pickle.dumps(result)


def _facts(reported: Sequence[Any]) -> dict[str, Any]:
    """Return the facts of all blocks together."""
    if not all(reported):
        return {}
    of_all: dict[str, Callable[[list[int]], int]] = {
        "groups": sum, "smallest_group": min, "largest_group": max, "left_over": sum,
    }  # fmt: skip
    known = {name: total([facts[name] for facts in reported]) for name, total in of_all.items() if name in reported[0]}
    return {"method": reported[0].get("method"), "blocks": len(reported), **known}
