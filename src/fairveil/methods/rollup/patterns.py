"""The paper's own search for rules: distance patterns of pairs, of which the most frequent are kept (Section 6.1).

A pattern is, per attribute (including the decision), the lowest level at which two records agree. The most frequent
patterns are kept until they cover a share of the pairs; a rule holds on them if every kept pattern of pairs with
different decisions exceeds its level on some attribute. The paper does not say how ties are broken or whether the
decision is part of a pattern. Here it is, and equally frequent patterns are all kept or all dropped.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from fairveil.counting.threads import count as threads
from fairveil.counting.threads import each_in_threads
from fairveil.counting.tuples import group_of
from fairveil.data.hierarchy import Levels
from fairveil.errors import BadInput
from fairveil.messages import literal
from fairveil.methods.rollup.border import need_decision
from fairveil.methods.rollup.rule import most_general

if TYPE_CHECKING:
    from fairveil.methods.rollup.pattern_kernels import Bundles
    from fairveil.methods.task import Task

MAX_TUPLES = 2048
MAX_BUNDLED = 1 << 22
"""Patterns that the columns of one bundle may have: each is counted on its own."""
PARTS = 32
"""Parts of a round for each thread: after each, progress is reported."""
MAX_DENSE = 1 << 27
"""Up to this many possible patterns have a count each; beyond, those that occur are kept in a hash table."""
MAX_PAIRS = (1 << 32) - 1
"""What a count of four bytes can hold: more pairs are counted in several rounds."""
_HALF = (1 << 32) - 1


@dataclass(frozen=True)
class Patterns:
    """Distinct patterns, most frequent first: a level per quasi column, whether decided differently, and pairs."""

    levels: np.ndarray
    differ: np.ndarray
    pairs: np.ndarray
    total: int
    """All pairs of rows, also those whose patterns were not kept."""

    def covering(self, share: float) -> Patterns:
        """Return the most frequent patterns that cover this share of the pairs; equally frequent ones stay together."""
        if not 0 < share <= 1:
            raise BadInput(
                f"roll-up rules: the share of pairs covered must be above 0 and at most 1, not {literal(share)}"
            )
        reached = int(np.searchsorted(np.cumsum(self.pairs), share * self.total - 1e-6))
        end = int(np.searchsorted(-self.pairs, -self.pairs[min(reached, len(self.pairs) - 1)], side="right"))
        return Patterns(self.levels[:end], self.differ[:end], self.pairs[:end], self.total)

    def rules(self, tops: np.ndarray) -> np.ndarray:
        """Return the most general nodes that hold on these patterns: minimal left-hand sides, maximal levels."""
        return most_general(np.unique(self.levels[self.differ], axis=0).astype(np.int64), tops)


def count_patterns(task: Task) -> Patterns:
    """Return the exact patterns of all pairs of rows, counted by all threads."""
    from fairveil.methods.rollup import pattern_kernels as kernel

    rows = task.table.rows
    layout, total = PatternLayout.of(task), rows * (rows - 1) // 2
    lock, done = threading.Lock(), 0
    spare: list[tuple[np.ndarray, np.ndarray]] = []
    sizes = (layout.size, 0) if layout.dense else (1 << 16, 1 << 16)  # a count per possible key, or a hash table

    def part(span: tuple[int, int]) -> None:
        nonlocal done
        with lock:
            counts, heads = spare.pop() if spare else (np.zeros(size, dtype=np.uint32) for size in sizes)
        tally = kernel.count_patterns(layout.bundles, *span, layout.dense, counts, heads, task.progress.stop)
        with lock:
            spare.append(tally)
            done += pairs_before(rows, span[1]) - pairs_before(rows, span[0])
            task.report(done / max(total, 1), f"patterns of {total:,} pairs")

    gathered = []
    for start, end in rounds(rows, MAX_PAIRS):
        # pair (i, j) belongs to i, so early rows have more work: many parts even that out
        edges = np.unique(np.linspace(start, end, PARTS * threads() + 1).astype(int))
        each_in_threads(part, list(pairwise(edges.tolist())))
        task.progress.check()
        gathered.append(_gather(spare, layout.dense))
        spare.clear()
    keys, pairs = _ranked(*_summed(gathered))
    levels, differ = layout.decode(keys)
    return Patterns(levels, differ, pairs, total)


def pairs_before(rows: int, row: int) -> int:
    """Return the number of pairs of the rows before this one, each with all later rows."""
    return row * (2 * rows - row - 1) // 2


def rounds(rows: int, max_pairs: int) -> list[tuple[int, int]]:
    """Return ranges of rows, each of which has at most this many pairs or is a single row."""
    stretches, start = [], 0
    while start < rows:
        limit = pairs_before(rows, start) + max_pairs
        fitting = bisect_right(range(start + 1, rows + 1), limit, key=partial(pairs_before, rows))
        stretches.append((start, start + max(fitting, 1)))
        start = stretches[-1][1]
    return stretches


def _summed(tallies: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Return each key once, with the sum of its pairs."""
    if len(tallies) == 1:
        return tallies[0]
    none = np.zeros(0, dtype=np.int64)
    keys, index = np.unique(np.concatenate([none, *(keys for keys, _ in tallies)]), return_inverse=True)
    pairs = np.concatenate([none, *(pairs for _, pairs in tallies)])
    return keys, np.bincount(index, weights=pairs).astype(np.int64)


def _ranked(keys: np.ndarray, pairs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return keys and pairs, most frequent first, then by key."""
    if pairs.max(initial=0) > _HALF:
        order = np.lexsort((keys, -pairs))
        return keys[order], pairs[order]
    # both fit into one number, which sorts much faster than two
    half = np.uint64(_HALF)
    packed = np.sort((half - pairs.astype(np.uint64)) << np.uint64(32) | keys.astype(np.uint64))
    return (packed & half).astype(np.int64), _HALF - (packed >> np.uint64(32)).astype(np.int64)


def _gather(tallies: list[tuple[np.ndarray, np.ndarray]], dense: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the keys that occur and their pairs, from the counts of all threads."""
    if not dense:
        return _summed([(heads[counts > 0], counts[counts > 0].astype(np.int64)) for counts, heads in tallies])
    total = tallies[0][0]
    for counts, _ in tallies[1:]:
        total += counts
    present = np.flatnonzero(total)
    return present, total[present].astype(np.int64)


@dataclass(frozen=True)
class PatternLayout:
    """The layout for the counting kernel, and the way back from its keys to patterns.

    A key has one digit per bundle of columns (the index of the bundle's pattern), one per level compared on its own,
    and the decision. Digits that are mostly constant are the highest, and rows are sorted by them, so that neighbouring
    pairs touch neighbouring counts.
    """

    bundles: Bundles
    size: int
    parts: tuple[KeyDigit, ...]

    @classmethod
    def of(cls, task: Task) -> PatternLayout:
        from fairveil.methods.rollup.pattern_kernels import TOGETHER, Bundles

        columns, parts = [], []
        for number, (name, levels) in enumerate(task.levels.items()):
            codes, low = task.table.column(name).codes, 0
            while len(levels.labels[low]) > MAX_TUPLES:
                parts.append(KeyDigit.of_level(number, levels.codes[low][codes]))
                low += 1
            if low < levels.height:
                columns.append(Terms(number, levels.codes[low][codes], levels, low))
        bundles = [KeyDigit.of_bundle(bundle) for bundle in bundle_up(columns, task.table.rows)]
        parts = sorted([*parts, *bundles], key=lambda part: part.skew)
        decision = KeyDigit.of_level(-1, task.table.column(need_decision(task)).codes)
        stride, placed = 1, []
        for part in (decision, *parts):
            placed.append(replace(part, stride=stride))
            stride *= len(part.patterns)
        if stride > 1 << 32:
            raise BadInput(
                f"patterns of pairs: there may be {stride:.3g} patterns, more than {1 << 32:,}; "
                "use fewer quasi columns or fewer levels"
            )
        # rows that agree on the coarsest levels side by side: their pairs with another row have the same pattern there
        keys = [(-steps, digit, key) for digit, part in enumerate(placed) for steps, key in part.order]
        rows = np.lexsort([np.arange(task.table.rows), *(key for *_, key in sorted(keys, key=lambda k: k[:2]))])
        tabled = [(part.ids[rows], part.table * np.uint32(part.stride)) for part in placed if part.table is not None]
        tabled += [(0 * rows, np.zeros((1, 1), dtype=np.uint32))] * (TOGETHER - len(tabled))
        tables, fine = [table for _, table in tabled], [part for part in placed if part.table is None]
        laid_out = Bundles(
            tables=np.concatenate([table.ravel() for table in tables]),
            offsets=np.cumsum([0, *(table.size for table in tables[:-1])]).astype(np.int64),
            sizes=np.array([len(table) for table in tables], dtype=np.int64),
            ids=np.array([ids for ids, _ in tabled], dtype=np.uint16),
            fine=np.array([part.ids[rows] for part in fine], dtype=np.int32),
            fine_strides=np.array([part.stride for part in fine], dtype=np.uint32),
        )
        return cls(laid_out, stride, tuple(placed))

    @property
    def dense(self) -> bool:
        return self.size <= MAX_DENSE

    def decode(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the levels per quasi column, and whether the decisions differ, of each key."""
        from fairveil.methods.rollup.pattern_kernels import add_digits

        columns = 1 + max(int(part.columns.max(initial=-1)) for part in self.parts)
        levels = np.zeros((len(keys), columns + 1), dtype=np.uint16)
        for part in self.parts:
            # the decision is column -1, hence the last one
            add_digits(keys, part.stride, part.columns % (columns + 1), part.patterns.astype(np.uint16), levels)
        return levels[:, :-1], levels[:, -1] == 1


@dataclass(frozen=True)
class KeyDigit:
    """One digit of a key: the patterns that it stands for, over some columns, and the digit of each row."""

    columns: np.ndarray
    patterns: np.ndarray
    ids: np.ndarray
    order: tuple[tuple[int, np.ndarray], ...]  # steps from the top, and the codes there
    skew: float
    table: np.ndarray | None = None
    stride: int = 0

    @classmethod
    def of_level(cls, column: int, codes: np.ndarray) -> KeyDigit:
        """Return the digit of a single level: two rows agree there or differ."""
        shares = np.bincount(codes) / len(codes)
        agree = float((shares**2).sum())
        return cls(np.array([column]), np.array([[0], [1]]), codes, (), max(agree, 1 - agree))

    @classmethod
    def of_bundle(cls, bundle: Bundle) -> KeyDigit:
        """Return the digit of all levels of some columns at once, from the table of their distinct tuples."""
        from fairveil.methods.rollup.pattern_kernels import bundle_table

        _, first = np.unique(bundle.ids, return_index=True)
        codes, strides, order, radix, sizes = [], [], [], 1, []
        for member in bundle.members:
            for level in range(member.low, member.levels.height):
                at_level = member.levels.between(member.low, level)[member.codes]
                codes.append(at_level[first])
                strides.append(radix)
                order.append((member.levels.height - level, at_level))
            sizes.append(member.levels.height - member.low + 1)
            radix *= sizes[-1]
        table = np.empty((bundle.tuples, bundle.tuples), dtype=np.uint32)
        bundle_table(np.array(codes, dtype=np.int32), np.array(strides, dtype=np.uint32), table)
        weights = np.bincount(bundle.ids, minlength=bundle.tuples).astype(float)
        frequency = np.bincount(table.ravel(), weights=np.outer(weights, weights).ravel(), minlength=radix)
        # frequent patterns have neighbouring digits, so that the counts mostly touched lie together
        occurring = np.argsort(-frequency, kind="stable")[: np.count_nonzero(frequency)]
        digit = np.zeros(radix, dtype=np.uint32)
        digit[occurring] = np.arange(len(occurring))
        split = np.cumprod([1, *sizes[:-1]])
        patterns = np.column_stack([occurring // low % size for low, size in zip(split, sizes, strict=True)])
        columns = np.array([member.column for member in bundle.members])
        skew = float(frequency.max() / frequency.sum())
        return cls(columns, patterns, bundle.ids, tuple(order), skew, digit[table])


@dataclass(frozen=True)
class Terms:
    """One column from level `low` up, per row."""

    column: int  # its number
    codes: np.ndarray
    levels: Levels
    low: int


@dataclass(frozen=True)
class Bundle:
    """Columns with few distinct tuples; `ids` numbers the tuple of each row."""

    ids: np.ndarray
    tuples: int
    members: tuple[Terms, ...]

    @property
    def patterns(self) -> int:
        return prod(member.levels.height - member.low + 1 for member in self.members)


def bundle_up(columns: Sequence[Terms], rows: int) -> list[Bundle]:
    """Return bundles within MAX_TUPLES and MAX_BUNDLED; each column joins the one where it adds the fewest tuples."""
    bundles: list[Bundle] = []
    for column in sorted(columns, key=lambda c: -len(c.levels.labels[c.low])):
        size, steps = len(column.levels.labels[column.low]), column.levels.height - column.low + 1
        fitting = []
        for b, bundle in enumerate(bundles):
            if bundle.patterns * steps <= MAX_BUNDLED:
                ids, tuples = group_of([(bundle.ids, bundle.tuples), (column.codes, size)], rows)
                if tuples <= MAX_TUPLES:
                    fitting.append((tuples / bundle.tuples, b, Bundle(ids, tuples, (*bundle.members, column))))
        if fitting:
            _, b, joined = min(fitting, key=lambda candidate: candidate[:2])
            bundles[b] = joined
        else:
            bundles.append(Bundle(*group_of([(column.codes, size)], rows), (column,)))
    return bundles
