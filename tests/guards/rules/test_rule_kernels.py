"""The rule kernels against plain NumPy and Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fairveil.counting.kernels.group_by import KeyCounts, table_bits
from fairveil.counting.kernels.rolling_up import Packed
from fairveil.guards.rules import rule_kernels as rules
from fairveil.guards.rules.lift import MEASURES, SLACK, lift
from fairveil.guards.rules.rule_kernels import (
    ALARM,
    RARE,
    Limit,
    representatives,
)
from tests.counting.kernels.calling import from_python

counts = st.integers(0, 30)
alarm, exceeds, rolled, room_for_contexts = map(
    from_python, (rules.alarm, rules.exceeds, rules.rolled, rules.room_for_contexts)
)


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(range(4)), counts, counts, counts, counts, st.sampled_from([1.2, 1.5, 2.0]))
def test_exceeds_is_the_measure_compared(measure, a1, more1, a2, more2, alpha):
    a1 += 1  # a frequent rule has somebody denied
    n1, n2 = a1 + more1, a2 + more2
    value = lift(MEASURES[measure], a1, n1, a2, n2)
    assert exceeds(measure, alpha * (1 - SLACK), a1, n1, a2, n2) == bool(value >= alpha * (1 - SLACK))


def alarm_twin(groups, measure, alpha, least):
    """groups: {(a, b): (rows, denied)}."""
    if all(denied < least for _, denied in groups.values()):
        return RARE
    for (_, b), (n1, a1) in groups.items():
        if a1 < least:
            continue
        same = [pair for (_, other), pair in groups.items() if other == b]
        n, a = sum(p[0] for p in same), sum(p[1] for p in same)
        favoured = min(same, key=lambda p: p[1] / p[0])
        n2, a2 = {0: (n - n1, a - a1), 1: (n, a), 2: favoured, 3: (n - n1, a - a1)}[measure]
        if lift(MEASURES[measure], a1, n1, a2, n2) >= alpha * (1 - SLACK):
            return ALARM
    return 1


pairs = st.tuples(st.integers(1, 9), st.integers(0, 9)).map(lambda p: (p[0], min(p)))


@settings(max_examples=200, deadline=None)
@given(
    st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 2)), pairs, min_size=1, max_size=12),
    st.sampled_from(range(4)),
    st.sampled_from([1.1, 1.5, 2.0]),
    st.integers(1, 4),
)
def test_alarm(groups, measure, alpha, least):
    n = len(groups)
    keys = np.array([a << 4 | b for a, b in groups], dtype=np.int64)
    packed = np.array([rows | denied << 32 for rows, denied in groups.values()], dtype=np.int64)
    limit = Limit(measure, alpha * (1 - SLACK), least)
    answer = alarm(KeyCounts(keys, packed), n, np.int64(15), limit, room_for_contexts(n))
    assert answer == alarm_twin(groups, measure, alpha, least)


def test_representatives_are_the_first_with_the_same_value():
    lookups = np.array([[[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]]], dtype=np.int64)
    assert representatives(lookups).tolist() == [[[0, 1, 2, 3], [0, 0, 2, 2], [0, 0, 0, 0]]]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(1, 5)), min_size=1, max_size=20),
    st.integers(0, 2),
    st.integers(0, 2),
)
def test_rolled(cells, one, other):
    lookups = np.array([[[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]]] * 2, dtype=np.int64)
    same = representatives(lookups)
    keys = np.array([x | y << 2 for x, y, _ in cells], dtype=np.int64)
    rows = np.array([c for _, _, c in cells], dtype=np.int64)
    out, out_rows = np.empty_like(keys), np.empty_like(rows)
    slots = np.empty(1 << table_bits(len(keys)), dtype=np.int32)
    two = np.array([2, 2])
    packed = Packed(keys, rows, np.array([0, 2]), two, lookups, np.array([0, 0]), two)
    groups = rolled(
        KeyCounts(keys, rows), len(keys), np.array([one, other]), packed, same, KeyCounts(out, out_rows), slots
    )  # fmt: skip
    expected: Counter = Counter()
    for x, y, c in cells:
        expected[same[0, one, x] | same[1, other, y] << 2] += c
    assert dict(zip(out[:groups].tolist(), out_rows[:groups].tolist(), strict=True)) == dict(expected)
