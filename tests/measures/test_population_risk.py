"""Risks against the population, by brute force from their definitions, and what they refuse."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import hyp2f1

import fairveil as fv
from fairveil.measures.population_risk import individual_risks
from fairveil.measures.population_uniqueness import uniqueness_of

TABLES = st.lists(st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=14)
QUASI = ["a", "b", "c", "d"]


def frame(rows: list[tuple[int, ...]], weights: list[float] | None = None) -> pa.Table:
    columns = {name: [row[i] for row in rows] for i, name in enumerate(QUASI)}
    return pa.table(columns | ({} if weights is None else {"w": pa.array(weights, pa.float64())}))


@given(st.integers(1, 300), st.floats(0, 6))
def test_individual_risk_is_the_integral_and_the_hypergeometric_function(f: int, magnitude: float) -> None:
    people = f * 10**magnitude
    [risk] = individual_risks([f], [people])
    rho = people / f - 1
    by_integral, _ = quad(lambda s: s ** (f - 1) / (1 + rho * s), 0, 1, epsabs=1e-13, limit=500)
    assert risk == pytest.approx(by_integral, rel=1e-6)
    by_function = hyp2f1(1, 1, f + 1, 1 - f / people) * (f / people) / f  # Euler's transformation of the definition
    assert risk == pytest.approx(by_function, rel=1e-9) or not np.isfinite(by_function)
    assert 1 / people * (1 - 1e-9) <= risk <= 1 / f * (1 + 1e-9)


@given(st.lists(st.tuples(st.integers(1, 60), st.floats(1, 1e4)), min_size=2, max_size=2))
def test_merging_two_classes_never_raises_the_highest_or_the_expected_risk(pair: list[tuple[int, float]]) -> None:
    f, people = np.array([[size, size * scale] for size, scale in pair]).T
    apart, [merged] = individual_risks(f, people), individual_risks([f.sum()], [people.sum()])
    assert merged <= apart.max() * (1 + 1e-9)
    assert f.sum() * merged <= (f * apart).sum() * (1 + 1e-9)


@given(TABLES)
def test_if_everybody_is_in_the_data_the_individual_risk_is_one_over_the_class(rows: list[tuple[int, ...]]) -> None:
    alike = np.array([1 / rows.count(row) for row in rows])
    for schema, table in (
        (fv.Schema(quasi=QUASI, population=fv.Population(fraction=1.0)), frame(rows)),
        (fv.Schema(quasi=QUASI, population=fv.Population(size=len(rows))), frame(rows)),
        (fv.Schema(quasi=QUASI, population=fv.Population(register=frame(rows))), frame(rows)),
        (fv.Schema(quasi=QUASI, weight="w"), frame(rows, [1.0] * len(rows))),
    ):
        risk = fv.population_risk(table, schema)
        assert risk.records == pytest.approx(alike)
        assert risk.measures["journalist-risk"] == pytest.approx(risk.measures["highest-risk"])
        assert risk.measures["marketer-risk"] == pytest.approx(risk.measures["average-risk"])
        assert risk.measures["expected-reidentifications"] == pytest.approx(len({*rows}))


@settings(max_examples=60)
@given(TABLES)
def test_special_uniques_by_their_definition(rows: list[tuple[int, ...]]) -> None:
    def unique(row: tuple[int, ...], columns: tuple[int, ...]) -> bool:
        return sum(all(row[c] == other[c] for c in columns) for other in rows) == 1

    scores, by_column = [], np.zeros(4)
    for row in rows:
        score = 0
        for size in range(1, 5):
            for columns in combinations(range(4), size):
                smaller = combinations(columns, size - 1) if size > 1 else ()
                if unique(row, columns) and not any(unique(row, some) for some in smaller):
                    score += factorial(4 - size)
                    by_column[list(columns)] += factorial(4 - size)
        scores.append(score)
    risk = fv.population_risk(frame(rows), fv.Schema(quasi=QUASI))
    assert risk.scores.tolist() == scores and risk.measures["suda"] == max(scores)
    assert [*risk.suda.shares.values()] == pytest.approx((by_column / max(sum(scores), 1)).tolist())


@settings(max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 5), *[st.integers(0, 2)] * 3), min_size=1, max_size=14))
def test_special_uniques_are_persons(rows: list[tuple[int, ...]]) -> None:
    """A person's own other records do not make their values less unique, in a table or as a measure of candidates."""

    def unique(row: tuple[int, ...], columns: tuple[int, ...]) -> bool:
        return len({other[0] for other in rows if all(row[c] == other[c] for c in columns)}) == 1

    def score(row: tuple[int, ...]) -> int:
        sets = [columns for size in (1, 2, 3) for columns in combinations((1, 2, 3), size) if unique(row, columns)]
        return sum(factorial(3 - len(some)) for some in sets if not any({*less} < {*some} for less in sets))

    names = ("who", "a", "b", "c")
    table = pa.table({name: [str(row[i]) for row in rows] for i, name in enumerate(names)})
    schema = fv.Schema(quasi=names[1:], person="who")
    risk = fv.population_risk(table, schema)
    assert risk.scores.tolist() == list(map(score, rows)) and risk.measures["suda"] == max(map(score, rows))
    if len({row[0] for row in rows}) > 1:
        source = fv.search(table, schema, guards=[fv.KAnonymity(2)]).baseline(["suda"])
        assert source["suda"] == max(map(score, rows))


def linked_panel(seed: int) -> pa.Table:
    rng = np.random.default_rng(seed)
    who = np.concatenate([np.arange(25), rng.integers(0, 25, 40)])
    return pa.table({
        "who": who, "a": rng.choice(list("12"), 65), "b": np.where(who % 2, "x", "y"), "w": who % 5 + 3.0,
        "home": who // 2,
    })  # fmt: skip


@pytest.mark.parametrize("linked", [False, True])
def test_risks_in_the_population_are_those_of_people_who_look_alike(linked: bool) -> None:
    """If the release links the records of a person, people look alike who have records in the same classes; measures of
    candidates say so, as the guards do."""
    for seed in range(4):
        table = linked_panel(seed)
        schema = fv.Schema(quasi=["a", "b"], person="who", weight="w", household="home", plain=["who"] * linked)
        classes: dict[Any, set[int]] = defaultdict(set)
        homes: dict[int, float] = defaultdict(lambda: 1.0)
        for row in table.to_pylist():
            classes[row["a"], row["b"]].add(row["who"])
        if linked:
            sets = {who: frozenset(key for key in classes if who in classes[key]) for who in range(25)}
            classes = defaultdict(set)
            for who, key in sets.items():
                classes[key].add(who)
        groups = [[who % 5 + 3.0 for who in members] for members in classes.values()]
        risks = [float(individual_risks([len(group)], [sum(group)])[0]) for group in groups]
        for members, risk in zip(classes.values(), risks, strict=True):
            for who in members:
                homes[who // 2] *= 1 - risk
        whole = sum(map(len, groups))
        expected = {
            "individual-risk": max(risks), "journalist-risk": 1 / min(map(sum, groups)),
            "expected-reidentifications": sum(len(g) * r for g, r in zip(groups, risks, strict=True)),
            "marketer-risk": sum(len(group) / sum(group) for group in groups) / whole,
            "household-risk": 1 - min(homes.values()),
        }  # fmt: skip
        frontier = fv.search(table, schema, guards=[fv.KAnonymity(2, suppression=1.0)], method=fv.Incognito())
        assert frontier.baseline([*expected]) == pytest.approx(expected)
        for name in ("individual-risk", "journalist-risk", "marketer-risk", "expected-reidentifications"):
            [verdict] = fv.check(table, schema, [fv.RiskLimit(name, 1e6)])
            assert verdict.worst == pytest.approx(expected[name])
            assert verdict.unit == "persons" and "record" not in verdict.sentence


def test_a_population_of_known_size_is_one_of_persons() -> None:
    """25 people of 30 were sampled, however many records and classes they have."""
    table, people = linked_panel(0).drop_columns(["w", "home"]), fv.Population(size=30)
    schema = fv.Schema(quasi=["a", "b"], person="who", population=people)
    risk = fv.population_risk(table, schema)
    classes: dict[Any, set[int]] = defaultdict(set)
    for row in table.to_pylist():
        classes[row["a"], row["b"]].add(row["who"])
    least = min(map(len, classes.values())) * 30 / 25
    assert risk.fraction == pytest.approx(25 / 30)
    assert risk.measures["journalist-risk"] == pytest.approx(1 / least)
    assert fv.check(table, schema, [fv.DeltaPresence(1.0)])[0].worst == pytest.approx(25 / 30)
    frontier = fv.search(table, schema, guards=[fv.KAnonymity(2)], method=fv.Incognito())
    assert frontier.baseline(["journalist-risk"])["journalist-risk"] == pytest.approx(1 / least)
    for population in (fv.Population(register=table), fv.Population(fraction=1.0)):
        assert fv.population_risk(table, replace(schema, population=population)).fraction == 1
    with pytest.raises(fv.BadInput, match="20 people, and the data 25 persons"):
        fv.population_risk(table, replace(schema, population=fv.Population(size=20)))
    weighted = replace(schema, population=None, weight="w")
    assert fv.population_risk(linked_panel(0), weighted).fraction == pytest.approx(
        25 / sum(n % 5 + 3 for n in range(25))
    )


def test_a_register_is_not_compared_with_linked_records() -> None:
    """Unless everybody has one class; measures and guards refuse it before anything is published."""
    table = linked_panel(0).drop_columns(["w", "home"])
    schema = fv.Schema(quasi=["a", "b"], person="who", plain=["who"], population=fv.Population(register=table))
    guards = [fv.KAnonymity(2), fv.KMap(2)]
    for attempt in (
        lambda: fv.check(table, schema, guards),
        lambda: fv.search(table, schema, guards=guards, method=fv.Incognito()),
        lambda: fv.search(table, schema, guards=guards[:1]).values("marketer-risk"),
    ):
        with pytest.raises(fv.BadInput, match=r"'who' is published.*one row per person"):
            attempt()
    once = replace(schema, quasi=["b"])
    assert all(fv.check(table, once, guards))


@given(st.lists(st.integers(1, 9), min_size=1, max_size=60), st.floats(0.001, 1))
def test_any_sample_has_an_estimate_and_its_estimator(sizes: list[int], fraction: float) -> None:
    answer = uniqueness_of(np.array(sizes), fraction)
    assert 0 <= answer.share <= 1 and answer.share == answer.estimates[answer.estimator]
    if 1 not in sizes:
        assert answer.share == 0


def test_fewer_people_than_records_are_refused() -> None:
    table = frame([(1, 1, 1, 1), (1, 1, 1, 1)], [0.5, 1.0])
    with pytest.raises(fv.BadInput, match=r"2 records add up to 1\.5"):
        fv.population_risk(table, fv.Schema(quasi=QUASI, weight="w"))
    with pytest.raises(fv.BadInput, match="not above 0"):
        fv.population_risk(frame([(1, 1, 1, 1)], [0.0]), fv.Schema(quasi=QUASI, weight="w"))
    with pytest.raises(fv.BadInput, match="at least as large as its sample"):
        fv.population_risk(table, fv.Schema(quasi=QUASI, drop=["w"], population=fv.Population(size=1)))
    with pytest.raises(fv.BadInput, match="register has 1 person"):
        register = fv.Population(register=frame([(1, 1, 1, 1)]))
        fv.population_risk(table, fv.Schema(quasi=QUASI, drop=["w"], population=register))
    with pytest.raises(fv.BadInput, match="no column 'd'"):
        register = fv.Population(register=frame([(1, 1, 1, 1)]).drop_columns(["d"]))
        fv.population_risk(table, fv.Schema(quasi=QUASI, drop=["w"], population=register))


def test_without_a_population_the_measures_that_need_one_are_refused_by_name() -> None:
    people = fv.datasets.credit_decisions()
    frontier = fv.search(people.table, people.schema, guards=[fv.KAnonymity(2)])
    for measure in fv.measures.MEASURES:
        if "population" in measure.needs:
            with pytest.raises(fv.BadInput, match=f"{measure.name}.*declare its size"):
                frontier.values(measure.name)


def test_a_population_is_declared_in_one_way() -> None:
    with pytest.raises(fv.BadInput, match="leave out size or fraction"):
        fv.Population(size=10, fraction=0.1)
    with pytest.raises(fv.BadInput, match="give one of them"):
        fv.Population()
    with pytest.raises(fv.BadInput, match="fraction must be"):
        fv.Population(fraction=1.5)
