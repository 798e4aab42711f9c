"""Sensitive values that are published finer than they are judged: every method, against sets counted by hand."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import combinations, product
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairveil as fv
from fairveil import hierarchy
from fairveil.errors import BadInput
from fairveil.guards import Guard
from fairveil.guards.projections import Projections
from fairveil.methods import METHODS, Method
from tests.contracts.people import quick
from tests.known import ANY_DANGER

AMOUNTS = hierarchy.intervals([0, 64], widths=(2, 16, 32))
SCHEMA = fv.Schema(
    quasi=["zip", "age", "sex"], sensitive=["cost"], levels={"cost": 1}, decision="got", denied="n", protected=["sex"],
    hierarchies={"zip": hierarchy.mask(2), "age": hierarchy.intervals([20, 60], widths=(10, 20)), "cost": AMOUNTS},
)  # fmt: skip
JUDGED = {"cost": 2}
GUARDS: dict[str, Guard] = {
    "distinct": fv.DistinctDiversity(3, judged=JUDGED),
    "entropy": fv.EntropyDiversity(2.0, judged=JUDGED),
    "recursive": fv.RecursiveDiversity(4.0, 2, judged=JUDGED),
}


REFUSING = {"noisy-table": tuple(GUARDS), "dmpd": ("entropy", "recursive")}
"""Methods that do not know these guards."""


def bills(seed: int = 0, rows: int = 120) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    return pd.DataFrame({
        "zip": [f"{a}{b}" for a, b in rng.integers(0, 3, size=(rows, 2))], "age": rng.integers(20, 60, rows),
        "cost": np.minimum(rng.exponential(18, rows).astype(int), 63), "got": rng.choice(["y", "n"], rows),
        "sex": rng.choice(["f", "m"], rows),
    })  # fmt: skip


def wide(label: Any) -> int:
    """The interval of 16 that a published interval of 2 is in."""
    return int(str(label).split("-")[0]) // 16


def diverse(values: Sequence[int], guard: str) -> bool:
    """Whether a class keeps a guard, by its definition."""
    counts = np.sort(np.bincount(values))[::-1]
    counts = counts[counts > 0]
    if guard == "distinct":
        return len(counts) >= 3
    shares = counts / counts.sum()
    if guard == "entropy":
        return float(np.exp(-(shares * np.log(shares)).sum())) >= 2.0 - 1e-9
    return bool(counts[0] < 4.0 * counts[1:].sum())


def classes_of(frame: pd.DataFrame) -> list[pd.DataFrame]:
    return [group for _, group in frame.groupby(["zip", "age", "sex"], dropna=False)]


@pytest.mark.parametrize("guard", GUARDS)
@pytest.mark.parametrize("method", METHODS, ids=lambda method: method.kind)
def test_every_method_judges_the_wider_intervals(method: type[Method], guard: str) -> None:
    try:
        found = fv.search(bills(), SCHEMA, guards=[fv.KAnonymity(3), GUARDS[guard]], method=quick(method))
    except BadInput as problem:
        assert guard in REFUSING.get(method.kind, ()), problem
        return
    release = found.best("loss")
    assert release.verdicts[1].holds and "judged at level 2" in release.verdicts[1].sentence
    if release.recipe.splits:
        return  # see the test of projections
    published = release.table.to_arrow().to_pandas().astype(str)
    assert published["cost"].nunique() > 8  # narrow intervals
    assert all(diverse([wide(label) for label in group["cost"]], guard) for group in classes_of(published))


def test_incognito_finds_all_generalizations_that_the_wider_intervals_allow() -> None:
    frame = bills(3)
    for name, guard in GUARDS.items():
        frontier = fv.search(frame, SCHEMA, guards=[fv.KAnonymity(2), guard], method=fv.Incognito())
        found = {tuple(frontier.levels(place).values()) for place in range(len(frontier))}
        expected = set()
        values = {column: sorted(frame[column].unique().tolist()) for column in SCHEMA.quasi}
        bound = {column: SCHEMA.hierarchy(column).bind(values[column]) for column in SCHEMA.quasi}
        for node in product(*(range(bound[column].height + 1) for column in SCHEMA.quasi)):
            lookup = {column: dict(zip(values[column], bound[column].codes[level].tolist(), strict=True))
                      for column, level in zip(SCHEMA.quasi, node, strict=True)}  # fmt: skip
            groups = classes_of(frame.assign(**{column: frame[column].map(codes) for column, codes in lookup.items()}))
            if all(len(group) >= 2 and diverse((group["cost"] // 16).tolist(), name) for group in groups):
                expected.add(node)
        assert found == expected and expected


@pytest.mark.parametrize("person", [None, "who"])
def test_what_is_written_is_judged_again_from_the_recipe(person: str | None, tmp_path: Path) -> None:
    frame = bills(1).assign(who=np.arange(120) // 2)
    schema = replace(SCHEMA, person=person, drop=[] if person else ["who"])
    guards = [fv.KAnonymity(2), fv.DistinctDiversity(3, judged=JUDGED)]
    for number, data in enumerate([frame, duckdb.connect().from_df(frame)]):
        release = fv.search(data, schema, guards=guards, method=fv.Incognito()).best("loss")
        release.save(tmp_path / str(number), accept=ANY_DANGER)
        assert fv.verify(tmp_path / str(number))
    evidence = json.loads((tmp_path / "0" / "evidence.json").read_text())
    assert evidence["guards"][1]["judged"] == {"cost": 2}
    data = pd.read_csv(tmp_path / "0" / "data.csv", dtype=str)
    if person is not None:
        return
    first = classes_of(data)[0].index
    data.loc[first, "cost"] = [f"{2 * (place % 8)}-{2 * (place % 8) + 1}" for place in range(len(first))]
    release = fv.search(frame, schema, guards=guards, method=fv.Incognito()).best("loss")
    narrow, coarse = (fv.DistinctDiversity(3, judged=judged) for judged in ({}, JUDGED))
    verdicts = fv.check(data, release.recipe.schema, [narrow, coarse])
    assert [verdict.holds for verdict in verdicts] == [True, False]  # up to eight labels, all of them in 0-15


def test_projections_are_joined_by_what_is_published_and_counted_by_what_is_judged() -> None:
    costs = {"q": ["0-1", "16-17", "2-3", "32-33"], "r": ["0-1", "18-19", "2-3", "32-33"]}
    sides = [pd.DataFrame({key: [0, 0, 1, 1], "cost": labels, "got": list("ynyn")}) for key, labels in costs.items()]
    parts = Projections.of(sides, quasi=["q", "r"], decision="got", sensitive=["cost"], hierarchies={"cost": AMOUNTS})
    parts = replace(parts, levels={"cost": 1})
    # rows with q=0 and r=0 agree in 0-1 only: 16-17 and 18-19 are in the same wide interval, but are different labels
    assert fv.DistinctDiversity(2, judged=JUDGED).verdict_parts(parts).worst == 1
    alone = replace(parts, tables=parts.tables[:1])
    assert [fv.DistinctDiversity(2, judged={"cost": level}).verdict_parts(alone).worst for level in (1, 2, 3)] == [
        2,
        2,
        1,
    ]


PLACES = hierarchy.tree({"*": {"north": {"a": ["a1", "a2"], "b": ["b1"]}, "south": {"c": ["c1", "c2"]}}})
KINDS: dict[str, tuple[hierarchy.Hierarchy, list[Any]]] = {
    "intervals": (hierarchy.intervals([0, 40], widths=(5, 10, 20)), list(range(40))),
    "open intervals": (hierarchy.intervals([10, 20], levels=[[20]], open_ended=True), [-3, 9, 10, 15, 20, 99]),
    "fractions": (hierarchy.intervals([0, 2], widths=(0.5, 1.0)), [0.25, 0.5, 1.75]),
    "mask": (hierarchy.mask(4), ["0123", "0199", "9999"]),
    "left mask": (hierarchy.mask(4, side="left", steps=[1, 3]), ["0123", "9923", "9999"]),
    "prefixes": (hierarchy.prefixes([3, 2, 1]), ["E11.9", "E1", "E", "I10"]),
    "dates": (hierarchy.dates("day", "month", "quarter", "year", "decade"),
              [date(1979, 12, 31) + timedelta(40 * n) for n in range(60)]),
    "frequent": (hierarchy.frequent([["x", "y"], ["x"]]), ["x", "y", "z", "other 0"]),
    "grouping": (hierarchy.grouping(list("abcdef"), sizes=(2, 4)), list("abcdef")),
    "tree": (PLACES, ["a1", "b1", "c2"]),
    "top-code": (hierarchy.top_code(above=[85, 80], below=[16, 18]), [3, 16, 17, 40, 81, 90]),
    "top-code of dates": (hierarchy.top_code(above=["2000-01-01", "1990-01-01"], below=["1930-01-01"]),
                          [date(1920, 1, 1), date(1950, 5, 5), date(1995, 1, 1), date(2005, 1, 1)]),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_a_label_is_raised_to_what_its_values_are_published_as(kind: str) -> None:
    rule, values = KINDS[kind]
    levels = rule.bind(values)
    for low, high in combinations(range(levels.height), 2):
        labels = [levels.labels[low][code] for code in levels.codes[low][: len(values)]]
        above = [levels.labels[high][code] for code in levels.codes[high][: len(values)]]
        assert rule.raised([*labels, None], low, high) == [*above, None]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("mask", "left mask", "prefixes")])
def test_a_label_of_another_level_is_refused(kind: str) -> None:
    with pytest.raises(BadInput):
        KINDS[kind][0].raised(["no such label"], 1, 2)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 31), st.integers(0, 5)), min_size=1, max_size=30))
@settings(max_examples=60, deadline=None)
def test_persons_have_wide_intervals_by_plain_sets(rows: list[tuple[int, int, int]]) -> None:
    """The fewest intervals of 8 of which everybody in a class has one."""
    frame = pd.DataFrame(rows, columns=["q", "cost", "who"])
    rule = hierarchy.intervals([0, 32], widths=(2, 8))
    schema = fv.Schema(quasi=["q"], sensitive=["cost"], person="who", hierarchies={"cost": rule}, levels={"cost": 1})
    worst = fv.check(frame, schema, [fv.DistinctDiversity(4, judged={"cost": 2})])[0].worst
    fewest = []
    for _, group in frame.groupby("q"):
        of_person: dict[int, set[int]] = defaultdict(set)
        for cost, who in zip(group["cost"], group["who"], strict=True):
            of_person[who].add(cost // 8)
        fewest.append(next(size for size in range(1, 5) for some in combinations(range(4), size)
                           if all(set(some) & values for values in of_person.values())))  # fmt: skip
    assert worst == min(fewest)


@pytest.mark.parametrize(("judged", "problem"), [
    ({"age": 1}, "sensitive column"), ({"cost": 4}, "all are one value"), ({"cost": 0}, "judged"),
    ("cost", "judged"), (["cost:two"], "judged"), ({"cost": True}, "judged"),
])  # fmt: skip
def test_levels_that_cannot_be_judged_are_refused(judged: Any, problem: str) -> None:
    with pytest.raises(BadInput, match=problem):
        fv.search(bills(), SCHEMA, guards=[fv.DistinctDiversity(2, judged=judged)])


def test_texts_and_sections_say_the_same() -> None:
    spellings: list[Any] = ["cost:2", ["cost:2"], {"cost": 2}]
    assert len({json.dumps(fv.DistinctDiversity(2, judged=judged).to_dict()) for judged in spellings}) == 1
    assert "judged" not in fv.DistinctDiversity(2).to_dict()
