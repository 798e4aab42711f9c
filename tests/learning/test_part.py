"""PART's lists of rules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil.learning.c45_kernels import pessimistic
from fairveil.learning.part import PART, best_split, covered, distinct, grow_partly, largest_leaf


def data(rows, labels):
    x = np.array(rows, dtype=np.int64)
    return distinct(x, np.array(labels), tuple(int(x[:, a].max()) + 1 for a in range(x.shape[1])), 2)


# Quinlan's weather: outlook (sunny, overcast, rain), humidity (high, normal), wind (weak, strong); play or not
WEATHER = [(0, 0, 0), (0, 0, 1), (1, 0, 0), (2, 0, 0), (2, 1, 0), (2, 1, 1), (1, 1, 1), (0, 0, 0), (0, 1, 0),
           (2, 1, 0), (0, 1, 1), (1, 0, 1), (1, 1, 0), (2, 0, 1)]  # fmt: skip
PLAY = [0, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1, 0]


def test_the_textbook_split():
    assert best_split(data(WEATHER, PLAY)) == 0


def test_the_textbook_rules():
    model = PART(((3, True), (2, True), (2, True))).fit(WEATHER, PLAY)
    assert model.rules_[0] == [(0, 1)] and model.counts_[0].tolist() == [0, 4]  # overcast: play, the largest pure leaf
    assert (model.predict(np.array(WEATHER)) == PLAY).mean() >= 12 / 14


def test_pessimistic_errors_are_those_of_the_book():
    """Quinlan, C4.5, section 4.2: U25%(0,6) = 0.206, U25%(0,9) = 0.143, U25%(0,1) = 0.750."""
    assert [round(pessimistic(n, 0) / n, 3) for n in (6, 9, 1)] == [0.206, 0.143, 0.750]
    assert pessimistic(100, 10) > 0
    assert pessimistic(2, 2) == 0


tables = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 2), st.integers(0, 1)), min_size=1, max_size=30
)


@settings(max_examples=60, deadline=None)
@given(tables)
def test_every_record_gets_an_answer_and_rules_cover_all(rows):
    x, y = np.array([row[:3] for row in rows]), np.array([row[3] for row in rows])
    records = distinct(x, y, (3, 2, 3), 2)
    majority = max((y == 0).mean(), (y == 1).mean())
    rules = PART(((3, True), (2, True), (3, True))).fit(x, y)
    assert np.logical_or.reduce([covered(x, tests) for tests in rules.rules_]).all()
    assert (rules.predict(x) == y).mean() >= majority - 1e-9
    tests, leaf = largest_leaf(grow_partly(records))
    assert leaf.weight == pytest.approx(covered(x, tests).sum())


def test_numbers_are_cut_and_missing_values_are_a_category():
    numbers = np.r_[np.arange(40.0), np.full(10, np.nan)][:, None]
    classes = np.r_[np.zeros(20, int), np.ones(20, int), np.zeros(10, int)]
    model = PART().fit(numbers, classes)
    assert (model.predict(numbers) == classes).all()
    assert model.predict_proba(numbers).sum(axis=1) == pytest.approx(1.0)


def test_dmpd_can_name_it():
    german = fv.datasets.german_credit()
    method = fv.DMPD(inducer="part", generations=1, population=6, folds=2)
    frontier = fv.search(german.table, german.schema, guards=[fv.KAnonymity(10)], method=method)
    assert frontier.best("accuracy").holds
