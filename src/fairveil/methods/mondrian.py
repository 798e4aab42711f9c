"""Mondrian (LeFevre et al. 2006): cut the table at medians, widest column first, while every part keeps the guards.

Numbers are cut at the median of the region's rows, on a grid (`data/interval_edges.py`); names along their hierarchy,
into the children of the region's node. Strict: rows of one cell of the grid stay together. Relaxed: rows in the cell of
the median go either way, so that the halves are even. The recipe is the tree of cuts; the change says which row of the
source is in which region.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, islice, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fairveil.counting.cells import Cells, Classes
from fairveil.counting.kernels.class_values import RowShares, RowValues
from fairveil.counting.value_sets import AskedValues
from fairveil.data.interval_edges import Edges, to_json
from fairveil.data.numeric import is_number, offsets_per_value
from fairveil.data.text_form import text_or_none
from fairveil.errors import Infeasible
from fairveil.guards import guarded_columns
from fairveil.messages import counted
from fairveil.methods.cut_kernels import all_cuts, first_cut
from fairveil.methods.lattice_nodes import why_infeasible
from fairveil.methods.method import Method, Picture, Proposal, grown, propose
from fairveil.methods.region_kernels import Axes
from fairveil.recipes.cut_tree import CutTree
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.guards import Guard
    from fairveil.methods.task import Task
    from fairveil.recipes.change import Change


def axes_of(task: Task, numeric: bool, edges: Mapping[str, Edges] = MappingProxyType({})) -> Axes:
    """Return the quasi columns in the layout of the kernels, in the order of the task's levels; numbers with `edges` by
    the cells of their grid."""
    names = list(task.levels)
    columns = [task.table.column(name) for name in names]
    numbers = np.array([numeric and is_number(column) for column in columns], dtype=bool)
    widest = max((len(column.values) for column in compress(columns, numbers)), default=1)
    named = list(compress(task.levels.values(), ~numbers))
    shape = len(names), max((lv.height + 1 for lv in named), default=1), max((lv.leaves for lv in named), default=1)
    values, spans = np.zeros((len(names), widest)), np.zeros(len(names))
    lookups, leaves = np.zeros(shape, dtype=np.int64), np.zeros(shape)
    codes = np.array([column.codes for column in columns], dtype=np.int64)
    for a, (name, column) in enumerate(zip(names, columns, strict=True)):
        if numbers[a]:
            offsets = offsets_per_value(column)
            low, high = np.nanmin(offsets, initial=np.inf), np.nanmax(offsets, initial=-np.inf)
            spans[a] = max(float(high - low), 0.0)
            cells = edges[name].by_code(column) if name in edges else np.arange(len(offsets))
            values[a, cells[::-1]] = np.nan_to_num(offsets, nan=max(float(high), 0.0))[::-1]  # the first number remains
            codes[a] = cells[column.codes]
            continue
        levels = task.levels[name]
        for level in range(levels.height + 1):
            lookups[a, level, : levels.leaves] = levels.codes[level]
            leaves[a, level, : len(levels.labels[level])] = levels.widths[level] / levels.leaves
    return Axes(codes, numbers, values, spans, leaves, lookups)


@dataclass(frozen=True)
class Mondrian(Method):
    """One local recoding, by median cuts. `numeric=False` cuts columns of numbers along their hierarchies as well."""

    kind: ClassVar[str] = "mondrian"
    title: ClassVar[str] = "regions of records (Mondrian)"
    picture: ClassVar[Picture] = "regions"
    says: ClassVar[str] = "Partitions the records into regions, and generalizes each region only as far as it must."
    needs_rows: ClassVar[bool] = True
    reaches_top: ClassVar[bool] = True
    blockwise: ClassVar[bool] = True
    relaxed: bool = setting(False, "records with the same value may go to both sides of a cut")
    numeric: bool = setting(True, "cut numeric columns anywhere, not only along their hierarchies")

    def search(self, task: Task) -> Proposal:
        note = "Mondrian cuts greedily, so a better local recoding may exist"
        cutter = Cutter(task, self)
        return propose(task, self, [grown(task, self, cutter.run)], notes=[note])


class Cutter:
    """Cuts the table of one task."""

    def __init__(self, task: Task, method: Mondrian) -> None:
        self.task, self.relaxed = task, method.relaxed
        self.names = list(task.levels)
        numbers = [task.table.column(name) for name in self.names if method.numeric]
        self.edges = {column.name: Edges.of(column) for column in numbers if is_number(column)}
        self.axes = axes_of(task, method.numeric, self.edges)
        self.first_cut = first_cut.given(self.axes)
        self.only_numbers = bool(self.axes.numeric.all())
        self.k = task.k
        self.others = [guard for guard in task.other_guards if guard.per_class and not guard.across]
        self.alone = [guard for guard in self.others if guard.alone and not task.schema.links]
        self.comparing = [guard for guard in self.others if guard not in self.alone]
        guarded = guarded_columns(self.others, task.schema)
        self.texts: dict[tuple[str, int], list[str | None]] = {}
        self.cells, self.cell_of_row = Cells.numbered(task.table, guarded, task.cells.levels)

    def run(self, k: int) -> Change:
        """Cut the table into regions of at least k rows; guards on the whole release do not choose the cuts."""
        self.k, axes, task = k, self.axes, self.task
        task.report(0.0, "cutting")
        rows = np.arange(task.rows)
        if not self._keep([rows]):
            raise Infeasible(why_infeasible(task, "mondrian"))
        tops = np.array([levels.height for levels in task.levels.values()])
        root: dict[str, Any] = {}
        start = np.where(axes.numeric, 0, tops)
        asked = self._asked_of_rows()
        regions = self._guarded(rows, start, root) if asked is None else self._replayed(*asked, start, root)
        region = np.empty(len(rows), dtype=np.int64)
        for number, part in enumerate(reversed(regions)):  # left to right: the last part of a cut was cut first
            region[part] = number
        numeric = dict(zip(self.names, axes.numeric.tolist(), strict=True))
        return task.change(CutTree.learnt(task.schema, task.table, numeric, root), region)

    def _asked_of_rows(self) -> tuple[RowValues, RowShares] | None:
        """What guards other than k-anonymity ask of the values of every region, if that is all that they ask for."""
        asked = AskedValues.together(guard.asked_values(self.cells, self.task.schema) for guard in self.others)
        if asked is None or not AskedValues(asked.least).few(self.task.rows):
            return None
        whole = np.zeros((len(asked.most), max((size for _, size, _ in asked.most), default=0)))
        for own, (of_cells, size, _) in zip(whole, asked.most, strict=True):
            rows = np.bincount(of_cells[of_cells >= 0], self.cells.counts[of_cells >= 0], size)
            own[:size] = rows / max(rows.sum(), 1)
        least, most = np.array([n for _, n in asked.least], dtype=np.int64), np.array([most for *_, most in asked.most])
        values = RowValues(self._of_rows([codes for codes, _ in asked.least]), least)
        return values, RowShares(self._of_rows([codes for codes, *_ in asked.most]), whole, most.astype(float))

    def _of_rows(self, codes: Sequence[np.ndarray]) -> np.ndarray:
        """Return codes of cells as those of the rows."""
        of_rows = np.empty((len(codes), self.task.rows), dtype=np.int32)
        for own, of_cells in zip(of_rows, codes, strict=True):
            own[:] = of_cells[self.cell_of_row]
        return of_rows

    def _replayed(
        self, values: RowValues, shares: RowShares, level: np.ndarray, root: dict[str, Any]
    ) -> list[np.ndarray]:
        """Fill `root` with all cuts, computed in one call; returns the regions."""
        cuts = all_cuts(self.axes, values, shares, level, self.k, self.relaxed, self.task.progress.stop)
        self.task.progress.check()
        sizes, codes = iter(cuts.sizes.tolist()), iter(cuts.codes.tolist())
        waiting: list[tuple[int, int, dict[str, Any]]] = [(0, self.task.rows, root)]
        regions = []
        tried = zip(*(part.tolist() for part in (cuts.column, cuts.level, cuts.parts, cuts.described)), strict=True)
        for a, at, parts, described in tried:
            start, end, spot = waiting.pop()
            if a < 0:
                regions.append(cuts.rows[start:end])
                continue
            self._describe(spot, a, at, list(islice(codes, described)))
            for part, size in zip(spot["parts"], islice(sizes, parts), strict=True):
                waiting.append((start, start + size, part))
                start += size
        return regions

    def _guarded(self, rows: np.ndarray, level: np.ndarray, root: dict[str, Any]) -> list[np.ndarray]:
        """The same where other guards are asked about every cut."""
        task, waiting = self.task, [(rows, level, root)]
        regions: list[np.ndarray] = []
        finished = 0
        while waiting:
            part, level, spot = waiting.pop()
            waiting += self._cut(part, level, spot)
            if not spot:
                finished += len(part)
                regions.append(part)
                if len(regions) % 256 == 0:
                    task.report(finished / len(rows), counted(len(regions), "region"))
        return regions

    def _cut(self, rows: np.ndarray, level: np.ndarray, spot: dict[str, Any]) -> list[tuple[Any, Any, Any]]:
        """Fill `spot` with the first cut that keeps the guards, widest column first; returns its parts."""
        if len(rows) < 2 * self.k and self.only_numbers:
            return []
        skip = 0
        while True:
            a, skip, ordered, ends, cut = self.first_cut(rows, level, skip, self.k, self.relaxed)
            if a < 0:
                return []
            parts = [ordered]
            if len(ends) > 1:
                parts = [ordered[start:end] for start, end in pairwise([0, *ends.tolist()])]
            if not self.others or self._keep(parts):
                break
        if not self.axes.numeric[a]:
            level = level.copy()
            level[a] -= 1
        self._describe(spot, a, int(level[a]), cut.tolist())
        return list(zip(parts, [level] * len(parts), spot["parts"], strict=True))

    def _describe(self, spot: dict[str, Any], a: int, level: int, cut: list[int]) -> None:
        """Fill `spot` with a cut of one column."""
        name = self.names[a]
        if self.axes.numeric[a]:
            spot.update(self._cut_at(name, *cut))
        else:
            texts = self._texts(name, level)
            names = [texts[code] for code in cut]
            spot.update(column=name, level=level, names=names, parts=[{} for _ in names])

    def _texts(self, name: str, level: int) -> list[str | None]:
        """Return the labels of a level as the recipe writes them."""
        if (name, level) not in self.texts:
            self.texts[name, level] = [text_or_none(label) for label in self.task.levels[name].labels[level]]
        return self.texts[name, level]

    def _cut_at(self, name: str, middle: int, to_left: int, ties: int) -> dict[str, Any]:
        """Return the cut above a cell of the grid; around that cell, if only some of its rows go left."""
        edges, cut = self.edges[name], dict[str, Any](column=name, parts=[{}, {}])
        if middle < edges.count:  # not the missing values
            cut["at"] = to_json(edges.below(middle + 1))
        if to_left == ties:
            return cut
        if middle < edges.count:
            cut["from"] = to_json(edges.below(middle))
        return {**cut, "left": to_left, "of": ties}

    def _keep(self, parts: list[np.ndarray]) -> bool:
        """Whether each part keeps the guards other than k-anonymity, which the sizes of the parts decide.

        All other rows form one more class for a guard that compares with them, as t-closeness does with the whole.
        """
        cells = self.cell_of_row[np.concatenate(parts)]
        ids, counts = np.repeat(np.arange(len(parts)), [*map(len, parts)]), np.ones(len(cells), dtype=np.int64)
        if not self._pass(self.alone, len(parts), ids, cells, counts):
            return False
        if not self.comparing:
            return True
        beside = self.cells.counts - np.bincount(cells, minlength=len(self.cells))
        others = np.flatnonzero(beside)
        ids = np.concatenate([ids, np.full(len(others), len(parts))])
        cells, counts = np.concatenate([cells, others]), np.concatenate([counts, beside[others]])
        return self._pass(self.comparing, len(parts), ids, cells, counts)

    def _pass(
        self, guards: Sequence[Guard], parts: int, ids: np.ndarray, cells: np.ndarray, counts: np.ndarray
    ) -> bool:
        """Whether the first classes, as many as there are `parts`, keep these guards."""
        codes = {name: column[cells] for name, column in self.cells.codes.items()}
        classes = Classes.from_ids(ids, int(ids[-1]) + 1, counts, codes, self.cells)
        return all(guard.passing(classes, self.task.schema)[:parts].all() for guard in guards)
