"""Local suppression: hide as few cells as possible, so that every guard holds on the file as it stands.

A hidden cell is `*`, a value of its own that only another `*` equals. So a class is a set of columns that are shown,
with their values; it needs k rows that all have these values. Which cells are hidden costs the weights of their columns
in the schema.

Search: at first everything is hidden. Patterns (the sets of columns that may be shown) are visited, those of the
greatest weight first, and among equal ones the one that reveals most. Rows move into classes that show more of them,
and into a new class if k of them together gain by it; rows leave a class above k only, or all together. With more
columns than all patterns can be visited, those are that tuples share with their nearest ones, and these less a column.
Small tables are then solved exactly, as an integer programme. Classes that break other guards are merged with their
nearest ones. Where people have several records, a person's equal records move as one (`units.py`); a class that still
has too few persons is merged, or its records join the classes that show most of them, whichever hides less.

Bound: alone, a row may show the columns of a pattern only if at least k rows, of k persons, have its values there. So
what each row must hide at least, summed over the rows, no release can undercut.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fairveil.counting.cells import Cells, Classes
from fairveil.counting.tuples import bits_for, first_rows
from fairveil.errors import Infeasible, refuse, suggest
from fairveil.guards import guarded_columns
from fairveil.messages import counted
from fairveil.methods.lattice_nodes import why_infeasible
from fairveil.methods.method import Method, Picture, Proposal, grown, propose
from fairveil.methods.units import Units
from fairveil.recipes.hidden_cells import HiddenCells
from fairveil.settings import setting

if TYPE_CHECKING:
    from fairveil.methods.task import Task
    from fairveil.recipes.change import Change

MAX_COLUMNS = 16
"""Maximum number of columns of which all patterns are visited."""
MAX_WORK = 1 << 26
"""Maximum number of patterns times tuples that are visited."""
MAX_PATTERNS = 1 << 11
"""Maximum number of patterns that are visited where these are not all."""
EPSILON = 1e-9
TOLERANCE = 1e-6
"""Of the bound of an integer programme."""


@dataclass(frozen=True)
class LocalSuppression(Method):
    """Hides as few cells as possible, by the weights of their columns in the schema, after generalizing each column to
    its one of `levels`; the fewest there are, if there are at most `exact` distinct records."""

    kind: ClassVar[str] = "local-suppression"
    title: ClassVar[str] = "single values hidden"
    picture: ClassVar[Picture] = "cells"
    says: ClassVar[str] = "Hides single values, as few as it can, and publishes all others as they are."
    needs_rows: ClassVar[bool] = True
    reaches_top: ClassVar[bool] = True
    levels: Mapping[str, int] = setting({}, "the level at which a column is published where it is not hidden", min=0)
    exact: int = setting(60, "maximum number of distinct records for which the fewest cells are found", min=0)

    def search(self, task: Task) -> Proposal:
        hiding = Hiding(task, self)
        change = grown(task, self, hiding.run)
        cells, fewest = hiding.hidden, hiding.bound
        share = cells / max(task.rows * len(task.levels), 1)
        if hiding.cost <= fewest + TOLERANCE:
            at_least = "no release of this kind hides less"
        else:
            at_least = (
                f"every release of this kind hides at least {100 * fewest / hiding.cost:.0f} % of that, by weight"
            )
        proposal = propose(task, self, [change], notes=["Local suppression searches greedily: fewer cells might do"])
        return replace(proposal, private=(f"{counted(cells, 'cell')} ({100 * share:.1f} %) hidden; {at_least}",))


class Hiding:
    """Hides cells of the table of one task. `hidden`, `cost` and `bound` are those of the last run: the number of
    hidden cells, their weight, and the weight that must be hidden at least."""

    def __init__(self, task: Task, method: LocalSuppression) -> None:
        self.task, self.method, self.names = task, method, list(task.levels)
        problems = [suggest(name, self.names, "quasi column") for name in method.levels if name not in task.levels]
        problems += [
            f"levels.{name} is {level}, and the levels of the hierarchy are 0 to {task.levels[name].height}"
            for name, level in method.levels.items()
            if name in task.levels and level > task.levels[name].height
        ]
        refuse(problems)
        self.levels = {name: method.levels.get(name, 0) for name in self.names}
        self.weights = np.array([float(task.schema.weights.get(name, 1)) for name in self.names])
        of_row = [task.levels[n].codes[self.levels[n]][task.table.column(n).codes] for n in self.names]
        sizes = [int(codes.max(initial=0)) + 1 for codes in of_row]
        groups, first = first_rows(list(zip(of_row, sizes, strict=True)), task.table.rows)
        distinct = np.array([codes[first] for codes in of_row], dtype=np.int64)
        order = np.lexsort(distinct[::-1])
        self.codes, self.tuple_of = np.ascontiguousarray(distinct[:, order]), np.argsort(order)[groups]
        self.bits, words = _bits(sizes)
        self.packed = np.zeros((self.codes.shape[1], words), dtype=np.uint64)
        for (word, shift, _), codes in zip(self.bits, self.codes, strict=True):
            self.packed[:, word] |= codes.astype(np.uint64) << np.uint64(shift)
        self.units = Units.of(task, list(zip(of_row, sizes, strict=True)))
        self.of_unit = self.tuple_of[self.units.rows]
        self.counts = np.bincount(self.of_unit, minlength=self.codes.shape[1])  # of each tuple, the units
        self.others = [guard for guard in task.other_guards if guard.per_class and not guard.across]
        self.alone = not task.schema.links and all(guard.by_size for guard in self.others)  # k of persons decides
        self.hidden, self.cost, self.bound = 0, 0.0, 0.0

    def run(self, k: int) -> Change:
        """Return the change that hides cells until every class has k rows and keeps the guards on single classes."""
        self.task.report(0.0, "hiding cells")
        self.bound = self._lower_bound(self.task.k)  # larger classes are the method's choice
        shown = ShownColumns(self, k).search()[self.units.of_row]
        if self.others:
            shown = self._mended(shown)
        part_of_row = self.tuple_of if self.units.persons is None else self.units.of_row
        parts, first = np.unique(part_of_row, return_index=True)
        if self.alone and len(parts) <= self.method.exact and self._cost(shown) > self.bound + EPSILON:
            from fairveil.methods.fewest_cells import fewest_cells

            codes, rows = self.codes[:, self.tuple_of[first]], np.bincount(part_of_row)
            exact, bound = fewest_cells(codes, rows, self.weights, k, self.bound, self.units.persons)
            self.bound = bound if k == self.task.k else self.bound
            if exact is not None and self._cost(better := _spread(exact, part_of_row)) < self._cost(shown) - EPSILON:
                shown = better
        self.hidden, self.cost = int((~shown).sum()), self._cost(shown)
        groups, first = self.classes(shown, self.tuple_of)
        task = self.task
        recipe = HiddenCells.of_classes(task.schema, task.table, self.levels, shown[first], groups)
        return task.change(recipe, groups)

    def _cost(self, shown: np.ndarray) -> float:
        return float((~shown @ self.weights).sum())

    def classes(self, shown: np.ndarray, tuple_of: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The class of each row, or unit, of these tuples by what it shows, in order of first appearance, and the first
        one of each."""
        of_row = np.where(shown.T, self.codes[:, tuple_of] + 1, 0)  # 0 is a hidden cell
        return first_rows([(codes, int(codes.max(initial=0)) + 1) for codes in of_row], len(tuple_of))

    def masks(self, patterns: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """The bits in a packed tuple of those of the columns that each pattern shows."""
        of_column = np.zeros((len(columns), self.packed.shape[1]), dtype=np.uint64)
        for number, (word, shift, bits) in enumerate(self.bits[column] for column in columns):
            of_column[number, word] = np.uint64(((1 << bits) - 1) << shift)
        return patterns.astype(np.uint64) @ of_column  # no two columns share a bit

    def _lower_bound(self, k: int) -> float:
        """The weight of the cells that must be hidden, counted for each row alone; of many columns, block by block."""
        from fairveil.methods.suppression_kernels import rows_alike

        tuples = len(self.counts)
        most = max(min(MAX_COLUMNS, (MAX_WORK // max(tuples, 1)).bit_length() - 1), 1)
        total, columns = 0.0, len(self.names)
        blocks = np.array_split(np.arange(columns), -(-columns // most))
        for number, block in enumerate(blocks):
            self.task.report(0.3 * number / len(blocks), "finding a bound")
            least = np.full(tuples, self.weights[block].sum())
            patterns = all_patterns(len(block))
            prices = ~patterns @ self.weights[block]
            masks = self.masks(patterns, block)
            for cheapest in np.argsort(prices, kind="stable").tolist():
                if least.max(initial=0.0) <= prices[cheapest]:
                    break  # no pattern that is left hides less
                alike = rows_alike(self.packed, self.counts, masks[cheapest])
                least = np.where(alike >= k, np.minimum(least, prices[cheapest]), least)
            total += float(least[self.tuple_of].sum())
        return total

    def _mended(self, shown: np.ndarray) -> np.ndarray:
        """Merge each class that breaks a guard with the one that shows most after it, until no class does."""
        from fairveil.methods.suppression_kernels import nearest_class

        task, shown = self.task, shown.copy()
        cells, cell_of_row = Cells.numbered(task.table, guarded_columns(self.others, task.schema), task.cells.levels)
        while True:
            task.progress.check()
            groups, first = self.classes(shown, self.tuple_of)
            codes = {name: column[cell_of_row] for name, column in cells.codes.items()}
            classes = Classes.from_ids(groups, len(first), np.ones(len(groups), dtype=np.int64), codes, cells)
            passing = np.ones(len(first), dtype=bool)
            for guard in self.others:
                passing &= guard.passing(classes, task.schema)
            if passing.all():
                return shown
            if len(first) == 1:
                raise Infeasible(why_infeasible(task, self.method.kind))
            sizes, merged, common = np.bincount(groups), np.arange(len(first)), np.empty(len(first))
            gone = np.zeros(len(first), dtype=bool)
            values = np.where(shown[first].T, self.codes[:, self.tuple_of[first]] + 1, 0)
            values = np.ascontiguousarray(values, dtype=np.int32)
            worth = (values > 0).T @ self.weights
            for one in np.flatnonzero(~passing).tolist():
                if merged[one] != one or (merged == one).sum() > 1:
                    continue
                other = merged[nearest := nearest_class(values, worth, self.weights, sizes, one, common)]
                if self.alone:  # more records break nothing
                    price = sizes[nearest] * (worth[nearest] - common[nearest])
                    price += sizes[one] * (worth[one] - common[nearest])
                    rows = np.flatnonzero(groups == one)
                    into = self._covering(rows, values, worth, passing & (merged == np.arange(len(first))) & ~gone)
                    if into is not None and (worth[one] - worth[into]).sum() <= price:
                        groups[rows], gone[one] = into, True
                        continue
                if gone[other]:
                    continue
                merged[one] = other
                values[values[:, one] != values[:, other], other] = 0
                worth[other] = (values[:, other] > 0) @ self.weights
            shown = (values > 0).T[merged][groups]

    def _covering(
        self, rows: np.ndarray, values: np.ndarray, worth: np.ndarray, among: np.ndarray
    ) -> np.ndarray | None:
        """For each of these rows, the class `among` some that shows most of it; None if there is none for any."""
        classes = np.flatnonzero(among)
        tuples, of_row = np.unique(self.tuple_of[rows], return_inverse=True)
        into = np.empty(len(tuples), dtype=np.int64)
        for number, one in enumerate(tuples.tolist()):
            shown = values[:, classes]
            covers = ((shown == 0) | (shown == self.codes[:, one : one + 1] + 1)).all(axis=0)
            if not covers.any():
                return None
            into[number] = classes[covers][np.argmax(worth[classes[covers]])]
        return into[of_row]


class ShownColumns:
    """The search for one k: which pattern each row gets."""

    def __init__(self, hiding: Hiding, k: int) -> None:
        rows, tuples = len(hiding.of_unit), len(hiding.counts)
        self.hiding, self.k = hiding, k
        bits = max(4, (2 * tuples - 1).bit_length())
        self.scratch = (
            np.empty(tuples, np.int64), np.empty(tuples, np.int64), np.empty(1 << bits, np.int32),
            np.empty(tuples + 2, np.int64), np.empty(rows, np.int64), np.zeros(rows + 1, np.int64),
            np.zeros(rows + 1, np.int64), np.empty(rows, np.int64), np.zeros(1, np.int64),
        )  # fmt: skip

    def search(self) -> np.ndarray:
        """Return the columns that each unit shows."""
        hiding, columns = self.hiding, len(self.hiding.names)
        if columns <= MAX_COLUMNS and len(hiding.counts) << columns <= MAX_WORK:
            patterns = all_patterns(columns)
            return self._visited(patterns, np.full(len(hiding.of_unit), len(patterns) - 1))
        visits = max(min(MAX_PATTERNS, MAX_WORK // len(hiding.counts)), 1)
        near = self._near(visits // 4 + 1)
        fewer = [pattern & (np.arange(columns) != a) for pattern in near for a in np.flatnonzero(pattern)]
        distinct, times = np.unique(np.array(fewer), axis=0, return_counts=True)
        often = distinct[np.argsort(-times, kind="stable")[:visits]]
        everything = np.zeros((1, columns), dtype=bool)
        patterns = np.unique(np.concatenate([near, often, everything]), axis=0)  # nothing shown comes first
        return self._visited(patterns, np.zeros(len(hiding.of_unit), dtype=np.int64))

    def _near(self, most: int) -> np.ndarray:
        """What some tuples, evenly spaced, have in common with those that are nearest to them, up to k rows."""
        hiding, tuples = self.hiding, len(self.hiding.counts)
        anchors = max(min(most, MAX_WORK // (tuples * self.k)), 1)
        patterns = []
        for anchor in np.unique(np.linspace(0, tuples - 1, anchors).astype(np.int64)).tolist():
            hiding.task.progress.check()
            agree = hiding.codes == hiding.codes[:, anchor : anchor + 1]
            shown, rows = np.ones(len(hiding.names), dtype=bool), int(hiding.counts[anchor])
            agree[:, anchor] = False
            while rows < self.k and shown.any():
                common = (hiding.weights * shown) @ agree
                nearest = int(np.argmax(common))
                shown &= agree[:, nearest]
                rows += int(hiding.counts[nearest])
                agree[:, nearest] = False
            patterns.append(shown)
        return np.array(patterns)

    def _visited(self, patterns: np.ndarray, start: np.ndarray) -> np.ndarray:
        """Visit these patterns, beginning with the pattern of each row at `start`."""
        from fairveil.methods.suppression_kernels import visit

        hiding, rows = self.hiding, len(start)
        weights = np.round(patterns @ hiding.weights, 9)
        class_of, first = hiding.classes(patterns[start], hiding.of_unit)
        sizes, worth, pattern_of = np.zeros(rows + 1, np.int64), np.zeros(rows + 1), np.full(rows + 1, -1)
        sizes[: len(first)] = np.bincount(class_of)
        pattern_of[: len(first)] = start[first]
        worth[: len(first)] = weights[start[first]]
        free, unused = np.arange(rows, -1, -1, dtype=np.int64), np.array([rows + 1 - len(first)])
        state = class_of.astype(np.int64), sizes, worth, pattern_of, free, unused

        masks = hiding.masks(patterns, np.arange(len(hiding.names)))

        def visited(p: int, commit: bool) -> tuple[int, float]:
            moved: tuple[int, float] = visit(
                hiding.packed, hiding.of_unit, masks[p], p, weights[p], self.k, state, self.scratch, commit
            )
            return moved

        done = 0
        for weight in np.unique(weights)[::-1]:
            waiting = [(-np.inf, int(p)) for p in np.flatnonzero(weights == weight)]
            done += len(waiting)
            hiding.task.report(0.3 + 0.7 * done / len(patterns), "hiding cells")
            while waiting:
                hiding.task.progress.check()
                _, p = heapq.heappop(waiting)
                moved, gain = visited(p, False)
                if moved and waiting and -gain > waiting[0][0]:
                    heapq.heappush(waiting, (-gain, p))
                elif moved:
                    visited(p, True)
        shown: np.ndarray = patterns[pattern_of[state[0]]]
        return shown


def _spread(patterns: Sequence[Sequence[tuple[np.ndarray, int]]], part_of_row: np.ndarray) -> np.ndarray:
    """The columns that each row shows, given for each part of the rows its patterns and how many of its rows have
    them."""
    shown = np.empty((len(part_of_row), len(patterns[0][0][0])), dtype=bool)
    for number, parts in enumerate(patterns):
        rows = np.flatnonzero(part_of_row == number)
        shown[rows] = np.repeat([pattern for pattern, _ in parts], [units for _, units in parts], axis=0)
    return shown


def _bits(sizes: Sequence[int]) -> tuple[list[tuple[int, int, int]], int]:
    """Where the codes of columns are in a packed tuple (word, first bit, bits), and the number of words."""
    places, word, used = [], 0, 0
    for size in sizes:
        bits = bits_for(size)
        if used + bits > 64:
            word, used = word + 1, 0
        places.append((word, used, bits))
        used += bits
    return places, word + 1


def all_patterns(columns: int) -> np.ndarray:
    """Every set of columns, as a Boolean row; the one that shows all comes first."""
    numbers = np.arange((1 << columns) - 1, -1, -1)
    return (numbers[:, None] >> np.arange(columns)[::-1] & 1).astype(bool)
