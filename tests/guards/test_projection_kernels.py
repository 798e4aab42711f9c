"""The counts per class and their products equal those computed plainly."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairveil.guards.projection_kernels import class_minima
from fairveil.guards.projections import ProjectionAnonymity, joined_level

rows = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(1, 9)), min_size=1, max_size=30)


@settings(max_examples=50, deadline=None)
@given(rows)
def test_class_minima(cells):
    keys, classes, counts = (np.array(column, dtype=np.int64) for column in zip(*cells, strict=True))
    smallest, minima = class_minima(keys, classes, counts, 2, 3)
    by_key = [counts[keys == key].sum() for key in np.unique(keys)]
    assert smallest == min(by_key)
    for c in range(3):
        sums = [counts[(keys == key) & (classes == c)].sum() for key in np.unique(keys[classes == c])]
        assert minima[c] == min(sums, default=0)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.integers(0, 6), min_size=3, max_size=3), min_size=2, max_size=5))
def test_joined_level(rows_of_minima):
    minima = np.array(rows_of_minima, dtype=np.int64)
    products = [a * b for one, other in combinations(minima, 2) for a, b in zip(one, other, strict=True) if a and b]
    assert joined_level([ProjectionAnonymity(0, own) for own in minima]) == min(products, default=0)
