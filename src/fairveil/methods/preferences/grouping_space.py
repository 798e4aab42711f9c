"""GroupingSpace: all free groupings of a task's quasi columns, one bit between each two neighbours of an order.

A genome is a row of bits, the columns' encodings one after the other; 1 cuts between two neighbours, 0 joins them
(Iyengar's encoding; Dewri et al., section 7.1).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from fairveil.counting.cells import Cells, Classes
from fairveil.counting.lattice import Lattice
from fairveil.counting.summary import Summary, summarize_nodes
from fairveil.counting.tuples import KEY_BITS, bits_for, group_of
from fairveil.data.hierarchy import Levels
from fairveil.data.table import Column, narrow
from fairveil.engines import InMemoryTable
from fairveil.errors import BadInput, suggest
from fairveil.messages import option
from fairveil.methods.lattice_nodes import summarize_each
from fairveil.methods.preferences.ordered_domain import OrderedDomain
from fairveil.methods.task import Task
from fairveil.recipes.free_grouping import FreeGrouping, distinct_labels

if TYPE_CHECKING:
    from fairveil.methods.preferences.population_kernels import GenomeLayout

BLOCK = 2048
"""Entries of a look-up table that a few attributes share; small enough to stay in the fastest cache."""


@dataclass(frozen=True)
class GroupingSpace:
    """`task` is the request with each quasi column coded by slot; its lattice is that of the hierarchies' levels."""

    source: Task
    task: Task
    domains: dict[str, OrderedDomain]

    @classmethod
    def of(cls, task: Task, granularity: Mapping[str, float]) -> GroupingSpace:
        for name in granularity:
            if name not in task.levels:
                raise BadInput(f"{suggest(name, task.levels, 'quasi column')} ({option('granularity')})")
        schema, source = task.schema, task.source
        domains = {
            name: OrderedDomain.of(name, source.domain(name).domain, schema.hierarchy(name), granularity.get(name))
            for name in task.levels
        }
        cells = task.cells
        slots = []
        for name, domain in domains.items():
            labels = pa.array(distinct_labels([str(slot) for slot in range(domain.size)]))
            slots.append(Column(name, narrow(domain.slots, domain.size)[cells.codes[name]], labels))
        slotted = InMemoryTable(cells.table().with_columns(slots), cells.counts)
        levels = {name: domain.levels for name, domain in domains.items()}
        return cls(task, replace(task, source=slotted, levels=levels), domains)

    @cached_property
    def spans(self) -> list[slice[int]]:
        """The slice of each column's bits."""
        ends = np.cumsum([0, *(domain.size - 1 for domain in self.domains.values())])
        return [slice(start, end) for start, end in pairwise(ends.tolist())]

    @property
    def bits(self) -> int:
        return self.spans[-1].stop

    @property
    def packs(self) -> bool:
        """Whether every key fits into 64 bits, so that the compiled path can be used."""
        return sum(bits_for(domain.size) for domain in self.domains.values()) <= KEY_BITS

    def genome(self, node: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return the bits of a full-domain generalization."""
        cuts = [domain.cuts_of_level(int(level)) for level, domain in zip(node, self.domains.values(), strict=True)]
        return np.concatenate(cuts)

    def groups(self, genome: np.ndarray) -> dict[str, np.ndarray]:
        """Return the group of every slot, per column."""
        return {
            name: np.concatenate([[0], np.cumsum(genome[span], dtype=np.int64)])
            for name, span in zip(self.domains, self.spans, strict=True)
        }

    def recipe(self, genome: np.ndarray) -> FreeGrouping:
        groups_by_column = {}
        for (name, domain), groups in zip(self.domains.items(), self.groups(genome).values(), strict=True):
            starts = (0, *(np.flatnonzero(np.diff(groups)) + 1).tolist())
            column, rule = self.source.source.domain(name), self.source.schema.hierarchy(name)
            groups_by_column[name] = domain.groups(column, rule, starts)
        return FreeGrouping(self.source.schema, groups_by_column)

    def classes(self, genome: np.ndarray) -> Classes:
        """Return the equivalence classes with all columns that guards need, if necessary quasi ones."""
        cells = self.task.cells
        coded = [(groups[cells.codes[name]], int(groups[-1]) + 1) for name, groups in self.groups(genome).items()]
        ids, total = group_of(coded, len(cells))
        classes = Classes.from_ids(ids, total, cells.counts, cells.codes, cells)
        if not any(guard.published for guard in self.task.guards):
            return classes
        labels = {name: groups.labels for name, groups in self.recipe(genome).groups.items()}
        codes = {name: codes for name, (codes, _) in zip(self.domains, coded, strict=True)}
        return classes.with_columns(codes, labels)

    def summary(self, genomes: np.ndarray, full: bool) -> Summary:
        """Return every statistic of many genomes: each column's distinct groupings are taken as levels of a lattice."""
        levels, nodes = {}, np.empty((len(genomes), len(self.domains)), dtype=np.int64)
        for a, (name, span) in enumerate(zip(self.domains, self.spans, strict=True)):
            size = self.domains[name].size
            distinct, position = np.unique(genomes[:, span], axis=0, return_inverse=True)
            codes = np.zeros((len(distinct) + 2, size), dtype=np.int64)
            codes[0] = np.arange(size)
            codes[1:-1, 1:] = np.cumsum(distinct, axis=1)
            levels[name] = Levels(codes, tuple(tuple(range(int(row[-1]) + 1)) for row in codes))
            nodes[:, a] = position.ravel() + 1
        lattice = Lattice(self.task.cells, levels, self.task.progress, nested=False)
        if not self.packs or (self.task.budget and any(guard.per_class for guard in self.task.other_guards)):
            summary = summarize_each(self.task, lattice, nodes)
        else:
            k = self.task.k if self.task.budget else 1
            summary = summarize_nodes(lattice, self.task.schema, nodes, k, full, np.zeros(len(levels), dtype=np.int64))
        unknown = np.full_like(summary.loss, np.nan)
        return replace(summary, levels=unknown, heights=unknown)

    @cached_property
    def layout(self) -> GenomeLayout:
        """The quasi cells in blocks of attributes, the largest domains first, sorted so that neighbours merge."""
        from fairveil.methods.preferences.population_kernels import GenomeLayout

        names = list(self.domains)
        cells = Cells.of(self.task.cells.table(), names, counts=self.task.cells.counts)
        sizes = np.array([self.domains[name].size for name in names], dtype=np.int64)
        blocks: list[list[int]] = []
        for a in np.argsort(-sizes, kind="stable").tolist():
            room = next((b for b in blocks if sizes[b].prod() * sizes[a] <= BLOCK), None)
            if room is None:
                blocks.append([a])
            else:
                room.append(a)
        codes = np.zeros((len(blocks), len(cells)), dtype=np.int64)
        for b, block in enumerate(blocks):
            stride = 1
            for a in block:
                codes[b] += cells.codes[names[a]] * stride
                stride *= int(sizes[a])
        ascending = np.lexsort(codes[::-1])
        rows = np.zeros((len(names), int(sizes.max())), dtype=np.int64)
        for a, name in enumerate(names):
            rows[a, : sizes[a]] = np.bincount(cells.codes[name], weights=cells.counts, minlength=int(sizes[a]))
        return GenomeLayout(
            codes=np.ascontiguousarray(codes[:, ascending], dtype=np.uint16 if codes.max() < 1 << 16 else np.int64),
            counts=cells.counts[ascending].astype(np.int32),
            sizes=sizes,
            order=np.array([a for block in blocks for a in block], dtype=np.int64),
            starts=np.cumsum([0, *map(len, blocks)]),
            table_starts=np.cumsum([0, *(int(sizes[block].prod()) for block in blocks)]),
            leaf_rows=rows,
        )
