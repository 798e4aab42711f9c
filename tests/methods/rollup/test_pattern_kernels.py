"""The kernels that count patterns of pairs agree with plain NumPy."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairveil.counting.kernels.compiling import NEVER
from fairveil.methods.rollup import pattern_kernels as kernel

seeds = st.integers(0, 2**32)


@given(seeds, st.integers(1, 4), st.integers(1, 12))
def test_bundle_table(seed: int, terms: int, tuples: int) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 3, (terms, tuples)).astype(np.int32)
    strides = rng.integers(1, 1000, terms).astype(np.uint32)
    table = np.full((tuples, tuples), 77, dtype=np.uint32)
    kernel.bundle_table(codes, strides, table)
    twin = ((codes[:, :, None] != codes[:, None, :]) * strides[:, None, None].astype(np.int64)).sum(axis=0)
    assert table.tolist() == twin.tolist()


@settings(max_examples=60)
@given(seeds, st.integers(1, 40), st.integers(0, 8), st.integers(0, 3), st.booleans())
def test_count_patterns(seed: int, rows: int, bundles: int, levels: int, dense: bool) -> None:
    """Any number of bundles (empty ones fill up to TOGETHER) and of levels compared one by one, in two parts."""
    rng = np.random.default_rng(seed)
    sizes = np.array([*rng.integers(1, 5, bundles), *[1] * max(kernel.TOGETHER - bundles, 0)], dtype=np.int64)
    tables = [rng.integers(0, 6, (size, size)).astype(np.uint32) for size in sizes]
    offsets = np.cumsum([0, *(table.size for table in tables[:-1])]).astype(np.int64)
    ids = np.array([rng.integers(0, size, rows) for size in sizes], dtype=np.uint16)
    fine = rng.integers(0, 4, (levels, rows)).astype(np.int32)
    strides = rng.integers(1, 50, levels).astype(np.uint32)
    counts, heads = (
        (np.zeros(2000, dtype=np.uint32), np.zeros(0, dtype=np.uint32))
        if dense
        else (np.zeros(2, dtype=np.uint32), np.zeros(2, dtype=np.uint32))  # so small that it must grow
    )
    flat = np.concatenate([table.ravel() for table in tables])
    bundled = kernel.Bundles(flat, offsets, sizes, ids, fine, strides)
    cut = int(rng.integers(0, rows + 1))
    for first, last in ((0, cut), (cut, rows)):
        counts, heads = kernel.count_patterns(bundled, first, last, dense, counts, heads, NEVER)
    expected = Counter(
        sum(int(table[b[i], b[j]]) for table, b in zip(tables, ids, strict=True))
        + sum(int(stride) for stride, level in zip(strides, fine, strict=True) if level[i] != level[j])
        for i in range(rows)
        for j in range(i + 1, rows)
    )
    present = np.flatnonzero(counts)
    keys = present if dense else heads[present]
    assert dict(zip(keys.tolist(), counts[present].tolist(), strict=True)) == expected


@given(seeds, st.integers(1, 20), st.integers(1, 5))
def test_add_digits(seed: int, keys: int, digits: int) -> None:
    rng = np.random.default_rng(seed)
    numbers, stride = rng.integers(0, 10_000, keys), int(rng.integers(1, 100))
    columns = rng.permutation(4)[: rng.integers(1, 5)]
    patterns = rng.integers(0, 5, (digits, len(columns))).astype(np.uint16)
    levels = rng.integers(0, 3, (keys, 4)).astype(np.uint16)
    expected = levels.copy()
    expected[:, columns] += patterns[numbers // stride % digits]
    kernel.add_digits(numbers, stride, columns, patterns, levels)
    assert levels.tolist() == expected.tolist()
