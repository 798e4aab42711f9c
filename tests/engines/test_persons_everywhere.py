"""Persons with a register, an earlier release, published weights and judged values: every engine releases what memory
does, and memory keeps the promise by plain sets of persons."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable
from typing import Any

import narwhals as nw
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import fairveil as fv
from fairveil.recipes.outcome import PersonCounts
from fairveil.release.release import Release

QUASI = ["age", "zip"]
AGES = fv.hierarchy.intervals([0, 8], widths=(2, 4))
AMOUNTS = fv.hierarchy.intervals([0, 32], widths=(2, 8))
RULES = {"age": AGES, "zip": fv.hierarchy.suppress(), "cost": AMOUNTS}


def records(seed: int = 0, people: int = 30, rows: int = 90) -> pa.Table:
    rng = np.random.default_rng(seed)
    who = rng.integers(0, people, rows)
    age = np.random.default_rng(7).integers(0, 7, 100)
    return pa.table({
        "who": who, "age": age[who] + rng.integers(0, 2, rows), "zip": rng.integers(0, 3, rows),
        "w": (who % 4 + 2.0), "cost": rng.integers(0, 32, rows),
    })  # fmt: skip


def schema_of(*names: str, **roles: Any) -> fv.Schema:
    rules = {name: rule for name, rule in RULES.items() if name in (*QUASI, *names)}
    return fv.Schema(quasi=QUASI, person="who", hierarchies=rules, **roles)


def released(data: Any, schema: fv.Schema, guards: list[Any], **settings: Any) -> Release:
    return fv.search(data, schema, guards=guards, method=fv.Incognito(), **settings).best("loss")


def rows_of(release: Release) -> list[tuple[tuple[str, ...], int]]:
    """The published rows, however they are held."""
    table = next(iter(release.published.content.values()))
    counted = table.count(table.names)
    values = counted.table().to_arrow().to_pylist()
    return sorted((tuple(map(str, row.values())), int(n)) for row, n in zip(values, counted.counts, strict=True))


def with_persons(release: Release, table: pa.Table) -> list[tuple[int, dict[str, Any]]]:
    assert release.source_rows is not None
    who = table["who"].to_numpy()[release.source_rows].tolist()
    return list(zip(who, release.table.to_arrow().to_pylist(), strict=True))


def check_register(release: Release, table: pa.Table, register: pa.Table) -> None:
    levels = release.recipe.to_dict()["levels"]
    bound = {name: RULES[name].bind(list(range(9))[: 8 if name == "age" else 3]) for name in QUASI}
    people: dict[tuple[str, ...], set[int]] = defaultdict(set)
    for row in register.to_pylist():
        labels = tuple(str(bound[n].labels[levels[n]][bound[n].codes[levels[n]][row[n]]]) for n in QUASI)
        people[labels].add(row["who"])
    classes = {tuple(str(row[name]) for name in QUASI) for _, row in with_persons(release, table)}
    fewest = min(len(people[labels]) for labels in classes)
    assert release.alternatives is not None
    assert fewest >= 12 and release.alternatives.values("journalist-risk")[release] == pytest.approx(1 / fewest)


def check_earlier(release: Release, table: pa.Table, first: Release, before: pa.Table) -> None:
    past: dict[int, set[tuple[Any, ...]]] = defaultdict(set)
    for person, row in with_persons(first, before):
        past[person].add(tuple(row[name] for name in QUASI))
    joint: dict[Hashable, set[int]] = defaultdict(set)
    for person, row in with_persons(release, table):
        joint[frozenset(past.get(person, ())), tuple(row[name] for name in QUASI)].add(person)
    assert min(map(len, joint.values())) >= 3


def check_judged(release: Release, table: pa.Table) -> None:
    classes: dict[Hashable, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for person, row in with_persons(release, table):
        classes[tuple(row[n] for n in QUASI)][person].add(int(row["cost"].split("-")[0]) // 8)
    for persons in classes.values():
        assert not set.intersection(*persons.values())  # no wide interval is one that everybody has


def check_weights(release: Release, table: pa.Table) -> None:
    published = with_persons(release, table)
    of_person = dict(zip(table["who"].to_pylist(), table["w"].to_pylist(), strict=True))
    recalibrated = release.recipe.schema.publish_weight == "recalibrated"
    factor = len(of_person) / len({person for person, _ in published}) if recalibrated else 1
    assert all(row["w"] == pytest.approx(of_person[person] * factor) for person, row in published)
    assert all(isinstance(value, float) for value in release.to_frame()["w"].to_pylist())


def check_left_out(release: Release, table: pa.Table) -> None:
    """With all records or with none, and no more persons than allowed."""
    assert release.source_rows is not None
    who = table["who"].to_numpy()
    published = set(who[release.source_rows].tolist())
    gone = set(np.delete(who, release.source_rows).tolist())
    assert gone and not gone & published
    assert len(gone) <= 0.4 * len(set(who.tolist())) + 1e-9
    assert release.persons == PersonCounts(len(gone | published), len(gone), len(published))


Check = Callable[[Release], None]
Crossed = tuple[pa.Table, fv.Schema, list[Any], dict[str, Any], Check]


def crossings() -> dict[str, Crossed]:
    table, register = records(1), records(2, people=100, rows=260).select(["who", *QUASI])
    population = fv.Population(register=register)
    narrow = table.select(["who", *QUASI])
    before = records(3, rows=40).select(["who", *QUASI])
    first = released(before, schema_of(), [fv.KAnonymity(8)])
    again = {"earlier": [fv.Earlier(first, source=before, key="who")]}
    costs, weighted = table.select(["who", *QUASI, "cost"]), table.select(["who", *QUASI, "w"])
    judged = [fv.KAnonymity(2, suppression=0.3), fv.DistinctDiversity(2, judged={"cost": 2})]
    some = [fv.KAnonymity(3, suppression=0.4)]
    uneven = table.select(["who", *QUASI]).filter(pc.or_(pc.less(table["who"], 24), pc.equal(table["zip"], 0)))
    return {
        "left out": (uneven, schema_of(), some, {}, lambda release: check_left_out(release, uneven)),
        "published": (narrow, schema_of(plain=["who"]), [fv.KAnonymity(2, suppression=0.4)], {},
                      lambda release: check_left_out(release, narrow)),
        "register": (narrow, schema_of(population=population), [fv.KMap(12, suppression=0.3)], {},
                     lambda release: check_register(release, narrow, register)),
        "earlier": (narrow, schema_of(), some, again, lambda release: check_earlier(release, narrow, first, before)),
        "judged": (costs, schema_of("cost", sensitive=["cost"], levels={"cost": 1}), judged, {},
                   lambda release: check_judged(release, costs)),
        "rounded": (weighted, schema_of(weight="w", publish_weight="rounded"), some, {},
                    lambda release: check_weights(release, weighted)),
        "recalibrated": (weighted, schema_of(weight="w", publish_weight="recalibrated"), some, {},
                         lambda release: check_weights(release, weighted)),
    }  # fmt: skip


CROSSINGS = ["left out", "published", "register", "earlier", "judged", "rounded", "recalibrated"]


@pytest.mark.parametrize("crossing", CROSSINGS)
def test_engines_release_what_memory_does(crossing: str, native: Callable[[pa.Table], Any]) -> None:
    table, schema, guards, settings, check = crossings()[crossing]
    here = released(table, schema, guards, **settings)
    check(here)
    there = released(native(table), schema, guards, **settings)
    assert rows_of(there) == rows_of(here)
    assert [str(verdict) for verdict in there.verdicts] == [str(verdict) for verdict in here.verdicts]
    assert (there.persons, there.published.k) == (here.persons, here.published.k)


def test_whole_weights_that_are_floats_stay_floats(native: Callable[[pa.Table], Any]) -> None:
    table, schema, guards, _, _ = crossings()["rounded"]
    frame = released(native(table), schema, guards).to_frame()
    assert nw.from_native(frame).collect_schema()["w"] == nw.Float64
