"""The achievement function has the properties that the paper proves, for any number of objectives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from fairveil.choice.achievement import EPSILON, Aspirations, efficiency
from fairveil.choice.pareto import pareto
from fairveil.errors import BadInput

shares = st.integers(0, 20).map(lambda n: n / 20)
NAMES = ("necd", "nwp", "cm")


def wish(levels) -> Aspirations:
    return Aspirations(dict(zip(NAMES, map(float, levels), strict=False)))


@st.composite
def problems(draw):
    """A preference point and two points, two or three objectives."""
    m = draw(st.integers(2, 3))
    return [np.array(draw(st.lists(shares, min_size=m, max_size=m))) for _ in range(3)]


@given(problems())
def test_strictly_order_preserving(problem):
    """Theorem 1: P1 and P2 of Definition 4."""
    wanted, one, other = problem
    first, second = wish(wanted).achievement(np.array([one, other]))
    if (one <= other).all():
        assert first <= second
    if (one < other).all():
        assert first < second


@given(problems())
def test_strictly_order_representing(problem):
    """Theorem 2: what reaches at most s(q̄, q̄) is at least as good as q̄ in everything."""
    wanted, one, _ = problem
    reached, level = wish(wanted).achievement(np.array([one, wanted]))
    assert level == pytest.approx(1 / np.sum(1 / (wanted + EPSILON)))
    if reached < level * (1 - 1e-9):
        assert (one < wanted).all()
    if reached <= level:
        assert (one <= wanted + 1e-12).all()


@given(arrays(np.int64, st.tuples(st.integers(1, 12), st.integers(2, 3)), elements=st.integers(0, 4)))
def test_efficiency_is_definition_3(points):
    for kind, q in zip(efficiency(points), points, strict=True):
        strongly_beaten = any((p <= q).all() and (p != q).any() for p in points)
        weakly_beaten = any((p < q).all() for p in points)
        assert kind == ("none" if weakly_beaten else "weak" if strongly_beaten else "strong")


@given(arrays(np.int64, st.tuples(st.integers(1, 20), st.integers(1, 4)), elements=st.integers(0, 5)))
def test_pareto_is_its_definition(points):
    expected = [not any((p <= q).all() and (p != q).any() for p in points) for q in points]
    assert pareto(points).tolist() == expected


@given(arrays(float, st.tuples(st.integers(1, 15), st.just(2)), elements=shares), problems())
def test_the_choice_is_efficient(points, problem):
    """Propositions 1 and 2, with the tie-break: a chosen point is never even strongly dominated."""
    chosen = wish(problem[0][:2]).choose(points)
    assert efficiency(points)[chosen] == "strong"


def test_higher_is_better_is_turned():
    wanted = Aspirations({"precision": 0.8, "nwp": 0.2})
    good, bad = wanted.achievement(np.array([[0.9, 0.1], [0.5, 0.1]]))
    assert good < bad
    assert wanted.deviation(np.array([[0.9, 0.1]]))[0] == pytest.approx(-0.2)


def test_a_point_on_the_way():
    there = Aspirations({"necd": 0.1, "nwp": 0.1}).toward(np.array([1.0, 0.2]), 0.3)
    assert there.levels == pytest.approx({"necd": 0.73, "nwp": 0.17})


@pytest.mark.parametrize(
    ("levels", "sentence"),
    [
        ({}, "no aspiration is given"),
        ({"nvp": 0.1}, "did you mean 'nwp'"),
        ({"nwp": -0.1}, "better than its ideal 0"),
        ({"nwp": "low"}, "must be a number, not 'low'"),
        ({"k": 5}, "measure 'k' has no best value: give one, as in ideal={'k': …}"),
    ],
)
def test_bad_aspirations_are_refused(levels, sentence):
    with pytest.raises(BadInput) as refused:
        Aspirations(levels)
    assert sentence in str(refused.value)


def test_an_endless_measure_with_an_ideal():
    assert Aspirations({"k": 5}, ideal={"k": 100}).choose(np.array([[4.0], [9.0]])) == 1
