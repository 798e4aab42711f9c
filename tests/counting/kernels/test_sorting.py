"""Sorting inside kernels against NumPy's."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairveil.counting.kernels import sorting
from tests.counting.kernels.calling import from_python

sort, merge_order = from_python(sorting.sort), from_python(sorting.merge_order)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 400), st.sampled_from([1, 3, 1000, 2**40]), st.integers(0, 2**32), st.integers(0, 5))
def test_sort(n: int, values: int, seed: int, beyond: int) -> None:
    numbers = np.random.default_rng(seed).integers(-values, values, n + beyond)
    for given_order in (numbers, np.sort(numbers), np.sort(numbers)[::-1].copy()):
        ours = given_order.copy()
        sort(ours, n)
        assert np.array_equal(ours[:n], np.sort(given_order[:n])) and np.array_equal(ours[n:], given_order[n:])


def test_sort_of_many_is_no_slower_than_the_depth_allows() -> None:
    """The list of parts still to be sorted has room for any array that fits into memory."""
    for numbers in (np.arange(200_000), np.arange(200_000)[::-1].copy(), np.zeros(200_000, dtype=np.int64)):
        expected = np.sort(numbers)
        sort(numbers, len(numbers))
        assert np.array_equal(numbers, expected)


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 200), st.sampled_from([1, 4, 1000]), st.integers(0, 2**32))
def test_merge_order_keeps_equal_ones_as_they_stand(n: int, values: int, seed: int) -> None:
    numbers = np.random.default_rng(seed).integers(0, values, n).astype(float)
    order, spare = np.arange(n), np.empty(n, dtype=np.int64)
    merge_order(numbers, order, spare, n)
    assert np.array_equal(order, np.argsort(numbers, kind="stable"))
