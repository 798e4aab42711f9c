"""Persons with households, weights, decisions, key sets and suppression: memory and DuckDB measure the same, and what
is published keeps k by plain sets of persons."""

from __future__ import annotations

from collections import defaultdict
from itertools import combinations
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pytest

import fairveil as fv

QUASI = ["age", "zip", "sex"]
LEVELS = {
    "age": fv.hierarchy.intervals([0, 8], widths=(2, 4)),
    "zip": fv.hierarchy.suppress(),
    "sex": fv.hierarchy.suppress(),
}
ROLES: dict[str, dict[str, Any]] = {
    "alone": {},
    "household": {"household": "home"},
    "weight": {"weight": "w"},
    "decision": {"decision": "got", "denied": "n"},
    "sensitive": {"sensitive": ["ill"]},
    "all": {"household": "home", "weight": "w", "decision": "got", "denied": "n", "sensitive": ["ill"]},
}
KEYS: dict[str, dict[str, Any]] = {"one set": {}, "named": {"keys": [["age"], ["zip", "sex"]]}, "pairs": {"subsets": 2}}


def records(seed: int) -> pa.Table:
    rng = np.random.default_rng(seed)
    people, rows = 30, 90
    who = rng.integers(0, people, rows)
    return pa.table({
        "who": pa.array([f"p{number}" for number in who]) if seed % 2 else pa.array(who),
        "age": np.minimum(rng.integers(0, 8, people)[who] + rng.integers(0, 2, rows), 7),
        "zip": rng.integers(0, 3, rows), "sex": rng.choice(["f", "m"], people)[who],
        "home": who // 2, "w": rng.integers(1, 9, people)[who] + 0.5, "got": rng.choice(["y", "n"], rows),
        "ill": rng.choice(["a", "b", "c"], rows),
    })  # fmt: skip


def schema_of(roles: dict[str, Any]) -> tuple[fv.Schema, list[str]]:
    named = [roles.get(role) for role in ("household", "weight", "decision")]
    used = [*QUASI, "who", *(name for name in named if name), *roles.get("sensitive", [])]
    return fv.Schema(quasi=QUASI, person="who", hierarchies=LEVELS, **roles), used


def key_sets(keys: dict[str, Any]) -> list[tuple[str, ...]]:
    if "subsets" in keys:
        return list(combinations(QUASI, keys["subsets"]))
    return [tuple(names) for names in keys.get("keys", [QUASI])]


@pytest.mark.parametrize("suppression", [0.0, 0.3])
@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("roles", ROLES)
def test_engines_agree_and_promises_hold_by_sets(roles: str, keys: str, suppression: float) -> None:
    schema, used = schema_of(ROLES[roles])
    seed = list(ROLES).index(roles) * 3 + list(KEYS).index(keys)
    table, guard = records(seed).select(used), fv.KAnonymity(3, suppression=suppression, **KEYS[keys])
    released = []
    for data in (table, duckdb.connect().from_arrow(table)):
        frontier = fv.search(data, schema, guards=[guard], method=fv.Incognito())
        release = frontier.best("loss")
        names = ["loss", "k", "average-risk", "entropy", *(["household-risk"] if schema.household else [])]
        assert release.measures["loss"] == pytest.approx(frontier.values("loss")[release])
        released.append((frontier, release, {name: frontier.values(name) for name in names}))
    (frontier, release, here), (_, there_release, there) = released
    for name, values in here.items():
        assert there[name] == pytest.approx(values, nan_ok=True), name
    assert [str(verdict) for verdict in there_release.verdicts] == [str(verdict) for verdict in release.verdicts]
    rows = release.source_rows
    assert rows is not None
    who = [table["who"][int(row)].as_py() for row in rows]
    assert len(rows) == sum(person in set(who) for person in table["who"].to_pylist())  # nobody's records are divided
    published = release.table.to_arrow().to_pylist()
    for key_set in key_sets(KEYS[keys]):
        classes: dict[tuple[Any, ...], set[Any]] = defaultdict(set)
        for person, record in zip(who, published, strict=True):
            classes[tuple(record[name] for name in key_set)].add(person)
        assert min(map(len, classes.values()), default=guard.k) >= guard.k


def persons_by(published: list[dict[str, Any]], who: list[Any]) -> int:
    """The fewest persons of a class, hidden cells being a value of their own."""
    classes: dict[tuple[Any, ...], set[Any]] = defaultdict(set)
    for person, record in zip(who, published, strict=True):
        classes[tuple(record[name] for name in QUASI)].add(person)
    return min(map(len, classes.values()))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("roles", ["alone", "weight", "sensitive"])
def test_hidden_cells_keep_k_by_sets_of_persons(roles: str, seed: int) -> None:
    schema, used = schema_of(ROLES[roles])
    table = records(seed).select(used)
    guards: list[Any] = [fv.KAnonymity(3), *([fv.DistinctDiversity(2)] if roles == "sensitive" else [])]
    release = fv.search(table, schema, guards=guards, method=fv.LocalSuppression()).best("loss")
    assert release.source_rows is not None
    who = [table["who"][int(row)].as_py() for row in release.source_rows]
    published = release.table.to_arrow().to_pylist()
    assert persons_by(published, who) == release.verdicts[0].worst >= 3
    for record, row in zip(published, release.source_rows.tolist(), strict=True):
        assert roles != "weight" or record["w"] == table["w"][row].as_py()


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("method", ["mondrian", "incognito", "local-suppression", "mdav", "datafly"])
@pytest.mark.parametrize(("preset", "least"), [("cell-count-3", 3), ("cell-count-5", 5), ("ema-0070", 12)])
def test_rules_of_offices_count_persons(preset: str, least: int, method: str, engine: str, tmp_path: Any) -> None:
    from pyarrow import csv

    table = records(2).select([*QUASI, "who"]).append_column("row", pa.array(range(90)))
    csv.write_csv(table, tmp_path / "people.csv")
    (tmp_path / "plan.toml").write_text(
        f'format = 1\npreset = "{preset}"\n[source]\npath = "people.csv"\nengine = "{engine}"\n[schema]\n'
        'quasi = ["age", "zip", "sex"]\nperson = "who"\nplain = ["row"]\n'
        f'[hierarchies.age]\nkind = "intervals"\nlevels = [[0, 4, 8]]\n[[methods]]\nkind = "{method}"\n'
    )
    release = fv.Plan.read(tmp_path / "plan.toml").run()
    content = next(iter(release.published.content.values()))
    published = content.count(content.names).table().to_arrow().to_pylist()
    who = [table["who"][int(record["row"])].as_py() for record in published]
    assert persons_by(published, who) == release.verdicts[0].worst >= least
