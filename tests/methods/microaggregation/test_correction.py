"""CorrectFairness: the paper's loop, its promise in every fairlet, several groups and several decisions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairveil.errors import BadInput
from fairveil.methods.microaggregation.clusters import Clusters
from fairveil.methods.microaggregation.correction import correct_fairness, relabel
from fairveil.methods.microaggregation.protected_groups import ProtectedGroups
from tests.methods.microaggregation import plainly

TAUS = st.integers(0, 10).map(lambda i: i / 10)


@st.composite
def cases(draw: st.DrawFn, kinds: int = 2) -> tuple[np.ndarray, ProtectedGroups, Clusters]:
    """Fairlets with every group in them, in mixed order, and records left over."""
    seats = draw(st.lists(st.integers(1, 4), min_size=kinds, max_size=kinds))
    fairlets = draw(st.integers(1, 4))
    of_row = np.repeat(np.arange(fairlets), sum(seats))
    groups = np.tile(np.repeat(np.arange(kinds), seats), fairlets)
    extra = draw(st.integers(0, 3))
    of_row, groups = (np.append(a, np.full(extra, fill)) for a, fill in ((of_row, -1), (groups, 0)))
    order = np.array(draw(st.permutations(range(len(groups)))), dtype=int)
    of_row, groups = of_row[order], groups[order]
    ranks = np.array(draw(st.permutations(range(len(groups)))), dtype=int)
    good = np.array(draw(st.lists(st.booleans(), min_size=len(groups), max_size=len(groups))))
    favoured = draw(st.integers(0, kinds - 1))
    return good, ProtectedGroups(groups, tuple("abcd"[:kinds]), favoured), Clusters(of_row, ranks, fairlets)


@given(cases(), TAUS, st.booleans())
def test_two_groups_equal_the_papers_loop(
    case: tuple[np.ndarray, ProtectedGroups, Clusters], tau: float, negative: bool
) -> None:
    good, groups, clusters = case
    fixed = correct_fairness(good, groups, clusters, tau, "negative" if negative else "positive")
    labels = good.tolist()
    for members in clusters.members():
        labels = plainly.correct(labels, groups.of_row.tolist(), groups.favoured, members.tolist(), tau, negative)
    assert fixed.favourable.tolist() == labels
    assert (fixed.raised.sum(), fixed.lowered.sum()) == (
        (good < fixed.favourable).sum(),
        (good > fixed.favourable).sum(),
    )


@given(cases(3), TAUS, st.sampled_from(["positive", "negative"]))
def test_every_unfavoured_group_gets_its_share(
    case: tuple[np.ndarray, ProtectedGroups, Clusters], tau: float, how: str
) -> None:
    good, groups, clusters = case
    fixed = correct_fairness(good, groups, clusters, tau, how)  # type: ignore[arg-type]
    for members in clusters.members():
        ratios = [fixed.favourable[members[groups.of_row[members] == g]].mean() for g in range(3)]
        assert min(ratios) >= tau * ratios[groups.favoured] - 1e-9
    changed = fixed.favourable != good
    only = groups.of_row != groups.favoured if how == "positive" else groups.of_row == groups.favoured
    assert not changed[~only].any()
    assert not changed[clusters.of_row < 0].any()


@given(cases())
def test_nothing_changes_without_correction(case: tuple[np.ndarray, ProtectedGroups, Clusters]) -> None:
    good, groups, clusters = case
    assert (correct_fairness(good, groups, clusters, 1.0, "none").favourable == good).all()
    assert (correct_fairness(good, groups, clusters, 0.0, "positive").favourable == good).all()


def test_tau_is_checked() -> None:
    nothing = Clusters(np.zeros(0, dtype=int), np.zeros(0, dtype=int), 0)
    with pytest.raises(BadInput, match=r"tau must be between 0 and 1, not 1\.5"):
        correct_fairness(np.zeros(0, bool), ProtectedGroups(np.zeros(0, int), ("a", "b"), 0), nothing, 1.5)


def test_a_changed_record_takes_the_usual_decision_of_its_new_kind() -> None:
    """Codes 0 deny, 1 and 2 favour: 2 is usual in the first fairlet, 1 in the table, and the second has neither."""
    codes = np.array([0, 2, 2, 0, 0, 1, 1, 1, 1])
    clusters = Clusters(np.array([0, 0, 0, 1, 1, 2, 2, 2, 2]), np.zeros(9, dtype=int), 3)
    wanted = np.array([1, 1, 1, 1, 0, 1, 1, 1, 0], dtype=bool)
    fresh = relabel(codes, wanted, np.array([False, True, True]), clusters)
    assert fresh.tolist() == [2, 2, 2, 1, 0, 1, 1, 1, 0]
