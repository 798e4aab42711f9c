"""The mechanism of noisy tables, computed and not sampled: every pair of neighbours among small tables.

The odds of a choice follow from the scores (permute and flip), those of noisy counts from how far the counts are apart.
So the largest privacy loss of choice and counts together is known exactly, and must not be above ε.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, permutations, product

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import fairveil as fv
from fairveil.guards import Guard
from fairveil.guards.rules.excess import ROUNDING, excess
from fairveil.methods import noisy_choice
from fairveil.methods.noise import PrivacyBudget, choose
from fairveil.methods.noisy_choice import DeclaredCells, PrivateChoice
from fairveil.methods.task import Task

PEOPLE = list(product("fm", (3, 60), ("no", "yes")))
"""Every record there can be: sex, age, decision."""
SCHEMA = fv.Schema(
    quasi=["sex", "age"], protected=["sex"], decision="y", denied="no",
    hierarchies={"sex": fv.hierarchy.tree({"*": ["f", "m"]}), "age": fv.hierarchy.intervals([0, 100], widths=(50,))},
)  # fmt: skip
GUARDS = {
    "no rules": fv.KAnonymity(2),
    "slift": fv.AlphaProtection(1.2, "slift", 1),
    "elift": fv.AlphaProtection(1.1, "elift", 0.2),
    "olift": fv.AlphaProtection(1.2, "olift", 1),
    "clift": fv.AlphaProtection(1.5, "clift", 1),
}
METHOD = fv.NoisyTable(1.0, choice=0.3, fairness=8, public={"y": ["no", "yes"]})


@cache
def counted(records: tuple[tuple[str, int, str], ...]) -> DeclaredCells:
    frame = pd.DataFrame(list(records), columns=["sex", "age", "y"]).astype({"sex": object, "y": object})
    task = Task.of(fv.Table.from_frame(frame), SCHEMA, [fv.KAnonymity(2)], bind=False)
    return noisy_choice.counted_in(task, METHOD._domains(task))[0]


def choice_for(records: tuple[tuple[str, int, str], ...], guard: Guard) -> PrivateChoice:
    return noisy_choice.choice_of(counted(records), [guard], cells=100, epsilon=0.7, fairness=METHOD.fairness)


def odds(scores: np.ndarray, scale: float) -> np.ndarray:
    """Permute and flip: in a random order, each is taken with the odds of its distance to the best."""
    taken = np.exp((scores - scores.max()) / scale)
    found, orders = np.zeros(len(scores)), list(permutations(range(len(scores))))
    for order in orders:
        left = 1.0
        for place in order:
            found[place] += left * taken[place] / len(orders)
            left *= 1 - taken[place]
    return found


def test_opendp_chooses_with_these_odds() -> None:
    scores, runs = np.array([0, 1, 3]), 700
    seen = Counter(choose(scores, 0.8, PrivacyBudget(0.8), change=2, monotone=False) for _ in range(runs))
    expected = odds(scores, 2 * 2 / 0.8) * runs  # not monotone: twice what one record changes, over ε
    assert stats.chisquare([seen[place] for place in range(3)], expected).pvalue > 1e-6


@pytest.mark.parametrize("name", GUARDS)
def test_no_pair_of_neighbours_is_told_apart_by_more_than_epsilon(name: str) -> None:
    """All tables of one and two records, each with every record more; counts at every generalization."""
    guard, worst, lowered = GUARDS[name], 0.0, False
    spent = METHOD.epsilon * METHOD.choice
    for size in (1, 2):  # a file without rows is refused
        for records in combinations_with_replacement(PEOPLE, size):
            one = choice_for(records, guard)
            for more in PEOPLE:
                other = choice_for(tuple(sorted((*records, more))), guard)
                assert (one.nodes == other.nodes).all()
                change = other.scores - one.scores
                assert np.abs(change).max() <= one.change and (not one.monotone or change.min() >= 0)
                lowered |= bool((change < 0).any())
                scale = (1 if one.monotone else 2) * one.change / spent
                apart = np.abs(np.log(odds(one.scores, scale) / odds(other.scores, scale))).max()
                worst = max(worst, float(apart))
    assert 0 < worst <= spent + 1e-9
    assert lowered == guard.finds_rules  # rules did count


def test_one_record_changes_one_count_by_one() -> None:
    """The noise of the counts costs ε for each record that their sum of differences counts: one, at any level."""
    source, task_source = counted(tuple(PEOPLE[:3])), counted(tuple(PEOPLE[:4]))
    for base in choice_for(tuple(PEOPLE[:3]), GUARDS["no rules"]).nodes:
        one, other = (METHOD._contingency(table, base)[0] for table in (source, task_source))
        assert len(one) == len(other) and np.abs(one - other).sum() == 1


@pytest.mark.parametrize("measure", ["slift", "elift", "olift"])
@pytest.mark.parametrize("alpha", [1.01, 1.2, 2.0, 7.0])
def test_one_record_changes_an_excess_by_at_most_one(measure: str, alpha: float) -> None:
    """All counts of two groups of up to 18; whole parts, as the scores have them, change by at most their factor."""
    few = np.arange(19)
    a1, n1, a2, n2 = (axis.ravel() for axis in np.meshgrid(few, few, few, few, indexing="ij"))
    sound = (a1 <= n1) & (a2 <= n2)
    before = [counts[sound].astype(float) for counts in (a1, n1, a2, n2)]
    own = excess(measure, alpha, *before)
    for record in ((1, 1, 0, 0), (0, 1, 0, 0), (0, 0, 1, 1), (0, 0, 0, 1)):
        after = excess(measure, alpha, *(counts + more for counts, more in zip(before, record, strict=True)))
        assert np.abs(after - own).max() <= 1
        for factor in (1, 8):
            parts = [np.floor(factor * ROUNDING * values) for values in (own, after)]
            assert np.abs(parts[0] - parts[1]).max() <= factor


def test_the_slopes_that_the_proof_lists() -> None:
    """The table in guards/rules/excess.py, against differences in tiny steps."""
    rng, step = np.random.default_rng(1), 1e-6
    n1, n2 = rng.uniform(1, 50, 200), rng.uniform(1, 50, 200)
    a1, a2, alpha = n1 * rng.random(200), n2 * rng.random(200), 1.7
    n = n1 + n2
    x, y, r1, r2, r = n1 / n, n2 / n, a1 / n1, a2 / n2, (a1 + a2) / n
    d1, g1, d2, g2 = a1 / n, (n1 - a1) / n, a2 / n, (n2 - a2) / n
    slopes = {
        "slift": [y * (1 - alpha * r2 * y - r1 * x), -y * (alpha * r2 * y + r1 * x),
                  -x * (alpha - r1 * x - alpha * r2 * y), x * (r1 * x + alpha * r2 * y)],
        "elift": [1 - alpha * (1 - (1 - x) * (1 - r)), -alpha * r * (1 - x), -alpha * x * (1 - r), alpha * r * x],
        "olift": [g2 * (1 - d1) + alpha * d2 * g1, -alpha * d2 * (1 - g1) - d1 * g2,
                  -alpha * g1 * (1 - d2) - d1 * g2, d1 * (1 - g2) + alpha * d2 * g1],
    }  # fmt: skip
    records = ((1, 1, 0, 0), (0, 1, 0, 0), (0, 0, 1, 1), (0, 0, 0, 1))
    for measure, expected in slopes.items():
        most = alpha + (measure == "olift")
        own = excess(measure, alpha, a1, n1, a2, n2) * most
        for record, slope in zip(records, expected, strict=True):
            moved = (counts + step * more for counts, more in zip((a1, n1, a2, n2), record, strict=True))
            after = excess(measure, alpha, *moved) * most
            positive = (own > 1e-3) & (after > 1e-3)
            assert positive.any()
            assert np.allclose(((after - own) / step)[positive], slope[positive], atol=1e-3)
            assert np.abs(slope).max() <= most


def test_a_budget_is_spent_to_the_last_bit_and_no_further() -> None:
    for epsilon, share in product((0.1, 0.3, 1.0, 1 / 3, 7.7), (0.01, 0.2, 1 / 3, 0.7)):
        budget = PrivacyBudget(epsilon)
        budget.pay(epsilon * share)
        budget.pay(budget.rest)
        assert 0 <= epsilon - budget.spent < 1e-15 * epsilon
        with pytest.raises(fv.BadInput, match="left, not"):
            budget.pay(epsilon * 1e-12)
