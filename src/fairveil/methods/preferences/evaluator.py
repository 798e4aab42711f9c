"""Evaluator: objectives and privacy of free groupings, whole populations at a time, each genome once.

What it remembers does not depend on the aspirations, so every further preference point starts from everything that was
evaluated before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fairveil import measures
from fairveil.counting.summary import EXPOSED_BELOW, Summary, class_fields
from fairveil.counting.threads import count, each_in_threads
from fairveil.errors import BadInput
from fairveil.methods.lattice_nodes import survivors

if TYPE_CHECKING:
    from fairveil.methods.preferences.grouping_space import GroupingSpace

OF_CLASSES = frozenset({
    "nwp", "loss", "necd", "class-gini", "class-variance", "class-size", "dm", "dr", "k", "highest-risk",
    "average-risk", "at-risk", "uniqueness",
})  # fmt: skip
"""Measures that follow from class sizes and the rows of each value: all that the population kernel counts."""


class Evaluator:
    """Everything known of the genomes evaluated so far, in the order of first appearance.

    `points[i]` are the objectives of `genomes[i]`, `k[i]` its effective k, `shortfall[i]` the paper's f₂: k_pref - k,
    positive where k-anonymity fails; in (0, 1], the share of rows concerned, where only other guards fail. `trail`
    lists the different indices looked up since it was begun, in their order; `asked` counts all lookups.
    """

    def __init__(self, space: GroupingSpace, objectives: Sequence[str]) -> None:
        self.space = space
        self.measures = [measures.get(name) for name in objectives]
        for measure in self.measures:
            if "levels" in measure.needs:
                raise BadInput(f"measure {measure.name!r} counts levels, and free groupings have no levels")
            if lacking := measure.lacks(space.task.schema):
                raise BadInput(lacking)
        self.others = space.task.other_guards
        self.weights = [space.task.schema.loss_weight(name) for name in space.domains]
        of_classes = {measure.name for measure in self.measures} <= OF_CLASSES
        self.compiled = of_classes and space.packs
        self.one_by_one = of_classes and not space.packs and not space.task.budget
        self.asked = 0
        self._trail: dict[int, None] = {}
        self._index_of: dict[bytes, int] = {}
        self._room = {
            "genomes": np.empty((0, space.bits), dtype=bool), "points": np.empty((0, len(objectives))),
            "k": np.empty(0), "shortfall": np.empty(0),
        }  # fmt: skip
        self.genomes, self.points, self.k, self.shortfall = self._room.values()

    def __len__(self) -> int:
        return len(self._index_of)

    @property
    def trail(self) -> np.ndarray:
        return np.fromiter(self._trail, dtype=np.int64, count=len(self._trail))

    def begin_trail(self, indices: np.ndarray) -> None:
        self._trail = dict.fromkeys(indices.tolist())

    def look(self, genomes: np.ndarray) -> np.ndarray:
        """Return the index of each genome among those evaluated; new ones are evaluated in one compiled call."""
        self.asked += len(genomes)
        keys, index_of = packed(genomes), self._index_of
        before, indices = len(index_of), [index_of.get(key, -1) for key in keys]
        fresh: list[int] = []
        for i, index in enumerate(indices):
            if index < 0:
                indices[i] = index_of.setdefault(keys[i], len(index_of))
                if indices[i] == before + len(fresh):
                    fresh.append(i)
        if fresh:
            try:
                self._add(genomes[fresh])
            except BaseException:  # cancelled: forget the new ones only
                for i in fresh:
                    del index_of[keys[i]]
                raise
        self._trail.update(dict.fromkeys(indices))
        return np.array(indices, dtype=np.int64)

    def _add(self, genomes: np.ndarray) -> None:
        start, end = len(self) - len(genomes), len(self)
        if end > len(self._room["k"]):
            more = max(2 * end, 1024) - start
            for name, kept in self._room.items():
                self._room[name] = np.concatenate([kept[:start], np.empty((more, *kept.shape[1:]), dtype=kept.dtype)])
        summary, effective = self.describe(genomes)
        added = {name: room[start:end] for name, room in self._room.items()}
        added["genomes"][:] = genomes
        added["points"][:] = np.column_stack([measure.of(summary) for measure in self.measures])
        added["k"][:] = effective
        added["shortfall"][:] = self.space.task.k - effective
        if self.others:
            for i in np.flatnonzero(added["shortfall"] <= 0):
                self._guard(start + int(i), genomes[i])
        self.genomes, self.points, self.k, self.shortfall = (room[:end] for room in self._room.values())

    def _guard(self, index: int, genome: np.ndarray) -> None:
        """Check the guards beyond k-anonymity, on a genome that is k-anonymous."""
        task, shortfall = self.space.task, self._room["shortfall"]
        classes = self.space.classes(genome)
        published = survivors(task, classes)
        if published is None:
            broken = max(guard.verdict(classes, task.schema).broken_rows for guard in self.others)
            shortfall[index] = max(broken, 1) / task.cells.rows
        elif published is not classes:  # other guards also decide what is suppressed
            summary = self.space.summary(genome[None], True)
            k = published.rows.min(initial=task.cells.rows)
            self._room["points"][index] = [measure.of(summary)[0] for measure in self.measures]
            self._room["k"][index], shortfall[index] = k, task.k - k

    def describe(self, genomes: np.ndarray) -> tuple[Summary, np.ndarray]:
        """Return the summary, with at least what the objectives need, and the effective k."""
        if self.compiled:
            return self._compiled(genomes)
        if self.one_by_one:
            return self._one_by_one(genomes)
        summary = self.space.summary(genomes, any("full" in measure.needs for measure in self.measures))
        if not self.space.packs or not self.space.task.budget:
            return summary, summary.smallest
        return summary, self._compiled(genomes)[1]

    def _compiled(self, genomes: np.ndarray) -> tuple[Summary, np.ndarray]:
        from fairveil.methods.preferences import population_kernels as kernel

        layout, task = self.space.layout, self.space.task
        with_gaps = any("full" in measure.needs for measure in self.measures)

        def evaluate(part: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            results: tuple[np.ndarray, np.ndarray] = kernel.evaluate(
                part, layout, task.k, task.budget, EXPOSED_BELOW, with_gaps, task.progress.stop
            )
            return results

        pieces = min(count(), max(len(genomes) // WORTH_A_THREAD, 1))
        alike = np.lexsort([np.zeros(len(genomes)), *np.packbits(genomes, axis=1).T[::-1]])
        answers = each_in_threads(evaluate, np.array_split(np.ascontiguousarray(genomes[alike]), pieces))
        task.progress.check()
        place = np.argsort(alike)
        stats, loss = (np.concatenate(parts)[place] for parts in zip(*answers, strict=True))
        return self._summary(stats, loss), stats[:, kernel.EFFECTIVE]

    def _one_by_one(self, genomes: np.ndarray) -> tuple[Summary, np.ndarray]:
        """Like `describe`, if keys do not fit into 64 bits: each genome's classes are grouped column by column."""
        from fairveil.counting.kernels.node_summary import FIELDS
        from fairveil.methods.preferences import population_kernels as kernel

        task, sizes = self.space.task, [domain.size for domain in self.space.domains.values()]
        stats, loss = np.zeros((len(genomes), FIELDS)), np.empty((len(genomes), len(sizes)))
        small = np.zeros(max(task.k, 1), dtype=np.int64)
        for i, genome in enumerate(genomes):
            for a, (name, groups) in enumerate(self.space.groups(genome).items()):
                widths = np.bincount(groups)[groups]
                loss[i, a] = task.lattice.leaf_rows[name] @ (widths - 1) / max(sizes[a] - 1, 1)
            rows = self.space.classes(genome).rows
            kernel.describe_classes(rows, len(rows), task.k, 0, EXPOSED_BELOW, True, small, stats[i])
        return self._summary(stats, loss), stats[:, kernel.EFFECTIVE]

    def _summary(self, stats: np.ndarray, loss: np.ndarray) -> Summary:
        """Return the summary of the kernel's statistics; everything else is unknown."""
        rows, weights = self.space.task.cells.rows, self.weights
        return Summary.of(len(loss), len(weights), rows=rows, **class_fields(stats), loss=loss, weights=weights)


def packed(genomes: np.ndarray) -> list[bytes]:
    """Return the bits of each genome as bytes: equal genomes have equal bytes."""
    content = np.packbits(genomes, axis=1)
    keys: list[bytes] = content.view(f"V{content.shape[1]}").ravel().tolist() if content.size else [b""] * len(content)
    return keys


WORTH_A_THREAD = 16
"""Genomes that a thread should have at least."""
