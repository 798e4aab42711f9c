"""Block by block: methods that need rows, on more of them than are held at once.

The engine makes blocks of near records (`cutting.py`), and the method runs on each block as on a table of its own. One
block is here at a time; on Spark, blocks are where the executors are. What comes of the blocks is put together from
counts, and the guards judge the whole. Where a block cannot be done, or the whole breaks a guard, blocks are merged and
done again.
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
from fairveil.engines import InMemorySource
from fairveil.engines.blocked import BlockedSource, unpacked
from fairveil.errors import BadInput, Infeasible
from fairveil.guards import Guard
from fairveil.methods.blocks.block_cutting import BlockCut, cut
from fairveil.methods.blocks.row_search import names_in_blocks, need_room
from fairveil.methods.method import Method, Proposal, propose, why_broken
from fairveil.methods.task import Task
from fairveil.plural import counted
from fairveil.progress import Progress
from fairveil.recipes.change import GROUP, Change
from fairveil.recipes.recipe import Recipe

GROUP_BITS = 32
"""Bits of the number of a group within its block; above them stands the block."""


class _Undone(Infeasible):
    """Blocks that could not be done; none of them where all were, and the whole breaks a guard."""

    def __init__(self, why: str, blocks: Sequence[int] = ()) -> None:
        super().__init__(why)
        self.blocks = blocks


def in_blocks(method: Method, task: Task, most: int) -> Proposal:
    """What a method finds if it runs block by block, each of at most so many rows."""
    blocked, pieces = cut(method, task, names_in_blocks(task), most)
    problem = Infeasible(f"{method.kind} finds nothing")
    for chosen in method.for_blocks():
        left = pieces
        while True:
            need_room(method, int(left.rows.max()), len(blocked.names))
            try:
                return _in_blocks(chosen, task, blocked, left)
            except _Undone as undone:
                problem = undone
            if len(left) == 1:
                break
            left = left.joining(problem.blocks) if problem.blocks else left.halved()
    raise Infeasible(str(problem))


def _in_blocks(method: Method, task: Task, blocked: BlockedSource, pieces: BlockCut) -> Proposal:
    meant = {**method.meanings(task), **task.schema.whole_numbers}  # told from all rows, not from those of a block
    work = BlockWork(
        method, replace(task.schema, whole_numbers=meant), task.guards, task.levels, task.other_levels, task.seed,
        blocked.keys, blocked.values, len(pieces), task.progress,
    )  # fmt: skip
    grouped, answers = blocked.worked(pieces.ranges, pieces.blocks, work)
    found = [pickle.loads(answer) for answer in answers]  # of our own workers
    undone = {block: problem for block, problem in enumerate(found) if isinstance(problem, str)}
    if undone:
        raise _Undone(next(iter(undone.values())), list(undone))
    task.progress.check("putting blocks together")
    staged = replace(task, source=grouped)
    sizes = grouped.count((GROUP,)).counts
    parts = [(part.recipe, len(part.places), part.places) for part in found]
    recipe, places = replace(found[0].recipe, schema=task.schema).joined(parts, grouped.pairs, sizes)
    change = Change(recipe, places=places, facts=_facts([f.facts for f in found]), staged=True)
    problem = why_broken(staged, change)
    if problem is not None:
        raise _Undone(f"{method.kind} found no release that keeps the guards ({problem})")
    note = f"worked in {counted(len(found), 'block')} of near records, each by itself"
    return replace(propose(staged, method, [change], notes=[*found[0].notes, note]), task=staged)


@dataclass(frozen=True)
class _Found:
    """What the method found in a block: `places` are those of the block's groups in its recipe."""

    recipe: Recipe
    places: np.ndarray
    facts: Mapping[str, Any]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class BlockWork:
    """The method on one block. All that it needs travels with it to where the block is."""

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
        return {**vars(self), "progress": None}  # nobody hears it elsewhere

    def __call__(self, block: int, rows: pa.Table) -> tuple[pa.Table | None, bytes]:
        table = unpacked(self.keys, self.values, rows)
        progress = self.progress or Progress.of(None)
        progress.tell(block / self.blocks, f"block {block + 1:,} of {self.blocks:,}")
        part = progress.part(block / self.blocks, (block + 1) / self.blocks)
        task = Task(InMemorySource(table), self.schema, self.guards, self.levels, self.other_levels, self.seed, part)
        try:
            proposal = self.method.search(task)
        except (Infeasible, BadInput) as problem:
            return None, pickle.dumps(str(problem))
        if len(proposal.changes) > 1:
            return None, pickle.dumps(
                f"{self.method.kind} offers several candidates, and block by block there can be one: ask for one"
            )
        [change] = proposal.changes
        assert change.groups is not None, "a method that works in blocks puts rows into groups"
        kept = np.flatnonzero(change.groups >= 0)
        held, group = np.unique(change.groups[kept], return_inverse=True)
        codes = {name: change.corrected.get(name, table.column(name).codes)[kept] for name in self.keys.sizes}
        staged = [*codes.values(), (block << GROUP_BITS) + group]
        places = held if change.places is None else change.places[held]
        found = _Found(change.recipe.part, places, change.facts, tuple(proposal.notes))
        columns = {f"c{number}": numbers(column.astype(np.int64)) for number, column in enumerate(staged)}
        return pa.table(columns), pickle.dumps(found)


def _facts(reported: Sequence[Any]) -> dict[str, Any]:
    """What can be said of all blocks together."""
    if not all(reported):
        return {}
    of_all: dict[str, Callable[[list[int]], int]] = {
        "groups": sum, "smallest_group": min, "largest_group": max, "left_over": sum,
    }  # fmt: skip
    known = {name: total([facts[name] for facts in reported]) for name, total in of_all.items() if name in reported[0]}
    return {"method": reported[0].get("method"), "blocks": len(reported), **known}
