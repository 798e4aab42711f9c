"""Each guard says whether it holds, its worst value, and which records break it; settings are checked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil import guards
from fairveil.counting.cells import classes_of
from fairveil.counting.class_histogram import ClassHistogram
from fairveil.guards.closeness import gaps
from tests.randomly import drawn_case, emd_by_linear_programme, ground_distance

TABLE = fv.Table.from_frame(
    pa.table({
        "zip": ["1", "1", "1", "2", "2", "2", "2"],
        "disease": ["flu", "flu", "cold", "flu", "cold", "pox", "pox"],
    })
)  # fmt: skip
SCHEMA = fv.Schema(quasi=["zip"], sensitive=["disease"])


def verdict(guard: guards.Guard) -> guards.Verdict:
    return guard.verdict(classes_of(TABLE, SCHEMA)[0], SCHEMA)


def test_k_anonymity_names_what_breaks_it() -> None:
    answer = verdict(fv.KAnonymity(4))
    assert not answer
    assert (answer.worst, answer.broken_rows, answer.broken_classes) == (3, 3, 1)
    assert "3 records" in answer.sentence
    assert verdict(fv.KAnonymity(3))


def test_distinct_diversity() -> None:
    assert verdict(fv.DistinctDiversity(2))
    assert verdict(fv.DistinctDiversity(3)).broken_rows == 3


def test_entropy_diversity_by_hand() -> None:
    # class 1: shares 2/3, 1/3; exp(entropy) = 3 / 2^(2/3)
    assert verdict(fv.EntropyDiversity(1.5)).worst == pytest.approx(3 / 2 ** (2 / 3))


def test_recursive_diversity_by_hand() -> None:
    # class 1: r1=2, tail from the 2nd on =1 -> 2; class 2: r1=2, tail=2 -> 1; strictly below c
    assert verdict(fv.RecursiveDiversity(2.0, 2)).broken_rows == 3
    assert verdict(fv.RecursiveDiversity(2.01, 2))
    assert verdict(fv.RecursiveDiversity(99.0, 4)).worst == float("inf")


def test_closeness_by_hand() -> None:
    # overall flu 3/7, cold 2/7, pox 2/7; class 1: 2/3, 1/3, 0 -> half of (5/21 + 1/21 + 6/21)
    assert verdict(fv.TCloseness(0.5)).worst == pytest.approx(2 / 7)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: fv.KAnonymity(1), "k must be an integer of at least 2"),
        (lambda: fv.KAnonymity(2.5), "k must be an integer"),  # type: ignore[arg-type]
        (lambda: fv.KAnonymity(5, suppression=1.2), "suppression must be a number from 0 to 1"),
        (lambda: fv.DistinctDiversity(0), "l must be an integer"),
        (lambda: fv.TCloseness(1.5), "t must be a number from 0 to 1"),
        (lambda: fv.TCloseness(0.2, "ordred"), "did you mean 'ordered'"),  # type: ignore[arg-type]
        (lambda: fv.RecursiveDiversity(-1.0, 2), "c must be a number above 0"),
        (lambda: guards.from_dict({"kind": "k-anonimity", "k": 3}), "did you mean 'k-anonymity'"),
        (lambda: guards.from_dict({"kind": "k-anonymity"}), "k-anonymity needs 'k'"),
        (lambda: guards.from_dict({"kind": "k-anonymity", "k": 3, "kk": 1}), "no setting of k-anonymity 'kk'"),
    ],
)
def test_bad_settings_are_refused_by_name(make, message) -> None:
    with pytest.raises(fv.BadInput, match=message):
        make()


def test_a_guard_that_does_not_fit_the_schema_is_refused_before_any_work() -> None:
    bare = fv.Schema(quasi=["zip"], plain=["disease"])
    with pytest.raises(fv.BadInput, match="needs a sensitive column"):
        fv.search(TABLE, bare, guards=[fv.TCloseness(0.2)])
    with pytest.raises(fv.BadInput, match="needs a hierarchy for 'disease'"):
        fv.search(TABLE, SCHEMA, guards=[fv.TCloseness(0.2, "hierarchical")])
    with pytest.raises(fv.BadInput, match="k=8 is more than the 7 rows"):
        fv.search(TABLE, SCHEMA, guards=[fv.KAnonymity(8)])
    with pytest.raises(fv.BadInput, match="no guard is given"):
        fv.search(TABLE, SCHEMA, guards=[])


@pytest.mark.parametrize("guard", [
    fv.KAnonymity(3, suppression=0.1), fv.DistinctDiversity(2, sensitive=("disease",)), fv.EntropyDiversity(1.5),
    fv.RecursiveDiversity(2.0, 2), fv.TCloseness(0.3, "ordered"),
])  # fmt: skip
def test_guards_survive_being_written(guard: guards.Guard) -> None:
    assert guards.from_dict(guard.to_dict()) == guard


def test_several_sensitive_columns_count_the_worst() -> None:
    table = fv.Table.from_frame(pa.table({"q": ["a"] * 4, "s": list("xxyz"), "u": list("xxxx")}))
    schema = fv.Schema(quasi=["q"], sensitive=["s", "u"])
    assert fv.DistinctDiversity(2).verdict(classes_of(table, schema)[0], schema).worst == 1
    first = fv.DistinctDiversity(2, sensitive=("s",))
    assert first.verdict(classes_of(table, schema)[0], schema).worst == 3
    assert fv.DistinctDiversity(2, sensitive="s") == first


@pytest.mark.parametrize("distance", ["equal", "ordered", "hierarchical"])
def test_distances_are_the_cheapest_way_to_move(distance: Any) -> None:
    """Every class of random tables: ours equals the earth mover's distance as a linear programme."""
    for seed in range(40):
        case = drawn_case(seed)
        guard = fv.TCloseness(0.5, distance)
        classes, class_of_row = classes_of(case.table, case.schema)
        ours = guard.values(classes, case.schema)
        values = sorted({row[-1] for row in case.rows})
        ground = np.array([[ground_distance(guard, "s", a, b, values, case) for b in values] for a in values])
        overall = np.array([[row[-1] == v for v in values] for row in case.rows])
        for number in range(len(classes)):
            p, q = overall[class_of_row == number].mean(axis=0), overall.mean(axis=0)
            assert ours[number] == pytest.approx(emd_by_linear_programme(p, q, ground), abs=1e-7)


@pytest.mark.parametrize("seed", range(20))
def test_the_equal_distance_by_persons(seed: int) -> None:
    """Against dense arithmetic: what exceeds, together, or the value that lacks most; a class without values has 0."""
    rng = np.random.default_rng(seed)
    persons, size = rng.integers(1, 9, 6), 5
    having = rng.integers(0, persons[:, None] + 1, (6, size)) * (rng.random((6, size)) < 0.7)
    having[0] = 0
    ids, values = np.nonzero(having)
    whole = rng.random(size)
    histogram = ClassHistogram(ids, values, having[ids, values], persons, size, lambda: whole)
    difference = having / persons[:, None] - whole
    expected = np.maximum(np.maximum(difference, 0).sum(axis=1), (-difference).max(axis=1))
    assert np.allclose(gaps(histogram), np.where(having.any(axis=1), np.maximum(expected, 0), 0))
