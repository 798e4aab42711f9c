"""k-means and the adjusted Rand index are those of scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairveil.learning.k_means import adjusted_rand, k_means

KINDS = ("numbers", "categories", "both")


def inputs_of(kind: str, rows: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    numbers = rng.normal(size=(rows, 3)) + rng.integers(0, 4, size=(rows, 1)) * 2.0
    categories = [np.eye(width)[rng.integers(0, width, rows)] for width in (2, 3, 7)]
    return np.column_stack({"numbers": [numbers], "categories": categories, "both": [numbers, *categories]}[kind])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_clusters_are_those_of_scikit_learn(kind: str, seed: int) -> None:
    from sklearn.cluster import KMeans

    inputs = inputs_of(kind, 400, seed)
    expected = KMeans(5, n_init=2, random_state=seed).fit(inputs)
    labels = k_means(inputs, 5, runs=2, seed=seed)
    means = np.stack([inputs[labels == cluster].mean(axis=0) for cluster in range(5)])
    inertia = float(((inputs - means[labels]) ** 2).sum())
    if kind == "numbers":  # no two centres are equally near
        assert (labels == expected.labels_).all()
    assert inertia == pytest.approx(expected.inertia_, rel=0.1)  # categories: centres may be equally near


def test_a_cluster_is_never_empty_where_rows_differ() -> None:
    inputs = np.repeat(np.arange(5.0), [200, 1, 1, 1, 1])[:, None]
    assert len(set(k_means(inputs, 5, runs=2, seed=0).tolist())) == 5


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40))
def test_agreement_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    from sklearn.metrics import adjusted_rand_score

    one, other = (np.array(side) for side in zip(*pairs, strict=True))
    assert adjusted_rand(one, other) == pytest.approx(adjusted_rand_score(one, other), abs=1e-12)
