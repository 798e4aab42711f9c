"""Measures where people have several records: every mean is over persons first, then over the records of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil import measures
from fairveil.counting.summary import EXPOSED_BELOW
from fairveil.methods import Method
from fairveil.release.release import Release
from tests.contracts.people import SCHEMA, quick, source
from tests.contracts.test_persons import COUNTING, PERSONS, WAYS, by_class, visits
from tests.known import ANY_DANGER

GUARD = fv.KAnonymity(2, suppression=0.4)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEIL_KEY", "a key for tests alone")


def persons_of(release: Release, frame: pd.DataFrame) -> list[str]:
    assert release.source_rows is not None
    return [frame["name"].iloc[row] for row in release.source_rows]


def alike(release: Release, frame: pd.DataFrame, linked: bool) -> list[int]:
    """How many persons each published record could be of."""
    persons = persons_of(release, frame)
    classes = by_class(release.table.to_arrow().to_pandas())
    who = {row: {persons[r] for r in rows} for rows in classes.values() for row in rows}
    if not linked:
        return [len(who[row]) for row in range(len(persons))]
    sets = defaultdict(set)
    for number, rows in enumerate(classes.values()):
        for row in rows:
            sets[persons[row]].add(number)
    return [sum(others == sets[person] for others in sets.values()) for person in persons]


def mean_by_person(values: list[float], persons: list[str]) -> float:
    of_person = defaultdict(list)
    for value, person in zip(values, persons, strict=True):
        of_person[person].append(value)
    return float(np.mean([np.mean(own) for own in of_person.values()]))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("method", COUNTING, ids=lambda method: method.kind)
def test_risks_are_means_over_persons(method: type[Method], way: str, tmp_path: Path) -> None:
    frame, schema = visits(1), WAYS[way](PERSONS)
    frontier = fv.search(frame, schema, guards=[GUARD], method=quick(method))
    release = frontier.release(0)
    sizes, persons = alike(release, frame, way != "dropped"), persons_of(release, frame)
    by_hand = {
        "k": min(sizes),
        "highest-risk": 1 / min(sizes),
        "average-risk": mean_by_person([1 / size for size in sizes], persons),
        "at-risk": mean_by_person([size < EXPOSED_BELOW for size in sizes], persons),
        "uniqueness": mean_by_person([size == 1 for size in sizes], persons),
    }
    assert {name: release.measures[name] for name in by_hand} == pytest.approx(by_hand)
    for name, value in release.measures.items():
        assert frontier.values(name)[0] == pytest.approx(value), name
    saved = release.save(tmp_path / "r", accept=ANY_DANGER)
    assert fv.verify(saved.path), fv.verify(saved.path).problems
    assert list(saved.evidence["measures"]) == list(release.measures)
    for name, value in saved.evidence["measures"].items():
        assert value == pytest.approx(release.measures[name], abs=0.26), name
    told = [name for name in by_hand if f"measures.{name}" in saved.evidence["from_source"]]
    assert told == (list(by_hand) if way == "dropped" else [])


def test_loss_is_a_mean_over_persons(tmp_path: Path) -> None:
    frame = visits(2)
    guard = fv.KAnonymity(3, suppression=0.5)
    for way in WAYS:
        frontier = fv.search(frame, WAYS[way](PERSONS), guards=[guard], method=fv.Incognito())
        for at in range(0, len(frontier), 7):
            release = frontier.release(at)
            assert release.source_rows is not None
            published = set(release.source_rows.tolist())
            levels = release.schema.bind(release.original)
            cost = np.ones((len(frame), len(SCHEMA.quasi)))
            for i, name in enumerate(SCHEMA.quasi):
                bound, level = levels[name], release.recipe.level_of(name) or 0
                codes = bound.codes[level][release.original.column(name).codes]
                kept = [row in published for row in range(len(frame))]
                cost[kept, i] = bound.penalties[level][codes][kept]
            by_hand = mean_by_person(cost.mean(axis=1).tolist(), frame["name"].tolist())
            assert release.measures["loss"] == pytest.approx(by_hand)
            assert frontier.values("loss")[at] == pytest.approx(by_hand)


@pytest.mark.parametrize("method", COUNTING, ids=lambda method: method.kind)
def test_with_one_record_per_person_every_figure_is_as_before(method: type[Method]) -> None:
    frame = source(3, rows=60).to_pandas()
    plain, persons = (
        fv.search(frame, schema, guards=[GUARD], method=quick(method)).best("loss")
        for schema in (replace(SCHEMA, population=None), PERSONS)
    )
    assert persons.measures == pytest.approx(plain.measures)
    assert persons.risk_before == plain.risk_before
    before, after = (release.evidence()["measures"] for release in (plain, persons))
    assert after == pytest.approx(before, abs=0.26)


def test_persons_in_the_population_are_counted_once() -> None:
    once = source(1, rows=40).to_pandas().assign(w=np.arange(40) % 7 + 30.0)
    schema = fv.Schema(quasi=SCHEMA.quasi, person="name", weight="w")
    expected = fv.population_risk(once, replace(schema, person=None))
    again = fv.population_risk(pd.concat([once, once, once.iloc[:9]]), schema)
    assert again.measures == pytest.approx(expected.measures)
    assert again.records[:40] == pytest.approx(expected.records)
    assert again.scores[:40] == pytest.approx(expected.scores)


WEIGHTED: list[Callable[[Any, fv.Schema], Any]] = [
    lambda data, schema: fv.population_risk(data, schema).measures,
    lambda data, schema: [verdict.worst for verdict in fv.check(data, schema, fv.KMap(2))],
    lambda data, schema: [verdict.worst for verdict in fv.check(data, schema, fv.DeltaPresence(0.9))],
    lambda data, schema: [verdict.worst for verdict in fv.check(data, schema, fv.RiskLimit("marketer-risk", 0.9))],
    lambda data, schema: fv.search(data, schema, guards=[fv.KMap(2)], method=fv.Incognito()).values("journalist-risk"),
]


@pytest.mark.parametrize("figures", WEIGHTED)
def test_a_weight_belongs_to_a_person(figures: Callable[[Any, fv.Schema], Any]) -> None:
    """Other weights of the same person are refused. Those of records about nobody known count once, and whichever comes
    first, the smallest one does."""
    once = source(1, rows=40).to_pandas().assign(w=np.arange(40) % 7 + 30.0)
    schema = fv.Schema(quasi=SCHEMA.quasi, person="name", weight="w", drop=["illness", "credit"])
    later = once.iloc[:3].assign(w=50.0)
    with pytest.raises(fv.BadInput, match="3 people have records with different weights in 'w'"):
        figures(pd.concat([once, later]), schema)
    unknown = pd.concat([once, once.iloc[:3].assign(w=[50.0, 3.0, 9.0], name=None, zip="1000", age=40, sex="f")])
    expected = figures(unknown.iloc[[*range(40), 41]], schema)
    for order in ([40, 41, 42], [42, 40, 41]):
        assert figures(unknown.iloc[[*range(40), *order]], schema) == pytest.approx(expected)


def test_the_risk_of_a_household() -> None:
    """The figures of sdcMicro for six people in three households; twice the records of everybody change nothing."""
    six = {"hid": [1, 1, 2, 2, 2, 3], "k1": list("aabbcc"), "k2": list("xxyyyy"), "w": [10.0, 10, 5, 5, 4, 6]}
    table = pa.table({**six, "who": list("pqrstu")})
    schema = fv.Schema(quasi=["k1", "k2"], weight="w", household="hid", person="who")
    for times in (1, 2):
        risk = fv.population_risk(pa.concat_tables([table] * times), schema)
        assert risk.households is not None
        assert (
            risk.households.round(7).tolist()
            == [0.1585316, 0.1585316, 0.3845956, 0.3845956, 0.3845956, 0.1494101] * times
        )
        assert risk.measures["household-risk"] == pytest.approx(0.3845956, abs=1e-7)
        assert risk.measures["expected-reidentifications"] == pytest.approx(0.7630088, abs=1e-7)
        assert risk.measures["expected-reidentifications-by-household"] == pytest.approx(1.6202600, abs=1e-7)


def test_the_risk_of_a_household_as_a_measure_of_candidates() -> None:
    frame = visits(3).assign(home=lambda frame: frame["name"].map(lambda name: hash(name) % 5))
    frame["home"] = pd.factorize(frame["name"])[0] % 5
    schema = replace(PERSONS, household="home")
    frontier = fv.search(frame, schema, guards=[GUARD], method=fv.Incognito())
    release = frontier.release(0)
    assert "home" not in release.table.names
    persons = persons_of(release, frame)
    homes = dict(zip(frame["name"], frame["home"], strict=True))
    classes = by_class(release.table.to_arrow().to_pandas())
    safe: dict[int, float] = defaultdict(lambda: 1.0)
    for rows in classes.values():
        inside = {persons[row] for row in rows}
        for person in inside:
            safe[homes[person]] *= 1 - 1 / len(inside)
    assert frontier.values("household-risk")[0] == pytest.approx(1 - min(safe.values()))
    with pytest.raises(fv.BadInput, match="role household"):
        fv.search(frame, replace(schema, household=None, drop=["home"]), guards=[GUARD]).values("household-risk")
    assert measures.get("household-risk").range == (0, 1)
