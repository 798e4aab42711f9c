"""Pairs of a cell and a person, counted without sorting, are those of a plain count."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from fairveil.counting.kernels.person_counts import pairs_by_cell, stable_order


@pytest.mark.parametrize("interpreted", [True, False])
@pytest.mark.parametrize(("rows", "people", "cells"), [(0, 1, 1), (1, 1, 1), (300, 40, 9), (300, 2, 90), (300, 1, 1)])
def test_pairs_are_those_of_a_plain_count(interpreted: bool, rows: int, people: int, cells: int) -> None:
    rng = np.random.default_rng(rows + people)
    who, where = (rng.integers(0, size, rows).astype(np.int32) for size in (people, cells))
    count = pairs_by_cell.py_func if interpreted else pairs_by_cell
    of_cell, persons, number_of_rows, pairs = count(who, where, people, cells)
    expected = sorted(Counter(zip(where.tolist(), who.tolist(), strict=True)).items())
    counted = zip(of_cell[:pairs].tolist(), persons[:pairs].tolist(), number_of_rows[:pairs].tolist(), strict=True)
    assert list(counted) == [(*pair, number) for pair, number in expected]


@pytest.mark.parametrize("interpreted", [True, False])
def test_equal_codes_keep_their_order(interpreted: bool) -> None:
    codes = np.random.default_rng(0).integers(0, 9, 200).astype(np.int32)
    order = (stable_order.py_func if interpreted else stable_order)(codes, 9)
    assert order.tolist() == np.argsort(codes, kind="stable").tolist()
