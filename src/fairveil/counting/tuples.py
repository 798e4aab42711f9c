"""Numbers for tuples of codes: which rows agree in all columns, and how many do.

>>> group_of([(np.array([1, 0, 1]), 2), (np.array([2, 2, 2]), 3)], 3)
(array([0, 1, 0]), 2)
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from fairveil.counting.threads import count, each_in_threads

KEY_BITS = 62
PIECE = 1 << 17
"""Rows of a table in memory that are counted at a time."""
MIN_WAITING = 1 << 14
"""Distinct tuples that may wait before they are merged with those counted before."""
MIN_SORTED = 1 << 12
"""Keys of which it pays to see whether they are sorted."""
MAX_EMPTY = 16
"""A sum for every possible number is quicker than grouping those that occur, up to this many for each."""
Distinct = tuple[list[np.ndarray], np.ndarray]
"""Distinct tuples, as one array of codes per column, and the count of each."""


def bits_for(size: int) -> int:
    """Return the number of bits that hold the codes 0 … size-1; at least one."""
    return max(int(size - 1).bit_length(), 1)


def group_of(columns: Sequence[tuple[np.ndarray, int]], rows: int) -> tuple[NDArray[np.int64], int]:
    """Number the distinct tuples of coded columns. Returns the group of each row and the number of groups."""
    groups, firsts = first_rows(columns, rows)
    return groups, len(firsts)


def first_rows(columns: Sequence[tuple[np.ndarray, int]], rows: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number the distinct tuples of coded columns. Returns the group of each row and the first row of each group."""
    return group_firsts(keys_of(columns, rows))


def group_firsts(keys: np.ndarray) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the group of each key, in the order of first appearance, and the index where each group appears first."""
    if len(keys) >= MIN_SORTED and (keys[1:] >= keys[:-1]).all():  # as an engine's cells are: nothing to look up
        is_first = np.concatenate([[True], keys[1:] != keys[:-1]])
        return np.cumsum(is_first) - 1, np.flatnonzero(is_first)
    from fairveil.counting.kernels.group_by import group_firsts as compiled

    groups = np.empty(len(keys), dtype=np.int64)
    return groups, compiled(keys, groups)


def tallied(numbers: np.ndarray, weights: np.ndarray, total: int) -> tuple[NDArray[np.int64], np.ndarray]:
    """Return the distinct numbers below `total`, sorted, and the sum of the weights of each."""
    if total <= MAX_EMPTY * len(numbers):
        present = np.zeros(total, dtype=bool)
        present[numbers] = True
        distinct = np.flatnonzero(present)
        return distinct, np.bincount(numbers, weights=weights, minlength=total)[distinct]
    groups, firsts = group_firsts(numbers)  # grouped first, so that only the distinct numbers are sorted
    sums, distinct = np.bincount(groups, weights=weights, minlength=len(firsts)), numbers[firsts]
    order = np.argsort(distinct)
    return distinct[order], sums[order]


def keys_of(columns: Sequence[tuple[np.ndarray, int]], rows: int) -> np.ndarray:
    """Return a 64-bit key per row; two keys are equal if the rows agree in all columns.

    Columns are packed until the key is full; then the keys are grouped, and the group number is packed with the next
    columns. This is exact for any number of columns.
    """
    key, width = np.zeros(rows, dtype=np.int64), 0
    for codes, size in columns:
        if size == 1:
            continue  # at its top level an attribute is absent
        bits = bits_for(size)
        if width + bits > KEY_BITS:
            key, firsts = group_firsts(key)
            width = bits_for(len(firsts))
        np.left_shift(key, bits, out=key)
        np.bitwise_or(key, codes, out=key)
        width += bits
    return key


def _distinct(codes: Sequence[np.ndarray], sizes: Sequence[int], rows: int, weights: np.ndarray | None) -> Distinct:
    groups, firsts = first_rows(list(zip(codes, sizes, strict=True)), rows)
    # counts stay below 2^53, so that the float sums of bincount are exact
    counts = np.bincount(groups, weights=weights, minlength=len(firsts)).astype(np.int64)
    return [column[firsts] for column in codes], counts


def _merged(parts: Sequence[Distinct], sizes: Sequence[int]) -> Distinct:
    """Return the counts of consecutive parts of a table together; the same tuple may be in several of them."""
    if len(parts) == 1:
        return parts[0]
    codes = [np.concatenate(column) for column in zip(*(codes for codes, _ in parts), strict=True)]
    counts = np.concatenate([counts for _, counts in parts])
    return _distinct(codes, sizes, len(counts), counts)


def distinct_tuples(
    columns: Sequence[tuple[np.ndarray, int]], rows: int, weights: np.ndarray | None = None
) -> Distinct:  # fmt: skip
    """Return the distinct tuples of coded columns, in the order of first appearance, and the rows, or weight, of each.

    Rows are counted in pieces, in threads. The tuples of new pieces are merged only when there are as many of them as
    before, so merging costs no more than counting.
    """
    sizes = [size for _, size in columns]

    def counted(starts: np.ndarray) -> list[Distinct]:
        parts: list[Distinct] = []
        for start in starts.tolist():
            piece = slice(start, min(start + PIECE, rows))
            weight = None if weights is None else weights[piece]
            parts.append(_distinct([codes[piece] for codes, _ in columns], sizes, piece.stop - start, weight))
            if sum(len(later) for _, later in parts[1:]) > max(MIN_WAITING, len(parts[0][1])):
                parts = [_merged(parts, sizes)]
        return parts

    starts = np.arange(0, max(rows, 1), PIECE)
    parts = each_in_threads(counted, np.array_split(starts, min(count(), len(starts))))
    return _merged(list(chain.from_iterable(parts)), sizes)
