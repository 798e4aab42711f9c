"""Persons by every method, crossed with registers, earlier releases, published links, key sets and weights: promises
and the limit of who is left out, from their definitions by plain sets, in memory and on DuckDB; `verify` agrees."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv
from fairveil.engines.blocked import GroupedSource
from fairveil.guards import Guard
from fairveil.methods import METHODS, Method
from fairveil.methods.blocks import row_search
from fairveil.recipes.outcome import PersonCounts
from fairveil.release.release import Release
from tests.contracts.people import quick
from tests.known import ANY_DANGER

COUNTING = [method for method in METHODS if method.counts_persons]
QUASI = ["age", "zip"]
LEVELS = {"age": fv.hierarchy.intervals([0, 8], widths=(2, 4)), "zip": fv.hierarchy.suppress()}
SCHEMA = fv.Schema(
    quasi=QUASI, person="who", protected=["sex"], plain=["sex", "row"], decision="got", denied="n", hierarchies=LEVELS,
)  # fmt: skip
K, SHARE = 3, 0.35


def records(seed: int, people: int = 30, rows: int = 90) -> pa.Table:
    rng = np.random.default_rng(seed)
    who = np.concatenate([np.arange(people), (rng.random(rows - people) ** 3 * people).astype(int)])
    age = np.random.default_rng(7).integers(0, 7, 200)
    return pa.table({
        "who": pa.array([f"p{n}" for n in who]), "age": age[who] + (rng.random(rows) < 0.2), "zip": who % 3,
        "sex": np.where(who % 2, "f", "m"), "got": rng.choice(["y", "n"], rows), "row": np.arange(rows),
        "w": who % 4 + 2.0, "home": who // 2,
    })  # fmt: skip


@dataclass
class Crossing:
    """What is searched: a table by a schema, with settings, so that guards hold."""

    table: pa.Table
    schema: fv.Schema
    guards: list[Guard]
    settings: dict[str, Any]


def crossing(name: str, seed: int) -> Crossing:
    table, some = records(seed), fv.KAnonymity(K, suppression=SHARE)
    drop = ("w", "home")
    plain = Crossing(table, replace(SCHEMA, drop=drop), [some], {})
    if name == "register":
        register = records(seed + 50, people=120, rows=300).select(["who", *QUASI])
        population = fv.Population(register=register)
        return replace(
            plain, schema=replace(plain.schema, population=population), guards=[fv.KMap(9, suppression=SHARE)]
        )
    if name == "earlier":
        before = records(seed + 80, people=26, rows=60)
        first = fv.search(before, plain.schema, guards=[fv.KAnonymity(6)], method=fv.Incognito()).best("loss")
        return replace(plain, settings={"earlier": [fv.Earlier(first, source=before, key="who")]})
    if name == "linked":
        return replace(plain, schema=replace(plain.schema, plain=(*SCHEMA.plain, "who")))
    if name == "pairs":
        return replace(plain, guards=[fv.KAnonymity(K, suppression=SHARE, subsets={1: K + 1, 2: K})])
    if name == "missing":
        ages = [None if n % 7 == seed else int(a) for n, a in enumerate(table["age"].to_pylist())]
        gone = table.set_column(1, "age", pa.array(ages, pa.int64()))
        return replace(plain, table=gone, settings={"missing": "drop"})
    schema = replace(SCHEMA, weight="w", household="home", publish_weight="recalibrated")
    return replace(plain, schema=schema)


CROSSINGS = ("register", "earlier", "linked", "pairs", "missing", "weights")


def persons_by(published: Iterable[dict[str, Any]], names: Iterable[str], who: dict[int, str]) -> dict[Any, set[str]]:
    classes: dict[Hashable, set[str]] = defaultdict(set)
    for record in published:
        classes[tuple(record[name] for name in names)].add(who[record["row"]])
    return classes


def check(name: str, release: Release, given: Crossing) -> None:
    who = dict(zip(given.table["row"].to_pylist(), given.table["who"].to_pylist(), strict=True))
    if "missing" in given.settings:
        who = {row: person for row, person in who.items() if given.table["age"][row].as_py() is not None}
    published = rows_of(release)
    shown = {who[record["row"]] for record in published}
    gone = set(who.values()) - shown if release.recipe.groups_rows else {
        person for row, person in who.items() if row not in {record["row"] for record in published}
    }  # fmt: skip
    assert not gone & shown
    if not release.recipe.groups_rows:
        assert len(gone) <= SHARE * len({*who.values()}) + 1e-9
        assert release.persons == PersonCounts(len(gone | shown), len(gone), len(shown))
    classes = persons_by(published, QUASI, who)
    if name != "register":
        assert min(map(len, classes.values())) >= K
    if name == "pairs":
        for column in QUASI:
            assert min(map(len, persons_by(published, [column], who).values())) >= K + 1
    if name == "linked":
        alike: dict[Hashable, int] = defaultdict(int)
        for person in shown:
            alike[frozenset(key for key, members in classes.items() if person in members)] += 1
        assert min(alike.values()) >= K
    if name == "earlier":
        [earlier] = given.settings["earlier"]
        before, theirs = earlier.source["who"].to_pylist(), rows_of(earlier.release)
        past: dict[str, set[tuple[Any, ...]]] = defaultdict(set)
        for record in theirs:
            past[before[record["row"]]].add(tuple(record[name] for name in QUASI))
        joint: dict[Hashable, set[str]] = defaultdict(set)
        for record in published:
            person = who[record["row"]]
            joint[frozenset(past[person]), tuple(record[name] for name in QUASI)].add(person)
        assert min(map(len, joint.values())) >= K
    if name == "weights":
        factor = len({*who.values()}) / len(shown)
        assert all(record["w"] == pytest.approx((int(who[record["row"]][1:]) % 4 + 2) * factor) for record in published)


def rows_of(release: Release) -> list[dict[str, Any]]:
    """The published rows, however they are held; `row` tells them apart."""
    content = next(iter(release.published.content.values()))
    return list(content.count(content.names).table().to_arrow().to_pylist())


@pytest.mark.parametrize("name", CROSSINGS)
@pytest.mark.parametrize("method", COUNTING, ids=lambda method: method.kind)
def test_every_method_keeps_what_is_promised_of_persons(method: type[Method], name: str, tmp_path: Path) -> None:
    for seed in range(2):
        given = crossing(name, seed)
        told: dict[str, Any] = {}
        for place in ("memory", "duckdb"):
            data = given.table if place == "memory" else duckdb.connect().from_arrow(given.table)
            try:
                frontier = fv.search(data, given.schema, guards=given.guards, method=quick(method), **given.settings)
            except fv.Infeasible as why:
                told[place] = str(why)
                continue
            except fv.BadInput as why:
                assert "register" in str(why)
                told[place] = "refused"
                continue
            release = frontier.best("loss")
            check(name, release, given)
            told[place] = sorted(map(str, rows_of(release))), release.persons
            if place == "memory":
                saved = release.save(tmp_path / f"{name}-{seed}", accept=ANY_DANGER)
                register = getattr(given.schema.population, "register", None)
                assert fv.verify(saved.path, register=register)
        assert told["memory"] == told["duckdb"], seed


@pytest.mark.parametrize("name", ["linked", "earlier"])
@pytest.mark.parametrize("method", [fv.Mondrian(), fv.FairMDAV(), fv.TopDownGreedy()], ids=lambda method: method.kind)
def test_persons_in_blocks(method: Method, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is left over, of whom some records are, and who is published: counted on the engine."""
    monkeypatch.setattr(row_search, "EXACT", 40)
    monkeypatch.setattr(row_search, "BLOCK", 60)
    given = crossing(name, 0)
    table = records(3, people=45, rows=201)
    given = replace(given, table=table, guards=[fv.KAnonymity(K)])
    data = duckdb.connect().from_arrow(table)
    release = fv.search(data, given.schema, guards=given.guards, method=method, **given.settings).release(0)
    assert isinstance(release.source, GroupedSource)
    check(name, release, given)
    who, inside = table["who"].to_pylist(), {record["row"] for record in rows_of(release)}
    shown, gone = ({who[row] for row in range(len(who)) if (row in inside) == there} for there in (True, False))
    assert release.persons == PersonCounts(len({*who}), len(gone), len(shown))
