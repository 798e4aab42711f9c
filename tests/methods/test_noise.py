"""The mechanisms: what they cost, how their noise is spread, and that neighbours are hard to tell apart."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairveil.errors import BadInput
from fairveil.methods.noise import PrivacyBudget, choose, noisy_counts, whole_counts


def test_a_budget_cannot_be_overspent():
    budget = PrivacyBudget(1.0)
    noisy_counts(np.array([3]), 0.6, budget)
    assert budget.spent == pytest.approx(0.6)
    with pytest.raises(BadInput, match="left, not"):
        noisy_counts(np.array([3]), 0.6, budget)
    choose([1, 2], 0.4, budget)
    assert budget.spent <= 1.0 + 1e-9


@pytest.mark.parametrize("epsilon", [0.3, 1.0])
def test_the_noise_is_discrete_laplace_of_the_stated_epsilon(epsilon):
    noise = noisy_counts(np.zeros(20_000, dtype=np.int64), epsilon, PrivacyBudget(epsilon))
    q = exp(-epsilon)
    deviation = sqrt(2 * q) / (1 - q)
    assert abs(noise.mean()) < 6 * deviation / sqrt(len(noise))
    assert noise.std() == pytest.approx(deviation, rel=0.1)
    assert (noise == 0).mean() == pytest.approx((1 - q) / (1 + q), rel=0.1)


def test_counts_of_neighbours_differ_by_at_most_e_to_the_epsilon():
    """Every event's odds on two neighbouring tables; 6 standard errors of slack."""
    epsilon, runs = 1.0, 20_000
    one, other = (noisy_counts(np.full(runs, n), epsilon, PrivacyBudget(epsilon)) for n in (5, 6))
    for bound in range(2, 10):
        p, q = (one <= bound).mean(), (other <= bound).mean()
        slack = 6 * sqrt(0.25 / runs)
        assert p <= exp(epsilon) * (q + slack) + slack
        assert q <= exp(epsilon) * (p + slack) + slack
    # and the noise is not needlessly strong: the bound is nearly met
    assert (one <= 2).mean() / (other <= 2).mean() > 0.8 * exp(epsilon)


def test_choices_of_neighbours_differ_by_at_most_e_to_the_epsilon():
    """A record more raises one score by 1 and leaves the other: the odds of each choice stay within e^ε."""
    epsilon, runs = 1.0, 3_000
    shares = [
        sum(choose(s, epsilon, PrivacyBudget(epsilon)) for s in [scores] * runs) / runs for scores in ([3, 3], [3, 4])
    ]
    slack = 6 * sqrt(0.25 / runs)
    assert shares[0] == pytest.approx(0.5, abs=slack)
    assert shares[0] + slack < shares[1] + 2 * slack <= exp(epsilon) * shares[0] + 3 * slack
    assert 1 - shares[0] <= exp(epsilon) * (1 - shares[1]) + 2 * slack


@given(st.lists(st.integers(-20, 50), min_size=1, max_size=40))
def test_whole_counts_are_whole_not_negative_and_keep_the_total(values):
    counts = whole_counts(np.array(values))
    assert (counts >= 0).all()
    assert counts.dtype.kind == "i"
    assert counts.sum() == max(sum(values), 0)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=40))
def test_counts_that_are_fine_stay(values):
    assert whole_counts(np.array(values)).tolist() == values


@given(st.lists(st.integers(-20, 50), min_size=2, max_size=8).filter(lambda v: sum(v) > 0))
def test_no_other_counts_with_that_total_are_much_nearer(values):
    """The projection is the nearest real vector; moving one unit never helps by more than rounding."""
    noisy = np.array(values, dtype=float)
    counts = whole_counts(noisy)
    distance = ((counts - noisy) ** 2).sum()
    for i in np.flatnonzero(counts):
        for j in range(len(counts)):
            moved = counts.copy()
            moved[i] -= 1
            moved[j] += 1
            assert ((moved - noisy) ** 2).sum() >= distance - 2 - 1e-9
