"""Association rules and clusters of a release beside those of the original."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.evaluation.mined_patterns import rules_of
from fairveil.recipes.full_domain import FullDomain
from fairveil.release.release import publish


def test_rules_by_hand():
    """Of 100 records: 30 have a, 27 of them x; x is had by 60."""
    counts = np.array([[27.0, 3.0], [33.0, 37.0]])
    assert set(rules_of("A", "B", counts)) == {("A", 0, "B", 0), ("B", 1, "A", 1)}
    assert set(rules_of("A", "B", counts * 0)) == set()
    assert ("A", 0, "B", 0) not in set(rules_of("A", "B", np.array([[4.0, 0.0], [46.0, 50.0]])))  # too rare


@pytest.fixture(scope="module")
def people() -> tuple[fv.Table, fv.Schema]:
    rng = np.random.default_rng(0)
    town = rng.integers(0, 4, 600)
    table = pa.table({
        "town": [f"t{t}" for t in town],
        "job": [f"j{t}" if r < 0.95 else "j9" for t, r in zip(town, rng.random(600), strict=True)],
        "age": (20 + 12 * town + rng.integers(0, 5, 600)).tolist(),
        "credit": ["yes" if t > 1 else "no" for t in town],
    })  # fmt: skip
    hierarchies = {
        "town": fv.hierarchy.suppress(),
        "job": fv.hierarchy.suppress(),
        "age": fv.hierarchy.intervals([0, 100], widths=(10, 50)),
    }
    schema = fv.Schema(quasi=["town", "job", "age"], decision="credit", denied="no", hierarchies=hierarchies)
    return fv.Table.from_frame(table), schema


def patterns_at(people: tuple[fv.Table, fv.Schema], **levels: int):
    table, schema = people
    release = publish(table, schema, [], FullDomain(schema, {"town": 0, "job": 0, "age": 0} | levels))
    return fv.utility(release, table, queries=5, resamples=5).patterns


def test_an_unchanged_table_keeps_every_pattern(people):
    found = patterns_at(people)
    assert found.rules > 4 and found.kept == 1 and found.added == 0 and found.agreement == pytest.approx(1.0)


def test_what_is_suppressed_is_no_longer_found(people):
    whole, without_town, nothing = (
        patterns_at(people), patterns_at(people, town=1), patterns_at(people, town=1, job=1, age=3),
    )  # fmt: skip
    assert whole.kept > without_town.kept > nothing.kept
    assert nothing.agreement is None  # all records are alike


def test_projections_have_none(people):
    table, schema = people
    release = fv.search(table, schema, guards=[fv.KAnonymity(2)], method=fv.DMPD(generations=1, population=4)).release(
        0
    )
    assert fv.utility(release, table, queries=5, resamples=5).patterns is None
