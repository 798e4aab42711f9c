"""Keys that are sorted by their digits, merged and screened give what NumPy's sort and sets give."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fairveil.counting.kernels.sorted_runs import Fields, count_keys, hashed_keys, keep_and_tally, merge_counts

KEYS = st.lists(st.one_of(st.integers(0, 9), st.integers(0, 2**62)), max_size=40)


def counted(keys: list[int], interpreted: bool = False) -> tuple[np.ndarray, np.ndarray]:
    ours, counts = np.array(keys, dtype=np.int64), np.zeros(len(keys), dtype=np.int64)
    distinct = (count_keys.py_func if interpreted else count_keys)(ours, counts)
    return ours[:distinct], counts[:distinct]


@given(KEYS)
def test_keys_are_counted_in_order(keys: list[int]) -> None:
    expected = sorted(Counter(keys).items())
    for interpreted in (False, True):
        assert list(zip(*(each.tolist() for each in counted(keys, interpreted)), strict=True)) == expected


def test_many_keys() -> None:
    keys = np.random.default_rng(0).integers(0, 2**40, 50_000) // 2**13 * 2**20
    distinct, counts = np.unique(keys, return_counts=True)
    ours, own_counts = counted(keys.tolist())
    assert (ours == distinct).all() and (own_counts == counts).all()


@given(KEYS, KEYS)
def test_counts_are_merged(one: list[int], other: list[int]) -> None:
    for merge in (merge_counts, merge_counts.py_func):
        keys, counts = (np.zeros(len(one) + len(other), dtype=np.int64) for _ in range(2))
        distinct = merge(*counted(one), *counted(other), keys, counts)
        merged = zip(keys[:distinct].tolist(), counts[:distinct].tolist(), strict=True)
        assert list(merged) == sorted(Counter(one + other).items())


@given(KEYS, KEYS, st.integers(0, 2**62), st.integers(0, 8), st.booleans())
def test_keys_are_screened_and_tallied(
    numbers: list[int], excluded: list[int], mask: int, low: int, tallied: bool
) -> None:
    out, _ = counted([key & mask for key in excluded])
    kept_numbers = [number for number in numbers if (number >> low) & mask not in set(out.tolist())]
    places = [(number & 3) * 4 + ((number >> 1) & 3) for number in kept_numbers] if tallied else []
    for screen, fill in ((keep_and_tally, hashed_keys), (keep_and_tally.py_func, hashed_keys.py_func)):
        slots, kept = np.zeros(1 << 8, dtype=np.int32), np.zeros(len(numbers), dtype=np.int64)
        totals = np.zeros(16 if tallied else 0, dtype=np.int64)
        fields = Fields(np.array([0, 1]), np.array([3, 3]), np.array([4, 1]))
        with np.errstate(over="ignore"):
            bits = fill(out, slots)
            size = screen(np.array(numbers, dtype=np.int64), low, mask, out, slots, bits, fields, totals, kept)
        assert kept[:size].tolist() == [number >> low for number in kept_numbers]
        assert totals.tolist() == [places.count(place) for place in range(len(totals))]
