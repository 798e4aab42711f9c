"""Where people have several records, persons are counted: by every method, against sets of persons counted by hand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairveil as fv
from fairveil.guards import Guard
from fairveil.methods import METHODS, Method
from fairveil.methods.task import Task
from fairveil.recipes.outcome import PersonCounts
from fairveil.release.release import Release
from tests.contracts.people import SCHEMA, quick, source
from tests.known import ANY_DANGER

COUNTING = [method for method in METHODS if method.counts_persons]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRVEIL_KEY", "a key for tests alone")


WAYS: dict[str, Callable[[fv.Schema], fv.Schema]] = {
    "dropped": lambda schema: schema,
    "pseudonym": lambda schema: replace(schema, pseudonyms=("name",)),
    "published": lambda schema: replace(schema, plain=("name",)),
}
PERSONS = replace(SCHEMA, identifier=(), person="name", population=None)
GUARDS: list[list[Guard]] = [
    [fv.KAnonymity(3)],
    [fv.KAnonymity(3, suppression=0.4)],
    [fv.KAnonymity(2, suppression=0.3), fv.DistinctDiversity(2)],
    [fv.KAnonymity(2), fv.TCloseness(0.5)],
    [fv.KAnonymity(2), fv.AlphaProtection(3.0, min_support=3)],
]


def visits(seed: int, people: int = 30, rows: int = 90) -> pd.DataFrame:
    """Records of people of whom most have several, in the same class or in others."""
    rng = np.random.default_rng(seed)
    once = source(seed, rows=people).to_pandas()
    frame = once.iloc[np.concatenate([np.arange(people), rng.integers(0, people // 2, rows - people)])]
    frame = frame.reset_index(drop=True)
    later = rng.random(rows) < 0.5
    frame.loc[later, "age"] = np.minimum(frame.loc[later, "age"] + rng.integers(0, 15, later.sum()), 59)
    frame.loc[later, "illness"] = rng.choice(["flu", "cold", "pox"], later.sum())
    return frame


def by_class(frame: pd.DataFrame) -> dict[Hashable, list[int]]:
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for row, values in enumerate(frame[list(SCHEMA.quasi)].astype(object).itertuples(index=False, name=None)):
        groups[values].append(row)
    return groups


def persons_in(frame: pd.DataFrame, persons: list[Any], linked: bool) -> int:
    """The fewest persons in a class; if their records are linked, also with the same set of classes."""
    classes = by_class(frame)
    least = min(len({persons[row] for row in rows}) for rows in classes.values())
    if linked:
        of_person = defaultdict(set)
        for number, rows in enumerate(classes.values()):
            for row in rows:
                of_person[persons[row]].add(number)
        alike = defaultdict(set)
        for person, numbers in of_person.items():
            alike[frozenset(numbers)].add(person)
        least = min(least, *(len(group) for group in alike.values()))
    return least


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("method", COUNTING, ids=lambda method: method.kind)
def test_every_method_counts_persons(method: type[Method], way: str, tmp_path: Path) -> None:
    found = 0
    for seed, guards in enumerate(GUARDS):
        frame = visits(seed)
        schema = WAYS[way](PERSONS)
        try:
            frontier = fv.search(frame, schema, guards=guards, method=quick(method), seed=seed)
        except fv.Infeasible:
            continue
        for position in {0, len(frontier) // 2, len(frontier) - 1}:
            release = frontier.release(position)
            found += 1
            check(release, frame, guards, way)
        if seed % len(WAYS) == list(WAYS).index(way):  # each method is saved under all guards, in one way or the other
            saved = release.save(tmp_path / str(seed), accept=ANY_DANGER)
            verification = fv.verify(saved.path)
            assert verification, verification.problems
            assert all(verdict["unit"] == "persons" for verdict in saved.evidence["guards"])
        assert ("name" in release.table.names) == (way != "dropped")
    assert found


def check(release: Release, frame: pd.DataFrame, guards: list[Guard], way: str) -> None:
    rows = release.source_rows
    assert rows is not None
    names = frame["name"].tolist()
    persons = [names[row] for row in rows]
    published = release.table.to_arrow().to_pandas()
    assert persons_in(published, persons, way != "dropped") >= guards[0].least_rows
    assert release.verdicts[0].worst == persons_in(published, persons, way != "dropped")
    left_out = {name for row, name in enumerate(names) if row not in set(rows.tolist())}
    if not release.recipe.groups_rows:
        assert not left_out & set(persons), "a person is left out with all records"
        limit = max(getattr(guard, "suppression", 0.0) for guard in guards)
        assert len(left_out) <= limit * len(set(names)) + 1e-9, "the limit is a share of the persons"
    assert release.persons == PersonCounts(len(set(names)), len(left_out), len(set(persons)))
    for guard in guards[1:]:
        diseases = published["illness"].tolist()
        for members in by_class(published).values():
            inside = {persons[row] for row in members}
            having = defaultdict(set)
            for row in members:
                having[diseases[row]].add(persons[row])
            if isinstance(guard, fv.DistinctDiversity):
                assert len(having) >= guard.l
            if isinstance(guard, fv.TCloseness):
                everybody = set(persons)
                gap = sum(
                    max(len(who) / len(inside)
                        - len({persons[r] for r, d in enumerate(diseases) if d == disease}) / len(everybody), 0)
                    for disease, who in having.items()
                )  # fmt: skip
                assert gap <= guard.t + 1e-9


@pytest.mark.parametrize("suppression", [0.0, 0.2, 0.5])
@pytest.mark.parametrize("way", WAYS)
def test_incognito_finds_all_generalizations_that_persons_allow(way: str, suppression: float) -> None:
    for seed in range(3):
        frame, schema = visits(seed, people=24, rows=60), WAYS[way](PERSONS)
        guard = fv.KAnonymity(3, suppression=suppression)
        try:
            found = fv.search(frame, schema, guards=[guard], method=fv.Incognito())
            nodes = {tuple(found.release(at).recipe.to_dict()["levels"].values()) for at in range(len(found))}
        except fv.Infeasible:
            nodes = set()
        assert nodes == by_hand(frame, schema, guard, way != "dropped")


def by_hand(frame: pd.DataFrame, schema: fv.Schema, guard: fv.KAnonymity, linked: bool) -> set[tuple[int, ...]]:
    table = fv.Table.from_frame(frame)
    levels = schema.bind(table)
    nodes = set()
    for node in product(*(range(levels[name].height + 1) for name in schema.quasi)):
        recoded = pd.DataFrame({
            name: levels[name].codes[level][table.column(name).codes]
            for name, level in zip(schema.quasi, node, strict=True)
        })  # fmt: skip
        kept = np.ones(len(frame), dtype=bool)
        while kept.any():
            rows = recoded[kept].reset_index(drop=True)
            persons = frame["name"][kept].tolist()
            bad = {
                persons[row]
                for members in by_class(rows).values()
                if len({persons[row] for row in members}) < guard.k
                for row in members
            }
            if linked:
                of_person = defaultdict(set)
                for number, members in enumerate(by_class(rows).values()):
                    for row in members:
                        of_person[persons[row]].add(number)
                alike = defaultdict(set)
                for person, numbers in of_person.items():
                    alike[frozenset(numbers)].add(person)
                bad |= {person for group in alike.values() if len(group) < guard.k for person in group}
            if not bad:
                break
            kept &= ~frame["name"].isin(bad).to_numpy()
        if kept.any() and frame["name"][~kept].nunique() <= guard.suppression * frame["name"].nunique() + 1e-9:
            nodes.add(node)
    return nodes


def test_records_that_are_repeated_change_nothing() -> None:
    frame = visits(5)
    again = pd.concat([frame, frame, frame.iloc[:20]])
    guards = [fv.KAnonymity(2), fv.EntropyDiversity(1.2), fv.RecursiveDiversity(3, 2), fv.TCloseness(0.2)]
    verdicts = [[v.worst for v in fv.check(data, PERSONS, guards)] for data in (frame, again)]
    assert verdicts[0] == pytest.approx(verdicts[1])


@pytest.mark.parametrize("method", COUNTING, ids=lambda method: method.kind)
def test_with_one_record_per_person_nothing_changes(method: type[Method], tmp_path: Path) -> None:
    """Nor with weight 1 and one key set: candidates, figures, verdicts, rows and the bytes of the file are the same."""
    frame = source(3, rows=60).to_pandas().assign(w=1.0)
    plain = replace(SCHEMA, population=None)
    sets = {"keys": [list(SCHEMA.quasi)]}
    ways: dict[str, tuple[fv.Schema, dict[str, Any]]] = {
        "records": (replace(plain, drop=["w"]), {}),
        "persons": (replace(PERSONS, drop=["w"]), {}),
        "weights": (replace(PERSONS, weight="w"), {}),
        "keys": (replace(PERSONS, drop=["w"]), sets),
    }
    answers = {}
    for way, (schema, keys) in ways.items():
        guards = [fv.KAnonymity(3, suppression=0.2, **keys), fv.TCloseness(0.6)]
        frontier = fv.search(frame, schema, guards=guards, method=quick(method))
        release = frontier.best("loss")
        saved = release.save(tmp_path / way, format="csv", accept=ANY_DANGER)
        file = pd.read_csv(saved.path / "data.csv", dtype=str).drop(columns="w", errors="ignore").to_csv(index=False)
        figures = {
            name: [round(float(value), 9) for value in frontier.values(name)] for name in ("loss", "k", "entropy")
        }
        verdicts = [(verdict.holds, verdict.worst, verdict.broken_rows) for verdict in release.verdicts]
        bytes_ = (saved.path / "data.csv").read_bytes() if way != "weights" else None
        answers[way] = len(frontier), figures, verdicts, file, bytes_
    for way, answer in answers.items():
        assert answer[:4] == answers["records"][:4], way
        assert answer[4] in (None, answers["records"][4]), way


@pytest.mark.parametrize("method", [m for m in METHODS if not m.counts_persons], ids=lambda method: method.kind)
def test_methods_that_protect_records_refuse_persons(method: type[Method]) -> None:
    with pytest.raises(fv.BadInput, match="may have several"):
        fv.search(visits(0), PERSONS, guards=GUARDS[0], method=quick(method))


def test_the_classes_of_the_literature() -> None:
    """Class A: 3 records, 2 persons, share of x 1 by persons; class B: 5 records, 3 persons, x 2/3."""
    rows = ["A p1 x", "A p1 y", "A p2 x", "B p3 x", "B p4 y", "B p4 y", "B p4 z", "B p5 x"]
    frame = pd.DataFrame([row.split() for row in rows], columns=["class", "who", "value"])
    schema = fv.Schema(quasi=["class"], sensitive=["value"], person="who")
    verdicts = fv.check(frame, schema, [fv.KAnonymity(2), fv.RecursiveDiversity(3, 2), fv.EntropyDiversity(1)])
    assert verdicts[0].worst == 2
    assert "2 persons" in verdicts[0].sentence
    assert verdicts[2].worst == pytest.approx(1.0)  # everybody in class A has x
    assert not verdicts[1].holds


def share(rows: pd.DataFrame) -> tuple[int, int]:
    """How many persons of these records are denied, and how many there are."""
    return rows[rows["credit"] == "no"]["name"].nunique(), rows["name"].nunique()


@pytest.mark.parametrize("measure", ["slift", "elift", "clift", "olift"])
def test_rules_count_persons_unless_records_are_asked_for(measure: str) -> None:
    for seed in range(4):
        frame = visits(seed)
        frame["credit"] = np.random.default_rng(seed).choice(["yes", "no"], len(frame))
        frame["zip"] = frame["zip"].str[:1]
        schema = replace(PERSONS, quasi=("zip",), protected=("sex",), plain=("age", "illness", "sex"), sensitive=())
        guard = fv.AlphaProtection(100.0, measure=measure, min_support=3, contexts=("zip",))
        worst = []
        for columns in ([], ["zip"]):
            for _, context in frame.groupby(columns) if columns else [((), frame)]:
                for sex in context["sex"].unique():
                    a1, n1 = share(context[context["sex"] == sex])
                    others = context[context["sex"] != sex]
                    a2, n2 = share(context if measure == "elift" else others)
                    if a1 >= 3 and n2:
                        above, below = (a1 * (n2 - a2), a2 * (n1 - a1)) if measure == "olift" else (a1 * n2, n1 * a2)
                        if measure == "clift" and a1 / n1 < a2 / n2:
                            above = below = 1  # it is itself the most favoured
                        worst.append(above / below if below else np.inf)
        [by_persons] = fv.check(frame, schema, guard)
        assert by_persons.worst == pytest.approx(max(worst))
        assert by_persons.unit == "persons"
        [by_records] = fv.check(frame, schema, replace(guard, counts="records"))
        [plain] = fv.check(frame, replace(schema, person=None, drop=("name",)), guard)
        assert (by_records.worst, by_records.unit) == (plain.worst, "records")


def panel(seed: int, people: int = 9, rows: int = 26) -> pd.DataFrame:
    """Records of few people who are in several classes, with weights."""
    rng = np.random.default_rng(seed)
    who = np.concatenate([np.arange(people), rng.integers(0, people, rows - people)])
    return pd.DataFrame({
        "who": who, "a": rng.choice(list("123"), rows), "b": rng.choice(list("123"), people)[who],
        "v": rng.choice(list("pqr"), rows), "w": rng.choice([2.0, 40.0], people)[who],
        "sex": rng.choice(["f", "m"], people)[who], "credit": rng.choice(["yes", "no"], rows),
    })  # fmt: skip


ANY_GUARD: list[Guard] = [
    fv.KAnonymity(2), fv.KAnonymity(2, keys=[["a"]]), fv.KnownDecision(2), fv.DistinctDiversity(2),
    fv.DistinctDiversity(3), fv.EntropyDiversity(1.4), fv.RecursiveDiversity(9.0, 2), fv.TCloseness(0.25),
    fv.TCloseness(0.2, distance="ordered"), fv.DistinctDiversity(2, keys=[["a"]]), fv.KMap(12), fv.DeltaPresence(0.2),
    fv.RiskLimit("individual-risk", 0.1), fv.RiskLimit("marketer-risk", 0.1), fv.AlphaProtection(9.0, min_support=4),
]  # fmt: skip


@pytest.mark.parametrize("guard", ANY_GUARD, ids=lambda guard: f"{guard.kind}")
def test_searches_skip_no_generalization_that_keeps_a_guard(guard: Guard) -> None:
    """Whatever a guard says about merging classes: each generalization is judged by itself."""
    tree = {"a": fv.hierarchy.tree({"*": {"x": ["1", "2"], "y": ["3"]}}),
            "b": fv.hierarchy.tree({"*": {"u": ["1", "2"], "w": ["3"]}})}  # fmt: skip
    schema = fv.Schema(quasi=["a", "b"], sensitive=["v"], person="who", weight="w", protected=["sex"],
                       decision="credit", denied="no", hierarchies=tree)  # fmt: skip
    kept = 0
    for seed in range(8):
        task = Task.of(fv.Table.from_frame(panel(seed)), schema, [guard])
        names = [name for name in task.cells.codes if name not in task.levels]
        expected = {
            node
            for node in product(range(3), repeat=2)
            if guard.verdict(task.lattice.classes(np.array(node), names, published=True), task.schema).holds
        }
        try:
            found = {tuple(map(int, node)) for node in fv.search(panel(seed), schema, guards=[guard]).nodes}
        except fv.Infeasible:
            found = set()
        assert found == expected, seed
        kept += len(found)
    assert kept
