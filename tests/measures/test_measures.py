"""Measures by hand on a tiny release, and the registry's own promises on random ones."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings

import fairveil as fv
from fairveil import measures
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import publish
from tests.randomly import Case, cases

SCHEMA = fv.Schema(
    quasi=["zip", "sex"],
    decision="credit",
    hierarchies={"zip": fv.hierarchy.mask(2), "sex": fv.hierarchy.suppress()},
    weights={"zip": 3, "sex": 1},
)
TABLE = fv.Table.from_frame(
    pa.table({
        "zip": ["10", "11", "10", "20", "21", "30"],
        "sex": ["f", "f", "f", "m", "m", "m"],
        "credit": ["y", "y", "n", "n", "n", "y"],
    })
)  # fmt: skip


@pytest.fixture(scope="module")
def release() -> fv.Release:
    """Zip to its first digit, sex as it is: classes of 3, 2 and 1; the last is suppressed (k=2, one row)."""
    return publish(TABLE, SCHEMA, [fv.KAnonymity(2, suppression=0.2)], FullDomain(SCHEMA, {"zip": 1, "sex": 0}))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("gh", 1),
        ("dm", 9 + 4 + 6),
        ("dr", 19 / 36),
        ("cm", (1 + 1) / 6),
        ("class-size", 6 / 3),
        # zip: five leaves 10 11 20 21 30; the published 1* and 2* cover two leaves: 1/4 each; one row suppressed
        ("loss", ((5 * 1 / 4 + 1) / 6 + 1 / 6) / 2),
        ("nwp", 0.75 * (5 * 1 / 4 + 1) / 6 + 0.25 * 1 / 6),
        ("necd", (3 - 2) / 5),
        ("precision", 1 - ((1 / 2 + 0) / 2 * 5 + 1) / 6),
        ("k", 2),
        ("highest-risk", 1 / 2),
        ("average-risk", 2 / 5),
        ("at-risk", 1),
        ("uniqueness", 0),
    ],
)
def test_by_hand(release: fv.Release, name: str, value: float) -> None:
    assert release.measures[name] == pytest.approx(value)


def test_information_gain_by_hand(release: fv.Release) -> None:
    # five rows kept: y y n | n n; both columns split them alike
    h = lambda *p: -sum(x * np.log2(x) for x in p if x)  # noqa: E731
    gain = h(2 / 5, 3 / 5) - 3 / 5 * h(2 / 3, 1 / 3)
    assert release.measures["ig"] == pytest.approx(gain)
    assert release.measures["joint-ig"] == pytest.approx(gain)


def test_entropy_by_hand(release: fv.Release) -> None:
    h = lambda *p: -sum(x * np.log2(x) for x in p if x)  # noqa: E731
    zip_bits, sex_bits = h(2 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6), 1.0
    hidden = 3 * h(2 / 3, 1 / 3) + 2 * h(1 / 2, 1 / 2) + zip_bits + sex_bits
    assert release.measures["entropy"] == pytest.approx(hidden / (6 * (zip_bits + sex_bits)))


@settings(max_examples=80)
@given(cases(decision=True))
def test_ranges_and_monotony(case: Case) -> None:
    """Every value lies in its stated range; from the bottom to the top of the lattice losses never fall."""
    frontier = fv.search(case.table, case.schema, guards=[fv.KAnonymity(2, suppression=1.0)])
    for measure in (known for known in measures.MEASURES if known.cost == "summary"):
        values = frontier.values(measure.name)
        low, high = measure.range
        published = frontier.values("class-size") > 0
        if measure.name == "k":
            published = values > 0  # nothing is published where everything is suppressed
        assert (values[published] >= low - 1e-9).all(), measure.name
        assert (values[published] <= high + 1e-9).all(), measure.name


def test_unknown_measures_are_refused_with_the_nearest() -> None:
    with pytest.raises(fv.BadInput, match="did you mean 'precision'"):
        fv.measures.get("precison")
    with pytest.raises(fv.BadInput, match="did you mean 'loss'"):
        fv.search(TABLE, SCHEMA, guards=[fv.KAnonymity(2)], measures=["los"])


def test_a_measure_that_needs_a_decision_says_so() -> None:
    schema = fv.Schema(quasi=["zip", "sex"], plain=["credit"])
    frontier = fv.search(TABLE, schema, guards=[fv.KAnonymity(2)])
    with pytest.raises(fv.BadInput, match="needs a decision column"):
        frontier.best("cm")


def test_what_a_measure_costs_and_nothing_that_trains_is_computed_unasked(release: fv.Release) -> None:
    assert {m.cost for m in measures.MEASURES if m.trains} == {"published"}
    assert {m.name for m in measures.MEASURES if m.cost == "summary"} >= set(release.measures)


def test_anybody_can_register_a_measure() -> None:
    own = measures.Measure(
        "spread", "risk", "lower", (0, float("inf")), "largest minus smallest class", lambda s: s.largest - s.smallest
    )
    measures.register(own)
    try:
        frontier = fv.search(TABLE, SCHEMA, guards=[fv.KAnonymity(2)], measures=["spread"])
        assert (frontier.values("spread") >= 0).all() and "spread" in frontier.best("spread").measures
        with pytest.raises(fv.BadInput, match="a measure 'spread' already exists"):
            measures.register(measures.Measure("spread", "risk", "lower", (0, 1), "another"))
    finally:
        measures.MEASURES.unregister("spread")


def test_the_level_counts_the_decision():
    """By hand: how many records look the same and share the decision, at least."""
    frontier = fv.search(TABLE, SCHEMA, guards=[fv.KAnonymity(2)], measures=["level"])
    for position, level in enumerate(frontier.values("level")):
        rows = frontier.release(position).table.to_arrow().to_pylist()
        counts = [sum(other == row for other in rows) for row in rows]
        assert level == min(counts)
