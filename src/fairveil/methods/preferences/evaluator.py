"""Evaluator: objectives and privacy of free groupings, whole populations at a time, each genome once.

What it remembers does not depend on the aspirations, so every further preference point starts from everything that was
evaluated before.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fairveil import measures
from fairveil.counting.summary import EXPOSED_BELOW, Summary, class_fields
from fairveil.counting.threads import count, each_in_threads
from fairveil.errors import BadInput
from fairveil.methods.lattice_nodes import survivors
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
    lists the different places looked up since it was begun, in their order; `asked` counts all lookups.
    """

    def __init__(self, space: GroupingSpace, objectives: Sequence[str]) -> None:
        self.space = space
        self.measures = [measures.get(name) for name in objectives]
        for measure in self.measures:
            if "levels" in measure.needs:
                raise BadInput(f"measure {measure.name!r} counts levels, and free groupings have no levels")
            if "decision" in measure.needs and space.task.schema.decision is None:
                raise BadInput(f"measure {measure.name!r} needs a decision column, and the schema names none")
        self.others = space.task.other_guards
        of_classes = {measure.name for measure in self.measures} <= OF_CLASSES
        self.compiled = of_classes and space.packs
        self.one_by_one = of_classes and not space.packs and not space.task.budget
        self.asked = 0
        self._trail: dict[int, None] = {}
        self._places: dict[bytes, int] = {}
        self._genomes = np.empty((0, space.bits), dtype=bool)
        self._points = np.empty((0, len(objectives)))
        self._k = np.empty(0)
        self._shortfall = np.empty(0)

    def __len__(self) -> int:
        return len(self._places)

    @property
    def genomes(self) -> np.ndarray:
        return self._genomes[: len(self)]

    @property
    def points(self) -> np.ndarray:
        return self._points[: len(self)]

    @property
    def k(self) -> np.ndarray:
        return self._k[: len(self)]

    @property
    def shortfall(self) -> np.ndarray:
        return self._shortfall[: len(self)]

    @property
    def trail(self) -> np.ndarray:
        return np.fromiter(self._trail, dtype=np.int64, count=len(self._trail))

    def begin_trail(self, places: np.ndarray) -> None:
        self._trail = dict.fromkeys(places.tolist())

    def look(self, genomes: np.ndarray) -> np.ndarray:
        """Return the index of each genome among those evaluated; new ones are evaluated in one compiled call."""
        self.asked += len(genomes)
        packed = np.packbits(genomes, axis=1)
        places = np.empty(len(genomes), dtype=np.int64)
        fresh = []
        for i, row in enumerate(packed):
            key = row.tobytes()
            place = self._places.get(key)
            if place is None:
                place = self._places[key] = len(self._places)
                fresh.append(i)
            places[i] = place
        if fresh:
            try:
                self._add(genomes[fresh])
            except BaseException:  # cancelled: forget the new ones only
                for i in fresh:
                    del self._places[packed[i].tobytes()]
                raise
        self._trail.update(dict.fromkeys(places.tolist()))
        return places

    def _add(self, genomes: np.ndarray) -> None:
        start, end = len(self) - len(genomes), len(self)
        if end > len(self._k):
            room = max(2 * end, 1024)
            self._points = np.concatenate([self.points[:start], np.empty((room - start, self._points.shape[1]))])
            self._genomes = np.concatenate(
                [self.genomes[:start], np.empty((room - start, self.space.bits), dtype=bool)]
            )
            self._k = np.concatenate([self.k[:start], np.empty(room - start)])
            self._shortfall = np.concatenate([self.shortfall[:start], np.empty(room - start)])
        summary, effective = self.describe(genomes)
        self._genomes[start:end] = genomes
        self._points[start:end] = np.column_stack([measure.of(summary) for measure in self.measures])
        self._k[start:end] = effective
        self._shortfall[start:end] = self.space.task.k - effective
        if self.others:
            for i in np.flatnonzero(self._shortfall[start:end] <= 0):
                self._guard(start + int(i), genomes[i])

    def _guard(self, place: int, genome: np.ndarray) -> None:
        """Check the guards beyond k-anonymity, on a genome that is k-anonymous."""
        task = self.space.task
        classes = self.space.classes(genome)
        published = survivors(task, classes)
        if published is None:
            broken = max(guard.verdict(classes, task.schema).broken_rows for guard in self.others)
            self._shortfall[place] = max(broken, 1) / task.cells.rows
        elif published is not classes:  # other guards also decide what is suppressed
            summary = self.space.summary(genome[None], True)
            self._points[place] = [measure.of(summary)[0] for measure in self.measures]
            self._k[place] = published.rows.min(initial=task.cells.rows)
            self._shortfall[place] = task.k - self._k[place]

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
            return kernel.evaluate(part, layout, task.k, task.budget, EXPOSED_BELOW, with_gaps, task.progress.stop)

        pieces = min(count(), max(len(genomes) // WORTH_A_THREAD, 1))
        answers = each_in_threads(evaluate, np.array_split(np.ascontiguousarray(genomes), pieces))
        task.progress.check()
        stats, loss = (np.concatenate(parts) for parts in zip(*answers, strict=True))
        return self._summary(stats, loss), stats[:, kernel.EFFECTIVE]

    def _one_by_one(self, genomes: np.ndarray) -> tuple[Summary, np.ndarray]:
        """Like `describe`, if keys do not fit into 64 bits: each genome's classes are grouped column by column."""
        from fairveil.methods.preferences import population_kernels as kernel

        task, sizes = self.space.task, [domain.size for domain in self.space.domains.values()]
        stats, loss = np.zeros((len(genomes), kernel.FIELDS)), np.empty((len(genomes), len(sizes)))
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
        task = self.space.task
        n, m = loss.shape
        unknown, unknown_columns = np.full(n, np.nan), np.full((n, m), np.nan)
        return Summary(
            rows=np.full(n, task.cells.rows),
            **class_fields(stats),
            minority=unknown,
            loss=loss,
            entropy=unknown_columns,
            full_entropy=unknown_columns,
            gain=unknown_columns,
            joint_gain=unknown,
            levels=unknown_columns,
            heights=unknown_columns,
            weights=np.tile([task.schema.weight(name) for name in self.space.domains], (n, 1)),
        )


WORTH_A_THREAD = 16
"""Genomes that a thread should have at least."""
