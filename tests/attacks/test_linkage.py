"""Linkage: the attacker's success is what counting by hand gives, at most 1/k on a release, more on the original."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairveil as fv
from fairveil.attacks import Scene
from fairveil.recipes.outcome import ONLY, Outcome
from fairveil.recipes.recipe import Recipe, Unknown
from fairveil.release.release import publish
from tests.randomly import Case, cases


@st.composite
def releases(draw: st.DrawFn) -> tuple[Case, fv.Release, int]:
    """A random table and one of its k-anonymous releases, with some rows suppressed."""
    case = draw(cases(rows=(6, 24)))
    k = draw(st.integers(2, 4))
    guard = fv.KAnonymity(k, suppression=draw(st.sampled_from([0.0, 0.3])))
    candidates = fv.search(case.table, case.schema, guards=[guard])
    return case, candidates.release(draw(st.integers(0, len(candidates) - 1))), k


@given(releases(), st.data())
def test_success_is_counted_right_and_at_most_one_in_k(
    attacked: tuple[Case, fv.Release, int], data: st.DataObject
) -> None:
    case, release, k = attacked
    known = data.draw(st.lists(st.sampled_from(case.schema.quasi), min_size=1, unique=True))
    findings = fv.attack(release, original=case.table, known=known, only=["linkage", "reidentification"])
    if not release.table.rows:
        assert "linkage" in findings.skipped
        return
    linkage = findings.of("linkage")
    shown = release.table.to_arrow().select(known).to_pylist()
    groups = Counter(tuple(row.values()) for row in shown)
    chances = [1 / groups[tuple(row.values())] for row in shown]  # each published person, by definition
    assert linkage.best == pytest.approx(max(chances))
    assert linkage.average == pytest.approx(sum(chances) / len(chances))
    assert linkage.best <= 1 / k + 1e-12
    assert findings.of("reidentification").best <= 1 / k + 1e-12
    source = Counter(tuple(row[case.names.index(name)] for name in known) for row in case.rows)
    assert linkage.baseline == pytest.approx(len(source) / len(case.rows))
    assert linkage.level == "ok"


@pytest.fixture(scope="module")
def adult() -> Any:
    return fv.datasets.adult()


def test_adult_is_hard_to_link_once_published(adult: Any) -> None:
    release = fv.search(adult.table, adult.schema, guards=[fv.KAnonymity(10, suppression=0.02)]).best("loss")
    linkage = fv.attack(release, original=adult.table, only=["linkage"]).of("linkage")
    frame = adult.table.to_frame("pandas")
    sizes = frame.groupby(list(adult.schema.quasi)).size()
    assert linkage.details["original"]["average"] == pytest.approx(len(sizes) / len(frame))
    assert linkage.details["original"]["best"] == 1
    assert linkage.best <= 0.1
    assert linkage.average < linkage.details["original"]["average"] / 10
    assert linkage.level == "ok"
    assert "25.6 %" in linkage.verdict  # both are shown


def test_knowing_a_plain_column_goes_beyond_k() -> None:
    table = pa.table({"zip": ["a"] * 4 + ["b"] * 4, "hobby": list("wxyzwxyz")})
    schema = fv.Schema(quasi=["zip"], plain=["hobby"])
    release = fv.search(table, schema, guards=[fv.KAnonymity(4)]).best("loss")
    findings = fv.attack(release, original=table, known=["zip", "hobby"])
    assert findings.of("linkage").level == "danger"
    assert findings.of("linkage").average == 1
    assert findings.of("uniqueness").level == "danger"  # in spite of k, nobody has a look-alike
    assert findings.of("uniqueness").affected == 8


def test_a_unique_plain_column_is_a_danger() -> None:
    table = pa.table({"zip": ["a"] * 30, "born": [f"1980-01-{d:02}" for d in range(1, 31)]})
    schema = fv.Schema(quasi=["zip"], plain=["born"])
    release = fv.search(table, schema, guards=[fv.KAnonymity(4)]).best("loss")
    finding = fv.attacks.cheap(release).of("uniqueness")
    assert finding.level == "danger"
    assert "'born' alone" in finding.verdict


def test_journalist_risk_counts_the_population() -> None:
    people = pa.table({"zip": ["a"] * 10 + ["b"] * 6})
    schema = fv.Schema(quasi=["zip"])
    sample = people.take([0, 1, 10, 11, 12])
    release = fv.search(sample, schema, guards=[fv.KAnonymity(2)]).best("loss")
    details = fv.attack(release, original=people).of("reidentification").details
    assert details["prosecutor"] == 1 / 2
    assert details["journalist"] == 1 / 6
    assert details["marketer"] == pytest.approx(2 / 5)
    assert details["marketer_of_population"] == pytest.approx((2 / 10 + 3 / 6) / 5)


@dataclass(frozen=True)
class Averages(Recipe):
    """A recipe as microaggregation has it: each group's mean, and nothing about how a new value would be published."""

    kind: ClassVar[str] = "averages"
    groups_rows: ClassVar[bool] = True

    def outcome(self, table: Any, *, unknown: Unknown = "refuse") -> Outcome:
        rows = np.arange(table.rows) // 3
        ages = np.array(table.column("age").domain)[table.column("age").codes]
        sums = np.bincount(rows, weights=ages) / np.bincount(rows)
        fresh = fv.Table.from_frame(pa.table({"age": sums[rows]}))
        return Outcome({ONLY: fresh}, table.rows, {"age": (np.zeros(9), np.zeros(9))}, {"age": 0.0})

    def strays(self, column: object) -> list[Any]:
        return []

    def to_dict(self) -> dict[str, Any]:
        return {}


def test_averages_are_matched_by_nearness() -> None:
    ages = [20, 21, 22, 40, 41, 42, 60, 61, 62]
    table = fv.Table.from_frame(pa.table({"age": ages}))
    release = publish(table, fv.Schema(quasi=["age"]), [fv.KAnonymity(3)], Averages(fv.Schema(quasi=["age"])))
    finding = fv.attack(release, original=table, only=["linkage"]).of("linkage")
    assert finding.details["matching"] == "by the recipe"
    assert finding.average == pytest.approx(1 / 3)
    others = table.take(np.array([0, 3, 6, 1, 4, 7, 2, 5, 8]))  # averaged anew, they are not as published
    scene = Scene.of(release, original=others)
    assert not scene.recodes
    moved = replace(release.published, source_rows=np.argsort([0, 3, 6, 1, 4, 7, 2, 5, 8]))
    finding = fv.attack(moved, original=others, only=["linkage"]).of("linkage")
    assert finding.details["matching"] == "nearest"
    assert finding.average == pytest.approx(1 / 3)
    blind = replace(release.published, source_rows=np.arange(100, 109))
    assert "assumed" in fv.attack(blind, original=others, only=["linkage"]).of("linkage").details


def test_an_unknown_column_is_refused() -> None:
    credit = fv.datasets.credit_decisions()
    release = fv.search(credit.table, credit.schema, guards=[fv.KAnonymity(3)]).best("loss")
    with pytest.raises(fv.BadInput, match="did you mean 'Hours'"):
        fv.attack(release, original=credit.table, known=["Hourss"])
    with pytest.raises(fv.BadInput, match="no attack 'linkag'"):
        fv.attack(release, only=["linkag"])
