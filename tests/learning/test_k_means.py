"""k-means and the adjusted Rand index are those of scikit-learn."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairveil.data.table import Table
from fairveil.learning.encoding import OneHot
from fairveil.learning.k_means import CodedRows, adjusted_rand, k_means

KINDS = ("numbers", "categories", "both")


def table_of(kind: str, rows: int, seed: int) -> Table:
    rng = np.random.default_rng(seed)
    far = rng.integers(0, 4, size=rows) * 2.0
    numbers = {f"n{i}": rng.normal(size=rows) + far for i in range(3)}
    categories = {f"c{width}": np.array(list("abcdefg"))[rng.integers(0, width, rows)] for width in (2, 3, 7)}
    columns = {"numbers": numbers, "categories": categories, "both": {**numbers, **categories}}[kind]
    return Table.from_frame(pa.table(columns))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_clusters_are_those_of_scikit_learn(kind: str, seed: int) -> None:
    from sklearn.cluster import KMeans

    table = table_of(kind, 400, seed)
    inputs = OneHot.of(table, table.names).matrix(table)
    expected = KMeans(5, n_init=2, random_state=seed).fit(inputs)
    labels = k_means(CodedRows.of(table, table.names), 5, runs=2, seed=seed)
    means = np.stack([inputs[labels == cluster].mean(axis=0) for cluster in range(5)])
    inertia = float(((inputs - means[labels]) ** 2).sum())
    if kind == "numbers":  # no two centres are equally near
        assert (labels == expected.labels_).all()
    assert inertia == pytest.approx(expected.inertia_, rel=0.1)  # categories: centres may be equally near


@pytest.mark.parametrize("kind", KINDS)
def test_points_are_the_rows_of_the_encoding(kind: str) -> None:
    table = table_of(kind, 50, 1)
    points, inputs = CodedRows.of(table, table.names), OneHot.of(table, table.names).matrix(table)
    order = np.lexsort(inputs.sum(axis=0)[None])  # columns of the encoding are in another order: numbers first
    rows, centres = points.rows(np.arange(50)), points.rows(np.arange(3))
    assert np.sort(rows.sum(axis=0)) == pytest.approx(inputs.sum(axis=0)[order])
    assert points.products(centres) == pytest.approx(rows @ centres.T)
    assert points.squares == pytest.approx((rows**2).sum(axis=1))
    assert points.variance == pytest.approx(rows.var(axis=0).mean())
    labels = np.arange(50) % 4
    assert points.sums(labels, 4) == pytest.approx(np.stack([rows[labels == i].sum(axis=0) for i in range(4)]))


def test_a_cluster_is_never_empty_where_rows_differ() -> None:
    table = Table.from_frame(pa.table({"x": np.repeat(np.arange(5.0), [200, 1, 1, 1, 1])}))
    points = CodedRows.of(table, ["x"])
    assert points.distinct(5) and not points.distinct(6)
    assert len(set(k_means(points, 5, runs=2, seed=0).tolist())) == 5


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=40))
def test_agreement_is_that_of_scikit_learn(pairs: list[tuple[int, int]]) -> None:
    from sklearn.metrics import adjusted_rand_score

    one, other = (np.array(side) for side in zip(*pairs, strict=True))
    assert adjusted_rand(one, other) == pytest.approx(adjusted_rand_score(one, other), abs=1e-12)
